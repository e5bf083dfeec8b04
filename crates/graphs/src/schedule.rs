//! Graphs as text: `mzg1:MODEL:` and the steps of their task, for reports and for running them again.
//!
//! A step is the path of its thread, then `r` and the number of the step that is read (`i` for the initial write), `w` and the
//! rank in coherence order among the writes so far, or `o` and the alternative; `!` and the alternative of an update follow
//! where it is not the first. Steps are separated by commas.

use crate::graph::{EventId, Graph, Label, NONE};
use crate::models::ModelInfo;
use crate::task::{Step, StepKind, Task};
use model::{Names, ThreadId};
use std::fmt::Write;

/// How such a text begins.
pub(crate) const PREFIX: &str = "mzg1:";

/// What tells one execution from all others of its program.
pub fn schedule(g: &Graph, model: &ModelInfo, names: &dyn Names) -> String {
    let is_ghost = |e: EventId| g.event(e).label == Label::Ghost;
    let mut task = Task::default();
    let steps: Vec<Step> = Step::of_graph(g).collect();
    task.describe_kept(g, &steps, &mut Vec::new(), |e| !is_ghost(e));
    text_of(&task, model, names)
}

/// The same of a beginning of executions.
pub(crate) fn text_of(task: &Task, model: &ModelInfo, names: &dyn Names) -> String {
    let mut text = format!("{PREFIX}{}:", model.name);
    for (number, step) in task.steps.iter().enumerate() {
        let _ = write!(text, "{}{}", if number == 0 { "" } else { "," }, names.path(ThreadId(step.thread)));
        let _ = match (step.kind, step.argument) {
            (StepKind::Read | StepKind::Ghost, NONE) => write!(text, "ri"),
            (StepKind::Read | StepKind::Ghost, source) => write!(text, "r{source}"),
            (StepKind::Write, place) => write!(text, "w{place}"),
            (StepKind::Other, alternative) => write!(text, "o{alternative}"),
        };
        if step.kind == StepKind::Write && step.alternative > 0 {
            let _ = write!(text, "!{}", step.alternative);
        }
    }
    text
}
