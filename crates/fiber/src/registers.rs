//! What a thread has in its registers when it comes to an operation, and where its stack ends.
//!
//! A call keeps some registers; all others are dead after it, or were saved on the stack by the caller. So the stack and
//! these registers are all that the code after an operation has of its own.

use crate::perform::suspend;

/// Registers that a call keeps, and the stack pointer at the call, with the place that it returns to among them or on the stack.
/// All zeros where they are not known.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Registers {
    /// The stack pointer, or 0.
    pub(crate) stack_pointer: usize,
    pub(crate) kept: [usize; KEPT],
}

#[cfg(not(target_arch = "aarch64"))]
const KEPT: usize = 6;
#[cfg(target_arch = "aarch64")]
const KEPT: usize = 20;

/// Notes the registers of the caller, and goes on with [`suspend`], as if that had been called.
///
/// # Safety
/// There must be room for [`Registers`] at `to`, and as for [`suspend`].
#[cfg(all(target_arch = "x86_64", not(windows)))]
#[unsafe(naked)]
pub(crate) unsafe extern "C-unwind" fn note_and_suspend(to: *mut Registers) -> u64 {
    core::arch::naked_asm!(
        "mov [rdi], rsp",
        "mov [rdi + 8], rbx",
        "mov [rdi + 16], rbp",
        "mov [rdi + 24], r12",
        "mov [rdi + 32], r13",
        "mov [rdi + 40], r14",
        "mov [rdi + 48], r15",
        "jmp {suspend}",
        suspend = sym suspend,
    )
}

/// Notes the registers of the caller, and goes on with [`suspend`], as if that had been called.
///
/// # Safety
/// There must be room for [`Registers`] at `to`, and as for [`suspend`].
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C-unwind" fn note_and_suspend(to: *mut Registers) -> u64 {
    core::arch::naked_asm!(
        "mov x1, sp",
        "str x1, [x0]",
        "stp x19, x20, [x0, #8]",
        "stp x21, x22, [x0, #24]",
        "stp x23, x24, [x0, #40]",
        "stp x25, x26, [x0, #56]",
        "stp x27, x28, [x0, #72]",
        "str x29, [x0, #88]",
        "stp d8, d9, [x0, #96]",
        "stp d10, d11, [x0, #112]",
        "stp d12, d13, [x0, #128]",
        "stp d14, d15, [x0, #144]",
        "str x30, [x0, #160]",
        "b {suspend}",
        suspend = sym suspend,
    )
}

/// Registers are not known on this system: neither are local states.
///
/// # Safety
/// As for [`suspend`].
#[cfg(not(any(all(target_arch = "x86_64", not(windows)), target_arch = "aarch64")))]
pub(crate) unsafe extern "C-unwind" fn note_and_suspend(to: *mut Registers) -> u64 {
    // SAFETY: promised by the caller.
    unsafe { suspend(to) }
}

/// Calls `f` with zeros in all registers that a call keeps: what the explorer has in them would be saved on the thread's stack, and
/// would be part of its local state. Notes at `base` where the stack is then: what is above it is not the thread's own.
///
/// # Safety
/// `f` must not unwind, and `base` must be writable.
#[cfg(all(target_arch = "x86_64", not(windows)))]
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn call_with_zeros(f: extern "C" fn(*mut ()), data: *mut (), base: *mut usize) {
    core::arch::naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "sub rsp, 8",
        "mov [rdx], rsp",
        "mov rax, rdi",
        "mov rdi, rsi",
        "xor ebx, ebx",
        "xor ebp, ebp",
        "xor r12d, r12d",
        "xor r13d, r13d",
        "xor r14d, r14d",
        "xor r15d, r15d",
        "call rax",
        "add rsp, 8",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}

