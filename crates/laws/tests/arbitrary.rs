//! Arbitrary programs against the laws: 20,000 of them in an ordinary test run. `MAZURKA_PROGRAMS` says how many
//! others, `MAZURKA_SEED` from which seed on; `mazurka campaign` runs millions.

use mazurka_laws::campaign;

const PROGRAMS: u64 = 20_000;
const INTERLEAVINGS: u64 = 20_000;

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

#[test]
fn arbitrary_programs_obey_the_laws() {
    let seed = from_environment("MAZURKA_SEED", 0);
    let programs = from_environment("MAZURKA_PROGRAMS", PROGRAMS);
    // Two halves at a time: the machines that run this have two cores.
    let middle = seed + programs / 2;
    let done = std::thread::scope(|scope| {
        let first = scope.spawn(move || campaign(seed..middle, INTERLEAVINGS, |_| ()));
        let second = campaign(middle..seed + programs, INTERLEAVINGS, |_| ());
        [first.join().expect("no panic"), second]
    });
    let mut held = 0;
    for part in done {
        let part = part.unwrap_or_else(|mismatch| panic!("{mismatch}"));
        held += part.programs;
    }
    assert!(held >= programs * 9 / 10, "only {held} of {programs} programs were small enough for the oracle");
}
