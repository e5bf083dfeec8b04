//! From genes to a program: every gene finds what it needs, or is left out.

use super::gene::{Construct, Deed, Gene, Genes, Genome};
use crate::compile::can_begin_arm;
use crate::sketch::{
    Action, BinaryOp, Block, Body, Declaration, Expr, Local, ObjectKind, ObjectRef, Sketch, Spawned, Statement, Thread,
};
use model::{Order, Orders};

/// About how many visible steps a program of two, three or four threads takes at most, and how many of them one thread,
/// so that the first does not take them all. Exploring all interleavings of more is no longer quick.
const STEPS: [(u32, u32); 3] = [(12, 7), (11, 5), (10, 4)];

/// The same of large programs.
const STEPS_OF_LARGE: (u32, u32) = (24, 7);

/// Few objects, so that threads meet.
const OBJECTS: [(&str, ObjectKind); 17] = [
    ("x", ObjectKind::Variable),
    ("y", ObjectKind::Variable),
    ("m", ObjectKind::Mutex),
    ("n", ObjectKind::Mutex),
    ("g", ObjectKind::Guarded { by: ObjectRef(M as u32) }),
    ("l", ObjectKind::RwLock),
    ("c", ObjectKind::Condvar),
    ("s", ObjectKind::Semaphore),
    ("b", ObjectKind::Barrier { parties: 2 }),
    ("a", ObjectKind::Variable),
    ("p", ObjectKind::Mailbox),
    ("q", ObjectKind::Mailbox),
    ("d", ObjectKind::Barrier { parties: 3 }),
    ("k", ObjectKind::Latch),
    ("u", ObjectKind::Variable),
    ("z", ObjectKind::Region),
    ("h", ObjectKind::Guarded { by: ObjectRef(Z as u32) }),
];
pub(super) const X: usize = 0;
pub(super) const Y: usize = 1;
pub(super) const M: usize = 2;
pub(super) const G: usize = 4;
pub(super) const L: usize = 5;
pub(super) const C: usize = 6;
pub(super) const S: usize = 7;
pub(super) const B: usize = 8;
/// The array of two variables.
pub(super) const A: usize = 9;
pub(super) const P: usize = 10;
pub(super) const Q: usize = 11;
pub(super) const D: usize = 12;
pub(super) const K: usize = 13;
/// The variable that counts references.
pub(super) const U: usize = 14;
pub(super) const Z: usize = 15;
pub(super) const H: usize = 16;

pub(super) fn grow(genome: &Genome) -> Sketch {
    let mut shared = Shared { objects: Vec::new(), declared: [None; OBJECTS.len()], count: genome.count };
    let (mut steps, of_thread) = match genome.threads.len() {
        _ if genome.is_large => STEPS_OF_LARGE,
        threads => STEPS[threads.saturating_sub(2).min(STEPS.len() - 1)],
    };
    let mut threads = Vec::new();
    for genes in &genome.threads {
        let mut left = of_thread.min(steps);
        let given = left;
        let body = grow_body(genes.iter().flatten(), &mut left, &mut shared);
        steps -= given - left;
        threads.push(Thread { name: None, body });
    }
    Sketch { objects: shared.objects, templates: Vec::new(), threads }
}

fn grow_body<'g>(genes: impl IntoIterator<Item = &'g Gene>, steps: &mut u32, shared: &mut Shared) -> Body {
    let mut body = Growing {
        locals: Vec::new(),
        values: Vec::new(),
        handles: Vec::new(),
        held: Vec::new(),
        held_outside: 0,
        steps,
        shared,
    };
    let block = body.block(genes);
    Body { locals: body.locals, block }
}

/// The objects that are used so far.
pub(super) struct Shared {
    objects: Vec<Declaration>,
    declared: [Option<ObjectRef>; OBJECTS.len()],
    /// The initial count of what counts.
    count: i64,
}

impl Shared {
    /// One of [`OBJECTS`], declared when first used.
    pub(super) fn object(&mut self, number: usize) -> ObjectRef {
        if let Some(object) = self.declared[number] {
            return object;
        }
        let (name, mut kind) = OBJECTS[number];
        if let ObjectKind::Guarded { by } = &mut kind {
            *by = self.object(by.0 as usize);
        }
        let is_count = number == U || matches!(kind, ObjectKind::Semaphore | ObjectKind::Latch);
        let initial = if is_count { vec![self.count] } else { Vec::new() };
        let size = (number == A).then_some(2);
        self.objects.push(Declaration { name: name.to_owned(), kind, size, initial });
        let object = ObjectRef(self.objects.len() as u32 - 1);
        self.declared[number] = Some(object);
        object
    }
}

