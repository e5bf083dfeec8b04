//! `mazurka replay` of a counterexample in Promela.

use crate::output::print;
use crate::problem::{Problem, Status};
use std::path::Path;

/// Whether a program is a model in Promela.
pub(crate) fn is_model(program: &[String]) -> bool {
    let is_pml = |path: &String| Path::new(path).extension().is_some_and(|end| end == "pml" || end == "prom");
    program.len() == 1 && program.iter().all(is_pml)
}

/// Takes the steps of a schedule, and shows them.
pub(crate) fn replay(program: &[String], defines: &[String], schedule: &str) -> Result<Status, Problem> {
    let model = super::read(Path::new(&program[0]), defines)?;
    let (finding, is_wrong) = promela::replay(&model, schedule).map_err(Problem::input)?;
    print(&super::lanes(&model, &finding))?;
    if is_wrong {
        print(&format!("      ✗ {}\n", finding.wrong.text()))?;
        return Ok(Status::Found);
    }
    print("      nothing is wrong at the end of the schedule\n")?;
    Ok(Status::Proved)
}
