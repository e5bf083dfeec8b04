//! What a program takes from outside its own instrumented text, of which nothing is known: functions, shared libraries, objects.
//!
//! The linker tells which files it linked. Of those that this driver compiled, every function that is used and not defined must
//! be in the [table](super::library); all others must be of the C and C++ runtime. What is left is written behind the end of
//! the program, for the search to refuse it.

use super::{DriverError, library};
use crate::names::Lines;
use model::Site;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionKind};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The section by which an object says that this driver compiled it.
pub(super) const MARK: &str = ".mazurka";
/// What a program ends with that this driver linked, behind the length of what is written there.
const END: &[u8; 8] = b"mazurka1";

/// Something of which it is not known what it does to the program's memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unknown {
    /// `the function f`, or `the shared library libf.so`.
    pub(crate) what: String,
    /// By which it can be assumed to be harmless.
    pub(crate) name: String,
    /// Where it is used, if that is known.
    pub(crate) place: String,
}

/// The files of the C and C++ runtime.
const RUNTIME_FILES: &[&str] = &[
    "libc.so",
    "libc.a",
    "libc_nonshared.a",
    "libm.so",
    "libmvec.so",
    "libpthread.so",
    "libpthread.a",
    "libpthread_nonshared.a",
    "libdl.so",
    "libdl.a",
    "librt.so",
    "librt.a",
    "libgcc.a",
    "libgcc_eh.a",
    "libgcc_s.so",
    "libstdc++.a",
    "libsupc++.a",
    "libatomic.so",
    "libatomic.a",
    "ld-linux-x86-64.so",
    "crti.o",
    "crtn.o",
    "crt1.o",
    "Scrt1.o",
    "crtbegin.o",
    "crtbeginS.o",
    "crtbeginT.o",
    "crtend.o",
    "crtendS.o",
    "crtoffloadbegin.o",
    "crtoffloadend.o",
    "crtoffloadtable.o",
    "crtfastmath.o",
    "libclang_rt.builtins-x86_64.a",
    "libclang_rt.builtins.a",
];

fn is_of_runtime(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    RUNTIME_FILES.iter().any(|known| {
        file.strip_prefix(known)
            .is_some_and(|version| version.is_empty() || version.starts_with('.') && known.ends_with("so"))
    })
}

/// A file that was linked.
#[derive(PartialEq, Eq, Debug)]
struct Linked<'t> {
    file: &'t str,
    /// Of an archive.
    member: Option<&'t str>,
}

/// A line by which a linker tells of a file: `libq.a(queue.o)`, or, older, `(libq.a)queue.o`.
fn linked(line: &str) -> Option<Linked<'_>> {
    let line = line.trim();
    if let Some((file, member)) = line.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        return Some(Linked { file, member: Some(member) });
    }
    match line.strip_suffix(')').and_then(|line| line.rsplit_once('(')) {
        Some((file, member)) => Some(Linked { file, member: Some(member) }),
        None => (line.starts_with('/') || Path::new(line).exists()).then_some(Linked { file: line, member: None }),
    }
}

/// What objects define and what they use.
#[derive(Default)]
struct Symbols {
    defined: HashSet<String>,
    /// With the object that uses it.
    used: BTreeMap<String, String>,
}

impl Symbols {
    /// Adds an object, if this driver compiled it; says whether that is so.
    fn add(&mut self, bytes: &[u8], name: &str) -> bool {
        let Ok(file) = object::File::parse(bytes) else { return false };
        if file.section_by_name(MARK).is_none() {
            return false;
        }
        for symbol in file.symbols() {
            let Ok(name_of_symbol) = symbol.name() else { continue };
            if symbol.is_undefined() && !name_of_symbol.is_empty() {
                self.used.entry(name_of_symbol.to_owned()).or_insert_with(|| name.to_owned());
            } else if symbol.is_definition() && symbol.is_global() {
                self.defined.insert(name_of_symbol.to_owned());
            }
        }
        true
    }
}

