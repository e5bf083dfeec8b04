//! Mirror of [`std::sync::Arc`].
//!
//! Its value is in one of std's, whose counts are those of the run; what others can tell of them is made operations by
//! [`fiber::References`]. Two things that std's has cannot be given to another type in stable Rust: it does not turn into an
//! `Arc<dyn Trait>` by itself ([`Arc::coerce`] does it), and `self: Arc<Self>` is no receiver of methods (take
//! `this: Arc<Self>`, or std's `Arc`, of which references come and go unseen).

mod convert;
mod weak;
mod zeroed;

pub use weak::Weak;

use fiber::{Reference, References, Sight};
use model::{Counting, Order};
use std::any::Any;
use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::mem::MaybeUninit;
use std::ops::Deref;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::pin::Pin;
use std::sync::Arc as Std;

/// Mirror of [`std::sync::Arc`].
pub struct Arc<T: ?Sized> {
    /// `None` only while it is taken apart.
    value: Option<Std<T>>,
    origin: &'static Location<'static>,
}

impl<T: ?Sized + RefUnwindSafe> UnwindSafe for Arc<T> {}

/// How many references there are in truth, as a count's word has it.
fn now<T: ?Sized>(value: &Std<T>) -> u64 {
    Std::strong_count(value) as u64 | (Std::weak_count(value) as u64) << 32
}

fn references<T: ?Sized>(value: &Std<T>, origin: &'static Location<'static>) -> References {
    References { address: Std::as_ptr(value).cast::<()>() as usize, origin }
}

impl<T> Arc<T> {
    /// The first reference to a value.
    #[track_caller]
    pub fn new(value: T) -> Arc<T> {
        Arc::first(Std::new(value), Location::caller())
    }

    /// The first reference to a value that has a weak reference to itself.
    #[track_caller]
    pub fn new_cyclic<F: FnOnce(&Weak<T>) -> T>(f: F) -> Arc<T> {
        let origin = Location::caller();
        let value = Std::new_cyclic(|weak| {
            let weak = Weak::first(weak.clone(), origin);
            let value = f(&weak);
            weak.leave();
            value
        });
        let references = references(&value, origin);
        references.gain(Reference::Strong, || now(&value) - 1, origin);
        Arc { value: Some(value), origin }
    }

    /// The first reference to a value that is not there yet.
    #[track_caller]
    pub fn new_uninit() -> Arc<MaybeUninit<T>> {
        Arc::first(Std::new_uninit(), Location::caller())
    }

    /// As [`Arc::new`], pinned.
    #[track_caller]
    pub fn pin(value: T) -> Pin<Arc<T>> {
        let arc = Arc::new(value);
        // SAFETY: the value is never moved out of the allocation as long as the reference is pinned.
        #[allow(unsafe_code, reason = "as std's")]
        unsafe {
            Pin::new_unchecked(arc)
        }
    }

    /// The value, if this is the only strong reference; otherwise the reference.
    #[track_caller]
    pub fn try_unwrap(mut this: Arc<T>) -> Result<T, Arc<T>> {
        let references = this.references();
        let counted = references.count(Counting::Unwrap, || now(this.std()), Location::caller());
        let Some(value) = this.value.take() else { unreachable!("there until it is taken apart") };
        if counted == Some(false) {
            return Err(Arc { value: Some(value), origin: this.origin });
        }
        match Std::try_unwrap(value) {
            Ok(value) => {
                std::mem::forget(references.end());
                Ok(value)
            }
            Err(value) => Err(Arc { value: Some(value), origin: this.origin }),
        }
    }

    /// The value, if this is the last strong reference, which goes in any case.
    #[track_caller]
    pub fn into_inner(mut this: Arc<T>) -> Option<T> {
        let references = this.references();
        references.lose_and_look(|| now(this.std()), Location::caller());
        let value = Std::into_inner(this.value.take()?);
        if value.is_some() {
            std::mem::forget(references.end());
        }
        value
    }

    /// The value if this is the only strong reference, otherwise a clone of it.
    #[track_caller]
    pub fn unwrap_or_clone(this: Arc<T>) -> T
    where
        T: Clone,
    {
        Arc::try_unwrap(this).unwrap_or_else(|this| (*this).clone())
    }
}

impl<T: ?Sized> Arc<T> {
    fn first(value: Std<T>, origin: &'static Location<'static>) -> Arc<T> {
        references(&value, origin).begin(1);
        Arc { value: Some(value), origin }
    }

    #[inline]
    fn std(&self) -> &Std<T> {
        match &self.value {
            Some(value) => value,
            None => unreachable!("there until it is taken apart"),
        }
    }

    #[inline]
    fn references(&self) -> References {
        references(self.std(), self.origin)
    }

