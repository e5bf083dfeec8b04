//! Mazurka, Nidhugg and GenMC on the papers' programs in C, in one run:
//!
//! ```text
//! cargo build --release -p mazurka-cli          # at the root of the repository
//! cd bench/c && cargo run --release -- 30       # at most so many seconds for each tool and program
//! ```
//!
//! A tool that is not installed is said to be so in one line, and left out. Times are CPU seconds of the tool's whole process,
//! compiling included, because the machine may be shared. Mazurka's search is also compared with *bare replay*: the same
//! schedules run through the same front end without any analysis.

mod bare;
mod process;
mod tools;
mod workloads;

use process::Limit;
use std::process::ExitCode;
use std::time::Duration;
use tools::{Measured, Tool};
use workloads::Workload;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, program, classes] = &arguments[..]
        && flag == bare::FLAG
    {
        return bare::child(program, classes);
    }
    let seconds = match arguments.first().map(|text| text.parse()) {
        None => 30,
        Some(Ok(seconds)) => seconds,
        Some(Err(_)) => {
            eprintln!("the argument is the most seconds for each tool and program, a whole number");
            return ExitCode::from(2);
        }
    };
    match workloads::all() {
        Ok(workloads) => run(&workloads, Duration::from_secs(seconds)),
        Err(problem) => {
            eprintln!("{problem}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn run(workloads: &[Workload], limit: Duration) {
    let mut installed = Vec::new();
    for tool in tools::all() {
        match tool.version() {
            Ok(version) => {
                println!("{}: {version}", tool.name());
                installed.push(tool);
            }
            Err(problem) => println!("{}: not run, {problem}", tool.name()),
        }
    }
    println!(
        "\n| program | classes | tool | executions | CPU s | executions/s | search s | executions/s of the search | MB | over bare replay | times Mazurka's CPU |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for workload in workloads {
        let mut ours = None;
        for tool in &installed {
            println!("{}", row(workload, &**tool, limit, &mut ours));
        }
    }
}

/// One tool on one program. `ours` is Mazurka's time, which comes first.
fn row(workload: &Workload, tool: &dyn Tool, limit: Duration, ours: &mut Option<f64>) -> String {
    let begin = format!("| {} | {} | {} |", workload.title, workload.classes, tool.name());
    let measured = match tool.measure(workload, Limit(limit)) {
        Ok(measured) => measured,
        Err(problem) => return format!("{begin} {problem} | | | | | | | |"),
    };
    let Measured { executions, cpu, search, memory, over_bare } = measured;
    let agrees = if executions == workload.classes { "" } else { " (!)" };
    let rate = |seconds: f64| (executions as f64 / seconds.max(1e-9)).round();
    let text = |value: Option<String>| value.unwrap_or_default();
    let ours = *ours.get_or_insert(cpu);
    format!(
        "{begin} {executions}{agrees} | {cpu:.3} | {} | {} | {} | {:.0} | {} | {:.1} |",
        rate(cpu),
        text(search.map(|seconds| format!("{seconds:.4}"))),
        text(search.map(|seconds| rate(seconds).to_string())),
        memory as f64 / 1e6,
        text(over_bare.map(|ratio| format!("{ratio:.2}"))),
        cpu / ours.max(1e-9)
    )
}
