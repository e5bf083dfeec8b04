use super::*;

const A: ThreadId = ThreadId(0);
const B: ThreadId = ThreadId(1);

/// What both threads have touched is known.
fn shadow_after(accesses: &[(ThreadId, usize, usize, bool)]) -> Shadow {
    let shadow = Shadow::new().unwrap();
    // As often as searches would be begun anew.
    for _ in 0..4 {
        shadow.take_refined();
        for &(thread, offset, size, atomic) in accesses {
            shadow.touch(thread, HEAPS + offset, size, atomic);
        }
    }
    assert!(!shadow.is_refined(), "the same accesses find out nothing new");
    shadow
}

fn object(shadow: &Shadow, thread: ThreadId, offset: usize, size: usize) -> Option<ObjectId> {
    match shadow.touch(thread, HEAPS + offset, size, false) {
        Touch::Private(_) => None,
        Touch::Shared(id, _) => Some(id),
    }
}

#[test]
fn memory_of_one_thread_is_private() {
    let shadow = shadow_after(&[(A, 0, 4, false), (A, 4, 4, false), (B, 8, 8, false)]);
    assert_eq!(object(&shadow, A, 0, 4), None);
    assert_eq!(object(&shadow, B, 8, 8), None);
}

#[test]
fn neighbours_do_not_share() {
    let shadow = shadow_after(&[(A, 0, 4, false), (B, 4, 4, false)]);
    assert_eq!(object(&shadow, A, 0, 4), None);
    assert_eq!(object(&shadow, B, 4, 4), None);
    assert!(!shadow.is_refined());
}

#[test]
fn what_two_threads_touch_is_one_object() {
    let shadow = shadow_after(&[(A, 0, 4, false), (B, 0, 4, true), (A, 4, 4, false), (B, 4, 4, false)]);
    let (low, high) = (object(&shadow, A, 0, 4), object(&shadow, B, 4, 4));
    assert!(low.is_some() && high.is_some() && low != high);
}

#[test]
fn a_larger_access_is_of_all_its_pieces() {
    let shadow = shadow_after(&[(A, 0, 8, false), (B, 0, 4, false), (B, 4, 4, false)]);
    let Touch::Shared(first, covered) = shadow.touch(A, HEAPS, 8, false) else { panic!("it is shared") };
    assert_eq!((Some(first), covered), (object(&shadow, B, 0, 4), 4));
}

#[test]
fn an_atomic_access_is_not_split() {
    let shadow = shadow_after(&[(A, 0, 8, true), (B, 0, 4, false), (B, 4, 4, false)]);
    assert_eq!(object(&shadow, B, 0, 4), object(&shadow, B, 4, 4));
}

#[test]
fn a_whole_access_and_its_parts_come_to_rest() {
    let shadow = Shadow::new().unwrap();
    let mut searches = 0;
    while searches == 0 || shadow.is_refined() {
        shadow.take_refined();
        for thread in [A, B] {
            shadow.touch(thread, HEAPS, 4, false);
            shadow.touch(thread, HEAPS + 4, 1, false);
            shadow.touch_whole(thread, HEAPS, 8);
        }
        searches += 1;
        assert!(searches < 10, "it is found out for ever");
    }
    assert_eq!(object(&shadow, A, 0, 4), object(&shadow, B, 4, 1));
}

#[test]
fn memory_that_each_process_saw_another_thread_touch_is_shared() {
    let shadow = Shadow::new().unwrap();
    shadow.touch(A, HEAPS, 4, false);
    shadow.own(A, HEAPS..HEAPS + 16);
    assert!(!shadow.is_refined(), "nobody else touched it");
    shadow.own(B, HEAPS + 8..HEAPS + 16);
    assert!(shadow.is_refined());
}

#[test]
fn what_another_process_found_out_is_taken_over() {
    let shadow = shadow_after(&[(A, 0, 4, false), (B, 0, 4, false), (A, 16, 1, false), (B, 16, 1, false)]);
    let other = Shadow::new().unwrap();
    for (address, size) in shadow.shared_objects() {
        other.know(address, size).unwrap();
    }
    other.take_refined();
    assert_eq!(other.shared_objects(), [(HEAPS, 4), (HEAPS + 16, 1)]);
    assert!(object(&other, A, 0, 4).is_some() && object(&other, B, 16, 1).is_some());
    assert!(!other.is_refined());
}

#[test]
fn what_lies_beside_a_whole_access_stays_another_object() {
    let shadow = Shadow::new().unwrap();
    let mut searches = 0;
    while searches == 0 || shadow.is_refined() {
        shadow.take_refined();
        // Two structs of 12 bytes in a row, each of two threads.
        for (start, threads) in [(0, [0, 1]), (12, [2, 3])] {
            for thread in threads.map(ThreadId) {
                shadow.touch_whole(thread, HEAPS + start, 12);
                shadow.touch(thread, HEAPS + start + 4 * usize::from(start == 0), 4, false);
            }
        }
        searches += 1;
        assert!(searches < 10, "it is found out for ever");
    }
    let [one, other] = [(A, 0), (ThreadId(2), 12)].map(|(thread, start)| shadow.touch_whole(thread, HEAPS + start, 12));
    assert!(one.is_some() && other.is_some() && one != other);
    assert_eq!(shadow.shared_objects(), [(HEAPS, 12), (HEAPS + 12, 12)]);
}
