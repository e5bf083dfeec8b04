//! Law 4: two operations called independent commute when `objects` applies them in both orders.

use model::{Counting, Idle, ObjectId, Op, OpKind, Outcome, Site, State, Test, ThreadId, Update, Width};
use trace::Footprint;
use trace::dependence::Change;

const FIRST: ThreadId = ThreadId(0);
const SECOND: ThreadId = ThreadId(1);

/// Every operation on each kind of object, with the states in which to try them.
fn kinds() -> Vec<(Vec<OpKind>, Vec<State>)> {
    use OpKind::*;
    let writer = objects::apply(WriteLock, Outcome::Done, 0, ThreadId(7));
    let held = objects::apply(Lock, Outcome::Done, 0, ThreadId(7));
    vec![
        (
            vec![
                Read,
                Write(1),
                Write(2),
                ReadModifyWrite(Update::FetchAdd(1)),
                ReadModifyWrite(Update::Swap(2)),
                CompareExchange { expected: 1, new: 2 },
                CompareExchange { expected: 2, new: 1 },
                Add(1),
                Add(2),
                Await(Test::Equal(1)),
                Await(Test::NotEqual(1)),
            ],
            (0..4).collect(),
        ),
        (
            vec![
                Read,
                Add(1),
                Add(u64::MAX),
                Add(objects::WEAK),
                ReadModifyWrite(Update::FetchAdd(u64::MAX)),
                Count(Counting::Upgrade),
                Count(Counting::Unwrap),
                Await(Test::NotEqual(2)),
            ],
            vec![1, 2, 3, 1 + objects::WEAK],
        ),
        // A variable has one width.
        ([1, 3].map(|by| AddIn { width: Width { bits: 2, signed: false }, by }).to_vec(), (0..4).collect()),
        (vec![Lock, TryLock, Section, Relock { condvar: ObjectId(9) }], vec![0, held]),
        // A thread releases only what it holds: two that release are two of the readers.
        (vec![ReadLock, TryReadLock, WriteLock, TryWriteLock, ReadUnlock], vec![2, 3]),
        (vec![ReadLock, TryReadLock, WriteLock, TryWriteLock], vec![0, 1, 2, writer]),
        (vec![NotifyOne, NotifyAll, Wait { mutex: ObjectId(9) }], (0..4).collect()),
        (vec![Acquire, TryAcquire, Release], (0..4).collect()),
        (vec![true, false].into_iter().map(|ordered| Arrive { parties: 2, ordered }).collect(), (0..4).collect()),
        (vec![Init(0), Destroy(Idle::AtZero), Free, Lock, TryLock], ends_of_life(&[0, held])),
        (vec![Init(0), Destroy(Idle::AtZero), Free, ReadLock, TryReadLock, WriteLock], ends_of_life(&[0, 1, writer])),
        (vec![Init(2), Destroy(Idle::Always), Free, Acquire, TryAcquire, Release], ends_of_life(&[0, 1])),
        (
            vec![Init(0), Destroy(Idle::AtMultiplesOf(2)), Free, Arrive { parties: 2, ordered: false }],
            ends_of_life(&[0, 1]),
        ),
        (vec![Init(0), Destroy(Idle::AtZero), Free, NotifyOne, NotifyAll], ends_of_life(&[0, 1])),
    ]
}

/// These states, and those before and after a life.
fn ends_of_life(states: &[State]) -> Vec<State> {
    [states, &[objects::UNINITIALISED, objects::DESTROYED, objects::FREED]].concat()
}

/// What an operation does in a state, if it is enabled there: its outcome, what it saw, and the state after.
fn perform(kind: OpKind, state: State, thread: ThreadId) -> Option<(Outcome, State)> {
    objects::enabled(kind, state).then(|| {
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
    for (kinds, states) in kinds() {
        for &a in &kinds {
            for &b in &kinds {
                for &state in &states {
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
    let Some((a_outcome, between)) = perform(a, state, FIRST) else { return false };
    let Some((b_outcome, after)) = perform(b, between, SECOND) else { return false };
    let a_footprint = footprint(a, a_outcome, Change::between(state, between));
    if a_footprint.depends(&footprint(b, b_outcome, Change::between(between, after))) {
        return false;
    }
    let case = format!("{a:?} then {b:?} from {state}");
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
