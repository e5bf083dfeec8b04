//! Small programs that show what the checker says: bugs of the usual sorts, and one program for each kind of object.

use super::{Entry, Source, parameter};
use crate::builder::{Builder, Operand};

const CITATION: &str = "Mazurka's own";

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        name: "lost_update",
        parameters: &[parameter("n", "number of threads", 2, 1, 64)],
        description: "BUG: threads increment x by a read and a write, and main asserts that no increment was lost.",
        citation: CITATION,
        classes: "",
        source: Source::Rust(|p, args| lost_update(p, args[0])),
    },
    Entry {
        name: "opposite_locks",
        parameters: &[],
        description: "BUG: two threads take two locks in opposite order, and can deadlock.",
        citation: CITATION,
        classes: "3, one of them a deadlock",
        source: Source::Text("mutex a, b; lock a; lock b; unlock b; unlock a | lock b; lock a; unlock a; unlock b"),
    },
    Entry {
        name: "lost_wakeup",
        parameters: &[],
        description: "BUG: a waiter looks at the flag before it takes the lock, and can miss the notification.",
        citation: CITATION,
        classes: "",
        source: Source::Text(
            "var ready; mutex m; condvar c; \
             waiter: r = ready; if r == 0 { lock m; wait c, m; unlock m } | \
             notifier: ready = 1; lock m; notify_one c; unlock m",
        ),
    },
    Entry {
        name: "philosophers",
        parameters: &[parameter("n", "number of philosophers", 3, 2, 64)],
        description: "BUG: dining philosophers that all take the left fork first can deadlock.",
        citation: "Dijkstra, EWD310",
        classes: "2^n-1, one of them a deadlock",
        source: Source::Rust(|p, args| philosophers(p, args[0])),
    },
    Entry {
        name: "phases",
        parameters: &[parameter("n", "number of threads", 2, 1, 16), parameter("phases", "number of phases", 2, 1, 16)],
        description: "Threads that write their element of an array, meet at a barrier, and read their neighbour's.",
        citation: CITATION,
        classes: "",
        source: Source::Rust(|p, args| phases(p, args[0], args[1])),
    },
    Entry {
        name: "bounded_buffer",
        parameters: &[
            parameter("items", "items handed over", 2, 1, 64),
            parameter("places", "places in the buffer", 1, 1, 64),
        ],
        description: "A producer and a consumer with two semaphores.",
        citation: CITATION,
        classes: "",
        source: Source::Rust(|p, args| bounded_buffer(p, args[0], args[1])),
    },
    Entry {
        name: "shared_table",
        parameters: &[parameter("readers", "number of readers", 2, 0, 16)],
        description: "Readers share a reader-writer lock while a writer changes two variables that must agree.",
        citation: CITATION,
        classes: "",
        source: Source::Rust(|p, args| shared_table(p, args[0])),
    },
];

fn lost_update(p: &mut Builder, n: i64) {
    let x = p.variable("x");
    let adder = p.template("adder", [], |t, []| {
        let v = t.read(x);
        t.write(x, v + 1);
    });
    p.thread("main", |t| {
        let adders: Vec<_> = (0..n).map(|_| t.spawn(adder, [])).collect();
        for adder in adders {
            t.join(adder);
        }
        let v = t.read(x);
        t.assert(v.is(n), "an update was lost");
    });
}

fn philosophers(p: &mut Builder, n: i64) {
    let fork = p.mutexes("fork", n);
    for i in 0..n {
        p.thread(format!("philosopher[{i}]"), |t| {
            let (left, right) = (i, (i + 1) % n);
            t.lock(fork.at(left));
            t.lock(fork.at(right));
            t.unlock(fork.at(right));
            t.unlock(fork.at(left));
        });
    }
}

fn phases(p: &mut Builder, n: i64, phases: i64) {
    let cell = p.variables("cell", n);
    let barrier = p.barrier("meeting", n as u32);
    for i in 0..n {
        p.thread(format!("thread[{i}]"), |t| {
            for phase in 1..=phases {
                t.write(cell.at(i), phase);
                t.meet(barrier);
                let v = t.read(cell.at((i + 1) % n));
                t.assert(v.is(phase), "a neighbour is in another phase");
                t.meet(barrier);
            }
        });
    }
}

fn bounded_buffer(p: &mut Builder, items: i64, places: i64) {
    let buffer = p.variables("buffer", places);
    let free = p.semaphore("free", places);
    let full = p.semaphore("full", 0);
    p.thread("producer", |t| {
        for item in 0..items {
            t.acquire(free);
            t.write(buffer.at(item % places), item + 1);
            t.release(full);
        }
    });
    p.thread("consumer", |t| {
        for item in 0..items {
            t.acquire(full);
            let v = t.read(buffer.at(item % places));
            t.assert(v.is(item + 1), "items come in another order");
            t.release(free);
        }
    });
}

fn shared_table(p: &mut Builder, readers: i64) {
    let lock = p.rwlock("table");
    let (a, b) = (p.variable("a"), p.variable("b"));
    p.thread("writer", |t| {
        t.write_lock(lock);
        t.write(a, 1);
        t.write(b, 1);
        t.write_unlock(lock);
    });
    for i in 0..readers {
        p.thread(format!("reader[{i}]"), |t| {
            t.read_lock(lock);
            let x = t.read(a);
            let y = t.read(b);
            t.read_unlock(lock);
            t.assert(x.is(y), "a reader saw a half-made change");
        });
    }
}
