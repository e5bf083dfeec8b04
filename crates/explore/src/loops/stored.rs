//! What was learnt, in a form that goes into files and to other processes.

use super::knowledge::{Knowledge, Looks, Ways};
use model::{Fingerprint, Function, ObjectId, Op, OpKind, Site, State, ThreadId, Update, Width};
use serde::{Deserialize, Serialize};

/// A local state.
type Half = (u64, u64);
/// An object, a thread, and which word of the object followed which.
type Succession = (u32, u32, Vec<(State, State)>);
/// Where a section begins, its lock, and what it looks at.
type Section = (Half, u32, Vec<(u32, State)>);

/// See the head of this file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct StoredKnowledge {
    places: Vec<u32>,
    barren: Vec<u32>,
    fruitful: Vec<u32>,
    facts: Vec<(Half, State, Half)>,
    turns: Vec<(Half, State, Half)>,
    transits: Vec<(Half, Half)>,
    ops: Vec<(Half, StoredOp)>,
    threads: u32,
    followed: Vec<u32>,
    successions: Vec<Succession>,
    unmerged: Vec<u32>,
    merged: Vec<u32>,
    sections: Vec<Section>,
    awaited: Vec<(u32, u32)>,
    unprotected: Vec<(u32, u32)>,
    tried: Vec<u32>,
}

/// An operation that commits a load.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct StoredOp {
    object: u32,
    site: u32,
    /// Which of [`Function::ALL`], or one of those below.
    what: u8,
    width: (u8, bool),
    numbers: (u64, u64),
}

const SWAP: u8 = 100;
const FETCH_ADD: u8 = 101;
const COMPARE_EXCHANGE: u8 = 102;

impl StoredOp {
    fn new(op: &Op) -> Option<Self> {
        let (what, width, numbers) = match op.kind {
            OpKind::ReadModifyWrite(Update::Swap(new)) => (SWAP, (0, false), (new, 0)),
            OpKind::ReadModifyWrite(Update::FetchAdd(by)) => (FETCH_ADD, (0, false), (by, 0)),
            OpKind::ReadModifyWrite(Update::Fetch { function, width, operand }) => {
                let what = Function::ALL.iter().position(|&other| other == function)?;
                (what as u8, (width.bits, width.signed), (operand, 0))
            }
            OpKind::CompareExchange { expected, new } => (COMPARE_EXCHANGE, (0, false), (expected, new)),
            _ => return None,
        };
        Some(StoredOp { object: op.object.0, site: op.site.0, what, width, numbers })
    }

    fn restore(self) -> Option<Op> {
        let (a, b) = self.numbers;
        let kind = match self.what {
            SWAP => OpKind::ReadModifyWrite(Update::Swap(a)),
            FETCH_ADD => OpKind::ReadModifyWrite(Update::FetchAdd(a)),
            COMPARE_EXCHANGE => OpKind::CompareExchange { expected: a, new: b },
            what => {
                let function = *Function::ALL.get(usize::from(what))?;
                let width = Width { bits: self.width.0, signed: self.width.1 };
                OpKind::ReadModifyWrite(Update::Fetch { function, width, operand: a })
            }
        };
        Some(Op { kind, object: ObjectId(self.object), site: Site(self.site) })
    }
}

fn halves(Fingerprint(state): Fingerprint) -> Half {
    ((state >> 64) as u64, state as u64)
}

fn whole((high, low): Half) -> Fingerprint {
    Fingerprint(u128::from(high) << 64 | u128::from(low))
}

fn ways(known: &Ways) -> Vec<(Half, State, Half)> {
    let of = |(&from, ways): (&Fingerprint, &Vec<(State, Fingerprint)>)| {
        ways.iter().map(|&(word, to)| (halves(from), word, halves(to))).collect::<Vec<_>>()
    };
    let mut all: Vec<_> = known.iter().flat_map(of).collect();
    all.sort_unstable();
    all
}

