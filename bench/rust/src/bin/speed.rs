//! How fast the search is on fib-bench(n), in CPU time, and what it costs over bare replay: the same schedules, run through the same
//! fibers, without any analysis. `cargo run --release --bin speed -- 5 optimal`.

use explore::Settings;
use fiber::{FiberProgram, Options};
use mazurka::sync::Arc;
use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::thread;
use model::{Choice, Program};
use std::ops::ControlFlow;
use trace::{Execution, Sink};

#[path = "../cpu_time.rs"]
mod cpu_time;

/// Each measurement is the best of so many: others use the machine too.
const ROUNDS: usize = 5;

/// The least CPU time that `f` takes.
fn best(mut f: impl FnMut()) -> f64 {
    let mut measure = || {
        let before = cpu_time::cpu_seconds();
        f();
        cpu_time::cpu_seconds() - before
    };
    (0..ROUNDS).map(|_| measure()).fold(f64::INFINITY, f64::min)
}

fn fib_bench(n: usize) {
    let i = Arc::new(AtomicUsize::new(1));
    let j = Arc::new(AtomicUsize::new(1));
    let add = |to: &Arc<AtomicUsize>, from: &Arc<AtomicUsize>| {
        let (to, from) = (to.clone(), from.clone());
        thread::spawn(move || {
            for _ in 0..n {
                let sum = to.load(SeqCst) + from.load(SeqCst);
                to.store(sum, SeqCst);
            }
        })
    };
    add(&i, &j);
    add(&j, &i);
    i.load(SeqCst);
    j.load(SeqCst);
}

/// Keeps every execution's choices.
#[derive(Default)]
struct Schedules {
    choices: Vec<Choice>,
    ends: Vec<usize>,
}

impl Sink for Schedules {
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        self.choices.extend(execution.trace.events().iter().map(|event| event.choice));
        self.ends.push(self.choices.len());
        ControlFlow::Continue(())
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let n = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(5);
    let name = arguments.next().unwrap_or_else(|| "optimal".to_owned());
    let algorithm = explore::algorithm(&name).expect("the name of an algorithm");
    let program = FiberProgram::new(move || fib_bench(n), Options::default());
    let mut schedules = Schedules::default();
    let search = |sink: &mut dyn Sink| {
        explore::check_with(&program, &mut *(algorithm.make)(), &Settings::default(), sink).expect("a search")
    };
    let tally = search(&mut schedules).tally;
    let time = best(|| drop(search(&mut ())));
    let executions = tally.executions();
    println!(
        "fib-bench({n}) by {name}: {executions} executions in {time:.3} s, {:.0} a second",
        executions as f64 / time
    );
    println!("{} steps, and {} again", tally.steps, tally.replayed);

    let mut run = program.start();
    let bare = best(|| {
        let mut begin = 0;
        for &end in &schedules.ends {
            run.restart();
            for &choice in &schedules.choices[begin..end] {
                run.step(choice).expect("the same steps are enabled");
            }
            begin = end;
        }
    });
    println!(
        "bare replay: {bare:.3} s, {:.0} a second; the search costs {:.2} times that",
        executions as f64 / bare,
        time / bare
    );
}
