//! Debuggers: how a replay is run under one, and how an editor does that.

use crate::output::print_json;
use crate::problem::{Problem, Status};
use crate::replay::ReplayArgs;
use serde_json::{Value, json};
use std::env;

/// Stops where a thread fails, and leaves the signal alone that the runtime uses itself.
pub(super) const GDB: &[&str] =
    &["handle SIGALRM nostop noprint pass", "set breakpoint pending on", "break mazurka_failed"];

/// The same for lldb; the program's functions are known when it is loaded.
pub(super) const LLDB: &[&str] =
    &["process handle SIGALRM --stop false --notify false --pass true", "breakpoint set --name mazurka_failed"];

/// A debugger that a replay is run under.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Debugger {
    /// The GNU debugger.
    Gdb,
    /// LLVM's.
    Lldb,
}

/// How the process that runs the program is started.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// As a child of this one.
    Child,
    /// As a child, under a debugger.
    Under(Debugger),
    /// This one becomes it.
    InPlace,
}

impl Debugger {
    /// The command, up to the program's own words.
    pub(super) fn command(self) -> Vec<String> {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let each =
            |option: &str, commands: &[&str]| commands.iter().flat_map(|&c| words(&[option, c])).collect::<Vec<_>>();
        match self {
            Debugger::Gdb => [words(&["gdb", "-q"]), each("-ex", GDB), words(&["-ex", "run", "--args"])].concat(),
            // Only a process that was started knows the signals that it can be told about.
            Debugger::Lldb => [words(&[
                "lldb",
                "-o",
                LLDB[1],
                "-o",
                "process launch --stop-at-entry",
                "-o",
                LLDB[0],
                "-o",
                "continue",
                "--",
            ])]
            .concat(),
        }
    }
}

/// Prints what an editor's `launch.json` needs to replay this in its debugger.
pub(super) fn print_launch_json(args: &ReplayArgs) -> Result<Status, Problem> {
    let cannot = |error: std::io::Error| Problem::Input(format!("cannot tell how to start mazurka: {error}"));
    let this = env::current_exe().map_err(cannot)?.display().to_string();
    let folder = env::current_dir().map_err(cannot)?.display().to_string();
    let word = |word: String| if word == "--launch-json" { "--in-place".to_owned() } else { word };
    let words: Vec<String> = env::args().skip(1).map(word).collect();
    let name = format!("mazurka: {}", args.program.join(" "));
    print_json(&launch_json(&name, &this, &words, &folder))?;
    Ok(Status::Proved)
}

/// The replay compiles the program, and becomes the process that runs it.
fn launch_json(name: &str, this: &str, words: &[String], folder: &str) -> Value {
    let gdb: Vec<Value> = GDB.iter().map(|text| json!({ "text": text })).collect();
    json!({
        "version": "0.2.0",
        "configurations": [
            {
                "name": format!("{name} (gdb)"),
                "type": "cppdbg",
                "request": "launch",
                "program": this,
                "args": words,
                "cwd": folder,
                "MIMode": "gdb",
                "setupCommands": gdb,
            },
            {
                "name": format!("{name} (lldb)"),
                "type": "lldb",
                "request": "launch",
                "program": this,
                "args": words,
                "cwd": folder,
                "preRunCommands": [LLDB[1]],
                "postRunCommands": [LLDB[0]],
            },
        ],
    })
}
