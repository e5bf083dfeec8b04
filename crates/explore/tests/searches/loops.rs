//! Loops that wait or retry: how many executions are left when rounds without an effect are no part of them
//! (docs/algorithms/loops.md).

use litmus::LitmusProgram;
use mazurka_explore::{LoopRules, Report, SchedulingOrder, Settings, algorithm, check};

const SWAP_LOCK: &str = "var l; p[N]: loop { r = swap l, 1; if r == 0 { break } } l = 0";
const CAS_LOCK: &str = "var l; p[N]: loop { r = compare_exchange l, 0, 1; if r == 0 { break } } l = 0";
const TTAS_LOCK: &str = "var l; p[N]: loop { r = l; if r == 0 { s = swap l, 1; if s == 0 { break } } } l = 0";
const TICKET_LOCK: &str =
    "var next, owner; p[N]: t = fetch_add next, 1; loop { r = owner; if r == t { break } } fetch_add owner, 1";
const CAS_RETRY: &str = "var x; p[N]: loop { t = x; r = compare_exchange x, t, t + 1; if r == t { break } }";
/// The same where a register keeps what was loaded in the round before, which makes no difference.
const STALE_RETRY: &str = "var x; p[N]: q = 7; \
    loop { t = x; if q == 9 { q = 1 } q = t; r = compare_exchange x, t, t + 1; if r == t { break } }";
const FETCH_UPDATE: &str = "var x; p[N]: t = x; loop { e = t; t = compare_exchange x, e, e + 1; if t == e { break } }";
const POLLED_FLAG: &str =
    "var x; mutex m; p[N]: loop { lock m; r = x; unlock m; if r == 1 { break } } | lock m; x = 1; unlock m";
const TWO_VARIABLES: &str = "var x, y; loop { r = x; if r != 0 { s = y; if s == 1 { break } } } | x = 1 | y = 1";
const TWO_VARIABLES_TWICE: &str =
    "var x, y; loop { r = x; if r != 0 { s = y; if s == 1 { break } } } | x = 1; x = 0; x = 1 | y = 1";
const ADDS: &str = "var x; loop { r = x; if r == 10 { break } } | x += 3 | x += 3 | x += 4";
const OTHER_ADDS: &str = "var x; loop { r = x; if r == 10 { break } } | x += 1 | x += 1 | x += 8";
const FETCH_ADDS: &str =
    "var x; loop { r = x; if r == 10 { break } } | s = fetch_add x, 3 | s = fetch_add x, 3 | s = fetch_add x, 4";
const SPINNING_BARRIER: &str = "var x; p[N]: x += 1; loop { r = x; if r == N { break } }";
const COUNTED_BARRIER: &str = "var x; p[N]: s = fetch_add x, 1; loop { r = x; if r == N { break } }";

/// The reader-writer lock of Linux: each thread reads, then writes.
const READER_WRITER_LOCK: &str = "var l = 100; p[N]: \
    loop { r = fetch_add l, -1; if r > 0 { break } l += 1; loop { s = l; if s > 0 { break } } } l += 1; \
    loop { r = fetch_add l, -100; if r == 100 { break } l += 100; loop { s = l; if s == 100 { break } } } l += 100";

/// A bounded queue of two slots for many producers and consumers: each thread enqueues, then dequeues.
const BOUNDED_QUEUE: &str = "var e, d, t[2] = 0 1; p[N]: \
    at = e; loop { s = t[at % 2]; \
        if s == at { c = compare_exchange e, at, at + 1; if c == at { break } at = c } \
        else { if s < at { break } at = e } } \
    if s == at { t[at % 2] = at + 1 } \
    at = d; loop { s = t[at % 2]; \
        if s == at + 1 { c = compare_exchange d, at, at + 1; if c == at { break } at = c } \
        else { if s < at + 1 { break } at = d } } \
    if s == at + 1 { t[at % 2] = at + 2 }";

/// Takes two locks as `std::lock` does: by trying the second one, giving the first one back, and beginning with the other.
const LOCK_BOTH: &str = "mutex a, b; var x; \
    loop { lock a; r = try_lock b; if r == 1 { break } unlock a; lock b; r = try_lock a; if r == 1 { break } unlock b } \
        x += 1; unlock a; unlock b | \
    loop { lock b; r = try_lock a; if r == 1 { break } unlock b; lock a; r = try_lock b; if r == 1 { break } unlock a } \
        x += 1; unlock a; unlock b";
