//! Threads that compute on without ever coming to an operation. Nothing in the process can stop them, so it ends.
//!
//! Every run has a pulse of its own: the workers of a search are OS threads with a run each.

use crate::registry::Registry;
use model::{Names, ThreadId};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
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

    /// How often a fiber was resumed or suspended.
    #[inline]
    pub(crate) fn beats(&self) -> u64 {
        self.beats.load(Ordering::Relaxed)
    }

    #[inline]
    fn beat(&self) {
        // One OS thread writes it.
        self.beats.store(self.beats.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }
}

/// The pulses of a program's runs.
#[derive(Default)]
pub(crate) struct Pulses(Mutex<Vec<Weak<Pulse>>>);

impl Pulses {
    /// The pulse of a new run.
    pub(crate) fn add(&self) -> Arc<Pulse> {
        let pulse = Arc::new(Pulse::default());
        let mut pulses = self.lock();
        pulses.retain(|pulse| pulse.strong_count() > 0);
        pulses.push(Arc::downgrade(&pulse));
        pulse
    }

    fn alive(&self) -> Vec<Arc<Pulse>> {
        self.lock().iter().filter_map(Weak::upgrade).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Weak<Pulse>>> {
        // Nothing panics while holding it.
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Looks at the pulses of a search until it is dropped.
pub struct Watchdog {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    pub(crate) fn new(pulses: Arc<Pulses>, registry: Arc<Registry>, patience: Duration) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let watched = done.clone();
        let thread = std::thread::Builder::new().name("mazurka watchdog".to_owned());
        // Without a thread there is no watchdog, and the search goes on.
        let thread = thread.spawn(move || watch(&pulses, &registry, patience, &watched)).ok();
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

fn watch(pulses: &Pulses, registry: &Registry, patience: Duration, done: &AtomicBool) {
    let mut seen: Vec<Beat> = Vec::new();
    while !done.load(Ordering::Relaxed) {
        std::thread::park_timeout((patience / 4).max(Duration::from_millis(1)));
        let now = Instant::now();
        let beat = |pulse: Arc<Pulse>| {
            let beats = pulse.beats.load(Ordering::Relaxed);
            let before = seen.iter().find(|beat| Arc::ptr_eq(&beat.pulse, &pulse) && beat.beats == beats);
            Beat { beats, since: before.map_or(now, |beat| beat.since), pulse }
        };
        seen = pulses.alive().into_iter().map(beat).collect();
        if let Some(beat) = seen.iter().find(|beat| beat.beats % 2 == 1 && now - beat.since >= patience) {
            report(registry, ThreadId(beat.pulse.thread.load(Ordering::Relaxed)), patience);
        }
    }
}

/// A pulse as it was seen, and since when it has not changed.
struct Beat {
    pulse: Arc<Pulse>,
    beats: u64,
    since: Instant,
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