/// What is not known of a program, by what the linker told. `runtime` are the objects of this driver's own.
pub(super) fn find(trace: &str, runtime: &[PathBuf], program: &Path) -> Vec<Unknown> {
    let mut unknown = Vec::new();
    let mut symbols = Symbols::default();
    let mut seen = HashSet::new();
    // Of an archive, linkers tell the file and then each member that they take from it.
    let by_members: HashSet<&str> =
        trace.lines().filter_map(linked).filter(|linked| linked.member.is_some()).map(|linked| linked.file).collect();
    for line in trace.lines() {
        let Some(linked) = linked(line).filter(|_| seen.insert(line.trim().to_owned())) else { continue };
        if linked.member.is_none() && by_members.contains(linked.file)
            || is_of_runtime(linked.file)
            || runtime.iter().any(|own| own == Path::new(linked.file))
        {
            continue;
        }
        let file = linked.file.rsplit('/').next().unwrap_or(linked.file);
        if file.contains(".so") {
            let what = format!("the shared library {file}");
            unknown.push(Unknown { what, name: file.to_owned(), place: String::new() });
        } else if !add(&mut symbols, &linked) {
            let name = linked.member.unwrap_or(file);
            let of = linked.member.map_or(String::new(), |_| format!(" of {file}"));
            let what = format!("the object {name}{of}, which `mazurka cc` or `mazurka c++` did not compile,");
            unknown.push(Unknown { what, name: name.to_owned(), place: String::new() });
        }
    }
    let bytes = fs::read(program).unwrap_or_default();
    let image = object::File::parse(&*bytes).ok();
    for (symbol, user) in symbols.used.iter().filter(|(symbol, _)| !symbols.defined.contains(*symbol)) {
        let is_of_compiler = !symbol.starts_with("_Z") && image.as_ref().is_some_and(|image| defines(image, symbol));
        if !library::is_known(symbol) && !is_of_compiler {
            let places = image.as_ref().map_or_else(Vec::new, |image| references(image, symbol));
            let mut places = places.into_iter().filter_map(|site| Lines::read(program).site(site));
            let place = places.next().unwrap_or_else(|| user.clone());
            let name = library::demangled(symbol);
            unknown.push(Unknown { what: format!("the function {name}"), name, place });
        }
    }
    unknown
}

fn add(symbols: &mut Symbols, linked: &Linked<'_>) -> bool {
    let Ok(bytes) = fs::read(linked.file) else { return false };
    let Ok(archive) = ArchiveFile::parse(&*bytes) else { return symbols.add(&bytes, linked.file) };
    // Of several members of one name, and where none is told, all count.
    let mut is_ours = true;
    for member in archive.members().filter_map(Result::ok) {
        if linked.member.is_none_or(|name| member.name() == name.as_bytes()) {
            is_ours &= member.data(&*bytes).is_ok_and(|bytes| symbols.add(bytes, linked.file));
        }
    }
    is_ours
}

fn defines(image: &object::File<'_>, symbol: &str) -> bool {
    image.symbols().any(|defined| defined.is_definition() && defined.name() == Ok(symbol))
}

/// Where the text of a program refers to a symbol.
fn references(image: &object::File<'_>, symbol: &str) -> Vec<Site> {
    let mut targets: HashSet<u64> = HashSet::new();
    targets
        .extend(image.symbols().filter(|own| own.is_definition() && own.name() == Ok(symbol)).map(|own| own.address()));
    // What comes from elsewhere is reached through a slot that the loader fills.
    for (slot, relocation) in image.dynamic_relocations().into_iter().flatten() {
        if let RelocationTarget::Symbol(index) = relocation.target()
            && let Some(table) = image.dynamic_symbol_table()
            && object::ObjectSymbolTable::symbol_by_index(&table, index).is_ok_and(|found| found.name() == Ok(symbol))
        {
            targets.insert(slot);
        }
    }
    let stubs = hits(image, &targets, |section| section.starts_with(".plt"));
    targets.extend(stubs.iter().map(|stub| stub & !15));
    let calls = hits(image, &targets, |section| !section.starts_with(".plt"));
    calls.into_iter().map(|address| Site(address as u32)).collect()
}

