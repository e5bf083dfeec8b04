//! The way round: steps within a component that have all marks, to be shown.

use super::*;
use std::collections::VecDeque;

/// A way from one state of the store to another.
struct Way {
    to: usize,
    marks: u64,
    steps: Vec<TrailStep>,
}

impl Search<'_> {
    /// A way round from a state within its component that has all marks.
    pub(super) fn cycle(&mut self, at: usize, first: u32) -> Vec<TrailStep> {
        let mut steps = Vec::new();
        let mut here = at;
        let mut missing = self.all;
        while missing != 0 {
            let Some(way) = self.shortest(here, first, |way| way.marks & missing != 0) else { break };
            missing &= !way.marks;
            here = way.to;
            steps.extend(way.steps);
        }
        if (here != at || steps.is_empty())
            && let Some(way) = self.shortest(here, first, |way| way.to == at)
        {
            steps.extend(way.steps);
        }
        steps
    }

    /// The shortest way within a component whose last step is one that is wanted; its marks are those of all its steps.
    fn shortest(&mut self, from: usize, first: u32, wanted: impl Fn(&Way) -> bool) -> Option<Way> {
        let mut seen = rustc_hash::FxHashSet::from_iter([from]);
        let mut left = VecDeque::from([(from, 0u64, Vec::new())]);
        while let Some((here, marks, steps)) = left.pop_front() {
            for way in self.ways(here) {
                if self.numbers[way.to] < first {
                    continue;
                }
                let mut whole: Vec<TrailStep> = steps.clone();
                whole.extend(way.steps.iter().copied());
                if wanted(&way) {
                    return Some(Way { to: way.to, marks: marks | way.marks, steps: whole });
                }
                if seen.insert(way.to) {
                    left.push_back((way.to, marks | way.marks, whole));
                }
            }
        }
        None
    }

    /// All ways from a state of the store to the next ones.
    fn ways(&self, from: usize) -> Vec<Way> {
        let kept = self.store.get(from);
        let (kept, claim) = kept.split_at(kept.len() - 2);
        let claim = u32::from(u16::from_le_bytes([claim[0], claim[1]]));
        let mut state = vec![0; self.machine.model.hidden as usize];
        state.extend_from_slice(kept);
        let mut shape = Shape::default();
        self.machine.shape(&state, &mut shape);
        let mut steps = Vec::new();
        let mut timeout = false;
        for timed_out in [false, true] {
            if steps.is_empty() && (!timed_out || self.machine.model.has_timeout) {
                timeout = timed_out;
                for process in (0..shape.processes.len() as u8).rev() {
                    let _ = self.machine.steps_of(&state, &shape, process, timed_out, &mut steps);
                }
            }
        }
        let blocked = self.blocked(&steps);
        let mut moves = Vec::new();
        let view = observer(&self.machine, &state, &shape, timeout);
        if self.watcher.moves(&view, claim, &mut moves).is_err() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for made in moves {
            let marks = made.marks | blocked;
            if steps.is_empty() {
                self.arrive(&state, &shape, Alone::Nobody, made.to, marks, vec![TrailStep::Stutter], &mut found);
            }
            for step in &steps {
                self.go(&state, *step, timeout, made.to, marks, &[], &mut found);
            }
        }
        found
    }

    #[allow(clippy::too_many_arguments, reason = "these are the parts of a step")]
    fn go(
        &self,
        from: &[u8],
        step: Step,
        timeout: bool,
        claim: u32,
        marks: u64,
        before: &[TrailStep],
        found: &mut Vec<Way>,
    ) {
        let mut state = from.to_vec();
        let mut shape = Shape::default();
        self.machine.shape(&state, &mut shape);
        let marks = marks | self.bit(step.process) | step.partner.map_or(0, |(partner, _)| self.bit(partner));
        let mut steps = before.to_vec();
        steps.push(TrailStep::Step { step, timeout });
        if let Ok(alone) = self.machine.take(&mut state, &mut shape, step, timeout) {
            self.arrive(&state, &shape, alone, claim, marks, steps, found);
        }
    }

    #[allow(clippy::too_many_arguments, reason = "these are the parts of a step")]
    fn arrive(
        &self,
        state: &[u8],
        shape: &Shape,
        alone: Alone,
        claim: u32,
        marks: u64,
        steps: Vec<TrailStep>,
        found: &mut Vec<Way>,
    ) {
        if let Alone::Process(process) = alone {
            let mut next = Vec::new();
            let _ = self.machine.steps_of(state, shape, process, false, &mut next);
            for step in &next {
                self.go(state, *step, false, claim, marks, &steps, found);
            }
            if !next.is_empty() {
                return;
            }
        }
        let mut key = state[self.machine.model.hidden as usize..].to_vec();
        key.extend_from_slice(&(claim as u16).to_le_bytes());
        if let Some(to) = self.store.find(&key) {
            found.push(Way { to, marks, steps });
        }
    }
}
