//! `graphs`: truly stateless, optimal exploration of execution graphs.
//!
//! M. Kokologiannakis, I. Marmanis, V. Gladstein, V. Vafeiadis: *Truly Stateless, Optimal Dynamic Partial Order Reduction*, POPL
//! 2022 (TruSt). Each consistent execution graph is visited once, and nothing is remembered of those that were.
//!
//! | paper | here |
//! |---|---|
//! | Visit(P, G) | [`Graphs::visit`], one [`Task`] after the other |
//! | next_P(G) | [`Graphs::next`] |
//! | VisitIfConsistent | [`Graphs::child`] with the floors of the model, m(e) |
//! | VisitRfs, VisitCOs | [`Graphs::read`], [`Graphs::write`] |
//! | backward revisits, Deleted | [`Graphs::revisit`]: D is what is newer than r and not in `pre` |
//! | cprefix(a) | `pre`, how many events of each thread are porf-before a |
//! | IsMaximallyAdded | [`Graphs::is_maximal`] |
//! | <_G | stamps |
//!
//! Departures, each with its reason:
//! - Visit does not recurse. A task is run to one complete graph by maximal additions; all other choices become tasks when
//!   the event is added. So a complete graph is one run of the program, the stack cannot overflow, and tasks share nothing.
//! - `next` is free (the paper fixes an order): operations that may block come last, because then no run is wasted on awaits.
//! - Maximality is a bit that is set when an event is added, one look at what is coherence-after it in `pre`, and one at who
//!   reads it; reads are tried from the newest to the oldest up to the first event that is not maximal, because D only grows.
//! - The read of an update may take a write that another update reads, its *rival*. No such graph is executed: the write would
//!   have no place, so that only its revisits are of use, which are made at once.
//! - Blocking operations are not in the paper. A read with a test is only added where it passes. One that is revisited by a
//!   write that fails its test becomes a *ghost*: the thread waits again, but the attempt keeps its stamp and its source, so
//!   that what was deleted for it is not found twice. [`Graphs::accepts`] says what an operation with ghosts may read.

use crate::access::{Access, Asked, asked};
use crate::branch::Branch;
use crate::clocks::join;
use crate::graph::{Event, EventId, FRESH, Graph, Label, NONE};
use crate::loops::Known;
use crate::models::{Asker, Asking, ModelInfo};
use crate::run::{Error, Run, Simple, written};
use crate::sequential::Sequential;
use crate::stronger::Stronger;
use crate::task::{Step, Task};
use model::{Failure, Names, ObjectId, Op, Request, ThreadId, Threads};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use trace::{Ending, Tally};

/// A thread that takes so many steps in a row may wait for others: they go first then.
const FAIR: usize = 1 << 10;
/// Executions with more events may take long.
const LONG: usize = 256;

/// As a source: the event before this one in the list of those that are added.
const PREVIOUS: EventId = NONE - 1;

/// A graph to which nothing can be added.
pub struct Complete<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// How the execution ended.
    pub ending: Ending,
    /// The failures, each with the thread that failed.
    pub failures: &'a [(ThreadId, Failure)],
    /// What the threads that are left wait for.
    pub waiting: &'a [(ThreadId, Op)],
    /// The pairs of accesses that race.
    pub races: &'a [(EventId, EventId)],
    /// Why it was visited; none for the first.
    pub branch: Option<Branch>,
}

