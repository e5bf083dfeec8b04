//! `mazurka worker`: works on the runs of a cluster.

use super::{c, open, rust, texts};
use crate::problem::{Problem, Status};
use ::cluster::{Run, Store, Worked};
use clap::Args;
use explore::Settings;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  mazurka worker postgres://mazurka@db/mazurka                  join whatever runs there, until Ctrl-C
  mazurka worker postgres://mazurka@db/mazurka --run 7          one run, until it is over
  mazurka worker postgres://mazurka@db/mazurka --idle 10m       end when there was nothing to do for so long";

/// The arguments of `mazurka worker`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WorkerArgs {
    /// The cluster: the address of a PostgreSQL server
    #[arg(value_name = "URL", env = "MAZURKA_CLUSTER", hide_env_values = true)]
    cluster: String,
    /// Only this run, by the number that `mazurka status` shows; ends when it is over
    #[arg(long, value_name = "NUMBER")]
    run: Option<i64>,
    /// How many threads of the operating system search at the same time [default: one for each core]
    #[arg(long, value_name = "NUMBER")]
    workers: Option<NonZeroUsize>,
    /// End when no run has been open for so long, such as 30s or 10m [default: never]
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    idle: Option<Duration>,
    /// A binary of Rust tests: runs of its tests are worked on; may be given several times
    #[arg(long, value_name = "PATH")]
    test_binary: Vec<PathBuf>,
    /// End when the server has not answered for so long
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "1h")]
    patience: Duration,
    /// How long tasks belong to a worker that gives no sign of life
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "60s", hide = true)]
    lease: Duration,
}

/// A run whose test ended so many times before it was over is left to others.
const MOST_FAILURES: u32 = 20;
/// How often to look for runs.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// Works until it is told to stop.
pub(crate) fn worker(args: &WorkerArgs) -> Result<Status, Problem> {
    let (mut store, stop) = open(&args.cluster, args.lease)?;
    store.set_patience(args.patience);
    let settings = Settings { workers: args.workers.unwrap_or_else(explore::cores), ..Settings::default() };
    if let Some(run) = args.run {
        let run = store.run(run).map_err(Problem::input)?;
        args.work_on(&mut store, &run, &settings, &stop)?;
        return Ok(Status::Proved);
    }
    let (mut refused, mut failures) = (BTreeSet::new(), BTreeMap::new());
    let mut since = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        let runs = store.open_runs().map_err(Problem::input)?;
        let Some(run) = runs.into_iter().find(|run| !refused.contains(&run.run)) else {
            if args.idle.is_some_and(|idle| since.elapsed() >= idle) {
                break;
            }
            thread::sleep(BETWEEN_LOOKS);
            continue;
        };
        match args.work_on(&mut store, &run, &settings, &stop) {
            Ok(true) => {}
            // It may have been the program that ended it; a task that does so again and again is set aside.
            Ok(false) => {
                let times: &mut u32 = failures.entry(run.run).or_default();
                *times += 1;
                if *times == MOST_FAILURES {
                    eprintln!("run {} ({}): the test ended {times} times before the run did", run.run, run.name);
                    refused.insert(run.run);
                }
                thread::sleep(BETWEEN_LOOKS);
            }
            Err(problem) if store.is_server_gone() => return Err(problem),
            Err(problem) => {
                eprintln!("run {} ({}): {problem}", run.run, run.name);
                refused.insert(run.run);
            }
        }
        since = Instant::now();
    }
    Ok(Status::Proved)
}

impl WorkerArgs {
    /// False if the program ended the process that ran it.
    fn work_on(&self, store: &mut Store, run: &Run, settings: &Settings, stop: &AtomicBool) -> Result<bool, Problem> {
        match run.kind.as_str() {
            texts::LITMUS | texts::PROMELA => {
                tell(run, &texts::work_on(store, run, settings, &mut |_| true)?);
                Ok(true)
            }
            c::KIND => {
                tell(run, &c::work_on(store, run, settings)?);
                Ok(true)
            }
            rust::KIND => rust::work_on(&self.cluster, run, settings, &self.test_binary, stop),
            kind => Err(Problem::Input(format!("this worker knows no programs of the kind '{kind}'"))),
        }
    }
}

fn tell(run: &Run, worked: &Worked) {
    let state = worked.state.map_or("forgotten".to_owned(), |state| state.to_string());
    eprintln!(
        "run {} ({}) is {state}: {} executions here, in {} commits, {} late",
        run.run,
        run.name,
        worked.tally.executions(),
        worked.committed,
        worked.rejected
    );
}
