//! Every public item of loom 0.7.2 and 0.5.6 is here, with the signature by which tests use it: this compiles.

#![allow(dead_code, unused_imports, deprecated, clippy::all)]

use loom::alloc::{Layout, Track, alloc, alloc_zeroed, dealloc};
use loom::cell::{Cell, ConstPtr, MutPtr, UnsafeCell};
use loom::future::{AtomicWaker, block_on};
use loom::hint::{spin_loop, unreachable_unchecked};
use loom::lazy_static::{AccessError as LazyAccessError, Lazy, panicking as _, yield_now as _};
use loom::model::{Builder, model};
use loom::sync::atomic::{
    AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicPtr, AtomicU8, AtomicU16, AtomicU32,
    AtomicU64, AtomicUsize, Ordering, fence, spin_loop_hint,
};
use loom::sync::mpsc::{Receiver, Sender, channel};
use loom::sync::{
    Arc, Barrier, Condvar, LockResult, Mutex, MutexGuard, Notify, RwLock, RwLockReadGuard, RwLockWriteGuard,
    TryLockResult, WaitTimeoutResult,
};
use loom::thread::{AccessError, JoinHandle, LocalKey, Thread, ThreadId, current, panicking, park, spawn, yield_now};
use loom::{MAX_THREADS, explore, skip_branch, stop_exploring};
use std::fmt::Debug;
use std::path::PathBuf;
use std::pin::Pin;
use std::task::Waker;
use std::time::Duration;

unsafe fn allocation(layout: Layout) {
    let f: unsafe fn(Layout) -> *mut u8 = alloc;
    let g: unsafe fn(Layout) -> *mut u8 = alloc_zeroed;
    let h: unsafe fn(*mut u8, Layout) = dealloc;
    unsafe { (f(layout), g(layout), h(alloc(layout), layout)) };
}

fn tracked<T: Debug>(value: T) -> T {
    let mut track: Track<T> = Track::new(value);
    let _: (&T, &dyn Debug) = (track.get_ref(), &track);
    let _: &mut T = track.get_mut();
    track.into_inner()
}

fn cells<T: Default + Debug + Copy + Ord>(value: T) {
    let cell: Cell<T> = Cell::new(value);
    cell.set(value);
    cell.swap(&Cell::default());
    let _: (T, T, T) = (cell.replace(value), cell.get(), cell.take());
    let other: Cell<T> = Cell::from(value).clone();
    let _ = (cell == other, cell < other, cell.cmp(&other));
    let _: T = cell.into_inner();
    let cell: UnsafeCell<T> = UnsafeCell::from(value);
    let _: T = cell.with(|pointer: *const T| unsafe { *pointer });
    cell.with_mut(|pointer: *mut T| unsafe { *pointer = value });
    let pointer: ConstPtr<T> = cell.get();
    let _: &T = unsafe { pointer.deref() };
    let _: T = pointer.with(|pointer: *const T| unsafe { *pointer });
    let pointer: MutPtr<T> = cell.get_mut();
    let _: &mut T = unsafe { pointer.deref() };
    pointer.with(|pointer: *mut T| unsafe { *pointer = value });
    let _: T = (UnsafeCell::<T>::default().into_inner(), cell.into_inner()).0;
}

fn wakers(waker: Waker) {
    let place = (AtomicWaker::new(), AtomicWaker::default()).0;
    place.register_by_ref(&waker);
    place.register(waker);
    place.wake();
    let _: Option<Waker> = place.take_waker();
    let _: u8 = block_on(async { 1 });
}

fn builder() {
    let mut builder = (Builder::new(), Builder::default()).0;
    let _: (usize, usize, usize) = (builder.max_threads, builder.max_branches, builder.checkpoint_interval);
    let _: (Option<usize>, Option<Duration>) = (builder.max_permutations, builder.max_duration);
    let _: (Option<usize>, Option<PathBuf>) = (builder.preemption_bound, builder.checkpoint_file.clone());
    let _: (bool, bool, bool) = (builder.expect_explicit_explore, builder.location, builder.log);
    let _: &mut Builder = builder.checkpoint_file("file");
    builder.check(|| {});
    model(|| {});
    loom::model(|| {});
}

macro_rules! integers {
    ($($name:ident $type:ident)*) => { $({
        let mut x: $name = $name::from($name::default().into_inner());
        let _: $type = x.with_mut(|value: &mut $type| *value);
        let _: $type = unsafe { x.unsync_load() };
        x.store($name::new(1).load(Ordering::SeqCst), Ordering::SeqCst);
        let _: $type = x.swap(1, Ordering::SeqCst) + x.compare_and_swap(1, 2, Ordering::SeqCst);
        let _: Result<$type, $type> = x.compare_exchange(1, 2, Ordering::SeqCst, Ordering::SeqCst);
        let _: Result<$type, $type> = x.compare_exchange_weak(1, 2, Ordering::SeqCst, Ordering::SeqCst);
        let _: Result<$type, $type> = x.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |value| Some(value));
        let f: [fn(&$name, $type, Ordering) -> $type; 8] = [
            $name::fetch_add, $name::fetch_sub, $name::fetch_and, $name::fetch_nand, $name::fetch_or, $name::fetch_xor,
            $name::fetch_max, $name::fetch_min,
        ];
        let _ = (f, format!("{x:?}"));
    })* };
}

