//! From a formula to an automaton that accepts the runs on which the formula does not hold.
//!
//! Gerth, Peled, Vardi, Wolper, "Simple on-the-fly automatic verification of linear temporal logic" (PSTV 1995), Figure
//! 3. A node of the tableau has what must hold now (`old`) and what must hold from the next state on (`next`); `expand`
//! takes apart what is still to be looked at (`new`).
//!
//! | paper | here |
//! |---|---|
//! | Node, Incoming, Old, Next | [`Node`], `incoming`, `old`, `next` |
//! | New | the argument `new` of [`Tableau::expand`] |
//! | acceptance set of μ U ψ | one bit of [`Edge::marks`]: nodes without μ U ψ, or with ψ |
//!
//! Departure: a state of the automaton is left by an edge that has the literals of the node that it leads to, so that an
//! edge is taken by looking at the present state of the model.

use crate::ast::{Binary, Expr, Unary};
use std::collections::BTreeSet;

/// A formula in negation normal form, by its place in [`Formulas`].
type Formula = usize;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    True,
    False,
    Literal { proposition: usize, holds: bool },
    And(Formula, Formula),
    Or(Formula, Formula),
    Until(Formula, Formula),
    Release(Formula, Formula),
    Next(Formula),
}

/// Formulas, each once.
#[derive(Default)]
struct Formulas(Vec<Kind>);

impl Formulas {
    fn add(&mut self, kind: Kind) -> Formula {
        self.0.iter().position(|known| *known == kind).unwrap_or_else(|| {
            self.0.push(kind);
            self.0.len() - 1
        })
    }

    /// The formula, or its negation, with negations at propositions only.
    fn normal(&mut self, formula: &Expr, holds: bool) -> Formula {
        let kind = match formula {
            Expr::Const(proposition) => Kind::Literal { proposition: *proposition as usize, holds },
            Expr::Unary(Unary::Not, inner) => return self.normal(inner, !holds),
            Expr::Unary(Unary::Next, inner) => Kind::Next(self.normal(inner, holds)),
            Expr::Unary(Unary::Always, inner) => self.globally(inner, holds, true),
            Expr::Unary(Unary::Eventually, inner) => self.globally(inner, holds, false),
            Expr::Binary(_, operator, left, right) => return self.binary(*operator, left, right, holds),
            // The parser makes nothing else.
            _ => Kind::True,
        };
        self.add(kind)
    }

    /// `[] f` is `false V f`, `<> f` is `true U f`; each is the negation of the other.
    fn globally(&mut self, inner: &Expr, holds: bool, always: bool) -> Kind {
        let inner = self.normal(inner, holds);
        if always == holds {
            Kind::Release(self.add(Kind::False), inner)
        } else {
            Kind::Until(self.add(Kind::True), inner)
        }
    }

    fn binary(&mut self, operator: Binary, left: &Expr, right: &Expr, holds: bool) -> Formula {
        if let Binary::Equivalent = operator {
            // Both or neither; negated, one of them.
            let [l, r, not_l, not_r] = [(left, true), (right, true), (left, false), (right, false)]
                .map(|(side, holds)| self.normal(side, holds));
            let (first, second) = if holds { ((l, r), (not_l, not_r)) } else { ((l, not_r), (not_l, r)) };
            let first = self.add(Kind::And(first.0, first.1));
            let second = self.add(Kind::And(second.0, second.1));
            return self.add(Kind::Or(first, second));
        }
        let left_holds = if operator == Binary::Implies { !holds } else { holds };
        let l = self.normal(left, left_holds);
        let r = self.normal(right, holds);
        let kind = match (operator, holds) {
            (Binary::And, true) | (Binary::Or | Binary::Implies, false) => Kind::And(l, r),
            (Binary::Until, true) | (Binary::Release, false) => Kind::Until(l, r),
            (Binary::Release, true) | (Binary::Until, false) => Kind::Release(l, r),
            (Binary::WeakUntil, true) => {
                // l W r is r V (l || r).
                let either = self.add(Kind::Or(l, r));
                Kind::Release(r, either)
            }
            (Binary::WeakUntil, false) => {
                let both = self.add(Kind::And(l, r));
                Kind::Until(r, both)
            }
            _ => Kind::Or(l, r),
        };
        self.add(kind)
    }

