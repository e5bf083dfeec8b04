//! Programs whose graphs others have counted.

use crate::{Keep, MOST_EVENTS, explored, program};
use mazurka_graphs::{Graphs, MODELS};
use model::Program;

#[test]
fn graphs_are_as_many_as_others_counted() {
    let mut wrong = Vec::new();
    for row in litmus::corpus::graph_rows().unwrap() {
        let program = program(&row.text);
        for info in MODELS {
            let threads = program.threads().unwrap();
            let mut keep = Keep { allowed_by: Some(info), ..Keep::default() };
            let (tally, _) = Graphs::new(threads, program.names(), info, MOST_EVENTS).explore(&mut keep).unwrap();
            let expected = row.graphs(info.name).unwrap();
            let twice: u32 = keep.found.values().map(|&(_, times)| times - 1).sum();
            let found = keep.found.len() as u64;
            let waste = tally.sleep_set_blocked;
            if (found, twice, keep.inconsistent, waste) != (expected, 0, 0, 0) {
                wrong.push(format!(
                    "{} under {}: {found} of {expected}, {twice} twice, {} inconsistent, {waste} wasted",
                    row.name, info.name, keep.inconsistent
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_order_of_next_makes_no_difference() {
    for row in litmus::corpus::graph_rows().unwrap() {
        let program = program(&row.text);
        for (info, seed) in MODELS.iter().zip(1..) {
            let (keep, tally) = explored(&program, info, 0, Some(seed)).unwrap();
            let expected = row.graphs(info.name).unwrap();
            assert_eq!(keep.found.len() as u64, expected, "{} under {}", row.name, info.name);
            assert_eq!(tally.executions(), expected, "{} under {}", row.name, info.name);
        }
    }
}
