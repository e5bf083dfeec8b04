//! Work that may meet memory that is not there: to unwind a stack that the program has destroyed. What it was doing is left where it
//! is, so that it must own nothing.

use crate::context::{self, Context};
use std::arch::global_asm;
use std::ffi::c_void;

// Calls a function with its data, and notes the stack pointer before that: whoever goes on at the end with this stack pointer returns
// from here.
global_asm!(
    ".globl mazurka_c_guarded",
    ".hidden mazurka_c_guarded",
    ".globl mazurka_c_guarded_end",
    ".hidden mazurka_c_guarded_end",
    ".type mazurka_c_guarded,@function",
    "mazurka_c_guarded:",
    ".cfi_startproc",
    "push rbp",
    ".cfi_def_cfa_offset 16",
    ".cfi_offset rbp, -16",
    "push rbx",
    ".cfi_def_cfa_offset 24",
    ".cfi_offset rbx, -24",
    "push r12",
    ".cfi_def_cfa_offset 32",
    ".cfi_offset r12, -32",
    "push r13",
    ".cfi_def_cfa_offset 40",
    ".cfi_offset r13, -40",
    "push r14",
    ".cfi_def_cfa_offset 48",
    ".cfi_offset r14, -48",
    "push r15",
    ".cfi_def_cfa_offset 56",
    ".cfi_offset r15, -56",
    "sub rsp, 8",
    ".cfi_def_cfa_offset 64",
    "mov [rdx], rsp",
    "mov rax, rdi",
    "mov rdi, rsi",
    "call rax",
    "mazurka_c_guarded_end:",
    "add rsp, 8",
    ".cfi_def_cfa_offset 56",
    "pop r15",
    ".cfi_def_cfa_offset 48",
    "pop r14",
    ".cfi_def_cfa_offset 40",
    "pop r13",
    ".cfi_def_cfa_offset 32",
    "pop r12",
    ".cfi_def_cfa_offset 24",
    "pop rbx",
    ".cfi_def_cfa_offset 16",
    "pop rbp",
    ".cfi_def_cfa_offset 8",
    "ret",
    ".cfi_endproc",
    ".size mazurka_c_guarded, .-mazurka_c_guarded",
);

unsafe extern "C" {
    fn mazurka_c_guarded(work: extern "C" fn(*mut c_void), data: *mut c_void, stack_pointer: *mut usize);
    fn mazurka_c_guarded_end();
}

/// Does the work, or a part of it, if it meets memory that is not there.
pub(crate) fn guarded<T>(work: extern "C" fn(*mut c_void), data: &mut T) {
    let Some(context) = context::get() else { return work((&raw mut *data).cast()) };
    // A signal may come in the middle of such work, and be looked into by more of it.
    let before = context.guarded_at.get();
    // SAFETY: the work gets its data, and may be left in the middle.
    unsafe { mazurka_c_guarded(work, (&raw mut *data).cast(), context.guarded_at.as_ptr()) };
    context.guarded_at.set(before);
}

impl Context {
    /// Where such work goes on that met memory which is not there, if this is it: the next instruction and the stack pointer.
    pub(crate) fn end_of_guarded(&self) -> Option<[usize; 2]> {
        let stack_pointer = self.guarded_at.replace(0);
        (stack_pointer != 0).then_some([mazurka_c_guarded_end as *const () as usize, stack_pointer])
    }
}
