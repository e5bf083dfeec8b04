//! Names of threads, objects and sites: the same in every run of one program, kept between runs.

use crate::context;
use crate::knowledge::Knowledge;
use crate::lesson::{Lesson, Lessons};
use crate::patience::{Loop, Patience};
use crate::place::{Creator, Described, Place};
use crate::references::{Sight, Sights};
use crate::remembered::Given;
use model::{Fingerprint, Location as Line, Names, ObjectId, Site, ThreadId, ThreadPath, ThreadRegistry};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::panic::Location;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};

/// What one program's runs have met so far.
#[derive(Default)]
pub(crate) struct Registry {
    pub(crate) threads: ThreadRegistry,
    /// A set of [`Lessons`].
    lessons: AtomicU8,
    /// How many things were learnt of references.
    version: AtomicU32,
    /// Whether a destructor could not be run to its end when a run was given up.
    forgets: AtomicBool,
    /// Whether the numbers that values are made of are to be the same in all processes that run this program.
    common: AtomicBool,
    /// Whether local states are asked for.
    watches_states: AtomicBool,
    /// Whether the program has memory orders that are weaker than seq_cst.
    weak_orders: AtomicBool,
    met: Mutex<Met>,
}

#[derive(Default)]
struct Met {
    objects: FxHashMap<(Place, u32), ObjectId>,
    described: Vec<Described>,
    /// Where each of them is, and how many came before it there.
    places: Vec<(Place, u32)>,
    /// How many objects of the same name came before.
    twins: Vec<u32>,
    with_name: FxHashMap<String, u32>,
    sites: Vec<Place3>,
    site_of: FxHashMap<Place3, Site>,
    thread_names: FxHashMap<ThreadId, String>,
    object_names: FxHashMap<ObjectId, String>,
    /// How the kinds of the messages of a mailbox are called, and all others.
    kinds: FxHashMap<ObjectId, (&'static [&'static str], &'static str)>,
    texts: FxHashMap<u64, String>,
    text_of: FxHashMap<String, u64>,
    /// Places that pointers point to, by their numbers.
    pointed_to: FxHashMap<Place, u64>,
    /// The numbers of what locks guard.
    data: FxHashMap<Fingerprint, Option<u64>>,
    loops: FxHashMap<Loop, Patience>,
    /// Of references, by a hash of the place where they were made.
    references: BTreeMap<u32, Sights>,
    /// The waits at barriers whose answers are looked at.
    asks: FxHashSet<Site>,
    /// OS threads in which no program can be run any more.
    spoilt: Vec<std::thread::ThreadId>,
}

/// File, line, column.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Place3(String, u32, u32);

/// No more than so many states of what locks guard have numbers.
const MOST_DATA: usize = 1 << 22;

impl Registry {
    /// The id of the `nth` object that was first used at `place` in a run.
    pub(crate) fn object(&self, place: Place, nth: u32, described: &Described) -> ObjectId {
        let mut met = self.met();
        if let Some(&id) = met.objects.get(&(place, nth)) {
            return id;
        }
        let id = ObjectId(met.described.len() as u32);
        let same_name = met.with_name.entry(described.name()).or_default();
        let twins = *same_name;
        *same_name += 1;
        met.objects.insert((place, nth), id);
        met.described.push(*described);
        met.places.push((place, nth));
        met.twins.push(twins);
        id
    }

    /// The site of a place in the program's text.
    pub(crate) fn site(&self, file: &str, line: u32, column: u32) -> Site {
        let mut met = self.met();
        let place = Place3(file.to_owned(), line, column);
        if let Some(&site) = met.site_of.get(&place) {
            return site;
        }
        let site = Site(met.sites.len() as u32);
        met.sites.push(place.clone());
        met.site_of.insert(place, site);
        site
    }

    /// Keeps what was learnt of the program. Says whether it was known.
    pub(crate) fn learn_of_program(&self, lesson: Lesson) -> bool {
        let before = self.lessons.fetch_or(Lessons::default().with(lesson).bits(), Ordering::Relaxed);
        Lessons::new(before, 0).contains(lesson)
    }

    /// What is to be known of the program, and no more.
    pub(crate) fn set_lessons(&self, lessons: Lessons) {
        self.lessons.store(lessons.bits(), Ordering::Relaxed);
    }

    /// What was learnt of the program.
    pub(crate) fn lessons(&self) -> Lessons {
        Lessons::new(self.lessons.load(Ordering::Relaxed), self.met().asks.len())
    }

    /// Whether the program asks who was last, of those who waited here.
    pub(crate) fn is_asked(&self, wait: Site) -> bool {
        self.met().asks.contains(&wait)
    }

