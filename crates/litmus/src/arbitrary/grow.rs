//! From genes to a program: every gene finds what it needs, or is left out.

use super::gene::{Construct, Deed, Gene, Genes, Genome};
use crate::sketch::{
    Action, BinaryOp, Block, Body, Declaration, Expr, Local, ObjectKind, ObjectRef, Place, Sketch, Spawned, Statement,
    Thread,
};

/// About how many visible steps a program takes at most; exploring all interleavings of more is no longer quick.
const STEPS: u32 = 10;
/// How many of them a thread may take, so that the first does not take them all.
const STEPS_OF_THREAD: u32 = 5;

/// Few objects, so that threads meet.
const OBJECTS: [(&str, ObjectKind); 10] = [
    ("x", ObjectKind::Variable),
    ("y", ObjectKind::Variable),
    ("m", ObjectKind::Mutex),
    ("n", ObjectKind::Mutex),
    ("g", ObjectKind::Guarded { by: ObjectRef(M) }),
    ("l", ObjectKind::RwLock),
    ("c", ObjectKind::Condvar),
    ("s", ObjectKind::Semaphore),
    ("b", ObjectKind::Barrier { parties: 2 }),
    ("a", ObjectKind::Variable),
];
const M: u32 = 2;
const G: u32 = 4;
const L: u32 = 5;
const C: u32 = 6;
const S: u32 = 7;
const B: u32 = 8;
/// The array of two variables.
const A: u32 = 9;

pub(super) fn grow(genome: &Genome) -> Sketch {
    let declare = |&(name, kind): &(&str, ObjectKind)| Declaration {
        name: name.to_owned(),
        kind,
        size: (name == "a").then_some(2),
        initial: if kind == ObjectKind::Semaphore { vec![genome.count] } else { Vec::new() },
    };
    let mut steps = STEPS;
    let mut threads = Vec::new();
    for genes in &genome.threads {
        let mut left = STEPS_OF_THREAD.min(steps);
        let given = left;
        let body = Body::grow(genes, &mut left);
        steps -= given - left;
        threads.push(Thread { name: None, body });
    }
    Sketch { objects: OBJECTS.iter().map(declare).collect(), templates: Vec::new(), threads }
}

impl Body {
    fn grow(genes: &[Gene], steps: &mut u32) -> Body {
        let mut body = Growing { locals: Vec::new(), values: Vec::new(), handles: Vec::new(), steps };
        let block = body.block(genes);
        Body { locals: body.locals, block }
    }
}

/// A body being grown.
struct Growing<'s> {
    locals: Vec<String>,
    /// Locals with values read or chosen.
    values: Vec<Local>,
    /// Locals with handles of threads.
    handles: Vec<Local>,
    /// How many visible steps are left.
    steps: &'s mut u32,
}

