//! Axis-aligned boxes: closed, so boxes that share only a face overlap.

use super::{Vec3, require_finite};
use crate::error::Error;

/// A closed axis-aligned box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    min: Vec3,
    max: Vec3,
}

impl Aabb {
    /// The box between two corners. They must be finite, and `min` at most `max` on each axis.
    pub fn new(min: Vec3, max: Vec3) -> Result<Aabb, Error> {
        require_finite(min, || "box minimum".to_owned())?;
        require_finite(max, || "box maximum".to_owned())?;
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            if min[axis] > max[axis] {
                return Err(Error::OutOfRange {
                    what: format!("box minimum {name}"),
                    value: min[axis],
                    expected: "at most the maximum",
                });
            }
        }
        Ok(Aabb { min, max })
    }

    /// The box between two corners that are known to be finite and in order.
    #[inline]
    pub(crate) fn between(min: Vec3, max: Vec3) -> Aabb {
        debug_assert!(min.is_finite() && max.is_finite() && min.cmple(max).all());
        Aabb { min, max }
    }

    /// The smallest box around finite points; `None` when there are none.
    pub fn of_points(points: impl IntoIterator<Item = Vec3>) -> Option<Aabb> {
        let mut points = points.into_iter();
        let first = points.next()?;
        Some(points.fold(
            Aabb {
                min: first,
                max: first,
            },
            |bounds, p| Aabb {
                min: bounds.min.min(p),
                max: bounds.max.max(p),
            },
        ))
    }

    /// The lowest corner.
    pub fn min(&self) -> Vec3 {
        self.min
    }

    /// The highest corner.
    pub fn max(&self) -> Vec3 {
        self.max
    }

    /// The middle, rounded.
    pub fn center(&self) -> Vec3 {
        // Halving first keeps the sum finite.
        self.min * 0.5 + self.max * 0.5
    }

    /// The edge lengths, rounded; infinite where they exceed the range of `f64`.
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// The largest absolute coordinate: the scale against which rounding errors of points inside are measured.
    pub fn magnitude(&self) -> f64 {
        self.min.abs().max(self.max.abs()).max_element()
    }

    /// The smallest box around both.
    pub fn merge(&self, other: &Aabb) -> Aabb {
        Aabb {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Whether the two closed boxes share a point. Exact.
    pub fn overlaps(&self, other: &Aabb) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Whether the point is inside or on the boundary. Exact.
    pub fn contains(&self, point: Vec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// A number that is never above the distance between the two boxes; 0 when they overlap.
    pub fn distance_below(&self, other: &Aabb) -> f64 {
        let gap = (self.min - other.max)
            .max(other.min - self.max)
            .max(Vec3::ZERO);
        let widest = gap.max_element();
        // Along any path there are at most five roundings (difference, square, two sums, root), each of at most half
        // an EPSILON. Beyond these sizes squares overflow, or lose digits; the widest gap alone is a bound, too.
        let below = if (SMALLEST_SQUARED..LARGEST_SQUARED).contains(&widest) {
            gap.length()
        } else {
            widest.min(f64::MAX)
        };
        below * (1.0 - 4.0 * f64::EPSILON)
    }

    /// The box grown by `margin` on all sides, rounded outward.
    pub fn grown(&self, margin: f64) -> Aabb {
        let outward = |v: Vec3, f: fn(f64) -> f64| Vec3::new(f(v.x), f(v.y), f(v.z));
        Aabb {
            min: outward(self.min - Vec3::splat(margin), f64::next_down),
            max: outward(self.max + Vec3::splat(margin), f64::next_up),
        }
    }
}

/// Lengths from 2^-500 to 2^500 have squares of full precision.
const SMALLEST_SQUARED: f64 = f64::from_bits((1023 - 500) << 52);
const LARGEST_SQUARED: f64 = f64::from_bits((1023 + 500) << 52);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_that_share_a_face_overlap() {
        let a = Aabb::new(Vec3::ZERO, Vec3::ONE).unwrap();
        let b = Aabb::new(Vec3::X, Vec3::new(2.0, 1.0, 1.0)).unwrap();
        assert!(a.overlaps(&b));
        assert!(a.distance_below(&b).abs() <= 0.0);
        let c = Aabb::new(Vec3::X.map(|x| x.next_up()), Vec3::splat(2.0)).unwrap();
        assert!(!a.overlaps(&c));
    }

    #[test]
    fn distances_of_any_size_are_bounded_from_below() {
        // The square of this rounds up as a subnormal number.
        for gap in [1.9e-160, 1e-320, 1.0, 1.7e155, 1e308] {
            let (at, beyond) = (Vec3::splat(gap), Vec3::new(0.0, 0.0, gap));
            let boxes = [Vec3::ZERO, at, beyond].map(|p| Aabb::new(p, p).unwrap());
            let [origin, diagonal, above] = boxes;
            assert!(origin.distance_below(&above) <= gap);
            assert!(origin.distance_below(&above) >= 0.999 * gap);
            assert!(origin.distance_below(&diagonal) <= (gap * 1.7320508075688774).min(f64::MAX));
        }
    }

    #[test]
    fn bad_corners_are_refused() {
        assert!(matches!(
            Aabb::new(Vec3::splat(f64::NAN), Vec3::ONE),
            Err(Error::NonFinite { .. })
        ));
        assert!(matches!(
            Aabb::new(Vec3::ONE, Vec3::ZERO),
            Err(Error::OutOfRange { .. })
        ));
    }
}
