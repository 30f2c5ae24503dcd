//! Vectors of single precision as plain arrays, for steps that go pair by pair.

pub(super) type Triple = [f32; 3];

#[inline(always)]
pub(super) fn dot([a, b, c]: Triple, [x, y, z]: Triple) -> f32 {
    a * x + b * y + c * z
}

#[inline(always)]
pub(super) fn cross([a, b, c]: Triple, [x, y, z]: Triple) -> Triple {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

#[inline(always)]
pub(super) fn plus([a, b, c]: Triple, [x, y, z]: Triple) -> Triple {
    [a + x, b + y, c + z]
}

#[inline(always)]
pub(super) fn minus([a, b, c]: Triple, [x, y, z]: Triple) -> Triple {
    [a - x, b - y, c - z]
}

#[inline(always)]
pub(super) fn times([a, b, c]: Triple, x: f32) -> Triple {
    [a * x, b * x, c * x]
}

#[inline(always)]
pub(super) fn negative([a, b, c]: Triple) -> Triple {
    [-a, -b, -c]
}
