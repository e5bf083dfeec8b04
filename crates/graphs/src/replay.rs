//! One execution again, from its graph or from the text of its schedule.

use crate::access::Access;
use crate::findings::Finding;
use crate::graph::{Graph, NONE};
use crate::graphs::Graphs;
use crate::loops::{Loops, is_idle};
use crate::models::{ModelInfo, model};
use crate::run::{Error, Run};
use crate::schedule::PREFIX;
use crate::task::{Step, StepKind, Task};
use crate::why::Why;
use model::{Program, ThreadId};
use std::fmt;
use trace::Ending;

/// A thread that takes more steps without an effect is taken for one that goes round.
const MOST_STEPS_OF_ROUNDS: usize = 1 << 10;

/// A schedule that cannot be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// It is not what [`schedule`](crate::schedule) writes; here is what is wrong.
    Malformed(String),
    /// The program cannot do this.
    Not(Error),
    /// It ends before the execution: this thread, by its path, could go on.
    Short(String),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Malformed(what) => write!(f, "this is no schedule of an execution graph: {what}"),
            ReplayError::Not(error) => error.fmt(f),
            ReplayError::Short(thread) => {
                write!(
                    f,
                    "the schedule ends before the execution does, for thread {thread} could go on: give all of it"
                )
            }
        }
    }
}

impl std::error::Error for ReplayError {}

/// Whether a text is meant to be the schedule of an execution graph.
pub fn is_graph(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// Executes a graph again, for what a front end keeps of its last run.
pub fn execute(program: &dyn Program, model: &'static ModelInfo, graph: &Graph) -> Result<(), Error> {
    let threads = program.threads().ok_or(Error::NoThreads)?;
    let mut task = Task::default();
    task.describe(graph);
    Run::new(threads, program.names(), model).load(&task)
}

/// The model of a schedule.
pub fn model_of(text: &str) -> Result<&'static ModelInfo, ReplayError> {
    Ok(parse(text).map_err(ReplayError::Malformed)?.0)
}

/// Runs the execution of a schedule, and says what came of it, however it ends.
pub fn replay(program: &dyn Program, text: &str) -> Result<Finding, ReplayError> {
    let (info, steps) = parse(text).map_err(ReplayError::Malformed)?;
    let threads = program.threads().ok_or(ReplayError::Not(Error::NoThreads))?;
    let mut graphs = Graphs::new(threads, program.names(), info, usize::MAX);
    let ending = run(&mut graphs, &steps)?;
    let Run { g, failures, races, .. } = &graphs.run;
    Ok(Finding {
        ending,
        graph: g.clone(),
        failures: failures.clone(),
        waiting: graphs.waiting.clone(),
        races: races.clone(),
        why: Why::of(g, info, races),
    })
}

fn run(graphs: &mut Graphs<'_>, steps: &[NamedStep]) -> Result<Ending, ReplayError> {
    follow(&mut graphs.run, steps).map_err(ReplayError::Not)?;
    if graphs.run.halted {
        return Ok(Ending::Failed);
    }
    if let Some(thread) = left(&mut graphs.run).map_err(ReplayError::Not)? {
        return Err(ReplayError::Short(graphs.run.names.path(thread).to_string()));
    }
    // To see that took steps, which are no part of the schedule.
    graphs.run.loops = Loops::default();
    follow(&mut graphs.run, steps).map_err(ReplayError::Not)?;
    graphs.ending().map_err(ReplayError::Not)
}

/// A thread that could go on.
fn left(run: &mut Run<'_>) -> Result<Option<ThreadId>, Error> {
    for thread in (0..run.thread_count() as u32).map(ThreadId) {
        if comes_on(run, thread)? {
            return Ok(Some(thread));
        }
    }
    Ok(None)
}

/// Whether a thread that reads what there is now comes to its end, to an effect, or to where it waits, and not only round
/// to where it is. It takes its steps until that is known.
fn comes_on(run: &mut Run<'_>, thread: ThreadId) -> Result<bool, Error> {
    for steps in 0..MOST_STEPS_OF_ROUNDS {
        run.look_at_requests()?;
        let Some(asked) = run.asked(thread).copied() else {
            return Ok(steps > 0 && !run.loops.goes_round(thread));
        };
        let last = run.g.last_or_none(asked.op.object);
        let word = run.g.word(asked.op.object, last);
        if run.cause(thread, &asked).is_none() || !asked.passes(word) {
            return Ok(steps > 0 && !asked.futile.contains(word));
        }
        let (kind, argument) = match asked.access {
            Access::Read | Access::Update => (StepKind::Read, last),
            Access::Fence => (StepKind::Other, 0),
            _ => return Ok(true),
        };
        let step = |run: &Run<'_>, kind, argument| Step {
            thread: thread.0,
            stamp: run.g.next_stamp(),
            argument,
            kind,
            maximal: true,
            alternative: 0,
        };
        let mut is_done = run.replay(&step(run, kind, argument))?.is_some();
        if run.updating.is_some() {
            let place = run.g.co(asked.op.object).len() as u32;
            is_done &= run.replay(&step(run, StepKind::Write, place))?.is_some();
        }
        let is_idle = run.g.of_thread(thread).last().is_some_and(|&e| is_idle(&run.g, e));
        if !is_done || run.halted || !is_idle {
            return Ok(true);
        }
    }
    Ok(false)
}

fn follow(run: &mut Run<'_>, steps: &[NamedStep]) -> Result<(), Error> {
    run.begin();
    for (number, (path, step)) in steps.iter().enumerate() {
        let is_it = |&thread: &u32| run.names.path(ThreadId(thread)).to_string() == *path;
        let thread = (0..run.thread_count() as u32).find(is_it);
        let done = match thread {
            Some(thread) => run.replay(&Step { thread, ..*step })?,
            None => None,
        };
        if done.is_none() {
            return Err(Error::Diverged { step: number + 1 });
        }
        if run.halted {
            break;
        }
    }
    run.settle(0);
    Ok(())
}

/// A step, and the path of its thread.
type NamedStep = (String, Step);

/// The model, and the steps.
fn parse(text: &str) -> Result<(&'static ModelInfo, Vec<NamedStep>), String> {
    let rest = text.trim().strip_prefix(PREFIX).ok_or_else(|| format!("it does not begin with {PREFIX}"))?;
    let (name, steps) = rest.split_once(':').ok_or("it names no memory model")?;
    let info = model(name).ok_or_else(|| format!("there is no memory model '{name}'"))?;
    let numbered = steps.split(',').filter(|step| !step.is_empty()).zip(0..);
    let steps = numbered.map(|(step, stamp)| parse_step(step, stamp).ok_or_else(|| format!("'{step}' is no step")));
    Ok((info, steps.collect::<Result<_, _>>()?))
}

fn parse_step(text: &str, stamp: u32) -> Option<(String, Step)> {
    let at = text.find(['r', 'w', 'o'])?;
    let (path, what) = text.split_at(at);
    let (letter, rest) = what.split_at(1);
    let (argument, alternative) = rest.split_once('!').unwrap_or((rest, "0"));
    let (kind, argument) = match (letter, argument) {
        ("r", "i") => (StepKind::Read, NONE),
        ("r", number) => (StepKind::Read, number.parse().ok()?),
        ("w", number) => (StepKind::Write, number.parse().ok()?),
        (_, number) => (StepKind::Other, number.parse().ok()?),
    };
    let alternative = alternative.parse().ok()?;
    Some((path.to_owned(), Step { thread: 0, stamp, argument, kind, maximal: true, alternative }))
}
