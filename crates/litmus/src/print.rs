//! Prints sketches in the [notation](crate::notation).

use crate::sketch::{
    Action, Block, Body, Declaration, Expr, Local, ObjectKind, Place, Selection, Sketch, Spawned, Statement, Template,
};
use model::Orders;
use std::fmt::{self, Display, Formatter};

impl Display for Sketch {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for declared in &self.objects {
            self.declaration(f, declared)?;
        }
        for template in &self.templates {
            self.template(f, template)?;
        }
        for (n, thread) in self.threads.iter().enumerate() {
            if n > 0 {
                f.write_str("| ")?;
            }
            if let Some(name) = &thread.name {
                write!(f, "{name}: ")?;
            }
            let printer = Printer { sketch: self, body: &thread.body };
            printer.statements(f, &thread.body.block)?;
            f.write_str(if n + 1 < self.threads.len() { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl Sketch {
    pub(crate) fn declaration(&self, f: &mut Formatter<'_>, declared: &Declaration) -> fmt::Result {
        let keyword = match declared.kind {
            ObjectKind::Variable => "var",
            ObjectKind::Mutex => "mutex",
            ObjectKind::RwLock => "rwlock",
            ObjectKind::Condvar => "condvar",
            ObjectKind::Semaphore => "semaphore",
            ObjectKind::Latch => "latch",
            ObjectKind::Region => "region",
            ObjectKind::Mailbox => "mailbox",
            ObjectKind::Barrier { .. } => "barrier",
            ObjectKind::Guarded { .. } => "guarded",
        };
        write!(f, "{keyword} {}", declared.name)?;
        if let Some(size) = declared.size {
            write!(f, "[{size}]")?;
        }
        match declared.kind {
            ObjectKind::Barrier { parties } => write!(f, " of {parties}")?,
            ObjectKind::Guarded { by } => write!(f, " by {}", self.objects[by.0 as usize].name)?,
            _ => {}
        }
        for (n, value) in declared.initial.iter().enumerate() {
            write!(f, "{}{value}", if n == 0 { " = " } else { " " })?;
        }
        f.write_str(";\n")
    }

    fn template(&self, f: &mut Formatter<'_>, template: &Template) -> fmt::Result {
        let parameters = &template.body.locals[..template.parameters];
        write!(f, "def {}({}) ", template.name, parameters.join(", "))?;
        Printer { sketch: self, body: &template.body }.block(f, &template.body.block)?;
        f.write_str("\n")
    }
}

/// A statement without the statements inside it: what a site is shown as.
pub(crate) fn head(sketch: &Sketch, body: &Body, statement: &Statement) -> String {
    struct Head<'a>(Printer<'a>, &'a Statement);
    impl Display for Head<'_> {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            self.0.head(f, self.1)
        }
    }
    Head(Printer { sketch, body }, statement).to_string()
}

#[derive(Clone, Copy)]
struct Printer<'a> {
    sketch: &'a Sketch,
    body: &'a Body,
}

impl Printer<'_> {
    fn statements(self, f: &mut Formatter<'_>, block: &[Statement]) -> fmt::Result {
        for (n, statement) in block.iter().enumerate() {
            if n > 0 {
                f.write_str("; ")?;
            }
            self.statement(f, statement)?;
        }
        Ok(())
    }

    fn block(self, f: &mut Formatter<'_>, block: &Block) -> fmt::Result {
        if block.is_empty() {
            return f.write_str("{}");
        }
        f.write_str("{ ")?;
        self.statements(f, block)?;
        f.write_str(" }")
    }

    fn statement(self, f: &mut Formatter<'_>, statement: &Statement) -> fmt::Result {
        self.head(f, statement)?;
        match statement {
            Statement::Section(_, body) | Statement::Loop(body) => {
                f.write_str(" ")?;
                self.block(f, body)
            }
            Statement::Spawn { what: Spawned::Inline(body), .. } => {
                f.write_str(" ")?;
                Printer { body, ..self }.block(f, &body.block)
            }
            Statement::If(_, then, otherwise) => {
                f.write_str(" ")?;
                self.block(f, then)?;
                if otherwise.is_empty() {
                    return Ok(());
                }
                f.write_str(" else ")?;
                self.block(f, otherwise)
            }
            Statement::Select(arms) => {
                for (n, arm) in arms.iter().enumerate() {
                    f.write_str(if n == 0 { " { " } else { " | " })?;
                    let [first, rest @ ..] = &arm[..] else { continue };
                    self.statement(f, first)?;
                    if !rest.is_empty() {
                        f.write_str(" -> ")?;
                        self.statements(f, rest)?;
                    }
                }
                f.write_str(" }")
            }
            _ => Ok(()),
        }
    }

