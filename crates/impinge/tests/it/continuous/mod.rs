//! The continuous world: closed forms, agreement of all prunings, fine sampling, progress, conservation.

mod agreement;
mod contacts;
mod elastic;
mod filters;
mod flights;
mod sampled;
mod schedules;

use impinge::broad::BroadPhaseKind;
use impinge::world::continuous::{
    ContinuousEvent, ContinuousOptions, ContinuousWorld, PairImpact, Pruning,
};
use impinge::{BodyId, Pose, Shape, Trajectory, Vec3};

fn world() -> ContinuousWorld {
    ContinuousWorld::default()
}

fn with(pruning: Pruning) -> ContinuousOptions {
    ContinuousOptions {
        pruning,
        ..ContinuousOptions::default()
    }
}

fn prunings() -> Vec<Pruning> {
    let frames = |interval: f64, broad_phase: BroadPhaseKind| Pruning::Frames {
        interval,
        broad_phase,
    };
    vec![
        Pruning::Nothing,
        Pruning::Hybrid,
        Pruning::Kinetic,
        Pruning::KineticPairing,
        frames(0.1, BroadPhaseKind::Sweep),
        frames(0.037, BroadPhaseKind::Watch),
        frames(1.5, BroadPhaseKind::Brute),
    ]
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn moving(time: f64, pose: Pose, velocity: [f64; 3]) -> Trajectory {
    Trajectory::moving(time, pose, Vec3::from(velocity)).unwrap()
}

fn falling(time: f64, pose: Pose, velocity: [f64; 3]) -> Trajectory {
    let flight = moving(time, pose, velocity);
    flight.accelerated(Vec3::Z * -10.0).unwrap()
}

fn sphere(radius: f64) -> Shape {
    Shape::sphere(radius).unwrap()
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::cuboid(Vec3::new(x, y, z)).unwrap()
}

fn still(x: f64, y: f64, z: f64) -> Trajectory {
    Trajectory::still(at(x, y, z))
}

/// The next event, which must be an impact.
fn impact(world: &mut ContinuousWorld, until: f64) -> PairImpact {
    match world.next_event(until).unwrap() {
        Some(ContinuousEvent::Impact(impact)) => impact,
        other => panic!("{other:?}"),
    }
}

/// A new velocity from here on, without acceleration.
fn deflect(world: &mut ContinuousWorld, body: BodyId, velocity: [f64; 3]) {
    let pose = world.pose(body).unwrap();
    let flight = moving(world.time(), pose, velocity);
    world.set_motion(body, flight).unwrap();
}

fn is_near(time: f64, expected: f64) -> bool {
    time <= expected + 1e-12 && time >= expected - 2e-9
}
