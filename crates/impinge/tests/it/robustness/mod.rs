//! Inputs on which other engines failed, from public issue trackers and test suites.
//!
//! Each test is named by its number in our collection and carries its source. The numbers are those published; where a
//! project works in `f32`, its literals are rounded to `f32` first ([`single`]). The expected values were computed with 50
//! digits for polytopes and in closed form or by bisection for curved shapes; the depths of polytopes from all face normals and
//! pairs of edges.
//!
//! Right is: `intersects` and `distance` as expected, the same when the two are swapped, the same bits on a second call, the
//! same to rounding after a common rigid motion. For polytopes the oracle decides the sign and bounds the distance, both
//! on the placed vertices.
//!
//! # What waits
//!
//! These parts of the collection ask for what the library does not answer yet. Where a case also says how far the two are
//! apart, or only that they overlap, that part is tested here already.
//!
//! | case | waits for |
//! |---|---|
//! | R095: the depth and its direction | the depth of meshes |
//! | R015: the list of intersecting triangles | contacts of meshes |
//! | R020, R021, R023, R025, R026, R028, R030, R031, R033, R035, R036, R045, R050: the number of contact points | contact manifolds |
//! | R101 fast open pyramids, R105 denormal velocity, R110 capsule sweep against a triangle: the time for the meshes themselves (tested for convex shapes in their place) | `time_of_impact` of meshes |
//! | R113 vertex-face continuous test: the time | `time_of_impact` of shapes that deform |
//! | R098 capsule against polygon, R108 ball overlapping and leaving, ncollide#181: all | two dimensions |
//! | R115 ray colinear with a segment, R116 ray against a cone: all | rays |
//! | drake#21673 over days, mujoco AlignedTowerStands: all | the world, and a solver of the application's |

// The tables of numbers keep one row a line.
#[rustfmt::skip]
mod boxes;
mod casts;
#[rustfmt::skip]
mod curved;
#[rustfmt::skip]
mod hulls;
mod kissing;
mod moving;
#[rustfmt::skip]
mod triangles;

use crate::oracle::{hull_distance, hulls_meet};
use crate::penetration::check_published;
use impinge::{Mat3, Placed, Polytope, Pose, Quat, Separation, Shape, TriMesh, Vec3, query};
use std::cmp::Ordering;

/// What the contract allows, times the size of the coordinates.
const ROUNDING: f64 = 1e-12;

/// A shape at a pose.
#[derive(Clone, Debug)]
struct Body {
    shape: Shape,
    rotation: Mat3,
    translation: Vec3,
    /// No point of the shape is further from its own origin.
    reach: f64,
    /// The corners of a polytope, in its own frame.
    corners: Option<Vec<Vec3>>,
}

/// A box by its edge lengths.
fn full(edges: [f64; 3]) -> Body {
    half(edges.map(|x| x / 2.0))
}

/// A box by half its edge lengths.
fn half(size: [f64; 3]) -> Body {
    let size = Vec3::from(size);
    let corner = |i: u32| {
        let side = |bit: u32| if i & bit == 0 { -1.0 } else { 1.0 };
        size * Vec3::new(side(1), side(2), side(4))
    };
    Body {
        corners: Some((0..8).map(corner).collect()),
        ..Body::new(Shape::cuboid(size).expect("a box"), size.length())
    }
}

/// A ball, or a point.
fn sphere(radius: f64) -> Body {
    Body::new(Shape::sphere(radius).expect("a ball"), radius)
}

fn cylinder([half_length, radius]: [f64; 2]) -> Body {
    Body::new(
        Shape::cylinder(half_length, radius).expect("a cylinder"),
        half_length + radius,
    )
}

fn capsule([half_length, radius]: [f64; 2]) -> Body {
    Body::new(
        Shape::capsule(half_length, radius).expect("a capsule"),
        half_length + radius,
    )
}

fn ellipsoid(radii: [f64; 3]) -> Body {
    let radii = Vec3::from(radii);
    Body::new(
        Shape::ellipsoid(radii).expect("an ellipsoid"),
        radii.max_element(),
    )
}

