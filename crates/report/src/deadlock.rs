//! Why threads wait for ever: for what, held by whom, and the cycle if there is one.

use crate::holders::Holders;
use crate::words::{held_by, message, printable, selection};
use model::{Failure, Location, Moment, Names, ObjectId, OpKind, Pending, Site, Test, ThreadId};
use trace::{EventId, Trace};

/// A thread that waits for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wait {
    /// The thread's name.
    pub thread: String,
    /// What it waits for, in words that follow the name.
    pub reason: String,
    /// Where in the program's text it waits, for names that show it.
    pub site: Option<String>,
    /// The same as file and line.
    pub location: Option<Location>,
    /// Who holds what it waits for.
    pub holders: Vec<Holder>,
}

/// Who holds a lock that somebody waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Holder {
    /// The thread's name.
    pub thread: String,
    /// The step that took the lock.
    pub since: EventId,
    /// Where in the program's text it did, for names that show it.
    pub site: Option<String>,
}

/// What an execution's left-over threads wait for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// Each waiting thread.
    pub waits: Vec<Wait>,
    /// Threads and what they want of each other in turn, the first repeated at the end; empty when there is no cycle.
    pub cycle: Vec<String>,
    /// The steps that took the locks which the threads wait for.
    pub taken_at: Vec<EventId>,
    /// Who waits for whom: the wait-for graph.
    pub edges: Vec<Edge>,
}

/// A thread waits for another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The thread that waits.
    pub from: ThreadId,
    /// What the other holds; none when it is waited for itself.
    pub via: Option<String>,
    /// The thread that would have to act.
    pub to: ThreadId,
    /// Whether the edge is part of [`Explanation::cycle`].
    pub in_cycle: bool,
}

/// Explains why the threads of `waiting` cannot go on after `trace`.
pub fn explain(trace: &Trace, waiting: &[Pending], failures: &[(ThreadId, Failure)], names: &dyn Names) -> Explanation {
    let scene = Scene { holders: Holders::at_end(trace), waiting, failures, names };
    let waits = waiting.iter().map(|pending| scene.wait(pending, trace)).collect();
    let locks = waiting.iter().flat_map(|pending| scene.holders.of(pending.op.object));
    let taken_at = locks.map(|hold| hold.since).collect();
    let cycle = scene.cycle();
    let edges = scene.edges(&cycle);
    Explanation { waits, cycle: scene.name_cycle(&cycle), taken_at, edges }
}

/// A thread waits for another to act, through an object if there is one.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Need {
    from: ThreadId,
    via: Option<ObjectId>,
    to: ThreadId,
}

struct Scene<'a> {
    holders: Holders,
    waiting: &'a [Pending],
    failures: &'a [(ThreadId, Failure)],
    names: &'a dyn Names,
}

