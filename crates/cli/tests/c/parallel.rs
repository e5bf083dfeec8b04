//! Many trials at the same time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Tries every item on all cores, and fails with what is wrong of all of them.
#[track_caller]
pub(crate) fn all<T: Sync>(items: &[T], try_one: impl Fn(&T) -> Result<(), String> + Sync) {
    let problems = problems(items, try_one);
    assert!(problems.is_empty(), "{} of {} went wrong:\n\n{}", problems.len(), items.len(), problems.join("\n\n"));
}

fn problems<T: Sync>(items: &[T], try_one: impl Fn(&T) -> Result<(), String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let problems = Mutex::new(Vec::new());
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(problem) = try_one(item) {
                        problems.lock().expect("nobody panics with it").push(problem);
                    }
                }
            });
        }
    });
    let mut problems = problems.into_inner().expect("nobody panics with it");
    problems.sort();
    problems
}

#[test]
fn every_item_is_tried_and_every_problem_told() {
    let odd = |n: &u32| if n % 2 == 1 { Err(n.to_string()) } else { Ok(()) };
    assert_eq!(problems(&[1, 2, 3, 4, 5], odd), ["1", "3", "5"]);
}
