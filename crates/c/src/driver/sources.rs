//! Compiling one source.

use super::cache::{self, Key};
use super::{
    Build, Compiler, DriverError, Family, Language, atomic_functions, blind, by_value, captured, fills, outside,
    unseen, unusual,
};
use std::cell::Cell;
use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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
    for (name, text) in HEADERS {
        write(&scratch.join(name), text)?;
    }
    if build.compiler.family == Family::Gcc && language == Language::Cpp {
        write_thread_header(build.compiler.version, scratch)?;
    }
    let key = key(build, source, language);
    if key.as_ref().is_some_and(|key| build.cache.take(key, object)) {
        return Ok(());
    }
    let step = Step { build, language, scratch, said: Cell::new(false), is_library: false };
    step.compile(source, object)?;
    // What a compiler has to say is said every time.
    if let (Some(key), false) = (key, step.said.get()) {
        let rule = read(&step.rule())?;
        let is_of_user = |path: &String| !Path::new(path).starts_with(scratch);
        let made_from: Vec<String> = cache::dependencies(&rule).into_iter().filter(is_of_user).collect();
        build.cache.keep(&key, object, &made_from);
    }
    Ok(())
}

/// The header of the C++ library that has `std::thread`, with what gcc does not announce in another form: `joinable` compares a copy of
/// the thread's number, which is passed by value. Where the header is elsewhere, or has other text, such a call is refused.
fn write_thread_header(version: u32, scratch: &Path) -> Result<(), DriverError> {
    let path = format!("/usr/include/c++/{version}/bits/std_thread.h");
    let Ok(text) = fs::read_to_string(&path) else { return Ok(()) };
    let text = text.replacen("{ return !(_M_id == id()); }", "{ return _M_id._M_thread != native_handle_type(); }", 1);
    let folder = scratch.join("bits");
    fs::create_dir_all(&folder).map_err(|error| DriverError::File(folder.clone(), error.to_string()))?;
    write(&folder.join("std_thread.h"), &format!("#line 1 \"{path}\"\n{text}"))
}

/// The headers that are found without a flag.
const HEADERS: &[(&str, &str)] = &[
    ("mazurka.h", include_str!("../../runtime/mazurka.h")),
    ("genmc.h", include_str!("../../runtime/genmc.h")),
    ("mazurka_strings.h", STRINGS),
    ("mazurka_builtins.h", BUILTINS),
];

/// Compiles a part of the C library as a program is. Its lines are nobody's, so that steps in it are told by those of who called.
pub(super) fn compile_library(build: &Build, source: &Path, object: &Path, scratch: &Path) -> Result<(), DriverError> {
    let build = Build { flags: vec!["-g0".to_owned()], as_compiled: None, plus_plus: false, ..build.clone() };
    Step { build: &build, language: Language::C, scratch, said: Cell::new(false), is_library: true }
        .compile(source, object)
}

/// What an object depends on, besides the files that its source includes; `None` if those are not known.
fn key(build: &Build, source: &Path, language: Language) -> Option<Key> {
    if build.flags.iter().any(|flag| flag.starts_with("-M")) {
        return None;
    }
    let mut key = Key::new();
    key.add(&(&build.compiler.c, cache::program(&build.compiler.c), &build.flags, &build.as_compiled));
    key.add(&(std::env::current_dir().ok()?, source, language == Language::Cpp));
    key.add(&(std::env::var_os("CPATH"), std::env::var_os("C_INCLUDE_PATH"), std::env::var_os("CPLUS_INCLUDE_PATH")));
    Some(key)
}

struct Step<'a> {
    build: &'a Build,
    language: Language,
    scratch: &'a Path,
    /// Whether a compiler had something to say.
    said: Cell<bool>,
    /// Whether it is a part of the C library. Those initialise what they use.
    is_library: bool,
}

/// The C++ library has compiled some of its templates already. Strings are compiled with the program, so that its accesses are
/// seen; streams are not, for those of the standard may be used by several threads.
const STRINGS: &str = "#if __has_include(<bits/c++config.h>)\n#include <bits/c++config.h>\n\
    #undef _GLIBCXX_EXTERN_TEMPLATE\n#define _GLIBCXX_EXTERN_TEMPLATE -1\n#endif\n";

/// gcc replaces copies of a number of bytes that it knows by instructions which it does not announce, if they are written with the
/// names of its own functions.
const BUILTINS: &str = include_str!("../../runtime/builtins.h");

