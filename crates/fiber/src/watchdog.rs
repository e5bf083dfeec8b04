//! Threads that compute on without ever coming to an operation. Nothing in the process can stop them, so it ends.

use crate::registry::Registry;
use model::{Names, ThreadId};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Beats when a fiber is resumed and when it is suspended.
#[derive(Default)]
pub(crate) struct Pulse {
    /// Odd while a fiber runs.
    beats: AtomicU64,
    thread: AtomicU32,
}

impl Pulse {
    #[inline]
    pub(crate) fn begin(&self, thread: ThreadId) {
        self.thread.store(thread.0, Ordering::Relaxed);
        self.beat();
    }

    #[inline]
    pub(crate) fn end(&self) {
        self.beat();
    }

    #[inline]
    fn beat(&self) {
        // One OS thread writes it.
        self.beats.store(self.beats.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }
}

/// Looks at the pulse of a search until it is dropped.
pub struct Watchdog {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    pub(crate) fn new(pulse: Arc<Pulse>, registry: Arc<Registry>, patience: Duration) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let watched = done.clone();
        let thread = std::thread::Builder::new().name("mazurka watchdog".to_owned());
        // Without a thread there is no watchdog, and the search goes on.
        let thread = thread.spawn(move || watch(&pulse, &registry, patience, &watched)).ok();
        Watchdog { done, thread }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It cannot have panicked.
            let _ = thread.join();
        }
    }
}

fn watch(pulse: &Pulse, registry: &Registry, patience: Duration, done: &AtomicBool) {
    let mut seen = pulse.beats.load(Ordering::Relaxed);
    let mut since = Instant::now();
    while !done.load(Ordering::Relaxed) {
        std::thread::park_timeout((patience / 4).max(Duration::from_millis(1)));
        let beats = pulse.beats.load(Ordering::Relaxed);
        if beats != seen {
            (seen, since) = (beats, Instant::now());
        } else if beats % 2 == 1 && since.elapsed() >= patience {
            report(registry, ThreadId(pulse.thread.load(Ordering::Relaxed)), patience);
        }
    }
}

fn report(registry: &Registry, thread: ThreadId, patience: Duration) -> ! {
    eprintln!(
        "mazurka: thread {} has computed for more than {patience:?} since its last operation. It may be in an endless loop, \
         or wait for something that is not mazurka's (a lock of std, a channel, a real sleep). If it only computes, raise \
         the limit: MAZURKA_HANG_AFTER, or Checker::hang_after.",
        registry.thread(thread)
    );
    std::process::exit(101)
}