/// Who is told of the graph of a visit.
pub(crate) trait Visitor {
    /// A graph is complete. `Break` ends the search.
    fn complete(&mut self, complete: &Complete<'_>) -> ControlFlow<()>;

    /// A run was given up, with what there is of its graph.
    fn given_up(&mut self, given_up: &Complete<'_>);
}

/// A search, or what one worker of it has.
pub struct Graphs<'t> {
    pub(crate) run: Run<'t>,
    info: &'static ModelInfo,
    most_events: usize,
    /// What the last visit has left to do.
    pub(crate) tasks: Vec<Task>,
    /// Tasks that were run, to be used again.
    pub(crate) spare: Vec<Task>,
    child: Graph,
    sequential: Sequential,
    numbers: Vec<EventId>,
    pre: Vec<u32>,
    candidates: Vec<EventId>,
    places: Vec<usize>,
    in_a_row: (ThreadId, usize),
    pub(crate) tally: Tally,
    /// How many visits were begun.
    visits: u64,
    pub(crate) waiting: Vec<(ThreadId, Op)>,
    /// The state of the random numbers by which `next` chooses, if it does.
    random: Option<u64>,
    /// When the search is over.
    deadline: Option<Instant>,
}

/// What can be added.
enum Next {
    /// The operation of this thread.
    Ready(ThreadId, Asked),
    /// Nothing, but this thread may read a write that is not the last.
    Late(ThreadId, Asked),
    /// Nothing.
    Complete,
}

impl<'t> Graphs<'t> {
    /// A search of a program's threads under a model, in which executions have at most so many events.
    pub fn new(
        threads: Box<dyn Threads + 't>,
        names: &'t dyn Names,
        info: &'static ModelInfo,
        most_events: usize,
    ) -> Self {
        let run = Run::new(threads, names, info);
        let child = run.g.clone();
        Graphs {
            run,
            info,
            most_events,
            tasks: Vec::new(),
            spare: Vec::new(),
            child,
            sequential: Sequential::default(),
            numbers: Vec::new(),
            pre: Vec::new(),
            candidates: Vec::new(),
            places: Vec::new(),
            in_a_row: (ThreadId(0), 0),
            tally: Tally::default(),
            visits: 0,
            waiting: Vec::new(),
            random: None,
            deadline: None,
        }
    }

    /// The same search with a random `next`, which must make no difference to what is found.
    pub fn at_random(self, seed: u64) -> Self {
        Graphs { random: Some(seed), ..self }
    }

    /// The same search with other memory orders than the program's.
    pub fn with_orders(mut self, stronger: &'t Stronger) -> Self {
        self.run.stronger = Some(stronger);
        self
    }

    /// The same search, which ends in the middle of an execution after so much time.
    pub fn for_a_time(mut self, time: Duration) -> Self {
        self.deadline = Instant::now().checked_add(time);
        self
    }

    /// Whether the run at hand is of no use: something was learnt, or its time is up. (The clock is not free, and whoever is told
    /// of executions has one: it is looked at in long ones only.)
    fn is_over(&self) -> bool {
        let is_long = self.run.g.len() > LONG && self.run.g.len().is_multiple_of(16);
        let is_late = || is_long && self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.run.is_useless || self.run.loops.has_learnt || is_late()
    }

    /// The search begins, or begins anew, with what is known of the program's loops.
    pub(crate) fn begin(&mut self, known: &Known) {
        self.run.know(known);
        self.spare.append(&mut self.tasks);
        self.tally = Tally::default();
        self.visits = 0;
    }

    /// Runs a task to a complete graph, by maximal additions. All other choices on the way become tasks. None if the run was given
    /// up on the way: then nothing was counted, and the task is still to be done.
    pub(crate) fn visit(&mut self, task: &Task, watcher: &mut dyn Visitor) -> Result<Option<ControlFlow<()>>, Error> {
        let visited = self.try_visit(task, watcher);
        if matches!(visited, Ok(None)) {
            self.spare.append(&mut self.tasks);
        }
        let share = task.share / (self.tasks.len() as f64 + 1.0);
        self.tasks.iter_mut().for_each(|task| task.share = share);
        visited
    }

    fn try_visit(&mut self, task: &Task, watcher: &mut dyn Visitor) -> Result<Option<ControlFlow<()>>, Error> {
        self.visits += 1;
        self.run.load(task)?;
        if self.is_over() {
            return Ok(None);
        }
        let replayed = task.steps.len() as u64;
        self.in_a_row.1 = 0;
        if self.run.updating.is_some() && !self.run.halted && !self.finish_update() {
            self.tally.replayed += replayed;
            self.tally.sleep_set_blocked += 1;
            self.waiting.clear();
            watcher.given_up(&self.told(Ending::SleepSetBlocked, task.branch));
            return Ok(Some(ControlFlow::Continue(())));
        }
        let ending = loop {
            if self.is_over() {
                return Ok(None);
            }
            if self.run.halted {
                self.waiting.clear();
                break Ending::Failed;
            }
            if self.run.g.len() >= self.most_events {
                break Ending::TooLong;
            }
            match self.next()? {
                Next::Ready(thread, asked) => self.add(thread, &asked)?,
                Next::Late(thread, asked) => self.wait(thread, &asked),
                Next::Complete => break self.ending()?,
            }
        };
        let events = self.run.g.len() as u64;
        self.tally.replayed += replayed;
        self.tally.steps += events.saturating_sub(replayed);
        self.tally.longest = self.tally.longest.max(events);
        self.tally.count(ending);
        let told = self.told(ending, task.branch);
        if matches!(ending, Ending::SleepSetBlocked | Ending::TooLong) {
            watcher.given_up(&told);
            return Ok(Some(ControlFlow::Continue(())));
        }
        Ok(Some(watcher.complete(&told)))
    }

