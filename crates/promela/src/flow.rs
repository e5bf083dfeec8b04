//! The control flow of a process, in the elements that SPIN makes of it.
//!
//! Which points of a process count as states decides how many states a model has. So the elements are those of SPIN: a
//! selection is one, and a `.` behind it where its options meet; a loop is a `.` before it, itself, and a `break`
//! behind it; a block is one, with a sequence of its own. `automaton` leaves out those that nobody can stand at.

mod atomic;
mod escapes;
mod loops;
mod simple;

use crate::ast::{Binary, Block, Decl, Expr, Initial, Name, Stmt, StmtKind, Type, VarRef};
use crate::code::{Base, Code, Op, Place, Setup, Target};
use crate::lower::{Lowered, Lowering, Uses};
use crate::scope::{Symbol, messages, width};
use crate::text::{Pos, Problem};
use simple::simple_statement;
use std::sync::Arc;

/// Jumps that lead to each other in a circle are given up after so many.
pub(crate) const MOST_HOPS: usize = 500;

/// An element, by its place in [`Flow::elements`].
pub(crate) type El = usize;

/// A sequence, by its place in [`Flow::sequences`].
pub(crate) type Seq = usize;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sequence {
    pub(crate) first: Option<El>,
    pub(crate) last: Option<El>,
    /// The last element before the one where options meet was put behind it.
    pub(crate) extent: Option<El>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sub {
    Atomic,
    Block,
    DStep,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Leaf(Op),
    /// A jump, by its place in [`Flow::jumps`].
    Goto(usize),
    /// Where options meet.
    Dot,
    /// What a `break` leads to.
    Break,
    Choice(Vec<Seq>),
    /// What is done, and what it is left for.
    Unless(Seq, Seq),
    Sub(Sub, Seq),
}

#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) kind: Kind,
    pub(crate) next: Option<El>,
    pub(crate) pos: Pos,
    /// Within `atomic`, and not its last step.
    pub(crate) atomic: bool,
    /// The last step of an `atomic`.
    pub(crate) ends_atomic: bool,
    pub(crate) in_dstep: bool,
    pub(crate) escapes: Vec<Seq>,
    pub(crate) uses: Uses,
}

struct Label {
    name: Name,
    scope: Vec<u32>,
    element: El,
}

struct Jump {
    pos: Pos,
    to: JumpTo,
    /// Out of the loop that a `select` is.
    of_select: bool,
}

enum JumpTo {
    Label(Name, Vec<u32>),
    Known(El),
    Loop(usize),
}

/// The flow of one process.
pub(crate) struct Flow {
    pub(crate) elements: Vec<Element>,
    pub(crate) sequences: Vec<Sequence>,
    jumps: Vec<Jump>,
    labels: Vec<Label>,
    /// Where the loops that are open are left to.
    loops: Vec<usize>,
    /// The `break` of every loop.
    breaks: Vec<Option<El>>,
    pub(crate) body: Seq,
    /// Variables, in the order of their numbers.
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) setup: Vec<Setup>,
    /// Bytes of variables so far.
    pub(crate) size: u32,
    /// Declarations are no statements yet.
    before_statements: bool,
    scope: Vec<u32>,
    blocks: u32,
    in_claim: bool,
    /// Labels that other processes look at.
    watched: Vec<Name>,
}

/// Labels that mean something.
pub(crate) struct Marks {
    pub(crate) accept: bool,
    pub(crate) end: bool,
    pub(crate) progress: bool,
}

impl Flow {
    /// The flow of a process. The scope of its parameters must be open.
    pub(crate) fn new(
        lowering: &mut Lowering<'_>,
        parameters: &[Decl],
        body: &Block,
        pos: Pos,
        in_claim: bool,
        watched: &[Name],
    ) -> Lowered<Flow> {
        let mut flow = Flow {
            elements: Vec::new(),
            sequences: vec![Sequence::default()],
            jumps: Vec::new(),
            labels: Vec::new(),
            loops: Vec::new(),
            breaks: Vec::new(),
            body: 0,
            symbols: Vec::new(),
            setup: Vec::new(),
            size: 0,
            before_statements: true,
            scope: Vec::new(),
            blocks: 0,
            in_claim,
            watched: watched.to_vec(),
        };
        for parameter in parameters {
            if parameter.array.is_some() {
                let message = format!("the parameter {} is an array, which cannot be", parameter.name);
                return Err(Problem::new(parameter.pos, message).wide(parameter.name.len()));
            }
            flow.declare(lowering, parameter)?;
        }
        flow.statements(lowering, body, 0)?;
        let end = flow.leaf(Op::End, pos);
        flow.append(0, end);
        flow.sequences[0].extent = flow.sequences[0].last;
        flow.tie_ends();
        flow.resolve()?;
        flow.patch_atomic();
        Ok(flow)
    }

