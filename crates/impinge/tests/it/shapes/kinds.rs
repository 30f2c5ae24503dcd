//! Random pairs of every kind, and the ways in which they stand to each other.

use impinge::{Mat3, Pose, Quat, Shape, SupportMap, Vec3};
use rand::{Rng, RngExt};

/// How many kinds there are; [`HALF_SPACE`] is the last.
pub(crate) const KINDS: usize = 9;
pub(crate) const HALF_SPACE: usize = 8;

/// How two shapes stand to each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Family {
    /// Anywhere near each other.
    Random,
    /// Sizes and places on a coarse grid, quarter turns: much touches.
    Snapped,
    /// One deep inside the other.
    Nested,
    /// Sizes of zero where allowed, needles and discs where not.
    Degenerate,
    /// All lengths times a factor.
    Scaled(f64),
    /// Far from the origin.
    Far(f64),
}

pub(crate) const FAMILIES: [Family; 9] = [
    Family::Random,
    Family::Snapped,
    Family::Nested,
    Family::Degenerate,
    Family::Scaled(1e-9),
    Family::Scaled(1e9),
    Family::Scaled(1e-280),
    Family::Scaled(1e280),
    Family::Far(1e6),
];

/// `|x|^4 + |y|^4 + |z|^4 <= r^4`, by its support points.
#[derive(Debug, Clone, Copy)]
pub(super) struct SuperBall(pub(super) f64);

impl SupportMap for SuperBall {
    fn support(&self, direction: Vec3) -> Vec3 {
        let largest = direction.abs().max_element();
        if largest == 0.0 {
            return Vec3::ZERO;
        }
        let root = (direction / largest).map(|x| x.abs().cbrt().copysign(x));
        let fourth = root.to_array().iter().map(|x| x.powi(4)).sum::<f64>();
        root / fourth.sqrt().sqrt() * self.0
    }
}

/// A shape of the kind, with sizes near one.
pub(crate) fn shape(rng: &mut impl Rng, kind: usize, family: Family) -> Shape {
    let factor = match family {
        Family::Scaled(factor) => factor,
        _ => 1.0,
    };
    let mut size = || {
        factor
            * match family {
                Family::Snapped => f64::from(rng.random_range(1..4)) * 0.5,
                Family::Degenerate => [1e-6, 1.0, 0.01][rng.random_range(0..3)],
                _ => rng.random_range(0.2..1.5),
            }
    };
    let (x, y, z) = (size(), size(), size());
    let may_vanish = |size: f64| {
        if family == Family::Degenerate && size < 0.1 {
            0.0
        } else {
            size
        }
    };
    let made = match kind {
        0 => Shape::sphere(may_vanish(x)),
        1 => Shape::capsule(may_vanish(x), may_vanish(y)),
        2 => Shape::cuboid(Vec3::new(x, y, z)),
        3 => Shape::hull(&hull_points(rng, Vec3::new(x, y, z), family)),
        4 => Shape::cylinder(x, y),
        5 => Shape::cone(x, y),
        6 => Shape::ellipsoid(Vec3::new(x, y, z)),
        7 => Shape::custom(SuperBall(x)),
        _ => {
            let normal = if family == Family::Snapped {
                axis(rng)
            } else {
                point(rng)
            };
            Shape::half_space(normal, x - y)
        }
    };
    made.unwrap()
}

fn hull_points(rng: &mut impl Rng, size: Vec3, family: Family) -> Vec<Vec3> {
    if family == Family::Snapped {
        // A pyramid on the grid.
        let base = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let mut points: Vec<Vec3> = base.iter().map(|[x, y]| Vec3::new(*x, *y, 0.0)).collect();
        points.push(Vec3::Z * 2.0);
        return points;
    }
    (0..14).map(|_| point(rng) * size).collect()
}

pub(crate) fn point(rng: &mut impl Rng) -> Vec3 {
    let mut coordinate = || rng.random_range(-1.0..=1.0);
    Vec3::new(coordinate(), coordinate(), coordinate())
}

fn axis(rng: &mut impl Rng) -> Vec3 {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let axis = axes[rng.random_range(0..3)];
    if rng.random_bool(0.5) { axis } else { -axis }
}

fn turn(rng: &mut impl Rng, family: Family) -> Mat3 {
    if family == Family::Snapped || rng.random_bool(0.1) {
        let first = axis(rng);
        let mut second = axis(rng);
        while second.dot(first) != 0.0 {
            second = axis(rng);
        }
        return Mat3::from_cols(first, second, first.cross(second));
    }
    let q = Quat::from_vec4(point(rng).extend(rng.random_range(0.1..1.0)));
    Mat3::from_quat(q.normalize())
}

/// Poses for a pair.
pub(crate) fn poses(rng: &mut impl Rng, family: Family) -> [Pose; 2] {
    let apart = match family {
        Family::Nested => point(rng) * 0.05,
        Family::Snapped => {
            let mut step = || f64::from(rng.random_range(-4..=4)) * 0.5;
            Vec3::new(step(), step(), step())
        }
        Family::Scaled(factor) => point(rng) * 1.8 * factor,
        Family::Random | Family::Degenerate | Family::Far(_) => point(rng) * 1.8,
    };
    let base = match family {
        Family::Far(away) => point(rng) * away,
        Family::Scaled(factor) => point(rng) * factor,
        _ => Vec3::ZERO,
    };
    [base, base + apart].map(|at| Pose::from_matrix(turn(rng, family), at).unwrap())
}

/// The shape grown by a radius, at one time or in two.
fn rounded(rng: &mut impl Rng, shape: Shape, family: Family) -> Shape {
    let factor = match family {
        Family::Scaled(factor) => factor,
        _ => 1.0,
    };
    let once = shape.rounded(0.25 * factor).unwrap();
    if rng.random_bool(0.3) {
        once.rounded(0.1 * factor).unwrap()
    } else {
        once
    }
}

/// A pair of the kinds at poses; by the round, one of the two is rounded, or none.
pub(crate) fn pair(
    rng: &mut impl Rng,
    [kind_a, kind_b]: [usize; 2],
    family: Family,
    round: u32,
) -> ([Shape; 2], [Pose; 2]) {
    let mut side = |kind: usize, is_rounded: bool| -> Shape {
        let plain = shape(rng, kind, family);
        if is_rounded {
            rounded(rng, plain, family)
        } else {
            plain
        }
    };
    let shapes = [side(kind_a, round % 4 == 1), side(kind_b, round % 4 >= 2)];
    (shapes, poses(rng, family))
}

/// How well distances of a kind are known, as a share of the scale; kinds 4, 5, 6 and 7 are cylinders, cones, ellipsoids and custom shapes.
pub(crate) fn tolerance_of(kind: usize) -> f64 {
    match kind {
        4..=6 => 1e-12,
        7 => 1e-9,
        _ => 0.0,
    }
}
