//! Every pair of kinds: the witness points prove the upper bound, and their direction proves the lower one.
//!
//! Membership and support points are written here once more, in plain doubles, so that a wrong support point, weight or
//! sign in the library cannot pass. `IMPINGE_FULL=1` runs the full counts.

use super::{KINDS, random_pose, random_shape, scale};
use impinge::{Feature, Placed, Shape, Vec3, reference};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// How far a point is from the placed shape, at most; 0 for a point inside. Rounded.
fn excess(placed: &Placed<'_>, p: Vec3) -> f64 {
    let q = placed.pose.unplace(p);
    match placed.shape {
        Shape::Sphere(s) => (q.length() - s.radius()).max(0.0),
        Shape::Cuboid(c) => (q.abs() - c.half_size()).max(Vec3::ZERO).length(),
        Shape::Capsule(c) => {
            let on_axis = Vec3::Z * q.z.clamp(-c.half_height(), c.half_height());
            (q.distance(on_axis) - c.radius()).max(0.0)
        }
        Shape::Cylinder(c) => {
            let across = (q.truncate().length() - c.radius()).max(0.0);
            across.hypot((q.z.abs() - c.half_height()).max(0.0))
        }
        Shape::Cone(c) => cone_distance(c.half_height(), c.radius(), q.truncate().length(), q.z),
        Shape::Ellipsoid(e) => {
            // The scaled length exceeds one by at least the distance over the largest radius.
            ((q / e.radii()).length() - 1.0).max(0.0) * e.radii().max_element()
        }
        Shape::Polytope(polytope) => (0..polytope.face_count())
            .map(|f| {
                let (normal, offset) = polytope.plane(f);
                (normal.dot(q) - offset).max(0.0)
            })
            .fold(0.0, f64::max),
        Shape::Mesh(mesh) => (0..mesh.triangles().len())
            .map(|t| triangle_distance(mesh.corners(t), q))
            .fold(f64::INFINITY, f64::min),
        Shape::Solid(solid) => {
            let mesh = solid.mesh();
            // The blobs are convex: inside is below all faces.
            let below = |t| {
                let [a, b, c] = mesh.corners(t);
                (b - a).cross(c - a).normalize().dot(q - a)
            };
            (0..mesh.triangles().len()).map(below).fold(0.0, f64::max)
        }
        // The cores rounded here are boxes, cones and capsules, for which the above is the distance itself.
        Shape::Rounded(r) => (excess(&r.core().at(placed.pose), p) - r.radius()).max(0.0),
        Shape::HalfSpace(_) | _ => unreachable!("no half-spaces here"),
    }
}

/// The distance of a point at `across` from the axis and `z` along it from a cone, in the half-plane of the two.
fn cone_distance(h: f64, r: f64, across: f64, z: f64) -> f64 {
    if z < -h && across <= r {
        return -h - z;
    }
    // From the rim up to the apex; outside is on the right.
    let (edge_x, edge_z) = (-r, 2.0 * h);
    let (from_x, from_z) = (across - r, z + h);
    if z >= -h && from_x * edge_z - from_z * edge_x <= 0.0 {
        return 0.0;
    }
    let along = (from_x * edge_x + from_z * edge_z) / (edge_x * edge_x + edge_z * edge_z);
    let along = along.clamp(0.0, 1.0);
    (from_x - edge_x * along).hypot(from_z - edge_z * along)
}

fn triangle_distance([a, b, c]: [Vec3; 3], p: Vec3) -> f64 {
    let normal = (b - a).cross(c - a);
    let inside = [(a, b), (b, c), (c, a)]
        .iter()
        .all(|(u, v)| normal.cross(*v - *u).dot(p - *u) >= 0.0);
    if inside {
        return normal.normalize().dot(p - a).abs();
    }
    [(a, b), (b, c), (c, a)]
        .iter()
        .map(|(u, v)| {
            let along = ((p - *u).dot(*v - *u) / (*v - *u).length_squared()).clamp(0.0, 1.0);
            p.distance(u.lerp(*v, along))
        })
        .fold(f64::INFINITY, f64::min)
}

