//! `init_accesses` and `future_accesses` in a state, from the static analysis of `accesses`.

use crate::accesses::{Access, Assigned, Collector, extent, has_rendezvous};
use crate::code::{Base, Code, EXIT, Indexed, Op, Place, Transition};
use crate::machine::{Machine, Shape, View, control};
use crate::model::Model;
use crate::touch::{Mode, Touch};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A process that stands somewhere, by what its future depends on: pid, proctype, control state, variables that are fixed.
type Standing = (u8, u8, u32, Vec<u8>);

pub(crate) struct Analysis<'m> {
    model: &'m Model,
    assigned: Assigned,
    /// For each proctype and transition, what taking it accesses: with the rest of its `atomic`, if it begins or goes on with one.
    rest: Vec<Vec<Vec<Vec<Access>>>>,
    /// For each proctype and control state, what a process accesses from there on.
    future: Vec<Vec<Vec<Access>>>,
    /// For each proctype and control state, the transitions' guards, where one's absence makes others possible.
    guards: Vec<Vec<Vec<Access>>>,
    /// For each proctype, the bytes of a frame that nobody assigns to, which futures may depend on.
    fixed: Vec<Vec<u32>>,
    resolved: FxHashMap<Standing, Rc<Touch>>,
}

/// A transition that is the next step of its process, and the accesses of that step by itself.
struct First<'m> {
    proctype: usize,
    here: usize,
    made: &'m Transition,
    found: Vec<Access>,
}

