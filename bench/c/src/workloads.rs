//! What is measured: the papers' programs in C, with the arguments of measurements that others published. How many classes
//! each has is in the corpus.

use litmus::corpus::{self, Row};
use std::path::{Path, PathBuf};

/// A program with arguments.
pub struct Workload {
    /// `fib_bench(5)`.
    pub title: String,
    pub source: PathBuf,
    /// The macros that stand for the arguments, for the compiler.
    pub flags: Vec<String>,
    /// How many executions there are to find.
    pub classes: u64,
}

/// The programs and their arguments, by the papers that have them. (Those of TACAS'18 that
/// send messages have no C form, and awaiting is another program in C, where to wait is to assume.)
const WORKLOADS: &[(&str, &[i64])] = &[
    // Source sets, JACM'17.
    ("readers", &[13]),
    ("lastzero", &[10]),
    ("lastzero", &[12]),
    ("lastzero", &[15]),
    ("indexer", &[15]),
    ("indexer", &[16]),
    ("filesystem", &[20]),
    ("filesystem", &[24]),
    ("filesystem", &[26]),
    ("control_flow", &[]),
    ("linexp", &[9]),
    ("wakeup_stress", &[8]),
    ("sleeping_races_1", &[]),
    ("sleeping_races_2", &[]),
    ("sleeping_races_3r", &[]),
    ("sleeping_races_3w", &[]),
    ("sleeping_races_6", &[]),
    ("many_initials", &[]),
    ("difficult_readers", &[]),
    ("not_prerequisite", &[]),
    ("conditional_readers", &[]),
    ("conditional_readers_2", &[]),
    ("conditional_readers_3", &[]),
    ("combination_lock", &[]),
    ("diff_dep_1", &[]),
    ("cyclic_readers", &[]),
    // Observers, TACAS'18; its fib is fib_bench.
    ("lastwrite", &[8]),
    ("floating_read", &[7]),
    ("lamport", &[3]),
    // Quasi-optimal, CAV'18.
    ("disp", &[4, 4]),
    ("disp", &[5, 5]),
    ("mpat", &[6]),
    ("mpc", &[3, 5]),
    ("mpc", &[4, 5]),
    ("pi", &[7]),
    ("pol", &[10, 3]),
    ("ssbexp", &[18]),
    ("sections", &[7]),
    // POP, CAV'24; its dispatcher is disp, its poke is pol.
    ("circular_buffer", &[7]),
    ("circular_buffer", &[8]),
    ("circular_buffer", &[9]),
    ("fib_bench", &[4]),
    ("fib_bench", &[5]),
    ("fib_bench", &[6]),
    ("linuxrwlocks", &[4]),
    ("linuxrwlocks", &[5]),
    ("exp_mem3", &[7]),
    ("exp_mem3", &[8]),
    ("length_param", &[2, 1024]),
    ("length_param", &[2, 65536]),
];

/// All of them, or what is wrong with one.
pub fn all() -> Result<Vec<Workload>, String> {
    let rows = corpus::rows().map_err(|error| error.to_string())?;
    let of = |&(program, args): &(&str, &[i64])| {
        let fits = |row: &&Row| row.program.as_deref() == Some(program) && row.args == args;
        let row = rows.iter().find(fits).ok_or_else(|| format!("the corpus has no row {program}{args:?}"))?;
        workload(program, row)
    };
    WORKLOADS.iter().map(of).collect()
}

fn workload(program: &str, row: &Row) -> Result<Workload, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/c/tests/programs/corpus");
    let source = folder.join(format!("{program}.c"));
    let text = std::fs::read_to_string(&source).map_err(|error| format!("{}: {error}", source.display()))?;
    // The head says which macros take the arguments.
    let head = text.lines().find_map(|line| line.strip_prefix("// litmus: ")).unwrap_or_default();
    let macros = head.split_whitespace().skip(1);
    let flags = macros.zip(&row.args).map(|(name, value)| format!("-D{name}={value}")).collect();
    Ok(Workload { title: row.name(), source, flags, classes: row.classes })
}
