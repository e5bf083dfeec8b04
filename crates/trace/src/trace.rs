//! E, the execution so far, with its happens-before relation and its races, kept up to date step by step.

use crate::clock::Clocks;
use crate::dependence::{Change, Footprint, Mode};
use crate::guard::Guards;
use crate::history::{Conflicts, Heads, NO_EVENT};
use crate::observe::Taker;
use crate::race::{Race, Races, Second};
use crate::siblings::Sibling;
use crate::sleep_expression::{Name, Next};
use crate::steps::Stage;
use model::{Cause, Choice, Guard, ObjectId, Op, OpKind, Outcome, State, Stepped, Steps, ThreadId, Touch};
use std::sync::Arc;

/// The place of an event in its trace, counted from 0. (`u32`: two thousand million steps are enough for one run.)
pub type EventId = u32;

/// One step of a thread, as it was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// Who took it, by which alternative.
    pub choice: Choice,
    /// The how-manyth step of its thread it is, counted from 1.
    pub index: u32,
    /// What was asked for.
    pub op: Op,
    /// What came of it.
    pub outcome: Outcome,
    /// The word of the operation's object before.
    pub before: State,
    /// The word of the operation's object after.
    pub after: State,
    /// What it touched.
    pub footprint: Footprint,
    /// What the search knew of it.
    pub guard: Guard,
    /// The events without which this one cannot be: see [`Event::causes`].
    pub(crate) causes: [EventId; 2],
    /// The heads of the touched object's history, as this event found them.
    pub(crate) found: Heads,
    /// How many races the trace had before this event's.
    races_before: u32,
}

impl Event {
    /// Who took the step.
    #[inline]
    pub fn thread(&self) -> ThreadId {
        self.choice.thread
    }

    /// Whether it is a load and the operation that commits it, in one.
    #[inline]
    pub fn is_merged(&self) -> bool {
        self.op.kind == OpKind::Read && self.before != self.after
    }

    /// How many alternatives its step had.
    #[inline]
    pub fn alternatives(&self) -> u32 {
        objects::alternatives(self.op.kind, self.before)
    }

    /// The events directly before this one whose order no schedule can reverse: the thread's previous step or the spawn
    /// that created it, and the step that made this one possible (end before join, notify before relock, last arrival
    /// before pass). Of a pass, the other arrivals of its meeting are causes too: [`Trace::meeting`].
    pub fn causes(&self) -> impl Iterator<Item = EventId> + use<> {
        self.causes.into_iter().filter(|&cause| cause != NO_EVENT)
    }
}

#[derive(Clone, Copy, Debug)]
struct ThreadHead {
    last: EventId,
    spawn: EventId,
    /// How many steps it took.
    steps: u32,
}

impl ThreadHead {
    const NONE: ThreadHead = ThreadHead { last: NO_EVENT, spawn: NO_EVENT, steps: 0 };

    /// The event without which the thread's next step cannot be.
    #[inline]
    fn cause(&self) -> EventId {
        if self.last == NO_EVENT { self.spawn } else { self.last }
    }
}

/// An execution with its happens-before relation.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    events: Vec<Event>,
    pub(crate) clocks: Clocks,
    heads: Vec<Heads>,
    threads: Vec<ThreadHead>,
    pub(crate) races: Races,
    /// In a trace with observers: for every event that sends a message, who receives it.
    pub(crate) takers: Vec<Option<Taker>>,
    /// Reused: the events that an operation on a mailbox conflicts with.
    pub(crate) on_mailbox: Vec<EventId>,
    pub(crate) guards: Guards,
    /// The words of objects that guards look at, as they are at the end of the trace.
    words: Vec<(ObjectId, State)>,
    pub(crate) has_lives: bool,
    pub(crate) siblings: Vec<Sibling>,
    /// Of a program that says itself what its steps mean.
    pub(crate) stage: Option<Box<Stage>>,
}

impl Trace {
    /// The empty execution.
    pub fn new() -> Self {
        Trace::default()
    }

