//! The laws of bounded searches: on arbitrary programs, and on those on which branches at races alone miss a class.

use explore::Bounds;
use litmus::LitmusProgram;
use mazurka_laws::{Checked, Plan, campaign, check_within};

const PROGRAMS: u64 = 1000;
const INTERLEAVINGS: u64 = 2000;

fn bounds(preemptions: Option<u32>, delays: Option<u32>, depth: Option<usize>) -> Bounds {
    Bounds { preemptions, delays, depth }
}

#[test]
fn arbitrary_programs_obey_the_laws_within_bounds() {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let all = [
        bounds(Some(0), None, None),
        bounds(Some(1), None, None),
        bounds(Some(2), None, None),
        bounds(None, Some(1), None),
        bounds(None, Some(3), None),
        bounds(None, None, Some(6)),
        bounds(Some(2), Some(3), Some(8)),
    ];
    for (i, bounds) in (0..).zip(all) {
        let seeds = i * PROGRAMS..(i + 1) * PROGRAMS;
        let plan = Plan { seeds, profile: None, interleavings: INTERLEAVINGS, workers, bounds };
        let done = campaign(&plan, |_| ()).unwrap_or_else(|mismatch| panic!("{mismatch}"));
        assert!(done.programs >= PROGRAMS * 9 / 10, "only {} programs were small enough", done.programs);
    }
}

#[track_caller]
fn assert_classes(text: &str, bounds: Bounds, classes: usize) {
    let program = LitmusProgram::new(text.parse().unwrap()).unwrap();
    let checked = check_within(&program, bounds, 100_000).unwrap_or_else(|violation| panic!("{violation}"));
    assert_eq!(checked, Checked::Holds { classes });
}

/// The first thread must be left while it holds n, so that coming back to it costs nothing; no race asks for that.
#[test]
fn a_thread_is_left_where_the_way_back_is_free() {
    let text = "mutex m; mutex n;
        lock m; lock n; unlock n; unlock m
        | r0 = try_lock m; if r0 { unlock m }; lock n; r1 = try_lock m; if r1 { unlock m }; unlock n";
    assert_classes(text, bounds(Some(1), None, None), 7);
}

/// Two additions commute, and still one of them decides whether the await blocks.
#[test]
fn steps_that_commute_can_decide_what_a_switch_costs() {
    let text = "var x; var y;
        x += 2; r0 = await x != 2; r1 = y
        | r0 = compare_exchange x, 1, 0; x += 1; r1 = x; x = r0; x += 1";
    assert_classes(text, bounds(Some(2), None, None), 8);
}

/// A thread that is spawned later cannot be passed over before.
#[test]
fn a_spawn_changes_what_a_delay_costs() {
    let text = "var x; r0 = spawn { x = 0 } | r0 = x; r1 = spawn { r0 = x }; x = 0";
    assert_classes(text, bounds(None, Some(1), None), 5);
}

/// The first thread ends with its spawn. Somebody joins it, and whether that waits decides what leaving it costs.
#[test]
fn a_spawn_may_be_the_end_of_its_thread() {
    let text = "var x; mutex m; condvar c;
        r0 = x; r1 = spawn { r0 = x }
        | lock m; r0 = wait_timeout c, m; unlock m
        | lock m; unlock m; join 0; notify_one c";
    assert_classes(text, bounds(Some(1), None, None), 6);
}

/// Three threads wait on one condition variable until their time is up. What comes after a switch that is looked up without running the
/// program is not known well enough: which threads it makes go on, and what sleeps then.
#[test]
fn who_waits_until_the_time_is_up_is_found_by_running() {
    let text = "mutex m; condvar c; var x;
        lock m; r0 = wait_timeout c, m; unlock m
        | r0 = x; lock m; r1 = wait_timeout c, m; unlock m
        | lock m; r0 = wait_timeout c, m; unlock m";
    assert_classes(text, bounds(Some(2), None, None), 540);
}
