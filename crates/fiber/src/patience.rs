//! Whether a loop that looks at the same values again and again has an end of its own.
//!
//! A loop that tries for some rounds and then gives up must be explored as it is: to let it wait for a change would hide
//! what it does when it has given up. A loop without an end must be made to wait, or there would be no end to executions.
//! To tell them apart, the first time that a thread goes round such a loop it is run on at once, with nobody else
//! in between, for [`ROUNDS`] rounds: does it do anything but look at the same values? What is learnt is kept for all runs of
//! the program, under the place of the loop and the values that it saw. The run in which it was learnt is of no use any
//! more, because what the thread did is not among its steps: it is done again from its start (see `run`).

use crate::context::{self, Context};
use crate::perform::Done;
use crate::slot::Slot;
use crate::unwinding;
use model::{ObjectId, Op, OpKind, Outcome, Site};

/// A loop that goes on for so many rounds has no end.
const ROUNDS: u32 = 10_000;

/// A loop, and what is seen in a round of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Loop {
    /// Where it pauses or, if it does not, looks.
    pub(crate) site: Site,
    /// The objects and their values, added up.
    pub(crate) seen: u128,
}

/// What is known of the loops of one place that see the same.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Patience {
    /// Some do something else after so many rounds, or looks.
    ends_after: u32,
    /// Some never do.
    endless: bool,
}

/// What a thread in a loop is to do.
pub(crate) enum Advice {
    /// Its loop may be about to end.
    GoOn,
    /// Its loop ends when something changes.
    Wait,
    /// Nobody knows.
    Probe,
}

/// A loop that is being run on.
#[derive(Clone, Copy)]
pub(crate) struct Probe {
    of: Loop,
    /// Rounds, or looks, before that.
    count: u32,
    looks: u32,
    most: u32,
}

/// What a thread is to do that has gone round a loop so many times.
pub(crate) fn advice(context: &Context, of: Loop, count: u32) -> Advice {
    let known = context::quietly(|| context.registry.patience(of));
    match known {
        Some(patience) if count <= patience.ends_after => Advice::GoOn,
        Some(patience) if patience.endless => Advice::Wait,
        // What unwinds cannot be stopped.
        _ if unwinding::is_panicking() => Advice::Wait,
        _ => Advice::Probe,
    }
}

/// The thread goes on, watched.
pub(crate) fn probe(context: &Context, slot: &Slot, of: Loop, count: u32) {
    slot.spin.begin_probe(context, Probe { of, count, looks: 0, most: slot.spin.looks_of(ROUNDS) });
}

/// Performs an operation of a thread that is watched, at once. Does not return if that ends the probe.
pub(crate) fn answer(context: &Context, slot: &Slot, op: &Op) -> Done {
    let Some(probe) = slot.spin.probe.get() else { unreachable!("only a thread that is watched comes here") };
    let looked = if probe.looks < probe.most { look(context, slot, op) } else { None };
    match looked {
        Some(done) => {
            slot.spin.probe.set(Some(Probe { looks: probe.looks + 1, ..probe }));
            done
        }
        None => unwinding::stop(context, slot),
    }
}

/// Performs the operation if all it does is to look at what the loop has seen.
fn look(context: &Context, slot: &Slot, op: &Op) -> Option<Done> {
    context::quietly(|| look_quietly(context, slot, op))
}

fn look_quietly(context: &Context, slot: &Slot, op: &Op) -> Option<Done> {
    let mut world = context.world.borrow_mut();
    let thread = context.current();
    if op.object == ObjectId::NONE
        || op.kind == OpKind::CellWrite
        || !(slot.spin.has_seen(op.object) || matches!(op.kind, OpKind::TryReceive(_)))
        || !world.enabled(thread, op)
        || world.alternatives(op) > 1
    {
        return None;
    }
    let objects::Performed { outcome, before, after, misuse, .. } = world.perform(thread, op, 0);
    let holding = op.kind.nature().holding;
    let is_look = before == after && !matches!(outcome, Outcome::Received(_))
        || holding.takes()
        || holding.gives()
        || waits_in_vain(op.kind, outcome);
    (is_look && misuse.is_none()).then_some(Done { outcome, before, after, alternative: 0 })
}

/// Whether the operation is part of a wait until the time is up.
fn waits_in_vain(kind: OpKind, outcome: Outcome) -> bool {
    matches!((kind, outcome), (OpKind::Wait { .. } | OpKind::StopWaiting, Outcome::Done))
}

/// If the thread is watched, notes what came out.
pub(crate) fn conclude(context: &Context, slot: &Slot) {
    if let Some(probe) = slot.spin.probe.take() {
        slot.spin.changed();
        context.learnt.set(true);
        context::quietly(|| {
            let mut patience = context.registry.patience(probe.of).unwrap_or_default();
            if probe.looks >= probe.most {
                patience.endless = true;
            } else {
                patience.ends_after = patience.ends_after.max(probe.count + probe.looks);
            }
            context.registry.learn(probe.of, patience);
        });
    }
}
