//! H. T. T. Nguyen, C. Rodríguez, M. Sousa, C. Coti, L. Petrucci: *Quasi-Optimal Partial Order Reduction*, CAV 2018. (Measured
//! with Dpu 0.5 on a Xeon at 2.4 GHz.) The paper rounds counts to thousands; where more digits are known, from Dpu's own
//! output, they stand here.

use super::Metric::{Blocked, Events, EventsLive, Executions, Megabytes, Seconds};
use super::{Column, Line, Table, absent, beside, exact, line};

const OPTIMAL: &str = "unfolding";

/// As Dpu chooses and counts; then as we do.
const COLUMNS: [Column; 12] = [
    exact("executions", OPTIMAL, Executions),
    exact("k=1 SSB", OPTIMAL, Blocked).with(&["--dpu", "--k", "1"]),
    exact("k=2 SSB", OPTIMAL, Blocked).with(&["--dpu", "--k", "2"]),
    exact("k=3 SSB", OPTIMAL, Blocked).with(&["--dpu", "--k", "3"]),
    exact("all SSB", OPTIMAL, Blocked).with(&["--dpu"]),
    exact("events", OPTIMAL, Events).with(&["--dpu"]),
    beside("ours k=1", OPTIMAL, Blocked).with(&["--k", "1"]),
    beside("ours k=2", OPTIMAL, Blocked).with(&["--k", "2"]),
    beside("ours k=3", OPTIMAL, Blocked).with(&["--k", "3"]),
    beside("shortest k=1", OPTIMAL, Blocked).with(&["--k", "1", "--alternatives", "shortest"]),
    beside("events made", OPTIMAL, Events),
    beside("live", OPTIMAL, EventsLive),
];

/// Our choices. Nidhugg's algorithm is source-DPOR.
const TIME_AND_MEMORY: [Column; 9] = [
    beside("executions", OPTIMAL, Executions),
    beside("k=1 s", OPTIMAL, Seconds).with(&["--k", "1"]),
    beside("k=2 s", OPTIMAL, Seconds).with(&["--k", "2"]),
    beside("k=3 s", OPTIMAL, Seconds).with(&["--k", "3"]),
    beside("all s", OPTIMAL, Seconds),
    beside("all MB", OPTIMAL, Megabytes),
    beside("source SSB", "source", Blocked),
    beside("source s", "source", Seconds),
    beside("source MB", "source", Megabytes),
];

/// Columns of searches that are blocked so often that they take hours here as they do there.
const K1: &[&str] = &["k=1 SSB"];
const K1_K2: &[&str] = &["k=1 SSB", "k=2 SSB"];

const fn disp(benchmark: &'static str, arguments: &'static [i64], paper: &'static [&'static str]) -> Line {
    line(benchmark, "disp", arguments, paper)
}

const fn pol(benchmark: &'static str, arguments: &'static [i64], paper: &'static [&'static str]) -> Line {
    line(benchmark, "pol", arguments, paper)
}

