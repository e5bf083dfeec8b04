//! What the threads ask for, and how they go on with the answer that they are given.

use super::{LitmusThreads, State as Saved, Status, Thread};
use crate::sketch::ObjectKind;
use model::{
    After, Answer, Fingerprint, ObjectId, Op, Orders, Request, Snapshots, State, ThreadId, ThreadState, Threads,
};
use std::hash::{Hash, Hasher};

impl Threads for LitmusThreads<'_> {
    fn restart(&mut self) {
        self.past.forget();
        self.now.copy_from(&self.start);
    }

    fn go_back(&mut self, answers: usize) -> usize {
        // What a thread at a selection asks for besides is not noted.
        if !self.has_siblings() && self.past.go_back(answers, &mut self.now) {
            return answers;
        }
        self.past.keep(!self.has_siblings());
        self.restart();
        0
    }

    #[inline]
    fn threads(&self) -> usize {
        self.now.threads.len()
    }

    #[inline]
    fn state(&self, thread: ThreadId) -> ThreadState {
        match self.now.threads.get(thread.index()).map(|state| state.status) {
            Some(Status::Live | Status::Stillborn) => ThreadState::Asks,
            Some(Status::Ended) => ThreadState::Ended,
            Some(Status::Gone) | None => ThreadState::Gone,
        }
    }

    fn request(&self, thread: ThreadId) -> Option<Request> {
        let op = self.op(thread)?;
        let state = &self.now.threads[thread.index()];
        let is_live = state.status == Status::Live;
        let visible = is_live.then(|| &self.program.code().visibles[state.visible as usize]);
        Some(Request { op, orders: visible.map_or_else(Orders::default, |visible| visible.orders) })
    }

    #[inline]
    fn op(&self, thread: ThreadId) -> Option<Op> {
        let state = self.now.threads.get(thread.index())?;
        matches!(state.status, Status::Live | Status::Stillborn).then_some(state.op)
    }

    fn has_siblings(&self) -> bool {
        !self.program.code().arms.is_empty()
    }

    #[inline]
    fn transitions(&self, thread: ThreadId) -> u16 {
        self.now.threads.get(thread.index()).map_or(1, |state| state.arms.max(1))
    }

    #[inline]
    fn op_of(&self, thread: ThreadId, transition: u16) -> Option<Op> {
        match self.now.threads.get(thread.index())?.arms {
            0 if transition == 0 => self.op(thread),
            0 => None,
            _ => self.arms_of(thread).nth(usize::from(transition)).map(|arm| arm.op),
        }
    }

    fn commit(&mut self, thread: ThreadId, transition: u16) {
        self.enter_arm(thread, transition);
    }

    #[inline]
    fn resume(&mut self, thread: ThreadId, answer: Answer) -> After {
        self.past.note(thread, &self.now);
        let Thread { status, visible, .. } = self.now.threads[thread.index()];
        let mut spawned = None;
        if status == Status::Live {
            spawned = self.keep(thread, &self.program.code().visibles[visible as usize], &answer);
        }
        let failure = self.advance(thread).err().map(|problem| self.failure(thread, problem));
        After { spawned, failure }
    }

    fn stop(&mut self, thread: ThreadId) {
        self.now.arms.retain(|arm| arm.thread != thread);
        self.now.threads[thread.index()].status = Status::Gone;
    }

    fn is_cut(&self) -> bool {
        self.now.cut
    }

    fn initial(&self, object: ObjectId) -> State {
        self.program.code().words[object.index()]
    }

    fn objects(&self) -> usize {
        self.program.code().words.len()
    }

    fn objects_have_lives(&self) -> bool {
        self.program.code().has_lives
    }

    fn local_state(&self, thread: ThreadId) -> Option<Fingerprint> {
        let state = self.now.threads.get(thread.index()).filter(|state| state.status == Status::Live)?;
        let live = &self.program.code().live[state.visible as usize];
        let registers = live.iter().map(|&register| self.now.registers[state.base as usize + usize::from(register)]);
        let place = [u64::from(state.visible), u64::from(state.spawned)];
        Some(Fingerprint::of(place.into_iter().chain(registers.map(|register| register as u64))))
    }

    /// A thread is the place that it has reached, its registers, and how many threads it has created. Before an operation and before the
    /// choice behind it, the place is the same: there it has no arms, and here it has some.
    fn hash_state(&self, mut hasher: &mut dyn Hasher) -> bool {
        let now = &self.now;
        now.cells.hash(&mut hasher);
        now.cut.hash(&mut hasher);
        for (number, thread) in now.threads.iter().enumerate() {
            let Thread { pc, base, registers, spawned, status, arms, .. } = *thread;
            if matches!(status, Status::Live | Status::Stillborn) {
                let registers = &now.registers[base as usize..][..registers as usize];
                (number, pc, arms, spawned, status == Status::Stillborn, registers).hash(&mut hasher);
            }
        }
        true
    }

    fn only_counts(&self, object: ObjectId) -> bool {
        self.program.object_kind(object) == ObjectKind::Mailbox
    }
}

impl Snapshots for LitmusThreads<'_> {
    type Saved = Saved;

    fn save(&self, saved: &mut Saved) {
        saved.copy_from(&self.now);
    }

    fn load(&mut self, saved: &Saved) {
        self.past.keep(false);
        self.now.copy_from(saved);
    }

    fn words(&self) -> usize {
        let of_threads = self.now.threads.len() * size_of::<Thread>() / size_of::<u64>();
        of_threads + self.now.used + self.now.cells.len()
    }
}