/// The same with the same one first every time.
const LOCK_BOTH_AGAIN: &str = "mutex a, b; var x; \
    loop { lock a; r = try_lock b; if r == 1 { break } unlock a } x += 1; unlock a; unlock b | \
    loop { lock b; r = try_lock a; if r == 1 { break } unlock b } x += 1; unlock a; unlock b";

/// The program with so many threads in place of the one called `p[N]`.
fn with_threads(text: &str, threads: u32) -> String {
    let text = text.replace("== N", &format!("== {threads}"));
    let Some((declarations, rest)) = text.split_once("p[N]: ") else { return text };
    let (body, others) =
        rest.split_once(" | ").map_or((rest, String::new()), |(body, others)| (body, format!(" | {others}")));
    format!("{declarations}{}{others}", vec![body; threads as usize].join(" | "))
}

fn explored(text: &str, threads: u32, name: &str, loops: LoopRules) -> Report {
    explored_in(SchedulingOrder::default(), text, threads, name, loops)
}

fn explored_in(order: SchedulingOrder, text: &str, threads: u32, name: &str, loops: LoopRules) -> Report {
    let text = with_threads(text, threads);
    let program = LitmusProgram::new(text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))).unwrap();
    let settings = Settings { loops, order, keep_going: true, ..Settings::default() };
    let mut algorithm = (algorithm(name).unwrap().make)();
    check(&program, &mut *algorithm, &settings).unwrap_or_else(|error| panic!("{text} by {name}: {error}"))
}

/// (completed, cut) by `optimal` and by `pop`, which must agree, with nothing found and nothing blocked.
fn counts(text: &str, threads: u32, loops: LoopRules) -> (u64, u64) {
    let of = |name: &str| {
        let report = explored(text, threads, name, loops);
        assert!(report.exhaustive && report.findings.is_empty(), "{text} by {name}: {report:?}");
        assert_eq!(report.tally.sleep_set_blocked, 0, "{text} by {name}");
        (report.tally.completed, report.tally.cut)
    };
    let [optimal, pop] = ["optimal", "pop"].map(of);
    assert_eq!(optimal, pop, "{text}");
    optimal
}

/// An attempt that fails changes the lock for a while, and others that fail meanwhile see it; they fail without it as well. So none is
/// left. What is left are orders of reads and writes. k reads in a row have k! patterns, by how many later ones begin before each
/// ends: for two threads RRWW has 2 · 2 orders of 2 patterns, RWRW 2; for three RRRWWW 36 · 6, RRWRWW 24 · 2, RRWWRW and
/// RWRRWW 12 · 2 each, RWRWRW 6.
#[test]
fn attempts_that_fail_are_left_out_although_others_see_them() {
    assert_eq!(counts(READER_WRITER_LOCK, 2, LoopRules::ALL).0, 10);
    assert_eq!(counts(READER_WRITER_LOCK, 3, LoopRules::ALL).0, 216 + 48 + 24 + 24 + 6);
}

