//! Searches under memory models that are weaker than sequential consistency.
//!
//! The search of interleavings comes first. Where no atomic operation of the program is weaker than seq_cst, what it proves holds
//! under the model of the language too. Otherwise a search over execution graphs follows, for a while: what it cannot
//! do, or does not come to the end of, is said.

use super::checker::{Checker, in_own_thread};
use super::found::{Finding, FindingKind, Report, Told, goes_round, kind_of};
use super::learning::Learning;
use explore::{Learner, Learnt, Limit, search_until_known};
use fiber::FiberProgram;
use graphs::{ModelInfo, Stronger};
use model::FailureKind;
use report::graph::GraphStory;
use report::lanes::Layout;
use report::summary::time;
use report::table::thousands;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::time::Duration;
use trace::{Ending, Tally};

/// Under which memory model a check is done.
#[derive(Clone, Copy)]
pub(super) enum Memory {
    /// As sequentially consistent, and then under the language's model where that is another one.
    Language,
    /// As sequentially consistent, and no other.
    Interleavings,
    /// Under this one.
    Model(&'static ModelInfo),
}

impl Memory {
    /// The choice of this name.
    pub(super) fn of(name: &str) -> Result<Self, String> {
        match graphs::model(name) {
            Some(info) if info.name == "sc" => Ok(Memory::Interleavings),
            Some(info) => Ok(Memory::Model(info)),
            None => {
                let names: Vec<&str> = graphs::MODELS.iter().map(|info| info.name).collect();
                Err(format!("there is no memory model '{name}'; there are {}", names.join(", ")))
            }
        }
    }
}

/// The model of Rust.
pub(super) fn language_model() -> &'static ModelInfo {
    graphs::model("rc11").expect("it is one of the models")
}

/// A search that follows another by itself takes no longer than that one, or than this.
const A_WHILE: Duration = Duration::from_secs(3);
/// One that follows a bounded search, which it is larger than, takes no longer than this part of that one, but at least so long. (Of 77 tests
/// of an asynchronous runtime, it ends in 45, in all but two of them within 16 ms.)
const PART_OF_BOUNDED: u32 = 8;
const A_MOMENT: Duration = Duration::from_millis(20);
/// Its executions have no more events.
const FEW_EVENTS: usize = 2_000;
/// Executions that somebody asked for have no more events, because each costs more the more there are.
const MOST_EVENTS: usize = 20_000;
/// So often something is learnt of a program at the most.
const MOST_TIMES: usize = 100;

/// What came of a search over graphs.
pub(super) enum Outcome {
    Done(Box<graphs::Report>),
    /// There is no such search of this program, for this reason.
    Not(String),
}

/// Explores a program under a model until nothing more is learnt of it. `gives_up` at the first execution that is too long.
fn search(
    program: &FiberProgram,
    info: &'static ModelInfo,
    settings: &graphs::Settings,
    gives_up: bool,
    stronger: Option<&Stronger>,
) -> Outcome {
    let learning = Learning::of(program);
    let searched = search_until_known(&learning, settings.time, MOST_TIMES, |left| {
        let settings = graphs::Settings { time: left, ..*settings };
        in_own_thread(|| {
            let mut go_on = |tally: &Tally, _: usize| match !learning.knows_more() && (!gives_up || tally.too_long == 0)
            {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            };
            match stronger {
                Some(stronger) => graphs::check_stronger(program, info, &settings, stronger, &mut go_on),
                None => graphs::check(program, info, &settings, &mut go_on),
            }
        })
    });
    match searched {
        Ok(Learnt { result: Ok(report), is_whole: true }) => {
            Outcome::Done(Box::new(report.of_all(true, settings.time)))
        }
        Ok(Learnt { result: Err(error), is_whole: true }) => Outcome::Not(error.to_string()),
        _ => Outcome::Not("every execution shows something new of the program".to_owned()),
    }
}

impl Checker {
    /// Explores under the model that was chosen, if one was.
    pub(super) fn search_by_model(&self, program: &FiberProgram) -> Option<Outcome> {
        let Memory::Model(info) = self.memory else { return None };
        let mut settings = self.settings.clone();
        settings.limits.steps = settings.limits.steps.min(MOST_EVENTS);
        #[cfg(feature = "cluster")]
        if let Some(url) = &self.cluster
            && let Some(searched) = super::cluster::search_under(info, self, url, program, settings.clone())
        {
            return Some(match searched {
                Ok(report) => Outcome::Done(Box::new(report)),
                Err(reason) => Outcome::Not(reason),
            });
        }
        Some(search(program, info, &(&settings).into(), false, None))
    }

    /// How long a search may take that follows one of so long.
    fn time_to_follow(&self, elapsed: Duration) -> Duration {
        let time = match self.settings.bounds.schedules() {
            true => (elapsed / PART_OF_BOUNDED).clamp(A_MOMENT, A_WHILE),
            false => elapsed.max(A_WHILE),
        };
        time.min(self.settings.limits.time.unwrap_or(Duration::MAX))
    }