/// The largest `direction . p` over a convex placed shape. Rounded.
fn height(placed: &Placed<'_>, direction: Vec3) -> f64 {
    let d = placed.pose.unrotate(direction);
    let flat = d.truncate().length();
    let farthest = |points: &[Vec3]| {
        let along = points.iter().map(|v| d.dot(*v));
        along.fold(f64::NEG_INFINITY, f64::max)
    };
    let local = match placed.shape {
        Shape::Sphere(s) => s.radius() * d.length(),
        Shape::Cuboid(c) => d.abs().dot(c.half_size()),
        Shape::Capsule(c) => d.z.abs() * c.half_height() + c.radius() * d.length(),
        Shape::Cylinder(c) => d.z.abs() * c.half_height() + c.radius() * flat,
        Shape::Cone(c) => (d.z * c.half_height()).max(c.radius() * flat - d.z * c.half_height()),
        Shape::Ellipsoid(e) => (d * e.radii()).length(),
        Shape::Polytope(p) => farthest(p.vertices()),
        Shape::Solid(s) => farthest(s.mesh().vertices()),
        Shape::Rounded(r) => {
            let own = r.radius() * direction.length();
            return height(&r.core().at(placed.pose), direction) + own;
        }
        Shape::Mesh(_) | Shape::HalfSpace(_) | _ => f64::INFINITY,
    };
    local + direction.dot(placed.pose.translation())
}

/// Checks an answer by its witness; returns whether the shapes are apart.
fn check(a: Placed<'_>, b: Placed<'_>) -> bool {
    let answer = reference::distance(a, b);
    let scale = scale(&a).max(scale(&b));
    let tolerance = 1e-12 * scale;
    let context = || format!("{a:?}\n{b:?}\n{answer:?}");

    let apart = !reference::intersects(a, b);
    assert_eq!(apart, answer.distance > 0.0, "{}", context());
    assert!(answer.bounds.contains(answer.distance), "{}", context());
    assert!(answer.bounds.width() <= tolerance, "{}", context());
    assert!(excess(&a, answer.witness.a) <= tolerance, "{}", context());
    assert!(excess(&b, answer.witness.b) <= tolerance, "{}", context());
    let between = answer.witness.b - answer.witness.a;
    assert!(
        (between.length() - answer.distance).abs() <= tolerance,
        "{}",
        context()
    );
    assert!(reference::within(a, b, answer.bounds.upper));
    assert_eq!(reference::within(a, b, answer.bounds.lower * 0.999), !apart);
    if apart {
        assert!(
            answer.features.iter().all(|f| *f != Feature::Inside),
            "{}",
            context()
        );
        // A soup has no supporting plane, but is as far as each of its triangles.
        if answer.distance > 1e-3 * scale && a.shape.is_convex() && b.shape.is_convex() {
            let direction = between.normalize();
            let gap = -height(&b, -direction) - height(&a, direction);
            assert!(
                (gap - answer.distance).abs() <= 1e-11 * scale,
                "{gap}\n{}",
                context()
            );
        }
    }
    apart
}

#[test]
fn every_pair_of_kinds_proves_its_answer() {
    check_all_kinds(if crate::is_full() { 200 } else { 12 }, 2);
}

fn check_all_kinds(rounds: usize, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut apart = 0;
    let mut total = 0;
    for kind_a in 0..KINDS {
        for kind_b in 0..KINDS {
            for round in 0..rounds {
                let (a, b) = (
                    random_shape(&mut rng, kind_a),
                    random_shape(&mut rng, kind_b),
                );
                let reach = if round % 3 == 0 { 0.7 } else { 2.5 };
                let pose_a = random_pose(&mut rng, reach);
                let pose_b = random_pose(&mut rng, reach);
                apart += usize::from(check(a.at(pose_a), b.at(pose_b)));
                total += 1;
            }
        }
    }
    assert!(
        apart > total / 4 && apart < total * 9 / 10,
        "{apart} of {total}"
    );
}

