//! Under `sc`, graphs are Mazurkiewicz classes.

use crate::explored;
use litmus::corpus::rows;
use mazurka_graphs::model;
use model::Program as _;

/// Operations that commute where they are steps, but not where they are updates of a graph, which are all ordered: additions,
/// arrivals at a barrier, shared locks, releases of a semaphore, and updates that write the value that they read.
const COMMUTING: [&str; 6] = ["+=", "meet ", "read_lock ", "release ", "fetch_add x, 0", "fetch_add y, 0"];

#[test]
fn under_sc_there_are_as_many_graphs_as_classes() {
    let sc = model("sc").unwrap();
    let (mut equal, mut finer, mut coarser, mut wrong) = (0, 0, 0, Vec::new());
    for row in rows().unwrap().into_iter().filter(|row| !row.heavy && row.classes <= 3_000) {
        let program = row.build().unwrap();
        let text = program.sketch().to_string();
        // Mailboxes are refused, and threads with several transitions.
        if text.contains("mailbox ") || program.threads().is_none() {
            continue;
        }
        let commutes = COMMUTING.iter().any(|word| text.contains(word));
        let limit = if commutes { 5_000 } else { row.classes as usize * 2 + 10 };
        let Some((keep, tally)) = explored(&program, sc, limit, None) else {
            assert!(commutes, "{}: more than {limit} graphs for {} classes", row.name(), row.classes);
            continue;
        };
        let found = keep.found.len() as u64;
        let once = (tally.executions(), tally.sleep_set_blocked, tally.too_long) == (found, 0, 0);
        let endings = row.deadlocks.is_none_or(|deadlocks| deadlocks == tally.deadlocked)
            && row.cut.is_none_or(|cut| cut == tally.cut);
        if once && found == row.classes && endings {
            equal += 1;
        } else if once && commutes && found > row.classes {
            finer += 1;
        } else if once && found < row.classes && tally.failed == found {
            // A release of a lock that its thread does not hold is no event of the lock in a graph.
            coarser += 1;
        } else {
            wrong.push(format!("{}: {tally:?} for {}", row.name(), row.classes));
        }
    }
    println!("{equal} equal, {finer} finer, {coarser} coarser");
    assert!(coarser <= 1, "{coarser} rows have fewer graphs than classes");
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    assert!(equal > 150);
}
