//! The graph at hand and the threads of the program at its end: events are executed as they are added.

use crate::access::{Access, Asked, Holdings, Unsupported, asked};
use crate::graph::{Event, EventId, FRESH, Graph, Label, NONE};
use crate::hb::HappensBefore;
use crate::lives::{Broken, broken_releases};
use crate::loops::{Known, Loops};
use crate::models::{Model, ModelInfo};
use crate::stronger::Stronger;
use crate::task::{Step, StepKind, Task};
use explore::CheckpointError;
use model::{
    Answer, Failure, FailureKind, Names, ObjectId, Op, OpKind, Order, Outcome, Site, State, ThreadId, ThreadState,
    Threads,
};
use std::fmt;

/// A search that could not be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// An operation of the program has no form in graphs.
    Unsupported(Unsupported),
    /// The front end cannot part the program's threads from its memory.
    NoThreads,
    /// The program did something else than before, at this step.
    Diverged {
        /// The step, counted from 1.
        step: usize,
    },
    /// It cannot be written to a file, or go on from one.
    Checkpoint(CheckpointError),
    /// Something is wrong with a worker in another process.
    Worker(explore::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unsupported(unsupported) => unsupported.fmt(f),
            Error::NoThreads => f.write_str(
                "memory models are for programs in litmus notation, Rust, C and C++: others are sequentially consistent",
            ),
            Error::Checkpoint(error) => error.fmt(f),
            Error::Worker(error) => error.fmt(f),
            Error::Diverged { step } => write!(
                f,
                "the program behaves differently when it is run again with the same answers, at step {step}. Its steps must \
                 depend on nothing but what it reads"
            ),
        }
    }
}

impl std::error::Error for Error {}

/// An event that neither reads nor writes.
pub(crate) struct Simple {
    pub(crate) alternative: u32,
    pub(crate) maximal: bool,
    pub(crate) stamp: u32,
}

impl Default for Simple {
    /// A new one.
    fn default() -> Self {
        Simple { alternative: 0, maximal: true, stamp: FRESH }
    }
}

/// The read of an update whose write comes next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Updating {
    pub(crate) asked: Asked,
    pub(crate) read: EventId,
}

pub(crate) struct Run<'t> {
    pub(crate) threads: Box<dyn Threads + 't>,
    pub(crate) names: &'t dyn Names,
    /// Memory orders in place of the program's, if there are any.
    pub(crate) stronger: Option<&'t Stronger>,
    pub(crate) g: Graph,
    pub(crate) hb: HappensBefore,
    pub(crate) model: Box<dyn Model>,
    has_races: bool,
    /// Whether threads are real code.
    is_native: bool,
    /// Whether the model asks what happens before what.
    needs_happens_before: bool,
    pub(crate) loops: Loops,
    holdings: Holdings,
    pub(crate) failures: Vec<(ThreadId, Failure)>,
    /// How many events there are with that by which each of them came about.
    failed_at: Vec<usize>,
    /// The pairs of accesses that race.
    pub(crate) races: Vec<(EventId, EventId)>,
    /// The update in whose middle the graph ends.
    pub(crate) updating: Option<Updating>,
    /// Whether threads are real code and there was a data race: what they would do after it has no meaning.
    pub(crate) halted: bool,
    /// Whether a thread was stopped: its threads cannot go back before that.
    has_stopped: bool,
    /// Whether an object was initialised, destroyed or freed.
    has_lives: bool,
    /// How the events of the graph were added.
    pub(crate) steps: Vec<Step>,
    /// What the threads were told, at the events by which their operations were done.
    answers: Vec<Option<Answer>>,
    /// How much was noted of loops before each event.
    noted: Vec<usize>,
    /// What the threads ask for, as far as that was looked at since they went on.
    asked: Vec<Option<Asked>>,
    /// The threads that went on since.
    went_on: Vec<ThreadId>,
    /// Whether the task is still being executed: clocks of the model are worked out when it is.
    is_loading: bool,
    /// Whether what the run shows of the program makes the search useless.
    pub(crate) is_useless: bool,
}

