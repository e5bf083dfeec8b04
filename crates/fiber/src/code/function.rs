//! The instructions of a function, and which may follow which.

use super::returns::{Returns, target};
use super::tables::Tables;
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction};
use std::ops::Range;

/// Larger functions are not looked into.
const MOST_BYTES: usize = 1 << 17;

/// A function whose code is understood.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) tables: Tables,
    pub(super) instructions: Vec<Instruction>,
    /// Of each instruction, those that may follow it.
    pub(super) next: Vec<Next>,
}

/// What may follow an instruction within its function, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Next {
    /// The one behind it.
    pub(super) behind: Option<u32>,
    /// Where it jumps to.
    pub(super) there: Option<u32>,
    /// Where it lands if what it calls unwinds.
    pub(super) landing: Option<u32>,
    /// Anything.
    pub(super) is_unknown: bool,
}

impl Next {
    pub(super) fn all(self) -> impl Iterator<Item = usize> {
        [self.behind, self.there, self.landing].into_iter().flatten().map(|number| number as usize)
    }
}

impl Function {
    /// The function that the address is in.
    pub(super) fn at(pc: usize, returns: &mut Returns) -> Option<Function> {
        // A call may be the last instruction of a function: what it returns to is behind it then.
        let tables = Tables::of(pc - 1)?;
        if tables.end.checked_sub(tables.start)? > MOST_BYTES {
            return None;
        }
        // SAFETY: the tables are of code that is there, and can be read: it is where the program's threads are.
        let code = unsafe { std::slice::from_raw_parts(tables.start as *const u8, tables.end - tables.start) };
        let decoder = Decoder::with_ip(64, code, tables.start as u64, DecoderOptions::NONE);
        let instructions: Vec<Instruction> = decoder.into_iter().collect();
        if instructions.iter().any(Instruction::is_invalid) {
            return None;
        }
        let mut function = Function { tables, instructions, next: Vec::new() };
        let numbers = 0..function.instructions.len();
        let next: Option<Vec<Next>> = numbers.map(|number| function.next_of(number, returns)).collect();
        function.next = next?;
        Some(function)
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.tables.start..self.tables.end
    }

    /// The number of the instruction at an address; none if there is another one in its bytes.
    pub(super) fn number(&self, address: usize) -> Option<u32> {
        let found = self.instructions.binary_search_by_key(&(address as u64), Instruction::ip);
        found.ok().map(|number| number as u32)
    }

    /// None if it jumps into the middle of another one, so that the code is not what it seems.
    fn next_of(&self, number: usize, returns: &mut Returns) -> Option<Next> {
        let instruction = &self.instructions[number];
        let behind = Some(number as u32 + 1).filter(|&behind| (behind as usize) < self.instructions.len());
        let mut next = Next::default();
        match instruction.flow_control() {
            FlowControl::Next => next.behind = Some(behind?),
            FlowControl::UnconditionalBranch | FlowControl::IndirectBranch => self.jump(instruction, &mut next)?,
            FlowControl::ConditionalBranch => {
                next.behind = Some(behind?);
                self.jump(instruction, &mut next)?;
            }
            FlowControl::Call | FlowControl::IndirectCall => {
                next.behind = behind.filter(|_| returns.comes_back(instruction));
                let landing = self.tables.landing(instruction.ip() as usize);
                next.landing = match landing {
                    Some(landing) => Some(self.number(landing)?),
                    None => None,
                };
            }
            FlowControl::Return | FlowControl::Exception => {}
            FlowControl::Interrupt | FlowControl::XbeginXabortXend => next.is_unknown = true,
        }
        Some(next)
    }

    /// A jump to another function is a return, if the frame is gone; if not, it goes on in a part of this one that is elsewhere.
    fn jump(&self, instruction: &Instruction, next: &mut Next) -> Option<()> {
        match target(instruction) {
            Some(target) if self.range().contains(&target) => next.there = Some(self.number(target)?),
            Some(_) => next.is_unknown = self.tables.row(instruction.ip() as usize)?.height != Some(8),
            None => next.is_unknown = true,
        }
        Some(())
    }
}
