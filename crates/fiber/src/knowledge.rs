//! All that is learnt of a program while it is searched, as data and as text: schedules carry it, because the steps of a
//! run depend on what was known when it began.

use crate::lesson::Lessons;
use crate::references::Sights;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// What was learnt of a program.
///
/// Its text is empty if that is nothing, and otherwise such as `+1;9f03ab12=5`: lessons, and what is known of the references
/// that were made at some place, by its hash.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Knowledge {
    pub(crate) lessons: Lessons,
    pub(crate) references: BTreeMap<u32, Sights>,
}

impl Knowledge {
    /// Only these lessons.
    pub fn of_lessons(lessons: Lessons) -> Self {
        Knowledge { lessons, references: BTreeMap::new() }
    }

    /// That part which decides what the steps of a run are, and not only which of them can be told apart.
    #[must_use]
    pub fn of_operations(&self) -> Self {
        Knowledge { lessons: self.lessons.of_operations(), references: self.references.clone() }
    }
}

impl fmt::Display for Knowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.of_operations() == Knowledge::default() {
            return Ok(());
        }
        write!(f, "+{}", self.lessons.of_operations().bits())?;
        self.references.iter().try_for_each(|(place, sights)| write!(f, ";{place:x}={sights}"))
    }
}

/// A text that is no [`Knowledge`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoKnowledge;

impl fmt::Display for NoKnowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what follows the '+' cannot be read; copy the schedule whole from the report")
    }
}

impl std::error::Error for NoKnowledge {}

impl FromStr for Knowledge {
    type Err = NoKnowledge;

    fn from_str(text: &str) -> Result<Self, NoKnowledge> {
        let Some(text) = text.strip_prefix('+') else {
            return if text.is_empty() { Ok(Knowledge::default()) } else { Err(NoKnowledge) };
        };
        let mut parts = text.split(';');
        let bits = parts.next().and_then(|bits| bits.parse().ok()).ok_or(NoKnowledge)?;
        let of = |part: &str| {
            let (place, sights) = part.split_once('=')?;
            Some((u32::from_str_radix(place, 16).ok()?, sights.parse().ok()?))
        };
        let references = parts.map(|part| of(part).ok_or(NoKnowledge)).collect::<Result<_, _>>()?;
        Ok(Knowledge { lessons: Lessons::new(bits, 0), references })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::Lesson;

    #[test]
    fn text_is_read_as_it_was_written() {
        let nothing = Knowledge::default();
        assert_eq!((nothing.to_string().as_str(), "".parse()), ("", Ok(nothing.clone())));
        let references = BTreeMap::from([(0x9f03, 5), (7, 1)]);
        let knowledge = Knowledge { lessons: Lessons::default().with(Lesson::Polls), references };
        assert_eq!(knowledge.to_string(), "+2;7=1;9f03=5");
        assert_eq!("+2;7=1;9f03=5".parse(), Ok(knowledge));
        assert_eq!("+x".parse::<Knowledge>(), Err(NoKnowledge));
    }
}
