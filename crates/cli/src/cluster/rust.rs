//! Rust tests on a cluster: a worker runs the same test of the same test binary, which joins the run by itself.

use crate::problem::Problem;
use ::cluster::{Run, digest};
use explore::Settings;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// What a run of this kind is called in the tables.
pub(super) const KIND: &str = "rust";

const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Works on a run until it is over, or this process is to stop. False if the test ended otherwise than a test does that passed.
pub(super) fn work_on(
    url: &str,
    run: &Run,
    settings: &Settings,
    binaries: &[PathBuf],
    stop: &AtomicBool,
) -> Result<bool, Problem> {
    let binary = find(run, binaries)?;
    let cannot = |error| Problem::Input(format!("cannot run '{}': {error}", binary.display()));
    let mut test = Command::new(binary)
        .args([&*run.name, "--exact", "--nocapture"])
        // Tests that run one after the other are not in threads with their names.
        .env_remove("RUST_TEST_THREADS")
        .env("MAZURKA_CLUSTER", url)
        .env("MAZURKA_CLUSTER_RUN", run.run.to_string())
        .env("MAZURKA_WORKERS", settings.workers.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .map_err(cannot)?;
    loop {
        if let Some(status) = test.try_wait().map_err(cannot)? {
            return Ok(status.success());
        }
        if stop.load(Ordering::Relaxed) {
            // What it has not committed is done again by another.
            test.kill().and_then(|()| test.wait()).map_err(cannot)?;
            return Ok(true);
        }
        thread::sleep(BETWEEN_LOOKS);
    }
}

/// The binary with the run's test.
fn find<'b>(run: &Run, binaries: &'b [PathBuf]) -> Result<&'b Path, Problem> {
    let mut others = Vec::new();
    for binary in binaries {
        let bytes = std::fs::read(binary)
            .map_err(|error| Problem::Input(format!("cannot read '{}': {error}", binary.display())))?;
        let own = digest(&bytes);
        if own == run.digest {
            return Ok(binary);
        }
        others.push(format!("'{}' has {own:.16}", binary.display()));
    }
    let others = if others.is_empty() { "none was given".to_owned() } else { others.join(", ") };
    Err(Problem::Input(format!(
        "it is a Rust test, of a binary with the digest {:.16}; give the same binary by --test-binary ({others})",
        run.digest
    )))
}
