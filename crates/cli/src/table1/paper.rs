//! Table 1 of P. Abdulla, M. F. Atig, S. Das, B. Jonsson, K. Sagonas: *Parsimonious Optimal Dynamic Partial Order
//! Reduction*, CAV 2024, as it is printed there. (Measured with Nidhugg and GenMC on a Ryzen 7950X.)

use serde::Serialize;

/// One line of the table.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Line {
    /// As the paper writes it.
    pub(super) benchmark: &'static str,
    /// The program of the library that is meant.
    pub(super) program: &'static str,
    pub(super) arguments: &'static [i64],
    pub(super) executions: u64,
    /// TruSt, Optimal, POP.
    pub(super) seconds: [f64; 3],
    /// TruSt, Optimal, POP.
    pub(super) megabytes: [u32; 3],
}

impl Line {
    /// Why our count is another one, where the program is not quite the paper's.
    pub(super) fn known_difference(&self) -> Option<&'static str> {
        (self.program == "linuxrwlocks").then_some("fetch-adds do not commute here, as they do in the paper's tool")
    }
}

const fn line(
    benchmark: &'static str,
    (program, arguments): (&'static str, &'static [i64]),
    executions: u64,
    seconds: [f64; 3],
    megabytes: [u32; 3],
) -> Line {
    Line { benchmark, program, arguments, executions, seconds, megabytes }
}

/// The whole table. That the paper's `poke(n)` is `pol(n,4)` is concluded from the counts.
#[rustfmt::skip]
pub(super) const TABLE_1: [Line; 30] = [
    line("circular-buffer(7)", ("circular_buffer", &[7]), 3432, [0.62, 0.45, 0.43], [85, 84, 84]),
    line("circular-buffer(8)", ("circular_buffer", &[8]), 12870, [2.63, 1.79, 1.66], [85, 84, 84]),
    line("circular-buffer(9)", ("circular_buffer", &[9]), 48620, [11.04, 7.21, 6.67], [85, 84, 84]),
    line("fib-bench(4)", ("fib_bench", &[4]), 19605, [1.08, 1.93, 1.82], [85, 84, 84]),
    line("fib-bench(5)", ("fib_bench", &[5]), 218_243, [14.59, 24.66, 24.10], [85, 84, 84]),
    line("fib-bench(6)", ("fib_bench", &[6]), 2_364_418, [186.25, 301.30, 297.40], [85, 84, 84]),
    line("linuxrwlocks(6)", ("linuxrwlocks", &[6]), 99442, [3.61, 13.71, 12.88], [90, 91, 91]),
    line("linuxrwlocks(7)", ("linuxrwlocks", &[7]), 829_168, [32.75, 127.66, 121.17], [90, 91, 91]),
    line("linuxrwlocks(8)", ("linuxrwlocks", &[8]), 6_984_234, [311.93, 1176.13, 1119.23], [90, 91, 91]),
    line("filesystem(22)", ("filesystem", &[22]), 512, [0.72, 0.62, 0.34], [86, 84, 84]),
    line("filesystem(24)", ("filesystem", &[24]), 2048, [2.84, 2.97, 1.32], [86, 187, 84]),
    line("filesystem(26)", ("filesystem", &[26]), 8192, [11.88, 15.71, 5.66], [85, 622, 84]),
    line("indexer(15)", ("indexer", &[15]), 4096, [11.07, 8.58, 5.65], [89, 116, 90]),
    line("indexer(16)", ("indexer", &[16]), 32768, [90.14, 80.37, 46.46], [89, 464, 90]),
    line("indexer(17)", ("indexer", &[17]), 262_144, [736.78, 827.02, 399.87], [89, 3030, 90]),
    line("lastzero(10)", ("lastzero", &[10]), 3328, [0.07, 0.34, 0.27], [85, 84, 84]),
    line("lastzero(15)", ("lastzero", &[15]), 147_456, [3.19, 24.46, 15.09], [85, 276, 84]),
    line("lastzero(20)", ("lastzero", &[20]), 6_029_312, [152.13, 1828.92, 786.19], [85, 8883, 84]),
    line("exp-mem3(7)", ("exp_mem3", &[7]), 10080, [0.22, 0.67, 0.54], [86, 104, 85]),
    line("exp-mem3(8)", ("exp_mem3", &[8]), 80640, [1.96, 6.15, 4.61], [86, 506, 85]),
    line("exp-mem3(9)", ("exp_mem3", &[9]), 725_760, [19.11, 73.68, 44.83], [86, 4489, 85]),
    line("dispatcher(4)", ("disp", &[4, 4]), 6854, [1.15, 1.75, 1.47], [90, 90, 90]),
    line("dispatcher(5)", ("disp", &[5, 5]), 151_032, [34.66, 55.07, 42.76], [89, 407, 90]),
    line("dispatcher(6)", ("disp", &[6, 6]), 4_057_388, [1245.13, 2333.51, 1424.57], [89, 9097, 90]),
    line("poke(10)", ("pol", &[10, 4]), 135_944, [88.54, 96.30, 63.45], [90, 791, 90]),
    line("poke(15)", ("pol", &[15, 4]), 728_559, [874.76, 891.26, 479.03], [89, 5527, 90]),
    line("poke(20)", ("pol", &[20, 4]), 2_366_924, [4502.45, 4356.59, 2008.92], [90, 22383, 90]),
    line("length-param(2,1024)", ("length_param", &[2, 1024]), 4, [0.14, 0.05, 0.06], [85, 84, 84]),
    line("length-param(2,8196)", ("length_param", &[2, 8196]), 4, [7.95, 0.16, 0.14], [95, 101, 89]),
    line("length-param(2,65536)", ("length_param", &[2, 65536]), 4, [1413.00, 1.13, 0.90], [389, 441, 343]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_program_and_agrees_with_the_corpus() {
        let rows = litmus::corpus::rows().unwrap();
        for line in TABLE_1 {
            litmus::library::find(line.program).unwrap().build(line.arguments).unwrap();
            let row =
                rows.iter().find(|row| row.program.as_deref() == Some(line.program) && row.args == line.arguments);
            if let Some(row) = row.filter(|_| line.known_difference().is_none()) {
                assert_eq!(row.classes, line.executions, "{}", line.benchmark);
            }
        }
    }
}
