//! The states of a program, each met once: for programs that need not end, where the front end can compare states.
//!
//! Depth first, with a stack of frames. The run is taken back where the search goes back. What is remembered of a state is
//! [`Run::whole_state`], 128 bits. A step that fails is not followed.
//!
//! A data race is two accesses that nothing orders. Where there are two such accesses in some execution, there is one in which they
//! follow each other: so there is a state in which both are enabled, and pairs of enabled accesses are all that is looked at.

use crate::algorithms::replay::search_by;
use crate::explorer::transitions;
use crate::search::data_race::{is_access, is_plain};
use crate::search::findings::{Findings, schedule_of_choices};
use crate::{Error, LoopRules, Settings};
use model::{Choice, Failure, FailureKind, Pending, Program, Run, Site, State, ThreadId};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};
use trace::Finding;

/// When a search of states ends before all of them were met.
#[derive(Clone, Copy, Debug, Default)]
pub struct StateLimits {
    /// After so many states.
    pub states: Option<u64>,
    /// After so much time.
    pub time: Option<Duration>,
    /// When the states that were met take so many bytes.
    pub memory: Option<u64>,
    /// Goes on after a finding, and counts them all.
    pub keep_going: bool,
    /// States in which nothing can go on are no findings.
    pub ignore_end_states: bool,
}

/// The limit that ended a search of states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StateLimit {
    /// The number of states.
    States,
    /// The time.
    Time,
    /// The memory.
    Memory,
}

/// How far a search of states is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StateCounts {
    /// States that were met.
    pub states: u64,
    /// Steps that were taken from them.
    pub transitions: u64,
    /// Steps of the longest way that was followed.
    pub depth: u64,
    /// Steps that fail, states in which nothing can go on, and data races by the places of the two accesses.
    pub errors: u64,
    /// Of these, states in which nothing can go on. On the way to one that is shown, there may be a data race.
    pub deadlocks: u64,
    /// Bytes of the states that were met, and of the way.
    pub memory: u64,
}

/// What came of a search of states.
#[derive(Debug)]
pub struct StateReport {
    /// What was counted.
    pub counts: StateCounts,
    /// One execution for each sort of finding.
    pub findings: Vec<Finding>,
    /// The limit that ended it, if one did.
    pub limit: Option<StateLimit>,
    /// Whether it was in vain, so that nothing of it counts: see [`search_states_while`].
    pub in_vain: bool,
    /// How long it took.
    pub elapsed: Duration,
}

/// So many findings are shown; the others are counted.
const SHOWN: usize = 16;

/// After so many steps, the clock and the memory are looked at.
const BETWEEN_LOOKS: u64 = 1 << 12;

/// Searches the states of a program for failures, deadlocks and data races, and says now and then how far it is. None if the states of
/// the program cannot be compared.
///
/// ```
/// use litmus::LitmusProgram;
/// use mazurka_explore::{StateLimits, search_states};
///
/// let program = LitmusProgram::new("mutex m, n; loop { lock m; lock n; unlock n; unlock m } | lock n; lock m".parse()?)?;
/// let limits = StateLimits::default();
/// let report = search_states(&program, &limits, &mut |_| {})?.expect("litmus programs have states");
/// assert!(report.limit.is_none() && report.counts.errors == 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search_states(
    program: &dyn Program,
    limits: &StateLimits,
    watch: &mut dyn FnMut(&StateCounts),
) -> Result<Option<StateReport>, Error> {
    search_states_while(program, limits, &|| true, watch)
}

/// The same for programs whose steps are found out by running them: it is over as soon as a step has shown that the search is in vain.
pub fn search_states_while(
    program: &dyn Program,
    limits: &StateLimits,
    makes_sense: &dyn Fn() -> bool,
    watch: &mut dyn FnMut(&StateCounts),
) -> Result<Option<StateReport>, Error> {
    let run = program.start();
    let Some(first) = run.whole_state() else { return Ok(None) };
    let started = Instant::now();
    let mut search = Search {
        program,
        limits,
        makes_sense,
        watch,
        started,
        run,
        met: FxHashSet::default(),
        frames: Vec::new(),
        choices: Vec::new(),
        at: Some(0),
        ticks: 0,
        counts: StateCounts::default(),
        sorts: FxHashSet::default(),
        pairs: FxHashSet::default(),
        findings: Findings::default(),
    };
    let limit = match search.meet(first).and_then(|()| search.explore()) {
        Ok(()) | Err(Over::Found | Over::InVain) => None,
        Err(Over::Limit(limit)) => Some(limit),
        // A run that is another one than before may be so because of what was found out.
        Err(Over::Error(error)) if makes_sense() => return Err(error),
        Err(Over::Error(_)) => None,
    };
    search.weigh();
    let Search { counts, findings, .. } = search;
    let (findings, in_vain) = (findings.into_sorted(), !makes_sense());
    Ok(Some(StateReport { counts, findings, limit, in_vain, elapsed: started.elapsed() }))
}

