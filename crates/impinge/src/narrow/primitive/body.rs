//! A core seen from a point, and its support points with an error bound.
//!
//! With `u` half an EPSILON and `n` a direction of unit length up to four roundings, [`Body::support`] gives a point `p`
//! (relative to the origin of the frame, as everything here) of which [`Body::error`] says two things: `p` is within it
//! of a point of the core, and `n . p` as computed is within it of the largest product of `n` with the core. `s` is
//! [`Body::extent`], the length of the longest vector from the origin to the core, or more.
//!
//! - *Points and segments.* A placed point minus the origin is rounded once a coordinate, an error of `u s`; its product
//!   with `n` has three roundings a term, `3 u s`, and the length of `n` adds `4 u s`. Together `8 u s`.
//! - *Triangles.* The same, and the corner is chosen by comparing two such products: `14 u s`.
//! - *Hulls.* [`Side::support`] compares products in the frame of the body. The direction `M^T n` and the products have
//!   three roundings each, and the placed vertex is within [`Side::error`] of the unrounded one, once for the vertex
//!   found and once for the best one: `2 error + 6 u s`, and the subtraction and the product as for points.
//! - *Curved.* With `g` the products of `n` with the scaled axes, each with four roundings, the unit body is asked
//!   for its extreme along the computed `g`. The loss against the true one is at most twice the error of `g`, `8 u s`, and
//!   four roundings of a unit vector. The point `c + sum of axes * sizes * x` has six roundings. Together with the
//!   product `28 u s` at most.
//! - *Custom.* The error that the shape admits, stretched by the pose, and for the direction and the placing 14 roundings.

use super::grown::{Core, Kind};
use crate::math::{Mat3, Pose, Vec3};
use crate::narrow::side::Side;
use crate::shape::Custom;
use fearless_simd::Simd;

/// A core relative to an origin.
#[derive(Debug, Clone, Copy)]
pub(in crate::narrow) struct Body<'a> {
    form: Form<'a>,
    /// All points of the core are within this of the origin.
    pub(super) extent: f64,
    /// See the module.
    pub(super) error: f64,
}

#[derive(Debug, Clone, Copy)]
enum Form<'a> {
    Point(Vec3),
    Segment([Vec3; 2]),
    Triangle([Vec3; 3]),
    Hull {
        side: Side<'a>,
        origin: Vec3,
    },
    Curved {
        kind: Kind,
        center: Vec3,
        /// The images of the unit vectors.
        axes: Mat3,
    },
    Custom {
        shape: &'a Custom,
        pose: &'a Pose,
        center: Vec3,
    },
}

/// What a support point is called.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::narrow) enum Name {
    /// A vertex of a hull, or an end of a segment.
    Vertex(u32),
    /// A point of a curved surface.
    At(Vec3),
}

/// Bodies larger or farther away than this are not computed with: products of four lengths must not overflow.
const LARGEST: f64 = f64::from_bits((1023 + 240) << 52);

