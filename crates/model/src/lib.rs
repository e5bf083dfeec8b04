//! The words that both sides of Mazurka speak.
//!
//! Front ends turn a concurrent program into a [`Program`] whose [`Run`] announces one [`Pending`] operation for each
//! live thread and performs the one it is told to. Algorithms see nothing else of the program. This crate holds those
//! words and nothing that acts on them: no search, no semantics of operations, no input or output, no dependency.

mod failure;
mod ids;
mod kinds;
mod message;
mod names;
mod nature;
mod op;
mod order;
mod program;
mod schedule;
mod steps;
mod threads;
mod touch;

pub use failure::{Failure, FailureKind};
pub use ids::{ObjectId, Site, ThreadId};
pub use kinds::OpKind;
pub use message::{KINDS, Pattern, Tag};
pub use names::{CommonThreads, Location, Moment, Names, ThreadPath, ThreadPathError, ThreadRegistry};
pub use nature::{Access, Cause, Decided, Hidden, Hold, Holding, Lasting, Nature, Sort};
pub use op::{Counting, Function, Idle, Op, Outcome, State, Test, Update, Width};
pub use order::{Order, Orders};
pub use program::{Choice, Fingerprint, Guard, Pending, Program, Run, Stepped};
pub use schedule::{Schedule, ScheduleError, ScheduledStep};
pub use steps::{Look, SavedState, Steps};
pub use threads::{After, Answer, Request, Snapshots, ThreadState, Threads};
pub use touch::{Cell, MOVERS, Touch};
