//! A second opinion (`--paranoid`): what each step changed in the program's memory is compared with what was announced.
//!
//! An access that is not announced is not explored. So after each step all memory of the program is compared with a copy,
//! but for the stack of the thread that took the step, where most accesses need no announcement. A byte that changed without
//! an announcement is a fault of Mazurka if another thread ever touches it: at once, if one has touched it already; otherwise
//! it is marked, and whoever else touches it later finds the mark.
//!
//! Left out are the blocks of the heap that the C++ library has allocated for itself, in code that was compiled long ago: exceptions
//! with their counts of references, and their messages. A program reaches them through an exception only. Whoever throws or catches
//! one has it to itself, and to hand one to another thread takes a future or the like, whose operations are announced.

use crate::context::{Context, Table};
use crate::layout;
use model::{Site, ThreadId};
use std::cell::{Cell, RefCell};
use std::ops::Range;

/// Bytes that a thread changed unannounced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    start: usize,
    end: usize,
    thread: ThreadId,
    site: Site,
}

/// What is announced and what changes.
#[derive(Default)]
pub(crate) struct Paranoid {
    is_on: Cell<bool>,
    /// What was announced to be written since the step began.
    announced: RefCell<Vec<(usize, usize)>>,
    marks: RefCell<Vec<Mark>>,
    copies: RefCell<Vec<Copied>>,
    /// Whether the copies are of the state before the step.
    is_fresh: Cell<bool>,
}

/// A part of memory, as it was.
struct Copied {
    start: usize,
    bytes: Vec<u8>,
    /// The thread whose stack it is.
    stack_of: Option<ThreadId>,
}

impl Paranoid {
    /// See [`crate::context::Table`].
    pub(crate) fn tables(&self) -> [&dyn Table; 3] {
        [&self.announced, &self.marks, &self.copies]
    }

    #[inline(always)]
    pub(crate) fn is_on(&self) -> bool {
        self.is_on.get()
    }

    pub(crate) fn turn_on(&self) {
        self.is_on.set(true);
    }

    /// The run is in another state.
    pub(crate) fn forget(&self) {
        self.is_fresh.set(false);
    }

    pub(crate) fn marks(&self) -> Vec<Mark> {
        self.marks.borrow().clone()
    }

    pub(crate) fn set_marks(&self, marks: &[Mark]) {
        self.marks.borrow_mut().clear();
        self.marks.borrow_mut().extend_from_slice(marks);
    }

    /// The bytes that were announced, in their order; what meets is one range.
    fn announced(&self) -> Vec<Range<usize>> {
        let mut ranges: Vec<_> = self.announced.borrow().iter().map(|&(start, size)| start..start + size).collect();
        ranges.sort_unstable_by_key(|range| range.start);
        ranges.dedup_by(|next, last| {
            let meets = next.start <= last.end;
            last.end = if meets { last.end.max(next.end) } else { last.end };
            meets
        });
        ranges
    }
}

impl Context {
    /// The thread that runs announces an access.
    #[cold]
    #[inline(never)]
    pub(crate) fn witness(&self, address: usize, size: usize, write: bool, site: Site) {
        if self.uninitialised.is_wanted() {
            self.follow(address, site);
        }
        if !self.paranoid.is_on() {
            return;
        }
        if write {
            self.expect_change(address, size);
        }
        let other = |mark: &&Mark| mark.start < address + size && address < mark.end && mark.thread != self.current();
        let found = self.paranoid.marks.borrow().iter().find(other).copied();
        if let Some(mark) = found {
            self.accuse(&(mark.start..mark.end), mark.thread, mark.site);
            self.refuse("it goes on with what was not announced", site);
        }
    }

    /// The thread that runs, or the runtime for it, changes these bytes next.
    pub(crate) fn expect_change(&self, address: usize, size: usize) {
        if self.paranoid.is_on() {
            let mut announced = self.paranoid.announced.borrow_mut();
            // A loop may go on for long.
            if announced.last() != Some(&(address, size)) {
                announced.push((address, size));
            }
            self.here().last_write.set((address, size));
        }
    }

    /// A thread takes a step.
    pub(crate) fn begin_witnessed_step(&self, thread: ThreadId) {
        let last = self.slot(thread).last_write.get();
        let mut announced = self.paranoid.announced.borrow_mut();
        announced.clear();
        // What it is about to do was announced before it was suspended.
        announced.push(last);
        drop(announced);
        if self.concurrent.get() && !self.paranoid.is_fresh.get() {
            self.copy_memory();
        }
    }

