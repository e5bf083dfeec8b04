//! The options of clusters in a command that was built without them: they are refused by name.

use crate::c::CheckArgs;
use crate::problem::{Problem, Status};
use crate::search::SearchArgs;
use crate::target::Target;
use clap::Args;
use explore::{AlgorithmInfo, Report};
use graphs::ModelInfo;
use trace::Sink;

/// Not there.
#[derive(Args, Clone)]
pub(crate) struct ClusterArgs {
    #[arg(long, hide = true, value_name = "URL")]
    cluster: Option<String>,
}

impl ClusterArgs {
    pub(crate) fn is_given(&self) -> bool {
        self.cluster.is_some()
    }

    pub(crate) fn explore(
        &self,
        _: &Target,
        _: &SearchArgs,
        _: &mut dyn Sink,
    ) -> Result<(&'static AlgorithmInfo, Report, Option<String>), Problem> {
        Err(missing())
    }

    pub(crate) fn explore_under(
        &self,
        _: &'static ModelInfo,
        _: &Target,
        _: &SearchArgs,
        _: &mut dyn Sink,
    ) -> Result<(graphs::Report, Option<String>), Problem> {
        Err(missing())
    }

    pub(crate) fn check(&self, _: &CheckArgs) -> Result<Status, Problem> {
        Err(missing())
    }
}

fn missing() -> Problem {
    Problem::Input(
        "this mazurka was built without clusters: install it with `cargo install --features cluster`".to_owned(),
    )
}

/// The same where there is no search on clusters.
#[derive(Args, Clone)]
pub(crate) struct NoClusterArgs {
    #[arg(long, hide = true, value_name = "URL")]
    cluster: Option<String>,
}

impl NoClusterArgs {
    pub(crate) fn refuse(&self, what: &str) -> Result<(), Problem> {
        match &self.cluster {
            None => Ok(()),
            Some(_) => Err(Problem::Input(format!("{what} cannot be put on a cluster; leave out --cluster"))),
        }
    }
}
