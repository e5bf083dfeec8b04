//! P. A. Abdulla, S. Aronis, B. Jonsson, K. Sagonas: *Comparing Source Sets and Persistent Sets for Partial Order Reduction*,
//! 2017. It has no table; what it counts stands in its text.

use super::Metric::{Executions, Traces};
use super::{Table, beside, exact, line};

#[rustfmt::skip]
pub(super) const TABLES: [Table; 1] = [
    Table {
        number: "Figure 1",
        caption: "writer and readers: traces by persistent sets and by source sets",
        columns: &[beside("classic", "classic", Traces), beside("source", "source", Traces), exact("optimal", "optimal", Executions)],
        lines: &[line("readers(2)", "readers", &[2], &["-", "-", "4"])],
        remarks: &[
            "The paper has no table. Its other program with a count, Figure 4 (75 execution sequences, 7 traces), is a drawing: it is \
             not here.",
        ],
    },
];
