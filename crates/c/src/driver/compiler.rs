//! Which compiler there is.

use super::DriverError;
use super::cache::{self, Cache, Key};
use std::process::{Command, Stdio};

/// Whose compiler it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// clang 14 or later.
    Clang,
    /// gcc 12 or later.
    Gcc,
}

impl Family {
    const fn oldest(self) -> u32 {
        match self {
            Family::Clang => 14,
            Family::Gcc => 12,
        }
    }
}

/// A compiler for C and the one for C++ beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compiler {
    /// Whose.
    pub family: Family,
    /// Its version.
    pub version: u32,
    /// The command for C.
    pub c: String,
    /// The command for C++.
    pub cpp: String,
}

/// What is looked for, the best first.
const CANDIDATES: &[&str] = &[
    "clang", "clang-22", "clang-21", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15",
    "clang-14", "gcc", "gcc-15", "gcc-14", "gcc-13", "gcc-12",
];

impl Compiler {
    /// The best that is there.
    pub fn find() -> Result<Self, DriverError> {
        CANDIDATES.iter().find_map(|name| Self::named(name).ok()).ok_or(DriverError::NoCompiler)
    }

    /// The one of this name, or at this path.
    pub fn named(name: &str) -> Result<Self, DriverError> {
        let bad = |problem: &str| DriverError::BadCompiler(name.to_owned(), problem.to_owned());
        let macros = kept_macros(name).ok_or_else(|| bad("it cannot be run as one"))?;
        let (family, version) = match (macros.get("__clang_major__"), macros.get("__GNUC__")) {
            (Some(version), _) => (Family::Clang, version),
            (None, Some(version)) => (Family::Gcc, version),
            (None, None) => return Err(bad("it is neither clang nor gcc")),
        };
        if version < family.oldest() {
            return Err(bad(&format!("its version {version} is too old")));
        }
        let (c, cpp) = both(name);
        Ok(Compiler { family, version, c, cpp })
    }
}

/// What a compiler is called for C and for C++. No name is a part of one that stands after it.
const NAMES: [(&str, &str); 3] = [("clang", "clang++"), ("gcc", "g++"), ("cc", "c++")];

/// The commands for C and for C++ of a compiler that was named by either: `clang-14` and `clang++-14`.
fn both(name: &str) -> (String, String) {
    let file = name.rfind('/').map_or(0, |slash| slash + 1);
    let replaced = |from: &str, to: &str| format!("{}{}", &name[..file], name[file..].replacen(from, to, 1));
    for (c, cpp) in NAMES {
        if name[file..].contains(cpp) {
            return (replaced(cpp, c), name.to_owned());
        }
        if name[file..].contains(c) {
            return (name.to_owned(), replaced(c, cpp));
        }
    }
    (name.to_owned(), name.to_owned())
}

/// The macros that a compiler predefines.
struct Macros(String);

impl Macros {
    fn get(&self, name: &str) -> Option<u32> {
        let define =
            self.0.lines().find_map(|line| line.strip_prefix("#define ")?.strip_prefix(name)?.strip_prefix(' '));
        define?.trim().parse().ok()
    }
}

/// The same, from the last time that this compiler was asked.
fn kept_macros(compiler: &str) -> Option<Macros> {
    let cache = Cache::of_user();
    let mut key = Key::new();
    key.add(&("macros", compiler, cache::program(compiler)));
    if let Some(text) = cache.text(&key) {
        return Some(Macros(text));
    }
    let macros = predefined(compiler)?;
    cache.keep_text(&key, &macros.0);
    Some(macros)
}

fn predefined(compiler: &str) -> Option<Macros> {
    let mut command = Command::new(compiler);
    command.args(["-dM", "-E", "-x", "c", "/dev/null"]).stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(Macros(String::from_utf8_lossy(&output.stdout).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_is_named_by_either_of_its_commands() {
        let pair = |c: &str, cpp: &str| (c.to_owned(), cpp.to_owned());
        for name in ["clang-14", "clang++-14"] {
            assert_eq!(both(name), pair("clang-14", "clang++-14"));
        }
        for name in ["/opt/gcc/bin/gcc-12", "/opt/gcc/bin/g++-12"] {
            assert_eq!(both(name), pair("/opt/gcc/bin/gcc-12", "/opt/gcc/bin/g++-12"));
        }
        for name in ["cc", "c++"] {
            assert_eq!(both(name), pair("cc", "c++"));
        }
        assert_eq!(both("mine"), pair("mine", "mine"));
    }
}
