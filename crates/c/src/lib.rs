//! C and C++ programs, unmodified, under a scheduler.
//!
//! The [`driver`] compiles a program with the instrumentation that compilers have for ThreadSanitizer, and links it so that
//! the functions of the C library that matter are replaced by those of this crate. [`CProgram`] loads the result into
//! this process and runs it, with fibers of one OS thread for its threads:
//!
//! ```text
//! explorer ─▶ Run::step(T1) ─▶ the operation is performed ─▶ resume T1 ──▶ the call returns, the program runs on …
//!                   ▲                                                            │
//!                   └────────── suspended ◀── the next access or call, announced ◀┘
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`driver`] | compiling and linking |
//! | `image`, `origin` | the loaded program; its constructors, and the state that every run begins in |
//! | `layout`, `heap`, `shadow` | where its memory is; its heaps; which accesses are operations, and on which object |
//! | `context`, `slot`, `switch`, `floating` | the run of this process; its threads; their stacks and floating-point modes |
//! | `foreign` | memory that is not the program's |
//! | `reuse` | memory that is used again, where states are compared |
//! | `signals`, `guarded`, `leaks` | crashes and endless loops; stacks that are destroyed; memory that is lost |
//! | `apart` | threads without their memory, for searches over execution graphs |
//! | `unroll` | a bound on the rounds of loops |
//! | `uninitialised` | memory that is read before it is written |
//! | `sections` | parts of the program that are one step |
//! | `sync` | its mutexes and the like |
//! | `calls` | what it calls |
//! | `snapshot` | states of a run to go back to |
//! | `paranoid` | a second opinion on which memory a step changed |
//! | `recorder` | the calls that led to each step of an execution that is told of |
//! | `known`, `discoveries` | what was found out, as text |
//! | [`processes`] | the process of a search, and copies of it that share the work |
//! | `run`, `program`, `names` | what explorers and reports see |
//!
//! A process explores one program; the explorer must be linked with its symbols exported (`-rdynamic`), for the program
//! calls back.

mod apart;
mod calls;
mod context;
mod discoveries;
pub mod driver;
mod floating;
mod foreign;
mod guarded;
mod heap;
mod image;
mod known;
mod layout;
mod leaks;
mod names;
mod one_thread;
mod origin;
mod paranoid;
pub mod processes;
mod program;
mod recorder;
mod reuse;
mod run;
mod sections;
mod shadow;
mod signals;
mod slot;
mod snapshot;
mod switch;
mod sync;
mod uninitialised;
mod unroll;

pub use program::{CProgram, LoadError, Options, digest};
