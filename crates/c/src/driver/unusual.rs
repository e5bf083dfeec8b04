//! Accesses that clang's instrumentation passes over, in its intermediate language. They are announced here:
//!
//! - loads and stores of other sizes than 1, 2, 4, 8 and 16 bytes: bit-fields of 24 bits, `long double`, many vectors;
//! - structs that a call copies for its callee;
//! - atomic operations that the sanitizer has no function for: minimum, maximum, and those on floating point.
//!
//! What would be left (instructions of the processor that access memory by other ways) is refused.

use super::DriverError;
use super::captured::{operands, push};
use super::types::Types;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The sizes that are announced without help.
const USUAL: [usize; 5] = [1, 2, 4, 8, 16];

/// The same program with these accesses announced.
pub(super) fn announce(text: &str) -> Result<String, DriverError> {
    let mut module = Module {
        types: Types::of(text),
        // The last version with such pointers has them everywhere.
        pointer: if text.contains("i8* ") || text.contains("i8*,") { "i8*" } else { "ptr" },
        announced: String::with_capacity(text.len() + text.len() / 8),
        count: 0,
        functions: BTreeSet::new(),
    };
    for line in text.lines() {
        module.take(line)?;
    }
    let Module { mut announced, functions, .. } = module;
    for function in functions.iter().filter(|function| !text.contains(&format!("declare {function}"))) {
        let _ = writeln!(announced, "declare {function}");
    }
    Ok(announced)
}

struct Module<'t> {
    types: Types<'t>,
    /// The type of pointers to bytes.
    pointer: &'static str,
    announced: String,
    /// How many values were named here.
    count: usize,
    /// Functions that are called here.
    functions: BTreeSet<String>,
}

impl<'t> Module<'t> {
    fn take(&mut self, line: &'t str) -> Result<(), DriverError> {
        let instruction = line.trim_start();
        if line.starts_with("declare ") {
            refuse_instructions(line)?;
        } else if let Some(line) = with_instrumentation(line) {
            self.push(&line);
            return Ok(());
        } else if let Some(rest) = instruction.strip_prefix("store ") {
            self.announce_access("write", rest, line)?;
        } else if line.starts_with(' ') {
            let what = instruction.split_once(" = ").filter(|_| instruction.starts_with('%'));
            match what {
                Some((_, what)) if what.starts_with("load ") => {
                    self.announce_access("read", &what["load ".len()..], line)?;
                }
                Some((name, what)) if what.starts_with("atomicrmw ") && self.replace_update(name, what, line)? => {
                    return Ok(());
                }
                _ if line.contains(" byval(") => self.announce_copies(line)?,
                _ => {}
            }
        }
        self.push(line);
        Ok(())
    }

    fn push(&mut self, line: &str) {
        push(&mut self.announced, line);
    }

    /// Announces a load or a store, the text behind whose name is given.
    fn announce_access(&mut self, does: &str, access: &str, line: &str) -> Result<(), DriverError> {
        if access.starts_with("atomic ") {
            return Ok(());
        }
        let access = access.strip_prefix("volatile ").unwrap_or(access);
        let (size, behind) = self.types.read(access).ok_or_else(|| not_known(line))?;
        if USUAL.contains(&size.stored) {
            return Ok(());
        }
        // Behind the type and the value, or the type alone.
        let pointer = operands(access).nth(1).ok_or_else(|| not_known(line))?;
        let of = &access[..access.len() - behind.len()];
        self.announce_range(does, of, pointer, size.stored, line)
    }

    /// A struct is passed by value: the call reads it.
    fn announce_copies(&mut self, line: &str) -> Result<(), DriverError> {
        let arguments = line.find('(').map_or("", |at| &line[at..]);
        for argument in arguments.split(" byval(").skip(1) {
            let (size, behind) = self.types.read(argument).ok_or_else(|| not_known(line))?;
            let of = &argument[..argument.len() - behind.len()];
            let mut value = behind.trim_start_matches(')').trim_start();
            while let Some(attribute) = ATTRIBUTES.iter().find(|attribute| value.starts_with(**attribute)) {
                value = value[attribute.len()..].trim_start();
                // Such as the number of an alignment.
                value = value.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
            }
            let end = value_end(value);
            let pointer = match self.pointer {
                "ptr" => format!("ptr {}", &value[..end]),
                _ => format!("{of}* {}", &value[..end]),
            };
            self.announce_range("read", of, &pointer, size.allocated(), line)?;
        }
        Ok(())
    }

