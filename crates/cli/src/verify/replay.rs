//! `mazurka replay` of a counterexample in Promela.

use super::exhibit::{NOTHING, Shown};
use crate::output::{print, print_json};
use crate::problem::{Problem, Status};
use crate::replay::ReplayArgs;
use std::path::Path;

/// Whether a program is a model in Promela.
pub(crate) fn is_model(program: &[String]) -> bool {
    let is_pml = |path: &String| Path::new(path).extension().is_some_and(|end| end == "pml" || end == "prom");
    program.len() == 1 && program.iter().all(is_pml)
}

/// Takes the steps of a schedule, and shows them.
pub(crate) fn replay(args: &ReplayArgs, defines: &[String], schedule: &str) -> Result<Status, Problem> {
    let path = Path::new(&args.program[0]);
    let model = super::read(path, defines)?;
    let (finding, is_wrong) = promela::replay(&model, schedule).map_err(Problem::input)?;
    let shown = Shown::new(&model, &finding);
    let shown = if is_wrong { shown } else { shown.but_right() };
    let mut pages = args.pages.begin(&format!("{}, replayed", path.display()));
    if pages.are_wanted() {
        pages.exhibit(shown.exhibit(super::replay_command(path, defines, schedule)));
    }
    pages.write()?;
    if args.json {
        print_json(&shown.summary())?;
    } else {
        print(&super::lanes(&model, &finding))?;
        let wrong = format!("✗ {}", finding.wrong.text());
        print(&format!("      {}\n", if is_wrong { &wrong } else { NOTHING }))?;
    }
    Ok(if is_wrong { Status::Found } else { Status::Proved })
}
