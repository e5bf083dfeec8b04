//! Panics of checked threads are quiet: they are part of what is explored, and a finding says what there is to say.

use crate::context::{self, Mode};
use crate::patience;
use std::any::Any;
use std::panic::PanicHookInfo;
use std::sync::Once;

/// What a fiber of an abandoned run unwinds with.
pub(crate) struct Abandoned;

/// Puts a hook before the process's panic hook, once. Panics outside of checks go on to the hook that was there.
pub(crate) fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !note(info) {
                previous(info);
            }
        }));
    });
}

/// Keeps message and place of a panic of a checked thread. Says whether it was one.
fn note(info: &PanicHookInfo<'_>) -> bool {
    let Some(context) = context::current() else { return false };
    context::quietly(|| {
        let slot = context.slot(context.current());
        slot.panicked.set(true);
        // A loop that panics does something else, and what unwinds cannot be stopped.
        patience::conclude(context, slot);
        if context.mode.get() == Mode::Running {
            let site = info.location().map_or(model::Site::UNKNOWN, |location| {
                context.registry.site(location.file(), location.line(), location.column())
            });
            *slot.panic.borrow_mut() = Some((message(info.payload()), site));
            mazurka_panicked();
        }
    });
    true
}

/// Called when a checked thread panics, on its own stack: a place for a debugger to stop. Runs that are given up unwind without
/// coming here.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn mazurka_panicked() {
    std::hint::black_box(());
}

/// The message of a panic.
pub(crate) fn message(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&'static str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic with a payload that is no text".to_owned()
    }
}
