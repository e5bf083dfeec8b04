//! The compilers of the matrix, and what each makes of a cell.

use super::cells::{Cell, program};
use super::types::Type;
use crate::checking::{Answer, finish};
use crate::many::Checks;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A compiler that is installed.
pub(super) struct Compiler {
    name: &'static str,
    /// None if it is gcc.
    clang: Option<u32>,
}

impl Compiler {
    pub(super) fn installed() -> Vec<Self> {
        let all = [
            ("clang-14", Some(14)),
            ("clang-15", Some(15)),
            ("clang-16", Some(16)),
            ("clang-19", Some(19)),
            ("gcc-12", None),
        ];
        let found: Vec<Self> =
            all.into_iter().map(|(name, clang)| Compiler { name, clang }).filter(Self::works).collect();
        assert!(!found.is_empty(), "none of the compilers of the matrix is installed");
        found
    }

    fn works(&self) -> bool {
        let version = Command::new(self.name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    }

    pub(super) fn has(&self, of: &Type) -> bool {
        match self.clang {
            Some(version) => of.by_clang.is_some_and(|oldest| version >= oldest),
            None => of.by_gcc,
        }
    }

    pub(super) fn has_way(&self, of: &Type, way: &str) -> bool {
        let is = |word: &str| of.declaration.contains(word);
        match self.clang {
            // Neither minimum nor maximum; complex numbers are not incremented.
            None if way.contains("_min(") || way.contains("_max(") => false,
            // gcc does not announce the copy of an argument or a result that is a struct: such calls are refused.
            None if (is("struct") || is("union")) && (way.contains("make@(") || way.contains("by@(")) => false,
            _ if is("_Bool") && way.contains("++") => self.clang.is_some() && !is(": 1"),
            _ if is("_Complex") && (way.contains("++") || way.contains("_min") || way.contains("_max")) => false,
            _ if is("__int128") && (way.contains("_min(") || way.contains("_max(")) => false,
            _ => true,
        }
    }

    /// Builds a program of cells and tries each of them.
    pub(super) fn try_cells(&self, folder: &Path, cells: &[(usize, &Cell)]) -> Vec<String> {
        let path = |end: &str| -> PathBuf { folder.join(format!("{}-{}{end}", self.name, cells[0].0)) };
        let (source, binary) = (path(".c"), path(""));
        std::fs::write(&source, program(cells)).expect("a file can be written");
        let mut build = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        // Names and lines, which nobody reads here, are half of the time that a check takes.
        build.env("MAZURKA_CC", self.name).args(["cc", "-w", "-g0", "-o"]).arg(&binary).arg(&source).arg("-lm");
        if let Some(problem) = finish(build).map_or_else(Some, |answer| (answer.status != 0).then(|| answer.told())) {
            return vec![format!("{}: the cells from {} on: {problem}", self.name, cells[0].0)];
        }
        self.problems(&binary, cells).unwrap_or_else(|problem| vec![problem])
    }

    /// What is wrong with the cells of a program that was built.
    fn problems(&self, binary: &Path, cells: &[(usize, &Cell)]) -> Result<Vec<String>, String> {
        let mut checks = Checks::start()?;
        // Up to the first finding: an access of many bytes has too many orders with those of the other thread.
        let mut check = |nth| checks.check(binary, &["--workers", "1", "--json", "--no-shrink", "--paranoid"], nth);
        let mut problems = Vec::new();
        let mut expect = |name: &str, answer: Result<Answer, String>, is_right: fn(&Answer) -> bool| match answer {
            Ok(answer) if is_right(&answer) => {}
            Ok(answer) => problems.push(format!("{}: {name}: {}", self.name, answer.told())),
            Err(problem) => problems.push(format!("{}: {name}: {problem}", self.name)),
        };
        expect("where nothing is accessed", check(cells.len()), |answer| answer.status == 0);
        for (nth, (_, cell)) in cells.iter().enumerate() {
            expect(&cell.name, check(nth), is_race);
        }
        Ok(problems)
    }
}

/// Whether a data race is found, and nothing else, unless it is a pointer of which some bytes were written that was followed then.
fn is_race(answer: &Answer) -> bool {
    let mut failures = answer.findings().iter().flat_map(|finding| &finding.failures);
    let is_race = |message: &str| message.starts_with("data race");
    failures.clone().any(|failure| is_race(&failure.message))
        && failures.all(|failure| is_race(&failure.message) || failure.message.starts_with("crash: segmentation fault"))
}
