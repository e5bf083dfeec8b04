//! Threads with several transitions, for an algorithm to which a thread has one.
//!
//! A thread that waits for the first of several operations chooses first which one it will wait for, in a step that touches
//! nothing and has as many alternatives, and then waits for that one alone. Every execution of the program is one of these with
//! the choices left out, and those of one class have the same choices. But some of these end where no execution does: a thread
//! waits for the operation that it chose and could go on by another one. They are *astray*, and so are those in which all
//! that a thread could do is disabled and it did not choose the first of it, which stands for all.

use model::{Choice, Failure, Guard, ObjectId, Op, OpKind, Outcome, Pending, Run, State, Stepped, ThreadId};
use trace::Trace;

/// What a choice of transition is said to be on.
const COMMITMENT: ObjectId = ObjectId(u32::MAX - 1);

/// A run of which threads choose before they wait.
pub(crate) struct Committed<'a> {
    run: Box<dyn Run + 'a>,
    /// Which transition each thread has chosen.
    chosen: Vec<Option<u16>>,
    /// The steps, in order: whose, and what it chose if it was a choice.
    log: Vec<(ThreadId, Option<u16>)>,
}

impl<'a> Committed<'a> {
    pub(crate) fn new(run: Box<dyn Run + 'a>) -> Self {
        Committed { run, chosen: Vec::new(), log: Vec::new() }
    }

    fn chosen(&self, thread: ThreadId) -> Option<u16> {
        self.chosen.get(thread.index()).copied().flatten()
    }

    /// A step was taken.
    fn note(&mut self, thread: ThreadId, choice: Option<u16>) {
        if self.chosen.len() <= thread.index() {
            self.chosen.resize(thread.index() + 1, None);
        }
        self.chosen[thread.index()] = choice;
        self.log.push((thread, choice));
    }

    /// Whether a thread waits for what it chose, and should not have chosen that.
    fn is_wrong(&self, thread: ThreadId) -> bool {
        let Some(chosen) = self.chosen(thread) else { return false };
        let enabled = |number| self.run.transition(thread, number).is_some_and(|pending| pending.enabled);
        !enabled(chosen) && (chosen > 0 || (0..self.run.transitions(thread)).any(enabled))
    }
}

impl Run for Committed<'_> {
    fn restart(&mut self) {
        self.rewind(0);
    }

    fn objects_have_lives(&self) -> bool {
        self.run.objects_have_lives()
    }

    fn rewind(&mut self, steps: usize) -> usize {
        let is_step = |(_, choice): &&(ThreadId, Option<u16>)| choice.is_none();
        let wanted = self.log.iter().take(steps).filter(is_step).count();
        let kept = self.run.rewind(wanted);
        // Choices are no steps of the program: those behind the last step that was kept are kept too.
        let past = self.log.iter().scan(0, |taken, (_, choice)| {
            *taken += usize::from(choice.is_none());
            Some(*taken)
        });
        let len = past.take(steps).take_while(|&taken| taken <= kept).count();
        let log = std::mem::take(&mut self.log);
        self.chosen.clear();
        log.into_iter().take(len).for_each(|(thread, choice)| self.note(thread, choice));
        len
    }

    fn threads(&self) -> usize {
        self.run.threads()
    }

    fn pending(&self, thread: ThreadId) -> Option<Pending> {
        let first = self.run.pending(thread)?;
        if !first.is_of_several {
            return Some(first);
        }
        let Some(chosen) = self.chosen(thread) else {
            let alternatives = u32::from(self.run.transitions(thread));
            let op = Op { kind: OpKind::Choose(alternatives), object: COMMITMENT, site: first.op.site };
            return Some(Pending {
                op,
                enabled: true,
                alternatives,
                guard: Guard::NONE,
                is_of_several: false,
                ..first
            });
        };
        self.run.transition(thread, chosen).map(|pending| Pending { transition: 0, is_of_several: false, ..pending })
    }

    fn step(&mut self, choice: Choice) -> Option<Stepped> {
        let Choice { thread, alternative } = choice;
        let pending = self.pending(thread)?;
        if pending.op.object == COMMITMENT {
            if alternative >= pending.alternatives {
                return None;
            }
            self.note(thread, Some(alternative as u16));
            return Some(Stepped { op: pending.op, outcome: Outcome::Done, before: 0, after: 0, failure: None });
        }
        let chosen = self.chosen(thread).unwrap_or(0);
        let stepped = self.run.step(choice.of_transition(chosen).by(alternative))?;
        self.note(thread, None);
        Some(stepped)
    }

    fn is_astray(&self) -> bool {
        (0..self.run.threads() as u32).any(|thread| self.is_wrong(ThreadId(thread)))
    }

    fn is_cut(&self) -> bool {
        self.run.is_cut()
    }

    fn is_forgiven(&self, thread: ThreadId) -> bool {
        self.run.is_forgiven(thread)
    }

    fn has_exited(&self) -> bool {
        self.run.has_exited()
    }

    fn is_interrupted(&self) -> bool {
        self.run.is_interrupted()
    }

    fn left_behind(&self) -> Option<Failure> {
        self.run.left_behind()
    }

    fn word(&self, object: ObjectId) -> State {
        self.run.word(object)
    }
}

/// The execution of the program that this is with choices in it.
pub(crate) fn without_choices(trace: &Trace) -> Trace {
    let mut plain = trace.new_like();
    let mut chosen: Vec<(ThreadId, u32)> = Vec::new();
    for event in trace.events() {
        let thread = event.thread();
        if event.op.object == COMMITMENT {
            chosen.push((thread, event.choice.alternative));
            continue;
        }
        let place = chosen.iter().position(|(who, _)| *who == thread);
        let transition = place.map_or(0, |place| chosen.swap_remove(place).1);
        let choice = event.choice.of_transition(transition as u16).by(event.choice.alternative);
        let trace::Event { op, outcome, before, after, .. } = *event;
        plain.push_guarded(choice, &Stepped { op, outcome, before, after, failure: None }, event.guard);
    }
    plain
}