fn hull(points: &[[f64; 3]]) -> Body {
    let points: Vec<Vec3> = points.iter().copied().map(Vec3::from).collect();
    Body {
        shape: Shape::hull(&points).expect("a hull"),
        ..Body::of_corners(points)
    }
}

fn triangle(corners: [[f64; 3]; 3]) -> Body {
    let corners = corners.map(Vec3::from).to_vec();
    Body {
        shape: TriMesh::new(corners.clone(), vec![[0, 1, 2]])
            .expect("a triangle")
            .into(),
        ..Body::of_corners(corners)
    }
}

/// The surface of an axis-aligned box, as twelve triangles.
fn box_surface(low: [f64; 3], high: [f64; 3]) -> Body {
    let pick = |i: usize, k: usize| if i >> k & 1 == 0 { low[k] } else { high[k] };
    let corners: Vec<Vec3> = (0..8)
        .map(|i| Vec3::new(pick(i, 0), pick(i, 1), pick(i, 2)))
        .collect();
    let sides = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let triangles = sides
        .iter()
        .flat_map(|[p, q, r, s]| [[*p, *q, *r], [*p, *r, *s]]);
    let reach = corners.iter().map(|p| p.length()).fold(0.0, f64::max);
    let mesh = TriMesh::new(corners, triangles.collect()).expect("a surface");
    Body::new(mesh.into(), reach)
}

/// Each number rounded to `f32`.
fn single<const N: usize>(numbers: [f64; N]) -> [f64; N] {
    numbers.map(|x| f64::from(x as f32))
}

impl Body {
    fn new(shape: Shape, reach: f64) -> Body {
        Body {
            shape,
            rotation: Mat3::IDENTITY,
            translation: Vec3::ZERO,
            reach,
            corners: None,
        }
    }

    /// The shape is a placeholder.
    fn of_corners(corners: Vec<Vec3>) -> Body {
        let reach = corners.iter().map(|p| p.length()).fold(0.0, f64::max);
        Body {
            corners: Some(corners),
            ..Body::new(Shape::sphere(0.0).expect("a point"), reach)
        }
    }

