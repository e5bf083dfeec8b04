//! The tables of an exact search, which all workers read and add to at once, without locks: the names of states, and the numbers
//! of what names are made of ([`tree`](crate::tree)).
//!
//! A slot that is empty is claimed by a compare-and-exchange of its key, and never changes again: so whoever looks for a key goes
//! through the same slots, and finds it or claims the first empty one. No load waits for another, which is what such a search
//! spends its time on where the tables are larger than the caches.
//!
//! A part of a table that is filling up is copied into a larger one, which needs it alone: all workers hold a read lock on the
//! tables, and let go of it between two steps where somebody wants to write. Slots are in the order of hashes, so that a copy
//! reads and writes from one end to the other.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// Parts of a table, each of which grows by itself: more of them need less memory for copies, and stop others more often.
const PARTS: usize = 1 << PART_BITS;
const PART_BITS: u32 = 4;

/// Slots of a part in the beginning.
const FIRST: usize = 128;

/// A worker sets aside room for so many elements at once, and so many numbers.
const BLOCK: u32 = 32;

/// What has a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Two numbers.
    Pair,
    /// Eight bytes of a state.
    Leaf,
}

/// The number of eight bytes that are 0, which no slot can have as its key.
const ZERO: u32 = Kind::Leaf as u32;

/// Which room is for the names of states; the others are by [`Kind`].
const STATES: usize = 2;

trait Slot: Default {
    /// What it is claimed by; 0 if it is empty.
    fn key(&self) -> &AtomicU64;

    /// Becomes what another one was.
    fn copy(&self, other: &Self);
}

impl Slot for AtomicU64 {
    fn key(&self) -> &AtomicU64 {
        self
    }

    fn copy(&self, other: &Self) {
        self.store(other.load(Relaxed), Relaxed);
    }
}

/// A key and its number, which is 0 until whoever claimed the slot has put it there.
#[derive(Default)]
struct Numbered {
    key: AtomicU64,
    number: AtomicU32,
}

impl Slot for Numbered {
    fn key(&self) -> &AtomicU64 {
        &self.key
    }

    fn copy(&self, other: &Self) {
        self.key.copy(&other.key);
        self.number.store(other.number.load(Relaxed), Relaxed);
    }
}

impl Numbered {
    fn number(&self) -> u32 {
        loop {
            match self.number.load(Relaxed) {
                // Somebody has claimed it a moment ago.
                0 => std::thread::yield_now(),
                number => return number,
            }
        }
    }
}

struct Part<S> {
    slots: Box<[S]>,
    /// For so many elements, room was set aside.
    taken: AtomicUsize,
}

impl<S: Slot> Part<S> {
    fn of(slots: usize) -> Self {
        Part { slots: std::iter::repeat_with(S::default).take(slots).collect(), taken: AtomicUsize::new(0) }
    }

    /// The slot of a key, and whether it was claimed now.
    #[inline]
    fn slot(&self, key: u64, hash: u64) -> (&S, bool) {
        let length = self.slots.len();
        let mut place = self.place(hash);
        loop {
            let slot = &self.slots[place];
            let there = match slot.key().load(Relaxed) {
                0 => match slot.key().compare_exchange(0, key, Relaxed, Relaxed) {
                    Ok(_) => return (slot, true),
                    Err(there) => there,
                },
                there => there,
            };
            if there == key {
                return (slot, false);
            }
            place += 1;
            if place == length {
                place = 0;
            }
        }
    }