impl<'t> Run<'t> {
    pub(crate) fn new(threads: Box<dyn Threads + 't>, names: &'t dyn Names, info: &ModelInfo) -> Self {
        let words = (0..threads.objects() as u32).map(|o| threads.initial(ObjectId(o))).collect();
        let mut g = Graph::new(words);
        g.grow(threads.threads());
        let hb = HappensBefore::new(info.strong);
        let (is_native, model) = (threads.is_native(), (info.make)());
        Run {
            threads,
            names,
            stronger: None,
            g,
            hb,
            needs_happens_before: model.needs_happens_before(),
            model,
            has_races: info.has_races,
            is_native,
            loops: Loops::default(),
            holdings: Holdings::default(),
            failures: Vec::new(),
            failed_at: Vec::new(),
            has_stopped: false,
            races: Vec::new(),
            updating: None,
            halted: false,
            has_lives: false,
            steps: Vec::new(),
            answers: Vec::new(),
            noted: Vec::new(),
            asked: Vec::new(),
            went_on: Vec::new(),
            is_loading: false,
            is_useless: false,
        }
    }

    /// Executes a task from the start of the program. What it has in common with the graph at hand stays there.
    pub(crate) fn load(&mut self, task: &Task) -> Result<(), Error> {
        let common = self.in_common_with(task);
        let common = if self.go_back(common) { common } else { 0 };
        if common == 0 {
            self.begin();
        }
        self.is_loading = true;
        for (number, step) in task.steps.iter().enumerate().skip(common) {
            if self.is_to_begin_anew() {
                return Ok(());
            }
            if self.replay(step)?.is_none() {
                return Err(Error::Diverged { step: number + 1 });
            }
            if self.halted {
                break;
            }
        }
        self.settle(common);
        Ok(())
    }

    /// The search begins, or begins anew, with what is known of the program's loops. What the graph at hand was made with is of no use.
    pub(crate) fn know(&mut self, known: &Known) {
        self.loops.known.clone_from(known);
        self.steps.clear();
    }

    /// How many of the first events of the graph a task has, too, as far as no more is to be known of them than the graph says.
    fn in_common_with(&self, task: &Task) -> usize {
        if self.has_stopped || self.halted || self.is_useless {
            return 0;
        }
        let same = self.steps.iter().zip(&task.steps).take_while(|(step, other)| step == other).count();
        // An update is done by its write.
        let ends_in_update = same > 0 && self.g.event(same as EventId - 1).update && self.answers[same - 1].is_none();
        same - usize::from(ends_in_update)
    }

    /// Makes a task of the graph with one or two events more.
    pub(crate) fn describe_with(&self, events: &[Event], task: &mut Task) {
        task.steps.clear();
        task.steps.extend_from_slice(&self.steps);
        task.kept = self.steps.len();
        let stamps = self.g.next_stamp()..;
        task.steps.extend(events.iter().zip(stamps).map(|(event, stamp)| Step { stamp, ..Step::of(event) }));
    }

    /// Goes back to the first so many events: the threads are told again what they were told, as far as they do not know it. False, and of no use, if they ask for
    /// something else.
    fn go_back(&mut self, len: usize) -> bool {
        if len == 0 {
            return false;
        }
        let answers = self.answers[..len].iter().flatten().count();
        let mut told = self.threads.go_back(answers);
        if told == answers && !self.is_native {
            self.forget_requests_behind(len);
        } else {
            self.forget_requests();
        }
        if let Some(&noted) = self.noted.get(len) {
            self.loops.go_back(noted);
        }
        self.holdings.clear();
        self.updating = None;
        self.failed_at.truncate(self.failed_at.partition_point(|&events| events <= len));
        self.failures.truncate(self.failed_at.len());
        self.races.retain(|&(_, second)| (second as usize) < len);
        self.steps.truncate(len);
        self.answers.truncate(len);
        self.noted.truncate(len);
        self.g.cut(len);
        self.hb.cut(len);
        self.has_lives = self.g.events().iter().any(|event| event.op.kind.nature().is_of_life);
        for e in 0..len {
            let Some(answer) = self.answers[e] else { continue };
            let Event { thread, op, .. } = self.g.event(e as EventId);
            if answer.outcome == Outcome::Done {
                self.holdings.note(*thread, op);
            }
            if told > 0 {
                told -= 1;
                continue;
            }
            if self.threads.op(*thread) != Some(*op) {
                return false;
            }
            let after = self.threads.resume(*thread, answer);
            self.is_useless = self.threads.is_of_no_use();
            if self.is_useless || after.failure.is_some() {
                return false;
            }
            self.grow();
        }
        true
    }

