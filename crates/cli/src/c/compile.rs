//! `mazurka cc` and `mazurka c++`: compilers for a build system, whose programs `mazurka check` explores.

use super::child::Scratch;
use crate::problem::{Problem, Status};
use ::c::driver::{Build, Compiler, is_source};
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::Command;

const EXAMPLES: &str = "\
Examples:
  CC='mazurka cc' CXX='mazurka c++' make
  mazurka check ./prog
  mazurka cc -c queue.c -o queue.o && mazurka cc queue.o main.c -o prog

The command takes what clang and gcc take. What it links is not a program that can be run by itself. MAZURKA_CC names the \
compiler that does the work.";

/// The arguments of `mazurka cc` and `mazurka c++`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompileArgs {
    /// What a C compiler takes
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

/// Options whose value is the next argument.
const WITH_VALUE: &[&str] = &[
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-x",
    "-MF",
    "-MT",
    "-MQ",
    "-Xlinker",
    "-Xpreprocessor",
    "-Xassembler",
    "-T",
    "-u",
    "-z",
    "-std",
    "--param",
    "-target",
    "-Xclang",
    "-mllvm",
];
/// Options with which a compiler makes no program.
const PASSED_ON: &[&str] = &[
    "-E",
    "-S",
    "-M",
    "-MM",
    "-v",
    "-V",
    "--version",
    "-dumpversion",
    "-dumpmachine",
    "-###",
    "--help",
    "-fsyntax-only",
];

/// What the arguments of a compiler ask for.
#[derive(Default, Debug, PartialEq)]
struct Request {
    output: Option<PathBuf>,
    compile_only: bool,
    /// Sources, objects and archives, in their order.
    inputs: Vec<PathBuf>,
    flags: Vec<String>,
    pass_on: bool,
    shared: bool,
}

impl Request {
    fn parse(arguments: &[String]) -> Self {
        let mut request = Request::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "-c" => request.compile_only = true,
                "-o" => request.output = rest.next().map(PathBuf::from),
                "-shared" => request.shared = true,
                word if PASSED_ON.contains(&word) || word.starts_with("-print-") => request.pass_on = true,
                word if WITH_VALUE.contains(&word) => {
                    request.flags.push(argument.clone());
                    request.flags.extend(rest.next().cloned());
                }
                word if word.starts_with("-o") && word.len() > 2 && !word.starts_with("-object") => {
                    request.output = Some(PathBuf::from(&word[2..]));
                }
                word if word.starts_with('-') => request.flags.push(argument.clone()),
                _ => request.inputs.push(PathBuf::from(argument)),
            }
        }
        request.pass_on |= request.inputs.is_empty();
        request
    }

    /// Where the object of a source goes.
    fn object(&self, source: &Path) -> PathBuf {
        let beside = || PathBuf::from(source.file_name().unwrap_or_default()).with_extension("o");
        self.output.clone().unwrap_or_else(beside)
    }
}

/// Compiles as C, or links.
pub(crate) fn cc(args: &CompileArgs) -> Result<Status, Problem> {
    compile(args, false)
}

/// Compiles as C++, or links.
pub(crate) fn cpp(args: &CompileArgs) -> Result<Status, Problem> {
    compile(args, true)
}

fn compile(args: &CompileArgs, plus_plus: bool) -> Result<Status, Problem> {
    let compiler = match std::env::var("MAZURKA_CC") {
        Ok(name) => Compiler::named(&name),
        Err(_) => Compiler::find(),
    };
    let compiler = compiler.map_err(Problem::input)?;
    let request = Request::parse(&args.arguments);
    if request.pass_on {
        return pass_on(if plus_plus { &compiler.cpp } else { &compiler.c }, &args.arguments);
    }
    if request.shared {
        return Err(Problem::input(
            "shared libraries are not supported: all code of a program has to be linked into it, so build the library as an \
             archive (.a), or give its sources to the program",
        ));
    }
    let scratch = Scratch::new()?;
    let mut build = Build::new(request.inputs.clone(), compiler);
    build.flags.clone_from(&request.flags);
    build.plus_plus = plus_plus;
    if !request.compile_only {
        let output = request.output.unwrap_or_else(|| PathBuf::from("a.out"));
        build.run(&output, scratch.path()).map_err(Problem::input)?;
        return Ok(Status::Proved);
    }
    let sources: Vec<&PathBuf> = request.inputs.iter().filter(|input| is_source(input)).collect();
    if request.output.is_some() && sources.len() > 1 {
        return Err(Problem::input("-o with -c takes one source; leave out -o, or compile them one by one"));
    }
    for source in sources {
        build.compile(source, &request.object(source), scratch.path()).map_err(Problem::input)?;
    }
    Ok(Status::Proved)
}

/// Lets the compiler itself answer.
fn pass_on(compiler: &str, arguments: &[String]) -> Result<Status, Problem> {
    let status = Command::new(compiler).args(arguments).status();
    let status = status.map_err(|error| Problem::Input(format!("cannot run '{compiler}': {error}")))?;
    if status.success() { Ok(Status::Proved) } else { Err(Problem::Input(format!("'{compiler}' failed"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Request {
        Request::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_of_compilers_are_understood() {
        let request = parse("-c -O2 -I include -DX=1 a.c -o build/a.o");
        assert!(request.compile_only && !request.pass_on);
        assert_eq!(request.inputs, [PathBuf::from("a.c")]);
        assert_eq!(request.flags, ["-O2", "-I", "include", "-DX=1"]);
        assert_eq!(request.object(Path::new("a.c")), PathBuf::from("build/a.o"));
        assert_eq!(parse("-c src/b.cpp").object(Path::new("src/b.cpp")), PathBuf::from("b.o"));
        assert_eq!(parse("a.o libq.a -oprog -lm").output, Some(PathBuf::from("prog")));
        assert!(parse("--version").pass_on && parse("-E a.c").pass_on && parse("").pass_on);
        assert!(parse("-shared a.o -o liba.so").shared);
    }
}
