//! Any number of arbitrary programs against the laws.

use crate::{Checked, Violation, check, check_within, oracle};
use explore::{Bounds, SchedulingOrder};
use litmus::arbitrary::{Generator, Profile};
use litmus::{LitmusProgram, Sketch};
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Which programs to try, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The seeds of the programs. The program of a seed is the same in every campaign with the same profile.
    pub seeds: Range<u64>,
    /// What the programs are made of; each profile in turn when there is none.
    pub profile: Option<Profile>,
    /// Programs with more interleavings than this are left out.
    pub interleavings: u64,
    /// How many programs are tried at the same time.
    pub workers: usize,
    /// Bounds within which the laws are tried; when there are none, the laws of unbounded searches are.
    pub bounds: Bounds,
}

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
    /// How many classes the oracle finds in it, if it can tell.
    pub classes: Option<usize>,
    /// What does not hold.
    pub violation: Box<Violation>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { seed, profile, program, classes, violation } = self;
        let profile = profile.name();
        writeln!(f, "a law does not hold on the program of seed {seed} (profile {profile}): {violation}")?;
        writeln!(f, "shrunk, as a row of the corpus:\n")?;
        writeln!(f, "[[row]]\ntext = '''\n{}'''", program.to_string().trim_end().to_owned() + "\n")?;
        match classes {
            Some(classes) => writeln!(f, "classes = {classes}")?,
            None => writeln!(f, "classes = 0 # the oracle cannot tell")?,
        }
        write!(f, "citation = \"seed {seed} of {profile}: {}\"", violation.algorithm)
    }
}

/// Tries the laws on the programs of a plan, each with two of the scheduling orders. `tell` is called after every program,
/// in no particular order. The mismatch returned is that of the smallest seed that has one.
pub fn campaign(plan: &Plan, tell: impl FnMut(&Campaign)) -> Result<Campaign, Box<Mismatch>> {
    campaign_by(plan, tell, |sketch, seed| try_program(plan, sketch, seed))
}

