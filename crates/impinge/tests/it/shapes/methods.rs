//! The questions by name: every method gives the booleans of the reference, and intervals that meet its own.

use super::kinds::{Family, KINDS, pair, point};
use impinge::query::{self, Method};
use impinge::{Error, Mat3, Placed, Pose, Shape, Vec3, reference};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Whether a method knows both shapes.
fn is_known(method: Method, [a, b]: [&Shape; 2]) -> bool {
    match method {
        Method::Gjk => !is_plane(a) && !is_plane(b),
        Method::LinCanny => a.as_polytope().is_some() && b.as_polytope().is_some(),
        Method::Tree(_) => [a, b]
            .iter()
            .all(|shape| matches!(shape, Shape::Mesh(_) | Shape::Solid(_))),
        _ => true,
    }
}

fn is_plane(shape: &Shape) -> bool {
    match shape {
        Shape::HalfSpace(_) => true,
        Shape::Rounded(rounded) => is_plane(rounded.core()),
        _ => false,
    }
}

fn check(method: Method, a: Placed<'_>, b: Placed<'_>) {
    let expected = reference::intersects(a, b);
    assert_eq!(
        query::intersects_by(method, a, b).unwrap(),
        expected,
        "{method}: {a:?} {b:?}"
    );
    let truth = reference::distance(a, b);
    for gap in [truth.distance * 0.75, truth.distance * 1.25 + 0.01, -1.0] {
        assert_eq!(
            query::within_by(method, a, b, gap).unwrap(),
            reference::within(a, b, gap),
            "{method}, {gap}: {a:?} {b:?}"
        );
    }
    let near = query::distance_by(method, a, b).unwrap();
    assert_eq!(near.distance == 0.0, expected, "{method}: {near:?}");
    assert!(near.bounds.contains(near.distance), "{method}: {near:?}");
    assert!(
        near.bounds.lower <= truth.bounds.upper && truth.bounds.lower <= near.bounds.upper,
        "{method}: {near:?} is not {truth:?}: {a:?} {b:?}"
    );
}

#[test]
fn named_methods_agree_with_the_reference() {
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    let mut answered = [0; Method::ALL.len()];
    for family in [Family::Random, Family::Snapped, Family::Far(1e4)] {
        for kinds in 0..KINDS * KINDS {
            let kinds = [kinds % KINDS, kinds / KINDS];
            for round in 0..if crate::is_full() { 80 } else { 3 } {
                let ([a, b], [pose_a, pose_b]) = pair(&mut rng, kinds, family, round);
                for (method, count) in Method::ALL.into_iter().zip(&mut answered) {
                    let (a, b) = (a.at(pose_a), b.at(pose_b));
                    if is_known(method, [a.shape, b.shape]) {
                        *count += 1;
                        check(method, a, b);
                    } else {
                        let refused = query::distance_by(method, a, b);
                        assert!(matches!(refused, Err(Error::WrongShape { .. })));
                    }
                }
            }
        }
    }
    let few = KINDS * KINDS;
    assert!(
        answered[0] == answered[1] && answered[2] > 6 * few,
        "{answered:?}"
    );
    assert!(answered[3] >= 12, "{answered:?}");
}

#[test]
fn named_methods_agree_about_poses_a_little_off_rotations() {
    let mut rng = ChaCha8Rng::seed_from_u64(18);
    for kinds in 0..KINDS * KINDS {
        let kinds = [kinds % KINDS, kinds / KINDS];
        for round in 0..if crate::is_full() { 60 } else { 3 } {
            let ([a, b], poses) = pair(&mut rng, kinds, Family::Random, round);
            let [p, q] = poses.map(|pose| {
                let off = Mat3::from_diagonal(point(&mut rng) * 2e-7) + Mat3::IDENTITY;
                Pose::from_matrix(*pose.matrix() * off, pose.translation()).unwrap()
            });
            let (a, b) = (a.at(p), b.at(q));
            for method in Method::ALL {
                if is_known(method, [a.shape, b.shape]) {
                    check(method, a, b);
                }
            }
        }
    }
    // Two balls, one of which a matrix would shrink away from the other.
    let ball = Shape::sphere(1.0).unwrap();
    let small = Pose::from_matrix(Mat3::IDENTITY * (1.0 - 4e-7), Vec3::ZERO).unwrap();
    let beside = Pose::from_translation(Vec3::X * (2.0 - 1e-7)).unwrap();
    assert!(query::intersects_by(Method::Gjk, ball.at(small), ball.at(beside)).unwrap());
}

#[test]
fn names_are_read_as_they_are_written() {
    for method in Method::ALL {
        assert_eq!(method.name().parse(), Ok(method));
        assert_eq!(method.to_string(), method.name());
    }
    let unknown = "epa".parse::<Method>().unwrap_err().to_string();
    let expected =
        "unknown method \"epa\", expected one of: default, reference, gjk, lin-canny, aabb-tree, ";
    assert!(unknown.starts_with(expected), "{unknown}");
}
