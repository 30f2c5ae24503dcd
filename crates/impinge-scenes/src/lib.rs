//! Scenes and generators shared by tests, benchmarks and the program.
//!
//! Everything here is a function of its parameters and a seed: the same call gives the same bits.

pub mod boxes;
pub mod configurations;
pub mod crowd;
pub mod elastic;
pub mod hand;
pub mod knots;
pub mod multi_body;
pub mod points;
pub mod polytopes;
pub mod surfaces;
pub mod trace;