    // ---- elements and sequences ----

    fn element(&mut self, kind: Kind, pos: Pos) -> El {
        self.elements.push(Element {
            kind,
            next: None,
            pos,
            atomic: false,
            ends_atomic: false,
            in_dstep: false,
            escapes: Vec::new(),
            uses: Uses::default(),
        });
        self.elements.len() - 1
    }

    fn leaf(&mut self, op: Op, pos: Pos) -> El {
        self.element(Kind::Leaf(op), pos)
    }

    fn sequence(&mut self) -> Seq {
        self.sequences.push(Sequence::default());
        self.sequences.len() - 1
    }

    fn append(&mut self, seq: Seq, element: El) {
        match self.sequences[seq].last {
            Some(last) => self.elements[last].next = Some(element),
            None => self.sequences[seq].first = Some(element),
        }
        self.sequences[seq].last = Some(element);
    }

    /// The elements of a sequence itself.
    pub(crate) fn elements_of(&self, seq: Seq) -> Vec<El> {
        let Sequence { first, last, .. } = self.sequences[seq];
        let mut found = Vec::new();
        let mut here = first;
        while let Some(element) = here {
            found.push(element);
            if Some(element) == last {
                break;
            }
            here = self.elements[element].next;
        }
        found
    }

    /// A statement that was lowered, with what it uses.
    fn put(&mut self, lowering: &mut Lowering<'_>, seq: Seq, op: Op, pos: Pos) -> El {
        let element = self.leaf(op, pos);
        self.elements[element].uses = std::mem::take(&mut lowering.uses);
        self.append(seq, element);
        element
    }

    fn goto(&mut self, seq: Seq, to: JumpTo, pos: Pos) -> El {
        self.jumps.push(Jump { pos, to, of_select: false });
        let element = self.element(Kind::Goto(self.jumps.len() - 1), pos);
        self.append(seq, element);
        element
    }

    // ---- declarations ----

    fn declare(&mut self, lowering: &mut Lowering<'_>, decl: &Decl) -> Lowered<Symbol> {
        let symbol = Symbol {
            name: Arc::clone(&decl.name),
            kind: decl.kind.clone(),
            array: decl.array,
            base: Base::Own,
            offset: crate::code::HEAD + self.size,
            number: self.symbols.len(),
            messages: messages(decl),
        };
        self.size += lowering.types.size(&decl.kind) * decl.array.unwrap_or(1);
        self.symbols.push(symbol.clone());
        lowering.scopes.add(decl, symbol.clone())?;
        Ok(symbol)
    }

    fn declaration(&mut self, lowering: &mut Lowering<'_>, decl: &Decl, seq: Seq) -> Lowered<()> {
        let value = match &decl.initial {
            Initial::Value(value) if !self.before_statements => Some(lowering.expression(value)?),
            _ => None,
        };
        let symbol = self.declare(lowering, decl)?;
        if self.before_statements {
            let mut setup = std::mem::take(&mut self.setup);
            lowering.setup(decl, &symbol, &mut setup)?;
            self.setup = setup;
            return Ok(());
        }
        // Among statements, a declaration is an assignment.
        let place = Place { base: Base::Own, offset: symbol.offset, width: width(&decl.kind) };
        let op = match (&decl.initial, value) {
            (Initial::Channel(_), _) => {
                return Err(Problem::new(decl.pos, format!("the channel {} is made among statements", decl.name))
                    .wide(decl.name.len())
                    .help("move the declaration to the start of the proctype"));
            }
            (Initial::Elements(values), _) => {
                let size = lowering.types.size(&decl.kind);
                let places = (0..).map(|number| Place { offset: place.offset + number * size, ..place });
                Op::Fill(places.zip(values.iter().copied()).take(decl.array.unwrap_or(1) as usize).collect())
            }
            (_, Some(value)) => Op::Assign(Target::Place(place), value),
            (_, None) if matches!(decl.kind, Type::Struct(_)) => Op::Fill(Vec::new()),
            (_, None) => Op::Assign(Target::Place(place), Code::Const(0)),
        };
        if crate::lower::is_local_scalar(&symbol) {
            lowering.uses.writes.push(symbol.number);
        }
        self.put(lowering, seq, op, decl.pos);
        Ok(())
    }

