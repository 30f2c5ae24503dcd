//! The answers to queries.

use crate::error::Error;
use crate::exact::Section;
use crate::math::{Interval, Vec3};

/// The points that prove an answer, in the world frame: one on each shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Witness {
    /// The point on the first shape.
    pub a: Vec3,
    /// The point on the second shape.
    pub b: Vec3,
}

/// The part of a shape that a witness point lies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Feature {
    /// A vertex of a polytope, box or mesh, by index.
    Vertex(u32),
    /// An edge: of a polytope or box by index; of a mesh `3 * t + k` for the edge of triangle `t` that runs from its
    /// corner `k` to the next one.
    Edge(u32),
    /// A face of a polytope or box, or a triangle of a mesh, by index.
    Face(u32),
    /// A curved or otherwise undivided surface: spheres, capsules, cylinders, cones, ellipsoids, half-spaces.
    Surface,
    /// The inside: the shapes overlap and the witness is not on the boundary of this one.
    Inside,
}

/// How far two shapes are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Separation {
    /// The distance, inside `bounds`; 0 exactly when the shapes intersect.
    pub distance: f64,
    /// The certified interval: the true distance of the placed shapes lies in it.
    pub bounds: Interval,
    /// The closest points; a common point (twice) when the shapes intersect.
    pub witness: Witness,
    /// What the witness points lie on, first shape first.
    pub features: [Feature; 2],
}

impl Separation {
    /// That of shapes which share a point.
    #[inline(always)]
    pub(crate) fn meeting_at(point: Vec3, features: [Feature; 2]) -> Separation {
        Separation {
            distance: 0.0,
            bounds: Interval::exact(0.0),
            witness: Witness { a: point, b: point },
            features,
        }
    }

    /// That of shapes that are apart and whose closest parts are known: the distance is not below `lower`, and `near` is
    /// that of the parts. A distance too small for `f64` becomes the smallest positive one.
    pub(crate) fn apart(
        lower: f64,
        near: &Interval,
        witness: Witness,
        features: [Feature; 2],
    ) -> Separation {
        let bounds = Interval {
            lower,
            upper: near.upper,
        };
        Separation {
            distance: (witness.b - witness.a)
                .length()
                .clamp(bounds.lower, bounds.upper)
                .max(f64::from_bits(1)),
            bounds,
            witness,
            features,
        }
    }
}

/// By how much a distance may be off: by the larger of the two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tolerance {
    /// A length.
    pub absolute: f64,
    /// A share of the distance.
    pub relative: f64,
}

impl Tolerance {
    /// Fails for numbers that are negative or not finite.
    pub(crate) fn check(&self) -> Result<(), Error> {
        for (what, value) in [("absolute", self.absolute), ("relative", self.relative)] {
            let what = || format!("{what} tolerance");
            if !value.is_finite() {
                return Err(Error::NonFinite { what: what() });
            }
            if value < 0.0 {
                return Err(Error::OutOfRange {
                    what: what(),
                    value,
                    expected: "at least 0",
                });
            }
        }
        Ok(())
    }

    /// A number that is below another one by no more than allowed, and not negative. It grows with the other.
    pub(crate) fn below(self, upper: f64) -> f64 {
        let off = self.absolute.max(self.relative.min(1.0) * upper);
        (upper - off).max(0.0)
    }
}

/// When two moving shapes first touch, and where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// The time, in `[0, 1]`: the lower end of `bounds`. The shapes are apart at all earlier times.
    pub time: f64,
    /// By the upper end the shapes have come as close as rounding can tell from touching, so the first contact is in
    /// here. For an [`ImpactKind::Undecided`] impact there may be none, and the upper end is 1.
    pub bounds: Interval,
    /// How sure the contact is, and whether it was there from the start.
    pub kind: ImpactKind,
    /// The closest points at `time`, of meshes those of the parts that touch; a common point (twice) when the shapes start
    /// in contact.
    pub witness: Witness,
    /// What the witness points lie on, first shape first.
    pub features: [Feature; 2],
    /// The unit vector from the first shape to the second at `time`, between the same parts; none when the shapes start in contact.
    pub normal: Option<Vec3>,
}

/// What is known about an impact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImpactKind {
    /// The shapes intersect at time 0, as [`query::intersects`](crate::query::intersects) says.
    Start,
    /// The shapes are apart at first and touch within `bounds`.
    Contact,
    /// The search came to the end of its work; a contact after `time` could be neither excluded nor shown.
    Undecided,
}

