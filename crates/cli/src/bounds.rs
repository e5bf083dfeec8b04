//! The options that bound a search.

use clap::Args;
use explore::Bounds;
use std::process::Command;

/// How far schedules may deviate from a simple one, and how far they are followed.
#[derive(Args, Clone, Copy, Default)]
#[command(next_help_heading = "Bounds (what is cut is no longer proved)")]
pub(crate) struct BoundsArgs {
    /// Explore only schedules with at most so many switches away from a thread that could go on
    #[arg(long, value_name = "NUMBER")]
    preemption_bound: Option<u32>,
    /// Explore only schedules that pass over at most so many enabled threads, compared with a round robin
    #[arg(long, value_name = "NUMBER")]
    delay_bound: Option<u32>,
    /// Explore only the first so many steps of every execution
    #[arg(long, value_name = "NUMBER")]
    depth_bound: Option<usize>,
}

impl BoundsArgs {
    pub(crate) fn bounds(self) -> Bounds {
        Bounds { preemptions: self.preemption_bound, delays: self.delay_bound, depth: self.depth_bound }
    }

    /// Hands the options on to another process.
    pub(crate) fn hand_on(self, command: &mut Command) {
        command.args(self.words());
    }

    /// The options as they are given.
    pub(crate) fn words(self) -> Vec<String> {
        let options = [
            ("--preemption-bound", self.preemption_bound.map(u64::from)),
            ("--delay-bound", self.delay_bound.map(u64::from)),
            ("--depth-bound", self.depth_bound.map(|depth| depth as u64)),
        ];
        let given = options.into_iter().filter_map(|(option, bound)| Some([option.to_owned(), bound?.to_string()]));
        given.flatten().collect()
    }
}
