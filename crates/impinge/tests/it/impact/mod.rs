//! The time of impact: closed forms, an exact oracle for straight motions, dense sampling for all others.
//!
//! Every answer goes through [`ask`], which holds it to the contract by means of shapes that stand still: apart at all
//! sampled times before the answer, within rounding of touching at the upper end of its bounds, bounds no wider than the
//! tolerance, the same bits on a second call, and the same answer for the two in the other order.

mod bent;
mod closed_forms;
mod edges;
mod fields;
mod proof;
mod random;
mod straight;
mod surfaces;
mod turning;

use impinge::{Error, Impact, ImpactKind, Motion, Pose, Shape, Vec3, query, reference};

/// What the contract allows, times the size of the coordinates.
const ROUNDING: f64 = 1e-12;

/// Two moving shapes.
#[derive(Debug, Clone)]
struct Scene {
    a: Shape,
    motion_a: Motion,
    b: Shape,
    motion_b: Motion,
    /// No coordinate is larger on the way.
    size: f64,
}

impl Scene {
    fn new(a: (Shape, Motion), b: (Shape, Motion), size: f64) -> Scene {
        Scene {
            a: a.0,
            motion_a: a.1,
            b: b.0,
            motion_b: b.1,
            size,
        }
    }

    fn swapped(&self) -> Scene {
        Scene {
            a: self.b.clone(),
            motion_a: self.motion_b,
            b: self.a.clone(),
            motion_b: self.motion_a,
            size: self.size,
        }
    }

    fn answer(&self, tolerance: f64) -> Result<Option<Impact>, Error> {
        query::time_of_impact(&self.a, &self.motion_a, &self.b, &self.motion_b, tolerance)
    }

    fn intersects_at(&self, t: f64) -> bool {
        let [a, b] = self.poses(t);
        reference::intersects(self.a.at(a), self.b.at(b))
    }

    fn distance_at(&self, t: f64) -> f64 {
        let [a, b] = self.poses(t);
        reference::distance(self.a.at(a), self.b.at(b)).distance
    }

    fn poses(&self, t: f64) -> [Pose; 2] {
        [&self.motion_a, &self.motion_b].map(|motion| motion.pose_at(t).unwrap())
    }
}

/// The answer, after everything that must hold for any of them. `samples` is the number of times looked at.
fn ask(scene: &Scene, tolerance: f64, samples: u32) -> Option<Impact> {
    let answer = scene.answer(tolerance).unwrap();
    assert_eq!(answer, scene.answer(tolerance).unwrap(), "a second call");
    let apart_until = match &answer {
        None => 1.0,
        Some(impact) => check(scene, impact, tolerance),
    };
    for i in 0..samples {
        let even = f64::from(i) / f64::from(samples);
        // Half of them crowd before the end.
        for share in [even, 1.0 - 2_f64.powf(-50.0 * even)] {
            let t = share * apart_until;
            assert!(
                t >= apart_until || !scene.intersects_at(t),
                "touches at {t}: {answer:?} of {scene:?}"
            );
        }
    }
    if answer.is_none() {
        assert!(!scene.intersects_at(1.0), "touches at the end: {scene:?}");
    }
    check_swapped(scene, &answer, tolerance);
    answer
}

