//! A placed shape as the set that questions are about.
//!
//! Everything but a half-space is *bounded*: a union of convex pieces, grown by a radius, and filled if it is a solid.
//! Spheres are points with a radius, capsules are segments with one. The pieces of a mesh are its placed triangles.

use super::convex::{Convex, Curved, PlacedCustom};
use super::names::Names;
use super::pieces::Pieces;
use super::reach::Reach;
use crate::exact::PlacedPlane;
use crate::math::{Pose, Vec3};
use crate::shape::{HalfSpace, HeightField, Placed, Shape, TriMesh};

/// A placed shape.
#[derive(Debug)]
pub(super) enum Set<'a> {
    Bounded(Bounded<'a>),
    HalfSpace(GrownHalfSpace),
}

/// All points within `radius` of a piece, and what the pieces enclose if it is a solid.
#[derive(Debug)]
pub(super) struct Bounded<'a> {
    pub(super) pieces: Pieces,
    pub(super) radius: Reach,
    pub(super) names: Names<'a>,
    pub(super) is_solid: bool,
}

/// All points within `radius` of a half-space.
#[derive(Debug)]
pub(super) struct GrownHalfSpace {
    pub(super) plane: PlacedPlane,
    pub(super) radius: Reach,
}

impl<'a> Set<'a> {
    pub(super) fn of(placed: Placed<'a>) -> Set<'a> {
        let pose = placed.pose;
        let hull = |points: &[Vec3]| {
            Convex::Hull(points.iter().map(|v| pose.place_in_range(*v)).collect())
        };
        match placed.shape {
            Shape::Sphere(s) => {
                Set::convex(hull(&[Vec3::ZERO]), Names::Undivided).grown(s.radius())
            }
            Shape::Capsule(c) => {
                let end = Vec3::Z * c.half_height();
                Set::convex(hull(&[-end, end]), Names::Undivided).grown(c.radius())
            }
            Shape::Cuboid(c) => Set::convex(hull(&c.corners()), Names::Cuboid),
            Shape::Polytope(p) => Set::convex(hull(p.vertices()), Names::Polytope(p)),
            Shape::Cylinder(c) => Set::curved(Curved::cylinder(c, &pose)),
            Shape::Cone(c) => Set::curved(Curved::cone(c, &pose)),
            Shape::Ellipsoid(e) => Set::curved(Curved::ellipsoid(e, &pose)),
            Shape::HalfSpace(h) => Set::HalfSpace(GrownHalfSpace {
                plane: place_plane(&pose, h),
                radius: Reach::default(),
            }),
            Shape::Mesh(mesh) => Set::Bounded(Bounded::mesh(mesh, &pose, false)),
            Shape::Solid(solid) => Set::Bounded(Bounded::mesh(solid.mesh(), &pose, true)),
            Shape::HeightField(field) => Set::Bounded(Bounded::field(field, &pose)),
            Shape::Custom(custom) => {
                let piece = PlacedCustom {
                    shape: custom.clone(),
                    pose,
                };
                Set::convex(Convex::Custom(piece), Names::Undivided)
            }
            Shape::Rounded(r) => Set::of(r.core().at(pose)).grown(r.radius()),
        }
    }

    fn convex(convex: Convex, names: Names<'a>) -> Set<'a> {
        Set::Bounded(Bounded {
            pieces: Pieces::one(convex),
            radius: Reach::default(),
            names,
            is_solid: false,
        })
    }

    fn curved(curved: Curved) -> Set<'a> {
        Set::convex(Convex::Curved(curved), Names::Undivided)
    }

    fn grown(mut self, radius: f64) -> Set<'a> {
        let own = match &mut self {
            Set::Bounded(bounded) => &mut bounded.radius,
            Set::HalfSpace(half_space) => &mut half_space.radius,
        };
        *own = std::mem::take(own).plus(radius);
        self
    }
}

impl<'a> Bounded<'a> {
    fn mesh(mesh: &'a TriMesh, pose: &Pose, is_solid: bool) -> Bounded<'a> {
        let placed: Vec<Vec3> = mesh
            .vertices()
            .iter()
            .map(|v| pose.place_in_range(*v))
            .collect();
        let corners = mesh
            .triangles()
            .iter()
            .map(|t| t.map(|i| placed[i as usize]));
        Bounded {
            pieces: Pieces::triangles((0..).zip(corners)),
            radius: Reach::default(),
            names: Names::Mesh(mesh),
            is_solid,
        }
    }

    fn field(field: &'a HeightField, pose: &Pose) -> Bounded<'a> {
        let placed = |triangle| {
            let corners = field.corners_of(triangle);
            (triangle, corners.map(|v| pose.place_in_range(v)))
        };
        Bounded {
            pieces: Pieces::triangles(field.triangle_numbers().map(placed)),
            radius: Reach::default(),
            names: Names::Field(field),
            is_solid: false,
        }
    }
}

/// The half-space at a pose: its normal is turned and rounded, and the plane is moved by the translation without rounding,
/// as [`HalfSpace`] documents.
fn place_plane(pose: &Pose, half_space: &HalfSpace) -> PlacedPlane {
    let normal = half_space.normal();
    let largest = normal.abs().max_element();
    // Turning must neither overflow nor lose the normal to underflow.
    let offset_shift = if largest > 1e300 {
        -4
    } else if largest < 1e-290 {
        200
    } else {
        0
    };
    PlacedPlane {
        normal: pose.rotate(normal * f64::powi(2.0, offset_shift)),
        through: pose.translation(),
        offset: half_space.offset(),
        offset_shift,
    }
}
