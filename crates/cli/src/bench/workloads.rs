//! What is measured. How many classes each has, and the paper that says so, is in the corpus.

/// A program of the library.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workload {
    pub(crate) program: &'static str,
    pub(crate) arguments: &'static [i64],
}

impl Workload {
    /// `lastzero(12)`.
    pub(crate) fn title(&self) -> String {
        let arguments: Vec<String> = self.arguments.iter().map(i64::to_string).collect();
        format!("{}({})", self.program, arguments.join(","))
    }
}

const fn workload(program: &'static str, arguments: &'static [i64]) -> Workload {
    Workload { program, arguments }
}

/// The same program with executions ten times as long: what shows whether the time for a step grows with the length.
pub(crate) const LONG: [Workload; 2] =
    [workload("length_param", &[2, 10_000]), workload("length_param", &[2, 100_000])];

/// All workloads.
pub(crate) const WORKLOADS: [Workload; 12] = [
    workload("lastzero", &[12]),
    workload("fib_bench", &[5]),
    workload("filesystem", &[20]),
    workload("readers", &[13]),
    workload("disp", &[5, 3]),
    workload("mpc", &[3, 5]),
    workload("pol", &[7, 3]),
    workload("pol", &[10, 3]),
    workload("lastzero", &[15]),
    workload("indexer", &[15]),
    LONG[0],
    LONG[1],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workload_is_in_the_library() {
        for workload in WORKLOADS {
            let entry = litmus::library::find(workload.program).expect("a library program");
            entry.build(workload.arguments).expect("good arguments");
        }
    }
}
