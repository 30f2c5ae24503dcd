//! Polynomials with integer coefficients, and their real roots as exact numbers.
//!
//! A moment at which something happens to points on polynomial paths is a root of a polynomial: an algebraic number. A
//! [`Root`] holds it as a square-free polynomial and a dyadic interval in which that polynomial has no other root. Such
//! numbers are compared with each other, and substituted into other polynomials, without error: where narrowing the
//! interval does not tell two numbers apart, the greatest common divisor of their polynomials says whether they are equal.
//!
//! Made for degrees up to three or four and coefficients of any size. Costs a few microseconds an operation.

mod poly;
mod root;

pub(crate) use poly::Poly;
pub(crate) use root::{Root, real_roots, roots_in_unit_interval};
