//! Compiling one source.

use super::{Build, Compiler, DriverError, Family, Language, blind, captured, run, unusual};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What every compilation needs: code that can be loaded anywhere, thread-local variables that are asked for by a call,
/// the header `mazurka.h`, and no checks of the C library in place of its functions.
/// A call that takes the place of its caller would hide who called.
/// A division by zero is to be a failure, not something that the optimiser may remove.
/// Variables on a stack that the program does not initialise are the same in every execution.
const COMMON: &[&str] = &[
    "-fPIC",
    "-ftls-model=global-dynamic",
    "-g",
    "-U_FORTIFY_SOURCE",
    "-fno-stack-protector",
    "-fno-optimize-sibling-calls",
    "-fno-builtin",
    "-fsanitize=integer-divide-by-zero",
    "-fno-sanitize-recover=integer-divide-by-zero",
    "-ftrivial-auto-var-init=pattern",
];

/// Compiles a source into an object with every access announced.
pub(super) fn compile(
    build: &Build,
    source: &Path,
    language: Language,
    object: &Path,
    scratch: &Path,
) -> Result<(), DriverError> {
    write(&scratch.join("mazurka.h"), include_str!("../../runtime/mazurka.h"))?;
    let step = Step { build, language, scratch };
    match (&build.as_compiled, build.compiler.family) {
        (Some(level), family) => step.at_once(source, object, &[level], family),
        (None, Family::Clang) => step.instrumented_first(source, object),
        (None, Family::Gcc) => step.at_once(source, object, &["-O0", "-fno-builtin"], Family::Gcc),
    }
}

struct Step<'a> {
    build: &'a Build,
    language: Language,
    scratch: &'a Path,
}

impl Step<'_> {
    fn command(&self) -> Command {
        let mut command = compiler(&self.build.compiler, self.language);
        command.args(COMMON).arg("-I").arg(self.scratch);
        command
    }

    fn run(&self, command: &mut Command, source: &Path) -> Result<(), DriverError> {
        run(command, &format!("the compilation of '{}'", source.display()))
    }

    /// Calls of clang: translate, instrument, optimise, and generate code.
    fn instrumented_first(&self, source: &Path, object: &Path) -> Result<(), DriverError> {
        let translated = self.scratch.join("translated.ll");
        let instrumented = self.scratch.join("instrumented.ll");
        let mut translate = self.command();
        translate.args(["-O1", "-Xclang", "-disable-llvm-passes", "-fsanitize=thread", "-S", "-emit-llvm"]);
        translate.arg("-Wno-unused-command-line-argument").args(&self.build.flags);
        // A level of optimisation among the flags would come too early.
        translate.arg("-O1").arg(source).arg("-o").arg(&translated);
        self.run(&mut translate, source)?;
        let text = read(&translated)?;
        refuse_assembly(&text)?;
        refuse_atomic_functions(&text)?;
        let version = self.build.compiler.version;
        let text = if version < captured::FIRST_RIGHT { captured::hide(&text, version) } else { text };
        write(&translated, &unusual::announce(&text))?;

        let mut instrument = compiler(&self.build.compiler, self.language);
        instrument.args(["-fPIC", "-O0", "-fsanitize=thread", "-S", "-emit-llvm", "-Wno-override-module"]);
        instrument.args(CLANG_INSTRUMENTATION).arg(&translated).arg("-o").arg(&instrumented);
        self.run(&mut instrument, source)?;
        keep_copies(&instrumented)?;

        let generate = |from: &Path, flags: &[&str], to: &Path| {
            let mut command = compiler(&self.build.compiler, self.language);
            command.args(["-fPIC", "-O2", "-g", "-fno-builtin", "-Wno-override-module"]).args(flags);
            self.run(command.arg(from).arg("-o").arg(to), source)
        };
        if !blind::has_candidates(&read(&instrumented)?) {
            return generate(&instrumented, &["-c"], object);
        }
        // Only once the optimiser has removed what is of no use is it plain whether a result is used.
        let optimised = self.scratch.join("optimised.ll");
        generate(&instrumented, &["-S", "-emit-llvm"], &optimised)?;
        write(&optimised, &blind::in_intermediate(&read(&optimised)?))?;
        generate(&optimised, &["-Xclang", "-disable-llvm-passes", "-c"], object)
    }

    /// Compiled with the compiler's own order of things, and assembled when that was looked at.
    fn at_once(&self, source: &Path, object: &Path, level: &[&str], family: Family) -> Result<(), DriverError> {
        let compiled = self.scratch.join("compiled.s");
        let mut command = self.command();
        command.arg("-fsanitize=thread").args(match family {
            Family::Clang => CLANG_INSTRUMENTATION,
            Family::Gcc => GCC_INSTRUMENTATION,
        });
        command.args(&self.build.flags).args(level).arg("-S").arg(source).arg("-o").arg(&compiled);
        self.run(&mut command, source)?;
        let text = read(&compiled)?;
        refuse_atomic_functions(&text)?;
        if let Some(assembly) = assembly_in(&text) {
            return Err(DriverError::Assembly(format!("\"{assembly}\"")));
        }
        write(&compiled, &blind::in_assembly(&text))?;
        let mut assemble = compiler(&self.build.compiler, self.language);
        assemble.arg("-c").arg(&compiled).arg("-o").arg(object);
        self.run(&mut assemble, source)
    }
}

