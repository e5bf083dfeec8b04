//! What was learnt of a program's loops by running it.

use model::{Fingerprint, ObjectId, Op, Site, State, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A section that comes round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Looks {
    pub(super) mutex: ObjectId,
    /// What it looks at, and what it sees.
    pub(super) seen: Vec<(ObjectId, State)>,
}

/// What was learnt of a program's loops. A search is given one, and does not change it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Knowledge {
    /// Places in loops: local states are asked for there from the first visit on.
    pub(super) places: FxHashSet<Site>,
    /// Places at which it is not worth to look.
    pub(super) barren: FxHashSet<Site>,
    /// Places at which it was of use to look, in this search or an earlier one: they are never barren. What was learnt there
    /// may keep threads from coming round, so that a later search sees nothing of that use.
    pub(super) fruitful: FxHashSet<Site>,
    /// Where silent steps lead, by the word that they find.
    pub(super) facts: Ways,
    /// Where steps lead that change their object, by the word that they find.
    pub(super) turns: Ways,
    /// Where steps lead that touch no object.
    pub(super) transits: FxHashMap<Fingerprint, Fingerprint>,
    /// The operations at local states that facts lead to.
    pub(super) ops: FxHashMap<Fingerprint, Op>,
    /// So many threads were seen.
    pub(super) threads: u32,
    /// Objects that are loaded and committed.
    pub(super) followed: FxHashSet<ObjectId>,
    /// Which words such an object had after which, in some execution, while a thread changed it not.
    pub(super) successions: FxHashMap<(ObjectId, ThreadId), FxHashSet<(State, State)>>,
    /// Objects whose loads are never merged.
    pub(super) unmerged: FxHashSet<ObjectId>,
    /// Objects whose loads were merged.
    pub(super) merged: FxHashSet<ObjectId>,
    /// The looks with which sections that begin at a local state come round.
    pub(super) sections: FxHashMap<Fingerprint, Vec<Looks>>,
    /// What sections were made to wait for, and their mutexes.
    pub(super) awaited: FxHashSet<(ObjectId, ObjectId)>,
    /// Objects that are changed by threads that do not hold the mutex, with that mutex.
    pub(super) unprotected: FxHashSet<(ObjectId, ObjectId)>,
    /// Mutexes that are tried.
    pub(super) tried: FxHashSet<ObjectId>,
}

/// More facts than this are not kept: loops that count upwards can have any number.
const MOST_FACTS: usize = 1 << 20;

/// Nor for more words at one local state: a thread that counts upwards finds another one every time.
const MOST_WORDS: usize = 1024;

/// The most ways for a section to come round at one place.
const MOST_SECTIONS: usize = 64;

impl Knowledge {
    /// Whether nothing is known of loops.
    pub fn is_empty(&self) -> bool {
        *self == Knowledge { threads: self.threads, ..Knowledge::default() }
    }

    /// Takes over what another knows.
    pub(crate) fn learn(&mut self, other: &Knowledge) {
        self.places.extend(&other.places);
        self.barren.extend(&other.barren);
        self.fruitful.extend(&other.fruitful);
        for (&from, facts) in &other.facts {
            for &(word, to) in facts {
                self.add_fact(from, word, to);
            }
        }
        for (&from, turns) in &other.turns {
            for &(word, to) in turns {
                self.add_turn(from, word, to);
            }
        }
        self.transits.extend(&other.transits);
        self.ops.extend(&other.ops);
        self.threads = self.threads.max(other.threads);
        self.followed.extend(&other.followed);
        for (&of, pairs) in &other.successions {
            self.successions.entry(of).or_default().extend(pairs);
        }
        self.unmerged.extend(&other.unmerged);
        self.merged.extend(&other.merged);
        self.awaited.extend(&other.awaited);
        for (&from, ways) in &other.sections {
            for looks in ways {
                self.add_section(from, looks.clone());
            }
        }
        self.unprotected.extend(&other.unprotected);
        self.tried.extend(&other.tried);
    }

    pub(super) fn has_place(&self, site: Site) -> bool {
        !self.places.is_empty() && self.places.contains(&site) && !self.is_barren(site)
    }

    /// Whether there is a place at which to look.
    pub(super) fn has_places(&self) -> bool {
        self.places.iter().any(|&site| !self.is_barren(site))
    }

    #[inline]
    pub(super) fn is_barren(&self, site: Site) -> bool {
        !self.barren.is_empty() && self.barren.contains(&site) && !self.fruitful.contains(&site)
    }

    pub(super) fn add_barren(&mut self, site: Site) {
        self.barren.insert(site);
    }

    pub(super) fn is_fruitful(&self, site: Site) -> bool {
        self.fruitful.contains(&site)
    }

    pub(super) fn add_fruitful(&mut self, site: Site) {
        self.fruitful.insert(site);
    }

    /// Says whether it is new.
    pub(super) fn add_place(&mut self, site: Site) -> bool {
        self.places.insert(site)
    }

    /// Where silent steps from a local state lead.
    pub(super) fn facts(&self, from: Fingerprint) -> &[(State, Fingerprint)] {
        self.facts.get(&from).map_or(&[], Vec::as_slice)
    }

    /// Where the silent step by this word leads.
    pub(super) fn fact(&self, from: Fingerprint, word: State) -> Option<Fingerprint> {
        find(&self.facts, from, word)
    }

    /// Says whether there was room for it, or it was known.
    pub(super) fn add_fact(&mut self, from: Fingerprint, word: State, to: Fingerprint) -> bool {
        add(&mut self.facts, from, word, to)
    }

