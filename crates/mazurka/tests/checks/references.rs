//! `Arc` and `Weak`: what can be told of counts is explored, and what cannot costs nothing.

use crate::common::{classes, outcomes, proved};
use mazurka::cell::UnsafeCell;
use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka::sync::{Arc, Mutex, Weak};
use mazurka::{Checker, FindingKind, thread};

#[test]
fn clones_and_drops_alone_are_one_execution() {
    classes(1, || {
        let value = Arc::new(vec![1, 2, 3]);
        for _ in 0..4 {
            let value = value.clone();
            thread::spawn(move || drop(value.clone()));
        }
        drop(value);
    });
}

#[test]
fn a_reference_is_upgraded_before_or_after_the_last_is_dropped() {
    let seen = outcomes(|| {
        let value = Arc::new(7);
        let weak = Arc::downgrade(&value);
        let dropper = thread::spawn(move || drop(value));
        let found = weak.upgrade().map(|value| *value);
        dropper.join().unwrap();
        assert!(weak.upgrade().is_none());
        found
    });
    assert_eq!(seen, [None, Some(7)]);
}

#[test]
fn counts_are_seen_as_they_are() {
    let seen = outcomes(|| {
        let value = Arc::new(());
        let other = value.clone();
        let child = thread::spawn(move || drop(other.clone()));
        let (strong, weak) = (Arc::strong_count(&value), Arc::weak_count(&value));
        child.join().unwrap();
        assert_eq!(Arc::strong_count(&value), 1);
        assert_eq!(weak, 0);
        strong
    });
    assert_eq!(seen, [1, 2, 3]);
    let seen = outcomes(|| {
        let value = Arc::new(());
        let weak = Arc::downgrade(&value);
        let child = thread::spawn(move || drop(weak.clone()));
        let count = Arc::weak_count(&value);
        child.join().unwrap();
        count
    });
    assert_eq!(seen, [0, 1, 2]);
}

#[test]
fn a_value_is_got_by_its_only_reference() {
    let program = |take: fn(Arc<u32>) -> bool| {
        outcomes(move || {
            let value = Arc::new(1);
            let other = value.clone();
            let child = thread::spawn(move || drop(other));
            let got = take(value);
            child.join().unwrap();
            got
        })
    };
    assert_eq!(program(|value| Arc::try_unwrap(value).is_ok()), [false, true]);
    assert_eq!(program(|value| Arc::into_inner(value).is_some()), [false, true]);
    assert_eq!(program(|mut value| Arc::get_mut(&mut value).is_some()), [false, true]);
    assert_eq!(program(|value| Arc::unwrap_or_clone(value) != 1), [false]);
    assert_eq!(
        program(|mut value| {
            let before = Arc::as_ptr(&value);
            *Arc::make_mut(&mut value) = 2;
            std::ptr::eq(before, Arc::as_ptr(&value))
        }),
        [false, true]
    );
}

#[test]
fn into_inner_gives_the_value_to_exactly_one() {
    let seen = outcomes(|| {
        let value = Arc::new(1);
        let other = value.clone();
        let child = thread::spawn(move || Arc::into_inner(other));
        let mine = Arc::into_inner(value);
        (mine, child.join().unwrap())
    });
    assert_eq!(seen, [(None, Some(1)), (Some(1), None)]);
}

#[test]
fn make_mut_leaves_weak_references_behind() {
    let seen = outcomes(|| {
        let mut value = Arc::new(1);
        let weak = Arc::downgrade(&value);
        let child = thread::spawn(move || weak.upgrade().map(|value| *value));
        *Arc::make_mut(&mut value) = 2;
        (*value, child.join().unwrap())
    });
    assert_eq!(seen, [(2, None), (2, Some(1))]);
}

/// Notes in its destructor which thread drops it.
struct Noted(Arc<AtomicU32>);

impl Drop for Noted {
    fn drop(&mut self) {
        let name = thread::current().name().map_or(0, |name| name.len() as u32);
        self.0.store(name, SeqCst);
    }
}

