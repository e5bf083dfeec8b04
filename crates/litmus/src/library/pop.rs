//! Abdulla, Atig, Das, Jonsson, Sagonas: Parsimonious Optimal Dynamic Partial Order Reduction, CAV 2024. Programs that are in
//! an earlier paper too are in that paper's file: indexer, filesystem, lastzero, dispatcher (disp), poke (pol).

use super::{Entry, Source, parameter};
use crate::builder::{Builder, Operand};

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        name: "circular_buffer",
        parameters: &[parameter("n", "rounds of each thread", 3, 0, 1024)],
        description: "A sender and a receiver, with one mutex around each round.",
        citation: "CAV'24, Table 1; SV-COMP",
        classes: "C(2n, n)",
        source: Source::Rust(|p, args| circular_buffer(p, args[0])),
    },
    Entry {
        name: "fib_bench",
        parameters: &[parameter("n", "rounds of each thread", 3, 0, 1024)],
        description: "One thread adds j to i, the other i to j, while main reads both. Called fib in TACAS'18.",
        citation: "CAV'24, Table 1; TACAS'18, Table 2; SV-COMP",
        classes: "n=4: 19605, n=5: 218243, n=6: 2364418",
        source: Source::Rust(|p, args| fib_bench(p, args[0])),
    },
    Entry {
        name: "linuxrwlocks",
        parameters: &[parameter("n", "rounds of each thread", 2, 0, 64)],
        description: "The write side of a reader-writer lock of Linux, tried by two threads.",
        citation: "CAV'24, Table 1; SATCheck; as defined here, every fetch-add counts as a write",
        classes: "C(4n, 2n) for n from 2",
        source: Source::Rust(|p, args| linuxrwlocks(p, args[0])),
    },
    Entry {
        name: "exp_mem3",
        parameters: &[parameter("n", "number of threads in the middle", 3, 1, 64)],
        description: "A race whose reversal makes Optimal-DPOR's wakeup trees grow exponentially.",
        citation: "CAV'24, Table 1",
        classes: "2·n!",
        source: Source::Rust(|p, args| exp_mem3(p, args[0])),
    },
    Entry {
        name: "length_param",
        parameters: &[
            parameter("threads", "number of threads", 2, 1, 16),
            parameter("n", "private stores and loads of each", 16, 0, 1 << 20),
        ],
        description: "Long private computations, then one store and one load of a shared variable.",
        citation: "CAV'24, Table 1",
        classes: "4 for 2 threads",
        source: Source::Rust(|p, args| length_param(p, args[0], args[1])),
    },
];

fn circular_buffer(p: &mut Builder, n: i64) {
    let m = p.mutex("m");
    let buffer = p.guarded_array("buffer", n.max(1), m);
    let (first, next) = (p.guarded("first", m), p.guarded("next", m));
    let (send, receive) = (p.guarded("sending", m), p.guarded("receiving", m));
    let seen = p.guarded("seen", m);
    p.thread("sender", |t| {
        t.times(n, |t| {
            t.section(m, |t| {
                let stopped = t.read(send);
                t.when(stopped.is(0), |t| {
                    let at = t.read(next);
                    t.write(buffer.at(at), at + 1);
                    t.write(next, (at + 1) % n);
                    t.write(send, 0);
                    t.write(receive, 1);
                });
            });
        });
    });
    p.thread("receiver", |t| {
        t.times(n, |t| {
            t.section(m, |t| {
                let ready = t.read(receive);
                t.when(ready.is(1), |t| {
                    let at = t.read(first);
                    let v = t.read(buffer.at(at));
                    t.write(seen, v);
                    t.write(first, (at + 1) % n);
                    t.write(receive, 0);
                    t.write(send, 0);
                });
            });
        });
    });
}

fn fib_bench(p: &mut Builder, n: i64) {
    let (i, j) = (p.variable_of("i", 1), p.variable_of("j", 1));
    let adder = |p: &mut Builder, name, to, from| {
        p.template(name, [], |t, []| {
            t.times(n, |t| {
                let a = t.read(to);
                let b = t.read(from);
                t.write(to, a + b);
            });
        })
    };
    let first = adder(p, "t1", i, j);
    let second = adder(p, "t2", j, i);
    p.thread("main", |t| {
        let (a, b) = (t.spawn(first, []), t.spawn(second, []));
        // As in SV-COMP's program, whose main looks at the sums while they grow.
        t.look(i);
        t.look(j);
        t.join(a);
        t.join(b);
    });
}

fn linuxrwlocks(p: &mut Builder, n: i64) {
    let bias = 0x0010_0000;
    let lock = p.variable_of("state", bias);
    let var = p.variable("data");
    for id in 1..=2 {
        p.thread(format!("thread[{id}]"), |t| {
            t.times(n, |t| {
                let before = t.fetch_add(lock, -bias);
                t.when_else(
                    before.is(bias),
                    |t| {
                        t.write(var, id);
                        let v = t.read(var);
                        t.assert(v.is(id), "two writers hold the lock");
                        t.fetch_add(lock, bias);
                    },
                    |t| {
                        t.fetch_add(lock, bias);
                    },
                );
            });
        });
    }
}

fn exp_mem3(p: &mut Builder, n: i64) {
    let (x, y) = (p.variable("x"), p.variable("y"));
    let writer = p.template("q", ["i"], |t, [i]| t.write(y, i));
    p.thread("p", |t| t.write(x, 1));
    p.thread("q", |t| {
        let writers: Vec<_> = (1..=n).map(|i| t.spawn(writer, [i.into()])).collect();
        for writer in writers {
            t.join(writer);
        }
        t.look(x);
    });
}

fn length_param(p: &mut Builder, threads: i64, n: i64) {
    let private = p.variables("private", threads);
    let shared = p.variable("shared");
    for i in 0..threads {
        p.thread(format!("thread[{i}]"), |t| {
            let k = t.local("k", 0);
            t.repeat(|t| {
                t.break_if(k.at_least(n));
                t.write(private.at(i), k);
                t.look(private.at(i));
                t.set(k, k + 1);
            });
            t.write(shared, i + 1);
            t.look(shared);
        });
    }
}
