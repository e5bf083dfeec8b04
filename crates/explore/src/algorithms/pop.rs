//! POP: parsimonious-optimal DPOR (Abdulla, Atig, Das, Jonsson, Sagonas, CAV 2024, Algorithms 1 and 2; restated with
//! errata and extensions in docs/algorithms/pop.md).
//!
//! Optimal as `optimal` is, without wakeup trees: an execution is explored by reversing one race of another execution, by
//! a *parsimonious* choice of races that never leads to the same class twice, up to compatible heads, which sleep
//! expressions keep apart. A search is a stack of tasks that share nothing, so that any worker can take any of them.
//!
//! | paper | here |
//! |---|---|
//! | `Explore(E1.σ)`, line 12 | a [`Task`], explored by [`Tasks::run`] |
//! | line 13 to 15 | [`Pop::grow`] |
//! | `e ≲E e'` (Definitions 6, 7), line 4 | [`Pop::is_parsimonious`], [`Pop::keeps_schedules`] |
//! | `σ = e'↓E2`, line 6 | [`Reversal::keep_causes`] |
//! | `UpdSeq(σ, SSChar[E1]) = block`, line 7 | [`SleepExpressions::block`] |
//! | `MkSchedChar(σ,E1,e,E2)`, line 10 | [`SleepExpressions::add`] |
//!
//! Departures:
//! - Races are looked for at the end of an execution, not after each step: `SSChar` depends only on the race that started
//!   an execution, so the order is free, and no execution is run twice. Only races whose second event is not older than
//!   the head of the execution's own schedule are its own; the others belong to the execution it was made from.
//! - Which of two compatible heads sleeps in the other's branch is decided by the order of their threads, not by patterns
//!   of the execution that one was found in: see `trace::sleep_expression` and docs/algorithms/pop.md.
//! - A step with alternatives: the others are singleton schedules of their own.
//! - Operations that the paper does not have, some of which can block an execution by what sleeps; its races are
//!   reversed all the same. See docs/algorithms/pop.md.

mod seen;

use crate::explorer::{Explorer, Stop};
use crate::workers::task::{Execution, Explored, Schedule, Task, Tasks};
use crate::{Algorithm, Error, workers};
use model::{Choice, Pending};
use std::sync::Arc;
use trace::{EventId, PendingRaces, Race, Reversal, SleepExpressions, Trace, Without};

/// See the head of this file.
#[derive(Default)]
pub(crate) struct Pop {
    /// E.
    execution: Execution,
    /// `SSChar` of every prefix of E.
    asleep: SleepExpressions,
    /// The tasks that the execution at hand gives rise to.
    found: Vec<Task>,
    v: Reversal,
    clock: Vec<u32>,
    without: Without,
    /// The share of the search that this worker has done.
    done: f64,
}

impl Algorithm for Pop {
    fn forget(&mut self) {}

    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        workers::explore(e, &|| Box::new(Pop::default()))
    }

    fn commits(&self) -> bool {
        true
    }

    fn has_checkpoints(&self) -> bool {
        true
    }
}

