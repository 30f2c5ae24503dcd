//! Balls in a box, from impact to impact: gravity, walls, elastic answers. Nothing is sampled, and energy is conserved.

use impinge::world::continuous::{ContinuousEvent, ContinuousWorld, PairImpact};
use impinge::{BodyId, Error, Pose, Shape, Trajectory, Vec3};

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);

fn main() -> Result<(), Error> {
    let mut world = ContinuousWorld::default();
    let still = Trajectory::still(Pose::IDENTITY);
    for (normal, offset) in [
        (Vec3::Z, 0.0),
        (-Vec3::X, -3.0),
        (Vec3::X, -3.0),
        (-Vec3::Y, -3.0),
        (Vec3::Y, -3.0),
    ] {
        // Everything behind the wall.
        world.insert(Shape::half_space(normal, offset)?, still)?;
    }
    let mut balls = Vec::new();
    for i in 0..5 {
        let height = 2.0 + 1.5 * f64::from(i);
        let pose = Pose::from_translation(Vec3::new(0.1 * f64::from(i), 0.0, height))?;
        let flight = Trajectory::moving(0.0, pose, Vec3::new(0.7, 0.3, 0.0))?;
        balls.push(world.insert(Shape::sphere(0.4)?, flight.accelerated(GRAVITY)?)?);
    }
    let before = energy(&world, &balls)?;
    let mut impacts = 0;
    while let Some(event) = world.next_event(10.0)? {
        if let ContinuousEvent::Impact(impact) = event {
            bounce(&mut world, &balls, &impact)?;
            impacts += 1;
        }
    }
    let drift = (energy(&world, &balls)? - before).abs() / before;
    println!("{impacts} impacts, energy off by {drift:.1e}");
    assert!(impacts > 20 && drift < 1e-6);
    Ok(())
}

/// Exchanges the velocities along the normal; walls do not move.
fn bounce(world: &mut ContinuousWorld, balls: &[BodyId], impact: &PairImpact) -> Result<(), Error> {
    let (a, b) = (impact.pair.a(), impact.pair.b());
    let Some(normal) = impact.normal else {
        return Ok(());
    };
    let closing = normal.dot(world.velocity(b)? - world.velocity(a)?);
    let share = if balls.contains(&a) { 1.0 } else { 2.0 };
    for (body, sign) in [(a, 1.0), (b, -1.0)] {
        if balls.contains(&body) {
            let velocity = world.velocity(body)? + normal * (sign * share * closing);
            let flight = Trajectory::moving(world.time(), world.pose(body)?, velocity)?;
            world.set_motion(body, flight.accelerated(GRAVITY)?)?;
        }
    }
    Ok(())
}

/// Of balls of mass 1.
fn energy(world: &ContinuousWorld, balls: &[BodyId]) -> Result<f64, Error> {
    let mut sum = 0.0;
    for ball in balls {
        let height = world.pose(*ball)?.translation().z;
        sum += 0.5 * world.velocity(*ball)?.length_squared() - GRAVITY.z * height;
    }
    Ok(sum)
}
