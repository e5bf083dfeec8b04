//! What can be wrong with a cluster.

use std::fmt;

/// Why a search on a cluster cannot be done, or not any more.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The address is none.
    NoAddress(String),
    /// The server cannot be reached, or does not let this user in.
    NoServer(String),
    /// The server has not answered for so long that this process gave up: the last it said.
    ServerGone(String),
    /// The server refused a statement.
    Refused(String),
    /// The tables are of another version.
    OtherSchema {
        /// Theirs.
        found: i32,
        /// What this version of Mazurka knows.
        wanted: i32,
    },
    /// There is no such run.
    NoRun(i64),
    /// The run was started by another version of Mazurka.
    OtherTool {
        /// The run.
        run: i64,
        /// The version that started it.
        tool: String,
    },
    /// The program here is another one than the run's: what differs.
    OtherProgram(String),
    /// What is stored cannot be read.
    Damaged(String),
    /// The algorithm has no tasks.
    NoTasks(&'static str),
    /// The front end cannot go on.
    FrontEnd(String),
    /// This process was told to stop while it waited for the server.
    Stopped,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::NoAddress(why) => write!(
                f,
                "the address of the cluster is not understood: {why}; it is written postgres://USER@HOST/DATABASE"
            ),
            Problem::NoServer(why) => write!(f, "cannot use the cluster's PostgreSQL: {why}"),
            Problem::ServerGone(why) => write!(
                f,
                "the cluster's PostgreSQL does not answer any more: {why}; nothing that was committed is lost, and a worker \
                 that is started when it is back goes on"
            ),
            Problem::Refused(why) => write!(f, "the cluster's PostgreSQL refused a statement: {why}"),
            Problem::OtherSchema { found, wanted } if found < wanted => write!(
                f,
                "the tables in this database are of version {found}, and this mazurka needs version {wanted}: finish what \
                 runs there with the mazurka that made them, or use another database, or another schema of this one"
            ),
            Problem::OtherSchema { found, wanted } => write!(
                f,
                "the tables in this database are of version {found}, and this mazurka knows version {wanted}: use the mazurka \
                 that made them"
            ),
            Problem::NoRun(run) => write!(f, "there is no run {run}; `mazurka status` lists all"),
            Problem::OtherTool { run, tool } => {
                write!(f, "run {run} was started by {tool}, and this is {}; use the same", crate::run::this_tool())
            }
            Problem::OtherProgram(how) => write!(f, "the program here is not the run's: {how}"),
            Problem::Damaged(what) => write!(f, "the cluster's tables are damaged: {what}"),
            Problem::NoTasks(algorithm) => write!(
                f,
                "searches by '{algorithm}' cannot be shared out, for it has no tasks; use --algorithm pop, or leave out the \
                 cluster"
            ),
            Problem::FrontEnd(why) => f.write_str(why),
            Problem::Stopped => f.write_str("told to stop while the cluster's PostgreSQL did not answer"),
        }
    }
}

impl std::error::Error for Problem {}
