//! Classic algorithms: with the weakest orders that are right, proved under rc11; with one of them weaker, found.
//!
//! A program is its orders, in the order in which they are named. Data that an algorithm protects is in cells, so that what is not
//! protected is a data race.

#![allow(unsafe_code, reason = "what algorithms protect is in cells")]

use mazurka::cell::UnsafeCell;
use mazurka::hint::spin_loop;
use mazurka::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};
use mazurka::sync::atomic::{AtomicPtr, AtomicUsize, fence};
use mazurka::sync::{Arc, Mutex};
use mazurka::{Checker, FindingKind, thread};
use std::ptr::null_mut;

/// A number that nothing protects but the algorithm under test.
pub(crate) struct Data(UnsafeCell<usize>);

// SAFETY: nothing runs at the same time, and what nothing orders is a finding.
unsafe impl Sync for Data {}

impl Data {
    pub(crate) fn new(value: usize) -> Self {
        Data(UnsafeCell::new(value))
    }

    #[track_caller]
    pub(crate) fn get(&self) -> usize {
        // SAFETY: as above.
        self.0.with(|value| unsafe { *value })
    }

    #[track_caller]
    pub(crate) fn set(&self, new: usize) {
        // SAFETY: as above.
        self.0.with_mut(|value| unsafe { *value = new });
    }
}

/// The program is right with these orders, and wrong where the one at a place is replaced by a weaker one.
pub(crate) fn rows<const N: usize>(
    program: fn([Ordering; N]),
    right: [Ordering; N],
    weaker: &[(usize, Ordering, FindingKind)],
) {
    let report = Checker::new().memory("rc11").check(move || program(right));
    assert!(report.is_proof(), "{right:?}: {report}");
    println!("{right:?}: {}", report.to_string().trim());
    let report = Checker::new().check(move || program(right));
    assert!(report.is_proof() && report.memory == "rc11", "{right:?}: {report}");
    for &(place, order, kind) in weaker {
        let mut orders = right;
        orders[place] = order;
        let report = Checker::new().memory("rc11").check(move || program(orders));
        let finding = report.finding().unwrap_or_else(|| panic!("{orders:?}: {report}"));
        assert_eq!(finding.kind, kind, "{orders:?}: {report}");
        let report = Checker::new().memory("sc").check(move || program(orders));
        assert!(report.is_proof(), "{orders:?}: {report}");
    }
}

pub(crate) const RACE: FindingKind = FindingKind::DataRace;
pub(crate) const PANIC: FindingKind = FindingKind::Panic;

/// Runs both at the same time, and waits for them.
pub(crate) fn both<S: Sync + Send + 'static>(shared: S, first: fn(&S), second: fn(&S)) -> Arc<S> {
    let shared = Arc::new(shared);
    let threads = [first, second].map(|body| {
        let shared = shared.clone();
        thread::spawn(move || body(&shared))
    });
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    shared
}

#[test]
fn spin_lock() {
    fn program([lock, unlock]: [Ordering; 2]) {
        struct Spin(AtomicUsize, Data, [Ordering; 2]);
        fn add(Spin(locked, data, [lock, unlock]): &Spin) {
            while locked.compare_exchange(0, 1, *lock, Relaxed).is_err() {
                spin_loop();
            }
            data.set(data.get() + 1);
            locked.store(0, *unlock);
        }
        let shared = both(Spin(AtomicUsize::new(0), Data::new(0), [lock, unlock]), add, add);
        assert_eq!(shared.1.get(), 2);
    }
    rows(program, [Acquire, Release], &[(0, Relaxed, RACE), (1, Relaxed, RACE)]);
}

#[test]
fn ticket_lock() {
    fn program([serving, unlock]: [Ordering; 2]) {
        struct Ticket(AtomicUsize, AtomicUsize, Data, [Ordering; 2]);
        fn add(Ticket(next, serving, data, [seen, unlock]): &Ticket) {
            let ticket = next.fetch_add(1, Relaxed);
            while serving.load(*seen) != ticket {
                spin_loop();
            }
            data.set(data.get() + 1);
            serving.store(ticket + 1, *unlock);
        }
        let ticket = Ticket(AtomicUsize::new(0), AtomicUsize::new(0), Data::new(0), [serving, unlock]);
        assert_eq!(both(ticket, add, add).2.get(), 2);
    }
    rows(program, [Acquire, Release], &[(0, Relaxed, RACE), (1, Relaxed, RACE)]);
}

