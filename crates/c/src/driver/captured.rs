//! Local variables whose addresses are given away, in the intermediate language of clang.
//!
//! Up to version 20, clang's instrumentation takes the elements and members of a local variable for the function's own, even if
//! the variable's address was given away: it asks whether the pointer to the part is, and not whether the variable's is.
//! So the address of each such variable is passed through an empty piece of assembly, behind which clang cannot tell that it
//! is a local variable's, and announces every access.

use std::collections::{HashMap, HashSet};

/// The first version of clang whose instrumentation asks for the variable.
pub(super) const FIRST_RIGHT: u32 = 21;
/// The first version whose pointers have no types.
const FIRST_OPAQUE: u32 = 15;

/// The same program with the local variables hidden whose addresses are given away.
pub(super) fn hide(text: &str, version: u32) -> String {
    let mut hidden = String::with_capacity(text.len() + text.len() / 8);
    let mut function: Option<Vec<&str>> = None;
    for line in text.lines() {
        match &mut function {
            None if line.starts_with("define ") => function = Some(vec![line]),
            None => push(&mut hidden, line),
            Some(lines) => {
                lines.push(line);
                if line == "}" {
                    hide_in_function(&mut hidden, lines, version >= FIRST_OPAQUE);
                    function = None;
                }
            }
        }
    }
    hidden
}

/// Adds a line.
pub(super) fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn hide_in_function(text: &mut String, lines: &[&str], opaque: bool) {
    let pointers = Pointers::of(lines);
    for line in lines {
        let roots: HashSet<&str> = values(line).filter_map(|value| pointers.given_away_root(value)).collect();
        match definition(line) {
            Some((name, rest)) if rest.starts_with("alloca ") && roots.contains(name) => {
                let pointer = if opaque { "ptr".to_owned() } else { format!("{}*", allocated_type(rest)) };
                let inner = inner_name(name);
                push(text, &format!("  {inner} = {rest}"));
                push(text, &format!("  {name} = call {pointer} asm \"\", \"=r,0\"({pointer} {inner})"));
            }
            // How long the variable lives is said of the variable itself, or not at all.
            _ if !roots.is_empty() && line.contains("@llvm.lifetime.") => {}
            _ if is_of_debugger(line) => push(text, &roots.iter().fold((*line).to_owned(), with_inner_name)),
            _ => push(text, line),
        }
    }
}

/// The name of the variable itself, where `name` is what hides it.
fn inner_name(name: &str) -> String {
    format!("%\"mazurka {}\"", name.trim_start_matches('%').trim_matches('"'))
}

fn with_inner_name(line: String, name: &&str) -> String {
    line.replacen(&format!("{name},"), &format!("{},", inner_name(name)), 1)
}

/// `i32` in `alloca i32, i64 %8, align 16`.
fn allocated_type(alloca: &str) -> &str {
    operands(alloca.trim_start_matches("alloca ").trim_start_matches("inalloca ")).next().unwrap_or_default()
}

/// The pointers to local variables and to their parts.
#[derive(Default)]
struct Pointers<'t> {
    /// To which variable each is.
    roots: HashMap<&'t str, &'t str>,
    given_away: HashSet<&'t str>,
}

impl<'t> Pointers<'t> {
    fn of(lines: &[&'t str]) -> Self {
        let mut pointers = Pointers::default();
        for line in lines {
            match definition(line) {
                Some((name, rest)) if rest.starts_with("alloca ") => {
                    pointers.roots.insert(name, name);
                }
                Some((name, rest)) if is_part(rest) => {
                    if let Some(root) = values(rest).find_map(|value| pointers.roots.get(value).copied()) {
                        pointers.roots.insert(name, root);
                    }
                }
                Some((_, rest)) => pointers.look_at(rest),
                None => pointers.look_at(line.trim_start()),
            }
        }
        pointers
    }

    /// Notes what an instruction gives away.
    fn look_at(&mut self, instruction: &'t str) {
        let kept = kept_operands(instruction);
        let Some(kept) = kept else { return };
        for value in operands(instruction).enumerate().filter(|(i, _)| *i != kept).flat_map(|(_, text)| values(text)) {
            if let Some(&root) = self.roots.get(value) {
                self.given_away.insert(root);
            }
        }
    }

    /// The variable that this is a pointer to, if its address is given away.
    fn given_away_root(&self, value: &str) -> Option<&'t str> {
        self.roots.get(value).copied().filter(|root| self.given_away.contains(root))
    }
}