    // ---- statements ----

    fn statements(&mut self, lowering: &mut Lowering<'_>, block: &Block, seq: Seq) -> Lowered<()> {
        for statement in &block.steps {
            self.statement(lowering, statement, seq)?;
        }
        Ok(())
    }

    /// A `{ … }` with names of its own.
    fn block(&mut self, lowering: &mut Lowering<'_>, block: &Block, seq: Seq) -> Lowered<()> {
        self.before_statements = false;
        lowering.scopes.open();
        self.blocks += 1;
        self.scope.push(self.blocks);
        let result = self.statements(lowering, block, seq);
        self.scope.pop();
        lowering.scopes.close();
        result
    }

    fn close(&mut self, seq: Seq, pos: Pos) -> Lowered<()> {
        self.sequences[seq].extent = self.sequences[seq].last;
        match self.sequences[seq].last {
            Some(_) => Ok(()),
            None => Err(Problem::new(pos, "a sequence has at least one statement").help("`skip` does nothing")),
        }
    }

    /// As in SPIN, the first step of a block has no label: that is the block's.
    fn check_start(&self, seq: Seq, pos: Pos, instead: &str) -> Lowered<()> {
        let first = self.sequences[seq].first;
        match self.labels.iter().find(|label| Some(label.element) == first) {
            Some(label) => Err(Problem::new(pos, format!("the first step has the label {}", label.name))
                .help(format!("put the label before {instead}"))),
            None => Ok(()),
        }
    }

    /// Adds a statement, and says which element a label before it belongs to.
    fn statement(&mut self, lowering: &mut Lowering<'_>, statement: &Stmt, seq: Seq) -> Lowered<Option<El>> {
        let pos = statement.pos;
        if let StmtKind::Decl(decls) = &statement.kind {
            for decl in decls {
                self.declaration(lowering, decl, seq)?;
            }
            return Ok(None);
        }
        if let StmtKind::Exclusive = statement.kind {
            return Ok(None);
        }
        let op = match &statement.kind {
            StmtKind::Decl(_) | StmtKind::Exclusive => unreachable!("handled above"),
            StmtKind::Label(name, inner) => return self.labelled(lowering, name, inner, seq).map(Some),
            StmtKind::If(options) => return self.choice(lowering, options, pos, false, seq).map(Some),
            StmtKind::Do(options) => return self.choice(lowering, options, pos, true, seq).map(Some),
            StmtKind::Unless(main, escape) => return self.unless(lowering, main, escape, pos, seq).map(Some),
            StmtKind::Atomic(block) => return self.sub(lowering, Sub::Atomic, block, pos, seq).map(Some),
            StmtKind::DStep(block) => return self.sub(lowering, Sub::DStep, block, pos, seq).map(Some),
            StmtKind::Block(block) => return self.sub(lowering, Sub::Block, block, pos, seq).map(Some),
            StmtKind::For { variable, from, to, body } => {
                return self.counting(lowering, variable, from, to, body, pos, seq).map(Some);
            }
            StmtKind::ForIn { variable, of, body } => {
                return self.for_in(lowering, variable, of, body, pos, seq).map(Some);
            }
            StmtKind::Select { variable, from, to } => {
                return self.select(lowering, variable, from, to, pos, seq).map(Some);
            }
            StmtKind::Goto(label) => {
                self.before_statements = false;
                let to = JumpTo::Label(Arc::clone(label), self.scope.clone());
                return Ok(Some(self.goto(seq, to, pos)));
            }
            StmtKind::Break => {
                self.before_statements = false;
                let Some(innermost) = self.loops.last() else {
                    return Err(Problem::new(pos, "`break` outside of a loop").wide(5));
                };
                return Ok(Some(self.goto(seq, JumpTo::Loop(*innermost), pos)));
            }
            simple => simple_statement(lowering, simple, pos)?,
        };
        self.before_statements = false;
        Ok(Some(self.put(lowering, seq, op, pos)))
    }

    fn labelled(&mut self, lowering: &mut Lowering<'_>, name: &Name, inner: &Stmt, seq: Seq) -> Lowered<El> {
        let element = match self.statement(lowering, inner, seq)? {
            Some(element) => element,
            None => self.put(lowering, seq, Op::Skip, inner.pos),
        };
        if self.labels.iter().any(|label| label.name == *name && label.scope == self.scope) {
            return Err(Problem::new(inner.pos, format!("the label {name} is declared twice")));
        }
        // A jump with a label that means something is a state of its own: the label's.
        let is_marked =
            self.watched.contains(name) || ["accept", "end", "progress"].iter().any(|mark| name.starts_with(mark));
        if is_marked && matches!(self.elements[element].kind, Kind::Goto(_)) {
            let jump = self.element(self.elements[element].kind.clone(), self.elements[element].pos);
            self.elements[element].kind = Kind::Leaf(Op::Skip);
            self.append(seq, jump);
        }
        self.labels.push(Label { name: Arc::clone(name), scope: self.scope.clone(), element });
        Ok(element)
    }

