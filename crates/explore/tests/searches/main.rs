//! Searches that are bounded, estimated, sampled or given up.

mod bounds;
mod bug_first;
mod estimate;
mod loops;
mod sampling;
mod too_long;
mod unfolding;
