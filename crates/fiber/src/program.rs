//! A closure as a program.

use crate::apart::FiberThreads;
use crate::knowledge::Knowledge;
use crate::lesson::Lessons;
use crate::registry::Registry;
use crate::run::FiberRun;
use crate::watchdog::{Pulses, Watchdog};
use model::{Names, Program, Run, Threads};
use std::sync::Arc;
use std::time::Duration;

/// How a program is run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Bytes of each thread's stack.
    pub stack_size: usize,
    /// How many times in a row a thread may look at the same unchanged values, without saying that it spins, before it is
    /// made to wait for a change, if its loop has no end of its own.
    pub spin_limit: u32,
    /// A thread that computes for so long without an operation hangs.
    pub hang_after: Duration,
    /// Whether a value that still has a reference when all threads have ended is a failure.
    pub leaks: bool,
    /// How often in a run something may happen to a thread without a reason: a weak compare-exchange fails, a wait ends.
    pub spurious: u32,
    /// Whether a panic is a failure although another thread took it as the answer of a join.
    pub joined_panics: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            // As std's; only what is used of it is memory.
            stack_size: 2 << 20,
            spin_limit: 3,
            hang_after: Duration::from_secs(60),
            leaks: false,
            spurious: 0,
            joined_panics: false,
        }
    }
}

/// A closure whose threads are fibers: a [`Program`] that can be run any number of times.
///
/// Its type is the same for every closure, so that a search is compiled once and not once for each test.
pub struct FiberProgram {
    body: Box<dyn Fn() + Sync>,
    registry: Arc<Registry>,
    options: Options,
    pulses: Arc<Pulses>,
}

impl FiberProgram {
    /// The program that `body` is.
    pub fn new(body: impl Fn() + Sync + 'static, options: Options) -> Self {
        crate::hook::install();
        crate::overflow::install();
        FiberProgram { body: Box::new(body), registry: Arc::default(), options, pulses: Arc::default() }
    }

    /// What was learnt of the program. A search in which this changed is to be done anew.
    pub fn lessons(&self) -> Lessons {
        self.registry.lessons()
    }

    /// What is to be taken as learnt of the program.
    pub fn set_lessons(&self, lessons: Lessons) {
        self.registry.set_lessons(lessons);
    }

    /// All that was learnt of the program. A search in which this changed is to be done anew.
    pub fn knowledge(&self) -> Knowledge {
        self.registry.knowledge()
    }

    /// Whether threads of runs that are given up are forgotten, because a destructor waits or panics when they are unwound. A
    /// search in which this changed is to be done anew, in another OS thread.
    pub fn forgets(&self) -> bool {
        self.registry.forgets()
    }

    /// Whether an atomic operation was met, in any run, that is weaker than seq_cst.
    pub fn has_weak_orders(&self) -> bool {
        self.registry.has_weak_orders()
    }

    /// What is to be taken as learnt of the program.
    pub fn set_knowledge(&self, knowledge: &Knowledge) {
        self.registry.set_knowledge(knowledge);
    }

    /// All that was learnt and makes a search another one, as text for other processes.
    pub fn known(&self) -> String {
        self.registry.known()
    }

    /// Takes over what another process has learnt; it knows no less afterwards. Says what is wrong.
    pub fn know(&self, known: &str) -> Result<(), String> {
        self.registry.know(known).ok_or_else(|| "what was learnt of the program is not understood".to_owned())
    }

    /// The numbers that values are made of, those that stand for pointers say, are the same in all processes that run this
    /// program. To be called before the first run.
    pub fn use_common_numbers(&self) {
        self.registry.use_common_numbers();
    }

    fn new_run(&self, apart: bool) -> FiberRun<'_> {
        FiberRun::new(&*self.body, self.registry.clone(), self.options.clone(), self.pulses.add(), apart)
    }

    /// Ends the process with a report if a thread computes for too long, as long as the answer is kept.
    pub fn watch(&self) -> Watchdog {
        Watchdog::new(self.pulses.clone(), self.registry.clone(), self.options.hang_after)
    }
}

impl Program for FiberProgram {
    fn start(&self) -> Box<dyn Run + '_> {
        Box::new(self.new_run(false))
    }

    fn threads(&self) -> Option<Box<dyn Threads + '_>> {
        self.registry.watch_states(false);
        Some(Box::new(FiberThreads::new(self.new_run(true))))
    }

    fn names(&self) -> &dyn Names {
        &*self.registry
    }
}