/// The turn is taken by an update, which comes after the other's.
#[test]
fn peterson() {
    fn program([turn, flag, unlock]: [Ordering; 3]) {
        struct Peterson([AtomicUsize; 2], AtomicUsize, Data, [Ordering; 3]);
        fn enter(Peterson(flags, turn, data, [take, look, unlock]): &Peterson, me: usize) {
            let other = 1 - me;
            flags[me].store(1, Relaxed);
            turn.swap(other, *take);
            while flags[other].load(*look) == 1 && turn.load(Relaxed) == other {
                spin_loop();
            }
            data.set(data.get() + 1);
            flags[me].store(0, *unlock);
        }
        let flags = [AtomicUsize::new(0), AtomicUsize::new(0)];
        let peterson = Peterson(flags, AtomicUsize::new(0), Data::new(0), [turn, flag, unlock]);
        assert_eq!(both(peterson, |it| enter(it, 0), |it| enter(it, 1)).2.get(), 2);
    }
    let weaker = [(0, Relaxed, RACE), (0, Acquire, RACE), (0, Release, RACE), (1, Relaxed, RACE), (2, Relaxed, RACE)];
    rows(program, [AcqRel, Acquire, Release], &weaker);
}

/// Who sees the other's flag gives up: the first half of Dekker's algorithm.
#[test]
fn dekker() {
    fn program([between]: [Ordering; 1]) {
        struct Dekker([AtomicUsize; 2], Data, Ordering);
        fn enter(Dekker(flags, data, between): &Dekker, me: usize) {
            flags[me].store(1, Relaxed);
            fence(*between);
            if flags[1 - me].load(Acquire) == 0 {
                data.set(data.get() + 1);
            }
            flags[me].store(0, Release);
        }
        let dekker = Dekker([AtomicUsize::new(0), AtomicUsize::new(0)], Data::new(0), between);
        both(dekker, |it| enter(it, 0), |it| enter(it, 1));
    }
    rows(program, [SeqCst], &[(0, AcqRel, RACE), (0, Release, RACE)]);
}

#[test]
fn seqlock() {
    fn program([begin, end, first, again]: [Ordering; 4]) {
        struct Seq(AtomicUsize, [AtomicUsize; 2], [Ordering; 4]);
        fn write(Seq(seq, data, [begin, end, ..]): &Seq) {
            seq.store(1, Relaxed);
            fence(*begin);
            data.iter().for_each(|part| part.store(7, Relaxed));
            seq.store(2, *end);
        }
        fn read(Seq(seq, data, [.., first, again]): &Seq) {
            let before = seq.load(*first);
            let found = [data[0].load(Relaxed), data[1].load(Relaxed)];
            fence(*again);
            if before % 2 == 0 && seq.load(Relaxed) == before {
                assert!(found == [before / 2 * 7; 2], "a torn read of {found:?} at {before}");
            }
        }
        let data = [AtomicUsize::new(0), AtomicUsize::new(0)];
        both(Seq(AtomicUsize::new(0), data, [begin, end, first, again]), write, read);
    }
    let weaker = [(0, Acquire, PANIC), (1, Relaxed, PANIC), (2, Relaxed, PANIC), (3, Release, PANIC)];
    rows(program, [Release, Release, Acquire, Acquire], &weaker);
}

/// One place, so that the second message has to wait until the first was taken.
#[test]
fn ring_of_one_producer_and_one_consumer() {
    fn program([published, seen, freed, free]: [Ordering; 4]) {
        struct Ring(AtomicUsize, AtomicUsize, Data, [Ordering; 4]);
        fn produce(Ring(head, tail, place, [published, _, _, free]): &Ring) {
            for number in 0..2 {
                while tail.load(*free) != number {
                    spin_loop();
                }
                place.set(number + 10);
                head.store(number + 1, *published);
            }
        }
        fn consume(Ring(head, tail, place, [_, seen, freed, _]): &Ring) {
            for number in 0..2 {
                while head.load(*seen) == number {
                    spin_loop();
                }
                assert_eq!(place.get(), number + 10);
                tail.store(number + 1, *freed);
            }
        }
        let ring = Ring(AtomicUsize::new(0), AtomicUsize::new(0), Data::new(0), [published, seen, freed, free]);
        both(ring, produce, consume);
    }
    let weaker = [(0, Relaxed, RACE), (1, Relaxed, RACE), (2, Relaxed, RACE), (3, Relaxed, RACE)];
    rows(program, [Release, Acquire, Release, Acquire], &weaker);
}

