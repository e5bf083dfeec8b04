//! Loops that wait or retry.
#![allow(unsafe_code)]
use mazurka::sync::Arc;
use mazurka::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering::SeqCst};
use mazurka::thread;
use mazurka::Checker;

fn counts(name: &str, body: impl Fn() + Sync + Send + 'static) {
    if std::env::var("ROW").is_ok_and(|row| row != name) {
        return;
    }
    let body = std::sync::Arc::new(body);
    for algorithm in ["optimal", "pop"] {
        let body = body.clone();
        let started = std::time::Instant::now();
        let report = Checker::new()
            .algorithm(algorithm)
            .workers(1)
            .bug_first(false)
            .max_executions(200_000)
            .keep_going()
            .check(move || body());
        println!("{name} {algorithm}: {} {:?}\n{}", report.executions(), started.elapsed(), report);
    }
}

fn crowd(n: usize, f: impl Fn(usize) + Send + Sync + 'static) {
    let f = Arc::new(f);
    let threads: Vec<_> = (0..n)
        .map(|i| {
            let f = f.clone();
            thread::spawn(move || f(i))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

#[test]
fn table() {
    for n in 2..=4 {
        counts(&format!("exchange {n}"), move || {
            let l = Arc::new(AtomicBool::new(false));
            crowd(n, move |_| {
                while l.swap(true, SeqCst) {}
                l.store(false, SeqCst);
            });
        });
    }
    counts("cas 3", || {
        let l = Arc::new(AtomicBool::new(false));
        crowd(3, move |_| {
            while l.compare_exchange(false, true, SeqCst, SeqCst).is_err() {}
            l.store(false, SeqCst);
        });
    });
    counts("ttas 3", || {
        let l = Arc::new(AtomicBool::new(false));
        crowd(3, move |_| {
            loop {
                while l.load(SeqCst) {}
                if !l.swap(true, SeqCst) {
                    break;
                }
            }
            l.store(false, SeqCst);
        });
    });
    counts("retry 3", || {
        let x = Arc::new(AtomicUsize::new(0));
        crowd(3, move |_| {
            loop {
                let t = x.load(SeqCst);
                if x.compare_exchange(t, t + 1, SeqCst, SeqCst).is_ok() {
                    break;
                }
            }
        });
    });
    counts("fetch_update 3", || {
        let x = Arc::new(AtomicUsize::new(0));
        crowd(3, move |_| {
            x.fetch_update(SeqCst, SeqCst, |t| Some(t + 1)).unwrap();
        });
    });
    counts("ticket 4", || {
        let l = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
        crowd(4, move |_| {
            let mine = l.0.fetch_add(1, SeqCst);
            while l.1.load(SeqCst) != mine {}
            l.1.store(mine + 1, SeqCst);
        });
    });
    counts("treiber 2", || {
        struct Node {
            next: *mut Node,
        }
        let head = Arc::new(AtomicPtr::<Node>::new(std::ptr::null_mut()));
        crowd(2, move |_| {
            let node = Box::into_raw(Box::new(Node { next: std::ptr::null_mut() }));
            loop {
                let top = head.load(SeqCst);
                unsafe { (*node).next = top };
                if head.compare_exchange(top, node, SeqCst, SeqCst).is_ok() {
                    break;
                }
            }
            loop {
                let top = head.load(SeqCst);
                if top.is_null() {
                    break;
                }
                let next = unsafe { (*top).next };
                if head.compare_exchange(top, next, SeqCst, SeqCst).is_ok() {
                    break;
                }
            }
        });
    });
}