fn atomics() {
    integers! {
        AtomicU8 u8 AtomicI8 i8 AtomicU16 u16 AtomicI16 i16 AtomicU32 u32 AtomicI32 i32 AtomicU64 u64 AtomicI64 i64
        AtomicUsize usize AtomicIsize isize
    }
    let mut x: AtomicBool = AtomicBool::from(AtomicBool::default().into_inner());
    let _: bool = x.with_mut(|value: &mut bool| *value) || unsafe { x.unsync_load() };
    let f: [fn(&AtomicBool, bool, Ordering) -> bool; 4] =
        [AtomicBool::fetch_and, AtomicBool::fetch_nand, AtomicBool::fetch_or, AtomicBool::fetch_xor];
    let mut p: AtomicPtr<u8> = AtomicPtr::from(AtomicPtr::default().into_inner());
    let _: *mut u8 = p.with_mut(|value: &mut *mut u8| *value);
    let _: *mut u8 = unsafe { p.unsync_load() };
    let _: *mut u8 =
        p.compare_and_swap(p.load(Ordering::SeqCst), p.swap(std::ptr::null_mut(), Ordering::SeqCst), Ordering::SeqCst);
    fence(Ordering::SeqCst);
    spin_loop_hint();
    spin_loop();
    let _ = f;
}

fn references<T: Default>(value: T) {
    let mut arc: Arc<T> = Arc::new(value);
    let _: Pin<Arc<T>> = Arc::pin(T::default());
    let _: (usize, bool) = (Arc::strong_count(&arc), Arc::ptr_eq(&arc, &Arc::from(T::default())));
    let _: Option<&mut T> = Arc::get_mut(&mut arc);
    let _: *const T = Arc::as_ptr(&arc);
    let raw: *const T = Arc::into_raw(arc.clone());
    unsafe {
        Arc::increment_strong_count(raw);
        Arc::decrement_strong_count(raw);
        drop(Arc::from_raw(raw));
    }
    let _: &T = AsRef::as_ref(&Arc::<T>::default());
    let _: Result<T, Arc<T>> = Arc::try_unwrap(arc);
}

fn locks(mut mutex: Mutex<u8>, mut lock: RwLock<u8>) {
    let guard: LockResult<MutexGuard<'_, u8>> = mutex.lock();
    let condvar = (Condvar::new(), Condvar::default()).0;
    let guard = condvar.wait(guard.unwrap()).unwrap();
    let (_, timed_out): (MutexGuard<'_, u8>, WaitTimeoutResult) = condvar.wait_timeout(guard, Duration::ZERO).unwrap();
    let _: bool = timed_out.timed_out();
    condvar.notify_one();
    condvar.notify_all();
    let _: TryLockResult<MutexGuard<'_, u8>> = mutex.try_lock();
    let _: LockResult<&mut u8> = mutex.get_mut();
    let _: LockResult<u8> = (Mutex::from(Mutex::<u8>::default().into_inner().unwrap()), mutex).1.into_inner();
    let _: LockResult<RwLockReadGuard<'_, u8>> = lock.read();
    let _: LockResult<RwLockWriteGuard<'_, u8>> = lock.write();
    let _: TryLockResult<RwLockReadGuard<'_, u8>> = lock.try_read();
    let _: TryLockResult<RwLockWriteGuard<'_, u8>> = lock.try_write();
    let _: LockResult<&mut u8> = lock.get_mut();
    let _: LockResult<u8> = (RwLock::from(RwLock::<u8>::default().into_inner().unwrap()), lock).1.into_inner();
    let notify = (Notify::new(), Notify::default()).0;
    notify.notify();
    notify.wait();
    let _: bool = Barrier::new(1).wait().is_leader();
}

fn channels() {
    let (sender, receiver): (Sender<u8>, Receiver<u8>) = channel();
    let _: Result<(), std::sync::mpsc::SendError<u8>> = sender.clone().send(1);
    let _: Result<u8, std::sync::mpsc::RecvError> = receiver.recv();
    let _: Result<u8, std::sync::mpsc::TryRecvError> = receiver.try_recv();
    let _: Result<u8, std::sync::mpsc::RecvTimeoutError> = receiver.recv_timeout(Duration::ZERO);
}

loom::thread_local! {
    static LOCAL: u8 = 1;
    pub(crate) static OTHER: u8 = 2;
}

loom::lazy_static! {
    /// With a comment.
    static ref LAZY: Vec<u8> = vec![1];
    pub(crate) static ref SECOND: u8 = 2;
}

fn threads() {
    let handle: JoinHandle<u8> = loom::thread::Builder::new().name(String::new()).stack_size(1).spawn(|| 1).unwrap();
    let thread: &Thread = handle.thread();
    let _: (ThreadId, Option<&str>) = (thread.id(), thread.name());
    thread.unpark();
    let _: std::thread::Result<u8> = handle.join();
    let _: std::thread::Result<std::rc::Rc<u8>> = spawn(|| std::rc::Rc::new(1)).join();
    let _: (Thread, bool) = (current(), panicking());
    park();
    yield_now();
    let _: Result<u8, AccessError> = LOCAL.try_with(|value| *value);
    let _: u8 = LOCAL.with(|value| *value);
    let _: (&LocalKey<u8>, usize, u8) = (&OTHER, LAZY.len(), *SECOND);
    explore();
    stop_exploring();
    skip_branch();
    let _: usize = MAX_THREADS;
}

#[test]
fn it_compiles_and_statics_work() {
    loom::model(|| {
        assert_eq!((LAZY.len(), *SECOND, LOCAL.with(|value| *value)), (1, 2, 1));
        atomics();
        tracked(1);
    });
}
