//! A compiled program and its names.

use crate::code::Code;
use crate::compile::compile;
use crate::error::BuildError;
use crate::listing::Listing;
use crate::run::LitmusThreads;
use crate::sketch::{ObjectKind, Sketch};
use model::{Location, Names, ObjectId, Program, Run, Site, ThreadId, ThreadPath, ThreadRegistry, Threads};
use objects::Machine;
use std::sync::{Mutex, MutexGuard, OnceLock};

/// A program as data, ready to run.
///
/// Threads that fail before their first visible operation, where there is no step yet to report the failure on, are
/// given a [`yield`](model::OpKind::Yield) as their first operation, and fail on it. It depends on nothing, so it adds
/// no class.
#[derive(Debug)]
pub struct LitmusProgram {
    sketch: Sketch,
    code: Code,
    registry: ThreadRegistry,
    /// Which body each thread ran when first seen, if it was; for its name.
    bodies: Mutex<Vec<Option<u32>>>,
    /// Made when a report asks for it.
    listing: OnceLock<Listing>,
}

/// What the listing of a program is called where a file has a name.
const LISTING: &str = "program.litmus";

impl LitmusProgram {
    /// Compiles a sketch.
    pub fn new(sketch: Sketch) -> Result<Self, BuildError> {
        let code = compile(&sketch)?;
        let registry = ThreadRegistry::default();
        for nth in 0..code.initial.len() {
            registry.intern(None, nth as u32);
        }
        let bodies = Mutex::new(code.initial.iter().map(|&body| Some(body as u32)).collect());
        Ok(LitmusProgram { sketch, code, registry, bodies, listing: OnceLock::new() })
    }

    /// What it was compiled from.
    pub fn sketch(&self) -> &Sketch {
        &self.sketch
    }

    /// What an object is.
    pub fn object_kind(&self, object: ObjectId) -> ObjectKind {
        self.code.objects[object.index()].1
    }

    /// How many objects there are, guarded cells left out.
    pub fn object_count(&self) -> usize {
        self.code.objects.len()
    }

    pub(crate) fn code(&self) -> &Code {
        &self.code
    }

    /// The id of a thread's `nth` child, which runs `body` now. Takes a lock: runs keep the answer.
    pub(crate) fn child(&self, parent: ThreadId, nth: u32, body: u32) -> ThreadId {
        let mut bodies = self.lock_bodies();
        let id = self.registry.intern(Some(parent), nth);
        if bodies.len() <= id.index() {
            bodies.resize(id.index() + 1, None);
        }
        bodies[id.index()].get_or_insert(body);
        id
    }

    fn listing(&self) -> &Listing {
        self.listing.get_or_init(|| Listing::of(&self.sketch))
    }

    fn lock_bodies(&self) -> MutexGuard<'_, Vec<Option<u32>>> {
        // Nothing panics while holding it.
        self.bodies.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Program for LitmusProgram {
    fn start(&self) -> Box<dyn Run + '_> {
        Box::new(Machine::new(LitmusThreads::new(self)))
    }

    fn names(&self) -> &dyn Names {
        self
    }

    /// None where a thread may ask for several operations: those who drive threads apart from memory ask for one.
    fn threads(&self) -> Option<Box<dyn Threads + '_>> {
        if !self.code.arms.is_empty() {
            return None;
        }
        Some(Box::new(LitmusThreads::new(self)))
    }
}

impl Names for LitmusProgram {
    /// The name of the body; a spawned thread's is followed by its place in the tree of spawns, to tell it from others.
    fn thread(&self, thread: ThreadId) -> String {
        let body = self.lock_bodies().get(thread.index()).copied().flatten();
        let Some(body) = body else { return format!("thread {}", thread.0) };
        let name = &self.code.bodies[body as usize].name;
        if thread.index() < self.code.initial.len() { name.clone() } else { format!("{name}#{}", self.path(thread)) }
    }

    fn path(&self, thread: ThreadId) -> ThreadPath {
        self.registry.path(thread)
    }

    fn at_path(&self, path: &ThreadPath) -> Option<ThreadId> {
        self.registry.at_path(path)
    }

    fn registry(&self) -> Option<&ThreadRegistry> {
        Some(&self.registry)
    }

    fn object(&self, object: ObjectId) -> String {
        self.code.objects.get(object.index()).map_or_else(|| "-".to_owned(), |(name, _)| name.clone())
    }

    fn site(&self, site: Site) -> Option<String> {
        self.code.sites.get(site.0 as usize).cloned()
    }

    fn location(&self, site: Site) -> Option<Location> {
        let line = *self.listing().lines.get(site.0 as usize)?;
        Some(Location { file: LISTING.to_owned(), line })
    }

    fn text(&self, file: &str) -> Option<String> {
        (file == LISTING).then(|| self.listing().text.clone())
    }
}
