//! The tables.

use crate::Problem;
use crate::store::refused;
use crate::tally::COUNTS;
use postgres::Client;

/// The version of the tables that this code knows.
pub const SCHEMA: i32 = 1;

/// Tasks come and go all the time: vacuum often and at once. What is in a row is compressed already. No table refers to
/// `mazurka_run` in the sense of SQL: every commit would lock the same row.
const TABLES: &str = "
CREATE TABLE mazurka_schema(version int NOT NULL);
CREATE TABLE mazurka_run(
  run bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL, name text NOT NULL, tool text NOT NULL, digest text NOT NULL, program bytea NOT NULL,
  config text NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'stopped', 'done', 'failed')),
  version int NOT NULL DEFAULT 0, lessons text NOT NULL, known text NOT NULL,
  verdict text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(), finished_at timestamptz);
CREATE TABLE mazurka_task(
  task bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run bigint NOT NULL, version int NOT NULL,
  uid bigint NOT NULL, payload bytea NOT NULL, tasks int NOT NULL, share float8 NOT NULL,
  owner text, lease_until timestamptz, attempts int NOT NULL DEFAULT 0)
  WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE mazurka_task ALTER COLUMN payload SET STORAGE EXTERNAL;
CREATE INDEX mazurka_ready ON mazurka_task(run, version, task DESC) WHERE owner IS NULL;
CREATE INDEX mazurka_leased ON mazurka_task(lease_until) WHERE owner IS NOT NULL;
CREATE TABLE mazurka_finding(
  run bigint NOT NULL, version int NOT NULL,
  sort text NOT NULL, schedule text NOT NULL, found_at timestamptz NOT NULL DEFAULT clock_timestamp());
CREATE INDEX mazurka_found ON mazurka_finding(run);
CREATE TABLE mazurka_lesson(
  run bigint NOT NULL, version int NOT NULL,
  worker text NOT NULL, learnt text, shown text, PRIMARY KEY (run, version, worker));
CREATE TABLE mazurka_thread(
  run bigint NOT NULL, id int NOT NULL, path text NOT NULL,
  PRIMARY KEY (run, id), UNIQUE (run, path));
CREATE TABLE mazurka_worker(
  run bigint NOT NULL, worker text NOT NULL, cores int NOT NULL,
  idle boolean NOT NULL, seen timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (run, worker))
  WITH (fillfactor = 50);
";

/// One row for each worker, so that no two workers wait for each other.
fn tally_table() -> String {
    let counts: Vec<String> = COUNTS.iter().map(|(name, _)| format!("{name} bigint NOT NULL")).collect();
    format!(
        "CREATE TABLE mazurka_tally(
           run bigint NOT NULL, version int NOT NULL, worker text NOT NULL,
           created bigint NOT NULL, committed bigint NOT NULL, share float8 NOT NULL, {},
           PRIMARY KEY (run, version, worker)) WITH (fillfactor = 50);",
        counts.join(", ")
    )
}

/// All tables with rows of runs.
pub(crate) const OF_RUNS: [&str; 6] =
    ["mazurka_task", "mazurka_tally", "mazurka_finding", "mazurka_lesson", "mazurka_thread", "mazurka_worker"];

/// Any number, the same for all: two who make tables at once take turns.
pub(crate) const LOCK: i64 = 0x6d61_7a75_726b_6101;

/// Makes the tables if there are none. An error if they are of another version.
pub(crate) fn ensure(client: &mut Client) -> Result<(), Problem> {
    if let Some(version) = version(client)? {
        return check(version);
    }
    let make = |client: &mut Client| {
        // Before the transaction: what a transaction knows of tables may be as old as its beginning.
        client.execute("SELECT pg_advisory_lock($1)", &[&LOCK])?;
        let mut transaction = client.transaction()?;
        let made: bool = transaction.query_one("SELECT to_regclass('mazurka_schema') IS NOT NULL", &[])?.get(0);
        if !made {
            transaction.batch_execute(TABLES)?;
            transaction.batch_execute(&tally_table())?;
            transaction.execute("INSERT INTO mazurka_schema VALUES ($1)", &[&SCHEMA])?;
        }
        transaction.commit()?;
        client.execute("SELECT pg_advisory_unlock($1)", &[&LOCK])
    };
    make(client).map_err(refused)?;
    check(version(client)?.unwrap_or(0))
}

fn version(client: &mut Client) -> Result<Option<i32>, Problem> {
    let is_made = client.query_one("SELECT to_regclass('mazurka_schema') IS NOT NULL", &[]).map_err(refused)?;
    if !is_made.get::<_, bool>(0) {
        return Ok(None);
    }
    let rows = client.query("SELECT version FROM mazurka_schema", &[]).map_err(refused)?;
    Ok(Some(rows.first().map_or(0, |row| row.get(0))))
}

fn check(found: i32) -> Result<(), Problem> {
    if found == SCHEMA { Ok(()) } else { Err(Problem::OtherSchema { found, wanted: SCHEMA }) }
}
