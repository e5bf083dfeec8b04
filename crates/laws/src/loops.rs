//! The laws on loops: rounds without an effect are no part of a class, and nothing that can happen is lost by leaving them
//! out (docs/algorithms/loops.md).
//!
//! The oracle knows nothing of rounds. It runs the program from every state that it can be in, and keeps each once: the
//! words of all objects and the local states of all threads. What can happen at last is what no way leads back from.

use crate::{Checked, Violation, blocked_too_often, violation};
use explore::{ALGORITHMS, AlgorithmInfo, Equivalence, Error, Limit, LoopRules, Settings};
use model::{Choice, Fingerprint, ObjectId, Program, Run, Site, State, ThreadId};
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use trace::{Ending, Execution, Sink, Trace};

use crate::classes::Classes;

/// More states than this are too many.
const MOST_STATES: usize = 1500;

/// What can be seen of a state from outside: the words of all objects, and where each thread is.
type View = (Vec<State>, Vec<Option<Site>>);

/// What a thread said when it failed.
type Failures = BTreeSet<(ThreadId, String)>;

/// All that can happen at last.
#[derive(Default)]
struct Possible {
    /// The words when all threads have ended.
    finals: BTreeSet<Vec<State>>,
    failures: Failures,
    /// Where threads stay for ever: what can be seen of the states of each way to do so.
    stuck: Vec<BTreeSet<View>>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Standing {
    /// What no word of an object shows, such as the cells that a mutex guards.
    whole: Option<u128>,
    words: Vec<State>,
    threads: Vec<Option<Fingerprint>>,
    failed: BTreeSet<ThreadId>,
}

struct Node {
    path: Vec<Choice>,
    view: View,
    next: Vec<usize>,
    has_failed: bool,
}

/// Runs the program from every state; `None` if there are too many.
fn possible(program: &dyn Program, objects: usize) -> Option<Possible> {
    let mut run = program.start();
    let mut found = Possible::default();
    let mut numbers: HashMap<Standing, usize> = HashMap::new();
    let mut nodes: Vec<Node> = Vec::new();
    let mut at = 0;
    numbers.insert(standing(&*run, objects, &[]), 0);
    nodes.push(Node { path: Vec::new(), view: view(&*run, objects), next: Vec::new(), has_failed: false });
    while at < nodes.len() {
        if nodes.len() > MOST_STATES {
            return None;
        }
        let path = nodes[at].path.clone();
        let mut failed = go(&mut *run, &path);
        let choices: Vec<Choice> = choices(&*run).collect();
        for choice in choices {
            failed = go(&mut *run, &path);
            let stepped = run.step(choice)?;
            if let Some(failure) = &stepped.failure {
                found.failures.insert((choice.thread, failure.message.clone()));
                failed.push(choice.thread);
            }
            let next_number = nodes.len();
            let number = *numbers.entry(standing(&*run, objects, &failed)).or_insert(next_number);
            if number == next_number {
                let path = [path.as_slice(), &[choice]].concat();
                let has_failed = !failed.is_empty();
                nodes.push(Node { path, view: view(&*run, objects), next: Vec::new(), has_failed });
            }
            nodes[at].next.push(number);
        }
        let _ = &failed;
        at += 1;
    }
    for component in last_components(&nodes) {
        let first = &nodes[component[0]];
        if component.iter().any(|&node| nodes[node].has_failed) {
            continue;
        }
        if first.view.1.iter().all(Option::is_none) {
            found.finals.insert(first.view.0.clone());
        } else {
            found.stuck.push(component.iter().map(|&node| nodes[node].view.clone()).collect());
        }
    }
    Some(found)
}

/// Takes the steps of a path. Says who failed.
fn go(run: &mut dyn Run, path: &[Choice]) -> Vec<ThreadId> {
    run.restart();
    let mut failed = Vec::new();
    for &choice in path {
        if run.step(choice).is_some_and(|stepped| stepped.failure.is_some()) {
            failed.push(choice.thread);
        }
    }
    failed
}

fn choices(run: &dyn Run) -> impl Iterator<Item = Choice> + '_ {
    let threads = (0..run.threads() as u32).map(ThreadId);
    let pending = threads.filter_map(|thread| run.pending(thread)).filter(|pending| pending.enabled);
    pending.flat_map(|p| (0..p.alternatives).map(move |alternative| Choice { thread: p.thread, alternative }))
}

fn words(run: &dyn Run, objects: usize) -> Vec<State> {
    (0..objects as u32).map(|object| run.word(ObjectId(object))).collect()
}

fn standing(run: &dyn Run, objects: usize, failed: &[ThreadId]) -> Standing {
    let threads = (0..run.threads() as u32).map(ThreadId);
    Standing {
        whole: run.whole_state(),
        words: words(run, objects),
        threads: without_end(threads.map(|thread| run.local_state(thread)).collect()),
        failed: failed.iter().copied().collect(),
    }
}

