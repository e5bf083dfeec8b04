//! Mirror of `loom::alloc`: what is allocated and never freed is a finding.

pub use std::alloc::Layout;

use fiber::Guarded;
use mazurka::sync::Arc;
use std::mem::ManuallyDrop;

/// What was allocated, with a reference for each that is found as a leak if it stays. Made afresh in every run.
static ALLOCATED: Guarded<Vec<(usize, ManuallyDrop<Arc<()>>)>> = Guarded::new(Vec::new());

#[track_caller]
fn note(place: *mut u8) {
    let token = ManuallyDrop::new(Arc::new(()));
    ALLOCATED.write().push((place as usize, token));
}

/// Allocates memory.
///
/// # Safety
/// As for [`std::alloc::alloc`].
#[track_caller]
pub unsafe fn alloc(layout: Layout) -> *mut u8 {
    // SAFETY: promised by the caller.
    let place = unsafe { std::alloc::alloc(layout) };
    note(place);
    place
}

/// Allocates memory of zeros.
///
/// # Safety
/// As for [`std::alloc::alloc_zeroed`].
#[track_caller]
pub unsafe fn alloc_zeroed(layout: Layout) -> *mut u8 {
    // SAFETY: promised by the caller.
    let place = unsafe { std::alloc::alloc_zeroed(layout) };
    note(place);
    place
}

/// Frees memory.
///
/// # Safety
/// As for [`std::alloc::dealloc`].
#[track_caller]
pub unsafe fn dealloc(place: *mut u8, layout: Layout) {
    let token = {
        let mut allocated = ALLOCATED.write();
        let found = allocated.iter().position(|(at, _)| *at == place as usize);
        found.map(|found| allocated.swap_remove(found).1)
    };
    drop(token.map(ManuallyDrop::into_inner));
    // SAFETY: promised by the caller.
    unsafe { std::alloc::dealloc(place, layout) };
}

/// Mirror of `loom::alloc::Track`: a value that is never dropped is a finding.
#[derive(Debug)]
pub struct Track<T> {
    value: T,
    /// Found as a leak if it stays.
    _token: Arc<()>,
}

impl<T> Track<T> {
    /// The value.
    #[track_caller]
    pub fn new(value: T) -> Track<T> {
        Track { value, _token: Arc::new(()) }
    }

    /// The value.
    pub fn get_ref(&self) -> &T {
        &self.value
    }

    /// The value.
    pub fn get_mut(&mut self) -> &mut T {
        &mut self.value
    }

    /// The value.
    pub fn into_inner(self) -> T {
        self.value
    }
}
