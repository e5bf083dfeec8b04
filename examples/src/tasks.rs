//! Asynchronous structures and programs of tasks, each in a version that Mazurka proves and one with a bug that it finds:
//! a task that is never woken again.
//!
//! | module | what | the bug |
//! |---|---|---|
//! | [`mutex`] | a mutex whose lock is a future | the task is put on the list after the lock was looked at, not with it |
//! | [`oneshot`] | a channel for one message | the receiver does not look again after it left its waker |
//! | [`mpsc`] | a bounded channel | the last sender that goes wakes nobody |
//! | [`cancellation`] | a task that is aborted while it holds the lock | the lock is given back by a call, not by a guard |

pub mod cancellation;
pub mod mpsc;
pub mod mutex;
pub mod oneshot;