fn view(run: &dyn Run, objects: usize) -> View {
    let threads = (0..run.threads() as u32).map(ThreadId);
    let sites = threads.map(|thread| run.pending(thread).map(|pending| pending.op.site));
    (words(run, objects), without_end(sites.collect()))
}

/// How many threads a run may have depends on the runs before.
fn without_end<T>(mut threads: Vec<Option<T>>) -> Vec<Option<T>> {
    while threads.pop_if(|thread| thread.is_none()).is_some() {}
    threads
}

/// The sets of states that lead to each other and nowhere else.
fn last_components(nodes: &[Node]) -> Vec<Vec<usize>> {
    let reach: Vec<Vec<bool>> = (0..nodes.len()).map(|node| reachable(nodes, node)).collect();
    let mut found: Vec<Vec<usize>> = Vec::new();
    for (node, reached) in reach.iter().enumerate() {
        let all: Vec<usize> = (0..nodes.len()).filter(|&other| reached[other]).collect();
        let is_last = all.iter().all(|&other| reach[other][node]);
        if is_last && all[0] == node {
            found.push(all);
        }
    }
    found
}

fn reachable(nodes: &[Node], from: usize) -> Vec<bool> {
    let mut seen = vec![false; nodes.len()];
    let mut left = vec![from];
    while let Some(node) = left.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            left.extend(&nodes[node].next);
        }
    }
    seen
}

/// What a search said that can happen at last, and the classes that it reached.
struct Told {
    initial: Vec<State>,
    finals: BTreeSet<Vec<State>>,
    failures: Failures,
    stuck: BTreeSet<View>,
    classes: Classes,
}

impl Told {
    fn new(program: &dyn Program, objects: usize) -> Self {
        let run = program.start();
        Told {
            initial: words(&*run, objects),
            finals: BTreeSet::new(),
            failures: Failures::new(),
            stuck: BTreeSet::new(),
            classes: Classes::new(Equivalence::Traces),
        }
    }

    fn words_after(&self, trace: &Trace) -> Vec<State> {
        let mut words = self.initial.clone();
        for event in trace.events().iter().filter(|event| event.op.object != ObjectId::NONE) {
            words[event.op.object.index()] = event.after;
        }
        words
    }
}

impl Sink for Told {
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        match execution.ending {
            Ending::Completed => {
                self.finals.insert(self.words_after(execution.trace));
            }
            Ending::Failed => {
                let failures = execution.failures.iter();
                self.failures.extend(failures.map(|(thread, failure)| (*thread, failure.message.clone())));
            }
            Ending::Deadlocked => {
                let last = execution.waiting.iter().map(|pending| pending.thread.index() + 1).max();
                let mut sites = vec![None; last.unwrap_or(0)];
                for pending in execution.waiting {
                    sites[pending.thread.index()] = Some(pending.op.site);
                }
                self.stuck.insert((self.words_after(execution.trace), sites));
            }
            _ => {}
        }
        self.classes.execution(execution)
    }

    fn anew(&mut self) {
        self.finals.clear();
        self.failures.clear();
        self.stuck.clear();
        self.classes = Classes::new(Equivalence::Traces);
    }
}

/// Tries the laws on a program with loops and so many objects: with each algorithm that explores everything, by these
/// rules. The oracle `naive` may run so many interleavings. `shows` says that some loop may show others the middle of its
/// round: then not every livelock need be found.
pub fn check_loops(
    program: &dyn Program,
    objects: usize,
    rules: LoopRules,
    interleavings: u64,
    shows: bool,
) -> Result<Checked, Box<Violation>> {
    let Some(possible) = possible(program, objects) else { return Ok(Checked::TooLarge) };
    let mut settings = Settings { keep_going: true, loops: rules, ..Settings::default() };
    settings.limits.executions = Some(interleavings);
    settings.limits.steps = 2000;
    let naive = explore::algorithm("naive").expect("it is one of them");
    let Some((oracle, report)) = run(program, objects, naive, &settings)? else { return Ok(Checked::TooLarge) };
    compare(naive, &settings, &possible, &oracle, shows)?;
    let known = Settings { known: report.known, ..settings.clone() };
    let others =
        ALGORITHMS.iter().filter(|info| info.guarantee.is_exhaustive() && info.equivalence == Equivalence::Traces);
    for info in others.filter(|info| info.name != naive.name) {
        if (info.make)().loop_rules(&known) != known.loops {
            let Some((told, _)) = run(program, objects, info, &settings)? else { continue };
            compare(info, &settings, &possible, &told, shows)?;
            continue;
        }
        let Some((told, report)) = run(program, objects, info, &known)? else {
            return Err(violation(info, &known, "takes more executions than there are interleavings".to_owned()));
        };
        let difference = oracle.classes.difference(&told.classes, program.names());
        if difference.is_some() && report.known != known.known {
            // It has fewer executions, so that to begin anew was worth it, and what it learnt makes its classes others.
            compare(info, &known, &possible, &told, shows)?;
            continue;
        }
        if let Some(difference) = difference {
            return Err(violation(info, &known, format!("with what naive learnt: {difference}")));
        }
        if told.classes.repeated() > 0 {
            return Err(violation(info, &known, format!("{} classes twice", told.classes.repeated())));
        }
        if let Some(problem) = blocked_too_often(info, &report, &oracle.classes) {
            return Err(violation(info, &known, problem));
        }
        // And by what it learns itself.
        let Some((told, _)) = run(program, objects, info, &settings)? else {
            return Err(violation(info, &settings, "takes more executions than there are interleavings".to_owned()));
        };
        compare(info, &settings, &possible, &told, shows)?;
    }
    for info in
        ALGORITHMS.iter().filter(|info| info.guarantee.is_exhaustive() && info.equivalence != Equivalence::Traces)
    {
        let Some((told, _)) = run(program, objects, info, &settings)? else { continue };
        compare_locally(info, &settings, &possible, &told, shows)?;
    }
    Ok(Checked::Holds { classes: oracle.classes.len() })
}

