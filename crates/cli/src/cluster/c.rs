//! Programs in C and C++ on a cluster: a run has the built object. Another process runs it (`c/slices.rs`).

use super::{ClusterArgs, search_of};
use crate::c::slices::{Answer, Ask, begin};
use crate::c::{CheckArgs, Scratch, Slicing};
use crate::problem::{Problem, Status};
use ::cluster::{Config, NewRun, Options, Run, RunState, Slicer, Store, Verdict, Version, Worked, digest, work};
use explore::{Settings, Shareable, SliceEnd, Sliced, receive_message, send_message};
use model::Names;
use std::cell::RefCell;
use std::io::{self, ErrorKind, Read, Write};
use std::num::NonZeroUsize;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};
use trace::{Progress, Tally};

/// What a run of this kind is called in the tables.
pub(super) const KIND: &str = "c";
/// The longest time between two commits, and the shortest when others wait.
const SLICE: (Duration, Duration) = (Duration::from_secs(10), Duration::from_millis(200));
/// How often it is asked whether a slice is to go on.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// How long a process may take to load a program.
const PATIENCE: Duration = Duration::from_secs(60);

/// A process with the program.
struct Runner {
    process: Child,
    talk: UnixStream,
    bell: UnixStream,
}

impl Runner {
    fn start(built: &Path, words: &[String], socket: &Path) -> io::Result<Self> {
        let _ = std::fs::remove_file(socket);
        let listener = UnixListener::bind(socket)?;
        listener.set_nonblocking(true)?;
        let mut process = Slicing { built, socket, words }.spawn()?;
        let mut accept = || -> io::Result<UnixStream> {
            let started = Instant::now();
            loop {
                match listener.accept() {
                    Ok((stream, _)) => {
                        stream.set_nonblocking(false)?;
                        return Ok(stream);
                    }
                    Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(error),
                    Err(error) if process.try_wait()?.is_some() || started.elapsed() > PATIENCE => return Err(error),
                    Err(_) => thread::sleep(Duration::from_millis(2)),
                }
            }
        };
        let (talk, bell) = (accept()?, accept()?);
        Ok(Runner { process, talk, bell })
    }

    fn ask(&mut self, ask: &Ask) -> io::Result<Answer> {
        send_message(&mut self.talk, ask)?;
        receive_message(&mut self.talk)
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Explores slices in another process, a new one for each version: no process may know more than the version says.
struct Remote {
    folder: Scratch,
    built: PathBuf,
    words: Vec<String>,
    config: Config,
    /// How tasks are dealt; the process explores them.
    search: Box<dyn Shareable>,
    workers: NonZeroUsize,
    runner: RefCell<Option<Runner>>,
    has_learnt: bool,
    shown: Option<String>,
    /// Why the program cannot be checked.
    problem: Option<String>,
}

impl Remote {
    fn new(built: &[u8], config: &Config, workers: NonZeroUsize) -> Result<Self, Problem> {
        let folder = Scratch::new()?;
        let path = folder.path().join("program.so");
        std::fs::write(&path, built).map_err(|error| Problem::Input(format!("cannot write the program: {error}")))?;
        // Under a memory model, there is one run of a program in C in its process.
        let workers = if config.memory.is_some() { NonZeroUsize::MIN } else { workers };
        let search = search_of(config, config.settings(Settings { workers, ..Settings::default() }))?;
        Ok(Remote {
            built: path,
            folder,
            words: config.front_end.clone(),
            config: config.clone(),
            search,
            workers,
            runner: RefCell::new(None),
            has_learnt: false,
            shown: None,
            problem: None,
        })
    }

    fn restart(&mut self, version: &Version) -> Result<(), String> {
        *self.runner.borrow_mut() = None;
        (self.has_learnt, self.shown, self.problem) = (false, None, None);
        let cannot = |error: io::Error| format!("cannot start a process for the search: {error}");
        let mut runner = Runner::start(&self.built, &self.words, &self.folder.path().join("talk")).map_err(cannot)?;
        match runner.ask(&begin(&self.config, version, self.workers)).map_err(cannot)? {
            Answer::Begun => {}
            Answer::Problem(problem) => return Err(problem),
            _ => return Err("a process for the search does not do what it is told".to_owned()),
        }
        *self.runner.borrow_mut() = Some(runner);
        Ok(())
    }

    fn ask(&self, ask: &Ask) -> Result<Answer, String> {
        let mut runner = self.runner.borrow_mut();
        let runner = runner.as_mut().ok_or("the process for the search is gone")?;
        match runner.ask(ask).map_err(|error| format!("the process for the search is gone: {error}"))? {
            Answer::Problem(problem) => Err(problem),
            answer => Ok(answer),
        }
    }

    /// Waits for the answer, and rings the bell when the slice is over.
    fn listen(runner: &mut Runner, go_on: &mut dyn FnMut(&Progress) -> bool) -> io::Result<Answer> {
        let nothing = Progress { tally: Tally::default(), elapsed: Duration::ZERO, depth: 0, share: None, tasks: None };
        runner.talk.set_read_timeout(Some(BETWEEN_LOOKS))?;
        let mut has_rung = false;
        let mut first = [0; 1];
        loop {
            match runner.talk.read(&mut first) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(_) => break,
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(error) => return Err(error),
            }
            if !has_rung && !go_on(&nothing) {
                runner.bell.write_all(&[1])?;
                has_rung = true;
            }
        }
        runner.talk.set_read_timeout(None)?;
        receive_message(&mut first.as_slice().chain(&mut runner.talk))
    }
}

impl Slicer for Remote {
    fn names(&self) -> Option<&dyn Names> {
        None
    }

