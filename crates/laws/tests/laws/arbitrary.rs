//! Arbitrary programs against the laws: 20,000 of them in an ordinary test run. `MAZURKA_PROGRAMS` says how many
//! others, `MAZURKA_SEED` from which seed on, `MAZURKA_PROFILE` of which profile; `mazurka campaign` runs millions.

use explore::Bounds;
use litmus::arbitrary::Profile;
use mazurka_laws::{Plan, campaign};

const PROGRAMS: u64 = 20_000;
const INTERLEAVINGS: u64 = 20_000;

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

#[test]
fn arbitrary_programs_obey_the_laws() {
    let profile = std::env::var("MAZURKA_PROFILE").ok().map(|name| {
        let found = Profile::ALL.into_iter().chain([Profile::Arms]).find(|profile| profile.name() == name);
        found.unwrap_or_else(|| panic!("MAZURKA_PROFILE={name} is no profile"))
    });
    obey(profile, from_environment("MAZURKA_PROGRAMS", PROGRAMS));
}

#[test]
fn arbitrary_programs_whose_threads_wait_for_the_first_of_several_operations_obey_the_laws() {
    obey(Some(Profile::Arms), PROGRAMS);
}

fn obey(profile: Option<Profile>, programs: u64) {
    let seed = from_environment("MAZURKA_SEED", 0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let plan = Plan {
        seeds: seed..seed + programs,
        profile,
        interleavings: INTERLEAVINGS,
        workers,
        bounds: Bounds::default(),
    };
    let done = campaign(&plan, |_| ()).unwrap_or_else(|mismatch| panic!("{mismatch}"));
    let held = done.programs;
    let percent = if profile == Some(Profile::Large) { 40 } else { 90 };
    assert!(held >= programs * percent / 100, "only {held} of {programs} programs were small enough to be tried");
}
