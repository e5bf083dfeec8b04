//! A program that breaks the one promise programs make.

use crate::program::LitmusProgram;
use model::{Choice, Names, Pending, Program, Run, Stepped, ThreadId};

/// Behaves differently on each restart, as a program does that looks at the clock: a fixture to show what the checker says of
/// such programs. Odd runs write another variable than even ones.
#[doc(hidden)]
#[derive(Debug)]
pub struct Diverging {
    even: LitmusProgram,
    odd: LitmusProgram,
}

impl Diverging {
    /// The fixture.
    pub fn new() -> Self {
        let program = |text: &str| {
            let sketch = text.parse().expect("the fixture can be read");
            LitmusProgram::new(sketch).expect("the fixture is a program")
        };
        let even = program("var x, y; first: x = 1 | writer: x = 2 | reader: read x");
        let odd = program("var x, y; first: y = 1 | writer: x = 2 | reader: read x");
        Diverging { even, odd }
    }
}

impl Default for Diverging {
    fn default() -> Self {
        Diverging::new()
    }
}

impl Program for Diverging {
    fn start(&self) -> Box<dyn Run + '_> {
        Box::new(DivergingRun { now: self.even.start(), other: self.odd.start() })
    }

    fn names(&self) -> &dyn Names {
        self.even.names()
    }
}

struct DivergingRun<'p> {
    now: Box<dyn Run + 'p>,
    other: Box<dyn Run + 'p>,
}

impl Run for DivergingRun<'_> {
    fn restart(&mut self) {
        std::mem::swap(&mut self.now, &mut self.other);
        self.now.restart();
    }

    fn threads(&self) -> usize {
        self.now.threads()
    }

    fn pending(&self, thread: ThreadId) -> Option<Pending> {
        self.now.pending(thread)
    }

    fn step(&mut self, choice: Choice) -> Option<Stepped> {
        self.now.step(choice)
    }

    fn is_cut(&self) -> bool {
        self.now.is_cut()
    }
}
