//! Depths in closed form: a point in a box, and cylinders, capsules and balls along one axis.
//!
//! - *Point in a box.* With `x` the point in the frame of the box, the way out is along the axis with the least room
//!   `half - |x|`.
//! - *Cylinder with a point, a segment or a cylinder along its axis.* The difference is a cylinder, too: radii and half
//!   heights add up. The way out is through its cap or its wall, whichever leaves less room. Along the wall every
//!   direction is as good where the axes are one, which is where an expanding polytope would not end.
//!
//! Both hold for rotations. A pose's matrix `M` may deviate: with `|M^T M - I| <= v` an entry, lengths and coordinates in
//! the frame are off by less than `4 v` of the size, so that `8 v` times the sizes covers coordinate and room. A second
//! axis that is tilted by an angle moves the points of its core by at most that angle times its size. The lower bound is the
//! room minus all that; the upper bound is measured along the direction, as always.

use super::core_depth::CoreDepth;
use crate::contact::Feature;
use crate::math::{Interval, Pose, Vec3};
use crate::narrow::primitive::{Core, Kind, Pair};
use fearless_simd::Simd;

/// The depth of two cores by closed form, where there is one and they overlap.
pub(super) fn closed_depth<S: Simd>(pair: &Pair<'_, S>) -> Option<CoreDepth> {
    match pair.cores {
        [Core::Box(cuboid, pose), Core::Point(p)] => Room::in_box(cuboid.half_size(), pose, p),
        [Core::Point(p), Core::Box(cuboid, pose)] => {
            Room::in_box(cuboid.half_size(), pose, p).map(Room::swapped)
        }
        [a, b] => Room::along_axis(&Axial::of(&a)?, &Axial::of(&b)?),
    }
    .filter(|room| room.slack <= SLACK * pair.scale())
    .map(|room| room.leave(pair))
}

/// Poses and axes that are off by more than this share of the size have no closed form.
const SLACK: f64 = 1e-13;

/// How far it is to the way out.
#[derive(Debug, Clone, Copy)]
struct Room {
    /// The depth, for a rotation.
    depth: f64,
    /// How much less it may be.
    slack: f64,
    /// The way out of the second core.
    direction: Vec3,
    /// The points that leave each other last, in the world frame.
    points: [Vec3; 2],
    features: [Feature; 2],
}

impl Room {
    /// A box, first, and a point in it.
    fn in_box(half: Vec3, pose: &Pose, p: Vec3) -> Option<Room> {
        let x = pose.unplace(p);
        let room = half - x.abs();
        let (axis, unit) = if room.x <= room.y && room.x <= room.z {
            (0, Vec3::X)
        } else if room.y <= room.z {
            (1, Vec3::Y)
        } else {
            (2, Vec3::Z)
        };
        let depth = room.min_element();
        let side = x.dot(unit).signum();
        let direction = pose.rotate(unit * side).normalize();
        (depth > 0.0).then(|| Room {
            depth,
            slack: 8.0 * pose.deviation() * (half.element_sum() + x.abs().element_sum()),
            direction,
            points: [p + direction * depth, p],
            features: [
                Feature::Face(2 * axis + u32::from(side > 0.0)),
                Feature::Surface,
            ],
        })
    }

    /// Two cylinders along one axis, at least one of them of positive radius.
    fn along_axis(a: &Axial, b: &Axial) -> Option<Room> {
        let (radius, height) = (a.radius + b.radius, a.height + b.height);
        let axis = if a.radius > 0.0 { a.axis } else { b.axis };
        let offset = b.center - a.center;
        let along = axis.dot(offset);
        let aside = offset - axis * along;
        let (to_cap, to_wall) = (height - along.abs(), radius - aside.length());
        // The last points of the first core: where both caps, or both walls, are.
        let (direction, last) = if to_cap <= to_wall {
            let up = axis * along.signum();
            (up, aside * (a.radius / radius) + up * a.height)
        } else {
            let out = aside.try_normalize();
            let out = out.unwrap_or(axis.any_orthonormal_vector());
            (out, axis * (along * a.height / height) + out * a.radius)
        };
        let depth = to_cap.min(to_wall);
        let tilt = |side: &Axial| side.axis.cross(axis).length() * side.size();
        let size = a.size() + b.size() + offset.length();
        (radius > 0.0 && depth > 0.0).then(|| Room {
            depth,
            slack: 8.0 * a.deviation.max(b.deviation) * size + 2.0 * (tilt(a) + tilt(b)),
            direction,
            points: [a.center + last, a.center + last - direction * depth],
            features: [Feature::Surface; 2],
        })
    }

    /// The same for the cores in the other order.
    fn swapped(self) -> Room {
        Room {
            direction: -self.direction,
            points: [self.points[1], self.points[0]],
            features: [self.features[1], self.features[0]],
            ..self
        }
    }

    /// What the way out proves.
    fn leave<S: Simd>(&self, pair: &Pair<'_, S>) -> CoreDepth {
        let upper = CoreDepth::along(pair, self.direction).bounds.upper;
        let lower = self.depth - self.slack - pair.error();
        CoreDepth {
            bounds: Interval {
                lower: lower.max(0.0).min(upper),
                upper,
            },
            direction: self.direction,
            points: self.points.map(|p| p - pair.origin),
            features: self.features,
        }
    }
}

/// A point, a segment or a cylinder, as a cylinder.
#[derive(Debug, Clone, Copy)]
struct Axial {
    center: Vec3,
    /// Of unit length up to rounding; zero for a point, which is along every axis.
    axis: Vec3,
    radius: f64,
    height: f64,
    deviation: f64,
}

impl Axial {
    fn of(core: &Core<'_>) -> Option<Axial> {
        let thin = |center, axis: Vec3| Axial {
            center,
            axis: axis.normalize_or_zero(),
            radius: 0.0,
            height: axis.length(),
            deviation: 0.0,
        };
        match core {
            Core::Point(p) => Some(thin(*p, Vec3::ZERO)),
            Core::Segment([p, q]) => Some(thin(*p * 0.5 + *q * 0.5, *q * 0.5 - *p * 0.5)),
            Core::Curved {
                kind: Kind::Cylinder,
                sizes,
                pose,
            } => Some(Axial {
                center: pose.translation(),
                axis: pose.matrix().z_axis.normalize(),
                radius: sizes.x,
                height: sizes.z,
                deviation: pose.deviation(),
            }),
            Core::Triangle(_)
            | Core::Curved { .. }
            | Core::Box(..)
            | Core::Hull(..)
            | Core::Custom(..) => None,
        }
    }

    fn size(&self) -> f64 {
        self.radius + self.height
    }
}
