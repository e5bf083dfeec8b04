//! POP: parsimonious-optimal DPOR (Abdulla, Atig, Das, Jonsson, Sagonas, CAV 2024, Algorithms 1 and 2; restated with
//! errata and extensions in docs/algorithms/pop.md).
//!
//! Optimal as `optimal` is, without wakeup trees: an execution is explored by reversing one race of another execution, by
//! a *parsimonious* choice of races that never leads to the same class twice, up to compatible heads, which sleep
//! expressions keep apart. A search is a stack of tasks that share nothing.
//!
//! | paper | here |
//! |---|---|
//! | `Explore(E)`, line 13 to 15 | [`Pop::grow`] |
//! | `e ≲E e'` (Definitions 6, 7), line 4 | [`Pop::is_parsimonious`] |
//! | `σ = e'↓E2`, line 6 | [`Reversal::keep_causes`] |
//! | `UpdSeq(σ, SSChar[E1])`, line 7 and 8 | [`SleepExpressions::after`] |
//! | `MkSchedChar(σ,E1,e,E2)`, line 10 | [`SleepExpressions::of_schedule`] |
//! | `SSChar[E']` for every prefix E' | [`Pop::asleep`] |
//! | `Explore(E1.σ)`, line 12 | a [`Task`] |
//!
//! Departures:
//! - Races are looked for at the end of an execution, not after each step: `SSChar` depends only on the race that started
//!   an execution, so the order is free, and no execution is run twice. Only races whose second event is not older than
//!   the head of the execution's own schedule are its own; the others belong to the execution it was made from.
//! - Which of two compatible heads sleeps in the other's branch is decided by the order of their threads, not by patterns
//!   of the execution that one was found in: see `trace::sleep_expression` and docs/algorithms/pop.md.
//! - A step with alternatives: the others are singleton schedules of their own.
//! - Operations that the paper does not have: see docs/algorithms/pop.md. Those for which the laws do not hold yet are
//!   refused by name ([`refusal`]).

use crate::explorer::{Explorer, Stop};
use crate::{Algorithm, Error};
use model::{Choice, OpKind, Pending};
use std::rc::Rc;
use trace::{EventId, PendingRaces, Race, Reversal, SleepExpressions, Trace};

/// Whether a step belongs to a schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    /// To none.
    Free,
    /// To one, and it is not its last.
    Inside,
    /// It is the last of one.
    Head,
}

/// A step with all that the rest of the search needs to know of it.
#[derive(Clone, Debug)]
struct Step {
    choice: Choice,
    mark: Mark,
    /// Of a head: `SchedChar` of its schedule.
    character: SleepExpressions,
}

impl Step {
    fn new(choice: Choice, mark: Mark) -> Self {
        Step { choice, mark, character: SleepExpressions::default() }
    }

    fn is_same(&self, other: &Step) -> bool {
        self.choice == other.choice && self.mark == other.mark && self.character.is(&other.character)
    }
}

/// An execution to be explored: it starts with a prefix of an execution explored before, and a schedule.
struct Task {
    parent: Rc<Vec<Step>>,
    /// E1 is the first so many steps of the parent.
    prefix: usize,
    /// σ.
    schedule: Vec<Step>,
    /// Races whose second event comes earlier belong to the parent.
    own_from: usize,
    /// Its share of the whole search.
    share: f64,
}

/// See the head of this file.
#[derive(Default)]
pub(crate) struct Pop {
    tasks: Vec<Task>,
    /// The steps of E.
    steps: Vec<Step>,
    /// `SSChar` of every prefix of E, the empty one included.
    asleep: Vec<SleepExpressions>,
    /// The places of heads in E.
    heads: Vec<EventId>,
    v: Reversal,
    clock: Vec<u32>,
    done: f64,
}

impl Algorithm for Pop {
    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        self.asleep.push(SleepExpressions::default());
        self.tasks.push(Task { parent: Rc::default(), prefix: 0, schedule: Vec::new(), own_from: 0, share: 1.0 });
        while let Some(task) = self.tasks.pop() {
            self.begin(e, &task)?;
            if self.grow(e)? {
                e.finish(|| Some(self.done))?;
                self.reverse_races(e, &task);
            } else {
                self.done += task.share;
                e.sleep_set_blocked(|| Some(self.done))?;
            }
        }
        Ok(())
    }
}

