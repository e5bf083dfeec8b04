//! A channel for one message.

use crate::shim::cell::UnsafeCell;
use crate::shim::sync::Arc;
use crate::shim::sync::atomic::{AtomicBool, Ordering::SeqCst};
use crate::shim::thread::{self, Thread};

struct Shared {
    ready: AtomicBool,
    message: UnsafeCell<Option<u32>>,
}

// SAFETY: the message is written before it is ready, and read after.
unsafe impl Sync for Shared {}

/// The end that sends. With `BUG`, the message is said to be ready before it is written.
pub struct Sender<const BUG: bool> {
    shared: Arc<Shared>,
    receiver: Thread,
}

/// The end that receives, in the thread that created the channel.
pub struct Receiver(Arc<Shared>);

/// A channel whose receiver is the thread that calls.
pub fn channel<const BUG: bool>() -> (Sender<BUG>, Receiver) {
    let shared = Arc::new(Shared { ready: AtomicBool::new(false), message: UnsafeCell::new(None) });
    (Sender { shared: shared.clone(), receiver: thread::current() }, Receiver(shared))
}

impl<const BUG: bool> Sender<BUG> {
    /// Sends the message.
    pub fn send(self, message: u32) {
        if BUG {
            self.shared.ready.store(true, SeqCst);
        }
        // SAFETY: the receiver does not look before the message is ready.
        self.shared.message.with_mut(|place| unsafe { *place = Some(message) });
        if !BUG {
            self.shared.ready.store(true, SeqCst);
        }
        self.receiver.unpark();
    }
}

impl Receiver {
    /// Waits for the message.
    pub fn recv(self) -> Option<u32> {
        while !self.0.ready.load(SeqCst) {
            thread::park();
        }
        // SAFETY: the sender is done with it.
        self.0.message.with_mut(|place| unsafe { (*place).take() })
    }
}

/// One sends, one receives.
pub fn scenario<const BUG: bool>() {
    let (sender, receiver) = channel::<BUG>();
    let thread = thread::spawn(move || sender.send(7));
    assert_eq!(receiver.recv(), Some(7));
    thread.join().unwrap();
}
