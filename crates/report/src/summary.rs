//! What a search counted, for people and for machines. Both are printed from the same [`Summary`].
//!
//! The names of the JSON fields are those of the structs here. A field may be added without notice; when one is taken
//! away or changes its meaning, [`SCHEMA_VERSION`] grows.

use crate::deadlock::{Holder, Wait};
use crate::finding::Named;
use crate::table::thousands;
use crate::words::printable;
use model::Location;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::time::Duration;
use trace::{Ending, Tally};

/// The version of the JSON that this crate writes.
pub const SCHEMA_VERSION: u32 = 1;

/// One search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The program: a name, or the path of its file.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<i64>,
    /// The algorithm's name.
    pub algorithm: String,
    /// The memory model, where one was chosen or the program's memory orders made the choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// What the search says about memory models, or why it says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_remark: Option<String>,
    /// The scheduling order's name.
    pub order: String,
    /// The seed of everything random.
    pub seed: u64,
    /// What was counted.
    pub counts: Counts,
    /// Time for the search.
    pub seconds: f64,
    /// Executions a second, those that were given up included: see [`Counts::rate`].
    pub executions_per_second: f64,
    /// The most memory that the process had, where the system tells.
    pub peak_memory_bytes: Option<u64>,
    /// Whether every class was explored.
    pub exhaustive: bool,
    /// Why not, in words.
    pub not_exhaustive_because: Option<String>,
    /// How many executions an optimal algorithm must find, where that is known.
    pub expected_executions: Option<u64>,
    /// Whether it found so many; null when not known, or when the search could not tell.
    pub agrees: Option<bool>,
    /// Failures and deadlocks, one of each sort.
    pub findings: Vec<FindingSummary>,
}

/// How many executions ended how, and what that took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Counts {
    /// Executions run to their end, cut ones included.
    pub executions: u64,
    /// Those in which every thread ended.
    pub completed: u64,
    /// Those in which some threads wait for ever.
    pub deadlocked: u64,
    /// Those in which some thread failed.
    pub failed: u64,
    /// Those with a false `assume`.
    pub assume_cut: u64,
    /// Runs given up because everything enabled slept.
    pub sleep_set_blocked: u64,
    /// Runs given up at the limit of steps.
    pub too_long: u64,
    /// Runs given up because all they could still do is beyond a bound.
    #[serde(default)]
    pub out_of_bounds: u64,
    /// Executions that ended before cutoffs.
    #[serde(default)]
    pub cut_off: u64,
    /// Branches of executions that were not taken because they are beyond a bound.
    #[serde(default)]
    pub pruned: u64,
    /// Steps executed for the first time.
    pub steps: u64,
    /// Steps executed again to get back to a prefix.
    pub steps_replayed: u64,
    /// Steps of the longest execution.
    pub longest: u64,
    /// Nodes of the largest wakeup tree.
    pub largest_wakeup_tree: u64,
    /// Events of the unfolding that were made; one that was forgotten and made again counts again.
    #[serde(default)]
    pub unfolding_events: u64,
    /// Events of the unfolding at the time when there were most.
    #[serde(default)]
    pub unfolding_events_live: u64,
    /// Alternatives of the unfolding for which the budget was used up.
    #[serde(default)]
    pub over_budget: u64,
    /// Executions that a search for bugs ran before, which are not among the others.
    #[serde(default)]
    pub sampled: u64,
}

impl From<&Tally> for Counts {
    fn from(tally: &Tally) -> Self {
        Counts {
            executions: tally.executions(),
            completed: tally.completed,
            deadlocked: tally.deadlocked,
            failed: tally.failed,
            assume_cut: tally.cut,
            sleep_set_blocked: tally.sleep_set_blocked,
            too_long: tally.too_long,
            out_of_bounds: tally.out_of_bounds,
            cut_off: tally.cut_off,
            pruned: tally.pruned,
            steps: tally.steps,
            steps_replayed: tally.replayed,
            longest: tally.longest,
            largest_wakeup_tree: tally.largest_tree,
            unfolding_events: tally.events_made,
            unfolding_events_live: tally.events_live,
            over_budget: tally.over_budget,
            sampled: 0,
        }
    }
}

