//! Small programs that an algorithm gets wrong if it takes a short cut; from the test suites of Concuerror and Nidhugg.
//!
//! `Wx` is x := 1, `Rx` a read, `|` separates threads.

use super::Entry;
use crate::builder::{Builder, Objects, Operand, ThreadBuilder};

const CITATION: &str = "conformance programs of JACM'17's tools";

/// An entry without parameters.
const fn small(name: &'static str, description: &'static str, classes: &'static str, write: fn(&mut Builder)) -> Small {
    Small { name, description, classes, write }
}

struct Small {
    name: &'static str,
    description: &'static str,
    classes: &'static str,
    write: fn(&mut Builder),
}
