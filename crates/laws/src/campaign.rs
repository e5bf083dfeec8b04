//! Any number of arbitrary programs against the laws.