    fn head(self, f: &mut Formatter<'_>, statement: &Statement) -> fmt::Result {
        match statement {
            Statement::Set(local, value) => {
                self.result(f, Some(*local))?;
                self.expr(f, value, 0)
            }
            Statement::Act { result, action, orders, place } => {
                self.act(f, *result, action, place)?;
                self.orders(f, *orders)
            }
            Statement::Fence(order) => write!(f, "fence {order}"),
            Statement::Section(mutex, _) => {
                f.write_str("section ")?;
                self.place(f, mutex)
            }
            Statement::Spawn { handle, what } => {
                self.result(f, *handle)?;
                f.write_str("spawn")?;
                let Spawned::Template(number, arguments) = what else { return Ok(()) };
                let name = self.sketch.templates.get(*number).map_or("?", |t| &t.name);
                write!(f, " {name}(")?;
                for (n, argument) in arguments.iter().enumerate() {
                    f.write_str(if n > 0 { ", " } else { "" })?;
                    self.expr(f, argument, 0)?;
                }
                f.write_str(")")
            }
            Statement::Join(thread) => self.keyword(f, "join", thread),
            Statement::Yield => f.write_str("yield"),
            Statement::Choose { result, alternatives } => {
                self.result(f, *result)?;
                write!(f, "choose {alternatives}")
            }
            Statement::Select(_) => f.write_str("choose"),
            Statement::Assume(condition) => self.keyword(f, "assume", condition),
            Statement::Assert(condition, message) => {
                self.keyword(f, "assert", condition)?;
                write!(f, ", \"{}\"", message.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
            }
            Statement::Exit => f.write_str("exit"),
            Statement::If(condition, ..) => self.keyword(f, "if", condition),
            Statement::Loop(_) => f.write_str("loop"),
            Statement::Break => f.write_str("break"),
        }
    }

    fn keyword(self, f: &mut Formatter<'_>, keyword: &str, operand: &Expr) -> fmt::Result {
        write!(f, "{keyword} ")?;
        self.expr(f, operand, 0)
    }

    fn act(self, f: &mut Formatter<'_>, result: Option<Local>, action: &Action, place: &Place) -> fmt::Result {
        self.result(f, result)?;
        match action {
            // A read whose value nobody wants needs a word, or it would be no statement.
            Action::Read if result.is_none() => f.write_str("read ")?,
            Action::Read => {}
            Action::Write(value) => return self.infix(f, place, "=", value),
            Action::Add(by) => return self.infix(f, place, "+=", by),
            Action::AwaitEqual(value) => {
                f.write_str("await ")?;
                return self.infix(f, place, "==", value);
            }
            Action::AwaitNotEqual(value) => {
                f.write_str("await ")?;
                return self.infix(f, place, "!=", value);
            }
            _ => write!(f, "{} ", word(action))?,
        }
        self.place(f, place)?;
        match action {
            Action::FetchAdd(operand) | Action::Fetch(_, operand) | Action::Swap(operand) => self.operand(f, operand),
            Action::CompareExchange(expected, new) => {
                self.operand(f, expected)?;
                self.operand(f, new)
            }
            Action::Wait(mutex) | Action::WaitTimeout(mutex) => {
                f.write_str(", ")?;
                self.place(f, mutex)
            }
            Action::Send { kind: 0, number } => self.operand(f, number),
            Action::Send { kind, number } => {
                write!(f, ", {kind}: ")?;
                self.expr(f, number, 0)
            }
            Action::Receive(selection) | Action::TryReceive(selection) => self.selection(f, selection),
            _ => Ok(()),
        }
    }

    /// The memory orders, unless they are those of an operation without any.
    fn orders(self, f: &mut Formatter<'_>, orders: Orders) -> fmt::Result {
        if orders == Orders::default() {
            return Ok(());
        }
        write!(f, " {}", orders.success)?;
        if orders == Orders::of(orders.success) { Ok(()) } else { write!(f, " {}", orders.failure) }
    }

    fn selection(self, f: &mut Formatter<'_>, selection: &Selection) -> fmt::Result {
        for (n, kind) in selection.kinds.iter().enumerate() {
            write!(f, "{}{kind}", if n == 0 { " of " } else { ", " })?;
        }
        let Some(number) = &selection.number else { return Ok(()) };
        f.write_str(" == ")?;
        self.expr(f, number, 0)
    }

    fn infix(self, f: &mut Formatter<'_>, place: &Place, operator: &str, value: &Expr) -> fmt::Result {
        self.place(f, place)?;
        write!(f, " {operator} ")?;
        self.expr(f, value, 0)
    }

    fn operand(self, f: &mut Formatter<'_>, operand: &Expr) -> fmt::Result {
        f.write_str(", ")?;
        self.expr(f, operand, 0)
    }

    fn result(self, f: &mut Formatter<'_>, result: Option<Local>) -> fmt::Result {
        match result {
            Some(local) => write!(f, "{} = ", self.local(local)),
            None => Ok(()),
        }
    }

    fn local(&self, local: Local) -> &str {
        self.body.locals.get(local.0 as usize).map_or("?", String::as_str)
    }

    fn place(self, f: &mut Formatter<'_>, place: &Place) -> fmt::Result {
        f.write_str(self.sketch.objects.get(place.object.0 as usize).map_or("?", |declared| &declared.name))?;
        if let Some(index) = &place.index {
            f.write_str("[")?;
            self.expr(f, index, 0)?;
            f.write_str("]")?;
        }
        Ok(())
    }

    /// An expression in a place that needs one binding at least as tightly as `least`.
    fn expr(self, f: &mut Formatter<'_>, expr: &Expr, least: u8) -> fmt::Result {
        match expr {
            Expr::Number(n) => write!(f, "{n}"),
            Expr::Local(local) => f.write_str(self.local(*local)),
            Expr::Not(operand) => self.unary(f, "!", operand),
            Expr::Negate(operand) => self.unary(f, "-", operand),
            Expr::Binary(op, a, b) => {
                let precedence = op.precedence();
                let parentheses = precedence < least;
                f.write_str(if parentheses { "(" } else { "" })?;
                self.expr(f, a, precedence)?;
                write!(f, " {} ", op.symbol())?;
                self.expr(f, b, precedence + 1)?;
                f.write_str(if parentheses { ")" } else { "" })
            }
        }
    }

    fn unary(self, f: &mut Formatter<'_>, operator: &str, operand: &Expr) -> fmt::Result {
        // `-5` is a number, so the negation of one needs parentheses.
        if matches!(operand, Expr::Number(_) | Expr::Binary(..)) {
            write!(f, "{operator}(")?;
            self.expr(f, operand, 0)?;
            f.write_str(")")
        } else {
            f.write_str(operator)?;
            self.expr(f, operand, u8::MAX)
        }
    }
}

/// The word that an action is written with, if it is written with one alone.
pub(crate) fn word(action: &Action) -> &'static str {
    match action {
        Action::Read => "read",
        Action::Write(_) => "=",
        Action::Add(_) => "+=",
        Action::AwaitEqual(_) | Action::AwaitNotEqual(_) => "await",
        Action::FetchAdd(_) => "fetch_add",
        Action::Fetch(function, _) => function.name(),
        Action::Upgrade => "upgrade",
        Action::Unwrap => "unwrap",
        Action::Drained => "drained",
        Action::CellRead => "read_cell",
        Action::CellWrite => "write_cell",
        Action::Swap(_) => "swap",
        Action::CompareExchange(..) => "compare_exchange",
        Action::Lock => "lock",
        Action::TryLock => "try_lock",
        Action::Unlock => "unlock",
        Action::ReadLock => "read_lock",
        Action::TryReadLock => "try_read_lock",
        Action::ReadUnlock => "read_unlock",
        Action::WriteLock => "write_lock",
        Action::TryWriteLock => "try_write_lock",
        Action::WriteUnlock => "write_unlock",
        Action::Downgrade => "downgrade",
        Action::Wait(_) => "wait",
        Action::WaitTimeout(_) => "wait_timeout",
        Action::NotifyOne => "notify_one",
        Action::NotifyAll => "notify_all",
        Action::Acquire => "acquire",
        Action::TryAcquire => "try_acquire",
        Action::Release => "release",
        Action::Meet => "meet",
        Action::CountDown => "count_down",
        Action::PassLatch => "pass_latch",
        Action::Init => "init",
        Action::Destroy => "destroy",
        Action::Free => "deallocate",
        Action::Send { .. } => "send",
        Action::Receive(_) => "receive",
        Action::TryReceive(_) => "try_receive",
    }
}
