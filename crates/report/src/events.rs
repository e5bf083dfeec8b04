//! An execution as trace events: what Perfetto and Chrome's own viewer open.
//!
//! A step is a slice of a thread's track, a thousand microseconds long, because nothing takes time here: steps are in order.
//! Waits are slices below, and what happens before what are flows.
//!
//! Viewers want numbers of threads that no other process has, none of them 0, and take the thread with the number of its process for
//! the main one. So the processes are numbered with gaps, and their threads from there on.

use crate::finding::Named;
use crate::graph::GraphStory;
use crate::page::{flows, graph_flows};
use crate::words;
use model::{Failure, Names, ThreadId};
use serde_json::{Value, json};
use trace::{Event, EventId};

const STEP: u64 = 1_000;

/// The events of one or several executions: each is a process of its own in the viewer.
#[derive(Default)]
pub struct Events {
    events: Vec<Value>,
    /// The last number that a thread has.
    last: u32,
}

impl Events {
    /// Adds an execution.
    pub fn add(&mut self, headline: &str, story: &Named<'_>) {
        self.push(headline, &of_story(story));
    }

    /// Adds an execution under a memory model.
    pub fn add_graph(&mut self, headline: &str, story: &GraphStory<'_>) {
        self.push(headline, &of_graph(story));
    }

    fn push(&mut self, headline: &str, told: &Told) {
        let process = self.last + 1;
        self.last += told.threads.len() as u32;
        push(process, headline, told, &mut self.events);
    }

    /// The file.
    pub fn to_json(&self) -> String {
        let trace = json!({ "displayTimeUnit": "ms", "otherData": { "tool": "mazurka" }, "traceEvents": self.events });
        serde_json::to_string(&trace).expect("strings, numbers and lists are always JSON") + "\n"
    }
}