impl Pop {
    /// E becomes `E1.σ`, from the longest prefix on that it has already.
    fn begin(&mut self, e: &mut Explorer<'_>, task: &Task) -> Result<(), Stop> {
        let wanted = || task.parent[..task.prefix].iter().chain(&task.schedule);
        let common = self.steps.iter().zip(wanted()).take_while(|(have, want)| have.is_same(want)).count();
        e.cut(common);
        self.steps.truncate(common);
        self.asleep.truncate(common + 1);
        self.heads.truncate(self.heads.partition_point(|&head| (head as usize) < common));
        for step in wanted().skip(common) {
            self.take(e, step.clone())?;
        }
        Ok(())
    }

    /// E grows by a step.
    fn take(&mut self, e: &mut Explorer<'_>, step: Step) -> Result<(), Stop> {
        let place = e.trace().len();
        let event = e.step(step.choice)?;
        if let Some(reason) = refusal(event.op.kind) {
            return Err(Stop::Error(Error::Unsupported { algorithm: "pop", operation: event.op.kind.name(), reason }));
        }
        let asleep = self.asleep[place].after(&e.trace().next(place as EventId));
        self.asleep.push(asleep.with(&step.character));
        if step.mark == Mark::Head {
            self.heads.push(place as EventId);
        }
        self.steps.push(step);
        Ok(())
    }

    /// E grows until it is maximal, by steps that complete no sleeping schedule. False if only such are left.
    fn grow(&mut self, e: &mut Explorer<'_>) -> Result<bool, Stop> {
        loop {
            let asleep = &self.asleep[self.asleep.len() - 1];
            let next = if asleep.is_empty() { e.first_enabled(|_| true)? } else { self.first_awake(e)? };
            let Some(p) = next else { break };
            let choice = Choice { thread: p.thread, alternative: 0 };
            self.take(e, Step::new(choice, Mark::Free))?;
        }
        Ok(self.asleep[self.asleep.len() - 1].is_empty() || e.first_enabled(|_| true)?.is_none())
    }

    /// "some e ∈ enabled(E) with UpdSeq(⟨e⟩, SSChar[E]) ≠ block"
    fn first_awake(&mut self, e: &mut Explorer<'_>) -> Result<Option<Pending>, Stop> {
        let mut enabled = Vec::new();
        e.enabled(&mut enabled)?;
        let asleep = &self.asleep[self.asleep.len() - 1];
        let clock = &mut self.clock;
        let is_awake = |p: &&Pending| {
            if !asleep.are_about(&e.trace().footprint_now(p)) {
                return true;
            }
            !asleep.block(&e.trace().preview(p, clock))
        };
        Ok(enabled.iter().find(is_awake).copied())
    }

    /// One task for every parsimonious race of the maximal execution E, and for every other alternative of its steps.
    fn reverse_races(&mut self, e: &Explorer<'_>, task: &Task) {
        let trace = e.trace();
        let first_new = self.tasks.len();
        let parent = Rc::new(std::mem::take(&mut self.steps));
        let own = trace.races().partition_point(|race| race.second.is_some_and(|s| (s as usize) < task.own_from));
        for race in &trace.races()[own..] {
            if self.is_parsimonious(trace, &parent, race) {
                self.v.of(trace, race);
                self.reverse(trace, &parent, race);
            }
        }
        for pending in e.waiting().iter().filter(|pending| pending.op.kind.may_block()) {
            let races: PendingRaces = trace.races_of_pending(pending);
            for race in races.all().iter().filter(|race| parent[race.first as usize].mark == Mark::Free) {
                self.v.of_pending(trace, &races, race);
                self.reverse(trace, &parent, race);
            }
        }
        self.take_other_alternatives(trace, &parent, task.own_from);
        self.steps.clone_from(&parent);
        let share = task.share / (self.tasks.len() - first_new + 1) as f64;
        self.done += share;
        for task in &mut self.tasks[first_new..] {
            task.share = share;
        }
    }

