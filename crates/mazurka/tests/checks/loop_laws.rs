//! Loops in Rust against loops in litmus programs: arbitrary programs, run by an interpreter of their text whose threads are
//! Rust's. What can happen at last must be the same: every end, every failure, every deadlock and livelock. The
//! litmus programs in turn are tried against an oracle that knows nothing of loops (`laws::check_loops`).
//!
//! A variable of the litmus program is an atomic in Rust, or something else that does the same: data behind a mutex that is locked,
//! or tried until it is free, for each access (in the litmus program too, which has operations on the data where Rust has
//! none); an atomic whose `fetch_add` is a `fetch_update`; a pointer to a block of its own for each value.
//!
//! `MAZURKA_LOOPS` says how many programs, `MAZURKA_SEED` from which seed on.

use explore::{LoopRules, Settings};
use fiber::{FiberProgram, Options};
use litmus::LitmusProgram;
use litmus::arbitrary::{Generator, Profile};
use litmus::sketch::{Action, Block, Declaration, Expr, Local, ObjectKind, ObjectRef, Place, Sketch, Statement};
use mazurka::sync::atomic::{AtomicI64, AtomicPtr, Ordering::SeqCst};
use mazurka::sync::{Arc, Mutex, MutexGuard};
use mazurka::thread;
use model::{Names, ObjectId, Orders, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use trace::{Ending, Execution, Sink};

const PROGRAMS: u64 = 100;
const MOST_EXECUTIONS: u64 = 300;
const MOST_LOCALS: usize = 16;

/// The words of variables that a search told, at the ends of executions; and the messages of failures.
#[derive(PartialEq, Eq, Debug, Default)]
struct Ends {
    completed: BTreeSet<BTreeMap<String, u64>>,
    stuck: BTreeSet<BTreeMap<String, u64>>,
    failures: BTreeSet<String>,
}

struct Told<'p> {
    names: &'p dyn Names,
    variables: BTreeMap<String, u64>,
    ends: Ends,
}

impl Told<'_> {
    fn words_after(&self, execution: &Execution<'_>) -> BTreeMap<String, u64> {
        let mut words = self.variables.clone();
        for event in execution.trace.events().iter().filter(|event| event.op.object != ObjectId::NONE) {
            let name = self.names.object(event.op.object);
            words.entry(name).and_modify(|word| *word = event.after);
        }
        words
    }
}

impl Sink for Told<'_> {
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        let words = self.words_after(execution);
        match execution.ending {
            Ending::Completed => _ = self.ends.completed.insert(words),
            Ending::Deadlocked => _ = self.ends.stuck.insert(words),
            Ending::Failed => {
                self.ends.failures.extend(execution.failures.iter().map(|(_, failure)| failure.message.clone()));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn anew(&mut self) {
        self.ends = Ends::default();
    }
}

/// What can happen at last; none if that takes too many executions.
fn ends(program: &dyn Program, variables: &BTreeMap<String, u64>, algorithm: &str) -> Option<Ends> {
    let mut settings = Settings { keep_going: true, loops: LoopRules::ALL, ..Settings::default() };
    settings.limits.executions = Some(MOST_EXECUTIONS);
    settings.limits.steps = 2000;
    let mut told = Told { names: program.names(), variables: variables.clone(), ends: Ends::default() };
    let info = explore::algorithm(algorithm).expect("it is one of them");
    let report = explore::check_with(program, &mut *(info.make)(), &settings, &mut told);
    report.unwrap_or_else(|error| panic!("{error}")).exhaustive.then_some(told.ends)
}

/// What a variable is in Rust.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Make {
    Atomic,
    /// What is added to it is added by `fetch_update`.
    Updated,
    /// Data behind a mutex that is locked for each access.
    Locked,
    /// The same, but it is tried until it is free.
    Tried,
    /// A pointer to a block.
    Pointer,
}

/// What each object of the program is in Rust.
fn makes_of(sketch: &Sketch, seed: u64) -> Vec<Make> {
    let make = |(number, declared): (u32, &Declaration)| {
        if declared.kind != ObjectKind::Variable {
            return Make::Atomic;
        }
        let choice = (seed ^ u64::from(number) << 32).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60;
        match choice {
            0..3 => Make::Updated,
            3..7 => Make::Locked,
            7..9 => Make::Tried,
            9..12 if is_only_read_and_written(sketch, ObjectRef(number)) => Make::Pointer,
            _ => Make::Atomic,
        }
    };
    (0..).zip(&sketch.objects).map(make).collect()
}

fn is_only_read_and_written(sketch: &Sketch, object: ObjectRef) -> bool {
    fn is_in(block: &Block, object: ObjectRef) -> bool {
        block.iter().all(|statement| match statement {
            Statement::Act { action, place, .. } => {
                place.object != object || matches!(action, Action::Read | Action::Write(_))
            }
            Statement::If(_, then, otherwise) => is_in(then, object) && is_in(otherwise, object),
            Statement::Loop(block) => is_in(block, object),
            _ => true,
        })
    }
    sketch.threads.iter().all(|thread| is_in(&thread.body.block, object))
}

