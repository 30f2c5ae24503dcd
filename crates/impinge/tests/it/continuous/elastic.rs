//! What a simulation must conserve, and that nothing is ever in each other.

use super::with;
use impinge::world::continuous::{ContinuousEvent, Pruning};
use impinge_scenes::elastic::{BodyKind, Elastic, ElasticOptions};

/// Runs until so many impacts were told; checks every event.
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
        let (ContinuousEvent::Impact(impact) | ContinuousEvent::Rested(impact)) = event else {
            continue;
        };
        told += 1;
        let both = [impact.pair.a(), impact.pair.b()];
        let some = if told % 64 == 0 {
            scene.bodies.clone()
        } else {
            both.to_vec()
        };
        assert_eq!(
            scene.overlap_of(&some).unwrap(),
            None,
            "{kind:?}, {told}: {impact:?}"
        );
        scene.answer(&event).unwrap();
    }
    let drift = (scene.energy().unwrap() - energy).abs() / energy;
    assert!(drift < 1e-11, "{drift}");
    let off = scene.momentum().unwrap().distance(momentum);
    assert!(off < 1e-9, "{off}");
    assert_eq!(scene.world.stats().rested, 0);
}

#[test]
fn balls_and_polytopes_keep_energy_and_momentum() {
    let many = if crate::is_full() { 100_000 } else { 2000 };
    run(BodyKind::Balls, 10.0, many);
    run(BodyKind::Polytopes(20), 10.0, many);
}
