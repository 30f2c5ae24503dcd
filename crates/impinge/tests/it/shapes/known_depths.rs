//! Depths with an oracle of their own: exact hulls, exact distances of axes, and closed forms.

use super::kinds::{Family, poses, shape};
use impinge::exact::hull_penetration;
use impinge::{Error, Interval, Placed, Pose, Shape, Vec3, query, reference};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn overlap(x: Interval, y: Interval) -> bool {
    x.lower <= y.upper && y.lower <= x.upper
}

fn widened(x: Interval, by: f64) -> Interval {
    Interval {
        lower: x.lower - by,
        upper: x.upper + by,
    }
}

/// The placed points that span the core of a sphere, capsule, box or polytope, and its radius.
fn core(placed: &Placed<'_>) -> (Vec<Vec3>, f64) {
    let place = |points: &[Vec3]| points.iter().map(|p| placed.pose.place(*p)).collect();
    match placed.shape {
        Shape::Sphere(s) => (place(&[Vec3::ZERO]), s.radius()),
        Shape::Capsule(c) => {
            let end = Vec3::Z * c.half_height();
            (place(&[-end, end]), c.radius())
        }
        Shape::Cuboid(c) => (place(&c.corners()), 0.0),
        Shape::Polytope(p) => (place(p.vertices()), 0.0),
        Shape::Rounded(r) => {
            let (points, radius) = core(&r.core().at(placed.pose));
            (points, radius + r.radius())
        }
        _ => unreachable!("only cores spanned by points"),
    }
}

/// The depth of two cores by exact arithmetic, plus the radii, rounded.
fn exact_depth(a: &Placed<'_>, b: &Placed<'_>) -> Interval {
    let ((p, r), (q, s)) = (core(a), core(b));
    let core = match hull_penetration(&p, &q) {
        Some(deep) => deep.bounds,
        None => {
            let apart = impinge::exact::hull_distance(&p, &q).bounds;
            Interval {
                lower: -apart.upper,
                upper: -apart.lower,
            }
        }
    };
    Interval {
        lower: core.lower + r + s,
        upper: core.upper + r + s,
    }
}

#[test]
fn cores_spanned_by_points_agree_with_exact_hulls() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut deep_pairs = 0;
    for family in [
        Family::Random,
        Family::Snapped,
        Family::Nested,
        Family::Degenerate,
        Family::Far(1e4),
    ] {
        for kinds in 0..16 {
            for round in 0..if crate::is_full() { 300 } else { 12 } {
                let (a, b) = (
                    shape(&mut rng, kinds % 4, family),
                    shape(&mut rng, kinds / 4, family),
                );
                let (a, b) = if round % 2 == 0 {
                    (a, b)
                } else {
                    (a.rounded(0.25).unwrap(), b)
                };
                let [pose_a, pose_b] = poses(&mut rng, family);
                let (a, b) = (a.at(pose_a), b.at(pose_b));
                if let Some(deep) = query::penetration(a, b).unwrap() {
                    deep_pairs += 1;
                    let expected = widened(exact_depth(&a, &b), 1e-15);
                    assert!(
                        overlap(deep.bounds, expected),
                        "{deep:?} {expected:?} {a:?} {b:?}"
                    );
                    assert!(
                        deep.bounds.width() <= 1e-12 * super::scale(&a, &b),
                        "{deep:?} {a:?} {b:?}"
                    );
                }
            }
        }
    }
    assert!(deep_pairs > 300, "{deep_pairs}");
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

/// The first shape at the origin and the second at a point overlap by this depth.
fn assert_depth(a: &Shape, b: &Shape, [x, y, z]: [f64; 3], depth: f64) {
    assert_deep(a.at(Pose::IDENTITY), b.at(at(x, y, z)), depth);
}

fn assert_deep(a: Placed<'_>, b: Placed<'_>, depth: f64) {
    for (a, b) in [(a, b), (b, a)] {
        let deep = query::penetration(a, b).unwrap().unwrap();
        assert!(
            widened(deep.bounds, 1e-15 * depth).contains(depth),
            "{deep:?}, not {depth}"
        );
        assert!(deep.bounds.width() <= 1e-12, "{deep:?}");
    }
}

#[test]
fn balls_and_capsules_overlap_by_their_radii_less_the_distance_of_their_axes() {
    let (ball, point) = (Shape::sphere(1.0).unwrap(), Shape::sphere(0.0).unwrap());
    assert_depth(&ball, &ball, [0.6, 0.0, 0.8], 1.0);
    assert_depth(&ball, &point, [0.0, 1.0, 0.0], 0.0);
    let bar = Shape::capsule(1.0, 0.25).unwrap();
    let across = Pose::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_2, Vec3::ZERO).unwrap();
    // Axes that cross, lie on each other, and meet end to end.
    assert_deep(bar.at(Pose::IDENTITY), bar.at(across), 0.5);
    assert_depth(&bar, &bar, [0.0, 0.0, 0.5], 0.5);
    assert_depth(&bar, &bar, [0.0, 0.0, 2.25], 0.25);
    assert_depth(&bar, &bar, [0.25, 0.0, 1.0], 0.25);
}

