//! The interpreter: threads compute on from one visible operation to the next.
//!
//! This is what every measurement of an algorithm is held against, so it does as little as it can: the pending
//! operation of a thread is worked out once, when the thread arrives at it; the state after the local computation at
//! the start of the program is kept and copied back by a restart; nothing is allocated once every thread of the
//! program has been seen.

mod past;
mod threads;

use crate::code::{Cells, Guarded, Instruction, Keep, Selection, Visible, What};
use crate::program::LitmusProgram;
use model::{Answer, Failure, FailureKind, ObjectId, Op, OpKind, Outcome, Pattern, Tag, Test, ThreadId, Update, Width};
use past::Past;

/// The most local instructions between two visible operations: more means that the thread never gets there.
const MOST_LOCAL_INSTRUCTIONS: u32 = 10_000_000;

/// Set in handles of spawned threads, so that they cannot be mistaken for the number of an initial thread.
const HANDLE: i64 = 1 << 40;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    /// Does not exist, failed or was cut.
    Gone,
    /// Came to its end.
    Ended,
    /// Has a pending operation.
    Live,
    /// Failed before its first operation, and will say so when it takes its first step.
    Stillborn,
}

#[derive(Clone, Copy, Debug)]
struct Thread {
    op: Op,
    /// Which [`Visible`] `op` is of.
    visible: u32,
    /// The instruction after it.
    pc: u32,
    /// Where its registers start.
    base: u32,
    registers: u32,
    spawned: u32,
    /// How many operations it asks for, where it waits at a selection; otherwise 0.
    arms: u16,
    status: Status,
}

/// One of the operations that a thread at a selection asks for, and where its arm starts.
#[derive(Clone, Copy, Debug)]
struct Arm {
    thread: ThreadId,
    op: Op,
    entry: u32,
}

const GONE: Thread =
    Thread { op: Op::NONE, visible: 0, pc: 0, base: 0, registers: 0, spawned: 0, arms: 0, status: Status::Gone };

/// Where the program stands.
#[derive(Clone, Debug, Default)]
pub struct State {
    threads: Vec<Thread>,
    /// The registers of all threads that exist.
    registers: Vec<i64>,
    /// How many of them are in use.
    used: usize,
    cells: Vec<i64>,
    /// Of all threads that wait at selections, those of one in their order.
    arms: Vec<Arm>,
    cut: bool,
}

impl State {
    /// Becomes what `other` was, without new allocations where there is room. Threads that `other` did not know are gone.
    fn copy_from(&mut self, other: &State) {
        if self.threads.len() < other.threads.len() {
            self.threads.resize(other.threads.len(), GONE);
        }
        let (known, others) = self.threads.split_at_mut(other.threads.len());
        known.copy_from_slice(&other.threads);
        others.fill(GONE);
        if self.registers.len() < other.used {
            self.registers.resize(other.used, 0);
        }
        self.registers[..other.used].copy_from_slice(&other.registers[..other.used]);
        self.used = other.used;
        self.cells.clone_from(&other.cells);
        self.arms.clone_from(&other.arms);
        self.cut = other.cut;
    }
}

/// The threads of a [`LitmusProgram`].
#[derive(Debug)]
pub struct LitmusThreads<'p> {
    program: &'p LitmusProgram,
    now: State,
    /// The state before the first step.
    start: State,
    past: Past,
    /// The children that each thread had in any run so far, in the order in which it creates them.
    children: Vec<Vec<ThreadId>>,
}

impl<'p> LitmusThreads<'p> {
    pub(crate) fn new(program: &'p LitmusProgram) -> Self {
        let code = program.code();
        let now = State { cells: code.cells.clone(), threads: vec![GONE; code.initial.len()], ..State::default() };
        let children = vec![Vec::new(); code.initial.len()];
        let mut run = LitmusThreads { program, now, start: State::default(), past: Past::default(), children };
        for (nth, &body) in code.initial.iter().enumerate() {
            run.create(ThreadId(nth as u32), body);
            run.begin(ThreadId(nth as u32));
        }
        run.start = run.now.clone();
        run
    }

