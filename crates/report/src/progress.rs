//! The live line of a long search.

use crate::table::thousands;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::Duration;
use trace::{Execution, Progress, Sink};

/// Searches shorter than this show nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often a line is written where there is no terminal, if `MAZURKA_PROGRESS` does not say it.
const PERIOD: Duration = Duration::from_secs(5);

/// What `MAZURKA_PROGRESS` says: a number of seconds between two lines, or 0 for no lines.
pub fn period(variable: Option<&str>) -> Result<Option<Duration>, String> {
    let Some(text) = variable else { return Ok(Some(PERIOD)) };
    let seconds = text.trim().parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    match seconds {
        Some(Duration::ZERO) => Ok(None),
        Some(seconds) => Ok(Some(seconds)),
        None => Err(format!("MAZURKA_PROGRESS: '{text}' is no number of seconds; 0 is for no lines")),
    }
}

/// A line on the terminal's error stream that changes, after the first second. Where that is no terminal, lines are written
/// one below the other, now and then ([`period`]).
pub struct LiveLine {
    bar: Option<ProgressBar>,
    is_terminal: bool,
    period: Option<Duration>,
    /// When the next line is due, where there is no terminal.
    next: Duration,
}

impl Default for LiveLine {
    fn default() -> Self {
        let variable = std::env::var("MAZURKA_PROGRESS").ok();
        let period = period(variable.as_deref()).unwrap_or(Some(PERIOD));
        let is_terminal = std::io::stderr().is_terminal();
        LiveLine { bar: None, is_terminal, period, next: period.unwrap_or_default() }
    }
}

impl LiveLine {
    /// Shows `text` if so much time has passed that a person wants to know.
    pub fn show(&mut self, elapsed: Duration, text: impl FnOnce() -> String) {
        if !self.is_terminal {
            return self.write(elapsed, text);
        }
        if elapsed < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
            bar.with_style(ProgressStyle::with_template("{wide_msg}").expect("a constant template"))
        });
        bar.set_message(text());
    }

    /// Writes a line if one is due.
    fn write(&mut self, elapsed: Duration, text: impl FnOnce() -> String) {
        let Some(period) = self.period else { return };
        if elapsed >= self.next {
            self.next = elapsed + period;
            // Not by `eprintln!`, which test harnesses keep to themselves. If nobody listens, there is nobody to tell.
            let _ = writeln!(std::io::stderr(), "{}", text());
        }
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
    /// How many searches were begun: all but the last were given up, because something was learnt of the program.
    searches: u32,
    /// When the last one was begun, as far as is known, and when it was last heard of.
    since: Duration,
    heard: Duration,
}

impl ProgressLine {
    /// A line that is not shown yet. `title` says what is searched.
    pub fn new(title: String) -> Self {
        let line = LiveLine::default();
        ProgressLine { title, line, searches: 0, since: Duration::ZERO, heard: Duration::ZERO }
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

    fn begin(&mut self) {
        self.searches += 1;
        self.since = self.heard;
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.heard = progress.elapsed;
        let took = progress.elapsed.saturating_sub(self.since);
        let anew = self.searches.saturating_sub(1);
        self.line.show(progress.elapsed, || format!("{}: {}", self.title, line(progress, took, anew)));
        ControlFlow::Continue(())
    }
}

/// What the line says of a search that took so long by now, and has begun anew so many times.
fn line(progress: &Progress, took: Duration, anew: u32) -> String {
    let tally = &progress.tally;
    let rate = tally.runs() as f64 / took.as_secs_f64().max(1e-9);
    let mut text = format!("{} executions", thousands(tally.executions()));
    if tally.sleep_set_blocked > 0 {
        text += &format!(", {} blocked", thousands(tally.sleep_set_blocked));
    }
    text += &format!(", {}/s, depth {}", thousands(rate as u64), thousands(progress.depth as u64));
    if let Some(share) = progress.share {
        text += &format!(", ~{:.1}% done", share * 100.0);
    }
    match anew {
        0 => {}
        1 => text += ", begun anew once",
        times => text += &format!(", begun anew {times} times"),
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::Tally;

    #[test]
    fn lines_come_as_often_as_the_variable_says() {
        assert_eq!(period(None), Ok(Some(PERIOD)));
        assert_eq!(period(Some("0")), Ok(None));
        assert_eq!(period(Some("2.5")), Ok(Some(Duration::from_millis(2500))));
        assert!(period(Some("often")).unwrap_err().contains("MAZURKA_PROGRESS: 'often'"));
        let mut line = LiveLine { bar: None, is_terminal: false, period: Some(PERIOD), next: PERIOD };
        let mut told = 0;
        for second in 0..12 {
            line.show(Duration::from_secs(second), || {
                told += 1;
                "a line of a test".to_owned()
            });
        }
        assert_eq!(told, 2);
    }

    #[test]
    fn says_how_far_the_search_is() {
        let tally = Tally { completed: 12_345, sleep_set_blocked: 5, ..Tally::default() };
        let progress = Progress { tally, elapsed: Duration::from_secs(2), depth: 31, share: Some(0.123), tasks: None };
        let told = line(&progress, progress.elapsed, 0);
        insta::assert_snapshot!(told, @"12,345 executions, 5 blocked, 6,175/s, depth 31, ~12.3% done");
    }

    #[test]
    fn the_rate_is_that_of_the_search_that_counts() {
        let mut told = ProgressLine::new("test".to_owned());
        let at = |seconds| Progress {
            tally: Tally { completed: 1_000, ..Tally::default() },
            elapsed: Duration::from_secs(seconds),
            depth: 7,
            share: None,
            tasks: None,
        };
        told.begin();
        let _ = told.progress(&at(3));
        told.anew();
        let _ = told.progress(&at(5));
        let took = told.heard - told.since;
        insta::assert_snapshot!(line(&at(5), took, told.searches - 1), @"1,000 executions, 500/s, depth 7, begun anew once");
    }
}
