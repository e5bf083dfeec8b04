//! Memory that is used again, where states are compared: a block that was freed and that nothing leads to any more.
//!
//! A program that allocates and frees for ever would otherwise be in a new state each time. As long as something leads to a freed
//! block, it stays, so that a use of it is seen. Something leads to it if it is an address in it or just behind it: in a variable, in
//! a block that is not freed, on the stack of a thread, in what the runtime keeps for threads, or the object of an operation that a
//! thread waits to do. It is looked at after each step, so that where blocks are depends on nothing but the state.

use crate::context::Context;
use crate::heap::Block;
use crate::layout;
use crate::leaks::words;
use model::{ObjectId, ThreadId};

/// After a step, when no fiber runs.
#[cold]
pub(crate) fn collect(context: &Context) {
    let threads = || (0..context.thread_count() as u32).map(ThreadId).filter(|&thread| context.slot(thread).used.get());
    let of = |thread: ThreadId| context.heaps.freed_blocks(thread).map(move |block| (thread, block, false));
    let mut freed: Vec<(ThreadId, Block, bool)> = threads().flat_map(of).collect();
    if freed.is_empty() {
        return;
    }
    let mut lead_to = |address: usize| {
        let place = freed.partition_point(|(_, block, _)| block.address <= address);
        if let Some((_, block, is_led_to)) = place.checked_sub(1).map(|place| &mut freed[place])
            && address - block.address <= block.size
        {
            *is_led_to = true;
        }
    };
    words(&context.image().globals).for_each(&mut lead_to);
    for thread in threads() {
        let slot = context.slot(thread);
        let locals = context.locals_of(thread);
        words(&context.image().locals_at(locals)).for_each(&mut lead_to);
        if slot.has_frames() {
            // What the thread had in registers is on its stack, for it was switched.
            words(&(slot.stack_pointer.get()..locals)).for_each(&mut lead_to);
            [slot.op.get().object, slot.meant.get().object]
                .into_iter()
                .filter_map(|object| address_of(context, object))
                .for_each(&mut lead_to);
        }
        slot.kept_addresses().for_each(&mut lead_to);
        for block in context.heaps.live_blocks(thread) {
            words(&(block.address..block.address + block.size)).for_each(&mut lead_to);
        }
    }
    context.at_exit.borrow().iter().for_each(|&(_, argument)| lead_to(argument));
    for (thread, block, _) in freed.iter().filter(|(_, _, is_led_to)| !is_led_to) {
        for object in context.syncs.forget_within(&(block.address..block.address + block.size)) {
            context.world().forget(object);
        }
        context.heaps.give_back(*thread, block);
    }
}

/// Where an object is.
fn address_of(context: &Context, object: ObjectId) -> Option<usize> {
    if object == ObjectId::NONE {
        return None;
    }
    let extent = context.shadow.find(object).map(|extent| extent.address);
    extent
        .or_else(|| context.syncs.find(object).map(|(address, _)| address))
        .filter(|&address| layout::heap_owner(address).is_some())
}
