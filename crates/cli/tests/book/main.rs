//! The documentation: every page is in the table of contents, every link leads somewhere, every command is run.
//!
//! A fenced block in `sh` is run line by line, as it stands, and must end well: with an answer, where `mazurka` gives one. One
//! in `console` has commands after `$ `, each followed by
//! what it prints: lines that are in the output in this order, where `…` stands for anything. `[exit status N]` says how
//! it ends; 0 is taken for granted. Comments that do not show name what a page needs: `<!-- file NAME -->` before a block
//! makes a file of it, `<!-- copy FROM TO -->` copies one of this repository, `<!-- empty NAME -->` makes one with nothing in it.
//! The commands of a page with tests in Rust are run if `MAZURKA_BOOK_IN_RUST` is set.

mod page;

use page::{Block, Page};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How the command is run by who has not installed it.
const FROM_SOURCE: &str = "cargo run --release -p mazurka-cli --";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("it is there")
}

fn pages() -> Vec<PathBuf> {
    let mut folders = vec![repository().join("docs")];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder can be read") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

fn read(path: &Path) -> Page {
    Page::read(&std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let docs = repository().join("docs");
    let contents = read(&docs.join("SUMMARY.md"));
    let listed: BTreeSet<PathBuf> = contents.links.iter().map(|link| docs.join(link)).collect();
    let there: BTreeSet<PathBuf> = pages().into_iter().filter(|page| !page.ends_with("SUMMARY.md")).collect();
    assert_eq!(listed, there);
}

#[test]
fn every_link_leads_somewhere() {
    let root = repository();
    let others = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root.join(name));
    for path in pages().into_iter().chain(others) {
        let page = read(&path);
        for link in page.links.iter().filter(|link| !link.contains("://")) {
            let (file, part) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().expect("a folder").join(file) };
            assert!(target.exists(), "{}: {link} leads nowhere", path.display());
            if !part.is_empty() && target.extension().is_some_and(|extension| extension == "md") {
                let heads = read(&target).headings;
                assert!(heads.iter().any(|head| head == part), "{}: {link} has no such heading", path.display());
            }
        }
    }
}

#[test]
fn every_command_is_run() {
    let mut commands = 0;
    for path in pages() {
        let page = read(&path);
        if page.blocks.iter().any(|block| matches!(block, Block::Commands(_) | Block::Session(_))) {
            let name = path.strip_prefix(repository()).expect("in the repository").display().to_string();
            commands += Place::new(&name).run(&page);
        }
    }
    let readme = read(&repository().join("README.md"));
    commands += Place::new("README.md").run(&readme);
    assert!(commands > 35, "{commands} commands were found");
}

/// A folder in which the commands of a page are run.
struct Place {
    folder: PathBuf,
    page: String,
}

impl Place {
    fn new(page: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("mazurka-book-{}", std::process::id()));
        let folder = folder.join(page.replace(['/', '.'], "-"));
        std::fs::create_dir_all(folder.join("bin")).expect("a folder can be made");
        let link = folder.join("bin/mazurka");
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_mazurka"), link).expect("a link can be made");
        Place { folder, page: page.to_owned() }
    }

    /// Runs all commands, and says how many there were.
    fn run(&self, page: &Page) -> usize {
        for block in &page.blocks {
            match block {
                Block::File { name, text } => self.write(name, text),
                Block::Copy { from, to } => {
                    let text = std::fs::read_to_string(repository().join(from)).expect("a file of the repository");
                    self.write(to, &text);
                }
                _ => {}
            }
        }
        if page.blocks.iter().any(|block| matches!(block, Block::File { name, .. } if name.ends_with(".rs"))) {
            // A package of its own is compiled for them, with all that it needs: minutes, on a machine with other things to do.
            if std::env::var("MAZURKA_BOOK_IN_RUST").is_err() {
                eprintln!("left out: the commands of {}; MAZURKA_BOOK_IN_RUST=1 has them run", self.page);
                return 0;
            }
            self.make_package();
        }
        let mut commands = 0;
        for block in &page.blocks {
            match block {
                Block::Commands(lines) => {
                    for line in lines {
                        let (status, out) = self.shell(line);
                        let is_ours = ["mazurka ", FROM_SOURCE].iter().any(|start| line.starts_with(start));
                        let is_answer = status == 0 || (is_ours && [1, 3].contains(&status));
                        assert!(is_answer, "{}: {line} ends with {status}\n{out}", self.page);
                        commands += 1;
                    }
                }
                Block::Session(session) => {
                    for command in session {
                        let (status, out) = self.shell(&command.line);
                        assert_eq!(status, command.status, "{}: {}\n{out}", self.page, command.line);
                        command.is_said_in(&out).unwrap_or_else(|line| {
                            panic!("{}: {} does not print\n{line}\nbut\n{out}", self.page, command.line)
                        });
                        commands += 1;
                    }
                }
                _ => {}
            }
        }
        commands
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    }

    /// A package for the tests in Rust of a page, which shares what was built already.
    fn make_package(&self) {
        let root = repository();
        let manifest = format!(
            "[package]\nname = \"book\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[lib]\npath = \"lib.rs\"\n\n\
             [dev-dependencies]\nmazurka = {{ path = {:?} }}\n\n[profile.dev]\nopt-level = 1\n\n[profile.test]\n\
             opt-level = 2\n\n[workspace]\n",
            root.join("crates/mazurka")
        );
        self.write("Cargo.toml", &manifest);
        self.write("lib.rs", "");
        std::fs::copy(root.join("Cargo.lock"), self.folder.join("Cargo.lock")).expect("it can be copied");
    }

    /// Runs a line by a shell. A release build would take minutes: what was built for the tests is taken in its place.
    fn shell(&self, line: &str) -> (i32, String) {
        let line = line.replace(FROM_SOURCE, "mazurka");
        if ["cargo build --release", "cargo test --workspace"].iter().any(|build| line.starts_with(build)) {
            return (0, String::new());
        }
        let mut path = self.folder.join("bin").into_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let target = Path::new(env!("CARGO_BIN_EXE_mazurka")).ancestors().nth(2).expect("the target folder");
        let output = Command::new("sh")
            .arg("-c")
            .arg(format!("{line} 2>&1"))
            .current_dir(&self.folder)
            .env("PATH", path)
            .env("CARGO_TARGET_DIR", target)
            .env("CARGO_NET_OFFLINE", "true")
            .output()
            .expect("a shell can be started");
        (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
