//! Why a program cannot be built.

use std::fmt;
use std::path::PathBuf;

/// Why a program cannot be built.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DriverError {
    /// Neither clang nor gcc is there.
    NoCompiler,
    /// The compiler that was asked for is not one, or is too old.
    BadCompiler(String, String),
    /// There is no such file.
    NoInput(PathBuf),
    /// A command could not be run.
    NotRun(String, String),
    /// A command failed, and has said why.
    Failed(String),
    /// Inline assembly that the runtime knows nothing of.
    Assembly(String),
    /// An instruction whose accesses of memory cannot be announced.
    Instruction(String),
    /// A struct that may be shared is copied by a call, which gcc does not announce.
    ByValue(String),
    /// A function that gcc was told not to instrument.
    NotInstrumented(String),
    /// A file could not be read or written.
    File(PathBuf, String),
}

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DriverError::NoCompiler => f.write_str(
                "there is no C compiler: install clang 14 or later (better), or gcc 12 or later, such as by \
                 `apt-get install clang`; --compiler names one that is not on the PATH",
            ),
            DriverError::BadCompiler(name, problem) => write!(
                f,
                "cannot use the compiler '{name}': {problem}; give clang 14 or later, or gcc 12 or later, by --compiler"
            ),
            DriverError::NoInput(path) => write!(f, "there is no file '{}'", path.display()),
            DriverError::NotRun(what, error) => write!(f, "cannot run {what}: {error}"),
            DriverError::Failed(what) => write!(f, "{what} failed; its messages are above"),
            DriverError::Assembly(text) => write!(
                f,
                "inline assembly is not supported, for its accesses of memory cannot be seen: {text}; replace it by \
                 atomic operations or by a function of C, or compile it out with a macro (-- -DNAME)"
            ),
            DriverError::Instruction(text) => write!(
                f,
                "an instruction is not supported, for its accesses of memory cannot be seen, or what it answers is another thing in \
                 every execution: {text}; replace it by plain or atomic accesses, or compile it out with a macro (-- -DNAME)"
            ),
            DriverError::ByValue(what) => write!(
                f,
                "gcc does not announce that a struct is passed or returned by value: {what}; check the program with clang \
                 (--compiler clang), or copy the struct to or from a local variable first"
            ),
            DriverError::NotInstrumented(name) => write!(
                f,
                "gcc does not instrument the function '{name}', so that its accesses of memory cannot be seen; check the program \
                 with clang (--compiler clang), or remove the attribute no_sanitize"
            ),
            DriverError::File(path, error) => write!(f, "cannot use the file '{}': {error}", path.display()),
        }
    }
}

impl std::error::Error for DriverError {}
