//! What the code of the program still reads of a thread's registers and stack, which is as much as what it is made of: compilers leave
//! values where nobody looks any more, and which ones depends on the way by which a thread came. And where the thread is: compilers make
//! copies of code, and it makes no difference in which of them a thread is.
//!
//! Both are found out from the instructions of each function on the stack, and the tables by which it is unwound. A register or
//! a part of a frame is dead if it is overwritten before it is read, whatever the function does next, also when what it calls
//! unwinds. Of what is not understood, nothing is dead.

mod function;
mod live;
mod returns;
mod same;
mod tables;
#[cfg(test)]
mod tests;

use crate::context::{self, Table};
use crate::registers::Registers;
use function::Function;
use live::Live;
use returns::Returns;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tables::Row;

/// How many registers a call keeps.
const REGISTERS: usize = 6;
/// How many bytes of a frame are dead or not at a time.
const SLOT: i64 = 4;
const WORD: usize = size_of::<usize>();
/// The bits of a word that are in its first slot.
const FIRST_SLOT: usize = u32::MAX as usize;

/// What is known of a place that a call returns to.
#[derive(Debug)]
struct Call {
    /// The first place of the function from which on the same is done.
    place: usize,
    row: Row,
    /// Whether each register is read from here on.
    reads: [bool; REGISTERS],
    /// Whether what the call returned is, and whether it may be what the function returns.
    reads_result: bool,
    returns_result: bool,
    /// Parts of the frame that are not, by how far they are from its base.
    dead: Vec<i64>,
}

/// A function that was looked into.
struct Known {
    function: Function,
    live: Live,
    classes: OnceLock<Vec<u32>>,
}

/// What all searches of the process have found out of its code.
#[derive(Default)]
struct Found {
    functions: Vec<Arc<Known>>,
    returns: Returns,
    calls: FxHashMap<usize, Option<Arc<Call>>>,
}

static FOUND: Mutex<Option<Found>> = Mutex::new(None);

/// The code of the program, as far as it was looked into.
#[derive(Default)]
pub(crate) struct Code {
    calls: RefCell<FxHashMap<usize, Option<Arc<Call>>>>,
}

/// A word on a stack as it is to be taken: these bits of it, or this one instead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) address: usize,
    keep: usize,
    put: usize,
}

impl Change {
    pub(crate) fn of(self, word: u64) -> u64 {
        word & self.keep as u64 | self.put as u64
    }
}

/// Where a frame finds the registers of its own.
#[derive(Clone, Copy)]
enum At {
    Register,
    Stack(usize),
}

impl Code {
    /// See [`crate::context::Table`].
    pub(crate) fn table(&self) -> &dyn Table {
        &self.calls
    }

    /// What is to be changed of a stack that ends at `end`, so that nothing dead is left of it, and copies of code are one; and of the
    /// registers, too.
    pub(crate) fn without_dead(&self, registers: &mut Registers, end: usize, changes: &mut Vec<Change>) {
        let mut at = [At::Register; REGISTERS];
        let mut frames = Frames { code: self, kept: registers.kept, stack_pointer: registers.stack_pointer, end };
        while let Some(Frame { call, top, base }) = frames.next(&at) {
            changes.push(Change { address: top, keep: 0, put: call.place });
            for (register, at) in at.iter_mut().enumerate() {
                let Some(offset) = call.row.saved[register] else { continue };
                match at {
                    _ if call.reads[register] => {}
                    At::Register => registers.kept[register] = 0,
                    At::Stack(address) => changes.push(Change { address: *address, keep: 0, put: 0 }),
                }
                *at = At::Stack(base.wrapping_add(offset as usize));
            }
            for &place in &call.dead {
                let address = base.wrapping_add(place as usize);
                let (word, is_first) = (address / WORD * WORD, address % WORD == 0);
                changes.push(Change { address: word, keep: if is_first { !FIRST_SLOT } else { FIRST_SLOT }, put: 0 });
            }
        }
    }