    /// The graph at hand, for whoever is told of it.
    fn told(&self, ending: Ending, branch: Option<Branch>) -> Complete<'_> {
        let Run { g: graph, failures, races, .. } = &self.run;
        Complete { graph, ending, failures, waiting: &self.waiting, races, branch }
    }

    /// Any operation that can be added; those that may block come last. If there is none, one that can read late.
    fn next(&mut self) -> Result<Next, Error> {
        if self.random.is_some() {
            return self.next_at_random();
        }
        self.run.look_at_requests()?;
        let threads = self.run.thread_count();
        let (last, row) = self.in_a_row;
        let first = if row < FAIR { 0 } else { (last.index() + 1) % threads.max(1) };
        let (mut ready, mut going_round) = (None, None);
        for thread in (first..threads).chain(0..first).map(|t| ThreadId(t as u32)) {
            let Some(asked) = self.run.asked(thread) else { continue };
            if self.run.cause(thread, asked).is_none() {
                continue;
            }
            if asked.blocks {
                if ready.is_none() && self.may_take(thread, asked, self.run.g.last(asked.op.object)) {
                    ready = Some((thread, *asked));
                }
            } else if self.run.loops.is_place(&asked.op) {
                going_round.get_or_insert((thread, *asked));
            } else {
                let asked = *asked;
                self.in_a_row = (thread, if thread == last { row + 1 } else { 0 });
                return Ok(Next::Ready(thread, asked));
            }
        }
        if let Some((thread, asked)) = ready.or(going_round) {
            return Ok(Next::Ready(thread, asked));
        }
        Ok(self.late())
    }

    /// One of those that can be added, by chance.
    fn next_at_random(&mut self) -> Result<Next, Error> {
        self.run.look_at_requests()?;
        let mut ready = Vec::new();
        for thread in (0..self.run.thread_count() as u32).map(ThreadId) {
            let Some(asked) = self.run.asked(thread) else { continue };
            let is_ready = self.run.cause(thread, asked).is_some()
                && (!asked.blocks || self.may_take(thread, asked, self.run.g.last(asked.op.object)));
            ready.extend(is_ready.then_some((thread, *asked)));
        }
        // SplitMix64 by Steele, Lea and Flood.
        let state = self.random.get_or_insert(0);
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let number = (mixed ^ mixed >> 31) as usize;
        match ready.len() {
            0 => Ok(self.late()),
            many => {
                let (thread, asked) = ready.swap_remove(number % many);
                Ok(Next::Ready(thread, asked))
            }
        }
    }

    /// Nothing can be added: an operation that can read a write that is not the last, if there is one.
    fn late(&mut self) -> Next {
        for thread in (0..self.run.thread_count() as u32).map(ThreadId) {
            let Some(&asked) = self.run.asked(thread) else { continue };
            if asked.blocks && self.run.cause(thread, &asked).is_some() && self.can_read_late(thread, &asked) {
                return Next::Late(thread, asked);
            }
        }
        Next::Complete
    }

    /// Whether an operation may read a write as far as its test and its ghosts are concerned.
    fn may_take(&self, thread: ThreadId, asked: &Asked, write: EventId) -> bool {
        let g = &self.run.g;
        let index = g.of_thread(thread).len() as u32;
        let is_accepted = |ghost| accepts(g, ghost, Candidate::Known(write));
        asked.passes(g.word(asked.op.object, write)) && (!asked.blocks || g.ghosts(thread, index).all(is_accepted))
    }

    fn can_read_late(&mut self, thread: ThreadId, asked: &Asked) -> bool {
        let object = asked.op.object;
        (0..=self.run.g.co(object).len()).any(|rank| {
            let write = self.run.g.of_rank(object, rank);
            self.may_take(thread, asked, write) && rank >= self.floor_of_read(thread, asked, write)
        })
    }

