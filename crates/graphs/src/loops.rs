//! Loops that wait by looking again: a round without effect is a blocked read.
//!
//! A thread that comes to the same local state again, having done nothing meanwhile but read, fence, and write what was there
//! already, would do the same for ever if it read the same. An execution with such rounds tells nothing that the one without them
//! does not: what is left of its graph without the events of the rounds is consistent too (there are fewer events, and fewer
//! of them happen before others), every thread does the same in it, and what races still races. So no round is made twice:
//!
//! - A round of one operation makes that operation one that blocks: at this local state, it must not read this value. Then ghosts
//!   take care that no run is wasted (see [`crate::Graphs`]).
//! - After a round of several operations its thread goes round. It takes no further step. The graph is complete, and a livelock, if all
//!   that the round read is still there at the end; otherwise it is given up, for the graph in which the thread read something
//!   newer is another one.
//!
//! Local states are only asked for at places where a thread came to the same operation twice without an effect. When a new place
//! or value is learnt, the search begins anew, so that it is the same whatever was learnt when.

use crate::graph::{Event, EventId, Graph, Label};
use model::{Fingerprint, Op, Order, Site, State, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// Rounds are looked for among so many of a thread's last events.
const FAR: usize = 256;
/// So many values an operation must not read are known.
const MOST_VALUES: usize = 4;
/// So often a search begins anew.
const MOST_LESSONS: usize = 1_000;

/// Values that an operation must not read, because its thread would only come round to it again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Futile {
    values: [State; MOST_VALUES],
    count: u8,
}

impl Futile {
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(crate) fn contains(&self, value: State) -> bool {
        self.values().contains(&value)
    }

    fn values(&self) -> &[State] {
        &self.values[..self.count as usize]
    }

    /// Adds a value. Says whether there was room.
    fn add(&mut self, value: State) -> bool {
        let Some(place) = self.values.get_mut(self.count as usize) else { return false };
        *place = value;
        self.count += 1;
        true
    }
}

/// What is known of the loops of a program.
#[derive(Clone, Default)]
pub(crate) struct Known {
    /// Places to which threads come again.
    places: FxHashSet<Site>,
    /// What an operation must not read, by the local state in which its thread asks for it.
    futile: FxHashMap<Fingerprint, Futile>,
    /// How much that is.
    lessons: usize,
}

impl Known {
    /// Notes that threads come again to a place.
    fn add_place(&mut self, place: Site) {
        self.lessons += usize::from(self.places.insert(place));
    }

    /// Notes that an operation must not read a value. Says whether there was room.
    fn add_value(&mut self, state: Fingerprint, value: State) -> bool {
        let futile = self.futile.entry(state).or_default();
        let is_new = !futile.contains(value) && futile.add(value);
        self.lessons += usize::from(is_new);
        is_new
    }

    /// As text, the same for the same knowledge.
    pub(crate) fn to_text(&self) -> String {
        let mut places: Vec<u32> = self.places.iter().map(|place| place.0).collect();
        places.sort_unstable();
        let values = |futile: &Futile| {
            let mut values = futile.values().to_vec();
            values.sort_unstable();
            values
        };
        let of_state = |(state, futile): (&Fingerprint, &Futile)| (format!("{:x}", state.0), values(futile));
        let mut futile: Vec<_> = self.futile.iter().map(of_state).collect();
        futile.sort_unstable();
        serde_json::to_string(&StoredKnown { places, futile }).expect("it has no maps")
    }

