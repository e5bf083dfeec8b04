//! Execution graphs: events with program order, reads-from and coherence order, in an arena.
//!
//! Events stand in the arena in *replay* order, a linear extension of porf (program order, reads-from, causes), so that they
//! can be executed again from the first to the last. The order in which the search added them is another one, their *stamps*:
//! a read that was revisited is older than the write that it reads. Nothing is allocated for an event once the arena has grown.

use crate::clocks::Clocks;
use model::{ObjectId, Op, Order, Orders, State, ThreadId};

/// An event's place in the arena.
pub type EventId = u32;

/// No event; as the source of a read, the initial write of its object.
pub const NONE: EventId = EventId::MAX;

/// The stamp of an event that is in no graph yet.
pub const FRESH: u32 = u32::MAX;

/// What an event is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    /// Reads an object's word; the first part of an update too.
    Read,
    /// Writes an object's word; the second part of an update too.
    Write,
    /// A fence.
    Fence,
    /// Creates a thread.
    Spawn(ThreadId),
    /// Is after the end of a thread.
    Join(ThreadId),
    /// One of several alternatives.
    Choose,
    /// Is after its cause: passes a barrier.
    After,
    /// Orders nothing: a yield, a misuse.
    Nothing,
    /// A failed attempt of the operation that its thread waits at. It is in no order of the program, and not executed again.
    Ghost,
}

/// One event.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// Whose it is.
    pub thread: ThreadId,
    /// How many events of its thread are before it; of a ghost, before the operation.
    pub index: u32,
    /// When it was added: less is earlier.
    pub stamp: u32,
    /// What it is.
    pub label: Label,
    /// Its memory order.
    pub order: Order,
    /// The memory orders of its operation.
    pub orders: Orders,
    /// The operation that it is a part of.
    pub op: Op,
    /// The word that it reads or writes.
    pub value: State,
    /// Of a read or ghost: the write that it reads (rf).
    pub source: EventId,
    /// An event of another thread that is before it whatever is read: the end of the joined thread, the notify that woke it,
    /// the arrival that completed a meeting.
    pub cause: EventId,
    /// Whether it is the read or the write of an update that writes.
    pub update: bool,
    /// Whether it was added maximally: it took the last write, the last place, the first alternative.
    pub maximal: bool,
    /// Which alternative it took.
    pub alternative: u32,
    /// Of a write: its place in the coherence order (co), from 0. The initial write has none.
    pub place: u32,
    /// Of a write: its place when it was added, so among the writes that stand before it in the arena.
    pub(crate) entered: u32,
    /// The next event that reads the same write.
    pub(crate) next_reader: EventId,
    /// Of a write: the first event that reads it.
    pub(crate) first_reader: EventId,
}

impl Event {
    /// An event of an operation, not in any graph yet.
    pub fn new(thread: ThreadId, label: Label, op: Op, order: Order) -> Self {
        Event {
            thread,
            index: 0,
            stamp: FRESH,
            label,
            order,
            orders: Orders::of(order),
            op,
            value: 0,
            source: NONE,
            cause: NONE,
            update: false,
            maximal: true,
            alternative: 0,
            place: 0,
            entered: 0,
            next_reader: NONE,
            first_reader: NONE,
        }
    }

    /// The object that it reads or writes.
    #[inline]
    pub fn object(&self) -> ObjectId {
        self.op.object
    }

    /// Whether it reads.
    #[inline]
    pub fn is_read(&self) -> bool {
        self.label == Label::Read
    }

    /// Whether it writes.
    #[inline]
    pub fn is_write(&self) -> bool {
        self.label == Label::Write
    }
}

/// An execution graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    events: Vec<Event>,
    /// The events from the oldest stamp to the newest.
    by_stamp: Vec<EventId>,
    /// The events of each thread, ghosts left out.
    threads: Vec<Vec<EventId>>,
    /// The writes of each object in coherence order.
    co: Vec<Vec<EventId>>,
    /// The first reader of each object's initial write.
    initial_readers: Vec<EventId>,
    /// The initial word of each object.
    initial: Vec<State>,
    /// The spawn of each thread.
    spawns: Vec<EventId>,
    /// The latest event of each thread, and the one before each event, ghosts included.
    latest: Vec<EventId>,
    previous: Vec<EventId>,
    /// How many events of each thread are porf-before or at each event.
    porf: Clocks,
    next_stamp: u32,
    /// How many accesses are plain.
    plain: usize,
    /// How many events are ghosts: mostly none, so that nobody has to look for them.
    ghosts: usize,
}

