//! Arbitrary litmus programs with memory orders and fences, interpreted in Rust: under each model, there are the same graphs as
//! of the litmus program, as far as what threads read and what is left at the end can tell.
//!
//! `MAZURKA_WEAK` says how many programs, `MAZURKA_SEED` from which seed on.

use fiber::{FiberProgram, Options};
use graphs::{Complete, Graph, Graphs, MODELS, ModelInfo, Watcher};
use litmus::LitmusProgram;
use litmus::arbitrary::{Generator, Profile};
use litmus::sketch::{Action, Block, Declaration, Expr, Local, ObjectKind, Sketch, Statement};
use mazurka::sync::atomic::{AtomicI64, Ordering, fence};
use mazurka::sync::{Arc, Mutex, MutexGuard};
use mazurka::thread;
use model::{Names, ObjectId, Order, Orders, Program};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use trace::Ending;

const PROGRAMS: u64 = 300;
const MOST_GRAPHS: u64 = 400;
const MOST_EVENTS: usize = 1_000;
const MOST_LOCALS: usize = 16;
const PROFILES: [Profile; 3] = [Profile::Variables, Profile::Locks, Profile::Everything];

/// What can be told of a graph: how it ended, what each thread read from variables, and what they are at the end.
type Told = (String, Vec<Vec<u64>>, Vec<u64>);

/// Counts what is told of graphs. Variables are known by their names; the first threads are left out.
struct Counted<'p> {
    names: &'p dyn Names,
    variables: &'p [(String, u64)],
    left_out: usize,
    found: BTreeMap<Told, u64>,
    graphs: u64,
}

impl Counted<'_> {
    fn variable(&self, object: ObjectId) -> Option<usize> {
        let name = (object != ObjectId::NONE).then(|| self.names.object(object))?;
        self.variables.iter().position(|(known, _)| *known == name)
    }

    fn told(&self, g: &Graph, ending: Ending) -> Told {
        let mut reads: Vec<Vec<u64>> = Vec::new();
        let mut last: Vec<u64> = self.variables.iter().map(|&(_, initial)| initial).collect();
        for event in g.events() {
            let Some(variable) = self.variable(event.object()) else { continue };
            let place = event.thread.index() - self.left_out;
            if event.is_read() {
                reads.resize(reads.len().max(place + 1), Vec::new());
                reads[place].push(event.value);
            } else if event.is_write() && event.place as usize + 1 == g.co(event.object()).len() {
                last[variable] = event.value;
            }
        }
        (format!("{ending:?}"), reads, last)
    }
}

impl Watcher for Counted<'_> {
    fn complete(&mut self, complete: &Complete<'_>) -> ControlFlow<()> {
        let told = self.told(complete.graph, complete.ending);
        *self.found.entry(told).or_default() += 1;
        self.graphs += 1;
        if self.graphs > MOST_GRAPHS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn anew(&mut self) {
        self.found.clear();
        self.graphs = 0;
    }
}

/// What is told of all graphs of a program; none if there are too many.
fn graphs_of(
    program: &dyn Program,
    info: &'static ModelInfo,
    variables: &[(String, u64)],
    left_out: usize,
) -> Option<BTreeMap<Told, u64>> {
    let mut counted = Counted { names: program.names(), variables, left_out, found: BTreeMap::new(), graphs: 0 };
    let threads = program.threads().expect("both have threads");
    let mut graphs = Graphs::new(threads, program.names(), info, MOST_EVENTS);
    let (tally, is_whole) = graphs.explore(&mut counted).unwrap_or_else(|error| panic!("{error}"));
    (is_whole && tally.too_long == 0).then_some(counted.found)
}

/// The same of a program in Rust: as in a check, a search that learnt something of the program is done anew.
fn graphs_in_rust(
    program: &FiberProgram,
    info: &'static ModelInfo,
    variables: &[(String, u64)],
) -> Option<BTreeMap<Told, u64>> {
    loop {
        let known = program.knowledge();
        let found = graphs_of(program, info, variables, 1);
        if program.knowledge() == known {
            return found;
        }
    }
}

/// Numbers by a seed (SplitMix64 by Steele, Lea and Flood).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) as usize % limit
    }

    fn one_of(&mut self, orders: &[Order]) -> Order {
        orders[self.below(orders.len())]
    }
}

const LOADS: [Order; 3] = [Order::Relaxed, Order::Acquire, Order::SeqCst];
const STORES: [Order; 3] = [Order::Relaxed, Order::Release, Order::SeqCst];
const UPDATES: [Order; 5] = [Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];

