//! What is wrong with a face by itself: no area, not planar, not convex.
//!
//! Area and convexity are decided by exact signs. Planarity, too; but a polygon whose corners were rounded to floats is
//! almost never exactly planar, so faces that are not are measured, and those off by no more than the rounding of their
//! corners are told from the others. The measure is the largest distance of a corner from the plane through the centroid
//! across the vector area (Newell's normal, after Sutherland, Sproull and Schumacker 1974).
//!
//! A face that is not exactly planar is judged convex or not by its projection along the axis nearest to that normal.
//! All of it is linear in the number of corners.

use crate::exact::{Axis, Sign, are_collinear, normal_component, orientation, point_on_segment};
use crate::math::{Aabb, Vec3};

/// Whether `b` is on the segment from `a` to `c`, but not at an end.
pub(super) fn is_between(a: Vec3, b: Vec3, c: Vec3) -> bool {
    b != a && b != c && point_on_segment(b, &[a, c])
}

/// Three corners that are not on one line; `None` for a face of zero area.
pub(super) fn spanning_corners(corners: &[Vec3]) -> Option<[Vec3; 3]> {
    let (a, rest) = corners.split_first()?;
    let (i, b) = rest.iter().enumerate().find(|(_, p)| *p != a)?;
    let c = rest[i..].iter().find(|p| !are_collinear(*a, *b, **p))?;
    Some([*a, *b, *c])
}

/// How planar a face is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Planarity {
    /// Exactly.
    Planar,
    /// By no more than rounding.
    Rounded,
    /// Not at all.
    Off {
        /// The largest distance of a corner from the plane of best fit, relative to the size of the face.
        by: f64,
    },
}

/// How planar a face is that has area. Distances up to `rounding` times the largest coordinate count as rounding.
pub(super) fn planarity(corners: &[Vec3], rounding: f64) -> Planarity {
    let Some([a, b, c]) = spanning_corners(corners) else {
        return Planarity::Planar;
    };
    if corners
        .iter()
        .all(|p| orientation(a, b, c, *p) == Sign::Zero)
    {
        return Planarity::Planar;
    }
    let frame = Frame::around(corners);
    let local: Vec<Vec3> = corners.iter().map(|p| frame.local(*p)).collect();
    let centroid = local.iter().sum::<Vec3>() / local.len() as f64;
    let normal = newell(&local).normalize_or_zero();
    let by = local
        .iter()
        .map(|p| normal.dot(*p - centroid).abs())
        .fold(0.0, f64::max);
    let by = frame.relative(by);
    // Both sides are relative to the size of the face.
    if by <= rounding * (frame.magnitude / frame.size) {
        Planarity::Rounded
    } else {
        Planarity::Off { by }
    }
}

/// Whether a face that has area is convex: walking around it once, one never turns right. Straight corners are allowed.
pub(super) fn is_convex(corners: &[Vec3]) -> bool {
    let n = corners.len();
    if n == 3 {
        return true;
    }
    let Some(axis) = projection_axis(corners) else {
        return false;
    };
    let mut turn = Sign::Zero;
    for i in 0..n {
        let [a, b, c] = [corners[i], corners[(i + 1) % n], corners[(i + 2) % n]];
        match normal_component(axis, a, b, c) {
            // Straight on, or back?
            Sign::Zero if rises(axis, a, b) == rises(axis, b, c) => {}
            Sign::Zero => return false,
            sign if turn == Sign::Zero => turn = sign,
            sign if sign == turn => {}
            Sign::Positive | Sign::Negative => return false,
        }
    }
    // Turning one way only still leaves walking around several times: a convex polygon rises once and falls once.
    let changes = (0..n).filter(|i| {
        let [a, b, c] = [corners[*i], corners[(i + 1) % n], corners[(i + 2) % n]];
        rises(axis, a, b) != rises(axis, b, c)
    });
    changes.count() == 2
}

/// Whether the projection of `b` comes after that of `a` in lexicographic order.
fn rises(axis: Axis, a: Vec3, b: Vec3) -> bool {
    axis.project(a) < axis.project(b)
}

