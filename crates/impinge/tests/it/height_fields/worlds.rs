//! Fields among the bodies of a world.

use crate::cases::rng;
use impinge::{HeightField, Pose, Shape, Vec3, World, WorldOptions, query};
use rand::RngExt;

#[test]
fn bodies_over_a_terrain_meet_it_as_queries_say() {
    let terrain = HeightField::from_fn([60, 60], [0.5, 0.5], |row, column| {
        (row as f64 * 0.3).sin() + (column as f64 * 0.2).cos()
    });
    let terrain = Shape::from(terrain.unwrap());
    let shapes = [
        Shape::sphere(0.3).unwrap(),
        Shape::cuboid(Vec3::new(0.2, 0.3, 0.4)).unwrap(),
        Shape::capsule(0.3, 0.2).unwrap(),
        Shape::cone(0.4, 0.3).unwrap(),
    ];
    let mut rng = rng(181);
    let mut world = World::new(WorldOptions::default()).unwrap();
    let at = Pose::from_axis_angle(Vec3::X, 0.1, Vec3::new(-3.0, 1.0, 2.0)).unwrap();
    let ground = world.insert(terrain.clone(), at).unwrap();
    let mut place = || {
        let range = 2.0..28.0;
        let at = Vec3::new(
            rng.random_range(range.clone()) - 3.0,
            rng.random_range(range),
            rng.random_range(-1.0..6.0),
        );
        Pose::from_axis_angle(Vec3::ONE, rng.random_range(0.0..3.0), at).unwrap()
    };
    let bodies: Vec<_> = (0..80)
        .map(|k| {
            let shape = &shapes[k % shapes.len()];
            (world.insert(shape.clone(), place()).unwrap(), shape)
        })
        .collect();
    let mut meetings = 0;
    for _ in 0..5 {
        let poses: Vec<Pose> = bodies.iter().map(|_| place()).collect();
        for ((body, _), pose) in bodies.iter().zip(&poses) {
            world.set_pose(*body, *pose).unwrap();
        }
        world.update();
        for ((body, shape), pose) in bodies.iter().zip(&poses) {
            let expected = query::intersects(terrain.at(at), shape.at(*pose));
            let contact = world.contact(ground, *body);
            assert_eq!(contact.is_some_and(|c| c.intersects()), expected);
            meetings += usize::from(expected);
        }
    }
    assert!(meetings > 20, "{meetings}");
}
