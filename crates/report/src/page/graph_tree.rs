//! The tree of a search over execution graphs: a watcher that keeps them, each with what tells it from the one that it branches from.
//!
//! Here branches are what the search says that they are, not what can be seen of two executions: a graph is visited because a read
//! takes another write, because a write has another place, or because another alternative is chosen. What the branch has in
//! common with the one before it need not be its first steps.

use super::diagram::{About, Cast, Columns, Recorded};
use super::graph::record_graph;
use super::sample::Sample;
use super::tree::{Node, Tree};
use crate::graph::GraphStory;
use crate::words::printable;
use graphs::{Branch, Complete, EventPlace, Finding, Graph, How, Label, ModelInfo, Watcher, Why};
use model::Names;
use std::collections::HashMap;
use std::ops::ControlFlow;
use trace::Ending;

/// Of later ones it is not known where they branch from.
const KNOWN: usize = 20_000_000;

/// Keeps the graphs of a search, or a sample of them.
pub struct GraphTree<'p> {
    names: &'p dyn Names,
    model: &'static ModelInfo,
    cast: Cast,
    sample: Sample<Kept>,
    /// Which one each branches from, and itself if from none.
    parents: Vec<u32>,
}

struct Kept {
    columns: Columns,
    about: About,
    why: Option<String>,
}

impl<'p> GraphTree<'p> {
    /// Keeps the graphs of a program with these names, under a model.
    pub fn new(names: &'p dyn Names, model: &'static ModelInfo) -> Self {
        GraphTree { names, model, cast: Cast::default(), sample: Sample::new(), parents: Vec::new() }
    }

    fn keep(&mut self, complete: &Complete<'_>) {
        if self.parents.len() < KNOWN {
            let itself = self.parents.len() as u64;
            self.parents.push(complete.branch.map_or(itself, |branch| branch.of) as u32);
        }
        let GraphTree { names, model, cast, sample, .. } = self;
        let is_bad = matches!(complete.ending, Ending::Failed | Ending::Deadlocked);
        sample.tell(is_bad, || {
            let finding = Finding {
                ending: complete.ending,
                graph: complete.graph.clone(),
                failures: complete.failures.to_vec(),
                waiting: complete.waiting.to_vec(),
                races: complete.races.to_vec(),
                why: if is_bad { Why::of(complete.graph, model, complete.races) } else { Why::default() },
            };
            let story = GraphStory { finding: &finding, model, names: *names };
            let why = complete.branch.map(|branch| words(&story, &branch));
            let Recorded { columns, about } = record_graph(&story, story.headline(), cast);
            (columns.len(), Kept { columns, about, why })
        });
    }

    /// What was kept.
    pub fn into_tree(mut self) -> Tree {
        let cast = self.cast.take_data();
        let told = self.sample.told();
        let sampled = self.sample.into_kept();
        let place_of: HashMap<u64, usize> = sampled.iter().enumerate().map(|(i, kept)| (kept.number, i)).collect();
        // In a sample: the next one above that was kept.
        let parent_of = |number: u64| {
            let mut at = number;
            loop {
                let above = u64::from(*self.parents.get(at as usize)?);
                if above == at {
                    return None;
                }
                if let Some(&place) = place_of.get(&above) {
                    return Some(place);
                }
                at = above;
            }
        };
        let mut executions: Vec<Node> = Vec::new();
        for kept in &sampled {
            let Kept { columns, about, why } = &kept.what;
            let parent = parent_of(kept.number);
            let shared = parent.map_or(0, |parent| columns.common(&sampled[parent].what.columns));
            let mut columns = columns.clone();
            columns.leave_out(shared);
            executions.push(Node {
                number: kept.number + 1,
                parent,
                shared,
                steps: kept.steps,
                reverses: None,
                why: why.clone(),
                columns,
                about: about.clone(),
            });
        }
        Tree::new(told, executions, cast, self.cast.texts)
    }
}

impl Watcher for GraphTree<'_> {
    fn complete(&mut self, complete: &Complete<'_>) -> ControlFlow<()> {
        self.keep(complete);
        ControlFlow::Continue(())
    }

    fn given_up(&mut self, given_up: &Complete<'_>) {
        self.keep(given_up);
    }

    fn anew(&mut self) {
        *self = GraphTree::new(self.names, self.model);
    }
}

/// Why a graph is visited.
fn words(story: &GraphStory<'_>, branch: &Branch) -> String {
    let g = story.graph();
    let step = |place: EventPlace| {
        let thread = printable(&story.names.thread(place.0));
        let text = at(g, place).map_or_else(String::new, |e| story.text(e));
        format!("{thread}: {text}")
    };
    // What a read takes, and which write one comes before, is said behind the comma.
    let operation = |place: EventPlace| {
        let text = step(place);
        let said = text.rsplit_once(", from ").or_else(|| text.rsplit_once(", before step "));
        said.map_or(text.clone(), |(operation, _)| operation.to_owned())
    };
    let of = branch.of + 1;
    let other = branch.other.map(operation).unwrap_or_default();
    match branch.how {
        How::Revisit => format!("{} takes what came later in execution {of}: {other}", operation(branch.event)),
        How::Wait => {
            let thread = printable(&story.names.thread(branch.event.0));
            format!("{thread} must wait, because of what came later in execution {of}: {other}")
        }
        How::Source => format!("{}; in execution {of} from the last write", step(branch.event)),
        How::Order => format!("{} comes before {other}; in execution {of} it is the last", operation(branch.event)),
        How::Alternative => format!("{}; in execution {of} another alternative", step(branch.event)),
    }
}

/// The event of a thread at a place.
fn at(g: &Graph, (thread, index): EventPlace) -> Option<u32> {
    let e = *g.of_thread(thread).get(index as usize)?;
    // The write of an update is shown with its read.
    let event = g.event(e);
    Some(if event.label == Label::Write && event.update { g.before(e) } else { e })
}
