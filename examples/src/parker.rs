//! A parker: one thread waits for a token that others give.

use crate::shim::sync::{Arc, Condvar, Mutex};
use crate::shim::thread;

/// A token that is there or not. With `BUG`, whoever waits looks for it before it takes the lock to wait with.
pub struct Parker<const BUG: bool> {
    token: Mutex<bool>,
    given: Condvar,
}

impl<const BUG: bool> Parker<BUG> {
    /// There is no token.
    #[allow(clippy::new_without_default, reason = "an example")]
    pub fn new() -> Self {
        Parker { token: Mutex::new(false), given: Condvar::new() }
    }

    /// Waits for the token, and takes it.
    pub fn park(&self) {
        if BUG {
            if *self.token.lock().unwrap() {
                *self.token.lock().unwrap() = false;
                return;
            }
            let guard = self.token.lock().unwrap();
            let mut token = self.given.wait(guard).unwrap();
            *token = false;
            return;
        }
        let mut token = self.token.lock().unwrap();
        while !*token {
            token = self.given.wait(token).unwrap();
        }
        *token = false;
    }

    /// Gives the token.
    pub fn unpark(&self) {
        *self.token.lock().unwrap() = true;
        self.given.notify_one();
    }
}

/// One parks, one unparks.
pub fn scenario<const BUG: bool>() {
    let parker = Arc::new(Parker::<BUG>::new());
    let other = parker.clone();
    let thread = thread::spawn(move || other.unpark());
    parker.park();
    thread.join().unwrap();
}
