//! A worker: leases, slices, commits, until the run is over.

use crate::beat::{Beat, View};
use crate::commit::{Leased, Outcome};
use crate::finish::{Finish, Reason};
use crate::{Problem, Run, RunState, Store, Version, threads};
use explore::{Parcel, Shareable, SliceEnd, Sliced};
use model::Names;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};
use trace::{Progress, Tally};

/// Who explores what a worker has leased.
pub trait Slicer {
    /// The names of the program's threads, where they are of this process.
    fn names(&self) -> Option<&dyn Names>;

    /// What is searched.
    fn search(&self) -> &dyn Shareable;

    /// A version begins: this is what is known.
    fn begin(&mut self, version: &Version) -> Result<(), Problem>;

    /// Explores tasks as long as it is told to go on. If the process that did it was lost, says how.
    fn slice(
        &mut self,
        bundle: &[u8],
        careful: bool,
        go_on: &mut (dyn FnMut(&Progress) -> bool + Send),
    ) -> Result<Sliced, String>;

    /// Whether the front end has found out something with which the search must begin anew. Says why the program cannot be
    /// checked.
    fn learnt(&mut self) -> Result<bool, String>;

    /// What runs have shown the front end that each by itself need not know: what several workers were shown, together, may be
    /// reason to begin anew.
    fn shown(&mut self) -> Result<Option<String>, String> {
        Ok(None)
    }

    /// All that the front end knows, once it has taken over what others were shown.
    fn known(&mut self, shown: &[String]) -> Result<String, String>;

    /// The beginnings of executions that tasks are, as schedules.
    fn schedules(&self, bundle: &[u8]) -> Vec<String> {
        self.names().map(|names| self.search().schedules(bundle, names)).unwrap_or_default()
    }
}

/// A point of the protocol, at which a test may end the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// A task was leased.
    Leased,
    /// A slice is over, and not committed.
    Sliced,
    /// It is committed.
    Committed,
    /// The run is about to be looked at for its end.
    Finishing,
    /// It was.
    Finished,
    /// The run is about to begin anew.
    Learning,
    /// It has.
    Learnt,
}

/// How a worker works.
pub struct Options<'o> {
    /// The longest time between two commits.
    pub slice: Duration,
    /// The shortest, when others wait for tasks.
    pub least: Duration,
    /// Who is told of progress: what this worker has counted. False ends the work.
    pub progress: &'o mut (dyn FnMut(&Tally) -> bool + Send),
    /// Who is told of every point of the protocol.
    pub at: &'o dyn Fn(Moment),
}

/// What a worker's work came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worked {
    /// The state of the run; none if it was forgotten.
    pub state: Option<RunState>,
    /// What this worker counted that was committed.
    pub tally: Tally,
    /// How many slices were committed, and how many were dropped because somebody else had committed the task.
    pub committed: u64,
    /// See there.
    pub rejected: u64,
}

/// Works on a run until it is over, or this process is told to stop.
pub fn work(store: &mut Store, run: &Run, slicer: &mut dyn Slicer, options: Options<'_>) -> Result<Worked, Problem> {
    run.check_tool()?;
    let mut version = match store.version(run) {
        Err(Problem::NoRun(_)) => return Ok(Worked::new(None)),
        version => version?,
    };
    if let Some(names) = slicer.names() {
        threads::agree(store, run, names)?;
    }
    let beat = Beat::start(store, run, version.number, slicer.search().cores());
    let mut worker = Worker {
        store,
        run,
        slicer,
        options,
        beat,
        worked: Worked::new(None),
        sent: Sent::default(),
        is_enough: false,
    };
    let state = loop {
        if version.state != RunState::Open {
            break Some(version.state);
        }
        worker.slicer.begin(&version)?;
        worker.beat.note_version(version.number);
        worker.sent = Sent::default();
        if !worker.work_on(&version)? {
            break Some(RunState::Open);
        }
        version = match worker.store.version(run) {
            Err(Problem::NoRun(_)) => break None,
            version => version?,
        };
    };
    let worked = Worked { state, ..worker.worked };
    drop(worker);
    store.sign_off(run)?;
    Ok(worked)
}

impl Worked {
    fn new(state: Option<RunState>) -> Self {
        Worked { state, tally: Tally::default(), committed: 0, rejected: 0 }
    }
}

/// What a worker has committed of a version that need not be committed again.
#[derive(Default)]
struct Sent {
    findings: BTreeSet<String>,
    too_long: bool,
    learnt: Option<String>,
    shown: Option<String>,
}

struct Worker<'w, 'o> {
    store: &'w mut Store,
    run: &'w Run,
    slicer: &'w mut dyn Slicer,
    options: Options<'o>,
    beat: Beat,
    worked: Worked,
    sent: Sent,
    /// Whether the one who is told of progress has said that it is enough.
    is_enough: bool,
}

/// How long a worker without a task waits at first. It is doubled each time, up to the time between two looks.
const FIRST_WAIT: Duration = Duration::from_millis(10);
/// So many bundles are made at the most for those who wait.
const MOST_PARTS: i64 = 64;
/// With fewer bundles than this ready, several are handed back.
const FEW: i64 = 8;

