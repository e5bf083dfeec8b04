//! Copies for checkpoints.

use super::{Look, Spin, Visit};
use crate::checkpoint::copy_list;
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
        copy_list(&mut saved.looks, &self.looks.borrow());
        copy_list(&mut saved.visits, &self.visits.borrow());
        saved.depth = self.depth.get();
        saved.waits = self.waits.get();
        saved.then = self.then.get();
        copy_list(&mut saved.alternatives, &self.alternatives.borrow());
    }

    /// Becomes what it was when it was copied.
    pub(crate) fn load(&self, saved: &SavedSpin) {
        self.quiet.set(saved.quiet);
        copy_list(&mut self.looks.borrow_mut(), &saved.looks);
        copy_list(&mut self.visits.borrow_mut(), &saved.visits);
        self.depth.set(saved.depth);
        self.wrote.set(false);
        self.waits.set(saved.waits);
        self.then.set(saved.then);
        copy_list(&mut self.alternatives.borrow_mut(), &saved.alternatives);
    }
}
