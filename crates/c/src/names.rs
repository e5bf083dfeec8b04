//! What things are called: threads, variables and places in the program's text.

mod variables;

use crate::context::Context;
use crate::layout;
use crate::shadow::Extent;
use addr2line::Loader;
use model::{Moment, Names, ObjectId, Site, ThreadId, ThreadPath};
use std::path::Path;
use variables::{Part, Shape, Variables};

/// The names of one program.
pub(crate) struct CNames {
    context: &'static Context,
    base: usize,
    lines: Option<Loader>,
    variables: Option<Variables>,
}

// SAFETY: used by the one OS thread that explores.
unsafe impl Sync for CNames {}

impl CNames {
    pub(crate) fn new(path: &Path, context: &'static Context, base: usize) -> Self {
        CNames { context, base, lines: Loader::new(path).ok(), variables: Variables::read(path) }
    }

    fn at(&self, address: usize) -> String {
        if let Some(name) = self.context.given_names.borrow().get(&address) {
            return name.clone();
        }
        if let Some(block) = self.context.heaps.block_of(address) {
            let site = self.site(block.allocated_at).unwrap_or_default();
            return format!("heap object allocated at {site} + {}", address - block.address);
        }
        if let Some(thread) = layout::stack_owner(address) {
            let below = self.context.locals_of(thread);
            return match address.checked_sub(below) {
                Some(offset) => format!("thread-local of {} + {offset}", self.thread(thread)),
                None => format!("stack of {} - {}", self.thread(thread), below - address),
            };
        }
        match self.part(address) {
            Some(part) => part.name,
            None => format!("{address:#x}"),
        }
    }

    /// What an object stands for, if it stands for all memory that atomic sections touch.
    fn members(&self, object: ObjectId) -> Option<Vec<Extent>> {
        let sections = &self.context.sections;
        sections.is_object(object).then(|| sections.members(&self.context.shadow))
    }

    /// The part of a variable that is at an address.
    fn part(&self, address: usize) -> Option<Part> {
        self.variables.as_ref()?.find(address.wrapping_sub(self.base) as u64)
    }
}

impl CNames {
    /// The functions that a return address is in, each with the place of the call, the innermost first: functions that the
    /// compiler put into others are told, too.
    pub(crate) fn functions_and_sites(&self, site: Site) -> Vec<String> {
        let mut calls = Vec::new();
        let Some(mut frames) = self.frames(site) else { return calls };
        while let Ok(Some(frame)) = frames.next() {
            let Some(at) = frame.location.as_ref().and_then(file_and_line) else { continue };
            let name = frame.function.as_ref().and_then(|function| Some(function.demangle().ok()?.into_owned()));
            calls.push(name.map_or(at.clone(), |name| format!("{name} at {at}")));
        }
        calls
    }

    /// File and line of a return address: the call is before it. Of functions that are put into each other, that of the
    /// program's own text counts.
    fn location(&self, site: Site) -> Option<addr2line::Location<'_>> {
        let mut frames = self.frames(site)?;
        let mut innermost = None;
        while let Ok(Some(frame)) = frames.next() {
            if frame.location.as_ref().is_some_and(is_own) {
                return frame.location;
            }
            innermost = innermost.or(frame.location);
        }
        innermost
    }

    fn frames(&self, site: Site) -> Option<Frames<'_>> {
        let lines = self.lines.as_ref().filter(|_| site != Site::UNKNOWN)?;
        lines.find_frames(u64::from(site.0).wrapping_sub(1)).ok()
    }
}

/// The functions that an address is in.
type Frames<'a> = addr2line::FrameIter<'a, addr2line::LoaderReader<'a>>;

/// Whether a place is in the program's own text, not in a header of the system.
fn is_own(location: &addr2line::Location<'_>) -> bool {
    location.file.is_some_and(|file| !["/usr/include/", "/usr/lib/", "/usr/bin/"].iter().any(|of| file.starts_with(of)))
}

