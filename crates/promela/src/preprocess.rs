//! The C preprocessor, as far as models use it: `#include`, macros with and without arguments, `#` and `##`, and
//! conditions. A token that comes from a macro has the place where the macro was used.

use crate::lexer::{self, Kind, Token};
use crate::text::{Files, Pos, Problem};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files may include each other so deep.
const DEPTH: usize = 64;

#[derive(Clone, Debug)]
struct Macro {
    /// None: without parentheses.
    parameters: Option<Vec<Arc<str>>>,
    body: Vec<Token>,
}

/// The tokens of a model after all directives were followed, without the ends of lines.
///
/// Files that are included are looked for among `included` first, by their names.
pub(crate) fn preprocess(
    files: &mut Files,
    file: u16,
    defines: &[(String, String)],
    included: &[(String, String)],
) -> Result<Vec<Token>, Problem> {
    let mut cpp = Cpp { files, included, macros: FxHashMap::default(), output: Vec::new() };
    for (name, value) in defines {
        let number = cpp.files.add(&format!("-D{name}"), value);
        let body = lexer::tokens(number, value)?.into_iter().filter(|token| token.kind != Kind::Line).collect();
        cpp.macros.insert(name.as_str().into(), Macro { parameters: None, body });
    }
    cpp.file(file, 0)?;
    let pos = cpp.output.last().map_or(Pos { file, line: 1, column: 1 }, |token| token.pos);
    let mut output = cpp.output;
    output.push(Token { kind: Kind::End, pos, spaced: true });
    Ok(output)
}

struct Cpp<'f> {
    files: &'f mut Files,
    included: &'f [(String, String)],
    macros: FxHashMap<Arc<str>, Macro>,
    output: Vec<Token>,
}

/// An `#if` that is open.
struct Branch {
    pos: Pos,
    /// Some branch of it was taken already.
    taken: bool,
    /// The present branch is.
    active: bool,
    /// The `#else` was there.
    last: bool,
}

/// A token on its way through the macros, with those that it came out of.
#[derive(Clone)]
struct Item {
    token: Token,
    hidden: Option<Arc<Hidden>>,
}

/// Macros that are not expanded again within what they became.
struct Hidden {
    name: Arc<str>,
    outer: Option<Arc<Hidden>>,
}

impl Item {
    fn hides(&self, name: &str) -> bool {
        let mut hidden = self.hidden.as_ref();
        while let Some(here) = hidden {
            if &*here.name == name {
                return true;
            }
            hidden = here.outer.as_ref();
        }
        false
    }
}

