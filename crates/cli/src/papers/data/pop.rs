//! P. Abdulla, M. F. Atig, S. Das, B. Jonsson, K. Sagonas: *Parsimonious Optimal Dynamic Partial Order Reduction*, CAV 2024.
//! (Measured with Nidhugg and GenMC on a Ryzen 7950X.) That the paper's `poke(n)` is `pol(n,4)` is concluded from the counts.

use super::Metric::{Executions, Megabytes, Seconds};
use super::{Table, beside, exact, line};
use crate::child::GRAPHS;

const COMMUTING: &str = "fetch-adds do not commute here, as they do in the paper's tool";

#[rustfmt::skip]
pub(super) const TABLES: [Table; 1] = [
    Table {
        number: "Table 1",
        caption: "time and memory of optimal algorithms",
        columns: &[
            exact("executions", "pop", Executions), exact("by optimal", "optimal", Executions), exact("by graphs", GRAPHS, Executions),
            beside("pop s", "pop", Seconds), beside("optimal s", "optimal", Seconds), beside("graphs s", GRAPHS, Seconds),
            beside("pop MB", "pop", Megabytes), beside("optimal MB", "optimal", Megabytes), beside("graphs MB", GRAPHS, Megabytes),
        ],
        lines: &[
            line("circular-buffer(7)", "circular_buffer", &[7], &["3432", "3432", "3432", "0.43", "0.45", "0.62", "84", "84", "85"]),
            line("circular-buffer(8)", "circular_buffer", &[8], &["12870", "12870", "12870", "1.66", "1.79", "2.63", "84", "84", "85"]),
            line("circular-buffer(9)", "circular_buffer", &[9], &["48620", "48620", "48620", "6.67", "7.21", "11.04", "84", "84", "85"]),
            line("fib-bench(4)", "fib_bench", &[4], &["19605", "19605", "19605", "1.82", "1.93", "1.08", "84", "84", "85"]),
            line("fib-bench(5)", "fib_bench", &[5], &["218243", "218243", "218243", "24.10", "24.66", "14.59", "84", "84", "85"]).long(),
            line("fib-bench(6)", "fib_bench", &[6], &["2364418", "2364418", "2364418", "297.40", "301.30", "186.25", "84", "84", "85"]).long(),
            line("linuxrwlocks(6)", "linuxrwlocks", &[6], &["99442", "99442", "99442", "12.88", "13.71", "3.61", "91", "91", "90"]).but(COMMUTING),
            line("linuxrwlocks(7)", "linuxrwlocks", &[7], &["829168", "829168", "829168", "121.17", "127.66", "32.75", "91", "91", "90"]).but(COMMUTING).long(),
            line("linuxrwlocks(8)", "linuxrwlocks", &[8], &["6984234", "6984234", "6984234", "1119.23", "1176.13", "311.93", "91", "91", "90"]).but(COMMUTING).long(),
            line("filesystem(22)", "filesystem", &[22], &["512", "512", "512", "0.34", "0.62", "0.72", "84", "84", "86"]),
            line("filesystem(24)", "filesystem", &[24], &["2048", "2048", "2048", "1.32", "2.97", "2.84", "84", "187", "86"]),
            line("filesystem(26)", "filesystem", &[26], &["8192", "8192", "8192", "5.66", "15.71", "11.88", "84", "622", "85"]),
            line("indexer(15)", "indexer", &[15], &["4096", "4096", "4096", "5.65", "8.58", "11.07", "90", "116", "89"]),
            line("indexer(16)", "indexer", &[16], &["32768", "32768", "32768", "46.46", "80.37", "90.14", "90", "464", "89"]).long(),
            line("indexer(17)", "indexer", &[17], &["262144", "262144", "262144", "399.87", "827.02", "736.78", "90", "3030", "89"]).long(),
            line("lastzero(10)", "lastzero", &[10], &["3328", "3328", "3328", "0.27", "0.34", "0.07", "84", "84", "85"]),
            line("lastzero(15)", "lastzero", &[15], &["147456", "147456", "147456", "15.09", "24.46", "3.19", "84", "276", "85"]).long(),
            line("lastzero(20)", "lastzero", &[20], &["6029312", "6029312", "6029312", "786.19", "1828.92", "152.13", "84", "8883", "85"]).long(),
            line("exp-mem3(7)", "exp_mem3", &[7], &["10080", "10080", "10080", "0.54", "0.67", "0.22", "85", "104", "86"]),
            line("exp-mem3(8)", "exp_mem3", &[8], &["80640", "80640", "80640", "4.61", "6.15", "1.96", "85", "506", "86"]),
            line("exp-mem3(9)", "exp_mem3", &[9], &["725760", "725760", "725760", "44.83", "73.68", "19.11", "85", "4489", "86"]).long(),
            line("dispatcher(4)", "disp", &[4, 4], &["6854", "6854", "6854", "1.47", "1.75", "1.15", "90", "90", "90"]),
            line("dispatcher(5)", "disp", &[5, 5], &["151032", "151032", "151032", "42.76", "55.07", "34.66", "90", "407", "89"]).long(),
            line("dispatcher(6)", "disp", &[6, 6], &["4057388", "4057388", "4057388", "1424.57", "2333.51", "1245.13", "90", "9097", "89"]).long(),
            line("poke(10)", "pol", &[10, 4], &["135944", "135944", "135944", "63.45", "96.30", "88.54", "90", "791", "90"]).long(),
            line("poke(15)", "pol", &[15, 4], &["728559", "728559", "728559", "479.03", "891.26", "874.76", "90", "5527", "89"]).long(),
            line("poke(20)", "pol", &[20, 4], &["2366924", "2366924", "2366924", "2008.92", "4356.59", "4502.45", "90", "22383", "90"]).long(),
            line("length-param(2,1024)", "length_param", &[2, 1024], &["4", "4", "4", "0.06", "0.05", "0.14", "84", "84", "85"]),
            line("length-param(2,8196)", "length_param", &[2, 8196], &["4", "4", "4", "0.14", "0.16", "7.95", "89", "101", "95"]),
            line("length-param(2,65536)", "length_param", &[2, 65536], &["4", "4", "4", "0.90", "1.13", "1413.00", "343", "441", "389"]).long(),
        ],
        remarks: &["The paper's TruSt explores execution graphs, as mazurka run --memory sc does: these are the last column of each kind."],
    },
];
