//! Which steps of a state are explored: all of them, or fewer that are enough to find every failed assertion and every
//! state in which nothing can go on. One file each.

pub(crate) mod persistent;
pub(crate) mod sleep;
pub(crate) mod source;

use crate::analysis::{Analysis, Present};
use crate::machine::Step;
use crate::model::Model;

/// A reduction of the search, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reduction {
    /// None: every step of every state.
    #[default]
    Full,
    /// Static persistent sets.
    Persistent,
    /// Static source sets.
    Source,
    /// Sleep sets: every state, and fewer steps between them.
    Sleep,
}

impl Reduction {
    /// All there are.
    pub const ALL: [Reduction; 4] = [Reduction::Full, Reduction::Persistent, Reduction::Source, Reduction::Sleep];

    /// The name by which it is asked for.
    pub fn name(self) -> &'static str {
        match self {
            Reduction::Full => "full",
            Reduction::Persistent => "persistent",
            Reduction::Source => "source",
            Reduction::Sleep => "sleep",
        }
    }

    /// The reduction of a name.
    pub fn named(name: &str) -> Option<Reduction> {
        Reduction::ALL.into_iter().find(|reduction| reduction.name() == name)
    }
}

/// What was chosen.
#[derive(Clone, Copy)]
pub(crate) struct Chosen {
    pub(crate) count: usize,
    /// Every one of the steps commutes with any sequence that has none of them.
    pub(crate) is_persistent: bool,
}

/// Chooses among the steps of states.
pub(crate) struct Reducer<'m> {
    reduction: Reduction,
    pub(crate) analysis: Analysis<'m>,
}

impl<'m> Reducer<'m> {
    /// What chooses, where anything is to be chosen.
    pub(crate) fn new(model: &'m Model, reduction: Reduction) -> Option<Self> {
        (reduction != Reduction::Full).then(|| Reducer { reduction, analysis: Analysis::new(model) })
    }

    /// Brings the steps that are to be explored to the front, and says how many they are.
    pub(crate) fn choose(&mut self, present: &Present<'_>, steps: &mut [Step]) -> Chosen {
        let (chosen, is_persistent) = match self.reduction {
            Reduction::Full | Reduction::Sleep => return Chosen { count: steps.len(), is_persistent: true },
            Reduction::Persistent => (persistent::set(&mut self.analysis, present, steps, 0), true),
            Reduction::Source => source::set(&mut self.analysis, present, steps),
        };
        Chosen { count: bring_to_front(&chosen, steps), is_persistent }
    }

    /// Brings those of another persistent set to the front of the steps that were not explored, and says how many they are.
    pub(crate) fn choose_more(&mut self, present: &Present<'_>, steps: &mut [Step], explored: usize) -> usize {
        let chosen = persistent::set(&mut self.analysis, present, steps, explored);
        bring_to_front(&chosen[explored..], &mut steps[explored..])
    }
}

