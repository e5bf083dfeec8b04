//! Names that stay the same from run to run.

use crate::{Choice, ObjectId, Site, ThreadId};
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex};

/// How things are called in reports and schedules.
pub trait Names: Sync {
    /// A thread's name for people.
    fn thread(&self, thread: ThreadId) -> String;
    /// A thread's place in the tree of spawns: what schedules are written in.
    fn path(&self, thread: ThreadId) -> ThreadPath;
    /// The thread at a place in the tree of spawns, if any run had it so far.
    fn at_path(&self, path: &ThreadPath) -> Option<ThreadId>;
    /// An object's name for people.
    fn object(&self, object: ObjectId) -> String;
    /// The name of the whole that an object is a part of, such as a block of the heap.
    fn whole(&self, object: ObjectId) -> String {
        self.object(object)
    }
    /// A place in the program's text, when the front end knows it.
    fn site(&self, site: Site) -> Option<String>;
    /// The site that says most to people of a moment of the last run whose own site is this one: the place in their own text
    /// from which a function of a library was called, say.
    fn place(&self, moment: Moment, site: Site) -> Site {
        let _ = moment;
        site
    }
    /// Whether reports say the site of each step beside it.
    fn shows_sites(&self) -> bool {
        false
    }
    /// What the step at a site does, where that says more than its operation.
    fn statement(&self, site: Site) -> Option<String> {
        let _ = site;
        None
    }
    /// What every step of an execution does, where that says more than their operations.
    fn steps(&self, choices: &[Choice]) -> Option<Vec<String>> {
        let _ = choices;
        None
    }
    /// The program's text at a site, when the front end can read it.
    fn source(&self, site: Site) -> Option<String> {
        let _ = site;
        None
    }
    /// File and line of a site, when the front end knows them.
    fn location(&self, site: Site) -> Option<Location> {
        let _ = site;
        None
    }
    /// The text of a file that a [`Location`] names, when the front end can read it.
    fn text(&self, file: &str) -> Option<String> {
        let _ = file;
        None
    }
    /// How a kind of this mailbox's messages is called; `None` where it has no name but its number.
    fn kind(&self, mailbox: ObjectId, kind: u8) -> Option<String> {
        let _ = (mailbox, kind);
        None
    }
    /// How a value of this object is shown to people.
    fn value(&self, object: ObjectId, value: u64) -> String {
        let _ = object;
        (value as i64).to_string()
    }
    /// Where the ids of threads come from. A search can be continued in another process only if ids can be given again
    /// there in the same order; a front end that has no registry does not allow it.
    fn registry(&self) -> Option<&ThreadRegistry> {
        None
    }
}

/// A line of the program's text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    /// The file, as the front end names it.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
}

/// A moment of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// The step of this number, counted from 0.
    Step(usize),
    /// The end, at which this thread waits.
    Wait(ThreadId),
    /// The failure of this thread.
    Failure(ThreadId),
}

/// A thread's place in the tree of spawns: `2.0` is the first child of the third initial thread.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadPath(Vec<u32>);

impl ThreadPath {
    /// The `nth` initial thread, counted from 0.
    pub fn initial(nth: u32) -> Self {
        ThreadPath(vec![nth])
    }

    /// The `nth` child of this thread, counted from 0.
    pub fn child(&self, nth: u32) -> Self {
        let mut steps = self.0.clone();
        steps.push(nth);
        ThreadPath(steps)
    }
}

impl fmt::Display for ThreadPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(".")?;
            }
            write!(f, "{step}")?;
        }
        Ok(())
    }
}

/// A text that is no [`ThreadPath`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadPathError(String);

impl fmt::Display for ThreadPathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is not a thread; threads are written as numbers joined by dots, such as 2 or 2.0", self.0)
    }
}

impl std::error::Error for ThreadPathError {}

impl FromStr for ThreadPath {
    type Err = ThreadPathError;

    fn from_str(text: &str) -> Result<Self, ThreadPathError> {
        let steps: Result<Vec<u32>, _> = text.split('.').map(str::parse).collect();
        steps.map(ThreadPath).map_err(|_| ThreadPathError(text.to_owned()))
    }
}

/// Gives the same [`ThreadId`] to the same [`ThreadPath`] in every run. Runs ask it once for each new thread and keep
/// the answer, so that its lock is not taken in the steady state.
#[derive(Debug, Default)]
pub struct ThreadRegistry(Mutex<Registered>);

#[derive(Debug, Default)]
struct Registered {
    by_parent: HashMap<(Option<ThreadId>, u32), ThreadId>,
    paths: Vec<ThreadPath>,
    common: Option<Arc<dyn CommonThreads>>,
}

/// Where several registries of the same program agree on ids.
pub trait CommonThreads: Send + Sync + fmt::Debug {
    /// The paths of all threads from the id `known` on, in the order of their ids; that of `new` is among them from now on.
    /// None if there is no telling: then registries may have come to differ.
    fn with(&self, new: &ThreadPath, known: usize) -> Option<Vec<ThreadPath>>;
}

