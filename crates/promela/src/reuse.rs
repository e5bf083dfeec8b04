//! Which steps of a state are those of the state before it: a process that stands where it stood, and whose guards look at
//! nothing that changed, can do what it could do.
//!
//! What changed is known by eighths: a bit stands for eight bytes of a state. What guards look at is found out once for each control
//! state of each process of a shape.

use crate::accesses::{Access, Collector, extent};
use crate::code::HEAD;
use crate::machine::Shape;
use crate::model::Model;

/// For each process of a shape, what its steps depend on.
pub(crate) struct Reuse {
    processes: Vec<Depends>,
}

struct Depends {
    /// Its own variables.
    own: u64,
    /// What its guards look at in each control state.
    guards: Vec<u64>,
}

/// The bits for bytes of a state, without those that are no part of it.
fn bits(bytes: std::ops::Range<u32>) -> u64 {
    if bytes.end > 512 {
        return u64::MAX;
    }
    (bytes.start / 8..bytes.end.div_ceil(8)).fold(0, |bits, place| bits | 1 << place)
}

/// What changed from one state to another of the same shape.
pub(crate) fn changed(old: &[u8], new: &[u8]) -> u64 {
    if new.len() > 512 {
        return u64::MAX;
    }
    let (old, old_rest) = old.as_chunks::<8>();
    let (new, new_rest) = new.as_chunks::<8>();
    let mut changed = 0;
    for (place, (old, new)) in old.iter().zip(new).enumerate() {
        changed |= u64::from(u64::from_le_bytes(*old) != u64::from_le_bytes(*new)) << place;
    }
    if old_rest != new_rest { changed | 1 << new.len() } else { changed }
}

impl Reuse {
    pub(crate) fn new(model: &Model, shape: &Shape, proctypes: &[u8]) -> Self {
        let of = |(pid, proctype): (usize, &u8)| {
            let frame = shape.processes[pid] - model.hidden;
            let made = &model.proctypes[usize::from(*proctype)];
            let states = model.states(*proctype, pid as u8);
            let guards = (0..states.len()).map(|state| guards(model, shape, *proctype, &states[state])).collect();
            Depends { own: bits(frame..frame + HEAD + made.frame), guards }
        };
        Reuse { processes: proctypes.iter().enumerate().map(of).collect() }
    }

    /// Whether a process that stands in a control state can do what it could do before these changes.
    pub(crate) fn is_as_before(&self, process: u8, control: u32, changed: u64) -> bool {
        let depends = &self.processes[usize::from(process)];
        (depends.own | depends.guards[control as usize]) & changed == 0
    }
}

fn guards(model: &Model, shape: &Shape, proctype: u8, state: &crate::code::State) -> u64 {
    let mut collector = Collector { model, proctype: usize::from(proctype), found: Vec::new() };
    state.transitions.iter().for_each(|made| collector.guard(made));
    if let Some(clause) = &model.proctypes[usize::from(proctype)].provided {
        collector.reads(clause);
    }
    collector.found.iter().fold(0, |all, access| all | looked_at(model, shape, access))
}

fn looked_at(model: &Model, shape: &Shape, access: &Access) -> u64 {
    let of = |bytes: std::ops::Range<u32>| {
        // Hidden variables change unseen.
        if bytes.start < model.hidden { u64::MAX } else { bits(bytes.start - model.hidden..bytes.end - model.hidden) }
    };
    match access {
        Access::Bytes(bytes, _) => of(bytes.clone()),
        Access::Element(indexed, _) => of(extent(indexed)),
        Access::Channel(..) | Access::AnyChannel | Access::OwnChannels => {
            let channel = |(at, kind): &(u32, u16)| of(*at..*at + model.channel_types[usize::from(*kind)].size());
            shape.channels.iter().map(channel).fold(0, |all, bits| all | bits)
        }
        // States of one shape have the same processes.
        Access::Run | Access::End | Access::CountProcesses => 0,
        Access::Everything => u64::MAX,
    }
}
