//! A simulation of a large cluster by the rules of `work.rs`: how many commits a second the server sees, how long the queue is,
//! and how long it takes until all machines have work, and from the first that has none to the end.
//!
//! ```sh
//! cargo run --release -p mazurka-cluster --example simulation -- 100 64 600
//! ```
//! Machines, cores of each, and the work in seconds of the whole cluster. A bundle is an amount of work; what is left of it
//! after a slice is dealt to parts of very different sizes, as a few of the oldest tasks have most of the work. The server does one
//! statement at a time; a commit takes it as long as was measured.

/// Seconds between two looks of the simulation.
const TICK: f64 = 0.005;
/// Seconds of the server for a commit or a lease, and for a look at how the run goes.
const COMMIT: f64 = 250e-6;
const LOOK: f64 = 60e-6;
/// From `cli` and `work.rs`.
const SLICE: f64 = 10.0;
const LEAST: f64 = 0.2;
const BETWEEN_LOOKS: f64 = 0.25;
const FEW: i64 = 8;
const MOST_PARTS: i64 = 64;
const MOST_READY: usize = 64;

#[derive(Clone)]
struct Machine {
    /// Core-seconds left of what it explores; none when it has nothing.
    work: Option<f64>,
    /// When its slice began, or when it next asks for a task, and how long it waits after that.
    since: f64,
    wait: f64,
    next_look: f64,
    /// What it saw at its last look: bundles ready, machines idle.
    seen: (i64, i64),
    /// When it is through with the server.
    busy_until: f64,
    idle_time: f64,
}

#[derive(Default)]
struct Server {
    free_at: f64,
    used: f64,
    commits: u64,
}

impl Server {
    /// When something that is asked for now is done.
    fn serve(&mut self, now: f64, time: f64) -> f64 {
        self.used += time;
        self.free_at = self.free_at.max(now) + time;
        self.free_at
    }
}

/// Numbers from 0 to 1 that are always the same.
struct Random(u64);

impl Random {
    fn f64(&mut self) -> f64 {
        // Steele and Vigna's SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn number(place: usize, default: f64) -> f64 {
    std::env::args().nth(place).and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Parts of some work, of sizes that differ by orders of magnitude.
fn deal(random: &mut Random, work: f64, parts: i64) -> Vec<f64> {
    let weights: Vec<f64> = (0..parts).map(|_| (4.0 * random.f64()).exp() * random.f64()).collect();
    let all: f64 = weights.iter().sum();
    weights.iter().map(|weight| work * weight / all).collect()
}

fn main() {
    let (machines, cores, seconds) = (number(1, 100.0) as usize, number(2, 64.0), number(3, 600.0));
    let mut random = Random(7);
    let idle =
        Machine { work: None, since: 0.0, wait: 0.01, next_look: 0.0, seen: (0, 0), busy_until: 0.0, idle_time: 0.0 };
    let mut all = vec![idle; machines];
    // They do not start at the same moment.
    all.iter_mut().for_each(|machine| machine.since = 2.0 * random.f64());
    let mut ready: Vec<f64> = vec![machines as f64 * cores * seconds];
    let mut server = Server::default();
    let (mut now, mut longest, mut filled, mut full_until) = (0.0, 0, None, 0.0);
    let (mut most_commits, mut second, mut before) = (0, 0.0, 0);
    while !ready.is_empty() || all.iter().any(|machine| machine.work.is_some()) {
        now += TICK;
        if now >= second + 1.0 {
            most_commits = most_commits.max(server.commits - before);
            (second, before) = (now, server.commits);
        }
        let idle = all.iter().filter(|machine| machine.work.is_none()).count() as i64;
        if idle == 0 {
            filled.get_or_insert(now);
            full_until = now;
        }
        longest = longest.max(ready.len());
        for machine in &mut all {
            if now < machine.busy_until {
                continue;
            }
            if now >= machine.next_look {
                machine.next_look = now + BETWEEN_LOOKS;
                machine.seen = (ready.len().min(MOST_READY) as i64, idle);
                server.serve(now, LOOK);
            }
            match &mut machine.work {
                None => {
                    machine.idle_time += TICK;
                    if now >= machine.since {
                        machine.busy_until = server.serve(now, COMMIT);
                        machine.work = ready.pop();
                        machine.since = if machine.work.is_some() { now } else { now + machine.wait };
                        machine.wait = if machine.work.is_some() { 0.01 } else { (2.0 * machine.wait).min(0.5) };
                    }
                }
                Some(work) => {
                    *work -= cores * TICK;
                    let elapsed = now - machine.since;
                    let (seen, waiting) = machine.seen;
                    let is_over = *work <= 0.0 || elapsed >= SLICE || (waiting > seen && elapsed >= LEAST);
                    if !is_over {
                        continue;
                    }
                    machine.busy_until = server.serve(now, COMMIT);
                    server.commits += 1;
                    let busy = (machines as i64 - waiting).max(1);
                    let wanted = if seen >= FEW { 0 } else { ((waiting - seen).max(0) + busy - 1) / busy };
                    let parts = (1 + wanted + i64::from(seen == 0 && waiting == 0)).clamp(1, MOST_PARTS);
                    let left = if *work > 0.0 { deal(&mut random, *work, parts) } else { Vec::new() };
                    let mut left = left.into_iter();
                    machine.work = left.next();
                    machine.since = now;
                    ready.extend(left);
                }
            }
        }
    }
    let idle: f64 = all.iter().map(|machine| machine.idle_time).sum();
    println!("{machines} machines of {cores} cores, {seconds} s of work for all of them");
    println!("took {now:.1} s; machines had nothing to do for {:.2} % of it", 100.0 * idle / (now * machines as f64));
    println!("all had work after {:.1} s; the last {:.1} s not all had", filled.unwrap_or(now), now - full_until);
    println!("{} commits, {:.0} a second, at most {most_commits}", server.commits, server.commits as f64 / now);
    println!(
        "at most {longest} bundles in the queue; the server was busy for {:.2} % of the time",
        100.0 * server.used / now
    );
}
