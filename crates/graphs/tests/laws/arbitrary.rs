//! Arbitrary programs against the oracle.
//!
//! `MAZURKA_GRAPHS_PROGRAMS` says how many are tried under each model, `MAZURKA_GRAPHS_SEED` where to begin, `MAZURKA_GRAPHS_LARGE`
//! how many of them may be large.

use crate::machine::machine_graphs;
use crate::{Keep, explored, program};
use fastrand::Rng;
use litmus::LitmusProgram;
use mazurka_graphs::naive::{Key, all_graphs};
use mazurka_graphs::{MODELS, ModelInfo};
use model::Program;
use std::collections::HashMap;
use trace::Ending;

/// How many programs are tried under each model in an ordinary run.
const PROGRAMS: u64 = 20_000;
/// Programs for which the oracle would have to remember more graphs are left out.
const MOST_REMEMBERED: usize = 1_500;
/// So many of the programs may be so large, of the others the oracle remembers fewer graphs.
const LARGE: u64 = 300;
const FEW_REMEMBERED: usize = 60;
/// Programs whose machine with buffers has more states are compared with the axioms alone.
const MOST_STATES: usize = 4_000;

pub(crate) fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |text| text.parse().expect("a number"))
}

#[test]
fn exactly_the_graphs_of_the_axioms_each_once() {
    let (first, wanted) = (number("MAZURKA_GRAPHS_SEED", 0), number("MAZURKA_GRAPHS_PROGRAMS", PROGRAMS));
    let large = first + number("MAZURKA_GRAPHS_LARGE", LARGE);
    let (mut tried, mut graphs, mut left_out, mut by_machine) = ([0; MODELS.len()], 0, 0, 0);
    for seed in first.. {
        if tried.iter().all(|&tried| tried == wanted) {
            break;
        }
        let text = text(seed);
        let program = program(&text);
        let most = if seed < large { MOST_REMEMBERED } else { FEW_REMEMBERED };
        for (info, tried) in MODELS.iter().zip(&mut tried).filter(|(_, tried)| **tried < wanted) {
            match check(&program, info, seed, most) {
                Ok(Some((number, was_by_machine))) => {
                    *tried += 1;
                    graphs += number;
                    by_machine += u64::from(was_by_machine);
                }
                Ok(None) => left_out += 1,
                Err(problem) => panic!("seed {seed} under {}: {problem}\n{text}", info.name),
            }
        }
    }
    println!(
        "{wanted} programs under each model with {graphs} graphs, {by_machine} by machines, {left_out} left out as too large"
    );
}

/// How many graphs a program has and whether a machine agreed; none if it is too large.
fn check(
    program: &LitmusProgram,
    info: &'static ModelInfo,
    seed: u64,
    most: usize,
) -> Result<Option<(usize, bool)>, String> {
    let threads = || program.threads().expect("litmus programs have threads");
    let oracle = all_graphs(threads(), program.names(), info, most).map_err(|error| error.to_string())?;
    let Some(expected) = oracle else { return Ok(None) };
    for order in [None, Some(seed)] {
        let (found, tally) = explored(program, info, expected.len() * 4 + 10, order).ok_or("it does not end")?;
        compare(&found, &expected)?;
        if order.is_none() && tally.sleep_set_blocked > 0 {
            return Err(format!("{} runs were wasted", tally.sleep_set_blocked));
        }
    }
    let machine = match info.name {
        "tso" | "pso" => machine_graphs(threads(), info.name == "pso", MOST_STATES),
        _ => None,
    };
    if let Some(machine) = &machine {
        let of_axioms: std::collections::HashSet<&Key> = expected.keys().collect();
        let of_machine: std::collections::HashSet<&Key> = machine.iter().collect();
        if of_axioms != of_machine {
            return Err(format!("{} graphs by axioms, {} by the machine", of_axioms.len(), of_machine.len()));
        }
    }
    Ok(Some((expected.len(), machine.is_some())))
}

fn compare(found: &Keep, expected: &HashMap<Key, Ending>) -> Result<(), String> {
    let missing = expected.keys().filter(|key| !found.found.contains_key(*key)).count();
    let extra = found.found.keys().filter(|key| !expected.contains_key(*key)).count();
    let twice: u32 = found.found.values().map(|&(_, times)| times - 1).sum();
    let ends_otherwise =
        |(key, ending): &(&Key, &Ending)| found.found.get(*key).is_some_and(|(as_found, _)| as_found != *ending);
    let otherwise = expected.iter().filter(ends_otherwise).count();
    if (missing, extra, twice, otherwise) == (0, 0, 0, 0) {
        return Ok(());
    }
    Err(format!(
        "of {} graphs, {missing} missing, {extra} too many, {twice} twice, {otherwise} end otherwise",
        expected.len()
    ))
}