    /// Whether something was learnt of the program, so that this execution is of no use.
    pub(crate) fn is_to_begin_anew(&self) -> bool {
        self.is_useless || self.loops.has_learnt
    }

    /// Goes back to the start of the program.
    pub(crate) fn begin(&mut self) {
        self.threads.restart();
        self.steps.clear();
        self.answers.clear();
        self.noted.clear();
        self.is_loading = false;
        self.g.clear();
        self.grow();
        self.hb.clear();
        self.model.clear(&self.g);
        self.holdings.clear();
        self.loops.begin_run();
        self.failures.clear();
        self.failed_at.clear();
        self.races.clear();
        self.updating = None;
        self.halted = false;
        self.has_stopped = false;
        self.has_lives = false;
        // A program may come to no operation at all.
        self.is_useless = self.threads.is_of_no_use();
        (0..self.thread_count() as u32).for_each(|thread| self.look_for_rounds(ThreadId(thread)));
        self.forget_requests();
    }

    /// All steps of a task were executed, the first so many of them for the graph before.
    pub(crate) fn settle(&mut self, kept: usize) {
        self.is_loading = false;
        self.model.settle(&self.g, kept);
    }

    /// Makes room for the threads and objects that there are now.
    fn grow(&mut self) {
        self.g.grow(self.threads.threads());
        while let Some((object, word)) = self.threads.met() {
            self.g.meet(object, word);
        }
    }

    /// Executes a step; none if the program does something else.
    pub(crate) fn replay(&mut self, step: &Step) -> Result<Option<()>, Error> {
        let Step { stamp, maximal, .. } = *step;
        let thread = ThreadId(step.thread);
        if let Some(updating) = self.updating {
            return Ok(self.replay_update(step, &updating));
        }
        self.look_at_requests()?;
        let Some(asked) = self.asked(thread).copied() else { return Ok(None) };
        let source_exists = step.argument == NONE || (step.argument as usize) < self.g.len();
        let event = match (step.kind, asked.access) {
            (StepKind::Read, Access::Read | Access::Update) if source_exists => {
                self.reading(thread, &asked, step.argument)
            }
            (StepKind::Ghost, Access::Read | Access::Update) if source_exists => {
                Event { label: Label::Ghost, ..self.reading(thread, &asked, step.argument) }
            }
            (StepKind::Write, Access::Write(value)) if self.is_place(asked.op.object, step.argument) => {
                Event { place: step.argument, ..writing(thread, &asked, value) }
            }
            (StepKind::Other, Access::Choose(alternatives)) if step.argument >= alternatives => return Ok(None),
            (StepKind::Other, access) if !matches!(access, Access::Read | Access::Update | Access::Write(_)) => {
                self.simple(thread, &asked, &Simple { alternative: step.argument, maximal, stamp })?;
                return Ok(Some(()));
            }
            _ => return Ok(None),
        };
        self.add(&asked, &Event { maximal, stamp, ..event });
        Ok(Some(()))
    }

    /// Executes a step that must be the write of the update in whose middle the graph ends.
    fn replay_update(&mut self, step: &Step, updating: &Updating) -> Option<()> {
        let &Step { thread, stamp, argument: place, kind, maximal, alternative } = step;
        let event = self.updated(updating, alternative);
        if kind != StepKind::Write || event.thread.0 != thread || !self.is_place(event.object(), place) {
            return None;
        }
        self.add(&updating.asked, &Event { place, maximal, stamp, ..event });
        Some(())
    }

    /// Whether a write can take this place.
    fn is_place(&self, object: ObjectId, place: u32) -> bool {
        place as usize <= self.g.co(object).len()
    }

    /// What a thread asks for, as events; none if it does not ask. [`look_at_requests`](Self::look_at_requests) comes before.
    #[inline]
    pub(crate) fn asked(&self, thread: ThreadId) -> Option<&Asked> {
        self.asked.get(thread.index())?.as_ref()
    }

