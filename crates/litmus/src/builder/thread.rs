//! What a thread does, statement by statement.

use super::{Operand, TemplateRef};
use crate::sketch::{Action, Block, Body, Expr, Local, Place, Selection, Spawned, Statement};
use model::Orders;

/// The body of a thread being written. Every method adds one statement.
#[derive(Debug, Default)]
pub struct ThreadBuilder {
    locals: Vec<String>,
    block: Block,
}

/// Methods for actions with no operand and no result.
macro_rules! plain {
    ($($name:ident, $action:ident, $what:literal;)*) => {$(
        #[doc = concat!($what, ".")]
        pub fn $name(&mut self, object: impl Into<Place>) {
            self.act(Action::$action, object);
        }
    )*};
}

/// Methods for actions with no operand whose result is kept in a new local.
macro_rules! trying {
    ($($name:ident, $action:ident, $what:literal;)*) => {$(
        #[doc = concat!($what, "; 1 if it did, else 0.")]
        pub fn $name(&mut self, object: impl Into<Place>) -> Local {
            self.act_for("ok", Action::$action, object)
        }
    )*};
}

impl ThreadBuilder {
    pub(super) fn finish(self) -> Body {
        Body { locals: self.locals, block: self.block }
    }

    /// A local of this name, or of a name that starts so if it is taken.
    pub(super) fn fresh(&mut self, name: &str) -> Local {
        let taken = |locals: &[String], name: &str| locals.iter().any(|local| local == name);
        let mut unique = name.to_owned();
        let mut n = 1;
        while taken(&self.locals, &unique) {
            n += 1;
            unique = format!("{name}{n}");
        }
        self.locals.push(unique);
        Local(self.locals.len() as u32 - 1)
    }

    fn act(&mut self, action: Action, place: impl Into<Place>) {
        self.block.push(Statement::Act { result: None, action, orders: Orders::default(), place: place.into() });
    }

    fn act_for(&mut self, name: &str, action: Action, place: impl Into<Place>) -> Local {
        let result = self.fresh(name);
        self.block.push(Statement::Act {
            result: Some(result),
            action,
            orders: Orders::default(),
            place: place.into(),
        });
        result
    }

    fn inside(&mut self, write: impl FnOnce(&mut Self)) -> Block {
        let outer = std::mem::take(&mut self.block);
        write(self);
        std::mem::replace(&mut self.block, outer)
    }

    /// A new local with this value.
    pub fn local(&mut self, name: &str, value: impl Into<Expr>) -> Local {
        let local = self.fresh(name);
        self.set(local, value);
        local
    }

    /// Waits until the first statement of one of these arms can be done, and goes on by one of those of which it can.
    pub fn select(&mut self, arms: &[&dyn Fn(&mut Self)]) {
        let arms = arms.iter().map(|arm| self.inside(|t| arm(t))).collect();
        self.block.push(Statement::Select(arms));
    }

    /// Computes a local anew.
    pub fn set(&mut self, local: Local, value: impl Into<Expr>) {
        self.block.push(Statement::Set(local, value.into()));
    }

    /// Reads a variable or guarded cell.
    pub fn read(&mut self, variable: impl Into<Place>) -> Local {
        self.act_for("t", Action::Read, variable)
    }

    /// Reads a variable whose value does not matter.
    pub fn look(&mut self, variable: impl Into<Place>) {
        self.act(Action::Read, variable);
    }

    /// Writes a variable or guarded cell.
    pub fn write(&mut self, variable: impl Into<Place>, value: impl Into<Expr>) {
        self.act(Action::Write(value.into()), variable);
    }

    /// Adds to a variable; the value before.
    pub fn fetch_add(&mut self, variable: impl Into<Place>, by: impl Into<Expr>) -> Local {
        self.act_for("t", Action::FetchAdd(by.into()), variable)
    }

    /// Replaces the value of a variable; the value before.
    pub fn swap(&mut self, variable: impl Into<Place>, new: impl Into<Expr>) -> Local {
        self.act_for("t", Action::Swap(new.into()), variable)
    }

    /// Writes `new` if the variable is `expected`; the value found.
    pub fn compare_exchange(
        &mut self,
        variable: impl Into<Place>,
        expected: impl Into<Expr>,
        new: impl Into<Expr>,
    ) -> Local {
        self.act_for("t", Action::CompareExchange(expected.into(), new.into()), variable)
    }

    /// Adds to a variable without looking at it.
    pub fn add(&mut self, variable: impl Into<Place>, by: impl Into<Expr>) {
        self.act(Action::Add(by.into()), variable);
    }

    /// Waits until the variable has this value.
    pub fn await_equal(&mut self, variable: impl Into<Place>, value: impl Into<Expr>) {
        self.act(Action::AwaitEqual(value.into()), variable);
    }

    /// Waits until the variable has another value, and reads it.
    pub fn await_not_equal(&mut self, variable: impl Into<Place>, value: impl Into<Expr>) -> Local {
        self.act_for("t", Action::AwaitNotEqual(value.into()), variable)
    }

