//! The builder of checks.

use super::found::{Report, Told};
use super::learning::Learning;
use super::memory::{Memory, Outcome};
use super::{environment, page, text};
use explore::{AlgorithmInfo, Settings, search_until_known};
use fiber::{FiberProgram, Knowledge, Lessons, NoKnowledge, Options};
use model::{Schedule, ScheduleError};
use report::progress::ProgressLine;
use report::sinks::Several;
use report::timeline::Timeline;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;
use trace::Sink;

/// What came of a search.
type Searched = Result<explore::Report, explore::Error>;

/// A schedule, and what was known of the program when it was found; `None` if it does not say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Replay {
    schedule: Schedule,
    knowledge: Option<Knowledge>,
}

impl FromStr for Replay {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (schedule, knowledge) = match text.find('+') {
            Some(place) => {
                (&text[..place], Some(text[place..].parse().map_err(|problem: NoKnowledge| problem.to_string())?))
            }
            None => (text, None),
        };
        Ok(Replay { schedule: schedule.parse().map_err(|problem: ScheduleError| problem.to_string())?, knowledge })
    }
}

/// How a check is to be done.
#[derive(Clone)]
pub struct Checker {
    pub(super) algorithm: Option<&'static AlgorithmInfo>,
    pub(super) settings: Settings,
    pub(super) options: Options,
    pub(super) memory: Memory,
    pub(super) replay: Option<Replay>,
    pub(super) suggest_orders: bool,
    pub(super) quiet: bool,
    pub(super) html: Option<PathBuf>,
    pub(super) launch_json: bool,
    /// The address of a cluster.
    pub(super) cluster: Option<String>,
}

impl Checker {
    /// The usual settings, whatever the environment says.
    pub fn new() -> Self {
        Checker {
            algorithm: None,
            settings: Settings { workers: explore::cores(), bug_first: true, shrink: true, ..Settings::default() },
            options: Options::default(),
            memory: Memory::Language,
            replay: None,
            suggest_orders: false,
            quiet: true,
            html: None,
            launch_json: false,
            cluster: None,
        }
    }

    /// The usual settings, changed by the environment:
    ///
    /// | variable | as |
    /// |---|---|
    /// | `MAZURKA_REPLAY` | [`Checker::replay`] |
    /// | `MAZURKA_ALGORITHM` | [`Checker::algorithm`] |
    /// | `MAZURKA_MEMORY` | [`Checker::memory`] |
    /// | `MAZURKA_SUGGEST_ORDERS` | [`Checker::suggest_orders`], `true` or `false` |
    /// | `MAZURKA_MAX_EXECUTIONS` | [`Checker::max_executions`] |
    /// | `MAZURKA_MAX_STEPS` | [`Checker::max_steps`] |
    /// | `MAZURKA_MAX_TIME` | [`Checker::max_time`], in seconds |
    /// | `MAZURKA_WORKERS` | [`Checker::workers`] |
    /// | `MAZURKA_PREEMPTION_BOUND` | [`Checker::preemption_bound`] |
    /// | `MAZURKA_DELAY_BOUND` | [`Checker::delay_bound`] |
    /// | `MAZURKA_PCT_DEPTH` | the depth of [`Checker::pct`] |
    /// | `MAZURKA_SEED` | [`Checker::seed`] |
    /// | `MAZURKA_BUG_FIRST` | [`Checker::bug_first`], `true` or `false` |
    /// | `MAZURKA_SHRINK` | [`Checker::shrink`], `true` or `false` |
    /// | `MAZURKA_STACK_SIZE` | [`Checker::stack_size`] |
    /// | `MAZURKA_SPIN_LIMIT` | [`Checker::spin_limit`] |
    /// | `MAZURKA_HANG_AFTER` | [`Checker::hang_after`], in seconds |
    /// | `MAZURKA_LEAKS` | [`Checker::leaks`], `true` or `false` |
    /// | `MAZURKA_SPURIOUS` | [`Checker::spurious`], `true` or `false` |
    /// | `MAZURKA_JOINED_PANICS` | [`Checker::joined_panics`], `true` or `false` |
    /// | `MAZURKA_PROGRESS` | where there is no terminal: seconds between two lines on how far a search is (5), 0 for none |
    /// | `MAZURKA_HTML` | [`Checker::html`]: a folder |
    /// | `MAZURKA_CLUSTER` | `Checker::cluster`, with the feature `cluster` |
    /// | `MAZURKA_LAUNCH_JSON` | if it is `1`, a report has what the `launch.json` of an editor needs to run it in its debugger |
    ///
    /// # Panics
    /// If a variable says something that is not understood.
    pub fn from_env() -> Self {
        match environment::apply(Checker { quiet: false, ..Checker::new() }, |name| std::env::var(name).ok()) {
            Ok(checker) => checker,
            Err(problem) => panic!("{problem}"),
        }
    }

