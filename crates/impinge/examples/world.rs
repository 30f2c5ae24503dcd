//! Many bodies: what touches what, frame by frame. `cargo run --example world`
//!
//! Balls roll over a table and fall off its edge; the world tells when each one meets the table and when it leaves.

use impinge::broad::Filter;
use impinge::{Error, Event, Pose, Shape, Vec3, World};

const BALLS: u32 = 1;
const TABLES: u32 = 2;

fn main() -> Result<(), Error> {
    let mut world = World::default();
    let table = Shape::cuboid(Vec3::new(2.0, 2.0, 0.5))?;
    let table = world.insert(table, Pose::IDENTITY)?;
    world.set_filter(
        table,
        Filter {
            groups: TABLES,
            mask: BALLS,
        },
    )?;

    // One shape for all balls; they do not care about each other.
    let ball = Shape::sphere(0.25)?;
    let mut balls = Vec::new();
    for k in 0..8 {
        let y = -1.75 + 0.5 * f64::from(k);
        let start = Vec3::new(-3.0, y, 0.75);
        let body = world.insert(ball.clone(), Pose::from_translation(start)?)?;
        world.set_filter(
            body,
            Filter {
                groups: BALLS,
                mask: TABLES,
            },
        )?;
        balls.push((body, start));
    }

    let (mut began, mut ended) = (0, 0);
    for frame in 0..60 {
        for (k, (body, start)) in balls.iter().enumerate() {
            let speed = 0.1 + 0.01 * k as f64;
            let place = *start + Vec3::X * speed * f64::from(frame);
            world.set_pose(*body, Pose::from_translation(place)?)?;
        }
        world.update();
        for event in world.events() {
            match event {
                Event::Began(pair) => {
                    println!("frame {frame}: ball {} is on the table", pair.b());
                    began += 1;
                }
                Event::Ended(pair) => {
                    println!("frame {frame}: ball {} is off", pair.b());
                    ended += 1;
                }
                Event::Continued(_) => (),
            }
        }
        // Balls that roll on the table touch it: a contact without depth, up to the last digits.
        let is_touching = |depth: f64| depth.abs() < 1e-12;
        let depths = world.contacts().iter().map(|c| c.distance());
        assert!(depths.flatten().all(is_touching));
    }
    assert_eq!((began, ended), (8, 8));
    Ok(())
}
