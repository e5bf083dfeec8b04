//! From a sketch to code, refusing what has no meaning.

mod evaluate;
mod liveness;
mod meetings;

use crate::check;
use crate::code::{BodyCode, Cells, Code, Guarded, Instruction, Keep, Register, Selection, Visible, What, ZERO};
use crate::error::BuildError;
use crate::print;
use crate::sketch::{
    self, Action, Block, Body, Declaration, Expr, Local, ObjectKind, ObjectRef, Place, Sketch, Spawned, Statement,
};
use meetings::is_crowded;
use model::{Counting, Idle, KINDS, OpKind, Order, Orders, Pattern, Site};
use std::collections::{HashMap, VecDeque};

type Result<T> = std::result::Result<T, BuildError>;

/// Compiles a sketch whose declarations have been [checked](crate::check).
pub(crate) fn compile(sketch: &Sketch) -> Result<Code> {
    let mut code = Code::default();
    let first = check::declare(sketch, &mut code)?;
    let mut queue = VecDeque::new();
    for template in &sketch.templates {
        enqueue(&mut code, &mut queue, template.name.clone(), &template.body);
    }
    for (n, thread) in sketch.threads.iter().enumerate() {
        let name = thread.name.clone().unwrap_or_else(|| format!("p{n}"));
        code.initial.push(code.bodies.len());
        enqueue(&mut code, &mut queue, name, &thread.body);
    }
    while let Some((number, body)) = queue.pop_front() {
        check::locals(sketch, body)?;
        BodyCompiler::new(sketch, &first, body, &mut code, &mut queue).compile(number)?;
    }
    liveness::find_live(&mut code);
    Ok(code)
}

fn enqueue<'s>(code: &mut Code, queue: &mut VecDeque<(usize, &'s Body)>, name: String, body: &'s Body) -> usize {
    let number = code.bodies.len();
    code.bodies.push(BodyCode { name, entry: 0, registers: Vec::new() });
    queue.push_back((number, body));
    number
}

/// Compiles one body. Spawned bodies that stand in it are put in the queue, because code of one body is contiguous.
struct BodyCompiler<'a, 's> {
    sketch: &'s Sketch,
    first: &'a [u32],
    body: &'s Body,
    code: &'a mut Code,
    queue: &'a mut VecDeque<(usize, &'s Body)>,
    registers: Vec<i64>,
    constants: HashMap<i64, Register>,
    temporaries: Vec<Register>,
    temporaries_in_use: usize,
    /// For each loop around: the jumps out of it, to be given their target at its end.
    breaks: Vec<Vec<usize>>,
    /// The section around, and which of its mutexes.
    section: Option<(ObjectRef, Register)>,
    site: Site,
    /// The memory orders of the statement.
    orders: Orders,
}

