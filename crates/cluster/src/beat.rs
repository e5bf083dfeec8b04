//! Signs of life: a thread with a connection of its own keeps the lease of what is explored, and says how the run goes.

use crate::commit::Leased;
use crate::{Problem, Run, RunState, Store};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often a worker looks whether others have nothing to do: the more workers there are, the less often each of them looks,
/// so that the server has as many looks to answer, whatever their number, and a few workers wait for each other for moments only.
const LOOKS: (Duration, Duration) = (Duration::from_millis(40), Duration::from_millis(500));
const BETWEEN_LOOKS_OF_ALL: Duration = Duration::from_millis(10);
/// How often it says that it is there.
const BETWEEN_SIGNS: Duration = Duration::from_secs(5);

/// How the run goes, as far as is known.
#[derive(Clone, Debug)]
pub(crate) struct View {
    /// Whether the run goes on, and at which version; none when it is gone.
    pub(crate) run: Option<(RunState, i32)>,
    /// Bundles that wait for a worker, up to [`MOST_READY`], workers that wait for a bundle, and the other workers.
    pub(crate) ready: i64,
    pub(crate) idle: i64,
    pub(crate) busy: i64,
    /// Whether somebody else has committed what is explored here.
    pub(crate) is_gone: bool,
}

const MOST_READY: i64 = 64;

impl View {
    /// How long a worker waits before it looks again.
    pub(crate) fn pause(&self) -> Duration {
        let workers = (self.idle + self.busy).clamp(0, 1_000);
        BETWEEN_LOOKS_OF_ALL.saturating_mul(workers as u32).clamp(LOOKS.0, LOOKS.1)
    }
}

/// What the two threads have in common.
#[derive(Debug)]
struct Common {
    view: View,
    /// What is explored: its task and uid.
    task: Option<(i64, i64)>,
}

/// The thread. It ends when this is dropped.
pub(crate) struct Beat {
    common: Arc<Mutex<Common>>,
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Beat {
    pub(crate) fn start(store: &Store, run: &Run, version: i32, cores: usize) -> Self {
        let view = View { run: Some((RunState::Open, version)), ready: MOST_READY, idle: 0, busy: 1, is_gone: false };
        let common = Arc::new(Mutex::new(Common { view, task: None }));
        let (end, ended) = mpsc::channel();
        let mut heart = Heart {
            common: common.clone(),
            store: store.another(),
            run: run.clone(),
            cores: cores as i32,
            signed: None,
            renewed: Instant::now(),
        };
        let longest = store.lease / 4;
        let beat = move || {
            while ended.recv_timeout(heart.pause().min(longest)) == Err(RecvTimeoutError::Timeout) {
                // The worker itself says when the server has gone for good.
                let _ = heart.beat();
            }
        };
        let thread = thread::Builder::new().name("mazurka-beat".to_owned()).spawn(beat).ok();
        Beat { common, end: Some(end), thread }
    }

    /// This is explored from now on.
    pub(crate) fn begin(&self, leased: &Leased) {
        let mut common = lock(&self.common);
        common.task = Some((leased.task, leased.uid));
        common.view.is_gone = false;
    }

    /// Nothing is.
    pub(crate) fn end(&self) {
        lock(&self.common).task = None;
    }

    pub(crate) fn view(&self) -> View {
        lock(&self.common).view.clone()
    }

    /// A new version has begun.
    pub(crate) fn note_version(&self, version: i32) {
        lock(&self.common).view.run = Some((RunState::Open, version));
    }
}

impl Drop for Beat {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // It has nothing to say.
            let _ = thread.join();
        }
    }
}

fn lock(common: &Mutex<Common>) -> MutexGuard<'_, Common> {
    common.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Heart {
    common: Arc<Mutex<Common>>,
    store: Store,
    run: Run,
    cores: i32,
    /// When this worker last said that it is there, and whether it was idle.
    signed: Option<(Instant, bool)>,
    renewed: Instant,
}

impl Heart {
    fn pause(&self) -> Duration {
        lock(&self.common).view.pause()
    }

