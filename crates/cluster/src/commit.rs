//! Leases and commits.

use crate::tally::{COUNTS, to_numbers};
use crate::{Problem, Run, Store};
use explore::Parcel;
use postgres::Row;
use trace::Tally;

/// A task that has killed so many workers is set aside.
pub(crate) const MOST_ATTEMPTS: i32 = 5;
/// Who owns tasks that were set aside.
pub(crate) const NOBODY: &str = "!";

/// A bundle that this process has leased.
pub(crate) struct Leased {
    pub(crate) task: i64,
    pub(crate) uid: i64,
    pub(crate) parcel: Parcel,
    /// How often it was leased, this time included.
    pub(crate) attempts: i32,
}

/// What came of a slice, as it is committed.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) tally: Tally,
    /// The share of the search that was done.
    pub(crate) share: f64,
    /// Sorts and schedules.
    pub(crate) findings: Vec<(&'static str, String)>,
    /// All that this worker has learnt of loops.
    pub(crate) learnt: Option<String>,
    /// All that its runs have shown the front end.
    pub(crate) shown: Option<String>,
    pub(crate) children: Vec<Parcel>,
}

/// The answer to a commit.
pub(crate) struct Committed {
    /// False if somebody else has committed the task: all of the outcome was dropped.
    pub(crate) is_first: bool,
    /// The first of the children, leased.
    pub(crate) next: Option<Leased>,
}

impl Store {
    /// Leases a task. Of those that are this process's already, because a reply was lost, one of these.
    pub(crate) fn lease(&mut self, run: &Run, version: i32) -> Result<Option<Leased>, Problem> {
        if std::mem::take(&mut self.lost_reply) {
            let own = "SELECT task FROM mazurka_task WHERE run = $1 AND version = $2 AND owner = $3
                       LIMIT 1 FOR UPDATE SKIP LOCKED";
            if let Some(leased) = self.lease_one(run, version, own, 0)? {
                // There may be more of them.
                self.lost_reply = true;
                return Ok(Some(leased));
            }
        }
        let ready =
            "SELECT task FROM mazurka_task WHERE run = $1 AND version = $2 AND owner IS NULL AND $3::text IS NOT NULL
                     ORDER BY task DESC LIMIT 1 FOR UPDATE SKIP LOCKED";
        self.lease_one(run, version, ready, 1)
    }

    fn lease_one(&mut self, run: &Run, version: i32, which: &str, attempt: i32) -> Result<Option<Leased>, Problem> {
        let (owner, lease) = (self.owner.0.clone(), self.lease.as_secs_f64());
        let sql = format!(
            "UPDATE mazurka_task t SET owner = $3, lease_until = clock_timestamp() + make_interval(secs => $4),
               attempts = attempts + $5
             FROM ({which}) s WHERE t.task = s.task RETURNING t.task, t.uid, t.payload, t.tasks, t.share, t.attempts"
        );
        let row = self.with(|client| client.query_opt(&sql, &[&run.run, &version, &owner, &lease, &attempt]))?;
        Ok(row.map(|row| leased(&row)))
    }

    /// Removes the task, and if it is there, adds the outcome. Where `keep` is true, the first child comes back leased.
    pub(crate) fn commit(&mut self, leased: &Leased, outcome: Outcome, keep: bool) -> Result<Committed, Problem> {
        let uids: Vec<i64> = outcome.children.iter().map(|_| self.random().i64(..)).collect();
        let payloads: Vec<Vec<u8>> = outcome.children.iter().map(|child| child.bytes.clone()).collect();
        let tasks: Vec<i32> = outcome.children.iter().map(|child| child.tasks as i32).collect();
        let shares: Vec<f64> = outcome.children.iter().map(|child| child.share).collect();
        let (sorts, schedules): (Vec<&str>, Vec<String>) = outcome.findings.into_iter().unzip();
        let counts = to_numbers(&outcome.tally);
        let (owner, lease, sql) = (self.owner.0.clone(), self.lease.as_secs_f64(), commit_statement());
        let row = self.with(|client| {
            client.query_one(
                &sql,
                &[
                    &leased.task,
                    &leased.uid,
                    &owner,
                    &lease,
                    &uids,
                    &payloads,
                    &tasks,
                    &shares,
                    &keep,
                    &counts,
                    &outcome.share,
                    &sorts,
                    &schedules,
                    &outcome.learnt,
                    &outcome.shown,
                ],
            )
        })?;
        let is_first = row.get::<_, i64>("removed") == 1;
        let task: Option<i64> = row.get("kept");
        let child = outcome.children.into_iter().next();
        let next = match (task, uids.first(), child) {
            (Some(task), Some(&uid), Some(parcel)) if keep => Some(Leased { task, uid, parcel, attempts: 1 }),
            _ => None,
        };
        Ok(Committed { is_first, next })
    }

