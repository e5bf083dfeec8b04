//! Release and acquire (Lahav, Giannarakis, Vafeiadis; POPL 2016): RC11 in which every atomic access acquires and releases,
//! and no more. Seq_cst fences are kept; seq_cst accesses are as others. Plain accesses stay plain, so that they can race.

use super::rc11::{allows, floor};
use super::{Asker, Model};
use crate::graph::{Event, Graph, Label};
use crate::hb::HappensBefore;
use crate::relation::Relations;
use model::Order;

/// See the head of this file.
pub(super) struct Ra;

impl Model for Ra {
    fn allows(&self, r: &Relations) -> bool {
        allows(r, |a, r| {
            let event = r.nodes[a].event?;
            let is_atomic = (event.is_read() || event.is_write()) && event.order != Order::Plain;
            Some(if is_atomic { Order::AcqRel } else { event.order })
        })
    }

    fn needs_happens_before(&self) -> bool {
        true
    }

    fn floor(&mut self, g: &Graph, hb: &HappensBefore, asker: Asker) -> usize {
        floor(g, hb, asker)
    }

    fn needs_axioms(&self, g: &Graph, added: &[Event]) -> bool {
        let is_fence = |event: &&Event| event.label == Label::Fence && event.order == Order::SeqCst;
        g.events().iter().chain(added).filter(is_fence).nth(1).is_some()
    }
}
