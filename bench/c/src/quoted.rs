//! Executions a second of Nidhugg and GenMC that were measured elsewhere: on a machine of the same kind, on another day,
//! by CPU time with their compilers included. They stand in a record beside what it measures, as quotations.

use crate::workloads::Workload;

/// The tools that are quoted, in the order of the figures.
pub const TOOLS: [&str; 2] = ["Nidhugg 'optimal'", "GenMC 0.11 'sc'"];

/// Executions a second, of the tools that did the same program with the same arguments.
type Rates = [Option<f64>; TOOLS.len()];

const RATES: &[(&str, Rates)] = &[
    ("fib_bench(5)", [Some(7_000.0), Some(28_000.0)]),
    ("circular_buffer(7)", [None, Some(1_400.0)]),
    ("circular_buffer(8)", [Some(2_100.0), None]),
    ("lastzero(12)", [Some(2_500.0), None]),
    ("lastzero(15)", [None, Some(11_000.0)]),
    ("lastwrite(8)", [Some(4_500.0), Some(55_000.0)]),
    ("filesystem(24)", [Some(190.0), None]),
    ("filesystem(26)", [None, Some(330.0)]),
    ("indexer(15)", [Some(260.0), Some(270.0)]),
    ("linuxrwlocks(4)", [Some(2_900.0), None]),
    ("linuxrwlocks(5)", [None, Some(12_700.0)]),
    ("disp(4,4)", [Some(1_500.0), Some(2_400.0)]),
    ("mpat(6)", [Some(3_200.0), Some(6_100.0)]),
    ("mpc(3,5)", [Some(1_500.0), Some(2_300.0)]),
    ("pol(10,3)", [Some(700.0), Some(640.0)]),
    ("readers(13)", [Some(1_800.0), Some(20_000.0)]),
];

/// The figures for a program.
pub fn of(workload: &Workload) -> Rates {
    RATES.iter().find(|(title, _)| *title == workload.title).map_or([None; TOOLS.len()], |&(_, rates)| rates)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workloads;

    #[test]
    fn every_figure_is_of_a_program_that_is_measured() {
        let workloads = workloads::all().unwrap();
        for (title, _) in RATES {
            assert!(workloads.iter().any(|workload| workload.title == *title), "{title}");
        }
    }
}
