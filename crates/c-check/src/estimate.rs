//! How many executions a search of a program in C or C++ would run.

use crate::{CheckError, Learning, MOST_SEARCHES, Watch, refused};
use c::CProgram;
use explore::{Estimate, Limits, Sampling, Settings, search_until_known};
use graphs::ModelInfo;
use std::ops::ControlFlow;
use std::time::Duration;
use trace::{Sink, Tally};

/// Estimates how many executions an optimal search of `program` runs, knowing all that the samples show of its memory: an estimate in
/// which more memory turns out to be shared than was believed is begun anew. None if no sample was finished in time.
pub fn estimate(
    program: &CProgram,
    settings: &Settings,
    sampling: Sampling,
    sink: &mut dyn Sink,
) -> Result<Option<Estimate>, CheckError> {
    let learning = Learning { program, is_told: || false };
    until_known(&learning, settings.limits.time, |time| {
        let limits = Limits { time, ..settings.limits };
        let mut watch = Watch { learning: &learning, sink: &mut *sink };
        Ok(explore::estimate(&program, &Settings { limits, ..settings.clone() }, sampling, &mut watch)?)
    })
}

/// Estimates how many execution graphs `program` has under a memory model, in the same way.
pub fn estimate_model(
    program: &CProgram,
    model: &'static ModelInfo,
    settings: &graphs::Settings,
    sampling: (Sampling, u64),
    progress: &mut dyn FnMut(&Tally) -> ControlFlow<()>,
) -> Result<Option<Estimate>, CheckError> {
    program.set_races_defined(!model.has_races);
    let learning = Learning { program, is_told: || false };
    until_known(&learning, settings.time, |time| {
        let settings = graphs::Settings { time, ..*settings };
        Ok(graphs::estimate(&program, model, &settings, sampling, &mut *progress)?)
    })
}

fn until_known(
    learning: &Learning<'_>,
    time: Option<Duration>,
    estimate: impl FnMut(Option<Duration>) -> Result<Option<Estimate>, CheckError>,
) -> Result<Option<Estimate>, CheckError> {
    let learnt = search_until_known(learning, time, MOST_SEARCHES, estimate);
    learning.program.limit_time(None);
    refused(learning.program)?;
    let learnt = learnt?;
    // Where there was no time to begin anew, the samples are of another program.
    Ok(learnt.result?.filter(|_| learnt.is_whole))
}
