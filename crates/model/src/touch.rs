//! What steps touch that are more than one operation on one object.
//!
//! A step of a model reads and writes any number of *cells*: variables, elements of arrays, places in channels, and the
//! local states of processes. What it touches is kept once for the life of the process, however many steps touch the same, so
//! that it is one word in an event and is compared by its address.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{PoisonError, RwLock};
use xxhash_rust::xxh3::Xxh3;

/// Something that steps read and write, by a number that means the same in every run.
pub type Cell = u32;

/// From this number on, cells are the local states of processes: a step writes those of all that move in it.
pub const MOVERS: Cell = 1 << 31;

/// The cells that a step read and wrote.
#[derive(Clone, Copy)]
pub struct Touch(&'static Cells);

struct Cells {
    /// Those that are not written, in order.
    reads: &'static [Cell],
    /// In order.
    writes: &'static [Cell],
    /// A bit for the last six bits of each, so that most sets that have nothing in common are told apart at once.
    read_bits: u64,
    write_bits: u64,
    /// The same for the same cells, in every process.
    hash: u64,
}

static NOTHING: Cells = Cells { reads: &[], writes: &[], read_bits: 0, write_bits: 0, hash: 0 };

/// All there are, by their hashes.
static KNOWN: RwLock<Option<HashMap<u64, Vec<&'static Cells>>>> = RwLock::new(None);

impl Touch {
    /// No cell.
    pub const NONE: Touch = Touch(&NOTHING);

    /// These cells, in any order, which are brought into order. What is written counts as written only.
    pub fn new(reads: &mut Vec<Cell>, writes: &mut Vec<Cell>) -> Touch {
        writes.sort_unstable();
        writes.dedup();
        reads.sort_unstable();
        reads.dedup();
        reads.retain(|cell| writes.binary_search(cell).is_err());
        if reads.is_empty() && writes.is_empty() {
            return Touch::NONE;
        }
        let hash = hash_of(reads, writes);
        let is_same = |cells: &&&'static Cells| cells.reads == *reads && cells.writes == *writes;
        let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(cells) = known.as_ref().and_then(|all| all.get(&hash)?.iter().find(is_same)) {
            return Touch(cells);
        }
        drop(known);
        let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
        let alike = known.get_or_insert_default().entry(hash).or_default();
        if let Some(cells) = alike.iter().find(is_same) {
            return Touch(cells);
        }
        let cells: &'static Cells = Box::leak(Box::new(Cells {
            reads: reads.clone().leak(),
            writes: writes.clone().leak(),
            read_bits: bits(reads),
            write_bits: bits(writes),
            hash,
        }));
        alike.push(cells);
        Touch(cells)
    }

    /// The cells that are read and not written, in order.
    pub fn reads(self) -> &'static [Cell] {
        self.0.reads
    }

    /// The cells that are written, in order.
    pub fn writes(self) -> &'static [Cell] {
        self.0.writes
    }

    /// Whether two steps that touch these do not commute: one writes what the other one reads or writes.
    #[inline]
    pub fn conflicts(self, other: Touch) -> bool {
        let (one, other) = (self.0, other.0);
        (one.write_bits & (other.read_bits | other.write_bits)) | (one.read_bits & other.write_bits) != 0
            && (meet(one.writes, other.writes) || meet(one.writes, other.reads) || meet(one.reads, other.writes))
    }

    /// Whether a step that touches the other cells changes what is read here.
    #[inline]
    pub fn is_changed_by(self, other: Touch) -> bool {
        let (one, other) = (self.0, other.0);
        (one.read_bits | one.write_bits) & other.write_bits != 0
            && (meet(one.reads, other.writes) || meet(one.writes, other.writes))
    }

    /// Whether all that conflicts with the other cells conflicts with these too.
    pub fn covers(self, other: Touch) -> bool {
        let is_written = |cell: &Cell| self.0.writes.binary_search(cell).is_ok();
        other.0.reads.iter().chain(other.0.writes).all(is_written)
    }

    /// The processes that move, as cells.
    pub fn movers(self) -> &'static [Cell] {
        let writes = self.0.writes;
        &writes[writes.partition_point(|cell| *cell < MOVERS)..]
    }

    /// Whether some process moves in both.
    pub fn moves_same(self, other: Touch) -> bool {
        meet(self.movers(), other.movers())
    }
}

fn bits(cells: &[Cell]) -> u64 {
    cells.iter().fold(0, |bits, cell| bits | 1 << (cell % 64))
}

fn hash_of(reads: &[Cell], writes: &[Cell]) -> u64 {
    let mut hasher = Xxh3::new();
    for cell in reads.iter().chain(&[u32::MAX]).chain(writes) {
        hasher.update(&cell.to_le_bytes());
    }
    hasher.digest()
}

/// Whether two lists in order have something in common.
fn meet(one: &[Cell], other: &[Cell]) -> bool {
    let (mut i, mut j) = (0, 0);
    while let (Some(a), Some(b)) = (one.get(i), other.get(j)) {
        match a.cmp(b) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => return true,
        }
    }
    false
}

impl PartialEq for Touch {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Touch {}

impl Hash for Touch {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.hash.hash(hasher);
    }
}

impl fmt::Debug for Touch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "reads {:?}, writes {:?}", self.0.reads, self.0.writes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(reads: &[Cell], writes: &[Cell]) -> Touch {
        Touch::new(&mut reads.to_vec(), &mut writes.to_vec())
    }

    #[test]
    fn the_same_cells_are_the_same_touch() {
        assert_eq!(touch(&[3, 1, 1], &[2, 70]), touch(&[1, 2, 3], &[70, 2, 2]));
        assert_ne!(touch(&[1], &[2]), touch(&[2], &[1]));
        assert_eq!(touch(&[], &[]), Touch::NONE);
    }

    #[test]
    fn cells_conflict_where_one_is_written() {
        let (read, write, other) = (touch(&[5], &[]), touch(&[], &[5]), touch(&[], &[5 + 64]));
        assert!(read.conflicts(write) && write.conflicts(read) && write.conflicts(write));
        assert!(!read.conflicts(read) && !write.conflicts(other) && !Touch::NONE.conflicts(write));
        assert!(read.is_changed_by(write) && !write.is_changed_by(read));
        assert!(write.covers(read) && !read.covers(write) && !write.covers(touch(&[5, 6], &[])));
    }

    #[test]
    fn processes_that_move_are_written() {
        let (one, both, none) =
            (touch(&[], &[7, MOVERS | 1]), touch(&[], &[MOVERS, MOVERS | 1]), touch(&[MOVERS], &[7]));
        assert!(one.moves_same(both) && !one.moves_same(none) && one.conflicts(none));
        assert_eq!((one.movers().len(), both.movers().len(), none.movers().len()), (1, 2, 0));
    }
}
