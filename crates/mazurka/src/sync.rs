//! Mirror of [`std::sync`].

pub mod atomic;
mod barrier;
mod condvar;
mod lazy_lock;
mod lock_api;
pub mod mpsc;
mod mutex;
mod once;
mod once_lock;
mod poison;
mod protected;
mod rwlock;

pub use barrier::{Barrier, BarrierWaitResult};
pub use condvar::{Condvar, WaitTimeoutResult};
pub use lazy_lock::LazyLock;
pub use mutex::{Mutex, MutexGuard};
pub use once::{Once, OnceState};
pub use once_lock::OnceLock;
pub use rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
// Reference counts are not operations: that they are right is std's affair, and dropping the last reference happens in
// the step in which it happens.
pub use std::sync::{Arc, LockResult, PoisonError, TryLockError, TryLockResult, Weak};
