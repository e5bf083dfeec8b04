//! Mirror of [`std::sync`].

mod arc;
pub mod atomic;
mod barrier;
mod condvar;
mod latch;
mod lazy_lock;
mod lock_api;
pub mod mpsc;
mod mutex;
mod once;
mod once_lock;
mod poison;
mod protected;
mod rwlock;
mod unwind;

pub use arc::{Arc, Weak};
pub use barrier::{Barrier, BarrierWaitResult};
pub use condvar::{Condvar, WaitTimeoutResult};
pub use latch::Latch;
pub use lazy_lock::LazyLock;
pub use mutex::{Mutex, MutexGuard};
#[allow(deprecated, reason = "as std has it")]
pub use once::ONCE_INIT;
pub use once::{Once, OnceState};
pub use once_lock::OnceLock;
pub use rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
pub use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};