impl Counts {
    /// Executions a second, those that were given up included.
    pub fn rate(&self, seconds: f64) -> f64 {
        (self.executions + self.sleep_set_blocked + self.too_long + self.out_of_bounds + self.cut_off) as f64
            / seconds.max(1e-9)
    }
}

/// A failure or a deadlock.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FindingSummary {
    /// `failure` or `deadlock`; of a replay also `completed`, `cut` or `given up`.
    pub kind: String,
    /// What happened, in a line.
    pub headline: String,
    /// What `mazurka replay` takes.
    pub schedule: String,
    /// The execution.
    pub steps: Vec<StepSummary>,
    /// The numbers of two steps whose order makes the difference: the other way round, this does not happen.
    pub pivot: Option<[u32; 2]>,
    /// Who waits for what.
    pub waiting: Vec<WaitSummary>,
    /// Threads and what they want of each other in turn, the first repeated at the end.
    pub cycle: Vec<String>,
    /// The failures, each with its thread.
    #[serde(default)]
    pub failures: Vec<FailureSummary>,
    /// The calls that led to what matters: failures, the two accesses of a data race, waits. Of programs in C.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stacks: Vec<StackSummary>,
    /// Under a memory model: what no interleaving explains, and which synchronisation is missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
}

/// A line of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LineSummary {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
}

impl From<Location> for LineSummary {
    fn from(location: Location) -> Self {
        LineSummary { file: location.file, line: location.line }
    }
}

/// What a thread did wrong.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FailureSummary {
    /// The thread's name.
    pub thread: String,
    /// What happened, in words.
    pub message: String,
    /// The number of the step at which it did, where there is one.
    pub step: Option<u32>,
    /// Where, in the program's own text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<LineSummary>,
}

/// The calls that led to a step, a failure or a wait.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StackSummary {
    /// The thread's name.
    pub thread: String,
    /// What happened there, in words that follow the name.
    pub what: String,
    /// The number of the step, where it is one.
    pub step: Option<u32>,
    /// Functions with file and line, the innermost first.
    pub calls: Vec<String>,
}

/// Stacks for people, each after an empty line.
pub fn stacks_text(stacks: &[StackSummary]) -> String {
    let text = |stack: &StackSummary| {
        let calls: Vec<String> = stack.calls.chunk_by(|a, b| a == b).map(repeated).collect();
        format!("\n{} {} in {}\n", stack.thread, stack.what, calls.join("\n    called by "))
    };
    stacks.iter().map(text).collect()
}

/// The same call, once or several times.
fn repeated(calls: &[String]) -> String {
    match calls.len() {
        1 => calls[0].clone(),
        times => format!("{} ({times} times)", calls[0]),
    }
}

/// One step of an execution.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StepSummary {
    /// Counted from 1.
    pub step: u32,
    /// The thread's name.
    pub thread: String,
    /// What was done, in words.
    pub does: String,
    /// File and line, where names have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// The line, where names have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<LineSummary>,
    /// The failure that happened there, if one did.
    pub failure: Option<String>,
}

/// A thread that waits for ever.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WaitSummary {
    /// The thread's name.
    pub thread: String,
    /// What it waits for, in words.
    pub reason: String,
    /// File and line, where names have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// The line, where names have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<LineSummary>,
    /// Who holds what it waits for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holders: Vec<HolderSummary>,
}

/// Who holds a lock that somebody waits for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HolderSummary {
    /// The thread's name.
    pub thread: String,
    /// The number of the step that took the lock.
    pub since_step: u32,
    /// File and line of that step, where names have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
}

impl From<Wait> for WaitSummary {
    fn from(wait: Wait) -> Self {
        let holder =
            |holder: Holder| HolderSummary { thread: holder.thread, since_step: holder.since + 1, site: holder.site };
        WaitSummary {
            thread: wait.thread,
            reason: wait.reason,
            site: wait.site,
            line: wait.location.map(LineSummary::from),
            holders: wait.holders.into_iter().map(holder).collect(),
        }
    }
}