impl Growing<'_> {
    fn block(&mut self, genes: &[Gene]) -> Block {
        let mut block = Vec::new();
        for gene in genes {
            self.gene(gene, &mut block);
        }
        block
    }

    /// Takes so many steps from those left, if there are enough.
    fn take(&mut self, steps: u32) -> bool {
        let enough = *self.steps >= steps;
        if enough {
            *self.steps -= steps;
        }
        enough
    }

    fn fresh(&mut self) -> Local {
        self.locals.push(format!("r{}", self.locals.len()));
        Local(self.locals.len() as u32 - 1)
    }

    fn operand(&self, genes: &Genes) -> Expr {
        match self.values.len() {
            n if n > 0 && genes.use_local => Expr::Local(self.values[usize::from(genes.local) % n]),
            _ => Expr::Number(genes.number.into()),
        }
    }

    /// A comparison of some value with a number, or a constant where there is no value yet.
    fn condition(&self, genes: &Genes) -> Expr {
        if self.values.is_empty() {
            return Expr::Number(i64::from(genes.number > 0));
        }
        let value = self.values[usize::from(genes.local) % self.values.len()];
        let operators = [BinaryOp::Equal, BinaryOp::NotEqual, BinaryOp::Less, BinaryOp::AtLeast];
        let op = operators[usize::from(genes.comparison) % operators.len()];
        Expr::Binary(op, Box::new(Expr::Local(value)), Box::new(Expr::Number(genes.number.into())))
    }

    fn gene(&mut self, gene: &Gene, block: &mut Block) {
        match gene {
            Gene::Leaf(deed, genes) => self.leaf(*deed, genes, block),
            Gene::Around { keep: false, inside, .. } => block.extend(self.block(inside)),
            Gene::Around { construct, genes, inside, otherwise, .. } => {
                self.construct(*construct, genes, inside, otherwise, block);
            }
        }
    }

    fn construct(&mut self, construct: Construct, genes: &Genes, inside: &[Gene], other: &[Gene], block: &mut Block) {
        match construct {
            Construct::If => {
                let condition = self.condition(genes);
                let before = *self.steps;
                let then = self.block(inside);
                let after = std::mem::replace(self.steps, before);
                let otherwise = self.block(other);
                *self.steps = after.min(*self.steps);
                block.push(Statement::If(condition, then, otherwise));
            }
            Construct::Repeat => {
                let rounds = 2;
                let mut share = *self.steps / rounds;
                let given = share;
                let counter = self.fresh();
                block.push(Statement::Set(counter, Expr::Number(0)));
                let is = |op, number: u32| {
                    Expr::Binary(op, Box::new(Expr::Local(counter)), Box::new(Expr::Number(number.into())))
                };
                let mut body = vec![Statement::If(is(BinaryOp::AtLeast, rounds), vec![Statement::Break], Vec::new())];
                std::mem::swap(self.steps, &mut share);
                body.extend(self.block(inside));
                std::mem::swap(self.steps, &mut share);
                *self.steps -= (given - share) * rounds;
                body.push(Statement::Set(counter, is(BinaryOp::Add, 1)));
                block.push(Statement::Loop(body));
            }
            Construct::Spawn if self.take(1) => {
                let body = Body::grow(inside, self.steps);
                let handle = self.fresh();
                self.handles.push(handle);
                block.push(Statement::Spawn { handle: Some(handle), what: Spawned::Inline(body) });
            }
            Construct::Locked => {
                let mutex = M + u32::from(genes.object % 2);
                self.between(Action::Lock, Action::Unlock, mutex, inside, block);
            }
            Construct::ReadLocked => self.between(Action::ReadLock, Action::ReadUnlock, L, inside, block),
            Construct::WriteLocked => self.between(Action::WriteLock, Action::WriteUnlock, L, inside, block),
            Construct::Spawn => {}
        }
    }

    fn between(&mut self, first: Action, last: Action, object: u32, inside: &[Gene], block: &mut Block) {
        let enough = self.take(2);
        if enough {
            block.push(act(first, at(object)));
        }
        block.extend(self.block(inside));
        if enough {
            block.push(act(last, at(object)));
        }
    }

    fn leaf(&mut self, deed: Deed, genes: &Genes, block: &mut Block) {
        if !self.take(cost(deed)) {
            return;
        }
        let operand = self.operand(genes);
        let statement = match deed {
            Deed::Read => return self.act_for(Action::Read, variable(genes), block),
            Deed::Write => act(Action::Write(operand), variable(genes)),
            Deed::FetchAdd => return self.act_for(Action::FetchAdd(operand), variable(genes), block),
            Deed::Swap => return self.act_for(Action::Swap(operand), variable(genes), block),
            Deed::CompareExchange => {
                let new = Expr::Number(i64::from(genes.comparison));
                return self.act_for(Action::CompareExchange(operand, new), variable(genes), block);
            }
            Deed::Add => act(Action::Add(operand), variable(genes)),
            Deed::AwaitEqual => return self.act_for(Action::AwaitEqual(operand), variable(genes), block),
            Deed::AwaitNotEqual => return self.act_for(Action::AwaitNotEqual(operand), variable(genes), block),
            Deed::Lock => act(Action::Lock, mutex(genes)),
            Deed::TryLock => return self.act_for(Action::TryLock, mutex(genes), block),
            Deed::Unlock => act(Action::Unlock, mutex(genes)),
            Deed::Section => {
                let inside = self.section(genes, operand);
                Statement::Section(at(M), inside)
            }
            Deed::ReadLock => act(Action::ReadLock, at(L)),
            Deed::TryReadLock => return self.act_for(Action::TryReadLock, at(L), block),
            Deed::ReadUnlock => act(Action::ReadUnlock, at(L)),
            Deed::WriteLock => act(Action::WriteLock, at(L)),
            Deed::TryWriteLock => return self.act_for(Action::TryWriteLock, at(L), block),
            Deed::WriteUnlock => act(Action::WriteUnlock, at(L)),
            Deed::Wait => act(Action::Wait(at(M)), at(C)),
            Deed::NotifyOne => act(Action::NotifyOne, at(C)),
            Deed::NotifyAll => act(Action::NotifyAll, at(C)),
            Deed::Acquire => act(Action::Acquire, at(S)),
            Deed::TryAcquire => return self.act_for(Action::TryAcquire, at(S), block),
            Deed::Release => act(Action::Release, at(S)),
            Deed::Meet => act(Action::Meet, at(B)),
            Deed::Join => match self.handles.len() {
                // The number of an initial thread, perhaps its own.
                0 => Statement::Join(Expr::Number(i64::from(genes.object % 2))),
                n => Statement::Join(Expr::Local(self.handles[usize::from(genes.local) % n])),
            },
            Deed::Yield => Statement::Yield,
            Deed::Choose => {
                let result = self.fresh();
                self.values.push(result);
                Statement::Choose { result: Some(result), alternatives: 2 + u32::from(genes.object % 2) }
            }
            Deed::Assume => Statement::Assume(self.condition(genes)),
            Deed::Assert => Statement::Assert(self.condition(genes), "arbitrary".to_owned()),
            Deed::Exit => Statement::Exit,
        };
        block.push(statement);
    }

    fn act_for(&mut self, action: Action, place: Place, block: &mut Block) {
        let result = self.fresh();
        self.values.push(result);
        block.push(Statement::Act { result: Some(result), action, place });
    }

    /// The inside of a section: reads the guarded cell, writes it, or nothing.
    fn section(&mut self, genes: &Genes, operand: Expr) -> Block {
        let mut inside = Vec::new();
        match genes.comparison {
            0 => {}
            1 => self.act_for(Action::Read, at(G), &mut inside),
            2 => inside.push(act(Action::Write(operand), at(G))),
            _ => {
                let value = self.fresh();
                self.values.push(value);
                inside.push(Statement::Act { result: Some(value), action: Action::Read, place: at(G) });
                let more = Expr::Binary(BinaryOp::Add, Box::new(Expr::Local(value)), Box::new(Expr::Number(1)));
                inside.push(act(Action::Write(more), at(G)));
            }
        }
        inside
    }
}

/// How many visible steps a deed is.
fn cost(deed: Deed) -> u32 {
    match deed {
        Deed::Assume | Deed::Assert | Deed::Exit => 0,
        Deed::Wait | Deed::Meet => 2,
        _ => 1,
    }
}

fn at(object: u32) -> Place {
    Place { object: ObjectRef(object), index: None }
}

fn act(action: Action, place: Place) -> Statement {
    Statement::Act { result: None, action, place }
}

fn mutex(genes: &Genes) -> Place {
    at(M + u32::from(genes.object % 2))
}

/// Mostly `x`; `a` is indexed by a number here, as an index out of range would end most runs at once.
fn variable(genes: &Genes) -> Place {
    match genes.object {
        0 | 1 => at(0),
        2 => at(1),
        _ => Place { object: ObjectRef(A), index: Some(Expr::Number(i64::from(genes.number % 2))) },
    }
}
