//! The states of a program in C, each met once.

use crate::{CheckError, Learning, MOST_SEARCHES, refused};
use c::CProgram;
use explore::{StateCounts, StateLimit, StateLimits, StateReport, search_states_while, search_until_known};

/// Searches the states of `program`, which need not end, and again until no more memory is shared than was believed. The program must
/// [compare its states](CProgram::compare_states).
pub fn check_states(
    program: &CProgram,
    limits: &StateLimits,
    watch: &mut dyn FnMut(&StateCounts),
) -> Result<StateReport, CheckError> {
    let learning = Learning { program, is_told: || false };
    let makes_sense = || !program.is_search_in_vain();
    let learnt = search_until_known(&learning, limits.time, MOST_SEARCHES, |time| {
        search_states_while(&program, &StateLimits { time, ..*limits }, &makes_sense, watch)
    })?;
    refused(program)?;
    let mut report = learnt.result?.expect("the program was told to compare its states");
    if !learnt.is_whole {
        // Nothing is known yet, and there is no time to begin anew.
        report.limit = Some(StateLimit::Time);
        report.findings.clear();
        report.counts.errors = 0;
    }
    Ok(report)
}