    /// A thread took a step. As long as there is one thread, all that it does comes before what others do.
    pub(crate) fn end_witnessed_step(&self, thread: ThreadId, site: Site) {
        if self.paranoid.is_fresh.get() {
            let announced = self.paranoid.announced();
            for changed in self.changes(thread) {
                let next = announced.partition_point(|range| range.end < changed.end);
                if announced.get(next).is_none_or(|range| range.start > changed.start) {
                    self.judge_change(changed, thread, site);
                }
            }
        }
        if self.concurrent.get() {
            self.copy_memory();
        }
    }

    /// Where memory is not as it was before a step, other than on the thread's own stack.
    fn changes(&self, thread: ThreadId) -> Vec<Range<usize>> {
        let mut changes: Vec<Range<usize>> = Vec::new();
        for copy in self.paranoid.copies.borrow().iter().filter(|copy| copy.stack_of != Some(thread)) {
            // SAFETY: memory of the program, which stays mapped; no fiber runs.
            let now = unsafe { std::slice::from_raw_parts(copy.start as *const u8, copy.bytes.len()) };
            if now == copy.bytes {
                continue;
            }
            for (at, _) in now.iter().zip(&copy.bytes).enumerate().filter(|(_, (now, then))| now != then) {
                let address = copy.start + at;
                match changes.last_mut() {
                    Some(last) if last.end == address => last.end += 1,
                    _ => changes.push(address..address + 1),
                }
            }
        }
        changes
    }

    /// Whether memory is a block that the C++ library has allocated for itself: nothing of its code has lines, and all of the program's
    /// has, unless it has none at all.
    fn is_of_cpp_library(&self, address: usize) -> bool {
        let Some(block) = self.heaps.block_of(address) else { return false };
        let has_line = |site: Site| self.lines.get().is_some_and(|lines| lines.site(site).is_some());
        // Sites are behind instructions.
        let main = self.site(self.image().main + 1);
        self.image().describe_exception.is_some() && has_line(main) && !has_line(block.allocated_at)
    }

    fn judge_change(&self, changed: Range<usize>, thread: ThreadId, site: Site) {
        if self.is_of_cpp_library(changed.start) {
            return;
        }
        let of_other_stack = layout::stack_owner(changed.start).is_some_and(|owner| owner != thread);
        if of_other_stack || self.shadow.is_touched_by_others(thread, &changed) {
            return self.accuse(&changed, thread, site);
        }
        let mark = Mark { start: changed.start, end: changed.end, thread, site };
        let mut marks = self.paranoid.marks.borrow_mut();
        if !marks.contains(&mark) {
            marks.push(mark);
        }
    }

    /// The search ends: its answer would be wrong.
    fn accuse(&self, changed: &Range<usize>, thread: ThreadId, site: Site) {
        let what = format!(
            "a fault of Mazurka, found by --paranoid: thread {} changed {} bytes at {:#x} without an announcement; please \
             report it with the program",
            self.threads.path(thread),
            changed.len(),
            changed.start,
        );
        self.refuse_at(what, site, Some(changed.start));
    }

    fn copy_memory(&self) {
        let mut copies = self.paranoid.copies.borrow_mut();
        let mut used = 0;
        let mut copy = |range: Range<usize>, stack_of: Option<ThreadId>| {
            if range.is_empty() {
                return;
            }
            if copies.len() == used {
                copies.push(Copied { start: 0, bytes: Vec::new(), stack_of: None });
            }
            let place = &mut copies[used];
            (place.start, place.stack_of) = (range.start, stack_of);
            place.bytes.clear();
            // SAFETY: as in `changes`.
            place.bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(range.start as *const u8, range.len()) });
            used += 1;
        };
        copy(self.image().globals.clone(), None);
        for thread in (0..self.thread_count() as u32).map(ThreadId) {
            let slot = self.slot(thread);
            if !slot.used.get() {
                continue;
            }
            let heap = layout::heap_of(thread).start;
            copy(heap..heap + self.heaps.used(thread), None);
            let locals = self.locals_of(thread);
            copy(self.image().locals_at(locals), None);
            if slot.has_frames() {
                copy(slot.stack_pointer.get()..locals, Some(thread));
            }
        }
        copies.truncate(used);
        self.paranoid.is_fresh.set(true);
    }
}
