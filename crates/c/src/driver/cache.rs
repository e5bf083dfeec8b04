//! Results of compilers, kept by the contents of what they were made from.
//!
//! A result is found by a key: a fingerprint of the compiler, of this command, of the arguments and of the source. With an object
//! comes the list of all files that were included, each with a fingerprint of its contents; an object is used only if all of
//! them are as they were. Results are put in place by renaming, so that processes at the same time see whole ones.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{env, fs, io};

/// So many bytes are kept; then the oldest results go.
const MOST_BYTES: u64 = 1 << 30;

/// A fingerprint of 128 bits.
#[derive(Clone)]
pub(crate) struct Key([DefaultHasher; 2]);

impl Key {
    /// Of this command, whichever build of it: what it does to a program depends on it.
    pub(super) fn new() -> Self {
        let mut key = Key::empty();
        key.add(&env::current_exe().ok().and_then(|path| stamp(&path)));
        key
    }

    fn empty() -> Self {
        let mut second = DefaultHasher::new();
        "the other half".hash(&mut second);
        Key([DefaultHasher::new(), second])
    }

    pub(super) fn add(&mut self, part: &(impl Hash + ?Sized)) {
        self.0.iter_mut().for_each(|half| part.hash(half));
    }

    fn name(&self) -> String {
        format!("{:016x}{:016x}", self.0[0].finish(), self.0[1].finish())
    }
}

/// What tells one version of a program from another.
fn stamp(path: &Path) -> Option<(PathBuf, u64, SystemTime)> {
    let path = fs::canonicalize(path).ok()?;
    let metadata = fs::metadata(&path).ok()?;
    let modified = metadata.modified().ok()?;
    Some((path, metadata.len(), modified))
}

/// Which program a command is: the one on the PATH.
pub(super) fn program(command: &str) -> impl Hash {
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut candidates = env::split_paths(&folders).map(|folder| folder.join(command));
    match command.contains('/') {
        true => stamp(Path::new(command)),
        false => candidates.find_map(|path| stamp(&path)),
    }
}

/// Where results are kept, if they are.
#[derive(Clone, Debug)]
pub struct Cache(Option<PathBuf>);

impl Cache {
    /// As the variable `MAZURKA_CACHE` says: a folder, or `off`. Otherwise in the user's folder for such files.
    pub fn of_user() -> Self {
        let folder = match env::var_os("MAZURKA_CACHE") {
            Some(value) if value == "off" || value.is_empty() => None,
            Some(folder) => Some(PathBuf::from(folder)),
            None => {
                let of_home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
                let folder = env::var_os("XDG_CACHE_HOME").filter(|folder| !folder.is_empty()).map(PathBuf::from);
                folder.or_else(of_home).map(|folder| folder.join("mazurka"))
            }
        };
        Cache(folder.filter(|folder| fs::create_dir_all(folder).is_ok()))
    }

    /// Nothing is kept.
    pub fn off() -> Self {
        Cache(None)
    }

    fn path(&self, key: &Key, end: &str) -> Option<PathBuf> {
        Some(self.0.as_ref()?.join(key.name() + end))
    }

    /// The text that is kept by a key.
    pub(super) fn text(&self, key: &Key) -> Option<String> {
        fs::read_to_string(self.path(key, ".txt")?).ok()
    }

    /// Keeps a text.
    pub(super) fn keep_text(&self, key: &Key, text: &str) {
        if let Some(path) = self.path(key, ".txt") {
            self.put(&path, text.as_bytes());
        }
    }

    /// Copies the file that is kept by a key to `to`, if what it was made from is as it was.
    pub(super) fn take(&self, key: &Key, to: &Path) -> bool {
        let (Some(file), Some(list)) = (self.path(key, ".bin"), self.text(key)) else { return false };
        let is_same = |line: &str| line.split_once(' ').is_some_and(|(known, path)| contents(path) == known);
        list.lines().all(is_same) && fs::copy(file, to).is_ok()
    }