    /// The algorithm by its name: `pop`, `optimal`, `unfolding`, `source`, `classic`, `naive`, `random`, `pct`. If none is chosen, it is
    /// `pop`, or `observers` where there are messages, or `source` within a bound on schedules.
    ///
    /// # Panics
    /// If there is none of this name.
    #[must_use]
    pub fn algorithm(mut self, name: &str) -> Self {
        self.algorithm = match explore::algorithm(name) {
            Some(algorithm) => Some(algorithm),
            None => panic!("{}", environment::no_such_algorithm(name)),
        };
        self
    }

    /// The memory model by its name: `sc`, `tso`, `pso`, `ra`, `rc11`. Under `sc`, memory orders do not count; under all others,
    /// execution graphs are explored, by one worker.
    ///
    /// If none is chosen, the program is explored under `sc`, which proves what `rc11` says, the model of Rust, where no
    /// atomic operation is weaker than seq_cst. Where one is, and nothing was found, a search under `rc11` follows for a while,
    /// unless an [algorithm](Checker::algorithm) was chosen. [`Report::memory`] says what came of it.
    ///
    /// # Panics
    /// If there is none of this name.
    #[must_use]
    pub fn memory(mut self, name: &str) -> Self {
        self.memory = match Memory::of(name) {
            Ok(memory) => memory,
            Err(problem) => panic!("{problem}"),
        };
        self
    }

