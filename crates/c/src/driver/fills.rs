//! What variables on stacks hold before they are initialised, in clang's intermediate language.
//!
//! clang stores a pattern into each of them, and marks what does. Here the pattern becomes the result of a call that has no effect and
//! always the same result within a run, so that a run with another pattern shows whether it decides anything. Where a variable is
//! initialised before it is used, the optimiser removes the call.

use super::captured::{operands, push};
use super::types::Types;
use std::fmt::Write;

/// The runtime's function: eight bytes.
const FUNCTION: &str = "@mazurka_fill";
/// What the compiler marks such instructions with.
const MARK: &str = "!{!\"auto-init\"}";
/// The byte that clang stores.
const BYTE: &str = "i8 -86";

/// The same program with the runtime's bytes in place of the pattern.
pub(super) fn by_call(text: &str) -> String {
    let is_mark = |line: &&str| line.strip_suffix(MARK).is_some_and(|line| line.ends_with(" = "));
    let Some(mark) = text.lines().find(is_mark).and_then(|line| line.split(' ').next()) else { return text.to_owned() };
    let mark = format!(", !annotation {mark}");
    let mut module =
        Module { types: Types::of(text), text: String::with_capacity(text.len() * 9 / 8), count: 0, sets: None };
    for line in text.lines() {
        let is_marked = line.split_once(&mark).is_some_and(|(_, rest)| rest.is_empty() || rest.starts_with(','));
        if !(is_marked && module.replace(line).is_some()) {
            push(&mut module.text, line);
        }
    }
    let Module { text: mut filled, sets, .. } = module;
    let _ = writeln!(filled, "declare i64 {FUNCTION}() nounwind willreturn readnone");
    if let Some(declaration) = sets.filter(|name| !text.contains(&format!("declare void {name}("))) {
        let pointer = if declaration.contains("p0i8") { "i8*" } else { "ptr" };
        let _ = writeln!(filled, "declare void {declaration}({pointer}, i8, i64, i1)");
    }
    filled
}

struct Module<'t> {
    types: Types<'t>,
    text: String,
    /// How many values were named here.
    count: usize,
    /// The function that sets memory, if it is called here.
    sets: Option<&'static str>,
}

impl Module<'_> {
    /// Replaces a marked instruction, if it is one that is understood.
    fn replace(&mut self, line: &str) -> Option<()> {
        let instruction = line.trim_start();
        if let Some(store) = instruction.strip_prefix("store ") {
            // Nobody can see that a variable begins to be, volatile or not.
            let store = store.strip_prefix("volatile ").unwrap_or(store);
            let (size, behind) = self.types.read(store)?;
            let of = &store[..store.len() - behind.len()];
            let to = behind.get(operands(behind).next()?.len() + 1..)?;
            let value = self.value(of, size.stored)?;
            push(&mut self.text, &format!("  store {of} {value}{to}"));
            return Some(());
        }
        let arguments = instruction.split_once('(').filter(|(call, _)| call.starts_with("call void @llvm.mem"))?.1;
        let mut arguments = operands(arguments);
        let (to, from, size) = (arguments.next()?, arguments.next()?, arguments.next()?);
        let rest = line.rfind(", i1 ").and_then(|at| line[at..].split_once(')'))?.1;
        let function = if line.contains(".p0i8.") { "@llvm.memset.p0i8.i64" } else { "@llvm.memset.p0.i64" };
        // From a constant that has the pattern in it, or the pattern alone.
        if !(line.contains("@llvm.memcpy.") || from == BYTE) || !size.starts_with("i64 ") {
            return None;
        }
        self.sets = Some(function);
        let value = self.value("i8", 1)?;
        push(&mut self.text, &format!("  call void {function}({to}, i8 {value}, {size}, i1 false){rest}"));
        Some(())
    }

    /// The bytes as a value of a type.
    fn value(&mut self, of: &str, size: usize) -> Option<String> {
        self.count += 1;
        let count = self.count;
        let name = |part: &str| format!("%\"mazurka fill {count}{part}\"");
        let mut lines = format!("  {} = call i64 {FUNCTION}()\n", name(""));
        let (mut value, mut has) = (name(""), 64);
        let mut becomes = |by: &str, operand: &str, part: &str| {
            let _ = writeln!(lines, "  {} = {by} {operand}", name(part));
            name(part)
        };
        if size > 8 {
            let low = becomes("zext", &format!("i64 {value} to i128"), "l");
            let high = becomes("shl", &format!("i128 {low}, 64"), "h");
            (value, has) = (becomes("or", &format!("i128 {low}, {high}"), "b"), 128);
        }
        let is_integer = of.strip_prefix('i').is_some_and(|bits| bits.parse::<usize>().is_ok());
        let bits: usize = if is_integer { of[1..].parse().ok()? } else { size * 8 };
        if bits > has {
            return None;
        }
        if bits < has {
            value = becomes("trunc", &format!("i{has} {value} to i{bits}"), "t");
        }
        if of == "ptr" || of.ends_with('*') {
            value = becomes("inttoptr", &format!("i{bits} {value} to {of}"), "p");
        } else if !is_integer {
            value = becomes("bitcast", &format!("i{bits} {value} to {of}"), "c");
        }
        self.text.push_str(&lines);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKS: &str = "!7 = !{!\"auto-init\"}\n";

    fn filled(line: &str) -> String {
        let text = by_call(&format!("{line}\n{MARKS}"));
        let end = text.find(MARKS).expect("the rest is as it was");
        text[..end].replace("mazurka fill ", "")
    }

    #[test]
    fn what_is_marked_gets_the_bytes_of_the_runtime() {
        assert_eq!(
            filled("  store i32 -1431655766, ptr %3, align 4, !dbg !9, !annotation !7"),
            "  %\"1\" = call i64 @mazurka_fill()\n  %\"1t\" = trunc i64 %\"1\" to i32\n  \
             store i32 %\"1t\", ptr %3, align 4, !dbg !9, !annotation !7\n"
        );
        assert!(
            filled("  store volatile i64 -6148914691236517206, ptr %3, align 8, !annotation !7")
                .ends_with("  store i64 %\"1\", ptr %3, align 8, !annotation !7\n")
        );
        assert_eq!(
            filled("  store i8* inttoptr (i64 -61 to i8*), i8** %11, align 8, !annotation !7"),
            "  %\"1\" = call i64 @mazurka_fill()\n  %\"1p\" = inttoptr i64 %\"1\" to i8*\n  \
             store i8* %\"1p\", i8** %11, align 8, !annotation !7\n"
        );
        assert!(
            filled("  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %4, ptr align 4 @__const.f, i64 24, i1 false), !annotation !7")
                .ends_with("@llvm.memset.p0.i64(ptr align 4 %4, i8 %\"1t\", i64 24, i1 false), !annotation !7\n")
        );
    }

    #[test]
    fn everything_else_is_as_it_was() {
        for line in [
            "  store i32 -1431655766, ptr %3, align 4, !dbg !9",
            "  store i32 -1431655766, ptr %3, align 4, !annotation !71",
            "  store <8 x i32> <i32 -1431655766>, ptr %3, align 32, !annotation !7",
        ] {
            assert_eq!(filled(line), format!("{line}\n"));
        }
        assert_eq!(by_call("define void @f()\n"), "define void @f()\n");
    }
}
