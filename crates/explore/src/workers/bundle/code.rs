//! Tasks as bytes. An execution is what it has in common with the one before it, and the rest.

use super::Portable;
use crate::bytes::{Reader, Writer};
use crate::workers::task::{Execution, Schedule, Task};
use model::{Cell, Choice, Pattern, Tag, ThreadId, Touch};
use std::collections::HashMap;
use std::sync::Arc;
use trace::EventId;
use trace::dependence::Mode;

const NO_MODE: u64 = 0;
const PLAIN: [Mode; 5] = [Mode::Peek, Mode::Read, Mode::Add, Mode::Write, Mode::Unseen];
const SEND: u64 = 6;
const TAKE: u64 = 7;
const TIME_OUT: u64 = 8;
const STEP: u64 = 9;

impl Portable for Task {
    const FORM: u8 = 2;

    fn whole() -> Self {
        Task::whole()
    }

    fn share(&self) -> f64 {
        self.share
    }

    fn write(tasks: &[Self], out: &mut Writer) {
        let mut places: HashMap<*const Execution, usize> = HashMap::new();
        // Of a parent, no more is needed than its tasks begin with.
        let mut parents: Vec<(&Execution, usize)> = Vec::new();
        let mut of_tasks = Vec::with_capacity(tasks.len());
        for task in tasks {
            let place = *places.entry(Arc::as_ptr(&task.parent)).or_insert(parents.len());
            match parents.get_mut(place) {
                Some((_, longest)) => *longest = task.prefix.max(*longest),
                None => parents.push((&*task.parent, task.prefix)),
            }
            of_tasks.push(place);
        }
        out.number(parents.len() as u64);
        let mut before: (&[Choice], &[Schedule]) = (&[], &[]);
        for (parent, len) in parents {
            let now = (&parent.choices[..len], parent.schedules_in(len));
            let common = before.0.iter().zip(now.0).take_while(|(a, b)| a == b).count();
            let schedules = before.1.iter().zip(now.1).take_while(|(a, b)| a == b).count();
            out.number(common as u64);
            out.choices(&now.0[common..]);
            out.number(schedules as u64);
            out.schedules(&now.1[schedules..]);
            before = now;
        }
        out.number(tasks.len() as u64);
        for (task, place) in tasks.iter().zip(of_tasks) {
            out.task(task, place);
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Vec<Self>> {
        let mut parents: Vec<Arc<Execution>> = Vec::new();
        for _ in 0..from.number()? {
            let (mut choices, mut schedules) = match parents.last() {
                Some(last) => (last.choices.clone(), last.schedules.clone()),
                None => Default::default(),
            };
            truncate(&mut choices, from.number()?)?;
            from.choices(&mut choices)?;
            truncate(&mut schedules, from.number()?)?;
            from.schedules(&mut schedules, choices.len())?;
            parents.push(Arc::new(Execution { choices, schedules, seen: Vec::new() }));
        }
        (0..from.number()?).map(|_| from.task(&parents)).collect()
    }
}

fn truncate<T>(list: &mut Vec<T>, len: u64) -> Option<()> {
    let len = usize::try_from(len).ok().filter(|&len| len <= list.len())?;
    list.truncate(len);
    Some(())
}

impl Writer {
    fn choices(&mut self, choices: &[Choice]) {
        self.number(choices.len() as u64);
        for choice in choices {
            let is_other = choice.alternative != 0;
            self.number(u64::from(choice.thread.0) << 1 | u64::from(is_other));
            if is_other {
                self.number(choice.alternative.into());
            }
        }
    }

    fn schedules(&mut self, schedules: &[Schedule]) {
        self.number(schedules.len() as u64);
        for schedule in schedules {
            self.number(schedule.start.into());
            self.number((schedule.head - schedule.start).into());
            self.mode(schedule.over);
        }
    }

    fn mode(&mut self, mode: Option<Mode>) {
        let Some(mode) = mode else { return self.number(NO_MODE) };
        match mode {
            Mode::Send(tag) => {
                self.number(SEND);
                self.number(tag.kind().into());
                self.number(tag.key().into());
            }
            Mode::Take(pattern) => self.pattern(TAKE, pattern),
            Mode::TimeOut(pattern) => self.pattern(TIME_OUT, pattern),
            Mode::Step(touch) => {
                self.number(STEP);
                self.cells(touch.reads());
                self.cells(touch.writes());
            }
            plain => {
                let place = PLAIN.iter().position(|&other| other == plain).expect("all others are plain");
                self.number(place as u64 + 1);
            }
        }
    }

    /// Each as what it is more than the one before.
    fn cells(&mut self, cells: &[Cell]) {
        self.number(cells.len() as u64);
        let mut before = 0;
        for &cell in cells {
            self.number((cell - before).into());
            before = cell;
        }
    }

    fn pattern(&mut self, sort: u64, pattern: Pattern) {
        self.number(sort);
        let kinds: Vec<u8> = pattern.kinds().collect();
        self.number(kinds.len() as u64);
        kinds.iter().for_each(|&kind| self.number(kind.into()));
        self.number(pattern.key().map_or(0, |key| u64::from(key) + 1));
    }

    fn task(&mut self, task: &Task, parent: usize) {
        self.number(parent as u64);
        self.number(task.prefix as u64);
        self.word(task.seen);
        self.choices(&task.schedule);
        self.mode(task.over);
        self.number(task.own_from as u64);
        self.number(task.not_before.len() as u64);
        task.not_before.iter().for_each(|&event| self.number(event.into()));
        self.word(task.share.to_bits());
    }
}

impl Reader<'_> {
    fn choices(&mut self, choices: &mut Vec<Choice>) -> Option<()> {
        for _ in 0..self.number()? {
            let number = self.number()?;
            let thread = ThreadId(u32::try_from(number >> 1).ok()?);
            let alternative = if number & 1 == 1 { self.small()? } else { 0 };
            choices.push(Choice { thread, alternative });
        }
        Some(())
    }

    /// Those of an execution of so many steps.
    fn schedules(&mut self, schedules: &mut Vec<Schedule>, steps: usize) -> Option<()> {
        for _ in 0..self.number()? {
            let start: EventId = self.small()?;
            let head = start.checked_add(self.small()?)?;
            schedules.push(Schedule { start, head, over: self.mode()? });
        }
        let mut end = 0;
        for schedule in schedules {
            if schedule.start < end || schedule.head as usize >= steps {
                return None;
            }
            end = schedule.head + 1;
        }
        Some(())
    }

    /// `None` when it cannot be.
    fn mode(&mut self) -> Option<Option<Mode>> {
        Some(Some(match self.number()? {
            NO_MODE => return Some(None),
            SEND => Mode::Send(Tag::new(self.small()?, self.small()?)?),
            TAKE => Mode::Take(self.pattern()?),
            TIME_OUT => Mode::TimeOut(self.pattern()?),
            STEP => {
                let (mut reads, mut writes) = (self.cells()?, self.cells()?);
                Mode::Step(Touch::new(&mut reads, &mut writes))
            }
            plain => *PLAIN.get(usize::try_from(plain - 1).ok()?)?,
        }))
    }

    fn cells(&mut self) -> Option<Vec<Cell>> {
        let mut cells = Vec::new();
        let mut last: Cell = 0;
        for _ in 0..self.number()? {
            last = last.checked_add(self.small()?)?;
            cells.push(last);
        }
        Some(cells)
    }

    fn pattern(&mut self) -> Option<Pattern> {
        let mut kinds: Vec<u8> = Vec::new();
        for _ in 0..self.number()? {
            kinds.push(self.small().filter(|&kind| kind < model::KINDS)?);
        }
        let pattern = Pattern::of_kinds(kinds);
        Some(match self.number()? {
            0 => pattern,
            key => pattern.with_key(u32::try_from(key - 1).ok()?),
        })
    }

    fn task(&mut self, parents: &[Arc<Execution>]) -> Option<Task> {
        let parent = Arc::clone(parents.get(self.small::<usize>()?)?);
        let prefix: usize = self.small()?;
        let seen = self.word()?;
        let mut schedule = Vec::new();
        self.choices(&mut schedule)?;
        let over = self.mode()?;
        let own_from: usize = self.small()?;
        let mut not_before: Vec<EventId> = Vec::new();
        for _ in 0..self.number()? {
            not_before.push(self.small()?);
        }
        let share = f64::from_bits(self.word()?);
        let is_possible = prefix <= parent.choices.len() && own_from <= prefix + schedule.len();
        is_possible.then_some(Task { parent, prefix, seen, schedule, over, own_from, not_before, share })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bundle;
    use crate::checkpoint::arbitrary::{content, siblings};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tasks_are_read_as_they_were_written(families in prop::collection::vec(siblings(), 0..4), before: u64) {
            let tasks: Vec<Task> = families.concat();
            let bytes = Bundle::new(tasks.clone(), before).encode();
            let again = Bundle::decode(&bytes).unwrap();
            prop_assert_eq!(again.runs_before(), before);
            let again = again.into_tasks();
            prop_assert_eq!(again.iter().map(content).collect::<Vec<_>>(), tasks.iter().map(content).collect::<Vec<_>>());
            for len in 0..bytes.len() {
                let part = Bundle::<Task>::decode(&bytes[..len]);
                prop_assert!(part.is_err(), "the first {} bytes of {}", len, bytes.len());
            }
        }

        #[test]
        fn no_bytes_are_too_much(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let with_form: Vec<u8> = std::iter::once(Task::FORM).chain(bytes.iter().copied()).collect();
            // Whatever comes of it, it comes back.
            let _ = (Bundle::<Task>::decode(&bytes), Bundle::<Task>::decode(&with_form));
        }
    }

    #[test]
    fn executions_have_their_beginnings_in_common() {
        let choices: Vec<Choice> = (0..1000).map(|n| Choice { thread: ThreadId(n % 3), alternative: 0 }).collect();
        let task = |last: u32| {
            let mut choices = choices.clone();
            choices.push(Choice { thread: ThreadId(last), alternative: 0 });
            let prefix = choices.len();
            Task { parent: Arc::new(Execution { choices, ..Execution::default() }), prefix, ..Task::whole() }
        };
        let sizes = [1, 2, 3].map(|many| Bundle::new((0..many).map(task).collect(), 0).encode().len());
        assert!(sizes[0] > 1000 && sizes[2] < sizes[0] + 80, "{sizes:?}");
    }
}