/// What an algorithm says; nothing when it takes too many executions.
fn run(
    program: &dyn Program,
    objects: usize,
    info: &AlgorithmInfo,
    settings: &Settings,
) -> Result<Option<(Told, explore::Report)>, Box<Violation>> {
    let mut told = Told::new(program, objects);
    match explore::check_with(program, &mut *(info.make)(), settings, &mut told) {
        Ok(report) if matches!(report.limit, Some(Limit::Executions(_))) => Ok(None),
        // Where a round writes what nobody reads, that is no part of its classes, nor is what closes then: it runs every round.
        Ok(report) if info.equivalence != Equivalence::Traces && matches!(report.limit, Some(Limit::Steps(_))) => {
            Ok(None)
        }
        Ok(report) if !report.exhaustive => Err(violation(info, settings, format!("did not end: {:?}", report.limit))),
        Ok(report) => Ok(Some((told, report))),
        Err(Error::Unsupported { .. }) => Ok(None),
        Err(error) => Err(violation(info, settings, error.to_string())),
    }
}

fn compare(
    info: &AlgorithmInfo,
    settings: &Settings,
    possible: &Possible,
    told: &Told,
    shows: bool,
) -> Result<(), Box<Violation>> {
    let wrong = |problem: String| Err(violation(info, settings, problem));
    if told.finals != possible.finals {
        let (have, want) = (&told.finals, &possible.finals);
        return wrong(format!("ends with the words {have:?}, not {want:?}"));
    }
    if told.failures != possible.failures {
        return wrong(format!("finds the failures {:?}, not {:?}", told.failures, possible.failures));
    }
    if let Some(stuck) = told.stuck.iter().find(|stuck| !possible.stuck.iter().any(|set| set.contains(*stuck))) {
        return wrong(format!("says that threads are stuck where they are not: {stuck:?}"));
    }
    let is_told = |set: &&BTreeSet<View>| set.iter().any(|view| told.stuck.contains(view));
    if let Some(missed) = possible.stuck.iter().find(|set| !is_told(set))
        && !shows
    {
        return wrong(format!("does not say that threads are stuck: {:?}", missed.first()));
    }
    Ok(())
}

/// The same for an algorithm whose classes leave open in which order nobody looks: which words are there at last is not
/// given by the class, but what threads find, and where they are, is.
fn compare_locally(
    info: &AlgorithmInfo,
    settings: &Settings,
    possible: &Possible,
    told: &Told,
    shows: bool,
) -> Result<(), Box<Violation>> {
    let wrong = |problem: String| Err(violation(info, settings, problem));
    if told.failures != possible.failures {
        return wrong(format!("finds the failures {:?}, not {:?}", told.failures, possible.failures));
    }
    if told.finals.is_empty() != possible.finals.is_empty() {
        return wrong("does not know whether all threads can end".to_owned());
    }
    let is_at = |set: &BTreeSet<View>, sites: &Vec<Option<Site>>| set.iter().any(|view| view.1 == *sites);
    if let Some(stuck) = told.stuck.iter().find(|stuck| !possible.stuck.iter().any(|set| is_at(set, &stuck.1))) {
        return wrong(format!("says that threads are stuck where they are not: {stuck:?}"));
    }
    let is_told = |set: &&BTreeSet<View>| told.stuck.iter().any(|view| is_at(set, &view.1));
    match possible.stuck.iter().find(|set| !is_told(set)) {
        Some(missed) if !shows => wrong(format!("does not say that threads are stuck: {:?}", missed.first())),
        _ => Ok(()),
    }
}