    /// Gives a thread the registers and the entry of its body.
    fn create(&mut self, thread: ThreadId, body: usize) {
        let body = &self.program.code().bodies[body];
        let now = &mut self.now;
        let base = now.used;
        now.used += body.registers.len();
        if now.registers.len() < now.used {
            now.registers.resize(now.used, 0);
        }
        now.registers[base..now.used].copy_from_slice(&body.registers);
        let registers = body.registers.len() as u32;
        now.threads[thread.index()] =
            Thread { pc: body.entry, base: base as u32, registers, status: Status::Live, ..GONE };
    }

    /// The local computation of a new thread up to its first operation.
    fn begin(&mut self, thread: ThreadId) {
        if self.advance(thread).is_err() {
            let state = &mut self.now.threads[thread.index()];
            state.status = Status::Stillborn;
            state.op = Op { site: self.program.code().sites_of[state.pc as usize], ..Op::NONE };
        }
    }

    /// Computes on to the next visible operation or the end. On failure the thread is gone and its `pc` is at the
    /// instruction that failed.
    fn advance(&mut self, thread: ThreadId) -> Result<(), Problem> {
        let code = self.program.code();
        let now = &mut self.now;
        let state = &mut now.threads[thread.index()];
        let base = state.base as usize;
        let r = &mut now.registers[base..base + state.registers as usize];
        let mut pc = state.pc as usize;
        let mut left = MOST_LOCAL_INSTRUCTIONS;
        let problem = loop {
            match code.instructions[pc] {
                Instruction::Visible(number) => {
                    let visible = &code.visibles[number as usize];
                    match resolve(visible, r, code.initial.len()) {
                        Ok(op) => state.op = op,
                        Err(problem) => break problem,
                    }
                    state.visible = number;
                    state.pc = pc as u32 + 1;
                    return Ok(());
                }
                Instruction::Copy { to, from } => r[to as usize] = r[from as usize],
                Instruction::Not { to, from } => r[to as usize] = i64::from(r[from as usize] == 0),
                Instruction::Negate { to, from } => r[to as usize] = r[from as usize].wrapping_neg(),
                Instruction::Binary { op, to, a, b } => match op.apply(r[a as usize], r[b as usize]) {
                    Some(value) => r[to as usize] = value,
                    None => break Problem::Division,
                },
                Instruction::Jump(to) => {
                    pc = to as usize;
                    left -= 1;
                    if left == 0 {
                        break Problem::Endless;
                    }
                    continue;
                }
                Instruction::JumpIfZero { condition, to } => {
                    if r[condition as usize] == 0 {
                        pc = to as usize;
                        continue;
                    }
                }
                Instruction::JumpUnless { op, a, b, to } => {
                    if op.apply(r[a as usize], r[b as usize]) == Some(0) {
                        pc = to as usize;
                        continue;
                    }
                }
                Instruction::Load { to, guarded } => match cell(&code.guarded[guarded as usize], r) {
                    Ok(cell) => r[to as usize] = now.cells[cell],
                    Err(problem) => break problem,
                },
                Instruction::Store { from, guarded } => match cell(&code.guarded[guarded as usize], r) {
                    Ok(cell) => {
                        self.past.note_cell(cell, now.cells[cell]);
                        now.cells[cell] = r[from as usize];
                    }
                    Err(problem) => break problem,
                },
                Instruction::Select { first, count } => {
                    state.pc = pc as u32;
                    return self.ask_for_each(thread, first, count);
                }
                Instruction::Assume(condition) => {
                    if r[condition as usize] == 0 {
                        state.status = Status::Gone;
                        now.cut = true;
                        return Ok(());
                    }
                }
                Instruction::Assert { condition, message } => {
                    if r[condition as usize] == 0 {
                        break Problem::Assertion(message);
                    }
                }
                Instruction::End => {
                    state.status = Status::Ended;
                    return Ok(());
                }
            }
            pc += 1;
        };
        state.status = Status::Gone;
        state.pc = pc as u32;
        if !now.arms.is_empty() {
            now.arms.retain(|arm| arm.thread != thread);
        }
        Err(problem)
    }

    /// A thread has come to a selection: it asks for the first operation of each arm.
    fn ask_for_each(&mut self, thread: ThreadId, first: u32, count: u16) -> Result<(), Problem> {
        let at = self.now.threads[thread.index()].pc;
        let program = self.program;
        for &entry in &program.code().arms[first as usize..][..usize::from(count)] {
            self.now.threads[thread.index()].pc = entry;
            self.advance(thread)?;
            let op = self.now.threads[thread.index()].op;
            self.now.arms.push(Arm { thread, op, entry });
        }
        let op = self.arms_of(thread).next().map_or(Op::NONE, |arm| arm.op);
        let state = &mut self.now.threads[thread.index()];
        (state.pc, state.arms, state.op) = (at, count, op);
        Ok(())
    }

