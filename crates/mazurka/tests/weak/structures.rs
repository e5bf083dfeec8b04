//! More classic algorithms, as in [`crate::algorithms`]: queues of locks and of data, a deque, and memory that is given back.

use crate::algorithms::{Data, RACE, both, rows};
use mazurka::hint::spin_loop;
use mazurka::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};
use mazurka::sync::atomic::{AtomicUsize, fence};

fn numbers<const N: usize>() -> [AtomicUsize; N] {
    std::array::from_fn(|_| AtomicUsize::new(0))
}

/// The queue lock of Mellor-Crummey and Scott.
#[test]
fn mcs_lock() {
    fn program(orders: [Ordering; 6]) {
        struct Mcs {
            tail: AtomicUsize,
            next: [AtomicUsize; 2],
            waits: [AtomicUsize; 2],
            data: Data,
            orders: [Ordering; 6],
        }
        fn add(lock: &Mcs, me: usize) {
            let Mcs { tail, next, waits, data, orders: [enter, link, follow, wake, woken, leave] } = lock;
            next[me].store(0, Relaxed);
            waits[me].store(1, Relaxed);
            let before = tail.swap(me + 1, *enter);
            if before != 0 {
                next[before - 1].store(me + 1, *link);
                while waits[me].load(*woken) == 1 {
                    spin_loop();
                }
            }
            data.set(data.get() + 1);
            if next[me].load(*follow) == 0 {
                if tail.compare_exchange(me + 1, 0, *leave, Relaxed).is_ok() {
                    return;
                }
                while next[me].load(*follow) == 0 {
                    spin_loop();
                }
            }
            waits[next[me].load(Relaxed) - 1].store(0, *wake);
        }
        let lock = Mcs { tail: AtomicUsize::new(0), next: numbers(), waits: numbers(), data: Data::new(0), orders };
        let lock = both(lock, |lock| add(lock, 0), |lock| add(lock, 1));
        assert_eq!(lock.data.get(), 2);
    }
    let right = [AcqRel, Release, Acquire, Release, Acquire, Release];
    rows(program, right, &[(0, Release, RACE), (3, Relaxed, RACE), (4, Relaxed, RACE), (5, Relaxed, RACE)]);
}

/// Lamport's bakery.
#[test]
fn bakery() {
    fn program(orders: [Ordering; 3]) {
        struct Bakery {
            choosing: [AtomicUsize; 2],
            number: [AtomicUsize; 2],
            data: Data,
            orders: [Ordering; 3],
        }
        fn add(bakery: &Bakery, me: usize) {
            let Bakery { choosing, number, data, orders: [between, seen, unlock] } = bakery;
            let other = 1 - me;
            choosing[me].store(1, Relaxed);
            fence(*between);
            let mine = number[other].load(Relaxed) + 1;
            number[me].store(mine, Relaxed);
            choosing[me].store(0, Release);
            fence(*between);
            while choosing[other].load(Acquire) == 1 {
                spin_loop();
            }
            loop {
                let theirs = number[other].load(*seen);
                if theirs == 0 || theirs > mine || theirs == mine && me < other {
                    break;
                }
                spin_loop();
            }
            data.set(data.get() + 1);
            number[me].store(0, *unlock);
        }
        let bakery = Bakery { choosing: numbers(), number: numbers(), data: Data::new(0), orders };
        let bakery = both(bakery, |bakery| add(bakery, 0), |bakery| add(bakery, 1));
        assert_eq!(bakery.data.get(), 2);
    }
    rows(program, [SeqCst, Acquire, Release], &[(0, AcqRel, RACE), (1, Relaxed, RACE), (2, Relaxed, RACE)]);
}

/// The deque of Chase and Lev, with the orders of Le, Pop, Cohen and Zappa Nardelli (PPoPP 2013).
#[test]
fn chase_lev_deque() {
    fn program(orders: [Ordering; 4]) {
        struct Deque {
            top: AtomicUsize,
            bottom: AtomicUsize,
            items: [AtomicUsize; 2],
            taken: [Data; 2],
            orders: [Ordering; 4],
        }
        fn push(deque: &Deque, item: usize) {
            let bottom = deque.bottom.load(Relaxed);
            deque.taken[item].set(1);
            deque.items[bottom % 2].store(item, Relaxed);
            fence(deque.orders[0]);
            deque.bottom.store(bottom + 1, Relaxed);
        }
        fn take(deque: &Deque) {
            let bottom = deque.bottom.load(Relaxed) - 1;
            deque.bottom.store(bottom, Relaxed);
            fence(deque.orders[1]);
            let top = deque.top.load(Relaxed);
            if top > bottom {
                return deque.bottom.store(bottom + 1, Relaxed);
            }
            let item = deque.items[bottom % 2].load(Relaxed);
            if top == bottom {
                let won = deque.top.compare_exchange(top, top + 1, SeqCst, Relaxed).is_ok();
                deque.bottom.store(bottom + 1, Relaxed);
                if !won {
                    return;
                }
            }
            deque.taken[item].set(deque.taken[item].get() + 1);
        }
        fn steal(deque: &Deque) {
            let top = deque.top.load(Acquire);
            fence(deque.orders[2]);
            if top < deque.bottom.load(deque.orders[3]) {
                let item = deque.items[top % 2].load(Relaxed);
                if deque.top.compare_exchange(top, top + 1, SeqCst, Relaxed).is_ok() {
                    deque.taken[item].set(deque.taken[item].get() + 1);
                }
            }
        }
        let taken = [Data::new(0), Data::new(0)];
        let (top, bottom) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let deque = Deque { top, bottom, items: numbers(), taken, orders };
        both(
            deque,
            |deque| {
                push(deque, 0);
                push(deque, 1);
                take(deque);
            },
            |deque| {
                steal(deque);
                steal(deque);
            },
        );
    }
    let right = [Release, SeqCst, SeqCst, Acquire];
    rows(program, right, &[(1, AcqRel, RACE), (2, AcqRel, RACE), (3, Relaxed, RACE)]);
}

