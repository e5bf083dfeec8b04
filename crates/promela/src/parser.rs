//! From tokens to a model. The grammar is that of SPIN 6.5; what is refused is refused by name.

mod expressions;
mod statements;

use crate::ast::{Ast, Block, ChannelDecl, Claim, ClaimKind, Decl, Expr, Initial, Name, Proctype, StructDecl, Type};
use crate::lexer::{Kind, Token};
use crate::text::{Pos, Problem};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

type Parsed<T> = Result<T, Problem>;

/// More tokens than this come of inlines that call themselves.
const MOST_TOKENS: usize = 4_000_000;

/// Words that are no names.
const KEYWORDS: &[&str] = &[
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "D_proctype",
    "do",
    "chan",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "notrace",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "d_step",
    "select",
    "set_priority",
    "short",
    "skip",
    "timeout",
    "trace",
    "true",
    "show",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
];

/// Parts of SPIN's language that are refused.
const REFUSED: &[(&str, &str)] = &[
    ("c_code", "embedded C is not supported"),
    ("c_decl", "embedded C is not supported"),
    ("c_expr", "embedded C is not supported"),
    ("c_state", "embedded C is not supported"),
    ("c_track", "embedded C is not supported"),
    ("priority", "priorities of processes are not supported"),
    ("set_priority", "priorities of processes are not supported"),
    ("get_priority", "priorities of processes are not supported"),
    ("_priority", "priorities of processes are not supported"),
    ("trace", "trace assertions are not supported"),
    ("notrace", "trace assertions are not supported"),
];

#[derive(Clone)]
struct Inline {
    parameters: Vec<Name>,
    /// With its braces.
    body: Vec<Token>,
}

pub(crate) struct Parser {
    tokens: Vec<Token>,
    next: usize,
    ast: Ast,
    /// Values of the names of messages.
    mtypes: FxHashMap<Name, i32>,
    mtype_lists: FxHashMap<Name, Vec<Name>>,
    structs: FxHashSet<Name>,
    proctypes: FxHashSet<Name>,
    inlines: FxHashMap<Name, Inline>,
    /// Within a formula, where other operators are known.
    in_formula: bool,
    /// Within `?< … >`, where a `>` ends the arguments.
    closing_angle: bool,
    /// How many tokens come behind the text of the outermost inline.
    behind_inline: usize,
    /// Initial values of scalars, which may be the length of an array.
    constants: FxHashMap<Name, i32>,
}