    /// It does.
    pub(crate) fn ask(&self, wait: Site) {
        self.met().asks.insert(wait);
    }

    /// Local states are asked for from now on, or are not.
    pub(crate) fn watch_states(&self, are_asked_for: bool) {
        self.watches_states.store(are_asked_for, Ordering::Relaxed);
    }

    /// Whether local states were asked for.
    pub(crate) fn watches_states(&self) -> bool {
        self.watches_states.load(Ordering::Relaxed)
    }

    /// The program has a memory order that is weaker than seq_cst.
    pub(crate) fn note_weak_order(&self) {
        self.weak_orders.store(true, Ordering::Relaxed);
    }

    /// Whether it was met with one.
    pub(crate) fn has_weak_orders(&self) -> bool {
        self.weak_orders.load(Ordering::Relaxed)
    }

    /// Runs that are given up are to be forgotten from now on. This OS thread counts a panic that never ends.
    pub(crate) fn learn_to_forget(&self) {
        self.forgets.store(true, Ordering::Relaxed);
        context::quietly(|| self.met().spoilt.push(std::thread::current().id()));
    }

    /// Whether this OS thread counts a panic that never ends, of a fiber that was left in the middle of it: every fiber would
    /// take itself for one that panics.
    pub(crate) fn is_spoilt(&self) -> bool {
        self.forgets() && self.met().spoilt.contains(&std::thread::current().id())
    }

    /// Whether runs that are given up are forgotten.
    pub(crate) fn forgets(&self) -> bool {
        self.forgets.load(Ordering::Relaxed)
    }

    /// How many things were learnt of references and of loops.
    pub(crate) fn version(&self) -> u32 {
        self.version.load(Ordering::Relaxed)
    }

    /// What decides, besides the program, what its threads do, if local states are asked for.
    pub(crate) fn given(&self) -> Option<Given> {
        self.watches_states().then(|| (self.lessons(), self.version()))
    }

    /// Whether anything was learnt of references.
    pub(crate) fn knows_references(&self) -> bool {
        self.version() > 0 && !self.met().references.is_empty()
    }

    /// What is known of the references that were made there.
    pub(crate) fn sights(&self, place: &'static Location<'static>) -> Sights {
        self.met().references.get(&hash_of(place)).copied().unwrap_or(0)
    }

