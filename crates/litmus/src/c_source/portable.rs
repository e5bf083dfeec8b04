//! What C has in place of what it has not.

use crate::sketch::{Action, BinaryOp, Block, Body, Expr, Local, Sketch, Spawned, Statement};

/// The sketch with operations that C has: a blind addition becomes one that sees the value, an await a read and an
/// assumption, a join of an initial thread a yield; other joins are left out where the thread was joined already or was never
/// created, which C leaves undefined.
pub fn portable(sketch: &Sketch) -> Sketch {
    let mut sketch = sketch.clone();
    for template in &mut sketch.templates {
        rewrite(&mut template.body);
    }
    for thread in &mut sketch.threads {
        rewrite(&mut thread.body);
    }
    sketch
}

fn rewrite(body: &mut Body) {
    let mut rewriter = Rewriter { locals: std::mem::take(&mut body.locals), flags: Vec::new() };
    let block = std::mem::take(&mut body.block);
    rewriter.find_handles(&block);
    body.block = rewriter.block(block);
    body.locals = rewriter.locals;
}

struct Rewriter {
    locals: Vec<String>,
    /// Locals that hold handles, each with the local that says whether the thread can be joined.
    flags: Vec<(Local, Local)>,
}

impl Rewriter {
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
            Statement::Act { result, action: Action::Add(by), place } => {
                vec![Statement::Act { result, action: Action::FetchAdd(by), place }]
            }
            Statement::Act { result, action: Action::AwaitEqual(value), place } => {
                self.assumed(result, place, BinaryOp::Equal, value)
            }
            Statement::Act { result, action: Action::AwaitNotEqual(value), place } => {
                self.assumed(result, place, BinaryOp::NotEqual, value)
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
        place: crate::sketch::Place,
        op: BinaryOp,
        value: Expr,
    ) -> Vec<Statement> {
        let result = result.unwrap_or_else(|| {
            let name = format!("awaited{}", self.locals.len());
            self.fresh(name)
        });
        let holds = Expr::Binary(op, Box::new(Expr::Local(result)), Box::new(value));
        vec![Statement::Act { result: Some(result), action: Action::Read, place }, Statement::Assume(holds)]
    }

    fn spawned(&mut self, handle: Option<Local>, what: Spawned) -> Vec<Statement> {
        let what = match what {
            Spawned::Inline(mut body) => {
                rewrite(&mut body);
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
