//! How processes, statements and steps of a model are called.

use super::act::Told;
use super::program::Core;
use crate::machine::Machine;
use crate::model::Model;
use crate::trail::Trail;
use model::{Choice, Location, Names, ObjectId, Site, ThreadId, ThreadPath, ThreadRegistry};
use std::sync::{Mutex, PoisonError};

/// The processes of all runs: a thread is its parent and its place among the parent's children, whatever its pid.
#[derive(Debug, Default)]
pub(super) struct Threads {
    registry: ThreadRegistry,
    /// The proctype of each.
    proctypes: Mutex<Vec<u8>>,
}

impl Threads {
    /// The `nth` child of a thread, or the `nth` process that is there from the start.
    pub(super) fn child(&self, parent: Option<ThreadId>, nth: u32, proctype: u8) -> ThreadId {
        let thread = self.registry.intern(parent, nth);
        let mut proctypes = self.proctypes.lock().unwrap_or_else(PoisonError::into_inner);
        if proctypes.len() <= thread.index() {
            proctypes.resize(thread.index() + 1, u8::MAX);
        }
        proctypes[thread.index()] = proctype;
        thread
    }

    fn name(&self, model: &Model, thread: ThreadId) -> String {
        let proctypes = self.proctypes.lock().unwrap_or_else(PoisonError::into_inner);
        let proctype = proctypes.get(thread.index()).and_then(|number| model.proctypes.get(usize::from(*number)));
        let name = proctype.map_or("process", crate::code::Proctype::shown_name);
        format!("{name}:{}", self.registry.path(thread))
    }
}

impl Names for Core {
    fn thread(&self, thread: ThreadId) -> String {
        self.threads.name(&self.model, thread)
    }

    fn path(&self, thread: ThreadId) -> ThreadPath {
        self.threads.registry.path(thread)
    }

    fn at_path(&self, path: &ThreadPath) -> Option<ThreadId> {
        self.threads.registry.at_path(path)
    }

    fn object(&self, _: ObjectId) -> String {
        "the state".to_owned()
    }

    fn site(&self, site: Site) -> Option<String> {
        self.transition_at(site).map(|(_, made)| self.model.files.line(made.pos))
    }

    fn shows_sites(&self) -> bool {
        true
    }

    fn statement(&self, site: Site) -> Option<String> {
        self.transition_at(site).map(|(_, made)| self.text_of(made))
    }

    fn source(&self, site: Site) -> Option<String> {
        self.statement(site)
    }

    fn location(&self, site: Site) -> Option<Location> {
        let (_, made) = self.transition_at(site)?;
        let file = self.model.files.get(made.pos.file);
        Some(Location { file: file.name.to_string(), line: made.pos.line })
    }

    fn text(&self, file: &str) -> Option<String> {
        self.model.files.all().find(|known| &*known.name == file).map(|known| known.text.to_string())
    }

    fn steps(&self, choices: &[Choice]) -> Option<Vec<String>> {
        let mut scene = self.scene();
        scene.told = Some(Vec::new());
        let mut steps = Vec::new();
        let mut saved = self.initial_state();
        for choice in choices {
            scene.whole.load(&scene.machine, &saved);
            let ready = self.ready_in(&scene, *choice)?;
            if let Some(ready) = ready {
                scene.act(ready);
            }
            let told = scene.told.replace(Vec::new()).unwrap_or_default();
            scene.whole.save(&mut saved);
            steps.push(self.told(&told, &scene.whole.state));
        }
        Some(steps)
    }

    fn registry(&self) -> Option<&ThreadRegistry> {
        Some(&self.threads.registry)
    }
}

impl Core {
    /// What a step did: its statements, each with the variables that it changed.
    fn told(&self, told: &[Told], after: &[u8]) -> String {
        let machine = Machine::new(&self.model);
        let mut texts = Vec::new();
        for (place, Told { ready, before }) in told.iter().enumerate() {
            let after = told.get(place + 1).map_or(after, |next| &next.before.state);
            let mut trail = Trail::default();
            let before = (before.state.clone(), before.shape.clone());
            trail.show(&machine, &before, after, ready.step, ready.timeout);
            let row = |row: &crate::trail::Row| {
                let text = row.text.trim().trim_end_matches(';').to_owned();
                let changes: Vec<String> = row.changes.iter().map(ToString::to_string).collect();
                if changes.is_empty() || changes == [text.as_str()] {
                    text
                } else {
                    format!("{text} [{}]", changes.join(", "))
                }
            };
            texts.push(trail.rows.iter().map(row).collect::<Vec<_>>().join(" ↔ "));
        }
        texts.join("; ")
    }
}