impl Tasks for Pop {
    fn run(&mut self, e: &mut Explorer<'_>, task: &Task) -> Result<Explored<'_>, Stop> {
        self.begin(e, task)?;
        let counted =
            if self.grow(e)? { e.finish(|| Some(self.done)) } else { e.sleep_set_blocked(|| Some(self.done)) };
        self.reverse_races(e, task);
        // The latest is taken first, and most of E can stay when it has the longest prefix.
        self.found.sort_by_key(|task| task.prefix);
        self.done += share_out(&mut self.found, task.share);
        Ok(Explored { tasks: self.found.drain(..), stop: counted.err() })
    }
}

/// Gives tasks, which are in the order of their prefixes, parts of the share of the execution that they come from, and says what is
/// left to that. Where executions part, all ways on are taken for equally large.
fn share_out(tasks: &mut [Task], share: f64) -> f64 {
    let mut left = share;
    for of_prefix in tasks.chunk_by_mut(|one, other| one.prefix == other.prefix) {
        left /= (of_prefix.len() + 1) as f64;
        of_prefix.iter_mut().for_each(|task| task.share = left);
    }
    left
}

impl Pop {
    /// E becomes `E1.σ`, from the longest prefix on that it has already.
    fn begin(&mut self, e: &mut Explorer<'_>, task: &Task) -> Result<(), Stop> {
        let common = task.in_common_with(&self.execution);
        e.cut(common);
        self.execution.cut(common);
        self.asleep.cut(common);
        let mut schedules = task.schedules().skip(self.execution.schedules.len()).peekable();
        for (place, choice) in task.choices().enumerate().skip(common) {
            self.take(e, choice)?;
            if place + 1 == task.prefix && self.execution.seen[place] != task.seen {
                return Err(Stop::Error(Error::DivergedInPrefix { steps: task.prefix }));
            }
            if let Some(schedule) = schedules.next_if(|schedule| schedule.head as usize == place) {
                self.execution.schedules.push(schedule);
                if let Some(over) = schedule.over {
                    self.asleep.add(e.trace(), over);
                }
            }
        }
        Ok(())
    }

    /// E grows by a step.
    #[inline]
    fn take(&mut self, e: &mut Explorer<'_>, choice: Choice) -> Result<(), Stop> {
        let last = self.execution.seen.last().copied().unwrap_or(0);
        self.execution.seen.push(seen::seen(last, e.step(choice)?));
        self.asleep.grow(e.trace());
        self.execution.choices.push(choice);
        Ok(())
    }

    /// E grows until it is maximal, by steps that complete no sleeping schedule. False if only such are left.
    fn grow(&mut self, e: &mut Explorer<'_>) -> Result<bool, Stop> {
        loop {
            let next = if self.asleep.are_empty() { e.first_enabled(|_, _| true)? } else { self.first_awake(e)? };
            let Some(p) = next else { break };
            self.take(e, p.choice())?;
        }
        Ok(self.asleep.are_empty() || e.first_enabled(|_, _| true)?.is_none())
    }

    /// "some e ∈ enabled(E) with UpdSeq(⟨e⟩, SSChar[E]) ≠ block"
    fn first_awake(&mut self, e: &mut Explorer<'_>) -> Result<Option<Pending>, Stop> {
        let (asleep, clock) = (&self.asleep, &mut self.clock);
        e.first_enabled(|trace, p| {
            !asleep.are_about(p.thread, p.op.object) || {
                let next = trace.preview(p, clock);
                !asleep.block(trace, trace.len(), std::iter::once(next))
            }
        })
    }

    /// One task for every parsimonious race of the execution E, and for every other alternative of its steps.
    fn reverse_races(&mut self, e: &Explorer<'_>, task: &Task) {
        let trace = e.trace();
        let own = trace.races().partition_point(|race| race.second.is_some_and(|s| (s as usize) < task.own_from));
        for race in &trace.races()[own..] {
            if self.is_parsimonious(trace, race) && task.owns(race) && !self.asleep.block_head(trace, race) {
                self.v.of(trace, race);
                if self.reverse(trace, race) {
                    e.note_reversal(race);
                }
            }
        }
        for pending in e.waiting().iter().filter(|pending| pending.may_block() && !pending.enabled) {
            let races: PendingRaces = trace.races_of_pending(pending);
            for race in races.all() {
                if !race.is_repeated && self.is_free(race.first) {
                    self.v.of_pending(trace, &races, race);
                    if self.reverse(trace, race) {
                        e.note_reversal(race);
                    }
                }
            }
        }
        if e.has_siblings() {
            self.take_siblings(e);
        }
        self.take_other_alternatives(trace, task.own_from);
    }

    /// What could have been taken in place of the events of E that are in no schedule.
    fn take_siblings(&mut self, e: &Explorer<'_>) {
        let trace = e.trace();
        if !trace.has_siblings() {
            return;
        }
        let mut without = std::mem::take(&mut self.without);
        without.each_race(trace, |sibling| {
            let race = &sibling.race;
            if self.is_free(race.first) {
                self.v.of_sibling(trace, sibling);
                self.reverse(trace, race);
            }
        });
        self.without = without;
    }