/// The axis along which the face shows most of its area, among those along which it shows any.
fn projection_axis(corners: &[Vec3]) -> Option<Axis> {
    let frame = Frame::around(corners);
    let local: Vec<Vec3> = corners.iter().map(|p| frame.local(*p)).collect();
    let normal = newell(&local).abs();
    let mut axes = Axis::ALL;
    axes.sort_by(|i, j| normal[*j as usize].total_cmp(&normal[*i as usize]));
    let n = corners.len();
    axes.into_iter().find(|axis| {
        (0..n).any(|i| {
            let [a, b, c] = [corners[i], corners[(i + 1) % n], corners[(i + 2) % n]];
            normal_component(*axis, a, b, c) != Sign::Zero
        })
    })
}

/// Twice the vector area of a polygon.
fn newell(corners: &[Vec3]) -> Vec3 {
    let n = corners.len();
    (0..n)
        .map(|i| (corners[i] - corners[0]).cross(corners[(i + 1) % n] - corners[0]))
        .sum()
}

/// The plane of an exactly planar face, and the side that its orientation points to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    points: [Vec3; 3],
    axis: Axis,
    /// The sign of the normal along `axis`.
    facing: Sign,
}

impl Plane {
    /// `None` when the face has no area, is not exactly planar, or does not tell its orientation.
    pub(super) fn of(corners: &[Vec3]) -> Option<Plane> {
        let points = spanning_corners(corners)?;
        let [a, b, c] = points;
        if corners
            .iter()
            .any(|p| orientation(a, b, c, *p) != Sign::Zero)
        {
            return None;
        }
        let axis = Axis::ALL
            .into_iter()
            .find(|axis| normal_component(*axis, a, b, c) != Sign::Zero)?;
        // At the least corner in lexicographic order a simple polygon turns as it turns as a whole.
        let n = corners.len();
        let least = (0..n).fold(0, |least, i| {
            if rises(axis, corners[i], corners[least]) {
                i
            } else {
                least
            }
        });
        let facing = normal_component(
            axis,
            corners[(least + n - 1) % n],
            corners[least],
            corners[(least + 1) % n],
        );
        (facing != Sign::Zero).then_some(Plane {
            points,
            axis,
            facing,
        })
    }

    /// Whether another face is in the same plane and faces the same way.
    pub(super) fn continues_in(&self, other: &Plane) -> bool {
        let [a, b, c] = self.points;
        let coplanar = other
            .points
            .iter()
            .all(|p| orientation(a, b, c, *p) == Sign::Zero);
        // Faces of one plane show area along the same axes.
        coplanar && self.axis == other.axis && self.facing == other.facing
    }
}

/// A cube about points, in which their coordinates are at most 1: sums and products of these neither overflow nor
/// underflow in a way that matters. Its unit is a power of two, so that short numbers stay short.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    center: Vec3,
    unit: f64,
    /// The longest edge of the box around the points; positive.
    pub(super) size: f64,
    /// The largest coordinate.
    pub(super) magnitude: f64,
}

impl Frame {
    pub(super) fn around(points: &[Vec3]) -> Frame {
        Frame::of_box(Aabb::of_points(points.iter().copied()))
    }

    /// The frame of a box; of the unit cube, when there is none.
    pub(super) fn of_box(bounds: Option<Aabb>) -> Frame {
        let size = bounds.map_or(0.0, |b| b.size().max_element().min(f64::MAX));
        let size = if size > 0.0 { size } else { 1.0 };
        // Without its fraction a float is a power of two, unless it is among the smallest.
        let power = f64::from_bits(size.to_bits() & f64::INFINITY.to_bits());
        Frame {
            center: bounds.map_or(Vec3::ZERO, |b| b.center()),
            unit: if power > 0.0 { power } else { size },
            size,
            magnitude: bounds.map_or(0.0, |b| b.magnitude()),
        }
    }

    pub(super) fn local(&self, p: Vec3) -> Vec3 {
        // Differences from the centre do not overflow: it is in the middle of numbers that are finite.
        (p - self.center) / self.unit
    }

    /// A length of the frame in the units of the points.
    pub(super) fn length(&self, local: f64) -> f64 {
        local * self.unit
    }