    /// Where the step by this word leads, which changes its object.
    pub(super) fn turn(&self, from: Fingerprint, word: State) -> Option<Fingerprint> {
        find(&self.turns, from, word)
    }

    pub(super) fn add_turn(&mut self, from: Fingerprint, word: State, to: Fingerprint) {
        add(&mut self.turns, from, word, to);
    }

    /// Where a thread at this local state comes to by steps that touch no object.
    pub(super) fn transit(&self, from: Fingerprint) -> Option<Fingerprint> {
        self.transits.get(&from).copied()
    }

    /// Says whether it is new.
    pub(super) fn add_transit(&mut self, from: Fingerprint, to: Fingerprint) -> bool {
        self.transits.insert(from, to).is_none()
    }

    pub(super) fn op(&self, at: Fingerprint) -> Option<&Op> {
        self.ops.get(&at)
    }

    pub(super) fn add_op(&mut self, at: Fingerprint, op: Op) {
        self.ops.insert(at, op);
    }

    /// The words that an object had, in some execution, after it had this one, while this thread did not change it.
    pub(super) fn words_after(
        &self,
        object: ObjectId,
        thread: ThreadId,
        word: State,
    ) -> impl Iterator<Item = State> + '_ {
        let pairs = self.successions.get(&(object, thread)).into_iter().flatten();
        pairs.filter(move |&&(earlier, _)| earlier == word).map(|&(_, later)| later)
    }

    /// Whether that is known of two words.
    pub(super) fn has_succession(&self, object: ObjectId, thread: ThreadId, pair: (State, State)) -> bool {
        self.successions.get(&(object, thread)).is_some_and(|pairs| pairs.contains(&pair))
    }

    pub(super) fn add_succession(&mut self, object: ObjectId, thread: ThreadId, pair: (State, State)) {
        self.successions.entry((object, thread)).or_default().insert(pair);
    }

    /// Whether successions of this object's words are kept.
    #[inline]
    pub(super) fn is_followed(&self, object: ObjectId) -> bool {
        !self.followed.is_empty() && self.followed.contains(&object)
    }

    /// Whether that is done for any object.
    pub(super) fn follows_some(&self) -> bool {
        !self.followed.is_empty()
    }

    pub(super) fn follow(&mut self, object: ObjectId) {
        self.followed.insert(object);
    }

    pub(super) fn is_unmerged(&self, object: ObjectId) -> bool {
        self.unmerged.contains(&object)
    }

    pub(super) fn never_merge(&mut self, object: ObjectId) {
        self.unmerged.insert(object);
    }

    /// How sections that begin at a local state come round.
    pub(super) fn sections(&self, from: Fingerprint) -> &[Looks] {
        self.sections.get(&from).map_or(&[], Vec::as_slice)
    }

    /// Says whether it is new.
    pub(super) fn add_section(&mut self, from: Fingerprint, looks: Looks) -> bool {
        let known = self.sections.entry(from).or_default();
        let is_new = known.len() < MOST_SECTIONS && !known.contains(&looks);
        if is_new {
            known.push(looks);
        }
        is_new
    }

    /// Every section that is known.
    pub(super) fn all_sections(&self) -> impl Iterator<Item = &Looks> {
        self.sections.values().flatten()
    }

    pub(super) fn note_merged(&mut self, object: ObjectId) {
        self.merged.insert(object);
    }

    pub(super) fn is_merged(&self, object: ObjectId) -> bool {
        self.merged.contains(&object)
    }

    pub(super) fn note_awaited(&mut self, object: ObjectId, mutex: ObjectId) {
        self.awaited.insert((object, mutex));
    }

    /// Whether what a search learnt says that it took something for granted that is not so.
    pub(crate) fn refutes_itself(&self) -> bool {
        let has_new_words = |object: &ObjectId| self.successions.keys().any(|(followed, _)| followed == object);
        self.merged.iter().any(|object| has_new_words(object) || self.unmerged.contains(object))
            || self.awaited.iter().any(|&(object, mutex)| !self.is_protected(object, mutex))
    }

    /// What it did itself is no part of what is known.
    pub(crate) fn forget_deeds(&mut self) {
        self.merged.clear();
        self.awaited.clear();
    }

    /// Whether every change of an object was seen to be made under the mutex, and nobody tries the mutex.
    pub(super) fn is_protected(&self, object: ObjectId, mutex: ObjectId) -> bool {
        !self.tried.contains(&mutex) && !self.unprotected.contains(&(object, mutex))
    }

    pub(super) fn note_unprotected(&mut self, object: ObjectId, mutex: ObjectId) {
        self.unprotected.insert((object, mutex));
    }

    pub(super) fn note_tried(&mut self, mutex: ObjectId) {
        self.tried.insert(mutex);
    }
}

/// Where steps lead, by the word that they find.
pub(super) type Ways = FxHashMap<Fingerprint, Vec<(State, Fingerprint)>>;

fn find(ways: &Ways, from: Fingerprint, word: State) -> Option<Fingerprint> {
    ways.get(&from)?.iter().find(|&&(known, _)| known == word).map(|&(_, to)| to)
}

/// Says whether there was room for it, or it was known.
fn add(ways: &mut Ways, from: Fingerprint, word: State, to: Fingerprint) -> bool {
    if find(ways, from, word).is_some() {
        return true;
    }
    let has_room = ways.len() < MOST_FACTS && ways.get(&from).map_or(0, Vec::len) < MOST_WORDS;
    if has_room {
        ways.entry(from).or_default().push((word, to));
    }
    has_room
}
