//! A counterexample of a model as an execution, for the pages that show those: a process is a thread, a statement a step, and a
//! variable an object.

use model::{
    Choice, Failure, FailureKind, Guard, Location, Names, ObjectId, Op, OpKind, Outcome, Pending, Site, Stepped,
    ThreadId, ThreadPath,
};
use promela::{Change, Finding, Left, Model, Row, Wrong, trail};
use report::finding::Named;
use report::page::Exhibit;
use report::summary::FindingSummary;
use std::collections::HashMap;
use trace::{Ending, Execution, Trace};

/// What is said of steps that lead to no error.
pub(super) const NOTHING: &str = "nothing is wrong at the end of the schedule";

/// A counterexample and the names of what is in it.
pub(super) struct Shown {
    trace: Trace,
    failure: (ThreadId, Failure),
    ending: Ending,
    schedule: String,
    /// Where processes are at the end.
    left: Vec<Pending>,
    /// The step from which on everything repeats, counted from 1.
    repeats_from: Option<usize>,
    cast: Cast,
}

/// What is in a counterexample.
struct Cast {
    processes: Vec<String>,
    /// What each step does, and where.
    places: Vec<Place>,
    variables: Vec<String>,
    /// The texts of files, by their names.
    files: HashMap<String, String>,
    values: HashMap<(ObjectId, u64), String>,
}

struct Place {
    /// The statement; none for what a statement changed besides.
    statement: Option<String>,
    source: String,
    location: Option<Location>,
}

impl Shown {
    pub(super) fn new(model: &Model, finding: &Finding) -> Self {
        let trail = trail(model, finding);
        let files = model.files().all().map(|file| (file.name.to_string(), file.text.to_string())).collect();
        let cast = Cast {
            processes: trail.processes,
            places: Vec::new(),
            variables: Vec::new(),
            files,
            values: HashMap::new(),
        };
        let failure =
            Failure { kind: FailureKind::Property, message: finding.wrong.text().to_owned(), site: Site::UNKNOWN };
        let ending = if finding.wrong == Wrong::EndState { Ending::Deadlocked } else { Ending::Failed };
        let failure = (ThreadId(0), failure);
        let (trace, left) = (Trace::new(), Vec::new());
        let mut shown = Shown { trace, failure, ending, schedule: finding.schedule(), left, repeats_from: None, cast };
        for (number, row) in trail.rows.iter().enumerate() {
            if trail.cycle == Some(number) {
                shown.repeats_from = Some(shown.trace.len() + 1);
            }
            shown.add(row);
        }
        for left in &trail.left {
            shown.leave(left);
        }
        shown
    }

    /// The same steps, at whose end nothing is wrong.
    pub(super) fn but_right(self) -> Self {
        Shown { ending: Ending::Completed, ..self }
    }

    /// A statement is a step for each variable that it changes, and one if it changes none.
    fn add(&mut self, row: &Row) {
        let thread = ThreadId(row.process.unwrap_or(0) as u32);
        let location = location(&row.line);
        let mut statement = Some(match &row.printed {
            Some(printed) => format!("{} prints {printed:?}", row.text),
            None => row.text.clone(),
        });
        let changes: Vec<Option<&Change>> =
            if row.changes.is_empty() { vec![None] } else { row.changes.iter().map(Some).collect() };
        for change in changes {
            let site = Site(self.cast.places.len() as u32);
            let statement = match (statement.take(), change) {
                (Some(text), Some(change)) => Some(format!("{text}  ({change})")),
                (text, _) => text,
            };
            self.cast.places.push(Place { statement, source: row.text.clone(), location: location.clone() });
            let (op, before, after) = match change {
                Some(change) => self.cast.write(thread, change, site),
                None => (Op { kind: OpKind::Yield, object: ObjectId::NONE, site }, 0, 0),
            };
            let choice = Choice { thread, alternative: 0 };
            self.trace.push(choice, &Stepped { op, outcome: Outcome::Done, before, after, failure: None });
            self.failure.0 = thread;
            self.failure.1.site = site;
        }
    }

