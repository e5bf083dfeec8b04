//! Rust tests on a cluster: processes that run the same test work on one search, and all come to what one machine comes to.

#[path = "../../cluster/tests/common/server.rs"]
mod server;

use explore::Shareable;
use mazurka::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use mazurka::sync::{Arc, Barrier, Mutex};
use mazurka::{Checker, Report, thread};
use server::Server;
use std::process::{Command, Output, Stdio};

/// Set in the processes that tests start: which of the bodies below is checked.
const BODY: &str = "MAZURKA_TEST_BODY";

const BODIES: [(&str, fn()); 4] =
    [("counting", counting), ("pointers", pointers), ("lessons", lessons), ("losing", losing)];

/// For `bench/cluster.sh`: 3,456,000 classes. Additions that nobody knows the results of would commute.
fn heavy() {
    let counts: Arc<[AtomicUsize; 4]> = Arc::default();
    let threads: Vec<_> = (0..5)
        .map(|thread| {
            let counts = counts.clone();
            // The last one is of two threads only.
            let mine = if thread < 2 { 4 } else { 3 };
            thread::spawn(move || {
                counts[..mine].iter().map(|count| count.fetch_add(1, Ordering::SeqCst)).sum::<usize>()
            })
        })
        .collect();
    let sum: usize = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    assert_eq!(sum, 31);
}

