//! Checks declarations and lays the objects out.

use crate::code::Code;
use crate::error::BuildError;
use crate::notation::is_name;
use crate::sketch::{Body, Declaration, ObjectKind, Sketch};
use model::State;
use std::collections::HashSet;

/// The most objects that a program may declare: more is a typing error.
const MOST_OBJECTS: u64 = 1 << 24;

/// Puts the objects and cells of a sketch into `code`; says for each declaration which is its first.
pub(crate) fn declare(sketch: &Sketch, code: &mut Code) -> Result<Vec<u32>, BuildError> {
    if sketch.threads.is_empty() {
        return Err(BuildError::NoThreads);
    }
    let mut names = HashSet::new();
    let mut first = Vec::with_capacity(sketch.objects.len());
    let mut total = 0;
    for declared in &sketch.objects {
        let error = |problem| BuildError::Declaration { name: declared.name.clone(), problem };
        if !is_name(&declared.name) {
            return Err(error(
                "a name is letters, digits and '_', starts with no digit, and is no word of the notation",
            ));
        }
        if !names.insert(&declared.name) {
            return Err(error("the name is taken"));
        }
        total += u64::from(declared.len());
        if total > MOST_OBJECTS {
            return Err(error("there are too many objects"));
        }
        check(sketch, declared).map_err(error)?;
        let initial = (0..declared.len()).map(|i| declared.initial_of(i));
        if matches!(declared.kind, ObjectKind::Guarded { .. }) {
            first.push(code.cells.len() as u32);
            code.cells.extend(initial);
            continue;
        }
        first.push(code.words.len() as u32);
        code.words.extend(initial.map(|value| value as State));
        let name_of =
            |i| if declared.size.is_some() { format!("{}[{i}]", declared.name) } else { declared.name.clone() };
        code.objects.extend((0..declared.len()).map(|i| (name_of(i), declared.kind)));
    }
    Ok(first)
}

/// Checks the names of a body's locals, so that what is printed means the same.
pub(crate) fn locals(sketch: &Sketch, body: &Body) -> Result<(), BuildError> {
    let mut names: HashSet<_> = sketch.objects.iter().map(|declared| &declared.name).collect();
    match body.locals.iter().find(|name| !is_name(name) || !names.insert(name)) {
        Some(name) => Err(BuildError::Declaration { name: name.clone(), problem: "a local needs a name of its own" }),
        None => Ok(()),
    }
}

fn check(sketch: &Sketch, declared: &Declaration) -> Result<(), &'static str> {
    let values = declared.initial.len();
    if values > 1 && values != declared.len() as usize {
        return Err("there must be one initial value, or one for each element");
    }
    match declared.kind {
        ObjectKind::Variable => Ok(()),
        ObjectKind::Semaphore | ObjectKind::Latch if declared.initial.iter().any(|&count| count < 0) => {
            Err("a count cannot be negative")
        }
        ObjectKind::Semaphore | ObjectKind::Latch => Ok(()),
        ObjectKind::Guarded { by } => match sketch.objects.get(by.0 as usize) {
            Some(mutex) if !matches!(mutex.kind, ObjectKind::Mutex | ObjectKind::Region) => {
                Err("what guards it is no mutex and no region")
            }
            Some(mutex) if mutex.len() == 1 || mutex.len() == declared.len() => Ok(()),
            Some(_) => Err("there must be one mutex for all, or one for each element"),
            None => Err("what guards it is not declared"),
        },
        _ if values > 0 => Err("only variables, guarded cells, semaphores and latches have initial values"),
        ObjectKind::Barrier { parties: 0 } => Err("a barrier needs at least one party"),
        ObjectKind::Barrier { .. } | ObjectKind::Mailbox => Ok(()),
        ObjectKind::Mutex | ObjectKind::RwLock | ObjectKind::Condvar | ObjectKind::Region => Ok(()),
    }
}