impl<'m> Analysis<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let assigned = Assigned::new(model);
        let each = |make: &dyn Fn(usize, usize) -> Vec<Access>| -> Vec<Vec<Vec<Access>>> {
            let states = |proctype: usize| 0..model.proctypes[proctype].states.len();
            (0..model.proctypes.len())
                .map(|proctype| states(proctype).map(|state| make(proctype, state)).collect())
                .collect()
        };
        let future = each(&|proctype, state| future(model, &assigned, proctype, state));
        let guards = each(&|proctype, state| guards(model, proctype, state));
        let rest = model.proctypes.iter().enumerate().map(|(number, proctype)| {
            let of_state = |state: &crate::code::State| {
                (0..state.transitions.len()).map(|way| rest(model, number, &state.transitions[way])).collect()
            };
            proctype.states.iter().map(of_state).collect()
        });
        let rest = rest.collect();
        let fixed = (0..model.proctypes.len()).map(|number| assigned.fixed_bytes(number)).collect();
        Analysis { model, assigned, rest, future, guards, fixed, resolved: FxHashMap::default() }
    }

    /// What a transition of a process accesses when it is the next step of that process. `possible`: it can be taken now.
    pub(crate) fn init(&self, view: &View<'_>, transition: usize, possible: bool) -> Touch {
        let First { proctype, here, made, found } = self.first(view, transition);
        let mut touch = Touch::default();
        let whole = possible && !matches!(made.op, Op::DStep(_));
        // Whatever the first step looks its objects up by is read by it, so that the values of now are those of then.
        found.iter().for_each(|access| self.resolve(view, access, Known::Now, whole, &mut touch));
        let guards = &self.guards[proctype][here];
        guards.iter().for_each(|access| self.resolve(view, access, Known::Now, false, &mut touch));
        let rest = &self.rest[proctype][here][transition];
        rest.iter().for_each(|access| self.resolve(view, access, Known::Fixed, false, &mut touch));
        if let Some(clause) = &self.model.proctypes[proctype].provided {
            self.clause(view, proctype, clause, &mut touch);
        }
        touch
    }

    /// The next step of a process by a transition, and what that accesses by itself.
    fn first(&self, view: &View<'_>, transition: usize) -> First<'m> {
        let proctype = usize::from(view.state[view.frame as usize]);
        let here = control(view.state, view.frame) as usize;
        let made = &self.model.proctypes[proctype].states[here].transitions[transition];
        let mut collector = Collector { model: self.model, proctype, found: Vec::new() };
        collector.transition(made);
        First { proctype, here, made, found: collector.found }
    }

    fn clause(&self, view: &View<'_>, proctype: usize, clause: &Code, touch: &mut Touch) {
        let mut read = Collector { model: self.model, proctype, found: Vec::new() };
        read.reads(clause);
        read.found.iter().for_each(|access| self.resolve(view, access, Known::Fixed, false, touch));
    }

    /// What a process can access from a control state on, itself and those that it makes.
    pub(crate) fn future(&mut self, view: &View<'_>, state: u32) -> Rc<Touch> {
        let proctype = view.state[view.frame as usize];
        let mut fixed = Vec::new();
        for offset in &self.fixed[usize::from(proctype)] {
            fixed.push(view.state[(view.frame + offset) as usize]);
        }
        let standing = (view.process, proctype, state, fixed);
        if let Some(known) = self.resolved.get(&standing) {
            return Rc::clone(known);
        }
        let mut touch = Touch::default();
        for access in &self.future[usize::from(proctype)][state as usize] {
            self.resolve(view, access, Known::Fixed, true, &mut touch);
        }
        let touch = Rc::new(touch);
        self.resolved.insert(standing, Rc::clone(&touch));
        touch
    }

    /// What a process can access if this transition is its next step.
    pub(crate) fn future_by(&mut self, view: &View<'_>, transition: usize) -> Touch {
        let First { proctype, here, made, mut found } = self.first(view, transition);
        let mut touch = Touch::default();
        if let Op::Run { proctype: child, .. } = made.op {
            found.extend(child_future(self.model, &self.assigned, child));
        }
        let guards = &self.guards[proctype][here];
        found.iter().chain(guards).for_each(|access| self.resolve(view, access, Known::Fixed, true, &mut touch));
        if let Some(clause) = &self.model.proctypes[proctype].provided {
            self.clause(view, proctype, clause, &mut touch);
        }
        if !matches!(made.op, Op::End) {
            touch.add(&self.future(view, made.to));
        }
        touch
    }

    /// Adds an access. `whole`: a channel is touched only as the statement says, for it is possible now or is what may
    /// come; otherwise anything that happens to the channel counts.
    fn resolve(&self, view: &View<'_>, access: &Access, known: Known, whole: bool, touch: &mut Touch) {
        let proctype = usize::from(view.state[view.frame as usize]);
        let has_value = |code: &Code| known == Known::Now || self.assigned.is_stable(proctype, code);
        match access {
            Access::Bytes(bytes, write) => touch.bytes(bytes.clone(), *write),
            Access::Element(indexed, write) => {
                let has_place = indexed.indices.iter().all(|index| has_value(&index.value));
                match has_place.then(|| view.bytes_of(indexed)).flatten() {
                    Some(bytes) => touch.bytes(bytes, *write),
                    None => touch.bytes(extent(indexed), *write),
                }
            }
            Access::Channel(code, mode) => match (has_value(code), code) {
                (true, _) => {
                    let number = view.eval(code);
                    self.touch_channel(view, number.unwrap_or(0), *mode, whole, touch);
                }
                (false, Code::LoadIndexed(indexed)) if self.is_fixed_array(proctype, indexed) => {
                    let numbers = view.values_in(indexed);
                    numbers.into_iter().for_each(|number| self.touch_channel(view, number, *mode, whole, touch));
                }
                (false, _) => touch.every_channel(Mode::All),
            },
            Access::OwnChannels => view.own_channels().for_each(|number| touch.channel(number, Mode::All)),
            Access::AnyChannel => touch.every_channel(Mode::All),
            Access::Run => touch.runs = true,
            Access::End if whole => touch.ends = true,
            Access::End => touch.waits_to_end = true,
            Access::CountProcesses => touch.counts = true,
            Access::Everything => touch.everything = true,
        }
    }

    fn is_fixed_array(&self, proctype: usize, indexed: &Indexed) -> bool {
        let zero = |index: &crate::code::Index| crate::code::Index { value: Code::Const(0), ..index.clone() };
        let indices = indexed.indices.iter().map(zero).collect();
        self.assigned.is_stable(proctype, &Code::LoadIndexed(Box::new(Indexed { first: indexed.first, indices })))
    }

    fn touch_channel(&self, view: &View<'_>, number: i32, mode: Mode, whole: bool, touch: &mut Touch) {
        let Some(number) = usize::try_from(number - 1).ok().filter(|number| *number < view.shape.channels.len()) else {
            return touch.every_channel(Mode::All);
        };
        let (_, kind) = view.shape.channels[number];
        let is_rendezvous = self.model.channel_types[usize::from(kind)].capacity == 0;
        let mode = if is_rendezvous || (!whole && mode != Mode::Look) { Mode::All } else { mode };
        touch.channel(number, mode);
    }
}

