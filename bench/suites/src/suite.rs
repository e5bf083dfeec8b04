//! What is to be run: `suites.toml`.

use serde::Deserialize;

#[derive(Deserialize)]
struct Suites {
    suite: Vec<Suite>,
}

/// A published package with tests for loom.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    pub name: String,
    pub version: String,
    /// Configurations, one of which makes the package use loom, unless a feature alone decides.
    #[serde(default)]
    pub cfgs: Vec<String>,
    #[serde(default)]
    pub features: Vec<String>,
    /// Arguments of `cargo test` that choose targets.
    pub tests: Vec<String>,
    /// Keeps the tests whose names contain one of these; all of them if there are none.
    #[serde(default)]
    pub filter: Vec<String>,
    /// The bound of both tools.
    pub preemptions: u32,
}

impl Suite {
    pub fn all(text: &str) -> Result<Vec<Suite>, toml::de::Error> {
        toml::from_str::<Suites>(text).map(|suites| suites.suite)
    }

    /// Whether a test belongs to the suite.
    pub fn has(&self, test: &str) -> bool {
        self.filter.is_empty() || self.filter.iter().any(|word| test.contains(word.as_str()))
    }
}