/// Parses a model.
pub(crate) fn parse(tokens: Vec<Token>) -> Parsed<Ast> {
    // Proctypes may be run, and referred to, before they are declared.
    let named = |pair: &[Token]| match pair {
        [word, Token { kind: Kind::Word(name), .. }] if word.is_word("proctype") || word.is_word("D_proctype") => {
            Some(Rc::clone(name))
        }
        _ => None,
    };
    let proctypes = tokens.windows(2).filter_map(named).collect();
    let mut parser = Parser {
        tokens,
        next: 0,
        ast: Ast::default(),
        mtypes: FxHashMap::default(),
        mtype_lists: FxHashMap::default(),
        structs: FxHashSet::default(),
        proctypes,
        inlines: FxHashMap::default(),
        in_formula: false,
        closing_angle: false,
        behind_inline: usize::MAX,
        constants: FxHashMap::default(),
    };
    while parser.peek().kind != Kind::End {
        parser.unit()?;
    }
    if parser.ast.proctypes.is_empty() {
        let pos = parser.peek().pos;
        return Err(
            Problem::new(pos, "the model has no process").help("write `init { … }` or `active proctype name() { … }`")
        );
    }
    Ok(parser.ast)
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.next]
    }

    fn peek_at(&self, ahead: usize) -> &Token {
        &self.tokens[(self.next + ahead).min(self.tokens.len() - 1)]
    }

    fn take(&mut self) -> Token {
        let token = self.tokens[self.next].clone();
        if token.kind != Kind::End {
            self.next += 1;
        }
        token
    }

    fn pos(&self) -> Pos {
        self.peek().pos
    }

    fn at(&self, mark: &str) -> bool {
        self.peek().is(mark)
    }

    fn at_word(&self, word: &str) -> bool {
        self.peek().is_word(word)
    }

    fn skip(&mut self, mark: &str) -> bool {
        let there = self.at(mark);
        self.next += usize::from(there);
        there
    }

    fn skip_word(&mut self, word: &str) -> bool {
        let there = self.at_word(word);
        self.next += usize::from(there);
        there
    }

    /// What was found is not what can stand there.
    fn unexpected(&self, expected: &str) -> Problem {
        let found = self.peek();
        let problem = if let Kind::Word(word) = &found.kind
            && let Some((_, why)) = REFUSED.iter().find(|(refused, _)| *refused == &**word)
        {
            Problem::new(found.pos, format!("{why}: `{word}`"))
        } else {
            Problem::new(found.pos, format!("expected {expected}, found {found}"))
        };
        problem.wide(found.width())
    }

    fn expect(&mut self, mark: &str) -> Parsed<Token> {
        if self.at(mark) { Ok(self.take()) } else { Err(self.unexpected(&format!("`{mark}`"))) }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<Token> {
        if self.at_word(word) { Ok(self.take()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    /// The word ahead, if it can be a name.
    fn name_ahead(&self) -> Option<&Name> {
        match &self.peek().kind {
            Kind::Word(word) if !KEYWORDS.contains(&&**word) && &**word != "_priority" => Some(word),
            _ => None,
        }
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        let Some(name) = self.name_ahead() else { return Err(self.unexpected(what)) };
        let name = Rc::clone(name);
        self.next += 1;
        Ok(name)
    }

    fn skip_separators(&mut self) -> bool {
        let start = self.next;
        while self.skip(";") || self.skip("->") {}
        self.next > start
    }

    // ---- units ----

    fn unit(&mut self) -> Parsed<()> {
        if self.skip_separators() {
            return Ok(());
        }
        let token = self.peek().clone();
        let Kind::Word(word) = &token.kind else {
            return Err(self.unexpected("a declaration or a process"));
        };
        match &**word {
            "active" | "proctype" | "D_proctype" => self.proctype(),
            "init" => self.init(),
            "never" => self.never(),
            "ltl" => self.ltl(),
            "typedef" => self.typedef(),
            "inline" => self.inline(),
            "mtype" if self.is_mtype_list() => self.mtype(),
            _ => {
                let decls = self.declaration()?;
                self.ast.globals.extend(decls);
                Ok(())
            }
        }
    }

    fn proctype(&mut self) -> Parsed<()> {
        let pos = self.pos();
        let mut active = 0;
        if self.skip_word("active") {
            active = 1;
            if self.skip("[") {
                let at = self.pos();
                let count = self.constant()?;
                active = u32::try_from(count)
                    .ok()
                    .filter(|count| *count <= 255)
                    .ok_or_else(|| Problem::new(at, format!("{count} processes: there can be 0 to 255")))?;
                self.expect("]")?;
            }
        }
        // That it is deterministic is a promise of the author's, which nothing here relies on.
        if !self.skip_word("D_proctype") {
            self.expect_word("proctype")?;
        }
        let name = self.name("the name of the proctype")?;
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.at(")") {
            let pos = self.pos();
            let decls = self.declaration()?;
            if decls.iter().any(|decl| !matches!(decl.initial, Initial::Zero)) {
                return Err(Problem::new(pos, "a parameter has no initial value"));
            }
            parameters.extend(decls);
            if !self.skip(";") {
                break;
            }
        }
        self.expect(")")?;
        let mut provided = None;
        if self.skip_word("provided") {
            self.expect("(")?;
            provided = Some(self.expression()?);
            self.expect(")")?;
        }
        let body = self.braced()?;
        let proctype = Proctype { pos, name, active, is_init: false, parameters, provided, body };
        if let Some(twin) = self.ast.proctypes.iter().find(|other| other.name == proctype.name) {
            return Err(Problem::new(pos, format!("the proctype {} is declared twice", twin.name)));
        }
        self.ast.proctypes.push(proctype);
        Ok(())
    }

    fn init(&mut self) -> Parsed<()> {
        let pos = self.take().pos;
        if self.ast.proctypes.iter().any(|proctype| proctype.is_init) {
            return Err(Problem::new(pos, "there is a second `init`").wide(4));
        }
        let body = self.braced()?;
        self.ast.proctypes.push(Proctype {
            pos,
            name: ":init:".into(),
            active: 1,
            is_init: true,
            parameters: Vec::new(),
            provided: None,
            body,
        });
        Ok(())
    }

    fn never(&mut self) -> Parsed<()> {
        let pos = self.take().pos;
        let name = match self.name_ahead() {
            Some(_) => self.name("a name")?,
            None => format!("never_{}", self.ast.claims.len()).into(),
        };
        let body = self.braced()?;
        self.claim(Claim { name, pos, kind: ClaimKind::Never(body) })
    }

    fn ltl(&mut self) -> Parsed<()> {
        let pos = self.take().pos;
        let formulas = self.ast.claims.iter().filter(|claim| matches!(claim.kind, ClaimKind::Ltl(_))).count();
        let name = match self.name_ahead() {
            Some(_) => self.name("a name")?,
            None => format!("ltl_{formulas}").into(),
        };
        self.expect("{")?;
        self.in_formula = true;
        let formula = self.expression()?;
        self.in_formula = false;
        self.skip_separators();
        self.expect("}")?;
        self.claim(Claim { name, pos, kind: ClaimKind::Ltl(formula) })
    }

    fn claim(&mut self, claim: Claim) -> Parsed<()> {
        if self.ast.claims.iter().any(|other| other.name == claim.name) {
            return Err(Problem::new(claim.pos, format!("the claim {} is declared twice", claim.name)));
        }
        self.ast.claims.push(claim);
        Ok(())
    }

    fn typedef(&mut self) -> Parsed<()> {
        self.take();
        let name = self.name("the name of the type")?;
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.at("}") {
            fields.extend(self.declaration()?);
            if !self.skip_separators() && !self.line_ended() {
                break;
            }
        }
        self.expect("}")?;
        self.structs.insert(Rc::clone(&name));
        self.ast.structs.push(StructDecl { name, fields });
        Ok(())
    }

    fn inline(&mut self) -> Parsed<()> {
        self.take();
        let name = self.name("the name of the inline")?;
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.at(")") {
            parameters.push(self.name("the name of a parameter")?);
            if !self.skip(",") {
                break;
            }
        }
        self.expect(")")?;
        let open = self.expect("{")?;
        let start = self.next - 1;
        let mut depth = 1;
        while depth > 0 {
            let token = self.take();
            match token.kind {
                Kind::Mark("{") => depth += 1,
                Kind::Mark("}") => depth -= 1,
                Kind::End => return Err(Problem::new(open.pos, "this inline has no `}`")),
                _ => {}
            }
        }
        let body = self.tokens[start..self.next].to_vec();
        self.inlines.insert(name, Inline { parameters, body });
        Ok(())
    }

    /// `mtype = { … }`, `mtype { … }` or `mtype:name = { … }`, and not a variable.
    fn is_mtype_list(&self) -> bool {
        let behind_name = if self.peek_at(1).is(":") { 3 } else { 1 };
        let behind = usize::from(self.peek_at(behind_name).is("=")) + behind_name;
        self.peek_at(behind).is("{")
    }

    fn mtype(&mut self) -> Parsed<()> {
        self.take();
        let list: Name = if self.skip(":") { self.name("the name of the mtype")? } else { "_unnamed_".into() };
        self.skip("=");
        self.expect("{")?;
        let mut names = Vec::new();
        while !self.at("}") {
            let pos = self.pos();
            let name = self.name("the name of a message")?;
            if self.mtypes.contains_key(&name) || names.contains(&name) {
                return Err(Problem::new(pos, format!("the message name {name} is declared twice")).wide(name.len()));
            }
            names.push(name);
            self.skip(",");
        }
        self.expect("}")?;
        // The last name of a list has the lowest value.
        let known = self.mtype_lists.entry(list).or_default();
        for name in names.into_iter().rev() {
            known.push(Rc::clone(&name));
            let value = known.len() as i32;
            self.mtypes.insert(Rc::clone(&name), value);
            self.ast.mtypes.push((name, value));
        }
        if known.len() > 255 {
            return Err(Problem::new(self.pos(), "an mtype has at most 255 names"));
        }
        Ok(())
    }

    // ---- declarations ----

    /// Whether a declaration begins here.
    fn is_declaration(&self) -> bool {
        match &self.peek().kind {
            Kind::Word(word) => {
                matches!(
                    &**word,
                    "bit"
                        | "bool"
                        | "byte"
                        | "pid"
                        | "short"
                        | "int"
                        | "unsigned"
                        | "mtype"
                        | "chan"
                        | "hidden"
                        | "show"
                        | "local"
                ) || self.structs.contains(word)
            }
            _ => false,
        }
    }

    fn declaration(&mut self) -> Parsed<Vec<Decl>> {
        let hidden = self.skip_word("hidden");
        let _ = self.skip_word("show") || self.skip_word("local");
        let kind = self.type_name()?;
        let mut decls = Vec::new();
        loop {
            decls.push(self.variable(kind.clone(), hidden)?);
            if !self.skip(",") {
                return Ok(decls);
            }
        }
    }

    fn type_name(&mut self) -> Parsed<Type> {
        let Kind::Word(word) = self.peek().kind.clone() else { return Err(self.unexpected("a type")) };
        let kind = match &*word {
            "bit" | "bool" => Type::Bit,
            "byte" | "pid" => Type::Byte,
            "short" => Type::Short,
            "int" => Type::Int,
            "unsigned" => Type::Unsigned(0),
            "chan" => Type::Chan,
            "mtype" => {
                self.take();
                if self.at(":") {
                    self.take();
                    self.name("the name of an mtype")?;
                }
                return Ok(Type::Mtype);
            }
            _ if self.structs.contains(&word) => Type::Struct(word),
            _ => return Err(self.unexpected("a declaration or a process")),
        };
        self.take();
        Ok(kind)
    }

    fn variable(&mut self, mut kind: Type, hidden: bool) -> Parsed<Decl> {
        let pos = self.pos();
        let name = self.name("the name of a variable")?;
        let mut array = None;
        if self.skip(":") {
            let at = self.pos();
            let bits = self.constant()?;
            match &mut kind {
                Type::Unsigned(width) if (1..=31).contains(&bits) => *width = bits as u32,
                Type::Unsigned(_) => return Err(Problem::new(at, "an unsigned has 1 to 31 bits")),
                _ => return Err(Problem::new(at, "only an `unsigned` has a number of bits")),
            }
        } else if kind == Type::Unsigned(0) {
            return Err(Problem::new(pos, "an unsigned needs its number of bits").help("write `unsigned x : 4`"));
        }
        if self.skip("[") {
            let at = self.pos();
            let length = self.constant()?;
            array = Some(
                u32::try_from(length)
                    .ok()
                    .filter(|length| *length > 0)
                    .ok_or_else(|| Problem::new(at, format!("an array has at least one element, not {length}")))?,
            );
            self.expect("]")?;
        }
        let mut initial = Initial::Zero;
        if self.skip("=") {
            initial = if kind == Type::Chan && self.at("[") {
                Initial::Channel(self.channel()?)
            } else if self.at("{") {
                self.elements(array)?
            } else {
                Initial::Value(self.expression()?)
            };
        }
        if let (Initial::Value(Expr::Const(value)), None) = (&initial, array) {
            self.constants.insert(Rc::clone(&name), *value);
        }
        Ok(Decl { pos, name, kind, array, hidden, initial })
    }

    /// `{ 1, 2, 3 }`.
    fn elements(&mut self, array: Option<u32>) -> Parsed<Initial> {
        let open = self.expect("{")?;
        if array.is_none() {
            return Err(Problem::new(open.pos, "only an array has a list of initial values"));
        }
        let mut values = Vec::new();
        while !self.at("}") {
            values.push(self.constant()?);
            if !self.skip(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(Initial::Elements(values))
    }

    /// `[capacity] of { types }`.
    fn channel(&mut self) -> Parsed<ChannelDecl> {
        self.expect("[")?;
        let at = self.pos();
        let capacity = self.constant()?;
        let capacity = u32::try_from(capacity)
            .ok()
            .filter(|capacity| *capacity <= 255)
            .ok_or_else(|| Problem::new(at, format!("a channel holds 0 to 255 messages, not {capacity}")))?;
        self.expect("]")?;
        self.expect_word("of")?;
        self.expect("{")?;
        let mut fields = Vec::new();
        loop {
            let at = self.pos();
            let kind = self.type_name()?;
            if matches!(kind, Type::Unsigned(_)) {
                return Err(Problem::new(at, "`unsigned` cannot be the type of a message field"));
            }
            fields.push(kind);
            if !self.skip(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(ChannelDecl { capacity, fields })
    }

    /// `{ … }`.
    fn braced(&mut self) -> Parsed<Block> {
        self.expect("{")?;
        let block = self.sequence(&["}"])?;
        self.expect("}")?;
        Ok(block)
    }

    /// The text of an inline takes the place of its call, with the arguments in it.
    fn put_inline(&mut self, at: &Token, inline: &Inline, result: Option<&[Token]>) -> Parsed<()> {
        let start = self.next;
        let arguments = self.inline_arguments(at, inline.parameters.len())?;
        let mut text = Vec::with_capacity(inline.body.len());
        for token in &inline.body {
            match &token.kind {
                Kind::Word(word) if &**word == "return" => {
                    let Some(result) = result else {
                        return Err(Problem::new(token.pos, "`return` in an inline whose result nobody takes").wide(6));
                    };
                    text.extend_from_slice(result);
                    text.push(Token { kind: Kind::Mark("="), ..token.clone() });
                }
                Kind::Word(word) => match inline.parameters.iter().position(|parameter| parameter == word) {
                    Some(number) => text.extend(arguments[number].iter().cloned()),
                    None => text.push(token.clone()),
                },
                _ => text.push(token.clone()),
            }
        }
        if self.tokens.len() + text.len() > MOST_TOKENS {
            return Err(Problem::new(at.pos, format!("the inline {at} calls itself, or the model is too large"))
                .wide(at.width()));
        }
        if !self.in_inline() {
            self.behind_inline = self.tokens.len() - self.next;
        }
        self.tokens.splice(start..self.next, text);
        self.next = start;
        Ok(())
    }

    /// Whether the next token comes from an inline.
    fn in_inline(&self) -> bool {
        self.tokens.len() - self.next > self.behind_inline
    }

    fn inline_arguments(&mut self, at: &Token, wanted: usize) -> Parsed<Vec<Vec<Token>>> {
        self.expect("(")?;
        let mut arguments = vec![Vec::new()];
        let mut depth = 0;
        loop {
            let token = self.take();
            match token.kind {
                Kind::Mark(")" | "]" | "}") if depth == 0 => break,
                Kind::Mark(",") if depth == 0 => {
                    arguments.push(Vec::new());
                    continue;
                }
                Kind::Mark("(" | "[" | "{") => depth += 1,
                Kind::Mark(")" | "]" | "}") => depth -= 1,
                Kind::End => return Err(Problem::new(at.pos, "this call has no `)`").wide(at.width())),
                _ => {}
            }
            arguments.last_mut().expect("there is always one").push(token);
        }
        if wanted == 0 && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if arguments.len() != wanted {
            let message = format!("the inline {at} takes {wanted} arguments, not {}", arguments.len());
            return Err(Problem::new(at.pos, message).wide(at.width()));
        }
        Ok(arguments)
    }
}
