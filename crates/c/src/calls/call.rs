//! Where the program is when it calls the runtime.

use crate::context::Context;
use std::arch::global_asm;
use std::cell::Cell;
use std::ops::Range;

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
    /// Whether what earlier calls left on the stack is wiped away at each call.
    wipes: Cell<usize>,
    /// Room for what [`mazurka_c_wipe`] uses.
    saved: [Cell<usize>; 3],
    /// What a call was given that is several operations, and which call that was.
    given: Cell<[usize; 3]>,
    given_to: Cell<usize>,
}

/// So many bytes below the stack pointer are wiped: more than the runtime mostly uses until it suspends a thread.
pub(crate) const WIPED: usize = 4096;

// Makes zeros of what lies below the stack pointer. Otherwise the runtime's frames would have holes with what earlier calls left
// there, and states in which threads wait would be others each time. The caller has the context in r11, and all other registers stay
// as they are.
global_asm!(
    ".globl mazurka_c_wipe",
    ".hidden mazurka_c_wipe",
    ".globl mazurka_c_wipe_end",
    ".hidden mazurka_c_wipe_end",
    "mazurka_c_wipe:",
    "mov [r11 + {saved}], rdi",
    "mov [r11 + {saved} + 8], rcx",
    "mov [r11 + {saved} + 16], rax",
    "lea rdi, [rsp - {size}]",
    "mov ecx, {words}",
    "xor eax, eax",
    "rep stosq",
    "mov rdi, [r11 + {saved}]",
    "mov rcx, [r11 + {saved} + 8]",
    "mov rax, [r11 + {saved} + 16]",
    "ret",
    "mazurka_c_wipe_end:",
    saved = const std::mem::offset_of!(Context, call) + std::mem::offset_of!(Call, saved),
    size = const WIPED,
    words = const WIPED / size_of::<usize>(),
);

unsafe extern "C" {
    pub(crate) fn mazurka_c_wipe();
    fn mazurka_c_wipe_end();
}

/// Whether this is where [`mazurka_c_wipe`] is.
pub(crate) fn is_in_wipe(at: usize) -> bool {
    (mazurka_c_wipe as *const () as usize..mazurka_c_wipe_end as *const () as usize).contains(&at)
}

impl Call {
    /// A thread goes on, whose stack ends there. No call has been made.
    #[inline]
    pub(crate) fn begin(&self, stack_end: usize) {
        self.count.set(0);
        self.given_to.set(0);
        self.stack_end.set(stack_end);
        self.stack_pointer.set(stack_end);
    }

    /// From now on, what earlier calls left on stacks is wiped away.
    pub(crate) fn wipe(&self) {
        self.wipes.set(1);
    }

    /// Wipes away what was left on a stack below where its thread is suspended, if that is wanted.
    #[inline]
    pub(crate) fn wipe_below(&self, stack_pointer: usize) {
        if self.wipes.get() != 0 {
            // SAFETY: below the stack pointer of a suspended fiber, where nothing is in use; the runtime's reserve is there at least.
            unsafe { std::ptr::write_bytes((stack_pointer - WIPED) as *mut u8, 0, WIPED) };
        }
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

    /// The last call was given this, which is in no register of the program's any more when its first operation is announced.
    #[inline]
    pub(crate) fn give(&self, arguments: [usize; 3]) {
        self.given.set(arguments);
        self.given_to.set(self.count.get());
    }

    /// Where the program is.
    pub(crate) fn made(&self) -> Made {
        let is_given = self.given_to.get() == self.count.get();
        Made {
            stack_pointer: self.stack_pointer.get(),
            registers: self.registers.each_ref().map(Cell::get),
            given: if is_given { self.given.get() } else { [0; 3] },
        }
    }
}

/// A call of the runtime that a suspended thread is in.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Made {
    stack_pointer: usize,
    registers: [usize; 6],
    given: [usize; 3],
}

impl Made {
    /// How much of a stack the thread has used, if it is this one.
    pub(crate) fn depth(&self, stack: &Range<usize>) -> Option<usize> {
        stack.contains(&self.stack_pointer).then(|| stack.end - self.stack_pointer)
    }

    /// What the future of the thread that made the call depends on, besides memory that is not in `stack`: its registers, what the
    /// call was given, its stack, and its thread-local variables, which are at the end of `stack`. Its stack must be as it was at the call. Addresses
    /// within it count from its end, so that two threads at the same place look alike.
    ///
    /// The runtime's own part of the stack does not count: a compiler leaves holes there, and what is in them was left by
    /// earlier executions.
    ///
    /// `shared` are the parts of it that are objects, in the order of their addresses. They do not count: others may change
    /// them, so that what is there is not given by what the thread has seen, and what it sees of them it sees by operations.
    pub(crate) fn local_state<'s>(
        &self,
        stack: Range<usize>,
        shared: &'s [Range<usize>],
    ) -> impl Iterator<Item = u64> + use<'s> {
        let Made { stack_pointer: from, registers, given } = *self;
        let count = (stack.end - from) / size_of::<usize>();
        // SAFETY: the stack of a suspended fiber, between what was its stack pointer and its end; both are multiples of 8.
        let words = unsafe { std::slice::from_raw_parts(from as *const usize, count) };
        let relative = move |word: usize| if stack.contains(&word) { !(stack.end - word) } else { word };
        let own = move |(place, &word): (usize, &usize)| {
            if shared.is_empty() {
                return word;
            }
            let address = from + place * size_of::<usize>();
            let bytes = (0..size_of::<usize>()).filter(|byte| is_within(shared, address + byte));
            word & !bytes.fold(0, |mask: usize, byte| mask | 0xFF << (8 * byte))
        };
        let all = [from].into_iter().chain(registers).chain(given).chain(words.iter().enumerate().map(own));
        all.map(move |word| relative(word) as u64)
    }
}

/// Whether an address is in one of these ranges, which are in order and apart.
fn is_within(ranges: &[Range<usize>], address: usize) -> bool {
    let next = ranges.partition_point(|range| range.end <= address);
    ranges.get(next).is_some_and(|range| range.contains(&address))
}