    /// Keeps a file that was made from these.
    pub(super) fn keep(&self, key: &Key, file: &Path, made_from: &[String]) {
        let (Some(path), Ok(bytes)) = (self.path(key, ".bin"), fs::read(file)) else { return };
        let lines = made_from.iter().map(|path| format!("{} {path}\n", contents(path)));
        self.put(&path, &bytes);
        self.keep_text(key, &lines.collect::<String>());
    }

    /// Puts a file in place. What cannot be kept is made again the next time.
    fn put(&self, path: &Path, bytes: &[u8]) {
        let temporary = path.with_extension(format!("{}.new", std::process::id()));
        let written = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        // Once in a while: to look at thousands of files takes as long as a compilation.
        if path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"00")) {
            let _ = self.trim(MOST_BYTES);
        }
    }

    /// Removes the oldest files until no more than half of these bytes are left, if there are more than these.
    fn trim(&self, most: u64) -> io::Result<()> {
        let Some(folder) = &self.0 else { return Ok(()) };
        let mut files: Vec<(SystemTime, u64, PathBuf)> = fs::read_dir(folder)?
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let metadata = entry.metadata().ok()?;
                Some((metadata.modified().ok()?, metadata.len(), entry.path()))
            })
            .collect();
        let mut all: u64 = files.iter().map(|(_, size, _)| size).sum();
        if all <= most {
            return Ok(());
        }
        files.sort();
        for (_, size, path) in files {
            if all <= most / 2 {
                break;
            }
            fs::remove_file(path)?;
            all -= size;
        }
        Ok(())
    }
}

/// A fingerprint of the contents of a file, which differs from all others if there is none.
fn contents(path: &str) -> String {
    let mut key = Key::empty();
    match fs::read(path) {
        Ok(bytes) => key.add(&bytes),
        Err(_) => return "none".to_owned(),
    }
    key.name()
}

/// The files that a rule for `make` names as what something is made from.
pub(super) fn dependencies(rule: &str) -> Vec<String> {
    let rule = rule.replace("\\\n", " ");
    let Some((_, files)) = rule.split_once(": ") else { return Vec::new() };
    let mut names = vec![String::new()];
    let mut characters = files.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            ('\\', Some(&escaped @ (' ' | '#'))) => {
                names.last_mut().expect("never empty").push(escaped);
                characters.next();
            }
            ('$', Some('$')) => {}
            (' ' | '\n', _) => names.push(String::new()),
            (c, _) => names.last_mut().expect("never empty").push(c),
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(name: &str) -> (Cache, PathBuf) {
        let folder = env::temp_dir().join(format!("mazurka-cache-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        (Cache(Some(folder.clone())), folder)
    }

    #[test]
    fn a_result_is_used_as_long_as_its_sources_are_the_same() {
        let (cache, folder) = cache("same");
        let (source, result, copy) = (folder.join("a.h"), folder.join("result"), folder.join("copy"));
        fs::write(&source, "one").unwrap();
        fs::write(&result, "object").unwrap();
        let mut key = Key::new();
        key.add("source");
        assert!(!cache.take(&key, &copy));
        cache.keep(&key, &result, &[source.to_str().unwrap().to_owned()]);
        assert!(cache.take(&key, &copy));
        assert_eq!(fs::read_to_string(&copy).unwrap(), "object");
        fs::write(&source, "two").unwrap();
        assert!(!cache.take(&key, &copy), "a header has changed");
        fs::remove_file(&source).unwrap();
        assert!(!cache.take(&key, &copy), "a header is gone");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn old_results_are_removed() {
        let (cache, folder) = cache("trim");
        for n in 0..10 {
            fs::write(folder.join(n.to_string()), [0; 100]).unwrap();
        }
        cache.trim(1000).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 10);
        cache.trim(900).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 4);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn rules_of_make_are_read() {
        let rule = "a.o: a.c /usr/include/stdio.h \\\n  with\\ space.h d$$.h\n";
        assert_eq!(dependencies(rule), ["a.c", "/usr/include/stdio.h", "with space.h", "d$.h"]);
    }
}