impl Graph {
    /// An empty graph over objects with these words.
    pub fn new(initial: Vec<State>) -> Self {
        Graph {
            co: vec![Vec::new(); initial.len()],
            initial_readers: vec![NONE; initial.len()],
            initial,
            ..Graph::default()
        }
    }

    /// Forgets all events, keeping allocations.
    pub fn clear(&mut self) {
        self.events.clear();
        self.by_stamp.clear();
        self.threads.iter_mut().for_each(Vec::clear);
        self.co.iter_mut().for_each(Vec::clear);
        self.initial_readers.fill(NONE);
        self.spawns.fill(NONE);
        self.latest.fill(NONE);
        self.previous.clear();
        self.porf.clear();
        self.next_stamp = 0;
        self.plain = 0;
        self.ghosts = 0;
    }

    /// There is an object with this initial word, which nothing in the graph has touched.
    pub fn meet(&mut self, object: ObjectId, word: State) {
        self.grow_objects(object.index() + 1);
        self.initial[object.index()] = word;
    }

    fn grow_objects(&mut self, objects: usize) {
        if self.co.len() < objects {
            self.co.resize(objects, Vec::new());
            self.initial_readers.resize(objects, NONE);
            self.initial.resize(objects, 0);
        }
    }

    /// Whether there are accesses that are not atomic.
    pub fn has_plain(&self) -> bool {
        self.plain > 0
    }

    /// Makes room for so many threads.
    #[inline]
    pub fn grow(&mut self, threads: usize) {
        if self.threads.len() < threads {
            self.grow_threads(threads);
        }
    }

    fn grow_threads(&mut self, threads: usize) {
        self.threads.resize(threads, Vec::new());
        self.spawns.resize(threads, NONE);
        self.latest.resize(threads, NONE);
        self.porf.widen(threads);
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// An event.
    #[inline]
    pub fn event(&self, e: EventId) -> &Event {
        &self.events[e as usize]
    }

    /// All events, in replay order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// All events, from the oldest stamp to the newest.
    pub fn by_stamp(&self) -> &[EventId] {
        &self.by_stamp
    }

    /// How many threads there is room for.
    pub fn thread_count(&self) -> usize {
        self.threads.len()
    }

    /// The events of a thread in program order.
    #[inline]
    pub fn of_thread(&self, thread: ThreadId) -> &[EventId] {
        &self.threads[thread.index()]
    }

    /// The event before this one in its thread.
    #[inline]
    pub fn before(&self, e: EventId) -> EventId {
        let event = self.event(e);
        if event.index == 0 { NONE } else { self.threads[event.thread.index()][event.index as usize - 1] }
    }

    /// The spawn of a thread, if it was spawned.
    pub fn spawn_of(&self, thread: ThreadId) -> EventId {
        self.spawns[thread.index()]
    }

    /// How many objects there are.
    pub fn object_count(&self) -> usize {
        self.co.len()
    }

    /// The writes of an object in coherence order, the initial one left out.
    #[inline]
    pub fn co(&self, object: ObjectId) -> &[EventId] {
        &self.co[object.index()]
    }

    /// The last write of an object.
    #[inline]
    pub fn last(&self, object: ObjectId) -> EventId {
        self.co[object.index()].last().copied().unwrap_or(NONE)
    }

    /// The last write of an object; none of no object.
    pub fn last_or_none(&self, object: ObjectId) -> EventId {
        self.co.get(object.index()).and_then(|writes| writes.last()).copied().unwrap_or(NONE)
    }

    /// The word that a write left.
    #[inline]
    pub fn word(&self, object: ObjectId, write: EventId) -> State {
        if write == NONE { self.initial.get(object.index()).copied().unwrap_or(0) } else { self.event(write).value }
    }

    /// How many writes of the object are before this one or are it; 0 for the initial one.
    #[inline]
    pub fn rank(&self, write: EventId) -> usize {
        if write == NONE { 0 } else { self.event(write).place as usize + 1 }
    }

    /// The write of this [rank](Self::rank).
    #[inline]
    pub fn of_rank(&self, object: ObjectId, rank: usize) -> EventId {
        if rank == 0 { NONE } else { self.co[object.index()][rank - 1] }
    }

    /// The events that read a write of an object, ghosts included.
    pub fn readers(&self, object: ObjectId, write: EventId) -> impl Iterator<Item = EventId> + '_ {
        let first = if write == NONE { self.initial_readers[object.index()] } else { self.event(write).first_reader };
        std::iter::successors((first != NONE).then_some(first), |&reader| {
            let next = self.event(reader).next_reader;
            (next != NONE).then_some(next)
        })
    }

