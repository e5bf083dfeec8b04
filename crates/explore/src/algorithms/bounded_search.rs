//! What classic and source-DPOR become where the search is bounded: as many classes as there are within the bounds.
//!
//! A bound takes branches away, and with them what the usual rules rely on: that the execution which a race asks for is
//! found behind any initial of its reversal, and that what sleeps has been explored in full. Bounded partial order
//! reduction (Coons, Musuvathi and McKinley, OOPSLA 2013) adds branches where a switch costs nothing. It finds every state
//! of every thread; to find every class, more is needed, for the cost of a schedule also depends on who is enabled when
//! (docs/algorithms/bounds.md has the argument):
//! - the first step after a prefix is that of the simple schedule of [`crate::search::bounds`], which costs nothing;
//! - an event is *shared* if another thread touches its object later (unless both only look at it), waits for it, or could
//!   not do something without this event. A shared event opens the prefix before it, and the one at which its thread was switched to: all that is enabled
//!   there and within the bounds will be explored. Where the next step is not shared, it can as well be taken at once;
//! - an execution that is cut at its depth opens all its prefixes, for it is not known what would have been shared;
//! - a step goes to sleep only if nothing behind it was taken away by a bound on schedules. (A bound on depth does not
//!   matter here: executions of one class have one length.)

use crate::Error;
use crate::algorithms::explored::{Explored, Shown};
use crate::algorithms::naive::every_alternative;
use crate::explorer::{Explorer, Stop};
use model::{Cause, Choice, Guard, ObjectId, OpKind, Outcome, Pending, ThreadId};
use trace::dependence::Mode;
use trace::{Event, EventId, SleepSets, Sleeper, Trace};

/// One prefix of E.
struct Frame {
    /// Where its steps begin among all that are left.
    start: usize,
    /// How many of them, the first ones, will be explored only if the frame is opened.
    closed: usize,
    /// Whether opening the frame would leave something out that is beyond a bound.
    is_bounded: bool,
    /// How much had been left out before the step that is being explored, and before the prefix was entered.
    left_out: u64,
    left_out_before: u64,
    /// How many steps slept then, for good and lightly.
    asleep: [usize; 2],
    /// What the executions behind it show.
    shown: Shown,
}

impl Frame {
    /// Of the first `len` steps: adds what a prefix shows that is one step longer, with which its thread `goes_on` or not.
    fn add(&mut self, shown: Shown, len: usize, goes_on: bool) {
        self.shown.opens_block |= goes_on && (shown.opens_block || shown.shared.has(len));
        self.shown.shared.add_all(shown.shared, len);
    }
}

/// Explores what there is within the bounds.
pub(crate) fn explore(e: &mut Explorer<'_>) -> Result<(), Stop> {
    if e.has_siblings() {
        return Err(Stop::Error(Error::siblings("source within bounds")));
    }
    let mut search = Search { explored: Explored::fits(e).then(Explored::default), ..Search::default() };
    loop {
        search.enter(e)?;
        let Some(step) = search.next_step(e) else { return Ok(()) };
        if let Some(explored) = &mut search.explored {
            explored.grow();
        }
        let event = e.step(step)?;
        search.sleep.grow(event);
        search.light.grow(event);
    }
}

#[derive(Default)]
struct Search {
    frames: Vec<Frame>,
    /// The steps of all frames that are to be explored, those of longer prefixes later. The next one of each is its last.
    left: Vec<Choice>,
    sleep: SleepSets,
    /// Those that sleep only as long as nobody waits for what they touch.
    light: SleepSets,
    enabled: Vec<Pending>,
    users: Users,
    /// What threads may wait for.
    waiting: Vec<ObjectId>,
    explored: Option<Explored>,
}

