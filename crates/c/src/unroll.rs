//! A bound on the rounds of loops: an execution in which a loop would make one more is given up.
//!
//! A loop is recognised by its operations. A thread keeps the places that it came to, each with the calls that led there. When it
//! comes to one of them again, that is a new round of the loop around it, and what came after that place is forgotten: loops within
//! begin to count anew. Loops without operations are not bounded.

use crate::context::{Context, Table};
use crate::slot::Status;
use model::{Site, ThreadId};
use rustc_hash::FxHasher;
use std::cell::RefCell;
use std::hash::{Hash, Hasher};

/// A place that a thread came to.
struct Visit {
    /// A fingerprint of the calls that led there.
    calls: u64,
    site: Site,
    times: u32,
}

/// The rounds of all threads in a run.
#[derive(Default)]
pub(crate) struct Rounds {
    by_thread: RefCell<Vec<Vec<Visit>>>,
}

impl Rounds {
    /// See [`crate::context::Table`].
    pub(crate) fn table(&self) -> &dyn Table {
        &self.by_thread
    }

    pub(crate) fn begin_run(&self) {
        self.by_thread.borrow_mut().clear();
    }

    /// A thread comes to a place: how many times in a row is the answer.
    fn visit(&self, thread: ThreadId, site: Site, calls: u64) -> u32 {
        let mut threads = self.by_thread.borrow_mut();
        while threads.len() <= thread.index() {
            threads.push(Vec::new());
        }
        let visits = &mut threads[thread.index()];
        match visits.iter().position(|visit| (visit.site, visit.calls) == (site, calls)) {
            Some(at) => {
                visits.truncate(at + 1);
                visits[at].times += 1;
                visits[at].times
            }
            None => {
                visits.push(Visit { calls, site, times: 1 });
                1
            }
        }
    }
}

impl Context {
    /// Gives the run up if the thread that runs makes more rounds of a loop than there may be.
    pub(crate) fn bound_rounds(&self, site: Site, most: u32) {
        let mut hasher = FxHasher::default();
        self.calls().hash(&mut hasher);
        if self.rounds.visit(self.current(), site, hasher.finish()) > most {
            self.cut.set(true);
            self.leave(Status::Gone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREAD: ThreadId = ThreadId(1);

    fn visits(rounds: &Rounds, sites: &[u32]) -> Vec<u32> {
        sites.iter().map(|&site| rounds.visit(THREAD, Site(site), 0)).collect()
    }

    #[test]
    fn rounds_of_loops_within_loops_are_counted_anew() {
        let rounds = Rounds::default();
        // Place 1 is in the outer loop, place 2 in the inner one.
        assert_eq!(visits(&rounds, &[1, 2, 2, 2, 1, 2, 2, 1]), [1, 1, 2, 3, 2, 1, 2, 3]);
    }

    #[test]
    fn calls_from_other_places_are_other_loops() {
        let rounds = Rounds::default();
        assert_eq!((rounds.visit(THREAD, Site(1), 7), rounds.visit(THREAD, Site(1), 8)), (1, 1));
        assert_eq!(rounds.visit(ThreadId(0), Site(1), 7), 1);
        rounds.begin_run();
        assert_eq!(rounds.visit(THREAD, Site(1), 7), 1);
    }
}
