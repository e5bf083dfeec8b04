//! From tokens to a model. The grammar is that of SPIN 6.5; what is refused is refused by name.

mod declarations;
mod expressions;
mod inlines;
mod statements;
mod units;

use crate::ast::{
    Ast, Block, ChannelDecl, Claim, ClaimKind, Decl, Expr, Initial, Name, Proctype, Seen, StructDecl, Type,
};
use crate::lexer::{Kind, Token};
use crate::text::{Pos, Problem};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

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
    in_dstep: bool,
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
            Some(Arc::clone(name))
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
        in_dstep: false,
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

    /// Where the token is that was taken last.
    fn before(&self) -> Pos {
        self.tokens[self.next.saturating_sub(1)].pos
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
        let name = Arc::clone(name);
        self.next += 1;
        Ok(name)
    }

    fn skip_separators(&mut self) -> bool {
        let start = self.next;
        while self.skip(";") || self.skip("->") {}
        self.next > start
    }

    /// `{ … }`.
    fn braced(&mut self) -> Parsed<Block> {
        self.expect("{")?;
        if self.at(";") {
            return Err(self.unexpected("a statement"));
        }
        let block = self.sequence(&["}"])?;
        self.expect("}")?;
        Ok(block)
    }
}
