//! An execution graph in words: lanes with the source of each read, what no interleaving explains, and what is missing.

use crate::finding::headline_of;
use crate::lanes::{self, Layout, Row};
use crate::summary::{FailureSummary, FindingSummary, LineSummary, StepSummary, WaitSummary, kind_of};
use crate::words::printable;
use graphs::{Change, Event, EventId, Finding, Graph, Label, ModelInfo, NONE};
use model::{Access, Failure, FailureKind, Names, ObjectId, OpKind, Order, ThreadId};
use std::fmt::Write;

/// A finding under a memory model.
#[derive(Clone, Copy)]
pub struct GraphStory<'a> {
    /// What was found.
    pub finding: &'a Finding,
    /// Under which model.
    pub model: &'a ModelInfo,
    /// The names of things.
    pub names: &'a dyn Names,
}

impl GraphStory<'_> {
    pub(crate) fn graph(&self) -> &Graph {
        &self.finding.graph
    }

    /// What happened, in a line.
    pub fn headline(&self) -> String {
        let goes_round =
            |(_, op): &(model::ThreadId, model::Op)| !op.kind.may_block() && !matches!(op.kind, OpKind::Join(_));
        if self.finding.ending == trace::Ending::Deadlocked && self.finding.waiting.iter().any(goes_round) {
            return "livelock: threads look for a change that nobody makes any more".to_owned();
        }
        let waiting: Vec<_> = self.finding.waiting.iter().map(|(thread, _)| *thread).collect();
        headline_of(self.finding.ending, &self.finding.failures, &waiting, self.names)
    }

    /// The events that are shown: the write of an update is shown with its read, attempts that failed are not.
    pub(crate) fn shown(&self) -> Vec<EventId> {
        let g = self.graph();
        let is_shown = |&e: &EventId| {
            let event = g.event(e);
            event.label != Label::Ghost && !(event.is_write() && event.update)
        };
        (0..g.len() as EventId).filter(is_shown).collect()
    }

    /// The number under which an event is shown, counted from 1.
    fn number(&self, e: EventId) -> usize {
        let g = self.graph();
        let shown = if g.event(e).is_write() && g.event(e).update { g.before(e) } else { e };
        self.shown().iter().position(|&other| other == shown).map_or(0, |place| place + 1)
    }

    fn step(&self, e: EventId) -> String {
        let event = self.graph().event(e);
        format!("step {} of {}", self.number(e), printable(&self.names.thread(event.thread)))
    }

    /// What an event does, in words.
    pub(crate) fn text(&self, e: EventId) -> String {
        let g = self.graph();
        let event = g.event(e);
        let object = event.object();
        let name = if object == ObjectId::NONE { String::new() } else { printable(&self.names.object(object)) };
        let kind = event.op.kind;
        let value = |word| printable(&self.names.value(object, word));
        let order = order_of(event);
        match event.label {
            Label::Read if event.update && is_variable(kind) => {
                let written = g.of_thread(event.thread).get(event.index as usize + 1).map(|&w| g.event(w).value);
                let to = written.map_or(String::new(), |written| format!(" → {}", value(written)));
                format!("{kind} {name}: {}{to}{order}, {}", value(event.value), self.source(event))
            }
            Label::Read if is_variable(kind) => {
                format!("{kind} {name} = {}{order}, {}", value(event.value), self.source(event))
            }
            Label::Read => format!("{kind} {name}, {}", self.source(event)),
            Label::Write if is_variable(kind) => {
                format!("{kind} {name} := {}{order}{}", value(event.value), self.overtaken(e))
            }
            Label::Write => format!("{kind} {name}"),
            Label::Fence => format!("{kind}{order}"),
            Label::Spawn(child) => format!("{kind} {}", printable(&self.names.thread(child))),
            Label::Join(child) => format!("{kind} {}", printable(&self.names.thread(child))),
            Label::Choose => format!("{kind} {}", event.alternative),
            Label::After | Label::Nothing | Label::Ghost => format!("{kind} {name}").trim_end().to_owned(),
        }
    }

    fn source(&self, event: &Event) -> String {
        match event.source {
            NONE => "from the start".to_owned(),
            source => format!("from step {}", self.number(source)),
        }
    }

    /// Which write that stands above it a write comes before all the same.
    fn overtaken(&self, e: EventId) -> String {
        let g = self.graph();
        let later = &g.co(g.event(e).object())[g.rank(e)..];
        let overtaken = later.iter().copied().find(|&w| w < e);
        overtaken.map_or(String::new(), |w| format!(", before step {}", self.number(w)))
    }

    /// The steps in words.
    pub fn rows(&self) -> Vec<Row> {
        let g = self.graph();
        let shown = self.shown();
        let mut rows: Vec<Row> = shown
            .iter()
            .map(|&e| Row {
                lane: g.event(e).thread.index(),
                text: self.text(e),
                folded: false,
                matters: self.finding.why.cycle.contains(&e),
                mark: None,
                note: None,
            })
            .collect();
        for (thread, failure) in &self.finding.failures {
            if let Some(place) = self.place_of_failure(&shown, *thread, failure) {
                let row = &mut rows[place];
                row.matters = true;
                row.note = Some(format!("{}: {}", self.names.thread(*thread), printable(&failure.to_string())));
            }
        }
        rows
    }

    /// Where among the events that are shown a thread failed: at its last one, unless it is a data race, which stops nobody.
    pub(crate) fn place_of_failure(&self, shown: &[EventId], thread: ThreadId, failure: &Failure) -> Option<usize> {
        let is_it = |&e: &EventId| {
            let event = self.graph().event(e);
            event.thread == thread && (failure.kind != FailureKind::DataRace || event.op.site == failure.site)
        };
        shown.iter().rposition(is_it)
    }

    /// What no interleaving explains, and what is missing; a line for each.
    pub fn reasons(&self) -> Vec<String> {
        let g = self.graph();
        let why = &self.finding.why;
        let mut lines = Vec::new();
        for stale in &why.stale {
            let (read, newer) = (g.event(stale.read), g.event(stale.newer));
            let name = printable(&self.names.object(read.object()));
            let value = |word| printable(&self.names.value(read.object(), word));
            lines.push(format!(
                "{} reads {name} = {} {}, although the write of {} ({}) is before it",
                self.step(stale.read),
                value(read.value),
                self.source(read),
                value(newer.value),
                self.step(stale.newer),
            ));
        }
        for &(write, read) in &why.missing {
            lines.push(self.missing(write, read));
        }
        if why.is_weak && lines.is_empty() {
            let steps: Vec<String> = why.cycle.iter().map(|&e| self.number(e).to_string()).collect();
            lines.push(format!(
                "no interleaving does this: each of the steps {} would have to be before the next, and the last before the \
                 first. Seq_cst accesses, or seq_cst fences between them, would keep them in order",
                steps.join(" → ")
            ));
        }
        lines
    }

    fn missing(&self, write: EventId, read: EventId) -> String {
        let g = self.graph();
        let place = |e: EventId| {
            let site =
                self.names.site(g.event(e).op.site).map_or(String::new(), |site| format!(" `{}`", printable(&site)));
            format!("{}{site}", self.step(e))
        };
        let (store, load) = (g.event(write).order, g.event(read).order);
        let lacking = match (store.releases(), load.acquires()) {
            (true, false) => "the store releases, but the load does not acquire",
            (false, true) => "the load acquires, but the store does not release",
            _ => "a release store read by an acquire load would",
        };
        format!("nothing synchronises the store at {} with the load at {}: {lacking}", place(write), place(read))
    }

    /// Headline, execution, reasons and, for a deadlock, who waits for what.
    pub fn print(&self, layout: Layout) -> String {
        format!("{}\n\n{}", self.headline(), self.print_rows(&self.rows(), layout))
    }

    /// The same without the headline, with the place in the program's text of each step.
    pub fn print_with_sites(&self, layout: Layout) -> String {
        let mut rows = self.rows();
        for (row, &e) in rows.iter_mut().zip(&self.shown()) {
            if let Some(site) = self.names.site(self.graph().event(e).op.site) {
                let file = site.rsplit(['/', '\\']).next().unwrap_or(&site);
                let _ = write!(row.text, "  {file}");
            }
        }
        self.print_rows(&rows, layout)
    }

    fn print_rows(&self, rows: &[Row], layout: Layout) -> String {
        let lanes = rows.iter().map(|row| row.lane + 1).max().unwrap_or(0);
        let threads: Vec<String> =
            (0..lanes as u32).map(|lane| printable(&self.names.thread(ThreadId(lane)))).collect();
        let mut text = String::new();
        if rows.is_empty() {
            text.push_str("No step was taken.\n");
        } else {
            text.push_str(&lanes::print(&threads, rows, layout));
        }
        for wait in self.waits() {
            let _ = writeln!(text, "\n{}  {}", wait.thread, wait.reason);
        }
        let reasons = self.reasons();
        if !reasons.is_empty() {
            let _ = writeln!(text, "\n{}", reasons.join("\n"));
        }
        text
    }

    /// Who waits for ever, and for what.
    pub(crate) fn waits(&self) -> Vec<WaitSummary> {
        let wait = |(thread, op): &(ThreadId, model::Op)| {
            let object = match op.object {
                ObjectId::NONE => String::new(),
                object => format!(" {}", printable(&self.names.object(object))),
            };
            WaitSummary {
                thread: printable(&self.names.thread(*thread)),
                reason: format!("waits to {}{object}", op.kind),
                site: self.names.site(op.site),
                line: self.names.location(op.site).map(LineSummary::from),
                holders: Vec::new(),
            }
        };
        let is_shown = self.finding.ending == trace::Ending::Deadlocked;
        self.finding.waiting.iter().filter(|_| is_shown).map(wait).collect()
    }

    /// For machines.
    pub fn summary(&self, schedule: String) -> FindingSummary {
        let g = self.graph();
        let shown = self.shown();
        let rows = self.rows();
        let steps = shown.iter().zip(&rows).zip(1..).map(|((&e, row), step)| StepSummary {
            step,
            thread: self.names.thread(g.event(e).thread),
            does: row.text.clone(),
            site: self.names.site(g.event(e).op.site),
            line: self.names.location(g.event(e).op.site).map(LineSummary::from),
            failure: row.note.clone(),
        });
        let failures = self.finding.failures.iter().map(|(thread, failure)| FailureSummary {
            thread: printable(&self.names.thread(*thread)),
            message: printable(&failure.to_string()),
            step: self.place_of_failure(&shown, *thread, failure).map(|place| place as u32 + 1),
            line: self.names.location(failure.site).map(LineSummary::from),
        });
        FindingSummary {
            kind: kind_of(self.finding.ending).to_owned(),
            headline: self.headline(),
            schedule,
            steps: steps.collect(),
            pivot: None,
            waiting: self.waits(),
            cycle: Vec::new(),
            failures: failures.collect(),
            stacks: Vec::new(),
            reasons: self.reasons(),
        }
    }
}

