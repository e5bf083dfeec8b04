//! `mazurka check`, `mazurka cc` and `mazurka c++`: programs in C and C++. (`mazurka replay` comes here, too.)
//!
//! The command compiles, then starts itself once more for the search: the program under test runs in that process, and
//! whatever it does there, this one is left to say so.

mod child;
mod compile;
mod debug;
mod explore;
mod many;
mod replay;
#[cfg(feature = "cluster")]
pub(crate) mod slices;
mod tell;
mod weak;

#[cfg(feature = "cluster")]
pub(crate) use child::{Scratch, Slicing, status_of};
pub(crate) use compile::{CompileArgs, cc, cpp};
pub(crate) use explore::commands;
pub(crate) use many::checks;
pub(crate) use replay::{is_c, replay};
pub(crate) use tell::{Told, tell};

use crate::checkpoint::CheckpointArgs;
use crate::cluster::ClusterArgs;
use crate::memory_model::MemoryArgs;
use crate::problem::{Problem, Status};
use crate::reports::ReportArgs;
use crate::search::SearchArgs;
use ::c::driver::{Build, Compiler, is_source};
use ::c::{CProgram, Options};
use child::Ends;
use clap::Args;
use debug::Start;
use std::path::{Path, PathBuf};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  mazurka check queue.c                          compile, explore every interleaving that can matter, report
  mazurka check a.c b.cpp -- -Iinclude -DN=3     several sources, with flags for the compiler
  mazurka check queue.c --arg 3 --keep-going     arguments of the program; go on after the first finding
  mazurka check queue.c --html page.html         look at what is found in a browser
  mazurka check queue.c --memory rc11            under the memory model of C and C++ alone
  mazurka check queue.c --suggest-orders         which stronger memory orders make it pass
  CC='mazurka cc' make && mazurka check ./prog   a program that a build system made

Exit status: 0 nothing found and exhaustive, 1 a failure or deadlock was found, 2 bad usage or input, \
3 nothing found but not exhaustive.";

/// The arguments of `mazurka check`.
#[derive(Args, Clone)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    /// Sources in C or C++, or one program that `mazurka cc` or `mazurka c++` linked, and its arguments
    #[arg(value_name = "FILES", required = true)]
    inputs: Vec<String>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    checkpoints: CheckpointArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    reports: ReportArgs,
    /// Show every step of an execution, however long
    #[arg(long)]
    full: bool,
}

/// See [`ProgramArgs::hang_after`].
const HANG_AFTER: Duration = Duration::from_secs(5);

/// How to compile and run a program in C or C++.
#[derive(Args, Clone)]
#[command(next_help_heading = "Programs in C and C++")]
pub(crate) struct ProgramArgs {
    /// The compiler: clang 14 or later, or gcc 12 or later
    #[arg(long, value_name = "COMMAND", env = "MAZURKA_CC")]
    compiler: Option<String>,
    /// Optimise by this flag first, such as -O2: explores what the optimiser left
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    as_compiled: Option<String>,
    /// An argument of the program; may be given several times
    #[arg(long = "arg", value_name = "ARGUMENT", allow_hyphen_values = true)]
    arguments: Vec<String>,
    /// Data races are no failures: racing accesses are only explored in both orders
    #[arg(long)]
    no_races: bool,
    /// Memory that is never freed is no failure
    #[arg(long)]
    no_leaks: bool,
    /// Run the program from its start for every execution, instead of going back to states that were kept
    #[arg(long, alias = "no-checkpoints")]
    no_snapshots: bool,
    /// After each step, compare what changed in memory with what was announced: finds faults of Mazurka itself
    #[arg(long)]
    paranoid: bool,
    /// A function, shared library or object of which nothing is known, and that accesses no memory of the program; may be given
    /// several times. The result is not a proof
    #[arg(long, value_name = "NAME")]
    assume_harmless: Vec<String>,
    /// Accesses of volatile variables are atomic
    #[arg(long)]
    volatile_is_atomic: bool,
    /// Give an execution up when a loop with operations would make more rounds than this. The result is not a proof
    #[arg(long, value_name = "ROUNDS", value_parser = clap::value_parser!(u32).range(1..))]
    unroll: Option<u32>,
    /// A thread that computes for so long without an operation is in an endless loop
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "5s")]
    hang_after: Duration,
    /// Flags for the compiler and the linker
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<String>,
    /// The program was built already: this is the process that runs it
    #[arg(long, hide = true, value_name = "PATH")]
    built: Option<PathBuf>,
    /// This is the process that explores slices of a search on a cluster, and this is where it is told which
    #[cfg(feature = "cluster")]
    #[arg(long, hide = true, value_name = "PATH", requires = "built")]
    slices: Option<PathBuf>,
}

