//! Abdulla, Aronis, Jonsson, Sagonas: Source Sets: A Foundation for Optimal Dynamic Partial Order Reduction, JACM 2017.

use super::{Entry, Source, parameter};
use crate::builder::{Builder, Objects, Operand, ThreadBuilder};
use crate::sketch::Local;

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        name: "readers",
        parameters: &[parameter("n", "number of readers", 3, 0, 4096)],
        description: "One writer of x, and readers that first look at a variable of their own.",
        citation: "JACM'17, Table 1",
        classes: "2^n",
        source: Source::Rust(|p, args| readers(p, args[0])),
    },
    Entry {
        name: "lastzero",
        parameters: &[parameter("n", "number of writers", 3, 1, 4096)],
        description: "Writers make each element of an array one more than the one before; a reader looks for the last zero.",
        citation: "JACM'17, Fig. 7 and Table 1; CAV'24, Table 1",
        classes: "(n+3)·2^(n-2)",
        source: Source::Rust(|p, args| lastzero(p, args[0])),
    },
    Entry {
        name: "indexer",
        parameters: &[parameter("threads", "number of threads", 12, 1, 32)],
        description: "Threads insert four messages each into a hash table of 128 places; the first collisions are at 12.",
        citation: "Flanagan and Godefroid, POPL'05; JACM'17, Table 1; CAV'24, Table 1",
        classes: "1 up to 11 threads, then 8^(threads-11)",
        source: Source::Rust(|p, args| indexer(p, args[0])),
    },
    Entry {
        name: "filesystem",
        parameters: &[parameter("threads", "number of threads", 14, 1, 26)],
        description: "Threads allocate a block of 26 for an inode of 32; the first two that meet are at 14.",
        citation: "Flanagan and Godefroid, POPL'05; JACM'17, Table 1; CAV'24, Table 1",
        classes: "1 up to 13 threads, then 2^(threads-13)",
        source: Source::Rust(|p, args| filesystem(p, args[0])),
    },
    Entry {
        name: "control_flow",
        parameters: &[],
        description: "Four threads whose later steps depend on what they read.",
        citation: "JACM'17, Fig. 2",
        classes: "5",
        source: Source::Rust(|p, _| control_flow(p)),
    },
    Entry {
        name: "linexp",
        parameters: &[parameter("n", "number of groups", 3, 1, 256)],
        description: "Linearly many classes, on which source-DPOR explores exponentially many.",
        citation: "JACM'17, Fig. 10",
        classes: "4n+1",
        source: Source::Rust(|p, args| linexp(p, args[0])),
    },
    Entry {
        name: "wakeup_stress",
        parameters: &[parameter("n", "number of threads between the first and the last", 3, 1, 64)],
        description: "A race whose reversal needs a wakeup tree with all orders of the threads in between.",
        citation: "JACM'17, Fig. 12",
        classes: "2·n!",
        source: Source::Rust(|p, args| wakeup_stress(p, args[0])),
    },
    Entry {
        name: "awaiting",
        parameters: &[],
        description: "Three additions that commute unless the awaiting thread comes between.",
        citation: "like JACM'17, Fig. 9",
        classes: "2",
        source: Source::Rust(|p, _| awaiting(p)),
    },
];

fn readers(p: &mut Builder, n: i64) {
    let x = p.variable("x");
    let loc = p.variables("loc", n);
    p.thread("writer", |t| t.write(x, 1));
    for i in 0..n {
        p.thread(format!("reader[{i}]"), |t| {
            t.look(loc.at(i));
            t.look(x);
        });
    }
}

fn lastzero(p: &mut Builder, n: i64) {
    let a = p.variables("a", n + 1);
    p.thread("reader", |t| {
        let i = t.local("i", n);
        t.repeat(|t| {
            t.break_if(i.at_most(0));
            let v = t.read(a.at(i));
            t.break_if(v.is(0));
            t.set(i, i - 1);
        });
    });
    for j in 1..=n {
        p.thread(format!("writer[{j}]"), |t| {
            let v = t.read(a.at(j - 1));
            t.write(a.at(j), v + 1);
        });
    }
}

fn indexer(p: &mut Builder, threads: i64) {
    let (size, max) = (128, 4);
    let table = p.variables("table", size);
    for tid in 0..threads {
        p.thread(format!("thread[{tid}]"), |t| {
            let m = t.local("m", 1);
            t.repeat(|t| {
                t.break_if(m.more(max));
                let w = t.local("w", m * 11 + tid);
                let h = t.local("h", (w * 7) % size);
                t.repeat(|t| {
                    let found = t.compare_exchange(table.at(h), 0, w);
                    t.break_if(found.is(0));
                    t.set(h, (h + 1) % size);
                });
                t.set(m, m + 1);
            });
        });
    }
}

