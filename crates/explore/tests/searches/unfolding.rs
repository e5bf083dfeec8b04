//! The algorithm `unfolding` with the choices of Dpu, and how many events it makes by its own.

use litmus::{Framed, LitmusProgram, library};
use mazurka_explore::{Report, Settings, UnfoldingSettings, algorithm, check_with};
use model::Program;
use std::num::NonZeroU32;

fn program(name: &str, arguments: &[i64]) -> LitmusProgram {
    let entry = library::all().iter().find(|entry| entry.name == name).unwrap();
    entry.build(arguments).unwrap()
}

fn unfold(program: &dyn Program, settings: UnfoldingSettings) -> Report {
    let mut unfolding = (algorithm("unfolding").unwrap().make)();
    check_with(program, &mut *unfolding, &Settings { unfolding: settings, ..Settings::default() }, &mut ()).unwrap()
}

/// Executions, those that are blocked with k = 1, 2, 3, and events: the table of the paper, and what Dpu 0.5.2 counts.
#[test]
fn the_choices_of_dpu_give_its_counts() {
    for (name, arguments, executions, blocked, events) in
        [("disp", [5, 2], 137, [1039, 43, 0], 1603), ("mpc", [2, 5], 60, [560, 0, 0], 397)]
    {
        let program = Framed::new(&program(name, &arguments)).unwrap();
        for (k, blocked) in (1..).zip(blocked) {
            let tally =
                unfold(&program, UnfoldingSettings { k: NonZeroU32::new(k), as_dpu: true, ..Default::default() }).tally;
            assert_eq!((tally.completed, tally.sleep_set_blocked), (executions, blocked), "{name}, k = {k}");
        }
        let tally = unfold(&program, UnfoldingSettings { as_dpu: true, ..Default::default() }).tally;
        assert_eq!((tally.completed, tally.sleep_set_blocked, tally.events_made), (executions, 0, events), "{name}");
    }
}

/// One writer and n readers: a write after each set of reads, and a read before all writes by each reader. A read after the
/// write leads to no other execution, and there are 3^n - 2^n of these.
#[test]
fn steps_that_lead_to_no_other_execution_are_no_events() {
    let tally = unfold(&program("readers", &[8]), UnfoldingSettings::default()).tally;
    assert_eq!(tally.completed, 256);
    assert!(tally.events_made < 2 * (256 + 8), "{} events", tally.events_made);
}
