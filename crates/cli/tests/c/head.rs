//! What the head of a program says: the comments before its first line of code, described in
//! `crates/c/tests/programs/README.md`.

use crate::verdict::Verdict;
use std::path::{Path, PathBuf};

/// A program and what its head says.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    /// What a check may answer: one of these.
    pub(crate) expected: Vec<Verdict>,
    /// What it comes out as by gcc, where that is another answer: a fault that is known.
    pub(crate) by_gcc: Vec<Verdict>,
    /// How many classes it has, by an argument that the head gives.
    pub(crate) classes: Option<u64>,
    /// How many states it has.
    pub(crate) states: Option<u64>,
    /// A litmus program with the same classes, or, of a program without an end, the same findings.
    pub(crate) model: Option<String>,
    /// The program of the litmus library that it is, and the macros that take its arguments.
    pub(crate) litmus: Option<(String, Vec<String>)>,
    /// For the compiler.
    pub(crate) flags: Vec<String>,
    /// For `mazurka check`.
    pub(crate) options: Vec<String>,
    /// The lines that a finding must name.
    pub(crate) found_at: Vec<usize>,
}

/// The folder of the programs.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../c/tests/programs")
}

/// The programs of a part of the folder, by name.
pub(crate) fn programs(part: &str) -> Vec<Program> {
    let folder = folder().join(part);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    paths.sort();
    paths.into_iter().map(Program::read).collect()
}

impl Program {
    fn read(path: PathBuf) -> Self {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Program::parse(path, &text)
    }

    fn parse(path: PathBuf, text: &str) -> Self {
        let mut program = Program {
            path,
            expected: Vec::new(),
            by_gcc: Vec::new(),
            classes: None,
            states: None,
            model: None,
            litmus: None,
            flags: Vec::new(),
            options: Vec::new(),
            found_at: Vec::new(),
        };
        for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
            if let Some((key, value)) = line.split_once(": ") {
                program.take(key, value.trim());
            }
        }
        let marked = text.lines().zip(1..).filter(|(line, _)| line.ends_with("// found here"));
        program.found_at = marked.map(|(_, number)| number).collect();
        program
    }

    fn take(&mut self, key: &str, value: &str) {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        match key {
            "expect" => self.expected = self.verdicts(value),
            "by gcc" => self.by_gcc = self.verdicts(value),
            "classes" => self.classes = Some(self.number(value)),
            "states" => self.states = Some(self.number(value)),
            "model" => self.model = Some(value.to_owned()),
            "litmus" => {
                let mut words = words(value);
                let macros = words.split_off(1);
                self.litmus = Some((words.remove(0), macros));
            }
            "flags" => self.flags = words(value),
            "options" => self.options = words(value),
            // A colon in the sentence that describes the program.
            _ => {}
        }
    }

    /// The number that a value begins with.
    fn number(&self, value: &str) -> u64 {
        let number = value.split_whitespace().next().and_then(|number| number.parse().ok());
        number.unwrap_or_else(|| panic!("{}: no number: {value}", self.path.display()))
    }

    fn verdicts(&self, text: &str) -> Vec<Verdict> {
        let parse =
            |text: &str| Verdict::parse(text).unwrap_or_else(|| panic!("{}: no verdict: {text}", self.path.display()));
        text.split(" | ").map(parse).collect()
    }

    /// What a check by this compiler may answer.
    pub(crate) fn expected_by(&self, compiler: &str) -> &[Verdict] {
        if compiler == "gcc" && !self.by_gcc.is_empty() { &self.by_gcc } else { &self.expected }
    }

    /// The name of its file.
    pub(crate) fn name(&self) -> &str {
        self.path.file_name().and_then(|name| name.to_str()).expect("names are UTF-8")
    }
}

#[test]
fn a_head_says_what_is_expected() {
    let text = "// A stack: small.\n// expect: use-after-free | refused asm\n// classes: 6 (three: any order)\n\
                // flags: -DN=2\nint x; // found here\n";
    let program = Program::parse(PathBuf::from("a.c"), text);
    assert_eq!(program.expected, [Verdict::parse("use-after-free").unwrap(), Verdict::Refused("asm".to_owned())]);
    assert_eq!((program.classes, program.flags, program.found_at), (Some(6), vec!["-DN=2".to_owned()], vec![5]));
}

#[test]
fn every_program_says_what_is_expected() {
    let parts = ["structures", "locks", "library", "bugs", "cpp", "exits", "hostile", "endless"];
    let all: Vec<Program> = parts.iter().flat_map(|part| programs(part)).collect();
    assert!(all.len() > 150, "{} programs", all.len());
    for program in all {
        assert!(!program.expected.is_empty(), "{}", program.path.display());
    }
    for program in programs("corpus") {
        assert!(program.litmus.is_some() || program.model.is_some(), "{}", program.path.display());
    }
}