    /// Looks at what those threads ask for that went on since the last look.
    pub(crate) fn look_at_requests(&mut self) -> Result<(), Error> {
        while let Some(thread) = self.went_on.pop() {
            if self.asked.len() <= thread.index() {
                self.asked.resize(thread.index() + 1, None);
            }
            self.asked[thread.index()] = self.request(thread)?;
        }
        Ok(())
    }

    /// All threads may ask for something else now.
    fn forget_requests(&mut self) {
        self.asked.clear();
        self.went_on.clear();
        self.went_on.extend((0..self.thread_count() as u32).map(ThreadId));
    }

    /// The threads that went on at events behind the first so many may ask for something else.
    fn forget_requests_behind(&mut self, len: usize) {
        for event in &self.g.events()[len..] {
            let child = if let Label::Spawn(child) = event.label { Some(child) } else { None };
            for thread in std::iter::once(event.thread).chain(child) {
                if !self.went_on.contains(&thread) {
                    self.went_on.push(thread);
                }
            }
        }
    }

    /// What a thread asks for, as events. A misuse is an event of its own.
    #[inline]
    fn request(&self, thread: ThreadId) -> Result<Option<Asked>, Error> {
        let Some(mut request) = self.threads.request(thread) else { return Ok(None) };
        if self.loops.goes_round(thread) {
            return Ok(None);
        }
        if let Some(stronger) = self.stronger {
            request = stronger.apply(request);
        }
        let mut asked = asked(request, thread).map_err(Error::Unsupported)?;
        if let Some(&futile) = self.loops.futile(thread, self.g.of_thread(thread).len() as u32) {
            asked.but_for(futile);
        }
        if self.holdings.misuse(thread, &asked.op).is_some() {
            (asked.access, asked.blocks) = (Access::Nothing, false);
        }
        Ok(Some(asked))
    }

    pub(crate) fn thread_count(&self) -> usize {
        self.threads.threads()
    }

    pub(crate) fn has_ended(&self, thread: ThreadId) -> bool {
        self.threads.state(thread) == ThreadState::Ended
    }

    pub(crate) fn is_cut(&self) -> bool {
        self.threads.is_cut()
    }

    /// Whether the program ended while threads were left.
    pub(crate) fn has_exited(&self) -> bool {
        self.threads.has_exited()
    }

    /// Notes what an execution that came to its end has left behind. Says whether there is something.
    pub(crate) fn note_left_behind(&mut self) -> bool {
        let last = self.g.events().last().map_or(ThreadId(0), |event| event.thread);
        let left = self.threads.left_behind();
        let is_left = left.is_some();
        self.note_failure(last, left, usize::MAX);
        is_left
    }

    /// Notes releases of locks that nobody holds any more, of an execution that came to its end.
    pub(crate) fn note_broken_releases(&mut self) {
        if !self.has_lives {
            return;
        }
        for Broken { thread, site, message } in broken_releases(&self.g) {
            let failure = Failure { kind: FailureKind::Misuse, message: message.to_owned(), site };
            self.note_failure(thread, Some(failure), usize::MAX);
        }
    }

    /// Whether a thread failed. Failures that the program dealt with are none, unless there is another one.
    pub(crate) fn has_failed(&self) -> bool {
        self.failures.iter().any(|(thread, _)| !self.threads.is_forgiven(*thread))
    }

    /// The read of an operation from this write.
    pub(crate) fn reading(&self, thread: ThreadId, asked: &Asked, source: EventId) -> Event {
        let value = self.g.word(asked.op.object, source);
        let update = asked.written(value, thread, 0).is_some();
        let event = Event::new(thread, Label::Read, asked.op, asked.order(update));
        let cause = self.cause(thread, asked).unwrap_or(NONE);
        Event { value, source, update, cause, orders: asked.orders, ..event }
    }

    /// The write of an update, which has no place yet.
    pub(crate) fn updated(&self, updating: &Updating, alternative: u32) -> Event {
        let read = self.g.event(updating.read);
        written(read, &updating.asked, alternative)
    }

