//! P. A. Abdulla, S. Aronis, B. Jonsson, K. Sagonas: *Source Sets: A Foundation for Optimal Dynamic Partial Order
//! Reduction*, JACM 64(4), 2017. (Measured with Concuerror.)

use super::Metric::{Blocked, Executions, Megabytes, Seconds, Traces, TreeNodes};
use super::{Table, absent, beside, exact, line};

const CLASSIC_SOURCE_OPTIMAL: [super::Column; 6] = [
    beside("classic", "classic", Traces),
    beside("source", "source", Traces),
    exact("optimal", "optimal", Executions),
    beside("classic s", "classic", Seconds),
    beside("source s", "source", Seconds),
    beside("optimal s", "optimal", Seconds),
];

const BLOCKED: &str = "Which executions are blocked depends on the order in which threads are tried: the figures of classic and \
                       source are to compare with.";
const ERLANG: &str = "The four Erlang applications are not here.";

#[rustfmt::skip]
pub(super) const TABLES: [Table; 6] = [
    Table {
        number: "Table 1",
        caption: "traces explored by source- and optimal-DPOR for the program in Figure 10",
        columns: &[
            beside("source", "source", Traces), exact("optimal", "optimal", Executions), beside("blocked", "source", Blocked),
            beside("source s", "source", Seconds), beside("optimal s", "optimal", Seconds),
        ],
        lines: &[
            line("linexp(1)", "linexp", &[1], &["8", "5", "3", "0.03", "0.02"]),
            line("linexp(2)", "linexp", &[2], &["20", "9", "11", "0.08", "0.04"]),
            line("linexp(3)", "linexp", &[3], &["41", "13", "28", "0.20", "0.07"]),
            line("linexp(4)", "linexp", &[4], &["78", "17", "61", "0.41", "0.10"]),
            line("linexp(5)", "linexp", &[5], &["145", "21", "124", "0.81", "0.17"]),
            line("linexp(6)", "linexp", &[6], &["268", "25", "243", "1.56", "0.20"]),
            line("linexp(7)", "linexp", &[7], &["373", "29", "344", "2.38", "0.26"]),
            line("linexp(8)", "linexp", &[8], &["674", "33", "641", "4.70", "0.34"]),
            line("linexp(9)", "linexp", &[9], &["1,222", "37", "1,185", "8.79", "0.44"]),
        ],
        remarks: &[BLOCKED],
    },
    Table {
        number: "Table 2",
        caption: "nodes in the largest wakeup tree, memory and time for the program in Figure 12",
        columns: &[
            exact("traces", "optimal", Executions), beside("nodes", "optimal", TreeNodes), beside("optimal MB", "optimal", Megabytes),
            beside("optimal s", "optimal", Seconds), beside("source MB", "source", Megabytes), beside("source s", "source", Seconds),
        ],
        lines: &[
            line("wakeup_stress(1)", "wakeup_stress", &[1], &["2", "7", "22", "0.01", "22", "0.01"]),
            line("wakeup_stress(2)", "wakeup_stress", &[2], &["4", "21", "22", "0.02", "22", "0.02"]),
            line("wakeup_stress(3)", "wakeup_stress", &[3], &["12", "79", "22", "0.06", "22", "0.05"]),
            line("wakeup_stress(4)", "wakeup_stress", &[4], &["48", "374", "23", "0.24", "22", "0.24"]),
            line("wakeup_stress(5)", "wakeup_stress", &[5], &["240", "2,159", "27", "1.23", "22", "1.21"]),
            line("wakeup_stress(6)", "wakeup_stress", &[6], &["1,440", "14,698", "42", "8.96", "22", "8.74"]),
            line("wakeup_stress(7)", "wakeup_stress", &[7], &["10,080", "115,091", "114", "67", "22", "62"]),
            line("wakeup_stress(8)", "wakeup_stress", &[8], &["80,640", "1,018,094", "801", "588", "22", "570"]).long(),
            line("wakeup_stress(9)", "wakeup_stress", &[9], &["725,760", "9,916,765", "8,364", "5942", "22", "5354"]).long(),
        ],
        remarks: &[
            "Our trees are those of one prefix, without what is below the branch under exploration, which is a tree of its own; the \
             paper's figures count more.",
            "Backtrack sets of source-DPOR, which the paper counts as well, have n+1 entries; they are not counted here.",
        ],
    },
    Table {
        number: "Table 3",
        caption: "two benchmarks",
        columns: &CLASSIC_SOURCE_OPTIMAL,
        lines: &[
            line("filesystem(14)", "filesystem", &[14], &["4", "2", "2", "0.54", "0.36", "0.35"]),
            line("filesystem(16)", "filesystem", &[16], &["64", "8", "8", "8.13", "1.82", "1.78"]),
            line("filesystem(18)", "filesystem", &[18], &["1,024", "32", "32", "131", "8.52", "8.86"]),
            line("filesystem(19)", "filesystem", &[19], &["4,096", "64", "64", "513", "18.62", "19.57"]),
            line("indexer(12)", "indexer", &[12], &["78", "8", "8", "0.74", "0.11", "0.10"]),
            line("indexer(15)", "indexer", &[15], &["341,832", "4,096", "4,096", "3380", "50.24", "52.35"]).long(),
        ],
        remarks: &[BLOCKED],
    },
    Table {
        number: "Table 4",
        caption: "more benchmarks",
        columns: &CLASSIC_SOURCE_OPTIMAL,
        lines: &[
            line("readers(2)", "readers", &[2], &["5", "4", "4", "0.02", "0.02", "0.02"]),
            line("readers(8)", "readers", &[8], &["3,281", "256", "256", "13.98", "1.31", "1.29"]),
            line("readers(13)", "readers", &[13], &["797,162", "8,192", "8,192", "5167", "86", "86"]).long(),
            line("lastzero(5)", "lastzero", &[5], &["241", "79", "64", "1.08", "0.38", "0.32"]),
            line("lastzero(10)", "lastzero", &[10], &["53,198", "7,204", "3,328", "287", "45.21", "27.61"]),
            line("lastzero(15)", "lastzero", &[15], &["9,378,091", "302,587", "147,456", "92351", "3304", "1813"]).long(),
        ],
        remarks: &[BLOCKED, "The paper prints 3,025,87 for lastzero(15) by source-DPOR."],
    },
    Table {
        number: "Table 5",
        caption: "four real programs",
        columns: &CLASSIC_SOURCE_OPTIMAL,
        lines: &[
            absent("dialyzer", &["12,436", "3,600", "3,600", "886", "317", "346"]),
            absent("gproc", &["14,080", "8,328", "8,104", "183", "105", "117"]),
            absent("poolboy", &["6,018", "3,120", "2,680", "182", "88", "80"]),
            absent("rushhour", &["793,375", "536,118", "528,984", "8719", "6115", "6341"]),
        ],
        remarks: &[ERLANG],
    },
    Table {
        number: "Table 6",
        caption: "memory in MB for selected benchmarks",
        columns: &[beside("classic MB", "classic", Megabytes), beside("source MB", "source", Megabytes), beside("optimal MB", "optimal", Megabytes)],
        lines: &[
            line("filesystem(19)", "filesystem", &[19], &["92.98", "66.07", "76.17"]),
            line("indexer(15)", "indexer", &[15], &["245.32", "165.23", "174.60"]).long(),
            absent("gproc", &["557.31", "480.96", "481.07"]),
            absent("rushhour", &["24.01", "24.01", "31.07"]),
        ],
        remarks: &[ERLANG],
    },
];
