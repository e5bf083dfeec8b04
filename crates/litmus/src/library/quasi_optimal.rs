//! Nguyen, Rodríguez, Sousa, Coti, Petrucci: Quasi-Optimal Partial Order Reduction, CAV 2018. A critical section is one
//! event on its mutex.

use super::{Entry, Source, parameter};
use crate::builder::{Builder, Operand};

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        name: "disp",
        parameters: &[parameter("servers", "number of servers", 3, 1, 64), parameter("requests", "requests", 2, 0, 64)],
        description: "A dispatcher hands each request to the server that a pick thread last named.",
        citation: "CAV'18, Table 1; CAV'24, Table 1 (dispatcher)",
        classes: "4s²+7s+2 for 2 requests and s from 2",
        source: Source::Rust(|p, args| disp(p, args[0], args[1])),
    },
    Entry {
        name: "mpat",
        parameters: &[parameter("k", "number of pairs", 3, 1, 64)],
        description: "Pairs of threads lock a mutex of their own; one of each pair under a common mutex.",
        citation: "CAV'18, Table 1",
        classes: "2^k·k!",
        source: Source::Rust(|p, args| mpat(p, args[0])),
    },
    Entry {
        name: "mpc",
        parameters: &[parameter("producers", "producers", 2, 1, 64), parameter("workers", "workers", 3, 1, 64)],
        description: "Producers change a common buffer twice, and hand a request to the worker that it then names.",
        citation: "CAV'18, Table 1",
        classes: "",
        source: Source::Rust(|p, args| mpc(p, args[0], args[1])),
    },
    Entry {
        name: "pi",
        parameters: &[parameter("threads", "number of threads", 3, 1, 64)],
        description: "Threads add to a sum under a mutex; main joins them.",
        citation: "CAV'18, Table 1",
        classes: "threads!",
        source: Source::Rust(|p, args| pi(p, args[0])),
    },
    Entry {
        name: "pol",
        parameters: &[parameter("n", "number of array writers", 3, 1, 64), parameter("rounds", "rounds", 2, 0, 64)],
        description: "Readers poll an element of an array that another thread keeps choosing.",
        citation: "CAV'18, Table 1; CAV'24, Table 1 (poke)",
        classes: "2n for 1 round, 4n²-n for 2",
        source: Source::Rust(|p, args| pol(p, args[0], args[1])),
    },
    Entry {
        name: "ssbexp",
        parameters: &[parameter("k", "number of array writers", 3, 1, 64)],
        description: "Exponentially many sleep-set blocked runs for source-DPOR, and only 2k classes.",
        citation: "CAV'18, Section 4",
        classes: "2k",
        source: Source::Rust(|p, args| ssbexp(p, args[0])),
    },
    Entry {
        name: "sections",
        parameters: &[parameter("n", "critical sections of each thread", 3, 0, 1024)],
        description: "Two threads with n critical sections each of one mutex.",
        citation: "CAV'18",
        classes: "C(2n, n)",
        source: Source::Rust(|p, args| sections(p, args[0])),
    },
];

fn disp(p: &mut Builder, servers: i64, requests: i64) {
    let k = p.mutex("k");
    let sid = p.guarded("sid", k);
    let srv = p.mutexes("srv", servers);
    let incoming = p.guarded_array("in", servers, srv);
    let outgoing = p.guarded_array("out", servers, srv);
    let server = p.template("server", ["x"], |t, [x]| {
        t.section(srv.at(x), |t| {
            let v = t.read(incoming.at(x));
            t.when(v.more(0), |t| t.write(outgoing.at(x), v));
        });
    });
    let pick = p.template("pick", [], |t, []| {
        for x in 0..servers {
            t.section(k, |t| t.write(sid, x));
        }
    });
    p.thread("main", |t| {
        for x in 0..servers {
            t.spawn(server, [x.into()]);
        }
        for _ in 0..requests {
            let picking = t.spawn(pick, []);
            let idx = t.section(k, |t| t.read(sid));
            t.section(srv.at(idx), |t| {
                let v = t.read(incoming.at(idx));
                t.write(incoming.at(idx), v + 1);
            });
            t.join(picking);
        }
    });
}

