//! From names to places: expressions and declarations of a model, ready to be run.

use crate::ast::{Argument, ChannelDecl, Decl, Expr, Initial, Name, StructDecl, Type, VarRef};
use crate::code::{
    Base, ChannelType, Code, Index, Indexed, Place, Poll, Receive, Remote, RemoteState, Setup, Target, Variable,
};
use crate::scope::{Scopes, Symbol, Types, width};
use crate::text::{Pos, Problem};
use rustc_hash::FxHashSet;
use std::sync::Arc;

pub(crate) type Lowered<T> = Result<T, Problem>;

/// Local scalars that a statement reads and writes, by their numbers: for the analysis of dead variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses {
    pub(crate) reads: Vec<usize>,
    pub(crate) writes: Vec<usize>,
}

/// What the expressions of all processes share.
pub(crate) struct Lowering<'a> {
    pub(crate) types: &'a Types,
    pub(crate) struct_decls: &'a [StructDecl],
    pub(crate) scopes: Scopes,
    pub(crate) channel_types: Vec<ChannelType>,
    /// Names, and the names and types of parameters, of all proctypes.
    pub(crate) proctypes: &'a [crate::ast::Proctype],
    /// Globals that some expression reads.
    pub(crate) read: FxHashSet<usize>,
    /// Labels that remote references name, with their places in the text.
    pub(crate) remote_labels: Vec<(u8, Name, Pos)>,
    /// Variables of other proctypes that remote references name are looked up when those are made.
    pub(crate) remote_scopes: Vec<Vec<Symbol>>,
    /// The first time that a model is gone through, the variables of other proctypes are not known.
    pub(crate) is_first: bool,
    /// Whether what is read now counts as read: what is only printed does not.
    pub(crate) counts_reads: bool,
    /// So many proctypes stand before what is looked at, or begin there.
    pub(crate) seen_proctypes: usize,
    pub(crate) uses: Uses,
    /// The send with the most values, and how many these are.
    pub(crate) longest_send: Option<(Pos, usize)>,
    pub(crate) in_claim: bool,
    pub(crate) has_timeout: bool,
    pub(crate) has_last: bool,
    pub(crate) has_enabled: bool,
    /// Somebody reads variables of another process.
    pub(crate) has_remote_variables: bool,
}

/// Where a reference leads.
pub(crate) struct Found {
    pub(crate) kind: Type,
    /// An array as a whole.
    pub(crate) array: Option<u32>,
    pub(crate) first: Place,
    pub(crate) indices: Vec<Index>,
    pub(crate) symbol: Symbol,
    /// The variable itself, not a part of it.
    pub(crate) is_whole: bool,
}

