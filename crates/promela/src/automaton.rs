//! From the flow of a process to its states and transitions: which elements a process can stand at, and where its steps
//! lead. As in SPIN, jumps and the ends of selections are no steps of their own, but where they leave an `atomic`.

use crate::code::{Code, EXIT, Op, Place, State, Transition};
use crate::flow::{El, Flow, Kind, MOST_HOPS, Sequence, Sub};
use crate::jumps;
use crate::lower::{Lowered, Uses};
use crate::scope::width;
use crate::text::Problem;
use rustc_hash::{FxHashMap, FxHashSet};

/// The states of a process, and which of them it begins in.
pub(crate) struct Automaton {
    pub(crate) states: Vec<State>,
    pub(crate) initial: u32,
    /// The state of each element that is one.
    pub(crate) state_of: FxHashMap<El, u32>,
}

/// The automaton of a flow. Variables that are dead may become 0, unless other processes can see them.
pub(crate) fn automaton(flow: &Flow, forgets: bool) -> Lowered<Automaton> {
    jumps::check(flow)?;
    let first = flow.sequences[flow.body].first.expect("a body has its end at least");
    let mut maker = Maker {
        flow,
        dead: if forgets { dead_variables(flow)? } else { FxHashMap::default() },
        state_of: FxHashMap::default(),
        points: Vec::new(),
        states: Vec::new(),
        inherited: Vec::new(),
    };
    let initial = flow.hunt(first, flow.elements[first].atomic)?;
    let initial = maker.state(Point { element: initial, in_dstep: false });
    let mut next = 0;
    while next < maker.points.len() {
        let transitions = maker.transitions(maker.points[next])?;
        let escapes = if maker.points[next].in_dstep { Vec::new() } else { maker.escapes(&transitions)? };
        let own = transitions.into_iter().map(|(_, made)| made);
        maker.states[next].transitions = escapes.into_iter().chain(own).collect();
        next += 1;
    }
    maker.mark();
    let outside = |(point, state): (Point, u32)| (!point.in_dstep).then_some((point.element, state));
    let state_of = maker.state_of.into_iter().filter_map(outside).collect();
    Ok(Automaton { states: maker.states, initial, state_of })
}

/// Where a process can stand: at an element, or within a `d_step`, where nobody sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Point {
    element: El,
    in_dstep: bool,
}

struct Maker<'f> {
    flow: &'f Flow,
    /// Variables that are dead behind each element.
    dead: FxHashMap<El, Vec<Place>>,
    state_of: FxHashMap<Point, u32>,
    /// The point of each state.
    points: Vec<Point>,
    states: Vec<State>,
    /// A label of the first step of an option is that of the state after it.
    inherited: Vec<(El, u32)>,
}

