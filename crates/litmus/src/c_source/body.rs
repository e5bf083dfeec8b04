//! The functions of the threads.

use super::Unprintable;
use crate::sketch::{Action, BinaryOp, Block, Body, Expr, Local, Place, Sketch, Spawned, Statement};
use model::Orders;
use std::fmt::Write;

/// What stands before a value that nobody looks at.
const UNUSED: &str = "(void)";

/// Every body of a sketch, each with the name of its function.
pub(super) struct Bodies<'s> {
    sketch: &'s Sketch,
    prefix: &'s str,
    /// Those that are spawned come before those that spawn them.
    functions: Vec<Function<'s>>,
}

struct Function<'s> {
    name: String,
    body: &'s Body,
    parameters: usize,
}

impl<'s> Bodies<'s> {
    pub(super) fn of(sketch: &'s Sketch, prefix: &'s str) -> Self {
        let mut bodies = Bodies { sketch, prefix, functions: Vec::new() };
        for (number, template) in sketch.templates.iter().enumerate() {
            bodies.add(format!("{prefix}template{number}"), &template.body, template.parameters);
        }
        for (number, thread) in sketch.threads.iter().enumerate() {
            bodies.add(format!("{prefix}thread{number}"), &thread.body, 0);
        }
        bodies
    }

    fn add(&mut self, name: String, body: &'s Body, parameters: usize) {
        self.add_inline(&name, &body.block);
        self.functions.push(Function { name, body, parameters });
    }

    /// The bodies that a block spawns, named after where they are spawned.
    fn add_inline(&mut self, spawner: &str, block: &'s Block) {
        for statement in block {
            match statement {
                Statement::Spawn { what: Spawned::Inline(body), .. } => {
                    let name = format!("{spawner}_child{}", self.functions.len());
                    self.add(name, body, 0);
                }
                Statement::If(_, then, otherwise) => {
                    self.add_inline(spawner, then);
                    self.add_inline(spawner, otherwise);
                }
                Statement::Loop(inside) => self.add_inline(spawner, inside),
                _ => {}
            }
        }
    }

    pub(super) fn print(&self, source: &mut String) -> Result<(), Unprintable> {
        // Templates may spawn each other.
        for function in &self.functions {
            let _ = writeln!(source, "static void *{}(void *);", function.name);
        }
        for function in &self.functions {
            let mut printer = Printer { bodies: self, body: function.body, source, depth: 1 };
            printer.function(function)?;
        }
        Ok(())
    }

    /// The function of a body that is spawned where it stands.
    fn inline(&self, body: &Body) -> &str {
        let found = self.functions.iter().find(|function| std::ptr::eq(function.body, body));
        &found.expect("every inline body was added").name
    }
}

struct Printer<'p, 's> {
    bodies: &'p Bodies<'s>,
    body: &'s Body,
    source: &'p mut String,
    depth: usize,
}

