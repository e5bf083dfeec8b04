//! Which mirrors may be shared, and used after a panic was caught: those whose originals may.

use super::{LazyLock, Mutex, MutexGuard, OnceLock, RwLock, RwLockReadGuard, RwLockWriteGuard, mpsc};
use std::panic::{RefUnwindSafe, UnwindSafe};

impl<T: ?Sized> UnwindSafe for Mutex<T> {}
impl<T: ?Sized> RefUnwindSafe for Mutex<T> {}
impl<T: ?Sized> UnwindSafe for RwLock<T> {}
impl<T: ?Sized> RefUnwindSafe for RwLock<T> {}
impl<T: UnwindSafe> UnwindSafe for OnceLock<T> {}
impl<T: RefUnwindSafe + UnwindSafe> RefUnwindSafe for OnceLock<T> {}
impl<T: UnwindSafe, F: UnwindSafe> UnwindSafe for LazyLock<T, F> {}
impl<T: RefUnwindSafe + UnwindSafe, F: UnwindSafe> RefUnwindSafe for LazyLock<T, F> {}
impl<T> UnwindSafe for mpsc::Sender<T> {}
impl<T> RefUnwindSafe for mpsc::Sender<T> {}
impl<T> UnwindSafe for mpsc::SyncSender<T> {}
impl<T> RefUnwindSafe for mpsc::SyncSender<T> {}
impl<T> UnwindSafe for mpsc::Receiver<T> {}
impl<T> RefUnwindSafe for mpsc::Receiver<T> {}

impl<T: ?Sized> UnwindSafe for MutexGuard<'_, T> {}
impl<T: ?Sized> RefUnwindSafe for MutexGuard<'_, T> {}
impl<T: ?Sized + RefUnwindSafe> UnwindSafe for RwLockReadGuard<'_, T> {}
impl<T: ?Sized + RefUnwindSafe> RefUnwindSafe for RwLockReadGuard<'_, T> {}
impl<T: ?Sized> UnwindSafe for RwLockWriteGuard<'_, T> {}
impl<T: ?Sized> RefUnwindSafe for RwLockWriteGuard<'_, T> {}

// SAFETY: what shares a guard has the data shared, and nothing else of it.
#[allow(unsafe_code, reason = "as std's")]
unsafe impl<T: ?Sized + Sync> Sync for MutexGuard<'_, T> {}
// SAFETY: as above.
#[allow(unsafe_code, reason = "as std's")]
unsafe impl<T: ?Sized + Sync> Sync for RwLockReadGuard<'_, T> {}
// SAFETY: as above.
#[allow(unsafe_code, reason = "as std's")]
unsafe impl<T: ?Sized + Sync> Sync for RwLockWriteGuard<'_, T> {}
