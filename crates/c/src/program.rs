//! A C or C++ program that can be explored.

use crate::apart::CThreads;
use crate::context::{self, Context, Refusal};
use crate::discoveries;
use crate::driver::outside::{self, Unknown};
use crate::image::Image;
use crate::known;
use crate::names::{CNames, Lines};
use crate::one_thread::OneThread;
use crate::run::CRun;
use crate::signals;
use model::{Fingerprint, Names, Program, Run, Site, ThreadId, Threads};
use object::{Object, ObjectSection};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How a program is run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The program's name and arguments.
    pub arguments: Vec<String>,
    /// Bytes of each thread's stack.
    pub stack_size: usize,
    /// Whether accesses that are not atomic and that nothing orders are failures.
    pub races: bool,
    /// Whether memory that is lost when the program ends is a failure.
    pub leaks: bool,
    /// Whether states of a run are kept, to go back to.
    pub snapshots: bool,
    /// Whether the program's output is shown.
    pub output: bool,
    /// Whether what each step changes in memory is compared with what was announced.
    pub paranoid: bool,
    /// A thread that computes for so long without an operation hangs.
    pub hang_after: Duration,
    /// Functions, shared libraries and objects of which nothing is known, and that are taken to access no memory of the program.
    pub assume_harmless: Vec<String>,
    /// Whether volatile accesses are atomic.
    pub volatile_is_atomic: bool,
    /// A loop that would make more rounds than this ends the execution.
    pub unroll: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            arguments: Vec::new(),
            stack_size: 8 << 20,
            races: true,
            snapshots: true,
            output: false,
            paranoid: false,
            hang_after: Duration::from_secs(5),
            leaks: true,
            assume_harmless: Vec::new(),
            volatile_is_atomic: false,
            unroll: None,
        }
    }
}

/// A program that cannot be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadError {
    path: PathBuf,
    problem: String,
    /// Whether it is that the program uses something of which nothing is known.
    is_unknown: bool,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_unknown {
            return write!(f, "the program cannot be checked: {}", self.problem);
        }
        write!(
            f,
            "cannot load '{}': {}; give C or C++ sources, or a program that `mazurka cc` or `mazurka c++` linked",
            self.path.display(),
            self.problem
        )
    }
}

impl std::error::Error for LoadError {}

/// A program that was built by the [driver](crate::driver) and loaded into this process: there can be one in a process.
pub struct CProgram {
    context: OneThread<&'static Context>,
    names: CNames,
    /// What is assumed, if anything is.
    assumptions: Vec<String>,
}

impl CProgram {
    /// Loads the program at `path`.
    pub fn load(path: &Path, options: Options) -> Result<Self, LoadError> {
        let error = |problem: String| LoadError { path: path.to_owned(), problem, is_unknown: false };
        if context::get().is_some() {
            return Err(error("this process has loaded a program already".to_owned()));
        }
        let unknown = outside::read(path).ok_or_else(|| error("it was linked by something else".to_owned()))?;
        let (assumed, refused): (Vec<_>, Vec<_>) =
            unknown.into_iter().partition(|unknown| options.assume_harmless.contains(&unknown.name));
        if !refused.is_empty() {
            return Err(LoadError { path: path.to_owned(), problem: in_words(&refused), is_unknown: true });
        }
        let assumptions = assumed.into_iter().map(|unknown| unknown.what).collect();
        let context = context::create(options).map_err(|e| error(format!("no memory for its threads: {e}")))?;
        let mut image = Image::load(path).map_err(error)?;
        let arguments = image.add_arguments(&context.options.arguments).map_err(error)?;
        context.arguments.set(arguments);
        context.shadow.set_globals(&image.globals).map_err(|e| error(format!("no memory for its variables: {e}")))?;
        if image.runs_on_stacks {
            let problem = "the address of a nested function is taken, which needs code on the stack".to_owned();
            return Err(LoadError { path: path.to_owned(), problem, is_unknown: true });
        }
        signals::install(context).map_err(|e| error(format!("no handlers for its signals: {e}")))?;
        let _ = context.lines.set(Lines::read(path));
        let names = CNames::new(path, context, image.base);
        let _ = context.image.set(image);
        Ok(CProgram { context: OneThread::new(context), names, assumptions })
    }

    /// Why a search that found nothing is not a proof, if it is none.
    pub fn not_a_proof_because(&self) -> Option<String> {
        if let Some(rounds) = self.context.options.unroll {
            return Some(format!("not a proof: loops make at most {rounds} rounds"));
        }
        let assumed = self.assumptions.iter().map(|what| what.trim_end_matches(',')).collect::<Vec<_>>().join(", ");
        (!assumed.is_empty())
            .then(|| format!("not a proof: it is assumed that {assumed} accesses no memory of the program"))
    }

