//! References to memory of zeros, and what else std makes of references.

use super::{Arc, Std};
use std::mem::MaybeUninit;
use std::panic::Location;
use std::pin::Pin;
use std::task::{RawWaker, Wake};

impl<T> Arc<T> {
    /// The first reference to a value that is not there yet; its memory is zero.
    #[track_caller]
    pub fn new_zeroed() -> Arc<MaybeUninit<T>> {
        Arc::first(Std::new(MaybeUninit::zeroed()), Location::caller())
    }
}

impl<T> Arc<[T]> {
    /// The first reference to values that are not there yet; their memory is zero.
    #[track_caller]
    pub fn new_zeroed_slice(len: usize) -> Arc<[MaybeUninit<T>]> {
        Arc::first((0..len).map(|_| MaybeUninit::zeroed()).collect(), Location::caller())
    }
}

impl<T: ?Sized> Default for Pin<Arc<T>>
where
    Arc<T>: Default,
{
    #[track_caller]
    #[allow(unsafe_code, reason = "the value of an Arc does not move")]
    fn default() -> Self {
        // SAFETY: nobody else has a reference, and what an `Arc` points to stays where it is.
        unsafe { Pin::new_unchecked(Arc::default()) }
    }
}

impl<W: Wake + Send + Sync + 'static> From<Arc<W>> for RawWaker {
    fn from(waker: Arc<W>) -> RawWaker {
        RawWaker::from(Arc::into_std(waker))
    }
}