impl Search {
    /// E is new: begins with the first thread that does not sleep, or ends the execution.
    fn enter(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        let is_bounded = e.enabled_or_more(&mut self.enabled)?;
        if self.enabled.is_empty() {
            self.open_prefixes(e)?;
            return e.finish(|| None);
        }
        self.wake(e)?;
        let known = self.explored.as_mut().and_then(|explored| explored.find(e, [&self.sleep, &self.light]));
        if let Some(mut shown) = known {
            // Where E's own events commute, those come later here that came sooner there.
            self.users.note(e)?;
            self.users.add_shared_to(&mut shown);
            self.open_as_shown(e, shown);
            return e.explored_before();
        }
        let start = self.left.len();
        let awake = |choice: &Choice| !self.sleep.is_asleep(*choice) && !self.light.is_asleep(*choice);
        self.left.extend(self.enabled.iter().rev().flat_map(every_alternative).filter(awake));
        let Some(first) = self.left[start..].last().map(|choice| choice.thread) else {
            self.open_prefixes(e)?;
            return e.sleep_set_blocked(|| None);
        };
        let closed = self.left[start..].partition_point(|choice| choice.thread != first);
        let (left_out_before, asleep) = (e.left_out(), [&self.sleep, &self.light].map(|sleep| sleep.top().len()));
        let shown = Shown::default();
        self.frames.push(Frame { start, closed, is_bounded, left_out: 0, left_out_before, asleep, shown });
        Ok(())
    }

    /// Steps that make possible what another thread may wait for do not sleep any longer: they decide what leaving it costs.
    fn wake(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        if self.light.top().iter().all(|sleeper| sleeper.footprint.mode == Mode::Read) {
            return Ok(());
        }
        let waiting = e.pending()?.filter(|pending| pending.may_block() && pending.op.object != ObjectId::NONE);
        self.waiting.clear();
        self.waiting.extend(waiting.map(|pending| pending.op.object));
        let waiting = &self.waiting;
        self.light.wake(|sleeper| sleeper.footprint.mode != Mode::Read && waiting.contains(&sleeper.footprint.object));
        Ok(())
    }

    /// The next step to explore, after the longest prefix that has one left; E is cut back to it.
    fn next_step(&mut self, e: &mut Explorer<'_>) -> Option<Choice> {
        while let Some(len) = self.frames.len().checked_sub(1) {
            let frame = &mut self.frames[len];
            if e.trace().len() > len {
                let event = &e.trace().events()[len];
                let (explored, takes_lock) = (Sleeper::of(event), event.op.kind.nature().holding.takes());
                let is_whole = !e.bounds().schedules() || e.left_out() == frame.left_out;
                let is_free = e.bounds().delays.is_none() && goes_on_unnoticed(e.trace(), len);
                e.cut(len);
                self.sleep.cut(len);
                self.light.cut(len);
                if let Some(explored) = &mut self.explored {
                    explored.cut(len);
                }
                if is_whole || is_free && takes_lock {
                    self.sleep.add(explored);
                } else if is_free {
                    self.light.add(explored);
                }
            }
            if self.left.len() > frame.start + frame.closed {
                frame.left_out = e.left_out();
                return self.left.pop();
            }
            self.left.truncate(frame.start);
            self.leave(e);
        }
        None
    }

    /// E was explored: that is remembered, with what it shows.
    fn leave(&mut self, e: &Explorer<'_>) {
        let (Some(mut frame), Some(explored)) = (self.frames.pop(), &mut self.explored) else { return };
        let Some(before) = self.frames.last_mut() else { return };
        let last = e.trace().len() - 1;
        let goes_on = goes_on(e.trace(), last);
        // What others come to that were switched elsewhere is most often where somebody was switched to; the rest would take much memory.
        if !goes_on {
            frame.shown.is_cut = e.left_out() != frame.left_out_before;
            let sleeping = [&self.sleep, &self.light].into_iter().zip(frame.asleep);
            let sleeping = sleeping.flat_map(|(sleep, count)| sleep.at(last + 1)[..count].iter().copied());
            explored.note(e, &frame.shown, sleeping);
        }
        before.add(frame.shown, last, goes_on);
    }

