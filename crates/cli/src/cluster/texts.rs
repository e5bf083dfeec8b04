//! Litmus programs and models in Promela on a cluster: a run has the program's text, and perhaps a memory model.

use crate::model_text::ModelText;
use crate::problem::Problem;
use crate::target::Target;
use ::cluster::{Config, FrontEnd, Local, NewRun, Options, Run, Store, Worked, digest, work};
use ::litmus::{LitmusProgram, Sketch};
use explore::{Interleavings, Settings, Shareable};
use graphs::{ModelInfo, UnderModel};
use model::Program;
use std::time::Duration;
use trace::Tally;

/// What runs of these kinds are called in the tables.
pub(super) const LITMUS: &str = "litmus";
pub(super) const PROMELA: &str = "promela";

/// The longest time between two commits, and the shortest when others wait.
const SLICE: (Duration, Duration) = (Duration::from_secs(10), Duration::from_millis(200));

struct Text(Box<dyn Program>);

impl FrontEnd for Text {
    fn program(&self) -> &dyn Program {
        &*self.0
    }
}

fn parsed(kind: &str, text: &str) -> Result<Box<dyn Program>, Problem> {
    if kind == PROMELA {
        return Ok(Box::new(ModelText::from_text(text)?.program()?));
    }
    let sketch: Sketch = text.parse().map_err(|error| Problem::Input(format!("the run's program: {error}")))?;
    Ok(Box::new(LitmusProgram::new(sketch).map_err(Problem::input)?))
}

/// What is searched, and by which settings.
pub(crate) fn search_of(config: &Config, settings: Settings) -> Result<Box<dyn Shareable>, Problem> {
    Ok(match &config.memory {
        Some(name) => Box::new(UnderModel::new(model_of(name)?, (&settings).into())),
        None => Box::new(Interleavings::new(config.algorithm().map_err(Problem::input)?, settings)),
    })
}

fn model_of(name: &str) -> Result<&'static ModelInfo, Problem> {
    graphs::model(name).ok_or_else(|| Problem::Input(format!("the run's memory model '{name}' is not known here")))
}

/// A run of a program that is to be started.
pub(super) fn new_run(target: &Target, config: Config, settings: &Settings) -> Result<NewRun, Problem> {
    let text = target.text().ok_or_else(|| {
        Problem::Input(format!("'{}' has no text that could be sent to workers; leave out --cluster", target.name))
    })?;
    let search = search_of(&config, settings.clone())?;
    let kind = if target.is_model() { PROMELA } else { LITMUS };
    let program = parsed(kind, text)?;
    let threads = program.names().registry().map(|registry| registry.paths()).unwrap_or_default();
    Ok(NewRun {
        kind: kind.to_owned(),
        name: config.memory.iter().fold(target.title(), |title, model| format!("{title} under {model}")),
        digest: digest(text.as_bytes()),
        program: text.as_bytes().to_vec(),
        config,
        whole: search.whole(),
        lessons: search.first_lessons(),
        known: String::new(),
        threads: threads.iter().map(ToString::to_string).collect(),
    })
}

/// Works on a run until it is over.
pub(super) fn work_on(
    store: &mut Store,
    run: &Run,
    settings: &Settings,
    progress: &mut (dyn FnMut(&Tally) -> bool + Send),
) -> Result<Worked, Problem> {
    let bytes = store.program(run).map_err(Problem::input)?;
    let text = String::from_utf8(bytes).map_err(|_| Problem::Input("the run's program is no text".to_owned()))?;
    if digest(text.as_bytes()) != run.digest {
        return Err(Problem::Input(format!("the program of run {} is not what was stored", run.run)));
    }
    let front_end = Text(parsed(&run.kind, &text)?);
    let search = search_of(&run.config, run.config.settings(settings.clone()))?;
    let mut local = Local::new(&front_end, &*search);
    let options = Options { slice: SLICE.0, least: SLICE.1, progress, at: &|_| {} };
    work(store, run, &mut local, options).map_err(Problem::input)
}
