//! Meshes and solids through their trees, against the reference, which looks at all triangles.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test names the kinds and families that it treats apart"
)]

mod approximate;
mod coherent;
mod contacts;
mod convex;
mod deforming;
mod depth;
mod hostile;
mod pairs;
mod planes;
mod solids;

use crate::shapes::kinds::{Family, point};
use impinge::narrow::PairCache;
use impinge::{Feature, Placed, Pose, Separation, Shape, TriMesh, Vec3, query, reference};
use rand::{Rng, RngExt};

/// What a pair came to, to see that tests are about something.
#[derive(Debug, Default)]
struct Tally {
    apart: usize,
    meeting: usize,
    touching: usize,
}

/// All questions about a pair, both ways round, against the reference.
fn check(a: Placed<'_>, b: Placed<'_>, tally: &mut Tally, what: &str) {
    let expected = reference::distance(a, b);
    let meet = reference::intersects(a, b);
    assert_eq!(query::intersects(a, b), meet, "{what}");
    assert_eq!(query::intersects(b, a), meet, "{what}, swapped");
    let found = query::distance(a, b);
    compare(&found, &expected, scale(&a) + scale(&b), what);
    compare(
        &query::distance(b, a),
        &expected,
        scale(&a) + scale(&b),
        what,
    );
    for (placed, feature, witness) in [
        (&a, found.features[0], found.witness.a),
        (&b, found.features[1], found.witness.b),
    ] {
        check_feature(placed, feature, witness, what);
    }
    for factor in [0.5, 1.0, 1.5] {
        for gap in [
            expected.bounds.lower * factor,
            expected.bounds.upper * factor,
        ] {
            let within = reference::within(a, b, gap);
            assert_eq!(query::within(a, b, gap), within, "{what}: {gap}");
            assert_eq!(query::within(b, a, gap), within, "{what}: {gap}, swapped");
        }
    }
    match (meet, expected.features) {
        (false, _) => tally.apart += 1,
        (true, [Feature::Vertex(_), _] | [_, Feature::Vertex(_)]) => tally.touching += 1,
        (true, _) => tally.meeting += 1,
    }
}

/// Both intervals contain the distance, and the one found is as narrow as promised.
fn compare(found: &Separation, expected: &Separation, scale: f64, what: &str) {
    assert_eq!(
        found.distance == 0.0,
        expected.distance == 0.0,
        "{what}: {found:?}, {expected:?}"
    );
    assert!(found.bounds.contains(found.distance), "{what}: {found:?}");
    let (own, other) = (found.bounds, expected.bounds);
    assert!(
        own.lower <= other.upper && other.lower <= own.upper,
        "{what}: {found:?}, {expected:?}"
    );
    assert!(
        own.width() <= 1e-12 * scale + f64::MIN_POSITIVE,
        "{what}: {found:?}, scale {scale}"
    );
    // At sizes whose squares overflow, or vanish.
    let between = (found.witness.b / scale - found.witness.a / scale).length() * scale;
    assert!(
        (between - found.distance).abs() <= 1e-12 * scale,
        "{what}: {found:?}"
    );
}

/// The witness is on the part of the mesh that is named.
fn check_feature(placed: &Placed<'_>, feature: Feature, witness: Vec3, what: &str) {
    let mesh = match placed.shape {
        Shape::Mesh(mesh) => mesh,
        Shape::Solid(solid) => solid.mesh(),
        _ => return,
    };
    let corners = |t: u32| mesh.corners(t as usize).map(|v| placed.pose.place(v));
    let part = match feature {
        Feature::Vertex(v) => vec![placed.pose.place(mesh.vertices()[v as usize])],
        Feature::Edge(e) => {
            let corners = corners(e / 3);
            vec![corners[e as usize % 3], corners[(e as usize + 1) % 3]]
        }
        Feature::Face(t) => corners(t).to_vec(),
        Feature::Inside => return,
        Feature::Surface => panic!("{what}: a mesh has parts"),
    };
    let off = impinge::exact::hull_distance(&part, &[witness]).distance;
    assert!(
        off <= 1e-12 * scale(placed),
        "{what}: {feature:?} and {witness}, {off}"
    );
}

