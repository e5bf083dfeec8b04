//! Searches that are bounded, estimated, sampled or given up.

mod bounds;
mod estimate;
mod sampling;
mod too_long;
