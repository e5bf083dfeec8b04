//! What a function still reads of its registers and of its frame, after each of its calls: whatever is written before it is read
//! is dead.

use super::function::Function;
use super::{REGISTERS, SLOT};
use iced_x86::{
    Code, FlowControl, Instruction, InstructionInfo, InstructionInfoFactory, OpAccess, OpKind, Register, UsedMemory,
};
use rustc_hash::FxHashMap;

/// A set of registers and slots, by their numbers: registers first.
type Set = u128;

const ALL: Set = Set::MAX;
/// The number of the register that has what a call returns, and the same register where the function returns.
pub(super) const RESULT: usize = REGISTERS;
pub(super) const RETURNED: usize = REGISTERS + 1;
/// So many slots of a frame have numbers.
const MOST_SLOTS: usize = Set::BITS as usize - REGISTERS - 2;

/// The registers that a call keeps, in the order of [`crate::registers::Registers`].
const KEPT: [Register; REGISTERS] =
    [Register::RBX, Register::RBP, Register::R12, Register::R13, Register::R14, Register::R15];

/// What is read after each instruction, or by it.
#[derive(Debug)]
pub(super) struct Live {
    /// The slots that only this function gets at, by how far they are from the frame's base.
    slots: Vec<i64>,
    /// What is read from each instruction on.
    before: Vec<Set>,
}

impl Live {
    pub(super) fn of(function: &Function) -> Live {
        let mut factory = InstructionInfoFactory::new();
        let slots = Slots::of(function, &mut factory);
        let uses: Vec<(Set, Set)> = (0..function.instructions.len())
            .map(|number| slots.uses(function, number, factory.info(&function.instructions[number])))
            .collect();
        Live { before: flow(function, &uses), slots: slots.list }
    }

    /// Whether a register is read from this instruction on.
    pub(super) fn reads_register(&self, number: usize, register: usize) -> bool {
        self.before[number] & 1 << register != 0
    }

    /// The slots that are not, by how far they are from the frame's base.
    pub(super) fn dead_slots(&self, number: usize) -> impl Iterator<Item = i64> {
        let before = self.before[number];
        self.slots.iter().enumerate().filter(move |&(slot, _)| before & bit_of_slot(slot) == 0).map(|(_, &place)| place)
    }
}

fn bit_of_slot(slot: usize) -> Set {
    1 << (REGISTERS + 2 + slot)
}

/// What is read from each instruction on, by what each reads and overwrites.
fn flow(function: &Function, uses: &[(Set, Set)]) -> Vec<Set> {
    let mut before = vec![0; uses.len()];
    loop {
        let mut is_changed = false;
        for number in (0..uses.len()).rev() {
            let next = function.next[number];
            let after = if next.is_unknown { ALL } else { next.all().fold(0, |set, next| set | before[next]) };
            let (reads, writes) = uses[number];
            let now = reads | after & !writes;
            is_changed |= now != before[number];
            before[number] = now;
        }
        if !is_changed {
            return before;
        }
    }
}

/// The parts of a frame, of four bytes each, that nobody can have the address of: they are read and written as they are by instructions
/// of the function, all of which are known.
struct Slots {
    list: Vec<i64>,
    numbers: FxHashMap<i64, usize>,
}

impl Slots {
    fn of(function: &Function, factory: &mut InstructionInfoFactory) -> Slots {
        let mut slots = Slots { list: Vec::new(), numbers: FxHashMap::default() };
        let mut read = Vec::new();
        for (number, instruction) in function.instructions.iter().enumerate() {
            let info = factory.info(instruction);
            if gives_address_away(instruction, info) {
                return slots;
            }
            if moves_stack(instruction) {
                continue;
            }
            for memory in info.used_memory().iter().filter(|memory| memory.base() == Register::RSP) {
                let Some((from, to)) = place(function, number, memory) else { return slots };
                // What is above the base belongs to the caller; what a call may take as an argument is never read here.
                if reads(memory.access()) && to <= 0 {
                    read.extend(
                        (from.div_euclid(SLOT)..to.div_euclid(SLOT) + i64::from(to.rem_euclid(SLOT) != 0))
                            .map(|slot| slot * SLOT),
                    );
                }
            }
        }
        read.sort_unstable();
        read.dedup();
        read.truncate(MOST_SLOTS);
        slots.numbers = read.iter().enumerate().map(|(number, &place)| (place, number)).collect();
        slots.list = read;
        slots
    }

