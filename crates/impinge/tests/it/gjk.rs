//! GJK by name against closed forms and the exact path.

use impinge::exact::hull_distance;
use impinge::narrow::gjk::{self, GjkCache, MAX_STEPS};
use impinge::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Sphere};
use impinge::{Interval, Polytope, Pose, Quat, Shape, SupportMap, Vec3, reference};
use impinge_scenes::points::on_sphere;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn poses(rng: &mut ChaCha8Rng, reach: f64) -> [Pose; 2] {
    [0.0, reach].map(|reach| {
        let axes = on_sphere(2, rng.random());
        let turn = Quat::from_axis_angle(axes[0], rng.random_range(0.0..6.3));
        Pose::from_quat(turn, axes[1] * reach).unwrap()
    })
}

#[test]
fn boxes_agree_with_the_exact_distance() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut most = 0;
    for round in 0..600 {
        let mut cuboid = || {
            let mut half = || rng.random_range(0.01..1.0);
            Cuboid::new(Vec3::new(half(), half(), half())).unwrap()
        };
        let (a, b) = (cuboid(), cuboid());
        let [pose_a, pose_b] = poses(&mut rng, 0.005 * f64::from(round));
        let mut cache = GjkCache::default();
        let found = gjk::distance(&a, &pose_a, &b, &pose_b, &mut cache);
        let exact = hull_distance(
            &a.corners().map(|v| pose_a.place(v)),
            &b.corners().map(|v| pose_b.place(v)),
        );
        assert!(
            found.bounds.lower <= exact.bounds.upper && exact.bounds.lower <= found.bounds.upper
        );
        if exact.distance > 1e-6 {
            assert!(found.bounds.width() <= 1e-12 * 4.0, "{found:?}");
            assert!((found.witness.a.distance(found.witness.b) - exact.distance).abs() < 1e-12);
            let again = gjk::distance(&a, &pose_a, &b, &pose_b, &mut cache);
            assert!(again.steps <= 1 && again.bounds.contains(exact.distance));
        }
        most = most.max(found.steps);
    }
    assert!(most <= 20, "{most} steps");
}

#[test]
fn balls_and_capsules_agree_with_closed_forms() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for round in 0..300 {
        let radius = rng.random_range(0.1..1.0);
        let [pose_a, pose_b] = poses(&mut rng, 0.02 * f64::from(round));
        let (ball, capsule) = (
            Sphere::new(radius).unwrap(),
            Capsule::new(0.7, 0.4).unwrap(),
        );
        let found = gjk::distance(&ball, &pose_a, &capsule, &pose_b, &mut GjkCache::default());
        let center = pose_b.unplace(pose_a.translation());
        let on_axis = Vec3::new(0.0, 0.0, center.z.clamp(-0.7, 0.7));
        let truth = (center.distance(on_axis) - radius - 0.4).max(0.0);
        assert!(
            found.bounds.lower <= truth + 1e-12 && truth <= found.bounds.upper + 1e-12,
            "{found:?} {truth}"
        );
        if truth > 0.1 {
            assert!(found.bounds.width() < 1e-7, "{found:?}");
        }
        assert!(found.steps <= MAX_STEPS);
    }
}

#[test]
fn steps_grow_slowly_with_the_number_of_vertices() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut most = [0; 3];
    for (most, count) in most.iter_mut().zip([20, 200, 2000]) {
        let polytope = Polytope::from_points(&on_sphere(count, 7)).unwrap();
        for _ in 0..50 {
            let [pose_a, pose_b] = poses(&mut rng, 2.1);
            let found = gjk::distance(
                &polytope,
                &pose_a,
                &polytope,
                &pose_b,
                &mut GjkCache::default(),
            );
            assert!(found.bounds.width() < 1e-11 || found.bounds.lower == 0.0);
            *most = (*most).max(found.steps);
        }
    }
    assert!(most[2] <= 4 * most[0], "{most:?}");
}

/// A shape of the user's own: a disc in the xy plane.
#[derive(Debug)]
struct Disc(f64);

impl SupportMap for Disc {
    fn support(&self, direction: Vec3) -> Vec3 {
        direction.with_z(0.0).normalize_or_zero() * self.0
    }
}

#[test]
fn a_shape_of_ones_own_works_too() {
    let disc: Box<dyn SupportMap> = Box::new(Disc(2.0));
    let cube = Cuboid::new(Vec3::ONE).unwrap();
    let above = Pose::from_translation(Vec3::new(0.5, 0.0, 4.0)).unwrap();
    let found = gjk::distance(
        &*disc,
        &Pose::IDENTITY,
        &cube,
        &above,
        &mut GjkCache::default(),
    );
    assert!(found.bounds.contains(3.0) && found.bounds.width() < 1e-11);
}

