//! Executions written by hand, for tests.

use model::{Guard, Choice, Names, ObjectId, Op, OpKind, Outcome, Pending, Site, State, Stepped, ThreadId, ThreadPath};
use trace::Trace;

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
    Pending { thread: ThreadId(thread), op, enabled: false, alternatives: 1, guard: Guard::NONE }
}
