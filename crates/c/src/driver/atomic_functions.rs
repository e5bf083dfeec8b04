//! Functions that are atomic sections by their names, as verification competitions have it: `__VERIFIER_atomic_…`. Each begins with the
//! start of a section and ends with its end.

const PREFIX: &str = "__VERIFIER_atomic_";
const BEGIN: &str = "__VERIFIER_atomic_begin";
const END: &str = "__VERIFIER_atomic_end";

fn is_section(name: &str) -> bool {
    name.starts_with(PREFIX) && ![BEGIN, END].contains(&name)
}

/// The same program, in clang's intermediate language, with these functions enclosed.
pub(super) fn enclose(text: &str) -> String {
    let mut enclosed = String::with_capacity(text.len());
    let mut is_inside = false;
    let mut is_at_start = false;
    let mut is_used = false;
    let call = |name: &str| format!("  call void @{name}()\n");
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("define ") {
            is_inside =
                rest.split_once('@').is_some_and(|(_, rest)| is_section(rest.split('(').next().unwrap_or(rest)));
            is_at_start = is_inside;
            is_used |= is_inside;
        } else if is_inside && line.starts_with("  ") {
            if is_at_start {
                enclosed += &call(BEGIN);
                is_at_start = false;
            }
            if line.starts_with("  ret ") {
                enclosed += &call(END);
            }
        } else if line == "}" {
            is_inside = false;
        }
        enclosed += line;
        enclosed.push('\n');
    }
    for name in [BEGIN, END] {
        let declares = |line: &str| line.starts_with("declare ") && line.contains(&format!("@{name}("));
        if is_used && !text.lines().any(declares) {
            enclosed += &format!("declare void @{name}()\n");
        }
    }
    enclosed
}

/// The same in assembly: behind the name comes a piece that begins the section, calls the function itself and ends the section, with all
/// arguments and results in registers as they were.
pub(super) fn enclose_assembly(text: &str) -> String {
    let mut enclosed = String::with_capacity(text.len());
    for line in text.lines() {
        enclosed += line;
        enclosed.push('\n');
        if let Some(name) = line.strip_suffix(':').filter(|name| is_section(name)) {
            enclosed += &around(name);
        }
    }
    enclosed
}

fn around(name: &str) -> String {
    const ARGUMENTS: [&str; 6] = ["rdi", "rsi", "rdx", "rcx", "r8", "r9"];
    const RESULTS: [&str; 2] = ["rax", "rdx"];
    let mut text = String::new();
    let mut add = |line: String| text += &format!("\t{line}\n");
    let vector = |add: &mut dyn FnMut(String), count: usize, is_saved: bool| {
        for i in 0..count {
            let (register, place) = (format!("%xmm{i}"), format!("{}(%rsp)", 16 * i));
            add(if is_saved { format!("movups {register}, {place}") } else { format!("movups {place}, {register}") });
        }
    };
    ARGUMENTS.iter().for_each(|register| add(format!("pushq %{register}")));
    // The stack is aligned to 16 bytes at calls.
    add("subq $136, %rsp".to_owned());
    vector(&mut add, 8, true);
    add(format!("call {BEGIN}@PLT"));
    vector(&mut add, 8, false);
    add("addq $136, %rsp".to_owned());
    ARGUMENTS.iter().rev().for_each(|register| add(format!("popq %{register}")));
    add("subq $8, %rsp".to_owned());
    add(format!("call .Lmazurka.{name}"));
    add("addq $8, %rsp".to_owned());
    RESULTS.iter().for_each(|register| add(format!("pushq %{register}")));
    add("subq $40, %rsp".to_owned());
    vector(&mut add, 2, true);
    add(format!("call {END}@PLT"));
    vector(&mut add, 2, false);
    add("addq $40, %rsp".to_owned());
    RESULTS.iter().rev().for_each(|register| add(format!("popq %{register}")));
    add("ret".to_owned());
    text + &format!(".Lmazurka.{name}:\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_enclosed_by_their_names() {
        let text = "define void @__VERIFIER_atomic_add(i32 %0) {\n  store i32 %0, ptr @x\n  ret void\n}\ndefine void @f() {\n  ret void\n}\n";
        let enclosed = "define void @__VERIFIER_atomic_add(i32 %0) {\n  call void @__VERIFIER_atomic_begin()\n  store i32 %0, ptr @x\n  \
                        call void @__VERIFIER_atomic_end()\n  ret void\n}\ndefine void @f() {\n  ret void\n}\n\
                        declare void @__VERIFIER_atomic_begin()\ndeclare void @__VERIFIER_atomic_end()\n";
        assert_eq!(enclose(text), enclosed);
        let other = "define void @f() {\n  call void @__VERIFIER_atomic_begin()\n  ret void\n}\n";
        assert_eq!(enclose(other), other);
    }

    #[test]
    fn assembly_calls_the_function_within_a_section() {
        let enclosed = enclose_assembly("__VERIFIER_atomic_add:\n.LFB0:\n\tret\n");
        let lines: Vec<&str> = enclosed.lines().map(str::trim).collect();
        let at = |line: &str| lines.iter().position(|&own| own == line).unwrap_or_else(|| panic!("no {line}"));
        let order = [
            at("__VERIFIER_atomic_add:"),
            at("call __VERIFIER_atomic_begin@PLT"),
            at("call .Lmazurka.__VERIFIER_atomic_add"),
            at("call __VERIFIER_atomic_end@PLT"),
            at(".Lmazurka.__VERIFIER_atomic_add:"),
        ];
        assert!(order.is_sorted(), "{enclosed}");
        assert_eq!(enclose_assembly("main:\n\tret\n"), "main:\n\tret\n");
    }
}
