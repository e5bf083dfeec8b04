//! Workers in processes of their own, for programs of which there can be one in a process.
//!
//! The process of the search, the *leader*, makes copies of itself, and each copy is a worker. A copy has the program, all
//! that the leader knew of it, and the settings of the search; from then on, the two share nothing but a few numbers and
//! what they send to each other. How that is done is the front end's affair; what is sent is the search's
//! (`workers/message.rs`).

use std::io::{Read, Write};
use std::sync::atomic::AtomicU64;

/// How many [numbers](Processes::numbers) a search needs.
pub const NUMBERS: usize = 3;

/// What it takes to search in several processes.
pub trait Processes: Sync {
    /// Numbers that the leader and its workers have in common. A search begins by setting them to 0.
    fn numbers(&self) -> &[AtomicU64; NUMBERS];

    /// Copies this process. Fails where the system does not let it; then there are fewer workers.
    fn copy(&self) -> std::io::Result<Copied>;

    /// In a worker: what its runs have shown of the program that others must know before they run it again, as text. In a
    /// leader that writes checkpoints: what all runs have shown. Says why it cannot be told.
    fn discoveries(&self) -> Result<String, String>;

    /// In the leader: a worker has ended, and these were its discoveries. Says what is wrong with them.
    fn learn(&self, discoveries: &str) -> Result<(), String>;

    /// In a leader, before its first run: another leader knew this when it wrote a checkpoint that the search goes on from. Says
    /// what is wrong with it.
    fn recall(&self, discoveries: &str) -> Result<(), String>;

    /// Whether something was found out that makes the search begin anew: then what is left to do of it is worth nothing.
    fn begins_anew(&self) -> bool;

    /// Ends this process, a worker.
    fn leave(&self) -> !;
}

/// The two sides of a process that was copied.
pub enum Copied {
    /// This is the leader, and that is the new worker.
    Leader(Link, Box<dyn WorkerProcess>),
    /// This is the worker.
    Worker(Link),
}

/// A worker, as the leader sees it. It must not outlive the leader, nor this.
pub trait WorkerProcess {
    /// Ends it at once, if it has not ended.
    fn kill(&mut self);

    /// It says nothing more: sees to it that it ends, and says how it did, such as "it was ended by signal 9".
    fn end(&mut self) -> String;
}

/// What connects two processes. Each side reads what the other one writes, and reads an end when that has ended.
pub struct Link {
    /// From the other side.
    pub from: Box<dyn Read + Send>,
    /// To the other side.
    pub to: Box<dyn Write + Send>,
}
