//! Words that stand for pointers.

use crate::context;
use crate::perform::here;
use model::ThreadId;

/// The word that stands for a pointer: the same in every run, although the address is not.
pub fn token_of(pointer: *mut ()) -> u64 {
    if pointer.is_null() {
        return 0;
    }
    let context = here();
    context::quietly(|| {
        *context.tokens.borrow_mut().entry(pointer as usize).or_insert_with(|| {
            let mut pointers = context.running().pointers.borrow_mut();
            pointers.push(pointer);
            u64::from(context.current().0) << 32 | pointers.len() as u64
        })
    })
}

/// The pointer that a word stands for.
pub fn pointer_of(token: u64) -> *mut () {
    let context = here();
    match token {
        0 => std::ptr::null_mut(),
        token => context.slot(ThreadId((token >> 32) as u32)).pointers.borrow()[token as u32 as usize - 1],
    }
}