    fn leave(&mut self, left: &Left) {
        let site = Site(self.cast.places.len() as u32);
        let (statement, source) = (Some(left.text.clone()), left.text.clone());
        self.cast.places.push(Place { statement, source, location: location(&left.line) });
        let op = Op { kind: OpKind::Yield, object: ObjectId::NONE, site };
        self.left.push(Pending {
            thread: ThreadId(left.process as u32),
            op,
            enabled: false,
            alternatives: 1,
            guard: Guard::NONE,
            transition: 0,
            is_of_several: false,
        });
    }

    fn story(&self) -> Named<'_> {
        let execution = Execution {
            ending: self.ending,
            trace: &self.trace,
            failures: if self.ending == Ending::Failed { std::slice::from_ref(&self.failure) } else { &[] },
            waiting: &self.left,
        };
        Named { execution, pivot: None, names: &self.cast }
    }

    /// What is wrong, in a line.
    fn headline(&self) -> String {
        if self.ending == Ending::Completed {
            return NOTHING.to_owned();
        }
        let repeats =
            self.repeats_from.map_or_else(String::new, |step| format!("; everything repeats from step {step} on"));
        format!("{}{repeats}", self.failure.1.message)
    }

    /// What a page is told; `again` is the command that takes these steps again.
    pub(super) fn exhibit(&self, again: String) -> Exhibit<'_> {
        Exhibit {
            headline: Some(self.headline()),
            story: self.story(),
            stacks: Vec::new(),
            schedule: self.schedule.clone(),
            commands: vec![("Take these steps again:".to_owned(), again)],
        }
    }

    /// What machines are told.
    pub(super) fn summary(&self) -> FindingSummary {
        let mut story = self.story();
        if self.ending != Ending::Deadlocked {
            story.execution.waiting = &[];
        }
        FindingSummary { headline: self.headline(), ..FindingSummary::new(&story, self.schedule.clone()) }
    }
}

/// `file:line`
fn location(line: &str) -> Option<Location> {
    let (file, line) = line.rsplit_once(':')?;
    Some(Location { file: file.to_owned(), line: line.parse().ok()? })
}

impl Cast {
    fn write(&mut self, thread: ThreadId, change: &Change, site: Site) -> (Op, u64, u64) {
        let name = if change.is_own {
            format!("{}.{}", self.processes[thread.index()], change.variable)
        } else {
            change.variable.clone()
        };
        let place = self.variables.iter().position(|variable| *variable == name).unwrap_or_else(|| {
            self.variables.push(name);
            self.variables.len() - 1
        });
        let object = ObjectId(place as u32);
        let [before, after] = [change.before, change.after].map(|value| i64::from(value) as u64);
        self.values.insert((object, after), change.value.clone());
        (Op { kind: OpKind::Write(after), object, site }, before, after)
    }

    fn place_of(&self, site: Site) -> Option<&Place> {
        self.places.get(site.0 as usize)
    }
}

impl Names for Cast {
    fn thread(&self, thread: ThreadId) -> String {
        self.processes.get(thread.index()).cloned().unwrap_or_default()
    }

    fn path(&self, thread: ThreadId) -> ThreadPath {
        ThreadPath::initial(thread.0)
    }

    fn at_path(&self, _: &ThreadPath) -> Option<ThreadId> {
        None
    }

    fn object(&self, object: ObjectId) -> String {
        self.variables[object.0 as usize].clone()
    }

    fn site(&self, site: Site) -> Option<String> {
        let location = self.place_of(site)?.location.as_ref()?;
        Some(format!("{}:{}", location.file, location.line))
    }

    fn statement(&self, site: Site) -> Option<String> {
        self.place_of(site)?.statement.clone()
    }

    fn source(&self, site: Site) -> Option<String> {
        Some(self.place_of(site)?.source.clone())
    }

    fn location(&self, site: Site) -> Option<Location> {
        self.place_of(site)?.location.clone()
    }

    fn text(&self, file: &str) -> Option<String> {
        self.files.get(file).cloned()
    }

    fn value(&self, object: ObjectId, value: u64) -> String {
        self.values.get(&(object, value)).cloned().unwrap_or_else(|| (value as i64).to_string())
    }
}
