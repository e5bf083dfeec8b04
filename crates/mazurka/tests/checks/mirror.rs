//! The mirrors of std do what std does, in every execution.

#![allow(unsafe_code, reason = "lock-free code under test")]

use crate::common::{outcomes, proved};
use mazurka::sync::atomic::{
    self, AtomicBool, AtomicI8, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize, Ordering::SeqCst,
};
use mazurka::sync::{Arc, Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock, mpsc};
use mazurka::{Checker, thread};
use std::time::Duration;

#[test]
fn atomics_compute_as_std_does() {
    proved(|| {
        let x = AtomicU8::new(250);
        assert_eq!((x.fetch_add(10, SeqCst), x.load(SeqCst)), (250, 4));
        assert_eq!((x.fetch_sub(5, SeqCst), x.load(SeqCst)), (4, 255));
        assert_eq!((x.fetch_and(0b1010, SeqCst), x.load(SeqCst)), (255, 10));
        assert_eq!((x.fetch_nand(0b0010, SeqCst), x.load(SeqCst)), (10, 253));
        assert_eq!((x.swap(8, SeqCst), x.fetch_or(1, SeqCst), x.fetch_xor(3, SeqCst), x.load(SeqCst)), (253, 8, 9, 10));
        assert_eq!((x.fetch_max(11, SeqCst), x.fetch_min(3, SeqCst), x.load(SeqCst)), (10, 11, 3));
        assert_eq!(x.compare_exchange(3, 4, SeqCst, SeqCst), Ok(3));
        assert_eq!(x.compare_exchange_weak(3, 4, SeqCst, SeqCst), Err(4));
        assert_eq!(x.fetch_update(SeqCst, SeqCst, |v| Some(v + 1)), Ok(4));
        assert_eq!(x.fetch_update(SeqCst, SeqCst, |_| None), Err(5));
        let mut x = x;
        *x.get_mut() = 9;
        assert_eq!((x.load(SeqCst), x.into_inner()), (9, 9));
        let y = AtomicI8::new(-128);
        assert_eq!((y.fetch_sub(1, SeqCst), y.fetch_max(-3, SeqCst), y.fetch_min(-5, SeqCst)), (-128, 127, 127));
        assert_eq!(y.load(SeqCst), -5);
        let b = AtomicBool::new(true);
        assert!(b.fetch_nand(true, SeqCst) && !b.fetch_not(SeqCst) && b.fetch_and(false, SeqCst) && !b.load(SeqCst));
        atomic::fence(SeqCst);
    });
}

#[test]
#[should_panic(expected = "Release load")]
fn orderings_that_make_no_sense_panic() {
    mazurka::check(|| {
        AtomicU32::new(0).load(atomic::Ordering::Release);
    });
}

#[test]
fn pointers_are_the_same_in_every_run_whatever_their_address() {
    proved(|| {
        let slot = Arc::new(AtomicPtr::new(std::ptr::null_mut::<u32>()));
        let put = |slot: &Arc<AtomicPtr<u32>>, value| {
            let slot = slot.clone();
            thread::spawn(move || {
                let new = Box::into_raw(Box::new(value));
                let old = slot.swap(new, SeqCst);
                if !old.is_null() {
                    // SAFETY: it was put there by the other thread, and taken out by this one.
                    drop(unsafe { Box::from_raw(old) });
                }
            })
        };
        for thread in [put(&slot, 1), put(&slot, 2)] {
            thread.join().unwrap();
        }
        // SAFETY: the last one put there.
        let last = unsafe { Box::from_raw(slot.load(SeqCst)) };
        assert!(*last == 1 || *last == 2);
    });
}

#[test]
fn poisoning() {
    proved(|| {
        let mutex = Mutex::new(1);
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut guard = mutex.lock().unwrap();
            *guard = 2;
            panic!("on purpose");
        }));
        assert!(caught.is_err() && mutex.is_poisoned());
        assert_eq!(*mutex.lock().unwrap_err().into_inner(), 2);
        mutex.clear_poison();
        assert_eq!(mutex.into_inner().unwrap(), 2);
    });
}