/// The block with arbitrary orders and fences, as far as the interpreter knows what it does; none where it does not.
fn ordered(block: &Block, numbers: &mut Numbers) -> Option<Block> {
    let mut result = Block::new();
    for statement in block {
        if numbers.below(6) == 0 {
            result.push(Statement::Fence(numbers.one_of(&UPDATES[1..])));
        }
        match statement {
            Statement::Act { result: to, action, place, .. } => {
                let orders = match action {
                    Action::Read => Orders::of(numbers.one_of(&LOADS)),
                    Action::Write(_) => Orders::of(numbers.one_of(&STORES)),
                    Action::FetchAdd(_) | Action::Swap(_) => Orders::of(numbers.one_of(&UPDATES)),
                    Action::CompareExchange(..) => {
                        Orders { success: numbers.one_of(&UPDATES), failure: numbers.one_of(&LOADS) }
                    }
                    Action::Lock | Action::Unlock => Orders::default(),
                    _ => return None,
                };
                result.push(Statement::Act { result: *to, action: action.clone(), orders, place: place.clone() });
            }
            Statement::If(value, then, otherwise) => {
                let (then, otherwise) = (ordered(then, numbers)?, ordered(otherwise, numbers)?);
                result.push(Statement::If(value.clone(), then, otherwise));
            }
            Statement::Set(..) | Statement::Choose { .. } => result.push(statement.clone()),
            // In Rust, one who yields may go round a loop, and one who fails gives locks back.
            Statement::Yield | Statement::Assert(..) => {}
            _ => return None,
        }
    }
    Some(result)
}

/// The program of a seed, if the interpreter knows all that it does.
fn sketch_of(seed: u64) -> Option<Sketch> {
    let mut sketch = Generator::new(PROFILES[seed as usize % PROFILES.len()]).sample(seed);
    let mut numbers = Numbers(seed);
    let is_known = |object: &Declaration| matches!(object.kind, ObjectKind::Variable | ObjectKind::Mutex);
    if !sketch.templates.is_empty() || !sketch.objects.iter().all(is_known) {
        return None;
    }
    for thread in &mut sketch.threads {
        thread.body.block = ordered(&thread.body.block, &mut numbers)?;
        if thread.body.locals.len() > MOST_LOCALS || !is_balanced(&thread.body.block) {
            return None;
        }
    }
    Some(sketch)
}

/// Whether every lock is given back by who took it, on the same level: in Rust, guards do that.
fn is_balanced(block: &Block) -> bool {
    let mut held = Vec::new();
    for statement in block {
        match statement {
            Statement::Act { action: Action::Lock, place, .. } if !held.contains(&place) => held.push(place),
            Statement::Act { action: Action::Unlock, place, .. } => {
                let Some(at) = held.iter().position(|taken| *taken == place) else { return false };
                held.remove(at);
            }
            Statement::Act { action: Action::Lock, .. } => return false,
            Statement::If(_, then, otherwise) if !is_balanced(then) || !is_balanced(otherwise) => return false,
            _ => {}
        }
    }
    held.is_empty()
}

enum Object {
    Variable(AtomicI64),
    Mutex(Mutex<()>),
}

fn names_of(declared: &Declaration) -> Vec<String> {
    match declared.size {
        None => vec![declared.name.clone()],
        Some(size) => (0..size).map(|element| format!("{}[{element}]", declared.name)).collect(),
    }
}

/// The program as one whose threads are Rust's.
fn in_rust(sketch: &Sketch) -> FiberProgram {
    let sketch = std::sync::Arc::new(sketch.clone());
    let leak = |declared| names_of(declared).into_iter().map(|name| &*name.leak()).collect();
    let names: Vec<Vec<&'static str>> = sketch.objects.iter().map(leak).collect();
    let body = move || {
        let one = |declared: &Declaration, (element, &name): (u32, &&'static str)| match declared.kind {
            ObjectKind::Mutex => Object::Mutex(Mutex::new(())),
            _ => Object::Variable(AtomicI64::named(name, declared.initial_of(element))),
        };
        let all = |(declared, names): (&Declaration, &Vec<&'static str>)| {
            (0..).zip(names).map(|named| one(declared, named)).collect()
        };
        let objects: Arc<Vec<Vec<Object>>> = Arc::new(sketch.objects.iter().zip(&names).map(all).collect());
        for number in 0..sketch.threads.len() {
            let (sketch, objects) = (sketch.clone(), objects.clone());
            thread::spawn(move || {
                let mut interpreter = Interpreter { objects: &objects, locals: [0; MOST_LOCALS], held: Vec::new() };
                interpreter.run(&sketch.threads[number].body.block);
            });
        }
    };
    FiberProgram::new(body, Options::default())
}

/// A thread.
struct Interpreter<'a> {
    objects: &'a [Vec<Object>],
    locals: [i64; MOST_LOCALS],
    held: Vec<((u32, usize), MutexGuard<'a, ()>)>,
}

