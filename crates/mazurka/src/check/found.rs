//! What a check found out.

use super::text;
use explore::{Error, Limit};
use fiber::{FiberProgram, Knowledge};
use model::{Failure, FailureKind, Holding, Names, OpKind, Outcome, Pending, ThreadId};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;
use trace::{Ending, Tally};

/// What a check found out.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// What was counted.
    pub tally: Tally,
    /// What samples counted that were run before: see [`Checker::bug_first`](crate::Checker::bug_first).
    pub sampled: Tally,
    /// Bugs, one of each sort; only the first, unless [`Checker::keep_going`](crate::Checker::keep_going) was chosen.
    pub findings: Vec<Finding>,
    /// Whether every execution that can matter was run.
    pub exhaustive: bool,
    /// The limit that was in the way, if one was.
    pub limit: Option<Limit>,
    /// How long it took.
    pub elapsed: Duration,
    /// The algorithm's name.
    pub algorithm: &'static str,
    /// Of the first execution that was given up because it had too many steps: where it is, its schedule, and what to try.
    pub(super) endless: Option<(String, String)>,
    /// The memory model of which this holds: `sc`, unless a search under another one came to its end or found something, or
    /// the program has no atomic operation that is weaker than seq_cst ([`Checker::memory`](crate::Checker::memory)).
    pub memory: &'static str,
    /// What a search under another memory model than `sc` counted.
    pub weak: Option<Tally>,
    /// What is to be said about memory models.
    pub remark: Option<String>,
    /// Whether another model was asked for.
    pub(super) is_instead: bool,
    /// The page that was written, if one was to be: see [`Checker::html`](crate::Checker::html).
    pub page: Option<PathBuf>,
}

/// A bug.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// What sort of bug.
    pub kind: FindingKind,
    /// What happened, in a line.
    pub headline: String,
    /// The execution that shows it, as [`Checker::replay`](crate::Checker::replay) takes it; empty if there is none.
    pub schedule: String,
    /// The whole story for people.
    pub text: String,
}

/// The sorts of bugs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FindingKind {
    /// A thread panicked: a failed assertion, mostly.
    Panic,
    /// Threads wait for ever.
    Deadlock,
    /// Threads look at the same values for ever, which nobody changes any more.
    Livelock,
    /// Accesses of an [`UnsafeCell`](crate::cell::UnsafeCell) that nothing orders.
    DataRace,
    /// An object was used against its rules, such as a lock that is never given back.
    Misuse,
    /// A thread used up its stack.
    StackOverflow,
    /// The program does not do the same again under the same schedule, or a schedule does not fit it.
    Divergence,
    /// The algorithm that was chosen does not know an operation of the program: nothing was explored.
    Unsupported,
}

/// What a report is made from, beside what was found.
pub(super) struct Told<'a> {
    pub(super) names: &'a dyn Names,
    /// What was known of the program.
    pub(super) knowledge: Knowledge,
    /// The test's name.
    pub(super) test: Option<&'a str>,
}

/// What may be the reason that an object is taken for another one.
const NO_ALLOCATOR: &str = "mazurka is not the global allocator of this process, so it cannot always tell which object on \
    the heap is which from run to run. Turn its feature 'allocator' on or, if the process has an allocator of its own, wrap \
    that by mazurka::global_allocator!";

impl<'a> Told<'a> {
    pub(super) fn of(program: &'a FiberProgram, test: Option<&'a str>) -> Self {
        Told { names: model::Program::names(program), knowledge: program.knowledge(), test }
    }
}

impl Told<'_> {
    /// As [`Checker::replay`](crate::Checker::replay) takes it.
    pub(super) fn schedule_of(&self, finding: &explore::Finding) -> String {
        format!("{}{}", finding.schedule, self.knowledge)
    }
}

fn refused(error: &Error) -> bool {
    matches!(error, Error::Unsupported { .. })
}

impl Report {
    pub(super) fn new(result: Result<explore::Report, Error>, told: &Told<'_>, algorithm: &'static str) -> Self {
        match result {
            Ok(report) => Report {
                sampled: report.sampled,
                findings: report.findings.iter().map(|finding| Finding::new(finding, told)).collect(),
                exhaustive: report.exhaustive,
                limit: report.limit,
                endless: report.too_long.map(|too_long| text::endless(&too_long, told)),
                ..Report::empty(report.tally, report.elapsed, algorithm)
            },
            Err(error) => Report {
                findings: vec![Finding {
                    kind: if refused(&error) { FindingKind::Unsupported } else { FindingKind::Divergence },
                    headline: match refused(&error) {
                        true => "the algorithm does not know an operation of the program".to_owned(),
                        false => "the program does not do the same again".to_owned(),
                    },
                    schedule: String::new(),
                    text: match refused(&error) || fiber::records() {
                        true => error.to_string(),
                        false => format!("{error}\n{NO_ALLOCATOR}\n"),
                    },
                }],
                ..Report::empty(Tally::default(), Duration::ZERO, algorithm)
            },
        }
    }