    /// The rank of m(e) of the operation's read where it reads this write.
    fn floor_of_read(&mut self, thread: ThreadId, asked: &Asked, write: EventId) -> usize {
        let updates = asked.written(self.run.g.word(asked.op.object, write), thread, 0).is_some();
        self.floor_of(thread, asked, if updates { Asking::Update } else { Asking::Read })
    }

    /// The rank of m(e) of a thread's next read.
    fn floor_of(&mut self, thread: ThreadId, asked: &Asked, access: Asking) -> usize {
        let cause = self.run.cause(thread, asked).unwrap_or(NONE);
        let index = self.run.g.of_thread(thread).len() as u32;
        self.floor(Asker { thread, index, object: asked.op.object, access, cause })
    }

    fn floor(&mut self, asker: Asker) -> usize {
        let Run { g, hb, model, .. } = &mut self.run;
        model.floor(g, hb, asker)
    }

    fn add(&mut self, thread: ThreadId, asked: &Asked) -> Result<(), Error> {
        match asked.access {
            Access::Read | Access::Update => self.read(thread, asked),
            Access::Write(value) => {
                let event = crate::run::writing(thread, asked, value);
                self.write(asked, event);
            }
            Access::Choose(alternatives) => {
                for alternative in (1..alternatives).rev() {
                    let event = Event::new(thread, Label::Choose, asked.op, model::Order::Relaxed);
                    self.task(&[Event { alternative, maximal: false, ..event }], false);
                }
                self.run.simple(thread, asked, &Simple::default())?;
            }
            Access::Nothing | Access::Fence | Access::Spawn | Access::Join(_) | Access::Pass(_) => {
                self.run.simple(thread, asked, &Simple::default())?;
            }
        }
        Ok(())
    }

    /// Adds a read of the last write, and makes tasks of the others.
    fn read(&mut self, thread: ThreadId, asked: &Asked) {
        let last = self.run.g.last(asked.op.object);
        self.read_others(thread, asked);
        let event = self.run.reading(thread, asked, last);
        self.run.add(asked, &event);
        if self.run.updating.is_some() && !self.run.halted {
            self.finish_update();
        }
    }

    /// Nothing else can be added: reads of writes that are not the last become tasks, and the operation goes on waiting.
    fn wait(&mut self, thread: ThreadId, asked: &Asked) {
        let last = self.run.g.last(asked.op.object);
        self.read_others(thread, asked);
        let ghost = Event { label: Label::Ghost, ..self.run.reading(thread, asked, last) };
        self.run.add(asked, &ghost);
    }

    /// Makes tasks of the reads of all writes but the last.
    fn read_others(&mut self, thread: ThreadId, asked: &Asked) {
        let object = asked.op.object;
        // m(e) depends on what is read only in whether it is an update that reads it, and is not less of an update.
        let floor_of_read = self.floor_of(thread, asked, Asking::Read);
        let mut floor_of_update = None;
        for rank in floor_of_read..self.run.g.co(object).len() {
            let source = self.run.g.of_rank(object, rank);
            if !self.may_take(thread, asked, source) {
                continue;
            }
            let read = Event { maximal: false, ..self.run.reading(thread, asked, source) };
            if !read.update {
                self.task(&[read], true);
                continue;
            }
            if rank < *floor_of_update.get_or_insert_with(|| self.floor_of(thread, asked, Asking::Update)) {
                continue;
            }
            let rival = self.run.g.update_of(object, source);
            if rival == NONE {
                self.task(&[read], true);
                continue;
            }
            // Only where its rival goes has the update a place, and only what is maximal goes.
            let alternatives = if self.run.g.event(rival).maximal { asked.alternatives(read.value) } else { 0 };
            for alternative in 0..alternatives {
                self.revisit(written(&read, asked, alternative), Some(read), 0);
            }
        }
    }

    /// Adds a write in the last place, makes tasks of the other places and of what it revisits.
    fn write(&mut self, asked: &Asked, event: Event) {
        let object = event.object();
        let (places, floor) = (self.run.g.co(object).len(), self.floor_of_write(&event));
        for place in floor..places {
            let is_split = self.run.g.event(self.run.g.co(object)[place]).update;
            if !is_split {
                self.task(&[Event { place: place as u32, maximal: false, ..event }], true);
            }
        }
        self.revisit(event, None, floor);
        self.run.add(asked, &Event { place: places as u32, ..event });
    }

