//! Which of the rules on loops a search follows.

/// Which of the rules on loops a search follows. What is found does not depend on it, as long as the search ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LoopRules {
    /// Rounds without an effect are left out. If not, no other rule holds: every round of every loop is run.
    pub rounds: bool,
    /// Silent steps that would close a round wait (B).
    pub awaits: bool,
    /// A silent way to where a shorter one leads is left out, too (E).
    pub shortcuts: bool,
    /// A load is one event with the operation that commits it (D).
    pub merges: bool,
    /// A section that only looks waits at its lock (S).
    pub sections: bool,
}

impl LoopRules {
    /// All of them.
    pub const ALL: LoopRules = LoopRules { rounds: true, awaits: true, shortcuts: true, merges: true, sections: true };

    /// Every round is run.
    pub const NONE: LoopRules =
        LoopRules { rounds: false, awaits: false, shortcuts: false, merges: false, sections: false };

    /// Rounds are left out, and nothing waits because of what is known: for a single execution, by a schedule that is to
    /// mean the same whatever was learnt.
    pub const ROUNDS: LoopRules = LoopRules { rounds: true, ..LoopRules::NONE };

    /// Fewer of them: those that look at local states of one run only, and then none.
    pub(crate) fn weaker(self) -> Self {
        if self.awaits { LoopRules::ROUNDS } else { LoopRules::NONE }
    }
}

impl Default for LoopRules {
    fn default() -> Self {
        LoopRules::ALL
    }
}