    /// The algorithm that was chosen, or the one that fits the settings.
    pub(super) fn chosen_algorithm(&self) -> &'static AlgorithmInfo {
        self.algorithm.unwrap_or_else(|| explore::default_algorithm(&self.settings.bounds))
    }

    /// Random schedules, so many of them, by a seed: for what is too large to be explored. Proves nothing.
    #[must_use]
    pub fn random(self, executions: u64, seed: u64) -> Self {
        self.algorithm("random").max_executions(executions).seed(seed)
    }

    /// Random priorities by a seed, which change a few times in each of so many executions: finds a bug of `depth` ordering
    /// constraints with a known chance (Burckhardt et al., ASPLOS 2010). Proves nothing.
    ///
    /// # Panics
    /// If `depth` is 0.
    #[must_use]
    pub fn pct(mut self, executions: u64, depth: u32, seed: u64) -> Self {
        self.settings.pct_depth = NonZeroU32::new(depth).expect("bugs have a depth of 1 or more");
        self.algorithm("pct").max_executions(executions).seed(seed)
    }

    /// So many OS threads search at the same time, each with runs of its own: the body runs in several of them at once. What
    /// is counted and found does not depend on it. By default there is one for each core; searches of a few hundred
    /// executions make do with one, and so does every algorithm but `pop`.
    ///
    /// # Panics
    /// If there are none.
    #[must_use]
    pub fn workers(mut self, workers: usize) -> Self {
        self.settings.workers = NonZeroUsize::new(workers).expect("somebody must do it");
        self
    }

    /// Explores only schedules in which a thread that could go on has to stop for another at most so many times. Most
    /// bugs need one or two. The result is no proof, unless nothing was beyond the bound.
    #[must_use]
    pub fn preemption_bound(mut self, preemptions: u32) -> Self {
        self.settings.bounds.preemptions = Some(preemptions);
        self
    }

    /// Explores only schedules in which at most so many times an enabled thread is passed over when its turn has come. There
    /// are fewer of them than within a [preemption bound](Checker::preemption_bound). As to proofs, the same holds.
    #[must_use]
    pub fn delay_bound(mut self, delays: u32) -> Self {
        self.settings.bounds.delays = Some(delays);
        self
    }

    /// Stops after so many executions.
    #[must_use]
    pub fn max_executions(mut self, executions: u64) -> Self {
        self.settings.limits.executions = Some(executions);
        self
    }

    /// Gives up an execution after so many steps.
    #[must_use]
    pub fn max_steps(mut self, steps: usize) -> Self {
        self.settings.limits.steps = steps;
        self
    }

    /// Stops after so much time.
    #[must_use]
    pub fn max_time(mut self, time: Duration) -> Self {
        self.settings.limits.time = Some(time);
        self
    }

    /// The seed of everything random.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// Goes on after the first finding, and reports one of each sort.
    #[must_use]
    pub fn keep_going(mut self) -> Self {
        self.settings.keep_going = true;
        self
    }

    /// Whether a search that is not over at once is put off for some hundred samples by [`pct`](Checker::pct) and
    /// [`random`](Checker::random), which find most bugs sooner. They are counted apart: [`Report::sampled`]. By default it is.
    #[must_use]
    pub fn bug_first(mut self, wanted: bool) -> Self {
        self.settings.bug_first = wanted;
        self
    }

    /// Whether a bug is shown by a simpler execution than the one that was found, where there is one. By default it is.
    #[must_use]
    pub fn shrink(mut self, wanted: bool) -> Self {
        self.settings.shrink = wanted;
        self
    }

    /// Bytes of each thread's stack.
    #[must_use]
    pub fn stack_size(mut self, bytes: usize) -> Self {
        self.options.stack_size = bytes;
        self
    }

    /// How many times in a row a thread whose local state is not known may look at the same unchanged values, without
    /// `yield_now` or `spin_loop`, before it is taken to wait for a change, if its loop has no end of its own.
    #[must_use]
    pub fn spin_limit(mut self, looks: u32) -> Self {
        self.options.spin_limit = looks;
        self
    }

    /// Ends the process with a report if a thread computes for so long without an operation.
    #[must_use]
    pub fn hang_after(mut self, time: Duration) -> Self {
        self.options.hang_after = time;
        self
    }

    /// Looks for leaks: a value that an [`Arc`](crate::sync::Arc) still refers to when all threads have ended is a finding,
    /// unless it was made for a static.
    #[must_use]
    pub fn leaks(mut self, found: bool) -> Self {
        self.options.leaks = found;
        self
    }

    /// Lets a weak compare-exchange fail and a condition variable or `park` wake without a reason, once for each thread in an
    /// execution. Every such execution is explored. Off by default: code that only looks again makes far more executions.
    #[must_use]
    pub fn spurious(mut self, explored: bool) -> Self {
        self.options.spurious = u32::from(explored);
        self
    }

    /// Whether a thread's panic is a finding although another thread took it as the `Err` of `join`. It is not by default, as in
    /// std; any other panic of a thread is one.
    #[must_use]
    pub fn joined_panics(mut self, found: bool) -> Self {
        self.options.joined_panics = found;
        self
    }

    /// Writes a page with what is found into this folder, to be opened in a browser. It is named like the test.
    #[must_use]
    pub fn html(mut self, folder: impl Into<PathBuf>) -> Self {
        self.html = Some(folder.into());
        self
    }

    /// Puts the search on a cluster, the address of a PostgreSQL server, and works on it together with all who run the same
    /// test of the same test binary with the same address, and with `mazurka worker --test-binary`. Samples are not taken
    /// before. See docs/cluster.md.
    #[cfg(feature = "cluster")]
    #[must_use]
    pub fn cluster(mut self, url: impl Into<String>) -> Self {
        self.cluster = Some(url.into());
        self
    }

    /// Where the program fails under its memory model, looks for stronger memory orders with which it does not, and tells a
    /// minimal set of them with the finding.
    #[must_use]
    pub fn suggest_orders(mut self, wanted: bool) -> Self {
        self.suggest_orders = wanted;
        self
    }

    /// Runs this one schedule, as a report printed it.
    ///
    /// # Panics
    /// If it is not a schedule.
    #[must_use]
    pub fn replay(mut self, schedule: &str) -> Self {
        self.replay = match schedule.parse() {
            Ok(schedule) => Some(schedule),
            Err(problem) => panic!("{problem}"),
        };
        self
    }

    /// Explores `f`.
    pub fn check<F: Fn() + Sync + Send + 'static>(&self, f: F) -> Report {
        self.check_program(&FiberProgram::new(f, self.options.clone()))
    }

    fn check_program(&self, program: &FiberProgram) -> Report {
        let name = std::thread::current().name().map(str::to_owned);
        let mut progress = ProgressLine::new(name.clone().unwrap_or_else(|| "check".to_owned()));
        let mut timeline = Timeline::default();
        let mut sink = Several::new([&mut progress as &mut dyn Sink, &mut timeline]);
        let _watchdog = program.watch();
        let by_model = if self.replay.is_none() { self.search_by_model(program) } else { None };
        let reason = match by_model {
            Some(Outcome::Done(report)) => {
                progress.clear();
                let told = Told::of(program, name.as_deref());
                let page = self.write_graphs(&report, &told);
                let mut shown = Report { page, ..Report::under(&report, &told) };
                self.suggest(program, &report, &told, &mut shown);
                return shown;
            }
            Some(Outcome::Not(reason)) => Some(reason),
            None => None,
        };
        let (algorithm, result) = match &self.replay {
            Some(replay) => (self.chosen_algorithm(), self.run_again(program, replay, &mut sink)),
            None => self.search(program, &mut sink),
        };
        progress.clear();
        let endless = self.settings.limits.steps == Settings::default().limits.steps;
        let told = Told::of(program, name.as_deref());
        let page = self.write_page(&result, &told, algorithm.name, &timeline);
        let mut report = Report::new(result, &told, algorithm.name).judged(endless);
        report.page = page;
        match (self.memory, reason) {
            (Memory::Model(info), Some(reason)) => report = report.instead_of(info, &reason),
            _ => self.follow(program, &told, &mut report),
        }
        for finding in report.findings.iter_mut().filter(|_| self.launch_json) {
            if let Some(launch) = text::launch_json(&finding.schedule, told.test) {
                finding.text += &format!("\n{launch}\n");
            }
        }
        report
    }

    /// Where a page was written, if one was to be.
    fn write_page(&self, result: &Searched, told: &Told<'_>, algorithm: &str, timeline: &Timeline) -> Option<PathBuf> {
        let (folder, report) = (self.html.as_ref()?, result.as_ref().ok()?);
        written(page::write(folder, report, told, algorithm, timeline))
    }

    /// The same of a search under a memory model.
    pub(super) fn write_graphs(&self, report: &graphs::Report, told: &Told<'_>) -> Option<PathBuf> {
        written(page::write_graphs(self.html.as_ref()?, report, told))
    }

    /// Searches until nothing more is learnt of the program.
    fn search(&self, program: &FiberProgram, sink: &mut dyn trace::Sink) -> (&'static AlgorithmInfo, Searched) {
        #[cfg(feature = "cluster")]
        if let Some(url) = &self.cluster
            && let Some(searched) = super::cluster::search(self, url, program, sink)
        {
            return (self.chosen_algorithm(), searched);
        }
        let (mut settings, time) = (self.settings.clone(), self.settings.limits.time);
        let searched = search_until_known(&Learning::of(program), time, usize::MAX, |left| {
            settings.limits.time = left;
            in_own_thread(|| explore::check_by(self.algorithm, program, &settings, sink))
        });
        let learnt = searched.expect("there may be as many searches as it takes");
        match learnt.result {
            Ok((info, report)) => (info, Ok(report.of_all(learnt.is_whole, time))),
            Err(error) => (self.chosen_algorithm(), Err(error)),
        }
    }

    /// Runs one schedule, with what had been learnt of the program when it was printed. Where it does not say what, it is
    /// tried with all that there may be.
    fn run_again(&self, program: &FiberProgram, replay: &Replay, sink: &mut dyn trace::Sink) -> Searched {
        let schedule = &replay.schedule;
        let mut run = || loop {
            let forgets = program.forgets();
            let result = in_own_thread(|| explore::replay(program, schedule, &self.settings, sink));
            if program.forgets() == forgets {
                return result;
            }
        };
        if let Some(knowledge) = &replay.knowledge {
            program.set_knowledge(knowledge);
            return run();
        }
        let mut first_problem = None;
        for lessons in Lessons::all_sets() {
            let knowledge = Knowledge::of_lessons(lessons);
            program.set_knowledge(&knowledge);
            match run() {
                Ok(report) if program.knowledge().of_operations() == knowledge => return Ok(report),
                Ok(_) => {}
                Err(problem) => first_problem = first_problem.or(Some(problem)),
            }
        }
        match first_problem {
            Some(problem) => Err(problem),
            None => run(),
        }
    }

    /// Explores `f`, and panics with the report if there is a finding. Prints a line with the counts, which `cargo test`
    /// shows with `--nocapture`.
    #[track_caller]
    pub fn assert<F: Fn() + Sync + Send + 'static>(&self, f: F) {
        let report = self.check(f);
        if !report.is_ok() {
            panic!("{report}");
        }
        if !self.quiet {
            println!("{}", text::line(&report));
        }
    }
}

/// Does `f` in an OS thread of its own, under the name of this one: a thread of a run that is given up in the middle of its
/// unwinding leaves its OS thread in a state that nothing else may be done in.
pub(super) fn in_own_thread<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    let name = std::thread::current().name().unwrap_or("mazurka").to_owned();
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name(name).spawn_scoped(scope, f);
        let thread = thread.unwrap_or_else(|error| panic!("no thread to search in: {error}"));
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

impl Default for Checker {
    fn default() -> Self {
        Checker::new()
    }
}

/// Where a page was written. One that cannot be written is not left out in silence.
fn written(result: Result<Option<PathBuf>, String>) -> Option<PathBuf> {
    result.unwrap_or_else(|problem| panic!("{problem}; MAZURKA_HTML names a folder for pages"))
}
