//! A failure or a deadlock in full: what happened, the execution that shows it, and what made the difference.

use crate::deadlock::{self, Explanation};
use crate::lanes::{self, Layout, Row};
use crate::words::{self, printable};
use model::{Failure, FailureKind, Moment, Names, OpKind, Site, ThreadId};
use std::fmt::Write;
use trace::{Ending, EventId, Execution, Finding};

/// An execution in the words of its program.
#[derive(Clone, Copy)]
pub struct Named<'a> {
    /// The execution.
    pub execution: Execution<'a>,
    /// Two steps whose order makes the difference, where they are known.
    pub pivot: Option<(EventId, EventId)>,
    /// The names of things.
    pub names: &'a dyn Names,
}

const PIVOT_MARKS: [&str; 2] = ["◀1", "◀2"];

impl<'a> Named<'a> {
    /// Of what a search found.
    pub fn of(finding: &'a Finding, names: &'a dyn Names) -> Self {
        Named { execution: finding.execution(), pivot: finding.pivot, names }
    }

    /// What happened, in a line.
    pub fn headline(&self) -> String {
        let waiting: Vec<ThreadId> = self.execution.waiting.iter().map(|pending| pending.thread).collect();
        headline_of(self.execution.ending, self.execution.failures, &waiting, self.names)
    }

    /// Who waits for what.
    pub fn explanation(&self) -> Explanation {
        deadlock::explain(self.execution.trace, self.execution.waiting, self.execution.failures, self.names)
    }

    /// The steps in words, with the marks of the pivot and the failures at the steps where they happened.
    pub fn rows(&self) -> Vec<Row> {
        let mut rows: Vec<Row> = words::steps(self.execution.trace, self.names)
            .into_iter()
            .zip(self.execution.trace.events())
            .zip(0..)
            .map(|((text, event), step)| {
                let text = text + &self.site_beside(step);
                Row {
                    lane: event.thread().index(),
                    text,
                    folded: self.is_folded(step),
                    matters: false,
                    mark: None,
                    note: None,
                }
            })
            .collect();
        if let Some((first, second)) = self.pivot {
            rows[first as usize].mark = Some(PIVOT_MARKS[0]);
            rows[second as usize].mark = Some(PIVOT_MARKS[1]);
        }
        for (thread, failure) in self.execution.failures {
            if let Some(step) = self.step_of(*thread, failure) {
                rows[step as usize].note = Some(self.note(*thread, failure));
            }
        }
        for step in self.steps_that_matter() {
            rows[step as usize].matters = true;
        }
        rows
    }

    /// Whether a step says nothing that the one before it does not say: to free a block is a step for each object in it.
    fn is_folded(&self, step: EventId) -> bool {
        let is_free = |step: EventId| {
            let event = self.execution.trace.event(step);
            (event.op.kind == OpKind::Free).then(|| (event.thread(), event.op.site))
        };
        step > 0 && is_free(step).is_some_and(|free| is_free(step - 1) == Some(free))
    }

    /// The steps to be seen in an execution of any length: the pivot, the failures, what other threads last did to what
    /// the failing steps touched, and how the locks were taken that the waiting threads wait for.
    pub(crate) fn steps_that_matter(&self) -> Vec<EventId> {
        let mut steps: Vec<EventId> = self.pivot.map_or(Vec::new(), |(first, second)| vec![first, second]);
        for step in self.execution.failures.iter().filter_map(|(thread, failure)| self.step_of(*thread, failure)) {
            let failing = self.execution.trace.event(step);
            let changed_by_other = |&earlier: &EventId| {
                let event = self.execution.trace.event(earlier);
                earlier < step && event.thread() != failing.thread() && event.before != event.after
            };
            steps.push(step);
            steps.extend(self.execution.trace.history(failing.op.object).find(changed_by_other));
        }
        if self.execution.ending == Ending::Deadlocked {
            steps.extend(self.explanation().taken_at);
        }
        steps
    }

    /// Where a thread failed: a failed thread takes no further step, so its last one, except for a data race, which
    /// stops nobody.
    pub fn step_of(&self, thread: ThreadId, failure: &Failure) -> Option<EventId> {
        let is_it = |&event: &EventId| {
            let event = self.execution.trace.event(event);
            event.thread() == thread && event.op.site == failure.site
        };
        let race = (failure.kind == FailureKind::DataRace)
            .then(|| (0..self.execution.trace.len() as EventId).rev().find(is_it))
            .flatten();
        race.or_else(|| self.execution.trace.last_of(thread))
    }

