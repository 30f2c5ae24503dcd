//! Meshes and solids on their way: exact times for straight motions, dense sampling for turns.
//!
//! Convex polytopes as closed meshes have the times of the polytopes, which `straight` knows exactly. For soups all pairs of
//! triangles are compared, vertex by face and edge by edge, with exact arithmetic.

use super::straight::{compare, grid_polytope};
use super::{Scene, ask, at, meets_at, misses, starts_in_contact, still, straight, turning};
use impinge::narrow::ObbTree;
use impinge::{
    Feature, Impact, ImpactKind, Interval, Motion, Polytope, Pose, Quat, Shape, Solid, TriMesh,
    Vec3, query,
};
use impinge_scenes::points::in_cube;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A polytope as a closed mesh.
pub(super) fn solid(polytope: &Polytope) -> Shape {
    Shape::from(Solid::new(polytope.to_mesh()).unwrap())
}

#[test]
fn closed_polytopes_have_the_times_of_polytopes() {
    let count = if crate::is_full() { 20_000 } else { 800 };
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    let mut seen = [0; 4];
    for seed in 0..count {
        let side = rng.random_range(2..=9);
        let hulls = [2 * seed, 2 * seed + 1].map(|s| grid_polytope(&mut rng, side, s));
        let [Some(a), Some(b)] = hulls else { continue };
        let mut vector = |far: i64| std::array::from_fn(|_| rng.random_range(-far..=far));
        let (offset, scatter): ([i64; 3], [i64; 3]) = (vector(14), vector(4));
        let speed = vector(3)[0].abs();
        let velocity = std::array::from_fn(|i| scatter[i] - speed * offset[i]);
        // Solid with solid, with polytope, and the other way round.
        let shapes = match seed % 3 {
            0 => [solid(&a), solid(&b)],
            1 => [solid(&a), Shape::from(b.clone())],
            _ => [Shape::from(a.clone()), solid(&b)],
        };
        seen[compare([&a, &b], shapes, offset, velocity).0] += 1;
    }
    println!("none, start, through, grazing: {seen:?}");
    assert!(seen.iter().all(|n| *n >= count / 500), "{seen:?}");
}

