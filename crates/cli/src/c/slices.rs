//! The process that explores slices of a search on a cluster: the one that talks to the cluster tells it what to do.
//!
//! A process with a program in C must have one thread, and may be ended by the program; so it is not the one that has leases.

use super::CheckArgs;
use super::explore::{load, report_to_user};
use super::weak;
use crate::cluster::search_of;
use crate::problem::{Problem, Status};
use ::c::CProgram;
use ::cluster::{Config, Verdict, Version};
use ::explore::{Settings, Shareable, Slice, Sliced, receive_message, report_of, send_message};
use c_check::Crew;
use model::Program;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::os::unix::net::UnixStream;
use std::path::Path;
use trace::{Execution, Progress, Sink};

/// As many executions as a search on one machine runs before it calls other workers.
const MEETING: u64 = 256;

/// What begins the line with the threads.
const THREADS: &str = "threads ";

/// What this process is told.
#[derive(Serialize, Deserialize)]
pub(crate) enum Ask {
    /// A version begins.
    Begin { config: Config, version: i32, lessons: String, known: String, workers: NonZeroUsize },
    /// A slice is to be explored. It is over when the bell rings.
    Slice { bundle: Vec<u8>, careful: bool },
    /// What it knows is wanted, with what others were shown.
    Known(Vec<String>),
    /// The schedules of tasks are wanted.
    Schedules(Vec<u8>),
    /// The search is over: this is to be reported.
    Report { verdict: Verdict, because: Option<String> },
}

/// What it answers.
#[derive(Serialize, Deserialize)]
pub(crate) enum Answer {
    /// It has begun.
    Begun,
    /// What came of a slice, whether the search must begin anew, and what runs have shown.
    Sliced {
        sliced: String,
        has_learnt: bool,
        shown: String,
    },
    /// What is known, and whether the search must begin anew with it.
    Known {
        known: String,
        has_learnt: bool,
    },
    Schedules(Vec<String>),
    /// It cannot.
    Problem(String),
}

/// Does what it is told until nobody tells it anything any more.
pub(super) fn serve(args: &CheckArgs, built: &Path, socket: &Path) -> Result<Status, Problem> {
    let cannot =
        |error: io::Error| Problem::Input(format!("cannot talk to the process that started this one: {error}"));
    let program = load(&args.program, &args.inputs, built, false)?;
    program.keep_discoveries().map_err(cannot)?;
    let crew = Crew::new(program).map_err(cannot)?;
    let mut talk = UnixStream::connect(socket).map_err(cannot)?;
    let bell = UnixStream::connect(socket).map_err(cannot)?;
    bell.set_nonblocking(true).map_err(cannot)?;
    let mut slices = Slices { args, program, crew, bell, given: String::new(), begun: None };
    while let Ok(ask) = receive_message(&mut talk) {
        if let Ask::Report { verdict, because } = ask {
            return slices.report(&verdict, because);
        }
        let answer = slices.answer(ask).unwrap_or_else(Answer::Problem);
        send_message(&mut talk, &answer).map_err(cannot)?;
    }
    Ok(Status::Proved)
}

struct Slices<'a> {
    args: &'a CheckArgs,
    program: &'static CProgram,
    crew: Crew<'static>,
    bell: UnixStream,
    /// What others were shown, as it was told when the version began.
    given: String,
    begun: Option<Begun>,
}

struct Begun {
    config: Config,
    settings: Settings,
    search: Box<dyn Shareable>,
    version: i32,
    lessons: String,
}

