//! Clocks of models in which reads-from, coherence order and from-read are parts of one order of all events, and program order is not
//! as a whole: `tso` and `pso`. They differ in how much of it is.
//!
//! The *view* of an event is what reaches it in that order. m(e) is the last write of its object in the views of what e is
//! ordered after. A maximal addition changes no other view; after another one, views are worked out anew, again and again
//! until nothing changes: the least that satisfies what [`InOrder::update`] says.

use crate::clocks::{Clocks, join};
use crate::graph::{Event, EventId, Graph, Label, NONE};
use crate::models::{Asker, Asking};
use model::ThreadId;
use std::marker::PhantomData;

/// What of program order a model keeps, and what a view counts.
pub(crate) trait Kept {
    /// How wide a view is.
    fn width(g: &Graph) -> usize;

    /// Puts an event into its own view.
    fn enter(view: &mut [u32], event: &Event);

    /// Whether a write is in a view.
    fn has(view: &[u32], write: &Event) -> bool;

    /// An event with this view is in the past of its thread from now on.
    fn pass(past: &mut Past, event: &Event, view: &[u32]);

    /// The part of the past that such an access is ordered after.
    fn before(past: &Past, access: Asking) -> &[u32];
}

/// What a thread did so far, as the views that its next event joins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    /// Of everything.
    pub(crate) all: Vec<u32>,
    /// Of what a read is ordered after.
    pub(crate) reads: Vec<u32>,
    /// Of what a write that does not release is ordered after.
    pub(crate) writes: Vec<u32>,
}

impl Past {
    fn reset(&mut self, width: usize) {
        for view in [&mut self.all, &mut self.reads, &mut self.writes] {
            view.clear();
            view.resize(width, 0);
        }
    }

    fn widen(&mut self, width: usize) {
        for view in [&mut self.all, &mut self.reads, &mut self.writes] {
            view.resize(width, 0);
        }
    }

    /// Everything comes after this.
    pub(crate) fn join(&mut self, view: &[u32]) {
        for part in [&mut self.all, &mut self.reads, &mut self.writes] {
            join(part, view);
        }
    }

    /// Everything so far is before all that follows.
    pub(crate) fn fence(&mut self) {
        join(&mut self.reads, &self.all);
        join(&mut self.writes, &self.all);
    }
}

/// The views of a graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Views {
    views: Clocks,
    pasts: Vec<Past>,
    /// The views of so many first events depend on no event that stands behind these in the arena.
    in_order: usize,
    /// Reused.
    scratch: Past,
}

impl Views {
    pub(crate) fn clear<K: Kept>(&mut self, g: &Graph) {
        self.views.clear();
        self.in_order = usize::MAX;
        self.grow::<K>(g);
        let width = self.views.width();
        self.pasts.iter_mut().for_each(|past| past.reset(width));
    }

    fn grow<K: Kept>(&mut self, g: &Graph) {
        if self.views.width() < K::width(g) || self.pasts.len() < g.thread_count() {
            self.views.widen(K::width(g));
            let width = self.views.width();
            self.pasts.resize(self.pasts.len().max(g.thread_count()), Past::default());
            self.pasts.iter_mut().for_each(|past| past.widen(width));
        }
    }

    pub(crate) fn append<K: Kept>(&mut self, g: &Graph, e: EventId) {
        self.grow::<K>(g);
        self.views.lengthen(g.len());
        self.renew::<K>(g, e);
    }

    /// Works out views anew, but for those of the first `kept` events, which were there before.
    pub(crate) fn settle<K: Kept>(&mut self, g: &Graph, kept: usize) {
        self.grow::<K>(g);
        let new = kept.min(self.in_order);
        self.views.cut(new);
        self.views.lengthen(g.len());
        self.in_order = settle(&mut Ordering::<K>(self, PhantomData), g, new);
    }

    /// The pasts of all threads where the graph has the events before this one.
    fn come_to<K: Kept>(&mut self, g: &Graph, end: EventId) {
        let width = self.views.width();
        self.pasts.iter_mut().for_each(|past| past.reset(width));
        for e in 0..end {
            let event = g.event(e);
            if event.label != Label::Ghost {
                self.start::<K>(g, event);
                K::pass(&mut self.pasts[event.thread.index()], event, self.views.row(e));
            }
        }
    }

    /// What spawned the thread is before its first event.
    fn start<K: Kept>(&mut self, g: &Graph, event: &Event) {
        if event.index == 0 && g.spawn_of(event.thread) != NONE {
            self.pasts[event.thread.index()].join(self.views.row(g.spawn_of(event.thread)));
        }
    }

