//! Threads and handles to them.

use fiber::Guarded;
use model::{ObjectId, OpKind, Update};
use std::fmt;
use std::panic::Location;
use std::sync::{Arc, OnceLock};

/// Mirror of [`std::thread::ThreadId`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ThreadId(model::ThreadId);

/// Mirror of [`std::thread::Thread`].
#[derive(Clone)]
pub struct Thread {
    id: model::ThreadId,
    /// Looked up when it is asked for.
    name: OnceLock<Option<Arc<str>>>,
}

impl Thread {
    pub(super) fn new(id: Option<model::ThreadId>) -> Self {
        // No thread was created: only when the run is being given up.
        Thread { id: id.unwrap_or(model::ThreadId(0)), name: OnceLock::new() }
    }

    /// The thread's id.
    pub fn id(&self) -> ThreadId {
        ThreadId(self.id)
    }

    /// The name that the thread was given.
    pub fn name(&self) -> Option<&str> {
        self.name.get_or_init(|| fiber::thread_name(self.id).map(Arc::from)).as_deref()
    }

    /// Ends the thread's [`park`](super::park), or its next one.
    #[track_caller]
    pub fn unpark(&self) {
        // Whoever is unparked is after all who unparked it, so that where writes do not follow each other, this is an update.
        let kind = match fiber::is_apart() {
            true => OpKind::ReadModifyWrite(Update::Swap(1)),
            false => OpKind::Write(1),
        };
        fiber::perform(kind, fiber::parker(self.id), Location::caller());
    }

    pub(crate) fn is_finished(&self, location: &'static Location<'static>) -> bool {
        fiber::is_finished(self.id, location)
    }

    /// Somebody deals with the panic that ended the thread: it is no finding.
    pub(crate) fn forgive(&self) {
        fiber::forgive(self.id);
    }

    pub(super) fn join(&self, location: &'static Location<'static>) {
        fiber::perform(OpKind::Join(self.id), ObjectId::NONE, location);
    }
}

impl fmt::Debug for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thread").field("id", &self.id()).field("name", &self.name()).finish_non_exhaustive()
    }
}

/// What a thread leaves to the one that joins it.
pub(super) struct Packet<T>(Guarded<Option<super::Result<T>>>);

impl<T> Packet<T> {
    /// Nothing yet.
    pub(super) fn shared() -> Arc<Self> {
        let packet = Arc::new(Packet(Guarded::new(None)));
        fiber::is_counted_by_std(Arc::as_ptr(&packet).cast());
        packet
    }

    /// Says whether `f` panicked.
    pub(super) fn fill(&self, f: impl FnOnce() -> T) -> bool {
        let result = fiber::catch(f);
        let has_panicked = result.is_err();
        *self.0.write() = Some(result);
        has_panicked
    }

    /// What `thread` left.
    pub(super) fn take(&self, thread: &Thread) -> super::Result<T> {
        let result = self.0.write().take();
        if let Some(Err(_)) = result {
            thread.forgive();
        }
        result.unwrap_or_else(|| Err(Box::new("the execution was given up before the thread ended")))
    }
}

/// Mirror of [`std::thread::JoinHandle`].
pub struct JoinHandle<T> {
    thread: Thread,
    packet: Arc<Packet<T>>,
}

impl<T> JoinHandle<T> {
    pub(super) fn new(thread: Thread, packet: Arc<Packet<T>>) -> Self {
        JoinHandle { thread, packet }
    }

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
        self.packet.take(&self.thread)
    }
}

// SAFETY: the result is reached by who joins alone; that it may go from thread to thread was asked for when the thread was
// created.
#[allow(unsafe_code, reason = "as std's")]
unsafe impl<T> Send for JoinHandle<T> {}
// SAFETY: as above.
#[allow(unsafe_code, reason = "as std's")]
unsafe impl<T> Sync for JoinHandle<T> {}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").finish_non_exhaustive()
    }
}
