//! The continuous world on small integers: time goes on whatever is answered, events come in order, and all prunings tell the same.
#![no_main]

use impinge::broad::BroadPhaseKind;
use impinge::world::continuous::{ContinuousEvent, ContinuousOptions, ContinuousWorld, Pruning};
use impinge::{BodyId, Pose, Shape, Trajectory, Vec3};
use impinge_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

fn vector(bytes: &mut Bytes<'_>, reach: u8) -> Vec3 {
    let mut small = || f64::from(bytes.byte() % (2 * reach + 1)) - f64::from(reach);
    Vec3::new(small(), small(), small())
}

fn trajectory(bytes: &mut Bytes<'_>, time: f64, pose: Pose) -> Trajectory {
    let flight = Trajectory::moving(time, pose, vector(bytes, 3)).expect("small integers");
    match bytes.byte() % 3 {
        0 => flight.accelerated(vector(bytes, 2)),
        1 => flight.spinning(vector(bytes, 2), vector(bytes, 1) * 0.25),
        _ => Ok(flight),
    }
    .expect("small integers")
}

fn shape(bytes: &mut Bytes<'_>) -> Shape {
    match bytes.byte() % 4 {
        0 => Shape::sphere(0.5),
        1 => Shape::cuboid(Vec3::new(0.5, 0.5, 0.5)),
        2 => Shape::cuboid(Vec3::new(1.0, 1.0, 0.125)),
        _ => Shape::capsule(0.5, 0.25),
    }
    .expect("sound sizes")
}

/// Everything that happens, as the bytes say.
fn run(data: &[u8], pruning: Pruning) -> Vec<ContinuousEvent> {
    let mut bytes = Bytes::new(data);
    let options = ContinuousOptions {
        pruning,
        ..ContinuousOptions::default()
    };
    let mut world = ContinuousWorld::new(options).expect("sound options");
    let mut bodies: Vec<BodyId> = Vec::new();
    let mut events = Vec::new();
    for step in 0..6 {
        let time = f64::from(step) * 0.5;
        let pose = Pose::from_translation(vector(&mut bytes, 4)).expect("small integers");
        match bytes.byte() % 4 {
            0 if !bodies.is_empty() => {
                let place = bytes.byte() as usize % bodies.len();
                world
                    .remove(bodies.swap_remove(place))
                    .expect("it is there");
            }
            1 if !bodies.is_empty() => {
                let body = bodies[bytes.byte() as usize % bodies.len()];
                let flight = trajectory(&mut bytes, time, pose);
                world.set_motion(body, flight).expect("small integers");
            }
            _ => {
                let shape = shape(&mut bytes);
                let flight = trajectory(&mut bytes, time, pose);
                bodies.push(world.insert(shape, flight).expect("small integers"));
            }
        }
        while let Some(event) = world.next_event(time + 0.5).expect("it goes on") {
            assert!(event.time() >= time && event.time() == world.time());
            events.push(event);
            if let ContinuousEvent::Impact(impact) = event
                && bytes.byte() % 4 != 0
            {
                let body = impact.pair.b();
                let pose = world.pose(body).expect("it is there");
                let flight = trajectory(&mut bytes, world.time(), pose);
                world.set_motion(body, flight).expect("small integers");
            }
            if events.len() > 2000 {
                return events;
            }
        }
        world.validate();
    }
    events
}

fuzz_target!(|data: &[u8]| {
    let expected = run(data, Pruning::Nothing);
    let frames = Pruning::Frames {
        interval: 0.3,
        broad_phase: BroadPhaseKind::Sweep,
    };
    for pruning in [Pruning::Kinetic, Pruning::Hybrid, frames] {
        assert!(run(data, pruning) == expected, "{pruning:?}");
    }
});
