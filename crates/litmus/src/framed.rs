//! A program as Dpu sees it: the start and the end of a thread are steps of their own, a critical section is a lock and an
//! unlock, and one thread creates all others.

use crate::error::BuildError;
use crate::program::LitmusProgram;
use crate::sketch::{Body, Sketch, Spawned, Statement, Thread};
use model::{Choice, Guard, Names, ObjectId, Op, OpKind, Outcome, Pending, Program, Run, Stepped, ThreadId};

/// See the head of this file.
pub struct Framed {
    program: LitmusProgram,
}

impl Framed {
    /// The same program, framed.
    pub fn new(program: &LitmusProgram) -> Result<Self, BuildError> {
        Ok(Framed { program: LitmusProgram::new(with_main(program.sketch()))? })
    }
}

/// The threads of a program become children of one, unless there is but one.
fn with_main(sketch: &Sketch) -> Sketch {
    if sketch.threads.len() == 1 {
        return sketch.clone();
    }
    let spawn = |thread: &Thread| Statement::Spawn { handle: None, what: Spawned::Inline(thread.body.clone()) };
    let body = Body { locals: Vec::new(), block: sketch.threads.iter().map(spawn).collect() };
    Sketch { threads: vec![Thread { name: Some("main".to_owned()), body }], ..sketch.clone() }
}

impl Program for Framed {
    fn start(&self) -> Box<dyn Run + '_> {
        let mut run = FramedRun { run: self.program.start(), threads: Vec::new(), held: Vec::new() };
        run.reset();
        Box::new(run)
    }

    fn names(&self) -> &dyn Names {
        self.program.names()
    }
}

/// Where a thread is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Absent,
    Starts,
    Runs,
    /// In a critical section, which it leaves by this.
    Unlocks(Op),
    Exits,
    Gone,
}

struct FramedRun<'p> {
    run: Box<dyn Run + 'p>,
    threads: Vec<Phase>,
    /// The mutexes of the sections that threads are in.
    held: Vec<ObjectId>,
}

impl FramedRun<'_> {
    fn reset(&mut self) {
        self.held.clear();
        self.threads.clear();
        for thread in 0..self.run.threads() as u32 {
            let exists = self.run.pending(ThreadId(thread)).is_some();
            self.threads.push(if exists { Phase::Starts } else { Phase::Absent });
        }
    }

    fn phase(&self, thread: ThreadId) -> Phase {
        self.threads.get(thread.index()).copied().unwrap_or(Phase::Absent)
    }

    fn set(&mut self, thread: ThreadId, phase: Phase) {
        if self.threads.len() <= thread.index() {
            self.threads.resize(thread.index() + 1, Phase::Absent);
        }
        self.threads[thread.index()] = phase;
    }

    /// Where a thread is that has done what it was about to do.
    fn next_phase(&self, thread: ThreadId) -> Phase {
        if self.run.pending(thread).is_some() { Phase::Runs } else { Phase::Exits }
    }

    /// The operation that is pending in the program itself.
    fn inner(&self, thread: ThreadId) -> Option<Pending> {
        let mut pending = self.run.pending(thread)?;
        match pending.op.kind {
            OpKind::Section => pending.op.kind = OpKind::Lock,
            OpKind::Join(other) => pending.enabled = self.phase(other) == Phase::Gone,
            _ => {}
        }
        pending.enabled &= !self.held.contains(&pending.op.object);
        Some(pending)
    }

    fn step_inner(&mut self, choice: Choice) -> Option<Stepped> {
        let thread = choice.thread;
        let is_section = self.run.pending(thread)?.op.kind == OpKind::Section;
        let mut stepped = self.run.step(choice)?;
        if let Outcome::Spawned(child) = stepped.outcome {
            self.set(child, Phase::Starts);
        }
        let mut next = if stepped.failure.is_some() { Phase::Gone } else { self.next_phase(thread) };
        if is_section {
            stepped.op.kind = OpKind::Lock;
            stepped.after = objects::apply(OpKind::Lock, Outcome::Done, stepped.before, thread);
            if stepped.failure.is_none() {
                self.held.push(stepped.op.object);
                next = Phase::Unlocks(Op { kind: OpKind::Unlock, ..stepped.op });
            }
        }
        self.set(thread, next);
        Some(stepped)
    }
}

impl Run for FramedRun<'_> {
    fn restart(&mut self) {
        self.run.restart();
        self.reset();
    }

    fn objects_have_lives(&self) -> bool {
        self.run.objects_have_lives()
    }

    fn threads(&self) -> usize {
        self.run.threads()
    }

    fn pending(&self, thread: ThreadId) -> Option<Pending> {
        let op = match self.phase(thread) {
            Phase::Absent | Phase::Gone => return None,
            Phase::Runs => return self.inner(thread),
            Phase::Starts | Phase::Exits => NOTHING,
            Phase::Unlocks(op) => op,
        };
        Some(Pending {
            thread,
            op,
            enabled: true,
            alternatives: 1,
            guard: Guard::NONE,
            transition: 0,
            is_of_several: false,
        })
    }

    fn step(&mut self, choice: Choice) -> Option<Stepped> {
        let thread = choice.thread;
        let Pending { op, .. } = self.pending(thread).filter(|pending| pending.enabled)?;
        let stepped = Stepped { op, outcome: Outcome::Done, before: 0, after: 0, failure: None };
        match self.phase(thread) {
            Phase::Runs => return self.step_inner(choice),
            Phase::Unlocks(op) => {
                self.held.retain(|&mutex| mutex != op.object);
                self.set(thread, self.next_phase(thread));
                let before = objects::apply(OpKind::Lock, Outcome::Done, 0, thread);
                return Some(Stepped { before, ..stepped });
            }
            Phase::Starts => self.set(thread, self.next_phase(thread)),
            _ => self.set(thread, Phase::Gone),
        }
        Some(stepped)
    }

    fn is_cut(&self) -> bool {
        self.run.is_cut()
    }
}

const NOTHING: Op = Op { kind: OpKind::Yield, object: ObjectId::NONE, site: model::Site::UNKNOWN };
