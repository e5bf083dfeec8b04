//! The calls that led to each step of a run, kept when an execution is run again to be told of.

use crate::context::Context;
use model::{Site, ThreadId};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::ptr;

/// So many calls of a stack are kept.
pub(crate) const MOST_FRAMES: usize = 64;

/// The calls of a run, as return addresses in the program, the innermost first.
#[derive(Default)]
pub(crate) struct Recorder {
    is_on: Cell<bool>,
    /// Of the operations that were performed, in their order.
    steps: RefCell<Vec<Vec<Site>>>,
    /// Of the operation that each thread announced last.
    announced: RefCell<FxHashMap<ThreadId, Vec<Site>>>,
}

impl Recorder {
    /// Whether calls are kept.
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.is_on.get()
    }

    /// Keeps the calls of runs, or no more. What was kept stays until the next run that is kept.
    pub(crate) fn set(&self, on: bool) {
        self.is_on.set(on);
    }

    /// A run begins.
    pub(crate) fn begin_run(&self) {
        if self.is_on() {
            self.steps.borrow_mut().clear();
            self.announced.borrow_mut().clear();
        }
    }

    /// A thread is chosen: its operation is the next step.
    pub(crate) fn step(&self, thread: ThreadId) {
        let calls = self.announced.borrow().get(&thread).cloned();
        self.steps.borrow_mut().push(calls.unwrap_or_default());
    }

    /// The calls of a step, counted from 0.
    pub(crate) fn of_step(&self, step: usize) -> Vec<Site> {
        self.steps.borrow().get(step).cloned().unwrap_or_default()
    }

    /// The calls of the operation that a thread announced last.
    pub(crate) fn of_thread(&self, thread: ThreadId) -> Vec<Site> {
        self.announced.borrow().get(&thread).cloned().unwrap_or_default()
    }
}

impl Context {
    /// Keeps the calls of the operation that the thread that runs announces.
    #[cold]
    pub(crate) fn record_announcement(&self) {
        let calls = self.calls();
        self.recorder.announced.borrow_mut().insert(self.current(), calls);
    }

    /// The program's functions that are being called by the thread that runs.
    pub(crate) fn calls(&self) -> Vec<Site> {
        let mut frames = [ptr::null_mut(); MOST_FRAMES];
        // SAFETY: as many addresses as there is room for.
        let count = unsafe { libc::backtrace(frames.as_mut_ptr(), MOST_FRAMES as i32) };
        self.own_calls(&frames.map(|frame| frame as usize)[..count as usize])
    }

    /// Those of these return addresses that are in the program.
    pub(crate) fn own_calls(&self, frames: &[usize]) -> Vec<Site> {
        let Some(image) = self.image.get() else { return Vec::new() };
        let own = frames.iter().filter(|frame| image.text.contains(frame));
        own.map(|&frame| self.site(frame)).collect()
    }
}
