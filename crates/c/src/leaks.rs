//! Memory that nobody can free any more when the program has ended.

use crate::context::{Context, MAIN};
use crate::heap::Block;
use crate::layout;
use model::ThreadId;
use std::ops::Range;

/// A block that is not freed and that nothing leads to: no variable, no frame of a thread that waits or that ended the
/// program, and nothing that the constructors allocated.
pub(crate) fn find(context: &Context) -> Option<Block> {
    if !context.options.leaks || !context.heaps.has_more_than_kept() {
        return None;
    }
    let mut blocks: Vec<(Block, bool)> = Vec::new();
    let mut ranges = vec![context.image().globals.clone()];
    for thread in (0..context.thread_count() as u32).map(ThreadId) {
        let slot = context.slot(thread);
        if !slot.used.get() {
            continue;
        }
        blocks.extend(context.heaps.live_blocks(thread).map(|block| (block, context.heaps.is_kept(&block))));
        let locals = context.locals_of(thread);
        if slot.has_frames() {
            // What a thread had in registers is on its stack, for it was switched.
            ranges.push(slot.stack_pointer.get()..locals);
        }
        if slot.has_frames() || thread == MAIN {
            ranges.push(context.image().locals_at(locals));
        }
    }
    ranges.extend(blocks.iter().filter(|(_, kept)| *kept).map(|(block, _)| block.address..block.address + block.size));
    while let Some(range) = ranges.pop() {
        for address in words(&range) {
            let place = blocks.partition_point(|(block, _)| block.address <= address);
            if let Some((block, reached @ false)) = place.checked_sub(1).map(|place| &mut blocks[place])
                && address - block.address <= block.size
            {
                *reached = true;
                ranges.push(block.address..block.address + block.size);
            }
        }
    }
    blocks.into_iter().find(|(_, reached)| !reached).map(|(block, _)| block)
}

/// The words in a range that are addresses of a heap.
pub(crate) fn words(range: &Range<usize>) -> impl Iterator<Item = usize> + use<> {
    let aligned = range.start.next_multiple_of(8)..range.end.saturating_sub(7);
    // SAFETY: memory of the program, which is mapped.
    let words = aligned.step_by(8).map(|at| unsafe { (at as *const usize).read() });
    words.filter(|&word| layout::heap_owner(word).is_some())
}
