//! How runs go.

use crate::commit::NOBODY;
use crate::tally::{from_numbers, sums};
use crate::{Problem, RunState, Store};
use std::time::Duration;
use trace::Tally;

/// How a run goes.
#[derive(Clone, PartialEq, Debug)]
pub struct RunStatus {
    /// Its number.
    pub run: i64,
    /// Which front end runs the program.
    pub kind: String,
    /// The program.
    pub name: String,
    /// Whether it goes on.
    pub state: RunState,
    /// How many times it has begun anew.
    pub version: i32,
    /// What was counted.
    pub tally: Tally,
    /// How long it has taken.
    pub elapsed: Duration,
    /// The share of the search that is done, as far as the branches known now tell.
    pub share: f64,
    /// Bundles that wait for a worker, are leased, and were set aside.
    pub ready: i64,
    /// See there.
    pub leased: i64,
    /// See there.
    pub set_aside: i64,
    /// Tasks in all bundles.
    pub tasks: i64,
    /// Different executions with findings.
    pub findings: i64,
    /// Whether tasks that were created are those that were committed and those that are left.
    pub is_sound: bool,
    /// The workers.
    pub workers: Vec<WorkerStatus>,
}

/// How a worker does.
#[derive(Clone, PartialEq, Debug)]
pub struct WorkerStatus {
    /// Its host, process and a number.
    pub name: String,
    /// How many cores it uses.
    pub cores: i32,
    /// Whether it has nothing to do.
    pub is_idle: bool,
    /// How long ago it gave a sign of life.
    pub seen: Duration,
}

/// How all runs go, the oldest first.
pub fn status(store: &mut Store) -> Result<Vec<RunStatus>, Problem> {
    // One statement, so that it is one moment.
    let sql = format!(
        "SELECT r.run, r.kind, r.name, r.state, r.version,
           extract(epoch FROM coalesce(r.finished_at, clock_timestamp()) - r.created_at)::float8 AS seconds,
           t.counts, t.created, t.committed, t.share, q.ready, q.leased, q.set_aside, q.tasks,
           (SELECT count(DISTINCT schedule) FROM mazurka_finding f
            WHERE f.run = r.run AND f.version = r.version AND f.sort = 'finding') AS findings
         FROM mazurka_run r,
           LATERAL (SELECT {} AS counts, coalesce(sum(created), 0)::bigint AS created,
                      coalesce(sum(committed), 0)::bigint AS committed, coalesce(sum(share), 0) AS share
                    FROM mazurka_tally t WHERE t.run = r.run AND t.version = r.version) t,
           LATERAL (SELECT count(*) FILTER (WHERE owner IS NULL) AS ready,
                      count(*) FILTER (WHERE owner <> $1) AS leased, count(*) FILTER (WHERE owner = $1) AS set_aside,
                      coalesce(sum(tasks), 0)::bigint AS tasks
                    FROM mazurka_task q WHERE q.run = r.run AND q.version = r.version) q
         ORDER BY r.run",
        sums()
    );
    let rows = store.with(|client| client.query(&sql, &[&NOBODY]))?;
    let mut runs = Vec::new();
    for row in rows {
        let state: String = row.get("state");
        let (ready, leased, set_aside): (i64, i64, i64) = (row.get("ready"), row.get("leased"), row.get("set_aside"));
        let (created, committed): (i64, i64) = (row.get("created"), row.get("committed"));
        runs.push(RunStatus {
            run: row.get("run"),
            kind: row.get("kind"),
            name: row.get("name"),
            state: state.parse()?,
            version: row.get("version"),
            tally: from_numbers(&row.get::<_, Vec<i64>>("counts")),
            elapsed: duration(row.get("seconds")),
            share: row.get("share"),
            ready,
            leased,
            set_aside,
            tasks: row.get("tasks"),
            findings: row.get("findings"),
            is_sound: created == committed + ready + leased + set_aside,
            workers: Vec::new(),
        });
    }
    let sql = "SELECT run, worker, cores, idle, extract(epoch FROM clock_timestamp() - seen)::float8 AS seen
               FROM mazurka_worker ORDER BY run, worker";
    for row in store.with(|client| client.query(sql, &[]))? {
        let run: i64 = row.get("run");
        if let Some(status) = runs.iter_mut().find(|status| status.run == run) {
            let (name, cores, is_idle) = (row.get("worker"), row.get("cores"), row.get("idle"));
            status.workers.push(WorkerStatus { name, cores, is_idle, seen: duration(row.get("seen")) });
        }
    }
    Ok(runs)
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or_default()
}
