//! An execution graph as the data of a space–time diagram.
//!
//! Steps stand in the graph's order of replay, in which a read comes after the write that it takes. Where no interleaving
//! has the same reads and writes, there is a cycle of orders: its arrows lead upwards somewhere. An object has no single
//! value then, but an order of its writes that all threads agree on: that is what is shown of it.

use super::arrows::{Arrow, Why};
use super::diagram::{About, Cast, Columns, FailureData, Recorded, WaitingData};
use super::fold::folds;
use crate::graph::{GraphStory, is_variable};
use crate::summary::kind_of;
use crate::words::printable;
use graphs::{EventId, Label, NONE};
use model::{FailureKind, OpKind, ThreadId};

/// More writes of an object than these are not all named.
const NAMED: usize = 8;

/// Records the events that are shown, and all that is said of the execution.
pub(super) fn record_graph(story: &GraphStory<'_>, headline: String, cast: &mut Cast) -> Recorded {
    let g = story.graph();
    let shown = story.shown();
    let of_events = shown.iter().map(|&e| g.event(e).thread);
    let last = of_events.chain(story.finding.waiting.iter().map(|(thread, _)| *thread)).max();
    cast.meet_threads(last, story.names);
    let mut columns = Columns::default();
    for &e in &shown {
        let event = g.event(e);
        let object = cast.object(event.object(), story.names, || at_start(story, e));
        columns.thread.push(event.thread.0);
        columns.text.push(cast.texts.text(&story.text(e)));
        columns.site.push(cast.texts.site(event.op.site, story.names));
        columns.object.push(object);
        columns.value.push(after(story, e).map_or(0, |value| cast.texts.text(&value)));
    }
    let arrows = arrows(story, &shown);
    columns.push_arrows(&arrows);
    let about = about(story, headline, &shown, &arrows, cast);
    Recorded { columns, about }
}

/// What an event's object is like before anybody touches it.
fn at_start(story: &GraphStory<'_>, e: EventId) -> Option<String> {
    let event = story.graph().event(e);
    match event.op.kind {
        kind if is_variable(kind) => {
            let word = story.graph().word(event.object(), NONE);
            Some(printable(&story.names.value(event.object(), word)))
        }
        kind if is_of_lock(kind) => Some("free".to_owned()),
        _ => None,
    }
}

/// What it is like after it: the writes so far, in coherence order; of a lock, who holds it.
fn after(story: &GraphStory<'_>, e: EventId) -> Option<String> {
    let g = story.graph();
    let event = g.event(e);
    let object = event.object();
    if is_of_lock(event.op.kind) {
        let is_taken = !matches!(event.op.kind, OpKind::Unlock | OpKind::WriteUnlock);
        let thread = || format!("held by {}", printable(&story.names.thread(event.thread)));
        return (!is_taken || event.update).then(|| if is_taken { thread() } else { "free".to_owned() });
    }
    if !is_variable(event.op.kind) {
        return None;
    }
    let last = last_part(story, e);
    let mut values: Vec<String> = std::iter::once(NONE)
        .chain(g.co(object).iter().copied().filter(|&write| write <= last))
        .map(|write| printable(&story.names.value(object, g.word(object, write))))
        .collect();
    if values.len() > NAMED {
        values.drain(..values.len() - NAMED);
        values.insert(0, "…".to_owned());
    }
    Some(values.join(" → "))
}

/// The event itself, or of an update its write.
fn last_part(story: &GraphStory<'_>, e: EventId) -> EventId {
    let g = story.graph();
    let event = g.event(e);
    let next = || g.of_thread(event.thread).get(event.index as usize + 1).copied();
    if event.is_read() && event.update { next().unwrap_or(e) } else { e }
}

fn is_of_lock(kind: OpKind) -> bool {
    use OpKind::*;
    matches!(kind, Lock | TryLock | Unlock | Relock { .. } | WriteLock | TryWriteLock | WriteUnlock)
}

/// What happens before what, with a word that says why; orders that are nothing but races are left out.
pub(crate) fn graph_flows(story: &GraphStory<'_>) -> Vec<(u32, u32, &'static str)> {
    let told = |arrow: Arrow| Some((arrow.from, arrow.to, arrow.why.word()?));
    arrows(story, &story.shown()).into_iter().filter_map(told).collect()
}