/// What arbitrary programs are mostly made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Accesses,
    Updates,
    SeqCst,
    Awaits,
    Locks,
    Semaphores,
    Condvars,
    Plain,
    Lives,
    Everything,
}

const SORTS: [Sort; 10] = [
    Sort::Accesses,
    Sort::Updates,
    Sort::SeqCst,
    Sort::Awaits,
    Sort::Locks,
    Sort::Semaphores,
    Sort::Condvars,
    Sort::Plain,
    Sort::Lives,
    Sort::Everything,
];

/// The program of a seed.
pub(crate) fn text(seed: u64) -> String {
    let sort = SORTS[seed as usize % SORTS.len()];
    let mut writer = Writer { rng: Rng::with_seed(seed), sort, local: 0, variables: 0 };
    writer.program()
}

struct Writer {
    rng: Rng,
    sort: Sort,
    local: u32,
    variables: usize,
}

const VARIABLES: [&str; 3] = ["x", "y", "z"];

impl Writer {
    fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(0..100) < percent
    }

    fn is(&self, sort: Sort) -> bool {
        self.sort == sort || self.sort == Sort::Everything
    }

    fn program(&mut self) -> String {
        let threads = *self.rng.choice([2, 2, 3, 3, 4].iter()).unwrap();
        self.variables = self.rng.usize(1..=if self.sort == Sort::Awaits { 2 } else { 3 });
        let steps = self.rng.usize(4..=if threads < 4 { 8 } else { 7 });
        let mut bodies: Vec<Vec<String>> = vec![Vec::new(); threads];
        for _ in 0..steps {
            let thread = self.rng.usize(0..threads);
            let statement = self.statement(0);
            bodies[thread].push(statement);
        }
        if self.is(Sort::Locks) {
            bodies.iter_mut().for_each(|body| self.lock(body));
        }
        if self.is(Sort::Lives) {
            bodies.iter_mut().for_each(|body| self.life(body));
        }
        if self.is(Sort::Condvars) {
            bodies.iter_mut().for_each(|body| self.condvar(body));
        }
        let mut texts: Vec<String> = bodies.iter().map(|body| body.join("; ")).collect();
        if threads > 2 && self.chance(30) {
            // The last thread is spawned by the first.
            let child = texts.pop().unwrap();
            let body = &mut bodies[0];
            let place = self.rng.usize(0..=body.len());
            let joins = self.chance(50);
            body.insert(place, format!("h = spawn {{ {child} }}"));
            if joins {
                body.insert(self.rng.usize(place + 1..=body.len()), "join h".to_owned());
            }
            texts[0] = body.join("; ");
        }
        let objects = "mutex m, n; rwlock l; semaphore s = 1; condvar c; barrier b of 2; latch d = 2;";
        format!("var {}; {objects} {}", VARIABLES[..self.variables].join(", "), texts.join(" | "))
    }

    fn variable(&mut self) -> &'static str {
        VARIABLES[self.rng.usize(0..self.variables)]
    }

    fn fresh(&mut self) -> String {
        self.local += 1;
        format!("r{}", self.local)
    }

    fn order(&mut self, of: &[&'static str]) -> &'static str {
        if self.sort == Sort::SeqCst && self.chance(75) { "seq_cst" } else { of[self.rng.usize(0..of.len())] }
    }

    /// Whether an access is no atomic one.
    fn is_plain(&mut self) -> bool {
        self.sort == Sort::Plain && self.chance(40) || self.sort == Sort::Everything && self.chance(10)
    }

    fn read_order(&mut self) -> &'static str {
        if self.is_plain() { "plain" } else { self.order(&["relaxed", "acquire", "acquire", "seq_cst"]) }
    }

    fn write_order(&mut self) -> &'static str {
        if self.is_plain() { "plain" } else { self.order(&["relaxed", "release", "release", "seq_cst"]) }
    }

    fn update_order(&mut self) -> &'static str {
        self.order(&["relaxed", "acquire", "release", "acq_rel", "seq_cst"])
    }

    fn statement(&mut self, depth: u32) -> String {
        let x = self.variable();
        let updates = if self.sort == Sort::Updates { 60 } else { 20 };
        if !matches!(self.sort, Sort::Accesses) && self.chance(updates) {
            return self.update(x);
        }
        if self.is(Sort::Awaits) && self.chance(25) {
            let test = *self.rng.choice(["== 1", "!= 0", "== 0", "== 2"].iter()).unwrap();
            let (local, order) = (self.fresh(), self.order(&["relaxed", "acquire", "seq_cst"]));
            return format!("{local} = await {x} {test} {order}");
        }
        if self.is(Sort::Semaphores) && self.chance(40) {
            return self.guarded();
        }
        match self.rng.u32(0..100) {
            0..12 => {
                let order = *self.rng.choice(["acquire", "release", "acq_rel", "seq_cst", "seq_cst"].iter()).unwrap();
                format!("fence {order}")
            }
            12..17 => format!("{} = choose 2", self.fresh()),
            17..22 if depth == 0 => {
                let (local, order) = (self.fresh(), self.read_order());
                format!("{local} = {x} {order}; assume {local} == {}", self.rng.u32(0..2))
            }
            22..60 => {
                let (local, order) = (self.fresh(), self.read_order());
                let read = format!("{local} = {x} {order}");
                if depth > 0 || !self.chance(40) {
                    return read;
                }
                match self.rng.u32(0..3) {
                    0 => format!("{read}; {} = {local} + 1 {}", self.variable(), self.write_order()),
                    1 => format!("{read}; if {local} == {} {{ {} }}", self.rng.u32(0..2), self.statement(1)),
                    _ => format!("{read}; assert {local} < {}", self.rng.u32(1..3)),
                }
            }
            _ => format!("{x} = {} {}", self.rng.u32(1..3), self.write_order()),
        }
    }

    fn update(&mut self, x: &str) -> String {
        let (local, order) = (self.fresh(), self.update_order());
        let value = self.rng.u32(1..3);
        match self.rng.u32(0..5) {
            0 => format!("{local} = fetch_add {x}, 1 {order}"),
            1 => format!("{local} = swap {x}, {value} {order}"),
            2 => format!("{x} += 1 {order}"),
            _ => {
                let failure = self.order(&["relaxed", "acquire", "acquire", "seq_cst"]);
                format!("{local} = compare_exchange {x}, {}, {value} {order} {failure}", self.rng.u32(0..2))
            }
        }
    }

    /// Semaphores, reader-writer locks, barriers, latches.
    fn guarded(&mut self) -> String {
        let local = self.fresh();
        let choices = [
            "acquire s".to_owned(),
            "acquire s".to_owned(),
            "release s".to_owned(),
            format!("{local} = try_acquire s"),
            "read_lock l; read_unlock l".to_owned(),
            "write_lock l; write_unlock l".to_owned(),
            "read_lock l".to_owned(),
            format!("{local} = try_write_lock l"),
            format!("{local} = try_read_lock l"),
            "write_lock l; downgrade l; read_unlock l".to_owned(),
            "meet b".to_owned(),
            "count_down d".to_owned(),
            "pass_latch d".to_owned(),
        ];
        choices[self.rng.usize(0..choices.len())].clone()
    }

    /// Puts a critical section around a part of a body.
    fn lock(&mut self, body: &mut Vec<String>) {
        if !self.chance(75) {
            return;
        }
        let mutex = if self.chance(75) { "m" } else { "n" };
        let from = self.rng.usize(0..=body.len());
        let to = self.rng.usize(from..=body.len());
        match self.rng.u32(0..10) {
            0 => body.insert(from, format!("lock {mutex}")),
            1 => {
                let local = self.fresh();
                let inside = body.drain(from..to).collect::<Vec<_>>().join("; ");
                body.insert(from, format!("{local} = try_lock {mutex}; if {local} {{ {inside}; unlock {mutex} }}"));
            }
            2 => body.insert(from, format!("section {mutex} {{}}")),
            3 => body.insert(from, format!("unlock {mutex}")),
            _ => {
                body.insert(to, format!("unlock {mutex}"));
                body.insert(from, format!("lock {mutex}"));
            }
        }
    }

    /// A mutex comes to life or ends.
    fn life(&mut self, body: &mut Vec<String>) {
        if !self.chance(60) {
            return;
        }
        let statements = ["init m", "destroy m", "deallocate m", "lock m; unlock m", "lock m", "unlock m"];
        let statement = statements[self.rng.usize(0..statements.len())].to_owned();
        body.truncate(3);
        body.insert(self.rng.usize(0..=body.len()), statement);
    }

    fn condvar(&mut self, body: &mut Vec<String>) {
        if !self.chance(80) {
            return;
        }
        let place = self.rng.usize(0..=body.len());
        let statement = match self.rng.u32(0..5) {
            0 | 1 => "lock m; wait c, m; unlock m",
            4 => "lock m; t = wait_timeout c, m; unlock m",
            2 => "notify_one c",
            _ => "notify_all c",
        };
        body.truncate(3);
        body.insert(place.min(body.len()), statement.to_owned());
    }
}