/// The word for an ending.
pub(crate) fn kind_of(ending: Ending) -> &'static str {
    match ending {
        Ending::Failed => "failure",
        Ending::Deadlocked => "deadlock",
        Ending::Completed => "completed",
        Ending::Cut => "cut",
        Ending::SleepSetBlocked | Ending::TooLong | Ending::OutOfBounds | Ending::CutOff => "given up",
    }
}

impl FindingSummary {
    /// Of an execution and its schedule.
    pub fn new(story: &Named<'_>, schedule: String) -> Self {
        let kind = kind_of(story.execution.ending);
        let explanation = story.explanation();
        let steps =
            story.rows().into_iter().zip(story.execution.trace.events()).zip(1..).map(|((row, event), step)| {
                StepSummary {
                    step,
                    thread: story.names.thread(event.thread()),
                    does: row.text,
                    site: story.site_of_step(step - 1),
                    line: story.names.location(story.place_of_step(step - 1)).map(LineSummary::from),
                    failure: row.note,
                }
            });
        let failures = story.execution.failures.iter().map(|(thread, failure)| FailureSummary {
            thread: story.thread(*thread),
            message: printable(&failure.to_string()),
            step: story.step_of(*thread, failure).map(|step| step + 1),
            line: story.names.location(story.place_of_failure(*thread, failure)).map(LineSummary::from),
        });
        FindingSummary {
            kind: kind.to_owned(),
            headline: story.headline(),
            schedule,
            steps: steps.collect(),
            pivot: story.pivot.map(|(first, second)| [first + 1, second + 1]),
            waiting: explanation.waits.into_iter().map(WaitSummary::from).collect(),
            cycle: explanation.cycle,
            failures: failures.collect(),
            stacks: Vec::new(),
            reasons: Vec::new(),
        }
    }
}

impl FindingSummary {
    /// The line that the finding is about: of a failure, or of the first wait.
    pub fn line(&self) -> Option<&LineSummary> {
        let failing = self.failures.iter().find_map(|failure| failure.line.as_ref());
        let at_step =
            || self.failures.iter().find_map(|failure| self.steps.get(failure.step? as usize - 1)?.line.as_ref());
        let waiting = || self.waiting.iter().find_map(|wait| wait.line.as_ref());
        failing.or_else(at_step).or_else(waiting)
    }
}

impl Summary {
    /// What was searched: `lastzero(10)`.
    pub fn title(&self) -> String {
        let arguments: Vec<String> = self.arguments.iter().map(i64::to_string).collect();
        if arguments.is_empty() { self.program.clone() } else { format!("{}({})", self.program, arguments.join(",")) }
    }

