//! Signs and tests that are never wrong.
//!
//! Each question is answered on three levels. A **filter** computes in floating point with a derived error bound; where
//! the bound cannot decide, an **expansion** (a sum of non-overlapping floats, from the `robust` crate) gives the exact
//! sign for numbers of ordinary size; where exponents are so extreme that expansions would overflow or underflow, or the
//! question has no expansion form, **big integers** decide. All levels give the sign in real arithmetic; [`counts`] says
//! how often each of them had the last word.

mod big;
mod counts;
mod signs;

pub use counts::{Counts, counts};
pub use signs::{
    Axis, Sign, compare_along, in_sphere, normal_component, orientation, side_of_plane,
};
