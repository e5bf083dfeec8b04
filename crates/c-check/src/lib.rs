//! Programs in C and C++, explored: what `mazurka check` does, for a Rust program to call.
//!
//! ```no_run
//! use c::driver::{Build, Compiler};
//! use c::{CProgram, Options};
//! use explore::{Settings, algorithm};
//!
//! let (built, scratch) = ("/tmp/queue.so".as_ref(), "/tmp".as_ref());
//! Build::new(vec!["queue.c".into()], Compiler::find()?).run(built, scratch)?;
//! let program = CProgram::load(built, Options::default())?;
//! let pop = algorithm("pop").expect("it is one of the algorithms");
//! let report = mazurka_c_check::check(&program, pop, &Settings::default(), &mut ())?;
//! assert!(report.exhaustive && report.findings.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The program runs in this process, of which it may be the only one, and what it does there to the memory of the search ends the process.
//! It calls back, so that whoever calls this must be linked with its symbols exported: `cargo:rustc-link-arg=-Wl,--export-dynamic` in
//! its `build.rs`.

mod crew;
mod error;
mod estimate;
mod models;
mod states;
mod uninitialised;

pub use crew::Crew;
pub use error::CheckError;
pub use estimate::{estimate, estimate_model};
pub use models::{check_model, check_model_until, stronger_orders};
pub use states::check_states;
pub use uninitialised::up_to_the_end_of;

use c::CProgram;
use explore::{AlgorithmInfo, Learner, Limit, Report, Settings, check_first, schedule_of, search_until_known};
use model::Program;
use std::ops::ControlFlow;
use std::time::Duration;
use trace::{Execution, Progress, Race, Sink, Trace};

/// So often a search is begun anew.
const MOST_SEARCHES: usize = 10_000;

/// Explores `program` by an algorithm, and again until no more memory is shared than was believed. What depends on memory that
/// was never initialised is a finding, too.
pub fn check(
    program: &CProgram,
    info: &AlgorithmInfo,
    settings: &Settings,
    sink: &mut dyn Sink,
) -> Result<Report, CheckError> {
    check_until(program, info, settings, sink, || false)
}

/// The same, which is over as soon as `is_told` says so: with a checkpoint, if the settings have one.
pub fn check_until(
    program: &CProgram,
    info: &AlgorithmInfo,
    settings: &Settings,
    sink: &mut dyn Sink,
    is_told: fn() -> bool,
) -> Result<Report, CheckError> {
    let crew = Crew::new(program).map_err(CheckError::NoMemory)?;
    let mut settings = settings.clone();
    let time = settings.limits.time;
    let learning = Learning { program, is_told };
    let learnt = search_until_known(&learning, time, MOST_SEARCHES, |left| {
        settings.limits.time = left;
        let mut watch = Watch { learning: &learning, sink: &mut *sink };
        let result = check_first(info, &program, &settings, &mut watch, Some(&crew));
        if let Some(checkpoints) = &mut settings.checkpoints {
            (checkpoints.resume, checkpoints.is_anew) = (None, true);
        }
        result
    })?;
    refused(program)?;
    let mut report = learnt.result?.of_all(learnt.is_whole, time);
    report.exhaustive &= program.not_a_proof_because().is_none();
    if report.findings.is_empty() {
        let looked = uninitialised::find(program)?;
        report.findings.extend(looked.finding);
        if !looked.is_whole {
            report.exhaustive = false;
            report.limit = report.limit.or(time.map(Limit::Time));
        }
    }
    Ok(report)
}

/// An error, if the program asked for what is not supported.
fn refused(program: &CProgram) -> Result<(), CheckError> {
    program.refusal().map_or(Ok(()), |refusal| Err(CheckError::Refused(refusal)))
}

/// What runs find out about a program in C.
struct Learning<'p> {
    program: &'p CProgram,
    is_told: fn() -> bool,
}

impl Learner for Learning<'_> {
    fn begin_search(&self, time: Option<Duration>) {
        self.program.begin_search();
        self.program.limit_time(time);
    }

    fn knows_more(&self) -> bool {
        self.program.is_refined()
    }

    fn gives_up(&self) -> bool {
        self.program.refusal().is_some() || (self.is_told)()
    }
}

/// Ends a search that was begun with a wrong belief about what is shared, or that is to end.
struct Watch<'w> {
    learning: &'w Learning<'w>,
    sink: &'w mut dyn Sink,
}

impl Watch<'_> {
    fn unless_over(&self, told: ControlFlow<()>) -> ControlFlow<()> {
        if self.learning.program.is_search_in_vain() { ControlFlow::Break(()) } else { told }
    }
}

impl Sink for Watch<'_> {
    fn begin(&mut self) {
        self.sink.begin();
    }

    fn anew(&mut self) {
        self.sink.anew();
    }

    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        let program = self.learning.program;
        program.note_uninitialised(|| schedule_of(execution.trace, program.names()).to_string());
        let told = match self.sink.wants_executions() {
            true => self.sink.execution(execution),
            false => ControlFlow::Continue(()),
        };
        self.unless_over(told)
    }

    fn aside(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        let told = self.sink.aside(execution);
        self.unless_over(told)
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        if (self.learning.is_told)() { ControlFlow::Break(()) } else { self.sink.progress(progress) }
    }

    fn wants_branches(&self) -> bool {
        self.sink.wants_branches()
    }

    fn given_up(&mut self, execution: &Execution<'_>) {
        self.sink.given_up(execution);
    }

    fn reversal(&mut self, trace: &Trace, race: &Race) {
        self.sink.reversal(trace, race);
    }
}
