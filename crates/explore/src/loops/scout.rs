//! Where a program may have loops, and where it is not worth to look at them.
//!
//! Local states and visits cost more than a step does. So a search begins without them, and begins anew with them when a
//! thread comes to a place for the second time. If much would be lost by then, that place is only *suspect*: local states are
//! asked for there, and the search begins anew when a thread is there twice in the same one.
//!
//! What is done for good is no part of a round. So a loop that creates threads, or waits for their ends, is none of those.
//!
//! A place to which threads come again and again without ever coming round, such as one in a loop that counts, is *barren*:
//! it is not looked at any more, for which a search that looked at visits begins anew. Where it does not look, it runs
//! rounds that it could have left out, and nothing else changes.
//!
//! Where preemptions or delays are bounded, a loop does not multiply executions: how often others can come in between is
//! given. There, loops are only looked for in executions that are so long that they may have no end.

use super::visits::is_lasting;
use super::watched::{LONGEST_SHORTCUT, Lesson, Watched};
use model::{Fingerprint, Site, Stepped, ThreadId};
use rustc_hash::FxHashMap;

/// A place that was visited so often again, in vain, is barren, and so is one that was visited half as often then.
const MOST_REVISITS: u32 = 250;

/// Which places threads have been at, where nothing more is kept of them.
#[derive(Default)]
pub(super) struct Scout {
    visits: Vec<Visit>,
    /// Of each place, which of the first threads have been there, as bits, and whether it is suspect; or that it is barren.
    near: Vec<u64>,
    /// The same of places with large numbers.
    far: FxHashMap<Site, u64>,
    /// The local states in which threads left suspect places, each with how many steps came before.
    states: Vec<(u32, ThreadId, Site, Fingerprint)>,
    /// How often that was a new one.
    in_vain: FxHashMap<Site, u32>,
}

struct Visit {
    /// How many steps came before.
    steps: u32,
    thread: ThreadId,
    site: Site,
    is_lasting: bool,
}

/// Places with smaller numbers are kept in a list.
const NEAR: usize = 1 << 16;
const BARREN: u64 = 1 << 63;
const SUSPECT: u64 = 1 << 62;
/// Of further threads it is not known where they have been: they mostly do what these do.
const MOST_THREADS: usize = 62;
/// A search that has run longer does not begin anew for an old place: that is suspect from then on.
const SHORT: u32 = 1_000;
/// Where loops are looked for late, it is after so many steps of an execution.
const LATE: u32 = 1_000;

/// What a thread has come to.
#[derive(PartialEq, Eq, Debug)]
enum Met {
    /// Nothing of interest.
    Nothing,
    /// A place that it has been at before.
    OldPlace,
    /// A suspect place.
    Suspect,
}

impl Scout {
    /// Where it is not worth to look.
    pub(super) fn new(barren: impl Iterator<Item = Site>) -> Self {
        let mut scout = Scout::default();
        barren.for_each(|site| *scout.visitors(site) = BARREN);
        scout
    }

    fn suspect(&mut self, site: Site) {
        let visitors = self.visitors(site);
        if *visitors != BARREN {
            *visitors |= SUSPECT;
        }
    }

    #[inline(always)]
    fn visitors(&mut self, site: Site) -> &mut u64 {
        let place = site.0 as usize;
        if place < self.near.len() { &mut self.near[place] } else { self.new_visitors(site) }
    }

    /// The same of a place that is not in the list.
    #[cold]
    fn new_visitors(&mut self, site: Site) -> &mut u64 {
        let place = site.0 as usize;
        if place >= NEAR {
            return self.far.entry(site).or_default();
        }
        self.near.resize(place + 1, 0);
        &mut self.near[place]
    }

    /// A thread takes a step at a place after so many others. If it is a lasting one, nothing that began before it is a round.
    #[inline]
    fn visit(&mut self, steps: u32, thread: ThreadId, site: Site, is_lasting: impl Fn() -> bool) -> Met {
        if thread.index() >= MOST_THREADS {
            return Met::Nothing;
        }
        let visitors = self.visitors(site);
        if *visitors == BARREN {
            return Met::Nothing;
        }
        let (is_suspect, is_old) = (*visitors & SUSPECT != 0, *visitors >> thread.0 & 1 != 0);
        *visitors |= 1 << thread.0;
        let met = match (is_suspect, is_old) {
            (true, _) => Met::Suspect,
            (false, true) if self.may_come_round(thread, site) => Met::OldPlace,
            _ => Met::Nothing,
        };
        self.visits.push(Visit { steps, thread, site, is_lasting: is_lasting() });
        met
    }