    /// Whether nobody looks at what an operation returns that was called with these registers, on a stack that ends at `end`.
    pub(crate) fn ignores_result(&self, registers: &Registers, end: usize) -> bool {
        let mut at = [At::Register; REGISTERS];
        let mut frames = Frames { code: self, kept: registers.kept, stack_pointer: registers.stack_pointer, end };
        while let Some(Frame { call, base, .. }) = frames.next(&at) {
            if call.reads_result || !call.returns_result {
                return !call.reads_result;
            }
            for (register, at) in at.iter_mut().enumerate() {
                if let Some(offset) = call.row.saved[register] {
                    *at = At::Stack(base.wrapping_add(offset as usize));
                }
            }
        }
        false
    }

    /// What is known of a place that a call returns to.
    fn call(&self, place: usize) -> Option<Arc<Call>> {
        let mut calls = self.calls.borrow_mut();
        calls.entry(place).or_insert_with(|| find(place)).clone()
    }
}

/// The frames on a stack, from the innermost one on, as far as they are understood.
struct Frames<'c> {
    code: &'c Code,
    kept: [usize; REGISTERS],
    stack_pointer: usize,
    /// Where the stack ends.
    end: usize,
}

/// What a function has on the stack.
struct Frame {
    call: Arc<Call>,
    /// Where the place is that what it called returns to.
    top: usize,
    base: usize,
}

impl Frames<'_> {
    /// The next one, which finds its registers there.
    fn next(&mut self, at: &[At; REGISTERS]) -> Option<Frame> {
        let top = self.stack_pointer;
        if top == 0 || top + WORD > self.end {
            return None;
        }
        // SAFETY: words on the stack of a fiber that is suspended, or below the frame of who asks.
        let word_at = |address: usize| unsafe { (address as *const usize).read() };
        let call = context::quietly(|| self.code.call(word_at(top)))?;
        let above = top + WORD;
        let by_rbp = match at[1] {
            At::Register => self.kept[1],
            At::Stack(address) => word_at(address),
        };
        let height = call.row.height.map(|height| above.wrapping_add(height as usize));
        let base = height.or(call.row.above_rbp.map(|height| by_rbp.wrapping_add(height as usize)))?;
        let is_in = |offset: &i64| (above..base).contains(&base.wrapping_add(*offset as usize));
        if base <= above || base > self.end || !call.row.saved.iter().flatten().all(is_in) {
            return None;
        }
        self.stack_pointer = base - WORD;
        Some(Frame { call, top, base })
    }
}

fn find(place: usize) -> Option<Arc<Call>> {
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    let found = found.get_or_insert_default();
    if let Some(known) = found.calls.get(&place) {
        return known.clone();
    }
    let call = call(found, place).map(Arc::new);
    found.calls.insert(place, call.clone());
    call
}

fn call(found: &mut Found, place: usize) -> Option<Call> {
    let is_in = |known: &&Arc<Known>| known.function.range().contains(&(place - 1));
    let known = match found.functions.iter().find(is_in) {
        Some(known) => known.clone(),
        None => {
            let function = Function::at(place, &mut found.returns)?;
            let known = Arc::new(Known { live: Live::of(&function), classes: OnceLock::new(), function });
            found.functions.push(known.clone());
            known
        }
    };
    let number = known.function.number(place)? as usize;
    let row = *known.function.tables.row(place)?;
    let classes = known.classes.get_or_init(|| same::classes(&known.function));
    let first = classes.iter().position(|&class| class == classes[number])?;
    let reads = std::array::from_fn(|register| known.live.reads_register(number, register));
    let [reads_result, returns_result] =
        [live::RESULT, live::RETURNED].map(|register| known.live.reads_register(number, register));
    let dead = known.live.dead_slots(number).collect();
    Some(Call {
        place: known.function.instructions[first].ip() as usize,
        row,
        reads,
        reads_result,
        returns_result,
        dead,
    })
}
