//! Memory that is read before the program has written it, and that decides what the program does: blocks of the heap, and variables on
//! stacks, as clang compiles them.
//!
//! New blocks and variables are filled with a pattern, so that they are the same in every execution. An execution that reads the
//! pattern is noted; and so are the first ones of a program with variables that the optimiser could not see to be initialised, for
//! those need not be in memory. When a search has found nothing, those that were noted are run again, with several patterns, and all
//! accesses are written down: where in the text, and of which address. Where the two part, what was read has decided something.
//!
//! Accesses are written down on the stacks of threads, which may end anywhere: into memory that is there already.

use crate::context::{self, Context, Table};
use crate::heap::FILL;
use crate::layout;
use model::{FailureKind, Site};
use std::cell::{Cell, RefCell};
use std::{io, ptr};

/// What new memory is filled with for comparison: what it mostly is on a real machine; numbers that are large and positive, where
/// those of the usual pattern are negative; and what programs take for no number or no place.
const OTHER_FILLS: [u8; 3] = [0, 0x5A, 0xFF];
/// So many executions are noted.
const MOST_EXECUTIONS: usize = 1000;
/// So many are noted because of variables that may be used uninitialised.
const MOST_OF_VARIABLES: usize = 100;
/// So many accesses of an execution are compared.
const MOST_ACCESSES: usize = 1 << 22;
/// Of a copy, so many bytes are looked at.
const LOOKED_AT: usize = 256;

/// Where two executions part: at which access, and where the one with other bytes goes instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parting {
    pub(crate) access: usize,
    pub(crate) other: Site,
    pub(crate) because_of: Memory,
}

/// Where memory is that was never initialised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Memory {
    Heap,
    Stack,
}

/// An access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Access {
    site: Site,
    address: usize,
}

/// What is known of such reads.
pub(crate) struct Uninitialised {
    /// What new blocks are filled with.
    fill: Cell<u8>,
    /// What new variables on stacks are filled with.
    fill_of_stacks: Cell<u8>,
    /// Whether there are variables that may be used uninitialised.
    has_variables: Cell<bool>,
    /// Whether the run at hand has read the pattern.
    is_read: Cell<bool>,
    /// Schedules of executions that did.
    executions: RefCell<Vec<String>>,
    /// Room for [`MOST_ACCESSES`]; null when none are written down.
    accesses: Cell<*mut Access>,
    /// How many accesses the run at hand has had.
    count: Cell<usize>,
    /// Where a thread fails.
    parting: Cell<Option<Parting>>,
}

impl Default for Uninitialised {
    fn default() -> Self {
        Uninitialised {
            fill: Cell::new(FILL),
            fill_of_stacks: Cell::new(FILL),
            has_variables: Cell::new(false),
            is_read: Cell::new(false),
            executions: RefCell::default(),
            accesses: Cell::new(ptr::null_mut()),
            count: Cell::new(0),
            parting: Cell::new(None),
        }
    }
}

impl Uninitialised {
    /// See [`crate::context::Table`].
    pub(crate) fn table(&self) -> &dyn Table {
        &self.executions
    }

    pub(crate) fn fill(&self) -> u8 {
        self.fill.get()
    }

    /// A variable on a stack begins to be.
    fn fill_variable(&self) -> u64 {
        self.has_variables.set(true);
        u64::from_ne_bytes([self.fill_of_stacks.get(); 8])
    }

    /// The program reads a byte of the heap or of a stack.
    #[inline(always)]
    pub(crate) fn note_read(&self, address: usize) {
        // SAFETY: memory of the program, which is mapped, or else the program ends here and not at the access.
        if unsafe { (address as *const u8).read() } == FILL {
            self.is_read.set(true);
        }
    }

    /// The program reads several.
    pub(crate) fn note_reads(&self, address: usize, size: usize) {
        (address..address + size.min(LOOKED_AT)).for_each(|address| self.note_read(address));
    }

    /// Whether the run at hand is to be compared.
    pub(crate) fn is_of_interest(&self) -> bool {
        self.is_read() || self.has_variables.get() && self.executions.borrow().len() < MOST_OF_VARIABLES
    }

    /// Whether the run at hand has read what nobody wrote.
    pub(crate) fn is_read(&self) -> bool {
        self.is_read.get()
    }

    /// The run at hand is in a state in which it had, or had not.
    pub(crate) fn set_read(&self, is_read: bool) {
        self.is_read.set(is_read);
    }

    /// A run begins.
    pub(crate) fn begin_run(&self) {
        self.count.set(0);
    }

    /// The schedules of executions that are to be compared.
    pub(crate) fn executions(&self) -> Vec<String> {
        self.executions.borrow().clone()
    }

    /// An execution is to be compared.
    pub(crate) fn note_execution(&self, schedule: impl FnOnce() -> String) {
        let mut executions = self.executions.borrow_mut();
        if executions.len() < MOST_EXECUTIONS {
            executions.push(schedule());
        }
    }

    /// None are.
    pub(crate) fn forget_executions(&self) {
        self.executions.borrow_mut().clear();
    }

