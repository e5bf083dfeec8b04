//! Statics, and values of threads, which somebody makes first.

use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka::sync::{Arc, LazyLock, Mutex, OnceLock};
use mazurka::{Checker, thread};

static OUTER: LazyLock<Vec<Mutex<u32>>> =
    LazyLock::new(|| (0..3).map(|_| Mutex::new(*INNER.lock().unwrap())).collect());
static INNER: LazyLock<Mutex<u32>> = LazyLock::new(|| Mutex::new(1));
static NAMES: OnceLock<Mutex<Vec<Arc<AtomicU32>>>> = OnceLock::new();

#[test]
fn statics_that_make_each_other() {
    for algorithm in ["pop", "optimal", "source"] {
        let report = Checker::new().algorithm(algorithm).check(|| {
            let one = thread::spawn(|| *OUTER[0].lock().unwrap() += 1);
            let two = thread::spawn(|| *INNER.lock().unwrap() += 0);
            *OUTER[1].lock().unwrap() += 1;
            one.join().unwrap();
            two.join().unwrap();
            assert_eq!(OUTER.iter().map(|x| *x.lock().unwrap()).sum::<u32>(), 5);
        });
        assert!(report.is_proof(), "{algorithm}: {report}");
    }
}

#[test]
fn a_static_list_that_grows() {
    for algorithm in ["pop", "optimal", "source"] {
        let report = Checker::new().algorithm(algorithm).check(|| {
            let register = || {
                let mine = Arc::new(AtomicU32::new(0));
                NAMES.get_or_init(Mutex::default).lock().unwrap().push(mine.clone());
                mine.store(1, SeqCst);
            };
            let threads = [thread::spawn(register), thread::spawn(register)];
            threads.into_iter().for_each(|thread| thread.join().unwrap());
            let names = NAMES.get().unwrap().lock().unwrap();
            assert_eq!(names.iter().map(|name| name.load(SeqCst)).sum::<u32>(), 2);
        });
        assert!(report.is_proof(), "{algorithm}: {report}");
    }
}

mazurka::thread_local! {
    static KEPT: Arc<AtomicU32> = {
        let kept = Arc::new(AtomicU32::new(0));
        INNER.lock().unwrap();
        kept
    };
}

#[test]
fn thread_locals_that_use_statics() {
    for algorithm in ["pop", "optimal"] {
        let report = Checker::new().algorithm(algorithm).check(|| {
            let threads = [0, 1].map(|_| thread::spawn(|| KEPT.with(|kept| kept.fetch_add(1, SeqCst))));
            assert_eq!(threads.map(|thread| thread.join().unwrap()), [0, 0]);
        });
        assert!(report.is_proof(), "{algorithm}: {report}");
    }
}
