//! The end of a run: its verdict is written once, when nothing is left and nothing was lost.

use crate::commit::NOBODY;
use crate::run::Root;
use crate::tally::{from_numbers, sums, to_numbers};
use crate::version::next;
use crate::{Problem, Run, RunState, Store, Version};
use explore::{Shareable, Total};
use postgres::Transaction;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a run came to.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    counts: Vec<i64>,
    findings: Vec<String>,
    too_long: Option<String>,
    is_complete: bool,
    seconds: f64,
    /// The beginnings of executions that nobody could explore, as schedules.
    pub set_aside: Vec<String>,
    /// Why there is none.
    pub problem: Option<String>,
}

impl Verdict {
    /// As what a report is made of.
    pub fn total(&self) -> Total {
        Total {
            tally: from_numbers(&self.counts),
            findings: self.findings.clone(),
            too_long: self.too_long.clone(),
            is_complete: self.is_complete,
            elapsed: Duration::try_from_secs_f64(self.seconds).unwrap_or_default(),
        }
    }
}

/// What a look at the end of a run came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Finish {
    /// Something is left to do.
    NotYet,
    /// There is a verdict, or a new version, or the run is gone: look again.
    Changed,
}

/// Why a run is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reason {
    /// There may be nothing left.
    Idle,
    /// Something was found, and nobody wants to know more.
    Found,
}

/// What all tables say of a version at one moment.
struct Books {
    created: i64,
    committed: i64,
    queued: i64,
    set_aside: i64,
    counts: Vec<i64>,
    seconds: f64,
}

impl Store {
    /// Writes the verdict, if it is time. It is on the server's disk when this returns [`Finish::Changed`].
    pub(crate) fn finish(
        &mut self,
        run: &Run,
        version: &Version,
        reason: Reason,
        search: &dyn Shareable,
        schedules: &dyn Fn(&[u8]) -> Vec<String>,
    ) -> Result<Finish, Problem> {
        let root = Root::new(self.random(), search.whole());
        self.with(|client| {
            let mut transaction = client.transaction()?;
            transaction.batch_execute("SET LOCAL synchronous_commit = on")?;
            let finish = decide(&mut transaction, run, version, reason, &Of { search, schedules, root: &root })?;
            transaction.commit()?;
            Ok(finish)
        })
    }

    /// Whether there is nothing that anybody could do.
    pub(crate) fn is_drained(&mut self, run: &Run, version: i32) -> Result<bool, Problem> {
        let sql = "SELECT NOT EXISTS (SELECT 1 FROM mazurka_task WHERE run = $1 AND version = $2
                                      AND owner IS DISTINCT FROM $3)";
        Ok(self.with(|client| client.query_one(sql, &[&run.run, &version, &NOBODY]))?.get(0))
    }

    /// The run cannot go on, unless it is at another version by now.
    pub(crate) fn fail(&mut self, run: &Run, version: i32, problem: &str) -> Result<(), Problem> {
        let verdict = Verdict { problem: Some(problem.to_owned()), ..Verdict::default() };
        let verdict = serde_json::to_string(&verdict).expect("it has no maps");
        self.with(|client| {
            let mut transaction = client.transaction()?;
            transaction.batch_execute("SET LOCAL synchronous_commit = on")?;
            transaction.execute(
                "UPDATE mazurka_run SET state = 'failed', verdict = $3, finished_at = clock_timestamp()
                 WHERE run = $1 AND version = $2 AND state = 'open'",
                &[&run.run, &version, &verdict],
            )?;
            transaction.commit()
        })
    }

    /// The verdict of a run that is over.
    pub fn verdict(&mut self, run: &Run) -> Result<Verdict, Problem> {
        let sql = "SELECT verdict FROM mazurka_run WHERE run = $1";
        let row = self.with(|client| client.query_opt(sql, &[&run.run]))?.ok_or(Problem::NoRun(run.run))?;
        let text: Option<String> = row.get(0);
        let verdict = text.and_then(|text| serde_json::from_str(&text).ok());
        verdict.ok_or_else(|| Problem::Damaged(format!("the verdict of run {} cannot be read", run.run)))
    }

    /// What is counted and found so far, of a run that is not over.
    pub fn so_far(&mut self, run: &Run) -> Result<Verdict, Problem> {
        let sql = format!(
            "SELECT {}, extract(epoch FROM clock_timestamp() - min(created_at))::float8
             FROM mazurka_tally t JOIN mazurka_run r USING (run, version) WHERE t.run = $1",
            sums()
        );
        let row = self.with(|client| client.query_one(&sql, &[&run.run]))?;
        let seconds: Option<f64> = row.get(1);
        let counts: Vec<i64> = row.get(0);
        let findings = "SELECT DISTINCT schedule FROM mazurka_finding JOIN mazurka_run USING (run, version)
                        WHERE run = $1 AND sort = 'finding' ORDER BY 1";
        let rows = self.with(|client| client.query(findings, &[&run.run]))?;
        let findings = rows.iter().map(|row| row.get(0)).collect();
        Ok(Verdict { counts, findings, seconds: seconds.unwrap_or(0.0), ..Verdict::default() })
    }
}

