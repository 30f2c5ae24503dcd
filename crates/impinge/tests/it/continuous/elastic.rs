//! What a simulation must conserve, and that nothing is ever in each other.

use super::with;
use impinge::world::continuous::{ContinuousEvent, Pruning};
use impinge::{Pose, Trajectory, Vec3};
use impinge_scenes::elastic::{BodyKind, Elastic, ElasticOptions};

/// Runs until so many impacts were told; at every event all bodies are held against all others and the walls, exactly.
fn run(kind: BodyKind, density_percent: f64, impacts: u64) {
    let options = ElasticOptions {
        bodies: 48,
        kind,
        density_percent,
        seed: 7,
        ..ElasticOptions::default()
    };
    let mut scene = Elastic::new(&options, with(Pruning::Hybrid)).unwrap();
    let (energy, momentum) = (scene.energy().unwrap(), scene.momentum().unwrap());
    let mut told = 0;
    while told < impacts {
        let event = scene.world.next_event(1e6).unwrap().unwrap();
        let overlap = scene.overlap().unwrap();
        assert_eq!(overlap, None, "{kind:?}, after {told}: {event:?}");
        if let ContinuousEvent::Impact(_) | ContinuousEvent::Rested(_) = event {
            told += 1;
        }
        scene.answer(&event).unwrap();
    }
    let drift = (scene.energy().unwrap() - energy).abs() / energy;
    let off = scene.momentum().unwrap().distance(momentum);
    let [bodies, walls] = scene.impacts;
    println!(
        "{kind:?}: {bodies} impacts of two and {walls} with walls, no overlap at any; drift of the energy {drift:.1e}, of the momentum {off:.1e}"
    );
    assert!(drift < 1e-11, "{drift}");
    assert!(off < 1e-9, "{off}");
    assert_eq!(scene.world.stats().rested, 0);
}

#[test]
fn balls_polytopes_and_rings_keep_energy_and_momentum() {
    let many = if crate::is_full() { 100_000 } else { 2000 };
    run(BodyKind::Balls, 10.0, many);
    run(BodyKind::Polytopes(20), 10.0, many);
    run(BodyKind::Rings, 10.0, many);
}

/// The check is able to fail: what was put into another body is found, and what was put into a wall.
#[test]
fn overlaps_are_found() {
    for kind in [BodyKind::Balls, BodyKind::Polytopes(20), BodyKind::Rings] {
        let options = ElasticOptions {
            bodies: 20,
            kind,
            density_percent: 5.0,
            seed: 3,
            ..ElasticOptions::default()
        };
        let mut scene = Elastic::new(&options, with(Pruning::Hybrid)).unwrap();
        assert_eq!(scene.overlap().unwrap(), None);
        let (one, other) = (scene.bodies[3], scene.bodies[17]);
        let put = |scene: &mut Elastic, pose: Pose| {
            let still = Trajectory::still(pose);
            scene.world.set_motion(one, still).unwrap();
        };
        let at = scene.world.pose(other).unwrap();
        put(&mut scene, at);
        let mut found = scene.overlap().unwrap().unwrap();
        found.sort_unstable();
        assert_eq!(found, [one, other], "{kind:?}");
        let half = Vec3::splat(0.5 * scene.side);
        let wall = half - Vec3::X * half.x;
        put(&mut scene, Pose::from_translation(wall).unwrap());
        assert_eq!(scene.overlap().unwrap().unwrap()[0], one, "{kind:?}");
    }
}