/// Why a search ends.
enum Over {
    Found,
    InVain,
    Limit(StateLimit),
    Error(Error),
}

impl From<Error> for Over {
    fn from(error: Error) -> Self {
        Over::Error(error)
    }
}

/// A state on the way: where its choices begin, and which is next.
struct Frame {
    first: usize,
    next: usize,
}

/// What makes findings be of one sort.
#[derive(PartialEq, Eq, Hash)]
enum Sort {
    Failure(FailureKind, Site, String),
    Deadlock(Vec<(ThreadId, Site)>),
    DataRace(Site, Site),
}

struct Search<'a> {
    program: &'a dyn Program,
    limits: &'a StateLimits,
    makes_sense: &'a dyn Fn() -> bool,
    watch: &'a mut dyn FnMut(&StateCounts),
    started: Instant,
    run: Box<dyn Run + 'a>,
    met: FxHashSet<u128>,
    frames: Vec<Frame>,
    /// Those of all frames.
    choices: Vec<Choice>,
    /// After how many steps of the way the run is; none where another run was begun since, which may have had its place.
    at: Option<usize>,
    ticks: u64,
    counts: StateCounts,
    sorts: FxHashSet<Sort>,
    /// Pairs of accesses that were tried, with the word of their object.
    pairs: FxHashSet<(model::Op, model::Op, State)>,
    findings: Findings,
}

