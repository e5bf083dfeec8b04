//! Automata that watch a model: never claims, formulas, and those of the cycles that SPIN knows by name.

use crate::code::{Code, Op, Proctype};
use crate::ltl::{self, Buchi};
use crate::machine::{Fault, View};
use crate::model::{CompiledKind, Model};

/// What is looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Property {
    /// A run that a claim of the model accepts: that it violates the formula, or matches the `never` claim.
    Claim(String),
    /// A run on which some process is at an `accept` label again and again.
    Acceptance,
    /// A run that from some point on is at no `progress` label.
    NonProgress,
}

/// An automaton whose accepted runs are wrong.
pub(crate) enum Watcher<'m> {
    Formula { buchi: Buchi, propositions: &'m [Code] },
    Never(&'m Proctype),
    Acceptance,
    NonProgress,
}

/// A step of the automaton.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) to: u32,
    pub(crate) marks: u64,
}

impl<'m> Watcher<'m> {
    /// The automaton of a property; an error says why there is none.
    pub(crate) fn new(model: &'m Model, property: &Property) -> Result<Self, String> {
        match property {
            Property::Acceptance => Ok(Watcher::Acceptance),
            Property::NonProgress => Ok(Watcher::NonProgress),
            Property::Claim(name) => {
                let Some(claim) = model.claims.iter().find(|claim| *claim.name == **name) else {
                    let known: Vec<_> = model.claims().collect();
                    let known = if known.is_empty() { "it has none".to_owned() } else { known.join(", ") };
                    return Err(format!("the model has no claim {name}: {known}"));
                };
                match &claim.kind {
                    CompiledKind::Ltl(formula, propositions) => {
                        Ok(Watcher::Formula { buchi: ltl::negated(formula), propositions })
                    }
                    CompiledKind::Never(proctype) => {
                        let unfit = proctype.states.iter().flat_map(|state| &state.transitions).find(|made| {
                            !matches!(
                                made.op,
                                Op::Condition(_) | Op::Skip | Op::Else | Op::Assert(_) | Op::End | Op::Print(..)
                            )
                        });
                        match unfit {
                            None => Ok(Watcher::Never(proctype)),
                            Some(made) => Err(format!(
                                "{}: the claim {name} changes something; a never claim can only look",
                                model.files.line(made.pos)
                            )),
                        }
                    }
                }
            }
        }
    }

    /// How many sets of states an accepted run must meet again and again.
    pub(crate) fn marks(&self) -> u32 {
        match self {
            Watcher::Formula { buchi, .. } => buchi.marks,
            Watcher::Never(_) | Watcher::Acceptance | Watcher::NonProgress => 1,
        }
    }

    pub(crate) fn initial(&self) -> u32 {
        match self {
            Watcher::Never(proctype) => proctype.initial,
            Watcher::Formula { .. } | Watcher::Acceptance | Watcher::NonProgress => 0,
        }
    }

    /// Whether it has come to its end, so that what must never happen has happened.
    pub(crate) fn is_over(&self, state: u32) -> bool {
        match self {
            Watcher::Never(proctype) => {
                proctype.states[state as usize].transitions.iter().any(|made| matches!(made.op, Op::End))
            }
            Watcher::Formula { .. } | Watcher::Acceptance | Watcher::NonProgress => false,
        }
    }

    /// The steps that it can take, looking at a state of the model.
    pub(crate) fn moves(&self, view: &View<'_>, state: u32, moves: &mut Vec<Move>) -> Result<(), Fault> {
        match self {
            Watcher::Formula { buchi, propositions } => {
                let mut values = 0u64;
                for (number, code) in propositions.iter().enumerate() {
                    values |= u64::from(view.eval(code)? != 0) << number;
                }
                for edge in &buchi.edges[state as usize] {
                    if edge.literals.iter().all(|(number, holds)| (values >> number & 1 == 1) == *holds) {
                        moves.push(Move { to: edge.to, marks: edge.marks });
                    }
                }
            }
            Watcher::Never(proctype) => {
                let before = moves.len();
                for made in &proctype.states[state as usize].transitions {
                    let can = match &made.op {
                        Op::Condition(code) => view.eval(code)? != 0,
                        Op::Else => moves.len() == before,
                        Op::Assert(code) if view.eval(code)? == 0 => return Err(Fault::Assertion),
                        Op::Skip | Op::Assert(_) | Op::Print(..) => true,
                        _ => false,
                    };
                    if can {
                        let marks = u64::from(proctype.states[made.to as usize].is_accepting);
                        moves.push(Move { to: made.to, marks });
                    }
                }
            }
            Watcher::Acceptance => {
                let accepting = view.stands_at(|state| state.is_accepting);
                moves.push(Move { to: 0, marks: u64::from(accepting) });
            }
            // At some point it guesses that no progress comes any more.
            Watcher::NonProgress => {
                let none = !view.stands_at(|state| state.is_progress);
                if state == 0 {
                    moves.push(Move { to: 0, marks: 0 });
                }
                if none {
                    moves.push(Move { to: 1, marks: 1 });
                }
            }
        }
        Ok(())
    }
}