    /// Announces an access of so many bytes, by a pointer to a type.
    fn announce_range(
        &mut self,
        does: &str,
        of: &str,
        pointer: &str,
        size: usize,
        line: &str,
    ) -> Result<(), DriverError> {
        let place = place(line);
        let address = match pointer.strip_prefix("ptr ") {
            Some(value) => value.to_owned(),
            None => {
                let value = pointer.strip_prefix(of).and_then(|rest| rest.strip_prefix("* "));
                let value = value.ok_or_else(|| not_known(line))?;
                self.count += 1;
                let name = format!("%\"mazurka access {}\"", self.count);
                let _ = writeln!(self.announced, "  {name} = bitcast {of}* {value} to i8*");
                name
            }
        };
        let kind = self.pointer;
        let _ = writeln!(self.announced, "  call void @__tsan_{does}_range({kind} {address}, i64 {size}){place}");
        self.functions.insert(format!("void @__tsan_{does}_range({kind}, i64)"));
        Ok(())
    }

    /// An atomic update that the sanitizer has no function for becomes a call of the runtime. Says whether it is one.
    fn replace_update(&mut self, name: &str, update: &str, line: &str) -> Result<bool, DriverError> {
        let update = update["atomicrmw ".len()..].trim_start_matches("volatile ");
        let (what, rest) = update.split_once(' ').ok_or_else(|| not_known(line))?;
        if OF_SANITIZER.contains(&what) {
            return Ok(false);
        }
        if !OF_RUNTIME.contains(&what) {
            return Err(DriverError::Instruction(format!("atomicrmw {what}")));
        }
        let mut operands = operands(rest);
        let (Some(pointer), Some(value)) = (operands.next(), operands.next()) else { return Err(not_known(line)) };
        let (size, behind) = self.types.read(value).ok_or_else(|| not_known(line))?;
        let of = &value[..value.len() - behind.len()];
        let (number, is_float) = match of {
            "float" | "double" => (format!("i{}", size.stored * 8), true),
            "i8" | "i16" | "i32" | "i64" => (of.to_owned(), false),
            _ => return Err(DriverError::Instruction(format!("atomicrmw {what} of {of}"))),
        };
        // The value ends before the memory order.
        let value = behind.trim_start();
        let value = &value[..value_end(value)];
        self.count += 1;
        let count = self.count;
        let kind = self.pointer;
        let place = place(line);
        let text = &mut self.announced;
        let address = match pointer.strip_prefix("ptr ") {
            Some(address) => address.to_owned(),
            None => {
                let address = pointer.strip_prefix(of).and_then(|rest| rest.strip_prefix("* "));
                let address = address.ok_or_else(|| not_known(line))?;
                let _ = writeln!(text, "  %\"mazurka access {count}\" = bitcast {of}* {address} to i8*");
                format!("%\"mazurka access {count}\"")
            }
        };
        let function = format!("@mazurka_atomic{}_{what}", size.stored * 8);
        let _ = if is_float {
            writeln!(
                text,
                "  %\"mazurka new {count}\" = bitcast {of} {value} to {number}\n  \
                 %\"mazurka old {count}\" = call {number} {function}({kind} {address}, {number} %\"mazurka new \
                 {count}\"){place}\n  {name} = bitcast {number} %\"mazurka old {count}\" to {of}"
            )
        } else {
            writeln!(text, "  {name} = call {number} {function}({kind} {address}, {number} {value}){place}")
        };
        self.functions.insert(format!("{number} {function}({kind}, {number})"));
        Ok(true)
    }
}

/// Updates that clang's instrumentation announces, and those that the runtime has functions for.
const OF_SANITIZER: &[&str] = &["xchg", "add", "sub", "and", "nand", "or", "xor"];
const OF_RUNTIME: &[&str] = &["min", "max", "umin", "umax", "fadd", "fsub"];

