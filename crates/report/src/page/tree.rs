//! The tree of executions that a search explored: a sink that keeps them, with the races that they reverse.
//!
//! An execution is a path in a tree of steps. It *reverses* a race of an earlier one if both begin with the same steps, up
//! to the first of the race, and the second comes before the first in it. Which races are to be reversed the search tells
//! when it plans an execution. So what is said of a branch holds whichever algorithm runs, and is what it meant by it.

use super::diagram::{About, Cast, CastData, Columns, Recorded, record};
use super::sample::Sample;
use super::texts::Texts;
use crate::finding::Named;
use crate::words::{self, printable};
use model::{Choice, Names, ThreadId};
use serde::Serialize;
use std::collections::HashMap;
use std::fmt::Write;
use std::ops::ControlFlow;
use trace::{Ending, Event, EventId, Execution, Race, Sink, Trace};

/// As many races are kept that wait to be reversed.
const PLANS: usize = 100_000;

/// Keeps the executions of a search, or a sample of them.
pub struct TreeSink<'p> {
    names: &'p dyn Names,
    cast: Cast,
    sample: Sample<Kept>,
    planned: HashMap<u64, Vec<Planned>>,
    /// How many there are.
    plans: usize,
    /// The steps of the execution that was told last.
    last: Vec<Choice>,
}

/// An execution that is kept.
struct Kept {
    path: Vec<Choice>,
    columns: Columns,
    about: About,
    reverses: Option<Reversed>,
}

/// A race for which an execution is planned.
struct Planned {
    /// The execution whose race it is.
    of: u64,
    first: EventId,
    second: Option<EventId>,
    /// The steps by their threads, and by their places among the threads' steps, from 1.
    names: [(ThreadId, u32); 2],
    texts: [String; 2],
}

/// The race of an earlier execution that one reverses.
#[derive(Clone, Serialize, PartialEq, Debug)]
pub struct Reversed {
    /// The number of that execution, from 1.
    pub of: u64,
    /// The number of the first step in it, from 1.
    pub first: u32,
    /// The number of the second step; none if its thread still waits to take it.
    pub second: Option<u32>,
    /// Both steps in words.
    pub texts: [String; 2],
}

impl<'p> TreeSink<'p> {
    /// Keeps the executions of a program with these names.
    pub fn new(names: &'p dyn Names) -> Self {
        TreeSink {
            names,
            cast: Cast::default(),
            sample: Sample::new(),
            planned: HashMap::new(),
            plans: 0,
            last: Vec::new(),
        }
    }

    fn keep(&mut self, execution: &Execution<'_>) {
        self.last.clear();
        self.last.extend(execution.trace.events().iter().map(|event| event.choice));
        let reverses = self.reversed_by(execution.trace);
        let TreeSink { names, cast, sample, last, .. } = self;
        let is_bad = matches!(execution.ending, Ending::Failed | Ending::Deadlocked);
        sample.tell(is_bad, || {
            let story = Named { execution: *execution, pivot: None, names: *names };
            let Recorded { columns, about } = record(&story, story.headline(), Vec::new(), cast);
            (last.len(), Kept { path: last.clone(), columns, about, reverses })
        });
    }

    /// The planned race that an execution reverses: of those with the longest common beginning the one planned first.
    fn reversed_by(&mut self, trace: &Trace) -> Option<Reversed> {
        let mut place = HashMap::new();
        for (step, event) in trace.events().iter().enumerate() {
            place.insert((event.thread(), event.index), step);
        }
        let comes_before = |[first, second]: &[(ThreadId, u32); 2]| match (place.get(second), place.get(first)) {
            (Some(second), Some(first)) => second < first,
            (Some(_), None) => true,
            _ => false,
        };
        let mut hashes = prefixes(trace.events());
        hashes.reverse();
        for hash in hashes {
            let Some(planned) = self.planned.get_mut(&hash) else { continue };
            if let Some(found) = planned.iter().position(|planned| comes_before(&planned.names)) {
                self.plans -= 1;
                return Some(planned.remove(found).told());
            }
        }
        None
    }

    /// What was kept.
    pub fn into_tree(mut self) -> Tree {
        let cast = self.cast.take_data();
        let told = self.sample.told();
        let mut owners: HashMap<u64, usize> = HashMap::new();
        let mut executions = Vec::new();
        for (place, sampled) in self.sample.into_kept().into_iter().enumerate() {
            let kept = sampled.what;
            let hashes = hashes_of(kept.path.iter().copied());
            let shared = hashes.iter().rposition(|hash| owners.contains_key(hash));
            let parent = shared.map(|shared| owners[&hashes[shared]]);
            let shared = shared.unwrap_or(0);
            for hash in hashes {
                owners.entry(hash).or_insert(place);
            }
            let mut columns = kept.columns;
            columns.leave_out(shared);
            executions.push(Node {
                number: sampled.number + 1,
                parent,
                shared,
                steps: sampled.steps,
                reverses: kept.reverses,
                why: None,
                columns,
                about: kept.about,
            });
        }
        Tree::new(told, executions, cast, self.cast.texts)
    }
}

