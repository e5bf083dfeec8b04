//! Compiling one source.

use super::{Build, Compiler, DriverError, Family, Language, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What every compilation needs: code that can be loaded anywhere, thread-local variables that are asked for by a call,
/// the header `mazurka.h`, and no checks of the C library in place of its functions.
/// A division by zero is to be a failure, not something that the optimiser may remove.
const COMMON: &[&str] = &[
    "-fPIC",
    "-ftls-model=global-dynamic",
    "-g",
    "-U_FORTIFY_SOURCE",
    "-fno-stack-protector",
    "-fno-builtin",
    "-fsanitize=integer-divide-by-zero",
    "-fno-sanitize-recover=integer-divide-by-zero",
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

    /// Three calls of clang: translate, instrument, optimise.
    fn instrumented_first(&self, source: &Path, object: &Path) -> Result<(), DriverError> {
        let translated = self.scratch.join("translated.ll");
        let instrumented = self.scratch.join("instrumented.ll");
        let mut translate = self.command();
        translate.args(["-O1", "-Xclang", "-disable-llvm-passes", "-fsanitize=thread", "-S", "-emit-llvm"]);
        translate.arg("-Wno-unused-command-line-argument").args(&self.build.flags);
        // A level of optimisation among the flags would come too early.
        translate.arg("-O1").arg(source).arg("-o").arg(&translated);
        self.run(&mut translate, source)?;
        refuse_assembly(&translated)?;

        let mut instrument = compiler(&self.build.compiler, self.language);
        instrument.args(["-fPIC", "-O0", "-fsanitize=thread", "-S", "-emit-llvm", "-Wno-override-module"]);
        instrument.args(CLANG_INSTRUMENTATION).arg(&translated).arg("-o").arg(&instrumented);
        self.run(&mut instrument, source)?;
        keep_copies(&instrumented)?;

        let mut optimise = compiler(&self.build.compiler, self.language);
        optimise.args(["-fPIC", "-O2", "-g", "-fno-builtin", "-Wno-override-module", "-c"]);
        optimise.arg(&instrumented).arg("-o").arg(object);
        self.run(&mut optimise, source)
    }

    /// Looks for inline assembly in what the preprocessor makes of a source.
    fn refuse_assembly_of(&self, source: &Path) -> Result<(), DriverError> {
        let preprocessed = self.scratch.join("preprocessed");
        let mut preprocess = self.command();
        preprocess.args(&self.build.flags).arg("-E").arg(source).arg("-o").arg(&preprocessed);
        self.run(&mut preprocess, source)?;
        match assembly_in(&read(&preprocessed)?) {
            Some(assembly) => Err(DriverError::Assembly(format!("\"{assembly}\""))),
            None => Ok(()),
        }
    }

    /// One call of the compiler, with its own order of things.
    fn at_once(&self, source: &Path, object: &Path, level: &[&str], family: Family) -> Result<(), DriverError> {
        self.refuse_assembly_of(source)?;
        let mut command = self.command();
        command.arg("-fsanitize=thread").args(match family {
            Family::Clang => CLANG_INSTRUMENTATION,
            Family::Gcc => GCC_INSTRUMENTATION,
        });
        command.args(&self.build.flags).args(level).arg("-c").arg(source).arg("-o").arg(object);
        self.run(&mut command, source)
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
fn refuse_assembly(translated: &Path) -> Result<(), DriverError> {
    let text = read(translated)?;
    for (_, rest) in text.match_indices(" asm ").map(|(at, _)| text[at..].split_at(" asm ".len())) {
        let assembly = rest.split('"').nth(1).unwrap_or_default();
        if !HARMLESS.contains(&assembly.trim()) {
            return Err(DriverError::Assembly(format!("\"{assembly}\"")));
        }
    }
    Ok(())
}

/// What the program's own text, not that of the system's headers, has in inline assembly.
fn assembly_in(preprocessed: &str) -> Option<String> {
    let mut is_own = true;
    for line in preprocessed.lines() {
        if let Some(marker) = line.strip_prefix("# ") {
            // A flag 3 behind the name of the file says that it is a header of the system.
            is_own = !marker.rsplit('"').next().unwrap_or_default().split(' ').any(|flag| flag == "3");
        } else if is_own
            && let Some((_, rest)) = line.split_once("asm").filter(|(before, rest)| is_keyword(before, rest))
        {
            let text = rest.split('"').nth(1).unwrap_or_default();
            if !HARMLESS.contains(&text.trim()) {
                return Some(text.to_owned());
            }
        }
    }
    None
}

/// Whether `asm` between these is the keyword `asm`, `__asm` or `__asm__`.
fn is_keyword(before: &str, rest: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let before = before.strip_suffix("__").unwrap_or(before);
    let rest = rest.strip_prefix("__").unwrap_or(rest);
    !before.ends_with(is_word) && !rest.starts_with(is_word)
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
    fn assembly_is_found_in_the_programs_own_text() {
        let own = "# 1 \"a.c\"\nint f(void) { __asm__ volatile(\"lock; incl %0\" : \"+m\"(x)); }";
        assert_eq!(assembly_in(own).as_deref(), Some("lock; incl %0"));
        assert_eq!(assembly_in("# 1 \"a.c\"\nasm(\"hlt\");").as_deref(), Some("hlt"));
        assert_eq!(assembly_in("# 1 \"a.c\"\nasm volatile(\"\" ::: \"memory\"); asm volatile(\"pause\");"), None);
        assert_eq!(assembly_in("# 9 \"h.h\" 1 3 4\nint scanf() __asm__(\"__isoc99_scanf\");"), None);
        assert_eq!(assembly_in("# 1 \"a.c\"\nint spasm = 1, asmodeus = 2;"), None);
    }
}
