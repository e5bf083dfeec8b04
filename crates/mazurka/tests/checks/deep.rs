//! Bugs that need many threads, or several orders at once: the usual search finds each of them soon, by samples if need be.

use mazurka::sync::atomic::{AtomicI32, AtomicUsize, Ordering::SeqCst};
use mazurka::sync::{Arc, Condvar, Mutex};
use mazurka::thread;
use mazurka::{Checker, FindingKind};

/// More executions than any of these needs, samples and all: a search for proof would run millions.
const FEW: u64 = 1_000;

#[track_caller]
fn found(kind: FindingKind, program: impl Fn() + Send + Sync + 'static) {
    let report = Checker::new().joined_panics(true).max_executions(100_000).check(program);
    let finding = report.finding().expect("there is a bug");
    assert_eq!(finding.kind, kind, "{report}");
    let runs = report.tally.runs() + report.sampled.runs();
    assert!(runs <= FEW, "{runs} executions");
}

fn numbers(count: usize) -> Arc<Vec<AtomicI32>> {
    Arc::new((0..count).map(|_| AtomicI32::new(0)).collect())
}

/// Runs `body` in so many threads, each with its number.
fn together(count: usize, body: impl Fn(usize) + Send + Sync + 'static) {
    let body = Arc::new(body);
    let threads: Vec<_> = (0..count)
        .map(|i| {
            let body = Arc::clone(&body);
            thread::spawn(move || body(i))
        })
        .collect();
    for thread in threads {
        let _ = thread.join();
    }
}

#[test]
fn one_of_twenty_threads_comes_between_two_writes() {
    found(FindingKind::Panic, || {
        let x = numbers(2);
        together(20, move |i| {
            if i < 19 {
                x[0].store(1, SeqCst);
                x[1].store(-1, SeqCst);
            } else {
                let seen = (x[0].load(SeqCst), x[1].load(SeqCst));
                assert!(seen == (0, 0) || seen == (1, -1));
            }
        });
    });
}

#[test]
fn two_stages_with_a_hundred_threads() {
    found(FindingKind::Panic, || {
        let both = Arc::new((Mutex::new(0), Mutex::new(0)));
        together(100, move |i| {
            let (first, second) = &*both;
            if i < 50 {
                *first.lock().unwrap() = 1;
                *second.lock().unwrap() = 2;
            } else if *first.lock().unwrap() == 1 {
                assert_eq!(*second.lock().unwrap(), 2);
            }
        });
    });
}

#[test]
fn a_deque_whose_owner_looks_too_early() {
    const TASKS: i32 = 6;
    found(FindingKind::Panic, || {
        let (ends, done) = (numbers(2), numbers(TASKS as usize));
        ends[1].store(TASKS, SeqCst);
        together(5, move |i| {
            let (top, bottom) = (&ends[0], &ends[1]);
            let perform = |task: i32| assert_eq!(done[task as usize].fetch_add(1, SeqCst), 0);
            if i > 0 {
                for _ in 0..3 {
                    let oldest = top.load(SeqCst);
                    let is_left = oldest < bottom.load(SeqCst);
                    if is_left && top.compare_exchange(oldest, oldest + 1, SeqCst, SeqCst).is_ok() {
                        perform(oldest);
                    }
                }
                return;
            }
            loop {
                let oldest = top.load(SeqCst);
                let newest = bottom.load(SeqCst) - 1;
                bottom.store(newest, SeqCst);
                if newest < oldest {
                    break;
                }
                if newest > oldest {
                    perform(newest);
                    continue;
                }
                if top.compare_exchange(oldest, oldest + 1, SeqCst, SeqCst).is_ok() {
                    perform(newest);
                }
                break;
            }
        });
    });
}

#[test]
fn a_sequence_lock_that_begins_too_late() {
    found(FindingKind::Panic, || {
        let x = numbers(3);
        together(11, move |i| {
            let (number, left, right) = (&x[0], &x[1], &x[2]);
            if i == 10 {
                for value in 1..=4 {
                    left.store(value, SeqCst);
                    number.store(2 * value - 1, SeqCst);
                    right.store(value, SeqCst);
                    number.store(2 * value, SeqCst);
                }
                return;
            }
            let before = number.load(SeqCst);
            if before % 2 == 0 {
                let seen = (left.load(SeqCst), right.load(SeqCst));
                assert!(number.load(SeqCst) != before || seen.0 == seen.1);
            }
        });
    });
}

#[test]
fn a_wait_without_a_second_look() {
    found(FindingKind::Panic, || {
        let buffer = Arc::new((Mutex::new(0), Condvar::new()));
        together(9, move |i| {
            let (items, filled) = &*buffer;
            if i < 8 {
                let mut items = items.lock().unwrap();
                if *items == 0 {
                    items = filled.wait(items).unwrap();
                }
                *items -= 1;
                assert!(*items >= 0);
                return;
            }
            for _ in 0..8 {
                *items.lock().unwrap() += 1;
                filled.notify_one();
            }
        });
    });
}

