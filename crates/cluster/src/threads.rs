//! Ids of threads, the same on all machines: tasks are written in them, and `pop` orders threads by them.
//!
//! A worker that meets a thread for the first time asks for its id. The answer is on the server's disk before it is used, or
//! another thread could have the same one after the server lost its last transactions.

use crate::{Problem, Run, Store};
use model::{CommonThreads, Names, ThreadId, ThreadPath};
use std::fmt;
use std::sync::mpsc::{self, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// A question: a path, how many threads are known, and where the answer goes.
type Question = (ThreadPath, usize, SyncSender<Option<Vec<ThreadPath>>>);

/// Asks in a thread of its own: threads are met on stacks that have no room for a connection.
struct Asker(Mutex<Sender<Question>>);

impl fmt::Debug for Asker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Asker")
    }
}

impl CommonThreads for Asker {
    fn with(&self, new: &ThreadPath, known: usize) -> Option<Vec<ThreadPath>> {
        let (answer, answered) = mpsc::sync_channel(1);
        let question = (new.clone(), known, answer);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).send(question).ok()?;
        answered.recv().ok()?
    }
}

/// Gives threads the ids that the run has given them, now and from now on. Front ends without a registry agree on ids in
/// another way: what they learn of a program has its threads in it.
pub(crate) fn agree(store: &mut Store, run: &Run, names: &dyn Names) -> Result<(), Problem> {
    let Some(registry) = names.registry() else { return Ok(()) };
    let paths = store.threads(run, 0)?;
    for (id, path) in paths.iter().enumerate() {
        if registry.intern_path(path) != Some(ThreadId(id as u32)) {
            return Err(Problem::OtherProgram(format!("thread {path} is another one here")));
        }
    }
    let (ask, asked) = mpsc::channel::<Question>();
    let (mut store, run) = (store.another(), run.clone());
    let answer = move || {
        for (path, known, answer) in asked {
            // Whoever asked may have gone.
            let _ = answer.send(store.add_thread(&run, &path, known).ok());
        }
    };
    let spawned = thread::Builder::new().name("mazurka-threads".to_owned()).spawn(answer);
    spawned.map_err(|error| Problem::FrontEnd(format!("no thread to ask for ids: {error}")))?;
    registry.share(Arc::new(Asker(Mutex::new(ask))));
    Ok(())
}

impl Store {
    /// The paths of a run's threads from an id on.
    fn threads(&mut self, run: &Run, from: usize) -> Result<Vec<ThreadPath>, Problem> {
        let sql = "SELECT path FROM mazurka_thread WHERE run = $1 AND id >= $2 ORDER BY id";
        let rows = self.with(|client| client.query(sql, &[&run.run, &(from as i32)]))?;
        let damaged = |_| Problem::Damaged("the path of a thread cannot be read".to_owned());
        rows.iter().map(|row| row.get::<_, &str>(0).parse().map_err(damaged)).collect()
    }

    fn add_thread(&mut self, run: &Run, path: &ThreadPath, known: usize) -> Result<Vec<ThreadPath>, Problem> {
        let path = path.to_string();
        self.with(|client| {
            let mut transaction = client.transaction()?;
            transaction.batch_execute("SET LOCAL synchronous_commit = on")?;
            // One after the other.
            transaction.execute("SELECT 1 FROM mazurka_run WHERE run = $1 FOR NO KEY UPDATE", &[&run.run])?;
            transaction.execute(
                "INSERT INTO mazurka_thread SELECT $1, (SELECT count(*) FROM mazurka_thread WHERE run = $1), $2
                 FROM mazurka_run WHERE run = $1 ON CONFLICT (run, path) DO NOTHING",
                &[&run.run, &path],
            )?;
            transaction.commit()
        })?;
        self.threads(run, known)
    }
}
