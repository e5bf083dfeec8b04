//! Programs of the papers on source sets and on POP, written in Rust, have the counts of the papers' tables (`corpus/`).

use crate::common::classes;
use mazurka::sync::atomic::{AtomicU32, AtomicUsize, Ordering::SeqCst};
use mazurka::sync::{Arc, Mutex};
use mazurka::thread;

fn atomics(n: usize) -> Arc<Vec<AtomicUsize>> {
    Arc::new((0..n).map(|_| AtomicUsize::new(0)).collect())
}

fn readers(n: usize) {
    let x = Arc::new(AtomicUsize::new(0));
    let writer = x.clone();
    thread::spawn(move || writer.store(1, SeqCst));
    for _ in 0..n {
        let x = x.clone();
        thread::spawn(move || x.load(SeqCst));
    }
}

#[test]
fn readers_have_two_classes_each() {
    for n in [2, 3, 8] {
        classes(1 << n, move || readers(n));
    }
}

fn lastzero(n: usize) {
    let a = atomics(n + 1);
    let b = a.clone();
    thread::spawn(move || {
        let mut i = n;
        while i > 0 && b[i].load(SeqCst) != 0 {
            i -= 1;
        }
    });
    for j in 1..=n {
        let a = a.clone();
        thread::spawn(move || a[j].store(a[j - 1].load(SeqCst) + 1, SeqCst));
    }
}

#[test]
fn lastzero_has_as_many_as_the_paper_says() {
    for n in [2, 3, 5, 10] {
        classes((n as u64 + 3) << (n - 2), move || lastzero(n));
    }
}

fn fib(n: usize, join: bool) {
    let i = Arc::new(AtomicUsize::new(1));
    let j = Arc::new(AtomicUsize::new(1));
    let add = |to: &Arc<AtomicUsize>, from: &Arc<AtomicUsize>| {
        let (to, from) = (to.clone(), from.clone());
        thread::spawn(move || {
            for _ in 0..n {
                let sum = to.load(SeqCst) + from.load(SeqCst);
                to.store(sum, SeqCst);
            }
        })
    };
    for thread in [add(&i, &j), add(&j, &i)] {
        if join {
            thread.join().unwrap();
        }
    }
    i.load(SeqCst);
    j.load(SeqCst);
}

#[test]
fn fib_and_fib_bench_whose_main_thread_looks_without_joining() {
    classes(141, || fib(3, true));
    classes(1107, || fib(4, true));
    classes(19605, || fib(4, false));
}

fn indexer(threads: usize) {
    let table = atomics(128);
    for tid in 0..threads {
        let table = table.clone();
        thread::spawn(move || {
            for m in 1..=4 {
                let w = 11 * m + tid;
                let mut h = 7 * w % 128;
                while table[h].compare_exchange(0, w, SeqCst, SeqCst).is_err() {
                    h = (h + 1) % 128;
                }
            }
        });
    }
}

#[test]
fn indexer_collides_from_twelve_threads_on() {
    classes(1, || indexer(11));
    classes(8, || indexer(12));
    classes(64, || indexer(13));
}

fn filesystem(threads: usize) {
    let locki: Arc<Vec<Mutex<usize>>> = Arc::new((0..32).map(|_| Mutex::new(0)).collect());
    let lockb: Arc<Vec<Mutex<bool>>> = Arc::new((0..26).map(|_| Mutex::new(false)).collect());
    for tid in 0..threads {
        let (locki, lockb) = (locki.clone(), lockb.clone());
        thread::spawn(move || {
            let i = tid % 32;
            let mut inode = locki[i].lock().unwrap();
            if *inode == 0 {
                let mut b = 2 * i % 26;
                loop {
                    let mut busy = lockb[b].lock().unwrap();
                    if !*busy {
                        *busy = true;
                        *inode = b + 1;
                        break;
                    }
                    drop(busy);
                    b = (b + 1) % 26;
                }
            }
        });
    }
}

#[test]
fn filesystem_collides_from_fourteen_threads_on() {
    classes(1, || filesystem(13));
    classes(2, || filesystem(14));
    classes(8, || filesystem(16));
    classes(32, || filesystem(18));
}

fn circular_buffer(rounds: usize) {
    let buffer = Arc::new(Mutex::new((0u32, 0u32)));
    let sender = buffer.clone();
    thread::spawn(move || (0..rounds).for_each(|_| sender.lock().unwrap().0 += 1));
    thread::spawn(move || (0..rounds).for_each(|_| buffer.lock().unwrap().1 += 1));
}

#[test]
fn circular_buffer_is_a_choice_of_positions() {
    classes(70, || circular_buffer(4));
    classes(3432, || circular_buffer(7));
}

fn lastwrite(n: u32) {
    let x = Arc::new(AtomicU32::new(0));
    let threads: Vec<_> = (0..n)
        .map(|i| {
            let x = x.clone();
            thread::spawn(move || x.store(i, SeqCst))
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    x.load(SeqCst);
}

#[test]
fn lastwrite_is_every_order_of_the_writes() {
    classes(24, || lastwrite(4));
    classes(5040, || lastwrite(7));
}

fn linuxrwlocks(rounds: usize) {
    const BIAS: u32 = 0x0010_0000;
    let lock = Arc::new(AtomicU32::new(BIAS));
    let var = Arc::new(AtomicU32::new(0));
    for id in 1..=2 {
        let (lock, var) = (lock.clone(), var.clone());
        thread::spawn(move || {
            for _ in 0..rounds {
                if lock.fetch_sub(BIAS, SeqCst) == BIAS {
                    var.store(id, SeqCst);
                    assert_eq!(var.load(SeqCst), id);
                }
                // What it finds counts in the paper: additions that nobody looks at would commute.
                std::hint::black_box(lock.fetch_add(BIAS, SeqCst));
            }
        });
    }
}

#[test]
fn linuxrwlocks_is_a_choice_of_positions() {
    classes(70, || linuxrwlocks(2));
    classes(924, || linuxrwlocks(3));
}

fn exp_mem3(n: u32) {
    let x = Arc::new(AtomicU32::new(0));
    let y = Arc::new(AtomicU32::new(0));
    let writer = x.clone();
    thread::spawn(move || writer.store(1, SeqCst));
    thread::spawn(move || {
        let threads: Vec<_> = (0..n)
            .map(|i| {
                let y = y.clone();
                thread::spawn(move || y.store(i, SeqCst))
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        x.load(SeqCst);
    });
}

#[test]
fn exp_mem3_is_every_order_of_the_writes_twice() {
    classes(2 * 120, || exp_mem3(5));
}

fn length_param(threads: usize, n: usize) {
    let own = atomics(threads);
    let shared = Arc::new(AtomicUsize::new(0));
    for tid in 0..threads {
        let (own, shared) = (own.clone(), shared.clone());
        thread::spawn(move || {
            for i in 0..n {
                own[tid].store(i, SeqCst);
                own[tid].load(SeqCst);
            }
            shared.store(tid, SeqCst);
            shared.load(SeqCst);
        });
    }
}

#[test]
fn length_param_is_four_classes_however_long() {
    classes(4, || length_param(2, 1000));
}
