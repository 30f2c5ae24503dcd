//! The piece of a core's surface that holds its closest point, with first and second derivatives.
//!
//! | core | pieces |
//! |---|---|
//! | points, segments, hulls | up to three vertices: a vertex, an edge, a triangle of a face |
//! | ellipsoids | the surface |
//! | cylinders | a rim, the wall, a cap |
//! | cones | the apex, the rim, the side, the base |
//!
//! A piece has a current point and two parameters about it, which are 0 there. A parameter that the piece lacks has no
//! derivatives. [`Patch::advance`] moves the point; where that leaves the piece, the piece shrinks to what it ends at: a
//! triangle to an edge, a wall to a rim. Which piece it is at first comes from the names of support points, or from the
//! direction, taken as known within [`TILT`]: of two pieces that it may be the larger one is tried.
//!
//! Nothing here needs to be right for an answer to be; only [`Patch::point`] must be a point of the core, with no more
//! roundings than a support point of [`Body`].

use super::grown::Kind;
use super::{Body, Name};
use crate::math::{Mat3, Vec3};

/// How far a direction may be off, in radians, when the piece across it is chosen.
const TILT: f64 = 1e-2;

/// A piece of a surface, and a point of it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Patch {
    Flat(Flat),
    Curved(Curved),
}

/// The mean of up to three vertices.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flat {
    corners: [Vec3; 3],
    names: [Name; 3],
    weights: [f64; 3],
    count: usize,
}

/// The image of a piece of a unit body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Curved {
    center: Vec3,
    axes: Mat3,
    part: Part,
    /// The point of the unit body.
    x: Vec3,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The unit sphere.
    Sphere,
    /// A circle about the z axis.
    Rim,
    /// The wall of a cylinder.
    Wall,
    /// The side of a cone.
    Side,
    /// A disc across the z axis.
    Disc,
    Apex,
}

/// The derivatives of a piece at its point.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Derivatives {
    pub(super) first: [Vec3; 2],
    /// Twice by the first parameter, by both, twice by the second.
    pub(super) second: [Vec3; 3],
}

impl Patch {
    /// The piece of a body that a mean of named support points lies on, given the direction out of the body there.
    /// `None` for users' own shapes, of which nothing but support points is known.
    pub(super) fn new(
        body: &Body<'_>,
        outward: Vec3,
        points: impl Iterator<Item = (Vec3, Name, f64)>,
    ) -> Option<Patch> {
        if !body.is_curved() {
            return Some(Patch::Flat(Flat::new(points)));
        }
        let (kind, center, axes) = body.image()?;
        let near = points.map(|(p, _, weight)| p * weight).sum();
        Curved::new(kind, center, axes, outward, near).map(Patch::Curved)
    }

    /// The current point.
    pub(super) fn point(&self) -> Vec3 {
        match self {
            Patch::Flat(flat) => {
                let weighted = flat.corners.iter().zip(flat.weights).take(flat.count);
                weighted.map(|(p, weight)| *p * weight).sum()
            }
            Patch::Curved(curved) => curved.center + curved.axes * curved.x,
        }
    }

    /// The names of the support points that the current point is a mean of, if it is one.
    pub(super) fn names(&self) -> impl Iterator<Item = Name> {
        let (names, count) = match self {
            Patch::Flat(flat) => (flat.names, flat.count),
            Patch::Curved(_) => ([Name::Vertex(0); 3], 0),
        };
        names.into_iter().take(count)
    }

    pub(super) fn derivatives(&self) -> Derivatives {
        match self {
            Patch::Flat(flat) => flat.derivatives(),
            Patch::Curved(curved) => curved.derivatives(),
        }
    }

    /// Moves the point by the given parameters.
    pub(super) fn advance(&mut self, by: [f64; 2]) {
        match self {
            Patch::Flat(flat) => flat.advance(by),
            Patch::Curved(curved) => curved.advance(by),
        }
    }

    /// Takes a vertex into a flat piece; `false` when it is there, or when there is no room.
    pub(super) fn include(&mut self, p: Vec3, name: Name) -> bool {
        match self {
            Patch::Flat(flat) => flat.add(p, name, 0.0),
            Patch::Curved(_) => false,
        }
    }
}

impl Flat {
    fn new(points: impl Iterator<Item = (Vec3, Name, f64)>) -> Flat {
        let mut flat = Flat {
            corners: [Vec3::ZERO; 3],
            names: [Name::Vertex(0); 3],
            weights: [0.0; 3],
            count: 0,
        };
        for (p, name, weight) in points {
            flat.add(p, name, weight);
        }
        flat
    }

    fn add(&mut self, p: Vec3, name: Name, weight: f64) -> bool {
        let known = self.names[..self.count].iter().position(|n| *n == name);
        if let Some(at) = known {
            self.weights[at] += weight;
        } else if self.count < 3 {
            self.corners[self.count] = p;
            self.names[self.count] = name;
            self.weights[self.count] = weight;
            self.count += 1;
            return true;
        }
        false
    }

    fn derivatives(&self) -> Derivatives {
        let along = |k: usize| {
            if k < self.count {
                self.corners[k] - self.corners[0]
            } else {
                Vec3::ZERO
            }
        };
        Derivatives {
            first: [along(1), along(2)],
            ..Derivatives::default()
        }
    }