    fn is_free(&self, event: EventId) -> bool {
        self.execution.schedule_of(event).is_none()
    }

    /// What can be told of a race before its schedule is known: e is in no schedule, e' is in none or a head, and no
    /// head comes between that does not happen before e'.
    #[inline]
    fn is_parsimonious(&self, trace: &Trace, race: &Race) -> bool {
        let Some(second) = race.second else { return false };
        !race.is_repeated
            && self.is_free(race.first)
            && self.execution.schedule_of(second).is_none_or(|schedule| schedule.head == second)
            && self
                .schedules_between(race)
                .iter()
                .all(|schedule| schedule.head == second || trace.happens_before(schedule.head, second))
    }

    /// The schedules after e, up to e'.
    fn schedules_between(&self, race: &Race) -> &[Schedule] {
        self.execution.schedules_between(race.first, race.second.unwrap_or(EventId::MAX))
    }

    /// The tasks of a race, one for each alternative of its second event. `self.v` is its reversal. Says whether there is one.
    fn reverse(&mut self, trace: &Trace, race: &Race) -> bool {
        self.v.keep_causes(trace, race);
        let before = self.found.len();
        if !self.keeps_schedules(trace, race) {
            return false;
        }
        for alternative in 0..race.alternatives {
            self.v.choose(alternative);
            let prefix = race.first as usize;
            if !self.asleep.block(trace, prefix, self.v.schedule(trace)) {
                let schedule: Vec<Choice> = self.v.choices(trace).collect();
                // The races of the head are the same whichever alternative it takes.
                let own_from = prefix + schedule.len() - usize::from(alternative == 0);
                let over = Some(trace.event(race.first).footprint.mode);
                self.found.push(Task {
                    schedule,
                    over,
                    own_from,
                    not_before: trace.forgetting(race),
                    ..self.task(prefix)
                });
            }
        }
        self.found.len() > before
    }

    /// Whether the schedules between e and e' are in σ: the heads of all, and of what is in them everything that e' would
    /// otherwise come before.
    fn keeps_schedules(&self, trace: &Trace, race: &Race) -> bool {
        let keeps = |id: EventId| self.v.contains(id);
        self.schedules_between(race).iter().all(|&Schedule { start, head, .. }| {
            keeps(head) && (start..head).all(|id| keeps(id) || !race.touches_same(trace, id))
        })
    }

    /// The other alternatives of the steps that E took freely.
    fn take_other_alternatives(&mut self, trace: &Trace, from: usize) {
        for prefix in from..trace.len() {
            let event = &trace.events()[prefix];
            let others = 1..event.alternatives();
            if others.is_empty() || !self.is_free(prefix as EventId) {
                continue;
            }
            for alternative in others {
                let schedule = vec![event.choice.by(alternative)];
                self.found.push(Task { schedule, own_from: prefix + 1, ..self.task(prefix) });
            }
        }
    }

    /// A task with a prefix of E. Its share is known when all tasks are.
    fn task(&self, prefix: usize) -> Task {
        let parent = match self.found.first() {
            Some(task) => Arc::clone(&task.parent),
            None => Arc::new(self.execution.clone()),
        };
        let seen = prefix.checked_sub(1).map_or(0, |last| self.execution.seen[last]);
        Task { parent, prefix, seen, ..Task::whole() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_executions_part_all_ways_on_have_the_same_share() {
        let mut tasks = [1, 1, 3].map(|prefix| Task { prefix, ..Task::whole() });
        let left = share_out(&mut tasks, 0.6);
        let expected = [0.2, 0.2, 0.1, 0.1];
        let shares = tasks.iter().map(|task| task.share).chain([left]);
        assert!(shares.zip(expected).all(|(share, expected)| (share - expected).abs() < 1e-12), "{tasks:?} {left}");
    }
}