    /// Whether a thread has taken no lasting step since it was last at this place.
    #[inline(never)]
    fn may_come_round(&self, thread: ThreadId, site: Site) -> bool {
        let mut own = self.visits.iter().rev().filter(|visit| visit.thread == thread);
        own.find(|visit| visit.is_lasting || visit.site == site).is_some_and(|visit| !visit.is_lasting)
    }

    /// Takes back what came after so many steps.
    #[inline]
    pub(super) fn cut(&mut self, steps: u32) {
        while let Some(visit) = self.visits.pop_if(|visit| visit.steps >= steps) {
            let visitors = self.visitors(visit.site);
            if *visitors != BARREN {
                *visitors &= !(1 << visit.thread.0);
            }
        }
        while self.states.pop_if(|&mut (before, ..)| before >= steps).is_some() {}
    }

    /// A thread left a suspect place. Says whether it left it in this local state before.
    fn has_come_round(&mut self, steps: u32, thread: ThreadId, site: Site, state: Option<Fingerprint>) -> bool {
        let in_vain = self.in_vain.entry(site).or_default();
        *in_vain += 1;
        if *in_vain >= MOST_REVISITS {
            *self.visitors(site) = BARREN;
        }
        let Some(state) = state else { return false };
        let own =
            |&(_, of, at, earlier): &(u32, ThreadId, Site, Fingerprint)| (of, at, earlier) == (thread, site, state);
        let was_there = self.states.iter().rev().any(own);
        self.states.push((steps, thread, site, state));
        was_there
    }

    /// The places of a thread since it was last at this one.
    fn since(&self, thread: ThreadId, site: Site) -> impl Iterator<Item = Site> + '_ {
        let own = || self.visits.iter().filter(move |visit| visit.thread == thread);
        let first = own().rev().skip(1).position(|visit| visit.site == site).map_or(0, |place| place + 2);
        // The place before a loop is looked at as well.
        own().rev().take(first + 1).map(|visit| visit.site)
    }
}

