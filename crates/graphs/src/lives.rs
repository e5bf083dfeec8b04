//! Releases of locks that were initialised anew, destroyed or freed while they were held.
//!
//! An unlock is a write that reads nothing: whether its thread holds the lock is known from the thread's own past. Only where
//! the life of a lock ends meanwhile is that not enough, and where in the order of writes it ends is known when the graph is
//! complete.

use crate::graph::{EventId, Graph, NONE};
use model::{Hold, Holding, ObjectId, OpKind, Site, ThreadId};

/// A release by a thread that holds nothing.
pub(crate) struct Broken {
    pub(crate) thread: ThreadId,
    pub(crate) site: Site,
    pub(crate) message: &'static str,
}

/// The releases of a complete graph that release nothing.
pub(crate) fn broken_releases(g: &Graph) -> Vec<Broken> {
    let threads = (0..g.thread_count() as u32).map(ThreadId);
    threads.flat_map(|thread| broken_releases_of(g, thread)).collect()
}

/// A lock that a thread holds.
struct Held {
    lock: ObjectId,
    how: Hold,
    /// How many lives of the lock had ended before.
    lives: usize,
}

fn broken_releases_of(g: &Graph, thread: ThreadId) -> Vec<Broken> {
    let mut held: Vec<Held> = Vec::new();
    let mut broken = Vec::new();
    for &write in g.of_thread(thread).iter().filter(|&&e| g.event(e).is_write()) {
        let op = g.event(write).op;
        let lives = ends_before(g, op.object, write);
        let hold = |how: Hold| Held { lock: op.object, how, lives };
        let mut release = |held: &mut Vec<Held>, how: Hold| {
            let is_it = |h: &Held| h.lock == op.object && h.how == how && h.lives == lives;
            match held.iter().rposition(is_it) {
                Some(place) => _ = held.swap_remove(place),
                None => broken.extend(message(g, op.object, op.kind, write).map(|message| Broken {
                    thread,
                    site: op.site,
                    message,
                })),
            }
        };
        match op.kind.nature().holding {
            Holding::Takes(how) => held.push(hold(how)),
            Holding::Gives(how) => release(&mut held, how),
            Holding::Downgrades => {
                release(&mut held, Hold::Exclusive);
                held.push(hold(Hold::Shared));
            }
            Holding::Nothing | Holding::NeedsMutex => {}
        }
    }
    broken
}

/// How many operations on the life of an object come before this write of it.
fn ends_before(g: &Graph, object: ObjectId, write: EventId) -> usize {
    g.co(object)[..g.rank(write) - 1].iter().filter(|&&w| g.event(w).op.kind.nature().is_of_life).count()
}

/// What is wrong with a release that releases nothing.
fn message(g: &Graph, lock: ObjectId, kind: OpKind, write: EventId) -> Option<&'static str> {
    let last = g.co(lock)[..g.rank(write) - 1].iter().rev().find(|&&w| g.event(w).op.kind.nature().is_of_life);
    let word = g.word(lock, last.copied().unwrap_or(NONE));
    objects::misuse_of_life(kind, word).or_else(|| objects::misuse_of_release(kind))
}
