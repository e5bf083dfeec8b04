//! What programs say to their checker: the functions of `mazurka.h`, and those of the software verification competition.

use super::{entry, process};
use crate::context;
use crate::image::text;
use crate::slot::Status;
use model::{FailureKind, ObjectId, OpKind};
use std::ffi::c_char;

extern "C-unwind" fn error(return_address: usize) -> ! {
    process::fail(FailureKind::Assertion, "an error location was reached".to_owned(), return_address)
}

extern "C-unwind" fn assert(condition: i32, return_address: usize) {
    if condition == 0 {
        process::fail(FailureKind::Assertion, "the assertion does not hold".to_owned(), return_address);
    }
}

extern "C-unwind" fn assume(condition: i32) {
    if condition == 0
        && let Some(context) = context::running()
    {
        context.cut.set(true);
        context.leave(Status::Gone);
    }
}

extern "C-unwind" fn choose(alternatives: u32, return_address: usize) -> u32 {
    match context::running() {
        Some(context) if alternatives > 1 => {
            let kind = OpKind::Choose(alternatives);
            context.perform(kind, ObjectId::NONE, context.site(return_address)).alternative
        }
        _ => 0,
    }
}

extern "C-unwind" fn nondet_bool(return_address: usize) -> u32 {
    choose(2, return_address)
}

extern "C-unwind" fn nondet_byte(return_address: usize) -> u32 {
    choose(256, return_address)
}

/// A number of so many values that they cannot all be tried.
extern "C-unwind" fn nondet_number(return_address: usize) -> u32 {
    match context::running() {
        Some(context) => context.refuse(
            "a __VERIFIER_nondet function of more than 256 values is not supported: use mzk_choose(n) of mazurka.h",
            context.site(return_address),
        ),
        None => 0,
    }
}

extern "C-unwind" fn atomic_begin(return_address: usize) {
    if let Some(context) = context::running() {
        context.begin_section(context.site(return_address));
    }
}

extern "C-unwind" fn atomic_end() {
    if let Some(context) = context::running() {
        context.end_section();
    }
}

extern "C-unwind" fn name(address: usize, name: *const c_char) {
    if let Some(context) = context::running() {
        // SAFETY: the program's text.
        let name = unsafe { text(name) };
        context.given_names.borrow_mut().insert(address, name);
    }
}

entry!(verifier_error, "__VERIFIER_error", "rdi", error);
entry!(reach_error, "reach_error", "rdi", error);
entry!(verifier_assert, "__VERIFIER_assert", "rsi", assert);
entry!(verifier_assume, "__VERIFIER_assume", "rsi", assume);
entry!(verifier_nondet_bool, "__VERIFIER_nondet_bool", "rdi", nondet_bool);
entry!(verifier_nondet_char, "__VERIFIER_nondet_char", "rdi", nondet_byte);
entry!(verifier_nondet_uchar, "__VERIFIER_nondet_uchar", "rdi", nondet_byte);
entry!(verifier_nondet_short, "__VERIFIER_nondet_short", "rdi", nondet_number);
entry!(verifier_nondet_ushort, "__VERIFIER_nondet_ushort", "rdi", nondet_number);
entry!(verifier_nondet_int, "__VERIFIER_nondet_int", "rdi", nondet_number);
entry!(verifier_nondet_uint, "__VERIFIER_nondet_uint", "rdi", nondet_number);
entry!(verifier_nondet_long, "__VERIFIER_nondet_long", "rdi", nondet_number);
entry!(verifier_nondet_ulong, "__VERIFIER_nondet_ulong", "rdi", nondet_number);
entry!(verifier_atomic_begin, "__VERIFIER_atomic_begin", "rdi", atomic_begin);
entry!(verifier_atomic_end, "__VERIFIER_atomic_end", "rdi", atomic_end);
entry!(mzk_assume, "mzk_assume", "rsi", assume);
entry!(mzk_choose, "mzk_choose", "rsi", choose);
entry!(mzk_assert, "mzk_assert", "rsi", assert);
entry!(mzk_name, "mzk_name", "rdx", name);