impl Watched<'_> {
    /// A thread has taken a step at a place, where nothing is known of loops.
    #[inline]
    pub(super) fn scout(&mut self, thread: ThreadId, stepped: &Stepped) {
        if self.steps >= self.scouts_from {
            let site = stepped.op.site;
            match self.scout.visit(self.steps, thread, site, || is_lasting(&stepped.op, stepped.outcome)) {
                Met::Nothing => {}
                Met::OldPlace => self.find_old_place(thread, site),
                Met::Suspect => self.look_for_loop(thread, site),
            }
        }
        self.steps += 1;
    }

    /// Schedules are bounded, and with them what the rounds of a loop can add to a search: loops are looked for only where
    /// executions get long.
    pub(crate) fn scout_late(&mut self) {
        self.scouts_from = LATE;
    }

    /// So many runs of the search were made before, perhaps elsewhere.
    pub(crate) fn scout_after(&mut self, runs: u64) {
        self.rewinds = u32::try_from(runs).unwrap_or(u32::MAX);
    }

    #[cold]
    fn find_old_place(&mut self, thread: ThreadId, site: Site) {
        if self.rewinds < SHORT {
            self.find_loop(thread, site);
        } else {
            self.scout.suspect(site);
        }
    }

    #[cold]
    fn look_for_loop(&mut self, thread: ThreadId, site: Site) {
        let state = self.run.pending(thread).and_then(|_| self.run.local_state(thread));
        if self.scout.has_come_round(self.steps, thread, site, state) {
            self.find_loop(thread, site);
        }
    }

    fn find_loop(&mut self, thread: ThreadId, site: Site) {
        let sites: Vec<Site> = self.scout.since(thread, site).filter(|&site| !self.known.is_barren(site)).collect();
        for site in sites {
            self.new.add_place(site);
        }
        self.teach(Lesson::Needed);
    }

    /// A place was of use.
    pub(super) fn note_fruitful(&mut self, site: Site) {
        if !self.known.is_fruitful(site) {
            self.new.add_fruitful(site);
        }
    }

    /// What a thread did last was of use, as long a way as is looked at: so were all places on it.
    pub(super) fn note_fruitful_way(&mut self, thread: ThreadId) {
        let all = self.threads[thread.index()].all();
        for place in all.len().saturating_sub(LONGEST_SHORTCUT)..all.len() {
            self.note_fruitful(self.threads[thread.index()].all()[place].op.site);
        }
    }

    /// Whether a place was of use, now or earlier.
    pub(super) fn is_fruitful(&self, site: Site) -> bool {
        self.known.is_fruitful(site) || self.new.is_fruitful(site)
    }

    /// A thread came to a known place again.
    pub(super) fn note_revisit(&mut self, site: Site) {
        let revisits = self.revisits.entry(site).or_default();
        *revisits += 1;
        if *revisits == MOST_REVISITS && !self.is_fruitful(site) {
            let often = self.revisits.iter().filter(|(_, revisits)| **revisits >= MOST_REVISITS / 2);
            let barren: Vec<Site> = often.map(|(&site, _)| site).filter(|&site| !self.is_fruitful(site)).collect();
            barren.into_iter().for_each(|site| self.new.add_barren(site));
            self.teach(Lesson::Useful);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_comes_back_is_found_and_the_way_since() {
        let [a, b] = [ThreadId(0), ThreadId(1)];
        let mut scout = Scout::default();
        let sites = |scout: &Scout| scout.since(a, Site(1)).map(|site| site.0).collect::<Vec<_>>();
        use Met::*;
        let steps = [(a, 0, Nothing), (a, 1, Nothing), (b, 1, Nothing), (a, 2, Nothing), (a, 1, OldPlace)];
        for (number, (thread, site, met)) in (0..).zip(steps) {
            assert_eq!(scout.visit(number, thread, Site(site), || false), met);
        }
        assert_eq!(sites(&scout), [1, 2, 1, 0]);
        scout.cut(1);
        assert_eq!([scout.visit(1, a, Site(1), || false), scout.visit(2, a, Site(0), || false)], [Nothing, OldPlace]);
    }

    #[test]
    fn what_is_done_for_good_is_no_part_of_a_round() {
        let [a, b] = [ThreadId(0), ThreadId(1)];
        let mut scout = Scout::default();
        use Met::*;
        let steps = [
            (a, 0, true, Nothing),
            (a, 0, true, Nothing),
            (a, 1, false, Nothing),
            (b, 1, true, Nothing),
            (a, 1, true, OldPlace),
            (a, 1, false, Nothing),
            (a, 1, false, OldPlace),
        ];
        for (number, (thread, site, is_lasting, met)) in (0..).zip(steps) {
            assert_eq!(scout.visit(number, thread, Site(site), || is_lasting), met, "step {number}");
        }
    }

    #[test]
    fn local_states_are_those_of_one_thread_at_one_place() {
        let mut scout = Scout::default();
        let [a, b] = [ThreadId(0), ThreadId(1)];
        let state = |number| Some(Fingerprint(number));
        assert!(!scout.has_come_round(0, a, Site(1), state(7)) && !scout.has_come_round(1, b, Site(1), state(7)));
        assert!(!scout.has_come_round(2, a, Site(2), state(7)) && !scout.has_come_round(3, a, Site(1), state(8)));
        assert!(scout.has_come_round(4, a, Site(1), state(7)));
        scout.cut(0);
        assert!(!scout.has_come_round(0, a, Site(1), state(7)));
    }

    #[test]
    fn barren_and_suspect_places_and_those_with_large_numbers() {
        let mut scout = Scout::new([Site(3)].into_iter());
        [Site(3), Site(4)].into_iter().for_each(|site| scout.suspect(site));
        let thread = ThreadId(0);
        let mut visit = |steps, site| scout.visit(steps, thread, Site(site), || false);
        assert_eq!([visit(0, 3), visit(1, 3), visit(2, 4)], [Met::Nothing, Met::Nothing, Met::Suspect]);
        assert_eq!([visit(3, 1 << 30), visit(4, 1 << 30)], [Met::Nothing, Met::OldPlace]);
        scout.cut(3);
        assert_eq!(scout.visit(3, thread, Site(1 << 30), || false), Met::Nothing);
    }
}
