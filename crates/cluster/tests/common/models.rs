//! Runs under memory models.

use crate::common::{parsed, start_by, under};
use explore::Settings;
use mazurka_cluster::{Config, Run, Store};
use model::{Names, Program};
use std::ops::ControlFlow;

/// A run of a litmus program under a memory model.
pub(crate) fn start_under(model: &str, store: &mut Store, text: &str, settings: &Settings) -> Run {
    start_by(store, text, Config::under_model(model, settings, Vec::new()), &under(model, settings))
}

/// What came of a search: counts, the schedules of what was found, whether it is exhaustive, and the limit in its way.
#[derive(PartialEq, Debug)]
pub(crate) struct Told {
    pub(crate) executions: u64,
    counts: [u64; 7],
    schedules: Vec<String>,
    exhaustive: bool,
    limit: Option<graphs::Limit>,
}

impl Told {
    fn new(report: &graphs::Report, names: &dyn Names) -> Self {
        let t = &report.tally;
        let schedule = |finding: &graphs::Finding| graphs::schedule(&finding.graph, report.model, names);
        Told {
            executions: t.executions(),
            counts: [t.completed, t.deadlocked, t.failed, t.cut, t.sleep_set_blocked, t.too_long, t.longest],
            schedules: report.findings.iter().map(schedule).collect(),
            exhaustive: report.exhaustive,
            limit: report.limit,
        }
    }
}

/// What one machine finds out under a memory model.
pub(crate) fn alone_under(model: &str, text: &str, settings: &Settings) -> Told {
    let mut go_on = |_: &trace::Tally, _: usize| ControlFlow::Continue(());
    let (program, model) = (parsed(text), graphs::model(model).expect("a model"));
    let report = graphs::check(&program, model, &settings.into(), &mut go_on).expect("a report");
    Told::new(&report, Program::names(&program))
}

/// The report of a run under a memory model that is over.
pub(crate) fn reported_under(store: &mut Store, run: &Run) -> Told {
    let text = String::from_utf8(store.program(run).expect("a program")).expect("a text");
    let settings = run.config.settings(Settings::default());
    let model = run.config.memory.as_deref().and_then(graphs::model).expect("a model");
    let total = store.verdict(run).expect("a verdict").total();
    let program = parsed(&text);
    let report = graphs::report_of(&program, model, &(&settings).into(), &total).expect("a report");
    Told::new(&report, Program::names(&program))
}
