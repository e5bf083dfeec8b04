//! A task that is aborted while it holds a lock.

use super::mutex::Mutex;
use crate::shim::future;
use crate::shim::sync::Arc;

/// One task holds the lock while it waits for a timer, and is aborted; another one wants the lock. With `BUG`, the first
/// gives the lock back by a call after the wait, to which it never comes if it is aborted meanwhile.
pub fn scenario<const BUG: bool>() {
    let mutex = Arc::new(Mutex::<false>::default());
    let theirs = mutex.clone();
    let holder = future::Builder::new().name("holder").spawn(async move {
        let guard = theirs.lock().await;
        if BUG {
            std::mem::forget(guard);
            future::yield_now().await;
            theirs.unlock();
        } else {
            future::yield_now().await;
        }
    });
    holder.abort();
    let other = future::Builder::new().name("other").spawn(async move {
        let _guard = mutex.lock().await;
    });
    future::block_on(async {
        let _ = holder.await;
        other.await.unwrap();
    });
}
