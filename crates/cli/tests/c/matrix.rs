//! The matrix of accesses: every type, every way to access it, every place where it can be, by every compiler. One thread does the
//! access, another one writes all bytes of the object, each by a store of its own, and nothing orders them: the data race must be
//! found, or the compiler announces the access in a way that the front end does not understand.
//!
//! An ordinary test tries a sample. `MAZURKA_MATRIX=all cargo test -p mazurka-cli --test c matrix -- --nocapture` tries all, and
//! `MAZURKA_MATRIX=3/50` the third of fifty parts of it.

mod cells;
mod compilers;
mod types;
mod ways;

use crate::parallel;
use cells::{Cell, cells};
use compilers::Compiler;

/// Cells of one source. To compile a cell takes as long as to check it, so that more would gain little.
const CELLS_IN_A_FILE: usize = 250;

/// How many cells of each compiler an ordinary test tries.
const SAMPLE: usize = 120;

/// Which cells are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slice {
    /// Some of every compiler.
    Sample,
    /// The `part`-th, counted from 1, of so many parts of the files.
    Part { part: usize, of: usize },
}

impl Slice {
    fn parse(text: &str) -> Option<Self> {
        if text == "all" {
            return Some(Slice::Part { part: 1, of: 1 });
        }
        let (part, of) = text.split_once('/')?;
        let (part, of) = (part.parse().ok()?, of.parse().ok()?);
        (1..=of).contains(&part).then_some(Slice::Part { part, of })
    }

    fn chosen() -> Self {
        match std::env::var("MAZURKA_MATRIX") {
            Ok(text) => {
                Slice::parse(&text).unwrap_or_else(|| panic!("MAZURKA_MATRIX is neither 'all' nor '3/50': {text}"))
            }
            Err(_) => Slice::Sample,
        }
    }

    /// The cells of a compiler that are tried, by files.
    fn files(self, cells: &[Cell]) -> Vec<Vec<(usize, &Cell)>> {
        let files = |step: usize| {
            let chosen: Vec<(usize, &Cell)> = cells.iter().enumerate().step_by(step).collect();
            chosen.chunks(CELLS_IN_A_FILE).map(<[_]>::to_vec).collect::<Vec<_>>()
        };
        match self {
            // A number that is prime to all periods of the matrix meets all of its rows and columns.
            Slice::Sample => files((cells.len() / SAMPLE) | 1),
            Slice::Part { part, of } => files(1).into_iter().skip(part - 1).step_by(of).collect(),
        }
    }
}

#[test]
fn slices_together_are_the_whole_matrix() {
    assert_eq!(Slice::parse("3/50"), Some(Slice::Part { part: 3, of: 50 }));
    assert_eq!(["0/5", "6/5", "some", "1/"].map(Slice::parse), [None; 4]);
    let cell = |nth: usize| Cell { name: nth.to_string(), text: String::new() };
    let cells: Vec<Cell> = (0..7 * CELLS_IN_A_FILE + 3).map(cell).collect();
    let slices = (1..=3).flat_map(|part| Slice::Part { part, of: 3 }.files(&cells));
    let mut numbers: Vec<usize> = slices.flatten().map(|(number, _)| number).collect();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(0..cells.len()));
}

#[test]
fn every_access_is_seen() {
    let slice = Slice::chosen();
    let folder = std::env::temp_dir().join(format!("mazurka-matrix-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let compilers = Compiler::installed();
    let all: Vec<(&Compiler, Vec<Cell>)> = compilers.iter().map(|compiler| (compiler, cells(compiler))).collect();
    let mut batches: Vec<(&Compiler, Vec<(usize, &Cell)>)> = Vec::new();
    for (compiler, cells) in &all {
        batches.extend(slice.files(cells).into_iter().map(|file| (*compiler, file)));
    }
    let count: usize = batches.iter().map(|(_, cells)| cells.len()).sum();
    println!("{count} cells of {}", all.iter().map(|(_, cells)| cells.len()).sum::<usize>());
    let problems = std::sync::Mutex::new(Vec::new());
    parallel::all(&batches, |(compiler, cells)| {
        problems.lock().expect("nobody panics with it").extend(compiler.try_cells(&folder, cells));
        Ok(())
    });
    // What cannot be removed is left behind in a folder for such files.
    let _ = std::fs::remove_dir_all(&folder);
    let problems = problems.into_inner().expect("nobody panics with it");
    assert!(problems.is_empty(), "{} of {count} cells went wrong:\n{}", problems.len(), problems.join("\n"));
}
