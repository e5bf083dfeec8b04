//! One measurement: exploring, against bare replay of the same executions.

use super::workloads::Workload;
use crate::problem::Problem;
use explore::{AlgorithmInfo, Limits, Settings, check, check_with};
use litmus::library;
use model::{Choice, Program};
use serde::Serialize;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use trace::{Execution, Sink};

/// At most so much is recorded: both measurements then cover the first part of the search only.
const MAX_EXECUTIONS: usize = 300_000;
const MAX_STEPS: usize = 50_000_000;

/// What was measured of one workload.
#[derive(Serialize)]
pub(crate) struct Measurement {
    pub(crate) workload: String,
    pub(crate) algorithm: &'static str,
    pub(crate) executions: u64,
    /// Steps of all executions, each counted from the start of the program.
    pub(crate) steps: u64,
    /// Whether that is the whole search.
    pub(crate) complete: bool,
    /// Time to explore them.
    pub(crate) seconds: f64,
    /// Time to run them without analysis.
    pub(crate) bare_seconds: f64,
    pub(crate) executions_per_second: f64,
    pub(crate) nanoseconds_per_step: f64,
    pub(crate) bare_nanoseconds_per_step: f64,
    pub(crate) ratio_to_bare: f64,
}

/// Measures all algorithms and bare replay alternately, so that what disturbs the machine disturbs all, and takes the best
/// of each.
pub(crate) fn measure(
    workload: &Workload,
    algorithms: &[&'static AlgorithmInfo],
    rounds: u32,
) -> Result<Vec<Measurement>, Problem> {
    let entry = library::find(workload.program)
        .ok_or_else(|| Problem::Input(format!("the library has no program '{}'", workload.program)))?;
    let program = entry.build(workload.arguments).map_err(Problem::input)?;
    let mut candidates =
        algorithms.iter().map(|info| Candidate::new(&program, info)).collect::<Result<Vec<_>, Problem>>()?;
    for _ in 0..rounds {
        for candidate in &mut candidates {
            candidate.run(&program)?;
        }
    }
    Ok(candidates.iter().map(|candidate| candidate.measurement(workload)).collect())
}

/// An algorithm that is measured.
struct Candidate {
    info: &'static AlgorithmInfo,
    recording: Recording,
    settings: Settings,
    best: Duration,
    best_bare: Duration,
}

impl Candidate {
    fn new(program: &dyn Program, info: &'static AlgorithmInfo) -> Result<Self, Problem> {
        let recording = Recording::of(program, info)?;
        let mut settings = keep_going();
        if !recording.complete {
            settings.limits.executions = Some(recording.lengths.len() as u64);
        }
        Ok(Candidate { info, recording, settings, best: Duration::MAX, best_bare: Duration::MAX })
    }

    fn run(&mut self, program: &dyn Program) -> Result<(), Problem> {
        self.best = self.best.min(check(program, &mut *(self.info.make)(), &self.settings)?.elapsed);
        self.best_bare = self.best_bare.min(self.recording.replay(program));
        Ok(())
    }

    fn measurement(&self, workload: &Workload) -> Measurement {
        let executions = self.recording.lengths.len() as u64;
        let steps = self.recording.choices.len().max(1) as f64;
        let (seconds, bare_seconds) = (self.best.as_secs_f64().max(1e-9), self.best_bare.as_secs_f64().max(1e-9));
        Measurement {
            workload: workload.title(),
            algorithm: self.info.name,
            executions,
            steps: self.recording.choices.len() as u64,
            complete: self.recording.complete,
            seconds,
            bare_seconds,
            executions_per_second: executions as f64 / seconds,
            nanoseconds_per_step: seconds * 1e9 / steps,
            bare_nanoseconds_per_step: bare_seconds * 1e9 / steps,
            ratio_to_bare: seconds / bare_seconds,
        }
    }
}

fn keep_going() -> Settings {
    Settings { limits: Limits::default(), keep_going: true, ..Settings::default() }
}

/// The schedules of all executions of a search, one after the other.
#[derive(Default)]
struct Recording {
    choices: Vec<Choice>,
    lengths: Vec<u32>,
    complete: bool,
}

impl Recording {
    fn of(program: &dyn Program, info: &AlgorithmInfo) -> Result<Self, Problem> {
        let mut recording = Recording::default();
        let report = check_with(program, &mut *(info.make)(), &keep_going(), &mut recording)?;
        recording.complete = report.exhaustive;
        Ok(recording)
    }

    /// Runs all of it, and says how long that took.
    fn replay(&self, program: &dyn Program) -> Duration {
        let mut run = program.start();
        let mut choices = self.choices.iter();
        let started = Instant::now();
        for &length in &self.lengths {
            run.restart();
            for &choice in choices.by_ref().take(length as usize) {
                black_box(run.step(choice));
            }
        }
        started.elapsed()
    }
}

impl Sink for Recording {
    fn begin(&mut self) {
        self.choices.clear();
        self.lengths.clear();
    }

    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        self.choices.extend(execution.trace.events().iter().map(|event| event.choice));
        self.lengths.push(execution.trace.len() as u32);
        if self.lengths.len() >= MAX_EXECUTIONS || self.choices.len() >= MAX_STEPS {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
