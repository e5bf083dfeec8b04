//! Building a suite's tests.

use crate::Tool;
use crate::suite::Suite;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the tests; gives their executables, or what the compiler said.
pub fn build(suite: &Suite, folder: &Path, tool: Tool, work: &Path) -> io::Result<Result<Vec<PathBuf>, String>> {
    let flags: Vec<String> = suite.cfgs.iter().map(|cfg| format!("--cfg {cfg}")).collect();
    let mut command = Command::new("cargo");
    command.args(["test", "--release", "--no-run", "--message-format=json-render-diagnostics"]);
    command.args(&suite.tests).current_dir(folder);
    if !suite.features.is_empty() {
        command.arg("--features").arg(suite.features.join(","));
    }
    command.env("RUSTFLAGS", format!("{} --cap-lints warn -Awarnings", flags.join(" ")));
    command.env("CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS", "true");
    command.env("CARGO_TARGET_DIR", work.join(format!("target-{}", tool.name())));
    let output = command.output()?;
    if !output.status.success() {
        return Ok(Err(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let messages = output.stdout.split(|&byte| byte == b'\n');
    let executables = messages.filter_map(|line| {
        let message: serde_json::Value = serde_json::from_slice(line).ok()?;
        let is_test = message["profile"]["test"] == true;
        message["executable"].as_str().filter(|_| is_test).map(PathBuf::from)
    });
    Ok(Ok(executables.collect()))
}

/// The tests of an executable that belong to the suite.
pub fn tests(suite: &Suite, executable: &Path) -> io::Result<Vec<String>> {
    let output = Command::new(executable).arg("--list").output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
    Ok(names.filter(|name| suite.has(name)).map(str::to_owned).collect())
}