#[test]
fn whoever_drops_last_runs_the_destructor() {
    let seen = outcomes(|| {
        let last = Arc::new(AtomicU32::new(0));
        let value = Arc::new(Noted(last.clone()));
        let threads: Vec<_> = ["a", "bb", "ccc"]
            .map(|name| {
                let value = value.clone();
                thread::Builder::new().name(name.to_owned()).spawn(move || drop(value)).unwrap()
            })
            .into();
        drop(value);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        last.load(SeqCst)
    });
    // main, a, bb, ccc
    assert_eq!(seen, [1, 2, 3, 4]);
}

/// Two cells, written by a thread each, that the destructor reads.
struct Cells(UnsafeCell<u32>, UnsafeCell<u32>);

#[allow(unsafe_code, reason = "the order of the counts is what makes it right")]
// SAFETY: each thread uses a cell of its own.
unsafe impl Sync for Cells {}

#[allow(unsafe_code, reason = "plain reads")]
impl Drop for Cells {
    fn drop(&mut self) {
        // SAFETY: nobody else has a reference.
        let sum = self.0.with(|cell| unsafe { *cell }) + self.1.with(|cell| unsafe { *cell });
        assert_eq!(sum, 3);
    }
}

#[test]
#[allow(unsafe_code, reason = "plain writes")]
fn a_destructor_happens_after_all_drops() {
    proved(|| {
        let cells = Arc::new(Cells(UnsafeCell::new(0), UnsafeCell::new(0)));
        let other = cells.clone();
        thread::spawn(move || {
            // SAFETY: only this thread uses the first cell.
            cells.0.with_mut(|cell| unsafe { *cell = 1 });
            drop(cells);
        });
        // SAFETY: only this thread uses the second cell.
        other.1.with_mut(|cell| unsafe { *cell = 2 });
        drop(other);
    });
}

#[test]
#[allow(unsafe_code, reason = "plain accesses")]
fn what_is_read_after_get_mut_happens_after_the_drops() {
    proved(|| {
        let mut cells = Arc::new(Cells(UnsafeCell::new(1), UnsafeCell::new(0)));
        let other = cells.clone();
        let child = thread::spawn(move || {
            // SAFETY: only this thread uses the second cell as long as it has a reference.
            other.1.with_mut(|cell| unsafe { *cell = 2 });
        });
        if let Some(cells) = Arc::get_mut(&mut cells) {
            // SAFETY: there is no other reference.
            assert_eq!(cells.1.with(|cell| unsafe { *cell }), 2);
        }
        child.join().unwrap();
    });
}

#[test]
fn loops_that_wait_for_the_other_references_end() {
    proved(|| {
        let value = Arc::new(AtomicU32::new(0));
        for _ in 0..2 {
            let value = value.clone();
            thread::spawn(move || value.fetch_add(1, SeqCst));
        }
        while Arc::strong_count(&value) > 1 {
            thread::yield_now();
        }
        assert_eq!(value.load(SeqCst), 2);
    });
    let endless = Checker::new().check(|| {
        let value = Arc::new(0);
        let _other = value.clone();
        while Arc::strong_count(&value) > 1 {
            thread::yield_now();
        }
    });
    assert_eq!(endless.finding().map(|finding| finding.kind), Some(FindingKind::Livelock), "{endless}");
}

#[test]
fn a_finding_that_needed_counts_is_found_again_by_its_schedule() {
    let program = || {
        let value = Arc::new(7);
        let weak = Arc::downgrade(&value);
        thread::spawn(move || drop(value));
        assert!(weak.upgrade().is_some(), "gone");
    };
    let report = Checker::new().check(program);
    let finding = report.finding().expect("it may be gone");
    assert!(finding.schedule.contains('+'), "{}", finding.schedule);
    let again = Checker::new().replay(&finding.schedule).check(program);
    assert_eq!(again.finding().map(|finding| &finding.headline), Some(&finding.headline), "{again}");
}

#[test]
fn a_value_with_a_reference_to_itself() {
    struct Node {
        me: Weak<Node>,
        value: u32,
    }
    let seen = outcomes(|| {
        let node = Arc::new_cyclic(|me| {
            assert!(me.upgrade().is_none());
            assert_eq!(me.strong_count(), 0);
            Node { me: me.clone(), value: 5 }
        });
        let weak = node.me.clone();
        let child = thread::spawn(move || weak.upgrade().map(|node| node.value));
        assert_eq!((Arc::strong_count(&node.clone()) > 1, node.me.ptr_eq(&Arc::downgrade(&node))), (true, true));
        drop(node);
        child.join().unwrap()
    });
    assert_eq!(seen, [None, Some(5)]);
}