impl Step<'_> {
    fn compile(&self, source: &Path, object: &Path) -> Result<(), DriverError> {
        match (&self.build.as_compiled, self.build.compiler.family) {
            (Some(level), Family::Clang) => self.optimised_first(source, object, level),
            (None, Family::Clang) => self.instrumented_first(source, object),
            (Some(level), Family::Gcc) => self.at_once(source, object, &[level]),
            (None, Family::Gcc) => self.at_once(source, object, &["-O0", "-fno-builtin"]),
        }
    }

    fn command(&self) -> Command {
        let mut command = compiler(&self.build.compiler, self.language);
        command.args(COMMON).arg("-I").arg(self.scratch);
        if !self.build.flags.iter().any(|flag| flag.starts_with("-M")) {
            command.arg("-MD").arg("-MF").arg(self.rule());
        }
        if self.language == Language::Cpp {
            command.arg("-include").arg(self.scratch.join("mazurka_strings.h"));
        }
        if self.build.compiler.family == Family::Gcc {
            command.arg("-include").arg(self.scratch.join("mazurka_builtins.h"));
        }
        if std::io::stderr().is_terminal() {
            command.arg("-fdiagnostics-color=always");
        }
        command
    }

    /// Where the compiler writes what a source includes.
    fn rule(&self) -> PathBuf {
        self.scratch.join("rule.d")
    }

    fn run(&self, command: &mut Command, source: &Path) -> Result<(), DriverError> {
        let what = format!("the compilation of '{}'", source.display());
        let result = command.stdin(Stdio::null()).stdout(Stdio::inherit()).stderr(Stdio::piped()).output();
        let result = result.map_err(|error| DriverError::NotRun(what.clone(), error.to_string()))?;
        if !result.stderr.is_empty() {
            self.said.set(true);
            eprint!("{}", String::from_utf8_lossy(&result.stderr));
        }
        if result.status.success() { Ok(()) } else { Err(DriverError::Failed(what)) }
    }

    /// Calls of clang: translate, instrument, optimise, and generate code.
    fn instrumented_first(&self, source: &Path, object: &Path) -> Result<(), DriverError> {
        let translated = self.scratch.join("translated.ll");
        let mut translate = self.command();
        translate.args(["-O1", "-Xclang", "-disable-llvm-passes", "-fsanitize=thread", "-S", "-emit-llvm"]);
        translate.arg("-Wno-unused-command-line-argument").args(&self.build.flags);
        // A level of optimisation among the flags would come too early, and so would checks of the C library.
        translate.args(["-O1", "-U_FORTIFY_SOURCE"]).arg(source).arg("-o").arg(&translated);
        self.run(&mut translate, source)?;
        let text = read(&translated)?;
        let text = if self.is_library { text } else { fills::by_call(&text) };
        let instrumented = self.instrumented(&atomic_functions::enclose(&text), &mark_of_module(), source)?;

        let generate = |from: &Path, flags: &[&str], to: &Path| {
            let mut command = compiler(&self.build.compiler, self.language);
            command.args(["-fPIC", "-O2", "-g", "-fno-builtin", "-Wno-override-module"]).args(ONE_PLACE).args(flags);
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

    /// The same in the compiler's own order: translate, optimise, instrument, and generate code.
    fn optimised_first(&self, source: &Path, object: &Path, level: &str) -> Result<(), DriverError> {
        let file = |name: &str| self.scratch.join(name);
        let [translated, optimised, compiled] = ["translated.ll", "optimised.ll", "compiled.s"].map(file);
        let mut translate = self.command();
        translate.args(["-fsanitize=thread", "-Wno-unused-command-line-argument"]).args(&self.build.flags);
        translate.args([level, "-Xclang", "-disable-llvm-passes", "-U_FORTIFY_SOURCE", "-S", "-emit-llvm"]);
        self.run(translate.arg(source).arg("-o").arg(&translated), source)?;
        // Before such a function is made part of its callers.
        write(&translated, &atomic_functions::enclose(&read(&translated)?))?;

        let go_on = |from: &Path, flags: &[&str], to: &Path| {
            let mut command = compiler(&self.build.compiler, self.language);
            command.args(["-fPIC", level, "-g", "-fno-builtin", "-Wno-override-module", "-S"]).args(flags);
            self.run(command.arg(from).arg("-o").arg(to), source)
        };
        go_on(&translated, &["-emit-llvm"], &optimised)?;
        let instrumented = self.instrumented(&read(&optimised)?, "", source)?;
        go_on(&instrumented, &["-Xclang", "-disable-llvm-passes"], &compiled)?;
        self.assemble(&blind::in_assembly(&read(&compiled)?), source, object)
    }

    /// Has clang announce the accesses of a program in its intermediate language, and announces what clang passes over.
    fn instrumented(&self, text: &str, more: &str, source: &Path) -> Result<PathBuf, DriverError> {
        let [prepared, instrumented] = ["prepared.ll", "instrumented.ll"].map(|name| self.scratch.join(name));
        refuse_assembly(text)?;
        let version = self.build.compiler.version;
        let hidden = (version < captured::FIRST_RIGHT).then(|| captured::hide(text, version));
        write(&prepared, &(unusual::announce(hidden.as_deref().unwrap_or(text))? + more))?;
        let mut instrument = compiler(&self.build.compiler, self.language);
        instrument.args(["-fPIC", "-O0", "-fsanitize=thread", "-S", "-emit-llvm", "-Wno-override-module"]);
        instrument.args(CLANG_INSTRUMENTATION).arg(&prepared).arg("-o").arg(&instrumented);
        self.run(&mut instrument, source)?;
        keep_copies(&instrumented)?;
        Ok(instrumented)
    }

    /// Compiled by gcc, which instruments when it has optimised, and assembled when that was looked at.
    fn at_once(&self, source: &Path, object: &Path, level: &[&str]) -> Result<(), DriverError> {
        let compiled = self.scratch.join("compiled.s");
        let [functions, symbols] = ["functions.dump", "symbols.dump"].map(|name| self.scratch.join(name));
        let mut command = self.command();
        command.arg("-fsanitize=thread").args(GCC_INSTRUMENTATION).args(&self.build.flags).args(level);
        command.args(["-U_FORTIFY_SOURCE", "-S"]).arg(source).arg("-o").arg(&compiled);
        command.args(by_value::flags(&functions.to_string_lossy(), &symbols.to_string_lossy()));
        self.run(&mut command, source)?;
        // Without a function, gcc writes nothing.
        let text = if functions.exists() { read_lossy(&functions)? } else { String::new() };
        by_value::refuse(&text, &read_lossy(&symbols)?, self.language)?;
        unseen::refuse(&text, &read_lossy(&compiled)?)?;
        let text = read(&compiled)?;
        if let Some(assembly) = assembly_in(&text) {
            return Err(DriverError::Assembly(format!("\"{assembly}\"")));
        }
        self.assemble(&atomic_functions::enclose_assembly(&blind::in_assembly(&text)), source, object)
    }

    fn assemble(&self, text: &str, source: &Path, object: &Path) -> Result<(), DriverError> {
        let marked = self.scratch.join("marked.s");
        let sets_modes = if text.contains("mxcsr\t") { "\t.set mazurka_sets_floating_modes, 0\n" } else { "" };
        let mark = format!("\t.section {},\"\",@progbits\n\t.ascii \"1\"\n", outside::MARK);
        write(&marked, &format!("{text}\n{sets_modes}{mark}"))?;
        let mut assemble = compiler(&self.build.compiler, self.language);
        assemble.arg("-c").arg(&marked).arg("-o").arg(object);
        self.run(&mut assemble, source)
    }
}

/// A loop that tries again is one call, wherever the optimiser would make two of it, one before the loop and one at its end: a thread
/// that tries for the second time is where it was the first time, so that the round is known for one (`docs/algorithms/loops.md`).
const ONE_PLACE: [&str; 2] = ["-mllvm", "-rotation-max-header-size=0"];

/// Says of an object that this driver compiled it.
fn mark_of_module() -> String {
    let lines = [
        format!(".pushsection {},\\22\\22,@progbits", outside::MARK),
        ".ascii \\221\\22".to_owned(),
        ".popsection".to_owned(),
    ];
    lines.iter().map(|line| format!("module asm \"{line}\"\n")).collect()
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
        text = with_name(&text, name, &format!("__tsan_{name}"));
    }
    write(instrumented, &text)
}

