//! What the program calls: its accesses of memory, as the compiler's instrumentation announces them, and the functions
//! of the C library that the linker replaces by the runtime's (`__wrap_…`, see `driver::wrapped`).

pub(crate) mod access;
pub(crate) mod atomic;
mod c11;
pub(crate) mod call;
mod cleanup;
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

#[cfg(test)]
pub(crate) use refused::NAMES as REFUSED;

/// What a function without a result leaves in the register of results. Compilers push that register to align the stack, and then it is
/// part of the thread's local state: it must not be what the runtime happened to have in it.
pub(crate) type Nothing = usize;

/// The same for every call.
pub(crate) const NOTHING: Nothing = 0;

/// A function that the program calls, which passes its return address on, as one more argument in `register`, and notes
/// where the program is in [`call::Call`]. A thread that has used up its stack fails here: what it calls can rely on
/// [`crate::layout::RESERVE`] bytes.
macro_rules! entry {
    ($name:ident, $symbol:expr, $register:literal, $target:path) => {
        #[unsafe(naked)]
        #[unsafe(export_name = $symbol)]
        unsafe extern "C-unwind" fn $name() {
            // There is a context, for it was made before the program was loaded.
            std::arch::naked_asm!(
                "mov r11, [rip + {context}]",
                "cmp rsp, [r11 + {call} + 64]",
                "jb {too_deep}",
                "mov [r11 + {call}], rsp",
                "mov [r11 + {call} + 8], rbx",
                "mov [r11 + {call} + 16], rbp",
                "mov [r11 + {call} + 24], r12",
                "mov [r11 + {call} + 32], r13",
                "mov [r11 + {call} + 40], r14",
                "mov [r11 + {call} + 48], r15",
                "inc qword ptr [r11 + {call} + 56]",
                "cmp byte ptr [r11 + {call} + 72], 0",
                "je 2f",
                "call {wipe}",
                "2:",
                concat!("mov ", $register, ", [rsp]"),
                "jmp {target}",
                context = sym $crate::context::CONTEXT,
                call = const std::mem::offset_of!($crate::context::Context, call),
                target = sym $target,
                wipe = sym $crate::calls::call::mazurka_c_wipe,
                too_deep = sym $crate::signals::call_too_deep,
            )
        }
    };
}
pub(crate) use entry;

/// A function that the part of the runtime calls which is in C or C++, with the address of who called that in `register`. A thread that
/// has used up its stack fails here, as in an [`entry`].
macro_rules! entry_of_shim {
    ($name:ident, $symbol:expr, $register:literal, $target:path) => {
        #[unsafe(naked)]
        #[unsafe(export_name = $symbol)]
        unsafe extern "C-unwind" fn $name() {
            // There is a context, for it was made before the program was loaded.
            std::arch::naked_asm!(
                "mov r11, [rip + {context}]",
                "cmp rsp, [r11 + {call} + 64]",
                "jae {target}",
                concat!("mov rdi, ", $register),
                "jmp {too_deep}",
                context = sym $crate::context::CONTEXT,
                call = const std::mem::offset_of!($crate::context::Context, call),
                target = sym $target,
                too_deep = sym $crate::signals::fail_too_deep,
            )
        }
    };
}
pub(crate) use entry_of_shim;

fn set_errno(error: i32) {
    // SAFETY: the address is this OS thread's, and fibers swap what is there.
    unsafe { *libc::__errno_location() = error };
}
