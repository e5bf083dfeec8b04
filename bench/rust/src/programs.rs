// The programs of measurements.md, for every tool that has std's names: `tool` is the tool's crate, where the module is
// included, and `LOAD` and `STORE` are the memory orders.

use super::tool::sync::atomic::AtomicUsize;
use super::tool::sync::{Mutex, mpsc};
use super::tool::thread;
use super::{LOAD, STORE};
// For all tools: loom would count clones and drops of its own.
use std::sync::Arc;

/// A writer of x, and readers that read a variable of their own and x.
pub fn readers(n: usize) {
    let x = Arc::new(AtomicUsize::new(0));
    let own: Arc<Vec<AtomicUsize>> = Arc::new((0..n).map(|_| AtomicUsize::new(0)).collect());
    let writer = x.clone();
    let mut threads = vec![thread::spawn(move || writer.store(1, STORE))];
    for i in 0..n {
        let (x, own) = (x.clone(), own.clone());
        threads.push(thread::spawn(move || {
            own[i].load(LOAD);
            x.load(LOAD);
        }));
    }
    join(threads);
}

/// Writers in a chain, and a reader that looks for the last zero.
pub fn lastzero(n: usize) {
    let a: Arc<Vec<AtomicUsize>> = Arc::new((0..=n).map(|_| AtomicUsize::new(0)).collect());
    let b = a.clone();
    let mut threads = vec![thread::spawn(move || {
        let mut i = n;
        while i > 0 && b[i].load(LOAD) != 0 {
            i -= 1;
        }
    })];
    for j in 1..=n {
        let a = a.clone();
        threads.push(thread::spawn(move || a[j].store(a[j - 1].load(LOAD) + 1, STORE)));
    }
    join(threads);
}

/// i += j against j += i, two accesses a round.
pub fn fib(rounds: usize) {
    let pair = Arc::new([AtomicUsize::new(1), AtomicUsize::new(1)]);
    let add = |to: usize| {
        let pair = pair.clone();
        thread::spawn(move || {
            let mut own = 1;
            for _ in 0..rounds {
                own += pair[1 - to].load(LOAD);
                pair[to].store(own, STORE);
            }
        })
    };
    join(vec![add(0), add(1)]);
}

/// Writers of one variable.
pub fn lastwrite(n: usize) {
    let x = Arc::new(AtomicUsize::new(0));
    let write = |i| {
        let x = x.clone();
        thread::spawn(move || x.store(i, STORE))
    };
    join((0..n).map(write).collect());
    x.load(LOAD);
}

/// A counter under a mutex.
pub fn counter(n: usize) {
    let count = Arc::new(Mutex::new(0));
    let add = |_| {
        let count = count.clone();
        thread::spawn(move || *count.lock().unwrap() += 1)
    };
    join((0..n).map(add).collect());
    assert_eq!(*count.lock().unwrap(), n);
}

/// Senders of one message each, and a receiver of all of them.
pub fn channel(n: usize) {
    let (sender, receiver) = mpsc::channel();
    let send = |i| {
        let sender = sender.clone();
        thread::spawn(move || sender.send(i).unwrap())
    };
    let threads = (0..n).map(send).collect();
    let sum: usize = (0..n).map(|_| receiver.recv().unwrap()).sum();
    assert_eq!(sum, n * (n - 1) / 2);
    join(threads);
}

/// Two threads with many accesses of their own, and two of a shared variable.
pub fn length(n: usize) {
    let own = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let shared = Arc::new(AtomicUsize::new(0));
    let work = |i: usize| {
        let (own, shared) = (own.clone(), shared.clone());
        thread::spawn(move || {
            for k in 0..n / 2 {
                own[i].store(k, STORE);
                own[i].load(LOAD);
            }
            shared.store(i, STORE);
            shared.load(LOAD);
        })
    };
    join((0..2).map(work).collect());
}

fn join<T>(threads: Vec<thread::JoinHandle<T>>) {
    for thread in threads {
        thread.join().unwrap_or_else(|_| panic!("a thread panicked"));
    }
}
