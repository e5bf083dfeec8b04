//! Which program is meant: one of the library by name, or one from a file.

use crate::model_text::ModelText;
use crate::problem::Problem;
use clap::Args;
use explore::{AlgorithmInfo, Equivalence};
use litmus::corpus::{self, Row};
use litmus::library::{self, Diverging};
use litmus::{Framed, LitmusProgram, Sketch};
use model::Program;
use std::path::Path;

/// The program and its arguments.
#[derive(Args)]
pub(crate) struct TargetArgs {
    /// A built-in program (see `mazurka programs`), or the path of a file in litmus notation or of a Promela model
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// The program's arguments; the built-in defaults when there are none
    #[arg(value_name = "ARGS", allow_negative_numbers = true)]
    pub(crate) arguments: Vec<i64>,
    /// Define a macro of a Promela model: NAME or NAME=VALUE
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub(crate) defines: Vec<String>,
}

/// A program that can be run.
pub(crate) struct Target {
    /// How the user named it.
    pub(crate) name: String,
    /// Its arguments, defaults filled in.
    pub(crate) arguments: Vec<i64>,
    pub(crate) program: Box<dyn Program>,
    /// What the program does, in full, where that is known.
    text: String,
    /// The macros of a model.
    defines: Vec<String>,
    /// How many classes it has, where the corpus knows.
    pub(crate) classes: Option<u64>,
    /// The same with observers.
    pub(crate) observations: Option<u64>,
}

/// A program that behaves differently whenever it is run again: what the message for such programs is tested with.
const DIVERGING: &str = "diverging";

impl TargetArgs {
    /// The program whose name and arguments these words are.
    pub(crate) fn of_words(words: &[String], defines: &[String]) -> Result<Self, Problem> {
        let number = |word: &String| {
            word.parse().map_err(|_| Problem::Input(format!("'{word}' is not a number, as arguments of programs are")))
        };
        let arguments = words[1..].iter().map(number).collect::<Result<_, _>>()?;
        Ok(TargetArgs { name: words[0].clone(), arguments, defines: defines.to_vec() })
    }

    /// Finds or reads the program.
    pub(crate) fn load(&self) -> Result<Target, Problem> {
        let name = self.name.clone();
        if crate::verify::is_model(std::slice::from_ref(&name)) {
            return self.model();
        }
        if !self.defines.is_empty() {
            return Err(Problem::input("-D is for Promela models"));
        }
        if let Some(entry) = library::find(&name) {
            let arguments = if self.arguments.is_empty() { entry.defaults() } else { self.arguments.clone() };
            let program = entry.build(&arguments).map_err(Problem::input)?;
            let row = known(entry.name, &arguments)?;
            let classes = row.as_ref().map(|row| row.classes);
            let observations = row.and_then(|row| row.observers);
            let text = program.sketch().to_string();
            let target = Target::named(entry.name.to_owned(), Box::new(program));
            return Ok(Target { arguments, text, classes, observations, ..target });
        }
        let target = if name == DIVERGING {
            Target::named(name, Box::new(Diverging::new()))
        } else {
            let program = read_file(&name)?;
            let text = program.sketch().to_string();
            Target { text, ..Target::named(name, Box::new(program)) }
        };
        self.check_arguments()?;
        Ok(target)
    }

    fn check_arguments(&self) -> Result<(), Problem> {
        if self.arguments.is_empty() {
            return Ok(());
        }
        Err(Problem::Input(format!("'{}' takes no arguments: leave out what follows it", self.name)))
    }

    /// A model in Promela.
    fn model(&self) -> Result<Target, Problem> {
        self.check_arguments()?;
        let text = ModelText::read(&self.name, &self.defines)?;
        let target = Target::named(self.name.clone(), Box::new(text.program()?));
        Ok(Target { text: text.to_text(), defines: self.defines.clone(), ..target })
    }
}

impl Target {
    /// The program as a sketch, if it is in litmus notation.
    pub(crate) fn sketch(&self) -> Option<Sketch> {
        if self.text.is_empty() { None } else { self.text.parse().ok() }
    }

    /// The same program as Dpu sees it.
    pub(crate) fn framed(self) -> Result<Self, Problem> {
        let refused = || Problem::Input(format!("--dpu is for litmus programs, which '{}' is not", self.name));
        let sketch: Sketch = self.text.parse().map_err(|_| refused())?;
        let program = LitmusProgram::new(sketch).map_err(Problem::input)?;
        Ok(Target { program: Box::new(Framed::new(&program).map_err(Problem::input)?), ..self })
    }

