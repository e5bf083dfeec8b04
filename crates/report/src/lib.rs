//! What a person or a machine reads of a search.
//!
//! | module | what it shows |
//! |---|---|
//! | [`words`] | one step, or what a thread waits for, in words |
//! | [`deadlock`] | who waits for what, held by whom, and the cycle |
//! | [`lanes`] | an execution as a table with one lane for each thread |
//! | [`finding`] | a failure or a deadlock in full: what, how, and how to see it again |
//! | [`summary`] | counts, for people and as JSON |
//! | [`table`] | columns that line up |
//! | [`progress`] | the live line of a long search |
//!
//! Everything but [`progress`] turns data into text and does nothing else; nothing here decides anything about a search.

pub mod deadlock;
pub mod finding;
mod holders;
pub mod lanes;
pub mod progress;
pub mod summary;
pub mod table;
pub mod words;

#[cfg(test)]
mod testing;
