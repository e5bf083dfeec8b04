//! What C has in place of what it has not.

use crate::sketch::{
    Action, BinaryOp, Block, Body, Expr, Local, ObjectKind, ObjectRef, Place, Sketch, Spawned, Statement,
};
use model::Orders;

/// The sketch with operations that C has: a blind addition becomes one that sees the value, an await a read and an
/// assumption, a join of an initial thread a yield; other joins are left out where the thread was joined already or was never
/// created, which C leaves undefined. A section is one step, and two in C: where a try-lock could see the difference, it becomes
/// a lock and an unlock, and what the mutex guards becomes variables.
pub fn portable(sketch: &Sketch) -> Sketch {
    let mut sketch = sketch.clone();
    let bodies = sketch.templates.iter().map(|template| &template.body).chain(sketch.threads.iter().map(|t| &t.body));
    let tried: Vec<ObjectRef> = bodies.flat_map(|body| tried(&body.block)).collect();
    for declared in &mut sketch.objects {
        if matches!(declared.kind, ObjectKind::Guarded { by } if tried.contains(&by)) {
            declared.kind = ObjectKind::Variable;
        }
    }
    for template in &mut sketch.templates {
        rewrite(&mut template.body, &tried);
    }
    for thread in &mut sketch.threads {
        rewrite(&mut thread.body, &tried);
    }
    sketch
}

/// The mutexes that a block tries to lock.
fn tried(block: &Block) -> Vec<ObjectRef> {
    let of = |statement: &Statement| match statement {
        Statement::Act { action: Action::TryLock, place, .. } => vec![place.object],
        Statement::If(_, then, otherwise) => [tried(then), tried(otherwise)].concat(),
        Statement::Loop(inside) => tried(inside),
        Statement::Spawn { what: Spawned::Inline(body), .. } => tried(&body.block),
        _ => Vec::new(),
    };
    block.iter().flat_map(of).collect()
}

fn rewrite(body: &mut Body, tried: &[ObjectRef]) {
    let mut rewriter = Rewriter { locals: std::mem::take(&mut body.locals), flags: Vec::new(), tried };
    let block = std::mem::take(&mut body.block);
    rewriter.find_handles(&block);
    body.block = rewriter.block(block);
    body.locals = rewriter.locals;
}

struct Rewriter<'t> {
    locals: Vec<String>,
    /// The mutexes that somebody tries to lock.
    tried: &'t [ObjectRef],
    /// Locals that hold handles, each with the local that says whether the thread can be joined.
    flags: Vec<(Local, Local)>,
}

impl Rewriter<'_> {
    fn fresh(&mut self, name: String) -> Local {
        self.locals.push(name);
        Local(self.locals.len() as u32 - 1)
    }

    fn find_handles(&mut self, block: &Block) {
        for statement in block {
            match statement {
                Statement::Spawn { handle: Some(handle), .. } if self.flag(*handle).is_none() => {
                    let name = format!("{}_can_be_joined", self.locals[handle.0 as usize]);
                    let flag = self.fresh(name);
                    self.flags.push((*handle, flag));
                }
                Statement::If(_, then, otherwise) => {
                    self.find_handles(then);
                    self.find_handles(otherwise);
                }
                Statement::Loop(inside) => self.find_handles(inside),
                _ => {}
            }
        }
    }

    fn flag(&self, handle: Local) -> Option<Local> {
        self.flags.iter().find(|(of, _)| *of == handle).map(|&(_, flag)| flag)
    }

    fn block(&mut self, block: Block) -> Block {
        block.into_iter().flat_map(|statement| self.statement(statement)).collect()
    }

    fn statement(&mut self, statement: Statement) -> Vec<Statement> {
        match statement {
            Statement::Act { result, action: Action::Add(by), orders, place } => {
                vec![Statement::Act { result, action: Action::FetchAdd(by), orders, place }]
            }
            Statement::Act { result, action: Action::AwaitEqual(value), orders, place } => {
                self.assumed(result, orders, place, BinaryOp::Equal, value)
            }
            Statement::Act { result, action: Action::AwaitNotEqual(value), orders, place } => {
                self.assumed(result, orders, place, BinaryOp::NotEqual, value)
            }
            Statement::Section(mutex, inside) if self.tried.contains(&mutex.object) => {
                let act =
                    |action| Statement::Act { result: None, action, orders: Orders::default(), place: mutex.clone() };
                let inside = self.block(inside);
                [vec![act(Action::Lock)], inside, vec![act(Action::Unlock)]].concat()
            }
            Statement::Spawn { handle, what } => self.spawned(handle, what),
            Statement::Join(Expr::Local(handle)) if self.flag(handle).is_some() => self.joined(handle),
            Statement::Join(_) => vec![Statement::Yield],
            Statement::If(condition, then, otherwise) => {
                vec![Statement::If(condition, self.block(then), self.block(otherwise))]
            }
            Statement::Loop(inside) => vec![Statement::Loop(self.block(inside))],
            other => vec![other],
        }
    }

    fn assumed(
        &mut self,
        result: Option<Local>,
        orders: Orders,
        place: Place,
        op: BinaryOp,
        value: Expr,
    ) -> Vec<Statement> {
        let result = result.unwrap_or_else(|| {
            let name = format!("awaited{}", self.locals.len());
            self.fresh(name)
        });
        let holds = Expr::Binary(op, Box::new(Expr::Local(result)), Box::new(value));
        vec![Statement::Act { result: Some(result), action: Action::Read, orders, place }, Statement::Assume(holds)]
    }

    fn spawned(&mut self, handle: Option<Local>, what: Spawned) -> Vec<Statement> {
        let what = match what {
            Spawned::Inline(mut body) => {
                rewrite(&mut body, self.tried);
                Spawned::Inline(body)
            }
            template => template,
        };
        let flag = handle.and_then(|handle| self.flag(handle));
        let mut statements = vec![Statement::Spawn { handle, what }];
        statements.extend(flag.map(|flag| Statement::Set(flag, Expr::Number(1))));
        statements
    }

    fn joined(&mut self, handle: Local) -> Vec<Statement> {
        let Some(flag) = self.flag(handle) else { return Vec::new() };
        let join = vec![Statement::Join(Expr::Local(handle)), Statement::Set(flag, Expr::Number(0))];
        vec![Statement::If(Expr::Local(flag), join, Vec::new())]
    }
}