fn mpat(p: &mut Builder, k: i64) {
    let m = p.mutex("m");
    let a = p.mutexes("a", k);
    for i in 0..k {
        p.thread(format!("wa[{i}]"), |t| {
            t.lock(a.at(i));
            t.unlock(a.at(i));
        });
        p.thread(format!("ra[{i}]"), |t| {
            t.lock(m);
            t.lock(a.at(i));
            t.unlock(a.at(i));
            t.unlock(m);
        });
    }
}

fn mpc(p: &mut Builder, producers: i64, workers: i64) {
    let pm = p.mutex("pm");
    let buf = p.guarded("buf", pm);
    let mutexes = p.mutexes("mut", workers);
    let req = p.guarded_array("req", workers, mutexes);
    for i in 0..workers {
        p.thread(format!("worker[{i}]"), |t| {
            for _ in 0..2 {
                t.section(mutexes.at(i), |t| {
                    let v = t.read(req.at(i));
                    t.when(v.more(0), |t| t.write(req.at(i), v - 1));
                });
            }
        });
    }
    for i in 0..producers {
        p.thread(format!("producer[{i}]"), |t| {
            let d = t.local("d", 0);
            for _ in 0..2 {
                t.section(pm, |t| {
                    let v = t.read(buf);
                    // The original's buffer is an unsigned number of 32 bits.
                    t.set(d, (v * producers + i) % (1 << 32));
                    t.write(buf, d);
                });
            }
            t.set(d, d % workers);
            t.section(mutexes.at(d), |t| {
                let v = t.read(req.at(d));
                t.write(req.at(d), v + 1);
            });
        });
    }
}

fn pi(p: &mut Builder, threads: i64) {
    let m = p.mutex("m");
    let sum = p.guarded("sum", m);
    let worker = p.template("worker", ["mine"], |t, [mine]| {
        t.section(m, |t| {
            let v = t.read(sum);
            t.write(sum, v + mine);
        });
    });
    p.thread("main", |t| {
        let workers: Vec<_> = (0..threads).map(|i| t.spawn(worker, [i.into()])).collect();
        for worker in workers {
            t.join(worker);
        }
    });
}

fn pol(p: &mut Builder, n: i64, rounds: i64) {
    let ma = p.mutexes("ma", n);
    let a = p.guarded_array("a", n, ma);
    // The original counts in one variable; only one reader lives at a time, so where it counts makes no event.
    let d = p.guarded_array("d", n, ma);
    let mi = p.mutex("mi");
    let chosen = p.guarded("i", mi);
    let wa = p.template("wa", ["x"], |t, [x]| t.section(ma.at(x), |t| t.write(a.at(x), 1)));
    let choice = p.template("choice", [], |t, []| {
        for x in 1..n {
            t.section(mi, |t| t.write(chosen, x));
        }
    });
    let ra = p.template("ra", [], |t, []| {
        let idx = t.section(mi, |t| t.read(chosen));
        t.section(ma.at(idx), |t| {
            let v = t.read(a.at(idx));
            t.when(v.is(1), |t| {
                let count = t.read(d.at(idx));
                t.write(d.at(idx), count + 1);
                t.write(a.at(idx), 0);
            });
        });
    });
    p.thread("main", |t| {
        let writers: Vec<_> = (0..n).map(|x| t.spawn(wa, [x.into()])).collect();
        for _ in 0..rounds {
            let c = t.spawn(choice, []);
            let r = t.spawn(ra, []);
            t.join(c);
            t.join(r);
        }
        for writer in writers {
            t.join(writer);
        }
    });
}

fn ssbexp(p: &mut Builder, k: i64) {
    let a = p.mutexes("a", k);
    let mi = p.mutex("mi");
    let chosen = p.guarded("i", mi);
    let wa = p.template("wa", ["x"], |t, [x]| t.section(a.at(x), |_| {}));
    let counter = p.template("counter", [], |t, []| {
        for x in 1..k {
            t.section(mi, |t| t.write(chosen, x));
        }
    });
    p.thread("main", |t| {
        let mut children: Vec<_> = (0..k).map(|x| t.spawn(wa, [x.into()])).collect();
        children.push(t.spawn(counter, []));
        let idx = t.section(mi, |t| t.read(chosen));
        t.section(a.at(idx), |_| {});
        for child in children {
            t.join(child);
        }
    });
}

fn sections(p: &mut Builder, n: i64) {
    let m = p.mutex("m");
    for thread in 0..2 {
        p.thread(format!("thread[{thread}]"), |t| {
            for _ in 0..n {
                t.section(m, |_| {});
            }
        });
    }
}
