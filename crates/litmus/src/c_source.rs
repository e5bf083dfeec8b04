//! Prints sketches as C, so that the C front end can be held against the litmus one: the same program must have the same
//! classes in both.
//!
//! C has no blind additions and no awaits; [`portable`] puts what C has in their place. What is printed is plain C11 with
//! POSIX threads, but for `__VERIFIER_assume` and `mzk_choose`. Any number of programs can be printed into one source, whose `main`
//! takes the number of the program to run: compiling is what takes time.
//!
//! ```
//! use mazurka_litmus::{Sketch, c_source};
//!
//! let sketch: Sketch = "var x; x = 1 | r = x; assert r == 1, \"seen\"".parse()?;
//! let source = c_source::print(&[c_source::portable(&sketch)])?;
//! assert!(source.contains("atomic_store(&p0_x, 1);") && source.contains("assert(equal(l_r, 1));"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod portable;

pub use portable::portable;

use crate::sketch::{Action, Declaration, ObjectKind, Sketch};
use body::Bodies;
use std::fmt::{self, Write};

/// A sketch that C cannot express.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unprintable {
    /// A join of what is not the handle of a thread that the same body created.
    Join,
    /// An operation that C has not: it is to be made [`portable`] first.
    Action(Action),
    /// A selection.
    Select,
    /// A memory order other than seq_cst, or a fence.
    Order,
}

impl fmt::Display for Unprintable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unprintable::Join => write!(f, "C joins only threads that the same body created; make the sketch portable"),
            Unprintable::Action(action) => write!(f, "C has no {action:?}; make the sketch portable"),
            Unprintable::Select => write!(f, "C cannot wait for the first of several operations"),
            Unprintable::Order => write!(f, "memory orders other than seq_cst and fences are not printed as C"),
        }
    }
}

impl std::error::Error for Unprintable {}

/// What every source begins with. Litmus arithmetic wraps, and its division is Euclidean; truth is 1 and falsehood 0.
const PRELUDE: &str = "\
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

void __VERIFIER_assume(int);
unsigned mzk_choose(unsigned);

#define BINARY(name, expression) \\
    __attribute__((unused)) static inline int64_t name(int64_t a, int64_t b) { return (int64_t)(expression); }
BINARY(either, a || b)
BINARY(both, a && b)
BINARY(equal, a == b)
BINARY(differs, a != b)
BINARY(less, a < b)
BINARY(at_most, a <= b)
BINARY(more, a > b)
BINARY(at_least, a >= b)
BINARY(plus, (uint64_t)a + (uint64_t)b)
BINARY(minus, (uint64_t)a - (uint64_t)b)
BINARY(times, (uint64_t)a * (uint64_t)b)
BINARY(remainder_of, b == -1 ? 0 : a % b + (a % b < 0 ? (b < 0 ? -b : b) : 0))
BINARY(quotient_of, b == -1 ? minus(0, a) : (a - remainder_of(a, b)) / b)
";

/// One source with all of these programs. Its `main` runs the one whose number, counted from 0, is its argument.
pub fn print(sketches: &[Sketch]) -> Result<String, Unprintable> {
    let mut source = PRELUDE.to_owned();
    for (number, sketch) in sketches.iter().enumerate() {
        let prefix = format!("p{number}_");
        declarations(&mut source, sketch, &prefix);
        Bodies::of(sketch, &prefix).print(&mut source)?;
        start(&mut source, sketch, &prefix);
    }
    source.push_str("\nint main(int argc, char **argv)\n{\n    switch (argc > 1 ? atoi(argv[1]) : 0) {\n");
    for number in 0..sketches.len() {
        let _ = writeln!(source, "    case {number}:\n        p{number}_start();\n        break;");
    }
    // The program ends with its last thread, as a litmus program does.
    source.push_str("    default:\n        abort();\n    }\n    pthread_exit(NULL);\n}\n");
    Ok(source)
}

fn declarations(source: &mut String, sketch: &Sketch, prefix: &str) {
    source.push('\n');
    for declared in &sketch.objects {
        let kind = match declared.kind {
            ObjectKind::Variable => "_Atomic int64_t",
            ObjectKind::Guarded { .. } => "int64_t",
            ObjectKind::Mutex => "pthread_mutex_t",
            ObjectKind::RwLock => "pthread_rwlock_t",
            ObjectKind::Condvar => "pthread_cond_t",
            ObjectKind::Semaphore => "sem_t",
            ObjectKind::Barrier { .. } => "pthread_barrier_t",
            // What is done to one cannot be printed, so this stays unused.
            ObjectKind::Mailbox | ObjectKind::Latch | ObjectKind::Region => "char",
        };
        let _ = write!(source, "static {kind} {prefix}{}", declared.name);
        if declared.size.is_some() {
            let _ = write!(source, "[{}]", declared.len().max(1));
        }
        source.push_str(";\n");
    }
}

