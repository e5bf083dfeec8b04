//! A table that actors and threads share.

use super::process::checkpoint;
use crate::object::Object;
use fiber::{Described, Guarded};
use model::{ObjectId, OpKind};
use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt::{self, Debug};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::Location;
use std::sync::Arc;

/// A table of values by their keys, which everybody who has a clone of it shares. Erlang's public ETS table.
///
/// Operations on different keys commute, and so do lookups, so that only orders that matter are explored. There is therefore
/// no operation on the table as a whole.
///
/// ```
/// use mazurka::actor::Table;
/// use mazurka::thread;
///
/// mazurka::check(|| {
///     let hits = Table::new("hits");
///     hits.insert("home", 0);
///     let theirs = hits.clone();
///     let thread = thread::spawn(move || theirs.update_counter("home", 1));
///     hits.update_counter("home", 1);
///     thread.join().unwrap();
///     assert_eq!(hits.lookup("home"), Some(2));
/// });
/// ```
pub struct Table<K, V> {
    inner: Arc<Inner<K, V>>,
}

struct Inner<K, V> {
    object: Object,
    name: &'static str,
    created: &'static Location<'static>,
    /// By the hash of the key.
    entries: Guarded<HashMap<u64, Entry<K, V>>>,
}

struct Entry<K, V> {
    key: K,
    value: Option<V>,
}

/// Whether there is a value: the word of a key's object.
const ABSENT: u64 = 0;
const PRESENT: u64 = 1;

impl<K: Hash + Eq + Debug, V> Table<K, V> {
    /// An empty table, with a name for reports.
    #[track_caller]
    pub fn new(name: &'static str) -> Self {
        let created = Location::caller();
        let object = Object::of("table", created).named(name);
        Table { inner: Arc::new(Inner { object, name, created, entries: Guarded::new(HashMap::new()) }) }
    }

    /// Puts a value under the key, in place of the one that is there.
    #[track_caller]
    pub fn insert(&self, key: K, value: V) {
        let (slot, _) = self.perform(&key, OpKind::Write(PRESENT), Location::caller());
        self.put(slot, key, value);
    }

    /// Puts a value under the key if there is none. Says whether there was none.
    #[track_caller]
    pub fn insert_new(&self, key: K, value: V) -> bool {
        let kind = OpKind::CompareExchange { expected: ABSENT, new: PRESENT };
        let (slot, is_new) = self.perform(&key, kind, Location::caller());
        if is_new {
            self.put(slot, key, value);
        }
        is_new
    }

    /// A copy of the value under the key.
    #[track_caller]
    pub fn lookup<Q: ?Sized + Hash + Eq + Debug>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        V: Clone,
    {
        let (slot, _) = self.perform(key, OpKind::Read, Location::caller());
        self.copy(slot)
    }

    /// Whether there is a value under the key.
    #[track_caller]
    pub fn contains<Q: ?Sized + Hash + Eq + Debug>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        let (slot, _) = self.perform(key, OpKind::Read, Location::caller());
        self.inner.entries.read().get(&slot).is_some_and(|entry| entry.value.is_some())
    }

    /// Changes the value under the key, in one step: `change` must use no other object. `None` if there is no value.
    #[track_caller]
    pub fn update<Q: ?Sized + Hash + Eq + Debug, R>(&self, key: &Q, change: impl FnOnce(&mut V) -> R) -> Option<R>
    where
        K: Borrow<Q>,
    {
        let kind = OpKind::CompareExchange { expected: PRESENT, new: PRESENT };
        let (slot, is_there) = self.perform(key, kind, Location::caller());
        if !is_there {
            return None;
        }
        fiber::changed();
        let mut entries = self.inner.entries.write();
        entries.get_mut(&slot).and_then(|entry| entry.value.as_mut()).map(change)
    }

    /// Takes the value under the key out.
    #[track_caller]
    pub fn delete<Q: ?Sized + Hash + Eq + Debug>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let kind = OpKind::CompareExchange { expected: PRESENT, new: ABSENT };
        let (slot, is_there) = self.perform(key, kind, Location::caller());
        if is_there { self.take(slot) } else { None }
    }

    /// An operation on the object of a key. Says under which hash its value is, and whether it was done.
    pub(super) fn perform<Q: ?Sized + Hash + Eq + Debug>(
        &self,
        key: &Q,
        kind: OpKind,
        location: &'static Location<'static>,
    ) -> (u64, bool)
    where
        K: Borrow<Q>,
    {
        checkpoint(location);
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let slot = hasher.finish();
        if let Some(entry) = self.inner.entries.read().get(&slot) {
            assert!(entry.key.borrow() == key, "{key:?} and {:?} have the same hash: choose other keys", entry.key);
        }
        (slot, fiber::perform(kind, self.part(key, slot), location).is_done())
    }

    fn part<Q: ?Sized + Debug>(&self, key: &Q, slot: u64) -> ObjectId {
        let Inner { object, name, created, .. } = &*self.inner;
        let show = |word: u64| if word == PRESENT { "present" } else { "absent" }.to_owned();
        let describe = || Described { type_name: "table", created, given: Some(name), show, is_word: true };
        let part = fiber::part(object.id(|| 0), slot, describe);
        fiber::name_object(part, &format!("{name}[{key:?}]"));
        part
    }

    pub(super) fn put(&self, slot: u64, key: K, value: V) {
        fiber::changed();
        let before = self.inner.entries.write().insert(slot, Entry { key, value: Some(value) });
        drop(before);
    }

    pub(super) fn take(&self, slot: u64) -> Option<V> {
        self.inner.entries.write().get_mut(&slot).and_then(|entry| entry.value.take())
    }

    pub(super) fn copy(&self, slot: u64) -> Option<V>
    where
        V: Clone,
    {
        self.inner.entries.read().get(&slot).and_then(|entry| entry.value.clone())
    }
}

impl<K: Hash + Eq + Debug> Table<K, i64> {
    /// Adds to the number under the key, in one step, and gives the sum. `None` if there is no number.
    #[track_caller]
    pub fn update_counter<Q: ?Sized + Hash + Eq + Debug>(&self, key: &Q, by: i64) -> Option<i64>
    where
        K: Borrow<Q>,
    {
        self.update(key, |count| {
            *count = count.wrapping_add(by);
            *count
        })
    }
}

impl<K, V> Clone for Table<K, V> {
    fn clone(&self) -> Self {
        Table { inner: self.inner.clone() }
    }
}

impl<K, V> fmt::Debug for Table<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Table").field(&self.inner.name).finish()
    }
}