    /// The only reference of std's, as one of these. As in loom: for values of types that have no size.
    ///
    /// # Panics
    /// If there is another reference.
    #[track_caller]
    pub fn from_std(mut value: Std<T>) -> Arc<T> {
        assert!(Std::get_mut(&mut value).is_some(), "the Arc given to `from_std` is not the only reference");
        Arc::first(value, Location::caller())
    }

    /// The reference to the same value by another type, such as `Arc::coerce(arc, |arc| arc as std::sync::Arc<dyn Any>)`.
    ///
    /// # Panics
    /// If `f` gives a reference to another value.
    #[track_caller]
    pub fn coerce<U: ?Sized>(mut this: Arc<T>, f: impl FnOnce(Std<T>) -> Std<U>) -> Arc<U> {
        let address = this.references().address;
        let Some(value) = this.value.take() else { unreachable!("there until it is taken apart") };
        let value = f(value);
        assert_eq!(references(&value, this.origin).address, address, "a reference to another value");
        Arc { value: Some(value), origin: this.origin }
    }

    /// The reference as one of std's, which comes and goes unseen.
    pub fn into_std(mut this: Arc<T>) -> Std<T> {
        std::mem::forget(this.references().end());
        match this.value.take() {
            Some(value) => value,
            None => unreachable!("there until it is taken apart"),
        }
    }

    /// The value's address; the reference is kept until [`Arc::from_raw`].
    #[must_use = "losing the pointer will leak memory"]
    pub fn into_raw(mut this: Arc<T>) -> *const T {
        this.references().give_away();
        match this.value.take() {
            Some(value) => Std::into_raw(value),
            None => unreachable!("there until it is taken apart"),
        }
    }

    /// The value's address.
    pub fn as_ptr(this: &Arc<T>) -> *const T {
        Std::as_ptr(this.std())
    }

    /// The reference that [`Arc::into_raw`] made an address of.
    ///
    /// # Safety
    /// As for [`std::sync::Arc::from_raw`].
    #[track_caller]
    #[allow(unsafe_code, reason = "as std's")]
    pub unsafe fn from_raw(pointer: *const T) -> Arc<T> {
        let origin = References::at(pointer.cast::<()>() as usize, Location::caller()).origin;
        // SAFETY: promised by the caller.
        Arc { value: Some(unsafe { Std::from_raw(pointer) }), origin }
    }

    /// One strong reference more to the value at an address.
    ///
    /// # Safety
    /// As for [`std::sync::Arc::increment_strong_count`].
    #[track_caller]
    #[allow(unsafe_code, reason = "as std's")]
    pub unsafe fn increment_strong_count(pointer: *const T) {
        // SAFETY: promised by the caller; the reference is not dropped.
        let this = std::mem::ManuallyDrop::new(unsafe { Arc::from_raw(pointer) });
        std::mem::forget((*this).clone());
    }

    /// One strong reference fewer to the value at an address.
    ///
    /// # Safety
    /// As for [`std::sync::Arc::decrement_strong_count`].
    #[track_caller]
    #[allow(unsafe_code, reason = "as std's")]
    pub unsafe fn decrement_strong_count(pointer: *const T) {
        // SAFETY: promised by the caller.
        drop(unsafe { Arc::from_raw(pointer) });
    }

    /// A weak reference.
    #[track_caller]
    #[must_use = "this returns a new `Weak` pointer"]
    pub fn downgrade(this: &Arc<T>) -> Weak<T> {
        this.references().gain(Reference::Weak, || now(this.std()), Location::caller());
        Weak::of(Std::downgrade(this.std()), this.origin)
    }

    /// How many strong references there are.
    #[track_caller]
    #[must_use]
    pub fn strong_count(this: &Arc<T>) -> usize {
        let word = this.references().look(&[Sight::Strong], Order::Relaxed, || now(this.std()), Location::caller());
        word as u32 as usize
    }

    /// How many weak references there are.
    #[track_caller]
    #[must_use]
    pub fn weak_count(this: &Arc<T>) -> usize {
        let sights = [Sight::Strong, Sight::Weak];
        (this.references().look(&sights, Order::Relaxed, || now(this.std()), Location::caller()) >> 32) as usize
    }

    /// Whether both refer to the same value.
    #[must_use]
    pub fn ptr_eq(this: &Arc<T>, other: &Arc<T>) -> bool {
        Std::ptr_eq(this.std(), other.std())
    }

    /// The value, if this is the only reference.
    #[track_caller]
    pub fn get_mut(this: &mut Arc<T>) -> Option<&mut T> {
        let sights = [Sight::Strong, Sight::Weak];
        let word = this.references().look(&sights, Order::Acquire, || now(this.std()), Location::caller());
        if fiber::is_apart() && word != 1 {
            // What was seen counts, although others may have dropped theirs.
            return None;
        }
        this.value.as_mut().and_then(Std::get_mut)
    }
}

