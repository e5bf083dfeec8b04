//! Values of threads by keys, and what is called at the end of a thread or of the program.

use super::entry;
use crate::context::{self, Context};

/// How often destructors of values are called that set values again, as POSIX has it.
const ROUNDS: usize = 4;

pub(super) extern "C-unwind" fn create(place: *mut u32, destructor: usize, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return libc::EAGAIN };
    change(context.image().keys, return_address);
    context.keys.borrow_mut().push(Some(destructor));
    let key = context.keys.borrow().len() as u32 - 1;
    super::access::write_number(place as usize, &key.to_ne_bytes(), return_address);
    0
}

pub(super) extern "C-unwind" fn delete(key: u32, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return libc::EINVAL };
    change(context.image().keys, return_address);
    match context.keys.borrow_mut().get_mut(key as usize) {
        Some(destructor @ Some(_)) => {
            *destructor = None;
            0
        }
        _ => libc::EINVAL,
    }
}

pub(super) extern "C-unwind" fn get(key: u32) -> usize {
    let Some(context) = context::get() else { return 0 };
    context.here().values.borrow().get(key as usize).copied().unwrap_or(0)
}

pub(super) extern "C-unwind" fn set(key: u32, value: usize, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return libc::EINVAL };
    look_at(context.image().keys, return_address);
    if context.keys.borrow().get(key as usize).copied().flatten().is_none() {
        return libc::EINVAL;
    }
    let slot = context.here();
    slot.set_value(key as usize, value);
    slot.note_unseen();
    0
}

/// Calls what is to be called at the end of the thread that runs.
pub(super) fn end_thread(context: &Context) {
    end_locals(context);
    for _ in 0..ROUNDS {
        let mut called = false;
        let keys = context.here().values.borrow().len();
        for key in 0..keys {
            let value = std::mem::take(&mut context.here().values.borrow_mut()[key]);
            if value != 0 {
                look_at(context.image().keys, 0);
            }
            let destructor = context.keys.borrow().get(key).copied().flatten().unwrap_or(0);
            if value != 0 && destructor != 0 {
                call(destructor, value);
                called = true;
            }
        }
        if !called {
            return;
        }
    }
}

/// Calls the destructors of the thread-local variables of the thread that runs, the last one first.
fn end_locals(context: &Context) {
    loop {
        let last = context.here().at_end.borrow_mut().pop();
        let Some((function, argument)) = last else { return };
        call(function, argument);
    }
}

/// Whether there may be something to be called at the end of the program. Threads that still run may add to it.
pub(super) fn may_have_end(context: &Context) -> bool {
    context.image().registers_ends || !context.image().destructors.is_empty()
}

/// Calls what is to be called at the end of the program, the last one first.
pub(super) fn end_program(context: &Context) {
    end_locals(context);
    loop {
        change(context.image().exit_functions, 0);
        let last = context.at_exit.borrow_mut().pop();
        let Some((function, argument)) = last else { break };
        call(function, argument);
    }
    for &destructor in context.image().destructors.iter().rev() {
        call(destructor, 0);
    }
}

/// A list that threads share is changed, which is an operation if several threads change it.
fn change(list: usize, return_address: usize) {
    super::atomic::count(list, return_address);
}

/// A list that threads share is looked at, which is an operation if another thread changes it.
fn look_at(list: usize, return_address: usize) {
    super::atomic::load_word(list, return_address);
}

fn call(function: usize, argument: usize) {
    // SAFETY: a function that the program gave to be called with this argument.
    let function: extern "C-unwind" fn(usize) = unsafe { std::mem::transmute(function) };
    function(argument);
}

extern "C-unwind" fn cxa_atexit(function: usize, argument: usize, _object: usize, return_address: usize) -> i32 {
    if let Some(context) = context::running() {
        change(context.image().exit_functions, return_address);
        context.at_exit.borrow_mut().push((function, argument));
    }
    0
}

extern "C-unwind" fn atexit(function: usize, return_address: usize) -> i32 {
    cxa_atexit(function, 0, 0, return_address)
}

extern "C-unwind" fn cxa_thread_atexit(function: usize, argument: usize) -> i32 {
    if let Some(context) = context::get() {
        context.here().at_end.borrow_mut().push((function, argument));
    }
    0
}

entry!(wrap_key_create, "__wrap_pthread_key_create", "rdx", create);
entry!(wrap_key_delete, "__wrap_pthread_key_delete", "rsi", delete);
entry!(wrap_getspecific, "__wrap_pthread_getspecific", "rsi", get);
entry!(wrap_setspecific, "__wrap_pthread_setspecific", "rdx", set);
entry!(wrap_cxa_atexit, "__wrap___cxa_atexit", "rcx", cxa_atexit);
entry!(wrap_atexit, "__wrap_atexit", "rsi", atexit);
entry!(wrap_cxa_thread_atexit, "__wrap___cxa_thread_atexit", "rcx", cxa_thread_atexit);
entry!(wrap_cxa_thread_atexit_impl, "__wrap___cxa_thread_atexit_impl", "rcx", cxa_thread_atexit);
