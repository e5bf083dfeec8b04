//! Calls whose results the program does not look at: additions to atomic variables, and waits at barriers. Then it cannot tell
//! in which order threads made them, so that they need not be explored in every order. Such calls go to functions of
//! their own.
//!
//! Whether a result is looked at is read off what the compiler made of the program: in the intermediate language of clang
//! after its optimiser, where a value is used if its name is; in assembly by following the register of the result, where
//! whatever is not plainly something else counts as a look.

use super::captured::{definition, is_of_debugger, push, values};
use std::collections::{HashMap, HashSet};

pub(super) const BARRIER_WAIT: &str = "pthread_barrier_wait";

/// The name of the function that is called instead.
pub(super) fn blind(name: &str) -> String {
    format!("__mazurka_blind_{}", name.trim_start_matches('_'))
}

/// The functions that there are such others for.
fn candidates() -> impl Iterator<Item = String> {
    let widths = [8, 16, 32, 64].into_iter();
    let fetches = widths.flat_map(|bits| ["add", "sub"].map(|name| format!("__tsan_atomic{bits}_fetch_{name}")));
    fetches.chain([BARRIER_WAIT.to_owned()])
}

/// Whether a program calls any of them.
pub(super) fn has_candidates(text: &str) -> bool {
    candidates().any(|name| text.contains(&format!("@{name}(")))
}

/// The same program in the intermediate language, with calls without a look at their results sent elsewhere.
pub(super) fn in_intermediate(text: &str) -> String {
    let own = |name: &String| text.lines().any(|line| line.starts_with("define ") && line.contains(&call_of(name)));
    let candidates: Vec<String> = candidates().filter(|name| !own(name)).collect();
    let mut result = String::with_capacity(text.len() + text.len() / 64);
    let mut function: Vec<&str> = Vec::new();
    for line in text.lines() {
        if line.starts_with("define ") || !function.is_empty() {
            function.push(line);
            if line == "}" {
                in_function(&mut result, &function, &candidates);
                function.clear();
            }
            continue;
        }
        push(&mut result, line);
        if line.starts_with("declare ")
            && let Some(name) = candidates.iter().find(|name| line.contains(&call_of(name)))
        {
            push(&mut result, &line.replacen(name.as_str(), &blind(name), 1));
        }
    }
    result
}

fn call_of(name: &str) -> String {
    format!("@{name}(")
}

fn in_function(result: &mut String, lines: &[&str], candidates: &[String]) {
    let used_in = |line: &'_ str| definition(line).map_or(line.trim_start(), |(_, rest)| rest).to_owned();
    let uses: Vec<String> = lines.iter().filter(|line| !is_of_debugger(line)).map(|line| used_in(line)).collect();
    let used: HashSet<&str> = uses.iter().flat_map(|text| values(text)).collect();
    for line in lines {
        let called = candidates.iter().find(|name| line.contains(&call_of(name)));
        match (called, definition(line)) {
            (Some(name), Some((value, call))) if call.contains("call ") && !used.contains(value) => {
                push(result, &line.replacen(&call_of(name), &call_of(&blind(name)), 1));
            }
            _ => push(result, line),
        }
    }
}

/// The same program in assembly, with calls without a look at their results sent elsewhere.
pub(super) fn in_assembly(text: &str) -> String {
    let candidates: Vec<String> = candidates().filter(|name| !text.contains(&format!("\n{name}:"))).collect();
    let lines: Vec<&str> = text.lines().collect();
    let labels: HashMap<&str, usize> =
        lines.iter().enumerate().filter_map(|(i, line)| Some((line.strip_suffix(':')?, i))).collect();
    let code = Assembly { lines: &lines, labels };
    let mut result = String::with_capacity(text.len());
    for (i, line) in lines.iter().enumerate() {
        let target = line.trim().strip_prefix("call").map(|rest| rest.trim_start_matches('q').trim());
        let name = target.map(|target| target.trim_end_matches("@PLT"));
        match name.and_then(|name| candidates.iter().find(|candidate| *candidate == name)) {
            Some(name) if !code.looks_at_result(i + 1, &mut HashSet::new()) => {
                push(&mut result, &line.replacen(name.as_str(), &blind(name), 1));
            }
            _ => push(&mut result, line),
        }
    }
    result
}

struct Assembly<'t> {
    lines: &'t [&'t str],
    labels: HashMap<&'t str, usize>,
}

/// What an instruction does with the register of a result.
enum Does {
    Nothing,
    /// Overwrites it without looking.
    Overwrites,
    /// Computes with it, and leaves what comes of it there and in the flags.
    Computes,
    /// Sets the flags without looking.
    SetsFlags,
    MayLook,
    /// Goes on there, and if it is not sure to, behind the instruction as well.
    Jumps {
        to: String,
        surely: bool,
    },
}

impl Assembly<'_> {
    /// Whether what begins at a line may look at the register of a result.
    fn looks_at_result(&self, mut at: usize, seen: &mut HashSet<usize>) -> bool {
        let mut in_flags = false;
        while seen.insert(at) {
            let Some(line) = self.lines.get(at) else { return true };
            at += 1;
            match does(line.trim()) {
                Does::Nothing => {}
                Does::Overwrites => return false,
                Does::MayLook => return true,
                Does::Computes => in_flags = true,
                Does::SetsFlags => in_flags = false,
                Does::Jumps { to, surely } => {
                    let Some(&to) = self.labels.get(to.as_str()) else { return true };
                    if surely {
                        at = to;
                    } else if in_flags || self.looks_at_result(to, seen) {
                        return true;
                    }
                }
            }
        }
        // It has been here before, and nothing looked.
        false
    }
}

