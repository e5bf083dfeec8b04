//! Copies for checkpoints.

use super::{Look, Spin, Visit};
use crate::slot::NO_OP;
use model::Op;

/// A copy of a [`Spin`].
#[derive(Clone, Debug)]
pub(crate) struct SavedSpin {
    quiet: u32,
    looks: Vec<Look>,
    visits: Vec<Visit>,
    depth: i32,
    waits: bool,
    then: Op,
    alternatives: Vec<Look>,
}

impl Default for SavedSpin {
    fn default() -> Self {
        SavedSpin {
            quiet: 0,
            looks: Vec::new(),
            visits: Vec::new(),
            depth: 0,
            waits: false,
            then: NO_OP,
            alternatives: Vec::new(),
        }
    }
}

impl Spin {
    /// Copies it. Between steps, nothing was written unnoticed.
    pub(crate) fn save(&self, saved: &mut SavedSpin) {
        saved.quiet = self.quiet.get();
        saved.looks.clone_from(&self.looks.borrow());
        saved.visits.clone_from(&self.visits.borrow());
        saved.depth = self.depth.get();
        saved.waits = self.waits.get();
        saved.then = self.then.get();
        saved.alternatives.clone_from(&self.alternatives.borrow());
    }

    /// Becomes what it was when it was copied.
    pub(crate) fn load(&self, saved: &SavedSpin) {
        self.quiet.set(saved.quiet);
        self.looks.borrow_mut().clone_from(&saved.looks);
        self.visits.borrow_mut().clone_from(&saved.visits);
        self.depth.set(saved.depth);
        self.wrote.set(false);
        self.waits.set(saved.waits);
        self.then.set(saved.then);
        self.alternatives.borrow_mut().clone_from(&saved.alternatives);
    }
}