/// The ends of instructions that end with the distance to one of these addresses.
fn hits(image: &object::File<'_>, targets: &HashSet<u64>, is_wanted: impl Fn(&str) -> bool) -> Vec<u64> {
    let mut hits = Vec::new();
    for section in image.sections().filter(|section| section.kind() == SectionKind::Text) {
        if !section.name().is_ok_and(&is_wanted) {
            continue;
        }
        for (at, bytes) in section.data().unwrap_or_default().windows(4).enumerate() {
            let distance = i32::from_le_bytes(bytes.try_into().expect("four bytes"));
            let end = section.address() + at as u64 + 4;
            if targets.contains(&end.wrapping_add_signed(distance.into())) {
                hits.push(end);
            }
        }
    }
    hits
}

/// Writes what is not known of a program behind its end.
pub(super) fn write(program: &Path, unknown: &[Unknown]) -> Result<(), DriverError> {
    let problem = |error: std::io::Error| DriverError::File(program.to_owned(), error.to_string());
    let mut bytes = fs::read(program).map_err(problem)?;
    let line = |unknown: &Unknown| format!("{}\t{}\t{}\n", unknown.what, unknown.name, unknown.place);
    let text: String = unknown.iter().map(line).collect();
    bytes.extend_from_slice(text.as_bytes());
    bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
    bytes.extend_from_slice(END);
    fs::write(program, bytes).map_err(problem)
}

/// What is not known of a program; `None` if this driver did not link it.
pub(crate) fn read(program: &Path) -> Option<Vec<Unknown>> {
    let bytes = fs::read(program).ok()?;
    let bytes = bytes.strip_suffix(END)?;
    let (bytes, length) = bytes.split_last_chunk::<8>()?;
    let start = bytes.len().checked_sub(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let text = std::str::from_utf8(&bytes[start..]).ok()?;
    let parse = |line: &str| {
        let mut fields = line.split('\t').map(str::to_owned);
        Some(Unknown { what: fields.next()?, name: fields.next()?, place: fields.next()? })
    };
    text.lines().map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_linkers_are_understood() {
        assert_eq!(linked("/lib/libq.a(q.o)"), Some(Linked { file: "/lib/libq.a", member: Some("q.o") }));
        assert_eq!(linked("(/lib/libq.a)q.o"), Some(Linked { file: "/lib/libq.a", member: Some("q.o") }));
        assert_eq!(linked("/lib/x.so.6"), Some(Linked { file: "/lib/x.so.6", member: None }));
        assert_eq!(linked("ld: warning: something"), None);
    }

    #[test]
    fn the_runtime_is_known_by_its_files() {
        assert!(is_of_runtime("/lib/x86_64-linux-gnu/libm.so.6") && is_of_runtime("/usr/lib/gcc/12/libstdc++.a"));
        assert!(!is_of_runtime("/usr/lib/libtbb.so.12") && !is_of_runtime("libgomp.so") && !is_of_runtime("libmy.so"));
    }

    #[test]
    fn what_is_written_is_read() {
        let path = std::env::temp_dir().join(format!("mazurka-outside-{}", std::process::id()));
        let unknown =
            vec![Unknown { what: "the function f".to_owned(), name: "f".to_owned(), place: "a.c:3".to_owned() }];
        fs::write(&path, "an image").unwrap();
        assert_eq!(read(&path), None);
        write(&path, &unknown).unwrap();
        assert_eq!(read(&path), Some(unknown));
        fs::remove_file(path).unwrap();
    }
}
