//! Threads and sequentially consistent memory, joined into a run.

use crate::kept::Kept;
use crate::{Performed, World};
use model::{
    After, Answer, Choice, Fingerprint, Guard, ObjectId, Op, Outcome, Pending, Run, Snapshots, State, Stepped,
    ThreadId, ThreadState,
};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A run of the threads of a front end: what they ask for is performed on the objects of a [`World`], and they go on with what
/// came of it.
#[derive(Debug)]
pub struct Machine<T: Snapshots> {
    threads: T,
    world: World,
    /// The objects' words at the start.
    initial: Vec<State>,
    kept: Kept<T::Saved>,
    /// Whether threads may ask for several operations.
    has_siblings: bool,
}

impl<T: Snapshots> Machine<T> {
    /// A run at its start, which is where the threads must be.
    pub fn new(threads: T) -> Self {
        let world = if threads.objects_have_lives() { World::with_lives() } else { World::default() };
        let initial = (0..threads.objects() as u32).map(|object| threads.initial(ObjectId(object))).collect();
        let has_siblings = threads.has_siblings();
        let mut machine = Machine { threads, world, initial, kept: Kept::NONE, has_siblings };
        machine.begin();
        machine
    }

    fn begin(&mut self) {
        self.world.reset(&self.initial);
        for thread in 0..self.threads.threads() as u32 {
            self.note_end(ThreadId(thread));
        }
    }

    #[inline]
    fn pending_op(&self, thread: ThreadId, transition: u16, op: Op) -> Pending {
        Pending {
            thread,
            op,
            enabled: self.world.enabled(thread, &op),
            alternatives: self.world.alternatives(&op),
            guard: Guard::NONE,
            transition,
            is_of_several: self.has_siblings && self.threads.transitions(thread) > 1,
        }
    }

    #[inline]
    fn note_end(&mut self, thread: ThreadId) {
        if self.threads.state(thread) == ThreadState::Ended {
            self.world.end(thread);
        }
    }
}

impl<T: Snapshots> Run for Machine<T> {
    fn restart(&mut self) {
        self.kept.forget();
        self.threads.restart();
        self.begin();
    }

    fn objects_have_lives(&self) -> bool {
        self.threads.objects_have_lives()
    }

    fn rewind(&mut self, steps: usize) -> usize {
        self.kept.go_back(steps, &mut self.threads, &mut self.world).unwrap_or_else(|| {
            self.threads.restart();
            self.begin();
            0
        })
    }

    fn threads(&self) -> usize {
        self.threads.threads()
    }

    #[inline]
    fn pending(&self, thread: ThreadId) -> Option<Pending> {
        let op = self.threads.op(thread)?;
        Some(self.pending_op(thread, 0, op))
    }

    fn has_siblings(&self) -> bool {
        self.has_siblings
    }

    fn transitions(&self, thread: ThreadId) -> u16 {
        let is_there = self.threads.op(thread).is_some();
        if is_there && self.has_siblings { self.threads.transitions(thread) } else { u16::from(is_there) }
    }

    fn transition(&self, thread: ThreadId, number: u16) -> Option<Pending> {
        let op = self.threads.op_of(thread, number)?;
        Some(self.pending_op(thread, number, op))
    }

    fn step(&mut self, choice: Choice) -> Option<Stepped> {
        let Choice { thread, mut alternative } = choice;
        let op = if self.has_siblings {
            alternative = choice.alternative_of_transition();
            self.threads.op_of(thread, choice.transition())?
        } else {
            self.threads.op(thread)?
        };
        let is_possible =
            self.world.enabled(thread, &op) && (alternative == 0 || alternative < self.world.alternatives(&op));
        if !is_possible {
            return None;
        }
        self.kept.note_step(&self.threads, &self.world);
        if self.has_siblings && self.threads.transitions(thread) > 1 {
            self.threads.commit(thread, choice.transition());
        }
        let Performed { outcome, before, after, received, misuse } = self.world.perform(thread, &op, alternative);
        if misuse.is_some() {
            self.threads.stop(thread);
            return Some(Stepped { op, outcome, before, after, failure: misuse });
        }
        let found = if let Outcome::Received(_) = outcome { received } else { before };
        let answer = Answer { before: found, after, last: after, outcome, alternative };
        let After { spawned, failure } = self.threads.resume(thread, answer);
        self.note_end(thread);
        let outcome = match spawned {
            Some(child) => {
                self.note_end(child);
                Outcome::Spawned(child)
            }
            None => outcome,
        };
        Some(Stepped { op, outcome, before, after, failure })
    }

    fn is_cut(&self) -> bool {
        self.threads.is_cut()
    }

    fn whole_state(&self) -> Option<u128> {
        let half = |name: &str| {
            let mut hasher = DefaultHasher::default();
            name.hash(&mut hasher);
            self.world.hash_state(|object| self.threads.only_counts(object), &mut hasher);
            self.threads.hash_state(&mut hasher).then(|| u128::from(hasher.finish()))
        };
        Some(half("high")? << 64 | half("low")?)
    }

    fn is_forgiven(&self, thread: ThreadId) -> bool {
        self.threads.is_forgiven(thread)
    }

    fn word(&self, object: ObjectId) -> State {
        self.world.word(object)
    }

    fn local_state(&self, thread: ThreadId) -> Option<Fingerprint> {
        self.threads.local_state(thread)
    }
}