    /// A length of the frame relative to the size of the points.
    pub(super) fn relative(&self, local: f64) -> f64 {
        local * (self.unit / self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polygon(corners: &[[f64; 2]]) -> Vec<Vec3> {
        // In the plane x + y + z = 0, so that no axis is special.
        corners
            .iter()
            .map(|[x, y]| Vec3::new(*x, *y, -x - y))
            .collect()
    }

    #[test]
    fn betweenness_is_strict_and_exact() {
        let [a, c] = [Vec3::ZERO, Vec3::new(3.0, 6.0, -9.0)];
        assert!(is_between(a, c / 3.0, c) && is_between(c, c / 3.0, a));
        assert!(!is_between(a, a, c) && !is_between(a, c, c));
        assert!(!is_between(a, c * 2.0, c) && !is_between(a, -c, c));
        assert!(!is_between(a, c / 3.0 + Vec3::X * 1e-15, c));
    }

    #[test]
    fn convex_faces_may_have_straight_corners() {
        let square = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        assert!(is_convex(&polygon(&square)));
        let mut reversed = polygon(&square);
        reversed.reverse();
        assert!(is_convex(&reversed));
    }

    #[test]
    fn what_is_not_convex() {
        let dart = [[0.0, 0.0], [2.0, 0.0], [0.5, 0.5], [0.0, 2.0]];
        let bow_tie = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
        let pentagram = [
            [0.0, 3.0],
            [2.0, -3.0],
            [-3.0, 1.0],
            [3.0, 1.0],
            [-2.0, -3.0],
        ];
        let whisker = [[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [1.0, 1.0]];
        let twice = [
            [0.0, 0.0],
            [1.0, 0.0],
            [0.0, 1.0],
            [0.0, 0.0],
            [1.0, 0.0],
            [0.0, 1.0],
        ];
        for corners in [&dart[..], &bow_tie, &pentagram, &whisker, &twice] {
            assert!(!is_convex(&polygon(corners)), "{corners:?}");
        }
    }

    #[test]
    fn planarity_is_told_from_rounding() {
        let square = polygon(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        let rounding = 8.0 * f64::EPSILON;
        assert_eq!(planarity(&square, rounding), Planarity::Planar);
        let mut rounded = square.clone();
        rounded[2].z = rounded[2].z.next_up();
        assert_eq!(planarity(&rounded, rounding), Planarity::Rounded);
        let Planarity::Off { by } = planarity(&rounded, 0.0) else {
            panic!("an ulp is off by more than nothing")
        };
        assert!(by > 0.0 && by < 1e-15);
        let mut twisted = square;
        twisted[2].z += 1e-3;
        let Planarity::Off { by } = planarity(&twisted, rounding) else {
            panic!("a thousandth is no rounding")
        };
        assert!(by > 1e-5 && by < 1e-3);
    }

    #[test]
    fn planarity_does_not_depend_on_the_scale() {
        let unit = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.5), Vec3::Y];
        let Planarity::Off { by: expected } = planarity(&unit, 1e-15) else {
            panic!("half is no rounding")
        };
        for scale in [1e-300, 1e-160, 1e160, 1e308] {
            let Planarity::Off { by } = planarity(&unit.map(|p| p * scale), 1e-15) else {
                panic!("half is no rounding")
            };
            assert!((by - expected).abs() < 1e-9, "{scale}");
        }
    }

    #[test]
    fn planes_know_their_side() {
        let square = polygon(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        let dart = polygon(&[[5.0, 0.0], [7.0, 0.0], [5.5, 0.5], [5.0, 2.0]]);
        let mut reversed = dart.clone();
        reversed.reverse();
        let plane = Plane::of(&square).unwrap();
        assert!(plane.continues_in(&Plane::of(&dart).unwrap()));
        assert!(!plane.continues_in(&Plane::of(&reversed).unwrap()));
        let lifted: Vec<Vec3> = dart.iter().map(|p| *p + Vec3::X * 1e-12).collect();
        assert!(!plane.continues_in(&Plane::of(&lifted).unwrap()));
        assert!(Plane::of(&square[..2]).is_none());
    }
}