/// Which stronger memory orders make a program pass, in words; none if no orders do.
pub fn suggestion(changes: Option<&[Change]>, names: &dyn Names) -> String {
    let changes = match changes {
        None => {
            return "\nno stronger memory order makes this pass: it fails with every access seq_cst, too\n".to_owned();
        }
        Some([]) => return "\nwith the memory orders that it has, it passes\n".to_owned(),
        Some(changes) => changes,
    };
    let mut text = "\nwith these memory orders, and none of them weaker, it passes:\n".to_owned();
    for Change { site, place, orders } in changes {
        let at = names.site(*site).map_or_else(|| "somewhere".to_owned(), |site| printable(&site));
        let _ = write!(text, "  {at}  {}  {} → {}", place.kind, place.orders.success, orders.success);
        if place.orders.failure != orders.failure && matches!(place.kind, OpKind::CompareExchange { .. }) {
            let _ = write!(text, ", on failure {} → {}", place.orders.failure, orders.failure);
        }
        text.push('\n');
    }
    text
}

/// Whether an operation is an access of a variable, whose order people chose.
pub(crate) fn is_variable(kind: OpKind) -> bool {
    kind.nature().access != Access::None && !matches!(kind, OpKind::CellRead | OpKind::CellWrite)
}

/// The order of an event as it is shown: all that was said, and nothing where nothing was.
fn order_of(event: &Event) -> String {
    if event.order == Order::SeqCst { String::new() } else { format!(" {}", event.order) }
}
