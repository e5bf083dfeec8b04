//! Litmus tests of the literature: each model allows the outcomes that it should, and no other.

use crate::{MOST_EVENTS, program};
use litmus::corpus::{OutcomeRow, outcome_rows};
use mazurka_graphs::{Complete, Graph, Graphs, MODELS, ModelInfo, Watcher};
use model::{Names, Program, ThreadId};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Looks for an outcome.
struct Outcome<'p> {
    row: &'p OutcomeRow,
    names: &'p dyn Names,
    is_found: bool,
}

impl Watcher for Outcome<'_> {
    fn complete(&mut self, complete: &Complete<'_>) -> ControlFlow<()> {
        let (reads, last) = self.outcome(complete.graph);
        let is_last = |(name, value): (&String, &u64)| last.get(name).copied().unwrap_or(0) == *value;
        self.is_found |= reads == self.row.reads && self.row.last.iter().all(is_last);
        ControlFlow::Continue(())
    }
}

impl Outcome<'_> {
    fn outcome(&self, g: &Graph) -> (Vec<u64>, BTreeMap<String, u64>) {
        let threads = (0..g.thread_count() as u32).map(ThreadId);
        let events = threads.flat_map(|thread| g.of_thread(thread)).map(|&e| g.event(e));
        let mut last = BTreeMap::new();
        for event in g.events().iter().filter(|event| event.is_write()) {
            if event.place as usize + 1 == g.co(event.object()).len() {
                last.insert(self.names.object(event.object()), event.value);
            }
        }
        (events.filter(|event| event.is_read()).map(|event| event.value).collect(), last)
    }
}

fn allows(row: &OutcomeRow, info: &'static ModelInfo) -> bool {
    let program = program(&row.text);
    let threads = program.threads().expect("litmus programs have threads");
    let mut graphs = Graphs::new(threads, program.names(), info, MOST_EVENTS);
    let mut outcome = Outcome { row, names: program.names(), is_found: false };
    let (tally, _) = graphs.explore(&mut outcome).unwrap_or_else(|error| panic!("{}: {error}", row.name));
    assert!(tally.executions() > 0 && tally.too_long == 0, "{}: {tally:?}", row.name);
    outcome.is_found
}

#[test]
fn each_model_allows_the_outcomes_that_it_should() {
    let mut wrong = Vec::new();
    for row in outcome_rows().unwrap() {
        for info in MODELS {
            let expected = row.allowed.iter().any(|name| name == info.name);
            if allows(&row, info) != expected {
                let does = if expected { "forbids" } else { "allows" };
                wrong.push(format!("{} {does} {}: {}, reads {:?}", info.name, row.name, row.text, row.reads));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