    /// What an instruction reads, and what it overwrites.
    fn uses(&self, function: &Function, number: usize, info: &InstructionInfo) -> (Set, Set) {
        let (mut read, mut written) = (0, 0);
        for used in info.used_registers() {
            let Some(register) = number_of(used.register().full_register()) else { continue };
            if reads(used.access()) {
                read |= 1 << register;
            }
            if used.access() == OpAccess::Write && used.register().size() >= 4 {
                written |= of_register(register);
            }
        }
        match function.instructions[number].flow_control() {
            FlowControl::Return => read |= 1 << RETURNED,
            // Another function, or another part of this one.
            FlowControl::UnconditionalBranch | FlowControl::IndirectBranch if function.next[number].there.is_none() => {
                read |= 1 << RESULT;
            }
            _ => {}
        }
        if function.instructions[number].is_call_near() || function.instructions[number].is_call_near_indirect() {
            written |= of_register(RESULT);
        }
        if self.list.is_empty() || moves_stack(&function.instructions[number]) {
            return (read, written & !read);
        }
        for memory in info.used_memory().iter().filter(|memory| memory.base() == Register::RSP) {
            let Some((from, to)) = place(function, number, memory) else { return (ALL, 0) };
            let (first, last) = (from.div_euclid(SLOT), (to - 1).div_euclid(SLOT));
            for slot in first..=last {
                let Some(&number) = self.numbers.get(&(slot * SLOT)) else { continue };
                if reads(memory.access()) {
                    read |= bit_of_slot(number);
                }
                let is_whole = from <= slot * SLOT && (slot + 1) * SLOT <= to;
                if memory.access() == OpAccess::Write && is_whole {
                    written |= bit_of_slot(number);
                }
            }
        }
        (read, written & !read)
    }
}

/// What is overwritten with a register.
fn of_register(register: usize) -> Set {
    if register == RESULT { 1 << RESULT | 1 << RETURNED } else { 1 << register }
}

fn number_of(register: Register) -> Option<usize> {
    if register == Register::RAX { Some(RESULT) } else { KEPT.iter().position(|&kept| kept == register) }
}

fn reads(access: OpAccess) -> bool {
    !matches!(access, OpAccess::None | OpAccess::Write | OpAccess::CondWrite | OpAccess::NoMemAccess)
}

/// Whether an instruction uses the stack as one: what it reads and writes there is its own.
fn moves_stack(instruction: &Instruction) -> bool {
    instruction.is_stack_instruction()
}

/// Where memory begins and ends that an instruction uses by the stack pointer, from the base of the frame on.
fn place(function: &Function, number: usize, memory: &UsedMemory) -> Option<(i64, i64)> {
    let height = function.tables.row(function.instructions[number].ip() as usize)?.height?;
    let from = memory.displacement() as i64 - height;
    let size = memory.memory_size().size() as i64;
    (memory.index() == Register::None && size > 0).then_some((from, from + size))
}

/// Whether an instruction may give somebody the address of something on the stack, or the stack is not where it seems.
fn gives_address_away(instruction: &Instruction, info: &InstructionInfo) -> bool {
    let has_stack_pointer = |register: Register| register.full_register() == Register::RSP;
    if matches!(instruction.code(), Code::Lea_r64_m | Code::Lea_r32_m | Code::Lea_r16_m) {
        return has_stack_pointer(instruction.memory_base()) || has_stack_pointer(instruction.memory_index());
    }
    let moves_by_number = matches!(
        instruction.code(),
        Code::Add_rm64_imm8 | Code::Add_rm64_imm32 | Code::Sub_rm64_imm8 | Code::Sub_rm64_imm32
    );
    let is_operand = (0..instruction.op_count()).any(|operand| {
        instruction.op_kind(operand) == OpKind::Register && has_stack_pointer(instruction.op_register(operand))
    });
    let by_index = info.used_memory().iter().any(|memory| {
        memory.base() == Register::RSP && memory.index() != Register::None || memory.index() == Register::RSP
    });
    is_operand && !moves_by_number || by_index
}
