//! The law of cutoffs: a plain search of states is the oracle.

use crate::{Checked, Violation};
use explore::{Settings, check_with};
use model::{Choice, Pending, Program, Run, ThreadId};
use std::collections::HashSet;
use std::fmt::Write;
use std::ops::ControlFlow;
use trace::{Ending, EventId, Execution, Sink, Trace};

/// Explores a program, which need not have an end, by `unfolding` with cutoffs. Every state that can be reached must be that of
/// a configuration within an explored one, and there must be a deadlock or a failure where there is one. The oracle may
/// see so many states; as many configurations within an execution are looked at.
pub fn check_cutoffs(program: &dyn Program, most: usize) -> Result<Checked, Box<Violation>> {
    let Some(oracle) = reachable(program, most, true) else { return Ok(Checked::TooLarge) };
    let mut settings = Settings { keep_going: true, ..Settings::default() };
    settings.unfolding.cutoffs = true;
    settings.limits.steps = 1000;
    settings.limits.executions = Some(100 * most as u64);
    let wrong = |problem: String| {
        Err(Box::new(Violation { algorithm: "unfolding with cutoffs", order: settings.order, problem }))
    };
    let mut seen = Seen { program, states: HashSet::new(), most, too_large: false, deadlock: false, failure: false };
    let unfolding = explore::algorithm("unfolding").expect("it is one of them");
    let report = match check_with(program, &mut *(unfolding.make)(), &settings, &mut seen) {
        Ok(report) => report,
        Err(error) => return wrong(error.to_string()),
    };
    if seen.too_large {
        return Ok(Checked::TooLarge);
    }
    if !report.exhaustive {
        return wrong(format!("did not end: {:?}", report.limit));
    }
    if report.tally.sleep_set_blocked > 0 {
        return wrong(format!("blocked {} times", report.tally.sleep_set_blocked));
    }
    let missed = oracle.states.difference(&seen.states).count();
    if missed > 0 {
        return wrong(format!("missed {missed} of {} states", oracle.states.len()));
    }
    if (oracle.deadlock, oracle.failure) != (seen.deadlock, seen.failure) {
        return wrong("a deadlock or a failure was missed, or made up".to_owned());
    }
    Ok(Checked::Holds { classes: oracle.states.len() })
}

/// What a program can reach.
pub(crate) struct Reachable {
    pub(crate) states: HashSet<u128>,
    pub(crate) deadlock: bool,
    pub(crate) failure: bool,
}

/// All states, by a search that remembers them, or all to which no step that fails leads; nothing if there are more than so many.
pub(crate) fn reachable(program: &dyn Program, most: usize, follows_failures: bool) -> Option<Reachable> {
    let mut run = program.start();
    let mut found = Reachable { states: HashSet::from([run.whole_state()?]), deadlock: false, failure: false };
    let mut left: Vec<Vec<Choice>> = vec![Vec::new()];
    while let Some(path) = left.pop() {
        replay(&mut *run, &path);
        let is_cut = run.is_cut();
        let pending: Vec<_> =
            (0..run.threads() as u32).flat_map(|thread| transitions(&*run, ThreadId(thread))).collect();
        let enabled: Vec<_> = pending.iter().filter(|pending| pending.enabled).copied().collect();
        found.deadlock |= enabled.is_empty() && !pending.is_empty() && !is_cut;
        for pending in enabled {
            for alternative in 0..pending.alternatives {
                let choice = pending.choice_of(alternative);
                replay(&mut *run, &path);
                let fails = run.step(choice)?.failure.is_some();
                found.failure |= fails;
                if fails && !follows_failures {
                    continue;
                }
                if found.states.insert(run.whole_state()?) {
                    left.push(path.iter().copied().chain([choice]).collect());
                }
                if found.states.len() > most {
                    return None;
                }
            }
        }
    }
    Some(found)
}

/// All transitions of a thread, enabled or not.
fn transitions(run: &dyn Run, thread: ThreadId) -> Vec<Pending> {
    (0..run.transitions(thread)).filter_map(|number| run.transition(thread, number)).collect()
}