/// As [`campaign`], with another trial in place of the laws; it is given the program and its seed.
fn campaign_by(
    plan: &Plan,
    mut tell: impl FnMut(&Campaign),
    trial: impl Fn(&Sketch, u64) -> Result<Checked, Box<Violation>> + Sync,
) -> Result<Campaign, Box<Mismatch>> {
    let next = AtomicU64::new(plan.seeds.start);
    // Seeds are handed out in order: when one has a mismatch, all smaller ones are being tried already.
    let end = AtomicU64::new(plan.seeds.end);
    let mut done = Campaign::default();
    let mut first: Option<(u64, Box<Violation>)> = None;
    thread::scope(|scope| {
        let (results, received) = mpsc::channel();
        for _ in 0..plan.workers.max(1) {
            let (results, next, end, trial) = (results.clone(), &next, &end, &trial);
            scope.spawn(move || {
                let generators = Generators::new(plan.profile);
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= end.load(Ordering::Relaxed) {
                        return;
                    }
                    let result = trial(&generators.of(seed).0.sample(seed), seed);
                    if result.is_err() {
                        end.fetch_min(seed, Ordering::Relaxed);
                    }
                    if results.send((seed, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(results);
        for (seed, result) in received {
            match result {
                Ok(Checked::Holds { classes }) => {
                    done.programs += 1;
                    done.classes += classes as u64;
                }
                Ok(Checked::TooLarge) => done.too_large += 1,
                Err(violation) => {
                    if first.as_ref().is_none_or(|&(smallest, _)| seed < smallest) {
                        first = Some((seed, violation));
                    }
                }
            }
            tell(&done);
        }
    });
    match first {
        None => Ok(done),
        Some((seed, violation)) => Err(shrunk(plan, seed, violation, trial)),
    }
}

/// One generator for each profile of a plan.
struct Generators(Vec<(Generator, Profile)>);

impl Generators {
    fn new(profile: Option<Profile>) -> Self {
        let profiles = profile.map_or(Profile::ALL.to_vec(), |profile| vec![profile]);
        Generators(profiles.into_iter().map(|profile| (Generator::new(profile), profile)).collect())
    }

    fn of(&self, seed: u64) -> &(Generator, Profile) {
        &self.0[(seed % self.0.len() as u64) as usize]
    }
}

fn try_program(plan: &Plan, sketch: &Sketch, seed: u64) -> Result<Checked, Box<Violation>> {
    let program = LitmusProgram::new(sketch.clone()).map_err(|error| {
        let problem = format!("the program cannot be built: {error}");
        Box::new(Violation { algorithm: "litmus", order: SchedulingOrder::FirstCreated, problem })
    })?;
    if plan.bounds.any() {
        return check_within(&program, plan.bounds, plan.interleavings);
    }
    check(&program, &orders(seed), plan.interleavings)
}

/// First-created first always, and another one in turn.
fn orders(seed: u64) -> [SchedulingOrder; 2] {
    [SchedulingOrder::FirstCreated, SchedulingOrder::ALL[1 + (seed % 3) as usize].1]
}

fn shrunk(
    plan: &Plan,
    seed: u64,
    violation: Box<Violation>,
    trial: impl Fn(&Sketch, u64) -> Result<Checked, Box<Violation>>,
) -> Box<Mismatch> {
    let generators = Generators::new(plan.profile);
    let (generator, profile) = generators.of(seed);
    let mut last = violation;
    let program = generator.shrink(seed, |sketch| match trial(sketch, seed) {
        Ok(_) => false,
        Err(violation) => {
            last = violation;
            true
        }
    });
    let program = program.unwrap_or_else(|| generator.sample(seed));
    let built = LitmusProgram::new(program.clone()).ok();
    let classes =
        built.and_then(|program| oracle(&program, plan.bounds, plan.interleavings).ok()?).map(|classes| classes.len());
    Box::new(Mismatch { seed, profile: *profile, program, classes, violation: last })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_do_not_change_what_is_done() {
        let plan = Plan { seeds: 100..170, profile: None, interleavings: 1000, workers: 1, bounds: Bounds::default() };
        let alone = campaign(&plan, |_| ()).unwrap();
        let mut told = 0;
        let together = campaign(&Plan { workers: 4, ..plan }, |_| told += 1).unwrap();
        assert_eq!(alone, together);
        assert_eq!((told, alone.programs + alone.too_large), (70, 70));
    }

    /// A law that does not hold where somebody notifies all.
    fn nobody_notifies_all(sketch: &Sketch, _: u64) -> Result<Checked, Box<Violation>> {
        if !sketch.to_string().contains("notify_all") {
            return Ok(Checked::TooLarge);
        }
        let problem = "somebody notifies all".to_owned();
        Err(Box::new(Violation { algorithm: "optimal", order: SchedulingOrder::FirstCreated, problem }))
    }

    #[test]
    fn the_mismatch_of_the_smallest_seed_is_shrunk() {
        let plan = Plan {
            seeds: 0..1000,
            profile: Some(Profile::Condvars),
            interleavings: 1000,
            workers: 1,
            bounds: Bounds::default(),
        };
        let alone = campaign_by(&plan, |_| (), nobody_notifies_all).unwrap_err();
        let together = campaign_by(&Plan { workers: 4, ..plan }, |_| (), nobody_notifies_all).unwrap_err();
        assert_eq!((alone.seed, alone.to_string()), (together.seed, together.to_string()));
        assert_eq!(alone.program.to_string().matches(';').count(), 1, "{}", alone.program);
        assert_eq!(alone.classes, Some(1));
    }

    #[test]
    fn a_mismatch_reads_as_a_row_of_the_corpus() {
        let program: Sketch = "var x; x = 1 | r0 = x; assert r0 == 1, \"seen\"".parse().unwrap();
        let violation = Violation {
            algorithm: "optimal",
            order: SchedulingOrder::FirstCreated,
            problem: "missed 1 of 2 classes".to_owned(),
        };
        let mismatch = Mismatch {
            seed: 7,
            profile: Profile::Variables,
            program: program.clone(),
            classes: Some(2),
            violation: Box::new(violation),
        };
        let text = mismatch.to_string();
        let (told, row) = text.split_once("\n\n").unwrap();
        assert!(told.contains("seed 7 (profile variables): optimal") && told.contains("missed 1 of 2"), "{told}");
        let rows = litmus::corpus::parse(row).unwrap();
        assert_eq!((rows[0].classes, rows[0].citation.as_str()), (2, "seed 7 of variables: optimal"));
        assert_eq!(rows[0].text.as_ref().unwrap().parse::<Sketch>().unwrap(), program);
    }
}
