//! Arbitrary programs have the same classes in C as in litmus.
//!
//! An ordinary test tries [`PROGRAMS`] of them; a campaign sets `MAZURKA_C_PROGRAMS` to how many it wants, and `MAZURKA_C_SEED`
//! to the seed of the first.

use crate::checking::{command, compilers, finish};
use crate::parallel;
use crate::verdicts::{counts_of, same};
use crate::workers::AT_ONCE;
use explore::Settings;
use litmus::arbitrary::{Generator, Profile};
use litmus::{LitmusProgram, Sketch, c_source};
use model::{FailureKind, OpKind, Outcome};
use report::summary::Counts;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use trace::{Execution, Sink};

/// How many programs an ordinary test tries.
const PROGRAMS: usize = 500;

/// Programs of one source. Compiling takes longer than checking one of them.
const BATCH: usize = 50;

/// Programs of more classes than this are left out.
const MOST_CLASSES: u64 = 2000;

/// How many smaller programs are tried to shrink one that goes wrong: each has to be compiled.
const MOST_SMALLER: u32 = 60;

/// A program that means the same in both.
struct Trial {
    seed: u64,
    profile: Profile,
    sketch: Sketch,
    counts: Counts,
}

/// Whether some execution does what POSIX leaves undefined.
#[derive(Default)]
struct Undefined(bool);

impl Sink for Undefined {
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        let misused = execution.failures.iter().any(|(_, failure)| failure.kind == FailureKind::Misuse);
        if misused || waits_for_itself(execution) {
            self.0 = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// Whether a thread waits for a lock that it holds.
fn waits_for_itself(execution: &Execution<'_>) -> bool {
    use OpKind::*;
    execution.waiting.iter().any(|waiting| {
        let own = execution.trace.events().iter().filter(|event| {
            event.thread() == waiting.thread
                && event.op.object == waiting.op.object
                && event.outcome != Outcome::Refused
        });
        let held = own.fold(0, |held, event| match event.op.kind {
            Lock | TryLock | ReadLock | TryReadLock | WriteLock | TryWriteLock | Relock { .. } => held + 1,
            Unlock | ReadUnlock | WriteUnlock => held - 1,
            _ => held,
        });
        held > 0 && matches!(waiting.op.kind, Lock | Section | ReadLock | WriteLock)
    })
}

/// The trial of a sketch, unless it is too large, undefined in C, or about mailboxes, which C has not.
fn trial(seed: u64, profile: Profile, sketch: &Sketch) -> Option<Trial> {
    let sketch = c_source::portable(sketch);
    c_source::print(std::slice::from_ref(&sketch)).ok()?;
    let program = LitmusProgram::new(sketch.clone()).expect("portable programs are programs");
    let mut settings = Settings { keep_going: true, ..Settings::default() };
    settings.limits.executions = Some(MOST_CLASSES);
    let optimal = explore::algorithm("optimal").expect("it is one of the algorithms");
    let mut undefined = Undefined::default();
    let report = explore::check_with(&program, &mut *(optimal.make)(), &settings, &mut undefined);
    let small = report.is_ok_and(|report| report.exhaustive);
    (small && !undefined.0).then(|| Trial { seed, profile, counts: counts_of(&program), sketch })
}

pub(crate) fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

fn trials() -> Vec<Trial> {
    let generators = Profile::PORTABLE.map(|profile| (Generator::new(profile), profile));
    let seeds = setting("MAZURKA_C_SEED", 0)..;
    let made = seeds.filter_map(|seed| {
        let (generator, profile) = &generators[(seed % generators.len() as u64) as usize];
        trial(seed, *profile, &generator.sample(seed))
    });
    made.take(setting("MAZURKA_C_PROGRAMS", PROGRAMS as u64) as usize).collect()
}

/// A folder that is removed in the end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let nth = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("arbitrary-{}-{nth}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for sources can be made");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is left behind in a folder for such files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Builds one program of many, and says what each of them counts.
struct Built {
    _scratch: Scratch,
    binary: PathBuf,
    compiler: &'static str,
}

impl Built {
    fn new(sketches: &[Sketch], compiler: &'static str) -> Result<Self, String> {
        let scratch = Scratch::new();
        let (source, binary) = (scratch.0.join("programs.c"), scratch.0.join("programs"));
        let text = c_source::print(sketches).map_err(|error| error.to_string())?;
        fs::write(&source, text).map_err(|error| error.to_string())?;
        let mut build = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        build.arg("cc").env("MAZURKA_CC", compiler).arg(&source).arg("-o").arg(&binary);
        let answer = finish(build)?;
        match answer.status {
            0 => Ok(Built { _scratch: scratch, binary, compiler }),
            _ => Err(format!("{compiler} cannot build it: {}", answer.told())),
        }
    }

    /// Checks one of them; every second one by several processes.
    fn check(&self, number: usize, litmus: &Counts) -> Result<(), String> {
        let mut check = command(self.compiler, &["--json", "--keep-going"]);
        if number % 2 == 1 {
            check.args(["--workers", "2"]).args(AT_ONCE);
        }
        check.arg(&self.binary).arg(number.to_string());
        let answer = finish(check)?;
        match &answer.summary {
            Some(summary) if answer.status < 2 => same(litmus, &summary.counts),
            _ => Err(answer.told()),
        }
    }
}

/// The smallest program that goes wrong in the same way, as far as shrinking finds it.
fn shrunk(trial: &Trial, compiler: &'static str) -> String {
    let mut problem = String::new();
    let mut tried = 0;
    let smallest = Generator::new(trial.profile).shrink(trial.seed, |sketch| {
        tried += 1;
        if tried > MOST_SMALLER {
            return false;
        }
        let Some(smaller) = self::trial(trial.seed, trial.profile, sketch) else { return false };
        let built = Built::new(std::slice::from_ref(&smaller.sketch), compiler);
        match built.and_then(|built| built.check(0, &smaller.counts)) {
            Ok(()) => false,
            Err(new) => {
                problem = new;
                true
            }
        }
    });
    match smallest {
        Some(sketch) => format!("{}\n{problem}", c_source::portable(&sketch)),
        None => "does not go wrong on its own".to_owned(),
    }
}

#[test]
fn arbitrary_programs_have_the_same_classes_in_c() {
    let trials = trials();
    let mut batches = Vec::new();
    for (i, &compiler) in compilers().iter().enumerate() {
        // Each further compiler gets a fifth of them.
        let share = if i == 0 { trials.len() } else { trials.len().div_ceil(5) };
        batches.extend(trials[..share].chunks(BATCH).map(|batch| (batch, compiler)));
    }
    parallel::all(&batches, |&(batch, compiler)| {
        let sketches: Vec<Sketch> = batch.iter().map(|trial| trial.sketch.clone()).collect();
        let built = Built::new(&sketches, compiler)?;
        for (number, trial) in batch.iter().enumerate() {
            if let Err(problem) = built.check(number, &trial.counts) {
                let smallest = shrunk(trial, compiler);
                return Err(format!("seed {} by {compiler}: {problem}\nshrunk:\n{smallest}", trial.seed));
            }
        }
        Ok(())
    });
}
