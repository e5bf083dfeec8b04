//! The small programs of the paper on source sets, and those that tell algorithms apart, written in Rust: as many classes as
//! their litmus forms have (`corpus/`). Dependence: two accesses of one variable, one of them a write.

use crate::common::classes;
use mazurka::sync::Arc;
use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka::thread;

/// The variables `a` to `z`, all 0.
struct Variables([AtomicU32; 26]);

impl Variables {
    fn new() -> Arc<Self> {
        Arc::new(Variables(std::array::from_fn(|_| AtomicU32::new(0))))
    }

    fn at(&self, name: char) -> &AtomicU32 {
        &self.0[(u32::from(name) - u32::from('a')) as usize]
    }

    /// Whether the variable is 1.
    fn r(&self, name: char) -> bool {
        self.at(name).load(SeqCst) == 1
    }

    fn w(&self, name: char) {
        self.set(name, 1);
    }

    fn set(&self, name: char, value: u32) {
        self.at(name).store(value, SeqCst);
    }
}

/// The looks alone matter.
fn look(_: bool) {}

/// So many classes has the program of these processes.
#[track_caller]
fn processes<const N: usize>(expected: u64, processes: [fn(&Variables); N]) {
    classes(expected, move || {
        let variables = Variables::new();
        for process in processes {
            let variables = variables.clone();
            thread::spawn(move || process(&variables));
        }
    });
}

#[test]
fn sleeping_races() {
    processes(3, [|v| v.w('y'), |v| v.w('x'), |v| look(v.r('x') && v.r('y'))]);
    processes(
        5,
        [
            |v| v.w('y'),
            |v| v.w('x'),
            |v| {
                v.set('y', 2);
                look(v.r('x') && v.r('y'));
            },
        ],
    );
    processes(6, [|v| v.w('y'), |v| v.w('x'), |v| look(v.r('x')), |v| look(v.r('x') && v.r('y'))]);
    processes(10, [|v| v.w('y'), |v| v.w('x'), |v| v.set('x', 2), |v| look(v.at('x').load(SeqCst) != 0 && v.r('y'))]);
    processes(
        10,
        [
            |v| v.w('w'),
            |v| v.w('x'),
            |v| v.w('y'),
            |v| {
                v.r('y');
                v.w('z');
            },
            |v| look(v.r('y') && v.r('z') && v.r('x') && v.r('w')),
        ],
    );
}

#[test]
fn many_initials() {
    processes(
        5,
        [
            |v| v.w('x'),
            |v| v.w('y'),
            |v| v.w('z'),
            |v| {
                let both = [v.r('y'), v.r('z')];
                look(both == [true; 2] && v.r('x'));
            },
        ],
    );
}

#[test]
fn readers_that_tell_algorithms_apart() {
    // Difficult readers.
    processes(18, [|v| v.w('x'), |v| v.set('x', 2), |v| look(v.r('x')), |v| look(v.r('x'))]);
    // Not a prerequisite.
    processes(
        7,
        [
            |v| {
                v.w('x');
                v.w('y');
            },
            |v| look(v.r('y') && v.r('x')),
            |v| v.w('y'),
        ],
    );
    // Cyclic readers.
    processes(
        7,
        [
            |v| {
                v.w('x');
                v.r('z');
            },
            |v| {
                v.w('y');
                v.r('x');
            },
            |v| {
                v.w('z');
                v.r('y');
            },
        ],
    );
}

#[test]
fn conditional_readers() {
    let writes_after: fn(&Variables) = |v| {
        if !v.r('y') {
            v.r('x');
            v.w('y');
        }
    };
    processes(12, [|v| v.w('x'), writes_after, writes_after]);
    let writes_if_seen: fn(&Variables) = |v| {
        if !v.r('y') && v.r('x') {
            v.w('y');
        }
    };
    processes(7, [|v| v.w('x'), writes_if_seen, writes_if_seen]);
    processes(
        6,
        [
            |v| v.w('x'),
            |v| look(!v.r('y') && v.r('x')),
            |v| {
                v.r('x');
                v.w('y');
            },
        ],
    );
}

#[test]
fn combination_lock() {
    processes(
        6,
        [
            |v| v.w('z'),
            |v| {
                v.w('x');
                v.w('a');
                if v.r('y') {
                    v.w('w');
                    v.w('b');
                }
            },
            |v| {
                if v.r('x') {
                    v.w('y');
                    v.w('c');
                    look(v.r('v') && v.r('z'));
                }
            },
            |v| {
                if v.r('w') {
                    v.w('v');
                    v.w('d');
                }
            },
        ],
    );
}

#[test]
fn different_dependencies() {
    processes(
        9,
        [|v| v.w('x'), |v| v.w('y'), |v| v.w('z'), |v| look(v.r('z') && v.r('x')), |v| look(v.r('y') && v.r('x'))],
    );
}

/// Figure 2's `q`, `r` and `s`.
fn group(variables: &Arc<Variables>) {
    let create = |process: fn(&Variables)| {
        let variables = variables.clone();
        thread::spawn(move || process(&variables));
    };
    create(|v| v.w('y'));
    create(|v| {
        if !v.r('y') {
            v.w('z');
        }
    });
    create(|v| {
        if v.r('z') && !v.r('y') {
            v.w('x');
        }
    });
}

#[test]
fn control_flow() {
    classes(5, || {
        let variables = Variables::new();
        let p = variables.clone();
        thread::spawn(move || p.r('x'));
        group(&variables);
    });
}

/// Figure 10: source-DPOR explores exponentially many executions in vain.
fn linexp(n: usize) {
    let groups: Vec<Arc<Variables>> = (0..n).map(|_| Variables::new()).collect();
    for i in (0..n).rev() {
        let (own, next) = (groups[i].clone(), groups.get(i + 1).cloned());
        thread::spawn(move || {
            if let (Some(next), true) = (next, own.r('x')) {
                group(&next);
            }
        });
    }
    group(&groups[0]);
}

#[test]
fn linexp_is_linear() {
    for n in 1..=6 {
        classes(4 * n as u64 + 1, move || linexp(n));
    }
}

/// Figure 12: the wakeup trees of optimal-DPOR grow as the factorial.
fn wakeup_stress(n: u32) {
    let variables = Variables::new();
    let (first, last) = (variables.clone(), variables.clone());
    thread::spawn(move || first.w('x'));
    let others: Vec<_> = (0..n)
        .map(|i| {
            let variables = variables.clone();
            thread::spawn(move || variables.set('y', i))
        })
        .collect();
    thread::spawn(move || {
        others.into_iter().for_each(|other| other.join().unwrap());
        last.set('x', 2);
    });
}

#[test]
fn wakeup_stress_is_every_order_twice() {
    for (n, orders) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120)] {
        classes(2 * orders, move || wakeup_stress(n));
    }
}
