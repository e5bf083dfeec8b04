//! Searches of a program in C or C++ under memory models.

use crate::{CheckError, Learning, MOST_SEARCHES, refused};
use c::CProgram;
use explore::search_until_known;
use graphs::{ModelInfo, Report, Settings, Stronger, Watcher};
use std::ops::ControlFlow;
use std::time::Instant;

/// Explores `program` under a model, and again until no more memory is shared than was believed.
pub fn check_model(
    program: &CProgram,
    model: &'static ModelInfo,
    settings: &Settings,
    watcher: &mut dyn Watcher,
) -> Result<Report, CheckError> {
    search(program, model, settings, |shorter| graphs::check_watched(&program, model, shorter, &mut *watcher))
}

/// A minimal set of stronger memory orders with which the program passes, if there is one.
pub fn stronger_orders(
    program: &CProgram,
    model: &'static ModelInfo,
    settings: &Settings,
) -> Result<Option<Vec<graphs::Change>>, CheckError> {
    let settings = Settings { keep_going: false, ..*settings };
    graphs::minimal(|stronger: &Stronger| {
        let report = search(program, model, &settings, |shorter| {
            let mut go_on = |_: &trace::Tally, _: usize| ControlFlow::Continue(());
            graphs::check_stronger(&program, model, shorter, stronger, &mut go_on)
        })?;
        Ok(report.exhaustive && report.findings.is_empty())
    })
}

fn search(
    program: &CProgram,
    model: &'static ModelInfo,
    settings: &Settings,
    mut search: impl FnMut(&Settings) -> Result<Report, graphs::Error>,
) -> Result<Report, CheckError> {
    program.set_races_defined(!model.has_races);
    let started = Instant::now();
    let learning = Learning { program, is_told: || false };
    let learnt = search_until_known(&learning, settings.time, MOST_SEARCHES, |left| {
        search(&Settings { time: left, ..*settings })
    });
    program.limit_time(None);
    refused(program)?;
    let learnt = learnt?;
    let report = learnt.result?.of_all(learnt.is_whole, settings.time);
    Ok(Report { elapsed: started.elapsed(), ..report })
}