    /// The states of its runs can be compared: said before the first run. Memory that was freed and that nothing leads to any more is
    /// used again.
    pub fn compare_states(&self) {
        self.context.compare_states();
    }

    /// Whether a run showed that more memory is shared than was believed: then the search is to be done anew, and
    /// [`CProgram::begin_search`] called before.
    pub fn is_refined(&self) -> bool {
        self.context.shadow.is_refined()
    }

    /// Whether a search that began with what was believed then comes to nothing: it is to be done anew, or cannot be done.
    pub fn is_search_in_vain(&self) -> bool {
        self.is_refined() || self.context.refusal.borrow().is_some()
    }

    /// Searches over execution graphs follow, under a model in which accesses that race are errors, or are not.
    pub fn set_races_defined(&self, are_defined: bool) {
        self.context.apart.races_are_defined.set(are_defined);
    }

    /// Whether some run met an atomic operation on shared memory that is weaker than seq_cst.
    pub fn has_weak_orders(&self) -> bool {
        self.context.apart.has_weak_orders.get()
    }

    /// Whether data races are failures.
    pub fn reports_races(&self) -> bool {
        self.context.options.races && !self.context.options.volatile_is_atomic
    }

    /// A run that is in the middle of a step when so much time has passed is given up.
    pub fn limit_time(&self, time: Option<Duration>) {
        self.context.deadline.set(time.and_then(|time| Instant::now().checked_add(time)));
        self.context.is_out_of_time.set(false);
        self.context.interrupted.set(false);
        signals::start_timer(*self.context);
    }

    /// Whether a timer saw that the time is over.
    pub fn is_out_of_time(&self) -> bool {
        self.context.is_out_of_time.get()
    }

    /// A search begins.
    pub fn begin_search(&self) {
        self.context.shadow.take_refined();
        self.context.uninitialised.forget_executions();
    }

    /// An execution has ended. If it has read memory that nobody wrote, its schedule is noted.
    pub fn note_uninitialised(&self, schedule: impl FnOnce() -> String) {
        if self.context.uninitialised.is_of_interest() {
            self.context.uninitialised.note_execution(schedule);
        }
    }

    /// The schedules of executions in which memory was read that nobody wrote, as far as they are noted.
    pub fn uninitialised(&self) -> Vec<String> {
        self.context.uninitialised.executions()
    }

    /// Runs an execution twice, with other bytes in memory that nobody wrote. If that makes a difference, executions from now on fail
    /// there, and the answer is true.
    pub fn is_decided_by_uninitialised(&self, run: impl FnMut()) -> std::io::Result<bool> {
        let parting = self.context.compare_fills(run)?;
        parting.into_iter().for_each(|parting| self.context.part_at(parting));
        Ok(parting.is_some())
    }

    /// What the searches found out about which memory is shared, as text: which accesses are operations, and so what a
    /// schedule means, depends on it.
    pub fn known(&self) -> String {
        known::print(&self.context)
    }

    /// Takes over what another process found out.
    pub fn know(&self, text: &str) -> Result<(), String> {
        known::read(&self.context, text)?;
        self.context.shadow.take_refined();
        Ok(())
    }

    /// The paths of all threads that were met, in the order of their ids.
    pub fn threads(&self) -> Vec<String> {
        self.context.threads.paths().iter().map(ToString::to_string).collect()
    }

