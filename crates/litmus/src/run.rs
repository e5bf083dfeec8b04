//! The interpreter: one step performs a visible operation and computes on to the next.
//!
//! This is what every measurement of an algorithm is held against, so it does as little as it can: the pending
//! operation of a thread is worked out once, when the thread arrives at it; the state after the local computation at
//! the start of the program is kept and copied back by a restart, and so are states on the way (`kept.rs`); nothing is
//! allocated once every thread of the program has been seen.

mod kept;
mod threads;

use crate::code::{Cells, Guarded, Instruction, Keep, Selection, Visible, What};
use crate::program::LitmusProgram;
use crate::sketch::ObjectKind;
use kept::Kept;
use model::{
    Choice, Failure, FailureKind, Fingerprint, Guard, ObjectId, Op, OpKind, Outcome, Pattern, Pending, Run, Site,
    Stepped, Tag, Test, ThreadId, Update,
};
use objects::{Performed, World};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The most local instructions between two visible operations: more means that the thread never gets there.
const MOST_LOCAL_INSTRUCTIONS: u32 = 10_000_000;

/// Set in handles of spawned threads, so that they cannot be mistaken for the number of an initial thread.
const HANDLE: i64 = 1 << 40;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    /// Does not exist, has ended, failed or been cut.
    Gone,
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
    status: Status,
}

const NO_OP: Op = Op { kind: OpKind::Yield, object: ObjectId::NONE, site: Site::UNKNOWN };

const GONE: Thread = Thread { op: NO_OP, visible: 0, pc: 0, base: 0, registers: 0, spawned: 0, status: Status::Gone };

/// Where the program stands.
#[derive(Clone, Debug, Default)]
struct State {
    world: World,
    threads: Vec<Thread>,
    /// The registers of all threads that exist.
    registers: Vec<i64>,
    /// How many of them are in use.
    used: usize,
    cells: Vec<i64>,
    cut: bool,
}

impl State {
    /// Becomes what `other` was, without new allocations where there is room. Threads that `other` did not know are gone.
    fn copy_from(&mut self, other: &State) {
        self.world.copy_from(&other.world);
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
        self.cut = other.cut;
    }

    /// How much there is to copy.
    fn words(&self) -> usize {
        let of_threads = self.threads.len() * size_of::<Thread>() / size_of::<u64>();
        of_threads + self.used + self.cells.len() + self.world.objects()
    }
}

/// A run of a [`LitmusProgram`].
#[derive(Debug)]
pub struct LitmusRun<'p> {
    program: &'p LitmusProgram,
    now: State,
    /// The state before the first step.
    start: State,
    kept: Kept,
    /// The children that each thread had in any run so far, in the order in which it creates them.
    children: Vec<Vec<ThreadId>>,
}