    fn beat(&mut self) -> Result<(), Problem> {
        let task = lock(&self.common).task;
        let is_idle = task.is_none();
        let is_due = |&(at, was_idle): &(Instant, bool)| at.elapsed() > BETWEEN_SIGNS || was_idle != is_idle;
        if self.signed.as_ref().is_none_or(is_due) {
            self.store.sign(&self.run, self.cores, is_idle)?;
            self.signed = Some((Instant::now(), is_idle));
        }
        if self.renewed.elapsed() >= self.store.lease / 4 {
            self.renewed = Instant::now();
            self.store.reap()?;
            if let Some((task, uid)) = task {
                self.store.renew(task, uid)?;
            }
        }
        let view = self.store.look(&self.run, task)?;
        let mut common = lock(&self.common);
        let is_same = common.task == task;
        common.view = View { is_gone: is_same && view.is_gone, ..view };
        Ok(())
    }
}

impl Store {
    /// Says that this worker is there.
    pub(crate) fn sign(&mut self, run: &Run, cores: i32, is_idle: bool) -> Result<(), Problem> {
        // No row if the run is gone.
        let sql = "INSERT INTO mazurka_worker AS w (run, worker, cores, idle)
                   SELECT run, $2, $3, $4 FROM mazurka_run WHERE run = $1
                   ON CONFLICT (run, worker) DO UPDATE SET idle = $4, seen = clock_timestamp()";
        let owner = self.owner.0.clone();
        self.with(|client| client.execute(sql, &[&run.run, &owner, &cores, &is_idle]))?;
        Ok(())
    }

    /// This worker goes.
    pub(crate) fn sign_off(&mut self, run: &Run) -> Result<(), Problem> {
        let owner = self.owner.0.clone();
        let sql = "DELETE FROM mazurka_worker WHERE run = $1 AND worker = $2";
        self.with(|client| client.execute(sql, &[&run.run, &owner]))?;
        Ok(())
    }

    fn renew(&mut self, task: i64, uid: i64) -> Result<(), Problem> {
        let sql = "UPDATE mazurka_task SET lease_until = clock_timestamp() + make_interval(secs => $4)
                   WHERE task = $1 AND uid = $2 AND owner = $3";
        let (owner, lease) = (self.owner.0.clone(), self.lease.as_secs_f64());
        self.with(|client| client.execute(sql, &[&task, &uid, &owner, &lease]))?;
        Ok(())
    }

    fn look(&mut self, run: &Run, task: Option<(i64, i64)>) -> Result<View, Problem> {
        let sql = format!(
            "SELECT r.state, r.version,
               (SELECT count(*) FROM (SELECT 1 FROM mazurka_task t WHERE t.run = $1 AND t.version = r.version
                                      AND t.owner IS NULL LIMIT {MOST_READY}) q) AS ready,
               w.idle, w.busy,
               $2::bigint IS NOT NULL
                 AND NOT EXISTS (SELECT 1 FROM mazurka_task WHERE task = $2 AND uid = $3) AS is_gone
             FROM mazurka_run r,
               (SELECT count(*) FILTER (WHERE idle) AS idle, count(*) FILTER (WHERE NOT idle) AS busy FROM mazurka_worker
                WHERE run = $1 AND seen > clock_timestamp() - make_interval(secs => $4)) w
             WHERE r.run = $1"
        );
        let (task, uid) = (task.map(|task| task.0), task.map(|task| task.1));
        let recent = 3.0 * BETWEEN_SIGNS.as_secs_f64();
        let row = self.with(|client| client.query_opt(&sql, &[&run.run, &task, &uid, &recent]))?;
        let Some(row) = row else { return Ok(View { run: None, ready: 0, idle: 0, busy: 1, is_gone: true }) };
        let state: String = row.get("state");
        Ok(View {
            run: Some((state.parse()?, row.get("version"))),
            ready: row.get("ready"),
            idle: row.get("idle"),
            busy: row.get("busy"),
            is_gone: row.get("is_gone"),
        })
    }
}