impl<'a, 's> BodyCompiler<'a, 's> {
    fn new(
        sketch: &'s Sketch,
        first: &'a [u32],
        body: &'s Body,
        code: &'a mut Code,
        queue: &'a mut VecDeque<(usize, &'s Body)>,
    ) -> Self {
        BodyCompiler {
            sketch,
            first,
            body,
            code,
            queue,
            registers: vec![0; body.locals.len() + 1],
            constants: HashMap::from([(0, ZERO)]),
            temporaries: Vec::new(),
            temporaries_in_use: 0,
            breaks: Vec::new(),
            section: None,
            site: Site::UNKNOWN,
            orders: Orders::default(),
        }
    }

    fn compile(mut self, number: usize) -> Result<()> {
        let entry = self.here();
        self.block(&self.body.block)?;
        self.emit(Instruction::End);
        if self.registers.len() > usize::from(Register::MAX) {
            return Err(BuildError::TooLarge);
        }
        let body = &mut self.code.bodies[number];
        body.entry = entry;
        body.registers = self.registers;
        Ok(())
    }

    fn block(&mut self, block: &'s Block) -> Result<()> {
        block.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &'s Statement) -> Result<()> {
        self.temporaries_in_use = 0;
        self.orders = Orders::default();
        self.site = Site(self.code.sites.len() as u32);
        self.code.sites.push(print::head(self.sketch, self.body, statement));
        if self.section.is_some() && is_visible(self.sketch, statement) {
            return Err(self.error("a section is one step, so it cannot hold another visible operation"));
        }
        match statement {
            Statement::Set(local, value) => {
                let to = self.local(*local)?;
                self.evaluate_into(to, value)?;
            }
            Statement::Act { result, action, orders, place } => {
                self.orders = *orders;
                self.act(*result, action, place)?;
            }
            Statement::Fence(Order::Plain | Order::Relaxed) => {
                return Err(self.error("a fence acquires, releases, or both"));
            }
            Statement::Fence(order) => {
                self.orders = Orders::of(*order);
                self.visible(What::Plain(OpKind::Fence), Cells::NONE, None, Keep::Nothing)?;
            }
            Statement::Section(mutex, body) => self.section(mutex, body)?,
            Statement::Spawn { handle, what } => self.spawn(*handle, what)?,
            Statement::Join(thread) => {
                let what = What::Join(self.evaluate(thread)?);
                self.visible(what, Cells::NONE, None, Keep::Nothing)?;
            }
            Statement::Yield => self.visible(What::Plain(OpKind::Yield), Cells::NONE, None, Keep::Nothing)?,
            Statement::Choose { alternatives: 0, .. } => return Err(self.error("there is nothing to choose from")),
            Statement::Choose { result, alternatives } => {
                let what = What::Plain(OpKind::Choose(*alternatives));
                self.visible(what, Cells::NONE, *result, Keep::Alternative)?;
            }
            Statement::Select(arms) => self.select(arms)?,
            Statement::Assume(condition) => {
                let condition = self.evaluate(condition)?;
                self.emit(Instruction::Assume(condition));
            }
            Statement::Assert(condition, message) => {
                let condition = self.evaluate(condition)?;
                self.code.messages.push(message.clone());
                let message = self.code.messages.len() as u32 - 1;
                self.emit(Instruction::Assert { condition, message });
            }
            Statement::Exit => self.emit(Instruction::End),
            Statement::If(condition, then, otherwise) => self.branch(condition, then, otherwise)?,
            Statement::Loop(body) => {
                let start = self.here();
                self.breaks.push(Vec::new());
                self.block(body)?;
                self.emit(Instruction::Jump(start));
                for jump in self.breaks.pop().unwrap_or_default() {
                    self.land(jump);
                }
            }
            Statement::Break => {
                let jump = self.code.instructions.len();
                match self.breaks.last_mut() {
                    Some(breaks) => breaks.push(jump),
                    None => return Err(self.error("there is no loop to leave")),
                }
                self.emit(Instruction::Jump(0));
            }
        }
        Ok(())
    }

    fn branch(&mut self, condition: &'s Expr, then: &'s Block, otherwise: &'s Block) -> Result<()> {
        let skip = self.jump_unless(condition)?;
        self.block(then)?;
        if otherwise.is_empty() {
            self.land(skip);
            return Ok(());
        }
        let end = self.code.instructions.len();
        self.emit(Instruction::Jump(0));
        self.land(skip);
        self.block(otherwise)?;
        self.land(end);
        Ok(())
    }

    /// Each arm begins with an operation on an object, which is asked for together with those of the others.
    fn select(&mut self, arms: &'s [Block]) -> Result<()> {
        let begins = |arm: &Block| arm.first().is_some_and(|first| can_begin_arm(&self.sketch.objects, first));
        if arms.is_empty() || !arms.iter().all(begins) {
            return Err(self.error("an arm begins with one operation on an object"));
        }
        let Ok(count) = u16::try_from(arms.len()) else { return Err(BuildError::TooLarge) };
        let first = self.code.arms.len();
        self.code.arms.resize(first + arms.len(), 0);
        self.emit(Instruction::Select { first: first as u32, count });
        let mut ends = Vec::new();
        for (n, arm) in arms.iter().enumerate() {
            self.code.arms[first + n] = self.here();
            self.block(arm)?;
            ends.push(self.code.instructions.len());
            self.emit(Instruction::Jump(0));
        }
        ends.into_iter().for_each(|end| self.land(end));
        Ok(())
    }

    fn act(&mut self, result: Option<Local>, action: &Action, place: &Place) -> Result<()> {
        let kind = self.kind(place.object)?;
        if !action.fits(kind) {
            return Err(self.error("the operation does not fit the object"));
        }
        if result.is_some() && !action.has_result() {
            return Err(self.error("the operation has no result"));
        }
        let is_guarded = matches!(kind, ObjectKind::Guarded { .. });
        if !action.allows(self.orders) || is_guarded && self.orders != Orders::default() {
            return Err(self.error("the operation cannot have this memory order"));
        }
        if let ObjectKind::Guarded { by } = kind {
            return self.touch(by, result, action, place);
        }
        use OpKind::*;
        let object = self.place(place)?;
        let (what, keep) = match action {
            Action::Read if self.orders.success == Order::Plain => (What::Plain(PlainRead), Keep::Before),
            Action::Read => (What::Plain(Read), Keep::Before),
            Action::Write(value) if self.orders.success == Order::Plain => {
                (What::PlainWrite(self.evaluate(value)?), Keep::Nothing)
            }
            Action::Write(value) => (What::Write(self.evaluate(value)?), Keep::Nothing),
            Action::FetchAdd(by) => (What::FetchAdd(self.evaluate(by)?), Keep::Before),
            Action::Fetch(function, operand) => (What::Fetch(*function, self.evaluate(operand)?), Keep::Before),
            Action::Upgrade => (What::Plain(Count(Counting::Upgrade)), Keep::Success),
            Action::Unwrap => (What::Plain(Count(Counting::Unwrap)), Keep::Success),
            Action::Drained => (What::Plain(Drained), Keep::Nothing),
            Action::CellRead => (What::Plain(CellRead), Keep::Nothing),
            Action::CellWrite => (What::Plain(CellWrite), Keep::Nothing),
            Action::Swap(new) => (What::Swap(self.evaluate(new)?), Keep::Before),
            Action::CompareExchange(expected, new) => {
                (What::CompareExchange(self.evaluate(expected)?, self.evaluate(new)?), Keep::Before)
            }
            Action::Add(by) => (What::Add(self.evaluate(by)?), Keep::Nothing),
            Action::AwaitEqual(value) => (What::AwaitEqual(self.evaluate(value)?), Keep::Before),
            Action::AwaitNotEqual(value) => (What::AwaitNotEqual(self.evaluate(value)?), Keep::Before),
            Action::Lock => (What::Plain(Lock), Keep::Nothing),
            Action::TryLock => (What::Plain(TryLock), Keep::Success),
            Action::Unlock => (What::Plain(Unlock), Keep::Nothing),
            Action::ReadLock => (What::Plain(ReadLock), Keep::Nothing),
            Action::TryReadLock => (What::Plain(TryReadLock), Keep::Success),
            Action::ReadUnlock => (What::Plain(ReadUnlock), Keep::Nothing),
            Action::WriteLock => (What::Plain(WriteLock), Keep::Nothing),
            Action::TryWriteLock => (What::Plain(TryWriteLock), Keep::Success),
            Action::WriteUnlock => (What::Plain(WriteUnlock), Keep::Nothing),
            Action::Downgrade => (What::Plain(Downgrade), Keep::Nothing),
            Action::Wait(mutex) | Action::WaitTimeout(mutex) => {
                if self.kind(mutex.object)? != ObjectKind::Mutex {
                    return Err(self.error("a wait needs a mutex"));
                }
                let mutex = self.place(mutex)?;
                self.visible(What::Wait(mutex), object, None, Keep::Nothing)?;
                self.visible(What::Plain(Unlock), mutex, None, Keep::Nothing)?;
                if let Action::Wait(_) = action {
                    return self.visible(What::Relock(object), mutex, None, Keep::Nothing);
                }
                self.visible(What::Plain(StopWaiting), object, result, Keep::Success)?;
                return self.visible(What::Plain(Lock), mutex, None, Keep::Nothing);
            }
            Action::NotifyOne => (What::Plain(NotifyOne), Keep::Nothing),
            Action::NotifyAll => (What::Plain(NotifyAll), Keep::Nothing),
            Action::Acquire => (What::Plain(Acquire), Keep::Nothing),
            Action::TryAcquire => (What::Plain(TryAcquire), Keep::Success),
            Action::Release => (What::Plain(Release), Keep::Nothing),
            Action::CountDown => (What::Plain(CountDown), Keep::Nothing),
            Action::PassLatch => (What::Plain(PassLatch), Keep::Nothing),
            Action::Init | Action::Destroy | Action::Free => {
                self.code.has_lives = true;
                let idle = match kind {
                    ObjectKind::Semaphore => Idle::Always,
                    ObjectKind::Barrier { parties } => Idle::AtMultiplesOf(parties),
                    _ => Idle::AtZero,
                };
                let initial = self.sketch.objects[place.object.0 as usize].initial_of(0) as u64;
                let kind = match action {
                    Action::Init => Init(initial),
                    Action::Destroy => Destroy(idle),
                    _ => Free,
                };
                (What::Plain(kind), Keep::Nothing)
            }
            Action::Send { kind, .. } if *kind >= KINDS => return Err(self.error("there is no such kind of message")),
            Action::Send { kind, number } => {
                (What::Send { kind: *kind, number: self.evaluate(number)? }, Keep::Nothing)
            }
            Action::Receive(selection) => (What::Receive(self.selection(selection)?), Keep::Message),
            Action::TryReceive(selection) => (What::TryReceive(self.selection(selection)?), Keep::Message),
            Action::Meet => {
                let ObjectKind::Barrier { parties } = kind else { unreachable!("it fits") };
                let arrivals = self.temporary();
                let ordered = result.is_some() || is_crowded(self.sketch, place.object, parties);
                self.visible_to(What::Arrive { parties, ordered }, object, arrivals, Keep::Before);
                (What::Pass { parties, arrivals }, Keep::WasLast { parties, arrivals })
            }
        };
        self.visible(what, object, result, keep)
    }

    fn selection(&mut self, selection: &sketch::Selection) -> Result<Selection> {
        if selection.kinds.iter().any(|&kind| kind >= KINDS) {
            return Err(self.error("there is no such kind of message"));
        }
        let kinds = match selection.kinds[..] {
            [] => Pattern::ANY,
            ref kinds => Pattern::of_kinds(kinds.iter().copied()),
        };
        let number = selection.number.as_ref().map(|number| self.evaluate(number)).transpose()?;
        Ok(Selection { kinds, number })
    }

    /// Reads or writes a guarded cell, which must be in a section of its mutex.
    fn touch(&mut self, by: ObjectRef, result: Option<Local>, action: &Action, place: &Place) -> Result<()> {
        let Some((mutex, index)) = self.section.filter(|&(mutex, _)| mutex == by) else {
            return Err(self.error("a guarded cell can only be touched in a section of its mutex or region"));
        };
        let each = self.sketch.objects[mutex.0 as usize].len() > 1;
        let cells = self.place(place)?;
        self.code.guarded.push(Guarded { cells, section: each.then_some(index) });
        let guarded = self.code.guarded.len() as u32 - 1;
        match action {
            Action::Write(value) => {
                let from = self.evaluate(value)?;
                self.emit(Instruction::Store { from, guarded });
            }
            _ => {
                let to = match result {
                    Some(local) => self.local(local)?,
                    None => self.temporary(),
                };
                self.emit(Instruction::Load { to, guarded });
            }
        }
        Ok(())
    }

    fn section(&mut self, mutex: &'s Place, body: &'s Block) -> Result<()> {
        let kind = match self.kind(mutex.object)? {
            ObjectKind::Mutex => OpKind::Section,
            ObjectKind::Region => OpKind::Atomic,
            _ => return Err(self.error("a section needs a mutex or a region")),
        };
        let mut object = self.place(mutex)?;
        if object.index != ZERO {
            // Statements inside may change the locals that the index came from, or reuse the temporary.
            let kept = self.register(0);
            self.emit(Instruction::Copy { to: kept, from: object.index });
            object.index = kept;
        }
        self.visible(What::Plain(kind), object, None, Keep::Nothing)?;
        self.section = Some((mutex.object, object.index));
        self.block(body)?;
        self.section = None;
        Ok(())
    }

    fn spawn(&mut self, handle: Option<Local>, what: &'s Spawned) -> Result<()> {
        let first_argument = self.code.arguments.len() as u32;
        let (body, arguments) = match what {
            Spawned::Template(number, arguments) => {
                let template = self.sketch.templates.get(*number);
                let parameters = template.map(|t| t.parameters).ok_or_else(|| self.error("no such template"))?;
                if parameters != arguments.len() {
                    return Err(self.error("the template has another number of parameters"));
                }
                let registers: Result<Vec<_>> = arguments.iter().map(|a| self.evaluate(a)).collect();
                self.code.arguments.extend(registers?);
                (*number, arguments.len() as u16)
            }
            Spawned::Inline(body) => (enqueue(self.code, self.queue, "child".to_owned(), body), 0),
        };
        let what = What::Spawn { body: body as u32, first_argument, arguments };
        match handle {
            Some(_) => self.visible(what, Cells::NONE, handle, Keep::Child),
            None => {
                let unwanted = self.temporary();
                self.visible_to(what, Cells::NONE, unwanted, Keep::Child);
                Ok(())
            }
        }
    }

    fn visible(&mut self, what: What, object: Cells, result: Option<Local>, keep: Keep) -> Result<()> {
        match result {
            Some(local) => {
                let result = self.local(local)?;
                self.visible_to(what, object, result, keep);
            }
            None => {
                // A result that nobody wants still has a place to go, so that the interpreter need not ask.
                let unwanted = self.temporary();
                self.visible_to(what, object, unwanted, Keep::Nothing);
            }
        }
        Ok(())
    }

    fn visible_to(&mut self, what: What, object: Cells, result: Register, keep: Keep) {
        self.code.visibles.push(Visible { what, object, result, keep, site: self.site, orders: self.orders });
        self.emit(Instruction::Visible(self.code.visibles.len() as u32 - 1));
    }

    fn kind(&self, object: ObjectRef) -> Result<ObjectKind> {
        let declared = self.sketch.objects.get(object.0 as usize);
        declared.map(|d| d.kind).ok_or_else(|| self.error("no such object"))
    }

    fn place(&mut self, place: &Place) -> Result<Cells> {
        self.kind(place.object)?;
        let declared = &self.sketch.objects[place.object.0 as usize];
        let index = match (&place.index, declared.size) {
            (None, None) => ZERO,
            (Some(index), Some(_)) => self.evaluate(index)?,
            (None, Some(_)) => return Err(self.error("an array needs an index")),
            (Some(_), None) => return Err(self.error("only an array takes an index")),
        };
        Ok(Cells { first: self.first[place.object.0 as usize], len: declared.len(), index })
    }

    fn error(&self, problem: &'static str) -> BuildError {
        let statement = self.code.sites.last().cloned().unwrap_or_default();
        BuildError::Statement { statement, problem }
    }
}