    fn option(&mut self, lowering: &mut Lowering<'_>, block: &Block, pos: Pos) -> Lowered<Seq> {
        let seq = self.sequence();
        self.before_statements = false;
        self.statements(lowering, block, seq)?;
        self.close(seq, pos)?;
        Ok(seq)
    }

    fn choice(
        &mut self,
        lowering: &mut Lowering<'_>,
        blocks: &[Block],
        pos: Pos,
        is_loop: bool,
        seq: Seq,
    ) -> Lowered<El> {
        if is_loop {
            self.open_loop();
        }
        let mut options = Vec::new();
        for block in blocks {
            let option = self.option(lowering, block, block.steps.first().map_or(pos, |step| step.pos))?;
            if !self.in_claim {
                self.prune_skips(option);
            }
            options.push(option);
        }
        self.put_choice(options, pos, is_loop, seq)
    }

    fn open_loop(&mut self) {
        self.breaks.push(None);
        self.loops.push(self.breaks.len() - 1);
    }

    /// Puts a selection or a loop of these options behind a sequence.
    fn put_choice(&mut self, mut options: Vec<Seq>, pos: Pos, is_loop: bool, seq: Seq) -> Lowered<El> {
        let is_else = |flow: &Flow, option: Seq| {
            let first = flow.sequences[option].first;
            first.is_some_and(|first| matches!(flow.elements[first].kind, Kind::Leaf(Op::Else)))
        };
        // `else` is asked last, wherever it stands.
        let (mut last, mut others): (Vec<_>, Vec<_>) = options.drain(..).partition(|option| is_else(self, *option));
        if last.len() > 1 {
            return Err(Problem::new(pos, "a selection has at most one `else`"));
        }
        others.append(&mut last);
        let choice = self.element(Kind::Choice(others.clone()), pos);
        let meet = self.element(Kind::Dot, pos);
        for option in others {
            self.append(option, meet);
        }
        if is_loop {
            self.append(seq, meet);
            self.append(seq, choice);
            let exit = self.element(Kind::Break, pos);
            let innermost = self.loops.pop().expect("the loop is open");
            self.breaks[innermost] = Some(exit);
            self.append(seq, exit);
        } else {
            self.append(seq, choice);
            self.append(seq, meet);
        }
        Ok(choice)
    }

    /// Of several `skip`s in a row, SPIN keeps the first.
    fn prune_skips(&mut self, seq: Seq) {
        let Sequence { first, last, .. } = self.sequences[seq];
        let mut before: Option<El> = None;
        let mut skips = 0;
        for element in self.elements_of(seq) {
            let prints = matches!(self.elements[element].kind, Kind::Leaf(Op::Print(..)));
            let is_skip = prints || matches!(self.elements[element].kind, Kind::Leaf(Op::Skip));
            let is_labelled = self.labels.iter().any(|label| label.element == element);
            skips = if is_skip && !is_labelled { skips + 1 } else { 0 };
            let removable = skips > 1 && Some(element) != first && Some(element) != last;
            // `printf` is kept, though it changes nothing either.
            if removable && !prints {
                let before = before.expect("the first is kept");
                self.elements[before].next = self.elements[element].next;
            } else {
                before = Some(element);
            }
        }
    }

    fn sub(&mut self, lowering: &mut Lowering<'_>, sub: Sub, block: &Block, pos: Pos, seq: Seq) -> Lowered<El> {
        let inner = self.sequence();
        self.block(lowering, block, inner)?;
        self.close(inner, pos)?;
        self.check_start(inner, pos, "the block")?;
        let element = self.element(Kind::Sub(sub, inner), pos);
        if sub != Sub::Block {
            self.make_atomic(inner, sub == Sub::DStep);
        }
        self.append(seq, element);
        Ok(element)
    }

