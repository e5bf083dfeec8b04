//! Arbitrary programs, for fuzzing: small, contended, and of every kind of operation.
//!
//! What is generated is not a sketch but genes, from which a sketch is grown. Any genes grow
//! into a program that can be built: what a gene asks for is taken modulo what there is. So shrinking may remove any gene
//! without a thought for what others need, and proptest's own shrinking is enough.

mod gene;
mod grow;

use crate::sketch::Sketch;
use gene::genomes;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// What arbitrary programs are mostly made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Profile {
    /// Every kind of operation.
    Everything,
    /// Reads, writes and read-modify-writes.
    Variables,
    /// Mutexes and critical sections, with a few variables.
    Locks,
    /// Condition variables and their mutexes.
    Condvars,
    /// Reader-writer locks.
    RwLocks,
    /// Semaphores and barriers.
    Semaphores,
    /// Additions that commute, and threads that wait for a value.
    Awaits,
}

impl Profile {
    /// All of them.
    pub const ALL: [Profile; 7] = [
        Profile::Everything,
        Profile::Variables,
        Profile::Locks,
        Profile::Condvars,
        Profile::RwLocks,
        Profile::Semaphores,
        Profile::Awaits,
    ];
}

/// Programs of two to four initial threads with about ten visible steps, which spawn others, loop a bounded number of times,
/// deadlock, fail, are cut and misuse their objects. They shrink towards fewer threads and statements.
pub fn sketches(profile: Profile) -> impl Strategy<Value = Sketch> {
    genomes(profile).prop_map(|genome| grow::grow(&genome))
}

/// The program of a seed: the same whenever asked for.
pub fn sample(seed: u64, profile: Profile) -> Sketch {
    tree(seed, profile).current()
}

/// The program of a seed, ready to be shrunk.
pub fn tree(seed: u64, profile: Profile) -> impl ValueTree<Value = Sketch> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    sketches(profile).new_tree(&mut runner).expect("nothing is filtered out")
}

/// The smallest program found by shrinking that of a seed for which `fails` holds; `None` if it does not hold for that one.
pub fn shrink(seed: u64, profile: Profile, mut fails: impl FnMut(&Sketch) -> bool) -> Option<Sketch> {
    let mut tree = tree(seed, profile);
    let mut smallest = tree.current();
    if !fails(&smallest) {
        return None;
    }
    let mut go_on = tree.simplify();
    while go_on {
        let candidate = tree.current();
        go_on = if fails(&candidate) {
            smallest = candidate;
            tree.simplify()
        } else {
            tree.complicate()
        };
    }
    Some(smallest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LitmusProgram;
    use crate::sketch::{Action, Statement};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn everything_survives_printing(sketch in sketches(Profile::Everything)) {
            let text = sketch.to_string();
            let again: Sketch = text.parse().map_err(|e| TestCaseError::fail(format!("{text}\n{e}")))?;
            prop_assert_eq!(sketch, again, "{}", text);
        }
    }

    #[test]
    fn every_sample_is_a_program_and_the_same_again() {
        for profile in Profile::ALL {
            for seed in 0..200 {
                let sketch = sample(seed, profile);
                assert_eq!(sketch, sample(seed, profile));
                let text = sketch.to_string();
                LitmusProgram::new(sketch).unwrap_or_else(|error| panic!("{text}: {error}"));
            }
        }
    }

    #[test]
    fn shrinking_leaves_what_matters() {
        fn notifies(sketch: &Sketch) -> bool {
            let notify = |s: &Statement| matches!(s, Statement::Act { action: Action::NotifyAll, .. });
            sketch.threads.iter().any(|thread| thread.body.block.iter().any(notify))
        }
        let shrunk = (0..200).find_map(|seed| shrink(seed, Profile::Condvars, notifies)).unwrap();
        let statements: usize = shrunk.threads.iter().map(|thread| thread.body.block.len()).sum();
        assert_eq!((shrunk.threads.len(), statements), (2, 1), "{shrunk}");
    }
}
