//! What is done once: `pthread_once`, `call_once`, and the initialisation of static variables in C++ functions.

use super::{entry, life};
use crate::context::{self, Context};
use crate::sync::SyncKind;
use model::{ObjectId, OpKind, Site, Test};

const NEW: u64 = 0;
const BEGUN: u64 = 1;
const DONE: u64 = 2;

fn meet(context: &Context, address: usize) -> ObjectId {
    life::object(context, address, SyncKind::Once)
}

/// Whether the calling thread is the one to do it. If another one is at it, this waits until it has.
fn begin(context: &Context, once: ObjectId, site: Site) -> bool {
    loop {
        let kind = OpKind::CompareExchange { expected: NEW, new: BEGUN };
        let found = context.perform(kind, once, site).before;
        match life::alive(context, found, SyncKind::Once, site) {
            NEW => return true,
            DONE => return false,
            // It may be given up, too.
            _ => context.perform(OpKind::Await(Test::NotEqual(BEGUN)), once, site),
        };
    }
}

pub(super) extern "C-unwind" fn once(address: usize, function: usize, return_address: usize) -> i32 {
    let is_of_unwinder = context::running().is_some_and(|context| context.image().begins_unwinder.contains(&function));
    // SAFETY: the program's function, which takes and returns nothing.
    let function: extern "C-unwind" fn() = unsafe { std::mem::transmute(function) };
    // The unwinder of exceptions is no part of the program: it may begin as often as it likes.
    let Some(context) = context::running().filter(|_| !is_of_unwinder) else {
        function();
        return 0;
    };
    let site = context.site(return_address);
    let once = meet(context, address);
    if begin(context, once, site) {
        let attempt = Attempt { context, once, site };
        function();
        std::mem::forget(attempt);
        context.perform(OpKind::Write(DONE), once, site);
    }
    0
}

/// If the function throws, it is not done.
struct Attempt<'c> {
    context: &'c Context,
    once: ObjectId,
    site: Site,
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        self.context.perform(OpKind::Write(NEW), self.once, self.site);
    }
}

/// The first byte of a guard says whether the variable is initialised: the program looks there before it asks.
extern "C-unwind" fn guard_acquire(guard: usize, return_address: usize) -> i32 {
    // SAFETY: the program's guard.
    let is_done = unsafe { (guard as *const u8).read() } != 0;
    match context::running() {
        Some(context) => begin(context, meet(context, guard), context.site(return_address)).into(),
        None => (!is_done).into(),
    }
}

extern "C-unwind" fn guard_release(guard: usize, return_address: usize) {
    super::atomic::store_byte(guard, 1, return_address);
    if let Some(context) = context::running() {
        context.perform(OpKind::Write(DONE), meet(context, guard), context.site(return_address));
    }
}

extern "C-unwind" fn guard_abort(guard: usize, return_address: usize) {
    if let Some(context) = context::running() {
        context.perform(OpKind::Write(NEW), meet(context, guard), context.site(return_address));
    }
}

entry!(wrap_once, "__wrap_pthread_once", "rdx", once);
entry!(wrap_call_once, "__wrap_call_once", "rdx", once);
entry!(wrap_guard_acquire, "__wrap___cxa_guard_acquire", "rsi", guard_acquire);
entry!(wrap_guard_release, "__wrap___cxa_guard_release", "rsi", guard_release);
entry!(wrap_guard_abort, "__wrap___cxa_guard_abort", "rsi", guard_abort);
