//! `mazurka check`: programs in C and C++.
//!
//! The command compiles, then starts itself once more for the search: the program under test runs in that process, and
//! whatever it does there, this one is left to say so.

mod child;
mod explore;

use crate::problem::{Problem, Status};
use crate::search::SearchArgs;
use ::c::driver::{Build, Compiler, is_source};
use clap::Args;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  mazurka check queue.c                          compile, explore every interleaving that can matter, report
  mazurka check a.c b.cpp -- -Iinclude -DN=3     several sources, with flags for the compiler
  mazurka check queue.c --arg 3 --keep-going     arguments of the program; go on after the first finding
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
    build: BuildArgs,
    /// An argument of the program; may be given several times
    #[arg(long = "arg", value_name = "ARGUMENT", allow_hyphen_values = true)]
    arguments: Vec<String>,
    /// Data races are no failures: racing accesses are only explored in both orders
    #[arg(long)]
    no_races: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Show every step of an execution, however long
    #[arg(long)]
    full: bool,
    /// The program was built already: this is the process for the search
    #[arg(long, hide = true, value_name = "PATH")]
    built: Option<PathBuf>,
}

/// How to compile.
#[derive(Args, Clone)]
pub(crate) struct BuildArgs {
    /// The compiler: clang 14 or later, or gcc 12 or later
    #[arg(long, value_name = "COMMAND", env = "MAZURKA_CC")]
    compiler: Option<String>,
    /// Optimise by this flag first, such as -O2: explores what the optimiser left
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    as_compiled: Option<String>,
    /// Flags for the compiler and the linker
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<String>,
}

impl BuildArgs {
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
}

impl CheckArgs {
    /// The program and its arguments, of which the first is its name.
    fn program_arguments(&self) -> Vec<String> {
        let given: &[String] = if self.is_of_sources() { &self.arguments } else { &self.inputs[1..] };
        [self.inputs[0].clone()].into_iter().chain(given.iter().cloned()).collect()
    }

    fn is_of_sources(&self) -> bool {
        is_source(Path::new(&self.inputs[0]))
    }
}

/// Compiles, explores and reports.
pub(crate) fn check(args: &CheckArgs) -> Result<Status, Problem> {
    if let Some(built) = &args.built {
        return explore::explore(args, built);
    }
    let scratch = child::Scratch::new()?;
    let program = if args.is_of_sources() {
        let output = scratch.path().join("program.so");
        args.build.build(args.inputs.iter().map(PathBuf::from).collect(), &output, scratch.path())?;
        output
    } else {
        PathBuf::from(&args.inputs[0])
    };
    child::run(&program)
}