/// Nodes are numbered from 1; 0 is none.
#[test]
fn treiber_stack() {
    fn program(orders: [Ordering; 2]) {
        struct Stack(AtomicUsize, [(Data, Data); 2], [Ordering; 2]);
        fn push(Stack(head, nodes, [order, _]): &Stack, node: usize) {
            nodes[node - 1].0.set(node * 10);
            let mut next = head.load(Relaxed);
            loop {
                nodes[node - 1].1.set(next);
                match head.compare_exchange(next, node, *order, Relaxed) {
                    Ok(_) => return,
                    Err(found) => next = found,
                }
            }
        }
        fn pop(Stack(head, nodes, [_, order]): &Stack) -> Option<usize> {
            let mut node = head.load(*order);
            while node != 0 {
                let next = nodes[node - 1].1.get();
                match head.compare_exchange(node, next, Relaxed, *order) {
                    Ok(_) => return Some(nodes[node - 1].0.get()),
                    Err(found) => node = found,
                }
            }
            None
        }
        let node = || (Data::new(0), Data::new(0));
        let stack = Stack(AtomicUsize::new(0), [node(), node()], orders);
        let stack = both(
            stack,
            |stack| push(stack, 1),
            |stack| {
                push(stack, 2);
                assert!(pop(stack).is_some_and(|value| value == 10 || value == 20));
            },
        );
        let left = pop(&stack).expect("one was pushed and not popped");
        assert!(left == 10 || left == 20);
    }
    rows(program, [Release, Acquire], &[(0, Relaxed, RACE), (1, Relaxed, RACE)]);
}

/// Whoever drops the last reference is after all others.
#[test]
fn drop_of_an_arc() {
    fn program([drop, last]: [Ordering; 2]) {
        struct Counted(AtomicUsize, Data, [Ordering; 2]);
        fn release(Counted(count, data, [drop, last]): &Counted) {
            data.get();
            if count.fetch_sub(1, *drop) == 1 {
                fence(*last);
                data.set(0);
            }
        }
        both(Counted(AtomicUsize::new(2), Data::new(1), [drop, last]), release, release);
    }
    rows(program, [Release, Acquire], &[(0, Relaxed, RACE), (0, Acquire, RACE), (1, Release, RACE)]);
}

#[test]
fn double_checked_locking() {
    fn program([store, load]: [Ordering; 2]) {
        struct Lazy(AtomicPtr<Data>, Mutex<()>, [Ordering; 2]);
        fn get(Lazy(pointer, lock, [store, load]): &Lazy) {
            let mut found = pointer.load(*load);
            if found.is_null() {
                let _guard = lock.lock().unwrap();
                found = pointer.load(Relaxed);
                if found.is_null() {
                    found = Box::into_raw(Box::new(Data::new(0)));
                    // SAFETY: nobody else has it.
                    unsafe { (*found).set(42) };
                    pointer.store(found, *store);
                }
            }
            // SAFETY: what was published lives until both threads have ended.
            assert_eq!(unsafe { (*found).get() }, 42);
        }
        let lazy = both(Lazy(AtomicPtr::new(null_mut()), Mutex::new(()), [store, load]), get, get);
        // SAFETY: both threads have ended, and one of them made it.
        drop(unsafe { Box::from_raw(lazy.0.load(Relaxed)) });
    }
    rows(program, [Release, Acquire], &[(0, Relaxed, RACE), (1, Relaxed, RACE)]);
}

/// A thread that is parked is after who unparked it.
#[test]
fn parker() {
    fn program([store, load]: [Ordering; 2]) {
        let shared = Arc::new((AtomicUsize::new(0), Data::new(0)));
        let theirs = shared.clone();
        let waiter = thread::spawn(move || {
            while theirs.0.load(load) == 0 {
                thread::park();
            }
            assert_eq!(theirs.1.get(), 5);
        });
        shared.1.set(5);
        shared.0.store(1, store);
        waiter.thread().unpark();
        waiter.join().unwrap();
    }
    rows(program, [Release, Acquire], &[(0, Relaxed, RACE), (1, Relaxed, RACE)]);
}
