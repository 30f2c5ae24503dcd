//! The three ways to find the time of an impact, and shapes without a continuous test.

use super::{at, cuboid, is_near, moving, sphere, still};
use impinge::world::continuous::{
    ContinuousEvent, ContinuousOptions, ContinuousWorld, HitKind, PairImpact, Schedule,
};
use impinge_scenes::elastic::{BodyKind, Elastic, ElasticOptions};

fn with(schedule: Schedule) -> ContinuousWorld {
    ContinuousWorld::new(ContinuousOptions {
        schedule,
        step: 0.125,
        ..ContinuousOptions::default()
    })
    .unwrap()
}

fn first(world: &mut ContinuousWorld, until: f64) -> Option<PairImpact> {
    match world.next_event(until).unwrap() {
        Some(ContinuousEvent::Impact(impact)) => Some(impact),
        None => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn slow_bodies_are_seen_by_all() {
    for schedule in Schedule::ALL {
        let mut world = with(schedule);
        world.insert(sphere(1.0), still(0.0, 0.0, 0.0)).unwrap();
        world
            .insert(
                sphere(1.0),
                moving(0.0, at(5.0, 0.0, 0.0), [-0.9, 0.0, 0.0]),
            )
            .unwrap();
        let found = first(&mut world, 10.0).unwrap();
        let expected = 3.0 / 0.9;
        match schedule {
            Schedule::Prediction | Schedule::Bisection => {
                assert!(is_near(found.time, expected), "{found:?}")
            }
            Schedule::FixedStep => assert_eq!(found.time, 3.375),
        }
        assert_eq!(
            found.kind == HitKind::Predicted,
            schedule == Schedule::Prediction
        );
        assert_eq!(first(&mut world, 20.0), None);
        assert_eq!(schedule.name().parse(), Ok(schedule));
    }
}

#[test]
fn only_prediction_sees_a_bullet() {
    for schedule in Schedule::ALL {
        let mut world = with(schedule);
        world
            .insert(cuboid(0.01, 9.0, 9.0), still(0.0, 0.0, 0.0))
            .unwrap();
        world
            .insert(
                sphere(0.1),
                moving(0.0, at(-40.0, 0.0, 0.0), [700.0, 0.0, 0.0]),
            )
            .unwrap();
        let found = first(&mut world, 1.0);
        assert_eq!(found.is_some(), schedule == Schedule::Prediction);
    }
}

#[test]
fn simulations_run_with_all() {
    for schedule in Schedule::ALL {
        let scene = ElasticOptions {
            bodies: 40,
            kind: BodyKind::Balls,
            density_percent: 8.0,
            ..ElasticOptions::default()
        };
        let options = ContinuousOptions {
            schedule,
            step: 0.01,
            ..ContinuousOptions::default()
        };
        let mut scene = Elastic::new(&scene, options).unwrap();
        let energy = scene.energy().unwrap();
        scene.advance_to(10.0).unwrap();
        assert!(scene.impacts[0] > 20, "{schedule}: {:?}", scene.impacts);
        assert!((scene.energy().unwrap() - energy).abs() < 1e-9 * energy);
    }
}
