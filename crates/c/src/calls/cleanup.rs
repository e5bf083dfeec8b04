//! The end of a thread by `pthread_exit`: what it has pushed by `pthread_cleanup_push` is called, and in C++ the destructors of
//! its local variables, from the innermost function outwards.
//!
//! In C, the macro `pthread_cleanup_push` keeps where its function is (`setjmp`) in a buffer on the stack. Whoever ends goes there, and
//! that function calls what was pushed and asks to go on. In C++, it is an object with a destructor.

use super::entry;
use super::thread::finish;
use crate::context::{self, Context};

/// Where in a buffer there is room for the runtime: behind what `setjmp` writes.
const ROOM: usize = 72;

unsafe extern "C" {
    fn _longjmp(buffer: usize, answer: i32) -> !;
}

/// The buffer that was pushed before this one.
fn outer(buffer: usize) -> *mut usize {
    (buffer + ROOM) as *mut usize
}

extern "C-unwind" fn push(buffer: usize) {
    if let Some(context) = context::running() {
        let cleanup = &context.here().cleanup;
        // SAFETY: a buffer of the program's, which the C library lays out.
        unsafe { outer(buffer).write(cleanup.replace(buffer)) };
    }
}

extern "C-unwind" fn pop(buffer: usize) {
    if let Some(context) = context::running() {
        // SAFETY: as in `push`, which wrote it.
        context.here().cleanup.set(unsafe { outer(buffer).read() });
    }
}

pub(super) extern "C-unwind" fn exit_thread(result: usize) -> ! {
    let context = context::running().expect("a thread that ends runs");
    context.here().result.set(result);
    go_on(context)
}

/// What was pushed has been called.
extern "C-unwind" fn exit_on(_buffer: usize) -> ! {
    go_on(context::running().expect("a thread that ends runs"))
}

/// Goes to the next function that has something to do.
fn go_on(context: &Context) -> ! {
    (context.image().unwind)();
    leave_frame(usize::MAX, 1);
    unreachable!("there is no frame left")
}

/// The thread that ends leaves the frame that ends there; the last one, perhaps.
#[unsafe(export_name = "mazurka_leave_frame")]
extern "C-unwind" fn leave_frame(end: usize, is_last: i32) {
    let context = context::running().expect("a thread that ends runs");
    let slot = context.here();
    let buffer = slot.cleanup.get();
    if buffer != 0 && buffer < end {
        // SAFETY: a buffer in a frame of this thread that has not returned; nothing in the frames that are left is owned by the
        // runtime.
        unsafe {
            slot.cleanup.set(outer(buffer).read());
            _longjmp(buffer, 1)
        }
    }
    if is_last != 0 {
        finish(slot.result.get());
    }
}

entry!(wrap_exit, "__wrap_pthread_exit", "rsi", exit_thread);
entry!(wrap_push, "__wrap___pthread_register_cancel", "rsi", push);
entry!(wrap_pop, "__wrap___pthread_unregister_cancel", "rsi", pop);
entry!(wrap_exit_on, "__wrap___pthread_unwind_next", "rsi", exit_on);
