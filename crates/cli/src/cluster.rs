//! Searches on many machines: `--cluster`, `mazurka worker`, `mazurka status` and others.

mod c;
mod rust;
mod status;
mod texts;
mod worker;

pub(crate) use status::{StatusArgs, status};
pub(crate) use texts::search_of;
pub(crate) use worker::{WorkerArgs, worker};

use crate::checkpoint::watch;
use crate::output::print;
use crate::problem::{Problem, Status};
use crate::search::SearchArgs;
use crate::target::Target;
use ::cluster::{Config, Owner, Run, RunState, Store, Verdict, Worked};
use clap::Args;
use explore::{AlgorithmInfo, Report, report_of};
use graphs::ModelInfo;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use trace::{Progress, Sink, Tally};

/// Where a search is shared.
#[derive(Args, Clone)]
#[command(next_help_heading = "Cluster (with pop, or under a memory model)")]
pub(crate) struct ClusterArgs {
    /// Put the search on a cluster, the address of a PostgreSQL server, and work on it; see `mazurka worker`
    #[arg(long, value_name = "URL", env = "MAZURKA_CLUSTER", hide_env_values = true)]
    cluster: Option<String>,
    /// How long tasks belong to a worker that gives no sign of life
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "60s", hide = true)]
    lease: Duration,
}

/// The same where there is no search on clusters.
#[derive(Args, Clone)]
pub(crate) struct NoClusterArgs {
    #[arg(long, hide = true, value_name = "URL")]
    cluster: Option<String>,
}

impl NoClusterArgs {
    pub(crate) fn refuse(&self, what: &str) -> Result<(), Problem> {
        match &self.cluster {
            None => Ok(()),
            Some(_) => Err(Problem::Input(format!("{what} cannot be put on a cluster; leave out --cluster"))),
        }
    }
}

/// Connects. The first Ctrl-C makes this process stop in order.
fn open(url: &str, lease: Duration) -> Result<(Store, Arc<AtomicBool>), Problem> {
    let mut store = Store::open(url, Owner::here()).map_err(Problem::input)?;
    let stop = watch()?;
    store.set_lease(lease);
    store.set_stop(stop.clone());
    Ok((store, stop))
}

impl ClusterArgs {
    pub(crate) fn is_given(&self) -> bool {
        self.cluster.is_some()
    }

    /// Puts a search on the cluster, works on it until it is over, and reports. Also why it is not exhaustive.
    pub(crate) fn explore(
        &self,
        target: &Target,
        search: &SearchArgs,
        sink: &mut dyn Sink,
    ) -> Result<(&'static AlgorithmInfo, Report, Option<String>), Problem> {
        let (info, settings) = (search.algorithm(), search.settings());
        let config = Config::new(info, &settings, Vec::new()).map_err(Problem::input)?;
        let Shared { mut store, run, verdict, because } = self.share(target, search, config, sink)?;
        let version = store.version(&run).map_err(Problem::input)?;
        let report = report_of(info, &*target.program, &settings, &version.lessons, &verdict.total())?;
        Ok((info, report, because))
    }

    /// The same under a memory model.
    pub(crate) fn explore_under(
        &self,
        model: &'static ModelInfo,
        target: &Target,
        search: &SearchArgs,
        sink: &mut dyn Sink,
    ) -> Result<(graphs::Report, Option<String>), Problem> {
        if target.program.threads().is_none() {
            return Err(Problem::input(graphs::Error::NoThreads));
        }
        let settings = search.settings();
        let config = Config::under_model(model.name, &settings, Vec::new());
        let Shared { verdict, because, .. } = self.share(target, search, config, sink)?;
        let report = graphs::report_of(&*target.program, model, &(&settings).into(), &verdict.total());
        Ok((report.map_err(Problem::input)?, because))
    }

