//! Asynchronous code: tasks, wakers, time.

use crate::common::{outcomes, proved};
use futures_util::future::{Either, FutureExt, join, join_all, select};
use futures_util::pin_mut;
use mazurka::future::{self, AtomicWaker, block_on};
use mazurka::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use mazurka::sync::{Arc, Mutex};
use mazurka::{Checker, FindingKind};
use std::future::{Future, pending, poll_fn};
use std::task::Poll;
use std::time::Duration;

/// Ready when the flag is set; the waker is left before the flag is looked at.
fn flag(set: &AtomicBool, waker: &AtomicWaker) -> impl Future<Output = ()> {
    poll_fn(move |context| {
        waker.register_by_ref(context.waker());
        if set.load(SeqCst) { Poll::Ready(()) } else { Poll::Pending }
    })
}

#[test]
fn tasks_run_beside_each_other_in_every_order() {
    let all = outcomes(|| {
        let log = Arc::new(Mutex::new(Vec::new()));
        let tasks = [1, 2].map(|n| {
            let log = log.clone();
            future::spawn(async move {
                log.lock().unwrap().push(n);
                n
            })
        });
        let [a, b] = tasks;
        assert_eq!(block_on(join(a, b)), (Ok(1), Ok(2)));
        log.lock().unwrap().clone()
    });
    assert_eq!(all, [[1, 2], [2, 1]]);
}

#[test]
fn combinators_of_futures_util_run_unchanged() {
    let all = outcomes(|| {
        let tasks: Vec<_> = (0..2).map(|n| future::spawn(async move { n })).collect();
        let (a, b) = (future::spawn(async { 7 }), future::spawn(async { 8 }));
        block_on(async {
            let sum: i32 = join_all(tasks).await.into_iter().map(Result::unwrap).sum();
            assert_eq!(sum, 1);
            match select(a, b).await {
                Either::Left((a, rest)) => (a.unwrap(), rest.await.unwrap()),
                Either::Right((b, rest)) => (b.unwrap(), rest.await.unwrap()),
            }
        })
    });
    assert_eq!(all, [(7, 8), (8, 7)]);
}

#[test]
fn join_and_select_as_macros() {
    proved(|| {
        let x = Arc::new(AtomicU32::new(0));
        let theirs = x.clone();
        let task = future::spawn(async move { theirs.fetch_add(1, SeqCst) }).fuse();
        block_on(async {
            pin_mut!(task);
            let (_, two) = futures_util::join!(future::yield_now(), async { 2 });
            futures_util::select! {
                result = task => assert!(result.is_ok() && x.load(SeqCst) == 1 && two == 2),
            }
        });
    });
}

#[test]
fn a_lost_wake_up_is_a_deadlock_with_the_tasks_name_and_place() {
    let report = Checker::new().check(|| {
        let (set, waker) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicWaker::new()));
        let (theirs, left) = (set.clone(), waker.clone());
        let task = future::Builder::new().name("consumer").spawn(async move {
            poll_fn(|context| {
                if theirs.load(SeqCst) {
                    return Poll::Ready(());
                }
                left.register_by_ref(context.waker());
                Poll::Pending
            })
            .await;
        });
        set.store(true, SeqCst);
        waker.wake();
        block_on(task).unwrap();
    });
    let finding = report.finding().expect("the waker may come too late");
    assert_eq!(finding.kind, FindingKind::Deadlock);
    let line = finding.text.lines().find(|line| line.starts_with("consumer")).expect("a line for the task");
    assert!(line.contains("waits to be woken") && line.contains("futures.rs"), "{}", finding.text);
}

#[test]
fn who_leaves_the_waker_first_is_always_woken() {
    proved(|| {
        let (set, waker) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicWaker::new()));
        let (theirs, left) = (set.clone(), waker.clone());
        future::spawn(async move {
            theirs.store(true, SeqCst);
            left.wake();
        });
        block_on(flag(&set, &waker));
    });
}

#[test]
fn an_aborted_task_drops_its_future_and_says_so() {
    let all = outcomes(|| {
        struct Dropped(Arc<AtomicU32>);
        impl Drop for Dropped {
            fn drop(&mut self) {
                self.0.fetch_add(1, SeqCst);
            }
        }
        let drops = Arc::new(AtomicU32::new(0));
        let theirs = Dropped(drops.clone());
        let task = future::spawn(async move {
            let _theirs = theirs;
            future::yield_now().await;
            5
        });
        let handle = task.abort_handle();
        // As a thread may have it.
        mazurka::thread::spawn(move || handle.abort()).join().unwrap();
        let result = block_on(task);
        assert_eq!(drops.load(SeqCst), 1);
        result.map_err(|error| error.is_cancelled())
    });
    assert_eq!(all, [Ok(5), Err(true)]);
}

#[test]
fn a_task_that_waits_for_ever_ends_when_it_is_aborted() {
    proved(|| {
        let task = future::spawn(pending::<()>());
        task.abort();
        assert!(block_on(task).is_err_and(|error| error.is_cancelled() && !error.is_panic()));
    });
}

#[test]
fn who_is_told_of_a_tasks_panic_deals_with_it() {
    let panics = || -> future::JoinHandle<()> { future::spawn(async { panic!("in the task") }) };
    let told = move || assert!(block_on(panics()).is_err_and(|error| error.is_panic()));
    proved(told);
    for report in [Checker::new().joined_panics(true).check(told), Checker::new().check(move || drop(panics()))] {
        assert_eq!(report.finding().map(|finding| finding.kind), Some(FindingKind::Panic), "{report}");
    }
}

#[test]
fn a_time_out_may_come_before_or_after() {
    let all = outcomes(|| {
        let (set, waker) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicWaker::new()));
        let (theirs, left) = (set.clone(), waker.clone());
        future::spawn(async move {
            theirs.store(true, SeqCst);
            left.wake();
        });
        block_on(future::timeout(Duration::from_secs(1), flag(&set, &waker))).is_ok()
    });
    assert_eq!(all, [false, true]);
}

#[test]
fn a_sleep_ends_and_nothing_else_is_needed() {
    let all = outcomes(|| {
        block_on(async {
            let (a, b) = (future::sleep(Duration::from_secs(2)), future::sleep(Duration::from_secs(1)));
            pin_mut!(a, b);
            match select(a, b).await {
                Either::Left(_) => "the longer",
                Either::Right(_) => "the shorter",
            }
        })
    });
    assert_eq!(all, ["the longer", "the shorter"]);
}

/// It should be proved: each round wakes the task itself and takes that back, which counts as a change so far. (See
/// docs/soundness.md on asynchronous code.)
#[test]
fn a_task_that_polls_with_yield_now_waits() {
    let report = Checker::new().max_executions(50).max_steps(2_000).check(|| {
        let set = Arc::new(AtomicBool::new(false));
        let theirs = set.clone();
        future::spawn(async move { theirs.store(true, SeqCst) });
        block_on(async {
            while !set.load(SeqCst) {
                future::yield_now().await;
            }
        });
    });
    assert!(report.is_proof(), "{report}");
}

#[test]
fn tasks_that_are_not_send_are_spawned_locally() {
    proved(|| {
        let shared = std::rc::Rc::new(std::cell::Cell::new(1));
        let theirs = shared.clone();
        let task = future::spawn_local(async move { theirs.set(2) });
        block_on(task).unwrap();
        assert_eq!(shared.get(), 2);
    });
}
