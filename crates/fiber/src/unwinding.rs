//! Panics and other ways to leave: what ends a thread before its end.

use crate::context::{self, Context, Mode};
use crate::hook::{self, Abandoned};
use crate::patience;
use crate::perform::{here, switch};
use crate::slot::{Slot, Status};
use model::{Failure, FailureKind, Site};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Runs `f` and catches its panic, which is then a failure of this thread. Lets the unwinding of an abandoned run end here.
pub fn catch<T>(f: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    let result = catch_unwind(AssertUnwindSafe(f));
    let context = here();
    let slot = context.running();
    if let Err(payload) = &result
        && context.mode.get() == Mode::Running
    {
        context::quietly(|| {
            let noted = slot.panic.borrow_mut().take();
            let (text, site) = noted.unwrap_or_else(|| (hook::message(&**payload), Site::UNKNOWN));
            // Assertions put both sides on lines of their own.
            let message = text.lines().map(str::trim).collect::<Vec<_>>().join(", ");
            slot.panicked.set(false);
            slot.failure.borrow_mut().get_or_insert(Failure { kind: FailureKind::Panic, message, site });
        });
    }
    result
}

/// Whether the calling thread unwinds.
pub fn is_panicking() -> bool {
    // The count of the OS thread is that of all fibers; the slot says whether this one is among them.
    std::thread::panicking() && context::current().is_some_and(|context| context.running().panicked.get())
}

/// The thread stops here, for good, if `condition` does not hold, and the execution does not count.
pub fn assume(condition: bool) {
    let context = here();
    if condition || context.mode.get() != Mode::Running {
        return;
    }
    context.cut.set(true);
    stop(context, context.running());
}

/// The thread that runs takes no further step.
pub(crate) fn stop(context: &Context, slot: &Slot) -> ! {
    patience::conclude(context, slot);
    slot.status.set(Status::Gone);
    // It is resumed only to be unwound.
    switch(slot);
    resume_unwind(Box::new(Abandoned))
}

/// The thread of a run that is being given up is left as it is, with all that it has not dropped, and takes no further step.
/// What unwinds then is in the middle of it, which the OS thread counts as a panic for ever: threads of later runs are
/// forgotten without being unwound, and the search is to go on in another OS thread ([`crate::FiberProgram::forgets`]).
#[cold]
pub(crate) fn leave_for_good(context: &Context) -> ! {
    context.registry.learn_to_forget();
    loop {
        switch(context.running());
    }
}

/// Data is wanted that is in use: a bug of a front end, or the run is being given up.
#[cold]
pub(crate) fn refuse_data() -> ! {
    match context::current() {
        Some(context) if context.mode.get() != Mode::Running => leave_for_good(context),
        _ => panic!("the data is in use although nobody holds its lock"),
    }
}

/// Unwinds the calling thread to the [`catch_leave`] that it is in. This is no failure.
pub fn leave_with<T: Send + 'static>(value: T) -> ! {
    let context = here();
    context.running().panicked.set(true);
    patience::conclude(context, context.running());
    resume_unwind(Box::new(value))
}

/// Runs `f`, and catches nothing but a [`leave_with`] of this type.
pub fn catch_leave<T, L: 'static>(f: impl FnOnce() -> T) -> Result<T, L> {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(value) => Ok(value),
        Err(payload) => match payload.downcast::<L>() {
            Ok(left) => {
                here().running().panicked.set(false);
                Err(*left)
            }
            Err(payload) => resume_unwind(payload),
        },
    }
}