/// What may stand between the type and the value of an argument.
const ATTRIBUTES: &[&str] = &["noundef", "nonnull", "align", "noalias", "nocapture", "readonly", "dereferenceable"];

/// Where in the source an instruction is.
fn place(line: &str) -> &str {
    let place = line.rfind(", !dbg ").map_or("", |at| &line[at..]);
    &place[..place.get(1..).and_then(|rest| rest.find(", !")).map_or(place.len(), |end| end + 1)]
}

/// Where the value ends that a text begins with: a name, a number or a constant expression.
fn value_end(text: &str) -> usize {
    let mut depth = 0;
    let mut is_quoted = false;
    let mut had_bracket = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            ',' | ')' if depth == 0 => return at,
            // `bitcast (…)` goes on behind its name.
            ' ' if depth == 0 && (had_bracket || !text[at..].trim_start().starts_with('(') && !is_expression(text)) => {
                return at;
            }
            '(' | '[' | '{' | '<' => (depth, had_bracket) = (depth + 1, true),
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Whether a text begins with an expression of constants.
fn is_expression(text: &str) -> bool {
    ["getelementptr ", "bitcast ", "inttoptr ", "addrspacecast "].iter().any(|name| text.starts_with(name))
}

fn not_known(line: &str) -> DriverError {
    DriverError::Instruction(line.trim().chars().take(200).collect())
}

/// What is not true of functions that are instrumented: what a program calls pure or constant reads atomic variables all the same,
/// and two calls of it are two.
const UNTRUE: &[&str] = &[
    " disable_sanitizer_instrumentation",
    " nosanitize_thread",
    " readonly",
    " readnone",
    " memory(read)",
    " memory(none)",
    " willreturn",
];

/// Every function is instrumented, whatever its attributes say.
fn with_instrumentation(line: &str) -> Option<String> {
    let rest = line.strip_prefix("attributes #").filter(|rest| rest.contains(" = { "))?;
    let rest = UNTRUE.iter().fold(rest.to_owned(), |rest, attribute| rest.replace(attribute, ""));
    let rest =
        if rest.contains(" sanitize_thread ") { rest } else { rest.replacen(" = { ", " = { sanitize_thread ", 1) };
    Some(format!("attributes #{rest}"))
}

/// Intrinsic functions with pointers for arguments that access no memory, or whose accesses are announced.
const KNOWN_INTRINSICS: &[&str] = &[
    "dbg.",
    "lifetime.",
    "memcpy.",
    "memmove.",
    "memset.",
    "va_",
    "stacksave",
    "stackrestore",
    "objectsize.",
    "expect.",
    "assume",
    "frameaddress",
    "returnaddress",
    "addressofreturnaddress",
    "eh.",
    "prefetch",
    "ptrmask",
    "invariant.",
    "launder.",
    "strip.",
    "var.annotation",
    "ptr.annotation",
    "annotation.",
    "threadlocal.address",
    "is.constant",
    "experimental.noalias",
    "type.test",
    "ubsantrap",
    "sideeffect",
    "coro.",
];

/// Instructions that answer with something else in every execution, or that undo what the program did.
const ANSWER_OTHERWISE: &[&str] = &[
    "readcyclecounter",
    "readsteadycounter",
    "x86.rd",
    "x86.wr",
    "x86.xbegin",
    "x86.xend",
    "x86.xabort",
    "x86.xgetbv",
];

/// Instructions that access memory by other ways than loads and stores are not announced.
fn refuse_instructions(declaration: &str) -> Result<(), DriverError> {
    let Some((_, function)) = declaration.split_once(" @llvm.") else { return Ok(()) };
    let Some((name, arguments)) = function.split_once('(') else { return Ok(()) };
    let has_pointer = arguments.contains("ptr") || arguments.contains('*');
    if ANSWER_OTHERWISE.iter().any(|known| name.starts_with(known)) {
        return Err(DriverError::Instruction(format!("llvm.{name}")));
    }
    if has_pointer && !KNOWN_INTRINSICS.iter().any(|known| name.starts_with(known)) {
        return Err(DriverError::Instruction(format!("llvm.{name}")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn announced(text: &str) -> Vec<String> {
        announce(text).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn unusual_accesses_are_announced() {
        let lines =
            announced("  %2 = load x86_fp80, x86_fp80* @x, align 16, !dbg !7, !tbaa !9\n  %9 = load i8*, i8** @p\n");
        assert_eq!(lines[0], "  %\"mazurka access 1\" = bitcast x86_fp80* @x to i8*");
        assert_eq!(lines[1], "  call void @__tsan_read_range(i8* %\"mazurka access 1\", i64 10), !dbg !7");
        assert_eq!(lines.last().unwrap(), "declare void @__tsan_read_range(i8*, i64)");
        let lines = announced("  store <4 x double> <double 1.0, double 2.0>, ptr %p, align 32, !dbg !8\n");
        assert_eq!(lines[0], "  call void @__tsan_write_range(ptr %p, i64 32), !dbg !8");
    }

    #[test]
    fn bit_fields_behind_expressions_are_announced() {
        let lines = announced(
            "  %1 = load i24, i24* bitcast (%struct.anon* @s to i24*), align 4, !dbg !3\n  %9 = load i8*, i8** @p\n",
        );
        assert_eq!(lines[0], "  %\"mazurka access 1\" = bitcast i24* bitcast (%struct.anon* @s to i24*) to i8*");
        assert_eq!(lines[1], "  call void @__tsan_read_range(i8* %\"mazurka access 1\", i64 3), !dbg !3");
    }

    #[test]
    fn structs_passed_by_value_are_read() {
        let lines = announced(
            "%struct.S = type { [5 x i64] }\n  call void @f(ptr noundef byval(%struct.S) align 8 @s, i32 1), !dbg !4\n",
        );
        assert_eq!(lines[1], "  call void @__tsan_read_range(ptr @s, i64 40), !dbg !4");
    }

    #[test]
    fn atomic_updates_without_a_function_become_calls() {
        let lines = announced("  %5 = atomicrmw umax ptr @x, i32 %4 seq_cst, align 4, !dbg !4\n");
        assert_eq!(lines[0], "  %5 = call i32 @mazurka_atomic32_umax(ptr @x, i32 %4), !dbg !4");
        let lines = announced("  %5 = atomicrmw fadd ptr @d, double 1.000000e+00 seq_cst, align 8\n");
        assert_eq!(lines[0], "  %\"mazurka new 1\" = bitcast double 1.000000e+00 to i64");
        assert_eq!(lines[1], "  %\"mazurka old 1\" = call i64 @mazurka_atomic64_fadd(ptr @d, i64 %\"mazurka new 1\")");
        assert_eq!(lines[2], "  %5 = bitcast i64 %\"mazurka old 1\" to double");
    }

    #[test]
    fn usual_accesses_are_left_alone() {
        let text = "  %2 = load <4 x i32>, ptr %p, align 16\n  store i64 1, ptr %p, align 8\n  %3 = add i32 1, 2\n";
        assert_eq!(announce(text).unwrap(), text);
    }

    #[test]
    fn every_function_is_instrumented() {
        let lines =
            announced("attributes #0 = { nounwind }\nattributes #1 = { disable_sanitizer_instrumentation nounwind }\n");
        assert_eq!(lines[0], "attributes #0 = { sanitize_thread nounwind }");
        assert_eq!(lines[1], "attributes #1 = { sanitize_thread nounwind }");
        let lines = announced("attributes #0 = { nounwind willreturn memory(read) \"frame-pointer\"=\"all\" }\n");
        assert_eq!(lines[0], "attributes #0 = { sanitize_thread nounwind \"frame-pointer\"=\"all\" }");
    }

    #[test]
    fn other_ways_to_memory_are_refused() {
        let refused = announce("declare void @llvm.x86.avx.maskstore.ps.256(ptr, <8 x i32>, <8 x float>) #1\n");
        assert_eq!(refused, Err(DriverError::Instruction("llvm.x86.avx.maskstore.ps.256".to_owned())));
        assert!(
            announce("declare i64 @llvm.x86.rdtsc() #1\n").is_err(),
            "it answers with something else in every execution"
        );
    }
}