#[test]
fn try_locks_find_the_lock_held_or_not() {
    let taken = outcomes(|| {
        let lock = Arc::new((Mutex::new(()), RwLock::new(())));
        let theirs = lock.clone();
        let thread = thread::spawn(move || {
            let _a = theirs.0.lock().unwrap();
            let _b = theirs.1.read().unwrap();
        });
        let mutex = lock.0.try_lock().is_ok();
        let writer = lock.1.try_write().is_ok();
        let taken = (mutex, writer, lock.1.try_read().is_ok());
        thread.join().unwrap();
        taken
    });
    assert_eq!(taken.len(), 4, "{taken:?}");
    assert!(taken.iter().all(|t| t.2), "readers do not exclude each other: {taken:?}");
}

#[test]
fn readers_share_and_writers_do_not() {
    let report = proved(|| {
        let lock = Arc::new(RwLock::new(0));
        let reader = |lock: &Arc<RwLock<u32>>| {
            let lock = lock.clone();
            thread::spawn(move || *lock.read().unwrap())
        };
        let threads = [reader(&lock), reader(&lock)];
        *lock.write().unwrap() += 1;
        threads.into_iter().for_each(|thread| assert!(thread.join().unwrap() <= 1));
    });
    assert_eq!(report.executions(), 4);
}

