//! A model in Promela with all that it is made of, as one text: what is sent to the workers of a cluster.

use crate::problem::Problem;
use promela::{Model, ModelProgram};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The files of a model and the macros that were given with it.
#[derive(Serialize, Deserialize)]
pub(crate) struct ModelText {
    name: String,
    text: String,
    defines: Vec<(String, String)>,
    /// The files that it includes, by the names that they are found by.
    included: Vec<(String, String)>,
}

impl ModelText {
    /// A model from a file.
    pub(crate) fn read(name: &str, defines: &[String]) -> Result<Self, Problem> {
        let defines = macros(defines);
        let model = Model::read(name.as_ref(), &defines).map_err(Problem::input)?;
        let mut files = model.files().all().filter(|file| !file.name.starts_with("-D"));
        let of = |file: &promela::File| (file.name.to_string(), file.text.to_string());
        let (name, text) = files.next().map(of).unwrap_or_default();
        let included = files.map(of).collect();
        Ok(ModelText { name, text, defines, included })
    }

    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The same, as it was written.
    #[cfg(feature = "cluster")]
    pub(crate) fn from_text(text: &str) -> Result<Self, Problem> {
        serde_json::from_str(text).map_err(|error| Problem::Input(format!("the run's model: {error}")))
    }

    /// The model, ready to be run.
    pub(crate) fn program(&self) -> Result<ModelProgram, Problem> {
        let ModelText { name, text, defines, included } = self;
        let model = Model::parse_with(name, text, defines, included).map_err(Problem::input)?;
        ModelProgram::new(Arc::new(model)).map_err(Problem::input)
    }
}

/// Macros, as they are given on the command line.
pub(crate) fn macros(defines: &[String]) -> Vec<(String, String)> {
    let define = |define: &String| match define.split_once('=') {
        Some((name, value)) => (name.to_owned(), value.to_owned()),
        None => (define.clone(), "1".to_owned()),
    };
    defines.iter().map(define).collect()
}