    /// An event that an operation must be after; nothing where it must not be done yet, [`NONE`] where it must be after none.
    pub(crate) fn cause(&self, thread: ThreadId, asked: &Asked) -> Option<EventId> {
        match (asked.access, asked.op.kind) {
            (Access::Join(child), _) => self.has_ended(child).then(|| {
                let last = self.g.of_thread(child).last().copied();
                last.unwrap_or_else(|| self.g.spawn_of(child))
            }),
            (Access::Pass(word), _) => {
                self.g.co(asked.op.object).iter().copied().find(|&w| self.g.event(w).value == word)
            }
            (_, OpKind::Relock { condvar }) => self.waker(thread, condvar),
            _ => Some(NONE),
        }
    }

    /// What woke a thread from its last wait on a condition variable: a notify, or the end of the condition variable.
    fn waker(&self, thread: ThreadId, condvar: ObjectId) -> Option<EventId> {
        let is_wait = |&e: &EventId| {
            let event = self.g.event(e);
            event.is_write() && event.object() == condvar && matches!(event.op.kind, OpKind::Wait { .. })
        };
        let wait = self.g.of_thread(thread).iter().copied().rfind(is_wait)?;
        let later = &self.g.co(condvar)[self.g.rank(wait)..];
        // Nobody waits for one that is gone.
        let wakes = |word: State| word >> thread.0 & 1 == 0 || !objects::is_alive(word);
        later.iter().copied().find(|&w| wakes(self.g.event(w).value))
    }

    /// Adds an event that neither reads nor writes, and lets its thread go on.
    pub(crate) fn simple(&mut self, thread: ThreadId, asked: &Asked, simple: &Simple) -> Result<EventId, Error> {
        let &Simple { alternative, maximal, stamp } = simple;
        let cause = self.cause(thread, asked).unwrap_or(NONE);
        if let Some(message) = self.holdings.misuse(thread, &asked.op) {
            let e = self.put(&Event { stamp, ..Event::new(thread, Label::Nothing, asked.op, Order::Relaxed) });
            self.fail(thread, FailureKind::Misuse, message.to_owned(), asked.op.site);
            self.stop(thread);
            return Ok(e);
        }
        // A spawn says whom it created only when the thread has gone on.
        let answer = Answer { before: 0, after: 0, last: 0, outcome: Outcome::Done, alternative };
        let spawned = self.resume(thread, &asked.op, answer, self.g.len() + 1);
        let label = match (asked.access, spawned) {
            (Access::Fence, _) => Label::Fence,
            (Access::Choose(_), _) => Label::Choose,
            (Access::Join(child), _) => Label::Join(child),
            (Access::Pass(_), _) => Label::After,
            (_, Some(child)) => Label::Spawn(child),
            _ => Label::Nothing,
        };
        let order = if label == Label::Fence { asked.orders.success } else { Order::Relaxed };
        let event = Event::new(thread, label, asked.op, order);
        let e = self.put(&Event { cause, alternative, maximal, stamp, ..event });
        self.answers[e as usize] = Some(answer);
        self.look_for_rounds(thread);
        if let Label::Spawn(child) = label {
            self.look_for_rounds(child);
        }
        Ok(e)
    }

    /// Adds a read, write or ghost. A thread whose operation is done by it goes on.
    pub(crate) fn add(&mut self, asked: &Asked, event: &Event) -> EventId {
        let e = self.put(event);
        let &Event { thread, value, update, .. } = event;
        if self.halted {
            return e;
        }
        let last = self.g.word(event.object(), self.g.last(event.object()));
        match event.label {
            Label::Ghost => {}
            Label::Read if update => self.updating = Some(Updating { asked: *asked, read: e }),
            Label::Read if let Some(message) = asked.misuse(value) => {
                self.fail(thread, FailureKind::Misuse, message.to_owned(), asked.op.site);
                self.stop(thread);
            }
            Label::Read => {
                let refused = asked.access == Access::Update;
                let outcome = if refused { Outcome::Refused } else { Outcome::Done };
                let answer = Answer { before: value, after: value, last, outcome, alternative: 0 };
                self.answers[e as usize] = Some(answer);
                self.resume(thread, &asked.op, answer, self.g.len());
                self.look_for_rounds(thread);
            }
            _ => {
                let before = self.updating.take().map_or(0, |updating| self.g.event(updating.read).value);
                let (outcome, alternative) = (Outcome::Done, event.alternative);
                let answer = Answer { before, after: value, last, outcome, alternative };
                self.answers[e as usize] = Some(answer);
                self.resume(thread, &asked.op, answer, self.g.len());
                self.look_for_rounds(thread);
            }
        }
        e
    }