impl<'a> Body<'a> {
    /// The core seen from the origin; `None` when it is of extreme size.
    pub(super) fn new(core: &Core<'a>, origin: Vec3) -> Option<Body<'a>> {
        let body = match core {
            Core::Point(p) => {
                let p = *p - origin;
                Body::exact(Form::Point(p), p.length())
            }
            Core::Segment([p, q]) => {
                let ends = [*p - origin, *q - origin];
                let extent = ends[0].length().max(ends[1].length());
                Body::exact(Form::Segment(ends), extent)
            }
            Core::Triangle(corners) => {
                let corners = corners.map(|p| p - origin);
                let lengths = corners.map(Vec3::length);
                let extent = lengths[0].max(lengths[1]).max(lengths[2]);
                let body = Body::exact(Form::Triangle(corners), extent);
                Body {
                    error: 2.0 * body.error,
                    ..body
                }
            }
            Core::Box(..) | Core::Hull(..) => {
                let (polytope, pose) = core.polytope()?;
                Body::hull(Side::new(polytope, pose)?, origin)
            }
            Core::Curved { kind, sizes, pose } => Body::curved(*kind, *sizes, pose, origin),
            Core::Custom(shape, pose) => Body::custom(shape, pose, origin),
        };
        // Written so that NaN is refused, too.
        (body.extent <= LARGEST && origin.abs().max_element() <= LARGEST).then_some(body)
    }

    fn exact(form: Form<'a>, extent: f64) -> Body<'a> {
        let extent = extent * (1.0 + 4.0 * f64::EPSILON);
        Body {
            form,
            extent,
            error: 4.0 * f64::EPSILON * extent,
        }
    }

    fn hull(side: Side<'a>, origin: Vec3) -> Body<'a> {
        let extent = (side.center - origin).length() + side.outer_radius();
        Body {
            form: Form::Hull { side, origin },
            extent,
            error: 3.0 * side.error + 8.0 * f64::EPSILON * extent,
        }
    }

    fn curved(kind: Kind, sizes: Vec3, pose: &Pose, origin: Vec3) -> Body<'a> {
        let center = pose.translation() - origin;
        let m = pose.matrix();
        let axes = Mat3::from_cols(m.x_axis * sizes.x, m.y_axis * sizes.y, m.z_axis * sizes.z);
        // Columns of the matrix are of unit length within its tolerance.
        let extent = center.length() + sizes.element_sum() * (1.0 + 2.0 * Pose::ROTATION_TOLERANCE);
        Body {
            form: Form::Curved { kind, center, axes },
            extent,
            error: 16.0 * f64::EPSILON * extent,
        }
    }

    fn custom(shape: &'a Custom, pose: &'a Pose, origin: Vec3) -> Body<'a> {
        let center = pose.translation() - origin;
        let stretch = 1.0 + 2.0 * pose.deviation() + 8.0 * f64::EPSILON;
        let radius = (shape.bounding_radius() + shape.support_error()) * stretch;
        let extent = center.length() + radius;
        Body {
            form: Form::Custom {
                shape,
                pose,
                center,
            },
            extent,
            error: shape.support_error() * stretch
                + 16.0 * f64::EPSILON * radius
                + 8.0 * f64::EPSILON * extent,
        }
    }

    /// The ends of a body that is a segment, or a point, which has two equal ones.
    pub(super) fn ends(&self) -> Option<[Vec3; 2]> {
        match self.form {
            Form::Point(p) => Some([p, p]),
            Form::Segment(ends) => Some(ends),
            Form::Triangle(_) | Form::Hull { .. } | Form::Curved { .. } | Form::Custom { .. } => {
                None
            }
        }
    }

    /// The unit body that a curved body is the image of, its centre and the images of the unit vectors.
    pub(super) fn image(&self) -> Option<(Kind, Vec3, Mat3)> {
        match self.form {
            Form::Curved { kind, center, axes } => Some((kind, center, axes)),
            Form::Point(_)
            | Form::Segment(_)
            | Form::Triangle(_)
            | Form::Hull { .. }
            | Form::Custom { .. } => None,
        }
    }

    /// Whether the core has more than finitely many extreme points.
    pub(super) fn is_curved(&self) -> bool {
        match self.form {
            Form::Curved { .. } | Form::Custom { .. } => true,
            Form::Point(_) | Form::Segment(_) | Form::Triangle(_) | Form::Hull { .. } => false,
        }
    }

    /// A point of the core that is farthest along a direction of about unit length, and its name.
    #[inline]
    pub(super) fn support<S: Simd>(&self, simd: S, direction: Vec3) -> (Vec3, Name) {
        match &self.form {
            Form::Point(p) => (*p, Name::Vertex(0)),
            Form::Segment([p, q]) => {
                if direction.dot(*q - *p) > 0.0 {
                    (*q, Name::Vertex(1))
                } else {
                    (*p, Name::Vertex(0))
                }
            }
            Form::Triangle(corners) => {
                let [p, q, r] = corners.map(|corner| direction.dot(corner));
                let farthest = if p >= q && p >= r {
                    0
                } else if q >= r {
                    1
                } else {
                    2
                };
                (corners[farthest], Name::Vertex(farthest as u32))
            }
            Form::Hull { side, origin } => {
                let vertex = side.support(simd, side.local(direction));
                (side.place(vertex) - *origin, Name::Vertex(vertex))
            }
            Form::Curved { kind, center, axes } => {
                let g = axes.transpose() * direction;
                let p = *center + *axes * kind.support(g);
                (p, Name::At(p))
            }
            Form::Custom {
                shape,
                pose,
                center,
            } => {
                let p = *center + pose.rotate(shape.support(pose.unrotate(direction)));
                (p, Name::At(p))
            }
        }
    }
}

impl Kind {
    /// A point of the unit body that is farthest along `g`.
    #[inline]
    fn support(self, g: Vec3) -> Vec3 {
        let rim = |z: f64| {
            let length = (g.x * g.x + g.y * g.y).sqrt();
            if length > 0.0 {
                Vec3::new(g.x / length, g.y / length, z)
            } else {
                Vec3::new(0.0, 0.0, z)
            }
        };
        match self {
            Kind::Ball => g.normalize_or_zero(),
            Kind::Cylinder => rim(1f64.copysign(g.z)),
            // The apex is `g.z` along the direction, the rim is the length of the rest minus `g.z`.
            Kind::Cone if g.z > 0.0 && 4.0 * g.z * g.z > g.x * g.x + g.y * g.y => Vec3::Z,
            Kind::Cone => rim(-1.0),
        }
    }
}
