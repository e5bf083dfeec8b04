//! The one thread-local cell through which user code reaches its run.

use super::Context;
use crate::overflow;
use std::cell::Cell;
use std::ptr;

thread_local! {
    /// The run whose fiber this OS thread executes now.
    pub(super) static CURRENT: Cell<*const Context> = const { Cell::new(ptr::null()) };
}

/// The run whose fiber this OS thread executes now.
#[inline]
pub(crate) fn current<'a>() -> Option<&'a Context> {
    // SAFETY: set by `resume` and `within` to a context that outlives their call, and set back at their end; user code
    // gets no reference that outlives a call of this crate.
    unsafe { CURRENT.get().as_ref() }
}

/// An address that each OS thread has of its own, a multiple of 8.
#[inline]
pub(crate) fn cell_of_os_thread() -> usize {
    CURRENT.with(|current| ptr::from_ref(current) as usize)
}

/// The run, if allocations are to be noted.
#[inline]
pub(crate) fn recording<'a>() -> Option<&'a Context> {
    present().filter(|context| context.recording.get())
}

/// The same at the beginning of a call of the allocator, which is not to be left in the middle.
#[inline]
pub(crate) fn allocating<'a>() -> Option<&'a Context> {
    recording().inspect(|context| overflow::need_stack(context))
}

/// The run whose fiber this OS thread executes now, wherever the caller is.
#[inline]
pub(crate) fn present<'a>() -> Option<&'a Context> {
    // The cell is gone when an OS thread ends; what is freed then is of no check.
    let context = CURRENT.try_with(Cell::get).unwrap_or(ptr::null());
    // SAFETY: as in `current`.
    unsafe { context.as_ref() }
}

/// Does `f` without noting what it allocates.
#[inline]
pub(crate) fn quietly<T>(f: impl FnOnce() -> T) -> T {
    let Some(context) = current() else { return f() };
    let before = context.recording.replace(false);
    if before {
        overflow::need_stack(context);
    }
    let result = f();
    context.recording.set(before);
    result
}

impl Context {
    /// Does `f` as if a thread of this run did it, on the stack at hand.
    pub(crate) fn within<T>(&self, f: impl FnOnce() -> T) -> T {
        let before = CURRENT.replace(self);
        let result = f();
        CURRENT.set(before);
        result
    }

    /// Does `f` with allocations noted.
    pub(crate) fn record(&self, f: impl FnOnce()) {
        self.within(|| {
            let before = self.recording.replace(true);
            f();
            self.recording.set(before);
        });
    }
}