fn arrows(story: &GraphStory<'_>, shown: &[EventId]) -> Vec<Arrow> {
    let g = story.graph();
    // An update is shown with its read.
    let mut place_of = vec![None; g.len()];
    for (place, &e) in shown.iter().enumerate() {
        place_of[e as usize] = Some(place as u32);
        place_of[last_part(story, e) as usize] = Some(place as u32);
    }
    let mut found: Vec<Arrow> = Vec::new();
    let mut add = |from: EventId, to: EventId, why: Why| {
        if from == NONE || g.event(from).thread == g.event(to).thread {
            return;
        }
        let (Some(from), Some(to)) = (place_of[from as usize], place_of[to as usize]) else { return };
        let is_known = found.iter().rev().take_while(|arrow| arrow.to == to).any(|arrow| arrow.from == from);
        let is_drawn = why == Why::Cycle || (from < to && !is_known);
        if is_drawn {
            found.push(Arrow { from, to, why });
        }
    };
    for &e in shown {
        let event = g.event(e);
        if event.index == 0 {
            add(g.spawn_of(event.thread), e, Why::Spawn);
        }
        if event.is_read() {
            add(event.source, e, why_read(event.op.kind));
        }
        add(event.cause, e, if matches!(event.label, Label::Join(_)) { Why::Join } else { Why::Wake });
        let write = last_part(story, e);
        if g.event(write).is_write() && is_variable(event.op.kind) {
            let before = g.of_rank(event.object(), g.rank(write) - 1);
            add(before, e, Why::Race);
            g.readers(event.object(), before).for_each(|reader| add(reader, e, Why::Race));
        }
    }
    let cycle = &story.finding.why.cycle;
    for (place, &from) in cycle.iter().enumerate() {
        add(from, cycle[(place + 1) % cycle.len()], Why::Cycle);
    }
    found
}

fn why_read(kind: OpKind) -> Why {
    match kind {
        kind if is_variable(kind) => Why::ReadsFrom,
        kind if is_of_lock(kind) => Why::Lock,
        _ => Why::Wake,
    }
}

fn about(story: &GraphStory<'_>, headline: String, shown: &[EventId], arrows: &[Arrow], cast: &mut Cast) -> About {
    let finding = story.finding;
    let mut failures = Vec::new();
    for (thread, failure) in &finding.failures {
        let step = story.place_of_failure(shown, *thread, failure);
        let is_second = |(_, second): &&(EventId, EventId)| step.is_some_and(|step| shown[step] == *second);
        let race = finding.races.iter().filter(|_| failure.kind == FailureKind::DataRace).find(is_second);
        let place = |&(first, _): &(EventId, EventId)| shown.iter().position(|&e| e == first);
        failures.push(FailureData {
            step: step.map(|place| place as u32),
            against: race.and_then(place).map(|place| place as u32),
            thread: thread.0,
            text: printable(&failure.to_string()),
            site: cast.texts.site(failure.site, story.names),
        });
    }
    let mut key: Vec<u32> = failures.iter().filter_map(|failure| failure.step).collect();
    key.extend(arrows.iter().filter(|arrow| arrow.why == Why::Cycle).flat_map(|arrow| [arrow.from, arrow.to]));
    key.sort_unstable();
    key.dedup();
    let waiting = story.waits().into_iter().zip(&finding.waiting);
    let waiting = waiting.map(|(wait, (ThreadId(thread), op))| WaitingData {
        thread: *thread,
        reason: wait.reason,
        site: cast.texts.site(op.site, story.names),
    });
    let waiting = waiting.collect();
    About {
        kind: kind_of(finding.ending),
        headline,
        pivot: None,
        folds: folds(shown.len(), &key, arrows).into_iter().map(|run| [run.start, run.end]).collect(),
        key,
        failures,
        waiting,
        edges: Vec::new(),
        cycle: Vec::new(),
        stacks: Vec::new(),
        reasons: story.reasons(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graphs::{Settings, check, model};
    use litmus::LitmusProgram;
    use model::Program;
    use std::ops::ControlFlow;

    /// The first finding of a program under a model, as arrows between steps (counted from 1) and the page's data.
    fn found(text: &str, under: &str) -> (Vec<(u32, u32, Why)>, Recorded) {
        let program = LitmusProgram::new(text.parse().unwrap()).unwrap();
        let mut go_on = |_: &trace::Tally, _: usize| ControlFlow::Continue(());
        let report = check(&program, model(under).unwrap(), &Settings::default(), &mut go_on).unwrap();
        let story = GraphStory { finding: &report.findings[0], model: report.model, names: program.names() };
        let told = arrows(&story, &story.shown());
        let told = told.into_iter().map(|arrow| (arrow.from + 1, arrow.to + 1, arrow.why)).collect();
        (told, record_graph(&story, story.headline(), &mut Cast::default()))
    }

    #[test]
    fn the_arrows_of_a_cycle_lead_upwards_somewhere() {
        let text =
            "var x, f; p: x = 1 relaxed; f = 1 relaxed | q: r = f relaxed; if r == 1 { s = x relaxed; assert s == 1 }";
        let (arrows, recorded) = found(text, "rc11");
        let cycle: Vec<_> = arrows.iter().filter(|(_, _, why)| *why == Why::Cycle).collect();
        assert!(cycle.iter().any(|(from, to, _)| from > to), "{arrows:?}");
        assert!(!recorded.about.reasons.is_empty());
        assert_eq!(recorded.about.kind, "failure");
        assert_eq!(recorded.columns.thread.len(), recorded.columns.value.len());
    }

    #[test]
    fn reads_have_an_arrow_from_their_source() {
        let text = "var x; p: x = 1 | q: r = x; assert r == 0, \"seen\"";
        let (arrows, recorded) = found(text, "rc11");
        assert_eq!(arrows, [(1, 2, Why::ReadsFrom)]);
        assert_eq!(recorded.about.failures[0].step, Some(1));
    }
}
