//! Aronis, Jonsson, Lång, Sagonas: Optimal Dynamic Partial Order Reduction with Observers, TACAS 2018.

use super::{Entry, Source, parameter};
use crate::builder::{Builder, Operand};
use crate::sketch::{Expr, Selection};

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        name: "lastwrite",
        parameters: &[parameter("n", "number of writers", 3, 1, 64)],
        description: "Threads store to x; main joins them and reads x.",
        citation: "TACAS'18, Table 2",
        classes: "n!; with observers n",
        source: Source::Rust(|p, args| lastwrite(p, args[0])),
    },
    Entry {
        name: "floating_read",
        parameters: &[parameter("n", "number of writers", 3, 1, 64)],
        description: "Threads store to x, and one reads it at any time.",
        citation: "TACAS'18, Table 2",
        classes: "(n+1)!; with observers n·2^(n-1)+1",
        source: Source::Rust(|p, args| floating_read(p, args[0])),
    },
    Entry {
        name: "lamport",
        parameters: &[parameter("n", "number of threads", 2, 1, 16)],
        description: "Lamport's second fast mutual exclusion, one lock and unlock each; awaits are assumes.",
        citation: "TACAS'18, Table 2; Lamport, A Fast Mutual Exclusion Algorithm, TOCS 1987",
        classes: "n=2: 16 completed and 16 cut, n=3: 9216 and 11525",
        source: Source::Rust(|p, args| lamport(p, args[0])),
    },
    Entry {
        name: "not_selective",
        parameters: &[parameter("n", "number of senders", 3, 1, 64)],
        description: "Threads send a message each; the receiver takes any, as many times.",
        citation: "TACAS'18, Table 2",
        classes: "n!; with observers n!",
        source: Source::Rust(|p, args| not_selective(p, args[0], args[0])),
    },
    Entry {
        name: "one_receive",
        parameters: &[parameter("n", "number of senders", 3, 1, 64)],
        description: "Threads send a message each; the receiver takes one.",
        citation: "TACAS'18, Section 2",
        classes: "n!; with observers n",
        source: Source::Rust(|p, args| not_selective(p, args[0], 1)),
    },
    Entry {
        name: "selective",
        parameters: &[parameter("n", "number of senders", 3, 1, 64)],
        description: "Threads send a message each; the receiver takes that of the first, then of the second, and so on.",
        citation: "TACAS'18, Table 2",
        classes: "n!; with observers 1",
        source: Source::Rust(|p, args| selective(p, args[0])),
    },
    Entry {
        name: "lock",
        parameters: &[parameter("n", "number of workers", 3, 1, 32)],
        description: "Workers ask a lock server for the lock, wait until it is theirs, and give it back.",
        citation: "TACAS'18, Table 2 and Figure 3",
        classes: "n! times the n-th Catalan number; with observers n!",
        source: Source::Rust(|p, args| lock(p, args[0])),
    },
];

fn lastwrite(p: &mut Builder, n: i64) {
    let x = p.variable("x");
    let writer = p.template("writer", ["i"], |t, [i]| t.write(x, i));
    p.thread("main", |t| {
        let writers: Vec<_> = (1..=n).map(|i| t.spawn(writer, [i.into()])).collect();
        for writer in writers {
            t.join(writer);
        }
        t.look(x);
    });
}

fn floating_read(p: &mut Builder, n: i64) {
    let x = p.variable("x");
    for i in 1..=n {
        p.thread(format!("writer[{i}]"), |t| t.write(x, i));
    }
    p.thread("reader", |t| t.look(x));
}

/// Algorithm 2 of Lamport's paper. Where it goes back to the start, or waits, the run is cut instead: a run in which a
/// thread has to wait is equal, from there on, to one in which it came later.
fn lamport(p: &mut Builder, n: i64) {
    let (x, y) = (p.variable("x"), p.variable("y"));
    let b = p.variables("b", n + 1);
    let inside = p.variable("inside");
    for i in 1..=n {
        p.thread(format!("thread[{i}]"), |t| {
            t.repeat(|t| {
                t.write(b.at(i), 1);
                t.write(x, i);
                let taken = t.read(y);
                t.when(taken.differs(0), |t| {
                    t.write(b.at(i), 0);
                    let free = t.read(y);
                    t.assume(free.is(0));
                });
                t.when(taken.is(0), |t| {
                    t.write(y, i);
                    let mine = t.read(x);
                    t.break_if(mine.is(i));
                    t.write(b.at(i), 0);
                    for j in 1..=n {
                        let trying = t.read(b.at(j));
                        t.assume(trying.is(0));
                    }
                    let owner = t.read(y);
                    t.break_if(owner.is(i));
                    let free = t.read(y);
                    t.assume(Expr::from(free).is(0));
                });
            });
            t.write(inside, i);
            let seen = t.read(inside);
            t.assert(seen.is(i), "two threads are inside");
            t.write(y, 0);
            t.write(b.at(i), 0);
        });
    }
}

fn not_selective(p: &mut Builder, n: i64, receives: i64) {
    let mailbox = p.mailbox("inbox");
    for i in 1..=n {
        p.thread(format!("sender[{i}]"), |t| t.send(mailbox, 0, i));
    }
    p.thread("receiver", |t| {
        for _ in 0..receives {
            t.receive(mailbox, Selection::any());
        }
    });
}

fn selective(p: &mut Builder, n: i64) {
    let mailbox = p.mailbox("inbox");
    for i in 1..=n {
        p.thread(format!("sender[{i}]"), |t| t.send(mailbox, 0, i));
    }
    p.thread("receiver", |t| {
        for i in 1..=n {
            t.receive(mailbox, Selection::of_number(i));
        }
    });
}

fn lock(p: &mut Builder, n: i64) {
    const ACQUIRE: u8 = 0;
    const RELEASE: u8 = 1;
    const ACQUIRED: u8 = 2;
    let server = p.mailbox("requests");
    let worker = p.mailboxes("grants", n);
    p.thread("server", |t| {
        for _ in 0..n {
            let asking = t.receive(server, Selection::of_kind(ACQUIRE));
            t.send(worker.at(asking), ACQUIRED, 0);
            t.receive(server, Selection::of_kind(RELEASE));
        }
    });
    for i in 0..n {
        p.thread(format!("worker[{i}]"), |t| {
            t.send(server, ACQUIRE, i);
            t.receive(worker.at(i), Selection::of_kind(ACQUIRED));
            t.send(server, RELEASE, i);
        });
    }
}
