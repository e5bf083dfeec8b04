//! Under `sc`, graphs are Mazurkiewicz classes.

use crate::explored;
use litmus::corpus::rows;
use mazurka_graphs::model;

#[test]
fn under_sc_there_are_as_many_graphs_as_classes() {
    let sc = model("sc").unwrap();
    let (mut equal, mut wrong) = (0, Vec::new());
    for row in rows().unwrap().into_iter().filter(|row| !row.heavy && row.classes <= 3_000) {
        let program = row.build().unwrap();
        let Some((keep, tally)) = explored(&program, sc, row.classes as usize * 2 + 10, None) else {
            wrong.push(format!("{}: none", row.name()));
            continue;
        };
        let found = (keep.found.len() as u64, tally.executions(), tally.sleep_set_blocked, tally.too_long);
        let as_expected = found == (row.classes, row.classes, 0, 0)
            && row.deadlocks.is_none_or(|deadlocks| deadlocks == tally.deadlocked)
            && row.cut.is_none_or(|cut| cut == tally.cut);
        if as_expected {
            equal += 1;
        } else {
            wrong.push(format!("{}: {found:?} for {}", row.name(), row.classes));
        }
    }
    println!("{equal} equal");
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