impl Scene<'_> {
    fn wait(&self, pending: &Pending, trace: &Trace) -> Wait {
        let holders = self.holders.of(pending.op.object).iter().map(|hold| Holder {
            thread: self.thread(hold.thread),
            since: hold.since,
            site: self.site(Moment::Step(hold.since as usize), trace.event(hold.since).op.site),
        });
        Wait {
            thread: self.thread(pending.thread),
            reason: self.reason(pending),
            site: self.site(Moment::Wait(pending.thread), pending.op.site),
            location: self.names.location(self.names.place(Moment::Wait(pending.thread), pending.op.site)),
            holders: holders.collect(),
        }
    }

    fn site(&self, moment: Moment, site: Site) -> Option<String> {
        let site = self.names.place(moment, site);
        let shown = self.names.shows_sites().then(|| self.names.site(site)).flatten()?;
        Some(printable(&shown))
    }

    fn reason(&self, pending: &Pending) -> String {
        if let Some(statement) = self.names.statement(pending.op.site) {
            return format!("is at {}", printable(&statement));
        }
        let object = pending.op.object;
        let name = || self.object(object);
        match pending.op.kind {
            OpKind::Relock { condvar } if self.holders.is_unnotified(condvar, pending.thread) => {
                format!("waits on {}, which nobody notifies any more", self.object(condvar))
            }
            OpKind::Relock { condvar } => {
                format!(
                    "was woken from {} and waits to lock {}, {}",
                    self.object(condvar),
                    name(),
                    self.holding(object)
                )
            }
            // It goes round a loop.
            OpKind::Lock if self.holders.of(object).is_empty() => {
                format!("locks {} again and again, and finds the same", name())
            }
            OpKind::Lock | OpKind::Section if self.holds(object, pending.thread) => {
                format!("waits to lock {}, which it holds itself", name())
            }
            OpKind::Lock | OpKind::Section => format!("waits to lock {}, {}", name(), self.holding(object)),
            OpKind::ReadLock => format!("waits to read-lock {}, {}", name(), self.holding(object)),
            OpKind::WriteLock => format!("waits to write-lock {}, {}", name(), self.holding(object)),
            OpKind::Acquire => format!("waits to acquire {}, whose count is 0", name()),
            OpKind::Pass { parties, generation } => {
                let arrivals = self.holders.word(object).unwrap_or(0);
                let arrived = arrivals.saturating_sub(u64::from(generation) * u64::from(parties));
                format!("waits at {}, where {arrived} of {parties} have arrived", name())
            }
            OpKind::PassLatch => match self.holders.word(object) {
                Some(missing) => format!("waits at {}, where {missing} are missing", name()),
                None => format!("waits at {}, which nobody counts down", name()),
            },
            OpKind::Receive(pattern) => {
                format!(
                    "waits for a message to {}{}, {}",
                    name(),
                    selection(object, pattern, self.names),
                    self.contents(object)
                )
            }
            OpKind::Join(other) => format!("waits for the end of {}{}", self.thread(other), self.fate(other)),
            OpKind::Await(test) => {
                let (relation, wanted) = match test {
                    Test::Equal(value) => ("==", value),
                    Test::NotEqual(value) => ("!=", value),
                };
                format!("waits until {} {relation} {}{}", name(), self.value(object, wanted), self.now(object))
            }
            // It goes round a loop.
            kind if object != ObjectId::NONE && !kind.may_block() => {
                format!("waits until {} changes{}", name(), self.now(object))
            }
            kind => format!("waits at {kind}"),
        }
    }

    /// `; it is 5`
    fn now(&self, object: ObjectId) -> String {
        let value = self.holders.word(object).map(|word| format!("; it is {}", self.value(object, word)));
        value.unwrap_or_default()
    }

    /// `which holds 1: 7, 2: 8`
    fn contents(&self, mailbox: ObjectId) -> String {
        let messages = self.holders.mailbox(mailbox).map_or(&[][..], |mailbox| mailbox.messages());
        if messages.is_empty() {
            return "which is empty".to_owned();
        }
        let messages: Vec<String> = messages.iter().map(|m| message(mailbox, m.tag, m.value, self.names)).collect();
        format!("which holds {}", messages.join(", "))
    }

    fn holds(&self, lock: ObjectId, thread: ThreadId) -> bool {
        self.holders.of(lock).iter().any(|hold| hold.thread == thread)
    }

    /// `held since step 3 by T1`, and what became of a holder that will never release it.
    fn holding(&self, lock: ObjectId) -> String {
        match self.holders.of(lock) {
            [one] if one.exclusive => {
                format!("held since step {} by {}{}", one.since + 1, self.thread(one.thread), self.fate(one.thread))
            }
            holds => held_by(holds, self.names),
        }
    }

    fn fate(&self, thread: ThreadId) -> String {
        let what = if self.waiting.iter().any(|pending| pending.thread == thread) {
            "itself waits"
        } else if self.failures.iter().any(|(failed, _)| *failed == thread) {
            "failed"
        } else {
            "has ended"
        };
        format!(", which {what}")
    }

    /// Whom a waiting thread needs to act, and through which object.
    fn needs(&self, pending: &Pending) -> Vec<(Option<ObjectId>, ThreadId)> {
        let object = pending.op.object;
        match pending.op.kind {
            OpKind::Relock { condvar } if self.holders.is_unnotified(condvar, pending.thread) => Vec::new(),
            OpKind::Lock | OpKind::Section | OpKind::Relock { .. } | OpKind::ReadLock | OpKind::WriteLock => {
                self.holders.of(object).iter().map(|hold| (Some(object), hold.thread)).collect()
            }
            OpKind::Join(other) => vec![(None, other)],
            _ => Vec::new(),
        }
    }

    /// The wait-for graph.
    fn edges(&self, cycle: &[Need]) -> Vec<Edge> {
        let of = |pending: &Pending| {
            let from = pending.thread;
            self.needs(pending).into_iter().map(move |(via, to)| Need { from, via, to })
        };
        let edge = |need: Need| Edge {
            from: need.from,
            via: need.via.map(|object| self.object(object)),
            to: need.to,
            in_cycle: cycle.contains(&need),
        };
        self.waiting.iter().flat_map(of).map(edge).collect()
    }

    /// The first cycle among the waiting threads: depth-first, on a stack of its own because there may be many threads.
    fn cycle(&self) -> Vec<Need> {
        let place_of = |thread| self.waiting.iter().position(|pending| pending.thread == thread);
        let edges: Vec<Vec<(Option<ObjectId>, usize)>> = self
            .waiting
            .iter()
            .map(|pending| self.needs(pending).into_iter().filter_map(|(via, on)| Some((via, place_of(on)?))).collect())
            .collect();
        let mut seen = vec![false; edges.len()];
        for start in 0..edges.len() {
            // Each node with the next of its edges to follow.
            let mut path: Vec<(usize, usize)> = if seen[start] { Vec::new() } else { vec![(start, 0)] };
            while let Some((node, next)) = path.last_mut() {
                seen[*node] = true;
                let Some(&(_, target)) = edges[*node].get(*next) else {
                    path.pop();
                    continue;
                };
                *next += 1;
                if let Some(place) = path.iter().position(|&(on_path, _)| on_path == target) {
                    let need = |&(node, next): &(usize, usize)| {
                        let (via, to) = edges[node][next - 1];
                        Need { from: self.waiting[node].thread, via, to: self.waiting[to].thread }
                    };
                    return path[place..].iter().map(need).collect();
                }
                if !seen[target] {
                    path.push((target, 0));
                }
            }
        }
        Vec::new()
    }

    fn name_cycle(&self, cycle: &[Need]) -> Vec<String> {
        let mut names = Vec::new();
        for need in cycle {
            names.push(self.thread(need.from));
            names.extend(need.via.map(|object| self.object(object)));
        }
        names.extend(names.first().cloned());
        names
    }

    fn object(&self, object: ObjectId) -> String {
        printable(&self.names.object(object))
    }

    fn thread(&self, thread: ThreadId) -> String {
        printable(&self.names.thread(thread))
    }

    fn value(&self, object: ObjectId, word: u64) -> String {
        printable(&self.names.value(object, word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{A, B, C, Plain, trace, waits};
    use model::Outcome::{Done, Woke};
    use model::{Pattern, Tag};

    fn text(trace: &Trace, waiting: &[Pending]) -> String {
        let explanation = explain(trace, waiting, &[], &Plain);
        let mut lines: Vec<String> =
            explanation.waits.iter().map(|wait| format!("{} {}", wait.thread, wait.reason)).collect();
        lines.push(explanation.cycle.join(" → "));
        lines.join("\n")
    }

    #[test]
    fn locks_taken_crosswise_are_a_cycle() {
        let trace = trace(&[(0, OpKind::Lock, A, Done, 0, 1), (1, OpKind::Lock, B, Done, 0, 2)]);
        let waiting =
            [waits(0, OpKind::Lock, B), waits(1, OpKind::Lock, A), waits(2, OpKind::Join(ThreadId(0)), ObjectId::NONE)];
        insta::assert_snapshot!(text(&trace, &waiting), @r"
        T0 waits to lock b, held since step 2 by T1, which itself waits
        T1 waits to lock a, held since step 1 by T0, which itself waits
        T2 waits for the end of T0, which itself waits
        T0 → b → T1 → a → T0
        ");
    }

    #[test]
    fn a_mutex_locked_twice() {
        let trace = trace(&[(0, OpKind::Lock, A, Done, 0, 1)]);
        insta::assert_snapshot!(text(&trace, &[waits(0, OpKind::Lock, A)]), @r"
        T0 waits to lock a, which it holds itself
        T0 → a → T0
        ");
    }

    #[test]
    fn waits_without_a_cycle() {
        let trace = trace(&[
            (0, OpKind::Lock, A, Done, 0, 1),
            (0, OpKind::Wait { mutex: A }, B, Done, 0, 1),
            (0, OpKind::Unlock, A, Done, 1, 0),
            (1, OpKind::Lock, A, Done, 0, 2),
            (1, OpKind::Wait { mutex: A }, B, Done, 1, 2),
            (1, OpKind::Unlock, A, Done, 2, 0),
            (2, OpKind::Lock, A, Done, 0, 3),
            (2, OpKind::NotifyOne, B, Woke(ThreadId(0)), 2, 1),
            (3, OpKind::Arrive { parties: 3, ordered: false }, C, Done, 0, 1),
            (4, OpKind::Read, ObjectId(3), Done, 5, 5),
            (4, OpKind::Send { tag: Tag::new(1, 7).unwrap(), value: 7 }, ObjectId(5), Done, 0, 1),
        ]);
        let waiting = [
            waits(0, OpKind::Relock { condvar: B }, A),
            waits(1, OpKind::Relock { condvar: B }, A),
            waits(3, OpKind::Pass { parties: 3, generation: 0 }, C),
            waits(4, OpKind::Await(Test::Equal(6)), ObjectId(3)),
            waits(5, OpKind::Acquire, ObjectId(4)),
            waits(6, OpKind::Receive(Pattern::of_kinds([2])), ObjectId(5)),
            waits(7, OpKind::Receive(Pattern::ANY), ObjectId(6)),
        ];
        insta::assert_snapshot!(text(&trace, &waiting), @r"
        T0 was woken from b and waits to lock a, held since step 7 by T2, which has ended
        T1 waits on b, which nobody notifies any more
        T3 waits at c, where 1 of 3 have arrived
        T4 waits until d == 6; it is 5
        T5 waits to acquire e, whose count is 0
        T6 waits for a message to f of 2, which holds 1: 7
        T7 waits for a message to g, which is empty
        ");
    }

    #[test]
    fn readers_in_the_way_of_a_writer() {
        let trace = trace(&[(0, OpKind::ReadLock, A, Done, 0, 1), (1, OpKind::ReadLock, A, Done, 1, 2)]);
        let waiting = [waits(0, OpKind::WriteLock, A), waits(1, OpKind::WriteLock, A)];
        insta::assert_snapshot!(text(&trace, &waiting), @r"
        T0 waits to write-lock a, held shared by T0, T1
        T1 waits to write-lock a, held shared by T0, T1
        T0 → a → T0
        ");
    }
}
