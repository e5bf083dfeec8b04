//! Simpler executions for the same bug: with fewer switches from thread to thread, fewer steps, fewer threads.
//!
//! The steps up to the bug are cut into *turns*, each of one thread. Over and over, a turn is left out, shortened or
//! joined with the thread's next one, and the program is run by what is left: steps that are not enabled then are passed over, and
//! the end is run with as few switches as can be. If the same bug shows and the execution is simpler, it takes the place
//! of the one before.

use crate::explorer::{Explorer, Stop};
use crate::{Algorithm, Bounds, Finding, Settings};
use model::{Choice, FailureKind, Program, ThreadId};
use trace::{Ending, Trace};

/// At most so many executions are tried, and so many steps run.
const MAX_TRIES: usize = 400;
const MAX_STEPS: usize = 1_000_000;

/// Replaces the execution of a finding by the simplest that is found.
pub(crate) fn shrink(program: &dyn Program, finding: &mut Finding, settings: &Settings) {
    // Each try would have to wait until a thread is said to hang.
    if finding.failures.iter().any(|(_, failure)| failure.kind == FailureKind::Hang) {
        return;
    }
    let settings =
        Settings { keep_going: true, bounds: Bounds::default(), checkpoints: None, shrink: false, ..settings.clone() };
    let mut tries = MAX_TRIES.min(MAX_STEPS / finding.trace.len().max(1));
    while let Some(simpler) = simpler(program, finding, &settings, &mut tries) {
        *finding = simpler;
    }
}

/// A simpler execution with the same bug, as long as there are tries left.
fn simpler(program: &dyn Program, finding: &Finding, settings: &Settings, tries: &mut usize) -> Option<Finding> {
    let turns = turns(finding);
    let cost = cost(finding);
    candidates(&turns).find_map(|script| {
        *tries = tries.checked_sub(1)?;
        let mut settings = settings.clone();
        settings.limits.executions = None;
        settings.limits.time = None;
        let report = crate::search::check::search(program, &mut Script(script), &settings, &mut (), None).ok()?;
        report.findings.into_iter().find(|found| is_same_bug(found, finding) && self::cost(found) < cost)
    })
}

/// A part of an execution that one thread runs.
type Turn = Vec<Choice>;

/// The turns up to the bug.
fn turns(finding: &Finding) -> Vec<Turn> {
    let choices = finding.trace.events()[..length(finding)].iter().map(|event| event.choice).collect::<Vec<_>>();
    choices.chunk_by(|a, b| a.thread == b.thread).map(<[Choice]>::to_vec).collect()
}

/// Steps up to the bug: the last step of the thread that fails, or all of a deadlock.
fn length(finding: &Finding) -> usize {
    let failed = finding.failures.first().and_then(|(thread, _)| finding.trace.last_of(*thread));
    failed.map_or(finding.trace.len(), |last| last as usize + 1)
}

/// Switches, steps and threads up to the bug; and then all steps.
fn cost(finding: &Finding) -> (usize, usize, usize, usize) {
    let turns = turns(finding);
    let mut threads: Vec<ThreadId> = turns.iter().map(|turn| turn[0].thread).collect();
    threads.sort_unstable();
    threads.dedup();
    (turns.len(), length(finding), threads.len(), finding.trace.len())
}

fn is_same_bug(found: &Finding, finding: &Finding) -> bool {
    let failure = |finding: &Finding| finding.failures.first().map(|(_, failure)| (failure.kind, failure.site));
    match finding.ending {
        Ending::Deadlocked => {
            let waits = |finding: &Finding| finding.waiting.iter().map(|p| (p.thread, p.op)).collect::<Vec<_>>();
            found.ending == Ending::Deadlocked && waits(found) == waits(finding)
        }
        _ => found.ending == finding.ending && failure(found) == failure(finding),
    }
}

/// What may be simpler, the boldest change first.
fn candidates(turns: &[Turn]) -> impl Iterator<Item = Vec<Choice>> + '_ {
    let without = (0..turns.len()).rev().map(|i| {
        let others = turns.iter().enumerate().filter(move |&(other, _)| other != i);
        others.flat_map(|(_, turn)| turn.iter().copied()).collect()
    });
    // The thread of a turn goes on, before the others have theirs.
    let joined = (0..turns.len()).rev().filter_map(|i| {
        let next = (i + 1..turns.len()).find(|&next| turns[next][0].thread == turns[i][0].thread)?;
        let order = (0..=i).chain([next]).chain(i + 1..next).chain(next + 1..turns.len());
        Some(order.flat_map(|place| turns[place].iter().copied()).collect())
    });
    let shorter = (0..turns.len()).rev().filter(|&i| turns[i].len() > 1).map(|i| {
        let kept = |place: usize| if place == i { turns[i].len() / 2 } else { turns[place].len() };
        (0..turns.len()).flat_map(|place| turns[place][..kept(place)].iter().copied()).collect()
    });
    without.chain(joined).chain(shorter)
}

/// Runs one execution: these steps as far as they are enabled, and then each thread as long as it can.
struct Script(Vec<Choice>);

impl Algorithm for Script {
    fn forget(&mut self) {}

    fn learns(&self) -> bool {
        false
    }

    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        for &choice in &self.0 {
            if e.trace().len() < e.settings().limits.steps
                && let Some(pending) = e.transition_of(choice)?.filter(|pending| pending.enabled)
            {
                let alternative = choice.alternative_of_transition().min(pending.alternatives - 1);
                e.step(pending.choice_of(alternative))?;
            }
        }
        loop {
            let last = e.trace().events().last().map(|event| event.thread());
            let goes_on = |_: &Trace, pending: &model::Pending| Some(pending.thread) == last;
            let next = match e.first_enabled(goes_on)? {
                Some(pending) => Some(pending),
                None => e.first_enabled(|_, _| true)?,
            };
            let Some(pending) = next else { break };
            e.step(pending.choice())?;
        }
        e.finish(|| None)
    }

    fn is_exhaustive(&self) -> bool {
        false
    }
}
