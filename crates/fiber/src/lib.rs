//! Runs native code under a scheduler: every thread of the program is a fiber, all of them in one OS thread.
//!
//! A front end (the crate `mazurka`, the C runtime) calls [`perform`] for each visible operation and [`spawn`] for each
//! thread; the explorer drives the [`FiberProgram`]'s runs. What happens in between:
//!
//! ```text
//! explorer ─▶ Run::step(T1) ─▶ World::perform(op) ─▶ resume T1 ──▶ perform(op) returns, user code runs on …
//!                   ▲                                                    │
//!                   └──────────────── suspended ◀── perform(next op) ◀──┘
//! ```
//! So a thread announces its next operation and is suspended *before* it; a step performs the operation and runs the
//! thread up to its next one. A thread that has just been spawned runs up to its first operation within the spawn.
//!
//! | module | what |
//! |---|---|
//! | `context` | the state of a run, and the one thread-local cell through which user code reaches it |
//! | `slot` | one thread of a run |
//! | `perform`, `threads`, `object`, `local`, `token`, `address` | what front ends call |
//! | `unwinding` | panics, and other ways to leave a thread |
//! | `run` | the run that the explorer drives; restarting and abandoning runs |
//! | `apart` | the same threads under a search that says what their reads return |
//! | `place` | objects' identities, the same in every run |
//! | `allocator` | where blocks of memory come from, for `place` |
//! | `registry` | names of threads, objects and sites, kept between runs |
//! | `guarded` | data that the program protects by its own objects |
//! | `guards` | what locks guard, as part of their words |
//! | `references` | counts of references to shared values |
//! | `lesson`, `knowledge` | what is learnt of a program, for which it needs more operations |
//! | `local_state`, `reach`, `part`, `registers` | what the future of a thread depends on, for loops that wait or retry |
//! | `code` | what is read of registers and stacks, by the instructions of the program |
//! | `remembered` | the same of steps that are taken again |
//! | `spin` | loops that wait by looking again, where that is not known |
//! | `patience` | which of them have an end of their own |
//! | `hook` | panics of checked threads are quiet |
//! | `overflow` | stack overflows become failures |
//! | `watchdog` | threads that never come to an operation |
//!
//! Runs of different checks in different OS threads share nothing.

mod address;
mod allocator;
mod apart;
#[cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]
mod code;
#[cfg(not(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")))]
#[path = "no_code.rs"]
mod code;
mod context;
mod guarded;
mod guards;
mod hook;
mod knowledge;
mod lesson;
mod local;
mod local_state;
mod object;
mod overflow;
mod part;
mod patience;
mod perform;
mod place;
mod program;
mod reach;
mod references;
mod registers;
mod registry;
mod remembered;
mod run;
mod slot;
mod spin;
mod threads;
mod token;
mod unwinding;
mod unwritten;
mod watchdog;

pub use address::{integer_of_word, word_of_integer};
pub use allocator::{Recording, records};
pub use guarded::{Guarded, GuardedMut, GuardedRef, OnceValue, instance};
pub use guards::{guards, is_watched, without_data};
pub use knowledge::{Knowledge, NoKnowledge};
pub use lesson::{Lesson, Lessons};
pub use local::Local;
pub use local_state::{begin_access, close_access, open_access};
pub use object::{
    PARK_TOKEN, holds, known, name_kinds, name_object, number_of, object, parker, part, times_held, waiting_writer,
    word,
};
pub use part::Mark;
pub use perform::{
    Answer, Done, Target, abandoned, asks_who_was_last, changed, comes_to_barrier, fence, has_learnt, is_apart,
    is_checked, last_site, learn, orders_arrivals, perform, perform_at, perform_atomic_on, perform_on, perform_ordered,
    perform_ordered_on, perform_update_on, site, spin,
};
pub use place::{Described, Identity};
pub use program::{FiberProgram, Options};
pub use references::{Reference, References, Sight, is_counted_by_std};
pub use threads::{
    Wish, await_zero_by_daemon, current, forgive, happens_without_reason, initialise, is_finished, name_thread,
    name_thread_number, spawn, spawn_static, thread_name,
};
pub use token::{pointer_of, token_of};
pub use unwinding::{assume, catch, catch_leave, is_panicking, leave_with};
pub use watchdog::Watchdog;
