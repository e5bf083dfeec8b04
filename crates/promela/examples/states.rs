//! Counts the states of models.

use mazurka_promela::{Keeping, Limits, Model, search};
use std::path::Path;

fn main() {
    let workers = std::env::var("WORKERS").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let keeping = match std::env::var("KEEPING").as_deref() {
        Ok("compact") => Keeping::Compact,
        Ok("bits") => Keeping::Bits(30),
        _ => Keeping::Exact,
    };
    for path in std::env::args().skip(1) {
        match Model::read(Path::new(&path), &[]) {
            Ok(model) => {
                let limits = Limits { keep_going: true, workers, keeping, ..Limits::default() };
                let outcome = search(&model, &limits);
                let per_state = outcome.memory as f64 / outcome.states as f64;
                println!(
                    "{path} states {} transitions {} errors {} limit {:?} bytes {per_state:.1} coverage {}",
                    outcome.states, outcome.transitions, outcome.errors, outcome.limit, outcome.coverage
                );
            }
            Err(problem) => println!("{path} refused: {problem}"),
        }
    }
}
