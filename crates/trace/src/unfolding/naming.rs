//! From an execution to events of the unfolding: which one a step is, and which ones the reversals of its races are.

use super::arena::{Node, Unfolding, hash_of};
use super::slot::{AfterWrite, Slot};
use crate::dependence::{Footprint, Mode};
use crate::history::{Heads, NO_EVENT};
use crate::race::{PendingRaces, Race};
use crate::removal::is_covered;
use crate::trace::{EventId, Trace};
use model::{Cause, Choice, Op, Pending, ThreadId};

/// An event in the making: all that names it. Reused.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) choice: Choice,
    pub(super) index: u32,
    pub(super) op: Op,
    pub(super) footprint: Footprint,
    pub(super) alternatives: u32,
    pub(super) causes: Vec<Node>,
    pub(super) clock: Vec<u32>,
    pub(super) write: Node,
    pub(super) segment: Vec<Node>,
    has_only_reads: bool,
    /// The events of its object after the last write, wherever they are.
    others: Vec<EventId>,
}

/// A step of an execution, or one that could be.
pub(super) struct Step {
    pub(super) thread: ThreadId,
    pub(super) index: u32,
    pub(super) op: Op,
    pub(super) footprint: Footprint,
    pub(super) alternatives: u32,
    pub(super) causes: [EventId; 2],
    /// The latest event of its object that it may come after.
    pub(super) latest: EventId,
}

impl Default for Draft {
    fn default() -> Self {
        Draft {
            choice: Choice { thread: ThreadId(0), alternative: 0 },
            index: 0,
            op: Op::NONE,
            footprint: Footprint::NONE,
            alternatives: 1,
            causes: Vec::new(),
            clock: Vec::new(),
            write: Node::NONE,
            segment: Vec::new(),
            has_only_reads: true,
            others: Vec::new(),
        }
    }
}

impl Draft {
    /// The same event as one that is there.
    pub(super) fn copy(&mut self, slot: &Slot, op: Op, clock: &[u32]) {
        self.choice = slot.choice;
        self.index = slot.index;
        self.op = op;
        self.footprint = slot.footprint;
        self.alternatives = slot.alternatives;
        self.causes.clear();
        self.causes.extend_from_slice(&slot.causes);
        self.clock.clear();
        self.clock.extend_from_slice(clock);
        self.write = slot.write;
        self.segment.clear();
        self.segment.extend_from_slice(slot.segment());
        self.has_only_reads = slot.after_write != AfterWrite::Others;
    }

    /// Becomes the event of a step after `trace` without what is left out; `nodes` are the events of the trace.
    pub(super) fn fill(&mut self, trace: &Trace, nodes: &[Node], step: &Step, is_left_out: impl Fn(EventId) -> bool) {
        self.choice = Choice { thread: step.thread, alternative: 0 };
        (self.index, self.op, self.footprint) = (step.index, step.op, step.footprint);
        self.alternatives = step.alternatives;
        trace.start_clock(step.thread, &mut self.clock);
        self.causes.clear();
        let [own, other] = step.causes;
        self.causes.push(Node::NONE);
        if own != NO_EVENT {
            self.causes[0] = nodes[own as usize];
            trace.clocks.join_into(&mut self.clock, own as usize);
        }
        if other != NO_EVENT {
            self.add_cause(trace, nodes, other);
        }
        for arrival in trace.meeting(&step.op) {
            self.add_cause(trace, nodes, arrival);
        }
        self.write = Node::NONE;
        self.segment.clear();
        self.has_only_reads = true;
        if step.footprint.touches() {
            self.add_conflicts(trace, nodes, step, is_left_out);
        }
        sort(&mut self.causes[1..]);
        self.clock[step.thread.index()] = step.index;
    }

    /// What is in its segment.
    pub(super) fn after_write(&self) -> AfterWrite {
        match self.has_only_reads {
            _ if self.segment.is_empty() => AfterWrite::Nothing,
            true => AfterWrite::Reads,
            false => AfterWrite::Others,
        }
    }

    /// An event happens before the draft's.
    #[inline]
    fn add_cause(&mut self, trace: &Trace, nodes: &[Node], event: EventId) {
        if !is_covered(&self.clock, trace.event(event)) {
            trace.clocks.join_into(&mut self.clock, event as usize);
            self.causes.push(nodes[event as usize]);
        }
    }