/// The largest coordinate of the placed shape, or thereabouts.
fn scale(placed: &Placed<'_>) -> f64 {
    let largest = |points: &[Vec3]| {
        points
            .iter()
            .fold(0.0, |l: f64, p| l.max(p.abs().element_sum()))
    };
    let size = match placed.shape {
        Shape::Mesh(mesh) => largest(mesh.vertices()),
        Shape::Solid(solid) => largest(solid.mesh().vertices()),
        Shape::HeightField(field) => largest(&[field.bounds().min(), field.bounds().max()]),
        _ => 0.0,
    };
    placed.pose.translation().abs().element_sum() + size
}

pub(crate) fn factor_of(family: Family) -> f64 {
    match family {
        Family::Scaled(factor) => factor,
        _ => 1.0,
    }
}

/// A soup with triangles of all sizes; snapped ones have corners on a coarse grid, degenerate ones often no area. Some
/// triangles are there twice.
pub(crate) fn soup(rng: &mut impl Rng, count: u32, family: Family) -> TriMesh {
    let factor = factor_of(family);
    let mut vertices = Vec::new();
    for _ in 0..count {
        let at = point(rng);
        let size = 10f64.powf(rng.random_range(-1.5..0.5));
        let flatness = rng.random_range(0..3);
        let corners = [(); 3].map(|()| at + point(rng) * size);
        vertices.extend(match family {
            Family::Snapped => corners.map(|p| (p * 2.0).round() * 0.5),
            Family::Degenerate => match flatness {
                0 => [corners[0]; 3],
                1 => [corners[0], corners[1], corners[0].lerp(corners[1], 0.25)],
                _ => corners,
            },
            _ => corners.map(|p| p * factor),
        });
    }
    let mut triangles: Vec<[u32; 3]> = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    for _ in 0..count / 5 {
        let [p, q, r] = triangles[rng.random_range(0..triangles.len())];
        triangles.push([q, r, p]);
    }
    TriMesh::new(vertices, triangles).unwrap()
}

/// A closed surface: a ring of the given number of sides and of corners a side, bent a little.
pub(crate) fn ring(sides: u32, corners: u32, radius: f64) -> TriMesh {
    let at = |i: u32, j: u32| {
        let angle = f64::from(i) / f64::from(sides) * std::f64::consts::TAU;
        let turn = f64::from(j) / f64::from(corners) * std::f64::consts::TAU;
        let out = 1.0 + radius * turn.cos();
        let up = radius * turn.sin() + 0.2 * (2.0 * angle).sin();
        Vec3::new(out * angle.cos(), out * angle.sin(), up)
    };
    let index = |i: u32, j: u32| (i % sides) * corners + j % corners;
    let places = || (0..sides).flat_map(|i| (0..corners).map(move |j| (i, j)));
    let vertices = places().map(|(i, j)| at(i, j)).collect();
    let triangles = places().flat_map(|(i, j)| {
        let [p, q, r, s] =
            [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| index(i, j));
        [[p, q, r], [p, r, s]]
    });
    TriMesh::new(vertices, triangles.collect()).unwrap()
}

/// A pose on a smooth path, far away at the beginning and the end.
pub(crate) fn on_path(time: f64) -> Pose {
    let away = 0.3 + 5.0 * (time - 0.5).abs();
    let (sine, cosine) = (5.0 * time).sin_cos();
    let at = Vec3::new(away * cosine, away * sine, 0.4 * (9.0 * time).sin());
    Pose::from_axis_angle(Vec3::new(1.0, 2.0, -1.0), 4.0 * time, at).unwrap()
}

/// Asks with a cache and checks against asking without.
fn check_cached(a: Placed<'_>, b: Placed<'_>, cache: &mut PairCache, what: &str) {
    let fresh = query::distance(a, b);
    let found = query::distance_with(a, b, cache);
    compare(&found, &fresh, scale(&a) + scale(&b), what);
    let meet = query::intersects(a, b);
    assert_eq!(query::intersects_with(a, b, cache), meet, "{what}");
    let gap = fresh.distance + 0.01;
    assert!(query::within_with(a, b, gap, cache), "{what}");
}

/// A closed box of twelve triangles.
pub(crate) fn closed_box(half: Vec3) -> TriMesh {
    let corners = (0..8).map(|k| {
        let side = |bit: u32| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        half * Vec3::new(side(0), side(1), side(2))
    });
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
    TriMesh::new(corners.collect(), triangles.collect()).unwrap()
}
