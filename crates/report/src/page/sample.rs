//! Which executions of a search its tree keeps: all of a short search; of a long one every second, fourth, eighth, and so on,
//! and the first bad ones beside them.

/// As many executions are kept at most, beside bad ones.
const KEPT: usize = 10_000;
/// As many steps of theirs.
const KEPT_STEPS: usize = 400_000;
/// As many bad executions are kept beside those of the sample.
const BAD: usize = 100;

/// A sample of the executions of a search.
pub(super) struct Sample<T> {
    kept: Vec<Kept<T>>,
    /// How many steps those have that are kept because of their numbers.
    steps: usize,
    /// How many are kept because they are bad, and how many steps they have.
    bad: usize,
    bad_steps: usize,
    /// Every so manyth execution is kept.
    stride: u64,
    told: u64,
}

/// An execution that is kept.
pub(super) struct Kept<T> {
    /// Its number, from 0.
    pub(super) number: u64,
    pub(super) steps: usize,
    /// Whether it stays whatever its number is.
    is_one_of_the_bad: bool,
    pub(super) what: T,
}

impl<T> Sample<T> {
    pub(super) fn new() -> Self {
        Sample { kept: Vec::new(), steps: 0, bad: 0, bad_steps: 0, stride: 1, told: 0 }
    }

    /// How many executions were told of.
    pub(super) fn told(&self) -> u64 {
        self.told
    }

    /// Counts an execution, and keeps it if it belongs to the sample; only then is it asked what is to be kept of how many steps.
    pub(super) fn tell(&mut self, is_bad: bool, what: impl FnOnce() -> (usize, T)) {
        let number = self.told;
        self.told += 1;
        let is_one_of_the_bad = is_bad && self.bad < BAD && self.bad_steps < KEPT_STEPS;
        if !is_one_of_the_bad && !number.is_multiple_of(self.stride) {
            return;
        }
        let (steps, what) = what();
        if is_one_of_the_bad {
            self.bad += 1;
            self.bad_steps += steps;
        } else {
            self.steps += steps;
        }
        self.kept.push(Kept { number, steps, is_one_of_the_bad, what });
        if self.kept.len() > KEPT + self.bad || self.steps > KEPT_STEPS {
            self.thin();
        }
    }

    /// Keeps every second one.
    fn thin(&mut self) {
        self.stride *= 2;
        let stride = self.stride;
        self.kept.retain(|kept| kept.is_one_of_the_bad || kept.number.is_multiple_of(stride));
        self.steps = self.kept.iter().filter(|kept| !kept.is_one_of_the_bad).map(|kept| kept.steps).sum();
    }

    /// What was kept, in the order of the executions.
    pub(super) fn into_kept(self) -> Vec<Kept<T>> {
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(executions: u64, steps: usize, is_bad: impl Fn(u64) -> bool) -> Vec<u64> {
        let mut sample = Sample::new();
        for number in 0..executions {
            sample.tell(is_bad(number), || (steps, ()));
        }
        assert_eq!(sample.told(), executions);
        sample.into_kept().iter().map(|kept| kept.number).collect()
    }

    #[test]
    fn all_of_a_short_search_are_kept() {
        assert_eq!(numbers(10_000, 1, |_| false), (0..10_000).collect::<Vec<_>>());
    }

    #[test]
    fn every_eighth_of_a_long_one() {
        assert_eq!(numbers(40_001, 1, |_| false), (0..40_001).step_by(8).collect::<Vec<_>>());
    }

    #[test]
    fn steps_are_limited_as_executions_are() {
        assert_eq!(numbers(101, 8_000, |_| false), (0..101).step_by(4).collect::<Vec<_>>());
    }

    #[test]
    fn the_first_bad_ones_stay() {
        let kept = numbers(40_001, 1, |number| number % 3 == 1);
        assert!((0..100).all(|bad| kept.contains(&(3 * bad + 1))));
        assert!(!kept.contains(&301));
    }

    #[test]
    fn a_search_whose_executions_are_all_bad_is_thinned_too() {
        assert!(numbers(200_000, 100, |_| true).len() <= 4_100);
        assert!(numbers(200, 500_000, |_| true).len() <= 3);
    }
}
