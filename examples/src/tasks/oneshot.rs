//! A channel for one message, whose receiver is a future.

use crate::shim::future::{self, AtomicWaker};
use crate::shim::sync::{Arc, Mutex};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

#[derive(Default)]
struct Shared {
    message: Mutex<Option<u32>>,
    receiver: AtomicWaker,
}

/// The end that sends.
pub struct Sender(Arc<Shared>);

/// The end that receives. With `BUG`, it does not look again after it left its waker.
pub struct Receiver<const BUG: bool>(Arc<Shared>);

/// A channel.
pub fn channel<const BUG: bool>() -> (Sender, Receiver<BUG>) {
    let shared = Arc::new(Shared::default());
    (Sender(shared.clone()), Receiver(shared))
}

impl Sender {
    /// Sends the message.
    pub fn send(self, message: u32) {
        *self.0.message.lock().unwrap() = Some(message);
        self.0.receiver.wake();
    }
}

impl<const BUG: bool> Receiver<BUG> {
    fn take(&self) -> Option<u32> {
        self.0.message.lock().unwrap().take()
    }
}

impl<const BUG: bool> Future for Receiver<BUG> {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<u32> {
        if let Some(message) = self.take() {
            return Poll::Ready(message);
        }
        self.0.receiver.register_by_ref(context.waker());
        match if BUG { None } else { self.take() } {
            Some(message) => Poll::Ready(message),
            None => Poll::Pending,
        }
    }
}

/// One task sends, one receives.
pub fn scenario<const BUG: bool>() {
    let (sender, receiver) = channel::<BUG>();
    future::spawn(async move { sender.send(7) });
    assert_eq!(future::block_on(receiver), 7);
}
