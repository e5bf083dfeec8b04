//! Which instructions of a function are the same: what is done from there on is, instruction by instruction, whatever may follow.
//! Compilers make copies of code, such as one for the first round of a loop and one for all others.

use super::function::{Function, Next};
use iced_x86::{FlowControl, Instruction};
use rustc_hash::FxHashMap;

/// The class of each instruction; it does not matter which number that is.
pub(super) fn classes(function: &Function) -> Vec<u32> {
    let shapes = shapes(function);
    let mut classes = vec![0; shapes.len()];
    let mut number = 0;
    loop {
        let mut met: FxHashMap<(u32, [u32; 3]), u32> = FxHashMap::default();
        let mut now = vec![0; shapes.len()];
        for at in 0..shapes.len() {
            let class = |next: Option<u32>| next.map_or(u32::MAX, |next| classes[through(function, next) as usize]);
            let next = ordered(function, at);
            let key = (shapes[at], [class(next.behind), class(next.there), class(next.landing)]);
            let fresh = met.len() as u32;
            now[at] = *met.entry(key).or_insert(fresh);
        }
        classes = now;
        if met.len() == number {
            break;
        }
        number = met.len();
    }
    (0..classes.len()).map(|at| classes[through(function, at as u32) as usize]).collect()
}

/// Where an instruction leads that only leads somewhere else.
fn through(function: &Function, mut at: u32) -> u32 {
    // Jumps may go round for ever.
    for _ in 0..8 {
        let instruction = &function.instructions[at as usize];
        let is_jump = instruction.flow_control() == FlowControl::UnconditionalBranch;
        let next = function.next[at as usize];
        match (is_jump, is_jump.then_some(next.there).flatten()) {
            (true, Some(there)) => at = there,
            (false, _) if is_nothing(instruction) => match next.behind {
                Some(behind) => at = behind,
                None => return at,
            },
            _ => return at,
        }
    }
    at
}

fn is_nothing(instruction: &Instruction) -> bool {
    instruction.mnemonic() == iced_x86::Mnemonic::Nop
}

/// What may follow, the way of a condition first that is not the negation of another.
fn ordered(function: &Function, at: usize) -> Next {
    let next = function.next[at];
    match is_negated(&function.instructions[at]) {
        true => Next { behind: next.there, there: next.behind, ..next },
        false => next,
    }
}

fn is_negated(instruction: &Instruction) -> bool {
    instruction.is_jcc_short_or_near() && (instruction.condition_code() as u8).is_multiple_of(2)
}

/// A number for what each instruction does, apart from where it leads within the function.
fn shapes(function: &Function) -> Vec<u32> {
    let mut met: FxHashMap<Instruction, u32> = FxHashMap::default();
    let mut all = Vec::with_capacity(function.instructions.len());
    for (at, instruction) in function.instructions.iter().enumerate() {
        let mut shape = *instruction;
        if is_negated(instruction) {
            shape.negate_condition_code();
        }
        if function.next[at].there.is_some() {
            shape.as_near_branch();
            shape.set_near_branch64(0);
        }
        let fresh = met.len() as u32;
        all.push(*met.entry(shape).or_insert(fresh));
    }
    all
}