    fn negation(&self, formula: Formula) -> Option<Kind> {
        match self.0[formula] {
            Kind::Literal { proposition, holds } => Some(Kind::Literal { proposition, holds: !holds }),
            _ => None,
        }
    }
}

/// Where everything begins.
const INIT: usize = usize::MAX;

struct Node {
    incoming: BTreeSet<usize>,
    old: BTreeSet<Formula>,
    next: BTreeSet<Formula>,
}

struct Tableau {
    formulas: Formulas,
    nodes: Vec<Node>,
}

/// A node in the making.
#[derive(Clone)]
struct Making {
    incoming: BTreeSet<usize>,
    new: BTreeSet<Formula>,
    old: BTreeSet<Formula>,
    next: BTreeSet<Formula>,
}

impl Tableau {
    /// Takes a formula apart until only what holds now and what must hold next is left. `left` are nodes in the making.
    fn expand(&mut self, first: Making) {
        let mut left = vec![first];
        while let Some(mut node) = left.pop() {
            let Some(formula) = node.new.pop_first() else {
                self.finish(node, &mut left);
                continue;
            };
            match self.formulas.0[formula] {
                Kind::False => {}
                Kind::True => left.push(node),
                Kind::Literal { .. } => {
                    let negation = self.formulas.negation(formula);
                    let contradicts = negation
                        .and_then(|negation| self.formulas.0.iter().position(|known| *known == negation))
                        .is_some_and(|negation| node.old.contains(&negation));
                    if !contradicts {
                        node.old.insert(formula);
                        left.push(node);
                    }
                }
                Kind::And(l, r) => {
                    node.old.insert(formula);
                    node.require(l);
                    node.require(r);
                    left.push(node);
                }
                Kind::Next(inner) => {
                    node.old.insert(formula);
                    node.next.insert(inner);
                    left.push(node);
                }
                Kind::Or(l, r) => {
                    let other = node.split(formula, &[r], None);
                    left.push(other);
                    left.push(node.split(formula, &[l], None));
                }
                Kind::Until(l, r) => {
                    left.push(node.split(formula, &[r], None));
                    left.push(node.split(formula, &[l], Some(formula)));
                }
                Kind::Release(l, r) => {
                    left.push(node.split(formula, &[l, r], None));
                    left.push(node.split(formula, &[r], Some(formula)));
                }
            }
        }
    }

    /// A node with nothing left to look at: one that is there already, or a new one whose successors are next.
    fn finish(&mut self, node: Making, left: &mut Vec<Making>) {
        if let Some(known) = self.nodes.iter_mut().find(|known| known.old == node.old && known.next == node.next) {
            known.incoming.extend(node.incoming);
            return;
        }
        let number = self.nodes.len();
        left.push(Making {
            incoming: BTreeSet::from([number]),
            new: node.next.clone(),
            old: BTreeSet::new(),
            next: BTreeSet::new(),
        });
        self.nodes.push(Node { incoming: node.incoming, old: node.old, next: node.next });
    }
}

impl Making {
    fn require(&mut self, formula: Formula) {
        if !self.old.contains(&formula) {
            self.new.insert(formula);
        }
    }

    /// One of two ways in which a formula can hold.
    fn split(&self, formula: Formula, now: &[Formula], next: Option<Formula>) -> Making {
        let mut made = self.clone();
        made.old.insert(formula);
        for formula in now {
            made.require(*formula);
        }
        made.next.extend(next);
        made
    }
}

/// A step of an automaton that looks at the state of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    /// Propositions that must, or must not, hold.
    pub(crate) literals: Vec<(usize, bool)>,
    pub(crate) to: u32,
    /// Sets of states that an accepted run is in again and again, one bit each.
    pub(crate) marks: u64,
}