#[test]
fn a_condition_variable_wakes_those_who_wait() {
    proved(|| {
        let pair = Arc::new((Mutex::new(0), Condvar::new()));
        let waiter = |pair: &Arc<(Mutex<i32>, Condvar)>| {
            let pair = pair.clone();
            thread::spawn(move || {
                let guard = pair.1.wait_while(pair.0.lock().unwrap(), |ready| *ready == 0).unwrap();
                assert_eq!(*guard, 1);
            })
        };
        let threads = [waiter(&pair), waiter(&pair)];
        *pair.0.lock().unwrap() = 1;
        pair.1.notify_all();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn a_wait_with_a_time_out_ends_both_ways() {
    let ways = outcomes(|| {
        let pair = Arc::new((Mutex::new(false), Condvar::new()));
        let theirs = pair.clone();
        let thread = thread::spawn(move || {
            *theirs.0.lock().unwrap() = true;
            theirs.1.notify_one();
        });
        let guard = pair.0.lock().unwrap();
        let (guard, result) = pair.1.wait_timeout(guard, Duration::from_secs(1)).unwrap();
        let way = (*guard, result.timed_out());
        drop(guard);
        thread.join().unwrap();
        way
    });
    assert_eq!(ways, [(false, true), (true, false), (true, true)]);
    proved(|| {
        let mutex = Mutex::new(());
        let (_guard, result) = Condvar::new().wait_timeout(mutex.lock().unwrap(), Duration::ZERO).unwrap();
        assert!(result.timed_out());
    });
}

#[test]
fn a_barrier_has_one_leader() {
    proved(|| {
        let barrier = Arc::new(Barrier::new(2));
        let theirs = barrier.clone();
        let thread = thread::spawn(move || (theirs.wait().is_leader(), theirs.wait().is_leader()));
        let (first, second) = (barrier.wait().is_leader(), barrier.wait().is_leader());
        let others = thread.join().unwrap();
        assert!(first != others.0 && second != others.1);
    });
}

#[test]
fn once_is_once() {
    proved(|| {
        let once = Arc::new(Once::new());
        let calls = Arc::new(AtomicU32::new(0));
        let call = |once: &Arc<Once>, calls: &Arc<AtomicU32>| {
            let (once, calls) = (once.clone(), calls.clone());
            thread::spawn(move || {
                once.call_once(|| {
                    calls.fetch_add(1, SeqCst);
                });
                assert_eq!(calls.load(SeqCst), 1);
            })
        };
        for thread in [call(&once, &calls), call(&once, &calls)] {
            thread.join().unwrap();
        }
        assert!(once.is_completed());
    });
}

#[test]
fn statics_start_afresh_in_every_run() {
    static COUNT: AtomicUsize = AtomicUsize::new(5);
    static LIST: Mutex<Vec<u32>> = Mutex::new(Vec::new());
    static CELL: OnceLock<String> = OnceLock::new();
    static LAZY: LazyLock<Vec<u32>> = LazyLock::new(|| vec![1, 2]);
    let report = proved(|| {
        let add = || {
            thread::spawn(|| {
                COUNT.fetch_add(1, SeqCst);
                LIST.lock().unwrap().push(7);
                CELL.get_or_init(|| "made".to_owned()).len() + LAZY.len()
            })
        };
        for thread in [add(), add()] {
            assert_eq!(thread.join().unwrap(), 6);
        }
        assert_eq!(COUNT.load(SeqCst), 7);
        assert_eq!(*LIST.lock().unwrap(), [7, 7]);
    });
    assert!(report.executions() > 4);
}

#[test]
fn messages_arrive_in_every_order() {
    let report = proved(|| {
        let (sender, receiver) = mpsc::channel();
        for i in 0..4 {
            let sender = sender.clone();
            thread::spawn(move || sender.send(i).unwrap());
        }
        let mut all: Vec<i32> = (0..4).map(|_| receiver.recv().unwrap()).collect();
        all.sort();
        assert_eq!(all, [0, 1, 2, 3]);
    });
    assert_eq!(report.executions(), 24);
}

#[test]
fn senders_and_one_receiver_cost_no_more_than_the_orders_of_messages() {
    let executions = |algorithm: &str, senders: u32, received: u32| {
        let report = Checker::new().algorithm(algorithm).check(move || {
            let (sender, receiver) = mpsc::channel();
            let threads: Vec<_> = (0..senders)
                .map(|i| {
                    let sender = sender.clone();
                    thread::spawn(move || sender.send(i).unwrap())
                })
                .collect();
            drop(sender);
            let got = (0..received).map(|_| receiver.recv().unwrap()).sum::<u32>();
            assert!(got <= senders * senders);
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        });
        assert!(report.is_proof(), "{report}");
        report.executions()
    };
    for (senders, orders) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120)] {
        for algorithm in ["optimal", "source"] {
            assert_eq!(executions(algorithm, senders, senders), orders, "{senders} by {algorithm}");
        }
    }
    assert!(executions("optimal", 4, 1) <= 24);
}

#[test]
fn a_channel_is_known_to_be_closed_as_soon_as_the_last_sender_is_gone() {
    proved(|| {
        let (sender, receiver) = mpsc::channel();
        sender.send(1).unwrap();
        drop(sender);
        assert_eq!(receiver.try_recv(), Ok(1));
        assert_eq!(receiver.try_recv(), Err(mpsc::TryRecvError::Disconnected));
        assert_eq!(receiver.recv(), Err(mpsc::RecvError));
        assert_eq!(receiver.recv_timeout(Duration::ZERO), Err(mpsc::RecvTimeoutError::Disconnected));
    });
    proved(|| {
        let (sender, receiver) = mpsc::sync_channel::<u8>(0);
        drop(sender);
        assert_eq!(receiver.try_recv(), Err(mpsc::TryRecvError::Disconnected));
        assert_eq!(receiver.iter().count(), 0);
    });
    proved(|| {
        let (sender, receiver) = mpsc::sync_channel(1);
        drop(receiver);
        assert_eq!(sender.try_send(1), Err(mpsc::TrySendError::Disconnected(1)));
        assert_eq!(sender.send(2), Err(mpsc::SendError(2)));
    });
}

#[test]
fn a_receiver_that_looks_again_and_again_waits_for_a_message() {
    proved(|| {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || sender.send(7).unwrap());
        let got = loop {
            match receiver.try_recv() {
                Ok(message) => break message,
                Err(error) => assert_eq!(error, mpsc::TryRecvError::Empty),
            }
        };
        assert_eq!(got, 7);
    });
}

#[test]
fn a_try_recv_on_a_rendezvous_meets_a_sender_that_waits_or_not() {
    let met = outcomes(|| {
        let (sender, receiver) = mpsc::sync_channel(0);
        let thread = thread::spawn(move || sender.send(7).is_ok());
        let got = receiver.try_recv().ok();
        drop(receiver);
        assert_eq!(thread.join().unwrap(), got.is_some());
        got
    });
    assert_eq!(met, [None, Some(7)]);
    // Nobody waits when both only try.
    proved(|| {
        let (sender, receiver) = mpsc::sync_channel(0);
        let thread = thread::spawn(move || sender.try_send(7).is_ok());
        assert_eq!(receiver.try_recv().ok(), None);
        assert!(!thread.join().unwrap());
    });
}