    /// Joins to the view of an event those of what is right before it. Says whether that changed it, but for its entering it.
    fn renew<K: Kept>(&mut self, g: &Graph, e: EventId) -> bool {
        let event = g.event(e);
        if event.label == Label::Ghost {
            return false;
        }
        let thread = event.thread.index();
        self.start::<K>(g, event);
        let access = match event.label {
            Label::Read if !event.update => Asking::Read,
            Label::Write if !event.update => Asking::Write(event.order),
            _ => Asking::Update,
        };
        let mut changed = self.views.join(e, K::before(&self.pasts[thread], access));
        changed |= self.views.join_within(e, event.cause);
        match event.label {
            Label::Read => {
                let is_own = event.source != NONE && g.event(event.source).thread == event.thread;
                if !is_own {
                    changed |= self.views.join_within(e, event.source);
                }
            }
            Label::Write => {
                K::enter(self.views.row_mut(e), event);
                for before in overwritten(g, event).filter(|&before| before != e) {
                    changed |= self.views.join_within(e, before);
                }
            }
            Label::Join(child) => {
                changed |= self.views.join(e, &self.pasts[child.index()].all);
            }
            _ => {}
        }
        if event.label != Label::Write {
            K::enter(self.views.row_mut(e), event);
        }
        K::pass(&mut self.pasts[thread], event, self.views.row(e));
        changed
    }

    /// The rank of the last write that the asker must not go before.
    pub(crate) fn floor<K: Kept>(&mut self, g: &Graph, asker: Asker) -> usize {
        let Asker { thread, index, object, access, cause } = asker;
        let events = g.of_thread(thread);
        let is_next = events.len() == index as usize;
        if !is_next || index == 0 {
            self.rewind::<K>(g, thread, index);
        }
        let past = if is_next && index > 0 { &self.pasts[thread.index()] } else { &self.scratch };
        let view = K::before(past, access);
        let is_own = |e: EventId| {
            let event = g.event(e);
            event.thread == thread && event.index < index && event.label != Label::Ghost
        };
        let cause = self.views.row(cause);
        let is_seen = |&w: &EventId| {
            let write = g.event(w);
            K::has(view, write) || K::has(cause, write) || is_own(w) || g.readers(object, w).any(is_own)
        };
        g.co(object).iter().rposition(is_seen).map_or(0, |place| place + 1)
    }

    /// The past of a thread before its event of this index, into `scratch`.
    fn rewind<K: Kept>(&mut self, g: &Graph, thread: ThreadId, index: u32) {
        let width = self.views.width();
        self.scratch.reset(width);
        if g.spawn_of(thread) != NONE {
            self.scratch.join(self.views.row(g.spawn_of(thread)));
        }
        for &e in &g.of_thread(thread)[..index as usize] {
            K::pass(&mut self.scratch, g.event(e), self.views.row(e));
        }
    }
}

/// The views of a graph, to be worked out.
struct Ordering<'v, K>(&'v mut Views, PhantomData<K>);

impl<K: Kept> InOrder for Ordering<'_, K> {
    fn come_to(&mut self, g: &Graph, end: EventId) {
        self.0.come_to::<K>(g, end);
    }

    fn update(&mut self, g: &Graph, e: EventId) -> bool {
        self.0.renew::<K>(g, e)
    }
}

/// What is right before a write in coherence order: the write that it comes behind, and who reads that.
pub(crate) fn overwritten<'g>(g: &'g Graph, write: &Event) -> impl Iterator<Item = EventId> + 'g {
    let before = g.of_rank(write.object(), write.place as usize);
    let readers = g.readers(write.object(), before).filter(|&r| g.event(r).label == Label::Read);
    std::iter::once(before).chain(readers)
}

/// Clocks that are worked out event after event.
pub(crate) trait InOrder {
    /// The events before this one were looked at, and it is the next.
    fn come_to(&mut self, g: &Graph, end: EventId);

    /// Joins to the clock of an event those of what is right before it. Says whether that changed it, of a new one, true.
    fn update(&mut self, g: &Graph, e: EventId) -> bool;
}

/// Works out the clocks of the events from `new` on, whose clocks are the least there can be. Whatever is before an event mostly stands
/// before it in the arena, too; where it does not, the event and all behind it are looked at once more. Says of how many first events
/// the clocks depend on no event that stands behind these.
pub(crate) fn settle(clocks: &mut impl InOrder, g: &Graph, new: usize) -> usize {
    let (mut in_order, mut is_first, mut next) = (usize::MAX, true, Some(new as EventId));
    while let Some(first) = next.take() {
        clocks.come_to(g, first);
        for e in first..g.len() as EventId {
            if clocks.update(g, e) || is_first {
                next = earlier_one_after(g, e).into_iter().chain(next).min();
            }
        }
        is_first = false;
        in_order = next.map_or(in_order, |next| in_order.min(next as usize));
    }
    in_order
}

/// An event that stands before this one in the arena and is right after it: a write whose place is behind what this one writes or reads.
fn earlier_one_after(g: &Graph, e: EventId) -> Option<EventId> {
    let event = g.event(e);
    let place = match event.label {
        Label::Read => g.rank(event.source),
        Label::Write => event.place as usize + 1,
        _ => return None,
    };
    g.co(event.object()).get(place).copied().filter(|&next| next < e)
}
