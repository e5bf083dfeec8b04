//! SPIN as the oracle: what its verifier says of a model.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// What SPIN's verifier counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counts {
    /// States, stored.
    pub(crate) states: u64,
    /// Errors, all of them.
    pub(crate) errors: u64,
}

/// SPIN and a C compiler for its verifiers.
pub(crate) struct Spin {
    compiler: &'static str,
}

impl Spin {
    /// None where SPIN or a C compiler is missing. Then the tests that need them are left out, unless
    /// `MAZURKA_REQUIRE_TOOLS` is 1.
    pub(crate) fn find() -> Option<Spin> {
        let is_there = |command: &str| Command::new(command).arg("-V").output().is_ok() || works(command);
        let compiler = ["tcc", "cc", "gcc", "clang"].into_iter().find(|compiler| works(compiler));
        match compiler.filter(|_| is_there("spin")) {
            Some(compiler) => Some(Spin { compiler }),
            None => {
                let is_required = std::env::var("MAZURKA_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
                assert!(!is_required, "SPIN or a C compiler is not installed");
                eprintln!("left out: SPIN or a C compiler is not installed");
                None
            }
        }
    }

    /// All states of a model, without any reduction; the flags are for the verifier's compilation and its run.
    pub(crate) fn count(&self, text: &str, flags: &[&str], options: &[&str]) -> Result<Counts, String> {
        let mut all = vec!["-c0"];
        all.extend(options);
        let output = self.output(text, flags, &all)?;
        let states = number_before(&output, " states, stored");
        let errors = output.split("errors: ").nth(1).and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        match (states, errors) {
            (Some(states), Some(errors)) => Ok(Counts { states, errors }),
            _ => Err(format!("the verifier said: {output}")),
        }
    }

    /// How many states are left by SPIN's own reduction.
    pub(crate) fn reduced(&self, text: &str) -> Result<u64, String> {
        Ok(self.count(text, &["-UNOREDUCE", "-DSAFETY", "-DNOCLAIM"], &[])?.states)
    }

    /// How many steps the first error is away, found breadth first.
    pub(crate) fn shortest(&self, text: &str) -> Option<u64> {
        let output = self.output(text, &["-DSAFETY", "-DNOCLAIM", "-DBFS"], &[]).ok()?;
        output.split("(at depth ").nth(1)?.split(')').next()?.parse().ok()
    }

    /// Proctypes and lines of statements that were not reached.
    pub(crate) fn unreached(&self, text: &str) -> Result<std::collections::BTreeSet<(String, String)>, String> {
        let output = self.output(text, &["-DSAFETY", "-DNOCLAIM"], &["-c0"])?;
        let mut found = std::collections::BTreeSet::new();
        let mut proctype = None;
        for line in output.lines() {
            if let Some(rest) = line.strip_prefix("unreached in ") {
                let name = rest.trim_start_matches("proctype ").trim();
                proctype = (!rest.starts_with("claim")).then(|| name.to_owned());
            } else if let (Some(proctype), Some((place, _))) = (&proctype, line.trim().split_once(", state ")) {
                found.insert((proctype.clone(), place.to_owned()));
            }
        }
        Ok(found)
    }

    /// What the verifier of a model prints.
    fn output(&self, text: &str, flags: &[&str], options: &[&str]) -> Result<String, String> {
        let folder = Folder::new();
        std::fs::write(folder.0.join("model.pml"), text).map_err(|error| error.to_string())?;
        let spin = run(&folder.0, "spin", &["-o3", "-a", "model.pml"]);
        if !folder.0.join("pan.c").exists() {
            return Err(format!("SPIN refuses it: {spin}"));
        }
        let mut arguments = vec!["-w", "-DNOREDUCE", "-DVECTORSZ=4096"];
        arguments.extend(flags);
        arguments.extend(["-o", "pan", "pan.c"]);
        let compiled = run(&folder.0, self.compiler, &arguments);
        if !folder.0.join("pan").exists() {
            return Err(format!("the verifier does not compile: {compiled}"));
        }
        let mut arguments = vec!["-m200000", "-w18"];
        arguments.extend(options);
        let output = run(&folder.0, "./pan", &arguments);
        if output.contains("max search depth too small") {
            return Err("the search is too deep for SPIN".to_owned());
        }
        Ok(output)
    }
}

fn works(command: &str) -> bool {
    Command::new(command).arg("-v").output().is_ok()
}

fn run(folder: &Path, command: &str, arguments: &[&str]) -> String {
    match Command::new(command).args(arguments).current_dir(folder).output() {
        Ok(output) => String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr),
        Err(error) => format!("{command}: {error}"),
    }
}

fn number_before(text: &str, what: &str) -> Option<u64> {
    let before = &text[..text.find(what)?];
    before.split_whitespace().last()?.parse::<f64>().ok().map(|number| number as u64)
}

/// A folder of its own, which goes away.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("mazurka-spin-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
