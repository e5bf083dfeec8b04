//! Linking: the program becomes a shared object that calls the runtime.

use super::sources::{compiler, write};
use super::wrapped::WRAPPED;
use super::{Build, DriverError, Language, blind, held_back, run};
use object::{Object, ObjectSymbol};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Links objects into a program that can be loaded and explored.
pub(super) fn link(
    build: &Build,
    objects: &[PathBuf],
    plus_plus: bool,
    output: &Path,
    scratch: &Path,
) -> Result<(), DriverError> {
    let own = definitions(objects);
    let plus_plus = plus_plus || objects.iter().any(|object| needs_cpp(object));
    let mut command = compiler(&build.compiler, if plus_plus { Language::Cpp } else { Language::C });
    command.args(["-shared", "-fPIC", "-Wl,-z,now", "-Wl,-Bsymbolic", "-static-libgcc"]);
    let mut runtime = vec![compile_runtime(build, scratch, "shim.c", include_str!("../../runtime/shim.c"))?];
    if plus_plus {
        command.arg("-static-libstdc++");
        let parts = [
            ("exceptions.c", include_str!("../../runtime/exceptions.c")),
            ("shim.cpp", include_str!("../../runtime/shim.cpp")),
        ];
        for (name, text) in parts {
            runtime.push(compile_runtime(build, scratch, name, text)?);
        }
    }
    // What the program defines itself is its own.
    let is_own = |name: &&&str| own.contains(**name);
    command.args(WRAPPED.iter().filter(|name| !is_own(name)).map(|name| format!("-Wl,--wrap={name}")));
    // The runtime's function in its place is not called then, but is linked, and calls what it would replace.
    command.args(WRAPPED.iter().filter(is_own).map(|name| format!("-Wl,--defsym=__real_{name}={name}")));
    if own.contains(blind::BARRIER_WAIT) {
        command.arg(format!("-Wl,--defsym={}={}", blind::blind(blind::BARRIER_WAIT), blind::BARRIER_WAIT));
    }
    command.args(objects).args(&runtime).args(&build.flags).arg("-lpthread").arg("-lm").arg("-o").arg(output);
    run(&mut command, "the linking of the program")?;
    held_back::hold_back(output)
}

/// A part of the runtime that is in C or C++.
fn compile_runtime(build: &Build, scratch: &Path, name: &str, text: &str) -> Result<PathBuf, DriverError> {
    let (source, object) = (scratch.join(name), scratch.join(format!("{name}.o")));
    write(&source, text)?;
    let mut command = compiler(&build.compiler, Language::of(&source).unwrap_or(Language::C));
    command.args(["-O2", "-fPIC", "-fno-builtin", "-c"]).arg(&source).arg("-o").arg(&object);
    run(&mut command, "the compilation of the runtime")?;
    Ok(object)
}

/// The global symbols that objects define.
fn definitions(objects: &[PathBuf]) -> HashSet<String> {
    let mut names = HashSet::new();
    for bytes in objects.iter().filter_map(|path| std::fs::read(path).ok()) {
        if let Ok(file) = object::File::parse(&*bytes) {
            let defined = file.symbols().filter(|symbol| symbol.is_definition() && symbol.is_global());
            names.extend(defined.filter_map(|symbol| symbol.name().ok().map(str::to_owned)));
        }
    }
    names
}

/// Whether an object was compiled from C++.
fn needs_cpp(path: &Path) -> bool {
    let Ok(bytes) = std::fs::read(path) else { return false };
    let Ok(file) = object::File::parse(&*bytes) else { return false };
    file.symbols().any(|symbol| {
        symbol.is_undefined() && symbol.name().is_ok_and(|name| name.starts_with("_Z") || name.starts_with("__gxx_"))
    })
}
