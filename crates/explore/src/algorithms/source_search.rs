//! The search that classic and source-DPOR share: depth first, with backtrack sets that grow while it runs, and sleep
//! sets. They differ only in which backtrack sets they find good enough: the [`BacktrackRule`].
//!
//! | SRC Algorithm 1, 3 | here |
//! |---|---|
//! | E | the explorer's trace |
//! | `backtrack(E')` | [`Frame::backtrack`] of the frame at its length |
//! | `Sleep` | [`SleepSets`] |
//! | lines for locks and blocking | [`Search::look_at_waiting`] |
//! | "for each e with e ≲ next\[E\](p)" | [`Search::look_at_last`] |

use crate::algorithms::bounded_search;
use crate::explorer::{Explorer, Stop};
use model::{Choice, Pending, ThreadId};
use trace::{Initial, Race, Reversal, SleepSets, Sleeper, Trace, Without};

/// What makes a backtrack set good enough for a race, and what is added when it is not.
pub(crate) struct BacktrackRule {
    /// Whether a backtrack set covers the reversal with these initials.
    pub(crate) covers: fn(&[Choice], &[Initial]) -> bool,
    /// The initial to add otherwise; also given is the thread of the race's second event.
    pub(crate) choose: fn(&[Initial], ThreadId) -> Choice,
}

/// One prefix of E.
#[derive(Default)]
struct Frame {
    /// Transitions, by their first alternatives (CMP Algorithm 1).
    backtrack: Vec<Choice>,
    /// The one of `backtrack` that is being explored, its next alternative, and how many it has (0: not known yet).
    at: usize,
    alternative: u32,
    alternatives: u32,
}

struct Search<'r> {
    rule: &'r BacktrackRule,
    frames: Vec<Frame>,
    sleep: SleepSets,
    v: Reversal,
    initials: Vec<Initial>,
    without: Without,
}

/// Explores everything after the empty execution.
pub(crate) fn explore(e: &mut Explorer<'_>, rule: &BacktrackRule) -> Result<(), Stop> {
    if e.bounds().any() {
        return bounded_search::explore(e);
    }
    let mut search = Search {
        rule,
        frames: Vec::new(),
        sleep: SleepSets::default(),
        v: Reversal::default(),
        initials: Vec::new(),
        without: Without::default(),
    };
    loop {
        search.enter(e)?;
        let Some(step) = search.next_step(e)? else { return Ok(()) };
        let event = e.step(step)?;
        search.sleep.grow(event);
        search.look_at_last(e);
    }
}

impl Search<'_> {
    /// E is new: starts its backtrack set with one enabled thread that does not sleep, or ends the execution.
    fn enter(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        self.look_at_waiting(e)?;
        let sleep = &self.sleep;
        let awake = |_: &Trace, pending: &Pending| !sleep.is_asleep(pending.choice());
        if let Some(r) = e.first_enabled(awake)? {
            self.frames.push(Frame { backtrack: vec![r.choice()], alternatives: r.alternatives, ..Frame::default() });
            return Ok(());
        }
        self.take_siblings(e);
        let share = Some(self.share());
        if e.first_enabled(|_, _| true)?.is_some() { e.sleep_set_blocked(|| share) } else { e.finish(|| share) }
    }

    /// The next step to explore, after the longest prefix that has one left; E is cut back to it.
    fn next_step(&mut self, e: &mut Explorer<'_>) -> Result<Option<Choice>, Stop> {
        while !self.frames.is_empty() {
            let len = self.frames.len() - 1;
            if e.trace().len() > len {
                let explored = Sleeper::of(&e.trace().events()[len]);
                e.cut(len);
                self.sleep.cut(len);
                self.sleep.add(explored);
            }
            if let Some(step) = self.next_step_here(e)? {
                return Ok(Some(step));
            }
            self.frames.pop();
        }
        Ok(None)
    }

    /// "while some p ∈ backtrack(E) \ Sleep", by each of its alternatives.
    fn next_step_here(&mut self, e: &mut Explorer<'_>) -> Result<Option<Choice>, Stop> {
        let frame = self.frames.last_mut().expect("a prefix");
        while let Some(&choice) = frame.backtrack.get(frame.at) {
            // A transition's alternatives are explored one after the other, so that they sleep together.
            let is_asleep = || self.sleep.top().iter().any(|q| q.choice.first_of_transition() == choice);
            if frame.alternatives == 0 && !is_asleep() {
                frame.alternatives = e.transition_of(choice)?.map_or(0, |pending| pending.alternatives);
            }
            if frame.alternative < frame.alternatives {
                frame.alternative += 1;
                return Ok(Some(choice.by(frame.alternative - 1)));
            }
            frame.at += 1;
            frame.alternative = 0;
            frame.alternatives = 0;
        }
        Ok(None)
    }

    /// The races of the last step.
    fn look_at_last(&mut self, e: &Explorer<'_>) {
        let trace = e.trace();
        for race in trace.races_of(trace.len() as u32 - 1) {
            self.v.of(trace, race);
            self.v.initials(trace, &mut self.initials);
            if self.provide_for(race) {
                e.note_reversal(race);
            }
        }
    }

    /// The races of every operation that can block, whether it is blocked now or not.
    fn look_at_waiting(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        let waiting: Vec<Pending> = e.pending()?.filter(|pending| pending.may_block()).collect();
        for pending in &waiting {
            let races = e.trace().races_of_pending(pending);
            for race in races.all() {
                self.v.of_pending(e.trace(), &races, race);
                self.v.initials(e.trace(), &mut self.initials);
                if self.provide_for(race) {
                    e.note_reversal(race);
                }
            }
        }
        Ok(())
    }

    /// What could have been taken in place of the events of E, which is maximal or given up.
    fn take_siblings(&mut self, e: &Explorer<'_>) {
        let trace = e.trace();
        if !trace.has_siblings() {
            return;
        }
        let mut without = std::mem::take(&mut self.without);
        without.each_race(trace, |sibling| {
            self.v.of_sibling(trace, sibling);
            self.v.initials(trace, &mut self.initials);
            self.provide_for(&sibling.race);
        });
        self.without = without;
    }

    /// Makes sure that an initial of v is explored after `E' = pre(E,e)`. Says whether one had to be added.
    fn provide_for(&mut self, race: &Race) -> bool {
        let backtrack = &mut self.frames[race.first as usize].backtrack;
        let is_new = !(self.rule.covers)(backtrack, &self.initials);
        if is_new {
            backtrack.push((self.rule.choose)(&self.initials, race.thread));
        }
        is_new
    }

    /// The share of the known branches that lies behind the current path.
    fn share(&self) -> f64 {
        let mut done = 0.0;
        let mut width = 1.0;
        for frame in &self.frames {
            width /= frame.backtrack.len() as f64;
            done += width * frame.at as f64;
        }
        done
    }
}