    /// Puts a search on the cluster, and works on it until it is over.
    fn share(
        &self,
        target: &Target,
        search: &SearchArgs,
        config: Config,
        sink: &mut dyn Sink,
    ) -> Result<Shared, Problem> {
        search.check_for_cluster()?;
        let settings = search.settings();
        let new = texts::new_run(target, config, &settings)?;
        let (mut store, _) = open(self.cluster.as_deref().unwrap_or_default(), self.lease)?;
        let run = store.create(&new).map_err(Problem::input)?;
        eprintln!("run {} on the cluster; `mazurka worker` on any machine joins", run.run);
        let started = Instant::now();
        let mut is_late = false;
        let mut progress = |tally: &Tally| {
            let elapsed = started.elapsed();
            let progress = Progress { tally: *tally, elapsed, depth: 0, share: None, tasks: None };
            is_late = settings.limits.time.is_some_and(|time| elapsed >= time);
            sink.progress(&progress).is_continue() && !is_late
        };
        let worked = texts::work_on(&mut store, &run, &settings, &mut progress)?;
        if is_late {
            store.set_open(run.run, false).map_err(Problem::input)?;
        }
        let (verdict, because) = verdict(&mut store, &run, &worked, is_late)?;
        Ok(Shared { store, run, verdict, because })
    }
}

/// A search that was put on the cluster and is over, here at least.
struct Shared {
    store: Store,
    run: Run,
    verdict: Verdict,
    /// Why it is not exhaustive.
    because: Option<String>,
}

/// What a run came to, as far as it came, and why that is not exhaustive where the report would not say so.
fn verdict(store: &mut Store, run: &Run, worked: &Worked, is_late: bool) -> Result<(Verdict, Option<String>), Problem> {
    let number = run.run;
    let state = match worked.state {
        Some(RunState::Done) => {
            let verdict = store.verdict(run).map_err(Problem::input)?;
            let because = (!verdict.set_aside.is_empty()).then(|| {
                let schedules = verdict.set_aside.join("\n  ");
                format!("some executions ended their worker five times, and were set aside:\n  {schedules}")
            });
            return Ok((verdict, because));
        }
        Some(RunState::Failed) => {
            let verdict = store.verdict(run).map_err(Problem::input)?;
            return Err(Problem::Input(verdict.problem.unwrap_or_else(|| "the run has failed".to_owned())));
        }
        None => return Err(Problem::Input(format!("run {number} was forgotten"))),
        Some(state) => state,
    };
    let because = match (is_late, state) {
        (true, _) => format!("the time limit was reached; `mazurka resume --run {number}` lets workers go on"),
        (_, RunState::Stopped) => {
            format!("run {number} was stopped; `mazurka resume --run {number}` lets workers go on")
        }
        _ => format!("it was interrupted here; run {number} is still on the cluster"),
    };
    Ok((store.so_far(run).map_err(Problem::input)?, Some(because)))
}

/// A run of a cluster.
#[derive(Args)]
pub(crate) struct RunNumberArgs {
    /// The cluster: the address of a PostgreSQL server
    #[arg(value_name = "URL", env = "MAZURKA_CLUSTER", hide_env_values = true)]
    cluster: String,
    /// The run, by the number that `mazurka status` shows
    #[arg(long, value_name = "NUMBER")]
    run: i64,
}

impl RunNumberArgs {
    fn set_open(&self, open: bool) -> Result<Status, Problem> {
        let mut store = Store::open(&self.cluster, Owner::here()).map_err(Problem::input)?;
        let state = store.set_open(self.run, open).map_err(Problem::input)?;
        let wanted = if open { RunState::Open } else { RunState::Stopped };
        if state != wanted {
            return Err(Problem::Input(format!("run {} is {state}", self.run)));
        }
        print(&format!("run {} is {state}\n", self.run))?;
        Ok(Status::Proved)
    }
}

/// Stops a run.
pub(crate) fn stop(args: &RunNumberArgs) -> Result<Status, Problem> {
    args.set_open(false)
}

/// Goes on with a run.
pub(crate) fn resume(args: &RunNumberArgs) -> Result<Status, Problem> {
    args.set_open(true)
}

/// Removes a run.
pub(crate) fn forget(args: &RunNumberArgs) -> Result<Status, Problem> {
    let mut store = Store::open(&args.cluster, Owner::here()).map_err(Problem::input)?;
    store.forget(args.run).map_err(Problem::input)?;
    print(&format!("run {} is forgotten\n", args.run))?;
    Ok(Status::Proved)
}
