//! A model as a [`Program`], and what its steps mean as pure functions of its states.

use super::act::{Acted, Scene};
use super::cells;
use super::names::Threads;
use super::numbers::Numbers;
use super::ready::Ready;
use super::run::ModelRun;
use super::whole::{self, Process, Whole};
use crate::code::{Op, Transition};
use crate::machine::{Fault, Machine, control};
use crate::model::Model;
use model::{Cell, Choice, Look, Names, Program, Run, SavedState, Site, Steps, ThreadId, Touch};
use std::fmt;
use std::sync::Arc;

/// A model whose executions can be explored.
#[derive(Debug)]
pub struct ModelProgram(Arc<Core>);

/// Why a model cannot be explored so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfit(String);

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unfit {}

pub(super) struct Core {
    pub(super) model: Arc<Model>,
    pub(super) numbers: Numbers,
    pub(super) threads: Threads,
    /// Whether a process may hold all others up.
    holds: bool,
    initial: SavedState,
    /// The first site of each control state, by proctype.
    sites: Vec<Vec<u32>>,
}

impl fmt::Debug for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Core").field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl ModelProgram {
    /// A model, ready to be run.
    ///
    /// # Errors
    /// The model does not begin, or has too many transitions.
    pub fn new(model: Arc<Model>) -> Result<Self, Unfit> {
        let numbers = Numbers::new(&model).ok_or_else(|| {
            Unfit(
                "the model has too many ways to meet at a channel without room: mazurka verify searches its states"
                    .to_owned(),
            )
        })?;
        let threads = Threads::default();
        let whole =
            begin(&model, &threads).map_err(|fault| Unfit(format!("the model does not begin: {}", fault.text())))?;
        let mut initial = SavedState::new();
        whole.save(&mut initial);
        let mut sites = 0;
        let of_state = |state: &crate::code::State| {
            sites += state.transitions.len() as u32;
            sites - state.transitions.len() as u32
        };
        let mut of_state = of_state;
        let sites =
            model.proctypes.iter().map(|proctype| proctype.states.iter().map(&mut of_state).collect()).collect();
        let holds = model
            .proctypes
            .iter()
            .flat_map(|proctype| &proctype.states)
            .any(|state| state.transitions.iter().any(|made| made.atomic));
        Ok(ModelProgram(Arc::new(Core { model, numbers, threads, holds, initial, sites })))
    }

    /// The claims of the model, which are not looked at.
    pub fn claims(&self) -> impl Iterator<Item = &str> {
        self.0.model.claims()
    }

    /// The variables and control states in which these steps end.
    pub fn end_of(&self, choices: &[Choice]) -> Vec<u8> {
        let mut state = self.0.initial();
        choices.iter().for_each(|choice| self.0.take(&mut state, *choice));
        let mut whole = Whole::default();
        whole.load(&Machine::new(&self.0.model), &state);
        whole.state
    }
}

impl Program for ModelProgram {
    fn start(&self) -> Box<dyn Run + '_> {
        Box::new(ModelRun::new(&self.0))
    }

    fn names(&self) -> &dyn Names {
        &*self.0
    }
}

fn begin(model: &Model, threads: &Threads) -> Result<Whole, Fault> {
    let machine = Machine::new(model);
    let mut whole = Whole { state: machine.initial()?, ..Whole::default() };
    machine.shape(&whole.state, &mut whole.shape);
    for (nth, frame) in whole.shape.processes.iter().enumerate() {
        let thread = threads.child(None, nth as u32, whole.state[*frame as usize]);
        whole.processes.push(Process { thread, children: 0, is_stopped: false });
    }
    whole.heads = vec![0; whole.shape.channels.len()];
    whole.most = whole.processes.len() as u8;
    Ok(whole)
}