    /// Explores under the language's model what was found to be right as sequentially consistent, unless that is the same.
    pub(super) fn follow(&self, program: &FiberProgram, told: &Told<'_>, report: &mut Report) {
        let is_whole = report.exhaustive || matches!(report.limit, Some(Limit::Bounds(_)));
        let is_open = matches!(self.memory, Memory::Language) && self.replay.is_none();
        if !is_open || !report.is_ok() || !is_whole {
            return;
        }
        let info = language_model();
        if !program.has_weak_orders() {
            if report.exhaustive {
                report.memory = info.name;
                report.remark =
                    Some(format!("no atomic operation is weaker than seq_cst, so that holds under {} too", info.name));
            }
            return;
        }
        if self.algorithm.is_some() || self.cluster.is_some() {
            let reason = "an algorithm or a cluster was chosen, which explores interleavings";
            report.remark = Some(no_proof(reason, info));
            return;
        }
        let settings = graphs::Settings {
            events: FEW_EVENTS.min(self.settings.limits.steps),
            time: Some(self.time_to_follow(report.elapsed)),
            ..graphs::Settings::from(&self.settings)
        };
        match search(program, info, &settings, true, None) {
            Outcome::Not(reason) => report.remark = Some(no_proof(&reason, info)),
            Outcome::Done(weak) => {
                report.add(&weak, told);
                report.page = report.page.take().or_else(|| self.write_graphs(&weak, told));
                self.suggest(program, &weak, told, report);
            }
        }
    }
}

impl Checker {
    /// Looks for stronger memory orders with which the program passes, if that is wanted and something was found.
    pub(super) fn suggest(&self, program: &FiberProgram, weak: &graphs::Report, told: &Told<'_>, report: &mut Report) {
        let Some(last) = report.findings.last_mut().filter(|_| self.suggest_orders && !weak.findings.is_empty()) else {
            return;
        };
        let mut settings = graphs::Settings::from(&self.settings);
        (settings.keep_going, settings.events) = (false, settings.events.min(MOST_EVENTS));
        let changes = graphs::minimal(|stronger| match search(program, weak.model, &settings, false, Some(stronger)) {
            Outcome::Done(report) => Ok(report.exhaustive && report.findings.is_empty()),
            Outcome::Not(reason) => Err(reason),
        });
        last.text += &match changes {
            Ok(changes) => report::graph::suggestion(changes.as_deref(), told.names),
            Err(reason) => format!("\nno memory orders are suggested: {reason}\n"),
        };
    }
}

fn no_proof(reason: &str, info: &ModelInfo) -> String {
    format!("explored as sequentially consistent only, which is not a proof under {}: {reason}", info.name)
}

impl Report {
    /// A report of a search under a model that somebody chose.
    pub(super) fn under(report: &graphs::Report, told: &Told<'_>) -> Self {
        Report {
            memory: report.model.name,
            weak: Some(report.tally),
            findings: report.findings.iter().map(|finding| Finding::under(finding, report.model, told)).collect(),
            exhaustive: report.exhaustive,
            limit: report.limit.map(|limit| match limit {
                graphs::Limit::Executions(executions) => Limit::Executions(executions),
                graphs::Limit::Events(events) => Limit::Steps(events),
                graphs::Limit::Time(time) => Limit::Time(time),
            }),
            ..Report::empty(report.tally, report.elapsed, "graphs")
        }
    }

    /// The program was explored as sequentially consistent, because there is no search of it under the model that was chosen.
    pub(super) fn instead_of(mut self, info: &'static ModelInfo, reason: &str) -> Self {
        self.remark = Some(no_proof(reason, info));
        self.is_instead = true;
        self
    }

    /// What a search under the language's model found out that followed this one.
    fn add(&mut self, weak: &graphs::Report, told: &Told<'_>) {
        let name = weak.model.name;
        self.weak = Some(weak.tally);
        self.findings.extend(weak.findings.iter().map(|finding| Finding::under(finding, weak.model, told)));
        let (executions, taken) = (weak.tally.executions(), time(weak.elapsed.as_secs_f64()));
        let mut text = format!("then {} under {name} in {taken} by graphs", thousands(executions));
        if weak.exhaustive {
            self.memory = name;
            text.push_str("; there are no others");
        } else if !weak.findings.is_empty() {
            self.memory = name;
            self.exhaustive = false;
        } else {
            let reason = match weak.limit {
                Some(limit) => limit.to_string(),
                None => format!("some executions have more than {FEW_EVENTS} steps"),
            };
            let _ = write!(
                text,
                "; not all: {reason}, so that this is not a proof under {name}. With MAZURKA_MEMORY={name}, the search has \
                 the limits of the check alone"
            );
        }
        self.remark = Some(text);
    }
}

impl Finding {
    /// What was found under a memory model.
    fn under(finding: &graphs::Finding, model: &ModelInfo, told: &Told<'_>) -> Self {
        let failure = finding.failures.iter().find(|(_, failure)| failure.kind == FailureKind::DataRace);
        let kind = match (finding.ending, failure.or(finding.failures.first())) {
            (Ending::Failed, Some((_, failure))) => kind_of(failure.kind),
            _ if finding.waiting.iter().any(|(_, op)| goes_round(op.kind)) => FindingKind::Livelock,
            _ => FindingKind::Deadlock,
        };
        let story = GraphStory { finding, model, names: told.names };
        let headline = match kind {
            FindingKind::Livelock => "livelock: threads look for a change that nobody makes any more".to_owned(),
            _ => story.headline(),
        };
        let headline = format!("{headline}, under {}", model.name);
        let mut text = format!("{headline}\n\n{}", story.print_with_sites(Layout::default()));
        if finding.why.is_weak {
            let _ = writeln!(text, "\nNo interleaving does this: memory orders weaker than seq_cst allow it.");
        }
        let test = told.test.unwrap_or_default();
        let _ = writeln!(
            text,
            "\nrun it again: MAZURKA_MEMORY={name} cargo test {test}\nand look for memory orders with which it passes: \
             MAZURKA_MEMORY={name} MAZURKA_SUGGEST_ORDERS=true cargo test {test}",
            name = model.name
        );
        Finding { kind, headline, schedule: String::new(), text }
    }
}
