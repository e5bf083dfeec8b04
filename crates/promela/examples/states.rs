//! Counts the states of models.

use mazurka_promela::{Limits, Model, search};
use std::path::Path;

fn main() {
    for path in std::env::args().skip(1) {
        match Model::read(Path::new(&path), &[]) {
            Ok(model) => {
                let limits = Limits { keep_going: true, states: Some(3_000_000), ..Limits::default() };
                let outcome = search(&model, &limits);
                println!("{path} states {} errors {} limit {:?}", outcome.states, outcome.errors, outcome.limit);
            }
            Err(problem) => println!("{path} refused: {problem}"),
        }
    }
}
