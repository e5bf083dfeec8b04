//! Runs: what is searched, and whether it still is.

use crate::schema::{LOCK, OF_RUNS};
use crate::{Config, Problem, Store};
use postgres::{GenericClient, Row};
use sha2::{Digest, Sha256};
use std::fmt;
use std::fmt::Write;
use std::str::FromStr;

/// What a run says of who started it.
pub(crate) fn this_tool() -> String {
    format!("mazurka {}", env!("CARGO_PKG_VERSION"))
}

/// What tells these bytes from all others: SHA-256, as text.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A run that is to be started.
#[derive(Clone, Debug)]
pub struct NewRun {
    /// Which front end runs the program.
    pub kind: String,
    /// The program's name, for people.
    pub name: String,
    /// What tells the program from all others.
    pub digest: String,
    /// The program, as far as workers take it from the run.
    pub program: Vec<u8>,
    /// The settings.
    pub config: Config,
    /// The whole search, as a bundle.
    pub whole: Vec<u8>,
    /// What is known of loops to begin with.
    pub lessons: String,
    /// What the front end knows to begin with.
    pub known: String,
    /// The paths of the threads that are known to begin with.
    pub threads: Vec<String>,
}

/// Whether a run goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunState {
    /// Workers work on it.
    Open,
    /// Nobody works on it until it is resumed.
    Stopped,
    /// There is a verdict.
    Done,
    /// There will be none.
    Failed,
}

const STATES: [(RunState, &str); 4] =
    [(RunState::Open, "open"), (RunState::Stopped, "stopped"), (RunState::Done, "done"), (RunState::Failed, "failed")];

impl fmt::Display for RunState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = STATES.iter().find(|(state, _)| state == self).map_or("", |(_, name)| name);
        f.write_str(name)
    }
}

impl FromStr for RunState {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let state = STATES.iter().find(|(_, name)| *name == text).map(|(state, _)| *state);
        state.ok_or_else(|| Problem::Damaged(format!("a run is '{text}'")))
    }
}

/// A run, as far as it does not change.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its number.
    pub run: i64,
    /// Which front end runs the program.
    pub kind: String,
    /// The program's name, for people.
    pub name: String,
    /// What tells the program from all others.
    pub digest: String,
    /// The settings.
    pub config: Config,
    tool: String,
}

impl Run {
    fn new(row: &Row) -> Result<Self, Problem> {
        let config = Config::from_text(row.get("config"))?;
        let (run, kind, name) = (row.get("run"), row.get("kind"), row.get("name"));
        Ok(Run { run, kind, name, digest: row.get("digest"), config, tool: row.get("tool") })
    }

    /// An error if another version of Mazurka started it: it may count otherwise.
    pub fn check_tool(&self) -> Result<(), Problem> {
        match self.tool == this_tool() {
            true => Ok(()),
            false => Err(Problem::OtherTool { run: self.run, tool: self.tool.clone() }),
        }
    }
}

const COLUMNS: &str = "run, kind, name, digest, config, tool";

impl Store {
    /// Starts a run. It is there when this returns, whatever happens to the server.
    pub fn create(&mut self, new: &NewRun) -> Result<Run, Problem> {
        self.start(new, false)
    }

    /// The open run of the same program with the same settings, or a new one.
    pub fn join_or_create(&mut self, new: &NewRun) -> Result<Run, Problem> {
        self.start(new, true)
    }

