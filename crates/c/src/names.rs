//! What things are called: threads, variables and places in the program's text.

mod lines;
mod locals;
mod variables;

use crate::context::Context;
use crate::heap::Block;
use crate::layout;
use crate::one_thread::OneThread;
use crate::shadow::Extent;
pub(crate) use lines::Lines;
use model::{Location, Moment, Names, ObjectId, Site, ThreadId, ThreadPath, ThreadRegistry};
use std::path::Path;
use variables::{Part, Shape, Variables};

/// The names of one program.
pub(crate) struct CNames {
    context: OneThread<&'static Context>,
    base: usize,
    variables: OneThread<Option<Variables>>,
}

impl CNames {
    pub(crate) fn new(path: &Path, context: &'static Context, base: usize) -> Self {
        CNames { context: OneThread::new(context), base, variables: OneThread::new(Variables::read(path)) }
    }

    fn lines(&self) -> &Lines {
        self.context.lines.get().expect("the program was loaded with its lines")
    }

    /// The functions that a return address is in, each with the place of the call, the innermost first.
    pub(crate) fn functions_and_sites(&self, site: Site) -> Vec<String> {
        self.lines().functions_and_sites(site)
    }

    /// What is at an address.
    pub(crate) fn at(&self, address: usize) -> String {
        if let Some(name) = self.context.given_names.borrow().get(&address) {
            return name.clone();
        }
        if let Some(block) = self.context.heaps.block_of(address) {
            return format!("{} + {}", self.block(&block), address - block.address);
        }
        if let Some(thread) = layout::stack_owner(address) {
            let below = self.context.locals_of(thread);
            if let Some((part, function)) = self.local(address) {
                let whose = if thread.0 == 0 { String::new() } else { format!(" in {}", self.thread(thread)) };
                return format!("{} of {function}{whose}", without_only_parts(&part.name));
            }
            return match address.checked_sub(below) {
                Some(offset) => format!("thread-local of {} + {offset}", self.thread(thread)),
                None => format!("stack of {} - {}", self.thread(thread), below - address),
            };
        }
        match self.part(address) {
            Some(part) => without_only_parts(&part.name),
            None => format!("{address:#x}"),
        }
    }

    /// The part of a variable on a stack that is at an address, and the function that it is of.
    fn local(&self, address: usize) -> Option<(Part, String)> {
        let variables = self.variables.as_ref()?;
        self.context.recorder.frames_at(address).iter().find_map(|frame| variables.find_local(frame, address))
    }

    fn block(&self, block: &Block) -> String {
        match self.site(block.allocated_at) {
            Some(site) => format!("heap object allocated at {site}"),
            None => format!("heap object of {} bytes", block.size),
        }
    }

    /// What an object stands for, if it stands for memory that atomic sections touch.
    fn members(&self, object: ObjectId) -> Option<Vec<Extent>> {
        let sections = &self.context.sections;
        sections.is_object(object).then(|| sections.members(&self.context.shadow, object))
    }

    /// The part of a variable that is at an address.
    fn part(&self, address: usize) -> Option<Part> {
        match layout::stack_owner(address) {
            Some(_) => self.local(address).map(|(part, _)| part),
            None => self.variables.as_ref()?.find(address.wrapping_sub(self.base) as u64),
        }
    }
}

/// The name of a variable without what the C++ library's types for atomics and arrays call their only part.
fn without_only_parts(name: &str) -> String {
    ONLY_PARTS.iter().fold(name.to_owned(), |name, part| name.replace(part, ""))
}

const ONLY_PARTS: &[&str] = &["._M_t._M_t._M_head_impl", "._M_base._M_i", "._M_b._M_p", "._M_i", "._M_elems"];

/// The name of a mutex or the like without those of its own parts, such as `.__data.__lock` and `._M_mutex`.
fn without_inner_parts(mut name: String) -> String {
    let inner = [".__", "._M_"].iter().filter_map(|mark| name.find(mark)).min();
    name.truncate(inner.unwrap_or(name.len()));
    name
}

impl Names for CNames {
    fn registry(&self) -> Option<&ThreadRegistry> {
        Some(&self.context.threads)
    }

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

    fn whole(&self, object: ObjectId) -> String {
        let address = match self.context.shadow.find(object) {
            Some(extent) => Some(extent.address),
            None => self.context.syncs.find(object).map(|(address, _)| address),
        };
        let block = address.and_then(|address| self.context.heaps.block_of(address));
        block.map_or_else(|| self.object(object), |block| self.block(&block))
    }

    fn site(&self, site: Site) -> Option<String> {
        self.lines().site(site)
    }

    fn place(&self, moment: Moment, site: Site) -> Site {
        let calls = match moment {
            Moment::Step(step) => self.context.recorder.of_step(step),
            Moment::Wait(thread) => self.context.recorder.of_thread(thread),
            Moment::Failure(thread) => self.context.stacks.borrow().get(&(thread, site)).cloned().unwrap_or_default(),
        };
        if self.lines().is_own(site) {
            return site;
        }
        calls.into_iter().find(|&call| self.lines().is_own(call)).unwrap_or(site)
    }

    fn shows_sites(&self) -> bool {
        true
    }

    fn location(&self, site: Site) -> Option<Location> {
        self.lines().file_and_line(site)
    }

    fn text(&self, file: &str) -> Option<String> {
        std::fs::read_to_string(file).ok()
    }

    fn source(&self, site: Site) -> Option<String> {
        self.lines().source(site)
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