/// A generalised Büchi automaton: a run is accepted that meets every mark again and again.
#[derive(Clone, Debug)]
pub(crate) struct Buchi {
    /// The edges of each state; the first state is where it begins.
    pub(crate) edges: Vec<Vec<Edge>>,
    pub(crate) marks: u32,
}

/// The automaton of all runs on which a formula does not hold. Constants in the formula are its propositions.
pub(crate) fn negated(formula: &Expr) -> Buchi {
    let mut formulas = Formulas::default();
    let root = formulas.normal(formula, false);
    let mut tableau = Tableau { formulas, nodes: Vec::new() };
    tableau.expand(Making {
        incoming: BTreeSet::from([INIT]),
        new: BTreeSet::from([root]),
        old: BTreeSet::new(),
        next: BTreeSet::new(),
    });
    let Tableau { formulas, nodes } = tableau;
    let untils: Vec<(Formula, Formula)> = (0..formulas.0.len())
        .filter_map(|formula| match formulas.0[formula] {
            Kind::Until(_, goal) => Some((formula, goal)),
            _ => None,
        })
        .filter(|(until, _)| nodes.iter().any(|node| node.old.contains(until)))
        .collect();
    let mut edges = vec![Vec::new(); nodes.len() + 1];
    for (number, node) in nodes.iter().enumerate() {
        let mut marks = 0;
        for (bit, (until, goal)) in untils.iter().enumerate() {
            let fulfilled = node.old.contains(goal) || formulas.0[*goal] == Kind::True;
            if !node.old.contains(until) || fulfilled {
                marks |= 1 << bit;
            }
        }
        let literal = |formula: &Formula| match formulas.0[*formula] {
            Kind::Literal { proposition, holds } => Some((proposition, holds)),
            _ => None,
        };
        let literals: Vec<_> = node.old.iter().filter_map(literal).collect();
        for from in &node.incoming {
            let from = if *from == INIT { 0 } else { from + 1 };
            edges[from].push(Edge { literals: literals.clone(), to: number as u32 + 1, marks });
        }
    }
    Buchi { edges, marks: untils.len() as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Pos;

    fn proposition(number: i32) -> Box<Expr> {
        Box::new(Expr::Const(number))
    }

    /// Whether a run, a prefix and a circle of sets of propositions, is accepted: by brute force over the product.
    fn accepts(automaton: &Buchi, prefix: &[u8], circle: &[u8]) -> bool {
        let letters: Vec<u8> = prefix.iter().chain(circle).copied().collect();
        let after = |place: usize| if place + 1 < letters.len() { place + 1 } else { prefix.len() };
        let states = automaton.edges.len() * letters.len();
        let node = |state: usize, place: usize| state * letters.len() + place;
        let successors = |at: usize| {
            let (state, place) = (at / letters.len(), at % letters.len());
            let matches =
                |edge: &&Edge| edge.literals.iter().all(|(p, holds)| (letters[place] >> p & 1 == 1) == *holds);
            let follow = |edge: &Edge| (node(edge.to as usize, after(place)), edge.marks);
            automaton.edges[state].iter().filter(matches).map(follow).collect::<Vec<_>>()
        };
        // What is reached from each, with which marks on the way: pairs are few.
        let all = (1u64 << automaton.marks) - 1;
        let reach = |from: usize| {
            let mut seen: BTreeSet<(usize, u64)> = BTreeSet::new();
            let mut left = vec![(from, 0u64)];
            while let Some((at, marks)) = left.pop() {
                for (to, more) in successors(at) {
                    if seen.insert((to, marks | more)) {
                        left.push((to, marks | more));
                    }
                }
            }
            seen
        };
        let reachable: BTreeSet<usize> = reach(node(0, 0)).into_iter().map(|(at, _)| at).chain([node(0, 0)]).collect();
        (0..states).any(|at| reachable.contains(&at) && reach(at).contains(&(at, all)))
    }

    /// What the formula means, from its definition.
    fn holds(formula: &Expr, prefix: &[u8], circle: &[u8], place: usize) -> bool {
        let letters: Vec<u8> = prefix.iter().chain(circle).copied().collect();
        let after = |place: usize| if place + 1 < letters.len() { place + 1 } else { prefix.len() };
        let run = |formula: &Expr, place| holds(formula, prefix, circle, place);
        let until = |left: &dyn Fn(usize) -> bool, right: &dyn Fn(usize) -> bool| {
            let mut here = place;
            for _ in 0..=letters.len() {
                if right(here) {
                    return true;
                }
                if !left(here) {
                    return false;
                }
                here = after(here);
            }
            false
        };
        match formula {
            Expr::Const(number) => letters[place] >> number & 1 == 1,
            Expr::Unary(Unary::Not, inner) => !run(inner, place),
            Expr::Unary(Unary::Next, inner) => run(inner, after(place)),
            Expr::Unary(Unary::Always, inner) => !until(&|_| true, &|here| !run(inner, here)),
            Expr::Unary(Unary::Eventually, inner) => until(&|_| true, &|here| run(inner, here)),
            Expr::Binary(_, operator, left, right) => match operator {
                Binary::And => run(left, place) && run(right, place),
                Binary::Or => run(left, place) || run(right, place),
                Binary::Implies => !run(left, place) || run(right, place),
                Binary::Equivalent => run(left, place) == run(right, place),
                Binary::Until => until(&|here| run(left, here), &|here| run(right, here)),
                Binary::Release => !until(&|here| !run(left, here), &|here| !run(right, here)),
                Binary::WeakUntil => {
                    until(&|here| run(left, here), &|here| run(right, here))
                        || !until(&|_| true, &|here| !run(left, here))
                }
                other => panic!("{other:?} is no operator of formulas"),
            },
            other => panic!("{other:?} is no formula"),
        }
    }

    /// An arbitrary formula of two propositions.
    fn arbitrary(seed: &mut u64, depth: u32) -> Expr {
        let mut draw = |most: u64| {
            *seed ^= *seed << 13;
            *seed ^= *seed >> 7;
            *seed ^= *seed << 17;
            *seed % most
        };
        let choice = if depth == 0 { 0 } else { draw(13) };
        let bit = draw(2) as i32;
        let mut inner = || Box::new(arbitrary(seed, depth - 1));
        let binary = |operator, left, right| Expr::Binary(Pos::default(), operator, left, right);
        match choice {
            0 | 1 => *proposition(bit),
            2 => Expr::Unary(Unary::Not, inner()),
            3 => Expr::Unary(Unary::Next, inner()),
            4 => Expr::Unary(Unary::Always, inner()),
            5 => Expr::Unary(Unary::Eventually, inner()),
            6 => binary(Binary::And, inner(), inner()),
            7 => binary(Binary::Or, inner(), inner()),
            8 => binary(Binary::Implies, inner(), inner()),
            9 => binary(Binary::Equivalent, inner(), inner()),
            10 => binary(Binary::Until, inner(), inner()),
            11 => binary(Binary::Release, inner(), inner()),
            _ => binary(Binary::WeakUntil, inner(), inner()),
        }
    }

    #[test]
    fn automata_accept_what_formulas_reject() {
        let mut seed = 0x9e37_79b9_7f4a_7c15;
        let runs: Vec<(Vec<u8>, Vec<u8>)> = vec![
            (vec![], vec![0]),
            (vec![], vec![1]),
            (vec![], vec![3]),
            (vec![1], vec![2]),
            (vec![0, 1], vec![2, 0]),
            (vec![2, 3], vec![1, 0]),
            (vec![1, 1], vec![3, 2, 0]),
        ];
        for _ in 0..400 {
            let formula = arbitrary(&mut seed, 3);
            let automaton = negated(&formula);
            for (prefix, circle) in &runs {
                let wanted = !holds(&formula, prefix, circle, 0);
                assert_eq!(accepts(&automaton, prefix, circle), wanted, "{formula:?} on {prefix:?} {circle:?}");
            }
        }
    }
}
