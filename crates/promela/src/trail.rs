//! A counterexample, step by step: who did what at which line, and what changed by it.

use crate::code::{Base, HEAD, Op, State, Transition, Variable};
use crate::machine::{Machine, Shape, Step};
use crate::model::Model;
use crate::outcome::{Finding, Outcome, TrailStep};
use crate::text::Pos;
use std::fmt;

/// A run that shows what is wrong.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// Names of the processes that took part, by their pids.
    pub processes: Vec<String>,
    /// What they did.
    pub rows: Vec<Row>,
    /// The row from which on everything repeats.
    pub cycle: Option<usize>,
    /// Where the processes are that are there at the end.
    pub left: Vec<Left>,
}

/// Where a process is.
#[derive(Clone, Debug)]
pub struct Left {
    /// The pid.
    pub process: usize,
    /// `file:line`.
    pub line: String,
    /// The text of the line.
    pub text: String,
}

/// A step of one process; a rendezvous is two rows.
#[derive(Clone, Debug)]
pub struct Row {
    /// The pid; none where the model cannot go on and only the claim moves.
    pub process: Option<usize>,
    /// `file:line`.
    pub line: String,
    /// The text of the line.
    pub text: String,
    /// Variables that the step changed.
    pub changes: Vec<Change>,
    /// What it printed.
    pub printed: Option<String>,
}

/// A variable, or an element of one, that a step changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Its name.
    pub variable: String,
    /// Whether it is the process' own.
    pub is_own: bool,
    /// Its value before the step.
    pub before: i32,
    /// Its value after it.
    pub after: i32,
    /// How the new value is written in the model.
    pub value: String,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.variable, self.value)
    }
}

/// A control state that no process came to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Unreached {
    /// Of which proctype.
    pub proctype: String,
    /// `file:line`.
    pub line: String,
    /// The text of the line.
    pub text: String,
}

/// Runs the steps of a finding again and says what each did.
pub fn trail(model: &Model, finding: &Finding) -> Trail {
    let machine = Machine::new(model);
    let mut trail = Trail { processes: Vec::new(), rows: Vec::new(), cycle: None, left: Vec::new() };
    let Ok(mut state) = machine.initial() else { return trail };
    let mut shape = Shape::default();
    for (number, step) in finding.steps.iter().enumerate() {
        if finding.cycle == Some(number) {
            trail.cycle = Some(trail.rows.len());
        }
        machine.shape(&state, &mut shape);
        trail.meet(model, &state, &shape);
        let TrailStep::Step { step, timeout } = *step else {
            let text = "(the model cannot go on)".to_owned();
            trail.rows.push(Row { process: None, line: String::new(), text, changes: Vec::new(), printed: None });
            continue;
        };
        let before = (state.clone(), shape.clone());
        // The last step may be one that fails: what it changed until then is shown.
        let _ = machine.take(&mut state, &mut shape, step, timeout);
        trail.show(&machine, &before, &state, step, timeout);
    }
    if finding.cycle == Some(finding.steps.len()) {
        trail.cycle = Some(trail.rows.len());
    }
    machine.shape(&state, &mut shape);
    trail.meet(model, &state, &shape);
    for process in 0..shape.processes.len() {
        if let Some(next) = machine.transitions(&state, &shape, process as u8).first() {
            let (line, text) = place(model, next.pos, &next.op);
            trail.left.push(Left { process, line, text });
        }
    }
    trail
}

impl Trail {
    /// Names the processes that are there.
    fn meet(&mut self, model: &Model, state: &[u8], shape: &Shape) {
        for frame in shape.processes.iter().skip(self.processes.len()) {
            let name = model.proctypes[usize::from(state[*frame as usize])].shown_name();
            self.processes.push(format!("{name}:{}", self.processes.len()));
        }
    }

    pub(crate) fn show(
        &mut self,
        machine: &Machine<'_>,
        before: &(Vec<u8>, Shape),
        after: &[u8],
        step: Step,
        timeout: bool,
    ) {
        let model = machine.model;
        let (old, shape) = before;
        let mut changes = changed(model, &model.variables, old, after, 0);
        let sides = [Some((step.process, step.transition)), step.partner];
        for (process, transition) in sides.into_iter().flatten() {
            let frame = shape.processes[usize::from(process)];
            let made = &machine.transitions(old, shape, process)[usize::from(transition)];
            let proctype = &model.proctypes[usize::from(old[frame as usize])];
            let is_there = (frame + HEAD + proctype.frame) as usize <= after.len();
            let mut own = std::mem::take(&mut changes);
            if is_there && !matches!(made.op, Op::End) {
                own.extend(changed(model, &proctype.variables, old, after, frame));
            }
            let view = machine.view(old, shape, process, timeout);
            let printed = match &made.op {
                Op::Print(format, arguments) => {
                    let values = arguments.iter().map(|argument| view.eval(argument).unwrap_or(0));
                    Some(formatted(model, format, values))
                }
                _ => None,
            };
            let (line, text) = place(model, made.pos, &made.op);
            self.rows.push(Row { process: Some(usize::from(process)), line, text, changes: own, printed });
        }
    }
}

