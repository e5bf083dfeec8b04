//! A test for shuttle runs unchanged.

use shuttle::future::batch_semaphore::{BatchSemaphore, Fairness, TryAcquireError};
use shuttle::rand::{Rng, thread_rng};
use shuttle::scheduler::{DfsScheduler, PctScheduler, RandomScheduler};
use shuttle::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use shuttle::sync::{Arc, Mutex};
use shuttle::{Config, FailurePersistence, MaxSteps, PortfolioRunner, Runner, current, thread};
use std::panic::catch_unwind;

fn lost_update() {
    let counter = Arc::new(AtomicUsize::new(0));
    let theirs = counter.clone();
    let thread = thread::spawn(move || theirs.store(theirs.load(SeqCst) + 1, SeqCst));
    counter.store(counter.load(SeqCst) + 1, SeqCst);
    thread.join().unwrap();
    assert_eq!(counter.load(SeqCst), 2);
}

fn message(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = catch_unwind(f).expect_err("a failure");
    panic.downcast_ref::<String>().expect("a text").clone()
}

#[test]
fn every_way_to_search_finds_a_lost_update() {
    let ways: [fn(); 5] = [
        || shuttle::check_dfs(lost_update, None),
        || shuttle::check_random(lost_update, 200),
        || shuttle::check_random_with_seed(lost_update, 7, 200),
        || shuttle::check_pct(lost_update, 200, 2),
        || shuttle::check_urw(lost_update, 200),
    ];
    for way in ways {
        assert!(message(way).contains("assertion"));
    }
}

#[test]
fn a_schedule_is_replayed_from_text_and_from_a_file() {
    let folder = std::env::temp_dir().join(format!("mazurka-shuttle-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut config = Config::new();
    config.failure_persistence = FailurePersistence::File(Some(folder.clone()));
    let said = message(std::panic::AssertUnwindSafe(|| {
        Runner::new(DfsScheduler::new(None, false), config).run(lost_update);
    }));
    let file = folder.join("schedule000.txt");
    assert!(said.contains(&file.display().to_string()), "{said}");
    let schedule = std::fs::read_to_string(&file).unwrap();
    assert!(message(move || shuttle::replay(lost_update, &schedule)).contains("assertion"));
    assert!(message(move || shuttle::replay_from_file(lost_update, &file)).contains("assertion"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn runners_count_executions_and_bound_steps() {
    let two = || {
        let x = Arc::new(AtomicUsize::new(0));
        let theirs = x.clone();
        let thread = thread::spawn(move || theirs.fetch_add(1, SeqCst));
        x.fetch_add(1, SeqCst);
        thread.join().unwrap();
    };
    assert_eq!(Runner::new(DfsScheduler::new(None, false), Config::new()).run(two), 2);
    assert_eq!(Runner::new(RandomScheduler::new(9), Config::new()).run(two), 9);
    assert_eq!(Runner::new(PctScheduler::new(2, 9), Config::new()).run(two), 9);
    let mut config = Config::new();
    config.max_steps = MaxSteps::FailAfter(3);
    let said = message(std::panic::AssertUnwindSafe(move || {
        Runner::new(DfsScheduler::new(None, false), config).run(two);
    }));
    assert!(said.contains("within 3 steps"), "{said}");
    for scheduler in [0, 1] {
        let mut config = Config::new();
        config.max_steps = MaxSteps::FailAfter(100);
        let without_end = || {
            let x = AtomicUsize::new(0);
            while x.fetch_add(1, SeqCst) < usize::MAX {}
        };
        let said = message(std::panic::AssertUnwindSafe(move || {
            match scheduler {
                0 => Runner::new(RandomScheduler::new(3), config).run(without_end),
                _ => Runner::new(PctScheduler::new(2, 3), config).run(without_end),
            };
        }));
        assert!(said.contains("within 100 steps"), "{said}");
    }
    let mut portfolio = PortfolioRunner::new(true, Config::new());
    portfolio.add(RandomScheduler::new(3));
    portfolio.add(DfsScheduler::new(None, false));
    portfolio.run(two);
}

#[test]
fn a_panic_of_a_thread_is_one_of_the_test_also_when_it_is_joined() {
    let joined = || assert!(thread::spawn(|| panic!("in the thread")).join().is_err());
    assert!(message(move || shuttle::check_dfs(joined, None)).contains("in the thread"));
}

#[test]
fn random_numbers_are_chosen_by_the_search_or_fixed_or_refused() {
    shuttle::check_random(|| assert!(thread_rng().gen_range(0..10) < 10), 20);
    let both = || assert!(thread_rng().gen_bool(0.5));
    assert!(message(move || shuttle::check_random(both, 100)).contains("assertion"));
    Runner::new(DfsScheduler::new(None, true), Config::new()).run(|| {
        let (a, b): (u64, u64) = (thread_rng().r#gen(), thread_rng().r#gen());
        assert_ne!(a, b);
    });
    let refused = || assert!(thread_rng().r#gen::<u32>() > 0);
    assert!(message(move || shuttle::check_dfs(refused, None)).contains("exhaustive"));
}

shuttle::lazy_static! {
    static ref COUNT: Mutex<u32> = Mutex::new(0);
}

shuttle::thread_local! {
    static LOCAL: std::cell::Cell<u32> = std::cell::Cell::new(3);
}

#[test]
fn statics_and_labels_start_afresh() {
    shuttle::check_dfs(
        || {
            #[derive(Clone, Debug, PartialEq)]
            struct Label(u32);
            let me = current::me();
            assert_eq!(current::set_label_for_task(me, Label(1)), None);
            assert_eq!(current::get_label_for_task(me), Some(Label(1)));
            assert_eq!(current::set_name_for_task(me, "first"), None);
            assert_eq!(String::from(current::get_name_for_task(me).unwrap()), "first");
            let thread = thread::spawn(|| {
                *COUNT.lock().unwrap() += 1;
                LOCAL.with(|local| local.set(4));
                current::me()
            });
            *COUNT.lock().unwrap() += 1;
            assert_ne!(thread.join().unwrap(), me);
            assert_eq!((*COUNT.lock().unwrap(), LOCAL.with(std::cell::Cell::get)), (2, 3));
        },
        None,
    );
}

#[test]
fn tasks_are_joined_and_aborted() {
    shuttle::check_dfs(
        || {
            let semaphore = Arc::new(BatchSemaphore::new(1, Fairness::StrictlyFair));
            let theirs = semaphore.clone();
            let task = shuttle::future::spawn(async move {
                theirs.acquire(1).await.unwrap();
                theirs.release(1);
                5
            });
            semaphore.acquire_blocking(1).unwrap();
            assert_eq!(semaphore.try_acquire(1), Err(TryAcquireError::NoPermits));
            semaphore.release(1);
            assert_eq!(shuttle::future::block_on(task), Ok(5));
            let endless = shuttle::future::spawn(std::future::pending::<()>());
            endless.abort();
            assert_eq!(shuttle::future::block_on(endless), Err(shuttle::future::JoinError::Cancelled));
            semaphore.close();
            assert!(semaphore.acquire_blocking(1).is_err());
        },
        None,
    );
}