    fn floor_of_write(&mut self, event: &Event) -> usize {
        let index = self.run.g.of_thread(event.thread).len() as u32;
        let access = Asking::Write(event.order);
        self.floor(Asker { thread: event.thread, index, object: event.object(), access, cause: NONE })
    }

    /// Adds the write of the update in whose middle the graph is, right behind what its read reads. Says whether that is
    /// consistent.
    fn finish_update(&mut self) -> bool {
        let Some(updating) = self.run.updating else { return true };
        let read = *self.run.g.event(updating.read);
        let object = read.object();
        let place = self.run.g.rank(read.source);
        let is_last = place == self.run.g.co(object).len();
        for alternative in 1..updating.asked.alternatives(read.value) {
            let event = self.run.updated(&updating, alternative);
            self.revisit(event, None, 0);
            self.task(&[Event { place: place as u32, maximal: false, ..event }], true);
        }
        let event = self.run.updated(&updating, 0);
        self.revisit(event, None, 0);
        let event = Event { place: place as u32, maximal: is_last, ..event };
        if !is_last && !self.is_allowed(&[event]) {
            return false;
        }
        self.run.add(&updating.asked, &event);
        if !is_last {
            self.run.model.settle(&self.run.g, self.run.g.len() - 1);
        }
        true
    }

    /// Whether the axioms allow the graph with these events, where clocks do not tell.
    fn is_allowed(&mut self, events: &[Event]) -> bool {
        if !self.run.model.needs_axioms(&self.run.g, events) {
            return true;
        }
        self.make_child(|_, _| true, events);
        self.is_child_allowed()
    }

    fn is_child_allowed(&mut self) -> bool {
        let (child, model) = (&self.child, &self.run.model);
        !model.needs_axioms(child, &[])
            || self.sequential.has(child)
            || !model.is_sequential(child) && self.info.allows(child)
    }