/// The litmus program, with mutexes where Rust has them.
fn with_mutexes(sketch: &Sketch, makes: &[Make]) -> Sketch {
    let mut sketch = sketch.clone();
    let mut mutexes = vec![None; makes.len()];
    for (number, make) in makes.iter().enumerate() {
        if matches!(make, Make::Locked | Make::Tried) {
            let declared = &sketch.objects[number];
            let (name, size) = (format!("guard_of_{}", declared.name), declared.size);
            mutexes[number] = Some((ObjectRef(sketch.objects.len() as u32), *make));
            sketch.objects.push(Declaration { name, kind: ObjectKind::Mutex, size, initial: Vec::new() });
        }
    }
    for thread in &mut sketch.threads {
        let is_taken = Local(thread.body.locals.len() as u32);
        thread.body.locals.push("is_taken".to_owned());
        thread.body.block = guarded(&thread.body.block, &mutexes, is_taken);
    }
    sketch
}

fn guarded(block: &Block, mutexes: &[Option<(ObjectRef, Make)>], is_taken: Local) -> Block {
    let mut all = Vec::new();
    for statement in block {
        match statement {
            Statement::Act { place, .. } if mutexes.get(place.object.0 as usize).copied().flatten().is_some() => {
                let (object, make) = mutexes[place.object.0 as usize].expect("it has one");
                let act = |action, result| {
                    let place = Place { object, index: place.index.clone() };
                    Statement::Act { result, action, orders: Orders::default(), place }
                };
                let (does, unlocks) = (statement.clone(), act(Action::Unlock, None));
                if make == Make::Locked {
                    all.extend([act(Action::Lock, None), does, unlocks]);
                } else {
                    let section = vec![does, unlocks, Statement::Break];
                    let section = Statement::If(Expr::Local(is_taken), section, Vec::new());
                    all.push(Statement::Loop(vec![act(Action::TryLock, Some(is_taken)), section]));
                }
            }
            Statement::If(value, then, otherwise) => {
                let [then, otherwise] = [then, otherwise].map(|block| guarded(block, mutexes, is_taken));
                all.push(Statement::If(value.clone(), then, otherwise));
            }
            Statement::Loop(block) => all.push(Statement::Loop(guarded(block, mutexes, is_taken))),
            statement => all.push(statement.clone()),
        }
    }
    all
}

