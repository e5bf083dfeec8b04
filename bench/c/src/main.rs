//! Mazurka, Nidhugg and GenMC on the papers' programs in C, in one run:
//!
//! ```text
//! cargo build --release -p mazurka-cli                  # at the root of the repository
//! cd bench/c && cargo run --release -- 30 > record.md   # at most so many seconds for each tool and program
//! ```
//!
//! A tool that is not installed is said to be so in one line, and left out; beside Mazurka's figures stand those that were
//! published for it. Mazurka's search is also compared with *bare replay*: the same schedules run through the same front
//! end without any analysis.

mod bare;
mod process;
mod quoted;
mod record;
mod tools;
mod workloads;

use process::Limit;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use tools::{Mazurka, Tool};
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
    match measure_all(Limit(Duration::from_secs(seconds))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}

/// Measures everything, and prints the record.
fn measure_all(limit: Limit) -> Result<(), String> {
    let workloads = workloads::all()?;
    let version = Mazurka.version()?;
    let others = tools::others();
    let versions: Vec<_> = others.iter().map(|tool| (tool.name(), tool.version())).collect();
    print!("{}{}", record::head(&version, &versions), record::our_heading());
    let scratch = Scratch::new()?;
    let ours: Vec<Option<f64>> = workloads.iter().map(|workload| measure(workload, &scratch.0, limit)).collect();
    let installed: Vec<&dyn Tool> =
        others.iter().zip(&versions).filter(|(_, (_, version))| version.is_ok()).map(|(tool, _)| &**tool).collect();
    if !installed.is_empty() {
        println!("{}", record::others_heading());
    }
    for (workload, &ours) in workloads.iter().zip(&ours) {
        for tool in &installed {
            println!("{}", record::their_row(workload, tool.name(), &tool.measure(workload, limit), ours));
        }
    }
    Ok(())
}

/// Mazurka on one program. The answer is its CPU time, compiling included.
fn measure(workload: &Workload, scratch: &Path, limit: Limit) -> Option<f64> {
    let ours = Mazurka.measure(workload, scratch, limit);
    let over_bare = bare::measure(workload, scratch, limit);
    println!("{}", record::our_row(workload, &ours, over_bare));
    ours.ok().map(|ours| ours.compile + ours.cpu)
}

/// A folder for what is compiled, which is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("mazurka-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Scratch(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is left behind in a folder for such files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
