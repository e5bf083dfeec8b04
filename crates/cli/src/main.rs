//! The `mazurka` command: arguments, files and exit statuses. What a library user would also want is elsewhere.

mod bench;
mod bounds;
mod c;
mod campaign;
mod checkpoint;
mod child;
#[cfg(feature = "cluster")]
mod cluster;
#[cfg(not(feature = "cluster"))]
#[path = "no_cluster.rs"]
mod cluster;
mod compare;
mod estimate;
mod measured;
mod memory;
mod memory_model;
mod memory_record;
mod model_text;
mod output;
mod papers;
mod problem;
mod programs;
mod replay;
mod reports;
mod run;
mod search;
mod suggest;
mod target;
mod unfold;
mod unfolding;
mod verify;

use clap::{Parser, Subcommand};
use problem::{Problem, Status};
use std::process::ExitCode;

/// Explores every schedule of a concurrent program that can matter: one execution for each Mazurkiewicz trace.
///
/// Either shows a failure or deadlock with the schedule that leads to it, or proves that within the given inputs there
/// is none.
#[derive(Parser)]
#[command(name = "mazurka", version, after_help = EXAMPLES, max_term_width = 120)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  mazurka programs                     what is built in
  mazurka run lost_update              find a bug, and see the execution that shows it
  mazurka run lastzero 10              explore a program of the papers, and compare the count
  mazurka run my_program.litmus        explore a program from a file
  mazurka compare lastzero 7           all algorithms side by side

Exit status:
  0  nothing was found, and the search was exhaustive
  1  a failure or a deadlock was found
  2  bad usage or input
  3  nothing was found, but the search was not exhaustive";

#[derive(Subcommand)]
enum Command {
    /// List the built-in programs, with their parameters and expected counts
    Programs(programs::ProgramsArgs),
    /// Explore a program
    Run(run::RunArgs),
    /// Explore a program in C or C++
    Check(c::CheckArgs),
    /// Do many checks of programs that were built, one for each line of the input
    #[command(hide = true)]
    Checks,
    /// Compile C for `mazurka check`, as clang and gcc do: for build systems
    Cc(c::CompileArgs),
    /// Compile C++ for `mazurka check`, as clang++ and g++ do: for build systems
    #[command(name = "c++")]
    Cpp(c::CompileArgs),
    /// Explore a program by several algorithms side by side, or check the corpus of known counts
    Compare(compare::CompareArgs),
    /// Estimate how many executions a search would run
    Estimate(estimate::EstimateArgs),
    /// Search the states of a Promela model, or of a program that need not end
    Verify(verify::VerifyArgs),
    /// Run one schedule that a finding came with, and show the execution
    Replay(replay::ReplayArgs),
    /// Measure executions a second, time for each step, and the ratio to bare replay
    Bench(bench::BenchArgs),
    /// Measure the programs of every table of the papers, beside the papers' figures
    Papers(papers::PapersArgs),
    /// Show the event structure of a program: events, causes, conflicts, maximal configurations
    Unfold(unfold::UnfoldArgs),
    /// Measure how the memory of optimal and pop grows with the program, and draw it
    Memory(memory_record::MemoryArgs),
    /// Try the laws that every algorithm must obey on arbitrary programs
    Campaign(campaign::CampaignArgs),
    /// Work on the runs of a cluster, whichever there are
    #[cfg(feature = "cluster")]
    Worker(cluster::WorkerArgs),
    /// Show the runs of a cluster, with their workers
    #[cfg(feature = "cluster")]
    Status(cluster::StatusArgs),
    /// Stop a run of a cluster; nothing of it is lost
    #[cfg(feature = "cluster")]
    Stop(cluster::RunNumberArgs),
    /// Go on with a run of a cluster that was stopped
    #[cfg(feature = "cluster")]
    Resume(cluster::RunNumberArgs),
    /// Remove a run of a cluster, with all that is known of it
    #[cfg(feature = "cluster")]
    Forget(cluster::RunNumberArgs),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Programs(args) => programs::programs(&args),
        Command::Run(args) => run::run(&args),
        Command::Check(args) => c::check(&args),
        Command::Checks => c::checks(),
        Command::Cc(args) => c::cc(&args),
        Command::Cpp(args) => c::cpp(&args),
        Command::Compare(args) => compare::compare(&args),
        Command::Estimate(args) => estimate::run_estimate(&args),
        Command::Verify(args) => verify::verify(&args),
        Command::Replay(args) => replay::replay(&args),
        Command::Bench(args) => bench::bench(&args),
        Command::Papers(args) => papers::papers(&args),
        Command::Unfold(args) => unfold::show(&args),
        Command::Memory(args) => memory_record::memory(&args),
        Command::Campaign(args) => campaign::campaign(&args),
        #[cfg(feature = "cluster")]
        Command::Worker(args) => cluster::worker(&args),
        #[cfg(feature = "cluster")]
        Command::Status(args) => cluster::status(&args),
        #[cfg(feature = "cluster")]
        Command::Stop(args) => cluster::stop(&args),
        #[cfg(feature = "cluster")]
        Command::Resume(args) => cluster::resume(&args),
        #[cfg(feature = "cluster")]
        Command::Forget(args) => cluster::forget(&args),
    };
    match result {
        Ok(status) => status.into(),
        Err(Problem::OutputClosed) => ExitCode::from(problem::OUTPUT_CLOSED),
        Err(problem) => {
            eprintln!("error: {problem}");
            Status::BadInput.into()
        }
    }
}
