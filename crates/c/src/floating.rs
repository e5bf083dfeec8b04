//! The floating-point environment: rounding, what traps, and which exceptions were raised. Each thread of the program has its
//! own, and each execution begins with the one that processes begin with.

use std::arch::asm;
use std::cell::Cell;

/// Control and status of SSE as a process begins.
const START: u32 = 0x1F80;
/// Words of the x87 environment, as `fnstenv` stores it.
const WORDS: usize = 7;
/// The x87 environment as a process begins: control 0x37F, all registers empty.
const START_X87: [u32; WORDS] = [0xFFFF_037F, 0xFFFF_0000, 0xFFFF_FFFF, 0, 0, 0, 0xFFFF_0000];

/// The floating-point environment of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Environment {
    sse: u32,
    /// Only of programs that call functions of `fenv.h`: to store it is slow.
    x87: [u32; WORDS],
}

impl Default for Environment {
    fn default() -> Self {
        Environment { sse: START, x87: START_X87 }
    }
}

/// A thread goes on in its own environment.
#[inline(always)]
pub(crate) fn enter(environment: &Cell<Environment>, uses_fenv: bool) {
    let mine = environment.as_ptr();
    // SAFETY: the environment of a thread, which nobody else uses meanwhile.
    unsafe {
        // The search computes, too: which exceptions it raised matters only to whom can look.
        if (*mine).sse != START || uses_fenv {
            asm!("ldmxcsr [{}]", in(reg) &raw const (*mine).sse, options(nostack, readonly));
        }
        if uses_fenv {
            asm!("fldenv [{}]", in(reg) &raw const (*mine).x87, options(nostack, readonly));
        }
    }
}

/// A thread was suspended: its environment is kept, and the search goes on in its own.
#[inline(always)]
pub(crate) fn leave(environment: &Cell<Environment>, uses_fenv: bool) {
    let mine = environment.as_ptr();
    // SAFETY: as above.
    unsafe {
        asm!("stmxcsr [{}]", in(reg) &raw mut (*mine).sse, options(nostack));
        if (*mine).sse != START {
            asm!("ldmxcsr [{}]", in(reg) &START, options(nostack, readonly));
        }
        if uses_fenv {
            asm!("fnstenv [{}]", in(reg) &raw mut (*mine).x87, options(nostack));
            asm!("fldenv [{}]", in(reg) &START_X87, options(nostack, readonly));
        }
    }
}
