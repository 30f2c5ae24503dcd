//! How far apart are two shapes, and where? `cargo run --example distance`

use impinge::{Error, Pose, Shape, Vec3, query};

fn main() -> Result<(), Error> {
    let table = Shape::cuboid(Vec3::new(1.0, 1.0, 0.05))?;
    let die = Shape::hull(&[
        Vec3::new(0.1, 0.1, 0.1),
        Vec3::new(-0.1, -0.1, 0.1),
        Vec3::new(-0.1, 0.1, -0.1),
        Vec3::new(0.1, -0.1, -0.1),
    ])?;

    let falling = Pose::from_translation(Vec3::new(0.25, 0.25, 0.5))?;
    let near = query::distance(die.at(falling), table.at(Pose::IDENTITY));
    println!(
        "apart by {}, certainly between {} and {}",
        near.distance, near.bounds.lower, near.bounds.upper
    );
    println!("closest points: {} and {}", near.witness.a, near.witness.b);
    assert!((near.distance - 0.35).abs() < 1e-15);

    // 0.15 is not a sum of 0.05 and 0.1 in floating point. Touching is decided on the numbers as they are.
    let resting = Pose::from_translation(Vec3::new(0.25, 0.25, 0.05 + 0.1))?;
    let touches = query::intersects(die.at(resting), table.at(Pose::IDENTITY));
    println!("resting on the table: {touches}");
    Ok(())
}