    /// What can be told of a race before its schedule is known: e is in no schedule, e' is in none or a head, and no
    /// head comes between that does not happen before e'.
    fn is_parsimonious(&self, trace: &Trace, steps: &[Step], race: &Race) -> bool {
        let Some(second) = race.second else { return false };
        steps[race.first as usize].mark == Mark::Free
            && steps[second as usize].mark != Mark::Inside
            && self.heads_between(race).iter().all(|&head| head == second || trace.happens_before(head, second))
    }

    /// The heads after e, up to e'.
    fn heads_between(&self, race: &Race) -> &[EventId] {
        let start = self.heads.partition_point(|&head| head <= race.first);
        let end = race.second.map_or(self.heads.len(), |second| self.heads.partition_point(|&head| head <= second));
        &self.heads[start..end]
    }

    /// The tasks of a race, one for each alternative of its second event. `self.v` is its reversal.
    fn reverse(&mut self, trace: &Trace, parent: &Rc<Vec<Step>>, race: &Race) {
        self.v.keep_causes(trace, race);
        if !self.keeps_schedules(trace, parent, race) {
            return;
        }
        for alternative in 0..race.alternatives {
            self.v.choose(alternative);
            if self.completes_sleeping(trace, race) {
                continue;
            }
            let prefix = race.first as usize;
            let schedule = self.schedule(trace, race);
            let own_from = prefix + schedule.len() - 1;
            self.tasks.push(Task { parent: Rc::clone(parent), prefix, schedule, own_from, share: 0.0 });
        }
    }

    /// Whether every schedule between e and e' is in σ: its head, and for an acquire all of it. An acquire may have been
    /// moved here with the help of a release that it does without before e: then it came there without that help too.
    fn keeps_schedules(&self, trace: &Trace, parent: &[Step], race: &Race) -> bool {
        let Some(&last) = self.heads_between(race).last() else { return true };
        let is_acquire = race.second.is_some_and(|second| trace.event(second).op.kind == OpKind::Acquire);
        (race.first + 1..=last).all(|id| match parent[id as usize].mark {
            Mark::Free => true,
            Mark::Inside => !is_acquire || self.v.contains(id),
            Mark::Head => self.v.contains(id),
        })
    }

    /// `UpdSeq(σ, SSChar[E1]) = block`
    fn completes_sleeping(&self, trace: &Trace, race: &Race) -> bool {
        let mut asleep = self.asleep[race.first as usize].clone();
        for next in self.v.schedule(trace) {
            if asleep.block(&next) {
                return true;
            }
            asleep = asleep.after(&next);
        }
        false
    }

    /// σ, its steps marked.
    fn schedule(&self, trace: &Trace, race: &Race) -> Vec<Step> {
        let mut steps: Vec<Step> = self.v.choices(trace).map(|choice| Step::new(choice, Mark::Inside)).collect();
        if let Some(head) = steps.last_mut() {
            head.mark = Mark::Head;
            if let Some(next) = self.v.head() {
                head.character = SleepExpressions::of_schedule(next.name, race.compatible(trace));
            }
        }
        steps
    }

    /// The other alternatives of the steps that E took freely.
    fn take_other_alternatives(&mut self, trace: &Trace, parent: &Rc<Vec<Step>>, from: usize) {
        for prefix in from..trace.len() {
            if parent[prefix].mark != Mark::Free {
                continue;
            }
            for alternative in 1..trace.events()[prefix].alternatives() {
                let choice = Choice { alternative, ..parent[prefix].choice };
                let schedule = vec![Step::new(choice, Mark::Head)];
                let parent = Rc::clone(parent);
                self.tasks.push(Task { parent, prefix, schedule, own_from: prefix + 1, share: 0.0 });
            }
        }
    }
}

/// Why an operation cannot be explored by POP, if it cannot.
fn refusal(kind: OpKind) -> Option<&'static str> {
    use OpKind::*;
    match kind {
        kind if kind.is_decided_by_state() => Some("what it touches depends on the state that it finds"),
        ReadLock | ReadUnlock | WriteLock | WriteUnlock => {
            Some("a write lock can be enabled by several sets of readers that go")
        }
        StopWaiting => Some("whether a wait has timed out depends on who else waits"),
        Add(_) => Some("an await can be enabled by several sets of additions"),
        _ => None,
    }
}