    /// Whether it is a model in Promela.
    #[cfg(feature = "cluster")]
    pub(crate) fn is_model(&self) -> bool {
        crate::verify::is_model(std::slice::from_ref(&self.name))
    }

    /// The options that it was given, as they are given again.
    pub(crate) fn options(&self) -> Vec<String> {
        self.defines.iter().map(|define| format!("-D{define}")).collect()
    }

    /// The program as text, where there is one.
    #[cfg(feature = "cluster")]
    pub(crate) fn text(&self) -> Option<&str> {
        Some(&*self.text).filter(|text| !text.is_empty())
    }

    /// A program without arguments.
    pub(crate) fn named(name: String, program: Box<dyn Program>) -> Self {
        let (arguments, defines) = (Vec::new(), Vec::new());
        Target { name, arguments, program, text: String::new(), defines, classes: None, observations: None }
    }

    /// `lastzero(10)`.
    pub(crate) fn title(&self) -> String {
        if self.arguments.is_empty() {
            return self.name.clone();
        }
        format!("{}({})", self.name, self.words().join(","))
    }

    /// What tells it from every other program: its title in the first line, then its text.
    pub(crate) fn identity(&self) -> String {
        format!("{}\n{}", self.title(), self.text)
    }

    /// How many executions the algorithm takes for different, where the corpus knows.
    pub(crate) fn expected(&self, algorithm: &AlgorithmInfo) -> Option<u64> {
        match algorithm.equivalence {
            Equivalence::Traces => self.classes,
            Equivalence::Observations => self.observations,
        }
    }

    /// `lastzero 10`, as it is written after a subcommand, quoted for a shell.
    pub(crate) fn command(&self) -> String {
        let mut words = vec![quoted(&self.name)];
        words.extend(self.words());
        words.extend(self.options().iter().map(|option| quoted(option)));
        words.join(" ")
    }

    fn words(&self) -> Vec<String> {
        self.arguments.iter().map(i64::to_string).collect()
    }
}

/// What the corpus knows of a program.
fn known(name: &str, arguments: &[i64]) -> Result<Option<Row>, Problem> {
    let rows = corpus::rows().map_err(Problem::input)?;
    Ok(rows.into_iter().find(|row| row.program.as_deref() == Some(name) && row.args == arguments))
}

fn read_file(name: &str) -> Result<LitmusProgram, Problem> {
    let path = Path::new(name);
    let means_file = name.contains(['/', '\\', '.']) || path.exists();
    if !means_file {
        return Err(Problem::Input(unknown(name)));
    }
    if crate::c::is_c(&[name.to_owned()]) {
        return Err(Problem::Input(format!("'{name}' is C or C++: `mazurka check {name}` explores its executions")));
    }
    let text = std::fs::read_to_string(path).map_err(|error| {
        Problem::Input(format!(
            "cannot read '{name}': {error}; give the path of a file in litmus notation, or a name that `mazurka programs` lists"
        ))
    })?;
    let sketch: Sketch = text.parse().map_err(|error| Problem::Input(format!("{name}: {error}")))?;
    LitmusProgram::new(sketch).map_err(|error| Problem::Input(format!("{name}: {error}")))
}

/// Says that there is no such program, and which ones have a similar name.
fn unknown(name: &str) -> String {
    let near = nearest(name, library::all().iter().map(|entry| entry.name));
    let hint = match near.as_slice() {
        [] => String::new(),
        names => format!(" Did you mean {}?", names.join(" or ")),
    };
    format!("there is no program '{name}'.{hint} `mazurka programs` lists all; a file is given by its path")
}

/// At most three of `names` that could have been meant, the most similar first.
fn nearest<'n>(given: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let given = given.replace('-', "_").to_lowercase();
    let similarity = |name: &str| {
        let starts = given.len() >= 3 && (name.starts_with(&given) || given.starts_with(name));
        if starts { 1.0 } else { strsim::jaro_winkler(&given, name) }
    };
    let mut near: Vec<(f64, &str)> = names.map(|name| (similarity(name), name)).collect();
    near.retain(|&(similarity, _)| similarity > 0.8);
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

/// A word as it is written for a shell.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_are_suggested() {
        let names = || ["lastzero", "readers", "lost_update"].into_iter();
        assert_eq!(nearest("lastzro", names()), ["lastzero"]);
        assert_eq!(nearest("Lost-Updat", names()), ["lost_update"]);
        assert!(nearest("qqqq", names()).is_empty());
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("a/b.litmus"), "a/b.litmus");
        assert_eq!(quoted("it's here"), r"'it'\''s here'");
    }
}