impl Core {
    pub(super) fn scene(&self) -> Scene<'_> {
        Scene::new(Machine::new(&self.model), &self.numbers, &self.threads)
    }

    pub(super) fn initial_state(&self) -> SavedState {
        self.initial.clone()
    }

    /// The step of a choice in the state of a scene, if it can be taken: also one that fails. None if its thread is not there.
    pub(super) fn ready_in(&self, scene: &Scene<'_>, choice: Choice) -> Option<Option<Ready>> {
        let process = scene.whole.process_of(choice.thread)?;
        if scene.whole.processes[usize::from(process)].is_stopped {
            return None;
        }
        Some(self.ready_of(scene, process, choice.transition()))
    }

    pub(super) fn ready_of(&self, scene: &Scene<'_>, process: u8, number: u16) -> Option<Ready> {
        if self.holds {
            scene.read(cells::HOLDER);
        }
        if scene.whole.holder.is_some_and(|holder| holder != process) {
            return None;
        }
        let way = self.numbers.way(scene.standing(process), number)?;
        scene.ready(process, way)
    }

    /// The transition of a site, with its proctype.
    pub(super) fn transition_at(&self, site: Site) -> Option<(usize, &Transition)> {
        let proctype = self.sites.iter().rposition(|states| states.first().is_some_and(|first| *first <= site.0))?;
        let states = &self.sites[proctype];
        let state = states.iter().rposition(|first| *first <= site.0)?;
        let transitions = &self.model.proctypes[proctype].states[state].transitions;
        transitions.get((site.0 - states[state]) as usize).map(|made| (proctype, made))
    }

    /// Where a process stands, by one of its transitions.
    pub(super) fn site(&self, scene: &Scene<'_>, process: u8, transition: usize) -> Site {
        let frame = scene.whole.shape.processes[usize::from(process)];
        let state = control(&scene.whole.state, frame) as usize;
        let proctype = usize::from(scene.whole.state[frame as usize]);
        let count = self.model.proctypes[proctype].states[state].transitions.len();
        if transition < count { Site(self.sites[proctype][state] + transition as u32) } else { Site::UNKNOWN }
    }

    pub(super) fn text_of(&self, made: &Transition) -> String {
        match made.op {
            Op::End => "-end-".to_owned(),
            _ => self.model.files.text_of(made.pos).trim().trim_end_matches(';').to_owned(),
        }
    }
}

/// What was read and written since a scene was loaded.
pub(super) fn touch(scene: &Scene<'_>) -> Touch {
    Touch::new(&mut scene.reads.borrow_mut(), &mut scene.writes.borrow_mut())
}

impl Steps for Core {
    fn initial(&self) -> SavedState {
        self.initial_state()
    }

    fn look(&self, state: &[u8], choice: Choice) -> Option<Look> {
        let mut scene = self.scene();
        scene.records = true;
        scene.whole.load(&scene.machine, state);
        let process = scene.whole.process_of(choice.thread)?;
        scene.read(cells::mover(process));
        let ready = self.ready_in(&scene, choice)?;
        if let Some(ready) = ready {
            let _: Acted = scene.act(ready);
        }
        Some(Look { enabled: ready.is_some(), touch: touch(&scene) })
    }

    fn take(&self, state: &mut SavedState, choice: Choice) {
        let mut scene = self.scene();
        scene.whole.load(&scene.machine, state);
        if let Some(Some(ready)) = self.ready_in(&scene, choice) {
            let _: Acted = scene.act(ready);
            scene.whole.save(state);
        }
    }

    fn transitions(&self, state: &[u8], later: &[u8], thread: ThreadId) -> Vec<u16> {
        let mut scene = self.scene();
        scene.whole.load(&scene.machine, state);
        scene.whole.most = whole::most(later);
        let process = scene.whole.process_of(thread);
        let is_there = |process: &u8| !scene.whole.processes[usize::from(*process)].is_stopped;
        process.filter(is_there).map_or(Vec::new(), |process| scene.ways(process).map(|(number, _)| number).collect())
    }

    fn mover(&self, state: &[u8], cell: Cell) -> Option<ThreadId> {
        let mut whole = Whole::default();
        whole.load(&Machine::new(&self.model), state);
        whole.processes.get(usize::from(cells::process(cell)?)).map(|process| process.thread)
    }
}