    plain! {
        lock, Lock, "Acquires a mutex";
        unlock, Unlock, "Releases a mutex";
        read_lock, ReadLock, "Acquires a reader-writer lock, shared";
        read_unlock, ReadUnlock, "Releases a reader-writer lock held shared";
        write_lock, WriteLock, "Acquires a reader-writer lock, exclusive";
        write_unlock, WriteUnlock, "Releases a reader-writer lock held exclusive";
        notify_one, NotifyOne, "Wakes one waiter of a condition variable";
        notify_all, NotifyAll, "Wakes all waiters of a condition variable";
        acquire, Acquire, "Takes one from a semaphore";
        release, Release, "Gives one to a semaphore";
        downgrade, Downgrade, "Holds a reader-writer lock shared that was held exclusive";
        count_down, CountDown, "Counts a latch down";
        pass_latch, PassLatch, "Waits until a latch is open";
        meet, Meet, "Arrives at a barrier and goes on when all have";
    }

    trying! {
        try_lock, TryLock, "Acquires a mutex if it is free";
        try_read_lock, TryReadLock, "Acquires a reader-writer lock, shared, if no writer holds it";
        try_write_lock, TryWriteLock, "Acquires a reader-writer lock, exclusive, if nobody holds it";
        try_acquire, TryAcquire, "Takes one from a semaphore if there is one";
    }

    /// Releases the mutex, waits on the condition variable, acquires the mutex again.
    pub fn wait(&mut self, condvar: impl Into<Place>, mutex: impl Into<Place>) {
        self.act(Action::Wait(mutex.into()), condvar);
    }

    /// Sends a message of a kind, with a number, to a mailbox.
    pub fn send(&mut self, mailbox: impl Into<Place>, kind: u8, number: impl Into<Expr>) {
        self.act(Action::Send { kind, number: number.into() }, mailbox);
    }

    /// Waits for a message; the number of the oldest that matches.
    pub fn receive(&mut self, mailbox: impl Into<Place>, selection: Selection) -> Local {
        self.act_for("got", Action::Receive(selection), mailbox)
    }

    /// Receives a message if one matches; its number, or -1.
    pub fn try_receive(&mut self, mailbox: impl Into<Place>, selection: Selection) -> Local {
        self.act_for("got", Action::TryReceive(selection), mailbox)
    }

    /// A critical section in one step, with only local statements and guarded cells inside.
    pub fn section<R>(&mut self, mutex: impl Into<Place>, write: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::take(&mut self.block);
        let value = write(self);
        let block = std::mem::replace(&mut self.block, outer);
        self.block.push(Statement::Section(mutex.into(), block));
        value
    }

    /// Creates a thread; its handle.
    pub fn spawn<const N: usize>(&mut self, template: TemplateRef, arguments: [Expr; N]) -> Local {
        let handle = self.fresh("h");
        let what = Spawned::Template(template.0, arguments.into());
        self.block.push(Statement::Spawn { handle: Some(handle), what });
        handle
    }

    /// Waits for the end of a thread.
    pub fn join(&mut self, thread: impl Into<Expr>) {
        self.block.push(Statement::Join(thread.into()));
    }

    /// A step that does nothing.
    pub fn yield_now(&mut self) {
        self.block.push(Statement::Yield);
    }

    /// A number below `alternatives`, chosen by the checker.
    pub fn choose(&mut self, alternatives: u32) -> Local {
        let result = self.fresh("c");
        self.block.push(Statement::Choose { result: Some(result), alternatives });
        result
    }

    /// Cuts the run unless this holds.
    pub fn assume(&mut self, condition: impl Into<Expr>) {
        self.block.push(Statement::Assume(condition.into()));
    }

    /// Fails unless this holds.
    pub fn assert(&mut self, condition: impl Into<Expr>, message: &str) {
        self.block.push(Statement::Assert(condition.into(), message.to_owned()));
    }

    /// Ends the thread.
    pub fn exit(&mut self) {
        self.block.push(Statement::Exit);
    }

    /// What is done only if this holds.
    pub fn when(&mut self, condition: impl Into<Expr>, then: impl FnOnce(&mut Self)) {
        self.when_else(condition, then, |_| {});
    }

    /// What is done if this holds, and if not.
    pub fn when_else(
        &mut self,
        condition: impl Into<Expr>,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let (then, otherwise) = (self.inside(then), self.inside(otherwise));
        self.block.push(Statement::If(condition.into(), then, otherwise));
    }

    /// What is done again and again, until a break.
    pub fn repeat(&mut self, body: impl FnOnce(&mut Self)) {
        let body = self.inside(body);
        self.block.push(Statement::Loop(body));
    }

    /// What is done `times` times.
    pub fn times(&mut self, times: i64, body: impl FnOnce(&mut Self)) {
        let round = self.local("round", 0);
        self.repeat(|t| {
            t.break_if(round.at_least(times));
            body(t);
            t.set(round, round + 1);
        });
    }

    /// Leaves the innermost loop.
    pub fn break_now(&mut self) {
        self.block.push(Statement::Break);
    }

    /// Leaves the innermost loop if this holds.
    pub fn break_if(&mut self, condition: impl Into<Expr>) {
        self.when(condition, Self::break_now);
    }
}