    /// A statement as a sequence of its own; a block is its own sequence already.
    fn wrapped(&mut self, lowering: &mut Lowering<'_>, statement: &Stmt) -> Lowered<Seq> {
        let seq = self.sequence();
        match &statement.kind {
            StmtKind::Block(block) => {
                self.block(lowering, block, seq)?;
                self.check_start(seq, statement.pos, "the block")?;
            }
            _ => {
                self.before_statements = false;
                self.statement(lowering, statement, seq)?;
                self.check_start(seq, statement.pos, "braces around the `unless`")?;
            }
        }
        self.close(seq, statement.pos)?;
        Ok(seq)
    }

    // ---- ends and jumps ----

    /// The last element of a block goes on where the block does. Outer blocks, which were made later, come first.
    fn tie_ends(&mut self) {
        for element in (0..self.elements.len()).rev() {
            let Kind::Sub(_, inner) = self.elements[element].kind else { continue };
            let last = self.sequences[inner].last.expect("a closed sequence has an element");
            if self.elements[last].next.is_none() {
                self.elements[last].next = self.elements[element].next;
            }
        }
    }

    fn resolve(&mut self) -> Lowered<()> {
        for index in 0..self.jumps.len() {
            let element = match &self.jumps[index].to {
                JumpTo::Known(_) => continue,
                JumpTo::Loop(number) => self.breaks[*number].expect("every loop has its end"),
                JumpTo::Label(name, scope) => match self.find_label(name, scope) {
                    Some(element) => element,
                    None => {
                        let message = format!("there is no label {name}");
                        return Err(Problem::new(self.jumps[index].pos, message).wide(4));
                    }
                },
            };
            self.jumps[index].to = JumpTo::Known(element);
        }
        Ok(())
    }

    /// The label that a jump means: of its own block, or of the nearest around it, or any.
    fn find_label(&self, name: &str, scope: &[u32]) -> Option<El> {
        let named = || self.labels.iter().filter(|label| &*label.name == name);
        let around = named().filter(|label| scope.starts_with(&label.scope)).max_by_key(|label| label.scope.len());
        around.or_else(|| named().next()).map(|label| label.element)
    }

    /// The element of a label, for references from other processes.
    pub(crate) fn label(&self, name: &str) -> Option<El> {
        self.labels.iter().find(|label| &*label.name == name).map(|label| label.element)
    }

    /// A jump out of a `select`, which SPIN does not count among jumps.
    pub(crate) fn is_of_select(&self, jump: usize) -> bool {
        self.jumps[jump].of_select
    }

    pub(crate) fn target(&self, jump: usize) -> El {
        match self.jumps[jump].to {
            JumpTo::Known(element) => element,
            JumpTo::Label(..) | JumpTo::Loop(_) => unreachable!("jumps are resolved when the flow is made"),
        }
    }

    /// Where an element leads that is no step.
    pub(crate) fn hop(&self, element: El) -> Option<El> {
        let found = &self.elements[element];
        match &found.kind {
            Kind::Goto(jump) => Some(self.target(*jump)),
            Kind::Dot | Kind::Break => found.next,
            Kind::Unless(main, _) => self.sequences[*main].first,
            Kind::Leaf(_) | Kind::Choice(_) | Kind::Sub(..) => None,
        }
    }

    /// Follows jumps to where the process stands after a step. A step within an `atomic` does not follow them out of it.
    pub(crate) fn hunt(&self, from: El, in_atomic: bool) -> Lowered<El> {
        let mut here = from;
        for _ in 0..MOST_HOPS {
            match self.hop(here) {
                Some(next) if !in_atomic || self.elements[next].atomic => here = next,
                _ => return Ok(here),
            }
        }
        Err(Problem::new(self.elements[here].pos, "these jumps lead to each other in a circle"))
    }

    /// The first element of a sequence that does something.
    pub(crate) fn start(&self, seq: Seq) -> El {
        let mut here = self.sequences[seq].first.expect("a closed sequence has an element");
        loop {
            let element = &self.elements[here];
            here = match (&element.kind, element.next) {
                (Kind::Dot, Some(next)) => next,
                (Kind::Unless(main, _), _) => self.sequences[*main].first.expect("a sequence has an element"),
                _ => return here,
            };
        }
    }

    /// Whether an option that starts with this is no option.
    pub(crate) fn is_never(&self, start: El) -> bool {
        let found = &self.elements[start];
        matches!(found.kind, Kind::Leaf(Op::Condition(Code::Const(0)))) && found.escapes.is_empty()
    }

    pub(crate) fn marks(&self, element: El) -> Marks {
        let has =
            |prefix: &str| self.labels.iter().any(|label| label.element == element && label.name.starts_with(prefix));
        Marks { accept: has("accept"), end: has("end"), progress: has("progress") }
    }
}
