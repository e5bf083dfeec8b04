//! Linking: the program becomes a shared object that calls the runtime.

use super::cache::{self, Key};
use super::library::{self, COMPILED, HEADERS};
use super::sources::{self, compiler, write};
use super::wrapped::WRAPPED;
use super::{Build, DriverError, Language, blind, held_back, outside, streams};
use object::{Object, ObjectSymbol};
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Links objects into a program that can be loaded and explored.
pub(super) fn link(
    build: &Build,
    objects: &[PathBuf],
    plus_plus: bool,
    output: &Path,
    scratch: &Path,
) -> Result<(), DriverError> {
    let plus_plus = plus_plus || objects.iter().any(|object| needs_cpp(object));
    let key = key(build, objects, plus_plus);
    if key.as_ref().is_some_and(|key| build.cache.take(key, output)) {
        return Ok(());
    }
    link_anew(build, objects, plus_plus, output, scratch)?;
    key.iter().for_each(|key| build.cache.keep(key, output, &[]));
    Ok(())
}

/// What a linked program depends on; `None` if that is more than its objects.
fn key(build: &Build, objects: &[PathBuf], plus_plus: bool) -> Option<Key> {
    let is_plain = |flag: &String| {
        let is_of_linker = ["-l", "-L", "-Wl,", "-T", "-u", "-Xlinker", "-B", "-static"];
        ["-lm", "-lpthread"].contains(&flag.as_str())
            || flag.starts_with('-') && !is_of_linker.iter().any(|of| flag.starts_with(of))
    };
    if !build.flags.iter().all(is_plain) {
        return None;
    }
    let mut key = Key::new();
    key.add(&(&build.compiler.c, cache::program(&build.compiler.c), &build.flags, plus_plus));
    for object in objects {
        key.add(&std::fs::read(object).ok()?);
    }
    Some(key)
}

fn link_anew(
    build: &Build,
    objects: &[PathBuf],
    plus_plus: bool,
    output: &Path,
    scratch: &Path,
) -> Result<(), DriverError> {
    let own = definitions(objects);
    let mut command = compiler(&build.compiler, if plus_plus { Language::Cpp } else { Language::C });
    command.args(["-shared", "-fPIC", "-Wl,-z,now", "-Wl,-Bsymbolic", "-static-libgcc", "-Wl,-t,-t"]);
    if plus_plus {
        command.arg("-static-libstdc++");
    }
    let mut runtime = runtime(build, plus_plus, scratch)?;
    let of_streams = if plus_plus { streams::used(objects) } else { BTreeSet::new() };
    if !of_streams.is_empty() {
        runtime.push(assemble(build, &streams::announced(&of_streams), scratch)?);
    }
    // What the program defines itself is its own. The runtime's function in its place is not called then, but is linked, and
    // calls what it would replace.
    let of_library = WRAPPED.iter().copied().chain(library::compiled());
    for name in of_library.map(str::to_owned).chain(of_streams) {
        command.arg(match own.contains(&name) {
            false => format!("-Wl,--wrap={name}"),
            true => format!("-Wl,--defsym=__real_{name}={name}"),
        });
    }
    if own.contains(blind::BARRIER_WAIT) {
        command.arg(format!("-Wl,--defsym={}={}", blind::blind(blind::BARRIER_WAIT), blind::BARRIER_WAIT));
    }
    // The runtime has the functions of that library itself.
    let flags = build.flags.iter().filter(|flag| *flag != "-latomic");
    command.args(objects).args(&runtime).args(flags).args(["-lpthread", "-lm", "-o"]).arg(output);
    let what = "the linking of the program";
    command.stderr(Stdio::inherit());
    let result = command.output().map_err(|error| DriverError::NotRun(what.to_owned(), error.to_string()))?;
    if !result.status.success() {
        return Err(DriverError::Failed(what.to_owned()));
    }
    let unknown = outside::find(&String::from_utf8_lossy(&result.stdout), &runtime, output);
    outside::write(output, &unknown)?;
    held_back::hold_back(output)
}

/// The objects of the runtime that are linked with every program.
fn runtime(build: &Build, plus_plus: bool, scratch: &Path) -> Result<Vec<PathBuf>, DriverError> {
    let mut objects = vec![compile_runtime(build, scratch, "shim.c", include_str!("../../runtime/shim.c"))?];
    if plus_plus {
        let parts = [
            ("exceptions.c", include_str!("../../runtime/exceptions.c")),
            ("shim.cpp", include_str!("../../runtime/shim.cpp")),
        ];
        for (name, text) in parts {
            objects.push(compile_runtime(build, scratch, name, text)?);
        }
    }
    for (name, text) in HEADERS {
        write(&scratch.join(name), text)?;
    }
    for part in COMPILED.iter().filter(|part| plus_plus || part.file != "containers.c") {
        let (source, object) = (scratch.join(part.file), scratch.join(format!("{}.o", part.file)));
        let mut key = runtime_key(build, part.file, part.text);
        key.add(HEADERS);
        if !build.cache.take(&key, &object) {
            write(&source, part.text)?;
            sources::compile_library(build, &source, &object, scratch)?;
            build.cache.keep(&key, &object, &[]);
        }
        objects.push(object);
    }
    Ok(objects)
}

fn runtime_key(build: &Build, name: &str, text: &str) -> Key {
    let mut key = Key::new();
    key.add(&("runtime", &build.compiler.c, cache::program(&build.compiler.c), name, text));
    key
}

/// A part of the runtime that is in C or C++, and whose accesses are not the program's.
fn compile_runtime(build: &Build, scratch: &Path, name: &str, text: &str) -> Result<PathBuf, DriverError> {
    let (source, object) = (scratch.join(name), scratch.join(format!("{name}.o")));
    let key = runtime_key(build, name, text);
    if build.cache.take(&key, &object) {
        return Ok(object);
    }
    write(&source, text)?;
    let mut command = compiler(&build.compiler, Language::of(&source).unwrap_or(Language::C));
    command.args(["-O2", "-fPIC", "-fno-builtin", "-c"]).arg(&source).arg("-o").arg(&object);
    super::run(&mut command, "the compilation of the runtime")?;
    build.cache.keep(&key, &object, &[]);
    Ok(object)
}

/// The functions that stand before those of streams.
fn assemble(build: &Build, text: &str, scratch: &Path) -> Result<PathBuf, DriverError> {
    let (source, object) = (scratch.join("streams.s"), scratch.join("streams.o"));
    write(&source, text)?;
    let mut command = compiler(&build.compiler, Language::C);
    command.arg("-c").arg(&source).arg("-o").arg(&object);
    super::run(&mut command, "the assembling of the runtime")?;
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
