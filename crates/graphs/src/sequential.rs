//! Whether some interleaving has the same reads and writes as a graph: `po ∪ rf ∪ co ∪ fr` is acyclic.
//!
//! Every model here allows whatever sequential consistency allows, so that a graph which passes need not be held against the axioms
//! of a weaker one. One search through the predecessors of each event: O(events + edges).

use crate::graph::{EventId, Graph, Label, NONE};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    /// Its predecessors are being looked at.
    Open,
    Done,
}

/// Lists that are used again.
#[derive(Default)]
pub(crate) struct Sequential {
    marks: Vec<Mark>,
    stack: Vec<EventId>,
    before: Vec<EventId>,
}

impl Sequential {
    /// Whether a graph has an interleaving.
    pub(crate) fn has(&mut self, g: &Graph) -> bool {
        self.marks.clear();
        self.marks.resize(g.len(), Mark::New);
        (0..g.len() as EventId).all(|e| self.search(g, e))
    }

    /// Whether no cycle leads to an event.
    fn search(&mut self, g: &Graph, e: EventId) -> bool {
        self.stack.clear();
        self.stack.push(e);
        while let Some(&e) = self.stack.last() {
            match self.marks[e as usize] {
                Mark::Done => {
                    self.stack.pop();
                }
                Mark::Open => {
                    self.marks[e as usize] = Mark::Done;
                    self.stack.pop();
                }
                Mark::New => {
                    self.marks[e as usize] = Mark::Open;
                    predecessors(g, e, &mut self.before);
                    for &before in &self.before {
                        match self.marks[before as usize] {
                            Mark::New => self.stack.push(before),
                            Mark::Open => return false,
                            Mark::Done => {}
                        }
                    }
                }
            }
        }
        true
    }
}

/// What is right before an event.
fn predecessors(g: &Graph, e: EventId, before: &mut Vec<EventId>) {
    let event = g.event(e);
    before.clear();
    if event.label == Label::Ghost {
        return;
    }
    before.push(if event.index > 0 { g.before(e) } else { g.spawn_of(event.thread) });
    before.push(event.cause);
    match event.label {
        Label::Read => before.push(event.source),
        Label::Write => {
            let overwritten = g.of_rank(event.object(), event.place as usize);
            before.push(overwritten);
            before.extend(g.readers(event.object(), overwritten).filter(|&r| g.event(r).label == Label::Read));
        }
        _ => {}
    }
    before.retain(|&other| other != NONE);
}
