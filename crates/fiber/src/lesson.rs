//! What is learnt of a program while it is run, and makes its next search another one.
//!
//! Some operations are only needed by programs that can tell the difference, and would cost all others steps. So they are
//! left out until a run shows that the program can. What that run did is of no use then: the search is to be done anew, with
//! those operations from the start ([`crate::FiberProgram::lessons`]).

/// Something that a program does, for which other parts of it need more operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lesson {
    /// It asks whether threads have ended: every end is an operation.
    ObservesEnds,
    /// It looks into mailboxes again and again: arrivals are counted, so that it can wait for the next one.
    Polls,
    /// Its actors send exit signals: each looks for one before its operations.
    Signals,
    /// More threads come to a barrier than meet there: arrivals are ordered.
    Crowds,
}

/// A set of lessons, and at how many waits at barriers the program asks who was last.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Lessons(u8, usize);

impl Lessons {
    /// Every set of those that decide which operations there are, the smallest first.
    pub fn all_sets() -> impl Iterator<Item = Lessons> {
        (0..1 << Lesson::Crowds as u8).map(|bits| Lessons(bits, 0))
    }

    /// Those among these that decide which operations there are.
    #[must_use]
    pub fn of_operations(self) -> Lessons {
        Lessons(self.0 & ((1 << Lesson::Crowds as u8) - 1), 0)
    }

    /// These and one more.
    #[must_use]
    pub fn with(self, lesson: Lesson) -> Lessons {
        Lessons(self.0 | 1 << lesson as u8, self.1)
    }

    /// Whether it is among them.
    #[inline]
    pub fn contains(self, lesson: Lesson) -> bool {
        self.0 >> lesson as u8 & 1 != 0
    }

    pub(crate) fn bits(self) -> u8 {
        self.0
    }

    pub(crate) fn new(bits: u8, asks: usize) -> Lessons {
        Lessons(bits, asks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_contains_what_was_put_into_it() {
        let learnt = Lessons::default().with(Lesson::Polls);
        assert!(learnt.contains(Lesson::Polls) && !learnt.contains(Lesson::ObservesEnds));
        let everything = learnt.with(Lesson::ObservesEnds).with(Lesson::Signals);
        assert_eq!(Lessons::all_sets().last(), Some(everything));
        assert_eq!(Lessons::new(everything.bits(), 0), everything);
        assert_eq!(Lessons::new(everything.with(Lesson::Crowds).bits(), 2).of_operations(), everything);
    }
}