impl Search<'_> {
    fn explore(&mut self) -> Result<(), Over> {
        while let Some(frame) = self.frames.last_mut() {
            let Some(&choice) = self.choices.get(frame.next) else {
                self.choices.truncate(frame.first);
                self.frames.pop();
                continue;
            };
            frame.next += 1;
            self.go_back(self.frames.len() - 1)?;
            let Some(stepped) = self.run.step(choice) else { return Err(self.differs()) };
            self.at = Some(self.frames.len());
            self.counts.transitions += 1;
            if !(self.makes_sense)() {
                return Err(Over::InVain);
            }
            if self.run.is_interrupted() {
                return Err(Over::Limit(StateLimit::Time));
            }
            if let Some(failure) = stepped.failure.filter(|_| !self.run.is_forgiven(choice.thread)) {
                // What comes after it may well come of it.
                self.found(Sort::Failure(failure.kind, failure.site, failure.message), false)?;
                continue;
            }
            let Some(state) = self.run.whole_state() else { return Err(self.differs()) };
            self.meet(state)?;
            self.look_at_limits()?;
        }
        Ok(())
    }

    /// The steps of the way.
    fn way(&self) -> impl Iterator<Item = Choice> + '_ {
        self.frames.iter().filter(|frame| frame.next > frame.first).map(|frame| self.choices[frame.next - 1])
    }

    /// Takes the run back to the state after so many steps.
    fn go_back(&mut self, steps: usize) -> Result<(), Over> {
        if self.at == Some(steps) {
            return Ok(());
        }
        let kept = self.run.rewind(steps);
        for frame in &self.frames[kept..steps] {
            if self.run.step(self.choices[frame.next - 1]).is_none() {
                return Err(self.differs());
            }
        }
        self.at = Some(steps);
        Ok(())
    }

    /// The run is in a state: if it is new, its steps are to be taken.
    fn meet(&mut self, state: u128) -> Result<(), Over> {
        if !self.met.insert(state) {
            return Ok(());
        }
        self.counts.states += 1;
        let first = self.choices.len();
        let threads = self.run.threads() as u32;
        let mut waiting: Vec<Pending> = Vec::new();
        let mut accesses: Vec<(Pending, State)> = Vec::new();
        for pending in (0..threads).flat_map(|thread| transitions(&*self.run, ThreadId(thread))) {
            if !pending.enabled {
                waiting.push(pending);
                continue;
            }
            self.choices.extend((0..pending.alternatives).map(|alternative| pending.choice_of(alternative)));
            if is_access(pending.op.kind) {
                accesses.push((pending, self.run.word(pending.op.object)));
            }
        }
        self.look_for_races(&accesses)?;
        if self.choices.len() > first {
            self.frames.push(Frame { first, next: first });
            self.counts.depth = self.counts.depth.max(self.frames.len() as u64);
            return Ok(());
        }
        if self.run.is_cut() {
            return Ok(());
        }
        if !waiting.is_empty() && !self.run.has_exited() {
            if self.limits.ignore_end_states {
                return Ok(());
            }
            self.counts.deadlocks += 1;
            let places = waiting.iter().map(|pending| (pending.thread, pending.op.site)).collect();
            return self.found(Sort::Deadlock(places), true);
        }
        match self.run.left_behind() {
            Some(failure) => self.found(Sort::Failure(failure.kind, failure.site, failure.message), true),
            None => Ok(()),
        }
    }

    /// Whether two accesses that could be next to each other race, each pair with the same word once.
    fn look_for_races(&mut self, accesses: &[(Pending, State)]) -> Result<(), Over> {
        for (place, (one, word)) in accesses.iter().enumerate() {
            for (other, _) in &accesses[place + 1..] {
                let are_suspect = one.thread != other.thread
                    && one.op.object == other.op.object
                    && (is_plain(one.op.kind) || is_plain(other.op.kind));
                if !are_suspect || !self.pairs.insert((one.op, other.op, *word)) {
                    continue;
                }
                let _ = self.race_by([one, other])? || self.race_by([other, one])?;
            }
        }
        Ok(())
    }

    /// Whether these two steps are a data race.
    fn race_by(&mut self, order: [&Pending; 2]) -> Result<bool, Over> {
        let Some(finding) = self.executed(&order.map(|pending| pending.choice()), false)? else { return Ok(false) };
        let [first, second] = order.map(|pending| pending.op.site);
        // It may also be one on the way, behind which others are not told.
        let is_this = |(thread, failure): &(ThreadId, Failure)| {
            failure.kind == FailureKind::DataRace && (*thread, failure.site) == (order[1].thread, second)
        };
        if !finding.failures.iter().any(is_this) {
            return Ok(false);
        }
        // The same two places may be met with other words.
        if self.sorts.insert(Sort::DataRace(first.min(second), first.max(second))) {
            self.count(Some(finding))?;
        }
        Ok(true)
    }

    /// Something is wrong after the steps of the way, which nothing follows if it is at an end.
    fn found(&mut self, sort: Sort, is_end: bool) -> Result<(), Over> {
        let is_new = self.sorts.len() < SHOWN && self.sorts.insert(sort);
        let finding = if is_new { self.executed(&[], is_end)? } else { None };
        self.count(finding)
    }

    fn count(&mut self, finding: Option<Finding>) -> Result<(), Over> {
        self.counts.errors += 1;
        if let Some(finding) = finding {
            self.findings.keep_finding(finding);
        }
        if self.limits.keep_going { Ok(()) } else { Err(Over::Found) }
    }

    /// What is found by the steps of the way, and then these.
    fn executed(&mut self, more: &[Choice], is_end: bool) -> Result<Option<Finding>, Over> {
        let choices: Vec<Choice> = self.way().chain(more.iter().copied()).collect();
        let mut settings = Settings { loops: LoopRules::NONE, ..Settings::default() };
        // Nothing goes on where it is at an end, but that is only seen below the limit.
        settings.limits.steps = choices.len() + usize::from(is_end);
        self.at = None;
        let schedule = schedule_of_choices(choices.into_iter(), self.program.names());
        match search_by(self.program, &schedule, &settings) {
            // A step that takes long was given up.
            Err(_) if self.is_late() => Err(Over::Limit(StateLimit::Time)),
            report => Ok(report?.findings.into_iter().next()),
        }
    }

    fn is_late(&self) -> bool {
        self.limits.time.is_some_and(|most| self.started.elapsed() > most)
    }

    #[cold]
    fn differs(&self) -> Over {
        Over::Error(Error::DivergedInPrefix { steps: self.frames.len() })
    }

    fn weigh(&mut self) {
        // A slot is a state and a byte.
        let met = self.met.capacity() * (size_of::<u128>() + 1);
        let way = self.choices.capacity() * size_of::<Choice>() + self.frames.capacity() * size_of::<Frame>();
        self.counts.memory = (met + way) as u64;
    }

    fn look_at_limits(&mut self) -> Result<(), Over> {
        self.ticks += 1;
        if self.limits.states.is_some_and(|most| self.counts.states > most) {
            return Err(Over::Limit(StateLimit::States));
        }
        if self.ticks % BETWEEN_LOOKS != 1 {
            return Ok(());
        }
        self.weigh();
        (self.watch)(&self.counts);
        if self.is_late() {
            return Err(Over::Limit(StateLimit::Time));
        }
        match self.limits.memory {
            Some(most) if self.counts.memory > most => Err(Over::Limit(StateLimit::Memory)),
            _ => Ok(()),
        }
    }
}
