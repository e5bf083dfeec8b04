//! Nothing is left of a run: neither of those that end nor of those that are given up.

use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka::sync::{Arc, Mutex, mpsc};
use mazurka::{Checker, thread};
use std::sync::atomic::AtomicI64;

/// Counts its instances.
struct Counted(&'static AtomicI64);

impl Counted {
    fn new(count: &'static AtomicI64) -> Self {
        count.fetch_add(1, SeqCst);
        Counted(count)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

/// How often this OS thread had to be given a page of memory, and how often it waited for something.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "a system call")]
fn faults_and_waits() -> (i64, i64) {
    // SAFETY: a plain system call into memory that is there.
    let usage = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_THREAD, &mut usage);
        usage
    };
    (usage.ru_minflt, usage.ru_nvcsw)
}

#[cfg(target_os = "linux")]
#[test]
fn the_system_has_nothing_to_do_once_a_search_runs() {
    use std::sync::Mutex;
    const RUNS_IN_ALL: i64 = 200_000;
    static COUNT: AtomicI64 = AtomicI64::new(0);
    static RUNS: AtomicI64 = AtomicI64::new(0);
    static USED: Mutex<Vec<(i64, i64)>> = Mutex::new(Vec::new());
    // What is asked for is said of one OS thread.
    Checker::new().workers(1).max_executions(RUNS_IN_ALL as u64).check(|| {
        if [RUNS_IN_ALL / 4, RUNS_IN_ALL].contains(&(RUNS.fetch_add(1, SeqCst) + 1)) {
            USED.lock().unwrap().push(faults_and_waits());
        }
        writers(&COUNT);
    });
    let used = USED.lock().unwrap();
    let [early, late] = used[..] else { panic!("not so many runs") };
    assert!(late.0 - early.0 < 100, "page faults: {} at first, {} in the end", early.0, late.0);
    assert_eq!(early.1, late.1, "waits");
}

/// Pages of memory that the process has.
fn resident_pages() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split_whitespace().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0)
}

fn writers(count: &'static AtomicI64) {
    let x = Arc::new(AtomicU32::new(0));
    for i in 0..6 {
        let (x, counted) = (x.clone(), Counted::new(count));
        thread::spawn(move || {
            let _counted = counted;
            x.store(i, SeqCst);
            x.store(i, SeqCst);
        });
    }
}

#[test]
fn a_million_runs_leave_nothing() {
    static COUNT: AtomicI64 = AtomicI64::new(0);
    Checker::new().max_executions(10_000).check(|| writers(&COUNT));
    let before = resident_pages();
    let report = Checker::new().max_executions(1_000_000).check(|| writers(&COUNT));
    assert_eq!(report.executions(), 1_000_000);
    assert_eq!(COUNT.load(SeqCst), 0);
    let grown = resident_pages().saturating_sub(before);
    assert!(grown < 1000, "{grown} pages more");
}

#[test]
fn runs_that_are_given_up_are_unwound() {
    static COUNT: AtomicI64 = AtomicI64::new(0);
    let report = Checker::new().keep_going().max_executions(20_000).check(|| {
        let locks = Arc::new([Mutex::new(()), Mutex::new(()), Mutex::new(())]);
        let (sender, receiver) = mpsc::channel();
        for i in 0..3 {
            let (locks, sender, counted) = (locks.clone(), sender.clone(), Counted::new(&COUNT));
            thread::spawn(move || {
                let _first = locks[i].lock().unwrap();
                let _second = locks[(i + 1) % 3].lock().unwrap();
                let _ = sender.send(counted);
            });
        }
        drop(sender);
        let _received: Vec<Counted> = receiver.iter().collect();
    });
    assert!(report.tally.deadlocked > 0, "{report}");
    assert_eq!(COUNT.load(SeqCst), 0);
}

#[test]
fn destructors_that_use_objects_run_when_a_run_is_given_up() {
    static COUNT: AtomicI64 = AtomicI64::new(0);
    struct Locks(Arc<Mutex<u32>>, #[allow(dead_code, reason = "dropped")] Counted);
    impl Drop for Locks {
        fn drop(&mut self) {
            *self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) += 1;
        }
    }
    let report = Checker::new().check(|| {
        let (free, held) = (Arc::new(Mutex::new(0)), Arc::new(Mutex::new(0)));
        let locks = Locks(free, Counted::new(&COUNT));
        let _held = held.lock().unwrap();
        let other = held.clone();
        let waits = thread::spawn(move || {
            let _locks = locks;
            drop(other.lock());
        });
        waits.join().unwrap();
    });
    assert_eq!(report.tally.deadlocked, 1);
    assert_eq!(COUNT.load(SeqCst), 0);
}

#[test]
fn two_checks_at_once_do_not_disturb_each_other() {
    static SHARED: AtomicU32 = AtomicU32::new(0);
    let check = || {
        let report = Checker::new().check(|| {
            for _ in 0..4 {
                thread::spawn(|| SHARED.fetch_add(1, SeqCst));
            }
            assert!(SHARED.load(SeqCst) <= 4);
        });
        assert!(report.is_proof(), "{report}");
        report.executions()
    };
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(move || (0..20).map(|_| check()).sum::<u64>())).collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), 20 * 120);
    }
}
