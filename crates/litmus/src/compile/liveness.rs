//! Which registers a thread can still read when it is about to perform an operation.
//!
//! They, and where the thread is, are its local state: two visits of a place with the same values there go on alike, whatever
//! is left in registers that will be written before they are read again.

use crate::code::{Cells, Code, Instruction, Keep, Register, Visible, What};

/// Works out [`Code::live`]: by going back from each use to where it was written.
pub(super) fn find_live(code: &mut Code) {
    code.live = vec![Box::default(); code.visibles.len()];
    let width = code.bodies.iter().map(|body| body.registers.len()).max().unwrap_or(0).div_ceil(64);
    let mut live = vec![vec![0u64; width]; code.instructions.len() + 1];
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..code.instructions.len()).rev() {
            let mut here = successors(code, at).fold(vec![0; width], |mut set, next| {
                set.iter_mut().zip(&live[next]).for_each(|(word, &other)| *word |= other);
                set
            });
            let (written, read) = touched(code, code.instructions[at]);
            if let Some(register) = written {
                here[usize::from(register) / 64] &= !(1 << (register % 64));
            }
            for register in read {
                here[usize::from(register) / 64] |= 1 << (register % 64);
            }
            if live[at] != here {
                live[at] = here;
                changed = true;
            }
        }
    }
    for (at, instruction) in code.instructions.iter().enumerate() {
        if let Instruction::Visible(number) = *instruction {
            let is_live = |register: &usize| live[at][register / 64] >> (register % 64) & 1 != 0;
            code.live[number as usize] = (0..width * 64).filter(is_live).map(|register| register as Register).collect();
        }
    }
}

fn successors(code: &Code, at: usize) -> impl Iterator<Item = usize> + '_ {
    let instruction = code.instructions[at];
    let arms = match instruction {
        Instruction::Select { first, count } => &code.arms[first as usize..][..usize::from(count)],
        _ => &[],
    };
    let (next, jump) = match instruction {
        Instruction::Select { .. } => (None, None),
        Instruction::Jump(to) => (None, Some(to)),
        Instruction::JumpIfZero { to, .. } | Instruction::JumpUnless { to, .. } => (Some(at + 1), Some(to)),
        Instruction::End => (None, None),
        _ => (Some(at + 1), None),
    };
    next.into_iter().chain(jump.into_iter().chain(arms.iter().copied()).map(|to| to as usize))
}

/// The register that an instruction writes, and those that it reads.
fn touched(code: &Code, instruction: Instruction) -> (Option<Register>, Vec<Register>) {
    match instruction {
        Instruction::Visible(number) => touched_by_operation(code, &code.visibles[number as usize]),
        Instruction::Copy { to, from } | Instruction::Not { to, from } | Instruction::Negate { to, from } => {
            (Some(to), vec![from])
        }
        Instruction::Binary { to, a, b, .. } => (Some(to), vec![a, b]),
        Instruction::JumpIfZero { condition, .. } => (None, vec![condition]),
        Instruction::JumpUnless { a, b, .. } => (None, vec![a, b]),
        Instruction::Load { to, guarded } => (Some(to), of_cell(code, guarded)),
        Instruction::Store { from, guarded } => (None, [of_cell(code, guarded), vec![from]].concat()),
        Instruction::Assume(condition) | Instruction::Assert { condition, .. } => (None, vec![condition]),
        Instruction::Jump(_) | Instruction::Select { .. } | Instruction::End => (None, Vec::new()),
    }
}

fn of_cell(code: &Code, guarded: u32) -> Vec<Register> {
    let guarded = &code.guarded[guarded as usize];
    guarded.section.into_iter().chain([guarded.cells.index]).collect()
}

fn touched_by_operation(code: &Code, visible: &Visible) -> (Option<Register>, Vec<Register>) {
    let index = |cells: Cells| cells.index;
    let mut read = match visible.what {
        What::Plain(_) | What::Arrive { .. } => Vec::new(),
        What::Write(a) | What::PlainWrite(a) | What::FetchAdd(a) | What::Fetch(_, a) | What::Swap(a) | What::Add(a) => {
            vec![a]
        }
        What::AwaitEqual(a) | What::AwaitNotEqual(a) | What::Join(a) => vec![a],
        What::CompareExchange(a, b) => vec![a, b],
        What::Wait(cells) | What::Relock(cells) => vec![index(cells)],
        What::Send { number, .. } => vec![number],
        What::Receive(selection) | What::TryReceive(selection) => selection.number.into_iter().collect(),
        What::Pass { arrivals, .. } => vec![arrivals],
        What::Spawn { first_argument, arguments, .. } => {
            let first = first_argument as usize;
            code.arguments[first..first + usize::from(arguments)].to_vec()
        }
    };
    read.push(index(visible.object));
    let written = if matches!(visible.keep, Keep::Nothing) { None } else { Some(visible.result) };
    (written, read)
}
