//! Mirror of [`std::thread::scope`].

use super::Thread;
use super::handle::Packet;
use fiber::{Guarded, Wish};
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, Location, RefUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// Mirror of [`std::thread::Scope`].
pub struct Scope<'scope, 'env: 'scope> {
    /// The threads that nobody joined yet.
    threads: Guarded<Vec<Thread>>,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

/// Mirror of [`std::thread::ScopedJoinHandle`].
pub struct ScopedJoinHandle<'scope, T> {
    thread: Thread,
    packet: Arc<Packet<T>>,
    threads: &'scope Guarded<Vec<Thread>>,
}

/// Runs `f` and waits for the threads that were created in the scope.
#[track_caller]
pub fn scope<'env, F, T>(f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let location = Location::caller();
    let scope = Scope { threads: Guarded::new(Vec::new()), scope: PhantomData, env: PhantomData };
    let result = catch_unwind(AssertUnwindSafe(|| f(&scope)));
    // A thread of the scope may create further ones meanwhile. When the run is given up, they were unwound before.
    while !fiber::abandoned() {
        let next = scope.threads.write().pop();
        let Some(thread) = next else { break };
        thread.join(location);
    }
    match result {
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
        let packet = Arc::new(Packet::new());
        let theirs = packet.clone();
        // SAFETY: `scope` does not return before the thread has ended, for nobody can create a `Scope` elsewhere; when the
        // run is given up, this thread is unwound before the one that is in `scope`, because it is younger.
        #[allow(unsafe_code, reason = "a thread that borrows, as in std")]
        let id = unsafe { fiber::spawn(move || theirs.fill(f), wish, location) };
        let thread = Thread::new(id);
        self.threads.write().push(thread.clone());
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
        self.threads.write().retain(|thread| thread.id() != self.thread.id());
        self.packet.take()
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
