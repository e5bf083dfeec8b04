//! The live line of `mazurka verify`.

use explore::StateCounts;
use promela::Progress;
use report::progress::LiveLine;
use report::table::thousands;
use std::time::{Duration, Instant};

/// Does a search in a thread of its own, and shows meanwhile how far it is.
pub(super) fn watched<T: Send>(search: impl FnOnce(&Progress) -> T + Send) -> T {
    let progress = Progress::default();
    let started = Instant::now();
    let mut line = LiveLine::default();
    std::thread::scope(|scope| {
        let (done, is_done) = std::sync::mpsc::channel::<()>();
        let searcher = scope.spawn({
            let progress = &progress;
            move || {
                // Dropped when the search ends, however it does.
                let _done = done;
                search(progress)
            }
        });
        while let Err(std::sync::mpsc::RecvTimeoutError::Timeout) = is_done.recv_timeout(Duration::from_millis(100)) {
            let elapsed = started.elapsed();
            line.show(elapsed, || text(&progress, elapsed));
        }
        line.clear();
        searcher.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The same in this thread, by a search that says now and then how far it is.
pub(super) fn watched_here<T>(search: impl FnOnce(&mut dyn FnMut(&StateCounts)) -> T) -> T {
    let (progress, started, mut line) = (Progress::default(), Instant::now(), LiveLine::default());
    let done = search(&mut |counts| {
        progress.show(counts.states, counts.depth, counts.memory);
        let elapsed = started.elapsed();
        line.show(elapsed, || text(&progress, elapsed));
    });
    line.clear();
    done
}

fn text(progress: &Progress, elapsed: Duration) -> String {
    let states = progress.states();
    let rate = states as f64 / elapsed.as_secs_f64().max(0.001);
    format!(
        "states {}, {} a second, depth {}, {} MB",
        thousands(states),
        thousands(rate as u64),
        thousands(progress.depth()),
        thousands(progress.memory() / 1_000_000),
    )
}
