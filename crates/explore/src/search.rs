//! A search from its start to its report: what it is asked for, what it is told, what it says of what it found.

pub(crate) mod automatic;
pub(crate) mod bounds;
pub(crate) mod bug_first;
pub(crate) mod check;
pub(crate) mod data_race;
pub(crate) mod error;
pub(crate) mod estimate;
pub(crate) mod findings;
pub(crate) mod learning;
pub(crate) mod pivot;
pub(crate) mod settings;
pub(crate) mod shared;
pub(crate) mod shrink;
pub(crate) mod too_long;
