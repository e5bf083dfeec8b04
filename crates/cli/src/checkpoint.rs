//! The options of checkpoints, and Ctrl-C.

use crate::problem::Problem;
use crate::target::quoted;
use clap::Args;
use explore::Checkpoints;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use trace::{Execution, Progress, Race, Sink, Trace};

/// The status of a process that was told twice to end, as if the signal had ended it.
const INTERRUPTED: i32 = 128 + 2;

/// Where a search is written to, and where it goes on from.
#[derive(Args, Clone)]
#[command(next_help_heading = "Checkpoints (with pop)")]
pub(crate) struct CheckpointArgs {
    /// Write to this file what is left to do, every so often and when the search is stopped by Ctrl-C or a limit
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// How long to wait between two checkpoints, such as 500ms, 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "30s")]
    checkpoint_every: Duration,
    /// Go on from this checkpoint, and write to it unless --checkpoint names another file. Limits count from now on
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

impl CheckpointArgs {
    /// As the search takes them.
    pub(crate) fn checkpoints(&self, program: impl FnOnce() -> String) -> Option<Checkpoints> {
        Some(Checkpoints {
            path: self.path()?.to_owned(),
            every: self.checkpoint_every,
            resume: self.resume.clone(),
            is_anew: false,
            program: program(),
        })
    }

    /// Where the search is written to.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.checkpoint.as_deref().or(self.resume.as_deref())
    }

    /// How to go on with a search that was stopped.
    pub(crate) fn hint(&self, command: &str, options: &str) -> Option<String> {
        let path = quoted(&self.path()?.to_string_lossy());
        Some(format!("go on with:\n  mazurka {command} --resume {path}{options}\n"))
    }

    /// A sink that ends the search in order when the user wants that. Without checkpoints there is nothing to be put in
    /// order, and signals do what they always do.
    pub(crate) fn interruptible<'s>(&self, sink: &'s mut dyn Sink) -> Result<Interruptible<'s>, Problem> {
        let interrupted = match self.path() {
            Some(_) => watch()?,
            None => Arc::default(),
        };
        let is_told = move || interrupted.load(Ordering::Relaxed);
        Ok(Interruptible { sink, is_told: Box::new(is_told) })
    }
}

/// The first signal sets the flag; the second ends the process at once.
pub(crate) fn watch() -> Result<Arc<AtomicBool>, Problem> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let register = |signal| {
        signal_hook::flag::register_conditional_shutdown(signal, INTERRUPTED, Arc::clone(&interrupted))?;
        signal_hook::flag::register(signal, Arc::clone(&interrupted))
    };
    for signal in [SIGINT, SIGTERM] {
        register(signal).map_err(|error: io::Error| Problem::Input(format!("cannot watch for Ctrl-C: {error}")))?;
    }
    Ok(interrupted)
}

/// Tells another sink, and ends the search after a signal.
pub(crate) struct Interruptible<'s> {
    sink: &'s mut dyn Sink,
    is_told: Box<dyn Fn() -> bool + Send>,
}

impl Interruptible<'_> {
    /// Whether there was a signal.
    pub(crate) fn was_interrupted(&self) -> bool {
        (self.is_told)()
    }
}

impl Sink for Interruptible<'_> {
    fn wants_executions(&self) -> bool {
        self.sink.wants_executions()
    }

    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        self.sink.execution(execution)
    }

    fn begin(&mut self) {
        self.sink.begin();
    }

    fn wants_branches(&self) -> bool {
        self.sink.wants_branches()
    }

    fn aside(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        self.sink.aside(execution)
    }

    fn anew(&mut self) {
        self.sink.anew();
    }

    fn given_up(&mut self, execution: &Execution<'_>) {
        self.sink.given_up(execution);
    }

    fn reversal(&mut self, trace: &Trace, race: &Race) {
        self.sink.reversal(trace, race);
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        if self.was_interrupted() { ControlFlow::Break(()) } else { self.sink.progress(progress) }
    }
}