    /// Makes tasks of the graphs in which an earlier read takes the write `a`, and what is newer than it and not before `a` is
    /// gone. `read` is the read of `a`'s update, if that is not in the graph. `floor` is the rank of m(a).
    fn revisit(&mut self, a: Event, read: Option<Event>, floor: usize) {
        let mut pre = std::mem::take(&mut self.pre);
        let mut candidates = std::mem::take(&mut self.candidates);
        self.note_prefix(&a, read.as_ref(), &mut pre);
        find_candidates(&self.run.g, a.object(), &pre, &mut candidates);
        if let Some(read) = read {
            // As long as the rival is there, the write has no place.
            let g = &self.run.g;
            let rival = g.update_of(a.object(), read.source);
            candidates.retain(|&r| !g.is_in(rival, &pre) && g.event(r).stamp <= g.event(rival).stamp);
        }
        let mut newer = self.run.g.by_stamp().len();
        'reads: for &r in &candidates {
            let g = &self.run.g;
            // All of D, from where the read before came to.
            while g.by_stamp().get(newer) != Some(&r) {
                newer -= 1;
                let e = g.by_stamp()[newer];
                if !g.is_in(e, &pre) && !is_maximal(g, e, &pre) {
                    break 'reads;
                }
            }
            self.revisit_read(r, a, read, &pre, floor);
        }
        (self.pre, self.candidates) = (pre, candidates);
    }

    /// `pre`: what is porf-before `a`.
    fn note_prefix(&self, a: &Event, read: Option<&Event>, pre: &mut Vec<u32>) {
        let g = &self.run.g;
        pre.clear();
        pre.extend_from_slice(g.porf_next(a.thread));
        if let Some(read) = read {
            join(pre, g.porf(read.source));
            join(pre, g.porf(read.cause));
            pre[a.thread.index()] = g.of_thread(a.thread).len() as u32 + 1;
        }
    }

    /// Makes tasks of the graphs in which `r` reads `a`, for every place of `a`.
    fn revisit_read(&mut self, r: EventId, a: Event, read: Option<Event>, pre: &[u32], floor: usize) {
        let g = &self.run.g;
        let old = *g.event(r);
        let (object, thread) = (a.object(), old.thread);
        let Ok(mut asked) = asked(Request { op: old.op, orders: old.orders }, thread) else { return };
        if let Some(&futile) = self.run.loops.futile(thread, old.index) {
            asked.but_for(futile);
        }
        let is_accepted = |ghost| accepts(g, ghost, Candidate::New(pre));
        if asked.blocks && !g.ghosts(thread, old.index).all(is_accepted) {
            return;
        }
        let passes = asked.passes(a.value);
        let update = asked.written(a.value, thread, 0).is_some();
        let access = if update { Asking::Update } else { Asking::Read };
        let asker = Asker { thread, index: old.index, object, access, cause: old.cause };
        let floor = floor.max(self.floor(asker));
        let g = &self.run.g;
        let is_kept = |w: EventId| g.event(w).stamp < old.stamp || g.is_in(w, pre);
        // Ranks among what is kept, from here on.
        let kept = |rank: usize| g.co(object)[..rank].iter().filter(|&&w| is_kept(w)).count();
        let (floor, last) = (kept(floor), kept(g.co(object).len()));
        let own = read.or_else(|| self.run.updating.map(|updating| *g.event(updating.read)));
        let forced = own.filter(|_| a.update).map(|own| kept(g.rank(own.source)));
        let is_split = |place: usize| {
            let mut writes = g.co(object).iter().filter(|&&w| is_kept(w));
            writes.nth(place).is_some_and(|&w| g.event(w).update)
        };
        let is_place = |&place: &usize| forced.is_none_or(|forced| forced == place) && !is_split(place);
        let possible = (if passes { floor } else { last.max(floor) })..=last;
        let mut places = std::mem::take(&mut self.places);
        places.clear();
        places.extend(possible.filter(is_place));
        for &place in &places {
            let is_last = place == last;
            let a = Event { place: place as u32, maximal: is_last, ..a };
            let again = Event { source: PREVIOUS, value: a.value, maximal: is_last, update, ..old };
            let again = Event { order: asked.order(update), ..again };
            let again = if passes { again } else { Event { label: Label::Ghost, update: false, ..again } };
            match read {
                Some(read) => self.task_of_revisit(r, pre, &[read, a, again], !is_last),
                None => self.task_of_revisit(r, pre, &[a, again], !is_last),
            }
        }
        self.places = places;
    }

    /// Makes a task of the graph with more events. One that is not maximal is held against the axioms where clocks do not tell all.
    fn task(&mut self, events: &[Event], check: bool) {
        if check && !self.is_allowed(events) {
            return;
        }
        let mut task = self.spare.pop().unwrap_or_default();
        self.run.describe_with(events, &mut task);
        task.branch = Some(Branch::of_addition(self.visits - 1, &self.run.g, events));
        self.tasks.push(task);
    }

    /// The same of what is left of the graph without `r` and D.
    fn task_of_revisit(&mut self, r: EventId, pre: &[u32], events: &[Event], check: bool) {
        let keeps = |g: &Graph, e: EventId| e != r && (g.event(e).stamp < g.event(r).stamp || g.is_in(e, pre));
        if check && self.run.model.needs_axioms(&self.run.g, events) {
            self.make_child(keeps, events);
            if !self.is_child_allowed() {
                return;
            }
        }
        let Graphs { run: Run { g, steps, .. }, numbers, .. } = self;
        let mut task = self.spare.pop().unwrap_or_default();
        task.describe_kept(g, steps, numbers, |e| keeps(g, e));
        for (event, stamp) in events.iter().zip(g.next_stamp()..) {
            let step = Step::of(&renumbered(event, numbers, task.steps.len(), stamp));
            task.steps.push(step);
        }
        task.branch = Some(Branch::of_revisit(self.visits - 1, g, events));
        self.tasks.push(task);
    }

    fn make_child(&mut self, keeps: impl Fn(&Graph, EventId) -> bool, events: &[Event]) {
        let Graphs { run: Run { g, .. }, child, numbers, .. } = self;
        child.restrict(g, numbers, |e| keeps(g, e));
        for event in events {
            let event = renumbered(event, numbers, child.len(), FRESH);
            child.put(&event);
        }
    }

    /// How the graph ended, to which nothing can be added. Given up if a thread waits for what it could read in another graph.
    pub(crate) fn ending(&mut self) -> Result<Ending, Error> {
        self.waiting.clear();
        self.run.look_at_requests()?;
        let mut is_waste = false;
        for thread in (0..self.run.thread_count() as u32).map(ThreadId) {
            if self.run.loops.goes_round(thread) {
                self.waiting.extend(self.run.threads.request(thread).map(|request| (thread, request.op)));
                is_waste |= !self.run.loops.is_stuck(&self.run.g, thread);
                continue;
            }
            let Some(asked) = self.run.asked(thread) else { continue };
            self.waiting.push((thread, asked.op));
            let g = &self.run.g;
            let last = g.last_or_none(asked.op.object);
            let index = g.of_thread(thread).len() as u32;
            let mut ghosts = g.ghosts(thread, index).peekable();
            if ghosts.peek().is_some() {
                let is_right = |ghost| g.event(ghost).source == last || accepts(g, ghost, Candidate::Known(last));
                is_waste |= asked.passes(g.word(asked.op.object, last)) || !ghosts.all(is_right);
            }
        }
        self.run.note_broken_releases();
        Ok(if is_waste {
            Ending::SleepSetBlocked
        } else if self.run.has_failed() {
            Ending::Failed
        } else if self.run.is_cut() {
            Ending::Cut
        } else if self.waiting.is_empty() || self.run.has_exited() {
            if self.run.note_left_behind() { Ending::Failed } else { Ending::Completed }
        } else {
            Ending::Deadlocked
        })
    }
}

