//! A model, from its text to what can be run.

use crate::ast::{Ast, Claim, ClaimKind, Decl, Expr, Name, Seen, Type};
use crate::automaton::{Automaton, automaton};
use crate::code::{Base, ChannelType, Code, Place, Proctype, Setup, State, Variable};
use crate::flow::Flow;
use crate::lower::{Lowered, Lowering, Uses};
use crate::scope::{Scopes, Symbol, Types, messages};
use crate::specialise::by_pid;
use crate::text::{Files, Pos, Problem};
use crate::{parser, preprocess};
use rustc_hash::FxHashSet;
use std::path::Path;
use std::sync::Arc;

/// A model that can be run.
pub struct Model {
    pub(crate) files: Files,
    pub(crate) proctypes: Vec<Proctype>,
    /// Who runs from the start, in the order of the text.
    pub(crate) active: Vec<u8>,
    pub(crate) setup: Vec<Setup>,
    pub(crate) variables: Vec<Variable>,
    /// Bytes of globals that are no part of a state, which come first.
    pub(crate) hidden: u32,
    /// Bytes of all globals, behind the number of processes and, where it is used, the last one that moved.
    pub(crate) globals: u32,
    pub(crate) channel_types: Vec<ChannelType>,
    /// Channels that are made before the first process.
    pub(crate) channels: Vec<u16>,
    /// States that remote references name.
    pub(crate) remote_states: Vec<u32>,
    pub(crate) claims: Vec<CompiledClaim>,
    pub(crate) mtypes: Vec<(Name, i32)>,
    pub(crate) has_timeout: bool,
    pub(crate) has_last: bool,
}

/// A never claim or a formula.
pub(crate) struct CompiledClaim {
    pub(crate) name: Name,
    pub(crate) kind: CompiledKind,
}

pub(crate) enum CompiledKind {
    Never(Proctype),
    /// The formula and its propositions.
    Ltl(Expr, Vec<Code>),
}

/// Why a file is no model: the problem with its place, as text.
#[derive(Debug)]
pub struct NoModel(pub String);

impl std::fmt::Display for NoModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoModel {}

impl Model {
    /// Reads a model from a file; `defines` are macros that hold from the start.
    ///
    /// # Errors
    /// The file cannot be read, or is no model: the message has the line and a mark under what is meant.
    pub fn read(path: &Path, defines: &[(String, String)]) -> Result<Model, NoModel> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| NoModel(format!("{} cannot be read: {error}", path.display())))?;
        Model::parse(&path.to_string_lossy(), &text, defines)
    }

    /// A model from its text; `name` is what messages call it.
    ///
    /// # Errors
    /// The text is no model.
    pub fn parse(name: &str, text: &str, defines: &[(String, String)]) -> Result<Model, NoModel> {
        Model::parse_with(name, text, defines, &[])
    }

    /// The same where the files that it includes are at hand, each with its name and its text.
    ///
    /// # Errors
    /// The text is no model.
    pub fn parse_with(
        name: &str,
        text: &str,
        defines: &[(String, String)],
        included: &[(String, String)],
    ) -> Result<Model, NoModel> {
        let mut files = Files::default();
        let file = files.add(name, text);
        let made = preprocess::preprocess(&mut files, file, defines, included)
            .and_then(parser::parse)
            .and_then(|ast| compile(&ast));
        match made {
            Ok(mut model) => {
                model.files = files;
                Ok(model)
            }
            Err(problem) => Err(NoModel(problem.show(&files).to_string())),
        }
    }

    /// The names of its claims, in the order of the text.
    pub fn claims(&self) -> impl Iterator<Item = &str> {
        self.claims.iter().map(|claim| &*claim.name)
    }

    /// The control states of a process.
    pub(crate) fn states(&self, proctype: u8, pid: u8) -> &[State] {
        let proctype = &self.proctypes[usize::from(proctype)];
        proctype.by_pid.get(usize::from(pid)).unwrap_or(&proctype.states)
    }

    /// Its files.
    pub fn files(&self) -> &Files {
        &self.files
    }
}

/// What is known of a model after it was gone through once: which globals are read, and where variables lie.
#[derive(Default)]
struct Known {
    read: FxHashSet<usize>,
    symbols: Vec<Vec<Symbol>>,
    /// Labels that other processes look at, with their proctypes.
    watched: Vec<(u8, Name)>,
    /// Processes read variables of others, so that none is ever dead.
    has_remote_variables: bool,
}

fn compile(ast: &Ast) -> Lowered<Model> {
    // Globals that nobody reads are no part of a state; which they are is known only at the end.
    let types = Types::new(&ast.structs);
    let known = Known { symbols: vec![Vec::new(); ast.proctypes.len()], ..Known::default() };
    let (_, known) = Compiler::new(ast, &types, known, true).model()?;
    let (model, _) = Compiler::new(ast, &types, known, false).model()?;
    Ok(model)
}

