//! Runs published test suites for loom with loom, and with `mazurka-loom` in its place.
//!
//! `cargo run --release -- [--limit SECONDS] [--loom-limit SECONDS] [--work FOLDER] [--tool loom|mazurka] [--product FOLDER] [SUITE[/TEST]]...` prints a record in
//! Markdown; progress and what a tool said of each test go to the work folder.

mod cargo;
mod package;
mod record;
mod run;
mod suite;

use record::{Row, Section};
use run::{Ending, Outcome};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use suite::Suite;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    Loom,
    Mazurka,
}

impl Tool {
    pub fn name(self) -> &'static str {
        match self {
            Tool::Loom => "loom",
            Tool::Mazurka => "mazurka",
        }
    }
}

struct Arguments {
    limit: Duration,
    /// For loom, if it is to have another limit.
    loom_limit: Option<Duration>,
    work: PathBuf,
    tools: Vec<Tool>,
    /// The checkout of Mazurka that is measured.
    product: PathBuf,
    /// Suites, or tests of suites; all if there are none.
    wanted: Vec<String>,
}

impl Arguments {
    fn read(arguments: impl Iterator<Item = String>) -> Result<Arguments, String> {
        let work = std::env::temp_dir().join("mazurka-suites");
        let tools = vec![Tool::Loom, Tool::Mazurka];
        let product = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut read =
            Arguments { limit: Duration::from_secs(60), loom_limit: None, work, tools, product, wanted: Vec::new() };
        let mut arguments = arguments.skip(1);
        while let Some(argument) = arguments.next() {
            let mut next = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--limit" => read.limit = seconds(&argument, &next()?)?,
                "--loom-limit" => read.loom_limit = Some(seconds(&argument, &next()?)?),
                "--product" => read.product = next()?.into(),
                "--work" => read.work = next()?.into(),
                "--tool" => {
                    read.tools = match next()?.as_str() {
                        "loom" => vec![Tool::Loom],
                        "mazurka" => vec![Tool::Mazurka],
                        other => return Err(format!("--tool: there is no tool '{other}'; there are loom and mazurka")),
                    }
                }
                option if option.starts_with('-') => return Err(format!("there is no option '{option}'")),
                _ => read.wanted.push(argument),
            }
        }
        Ok(read)
    }

    /// How much CPU time a test may take.
    fn limit_of(&self, tool: Tool) -> Duration {
        self.loom_limit.filter(|_| tool == Tool::Loom).unwrap_or(self.limit)
    }

    fn wants_suite(&self, suite: &Suite) -> bool {
        self.wanted.is_empty() || self.wanted.iter().any(|wanted| wanted.split('/').next() == Some(suite.name.as_str()))
    }

    fn wants_test(&self, suite: &Suite, test: &str) -> bool {
        let of_suite = |wanted: &&String| wanted.split('/').next() == Some(suite.name.as_str());
        let fits = |wanted: &String| wanted.split_once('/').is_none_or(|(_, part)| test.contains(part));
        self.wanted.is_empty() || self.wanted.iter().filter(of_suite).any(fits)
    }
}

fn seconds(option: &str, text: &str) -> Result<Duration, String> {
    text.parse().map(Duration::from_secs).map_err(|_| format!("{option}: '{text}' is no number of seconds"))
}

fn main() -> io::Result<()> {
    let arguments = Arguments::read(std::env::args()).unwrap_or_else(|problem| {
        eprintln!("{problem}");
        std::process::exit(2)
    });
    std::fs::create_dir_all(arguments.work.join("logs"))?;
    let suites = Suite::all(include_str!("../suites.toml")).map_err(io::Error::other)?;
    let product = arguments.product.canonicalize()?;
    let mut sections = Vec::new();
    for suite in suites.into_iter().filter(|suite| arguments.wants_suite(suite)) {
        sections.push(section(suite, &arguments, &product)?);
    }
    println!("{}", record::print(&sections));
    Ok(())
}

fn section(suite: Suite, arguments: &Arguments, product: &Path) -> io::Result<Section> {
    eprintln!("== {} {}", suite.name, suite.version);
    let published = package::published(&suite, &arguments.work)?;
    let mut remarks = Vec::new();
    // Executables by tool and test.
    let mut tests: BTreeMap<String, [Option<PathBuf>; 2]> = BTreeMap::new();
    for &tool in &arguments.tools {
        let folder = package::copy(&suite, &published, tool, &arguments.work, product)?;
        match cargo::build(&suite, &folder, tool, &arguments.work)? {
            Err(said) => {
                let log = arguments.work.join(format!("logs/{}-{}-build", tool.name(), suite.name));
                std::fs::write(&log, &said)?;
                let errors = said.lines().filter(|line| line.starts_with("error")).count();
                eprintln!("   {}: not built, {errors} errors: {}", tool.name(), log.display());
                remarks.push(format!("With {}, it does not build.", tool.name()));
            }
            Ok(executables) => {
                for executable in executables {
                    for test in cargo::tests(&suite, &executable)? {
                        tests.entry(test).or_default()[tool as usize] = Some(executable.clone());
                    }
                }
            }
        }
    }
    if tests.is_empty() && remarks.is_empty() {
        remarks.push("The published package has no tests for loom.".to_owned());
    }
    let mut rows = Vec::new();
    for (test, executables) in tests.into_iter().filter(|(test, _)| arguments.wants_test(&suite, test)) {
        let outcome = |tool: Tool| match &executables[tool as usize] {
            Some(executable) => one(&suite, executable, &test, tool, arguments),
            None => Ok(Outcome::MISSING),
        };
        let (loom, mazurka) = (outcome(Tool::Loom)?, outcome(Tool::Mazurka)?);
        rows.push(Row { test, loom, mazurka });
    }
    let remark = if remarks.is_empty() { None } else { Some(remarks.join(" ")) };
    Ok(Section { suite, remark, rows })
}

fn one(suite: &Suite, executable: &Path, test: &str, tool: Tool, arguments: &Arguments) -> io::Result<Outcome> {
    let file = format!("logs/{}-{}-{}", tool.name(), suite.name, test.replace("::", "."));
    let log = arguments.work.join(file);
    let outcome = run::run(suite, executable, test, arguments.limit_of(tool), &log)?;
    let sign = if outcome.ending == Ending::Passed { ' ' } else { '!' };
    eprintln!(" {sign} {:<8}{:<70}{:?} {:.2} s", tool.name(), test, outcome.ending, outcome.cpu.as_secs_f64());
    Ok(outcome)
}