    fn advance(&mut self, by: [f64; 2]) {
        self.weights[0] -= by[0] + by[1];
        self.weights[1] += by[0];
        self.weights[2] += by[1];
        for k in (0..self.count).rev() {
            if self.weights[k] < 0.0 && self.count > 1 {
                self.count -= 1;
                self.corners.swap(k, self.count);
                self.names.swap(k, self.count);
                self.weights.swap(k, self.count);
                self.weights[self.count] = 0.0;
            }
        }
        let total: f64 = self.weights[..self.count].iter().sum();
        for weight in &mut self.weights[..self.count] {
            *weight /= total;
        }
    }
}

impl Curved {
    /// The piece of a unit body's image across a direction, near a point.
    fn new(kind: Kind, center: Vec3, axes: Mat3, outward: Vec3, near: Vec3) -> Option<Curved> {
        let g = axes.transpose() * outward;
        let sizes = [axes.x_axis, axes.y_axis, axes.z_axis].map(Vec3::length);
        let sizes = Vec3::from_array(sizes);
        let (local, inside) = (g / sizes, axes.transpose() * (near - center));
        let inside = inside / (sizes * sizes);
        let rim = g.with_z(0.0).try_normalize();
        // The sine of the angle from the normal of a cone's side down to the direction.
        let below_side = (g.truncate().length() - 2.0 * g.z) / sizes.x.hypot(2.0 * sizes.z);
        let is_across = local.truncate().length() <= TILT;
        let height = inside.z.clamp(-1.0, 1.0);
        let (part, x) = match kind {
            Kind::Ball => (Part::Sphere, g.try_normalize()?),
            Kind::Cone if below_side < -TILT => (Part::Apex, Vec3::Z),
            Kind::Cone if below_side <= TILT => {
                // At the apex itself the side has no derivatives.
                let height = height.min(0.999);
                let radius = 0.5 * (1.0 - height);
                (Part::Side, (rim? * radius).with_z(height))
            }
            Kind::Cylinder if local.z.abs() <= TILT => (Part::Wall, rim?.with_z(height)),
            Kind::Cylinder | Kind::Cone => {
                let end = if kind == Kind::Cone {
                    -1.0
                } else {
                    1f64.copysign(g.z)
                };
                if is_across {
                    let on_disc = inside.with_z(0.0).clamp_length_max(1.0);
                    (Part::Disc, on_disc.with_z(end))
                } else {
                    (Part::Rim, rim?.with_z(end))
                }
            }
        };
        Some(Curved {
            center,
            axes,
            part,
            x,
        })
    }

    fn derivatives(&self) -> Derivatives {
        let (x, axes) = (self.x, &self.axes);
        // Of a turn about the z axis.
        let turn = *axes * Vec3::new(-x.y, x.x, 0.0);
        let inward = *axes * -x.with_z(0.0);
        let unit = *axes * self.ruling();
        match self.part {
            Part::Apex => Derivatives::default(),
            Part::Disc => Derivatives {
                first: [axes.x_axis, axes.y_axis],
                ..Derivatives::default()
            },
            Part::Rim => Derivatives {
                first: [turn, Vec3::ZERO],
                second: [inward, Vec3::ZERO, Vec3::ZERO],
            },
            Part::Wall => Derivatives {
                first: [turn, unit],
                second: [inward, Vec3::ZERO, Vec3::ZERO],
            },
            // The radius is half of what is left to the apex: a turn is slower higher up.
            Part::Side => Derivatives {
                first: [turn, unit],
                second: [inward, turn / (x.z - 1.0), Vec3::ZERO],
            },
            Part::Sphere => {
                let (e, f) = x.any_orthonormal_pair();
                let inward = *axes * -x;
                Derivatives {
                    first: [*axes * e, *axes * f],
                    second: [inward, Vec3::ZERO, inward],
                }
            }
        }
    }

    /// The way along a wall or a side that is one higher.
    fn ruling(&self) -> Vec3 {
        match self.part {
            Part::Side => (self.x.with_z(0.0) / (self.x.z - 1.0)).with_z(1.0),
            Part::Wall | Part::Sphere | Part::Rim | Part::Disc | Part::Apex => Vec3::Z,
        }
    }

    fn advance(&mut self, [s, t]: [f64; 2]) {
        let x = self.x;
        let turned = |x: Vec3| (x + Vec3::new(-x.y, x.x, 0.0) * s).with_z(0.0);
        match self.part {
            Part::Apex => {}
            Part::Sphere => {
                let (e, f) = x.any_orthonormal_pair();
                self.x = (x + e * s + f * t).normalize();
            }
            Part::Rim => self.x = turned(x).normalize().with_z(x.z),
            Part::Disc => {
                self.x = x + Vec3::new(s, t, 0.0);
                if self.x.truncate().length_squared() >= 1.0 {
                    self.part = Part::Rim;
                    self.x = self.x.with_z(0.0).normalize().with_z(x.z);
                }
            }
            Part::Wall | Part::Side => {
                let height = (x.z + t).clamp(-1.0, 1.0);
                let rim = turned(x).normalize_or(Vec3::X);
                let is_apex = self.part == Part::Side && height >= 1.0;
                let radius = match self.part {
                    Part::Side => 0.5 * (1.0 - height),
                    Part::Wall | Part::Sphere | Part::Rim | Part::Disc | Part::Apex => 1.0,
                };
                self.x = (rim * radius).with_z(height);
                if is_apex {
                    self.part = Part::Apex;
                } else if height.abs() >= 1.0 {
                    self.part = Part::Rim;
                }
            }
        }
    }
}