impl Slices<'_> {
    fn answer(&mut self, ask: Ask) -> Result<Answer, String> {
        match ask {
            Ask::Begin { config, version, lessons, known, workers } => {
                let settings = config.settings(Settings { workers, ..self.args.search.settings() });
                let search = search_of(&config, settings.clone()).map_err(|problem| problem.to_string())?;
                if let Some(model) = model_of(&config) {
                    self.program.set_races_defined(!model.has_races);
                }
                self.know(&known)?;
                self.program.begin_search();
                self.begun = Some(Begun { config, settings, search, version, lessons });
                self.meet_objects()?;
                Ok(Answer::Begun)
            }
            Ask::Slice { bundle, careful } => self.slice(&bundle, careful),
            Ask::Known(shown) => {
                shown.iter().try_for_each(|shown| self.program.learn(shown))?;
                Ok(Answer::Known { known: self.known(&shown)?, has_learnt: self.program.is_refined() })
            }
            Ask::Schedules(bundle) => {
                let begun = self.begun.as_ref().ok_or("no version has begun")?;
                Ok(Answer::Schedules(begun.search.schedules(&bundle, self.program.names())))
            }
            Ask::Report { .. } => Err("that was not asked".to_owned()),
        }
    }

    /// Where the program is in memory, for words may be addresses; all threads, in the order of their ids; and all that anybody
    /// was shown, as it was told: whoever begins with it comes to know the same in the same order.
    fn known(&self, shown: &[String]) -> Result<String, String> {
        let own = self.discoveries()?;
        let mut lines = BTreeSet::new();
        let told = [&*self.given].into_iter().chain(shown.iter().map(String::as_str)).chain([&*own]);
        let told: Vec<&str> = told.flat_map(str::lines).filter(|line| lines.insert(*line)).collect();
        let head = format!("base {:x}\n{THREADS}{}\n", self.program.base(), self.program.threads().join(" "));
        Ok(head + &told.join("\n"))
    }

    fn know(&mut self, known: &str) -> Result<(), String> {
        let Some((base, known)) = known.split_once('\n') else { return Ok(()) };
        let here = format!("base {:x}", self.program.base());
        if base != here {
            return Err(format!(
                "the program has its {here} in memory here and its {base} where the run was started: the kernel or the C \
                 library is another one"
            ));
        }
        let (threads, told) = known.split_once('\n').unwrap_or((known, ""));
        let threads = threads.strip_prefix(THREADS).ok_or("what is known of the program has no threads")?;
        self.program.know_threads(threads.split(' ').filter(|path| !path.is_empty()))?;
        self.given = told.to_owned();
        self.program.learn(told)
    }

    fn discoveries(&self) -> Result<String, String> {
        self.program.discoveries().ok_or_else(|| "more was found out about the program than can be told".to_owned())
    }

    fn explore(&self, begun: &Begun, bundle: &[u8], most: Option<u64>) -> Sliced {
        let restarts = u32::try_from(begun.version).unwrap_or(0);
        let slice = Slice { bundle, lessons: &begun.lessons, restarts, most };
        let mut sink = Until { program: self.program, bell: &self.bell };
        let program: &dyn Program = &self.program;
        begun.search.slice(program, Some(&self.crew), &mut sink, slice)
    }

    /// The beginning of the search, which counts for nothing here: objects are numbered as they are met, and what is learnt of loops
    /// is written in these numbers. So all workers meet them in the same order. What is found out on the way comes up again.
    fn meet_objects(&self) -> Result<(), String> {
        let begun = self.begun.as_ref().ok_or("no version has begun")?;
        self.explore(begun, &begun.search.whole(), Some(MEETING));
        Ok(())
    }

    fn slice(&mut self, bundle: &[u8], careful: bool) -> Result<Answer, String> {
        let begun = self.begun.as_ref().ok_or("no version has begun")?;
        let sliced = self.explore(begun, bundle, careful.then_some(1));
        if let Some(refusal) = self.program.refusal() {
            return Err(format!("the program cannot be checked: {refusal}"));
        }
        let (has_learnt, shown) = (self.program.is_refined(), self.discoveries()?);
        Ok(Answer::Sliced { sliced: sliced.to_text(), has_learnt, shown })
    }

    fn report(&self, verdict: &Verdict, because: Option<String>) -> Result<Status, Problem> {
        let Some(begun) = &self.begun else { return Err(Problem::Input("no version has begun".to_owned())) };
        let total = verdict.total();
        if let Some(model) = model_of(&begun.config) {
            let report = graphs::report_of(&self.program, model, &(&begun.settings).into(), &total);
            let watchers = self.args.reports.watchers(self.program.names());
            return weak::tell_user(self.args, self.program, &report.map_err(Problem::input)?, because, watchers);
        }
        let info = begun.config.algorithm().map_err(Problem::input)?;
        let report = report_of(info, &self.program, &begun.settings, &begun.lessons, &total)?;
        report_to_user(self.args, self.program, report, because)
    }
}

/// What a message that begins a version says.
pub(crate) fn begin(config: &Config, version: &Version, workers: NonZeroUsize) -> Ask {
    Ask::Begin {
        config: config.clone(),
        version: version.number,
        lessons: version.lessons.clone(),
        known: version.known.clone(),
        workers,
    }
}

/// Ends a slice when the bell rings, or when the search is to begin anew.
struct Until<'s> {
    program: &'s CProgram,
    bell: &'s UnixStream,
}

impl Until<'_> {
    fn unless_over(&self) -> ControlFlow<()> {
        if self.program.is_search_in_vain() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Sink for Until<'_> {
    fn execution(&mut self, _: &Execution<'_>) -> ControlFlow<()> {
        self.unless_over()
    }

    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        self.unless_over()?;
        let mut rung = [0; 1];
        let mut bell = self.bell;
        // It rings when there is something to read, and when nobody is there any more.
        if bell.read(&mut rung).is_ok() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The memory model of a run; none where it is explored as interleavings.
fn model_of(config: &Config) -> Option<&'static graphs::ModelInfo> {
    config.memory.as_deref().and_then(graphs::model)
}
