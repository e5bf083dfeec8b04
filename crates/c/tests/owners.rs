//! What the program calls runs on the program's stacks, which are dropped without being unwound, and copied back when a run goes
//! back to a state that was kept. A list or a box there would be lost or freed twice, and a table that is borrowed there when
//! the program crashes stays borrowed. So there are none in those files.

use std::fs;
use std::path::{Path, PathBuf};

/// What owns memory, or borrows a table for longer than a statement.
fn is_owner(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or(line);
    let owns =
        ["Vec<", "Vec::", "vec!", ".collect(", ".collect:", "Box::", "Rc::"].iter().any(|owner| code.contains(owner));
    let borrows = code.trim_start().starts_with("let ")
        && (code.trim_end().ends_with(".borrow();") || code.trim_end().ends_with(".borrow_mut();"));
    // To what it is passed need not return.
    let is_passed = code.contains("(&format!") || code.contains("(&known::");
    owns || borrows || is_passed
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn nothing_that_runs_on_the_programs_stacks_owns_memory() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/calls"), &mut files);
    assert!(files.len() > 15);
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or(&text);
        for (line, number) in code.lines().zip(1..) {
            assert!(!is_owner(line), "{}:{number}: {line}", path.display());
        }
    }
}

#[test]
fn owners_are_recognised() {
    assert!(is_owner("    let all: Vec<u8> = some.collect();"));
    assert!(is_owner("    let mut keys = context.keys.borrow_mut();"));
    assert!(!is_owner("    let last = context.keys.borrow_mut().pop();"));
    assert!(is_owner("        context.refuse(&format!(\"{what}\"), site);"));
    assert!(!is_owner("    // A Vec<u8> would be lost."));
}
