//! What classic and source-DPOR become where the search is bounded: as many classes as there are within the bounds.
//!
//! A bound takes branches away, and with them what the usual rules rely on: that the execution which a race asks for is
//! found behind any initial of its reversal, and that what sleeps has been explored in full. Bounded partial order
//! reduction (Coons, Musuvathi and McKinley, OOPSLA 2013) adds branches where a switch costs nothing. It finds every state
//! of every thread; to find every class, more is needed, for the cost of a schedule also depends on who is enabled when
//! (docs/algorithms/bounds.md has the argument):
//! - the first step after a prefix is that of the simple schedule of [`crate::bounds`], which costs nothing;
//! - an event is *shared* if another thread touches its object later (unless both only look at it), waits for it, or could
//!   not do something without this event. A shared event opens the prefix before it, and the one at which its thread was switched to: all that is enabled
//!   there and within the bounds will be explored. Where the next step is not shared, it can as well be taken at once;
//! - an execution that is cut at its depth opens all its prefixes, for it is not known what would have been shared;
//! - a step goes to sleep only if nothing behind it was taken away by a bound on schedules. (A bound on depth does not
//!   matter here: executions of one class have one length.)

use crate::explorer::{Explorer, Stop};
use crate::naive::every_alternative;
use model::{Choice, Guard, ObjectId, OpKind, Outcome, Pending, ThreadId};
use trace::dependence::Mode;
use trace::{Event, SleepSets, Sleeper, Trace};

/// One prefix of E.
struct Frame {
    /// Steps to be explored, the next one last.
    left: Vec<Choice>,
    /// Steps that will be explored if the frame is opened.
    closed: Vec<Choice>,
    /// Whether opening the frame would leave something out that is beyond a bound.
    is_bounded: bool,
    /// How much had been left out before the step that is being explored.
    left_out: u64,
}

/// Explores what there is within the bounds.
pub(crate) fn explore(e: &mut Explorer<'_>) -> Result<(), Stop> {
    let mut search = Search::default();
    loop {
        search.enter(e)?;
        let Some(step) = search.next_step(e) else { return Ok(()) };
        let event = e.step(step)?;
        search.sleep.grow(event);
    }
}

#[derive(Default)]
struct Search {
    frames: Vec<Frame>,
    sleep: SleepSets,
    enabled: Vec<Pending>,
    users: Users,
    /// What threads may wait for.
    waiting: Vec<ObjectId>,
}

impl Search {
    /// E is new: begins with the first thread that does not sleep, or ends the execution.
    fn enter(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        if e.first_enabled(|_, _| true)?.is_none() {
            self.open_prefixes(e)?;
            return e.finish(|| None);
        }
        self.wake(e)?;
        e.all_enabled(&mut self.enabled)?;
        let all = self.enabled.len();
        self.enabled.retain(|pending| e.is_within_bounds(pending.thread));
        let is_bounded = self.enabled.len() < all;
        let awake = |choice: &Choice| !self.sleep.is_asleep(*choice);
        let mut closed: Vec<Choice> = self.enabled.iter().rev().flat_map(every_alternative).filter(awake).collect();
        let Some(first) = closed.last().map(|choice| choice.thread) else {
            self.open_prefixes(e)?;
            return e.sleep_set_blocked(|| None);
        };
        let left = closed.split_off(closed.partition_point(|choice| choice.thread != first));
        self.frames.push(Frame { left, closed, is_bounded, left_out: 0 });
        Ok(())
    }

    /// Steps that change what another thread may wait for do not sleep any longer: they decide what leaving it costs.
    fn wake(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        if self.sleep.top().iter().all(|sleeper| sleeper.footprint.mode == Mode::Read) {
            return Ok(());
        }
        let waiting = e.pending()?.filter(|pending| pending.may_block() && pending.op.object != ObjectId::NONE);
        self.waiting.clear();
        self.waiting.extend(waiting.map(|pending| pending.op.object));
        let waiting = &self.waiting;
        self.sleep.wake(|sleeper| sleeper.footprint.mode != Mode::Read && waiting.contains(&sleeper.footprint.object));
        Ok(())
    }

    /// The next step to explore, after the longest prefix that has one left; E is cut back to it.
    fn next_step(&mut self, e: &mut Explorer<'_>) -> Option<Choice> {
        while let Some(len) = self.frames.len().checked_sub(1) {
            let frame = &mut self.frames[len];
            if e.trace().len() > len {
                let explored = Sleeper::of(&e.trace().events()[len]);
                let is_free = e.bounds().delays.is_none() && goes_on_unnoticed(e.trace(), len);
                e.cut(len);
                self.sleep.cut(len);
                if is_free || !e.bounds().schedules() || e.left_out() == frame.left_out {
                    self.sleep.add(explored);
                }
            }
            if let Some(step) = frame.left.pop() {
                frame.left_out = e.left_out();
                return Some(step);
            }
            self.frames.pop();
        }
        None
    }

