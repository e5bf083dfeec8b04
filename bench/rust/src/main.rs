//! Mazurka, loom, shuttle and TraceForge on the same programs, in one run: `cargo run --release`, with the most seconds that
//! each may take as an argument (30), and the names of programs if not all are wanted: `cargo run --release -- 120 fib mpsc`.
//!
//! `cargo run --release -- rc11 60` compares loom with Mazurka under rc11, on programs that load with acquire and store with release.
//!
//! Times are CPU seconds of this process, because the machine may be shared. Every pair of tool and program runs in a
//! process of its own.

mod cpu_time;
mod tools;

use cpu_time::cpu_seconds;
use std::process::Command;
use std::time::Duration;

/// A program of measurements.md.
#[derive(Clone, Copy)]
pub struct Program {
    pub name: &'static str,
    pub size: usize,
    /// How many executions there are to find.
    pub classes: u64,
}

impl Program {
    /// How many threads it has, with the main one.
    pub fn threads(&self) -> usize {
        match self.name {
            "readers" | "lastzero" => self.size + 2,
            "fib" | "length" => 3,
            _ => self.size + 1,
        }
    }
}

const PROGRAMS: &[Program] = &[
    Program { name: "readers", size: 2, classes: 4 },
    Program { name: "readers", size: 3, classes: 8 },
    Program { name: "readers", size: 8, classes: 256 },
    Program { name: "lastzero", size: 3, classes: 12 },
    Program { name: "lastzero", size: 13, classes: 32768 },
    Program { name: "fib", size: 3, classes: 141 },
    Program { name: "fib", size: 4, classes: 1107 },
    Program { name: "lastwrite", size: 4, classes: 24 },
    Program { name: "lastwrite", size: 8, classes: 40320 },
    Program { name: "counter", size: 3, classes: 6 },
    Program { name: "counter", size: 4, classes: 24 },
    Program { name: "mpsc", size: 4, classes: 24 },
    Program { name: "mpsc", size: 9, classes: 362880 },
    Program { name: "length", size: 1000, classes: 4 },
    Program { name: "length", size: 10000, classes: 4 },
];

type Tool = fn(Program, Duration) -> Option<tools::Done>;

const TOOLS: &[(&str, Tool)] = &[
    ("mazurka", tools::mazurka),
    ("loom", tools::loom),
    ("shuttle", tools::shuttle),
    ("traceforge", tools::traceforge),
    ("mazurka, rc11", tools::mazurka_rc11),
    ("loom, rel/acq", tools::loom_weakly),
];

/// The tools that are compared with sequentially consistent atomics, and those with weaker ones.
const STRONG: std::ops::Range<usize> = 0..4;
const WEAK: std::ops::Range<usize> = 4..6;

/// One tool on one program, in this process: prints executions, seconds, and whether it was done.
fn run_one(tool: usize, program: usize, limit: Duration) {
    let before = cpu_seconds();
    match TOOLS[tool].1(PROGRAMS[program], limit) {
        Some(done) => println!("RESULT {} {} {}", done.executions, cpu_seconds() - before, done.complete),
        None => println!("RESULT none"),
    }
}

/// Executions, seconds, complete; `None` when the tool does not take the program or fails on it.
fn run_apart(tool: usize, program: usize, seconds: u64) -> Option<(u64, f64, bool)> {
    let me = std::env::current_exe().expect("this program has a path");
    let arguments = [ONE, &seconds.to_string(), &tool.to_string(), &program.to_string()];
    let output = Command::new(me).args(arguments).output().expect("this program can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    let result = text.lines().find_map(|line| line.strip_prefix("RESULT "))?;
    let mut words = result.split(' ');
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?, words.next()? == "true"))
}

/// The first argument of a process that runs one tool on one program; the others are numbers.
const ONE: &str = "one";

fn main() {
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments.next_if(|first| first == ONE).is_some() {
        let numbers: Vec<u64> = arguments.map(|text| text.parse().expect("a number")).collect();
        return run_one(numbers[1] as usize, numbers[2] as usize, Duration::from_secs(numbers[0]));
    }
    let tools = if arguments.next_if(|first| first == "rc11").is_some() { WEAK } else { STRONG };
    let seconds = arguments.next().map_or(30, |text| text.parse().expect("a number of seconds"));
    let wanted: Vec<String> = arguments.collect();
    println!("| program | classes under sc | tool | executions | CPU s | executions/s | times Mazurka's time |");
    println!("|---|---|---|---|---|---|---|");
    let is_wanted = |program: &Program| wanted.is_empty() || wanted.iter().any(|name| name == program.name);
    for (p, program) in PROGRAMS.iter().enumerate().filter(|(_, program)| is_wanted(program)) {
        let mut ours = None;
        for t in tools.clone() {
            let tool = TOOLS[t].0;
            let name = format!("{}({})", program.name, program.size);
            let Some((executions, time, complete)) = run_apart(t, p, seconds) else {
                println!("| {name} | {} | {tool} | not run | | | |", program.classes);
                continue;
            };
            let more = if complete { "" } else { ">" };
            let ours = *ours.get_or_insert(time);
            println!(
                "| {name} | {} | {tool} | {more}{executions} | {more}{time:.6} | {:.0} | {more}{:.1} |",
                program.classes,
                executions as f64 / time.max(1e-9),
                time / ours.max(1e-9)
            );
        }
    }
}