    fn arms_of(&self, thread: ThreadId) -> impl Iterator<Item = &Arm> {
        self.now.arms.iter().filter(move |arm| arm.thread == thread)
    }

    /// A thread that waits at a selection goes into this arm, up to its first operation.
    fn enter_arm(&mut self, thread: ThreadId, number: u16) {
        let Some(&Arm { entry, .. }) = self.arms_of(thread).nth(usize::from(number)) else { return };
        self.now.arms.retain(|arm| arm.thread != thread);
        let state = &mut self.now.threads[thread.index()];
        (state.pc, state.arms) = (entry, 0);
        let came = self.advance(thread);
        debug_assert!(came.is_ok(), "it came there before, with the same registers");
    }

    /// What to tell of a thread that [`advance`](Self::advance) said this of.
    #[cold]
    fn failure(&self, thread: ThreadId, problem: Problem) -> Box<Failure> {
        let code = self.program.code();
        let (kind, message) = match problem {
            Problem::Assertion(message) => (FailureKind::Assertion, code.messages[message as usize].as_str()),
            Problem::Division => (FailureKind::Misuse, "division by zero"),
            Problem::Index => (FailureKind::Misuse, "an index out of range"),
            Problem::Handle => (FailureKind::Misuse, "a join of what is no thread"),
            Problem::Number => (FailureKind::Misuse, "the number of a message is below 0 or above 4294967295"),
            Problem::Guard => {
                (FailureKind::Misuse, "a guarded cell was touched in the section of another cell's mutex")
            }
            Problem::Endless => {
                (FailureKind::Misuse, "the thread computes on without ever reaching a visible operation")
            }
        };
        let pc = self.now.threads[thread.index()].pc as usize;
        Box::new(Failure { kind, message: message.to_owned(), site: code.sites_of[pc] })
    }

    /// Puts the result of an operation where it goes. Says which thread it created.
    #[inline]
    fn keep(&mut self, thread: ThreadId, visible: &Visible, answer: &Answer) -> Option<ThreadId> {
        let refused = answer.outcome == Outcome::Refused;
        let place = self.now.threads[thread.index()].base as usize + usize::from(visible.result);
        self.now.registers[place] = match visible.keep {
            Keep::Nothing => return None,
            Keep::Message if refused => -1,
            Keep::Before | Keep::Message => answer.before as i64,
            Keep::Success => i64::from(!refused),
            Keep::Alternative => i64::from(answer.alternative),
            Keep::WasLast { parties, arrivals } => {
                let base = self.now.threads[thread.index()].base as usize;
                let arrivals = self.now.registers[base + usize::from(arrivals)];
                i64::from(arrivals % i64::from(parties) == i64::from(parties) - 1)
            }
            Keep::Child => {
                let child = self.spawn(thread, visible.what);
                self.past.note_child(child);
                self.now.registers[place] = HANDLE | i64::from(child.0);
                return Some(child);
            }
        };
        None
    }

    #[inline(never)]
    fn spawn(&mut self, parent: ThreadId, what: What) -> ThreadId {
        let What::Spawn { body, first_argument, arguments } = what else { unreachable!("{what:?} creates no thread") };
        let nth = self.now.threads[parent.index()].spawned;
        self.now.threads[parent.index()].spawned += 1;
        let child = match self.children[parent.index()].get(nth as usize) {
            Some(&child) => child,
            None => self.meet(parent, nth, body),
        };
        self.create(child, body as usize);
        let from = self.now.threads[parent.index()].base as usize;
        let to = self.now.threads[child.index()].base as usize;
        for i in 0..usize::from(arguments) {
            let register = self.program.code().arguments[first_argument as usize + i];
            // The parameters are the first locals, which come after the register that is always 0.
            self.now.registers[to + 1 + i] = self.now.registers[from + usize::from(register)];
        }
        self.begin(child);
        child
    }

