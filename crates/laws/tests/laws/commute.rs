//! Law 4: two operations called independent commute when `objects` applies them in both orders.

use model::{Cause, ObjectId, Op, OpKind, Outcome, Site, Sort, State, ThreadId};
use trace::Footprint;
use trace::dependence::Change;

const FIRST: ThreadId = ThreadId(0);
const SECOND: ThreadId = ThreadId(1);

/// The sorts of objects that operations are tried on. Those on mailboxes are in `commute_messages.rs`, and what steps of models do,
/// their crate's tests try.
const SORTS: [Sort; 9] = {
    use Sort::*;
    [Variable, Bits, Count, Mutex, RwLock, Condvar, Semaphore, Barrier, Latch]
};

/// The states in which to try operations on an object of a sort.
fn states(sort: Sort) -> Vec<State> {
    let after = |kind| objects::apply(kind, Outcome::Done, 0, ThreadId(7));
    let (alive, has_life) = match sort {
        Sort::Variable | Sort::Bits | Sort::Latch => ((0..4).collect(), false),
        Sort::Count => (vec![1, 2, 3, 1 + objects::WEAK], false),
        Sort::Mutex => (vec![0, after(OpKind::Lock)], true),
        Sort::RwLock => (vec![0, 1, 2, 3, after(OpKind::WriteLock)], true),
        Sort::Condvar | Sort::Semaphore | Sort::Barrier => ((0..4).collect(), true),
        Sort::Mailbox | Sort::Store => unreachable!("tried elsewhere"),
    };
    let dead = [objects::UNINITIALISED, objects::DESTROYED, objects::FREED];
    if has_life { [alive, dead.to_vec()].concat() } else { alive }
}

/// Whether some thread, other than the one that performs another operation, may perform this one: a thread releases only
/// what it holds, so that two that release are two of the readers.
fn may_perform(kind: OpKind, state: State) -> bool {
    kind != OpKind::ReadUnlock || !objects::is_alive(state) || objects::rwlock_readers(state) >= 2
}

/// What an operation does in a state, if it is enabled there: its outcome, what it saw, and the state after.
fn perform(kind: OpKind, state: State, thread: ThreadId) -> Option<(Outcome, State)> {
    (may_perform(kind, state) && objects::enabled(kind, state)).then(|| {
        let outcome = objects::outcome(kind, state);
        (outcome, objects::apply(kind, outcome, state, thread))
    })
}

fn footprint(kind: OpKind, outcome: Outcome, change: Change) -> Footprint {
    Footprint::new(&Op { kind, object: ObjectId(0), site: Site::UNKNOWN }, outcome, change)
}

/// Whether an operation shows its thread the object's word.
fn sees(kind: OpKind, outcome: Outcome) -> bool {
    use trace::dependence::Mode;
    footprint(kind, outcome, Change::Changed).mode != Mode::Add
}

#[test]
fn independent_operations_commute() {
    let mut tried = 0;
    for sort in SORTS {
        let is_on = |kind: &OpKind| kind.sorts().is_empty() || kind.sorts().contains(&sort);
        let kinds: Vec<OpKind> = OpKind::samples().into_iter().filter(is_on).collect();
        for &a in &kinds {
            for &b in &kinds {
                for state in states(sort) {
                    tried += u32::from(check_pair(a, b, state));
                }
            }
        }
    }
    assert!(tried >= 30, "only {tried} independent pairs");
}

/// Performs a then b from `state`. If their footprints say that they are independent, b then a must be possible too, with
/// the same outcomes, and lead to the same state. Says whether they are independent.
fn check_pair(a: OpKind, b: OpKind, state: State) -> bool {
    if !may_perform(b, state) {
        return false;
    }
    let Some((a_outcome, between)) = perform(a, state, FIRST) else { return false };
    let Some((b_outcome, after)) = perform(b, between, SECOND) else { return false };
    let a_footprint = footprint(a, a_outcome, Change::between(state, between));
    if a_footprint.depends(&footprint(b, b_outcome, Change::between(between, after))) {
        return false;
    }
    let case = format!("{a:?} then {b:?} from {state}");
    // That a arrives at the barrier that b passes is a cause, which no schedule can reverse.
    if b.nature().cause != Cause::None && perform(b, state, SECOND).is_none() {
        return false;
    }
    let (b_first, between_other) =
        perform(b, state, SECOND).unwrap_or_else(|| panic!("{case}: b is not enabled first"));
    let (a_second, after_other) =
        perform(a, between_other, FIRST).unwrap_or_else(|| panic!("{case}: a is disabled by b"));
    assert_eq!((a_outcome, b_outcome), (a_second, b_first), "{case}: outcomes");
    assert_eq!(after, after_other, "{case}: states");
    if sees(a, a_outcome) && sees(b, b_outcome) {
        let alternatives = |kind, state| objects::alternatives(kind, state);
        assert_eq!(alternatives(a, state), alternatives(a, between_other), "{case}: alternatives of a");
        assert_eq!(alternatives(b, between), alternatives(b, state), "{case}: alternatives of b");
    }
    true
}
