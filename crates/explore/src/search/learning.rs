//! Searching again because something was learnt of the program.
//!
//! Runs find out what decides which steps are operations: what memory threads share, what they can tell apart, where they wait. A search
//! that did not know it from its start may have missed executions, so that nothing of it counts. It is done anew with what is known now,
//! until one finds out nothing more.

use std::time::{Duration, Instant};

/// A front end's program of which runs find out something.
pub trait Learner {
    /// A search begins, with all that is known by now. It may take so long.
    fn begin_search(&self, time: Option<Duration>);

    /// Whether more is known than when the search began.
    fn knows_more(&self) -> bool;

    /// Whether no other search is to begin, whatever is known: the program cannot be explored, or the user does not want to wait.
    fn gives_up(&self) -> bool {
        false
    }
}

/// What came of the last search of several.
#[derive(Debug)]
pub struct Learnt<R> {
    /// Its result.
    pub result: R,
    /// Whether it knew from its start all that is known now: otherwise it was not exhaustive, whatever it says.
    pub is_whole: bool,
}

/// Every search has found out something more, and that will hardly ever end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AlwaysMore {
    /// How many searches there were.
    pub searches: usize,
}

/// Searches until nothing more is learnt of the program, or the time is up: `search` is told how much of it is left.
pub fn search_until_known<R>(
    program: &(impl Learner + ?Sized),
    time: Option<Duration>,
    most: usize,
    mut search: impl FnMut(Option<Duration>) -> R,
) -> Result<Learnt<R>, AlwaysMore> {
    let started = Instant::now();
    for _ in 0..most {
        let left = time.map(|time| time.saturating_sub(started.elapsed()));
        program.begin_search(left);
        let result = search(left);
        let is_whole = !program.knows_more();
        // Where something was learnt when the time was up, what comes of that search makes no sense; that of one without time does.
        let had_no_time = left.is_some_and(|left| left.is_zero());
        if is_whole || had_no_time || program.gives_up() {
            return Ok(Learnt { result, is_whole });
        }
    }
    Err(AlwaysMore { searches: most })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// There is so much to be known of it, of which each search finds out one thing.
    struct Pupil {
        known: Cell<u32>,
        at_start: Cell<u32>,
        all: u32,
        patience: u32,
    }

    impl Pupil {
        fn new(all: u32) -> Self {
            Pupil { known: Cell::new(0), at_start: Cell::new(0), all, patience: u32::MAX }
        }

        fn search(&self) -> u32 {
            self.known.set(self.all.min(self.known.get() + 1));
            self.at_start.get()
        }
    }

    impl Learner for Pupil {
        fn begin_search(&self, _: Option<Duration>) {
            self.at_start.set(self.known.get());
        }

        fn knows_more(&self) -> bool {
            self.known.get() > self.at_start.get()
        }

        fn gives_up(&self) -> bool {
            self.known.get() >= self.patience
        }
    }

    #[test]
    fn the_last_search_knows_everything_from_its_start() {
        let pupil = Pupil::new(3);
        let learnt = search_until_known(&pupil, None, 10, |_| pupil.search()).unwrap();
        assert_eq!((learnt.result, learnt.is_whole), (3, true));
    }

    #[test]
    fn searches_that_always_find_out_more_end() {
        let pupil = Pupil::new(u32::MAX);
        let error = search_until_known(&pupil, None, 10, |_| pupil.search()).unwrap_err();
        assert_eq!(error, AlwaysMore { searches: 10 });
    }

    #[test]
    fn a_search_that_is_the_last_for_another_reason_is_not_whole() {
        let late = Pupil::new(u32::MAX);
        let learnt = search_until_known(&late, Some(Duration::ZERO), 10, |left| (left, late.search())).unwrap();
        assert_eq!((learnt.result, learnt.is_whole), ((Some(Duration::ZERO), 0), false));
        let impatient = Pupil { patience: 2, ..Pupil::new(u32::MAX) };
        let learnt = search_until_known(&impatient, None, 10, |_| impatient.search()).unwrap();
        assert_eq!((learnt.result, learnt.is_whole), (1, false));
    }
}