/// What is to be known of the search.
struct Of<'o> {
    search: &'o dyn Shareable,
    schedules: &'o dyn Fn(&[u8]) -> Vec<String>,
    root: &'o Root,
}

fn decide(
    transaction: &mut Transaction<'_>,
    run: &Run,
    version: &Version,
    reason: Reason,
    of: &Of<'_>,
) -> Result<Finish, postgres::Error> {
    let sql = "SELECT state, version FROM mazurka_run WHERE run = $1 FOR NO KEY UPDATE";
    let row = transaction.query_opt(sql, &[&run.run])?;
    let is_current = |row: &postgres::Row| {
        row.get::<_, String>("state") == RunState::Open.to_string() && row.get::<_, i32>("version") == version.number
    };
    if !row.as_ref().is_some_and(is_current) {
        return Ok(Finish::Changed);
    }
    let books = look(transaction, run, version.number)?;
    if reason == Reason::Idle && books.queued > books.set_aside {
        return Ok(Finish::NotYet);
    }
    let is_lost = books.created != books.committed + books.queued;
    let learnt: Vec<String> = transaction
        .query(
            "SELECT learnt FROM mazurka_lesson WHERE run = $1 AND version = $2 AND learnt IS NOT NULL",
            &[&run.run, &version.number],
        )?
        .iter()
        .map(|row| row.get(0))
        .collect();
    if !is_lost
        && reason == Reason::Idle
        && of.search.are_refuted(&learnt)
        && let Some(lessons) = of.search.after(&version.lessons, &learnt)
    {
        next(transaction, of.root, run.run, version.number, &lessons, &version.known)?;
        return Ok(Finish::Changed);
    }
    let mut verdict = verdict(transaction, run, version, &books, of.schedules)?;
    if is_lost {
        verdict.problem = Some(format!(
            "the tables have lost tasks, so that there is no verdict: {} were created, and {} were committed and {} are left",
            books.created, books.committed, books.queued
        ));
    }
    let state = if is_lost { RunState::Failed } else { RunState::Done };
    let text = serde_json::to_string(&verdict).expect("it has no maps");
    transaction.execute(
        "UPDATE mazurka_run SET state = $2, verdict = $3, finished_at = clock_timestamp() WHERE run = $1",
        &[&run.run, &state.to_string(), &text],
    )?;
    Ok(Finish::Changed)
}

/// One statement, so that it is one moment.
fn look(transaction: &mut Transaction<'_>, run: &Run, version: i32) -> Result<Books, postgres::Error> {
    let sql = format!(
        "SELECT coalesce(sum(created), 0)::bigint AS created, coalesce(sum(committed), 0)::bigint AS committed,
           (SELECT count(*) FROM mazurka_task WHERE run = $1 AND version = $2) AS queued,
           (SELECT count(*) FROM mazurka_task WHERE run = $1 AND version = $2 AND owner = $3) AS set_aside,
           {} AS counts,
           (SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 FROM mazurka_run WHERE run = $1) AS seconds
         FROM mazurka_tally WHERE run = $1 AND version = $2",
        sums()
    );
    let row = transaction.query_one(&sql, &[&run.run, &version, &NOBODY])?;
    Ok(Books {
        created: row.get("created"),
        committed: row.get("committed"),
        queued: row.get("queued"),
        set_aside: row.get("set_aside"),
        counts: row.get("counts"),
        seconds: row.get("seconds"),
    })
}

fn verdict(
    transaction: &mut Transaction<'_>,
    run: &Run,
    version: &Version,
    books: &Books,
    schedules: &dyn Fn(&[u8]) -> Vec<String>,
) -> Result<Verdict, postgres::Error> {
    let mut verdict = Verdict {
        counts: to_numbers(&from_numbers(&books.counts)),
        is_complete: books.queued == 0,
        seconds: books.seconds,
        ..Verdict::default()
    };
    let sql = "SELECT DISTINCT sort, schedule FROM mazurka_finding WHERE run = $1 AND version = $2 ORDER BY 1, 2";
    for row in transaction.query(sql, &[&run.run, &version.number])? {
        let schedule: String = row.get("schedule");
        match row.get("sort") {
            "finding" => verdict.findings.push(schedule),
            _ => verdict.too_long = Some(verdict.too_long.unwrap_or(schedule)),
        }
    }
    let sql = "SELECT payload FROM mazurka_task WHERE run = $1 AND version = $2 AND owner = $3 ORDER BY task";
    for row in transaction.query(sql, &[&run.run, &version.number, &NOBODY])? {
        verdict.set_aside.extend(schedules(row.get("payload")));
    }
    Ok(verdict)
}