/// The program as one whose threads are Rust's.
fn in_rust(sketch: &Sketch, names: &[Vec<&'static str>], makes: &[Make]) -> FiberProgram {
    let sketch = std::sync::Arc::new(sketch.clone());
    let (names, makes) = (names.to_vec(), makes.to_vec());
    let body = move || {
        let all = sketch.objects.iter().zip(&names).zip(&makes);
        let objects: Vec<Vec<Object>> =
            all.map(|((declared, names), make)| Object::all(declared, names, *make)).collect();
        let objects = Arc::new(objects);
        for number in 0..sketch.threads.len() {
            let (sketch, objects) = (sketch.clone(), objects.clone());
            thread::spawn(move || {
                let mut interpreter =
                    Interpreter { objects: &objects, locals: [0; MOST_LOCALS], held: [const { None }; 8] };
                interpreter.run(&sketch.threads[number].body.block);
            });
        }
    };
    FiberProgram::new(body, Options::default())
}

enum Object {
    Variable(AtomicI64),
    Updated(AtomicI64),
    Locked(Mutex<i64>),
    Tried(Mutex<i64>),
    Pointer(AtomicPtr<i64>),
    Mutex(Mutex<()>),
}

impl Object {
    /// What a declaration declares. Nothing is done to what is neither a variable nor a mutex.
    fn all(declared: &Declaration, names: &[&'static str], make: Make) -> Vec<Self> {
        let one = |(element, &name): (u32, &&'static str)| match (declared.kind, make) {
            (ObjectKind::Mutex, _) => Object::Mutex(Mutex::new(())),
            (_, Make::Atomic) => Object::Variable(AtomicI64::named(name, declared.initial_of(element))),
            (_, Make::Updated) => Object::Updated(AtomicI64::named(name, declared.initial_of(element))),
            (_, Make::Locked) => Object::Locked(Mutex::new(declared.initial_of(element))),
            (_, Make::Tried) => Object::Tried(Mutex::new(declared.initial_of(element))),
            (_, Make::Pointer) => Object::Pointer(AtomicPtr::new(block_of(declared.initial_of(element)))),
        };
        (0..).zip(names).map(one).collect()
    }
}

/// A block with a value, which is never freed.
fn block_of(value: i64) -> *mut i64 {
    Box::into_raw(Box::new(value))
}

/// What each object is called.
fn names_of(declared: &Declaration) -> Vec<String> {
    match declared.size {
        None => vec![declared.name.clone()],
        Some(size) => (0..size).map(|element| format!("{}[{element}]", declared.name)).collect(),
    }
}

/// A mutex that is held, and its guard.
type Held<'a> = Option<((u32, usize), MutexGuard<'a, ()>)>;

/// A thread. All that it has of its own is on its stack.
struct Interpreter<'a> {
    objects: &'a [Vec<Object>],
    locals: [i64; MOST_LOCALS],
    held: [Held<'a>; 8],
}

#[derive(PartialEq)]
enum Flow {
    On,
    Break,
    Exit,
}

impl Interpreter<'_> {
    fn run(&mut self, block: &Block) -> Flow {
        for statement in block {
            let flow = self.step(statement);
            if flow != Flow::On {
                return flow;
            }
        }
        Flow::On
    }

    fn step(&mut self, statement: &Statement) -> Flow {
        match statement {
            Statement::Set(Local(local), value) => self.locals[*local as usize] = self.value(value),
            Statement::Act { result, action, place, .. } => {
                let element = place.index.as_ref().map_or(0, |index| self.value(index));
                let found = self.act(action, (place.object.0, element as usize));
                if let Some(Local(local)) = result {
                    self.locals[*local as usize] = found;
                }
            }
            Statement::Yield => thread::yield_now(),
            Statement::Assert(value, message) => assert!(self.value(value) != 0, "{message}"),
            Statement::If(value, then, otherwise) => {
                let block = if self.value(value) != 0 { then } else { otherwise };
                return self.run(block);
            }
            Statement::Loop(block) => loop {
                match self.run(block) {
                    Flow::On => {}
                    Flow::Break => return Flow::On,
                    Flow::Exit => return Flow::Exit,
                }
            },
            Statement::Break => return Flow::Break,
            Statement::Exit => return Flow::Exit,
            _ => unreachable!("such programs are left out"),
        }
        Flow::On
    }

    fn act(&mut self, action: &Action, object: (u32, usize)) -> i64 {
        match (&self.objects[object.0 as usize][object.1], action) {
            (Object::Locked(x), action) => self.access(action, &mut x.lock().unwrap()),
            (Object::Tried(x), action) => loop {
                if let Ok(mut x) = x.try_lock() {
                    break self.access(action, &mut x);
                }
            },
            (Object::Updated(x), Action::FetchAdd(value) | Action::Add(value)) => {
                let by = self.value(value);
                x.fetch_update(SeqCst, SeqCst, |x| Some(x.wrapping_add(by))).expect("it is updated")
            }
            // SAFETY: blocks are never freed, nor written again.
            #[allow(unsafe_code, reason = "raw pointers")]
            (Object::Pointer(x), Action::Read) => unsafe { *x.load(SeqCst) },
            (Object::Pointer(x), Action::Write(value)) => {
                x.store(block_of(self.value(value)), SeqCst);
                0
            }
            (Object::Variable(x) | Object::Updated(x), Action::Read) => x.load(SeqCst),
            (Object::Variable(x) | Object::Updated(x), Action::Write(value)) => {
                x.store(self.value(value), SeqCst);
                0
            }
            (Object::Variable(x), Action::FetchAdd(value) | Action::Add(value)) => {
                x.fetch_add(self.value(value), SeqCst)
            }
            (Object::Variable(x) | Object::Updated(x), Action::Swap(value)) => x.swap(self.value(value), SeqCst),
            (Object::Variable(x) | Object::Updated(x), Action::CompareExchange(expected, new)) => {
                let (expected, new) = (self.value(expected), self.value(new));
                x.compare_exchange(expected, new, SeqCst, SeqCst).unwrap_or_else(|found| found)
            }
            (Object::Mutex(mutex), Action::Lock) => {
                let guard = mutex.lock().unwrap();
                self.hold(object, guard);
                1
            }
            (Object::Mutex(mutex), Action::TryLock) => match mutex.try_lock() {
                Ok(guard) => {
                    self.hold(object, guard);
                    1
                }
                Err(_) => 0,
            },
            (Object::Mutex(_), Action::Unlock) => {
                let held = self.held.iter_mut().find(|held| held.as_ref().is_some_and(|(of, _)| *of == object));
                drop(held.and_then(Option::take));
                0
            }
            _ => unreachable!("such programs are left out"),
        }
    }
}