/// Checks an impact and returns the time before which nothing may touch.
fn check(scene: &Scene, impact: &Impact, tolerance: f64) -> f64 {
    let rounding = ROUNDING * scene.size;
    assert_eq!(impact.time, impact.bounds.lower);
    assert!(impact.bounds.lower <= impact.bounds.upper);
    assert!(impact.bounds.lower >= 0.0 && impact.bounds.upper <= 1.0);
    assert!(impact.witness.a.is_finite() && impact.witness.b.is_finite());
    let starts = scene.intersects_at(0.0);
    assert_eq!(
        impact.kind == ImpactKind::Start,
        starts,
        "{impact:?} of {scene:?}"
    );
    match impact.kind {
        ImpactKind::Start => assert_eq!(impact.time, 0.0),
        ImpactKind::Contact => {
            assert!(impact.bounds.width() <= tolerance.next_up(), "{impact:?}");
            let left = scene.distance_at(impact.bounds.upper);
            assert!(left <= rounding, "{left} apart: {impact:?} of {scene:?}");
            let gap = scene.distance_at(impact.time);
            let apart = impact.witness.a.distance(impact.witness.b);
            // Of meshes, the points are on the parts that touch, which need not be the closest before.
            let is_surface = !scene.a.is_convex() || !scene.b.is_convex();
            assert!(
                (gap - apart).abs() <= rounding || (is_surface && apart > gap),
                "{gap}, {apart}: {impact:?} of {scene:?}"
            );
            let normal = impact.normal;
            let normal = normal.unwrap_or_else(|| panic!("no normal: {impact:?} of {scene:?}"));
            assert!((normal.length() - 1.0).abs() < 1e-14);
            let along = normal.dot(impact.witness.b - impact.witness.a);
            assert!(
                along >= gap * (1.0 - 1e-6) - rounding,
                "{along} of {gap}: {impact:?}"
            );
        }
        ImpactKind::Undecided => panic!("{impact:?} of {scene:?}"),
    }
    impact.time
}

fn check_swapped(scene: &Scene, answer: &Option<Impact>, tolerance: f64) {
    match (answer, scene.swapped().answer(tolerance).unwrap()) {
        (None, None) => {}
        (Some(one), Some(other)) => {
            assert_eq!(one.kind, other.kind);
            assert!(
                (one.time - other.time).abs() <= tolerance,
                "{one:?}, {other:?}"
            );
        }
        (one, other) => {
            // Only where the shapes pass each other within rounding may the order decide.
            let found = one.or(other).unwrap();
            let nearest = scene.distance_at(found.bounds.upper);
            assert!(nearest <= ROUNDING * scene.size, "{one:?}, {other:?}");
        }
    }
}

/// The contact is at this time: the answer is not later, and not earlier by more than the tolerance.
fn meets_at(scene: &Scene, time: f64) {
    for tolerance in [1e-3, 1e-6, 1e-9, 1e-11] {
        let impact = ask(scene, tolerance, 20).expect("they meet");
        assert_eq!(impact.kind, ImpactKind::Contact);
        let rounding = 1e-13 * scene.size;
        assert!(impact.time <= time + 1e-15, "{impact:?}, not {time}");
        assert!(
            time - impact.time <= tolerance + rounding,
            "{impact:?}, not {time}"
        );
        assert!(
            time <= impact.bounds.upper + rounding,
            "{impact:?}, not {time}"
        );
    }
}

/// They never touch.
fn misses(scene: &Scene) {
    for tolerance in [1e-1, 1e-6, 1e-12] {
        assert_eq!(ask(scene, tolerance, 50), None);
    }
}

/// They touch from the start.
fn starts_in_contact(scene: &Scene) {
    let impact = ask(scene, 1e-6, 0).expect("they touch");
    assert_eq!((impact.kind, impact.time), (ImpactKind::Start, 0.0));
    assert_eq!(impact.normal, None);
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn straight(start: Pose, translation: [f64; 3]) -> Motion {
    Motion::new(start, Vec3::from(translation), Vec3::ZERO, Vec3::ZERO).unwrap()
}

fn turning(start: Pose, turn: [f64; 3]) -> Motion {
    Motion::new(start, Vec3::ZERO, Vec3::from(turn), Vec3::ZERO).unwrap()
}

fn still(pose: Pose) -> Motion {
    Motion::still(pose)
}

fn sphere(radius: f64) -> Shape {
    Shape::sphere(radius).unwrap()
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::cuboid(Vec3::new(x, y, z)).unwrap()
}

/// Everything below a height.
fn floor(height: f64) -> Shape {
    Shape::half_space(Vec3::Z, height).unwrap()
}