impl Interpreter<'_> {
    fn run(&mut self, block: &Block) {
        for statement in block {
            match statement {
                Statement::Set(Local(local), value) => self.locals[*local as usize] = self.value(value),
                Statement::Act { result, action, place, orders } => {
                    let element = place.index.as_ref().map_or(0, |index| self.value(index));
                    let found = self.act(action, *orders, (place.object.0, element as usize));
                    self.set(*result, found);
                }
                Statement::Choose { result, alternatives } => {
                    let chosen = mazurka::choose(*alternatives as usize);
                    self.set(*result, chosen as i64);
                }
                Statement::Fence(order) => fence(ordering(*order)),
                Statement::If(value, then, otherwise) => {
                    self.run(if self.value(value) != 0 { then } else { otherwise });
                }
                _ => unreachable!("such programs are left out"),
            }
        }
    }

    fn set(&mut self, to: Option<Local>, value: i64) {
        if let Some(Local(local)) = to {
            self.locals[local as usize] = value;
        }
    }

    fn act(&mut self, action: &Action, orders: Orders, object: (u32, usize)) -> i64 {
        let order = ordering(orders.success);
        match (&self.objects[object.0 as usize][object.1], action) {
            (Object::Variable(x), Action::Read) => x.load(order),
            (Object::Variable(x), Action::Write(value)) => {
                x.store(self.value(value), order);
                0
            }
            (Object::Variable(x), Action::FetchAdd(value)) => x.fetch_add(self.value(value), order),
            (Object::Variable(x), Action::Swap(value)) => x.swap(self.value(value), order),
            (Object::Variable(x), Action::CompareExchange(expected, new)) => {
                let (expected, new) = (self.value(expected), self.value(new));
                x.compare_exchange(expected, new, order, ordering(orders.failure)).unwrap_or_else(|found| found)
            }
            (Object::Mutex(mutex), Action::Lock) => {
                self.held.push((object, mutex.lock().unwrap()));
                1
            }
            (Object::Mutex(_), Action::Unlock) => {
                self.held.retain(|(held, _)| *held != object);
                0
            }
            _ => unreachable!("such programs are left out"),
        }
    }

    fn value(&self, value: &Expr) -> i64 {
        match value {
            Expr::Number(number) => *number,
            Expr::Local(Local(local)) => self.locals[*local as usize],
            Expr::Not(operand) => i64::from(self.value(operand) == 0),
            Expr::Negate(operand) => self.value(operand).wrapping_neg(),
            Expr::Binary(operator, left, right) => {
                operator.apply(self.value(left), self.value(right)).expect("the generator divides by nothing")
            }
        }
    }
}

fn ordering(order: Order) -> Ordering {
    match order {
        Order::Plain | Order::Relaxed => Ordering::Relaxed,
        Order::Acquire => Ordering::Acquire,
        Order::Release => Ordering::Release,
        Order::AcqRel => Ordering::AcqRel,
        Order::SeqCst => Ordering::SeqCst,
    }
}

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

/// How many graphs a program has under each model, in Rust the same as in litmus notation; fewer models if there are too many.
fn compare(sketch: &Sketch, name: &str) -> Vec<u64> {
    let initial = |object: &Declaration| {
        let words = (0..object.len()).map(|element| object.initial_of(element) as u64).collect::<Vec<_>>();
        names_of(object).into_iter().zip(words).collect::<Vec<_>>()
    };
    let is_variable = |object: &&Declaration| object.kind == ObjectKind::Variable;
    let variables: Vec<(String, u64)> = sketch.objects.iter().filter(is_variable).flat_map(initial).collect();
    let program = LitmusProgram::new(sketch.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let rust = in_rust(sketch);
    let mut counts = Vec::new();
    for info in MODELS {
        let Some(expected) = graphs_of(&program, info, &variables, 0) else { break };
        let found = graphs_in_rust(&rust, info, &variables);
        assert_eq!(found.as_ref(), Some(&expected), "{name} under {}:\n{sketch}", info.name);
        counts.push(expected.values().sum::<u64>());
    }
    counts
}

#[test]
fn programs_in_rust_have_the_graphs_of_litmus_programs() {
    let wanted = from_environment("MAZURKA_WEAK", PROGRAMS);
    let (mut tried, mut graphs, mut weak) = (0, 0, 0);
    for seed in from_environment("MAZURKA_SEED", 0).. {
        if tried == wanted {
            break;
        }
        let Some(sketch) = sketch_of(seed) else { continue };
        let counts = compare(&sketch, &format!("seed {seed}"));
        tried += u64::from(counts.len() == MODELS.len());
        graphs += counts.iter().sum::<u64>();
        weak += u64::from(counts.first() != counts.last());
    }
    println!("{tried} programs with {graphs} graphs; rc11 has more than sc in {weak}");
    assert!(weak * 10 > tried, "orders matter in {weak} of {tried} programs only");
}

/// The litmus tests of the literature, of which `graphs` knows the outcomes that each model allows.
#[test]
fn litmus_tests_of_the_literature_have_the_same_graphs_in_rust() {
    for row in litmus::corpus::outcome_rows().unwrap() {
        let sketch: Sketch = row.text.parse().unwrap();
        assert_eq!(compare(&sketch, &row.name).len(), MODELS.len(), "{} is too large", row.name);
    }
}
