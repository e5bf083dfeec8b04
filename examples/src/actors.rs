//! Actors, each program in a version that Mazurka proves and one with a bug that it finds.
//!
//! | module | program | the bug |
//! |---|---|---|
//! | [`ring`] | leader election on a ring (Chang and Roberts) | a node passes a smaller number on and does not stand |
//! | [`commit`] | two-phase commit | a vote that does not come in time counts as a yes |
//! | [`failover`] | primary and backup with failover | the primary confirms a write before the backup has it |
//! | [`workers`] | a pool of workers, one of which fails | the job of a worker that failed is forgotten |
//! | [`registry`] | servers started on demand, by name | who comes too late with the name keeps its own server |
//! | [`limiter`] | a rate limiter with timers | a timer is not cancelled, and ends another window |
//! | [`chain`] | chain replication, with repair | writes that were on their way are not sent again |

pub mod chain;
pub mod commit;
pub mod failover;
pub mod limiter;
pub mod registry;
pub mod ring;
pub mod workers;
