//! Messages: what a mailbox holds, and what receives select by.
//!
//! The messages of a front end may be anything. Operations see of each a [`Tag`] and a word, and select by tag alone, so
//! that the analysis can tell whether a receive could have taken a message that came later, or never came.

/// How many kinds of message there can be in a mailbox.
pub const KINDS: u8 = u32::BITS as u8;

/// What receives see of a message: its kind (such as the variant of an enum) and a key (such as the request that a reply
/// belongs to).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tag {
    kind: u8,
    key: u32,
}

impl Tag {
    /// Of kind 0, with key 0.
    pub const ZERO: Tag = Tag { kind: 0, key: 0 };

    /// The tag of a kind and a key; `None` when there is no such kind: they count from 0 to [`KINDS`].
    pub fn new(kind: u8, key: u32) -> Option<Tag> {
        (kind < KINDS).then_some(Tag { kind, key })
    }

    /// The kind.
    #[inline]
    pub fn kind(self) -> u8 {
        self.kind
    }

    /// The key.
    #[inline]
    pub fn key(self) -> u32 {
        self.key
    }
}

/// Which messages a receive takes: those of some kinds, and of one key where one is given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    /// Bit k is set for kind k.
    kinds: u32,
    key: Option<u32>,
}

impl Pattern {
    /// Every message.
    pub const ANY: Pattern = Pattern { kinds: u32::MAX, key: None };

    /// Messages of these kinds; a kind that there is not matches nothing.
    pub fn of_kinds(kinds: impl IntoIterator<Item = u8>) -> Pattern {
        let bit = |kind: u8| 1u32.checked_shl(u32::from(kind)).unwrap_or(0);
        Pattern { kinds: kinds.into_iter().fold(0, |kinds, kind| kinds | bit(kind)), key: None }
    }

    /// Of these messages, those with this key.
    #[must_use]
    pub fn with_key(self, key: u32) -> Pattern {
        Pattern { key: Some(key), ..self }
    }

    /// The kinds of message that match, from 0.
    pub fn kinds(self) -> impl Iterator<Item = u8> {
        (0..KINDS).filter(move |&kind| self.kinds >> kind & 1 != 0)
    }

    /// The key, where only one matches.
    pub fn key(self) -> Option<u32> {
        self.key
    }

    /// Whether a message with this tag matches.
    #[inline]
    pub fn matches(self, tag: Tag) -> bool {
        self.kinds >> tag.kind & 1 != 0 && self.key.is_none_or(|key| key == tag.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_selects_by_kind_and_key() {
        let tag = |kind, key| Tag::new(kind, key).unwrap();
        let pattern = Pattern::of_kinds([1, 31]).with_key(7);
        assert!(pattern.matches(tag(1, 7)) && pattern.matches(tag(31, 7)));
        assert!(!pattern.matches(tag(1, 8)) && !pattern.matches(tag(2, 7)));
        assert!(Pattern::ANY.matches(tag(31, 0)) && Pattern::ANY.kinds().count() == 32);
        assert_eq!(Pattern::of_kinds([200]).kinds().count(), 0);
        assert_eq!(Tag::new(32, 0), None);
    }
}
