//! Dining philosophers.

use crate::shim::sync::{Arc, Mutex};
use crate::shim::thread;

const SEATS: usize = 3;

/// Everybody eats once. With `BUG`, everybody takes the left fork first; without, the fork of the lower number.
pub fn scenario<const BUG: bool>() {
    let forks: Arc<Vec<Mutex<u32>>> = Arc::new((0..SEATS).map(|_| Mutex::new(0)).collect());
    let threads: Vec<_> = (0..SEATS)
        .map(|seat| {
            let forks = forks.clone();
            let (left, right) = (seat, (seat + 1) % SEATS);
            let (first, second) = if BUG { (left, right) } else { (left.min(right), left.max(right)) };
            thread::spawn(move || {
                let mut first = forks[first].lock().unwrap();
                let mut second = forks[second].lock().unwrap();
                *first += 1;
                *second += 1;
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert!(forks.iter().all(|fork| *fork.lock().unwrap() == 2));
}
