//! The tools, one function each: it explores a program, for at most some time, and says how many executions it ran.

use crate::Program;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

mod on_mazurka {
    pub use mazurka as tool;
    pub use std::sync::atomic::Ordering::{SeqCst as LOAD, SeqCst as STORE};
    pub mod programs {
        include!("programs.rs");
    }
}

mod on_loom {
    pub use loom as tool;
    pub use std::sync::atomic::Ordering::{SeqCst as LOAD, SeqCst as STORE};
    pub mod programs {
        include!("programs.rs");
    }
}

mod on_shuttle {
    pub use shuttle as tool;
    pub use std::sync::atomic::Ordering::{SeqCst as LOAD, SeqCst as STORE};
    pub mod programs {
        include!("programs.rs");
    }
}

mod weakly_on_mazurka {
    pub use mazurka as tool;
    pub use std::sync::atomic::Ordering::{Acquire as LOAD, Release as STORE};
    pub mod programs {
        include!("programs.rs");
    }
}

mod weakly_on_loom {
    pub use loom as tool;
    pub use std::sync::atomic::Ordering::{Acquire as LOAD, Release as STORE};
    pub mod programs {
        include!("programs.rs");
    }
}

/// What a tool did.
pub struct Done {
    pub executions: u64,
    /// Whether it was done within the time.
    pub complete: bool,
}

macro_rules! body {
    ($program:expr, $module:ident) => {{
        let Program { name, size, .. } = $program;
        move || match name {
            "readers" => $module::programs::readers(size),
            "lastzero" => $module::programs::lastzero(size),
            "fib" => $module::programs::fib(size),
            "lastwrite" => $module::programs::lastwrite(size),
            "counter" => $module::programs::counter(size),
            "mpsc" => $module::programs::channel(size),
            "length" => $module::programs::length(size),
            other => panic!("no program {other}"),
        }
    }};
}

/// Mazurka, by its default algorithm.
pub fn mazurka(program: Program, limit: Duration) -> Option<Done> {
    let report = ::mazurka::Checker::new().max_time(limit).check(body!(program, on_mazurka));
    assert!(report.is_ok(), "{report}");
    Some(Done { executions: report.executions(), complete: report.exhaustive })
}

/// Mazurka under rc11, the programs with acquire and release.
pub fn mazurka_rc11(program: Program, limit: Duration) -> Option<Done> {
    let checker = ::mazurka::Checker::new().memory("rc11").max_time(limit);
    let report = checker.check(body!(program, weakly_on_mazurka));
    assert!(report.is_ok(), "{report}");
    Some(Done { executions: report.executions(), complete: report.exhaustive })
}

/// loom, without a bound on preemptions. It takes at most five threads.
pub fn loom(program: Program, limit: Duration) -> Option<Done> {
    by_loom(program, limit, body!(program, on_loom))
}

/// The same, the programs with acquire and release.
pub fn loom_weakly(program: Program, limit: Duration) -> Option<Done> {
    by_loom(program, limit, body!(program, weakly_on_loom))
}

fn by_loom(program: Program, limit: Duration, body: impl Fn() + Send + Sync + 'static) -> Option<Done> {
    if program.threads() > 5 {
        return None;
    }
    let count = Arc::new(AtomicU64::new(0));
    let counted = count.clone();
    let mut builder = ::loom::model::Builder::new();
    builder.max_branches = 1_000_000;
    builder.max_duration = Some(limit);
    let started = Instant::now();
    builder.check(move || {
        counted.fetch_add(1, Relaxed);
        body();
    });
    Some(Done { executions: count.load(Relaxed), complete: started.elapsed() < limit })
}

/// shuttle's depth-first search.
pub fn shuttle(program: Program, limit: Duration) -> Option<Done> {
    let (count, body) = (Arc::new(AtomicU64::new(0)), body!(program, on_shuttle));
    let counted = count.clone();
    let mut config = ::shuttle::Config::new();
    config.max_time = Some(limit);
    config.max_steps = ::shuttle::MaxSteps::None;
    let scheduler = ::shuttle::scheduler::DfsScheduler::new(None, false);
    let started = Instant::now();
    ::shuttle::Runner::new(scheduler, config).run(move || {
        counted.fetch_add(1, Relaxed);
        body();
    });
    Some(Done { executions: count.load(Relaxed), complete: started.elapsed() < limit })
}

/// TraceForge, adapted to the program that is about messages only.
pub fn traceforge(program: Program, _: Duration) -> Option<Done> {
    if program.name != "mpsc" {
        return None;
    }
    let senders = program.size;
    let stats = ::traceforge::verify(::traceforge::Config::builder().build(), move || {
        let receiver = ::traceforge::thread::spawn(move || {
            let sum: usize = (0..senders).map(|_| ::traceforge::recv_msg_block::<usize>()).sum();
            assert_eq!(sum, senders * (senders - 1) / 2);
        });
        for i in 0..senders {
            let to = receiver.thread().id();
            ::traceforge::thread::spawn(move || ::traceforge::send_msg(to, i));
        }
    });
    Some(Done { executions: stats.execs as u64, complete: true })
}
