//! Locks and structures whose loops wait or retry: how many executions complete, with the argument for it. The same programs in C are in
//! `crates/c/tests/programs/loops`.

use crate::retry::{Body, counts};
use mazurka::sync::Arc;
use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::thread;

fn numbers<const N: usize>() -> [AtomicUsize; N] {
    std::array::from_fn(|_| AtomicUsize::new(0))
}

/// Counts that differ between a build with debug assertions and one without, where values that nobody reads stay in frames whose address
/// is known: the switch of fibers is compiled into the program's functions.
pub(crate) fn by_build<T>(with_assertions: T, without: T) -> T {
    if cfg!(debug_assertions) { with_assertions } else { without }
}

/// A bounded queue for many producers and consumers, of two places.
fn bounded_queue() -> Body {
    struct Queue {
        turns: [AtomicUsize; 2],
        enqueued: AtomicUsize,
        dequeued: AtomicUsize,
    }
    let queue = Queue {
        turns: std::array::from_fn(AtomicUsize::new),
        enqueued: AtomicUsize::new(0),
        dequeued: AtomicUsize::new(0),
    };
    /// Takes a place whose turn is so far ahead, and leaves it with another turn.
    fn take(turns: &[AtomicUsize; 2], index: &AtomicUsize, ahead: usize, leave: usize) -> bool {
        let mut at = index.load(SeqCst);
        loop {
            let turn = &turns[at % 2];
            match turn.load(SeqCst).wrapping_sub(at + ahead) as isize {
                0 => match index.compare_exchange(at, at + 1, SeqCst, SeqCst) {
                    Ok(_) => {
                        turn.store(at + leave, SeqCst);
                        return true;
                    }
                    Err(found) => at = found,
                },
                ..0 => return false,
                _ => at = index.load(SeqCst),
            }
        }
    }
    Box::new(move |_| {
        assert!(take(&queue.turns, &queue.enqueued, 0, 1));
        take(&queue.turns, &queue.dequeued, 1, 2);
    })
}

/// The queue lock of Mellor-Crummey and Scott. Given who comes first, the other comes after it has left; or before, and then the
/// first sees its link at once, or only when it has failed to leave alone.
fn mcs_lock() -> Body {
    let (next, waits, tail) = (numbers::<2>(), numbers::<2>(), AtomicUsize::new(0));
    Box::new(move |mine| {
        waits[mine].store(1, SeqCst);
        let before = tail.swap(mine + 1, SeqCst);
        if before != 0 {
            next[before - 1].store(mine + 1, SeqCst);
            while waits[mine].load(SeqCst) != 0 {}
        }
        if next[mine].load(SeqCst) == 0 {
            if tail.compare_exchange(mine + 1, 0, SeqCst, SeqCst).is_ok() {
                return;
            }
            while next[mine].load(SeqCst) == 0 {}
        }
        waits[next[mine].load(SeqCst) - 1].store(0, SeqCst);
    })
}

/// The queue lock of Craig, Landin and Hagersten: each order of the exchanges is a class.
fn clh_lock() -> Body {
    let (locked, tail) = (numbers::<4>(), AtomicUsize::new(3));
    Box::new(move |mine| {
        locked[mine].store(1, SeqCst);
        let before = tail.swap(mine, SeqCst);
        while locked[before].load(SeqCst) != 0 {}
        locked[mine].store(0, SeqCst);
    })
}

/// Lamport's bakery for two. Both choose before either has a number: 1 class. One sees the other's number: then that one looks
/// whether the first is choosing, and at its number, before or after these change: 3, either way round. One chooses when the other
/// has left: 1, either way round.
fn bakery() -> Body {
    let (choosing, number) = (numbers::<2>(), numbers::<2>());
    Box::new(move |i| {
        let other = 1 - i;
        choosing[i].store(1, SeqCst);
        let mine = number[other].load(SeqCst) + 1;
        number[i].store(mine, SeqCst);
        choosing[i].store(0, SeqCst);
        while choosing[other].load(SeqCst) != 0 {}
        loop {
            let found = number[other].load(SeqCst);
            if found == 0 || found > mine || (found == mine && other > i) {
                break;
            }
        }
        number[i].store(0, SeqCst);
    })
}

/// Peterson's lock. Given who gives the turn away first, it sees that the other does not want to enter, or that it has the turn
/// back; the other then waits until it has left.
fn peterson() -> Body {
    let (wants, turn) = (numbers::<2>(), AtomicUsize::new(0));
    Box::new(move |i| {
        let other = 1 - i;
        wants[i].store(1, SeqCst);
        turn.store(other, SeqCst);
        while wants[other].load(SeqCst) != 0 && turn.load(SeqCst) == other {}
        wants[i].store(0, SeqCst);
    })
}

/// A barrier that turns its sense round; two threads meet twice. Who comes last is all that differs, each time.
fn sense_barrier() -> Body {
    let (arrived, sense) = (AtomicUsize::new(0), AtomicUsize::new(0));
    Box::new(move |_| {
        for mine in [1, 0] {
            if arrived.fetch_add(1, SeqCst) == 1 {
                arrived.store(0, SeqCst);
                sense.store(mine, SeqCst);
            } else {
                while sense.load(SeqCst) != mine {}
            }
        }
    })
}