/// Instructions that do nothing with registers that they do not name.
const PLAIN: &[&str] = &["mov", "lea", "add", "sub", "cmp", "test", "and", "or", "xor", "sal", "sar", "shl", "shr"];

fn does(line: &str) -> Does {
    if line.is_empty() || line.starts_with(['.', '#']) || line.ends_with(':') {
        return Does::Nothing;
    }
    let (name, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let operands = operands.trim();
    let names_it = ["%rax", "%eax", "%ax", "%al", "%ah"].iter().any(|register| operands.contains(register));
    if matches!(name, "call" | "callq") {
        // The result of the call that follows is put there.
        return if names_it { Does::MayLook } else { Does::Overwrites };
    }
    if matches!(name, "nop" | "leave" | "endbr64") {
        return Does::Nothing;
    }
    if name.starts_with('j') {
        return Does::Jumps { to: operands.to_owned(), surely: name == "jmp" };
    }
    if !PLAIN.iter().any(|plain| name.starts_with(plain)) {
        return Does::MayLook;
    }
    let (from, to) = operands.rsplit_once(',').map_or(("", operands), |(from, to)| (from.trim(), to.trim()));
    let is_whole = matches!(to, "%rax" | "%eax");
    let from_names_it = ["%rax", "%eax", "%ax", "%al", "%ah"].iter().any(|register| from.contains(register));
    let is_zero = name.starts_with("xor") && from == to;
    let moves = name.starts_with("mov") || name.starts_with("lea");
    match names_it {
        false if moves => Does::Nothing,
        false => Does::SetsFlags,
        true if is_whole && (is_zero || moves && !from_names_it) => Does::Overwrites,
        // To compare is to look.
        true if is_whole && !from_names_it && ["add", "sub", "and", "or"].iter().any(|n| name.starts_with(n)) => {
            Does::Computes
        }
        true => Does::MayLook,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_the_intermediate_language_a_result_is_used_by_its_name() {
        let text = [
            "define i32 @f() {",
            "  %1 = tail call i32 @__tsan_atomic32_fetch_add(ptr @x, i32 1, i32 5) #3, !dbg !9",
            "  call void @llvm.dbg.value(metadata i32 %1, metadata !7, metadata !DIExpression())",
            "  %10 = tail call i32 @__tsan_atomic32_fetch_sub(ptr @x, i32 1, i32 5)",
            "  %11 = tail call i32 @pthread_barrier_wait(ptr @b)",
            "  ret i32 %10",
            "}",
            "declare i32 @__tsan_atomic32_fetch_add(ptr, i32, i32)",
        ];
        let result = in_intermediate(&text.join("\n"));
        let lines: Vec<&str> = result.lines().collect();
        assert!(lines[1].contains("@__mazurka_blind_tsan_atomic32_fetch_add("), "{result}");
        assert!(lines[3].contains("@__tsan_atomic32_fetch_sub("), "{result}");
        assert!(lines[4].contains("@__mazurka_blind_pthread_barrier_wait("), "{result}");
        assert_eq!(lines[8], "declare i32 @__mazurka_blind_tsan_atomic32_fetch_add(ptr, i32, i32)");
    }

    #[test]
    fn what_the_program_defines_itself_stays() {
        let text = "define i32 @pthread_barrier_wait(ptr %0) {\n  ret i32 0\n}\ndefine void @f() {\n  \
                    %1 = call i32 @pthread_barrier_wait(ptr @b)\n  ret void\n}\n";
        assert_eq!(in_intermediate(text), text);
    }

    fn after_call(lines: &[&str]) -> bool {
        let text = format!("f:\n\tcall\t__tsan_atomic32_fetch_add@PLT\n{}\n", lines.join("\n"));
        in_assembly(&text).contains("__mazurka_blind_tsan_atomic32_fetch_add")
    }

    #[test]
    fn in_assembly_the_register_of_the_result_is_followed() {
        assert!(after_call(&["\t.loc 1 3 5", "\tmovl\t$0, %eax", "\tret"]));
        assert!(after_call(&["\tleaq\tx(%rip), %rax"]));
        assert!(after_call(&["\txorl\t%eax, %eax"]));
        assert!(after_call(&["\taddl\t$1, -4(%rbp)", ".L2:", "\tcmpl\t$3, -4(%rbp)", "\tjle\t.L2", "\tcall\tg@PLT"]));
        assert!(after_call(&["\tjmp\t.L4", ".L3:", "\tret", ".L4:", "\tmovq\t-8(%rbp), %rax"]));
        assert!(!after_call(&["\tmovl\t%eax, -4(%rbp)"]));
        assert!(after_call(&["\taddl\t$1, %eax", "\tmovl\t$0, %eax"]));
        assert!(!after_call(&["\taddl\t$1, %eax", "\tjne\t.L1", ".L1:", "\tmovl\t$0, %eax"]));
        assert!(!after_call(&["\taddl\t$1, %eax", "\tmovl\t%eax, -4(%rbp)"]));
        assert!(!after_call(&["\tmovq\t(%rax), %rax"]));
        assert!(!after_call(&["\tcltq"]));
        assert!(!after_call(&["\tcall\t*%rax"]));
        assert!(!after_call(&["\tleave", "\tret"]));
        assert!(!after_call(&["\tjle\t.L9", "\tmovl\t$0, %eax", "\tret", ".L9:", "\ttestl\t%eax, %eax"]));
        assert!(!after_call(&["\tmovb\t$1, %al"]));
    }
}