#[cfg(feature = "cluster")]
impl CheckArgs {
    pub(crate) fn search(&self) -> &SearchArgs {
        &self.search
    }

    pub(crate) fn title(&self) -> String {
        self.inputs.join(" ")
    }

    /// The memory model that was chosen.
    pub(crate) fn memory(&self) -> Option<&'static graphs::ModelInfo> {
        self.memory.chosen()
    }

    /// Refuses options that are not for memory models.
    pub(crate) fn check_for_graphs(&self) -> Result<(), Problem> {
        weak::check_options(self)
    }

    /// The words by which a process is started that runs the program when it is built.
    pub(crate) fn front_end_words(&self) -> Vec<String> {
        self.inputs.iter().cloned().chain(self.program.words()).collect()
    }

    /// The same, and how the report is to be written.
    pub(crate) fn words_as_given(&self) -> Vec<String> {
        std::env::args().skip(2).collect()
    }

    /// The program, built.
    pub(crate) fn built_bytes(&self) -> Result<Vec<u8>, Problem> {
        let scratch = child::Scratch::new()?;
        let built = self.program.built_in(&self.inputs, &scratch)?;
        std::fs::read(&built).map_err(|error| Problem::Input(format!("cannot read '{}': {error}", built.display())))
    }
}

impl ProgramArgs {
    fn compiler(&self) -> Result<Compiler, Problem> {
        let found = match &self.compiler {
            Some(name) => Compiler::named(name),
            None => Compiler::find(),
        };
        found.map_err(Problem::input)
    }

    fn build(&self, inputs: Vec<PathBuf>, output: &Path, scratch: &Path) -> Result<(), Problem> {
        let mut build = Build::new(inputs, self.compiler()?);
        build.flags.clone_from(&self.flags);
        build.as_compiled.clone_from(&self.as_compiled);
        build.run(output, scratch).map_err(Problem::input)
    }

    /// How the program is run.
    fn options(&self, inputs: &[String], output: bool) -> Options {
        let given: &[String] = if is_of_sources(inputs) { &self.arguments } else { &inputs[1..] };
        let mut options = Options::default();
        options.arguments = [inputs[0].clone()].into_iter().chain(given.iter().cloned()).collect();
        options.races = !self.no_races;
        options.leaks = !self.no_leaks;
        options.paranoid = self.paranoid;
        options.hang_after = self.hang_after;
        // States of a run do not have the rounds of its loops.
        options.snapshots = !self.no_snapshots && !output && self.unroll.is_none();
        options.output = output;
        options.assume_harmless.clone_from(&self.assume_harmless);
        options.volatile_is_atomic = self.volatile_is_atomic;
        options.unroll = self.unroll;
        options
    }

    /// An error if there is an option that means nothing to a search of states.
    pub(crate) fn check_for_states(&self) -> Result<(), Problem> {
        let refused =
            |option: &str, why: &str| Err(Problem::Input(format!("{option} is not for mazurka verify: {why}")));
        if self.paranoid {
            return refused("--paranoid", "memory is used again between steps; mazurka check takes it");
        }
        match self.unroll {
            Some(_) => refused("--unroll", "loops need no bound where each state is met once; leave it out"),
            None => Ok(()),
        }
    }