fn place(model: &Model, pos: Pos, op: &Op) -> (String, String) {
    let text = match op {
        Op::End => "-end-".to_owned(),
        _ => model.files.text_of(pos).to_owned(),
    };
    (model.files.line(pos), text)
}

/// Scalars and elements that have other values now.
fn changed(model: &Model, variables: &[Variable], old: &[u8], new: &[u8], frame: u32) -> Vec<Change> {
    let mut found = Vec::new();
    for variable in variables {
        for element in 0..variable.length.unwrap_or(1) {
            let base = if variable.place.base == Base::Own { frame } else { 0 };
            let at = (base + variable.place.offset + element * variable.stride) as usize;
            let width = variable.place.width;
            if at + width.size() as usize > new.len() || variable.stride != width.size() {
                continue;
            }
            let (was, is) = (width.load(old, at), width.load(new, at));
            if was != is {
                let index = variable.length.map_or(String::new(), |_| format!("[{element}]"));
                let value = if variable.is_mtype { message_name(model, is) } else { is.to_string() };
                let is_own = variable.place.base == Base::Own;
                let variable = format!("{}{index}", variable.name);
                found.push(Change { variable, is_own, before: was, after: is, value });
            }
        }
    }
    found
}

fn message_name(model: &Model, value: i32) -> String {
    let known = model.mtypes.iter().find(|(_, number)| *number == value);
    known.map_or(value.to_string(), |(name, _)| name.to_string())
}

/// What a `printf` prints.
fn formatted(model: &Model, format: &str, mut values: impl Iterator<Item = i32>) -> String {
    let mut text = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        match c {
            '%' => match chars.next() {
                Some('d' | 'u') => text.push_str(&values.next().unwrap_or(0).to_string()),
                Some('e') => text.push_str(&message_name(model, values.next().unwrap_or(0))),
                Some('c') => text.push(values.next().unwrap_or(0) as u8 as char),
                Some('o') => text.push_str(&format!("{:o}", values.next().unwrap_or(0))),
                Some('x') => text.push_str(&format!("{:x}", values.next().unwrap_or(0))),
                Some(other) => text.push(other),
                None => {}
            },
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(other) => text.push(other),
                None => {}
            },
            other => text.push(other),
        }
    }
    text.trim_end_matches('\n').to_owned()
}

/// Control states that no process came to, as SPIN lists them.
pub fn unreached(model: &Model, outcome: &Outcome) -> Vec<Unreached> {
    let mut found = Vec::new();
    for (proctype, reached) in model.proctypes.iter().zip(&outcome.reached) {
        let inner: Vec<usize> = inner_states(proctype);
        let name = proctype.shown_name();
        for (number, state) in proctype.states.iter().enumerate() {
            // What an `unless` adds to a statement is listed where it is written.
            let Some(transition) = state.transitions.iter().find(|made| made.escape == 0) else { continue };
            let is_listed = !matches!(transition.op, Op::Skip | Op::End);
            // Nobody stands where the escape of an `unless` begins: it was begun if somebody came further.
            let is_begun = || {
                let is_escape = |made: &Transition| made.escape != 0 && made.pos == transition.pos;
                let mut ways =
                    proctype.states.iter().flat_map(|state| &state.transitions).filter(|made| is_escape(made));
                ways.any(|made| reached.get(made.to as usize).is_some_and(|reached| *reached))
            };
            if !reached[number] && !is_begun() && !inner.contains(&number) && is_listed {
                let (line, text) = place(model, transition.pos, &transition.op);
                found.push(Unreached { proctype: name.to_owned(), line, text });
            }
        }
        let is_end = |state: &State| state.transitions.iter().any(|made| matches!(made.op, Op::End));
        let mut ends = proctype.states.iter().zip(reached).filter(|(state, _)| is_end(state));
        // The end of a process that goes round for ever is no state, but SPIN lists it.
        if !ends.any(|(_, reached)| *reached) {
            let (line, text) = place(model, proctype.end, &Op::End);
            found.push(Unreached { proctype: name.to_owned(), line, text });
        }
    }
    found.sort();
    found.dedup();
    found
}

/// States within a `d_step`, where nobody stands.
fn inner_states(proctype: &crate::code::Proctype) -> Vec<usize> {
    let begin = |op: &Op| match op {
        Op::DStep(begin) => Some(*begin as usize),
        _ => None,
    };
    let all = proctype.states.iter().flat_map(|state| &state.transitions);
    let mut found: Vec<usize> = all.filter_map(|made| begin(&made.op)).collect();
    let mut next = 0;
    while next < found.len() {
        for made in &proctype.states[found[next]].transitions {
            if made.to != crate::code::EXIT && !found.contains(&(made.to as usize)) {
                found.push(made.to as usize);
            }
        }
        next += 1;
    }
    found
}
