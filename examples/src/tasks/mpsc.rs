//! A bounded channel with many senders, whose ends are futures.

use crate::shim::future;
use crate::shim::sync::{Arc, Mutex, MutexGuard};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::task::{Context, Poll, Waker};

struct State {
    messages: VecDeque<u32>,
    bound: usize,
    senders: usize,
    receiver: Option<Waker>,
    waiting: VecDeque<Waker>,
}

struct Shared(Mutex<State>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }
}

/// An end that sends. With `BUG`, the last one that goes wakes nobody.
pub struct Sender<const BUG: bool>(Arc<Shared>);

/// The end that receives.
pub struct Receiver(Arc<Shared>);

/// A channel for so many messages.
pub fn channel<const BUG: bool>(bound: usize) -> (Sender<BUG>, Receiver) {
    let state = State { messages: VecDeque::new(), bound, senders: 1, receiver: None, waiting: VecDeque::new() };
    let shared = Arc::new(Shared(Mutex::new(state)));
    (Sender(shared.clone()), Receiver(shared))
}

fn wake(waker: Option<Waker>) {
    if let Some(waker) = waker {
        waker.wake();
    }
}

impl<const BUG: bool> Sender<BUG> {
    /// Waits for a place, and sends.
    pub async fn send(&self, message: u32) {
        poll_fn(|context| self.poll_send(message, context)).await;
    }

    fn poll_send(&self, message: u32, context: &mut Context<'_>) -> Poll<()> {
        let receiver = {
            let mut state = self.0.lock();
            if state.messages.len() == state.bound {
                state.waiting.push_back(context.waker().clone());
                return Poll::Pending;
            }
            state.messages.push_back(message);
            state.receiver.take()
        };
        wake(receiver);
        Poll::Ready(())
    }
}

impl<const BUG: bool> Clone for Sender<BUG> {
    fn clone(&self) -> Self {
        self.0.lock().senders += 1;
        Sender(self.0.clone())
    }
}

impl<const BUG: bool> Drop for Sender<BUG> {
    fn drop(&mut self) {
        let receiver = {
            let mut state = self.0.lock();
            state.senders -= 1;
            if state.senders == 0 && !BUG { state.receiver.take() } else { None }
        };
        wake(receiver);
    }
}

impl Receiver {
    /// Waits for a message; `None` when there is no sender any more.
    pub async fn recv(&mut self) -> Option<u32> {
        poll_fn(|context| self.poll_recv(context)).await
    }

    fn poll_recv(&mut self, context: &mut Context<'_>) -> Poll<Option<u32>> {
        let (message, sender) = {
            let mut state = self.0.lock();
            match state.messages.pop_front() {
                Some(message) => (Some(message), state.waiting.pop_front()),
                None if state.senders == 0 => return Poll::Ready(None),
                None => {
                    state.receiver = Some(context.waker().clone());
                    return Poll::Pending;
                }
            }
        };
        wake(sender);
        Poll::Ready(message)
    }
}

/// Two tasks send one message each through a channel for one; everything arrives, then the channel ends.
pub fn scenario<const BUG: bool>() {
    let (sender, mut receiver) = channel::<BUG>(1);
    let senders = [sender.clone(), sender];
    for (sender, message) in senders.into_iter().zip([1, 2]) {
        future::spawn(async move { sender.send(message).await });
    }
    future::block_on(async {
        let mut sum = 0;
        while let Some(message) = receiver.recv().await {
            sum += message;
        }
        assert_eq!(sum, 3);
    });
}