/// A body being grown.
pub(super) struct Growing<'s> {
    locals: Vec<String>,
    /// Locals with values read or chosen.
    pub(super) values: Vec<Local>,
    /// Locals with handles of threads.
    handles: Vec<Local>,
    /// The locks that are held, each with what releases it.
    held: Vec<(usize, Action)>,
    /// How many of them were acquired outside of the current block, which leaves them alone.
    held_outside: usize,
    /// How many visible steps are left.
    steps: &'s mut u32,
    pub(super) shared: &'s mut Shared,
}

impl Growing<'_> {
    /// Releases at its end what it acquired, so that no branch leaves a lock held that another does not.
    fn block<'g>(&mut self, genes: impl IntoIterator<Item = &'g Gene>) -> Block {
        let outside = std::mem::replace(&mut self.held_outside, self.held.len());
        let mut block = Vec::new();
        for gene in genes {
            self.gene(gene, &mut block);
        }
        while self.held.len() > self.held_outside {
            self.release(self.held.len() - 1, &mut block);
        }
        self.held_outside = outside;
        block
    }

    fn is_held(&self, object: usize) -> bool {
        self.held.iter().any(|&(held, _)| held == object)
    }

    /// Acquires a lock that is not held, with the step that will release it; releases one that is held.
    fn acquire_or_release(&mut self, object: usize, acquire: Action, release: Action, block: &mut Block) {
        match self.held.iter().position(|&(held, _)| held == object) {
            Some(place) if place >= self.held_outside => self.release(place, block),
            Some(_) => {}
            None if self.take(2) => {
                let place = self.at(object);
                block.push(self.act(acquire, place));
                self.held.push((object, release));
            }
            None => {}
        }
    }

    /// The step was taken into account when the lock was acquired.
    fn release(&mut self, place: usize, block: &mut Block) {
        let (object, release) = self.held.remove(place);
        let place = self.at(object);
        block.push(self.act(release, place));
    }

    /// Tries to acquire a lock, and releases it if that went well.
    fn try_and_release(&mut self, object: usize, acquire: Action, release: Action, block: &mut Block) {
        if !self.take(2) {
            return;
        }
        let place = self.at(object);
        block.push(self.act(acquire, place));
        let Some(&success) = self.values.last() else { return };
        let place = self.at(object);
        let release = self.act(release, place);
        block.push(Statement::If(Expr::Local(success), vec![release], Vec::new()));
    }

    /// Takes so many steps from those left, if there are enough.
    pub(super) fn take(&mut self, steps: u32) -> bool {
        let enough = *self.steps >= steps;
        if enough {
            *self.steps -= steps;
        }
        enough
    }

    pub(super) fn fresh(&mut self) -> Local {
        self.locals.push(format!("r{}", self.locals.len()));
        Local(self.locals.len() as u32 - 1)
    }

    pub(super) fn operand(&self, genes: &Genes) -> Expr {
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
                let body = grow_body(inside, self.steps, self.shared);
                let handle = self.fresh();
                self.handles.push(handle);
                block.push(Statement::Spawn { handle: Some(handle), what: Spawned::Inline(body) });
            }
            Construct::Select => {
                let arms = self.arms(inside, other);
                match arms.len() {
                    0 | 1 => block.extend(arms.into_iter().flatten()),
                    _ => block.push(Statement::Select(arms)),
                }
            }
            Construct::Locked => {
                let mutex = M + usize::from(genes.object % 2);
                self.between(Action::Lock, Action::Unlock, mutex, inside, block);
            }
            Construct::ReadLocked => self.between(Action::ReadLock, Action::ReadUnlock, L, inside, block),
            Construct::WriteLocked => self.between(Action::WriteLock, Action::WriteUnlock, L, inside, block),
            Construct::Spawn => {}
        }
    }

    /// Arms that begin as an arm may. The thread takes one of them, so that the longest counts.
    fn arms(&mut self, inside: &[Gene], other: &[Gene]) -> Vec<Block> {
        let given = *self.steps;
        let mut least = given;
        let mut arms = Vec::new();
        for gene in inside.iter().chain(other) {
            *self.steps = given;
            let before = (self.locals.len(), self.values.len(), self.handles.len());
            let arm = self.block([gene]);
            if arm.first().is_some_and(|first| can_begin_arm(&self.shared.objects, first)) {
                least = least.min(*self.steps);
                arms.push(arm);
            } else {
                // Nobody knows of what it would have set.
                self.locals.truncate(before.0);
                self.values.truncate(before.1);
                self.handles.truncate(before.2);
            }
        }
        *self.steps = least;
        arms
    }

    /// Inside, the lock is held and stays so; a lock that is held already is not acquired again.
    fn between(&mut self, first: Action, last: Action, object: usize, inside: &[Gene], block: &mut Block) {
        let acquired = !self.is_held(object) && self.take(2);
        if acquired {
            let place = self.at(object);
            block.push(self.act(first, place));
            self.held.push((object, last));
        }
        block.extend(self.block(inside));
        if acquired {
            self.release(self.held.len() - 1, block);
        }
    }

    fn leaf(&mut self, deed: Deed, genes: &Genes, block: &mut Block) {
        if genes.reckless {
            return self.leaf_as_it_is(deed, genes, block);
        }
        let mutex = M + usize::from(genes.object % 2);
        match deed {
            Deed::Lock | Deed::Unlock => self.acquire_or_release(mutex, Action::Lock, Action::Unlock, block),
            Deed::ReadLock | Deed::ReadUnlock => {
                self.acquire_or_release(L, Action::ReadLock, Action::ReadUnlock, block);
            }
            Deed::WriteLock | Deed::WriteUnlock => {
                self.acquire_or_release(L, Action::WriteLock, Action::WriteUnlock, block);
            }
            Deed::TryLock if !self.is_held(mutex) => {
                self.try_and_release(mutex, Action::TryLock, Action::Unlock, block);
            }
            Deed::TryReadLock if !self.is_held(L) => {
                self.try_and_release(L, Action::TryReadLock, Action::ReadUnlock, block);
            }
            Deed::TryWriteLock if !self.is_held(L) => {
                self.try_and_release(L, Action::TryWriteLock, Action::WriteUnlock, block);
            }
            Deed::Section if self.is_held(M) => {}
            // What a thread waits for while it holds a lock rarely comes.
            Deed::Spin | Deed::EnterAndLeave if !self.held.is_empty() => {}
            Deed::Downgrade => {
                let is_own = |&(object, ref release): &(usize, Action)| object == L && *release == Action::WriteUnlock;
                if let Some(place) = self.held.iter().rposition(is_own).filter(|&place| place >= self.held_outside)
                    && self.take(1)
                {
                    self.held[place].1 = Action::ReadUnlock;
                    let lock = self.at(L);
                    block.push(self.act(Action::Downgrade, lock));
                }
            }
            Deed::Wait | Deed::WaitTimeout if !self.is_held(M) => {
                if *self.steps >= 2 + cost(deed) {
                    self.acquire_or_release(M, Action::Lock, Action::Unlock, block);
                    self.leaf_as_it_is(deed, genes, block);
                }
            }
            Deed::Exit if !self.held.is_empty() => {}
            Deed::Assume | Deed::Assert if self.values.is_empty() => {}
            _ => self.leaf_as_it_is(deed, genes, block),
        }
    }

    fn leaf_as_it_is(&mut self, deed: Deed, genes: &Genes, block: &mut Block) {
        match deed {
            Deed::Spin => return self.spin(genes, block),
            Deed::EnterAndLeave => return self.enter_and_leave(genes, block),
            _ => {}
        }
        if !self.take(cost(deed)) {
            return;
        }
        let statement = match deed {
            Deed::Section => {
                let mutex = self.at(M);
                Statement::Section(mutex, self.section(G, genes))
            }
            Deed::Region => {
                let region = self.at(Z);
                Statement::Section(region, self.section(H, genes))
            }
            Deed::Fence => Statement::Fence(ORDERS[usize::from(genes.comparison) % ORDERS.len()]),
            Deed::PlainRead | Deed::PlainWrite => {
                let (action, place) = self.action(deed, genes);
                let result = action.has_result().then(|| self.fresh_value());
                Statement::Act { result, action, orders: Orders::of(Order::Plain), place }
            }
            Deed::Join => match self.handles.len() {
                // The number of an initial thread, perhaps its own.
                0 => Statement::Join(Expr::Number(i64::from(genes.object % 2))),
                n => Statement::Join(Expr::Local(self.handles[usize::from(genes.local) % n])),
            },
            Deed::Yield => Statement::Yield,
            Deed::Choose => {
                let result = self.fresh_value();
                Statement::Choose { result: Some(result), alternatives: 2 + u32::from(genes.object % 2) }
            }
            Deed::Assume => Statement::Assume(self.condition(genes)),
            Deed::Assert => Statement::Assert(self.condition(genes), "arbitrary".to_owned()),
            Deed::Exit => Statement::Exit,
            _ => {
                let (action, place) = self.action(deed, genes);
                // Mostly, nobody asks who was last at a barrier.
                if deed == Deed::Meet && genes.comparison != 0 {
                    Statement::Act { result: None, action, orders: Orders::default(), place }
                } else {
                    self.act(action, place)
                }
            }
        };
        block.push(statement);
    }
}

/// The orders of fences.
const ORDERS: [Order; 4] = [Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];

/// How many visible steps a deed is.
fn cost(deed: Deed) -> u32 {
    match deed {
        Deed::Assume | Deed::Assert | Deed::Exit => 0,
        Deed::Wait => 3,
        Deed::WaitTimeout => 4,
        Deed::Meet => 2,
        _ => 1,
    }
}