struct Compiler<'a> {
    ast: &'a Ast,
    lowering: Lowering<'a>,
    known: Known,
    is_first: bool,
    symbols: Vec<Vec<Symbol>>,
}

impl<'a> Compiler<'a> {
    fn new(ast: &'a Ast, types: &'a Types, known: Known, is_first: bool) -> Self {
        let lowering = Lowering {
            types,
            struct_decls: &ast.structs,
            scopes: Scopes::default(),
            channel_types: Vec::new(),
            proctypes: &ast.proctypes,
            read: FxHashSet::default(),
            remote_labels: Vec::new(),
            remote_scopes: known.symbols.clone(),
            is_first,
            counts_reads: true,
            seen_proctypes: usize::MAX,
            uses: Uses::default(),
            longest_send: None,
            in_claim: false,
            has_timeout: false,
            has_last: false,
            has_enabled: false,
            has_remote_variables: false,
        };
        Compiler { ast, lowering, known, is_first, symbols: Vec::new() }
    }

    fn model(mut self) -> Lowered<(Model, Known)> {
        let ast = self.ast;
        if ast.proctypes.len() > 255 {
            return Err(Problem::new(ast.proctypes[255].pos, "a model has at most 255 proctypes"));
        }
        self.lowering.scopes.open();
        let (hidden, globals, variables) = self.globals()?;
        let mut setup = Vec::new();
        for decl in &ast.globals {
            let symbol = self.lowering.scopes.find(&decl.name).cloned().expect("it was declared a moment ago");
            self.lowering.scopes.globals = symbol.number;
            let set_up = self.lowering.setup(decl, &symbol, &mut setup);
            self.lowering.scopes.globals = usize::MAX;
            set_up?;
        }
        let mut proctypes = Vec::new();
        let mut automata = Vec::new();
        for declared in &ast.proctypes {
            let (proctype, automaton) = self.proctype(declared)?;
            proctypes.push(proctype);
            automata.push(automaton);
        }
        self.lowering.check_sends()?;
        let mut claims = Vec::new();
        self.lowering.in_claim = true;
        for claim in &ast.claims {
            claims.push(self.claim(claim)?);
        }
        let remote_states = self.remote_states(&automata)?;
        let active = ast.proctypes.iter().enumerate();
        let active = active.flat_map(|(number, made)| (0..made.active).map(move |_| number as u8)).collect();
        let channels = channels(&setup);
        let model = Model {
            files: Files::default(),
            proctypes,
            active,
            setup,
            variables,
            hidden,
            globals,
            channels,
            channel_types: self.lowering.channel_types,
            remote_states,
            claims,
            mtypes: ast.mtypes.clone(),
            has_timeout: self.lowering.has_timeout,
            has_last: self.lowering.has_last,
        };
        let watched = self.lowering.remote_labels.into_iter().map(|(proctype, label, _)| (proctype, label)).collect();
        let has_remote_variables = self.lowering.has_remote_variables;
        Ok((model, Known { read: self.lowering.read, symbols: self.symbols, watched, has_remote_variables }))
    }

    /// Gives the globals their places: those that are no part of a state come first.
    fn globals(&mut self) -> Lowered<(u32, u32, Vec<Variable>)> {
        let ast = self.ast;
        let is_hidden = |number: usize, decl: &Decl| {
            let is_scalar = !matches!(decl.kind, Type::Chan | Type::Struct(_));
            decl.hidden || (is_scalar && !self.is_first && !self.known.read.contains(&number))
        };
        let (first, second): (Vec<_>, Vec<_>) =
            ast.globals.iter().enumerate().partition(|(number, decl)| is_hidden(*number, decl));
        let mut hidden = 0;
        for (_, decl) in &first {
            hidden += self.lowering.types.size(&decl.kind) * decl.array.unwrap_or(1);
        }
        let mut offset = 0;
        let mut variables = Vec::new();
        for (index, (number, decl)) in first.iter().chain(&second).enumerate() {
            if index == first.len() {
                // The number of processes and who moved last lie in between.
                offset += GLOBAL_HEAD;
            }
            let symbol = Symbol {
                name: Arc::clone(&decl.name),
                kind: decl.kind.clone(),
                array: decl.array,
                base: Base::Global,
                offset,
                number: *number,
                messages: messages(decl),
            };
            offset += self.lowering.types.size(&decl.kind) * decl.array.unwrap_or(1);
            variables.push(self.lowering.described(&symbol));
            self.lowering.scopes.add(decl, symbol)?;
        }
        if second.is_empty() {
            offset += GLOBAL_HEAD;
        }
        Ok((hidden, offset, variables))
    }

