//! Measures the interpreter alone: nanoseconds for a step under a fixed round-robin schedule.

use mazurka_litmus::library;
use model::{Choice, Program, Run, ThreadId};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Many short batches, of which the fastest counts: what else the machine does only ever makes one slower.
const BATCHES: u32 = 400;
const RUNS: u32 = 1_000;

fn main() {
    for (name, arguments) in [("lastzero", [12]), ("fib_bench", [5])] {
        let program = library::find(name).and_then(|entry| entry.build(&arguments).ok()).expect("a library program");
        let schedule = round_robin(&program);
        let mut run = program.start();
        let fastest = (0..BATCHES).map(|_| batch(&mut *run, &schedule)).min().unwrap_or_default();
        let each = fastest.as_nanos() as f64 / f64::from(RUNS) / schedule.len() as f64;
        println!("{name}({}): {} steps, {each:.1} ns a step", arguments[0], schedule.len());
    }
}

fn batch(run: &mut dyn Run, schedule: &[Choice]) -> Duration {
    let start = Instant::now();
    let (mut seen, mut failed) = (0u64, false);
    for _ in 0..RUNS {
        run.restart();
        for &choice in schedule {
            // Not the whole of it: what would be measured is the copy that `black_box` makes.
            let Some(stepped) = run.step(choice) else { unreachable!("the schedule was run before") };
            seen = seen.wrapping_add(stepped.after);
            failed |= stepped.failure.is_some();
        }
    }
    black_box((seen, failed));
    start.elapsed()
}

/// The schedule in which the enabled threads take turns.
fn round_robin(program: &impl Program) -> Vec<Choice> {
    let mut run = program.start();
    let mut schedule = Vec::new();
    loop {
        let before = schedule.len();
        for thread in 0..run.threads() as u32 {
            let thread = ThreadId(thread);
            if run.pending(thread).is_some_and(|pending| pending.enabled) {
                let choice = Choice { thread, alternative: 0 };
                run.step(choice);
                schedule.push(choice);
            }
        }
        if schedule.len() == before {
            return schedule;
        }
    }
}