    fn put(&mut self, event: &Event) -> EventId {
        let e = self.g.append(event);
        self.steps.push(Step { stamp: self.g.event(e).stamp, ..Step::of(event) });
        self.answers.push(None);
        self.noted.push(self.loops.noted());
        self.has_lives |= event.op.kind.nature().is_of_life;
        if self.needs_happens_before || self.has_races && self.g.has_plain() {
            self.hb.follow(&self.g);
        }
        if !self.is_loading {
            self.model.append(&self.g, e);
        }
        if self.has_races && self.g.has_plain() {
            self.note_race(e);
        }
        e
    }

    /// The thread that took the last step asks for something again: it may have come round to it.
    fn look_for_rounds(&mut self, thread: ThreadId) {
        if self.loops.may_note(&self.g, thread)
            && let Some(op) = self.threads.op(thread)
        {
            let threads = &self.threads;
            self.loops.note(&self.g, thread, &op, || threads.local_state(thread));
        }
    }

    fn stop(&mut self, thread: ThreadId) {
        self.threads.stop(thread);
        self.has_stopped = true;
        self.went_on.push(thread);
    }

    /// Lets a thread go on. With the event by which its operation is done there are so many.
    fn resume(&mut self, thread: ThreadId, op: &Op, answer: Answer, events: usize) -> Option<ThreadId> {
        if answer.outcome == Outcome::Done {
            self.holdings.note(thread, op);
        }
        let after = self.threads.resume(thread, answer);
        self.note_failure(thread, after.failure.map(|failure| *failure), events);
        self.is_useless = self.threads.is_of_no_use();
        if !self.is_useless {
            self.grow();
        }
        // What one thread of real code does may be the end of all.
        if self.is_native {
            self.forget_requests();
        } else {
            self.went_on.push(thread);
            self.went_on.extend(after.spawned);
        }
        after.spawned
    }

    /// Notes a failure that the latest event brought about.
    fn fail(&mut self, thread: ThreadId, kind: FailureKind, message: String, site: Site) {
        self.note_failure(thread, Some(Failure { kind, message, site }), self.g.len());
    }

    fn note_failure(&mut self, thread: ThreadId, failure: Option<Failure>, events: usize) {
        if let Some(failure) = failure {
            self.failures.push((thread, failure));
            self.failed_at.push(events);
        }
    }

    fn note_race(&mut self, second: EventId) {
        let Some(first) = self.hb.race(&self.g, second) else { return };
        self.races.push((first, second));
        self.halted = self.is_native;
        let access = |e: EventId| {
            let event = self.g.event(e);
            let site = self.names.site(event.op.site).map_or(String::new(), |site| format!(" at {site}"));
            let atomic = if event.order == Order::Plain { "" } else { "atomic " };
            format!("the {atomic}{} of {}{site}", event.op.kind, self.names.thread(event.thread))
        };
        let message = format!("nothing orders {} and {}", access(first), access(second));
        let Event { thread, op, .. } = *self.g.event(second);
        self.fail(thread, FailureKind::DataRace, message, op.site);
    }
}

/// A write that is no part of an update, without a place.
pub(crate) fn writing(thread: ThreadId, asked: &Asked, value: State) -> Event {
    Event { value, ..Event::new(thread, Label::Write, asked.op, asked.orders.success) }
}

/// The write of the update that begins with this read, without a place.
pub(crate) fn written(read: &Event, asked: &Asked, alternative: u32) -> Event {
    let value = asked.written(read.value, read.thread, alternative).unwrap_or(read.value);
    let event = Event::new(read.thread, Label::Write, asked.op, asked.orders.success);
    Event { value, update: true, alternative, ..event }
}