    fn add_conflicts(&mut self, trace: &Trace, nodes: &[Node], step: &Step, is_left_out: impl Fn(EventId) -> bool) {
        self.others.clear();
        for event in trace.history_from(step.latest).filter(|&event| !is_left_out(event)) {
            let mode = trace.event(event).footprint.mode;
            let is_before = mode.conflicts(step.footprint.mode);
            if is_before {
                self.add_cause(trace, nodes, event);
            }
            if mode == Mode::Write {
                self.write = nodes[event as usize];
                break;
            }
            if is_before { self.add_to_segment(mode, nodes[event as usize]) } else { self.others.push(event) }
        }
        for i in 0..self.others.len() {
            let event = trace.event(self.others[i]);
            if is_covered(&self.clock, event) {
                self.add_to_segment(event.footprint.mode, nodes[self.others[i] as usize]);
            }
        }
        sort(&mut self.segment);
    }

    #[inline]
    fn add_to_segment(&mut self, mode: Mode, node: Node) {
        self.segment.push(node);
        self.has_only_reads &= mode == Mode::Read;
    }

    /// Becomes the event of the next step of a trace, where that is simple: nothing made it possible but the step before it
    /// in its thread, and it conflicts with nothing on its object after the last write. False if not.
    fn fill_simply(&mut self, trace: &Trace, nodes: &[Node]) -> bool {
        let id = nodes.len() as EventId;
        let event = trace.event(id);
        let ([own, other], found, mode) = (event.causes, event.found, event.footprint.mode);
        let is_alone = other == NO_EVENT && event.op.kind.nature().cause != Cause::Arrival;
        if !is_after_one_write(mode, found) || !is_alone || event.footprint.is_on_mailbox() {
            return false;
        }
        (self.choice, self.index) = (event.choice, event.index);
        (self.op, self.footprint) = (event.op, event.footprint);
        self.alternatives = event.alternatives();
        self.clock.clear();
        self.clock.extend_from_slice(trace.clocks.row(id as usize));
        self.causes.clear();
        self.causes.push(node_of(nodes, own));
        self.write = Node::NONE;
        self.segment.clear();
        self.has_only_reads = true;
        if event.footprint.touches() {
            self.write = node_of(nodes, found.write);
            if is_cause_besides(trace, found.write, own) {
                self.causes.push(self.write);
            }
            for read in trace.history_from(found.any).take_while(|&read| read != found.write) {
                let read_event = trace.event(read);
                if is_covered(&self.clock, read_event) {
                    self.add_to_segment(read_event.footprint.mode, nodes[read as usize]);
                }
            }
            sort(&mut self.segment);
        }
        true
    }
}

/// Whether an operation that finds an object like this conflicts with nothing on it but with its last write, and what that
/// write comes after.
#[inline]
fn is_after_one_write(mode: Mode, found: Heads) -> bool {
    found.any == found.write || (mode == Mode::Read && found.add == NO_EVENT)
}

#[inline]
fn node_of(nodes: &[Node], event: EventId) -> Node {
    nodes.get(event as usize).copied().unwrap_or(Node::NONE)
}

/// Whether a write, if there is one, is a cause of an event whose thread's event before is `own`.
#[inline]
fn is_cause_besides(trace: &Trace, write: EventId, own: EventId) -> bool {
    let is_below = || own != NO_EVENT && (write == own || trace.happens_before(write, own));
    write != NO_EVENT && !is_below()
}

/// Sorts events that were collected from the latest back: mostly they are in descending order.
#[inline]
fn sort(nodes: &mut [Node]) {
    if nodes.len() > 1 {
        nodes.reverse();
        nodes.sort_unstable();
    }
}

impl Unfolding {
    /// The event that a step of a trace is; `nodes` are those of the steps before it.
    pub fn step_of(&mut self, trace: &Trace, nodes: &[Node]) -> Node {
        let id = nodes.len() as EventId;
        let event = trace.event(id);
        if self.draft.fill_simply(trace, nodes) {
            return self.intern(event.choice.alternative);
        }
        let mut causes = event.causes;
        if matches!(event.footprint.mode, Mode::Take(_)) {
            causes[1] = trace.send_taken_by(id);
        }
        let step = Step {
            thread: event.thread(),
            index: event.index,
            op: event.op,
            footprint: event.footprint,
            alternatives: event.alternatives(),
            causes,
            latest: event.found.any,
        };
        self.draft.fill(trace, nodes, &step, |_| false);
        self.intern(event.choice.alternative)
    }

    /// How many events of a trace must have a name for [`Unfolding::extend`] to name the reversals of races whose second event is
    /// at `kept` or later: all causes of these, and of several reads before a write that write itself, by which the reversals
    /// are named.
    pub fn names_needed(&self, trace: &Trace, kept: usize) -> usize {
        let after = |event: EventId| event.wrapping_add(1) as usize;
        let needed = trace.races_from(kept).iter().map(|race| {
            let Some(second) = race.second else { return 0 };
            let (event, first) = (trace.event(second), trace.event(race.first));
            if first.footprint.mode != Mode::Write {
                return after(second);
            }
            let only_reads = event.footprint.mode == Mode::Read && race.footprint.mode == Mode::Read;
            let [own, other] = race.causes;
            let of_object =
                if only_reads { after(event.found.write).max(after(event.found.add)) } else { after(event.found.any) };
            after(own).max(after(other)).max(of_object)
        });
        needed.max().unwrap_or(0)
    }

