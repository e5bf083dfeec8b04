//! Where loops are that wait.

use model::Site;
use rustc_hash::FxHashSet;
use std::cell::{Cell, RefCell};

/// What is known of loops, in all runs.
#[derive(Default)]
pub(crate) struct Loops {
    sites: RefCell<FxHashSet<Site>>,
    /// Whether there are any, which is asked for at every step.
    any: Cell<bool>,
}

impl Loops {
    /// The places in loops, in their order.
    pub(crate) fn sites(&self) -> Vec<Site> {
        let mut sites: Vec<Site> = self.sites.borrow().iter().copied().collect();
        sites.sort_unstable();
        sites
    }

    /// This place is in a loop. Says whether that is new.
    pub(crate) fn know(&self, site: Site) -> bool {
        self.any.set(true);
        self.sites.borrow_mut().insert(site)
    }

    /// Whether there are any.
    #[inline]
    pub(super) fn is_any(&self) -> bool {
        self.any.get()
    }

    /// Whether this place is in a loop.
    pub(super) fn contains(&self, site: Site) -> bool {
        self.any.get() && self.sites.borrow().contains(&site)
    }
}
