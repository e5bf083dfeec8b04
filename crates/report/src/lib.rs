//! What a person or a machine reads of a search.
//!
//! | module | what it shows |
//! |---|---|
//! | [`words`] | one step, or what a thread waits for, in words |
//! | [`deadlock`] | who waits for what, held by whom, and the cycle |
//! | [`lanes`] | an execution as a table with one lane for each thread |
//! | [`finding`] | a failure or a deadlock in full: what, how, and how to see it again |
//! | [`graph`] | the same of an execution under a memory model, with the source of each read and what is missing |
//! | [`summary`] | counts, for people and as JSON |
//! | [`junit`], [`sarif`], [`github`] | findings for continuous integration, from [`results`] |
//! | [`events`] | an execution for viewers of traces |
//! | [`table`] | columns that line up |
//! | [`chart`] | bars and lines, as SVG |
//! | [`page`] | findings, an execution or the tree of a search as a page for a browser |
//! | [`timeline`] | rate, depth, tasks and estimate over the time of a search |
//! | [`sinks`] | several sinks as one |
//! | [`progress`] | the live line of a long search |
//!
//! Everything but [`progress`] turns data into text and does nothing else; nothing here decides anything about a search.
//!
//! ```
//! use explore::{Settings, algorithm, check};
//! use litmus::LitmusProgram;
//! use mazurka_report::{finding::Named, lanes::Layout};
//! use model::Program;
//!
//! let program = LitmusProgram::new("var x; p: x = 1 | q: r = x; assert r == 1, \"too early\"".parse()?)?;
//! let optimal = algorithm("optimal").expect("it is one of the algorithms");
//! let report = check(&program, &mut *(optimal.make)(), &Settings::default())?;
//! let story = Named::of(&report.findings[0], program.names());
//! assert_eq!(story.headline(), "failure in q: assertion failed: too early");
//! assert!(story.print(Layout { width: Some(80), full: true }).contains("read x = 0"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod chart;
pub mod deadlock;
pub mod events;
pub mod finding;
pub mod github;
pub mod graph;
mod holders;
pub mod junit;
pub mod lanes;
pub mod page;
pub mod progress;
pub mod results;
pub mod sarif;
pub mod sinks;
pub mod structure;
pub mod summary;
pub mod table;
pub mod timeline;
pub mod words;

#[cfg(test)]
mod testing;
