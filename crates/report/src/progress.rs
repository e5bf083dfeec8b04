//! The live line of a long search.

use crate::table::thousands;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::ops::ControlFlow;
use std::time::Duration;
use trace::{Execution, Progress, Sink};

/// Searches shorter than this show nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// A line on the terminal's error stream that changes. Silent where that is no terminal, and for the first second.
#[derive(Default)]
pub struct LiveLine {
    bar: Option<ProgressBar>,
}

impl LiveLine {
    /// Shows `text` if so much time has passed that a person wants to know.
    pub fn show(&mut self, elapsed: Duration, text: impl FnOnce() -> String) {
        if elapsed < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            // indicatif draws nothing when the error stream is no terminal.
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
            bar.with_style(ProgressStyle::with_template("{wide_msg}").expect("a constant template"))
        });
        bar.set_message(text());
    }

    /// Takes the line off the screen.
    pub fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for LiveLine {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The live line of a search: executions, rate, depth, share done.
pub struct ProgressLine {
    title: String,
    line: LiveLine,
}

impl ProgressLine {
    /// A line that is not shown yet. `title` says what is searched.
    pub fn new(title: String) -> Self {
        ProgressLine { title, line: LiveLine::default() }
    }

    /// Takes the line off the screen.
    pub fn clear(&mut self) {
        self.line.clear();
    }
}

impl Sink for ProgressLine {
    fn wants_executions(&self) -> bool {
        false
    }

    fn execution(&mut self, _: &Execution<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.line.show(progress.elapsed, || format!("{}: {}", self.title, line(progress)));
        ControlFlow::Continue(())
    }
}

/// What the line says.
pub fn line(progress: &Progress) -> String {
    let tally = &progress.tally;
    let rate = tally.runs() as f64 / progress.elapsed.as_secs_f64().max(1e-9);
    let mut text = format!("{} executions", thousands(tally.executions()));
    if tally.sleep_set_blocked > 0 {
        text += &format!(", {} blocked", thousands(tally.sleep_set_blocked));
    }
    text += &format!(", {}/s, depth {}", thousands(rate as u64), thousands(progress.depth as u64));
    if let Some(share) = progress.share {
        text += &format!(", ~{:.1}% done", share * 100.0);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::Tally;

    #[test]
    fn says_how_far_the_search_is() {
        let tally = Tally { completed: 12_345, sleep_set_blocked: 5, ..Tally::default() };
        let progress = Progress { tally, elapsed: Duration::from_secs(2), depth: 31, share: Some(0.123), tasks: None };
        insta::assert_snapshot!(line(&progress), @"12,345 executions, 5 blocked, 6,175/s, depth 31, ~12.3% done");
    }
}
