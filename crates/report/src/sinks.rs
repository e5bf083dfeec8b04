//! Several sinks as one.

use std::ops::ControlFlow;
use trace::{Execution, Progress, Race, Sink, Trace};

/// Tells each of them what it wants to know. One that says so ends the search.
pub struct Several<'s>(Vec<&'s mut dyn Sink>);

impl<'s> Several<'s> {
    /// These.
    pub fn new(sinks: impl IntoIterator<Item = &'s mut dyn Sink>) -> Self {
        Several(sinks.into_iter().collect())
    }

    /// Every one is told.
    fn all(&mut self, mut tell: impl FnMut(&mut dyn Sink) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut told = ControlFlow::Continue(());
        for sink in &mut self.0 {
            if tell(*sink).is_break() {
                told = ControlFlow::Break(());
            }
        }
        told
    }
}

impl Sink for Several<'_> {
    fn begin(&mut self) {
        self.0.iter_mut().for_each(|sink| sink.begin());
    }

    fn wants_executions(&self) -> bool {
        self.0.iter().any(|sink| sink.wants_executions())
    }

    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        self.all(|sink| match sink.wants_executions() {
            true => sink.execution(execution),
            false => ControlFlow::Continue(()),
        })
    }

    fn aside(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        self.all(|sink| sink.aside(execution))
    }

    fn wants_branches(&self) -> bool {
        self.0.iter().any(|sink| sink.wants_branches())
    }

    fn given_up(&mut self, execution: &Execution<'_>) {
        self.0.iter_mut().filter(|sink| sink.wants_branches()).for_each(|sink| sink.given_up(execution));
    }

    fn reversal(&mut self, trace: &Trace, race: &Race) {
        self.0.iter_mut().filter(|sink| sink.wants_branches()).for_each(|sink| sink.reversal(trace, race));
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.all(|sink| sink.progress(progress))
    }
}