/// The queue of Michael and Scott: one thread puts a number in, another takes it out.
#[test]
fn michael_scott_queue() {
    fn program(orders: [Ordering; 2]) {
        struct Queue {
            head: AtomicUsize,
            tail: AtomicUsize,
            next: [AtomicUsize; 3],
            values: [Data; 3],
            orders: [Ordering; 2],
        }
        /// Nodes are numbered from 0; 0 as the next one is none, because the first is nobody's next.
        fn put(queue: &Queue, node: usize) {
            queue.values[node].set(node);
            queue.next[node].store(0, Relaxed);
            loop {
                let last = queue.tail.load(Acquire);
                let next = queue.next[last].load(Acquire);
                if next != 0 {
                    let _ = queue.tail.compare_exchange(last, next, Release, Relaxed);
                } else if queue.next[last].compare_exchange(0, node, queue.orders[0], Relaxed).is_ok() {
                    let _ = queue.tail.compare_exchange(last, node, Release, Relaxed);
                    return;
                }
            }
        }
        fn take(queue: &Queue) {
            let (first, last) = (queue.head.load(Acquire), queue.tail.load(Acquire));
            let next = queue.next[first].load(queue.orders[1]);
            if next == 0 {
                return;
            }
            if first == last {
                let _ = queue.tail.compare_exchange(last, next, Release, Relaxed);
            }
            if queue.head.compare_exchange(first, next, AcqRel, Relaxed).is_ok() {
                assert_eq!(queue.values[next].get(), next);
            }
        }
        let values = [0, 0, 0].map(Data::new);
        let (head, tail) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let queue = Queue { head, tail, next: numbers(), values, orders };
        both(
            queue,
            |queue| {
                put(queue, 1);
                put(queue, 2);
            },
            take,
        );
    }
    rows(program, [Release, Acquire], &[(0, Relaxed, RACE), (1, Relaxed, RACE)]);
}

/// A hazard pointer: the reader announces what it reads, the writer gives back what nobody announced.
#[test]
fn hazard_pointer() {
    fn program(orders: [Ordering; 4]) {
        struct Pointers {
            current: AtomicUsize,
            hazard: AtomicUsize,
            nodes: [Data; 2],
            orders: [Ordering; 4],
        }
        let pointers = Pointers {
            current: AtomicUsize::new(1),
            hazard: AtomicUsize::new(0),
            nodes: [1, 0].map(Data::new),
            orders,
        };
        both(
            pointers,
            |Pointers { current, hazard, nodes, orders: [protect, _, clear, _] }| {
                let node = current.load(Acquire);
                hazard.store(node, Relaxed);
                fence(*protect);
                if current.load(Acquire) == node {
                    assert_eq!(nodes[node - 1].get(), 1);
                }
                hazard.store(0, *clear);
            },
            |Pointers { current, hazard, nodes, orders: [_, scan, _, seen] }| {
                nodes[1].set(1);
                let old = current.swap(2, AcqRel);
                fence(*scan);
                if hazard.load(*seen) != old {
                    nodes[old - 1].set(0);
                }
            },
        );
    }
    let weaker = [(0, AcqRel, RACE), (1, AcqRel, RACE), (2, Relaxed, RACE), (3, Relaxed, RACE)];
    rows(program, [SeqCst, SeqCst, Release, Acquire], &weaker);
}

/// User-space RCU with one reader: the writer publishes, waits until the reader is outside, and gives back.
#[test]
fn rcu() {
    fn program(orders: [Ordering; 6]) {
        struct Rcu {
            current: AtomicUsize,
            inside: AtomicUsize,
            versions: [Data; 2],
            orders: [Ordering; 6],
        }
        let (current, inside) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let rcu = Rcu { current, inside, versions: [1, 0].map(Data::new), orders };
        both(
            rcu,
            |Rcu { current, inside, versions, orders: [enter, _, leave, _, _, read] }| {
                inside.store(1, Relaxed);
                fence(*enter);
                assert_eq!(versions[current.load(*read)].get(), 1);
                inside.store(0, *leave);
            },
            |Rcu { current, inside, versions, orders: [_, wait, _, outside, publish, _] }| {
                versions[1].set(1);
                current.store(1, *publish);
                fence(*wait);
                while inside.load(*outside) == 1 {
                    spin_loop();
                }
                versions[0].set(0);
            },
        );
    }
    let right = [SeqCst, SeqCst, Release, Acquire, Release, Acquire];
    let weaker = [
        (0, AcqRel, RACE),
        (1, AcqRel, RACE),
        (2, Relaxed, RACE),
        (3, Relaxed, RACE),
        (4, Relaxed, RACE),
        (5, Relaxed, RACE),
    ];
    rows(program, right, &weaker);
}
