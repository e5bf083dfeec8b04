//! Programs as data: what the papers' tables are made of, what fuzzing makes, and what measurements are held against.
//!
//! A program is a [`Sketch`], a small tree. It is written in Rust with a [`Builder`], in text in the
//! [notation], taken from the [library] by name, or made up by [arbitrary]. A [`LitmusProgram`] is a sketch compiled to
//! flat code, which [`run`](LitmusThreads) interprets. The [corpus] says how many
//! classes each program of the papers has.
//!
//! ```
//! use mazurka_litmus::LitmusProgram;
//! use model::{Choice, OpKind, Program, ThreadId};
//!
//! let program = LitmusProgram::new("mutex m; lock m; unlock m | lock m; unlock m".parse()?)?;
//! let (first, second) = (ThreadId(0), ThreadId(1));
//! let mut run = program.start();
//! assert!(run.pending(second).is_some_and(|pending| pending.op.kind == OpKind::Lock && pending.enabled));
//! run.step(Choice { thread: first, alternative: 0 });
//! assert!(run.pending(second).is_some_and(|pending| !pending.enabled));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod arbitrary;
mod builder;
pub mod c_source;
mod check;
mod code;
mod compile;
pub mod corpus;
mod error;
mod framed;
pub mod library;
mod listing;
pub mod notation;
pub mod orders;
mod print;
mod program;
mod run;
pub mod sketch;

pub use builder::{Builder, InitialThread, Objects, Operand, TemplateRef, ThreadBuilder};
pub use error::BuildError;
pub use framed::Framed;
pub use program::LitmusProgram;
pub use run::LitmusThreads;
pub use sketch::Sketch;