    fn proctype(&mut self, declared: &crate::ast::Proctype) -> Lowered<(Proctype, Made)> {
        self.see(declared.seen);
        // Parameters cannot be named there.
        let provided = declared.provided.as_ref().map(|clause| self.lowering.expression(clause)).transpose()?;
        self.lowering.scopes.open();
        let number = self.symbols.len();
        let watched = self.known.watched.iter().filter(|(of, _)| usize::from(*of) == number);
        let watched: Vec<_> = watched.map(|(_, label)| Arc::clone(label)).collect();
        let crate::ast::Proctype { parameters, body, end, .. } = declared;
        let flow = Flow::new(&mut self.lowering, parameters, body, *end, false, &watched)?;
        self.lowering.uses = Uses::default();
        self.lowering.scopes.close();
        let made = automaton(&flow, !self.known.has_remote_variables)?;
        let mut parameters = Vec::new();
        for (parameter, symbol) in declared.parameters.iter().zip(&flow.symbols) {
            let first = Place { base: Base::Own, offset: symbol.offset, width: crate::scope::width(&symbol.kind) };
            self.lowering.scalars(first, &parameter.kind, &mut parameters);
        }
        let proctype = self.finished(Arc::clone(&declared.name), declared.end, parameters, provided, &flow, &made);
        self.symbols.push(flow.symbols.clone());
        Ok((proctype, Made { flow, automaton: made }))
    }

    /// What is lowered next stands behind so much of the model.
    fn see(&mut self, seen: Seen) {
        self.lowering.scopes.globals = seen.globals;
        self.lowering.seen_proctypes = seen.proctypes;
    }

    fn finished(
        &self,
        name: Name,
        end: Pos,
        parameters: Vec<Place>,
        provided: Option<Code>,
        flow: &Flow,
        made: &Automaton,
    ) -> Proctype {
        Proctype {
            name,
            end,
            parameters,
            channels: channels(&flow.setup),
            setup: flow.setup.clone(),
            provided,
            by_pid: if self.is_first { Vec::new() } else { by_pid(&made.states) },
            states: made.states.clone(),
            initial: made.initial,
            frame: flow.size,
            variables: flow.symbols.iter().map(|symbol| self.lowering.described(symbol)).collect(),
        }
    }

    fn claim(&mut self, claim: &Claim) -> Lowered<CompiledClaim> {
        self.see(claim.seen);
        let kind = match &claim.kind {
            ClaimKind::Never(body) => {
                self.lowering.scopes.open();
                let flow = Flow::new(&mut self.lowering, &[], body, claim.pos, true, &[])?;
                self.lowering.scopes.close();
                let made = automaton(&flow, true)?;
                CompiledKind::Never(self.finished(Arc::clone(&claim.name), claim.pos, Vec::new(), None, &flow, &made))
            }
            ClaimKind::Ltl(formula) => {
                let mut propositions = Vec::new();
                let formula = self.propositions(formula, &mut propositions)?;
                CompiledKind::Ltl(formula, propositions)
            }
        };
        Ok(CompiledClaim { name: Arc::clone(&claim.name), kind })
    }

    /// Takes the expressions out of a formula: each becomes the constant that is its number.
    fn propositions(&mut self, formula: &Expr, found: &mut Vec<Code>) -> Lowered<Expr> {
        use crate::ast::{Binary, Unary};
        Ok(match formula {
            Expr::Unary(operator @ (Unary::Not | Unary::Next | Unary::Always | Unary::Eventually), inner) => {
                Expr::Unary(*operator, Box::new(self.propositions(inner, found)?))
            }
            Expr::Binary(
                pos,
                operator @ (Binary::And
                | Binary::Or
                | Binary::Implies
                | Binary::Equivalent
                | Binary::Until
                | Binary::WeakUntil
                | Binary::Release),
                left,
                right,
            ) => Expr::Binary(
                *pos,
                *operator,
                Box::new(self.propositions(left, found)?),
                Box::new(self.propositions(right, found)?),
            ),
            proposition => {
                let code = self.lowering.expression(proposition)?;
                let known = found.iter().position(|known| *known == code);
                let number = known.unwrap_or_else(|| {
                    found.push(code);
                    found.len() - 1
                });
                Expr::Const(number as i32)
            }
        })
    }

    fn remote_states(&self, made: &[Made]) -> Lowered<Vec<u32>> {
        let state = |(proctype, label, pos): &(u8, Name, crate::text::Pos)| {
            let Made { flow, automaton } = &made[usize::from(*proctype)];
            let Some(element) = flow.label(label) else {
                let name = &self.ast.proctypes[usize::from(*proctype)].name;
                return Err(Problem::new(*pos, format!("{name} has no label {label}")));
            };
            // A label that nobody can stand at is never reached.
            Ok(automaton.state_of.get(&element).copied().unwrap_or(u32::MAX))
        };
        self.lowering.remote_labels.iter().map(state).collect()
    }
}

/// A proctype in the making.
struct Made {
    flow: Flow,
    automaton: Automaton,
}

/// Bytes of the number of processes and of the process that moved last.
pub(crate) const GLOBAL_HEAD: u32 = 2;

fn channels(setup: &[Setup]) -> Vec<u16> {
    let channel = |setup: &Setup| match setup {
        Setup::Channel(_, kind) => Some(*kind),
        Setup::Value(..) => None,
    };
    setup.iter().filter_map(channel).collect()
}