impl Cpp<'_> {
    fn file(&mut self, file: u16, depth: usize) -> Result<(), Problem> {
        let text = Arc::clone(&self.files.get(file).text);
        let tokens = lexer::tokens(file, &text)?;
        let mut branches: Vec<Branch> = Vec::new();
        let mut pending: Vec<Item> = Vec::new();
        for line in tokens.split_inclusive(|token| token.kind == Kind::Line) {
            let line = &line[..line.len() - 1];
            let active = branches.iter().all(|branch| branch.active);
            if let [hash, rest @ ..] = line
                && hash.is("#")
            {
                // A macro's arguments may go over several lines, but not over a directive.
                self.flush(&mut pending)?;
                self.directive(hash, rest, active, &mut branches, depth)?;
            } else if active {
                pending.extend(line.iter().map(|token| Item { token: token.clone(), hidden: None }));
            }
        }
        if let Some(open) = branches.last() {
            return Err(Problem::new(open.pos, "this condition has no `#endif`"));
        }
        self.flush(&mut pending)
    }

    fn flush(&mut self, pending: &mut Vec<Item>) -> Result<(), Problem> {
        let expanded = self.expand(std::mem::take(pending))?;
        self.output.extend(expanded.into_iter().map(|item| item.token));
        Ok(())
    }

    fn directive(
        &mut self,
        hash: &Token,
        rest: &[Token],
        active: bool,
        branches: &mut Vec<Branch>,
        depth: usize,
    ) -> Result<(), Problem> {
        let Some((name, rest)) = rest.split_first() else { return Ok(()) };
        let Kind::Word(word) = &name.kind else {
            // `# 12 "file"`: a line marker of another preprocessor.
            return Ok(());
        };
        match &**word {
            "if" | "ifdef" | "ifndef" => {
                let holds = active && self.condition(word, name, rest)?;
                branches.push(Branch { pos: hash.pos, taken: holds, active: holds, last: false });
            }
            "elif" | "else" => {
                let outer = branches.iter().rev().skip(1).all(|branch| branch.active);
                let Some(branch) = branches.last_mut() else {
                    return Err(Problem::new(name.pos, format!("`#{word}` without `#if`")).wide(word.len()));
                };
                if branch.last {
                    return Err(Problem::new(name.pos, format!("`#{word}` after `#else`")).wide(word.len()));
                }
                let wanted = outer && !branch.taken;
                branch.last = &**word == "else";
                let is_last = branch.last;
                let holds = wanted && (is_last || self.condition("if", name, rest)?);
                let branch = branches.last_mut().expect("it was there a moment ago");
                branch.active = holds;
                branch.taken |= holds;
            }
            "endif" => {
                if branches.pop().is_none() {
                    return Err(Problem::new(name.pos, "`#endif` without `#if`").wide(5));
                }
            }
            _ if !active => {}
            "define" => self.define(name, rest)?,
            "undef" => {
                if let Some(Token { kind: Kind::Word(name), .. }) = rest.first() {
                    self.macros.remove(name);
                }
            }
            "include" => self.include(name, rest, depth)?,
            "error" => {
                let text: Vec<_> = rest.iter().map(|token| token.to_string().replace('`', "")).collect();
                return Err(Problem::new(hash.pos, format!("#error {}", text.join(" "))));
            }
            "line" | "pragma" | "warning" | "ident" => {}
            other => {
                return Err(Problem::new(name.pos, format!("`#{other}` is no directive")).wide(other.len()));
            }
        }
        Ok(())
    }

    fn define(&mut self, at: &Token, rest: &[Token]) -> Result<(), Problem> {
        let Some((Token { kind: Kind::Word(name), .. }, rest)) = rest.split_first() else {
            return Err(Problem::new(at.pos, "`#define` needs a name").wide(at.width()));
        };
        let mut body = rest;
        let mut parameters = None;
        if let Some(open) = rest.first()
            && open.is("(")
            && !open.spaced
        {
            let Some(close) = rest.iter().position(|token| token.is(")")) else {
                return Err(Problem::new(open.pos, "the parameters of this macro have no `)`"));
            };
            let names = rest[1..close].split(|token| token.is(",")).filter(|names| !names.is_empty());
            parameters = Some(
                names
                    .map(|names| match names {
                        [Token { kind: Kind::Word(name), .. }] => Ok(Arc::clone(name)),
                        [other, ..] => Err(Problem::new(other.pos, "a parameter of a macro is one name")),
                        [] => unreachable!("empty ones were left out"),
                    })
                    .collect::<Result<Vec<_>, _>>()?,
            );
            body = &rest[close + 1..];
        }
        self.macros.insert(Arc::clone(name), Macro { parameters, body: body.to_vec() });
        Ok(())
    }

    fn include(&mut self, at: &Token, rest: &[Token], depth: usize) -> Result<(), Problem> {
        let Some(Token { kind: Kind::Text(wanted), pos, .. }) = rest.first() else {
            return Err(Problem::new(at.pos, "`#include` needs a file name in quotes").wide(at.width()));
        };
        if depth == DEPTH {
            return Err(Problem::new(*pos, format!("files include each other more than {DEPTH} deep")));
        }
        let here = PathBuf::from(&*self.files.get(pos.file).name);
        let path = here.parent().unwrap_or(Path::new("")).join(&**wanted);
        let name = path.to_string_lossy();
        let text = match self.included.iter().find(|(known, _)| *known == *name) {
            Some((_, text)) => text.clone(),
            None => std::fs::read_to_string(&path).map_err(|error| {
                Problem::new(*pos, format!("{} cannot be read: {error}", path.display())).wide(wanted.len() + 2)
            })?,
        };
        let file = self.files.add(&name, &text);
        self.file(file, depth + 1)
    }

    fn condition(&mut self, word: &str, at: &Token, rest: &[Token]) -> Result<bool, Problem> {
        if word != "if" {
            let Some(Token { kind: Kind::Word(name), .. }) = rest.first() else {
                return Err(Problem::new(at.pos, format!("`#{word}` needs a name")).wide(word.len()));
            };
            return Ok(self.macros.contains_key(name) == (word == "ifdef"));
        }
        let mut items = Vec::new();
        let mut tokens = rest.iter().peekable();
        while let Some(token) = tokens.next() {
            if !token.is_word("defined") {
                items.push(Item { token: token.clone(), hidden: None });
                continue;
            }
            let parenthesised = tokens.next_if(|token| token.is("(")).is_some();
            let Some(Token { kind: Kind::Word(name), .. }) = tokens.next() else {
                return Err(Problem::new(token.pos, "`defined` needs a name").wide(token.width()));
            };
            if parenthesised {
                tokens.next();
            }
            let value = i32::from(self.macros.contains_key(name));
            items.push(Item { token: Token { kind: Kind::Number(value), ..token.clone() }, hidden: None });
        }
        let expanded = self.expand(items)?;
        let tokens: Vec<_> = expanded.into_iter().map(|item| item.token).collect();
        let mut condition = Condition { at, tokens: &tokens, next: 0 };
        let value = condition.binary(0)?;
        match tokens.get(condition.next) {
            None => Ok(value != 0),
            Some(token) => Err(Problem::new(token.pos, format!("{token} was not expected in a condition"))),
        }
    }

    /// Expands all macros.
    fn expand(&mut self, items: Vec<Item>) -> Result<Vec<Item>, Problem> {
        let mut input: VecDeque<Item> = items.into();
        let mut output = Vec::with_capacity(input.len());
        while let Some(item) = input.pop_front() {
            let Kind::Word(name) = &item.token.kind else {
                output.push(item);
                continue;
            };
            let name = Arc::clone(name);
            let Some(found) = self.macros.get(&name).filter(|_| !item.hides(&name)).cloned() else {
                output.push(item);
                continue;
            };
            let arguments = match &found.parameters {
                None => Vec::new(),
                Some(_) if !input.front().is_some_and(|next| next.token.is("(")) => {
                    output.push(item);
                    continue;
                }
                Some(parameters) => arguments(&item, &mut input, parameters.len())?,
            };
            let hidden = Some(Arc::new(Hidden { name, outer: item.hidden.clone() }));
            let replaced = self.substitute(&found, &arguments, item.token.pos)?;
            for token in replaced.into_iter().rev() {
                input.push_front(Item { hidden: token.hidden.or_else(|| hidden.clone()), token: token.token });
            }
        }
        Ok(output)
    }

    /// The body of a macro with its arguments put in.
    fn substitute(&mut self, found: &Macro, arguments: &[Vec<Item>], pos: Pos) -> Result<Vec<Item>, Problem> {
        let parameters = found.parameters.as_deref().unwrap_or(&[]);
        let argument = |token: &Token| match &token.kind {
            Kind::Word(word) => parameters.iter().position(|parameter| parameter == word),
            _ => None,
        };
        let mut output: Vec<Item> = Vec::new();
        let mut index = 0;
        while let Some(token) = found.body.get(index) {
            index += 1;
            let next = found.body.get(index);
            if token.is("#")
                && let Some(number) = next.and_then(argument)
            {
                index += 1;
                let text: String = arguments[number].iter().map(|item| plain(&item.token)).collect();
                output.push(Item { token: Token { kind: Kind::Text(text.into()), pos, spaced: true }, hidden: None });
            } else if token.is("##") {
                let Some(right) = next else { continue };
                index += 1;
                let right = match argument(right) {
                    Some(number) => arguments[number].iter().map(|item| plain(&item.token)).collect(),
                    None => plain(right),
                };
                let left = output.pop().map_or(String::new(), |item| plain(&item.token));
                let file = self.files.add("a macro", &format!("{left}{right}"));
                let joined = lexer::tokens(file, &format!("{left}{right}"))?;
                let joined = joined.into_iter().filter(|token| token.kind != Kind::Line);
                output.extend(joined.map(|token| Item { token: Token { pos, ..token }, hidden: None }));
            } else if let Some(number) = argument(token) {
                let argument = arguments[number].clone();
                let given = if next.is_some_and(|next| next.is("##")) { argument } else { self.expand(argument)? };
                output.extend(given);
            } else {
                output.push(Item { token: Token { pos, ..token.clone() }, hidden: None });
            }
        }
        Ok(output)
    }
}

