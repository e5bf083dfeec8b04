//! `Alt(C, D)`: what can be explored after C without D so that nothing of D has to be looked at again.
//!
//! An alternative is an extension C' of C by events of U, none of them in D, such that C' is in conflict with every event
//! of D. A *k-partial* one is in conflict with k events of D that C is not in conflict with: it is found in polynomial
//! time, but what is explored after it may turn out to be nothing but D.
//!
//! For an event d of D that is open, only events in immediate conflict with it can make the difference: its *spike*. One
//! event of each spike is added to C', with its history, until no d is open.

use super::arena::{Node, Unfolding};
use super::configuration::{Configuration, Obstacle};
use super::done::{Done, Open};
use super::followers::Cursor;

/// Which open events of D come first when an alternative is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Preference {
    /// Those that were added, or became open again, last.
    Newest,
    /// Those that were added first: they are hardest to be in conflict with.
    #[default]
    Oldest,
    /// Those with the fewest candidates; there is no alternative where one has none. What is left after k of them is
    /// added greedily.
    Shortest,
}

/// Whether there is an alternative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// There is none.
    Nothing,
    /// There is one.
    Alternative,
    /// The budget was used up: there is something to explore, which may turn out to be nothing but D.
    WithinBudget,
}

/// The search for alternatives. Reused, so that it allocates nothing in the long run.
#[derive(Debug)]
pub struct Alternatives {
    preference: Preference,
    /// So many events of D are looked after; all, if none.
    k: Option<u32>,
    /// So many candidates are tried at most before what there is has to do.
    budget: u64,
    /// The open events of D, in the order of preference.
    order: Vec<(u32, Open)>,
    frames: Vec<Frame>,
    /// C' without C, in the order in which it was added.
    path: Vec<Node>,
    /// The event of D that had no candidate when that was last found of one.
    without_candidate: Node,
}

/// An event of D that was chosen, and the candidate that C' has because of it.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Its place in the order.
    place: usize,
    /// The candidates that are still to be tried.
    next: Cursor,
    /// How many events C' had before.
    len: usize,
}

impl Alternatives {
    /// By this preference, for k events of D (or all), within so many attempts for each alternative.
    pub fn new(preference: Preference, k: Option<u32>, budget: u64) -> Self {
        Alternatives {
            preference,
            k,
            budget,
            order: Vec::new(),
            frames: Vec::new(),
            path: Vec::new(),
            without_candidate: Node::NONE,
        }
    }

    pub(super) fn k(&self) -> Option<u32> {
        self.k
    }

    pub(super) fn set_path(&mut self, path: Vec<Node>) {
        self.path = path;
    }

    /// What the alternative found last adds to C.
    pub fn path(&self) -> &[Node] {
        &self.path
    }

    /// Looks for an alternative to D after C. C is the same afterwards.
    pub fn find(&mut self, unfolding: &mut Unfolding, c: &mut Configuration, done: &Done) -> Found {
        let found = self.find_path(unfolding, c, done);
        unfolding.set_hindered_apart();
        found
    }

    fn find_path(&mut self, unfolding: &mut Unfolding, c: &mut Configuration, done: &Done) -> Found {
        let len = c.len();
        if !self.may_be_found(unfolding, done) {
            return Found::Nothing;
        }
        self.order.clear();
        self.order.extend(done.open().iter().map(|&open| (0, open)));
        match self.preference {
            Preference::Newest => self.order.reverse(),
            Preference::Oldest => {}
            Preference::Shortest => {
                self.order.reverse();
                if !self.sort_by_spikes(unfolding, c) {
                    return Found::Nothing;
                }
            }
        }
        let found = self.search(unfolding, c, len);
        if found != Found::Nothing {
            if self.preference == Preference::Shortest {
                self.complete(unfolding, c, len);
            }
            self.path.clear();
            self.path.extend_from_slice(&c.nodes()[len..]);
            c.shrink(unfolding, len);
        }
        found
    }