    /// Nothing was found, and that is no proof.
    pub(super) fn empty(tally: Tally, elapsed: Duration, algorithm: &'static str) -> Self {
        Report {
            tally,
            sampled: Tally::default(),
            findings: Vec::new(),
            exhaustive: false,
            limit: None,
            elapsed,
            algorithm,
            endless: None,
            memory: "sc",
            weak: None,
            remark: None,
            is_instead: false,
            page: None,
        }
    }

    /// Takes executions that did not end for endless ones, unless a limit was chosen.
    pub(super) fn judged(mut self, endless: bool) -> Self {
        if let (true, true, Some(Limit::Steps(steps))) = (endless, self.is_ok(), self.limit) {
            let headline = format!("an execution did not end within {steps} steps");
            let (story, schedule) = self.endless.take().unwrap_or_default();
            let text = format!("{headline}: some loop has no end under some schedule, or is only long\n{story}");
            self.findings.push(Finding { kind: FindingKind::Livelock, headline, schedule, text });
        }
        self
    }

    /// Whether nothing was found.
    pub fn is_ok(&self) -> bool {
        self.findings.is_empty()
    }

    /// Whether nothing was found in any execution that can matter, under the memory model that was chosen. If none was, it is
    /// [`Report::memory`] of which this holds.
    pub fn is_proof(&self) -> bool {
        self.is_ok() && self.exhaustive && !self.is_instead
    }

    /// How many executions were run to their end.
    pub fn executions(&self) -> u64 {
        self.tally.executions()
    }

    /// The first bug.
    pub fn finding(&self) -> Option<&Finding> {
        self.findings.first()
    }
}

impl Finding {
    fn new(finding: &explore::Finding, told: &Told<'_>) -> Self {
        let kind = kind(finding);
        let schedule = told.schedule_of(finding);
        Finding {
            kind,
            headline: text::headline(finding, kind, told.names),
            text: text::story(finding, kind, told, &schedule),
            schedule,
        }
    }
}

/// The failure that a finding is about: a data race may well be what other failures come from.
pub(super) fn main_failure(finding: &explore::Finding) -> Option<&(ThreadId, Failure)> {
    let race = finding.failures.iter().find(|(_, failure)| failure.kind == FailureKind::DataRace);
    race.or(finding.failures.first())
}

pub(super) fn kind(finding: &explore::Finding) -> FindingKind {
    match (finding.ending, main_failure(finding)) {
        (Ending::Failed, Some((_, failure))) => kind_of(failure.kind),
        _ if finding.waiting.iter().any(|pending| polls(finding, pending) || goes_round(pending.op.kind)) => {
            FindingKind::Livelock
        }
        _ => FindingKind::Deadlock,
    }
}

pub(super) fn kind_of(failure: FailureKind) -> FindingKind {
    match failure {
        FailureKind::Panic | FailureKind::Assertion => FindingKind::Panic,
        FailureKind::DataRace => FindingKind::DataRace,
        FailureKind::StackOverflow => FindingKind::StackOverflow,
        FailureKind::Misuse | FailureKind::Crash | FailureKind::Memory | FailureKind::Hang | FailureKind::Property => {
            FindingKind::Misuse
        }
    }
}

/// Whether a thread that is left at a lock takes it again and again to look at what it guards: nobody holds it.
fn polls(finding: &explore::Finding, pending: &Pending) -> bool {
    let events = finding.trace.events().iter().rev().filter(|event| event.op.object == pending.op.object);
    let holding = events.filter(|event| event.outcome == Outcome::Done).map(|event| event.op.kind.nature().holding);
    let mut changes = holding.filter(|holding| holding.takes() || matches!(holding, Holding::Gives(_)));
    pending.op.kind == OpKind::Lock && changes.next().is_none_or(|last| !last.takes())
}

/// Whether a thread that waits at this operation goes round a loop: the operation never waits by itself, or awaits another
/// value, which only a thread that spins does.
pub(super) fn goes_round(kind: OpKind) -> bool {
    !kind.may_block() || matches!(kind, OpKind::Await(model::Test::NotEqual(_)))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            writeln!(f, "{}", finding.text)?;
        }
        if let Some(page) = &self.page {
            writeln!(f, "look at it: {}\n", page.display())?;
        }
        f.write_str(&text::line(self))
    }
}
