//! A user's own shape: the same answers as the built-in one it imitates, and errors where its bounds are none.

use super::kinds::{Family, KINDS, point, poses, shape};
use impinge::shape::{Cuboid, Cylinder, Sphere};
use impinge::{Error, Shape, SupportMap, Vec3, query};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// A built-in shape behind the trait.
#[derive(Debug)]
struct Imitation<T>(T);

impl<T: SupportMap> SupportMap for Imitation<T> {
    fn support(&self, direction: Vec3) -> Vec3 {
        self.0.support(direction)
    }
}

fn imitations() -> Vec<(Shape, Shape)> {
    let ball = Sphere::new(0.75).unwrap();
    let cube = Cuboid::new(Vec3::new(0.5, 1.0, 0.75)).unwrap();
    let can = Cylinder::new(0.5, 0.75).unwrap();
    vec![
        (Shape::Sphere(ball), Shape::custom(Imitation(ball)).unwrap()),
        (
            Shape::Cuboid(cube.clone()),
            Shape::custom(Imitation(cube)).unwrap(),
        ),
        (Shape::Cylinder(can), Shape::custom(Imitation(can)).unwrap()),
    ]
}

#[test]
fn an_imitation_answers_like_the_original() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (mut apart, mut deep) = (0, 0);
    for (original, imitation) in imitations() {
        for kind in 0..KINDS {
            for round in 0..20 {
                let mut other = shape(&mut rng, kind, Family::Random);
                let (mut original, mut imitation) = (original.clone(), imitation.clone());
                if round % 2 == 1 {
                    other = other.rounded(0.125).unwrap();
                    original = original.rounded(0.25).unwrap();
                    imitation = imitation.rounded(0.25).unwrap();
                }
                let [pose, other_pose] = poses(&mut rng, Family::Random);
                let other = other.at(other_pose);
                let (expected, got) = (
                    query::distance(original.at(pose), other),
                    query::distance(imitation.at(pose), other),
                );
                assert!(
                    got.bounds.lower <= expected.bounds.upper
                        && expected.bounds.lower <= got.bounds.upper
                );
                assert!(got.bounds.width() < 1e-11);
                if expected.distance > 1e-12 {
                    apart += 1;
                    assert!(!query::intersects(imitation.at(pose), other));
                    continue;
                }
                let [expected, got] =
                    [&original, &imitation].map(|s| query::penetration(s.at(pose), other).unwrap());
                if let (Some(expected), Some(got)) = (expected, got) {
                    deep += 1;
                    assert!(
                        got.bounds.lower <= expected.bounds.upper
                            && expected.bounds.lower <= got.bounds.upper,
                        "{got:?} {expected:?}"
                    );
                }
            }
        }
    }
    assert!(apart > 100 && deep > 100, "{apart} {deep}");
}

/// A support map that fails now and then.
#[derive(Debug)]
struct Broken {
    radius: f64,
    point: Vec3,
}

impl SupportMap for Broken {
    fn support(&self, direction: Vec3) -> Vec3 {
        if direction.x > 0.5 && direction.y > 0.5 {
            Vec3::NAN
        } else {
            self.point
        }
    }

    fn bounding_radius(&self) -> f64 {
        self.radius
    }
}

#[test]
fn bounds_are_checked_when_the_shape_enters() {
    let nowhere = Shape::custom(Broken {
        radius: 1.0,
        point: Vec3::NAN,
    });
    assert!(matches!(nowhere, Err(Error::NonFinite { .. })));
    let negative = Shape::custom(Broken {
        radius: -1.0,
        point: Vec3::ZERO,
    });
    assert!(matches!(negative, Err(Error::OutOfRange { .. })));
}

#[test]
fn a_map_that_breaks_its_contract_does_not_panic() {
    let broken = Shape::custom(Broken {
        radius: 1.0,
        point: Vec3::Y,
    })
    .unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for kind in 0..KINDS {
        for _ in 0..20 {
            let other = shape(&mut rng, kind, Family::Random);
            let [pose, other_pose] = poses(&mut rng, Family::Random);
            let (a, b) = (broken.at(pose), other.at(other_pose));
            query::intersects(a, b);
            query::distance(a, b);
            query::penetration(a, b).unwrap();
        }
    }
}

#[test]
fn the_default_radius_bounds_the_shape() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let cube = Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap();
    let radius = cube.bounding_radius();
    for _ in 0..100 {
        assert!(cube.support(point(&mut rng)).length() <= radius);
    }
}
