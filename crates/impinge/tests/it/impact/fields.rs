//! Height fields on their way, or in it: exact times for snapped ones, the contract and the mesh of the same triangles for all.

use super::random::{KINDS, motion, shape};
use super::surfaces::{agree, first_of_all, soup};
use super::{Scene, ask, at, cuboid, floor, meets_at, misses, sphere, still, straight};
use crate::height_fields::random_field;
use crate::shapes::kinds::Family;
use impinge::{Feature, HeightField, ImpactKind, Interval, Motion, Pose, Shape, Vec3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn count(usual: usize) -> usize {
    if crate::is_full() { 40 * usual } else { usual }
}

/// The scene with the first shape's triangles stored.
fn stored(scene: &Scene) -> Scene {
    let Shape::HeightField(field) = &scene.a else {
        panic!("the first shape is the field");
    };
    Scene {
        a: Shape::from(field.to_mesh()),
        ..scene.clone()
    }
}

/// Holds a scene to the contract, and compares it with the one of stored triangles; whether they meet on the way.
fn compare(scene: &Scene, tolerance: f64) -> bool {
    let (made, kept) = (ask(scene, tolerance, 8), stored(scene).answer(tolerance));
    match (&made, &kept.unwrap()) {
        (None, None) => false,
        (Some(made), Some(kept)) => {
            assert_eq!(made.kind, kept.kind, "{scene:?}");
            let apart = (made.time - kept.time).abs();
            assert!(apart <= tolerance, "{made:?}, {kept:?} of {scene:?}");
            made.kind == ImpactKind::Contact
        }
        answers => panic!("{answers:?} of {scene:?}"),
    }
}

/// The motion with another way: through the middle of a field as it is at the start.
fn towards((field, its_motion): &(Shape, Motion), motion: Motion) -> Motion {
    let Shape::HeightField(own) = field else {
        panic!("it is for fields");
    };
    let middle = its_motion.start().place(own.bounds().center());
    let way = (middle - motion.start().translation()) * 1.5;
    let straight = Motion::new(*motion.start(), way, motion.turn(), motion.pivot()).unwrap();
    straight.bent(motion.bend()).unwrap()
}

#[test]
fn all_kinds_of_shapes_meet_fields_as_they_meet_meshes() {
    for (angle, bend) in [(0.0, 0.0), (2.0, 0.0), (0.0, 5.0)] {
        let mut rng = ChaCha8Rng::seed_from_u64(71);
        let mut met = 0;
        for round in 0..count(5) * KINDS {
            let field = Shape::from(random_field(&mut rng, Family::Random));
            let a = (field, motion(&mut rng, 4.0, angle, bend));
            let other = shape(round % KINDS, &mut rng);
            let b = (other, towards(&a, motion(&mut rng, 4.0, angle, bend)));
            let scene = Scene::new(a, b, (20.0 + 2.0 * bend) * (1.0 + angle));
            met += usize::from(compare(&scene, [1e-3, 1e-9][round % 2]));
        }
        assert!(met >= count(5) * KINDS / 5, "{met} at {angle}, {bend}");
    }
}

#[test]
fn fields_meet_fields() {
    let mut rng = ChaCha8Rng::seed_from_u64(72);
    let mut met = 0;
    for round in 0..count(30) {
        let fields = [(); 2].map(|()| Shape::from(random_field(&mut rng, Family::Random)));
        let angle = [0.0, 1.5][round % 2];
        let [a, b] = fields.map(|field| (field, motion(&mut rng, 4.0, angle, 0.0)));
        let b = (b.0, towards(&a, b.1));
        met += usize::from(compare(&Scene::new(a, b, 20.0 * (1.0 + angle)), 1e-8));
    }
    assert!(met >= count(30) / 6, "{met}");
}

#[test]
fn snapped_fields_meet_soups_at_exact_times() {
    let mut rng = ChaCha8Rng::seed_from_u64(73);
    let mut seen = [0; 3];
    for _ in 0..count(120) {
        let field = random_field(&mut rng, Family::Snapped);
        let side = rng.random_range(1..=4);
        let falling = soup(&mut rng, 4, side);
        let mut whole = |low: i32, high: i32| f64::from(rng.random_range(low..=high));
        let offset = Vec3::new(whole(-3, 8), whole(-3, 12), whole(0, 10));
        let way = Vec3::new(whole(-2, 2), whole(-2, 2), whole(-16, 1));
        let mut expected = first_of_all(&field.to_mesh(), &falling, offset, way);
        let scene = Scene::new(
            (Shape::from(field), still(Pose::IDENTITY)),
            (
                Shape::from(falling),
                straight(at(offset.x, offset.y, offset.z), way.to_array()),
            ),
            48.0,
        );
        if scene.intersects_at(0.0) {
            expected = Some(Interval::exact(0.0));
        }
        seen[agree(&scene, ask(&scene, 1e-10, 2), expected)] += 1;
    }
    assert!(seen.iter().all(|n| *n >= count(120) / 20), "{seen:?}");
}

/// Hills with a hole in the middle: a ball falls through it, a plate lands on the rim.
#[test]
fn holes_let_through() {
    let flat = HeightField::from_fn([4, 4], [1.0, 1.0], |_, _| 0.0).unwrap();
    let drain = || Shape::from(flat.clone().with_holes([[1, 1]]).unwrap());
    let falling = |shape: Shape| {
        let way = straight(at(1.5, 1.5, 3.0), [0.0, 0.0, -6.0]);
        Scene::new((drain(), still(Pose::IDENTITY)), (shape, way), 8.0)
    };
    misses(&falling(sphere(0.25)));
    meets_at(&falling(cuboid(0.75, 0.75, 0.5)), 2.5 / 6.0);
}

#[test]
fn the_part_that_is_hit_has_the_name_it_has_in_the_field() {
    let slope = HeightField::from_fn([3, 5], [1.0, 1.0], |_, column| column as f64).unwrap();
    let corner = slope.vertex(2, 4).unwrap();
    let scene = Scene::new(
        (Shape::from(slope), still(Pose::IDENTITY)),
        (sphere(0.5), straight(at(2.9, 0.5, 8.0), [0.0, 0.0, -8.0])),
        16.0,
    );
    let impact = ask(&scene, 1e-9, 20).unwrap();
    // It touches at 3.25: cell 3 of the first row, left of its diagonal, the second triangle.
    assert_eq!(impact.features[0], Feature::Face(7));

    // A half-space that leans a little comes down on the last of the highest corners.
    let below = Vec3::new(corner.x, corner.y, corner.z + 1.0);
    let lid = Shape::half_space(Vec3::new(0.0, -1.0, -8.0), 0.0).unwrap();
    let scene = Scene::new(
        (
            lid,
            straight(at(below.x, below.y, below.z), [0.0, 0.0, -2.0]),
        ),
        (scene.a, still(Pose::IDENTITY)),
        16.0,
    );
    meets_at(&scene, 0.5);
    let impact = ask(&scene, 1e-9, 20).unwrap();
    assert_eq!(impact.features, [Feature::Surface, Feature::Vertex(14)]);
    misses(&Scene::new(
        (floor(-1.5), still(Pose::IDENTITY)),
        (scene.b, straight(Pose::IDENTITY, [3.0, 2.0, -1.0])),
        16.0,
    ));
}