    fn start(&mut self, new: &NewRun, may_join: bool) -> Result<Run, Problem> {
        let (tool, config) = (this_tool(), new.config.to_text());
        let root = Root::new(self.random(), new.whole.clone());
        let ids: Vec<i32> = (0..new.threads.len() as i32).collect();
        // Where a reply is lost, there may be a second one, which nobody works on and which `forget` removes.
        let row = self.with(|client| {
            let mut transaction = client.transaction()?;
            transaction.batch_execute("SET LOCAL synchronous_commit = on")?;
            if may_join {
                // Those who would start the same take turns.
                transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])?;
                let same = format!(
                    "SELECT {COLUMNS} FROM mazurka_run WHERE state = 'open' AND kind = $1 AND digest = $2 AND config = $3
                     ORDER BY run LIMIT 1"
                );
                if let Some(row) = transaction.query_opt(&same, &[&new.kind, &new.digest, &config])? {
                    return Ok(row);
                }
            }
            let row = transaction.query_one(
                &format!(
                    "INSERT INTO mazurka_run(kind, name, tool, digest, program, config, lessons, known)
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING {COLUMNS}"
                ),
                &[&new.kind, &new.name, &tool, &new.digest, &new.program, &config, &new.lessons, &new.known],
            )?;
            let run: i64 = row.get("run");
            transaction.execute(
                "INSERT INTO mazurka_thread SELECT $1, * FROM unnest($2::int[], $3::text[])",
                &[&run, &ids, &new.threads],
            )?;
            root.insert(&mut transaction, run, 0)?;
            transaction.commit()?;
            Ok(row)
        })?;
        Run::new(&row)
    }

    /// A run by its number.
    pub fn run(&mut self, run: i64) -> Result<Run, Problem> {
        let sql = format!("SELECT {COLUMNS} FROM mazurka_run WHERE run = $1");
        let row = self.with(|client| client.query_opt(&sql, &[&run]))?.ok_or(Problem::NoRun(run))?;
        Run::new(&row)
    }

    /// All runs that go on, the oldest first.
    pub fn open_runs(&mut self) -> Result<Vec<Run>, Problem> {
        let sql = format!("SELECT {COLUMNS} FROM mazurka_run WHERE state = 'open' ORDER BY run");
        self.with(|client| client.query(&sql, &[]))?.iter().map(Run::new).collect()
    }

    /// The program of a run.
    pub fn program(&mut self, run: &Run) -> Result<Vec<u8>, Problem> {
        let sql = "SELECT program FROM mazurka_run WHERE run = $1";
        let row = self.with(|client| client.query_opt(sql, &[&run.run]))?.ok_or(Problem::NoRun(run.run))?;
        Ok(row.get(0))
    }

    /// A run that goes on stops, or the other way round. Says in which state it is.
    pub fn set_open(&mut self, run: i64, open: bool) -> Result<RunState, Problem> {
        let (from, to) = if open { ("stopped", "open") } else { ("open", "stopped") };
        let row = self.with(|client| {
            client.execute("UPDATE mazurka_run SET state = $3 WHERE run = $1 AND state = $2", &[&run, &from, &to])?;
            client.query_opt("SELECT state FROM mazurka_run WHERE run = $1", &[&run])
        })?;
        row.ok_or(Problem::NoRun(run))?.get::<_, String>(0).parse()
    }

    /// Removes all that is known of a run. Workers that are at it notice that it is gone.
    pub fn forget(&mut self, run: i64) -> Result<(), Problem> {
        let removed = self.with(|client| {
            let mut transaction = client.transaction()?;
            let removed = transaction.execute("DELETE FROM mazurka_run WHERE run = $1", &[&run])?;
            // Also what was committed while another run was forgotten.
            for table in OF_RUNS {
                transaction
                    .execute(&format!("DELETE FROM {table} WHERE run NOT IN (SELECT run FROM mazurka_run)"), &[])?;
            }
            transaction.commit()?;
            Ok(removed)
        })?;
        if removed == 0 { Err(Problem::NoRun(run)) } else { Ok(()) }
    }
}

/// The whole search, as the first task of a version.
pub(crate) struct Root {
    uid: i64,
    payload: Vec<u8>,
}

impl Root {
    pub(crate) fn new(random: &mut fastrand::Rng, payload: Vec<u8>) -> Self {
        Root { uid: random.i64(..), payload }
    }

    /// It counts as created, by nobody.
    pub(crate) fn insert(
        &self,
        client: &mut impl GenericClient,
        run: i64,
        version: i32,
    ) -> Result<(), postgres::Error> {
        client.execute(
            "INSERT INTO mazurka_task(run, version, uid, payload, tasks, share) VALUES ($1, $2, $3, $4, 1, 1)",
            &[&run, &version, &self.uid, &self.payload],
        )?;
        let zeros = vec!["0"; crate::tally::COUNTS.len()].join(", ");
        let sql = format!("INSERT INTO mazurka_tally VALUES ($1, $2, '', 1, 0, 0, {zeros})");
        client.execute(&sql, &[&run, &version])?;
        Ok(())
    }
}
