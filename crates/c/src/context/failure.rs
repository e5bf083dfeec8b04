//! How a thread fails, and how a run is given up.

use super::Context;
use model::{Failure, FailureKind, Site};
use std::ptr;

/// So many stacks of failures are kept, and so many calls of each.
const MOST_STACKS: usize = 64;
const MOST_FRAMES: usize = 64;

/// Called when a thread fails, on its own stack: a place for a debugger to stop.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn mazurka_failed() {
    std::hint::black_box(());
}

impl Context {
    /// The calls that led to a failure, the first time that it happens.
    fn keep_stack(&self, site: Site) {
        let mut stacks = self.stacks.borrow_mut();
        if stacks.len() >= MOST_STACKS || stacks.contains_key(&(self.current(), site)) {
            return;
        }
        let mut frames = [ptr::null_mut(); MOST_FRAMES];
        // SAFETY: as many addresses as there is room for.
        let count = unsafe { libc::backtrace(frames.as_mut_ptr(), MOST_FRAMES as i32) };
        let text = &self.image().text;
        let own = frames[..count as usize].iter().map(|&frame| frame as usize).filter(|frame| text.contains(frame));
        stacks.insert((self.current(), site), own.map(|frame| self.site(frame)).collect());
    }

    /// The thread that runs fails.
    #[cold]
    pub(crate) fn fail(&self, kind: FailureKind, message: String, site: Site) -> ! {
        self.keep_stack(site);
        mazurka_failed();
        self.here().failure.set(Some(Box::new(Failure { kind, message, site })));
        self.leave()
    }

    /// The thread that runs fails with what the scheduler found.
    #[cold]
    pub(super) fn fail_as_told(&self, site: Site) -> ! {
        self.keep_stack(site);
        mazurka_failed();
        self.leave()
    }

    /// The program did something that is not supported.
    #[cold]
    pub(crate) fn refuse(&self, what: &str, site: Site) -> ! {
        self.refusal.borrow_mut().get_or_insert_with(|| (what.to_owned(), site));
        self.cut.set(true);
        self.leave()
    }
}
