//! `mazurka programs`: what is built in.

use crate::output::{print, print_json};
use crate::problem::{Problem, Status};
use clap::Args;
use litmus::corpus::{self, Row};
use litmus::library::{self, Entry};
use report::table::thousands;
use serde::Serialize;
use std::fmt::Write;

const EXAMPLES: &str = "\
Examples:
  mazurka programs                all of them
  mazurka programs zero           those whose name, description or source has 'zero' in it
  mazurka programs --json | jq -r '.[].name'";

/// How many known counts of a program the list for people shows.
const COUNTS_SHOWN: usize = 6;

/// The arguments of `mazurka programs`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ProgramsArgs {
    /// Only those with this text in their name, description or source
    filter: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    parameters: Vec<ListedParameter>,
    description: &'static str,
    /// The number of classes, as a formula or in words; empty when not known in closed form.
    classes: &'static str,
    citation: &'static str,
    known: Vec<Known>,
}

#[derive(Serialize)]
struct ListedParameter {
    name: &'static str,
    meaning: &'static str,
    default: i64,
    least: i64,
    most: i64,
}

#[derive(Serialize)]
struct Known {
    arguments: Vec<i64>,
    classes: u64,
}

/// Prints the list.
pub(crate) fn programs(args: &ProgramsArgs) -> Result<Status, Problem> {
    let filter = args.filter.as_deref().unwrap_or("").to_lowercase();
    let rows = corpus::rows().map_err(Problem::input)?;
    let is_meant = |entry: &&Entry| {
        [entry.name, entry.description, entry.citation].iter().any(|text| text.to_lowercase().contains(&filter))
    };
    let listed: Vec<Listed> = library::all().iter().filter(is_meant).map(|entry| list(entry, &rows)).collect();
    if listed.is_empty() {
        return Err(Problem::Input(format!("no program has '{filter}' in it; `mazurka programs` lists all")));
    }
    if args.json {
        print_json(&listed)?;
    } else {
        print(&listed.iter().map(Listed::to_text).collect::<Vec<_>>().join("\n"))?;
    }
    Ok(Status::Proved)
}

fn list(entry: &Entry, rows: &[Row]) -> Listed {
    let own = rows.iter().filter(|row| row.program.as_deref() == Some(entry.name));
    Listed {
        name: entry.name,
        parameters: entry
            .parameters
            .iter()
            .map(|p| ListedParameter {
                name: p.name,
                meaning: p.meaning,
                default: p.default,
                least: p.least,
                most: p.most,
            })
            .collect(),
        description: entry.description,
        classes: entry.classes,
        citation: entry.citation,
        known: own.map(|row| Known { arguments: row.args.clone(), classes: row.classes }).collect(),
    }
}

impl Listed {
    fn to_text(&self) -> String {
        let mut text = self.name.to_owned();
        for parameter in &self.parameters {
            let _ = write!(text, " {}", parameter.name.to_uppercase());
        }
        let _ = writeln!(text, "\n    {}", self.description);
        for parameter in &self.parameters {
            let ListedParameter { name, meaning, default, least, most } = parameter;
            let _ = writeln!(text, "    {}: {meaning}, {least} to {most}, by default {default}", name.to_uppercase());
        }
        if !self.classes.is_empty() {
            let _ = writeln!(text, "    classes: {}", self.classes);
        }
        if !self.parameters.is_empty() && !self.known.is_empty() {
            let _ = writeln!(text, "    known: {}", self.known_counts());
        }
        let _ = writeln!(text, "    from: {}", self.citation);
        text
    }

    fn known_counts(&self) -> String {
        let count = |known: &Known| {
            let arguments: Vec<String> = known.arguments.iter().map(i64::to_string).collect();
            format!("({}) → {}", arguments.join(","), thousands(known.classes))
        };
        let mut counts: Vec<String> = self.known.iter().take(COUNTS_SHOWN).map(count).collect();
        if self.known.len() > COUNTS_SHOWN {
            counts.push(format!("and {} more", self.known.len() - COUNTS_SHOWN));
        }
        counts.join(", ")
    }
}
