//! Which order made the difference: the last race of a bad execution whose reversal makes the bug go away.

use crate::explorer::{Explorer, Stop};
use crate::{Algorithm, Report};
use crate::{Bounds, Error, Finding, Settings};
use model::{Choice, Program};
use std::ops::ControlFlow;
use trace::{EventId, Execution, Race, Reversal, Sink, Trace};

/// At most so many races are tried, and so many steps run: a hint is not worth more.
const MAX_TRIES: usize = 64;
const MAX_STEPS: usize = 2_000_000;

/// The two steps of a finding whose order makes the difference, if reversing one race does.
pub(crate) fn find_pivot(program: &dyn Program, finding: &Finding, settings: &Settings) -> Option<(EventId, EventId)> {
    let tries = MAX_TRIES.min(MAX_STEPS / finding.trace.len().max(1));
    let races = finding.trace.races().iter().rev().take(tries);
    races
        .filter_map(|race| race.second.map(|second| (race, second)))
        .find(|(race, _)| !happens_reversed(program, finding, race, settings))
        .map(|(race, second)| (race.first, second))
}

/// Whether the bug is still there when the race is reversed and the rest of the execution stays as it was, as far as
/// it can.
fn happens_reversed(program: &dyn Program, finding: &Finding, race: &Race, settings: &Settings) -> bool {
    let mut reversed = Reversed { trace: &finding.trace, race };
    let mut recurrence = Recurrence { finding, seen: false };
    let settings = Settings { keep_going: true, bounds: Bounds::default(), checkpoints: None, ..settings.clone() };
    let result: Result<Report, Error> =
        crate::search::check::search(program, &mut reversed, &settings, &mut recurrence, None);
    result.is_err() || recurrence.seen
}

/// Runs one execution: the reversal of a race, then the steps of the old execution in their order, as they are enabled.
struct Reversed<'t> {
    trace: &'t Trace,
    race: &'t Race,
}

impl Algorithm for Reversed<'_> {
    fn forget(&mut self) {}

    fn learns(&self) -> bool {
        false
    }

    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        let mut v = Reversal::default();
        v.of(self.trace, self.race);
        let prefix = self.trace.events()[..self.race.first as usize].iter().map(|event| event.choice);
        for choice in prefix.chain(v.choices(self.trace)) {
            e.step(choice)?;
        }
        for event in &self.trace.events()[self.race.first as usize..] {
            let taken = e.trace().last_of(event.thread()).map_or(0, |last| e.trace().event(last).index);
            if taken < event.index {
                self.step_if_enabled(e, event.choice)?;
            }
        }
        while let Some(p) = e.first_enabled(|_, _| true)? {
            e.step(p.choice())?;
        }
        e.finish(|| None)
    }
}

impl Reversed<'_> {
    fn step_if_enabled(&self, e: &mut Explorer<'_>, choice: Choice) -> Result<(), Stop> {
        if let Some(p) = e.transition_of(choice)?.filter(|p| p.enabled) {
            e.step(p.choice_of(choice.alternative_of_transition().min(p.alternatives - 1)))?;
        }
        Ok(())
    }
}

/// Sees whether an execution shows the same bug.
struct Recurrence<'f> {
    finding: &'f Finding,
    seen: bool,
}

impl Sink for Recurrence<'_> {
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        self.seen |= self.finding.ending == execution.ending;
        ControlFlow::Continue(())
    }
}
