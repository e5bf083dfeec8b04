//! What the program calls: its accesses of memory, as the compiler's instrumentation announces them, and the functions
//! of the C library that the linker replaces by the runtime's (`__wrap_…`, see `driver::wrapped`).

pub(crate) mod access;
pub(crate) mod atomic;
mod c11;
mod condvar;
mod futex;
pub(crate) mod heap;
mod key;
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

use crate::context::Context;
use crate::sync::{Met, SyncKind};
use model::{FailureKind, ObjectId, Site, State};

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

/// The object of a kind that needs no initialisation by a call.
fn met_object(context: &Context, address: usize, kind: SyncKind, site: Site) -> ObjectId {
    let (met, first) = context.syncs.meet(&context.shadow, address, kind);
    if met.destroyed {
        context.fail(FailureKind::Misuse, format!("use of a {} that was destroyed", kind.name()), site);
    }
    if first {
        context.world().set_word(met.id, 0);
    }
    met.id
}

/// An object is initialised by a call.
fn initialise(context: &Context, address: usize, kind: SyncKind, word: State, setting: u32) {
    let (met, _) = context.syncs.meet(&context.shadow, address, kind);
    context.world().set_word(met.id, word);
    let met = Met { initialised: true, destroyed: false, setting, depth: 0, ..met };
    context.syncs.set(address, kind, met);
}

/// An object is destroyed by a call.
fn end_life(context: &Context, address: usize, kind: SyncKind) {
    let (met, _) = context.syncs.meet(&context.shadow, address, kind);
    context.syncs.set(address, kind, Met { destroyed: true, ..met });
}

fn set_errno(error: i32) {
    // SAFETY: the address is this OS thread's, and fibers swap what is there.
    unsafe { *libc::__errno_location() = error };
}