impl Planned {
    fn told(self) -> Reversed {
        Reversed {
            of: self.of + 1,
            first: self.first + 1,
            second: self.second.map(|second| second + 1),
            texts: self.texts,
        }
    }
}

impl Sink for TreeSink<'_> {
    fn begin(&mut self) {
        *self = TreeSink::new(self.names);
    }

    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        self.keep(execution);
        ControlFlow::Continue(())
    }

    fn wants_branches(&self) -> bool {
        true
    }

    fn given_up(&mut self, execution: &Execution<'_>) {
        self.keep(execution);
    }

    fn reversal(&mut self, trace: &Trace, race: &Race) {
        if self.plans >= PLANS {
            return;
        }
        let events = trace.events();
        let is_last = events.len() == self.last.len() && events.iter().zip(&self.last).all(|(e, c)| e.choice == *c);
        let told = self.sample.told();
        let of = if is_last { told.saturating_sub(1) } else { told };
        let first = trace.event(race.first);
        let steps_of = |thread| trace.last_of(thread).map_or(0, |last| trace.event(last).index);
        let second = race.second.map_or((race.thread, steps_of(race.thread) + 1), |second| {
            (trace.event(second).thread(), trace.event(second).index)
        });
        let thread = |thread| printable(&self.names.thread(thread));
        let text =
            |step: EventId| format!("{}: {}", thread(trace.event(step).thread()), words::one(trace, step, self.names));
        let waits = || {
            let object = printable(&self.names.object(race.footprint.object));
            format!("{}: what it still waits for on {object}", thread(race.thread))
        };
        let planned = Planned {
            of,
            first: race.first,
            second: race.second,
            names: [(first.thread(), first.index), second],
            texts: [text(race.first), race.second.map_or_else(waits, text)],
        };
        let prefix = prefixes(&events[..race.first as usize]).pop().expect("the empty one is one");
        self.planned.entry(prefix).or_default().push(planned);
        self.plans += 1;
    }
}

/// A number for each prefix, the empty one first.
fn prefixes(events: &[Event]) -> Vec<u64> {
    hashes_of(events.iter().map(|event| event.choice))
}

