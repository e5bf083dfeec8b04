//! How fast the search is on fib-bench(n), and with a second argument
//! how fast random schedules are: `cargo run --release --example speed -- 5`.

use mazurka::Checker;
use mazurka::sync::Arc;
use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::thread;

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

fn main() {
    let n = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(5);
    let explored = Checker::from_env().check(move || fib_bench(n));
    println!("{explored}");
    let rate = explored.executions() as f64 / explored.elapsed.as_secs_f64();
    println!("{rate:.0} executions/s, {} steps and {} replayed", explored.tally.steps, explored.tally.replayed);
    if std::env::args().nth(2).is_some() {
        let random = Checker::new().random(explored.executions(), 1).check(move || fib_bench(n));
        let bare = random.executions() as f64 / random.elapsed.as_secs_f64();
        println!("random schedules: {bare:.0} executions/s");
    }
}