/// An event to be added to what is left of a graph, `numbers` of it, as the event of this number. A new one gets this stamp.
fn renumbered(event: &Event, numbers: &[EventId], number: usize, stamp: u32) -> Event {
    let renumbered = |e: EventId| match e {
        NONE => NONE,
        PREVIOUS => number as EventId - 1,
        e => numbers[e as usize],
    };
    let stamp = if event.stamp == FRESH { stamp } else { event.stamp };
    Event { source: renumbered(event.source), cause: renumbered(event.cause), stamp, ..*event }
}

/// The reads of an object that a write of it may revisit, the newest first: those that are not in `pre`, and whose writes no write of
/// `pre` is behind.
fn find_candidates(g: &Graph, object: ObjectId, pre: &[u32], candidates: &mut Vec<EventId>) {
    candidates.clear();
    for rank in (0..=g.co(object).len()).rev() {
        let write = g.of_rank(object, rank);
        let may_be = |&r: &EventId| g.event(r).is_read() && !g.is_in(r, pre);
        candidates.extend(g.readers(object, write).filter(may_be));
        if write != NONE && g.is_in(write, pre) {
            break;
        }
    }
    candidates.sort_unstable_by_key(|&r| std::cmp::Reverse(g.event(r).stamp));
}

/// Whether an event of D, or r, was added maximally as far as what is before `a` and what is older than it can tell.
fn is_maximal(g: &Graph, e: EventId, pre: &[u32]) -> bool {
    let event = g.event(e);
    let write = match event.label {
        Label::Read => event.source,
        Label::Write => e,
        Label::Choose => return event.maximal,
        _ => return true,
    };
    let is_read_before = |r: EventId| g.event(r).stamp < event.stamp;
    event.maximal
        && !g.co(event.object())[g.rank(write)..].iter().any(|&w| g.is_in(w, pre))
        && !(event.is_write() && g.readers(event.object(), e).any(is_read_before))
}

/// A write that an operation may read.
enum Candidate<'a> {
    /// One of the graph.
    Known(EventId),
    /// One that is not in the graph yet, with what is porf-before it.
    New(&'a [u32]),
}

/// Whether an operation may read a write, although an attempt of it failed: the write is in the chain of revisits by which
/// the failed read would have come to it, each the last write among what was there before the ghost and what the next one
/// is after.
fn accepts(g: &Graph, ghost: EventId, candidate: Candidate<'_>) -> bool {
    let Event { stamp, source, .. } = *g.event(ghost);
    let is_old = |w: EventId| w == NONE || g.event(w).stamp < stamp;
    let (mut write, mut prefix) = match candidate {
        Candidate::Known(write) if is_old(write) => return false,
        Candidate::Known(write) => (write, g.porf(write)),
        Candidate::New(prefix) => (NONE, prefix),
    };
    loop {
        let is_there = |&&w: &&EventId| is_old(w) || w != write && g.is_in(w, prefix);
        let before = g.co(g.event(ghost).object()).iter().rev().find(is_there).copied().unwrap_or(NONE);
        if before == source || is_old(before) {
            return before == source;
        }
        (write, prefix) = (before, g.porf(before));
    }
}
