//! The calls that led to each step of a run, kept when an execution is run again to be told of.

use crate::context::{Context, Table};
use crate::guarded::guarded;
use model::{Site, ThreadId};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_void};

/// So many calls of a stack are kept.
const MOST_FRAMES: usize = 64;
/// Bytes of a stack whose frames are looked through together.
const PIECE: usize = 1024;

/// The calls of a run, as return addresses in the program, the innermost first.
#[derive(Default)]
pub(crate) struct Recorder {
    is_on: Cell<bool>,
    /// Of the operations that were performed, in their order.
    steps: RefCell<Vec<Vec<Site>>>,
    /// Of the operation that each thread announced last.
    announced: RefCell<FxHashMap<ThreadId, Vec<Site>>>,
    /// The frames on stacks that were seen, by the pieces of [`PIECE`] bytes that they are in, the latest last.
    frames: RefCell<FxHashMap<usize, Vec<Frame>>>,
}

/// A call of a function of the program, and where it has its variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    /// Where in the function it is.
    pub(crate) site: Site,
    /// The stack pointer there.
    pub(crate) stack_pointer: usize,
    /// The stack pointer of its caller, before the call: the canonical frame address.
    pub(crate) end: usize,
}

impl Recorder {
    /// See [`crate::context::Table`].
    pub(crate) fn tables(&self) -> [&dyn Table; 3] {
        [&self.steps, &self.announced, &self.frames]
    }

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
            self.frames.borrow_mut().clear();
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

impl Recorder {
    /// The frames that had this address, the latest first.
    pub(crate) fn frames_at(&self, address: usize) -> Vec<Frame> {
        let frames = self.frames.borrow();
        let near = frames.get(&(address / PIECE)).map_or(&[][..], Vec::as_slice);
        near.iter().rev().filter(|frame| (frame.stack_pointer..frame.end).contains(&address)).copied().collect()
    }

    fn see(&self, frames: impl Iterator<Item = Frame>) {
        let mut seen = self.frames.borrow_mut();
        for frame in frames {
            for piece in frame.stack_pointer / PIECE..frame.end.div_ceil(PIECE) {
                let near = seen.entry(piece).or_default();
                if !near.contains(&frame) {
                    near.push(frame);
                }
            }
        }
    }
}

impl Context {
    /// Keeps the calls of the operation that the thread that runs announces.
    #[cold]
    pub(crate) fn record_announcement(&self) {
        let unwound = unwound();
        let unwound = unwound.all();
        let frames = unwound.windows(2).map(|pair| Frame {
            site: self.site(pair[0].0),
            stack_pointer: pair[0].1,
            end: pair[1].1,
        });
        let text = &self.image().text;
        self.recorder.see(frames.zip(unwound).filter(|(_, (at, _))| text.contains(at)).map(|(frame, _)| frame));
        let calls = self.own_calls(unwound);
        self.recorder.announced.borrow_mut().insert(self.current(), calls);
    }

    /// The program's functions that are being called by the thread that runs.
    pub(crate) fn calls(&self) -> Vec<Site> {
        self.own_calls(unwound().all())
    }

    /// Those of these return addresses that are in the program.
    pub(crate) fn own_calls(&self, unwound: &[(usize, usize)]) -> Vec<Site> {
        let text = &self.image().text;
        unwound.iter().filter(|(at, _)| text.contains(at)).map(|&(at, _)| self.site(at)).collect()
    }
}

unsafe extern "C" {
    fn _Unwind_Backtrace(each: extern "C" fn(*mut c_void, *mut c_void) -> c_int, to: *mut c_void) -> c_int;
    fn _Unwind_GetIP(frame: *mut c_void) -> usize;
    fn _Unwind_GetCFA(frame: *mut c_void) -> usize;
}

/// The calls that somebody is in, the innermost first: where each is, and its stack pointer there.
pub(crate) struct Calls {
    calls: [(usize, usize); MOST_FRAMES],
    count: usize,
}

impl Calls {
    pub(crate) fn all(&self) -> &[(usize, usize)] {
        &self.calls[..self.count]
    }
}

/// The calls that the caller is in, as far as its stack is one.
pub(crate) fn unwound() -> Calls {
    extern "C" fn each(frame: *mut c_void, to: *mut c_void) -> c_int {
        // SAFETY: called by the unwinder with its frame and the list below.
        let (calls, call) = unsafe { (&mut *to.cast::<Calls>(), (_Unwind_GetIP(frame), _Unwind_GetCFA(frame))) };
        calls.calls[calls.count] = call;
        calls.count += 1;
        // No error, or that this is the end.
        if calls.count < MOST_FRAMES { 0 } else { 5 }
    }
    extern "C" fn unwind(to: *mut c_void) {
        // SAFETY: the unwinder of this process, which calls the function above with this list.
        unsafe { _Unwind_Backtrace(each, to) };
    }
    let mut calls = Calls { calls: [(0, 0); MOST_FRAMES], count: 0 };
    guarded(unwind, &mut calls);
    calls
}
