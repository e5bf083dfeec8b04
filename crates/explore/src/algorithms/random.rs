//! Random schedules: at every step, one of the enabled threads, each as likely as the others. Finds shallow bugs in
//! programs that are too large to explore; proves nothing.

use crate::Algorithm;
use crate::explorer::{Explorer, Stop};
use model::Pending;

/// See the head of this file.
pub(crate) struct Random;

impl Algorithm for Random {
    fn forget(&mut self) {}

    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        let mut enabled: Vec<Pending> = Vec::new();
        loop {
            execute(e, &mut enabled, |_| false)?;
            if e.trace().is_empty() {
                // A program without steps has one execution, and there is nothing to repeat.
                return Ok(());
            }
            e.cut(0);
        }
    }

    fn is_exhaustive(&self) -> bool {
        false
    }
}

/// One execution. What `goes_first` says does so. `enabled` is reused.
pub(crate) fn execute(
    e: &mut Explorer<'_>,
    enabled: &mut Vec<Pending>,
    goes_first: impl Fn(&Pending) -> bool,
) -> Result<(), Stop> {
    loop {
        e.enabled(enabled)?;
        if enabled.is_empty() {
            return e.finish(|| None);
        }
        let first = enabled.iter().copied().find(|pending| goes_first(pending));
        let pending = match first {
            Some(pending) => pending,
            None => enabled[e.random().usize(0..enabled.len())],
        };
        let alternative = e.random().u32(0..pending.alternatives);
        e.step(pending.choice_of(alternative))?;
    }
}
