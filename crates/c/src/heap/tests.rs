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
    // From now on, memory is used again once it is given back: the first place that is large enough.
    heaps.cut(ThreadId(0), 0);
    heaps.reuse();
    let [one, two] = [40, 8].map(|size| allocate(0, size));
    heaps.free(&heaps.to_free(one).unwrap(), Site(2));
    let three = allocate(0, 8);
    assert!(three > two, "something may lead to the freed block");
    let freed: Vec<Block> = heaps.freed_blocks(ThreadId(0)).collect();
    assert_eq!(freed.iter().map(|block| block.address).collect::<Vec<_>>(), [one]);
    heaps.give_back(ThreadId(0), &freed[0]);
    assert_eq!(heaps.check(one, 1), Err(Fault::OutOfBounds));
    assert!(allocate(0, 60) > three, "it has no room there");
    assert_eq!(allocate(0, 16), one);
    assert!(allocate(0, 8) < two, "what is left of it");
    heaps.free(&heaps.to_free(three).unwrap(), Site(2));
    let used = heaps.used(ThreadId(0));
    let freed: Vec<Block> = heaps.freed_blocks(ThreadId(0)).collect();
    heaps.give_back(ThreadId(0), &freed[0]);
    assert_eq!(heaps.used(ThreadId(0)), used, "there is a block behind it");
}
