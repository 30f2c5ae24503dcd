//! Two convex pieces brought to a common frame for the iteration: near the origin, of a size near one, with numbers of
//! 106 bits.
//!
//! The pieces are moved by a point of the first and scaled by powers of two, both without error unless a number
//! underflows, and [`Frame::error`] accounts for that. After scaling, no product of a few coordinates comes near the ends
//! of the exponent range, as the arithmetic asks.

use super::convex::{Convex, Curved, PlacedCustom, UnitBody};
use crate::math::double_double::{Wide, WideVec3};
use crate::math::{Aabb, Interval, Vec3};

/// A convex piece in a [`Frame`].
#[derive(Debug)]
pub(super) enum WideConvex {
    Points(Vec<WideVec3>),
    Curved {
        body: UnitBody,
        center: WideVec3,
        axes: [WideVec3; 3],
    },
    /// Support points are scaled by a power of two.
    Custom {
        shape: PlacedCustom,
        center: WideVec3,
        scale: f64,
    },
}

/// A point of a piece, and where on the piece it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Support {
    pub(super) point: WideVec3,
    pub(super) place: Place,
}

/// Where on its piece a support point is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// The point is this vertex.
    Vertex(u32),
    /// The point is the image of this one of the unit body.
    Unit(UnitBody, WideVec3),
    /// Nothing more is known.
    Unknown,
}

impl WideConvex {
    /// A point of the piece that is farthest along a direction of a size near one. For curved bodies it is off the true
    /// one by a few roundings, which [`Frame::error`] covers.
    pub(super) fn support(&self, direction: WideVec3) -> Support {
        match self {
            WideConvex::Points(points) => farthest(points, direction),
            WideConvex::Curved { body, center, axes } => {
                let [u, v, w] = *axes;
                let unit = body.support(u.dot(direction), v.dot(direction), w.dot(direction));
                Support {
                    point: *center + u * unit.x + v * unit.y + w * unit.z,
                    place: Place::Unit(*body, unit),
                }
            }
            WideConvex::Custom {
                shape,
                center,
                scale,
            } => {
                let local = shape.pose.unrotate(direction.value());
                let p = shape.shape.support(local) * *scale;
                let m = shape.pose.matrix();
                let turned = WideVec3::product(m.x_axis, p.x)
                    + WideVec3::product(m.y_axis, p.y)
                    + WideVec3::product(m.z_axis, p.z);
                Support {
                    point: *center + turned,
                    place: Place::Unknown,
                }
            }
        }
    }

    /// The largest absolute coordinate of the box around the piece, rounded.
    fn extent(&self) -> f64 {
        match self {
            WideConvex::Points(points) => points.iter().fold(0.0, |e, p| e.max(p.largest())),
            WideConvex::Curved { center, axes, .. } => {
                center.largest() + axes.iter().map(|axis| axis.largest()).sum::<f64>()
            }
            WideConvex::Custom {
                shape,
                center,
                scale,
            } => center.largest() + shape.shape.bounding_radius() * scale,
        }
    }

    /// How far support points are off beyond rounding.
    fn error(&self) -> f64 {
        match self {
            WideConvex::Points(_) | WideConvex::Curved { .. } => 0.0,
            WideConvex::Custom { shape, scale, .. } => shape.error() * scale,
        }
    }

    fn scaled(self, factor: f64) -> WideConvex {
        match self {
            WideConvex::Points(points) => {
                WideConvex::Points(points.into_iter().map(|p| p.scaled(factor)).collect())
            }
            WideConvex::Curved { body, center, axes } => WideConvex::Curved {
                body,
                center: center.scaled(factor),
                axes: axes.map(|axis| axis.scaled(factor)),
            },
            WideConvex::Custom {
                shape,
                center,
                scale,
            } => WideConvex::Custom {
                shape,
                center: center.scaled(factor),
                scale: scale * factor,
            },
        }
    }
}

fn farthest(points: &[WideVec3], direction: WideVec3) -> Support {
    let mut best = 0_usize;
    let mut along = direction.dot(points[0]);
    for (i, p) in points.iter().enumerate().skip(1) {
        let candidate = direction.dot(*p);
        if candidate > along {
            (best, along) = (i, candidate);
        }
    }
    Support {
        point: points[best],
        place: Place::Vertex(best as u32),
    }
}

impl UnitBody {
    /// A point of the body that is farthest along `(x, y, z)`.
    fn support(self, x: Wide, y: Wide, z: Wide) -> WideVec3 {
        let rim = (x * x + y * y).sqrt();
        let at_rim = |z: Wide| WideVec3 {
            x: quotient(x, rim),
            y: quotient(y, rim),
            z,
        };
        match self {
            UnitBody::Ball => {
                let length = (x * x + y * y + z * z).sqrt();
                WideVec3 {
                    x: quotient(x, length),
                    y: quotient(y, length),
                    z: quotient(z, length),
                }
            }
            UnitBody::Cylinder if z.is_negative() => at_rim(-Wide::ONE),
            UnitBody::Cylinder => at_rim(Wide::ONE),
            // The apex is z along the direction, the rim is `rim - z`.
            UnitBody::Cone if z + z > rim => WideVec3::from(Vec3::Z),
            UnitBody::Cone => at_rim(-Wide::ONE),
        }
    }

    /// Whether a point of the body is on its surface, or within `margin` of it.
    pub(super) fn is_near_surface(self, p: Vec3, margin: f64) -> bool {
        let rim = p.truncate().length();
        let depth = match self {
            UnitBody::Ball => 1.0 - p.length(),
            UnitBody::Cylinder => (1.0 - rim).min(1.0 - p.z.abs()),
            UnitBody::Cone => (1.0 + p.z).min(0.5 * (1.0 - p.z) - rim),
        };
        depth <= margin
    }
}

