//! Words that stand for pointers.
//!
//! Addresses differ from run to run, so a pointer's word is a number for the place that it points to: which block of memory,
//! and how far into it (see `place`). A block that was freed is gone: its memory is kept until the run ends, so that no
//! later block has the same addresses.

use crate::address::Spans;
use crate::context::{self, Context, Table};
use crate::overflow;
use crate::perform::{here, wipe_if_watched};
use crate::place;
use rustc_hash::FxHashMap;
use std::alloc::Layout;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// The pointers of a run that have words.
#[derive(Default)]
pub(crate) struct Tokens {
    of: RefCell<BTreeMap<usize, u64>>,
    pointers: RefCell<FxHashMap<u64, *mut ()>>,
    /// Blocks that addresses in integers lead to.
    pub(crate) spans: Spans,
    any: Cell<bool>,
    /// Blocks that the program freed.
    freed: RefCell<Vec<(*mut u8, Layout)>>,
}

impl Tokens {
    /// See [`crate::context::Table`].
    pub(crate) fn tables(&self) -> [&dyn Table; 5] {
        let [blocks, starts] = self.spans.tables();
        [&self.of, &self.pointers, &self.freed, blocks, starts]
    }

    /// Whether there is a word for an address within a block.
    #[inline]
    pub(crate) fn are_within(&self, start: usize, size: usize) -> bool {
        let is_pointed_to = || self.of.borrow().range(start..start + size).next().is_some();
        self.any.get() && (is_pointed_to() || self.spans.are_within(start, size))
    }

    /// There are words from now on.
    pub(crate) fn note_any(&self) {
        self.any.set(true);
    }

    /// The address that a word stands for, if it does.
    pub(crate) fn pointer(&self, word: u64) -> Option<usize> {
        let of_pointer = || self.pointers.borrow().get(&word).map(|&pointer| pointer as usize);
        let found = || of_pointer().or_else(|| self.spans.address(word));
        if self.any.get() { found() } else { None }
    }

    /// Keeps a block that the program frees until the run ends.
    pub(crate) fn keep(&self, block: *mut u8, layout: Layout) {
        context::quietly(|| self.freed.borrow_mut().push((block, layout)));
    }

    /// A new run begins; nothing of the last one is used any more.
    pub(crate) fn clear(&self) {
        if self.any.replace(false) {
            self.of.borrow_mut().clear();
            self.pointers.borrow_mut().clear();
            self.spans.clear();
            for (block, layout) in self.freed.borrow_mut().drain(..) {
                // SAFETY: the program freed the block, which was allocated with this layout.
                unsafe { std::alloc::dealloc(block, layout) };
            }
        }
    }
}

/// The word that stands for a pointer: the same in every run, although the address is not.
// Never inlined, and nothing of it stays: it does other things the first time.
#[inline(never)]
pub fn token_of(pointer: *mut ()) -> u64 {
    if pointer.is_null() {
        return 0;
    }
    let context = here();
    overflow::need_stack(context);
    let known = context.tokens.of.borrow().get(&(pointer as usize)).copied();
    let token = known.unwrap_or_else(|| context::quietly(|| new_token(context, pointer)));
    wipe_if_watched(context);
    token
}

#[cold]
fn new_token(context: &Context, pointer: *mut ()) -> u64 {
    let token = context.registry.number_of_place(place::locate(context, pointer as usize));
    context.tokens.any.set(true);
    context.tokens.of.borrow_mut().insert(pointer as usize, token);
    context.tokens.pointers.borrow_mut().insert(token, pointer);
    token
}

/// The pointer that a word stands for.
#[inline(never)]
pub fn pointer_of(token: u64) -> *mut () {
    match token {
        0 => std::ptr::null_mut(),
        token => {
            let context = here();
            overflow::need_stack(context);
            context.tokens.pointers.borrow().get(&token).copied().unwrap_or(std::ptr::null_mut())
        }
    }
}