    /// The JSON, on several lines.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings, numbers and lists are always JSON")
    }

    /// What people want to know, with labels. Rows that are always there come first; what is 0 and seldom is not is left out.
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let counts = &self.counts;
        let memory_model =
            self.memory.iter().filter(|_| self.memory_remark.is_none()).map(|memory| ("memory model", memory.clone()));
        let mut rows: Vec<(&'static str, String)> = memory_model.collect();
        rows.extend([
            ("executions", thousands(counts.executions)),
            ("  completed", thousands(counts.completed)),
            ("  deadlocked", thousands(counts.deadlocked)),
            ("  failed", thousands(counts.failed)),
        ]);
        if counts.assume_cut > 0 {
            rows.push(("  cut", thousands(counts.assume_cut)));
        }
        rows.push(("sleep-set blocked", thousands(counts.sleep_set_blocked)));
        if counts.too_long > 0 {
            rows.push(("too long", thousands(counts.too_long)));
        }
        if counts.cut_off > 0 {
            rows.push(("ended before cutoffs", thousands(counts.cut_off)));
        }
        if counts.out_of_bounds + counts.pruned > 0 {
            let (runs, branches) = (thousands(counts.out_of_bounds), thousands(counts.pruned));
            rows.push(("beyond the bounds", format!("{runs} given up, and {branches} branches not taken")));
        }
        if counts.sampled > 0 {
            rows.push(("sampled before", thousands(counts.sampled)));
        }
        rows.push(("steps", format!("{}, and {} replayed", thousands(counts.steps), thousands(counts.steps_replayed))));
        rows.push(("longest execution", format!("{} steps", thousands(counts.longest))));
        if counts.largest_wakeup_tree > 0 {
            rows.push(("largest wakeup tree", format!("{} nodes", thousands(counts.largest_wakeup_tree))));
        }
        if counts.unfolding_events > 0 {
            let (made, live) = (thousands(counts.unfolding_events), thousands(counts.unfolding_events_live));
            rows.push(("events", format!("{made} made, at most {live} at a time")));
        }
        if counts.over_budget > 0 {
            let times = thousands(counts.over_budget);
            rows.push((
                "over the budget",
                format!("{times} alternatives, which may lead to blocked runs: see --budget"),
            ));
        }
        rows.push((
            "time",
            format!("{} ({} executions/s)", time(self.seconds), thousands(self.executions_per_second as u64)),
        ));
        if let Some(bytes) = self.peak_memory_bytes {
            rows.push(("peak memory", memory(bytes)));
        }
        rows.push((
            "exhaustive",
            match &self.not_exhaustive_because {
                None => "yes".to_owned(),
                Some(reason) => format!("no: {reason}"),
            },
        ));
        if let Some(remark) = &self.memory_remark {
            rows.push(("memory model", remark.clone()));
        }
        if let Some(expected) = self.expected_executions {
            let verdict = match self.agrees {
                Some(true) => ", as found",
                Some(false) => ", which is NOT what was found",
                None => "",
            };
            rows.push(("expected executions", format!("{}{verdict}", thousands(expected))));
        }
        rows
    }

    /// The table for people.
    pub fn to_text(&self) -> String {
        let rows = self.rows();
        let width = rows.iter().map(|(label, _)| label.len()).max().unwrap_or(0);
        rows.iter().fold(String::new(), |mut text, (label, value)| {
            let _ = writeln!(text, "{label:<width$}  {value}");
            text
        })
    }
}

/// Seconds as `12.3 ms`, `4.56 s`, `2 min 3 s`.
pub fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s if s < 60.0 => format!("{s:.2} s"),
        s => {
            let whole = Duration::from_secs_f64(s).as_secs();
            format!("{} min {} s", whole / 60, whole % 60)
        }
    }
}

/// Bytes as `12.3 MB`.
pub fn memory(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary() -> Summary {
        crate::testing::summary(Vec::new())
    }

    #[test]
    fn the_table_for_people() {
        insta::assert_snapshot!(summary().to_text(), @r"
        executions           3,328
          completed          3,328
          deadlocked         0
          failed             0
        sleep-set blocked    0
        steps                50,000, and 12,345 replayed
        longest execution    31 steps
        largest wakeup tree  9 nodes
        time                 250.0 ms (13,312 executions/s)
        peak memory          3.4 MB
        exhaustive           yes
        expected executions  3,328, as found
        ");
    }

    #[test]
    fn a_search_that_was_stopped_says_why() {
        let mut summary = summary();
        summary.exhaustive = false;
        summary.not_exhaustive_because = Some("the limit of 10 executions was reached".to_owned());
        summary.agrees = None;
        let text = summary.to_text();
        assert!(text.contains("no: the limit of 10 executions was reached"), "{text}");
        assert!(text.contains("expected executions  3,328\n"), "{text}");
    }

    #[test]
    fn the_json_can_be_read_back() {
        let summary = summary();
        assert_eq!(serde_json::from_str::<Summary>(&summary.to_json()).unwrap(), summary);
    }

    #[test]
    fn times_have_fitting_units() {
        let texts = [0.000_012, 0.0123, 4.567, 123.4].map(time);
        assert_eq!(texts, ["12 µs", "12.3 ms", "4.57 s", "2 min 3 s"]);
    }
}