/// A list that is read while its first node is taken out. The reader has come to the node: it is freed when the reader has gone. Or
/// it comes later: then the writer sees nobody before it has come, or after it has gone.
fn rcu_list() -> Body {
    let [head, readers] = numbers::<2>();
    Box::new(move |number| {
        if number == 1 {
            readers.fetch_add(1, SeqCst);
            head.load(SeqCst);
            readers.fetch_sub(1, SeqCst);
        } else {
            head.store(1, SeqCst);
            while readers.load(SeqCst) != 0 {}
        }
    })
}

/// A hazard pointer. The reader holds the old record when it is replaced: 1 class. It had only begun to: the writer looks before it
/// does, when it holds the new one, or when it holds none again: 3. It comes later: the same 3.
fn hazard_pointer() -> Body {
    let (current, hazard) = (AtomicUsize::new(1), AtomicUsize::new(0));
    Box::new(move |number| {
        if number == 1 {
            loop {
                let seen = current.load(SeqCst);
                hazard.store(seen, SeqCst);
                if current.load(SeqCst) == seen {
                    break;
                }
            }
            hazard.store(0, SeqCst);
        } else {
            let old = current.swap(2, SeqCst);
            while hazard.load(SeqCst) == old {}
        }
    })
}

#[test]
fn queue_locks() {
    assert_eq!([counts(2, mcs_lock), counts(3, clh_lock)], [(6, 0), (6, 0)]);
}

#[test]
fn locks_by_loads_and_stores() {
    assert_eq!([counts(2, bakery), counts(2, peterson)], [(9, 0), (4, 4)]);
}

#[test]
fn a_barrier_by_sense() {
    assert_eq!(counts(2, sense_barrier), (4, 0));
}

#[test]
fn memory_that_is_freed_when_nobody_reads() {
    assert_eq!([counts(2, rcu_list), counts(2, hazard_pointer)], [(3, 0), (7, 0)]);
}

/// The queue of Michael and Scott: two threads enqueue, and node 1 is in it. Given whose node comes first, the other one finds the tail
/// moved on; or it moves it on itself, and the first finds that out before or after the other moves it again.
fn michael_scott() -> Body {
    let (next, tail) = (numbers::<3>(), AtomicUsize::new(1));
    Box::new(move |mine| {
        loop {
            let last = tail.load(SeqCst);
            let found = next[last - 1].load(SeqCst);
            if found != 0 {
                _ = tail.compare_exchange(last, found, SeqCst, SeqCst);
            } else if next[last - 1].compare_exchange(0, mine + 2, SeqCst, SeqCst).is_ok() {
                _ = tail.compare_exchange(last, mine + 2, SeqCst, SeqCst);
                return;
            }
        }
    })
}

#[test]
fn a_queue_without_locks() {
    assert_eq!(counts(2, michael_scott), (6, 2));
}

/// A sequence lock whose reader tries again: all that it sees at last is from before the write, or from after it. That is 2.
fn sequence_lock() -> Body {
    let [sequence, left, right] = numbers::<3>();
    Box::new(move |number| {
        if number == 0 {
            sequence.store(1, SeqCst);
            left.store(1, SeqCst);
            right.store(1, SeqCst);
            sequence.store(2, SeqCst);
            return;
        }
        loop {
            let before = sequence.load(SeqCst);
            let both = (left.load(SeqCst), right.load(SeqCst));
            if before % 2 == 0 && sequence.load(SeqCst) == before {
                assert_eq!(both.0, both.1);
                return;
            }
        }
    })
}

/// The deque of Chase and Lev: its owner pushes and pops one item, a thief steals until it has one or there is none. It finds none: before
/// the push; while the owner pops, before or after that has taken the item; after the pop. Or it takes the item: before the owner
/// looks, or after.
fn chase_lev() -> Body {
    let [top, bottom] = numbers::<2>();
    Box::new(move |number| {
        if number == 1 {
            loop {
                let oldest = top.load(SeqCst);
                if oldest >= bottom.load(SeqCst) || top.compare_exchange(oldest, oldest + 1, SeqCst, SeqCst).is_ok() {
                    return;
                }
            }
        }
        bottom.store(1, SeqCst);
        bottom.store(0, SeqCst);
        if top.load(SeqCst) == 0 {
            _ = top.compare_exchange(0, 1, SeqCst, SeqCst);
        }
        bottom.store(1, SeqCst);
    })
}

#[test]
fn data_that_are_read_again() {
    assert_eq!(counts(2, sequence_lock), (2, 6));
}

#[test]
fn a_deque() {
    assert_eq!(counts(2, chase_lev), (6, 2));
}

/// Each enqueues, then dequeues. Another checker needs 30, and C code without dead values 6: what stays in the frame depends on the build.
#[test]
fn a_bounded_queue() {
    let (completed, _) = counts(2, bounded_queue);
    assert!((6..=30).contains(&completed), "{completed}");
}

/// What is exchanged is in no register any more when the thread waits: an exchange of 2 for 1 is none of 1 for 1.
#[test]
fn operands_are_part_of_what_a_thread_is() {
    crate::common::proved(|| {
        let both = Arc::new((AtomicUsize::new(1), AtomicUsize::new(1)));
        let theirs = both.clone();
        let child = thread::spawn(move || {
            theirs.0.store(2, SeqCst);
            while theirs.1.load(SeqCst) != 2 {}
            theirs.1.store(5, SeqCst);
        });
        while both.1.swap(both.0.load(SeqCst), SeqCst) != 5 {}
        child.join().unwrap();
    });
}