/// What is known of the values that objects are looked up by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// Those of now.
    Now,
    /// Those that cannot change.
    Fixed,
}

/// The guards of a control state in which it matters whether some transition is *not* possible.
fn guards(model: &Model, proctype: usize, state: usize) -> Vec<Access> {
    let transitions = &model.proctypes[proctype].states[state].transitions;
    let mut found = Collector { model, proctype, found: Vec::new() };
    if transitions.iter().any(|made| made.escape != 0 || matches!(made.op, Op::Else)) {
        transitions.iter().for_each(|made| found.guard(made));
    }
    found.found
}

/// What comes after a transition without anybody else's steps between: the rest of an `atomic`.
fn rest(model: &Model, proctype: usize, first: &crate::code::Transition) -> Vec<Access> {
    let mut found = Collector { model, proctype, found: Vec::new() };
    let states = &model.proctypes[proctype].states;
    let mut seen = FxHashSet::default();
    let mut left: Vec<u32> = if first.atomic { vec![first.to] } else { Vec::new() };
    // A rendezvous may hand the `atomic` over to its partner, whose steps then belong to it.
    let hands_over = |op: &Op| has_rendezvous(model) && matches!(op, Op::Send { .. });
    if first.atomic && hands_over(&first.op) {
        found.add(Access::Everything);
    }
    while let Some(state) = left.pop() {
        // A `d_step` is one step, whose statements are looked at as a whole.
        if state == EXIT || !seen.insert(state) {
            continue;
        }
        for made in &states[state as usize].transitions {
            found.transition(made);
            if hands_over(&made.op) {
                found.add(Access::Everything);
            }
            if made.atomic {
                left.push(made.to);
            }
        }
    }
    found.found
}

/// What a process accesses from a control state on.
fn future(model: &Model, assigned: &Assigned, proctype: usize, state: usize) -> Vec<Access> {
    let mut found = Collector { model, proctype, found: Vec::new() };
    let states = &model.proctypes[proctype].states;
    let mut seen = FxHashSet::default();
    let mut left = vec![state as u32];
    while let Some(state) = left.pop() {
        if state == EXIT || !seen.insert(state) {
            continue;
        }
        guards(model, proctype, state as usize).into_iter().for_each(|access| found.add(access));
        for made in &states[state as usize].transitions {
            found.transition(made);
            if let Op::Run { proctype: child, .. } = made.op {
                child_future(model, assigned, child).into_iter().for_each(|access| found.add(access));
            }
            if !matches!(made.op, Op::End) {
                left.push(made.to);
            }
        }
    }
    if let Some(clause) = &model.proctypes[proctype].provided {
        found.reads(clause);
    }
    found.found
}