/// A token as it is written.
fn plain(token: &Token) -> String {
    match &token.kind {
        Kind::Word(word) => word.to_string(),
        Kind::Number(number) => number.to_string(),
        Kind::Text(text) => format!("\"{text}\""),
        Kind::Mark(mark) => (*mark).to_owned(),
        Kind::Line | Kind::End => String::new(),
    }
}

/// The arguments of a macro, which end with a `)` of its own.
fn arguments(at: &Item, input: &mut VecDeque<Item>, parameters: usize) -> Result<Vec<Vec<Item>>, Problem> {
    input.pop_front();
    let mut found = vec![Vec::new()];
    let mut depth = 0;
    loop {
        let Some(item) = input.pop_front() else {
            return Err(
                Problem::new(at.token.pos, format!("the arguments of {} have no `)`", at.token)).wide(at.token.width())
            );
        };
        match &item.token.kind {
            Kind::Mark(")") if depth == 0 => break,
            Kind::Mark(",") if depth == 0 => {
                found.push(Vec::new());
                continue;
            }
            Kind::Mark("(") => depth += 1,
            Kind::Mark(")") => depth -= 1,
            _ => {}
        }
        found.last_mut().expect("there is always one").push(item);
    }
    if parameters == 0 && found.len() == 1 && found[0].is_empty() {
        found.clear();
    }
    if found.len() != parameters {
        return Err(Problem::new(
            at.token.pos,
            format!("the macro {} takes {parameters} arguments, not {}", at.token, found.len()),
        )
        .wide(at.token.width()));
    }
    Ok(found)
}