    /// The same of a program whose objects are initialised, destroyed or freed.
    pub fn with_lives() -> Self {
        Trace { has_lives: true, ..Trace::default() }
    }

    /// The same of a program that says itself what its steps mean.
    pub fn of_steps(steps: Arc<dyn Steps>) -> Self {
        Trace { stage: Some(Box::new(Stage::new(steps))), ..Trace::default() }
    }

    /// An empty execution of the same program.
    #[must_use]
    pub fn new_like(&self) -> Self {
        let stage = self.stage.as_ref().map(|stage| Box::new(stage.anew()));
        let mut trace = Trace { has_lives: self.has_lives, stage, ..Trace::default() };
        trace.follow(&self.guards);
        trace
    }

    /// How many steps it has.
    #[inline]
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether no step was taken.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// All steps, in order.
    #[inline]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// One step.
    #[inline]
    pub fn event(&self, event: EventId) -> &Event {
        &self.events[event as usize]
    }

    /// The last step of `thread`, if it took one.
    #[inline]
    pub fn last_of(&self, thread: ThreadId) -> Option<EventId> {
        self.threads.get(thread.index()).map(|head| head.last).filter(|&event| event != NO_EVENT)
    }

    /// `e →E e'`, for different events.
    #[inline]
    pub fn happens_before(&self, e: EventId, later: EventId) -> bool {
        let event = &self.events[e as usize];
        e < later && self.clocks.at(later as usize, event.thread()) >= event.index
    }

