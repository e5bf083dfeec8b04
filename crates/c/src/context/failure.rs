//! How a thread fails, and how a run is given up.

use super::{Context, Refusal};
use crate::slot::Status;
use model::{Failure, FailureKind, Site};

/// So many stacks of failures are kept.
const MOST_STACKS: usize = 64;

/// Called when a thread fails, on its own stack: a place for a debugger to stop.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn mazurka_failed() {
    std::hint::black_box(());
}

impl Context {
    /// Keeps the calls that led to a failure, the first time that it happens.
    fn keep_stack(&self, site: Site, calls: impl FnOnce() -> Vec<Site>) {
        let mut stacks = self.stacks.borrow_mut();
        if stacks.len() < MOST_STACKS {
            stacks.entry((self.current(), site)).or_insert_with(calls);
        }
    }

    /// The thread that runs fails.
    #[cold]
    pub(crate) fn fail(&self, kind: FailureKind, message: String, site: Site) -> ! {
        self.fail_after(kind, message, site, self.calls())
    }

    /// The thread that runs fails after these calls.
    #[cold]
    pub(crate) fn fail_after(&self, kind: FailureKind, message: String, site: Site, calls: Vec<Site>) -> ! {
        self.keep_stack(site, || calls);
        mazurka_failed();
        self.here().failure.set(Some(Box::new(Failure { kind, message, site })));
        self.leave(Status::Gone)
    }

    /// The thread that runs fails with what the scheduler found.
    #[cold]
    pub(super) fn fail_as_told(&self, site: Site) -> ! {
        self.keep_stack(site, || self.calls());
        mazurka_failed();
        self.leave(Status::Gone)
    }

    /// The program cannot be checked, because of something that may be about the memory at an address.
    #[cold]
    pub(crate) fn refuse_at(&self, what: String, site: Site, address: Option<usize>) {
        self.refusal.borrow_mut().get_or_insert(Refusal { what, site, address });
        self.cut.set(true);
    }

    /// The program did something that is not supported. (What owns memory must not be left behind on the stack of the thread.)
    #[cold]
    pub(crate) fn refuse(&self, what: impl Into<String>, site: Site) -> ! {
        self.refuse_at(what.into(), site, None);
        self.leave(Status::Gone)
    }
}