    /// Of a data race: the step of the other access.
    pub(crate) fn against(&self, thread: ThreadId, failure: &Failure) -> Option<EventId> {
        let second = self.step_of(thread, failure).filter(|_| failure.kind == FailureKind::DataRace)?;
        let object = self.execution.trace.event(second).op.object;
        let is_access = |&first: &EventId| self.execution.trace.event(first).op.object == object;
        self.execution.trace.races_of(second).iter().map(|race| race.first).find(is_access)
    }

    /// Where in the program's text a step is.
    pub fn site_of_step(&self, step: EventId) -> Option<String> {
        self.names.site(self.place_of_step(step))
    }

    pub(crate) fn place_of_step(&self, step: EventId) -> Site {
        self.names.place(Moment::Step(step as usize), self.execution.trace.event(step).op.site)
    }

    pub(crate) fn place_of_failure(&self, thread: ThreadId, failure: &Failure) -> Site {
        match self.step_of(thread, failure).filter(|_| failure.kind == FailureKind::DataRace) {
            Some(step) => self.place_of_step(step),
            None => self.names.place(Moment::Failure(thread), failure.site),
        }
    }

    /// The site of a step, for names that show it.
    fn site_beside(&self, step: EventId) -> String {
        let shown = self.names.shows_sites().then(|| self.site_of_step(step)).flatten();
        shown.map_or(String::new(), |site| format!("  {}", printable(&site)))
    }

    fn note(&self, thread: ThreadId, failure: &Failure) -> String {
        // A data race is told with the sites of both accesses.
        let place = (failure.kind != FailureKind::DataRace).then(|| self.place_of_failure(thread, failure));
        let site = place.and_then(|place| self.names.site(place));
        let site = site.map_or(String::new(), |site| format!(" at `{}`", printable(&site)));
        format!("{}: {}{site}", self.thread(thread), message(failure))
    }

    /// Headline, execution, pivot and, for a deadlock, who waits for what.
    pub fn print(&self, layout: Layout) -> String {
        let rows = self.rows();
        let last_lane = rows.iter().map(|row| row.lane).max();
        let threads: Vec<String> =
            (0..last_lane.map_or(0, |lane| lane + 1)).map(|lane| self.thread(ThreadId(lane as u32))).collect();
        let mut text = format!("{}\n\n", self.headline());
        if rows.is_empty() {
            text.push_str("No step was taken.\n");
        } else {
            text.push_str(&lanes::print(&threads, &rows, layout));
        }
        if self.pivot.is_some() {
            let [first, second] = PIVOT_MARKS;
            let _ = writeln!(text, "\n{first} comes before {second} here; the other way round, this does not happen.");
        }
        if self.execution.ending == Ending::Deadlocked {
            self.print_waits(&mut text);
        }
        self.print_source(&mut text);
        text
    }