/// Whether a statement is, by itself, a visible operation.
fn is_visible(sketch: &Sketch, statement: &Statement) -> bool {
    use Statement::*;
    match statement {
        Act { place, .. } => {
            let declared = sketch.objects.get(place.object.0 as usize);
            !declared.is_some_and(|d| matches!(d.kind, ObjectKind::Guarded { .. }))
        }
        Section(..) | Spawn { .. } | Join(_) | Yield | Choose { .. } | Fence(_) => true,
        Select(_) => true,
        Set(..) | Assume(_) | Assert(..) | Exit | If(..) | Loop(_) | Break => false,
    }
}

/// Whether a statement may be the first of an arm. A wait or a meeting begins with a step that others see before it can
/// be told whether the thread goes on; and what comes of a release, or of an operation by which an object begins or ends its
/// life, depends on more than the word of the object.
pub(crate) fn can_begin_arm(objects: &[Declaration], statement: &Statement) -> bool {
    use Action::*;
    let Statement::Act { action, place, .. } = statement else { return false };
    let declared = objects.get(place.object.0 as usize);
    !declared.is_some_and(|declared| matches!(declared.kind, ObjectKind::Guarded { .. }))
        && !matches!(
            action,
            Wait(_) | WaitTimeout(_) | Meet | Unlock | ReadUnlock | WriteUnlock | Downgrade | Init | Destroy | Free
        )
}