    /// From an axis along z to one along y, exactly.
    fn along_y(self) -> Body {
        self.turned([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    }

    /// By a matrix given row by row, used as it is.
    fn turned(mut self, rows: [[f64; 3]; 3]) -> Body {
        self.rotation = Mat3::from_cols_array_2d(&rows).transpose() * self.rotation;
        self.translation = Mat3::from_cols_array_2d(&rows).transpose() * self.translation;
        self
    }

    /// By a quaternion `w, x, y, z`, normalised.
    fn turned_by(mut self, [w, x, y, z]: [f64; 4]) -> Body {
        let quaternion = Quat::from_xyzw(x, y, z, w).normalize();
        self.rotation = Mat3::from_quat(quaternion) * self.rotation;
        self.translation = quaternion * self.translation;
        self
    }

    fn moved(mut self, by: [f64; 3]) -> Body {
        self.translation += Vec3::from(by);
        self
    }

    fn placed(&self) -> Placed<'_> {
        self.shape.at(self.pose())
    }

    fn pose(&self) -> Pose {
        Pose::from_matrix(self.rotation, self.translation).expect("a rotation")
    }

    fn placed_corners(&self) -> Option<Vec<Vec3>> {
        let pose = self.pose();
        let corners = self.corners.as_ref()?;
        Some(corners.iter().map(|v| pose.place(*v)).collect())
    }

    /// A quarter turn about z and a third of a turn about the diagonal: exact.
    fn turned_exactly(&self) -> Body {
        self.clone()
            .turned([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
            .turned([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    }
}

/// The size of the coordinates of a pair.
fn size(a: &Body, b: &Body) -> f64 {
    [a, b]
        .map(|body| body.translation.abs().max_element() + body.reach)
        .into_iter()
        .fold(0.0, f64::max)
}

/// They are disjoint, at this distance.
fn apart(a: &Body, b: &Body, distance: f64) {
    apart_to(a, b, distance, ROUNDING * size(a, b));
}

/// As [`apart`], with the tolerance that the published digits allow.
fn apart_to(a: &Body, b: &Body, distance: f64, tolerance: f64) {
    assert!(tolerance < distance, "the sign would not be decided");
    for (a, b) in variants(a, b) {
        let answer = answer(&a, &b);
        assert!(!query::intersects(a.placed(), b.placed()));
        assert!(answer.distance > 0.0);
        let allowed = tolerance + ROUNDING * size(&a, &b);
        assert_near(&answer, distance, allowed);
    }
}

/// They have points in common, by far more than rounding.
fn overlapping(a: &Body, b: &Body) {
    for (a, b) in variants(a, b) {
        assert!(query::intersects(a.placed(), b.placed()));
        assert_eq!(answer(&a, &b).distance, 0.0);
    }
}

/// Polytopes that overlap by this much; the second leaves along the direction, where only one is right.
fn deep(a: &Body, b: &Body, depth: f64, direction: Option<[f64; 3]>) {
    let polytope = |body: &Body| {
        let corners = body.corners.as_ref().expect("a polytope");
        Polytope::from_points(corners).expect("a polytope has volume")
    };
    let (p, q) = (polytope(a), polytope(b));
    check_published([&p, &q], [a.pose(), b.pose()], depth, direction);
}

/// They touch up to rounding: either answer will do, unless the oracle knows better.
fn touching(a: &Body, b: &Body) {
    for (a, b) in variants(a, b) {
        assert_near(&answer(&a, &b), 0.0, ROUNDING * size(&a, &b));
    }
}

/// They touch exactly, without rounding.
fn touching_exactly(a: &Body, b: &Body) {
    touching(a, b);
    for (a, b) in [(a, b), (&a.turned_exactly(), &b.turned_exactly())] {
        assert!(query::intersects(a.placed(), b.placed()));
        assert_eq!(answer(a, b).distance, 0.0);
    }
}

fn assert_near(answer: &Separation, distance: f64, tolerance: f64) {
    let difference = (answer.distance - distance).abs();
    assert!(difference <= tolerance, "{answer:?}, not {distance}");
    let inside =
        answer.bounds.lower <= distance + tolerance && distance - tolerance <= answer.bounds.upper;
    assert!(inside, "{distance} is not within {answer:?}");
}

/// As given, swapped, turned exactly, and moved by powers of two.
fn variants(a: &Body, b: &Body) -> [(Body, Body); 4] {
    let moved = |body: &Body| body.turned_exactly().moved([2.0, -4.0, 0.5]);
    [
        (a.clone(), b.clone()),
        (b.clone(), a.clone()),
        (a.turned_exactly(), b.turned_exactly()),
        (moved(a), moved(b)),
    ]
}

/// The distance, after everything that must hold for any pair: the same bits again, the same decision both ways, and the
/// oracle's word where it has one.
fn answer(a: &Body, b: &Body) -> Separation {
    let answer = query::distance(a.placed(), b.placed());
    assert_eq!(
        answer,
        query::distance(a.placed(), b.placed()),
        "a second call"
    );
    let swapped = query::distance(b.placed(), a.placed());
    assert!((swapped.distance - answer.distance).abs() <= ROUNDING * size(a, b));

    let intersects = query::intersects(a.placed(), b.placed());
    assert_eq!(
        intersects,
        query::intersects(b.placed(), a.placed()),
        "swapped"
    );
    assert_eq!(intersects, answer.distance == 0.0);
    assert!(answer.bounds.lower <= answer.distance && answer.distance <= answer.bounds.upper);
    assert!(answer.bounds.width() <= ROUNDING * size(a, b));
    let gap = answer.witness.a.distance(answer.witness.b);
    assert!(
        (gap - answer.distance).abs() <= ROUNDING * size(a, b),
        "{answer:?}"
    );

    if let (Some(a), Some(b)) = (a.placed_corners(), b.placed_corners()) {
        assert_eq!(
            intersects,
            hulls_meet(&a, &b),
            "the oracle decides otherwise"
        );
        let truth = hull_distance(&a, &b);
        assert_ne!(
            truth.cmp_to(answer.bounds.lower),
            Ordering::Less,
            "{answer:?}"
        );
        assert_ne!(
            truth.cmp_to(answer.bounds.upper),
            Ordering::Greater,
            "{answer:?}"
        );
    }
    answer
}
