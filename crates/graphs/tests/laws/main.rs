//! The laws of `graphs`: under each memory model, exactly the graphs that its axioms allow, each once; under `tso` and `pso`
//! those of machines with store buffers; under `sc` as many as there are Mazurkiewicz classes.

mod arbitrary;
mod classes;
mod corpus;
mod endings;
mod loops;
mod machine;
mod outcomes;
mod schedules;
mod slices;
mod verdicts;
mod workers;

use litmus::LitmusProgram;
use mazurka_graphs::naive::{self, Key};
use mazurka_graphs::{Complete, Graphs, ModelInfo, Watcher};
use model::Program;
use std::collections::HashMap;
use std::ops::ControlFlow;
use trace::{Ending, Tally};

/// No execution of a test has so many events.
const MOST_EVENTS: usize = 10_000;

fn program(text: &str) -> LitmusProgram {
    LitmusProgram::new(text.parse().unwrap_or_else(|error| panic!("{text}: {error}")))
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Keeps the key and the ending of every graph, and how often it came.
#[derive(Default)]
struct Keep {
    found: HashMap<Key, (Ending, u32)>,
    allowed_by: Option<&'static ModelInfo>,
    inconsistent: u32,
    /// Whether some graph has a data race.
    has_races: bool,
    limit: usize,
}

impl Watcher for Keep {
    fn anew(&mut self) {
        self.found.clear();
        self.inconsistent = 0;
    }

    fn complete(&mut self, complete: &Complete<'_>) -> ControlFlow<()> {
        self.found.entry(naive::key(complete.graph)).or_insert((complete.ending, 0)).1 += 1;
        self.has_races |= !complete.races.is_empty();
        if self.allowed_by.is_some_and(|info| !info.allows(complete.graph)) {
            self.inconsistent += 1;
        }
        if self.limit > 0 && self.found.len() >= self.limit {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Explores a program; none if it has messages or more graphs than the limit.
fn explored(
    program: &LitmusProgram,
    info: &'static ModelInfo,
    limit: usize,
    seed: Option<u64>,
) -> Option<(Keep, Tally)> {
    let threads = program.threads().expect("litmus programs have threads");
    let mut graphs = Graphs::new(threads, program.names(), info, MOST_EVENTS);
    if let Some(seed) = seed {
        graphs = graphs.at_random(seed);
    }
    let mut keep = Keep { limit, ..Keep::default() };
    let (tally, is_whole) = graphs.explore(&mut keep).ok()?;
    is_whole.then_some((keep, tally))
}
