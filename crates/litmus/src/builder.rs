//! Writes programs in Rust, nearly as the papers write them.
//!
//! ```
//! use mazurka_litmus::{Builder, Operand};
//! let n = 3;
//! let mut p = Builder::new();
//! let a = p.variables("a", n + 1);
//! p.thread("reader", |t| {
//!     let i = t.local("i", n);
//!     t.repeat(|t| {
//!         t.break_if(i.at_most(0));
//!         let v = t.read(a.at(i));
//!         t.break_if(v.is(0));
//!         t.set(i, i - 1);
//!     });
//! });
//! for j in 1..=n {
//!     p.thread(format!("writer[{j}]"), |t| {
//!         let v = t.read(a.at(j - 1));
//!         t.write(a.at(j), v + 1);
//!     });
//! }
//! assert!(p.build().is_ok());
//! ```

mod expr;
mod thread;

pub use expr::Operand;
pub use thread::ThreadBuilder;

use crate::error::BuildError;
use crate::program::LitmusProgram;
use crate::sketch::{Declaration, Expr, ObjectKind, ObjectRef, Place, Sketch, Template, Thread};

/// A program being written.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    sketch: Sketch,
}

/// A declared object, or array of objects.
#[derive(Clone, Copy, Debug)]
pub struct Objects(ObjectRef);

impl Objects {
    /// The element with this index.
    pub fn at(self, index: impl Into<Expr>) -> Place {
        Place { object: self.0, index: Some(index.into()) }
    }
}

impl From<Objects> for Place {
    fn from(objects: Objects) -> Place {
        Place { object: objects.0, index: None }
    }
}

/// A body that can be spawned.
#[derive(Clone, Copy, Debug)]
pub struct TemplateRef(usize);

/// An initial thread, to be joined.
#[derive(Clone, Copy, Debug)]
pub struct InitialThread(i64);

impl From<InitialThread> for Expr {
    fn from(thread: InitialThread) -> Expr {
        Expr::Number(thread.0)
    }
}

/// Methods that declare one object and methods that declare an array of a kind.
macro_rules! declare {
    ($($one:ident, $many:ident, $kind:expr, $what:literal;)*) => {$(
        #[doc = concat!("Declares ", $what, ".")]
        pub fn $one(&mut self, name: &str) -> Objects {
            self.declare(name, $kind, None, Vec::new())
        }

        #[doc = concat!("Declares an array: each element is ", $what, ".")]
        pub fn $many(&mut self, name: &str, size: i64) -> Objects {
            self.declare(name, $kind, Some(size), Vec::new())
        }
    )*};
}

impl Builder {
    /// An empty program.
    pub fn new() -> Self {
        Builder::default()
    }

    declare! {
        variable, variables, ObjectKind::Variable, "a shared variable, 0 at first";
        mutex, mutexes, ObjectKind::Mutex, "a mutex";
        rwlock, rwlocks, ObjectKind::RwLock, "a reader-writer lock";
        condvar, condvars, ObjectKind::Condvar, "a condition variable";
        mailbox, mailboxes, ObjectKind::Mailbox, "a mailbox";
    }

    /// Declares a shared variable with an initial value.
    pub fn variable_of(&mut self, name: &str, initial: i64) -> Objects {
        self.declare(name, ObjectKind::Variable, None, vec![initial])
    }

    /// Declares an array of shared variables with their initial values.
    pub fn variables_of(&mut self, name: &str, initial: &[i64]) -> Objects {
        self.declare(name, ObjectKind::Variable, Some(initial.len() as i64), initial.to_vec())
    }

    /// Declares a semaphore with an initial count.
    pub fn semaphore(&mut self, name: &str, count: i64) -> Objects {
        self.declare(name, ObjectKind::Semaphore, None, vec![count])
    }

    /// Declares an array of semaphores with one initial count.
    pub fn semaphores(&mut self, name: &str, size: i64, count: i64) -> Objects {
        self.declare(name, ObjectKind::Semaphore, Some(size), vec![count])
    }

    /// Declares a latch that is to be counted down so many times.
    pub fn latch(&mut self, name: &str, count: i64) -> Objects {
        self.declare(name, ObjectKind::Latch, None, vec![count])
    }

    /// Declares a barrier for so many threads.
    pub fn barrier(&mut self, name: &str, parties: u32) -> Objects {
        self.declare(name, ObjectKind::Barrier { parties }, None, Vec::new())
    }

    /// Declares an array of barriers for so many threads each.
    pub fn barriers(&mut self, name: &str, size: i64, parties: u32) -> Objects {
        self.declare(name, ObjectKind::Barrier { parties }, Some(size), Vec::new())
    }

    /// Declares a cell, 0 at first, that only sections of this mutex touch.
    pub fn guarded(&mut self, name: &str, by: Objects) -> Objects {
        self.declare(name, ObjectKind::Guarded { by: by.0 }, None, Vec::new())
    }

    /// Declares an array of cells, 0 at first, that only sections of these mutexes touch: one for all of them, or one
    /// for each.
    pub fn guarded_array(&mut self, name: &str, size: i64, by: Objects) -> Objects {
        self.declare(name, ObjectKind::Guarded { by: by.0 }, Some(size), Vec::new())
    }

    fn declare(&mut self, name: &str, kind: ObjectKind, size: Option<i64>, initial: Vec<i64>) -> Objects {
        let size = size.map(|size| u32::try_from(size).expect("the size of an array is a small positive number"));
        self.sketch.objects.push(Declaration { name: name.to_owned(), kind, size, initial });
        Objects(ObjectRef(self.sketch.objects.len() as u32 - 1))
    }

    /// A thread that exists from the start. They are created in the order in which they are written.
    pub fn thread(&mut self, name: impl Into<String>, write: impl FnOnce(&mut ThreadBuilder)) -> InitialThread {
        let mut thread = ThreadBuilder::default();
        write(&mut thread);
        self.sketch.threads.push(Thread { name: Some(name.into()), body: thread.finish() });
        InitialThread(self.sketch.threads.len() as i64 - 1)
    }

    /// A body to be spawned, whose parameters have these names. A body may spawn those written before it.
    pub fn template<const N: usize>(
        &mut self,
        name: &str,
        parameters: [&str; N],
        write: impl FnOnce(&mut ThreadBuilder, [crate::sketch::Local; N]),
    ) -> TemplateRef {
        let mut thread = ThreadBuilder::default();
        let locals = parameters.map(|name| thread.fresh(name));
        write(&mut thread, locals);
        self.sketch.templates.push(Template { name: name.to_owned(), parameters: N, body: thread.finish() });
        TemplateRef(self.sketch.templates.len() - 1)
    }

    /// What was written.
    pub fn sketch(self) -> Sketch {
        self.sketch
    }

    /// The program, ready to run.
    pub fn build(self) -> Result<LitmusProgram, BuildError> {
        LitmusProgram::new(self.sketch)
    }
}