#[test]
fn swapping_the_shapes_swaps_the_answer() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for round in 0..300 {
        let (kind_a, kind_b) = (round % KINDS, round / KINDS % KINDS);
        let (a, b) = (
            random_shape(&mut rng, kind_a),
            random_shape(&mut rng, kind_b),
        );
        let (pose_a, pose_b) = (random_pose(&mut rng, 2.0), random_pose(&mut rng, 2.0));
        let (a, b) = (a.at(pose_a), b.at(pose_b));
        assert_eq!(reference::intersects(a, b), reference::intersects(b, a));
        let (there, back) = (reference::distance(a, b), reference::distance(b, a));
        let tolerance = 1e-14 * scale(&a).max(scale(&b));
        assert!(
            (there.distance - back.distance).abs() <= tolerance,
            "{there:?}\n{back:?}"
        );
    }
}

/// How far to move the second shape along the line of origins until the two are within 1e-15 of touching. `None` when they
/// do not meet with their origins in one place, from where it starts.
fn kissing_offset(a: Placed<'_>, b: &Placed<'_>) -> Option<Vec3> {
    let away = b.pose.translation() - a.pose.translation();
    let moved = |t: f64| {
        let place = b.pose.translation() + away * t;
        let pose = impinge::Pose::from_matrix(*b.pose.matrix(), place).unwrap();
        reference::intersects(a, b.shape.at(pose))
    };
    let (mut meets, mut apart) = (-1.0, 20.0);
    if !moved(meets) {
        return None;
    }
    for _ in 0..60 {
        let middle = 0.5 * (meets + apart);
        if moved(middle) {
            meets = middle;
        } else {
            apart = middle;
        }
    }
    Some(away * apart)
}

#[test]
fn grazing_shapes_are_measured_to_full_precision() {
    check_grazing(if crate::is_full() { 10_000 } else { 112 }, 4);
}

fn check_grazing(rounds: usize, seed: u64) {
    const CURVED: [usize; 4] = [3, 4, 5, 10];
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut measured = 0;
    for round in 0..rounds {
        let (kind_a, kind_b) = (CURVED[round % 4], round / 4 % 7);
        let (a, b) = (
            random_shape(&mut rng, kind_a),
            random_shape(&mut rng, kind_b),
        );
        let (pose_a, pose_b) = (random_pose(&mut rng, 1.0), random_pose(&mut rng, 1.0));
        let (a, b) = (a.at(pose_a), b.at(pose_b));
        let Some(offset) = kissing_offset(a, &b) else {
            continue;
        };
        measured += 1;
        let away = (pose_b.translation() - pose_a.translation()).normalize();
        let scale = scale(&a).max(scale(&b)).max(offset.length());
        for gap in [0.0, 1e-14, 1e-13, 1e-12, 1e-11, 1e-9, 1e-6] {
            let place = pose_b.translation() + offset + away * gap * scale;
            let pose = impinge::Pose::from_matrix(*pose_b.matrix(), place).unwrap();
            let answer = reference::distance(a, b.shape.at(pose));
            assert!(
                answer.bounds.width() <= 1e-14 * scale,
                "{gap}: {answer:?}\n{a:?}\n{b:?}"
            );
            // Moving by a gap parts convex shapes by a share of it, which is small only where they slide.
            assert!(
                answer.distance <= 1.01 * gap * scale + 1e-14 * scale,
                "{gap}: {answer:?}\n{a:?}\n{b:?}"
            );
        }
    }
    assert!(measured > rounds * 9 / 10, "only {measured} of {rounds}");
}