fn hashes_of(choices: impl Iterator<Item = Choice>) -> Vec<u64> {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut hashes = vec![hash];
    for choice in choices {
        for word in [u64::from(choice.thread.0) + 1, u64::from(choice.alternative) + 1] {
            hash = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        hashes.push(hash);
    }
    hashes
}

/// The executions of a search, as a tree.
pub struct Tree {
    /// How many there were.
    told: u64,
    executions: Vec<Node>,
    cast: CastData,
    pub(super) texts: Texts,
}

#[derive(Serialize)]
pub(super) struct Node {
    pub(super) number: u64,
    /// The place of the one that it shares its first steps with.
    pub(super) parent: Option<usize>,
    pub(super) shared: usize,
    pub(super) steps: usize,
    pub(super) reverses: Option<Reversed>,
    /// What else tells it from the one that it branches from.
    pub(super) why: Option<String>,
    /// Of the steps that it does not share.
    pub(super) columns: Columns,
    pub(super) about: About,
}

/// As the script reads it.
#[derive(Serialize)]
pub(super) struct TreeData {
    told: u64,
    cast: CastData,
    executions: Vec<Node>,
}

impl Tree {
    /// Of these.
    pub(super) fn new(told: u64, executions: Vec<Node>, cast: CastData, texts: Texts) -> Self {
        Tree { told, executions, cast, texts }
    }

    pub(super) fn into_data(self) -> (TreeData, Texts) {
        (TreeData { told: self.told, cast: self.cast, executions: self.executions }, self.texts)
    }

    /// How many executions there were, and how many of them were kept.
    pub fn size(&self) -> (u64, usize) {
        (self.told, self.executions.len())
    }

    /// For each execution that was kept: its number, the number of the one it branches from, after how many steps, and the
    /// race that it reverses.
    pub fn branches(&self) -> impl Iterator<Item = (u64, Option<u64>, usize, Option<&Reversed>)> {
        self.executions.iter().map(|node| {
            let parent = node.parent.map(|parent| self.executions[parent].number);
            (node.number, parent, node.shared, node.reverses.as_ref())
        })
    }

    /// The tree in the language of Graphviz.
    pub fn to_dot(&self, title: &str) -> String {
        let mut dot = String::from("digraph search {\n");
        let _ = writeln!(dot, "  label={};\n  labelloc=t;\n  rankdir=LR;", quoted(&self.title(title)));
        dot += "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"sans-serif\"];\n";
        dot += "  edge [fontname=\"sans-serif\", fontsize=10];\n";
        for node in &self.executions {
            let style = match node.about.kind() {
                "failure" | "deadlock" => ", color=\"#c0392b\", fillcolor=\"#fadbd8\"",
                "given up" => ", style=\"rounded,dashed\", color=\"#7f8c8d\"",
                "cut" => ", style=\"rounded,dotted\", color=\"#7f8c8d\"",
                _ => "",
            };
            let label = format!("{}: {}\n{} steps", node.number, node.about.headline(), node.steps);
            let _ = writeln!(dot, "  x{} [label={}{style}];", node.number, quoted(&label));
        }
        for ((number, parent, shared, reverses), node) in self.branches().zip(&self.executions) {
            let Some(parent) = parent else { continue };
            let race =
                reverses.map_or(String::new(), |race| format!("\nreverses {}\nand {}", race.texts[0], race.texts[1]));
            let label = node.why.clone().unwrap_or_else(|| format!("after step {shared}{race}"));
            let _ = writeln!(dot, "  x{parent} -> x{number} [label={}];", quoted(&label));
        }
        dot + "}\n"
    }

    fn title(&self, title: &str) -> String {
        match self.size() {
            (told, kept) if told == kept as u64 => title.to_owned(),
            (told, kept) => format!("{title}: a sample of {kept} of {told} executions"),
        }
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use explore::{Settings, algorithm, check_with};
    use litmus::LitmusProgram;
    use model::Program;

    fn tree(text: &str, by: &str) -> Tree {
        let program = LitmusProgram::new(text.parse().unwrap()).unwrap();
        let mut sink = TreeSink::new(program.names());
        let settings = Settings { keep_going: true, ..Settings::default() };
        check_with(&program, &mut *(algorithm(by).unwrap().make)(), &settings, &mut sink).unwrap();
        sink.into_tree()
    }

    #[test]
    fn every_branch_reverses_a_race_of_an_earlier_execution() {
        for by in ["classic", "source", "optimal", "pop", "observers"] {
            for text in [
                "var x; p: x = 1 | q: r = x | s: r = x",
                "var x, y; p: x = 1; r = y | q: y = 1; r = x",
                "mutex m; var x; p: lock m; x = 1; unlock m | q: lock m; r = x; unlock m",
                "var x; mutex m; p: lock m; x = 1 | q: lock m; r = x; unlock m",
            ] {
                let tree = tree(text, by);
                assert!(tree.size().0 > 1, "{text} by {by}");
                for (number, parent, _, reverses) in tree.branches() {
                    assert_eq!(parent.is_none(), number == 1, "{text} by {by}: {number}");
                    assert_eq!(reverses.is_none(), number == 1, "{text} by {by}: {number}");
                    assert!(reverses.is_none_or(|race| race.of < number), "{text} by {by}: {number}");
                }
            }
        }
    }

    #[test]
    fn every_interleaving_is_kept_without_a_reason() {
        let tree = tree("var x; p: x = 1 | q: r = x", "naive");
        let branches: Vec<_> =
            tree.branches().map(|(n, parent, shared, why)| (n, parent, shared, why.cloned())).collect();
        assert_eq!(branches, [(1, None, 0, None), (2, Some(1), 0, None)]);
    }

    #[test]
    fn the_picture_says_what_is_reversed() {
        let dot =
            tree("var x; p: x = 1 | q: r = x; assert r == 1, \"too \\\"early\\\"\"", "optimal").to_dot("two threads");
        assert!(
            dot.contains("x1 -> x2 [label=\"after step 0\\nreverses p: write x := 1\\nand q: read x = 1\"]"),
            "{dot}"
        );
        assert!(dot.contains("fillcolor=\"#fadbd8\"") && dot.contains("too \\\"early\\\""), "{dot}");
    }

    #[test]
    fn of_many_executions_a_sample_is_kept() {
        let writers = ["x = 1; y = 1; z = 1"; 3].join(" | ");
        let tree = tree(&format!("var x, y, z; {writers}"), "naive");
        let (told, kept) = tree.size();
        assert_eq!(told, 1680);
        assert_eq!(kept, 1680);
        let writers = ["x = 1; y = 1; z = 1; x = 2"; 3].join(" | ");
        let (told, kept) = super::tests::tree(&format!("var x, y, z; {writers}"), "naive").size();
        assert_eq!(told, 34_650);
        assert!((5_000..=10_000).contains(&kept), "{kept}");
    }
}
