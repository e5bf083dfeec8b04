//! How a search went: rate, depth, tasks that wait and the estimate of what there is, over time.

use crate::chart::{LinePlot, Series};
use std::ops::ControlFlow;
use std::time::Duration;
use trace::{Execution, Progress, Sink};

/// More samples than these are thinned out.
const SAMPLES: usize = 400;
/// The first interval between two samples.
const INTERVAL: Duration = Duration::from_millis(20);
/// Fewer samples make no plot.
const FEWEST: usize = 4;

/// Keeps samples of a search's progress.
pub struct Timeline {
    samples: Vec<Progress>,
    interval: Duration,
}

impl Default for Timeline {
    fn default() -> Self {
        Timeline { samples: Vec::new(), interval: INTERVAL }
    }
}

impl Timeline {
    /// The plots; none of a search that was over too soon.
    pub fn plots(&self) -> Vec<LinePlot> {
        if self.samples.len() < FEWEST {
            return Vec::new();
        }
        let rates = self.samples.windows(2).map(|pair| {
            let runs = pair[1].tally.runs().saturating_sub(pair[0].tally.runs()) as f64;
            let seconds = (pair[1].elapsed.saturating_sub(pair[0].elapsed)).as_secs_f64().max(1e-9);
            (pair[1].elapsed.as_secs_f64(), runs / seconds)
        });
        let estimate = |progress: &Progress| {
            let share = progress.share.filter(|&share| share > 0.0)?;
            Some(progress.tally.executions() as f64 / share.min(1.0))
        };
        let plots = [
            plot("Rate", "executions a second", rates.collect()),
            plot("Depth", "steps of the latest execution", self.points(|progress| Some(progress.depth as f64))),
            plot("Tasks waiting", "tasks", self.points(|progress| progress.tasks.map(|tasks| tasks as f64))),
            plot("Estimate", "executions in all, by the share that is done", self.points(estimate)),
        ];
        plots.into_iter().filter(|plot| plot.series[0].points.len() >= FEWEST - 1).collect()
    }

    fn points(&self, figure: impl Fn(&Progress) -> Option<f64>) -> Vec<(f64, f64)> {
        let point = |progress: &Progress| Some((progress.elapsed.as_secs_f64(), figure(progress)?));
        self.samples.iter().filter_map(point).collect()
    }
}

fn plot(title: &str, up: &str, points: Vec<(f64, f64)>) -> LinePlot {
    LinePlot {
        title: title.to_owned(),
        across: "seconds".to_owned(),
        up: up.to_owned(),
        logarithmic: false,
        series: vec![Series { name: String::new(), points }],
    }
}

impl Sink for Timeline {
    fn begin(&mut self) {
        *self = Timeline::default();
    }

    fn wants_executions(&self) -> bool {
        false
    }

    fn execution(&mut self, _: &Execution<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        let is_due = self.samples.last().is_none_or(|last| progress.elapsed >= last.elapsed + self.interval);
        if is_due {
            self.samples.push(*progress);
        }
        if self.samples.len() > SAMPLES {
            let mut nth = 0;
            self.samples.retain(|_| {
                nth += 1;
                nth % 2 == 1
            });
            self.interval *= 2;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::Tally;

    fn after(millis: u64) -> Progress {
        let tally = Tally { completed: 10 * millis, ..Tally::default() };
        let elapsed = Duration::from_millis(millis);
        Progress { tally, elapsed, depth: 30, share: Some(millis as f64 / 1e6), tasks: Some(7) }
    }

    #[test]
    fn every_figure_is_plotted_over_time() {
        let mut timeline = Timeline::default();
        (0..5_000).for_each(|i| assert!(timeline.progress(&after(i * 10)).is_continue()));
        let plots = timeline.plots();
        let titles: Vec<&str> = plots.iter().map(|plot| plot.title.as_str()).collect();
        assert_eq!(titles, ["Rate", "Depth", "Tasks waiting", "Estimate"]);
        assert!(plots.iter().all(|plot| (SAMPLES / 4..=SAMPLES).contains(&plot.series[0].points.len())));
        assert!(plots[0].series[0].points.iter().all(|&(_, rate)| (rate - 10_000.0).abs() < 1e-6));
        assert!(plots[3].series[0].points.iter().all(|&(_, all)| (all - 1e7).abs() < 1.0));
    }

    #[test]
    fn a_short_search_has_no_plots() {
        let mut timeline = Timeline::default();
        (0..3).for_each(|i| assert!(timeline.progress(&after(i * 100)).is_continue()));
        assert!(timeline.plots().is_empty());
    }
}
