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

impl<T: Default> Default for Pin<Arc<T>> {
    #[track_caller]
    fn default() -> Self {
        Arc::pin(T::default())
    }
}

impl<W: Wake + Send + Sync + 'static> From<Arc<W>> for RawWaker {
    fn from(waker: Arc<W>) -> RawWaker {
        RawWaker::from(Arc::into_std(waker))
    }
}