/// A module in which one function is known by another name, unless the program defines it itself. From version 16 on, clang declares
/// that one itself.
fn with_name(text: &str, old: &str, new: &str) -> String {
    let begins = |line: &str, word: &str, name: &str| line.starts_with(word) && line.contains(&format!("@{name}("));
    if text.lines().any(|line| begins(line, "define ", old)) {
        return text.to_owned();
    }
    let is_declared = text.lines().any(|line| begins(line, "declare ", new));
    let (old_name, new_name) = (format!("@{old}"), format!("@{new}"));
    let mut renamed = String::with_capacity(text.len());
    for mut line in text.lines().filter(|line| !(is_declared && begins(line, "declare ", old))) {
        while let Some((before, behind)) = line.split_once(&old_name) {
            renamed.push_str(before);
            // It may also be the start of a longer name.
            let is_longer = behind.starts_with(|c: char| c.is_ascii_alphanumeric() || "_.$-".contains(c));
            renamed.push_str(if is_longer { &old_name } else { &new_name });
            line = behind;
        }
        renamed.push_str(line);
        renamed.push('\n');
    }
    renamed
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

/// What may have strings of the program in it, of whatever bytes.
fn read_lossy(path: &Path) -> Result<String, DriverError> {
    let bytes = fs::read(path).map_err(|error| DriverError::File(PathBuf::from(path), error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
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
    fn functions_are_declared_once() {
        let text = "  call ptr @memset(ptr %1)\ndeclare ptr @memset(ptr) #1\n";
        assert_eq!(with_name(text, "memset", "f"), "  call ptr @f(ptr %1)\ndeclare ptr @f(ptr) #1\n");
        let address = "@p = global ptr @memset, align 8\n@q = global ptr @memset_all, align 8\n";
        assert_eq!(with_name(address, "memset", "f"), address.replace("@memset,", "@f,"));
        let own = "define ptr @memset(ptr %0) {\n  %2 = call ptr @memset(ptr %0)\n}\n";
        assert_eq!(with_name(own, "memset", "f"), own);
        let text = format!("{text}declare ptr @f(ptr)\n");
        assert_eq!(with_name(&text, "memset", "f"), "  call ptr @f(ptr %1)\ndeclare ptr @f(ptr)\n");
    }
}
