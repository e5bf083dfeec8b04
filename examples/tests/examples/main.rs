//! Every example has a bug that is found and a correct version that is proved.

mod actors;
mod laws;
mod structures;
mod tasks;
