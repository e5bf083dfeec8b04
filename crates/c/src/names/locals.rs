//! Variables on stacks: which one of a function's is at an address, by the debugging information.

use super::variables::{Entry, Part, Reader, Variables};
use crate::recorder::Frame;
use gimli::{AttributeValue, Operation, OperationIter, Register, UnitOffset};

/// What the places of a function's variables are relative to.
#[derive(Clone, Copy)]
enum Base {
    /// The stack pointer.
    StackPointer,
    /// The frame pointer, which is two words below the end of the frame.
    FramePointer,
    /// The end of the frame.
    End,
}

impl Base {
    fn of(self, frame: &Frame) -> usize {
        match self {
            Base::StackPointer => frame.stack_pointer,
            Base::FramePointer => frame.end - 2 * size_of::<usize>(),
            Base::End => frame.end,
        }
    }
}

const FRAME_POINTER: Register = gimli::X86_64::RBP;
const STACK_POINTER: Register = gimli::X86_64::RSP;

impl Variables {
    /// The part of a variable of the function that the frame is of, and the function's name.
    pub(super) fn find_local(&self, frame: &Frame, address: usize) -> Option<(Part, String)> {
        let at = u64::from(frame.site.0).wrapping_sub(1);
        (0..self.units().len()).find_map(|unit| {
            let (function, name) = self.function_at(unit, at)?;
            let scope = Scope { unit, base: self.base_of(unit, function).map(|base| base.of(frame)), frame, at };
            Some((self.local_at(&scope, function, address)?, name))
        })
    }

    /// The function of a unit that has this address.
    fn function_at(&self, unit: usize, at: u64) -> Option<(UnitOffset, String)> {
        let mut entries = self.units()[unit].entries();
        while let Ok(Some((_, entry))) = entries.next_dfs() {
            if entry.tag() == gimli::DW_TAG_subprogram && self.has_address(unit, entry, at) {
                return Some((entry.offset(), self.name_or_origin(unit, entry).unwrap_or_default()));
            }
        }
        None
    }

    fn has_address(&self, unit: usize, entry: &Entry<'_>, at: u64) -> bool {
        let Ok(mut ranges) = self.dwarf().die_ranges(&self.units()[unit], entry) else { return false };
        while let Ok(Some(range)) = ranges.next() {
            if (range.begin..range.end).contains(&at) {
                return true;
            }
        }
        false
    }

    fn base_of(&self, unit: usize, function: UnitOffset) -> Option<Base> {
        let entry = self.units()[unit].entry(function).ok()?;
        let AttributeValue::Exprloc(expression) = entry.attr_value(gimli::DW_AT_frame_base).ok()?? else { return None };
        match expression.operations(self.units()[unit].encoding()).next().ok()?? {
            Operation::CallFrameCFA => Some(Base::End),
            Operation::Register { register: STACK_POINTER } => Some(Base::StackPointer),
            Operation::Register { register: FRAME_POINTER } => Some(Base::FramePointer),
            _ => None,
        }
    }

    /// The part of a variable of the function that is at an address.
    fn local_at(&self, scope: &Scope<'_>, function: UnitOffset, address: usize) -> Option<Part> {
        let mut entries = self.units()[scope.unit].entries_at_offset(function).ok()?;
        let (mut depth, mut is_first) = (0, true);
        while let Ok(Some((delta, entry))) = entries.next_dfs() {
            depth += delta;
            if depth <= 0 && !is_first {
                return None;
            }
            is_first = false;
            let is_variable = matches!(entry.tag(), gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter);
            if is_variable
                && let Some(start) = self.start_of(scope, entry)
                && let Some(part) = self.part_of_local(scope.unit, entry, address.wrapping_sub(start) as u64)
            {
                return Some(part);
            }
        }
        None
    }

    /// Where a variable is, if it is in memory there.
    fn start_of(&self, scope: &Scope<'_>, entry: &Entry<'_>) -> Option<usize> {
        let unit = &self.units()[scope.unit];
        let location = entry.attr_value(gimli::DW_AT_location).ok()??;
        if let AttributeValue::Exprloc(expression) = location {
            return scope.evaluate(expression.operations(unit.encoding()));
        }
        let mut places = self.dwarf().attr_locations(unit, location).ok()??;
        while let Ok(Some(place)) = places.next() {
            if (place.range.begin..place.range.end).contains(&scope.at) {
                return scope.evaluate(place.data.operations(unit.encoding()));
            }
        }
        None
    }
}

/// Where a function's variables are looked for.
struct Scope<'a> {
    unit: usize,
    base: Option<usize>,
    frame: &'a Frame,
    /// Where in the program.
    at: u64,
}

impl Scope<'_> {
    /// The address that an expression of one operation is.
    fn evaluate(&self, mut operations: OperationIter<Reader>) -> Option<usize> {
        let (from, offset) = match operations.next().ok()?? {
            Operation::FrameOffset { offset } => (self.base?, offset),
            Operation::RegisterOffset { register: STACK_POINTER, offset, .. } => {
                (Base::StackPointer.of(self.frame), offset)
            }
            Operation::RegisterOffset { register: FRAME_POINTER, offset, .. } => {
                (Base::FramePointer.of(self.frame), offset)
            }
            _ => return None,
        };
        operations.next().ok()?.is_none().then_some(from.wrapping_add_signed(offset as isize))
    }
}
