//! `mazurka status`: how the runs of a cluster go.

use crate::output::print;
use crate::problem::{Problem, Status};
use ::cluster::{Owner, RunState, RunStatus, Store, WorkerStatus};
use clap::Args;
use report::summary::time;
use report::table::thousands;
use std::collections::HashMap;
use std::fmt::Write;
use std::thread;
use std::time::{Duration, Instant};

/// The arguments of `mazurka status`.
#[derive(Args)]
pub(crate) struct StatusArgs {
    /// The cluster: the address of a PostgreSQL server
    #[arg(value_name = "URL", env = "MAZURKA_CLUSTER", hide_env_values = true)]
    cluster: String,
    /// Keep it on the screen
    #[arg(long)]
    watch: bool,
}

const BETWEEN_LOOKS: Duration = Duration::from_secs(2);
/// To the upper left, and all below is cleared.
const CLEAR: &str = "\x1b[H\x1b[J";

/// Prints how all runs go.
pub(crate) fn status(args: &StatusArgs) -> Result<Status, Problem> {
    let mut store = Store::open(&args.cluster, Owner::here()).map_err(Problem::input)?;
    let mut before: HashMap<i64, (Instant, u64)> = HashMap::new();
    loop {
        let runs = ::cluster::status(&mut store).map_err(Problem::input)?;
        let mut text = String::new();
        if runs.is_empty() {
            text.push_str("there are no runs\n");
        }
        for run in &runs {
            let executions = run.tally.executions();
            let average = executions as f64 / run.elapsed.as_secs_f64().max(0.001);
            let rate = match before.insert(run.run, (Instant::now(), executions)) {
                Some((then, count)) if count <= executions => {
                    (executions - count) as f64 / then.elapsed().as_secs_f64()
                }
                _ => average,
            };
            text += &show(run, rate);
        }
        if !args.watch {
            print(&text)?;
            return Ok(Status::Proved);
        }
        print(&format!("{CLEAR}{text}"))?;
        thread::sleep(BETWEEN_LOOKS);
    }
}

fn show(run: &RunStatus, rate: f64) -> String {
    let mut text = format!("run {}  {}  {}  {}", run.run, run.name, run.state, time(run.elapsed.as_secs_f64()));
    if run.version > 0 {
        // Writing to a string does not fail.
        let _ = write!(text, ", begun anew {} times", run.version);
    }
    let executions = thousands(run.tally.executions());
    let _ = write!(text, "\n  {executions} executions, {} a second", thousands(rate as u64));
    if run.state != RunState::Done {
        let _ = write!(text, "; about {:.3} % explored", 100.0 * run.share.clamp(0.0, 1.0));
    }
    let blocked = run.tally.sleep_set_blocked;
    if blocked > 0 {
        let _ = write!(text, "; {} given up", thousands(blocked));
    }
    if run.findings > 0 {
        let _ = write!(text, "; {} executions with findings are kept", run.findings);
    }
    let _ = write!(text, "\n  tasks: {} in {} bundles ready and {} leased", run.tasks, run.ready, run.leased);
    if run.set_aside > 0 {
        let _ = write!(text, ", {} set aside", run.set_aside);
    }
    if !run.is_sound {
        text.push_str("\n  tasks were lost: there will be no verdict");
    }
    text.push('\n');
    run.workers.iter().for_each(|worker| text += &line(worker));
    text
}

fn line(worker: &WorkerStatus) -> String {
    let cores = if worker.cores == 1 { "core" } else { "cores" };
    let idle = if worker.is_idle { ", idle" } else { "" };
    format!("  {}  {} {cores}{idle}, seen {} ago\n", worker.name, worker.cores, time(worker.seen.as_secs_f64()))
}