/// What stands behind `#if`.
struct Condition<'a> {
    at: &'a Token,
    tokens: &'a [Token],
    next: usize,
}

/// Operators by how strongly they bind, the weakest first.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Condition<'_> {
    fn binary(&mut self, level: usize) -> Result<i64, Problem> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(token) = self.tokens.get(self.next)
            && let Kind::Mark(mark) = token.kind
            && operators.contains(&mark)
        {
            self.next += 1;
            let right = self.binary(level + 1)?;
            left = match mark {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "|" => left | right,
                "^" => left ^ right,
                "&" => left & right,
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<<" => left.wrapping_shl(right as u32),
                ">>" => left.wrapping_shr(right as u32),
                "+" => left.wrapping_add(right),
                "-" => left.wrapping_sub(right),
                "*" => left.wrapping_mul(right),
                _ if right == 0 => return Err(Problem::new(token.pos, "a division by zero")),
                "/" => left.wrapping_div(right),
                _ => left.wrapping_rem(right),
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<i64, Problem> {
        let Some(token) = self.tokens.get(self.next) else {
            return Err(Problem::new(self.at.pos, "this condition is not complete").wide(self.at.width()));
        };
        self.next += 1;
        match &token.kind {
            Kind::Number(number) => Ok(i64::from(*number)),
            // A name that is no macro is 0.
            Kind::Word(_) => Ok(0),
            Kind::Mark("!") => Ok(i64::from(self.unary()? == 0)),
            Kind::Mark("-") => Ok(self.unary()?.wrapping_neg()),
            Kind::Mark("+") => self.unary(),
            Kind::Mark("~") => Ok(!self.unary()?),
            Kind::Mark("(") => {
                let value = self.binary(0)?;
                match self.tokens.get(self.next) {
                    Some(close) if close.is(")") => self.next += 1,
                    _ => return Err(Problem::new(token.pos, "this `(` is not closed")),
                }
                Ok(value)
            }
            _ => Err(Problem::new(token.pos, format!("{token} was not expected in a condition"))),
        }
    }
}
