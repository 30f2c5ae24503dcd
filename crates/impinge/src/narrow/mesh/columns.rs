//! Eight vectors at a time, by columns.

use fearless_simd::{Simd, f32x8, prelude::*};

/// Eight vectors: their first coordinates, their second and their third.
pub(in crate::narrow) type Wide<S> = [f32x8<S>; 3];

/// The same vector in all lanes.
#[inline(always)]
pub(in crate::narrow) fn splat<S: Simd>(simd: S, v: [f32; 3]) -> Wide<S> {
    [
        f32x8::splat(simd, v[0]),
        f32x8::splat(simd, v[1]),
        f32x8::splat(simd, v[2]),
    ]
}

#[inline(always)]
pub(in crate::narrow) fn load<S: Simd>(simd: S, columns: &[[f32; 8]; 3]) -> Wide<S> {
    [
        f32x8::load_array_ref(simd, &columns[0]),
        f32x8::load_array_ref(simd, &columns[1]),
        f32x8::load_array_ref(simd, &columns[2]),
    ]
}

#[inline(always)]
pub(in crate::narrow) fn sub<S: Simd>(p: Wide<S>, q: Wide<S>) -> Wide<S> {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

/// Not fused, so that every processor finds the same.
#[inline(always)]
pub(in crate::narrow) fn dot<S: Simd>(p: Wide<S>, q: Wide<S>) -> f32x8<S> {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

#[inline(always)]
pub(in crate::narrow) fn cross<S: Simd>(p: Wide<S>, q: Wide<S>) -> Wide<S> {
    [
        p[1] * q[2] - p[2] * q[1],
        p[2] * q[0] - p[0] * q[2],
        p[0] * q[1] - p[1] * q[0],
    ]
}
