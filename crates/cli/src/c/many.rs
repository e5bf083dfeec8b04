//! Many checks of programs that were built, each in a copy of this process: campaigns of checks that take less time than a process
//! needs to start.

use super::CheckArgs;
use crate::problem::{Problem, Status};
use clap::Parser;
use std::io::{self, BufRead, Write};
use std::os::unix::process::ExitStatusExt;

/// Ends what a check wrote; how the check ended follows, and the end of the line.
const END: char = '\x1e';

/// One line of the input: the words of a `mazurka check`, with tabs between them.
#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: CheckArgs,
}

/// Does the check of each line of the input. What the check ends with (its status, or 128 and the signal) is written behind what it
/// wrote.
pub(crate) fn checks() -> Result<Status, Problem> {
    for line in io::stdin().lock().lines() {
        let line = line?;
        let ended = ::c::processes::run_copy(|| match super::check(&parsed(&line)) {
            Ok(status) => super::child::answer(status),
            Err(problem) => {
                eprintln!("error: {problem}");
                Status::BadInput as i32
            }
        })?;
        let status = ended.code().unwrap_or_else(|| 128 + ended.signal().unwrap_or_default());
        let mut output = io::stdout().lock();
        writeln!(output, "{END}{status}")?;
        output.flush()?;
    }
    Ok(Status::Proved)
}

fn parsed(line: &str) -> CheckArgs {
    Line::parse_from(["check"].into_iter().chain(line.split('\t'))).args
}
