//! A mutex whose lock is a future.

use crate::shim::future;
use crate::shim::sync::{self, Arc};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct State {
    locked: bool,
    waiting: VecDeque<Waker>,
}

/// A mutex without data. With `BUG`, a task looks whether it is locked, and is put on the list of those who wait a moment
/// later.
#[derive(Default)]
pub struct Mutex<const BUG: bool>(sync::Mutex<State>);

/// Gives the lock back when it is dropped.
pub struct Guard<'a, const BUG: bool>(&'a Mutex<BUG>);

impl<const BUG: bool> Mutex<BUG> {
    /// Waits until the mutex is free, and holds it.
    pub async fn lock(&self) -> Guard<'_, BUG> {
        poll_fn(|context| self.poll_lock(context)).await;
        Guard(self)
    }

    /// Gives the lock back.
    pub fn unlock(&self) {
        let next = {
            let mut state = self.0.lock().unwrap();
            state.locked = false;
            state.waiting.pop_front()
        };
        if let Some(waker) = next {
            waker.wake();
        }
    }

    fn poll_lock(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.0.lock().unwrap();
        if !state.locked {
            state.locked = true;
            return Poll::Ready(());
        }
        if BUG {
            drop(state);
            state = self.0.lock().unwrap();
        }
        state.waiting.push_back(context.waker().clone());
        Poll::Pending
    }
}

impl<const BUG: bool> Drop for Guard<'_, BUG> {
    fn drop(&mut self) {
        self.0.unlock();
    }
}

/// Two tasks are in the critical section one after the other.
pub fn scenario<const BUG: bool>() {
    let mutex = Arc::new(Mutex::<BUG>::default());
    let inside = Arc::new(sync::atomic::AtomicU32::new(0));
    let tasks = [(); 2].map(|()| {
        let (mutex, inside) = (mutex.clone(), inside.clone());
        future::spawn(async move {
            let _guard = mutex.lock().await;
            assert_eq!(inside.fetch_add(1, sync::atomic::Ordering::SeqCst), 0);
            inside.fetch_sub(1, sync::atomic::Ordering::SeqCst);
        })
    });
    future::block_on(async {
        for task in tasks {
            task.await.unwrap();
        }
    });
}
