//! What the program calls: its accesses of memory, as the compiler's instrumentation announces them, and the functions
//! of the C library that the linker replaces by the runtime's (`__wrap_…`, see `driver::wrapped`).

pub(crate) mod access;
pub(crate) mod atomic;
mod c11;
mod condvar;
mod futex;
pub(crate) mod heap;
mod key;
pub(crate) mod life;
pub(crate) mod mutex;
mod once;
pub(crate) mod process;
mod refused;
mod rwlock;
mod semaphore;
mod string;
pub(crate) mod thread;
mod time;
mod verifier;
mod wide;

/// A function that the program calls, which passes its return address on, as one more argument in `register`.
macro_rules! entry {
    ($name:ident, $symbol:expr, $register:literal, $target:path) => {
        #[unsafe(naked)]
        #[unsafe(export_name = $symbol)]
        unsafe extern "C-unwind" fn $name() {
            std::arch::naked_asm!(concat!("mov ", $register, ", [rsp]"), "jmp {}", sym $target)
        }
    };
}
pub(crate) use entry;

fn set_errno(error: i32) {
    // SAFETY: the address is this OS thread's, and fibers swap what is there.
    unsafe { *libc::__errno_location() = error };
}