    /// How many events of a trace must have a name for [`Unfolding::may_have_rivals`]: those up to the last write before it.
    pub fn write_before(trace: &Trace, place: usize) -> usize {
        trace.events()[place].found.write.wrapping_add(1) as usize
    }

    /// Whether there may be an alternative to a step of a trace, after `nodes`, the events of the steps before it: another
    /// alternative of it, or an event with the same last write that is in conflict with it.
    pub fn may_have_rivals(&self, trace: &Trace, nodes: &[Node], place: usize) -> bool {
        let event = &trace.events()[place];
        event.alternatives() > 1
            || event.footprint.touches() && {
                let write = node_of(nodes, event.found.write);
                self.has_group_against(write, event.thread(), event.footprint)
            }
    }

    /// `cex(C)`, as far as events from `kept` on and operations that wait have part in it: the second event of every race,
    /// when it comes first. `nodes` are the events of the trace.
    pub fn extend(&mut self, trace: &Trace, nodes: &[Node], kept: usize, waiting: &[Pending]) {
        for race in trace.races_from(kept) {
            let Some(second) = race.second else { continue };
            let op = trace.event(second).op;
            self.extend_by(trace, nodes, race, trace.dropped(race), op, trace.event(second).found.any);
        }
        for pending in waiting.iter().filter(|pending| pending.op.kind.may_block() && !pending.enabled) {
            let races: PendingRaces = trace.races_of_pending(pending);
            for race in races.all() {
                let latest = trace.heads_of(pending.op.object).any;
                self.extend_by(trace, nodes, race, races.dropped(race), pending.op, latest);
            }
        }
    }

    /// Whether the second event of a race, when it comes first, is there already. Its name is all that is asked for, where that
    /// can be told at once; false where it cannot.
    fn is_reversal_there(&self, trace: &Trace, nodes: &[Node], race: &Race, dropped: &[EventId]) -> bool {
        let Race { footprint, thread, causes: [own, other], .. } = *race;
        if !dropped.is_empty() || other != NO_EVENT || race.alternatives != 1 || footprint.is_on_mailbox() {
            return false;
        }
        let first = trace.event(race.first);
        if first.footprint.mode != Mode::Write || first.footprint.object != footprint.object {
            let second = race.second.and_then(|second| nodes.get(second as usize));
            return second.is_some_and(|&second| self.is_there_without(second, nodes[race.first as usize], footprint));
        }
        if !is_after_one_write(footprint.mode, first.found) {
            return false;
        }
        let mut causes = [node_of(nodes, own), Node::NONE];
        let mut len = 1;
        if is_cause_besides(trace, first.found.write, own) {
            (causes[1], len) = (nodes[first.found.write as usize], 2);
        }
        let (choice, causes) = (Choice { thread, alternative: 0 }, &causes[..len]);
        self.find(choice, footprint, causes, hash_of(choice, causes)).is_some()
    }

    /// The same where `first` is one of several causes that nothing of the object comes after: the others stay causes, and the
    /// last write of the object is below them.
    fn is_there_without(&self, node: Node, first: Node, footprint: Footprint) -> bool {
        let slot = self.slot(node);
        let is_simple = slot.footprint == footprint && slot.is_segment_of_causes();
        if !is_simple || (slot.write != Node::NONE && slot.causes.len() <= 2) {
            return false;
        }
        let place = slot.causes[1..].binary_search(&first);
        place.is_ok_and(|place| self.find_without(slot, place + 1).is_some())
    }

    fn extend_by(&mut self, trace: &Trace, nodes: &[Node], race: &Race, dropped: &[EventId], op: Op, latest: EventId) {
        if self.is_reversal_there(trace, nodes, race, dropped) {
            return;
        }
        let first = trace.event(race.first);
        let is_write = first.footprint.mode == Mode::Write && first.footprint.object == race.footprint.object;
        // All that came after a write is left out with it.
        let latest = if is_write { first.found.any } else { latest };
        let step = Step {
            thread: race.thread,
            index: trace.steps_of(race),
            op,
            footprint: race.footprint,
            alternatives: race.alternatives,
            causes: race.causes,
            latest,
        };
        let (thread, index) = (first.thread(), first.index);
        self.draft.fill(trace, nodes, &step, |event| {
            event >= race.first
                && (trace.clocks.at(event as usize, thread) >= index
                    || dropped.iter().any(|&d| d == event || trace.happens_before(d, event)))
        });
        for alternative in 0..race.alternatives {
            self.intern(alternative);
        }
    }
}
