//! Watching a run until something has happened.

use mazurka_cluster::{Run, RunState, Store, status};
use std::thread;
use std::time::{Duration, Instant};

/// Waits until more executions than `last` are committed in a run, which still goes on; how many.
pub(crate) fn wait_for_more(store: &mut Store, run: &Run, last: u64) -> u64 {
    let started = Instant::now();
    loop {
        let runs = status(store).expect("a status");
        let now = runs.iter().find(|status| status.run == run.run).expect("the run");
        assert_eq!(now.state, RunState::Open, "the run is over before anything could happen to it");
        if now.tally.executions() > last {
            return now.tally.executions();
        }
        assert!(started.elapsed() < Duration::from_secs(120), "nobody works");
        thread::sleep(Duration::from_millis(2));
    }
}