/// The table of docs/algorithms/loops.md: the rounds left out (A), those that are silent awaited (B), and all rules.
#[test]
fn rounds_without_effect_cost_what_the_table_says() {
    let awaits = LoopRules { awaits: true, ..LoopRules::ROUNDS };
    let rules = [LoopRules::ROUNDS, awaits, LoopRules::ALL];
    for (text, threads, expected) in [
        (SWAP_LOCK, 2, [(2, 2), (2, 0), (2, 0)]),
        (SWAP_LOCK, 3, [(6, 15), (6, 0), (6, 0)]),
        (SWAP_LOCK, 4, [(24, 124), (24, 0), (24, 0)]),
        (CAS_LOCK, 2, [(2, 2), (2, 0), (2, 0)]),
        (CAS_LOCK, 3, [(6, 15), (6, 0), (6, 0)]),
        (CAS_LOCK, 4, [(24, 124), (24, 0), (24, 0)]),
        (TTAS_LOCK, 2, [(4, 4), (4, 0), (2, 0)]),
        (TTAS_LOCK, 3, [(36, 72), (36, 0), (6, 0)]),
        (TICKET_LOCK, 2, [(2, 2), (2, 0), (2, 0)]),
        (TICKET_LOCK, 3, [(6, 24), (6, 0), (6, 0)]),
        (TICKET_LOCK, 4, [(24, 312), (24, 0), (24, 0)]),
        (CAS_RETRY, 2, [(2, 2), (2, 2), (2, 0)]),
        (CAS_RETRY, 3, [(6, 21), (6, 15), (6, 0)]),
        (STALE_RETRY, 2, [(4, 0), (4, 0), (2, 0)]),
        (STALE_RETRY, 3, [(60, 0), (60, 0), (6, 0)]),
        (FETCH_UPDATE, 2, [(4, 0), (4, 0), (2, 0)]),
        (FETCH_UPDATE, 3, [(48, 0), (48, 0), (6, 0)]),
        (TWO_VARIABLES, 0, [(1, 2), (1, 0), (1, 0)]),
        (TWO_VARIABLES_TWICE, 0, [(2, 4), (2, 0), (2, 0)]),
        (POLLED_FLAG, 1, [(1, 1), (1, 1), (1, 0)]),
        (POLLED_FLAG, 2, [(2, 4), (2, 4), (2, 0)]),
        (POLLED_FLAG, 3, [(6, 18), (6, 18), (6, 0)]),
        (ADDS, 0, [(1, 7), (1, 0), (1, 0)]),
        (OTHER_ADDS, 0, [(1, 7), (1, 0), (1, 0)]),
        (FETCH_ADDS, 0, [(6, 18), (6, 0), (6, 0)]),
        (SPINNING_BARRIER, 3, [(1, 18), (1, 0), (1, 0)]),
        (COUNTED_BARRIER, 3, [(6, 30), (6, 0), (6, 0)]),
    ] {
        for (rules, expected) in rules.into_iter().zip(expected) {
            assert_eq!(counts(text, threads, rules), expected, "{text}, {threads} threads, {rules:?}");
        }
    }
}

/// What was learnt of a loop keeps threads from coming round, so that a search that knows it sees less use in looking. That
/// must not make it look away: how much is learnt would depend on which executions came first.
#[test]
fn what_is_completed_depends_on_no_order() {
    let searches =
        ["optimal", "pop", "source"].into_iter().flat_map(|name| SchedulingOrder::ALL.map(|order| (name, order)));
    for (name, (order, chosen)) in searches {
        for (threads, expected) in [(2, 6), (3, 246)] {
            let report = explored_in(chosen, BOUNDED_QUEUE, threads, name, LoopRules::ALL);
            assert!(report.exhaustive && report.findings.is_empty(), "{name}, {order}: {report:?}");
            assert_eq!(report.tally.completed, expected, "{threads} threads by {name}, {order}");
        }
    }
}

/// Two threads that fail because of each other go on from where they were, and so they may for ever: rounds of both together
/// are left out. What is left is who has both locks first, and, where a thread goes on with the other lock when it has failed, with which of
/// them each has begun by then.
#[test]
fn rounds_that_make_each_other_fail_are_left_out_together() {
    for (text, completed) in [(LOCK_BOTH, 10), (LOCK_BOTH_AGAIN, 2)] {
        for rules in [LoopRules::ROUNDS, LoopRules::ALL] {
            assert_eq!(counts(text, 2, rules).0, completed, "{text}, {rules:?}");
        }
    }
}

/// The sections of a lock, or the successful compare-exchanges, of n threads have n! orders, and nothing else differs.
#[test]
fn more_threads_have_all_orders_and_nothing_else() {
    for (text, threads, orders) in [
        (SWAP_LOCK, 5, 120),
        (CAS_LOCK, 5, 120),
        (TTAS_LOCK, 4, 24),
        (CAS_RETRY, 4, 24),
        (FETCH_UPDATE, 4, 24),
        (POLLED_FLAG, 4, 24),
        (COUNTED_BARRIER, 4, 24),
    ] {
        assert_eq!(counts(text, threads, LoopRules::ALL), (orders, 0), "{text}, {threads} threads");
    }
}
