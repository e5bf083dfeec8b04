//! An execution as trace events: what Perfetto and Chrome's own viewer open.
//!
//! A step is a slice of a thread's track, a thousand microseconds long, because nothing takes time here: steps are in order.
//! Waits are slices below, and what happens before what are flows.
//!
//! Viewers want numbers of threads that no other process has, none of them 0, and take the thread with the number of its process for
//! the main one. So the processes are numbered with gaps, and their threads from there on.

use crate::finding::Story;
use crate::page::flows;
use crate::words;
use model::ThreadId;
use serde_json::{Value, json};
use trace::EventId;

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
    pub fn add(&mut self, headline: &str, story: &Story<'_>) {
        let process = self.last + 1;
        self.last += push_story(process, headline, story, &mut self.events);
    }

    /// The file.
    pub fn to_json(&self) -> String {
        let trace = json!({ "displayTimeUnit": "ms", "otherData": { "tool": "mazurka" }, "traceEvents": self.events });
        serde_json::to_string(&trace).expect("strings, numbers and lists are always JSON") + "\n"
    }
}

/// Says how many threads there are.
fn push_story(process: u32, headline: &str, story: &Story<'_>, events: &mut Vec<Value>) -> u32 {
    let number = |ThreadId(thread): ThreadId| process + thread;
    let name = |what: &str, thread: ThreadId, name: &str| json!({ "ph": "M", "name": what, "pid": process, "tid": number(thread), "args": { "name": name } });
    events.push(name("process_name", ThreadId(0), headline));
    let threads = story.trace.events().iter().map(|event| event.thread().0 + 1).max().unwrap_or(0);
    let threads = threads.max(story.waiting.iter().map(|pending| pending.thread.0 + 1).max().unwrap_or(0));
    for thread in (0..threads).map(ThreadId) {
        events.push(name("thread_name", thread, &story.thread(thread)));
    }
    let at = |step: EventId| u64::from(step) * STEP;
    for ((step, event), text) in (0..).zip(story.trace.events()).zip(words::steps(story.trace, story.names)) {
        events.push(json!({
            "ph": "X", "name": text, "cat": event.op.kind.name(), "pid": process, "tid": number(event.thread()),
            "ts": at(step), "dur": STEP * 9 / 10,
            "args": { "step": step + 1, "site": story.site_of_step(step) },
        }));
    }
    for (place, (from, to, why)) in flows(story.trace).into_iter().enumerate() {
        let id = u64::from(process) << 32 | place as u64;
        let end = |ph: &str, step: EventId| {
            json!({
                "ph": ph, "id": id, "name": why, "cat": why, "pid": process, "tid": number(story.trace.event(step).thread()),
                "ts": at(step) + STEP / 2, "bp": "e",
            })
        };
        events.extend([end("s", from), end("f", to)]);
    }
    for (thread, failure) in story.failures {
        let step = story.step_of(*thread, failure).unwrap_or(0);
        events.push(json!({
            "ph": "i", "name": words::printable(&failure.to_string()), "cat": "failure", "s": "p", "pid": process,
            "tid": number(*thread), "ts": at(step) + STEP * 9 / 10,
        }));
    }
    if story.ending == trace::Ending::Deadlocked {
        let end = at(story.trace.len() as EventId);
        for (wait, pending) in story.explanation().waits.iter().zip(story.waiting) {
            events.push(json!({
                "ph": "X", "name": wait.reason, "cat": "waits for ever", "pid": process, "tid": number(pending.thread),
                "ts": end, "dur": 5 * STEP, "args": { "site": wait.site },
            }));
        }
    }
    threads
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{A, B, Plain, trace, waits};
    use model::OpKind;
    use model::Outcome::Done;
    use trace::Ending;

    #[test]
    fn steps_are_slices_and_orders_are_flows() {
        let trace = trace(&[
            (0, OpKind::Lock, A, Done, 0, 1),
            (0, OpKind::Unlock, A, Done, 1, 0),
            (1, OpKind::Lock, A, Done, 0, 2),
        ]);
        let waiting = [waits(0, OpKind::Lock, B)];
        let story = Story {
            ending: Ending::Deadlocked,
            trace: &trace,
            failures: &[],
            waiting: &waiting,
            pivot: None,
            names: &Plain,
        };
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
        assert!(of("X")[3]["name"].as_str().unwrap().starts_with("waits to lock b"));
    }
}