impl Lowering<'_> {
    pub(crate) fn proctype(&self, pos: Pos, name: &Name) -> Lowered<u8> {
        let place = self.proctypes.iter().position(|proctype| proctype.name == *name);
        place
            .map(|place| place as u8)
            .ok_or_else(|| Problem::new(pos, format!("there is no proctype {name}")).wide(name.len()))
    }

    /// Follows a reference to its variable.
    pub(crate) fn find(&mut self, reference: &VarRef) -> Lowered<Found> {
        let (name, _) = &reference.parts[0];
        let symbol = self.scopes.find(name).cloned();
        let symbol = symbol.ok_or_else(|| undeclared(reference.pos, name))?;
        self.find_in(reference, symbol)
    }

    fn find_in(&mut self, reference: &VarRef, symbol: Symbol) -> Lowered<Found> {
        let mut kind = symbol.kind.clone();
        let mut array = symbol.array;
        let mut first = Place { base: symbol.base, offset: symbol.offset, width: width(&symbol.kind) };
        let mut indices = Vec::new();
        for (depth, (name, index)) in reference.parts.iter().enumerate() {
            if depth > 0 {
                let Type::Struct(of) = &kind else {
                    return Err(Problem::new(reference.pos, format!("{} has no fields", reference.parts[depth - 1].0)));
                };
                if array.is_some() {
                    let message = format!("the array {} needs an index", reference.parts[depth - 1].0);
                    return Err(Problem::new(reference.pos, message));
                }
                let Some(field) = self.types.field(of, name) else {
                    return Err(Problem::new(reference.pos, format!("{of} has no field {name}")));
                };
                first.offset += field.offset;
                kind = field.kind.clone();
                array = field.array;
                first.width = width(&kind);
            }
            if let Some(index) = index {
                let value = self.expression(index)?;
                let stride = self.types.size(&kind);
                // A scalar can be taken for an array of one element.
                let length = match (array.take(), &value) {
                    (Some(length), _) => length,
                    (None, Code::Const(0)) => 1,
                    (None, _) => {
                        return Err(Problem::new(reference.pos, format!("{name} is no array")).wide(name.len()));
                    }
                };
                match value {
                    Code::Const(value) if (0..length as i32).contains(&value) => first.offset += value as u32 * stride,
                    value => indices.push(Index { value, length, stride }),
                }
            }
        }
        let is_whole = reference.parts.len() == 1 && reference.parts[0].1.is_none();
        Ok(Found { kind, array, first, indices, symbol, is_whole })
    }

    /// A scalar that is read.
    fn load(&mut self, reference: &VarRef) -> Lowered<Code> {
        let found = self.find(reference)?;
        self.load_found(reference, found)
    }

    /// A channel that is sent to or received from.
    pub(crate) fn channel(&mut self, reference: &VarRef) -> Lowered<Code> {
        let found = self.find(reference)?;
        if found.kind != Type::Chan {
            let name = &reference.parts[0].0;
            return Err(Problem::new(reference.pos, format!("{name} is no channel")).wide(name.len()));
        }
        self.load_found(reference, found)
    }

    fn load_found(&mut self, reference: &VarRef, found: Found) -> Lowered<Code> {
        self.note_read(&found);
        if found.array.is_some() {
            return Err(Problem::new(reference.pos, format!("the array {} needs an index", reference.parts[0].0)));
        }
        if matches!(found.kind, Type::Struct(_)) {
            return Err(Problem::new(reference.pos, format!("{} has fields; name one", reference.parts[0].0)));
        }
        Ok(match found.indices.is_empty() {
            true => Code::Load(found.first),
            false => Code::LoadIndexed(Box::new(Indexed { first: found.first, indices: found.indices })),
        })
    }

    pub(crate) fn note_read(&mut self, found: &Found) {
        if self.counts_reads && found.symbol.base == Base::Global {
            self.read.insert(found.symbol.number);
        }
        if found.is_whole && is_local_scalar(&found.symbol) {
            self.uses.reads.push(found.symbol.number);
        }
    }

    /// Where a value is to be put.
    pub(crate) fn target(&mut self, reference: &VarRef, counts_as_read: bool) -> Lowered<Target> {
        if let [(name, None)] = &reference.parts[..] {
            match &**name {
                "_" => return Ok(Target::Nowhere),
                "_pid" | "_nr_pr" | "_last" => {
                    return Err(Problem::new(reference.pos, format!("{name} cannot be written")).wide(name.len()));
                }
                _ => {}
            }
        }
        let found = self.find(reference)?;
        if found.array.is_some() || matches!(found.kind, Type::Struct(_)) {
            let message = format!("{} is not one value", reference.parts[0].0);
            return Err(Problem::new(reference.pos, message));
        }
        if counts_as_read && found.symbol.base == Base::Global {
            self.read.insert(found.symbol.number);
        }
        if found.is_whole && is_local_scalar(&found.symbol) {
            self.uses.writes.push(found.symbol.number);
        }
        Ok(match found.indices.is_empty() {
            true => Target::Place(found.first),
            false => Target::Indexed(Box::new(Indexed { first: found.first, indices: found.indices })),
        })
    }

    /// The scalars that a struct, or a scalar, consists of.
    pub(crate) fn scalars(&self, first: Place, kind: &Type, into: &mut Vec<Place>) {
        let Type::Struct(name) = kind else {
            into.push(Place { width: width(kind), ..first });
            return;
        };
        for field in self.types.fields(name) {
            let size = self.types.size(&field.kind);
            for element in 0..field.array.unwrap_or(1) {
                let offset = first.offset + field.offset + element * size;
                self.scalars(Place { offset, ..first }, &field.kind, into);
            }
        }
    }

    pub(crate) fn expression(&mut self, expression: &Expr) -> Lowered<Code> {
        Ok(match expression {
            Expr::Const(value) => Code::Const(*value),
            Expr::Var(reference) => self.variable(reference)?,
            Expr::Unary(operator, operand) => Code::Unary(*operator, Box::new(self.expression(operand)?)),
            Expr::Binary(_, operator, left, right) => {
                let left = self.expression(left)?;
                let right = self.expression(right)?;
                match (left, right) {
                    (Code::Load(place), Code::Const(value)) => Code::PlaceConst(*operator, place, value),
                    (left, right) => Code::Binary(*operator, Box::new((left, right))),
                }
            }
            Expr::Condition(parts) => {
                let [condition, one, other] = &**parts;
                Code::Condition(Box::new([self.expression(condition)?, self.expression(one)?, self.expression(other)?]))
            }
            Expr::Run(pos, _, _) => {
                return Err(Problem::new(*pos, "`run` within an expression is not supported")
                    .wide(3)
                    .help("write `run p()` as a statement of its own, or `x = run p()`"));
            }
            Expr::Probe(probe, channel) => Code::Probe(*probe, Box::new(self.load(channel)?)),
            Expr::Poll { channel, arguments, random } => {
                let channel = self.load(channel)?;
                let arguments = arguments
                    .iter()
                    .map(|argument| argument.as_ref().map(|value| self.expression(value)).transpose())
                    .collect::<Lowered<Vec<_>>>()?;
                Code::Poll(Box::new(Poll { channel, arguments, random: *random }))
            }
            Expr::Enabled(_, pid) => {
                self.has_enabled = true;
                Code::Enabled(Box::new(self.expression(pid)?))
            }
            Expr::PcValue(_, pid) => Code::PcValue(Box::new(self.expression(pid)?)),
            Expr::Timeout => {
                self.has_timeout = true;
                Code::Timeout
            }
            Expr::NonProgress(pos) => {
                if !self.in_claim {
                    return Err(Problem::new(*pos, "`np_` can stand in a never claim only").wide(3));
                }
                Code::NonProgress
            }
            Expr::RemoteLabel { pos, proctype, pid, label } => {
                let remote = self.remote(*pos, proctype, pid.as_deref())?;
                let number = self.remote_labels.len() as u32;
                self.remote_labels.push((remote.proctype, Arc::clone(label), *pos));
                Code::RemoteLabel(Box::new(remote), RemoteState(number))
            }
            Expr::RemoteVar { proctype, pid, variable } => {
                self.has_remote_variables = true;
                let remote = self.remote(variable.pos, proctype, pid.as_deref())?;
                let name = &variable.parts[0].0;
                let known = self.remote_scopes[usize::from(remote.proctype)].iter().find(|symbol| symbol.name == *name);
                let Some(symbol) = known.cloned() else {
                    if self.is_first {
                        return Ok(Code::Const(0));
                    }
                    let message = format!("{proctype} has no variable {name}");
                    return Err(Problem::new(variable.pos, message).wide(name.len()));
                };
                let found = self.find_in(variable, symbol)?;
                let target = match found.indices.is_empty() {
                    true => Target::Place(found.first),
                    false => Target::Indexed(Box::new(Indexed { first: found.first, indices: found.indices })),
                };
                Code::RemoteVar(Box::new(remote), target)
            }
        })
    }

    fn remote(&mut self, pos: Pos, proctype: &Name, pid: Option<&Expr>) -> Lowered<Remote> {
        let name = proctype;
        let proctype = self.proctype(pos, name)?;
        if usize::from(proctype) >= self.seen_proctypes {
            return Err(Problem::new(pos, format!("the proctype {name} is declared further down")).wide(name.len()));
        }
        let pid = pid.map(|pid| self.expression(pid)).transpose()?;
        Ok(Remote { proctype, pid })
    }

    fn variable(&mut self, reference: &VarRef) -> Lowered<Code> {
        if let [(name, None)] = &reference.parts[..] {
            match &**name {
                "_pid" => return Ok(Code::Pid),
                "_nr_pr" => return Ok(Code::Processes),
                "_last" => {
                    self.has_last = true;
                    return Ok(Code::Last);
                }
                "_" => return Err(Problem::new(reference.pos, "`_` has no value: it can only be written")),
                _ => {}
            }
        }
        self.load(reference)
    }

    /// What a receive does with its arguments; a struct stands for all its fields.
    pub(crate) fn receive_arguments(&mut self, arguments: &[Argument]) -> Lowered<Vec<Receive>> {
        let mut found = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Match(value) => found.push(Receive::Match(self.expression(value)?)),
                Argument::Store(reference) => match self.whole_struct(reference)? {
                    Some(places) => found.extend(places.into_iter().map(|place| Receive::Store(Target::Place(place)))),
                    None => found.push(Receive::Store(self.target(reference, true)?)),
                },
            }
        }
        Ok(found)
    }

    /// Values that are sent.
    pub(crate) fn message(&mut self, pos: Pos, expressions: &[Expr]) -> Lowered<Vec<Code>> {
        let values = self.values(expressions)?;
        if self.longest_send.is_none_or(|(_, most)| most < values.len()) {
            self.longest_send = Some((pos, values.len()));
        }
        Ok(values)
    }

    /// No channel has messages of so many fields.
    pub(crate) fn check_sends(&self) -> Lowered<()> {
        let most = self.channel_types.iter().map(|kind| kind.fields.len()).max().unwrap_or(0);
        match self.longest_send {
            Some((pos, sent)) if sent > most => {
                let message = format!("{sent} values are sent, and the messages of all channels have fewer fields");
                Err(Problem::new(pos, message))
            }
            _ => Ok(()),
        }
    }

    /// Values that are sent or given to a process; a struct stands for all its fields.
    pub(crate) fn values(&mut self, expressions: &[Expr]) -> Lowered<Vec<Code>> {
        let mut found = Vec::new();
        for expression in expressions {
            if let Expr::Var(reference) = expression
                && let Some(places) = self.whole_struct(reference)?
            {
                found.extend(places.into_iter().map(Code::Load));
            } else {
                found.push(self.expression(expression)?);
            }
        }
        Ok(found)
    }

    /// The fields of a struct that is named as a whole.
    fn whole_struct(&mut self, reference: &VarRef) -> Lowered<Option<Vec<Place>>> {
        let name = &reference.parts[0].0;
        if self.scopes.find(name).is_none_or(|symbol| !matches!(symbol.kind, Type::Struct(_))) {
            return Ok(None);
        }
        let found = self.find(reference)?;
        if !matches!(found.kind, Type::Struct(_)) || found.array.is_some() {
            return Ok(None);
        }
        if !found.indices.is_empty() {
            return Err(Problem::new(reference.pos, "a struct in an array by a variable index is not supported here")
                .help("name its fields one by one"));
        }
        let mut places = Vec::new();
        self.scalars(found.first, &found.kind, &mut places);
        Ok(Some(places))
    }

    pub(crate) fn channel_type(&mut self, decl: &ChannelDecl) -> u16 {
        let mut fields = Vec::new();
        for kind in &decl.fields {
            self.types.flatten(kind, &mut fields);
        }
        let message = fields.iter().map(|field| field.size()).sum();
        let made = ChannelType { capacity: decl.capacity, fields, message };
        let known = self.channel_types.iter().position(|known| *known == made);
        let place = known.unwrap_or_else(|| {
            self.channel_types.push(made);
            self.channel_types.len() - 1
        });
        place as u16
    }

    /// How a variable begins that is declared before all statements.
    pub(crate) fn setup(&mut self, decl: &Decl, symbol: &Symbol, setups: &mut Vec<Setup>) -> Lowered<()> {
        let first = Place { base: symbol.base, offset: symbol.offset, width: width(&decl.kind) };
        let size = self.types.size(&decl.kind);
        let element = |number: u32| Place { offset: first.offset + number * size, ..first };
        let length = decl.array.unwrap_or(1);
        match &decl.initial {
            Initial::Zero => self.struct_setup(first, decl, setups)?,
            Initial::Value(value) => {
                if matches!(decl.kind, Type::Struct(_)) {
                    return Err(Problem::new(decl.pos, "a struct has no initial value of its own"));
                }
                let value = self.expression(value)?;
                setups.extend((0..length).map(|number| Setup::Value(element(number), value.clone())));
            }
            Initial::Elements(values) => {
                let last = values.last().copied().unwrap_or(0);
                for number in 0..length {
                    let value = values.get(number as usize).copied().unwrap_or(last);
                    setups.push(Setup::Value(element(number), Code::Const(value)));
                }
            }
            Initial::Channel(channel) => {
                let kind = self.channel_type(channel);
                setups.extend((0..length).map(|number| Setup::Channel(element(number), kind)));
            }
        }
        Ok(())
    }

    /// Fields of a struct may have initial values, and be channels.
    fn struct_setup(&mut self, first: Place, decl: &Decl, setups: &mut Vec<Setup>) -> Lowered<()> {
        let Type::Struct(name) = &decl.kind else { return Ok(()) };
        let Some(fields) = self.struct_decls.iter().find(|known| known.name == *name).map(|known| &known.fields) else {
            return Ok(());
        };
        let size = self.types.size(&decl.kind);
        for number in 0..decl.array.unwrap_or(1) {
            for field in fields {
                let offset = self.types.field(name, &field.name).map_or(0, |field| field.offset);
                let symbol = Symbol {
                    name: Arc::clone(&field.name),
                    kind: field.kind.clone(),
                    array: field.array,
                    base: first.base,
                    offset: first.offset + number * size + offset,
                    number: usize::MAX,
                    messages: None,
                };
                self.setup(field, &symbol, setups)?;
            }
        }
        Ok(())
    }

    /// A variable as a report names it.
    pub(crate) fn described(&self, symbol: &Symbol) -> Variable {
        Variable {
            name: Arc::clone(&symbol.name),
            place: Place { base: symbol.base, offset: symbol.offset, width: width(&symbol.kind) },
            length: symbol.array,
            stride: self.types.size(&symbol.kind),
            is_mtype: symbol.kind == Type::Mtype,
        }
    }
}

/// Variables that the analysis of dead variables looks at: a process's own scalars.
pub(crate) fn is_local_scalar(symbol: &Symbol) -> bool {
    symbol.base == Base::Own && symbol.array.is_none() && !matches!(symbol.kind, Type::Chan | Type::Struct(_))
}

pub(crate) fn undeclared(pos: Pos, name: &str) -> Problem {
    Problem::new(pos, format!("the variable {name} is not declared")).wide(name.len())
}