    /// Whether every open event of D has a candidate. One that has none is likely to be the one that has none next time.
    fn may_be_found(&mut self, unfolding: &Unfolding, done: &Done) -> bool {
        let has_none = |open: &&Open| !unfolding.has_candidate(open.node);
        let mut open = done.open().iter();
        if open.clone().find(|open| open.node == self.without_candidate).as_ref().is_some_and(has_none) {
            return false;
        }
        match open.find(has_none) {
            Some(open) => self.without_candidate = open.node,
            None => return true,
        }
        false
    }

    /// The search through one candidate for each event of the order. C' is left as it was found.
    fn search(&mut self, unfolding: &mut Unfolding, c: &mut Configuration, base: usize) -> Found {
        let mut attempts = 0;
        self.frames.clear();
        let mut from = 0;
        loop {
            let open = (from..self.order.len()).find(|&place| is_open(unfolding, c, base, &self.order[place].1));
            let Some(place) = open else { return Found::Alternative };
            if self.k.is_some_and(|k| self.frames.len() >= k as usize) {
                return Found::Alternative;
            }
            if attempts > self.budget && !self.frames.is_empty() {
                return Found::WithinBudget;
            }
            let next = unfolding.candidates(self.order[place].1.node);
            self.frames.push(Frame { place, next, len: c.len() });
            loop {
                let Some(frame) = self.frames.last_mut() else { return Found::Nothing };
                c.shrink(unfolding, frame.len);
                let d = self.order[frame.place].1.node;
                if add_first(unfolding, c, d, &mut frame.next, &mut attempts) {
                    from = frame.place + 1;
                    break;
                }
                // Without what the frames before added there is no candidate for it either.
                if self.frames.len() > 1 && !unfolding.has_candidate(d) {
                    self.without_candidate = d;
                    c.shrink(unfolding, base);
                    return Found::Nothing;
                }
                self.frames.pop();
            }
        }
    }

    /// Sorts by the number of candidates that fit alone. False if one has none.
    fn sort_by_spikes(&mut self, unfolding: &mut Unfolding, c: &mut Configuration) -> bool {
        let len = c.len();
        for (size, open) in &mut self.order {
            let mut next = unfolding.candidates(open.node);
            while add_first(unfolding, c, open.node, &mut next, &mut 0) {
                *size += 1;
                c.shrink(unfolding, len);
            }
            if *size == 0 {
                return false;
            }
        }
        self.order.sort_by_key(|&(size, _)| size);
        true
    }

    /// Adds candidates for what is still open, where one fits.
    fn complete(&mut self, unfolding: &mut Unfolding, c: &mut Configuration, base: usize) {
        for (_, open) in &self.order {
            if is_open(unfolding, c, base, open) {
                let mut next = unfolding.candidates(open.node);
                add_first(unfolding, c, open.node, &mut next, &mut 0);
            }
        }
    }
}

/// Whether C' is in no conflict with an event of D that was open in C, its first `base` events.
fn is_open(unfolding: &Unfolding, c: &Configuration, base: usize, open: &Open) -> bool {
    let mut added = c.nodes()[base..].iter().map(|&node| unfolding.slot(node));
    !added.any(|slot| open.is_justified_by(slot.choice, &slot.footprint))
}

/// Adds the first candidate for d from `next` on that fits, with its history. `next` is then the one after it.
fn add_first(unfolding: &mut Unfolding, c: &mut Configuration, d: Node, next: &mut Cursor, attempts: &mut u64) -> bool {
    while let Some(f) = unfolding.next_candidate(d, next) {
        if unfolding.are_rivals(d, f) {
            *attempts += 1;
            match c.add(unfolding, f) {
                Ok(()) => return true,
                Err(Obstacle(obstacle)) => unfolding.note_obstacle(f, obstacle),
            }
        }
    }
    false
}
