//! Writing to the standard output.

use crate::problem::Problem;
use report::lanes::Layout;
use serde::Serialize;
use std::io::{Write, stdout};

/// Writes a text; a reader that went away is a problem, not a panic.
pub(crate) fn print(text: &str) -> Result<(), Problem> {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes a value as JSON.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Problem> {
    let json = serde_json::to_string_pretty(value).expect("strings, numbers and lists are always JSON");
    print(&(json + "\n"))
}

/// How executions are laid out on this terminal, if it is one.
pub(crate) fn layout(full: bool) -> Layout {
    Layout { width: terminal_size::terminal_size_of(stdout()).map(|(width, _)| width.0.into()), full }
}