/// Calls `f` with zeros in all registers that a call keeps: what the explorer has in them would be saved on the thread's stack, and
/// would be part of its local state. Notes at `base` where the stack is then: what is above it is not the thread's own.
///
/// # Safety
/// `f` must not unwind, and `base` must be writable.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn call_with_zeros(f: extern "C" fn(*mut ()), data: *mut (), base: *mut usize) {
    core::arch::naked_asm!(
        "stp x29, x30, [sp, #-160]!",
        "stp x19, x20, [sp, #16]",
        "stp x21, x22, [sp, #32]",
        "stp x23, x24, [sp, #48]",
        "stp x25, x26, [sp, #64]",
        "stp x27, x28, [sp, #80]",
        "stp d8, d9, [sp, #96]",
        "stp d10, d11, [sp, #112]",
        "stp d12, d13, [sp, #128]",
        "stp d14, d15, [sp, #144]",
        "mov x9, sp",
        "str x9, [x2]",
        "mov x9, x0",
        "mov x0, x1",
        "mov x19, xzr",
        "mov x20, xzr",
        "mov x21, xzr",
        "mov x22, xzr",
        "mov x23, xzr",
        "mov x24, xzr",
        "mov x25, xzr",
        "mov x26, xzr",
        "mov x27, xzr",
        "mov x28, xzr",
        "mov x29, xzr",
        "fmov d8, xzr",
        "fmov d9, xzr",
        "fmov d10, xzr",
        "fmov d11, xzr",
        "fmov d12, xzr",
        "fmov d13, xzr",
        "fmov d14, xzr",
        "fmov d15, xzr",
        "blr x9",
        "ldp x19, x20, [sp, #16]",
        "ldp x21, x22, [sp, #32]",
        "ldp x23, x24, [sp, #48]",
        "ldp x25, x26, [sp, #64]",
        "ldp x27, x28, [sp, #80]",
        "ldp d8, d9, [sp, #96]",
        "ldp d10, d11, [sp, #112]",
        "ldp d12, d13, [sp, #128]",
        "ldp d14, d15, [sp, #144]",
        "ldp x29, x30, [sp], #160",
        "ret",
    )
}

/// Calls `f`: nothing is compared on this system.
///
/// # Safety
/// None is needed.
#[cfg(not(any(all(target_arch = "x86_64", not(windows)), target_arch = "aarch64")))]
pub(crate) unsafe extern "C" fn call_with_zeros(f: extern "C" fn(*mut ()), data: *mut (), _: *mut usize) {
    f(data);
}

/// Writes to what lies below the caller's frame that nobody has written there: compilers leave holes in the frames of later calls, and
/// what is in them is to be the same in every run ([`crate::unwritten`]).
///
/// # Safety
/// There must be two kilobytes left of the stack.
#[cfg(all(target_arch = "x86_64", not(windows)))]
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn wipe_below() {
    core::arch::naked_asm!(
        "lea rdi, [rsp - 2048]",
        "mov ecx, 255",
        "movabs rax, {unwritten}",
        "cld",
        "rep stosq",
        "ret",
        unwritten = const crate::unwritten::WORD_OF_HALVES,
    )
}

/// Writes to what lies below the caller's frame that nobody has written there: compilers leave holes in the frames of later calls, and
/// what is in them is to be the same in every run ([`crate::unwritten`]).
///
/// # Safety
/// There must be two kilobytes left of the stack.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn wipe_below() {
    core::arch::naked_asm!(
        "sub x0, sp, #2048",
        "mov x1, sp",
        "movz w2, #{low}",
        "movk w2, #{high}, lsl #16",
        "orr x2, x2, x2, lsl #32",
        "0: stp x2, x2, [x0], #16",
        "cmp x0, x1",
        "b.lo 0b",
        "ret",
        low = const crate::unwritten::HALF & 0xFFFF,
        high = const crate::unwritten::HALF >> 16,
    )
}

/// Nothing is compared on this system.
///
/// # Safety
/// None is needed.
#[cfg(not(any(all(target_arch = "x86_64", not(windows)), target_arch = "aarch64")))]
pub(crate) unsafe extern "C" fn wipe_below() {}