    /// Gives a task back undone. Its attempt counts if it has done harm.
    pub(crate) fn give_back(&mut self, leased: &Leased, has_harmed: bool) -> Result<(), Problem> {
        let sql = "UPDATE mazurka_task SET lease_until = NULL, attempts = attempts - CASE WHEN $4 THEN 0 ELSE 1 END,
                     owner = CASE WHEN $4 AND attempts >= $5 THEN $6 END
                   WHERE task = $1 AND uid = $2 AND owner = $3";
        let owner = self.owner.0.clone();
        self.with(|client| {
            client.execute(sql, &[&leased.task, &leased.uid, &owner, &has_harmed, &MOST_ATTEMPTS, &NOBODY])
        })?;
        Ok(())
    }

    /// Takes back what belongs to workers that have given no sign of life, or sets it aside.
    pub(crate) fn reap(&mut self) -> Result<(), Problem> {
        let sql = "UPDATE mazurka_task SET lease_until = NULL, owner = CASE WHEN attempts >= $1 THEN $2 END
                   WHERE task IN (SELECT task FROM mazurka_task WHERE owner IS NOT NULL AND lease_until < clock_timestamp()
                                  FOR UPDATE SKIP LOCKED)";
        self.with(|client| client.execute(sql, &[&MOST_ATTEMPTS, &NOBODY]))?;
        Ok(())
    }
}

fn leased(row: &Row) -> Leased {
    let tasks = usize::try_from(row.get::<_, i32>("tasks")).unwrap_or(0);
    let parcel = Parcel { bytes: row.get("payload"), tasks, share: row.get("share") };
    Leased { task: row.get("task"), uid: row.get("uid"), parcel, attempts: row.get("attempts") }
}

/// Everything depends on `d`: the removal of the task, which succeeds once.
fn commit_statement() -> String {
    let names = COUNTS.map(|(name, _)| name).join(", ");
    let values = (1..=COUNTS.len()).map(|place| format!("($10::bigint[])[{place}]")).collect::<Vec<_>>().join(", ");
    let update = |(name, is_max): (&str, bool)| match is_max {
        true => format!("{name} = greatest(t.{name}, excluded.{name})"),
        false => format!("{name} = t.{name} + excluded.{name}"),
    };
    let updates = COUNTS.map(update).join(", ");
    format!(
        "WITH d AS (DELETE FROM mazurka_task WHERE task = $1 AND uid = $2 RETURNING run, version),
           k AS (INSERT INTO mazurka_task(run, version, uid, payload, tasks, share, owner, lease_until, attempts)
                 SELECT d.run, d.version, c.uid, c.payload, c.tasks, c.share,
                   CASE WHEN c.nth = 1 AND $9 THEN $3::text END,
                   CASE WHEN c.nth = 1 AND $9 THEN clock_timestamp() + make_interval(secs => $4) END,
                   CASE WHEN c.nth = 1 AND $9 THEN 1 ELSE 0 END
                 FROM d, unnest($5::bigint[], $6::bytea[], $7::int[], $8::float8[])
                         WITH ORDINALITY AS c(uid, payload, tasks, share, nth)
                 RETURNING task, owner),
           t AS (INSERT INTO mazurka_tally AS t (run, version, worker, created, committed, share, {names})
                 SELECT d.run, d.version, $3::text, cardinality($5::bigint[]), 1, $11::float8, {values} FROM d
                 ON CONFLICT (run, version, worker) DO UPDATE SET
                   created = t.created + excluded.created, committed = t.committed + excluded.committed,
                   share = t.share + excluded.share, {updates}),
           f AS (INSERT INTO mazurka_finding(run, version, sort, schedule)
                 SELECT d.run, d.version, c.sort, c.schedule
                 FROM d, unnest($12::text[], $13::text[]) AS c(sort, schedule)),
           l AS (INSERT INTO mazurka_lesson AS l (run, version, worker, learnt, shown)
                 SELECT d.run, d.version, $3::text, $14::text, $15::text FROM d
                 WHERE $14::text IS NOT NULL OR $15::text IS NOT NULL
                 ON CONFLICT (run, version, worker) DO UPDATE SET
                   learnt = coalesce(excluded.learnt, l.learnt), shown = coalesce(excluded.shown, l.shown))
         SELECT (SELECT count(*) FROM d) AS removed, (SELECT min(task) FROM k WHERE owner IS NOT NULL) AS kept"
    )
}
