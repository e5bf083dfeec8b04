//! What a search knows of operations at local states of their threads (docs/algorithms/loops.md).
//!
//! A thread that goes round a loop without an effect has done nothing. So an operation that would complete such a round is
//! not enabled: it waits for a word with which it would not. And a load whose value the thread's next operation has to find
//! again, because with every other one it would come round, is one event with that operation.
//!
//! Which words these are depends on the local state alone, and on what the search knew when it began. They are kept in a
//! table; an operation has the number of its entry, its [`Guard`].

use model::{Guard, ObjectId, State};

/// One entry of the table.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Known {
    /// The words with which the operation would complete a round without effect: it waits. Sorted.
    pub bad: Vec<State>,
    /// The words on which a load is one event with the operation that commits it. Sorted.
    pub commits: Vec<State>,
    /// For the lock of a section that only looks: the looks, one list for each way to come round. With any of them, it
    /// waits.
    pub sections: Vec<Vec<(ObjectId, State)>>,
}

impl Known {
    /// Whether there is anything in it.
    pub fn is_empty(&self) -> bool {
        self.bad.is_empty() && self.commits.is_empty() && self.sections.is_empty()
    }

    /// Whether the operation waits while its object has this word, whatever the others have.
    #[inline]
    pub fn is_bad(&self, word: State) -> bool {
        self.bad.binary_search(&word).is_ok()
    }

    /// Whether a load that finds this word is one event with the operation that commits it.
    #[inline]
    pub fn commits(&self, word: State) -> bool {
        self.commits.binary_search(&word).is_ok()
    }

    /// Whether the section that begins here would only look, with these words of objects.
    pub fn is_idle_section(&self, word: impl Fn(ObjectId) -> State) -> bool {
        self.sections.iter().any(|looks| looks.iter().all(|&(object, seen)| word(object) == seen))
    }
}

/// The table. Entries are never removed, so that a number stays good for a whole search.
#[derive(Clone, Debug)]
pub struct Guards {
    all: Vec<Known>,
    /// What sections look at.
    looked_at: Vec<ObjectId>,
}

impl Default for Guards {
    fn default() -> Self {
        Guards { all: vec![Known::default()], looked_at: Vec::new() }
    }
}

impl Guards {
    /// The entry of a number.
    #[inline]
    pub fn get(&self, guard: Guard) -> &Known {
        &self.all[guard.0 as usize]
    }

    /// The number of this entry, which is new or not.
    pub fn intern(&mut self, known: Known) -> Guard {
        let place = self.all.iter().position(|other| *other == known).unwrap_or_else(|| {
            self.add(known);
            self.all.len() - 1
        });
        Guard(place as u32)
    }

    fn add(&mut self, known: Known) {
        for &(object, _) in known.sections.iter().flatten() {
            if !self.looked_at.contains(&object) {
                self.looked_at.push(object);
            }
        }
        self.all.push(known);
    }

    /// Everything that sections look at.
    #[inline]
    pub fn looked_at(&self) -> &[ObjectId] {
        &self.looked_at
    }

    /// Takes over the entries that another table has beyond these.
    #[inline]
    pub fn follow(&mut self, other: &Guards) {
        if other.all.len() > self.all.len() {
            self.take_over(other);
        }
    }

    #[cold]
    fn take_over(&mut self, other: &Guards) {
        for known in other.all.iter().skip(self.all.len()) {
            self.add(known.clone());
        }
    }
}