    /// A child that this run has not seen before.
    #[cold]
    fn meet(&mut self, parent: ThreadId, nth: u32, body: u32) -> ThreadId {
        let child = self.program.child(parent, nth, body);
        self.children[parent.index()].push(child);
        if self.now.threads.len() <= child.index() {
            self.now.threads.resize(child.index() + 1, GONE);
            self.children.resize(child.index() + 1, Vec::new());
        }
        child
    }
}

/// Why local computation failed; small, because it is returned by every step.
#[derive(Clone, Copy, Debug)]
enum Problem {
    /// With this of the code's messages.
    Assertion(u32),
    Division,
    Index,
    Handle,
    Number,
    Guard,
    Endless,
}

/// The numbers of variables.
const WHOLE: Width = Width { bits: 64, signed: true };

/// The operation as it is asked for.
#[inline]
fn resolve(visible: &Visible, r: &[i64], initial: usize) -> Result<Op, Problem> {
    let word = |register: u16| r[register as usize] as u64;
    let kind = match visible.what {
        What::Plain(kind) => kind,
        What::Write(value) => OpKind::Write(word(value)),
        What::PlainWrite(value) => OpKind::PlainWrite(word(value)),
        What::FetchAdd(by) => OpKind::ReadModifyWrite(Update::FetchAdd(word(by))),
        What::Fetch(function, operand) => {
            OpKind::ReadModifyWrite(Update::Fetch { function, width: WHOLE, operand: word(operand) })
        }
        What::Swap(new) => OpKind::ReadModifyWrite(Update::Swap(word(new))),
        What::CompareExchange(expected, new) => OpKind::CompareExchange { expected: word(expected), new: word(new) },
        What::Add(by) => OpKind::Add(word(by)),
        What::AwaitEqual(value) => OpKind::Await(Test::Equal(word(value))),
        What::AwaitNotEqual(value) => OpKind::Await(Test::NotEqual(word(value))),
        What::Wait(mutex) => OpKind::Wait { mutex: ObjectId(element(mutex, r)?) },
        What::Relock(condvar) => OpKind::Relock { condvar: ObjectId(element(condvar, r)?) },
        What::Send { kind, number } => {
            OpKind::Send { tag: tag(kind, r[number as usize]).ok_or(Problem::Number)?, value: word(number) }
        }
        What::Receive(selection) => OpKind::Receive(pattern(selection, r)?),
        What::TryReceive(selection) => OpKind::TryReceive(pattern(selection, r)?),
        What::Arrive { parties, ordered } => OpKind::Arrive { parties, ordered },
        What::Pass { parties, arrivals } => {
            OpKind::Pass { parties, generation: (word(arrivals) / u64::from(parties)) as u32 }
        }
        What::Spawn { .. } => OpKind::Spawn,
        What::Join(handle) => OpKind::Join(joined(r[handle as usize], initial)?),
    };
    Ok(Op { kind, object: ObjectId(element(visible.object, r)?), site: visible.site })
}

/// A message's number is its key too, so that it can be selected by it.
fn tag(kind: u8, number: i64) -> Option<Tag> {
    Tag::new(kind, u32::try_from(number).ok()?)
}

fn pattern(selection: Selection, r: &[i64]) -> Result<Pattern, Problem> {
    let Some(number) = selection.number else { return Ok(selection.kinds) };
    let key = u32::try_from(r[number as usize]).map_err(|_| Problem::Number)?;
    Ok(selection.kinds.with_key(key))
}

#[inline]
fn element(cells: Cells, r: &[i64]) -> Result<u32, Problem> {
    let index = r[cells.index as usize];
    if (index as u64) < u64::from(cells.len) { Ok(cells.first + index as u32) } else { Err(Problem::Index) }
}

fn joined(handle: i64, initial: usize) -> Result<ThreadId, Problem> {
    let is_initial = (0..initial as i64).contains(&handle);
    let is_spawned = handle & !i64::from(u32::MAX) == HANDLE;
    if is_initial || is_spawned { Ok(ThreadId(handle as u32)) } else { Err(Problem::Handle) }
}

/// Which cell a guarded access touches.
#[inline]
fn cell(guarded: &Guarded, r: &[i64]) -> Result<usize, Problem> {
    let cell = element(guarded.cells, r)?;
    match guarded.section {
        Some(section) if r[section as usize] != r[guarded.cells.index as usize] => Err(Problem::Guard),
        _ => Ok(cell as usize),
    }
}