impl Maker<'_> {
    fn state(&mut self, point: Point) -> u32 {
        *self.state_of.entry(point).or_insert_with(|| {
            self.points.push(point);
            self.states.push(State::default());
            (self.states.len() - 1) as u32
        })
    }

    /// Follows jumps within a `d_step`: none where that is left.
    fn hunt_in_dstep(&self, from: Option<El>) -> Lowered<Option<El>> {
        let mut here = from;
        for _ in 0..MOST_HOPS {
            let Some(element) = here.filter(|element| self.flow.elements[*element].in_dstep) else { return Ok(None) };
            match self.flow.hop(element) {
                None => return Ok(Some(element)),
                next => here = next,
            }
        }
        Err(Problem::new(self.flow.elements[from.unwrap_or(0)].pos, "these jumps lead to each other in a circle"))
    }

    /// The steps from a point, each with the element that it belongs to; those of a selection are those of its options.
    fn transitions(&mut self, point: Point) -> Lowered<Vec<(El, Transition)>> {
        let flow = self.flow;
        let element = point.element;
        match &flow.elements[element].kind {
            Kind::Choice(options) => {
                let mut all = Vec::new();
                for option in options {
                    let start = flow.start(*option);
                    if !flow.is_never(start) {
                        all.extend(self.inner(Point { element: start, ..point })?);
                    }
                }
                Ok(all)
            }
            Kind::Sub(Sub::DStep, inner) if !point.in_dstep => {
                let begin = self.state(Point { element: flow.start(*inner), in_dstep: true });
                let to = self.after(point)?;
                Ok(vec![(element, self.transition(point, Op::DStep(begin), to))])
            }
            Kind::Sub(_, inner) => {
                let start = flow.start(*inner);
                self.inner(Point { element: start, ..point })
            }
            Kind::Leaf(op) => {
                let to = self.after(point)?;
                Ok(vec![(element, self.transition(point, op.clone(), to))])
            }
            Kind::Goto(_) | Kind::Dot | Kind::Break | Kind::Unless(..) => {
                let to = self.after(point)?;
                Ok(vec![(element, self.transition(point, Op::Skip, to))])
            }
        }
    }

    fn inner(&mut self, start: Point) -> Lowered<Vec<(El, Transition)>> {
        let found = self.transitions(start)?;
        if !start.in_dstep {
            self.inherited.extend(found.iter().map(|(_, made)| (start.element, made.to)));
        }
        Ok(found)
    }

    /// The state after the step of a point.
    fn after(&mut self, point: Point) -> Lowered<u32> {
        let found = &self.flow.elements[point.element];
        let next = match &found.kind {
            Kind::Goto(jump) => Some(self.flow.target(*jump)),
            _ => found.next,
        };
        if point.in_dstep {
            let next = self.hunt_in_dstep(next)?;
            return Ok(next.map_or(EXIT, |element| self.state(Point { element, in_dstep: true })));
        }
        // Behind the end of the process there is nothing.
        let Some(next) = next else { return Ok(0) };
        let element = self.flow.hunt(next, found.atomic)?;
        Ok(self.state(Point { element, in_dstep: false }))
    }

    fn transition(&self, point: Point, op: Op, to: u32) -> Transition {
        let found = &self.flow.elements[point.element];
        let dead = if point.in_dstep { None } else { self.dead.get(&point.element).cloned() };
        Transition { op, to, atomic: found.atomic, escape: 0, dead: dead.unwrap_or_default(), pos: found.pos }
    }

    /// The steps by which a state is left for an escape, in the order in which they are asked.
    fn escapes(&mut self, transitions: &[(El, Transition)]) -> Lowered<Vec<Transition>> {
        let mut found: Vec<(El, Transition)> = Vec::new();
        for (element, _) in transitions {
            let flow = self.flow;
            let of = &flow.elements[*element];
            if matches!(of.kind, Kind::Dot) {
                continue;
            }
            for escape in of.escapes.iter().rev() {
                let first = flow.sequences[*escape].first.expect("an escape has an element");
                let start = Point { element: flow.hunt(first, of.atomic)?, in_dstep: false };
                for (of, mut made) in self.transitions(start)? {
                    if found.iter().chain(transitions).all(|(known, _)| *known != of) {
                        made.escape = self.state(start) + 1;
                        found.insert(0, (of, made));
                    }
                }
            }
        }
        Ok(found.into_iter().map(|(_, made)| made).collect())
    }

    /// What labels say of states.
    fn mark(&mut self) {
        for (point, state) in self.state_of.iter().filter(|(point, _)| !point.in_dstep) {
            let marks = self.flow.marks(point.element);
            let state = &mut self.states[*state as usize];
            state.is_accepting |= marks.accept;
            state.is_progress |= marks.progress;
            state.is_end |= marks.end || matches!(self.flow.elements[point.element].kind, Kind::Leaf(Op::End));
        }
        for (element, to) in &self.inherited {
            let marks = self.flow.marks(*element);
            let Some(state) = self.states.get_mut(*to as usize) else { continue };
            state.is_accepting |= marks.accept;
            state.is_progress |= marks.progress;
            state.is_end |= marks.end;
        }
    }
}

// ---- dead variables ----

/// Where the flow can go from an element, and by whose step.
type Edges = FxHashMap<El, Vec<(Option<El>, Option<El>)>>;

