//! What each answer changed, so that a run can be taken back without beginning anew.

use super::{GONE, State, Thread};
use model::ThreadId;

/// See the head of this file.
#[derive(Debug, Default)]
pub(super) struct Past {
    /// Whether anything is noted: not before a run is first asked to go back.
    is_kept: bool,
    answers: Vec<Answered>,
    /// Registers of the threads that went on, as they were before.
    registers: Vec<i64>,
    /// Guarded cells that were written, each with what was there before.
    cells: Vec<(usize, i64)>,
}

/// Where a thread was before it went on, and how much of the rest there was.
#[derive(Debug)]
struct Answered {
    thread: ThreadId,
    before: Thread,
    child: Option<ThreadId>,
    used: usize,
    cells: usize,
    cut: bool,
}

impl Past {
    /// The program is at its start.
    pub(super) fn forget(&mut self) {
        self.answers.clear();
        self.registers.clear();
        self.cells.clear();
    }

    /// Whether anything is noted from now on.
    pub(super) fn keep(&mut self, is_kept: bool) {
        self.is_kept = is_kept;
        self.forget();
    }

    /// A thread is about to go on.
    #[inline]
    pub(super) fn note(&mut self, thread: ThreadId, now: &State) {
        if !self.is_kept {
            return;
        }
        let before = now.threads[thread.index()];
        self.registers.extend_from_slice(&now.registers[before.base as usize..][..before.registers as usize]);
        let (used, cells, cut) = (now.used, self.cells.len(), now.cut);
        self.answers.push(Answered { thread, before, child: None, used, cells, cut });
    }

    /// A thread is about to write a guarded cell.
    #[inline]
    pub(super) fn note_cell(&mut self, cell: usize, before: i64) {
        if self.is_kept {
            self.cells.push((cell, before));
        }
    }

    /// The thread that went on last has created another one.
    pub(super) fn note_child(&mut self, child: ThreadId) {
        if let Some(answered) = self.answers.last_mut() {
            answered.child = Some(child);
        }
    }

    /// Takes back all but the first so many answers. False if that is not known.
    pub(super) fn go_back(&mut self, answers: usize, now: &mut State) -> bool {
        if !self.is_kept || self.answers.len() < answers {
            return false;
        }
        while self.answers.len() > answers {
            let Some(Answered { thread, before, child, used, cells, cut }) = self.answers.pop() else { break };
            if let Some(child) = child {
                now.threads[child.index()] = GONE;
            }
            let kept = self.registers.len() - before.registers as usize;
            now.registers[before.base as usize..][..before.registers as usize].copy_from_slice(&self.registers[kept..]);
            self.registers.truncate(kept);
            for (cell, value) in self.cells.drain(cells..).rev() {
                now.cells[cell] = value;
            }
            now.threads[thread.index()] = before;
            (now.used, now.cut) = (used, cut);
        }
        true
    }
}