#[test]
fn a_channel_closes_when_the_last_sender_is_gone() {
    proved(|| {
        let (sender, receiver) = mpsc::channel();
        let other = sender.clone();
        thread::spawn(move || sender.send(1).unwrap());
        thread::spawn(move || other.send(2).unwrap());
        let all: Vec<i32> = receiver.iter().collect();
        assert_eq!(all.iter().sum::<i32>(), 3);
        assert_eq!(receiver.try_recv(), Err(mpsc::TryRecvError::Disconnected));
    });
    let sent = outcomes(|| {
        let (sender, receiver) = mpsc::channel();
        let thread = thread::spawn(move || drop(receiver));
        let sent = sender.send(1).is_ok();
        thread.join().unwrap();
        sent
    });
    assert_eq!(sent, [false, true]);
    let got = outcomes(|| {
        let (sender, receiver) = mpsc::channel();
        let thread = thread::spawn(move || sender.send(1));
        let got = receiver.recv_timeout(Duration::from_secs(1)).ok();
        thread.join().unwrap().unwrap();
        got
    });
    assert_eq!(got, [None, Some(1)]);
}

#[test]
fn a_bounded_channel_makes_senders_wait() {
    proved(|| {
        let (sender, receiver) = mpsc::sync_channel(1);
        let thread = thread::spawn(move || (0..3).for_each(|i| sender.send(i).unwrap()));
        assert_eq!((0..3).map(|_| receiver.recv().unwrap()).collect::<Vec<_>>(), [0, 1, 2]);
        thread.join().unwrap();
    });
    proved(|| {
        let (sender, receiver) = mpsc::sync_channel(0);
        let received = Arc::new(AtomicBool::new(false));
        let theirs = received.clone();
        let thread = thread::spawn(move || {
            assert_eq!(receiver.recv(), Ok(7));
            theirs.store(true, SeqCst);
        });
        sender.send(7).unwrap();
        thread.join().unwrap();
        assert!(received.load(SeqCst));
    });
    proved(|| {
        let (sender, receiver) = mpsc::sync_channel(0);
        let thread = thread::spawn(move || drop(receiver));
        assert!(sender.send(7).is_err());
        thread.join().unwrap();
    });
    let full = outcomes(|| {
        let (sender, receiver) = mpsc::sync_channel(1);
        let thread = thread::spawn(move || receiver.recv().unwrap());
        sender.send(1).unwrap();
        let full = sender.try_send(2).is_err();
        thread.join().unwrap();
        full
    });
    assert_eq!(full, [false, true]);
}

#[test]
fn a_try_send_meets_a_receiver_that_waits_or_not() {
    let met = outcomes(|| {
        let (sender, receiver) = mpsc::sync_channel(0);
        let thread = thread::spawn(move || receiver.recv());
        let sent = sender.try_send(7);
        assert!(matches!(sent, Ok(()) | Err(mpsc::TrySendError::Full(7))));
        drop(sender);
        assert_eq!(thread.join().unwrap().is_ok(), sent.is_ok());
        sent.is_ok()
    });
    assert_eq!(met, [false, true]);
    let gone = outcomes(|| {
        let (sender, receiver) = mpsc::sync_channel::<u8>(0);
        let thread = thread::spawn(move || drop(receiver));
        let sent = sender.try_send(7);
        thread.join().unwrap();
        sent == Err(mpsc::TrySendError::Disconnected(7))
    });
    assert_eq!(gone, [false, true]);
    // One receive meets one of the senders only.
    let met = outcomes(|| {
        let (sender, receiver) = mpsc::sync_channel(0);
        let other = sender.clone();
        let receives = thread::spawn(move || receiver.recv());
        let tries = thread::spawn(move || other.try_send(1).is_ok());
        let sent = sender.try_send(2).is_ok();
        drop(sender);
        let tried = tries.join().unwrap();
        assert_eq!(receives.join().unwrap().ok(), if sent { Some(2) } else { tried.then_some(1) });
        (sent, tried)
    });
    assert_eq!(met, [(false, false), (false, true), (true, false)]);
}
