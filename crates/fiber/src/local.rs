//! Values that each thread has of its own.

use crate::context::{self, Context};
use crate::perform::here;
use crate::references::note_identity;
use model::ThreadId;
use std::any::Any;
use std::rc::Rc;

/// A value of each thread, by a key that is the address of a static.
pub struct Local;

impl Local {
    /// The calling thread's value, made by `init` if it has none yet; `None` when it was destroyed already.
    pub fn get<T: 'static>(key: usize, init: impl FnOnce() -> T) -> Option<Rc<T>> {
        note_identity();
        let context = here();
        let slot = context.running();
        let found = slot.locals.borrow().iter().find(|(of, _)| *of == key).map(|(_, value)| value.clone());
        let value = match found {
            Some(value) => value?,
            None => {
                let value: Rc<dyn Any> = Rc::new(init());
                context::quietly(|| slot.locals.borrow_mut().push((key, Some(value.clone()))));
                value
            }
        };
        value.downcast().ok()
    }
}

/// Destroys a thread's values, in the order in which they were made, and those that destructors make.
pub(crate) fn drop_locals(context: &Context, thread: ThreadId) {
    let slot = context.slot(thread);
    let mut next = 0;
    loop {
        let value = match slot.locals.borrow_mut().get_mut(next) {
            Some((_, value)) => value.take(),
            None => return,
        };
        drop(value);
        next += 1;
    }
}
