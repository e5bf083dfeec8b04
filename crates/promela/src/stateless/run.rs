//! A run of a model. Every state that it came through is kept, so that going back costs nothing.

use super::act::{Acted, Scene};
use super::program::{Core, touch};
use super::ready::Ready;
use super::whole::Whole;
use crate::machine::Fault;
use model::{
    Choice, Failure, FailureKind, Fingerprint, Guard, ObjectId, Op, OpKind, Outcome, Pending, Run, SavedState, State,
    Stepped, Steps, ThreadId, Touch,
};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;
use std::sync::Arc;

/// What all steps touch: one object, whose cells the model knows.
const STORE: ObjectId = ObjectId(0);

pub(super) struct ModelRun<'m> {
    core: &'m Arc<Core>,
    scene: Scene<'m>,
    /// The states before the steps that were taken, and how many of them are kept.
    past: Vec<SavedState>,
    steps: usize,
    /// One more than the largest thread that was there.
    threads: usize,
    visits: Visits,
}

/// Where a run came through, as far as that was asked for: what its states can still do, and after how many steps they came.
#[derive(Default)]
struct Visits {
    keys: Vec<Fingerprint>,
    places: FxHashMap<Fingerprint, u32>,
}

impl Visits {
    /// The next state; after how many steps it was there before, if it was.
    fn arrive(&mut self, key: Fingerprint) -> Option<usize> {
        let now = self.keys.len();
        self.keys.push(key);
        let first = *self.places.entry(key).or_insert(now as u32) as usize;
        (first < now).then_some(first)
    }

    /// Only so many states are left.
    fn cut(&mut self, states: usize) {
        for (place, key) in self.keys.drain(states.min(self.keys.len())..).enumerate() {
            if self.places.get(&key) == Some(&((states + place) as u32)) {
                self.places.remove(&key);
            }
        }
    }
}

impl<'m> ModelRun<'m> {
    pub(super) fn new(core: &'m Arc<Core>) -> Self {
        let mut scene = core.scene();
        scene.whole.load(&scene.machine, &core.initial_state());
        let mut run = ModelRun { core, scene, past: Vec::new(), steps: 0, threads: 0, visits: Visits::default() };
        run.note_threads();
        run
    }

    fn note_threads(&mut self) {
        let last = self.scene.whole.processes.iter().map(|process| process.thread.index() + 1).max();
        self.threads = self.threads.max(last.unwrap_or(0));
    }

    fn pending_by(&self, thread: ThreadId, number: u16) -> Option<Pending> {
        let scene = &self.scene;
        let process = scene.whole.process_of(thread)?;
        let numbers = &self.core.numbers;
        let state = scene.standing(process);
        let way = numbers.way(state, number)?;
        if scene.whole.processes[usize::from(process)].is_stopped {
            return None;
        }
        let ready = self.core.ready_of(scene, process, number);
        let site = self.core.site(scene, process, numbers.place(state, way));
        Some(Pending {
            thread,
            op: Op { kind: OpKind::Step(Touch::NONE), object: STORE, site },
            enabled: ready.is_some(),
            alternatives: 1,
            guard: Guard::NONE,
            transition: number,
            is_of_several: self.end_of(state) > 1,
        })
    }

    /// One more than the largest number of a transition in a control state.
    fn end_of(&self, state: &crate::code::State) -> u16 {
        self.core.numbers.end_in(state, usize::from(self.scene.whole.most)) as u16
    }

    /// What a step made of those that moved in it and of what it wrote, as one word.
    fn result(&self, touch: Touch) -> State {
        let (scene, mut hasher) = (&self.scene, FxHasher::default());
        let whole = &scene.whole;
        for &cell in touch.writes() {
            if let Some(process) = super::cells::process(cell) {
                if let Some(frame) = whole.shape.processes.get(usize::from(process)) {
                    let proctype = scene.proctype(process);
                    let end = frame + crate::code::HEAD + proctype.frame;
                    hasher.write(&whole.state[*frame as usize..end as usize]);
                }
            } else if (cell as usize) < scene.machine.model.globals as usize {
                hasher.write_u8(whole.state[cell as usize]);
            }
        }
        hasher.finish()
    }

