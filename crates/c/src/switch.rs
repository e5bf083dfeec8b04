//! Fibers: stacks, and the switch between them.
//!
//! A fiber that is given up is simply never resumed: nothing of it is unwound, and its stack is used again.

use std::arch::{asm, global_asm};

// Where a fiber begins, with what `prepare` put on its stack. There is no caller, and unwinders are told so.
global_asm!(
    ".globl mazurka_c_fiber_entry",
    ".hidden mazurka_c_fiber_entry",
    ".type mazurka_c_fiber_entry,@function",
    "mazurka_c_fiber_entry:",
    ".cfi_startproc",
    ".cfi_undefined rip",
    "pop rbx",
    "pop rdi",
    "pop rsi",
    "pop rdx",
    "pop r12",
    // What the explorer left in registers that calls keep would be part of the thread's local state.
    "xor ebp, ebp",
    "xor r13d, r13d",
    "xor r14d, r14d",
    "xor r15d, r15d",
    "call rbx",
    "mov rdi, rax",
    "call r12",
    "ud2",
    ".cfi_endproc",
    ".size mazurka_c_fiber_entry, .-mazurka_c_fiber_entry",
);

unsafe extern "C" {
    fn mazurka_c_fiber_entry();
}

/// What a fiber runs: a function with up to three arguments, then another with the first one's result, which does not
/// return.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body {
    pub(crate) function: usize,
    pub(crate) arguments: [usize; 3],
    pub(crate) then: extern "C-unwind" fn(usize) -> !,
}

/// Puts `body` on the stack that ends at `top`, which is a multiple of 16. The answer is the stack pointer to switch to.
///
/// # Safety
/// There are at least 64 writable bytes below `top`.
pub(crate) unsafe fn prepare(top: usize, body: &Body) -> usize {
    let [first, second, third] = body.arguments;
    // As they are taken off: where to go, by `switch`, and the rest by the entry, which then calls with a stack pointer
    // that is a multiple of 16, as the ABI has it.
    let frame = [mazurka_c_fiber_entry as *const () as usize, body.function, first, second, third, body.then as usize];
    let start = top - size_of_val(&frame);
    debug_assert_eq!(top % 16, 0);
    // SAFETY: promised by the caller.
    unsafe { (start as *mut [usize; 6]).write(frame) };
    start
}

/// Saves where the caller is in `save`, and goes on at `to`.
///
/// Neither a call nor a return, for the processor predicts returns by the calls that came before: those of the fiber that
/// is left. For the same reason, whoever switches should be inlined into what the program or the explorer calls: every
/// return on the way back is predicted wrongly.
///
/// # Safety
/// `to` was saved by this function or made by [`prepare`], and its stack is as it was then.
#[inline(always)]
pub(crate) unsafe fn switch(save: *mut usize, to: usize) {
    // SAFETY: promised by the caller. All registers but the stack pointer are either clobbered or put on the stack.
    unsafe {
        asm!(
            "push rbp",
            "push rbx",
            "lea rax, [rip + 2f]",
            "push rax",
            "mov [rdi], rsp",
            "mov rsp, rsi",
            "pop rax",
            "jmp rax",
            "2:",
            "pop rbx",
            "pop rbp",
            inout("rdi") save => _,
            inout("rsi") to => _,
            out("r12") _,
            out("r13") _,
            out("r14") _,
            out("r15") _,
            clobber_abi("C"),
        );
    }
}
