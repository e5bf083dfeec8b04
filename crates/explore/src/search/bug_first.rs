//! A bug first: before a search for proof, a short one that samples.
//!
//! A search for proof goes through executions that differ little from each other, and may take long to come to a bug that
//! needs several threads to be somewhere. So a search that does not end at once is put off for one that samples: by
//! PCT, with growing depth, and by random steps, which bring many threads into line at once. In every second sample,
//! threads are created before anything else happens, or the first ones would mostly be gone before the last ones come.
//! What is run is counted apart, for it proves nothing.
//!
//! 1. [`PROBE`] executions of the search for proof: most searches are over then, or have found something.
//! 2. [`SAMPLES`] executions; once they have more than [`LEAST`] steps together, for no longer than [`SHARE`] times what the first
//!    part took, and a second. So it does not depend on the machine what is found in small programs.
//! 3. The search for proof, from its start. Who is told of executions has been told of the first ones already.

use crate::algorithms::pct::Pct;
use crate::algorithms::random;
use crate::explorer::{Explorer, Stop};
use crate::search::check::{explained, search};
use crate::{Algorithm, AlgorithmInfo, Error, Limit, Processes, Report, Settings};
use model::{OpKind, Pending, Program};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use trace::{Execution, Progress, Sink};

/// As many as a search runs before it calls other workers.
const PROBE: u64 = 256;
const SAMPLES: u64 = 500;
const SHARE: u32 = 4;
/// Until they have so many steps together, samples are taken however long that takes.
const LEAST: u64 = 200_000;
/// At least so long, and at most.
const TIME: (Duration, Duration) = (Duration::from_millis(3), Duration::from_secs(1));
/// How samples are taken, in turn, and whether threads are created first.
const WALKS: [(Walk, bool); 8] = [
    (Walk::Pct(2), false),
    (Walk::Random, true),
    (Walk::Pct(3), true),
    (Walk::Pct(4), false),
    (Walk::Random, true),
    (Walk::Pct(6), true),
    (Walk::Random, false),
    (Walk::Pct(12), false),
];

/// How a sample is taken.
#[derive(Clone, Copy)]
enum Walk {
    /// At every step, each thread is as likely as the others.
    Random,
    /// By priorities, for bugs of a depth.
    Pct(u32),
}

/// A sample is given up when it is so many times as long as the longest execution of the first part.
const LENGTHS: u64 = 4;

/// Explores `program` by an algorithm, and before that looks for bugs, if the settings say so. Workers may be processes.
pub fn check_first(
    info: &AlgorithmInfo,
    program: &dyn Program,
    settings: &Settings,
    sink: &mut dyn Sink,
    processes: Option<&dyn Processes>,
) -> Result<Report, Error> {
    let whole = |sink: &mut dyn Sink| search(program, &mut *(info.make)(), settings, sink, processes);
    // Who draws the search wants that search alone.
    if !is_wanted(info, settings) || sink.wants_branches() {
        return Ok(explained(whole(sink)?, program, settings));
    }
    let mut probing = settings.clone();
    probing.limits.executions = Some(PROBE);
    // So few are not worth other workers; and where workers are processes, there must be no threads.
    probing.workers = NonZeroUsize::MIN;
    let probe = search(program, &mut *(info.make)(), &probing, sink, None)?;
    if probe.limit != Some(Limit::Executions(PROBE)) {
        return Ok(explained(probe, program, settings));
    }
    let sampling = for_samples(settings, &probe);
    let mut aside = Aside { sink: &mut *sink };
    let share = probe.elapsed.saturating_mul(SHARE).clamp(TIME.0, TIME.1);
    let mut algorithm = Samples { pct: Pct::default(), enabled: Vec::new(), until: Instant::now() + share };
    let samples = search(program, &mut algorithm, &sampling, &mut aside, None)?;
    if !samples.findings.is_empty() {
        let found = Report {
            tally: probe.tally,
            sampled: samples.tally,
            limit: None,
            elapsed: probe.elapsed.saturating_add(samples.elapsed),
            ..samples
        };
        return Ok(explained(found, program, settings));
    }
    // Told to stop, it stops again at its first execution.
    let mut rest = Rest { sink, skipped: PROBE };
    let report = whole(&mut rest)?;
    Ok(explained(Report { sampled: samples.tally, ..report }, program, settings))
}

/// Whoever bounds a search or goes on after findings wants that search; and a search that samples does so anyway.
fn is_wanted(info: &AlgorithmInfo, settings: &Settings) -> bool {
    settings.bug_first
        && info.guarantee.is_exhaustive()
        && !settings.keep_going
        && !settings.bounds.any()
        && settings.checkpoints.is_none()
        && settings.runs_alone as u64 >= PROBE
        && settings.limits.executions.is_none_or(|limit| limit > PROBE)
}

fn for_samples(settings: &Settings, probe: &Report) -> Settings {
    let mut sampling = settings.clone();
    sampling.limits.time = settings.limits.time.map(|time| time.saturating_sub(probe.elapsed));
    sampling.limits.executions = Some(SAMPLES);
    sampling.limits.steps = settings.limits.steps.min((probe.tally.longest * LENGTHS + 100) as usize);
    sampling
}

/// Samples, one after the other.
struct Samples {
    pct: Pct,
    enabled: Vec<Pending>,
    /// There are no more after this time, but for the least that are taken.
    until: Instant,
}

impl Algorithm for Samples {
    fn forget(&mut self) {
        self.pct = Pct::default();
        self.enabled.clear();
    }

    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        let mut steps = 0;
        for (walk, spawns_first) in WALKS.into_iter().cycle() {
            if steps >= LEAST && Instant::now() >= self.until {
                break;
            }
            let goes_first = |pending: &Pending| spawns_first && pending.op.kind == OpKind::Spawn;
            match walk {
                Walk::Random => random::execute(e, &mut self.enabled, goes_first)?,
                Walk::Pct(depth) => self.pct.execute(e, depth, goes_first)?,
            }
            if e.trace().is_empty() {
                break;
            }
            steps += e.trace().len() as u64;
            e.cut(0);
        }
        Ok(())
    }

    fn is_exhaustive(&self) -> bool {
        false
    }
}

/// Tells a sink of executions that do not count.
struct Aside<'s> {
    sink: &'s mut dyn Sink,
}

impl Sink for Aside<'_> {
    fn wants_executions(&self) -> bool {
        self.sink.wants_executions()
    }

    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        self.sink.aside(execution)
    }
}

/// Tells a sink of all executions but the first ones.
struct Rest<'s> {
    sink: &'s mut dyn Sink,
    skipped: u64,
}

impl Sink for Rest<'_> {
    fn wants_executions(&self) -> bool {
        self.sink.wants_executions()
    }

    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        if self.skipped > 0 {
            self.skipped -= 1;
            return self.sink.aside(execution);
        }
        self.sink.execution(execution)
    }

    /// What is skipped was told before, and so was that the search began anew among it.
    fn anew(&mut self) {
        if self.skipped == 0 {
            self.sink.anew();
        }
    }

    fn aside(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        self.sink.aside(execution)
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.sink.progress(progress)
    }
}
