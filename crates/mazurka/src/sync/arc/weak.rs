//! Mirror of [`std::sync::Weak`].

use super::Arc;
use fiber::{Reference, References, Sight};
use model::{Counting, Order};
use std::fmt;
use std::panic::Location;
use std::sync::Weak as Std;

/// Mirror of [`std::sync::Weak`].
pub struct Weak<T: ?Sized> {
    value: Std<T>,
    /// Where the first reference to the value was made; `None` if there is no value.
    origin: Option<&'static Location<'static>>,
}

/// How many references there are in truth, as a count's word has it.
fn now<T: ?Sized>(value: &Std<T>) -> u64 {
    value.strong_count() as u64 | (value.weak_count() as u64) << 32
}

impl<T> Weak<T> {
    /// A reference to no value.
    pub const fn new() -> Weak<T> {
        Weak { value: Std::new(), origin: None }
    }
}

impl<T: ?Sized> Weak<T> {
    pub(super) fn of(value: Std<T>, origin: &'static Location<'static>) -> Self {
        Weak { value, origin: Some(origin) }
    }

    /// The reference that a value gets to itself, before there is any strong one.
    pub(super) fn first(value: Std<T>, origin: &'static Location<'static>) -> Self {
        let weak = Weak::of(value, origin);
        if let Some(references) = weak.references() {
            references.begin(0);
        }
        weak
    }

    /// Goes unseen.
    pub(super) fn leave(mut self) {
        self.origin = None;
    }

    fn references(&self) -> Option<References> {
        Some(References { address: self.value.as_ptr().cast::<()>() as usize, origin: self.origin? })
    }

    /// A strong reference, if there is any.
    #[track_caller]
    #[must_use = "this returns a new `Arc`, without modifying the original weak pointer"]
    pub fn upgrade(&self) -> Option<Arc<T>> {
        let references = self.references()?;
        if references.count(Counting::Upgrade, || now(&self.value), Location::caller()) == Some(false) {
            return None;
        }
        Some(Arc { value: Some(self.value.upgrade()?), origin: references.origin })
    }

    /// How many strong references there are.
    #[track_caller]
    #[must_use]
    pub fn strong_count(&self) -> usize {
        let look = |references: References| {
            references.look(&[Sight::Strong], Order::Relaxed, || now(&self.value), Location::caller())
        };
        self.references().map_or(0, |references| look(references) as u32 as usize)
    }

    /// How many weak references there are; 0 if there are no strong ones.
    #[track_caller]
    #[must_use]
    pub fn weak_count(&self) -> usize {
        let sights = [Sight::Strong, Sight::Weak];
        let Some(references) = self.references() else { return 0 };
        match references.look(&sights, Order::Relaxed, || now(&self.value), Location::caller()) {
            word if word as u32 == 0 => 0,
            word => (word >> 32) as usize,
        }
    }

    /// Whether both refer to the same value, or both to none.
    #[must_use]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.value.ptr_eq(&other.value)
    }

    /// The value's address, if there is a value.
    #[must_use]
    pub fn as_ptr(&self) -> *const T {
        self.value.as_ptr()
    }

    /// The value's address; the reference is kept until [`Weak::from_raw`].
    #[must_use = "losing the pointer will leak memory"]
    pub fn into_raw(self) -> *const T {
        if let Some(references) = self.references() {
            references.give_away();
        }
        let mut this = std::mem::ManuallyDrop::new(self);
        // SAFETY: `this` is not dropped and not used any more, so the reference is read once.
        #[allow(unsafe_code, reason = "a type with a destructor is taken apart")]
        let value = unsafe { std::ptr::read(&raw mut this.value) };
        value.into_raw()
    }

    /// The reference that [`Weak::into_raw`] made an address of.
    ///
    /// # Safety
    /// As for [`std::sync::Weak::from_raw`].
    #[track_caller]
    #[allow(unsafe_code, reason = "as std's")]
    pub unsafe fn from_raw(pointer: *const T) -> Self {
        let address = pointer.cast::<()>() as usize;
        // SAFETY: promised by the caller.
        let value = unsafe { Std::from_raw(pointer) };
        let origin = (address != usize::MAX).then(|| References::at(address, Location::caller()).origin);
        Weak { value, origin }
    }
}

impl<T: ?Sized> Clone for Weak<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        if let Some(references) = self.references() {
            references.gain(Reference::Weak, || now(&self.value), Location::caller());
        }
        Weak { value: self.value.clone(), origin: self.origin }
    }
}

impl<T: ?Sized> Drop for Weak<T> {
    fn drop(&mut self) {
        if let Some(references) = self.references() {
            references.lose(Reference::Weak, || now(&self.value), references.origin);
        }
    }
}

impl<T> Default for Weak<T> {
    fn default() -> Self {
        Weak::new()
    }
}

impl<T: ?Sized> fmt::Debug for Weak<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(Weak)")
    }
}