    /// Where a key with this hash would be if nothing else were there.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        ((u128::from(hash << PART_BITS) * self.slots.len() as u128) >> 64) as usize
    }

    /// Sets room aside, if there is some. A quarter of the slots stays empty.
    fn take_room(&self) -> bool {
        let most = self.slots.len() * 3 / 4;
        let more = |taken: usize| Some(taken + BLOCK as usize).filter(|taken| *taken <= most);
        self.taken.fetch_update(Relaxed, Relaxed, more).is_ok()
    }

    /// Becomes larger; says by how many bytes.
    fn grow(&mut self) -> usize {
        let mut larger = Part::<S>::of(self.slots.len() * 3 / 2);
        larger.taken = AtomicUsize::new(self.taken.load(Relaxed));
        for old in self.slots.iter().filter(|slot| slot.key().load(Relaxed) != 0) {
            let key = old.key().load(Relaxed);
            larger.slot(key, mix(key)).0.copy(old);
        }
        let more = size_of_val(&*larger.slots) - size_of_val(&*self.slots);
        *self = larger;
        more
    }
}

struct Tables {
    states: [Part<AtomicU64>; PARTS],
    nodes: [[Part<Numbered>; PARTS]; 2],
}

impl Tables {
    fn take_room(&self, table: usize, part: usize) -> bool {
        match table {
            STATES => self.states[part].take_room(),
            kind => self.nodes[kind][part].take_room(),
        }
    }

    fn grow(&mut self, table: usize, part: usize) -> usize {
        match table {
            STATES => self.states[part].grow(),
            kind => self.nodes[kind][part].grow(),
        }
    }
}

/// The tables, for all workers.
pub(crate) struct Exact {
    tables: RwLock<Tables>,
    /// How many want to write, or do.
    writers: AtomicUsize,
    bytes: AtomicUsize,
    /// Numbers that were set aside, by [`Kind`].
    numbers: [AtomicU32; 2],
}

impl Exact {
    pub(crate) fn new() -> Self {
        let nodes = || std::array::from_fn(|_| Part::of(FIRST));
        let tables = Tables { states: std::array::from_fn(|_| Part::of(FIRST)), nodes: [nodes(), nodes()] };
        let bytes = PARTS * FIRST * (size_of::<AtomicU64>() + 2 * size_of::<Numbered>());
        Exact {
            tables: RwLock::new(tables),
            writers: AtomicUsize::new(0),
            bytes: AtomicUsize::new(bytes),
            numbers: [AtomicU32::new(1), AtomicU32::new(1)],
        }
    }

    /// Bytes that they take.
    pub(crate) fn memory(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    fn read(&self) -> RwLockReadGuard<'_, Tables> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a part of a table larger, unless there is room in it by now: another worker may have been faster.
    #[cold]
    fn grow(&self, table: usize, part: usize) {
        self.writers.fetch_add(1, Relaxed);
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        while !tables.take_room(table, part) {
            self.bytes.fetch_add(tables.grow(table, part), Relaxed);
        }
        self.writers.fetch_sub(1, Relaxed);
    }
}

/// The tables, as one worker uses them.
pub(crate) struct Handle<'s> {
    exact: &'s Exact,
    /// None while it uses none, so that others can write.
    tables: Option<RwLockReadGuard<'s, Tables>>,
    /// Room that it has set aside, in each part of each table.
    rooms: [[u32; PARTS]; 3],
    /// Numbers that it has set aside, by [`Kind`].
    numbers: [Range<u32>; 2],
}

impl<'s> Handle<'s> {
    pub(crate) fn new(exact: &'s Exact) -> Self {
        Handle { exact, tables: None, rooms: [[0; PARTS]; 3], numbers: [0..0, 0..0] }
    }