impl<'p> LitmusRun<'p> {
    pub(crate) fn new(program: &'p LitmusProgram) -> Self {
        let code = program.code();
        let mut now = State { cells: code.cells.clone(), threads: vec![GONE; code.initial.len()], ..State::default() };
        now.world.reset(&code.words);
        let (start, kept, children) = (State::default(), Kept::NONE, vec![Vec::new(); code.initial.len()]);
        let mut run = LitmusRun { program, now, start, kept, children };
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
            state.op = Op { site: self.program.code().sites_of[state.pc as usize], ..NO_OP };
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
                    Ok(cell) => now.cells[cell] = r[from as usize],
                    Err(problem) => break problem,
                },
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
                    state.status = Status::Gone;
                    now.world.end(thread);
                    return Ok(());
                }
            }
            pc += 1;
        };
        state.status = Status::Gone;
        state.pc = pc as u32;
        Err(problem)
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
    fn keep(
        &mut self,
        thread: ThreadId,
        visible: &Visible,
        performed: &Performed,
        alternative: u32,
    ) -> Option<ThreadId> {
        let Performed { before, received, .. } = *performed;
        let refused = performed.outcome == Outcome::Refused;
        let place = self.now.threads[thread.index()].base as usize + usize::from(visible.result);
        self.now.registers[place] = match visible.keep {
            Keep::Nothing => return None,
            Keep::Before => before as i64,
            Keep::Success => i64::from(!refused),
            Keep::Message => {
                if refused {
                    -1
                } else {
                    received as i64
                }
            }
            Keep::Alternative => i64::from(alternative),
            Keep::WasLast { parties, arrivals } => {
                let base = self.now.threads[thread.index()].base as usize;
                let arrivals = self.now.registers[base + usize::from(arrivals)];
                i64::from(arrivals % i64::from(parties) == i64::from(parties) - 1)
            }
            Keep::Child => {
                let child = self.spawn(thread, visible.what);
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

impl LitmusRun<'_> {
    /// A thread is the place that it has reached, its registers, and how many threads it has created.
    fn hash_state(&self, hasher: &mut DefaultHasher) {
        let now = &self.now;
        let is_mailbox = |object| self.program.object_kind(object) == ObjectKind::Mailbox;
        now.world.hash_state(is_mailbox, hasher);
        now.cells.hash(hasher);
        now.cut.hash(hasher);
        for (number, thread) in now.threads.iter().enumerate() {
            let Thread { pc, base, registers, spawned, status, .. } = *thread;
            if status != Status::Gone {
                let registers = &now.registers[base as usize..][..registers as usize];
                (number, pc, spawned, status == Status::Stillborn, registers).hash(hasher);
            }
        }
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

/// The operation as it is asked for.
#[inline]
fn resolve(visible: &Visible, r: &[i64], initial: usize) -> Result<Op, Problem> {
    let word = |register: u16| r[register as usize] as u64;
    let kind = match visible.what {
        What::Plain(kind) => kind,
        What::Write(value) => OpKind::Write(word(value)),
        What::PlainWrite(value) => OpKind::PlainWrite(word(value)),
        What::FetchAdd(by) => OpKind::ReadModifyWrite(Update::FetchAdd(word(by))),
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

impl Run for LitmusRun<'_> {
    fn restart(&mut self) {
        self.kept.forget();
        self.now.copy_from(&self.start);
    }

    fn rewind(&mut self, steps: usize) -> usize {
        let (kept, state) = self.kept.go_back(steps, &self.start);
        self.now.copy_from(state.unwrap_or(&self.start));
        kept
    }

    fn threads(&self) -> usize {
        self.now.threads.len()
    }

    #[inline]
    fn pending(&self, thread: ThreadId) -> Option<Pending> {
        let state = self.now.threads.get(thread.index())?;
        if state.status == Status::Gone {
            return None;
        }
        let op = state.op;
        let enabled = self.now.world.enabled(thread, &op);
        Some(Pending { thread, op, enabled, alternatives: self.now.world.alternatives(&op), guard: Guard::NONE })
    }

    fn step(&mut self, choice: Choice) -> Option<Stepped> {
        let Choice { thread, alternative } = choice;
        let now = &mut self.now;
        let state = now.threads.get(thread.index())?;
        let possible = state.status != Status::Gone
            && now.world.enabled(thread, &state.op)
            && (alternative == 0 || alternative < now.world.alternatives(&state.op));
        if !possible {
            return None;
        }
        self.kept.note_step(now);
        if state.status == Status::Stillborn {
            let op = state.op;
            let failure = self.advance(thread).err().map(|problem| self.failure(thread, problem));
            return Some(Stepped { op, outcome: Outcome::Done, before: 0, after: 0, failure });
        }
        let performed = now.world.perform(thread, &state.op, alternative);
        let Performed { mut outcome, before, after, .. } = performed;
        let op = state.op;
        if performed.misuse.is_some() {
            now.threads[thread.index()].status = Status::Gone;
            return Some(Stepped { op, outcome, before, after, failure: performed.misuse });
        }
        let visible = &self.program.code().visibles[state.visible as usize];
        if let Some(child) = self.keep(thread, visible, &performed, alternative) {
            outcome = Outcome::Spawned(child);
        }
        let failure = self.advance(thread).err().map(|problem| self.failure(thread, problem));
        Some(Stepped { op, outcome, before, after, failure })
    }

    fn is_cut(&self) -> bool {
        self.now.cut
    }

    fn whole_state(&self) -> Option<u128> {
        let [low, high] = ["low", "high"].map(|half| {
            let mut hasher = DefaultHasher::default();
            half.hash(&mut hasher);
            self.hash_state(&mut hasher);
            u128::from(hasher.finish())
        });
        Some(high << 64 | low)
    }

    fn word(&self, object: ObjectId) -> model::State {
        self.now.world.word(object)
    }

    fn local_state(&self, thread: ThreadId) -> Option<Fingerprint> {
        let state = self.now.threads.get(thread.index()).filter(|state| state.status == Status::Live)?;
        let live = &self.program.code().live[state.visible as usize];
        let registers = live.iter().map(|&register| self.now.registers[state.base as usize + usize::from(register)]);
        let place = [u64::from(state.visible), u64::from(state.spawned)];
        Some(Fingerprint::of(place.into_iter().chain(registers.map(|register| register as u64))))
    }
}
