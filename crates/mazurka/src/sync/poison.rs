//! Whether a thread panicked while it held a lock.

use fiber::Guarded;

#[derive(Debug)]
pub(crate) struct Poison(Guarded<bool>);

impl Poison {
    pub(crate) const fn new() -> Self {
        Poison(Guarded::new(false))
    }

    pub(crate) fn get(&self) -> bool {
        *self.0.read()
    }

    pub(crate) fn set(&self, poisoned: bool) {
        *self.0.write() = poisoned;
    }

    /// Before exclusive access: remembers whether the thread panics already.
    pub(crate) fn watch(&self) -> Watch {
        Watch { panicking: fiber::is_panicking() }
    }

    /// After exclusive access.
    pub(crate) fn end(&self, watch: &Watch) {
        if !watch.panicking && !fiber::abandoned() && fiber::is_panicking() {
            self.set(true);
        }
    }
}

#[derive(Debug)]
pub(crate) struct Watch {
    panicking: bool,
}
