//! Stronger memory orders: which make a program pass that fails.
//!
//! All atomic accesses are made seq_cst; if the program passes so, each place in its text is made as weak again as the program
//! allows, one after the other. What is left is minimal: with any of its orders as it was, the program fails. (Weaker orders
//! only allow more.) Places are known once some execution came to them, so that the search itself collects them.

use model::{OpKind, Order, Orders, Request, Site};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Memory orders in place of those of the program.
#[derive(Default, Debug)]
pub struct Stronger {
    of: BTreeMap<Site, Orders>,
    /// The places that a search came to, as the program has them.
    met: Mutex<BTreeMap<Site, Place>>,
}

/// An atomic access or a fence in the program's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// What it does.
    pub kind: OpKind,
    /// Its memory orders.
    pub orders: Orders,
}

/// A place whose order must be stronger.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// Where it is.
    pub site: Site,
    /// What is there.
    pub place: Place,
    /// The orders that it must have.
    pub orders: Orders,
}

impl Stronger {
    /// The places that a search came to.
    fn met(&self) -> BTreeMap<Site, Place> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The same orders, but for these at this place.
    fn with(&self, site: Site, orders: Orders) -> Self {
        let mut of = self.of.clone();
        of.insert(site, orders);
        Stronger { of, met: Mutex::new(self.met()) }
    }

    /// The request with the orders that it is to have. Those of places that are not listed are seq_cst.
    pub(crate) fn apply(&self, request: Request) -> Request {
        let Request { op, orders } = request;
        let is_atomic = orders.success != Order::Plain && !allowed(op.kind).is_empty();
        if !is_atomic || op.site == Site::UNKNOWN {
            return request;
        }
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        met.entry(op.site).or_insert(Place { kind: op.kind, orders });
        Request { op, orders: self.of.get(&op.site).copied().unwrap_or_default() }
    }
}

/// The orders that an access or fence can have, from the weakest to the strongest; none of an operation that has no choice.
fn allowed(kind: OpKind) -> &'static [Order] {
    use Order::{AcqRel, Acquire, Relaxed, Release, SeqCst};
    match kind {
        OpKind::Read | OpKind::Await(_) => &[Relaxed, Acquire, SeqCst],
        OpKind::Write(_) => &[Relaxed, Release, SeqCst],
        OpKind::Fence => &[Acquire, Release, AcqRel, SeqCst],
        OpKind::ReadModifyWrite(_) | OpKind::CompareExchange { .. } | OpKind::Add(_) | OpKind::AddIn { .. } => {
            &[Relaxed, Acquire, Release, AcqRel, SeqCst]
        }
        _ => &[],
    }
}

/// The orders to try at a place, from those that it has to the strongest.
fn candidates(place: Place) -> Vec<Orders> {
    let Orders { success, failure } = place.orders;
    let stronger = allowed(place.kind).iter().copied().filter(|order| order.includes(success));
    let mut all = Vec::new();
    for success in stronger {
        all.push(Orders { success, failure });
        if matches!(place.kind, OpKind::CompareExchange { .. }) {
            let failures = [Order::Acquire, Order::SeqCst].into_iter().filter(|order| order.includes(failure));
            all.extend(failures.map(|failure| Orders { success, failure }));
        }
    }
    all.dedup();
    all
}

/// A minimal set of stronger orders with which the program passes; none if there is no such set. `passes` searches with these
/// orders, and says whether nothing was found.
pub fn minimal<E>(mut passes: impl FnMut(&Stronger) -> Result<bool, E>) -> Result<Option<Vec<Change>>, E> {
    let mut best = Stronger::default();
    if !passes(&best)? {
        return Ok(None);
    }
    let mut done = Vec::new();
    loop {
        let next = best.met().into_iter().find(|(site, _)| !done.contains(site));
        let Some((site, place)) = next else { break };
        done.push(site);
        for orders in candidates(place) {
            let weaker = best.with(site, orders);
            if passes(&weaker)? {
                best = weaker;
                break;
            }
        }
    }
    let met = best.met();
    let change = |(&site, &orders): (&Site, &Orders)| {
        let place = *met.get(&site)?;
        (place.orders != orders).then_some(Change { site, place, orders })
    };
    Ok(Some(best.of.iter().filter_map(change).collect()))
}