/// Brings the chosen ones to the front, and says how many they are.
fn bring_to_front(chosen: &[bool], steps: &mut [Step]) -> usize {
    let mut front = 0;
    for place in (0..chosen.len()).filter(|place| chosen[*place]) {
        // Those before it keep their order.
        steps[front..=place].rotate_right(1);
        front += 1;
    }
    front
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Op;
    use crate::machine::{Machine, Shape};
    use crate::touch::Touch;

    const FIGURE_1: &str = include_str!("../../../corpus/promela/figure_1.pml");
    const FIGURE_3: &str = include_str!("../../../corpus/promela/figure_3.pml");
    const FIGURE_4: &str = include_str!("../../../corpus/promela/figure_4.pml");

    fn model(text: &str) -> Model {
        Model::parse("figure.pml", text, &[]).expect("a model of the corpus")
    }

    fn steps(machine: &Machine<'_>, state: &[u8]) -> (Shape, Vec<Step>) {
        let mut shape = Shape::default();
        machine.shape(state, &mut shape);
        let mut steps = Vec::new();
        for process in 0..shape.processes.len() as u8 {
            machine.steps_of(state, &shape, process, false, &mut steps).expect("nothing fails in the figures");
        }
        (shape, steps)
    }

    /// How many of the first steps of a model each reduction explores.
    fn first_steps(text: &str) -> [usize; 3] {
        let model = model(text);
        let machine = Machine::new(&model);
        let state = machine.initial().expect("it begins");
        let (shape, steps) = steps(&machine, &state);
        [Reduction::Persistent, Reduction::Source, Reduction::Sleep].map(|reduction| {
            let mut reducer = Reducer::new(&model, reduction).expect("it reduces");
            let present = Present { machine: &machine, state: &state, shape: &shape };
            reducer.choose(&present, &mut steps.clone()).count
        })
    }

    #[test]
    fn the_figures_of_the_paper_have_their_sets() {
        assert_eq!(first_steps(FIGURE_1), [1, 1, 3]);
        assert_eq!(first_steps(FIGURE_3), [3, 2, 3]);
        assert_eq!(first_steps(FIGURE_4), [3, 3, 3]);
    }

    /// All sequences of steps to the end, each with what it touched, without the ends of processes.
    fn sequences(machine: &Machine<'_>, analysis: &Analysis<'_>, state: &[u8]) -> Vec<Vec<(Step, Touch)>> {
        let (shape, steps) = steps(machine, state);
        if steps.is_empty() {
            return vec![Vec::new()];
        }
        let mut all = Vec::new();
        for step in steps {
            let view = machine.view(state, &shape, step.process, false);
            let touch = analysis.init(&view, usize::from(step.transition), true);
            let op = &machine.transitions(state, &shape, step.process)[usize::from(step.transition)].op;
            let is_end = matches!(op, Op::End);
            let (mut after, mut shape) = (state.to_vec(), shape.clone());
            machine.take(&mut after, &mut shape, step, false).expect("nothing fails in the figures");
            for mut rest in sequences(machine, analysis, &after) {
                if !is_end {
                    rest.insert(0, (step, touch.clone()));
                }
                let is_known = |known: &Vec<(Step, Touch)>| {
                    known.iter().map(|(step, _)| step).eq(rest.iter().map(|(step, _)| step))
                };
                if !all.iter().any(is_known) {
                    all.push(rest);
                }
            }
        }
        all
    }

    /// Whether a step is an initial of a sequence: nothing before it in the sequence conflicts with it.
    fn is_initial(first: Step, sequence: &[(Step, Touch)]) -> bool {
        let Some(place) = sequence.iter().position(|(step, _)| step.process == first.process) else { return false };
        let (step, touch) = &sequence[place];
        *step == first
            && sequence[..place].iter().all(|(_, before)| !before.conflicts(touch) && !touch.conflicts(before))
    }

    /// How many Mazurkiewicz traces some sequences are: two are the same one when the steps that conflict are in the same order.
    fn classes(sequences: &[Vec<(Step, Touch)>]) -> usize {
        let class = |sequence: &Vec<(Step, Touch)>| {
            let mut orders = Vec::new();
            for (later, (step, touch)) in sequence.iter().enumerate() {
                let same = |(first, other): &&(Step, Touch)| {
                    first.process == step.process || touch.conflicts(other) || other.conflicts(touch)
                };
                let nth = |place: usize| {
                    let process = sequence[place].0.process;
                    (process, sequence[..place].iter().filter(|(step, _)| step.process == process).count())
                };
                orders.push((nth(later), None));
                let before = sequence[..later].iter().enumerate().filter(|(_, first)| same(first));
                orders.extend(before.map(|(place, _)| (nth(later), Some(nth(place)))));
            }
            orders.sort();
            orders
        };
        sequences.iter().map(class).collect::<std::collections::BTreeSet<_>>().len()
    }

    /// The paper's Fig. 4 has 75 sequences "partitioned over 7 traces", for "there are 8 ways to direct the three races". But
    /// where a read comes after the write of its variable, its process does not write, and one of the races is gone: these are
    /// 4 traces. 7 of the 8 are there when each process writes whatever it reads, and then there are 90 sequences.
    #[test]
    fn figure_4_has_four_classes_and_seven_without_its_conditions() {
        let always = "byte x, y, z, a, b, c; active proctype p() { a = x; z = 1 } \
            active proctype q() { b = y; x = 1 } active proctype r() { c = z; y = 1 }";
        for (text, expected) in [(FIGURE_4, (75, 4)), (always, (90, 7))] {
            let model = model(text);
            let machine = Machine::new(&model);
            let sequences = sequences(&machine, &Analysis::new(&model), &machine.initial().expect("it begins"));
            assert_eq!((sequences.len(), classes(&sequences)), expected);
        }
    }

    /// The paper's Fig. 4, by the definition of source sets: 75 sequences, and any two of the first steps are enough.
    #[test]
    fn any_two_first_steps_of_figure_4_are_a_source_set() {
        let model = model(FIGURE_4);
        let machine = Machine::new(&model);
        let analysis = Analysis::new(&model);
        let state = machine.initial().expect("it begins");
        let sequences = sequences(&machine, &analysis, &state);
        assert_eq!(sequences.len(), 75);
        let (_, first) = steps(&machine, &state);
        let is_source_set =
            |set: &[Step]| sequences.iter().all(|sequence| set.iter().any(|step| is_initial(*step, sequence)));
        for left_out in 0..3 {
            let two: Vec<Step> =
                first.iter().enumerate().filter(|(place, _)| *place != left_out).map(|(_, step)| *step).collect();
            assert!(is_source_set(&two));
            assert!(!is_source_set(&first[left_out..=left_out]));
        }
    }
}