/// No calls at the start and end of functions; a read before a write of the same variable counts.
const CLANG_INSTRUMENTATION: &[&str] = &[
    "-fno-sanitize-thread-func-entry-exit",
    "-mllvm",
    "-tsan-instrument-read-before-write=1",
    "-mllvm",
    "-tsan-distinguish-volatile=1",
    "-Wno-unused-command-line-argument",
];

const GCC_INSTRUMENTATION: &[&str] =
    &["--param", "tsan-instrument-func-entry-exit=0", "--param", "tsan-distinguish-volatile=1"];

pub(super) fn compiler(compiler: &Compiler, language: Language) -> Command {
    Command::new(match language {
        Language::C => &compiler.c,
        Language::Cpp => &compiler.cpp,
    })
}

/// The optimiser must not take the copies that the program makes for copies that it may expand without an announcement.
fn keep_copies(instrumented: &Path) -> Result<(), DriverError> {
    let mut text = read(instrumented)?;
    for name in ["memcpy", "memmove", "memset"] {
        text = text.replace(&format!("@{name}("), &format!("@__tsan_{name}("));
    }
    write(instrumented, &text)
}

/// Assembly whose effect on memory is none.
const HARMLESS: &[&str] = &["", "pause", "rep; nop", "rep;nop", "rep nop", "nop", "mfence", "lfence", "sfence"];

/// Inline assembly accesses memory without an announcement.
fn refuse_assembly(text: &str) -> Result<(), DriverError> {
    for (_, rest) in text.match_indices(" asm ").map(|(at, _)| text[at..].split_at(" asm ".len())) {
        let assembly = rest.split('"').nth(1).unwrap_or_default();
        if !HARMLESS.contains(&assembly.trim()) {
            return Err(DriverError::Assembly(format!("\"{assembly}\"")));
        }
    }
    Ok(())
}

/// Verification competitions take functions for atomic sections whose names begin like this.
fn refuse_atomic_functions(text: &str) -> Result<(), DriverError> {
    let prefix = "__VERIFIER_atomic_";
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let rests = text.match_indices(prefix).map(|(at, _)| &text[at + prefix.len()..]);
    let mut names = rests.map(|rest| rest.split(|c| !is_part(c)).next().unwrap_or(rest));
    match names.find(|name| !["begin", "end"].contains(name)) {
        Some(name) => Err(DriverError::AtomicFunction(format!("{prefix}{name}"))),
        None => Ok(()),
    }
}

/// The inline assembly in what a compiler made of a program: it is between two marks.
fn assembly_in(compiled: &str) -> Option<String> {
    let sections = compiled.split("#APP").skip(1).map(|rest| rest.split("#NO_APP").next().unwrap_or(rest));
    let lines = sections.flat_map(str::lines).map(str::trim);
    // What says where in the source it is, is the compiler's.
    let is_place = |line: &str| line.starts_with('#') || line.starts_with(".loc ");
    let mut instructions = lines.filter(|line| !is_place(line));
    instructions.find(|line| !HARMLESS.contains(line)).map(str::to_owned)
}

pub(super) fn read(path: &Path) -> Result<String, DriverError> {
    fs::read_to_string(path).map_err(|error| DriverError::File(PathBuf::from(path), error.to_string()))
}

pub(super) fn write(path: &Path, text: &str) -> Result<(), DriverError> {
    fs::write(path, text).map_err(|error| DriverError::File(PathBuf::from(path), error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assembly_is_found_between_its_marks() {
        let of = |text: &str| {
            format!("main:\n\tlock addl $1, (%rax)\n#APP\n# 5 \"a.c\" 1\n\t{text}\n# 0 \"\" 2\n#NO_APP\n\tret\n")
        };
        assert_eq!(assembly_in(&of("lock; addl $1, x(%rip)")).as_deref(), Some("lock; addl $1, x(%rip)"));
        assert_eq!(assembly_in(&of("pause\n\thlt")).as_deref(), Some("hlt"));
        assert_eq!(assembly_in(&of("pause\n\t.loc 1 21 16")), None);
        assert_eq!(assembly_in(&of("")), None);
    }

    #[test]
    fn atomic_functions_are_known_by_their_names() {
        assert!(refuse_atomic_functions("call __VERIFIER_atomic_begin@PLT\ncall __VERIFIER_atomic_end()").is_ok());
        let refused = refuse_atomic_functions("define void @__VERIFIER_atomic_add(i32 %0) {");
        assert_eq!(refused, Err(DriverError::AtomicFunction("__VERIFIER_atomic_add".to_owned())));
    }
}