    /// The update that reads a write, if there is one: no other write can be between the two.
    pub fn update_of(&self, object: ObjectId, write: EventId) -> EventId {
        self.readers(object, write).find(|&r| self.event(r).update).unwrap_or(NONE)
    }

    /// What is porf-before the next event of a thread, as how many events of each thread.
    pub fn porf_next(&self, thread: ThreadId) -> &[u32] {
        self.porf.row(self.previous_of(thread))
    }

    /// What comes right before the next event of a thread: its latest one or ghost, or its spawn.
    fn previous_of(&self, thread: ThreadId) -> EventId {
        let latest = self.latest[thread.index()];
        if latest == NONE { self.spawns[thread.index()] } else { latest }
    }

    /// What is porf-before or at an event.
    pub fn porf(&self, e: EventId) -> &[u32] {
        self.porf.row(e)
    }

    /// Whether an event is in a prefix: of a ghost, whether a later attempt is.
    #[inline]
    pub fn is_in(&self, e: EventId, prefix: &[u32]) -> bool {
        let event = self.event(e);
        prefix[event.thread.index()] > event.index
    }

    /// The ghosts of the operation that a thread waits at, or of the one that begins with its event of this index.
    pub fn ghosts(&self, thread: ThreadId, index: u32) -> impl Iterator<Item = EventId> + '_ {
        let is_it = move |e: &Event| e.label == Label::Ghost && e.thread == thread && e.index == index;
        let end = if self.ghosts == 0 { 0 } else { self.events.len() };
        (0..end as EventId).filter(move |&e| is_it(self.event(e)))
    }

    /// The stamp of the next event.
    pub fn next_stamp(&self) -> u32 {
        self.next_stamp
    }

    /// Adds an event, the newest if it has no stamp of its own. A write takes the place that it names.
    pub fn append(&mut self, event: &Event) -> EventId {
        self.grow(event.thread.index() + 1);
        let previous = self.previous_of(event.thread);
        let e = self.put(event);
        self.note_stamp(e);
        self.note_porf(e, previous);
        e
    }

    /// Adds an event, without what is porf-before it and its place in the order of stamps.
    pub fn put(&mut self, event: &Event) -> EventId {
        let e = self.events.len() as EventId;
        let thread = event.thread.index();
        self.grow(thread + 1);
        let stamp = if event.stamp == FRESH { self.next_stamp } else { event.stamp };
        self.next_stamp = self.next_stamp.max(stamp + 1);
        let mut next_reader = NONE;
        self.plain += usize::from(event.order == Order::Plain);
        self.ghosts += usize::from(event.label == Label::Ghost);
        match event.label {
            Label::Read | Label::Ghost => {
                let first = match event.source {
                    NONE => &mut self.initial_readers[event.op.object.index()],
                    write => &mut self.events[write as usize].first_reader,
                };
                next_reader = std::mem::replace(first, e);
            }
            Label::Write => self.insert(event.op.object, e, event.place),
            Label::Spawn(child) => {
                self.grow(child.index() + 1);
                self.spawns[child.index()] = e;
            }
            Label::Fence | Label::Join(_) | Label::Choose | Label::After | Label::Nothing => {}
        }
        let (index, entered, first_reader) = (self.threads[thread].len() as u32, event.place, NONE);
        if event.label != Label::Ghost {
            self.threads[thread].push(e);
        }
        self.previous.push(std::mem::replace(&mut self.latest[thread], e));
        self.events.push(Event { stamp, index, entered, next_reader, first_reader, ..*event });
        e
    }

    /// Goes back to the first so many events.
    pub fn cut(&mut self, len: usize) {
        self.by_stamp.retain(|&e| (e as usize) < len);
        while self.events.len() > len {
            self.take_last();
        }
        self.porf.cut(len);
        self.next_stamp = self.by_stamp.last().map_or(0, |&newest| self.event(newest).stamp + 1);
    }

    fn take_last(&mut self) {
        let (Some(event), Some(previous)) = (self.events.pop(), self.previous.pop()) else { return };
        let thread = event.thread.index();
        self.plain -= usize::from(event.order == Order::Plain);
        self.ghosts -= usize::from(event.label == Label::Ghost);
        match event.label {
            // Whoever read a write last is the first of its readers.
            Label::Read | Label::Ghost => match event.source {
                NONE => self.initial_readers[event.op.object.index()] = event.next_reader,
                write => self.events[write as usize].first_reader = event.next_reader,
            },
            Label::Write => {
                let Graph { co, events, .. } = self;
                let writes = &mut co[event.op.object.index()];
                writes.remove(event.place as usize);
                for &after in &writes[event.place as usize..] {
                    events[after as usize].place -= 1;
                }
            }
            Label::Spawn(child) => self.spawns[child.index()] = NONE,
            Label::Fence | Label::Join(_) | Label::Choose | Label::After | Label::Nothing => {}
        }
        if event.label != Label::Ghost {
            self.threads[thread].pop();
        }
        self.latest[thread] = previous;
    }

    fn insert(&mut self, object: ObjectId, e: EventId, place: u32) {
        let Graph { co, events, .. } = self;
        let writes = &mut co[object.index()];
        for &after in &writes[place as usize..] {
            events[after as usize].place += 1;
        }
        writes.insert(place as usize, e);
    }

    /// Puts the latest event in its place in the order of stamps, which is mostly the last.
    fn note_stamp(&mut self, e: EventId) {
        let Graph { by_stamp, events, .. } = self;
        let stamp = events[e as usize].stamp;
        let newer = by_stamp.iter().rev().take_while(|&&other| events[other as usize].stamp > stamp).count();
        if newer == 0 {
            by_stamp.push(e);
        } else {
            by_stamp.insert(by_stamp.len() - newer, e);
        }
    }

    /// The porf clock of the latest event, which comes right after this one in its thread.
    fn note_porf(&mut self, e: EventId, previous: EventId) {
        let Graph { events, porf, .. } = self;
        let event = &events[e as usize];
        porf.push_copy(previous);
        for before in [event.source, event.cause] {
            if before != NONE {
                porf.join_event(e, before, &events[before as usize]);
            }
        }
        if event.label != Label::Ghost {
            porf.row_mut(e)[event.thread.index()] = event.index + 1;
        }
    }

    /// Becomes what is left of another graph: the events that are kept, in the same order. `numbers` has their new numbers
    /// afterwards, [`NONE`] for the others. No write that is left out is before one that is kept in coherence order, so that places
    /// stay. Without porf and the order of stamps.
    pub fn restrict(&mut self, from: &Graph, numbers: &mut Vec<EventId>, keep: impl Fn(EventId) -> bool) {
        self.clear();
        self.grow(from.thread_count());
        self.grow_objects(from.object_count());
        self.initial.clone_from(&from.initial);
        // What is added now is newer than what was left out, too.
        self.next_stamp = from.next_stamp;
        numbers.clear();
        for (e, event) in (0..).zip(&from.events) {
            if !keep(e) {
                numbers.push(NONE);
                continue;
            }
            let renumbered = |e: EventId| if e == NONE { NONE } else { numbers[e as usize] };
            let (source, cause) = (renumbered(event.source), renumbered(event.cause));
            debug_assert!(from.is_kept_before(e, numbers), "coherence order leads from what is gone to what is kept");
            let number = self.put(&Event { source, cause, place: event.entered, ..*event });
            numbers.push(number);
        }
    }

    /// Whether the write before this one in coherence order, if it stands before it in the arena, has a number.
    pub(crate) fn is_kept_before(&self, e: EventId, numbers: &[EventId]) -> bool {
        let event = self.event(e);
        let before = if event.is_write() { self.of_rank(event.object(), event.place as usize) } else { NONE };
        before == NONE || before >= e || numbers[before as usize] != NONE
    }
}