impl<'s> Printer<'_, 's> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.source, "{:width$}{text}", "", width = 4 * self.depth);
    }

    fn function(&mut self, function: &Function<'s>) -> Result<(), Unprintable> {
        let _ = writeln!(self.source, "\nstatic void *{}(void *argument)\n{{", function.name);
        for number in 0..self.body.locals.len() {
            let name = self.local(Local(number as u32));
            let value =
                if number < function.parameters { format!("((int64_t *)argument)[{number}]") } else { "0".to_owned() };
            // What a compiler sees no use of would commute, unlike its litmus form.
            self.line(&format!("volatile int64_t {name} = {value};"));
            self.line(&format!("(void){name};"));
        }
        for handle in handles(&self.body.block) {
            self.line(&format!("pthread_t handle_of_{} = 0;", self.local(handle)));
        }
        self.line(if function.parameters > 0 { "free(argument);" } else { "(void)argument;" });
        self.block(&self.body.block)?;
        self.source.push_str("    return NULL;\n}\n");
        Ok(())
    }

    fn block(&mut self, block: &'s Block) -> Result<(), Unprintable> {
        block.iter().try_for_each(|statement| self.statement(statement))
    }

    fn nested(&mut self, head: &str, block: &'s Block) -> Result<(), Unprintable> {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        self.block(block)?;
        self.depth -= 1;
        self.line("}");
        Ok(())
    }

    fn statement(&mut self, statement: &'s Statement) -> Result<(), Unprintable> {
        match statement {
            Statement::Set(local, value) => {
                let value = self.expr(value);
                self.line(&format!("{} = {value};", self.local(*local)));
            }
            Statement::Act { orders, .. } if *orders != Orders::default() => return Err(Unprintable::Order),
            Statement::Fence(_) => return Err(Unprintable::Order),
            Statement::Act { result, action, place, .. } => self.act(*result, action, place)?,
            Statement::Section(mutex, inside) => {
                let mutex = self.place(mutex);
                self.line(&format!("pthread_mutex_lock(&{mutex});"));
                self.block(inside)?;
                self.line(&format!("pthread_mutex_unlock(&{mutex});"));
            }
            Statement::Spawn { handle, what } => self.spawn(*handle, what),
            Statement::Join(Expr::Local(handle)) if handles(&self.body.block).contains(handle) => {
                self.line(&format!("pthread_join(handle_of_{}, NULL);", self.local(*handle)));
            }
            Statement::Join(_) => return Err(Unprintable::Join),
            Statement::Yield => self.line("sched_yield();"),
            Statement::Choose { result, alternatives } => {
                let result = self.result(*result);
                self.line(&format!("{result}mzk_choose({alternatives});"));
            }
            Statement::Select(_) => return Err(Unprintable::Select),
            Statement::Assume(condition) => {
                let condition = self.truth(condition);
                self.line(&format!("__VERIFIER_assume({condition});"));
            }
            Statement::Assert(condition, _) => {
                let condition = self.truth(condition);
                self.line(&format!("assert({condition});"));
            }
            Statement::Exit => self.line("return NULL;"),
            Statement::If(condition, then, otherwise) => {
                let condition = self.truth(condition);
                self.nested(&format!("if ({condition})"), then)?;
                if !otherwise.is_empty() {
                    self.nested("else", otherwise)?;
                }
            }
            Statement::Loop(inside) => self.nested("for (;;)", inside)?,
            Statement::Break => self.line("break;"),
        }
        Ok(())
    }

    fn spawn(&mut self, handle: Option<Local>, what: &'s Spawned) {
        let variable = handle.map_or("unwanted".to_owned(), |handle| format!("handle_of_{}", self.local(handle)));
        let (function, argument) = match what {
            Spawned::Inline(body) => (self.bodies.inline(body).to_owned(), "NULL"),
            Spawned::Template(number, arguments) => {
                let function = format!("{}template{number}", self.bodies.prefix);
                (function, if arguments.is_empty() { "NULL" } else { "arguments" })
            }
        };
        self.line("{");
        self.depth += 1;
        if handle.is_none() {
            self.line("pthread_t unwanted;");
        }
        if let Spawned::Template(_, arguments) = what
            && !arguments.is_empty()
        {
            self.line(&format!("int64_t *arguments = malloc({} * sizeof *arguments);", arguments.len()));
            for (number, argument) in arguments.iter().enumerate() {
                let argument = self.expr(argument);
                self.line(&format!("arguments[{number}] = {argument};"));
            }
        }
        self.line(&format!("pthread_create(&{variable}, NULL, {function}, {argument});"));
        self.depth -= 1;
        self.line("}");
    }

    fn act(&mut self, result: Option<Local>, action: &Action, place: &Place) -> Result<(), Unprintable> {
        let (at, to) = (self.place(place), self.result(result));
        let atomic = !matches!(
            self.bodies.sketch.objects[place.object.0 as usize].kind,
            crate::sketch::ObjectKind::Guarded { .. }
        );
        let text = match action {
            Action::Read if atomic => format!("{to}atomic_load(&{at});"),
            Action::Read => format!("{to}{at};"),
            Action::Write(value) if atomic => format!("atomic_store(&{at}, {});", self.expr(value)),
            Action::Write(value) => format!("{at} = {};", self.expr(value)),
            // A compiler can tell that nobody looks at a result that is not kept, and then additions commute.
            Action::FetchAdd(by) if to == UNUSED => {
                format!("{{ volatile int64_t kept = atomic_fetch_add(&{at}, {}); (void)kept; }}", self.expr(by))
            }
            Action::Add(by) if atomic => format!("atomic_fetch_add(&{at}, {});", self.expr(by)),
            Action::FetchAdd(by) => format!("{to}atomic_fetch_add(&{at}, {});", self.expr(by)),
            Action::Swap(value) => format!("{to}atomic_exchange(&{at}, {});", self.expr(value)),
            Action::CompareExchange(expected, new) => return self.compare_exchange(&to, &at, expected, new),
            Action::Lock => format!("pthread_mutex_lock(&{at});"),
            Action::TryLock => format!("{to}(pthread_mutex_trylock(&{at}) == 0);"),
            Action::Unlock => format!("pthread_mutex_unlock(&{at});"),
            Action::ReadLock => format!("pthread_rwlock_rdlock(&{at});"),
            Action::TryReadLock => format!("{to}(pthread_rwlock_tryrdlock(&{at}) == 0);"),
            Action::WriteLock => format!("pthread_rwlock_wrlock(&{at});"),
            Action::TryWriteLock => format!("{to}(pthread_rwlock_trywrlock(&{at}) == 0);"),
            Action::ReadUnlock | Action::WriteUnlock => format!("pthread_rwlock_unlock(&{at});"),
            Action::Wait(mutex) => format!("pthread_cond_wait(&{at}, &{});", self.place(mutex)),
            Action::NotifyOne => format!("pthread_cond_signal(&{at});"),
            Action::NotifyAll => format!("pthread_cond_broadcast(&{at});"),
            Action::Acquire => format!("sem_wait(&{at});"),
            Action::TryAcquire => format!("{to}(sem_trywait(&{at}) == 0);"),
            Action::Release => format!("sem_post(&{at});"),
            Action::Meet if to == UNUSED => format!("pthread_barrier_wait(&{at});"),
            Action::Meet => format!("{to}(pthread_barrier_wait(&{at}) == PTHREAD_BARRIER_SERIAL_THREAD);"),
            Action::Add(_)
            | Action::Fetch(..)
            | Action::Upgrade
            | Action::Unwrap
            | Action::Drained
            | Action::CellRead
            | Action::CellWrite
            | Action::Downgrade
            | Action::WaitTimeout(_)
            | Action::CountDown
            | Action::PassLatch
            | Action::Init
            | Action::Destroy
            | Action::Free
            | Action::AwaitEqual(_)
            | Action::AwaitNotEqual(_)
            | Action::Send { .. }
            | Action::Receive(_)
            | Action::TryReceive(_) => {
                return Err(Unprintable::Action(action.clone()));
            }
        };
        self.line(&text);
        Ok(())
    }

    fn compare_exchange(&mut self, to: &str, at: &str, expected: &Expr, new: &Expr) -> Result<(), Unprintable> {
        let (expected, new) = (self.expr(expected), self.expr(new));
        self.line("{");
        self.depth += 1;
        self.line(&format!("int64_t found = {expected};"));
        self.line(&format!("atomic_compare_exchange_strong(&{at}, &found, {new});"));
        self.line(&format!("{to}found;"));
        self.depth -= 1;
        self.line("}");
        Ok(())
    }

    /// Locals have a prefix, so that none is called like a function of ours or a word of C.
    fn local(&self, local: Local) -> String {
        format!("l_{}", self.body.locals[local.0 as usize])
    }

    fn result(&self, result: Option<Local>) -> String {
        result.map_or(UNUSED.to_owned(), |local| format!("{} = ", self.local(local)))
    }

    fn place(&self, place: &Place) -> String {
        let name = &self.bodies.sketch.objects[place.object.0 as usize].name;
        let index = place.index.as_ref().map_or(String::new(), |index| format!("[{}]", self.expr(index)));
        format!("{}{name}{index}", self.bodies.prefix)
    }

    fn truth(&self, expr: &Expr) -> String {
        match expr {
            Expr::Binary(..) | Expr::Not(_) => self.expr(expr),
            other => format!("{} != 0", self.expr(other)),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Number(i64::MIN) => "INT64_MIN".to_owned(),
            Expr::Number(number) => number.to_string(),
            Expr::Local(local) => self.local(*local),
            Expr::Not(operand) => format!("!({})", self.expr(operand)),
            Expr::Negate(operand) => format!("minus(0, {})", self.expr(operand)),
            Expr::Binary(op, a, b) => format!("{}({}, {})", function(*op), self.expr(a), self.expr(b)),
        }
    }
}

/// The function of the prelude that computes an operator.
fn function(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => "either",
        BinaryOp::And => "both",
        BinaryOp::Equal => "equal",
        BinaryOp::NotEqual => "differs",
        BinaryOp::Less => "less",
        BinaryOp::AtMost => "at_most",
        BinaryOp::More => "more",
        BinaryOp::AtLeast => "at_least",
        BinaryOp::Add => "plus",
        BinaryOp::Subtract => "minus",
        BinaryOp::Multiply => "times",
        BinaryOp::Divide => "quotient_of",
        BinaryOp::Remainder => "remainder_of",
    }
}

/// The locals of a body that hold handles of threads.
fn handles(block: &Block) -> Vec<Local> {
    let mut found = Vec::new();
    for statement in block {
        match statement {
            Statement::Spawn { handle: Some(handle), .. } => found.push(*handle),
            Statement::If(_, then, otherwise) => {
                found.extend(handles(then));
                found.extend(handles(otherwise));
            }
            Statement::Loop(inside) => found.extend(handles(inside)),
            _ => {}
        }
    }
    found.sort_by_key(|local| local.0);
    found.dedup();
    found
}
