//! Fibers: stacks, and the switch between them.
//!
//! A fiber that is given up is simply never resumed: nothing of it is unwound, and its stack is used again.

use std::arch::{global_asm, naked_asm};

// Where a fiber begins. The registers are those that `prepare` puts on its stack. There is no caller, and unwinders are
// told so.
global_asm!(
    ".globl mazurka_c_fiber_entry",
    ".hidden mazurka_c_fiber_entry",
    ".type mazurka_c_fiber_entry,@function",
    "mazurka_c_fiber_entry:",
    ".cfi_startproc",
    ".cfi_undefined rip",
    "mov rdi, r12",
    "mov rsi, r13",
    "mov rdx, r14",
    "call rbx",
    "mov rdi, rax",
    "call r15",
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
    // As `switch` takes them off: r15, r14, r13, r12, rbx, rbp, and where to go.
    let frame =
        [body.then as usize, third, second, first, body.function, 0, mazurka_c_fiber_entry as *const () as usize];
    let start = top - size_of_val(&frame);
    // The entry calls with a stack pointer that is a multiple of 16, as the ABI has it.
    debug_assert_eq!(top % 16, 0);
    // SAFETY: promised by the caller.
    unsafe { (start as *mut [usize; 7]).write(frame) };
    start
}

/// Saves where the caller is in `save`, and goes on at `to`.
///
/// # Safety
/// `to` was saved by this function or made by [`prepare`], and its stack is as it was then.
#[unsafe(naked)]
pub(crate) unsafe extern "C-unwind" fn switch(save: *mut usize, to: usize) {
    // By a jump, not by a return: the processor predicts returns by the calls of the fiber that is left.
    naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov [rdi], rsp",
        "mov rsp, rsi",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "pop rcx",
        "jmp rcx",
    )
}
