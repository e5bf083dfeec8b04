//! Where the program is when it calls the runtime.

use std::cell::Cell;
use std::hash::Hasher;

/// The program's last call of the runtime, as [`super::entry`] notes it. The order of the fields is known there.
#[repr(C)]
#[derive(Default)]
pub(crate) struct Call {
    /// Its stack pointer, at the return address.
    stack_pointer: Cell<usize>,
    /// The registers that a function leaves as they are: rbx, rbp, r12, r13, r14 and r15.
    registers: [Cell<usize>; 6],
    /// How many calls there were since [`Call::begin`].
    count: Cell<usize>,
    /// A call with a stack pointer below this is one too many.
    stack_end: Cell<usize>,
}

impl Call {
    /// A thread goes on, whose stack ends there. No call has been made.
    #[inline]
    pub(crate) fn begin(&self, stack_end: usize) {
        self.count.set(0);
        self.stack_end.set(stack_end);
        self.stack_pointer.set(stack_end);
    }

    /// Whether an address is of the thread's stack, below what it used when it called. Not known until it has called.
    #[inline(always)]
    pub(crate) fn is_below(&self, address: usize) -> bool {
        let end = self.stack_end.get();
        address.wrapping_sub(end) < self.stack_pointer.get().wrapping_sub(end)
    }

    /// Whether a call was made since.
    #[inline]
    pub(crate) fn is_made(&self) -> bool {
        self.count.get() > 0
    }

    /// What the future of the thread that made the call depends on, besides memory that is not its stack, which ends at
    /// `top`. Its stack must be as it was then.
    ///
    /// The runtime's own part of the stack does not count: a compiler leaves holes there, and what is in them was left by
    /// earlier executions.
    pub(crate) fn hash(&self, top: usize, hasher: &mut impl Hasher) {
        self.registers.iter().for_each(|register| hasher.write_usize(register.get()));
        let from = self.stack_pointer.get();
        hasher.write_usize(from);
        // SAFETY: the stack of a suspended fiber, between what was its stack pointer and its top; both are multiples of 8.
        let words = unsafe { std::slice::from_raw_parts(from as *const usize, (top - from) / size_of::<usize>()) };
        words.iter().for_each(|&word| hasher.write_usize(word));
    }
}
