//! Versions of a run: what is learnt of the program makes the search begin anew, and nothing of the old version counts.

use crate::run::Root;
use crate::{Problem, Run, RunState, Store};
use postgres::GenericClient;

/// What workers know while they work on a version.
#[derive(Clone, Debug)]
pub struct Version {
    /// Whether the run goes on.
    pub state: RunState,
    /// How many versions came before.
    pub number: i32,
    /// What is known of loops.
    pub lessons: String,
    /// What the front end knows.
    pub known: String,
}

impl Store {
    /// The version that a run is at.
    pub fn version(&mut self, run: &Run) -> Result<Version, Problem> {
        let sql = "SELECT state, version, lessons, known FROM mazurka_run WHERE run = $1";
        let row = self.with(|client| client.query_opt(sql, &[&run.run]))?.ok_or(Problem::NoRun(run.run))?;
        let state: String = row.get("state");
        let (number, lessons, known) = (row.get("version"), row.get("lessons"), row.get("known"));
        Ok(Version { state: state.parse()?, number, lessons, known })
    }

    /// What all workers have learnt of loops in a version.
    pub(crate) fn learnt(&mut self, run: &Run, version: i32) -> Result<Vec<String>, Problem> {
        self.lessons_of(run, version, "learnt")
    }

    /// What the runs of all workers have shown the front end in a version.
    pub(crate) fn shown(&mut self, run: &Run, version: i32) -> Result<Vec<String>, Problem> {
        self.lessons_of(run, version, "shown")
    }

    fn lessons_of(&mut self, run: &Run, version: i32, what: &str) -> Result<Vec<String>, Problem> {
        let sql = format!(
            "SELECT {what} FROM mazurka_lesson WHERE run = $1 AND version = $2 AND {what} IS NOT NULL ORDER BY worker"
        );
        let rows = self.with(|client| client.query(&sql, &[&run.run, &version]))?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// The run begins anew, unless it has done so since that version. It has when this returns, whatever happens to the server.
    pub(crate) fn begin_anew(
        &mut self,
        run: &Run,
        from: i32,
        whole: Vec<u8>,
        lessons: &str,
        known: &str,
    ) -> Result<(), Problem> {
        let root = Root::new(self.random(), whole);
        self.with(|client| {
            let mut transaction = client.transaction()?;
            transaction.batch_execute("SET LOCAL synchronous_commit = on")?;
            next(&mut transaction, &root, run.run, from, lessons, known)?;
            transaction.commit()
        })
    }
}

/// The next version, unless there is one already.
pub(crate) fn next(
    client: &mut impl GenericClient,
    root: &Root,
    run: i64,
    from: i32,
    lessons: &str,
    known: &str,
) -> Result<(), postgres::Error> {
    let begun = client.execute(
        "UPDATE mazurka_run SET version = version + 1, lessons = $3, known = $4
         WHERE run = $1 AND version = $2 AND state IN ('open', 'stopped')",
        &[&run, &from, &lessons, &known],
    )?;
    if begun == 1 {
        root.insert(client, run, from + 1)?;
        // What is committed at this moment comes back as rows of an old version, which nobody looks at.
        for table in ["mazurka_task", "mazurka_tally", "mazurka_finding", "mazurka_lesson"] {
            client.execute(&format!("DELETE FROM {table} WHERE run = $1 AND version <= $2"), &[&run, &from])?;
        }
    }
    Ok(())
}
