//! Arbitrary programs, for fuzzing: small, contended, and of every kind of operation.
//!
//! What is generated is not a sketch but genes, from which a sketch is grown. Any genes grow
//! into a program that can be built: what a gene asks for is taken modulo what there is. So shrinking may remove any gene
//! without a thought for what others need, and proptest's own shrinking is enough.

mod act;
mod gene;
mod grow;
mod spin;

use crate::sketch::Sketch;
use gene::genomes;
use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};
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
    /// Mailboxes.
    Messages,
    /// Barriers.
    Barriers,
    /// Latches.
    Latches,
    /// Waits on condition variables that end when time is up.
    TimedWaits,
    /// Objects that are initialised, destroyed and freed.
    Lives,
    /// Plain memory, atomic sections and fences.
    Cells,
    /// Counts of references, and reader-writer locks that are downgraded.
    Counts,
    /// Up to six threads with up to 24 steps of any kind: too many for all interleavings to be run.
    Large,
    /// Threads that wait for the first of several operations, of every kind.
    Arms,
    /// Loops that wait or retry.
    Loops,
    /// The same, and some that others can see the middle of a round of.
    LoopsThatShow,
}

impl Profile {
    /// All of them whose threads do something in every round of a loop, and are at one operation at a time.
    pub const ALL: [Profile; 15] = [
        Profile::Everything,
        Profile::Variables,
        Profile::Locks,
        Profile::Condvars,
        Profile::RwLocks,
        Profile::Semaphores,
        Profile::Awaits,
        Profile::Messages,
        Profile::Barriers,
        Profile::Latches,
        Profile::TimedWaits,
        Profile::Lives,
        Profile::Cells,
        Profile::Counts,
        Profile::Large,
    ];

    /// The first of them: those whose programs can be written in C and in Rust too.
    pub const PORTABLE: [Profile; 9] = *Profile::ALL.first_chunk().expect("there are more");

    /// The name by which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Everything => "everything",
            Profile::Variables => "variables",
            Profile::Locks => "locks",
            Profile::Condvars => "condvars",
            Profile::RwLocks => "rwlocks",
            Profile::Semaphores => "semaphores",
            Profile::Awaits => "awaits",
            Profile::Messages => "messages",
            Profile::Barriers => "barriers",
            Profile::Latches => "latches",
            Profile::TimedWaits => "timed-waits",
            Profile::Lives => "lives",
            Profile::Cells => "cells",
            Profile::Counts => "counts",
            Profile::Large => "large",
            Profile::Arms => "arms",
            Profile::Loops => "loops",
            Profile::LoopsThatShow => "loops that show",
        }
    }
}

/// Programs of two to four initial threads with about ten visible steps, which spawn others, loop a bounded number of times
/// and, now and then, deadlock, fail, are cut or misuse their objects. They shrink towards fewer threads and statements.
pub fn sketches(profile: Profile) -> impl Strategy<Value = Sketch> {
    genomes(profile).prop_map(|genome| grow::grow(&genome))
}

/// Makes the programs of a profile. Keeps what making one needs, so that many are made quickly.
#[derive(Clone, Debug)]
pub struct Generator {
    strategy: BoxedStrategy<Sketch>,
}

impl Generator {
    /// For the programs of this profile.
    pub fn new(profile: Profile) -> Self {
        Generator { strategy: sketches(profile).boxed() }
    }

    /// The program of a seed: the same whenever asked for.
    pub fn sample(&self, seed: u64) -> Sketch {
        self.tree(seed).current()
    }

    /// The smallest program found by shrinking that of a seed for which `fails` holds; `None` if it does not hold for that
    /// one.
    pub fn shrink(&self, seed: u64, mut fails: impl FnMut(&Sketch) -> bool) -> Option<Sketch> {
        let mut tree = self.tree(seed);
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

    fn tree(&self, seed: u64) -> impl ValueTree<Value = Sketch> {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        self.strategy.new_tree(&mut runner).expect("nothing is filtered out")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LitmusProgram;
    use crate::sketch::{Action, Statement};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn everything_survives_printing(
            sketch in proptest::sample::select([&Profile::ALL[..], &[Profile::Arms]].concat()).prop_flat_map(sketches)
        ) {
            let text = sketch.to_string();
            let again: Sketch = text.parse().map_err(|e| TestCaseError::fail(format!("{text}\n{e}")))?;
            prop_assert_eq!(sketch, again, "{}", text);
        }
    }

    #[test]
    fn every_sample_is_a_program_and_the_same_again() {
        for profile in Profile::ALL.into_iter().chain([Profile::Arms]) {
            let generator = Generator::new(profile);
            for seed in 0..200 {
                let sketch = generator.sample(seed);
                assert_eq!(sketch, Generator::new(profile).sample(seed));
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
        let generator = Generator::new(Profile::Condvars);
        let shrunk = (0..200).find_map(|seed| generator.shrink(seed, notifies)).unwrap();
        let statements: usize = shrunk.threads.iter().map(|thread| thread.body.block.len()).sum();
        assert_eq!((shrunk.threads.len(), statements), (2, 1), "{shrunk}");
    }
}