impl<T: Clone> Arc<T> {
    /// The value, of which this becomes the only reference: it is cloned if there are other strong references, and moved
    /// away from weak ones.
    #[track_caller]
    pub fn make_mut(this: &mut Arc<T>) -> &mut T {
        let location = Location::caller();
        let sights = [Sight::Strong, Sight::Weak];
        let word = this.references().look(&sights, Order::Acquire, || now(this.std()), location);
        let has_others = match word {
            1 => false,
            // The weak references lose the value, unless one of them was upgraded meanwhile.
            word if word as u32 == 1 => {
                this.references().count(Counting::Unwrap, || now(this.std()), location) == Some(false)
            }
            _ => true,
        };
        if has_others {
            *this = Arc::first(Std::new(T::clone(this)), this.origin);
        }
        let before = this.references();
        // What this finds is what was seen: nothing else ran meanwhile.
        if let Some(value) = this.value.as_mut() {
            Std::make_mut(value);
        }
        if this.references().address != before.address {
            std::mem::forget(before.end());
            this.references().begin(1);
        }
        match this.value.as_mut().and_then(Std::get_mut) {
            Some(value) => value,
            None => unreachable!("it is the only reference"),
        }
    }
}

impl<T> Arc<MaybeUninit<T>> {
    /// The reference to a value that is there by now.
    ///
    /// # Safety
    /// As for [`std::sync::Arc::assume_init`].
    #[allow(unsafe_code, reason = "as std's")]
    pub unsafe fn assume_init(self) -> Arc<T> {
        // SAFETY: promised by the caller.
        Arc::coerce(self, |value| unsafe { value.assume_init() })
    }
}

impl<T> Arc<[T]> {
    /// The first reference to values that are not there yet.
    #[track_caller]
    pub fn new_uninit_slice(len: usize) -> Arc<[MaybeUninit<T>]> {
        Arc::first(Std::new_uninit_slice(len), Location::caller())
    }
}

impl<T> Arc<[MaybeUninit<T>]> {
    /// The reference to values that are there by now.
    ///
    /// # Safety
    /// As for [`std::sync::Arc::assume_init`].
    #[allow(unsafe_code, reason = "as std's")]
    pub unsafe fn assume_init(self) -> Arc<[T]> {
        // SAFETY: promised by the caller.
        Arc::coerce(self, |value| unsafe { value.assume_init() })
    }
}

impl Arc<dyn Any + Send + Sync> {
    /// The reference by the type that the value has, if it is this one.
    pub fn downcast<T: Any + Send + Sync>(self) -> Result<Arc<T>, Self> {
        if !(*self).is::<T>() {
            return Err(self);
        }
        Ok(Arc::coerce(self, |value| match value.downcast::<T>() {
            Ok(value) => value,
            Err(_) => unreachable!("it is of this type"),
        }))
    }
}

impl<T: ?Sized> Clone for Arc<T> {
    #[track_caller]
    #[inline]
    fn clone(&self) -> Self {
        self.references().gain(Reference::Strong, || now(self.std()), Location::caller());
        Arc { value: Some(self.std().clone()), origin: self.origin }
    }
}

impl<T: ?Sized> Drop for Arc<T> {
    #[inline]
    fn drop(&mut self) {
        let Some(value) = self.value.take() else { return };
        let references = references(&value, self.origin);
        references.lose(Reference::Strong, || now(&value), self.origin);
        if Std::strong_count(&value) > 1 {
            return drop(value);
        }
        let watch = references.end();
        if std::mem::needs_drop::<T>() {
            drop(value);
            drop(watch);
        } else {
            std::mem::forget(watch);
        }
    }
}

impl<T: ?Sized> Deref for Arc<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        self.std()
    }
}

impl<T: ?Sized> AsRef<T> for Arc<T> {
    fn as_ref(&self) -> &T {
        self
    }
}

impl<T: ?Sized> Borrow<T> for Arc<T> {
    fn borrow(&self) -> &T {
        self
    }
}

impl<T: ?Sized + PartialEq> PartialEq for Arc<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: ?Sized + Eq> Eq for Arc<T> {}

impl<T: ?Sized + PartialOrd> PartialOrd for Arc<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        (**self).partial_cmp(&**other)
    }
}

impl<T: ?Sized + Ord> Ord for Arc<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (**self).cmp(&**other)
    }
}

impl<T: ?Sized + Hash> Hash for Arc<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Arc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for Arc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized> fmt::Pointer for Arc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Pointer::fmt(&Arc::as_ptr(self), f)
    }
}

impl<T: ?Sized + std::error::Error> std::error::Error for Arc<T> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        (**self).source()
    }
}
