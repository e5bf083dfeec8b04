//! S. Aronis, B. Jonsson, M. Lång, K. Sagonas: *Optimal Dynamic Partial Order Reduction with Observers*, TACAS 2018. (Measured
//! with Nidhugg and Concuerror.)

use super::Metric::{CutApart, Megabytes, Seconds};
use super::{Column, Table, absent, beside, exact, line};

const COLUMNS: [Column; 4] = [
    exact("optimal", "optimal", CutApart),
    exact("observers", "observers", CutApart),
    beside("optimal s", "optimal", Seconds),
    beside("observers s", "observers", Seconds),
];

#[rustfmt::skip]
pub(super) const TABLES: [Table; 2] = [
    Table {
        number: "Table 1",
        caption: "optimal DPOR with and without observers in Nidhugg",
        columns: &[
            exact("optimal", "optimal", CutApart), exact("observers", "observers", CutApart),
            beside("optimal s", "optimal", Seconds), beside("observers s", "observers", Seconds),
            beside("optimal MB", "optimal", Megabytes), beside("observers MB", "observers", Megabytes),
        ],
        lines: &[
            line("lastwrite(2)", "lastwrite", &[2], &["2", "2", "<0.1", "<0.1", "10", "10"]),
            line("lastwrite(7)", "lastwrite", &[7], &["5040", "7", "0.5", "<0.1", "10", "10"]),
            line("lastwrite(8)", "lastwrite", &[8], &["40320", "8", "5.2", "<0.1", "10", "10"]),
            line("lastwrite(9)", "lastwrite", &[9], &["362880", "9", "52.0", "<0.1", "10", "10"]).long(),
            line("floating_read(2)", "floating_read", &[2], &["6", "5", "<0.1", "<0.1", "10", "10"]),
            line("floating_read(6)", "floating_read", &[6], &["5040", "193", "0.5", "<0.1", "11", "10"]),
            line("floating_read(7)", "floating_read", &[7], &["40320", "449", "5.0", "<0.1", "11", "11"]),
            line("floating_read(8)", "floating_read", &[8], &["362880", "1025", "53.3", "0.2", "11", "11"]).long(),
            absent("apr_1", &["1145", "1145", "4.8", "5.0", "19", "20"]),
            line("fib", "fib_bench", &[5], &["218243", "218243", "18.9", "20.1", "11", "11"]).long(),
            line("lamport(2)", "lamport", &[2], &["16+16", "14+12", "<0.1", "<0.1", "10", "10"])
                .but("which executions break an assumption with observers depends on the order in which threads are tried"),
            line("lamport(3)", "lamport", &[3], &["9216+11525", "5466+6132", "4.0", "2.7", "11", "11"])
                .but("as for lamport(2)"),
        ],
        remarks: &["apr_1 is a program in C that is not here."],
    },
    Table {
        number: "Table 2",
        caption: "optimal DPOR with and without observers in Concuerror",
        columns: &COLUMNS,
        lines: &[
            line("not_selective(2)", "not_selective", &[2], &["2", "2", "<1.0", "<1.0"]),
            line("not_selective(6)", "not_selective", &[6], &["720", "720", "1.7", "1.8"]),
            line("not_selective(7)", "not_selective", &[7], &["5040", "5040", "6.0", "6.8"]),
            line("not_selective(8)", "not_selective", &[8], &["40320", "40320", "48.0", "56.0"]).long(),
            line("selective(2)", "selective", &[2], &["2", "1", "<1.0", "<1.0"]),
            line("selective(6)", "selective", &[6], &["720", "1", "1.8", "<1.0"]),
            line("selective(7)", "selective", &[7], &["5040", "1", "6.3", "<1.0"]),
            line("selective(8)", "selective", &[8], &["40320", "1", "51.0", "<1.0"]).long(),
            line("lock(3)", "lock", &[3], &["30", "6", "0.9", "0.9"]),
            line("lock(4)", "lock", &[4], &["336", "24", "1.4", "0.9"]),
            line("lock(5)", "lock", &[5], &["5040", "120", "9.0", "1.3"]),
            line("lock(6)", "lock", &[6], &["95040", "720", "207", "2.6"]).long(),
            absent("poolboy", &["746", "265", "6.6", "4.0"]),
            absent("gproc", &["1168", "784", "12.7", "10.0"]),
            absent("corfu-repair", &["92750496", "3864604", "3679200", "187200"]),
        ],
        remarks: &["poolboy, gproc and corfu-repair are programs in Erlang that are not here."],
    },
];