    /// Adds the name of a state; says whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, name: u64) -> bool {
        let hash = mix(name);
        let part = part_of(hash);
        self.have_room(STATES, part);
        let (_, is_new) = self.tables().states[part].slot(name, hash);
        self.rooms[STATES][part] -= u32::from(is_new);
        is_new
    }

    /// The number of a key: odd for leaves and even for pairs, and never 0.
    #[inline]
    pub(crate) fn number(&mut self, kind: Kind, key: u64) -> u32 {
        if key == 0 {
            return ZERO;
        }
        let hash = mix(key);
        let part = part_of(hash);
        self.have_room(kind as usize, part);
        let Handle { exact, tables, rooms, numbers } = self;
        let tables = tables.get_or_insert_with(|| exact.read());
        let (slot, is_new) = tables.nodes[kind as usize][part].slot(key, hash);
        if !is_new {
            return slot.number();
        }
        let number = fresh(&mut numbers[kind as usize], &exact.numbers[kind as usize]) << 1 | kind as u32;
        slot.number.store(number, Relaxed);
        rooms[kind as usize][part] -= 1;
        number
    }

    /// Lets others write, if somebody wants to. To be called often, between two uses.
    #[inline]
    pub(crate) fn listen(&mut self) {
        if self.exact.writers.load(Relaxed) > 0 {
            self.rest();
        }
    }

    /// Uses no tables for now.
    pub(crate) fn rest(&mut self) {
        self.tables = None;
    }

    fn tables(&mut self) -> &Tables {
        self.tables.get_or_insert_with(|| self.exact.read())
    }

    #[inline]
    fn have_room(&mut self, table: usize, part: usize) {
        if self.rooms[table][part] == 0 {
            self.make_room(table, part);
        }
    }

    #[cold]
    fn make_room(&mut self, table: usize, part: usize) {
        if !self.tables().take_room(table, part) {
            self.rest();
            self.exact.grow(table, part);
        }
        self.rooms[table][part] = BLOCK;
    }
}

/// The next number of a block, or of a new block.
fn fresh(block: &mut Range<u32>, numbers: &AtomicU32) -> u32 {
    if block.start == block.end {
        let first = numbers.fetch_add(BLOCK, Relaxed);
        assert!(first < u32::MAX >> 2, "fewer nodes than there are numbers: memory ends before");
        *block = first..first + BLOCK;
    }
    block.start += 1;
    block.start - 1
}

fn part_of(hash: u64) -> usize {
    (hash >> (64 - PART_BITS)) as usize
}

/// Spreads a key over all bits.
#[inline]
pub(crate) fn mix(key: u64) -> u64 {
    let product = u128::from(key ^ 0x9e37_79b9_7f4a_7c15) * 0xd1b5_4a32_d192_ed03_u128;
    (product as u64) ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashMap;
    use std::sync::Barrier;

    const WORKERS: u64 = 4;
    const KEYS: u64 = 20_000;

    /// Workers that add the same keys at the same time, each in another order, while tables grow.
    #[test]
    fn each_state_is_new_to_one_worker_and_each_key_has_one_number() {
        let exact = Exact::new();
        let barrier = Barrier::new(WORKERS as usize);
        let work = |worker: u64| {
            let mut handle = Handle::new(&exact);
            let mut numbers = Vec::new();
            let mut new = 0;
            barrier.wait();
            for turn in 0..KEYS {
                // A prime that KEYS is no multiple of: another order for each worker.
                let key = (turn * [1, 7, 11, 13][worker as usize]) % KEYS;
                new += u64::from(handle.insert(key + 1));
                numbers.push((key, handle.number(Kind::Leaf, key), handle.number(Kind::Pair, key + 1)));
                handle.listen();
            }
            handle.rest();
            numbers.sort_unstable();
            (new, numbers)
        };
        let found: Vec<_> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..WORKERS).map(|worker| scope.spawn(move || work(worker))).collect();
            workers.into_iter().map(|worker| worker.join().expect("no panic")).collect()
        });
        assert_eq!(found.iter().map(|(new, _)| new).sum::<u64>(), KEYS);
        assert!(found.iter().all(|(_, numbers)| *numbers == found[0].1));
        let mut owners = FxHashMap::default();
        for (key, leaf, pair) in &found[0].1 {
            assert!(leaf % 2 == 1 && pair % 2 == 0 && *pair > 0);
            assert_eq!(owners.insert(*leaf, key), None);
            assert_eq!(owners.insert(*pair, key), None);
        }
    }
}
