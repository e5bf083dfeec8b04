//! From what an [`Arc`] is made.

use super::Arc;
use std::borrow::Cow;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::sync::Arc as Std;
use std::task::{Wake, Waker};

impl<T: Default> Default for Arc<T> {
    #[track_caller]
    fn default() -> Self {
        Arc::new(T::default())
    }
}

impl<T> From<T> for Arc<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        Arc::new(value)
    }
}

impl<T: ?Sized> From<Box<T>> for Arc<T> {
    #[track_caller]
    fn from(value: Box<T>) -> Self {
        Arc::first(Std::from(value), Location::caller())
    }
}

/// Those that std's `Arc` has.
macro_rules! conversions {
    ($([$($generics:tt)*] $from:ty => $to:ty;)*) => { $(
        impl<$($generics)*> From<$from> for Arc<$to> {
            #[track_caller]
            fn from(value: $from) -> Self {
                Arc::first(Std::from(value), Location::caller())
            }
        }
    )* };
}

conversions! {
    [T, const N: usize] [T; N] => [T];
    [T: Clone] &[T] => [T];
    [T: Clone] &mut [T] => [T];
    [T] Vec<T> => [T];
    [] &str => str;
    [] &mut str => str;
    [] String => str;
    [] &CStr => CStr;
    [] &mut CStr => CStr;
    [] CString => CStr;
    [] &OsStr => OsStr;
    [] &mut OsStr => OsStr;
    [] OsString => OsStr;
    [] &Path => Path;
    [] &mut Path => Path;
    [] PathBuf => Path;
}

impl<'a, B: ?Sized + ToOwned> From<Cow<'a, B>> for Arc<B>
where
    Arc<B>: From<&'a B> + From<B::Owned>,
{
    #[track_caller]
    fn from(value: Cow<'a, B>) -> Self {
        match value {
            Cow::Borrowed(value) => Arc::from(value),
            Cow::Owned(value) => Arc::from(value),
        }
    }
}

impl From<Arc<str>> for Arc<[u8]> {
    #[track_caller]
    fn from(text: Arc<str>) -> Self {
        Arc::coerce(text, Std::from)
    }
}

impl<T, const N: usize> TryFrom<Arc<[T]>> for Arc<[T; N]> {
    type Error = Arc<[T]>;

    #[track_caller]
    fn try_from(slice: Arc<[T]>) -> Result<Self, Self::Error> {
        if slice.len() != N {
            return Err(slice);
        }
        Ok(Arc::coerce(slice, |slice| match Std::try_from(slice) {
            Ok(array) => array,
            Err(_) => unreachable!("it has so many elements"),
        }))
    }
}

impl<T> FromIterator<T> for Arc<[T]> {
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(iterator: I) -> Self {
        Arc::first(Std::from_iter(iterator), Location::caller())
    }
}

impl<T> Default for Arc<[T]> {
    #[track_caller]
    fn default() -> Self {
        Arc::from([])
    }
}

impl Default for Arc<str> {
    #[track_caller]
    fn default() -> Self {
        Arc::from("")
    }
}

impl Default for Arc<CStr> {
    #[track_caller]
    fn default() -> Self {
        Arc::from(c"")
    }
}

/// The reference becomes one of std's, as `Wake` has it.
impl<W: Wake + Send + Sync + 'static> From<Arc<W>> for Waker {
    fn from(waker: Arc<W>) -> Waker {
        Waker::from(Arc::into_std(waker))
    }
}