    /// An execution has ended: opens what it shows to be worth opening.
    fn open_prefixes(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        self.users.note(e)?;
        let is_cut = e.bounds().depth.is_some_and(|depth| e.trace().len() >= depth);
        for len in 0..self.frames.len() {
            if is_cut {
                self.open(e, len);
            } else if self.users.is_shared(len) {
                self.open(e, len);
                self.open(e, start_of_block(e.trace(), len));
            }
        }
        Ok(())
    }

    /// All that is enabled after this prefix and within the bounds will be explored.
    fn open(&mut self, e: &mut Explorer<'_>, len: usize) {
        let frame = &mut self.frames[len];
        if std::mem::take(&mut frame.is_bounded) {
            e.note_out_of_bounds(1);
        }
        // Before what is left already, so that the alternatives of a thread stay together.
        frame.left.splice(0..0, frame.closed.drain(..));
    }
}

/// Where the thread of an event was switched to.
fn start_of_block(trace: &Trace, event: usize) -> usize {
    let thread = trace.events()[event].thread();
    let goes_on = |earlier: &&Event| earlier.thread() == thread && earlier.op.kind != OpKind::Yield;
    event - trace.events()[..event].iter().rev().take_while(goes_on).count()
}

/// Whether the thread of an event went on with it, which cost nothing, and the event has nothing to do with who is enabled: it is
/// no operation that waits or that ends a wait, and not the end of its thread.
fn goes_on_unnoticed(trace: &Trace, event: usize) -> bool {
    let events = trace.events();
    let this = &events[event];
    let Some(before) = event.checked_sub(1).map(|before| &events[before]) else { return false };
    let goes_on = before.thread() == this.thread() && before.op.kind != OpKind::Yield;
    let is_access = this.op.kind.nature().is_access_at_once() && this.guard == Guard::NONE && this.footprint.touches();
    goes_on && is_access && events[event + 1..].iter().any(|later| later.thread() == this.thread())
}

/// Which events of an execution others have to do with.
#[derive(Default)]
struct Users {
    /// For each object, who uses it after the event at hand.
    objects: Vec<Use>,
    /// For each event, whether another thread could not do something without it.
    is_needed: Vec<bool>,
    /// For each event, whether another thread uses its object later, and not both only look.
    is_met: Vec<bool>,
}

/// Who uses an object.
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
            if let Some(used) = self.use_of(pending.op.object) {
                used.add(pending.thread, false);
            }
        }
        let events = e.trace().events();
        self.is_met.clear();
        self.is_met.resize(events.len(), false);
        for (place, event) in events.iter().enumerate().rev() {
            let (thread, only_looks) = (event.thread(), event.footprint.mode == Mode::Read);
            if let Some(used) = self.use_of(event.op.object) {
                let others = if only_looks { used.to_change } else { used.in_any_way };
                used.add(thread, only_looks);
                self.is_met[place] = others.is_other_than(thread);
            }
        }
        self.is_needed.clear();
        self.is_needed.resize(e.trace().len(), false);
        for event in e.trace().events() {
            for cause in event.causes().chain(e.trace().meeting(&event.op)) {
                let needed = e.trace().event(cause);
                // That a thread is there sooner makes no difference to preemptions, but it can be passed over.
                // (A spawn may also be the end of its thread, which another one joins.)
                let is_spawn = needed.outcome == Outcome::Spawned(event.thread()) && e.bounds().delays.is_none();
                self.is_needed[cause as usize] |= needed.thread() != event.thread() && !is_spawn;
            }
        }
        Ok(())
    }

    fn use_of(&mut self, object: ObjectId) -> Option<&mut Use> {
        if object == ObjectId::NONE {
            return None;
        }
        if self.objects.len() <= object.index() {
            self.objects.resize(object.index() + 1, Use::default());
        }
        self.objects.get_mut(object.index())
    }

    fn is_shared(&self, event: usize) -> bool {
        self.is_needed[event] || self.is_met[event]
    }
}

impl Use {
    fn add(&mut self, thread: ThreadId, only_looks: bool) {
        self.in_any_way.add(thread);
        if !only_looks {
            self.to_change.add(thread);
        }
    }
}