impl From<&Knowledge> for StoredKnowledge {
    /// In an order that depends on nothing else.
    fn from(known: &Knowledge) -> Self {
        let mut stored = StoredKnowledge {
            places: known.places.iter().map(|site| site.0).collect(),
            barren: known.barren.iter().map(|site| site.0).collect(),
            fruitful: known.fruitful.iter().map(|site| site.0).collect(),
            facts: ways(&known.facts),
            turns: ways(&known.turns),
            transits: known.transits.iter().map(|(&from, &to)| (halves(from), halves(to))).collect(),
            ops: known.ops.iter().filter_map(|(&at, op)| Some((halves(at), StoredOp::new(op)?))).collect(),
            successions: known
                .successions
                .iter()
                .map(|((object, thread), pairs)| {
                    let mut pairs: Vec<_> = pairs.iter().copied().collect();
                    pairs.sort_unstable();
                    (object.0, thread.0, pairs)
                })
                .collect(),
            threads: known.threads,
            followed: known.followed.iter().map(|object| object.0).collect(),
            unmerged: known.unmerged.iter().map(|object| object.0).collect(),
            merged: known.merged.iter().map(|object| object.0).collect(),
            sections: known
                .sections
                .iter()
                .flat_map(|(&from, ways)| {
                    ways.iter().map(move |Looks { mutex, seen }| {
                        (halves(from), mutex.0, seen.iter().map(|&(object, word)| (object.0, word)).collect())
                    })
                })
                .collect(),
            awaited: known.awaited.iter().map(|(object, mutex)| (object.0, mutex.0)).collect(),
            unprotected: known.unprotected.iter().map(|(object, mutex)| (object.0, mutex.0)).collect(),
            tried: known.tried.iter().map(|object| object.0).collect(),
        };
        stored.places.sort_unstable();
        stored.barren.sort_unstable();
        stored.fruitful.sort_unstable();
        stored.transits.sort_unstable();
        stored.ops.sort_unstable_by_key(|&(at, _)| at);
        stored.followed.sort_unstable();
        stored.successions.sort_unstable();
        stored.unmerged.sort_unstable();
        stored.merged.sort_unstable();
        stored.sections.sort_unstable();
        stored.awaited.sort_unstable();
        stored.unprotected.sort_unstable();
        stored.tried.sort_unstable();
        stored
    }
}

impl StoredKnowledge {
    /// What was stored; none if it is not what was.
    pub(crate) fn restore(&self) -> Option<Knowledge> {
        let objects = |stored: &[u32]| stored.iter().map(|&object| ObjectId(object)).collect();
        let pairs =
            |stored: &[(u32, u32)]| stored.iter().map(|&(object, mutex)| (ObjectId(object), ObjectId(mutex))).collect();
        let mut known = Knowledge {
            places: self.places.iter().map(|&site| Site(site)).collect(),
            barren: self.barren.iter().map(|&site| Site(site)).collect(),
            fruitful: self.fruitful.iter().map(|&site| Site(site)).collect(),
            transits: self.transits.iter().map(|&(from, to)| (whole(from), whole(to))).collect(),
            threads: self.threads,
            followed: objects(&self.followed),
            unmerged: objects(&self.unmerged),
            merged: objects(&self.merged),
            awaited: pairs(&self.awaited),
            unprotected: pairs(&self.unprotected),
            tried: objects(&self.tried),
            ..Knowledge::default()
        };
        for &(from, word, to) in &self.facts {
            known.add_fact(whole(from), word, whole(to));
        }
        for &(from, word, to) in &self.turns {
            known.add_turn(whole(from), word, whole(to));
        }
        for &(at, op) in &self.ops {
            known.add_op(whole(at), op.restore()?);
        }
        for (object, thread, pairs) in &self.successions {
            known.successions.insert((ObjectId(*object), ThreadId(*thread)), pairs.iter().copied().collect());
        }
        for (from, mutex, seen) in &self.sections {
            let seen = seen.iter().map(|&(object, word)| (ObjectId(object), word)).collect();
            known.add_section(whole(*from), Looks { mutex: ObjectId(*mutex), seen });
        }
        Some(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learnt_is_the_same_afterwards() {
        let [a, b] = [Fingerprint(7 << 90 | 3), Fingerprint(u128::MAX)];
        let object = ObjectId(4);
        let mut known = Knowledge::default();
        known.add_place(Site(9));
        known.add_barren(Site(8));
        known.add_fruitful(Site(9));
        known.add_fact(a, 1, b);
        known.add_fact(a, u64::MAX, a);
        known.add_turn(b, 5, a);
        known.add_transit(b, a);
        let width = Width { bits: 8, signed: true };
        let kinds = [
            OpKind::CompareExchange { expected: 1, new: 2 },
            OpKind::ReadModifyWrite(Update::Swap(3)),
            OpKind::ReadModifyWrite(Update::Fetch { function: Function::Max, width, operand: 5 }),
        ];
        for (place, kind) in kinds.into_iter().enumerate() {
            known.add_op(Fingerprint(place as u128), Op { kind, object, site: Site(2) });
        }
        known.threads = 3;
        known.follow(object);
        known.add_succession(object, ThreadId(2), (0, 1));
        known.never_merge(ObjectId(5));
        known.note_merged(object);
        known.add_section(a, Looks { mutex: ObjectId(1), seen: vec![(object, 0)] });
        known.note_awaited(object, ObjectId(1));
        known.note_unprotected(object, ObjectId(2));
        known.note_tried(ObjectId(3));
        let text = serde_json::to_string(&StoredKnowledge::from(&known)).unwrap();
        let again: StoredKnowledge = serde_json::from_str(&text).unwrap();
        assert_eq!(again.restore(), Some(known));
    }
}