/// So many executions that several processes get some of them.
fn counting() {
    let counts: Arc<[AtomicUsize; 3]> = Arc::default();
    let threads: Vec<_> = (0..4)
        .map(|n| {
            let counts = counts.clone();
            thread::spawn(move || {
                counts[n % 3].fetch_add(1, Ordering::SeqCst);
                counts[(n + 1) % 3].store(n, Ordering::SeqCst);
                counts[(n + 2) % 3].load(Ordering::SeqCst)
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| drop(thread.join()));
}

/// Values that stand for pointers, which every process has at other addresses.
fn pointers() {
    // Of a size that nothing else has.
    let mut first = Box::new([0usize; 9]);
    let shared = Arc::new(AtomicPtr::new(&raw mut *first));
    let threads: Vec<_> = (1..4)
        .map(|n: usize| {
            let shared = shared.clone();
            thread::spawn(move || {
                let mut own = Box::new([n; 9]);
                let old = shared.swap(&raw mut *own, Ordering::SeqCst);
                let _ = shared.compare_exchange(&raw mut *own, old, Ordering::SeqCst, Ordering::SeqCst);
                // Nothing else may come to be where it is.
                own
            })
        })
        .collect();
    let _kept: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
}

/// Asks for ends, and who came last, only where a race goes one way: what is learnt, is learnt late.
fn lessons() {
    let (turn, barrier) = (Arc::new(Mutex::new(0)), Arc::new(Barrier::new(2)));
    let other = {
        let (turn, barrier) = (turn.clone(), barrier.clone());
        thread::spawn(move || {
            *turn.lock().unwrap() += 1;
            *turn.lock().unwrap() *= 2;
            barrier.wait();
        })
    };
    let seen = *turn.lock().unwrap();
    let is_leader = barrier.wait();
    if seen == 1 {
        let _ = (is_leader.is_leader(), other.is_finished());
    }
    drop(other.join());
}

fn losing() {
    let count = Arc::new(AtomicUsize::new(0));
    let threads: Vec<_> = (0..3)
        .map(|_| {
            let count = count.clone();
            thread::spawn(move || {
                let seen = count.load(Ordering::SeqCst);
                count.store(seen + 1, Ordering::SeqCst);
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(count.load(Ordering::SeqCst), 3, "an update is lost");
}

fn words(report: &Report) -> String {
    let findings: Vec<String> = report.findings.iter().map(|f| format!("{} {}", f.headline, f.schedule)).collect();
    let tally = &report.tally;
    format!("told: {:?} {} {findings:?}", (tally.executions(), tally.failed), report.exhaustive)
}

fn alone(body: fn()) -> String {
    words(&Checker::new().bug_first(false).keep_going().algorithm("pop").check(body))
}

/// No test by itself: what the others start as processes of their own.
#[test]
fn checked() {
    let Ok(name) = std::env::var(BODY) else { return };
    let (_, body) = BODIES
        .iter()
        .chain(&WEAK_BODIES)
        .chain(&[("heavy", heavy as fn())])
        .find(|(other, _)| *other == name)
        .expect("one of them");
    println!("{}", words(&Checker::from_env().keep_going().check(*body)));
}

fn start(url: &str, body: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["checked", "--exact", "--nocapture"]).env(BODY, body).env("MAZURKA_CLUSTER", url);
    command.env("MAZURKA_WORKERS", "1").stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn told(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    let told = text.lines().find_map(|line| line.find("told: ").map(|place| line[place..].to_owned()));
    told.unwrap_or_else(|| panic!("{text}\n{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn processes_with_the_same_test_come_to_what_one_comes_to() {
    let Some(server) = Server::start("rust") else { return };
    let url = server.url("public");
    for (name, body) in BODIES {
        let processes = [(); 3].map(|()| start(&url, name).spawn().expect("a process"));
        let expected = alone(body);
        for process in processes {
            assert_eq!(told(&process.wait_with_output().expect("its output")), expected, "{name}");
        }
    }
    // A process that comes when the run is over starts another one.
    let mut store = cluster::Store::open(&url, cluster::Owner::here()).expect("a store");
    let runs = cluster::status(&mut store).expect("a status");
    assert!(runs.len() < 3 * BODIES.len() && runs.iter().any(|run| run.version > 0), "{runs:?}");
}

/// What only weaker orders allow, with loops that wait; three processes, each with its own addresses.
const WEAK_BODIES: [(&str, fn()); 3] = [("relaxed", relaxed), ("spinning", spinning), ("passing", passing)];

/// Some thousand graphs.
fn relaxed() {
    let counts: Arc<[AtomicUsize; 2]> = Arc::default();
    let threads: Vec<_> = (0..3)
        .map(|n| {
            let counts = counts.clone();
            thread::spawn(move || {
                counts[n % 2].store(n + 1, Ordering::Relaxed);
                counts[(n + 1) % 2].fetch_add(1, Ordering::Relaxed);
                counts[n % 2].load(Ordering::Relaxed)
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| drop(thread.join()));
}

/// Two threads that wait for a third, in loops of their own.
fn spinning() {
    let state: Arc<[AtomicUsize; 3]> = Arc::default();
    let waiting: Vec<_> = (0..2)
        .map(|n| {
            let state = state.clone();
            thread::spawn(move || {
                while state[0].load(Ordering::Acquire) == 0 {
                    mazurka::hint::spin_loop();
                }
                state[1].fetch_add(n + 1, Ordering::Relaxed);
                state[2].load(Ordering::Relaxed)
            })
        })
        .collect();
    state[2].store(1, Ordering::Relaxed);
    state[0].store(1, Ordering::Release);
    state[2].store(2, Ordering::Relaxed);
    waiting.into_iter().for_each(|thread| drop(thread.join()));
}

/// A message is passed on without an order.
fn passing() {
    let state: Arc<[AtomicUsize; 3]> = Arc::default();
    let other = {
        let state = state.clone();
        thread::spawn(move || {
            state[0].store(1, Ordering::Relaxed);
            state[1].store(1, Ordering::Relaxed);
            state[2].fetch_add(1, Ordering::Relaxed);
        })
    };
    state[2].fetch_add(1, Ordering::Relaxed);
    if state[1].load(Ordering::Relaxed) == 1 {
        assert_eq!(state[0].load(Ordering::Relaxed), 1, "a message is lost");
    }
    drop(other.join());
}

#[test]
fn tests_under_a_memory_model_come_to_what_one_process_comes_to() {
    let Some(server) = Server::start("weak") else { return };
    let url = server.url("public");
    for (name, body) in WEAK_BODIES {
        let processes = [(); 3].map(|()| start(&url, name).env("MAZURKA_MEMORY", "rc11").spawn().expect("a process"));
        let expected = words(&Checker::new().keep_going().memory("rc11").workers(1).check(body));
        for process in processes {
            assert_eq!(told(&process.wait_with_output().expect("its output")), expected, "{name}");
        }
    }
    let mut store = cluster::Store::open(&url, cluster::Owner::here()).expect("a store");
    let runs = cluster::status(&mut store).expect("a status");
    assert!(runs.len() >= WEAK_BODIES.len() && runs.len() < 3 * WEAK_BODIES.len(), "{runs:?}");
}

#[test]
fn a_run_of_another_binary_is_refused_by_name() {
    let Some(server) = Server::start("other") else { return };
    let url = server.url("public");
    let mut store = cluster::Store::open(&url, cluster::Owner::this("test")).expect("a store");
    let settings = explore::Settings { keep_going: true, loops: explore::LoopRules::NONE, ..Default::default() };
    let pop = explore::algorithm("pop").expect("an algorithm");
    let front_end = vec!["checked".to_owned(), "0".to_owned()];
    let search = explore::Interleavings::new(pop, settings.clone());
    let run = store.create(&cluster::NewRun {
        kind: "rust".to_owned(),
        name: "checked".to_owned(),
        digest: cluster::digest(b"another binary"),
        program: Vec::new(),
        config: cluster::Config::new(pop, &settings, front_end).expect("it has tasks"),
        whole: search.whole(),
        lessons: search.first_lessons(),
        known: String::new(),
        threads: Vec::new(),
    });
    let run = run.expect("a run").run.to_string();
    let output = start(&url, "counting").env("MAZURKA_CLUSTER_RUN", run).output().expect("its output");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains("has the digest"), "{text}");
}
