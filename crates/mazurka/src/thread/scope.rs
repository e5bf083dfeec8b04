//! Mirror of [`std::thread::scope`].

use super::Thread;
use super::handle::Packet;
use fiber::{Guarded, Wish};
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, Location, RefUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Mirror of [`std::thread::Scope`].
pub struct Scope<'scope, 'env: 'scope> {
    /// The threads that nobody joined yet.
    threads: Guarded<Vec<Unjoined>>,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

/// A thread, and whether it panicked.
type Unjoined = (Thread, Arc<AtomicBool>);

/// Mirror of [`std::thread::ScopedJoinHandle`].
pub struct ScopedJoinHandle<'scope, T> {
    thread: Thread,
    packet: Arc<Packet<T>>,
    threads: &'scope Guarded<Vec<Unjoined>>,
}

/// Runs `f` and waits for the threads that were created in the scope.
///
/// # Panics
/// If a thread panicked that nobody joined.
#[track_caller]
pub fn scope<'env, F, T>(f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let location = Location::caller();
    let scope = Scope { threads: Guarded::new(Vec::new()), scope: PhantomData, env: PhantomData };
    let result = catch_unwind(AssertUnwindSafe(|| f(&scope)));
    // A thread of the scope may create further ones meanwhile. When the run is given up, they were unwound before.
    let mut has_panic = false;
    while !fiber::abandoned() {
        let next = scope.threads.write().pop();
        let Some((thread, panicked)) = next else { break };
        thread.join(location);
        has_panic |= panicked.load(Relaxed);
    }
    match result {
        Ok(_) if has_panic => panic!("a scoped thread panicked"),
        Ok(value) => value,
        Err(panic) => resume_unwind(panic),
    }
}

impl<'scope> Scope<'scope, '_> {
    /// Creates a thread that may borrow what outlives the scope.
    #[track_caller]
    pub fn spawn<F, T>(&'scope self, f: F) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        self.spawn_as(f, Wish::default(), Location::caller())
    }

    pub(super) fn spawn_as<F, T>(
        &'scope self,
        f: F,
        wish: Wish<'_>,
        location: &'static Location<'static>,
    ) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let packet = Packet::shared();
        let theirs = packet.clone();
        let panicked = Arc::new(AtomicBool::new(false));
        fiber::is_counted_by_std(Arc::as_ptr(&panicked).cast());
        let has_panicked = panicked.clone();
        // SAFETY: `scope` does not return before the thread has ended, for nobody can create a `Scope` elsewhere; when the
        // run is given up, this thread is unwound before the one that is in `scope`, because it is younger.
        #[allow(unsafe_code, reason = "a thread that borrows, as in std")]
        let id = unsafe { fiber::spawn(move || has_panicked.store(theirs.fill(f), Relaxed), wish, location) };
        let thread = Thread::new(id);
        self.threads.write().push((thread.clone(), panicked));
        ScopedJoinHandle { thread, packet, threads: &self.threads }
    }
}

impl<T> ScopedJoinHandle<'_, T> {
    /// The thread.
    pub fn thread(&self) -> &Thread {
        &self.thread
    }

    /// Whether the thread has ended.
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        self.thread.is_finished(Location::caller())
    }

    /// Waits for the thread's end.
    #[track_caller]
    pub fn join(self) -> super::Result<T> {
        self.thread.join(Location::caller());
        self.threads.write().retain(|(thread, _)| thread.id() != self.thread.id());
        self.packet.take(&self.thread)
    }
}

impl RefUnwindSafe for Scope<'_, '_> {}

impl fmt::Debug for Scope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for ScopedJoinHandle<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopedJoinHandle").finish_non_exhaustive()
    }
}
