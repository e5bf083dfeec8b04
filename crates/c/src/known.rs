//! What was found out about a program by searching it, as text: which memory is shared.
//!
//! Which accesses are operations depends on it, and so does what a schedule means. A schedule of a C program comes with
//! it, so that another process can run it.
//!
//! `g4010:4,h0.1+20:8,s0+3effc0:4` reads: 4 bytes of the program's variables at 0x4010 of its file, 8 bytes of
//! the heap of the second child of the main thread, and 4 bytes of the main thread's stack. A star
//! before a place says that atomic sections touch it, and `c` that more threads come to a barrier than meet there. `u12:1a40` says
//! that memory which was never initialised decides at access 0x12 of the execution, which could also be at 0x1a40 of the text.

use crate::context::Context;
use crate::layout;
use crate::uninitialised::{Memory, Parting};
use model::{Site, ThreadId, ThreadPath};
use std::fmt::Write;

/// Everything that was found out so far.
pub(crate) fn print(context: &Context) -> String {
    let mut text = String::new();
    let mut add = |item: String| {
        let comma = if text.is_empty() { "" } else { "," };
        let _ = write!(text, "{comma}{item}");
    };
    let of_sections = context.sections.members(&context.shadow);
    for (address, size) in context.shadow.shared_objects() {
        let star = if of_sections.iter().any(|extent| extent.address == address) { "*" } else { "" };
        add(format!("{star}{}:{size:x}", place(context, address)));
    }
    if context.syncs.is_crowded() {
        add("c".to_owned());
    }
    if let Some(Parting { access, other, because_of }) = context.uninitialised.parting() {
        let letter = if because_of == Memory::Heap { 'u' } else { 'v' };
        add(format!("{letter}{access:x}:{:x}", other.0));
    }
    text
}

/// A place in memory.
pub(crate) fn place(context: &Context, address: usize) -> String {
    let of_thread = |letter: char, thread: ThreadId, start: usize| {
        format!("{letter}{}+{:x}", context.threads.path(thread), address - start)
    };
    match (layout::heap_owner(address), layout::stack_owner(address)) {
        (Some(thread), _) => of_thread('h', thread, layout::heap_of(thread).start),
        (_, Some(thread)) => of_thread('s', thread, layout::stack_of(thread).start),
        _ => format!("g{:x}", address - context.image().base),
    }
}

/// Takes over what another process found out.
pub(crate) fn read(context: &Context, text: &str) -> Result<(), String> {
    for item in text.split(',').filter(|item| !item.is_empty()) {
        read_item(context, item).ok_or_else(|| {
            format!("'{item}' in the schedule is not understood; copy the schedule whole from the report")
        })?;
    }
    Ok(())
}

fn read_item(context: &Context, item: &str) -> Option<()> {
    let (item, of_sections) = item.strip_prefix('*').map_or((item, false), |item| (item, true));
    let number = |text: &str| usize::from_str_radix(text, 16).ok();
    if item == "c" {
        context.syncs.set_crowded();
        return Some(());
    }
    let (at, size) = item.split_once(':')?;
    for (letter, because_of) in [('u', Memory::Heap), ('v', Memory::Stack)] {
        if let Some(access) = at.strip_prefix(letter) {
            let other = Site(u32::from_str_radix(size, 16).ok()?);
            context.part_at(Parting { access: number(access)?, other, because_of });
            return Some(());
        }
    }
    let start = place_at(context, at)?;
    context.shadow.know(start, number(size)?)?;
    if of_sections {
        context.sections.know(&context.shadow, context.shadow.object_at(start)?);
    }
    Some(())
}

/// The address of a place.
pub(crate) fn place_at(context: &Context, place: &str) -> Option<usize> {
    let number = |text: &str| usize::from_str_radix(text, 16).ok();
    let (kind, at) = place.split_at_checked(1)?;
    if kind == "g" {
        return context.image().base.checked_add(number(at)?);
    }
    let (path, offset) = at.split_once('+')?;
    let thread = thread(context, path).filter(|thread| thread.index() < layout::MAX_THREADS)?;
    let start = match kind {
        "h" => layout::heap_of(thread).start,
        "s" => layout::stack_of(thread).start,
        _ => return None,
    };
    start.checked_add(number(offset)?)
}

/// Why a program with too many threads is refused.
pub(crate) fn too_many_threads() -> String {
    format!("more threads than are supported ({})", layout::MAX_THREADS)
}

/// The thread of a path, which this process may not have met yet.
pub(crate) fn thread(context: &Context, path: &str) -> Option<ThreadId> {
    let mut thread = None;
    for child in path.split('.') {
        thread = Some(context.threads.intern(thread, child.parse().ok()?));
    }
    path.parse::<ThreadPath>().ok()?;
    thread
}
