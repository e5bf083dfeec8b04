//! Discoveries as text: a line for each, with its sort, the thread, a place in memory as in [`known`], and a size.

use super::Discovery;
use crate::context::{Context, Refusal};
use crate::known::{self, place, place_at};
use crate::layout::MAX_THREADS;
use model::{Site, ThreadId};
use std::fmt::Write;

/// All that was kept, and what the program asked for that cannot be. None if it is more than can be kept.
pub(crate) fn print(context: &Context) -> Option<String> {
    let mut text = String::new();
    for &discovery in context.shadow.discoveries.all()? {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}", line(context, discovery));
    }
    for schedule in context.uninitialised.executions() {
        let _ = writeln!(text, "uninitialised {schedule}");
    }
    if let Some(Refusal { what, site, address }) = &*context.refusal.borrow() {
        let address = address.unwrap_or(0);
        let _ = writeln!(text, "refusal {:x} {address:x} {}", site.0, what.replace('\n', " "));
    }
    Some(text)
}

fn line(context: &Context, discovery: Discovery) -> String {
    let access = |sort: &str, thread: ThreadId, address: usize, size: usize| {
        format!("{sort} {} {} {size:x}", context.threads.path(thread), place(context, address))
    };
    match discovery {
        Discovery::First { thread, address, size } => access("first", thread, address, size),
        Discovery::Touch { thread, address, size, atomic: false } => access("touch", thread, address, size),
        Discovery::Touch { thread, address, size, atomic: true } => access("atomic", thread, address, size),
        Discovery::Whole { thread, address, size } => access("whole", thread, address, size),
        Discovery::Sweep { thread, address, size } => access("sweep", thread, address, size),
        Discovery::Suspect(address) => format!("suspect {}", place(context, address)),
        Discovery::Sections(site) => format!("sections {:x}", site.0),
        Discovery::Section { site, address } => format!("section {:x} {}", site.0, place(context, address)),
        Discovery::Crowd => "crowd ".to_owned(),
        Discovery::WeakOrders => "weak_orders ".to_owned(),
        Discovery::Thread(thread) => format!("thread {}", context.threads.path(thread)),
    }
}

/// Finds out what another process found out.
pub(crate) fn learn(context: &Context, text: &str) -> Result<(), String> {
    for line in text.lines() {
        if context.refusal.borrow().is_some() {
            // Nothing else matters any more.
            break;
        }
        learn_line(context, line).ok_or_else(|| format!("a worker found out '{line}', which is not understood"))?;
    }
    Ok(())
}

fn learn_line(context: &Context, line: &str) -> Option<()> {
    let (sort, rest) = line.split_once(' ')?;
    let site = |text: &str| u32::from_str_radix(text, 16).ok().map(Site);
    match sort {
        "suspect" => {
            context.shadow.suspect(place_at(context, rest)?);
        }
        "sections" => {
            context.region_of_sections(site(rest)?);
        }
        "section" => {
            // Where the other process had an object, this one has some, too: it has found out the same before.
            let (at, rest) = rest.split_once(' ')?;
            context.know_in_sections(site(at)?, context.shadow.object_at(place_at(context, rest)?)?);
        }
        "crowd" => context.know_crowd(),
        "weak_orders" => context.know_weak_orders(),
        "uninitialised" => context.uninitialised.note_execution(|| rest.to_owned()),
        "thread" => {
            known_thread(context, rest)?;
            // Threads are ordered by when they were met, and everybody is to have the same order.
            context.shadow.refine();
        }
        "refusal" => {
            let (at, rest) = rest.split_once(' ')?;
            let (address, what) = rest.split_once(' ')?;
            let address = usize::from_str_radix(address, 16).ok()?;
            context.refuse_at(what.to_owned(), site(at)?, (address != 0).then_some(address));
        }
        _ => return learn_access(context, sort, rest),
    }
    Some(())
}

fn learn_access(context: &Context, sort: &str, rest: &str) -> Option<()> {
    let shadow = &context.shadow;
    let [path, at, size] = rest.split(' ').collect::<Vec<_>>().try_into().ok()?;
    let Some(thread) = known_thread(context, path)? else { return Some(()) };
    let (address, size) = (place_at(context, at)?, usize::from_str_radix(size, 16).ok()?);
    match sort {
        "first" => shadow.own(thread, address..address.checked_add(size)?),
        "touch" | "atomic" => {
            shadow.touch(thread, address, size, sort == "atomic");
        }
        "whole" => {
            shadow.touch_whole(thread, address, size);
        }
        "sweep" => {
            shadow.next_shared(thread, address, address.checked_add(size)?);
        }
        _ => return None,
    }
    Some(())
}

/// The thread of a path. `Some(None)` if all processes together have met more threads than there may be: then the program
/// cannot be checked.
fn known_thread(context: &Context, path: &str) -> Option<Option<ThreadId>> {
    let thread = known::thread(context, path)?;
    let is_too_many = thread.index() >= MAX_THREADS;
    if is_too_many {
        context.refuse_at(known::too_many_threads(), Site::UNKNOWN, None);
    }
    Some((!is_too_many).then_some(thread))
}
