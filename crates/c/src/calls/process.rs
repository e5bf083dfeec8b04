//! The program as a whole: its main function, its end, and what it says of itself.

use super::entry;
use crate::context::{self, Context};
use crate::image::text;
use crate::slot::Status;
use crate::switch::Body;
use model::FailureKind;
use std::ffi::c_char;

/// What the main thread runs.
pub(crate) fn main_body(context: &Context) -> Body {
    let arguments = context.arguments();
    let environment = std::ptr::addr_of!(environ);
    // SAFETY: the C library's variable, which is set before the program is loaded.
    let environment = unsafe { environment.read() } as usize;
    let arguments = [arguments.len() - 1, arguments.as_ptr() as usize, environment];
    Body { function: begin as *const () as usize, arguments, then: end }
}

unsafe extern "C" {
    static environ: *const *const c_char;
}

/// A constructor or the main function. Constructors get the same arguments, and their result is not looked at.
type Main = extern "C-unwind" fn(usize, usize, usize) -> i32;

/// Calls the constructors, then the main function.
extern "C-unwind" fn begin(count: usize, arguments: usize, environment: usize) -> usize {
    let context = context::running().expect("the program begins on a fiber");
    // SAFETY: functions of the program that are to be called with these arguments.
    let call = |function: usize| unsafe { std::mem::transmute::<usize, Main>(function) }(count, arguments, environment);
    for &constructor in &context.image().constructors {
        call(constructor);
    }
    context.end_construction();
    call(context.image().main) as usize
}

/// The program ends: it calls what it wanted to be called then.
extern "C-unwind" fn end(_status: usize) -> ! {
    super::key::end_program(context::running().expect("a program that ends runs"));
    leave()
}

extern "C-unwind" fn exit(status: i32) -> ! {
    end(status as usize)
}

/// The program ends without what it wanted to be called at its end.
extern "C-unwind" fn exit_now(_status: i32) -> ! {
    leave()
}

/// The other threads go on as long as they can: whatever they do could as well have come before. This one neither goes on
/// nor has it ended: nobody can join it.
fn leave() -> ! {
    let context = context::running().expect("a program that ends runs");
    context.exited.set(true);
    context.leave(Status::Exited)
}

extern "C-unwind" fn abort(return_address: usize) -> ! {
    fail(FailureKind::Crash, "abort was called".to_owned(), return_address)
}

/// The C++ library gives up: an exception is not caught, or a thread is destroyed that was not joined.
extern "C-unwind" fn terminate(return_address: usize) -> ! {
    match exception() {
        Some(exception) => fail(FailureKind::Crash, exception, return_address),
        None => {
            let message =
                "std::terminate was called without an exception: a thread is destroyed that was not joined, say";
            fail(FailureKind::Crash, message.to_owned(), return_address)
        }
    }
}

/// That the exception which is being handled is not caught: its type, and what it says.
fn exception() -> Option<String> {
    let describe = context::running()?.image().describe_exception?;
    let mut words = [0; 512];
    // SAFETY: room for so many bytes; what is written there ends with a zero.
    unsafe {
        (describe(words.as_mut_ptr(), words.len()) != 0).then(|| format!("uncaught exception {}", text(words.as_ptr())))
    }
}

extern "C-unwind" fn terminate_by(_handler: usize, return_address: usize) -> ! {
    terminate(return_address)
}

pub(super) fn fail(kind: FailureKind, message: String, return_address: usize) -> ! {
    match context::running() {
        Some(context) => context.fail(kind, message, context.site(return_address)),
        None => unreachable!("the program runs on fibers"),
    }
}

extern "C-unwind" fn assert_fail(
    assertion: *const c_char,
    _file: *const c_char,
    _line: u32,
    _function: *const c_char,
    return_address: usize,
) -> ! {
    // SAFETY: texts that the assert macro makes.
    fail(FailureKind::Assertion, unsafe { text(assertion) }, return_address)
}

#[repr(C)]
struct LocalIndex {
    module: usize,
    offset: usize,
}

/// Where a thread-local variable is.
extern "C-unwind" fn tls_get_addr(index: &LocalIndex) -> usize {
    unsafe extern "C" {
        fn __tls_get_addr(index: *const LocalIndex) -> usize;
    }
    match context::running() {
        Some(context) if index.module == context.image().module => context.locals_of(context.current()) + index.offset,
        // SAFETY: passed on as it came.
        _ => unsafe { __tls_get_addr(index) },
    }
}

entry!(wrap_tls_get_addr, "__wrap___tls_get_addr", "rsi", tls_get_addr);
entry!(wrap_exit, "__wrap_exit", "rsi", exit);
entry!(wrap_exit_now, "__wrap__exit", "rsi", exit_now);
entry!(wrap_exit_of_c99, "__wrap__Exit", "rsi", exit_now);
extern "C-unwind" fn divided_by_zero(_place: usize, _dividend: usize, _divisor: usize, return_address: usize) -> ! {
    fail(FailureKind::Crash, "arithmetic error: division by zero".to_owned(), return_address)
}

entry!(ubsan_divrem, "__ubsan_handle_divrem_overflow_abort", "rcx", divided_by_zero);
entry!(wrap_terminate, "__wrap__ZSt9terminatev", "rdi", terminate);
entry!(wrap_cxa_terminate, "__wrap__ZN10__cxxabiv111__terminateEPFvvE", "rsi", terminate_by);
entry!(wrap_abort, "__wrap_abort", "rdi", abort);
entry!(wrap_assert_fail, "__wrap___assert_fail", "r8", assert_fail);

/// There is output: whether it is shown. Who writes is no loop that waits.
#[unsafe(export_name = "mazurka_shows_output")]
extern "C" fn shows_output() -> i32 {
    let Some(context) = context::get() else { return 0 };
    context.restart_patience();
    context.shows_output().into()
}
