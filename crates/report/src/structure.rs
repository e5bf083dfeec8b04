//! The event structure of a program, for people, for Graphviz and for machines.

use crate::summary::SCHEMA_VERSION;
use model::Names;
use serde::Serialize;
use std::fmt::Write;
use trace::unfolding::{Structure, StructureEvent};

/// An event structure with names.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Described {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// What was unfolded.
    pub program: String,
    /// Whether every event is there.
    pub whole: bool,
    /// The events, numbered by their places from 0.
    pub events: Vec<DescribedEvent>,
    /// The maximal configurations: the events of each.
    pub configurations: Vec<Vec<u32>>,
}

/// An event with names.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DescribedEvent {
    /// The thread's name.
    pub thread: String,
    /// Position among the events of its thread, from 1.
    pub index: u32,
    /// What it does, in words.
    pub does: String,
    /// Where in the program's text, where names have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// The alternative of its step.
    pub alternative: u32,
    /// The events directly before it.
    pub causes: Vec<u32>,
    /// The events in immediate conflict with it.
    pub conflicts: Vec<u32>,
    /// How many events are in its history, itself included.
    pub size: u32,
}

impl Described {
    /// A structure with the names of its program.
    pub fn new(program: &str, structure: &Structure, names: &dyn Names, whole: bool) -> Self {
        let event = |event: &StructureEvent| {
            let name = event.op.kind.name();
            let does = match event.footprint.touches() || event.op.object != model::ObjectId::NONE {
                true => format!("{name} {}", names.object(event.op.object)),
                false => name.to_owned(),
            };
            DescribedEvent {
                thread: names.thread(event.choice.thread),
                index: event.index,
                does,
                site: names.site(event.op.site).filter(|site| !site.is_empty()),
                alternative: event.choice.alternative,
                causes: event.causes.clone(),
                conflicts: event.conflicts.clone(),
                size: event.size,
            }
        };
        Described {
            schema_version: SCHEMA_VERSION,
            program: program.to_owned(),
            whole,
            events: structure.events.iter().map(event).collect(),
            configurations: structure.configurations.clone(),
        }
    }

    /// One line for each event, and one for each maximal configuration.
    pub fn to_text(&self) -> String {
        let part = if self.whole { "" } else { ", as far as it was explored" };
        let (events, configurations) = (self.events.len(), self.configurations.len());
        let mut text = format!("{}: {events} events, {configurations} maximal configurations{part}\n\n", self.program);
        for (number, event) in self.events.iter().enumerate() {
            let site = event.site.as_ref().map_or(String::new(), |site| format!("  ({site})"));
            let _ = write!(text, "{number:>4}  {}{site}", event.label());
            for (what, others) in [("after", &event.causes), ("against", &event.conflicts)] {
                if !others.is_empty() {
                    let _ = write!(text, "  {what} {}", listed(others));
                }
            }
            text.push('\n');
        }
        text.push('\n');
        for (number, events) in self.configurations.iter().enumerate() {
            let _ = writeln!(text, "configuration {}: {}", number + 1, listed(events));
        }
        text
    }

    /// For Graphviz: arrows are causality, dashed red lines immediate conflict. An event that ends a maximal configuration has
    /// the numbers of those that it ends.
    pub fn to_dot(&self) -> String {
        let mut text = format!("digraph {} {{\n  node [shape=box, fontname=\"sans-serif\"];\n", quoted(&self.program));
        for (number, event) in self.events.iter().enumerate() {
            let site = event.site.as_ref().map_or(String::new(), |site| format!("\n{site}"));
            let _ = writeln!(text, "  e{number} [label={}];", quoted(&format!("{number}: {}{site}", event.label())));
        }
        for (number, event) in (0..).zip(&self.events) {
            for cause in &event.causes {
                let _ = writeln!(text, "  e{cause} -> e{number};");
            }
            for other in event.conflicts.iter().filter(|&&other| other > number) {
                let _ =
                    writeln!(text, "  e{number} -> e{other} [dir=none, style=dashed, color=red, constraint=false];");
            }
        }
        for (number, events) in self.configurations.iter().enumerate() {
            let _ = writeln!(text, "  // configuration {}: {}", number + 1, listed(events));
        }
        text + "}\n"
    }
}

impl DescribedEvent {
    /// `p1.2 write x`.
    fn label(&self) -> String {
        let alternative = if self.alternative > 0 { format!(" by {}", self.alternative) } else { String::new() };
        format!("{}.{} {}{alternative}", self.thread, self.index, self.does)
    }
}

fn listed(numbers: &[u32]) -> String {
    let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
    words.join(" ")
}

/// A string of the language of Graphviz.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_quotes_and_lines_is_one_string_for_graphviz() {
        assert_eq!(quoted("a \"b\"\n\\"), r#""a \"b\"\n\\""#);
    }
}
