// Written by generate.py from the documentation of std 1.95.0.
mod cell_UnsafeCell {
    use super::cell::UnsafeCell;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f1<T>(a0: T) -> UnsafeCell<T> {
        <UnsafeCell<T>>::new(a0)
    }
    fn f2<T>(this: UnsafeCell<T>) -> T {
        <UnsafeCell<T>>::into_inner(this)
    }
    // UnsafeCell::from_mut: a mirror is larger than the value.
    fn f3<T>(this: &UnsafeCell<T>) -> *mut T
    where
        T: ?Sized,
    {
        <UnsafeCell<T>>::get(this)
    }
    fn f4<T>(this: &mut UnsafeCell<T>) -> &mut T
    where
        T: ?Sized,
    {
        <UnsafeCell<T>>::get_mut(this)
    }
    const fn f5<T>(a0: *const UnsafeCell<T>) -> *mut T
    where
        T: ?Sized,
    {
        <UnsafeCell<T>>::raw_get(a0)
    }
    fn f6<'x, T>(x: &'x UnsafeCell<T>) -> &'x (impl Debug + ?Sized)
    where
        T: ?Sized,
    {
        x
    }
    fn f7<'x, T>(x: &'x UnsafeCell<T>) -> &'x (impl Default + ?Sized)
    where
        T: Default,
    {
        x
    }
    fn f8<'x, T>(x: &'x UnsafeCell<T>) -> &'x (impl From<T> + ?Sized) {
        x
    }
    fn f9<'x, T>(x: &'x UnsafeCell<T>) -> &'x (impl Send + ?Sized)
    where
        T: Send + ?Sized,
    {
        x
    }
    fn f10<'x, T>(x: &'x UnsafeCell<T>) -> &'x (impl Unpin + ?Sized)
    where
        T: Unpin + ?Sized,
    {
        x
    }
    fn f11<'x, T>(x: &'x UnsafeCell<T>) -> &'x (impl UnwindSafe + ?Sized)
    where
        T: UnwindSafe + ?Sized,
    {
        x
    }
}
mod sync_ONCE_INIT {
    use super::sync::ONCE_INIT;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod sync_TryLockError {
    use super::sync::TryLockError;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f12<'x, T>(x: &'x TryLockError<T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f13<'x, T>(x: &'x TryLockError<T>) -> &'x (impl Display + ?Sized) {
        x
    }
    fn f14<'x, T>(x: &'x TryLockError<T>) -> &'x (impl Error + ?Sized) {
        x
    }
    fn f15<'x, T>(x: &'x TryLockError<T>) -> &'x (impl From<PoisonError<T>> + ?Sized) {
        x
    }
    fn f16<'x, T>(x: &'x TryLockError<T>) -> &'x (impl RefUnwindSafe + ?Sized)
    where
        T: RefUnwindSafe,
    {
        x
    }
    fn f17<'x, T>(x: &'x TryLockError<T>) -> &'x (impl Send + ?Sized)
    where
        T: Send,
    {
        x
    }
    fn f18<'x, T>(x: &'x TryLockError<T>) -> &'x (impl Sync + ?Sized)
    where
        T: Sync,
    {
        x
    }
    fn f19<'x, T>(x: &'x TryLockError<T>) -> &'x (impl Unpin + ?Sized)
    where
        T: Unpin,
    {
        x
    }
    fn f20<'x, T>(x: &'x TryLockError<T>) -> &'x (impl UnwindSafe + ?Sized)
    where
        T: UnwindSafe,
    {
        x
    }
}
mod sync_Arc {
    use super::sync::Arc;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f21<T>(a0: T) -> Arc<T> {
        <Arc<T>>::new(a0)
    }
    fn f22<T, F>(a0: F) -> Arc<T>
    where
        F: FnOnce(&Weak<T>) -> T,
    {
        <Arc<T>>::new_cyclic(a0)
    }
    fn f23<T>() -> Arc<MaybeUninit<T>> {
        <Arc<T>>::new_uninit()
    }
    fn f24<T>() -> Arc<MaybeUninit<T>> {
        <Arc<T>>::new_zeroed()
    }
    fn f25<T>(a0: T) -> Pin<Arc<T>> {
        <Arc<T>>::pin(a0)
    }
    fn f26<T>(a0: Arc<T>) -> Result<T, Arc<T>> {
        <Arc<T>>::try_unwrap(a0)
    }
    fn f27<T>(a0: Arc<T>) -> Option<T> {
        <Arc<T>>::into_inner(a0)
    }
    fn f28<T>(a0: usize) -> Arc<[MaybeUninit<T>]> {
        <Arc<[T]>>::new_uninit_slice(a0)
    }
    fn f29<T>(a0: usize) -> Arc<[MaybeUninit<T>]> {
        <Arc<[T]>>::new_zeroed_slice(a0)
    }
    unsafe fn f30<T>(this: Arc<MaybeUninit<T>>) -> Arc<T> {
        unsafe { <Arc<MaybeUninit<T>>>::assume_init(this) }
    }
    unsafe fn f31<T>(this: Arc<[MaybeUninit<T>]>) -> Arc<[T]> {
        unsafe { <Arc<[MaybeUninit<T>]>>::assume_init(this) }
    }
    unsafe fn f32<T>(a0: *const T) -> Arc<T>
    where
        T: ?Sized,
    {
        unsafe { <Arc<T>>::from_raw(a0) }
    }
    fn f33<T>(a0: Arc<T>) -> *const T
    where
        T: ?Sized,
    {
        <Arc<T>>::into_raw(a0)
    }
    unsafe fn f34<T>(a0: *const T)
    where
        T: ?Sized,
    {
        unsafe { <Arc<T>>::increment_strong_count(a0) }
    }
    unsafe fn f35<T>(a0: *const T)
    where
        T: ?Sized,
    {
        unsafe { <Arc<T>>::decrement_strong_count(a0) }
    }
    fn f36<T>(a0: &Arc<T>) -> *const T
    where
        T: ?Sized,
    {
        <Arc<T>>::as_ptr(a0)
    }
    fn f37<T>(a0: &Arc<T>) -> Weak<T>
    where
        T: ?Sized,
    {
        <Arc<T>>::downgrade(a0)
    }
    fn f38<T>(a0: &Arc<T>) -> usize
    where
        T: ?Sized,
    {
        <Arc<T>>::weak_count(a0)
    }
    fn f39<T>(a0: &Arc<T>) -> usize
    where
        T: ?Sized,
    {
        <Arc<T>>::strong_count(a0)
    }
    fn f40<T>(a0: &Arc<T>, a1: &Arc<T>) -> bool
    where
        T: ?Sized,
    {
        <Arc<T>>::ptr_eq(a0, a1)
    }
    fn f41<T>(a0: &mut Arc<T>) -> &mut T
    where
        T: Clone + ?Sized,
    {
        <Arc<T>>::make_mut(a0)
    }
    fn f42<T>(a0: Arc<T>) -> T
    where
        T: Clone,
    {
        <Arc<T>>::unwrap_or_clone(a0)
    }
    fn f43<T>(a0: &mut Arc<T>) -> Option<&mut T>
    where
        T: ?Sized,
    {
        <Arc<T>>::get_mut(a0)
    }
    fn f44<T>(this: Arc<dyn Any + Sync + Send>) -> Result<Arc<T>, Arc<dyn Any + Sync + Send>>
    where
        T: Any + Send + Sync,
    {
        <Arc<dyn Any + Sync + Send>>::downcast(this)
    }
    fn f45<'x, T>(x: &'x Arc<T>) -> &'x (impl AsRef<T> + ?Sized)
    where
        T: ?Sized,
    {
        x
    }
    fn f46<'x, T>(x: &'x Arc<T>) -> &'x (impl Clone + ?Sized)
    where
        T: ?Sized,
    {
        x
    }
    fn f47<'x, T>(x: &'x Arc<T>) -> &'x (impl Debug + ?Sized)
    where
        T: Debug + ?Sized,
    {
        x
    }
    fn f48<'x, T>(x: &'x Arc<[T]>) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f49<'x>(x: &'x Arc<CStr>) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f50<'x, T>(x: &'x Arc<T>) -> &'x (impl Default + ?Sized)
    where
        T: Default,
    {
        x
    }
    fn f51<'x>(x: &'x Arc<str>) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f52<'x, T>(x: &'x Pin<Arc<T>>) -> &'x (impl Default + ?Sized)
    where
        Arc<T>: Default,
        T: ?Sized,
    {
        x
    }
    fn f53<'x, T>(x: &'x Arc<T>) -> &'x (impl Deref + ?Sized)
    where
        T: ?Sized,
    {
        x
    }
    fn f54<'x, T>(x: &'x Arc<T>) -> &'x (impl Display + ?Sized)
    where
        T: Display + ?Sized,
    {
        x
    }
    fn f55<'x, T>(x: &'x Arc<T>) -> &'x (impl Error + ?Sized)
    where
        T: Error + ?Sized,
    {
        x
    }
    fn f56<'x, T>(x: &'x Arc<[T]>) -> &'x (impl From<&[T]> + ?Sized)
    where
        T: Clone,
    {
        x
    }
    fn f57<'x>(x: &'x Arc<CStr>) -> &'x (impl From<&CStr> + ?Sized) {
        x
    }
    fn f58<'x>(x: &'x Arc<OsStr>) -> &'x (impl From<&OsStr> + ?Sized) {
        x
    }
    fn f59<'x>(x: &'x Arc<Path>) -> &'x (impl From<&Path> + ?Sized) {
        x
    }
    fn f60<'x, T>(x: &'x Arc<[T]>) -> &'x (impl From<&mut [T]> + ?Sized)
    where
        T: Clone,
    {
        x
    }
    fn f61<'x>(x: &'x Arc<CStr>) -> &'x (impl From<&mut CStr> + ?Sized) {
        x
    }
    fn f62<'x>(x: &'x Arc<OsStr>) -> &'x (impl From<&mut OsStr> + ?Sized) {
        x
    }
    fn f63<'x>(x: &'x Arc<Path>) -> &'x (impl From<&mut Path> + ?Sized) {
        x
    }
    fn f64<'x>(x: &'x Arc<str>) -> &'x (impl From<&mut str> + ?Sized) {
        x
    }
    fn f65<'x>(x: &'x Arc<str>) -> &'x (impl From<&str> + ?Sized) {
        x
    }
    fn f66<'x, T, const N: usize>(x: &'x Arc<[T]>) -> &'x (impl From<[T; N]> + ?Sized) {
        x
    }
    fn f67<'x, W>(x: &'x RawWaker) -> &'x (impl From<Arc<W>> + ?Sized)
    where
        W: Wake + Send + Sync + 'static,
    {
        x
    }
    fn f68<'x, W>(x: &'x Waker) -> &'x (impl From<Arc<W>> + ?Sized)
    where
        W: Wake + Send + Sync + 'static,
    {
        x
    }
    fn f69<'x>(x: &'x Arc<[u8]>) -> &'x (impl From<Arc<str>> + ?Sized) {
        x
    }
    fn f70<'x, T>(x: &'x Arc<T>) -> &'x (impl From<Box<T>> + ?Sized)
    where
        T: ?Sized,
    {
        x
    }
    fn f71<'x>(x: &'x Arc<CStr>) -> &'x (impl From<CString> + ?Sized) {
        x
    }
    fn f72<'x>(x: &'x Arc<OsStr>) -> &'x (impl From<OsString> + ?Sized) {
        x
    }
    fn f73<'x>(x: &'x Arc<Path>) -> &'x (impl From<PathBuf> + ?Sized) {
        x
    }
    fn f74<'x>(x: &'x Arc<str>) -> &'x (impl From<String> + ?Sized) {
        x
    }
    fn f75<'x, T>(x: &'x Arc<T>) -> &'x (impl From<T> + ?Sized) {
        x
    }
    fn f76<'x, T>(x: &'x Arc<[T]>) -> &'x (impl From<Vec<T>> + ?Sized) {
        x
    }
    fn f77<'x, T>(x: &'x Arc<[T]>) -> &'x (impl FromIterator<T> + ?Sized) {
        x
    }
    fn f78<'x, T>(x: &'x Arc<T>) -> &'x (impl Hash + ?Sized)
    where
        T: Hash + ?Sized,
    {
        x
    }
    fn f79<'x, T>(x: &'x Arc<T>) -> &'x (impl Ord + ?Sized)
    where
        T: Ord + ?Sized,
    {
        x
    }
    fn f80<'x, T>(x: &'x Arc<T>) -> &'x (impl PartialEq + ?Sized)
    where
        T: PartialEq + ?Sized,
    {
        x
    }
    fn f81<'x, T>(x: &'x Arc<T>) -> &'x (impl PartialOrd + ?Sized)
    where
        T: PartialOrd + ?Sized,
    {
        x
    }
    fn f82<'x, T>(x: &'x Arc<T>) -> &'x (impl Pointer + ?Sized)
    where
        T: ?Sized,
    {
        x
    }
    fn f83<'x, T>(x: &'x Arc<T>) -> &'x (impl Eq + ?Sized)
    where
        T: Eq + ?Sized,
    {
        x
    }
    fn f84<'x, T>(x: &'x Arc<T>) -> &'x (impl Send + ?Sized)
    where
        T: Sync + Send + ?Sized,
    {
        x
    }
    fn f85<'x, T>(x: &'x Arc<T>) -> &'x (impl Sync + ?Sized)
    where
        T: Sync + Send + ?Sized,
    {
        x
    }
    fn f86<'x, T>(x: &'x Arc<T>) -> &'x (impl Unpin + ?Sized)
    where
        T: ?Sized,
    {
        x
    }
    fn f87<'x, T>(x: &'x Arc<T>) -> &'x (impl UnwindSafe + ?Sized)
    where
        T: RefUnwindSafe + ?Sized,
    {
        x
    }
    fn f88<'x, T>(x: &'x Arc<T>) -> &'x (impl RefUnwindSafe + ?Sized)
    where
        T: RefUnwindSafe + ?Sized,
    {
        x
    }
}
mod sync_Barrier {
    use super::sync::Barrier;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f89(a0: usize) -> Barrier {
        <Barrier>::new(a0)
    }
    fn f90(this: &Barrier) -> BarrierWaitResult {
        <Barrier>::wait(this)
    }
    fn f91<'x>(x: &'x Barrier) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f92<'x>(x: &'x Barrier) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f93<'x>(x: &'x Barrier) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f94<'x>(x: &'x Barrier) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f95<'x>(x: &'x Barrier) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f96<'x>(x: &'x Barrier) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_BarrierWaitResult {
    use super::sync::BarrierWaitResult;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f97(this: &BarrierWaitResult) -> bool {
        <BarrierWaitResult>::is_leader(this)
    }
    fn f98<'x>(x: &'x BarrierWaitResult) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f99<'x>(x: &'x BarrierWaitResult) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f100<'x>(x: &'x BarrierWaitResult) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f101<'x>(x: &'x BarrierWaitResult) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f102<'x>(x: &'x BarrierWaitResult) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f103<'x>(x: &'x BarrierWaitResult) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_Condvar {
    use super::sync::Condvar;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f104() -> Condvar {
        <Condvar>::new()
    }
    fn f105<'a, T>(this: &Condvar, a1: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        <Condvar>::wait(this, a1)
    }
    fn f106<'a, T, F>(this: &Condvar, a1: MutexGuard<'a, T>, a2: F) -> LockResult<MutexGuard<'a, T>>
    where
        F: FnMut(&mut T) -> bool,
    {
        <Condvar>::wait_while(this, a1, a2)
    }
    fn f107<'a, T>(this: &Condvar, a1: MutexGuard<'a, T>, a2: u32) -> LockResult<(MutexGuard<'a, T>, bool)> {
        <Condvar>::wait_timeout_ms(this, a1, a2)
    }
    fn f108<'a, T>(
        this: &Condvar,
        a1: MutexGuard<'a, T>,
        a2: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        <Condvar>::wait_timeout(this, a1, a2)
    }
    fn f109<'a, T, F>(
        this: &Condvar,
        a1: MutexGuard<'a, T>,
        a2: Duration,
        a3: F,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)>
    where
        F: FnMut(&mut T) -> bool,
    {
        <Condvar>::wait_timeout_while(this, a1, a2, a3)
    }
    fn f110(this: &Condvar) {
        <Condvar>::notify_one(this)
    }
    fn f111(this: &Condvar) {
        <Condvar>::notify_all(this)
    }
    fn f112<'x>(x: &'x Condvar) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f113<'x>(x: &'x Condvar) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f114<'x>(x: &'x Condvar) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f115<'x>(x: &'x Condvar) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
    fn f116<'x>(x: &'x Condvar) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f117<'x>(x: &'x Condvar) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f118<'x>(x: &'x Condvar) -> &'x (impl Unpin + ?Sized) {
        x
    }
}
mod sync_LazyLock {
    use super::sync::LazyLock;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f119<T, F: FnOnce() -> T>(a0: F) -> LazyLock<T, F> {
        <LazyLock<T, F>>::new(a0)
    }
    fn f120<T, F: FnOnce() -> T>(a0: &mut LazyLock<T, F>) -> &mut T {
        <LazyLock<T, F>>::force_mut(a0)
    }
    fn f121<T, F: FnOnce() -> T>(a0: &LazyLock<T, F>) -> &T {
        <LazyLock<T, F>>::force(a0)
    }
    fn f122<T, F>(a0: &mut LazyLock<T, F>) -> Option<&mut T> {
        <LazyLock<T, F>>::get_mut(a0)
    }
    fn f123<T, F>(a0: &LazyLock<T, F>) -> Option<&T> {
        <LazyLock<T, F>>::get(a0)
    }
    fn f124<'x, T: Debug, F>(x: &'x LazyLock<T, F>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f125<'x, T: Default>(x: &'x LazyLock<T>) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f126<'x, T, F: FnOnce() -> T>(x: &'x LazyLock<T, F>) -> &'x (impl Deref + ?Sized) {
        x
    }
    fn f127<'x, T, F: FnOnce() -> T>(x: &'x LazyLock<T, F>) -> &'x (impl DerefMut + ?Sized) {
        x
    }
    fn f128<'x, T: RefUnwindSafe + UnwindSafe, F: UnwindSafe>(
        x: &'x LazyLock<T, F>,
    ) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f129<'x, T: Sync + Send, F: Send>(x: &'x LazyLock<T, F>) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f130<'x, T: UnwindSafe, F: UnwindSafe>(x: &'x LazyLock<T, F>) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
    fn f131<'x, T, F>(x: &'x LazyLock<T, F>) -> &'x (impl Send + ?Sized)
    where
        T: Send,
        F: Send,
    {
        x
    }
    fn f132<'x, T, F>(x: &'x LazyLock<T, F>) -> &'x (impl Unpin + ?Sized)
    where
        T: Unpin,
        F: Unpin,
    {
        x
    }
}
mod sync_Mutex {
    use super::sync::Mutex;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f133<T>(a0: T) -> Mutex<T> {
        <Mutex<T>>::new(a0)
    }
    fn f134<T: ?Sized>(this: &Mutex<T>) -> LockResult<MutexGuard<'_, T>> {
        <Mutex<T>>::lock(this)
    }
    fn f135<T: ?Sized>(this: &Mutex<T>) -> TryLockResult<MutexGuard<'_, T>> {
        <Mutex<T>>::try_lock(this)
    }
    fn f136<T: ?Sized>(this: &Mutex<T>) -> bool {
        <Mutex<T>>::is_poisoned(this)
    }
    fn f137<T: ?Sized>(this: &Mutex<T>) {
        <Mutex<T>>::clear_poison(this)
    }
    fn f138<T: ?Sized>(this: Mutex<T>) -> LockResult<T>
    where
        T: Sized,
    {
        <Mutex<T>>::into_inner(this)
    }
    fn f139<T: ?Sized>(this: &mut Mutex<T>) -> LockResult<&mut T> {
        <Mutex<T>>::get_mut(this)
    }
    fn f140<'x, T: ?Sized + Debug>(x: &'x Mutex<T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f141<'x, T: Default>(x: &'x Mutex<T>) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f142<'x, T>(x: &'x Mutex<T>) -> &'x (impl From<T> + ?Sized) {
        x
    }
    fn f143<'x, T: ?Sized>(x: &'x Mutex<T>) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f144<'x, T: ?Sized + Send>(x: &'x Mutex<T>) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f145<'x, T: ?Sized + Send>(x: &'x Mutex<T>) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f146<'x, T: ?Sized>(x: &'x Mutex<T>) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
    fn f147<'x, T>(x: &'x Mutex<T>) -> &'x (impl Unpin + ?Sized)
    where
        T: Unpin + ?Sized,
    {
        x
    }
}
mod sync_MutexGuard {
    use super::sync::MutexGuard;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f148<'x, T: ?Sized + Debug>(x: &'x MutexGuard<'_, T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f149<'x, T: ?Sized>(x: &'x MutexGuard<'_, T>) -> &'x (impl Deref + ?Sized) {
        x
    }
    fn f150<'x, T: ?Sized>(x: &'x MutexGuard<'_, T>) -> &'x (impl DerefMut + ?Sized) {
        x
    }
    fn f151<'x, T: ?Sized + Display>(x: &'x MutexGuard<'_, T>) -> &'x (impl Display + ?Sized) {
        x
    }
    fn f152<'x, T: ?Sized + Sync>(x: &'x MutexGuard<'_, T>) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f153<'x, 'a, T>(x: &'x MutexGuard<'a, T>) -> &'x (impl RefUnwindSafe + ?Sized)
    where
        T: ?Sized,
    {
        x
    }
    fn f154<'x, 'a, T>(x: &'x MutexGuard<'a, T>) -> &'x (impl Unpin + ?Sized)
    where
        T: ?Sized,
    {
        x
    }
    fn f155<'x, 'a, T>(x: &'x MutexGuard<'a, T>) -> &'x (impl UnwindSafe + ?Sized)
    where
        T: ?Sized,
    {
        x
    }
}
mod sync_Once {
    use super::sync::Once;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f156() -> Once {
        <Once>::new()
    }
    fn f157<F>(this: &Once, a1: F)
    where
        F: FnOnce(),
    {
        <Once>::call_once(this, a1)
    }
    fn f158<F>(this: &Once, a1: F)
    where
        F: FnOnce(&OnceState),
    {
        <Once>::call_once_force(this, a1)
    }
    fn f159(this: &Once) -> bool {
        <Once>::is_completed(this)
    }
    fn f160(this: &Once) {
        <Once>::wait(this)
    }
    fn f161(this: &Once) {
        <Once>::wait_force(this)
    }
    fn f162<'x>(x: &'x Once) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f163<'x>(x: &'x Once) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f164<'x>(x: &'x Once) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
    fn f165<'x>(x: &'x Once) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f166<'x>(x: &'x Once) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f167<'x>(x: &'x Once) -> &'x (impl Unpin + ?Sized) {
        x
    }
}
mod sync_OnceLock {
    use super::sync::OnceLock;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f168<T>() -> OnceLock<T> {
        <OnceLock<T>>::new()
    }
    fn f169<T>(this: &OnceLock<T>) -> Option<&T> {
        <OnceLock<T>>::get(this)
    }
    fn f170<T>(this: &mut OnceLock<T>) -> Option<&mut T> {
        <OnceLock<T>>::get_mut(this)
    }
    fn f171<T>(this: &OnceLock<T>) -> &T {
        <OnceLock<T>>::wait(this)
    }
    fn f172<T>(this: &OnceLock<T>, a1: T) -> Result<(), T> {
        <OnceLock<T>>::set(this, a1)
    }
    fn f173<T, F>(this: &OnceLock<T>, a1: F) -> &T
    where
        F: FnOnce() -> T,
    {
        <OnceLock<T>>::get_or_init(this, a1)
    }
    fn f174<T>(this: OnceLock<T>) -> Option<T> {
        <OnceLock<T>>::into_inner(this)
    }
    fn f175<T>(this: &mut OnceLock<T>) -> Option<T> {
        <OnceLock<T>>::take(this)
    }
    fn f176<'x, T: Clone>(x: &'x OnceLock<T>) -> &'x (impl Clone + ?Sized) {
        x
    }
    fn f177<'x, T: Debug>(x: &'x OnceLock<T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f178<'x, T>(x: &'x OnceLock<T>) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f179<'x, T>(x: &'x OnceLock<T>) -> &'x (impl From<T> + ?Sized) {
        x
    }
    fn f180<'x, T: PartialEq>(x: &'x OnceLock<T>) -> &'x (impl PartialEq + ?Sized) {
        x
    }
    fn f181<'x, T: Eq>(x: &'x OnceLock<T>) -> &'x (impl Eq + ?Sized) {
        x
    }
    fn f182<'x, T: RefUnwindSafe + UnwindSafe>(x: &'x OnceLock<T>) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f183<'x, T: Send>(x: &'x OnceLock<T>) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f184<'x, T: Sync + Send>(x: &'x OnceLock<T>) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f185<'x, T: UnwindSafe>(x: &'x OnceLock<T>) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
    fn f186<'x, T>(x: &'x OnceLock<T>) -> &'x (impl Unpin + ?Sized)
    where
        T: Unpin,
    {
        x
    }
}
mod sync_OnceState {
    use super::sync::OnceState;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f187(this: &OnceState) -> bool {
        <OnceState>::is_poisoned(this)
    }
    fn f188<'x>(x: &'x OnceState) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f189<'x>(x: &'x OnceState) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f190<'x>(x: &'x OnceState) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f191<'x>(x: &'x OnceState) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_PoisonError {
    use super::sync::PoisonError;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f192<T>(a0: T) -> PoisonError<T> {
        <PoisonError<T>>::new(a0)
    }
    fn f193<T>(this: PoisonError<T>) -> T {
        <PoisonError<T>>::into_inner(this)
    }
    fn f194<T>(this: &PoisonError<T>) -> &T {
        <PoisonError<T>>::get_ref(this)
    }
    fn f195<T>(this: &mut PoisonError<T>) -> &mut T {
        <PoisonError<T>>::get_mut(this)
    }
    fn f196<'x, T>(x: &'x PoisonError<T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f197<'x, T>(x: &'x PoisonError<T>) -> &'x (impl Display + ?Sized) {
        x
    }
    fn f198<'x, T>(x: &'x PoisonError<T>) -> &'x (impl Error + ?Sized) {
        x
    }
    fn f199<'x, T>(x: &'x TryLockError<T>) -> &'x (impl From<PoisonError<T>> + ?Sized) {
        x
    }
    fn f200<'x, T>(x: &'x PoisonError<T>) -> &'x (impl RefUnwindSafe + ?Sized)
    where
        T: RefUnwindSafe,
    {
        x
    }
    fn f201<'x, T>(x: &'x PoisonError<T>) -> &'x (impl Send + ?Sized)
    where
        T: Send,
    {
        x
    }
    fn f202<'x, T>(x: &'x PoisonError<T>) -> &'x (impl Sync + ?Sized)
    where
        T: Sync,
    {
        x
    }
    fn f203<'x, T>(x: &'x PoisonError<T>) -> &'x (impl Unpin + ?Sized)
    where
        T: Unpin,
    {
        x
    }
    fn f204<'x, T>(x: &'x PoisonError<T>) -> &'x (impl UnwindSafe + ?Sized)
    where
        T: UnwindSafe,
    {
        x
    }
}
mod sync_RwLock {
    use super::sync::RwLock;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f205<T>(a0: T) -> RwLock<T> {
        <RwLock<T>>::new(a0)
    }
    fn f206<T: ?Sized>(this: &RwLock<T>) -> LockResult<RwLockReadGuard<'_, T>> {
        <RwLock<T>>::read(this)
    }
    fn f207<T: ?Sized>(this: &RwLock<T>) -> TryLockResult<RwLockReadGuard<'_, T>> {
        <RwLock<T>>::try_read(this)
    }
    fn f208<T: ?Sized>(this: &RwLock<T>) -> LockResult<RwLockWriteGuard<'_, T>> {
        <RwLock<T>>::write(this)
    }
    fn f209<T: ?Sized>(this: &RwLock<T>) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        <RwLock<T>>::try_write(this)
    }
    fn f210<T: ?Sized>(this: &RwLock<T>) -> bool {
        <RwLock<T>>::is_poisoned(this)
    }
    fn f211<T: ?Sized>(this: &RwLock<T>) {
        <RwLock<T>>::clear_poison(this)
    }
    fn f212<T: ?Sized>(this: RwLock<T>) -> LockResult<T>
    where
        T: Sized,
    {
        <RwLock<T>>::into_inner(this)
    }
    fn f213<T: ?Sized>(this: &mut RwLock<T>) -> LockResult<&mut T> {
        <RwLock<T>>::get_mut(this)
    }
    fn f214<'x, T: ?Sized + Debug>(x: &'x RwLock<T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f215<'x, T: Default>(x: &'x RwLock<T>) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f216<'x, T>(x: &'x RwLock<T>) -> &'x (impl From<T> + ?Sized) {
        x
    }
    fn f217<'x, T: ?Sized>(x: &'x RwLock<T>) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f218<'x, T: ?Sized + Send>(x: &'x RwLock<T>) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f219<'x, T: ?Sized + Send + Sync>(x: &'x RwLock<T>) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f220<'x, T: ?Sized>(x: &'x RwLock<T>) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
    fn f221<'x, T>(x: &'x RwLock<T>) -> &'x (impl Unpin + ?Sized)
    where
        T: Unpin + ?Sized,
    {
        x
    }
}
mod sync_RwLockReadGuard {
    use super::sync::RwLockReadGuard;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f222<'x, T: ?Sized + Debug>(x: &'x RwLockReadGuard<'_, T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f223<'x, T: ?Sized>(x: &'x RwLockReadGuard<'_, T>) -> &'x (impl Deref + ?Sized) {
        x
    }
    fn f224<'x, T: ?Sized + Display>(x: &'x RwLockReadGuard<'_, T>) -> &'x (impl Display + ?Sized) {
        x
    }
    fn f225<'x, T: ?Sized + Sync>(x: &'x RwLockReadGuard<'_, T>) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f226<'x, 'rwlock, T>(x: &'x RwLockReadGuard<'rwlock, T>) -> &'x (impl RefUnwindSafe + ?Sized)
    where
        T: RefUnwindSafe + ?Sized,
    {
        x
    }
    fn f227<'x, 'rwlock, T>(x: &'x RwLockReadGuard<'rwlock, T>) -> &'x (impl Unpin + ?Sized)
    where
        T: ?Sized,
    {
        x
    }
    fn f228<'x, 'rwlock, T>(x: &'x RwLockReadGuard<'rwlock, T>) -> &'x (impl UnwindSafe + ?Sized)
    where
        T: RefUnwindSafe + ?Sized,
    {
        x
    }
}
mod sync_RwLockWriteGuard {
    use super::sync::RwLockWriteGuard;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f229<'rwlock, T: ?Sized>(a0: RwLockWriteGuard<'rwlock, T>) -> RwLockReadGuard<'rwlock, T> {
        <RwLockWriteGuard<'rwlock, T>>::downgrade(a0)
    }
    fn f230<'x, T: ?Sized + Debug>(x: &'x RwLockWriteGuard<'_, T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f231<'x, T: ?Sized>(x: &'x RwLockWriteGuard<'_, T>) -> &'x (impl Deref + ?Sized) {
        x
    }
    fn f232<'x, T: ?Sized>(x: &'x RwLockWriteGuard<'_, T>) -> &'x (impl DerefMut + ?Sized) {
        x
    }
    fn f233<'x, T: ?Sized + Display>(x: &'x RwLockWriteGuard<'_, T>) -> &'x (impl Display + ?Sized) {
        x
    }
    fn f234<'x, T: ?Sized + Sync>(x: &'x RwLockWriteGuard<'_, T>) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f235<'x, 'rwlock, T>(x: &'x RwLockWriteGuard<'rwlock, T>) -> &'x (impl RefUnwindSafe + ?Sized)
    where
        T: ?Sized,
    {
        x
    }
    fn f236<'x, 'rwlock, T>(x: &'x RwLockWriteGuard<'rwlock, T>) -> &'x (impl Unpin + ?Sized)
    where
        T: ?Sized,
    {
        x
    }
    fn f237<'x, 'rwlock, T>(x: &'x RwLockWriteGuard<'rwlock, T>) -> &'x (impl UnwindSafe + ?Sized)
    where
        T: ?Sized,
    {
        x
    }
}
mod sync_WaitTimeoutResult {
    use super::sync::WaitTimeoutResult;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f238(this: &WaitTimeoutResult) -> bool {
        <WaitTimeoutResult>::timed_out(this)
    }
    fn f239<'x>(x: &'x WaitTimeoutResult) -> &'x (impl Clone + ?Sized) {
        x
    }
    fn f240<'x>(x: &'x WaitTimeoutResult) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f241<'x>(x: &'x WaitTimeoutResult) -> &'x (impl PartialEq + ?Sized) {
        x
    }
    fn f242<'x>(x: &'x WaitTimeoutResult) -> &'x (impl Copy + ?Sized) {
        x
    }
    fn f243<'x>(x: &'x WaitTimeoutResult) -> &'x (impl Eq + ?Sized) {
        x
    }
    fn f244<'x>(x: &'x WaitTimeoutResult) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f245<'x>(x: &'x WaitTimeoutResult) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f246<'x>(x: &'x WaitTimeoutResult) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f247<'x>(x: &'x WaitTimeoutResult) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f248<'x>(x: &'x WaitTimeoutResult) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_Weak {
    use super::sync::Weak;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f249<T>() -> Weak<T> {
        <Weak<T>>::new()
    }
    unsafe fn f250<T>(a0: *const T) -> Weak<T>
    where
        T: ?Sized,
    {
        unsafe { <Weak<T>>::from_raw(a0) }
    }
    fn f251<T>(this: Weak<T>) -> *const T
    where
        T: ?Sized,
    {
        <Weak<T>>::into_raw(this)
    }
    fn f252<T>(this: &Weak<T>) -> *const T
    where
        T: ?Sized,
    {
        <Weak<T>>::as_ptr(this)
    }
    fn f253<T>(this: &Weak<T>) -> Option<Arc<T>>
    where
        T: ?Sized,
    {
        <Weak<T>>::upgrade(this)
    }
    fn f254<T>(this: &Weak<T>) -> usize
    where
        T: ?Sized,
    {
        <Weak<T>>::strong_count(this)
    }
    fn f255<T>(this: &Weak<T>) -> usize
    where
        T: ?Sized,
    {
        <Weak<T>>::weak_count(this)
    }
    fn f256<T>(this: &Weak<T>, a1: &Weak<T>) -> bool
    where
        T: ?Sized,
    {
        <Weak<T>>::ptr_eq(this, a1)
    }
    fn f257<'x, T>(x: &'x Weak<T>) -> &'x (impl Clone + ?Sized)
    where
        T: ?Sized,
    {
        x
    }
    fn f258<'x, T>(x: &'x Weak<T>) -> &'x (impl Debug + ?Sized)
    where
        T: ?Sized,
    {
        x
    }
    fn f259<'x, T>(x: &'x Weak<T>) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f260<'x, T>(x: &'x Weak<T>) -> &'x (impl Send + ?Sized)
    where
        T: Sync + Send + ?Sized,
    {
        x
    }
    fn f261<'x, T>(x: &'x Weak<T>) -> &'x (impl Sync + ?Sized)
    where
        T: Sync + Send + ?Sized,
    {
        x
    }
    fn f262<'x, T>(x: &'x Weak<T>) -> &'x (impl RefUnwindSafe + ?Sized)
    where
        T: RefUnwindSafe + ?Sized,
    {
        x
    }
    fn f263<'x, T>(x: &'x Weak<T>) -> &'x (impl Unpin + ?Sized)
    where
        T: ?Sized,
    {
        x
    }
    fn f264<'x, T>(x: &'x Weak<T>) -> &'x (impl UnwindSafe + ?Sized)
    where
        T: RefUnwindSafe + ?Sized,
    {
        x
    }
}
mod sync_LockResult {
    use super::sync::LockResult;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod sync_TryLockResult {
    use super::sync::TryLockResult;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod sync_atomic_ATOMIC_BOOL_INIT {
    use super::sync::atomic::ATOMIC_BOOL_INIT;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod sync_atomic_ATOMIC_ISIZE_INIT {
    use super::sync::atomic::ATOMIC_ISIZE_INIT;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod sync_atomic_ATOMIC_USIZE_INIT {
    use super::sync::atomic::ATOMIC_USIZE_INIT;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod sync_atomic_Ordering {
    use super::sync::atomic::Ordering;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f265<'x>(x: &'x Ordering) -> &'x (impl Clone + ?Sized) {
        x
    }
    fn f266<'x>(x: &'x Ordering) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f267<'x>(x: &'x Ordering) -> &'x (impl Hash + ?Sized) {
        x
    }
    fn f268<'x>(x: &'x Ordering) -> &'x (impl PartialEq + ?Sized) {
        x
    }
    fn f269<'x>(x: &'x Ordering) -> &'x (impl Copy + ?Sized) {
        x
    }
    fn f270<'x>(x: &'x Ordering) -> &'x (impl Eq + ?Sized) {
        x
    }
    fn f271<'x>(x: &'x Ordering) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f272<'x>(x: &'x Ordering) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f273<'x>(x: &'x Ordering) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f274<'x>(x: &'x Ordering) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f275<'x>(x: &'x Ordering) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_atomic_compiler_fence {
    use super::sync::atomic::compiler_fence;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod sync_atomic_fence {
    use super::sync::atomic::fence;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod sync_atomic_spin_loop_hint {
    use super::sync::atomic::spin_loop_hint;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod sync_atomic_AtomicBool {
    use super::sync::atomic::AtomicBool;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f276(a0: bool) -> AtomicBool {
        <AtomicBool>::new(a0)
    }
    // AtomicBool::from_ptr: a mirror is larger than the value.
    fn f277(this: &mut AtomicBool) -> &mut bool {
        <AtomicBool>::get_mut(this)
    }
    fn f278(this: AtomicBool) -> bool {
        <AtomicBool>::into_inner(this)
    }
    fn f279(this: &AtomicBool, a1: Ordering) -> bool {
        <AtomicBool>::load(this, a1)
    }
    fn f280(this: &AtomicBool, a1: bool, a2: Ordering) {
        <AtomicBool>::store(this, a1, a2)
    }
    fn f281(this: &AtomicBool, a1: bool, a2: Ordering) -> bool {
        <AtomicBool>::swap(this, a1, a2)
    }
    fn f282(this: &AtomicBool, a1: bool, a2: bool, a3: Ordering) -> bool {
        <AtomicBool>::compare_and_swap(this, a1, a2, a3)
    }
    fn f283(this: &AtomicBool, a1: bool, a2: bool, a3: Ordering, a4: Ordering) -> Result<bool, bool> {
        <AtomicBool>::compare_exchange(this, a1, a2, a3, a4)
    }
    fn f284(this: &AtomicBool, a1: bool, a2: bool, a3: Ordering, a4: Ordering) -> Result<bool, bool> {
        <AtomicBool>::compare_exchange_weak(this, a1, a2, a3, a4)
    }
    fn f285(this: &AtomicBool, a1: bool, a2: Ordering) -> bool {
        <AtomicBool>::fetch_and(this, a1, a2)
    }
    fn f286(this: &AtomicBool, a1: bool, a2: Ordering) -> bool {
        <AtomicBool>::fetch_nand(this, a1, a2)
    }
    fn f287(this: &AtomicBool, a1: bool, a2: Ordering) -> bool {
        <AtomicBool>::fetch_or(this, a1, a2)
    }
    fn f288(this: &AtomicBool, a1: bool, a2: Ordering) -> bool {
        <AtomicBool>::fetch_xor(this, a1, a2)
    }
    fn f289(this: &AtomicBool, a1: Ordering) -> bool {
        <AtomicBool>::fetch_not(this, a1)
    }
    // AtomicBool::as_ptr: the run keeps the value.
    fn f290<F>(this: &AtomicBool, a1: Ordering, a2: Ordering, a3: F) -> Result<bool, bool>
    where
        F: FnMut(bool) -> Option<bool>,
    {
        <AtomicBool>::fetch_update(this, a1, a2, a3)
    }
    fn f291(this: &AtomicBool, a1: Ordering, a2: Ordering, a3: impl FnMut(bool) -> Option<bool>) -> Result<bool, bool> {
        <AtomicBool>::try_update(this, a1, a2, a3)
    }
    fn f292(this: &AtomicBool, a1: Ordering, a2: Ordering, a3: impl FnMut(bool) -> bool) -> bool {
        <AtomicBool>::update(this, a1, a2, a3)
    }
    fn f293<'x>(x: &'x AtomicBool) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f294<'x>(x: &'x AtomicBool) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f295<'x>(x: &'x AtomicBool) -> &'x (impl From<bool> + ?Sized) {
        x
    }
    fn f296<'x>(x: &'x AtomicBool) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f297<'x>(x: &'x AtomicBool) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f298<'x>(x: &'x AtomicBool) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f299<'x>(x: &'x AtomicBool) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f300<'x>(x: &'x AtomicBool) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_atomic_AtomicI16 {
    use super::sync::atomic::AtomicI16;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f301(a0: i16) -> AtomicI16 {
        <AtomicI16>::new(a0)
    }
    // AtomicI16::from_ptr: a mirror is larger than the value.
    fn f302(this: &mut AtomicI16) -> &mut i16 {
        <AtomicI16>::get_mut(this)
    }
    fn f303(this: AtomicI16) -> i16 {
        <AtomicI16>::into_inner(this)
    }
    fn f304(this: &AtomicI16, a1: Ordering) -> i16 {
        <AtomicI16>::load(this, a1)
    }
    fn f305(this: &AtomicI16, a1: i16, a2: Ordering) {
        <AtomicI16>::store(this, a1, a2)
    }
    fn f306(this: &AtomicI16, a1: i16, a2: Ordering) -> i16 {
        <AtomicI16>::swap(this, a1, a2)
    }
    fn f307(this: &AtomicI16, a1: i16, a2: i16, a3: Ordering) -> i16 {
        <AtomicI16>::compare_and_swap(this, a1, a2, a3)
    }
    fn f308(this: &AtomicI16, a1: i16, a2: i16, a3: Ordering, a4: Ordering) -> Result<i16, i16> {
        <AtomicI16>::compare_exchange(this, a1, a2, a3, a4)
    }
    fn f309(this: &AtomicI16, a1: i16, a2: i16, a3: Ordering, a4: Ordering) -> Result<i16, i16> {
        <AtomicI16>::compare_exchange_weak(this, a1, a2, a3, a4)
    }
    fn f310(this: &AtomicI16, a1: i16, a2: Ordering) -> i16 {
        <AtomicI16>::fetch_add(this, a1, a2)
    }
    fn f311(this: &AtomicI16, a1: i16, a2: Ordering) -> i16 {
        <AtomicI16>::fetch_sub(this, a1, a2)
    }
    fn f312(this: &AtomicI16, a1: i16, a2: Ordering) -> i16 {
        <AtomicI16>::fetch_and(this, a1, a2)
    }
    fn f313(this: &AtomicI16, a1: i16, a2: Ordering) -> i16 {
        <AtomicI16>::fetch_nand(this, a1, a2)
    }
    fn f314(this: &AtomicI16, a1: i16, a2: Ordering) -> i16 {
        <AtomicI16>::fetch_or(this, a1, a2)
    }
    fn f315(this: &AtomicI16, a1: i16, a2: Ordering) -> i16 {
        <AtomicI16>::fetch_xor(this, a1, a2)
    }
    fn f316<F>(this: &AtomicI16, a1: Ordering, a2: Ordering, a3: F) -> Result<i16, i16>
    where
        F: FnMut(i16) -> Option<i16>,
    {
        <AtomicI16>::fetch_update(this, a1, a2, a3)
    }
    fn f317(this: &AtomicI16, a1: Ordering, a2: Ordering, a3: impl FnMut(i16) -> Option<i16>) -> Result<i16, i16> {
        <AtomicI16>::try_update(this, a1, a2, a3)
    }
    fn f318(this: &AtomicI16, a1: Ordering, a2: Ordering, a3: impl FnMut(i16) -> i16) -> i16 {
        <AtomicI16>::update(this, a1, a2, a3)
    }
    fn f319(this: &AtomicI16, a1: i16, a2: Ordering) -> i16 {
        <AtomicI16>::fetch_max(this, a1, a2)
    }
    fn f320(this: &AtomicI16, a1: i16, a2: Ordering) -> i16 {
        <AtomicI16>::fetch_min(this, a1, a2)
    }
    // AtomicI16::as_ptr: the run keeps the value.
    fn f321<'x>(x: &'x AtomicI16) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f322<'x>(x: &'x AtomicI16) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f323<'x>(x: &'x AtomicI16) -> &'x (impl From<i16> + ?Sized) {
        x
    }
    fn f324<'x>(x: &'x AtomicI16) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f325<'x>(x: &'x AtomicI16) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f326<'x>(x: &'x AtomicI16) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f327<'x>(x: &'x AtomicI16) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f328<'x>(x: &'x AtomicI16) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_atomic_AtomicI32 {
    use super::sync::atomic::AtomicI32;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f329(a0: i32) -> AtomicI32 {
        <AtomicI32>::new(a0)
    }
    // AtomicI32::from_ptr: a mirror is larger than the value.
    fn f330(this: &mut AtomicI32) -> &mut i32 {
        <AtomicI32>::get_mut(this)
    }
    fn f331(this: AtomicI32) -> i32 {
        <AtomicI32>::into_inner(this)
    }
    fn f332(this: &AtomicI32, a1: Ordering) -> i32 {
        <AtomicI32>::load(this, a1)
    }
    fn f333(this: &AtomicI32, a1: i32, a2: Ordering) {
        <AtomicI32>::store(this, a1, a2)
    }
    fn f334(this: &AtomicI32, a1: i32, a2: Ordering) -> i32 {
        <AtomicI32>::swap(this, a1, a2)
    }
    fn f335(this: &AtomicI32, a1: i32, a2: i32, a3: Ordering) -> i32 {
        <AtomicI32>::compare_and_swap(this, a1, a2, a3)
    }
    fn f336(this: &AtomicI32, a1: i32, a2: i32, a3: Ordering, a4: Ordering) -> Result<i32, i32> {
        <AtomicI32>::compare_exchange(this, a1, a2, a3, a4)
    }
    fn f337(this: &AtomicI32, a1: i32, a2: i32, a3: Ordering, a4: Ordering) -> Result<i32, i32> {
        <AtomicI32>::compare_exchange_weak(this, a1, a2, a3, a4)
    }
    fn f338(this: &AtomicI32, a1: i32, a2: Ordering) -> i32 {
        <AtomicI32>::fetch_add(this, a1, a2)
    }
    fn f339(this: &AtomicI32, a1: i32, a2: Ordering) -> i32 {
        <AtomicI32>::fetch_sub(this, a1, a2)
    }
    fn f340(this: &AtomicI32, a1: i32, a2: Ordering) -> i32 {
        <AtomicI32>::fetch_and(this, a1, a2)
    }
    fn f341(this: &AtomicI32, a1: i32, a2: Ordering) -> i32 {
        <AtomicI32>::fetch_nand(this, a1, a2)
    }
    fn f342(this: &AtomicI32, a1: i32, a2: Ordering) -> i32 {
        <AtomicI32>::fetch_or(this, a1, a2)
    }
    fn f343(this: &AtomicI32, a1: i32, a2: Ordering) -> i32 {
        <AtomicI32>::fetch_xor(this, a1, a2)
    }
    fn f344<F>(this: &AtomicI32, a1: Ordering, a2: Ordering, a3: F) -> Result<i32, i32>
    where
        F: FnMut(i32) -> Option<i32>,
    {
        <AtomicI32>::fetch_update(this, a1, a2, a3)
    }
    fn f345(this: &AtomicI32, a1: Ordering, a2: Ordering, a3: impl FnMut(i32) -> Option<i32>) -> Result<i32, i32> {
        <AtomicI32>::try_update(this, a1, a2, a3)
    }
    fn f346(this: &AtomicI32, a1: Ordering, a2: Ordering, a3: impl FnMut(i32) -> i32) -> i32 {
        <AtomicI32>::update(this, a1, a2, a3)
    }
    fn f347(this: &AtomicI32, a1: i32, a2: Ordering) -> i32 {
        <AtomicI32>::fetch_max(this, a1, a2)
    }
    fn f348(this: &AtomicI32, a1: i32, a2: Ordering) -> i32 {
        <AtomicI32>::fetch_min(this, a1, a2)
    }
    // AtomicI32::as_ptr: the run keeps the value.
    fn f349<'x>(x: &'x AtomicI32) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f350<'x>(x: &'x AtomicI32) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f351<'x>(x: &'x AtomicI32) -> &'x (impl From<i32> + ?Sized) {
        x
    }
    fn f352<'x>(x: &'x AtomicI32) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f353<'x>(x: &'x AtomicI32) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f354<'x>(x: &'x AtomicI32) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f355<'x>(x: &'x AtomicI32) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f356<'x>(x: &'x AtomicI32) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_atomic_AtomicI64 {
    use super::sync::atomic::AtomicI64;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f357(a0: i64) -> AtomicI64 {
        <AtomicI64>::new(a0)
    }
    // AtomicI64::from_ptr: a mirror is larger than the value.
    fn f358(this: &mut AtomicI64) -> &mut i64 {
        <AtomicI64>::get_mut(this)
    }
    fn f359(this: AtomicI64) -> i64 {
        <AtomicI64>::into_inner(this)
    }
    fn f360(this: &AtomicI64, a1: Ordering) -> i64 {
        <AtomicI64>::load(this, a1)
    }
    fn f361(this: &AtomicI64, a1: i64, a2: Ordering) {
        <AtomicI64>::store(this, a1, a2)
    }
    fn f362(this: &AtomicI64, a1: i64, a2: Ordering) -> i64 {
        <AtomicI64>::swap(this, a1, a2)
    }
    fn f363(this: &AtomicI64, a1: i64, a2: i64, a3: Ordering) -> i64 {
        <AtomicI64>::compare_and_swap(this, a1, a2, a3)
    }
    fn f364(this: &AtomicI64, a1: i64, a2: i64, a3: Ordering, a4: Ordering) -> Result<i64, i64> {
        <AtomicI64>::compare_exchange(this, a1, a2, a3, a4)
    }
    fn f365(this: &AtomicI64, a1: i64, a2: i64, a3: Ordering, a4: Ordering) -> Result<i64, i64> {
        <AtomicI64>::compare_exchange_weak(this, a1, a2, a3, a4)
    }
    fn f366(this: &AtomicI64, a1: i64, a2: Ordering) -> i64 {
        <AtomicI64>::fetch_add(this, a1, a2)
    }
    fn f367(this: &AtomicI64, a1: i64, a2: Ordering) -> i64 {
        <AtomicI64>::fetch_sub(this, a1, a2)
    }
    fn f368(this: &AtomicI64, a1: i64, a2: Ordering) -> i64 {
        <AtomicI64>::fetch_and(this, a1, a2)
    }
    fn f369(this: &AtomicI64, a1: i64, a2: Ordering) -> i64 {
        <AtomicI64>::fetch_nand(this, a1, a2)
    }
    fn f370(this: &AtomicI64, a1: i64, a2: Ordering) -> i64 {
        <AtomicI64>::fetch_or(this, a1, a2)
    }
    fn f371(this: &AtomicI64, a1: i64, a2: Ordering) -> i64 {
        <AtomicI64>::fetch_xor(this, a1, a2)
    }
    fn f372<F>(this: &AtomicI64, a1: Ordering, a2: Ordering, a3: F) -> Result<i64, i64>
    where
        F: FnMut(i64) -> Option<i64>,
    {
        <AtomicI64>::fetch_update(this, a1, a2, a3)
    }
    fn f373(this: &AtomicI64, a1: Ordering, a2: Ordering, a3: impl FnMut(i64) -> Option<i64>) -> Result<i64, i64> {
        <AtomicI64>::try_update(this, a1, a2, a3)
    }
    fn f374(this: &AtomicI64, a1: Ordering, a2: Ordering, a3: impl FnMut(i64) -> i64) -> i64 {
        <AtomicI64>::update(this, a1, a2, a3)
    }
    fn f375(this: &AtomicI64, a1: i64, a2: Ordering) -> i64 {
        <AtomicI64>::fetch_max(this, a1, a2)
    }
    fn f376(this: &AtomicI64, a1: i64, a2: Ordering) -> i64 {
        <AtomicI64>::fetch_min(this, a1, a2)
    }
    // AtomicI64::as_ptr: the run keeps the value.
    fn f377<'x>(x: &'x AtomicI64) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f378<'x>(x: &'x AtomicI64) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f379<'x>(x: &'x AtomicI64) -> &'x (impl From<i64> + ?Sized) {
        x
    }
    fn f380<'x>(x: &'x AtomicI64) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f381<'x>(x: &'x AtomicI64) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f382<'x>(x: &'x AtomicI64) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f383<'x>(x: &'x AtomicI64) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f384<'x>(x: &'x AtomicI64) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_atomic_AtomicI8 {
    use super::sync::atomic::AtomicI8;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f385(a0: i8) -> AtomicI8 {
        <AtomicI8>::new(a0)
    }
    // AtomicI8::from_ptr: a mirror is larger than the value.
    fn f386(this: &mut AtomicI8) -> &mut i8 {
        <AtomicI8>::get_mut(this)
    }
    fn f387(this: AtomicI8) -> i8 {
        <AtomicI8>::into_inner(this)
    }
    fn f388(this: &AtomicI8, a1: Ordering) -> i8 {
        <AtomicI8>::load(this, a1)
    }
    fn f389(this: &AtomicI8, a1: i8, a2: Ordering) {
        <AtomicI8>::store(this, a1, a2)
    }
    fn f390(this: &AtomicI8, a1: i8, a2: Ordering) -> i8 {
        <AtomicI8>::swap(this, a1, a2)
    }
    fn f391(this: &AtomicI8, a1: i8, a2: i8, a3: Ordering) -> i8 {
        <AtomicI8>::compare_and_swap(this, a1, a2, a3)
    }
    fn f392(this: &AtomicI8, a1: i8, a2: i8, a3: Ordering, a4: Ordering) -> Result<i8, i8> {
        <AtomicI8>::compare_exchange(this, a1, a2, a3, a4)
    }
    fn f393(this: &AtomicI8, a1: i8, a2: i8, a3: Ordering, a4: Ordering) -> Result<i8, i8> {
        <AtomicI8>::compare_exchange_weak(this, a1, a2, a3, a4)
    }
    fn f394(this: &AtomicI8, a1: i8, a2: Ordering) -> i8 {
        <AtomicI8>::fetch_add(this, a1, a2)
    }
    fn f395(this: &AtomicI8, a1: i8, a2: Ordering) -> i8 {
        <AtomicI8>::fetch_sub(this, a1, a2)
    }
    fn f396(this: &AtomicI8, a1: i8, a2: Ordering) -> i8 {
        <AtomicI8>::fetch_and(this, a1, a2)
    }
    fn f397(this: &AtomicI8, a1: i8, a2: Ordering) -> i8 {
        <AtomicI8>::fetch_nand(this, a1, a2)
    }
    fn f398(this: &AtomicI8, a1: i8, a2: Ordering) -> i8 {
        <AtomicI8>::fetch_or(this, a1, a2)
    }
    fn f399(this: &AtomicI8, a1: i8, a2: Ordering) -> i8 {
        <AtomicI8>::fetch_xor(this, a1, a2)
    }
    fn f400<F>(this: &AtomicI8, a1: Ordering, a2: Ordering, a3: F) -> Result<i8, i8>
    where
        F: FnMut(i8) -> Option<i8>,
    {
        <AtomicI8>::fetch_update(this, a1, a2, a3)
    }
    fn f401(this: &AtomicI8, a1: Ordering, a2: Ordering, a3: impl FnMut(i8) -> Option<i8>) -> Result<i8, i8> {
        <AtomicI8>::try_update(this, a1, a2, a3)
    }
    fn f402(this: &AtomicI8, a1: Ordering, a2: Ordering, a3: impl FnMut(i8) -> i8) -> i8 {
        <AtomicI8>::update(this, a1, a2, a3)
    }
    fn f403(this: &AtomicI8, a1: i8, a2: Ordering) -> i8 {
        <AtomicI8>::fetch_max(this, a1, a2)
    }
    fn f404(this: &AtomicI8, a1: i8, a2: Ordering) -> i8 {
        <AtomicI8>::fetch_min(this, a1, a2)
    }
    // AtomicI8::as_ptr: the run keeps the value.
    fn f405<'x>(x: &'x AtomicI8) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f406<'x>(x: &'x AtomicI8) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f407<'x>(x: &'x AtomicI8) -> &'x (impl From<i8> + ?Sized) {
        x
    }
    fn f408<'x>(x: &'x AtomicI8) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f409<'x>(x: &'x AtomicI8) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f410<'x>(x: &'x AtomicI8) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f411<'x>(x: &'x AtomicI8) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f412<'x>(x: &'x AtomicI8) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_atomic_AtomicIsize {
    use super::sync::atomic::AtomicIsize;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f413(a0: isize) -> AtomicIsize {
        <AtomicIsize>::new(a0)
    }
    // AtomicIsize::from_ptr: a mirror is larger than the value.
    fn f414(this: &mut AtomicIsize) -> &mut isize {
        <AtomicIsize>::get_mut(this)
    }
    fn f415(this: AtomicIsize) -> isize {
        <AtomicIsize>::into_inner(this)
    }
    fn f416(this: &AtomicIsize, a1: Ordering) -> isize {
        <AtomicIsize>::load(this, a1)
    }
    fn f417(this: &AtomicIsize, a1: isize, a2: Ordering) {
        <AtomicIsize>::store(this, a1, a2)
    }
    fn f418(this: &AtomicIsize, a1: isize, a2: Ordering) -> isize {
        <AtomicIsize>::swap(this, a1, a2)
    }
    fn f419(this: &AtomicIsize, a1: isize, a2: isize, a3: Ordering) -> isize {
        <AtomicIsize>::compare_and_swap(this, a1, a2, a3)
    }
    fn f420(this: &AtomicIsize, a1: isize, a2: isize, a3: Ordering, a4: Ordering) -> Result<isize, isize> {
        <AtomicIsize>::compare_exchange(this, a1, a2, a3, a4)
    }
    fn f421(this: &AtomicIsize, a1: isize, a2: isize, a3: Ordering, a4: Ordering) -> Result<isize, isize> {
        <AtomicIsize>::compare_exchange_weak(this, a1, a2, a3, a4)
    }
    fn f422(this: &AtomicIsize, a1: isize, a2: Ordering) -> isize {
        <AtomicIsize>::fetch_add(this, a1, a2)
    }
    fn f423(this: &AtomicIsize, a1: isize, a2: Ordering) -> isize {
        <AtomicIsize>::fetch_sub(this, a1, a2)
    }
    fn f424(this: &AtomicIsize, a1: isize, a2: Ordering) -> isize {
        <AtomicIsize>::fetch_and(this, a1, a2)
    }
    fn f425(this: &AtomicIsize, a1: isize, a2: Ordering) -> isize {
        <AtomicIsize>::fetch_nand(this, a1, a2)
    }
    fn f426(this: &AtomicIsize, a1: isize, a2: Ordering) -> isize {
        <AtomicIsize>::fetch_or(this, a1, a2)
    }
    fn f427(this: &AtomicIsize, a1: isize, a2: Ordering) -> isize {
        <AtomicIsize>::fetch_xor(this, a1, a2)
    }
    fn f428<F>(this: &AtomicIsize, a1: Ordering, a2: Ordering, a3: F) -> Result<isize, isize>
    where
        F: FnMut(isize) -> Option<isize>,
    {
        <AtomicIsize>::fetch_update(this, a1, a2, a3)
    }
    fn f429(
        this: &AtomicIsize,
        a1: Ordering,
        a2: Ordering,
        a3: impl FnMut(isize) -> Option<isize>,
    ) -> Result<isize, isize> {
        <AtomicIsize>::try_update(this, a1, a2, a3)
    }
    fn f430(this: &AtomicIsize, a1: Ordering, a2: Ordering, a3: impl FnMut(isize) -> isize) -> isize {
        <AtomicIsize>::update(this, a1, a2, a3)
    }
    fn f431(this: &AtomicIsize, a1: isize, a2: Ordering) -> isize {
        <AtomicIsize>::fetch_max(this, a1, a2)
    }
    fn f432(this: &AtomicIsize, a1: isize, a2: Ordering) -> isize {
        <AtomicIsize>::fetch_min(this, a1, a2)
    }
    // AtomicIsize::as_ptr: the run keeps the value.
    fn f433<'x>(x: &'x AtomicIsize) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f434<'x>(x: &'x AtomicIsize) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f435<'x>(x: &'x AtomicIsize) -> &'x (impl From<isize> + ?Sized) {
        x
    }
    fn f436<'x>(x: &'x AtomicIsize) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f437<'x>(x: &'x AtomicIsize) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f438<'x>(x: &'x AtomicIsize) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f439<'x>(x: &'x AtomicIsize) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f440<'x>(x: &'x AtomicIsize) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_atomic_AtomicPtr {
    use super::sync::atomic::AtomicPtr;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f441<T>(a0: *mut T) -> AtomicPtr<T> {
        <AtomicPtr<T>>::new(a0)
    }
    // AtomicPtr::from_ptr: a mirror is larger than the value.
    fn f442<T>(this: &mut AtomicPtr<T>) -> &mut *mut T {
        <AtomicPtr<T>>::get_mut(this)
    }
    fn f443<T>(this: AtomicPtr<T>) -> *mut T {
        <AtomicPtr<T>>::into_inner(this)
    }
    fn f444<T>(this: &AtomicPtr<T>, a1: Ordering) -> *mut T {
        <AtomicPtr<T>>::load(this, a1)
    }
    fn f445<T>(this: &AtomicPtr<T>, a1: *mut T, a2: Ordering) {
        <AtomicPtr<T>>::store(this, a1, a2)
    }
    fn f446<T>(this: &AtomicPtr<T>, a1: *mut T, a2: Ordering) -> *mut T {
        <AtomicPtr<T>>::swap(this, a1, a2)
    }
    fn f447<T>(this: &AtomicPtr<T>, a1: *mut T, a2: *mut T, a3: Ordering) -> *mut T {
        <AtomicPtr<T>>::compare_and_swap(this, a1, a2, a3)
    }
    fn f448<T>(this: &AtomicPtr<T>, a1: *mut T, a2: *mut T, a3: Ordering, a4: Ordering) -> Result<*mut T, *mut T> {
        <AtomicPtr<T>>::compare_exchange(this, a1, a2, a3, a4)
    }
    fn f449<T>(this: &AtomicPtr<T>, a1: *mut T, a2: *mut T, a3: Ordering, a4: Ordering) -> Result<*mut T, *mut T> {
        <AtomicPtr<T>>::compare_exchange_weak(this, a1, a2, a3, a4)
    }
    fn f450<T, F>(this: &AtomicPtr<T>, a1: Ordering, a2: Ordering, a3: F) -> Result<*mut T, *mut T>
    where
        F: FnMut(*mut T) -> Option<*mut T>,
    {
        <AtomicPtr<T>>::fetch_update(this, a1, a2, a3)
    }
    fn f451<T>(
        this: &AtomicPtr<T>,
        a1: Ordering,
        a2: Ordering,
        a3: impl FnMut(*mut T) -> Option<*mut T>,
    ) -> Result<*mut T, *mut T> {
        <AtomicPtr<T>>::try_update(this, a1, a2, a3)
    }
    fn f452<T>(this: &AtomicPtr<T>, a1: Ordering, a2: Ordering, a3: impl FnMut(*mut T) -> *mut T) -> *mut T {
        <AtomicPtr<T>>::update(this, a1, a2, a3)
    }
    fn f453<T>(this: &AtomicPtr<T>, a1: usize, a2: Ordering) -> *mut T {
        <AtomicPtr<T>>::fetch_ptr_add(this, a1, a2)
    }
    fn f454<T>(this: &AtomicPtr<T>, a1: usize, a2: Ordering) -> *mut T {
        <AtomicPtr<T>>::fetch_ptr_sub(this, a1, a2)
    }
    fn f455<T>(this: &AtomicPtr<T>, a1: usize, a2: Ordering) -> *mut T {
        <AtomicPtr<T>>::fetch_byte_add(this, a1, a2)
    }
    fn f456<T>(this: &AtomicPtr<T>, a1: usize, a2: Ordering) -> *mut T {
        <AtomicPtr<T>>::fetch_byte_sub(this, a1, a2)
    }
    fn f457<T>(this: &AtomicPtr<T>, a1: usize, a2: Ordering) -> *mut T {
        <AtomicPtr<T>>::fetch_or(this, a1, a2)
    }
    fn f458<T>(this: &AtomicPtr<T>, a1: usize, a2: Ordering) -> *mut T {
        <AtomicPtr<T>>::fetch_and(this, a1, a2)
    }
    fn f459<T>(this: &AtomicPtr<T>, a1: usize, a2: Ordering) -> *mut T {
        <AtomicPtr<T>>::fetch_xor(this, a1, a2)
    }
    // AtomicPtr::as_ptr: the run keeps the value.
    fn f460<'x, T>(x: &'x AtomicPtr<T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f461<'x, T>(x: &'x AtomicPtr<T>) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f462<'x, T>(x: &'x AtomicPtr<T>) -> &'x (impl From<*mut T> + ?Sized) {
        x
    }
    fn f463<'x, T>(x: &'x AtomicPtr<T>) -> &'x (impl Pointer + ?Sized) {
        x
    }
    fn f464<'x, T>(x: &'x AtomicPtr<T>) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f465<'x, T>(x: &'x AtomicPtr<T>) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f466<'x, T>(x: &'x AtomicPtr<T>) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f467<'x, T>(x: &'x AtomicPtr<T>) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f468<'x, T>(x: &'x AtomicPtr<T>) -> &'x (impl UnwindSafe + ?Sized)
    where
        T: RefUnwindSafe,
    {
        x
    }
}
mod sync_atomic_AtomicU16 {
    use super::sync::atomic::AtomicU16;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f469(a0: u16) -> AtomicU16 {
        <AtomicU16>::new(a0)
    }
    // AtomicU16::from_ptr: a mirror is larger than the value.
    fn f470(this: &mut AtomicU16) -> &mut u16 {
        <AtomicU16>::get_mut(this)
    }
    fn f471(this: AtomicU16) -> u16 {
        <AtomicU16>::into_inner(this)
    }
    fn f472(this: &AtomicU16, a1: Ordering) -> u16 {
        <AtomicU16>::load(this, a1)
    }
    fn f473(this: &AtomicU16, a1: u16, a2: Ordering) {
        <AtomicU16>::store(this, a1, a2)
    }
    fn f474(this: &AtomicU16, a1: u16, a2: Ordering) -> u16 {
        <AtomicU16>::swap(this, a1, a2)
    }
    fn f475(this: &AtomicU16, a1: u16, a2: u16, a3: Ordering) -> u16 {
        <AtomicU16>::compare_and_swap(this, a1, a2, a3)
    }
    fn f476(this: &AtomicU16, a1: u16, a2: u16, a3: Ordering, a4: Ordering) -> Result<u16, u16> {
        <AtomicU16>::compare_exchange(this, a1, a2, a3, a4)
    }
    fn f477(this: &AtomicU16, a1: u16, a2: u16, a3: Ordering, a4: Ordering) -> Result<u16, u16> {
        <AtomicU16>::compare_exchange_weak(this, a1, a2, a3, a4)
    }
    fn f478(this: &AtomicU16, a1: u16, a2: Ordering) -> u16 {
        <AtomicU16>::fetch_add(this, a1, a2)
    }
    fn f479(this: &AtomicU16, a1: u16, a2: Ordering) -> u16 {
        <AtomicU16>::fetch_sub(this, a1, a2)
    }
    fn f480(this: &AtomicU16, a1: u16, a2: Ordering) -> u16 {
        <AtomicU16>::fetch_and(this, a1, a2)
    }
    fn f481(this: &AtomicU16, a1: u16, a2: Ordering) -> u16 {
        <AtomicU16>::fetch_nand(this, a1, a2)
    }
    fn f482(this: &AtomicU16, a1: u16, a2: Ordering) -> u16 {
        <AtomicU16>::fetch_or(this, a1, a2)
    }
    fn f483(this: &AtomicU16, a1: u16, a2: Ordering) -> u16 {
        <AtomicU16>::fetch_xor(this, a1, a2)
    }
    fn f484<F>(this: &AtomicU16, a1: Ordering, a2: Ordering, a3: F) -> Result<u16, u16>
    where
        F: FnMut(u16) -> Option<u16>,
    {
        <AtomicU16>::fetch_update(this, a1, a2, a3)
    }
    fn f485(this: &AtomicU16, a1: Ordering, a2: Ordering, a3: impl FnMut(u16) -> Option<u16>) -> Result<u16, u16> {
        <AtomicU16>::try_update(this, a1, a2, a3)
    }
    fn f486(this: &AtomicU16, a1: Ordering, a2: Ordering, a3: impl FnMut(u16) -> u16) -> u16 {
        <AtomicU16>::update(this, a1, a2, a3)
    }
    fn f487(this: &AtomicU16, a1: u16, a2: Ordering) -> u16 {
        <AtomicU16>::fetch_max(this, a1, a2)
    }
    fn f488(this: &AtomicU16, a1: u16, a2: Ordering) -> u16 {
        <AtomicU16>::fetch_min(this, a1, a2)
    }
    // AtomicU16::as_ptr: the run keeps the value.
    fn f489<'x>(x: &'x AtomicU16) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f490<'x>(x: &'x AtomicU16) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f491<'x>(x: &'x AtomicU16) -> &'x (impl From<u16> + ?Sized) {
        x
    }
    fn f492<'x>(x: &'x AtomicU16) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f493<'x>(x: &'x AtomicU16) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f494<'x>(x: &'x AtomicU16) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f495<'x>(x: &'x AtomicU16) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f496<'x>(x: &'x AtomicU16) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_atomic_AtomicU32 {
    use super::sync::atomic::AtomicU32;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f497(a0: u32) -> AtomicU32 {
        <AtomicU32>::new(a0)
    }
    // AtomicU32::from_ptr: a mirror is larger than the value.
    fn f498(this: &mut AtomicU32) -> &mut u32 {
        <AtomicU32>::get_mut(this)
    }
    fn f499(this: AtomicU32) -> u32 {
        <AtomicU32>::into_inner(this)
    }
    fn f500(this: &AtomicU32, a1: Ordering) -> u32 {
        <AtomicU32>::load(this, a1)
    }
    fn f501(this: &AtomicU32, a1: u32, a2: Ordering) {
        <AtomicU32>::store(this, a1, a2)
    }
    fn f502(this: &AtomicU32, a1: u32, a2: Ordering) -> u32 {
        <AtomicU32>::swap(this, a1, a2)
    }
    fn f503(this: &AtomicU32, a1: u32, a2: u32, a3: Ordering) -> u32 {
        <AtomicU32>::compare_and_swap(this, a1, a2, a3)
    }
    fn f504(this: &AtomicU32, a1: u32, a2: u32, a3: Ordering, a4: Ordering) -> Result<u32, u32> {
        <AtomicU32>::compare_exchange(this, a1, a2, a3, a4)
    }
    fn f505(this: &AtomicU32, a1: u32, a2: u32, a3: Ordering, a4: Ordering) -> Result<u32, u32> {
        <AtomicU32>::compare_exchange_weak(this, a1, a2, a3, a4)
    }
    fn f506(this: &AtomicU32, a1: u32, a2: Ordering) -> u32 {
        <AtomicU32>::fetch_add(this, a1, a2)
    }
    fn f507(this: &AtomicU32, a1: u32, a2: Ordering) -> u32 {
        <AtomicU32>::fetch_sub(this, a1, a2)
    }
    fn f508(this: &AtomicU32, a1: u32, a2: Ordering) -> u32 {
        <AtomicU32>::fetch_and(this, a1, a2)
    }
    fn f509(this: &AtomicU32, a1: u32, a2: Ordering) -> u32 {
        <AtomicU32>::fetch_nand(this, a1, a2)
    }
    fn f510(this: &AtomicU32, a1: u32, a2: Ordering) -> u32 {
        <AtomicU32>::fetch_or(this, a1, a2)
    }
    fn f511(this: &AtomicU32, a1: u32, a2: Ordering) -> u32 {
        <AtomicU32>::fetch_xor(this, a1, a2)
    }
    fn f512<F>(this: &AtomicU32, a1: Ordering, a2: Ordering, a3: F) -> Result<u32, u32>
    where
        F: FnMut(u32) -> Option<u32>,
    {
        <AtomicU32>::fetch_update(this, a1, a2, a3)
    }
    fn f513(this: &AtomicU32, a1: Ordering, a2: Ordering, a3: impl FnMut(u32) -> Option<u32>) -> Result<u32, u32> {
        <AtomicU32>::try_update(this, a1, a2, a3)
    }
    fn f514(this: &AtomicU32, a1: Ordering, a2: Ordering, a3: impl FnMut(u32) -> u32) -> u32 {
        <AtomicU32>::update(this, a1, a2, a3)
    }
    fn f515(this: &AtomicU32, a1: u32, a2: Ordering) -> u32 {
        <AtomicU32>::fetch_max(this, a1, a2)
    }
    fn f516(this: &AtomicU32, a1: u32, a2: Ordering) -> u32 {
        <AtomicU32>::fetch_min(this, a1, a2)
    }
    // AtomicU32::as_ptr: the run keeps the value.
    fn f517<'x>(x: &'x AtomicU32) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f518<'x>(x: &'x AtomicU32) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f519<'x>(x: &'x AtomicU32) -> &'x (impl From<u32> + ?Sized) {
        x
    }
    fn f520<'x>(x: &'x AtomicU32) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f521<'x>(x: &'x AtomicU32) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f522<'x>(x: &'x AtomicU32) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f523<'x>(x: &'x AtomicU32) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f524<'x>(x: &'x AtomicU32) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_atomic_AtomicU64 {
    use super::sync::atomic::AtomicU64;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f525(a0: u64) -> AtomicU64 {
        <AtomicU64>::new(a0)
    }
    // AtomicU64::from_ptr: a mirror is larger than the value.
    fn f526(this: &mut AtomicU64) -> &mut u64 {
        <AtomicU64>::get_mut(this)
    }
    fn f527(this: AtomicU64) -> u64 {
        <AtomicU64>::into_inner(this)
    }
    fn f528(this: &AtomicU64, a1: Ordering) -> u64 {
        <AtomicU64>::load(this, a1)
    }
    fn f529(this: &AtomicU64, a1: u64, a2: Ordering) {
        <AtomicU64>::store(this, a1, a2)
    }
    fn f530(this: &AtomicU64, a1: u64, a2: Ordering) -> u64 {
        <AtomicU64>::swap(this, a1, a2)
    }
    fn f531(this: &AtomicU64, a1: u64, a2: u64, a3: Ordering) -> u64 {
        <AtomicU64>::compare_and_swap(this, a1, a2, a3)
    }
    fn f532(this: &AtomicU64, a1: u64, a2: u64, a3: Ordering, a4: Ordering) -> Result<u64, u64> {
        <AtomicU64>::compare_exchange(this, a1, a2, a3, a4)
    }
    fn f533(this: &AtomicU64, a1: u64, a2: u64, a3: Ordering, a4: Ordering) -> Result<u64, u64> {
        <AtomicU64>::compare_exchange_weak(this, a1, a2, a3, a4)
    }
    fn f534(this: &AtomicU64, a1: u64, a2: Ordering) -> u64 {
        <AtomicU64>::fetch_add(this, a1, a2)
    }
    fn f535(this: &AtomicU64, a1: u64, a2: Ordering) -> u64 {
        <AtomicU64>::fetch_sub(this, a1, a2)
    }
    fn f536(this: &AtomicU64, a1: u64, a2: Ordering) -> u64 {
        <AtomicU64>::fetch_and(this, a1, a2)
    }
    fn f537(this: &AtomicU64, a1: u64, a2: Ordering) -> u64 {
        <AtomicU64>::fetch_nand(this, a1, a2)
    }
    fn f538(this: &AtomicU64, a1: u64, a2: Ordering) -> u64 {
        <AtomicU64>::fetch_or(this, a1, a2)
    }
    fn f539(this: &AtomicU64, a1: u64, a2: Ordering) -> u64 {
        <AtomicU64>::fetch_xor(this, a1, a2)
    }
    fn f540<F>(this: &AtomicU64, a1: Ordering, a2: Ordering, a3: F) -> Result<u64, u64>
    where
        F: FnMut(u64) -> Option<u64>,
    {
        <AtomicU64>::fetch_update(this, a1, a2, a3)
    }
    fn f541(this: &AtomicU64, a1: Ordering, a2: Ordering, a3: impl FnMut(u64) -> Option<u64>) -> Result<u64, u64> {
        <AtomicU64>::try_update(this, a1, a2, a3)
    }
    fn f542(this: &AtomicU64, a1: Ordering, a2: Ordering, a3: impl FnMut(u64) -> u64) -> u64 {
        <AtomicU64>::update(this, a1, a2, a3)
    }
    fn f543(this: &AtomicU64, a1: u64, a2: Ordering) -> u64 {
        <AtomicU64>::fetch_max(this, a1, a2)
    }
    fn f544(this: &AtomicU64, a1: u64, a2: Ordering) -> u64 {
        <AtomicU64>::fetch_min(this, a1, a2)
    }
    // AtomicU64::as_ptr: the run keeps the value.
    fn f545<'x>(x: &'x AtomicU64) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f546<'x>(x: &'x AtomicU64) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f547<'x>(x: &'x AtomicU64) -> &'x (impl From<u64> + ?Sized) {
        x
    }
    fn f548<'x>(x: &'x AtomicU64) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f549<'x>(x: &'x AtomicU64) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f550<'x>(x: &'x AtomicU64) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f551<'x>(x: &'x AtomicU64) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f552<'x>(x: &'x AtomicU64) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_atomic_AtomicU8 {
    use super::sync::atomic::AtomicU8;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f553(a0: u8) -> AtomicU8 {
        <AtomicU8>::new(a0)
    }
    // AtomicU8::from_ptr: a mirror is larger than the value.
    fn f554(this: &mut AtomicU8) -> &mut u8 {
        <AtomicU8>::get_mut(this)
    }
    fn f555(this: AtomicU8) -> u8 {
        <AtomicU8>::into_inner(this)
    }
    fn f556(this: &AtomicU8, a1: Ordering) -> u8 {
        <AtomicU8>::load(this, a1)
    }
    fn f557(this: &AtomicU8, a1: u8, a2: Ordering) {
        <AtomicU8>::store(this, a1, a2)
    }
    fn f558(this: &AtomicU8, a1: u8, a2: Ordering) -> u8 {
        <AtomicU8>::swap(this, a1, a2)
    }
    fn f559(this: &AtomicU8, a1: u8, a2: u8, a3: Ordering) -> u8 {
        <AtomicU8>::compare_and_swap(this, a1, a2, a3)
    }
    fn f560(this: &AtomicU8, a1: u8, a2: u8, a3: Ordering, a4: Ordering) -> Result<u8, u8> {
        <AtomicU8>::compare_exchange(this, a1, a2, a3, a4)
    }
    fn f561(this: &AtomicU8, a1: u8, a2: u8, a3: Ordering, a4: Ordering) -> Result<u8, u8> {
        <AtomicU8>::compare_exchange_weak(this, a1, a2, a3, a4)
    }
    fn f562(this: &AtomicU8, a1: u8, a2: Ordering) -> u8 {
        <AtomicU8>::fetch_add(this, a1, a2)
    }
    fn f563(this: &AtomicU8, a1: u8, a2: Ordering) -> u8 {
        <AtomicU8>::fetch_sub(this, a1, a2)
    }
    fn f564(this: &AtomicU8, a1: u8, a2: Ordering) -> u8 {
        <AtomicU8>::fetch_and(this, a1, a2)
    }
    fn f565(this: &AtomicU8, a1: u8, a2: Ordering) -> u8 {
        <AtomicU8>::fetch_nand(this, a1, a2)
    }
    fn f566(this: &AtomicU8, a1: u8, a2: Ordering) -> u8 {
        <AtomicU8>::fetch_or(this, a1, a2)
    }
    fn f567(this: &AtomicU8, a1: u8, a2: Ordering) -> u8 {
        <AtomicU8>::fetch_xor(this, a1, a2)
    }
    fn f568<F>(this: &AtomicU8, a1: Ordering, a2: Ordering, a3: F) -> Result<u8, u8>
    where
        F: FnMut(u8) -> Option<u8>,
    {
        <AtomicU8>::fetch_update(this, a1, a2, a3)
    }
    fn f569(this: &AtomicU8, a1: Ordering, a2: Ordering, a3: impl FnMut(u8) -> Option<u8>) -> Result<u8, u8> {
        <AtomicU8>::try_update(this, a1, a2, a3)
    }
    fn f570(this: &AtomicU8, a1: Ordering, a2: Ordering, a3: impl FnMut(u8) -> u8) -> u8 {
        <AtomicU8>::update(this, a1, a2, a3)
    }
    fn f571(this: &AtomicU8, a1: u8, a2: Ordering) -> u8 {
        <AtomicU8>::fetch_max(this, a1, a2)
    }
    fn f572(this: &AtomicU8, a1: u8, a2: Ordering) -> u8 {
        <AtomicU8>::fetch_min(this, a1, a2)
    }
    // AtomicU8::as_ptr: the run keeps the value.
    fn f573<'x>(x: &'x AtomicU8) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f574<'x>(x: &'x AtomicU8) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f575<'x>(x: &'x AtomicU8) -> &'x (impl From<u8> + ?Sized) {
        x
    }
    fn f576<'x>(x: &'x AtomicU8) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f577<'x>(x: &'x AtomicU8) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f578<'x>(x: &'x AtomicU8) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f579<'x>(x: &'x AtomicU8) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f580<'x>(x: &'x AtomicU8) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_atomic_AtomicUsize {
    use super::sync::atomic::AtomicUsize;
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    const fn f581(a0: usize) -> AtomicUsize {
        <AtomicUsize>::new(a0)
    }
    // AtomicUsize::from_ptr: a mirror is larger than the value.
    fn f582(this: &mut AtomicUsize) -> &mut usize {
        <AtomicUsize>::get_mut(this)
    }
    fn f583(this: AtomicUsize) -> usize {
        <AtomicUsize>::into_inner(this)
    }
    fn f584(this: &AtomicUsize, a1: Ordering) -> usize {
        <AtomicUsize>::load(this, a1)
    }
    fn f585(this: &AtomicUsize, a1: usize, a2: Ordering) {
        <AtomicUsize>::store(this, a1, a2)
    }
    fn f586(this: &AtomicUsize, a1: usize, a2: Ordering) -> usize {
        <AtomicUsize>::swap(this, a1, a2)
    }
    fn f587(this: &AtomicUsize, a1: usize, a2: usize, a3: Ordering) -> usize {
        <AtomicUsize>::compare_and_swap(this, a1, a2, a3)
    }
    fn f588(this: &AtomicUsize, a1: usize, a2: usize, a3: Ordering, a4: Ordering) -> Result<usize, usize> {
        <AtomicUsize>::compare_exchange(this, a1, a2, a3, a4)
    }
    fn f589(this: &AtomicUsize, a1: usize, a2: usize, a3: Ordering, a4: Ordering) -> Result<usize, usize> {
        <AtomicUsize>::compare_exchange_weak(this, a1, a2, a3, a4)
    }
    fn f590(this: &AtomicUsize, a1: usize, a2: Ordering) -> usize {
        <AtomicUsize>::fetch_add(this, a1, a2)
    }
    fn f591(this: &AtomicUsize, a1: usize, a2: Ordering) -> usize {
        <AtomicUsize>::fetch_sub(this, a1, a2)
    }
    fn f592(this: &AtomicUsize, a1: usize, a2: Ordering) -> usize {
        <AtomicUsize>::fetch_and(this, a1, a2)
    }
    fn f593(this: &AtomicUsize, a1: usize, a2: Ordering) -> usize {
        <AtomicUsize>::fetch_nand(this, a1, a2)
    }
    fn f594(this: &AtomicUsize, a1: usize, a2: Ordering) -> usize {
        <AtomicUsize>::fetch_or(this, a1, a2)
    }
    fn f595(this: &AtomicUsize, a1: usize, a2: Ordering) -> usize {
        <AtomicUsize>::fetch_xor(this, a1, a2)
    }
    fn f596<F>(this: &AtomicUsize, a1: Ordering, a2: Ordering, a3: F) -> Result<usize, usize>
    where
        F: FnMut(usize) -> Option<usize>,
    {
        <AtomicUsize>::fetch_update(this, a1, a2, a3)
    }
    fn f597(
        this: &AtomicUsize,
        a1: Ordering,
        a2: Ordering,
        a3: impl FnMut(usize) -> Option<usize>,
    ) -> Result<usize, usize> {
        <AtomicUsize>::try_update(this, a1, a2, a3)
    }
    fn f598(this: &AtomicUsize, a1: Ordering, a2: Ordering, a3: impl FnMut(usize) -> usize) -> usize {
        <AtomicUsize>::update(this, a1, a2, a3)
    }
    fn f599(this: &AtomicUsize, a1: usize, a2: Ordering) -> usize {
        <AtomicUsize>::fetch_max(this, a1, a2)
    }
    fn f600(this: &AtomicUsize, a1: usize, a2: Ordering) -> usize {
        <AtomicUsize>::fetch_min(this, a1, a2)
    }
    // AtomicUsize::as_ptr: the run keeps the value.
    fn f601<'x>(x: &'x AtomicUsize) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f602<'x>(x: &'x AtomicUsize) -> &'x (impl Default + ?Sized) {
        x
    }
    fn f603<'x>(x: &'x AtomicUsize) -> &'x (impl From<usize> + ?Sized) {
        x
    }
    fn f604<'x>(x: &'x AtomicUsize) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f605<'x>(x: &'x AtomicUsize) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f606<'x>(x: &'x AtomicUsize) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f607<'x>(x: &'x AtomicUsize) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f608<'x>(x: &'x AtomicUsize) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_mpsc_RecvTimeoutError {
    use super::sync::atomic::*;
    use super::sync::mpsc::RecvTimeoutError;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f609<'x>(x: &'x RecvTimeoutError) -> &'x (impl Clone + ?Sized) {
        x
    }
    fn f610<'x>(x: &'x RecvTimeoutError) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f611<'x>(x: &'x RecvTimeoutError) -> &'x (impl Display + ?Sized) {
        x
    }
    fn f612<'x>(x: &'x RecvTimeoutError) -> &'x (impl Error + ?Sized) {
        x
    }
    fn f613<'x>(x: &'x RecvTimeoutError) -> &'x (impl From<RecvError> + ?Sized) {
        x
    }
    fn f614<'x>(x: &'x RecvTimeoutError) -> &'x (impl PartialEq + ?Sized) {
        x
    }
    fn f615<'x>(x: &'x RecvTimeoutError) -> &'x (impl Copy + ?Sized) {
        x
    }
    fn f616<'x>(x: &'x RecvTimeoutError) -> &'x (impl Eq + ?Sized) {
        x
    }
    fn f617<'x>(x: &'x RecvTimeoutError) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f618<'x>(x: &'x RecvTimeoutError) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f619<'x>(x: &'x RecvTimeoutError) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f620<'x>(x: &'x RecvTimeoutError) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f621<'x>(x: &'x RecvTimeoutError) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_mpsc_TryRecvError {
    use super::sync::atomic::*;
    use super::sync::mpsc::TryRecvError;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f622<'x>(x: &'x TryRecvError) -> &'x (impl Clone + ?Sized) {
        x
    }
    fn f623<'x>(x: &'x TryRecvError) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f624<'x>(x: &'x TryRecvError) -> &'x (impl Display + ?Sized) {
        x
    }
    fn f625<'x>(x: &'x TryRecvError) -> &'x (impl Error + ?Sized) {
        x
    }
    fn f626<'x>(x: &'x TryRecvError) -> &'x (impl From<RecvError> + ?Sized) {
        x
    }
    fn f627<'x>(x: &'x TryRecvError) -> &'x (impl PartialEq + ?Sized) {
        x
    }
    fn f628<'x>(x: &'x TryRecvError) -> &'x (impl Copy + ?Sized) {
        x
    }
    fn f629<'x>(x: &'x TryRecvError) -> &'x (impl Eq + ?Sized) {
        x
    }
    fn f630<'x>(x: &'x TryRecvError) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f631<'x>(x: &'x TryRecvError) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f632<'x>(x: &'x TryRecvError) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f633<'x>(x: &'x TryRecvError) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f634<'x>(x: &'x TryRecvError) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_mpsc_TrySendError {
    use super::sync::atomic::*;
    use super::sync::mpsc::TrySendError;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f635<'x, T: Clone>(x: &'x TrySendError<T>) -> &'x (impl Clone + ?Sized) {
        x
    }
    fn f636<'x, T>(x: &'x TrySendError<T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f637<'x, T>(x: &'x TrySendError<T>) -> &'x (impl Display + ?Sized) {
        x
    }
    fn f638<'x, T>(x: &'x TrySendError<T>) -> &'x (impl Error + ?Sized) {
        x
    }
    fn f639<'x, T>(x: &'x TrySendError<T>) -> &'x (impl From<SendError<T>> + ?Sized) {
        x
    }
    fn f640<'x, T: PartialEq>(x: &'x TrySendError<T>) -> &'x (impl PartialEq + ?Sized) {
        x
    }
    fn f641<'x, T: Copy>(x: &'x TrySendError<T>) -> &'x (impl Copy + ?Sized) {
        x
    }
    fn f642<'x, T: Eq>(x: &'x TrySendError<T>) -> &'x (impl Eq + ?Sized) {
        x
    }
    fn f643<'x, T>(x: &'x TrySendError<T>) -> &'x (impl RefUnwindSafe + ?Sized)
    where
        T: RefUnwindSafe,
    {
        x
    }
    fn f644<'x, T>(x: &'x TrySendError<T>) -> &'x (impl Send + ?Sized)
    where
        T: Send,
    {
        x
    }
    fn f645<'x, T>(x: &'x TrySendError<T>) -> &'x (impl Sync + ?Sized)
    where
        T: Sync,
    {
        x
    }
    fn f646<'x, T>(x: &'x TrySendError<T>) -> &'x (impl Unpin + ?Sized)
    where
        T: Unpin,
    {
        x
    }
    fn f647<'x, T>(x: &'x TrySendError<T>) -> &'x (impl UnwindSafe + ?Sized)
    where
        T: UnwindSafe,
    {
        x
    }
}
mod sync_mpsc_channel {
    use super::sync::atomic::*;
    use super::sync::mpsc::channel;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod sync_mpsc_sync_channel {
    use super::sync::atomic::*;
    use super::sync::mpsc::sync_channel;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod sync_mpsc_IntoIter {
    use super::sync::atomic::*;
    use super::sync::mpsc::IntoIter;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f648<'x, T: Debug>(x: &'x IntoIter<T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f649<'x, T>(x: &'x IntoIter<T>) -> &'x (impl Iterator + ?Sized) {
        x
    }
    fn f650<'x, T>(x: &'x IntoIter<T>) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f651<'x, T>(x: &'x IntoIter<T>) -> &'x (impl Send + ?Sized)
    where
        T: Send,
    {
        x
    }
    fn f652<'x, T>(x: &'x IntoIter<T>) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f653<'x, T>(x: &'x IntoIter<T>) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_mpsc_Iter {
    use super::sync::atomic::*;
    use super::sync::mpsc::Iter;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f654<'x, 'a, T: Debug + 'a>(x: &'x Iter<'a, T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f655<'x, 'a, T>(x: &'x Iter<'a, T>) -> &'x (impl Iterator + ?Sized) {
        x
    }
    fn f656<'x, 'a, T>(x: &'x Iter<'a, T>) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f657<'x, 'a, T>(x: &'x Iter<'a, T>) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f658<'x, 'a, T>(x: &'x Iter<'a, T>) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_mpsc_Receiver {
    use super::sync::atomic::*;
    use super::sync::mpsc::Receiver;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f659<T>(this: &Receiver<T>) -> Result<T, TryRecvError> {
        <Receiver<T>>::try_recv(this)
    }
    fn f660<T>(this: &Receiver<T>) -> Result<T, RecvError> {
        <Receiver<T>>::recv(this)
    }
    fn f661<T>(this: &Receiver<T>, a1: Duration) -> Result<T, RecvTimeoutError> {
        <Receiver<T>>::recv_timeout(this, a1)
    }
    fn f662<T>(this: &Receiver<T>) -> Iter<'_, T> {
        <Receiver<T>>::iter(this)
    }
    fn f663<T>(this: &Receiver<T>) -> TryIter<'_, T> {
        <Receiver<T>>::try_iter(this)
    }
    fn f664<'x, T>(x: &'x Receiver<T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f665<'x, 'a, T>(x: &'x &'a Receiver<T>) -> &'x (impl IntoIterator + ?Sized) {
        x
    }
    fn f666<'x, T>(x: &'x Receiver<T>) -> &'x (impl IntoIterator + ?Sized) {
        x
    }
    fn f667<'x, T: Send>(x: &'x Receiver<T>) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f668<'x, T>(x: &'x Receiver<T>) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f669<'x, T>(x: &'x Receiver<T>) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f670<'x, T>(x: &'x Receiver<T>) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_mpsc_RecvError {
    use super::sync::atomic::*;
    use super::sync::mpsc::RecvError;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f671<'x>(x: &'x RecvError) -> &'x (impl Clone + ?Sized) {
        x
    }
    fn f672<'x>(x: &'x RecvError) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f673<'x>(x: &'x RecvError) -> &'x (impl Display + ?Sized) {
        x
    }
    fn f674<'x>(x: &'x RecvError) -> &'x (impl Error + ?Sized) {
        x
    }
    fn f675<'x>(x: &'x RecvTimeoutError) -> &'x (impl From<RecvError> + ?Sized) {
        x
    }
    fn f676<'x>(x: &'x TryRecvError) -> &'x (impl From<RecvError> + ?Sized) {
        x
    }
    fn f677<'x>(x: &'x RecvError) -> &'x (impl PartialEq + ?Sized) {
        x
    }
    fn f678<'x>(x: &'x RecvError) -> &'x (impl Copy + ?Sized) {
        x
    }
    fn f679<'x>(x: &'x RecvError) -> &'x (impl Eq + ?Sized) {
        x
    }
    fn f680<'x>(x: &'x RecvError) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f681<'x>(x: &'x RecvError) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f682<'x>(x: &'x RecvError) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f683<'x>(x: &'x RecvError) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f684<'x>(x: &'x RecvError) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_mpsc_SendError {
    use super::sync::atomic::*;
    use super::sync::mpsc::SendError;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f685<'x, T: Clone>(x: &'x SendError<T>) -> &'x (impl Clone + ?Sized) {
        x
    }
    fn f686<'x, T>(x: &'x SendError<T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f687<'x, T>(x: &'x SendError<T>) -> &'x (impl Display + ?Sized) {
        x
    }
    fn f688<'x, T>(x: &'x SendError<T>) -> &'x (impl Error + ?Sized) {
        x
    }
    fn f689<'x, T>(x: &'x TrySendError<T>) -> &'x (impl From<SendError<T>> + ?Sized) {
        x
    }
    fn f690<'x, T: PartialEq>(x: &'x SendError<T>) -> &'x (impl PartialEq + ?Sized) {
        x
    }
    fn f691<'x, T: Copy>(x: &'x SendError<T>) -> &'x (impl Copy + ?Sized) {
        x
    }
    fn f692<'x, T: Eq>(x: &'x SendError<T>) -> &'x (impl Eq + ?Sized) {
        x
    }
    fn f693<'x, T>(x: &'x SendError<T>) -> &'x (impl RefUnwindSafe + ?Sized)
    where
        T: RefUnwindSafe,
    {
        x
    }
    fn f694<'x, T>(x: &'x SendError<T>) -> &'x (impl Send + ?Sized)
    where
        T: Send,
    {
        x
    }
    fn f695<'x, T>(x: &'x SendError<T>) -> &'x (impl Sync + ?Sized)
    where
        T: Sync,
    {
        x
    }
    fn f696<'x, T>(x: &'x SendError<T>) -> &'x (impl Unpin + ?Sized)
    where
        T: Unpin,
    {
        x
    }
    fn f697<'x, T>(x: &'x SendError<T>) -> &'x (impl UnwindSafe + ?Sized)
    where
        T: UnwindSafe,
    {
        x
    }
}
mod sync_mpsc_Sender {
    use super::sync::atomic::*;
    use super::sync::mpsc::Sender;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f698<T>(this: &Sender<T>, a1: T) -> Result<(), SendError<T>> {
        <Sender<T>>::send(this, a1)
    }
    fn f699<'x, T>(x: &'x Sender<T>) -> &'x (impl Clone + ?Sized) {
        x
    }
    fn f700<'x, T>(x: &'x Sender<T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f701<'x, T: Send>(x: &'x Sender<T>) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f702<'x, T: Send>(x: &'x Sender<T>) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f703<'x, T>(x: &'x Sender<T>) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f704<'x, T>(x: &'x Sender<T>) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f705<'x, T>(x: &'x Sender<T>) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_mpsc_SyncSender {
    use super::sync::atomic::*;
    use super::sync::mpsc::SyncSender;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f706<T>(this: &SyncSender<T>, a1: T) -> Result<(), SendError<T>> {
        <SyncSender<T>>::send(this, a1)
    }
    fn f707<T>(this: &SyncSender<T>, a1: T) -> Result<(), TrySendError<T>> {
        <SyncSender<T>>::try_send(this, a1)
    }
    fn f708<'x, T>(x: &'x SyncSender<T>) -> &'x (impl Clone + ?Sized) {
        x
    }
    fn f709<'x, T>(x: &'x SyncSender<T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f710<'x, T: Send>(x: &'x SyncSender<T>) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f711<'x, T>(x: &'x SyncSender<T>) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f712<'x, T>(x: &'x SyncSender<T>) -> &'x (impl Sync + ?Sized)
    where
        T: Send,
    {
        x
    }
    fn f713<'x, T>(x: &'x SyncSender<T>) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f714<'x, T>(x: &'x SyncSender<T>) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod sync_mpsc_TryIter {
    use super::sync::atomic::*;
    use super::sync::mpsc::TryIter;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f715<'x, 'a, T: Debug + 'a>(x: &'x TryIter<'a, T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f716<'x, 'a, T>(x: &'x TryIter<'a, T>) -> &'x (impl Iterator + ?Sized) {
        x
    }
    fn f717<'x, 'a, T>(x: &'x TryIter<'a, T>) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f718<'x, 'a, T>(x: &'x TryIter<'a, T>) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f719<'x, 'a, T>(x: &'x TryIter<'a, T>) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod thread_available_parallelism {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::available_parallelism;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod thread_current {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::current;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod thread_panicking {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::panicking;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod thread_park {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::park;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod thread_park_timeout {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::park_timeout;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod thread_park_timeout_ms {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::park_timeout_ms;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod thread_scope {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::scope;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod thread_sleep {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::sleep;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod thread_sleep_ms {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::sleep_ms;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod thread_spawn {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::spawn;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod thread_yield_now {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::yield_now;
    use super::thread::*;
    use super::*;
    use std::result::Result;
}
mod thread_AccessError {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::AccessError;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f720<'x>(x: &'x AccessError) -> &'x (impl Clone + ?Sized) {
        x
    }
    fn f721<'x>(x: &'x AccessError) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f722<'x>(x: &'x AccessError) -> &'x (impl Display + ?Sized) {
        x
    }
    fn f723<'x>(x: &'x AccessError) -> &'x (impl Error + ?Sized) {
        x
    }
    fn f724<'x>(x: &'x AccessError) -> &'x (impl PartialEq + ?Sized) {
        x
    }
    fn f725<'x>(x: &'x AccessError) -> &'x (impl Copy + ?Sized) {
        x
    }
    fn f726<'x>(x: &'x AccessError) -> &'x (impl Eq + ?Sized) {
        x
    }
    fn f727<'x>(x: &'x AccessError) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f728<'x>(x: &'x AccessError) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f729<'x>(x: &'x AccessError) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f730<'x>(x: &'x AccessError) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f731<'x>(x: &'x AccessError) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod thread_Builder {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::Builder;
    use super::thread::*;
    use super::*;
    use std::io::Result;
    fn f732() -> Builder {
        <Builder>::new()
    }
    fn f733(this: Builder, a1: String) -> Builder {
        <Builder>::name(this, a1)
    }
    fn f734(this: Builder, a1: usize) -> Builder {
        <Builder>::stack_size(this, a1)
    }
    fn f735<F, T>(this: Builder, a1: F) -> Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        <Builder>::spawn(this, a1)
    }
    unsafe fn f736<F, T>(this: Builder, a1: F) -> Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send,
        T: Send,
    {
        unsafe { <Builder>::spawn_unchecked(this, a1) }
    }
    fn f737<'scope, 'env, F, T>(
        this: Builder,
        a1: &'scope Scope<'scope, 'env>,
        a2: F,
    ) -> Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        <Builder>::spawn_scoped(this, a1, a2)
    }
    fn f738<'x>(x: &'x Builder) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f739<'x>(x: &'x Builder) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f740<'x>(x: &'x Builder) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f741<'x>(x: &'x Builder) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f742<'x>(x: &'x Builder) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f743<'x>(x: &'x Builder) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod thread_JoinHandle {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::JoinHandle;
    use super::thread::Result;
    use super::thread::*;
    use super::*;
    fn f744<T>(this: &JoinHandle<T>) -> &Thread {
        <JoinHandle<T>>::thread(this)
    }
    fn f745<T>(this: JoinHandle<T>) -> Result<T> {
        <JoinHandle<T>>::join(this)
    }
    fn f746<T>(this: &JoinHandle<T>) -> bool {
        <JoinHandle<T>>::is_finished(this)
    }
    fn f747<'x, T>(x: &'x JoinHandle<T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f748<'x, T>(x: &'x JoinHandle<T>) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f749<'x, T>(x: &'x JoinHandle<T>) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f750<'x, T>(x: &'x JoinHandle<T>) -> &'x (impl Unpin + ?Sized) {
        x
    }
}
mod thread_LocalKey {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::LocalKey;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f751<T: 'static, F, R>(this: &'static LocalKey<T>, a1: F) -> R
    where
        F: FnOnce(&T) -> R,
    {
        <LocalKey<T>>::with(this, a1)
    }
    fn f752<T: 'static, F, R>(this: &'static LocalKey<T>, a1: F) -> Result<R, AccessError>
    where
        F: FnOnce(&T) -> R,
    {
        <LocalKey<T>>::try_with(this, a1)
    }
    fn f753<T: 'static>(this: &'static LocalKey<Cell<T>>, a1: T) {
        <LocalKey<Cell<T>>>::set(this, a1)
    }
    fn f754<T: 'static>(this: &'static LocalKey<Cell<T>>) -> T
    where
        T: Copy,
    {
        <LocalKey<Cell<T>>>::get(this)
    }
    fn f755<T: 'static>(this: &'static LocalKey<Cell<T>>) -> T
    where
        T: Default,
    {
        <LocalKey<Cell<T>>>::take(this)
    }
    fn f756<T: 'static>(this: &'static LocalKey<Cell<T>>, a1: T) -> T {
        <LocalKey<Cell<T>>>::replace(this, a1)
    }
    fn f757<T: 'static, F, R>(this: &'static LocalKey<RefCell<T>>, a1: F) -> R
    where
        F: FnOnce(&T) -> R,
    {
        <LocalKey<RefCell<T>>>::with_borrow(this, a1)
    }
    fn f758<T: 'static, F, R>(this: &'static LocalKey<RefCell<T>>, a1: F) -> R
    where
        F: FnOnce(&mut T) -> R,
    {
        <LocalKey<RefCell<T>>>::with_borrow_mut(this, a1)
    }
    fn f759<T: 'static>(this: &'static LocalKey<RefCell<T>>, a1: T) {
        <LocalKey<RefCell<T>>>::set(this, a1)
    }
    fn f760<T: 'static>(this: &'static LocalKey<RefCell<T>>) -> T
    where
        T: Default,
    {
        <LocalKey<RefCell<T>>>::take(this)
    }
    fn f761<T: 'static>(this: &'static LocalKey<RefCell<T>>, a1: T) -> T {
        <LocalKey<RefCell<T>>>::replace(this, a1)
    }
    fn f762<'x, T: 'static>(x: &'x LocalKey<T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f763<'x, T>(x: &'x LocalKey<T>) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f764<'x, T>(x: &'x LocalKey<T>) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f765<'x, T>(x: &'x LocalKey<T>) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f766<'x, T>(x: &'x LocalKey<T>) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f767<'x, T>(x: &'x LocalKey<T>) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod thread_Scope {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::Scope;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f768<'scope, 'env, F, T>(this: &'scope Scope<'scope, 'env>, a1: F) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        <Scope<'scope, 'env>>::spawn(this, a1)
    }
    fn f769<'x>(x: &'x Scope<'_, '_>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f770<'x, 'scope, 'env>(x: &'x Scope<'scope, 'env>) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f771<'x, 'scope, 'env>(x: &'x Scope<'scope, 'env>) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f772<'x, 'scope, 'env>(x: &'x Scope<'scope, 'env>) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f773<'x, 'scope, 'env>(x: &'x Scope<'scope, 'env>) -> &'x (impl Unpin + ?Sized) {
        x
    }
}
mod thread_ScopedJoinHandle {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::Result;
    use super::thread::ScopedJoinHandle;
    use super::thread::*;
    use super::*;
    fn f774<'scope, 's, T>(this: &'s ScopedJoinHandle<'scope, T>) -> &'s Thread {
        <ScopedJoinHandle<'scope, T>>::thread(this)
    }
    fn f775<'scope, T>(this: ScopedJoinHandle<'scope, T>) -> Result<T> {
        <ScopedJoinHandle<'scope, T>>::join(this)
    }
    fn f776<'scope, 's, T>(this: &'s ScopedJoinHandle<'scope, T>) -> bool {
        <ScopedJoinHandle<'scope, T>>::is_finished(this)
    }
    fn f777<'x, 'scope, T>(x: &'x ScopedJoinHandle<'scope, T>) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f778<'x, 'scope, T>(x: &'x ScopedJoinHandle<'scope, T>) -> &'x (impl Send + ?Sized)
    where
        T: Send,
    {
        x
    }
    fn f779<'x, 'scope, T>(x: &'x ScopedJoinHandle<'scope, T>) -> &'x (impl Sync + ?Sized)
    where
        T: Send,
    {
        x
    }
    fn f780<'x, 'scope, T>(x: &'x ScopedJoinHandle<'scope, T>) -> &'x (impl Unpin + ?Sized) {
        x
    }
}
mod thread_Thread {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::Thread;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f781(this: &Thread) {
        <Thread>::unpark(this)
    }
    fn f782(this: &Thread) -> ThreadId {
        <Thread>::id(this)
    }
    fn f783(this: &Thread) -> Option<&str> {
        <Thread>::name(this)
    }
    fn f784<'x>(x: &'x Thread) -> &'x (impl Clone + ?Sized) {
        x
    }
    fn f785<'x>(x: &'x Thread) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f786<'x>(x: &'x Thread) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f787<'x>(x: &'x Thread) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f788<'x>(x: &'x Thread) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f789<'x>(x: &'x Thread) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f790<'x>(x: &'x Thread) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod thread_ThreadId {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::ThreadId;
    use super::thread::*;
    use super::*;
    use std::result::Result;
    fn f791<'x>(x: &'x ThreadId) -> &'x (impl Clone + ?Sized) {
        x
    }
    fn f792<'x>(x: &'x ThreadId) -> &'x (impl Debug + ?Sized) {
        x
    }
    fn f793<'x>(x: &'x ThreadId) -> &'x (impl Hash + ?Sized) {
        x
    }
    fn f794<'x>(x: &'x ThreadId) -> &'x (impl PartialEq + ?Sized) {
        x
    }
    fn f795<'x>(x: &'x ThreadId) -> &'x (impl Copy + ?Sized) {
        x
    }
    fn f796<'x>(x: &'x ThreadId) -> &'x (impl Eq + ?Sized) {
        x
    }
    fn f797<'x>(x: &'x ThreadId) -> &'x (impl RefUnwindSafe + ?Sized) {
        x
    }
    fn f798<'x>(x: &'x ThreadId) -> &'x (impl Send + ?Sized) {
        x
    }
    fn f799<'x>(x: &'x ThreadId) -> &'x (impl Sync + ?Sized) {
        x
    }
    fn f800<'x>(x: &'x ThreadId) -> &'x (impl Unpin + ?Sized) {
        x
    }
    fn f801<'x>(x: &'x ThreadId) -> &'x (impl UnwindSafe + ?Sized) {
        x
    }
}
mod thread_Result {
    use super::sync::atomic::*;
    use super::sync::mpsc::*;
    use super::sync::*;
    use super::thread::Result;
    use super::thread::*;
    use super::*;
}
