//! Executions written by hand, for tests.

use crate::summary::{Counts, FindingSummary, LineSummary, SCHEMA_VERSION, StepSummary, Summary, WaitSummary};
use model::{Choice, Guard, Names, ObjectId, Op, OpKind, Outcome, Pending, Site, State, Stepped, ThreadId, ThreadPath};
use trace::{Tally, Trace};

/// Objects are called by letters, threads by numbers.
pub(crate) struct Plain;

impl Names for Plain {
    fn thread(&self, thread: ThreadId) -> String {
        format!("T{}", thread.0)
    }

    fn path(&self, thread: ThreadId) -> ThreadPath {
        ThreadPath::initial(thread.0)
    }

    fn at_path(&self, _: &ThreadPath) -> Option<ThreadId> {
        None
    }

    fn object(&self, object: ObjectId) -> String {
        char::from(b'a' + object.0 as u8).to_string()
    }

    fn site(&self, _: Site) -> Option<String> {
        None
    }
}

pub(crate) const A: ObjectId = ObjectId(0);
pub(crate) const B: ObjectId = ObjectId(1);
pub(crate) const C: ObjectId = ObjectId(2);

/// A trace from (thread, operation, object, outcome, word before, word after).
pub(crate) fn trace(steps: &[(u32, OpKind, ObjectId, Outcome, State, State)]) -> Trace {
    let mut trace = Trace::new();
    for &(thread, kind, object, outcome, before, after) in steps {
        let op = Op { kind, object, site: Site::UNKNOWN };
        let choice = Choice { thread: ThreadId(thread), alternative: 0 };
        trace.push(choice, &Stepped { op, outcome, before, after, failure: None });
    }
    trace
}

/// A thread that cannot go on.
pub(crate) fn waits(thread: u32, kind: OpKind, object: ObjectId) -> Pending {
    let op = Op { kind, object, site: Site::UNKNOWN };
    Pending {
        thread: ThreadId(thread),
        op,
        enabled: false,
        alternatives: 1,
        guard: Guard::NONE,
        transition: 0,
        is_of_several: false,
    }
}

/// A search with these findings.
pub(crate) fn summary(findings: Vec<FindingSummary>) -> Summary {
    let tally =
        Tally { completed: 3328, steps: 50_000, replayed: 12_345, longest: 31, largest_tree: 9, ..Tally::default() };
    Summary {
        schema_version: SCHEMA_VERSION,
        program: "lastzero".to_owned(),
        arguments: vec![10],
        algorithm: "optimal".to_owned(),
        memory: None,
        memory_remark: None,
        order: "first".to_owned(),
        seed: 0,
        counts: Counts::from(&tally),
        seconds: 0.25,
        executions_per_second: Counts::from(&tally).rate(0.25),
        peak_memory_bytes: Some(3_400_000),
        exhaustive: true,
        not_exhaustive_because: None,
        expected_executions: Some(3328),
        agrees: Some(true),
        findings,
    }
}

/// A deadlock of one thread with itself.
pub(crate) fn finding(headline: &str) -> FindingSummary {
    let line = Some(LineSummary { file: "dir/prog,1.c".to_owned(), line: 7 });
    FindingSummary {
        kind: "deadlock".to_owned(),
        headline: headline.to_owned(),
        schedule: "mzk1:0".to_owned(),
        steps: vec![StepSummary {
            step: 1,
            thread: "T1".to_owned(),
            does: "lock m".to_owned(),
            site: Some("prog,1.c:7".to_owned()),
            line: line.clone(),
            failure: None,
        }],
        pivot: None,
        waiting: vec![WaitSummary {
            thread: "T1".to_owned(),
            reason: "waits to lock m".to_owned(),
            site: None,
            line,
            holders: Vec::new(),
        }],
        cycle: Vec::new(),
        failures: Vec::new(),
        stacks: Vec::new(),
        reasons: Vec::new(),
    }
}
