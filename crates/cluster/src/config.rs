//! The settings of a search that every worker must have.

use crate::Problem;
use explore::{AlgorithmInfo, Bounds, SchedulingOrder, Settings, algorithm};
use serde::{Deserialize, Serialize};

/// Those settings that decide what is explored.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Config {
    algorithm: String,
    order: String,
    max_steps: usize,
    keep_going: bool,
    preemptions: Option<u32>,
    delays: Option<u32>,
    depth: Option<usize>,
    /// The memory model; none of a search of interleavings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// What the front end has to know besides: options of programs in C, say.
    pub front_end: Vec<String>,
}

impl Config {
    /// Of a search by an algorithm that has tasks.
    pub fn new(info: &AlgorithmInfo, settings: &Settings, front_end: Vec<String>) -> Result<Self, Problem> {
        if !(info.make)().has_checkpoints() {
            return Err(Problem::NoTasks(info.name));
        }
        let order = SchedulingOrder::ALL.iter().find(|(_, order)| *order == settings.order);
        let Bounds { preemptions, delays, depth } = settings.bounds;
        Ok(Config {
            algorithm: info.name.to_owned(),
            order: order.map_or("", |(name, _)| name).to_owned(),
            max_steps: settings.limits.steps,
            keep_going: settings.keep_going,
            preemptions,
            delays,
            depth,
            memory: None,
            front_end,
        })
    }

    /// Of a search under a memory model.
    pub fn under_model(model: &str, settings: &Settings, front_end: Vec<String>) -> Self {
        Config {
            algorithm: "graphs".to_owned(),
            order: String::new(),
            max_steps: settings.limits.steps,
            keep_going: settings.keep_going,
            preemptions: None,
            delays: None,
            depth: None,
            memory: Some(model.to_owned()),
            front_end,
        }
    }

    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(self).expect("it has no maps")
    }

    pub(crate) fn from_text(text: &str) -> Result<Self, Problem> {
        serde_json::from_str(text).map_err(|_| Problem::Damaged("the settings of a run cannot be read".to_owned()))
    }

    /// The algorithm.
    pub fn algorithm(&self) -> Result<&'static AlgorithmInfo, Problem> {
        let unknown = || Problem::Damaged(format!("there is no algorithm '{}'", self.algorithm));
        algorithm(&self.algorithm).ok_or_else(unknown)
    }

    /// These settings, and the rest as given.
    pub fn settings(&self, rest: Settings) -> Settings {
        let order = SchedulingOrder::ALL.iter().find(|(name, _)| *name == self.order);
        let mut settings = Settings { keep_going: self.keep_going, ..rest };
        settings.order = order.map_or(settings.order, |(_, order)| *order);
        settings.limits.steps = self.max_steps;
        settings.bounds = Bounds { preemptions: self.preemptions, delays: self.delays, depth: self.depth };
        settings
    }
}
