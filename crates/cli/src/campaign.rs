//! `mazurka campaign`: arbitrary programs against the laws.

use crate::bounds::BoundsArgs;
use crate::output::print;
use crate::problem::{Problem, Status};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use laws::{Campaign, Plan};
use litmus::arbitrary::Profile;
use report::progress::LiveLine;
use report::summary::time;
use report::table::thousands;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const EXAMPLES: &str = "\
Examples:
  mazurka campaign                               100,000 programs of every profile
  mazurka campaign --programs 5000000            an overnight run
  mazurka campaign --profile condvars            programs with condition variables only
  mazurka campaign --seed 42 --programs 1        the program of one seed, again
  mazurka campaign --preemption-bound 1          the laws of bounded searches

Programs are made from seeds counted upwards from --seed, which is printed first. On each, every exhaustive algorithm must \
find exactly the classes that running all interleavings finds. A program on which one does not is shrunk and printed as a \
row for corpus/found.toml. With a bound, the laws are those of docs/algorithms/bounds.md.

Exit status: 0 the laws hold on every program, 1 they do not hold on some, 2 bad usage.";

/// Seeds that are taken from the clock are smaller than this, so that they are easy to copy.
const CLOCK_SEEDS: u128 = 1_000_000_000_000;

/// The arguments of `mazurka campaign`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CampaignArgs {
    /// How many programs
    #[arg(long, value_name = "NUMBER", default_value_t = 100_000)]
    programs: u64,
    /// The seed of the first program [default: from the clock]
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// What the programs are made of [default: each in turn]
    #[arg(long, value_parser = profile_parser())]
    profile: Option<Profile>,
    /// How many programs at the same time [default: one for each core]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    workers: Option<u16>,
    /// Leave out programs with more interleavings than this
    #[arg(long, value_name = "NUMBER", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    max_interleavings: u64,
    #[command(flatten)]
    bounds: BoundsArgs,
}

fn profile_parser() -> impl TypedValueParser<Value = Profile> {
    let all = || Profile::ALL.into_iter().chain([Profile::Arms]);
    let find = move |name: String| all().find(|profile| profile.name() == name);
    PossibleValuesParser::new(all().map(Profile::name)).map(move |name| find(name).expect("one of the possible values"))
}

/// Runs the campaign.
pub(crate) fn campaign(args: &CampaignArgs) -> Result<Status, Problem> {
    let seed = args.seed.unwrap_or_else(seed_from_clock);
    let end = seed.checked_add(args.programs).ok_or_else(|| Problem::input("--seed and --programs are too large"))?;
    print(&format!("seed {seed}\n"))?;
    let plan = Plan {
        seeds: seed..end,
        profile: args.profile,
        interleavings: args.max_interleavings,
        workers: args.workers.map_or_else(|| explore::cores().get(), usize::from),
        bounds: args.bounds.bounds(),
    };
    let started = Instant::now();
    let mut line = LiveLine::default();
    let result = laws::campaign(&plan, |done| {
        let elapsed = started.elapsed();
        line.show(elapsed, || progress(done, args.programs, elapsed));
    });
    line.clear();
    match result {
        Ok(done) => {
            print(&text(&done, started.elapsed()))?;
            Ok(Status::Proved)
        }
        Err(mismatch) => {
            print(&format!("{mismatch}\n"))?;
            Ok(Status::Found)
        }
    }
}

fn seed_from_clock() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (now.as_micros() % CLOCK_SEEDS) as u64
}

fn progress(done: &Campaign, programs: u64, elapsed: Duration) -> String {
    let tried = done.programs + done.too_large;
    let rate = tried as f64 / elapsed.as_secs_f64();
    format!(
        "{} of {} programs, {} classes, {}/s",
        thousands(tried),
        thousands(programs),
        thousands(done.classes),
        thousands(rate as u64)
    )
}

fn text(done: &Campaign, elapsed: Duration) -> String {
    format!(
        "the laws hold on {} programs with {} classes ({} more have too many interleavings), in {}\n",
        thousands(done.programs),
        thousands(done.classes),
        thousands(done.too_large),
        time(elapsed.as_secs_f64())
    )
}