#[test]
fn eight_philosophers() {
    found(FindingKind::Deadlock, || {
        let forks: Arc<Vec<Mutex<()>>> = Arc::new((0..8).map(|_| Mutex::new(())).collect());
        together(8, move |seat| {
            for _ in 0..2 {
                let _left = forks[seat].lock().unwrap();
                let _right = forks[(seat + 1) % 8].lock().unwrap();
            }
        });
    });
}

#[test]
fn a_node_that_comes_back() {
    const NONE: usize = usize::MAX;
    struct Stack {
        top: AtomicUsize,
        below: Vec<AtomicUsize>,
        held: Vec<AtomicI32>,
    }
    impl Stack {
        fn push(&self, node: usize) {
            let mut top = self.top.load(SeqCst);
            loop {
                self.below[node].store(top, SeqCst);
                match self.top.compare_exchange(top, node, SeqCst, SeqCst) {
                    Ok(_) => return,
                    Err(found) => top = found,
                }
            }
        }
        fn pop(&self) -> usize {
            let mut top = self.top.load(SeqCst);
            while top != NONE {
                let next = self.below[top].load(SeqCst);
                match self.top.compare_exchange(top, next, SeqCst, SeqCst) {
                    Ok(_) => {
                        assert_eq!(self.held[top].fetch_add(1, SeqCst), 0);
                        break;
                    }
                    Err(found) => top = found,
                }
            }
            top
        }
    }
    found(FindingKind::Panic, || {
        let stack = Stack {
            top: AtomicUsize::new(NONE),
            below: (0..4).map(|_| AtomicUsize::new(NONE)).collect(),
            held: (0..4).map(|_| AtomicI32::new(0)).collect(),
        };
        (0..4).for_each(|node| stack.push(node));
        together(3, move |_| {
            let one = stack.pop();
            stack.pop();
            if one != NONE {
                stack.held[one].store(0, SeqCst);
                stack.push(one);
            }
            stack.pop();
        });
    });
}

#[test]
fn a_lost_transfer_among_thirty() {
    found(FindingKind::Panic, || {
        let accounts = numbers(30);
        let of_clerks = Arc::clone(&accounts);
        together(30, move |i| {
            let from = of_clerks[i].load(SeqCst);
            of_clerks[i].store(from - 1, SeqCst);
            let to = of_clerks[(i + 1) % 30].load(SeqCst);
            of_clerks[(i + 1) % 30].store(to + 1, SeqCst);
        });
        assert_eq!(accounts.iter().map(|account| account.load(SeqCst)).sum::<i32>(), 0);
    });
}

#[test]
fn a_flag_that_comes_before_what_it_promises() {
    found(FindingKind::Panic, || {
        let (x, lock) = (numbers(2), Mutex::new(()));
        together(20, move |_| {
            let (is_there, value) = (&x[0], &x[1]);
            if is_there.load(SeqCst) == 0 {
                let _held = lock.lock().unwrap();
                if is_there.load(SeqCst) == 0 {
                    is_there.store(1, SeqCst);
                    value.store(42, SeqCst);
                }
            }
            assert_eq!(value.load(SeqCst), 42);
        });
    });
}

#[test]
fn a_reader_in_step_with_a_writer() {
    found(FindingKind::Panic, || {
        let x = numbers(2);
        together(8, move |i| {
            let (stage, seen) = (&x[0], &x[1]);
            match i {
                0 => assert!(!(1..=3).all(|number| stage.load(SeqCst) == number)),
                1 => (1..=3).for_each(|number| stage.store(number, SeqCst)),
                _ => {
                    let found = seen.load(SeqCst);
                    seen.store(found + 1, SeqCst);
                }
            }
        });
    });
}

#[test]
fn a_count_that_is_copied_too_late() {
    found(FindingKind::Panic, || {
        let x = numbers(2);
        x[0].store(1, SeqCst);
        together(11, move |i| {
            let (count, is_freed) = (&x[0], &x[1]);
            if i > 0 {
                let before = count.load(SeqCst);
                if before == 0 {
                    return;
                }
                count.store(before + 1, SeqCst);
                assert_eq!(is_freed.load(SeqCst), 0);
            }
            if count.fetch_sub(1, SeqCst) == 1 {
                is_freed.store(1, SeqCst);
            }
        });
    });
}

#[test]
fn samples_can_be_left_out_and_proofs_are_not_touched() {
    let program = || {
        let x = numbers(1);
        together(6, move |_| assert!(x[0].fetch_add(1, SeqCst) < 6));
    };
    let with = Checker::new().check(program);
    let without = Checker::new().bug_first(false).check(program);
    assert!(with.is_proof() && without.is_proof());
    assert_eq!((with.executions(), without.executions()), (720, 720));
    assert!(with.sampled.runs() > 0 && without.sampled.runs() == 0);
}
