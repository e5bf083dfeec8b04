//! Which steps of a long execution are folded: runs of steps that matter to nobody.

use super::arrows::{Arrow, Why};
use std::ops::Range;
use trace::EventId;

/// Steps at the start, at the end, and on each side of a step that matters, which are always shown.
const FIRST: usize = 16;
const LAST: usize = 24;
const AROUND: usize = 3;
/// Shorter runs are not worth folding.
const SHORTEST: usize = 6;
/// If more steps than these have to do with other threads, they are folded as well unless they matter.
const SHOWN: usize = 600;

/// The runs of steps to be folded; `key` are the steps that matter.
pub(super) fn folds(steps: usize, key: &[EventId], arrows: &[Arrow]) -> Vec<Range<u32>> {
    let mut shown = vec![false; steps];
    let end = steps.saturating_sub(LAST);
    shown[..FIRST.min(steps)].fill(true);
    shown[end..].fill(true);
    for &step in key {
        let step = step as usize;
        shown[step.saturating_sub(AROUND)..(step + AROUND + 1).min(steps)].fill(true);
    }
    let between_threads: Vec<EventId> =
        arrows.iter().filter(|arrow| arrow.why != Why::Race).flat_map(|arrow| [arrow.from, arrow.to]).collect();
    if between_threads.len() <= SHOWN {
        between_threads.iter().for_each(|&step| shown[step as usize] = true);
    }
    runs(&shown)
}

fn runs(shown: &[bool]) -> Vec<Range<u32>> {
    let mut start = 0;
    let mut runs = Vec::new();
    for run in shown.chunk_by(|a, b| a == b) {
        let end = start + run.len() as u32;
        if !run[0] && run.len() >= SHORTEST {
            runs.push(start..end);
        }
        start = end;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_executions_are_shown_whole() {
        assert!(folds(40, &[], &[]).is_empty());
        assert!(folds(FIRST + LAST + SHORTEST - 1, &[], &[]).is_empty());
    }

    #[test]
    fn what_matters_is_shown_with_what_is_around_it() {
        assert_eq!(folds(1000, &[500], &[]), [16..497, 504..976]);
        let arrow = Arrow { from: 100, to: 800, why: Why::ReadsFrom };
        assert_eq!(folds(1000, &[], &[arrow]), [16..100, 101..800, 801..976]);
        assert_eq!(folds(1000, &[], &[Arrow { why: Why::Race, ..arrow }]), std::slice::from_ref(&(16..976)));
    }

    #[test]
    fn where_everything_is_between_threads_only_what_matters_is_shown() {
        let arrows: Vec<Arrow> = (1..100_000).map(|to| Arrow { from: to - 1, to, why: Why::ReadsFrom }).collect();
        assert_eq!(folds(100_000, &[50_000], &arrows), [16..49_997, 50_004..99_976]);
    }
}