#[test]
fn balls_leave_boxes_by_the_nearest_face() {
    let (cube, ball) = (
        Shape::cuboid(Vec3::new(1.0, 2.0, 3.0)).unwrap(),
        Shape::sphere(0.5).unwrap(),
    );
    assert_depth(&cube, &ball, [0.25, 1.5, 0.0], 1.0);
    assert_depth(&cube, &ball, [0.75, 1.5, 2.5], 0.75);
    assert_depth(&cube, &ball, [1.25, 0.0, 0.0], 0.25);
    assert_depth(&cube, &ball, [1.5, 0.0, 0.0], 0.0);
    assert_depth(&cube, &ball, [0.0; 3], 1.5);
}

#[test]
fn cylinders_along_one_axis_have_closed_forms() {
    let (can, rod) = (
        Shape::cylinder(1.0, 0.5).unwrap(),
        Shape::capsule(0.5, 0.125).unwrap(),
    );
    let ball = Shape::sphere(0.25).unwrap();
    assert_depth(&can, &can, [0.0, 0.0, 0.25], 1.0);
    assert_depth(&can, &can, [0.25, 0.0, 1.5], 0.5);
    assert_depth(&can, &rod, [0.0; 3], 0.625);
    assert_depth(&can, &ball, [0.0, 0.0, 0.75], 0.5);
    assert_depth(&can, &ball, [0.0, 0.3, 0.0], 0.45);
}

#[test]
fn half_spaces_are_left_along_their_normal() {
    let floor = Shape::half_space(Vec3::new(0.0, 0.0, 2.0), 1.0).unwrap();
    let cone = Shape::cone(1.0, 1.0).unwrap();
    assert_depth(&floor, &cone, [3.0, 4.0, 1.0], 0.5);
    let sunk = cone.rounded(0.25).unwrap();
    assert_depth(&floor, &sunk, [3.0, 4.0, 1.0], 0.75);
    assert_depth(&floor, &sunk, [3.0, 4.0, 1.75], 0.0);
    let above = query::penetration(floor.at(Pose::IDENTITY), sunk.at(at(3.0, 4.0, 2.0)));
    assert_eq!(above.unwrap(), None);
}

#[test]
fn two_half_spaces_part_only_when_opposite() {
    let (down, up) = (
        Shape::half_space(Vec3::Z, 1.0).unwrap(),
        Shape::half_space(Vec3::NEG_Z, 2.0).unwrap(),
    );
    assert_depth(&down, &up, [0.0; 3], 3.0);
    let round = up.clone().rounded(0.5).unwrap();
    assert_depth(&down, &round, [0.0; 3], 3.5);
    assert_depth(&down, &round, [0.0, 0.0, 3.25], 0.25);
    let beyond = query::penetration(down.at(Pose::IDENTITY), up.at(at(0.0, 0.0, 3.5)));
    assert_eq!(beyond.unwrap(), None);
    let side = Shape::half_space(Vec3::X, 0.0).unwrap();
    for other in [&side, &down] {
        let endless = query::penetration(down.at(Pose::IDENTITY), other.at(Pose::IDENTITY));
        assert!(matches!(endless, Err(Error::WrongShape { .. })));
    }
}

#[test]
fn meshes_have_no_depth() {
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    let mesh = Shape::from(impinge::TriMesh::new(corners, vec![[0, 1, 2]]).unwrap());
    let ball = Shape::sphere(1.0).unwrap();
    let refused = query::penetration(ball.at(Pose::IDENTITY), mesh.at(Pose::IDENTITY));
    assert!(refused.unwrap_err().to_string().contains("convex"));
}

#[test]
fn ellipsoids_in_general_position_are_as_deep_as_their_distance_says() {
    // Two shapes that overlap by little: moved apart along the direction by more, the distance grows one to one.
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    for _ in 0..40 {
        let radii = |rng: &mut ChaCha8Rng| {
            Vec3::new(
                rng.random_range(0.5..1.0),
                rng.random_range(0.5..1.0),
                rng.random_range(0.5..1.0),
            )
        };
        let (a, b) = (
            Shape::ellipsoid(radii(&mut rng)).unwrap(),
            Shape::ellipsoid(radii(&mut rng)).unwrap(),
        );
        let [pose_a, pose_b] = poses(&mut rng, Family::Random);
        let (a, b) = (a.at(pose_a), b.at(pose_b));
        if let Some(deep) = query::penetration(a, b).unwrap() {
            let to = pose_b.translation() + deep.direction * (deep.depth + 1.0);
            let away = b.shape.at(Pose::from_matrix(*pose_b.matrix(), to).unwrap());
            assert!(reference::distance(a, away).distance <= 1.0 + 1e-12);
        }
    }
}
