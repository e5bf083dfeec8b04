//! A lazy initialiser: a number is computed by whoever asks first.

use crate::shim::sync::Arc;
use crate::shim::sync::atomic::{AtomicU32, Ordering::SeqCst};
use crate::shim::{hint, thread};

const EMPTY: u32 = 0;
const BUSY: u32 = 1;
const READY: u32 = 2;

/// A number that is computed once. With `BUG`, two threads may both find that there is none.
pub struct Lazy<const BUG: bool> {
    state: AtomicU32,
    value: AtomicU32,
}

impl<const BUG: bool> Lazy<BUG> {
    /// Not computed.
    #[allow(clippy::new_without_default, reason = "an example")]
    pub fn new() -> Self {
        Lazy { state: AtomicU32::new(EMPTY), value: AtomicU32::new(0) }
    }

    fn claim(&self) -> bool {
        if BUG {
            let empty = self.state.load(SeqCst) == EMPTY;
            if empty {
                self.state.store(BUSY, SeqCst);
            }
            return empty;
        }
        self.state.compare_exchange(EMPTY, BUSY, SeqCst, SeqCst).is_ok()
    }

    /// The number, computed by `f` if there is none.
    pub fn get(&self, f: impl FnOnce() -> u32) -> u32 {
        if self.claim() {
            self.value.store(f(), SeqCst);
            self.state.store(READY, SeqCst);
        }
        while self.state.load(SeqCst) != READY {
            hint::spin_loop();
        }
        self.value.load(SeqCst)
    }
}

/// Three ask.
pub fn scenario<const BUG: bool>() {
    let lazy = Arc::new(Lazy::<BUG>::new());
    let computed = Arc::new(AtomicU32::new(0));
    let ask = || {
        let (lazy, computed) = (lazy.clone(), computed.clone());
        thread::spawn(move || lazy.get(|| computed.fetch_add(1, SeqCst) + 7))
    };
    for thread in [ask(), ask()] {
        assert_eq!(thread.join().unwrap(), 7);
    }
    assert_eq!(computed.load(SeqCst), 1, "computed once");
}
