//! A hand closes on a ball: which of its parts touch it, and each other. `cargo run --example hand`

use impinge::{Error, Event, Pose, Shape, Vec3, World};
use impinge_scenes::hand::{FINGERS, SEGMENTS, bent, hand};

const FRAMES: u32 = 60;

fn main() -> Result<(), Error> {
    let mut world = World::default();
    let place = Pose::from_translation(Vec3::new(-0.005, 0.085, 0.05))?;
    let ball = world.insert(Shape::sphere(0.035)?, place)?;
    let hand = world.insert_articulated(hand()?, Pose::IDENTITY)?;

    let mut began = Vec::new();
    for frame in 0..=FRAMES {
        world.set_joints(hand, &bent(0.7 * f64::from(frame) / f64::from(FRAMES)))?;
        world.update();
        for event in world.events() {
            let pair = match event {
                Event::Began(pair) => pair,
                Event::Continued(_) | Event::Ended(_) => continue,
            };
            // Each part of the hand is a body; the linkage knows what it is.
            let [a, b] = [pair.a(), pair.b()].map(|body| match world.part_of(body) {
                Some((_, part)) => world.linkage(hand).map(|hand| hand.link_name(part)),
                None => Ok("ball"),
            });
            let (a, b) = (a?, b?);
            println!("frame {frame:2}: {a} touches {b}");
            if pair.a() == ball {
                began.push(b.to_owned());
            }
        }
    }

    // Every finger has come to the ball.
    for finger in FINGERS {
        assert!(
            began.iter().any(|name| name.starts_with(finger)),
            "{finger}"
        );
    }
    assert!(began.len() <= 1 + FINGERS.len() * SEGMENTS.len());
    Ok(())
}