fn file_and_line(location: &addr2line::Location<'_>) -> Option<String> {
    let file = location.file?;
    let file = file.rsplit('/').next().unwrap_or(file);
    Some(format!("{file}:{}", location.line?))
}

/// The name of a mutex or the like without those of its own parts, such as `.__data.__lock` and `._M_mutex`.
fn without_inner_parts(mut name: String) -> String {
    let inner = [".__", "._M_"].iter().filter_map(|mark| name.find(mark)).min();
    name.truncate(inner.unwrap_or(name.len()));
    name
}

impl Names for CNames {
    fn thread(&self, thread: ThreadId) -> String {
        let path = self.path(thread).to_string();
        match path.split_once('.') {
            None => "main".to_owned(),
            Some((_, children)) => {
                let from_one = |child: &str| child.parse::<u32>().map_or(child.to_owned(), |n| (n + 1).to_string());
                format!("T{}", children.split('.').map(from_one).collect::<Vec<_>>().join("."))
            }
        }
    }

    fn path(&self, thread: ThreadId) -> ThreadPath {
        self.context.threads.path(thread)
    }

    fn at_path(&self, path: &ThreadPath) -> Option<ThreadId> {
        self.context.threads.at_path(path)
    }

    fn object(&self, object: ObjectId) -> String {
        if let Some(members) = self.members(object) {
            let names: Vec<String> = members.iter().map(|extent| self.at(extent.address)).collect();
            return if names.len() == 1 { names[0].clone() } else { format!("{{{}}}", names.join(", ")) };
        }
        if let Some(extent) = self.context.shadow.find(object) {
            return self.at(extent.address);
        }
        match self.context.syncs.find(object) {
            Some((address, _)) => without_inner_parts(self.at(address)),
            None => format!("object {}", object.0),
        }
    }

    fn site(&self, site: Site) -> Option<String> {
        file_and_line(&self.location(site)?)
    }

    fn place(&self, moment: Moment, site: Site) -> Site {
        let calls = match moment {
            Moment::Step(step) => self.context.recorder.of_step(step),
            Moment::Wait(thread) => self.context.recorder.of_thread(thread),
            Moment::Failure(thread) => self.context.stacks.borrow().get(&(thread, site)).cloned().unwrap_or_default(),
        };
        let is_of_own = |&call: &Site| self.location(call).as_ref().is_some_and(is_own);
        if is_of_own(&site) {
            return site;
        }
        calls.into_iter().find(is_of_own).unwrap_or(site)
    }

    fn shows_sites(&self) -> bool {
        true
    }

    fn source(&self, site: Site) -> Option<String> {
        let location = self.location(site)?;
        let text = std::fs::read_to_string(location.file?).ok()?;
        text.lines().nth(location.line?.checked_sub(1)? as usize).map(str::to_owned)
    }

    fn value(&self, object: ObjectId, value: u64) -> String {
        let extent = match self.members(object).as_deref() {
            None => self.context.shadow.find(object),
            Some(&[extent]) => Some(extent),
            // It stands for the values of several variables.
            Some(_) => return format!("#{:04x}", value >> 48),
        };
        match extent.and_then(|extent| self.part(extent.address)).map(|part| part.shape) {
            Some(Shape::Pointer) if value == 0 => return "NULL".to_owned(),
            Some(Shape::Pointer) => return format!("{value:#x}"),
            Some(Shape::Unsigned) => return value.to_string(),
            Some(Shape::Signed) | None => {}
        }
        match extent.map(|extent| extent.size) {
            Some(1) => (value as i8).to_string(),
            Some(2) => (value as i16).to_string(),
            Some(4) => (value as i32).to_string(),
            _ if value > 1 << 40 && (value as i64) > 0 => format!("{value:#x}"),
            _ => (value as i64).to_string(),
        }
    }
}
