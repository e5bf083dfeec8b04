//! Searches of a program in C or C++ under memory models.

use crate::{CheckError, Crew, Learning, MOST_SEARCHES, refused};
use c::CProgram;
use explore::{Checkpoints, Processes, search_until_known};
use graphs::{Complete, ModelInfo, Report, Settings, Stronger, Watcher};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Instant;
use trace::{Ending, Tally};

/// Explores `program` under a model, and again until no more memory is shared than was believed.
pub fn check_model(
    program: &CProgram,
    model: &'static ModelInfo,
    settings: &Settings,
    watcher: &mut dyn Watcher,
) -> Result<Report, CheckError> {
    check_model_until(program, model, settings, None, watcher, || false)
}

/// The same with checkpoints, if there are any. It is over as soon as `is_told` says so.
pub fn check_model_until(
    program: &CProgram,
    model: &'static ModelInfo,
    settings: &Settings,
    mut checkpoints: Option<Checkpoints>,
    watcher: &mut dyn Watcher,
    is_told: fn() -> bool,
) -> Result<Report, CheckError> {
    let crew = Crew::new(program).map_err(CheckError::NoMemory)?;
    let learning = Learning { program, is_told };
    search(&learning, model, settings, |shorter| {
        let mut until = Until { watcher: &mut *watcher, is_told };
        let kept = (&crew as &dyn Processes, checkpoints.as_ref());
        let result = graphs::check_in_processes(&program, model, shorter, kept, &mut until);
        if let Some(checkpoints) = &mut checkpoints {
            (checkpoints.resume, checkpoints.is_anew) = (None, true);
        }
        result
    })
}

/// Ends a search when that is wanted.
struct Until<'w> {
    watcher: &'w mut dyn Watcher,
    is_told: fn() -> bool,
}

impl Watcher for Until<'_> {
    fn wants(&self, ending: Ending) -> bool {
        self.watcher.wants(ending)
    }

    fn complete(&mut self, complete: &Complete<'_>) -> ControlFlow<()> {
        self.watcher.complete(complete)
    }

    fn given_up(&mut self, given_up: &Complete<'_>) {
        self.watcher.given_up(given_up);
    }

    fn anew(&mut self) {
        self.watcher.anew();
    }

    fn progress(&mut self, tally: &Tally, tasks: usize) -> ControlFlow<()> {
        if (self.is_told)() { ControlFlow::Break(()) } else { self.watcher.progress(tally, tasks) }
    }
}

/// A minimal set of stronger memory orders with which the program passes, if there is one.
pub fn stronger_orders(
    program: &CProgram,
    model: &'static ModelInfo,
    settings: &Settings,
) -> Result<Option<Vec<graphs::Change>>, CheckError> {
    // One process: each of many searches is short.
    let settings = Settings { keep_going: false, workers: NonZeroUsize::MIN, ..*settings };
    let learning = Learning { program, is_told: || false };
    graphs::minimal(|stronger: &Stronger| {
        let report = search(&learning, model, &settings, |shorter| {
            let mut go_on = |_: &Tally, _: usize| ControlFlow::Continue(());
            graphs::check_stronger(&program, model, shorter, stronger, &mut go_on)
        })?;
        Ok(report.exhaustive && report.findings.is_empty())
    })
}

fn search(
    learning: &Learning<'_>,
    model: &'static ModelInfo,
    settings: &Settings,
    mut search: impl FnMut(&Settings) -> Result<Report, graphs::Error>,
) -> Result<Report, CheckError> {
    let program = learning.program;
    program.set_races_defined(!model.has_races);
    let started = Instant::now();
    let learnt = search_until_known(learning, settings.time, MOST_SEARCHES, |left| {
        search(&Settings { time: left, ..*settings })
    });
    program.limit_time(None);
    refused(program)?;
    let learnt = learnt?;
    let report = learnt.result?.of_all(learnt.is_whole, settings.time);
    Ok(Report { elapsed: started.elapsed(), ..report })
}