    /// From text; none if it is something else.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let stored: StoredKnown = serde_json::from_str(text).ok()?;
        let mut known = Known::default();
        stored.places.into_iter().for_each(|place| known.add_place(Site(place)));
        for (state, values) in stored.futile {
            let state = Fingerprint(u128::from_str_radix(&state, 16).ok()?);
            for value in values {
                known.add_value(state, value);
            }
        }
        Some(known)
    }

    /// Learns what another worker knows.
    pub(crate) fn learn(&mut self, other: &Known) {
        other.places.iter().for_each(|&place| self.add_place(place));
        for (&state, futile) in &other.futile {
            for &value in futile.values() {
                self.add_value(state, value);
            }
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredKnown {
    places: Vec<u32>,
    /// A local state, and what must not be read there.
    futile: Vec<(String, Vec<State>)>,
}

/// What is known of the loops of a program, and where the threads of the run at hand are in them.
#[derive(Default)]
pub(crate) struct Loops {
    pub(crate) known: Known,
    /// Whether something was learnt that the search must know from its start.
    pub(crate) has_learnt: bool,
    threads: Vec<Rounds>,
    /// Where threads were before each [note](Self::note), to go back to.
    notes: Vec<Note>,
}

/// The rounds of a thread.
#[derive(Default)]
struct Rounds {
    /// The local states that it was in, each with how many events it had then.
    heads: Vec<(Fingerprint, u32)>,
    now: Now,
}

/// Where a thread is in its rounds.
#[derive(Clone, Copy, Default)]
struct Now {
    /// How many of its first states were before its last effect.
    past: usize,
    /// If it goes round: how many events it had at the start of the round.
    going_round: Option<u32>,
}

/// Where a thread was.
struct Note {
    thread: ThreadId,
    heads: usize,
    before: Now,
}

/// Whether an event changes nothing.
pub(crate) fn is_idle(g: &Graph, e: EventId) -> bool {
    let event = g.event(e);
    match event.label {
        Label::Read | Label::Fence | Label::Nothing => true,
        Label::Write => event.update && g.event(g.before(e)).value == event.value,
        _ => false,
    }
}

impl Loops {
    pub(crate) fn begin_run(&mut self) {
        self.notes.clear();
        for rounds in &mut self.threads {
            rounds.heads.clear();
            rounds.now = Now::default();
        }
    }

    /// How many notes there are of the run at hand.
    pub(crate) fn noted(&self) -> usize {
        self.notes.len()
    }

    /// Goes back to where the threads were after so many notes.
    pub(crate) fn go_back(&mut self, notes: usize) {
        for Note { thread, heads, before } in self.notes.drain(notes..).rev() {
            let rounds = &mut self.threads[thread.index()];
            rounds.heads.truncate(heads);
            rounds.now = before;
        }
    }

    /// What the operation that a thread asked for, or asks for, after so many events must not read.
    #[inline]
    pub(crate) fn futile(&self, thread: ThreadId, events: u32) -> Option<&Futile> {
        if self.known.futile.is_empty() {
            return None;
        }
        let heads = &self.threads.get(thread.index())?.heads;
        let place = heads.binary_search_by_key(&events, |&(_, before)| before).ok()?;
        self.known.futile.get(&heads[place].0)
    }

    /// Whether a thread goes round for as long as nothing changes.
    pub(crate) fn goes_round(&self, thread: ThreadId) -> bool {
        self.threads.get(thread.index()).is_some_and(|rounds| rounds.now.going_round.is_some())
    }

    /// Whether threads come to this operation again and again: others had better go first.
    pub(crate) fn is_place(&self, op: &Op) -> bool {
        !self.known.places.is_empty() && self.known.places.contains(&op.site)
    }

    /// Whether there is anything to [note](Self::note) of a thread that goes on after its last event.
    #[inline]
    pub(crate) fn may_note(&self, g: &Graph, thread: ThreadId) -> bool {
        !self.known.places.is_empty() || g.of_thread(thread).last().is_some_and(|&e| is_idle(g, e))
    }

    /// A thread asks for an operation, after its last event. `local_state` says where it is.
    pub(crate) fn note(
        &mut self,
        g: &Graph,
        thread: ThreadId,
        op: &Op,
        local_state: impl FnOnce() -> Option<Fingerprint>,
    ) {
        let events = g.of_thread(thread);
        let is_idle = events.last().is_some_and(|&e| is_idle(g, e));
        if is_idle && !self.is_place(op) {
            self.look_for_place(g, thread, op);
        }
        if self.known.places.is_empty() {
            return;
        }
        while self.threads.len() <= thread.index() {
            self.threads.push(Rounds::default());
        }
        let rounds = &mut self.threads[thread.index()];
        self.notes.push(Note { thread, heads: rounds.heads.len(), before: rounds.now });
        if !is_idle {
            rounds.now.past = rounds.heads.len();
        }
        if !self.is_place(op) {
            return;
        }
        let Some(state) = local_state() else { return };
        let before = events.len() as u32;
        let rounds = &mut self.threads[thread.index()];
        match rounds.heads[rounds.now.past..].iter().find(|(head, _)| *head == state) {
            None => rounds.heads.push((state, before)),
            Some(&(_, start)) => {
                rounds.now.going_round = Some(start);
                self.learn_value(g, thread, state, start);
            }
        }
    }

    /// Whether the thread came to the same operation before, without an effect since.
    fn look_for_place(&mut self, g: &Graph, thread: ThreadId, op: &Op) {
        let mut recent = g.of_thread(thread).iter().rev().take(FAR);
        if !recent.clone().any(|&e| g.event(e).op.site == op.site) {
            return;
        }
        let recent = recent.by_ref().take_while(|&&e| is_idle(g, e));
        let is_again = recent.map(|&e| g.event(e)).any(|event| event.label == Label::Read && event.op == *op);
        if is_again && self.known.lessons < MOST_LESSONS {
            self.known.add_place(op.site);
            self.has_learnt = true;
        }
    }

    /// If the round was one operation, that must not read the same again.
    fn learn_value(&mut self, g: &Graph, thread: ThreadId, state: Fingerprint, start: u32) {
        let round = &g.of_thread(thread)[start as usize..];
        let [read, rest @ ..] = round else { return };
        let read: &Event = g.event(*read);
        let is_one = rest.is_empty() || rest.len() == 1 && read.update;
        if !is_one || !read.is_read() || read.order == Order::Plain || self.known.lessons >= MOST_LESSONS {
            return;
        }
        self.has_learnt |= self.known.add_value(state, read.value);
    }

    /// Whether all that a thread that goes round has read is still there, so that it goes round for ever.
    pub(crate) fn is_stuck(&self, g: &Graph, thread: ThreadId) -> bool {
        let rounds = self.threads.get(thread.index());
        let Some(start) = rounds.and_then(|rounds| rounds.now.going_round) else { return false };
        let reads = g.of_thread(thread)[start as usize..].iter().map(|&e| g.event(e)).filter(|event| event.is_read());
        reads.into_iter().all(|read| {
            let later = &g.co(read.object())[g.rank(read.source)..];
            later.iter().all(|&w| g.event(w).update && g.event(w).value == read.value)
        })
    }
}
