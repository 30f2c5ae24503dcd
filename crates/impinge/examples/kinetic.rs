//! A box between two walls, in continuous time: it turns round whenever it touches one. Nothing is sampled.

use impinge::body::BodyIds;
use impinge::kinetic::{KineticBox, KineticEvent, KineticSweep};
use impinge::{Aabb, Error, Vec3};

/// A cube of unit size with its lower corner at `x`.
fn cube(x: f64) -> Result<Aabb, Error> {
    Aabb::new(Vec3::new(x, 0.0, 0.0), Vec3::new(x + 1.0, 1.0, 1.0))
}

fn main() -> Result<(), Error> {
    let mut ids = BodyIds::default();
    let mut sweep = KineticSweep::default();
    for wall in [-1.0, 9.0] {
        sweep.insert(ids.insert()?, KineticBox::still(cube(wall)?)?)?;
    }
    let runner = ids.insert()?;
    let (mut since, mut place, mut speed) = (0.0, 0.5, 2.0);
    sweep.insert(
        runner,
        KineticBox::moving(cube(place)?, since, Vec3::X * speed)?,
    )?;

    let mut bounces = 0;
    while let Some(event) = sweep.next_event(30.0)? {
        println!("{event:?}");
        if let KineticEvent::Began { time, .. } = event {
            place += speed * (time - since);
            since = time;
            speed = -speed;
            bounces += 1;
            sweep.set_motion(
                runner,
                KineticBox::moving(cube(place)?, since, Vec3::X * speed)?,
            )?;
        }
    }
    // The first wall after 3.75 seconds, the next ones 4 seconds apart.
    assert_eq!(bounces, 7);
    Ok(())
}