fn filesystem(p: &mut Builder, threads: i64) {
    let (inodes, blocks) = (32, 26);
    let locki = p.mutexes("locki", inodes);
    let lockb = p.mutexes("lockb", blocks);
    let inode = p.variables("inode", inodes);
    let busy = p.variables("busy", blocks);
    for tid in 0..threads {
        p.thread(format!("thread[{tid}]"), |t| {
            let i = tid % inodes;
            t.lock(locki.at(i));
            let v = t.read(inode.at(i));
            t.when(v.is(0), |t| {
                let b = t.local("b", (i * 2) % blocks);
                t.repeat(|t| {
                    t.lock(lockb.at(b));
                    let taken = t.read(busy.at(b));
                    t.when(taken.is(0), |t| {
                        t.write(busy.at(b), 1);
                        t.write(inode.at(i), b + 1);
                        t.unlock(lockb.at(b));
                        t.break_now();
                    });
                    t.unlock(lockb.at(b));
                    t.set(b, (b + 1) % blocks);
                });
            });
            t.unlock(locki.at(i));
        });
    }
}

/// The variables of the groups that `control_flow` has one of and `linexp` many.
#[derive(Clone, Copy)]
struct Groups {
    x: Objects,
    y: Objects,
    z: Objects,
}

impl Groups {
    fn declare(p: &mut Builder, n: i64) -> Self {
        Groups { x: p.variables("x", n + 1), y: p.variables("y", n + 1), z: p.variables("z", n + 1) }
    }

    fn q(self, t: &mut ThreadBuilder, i: Local) {
        t.write(self.y.at(i), 1);
    }

    fn r(self, t: &mut ThreadBuilder, i: Local) {
        let m = t.read(self.y.at(i));
        t.when(m.is(0), |t| t.write(self.z.at(i), 1));
    }

    fn s(self, t: &mut ThreadBuilder, i: Local) {
        let n = t.read(self.z.at(i));
        t.when(n.is(1), |t| {
            let l = t.read(self.y.at(i));
            t.when(l.is(0), |t| t.write(self.x.at(i), 1));
        });
    }
}

fn control_flow(p: &mut Builder) {
    let (x, y, z) = (p.variable("x"), p.variable("y"), p.variable("z"));
    p.thread("p", |t| t.look(x));
    p.thread("q", |t| t.write(y, 1));
    p.thread("r", |t| {
        let m = t.read(y);
        t.when(m.is(0), |t| t.write(z, 1));
    });
    p.thread("s", |t| {
        let n = t.read(z);
        t.when(n.is(1), |t| {
            let l = t.read(y);
            t.when(l.is(0), |t| t.write(x, 1));
        });
    });
}

fn linexp(p: &mut Builder, n: i64) {
    let groups = Groups::declare(p, n);
    let q = p.template("q", ["i"], |t, [i]| groups.q(t, i));
    let r = p.template("r", ["i"], |t, [i]| groups.r(t, i));
    let s = p.template("s", ["i"], |t, [i]| groups.s(t, i));
    for i in (1..=n).rev() {
        p.thread(format!("p[{i}]"), |t| {
            let l = t.read(groups.x.at(i));
            if i < n {
                t.when(l.is(1), |t| {
                    for template in [q, r, s] {
                        t.spawn(template, [(i + 1).into()]);
                    }
                });
            }
        });
    }
    for (name, write) in [("q", Groups::q as fn(Groups, &mut ThreadBuilder, Local)), ("r", Groups::r), ("s", Groups::s)]
    {
        p.thread(format!("{name}[1]"), |t| {
            let i = t.local("i", 1);
            write(groups, t, i);
        });
    }
}

fn wakeup_stress(p: &mut Builder, n: i64) {
    let (x, y) = (p.variable("x"), p.variable("y"));
    p.thread("first", |t| t.write(x, 1));
    let others: Vec<_> = (1..=n).map(|i| p.thread(format!("other[{i}]"), |t| t.write(y, i))).collect();
    p.thread("last", |t| {
        for other in others {
            t.join(other);
        }
        t.write(x, 2);
    });
}

fn awaiting(p: &mut Builder) {
    let x = p.variable("x");
    for (name, by) in [("p", 2), ("q", 2), ("r", 1)] {
        p.thread(name, |t| t.add(x, by));
    }
    p.thread("s", |t| t.await_equal(x, 1));
}
