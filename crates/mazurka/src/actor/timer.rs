//! Messages that come later.

use super::message::Message;
use super::process::{Core, checkpoint};
use crate::object::Object;
use fiber::Wish;
use model::OpKind;
use std::panic::Location;
use std::sync::Arc;

/// A message that will be sent, unless it is cancelled before.
#[derive(Debug)]
pub struct Timer {
    state: Arc<Object>,
}

/// What became of a timer.
const PENDING: u64 = 0;
const FIRED: u64 = 1;
const CANCELLED: u64 = 2;

impl Timer {
    pub(super) fn start<M: Message>(core: Arc<Core<M>>, message: M, location: &'static Location<'static>) -> Timer {
        let state = Arc::new(Object::of("timer", location));
        state.id(|| PENDING);
        let theirs = state.clone();
        let fire = move || {
            if decide(&theirs, FIRED, location) {
                core.deliver(message, location);
            }
        };
        fiber::spawn_static(fire, Wish { name: Some("timer"), ..Wish::default() }, location);
        Timer { state }
    }

    /// Takes it back. Says whether it had not fired yet.
    #[track_caller]
    pub fn cancel(self) -> bool {
        let location = Location::caller();
        checkpoint(location);
        decide(&self.state, CANCELLED, location)
    }
}

fn decide(state: &Object, new: u64, location: &'static Location<'static>) -> bool {
    state.perform(OpKind::CompareExchange { expected: PENDING, new }, location).is_done()
}
