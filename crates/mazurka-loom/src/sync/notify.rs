//! Mirror of `loom::sync::Notify`.

use mazurka::sync::{Condvar, Mutex};

/// Mirror of `loom::sync::Notify`: one notification is kept until somebody waits for it. Nobody wakes without one.
#[derive(Debug)]
pub struct Notify {
    given: Mutex<bool>,
    changed: Condvar,
}

impl Notify {
    /// No notification.
    #[track_caller]
    pub fn new() -> Notify {
        Notify { given: Mutex::new(false), changed: Condvar::new() }
    }

    /// Wakes who waits, or the next one who will.
    #[track_caller]
    pub fn notify(&self) {
        if let Ok(mut given) = self.given.lock() {
            *given = true;
        }
        self.changed.notify_one();
    }

    /// Waits for a notification.
    #[track_caller]
    pub fn wait(&self) {
        let guard = self.given.lock().and_then(|guard| self.changed.wait_while(guard, |given| !*given));
        if let Ok(mut given) = guard {
            *given = false;
        }
    }
}

impl Default for Notify {
    #[track_caller]
    fn default() -> Self {
        Notify::new()
    }
}
