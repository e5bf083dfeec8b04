//! Messages in the bytes of a channel.

use crate::model::Model;

/// Puts a message into a channel that has room.
pub(super) fn insert(model: &Model, state: &mut [u8], at: usize, kind: u16, message: &[i32], sorted: bool) {
    let kind = &model.channel_types[usize::from(kind)];
    let size = kind.message as usize;
    let length = usize::from(state[at]);
    let mut slot = length;
    if sorted {
        // Before the first message that is greater, field by field.
        slot = (0..length)
            .find(|slot| {
                let mut from = at + 1 + slot * size;
                let there = kind.fields.iter().map(|field| {
                    let value = field.load(state, from);
                    from += field.size() as usize;
                    value
                });
                there.gt(message.iter().copied())
            })
            .unwrap_or(length);
        state.copy_within(at + 1 + slot * size..at + 1 + length * size, at + 1 + (slot + 1) * size);
    }
    let mut to = at + 1 + slot * size;
    for (field, value) in kind.fields.iter().zip(message) {
        field.store(state, to, *value);
        to += field.size() as usize;
    }
    state[at] += 1;
}

/// Takes a message out of a channel; those behind it move up, and what is empty is 0.
pub(crate) fn remove(state: &mut [u8], at: usize, size: usize, slot: usize) {
    let length = usize::from(state[at]);
    let first = at + 1;
    state.copy_within(first + (slot + 1) * size..first + length * size, first + slot * size);
    state[first + (length - 1) * size..first + length * size].fill(0);
    state[at] -= 1;
}