impl<'a> Interpreter<'a> {
    /// An access of data that is guarded.
    fn access(&self, action: &Action, data: &mut i64) -> i64 {
        let found = *data;
        match action {
            Action::Read => {}
            Action::Write(value) => {
                *data = self.value(value);
                return 0;
            }
            Action::FetchAdd(value) | Action::Add(value) => *data = found.wrapping_add(self.value(value)),
            Action::Swap(value) => *data = self.value(value),
            Action::CompareExchange(expected, new) => {
                if found == self.value(expected) {
                    *data = self.value(new);
                }
            }
            _ => unreachable!("such programs are left out"),
        }
        found
    }

    fn hold(&mut self, object: (u32, usize), guard: MutexGuard<'a, ()>) {
        let free = self.held.iter_mut().find(|held| held.is_none());
        *free.expect("few mutexes") = Some((object, guard));
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

/// How many mutexes a block takes, and how many it gives back: in Rust, a guard does both.
fn taken_and_given(block: &Block) -> (usize, usize) {
    let of = |statement: &Statement| match statement {
        Statement::Act { action: Action::Lock | Action::TryLock, .. } => (1, 0),
        Statement::Act { action: Action::Unlock, .. } => (0, 1),
        Statement::If(_, then, otherwise) => {
            let ((taken, given), (more, less)) = (taken_and_given(then), taken_and_given(otherwise));
            (taken + more, given + less)
        }
        Statement::Loop(block) => taken_and_given(block),
        _ => (0, 0),
    };
    block.iter().map(of).fold((0, 0), |(taken, given), (more, less)| (taken + more, given + less))
}

/// Whether the interpreter knows all that the program does.
fn is_known(sketch: &Sketch) -> bool {
    sketch.templates.is_empty()
        && sketch.threads.iter().all(|thread| {
            let (taken, given) = taken_and_given(&thread.body.block);
            thread.body.locals.len() <= MOST_LOCALS && is_simple(&thread.body.block) && taken == given
        })
}

fn is_simple(block: &Block) -> bool {
    use Action::*;
    block.iter().all(|statement| match statement {
        Statement::Act { action, .. } => matches!(
            action,
            Read | Write(_) | FetchAdd(_) | Swap(_) | CompareExchange(..) | Add(_) | Lock | TryLock | Unlock
        ),
        Statement::If(_, then, otherwise) => is_simple(then) && is_simple(otherwise),
        Statement::Loop(block) => is_simple(block),
        Statement::Set(..) | Statement::Yield | Statement::Assert(..) | Statement::Break | Statement::Exit => true,
        _ => false,
    })
}

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

/// What differs; none if the program is too large, or nothing does.
fn difference(sketch: &Sketch, seed: u64, compared: &mut u64) -> Option<String> {
    if !is_known(sketch) {
        return None;
    }
    let leak = |declared| names_of(declared).into_iter().map(|name| &*name.leak()).collect();
    let names: Vec<Vec<&'static str>> = sketch.objects.iter().map(leak).collect();
    let makes = makes_of(sketch, seed);
    // Of what is no atomic in Rust, nobody tells the words.
    let is_told = |&(object, make): &(&Declaration, &Make)| {
        object.kind == ObjectKind::Variable && matches!(make, Make::Atomic | Make::Updated)
    };
    let initial = |object: &Declaration| {
        let words = (0..object.len()).map(|element| object.initial_of(element) as u64).collect::<Vec<_>>();
        names_of(object).into_iter().zip(words).collect::<Vec<_>>()
    };
    let told = sketch.objects.iter().zip(&makes).filter(is_told).map(|(object, _)| object);
    let variables: BTreeMap<String, u64> = told.flat_map(initial).collect();
    let program = LitmusProgram::new(with_mutexes(sketch, &makes)).expect("arbitrary programs can be built");
    let expected = ends(&program, &variables, "optimal")?;
    for algorithm in ["optimal", "pop"] {
        let program = in_rust(sketch, &names, &makes);
        let Some(found) = ends(&program, &variables, algorithm) else { continue };
        *compared += 1;
        if found != expected {
            return Some(format!("{algorithm}, {makes:?}: expected {expected:?}, found {found:?}"));
        }
    }
    None
}

#[test]
fn loops_in_rust_end_as_loops_in_litmus_programs() {
    let first = from_environment("MAZURKA_SEED", 0);
    let programs = from_environment("MAZURKA_LOOPS", PROGRAMS);
    let generator = Generator::new(Profile::Loops);
    let mut compared = 0;
    for seed in first..first + programs {
        let sketch = generator.sample(seed);
        if let Some(text) = difference(&sketch, seed, &mut compared) {
            println!("seed {seed}: {text}; shrinking");
            let smallest =
                generator.shrink(seed, |sketch| difference(sketch, seed, &mut 0).is_some()).unwrap_or(sketch);
            panic!("seed {seed}: {}\n{smallest}", difference(&smallest, seed, &mut 0).unwrap_or(text));
        }
    }
    println!("{compared} searches of {programs} programs");
    assert!(compared >= programs / 2, "only {compared} searches of {programs} programs ended");
}
