//! What gcc's instrumentation passes over besides [structs that a call copies](super::by_value), by what gcc says of its intermediate
//! form: whole functions, and functions of the compiler's own that access memory. It is refused.

use super::DriverError;
use super::by_value::Line;
use std::collections::HashSet;

/// Functions of the compiler's own that access memory, or that answer with something else in every execution, by what is in
/// their names behind `__builtin_ia32_`.
const OF_PROCESSOR: &[&str] = &[
    "load",
    "store",
    "gather",
    "scatter",
    "movnt",
    "movdir",
    "maskmov",
    "mem_mask",
    "lddqu",
    "save",
    "rstor",
    "vbroadcast",
    "carry",
    "sbb",
    "4fmadd",
    "4fnmadd",
    "vp4dp",
    "xbegin",
    "xend",
    "xabort",
    "xtest",
    "xget",
    "xset",
    "monitor",
    "mwait",
    "enqcmd",
    "clzero",
    "lwp",
    "kl_u8",
    "encodekey",
    "ssbsy",
    "ssp",
    "uintr",
    "senduipi",
];

/// Functions of the compiler's own that it replaces by instructions if they are given a number of bytes, or a text, that it knows.
const COPIES: &[&str] = &[
    "memcpy", "memmove", "mempcpy", "memset", "bzero", "bcopy", "strcpy", "strncpy", "stpcpy", "stpncpy", "strcat",
    "strncat",
];

/// Others that access memory by themselves.
const OTHERS: &[&str] = &["setjmp", "longjmp", "apply", "apply_args"];

/// Refuses a program with a function that is not instrumented. `assembly` is what gcc made of it.
pub(super) fn refuse(functions: &str, assembly: &str) -> Result<(), DriverError> {
    let mut instrumented = HashSet::new();
    for function in functions.split("\n;; Function ") {
        // `f (_Z1fv, funcdef_no=3, …)`
        let header = function.lines().find(|line| line.contains(", funcdef_no=")).unwrap_or_default();
        instrumented.extend(header.split(", funcdef_no=").next().and_then(|names| names.rsplit('(').next()));
        if let Some(builtin) = function.lines().map(Line::new).find_map(|line| builtin_of(&line)) {
            return Err(DriverError::Instruction(builtin));
        }
    }
    match defined(assembly).find(|name| !instrumented.contains(name)) {
        Some(name) => Err(DriverError::NotInstrumented(super::library::demangled(name))),
        None => Ok(()),
    }
}

/// The functions that are defined in a text of assembly, without those that only pass a call on to another one.
fn defined(assembly: &str) -> impl Iterator<Item = &str> {
    let labels: HashSet<&str> = assembly.lines().filter_map(|line| line.strip_suffix(':')).collect();
    let functions = assembly.lines().filter_map(|line| line.trim_start().strip_prefix(".type")?.trim().split_once(','));
    functions.filter(|(_, kind)| kind.trim() == "@function").map(|(name, _)| name).filter(move |name| {
        let passes_on = ["_ZTh", "_ZTv", "_ZTc"].iter().any(|prefix| name.starts_with(prefix));
        labels.contains(name) && !passes_on && !name.ends_with(".cold")
    })
}

/// What a line calls of the compiler's own that accesses memory unseen, and where.
fn builtin_of(line: &Line<'_>) -> Option<String> {
    let call = line.call()?;
    let name = call.callee.strip_prefix("__builtin_")?.split("D.").next()?;
    let is_unseen = match name.strip_prefix("ia32_") {
        Some(name) => {
            name.starts_with("rd") || name.starts_with("wr") || OF_PROCESSOR.iter().any(|part| name.contains(part))
        }
        None if COPIES.contains(&name) => {
            call.arguments.last().is_some_and(|size| size.starts_with(|c: char| c.is_ascii_digit()))
                || call.arguments.iter().any(|text| text.starts_with('"') || text.starts_with("&\""))
        }
        None => OTHERS.contains(&name),
    };
    is_unseen
        .then(|| format!("__builtin_{name}{}", line.place.map_or_else(String::new, |place| format!(" at {place}"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(statement: &str, assembly: &str) -> Option<DriverError> {
        let text = format!(
            "\n;; Function f (_Z1fv, funcdef_no=3, decl_uid=31)\n\n{{\n  <bb 2> :\n{statement}\n}}\n\n;; Function main (main, \
             funcdef_no=4)\n{{\n}}\n"
        );
        refuse(&text, assembly).err()
    }

    #[test]
    fn functions_of_the_compiler_that_access_memory_are_refused() {
        for (statement, name) in [
            (
                "  [q.c:4:15] __builtin_memcpyD.522 ([q.c:4:32] &xD.28926, [q.c:4:34] &yD.28927, 5);",
                "__builtin_memcpy at q.c:4",
            ),
            ("  [q.c:4:15] _13 = __builtin_ia32_loadhpdD.1246 (__A_11, __B_12);", "__builtin_ia32_loadhpd at"),
            ("  _10 = __builtin_ia32_rdtscD.1215 ();", "__builtin_ia32_rdtsc"),
            ("  _10 = __builtin_setjmpD.12 (&xD.3);", "__builtin_setjmp"),
        ] {
            let found = problem(statement, "").unwrap_or_else(|| panic!("{statement}")).to_string();
            assert!(found.contains(name), "{statement}: {found}");
        }
        for statement in [
            "  __builtin_memcpyD.522 (tD.1, fD.2, nD.3_4);",
            "  __builtin_ia32_pauseD.1 ();",
            "  _3 = __builtin_ia32_pmovmskb128D.7 (_2);",
            "  memcpyD.522 (&xD.28926, &yD.28927, 5);",
        ] {
            assert_eq!(problem(statement, ""), None, "{statement}");
        }
    }

    #[test]
    fn functions_that_gcc_did_not_instrument_are_refused() {
        let function = |name: &str| format!("\t.type\t{name}, @function\n{name}:\n.LFB0:\n\tret\n");
        assert_eq!(problem("", &(function("_Z1fv") + &function("main") + &function("_ZThn8_N1D1gEv"))), None);
        assert_eq!(problem("", "\t.type\t_ZN1SC1Ev, @function\n\t.set\t_ZN1SC1Ev,_ZN1SC2Ev\n"), None);
        assert_eq!(problem("", &function("_Z1gv")), Some(DriverError::NotInstrumented("g()".to_owned())));
    }
}