    /// An execution has ended: opens what it shows to be worth opening.
    fn open_prefixes(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        self.users.note(e)?;
        if e.bounds().depth.is_some_and(|depth| e.trace().len() >= depth) {
            (0..self.frames.len()).for_each(|len| self.open(e, len));
            return Ok(());
        }
        let mut shown = Shown::default();
        self.users.add_shared_to(&mut shown);
        self.open_as_shown(e, shown);
        Ok(())
    }

    /// Opens what is worth opening by what an execution shows that begins like E, or several.
    fn open_as_shown(&mut self, e: &mut Explorer<'_>, shown: Shown) {
        // Where the thread of the event at hand was switched to.
        let mut start_of_block = 0;
        for len in 0..self.frames.len() {
            if len > 0 && !goes_on(e.trace(), len) {
                start_of_block = len;
            }
            if shown.shared.has(len) {
                self.open(e, len);
                self.open(e, start_of_block);
            }
        }
        let Some(last) = self.frames.len().checked_sub(1) else { return };
        if shown.opens_block {
            self.open(e, start_of_block);
        }
        if shown.is_cut {
            e.note_out_of_bounds(1);
        }
        self.frames[last].add(shown, last, goes_on(e.trace(), last));
    }

    /// All that is enabled after this prefix and within the bounds will be explored.
    fn open(&mut self, e: &mut Explorer<'_>, len: usize) {
        let frame = &mut self.frames[len];
        if std::mem::take(&mut frame.is_bounded) {
            e.note_out_of_bounds(1);
        }
        frame.closed = 0;
    }
}

/// Whether the thread of an event went on with it, which cost nothing. If its time was up, it did not: it would have been passed over for
/// nothing.
fn goes_on(trace: &Trace, event: usize) -> bool {
    let before = event.checked_sub(1).and_then(|before| trace.events().get(before));
    let Some((before, this)) = before.zip(trace.events().get(event)) else { return false };
    before.thread() == this.thread() && before.op.kind != OpKind::Yield && !is_time_out(this)
}

/// Whether an event is the end of a wait without a notify.
fn is_time_out(event: &Event) -> bool {
    event.op.kind == OpKind::StopWaiting && event.outcome == Outcome::Done
}

/// Whether the thread of an event went on with it, which cost nothing, and the event makes nothing possible, as long as
/// nobody waits for its object: it takes or gives a lock, or it is an access that does not wait, and it is not the end of its thread.
fn goes_on_unnoticed(trace: &Trace, event: usize) -> bool {
    let events = trace.events();
    let this = &events[event];
    let nature = this.op.kind.nature();
    // What a notify makes possible waits for another object, too.
    let is_of_lock = (nature.holding.takes() || nature.holding.gives()) && nature.cause == Cause::None;
    let is_noticed =
        !(nature.is_access_at_once() || is_of_lock) || this.guard != Guard::NONE || !this.footprint.touches();
    goes_on(trace, event) && !is_noticed && events[event + 1..].iter().any(|later| later.thread() == this.thread())
}

/// Which events of an execution others have to do with.
#[derive(Default)]
struct Users {
    /// For each object, who uses it after the event at hand.
    objects: Vec<Uses>,
    /// For each event, whether another thread could not do something without it, or could do something before it that conflicts with it.
    is_shared: Vec<bool>,
    /// For each event, whether its thread was switched to because its time was up, if any thread's was: nobody else may have been ready.
    after_time_out: Vec<bool>,
}

/// Who uses an object.
#[derive(Clone, Copy, Default)]
struct Uses {
    by_accesses: Use,
    otherwise: Use,
}

/// Who uses an object in one way.
#[derive(Clone, Copy, Default)]
struct Use {
    in_any_way: User,
    /// In another way than to look.
    to_change: User,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum User {
    #[default]
    Nobody,
    Only(ThreadId),
    Several,
}

impl User {
    fn add(&mut self, thread: ThreadId) {
        *self = match *self {
            User::Nobody => User::Only(thread),
            User::Only(only) if only == thread => *self,
            _ => User::Several,
        };
    }