#[rustfmt::skip]
pub(super) const TABLES: [Table; 3] = [
    Table {
        number: "Table 1",
        caption: "k-partial and optimal alternatives: executions, sleep-set blocked executions (SSB), events",
        columns: &COLUMNS,
        lines: &[
            disp("disp(5,2)", &[5, 2], &["137", "1039", "43", "0", "0", "1603", "1039", "43", "0", "1039", "-", "-"]),
            disp("disp(5,3)", &[5, 3], &["1482", "11167", "595", "1", "0", "17594", "11167", "595", "1", "11167", "-", "-"]),
            disp("disp(5,4)", &[5, 4], &["15282", "105971", "6353", "213", "0", "-", "105971", "6353", "213", "105971", "-", "-"]).long(),
            disp("disp(5,5)", &[5, 5], &["151032", "-", "53658", "2378", "0", "-", "-", "53658", "2378", "-", "-", "-"]).long().skip(K1),
            line("mpat(4)", "mpat", &[4], &["384", "0", "0", "0", "0", "3822", "0", "0", "0", "0", "-", "-"]),
            line("mpat(5)", "mpat", &[5], &["3840", "0", "0", "0", "0", "-", "0", "0", "0", "0", "-", "-"]),
            line("mpat(6)", "mpat", &[6], &["46080", "0", "0", "0", "0", "-", "0", "0", "0", "0", "-", "-"]).long(),
            line("mpc(2,5)", "mpc", &[2, 5], &["60", "560", "0", "-", "0", "397", "560", "0", "-", "560", "-", "-"]),
            line("mpc(3,5)", "mpc", &[3, 5], &["2958", "50664", "2578", "0", "0", "7832", "50664", "2578", "0", "50664", "-", "-"]),
            line("mpc(3,4)", "mpc", &[3, 4], &["3486", "-", "-", "-", "0", "14833", "-", "-", "-", "-", "-", "-"]),
            line("mpc(4,5)", "mpc", &[4, 5], &["314064", "-", "-", "29597", "0", "-", "-", "-", "29597", "-", "-", "-"]).long().skip(K1_K2),
            line("pi(5)", "pi", &[5], &["120", "0", "0", "0", "0", "1623", "0", "0", "0", "0", "-", "-"]),
            line("pi(6)", "pi", &[6], &["720", "0", "0", "0", "0", "10221", "0", "0", "0", "0", "-", "-"]),
            line("pi(7)", "pi", &[7], &["5040", "0", "0", "0", "0", "-", "0", "0", "0", "0", "-", "-"]),
            line("pi(8)", "pi", &[8], &["40320", "0", "0", "0", "0", "-", "0", "0", "0", "0", "-", "-"]).long(),
            pol("pol(7,3)", &[7, 3], &["2440", "72022", "1271", "6", "0", "51317", "72022", "1271", "6", "72022", "-", "-"]).long(),
            pol("pol(8,3)", &[8, 3], &["3700", "214737", "2771", "10", "0", "82819", "214737", "2771", "10", "214737", "-", "-"]).long(),
            pol("pol(9,3)", &[9, 3], &["5332", "592219", "4659", "15", "0", "-", "592219", "4659", "15", "592219", "-", "-"]).long().skip(K1),
            pol("pol(10,3)", &[10, 3], &["7384", "-", "-", "21", "0", "-", "-", "9K", "21", "-", "-", "-"]).long().skip(K1),
            pol("pol(11,3)", &[11, 3], &["9904", "-", "-", "28", "0", "-", "-", "12K", "28", "-", "-", "-"]).long().skip(K1),
            pol("pol(12,3)", &[12, 3], &["12940", "-", "-", "36", "0", "-", "-", "20K", "36", "-", "-", "-"]).long().skip(K1),
            line("ssbexp(5)", "ssbexp", &[5], &["10", "-", "0", "0", "0", "-", "-", "0", "0", "-", "-", "-"]),
            line("ssbexp(7)", "ssbexp", &[7], &["14", "-", "0", "0", "0", "-", "-", "0", "0", "-", "-", "-"]),
            line("two(8)", "sections", &[8], &["12870", "0", "0", "0", "0", "-", "0", "0", "0", "0", "-", "-"]),
        ],
        remarks: &[
            "The first columns are by --dpu: how often k-partial alternatives are blocked depends on choices that the algorithm \
             leaves open, and on what an event is. Dpu's are lock, unlock, create, join, and the start and end of a thread; ours are \
             the critical section as one event, and what is of no use is forgotten.",
            "On mpat(7), mpat(8), disp(5,6) and mpc(5,5) Dpu was stopped after 8 minutes: they are in the table of times only.",
        ],
    },
    Table {
        number: "Table 1, time and memory",
        caption: "k-partial and optimal alternatives in Dpu, source-DPOR in Nidhugg: seconds and megabytes",
        columns: &TIME_AND_MEMORY,
        lines: &[
            line("disp(5,2)", "disp", &[5, 2], &["137", "0.8", "0.4", "0.4", "0.4", "37", "2K", "1.2", "33"]),
            line("disp(5,3)", "disp", &[5, 3], &["2K", "5.4", "1.3", "1.0", "1.0", "37", "13K", "10.8", "33"]),
            line("disp(5,4)", "disp", &[5, 4], &["15K", "58.5", "16.4", "10.3", "10.3", "87", "115K", "109", "33"]).long(),
            line("disp(5,5)", "disp", &[5, 5], &["151K", "TO", "476", "280", "257", "729", "-", "TO", "33"]).long(),
            line("disp(5,6)", "disp", &[5, 6], &["?", "TO", "TO", "TO", "TO", "1131", "-", "TO", "33"]).long(),
            line("mpat(4)", "mpat", &[4], &["384", "0.5", "N/A", "N/A", "0.5", "37", "0", "0.6", "33"]),
            line("mpat(5)", "mpat", &[5], &["4K", "2.4", "N/A", "N/A", "2.7", "37", "0", "1.8", "33"]),
            line("mpat(6)", "mpat", &[6], &["46K", "50.6", "N/A", "N/A", "73.2", "214", "0", "21.5", "33"]).long(),
            line("mpat(7)", "mpat", &[7], &["645K", "TO", "TO", "TO", "TO", "660", "0", "359", "33"]).long(),
            line("mpat(8)", "mpat", &[8], &["?", "TO", "TO", "TO", "TO", "689", "-", "TO", "33"]).long(),
            line("mpc(2,5)", "mpc", &[2, 5], &["60", "0.6", "0.4", "N/A", "0.4", "38", "3K", "2.0", "34"]),
            line("mpc(3,5)", "mpc", &[3, 5], &["3K", "26.5", "3.0", "1.7", "1.7", "38", "90K", "70.7", "34"]),
            line("mpc(4,5)", "mpc", &[4, 5], &["314K", "TO", "TO", "391", "296", "239", "-", "TO", "33"]).long(),
            line("mpc(5,5)", "mpc", &[5, 5], &["?", "TO", "TO", "TO", "TO", "834", "-", "TO", "34"]).long(),
            line("pi(5)", "pi", &[5], &["120", "0.4", "N/A", "N/A", "0.5", "39", "0", "19.6", "35"]),
            line("pi(6)", "pi", &[6], &["720", "0.7", "N/A", "N/A", "0.7", "39", "0", "123", "35"]),
            line("pi(7)", "pi", &[7], &["5K", "3.5", "N/A", "N/A", "4.0", "45", "-", "TO", "34"]),
            line("pi(8)", "pi", &[8], &["40K", "48.1", "N/A", "N/A", "42.9", "246", "-", "TO", "34"]).long(),
            line("pol(7,3)", "pol", &[7, 3], &["3K", "48.5", "2.9", "1.9", "1.9", "39", "90K", "74.1", "33"]).long(),
            line("pol(8,3)", "pol", &[8, 3], &["4K", "153", "5.5", "3.0", "3.0", "52", "274K", "251", "33"]).long(),
            line("pol(9,3)", "pol", &[9, 3], &["5K", "464", "9.5", "4.8", "4.8", "73", "-", "TO", "33"]).long(),
            line("pol(10,3)", "pol", &[10, 3], &["7K", "TO", "17.2", "6.8", "7.1", "99", "-", "TO", "33"]).long(),
            line("pol(11,3)", "pol", &[11, 3], &["10K", "TO", "27.2", "9.7", "10.6", "138", "-", "TO", "33"]).long(),
            line("pol(12,3)", "pol", &[12, 3], &["12K", "TO", "46.3", "13.5", "16.4", "184", "-", "TO", "33"]).long(),
        ],
        remarks: &[
            "The paper's TO is 8 minutes; N/A: a lower k was never blocked. Its figures are of programs in C on a Xeon at 2.4 GHz. Its \
             column of threads is left out.",
        ],
    },
    Table {
        number: "Table 2",
        caption: "system code, by Dpu and Maple: executions",
        columns: &[exact("Dpu", OPTIMAL, Executions), exact("Maple", OPTIMAL, Executions), beside("Dpu s", OPTIMAL, Seconds), beside("Maple s", OPTIMAL, Seconds)],
        lines: &[
            absent("Add(2)", &["2", "2", "24.3", "2.7"]), absent("Add(4)", &["24", "24", "25.5", "34.5"]),
            absent("Add(6)", &["720", "316", "48.1", "TO"]), absent("Add(8)", &["14K", "329", "TO", "TO"]),
            absent("Add(10)", &["14K", "295", "TO", "TO"]),
            absent("Blk(5)", &["1", "1", "0.9", "4.6"]), absent("Blk(15)", &["5", "5", "0.9", "23.3"]),
            absent("Blk(18)", &["180", "105", "1.0", "TO"]), absent("Blk(20)", &["1147", "106", "1.5", "TO"]),
            absent("Blk(22)", &["5424", "108", "2.6", "TO"]), absent("Blk(24)", &["20K", "105", "10.0", "TO"]),
            absent("Dnd(2,4)", &["80", "80", "11.1", "122"]), absent("Dnd(4,2)", &["96", "96", "11.8", "151"]),
            absent("Dnd(4,4)", &["13K", "360", "TO", "TO"]), absent("Dnd(6,2)", &["4320", "388", "149.3", "TO"]),
            absent("Mdl(1,4)", &["1", "1", "26.1", "1.4"]), absent("Mdl(2,2)", &["9", "9", "29.2", "13.3"]),
            absent("Mdl(2,3)", &["576", "304", "46.2", "TO"]), absent("Mdl(3,2)", &["256", "256", "31.1", "402"]),
            absent("Mdl(4,3)", &["14K", "329", "TO", "TO"]),
            absent("Pla(1,5)", &["1", "1", "22.8", "1.7"]), absent("Pla(2,4)", &["80", "80", "37.2", "142.4"]),
            absent("Pla(4,3)", &["1368", "266", "160.5", "TO"]), absent("Pla(6,3)", &["4580", "269", "TO", "TO"]),
        ],
        remarks: &["These are the Debian packages blktrace and mafft with inputs and bugs of the authors, which are not here."],
    },
];