fn replay(run: &mut dyn Run, path: &[Choice]) {
    run.restart();
    for &choice in path {
        run.step(choice);
    }
}

/// The states of all configurations within the executions that it is told of.
struct Seen<'p> {
    program: &'p dyn Program,
    states: HashSet<u128>,
    most: usize,
    too_large: bool,
    deadlock: bool,
    failure: bool,
}

impl Seen<'_> {
    fn look(&mut self, trace: &Trace) -> Option<()> {
        let mut run = self.program.start();
        let mut known: HashSet<Vec<EventId>> = HashSet::from([Vec::new()]);
        let mut left = vec![Vec::new()];
        while let Some(configuration) = left.pop() {
            let path: Vec<Choice> = configuration.iter().map(|&event| trace.event(event).choice).collect();
            replay(&mut *run, &path);
            self.states.insert(run.whole_state()?);
            for event in 0..trace.len() as EventId {
                let is_next = !configuration.contains(&event)
                    && (0..event).all(|e| !trace.happens_before(e, event) || configuration.contains(&e));
                if is_next {
                    let mut larger = configuration.clone();
                    larger.push(event);
                    larger.sort_unstable();
                    if known.insert(larger.clone()) {
                        left.push(larger);
                    }
                }
            }
            if known.len() > self.most {
                return None;
            }
        }
        Some(())
    }
}

impl Sink for Seen<'_> {
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        self.deadlock |= execution.ending == Ending::Deadlocked;
        self.failure |= execution.ending == Ending::Failed;
        if self.look(execution.trace).is_none() {
            self.too_large = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// An arbitrary program with loops, by its seed, in the notation: two or three threads, of which some never end. Its values are
/// few, so that its states mostly are.
pub fn looping(seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut text = "var x, y; mutex m; semaphore s = 1; rwlock l; condvar c; ".to_owned();
    let threads: Vec<String> = (0..random.u32(2..=3)).map(|_| thread(&mut random)).collect();
    let _ = write!(text, "{}", threads.join(" | "));
    text
}

fn thread(random: &mut fastrand::Rng) -> String {
    let before = if random.bool() { statements(random, 1) } else { String::new() };
    let variable = if random.bool() { "x" } else { "y" };
    let body = statements(random, 2);
    let after = if random.bool() { statements(random, 1) } else { String::new() };
    let repeated = match random.u32(0..4) {
        0 => format!("loop {{ {body} }}"),
        1 => format!("r = {variable}; while r != {} {{ {body}; r = {variable} }}", random.u32(0..2)),
        2 => format!("loop {{ {body}; r = {variable}; if r == {} {{ break }} }}", random.u32(0..2)),
        _ => body,
    };
    ["r = 0".to_owned(), before, repeated, after]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("; ")
}

/// From one to so many statements.
fn statements(random: &mut fastrand::Rng, most: u32) -> String {
    let all: Vec<String> = (0..random.u32(1..=most)).map(|_| statement(random)).collect();
    all.join("; ")
}

fn statement(random: &mut fastrand::Rng) -> String {
    let variable = if random.bool() { "x" } else { "y" };
    let value = random.u32(0..2);
    match random.u32(0..14) {
        0 | 1 => format!("{variable} = {value}"),
        2 | 3 => format!("r = {variable}"),
        4 => format!("{variable} = 1 - r"),
        5 => format!("q = compare_exchange {variable}, {value}, {}", 1 - value),
        6 => format!("q = swap {variable}, {value}"),
        7 | 8 => "lock m; unlock m".to_owned(),
        9 => format!("lock m; {variable} = {value}; unlock m"),
        10 => "acquire s; release s".to_owned(),
        11 => "q = try_lock m; if q { unlock m }".to_owned(),
        12 => "read_lock l; read_unlock l".to_owned(),
        _ => format!("q = choose 2; if q == {value} {{ {variable} = {value} }}"),
    }
}