    /// The program's text at the steps that matter, and at what is waited for.
    fn print_source(&self, text: &mut String) {
        let mut steps = self.steps_that_matter();
        steps.sort_unstable();
        steps.dedup();
        let at_steps = steps.iter().map(|&step| (self.execution.trace.event(step).thread(), self.place_of_step(step)));
        let at_failures =
            self.execution.failures.iter().map(|(thread, failure)| (*thread, self.place_of_failure(*thread, failure)));
        let at_waits = self.execution.waiting.iter().map(|pending| {
            let place = self.names.place(Moment::Wait(pending.thread), pending.op.site);
            (pending.thread, place)
        });
        let mut lines: Vec<String> = Vec::new();
        for (thread, site) in at_steps.chain(at_failures).chain(at_waits) {
            if let (Some(place), Some(source)) = (self.names.site(site), self.names.source(site)) {
                let line = format!("  {place}  {}  `{}`", self.thread(thread), printable(source.trim()));
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        if !lines.is_empty() {
            let _ = writeln!(text, "\n{}", lines.join("\n"));
        }
    }

    fn print_waits(&self, text: &mut String) {
        let explanation = self.explanation();
        let width = explanation.waits.iter().map(|wait| wait.thread.chars().count()).max().unwrap_or(0);
        text.push('\n');
        for wait in &explanation.waits {
            let site = wait.site.as_ref().map_or(String::new(), |site| format!("  {site}"));
            let _ = writeln!(text, "{:<width$}  {}{site}", wait.thread, wait.reason);
        }
        if !explanation.cycle.is_empty() {
            let _ = writeln!(text, "\ncycle: {}", explanation.cycle.join(" → "));
        }
    }

    pub(crate) fn thread(&self, thread: ThreadId) -> String {
        printable(&self.names.thread(thread))
    }
}

/// What happened in an execution, in a line.
pub(crate) fn headline_of(
    ending: Ending,
    failures: &[(ThreadId, Failure)],
    waiting: &[ThreadId],
    names: &dyn Names,
) -> String {
    let thread = |thread: ThreadId| printable(&names.thread(thread));
    match (ending, failures) {
        (Ending::Deadlocked, _) => match waiting {
            [one] => format!("deadlock: {} waits for ever", thread(*one)),
            many => format!("deadlock: {} threads wait for ever", many.len()),
        },
        (Ending::Failed, [(failed, failure)]) => format!("failure in {}: {}", thread(*failed), message(failure)),
        (Ending::Failed, many) => format!("{} threads fail", many.len()),
        (Ending::Completed, _) => "completed: every thread ended".to_owned(),
        (Ending::Cut, _) => "cut: an assume did not hold, or a thread came round".to_owned(),
        (Ending::SleepSetBlocked, _) => "given up: everything enabled slept".to_owned(),
        (Ending::TooLong, _) => "given up: the limit of steps was reached".to_owned(),
        (Ending::OutOfBounds, _) => "given up: a bound was reached".to_owned(),
        (Ending::CutOff, _) => "ended before cutoffs".to_owned(),
    }
}

fn message(failure: &Failure) -> String {
    printable(&failure.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{A, B, Plain, trace, waits};
    use model::Outcome::Done;

    #[test]
    fn a_failure_is_told_at_its_step() {
        let trace = trace(&[
            (0, OpKind::Read, A, Done, 0, 0),
            (1, OpKind::Read, A, Done, 0, 0),
            (0, OpKind::Write(1), A, Done, 0, 1),
            (1, OpKind::Write(1), A, Done, 1, 1),
            (2, OpKind::Read, A, Done, 1, 1),
        ]);
        let failure = Failure { kind: FailureKind::Assertion, message: "both counted".to_owned(), site: Site::UNKNOWN };
        let failures = [(ThreadId(2), failure)];
        let execution = Execution { ending: Ending::Failed, trace: &trace, failures: &failures, waiting: &[] };
        let story = Named { execution, pivot: Some((1, 2)), names: &Plain };
        insta::assert_snapshot!(story.print(Layout::default()), @r"
        failure in T2: assertion failed: both counted

        step  T0               T1             T2
           1  read a = 0
           2                   read a = 0 ◀1
           3  write a := 1 ◀2
           4                   write a := 1
           5                                  read a = 1
              ✗ T2: assertion failed: both counted

        ◀1 comes before ◀2 here; the other way round, this does not happen.
        ");
    }

    #[test]
    fn a_deadlock_says_who_waits_for_whom() {
        let trace = trace(&[(0, OpKind::Lock, A, Done, 0, 1), (1, OpKind::Lock, B, Done, 0, 2)]);
        let waiting = [waits(0, OpKind::Lock, B), waits(1, OpKind::Lock, A)];
        let execution = Execution { ending: Ending::Deadlocked, trace: &trace, failures: &[], waiting: &waiting };
        let story = Named { execution, pivot: None, names: &Plain };
        insta::assert_snapshot!(story.print(Layout::default()), @r"
        deadlock: 2 threads wait for ever

        step  T0      T1
           1  lock a
           2          lock b

        T0  waits to lock b, held since step 2 by T1, which itself waits
        T1  waits to lock a, held since step 1 by T0, which itself waits

        cycle: T0 → b → T1 → a → T0
        ");
    }

    #[test]
    fn what_led_to_a_failure_is_never_left_out() {
        let mut steps = vec![(1, OpKind::Read, B, Done, 0, 0); 1000];
        steps[300] = (0, OpKind::Write(7), A, Done, 0, 7);
        steps.push((1, OpKind::Read, A, Done, 7, 7));
        let failure = Failure { kind: FailureKind::Assertion, message: "no 7".to_owned(), site: Site::UNKNOWN };
        let trace = trace(&steps);
        let failures = [(ThreadId(1), failure)];
        let execution = Execution { ending: Ending::Failed, trace: &trace, failures: &failures, waiting: &[] };
        let story = Named { execution, pivot: None, names: &Plain };
        let text = story.print(Layout::default());
        assert!(text.contains("write a := 7") && text.contains("left out"), "{text}");
    }
}