/// An execution, as viewers are told of it.
struct Told {
    threads: Vec<String>,
    steps: Vec<Step>,
    flows: Vec<(EventId, EventId, &'static str)>,
    /// Each with its thread and the step where it happened.
    failures: Vec<(ThreadId, EventId, String)>,
    /// What threads wait for in the end, and where.
    waits: Vec<(ThreadId, String, Option<String>)>,
}

struct Step {
    thread: ThreadId,
    text: String,
    category: &'static str,
    site: Option<String>,
}

/// The names of all threads up to the last one that takes part.
fn threads(parts: impl Iterator<Item = ThreadId>, names: &dyn Names) -> Vec<String> {
    let last = parts.map(|thread| thread.0 + 1).max().unwrap_or(0);
    (0..last).map(|thread| words::printable(&names.thread(ThreadId(thread)))).collect()
}

fn of_story(story: &Named<'_>) -> Told {
    let events = story.execution.trace.events();
    let texts = words::steps(story.execution.trace, story.names);
    let step = |((step, event), text): ((EventId, &Event), String)| Step {
        thread: event.thread(),
        text,
        category: event.op.kind.name(),
        site: story.site_of_step(step),
    };
    let is_deadlock = story.execution.ending == trace::Ending::Deadlocked;
    let waits = if is_deadlock { story.explanation().waits } else { Vec::new() };
    let failed = |(thread, failure): &(ThreadId, Failure)| {
        (*thread, story.step_of(*thread, failure).unwrap_or(0), words::printable(&failure.to_string()))
    };
    let in_trace = events.iter().map(|event| event.thread());
    Told {
        threads: threads(in_trace.chain(story.execution.waiting.iter().map(|pending| pending.thread)), story.names),
        steps: (0..).zip(events).zip(texts).map(step).collect(),
        flows: flows(story.execution.trace),
        failures: story.execution.failures.iter().map(failed).collect(),
        waits: waits
            .into_iter()
            .zip(story.execution.waiting)
            .map(|(wait, at)| (at.thread, wait.reason, wait.site))
            .collect(),
    }
}

fn of_graph(story: &GraphStory<'_>) -> Told {
    let (g, shown, finding) = (story.graph(), story.shown(), story.finding);
    let step = |&e: &graphs::EventId| Step {
        thread: g.event(e).thread,
        text: story.text(e),
        category: g.event(e).op.kind.name(),
        site: story.names.site(g.event(e).op.site),
    };
    let failed = |(thread, failure): &(ThreadId, Failure)| {
        let place = story.place_of_failure(&shown, *thread, failure).unwrap_or(0);
        (*thread, place as EventId, words::printable(&failure.to_string()))
    };
    let in_graph = shown.iter().map(|&e| g.event(e).thread);
    let waits = story.waits().into_iter().zip(&finding.waiting);
    Told {
        threads: threads(in_graph.chain(finding.waiting.iter().map(|(thread, _)| *thread)), story.names),
        steps: shown.iter().map(step).collect(),
        flows: graph_flows(story),
        failures: finding.failures.iter().map(failed).collect(),
        waits: waits.map(|(wait, (thread, _))| (*thread, wait.reason, wait.site)).collect(),
    }
}

fn push(process: u32, headline: &str, told: &Told, events: &mut Vec<Value>) {
    let number = |ThreadId(thread): ThreadId| process + thread;
    let name = |what: &str, thread: ThreadId, name: &str| json!({ "ph": "M", "name": what, "pid": process, "tid": number(thread), "args": { "name": name } });
    events.push(name("process_name", ThreadId(0), headline));
    for (thread, thread_name) in (0..).map(ThreadId).zip(&told.threads) {
        events.push(name("thread_name", thread, thread_name));
    }
    let at = |step: EventId| u64::from(step) * STEP;
    for (place, step) in (0..).zip(&told.steps) {
        events.push(json!({
            "ph": "X", "name": step.text, "cat": step.category, "pid": process, "tid": number(step.thread),
            "ts": at(place), "dur": STEP * 9 / 10,
            "args": { "step": place + 1, "site": step.site },
        }));
    }
    for (place, &(from, to, why)) in told.flows.iter().enumerate() {
        let id = u64::from(process) << 32 | place as u64;
        let end = |ph: &str, step: EventId| {
            json!({
                "ph": ph, "id": id, "name": why, "cat": why, "pid": process,
                "tid": number(told.steps[step as usize].thread), "ts": at(step) + STEP / 2, "bp": "e",
            })
        };
        events.extend([end("s", from), end("f", to)]);
    }
    for (thread, step, text) in &told.failures {
        events.push(json!({
            "ph": "i", "name": text, "cat": "failure", "s": "p", "pid": process,
            "tid": number(*thread), "ts": at(*step) + STEP * 9 / 10,
        }));
    }
    let end = at(told.steps.len() as EventId);
    for (thread, reason, site) in &told.waits {
        events.push(json!({
            "ph": "X", "name": reason, "cat": "waits for ever", "pid": process, "tid": number(*thread),
            "ts": end, "dur": 5 * STEP, "args": { "site": site },
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{A, Plain, trace, waits};
    use model::OpKind;
    use model::Outcome::Done;
    use trace::{Ending, Execution};

    #[test]
    fn steps_are_slices_and_orders_are_flows() {
        let trace = trace(&[
            (0, OpKind::Lock, A, Done, 0, 1),
            (0, OpKind::Unlock, A, Done, 1, 0),
            (1, OpKind::Lock, A, Done, 0, 2),
        ]);
        let waiting = [waits(0, OpKind::Lock, A)];
        let execution = Execution { ending: Ending::Deadlocked, trace: &trace, failures: &[], waiting: &waiting };
        let story = Named { execution, pivot: None, names: &Plain };
        let mut events = Events::default();
        events.add("deadlock", &story);
        events.add("again", &story);
        let json: Value = serde_json::from_str(&events.to_json()).unwrap();
        let (events, again): (Vec<_>, Vec<_>) =
            json["traceEvents"].as_array().unwrap().iter().partition(|event| event["pid"] == 1);
        assert!(events.iter().all(|event| [1, 2].map(Value::from).contains(&event["tid"])));
        assert!(again.iter().all(|event| event["pid"] == 3 && [3, 4].map(Value::from).contains(&event["tid"])));
        let of = |ph: &str| events.iter().filter(|event| event["ph"] == ph).collect::<Vec<_>>();
        assert_eq!(of("X").len(), 4);
        assert_eq!((of("s").len(), of("f").len()), (1, 1));
        assert_eq!((&of("s")[0]["ts"], &of("f")[0]["ts"]), (&json!(1500), &json!(2500)));
        assert_eq!(of("M").len(), 3);
        assert!(of("X")[3]["name"].as_str().unwrap().starts_with("waits to lock a"));
    }
}
