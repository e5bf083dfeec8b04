//! An executor, by which asynchronous code is checked.
//!
//! [`block_on`] runs a future in the thread that calls, [`spawn`] in a task of its own. Tasks run beside each other, as those
//! of an executor with many threads do: every order of their operations that can matter is explored. A waker is an operation
//! on the task that it wakes; a task that is never woken again is a deadlock, which names the task and the last operation that
//! it came to. Futures of other crates, and what combines futures (`join!`, `select`, `select_biased!`, `timeout` of one's own), run
//! unchanged, as long as what they share between tasks is made of this crate's types. The macro `select!` of `futures-util` with
//! several branches does not: it polls them in an order of random numbers of its own, and the check says that the program does not do the
//! same again.
//!
//! Time is a choice: a [`sleep`] may end at any moment, also before a shorter one, and a [`timeout`] may come before or after
//! whatever else happens.

mod join;
mod task;
mod time;
mod waker;

pub use join::{AbortHandle, JoinError, JoinHandle};
pub use task::{Builder, YieldNow, block_on, spawn, spawn_local, yield_now};
pub use time::{Elapsed, Sleep, Timeout, sleep, timeout};
pub use waker::AtomicWaker;
