//! What was found out about a program by searching it, as text: which memory is shared.
//!
//! Which accesses are operations depends on it, and so does what a schedule means. A schedule of a C program comes with
//! it, so that another process can run it.
//!
//! `g4010:4,h0.1+20:8,s0+3effc0:4` reads: 4 bytes of the program's variables at 0x4010 of its file, 8 bytes of
//! the heap of the second child of the main thread, and 4 bytes of the main thread's stack. `*1a40*`
//! before a place says that atomic sections touch it that begin at 0x1a40 of the text, `a1b22:1a40` that those that begin at 0x1b22 count as
//! one with these, `c` that more threads come to a barrier than meet there, and `r` that memory is used again. `u12:1a40` says
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
    for (site, first) in context.sections.sites() {
        add(format!("a{:x}:{:x}", site.0, first.0));
    }
    for (address, size) in context.shadow.shared_objects() {
        let member = context.shadow.object_at(address);
        let site = member.and_then(|member| context.sections.first_site(member));
        let star = site.map_or(String::new(), |site| format!("*{:x}*", site.0));
        add(format!("{star}{}:{size:x}", place(context, address)));
    }
    if context.syncs.is_crowded() {
        add("c".to_owned());
    }
    if context.compares_states() {
        add("r".to_owned());
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
    let number = |text: &str| usize::from_str_radix(text, 16).ok();
    let site = |text: &str| u32::from_str_radix(text, 16).ok().map(Site);
    let (section, item) = match item.strip_prefix('*') {
        Some(rest) => rest.split_once('*').and_then(|(at, item)| Some((Some(site(at)?), item)))?,
        None => (None, item),
    };
    if item == "c" {
        context.syncs.set_crowded();
        return Some(());
    }
    if item == "r" {
        context.compare_states();
        return Some(());
    }
    let (at, size) = item.split_once(':')?;
    if let Some(at) = at.strip_prefix('a') {
        context.sections.join(&context.shadow, site(at)?, site(size)?);
        return Some(());
    }
    for (letter, because_of) in [('u', Memory::Heap), ('v', Memory::Stack)] {
        if let Some(access) = at.strip_prefix(letter) {
            context.part_at(Parting { access: number(access)?, other: site(size)?, because_of });
            return Some(());
        }
    }
    let start = place_at(context, at)?;
    context.shadow.know(start, number(size)?)?;
    if let Some(site) = section {
        context.sections.know(&context.shadow, site, context.shadow.object_at(start)?);
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
