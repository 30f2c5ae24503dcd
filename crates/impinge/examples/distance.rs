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

    // Just above the table: 0.05 + 0.1 is a little more than 0.15 in floating point, so the lowest corners end up one
    // rounding above it. The answer is about these numbers, not about nearby ones.
    let above = Pose::from_translation(Vec3::new(0.25, 0.25, 0.05 + 0.1))?;
    let gap = query::distance(die.at(above), table.at(Pose::IDENTITY)).distance;
    println!("a rounding above the table: apart by {gap:e}");
    assert!(gap > 0.0 && gap < 1e-16);
    assert!(!query::intersects(die.at(above), table.at(Pose::IDENTITY)));
    Ok(())
}