/// Local variables whose values nobody reads before they are written again, for each element after which that is so.
/// They become 0 there, as in SPIN, so that states that differ in them only are one.
fn dead_variables(flow: &Flow) -> Lowered<FxHashMap<El, Vec<Place>>> {
    let mut analysis = Analysis { flow, edges: Edges::default(), done: FxHashSet::default() };
    analysis.sequence(flow.body)?;
    let mut dead: FxHashMap<El, Vec<Place>> = FxHashMap::default();
    let mut steps: Vec<(El, Option<El>)> = Vec::new();
    for edges in analysis.edges.values() {
        steps.extend(edges.iter().filter_map(|(to, step)| step.map(|step| (step, *to))));
    }
    steps.sort_unstable();
    for (step, to) in steps {
        let Kind::Leaf(op) = &flow.elements[step].kind else { continue };
        let Uses { reads, writes } = &flow.elements[step].uses;
        let mut found: Vec<usize> = Vec::new();
        for variable in reads {
            // A value that was read for the last time: only steps that wait can forget it.
            if matches!(op, Op::Condition(_) | Op::Receive { .. } | Op::Run { result: None, .. })
                && analysis.is_dead(to, *variable)
            {
                found.push(*variable);
            }
        }
        for variable in writes {
            let zero = matches!(op, Op::Assign(_, Code::Const(0)));
            if !zero && analysis.is_dead(to, *variable) {
                found.push(*variable);
            }
        }
        found.sort_unstable();
        found.dedup();
        if !found.is_empty() {
            dead.insert(step, found.into_iter().map(|variable| place(flow, variable)).collect());
        }
    }
    Ok(dead)
}

fn place(flow: &Flow, variable: usize) -> Place {
    let symbol = &flow.symbols[variable];
    Place { base: symbol.base, offset: symbol.offset, width: width(&symbol.kind) }
}

struct Analysis<'f> {
    flow: &'f Flow,
    edges: Edges,
    done: FxHashSet<El>,
}

impl Analysis<'_> {
    fn edge(&mut self, from: El, to: Option<El>, step: Option<El>) {
        self.edges.entry(from).or_default().push((to, step));
    }

    fn sequence(&mut self, seq: usize) -> Lowered<()> {
        let Sequence { first, last, .. } = self.flow.sequences[seq];
        let mut here = first;
        while let Some(element) = here {
            if self.done.insert(element) {
                self.element(element)?;
            }
            if Some(element) == last {
                break;
            }
            here = self.flow.elements[element].next;
        }
        Ok(())
    }

    fn element(&mut self, element: El) -> Lowered<()> {
        let flow = self.flow;
        let found = &flow.elements[element];
        match &found.kind {
            Kind::Unless(main, _) => self.sequence(*main)?,
            Kind::Choice(options) => {
                let starts = options.iter().map(|option| flow.start(*option)).filter(|start| !flow.is_never(*start));
                starts.for_each(|start| self.edge(element, Some(start), Some(element)));
                for option in options {
                    self.sequence(*option)?;
                }
            }
            Kind::Sub(_, inner) => {
                self.edge(element, Some(flow.start(*inner)), Some(element));
                self.sequence(*inner)?;
            }
            Kind::Goto(jump) => self.edge(element, Some(flow.hunt(flow.target(*jump), found.atomic)?), Some(element)),
            Kind::Leaf(_) | Kind::Dot | Kind::Break => {
                let to = found.next.map(|next| flow.hunt(next, found.atomic)).transpose()?;
                self.edge(element, to, Some(element));
                if !matches!(found.kind, Kind::Dot) {
                    for escape in &found.escapes {
                        self.edge(element, Some(flow.start(*escape)), None);
                        self.sequence(*escape)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether nobody can read the variable from here before it is written.
    fn is_dead(&self, from: Option<El>, variable: usize) -> bool {
        let mut seen = FxHashSet::default();
        let mut left: Vec<El> = from.into_iter().collect();
        while let Some(element) = left.pop() {
            if !seen.insert(element) {
                continue;
            }
            let found = &self.flow.elements[element];
            if found.uses.reads.contains(&variable) {
                return false;
            }
            // Escapes can be taken instead of the step.
            let is_written = found.uses.writes.contains(&variable);
            let edges = self.edges.get(&element).into_iter().flatten();
            left.extend(edges.filter(|(_, step)| !is_written || step.is_none()).filter_map(|(to, _)| *to));
        }
        true
    }
}