    /// An error if there is an option at all.
    pub(crate) fn check_for_others(&self) -> Result<(), Problem> {
        let is_timed = self.hang_after != HANG_AFTER;
        let others = [(self.paranoid, "--paranoid"), (self.no_snapshots, "--no-snapshots"), (is_timed, "--hang-after")];
        let other = others.into_iter().find(|(is_given, _)| *is_given).map(|(_, option)| option.to_owned());
        let flags = (!self.flags.is_empty()).then(|| "what is behind --".to_owned());
        match self.words().into_iter().next().or(other).or(flags) {
            Some(option) => Err(Problem::Input(format!("{option} is for programs in C and C++; leave it out"))),
            None => Ok(()),
        }
    }

    /// The options that decide what a schedule means, as they are written on the command line.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |option: &str, value: Option<&String>| {
            words.push(option.to_owned());
            words.extend(value.cloned());
        };
        self.compiler.iter().for_each(|compiler| add("--compiler", Some(compiler)));
        self.as_compiled.iter().for_each(|flag| add("--as-compiled", Some(flag)));
        self.arguments.iter().for_each(|argument| add("--arg", Some(argument)));
        self.no_races.then(|| add("--no-races", None));
        self.no_leaks.then(|| add("--no-leaks", None));
        self.volatile_is_atomic.then(|| add("--volatile-is-atomic", None));
        self.unroll.iter().for_each(|rounds| add("--unroll", Some(&rounds.to_string())));
        self.assume_harmless.iter().for_each(|name| add("--assume-harmless", Some(name)));
        words
    }

    /// Builds the program, unless it is built, and says where it is.
    fn built_in(&self, inputs: &[String], scratch: &child::Scratch) -> Result<PathBuf, Problem> {
        if !is_of_sources(inputs) {
            return Ok(PathBuf::from(&inputs[0]));
        }
        let output = scratch.path().join("program.so");
        self.build(inputs.iter().map(PathBuf::from).collect(), &output, scratch.path())?;
        Ok(output)
    }

    /// Builds the program, unless it is built, and starts this command once more, to run it.
    fn run_child(&self, inputs: &[String], start: Start, ends: Ends) -> Result<Status, Problem> {
        let scratch = child::Scratch::new()?;
        let program = self.built_in(inputs, &scratch)?;
        if start == Start::InPlace {
            scratch.keep();
        }
        child::run(&program, start, ends)
    }
}

fn is_of_sources(inputs: &[String]) -> bool {
    is_source(Path::new(&inputs[0]))
}

/// Builds the program of a command, unless it is built, and does something with it in a process of its own.
pub(crate) fn in_process(
    args: &ProgramArgs,
    inputs: &[String],
    explore: impl FnOnce(&'static CProgram) -> Result<Status, Problem>,
) -> Result<Status, Problem> {
    match &args.built {
        Some(built) => child::answer(explore(explore::load(args, inputs, built, false)?)?),
        None => args.run_child(inputs, Start::Child, Ends::AtOnce),
    }
}

/// Compiles, explores and reports.
pub(crate) fn check(args: &CheckArgs) -> Result<Status, Problem> {
    let ends = if args.checkpoints.path().is_some() { Ends::InOrder } else { Ends::AtOnce };
    match &args.program.built {
        #[cfg(feature = "cluster")]
        Some(built) if args.program.slices.is_some() => {
            let socket = args.program.slices.as_deref().unwrap_or(built);
            child::answer(slices::serve(args, built, socket)?)
        }
        Some(built) => child::answer(explore::explore(args, built)?),
        None if args.cluster.is_given() => args.cluster.check(args),
        None => args.program.run_child(&args.inputs, Start::Child, ends),
    }
}
