//! Small programs that an algorithm gets wrong if it takes a short cut; from the test suites of Concuerror and Nidhugg.
//!
//! In the descriptions, `Wx` is x := 1, `Rx` a read, `|` separates threads.

use super::{Entry, Source};

const fn small(name: &'static str, classes: &'static str, description: &'static str, text: &'static str) -> Entry {
    let citation = "conformance programs of JACM'17's tools";
    Entry { name, parameters: &[], description, citation, classes, source: Source::Text(text) }
}

pub(super) const ENTRIES: &[Entry] = &[
    small("sleeping_races_1", "3", "Wy | Wx | Rx; if 1: Ry", "var x, y; y = 1 | x = 1 | r = x; if r == 1 { read y }"),
    small(
        "sleeping_races_2",
        "5",
        "Wy | Wx | y:=2; Rx; if 1: Ry",
        "var x, y; y = 1 | x = 1 | y = 2; r = x; if r == 1 { read y }",
    ),
    small(
        "sleeping_races_3r",
        "6",
        "Wy | Wx | Rx | Rx; if 1: Ry",
        "var x, y; y = 1 | x = 1 | read x | r = x; if r == 1 { read y }",
    ),
    small(
        "sleeping_races_3w",
        "10",
        "Wy | Wx | x:=2 | Rx; if not 0: Ry",
        "var x, y; y = 1 | x = 1 | x = 2 | r = x; if r != 0 { read y }",
    ),
    small(
        "sleeping_races_6",
        "10",
        "Ww | Wx | Wy | Ry; Wz | Ry; if 1 {Rz; if 1 {Rx; if 1: Rw}}",
        "var w, x, y, z; w = 1 | x = 1 | y = 1 | read y; z = 1 | r = y; if r == 1 { s = z; if s == 1 { t = x; if t == 1 { read w } } }",
    ),
    small(
        "many_initials",
        "5",
        "Wx | Wy | Wz | Ry; Rz; if both 1: Rx",
        "var x, y, z; x = 1 | y = 1 | z = 1 | r = y; s = z; if r == 1 && s == 1 { read x }",
    ),
    small("difficult_readers", "18", "Wx | x:=2 | Rx | Rx", "var x; x = 1 | x = 2 | read x | read x"),
    small(
        "not_prerequisite",
        "7",
        "Wx; Wy | Ry; if 1: Rx | Wy",
        "var x, y; x = 1; y = 1 | r = y; if r == 1 { read x } | y = 1",
    ),
    small(
        "conditional_readers",
        "12",
        "Wx | F | F with F = Ry; if 0 {Rx; Wy}",
        "var x, y; x = 1 | r = y; if r == 0 { read x; y = 1 } | r = y; if r == 0 { read x; y = 1 }",
    ),
    small(
        "conditional_readers_2",
        "7",
        "Wx | F | F with F = Ry; if 0 {Rx; if 1: Wy}",
        "var x, y; x = 1 | r = y; if r == 0 { s = x; if s == 1 { y = 1 } } | r = y; if r == 0 { s = x; if s == 1 { y = 1 } }",
    ),
    small(
        "conditional_readers_3",
        "6",
        "Wx | Ry; if 0: Rx | Rx; Wy",
        "var x, y; x = 1 | r = y; if r == 0 { read x } | read x; y = 1",
    ),
    small(
        "combination_lock",
        "6",
        "Wz | Wx; Wa; Ry; if 1 {Ww; Wb} | Rx; if 1 {Wy; Wc; Rv; if 1: Rz} | Rw; if 1 {Wv; Wd}",
        "var a, b, c, d, v, w, x, y, z; z = 1 | x = 1; a = 1; r = y; if r == 1 { w = 1; b = 1 } | r = x; if r == 1 { y = 1; c = 1; s = v; if s == 1 { read z } } | r = w; if r == 1 { v = 1; d = 1 }",
    ),
    small(
        "diff_dep_1",
        "9",
        "Wx | Wy | Wz | Rz; if 1: Rx | Ry; if 1: Rx. A wakeup sequence cut down to the causes of the second event loses one.",
        "var x, y, z; x = 1 | y = 1 | z = 1 | r = z; if r == 1 { read x } | r = y; if r == 1 { read x }",
    ),
    small(
        "cyclic_readers",
        "7",
        "Wx; Rz | Wy; Rx | Wz; Ry. Three races, eight directions, one of them impossible.",
        "var x, y, z; x = 1; read z | y = 1; read x | z = 1; read y",
    ),
];