/// A shape twice: as support points for GJK and as what the reference understands.
type Twice = (Box<dyn SupportMap>, Shape);

/// Shapes of all kinds, round, flat and needle-like, of a size of about 1.
fn any_shape(rng: &mut ChaCha8Rng) -> Twice {
    let mut half = || [1.0, 0.3, 0.01, 1e-4][rng.random_range(0..4)] * rng.random_range(0.5..1.0);
    let (p, q, r) = (half(), half(), half());
    match rng.random_range(0..7) {
        0 => (Box::new(Sphere::new(p).unwrap()), Shape::sphere(p).unwrap()),
        1 => (
            Box::new(Capsule::new(p, q).unwrap()),
            Shape::capsule(p, q).unwrap(),
        ),
        2 => (
            Box::new(Cylinder::new(p, q).unwrap()),
            Shape::cylinder(p, q).unwrap(),
        ),
        3 => (
            Box::new(Cone::new(p, q).unwrap()),
            Shape::cone(p, q).unwrap(),
        ),
        4 => {
            let radii = Vec3::new(p, q, r);
            (
                Box::new(Ellipsoid::new(radii).unwrap()),
                Shape::ellipsoid(radii).unwrap(),
            )
        }
        5 => {
            let half = Vec3::new(p, q, r);
            (
                Box::new(Cuboid::new(half).unwrap()),
                Shape::cuboid(half).unwrap(),
            )
        }
        _ => {
            let stretch = Vec3::new(p, q, r);
            let points: Vec<Vec3> = on_sphere(12, rng.random())
                .iter()
                .map(|v| *v * stretch)
                .collect();
            let polytope = Polytope::from_points(&points).unwrap();
            (Box::new(polytope.clone()), Shape::from(polytope))
        }
    }
}

fn overlaps(p: Interval, q: Interval) -> bool {
    p.lower <= q.upper && q.lower <= p.upper
}

#[test]
fn all_kinds_of_shapes_agree_with_the_reference_at_every_step() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let (mut apart, mut narrow, mut most) = (0, 0, 0);
    let mut foreign = GjkCache::default();
    for round in 0..600 {
        let ((a, shape_a), (b, shape_b)) = (any_shape(&mut rng), any_shape(&mut rng));
        let [pose_a, pose_b] = poses(&mut rng, 0.005 * f64::from(round));
        let truth = reference::distance(shape_a.at(pose_a), shape_b.at(pose_b));
        let mut cache = GjkCache::default();
        let mut before = 0.0;
        let found = gjk::distance_by_steps(&*a, &pose_a, &*b, &pose_b, &mut cache, |step| {
            assert!(overlaps(step.bounds, truth.bounds), "{step:?} {truth:?}");
            assert!(step.bounds.lower >= before);
            before = step.bounds.lower;
        });
        assert!(overlaps(found.bounds, truth.bounds), "{found:?} {truth:?}");
        assert!(found.steps <= MAX_STEPS);
        // A second time, from what the first left.
        let again = gjk::distance(&*a, &pose_a, &*b, &pose_b, &mut cache);
        assert!(overlaps(again.bounds, truth.bounds), "{again:?} {truth:?}");
        // And from what other shapes left.
        let other = gjk::distance(&*a, &pose_a, &*b, &pose_b, &mut foreign);
        assert!(overlaps(other.bounds, truth.bounds), "{other:?} {truth:?}");
        most = most.max(found.steps);
        if truth.distance > 0.01 {
            apart += 1;
            narrow += u32::from(found.bounds.width() < 1e-6);
            assert!(found.bounds.lower > 0.0, "{found:?} {truth:?}");
            assert!(other.bounds.lower > 0.0, "{other:?} {truth:?}");
        }
    }
    assert!(
        apart > 200 && narrow * 100 >= apart * 98,
        "{narrow} of {apart}"
    );
    assert!(most < MAX_STEPS, "{most}");
}

#[test]
fn sizes_at_the_ends_of_the_range_are_measured_honestly() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for size in [1e-300, 1e-200, 1e-20, 1e20, 1e200, 1e300] {
        for _ in 0..20 {
            let ball = Sphere::new(size).unwrap();
            let [pose_a, pose_b] = poses(&mut rng, 3.0 * size);
            let found = gjk::distance(&ball, &pose_a, &ball, &pose_b, &mut GjkCache::default());
            let between = pose_b.translation() / size - pose_a.translation() / size;
            let truth = between.length() - 2.0;
            let off = [found.bounds.lower, found.bounds.upper].map(|bound| bound / size - truth);
            assert!(off[0] < 1e-14 && off[1] > -1e-14, "{found:?} {truth}");
            assert!(off[1] - off[0] < 1e-6, "{found:?} {truth}");
        }
    }
}
