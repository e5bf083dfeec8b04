//! Models and what is known of them; SPIN is the oracle where it is installed.

mod answers;
mod arbitrary;
mod campaign;
mod language;
mod oracle;
mod reductions;
mod refusals;
mod searches;
