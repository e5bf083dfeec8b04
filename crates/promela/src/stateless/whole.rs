//! The state of a model with all that the search of executions needs besides.

use crate::machine::{Machine, Shape};
use model::{Fingerprint, SavedState, ThreadId};
use smallvec::SmallVec;

/// A process, as a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Process {
    pub(super) thread: ThreadId,
    /// How many processes it has made.
    pub(super) children: u32,
    /// It failed, and takes no further step.
    pub(super) is_stopped: bool,
}

#[derive(Debug, Default)]
pub(super) struct Whole {
    pub(super) state: Vec<u8>,
    pub(super) shape: Shape,
    pub(super) processes: Vec<Process>,
    /// For each channel, in which of its places the first message is.
    pub(super) heads: Vec<u8>,
    /// The process that goes on alone.
    pub(super) holder: Option<u8>,
    /// How many processes there were at the most.
    pub(super) most: u8,
}

impl Clone for Whole {
    fn clone(&self) -> Self {
        let mut clone = Whole::default();
        clone.clone_from(self);
        clone
    }

    /// In the room that there is.
    fn clone_from(&mut self, other: &Self) {
        self.state.clone_from(&other.state);
        self.shape.processes.clone_from(&other.shape.processes);
        self.shape.channels.clone_from(&other.shape.channels);
        self.processes.clone_from(&other.processes);
        self.heads.clone_from(&other.heads);
        (self.holder, self.most) = (other.holder, other.most);
    }
}

/// How many processes there were at the most on the way to a saved state.
pub(super) fn most(saved: &[u8]) -> u8 {
    saved[5]
}

/// Bytes of a process in a saved state.
const PROCESS: usize = 9;

impl Whole {
    pub(super) fn save(&self, saved: &mut SavedState) {
        saved.clear();
        saved.extend_from_slice(&(self.state.len() as u32).to_le_bytes());
        saved.push(self.holder.map_or(u8::MAX, |holder| holder));
        saved.push(self.most);
        saved.extend_from_slice(&self.state);
        for process in &self.processes {
            saved.extend_from_slice(&process.thread.0.to_le_bytes());
            saved.extend_from_slice(&process.children.to_le_bytes());
            saved.push(u8::from(process.is_stopped));
        }
        saved.extend_from_slice(&self.heads);
    }

    pub(super) fn load(&mut self, machine: &Machine<'_>, saved: &[u8]) {
        let number = |at: usize| u32::from_le_bytes([saved[at], saved[at + 1], saved[at + 2], saved[at + 3]]);
        let length = number(0) as usize;
        self.holder = (saved[4] != u8::MAX).then_some(saved[4]);
        self.most = saved[5];
        let mut at = 6 + length;
        self.state.clear();
        self.state.extend_from_slice(&saved[6..at]);
        machine.shape(&self.state, &mut self.shape);
        self.processes.clear();
        for _ in 0..self.shape.processes.len() {
            self.processes.push(Process {
                thread: ThreadId(number(at)),
                children: number(at + 4),
                is_stopped: saved[at + 8] != 0,
            });
            at += PROCESS;
        }
        self.heads.clear();
        self.heads.extend_from_slice(&saved[at..]);
    }

    /// Stands for all that decides on how it goes on: not for names of threads, nor for where in a channel its messages are.
    pub(super) fn key(&self) -> Fingerprint {
        let stopped = self.processes.iter().map(|process| process.is_stopped).collect::<SmallVec<[bool; 16]>>();
        Fingerprint::of_bytes(&self.state).and(&(self.holder, stopped.as_slice()))
    }

    /// The process of a thread, if it is there.
    pub(super) fn process_of(&self, thread: ThreadId) -> Option<u8> {
        self.processes.iter().position(|process| process.thread == thread).map(|process| process as u8)
    }
}