    fn is_other_than(self, thread: ThreadId) -> bool {
        !matches!(self, User::Nobody) && self != User::Only(thread)
    }
}

impl Users {
    fn note(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        self.objects.clear();
        for pending in e.pending()? {
            if let Some(uses) = self.uses_of(pending.op.object) {
                uses.otherwise.add(pending.thread, false);
            }
        }
        let trace = e.trace();
        let events = trace.events();
        self.note_time_outs(trace);
        let passes_over = e.bounds().delays.is_some();
        self.is_shared.clear();
        self.is_shared.resize(events.len(), false);
        for race in trace.races() {
            self.is_shared[race.first as usize] = true;
        }
        for (place, event) in events.iter().enumerate().rev() {
            let (thread, only_looks, is_access) =
                (event.thread(), event.footprint.mode == Mode::Read, is_mere_access(event));
            if let Some(uses) = self.uses_of(event.op.object) {
                let is_met = uses.otherwise.is_met_by(thread, only_looks);
                // Of two accesses, the first is that of a race, or nobody can do the second before it.
                let is_met = is_met || !is_access && uses.by_accesses.is_met_by(thread, only_looks);
                let way = if is_access { &mut uses.by_accesses } else { &mut uses.otherwise };
                way.add(thread, only_looks);
                self.is_shared[place] |= is_met;
            }
            event.causes().for_each(|cause| self.note_need(trace, event, cause, passes_over));
            if let OpKind::Pass { .. } = event.op.kind {
                trace.meeting(&event.op).for_each(|cause| self.note_need(trace, event, cause, passes_over));
            }
        }
        Ok(())
    }

    /// Finds out which threads were switched to because their time was up.
    fn note_time_outs(&mut self, trace: &Trace) {
        self.after_time_out.clear();
        let events = trace.events();
        if events.iter().any(is_time_out) {
            for (place, event) in events.iter().enumerate() {
                let goes_on = place > 0 && goes_on(trace, place);
                let is_after = if goes_on { self.after_time_out[place - 1] } else { is_time_out(event) };
                self.after_time_out.push(is_after);
            }
        }
    }

    /// An event could not be without an earlier one.
    #[inline]
    fn note_need(&mut self, trace: &Trace, event: &Event, cause: EventId, passes_over: bool) {
        let needed = trace.event(cause);
        // That a thread is there sooner makes no difference to preemptions, but it can be passed over, or nobody else was ready before.
        // (A spawn may also be the end of its thread, which another one joins.)
        let is_noticed = passes_over || self.after_time_out.get(cause as usize) == Some(&true);
        let is_spawn = needed.outcome == Outcome::Spawned(event.thread()) && !is_noticed;
        self.is_shared[cause as usize] |= needed.thread() != event.thread() && !is_spawn;
    }

    fn uses_of(&mut self, object: ObjectId) -> Option<&mut Uses> {
        if object == ObjectId::NONE {
            return None;
        }
        if self.objects.len() <= object.index() {
            self.objects.resize(object.index() + 1, Uses::default());
        }
        self.objects.get_mut(object.index())
    }

    fn add_shared_to(&self, shown: &mut Shown) {
        let shared = self.is_shared.iter().enumerate().filter(|&(_, &is_shared)| is_shared);
        shared.for_each(|(event, _)| shown.shared.add(event));
    }
}

impl Use {
    fn add(&mut self, thread: ThreadId, only_looks: bool) {
        self.in_any_way.add(thread);
        if !only_looks {
            self.to_change.add(thread);
        }
    }

    /// Whether another thread is among the users, and not both only look.
    fn is_met_by(&self, thread: ThreadId, only_looks: bool) -> bool {
        let others = if only_looks { self.to_change } else { self.in_any_way };
        others.is_other_than(thread)
    }
}

/// Whether an event is an access to a variable or a cell that does not wait, and one of those that read or write.
fn is_mere_access(event: &Event) -> bool {
    let reads_or_writes = matches!(event.footprint.mode, Mode::Read | Mode::Write);
    reads_or_writes && event.op.kind.nature().is_access_at_once() && event.guard == Guard::NONE
}