/// Triangles with whole coordinates.
pub(super) fn soup(rng: &mut ChaCha8Rng, triangles: usize, side: i32) -> TriMesh {
    let mut vertices = Vec::new();
    for _ in 0..triangles {
        let at: [f64; 3] = std::array::from_fn(|_| f64::from(rng.random_range(-side..=side)));
        for _ in 0..3 {
            let off: [f64; 3] = std::array::from_fn(|_| f64::from(rng.random_range(-2..=2)));
            vertices.push(Vec3::from(at) + Vec3::from(off));
        }
    }
    let corners = (0..triangles as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    TriMesh::new(vertices, corners.collect()).unwrap()
}

/// The first contact of triangles of which the second moves, exactly: each corner with the other face, each edge with each.
fn first_of_triangles(a: [Vec3; 3], b: [Vec3; 3], way: Vec3) -> Option<Interval> {
    let moved = b.map(|v| v + way);
    let mut first: Option<Interval> = None;
    let mut note = |found: Option<query::PathImpact>| {
        if let Some(found) = found
            && first.is_none_or(|f| found.bounds.lower < f.lower)
        {
            first = Some(found.bounds);
        }
    };
    for i in 0..3 {
        let from = [a[i], b[0], b[1], b[2]];
        let to = [a[i], moved[0], moved[1], moved[2]];
        note(query::vertex_face_impact(&from, &to, 1e-14).unwrap());
        let from = [b[i], a[0], a[1], a[2]];
        let to = [moved[i], a[0], a[1], a[2]];
        note(query::vertex_face_impact(&from, &to, 1e-14).unwrap());
        for j in 0..3 {
            let (k, l) = ((i + 1) % 3, (j + 1) % 3);
            let from = [a[i], a[k], b[j], b[l]];
            let to = [a[i], a[k], moved[j], moved[l]];
            note(query::edge_edge_impact(&from, &to, 1e-14).unwrap());
        }
    }
    first
}

/// The first contact of two meshes at rest and on their way, looking at all pairs.
pub(super) fn first_of_all(a: &TriMesh, b: &TriMesh, offset: Vec3, way: Vec3) -> Option<Interval> {
    let mut first: Option<Interval> = None;
    for p in 0..a.triangles().len() {
        for q in 0..b.triangles().len() {
            let other = b.corners(q).map(|v| v + offset);
            let found = first_of_triangles(a.corners(p), other, way);
            if let Some(found) = found
                && first.is_none_or(|f| found.lower < f.lower)
            {
                first = Some(found);
            }
        }
    }
    first
}

#[test]
fn soups_agree_with_all_pairs() {
    let count = if crate::is_full() { 6000 } else { 150 };
    let mut rng = ChaCha8Rng::seed_from_u64(23);
    let mut seen = [0; 3];
    for _ in 0..count {
        let (n, m) = (rng.random_range(1..=14), rng.random_range(1..=14));
        let side = rng.random_range(1..=6);
        let (a, b) = (soup(&mut rng, n, side), soup(&mut rng, m, side));
        let mut vector = |far: i32| -> Vec3 {
            Vec3::from(std::array::from_fn(|_| {
                f64::from(rng.random_range(-far..=far))
            }))
        };
        let offset = vector(16);
        let way = vector(4) - offset * f64::from(vector(2).x.abs() as i32);
        let mut expected = first_of_all(&a, &b, offset, way);
        let scene = Scene::new(
            (Shape::from(a), still(Pose::IDENTITY)),
            (
                Shape::from(b),
                straight(at(offset.x, offset.y, offset.z), way.to_array()),
            ),
            64.0,
        );
        if scene.intersects_at(0.0) {
            // Also where an edge is through a face, and nothing touches with a border.
            expected = Some(Interval::exact(0.0));
        }
        let answer = ask(&scene, 1e-10, 2);
        agrees_by_name(&scene, &answer, 1e-10);
        seen[agree(&scene, answer, expected)] += 1;
    }
    println!("none, start, contact: {seen:?}");
    assert!(seen.iter().all(|n| *n >= count / 50), "{seen:?}");
}

/// The tree of boxes by name finds the same, where it can be asked.
fn agrees_by_name(scene: &Scene, answer: &Option<Impact>, tolerance: f64) {
    let [Ok(a), Ok(b)] = [&scene.a, &scene.b].map(ObbTree::new) else {
        return;
    };
    let other = a.time_of_impact(&scene.motion_a, &b, &scene.motion_b, tolerance);
    match (answer, other.unwrap()) {
        (None, None) => {}
        (Some(one), Some(other)) => {
            assert_eq!(one.kind, other.kind, "{one:?}, {other:?}");
            assert!(
                (one.time - other.time).abs() <= tolerance,
                "{one:?}, {other:?}"
            );
        }
        (one, other) => panic!("{one:?}, {other:?} of {scene:?}"),
    }
}

#[test]
fn trees_by_name_refuse_what_they_cannot() {
    assert!(ObbTree::new(&Shape::sphere(1.0).unwrap()).is_err());
    let tree = ObbTree::new(&plate(2)).unwrap();
    let (rest, turn) = (
        still(Pose::IDENTITY),
        turning(at(0.0, 0.0, 1.0), [1.0, 0.0, 0.0]),
    );
    assert!(tree.time_of_impact(&rest, &tree, &turn, 1e-6).is_err());
    assert!(tree.time_of_impact(&rest, &tree, &rest, 0.0).is_err());
    assert!(tree.bytes() > 0);
}

/// Compares an answer at a tolerance of 1e-10 with the exact one; says which kind it was.
pub(super) fn agree(scene: &Scene, answer: Option<Impact>, expected: Option<Interval>) -> usize {
    let Some(time) = expected else {
        assert_eq!(answer, None, "{scene:?}");
        return 0;
    };
    let impact = answer.unwrap_or_else(|| panic!("missed {time:?}: {scene:?}"));
    assert!(
        impact.time <= time.upper,
        "late: {impact:?}, {time:?}, {scene:?}"
    );
    assert!(
        impact.time + 1.02e-10 >= time.lower,
        "early: {impact:?}, {time:?}, {scene:?}"
    );
    if impact.kind == ImpactKind::Start {
        assert!(time.lower == 0.0);
        return 1;
    }
    assert!(impact.bounds.upper + 1e-12 >= time.lower);
    2
}

fn vector(rng: &mut ChaCha8Rng, far: f64) -> Vec3 {
    Vec3::from(std::array::from_fn(|_| rng.random_range(-far..=far)))
}

/// A wavy ring of triangles, not convex, closed.
fn ring(rng: &mut ChaCha8Rng) -> TriMesh {
    let (around, across) = (10, 5);
    let wave = rng.random_range(0.0..0.3);
    let mut vertices = Vec::new();
    for i in 0..around {
        for j in 0..across {
            let u = std::f64::consts::TAU * f64::from(i) / f64::from(around);
            let v = std::f64::consts::TAU * f64::from(j) / f64::from(across);
            let r = 0.25 + wave * (3.0 * u).sin() * 0.5;
            let out = 0.8 + r * v.cos();
            vertices.push(Vec3::new(out * u.cos(), out * u.sin(), r * v.sin()));
        }
    }
    let index = |i: i32, j: i32| ((i % around) * across + j % across) as u32;
    let mut triangles = Vec::new();
    for i in 0..around {
        for j in 0..across {
            let [p, q, r, s] = [
                index(i, j),
                index(i + 1, j),
                index(i + 1, j + 1),
                index(i, j + 1),
            ];
            triangles.extend([[p, q, r], [p, r, s]]);
        }
    }
    TriMesh::new(vertices, triangles).unwrap()
}

fn shape(kind: usize, rng: &mut ChaCha8Rng) -> Shape {
    let mut size = || rng.random_range(0.2..1.0);
    match kind {
        0 => Shape::from(ring(rng)),
        1 => Shape::solid(ring(rng)).unwrap(),
        2 => {
            let points = in_cube(36, (size() * 1e6) as u64);
            let triangles = (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
            Shape::from(TriMesh::new(points, triangles).unwrap())
        }
        3 => Shape::sphere(size()).unwrap(),
        4 => Shape::cuboid(Vec3::new(2.0, size() * 0.02, size())).unwrap(),
        5 => Shape::cylinder(size(), size()).unwrap(),
        6 => Shape::cone(size(), size()).unwrap().rounded(0.2).unwrap(),
        7 => Shape::half_space(Vec3::new(size(), -size(), size()), -1.5).unwrap(),
        _ => Shape::capsule(size(), size() * 0.5).unwrap(),
    }
}

fn motion(rng: &mut ChaCha8Rng, far: f64, angle: f64) -> Motion {
    let q = Quat::from_scaled_axis(vector(rng, 3.0));
    let start = Pose::from_quat(q, vector(rng, 2.5)).unwrap();
    let pivot = if rng.random_bool(0.5) {
        Vec3::ZERO
    } else {
        vector(rng, 1.0)
    };
    Motion::new(start, vector(rng, far), vector(rng, angle), pivot).unwrap()
}

fn run(rounds: u64, angle: f64, samples: u32) -> [u32; 2] {
    let mut seen = [0; 2];
    for seed in 0..rounds {
        let mut rng = ChaCha8Rng::seed_from_u64(seed + 1000 * angle as u64);
        for first in 0..3 {
            for second in 0..9 {
                let a = (shape(first, &mut rng), motion(&mut rng, 4.0, angle));
                let b = (shape(second, &mut rng), motion(&mut rng, 4.0, angle));
                let scene = Scene::new(a, b, 10.0 * (1.0 + angle));
                let tolerance = [1e-2, 1e-6, 1e-10][rng.random_range(0..3)];
                let answer = ask(&scene, tolerance, samples);
                if angle == 0.0 {
                    agrees_by_name(&scene, &answer, tolerance);
                }
                seen[usize::from(answer.is_none())] += 1;
            }
        }
    }
    seen
}

fn rounds(usual: u64) -> u64 {
    if crate::is_full() { 40 * usual } else { usual }
}

#[test]
fn straight_ways() {
    let seen = run(rounds(3), 0.0, 4);
    assert!(seen.iter().all(|n| *n > 10), "{seen:?}");
}

#[test]
fn turning_ways() {
    let seen = run(rounds(3), 2.0, 6);
    assert!(seen.iter().all(|n| *n > 5), "{seen:?}");
}

#[test]
fn many_turns() {
    let seen = run(rounds(1), 20.0, 10);
    assert!(seen[0] > 5, "{seen:?}");
}

/// A square of triangles in the plane z = 0, from -1 to 1.
fn plate(parts: i32) -> Shape {
    let mut vertices = Vec::new();
    for i in 0..=parts {
        for j in 0..=parts {
            let at = |k: i32| 2.0 * f64::from(k) / f64::from(parts) - 1.0;
            vertices.push(Vec3::new(at(i), at(j), 0.0));
        }
    }
    let index = |i: i32, j: i32| (i * (parts + 1) + j) as u32;
    let mut triangles = Vec::new();
    for i in 0..parts {
        for j in 0..parts {
            let [p, q, r, s] = [
                index(i, j),
                index(i + 1, j),
                index(i + 1, j + 1),
                index(i, j + 1),
            ];
            triangles.extend([[p, q, r], [p, r, s]]);
        }
    }
    Shape::from(TriMesh::new(vertices, triangles).unwrap())
}

/// Plates that are thinner than anything, and fly past each other at any speed.
#[test]
fn plates_do_not_tunnel() {
    for speed in [2.0, 1e3, 1e6, 1e9, 1e12] {
        let up = straight(at(0.0, 0.0, -0.75 * speed), [0.0, 0.0, speed]);
        let scene = Scene::new((plate(4), still(Pose::IDENTITY)), (plate(3), up), speed);
        meets_at(&scene, 0.75);
        let beside = straight(at(2.25, 0.0, -0.75 * speed), [0.0, 0.0, speed]);
        let scene = Scene::new((plate(4), still(Pose::IDENTITY)), (plate(3), beside), speed);
        misses(&scene);
    }
}

#[test]
fn plates_slide_and_lift_and_touch() {
    let low = (plate(3), still(Pose::IDENTITY));
    let sliding = straight(at(-3.0, 0.0, 1e-3), [6.0, 0.0, 0.0]);
    misses(&Scene::new(low.clone(), (plate(2), sliding), 4.0));
    // From the start on, no gap is too small.
    for gap in [f64::from_bits(1), 1e-300, 1e-16, 1e-3] {
        let sliding = straight(at(-0.5, 0.0, gap), [6.0, 1.0, 0.0]);
        misses(&Scene::new(low.clone(), (plate(2), sliding), 4.0));
        let lifting = straight(at(0.25, 0.0, gap), [0.5, 0.0, 3.0]);
        misses(&Scene::new(low.clone(), (plate(2), lifting), 4.0));
    }
    let touching = straight(at(0.25, 0.0, 0.0), [0.0, 0.0, 1.0]);
    starts_in_contact(&Scene::new(low.clone(), (plate(2), touching), 4.0));
    // In one plane, edge to edge, and past each other with a corner on an edge for one instant.
    let coplanar = straight(at(-4.0, 0.0, 0.0), [4.0, 0.0, 0.0]);
    meets_at(&Scene::new(low.clone(), (plate(2), coplanar), 4.0), 0.5);
    // Spinning flat above it.
    let spinning = Motion::new(at(0.0, 0.0, 1e-3), Vec3::X, Vec3::Z * 50.0, Vec3::X).unwrap();
    misses(&Scene::new(low, (plate(2), spinning), 4.0));
}

/// Thrown up from below, a plate comes to another where its parabola does, turning or not; thrown less, it falls back.
#[test]
fn plates_fly_on_parabolas() {
    let thrown = |height: f64, turn: f64| {
        let up = Motion::new(
            at(0.0, 0.0, height),
            Vec3::Z * 4.0,
            Vec3::Z * turn,
            Vec3::ZERO,
        );
        up.unwrap().bent(Vec3::Z * -2.0).unwrap()
    };
    let low =
        |motion: Motion| Scene::new((plate(4), still(Pose::IDENTITY)), (plate(3), motion), 8.0);
    for turn in [0.0, 3.0] {
        meets_at(&low(thrown(-1.0, turn)), 1.0 - 0.5_f64.sqrt());
        misses(&low(thrown(-2.0625, turn)));
    }
}

#[test]
fn solids_start_inside_each_other() {
    let small: Vec<Vec3> = in_cube(20, 2).iter().map(|p| *p * 0.0625).collect();
    let (outer, inner) = (
        Polytope::from_points(&in_cube(40, 1)).unwrap(),
        Polytope::from_points(&small).unwrap(),
    );
    let moving = straight(Pose::IDENTITY, [5.0, 0.0, 0.0]);
    let scene = |shape: Shape, other: Shape| {
        Scene::new((shape, still(Pose::IDENTITY)), (other, moving), 8.0)
    };
    starts_in_contact(&scene(solid(&outer), solid(&inner)));
    starts_in_contact(&scene(solid(&outer), Shape::from(inner.to_mesh())));
    // A shell has no inside: what starts in it reaches it from within.
    let shell = scene(Shape::from(outer.to_mesh()), solid(&inner));
    let impact = ask(&shell, 1e-9, 20).unwrap();
    assert_eq!(impact.kind, ImpactKind::Contact);
    assert!(impact.time > 0.0 && impact.time < 0.5);
}

/// A corner comes down on a plate: time, place and features are known.
#[test]
fn features_and_place_are_told() {
    let corner = TriMesh::new(
        vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
        vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
    )
    .unwrap();
    // Down onto its vertex 0, which is over the inside of a triangle of the plate.
    let tip = Quat::from_rotation_arc(Vec3::ONE.normalize(), Vec3::Z);
    let start = Pose::from_quat(tip, Vec3::new(0.25, 0.125, 1.0)).unwrap();
    let falling = straight(start, [0.0, 0.0, -2.0]);
    let scene = Scene::new(
        (plate(1), still(Pose::IDENTITY)),
        (Shape::solid(corner).unwrap(), falling),
        4.0,
    );
    meets_at(&scene, 0.5);
    let impact = ask(&scene, 1e-9, 10).unwrap();
    assert_eq!(impact.features, [Feature::Face(0), Feature::Vertex(0)]);
    assert!(impact.witness.a.distance(Vec3::new(0.25, 0.125, 0.0)) < 1e-8);
    assert!(impact.normal.unwrap().distance(Vec3::Z) < 1e-12);

    // A plate that stands on edge above another falls over: its side is 1 - cos below its middle, which rises.
    let quarter = std::f64::consts::FRAC_PI_2;
    let on_edge = Pose::from_quat(Quat::from_rotation_y(-quarter), Vec3::Z * 1.25).unwrap();
    let tilting = Motion::new(on_edge, Vec3::Z * -0.25, Vec3::Y * quarter, Vec3::ZERO).unwrap();
    // The side is at 1.25 - t / 4 - cos(t pi / 2): it rises at first, and ends at 1.
    misses(&Scene::new(
        (plate(2), still(Pose::IDENTITY)),
        (plate(3), tilting),
        4.0,
    ));
    // Turned the other way round in time it comes down.
    let flat = Motion::new(at(0.0, 0.0, 0.5), Vec3::ZERO, Vec3::Y * quarter, Vec3::ZERO).unwrap();
    let scene = Scene::new((plate(2), still(Pose::IDENTITY)), (plate(3), flat), 4.0);
    meets_at(&scene, 0.5_f64.asin() / quarter);
}

/// Sizes that single precision does not reach.
#[test]
fn extreme_sizes() {
    for size in [1e-290, 1e-100, 1e100, 1e290] {
        let scaled = |shape: &Shape| {
            let Shape::Mesh(mesh) = shape else { panic!() };
            let vertices = mesh.vertices().iter().map(|v| *v * size).collect();
            Shape::from(TriMesh::new(vertices, mesh.triangles().to_vec()).unwrap())
        };
        let up = straight(at(0.0, 0.0, -0.75 * size), [0.0, 0.0, size]);
        let scene = Scene::new(
            (scaled(&plate(2)), still(Pose::IDENTITY)),
            (scaled(&plate(3)), up),
            size,
        );
        let impact = scene.answer(1e-9).unwrap().unwrap();
        assert!(
            impact.time <= 0.75 && impact.time > 0.75 - 1e-9,
            "{impact:?}"
        );
    }
}