/// Whether an instruction makes a pointer to a part of what its operand points to.
fn is_part(instruction: &str) -> bool {
    ["getelementptr ", "bitcast ", "addrspacecast "].iter().any(|name| instruction.starts_with(name))
}

/// Which operand of an instruction is only accessed; none for those that give nothing away, and one that there is not for
/// those that give everything away.
fn kept_operands(instruction: &str) -> Option<usize> {
    let is = |name: &str| instruction.starts_with(name);
    let is_known = ["@llvm.lifetime.", "@llvm.memcpy.", "@llvm.memmove.", "@llvm.memset."];
    if is("load ")
        || is("icmp ")
        || is_of_debugger(instruction)
        || is_known.iter().any(|name| instruction.contains(name))
    {
        None
    } else if is("store ") {
        Some(1)
    } else if is("cmpxchg ") || is("atomicrmw ") {
        Some(0)
    } else {
        Some(usize::MAX)
    }
}

/// Whether a line only tells a debugger about a variable: a call up to version 18, a record of its own from 19 on.
pub(super) fn is_of_debugger(line: &str) -> bool {
    line.contains("@llvm.dbg.") || line.trim_start().starts_with("#dbg_")
}

/// `%x` and `alloca i32` of `  %x = alloca i32`.
pub(super) fn definition(line: &str) -> Option<(&str, &str)> {
    line.trim_start().strip_prefix('%').and_then(|_| line.trim_start().split_once(" = "))
}

/// The parts between commas that are in no brackets.
pub(super) fn operands(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let mut is_quoted = false;
    text.split(move |c| {
        match c {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0 && !is_quoted
    })
    .map(str::trim)
}

/// The names in a text that begin with `%`: of values, and of types.
pub(super) fn values(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('%').map(|(at, _)| {
        let rest = &text[at..];
        let is_end = |c: char| !(c.is_alphanumeric() || "._-$".contains(c));
        match rest[1..].strip_prefix('"') {
            Some(quoted) => &rest[..quoted.find('"').map_or(rest.len(), |end| end + 3)],
            None => &rest[..rest[1..].find(is_end).map_or(rest.len(), |end| end + 1)],
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(body: &[&str]) -> String {
        format!("define i32 @f() {{\n{}\n}}\n", body.join("\n"))
    }

    #[test]
    fn a_variable_that_is_given_away_is_hidden() {
        let text = function(&[
            "  %1 = alloca [4 x i32], align 16",
            "  call void @llvm.dbg.declare(metadata [4 x i32]* %1, metadata !1, metadata !DIExpression())",
            "  %2 = getelementptr [4 x i32], [4 x i32]* %1, i64 0, i64 2",
            "  %3 = bitcast [4 x i32]* %1 to i8*",
            "  call void @llvm.lifetime.start.p0i8(i64 16, i8* %3)",
            "  call void @g(i8* noundef %3)",
            "  store i32 1, i32* %2, align 4",
        ]);
        let hidden = function(&[
            "  %\"mazurka 1\" = alloca [4 x i32], align 16",
            "  %1 = call [4 x i32]* asm \"\", \"=r,0\"([4 x i32]* %\"mazurka 1\")",
            "  call void @llvm.dbg.declare(metadata [4 x i32]* %\"mazurka 1\", metadata !1, metadata !DIExpression())",
            "  %2 = getelementptr [4 x i32], [4 x i32]* %1, i64 0, i64 2",
            "  %3 = bitcast [4 x i32]* %1 to i8*",
            "  call void @g(i8* noundef %3)",
            "  store i32 1, i32* %2, align 4",
        ]);
        assert_eq!(hide(&text, 14), hidden);
    }

    #[test]
    fn pointers_without_types_are_understood() {
        let text = function(&["  %s = alloca %struct.S, align 8", "  store ptr %s, ptr @shared, align 8"]);
        let hidden = hide(&text, 19);
        assert!(hidden.contains("  %s = call ptr asm \"\", \"=r,0\"(ptr %\"mazurka s\")\n"), "{hidden}");
    }

    #[test]
    fn a_variable_that_is_only_used_stays_as_it_is() {
        let text = function(&[
            "  %1 = alloca %struct.S, align 8",
            "    #dbg_declare(ptr %1, !42, !DIExpression(), !54)",
            "  %2 = getelementptr %struct.S, %struct.S* %1, i32 0, i32 1",
            "  store i32 1, i32* %2, align 4",
            "  %3 = load i32, i32* %2, align 4",
            "  call void @g(i32 noundef %3)",
            "  ret i32 %3",
        ]);
        assert_eq!(hide(&text, 14), text);
    }
}