    /// Keeps what was learnt of references.
    pub(crate) fn learn_of_references(&self, place: &'static Location<'static>, sight: Sight) {
        let mut met = self.met();
        let sights = met.references.entry(hash_of(place)).or_default();
        if *sights & sight as u8 == 0 {
            *sights |= sight as u8;
            self.version.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// All that was learnt.
    pub(crate) fn knowledge(&self) -> Knowledge {
        Knowledge { lessons: self.lessons(), references: self.met().references.clone() }
    }

    /// What is to be known, and no more.
    pub(crate) fn set_knowledge(&self, knowledge: &Knowledge) {
        self.set_lessons(knowledge.lessons);
        self.met().references.clone_from(&knowledge.references);
        self.version.fetch_add(1, Ordering::Relaxed);
    }

    /// From now on, the numbers that values are made of are the same in all processes that run this program.
    pub(crate) fn use_common_numbers(&self) {
        self.common.store(true, Ordering::Relaxed);
    }

    /// All that was learnt and makes a search another one, a line for each thing.
    pub(crate) fn known(&self) -> String {
        let mut lines = vec![format!("lessons {}", self.lessons.load(Ordering::Relaxed))];
        lines.extend(self.forgets().then(|| "forgets".to_owned()));
        let met = self.met();
        lines.extend(met.references.iter().map(|(place, sights)| format!("references {place:x} {sights}")));
        let mut asks: Vec<String> = met
            .asks
            .iter()
            .filter_map(|site| met.sites.get(site.0 as usize))
            .map(|Place3(file, line, column)| format!("asks {line} {column} {file}"))
            .collect();
        asks.sort();
        lines.extend(asks);
        lines.join("\n")
    }

    /// Takes over what another process has learnt. None if it is not understood.
    pub(crate) fn know(&self, known: &str) -> Option<()> {
        for line in known.lines() {
            let mut words = line.splitn(4, ' ');
            match (words.next()?, words.next(), words.next(), words.next()) {
                ("lessons", Some(bits), None, None) => {
                    self.lessons.fetch_or(bits.parse().ok()?, Ordering::Relaxed);
                }
                ("forgets", None, None, None) => self.forgets.store(true, Ordering::Relaxed),
                ("references", Some(place), Some(sights), None) => {
                    let place = u32::from_str_radix(place, 16).ok()?;
                    *self.met().references.entry(place).or_default() |= sights.parse::<Sights>().ok()?;
                    self.version.fetch_add(1, Ordering::Relaxed);
                }
                ("asks", Some(line), Some(column), Some(file)) => {
                    self.ask(self.site(file, line.parse().ok()?, column.parse().ok()?));
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// What is known of a loop.
    pub(crate) fn patience(&self, of: Loop) -> Option<Patience> {
        self.met().loops.get(&of).copied()
    }

    /// Keeps what was learnt of a loop.
    pub(crate) fn learn(&self, of: Loop, patience: Patience) {
        self.met().loops.insert(of, patience);
        self.version.fetch_add(1, Ordering::Relaxed);
    }

    /// Gives a thread a name for people.
    pub(crate) fn name_thread(&self, thread: ThreadId, name: &str) {
        let mut met = self.met();
        if met.thread_names.get(&thread).is_none_or(|known| known != name) {
            met.thread_names.insert(thread, name.to_owned());
        }
    }

    /// Gives an object a name for people; several may have the same.
    pub(crate) fn name_object(&self, object: ObjectId, name: &str) {
        let mut met = self.met();
        if !met.object_names.contains_key(&object) {
            let same_name = met.with_name.entry(name.to_owned()).or_default();
            *same_name += 1;
            let name = if *same_name == 1 { name.to_owned() } else { format!("{name}#{same_name}") };
            met.object_names.insert(object, name);
        }
    }

    /// Gives the kinds of a mailbox's messages names.
    pub(crate) fn name_kinds(&self, mailbox: ObjectId, kinds: &'static [&'static str], others: &'static str) {
        self.met().kinds.insert(mailbox, (kinds, others));
    }

    /// The number of a text; the same in every run.
    pub(crate) fn number_of(&self, text: &str) -> u64 {
        let mut met = self.met();
        if let Some(&number) = met.text_of.get(text) {
            return number;
        }
        let is_common = self.common.load(Ordering::Relaxed);
        let number = if is_common { hash_of_all(&text) } else { met.texts.len() as u64 };
        met.texts.insert(number, text.to_owned());
        met.text_of.insert(text.to_owned(), number);
        number
    }

    /// The number of a place that a pointer points to, from 1; the same in every run.
    pub(crate) fn number_of_place(&self, place: Place) -> u64 {
        let mut met = self.met();
        if self.common.load(Ordering::Relaxed) {
            // Not 0, which is no place.
            return met.common_number(place) | 1;
        }
        let next = met.pointed_to.len() as u64 + 1;
        *met.pointed_to.entry(place).or_insert(next)
    }

    /// The number of what a lock guards, by a hash of that; not 0. The same data has the same number in every run.
    /// None if there are `most` already, or if two of them, of which other processes are to know the same, would have the same number.
    pub(crate) fn number_of_data(&self, data: Fingerprint, most: u64) -> Option<u64> {
        let mut met = self.met();
        if let Some(&known) = met.data.get(&data) {
            return known;
        }
        if met.data.len() >= MOST_DATA {
            return None;
        }
        let common = data.0 as u64 % (most - 1) + 1;
        let number = match self.common.load(Ordering::Relaxed) {
            true => (!met.data.values().any(|&other| other == Some(common))).then_some(common),
            false => Some(met.data.len() as u64 + 1).filter(|&number| number < most),
        };
        met.data.insert(data, number);
        number
    }

    /// The name that a thread was given; the main thread is called so.
    pub(crate) fn given_name(&self, thread: ThreadId) -> Option<String> {
        let given = self.met().thread_names.get(&thread).cloned();
        given.or_else(|| (thread == crate::run::MAIN).then(|| "main".to_owned()))
    }

    fn met(&self) -> MutexGuard<'_, Met> {
        debug_assert!(
            context::recording().is_none(),
            "a thread may end where it allocates, and the lock would stay taken"
        );
        // Nothing panics while holding it.
        self.met.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Met {
    /// A number for a place that does not depend on what this process met before.
    fn common_number(&self, place: Place) -> u64 {
        // Where the program is in memory is another matter for each process.
        let from_here = |address: usize| address.wrapping_sub(hash_of as *const () as usize);
        let of_object = |object: ObjectId| {
            let (place, nth) = self.places[object.index()];
            hash_of_all(&(self.common_number(place), nth))
        };
        let of_creator = |creator: Creator| match creator {
            Creator::Thread(thread) => (0, u64::from(thread.0)),
            Creator::Object(object) => (1, of_object(object)),
        };
        match place {
            Place::Fixed { address } => hash_of_all(&(1, from_here(address))),
            Place::Static { address, offset } => hash_of_all(&(2, from_here(address), offset)),
            Place::Heap { creator, size, nth, offset } => hash_of_all(&(3, of_creator(creator), size, nth, offset)),
            Place::Count { creator, nth } => hash_of_all(&(4, of_creator(creator), nth)),
            Place::Part { whole, key } => hash_of_all(&(5, of_object(whole), key)),
            Place::Stack { .. } | Place::Parker { .. } | Place::End { .. } | Place::Unknown { .. } => {
                hash_of_all(&(6, place))
            }
        }
    }
}

fn hash_of_all(what: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    what.hash(&mut hasher);
    hasher.finish()
}

/// The same in every process that runs the same program.
fn hash_of(place: &Location<'_>) -> u32 {
    let mut hasher = FxHasher::default();
    (place.file(), place.line(), place.column()).hash(&mut hasher);
    let hash = hasher.finish();
    (hash ^ hash >> 32) as u32
}

impl Names for Registry {
    fn thread(&self, thread: ThreadId) -> String {
        self.given_name(thread).unwrap_or_else(|| format!("T{}", thread.0))
    }

    fn path(&self, thread: ThreadId) -> ThreadPath {
        self.threads.path(thread)
    }

    fn at_path(&self, path: &ThreadPath) -> Option<ThreadId> {
        self.threads.at_path(path)
    }

    fn registry(&self) -> Option<&ThreadRegistry> {
        Some(&self.threads)
    }

    fn object(&self, object: ObjectId) -> String {
        let met = self.met();
        if let Some(name) = met.object_names.get(&object) {
            return name.clone();
        }
        let Some(described) = met.described.get(object.index()) else { return format!("object {}", object.0) };
        let name = described.name();
        match met.twins[object.index()] {
            0 => name,
            twins => format!("{name}#{}", twins + 1),
        }
    }

    fn site(&self, site: Site) -> Option<String> {
        let met = self.met();
        let Place3(file, line, _) = met.sites.get(site.0 as usize)?;
        Some(format!("{file}:{line}"))
    }

    fn location(&self, site: Site) -> Option<Line> {
        let met = self.met();
        let Place3(file, line, _) = met.sites.get(site.0 as usize)?;
        Some(Line { file: file.clone(), line: *line })
    }

    /// Compilers name files from the folder of the workspace, and tests run in the folder of a package below it.
    fn text(&self, file: &str) -> Option<String> {
        let here = std::env::current_dir().ok()?;
        here.ancestors().find_map(|folder| std::fs::read_to_string(folder.join(file)).ok())
    }

    fn kind(&self, mailbox: ObjectId, kind: u8) -> Option<String> {
        let met = self.met();
        let (kinds, others) = met.kinds.get(&mailbox)?;
        Some((*kinds.get(usize::from(kind)).unwrap_or(others)).to_owned())
    }

    fn value(&self, object: ObjectId, value: u64) -> String {
        {
            let met = self.met();
            if met.kinds.contains_key(&object)
                && let Some(text) = met.texts.get(&value)
            {
                return text.clone();
            }
        }
        let show = self.met().described.get(object.index()).map(|described| described.show);
        show.map_or_else(|| value.to_string(), |show| show(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::references::Sight;

    #[test]
    fn another_process_can_know_all_that_was_learnt() {
        let here = Registry::default();
        assert_eq!(here.known(), "lessons 0");
        here.learn_of_program(Lesson::Polls);
        here.learn_to_forget();
        here.site("other.rs", 1, 1);
        here.ask(here.site("a file.rs", 3, 7));
        here.learn_of_references(Location::caller(), Sight::Strong);
        let there = Registry::default();
        there.know(&here.known()).unwrap();
        assert_eq!(there.known(), here.known());
        assert!(there.forgets() && there.lessons().contains(Lesson::Polls));
        assert!(there.is_asked(there.site("a file.rs", 3, 7)));
        assert!(there.know("something else").is_none());
    }

    #[test]
    fn common_numbers_do_not_depend_on_what_was_met_before() {
        let [one, other] = [(); 2].map(|()| {
            let registry = Registry::default();
            registry.use_common_numbers();
            registry
        });
        let place = |nth| Place::Heap { creator: Creator::Thread(ThreadId(1)), size: 8, nth, offset: 0 };
        let first = one.number_of_place(place(0));
        assert_ne!(other.number_of_place(place(1)), first);
        assert_eq!(other.number_of_place(place(0)), first);
        assert_ne!(first, 0);
        let text = one.number_of("one");
        assert_ne!(other.number_of("two"), text);
        assert_eq!(other.number_of("one"), text);
    }
}
