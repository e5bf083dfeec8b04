//! Threads that poll containers under a mutex, until there is something for them in it.

use mazurka::sync::{Arc, Mutex};
use mazurka::{Checker, FindingKind, Report, hint, thread};
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

const PAUSES: [fn(); 3] = [|| {}, hint::spin_loop, thread::yield_now];

/// Executions that completed, by `optimal` and by `pop`, which must be the same.
#[track_caller]
fn completed(program: impl Fn() + Clone + Send + Sync + 'static) -> u64 {
    let counts = ["optimal", "pop"].map(|algorithm| {
        let report = Checker::new().algorithm(algorithm).workers(1).bug_first(false).check(program.clone());
        assert!(report.is_proof(), "{report}");
        report.tally.completed
    });
    assert_eq!(counts[0], counts[1], "optimal and pop");
    counts[0]
}

/// As many threads take something each as are put in.
fn takers<Q: Default + Send + 'static>(
    number: usize,
    pause: fn(),
    puts: usize,
    put: fn(&mut Q, usize),
    take: fn(&mut Q) -> bool,
) {
    let all = Arc::new(Mutex::new(Q::default()));
    let taker = |_| {
        let all = all.clone();
        thread::spawn(move || {
            while !take(&mut all.lock().unwrap()) {
                pause();
            }
        })
    };
    let takers: Vec<_> = (0..number).map(taker).collect();
    (0..puts).for_each(|one| put(&mut all.lock().unwrap(), one));
    takers.into_iter().for_each(|taker| taker.join().unwrap());
}

type Job = Box<dyn FnOnce() -> usize + Send>;

/// Both takers come after both puts, or one of them in between: four orders.
#[test]
fn what_stays_of_pointers_in_containers_makes_no_difference() {
    for pause in PAUSES {
        let counts = [
            completed(move || {
                takers::<VecDeque<Arc<usize>>>(
                    2,
                    pause,
                    2,
                    |q, n| q.push_back(Arc::new(n)),
                    |q| q.pop_front().is_some(),
                )
            }),
            completed(move || {
                takers::<Vec<Box<usize>>>(2, pause, 2, |q, n| q.push(Box::new(n)), |q| q.pop().is_some())
            }),
            completed(move || takers::<Vec<String>>(2, pause, 2, |q, n| q.push(n.to_string()), |q| q.pop().is_some())),
            completed(move || {
                takers::<BinaryHeap<Box<usize>>>(2, pause, 2, |q, n| q.push(Box::new(n)), |q| q.pop().is_some())
            }),
            completed(move || {
                takers::<BTreeMap<usize, String>>(
                    2,
                    pause,
                    2,
                    |q, n| _ = q.insert(n, n.to_string()),
                    |q| q.pop_first().is_some(),
                );
            }),
            completed(move || {
                takers::<VecDeque<Job>>(
                    2,
                    pause,
                    2,
                    |q, n| q.push_back(Box::new(move || n)),
                    |q| q.pop_front().map(|job| job()).is_some(),
                );
            }),
        ];
        assert_eq!(counts, [4; 6]);
    }
}

/// Whoever looks, and takes nothing, does so after the first put: it comes before or after the second.
#[test]
fn one_who_polls_a_container_waits() {
    for pause in PAUSES {
        let one = move || takers::<Option<String>>(1, pause, 1, |q, n| *q = Some(n.to_string()), |q| q.is_some());
        let two = move || takers::<Vec<Box<usize>>>(1, pause, 2, |q, n| q.push(Box::new(n)), |q| !q.is_empty());
        assert_eq!((completed(one), completed(two)), (1, 2));
    }
}

/// What is taken is changed when the lock has been given back, while a pointer to it is left in the queue.
#[test]
fn what_was_taken_is_worked_on_without_the_lock() {
    for pause in PAUSES {
        crate::common::proved(move || {
            let jobs = Arc::new(Mutex::new(VecDeque::<Box<[usize; 4]>>::new()));
            let worker = |_| {
                let jobs = jobs.clone();
                thread::spawn(move || {
                    let mut job = loop {
                        let job = jobs.lock().unwrap().pop_front();
                        match job {
                            Some(job) => break job,
                            None => pause(),
                        }
                    };
                    job[1] = 7;
                    job[2] = jobs.lock().unwrap().len();
                    job[3] += job[2];
                    assert!(job[0] < 2 && job[3] < 2);
                })
            };
            let workers: Vec<_> = (0..2).map(worker).collect();
            (0..2).for_each(|number| jobs.lock().unwrap().push_back(Box::new([number, 0, 0, 0])));
            workers.into_iter().for_each(|worker| worker.join().unwrap());
        });
    }
}

fn is_livelock(report: &Report) -> bool {
    report.finding().is_some_and(|finding| finding.kind == FindingKind::Livelock)
}

#[test]
fn what_never_comes_is_waited_for_in_vain() {
    for (number, pause) in [1, 2].into_iter().flat_map(|number| PAUSES.map(|pause| (number, pause))) {
        let program = move || {
            takers::<VecDeque<Arc<usize>>>(
                number,
                pause,
                0,
                |q, n| q.push_back(Arc::new(n)),
                |q| q.pop_front().is_some(),
            );
        };
        let report = Checker::new().check(program);
        assert!(is_livelock(&report), "{report}");
    }
}

/// Each sees the middle of the other's rounds: it fails to take the lock while the other one looks.
#[test]
fn threads_that_try_a_lock_in_vain_are_stuck() {
    let report = Checker::new().check(|| {
        let flag = Arc::new(Mutex::new(false));
        let tries = |_| {
            let flag = flag.clone();
            thread::spawn(move || while !flag.try_lock().is_ok_and(|flag| *flag) {})
        };
        let all: Vec<_> = (0..2).map(tries).collect();
        all.into_iter().for_each(|thread| thread.join().unwrap());
    });
    assert!(is_livelock(&report), "{report}");
}

/// A thread that looks at two things, and chooses the one that does not change to wait for, has seen what the other one was when it looked,
/// not when it chose.
#[test]
fn what_is_waited_for_is_what_was_seen() {
    let report = Checker::new().algorithm("naive").max_executions(3000).check(|| {
        let all = Arc::new(Mutex::new(Vec::<Arc<Mutex<u32>>>::new()));
        let looker = |_| {
            let all = all.clone();
            thread::spawn(move || {
                loop {
                    let first = all.lock().unwrap().first().cloned();
                    if first.is_some_and(|first| *first.lock().unwrap() == 2) {
                        return;
                    }
                    hint::spin_loop();
                }
            })
        };
        let lookers: Vec<_> = (0..2).map(looker).collect();
        let value = Arc::new(Mutex::new(0));
        all.lock().unwrap().push(value.clone());
        *value.lock().unwrap() = 1;
        *value.lock().unwrap() = 2;
        lookers.into_iter().for_each(|looker| looker.join().unwrap());
    });
    assert_eq!(report.findings.len(), 0, "{report}");
}

/// What is behind the lock is changed by other means: nobody is stuck because of what it saw there before.
#[test]
fn what_changes_without_the_lock_is_looked_at_again() {
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
    let report = Checker::new().check(|| {
        let flag = std::sync::Arc::new(AtomicBool::new(false));
        let all = Arc::new(Mutex::new(vec![flag.clone()]));
        let theirs = all.clone();
        let looker = thread::spawn(move || while !theirs.lock().unwrap()[0].load(SeqCst) {});
        thread::yield_now();
        flag.store(true, SeqCst);
        looker.join().unwrap();
    });
    assert_eq!(report.findings.len(), 0, "{report}");
}
