//! Streams of the C++ library, which changes them unseen. Of each function of theirs that a program uses, a call goes through a few
//! instructions that announce a write, or a read, of the stream.

use super::library;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// How a function of the C++ library accesses a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Access {
    /// The function of the runtime that announces it.
    announce: &'static str,
    /// The register that has the address of the stream.
    register: &'static str,
}

/// What a function does to a stream, by the name that people read.
fn access(symbol: &str) -> Option<Access> {
    let name = library::demangled(symbol);
    let changes = |announce| Some(Access { announce, register: "rdi" });
    // The string is made in a place that the first register has.
    let reads = |announce| Some(Access { announce, register: "rsi" });
    let is_of = |classes: &[&str]| classes.iter().any(|class| name.starts_with(class));
    if is_of(&["std::__cxx11::basic_stringbuf<"]) {
        return match name {
            _ if name.ends_with("::str() const") => reads("mazurka_reads_buffer"),
            _ if name.contains("::str(") => changes("mazurka_changes_buffer"),
            _ => None,
        };
    }
    if is_of(&[
        "std::__cxx11::basic_ostringstream<",
        "std::__cxx11::basic_istringstream<",
        "std::__cxx11::basic_stringstream<",
    ]) {
        return match name {
            _ if name.ends_with("::str() const") => reads("mazurka_reads_stream"),
            _ if name.contains("::str(") || symbol.ends_with("D1Ev") => changes("mazurka_changes_stream"),
            _ => None,
        };
    }
    if is_of(&["std::basic_ios<", "std::ios::"]) {
        let is_change = ["::clear(", "::copyfmt(", "::imbue("].iter().any(|function| name.contains(function));
        return changes("mazurka_changes_state").filter(|_| is_change);
    }
    let is_made_or_ended = ["C1E", "C2E", "D0E", "D1E", "D2E"].iter().any(|end| symbol.contains(end));
    let is_change = is_of(&["std::basic_ostream<", "std::ostream::", "std::ostream& "]);
    changes("mazurka_changes_stream").filter(|_| is_change && !is_made_or_ended && !name.contains("::sentry::"))
}

/// The functions of streams that objects use.
pub(super) fn used(objects: &[PathBuf]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut add = |bytes: &[u8]| {
        let Ok(file) = object::File::parse(bytes) else { return };
        let undefined = file.symbols().filter(|symbol| symbol.is_undefined());
        let of_cpp = undefined.filter_map(|symbol| symbol.name().ok()).filter(|name| name.starts_with("_Z"));
        names.extend(of_cpp.filter(|name| access(name).is_some()).map(str::to_owned));
    };
    for bytes in objects.iter().filter_map(|path| fs::read(path).ok()) {
        match ArchiveFile::parse(&*bytes) {
            Ok(archive) => {
                let members = archive.members().filter_map(Result::ok);
                members.filter_map(|member| member.data(&*bytes).ok()).for_each(&mut add);
            }
            Err(_) => add(&bytes),
        }
    }
    names
}

/// The registers in which functions are given what they are called with, and where they are kept below the frame's address.
const KEPT: [(&str, &str, u8); 7] = [
    ("movq", "rdi", 8),
    ("movq", "rsi", 16),
    ("movq", "rdx", 24),
    ("movq", "rcx", 32),
    ("movq", "r8", 40),
    ("movq", "r9", 48),
    ("movsd", "xmm0", 56),
];

/// Assembly in which each of these functions announces itself and goes on with what it is.
pub(super) fn announced(names: &BTreeSet<String>) -> String {
    let mut text = "\t.text\n".to_owned();
    for (name, access) in names.iter().filter_map(|name| Some((name, access(name)?))) {
        let _ = write!(
            text,
            "\t.globl __wrap_{name}\n\t.hidden __wrap_{name}\n\t.type __wrap_{name}, @function\n__wrap_{name}:\n\t.cfi_startproc\n\t\
             pushq %rbp\n\t.cfi_def_cfa_offset 16\n\t.cfi_offset 6, -16\n\tmovq %rsp, %rbp\n\t.cfi_def_cfa_register 6\n\t\
             subq $64, %rsp\n"
        );
        for (instruction, register, at) in KEPT {
            let _ = writeln!(text, "\t{instruction} %{register}, -{at}(%rbp)");
        }
        let Access { announce, register } = access;
        let _ = write!(text, "\tmovq %{register}, %rdi\n\tmovq 8(%rbp), %rsi\n\tcall {announce}@PLT\n");
        for (instruction, register, at) in KEPT {
            let _ = writeln!(text, "\t{instruction} -{at}(%rbp), %{register}");
        }
        let _ = write!(text, "\tleave\n\t.cfi_def_cfa 7, 8\n\tjmp __real_{name}@PLT\n\t.cfi_endproc\n");
    }
    text + "\t.section .note.GNU-stack,\"\",@progbits\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_streams_are_known_by_their_names() {
        let of = |symbol: &str| access(symbol).map(|access| (access.announce, access.register));
        let changes = Some(("mazurka_changes_stream", "rdi"));
        for symbol in [
            "_ZNSolsEi",
            "_ZNSo9_M_insertIdEERSoT_",
            "_ZNSo5flushEv",
            "_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l",
            "_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_",
            "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
            "_ZNSt13basic_ostreamIwSt11char_traitsIwEElsEi",
            "_ZNSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEED1Ev",
        ] {
            assert_eq!(of(symbol), changes, "{symbol}: {}", library::demangled(symbol));
        }
        let text = "_ZNKSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEE3strEv";
        assert_eq!(of(text), Some(("mazurka_reads_stream", "rsi")));
        let buffer = "_ZNKSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE3strEv";
        assert_eq!(of(buffer), Some(("mazurka_reads_buffer", "rsi")));
        let clear = "_ZNSt9basic_iosIcSt11char_traitsIcEE5clearESt12_Ios_Iostate";
        assert_eq!(of(clear), Some(("mazurka_changes_state", "rdi")));
        for symbol in [
            "_ZNSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEEC1Ev",
            "_ZNSo6sentryC1ERSo",
            "_ZNSoC2EPSt15basic_streambufIcSt11char_traitsIcEE",
            "_ZNSt6thread4joinEv",
        ] {
            assert_eq!(of(symbol), None, "{symbol}");
        }
    }
}
