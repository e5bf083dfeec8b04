//! Why an execution is as it is: what no interleaving explains, and which synchronisation is missing.

use crate::graph::{EventId, Graph, Label, NONE};
use crate::hb::HappensBefore;
use crate::models::{ModelInfo, model};
use std::collections::VecDeque;

/// A read that takes an old write although a newer one is before it by program order and reads-from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stale {
    /// The read.
    pub read: EventId,
    /// The newest write that it could have been expected to take.
    pub newer: EventId,
}

/// What there is to say about a graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Why {
    /// Whether no interleaving has the same reads and writes.
    pub is_weak: bool,
    /// Reads that miss a write that is before them.
    pub stale: Vec<Stale>,
    /// Reads from another thread, as write and read, that would order what was found if they synchronised.
    pub missing: Vec<(EventId, EventId)>,
    /// If it is weak: events each of which must be before the next, and the last before the first.
    pub cycle: Vec<EventId>,
}

impl Why {
    /// Looks at a graph and the pairs of accesses that race in it.
    pub fn of(g: &Graph, info: &ModelInfo, races: &[(EventId, EventId)]) -> Self {
        let sc = model("sc").expect("it is one of the models");
        let mut why = Why { is_weak: !sc.allows(g), ..Why::default() };
        let mut hb = HappensBefore::new(info.strong);
        hb.follow(g);
        why.stale = stale(g);
        let pairs = why.stale.iter().map(|stale| (stale.newer, stale.read)).chain(races.iter().copied());
        for (first, second) in pairs.collect::<Vec<_>>() {
            for edge in edges_between(g, first, second) {
                if !g.is_in(edge.0, hb.clock(edge.1)) && !why.missing.contains(&edge) {
                    why.missing.push(edge);
                }
            }
        }
        if why.is_weak {
            why.cycle = cycle(g);
        }
        why
    }
}

/// What is porf-before an event, without what it reads.
fn prefix(g: &Graph, e: EventId) -> Option<&[u32]> {
    let event = g.event(e);
    let before = if event.index > 0 { g.before(e) } else { g.spawn_of(event.thread) };
    (before != NONE).then(|| g.porf(before))
}

fn stale(g: &Graph) -> Vec<Stale> {
    let mut found = Vec::new();
    for (read, event) in (0..).zip(g.events()).filter(|(_, event)| event.is_read()) {
        let Some(prefix) = prefix(g, read) else { continue };
        let newer = &g.co(event.object())[g.rank(event.source)..];
        let newer = newer.iter().copied().rfind(|&w| g.is_in(w, prefix));
        found.extend(newer.map(|newer| Stale { read, newer }));
    }
    found
}

/// The reads from other threads on a way from one event to another that is porf-after it.
fn edges_between(g: &Graph, first: EventId, second: EventId) -> Vec<(EventId, EventId)> {
    let leads = |e: EventId| e != NONE && (e == first || g.is_in(first, g.porf(e)));
    let (mut at, mut edges) = (second, Vec::new());
    while at != first {
        let event = g.event(at);
        let before = if event.index > 0 { g.before(at) } else { g.spawn_of(event.thread) };
        let source = if event.is_read() && at != second { event.source } else { NONE };
        if leads(before) {
            at = before;
        } else if leads(source) {
            edges.push((source, at));
            at = source;
        } else if leads(event.cause) {
            at = event.cause;
        } else {
            break;
        }
    }
    edges
}

/// A shortest cycle of program order, causes, reads-from, coherence order and from-read.
fn cycle(g: &Graph) -> Vec<EventId> {
    let n = g.len();
    let mut best: Vec<EventId> = Vec::new();
    for start in 0..n as EventId {
        let mut came_from = vec![NONE; n];
        let mut queue = VecDeque::from([start]);
        'search: while let Some(at) = queue.pop_front() {
            for next in after(g, at) {
                if next == start {
                    let mut path = vec![at];
                    while *path.last().expect("it is never empty") != start {
                        path.push(came_from[*path.last().expect("it is never empty") as usize]);
                    }
                    path.reverse();
                    if best.is_empty() || path.len() < best.len() {
                        best = path;
                    }
                    break 'search;
                }
                if came_from[next as usize] == NONE && next != start {
                    came_from[next as usize] = at;
                    queue.push_back(next);
                }
            }
        }
    }
    best
}

/// What an event must be before in an interleaving.
fn after(g: &Graph, e: EventId) -> Vec<EventId> {
    let event = g.event(e);
    if event.label == Label::Ghost {
        return Vec::new();
    }
    let mut next: Vec<EventId> = g.of_thread(event.thread).get(event.index as usize + 1).copied().into_iter().collect();
    let write = match event.label {
        Label::Read => Some(event.source),
        Label::Write => Some(e),
        _ => None,
    };
    if event.is_write() {
        next.extend(g.readers(event.object(), e).filter(|&r| g.event(r).is_read()));
    }
    if let Some(write) = write {
        next.extend(g.co(event.object()).get(g.rank(write)).copied().filter(|&w| w != e));
    }
    if let Label::Spawn(child) = event.label {
        next.extend(g.of_thread(child).first());
    }
    next.extend((0..g.len() as EventId).filter(|&other| g.event(other).cause == e));
    next
}
