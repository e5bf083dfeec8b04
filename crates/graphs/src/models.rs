//! Memory models, one a file. To add one, write its file and name it in [`MODELS`].
//!
//! A model is its axioms (a slow check of whole graphs, which tests hold the rest against) and its clocks, which answer one
//! question: m(e), the last write that an event must not go before. A read may take the writes from it on, a write the places
//! behind it.

mod pso;
mod ra;
mod rc11;
mod sc;
mod tso;

use crate::graph::{Event, EventId, Graph};
use crate::hb::HappensBefore;
use crate::relation::Relations;
use model::{ObjectId, Order, ThreadId};

/// An event that asks what it must not go before: it has this index in its thread, and need not be in the graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asker {
    pub(crate) thread: ThreadId,
    pub(crate) index: u32,
    pub(crate) object: ObjectId,
    pub(crate) access: Asking,
    /// What it is after beside its thread's past.
    pub(crate) cause: EventId,
}

/// As what it asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Asking {
    /// A read alone.
    Read,
    /// The read of an update that writes.
    Update,
    /// A write of this order.
    Write(Order),
}

/// A memory model and its clocks of one graph.
pub(crate) trait Model {
    /// Whether a graph satisfies the axioms.
    fn allows(&self, relations: &Relations) -> bool;

    /// Whether it asks what happens before what: its clocks are those of happens-before, and it has none of its own.
    fn needs_happens_before(&self) -> bool {
        false
    }

    /// The graph is empty again.
    fn clear(&mut self, g: &Graph) {
        let _ = g;
    }

    /// The latest event of the graph was added maximally, or [`settle`](Self::settle) comes before the next question.
    fn append(&mut self, g: &Graph, e: EventId) {
        let _ = (g, e);
    }

    /// Events were added that are not maximal, behind the first `kept`: clocks of all may have changed.
    fn settle(&mut self, g: &Graph, kept: usize) {
        let _ = (g, kept);
    }

    /// The [rank](Graph::rank) of m(e): of the last write that the asker must not go before.
    fn floor(&mut self, g: &Graph, hb: &HappensBefore, asker: Asker) -> usize;

    /// Whether a graph with these events in addition, a choice that is not maximal, must be held against the axioms, because clocks do
    /// not tell all.
    fn needs_axioms(&self, g: &Graph, added: &[Event]) -> bool {
        let _ = (g, added);
        false
    }

    /// Whether the axioms ask for no more and no less than an interleaving of this graph.
    fn is_sequential(&self, g: &Graph) -> bool {
        let _ = g;
        false
    }
}

/// A memory model that users can choose.
#[derive(Clone, Copy)]
pub struct ModelInfo {
    /// The name by which it is chosen.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// Whether two accesses that nothing orders, one of them plain and one a write, are an error.
    pub has_races: bool,
    /// Whether, for races, every atomic access acquires and releases.
    pub(crate) strong: bool,
    pub(crate) make: fn() -> Box<dyn Model>,
}

/// All models, from the strongest to the weakest.
pub const MODELS: &[ModelInfo] = &[
    ModelInfo {
        name: "sc",
        summary: "sequential consistency: one order of all accesses",
        has_races: true,
        strong: true,
        make: || Box::<sc::Sc>::default(),
    },
    ModelInfo {
        name: "tso",
        summary: "x86: each thread has a buffer of writes that reads may overtake",
        has_races: false,
        strong: true,
        make: || Box::<tso::Tso>::default(),
    },
    ModelInfo {
        name: "pso",
        summary: "old SPARC: one buffer for each location, so that writes may overtake each other",
        has_races: false,
        strong: false,
        make: || Box::<pso::Pso>::default(),
    },
    ModelInfo {
        name: "ra",
        summary: "release and acquire: every atomic access releases or acquires, and no more",
        has_races: true,
        strong: true,
        make: || Box::new(ra::Ra),
    },
    ModelInfo {
        name: "rc11",
        summary: "C11, C++ and Rust as repaired by Lahav and others: the order of each access counts",
        has_races: true,
        strong: false,
        make: || Box::new(rc11::Rc11),
    },
];

/// The model of a name.
pub fn model(name: &str) -> Option<&'static ModelInfo> {
    MODELS.iter().find(|info| info.name == name)
}

impl ModelInfo {
    /// Whether a graph satisfies the axioms of this model: slow.
    pub fn allows(&self, g: &Graph) -> bool {
        let relations = Relations::of(g);
        relations.are_sane() && (self.make)().allows(&relations)
    }
}