/// What one element of a declaration has to be set to before the threads start.
fn initialisation(declared: &Declaration, element: u32, place: &str) -> Option<String> {
    let initial = declared.initial_of(element);
    match declared.kind {
        ObjectKind::Variable if initial != 0 => Some(format!("atomic_init(&{place}, {initial});")),
        ObjectKind::Guarded { .. } if initial != 0 => Some(format!("{place} = {initial};")),
        ObjectKind::Variable | ObjectKind::Guarded { .. } => None,
        ObjectKind::Mailbox | ObjectKind::Latch | ObjectKind::Region => None,
        ObjectKind::Mutex => Some(format!("pthread_mutex_init(&{place}, NULL);")),
        ObjectKind::RwLock => Some(format!("pthread_rwlock_init(&{place}, NULL);")),
        ObjectKind::Condvar => Some(format!("pthread_cond_init(&{place}, NULL);")),
        ObjectKind::Semaphore => Some(format!("sem_init(&{place}, 0, {initial});")),
        ObjectKind::Barrier { parties } => Some(format!("pthread_barrier_init(&{place}, NULL, {parties});")),
    }
}

/// The function that sets up the objects of a program and creates its initial threads.
fn start(source: &mut String, sketch: &Sketch, prefix: &str) {
    let _ = writeln!(source, "\nstatic void {prefix}start(void)\n{{\n    pthread_t thread;");
    for declared in &sketch.objects {
        for element in 0..declared.len() {
            let index = declared.size.map_or(String::new(), |_| format!("[{element}]"));
            if let Some(line) = initialisation(declared, element, &format!("{prefix}{}{index}", declared.name)) {
                let _ = writeln!(source, "    {line}");
            }
        }
    }
    for number in 0..sketch.threads.len() {
        let _ = writeln!(source, "    pthread_create(&thread, NULL, {prefix}thread{number}, NULL);");
    }
    source.push_str("}\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> Result<String, Unprintable> {
        print(&[portable(&text.parse().expect("a program"))])
    }

    #[test]
    fn what_c_has_not_is_refused_unless_made_portable() {
        let awaits: Sketch = "var x; x += 1 | await x == 1".parse().unwrap();
        assert!(matches!(print(&[awaits]), Err(Unprintable::Action(_))));
        let sketch: Sketch = "var x; x += 1; join 1 | await x == 1".parse().unwrap();
        assert!(print(std::slice::from_ref(&sketch)).is_err());
        let source = print(&[portable(&sketch)]).unwrap();
        assert!(source.contains("atomic_fetch_add(&p0_x, 1);"), "{source}");
        assert!(source.contains("__VERIFIER_assume(equal("), "{source}");
    }

    #[test]
    fn a_thread_is_joined_once_and_by_its_creator() {
        let source = printed("var x; r = spawn { x = 1 }; join r; join r | x = 2").unwrap();
        assert_eq!(source.matches("pthread_join(handle_of_l_r, NULL);").count(), 2, "{source}");
        assert!(source.contains("if (l_r_can_be_joined != 0) {"), "{source}");
    }

    #[test]
    fn a_section_that_a_try_lock_could_see_is_a_lock_and_an_unlock() {
        let text = "mutex m; guarded g by m; section m { g = 1 } | r = try_lock m";
        let sketch = portable(&text.parse().unwrap());
        assert_eq!(sketch, "mutex m; var g; lock m; g = 1; unlock m | r = try_lock m".parse().unwrap(), "{sketch}");
        let untried: Sketch = "mutex m; guarded g by m; section m { g = 1 } | lock m".parse().unwrap();
        assert_eq!(portable(&untried), untried);
    }

    #[test]
    fn templates_get_their_arguments() {
        let source = printed("var a[2]; def w(i) { a[i] = i + 1 } main: spawn w(0); spawn w(1)").unwrap();
        assert!(source.contains("static void *p0_template0(void *argument)"), "{source}");
        assert!(source.contains("atomic_store(&p0_a[l_i], plus(l_i, 1));"), "{source}");
    }
}
