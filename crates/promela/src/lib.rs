//! Promela models, as SPIN knows them: the language, the automata of its processes, and the search of their states.
//!
//! From a text to an answer: `preprocess` and `lexer` make tokens of it, `parser` an `ast`, `flow` the elements of each
//! process, `automaton` its states and transitions, `model` puts all of it together.

mod accesses;
mod analysis;
mod ast;
mod automaton;
mod claim;
mod code;
mod cycles;
mod flow;
mod jobs;
mod jumps;
mod lexer;
mod lower;
mod ltl;
mod machine;
mod model;
mod outcome;
mod parser;
mod preprocess;
mod reduction;
mod reuse;
mod schedule;
mod scope;
mod search;
mod shortest;
mod specialise;
mod stateless;
mod store;
mod tables;
mod text;
mod touch;
mod trail;
mod tree;
mod visited;
mod worker;

pub use claim::Property;
pub use cycles::{search_cycles, search_cycles_watched};
pub use machine::Fault;
pub use model::{Model, NoModel};
pub use outcome::{Finding, Limit, Limits, Outcome, Progress, Wrong};
pub use reduction::Reduction;
pub use schedule::{is_schedule, replay};
pub use search::{search, search_watched};
pub use shortest::search_shortest;
pub use stateless::{ModelProgram, Unfit};
pub use text::{File, Files, Pos, Problem};
pub use trail::{Change, Left, Row, Trail, Unreached, trail, unreached};
pub use visited::Keeping;