    fn search(&self) -> &dyn Shareable {
        &*self.search
    }

    fn begin(&mut self, version: &Version) -> Result<(), ::cluster::Problem> {
        self.restart(version).map_err(::cluster::Problem::FrontEnd)
    }

    fn slice(
        &mut self,
        bundle: &[u8],
        careful: bool,
        go_on: &mut (dyn FnMut(&Progress) -> bool + Send),
    ) -> Result<Sliced, String> {
        let answer = {
            let mut runner = self.runner.borrow_mut();
            let runner = runner.as_mut().ok_or("the process for the search is gone")?;
            let lost = |error: io::Error| format!("the process for the search is gone: {error}");
            send_message(&mut runner.talk, &Ask::Slice { bundle: bundle.to_vec(), careful }).map_err(lost)?;
            Remote::listen(runner, go_on).map_err(lost)?
        };
        match answer {
            Answer::Sliced { sliced, has_learnt, shown } => {
                (self.has_learnt, self.shown) = (has_learnt, Some(shown));
                Sliced::from_text(&sliced).ok_or_else(|| "what came of a slice cannot be read".to_owned())
            }
            Answer::Problem(problem) => {
                self.problem = Some(problem);
                Ok(Sliced::undone(bundle, SliceEnd::Over))
            }
            _ => Err("a process for the search does not do what it is told".to_owned()),
        }
    }

    fn learnt(&mut self) -> Result<bool, String> {
        self.problem.take().map_or(Ok(self.has_learnt), Err)
    }

    fn shown(&mut self) -> Result<Option<String>, String> {
        Ok(self.shown.clone())
    }

    fn known(&mut self, shown: &[String]) -> Result<String, String> {
        match self.ask(&Ask::Known(shown.to_vec()))? {
            Answer::Known { known, has_learnt } => {
                self.has_learnt |= has_learnt;
                Ok(known)
            }
            _ => Err("a process for the search does not do what it is told".to_owned()),
        }
    }

    fn schedules(&self, bundle: &[u8]) -> Vec<String> {
        match self.ask(&Ask::Schedules(bundle.to_vec())) {
            Ok(Answer::Schedules(schedules)) => schedules,
            _ => Vec::new(),
        }
    }
}

/// Works on a run until it is over.
pub(super) fn work_on(store: &mut Store, run: &Run, settings: &Settings) -> Result<Worked, Problem> {
    let built = store.program(run).map_err(Problem::input)?;
    if digest(&built) != run.digest {
        return Err(Problem::Input(format!("the program of run {} is not what was stored", run.run)));
    }
    let mut remote = Remote::new(&built, &run.config, settings.workers)?;
    let options = Options { slice: SLICE.0, least: SLICE.1, progress: &mut |_| true, at: &|_| {} };
    work(store, run, &mut remote, options).map_err(Problem::input)
}

impl ClusterArgs {
    /// Puts the search of a program in C on the cluster, works on it, and lets the process with the program report.
    pub(crate) fn check(&self, args: &CheckArgs) -> Result<Status, Problem> {
        let search = args.search();
        search.check_for_cluster()?;
        let settings = search.settings();
        let config = match args.memory() {
            Some(model) => {
                args.check_for_graphs()?;
                Config::under_model(model.name, &settings, args.front_end_words())
            }
            None => Config::new(search.algorithm(), &settings, args.front_end_words()).map_err(Problem::input)?,
        };
        let built = args.built_bytes()?;
        let search_of_all = search_of(&config, settings.clone())?;
        let new = NewRun {
            kind: KIND.to_owned(),
            name: config.memory.iter().fold(args.title(), |title, model| format!("{title} under {model}")),
            digest: digest(&built),
            program: built.clone(),
            config,
            whole: search_of_all.whole(),
            lessons: search_of_all.first_lessons(),
            known: String::new(),
            threads: Vec::new(),
        };
        let (mut store, _) = super::open(self.cluster.as_deref().unwrap_or_default(), self.lease)?;
        let run = store.create(&new).map_err(Problem::input)?;
        eprintln!("run {} on the cluster; `mazurka worker` on any machine joins", run.run);
        let mut remote = Remote::new(&built, &run.config, settings.workers)?;
        let (started, mut is_late) = (Instant::now(), false);
        let mut progress = |_: &Tally| {
            is_late = settings.limits.time.is_some_and(|time| started.elapsed() >= time);
            !is_late
        };
        let options = Options { slice: SLICE.0, least: SLICE.1, progress: &mut progress, at: &|_| {} };
        let worked = work(&mut store, &run, &mut remote, options).map_err(Problem::input)?;
        if is_late {
            store.set_open(run.run, false).map_err(Problem::input)?;
        }
        let (verdict, because) = super::verdict(&mut store, &run, &worked, is_late)?;
        let version = store.version(&run).map_err(Problem::input)?;
        self.report(args, &mut remote, &version, verdict, because, worked.state)
    }

    fn report(
        &self,
        args: &CheckArgs,
        remote: &mut Remote,
        version: &Version,
        verdict: Verdict,
        because: Option<String>,
        state: Option<RunState>,
    ) -> Result<Status, Problem> {
        // The words of this command, for how the report is to be written.
        remote.words = args.words_as_given();
        remote.restart(version).map_err(Problem::Input)?;
        let mut runner =
            remote.runner.take().ok_or_else(|| Problem::Input(format!("no report: the run is {state:?}")))?;
        let cannot = |error: io::Error| Problem::Input(format!("the process for the report is gone: {error}"));
        send_message(&mut runner.talk, &Ask::Report { verdict, because }).map_err(cannot)?;
        let status = runner.process.wait().map_err(cannot)?;
        crate::c::status_of(status)
    }
}
