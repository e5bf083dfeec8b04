//! Words that stand for addresses that a program keeps as integers.
//!
//! As with pointers (see `token`), the word must be the same in every run although the address is not. Unlike theirs, it is computed
//! with: marks are set in an address's lowest bits and additions move it on. So it is made of a number for the block of memory and of
//! how far into it the address is, and as blocks begin at rounder addresses than marks are large, what `fetch_or` or `fetch_add` makes
//! of the word is the word of what it makes of the address.
//!
//! An integer that is no address but looks like one of a block of this run is no harm: it comes out as it went in.

use crate::context::{self, Context, Table};
use crate::place::Place;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What the highest byte of such a word is: no address has it, and hardly any other number.
const MARK: u64 = 0xb7;
/// Bits of how far into a block an address is.
const OFFSET_BITS: u32 = 24;
/// Blocks that are larger have no words, nor is anything so far below the top of a stack.
const LARGEST: usize = 1 << OFFSET_BITS;
/// Bits of a block's number.
const NUMBER_BITS: u32 = 32;

/// The blocks of a run whose addresses have words.
#[derive(Default)]
pub(crate) struct Spans {
    /// Where each begins, with its end and its number.
    blocks: RefCell<BTreeMap<usize, (usize, u64)>>,
    /// From where addresses are counted, by number.
    starts: RefCell<FxHashMap<u64, usize>>,
}

impl Spans {
    /// See [`crate::context::Table`].
    pub(crate) fn tables(&self) -> [&dyn Table; 2] {
        [&self.blocks, &self.starts]
    }

    /// Whether there is a block with words that begins within another.
    pub(crate) fn are_within(&self, start: usize, size: usize) -> bool {
        self.blocks.borrow().range(start..start + size).next().is_some()
    }

    pub(crate) fn clear(&self) {
        self.blocks.borrow_mut().clear();
        self.starts.borrow_mut().clear();
    }

    /// The address that a word stands for, if it does.
    pub(crate) fn address(&self, word: u64) -> Option<usize> {
        if !is_marked(word) {
            return None;
        }
        let number = word >> OFFSET_BITS & ((1 << NUMBER_BITS) - 1);
        let start = *self.starts.borrow().get(&number)?;
        Some(start.wrapping_add(word as usize & (LARGEST - 1)))
    }

    /// The word of an address that is so far behind what number `number` is counted from.
    fn word(&self, number: u64, start: usize, offset: usize) -> Option<u64> {
        // Numbers that are to be the same in several processes are hashes: two may be the same.
        let known = *self.starts.borrow_mut().entry(number).or_insert(start);
        let is_small = offset < LARGEST && known == start;
        is_small.then_some(MARK << (u64::BITS - 8) | number << OFFSET_BITS | offset as u64)
    }
}

#[inline(always)]
fn is_marked(word: u64) -> bool {
    word >> (u64::BITS - 8) == MARK
}

/// The word for an integer of 64 bits.
#[inline(always)]
pub fn word_of_integer(integer: u64) -> u64 {
    // Small numbers are no addresses of memory that is given to programs of 64 bits.
    if integer >> 32 == 0 { integer } else { word_of_address(integer) }
}

/// The integer that a word stands for.
#[inline(always)]
pub fn integer_of_word(word: u64) -> u64 {
    if is_marked(word) { address_of_word(word) } else { word }
}

#[cold]
#[inline(never)]
fn address_of_word(word: u64) -> u64 {
    let address = context::current().and_then(|context| context.tokens.spans.address(word));
    address.map_or(word, |address| address as u64)
}

#[cold]
#[inline(never)]
fn word_of_address(integer: u64) -> u64 {
    let word = |context| context::quietly(|| word_in(context, integer as usize));
    context::current().and_then(word).unwrap_or(integer)
}

fn word_in(context: &Context, address: usize) -> Option<u64> {
    let number_of = |place| context.registry.number_of_place(place) & ((1 << NUMBER_BITS) - 1);
    let spans = &context.tokens.spans;
    if let Some((thread, below_top)) = context.on_stack(address) {
        context.tokens.note_any();
        let number = number_of(Place::Stack { thread, below_top: LARGEST });
        return spans.word(number, (address + below_top).wrapping_sub(LARGEST), LARGEST.checked_sub(below_top)?);
    }
    let known = spans.blocks.borrow().range(..=address).next_back().map(|(&start, &span)| (start, span));
    if let Some((start, (end, number))) = known
        && address <= end
    {
        return spans.word(number, start, address - start);
    }
    let block = context.blocks.find_live(address)?;
    let number = number_of(Place::Heap { creator: block.creator, size: block.size, nth: block.nth, offset: 0 });
    let word = spans.word(number, block.start, address - block.start)?;
    context.tokens.note_any();
    spans.blocks.borrow_mut().insert(block.start, (block.end, number));
    Some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_computed_with_a_word_is_the_word_of_what_is_computed() {
        let spans = Spans::default();
        let start = 0x7f12_3456_7800;
        let word = |address: usize| spans.word(7, start, address - start).unwrap();
        for address in [start, start + 8, start + 0x40] {
            assert_eq!(spans.address(word(address)), Some(address));
            assert_eq!(spans.address(word(address) | 5), Some(address | 5));
            assert_eq!(spans.address(word(address | 5) & !7), Some(address));
            assert_eq!(spans.address(word(address).wrapping_add(16)), Some(address + 16));
        }
        assert_eq!(spans.word(7, start + 4096, 0), None, "another block with the same number");
        assert_eq!(spans.word(8, start, LARGEST), None);
        assert_eq!(spans.address(12), None);
        assert_eq!((word_of_integer(u64::MAX), integer_of_word(MARK << 56)), (u64::MAX, MARK << 56));
    }
}