impl Registered {
    /// A thread whose parent is known.
    fn add(&mut self, parent: Option<ThreadId>, nth: u32) -> ThreadId {
        let id = ThreadId(self.paths.len() as u32);
        let path = match parent {
            Some(parent) => self.paths[parent.index()].child(nth),
            None => ThreadPath::initial(nth),
        };
        self.by_parent.insert((parent, nth), id);
        self.paths.push(path);
        id
    }

    /// The parent of a path and its place among the parent's children; none if the parent is not known.
    fn place(&self, path: &ThreadPath) -> Option<(Option<ThreadId>, u32)> {
        let (&nth, parent) = path.0.split_last()?;
        if parent.is_empty() {
            return Some((None, nth));
        }
        let place = self.paths.iter().position(|known| known.0 == parent)?;
        Some((Some(ThreadId(place as u32)), nth))
    }
}

impl ThreadRegistry {
    /// The `nth` child of `parent`, or the `nth` initial thread.
    pub fn intern(&self, parent: Option<ThreadId>, nth: u32) -> ThreadId {
        let mut registered = self.lock();
        if let Some(&id) = registered.by_parent.get(&(parent, nth)) {
            return id;
        }
        if let Some(common) = registered.common.clone() {
            let path = match parent {
                Some(parent) => registered.paths[parent.index()].child(nth),
                None => ThreadPath::initial(nth),
            };
            for path in common.with(&path, registered.paths.len()).unwrap_or_default() {
                let Some((parent, nth)) = registered.place(&path) else { break };
                registered.add(parent, nth);
            }
            if let Some(&id) = registered.by_parent.get(&(parent, nth)) {
                return id;
            }
        }
        registered.add(parent, nth)
    }

    /// From now on, ids are those that others have, too.
    pub fn share(&self, common: Arc<dyn CommonThreads>) {
        self.lock().common = Some(common);
    }

    /// How many threads are known.
    pub fn len(&self) -> usize {
        self.lock().paths.len()
    }

    /// Whether no thread is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The path of a known thread.
    pub fn path(&self, thread: ThreadId) -> ThreadPath {
        self.lock().paths[thread.index()].clone()
    }

    /// The paths of all known threads, in the order of their ids.
    pub fn paths(&self) -> Vec<ThreadPath> {
        self.lock().paths.clone()
    }

    /// The thread of a path, if known.
    pub fn at_path(&self, path: &ThreadPath) -> Option<ThreadId> {
        let position = self.lock().paths.iter().position(|p| p == path)?;
        Some(ThreadId(position as u32))
    }

    /// The thread of a path; it becomes known if its parent is. None when that is not.
    pub fn intern_path(&self, path: &ThreadPath) -> Option<ThreadId> {
        let (parent, nth) = self.lock().place(path)?;
        Some(self.intern(parent, nth))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Registered> {
        // Nothing panics while holding it.
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_made_known_by_their_paths_have_the_same_ids_again() {
        let before = ThreadRegistry::default();
        let main = before.intern(None, 0);
        let late = before.intern(Some(main), 1);
        before.intern(Some(late), 0);
        before.intern(Some(main), 0);
        let paths = before.paths();
        assert_eq!(paths.len(), 4);

        let after = ThreadRegistry::default();
        for (id, path) in paths.iter().enumerate() {
            assert_eq!(after.intern_path(path), Some(ThreadId(id as u32)));
        }
        assert_eq!(after.intern(Some(main), 0), ThreadId(3));
        assert_eq!(after.intern_path(&ThreadPath::initial(7).child(0)), None);
    }

    /// What all have met, in one order.
    #[derive(Debug, Default)]
    struct Common(Mutex<Vec<ThreadPath>>);

    impl CommonThreads for Common {
        fn with(&self, new: &ThreadPath, known: usize) -> Option<Vec<ThreadPath>> {
            let mut all = self.0.lock().unwrap();
            if !all.contains(new) {
                all.push(new.clone());
            }
            Some(all[known..].to_vec())
        }
    }

    #[test]
    fn registries_that_share_ids_agree_whoever_meets_a_thread_first() {
        let common = Arc::new(Common::default());
        let [one, other] = [(); 2].map(|()| {
            let registry = ThreadRegistry::default();
            registry.share(common.clone());
            registry
        });
        let main = one.intern(None, 0);
        let first = one.intern(Some(main), 0);
        assert_eq!(other.intern(None, 0), main);
        let second = other.intern(Some(main), 1);
        assert_ne!(first, second);
        assert_eq!(one.intern(Some(main), 1), second);
        assert_eq!(other.intern(Some(main), 0), first);
        assert_eq!(one.paths(), other.paths());
    }
}
