//! The same threads without objects: what they ask for, and how they go on with the answer that they are given.

use super::{LitmusRun, Status};
use model::{After, Answer, Fingerprint, ObjectId, Orders, Request, Run, State, ThreadId, ThreadState, Threads};
use objects::Performed;

impl Threads for LitmusRun<'_> {
    fn restart(&mut self) {
        Run::restart(self);
    }

    fn threads(&self) -> usize {
        self.now.threads.len()
    }

    fn state(&self, thread: ThreadId) -> ThreadState {
        match self.now.threads.get(thread.index()) {
            Some(state) if state.status != Status::Gone => ThreadState::Asks,
            _ if self.now.world.has_ended(thread) => ThreadState::Ended,
            _ => ThreadState::Gone,
        }
    }

    fn request(&self, thread: ThreadId) -> Option<Request> {
        let state = self.now.threads.get(thread.index())?;
        let orders = match state.status {
            Status::Gone => return None,
            Status::Live => self.program.code().visibles[state.visible as usize].orders,
            Status::Stillborn => Orders::default(),
        };
        Some(Request { op: state.op, orders })
    }

    fn resume(&mut self, thread: ThreadId, answer: Answer) -> After {
        let state = self.now.threads[thread.index()];
        let mut spawned = None;
        if state.status == Status::Live {
            let Answer { before, outcome, alternative, .. } = answer;
            let visible = &self.program.code().visibles[state.visible as usize];
            let performed = Performed { outcome, before, after: before, received: 0, misuse: None };
            spawned = self.keep(thread, visible, &performed, alternative);
        }
        let failure = self.advance(thread).err().map(|problem| self.failure(thread, problem));
        After { spawned, failure }
    }

    fn stop(&mut self, thread: ThreadId) {
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

    fn local_state(&self, thread: ThreadId) -> Option<Fingerprint> {
        Run::local_state(self, thread)
    }
}
