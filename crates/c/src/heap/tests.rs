use super::*;

/// One test, for there can be one set of heaps in a process.
#[test]
fn blocks_are_used_within_their_bounds_and_once() {
    let heaps = Heaps::new().unwrap();
    let allocate = |thread, size| heaps.allocate(ThreadId(thread), size, 16, FILL, Site(1)).unwrap();
    let (first, second) = (allocate(0, 20), allocate(1, 8));
    assert_eq!(layout::heap_owner(first), Some(ThreadId(0)));
    assert_eq!(layout::heap_owner(second), Some(ThreadId(1)));
    assert_eq!(heaps.check(first, 8), Ok(()));
    assert_eq!(heaps.check(first + 16, 4), Ok(()));
    assert_eq!(heaps.check(first + 16, 8), Err(Fault::OutOfBounds));
    assert_eq!(heaps.check(first - 4, 4), Err(Fault::OutOfBounds));
    assert_eq!(heaps.block_of(first + 17).map(|block| block.size), Some(20));
    assert_eq!(heaps.to_free(first + 8).err(), Some(Fault::InvalidFree));
    heaps.free(&heaps.to_free(first).unwrap(), Site(2));
    assert_eq!(heaps.check(first, 4), Err(Fault::UseAfterFree));
    assert_eq!(heaps.to_free(first).err(), Some(Fault::DoubleFree));
    assert_ne!(allocate(0, 20), first, "a block is not used again within a run");
    heaps.cut(ThreadId(0), 0);
    heaps.cut(ThreadId(1), 0);
    assert_eq!(heaps.check(second, 8), Err(Fault::OutOfBounds));
    assert_eq!(allocate(0, 20), first, "the same block in the next run");
    let zeros = heaps.allocate(ThreadId(0), LARGE, 16, 0, Site(1)).unwrap();
    // SAFETY: a block of this size.
    let bytes = unsafe { std::slice::from_raw_parts_mut(zeros as *mut u8, LARGE) };
    assert!(bytes.iter().all(|&byte| byte == 0), "whatever was there in an earlier run");
    bytes.fill(1);
    heaps.cut(ThreadId(0), 0);
    let zeros = heaps.allocate(ThreadId(0), LARGE, 16, 0, Site(1)).unwrap();
    // SAFETY: as above.
    let bytes = unsafe { std::slice::from_raw_parts(zeros as *const u8, LARGE) };
    assert!(bytes.iter().all(|&byte| byte == 0), "whatever was there before the run went back");
    assert!(heaps.allocate(ThreadId(0), usize::MAX, 16, FILL, Site(1)).is_none());
    assert!(heaps.allocate(ThreadId(0), MOST_BYTES, 16, FILL, Site(1)).is_none());
}
