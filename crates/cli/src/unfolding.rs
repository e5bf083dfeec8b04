//! The options of the algorithm `unfolding`.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use explore::{Preference, UnfoldingSettings};
use std::num::NonZeroU32;

/// How `unfolding` looks for alternatives.
#[derive(Args, Clone)]
pub(crate) struct UnfoldingArgs {
    /// With unfolding: how many of the events that are done with an alternative must be in conflict with, or all, which is
    /// optimal; fewer may lead to blocked runs
    #[arg(long, value_name = "NUMBER", value_parser = parse_k, default_value = "all")]
    k: K,
    /// With unfolding: which of these events come first
    #[arg(long, value_parser = preference_parser(), default_value = "oldest")]
    alternatives: Preference,
    /// With unfolding: how many candidates are tried for an alternative at most
    #[arg(long, value_name = "NUMBER", default_value_t = UnfoldingSettings::default().budget)]
    budget: u64,
    /// With unfolding: leave out what leads to a state that less leads to, so that programs without an end are explored; every
    /// state is reached, not every class
    #[arg(long)]
    cutoffs: bool,
    /// With unfolding: make the choices of Dpu, the tool of the paper, and frame the program as it does: lock and unlock, the
    /// start and the end of a thread are events
    #[arg(long, conflicts_with_all = ["alternatives", "cutoffs", "budget"])]
    dpu: bool,
}

/// None: all.
#[derive(Clone, Copy)]
struct K(Option<NonZeroU32>);

fn parse_k(text: &str) -> Result<K, String> {
    if text == "all" {
        return Ok(K(None));
    }
    let k = text.parse().map_err(|_| "give a number from 1, or all".to_owned())?;
    Ok(K(Some(k)))
}

fn preference_parser() -> impl TypedValueParser<Value = Preference> {
    let values = [
        ("newest", "those that were explored last"),
        ("oldest", "those that were explored first"),
        ("shortest", "those with the fewest candidates; what is left after k is added greedily"),
    ];
    PossibleValuesParser::new(values.map(|(name, help)| PossibleValue::new(name).help(help))).map(|name| {
        match name.as_str() {
            "newest" => Preference::Newest,
            "shortest" => Preference::Shortest,
            _ => Preference::Oldest,
        }
    })
}

impl UnfoldingArgs {
    pub(crate) fn settings(&self) -> UnfoldingSettings {
        UnfoldingSettings {
            k: self.k.0,
            preference: self.alternatives,
            budget: self.budget,
            as_dpu: self.dpu,
            cutoffs: self.cutoffs,
        }
    }
}