/// What a process that is not there yet will access, whatever its pid and parameters.
fn child_future(model: &Model, assigned: &Assigned, child: u8) -> Vec<Access> {
    let mut all = Vec::new();
    let mut seen = FxHashSet::default();
    let mut left = vec![child];
    while let Some(child) = left.pop() {
        if !seen.insert(child) {
            continue;
        }
        let proctype = usize::from(child);
        let mut found = Collector { model, proctype, found: Vec::new() };
        for (number, made) in model.proctypes[proctype].states.iter().enumerate() {
            guards(model, proctype, number).into_iter().for_each(|access| found.add(access));
            made.transitions.iter().for_each(|made| found.transition(made));
        }
        for made in model.proctypes[proctype].states.iter().flat_map(|state| &state.transitions) {
            if let Op::Run { proctype: grandchild, .. } = made.op {
                left.push(grandchild);
            }
        }
        if let Some(clause) = &model.proctypes[proctype].provided {
            found.reads(clause);
        }
        // Channels that are not there yet are touched by nobody.
        let found = found.found.into_iter().filter(|access| *access != Access::OwnChannels);
        all.extend(found.map(|access| of_anybody(assigned, access)));
    }
    all
}

/// An access of a process whose pid and variables are not known.
fn of_anybody(assigned: &Assigned, access: Access) -> Access {
    match access {
        Access::Element(indexed, write) => Access::Bytes(extent(&indexed), write),
        Access::Channel(Code::Load(place), mode) if is_fixed_global(assigned, &Code::Load(place)) => {
            Access::Channel(Code::Load(place), mode)
        }
        Access::Channel(..) => Access::AnyChannel,
        other => other,
    }
}

fn is_fixed_global(assigned: &Assigned, code: &Code) -> bool {
    matches!(code, Code::Load(Place { base: Base::Global, .. })) && assigned.is_stable(0, code)
}

impl View<'_> {
    /// The bytes that a place behind indices is now; none if it has no such element.
    fn bytes_of(&self, indexed: &Indexed) -> Option<std::ops::Range<u32>> {
        let mut at = indexed.first.offset;
        for index in &indexed.indices {
            let value = self.eval(&index.value).ok()?;
            let value = u32::try_from(value).ok().filter(|value| *value < index.length)?;
            at += value * index.stride;
        }
        Some(at..at + indexed.first.width.size())
    }

    /// The numbers, from 0, of the channels that the process made: those of older ones come first.
    fn own_channels(&self) -> std::ops::Range<usize> {
        let of = |frame: &u32| self.model.proctypes[usize::from(self.state[*frame as usize])].channels.len();
        let older = &self.shape.processes[..usize::from(self.process)];
        let first = self.model.channels.len() + older.iter().map(of).sum::<usize>();
        first..first + of(&self.frame)
    }

    /// All values in an array.
    fn values_in(&self, indexed: &Indexed) -> Vec<i32> {
        let base = if indexed.first.base == Base::Own { self.frame } else { 0 };
        let mut places = vec![base + indexed.first.offset];
        for index in &indexed.indices {
            let elements = |place: u32| (0..index.length).map(move |number| place + number * index.stride);
            places = places.into_iter().flat_map(elements).collect();
        }
        places.into_iter().map(|place| indexed.first.width.load(self.state, place as usize)).collect()
    }
}

/// Processes of a state, with the transitions that each stands before.
pub(crate) struct Present<'s> {
    pub(crate) machine: &'s Machine<'s>,
    pub(crate) state: &'s [u8],
    pub(crate) shape: &'s Shape,
}

impl<'s> Present<'s> {
    pub(crate) fn count(&self) -> usize {
        self.shape.processes.len()
    }

    pub(crate) fn view(&self, process: usize) -> View<'s> {
        self.machine.view(self.state, self.shape, process as u8, false)
    }

    pub(crate) fn control(&self, process: usize) -> u32 {
        control(self.state, self.shape.processes[process])
    }

    pub(crate) fn transitions(&self, process: usize) -> usize {
        self.machine.transitions(self.state, self.shape, process as u8).len()
    }
}
