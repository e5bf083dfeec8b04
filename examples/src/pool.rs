//! A thread pool with shutdown.

use crate::shim::sync::atomic::{AtomicU32, Ordering::SeqCst};
use crate::shim::sync::{Arc, Condvar, Mutex};
use crate::shim::thread::{self, JoinHandle};
use std::collections::VecDeque;

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    closed: bool,
}

struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

/// Workers that take jobs. With `BUG`, shutdown wakes one worker only.
pub struct Pool<const BUG: bool> {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

impl<const BUG: bool> Pool<BUG> {
    /// So many workers.
    pub fn new(workers: usize) -> Self {
        let shared = Arc::new(Shared { queue: Mutex::new(Queue::default()), changed: Condvar::new() });
        let worker = |_| {
            let shared = shared.clone();
            thread::spawn(move || shared.work())
        };
        Pool { workers: (0..workers).map(worker).collect(), shared }
    }

    /// Hands a job over.
    pub fn run(&self, job: impl FnOnce() + Send + 'static) {
        self.shared.queue.lock().unwrap().jobs.push_back(Box::new(job));
        self.shared.changed.notify_one();
    }

    /// Waits until all jobs are done.
    pub fn shutdown(self) {
        self.shared.queue.lock().unwrap().closed = true;
        if BUG {
            self.shared.changed.notify_one();
        } else {
            self.shared.changed.notify_all();
        }
        for worker in self.workers {
            worker.join().unwrap();
        }
    }
}

impl Shared {
    fn work(&self) {
        loop {
            let mut queue = self.queue.lock().unwrap();
            let job = loop {
                match queue.jobs.pop_front() {
                    Some(job) => break job,
                    None if queue.closed => return,
                    None => queue = self.changed.wait(queue).unwrap(),
                }
            };
            drop(queue);
            job();
        }
    }
}

/// Two workers, one job.
pub fn scenario<const BUG: bool>() {
    let done = Arc::new(AtomicU32::new(0));
    let pool = Pool::<BUG>::new(2);
    let theirs = done.clone();
    pool.run(move || {
        theirs.fetch_add(1, SeqCst);
    });
    pool.shutdown();
    assert_eq!(done.load(SeqCst), 1, "every job is done");
}