#[test]
#[allow(unsafe_code, reason = "as std's")]
fn addresses_and_other_types() {
    let seen = outcomes(|| {
        let value = Arc::new(String::from("text"));
        let other = Arc::into_raw(value.clone());
        let address = other as usize;
        let child = thread::spawn(move || {
            // SAFETY: the address is of a reference that was given away, and is taken back once.
            unsafe {
                Arc::increment_strong_count(address as *const String);
                Arc::decrement_strong_count(address as *const String);
                drop(Arc::from_raw(address as *const String));
            }
        });
        let count = Arc::strong_count(&value);
        child.join().unwrap();
        count
    });
    assert_eq!(seen, [1, 2, 3]);
    proved(|| {
        let any = Arc::coerce(Arc::new(7u32), |arc| arc as std::sync::Arc<dyn std::any::Any + Send + Sync>);
        assert_eq!(any.downcast::<u32>().map(|number| *number).unwrap(), 7);
        let text: Arc<str> = Arc::from("abc");
        let bytes: Arc<[u8]> = text.clone().into();
        assert_eq!((&*text, bytes.len(), Arc::<[u8; 3]>::try_from(bytes).map(|array| array[0])), ("abc", 3, Ok(97)));
        let boxed: Arc<dyn Fn() -> u32 + Send + Sync> =
            Arc::from(Box::new(|| 4u32) as Box<dyn Fn() -> u32 + Send + Sync>);
        assert_eq!(
            (boxed(), Arc::<Vec<u8>>::default().len(), [1, 2].into_iter().collect::<Arc<[i32]>>().len()),
            (4, 0, 2)
        );
        let weak = Arc::downgrade(&Arc::new(1));
        let raw = weak.into_raw();
        // SAFETY: it was given away a moment ago.
        assert!(unsafe { Weak::from_raw(raw) }.upgrade().is_none());
        assert!(Weak::<u32>::new().upgrade().is_none() && Weak::<u32>::new().weak_count() == 0);
    });
}

#[test]
fn leaks_are_found_where_they_are_looked_for() {
    struct Ring(Mutex<Option<Arc<Ring>>>);
    let leaks = || {
        let ring = Arc::new(Ring(Mutex::new(None)));
        *ring.0.lock().unwrap() = Some(ring.clone());
    };
    assert!(Checker::new().check(leaks).is_proof());
    let report = Checker::new().leaks(true).check(leaks);
    assert!(report.finding().is_some_and(|finding| finding.headline.contains("leaked")), "{report}");
    let sound = Checker::new().leaks(true).check(|| {
        let ring = Arc::new(Ring(Mutex::new(None)));
        let other = ring.clone();
        thread::spawn(move || other.0.lock().is_ok());
        *ring.0.lock().unwrap() = Some(ring.clone());
        let taken = ring.0.lock().unwrap().take();
        drop(taken);
    });
    assert!(sound.is_proof(), "{sound}");
}

#[test]
fn unfoldings_have_looks_at_counts() {
    let program = || {
        let value = Arc::new(AtomicU32::new(0));
        let weak = Arc::downgrade(&value);
        let other = value.clone();
        let upgrader = thread::spawn(move || weak.upgrade().map(|value| value.fetch_add(1, SeqCst)));
        let unwrapper = thread::spawn(move || Arc::try_unwrap(other).is_ok());
        let last = Arc::into_inner(value).is_some();
        let (upgraded, unwrapped) = (upgrader.join().unwrap(), unwrapper.join().unwrap());
        assert!(!(last && unwrapped), "{upgraded:?}");
    };
    let executions = ["optimal", "unfolding"].map(|algorithm| {
        let report = Checker::new().algorithm(algorithm).check(program);
        assert!(report.is_proof(), "{algorithm}: {report}");
        report.executions()
    });
    assert_eq!(executions[0], executions[1]);
    assert!(executions[0] > 2, "{executions:?}");
}
