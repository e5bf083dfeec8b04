//! Bare replay: the schedules of a search, run again through the same front end without any analysis.
//!
//! A process loads one program, so that this is done by another process of this program.

use crate::process::{Limit, run};
use crate::workloads::Workload;
use c::driver::{Build, Compiler};
use c::{CProgram, Options};
use explore::{Report, Settings};
use model::{Choice, Program};
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use trace::{Execution, Sink};

/// Tells this program that it is the other process.
pub const FLAG: &str = "--bare-replay";

/// At most so many steps are kept: what is more is not measured.
const MOST_STEPS: usize = 50_000_000;

/// How often both are measured, in turn, so that what disturbs the machine disturbs both; the best of each counts.
const ROUNDS: usize = 3;

/// The time of the search over that of bare replay; nothing when it cannot be measured in time.
pub fn measure(workload: &Workload, scratch: &Path, limit: Limit) -> Option<f64> {
    let program = built(workload, scratch)?;
    let mut child = Command::new(std::env::current_exe().ok()?);
    child.arg(FLAG).arg(program).arg(workload.classes.to_string());
    let ran = run(child, limit).ok()?;
    ran.out.lines().find_map(|line| line.strip_prefix("RATIO "))?.parse().ok()
}

fn built(workload: &Workload, scratch: &Path) -> Option<std::path::PathBuf> {
    let mut build = Build::new(vec![workload.source.clone()], Compiler::find().ok()?);
    build.flags.clone_from(&workload.flags);
    let output = scratch.join("program.so");
    build.run(&output, scratch).ok()?;
    Some(output)
}

/// The other process: measures the program at a path, which has so many classes.
pub fn child(program: &str, classes: &str) -> ExitCode {
    let mut options = Options::default();
    options.arguments = vec![program.to_owned()];
    match CProgram::load(Path::new(program), options)
        .map_err(|error| error.to_string())
        .and_then(|p| ratio(&p, classes))
    {
        Ok(ratio) => {
            println!("RATIO {ratio}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn ratio(program: &CProgram, classes: &str) -> Result<f64, String> {
    let mut schedules = Schedules::default();
    let report = search(program, &mut schedules)?;
    if !report.exhaustive || report.tally.executions().to_string() != classes {
        return Err("the search was not complete".to_owned());
    }
    let (mut search_time, mut bare_time) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        search_time = search_time.min(search(program, &mut ())?.elapsed);
        bare_time = bare_time.min(schedules.replay(program));
    }
    Ok(search_time.as_secs_f64() / bare_time.as_secs_f64().max(1e-9))
}

/// Searches, and again as long as a search shows that more memory is shared than was believed.
fn search<S: Sink + Restart>(program: &CProgram, sink: &mut S) -> Result<Report, String> {
    let settings = Settings { keep_going: true, ..Settings::default() };
    let pop = explore::algorithm("pop").expect("it is one of the algorithms");
    loop {
        program.begin_search();
        sink.restart();
        let result = explore::check_with(program, &mut *(pop.make)(), &settings, sink);
        if !program.is_refined() {
            return result.map_err(|error| error.to_string());
        }
    }
}

/// A sink that can forget what it was told.
trait Restart {
    fn restart(&mut self) {}
}

impl Restart for () {}

/// The schedules of a search, one after the other.
#[derive(Default)]
struct Schedules {
    choices: Vec<Choice>,
    lengths: Vec<usize>,
}

impl Restart for Schedules {
    fn restart(&mut self) {
        *self = Schedules::default();
    }
}

impl Sink for Schedules {
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        self.choices.extend(execution.trace.events().iter().map(|event| event.choice));
        self.lengths.push(execution.trace.len());
        if self.choices.len() > MOST_STEPS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Schedules {
    fn replay(&self, program: &CProgram) -> Duration {
        let mut run = program.start();
        let mut choices = self.choices.iter();
        let started = Instant::now();
        for &length in &self.lengths {
            run.restart();
            for &choice in choices.by_ref().take(length) {
                black_box(run.step(choice));
            }
        }
        started.elapsed()
    }
}