impl Worker<'_, '_> {
    /// True when the run is to be looked at again, false when this process is to stop.
    fn work_on(&mut self, version: &Version) -> Result<bool, Problem> {
        let mut next = None;
        let mut wait = FIRST_WAIT;
        loop {
            if self.is_stopped() {
                if let Some(leased) = next {
                    self.store.give_back(&leased, false)?;
                }
                return Ok(false);
            }
            let leased = match next.take() {
                Some(leased) => Some(leased),
                None => self.store.lease(self.run, version.number)?,
            };
            let Some(leased) = leased else {
                self.beat.end();
                self.store.reap()?;
                if self.is_over(version)? || self.has_changed(version) {
                    return Ok(true);
                }
                if !(self.options.progress)(&self.worked.tally) {
                    return Ok(false);
                }
                thread::sleep(wait);
                wait = (wait * 2).min(self.beat.view().pause());
                continue;
            };
            wait = FIRST_WAIT;
            (self.options.at)(Moment::Leased);
            match self.explore(version, leased)? {
                Next::Task(leased) => next = Some(leased),
                Next::Lease => {}
                Next::Look => return Ok(true),
            }
            if self.has_changed(version) {
                if let Some(leased) = next {
                    self.store.give_back(&leased, false)?;
                }
                return Ok(true);
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.is_enough || self.store.stop.load(Ordering::Relaxed)
    }

    fn has_changed(&self, version: &Version) -> bool {
        self.beat.view().run != Some((RunState::Open, version.number))
    }

    /// Whether nothing is left to do of the version; then the run has its verdict, or a new version.
    fn is_over(&mut self, version: &Version) -> Result<bool, Problem> {
        // To look is cheap; to finish takes turns with others, and waits for the server's disk.
        if !self.store.is_drained(self.run, version.number)? {
            return Ok(false);
        }
        (self.options.at)(Moment::Finishing);
        let shown = self.store.shown(self.run, version.number)?;
        if !shown.is_empty() {
            self.slicer.known(&shown).map_err(Problem::FrontEnd)?;
            if self.slicer.learnt().map_err(Problem::FrontEnd)? {
                self.begin_anew(version, &version.lessons)?;
                return Ok(true);
            }
        }
        let finish = self.finish(version, Reason::Idle)?;
        (self.options.at)(Moment::Finished);
        Ok(finish == Finish::Changed)
    }

    fn finish(&mut self, version: &Version, reason: Reason) -> Result<Finish, Problem> {
        let slicer = &*self.slicer;
        self.store.finish(self.run, version, reason, slicer.search(), &|bundle| slicer.schedules(bundle))
    }

    /// Explores what was leased, and commits what came of it.
    fn explore(&mut self, version: &Version, leased: Leased) -> Result<Next, Problem> {
        // What has been lost with a worker before may have ended it: then one execution at a time.
        let careful = leased.attempts > 1;
        if careful && leased.parcel.tasks > 1 {
            return self.take_apart(leased);
        }
        self.beat.begin(&leased);
        let sliced = self.slice(version, &leased.parcel.bytes, careful);
        self.beat.end();
        let sliced = match sliced {
            Ok(sliced) => sliced,
            Err(_) => {
                self.store.give_back(&leased, true)?;
                return Ok(Next::Look);
            }
        };
        (self.options.at)(Moment::Sliced);
        if let Some(next) = self.take_lessons(version, &leased, &sliced)? {
            return Ok(next);
        }
        let found = sliced.end == SliceEnd::Found;
        let mut outcome = self.outcome(sliced, leased.parcel.share)?;
        let shown = self.slicer.shown().map_err(Problem::FrontEnd)?;
        outcome.shown = shown.filter(|shown| Some(shown) != self.sent.shown.as_ref());
        let next = self.commit(&leased, outcome)?;
        (self.options.at)(Moment::Committed);
        if found {
            self.finish(version, Reason::Found)?;
            return Ok(Next::Look);
        }
        Ok(next)
    }

    fn slice(&mut self, version: &Version, bundle: &[u8], careful: bool) -> Result<Sliced, String> {
        let started = Instant::now();
        let Options { slice, least, progress, .. } = &mut self.options;
        let (slice, least) = (*slice, *least);
        let (beat, stop, before, is_enough) = (&self.beat, &self.store.stop, &self.worked.tally, &mut self.is_enough);
        let mut go_on = |so_far: &Progress| {
            let View { run, ready, idle, is_gone, .. } = beat.view();
            let elapsed = started.elapsed();
            let is_hungry = idle > ready && elapsed >= least;
            let mut tally = *before;
            tally.add(&so_far.tally);
            *is_enough |= !progress(&tally);
            !*is_enough
                && !stop.load(Ordering::Relaxed)
                && !is_gone
                && !is_hungry
                && elapsed < slice
                && run == Some((RunState::Open, version.number))
        };
        self.slicer.slice(bundle, careful, &mut go_on)
    }

    /// A bundle that was lost with a worker goes on as many, so that what harms is found. Nothing of it is done.
    fn take_apart(&mut self, leased: Leased) -> Result<Next, Problem> {
        let children = self.split(&leased.parcel.bytes, MOST_PARTS as usize)?;
        self.commit(&leased, Outcome { children, ..Outcome::default() })
    }

    /// What a slice has shown that makes the run begin anew, or fail.
    fn take_lessons(&mut self, version: &Version, leased: &Leased, sliced: &Sliced) -> Result<Option<Next>, Problem> {
        let has_learnt = match self.slicer.learnt() {
            Ok(has_learnt) => has_learnt,
            Err(problem) => {
                self.store.fail(self.run, version.number, &problem)?;
                return Ok(Some(Next::Look));
            }
        };
        let lessons = match &sliced.end {
            SliceEnd::Unsteady => self.slicer.search().weaker(&version.lessons),
            SliceEnd::Learnt => {
                let mut learnt = self.store.learnt(self.run, version.number)?;
                learnt.extend(sliced.learnt.clone());
                self.slicer.search().after(&version.lessons, &learnt)
            }
            // A program that is run in another way than was believed may well behave differently.
            _ if has_learnt => Some(version.lessons.clone()),
            SliceEnd::Failed(explore::Error::WorkerLost(_)) => {
                self.store.give_back(leased, true)?;
                return Ok(Some(Next::Lease));
            }
            SliceEnd::Failed(error) => {
                self.store.fail(self.run, version.number, &error.to_string())?;
                return Ok(Some(Next::Look));
            }
            SliceEnd::Over | SliceEnd::Found => return Ok(None),
        };
        let unreadable = || Problem::Damaged("what was learnt of loops cannot be read".to_owned());
        self.begin_anew(version, &lessons.ok_or_else(unreadable)?)?;
        Ok(Some(Next::Look))
    }

    /// With all that is known by now.
    fn begin_anew(&mut self, version: &Version, lessons: &str) -> Result<(), Problem> {
        (self.options.at)(Moment::Learning);
        let shown = self.store.shown(self.run, version.number)?;
        let known = self.slicer.known(&shown).map_err(Problem::FrontEnd)?;
        let whole = self.slicer.search().whole();
        self.store.begin_anew(self.run, version.number, whole, lessons, &known)?;
        (self.options.at)(Moment::Learnt);
        Ok(())
    }

    fn split(&self, bundle: &[u8], most: usize) -> Result<Vec<Parcel>, Problem> {
        self.slicer.search().split(bundle, most).map_err(|problem| Problem::Damaged(problem.to_string()))
    }

    fn outcome(&mut self, sliced: Sliced, share: f64) -> Result<Outcome, Problem> {
        let children = self.split(&sliced.left, parts(&self.beat.view()))?;
        let is_new = |schedule: &String| !self.sent.findings.contains(schedule);
        let findings = sliced.findings.into_iter().filter(is_new);
        let mut findings: Vec<_> = findings.map(|schedule| ("finding", schedule)).collect();
        if let Some(schedule) = sliced.too_long.filter(|_| !self.sent.too_long) {
            findings.push(("too long", schedule));
        }
        let learnt = sliced.learnt.map(|learnt| match &self.sent.learnt {
            Some(sent) => self.slicer.search().together(sent, &learnt),
            None => self.slicer.search().together(&learnt, &learnt),
        });
        Ok(Outcome {
            tally: sliced.tally,
            share: share - children.iter().map(|child| child.share).sum::<f64>(),
            findings,
            learnt: learnt.filter(|learnt| Some(learnt) != self.sent.learnt.as_ref()),
            shown: None,
            children,
        })
    }

    fn commit(&mut self, leased: &Leased, outcome: Outcome) -> Result<Next, Problem> {
        let (tally, findings) = (outcome.tally, outcome.findings.clone());
        let (learnt, shown) = (outcome.learnt.clone(), outcome.shown.clone());
        let keep = !self.is_stopped();
        let committed = self.store.commit(leased, outcome, keep)?;
        if committed.is_first {
            self.worked.tally.add(&tally);
            self.worked.committed += 1;
            for (sort, schedule) in findings {
                self.sent.too_long |= sort != "finding";
                self.sent.findings.insert(schedule);
            }
            self.sent.learnt = learnt.or(self.sent.learnt.take());
            self.sent.shown = shown.or(self.sent.shown.take());
        } else {
            self.worked.rejected += 1;
        }
        Ok(committed.next.map_or(Next::Lease, Next::Task))
    }
}

/// To how many bundles a worker deals what it has left: one for itself, and where few are ready, its part of what others wait for.
fn parts(view: &View) -> usize {
    let &View { ready, idle, busy, .. } = view;
    let wanted = if ready >= FEW { 0 } else { ((idle - ready).max(0) + busy.max(1) - 1) / busy.max(1) };
    // One in reserve for who comes next.
    let reserve = i64::from(ready == 0 && idle == 0);
    (1 + wanted + reserve).clamp(1, MOST_PARTS) as usize
}

/// What a worker does next.
enum Next {
    /// This.
    Task(Leased),
    /// It looks for a task.
    Lease,
    /// It looks at the run.
    Look,
}