    /// Threads with these paths have been met, in this order. Says which is none.
    pub fn know_threads<'t>(&self, mut paths: impl Iterator<Item = &'t str>) -> Result<(), String> {
        let unknown = |path: &str| known::thread(&self.context, path).is_none();
        paths.find(|path| unknown(path)).map_or(Ok(()), |path| Err(format!("'{path}' is no thread")))
    }

    /// Where the program is in memory: processes that are to search it together must have it at the same place.
    pub fn base(&self) -> usize {
        self.context.image().base
    }

    /// From now on, before the first run, all that runs show about the program is kept.
    pub fn keep_discoveries(&self) -> std::io::Result<()> {
        self.context.shadow.discoveries.keep(discoveries::Room::new()?);
        Ok(())
    }

    /// What was [kept](CProgram::keep_discoveries), as text. In a [copy](CProgram::copy_process) of a process, what was not known when
    /// it was made. None if it is more than can be kept.
    pub fn discoveries(&self) -> Option<String> {
        let base = self.context.image().base;
        Some(format!("base {base:x}\n{}", discoveries::print(&self.context)?))
    }

    /// Knows what another process found out, before the first run.
    pub fn recall(&self, discoveries: &str) -> Result<(), String> {
        self.learn(discoveries)?;
        self.context.shadow.take_refined();
        Ok(())
    }

    /// Takes over what a copy of this process found out. Afterwards, [`CProgram::is_refined`] says whether the search is to
    /// be done anew.
    pub fn learn(&self, discoveries: &str) -> Result<(), String> {
        let Some((base, discoveries)) = discoveries.split_once('\n') else { return Ok(()) };
        if base != format!("base {:x}", self.context.image().base) {
            return Err("it is at other addresses, as with another limit of the stack or another system".to_owned());
        }
        discoveries::learn(&self.context, discoveries)
    }

    pub(crate) fn context(&self) -> &'static Context {
        *self.context
    }

    /// The output of the program is written.
    pub fn flush(&self) {
        // SAFETY: all streams of the C library.
        unsafe { libc::fflush(std::ptr::null_mut()) };
    }

    /// The calls that led to a failure, the innermost first.
    pub fn stack(&self, thread: ThreadId, site: Site) -> Vec<String> {
        let stacks = self.context.stacks.borrow();
        self.in_words(stacks.get(&(thread, site)).map_or(&[], Vec::as_slice))
    }

    /// The runs from now on, until the next call of this, keep the calls that lead to their steps: see
    /// [`CProgram::calls_of_step`].
    pub fn keep_calls(&self, keep: bool) {
        self.context.recorder.set(keep);
        if keep {
            self.context.stacks.borrow_mut().clear();
        }
    }

    /// The calls that led to a step, counted from 0, of the last run that was kept, the innermost first.
    pub fn calls_of_step(&self, step: usize) -> Vec<String> {
        self.in_words(&self.context.recorder.of_step(step))
    }

    /// The calls that led to the operation at which a thread waits at the end of the last run that was kept.
    pub fn calls_of_thread(&self, thread: ThreadId) -> Vec<String> {
        self.in_words(&self.context.recorder.of_thread(thread))
    }

    fn in_words(&self, calls: &[Site]) -> Vec<String> {
        calls.iter().flat_map(|&site| self.names.functions_and_sites(site)).collect()
    }

    /// What the program did that is not supported, and where.
    pub fn refusal(&self) -> Option<String> {
        let refusal = self.context.refusal.borrow();
        let Refusal { what, site, address } = refusal.as_ref()?;
        let site = self.names.site(*site).map_or(String::new(), |site| format!(" at {site}"));
        let address = address.map_or(String::new(), |address| format!(" ({})", self.names.at(address)));
        Some(format!("{what}{address}{site}"))
    }
}

/// A number that stands for the code and the constants of a program that was built.
pub fn digest(path: &Path) -> Result<u128, LoadError> {
    let error = |problem: String| LoadError { path: path.to_owned(), problem, is_unknown: false };
    let bytes = std::fs::read(path).map_err(|problem| error(problem.to_string()))?;
    let file = object::File::parse(&*bytes).map_err(|problem| error(problem.to_string()))?;
    // What says when and from which files it was built makes no difference.
    let is_loaded = |section: &object::Section<'_, '_>| {
        let flags = section.flags();
        matches!(flags, object::SectionFlags::Elf { sh_flags } if sh_flags & u64::from(object::elf::SHF_ALLOC) != 0)
            && section.name() != Ok(".note.gnu.build-id")
    };
    let mut numbers = Vec::new();
    for section in file.sections().filter(is_loaded) {
        numbers.extend([section.address(), section.size()]);
        let word = |bytes: &[u8]| bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
        numbers.extend(section.data().unwrap_or_default().chunks(8).map(word));
    }
    Ok(Fingerprint::of(numbers.into_iter()).0)
}

/// What is used that nothing is known of, and what to do about it.
fn in_words(unknown: &[Unknown]) -> String {
    let told = unknown.iter().take(MOST_TOLD).map(|unknown| match unknown.place.as_str() {
        "" => unknown.what.clone(),
        place => format!("{} at {place}", unknown.what),
    });
    let told = told.collect::<Vec<_>>().join("; ");
    let more = unknown.len().saturating_sub(MOST_TOLD);
    let more = if more == 0 { String::new() } else { format!("; and {more} more") };
    format!(
        "it is not known which memory is accessed by what it uses: {told}{more}; give the sources to the check, take it out, or \
         let it pass by --assume-harmless '{}', with which the result is not a proof",
        unknown[0].name
    )
}

/// So many things of which nothing is known are told by name.
const MOST_TOLD: usize = 8;

impl Program for CProgram {
    fn start(&self) -> Box<dyn Run + '_> {
        Box::new(CRun::new(*self.context))
    }

    fn names(&self) -> &dyn Names {
        &self.names
    }

    fn threads(&self) -> Option<Box<dyn Threads + '_>> {
        Some(Box::new(CThreads::new(*self.context)))
    }
}