    /// An event with its name and its clock.
    #[inline]
    pub fn next(&self, event: EventId) -> Next<'_> {
        let clock = self.clocks.row(event as usize);
        let event = self.event(event);
        Next { name: Name::of(event), footprint: event.footprint, clock }
    }

    /// The how-manyth step of its thread the second of a race is.
    pub(crate) fn steps_of(&self, race: &Race) -> u32 {
        match race.second {
            Some(second) => self.event(second).index,
            None => self.last_of(race.thread).map_or(0, |last| self.event(last).index) + 1,
        }
    }

    /// The races of E: all pairs `e ≲E e'`, in the order of their second events. A race's place in this slice stays the
    /// same as long as its second event stays in the trace.
    #[inline]
    pub fn races(&self) -> &[Race] {
        self.races.all()
    }

    /// The races whose second event is `event`.
    pub fn races_of(&self, event: EventId) -> &[Race] {
        let start = self.events[event as usize].races_before as usize;
        let end = self.events.get(event as usize + 1).map_or(self.races().len(), |next| next.races_before as usize);
        &self.races()[start..end]
    }

    /// The races whose second event is at this place or later.
    pub fn races_from(&self, place: usize) -> &[Race] {
        let start = self.events.get(place).map_or(self.races().len(), |event| event.races_before as usize);
        &self.races()[start..]
    }

    /// Events left out by a race's reversal, see [`Race`].
    pub(crate) fn dropped(&self, race: &Race) -> &[EventId] {
        self.races.dropped(race)
    }

    /// Adds a step at the end.
    #[inline]
    pub fn push(&mut self, choice: Choice, stepped: &Stepped) {
        self.push_guarded(choice, stepped, Guard::NONE);
    }

    /// Adds a step at the end of which the search knows this.
    #[inline]
    pub fn push_guarded(&mut self, choice: Choice, stepped: &Stepped, guard: Guard) {
        let change = Change::between(stepped.before, stepped.after);
        self.push_as(choice, stepped, Footprint::new(&stepped.op, stepped.outcome, change), guard);
    }

    /// Takes over what another table of guards has beyond the one here.
    #[inline]
    pub fn follow(&mut self, guards: &Guards) {
        self.guards.follow(guards);
    }

    /// The words, at the end of the trace, of the objects that guards look at: to be told before an event with a guard is
    /// added, or its races are asked for.
    #[inline]
    pub fn tell_words(&mut self, word: impl Fn(ObjectId) -> State) {
        self.words.clear();
        self.words.extend(self.guards.looked_at().iter().map(|&object| (object, word(object))));
    }

    /// The word that an object had before an event; one that no event touched has the word that it has at the end.
    pub(crate) fn word_before(&self, object: ObjectId, event: EventId) -> Option<State> {
        let mut first = None;
        for id in self.history(object) {
            if id < event {
                return Some(self.event(id).after);
            }
            first = Some(self.event(id).before);
        }
        first.or_else(|| self.words.iter().find(|(told, _)| *told == object).map(|&(_, word)| word))
    }

    /// Adds a step at the end that counts as touching this.
    pub(crate) fn push_as(&mut self, choice: Choice, stepped: &Stepped, footprint: Footprint, guard: Guard) {
        self.admit(choice.thread);
        let id = self.events.len() as EventId;
        let found = self.heads_of(footprint.object);
        let index = self.threads[choice.thread.index()].steps + 1;
        let causes = self.causes(choice.thread, &stepped.op);
        self.events.push(Event {
            choice,
            index,
            op: stepped.op,
            outcome: stepped.outcome,
            before: stepped.before,
            after: stepped.after,
            footprint,
            guard,
            causes,
            found,
            races_before: self.races.all().len() as u32,
        });
        self.push_clock(causes);
        if let OpKind::Pass { .. } = stepped.op.kind {
            self.join_meeting(&stepped.op);
        }
        self.clocks.set_last(choice.thread, index);
        if footprint.touches() {
            if let Mode::Step(touch) = footprint.mode {
                self.push_step(id, touch);
            } else if footprint.is_on_mailbox() {
                self.find_races_on_mailbox(id);
            } else if self.are_before_last_clock(found) {
                // Most steps touch what their thread had to itself.
            } else if stepped.op.kind.may_block() || guard != Guard::NONE || found.add != NO_EVENT {
                self.search_races(Conflicts::new(footprint, found), id);
            } else {
                self.find_races(Conflicts::new(footprint, found), id);
            }
            self.admit_object(footprint.object);
            self.heads[footprint.object.index()] = found.then(id, footprint.mode);
        }
        let head = &mut self.threads[choice.thread.index()];
        head.last = id;
        head.steps = index;
        if let Outcome::Spawned(child) = stepped.outcome {
            self.admit(child);
            self.threads[child.index()].spawn = id;
        }
    }

    /// Takes steps off the end until `len` are left.
    pub fn cut(&mut self, len: usize) {
        let Some(first) = self.events.get(len) else { return };
        self.races.truncate(first.races_before as usize);
        for event in self.events[len..].iter().rev() {
            if event.footprint.touches() {
                self.heads[event.footprint.object.index()] = event.found;
            }
            let head = &mut self.threads[event.thread().index()];
            head.last = if event.index == 1 { NO_EVENT } else { event.causes[0] };
            head.steps = event.index - 1;
            if let Outcome::Spawned(child) = event.outcome {
                self.threads[child.index()].spawn = NO_EVENT;
            }
        }
        self.events.truncate(len);
        self.clocks.truncate(len);
        if let Some(stage) = &mut self.stage {
            stage.cut(len);
        }
        while self.siblings.pop_if(|sibling| sibling.event as usize >= len).is_some() {}
    }

    /// The clock of the last event, as far as its causes decide it.
    #[inline]
    fn push_clock(&mut self, [own, other]: [EventId; 2]) {
        match own {
            NO_EVENT => self.clocks.push_zeros(),
            own => self.clocks.push_like(own as usize),
        }
        if other != NO_EVENT {
            self.clocks.join_last(other as usize);
        }
    }

    /// The races of an operation that is always enabled: with every conflicting event that does not happen before it by
    /// what was found already. Its clock grows by each.
    #[inline]
    fn find_races(&mut self, mut conflicts: Conflicts, id: EventId) {
        while let Some(e) = conflicts.next(&self.events) {
            if !self.is_before_last_clock(e) {
                let before = self.events[e as usize].before;
                self.races.add_pair(e, &Second::of(&self.events[id as usize], id), before);
                self.clocks.join_last(e as usize);
            }
            if conflicts.passed_write() {
                return;
            }
        }
    }

    /// The last event is a step that touches this.
    #[inline(never)]
    fn push_step(&mut self, id: EventId, touch: Touch) {
        let mut covered = Vec::new();
        self.clocks.copy_last(&mut covered);
        self.join_conflicts_of_last(touch);
        if self.stage.is_none() {
            return;
        }
        let mut races = std::mem::take(&mut self.races);
        let event = self.event(id);
        self.find_races_of_step(&mut races, Second::of(event, id), event.choice, &mut covered);
        self.races = races;
        let choice = self.event(id).choice;
        if let Some(stage) = &mut self.stage {
            stage.grow(choice, touch);
        }
    }

    /// How many steps each thread took.
    pub(crate) fn last_steps(&self) -> impl Iterator<Item = (ThreadId, u32)> + '_ {
        self.threads.iter().enumerate().map(|(thread, head)| (ThreadId(thread as u32), head.steps))
    }

    /// The same by the general search, for an operation that can block, or that adds have gone before: see `removal.rs`.
    /// Then its clock.
    fn search_races(&mut self, mut conflicts: Conflicts, id: EventId) {
        if self.has_race_with_write_alone(id) {
            return self.find_races(conflicts, id);
        }
        let mut races = std::mem::take(&mut self.races);
        races.find_of_last(self, conflicts.clone(), Second::of(self.event(id), id));
        self.races = races;
        while let Some(e) = conflicts.next(&self.events) {
            if !self.is_before_last_clock(e) {
                self.clocks.join_last(e as usize);
            }
            if conflicts.passed_write() {
                return;
            }
        }
    }

    /// Whether an operation that can block, of which the search knows nothing, comes after a write that touched its object last,
    /// and is enabled without it: then that is all there is to find.
    #[inline]
    fn has_race_with_write_alone(&self, id: EventId) -> bool {
        let Event { found, op, guard, .. } = &self.events[id as usize];
        found.any == found.write
            && *guard == Guard::NONE
            && objects::enabled(op.kind, self.events[found.write as usize].before)
    }

    /// Whether the last clock, which may be still growing, says that `e` happens before its event.
    #[inline]
    pub(crate) fn is_before_last_clock(&self, e: EventId) -> bool {
        let earlier = &self.events[e as usize];
        self.clocks.last(earlier.thread()) >= earlier.index
    }

    /// Whether the same is known of everything that touched an object: a write did so last, and of it.
    #[inline]
    fn are_before_last_clock(&self, heads: Heads) -> bool {
        heads.any == NO_EVENT || (heads.any == heads.write && self.is_before_last_clock(heads.any))
    }

    #[inline]
    pub(crate) fn heads_of(&self, object: ObjectId) -> Heads {
        self.heads.get(object.index()).copied().unwrap_or(Heads::NONE)
    }

    /// The events that touched `object`, latest first.
    pub fn history(&self, object: ObjectId) -> impl Iterator<Item = EventId> + '_ {
        self.history_from(self.heads_of(object).any)
    }

    /// The events that touched the object of `event` before it, latest first.
    pub(crate) fn history_before(&self, event: EventId) -> impl Iterator<Item = EventId> + '_ {
        self.history_from(self.event(event).found.any)
    }

    /// The events from `from` on and before `to` that conflict with a footprint.
    pub(crate) fn conflicts_between(
        &self,
        target: Footprint,
        from: EventId,
        to: EventId,
    ) -> impl Iterator<Item = EventId> + '_ {
        // Most often the event at `to` touches the object too, and knows where its history was then.
        let end = self.events.get(to as usize).filter(|event| event.footprint.object == target.object);
        let latest = end.map_or_else(|| self.heads_of(target.object), |event| event.found).any;
        let history = self.history_from(latest).take_while(move |&event| event >= from);
        history.filter(move |&event| event < to && self.event(event).footprint.depends(&target))
    }

    pub(crate) fn history_from(&self, mut next: EventId) -> impl Iterator<Item = EventId> + '_ {
        std::iter::from_fn(move || {
            let event = (next != NO_EVENT).then_some(next)?;
            next = self.event(event).found.any;
            Some(event)
        })
    }

    /// The events that touched the object of `event` before it and after the last write, latest first.
    pub fn since_write(&self, event: EventId) -> impl Iterator<Item = EventId> + '_ {
        let found = self.event(event).found;
        self.history_from(found.any).take_while(move |&earlier| earlier != found.write)
    }

    /// See [`Event::causes`], for a step of `thread` at the end of the trace.
    #[inline]
    pub(crate) fn causes(&self, thread: ThreadId, op: &Op) -> [EventId; 2] {
        let is_made_possible = op.kind.nature().cause != Cause::None;
        [self.last_or_spawn(thread), if is_made_possible { self.enabler(thread, op) } else { NO_EVENT }]
    }

    /// The step that made this one possible, if it is of those that another step has to.
    #[inline(never)]
    fn enabler(&self, thread: ThreadId, op: &Op) -> EventId {
        match op.kind {
            OpKind::Join(other) => self.last_or_spawn(other),
            OpKind::Relock { condvar } => self.waking_notify(thread, condvar),
            OpKind::Pass { .. } => self.meeting(op).next().unwrap_or(NO_EVENT),
            OpKind::Step(_) => self.moved(thread),
            _ => NO_EVENT,
        }
    }

    /// The last step of a thread; of a thread that took none, the spawn that created it.
    #[inline]
    fn last_or_spawn(&self, thread: ThreadId) -> EventId {
        self.threads.get(thread.index()).map_or(NO_EVENT, ThreadHead::cause)
    }

    /// The step before a relock is the unlock of its wait, and the one before that the wait itself.
    fn waking_notify(&self, thread: ThreadId, condvar: ObjectId) -> EventId {
        let wait = self.event(self.last_or_spawn(thread)).causes[0];
        // The first notify after the wait that woke this thread; a later one on the same list cannot have. A condition variable
        // that is initialised anew, or whose memory is freed, keeps nobody waiting.
        let woke = |&event: &EventId| match self.event(event).op.kind {
            OpKind::NotifyAll | OpKind::Init(_) | OpKind::Free => true,
            OpKind::NotifyOne => self.event(event).outcome == Outcome::Woke(thread),
            _ => false,
        };
        self.history(condvar).take_while(|&event| event > wait).filter(woke).last().unwrap_or(NO_EVENT)
    }

    /// The arrivals at a barrier that a pass of it comes after, the last one first.
    pub fn meeting(&self, pass: &Op) -> impl Iterator<Item = EventId> + '_ {
        let (parties, generation) = match pass.kind {
            OpKind::Pass { parties, generation } => (parties, generation),
            _ => (0, 0),
        };
        let all_arrived = (u64::from(generation) + 1) * u64::from(parties);
        let arrivals = self.history(pass.object);
        let arrivals = arrivals.filter(|&event| matches!(self.event(event).op.kind, OpKind::Arrive { .. }));
        arrivals.skip_while(move |&event| self.event(event).after != all_arrived).take(parties as usize)
    }

    /// The last clock takes the maximum with those of the meeting that its event is a pass of.
    #[inline(never)]
    fn join_meeting(&mut self, pass: &Op) {
        let mut next = self.meeting(pass).next();
        let OpKind::Pass { parties, .. } = pass.kind else { return };
        for _ in 0..parties {
            let Some(arrival) = next else { return };
            self.clocks.join_last(arrival as usize);
            let mut earlier = self.history_before(arrival);
            next = earlier.find(|&event| matches!(self.event(event).op.kind, OpKind::Arrive { .. }));
        }
    }

    #[inline]
    fn admit(&mut self, thread: ThreadId) {
        if self.threads.len() <= thread.index() {
            self.threads.resize(thread.index() + 1, ThreadHead::NONE);
            self.clocks.admit(thread);
        }
    }

    #[inline]
    fn admit_object(&mut self, object: ObjectId) {
        if self.heads.len() <= object.index() {
            self.heads.resize(object.index() + 1, Heads::NONE);
        }
    }
}
