//! What the program calls: its accesses of memory, as the compiler's instrumentation announces them, and the functions
//! of the C library that the linker replaces by the runtime's (`__wrap_…`, see `driver::wrapped`).

pub(crate) mod access;
pub(crate) mod atomic;
pub(crate) mod heap;
pub(crate) mod mutex;
pub(crate) mod process;
pub(crate) mod thread;

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