/// `c / length`, and 0 for a direction without length: the centre of a disc is as far as its rim, then.
fn quotient(c: Wide, length: Wide) -> Wide {
    if length.is_positive() {
        c / length
    } else {
        Wide::ZERO
    }
}

/// How two pieces were moved and scaled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    origin: Vec3,
    /// Coordinates were multiplied by this before the origin was taken off, and by `inner` after it.
    outer: f64,
    inner: f64,
    /// Support points and their projections on unit directions are known up to this, in the frame.
    pub(super) error: f64,
}

impl Frame {
    /// Both pieces in a common frame.
    pub(super) fn around(a: &Convex, b: &Convex) -> (Frame, WideConvex, WideConvex) {
        let size = |c: &Convex| Aabb::magnitude(&c.bounds());
        // Differences of the largest numbers would overflow, products with the smallest underflow.
        let outer = if (1e-200..1e200).contains(&size(a).max(size(b))) {
            1.0
        } else {
            inverse_power_of_two(size(a).max(size(b)))
        };
        let origin = a.some_point() * outer;
        let [a, b] = [a, b].map(|c| relative_to(c, outer, origin));
        let inner = inverse_power_of_two(a.extent().max(b.extent()));
        let [a, b] = [a, b].map(|c| c.scaled(inner));
        let frame = Frame {
            origin,
            outer,
            inner,
            // Coordinates are below 2, directions below 2 in length. Each support point is then off by less than 70 times
            // EPSILON (three dot products, a root, a quotient and a sum), the projection of a difference of two by 30
            // more, and a mean of four differences by less than 150. The smallest double stands for what underflowed
            // before the second scaling. Support points of users' own shapes have errors of their own.
            error: 1024.0 * Wide::EPSILON
                + 64.0 * f64::from_bits(1) * inner
                + a.error()
                + b.error(),
        };
        (frame, a, b)
    }

    /// A length of the frame, known between two numbers up to [`Frame::error`], in the world.
    pub(super) fn length_in_world(&self, lower: Wide, upper: Wide) -> Interval {
        let error = Wide::from(self.error);
        Interval {
            lower: self.in_world_below((lower - error).below()).max(0.0),
            upper: self.in_world_above((upper + error).above()),
        }
    }

    /// A length of the frame, which may be off by [`Frame::error`], minus a length of the world, given as an offset that is
    /// to be multiplied by two to the power of `up`.
    pub(super) fn difference_in_world(&self, length: Wide, offset: Wide, up: i32) -> Interval {
        let raised = |w: Wide| {
            w.scaled(f64::powi(2.0, up / 2))
                .scaled(f64::powi(2.0, up - up / 2))
        };
        let scaled = raised(offset.scaled(self.outer).scaled(self.inner));
        if scaled.value().abs() > BEYOND {
            // Next to it the length, at most 8, is nothing: one unit in the last place covers it. Farther away than any
            // double it is between the largest one and infinity.
            let offset = raised(offset).value();
            return Interval {
                lower: (-offset).next_down(),
                upper: (-offset).next_up(),
            };
        }
        let error = Wide::from(self.error + scaled.value().abs() * 16.0 * Wide::EPSILON);
        let difference = length - scaled;
        Interval {
            lower: self.in_world_below((difference - error).below()),
            upper: self.in_world_above((difference + error).above()),
        }
    }

    /// A double not above a length of the frame. Scaling by powers of two rounds only at the ends of the range.
    fn in_world_below(&self, length: f64) -> f64 {
        let scaled = length / self.inner / self.outer;
        if scaled * self.outer * self.inner > length {
            scaled.next_down()
        } else {
            scaled.min(f64::MAX)
        }
    }

    /// A double not below a length of the frame.
    fn in_world_above(&self, length: f64) -> f64 {
        let scaled = length / self.inner / self.outer;
        if scaled * self.outer * self.inner < length {
            scaled.next_up()
        } else {
            scaled
        }
    }

    /// A point of the frame in the world, rounded.
    pub(super) fn point_in_world(&self, p: WideVec3) -> Vec3 {
        let p = p.scaled(1.0 / self.inner) + WideVec3::from(self.origin);
        p.value() / self.outer
    }
}

/// Lengths beyond this times the size of the frame are not computed with.
const BEYOND: f64 = 1e100;

fn relative_to(piece: &Convex, factor: f64, origin: Vec3) -> WideConvex {
    match piece {
        Convex::Triangle(corners) => points_relative_to(corners, factor, origin),
        Convex::Hull(points) => points_relative_to(points, factor, origin),
        Convex::Curved(Curved {
            body,
            center,
            axes,
            sizes,
        }) => WideConvex::Curved {
            body: *body,
            center: WideVec3::difference(*center * factor, origin),
            axes: [0, 1, 2].map(|i| WideVec3::product(axes[i], sizes[i] * factor)),
        },
        Convex::Custom(custom) => WideConvex::Custom {
            shape: custom.clone(),
            center: WideVec3::difference(custom.pose.translation() * factor, origin),
            scale: factor,
        },
    }
}

fn points_relative_to(points: &[Vec3], factor: f64, origin: Vec3) -> WideConvex {
    let shifted = |p: &Vec3| WideVec3::difference(*p * factor, origin);
    WideConvex::Points(points.iter().map(shifted).collect())
}

/// The power of two that brings a size to between 1 and 2, as far as powers up to 2^1000 reach; 1 for 0.
fn inverse_power_of_two(size: f64) -> f64 {
    if size <= 0.0 {
        return 1.0;
    }
    let exponent = (size.to_bits() >> 52) as i64 - 1023;
    f64::from_bits(((1023 - exponent.clamp(-1000, 1000)) as u64) << 52)
}
