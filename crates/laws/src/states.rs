//! The laws of searches of states: a plain search is the oracle, and where executions end, so are these.

use crate::cutoffs::reachable;
use crate::{Checked, Violation};
use explore::{LoopRules, SchedulingOrder, Settings, StateLimits, StateReport, algorithm, check_with, search_states};
use model::{FailureKind, Program};
use std::collections::HashSet;
use std::ops::ControlFlow;
use trace::{Ending, Execution, Sink};

fn wrong(problem: String) -> Box<Violation> {
    Box::new(Violation { algorithm: "states", order: SchedulingOrder::default(), problem })
}

fn searched(program: &dyn Program) -> Result<StateReport, Box<Violation>> {
    let limits = StateLimits { keep_going: true, ..StateLimits::default() };
    let report = search_states(program, &limits, &mut |_| {}).map_err(|error| wrong(error.to_string()))?;
    report.ok_or_else(|| wrong("states cannot be compared".to_owned()))
}

/// Searches the states of a program, which need not have an end. There must be as many as a plain search finds, and a deadlock or a
/// failure where there is one; every finding must be one when its schedule is followed. The oracle may see so many states.
pub fn check_states(program: &dyn Program, most: usize) -> Result<Checked, Box<Violation>> {
    let Some(oracle) = reachable(program, most, false) else { return Ok(Checked::TooLarge) };
    let report = searched(program)?;
    let classes = oracle.states.len();
    if report.counts.states != classes as u64 {
        return Err(wrong(format!("met {} states of {classes}", report.counts.states)));
    }
    let deadlock = report.counts.deadlocks > 0;
    let failure = kinds(&report).into_iter().any(|kind| kind != FailureKind::DataRace);
    if (deadlock, failure) != (oracle.deadlock, oracle.failure) {
        return Err(wrong("a deadlock or a failure was missed, or made up".to_owned()));
    }
    if (report.counts.errors > 0) == report.findings.is_empty() {
        return Err(wrong(format!("{} errors, and {} findings", report.counts.errors, report.findings.len())));
    }
    for finding in &report.findings {
        let mut settings = Settings::default();
        settings.limits.steps = finding.trace.len() + 1;
        let again = explore::replay(program, &finding.schedule, &settings, &mut ());
        let again = again.map_err(|error| wrong(error.to_string()))?;
        if !again.findings.iter().any(|other| other.ending == finding.ending) {
            return Err(wrong(format!("nothing is found by {}", finding.schedule)));
        }
    }
    Ok(Checked::Holds { classes })
}

fn kinds(report: &StateReport) -> HashSet<FailureKind> {
    report.findings.iter().flat_map(|finding| &finding.failures).map(|(_, failure)| failure.kind).collect()
}

/// What executions end in.
#[derive(Default)]
struct Endings {
    kinds: HashSet<FailureKind>,
    /// Those that come before all others in the execution of their class that was looked at.
    first: HashSet<FailureKind>,
    deadlock: bool,
}

impl Sink for Endings {
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        self.kinds.extend(execution.failures.iter().map(|(_, failure)| failure.kind));
        self.first.extend(execution.failures.first().map(|(_, failure)| failure.kind));
        self.deadlock |= execution.ending == Ending::Deadlocked;
        ControlFlow::Continue(())
    }
}

/// Searches the states of a program whose executions end: what is found must be what is found by its executions, of which there may be
/// so many.
pub fn check_states_by_executions(program: &dyn Program, most: u64) -> Result<Checked, Box<Violation>> {
    let mut settings = Settings { keep_going: true, loops: LoopRules::NONE, ..Settings::default() };
    settings.limits.executions = Some(most);
    let mut endings = Endings::default();
    let optimal = algorithm("optimal").expect("it is one of them");
    let executed = check_with(program, &mut *(optimal.make)(), &settings, &mut endings);
    let executed = executed.map_err(|error| wrong(error.to_string()))?;
    if !executed.exhaustive {
        return Ok(Checked::TooLarge);
    }
    let report = searched(program)?;
    let found = kinds(&report);
    if !endings.first.is_subset(&found) || !found.is_subset(&endings.kinds) {
        return Err(wrong(format!("finds {found:?}, and executions {:?}", endings.kinds)));
    }
    let deadlock = report.counts.deadlocks > 0;
    // An execution in which threads wait for ever and others race has failed.
    let is_hidden = endings.kinds.contains(&FailureKind::DataRace);
    if endings.deadlock && !deadlock || deadlock && !endings.deadlock && !is_hidden {
        return Err(wrong("a deadlock was missed, or made up".to_owned()));
    }
    Ok(Checked::Holds { classes: report.counts.states as usize })
}
