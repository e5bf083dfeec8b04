//! Slices in this process.

use crate::work::Slicer;
use crate::{Problem, Version};
use explore::{Processes, Shareable, Slice, Sliced};
use model::{Names, Program};
use std::ops::ControlFlow;
use std::thread;
use trace::{Execution, Progress, Sink};

/// What a front end knows of a program beside what it is told, and learns by running it.
pub trait FrontEnd: Sync {
    /// The program.
    fn program(&self) -> &dyn Program;

    /// Where further workers of this machine run, if not in threads.
    fn processes(&self) -> Option<&dyn Processes> {
        None
    }

    /// Whether each slice is explored in an OS thread of its own: runs that were given up may have left the last one in a state
    /// that nothing else may be done in.
    fn needs_own_thread(&self) -> bool {
        false
    }

    /// A version begins, and this is known. Says what is wrong with it.
    fn begin(&self, known: &str) -> Result<(), String> {
        let _ = known;
        Ok(())
    }

    /// Whether more is known than when the version began, so that the search must begin anew. Says why the program cannot be
    /// checked.
    fn learnt(&self) -> Result<bool, String> {
        Ok(false)
    }

    /// All that is known now.
    fn known(&self) -> String {
        String::new()
    }
}

/// Explores a program in this process, with threads or with processes of its own.
pub struct Local<'p> {
    front_end: &'p dyn FrontEnd,
    search: &'p dyn Shareable,
    version: Option<Version>,
}

impl<'p> Local<'p> {
    /// By this search.
    pub fn new(front_end: &'p dyn FrontEnd, search: &'p dyn Shareable) -> Self {
        Local { front_end, search, version: None }
    }
}

impl Slicer for Local<'_> {
    fn names(&self) -> Option<&dyn Names> {
        Some(self.front_end.program().names())
    }

    fn search(&self) -> &dyn Shareable {
        self.search
    }

    fn begin(&mut self, version: &Version) -> Result<(), Problem> {
        self.front_end.begin(&version.known).map_err(Problem::FrontEnd)?;
        self.version = Some(version.clone());
        Ok(())
    }

    fn slice(
        &mut self,
        bundle: &[u8],
        careful: bool,
        go_on: &mut (dyn FnMut(&Progress) -> bool + Send),
    ) -> Result<Sliced, String> {
        let version = self.version.as_ref().ok_or("no version has begun")?;
        let restarts = u32::try_from(version.number).unwrap_or(0);
        let slice = Slice { bundle, lessons: &version.lessons, restarts, most: careful.then_some(1) };
        let mut until = Until { go_on };
        let (program, processes) = (self.front_end.program(), self.front_end.processes());
        let explore = || self.search.slice(program, processes, &mut until, slice);
        if !self.front_end.needs_own_thread() {
            return Ok(explore());
        }
        thread::scope(|scope| {
            let name = thread::current().name().unwrap_or("mazurka").to_owned();
            let spawned = thread::Builder::new().name(name).spawn_scoped(scope, explore);
            let spawned = spawned.map_err(|error| format!("no thread to search in: {error}"))?;
            Ok(spawned.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }

    fn learnt(&mut self) -> Result<bool, String> {
        self.front_end.learnt()
    }

    fn known(&mut self, _: &[String]) -> Result<String, String> {
        Ok(self.front_end.known())
    }
}

/// Ends a slice when it is time.
struct Until<'s> {
    go_on: &'s mut (dyn FnMut(&Progress) -> bool + Send),
}

impl Sink for Until<'_> {
    fn wants_executions(&self) -> bool {
        false
    }

    fn execution(&mut self, _: &Execution<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        if (self.go_on)(progress) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