    fn failure(&self, ready: Ready, fault: Fault) -> Box<Failure> {
        let site = self.core.site(&self.scene, ready.step.process, usize::from(ready.step.transition));
        let kind = if fault == Fault::Assertion { FailureKind::Assertion } else { FailureKind::Property };
        let message = if fault == Fault::Assertion {
            self.core.transition_at(site).map_or(String::new(), |(_, made)| self.core.text_of(made))
        } else {
            fault.text().to_owned()
        };
        Box::new(Failure { kind, message, site })
    }
}

impl Run for ModelRun<'_> {
    fn restart(&mut self) {
        self.rewind(0);
    }

    fn rewind(&mut self, steps: usize) -> usize {
        if steps < self.steps {
            self.scene.whole.load(&self.scene.machine, &self.past[steps]);
            self.steps = steps;
            self.visits.cut(steps + 1);
        }
        self.steps
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn pending(&self, thread: ThreadId) -> Option<Pending> {
        self.pending_by(thread, 0)
    }

    fn has_siblings(&self) -> bool {
        true
    }

    fn transitions(&self, thread: ThreadId) -> u16 {
        let process = self.scene.whole.process_of(thread);
        process.map_or(0, |process| self.end_of(self.scene.standing(process)))
    }

    fn transition(&self, thread: ThreadId, number: u16) -> Option<Pending> {
        self.pending_by(thread, number)
    }

    fn steps(&self) -> Option<Arc<dyn Steps>> {
        Some(Arc::clone(self.core) as Arc<dyn Steps>)
    }

    fn step(&mut self, choice: Choice) -> Option<Stepped> {
        if choice.alternative_of_transition() > 0 {
            return None;
        }
        self.scene.records = true;
        self.scene.reads.borrow_mut().clear();
        self.scene.writes.borrow_mut().clear();
        let ready = self.core.ready_in(&self.scene, choice).flatten();
        let Some(ready) = ready else {
            self.scene.records = false;
            return None;
        };
        if self.past.len() <= self.steps {
            self.past.push(SavedState::new());
        }
        self.scene.whole.save(&mut self.past[self.steps]);
        let site = self.core.site(&self.scene, ready.step.process, usize::from(ready.step.transition));
        let before = self.scene.whole.processes.len();
        let acted = self.scene.act(ready);
        self.scene.records = false;
        self.steps += 1;
        self.note_threads();
        let touch = touch(&self.scene);
        let made = self.scene.whole.processes.get(before).map(|process| process.thread);
        let failure = match acted {
            Acted::Done => None,
            Acted::Failed(failed, fault) => Some(self.failure(failed, fault)),
        };
        Some(Stepped {
            op: Op { kind: OpKind::Step(touch), object: STORE, site },
            outcome: made.map_or(Outcome::Done, Outcome::Spawned),
            before: 0,
            after: self.result(touch),
            failure,
        })
    }

    fn is_cut(&self) -> bool {
        false
    }

    fn came_back(&mut self) -> Option<usize> {
        self.visits.cut(self.steps);
        let mut passed = Whole::default();
        for state in self.visits.keys.len()..self.steps {
            passed.load(&self.scene.machine, &self.past[state]);
            self.visits.arrive(passed.key());
        }
        self.visits.arrive(self.scene.whole.key())
    }

    /// Processes that may stand where they stand, when nobody can go on, have come to their end.
    fn has_exited(&self) -> bool {
        let scene = &self.scene;
        let can_go_on =
            |process: u8| scene.ways(process).any(|(number, _)| self.core.ready_of(scene, process, number).is_some());
        scene.machine.may_end(&scene.whole.state, &scene.whole.shape)
            && !(0..scene.whole.processes.len() as u8).any(can_go_on)
    }
}