/// How deep two convex shapes overlap: the shortest move that parts them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penetration {
    /// The depth, inside `bounds`: the length of the shortest translation of the second shape after which the two at most
    /// touch. 0, within `bounds`, when they touch now.
    pub depth: f64,
    /// The certified interval: the true depth of the placed shapes lies in it. A move of the second shape by exactly
    /// `bounds.upper * direction` leaves no overlap.
    pub bounds: Interval,
    /// The way the second shape must move, of unit length up to rounding.
    pub direction: Vec3,
    /// The parts that leave each other last: the point of the second shape, moved by the depth along the direction, falls
    /// on the point of the first.
    pub witness: Witness,
    /// What the witness points lie on, first shape first.
    pub features: [Feature; 2],
}

/// How deep two solids are inside each other: the depth of the deepest point of either surface inside the other.
///
/// It is never more than the length of the shortest translation that parts the two: as long as the point is inside, they
/// overlap. It may be less, and it is 0 for solids that overlap with no point of a surface strictly inside the other, as a solid and
/// its copy in the same place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolidDepth {
    /// The depth, inside `bounds`; the distance of the witness points.
    pub depth: f64,
    /// The certified interval.
    pub bounds: Interval,
    /// The deepest point, which is on one of the solids, and the point of the other's surface that is nearest to it. When the second
    /// solid moves from `b` to `a`, the deepest point comes to the surface.
    pub witness: Witness,
    /// What the points are on.
    pub features: [Feature; 2],
}

/// A triangle of one mesh and one of another that meet.
#[derive(Debug, Clone, PartialEq)]
pub struct TriangleContact {
    /// The two, first mesh first.
    pub triangles: [u32; 2],
    /// What they have in common, in the world frame, its corners off by no more than
    /// [`SECTION_ERROR`](crate::exact::SECTION_ERROR) says.
    pub section: Section,
}

/// Where two shapes meet of which at least one is a mesh or a solid, put together for a response: a few points and one normal.
///
/// Points are points of both surfaces. Normal and depth are estimates, good for a response that is repeated from frame to
/// frame; each field says what holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifold {
    /// A unit vector: the way for the second shape to leave the first.
    ///
    /// Surfaces that cross along closed curves get the direction of the area that the curves enclose. Where there is no such
    /// area (a corner on a face, faces in one plane) it is the mean of the normals of the triangles that meet. A triangle that
    /// meets and whose normal is close to that may give its own, if the way is shorter. Triangles of solids
    /// are seen from outside; those of other meshes, when they meet a convex shape, from the side that its centre is on, and
    /// otherwise from the side from which they turn to the left.
    pub normal: Vec3,
    /// When the second shape moves by this times `normal`, every triangle, or pair of triangles, that meets now has come
    /// apart, up to rounding. Others may meet then: surfaces of many small triangles are farther inside each other than the
    /// triangles at the border tell. For solids, [`query::solid_depth`](crate::query::solid_depth) tells.
    pub depth: f64,
    /// One to eight points that the surfaces have in common: those that are farthest in eight directions at right angles to the
    /// normal. Seen along the normal, all others are within their hull, or outside it by less than a quarter of its
    /// width.
    pub points: Vec<ManifoldPoint>,
}

/// A point of a [`Manifold`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ManifoldPoint {
    /// The point, in the world frame.
    pub point: Vec3,
    /// A triangle of each mesh that it is on, and what of a convex shape it is on, or that it is inside; first shape first.
    pub features: [Feature; 2],
}

/// How far two shapes are apart, or how deep they overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SignedDistance {
    /// They do not intersect.
    Apart(Separation),
    /// They intersect, or touch.
    Overlapping(Penetration),
}

impl SignedDistance {
    /// The distance, or minus the depth.
    pub fn value(&self) -> f64 {
        match self {
            SignedDistance::Apart(separation) => separation.distance,
            SignedDistance::Overlapping(penetration) => -penetration.depth,
        }
    }
}

impl Separation {
    /// The answer for the two shapes in the other order.
    pub(crate) fn swapped(self) -> Separation {
        let [on_a, on_b] = self.features;
        Separation {
            witness: Witness {
                a: self.witness.b,
                b: self.witness.a,
            },
            features: [on_b, on_a],
            ..self
        }
    }
}

impl Manifold {
    /// The answer for the two shapes in the other order.
    pub(crate) fn swapped(mut self) -> Manifold {
        self.normal = -self.normal;
        for point in &mut self.points {
            point.features.reverse();
        }
        self
    }
}
