//! Any number of arbitrary programs against the laws.

use crate::{Checked, Violation, check};
use explore::SchedulingOrder;
use litmus::arbitrary::{self, Profile};
use litmus::{LitmusProgram, Sketch};
use std::fmt;
use std::ops::Range;

/// What a campaign did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Campaign {
    /// Programs on which the laws hold.
    pub programs: u64,
    /// Classes that they have, all together.
    pub classes: u64,
    /// Programs whose interleavings are too many for the oracle.
    pub too_large: u64,
}

/// A program on which a law does not hold, shrunk.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The seed that made the program.
    pub seed: u64,
    /// The profile it was made by.
    pub profile: Profile,
    /// The program, shrunk.
    pub program: Sketch,
    /// What does not hold.
    pub violation: Box<Violation>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "a law does not hold on the program of seed {} ({:?}): {}",
            self.seed, self.profile, self.violation
        )?;
        write!(f, "shrunk:\n{}", self.program)
    }
}

/// Tries the laws on the programs of these seeds, each with the next profile in turn and two of the scheduling orders.
/// `tell` is called after every program.
pub fn campaign(
    seeds: Range<u64>,
    interleavings: u64,
    mut tell: impl FnMut(&Campaign),
) -> Result<Campaign, Box<Mismatch>> {
    let mut done = Campaign::default();
    for seed in seeds {
        let profile = Profile::ALL[(seed % Profile::ALL.len() as u64) as usize];
        match try_program(&arbitrary::sample(seed, profile), seed, interleavings) {
            Ok(Checked::Holds { classes }) => {
                done.programs += 1;
                done.classes += classes as u64;
            }
            Ok(Checked::TooLarge) => done.too_large += 1,
            Err(violation) => return Err(shrunk(seed, profile, violation, interleavings)),
        }
        tell(&done);
    }
    Ok(done)
}

fn try_program(sketch: &Sketch, seed: u64, interleavings: u64) -> Result<Checked, Box<Violation>> {
    let program = LitmusProgram::new(sketch.clone()).map_err(|error| {
        let problem = format!("the program cannot be built: {error}");
        Box::new(Violation { algorithm: "litmus", order: SchedulingOrder::FirstCreated, problem })
    })?;
    check(&program, &orders(seed), interleavings)
}

/// First-created first always, and another one in turn.
fn orders(seed: u64) -> [SchedulingOrder; 2] {
    [SchedulingOrder::FirstCreated, SchedulingOrder::ALL[1 + (seed % 3) as usize].1]
}

fn shrunk(seed: u64, profile: Profile, violation: Box<Violation>, interleavings: u64) -> Box<Mismatch> {
    let mut last = violation;
    let program = arbitrary::shrink(seed, profile, |sketch| match try_program(sketch, seed, interleavings) {
        Ok(_) => false,
        Err(violation) => {
            last = violation;
            true
        }
    });
    let program = program.unwrap_or_else(|| arbitrary::sample(seed, profile));
    Box::new(Mismatch { seed, profile, program, violation: last })
}