    /// Whether accesses are counted.
    pub(crate) fn is_wanted(&self) -> bool {
        !self.accesses.get().is_null() || self.parting.get().is_some()
    }

    /// Where a thread fails, if there is such a place.
    pub(crate) fn parting(&self) -> Option<Parting> {
        self.parting.get()
    }
}

impl Context {
    /// From now on, a thread fails there.
    pub(crate) fn part_at(&self, parting: Parting) {
        self.uninitialised.parting.set(Some(parting));
        self.watch();
    }

    /// Runs an execution with several patterns. Says where the first two that differ part.
    pub(crate) fn compare_fills(&self, mut run: impl FnMut()) -> io::Result<Option<Parting>> {
        let own = &self.uninitialised;
        const ROOM: usize = MOST_ACCESSES * size_of::<Access>();
        own.accesses.set(layout::reserve(ROOM, None)?.cast());
        self.watch();
        let mut accesses = |fill: u8, fill_of_stacks: u8| {
            own.fill.set(fill);
            own.fill_of_stacks.set(fill_of_stacks);
            run();
            // SAFETY: so many were written there.
            unsafe { std::slice::from_raw_parts(own.accesses.get(), own.count.get().min(MOST_ACCESSES)) }.to_vec()
        };
        let one = accesses(FILL, FILL);
        let mut found = None;
        for fill in OTHER_FILLS {
            found = parting(&one, &accesses(fill, fill));
            if let Some(found) = &mut found {
                let of_heap = parting(&one, &accesses(fill, FILL));
                let is_of_heap = of_heap.is_some_and(|of_heap| of_heap.access == found.access);
                found.because_of = if is_of_heap { Memory::Heap } else { Memory::Stack };
                break;
            }
        }
        own.fill.set(FILL);
        own.fill_of_stacks.set(FILL);
        // SAFETY: the mapping that was made above, which nobody else has.
        unsafe { libc::munmap(own.accesses.replace(ptr::null_mut()).cast(), ROOM) };
        self.watch();
        Ok(found)
    }

    /// The thread that runs announces an access.
    pub(crate) fn follow(&self, address: usize, site: Site) {
        let own = &self.uninitialised;
        let count = own.count.get();
        own.count.set(count + 1);
        if !own.accesses.get().is_null() && count < MOST_ACCESSES {
            // SAFETY: there is room for so many.
            unsafe { own.accesses.get().add(count).write(Access { site, address }) };
        }
        if let Some(parting) = own.parting.get()
            && parting.access == count
        {
            self.fail(FailureKind::Memory, self.describe(parting), self.place_of(site));
        }
    }

    /// A place that has a line: the functions of the C library have none, but those that called them.
    fn place_of(&self, site: Site) -> Site {
        let has_line = |site: &Site| self.lines.get().is_some_and(|lines| lines.site(*site).is_some());
        [site].into_iter().chain(self.calls()).find(has_line).unwrap_or(site)
    }

    fn describe(&self, parting: Parting) -> String {
        let place = self.lines.get().and_then(|lines| lines.site(parting.other));
        let elsewhere = place.map_or(String::new(), |place| format!(" at {place}"));
        let memory = match parting.because_of {
            Memory::Heap => "memory of the heap",
            Memory::Stack => "a variable on a stack",
        };
        format!(
            "{memory} that was never initialised decides what is done here: with other bytes in it, something else is done{elsewhere}"
        )
    }
}

/// Where two lists of accesses part. If the first ends there, it is at its last.
fn parting(one: &[Access], other: &[Access]) -> Option<Parting> {
    let same = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    if same == one.len() && same == other.len() {
        return None;
    }
    let access = same.min(one.len().checked_sub(1)?);
    let other = other.get(same).map_or(Site::UNKNOWN, |access| access.site);
    Some(Parting { access, other, because_of: Memory::Heap })
}

/// What a variable on a stack holds that is not initialised, eight bytes of it. Compilers take it to be the same whenever it is called,
/// which it is within a run.
#[unsafe(no_mangle)]
extern "C" fn mazurka_fill() -> u64 {
    context::get().map_or_else(|| u64::from_ne_bytes([FILL; 8]), |context| context.uninitialised.fill_variable())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executions_part_at_the_first_place_that_differs() {
        let access = |&number: &u32| Access { site: Site(number / 10), address: number as usize % 10 };
        let accesses = |numbers: &[u32]| numbers.iter().map(access).collect::<Vec<_>>();
        let part =
            |one: &[u32], other: &[u32]| parting(&accesses(one), &accesses(other)).map(|it| (it.access, it.other));
        assert_eq!(part(&[10, 20, 30], &[10, 20, 30]), None);
        assert_eq!(part(&[10, 20, 30], &[10, 40]), Some((1, Site(4))));
        assert_eq!(part(&[10, 20, 30], &[10, 21, 30]), Some((1, Site(2))));
        assert_eq!(part(&[10, 20], &[10, 20, 50]), Some((1, Site(5))));
        assert_eq!(part(&[10, 20, 50], &[10, 20]), Some((2, Site::UNKNOWN)));
        assert_eq!(part(&[], &[10]), None);
    }
}
