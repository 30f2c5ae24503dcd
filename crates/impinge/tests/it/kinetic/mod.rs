//! Kinetic sweep and prune, against an oracle that knows neither lists nor queues, and against brute force at any time.

mod oracle;
mod scenes;
mod surd;

use impinge::body::BodyIds;
use impinge::kinetic::{
    Directions, Dop14, Dop18, Dop26, KineticBox, KineticDop, KineticEvent, KineticSweep, QueueKind,
};
use impinge::{Aabb, BodyId, Error, Pair, Vec3};
use oracle::{Change, changes, overlap_at};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use scenes::{Body, Style};
use std::collections::BTreeMap;

/// A run of a scene: bodies by the order of their insertion, and what was told.
struct Run {
    sweep: KineticSweep,
    ids: BodyIds,
    bodies: Vec<Body>,
    names: BTreeMap<BodyId, usize>,
    /// Those that are there.
    present: Vec<BodyId>,
    events: Vec<KineticEvent>,
}

impl Run {
    fn new(kind: QueueKind) -> Run {
        Run {
            sweep: KineticSweep::with_queue(kind),
            ids: BodyIds::default(),
            bodies: Vec::new(),
            names: BTreeMap::new(),
            present: Vec::new(),
            events: Vec::new(),
        }
    }

    fn insert(&mut self, style: Style, rng: &mut ChaCha8Rng, time: f64) {
        let drawn = style.draw(rng, time);
        let id = self.ids.insert().unwrap();
        self.sweep.insert(id, drawn.motion()).unwrap();
        self.names.insert(id, self.bodies.len());
        self.bodies.push(Body {
            course: vec![(time, Some(drawn))],
        });
        self.present.push(id);
    }

    fn turn(&mut self, style: Style, rng: &mut ChaCha8Rng, time: f64) {
        let id = self.present[rng.random_range(0..self.present.len())];
        let drawn = style.draw(rng, time);
        self.sweep.set_motion(id, drawn.motion()).unwrap();
        self.bodies[self.names[&id]]
            .course
            .push((time, Some(drawn)));
    }

    /// Another motion that begins where the last one is, but for rounding.
    fn steer(&mut self, style: Style, rng: &mut ChaCha8Rng, time: f64) {
        let id = self.present[rng.random_range(0..self.present.len())];
        let body = &mut self.bodies[self.names[&id]];
        let like = style.draw(rng, time);
        let steered = body.during(time).unwrap().steered(time, &like);
        self.sweep.set_motion(id, steered.motion()).unwrap();
        body.course.push((time, Some(steered)));
    }

    fn remove(&mut self, rng: &mut ChaCha8Rng, time: f64) {
        let id = self
            .present
            .swap_remove(rng.random_range(0..self.present.len()));
        self.sweep.remove(id).unwrap();
        self.ids.remove(id).unwrap();
        self.bodies[self.names[&id]].course.push((time, None));
    }

    /// Goes on to a time, and compares the pairs there with brute force.
    fn advance(&mut self, time: f64) {
        self.sweep.advance_to(time, &mut self.events).unwrap();
        self.sweep.validate();
        let mut expected = Vec::new();
        for (i, a) in self.present.iter().enumerate() {
            for b in &self.present[i + 1..] {
                let [x, y] = [a, b].map(|id| self.bodies[self.names[id]].during(time).unwrap());
                if overlap_at(x, y, time) {
                    expected.push(Pair::new(*a, *b).unwrap());
                }
            }
        }
        expected.sort_unstable();
        assert_eq!(
            self.sweep.pairs().collect::<Vec<_>>(),
            expected,
            "at {time}"
        );
    }

    /// Compares what was told with the oracle: for each pair the same changes at the same times, and all in order.
    fn check(&self, end: f64) {
        let expected = changes(&self.bodies, end);
        assert_eq!(
            self.events.len(),
            expected.len(),
            "{:?}\n{expected:?}",
            self.events
        );
        let mut by_pair: BTreeMap<[usize; 2], std::collections::VecDeque<&Change>> =
            BTreeMap::new();
        for change in &expected {
            by_pair.entry(change.bodies).or_default().push_back(change);
        }
        let mut last: Option<&Change> = None;
        let mut clock = 0.0;
        for event in &self.events {
            let (began, time, pair) = match event {
                KineticEvent::Began { time, pair } => (true, *time, pair),
                KineticEvent::Ended { time, pair } => (false, *time, pair),
                KineticEvent::Expired { .. } | KineticEvent::Response { .. } => {
                    panic!("nobody asked for {event:?}")
                }
            };
            let mut names = [pair.a(), pair.b()].map(|id| self.names[&id]);
            names.sort_unstable();
            let change = by_pair.get_mut(&names).and_then(|list| list.pop_front());
            let change = change.unwrap_or_else(|| panic!("{event:?} is not expected"));
            assert_eq!(began, change.began, "{event:?} {change:?}");
            // Never later, hardly earlier, and never before the last one.
            assert!(
                change.time.is_within(time - 1e-300, time + 1e-9),
                "{event:?} {change:?}"
            );
            assert!(time >= clock);
            clock = time;
            if let Some(last) = last {
                let order = last.time.compare(&change.time);
                let order = order.then(last.is_after.cmp(&change.is_after));
                assert!(order.is_le(), "{last:?} before {change:?}");
            }
            last = Some(change);
        }
    }
}

fn scene(seed: u64, style: Style, kind: QueueKind) -> usize {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut run = Run::new(kind);
    for _ in 0..rng.random_range(3..8) {
        run.insert(style, &mut rng, 0.0);
    }
    let steps = 16;
    for step in 0..steps {
        let time = f64::from(step) / f64::from(steps);
        run.advance(time);
        if step > 0 && !run.present.is_empty() {
            match rng.random_range(0..12) {
                0 => run.insert(style, &mut rng, time),
                1 => run.remove(&mut rng, time),
                2..=3 => run.turn(style, &mut rng, time),
                4..=6 => run.steer(style, &mut rng, time),
                _ => {}
            }
        }
    }
    run.advance(1.0);
    run.check(1.0);
    run.events.len()
}

#[test]
fn changes_are_those_of_the_oracle() {
    let count = if crate::is_full() { 400 } else { 16 };
    for style in Style::ALL {
        let mut events = 0;
        for seed in 0..count {
            let kind = QueueKind::ALL[seed as usize % QueueKind::ALL.len()];
            events += scene(seed, style, kind);
        }
        println!("{style:?}: {events} changes in {count} scenes");
        assert!(events as u64 > 2 * count, "{style:?}: {events}");
    }
}

fn cube(x: f64) -> Aabb {
    Aabb::new(Vec3::new(x, 0.0, 0.0), Vec3::new(x + 1.0, 1.0, 1.0)).unwrap()
}

fn two() -> (KineticSweep, [BodyId; 2], Pair) {
    let mut ids = BodyIds::default();
    let bodies = [ids.insert().unwrap(), ids.insert().unwrap()];
    let pair = Pair::new(bodies[0], bodies[1]).unwrap();
    (KineticSweep::default(), bodies, pair)
}

/// A box that rises to another one, touches it for one instant and falls back.
#[test]
fn a_touch_of_one_instant_is_told() {
    let (mut sweep, [a, b], pair) = two();
    sweep
        .insert(a, KineticBox::still(cube(2.0)).unwrap())
        .unwrap();
    let thrown = KineticBox::thrown(cube(0.0), 0.0, Vec3::X * 2.0, Vec3::X * -2.0).unwrap();
    sweep.insert(b, thrown).unwrap();
    let began = sweep.next_event(9.0).unwrap().unwrap();
    assert!(
        matches!(began, KineticEvent::Began { time, pair: p } if p == pair && time <= 1.0 && time > 1.0 - 1e-9)
    );
    assert_eq!(sweep.pairs().collect::<Vec<_>>(), [pair]);
    let ended = sweep.next_event(9.0).unwrap().unwrap();
    assert!(matches!(ended, KineticEvent::Ended { time, .. } if time <= 1.0 && time > 1.0 - 1e-9));
    assert_eq!(sweep.next_event(9.0).unwrap(), None);

    // At that instant the pair is there.
    let (mut sweep, [a, b], pair) = two();
    sweep
        .insert(a, KineticBox::still(cube(2.0)).unwrap())
        .unwrap();
    sweep.insert(b, thrown).unwrap();
    let mut events = Vec::new();
    sweep.advance_to(1.0, &mut events).unwrap();
    assert_eq!(sweep.pairs().collect::<Vec<_>>(), [pair]);
    sweep.advance_to(1f64.next_up(), &mut events).unwrap();
    assert_eq!((sweep.pairs().count(), events.len()), (0, 2));
}

/// Many boxes that all meet in one point at one time, from all sides.
#[test]
fn everything_at_once() {
    for kind in QueueKind::ALL {
        let mut ids = BodyIds::default();
        let mut sweep = KineticSweep::with_queue(kind);
        let mut count = 0;
        for x in [-1.0, 0.0, 1.0] {
            for y in [-1.0, 0.0, 1.0] {
                for z in [-1.0, 0.0, 1.0] {
                    let center = Vec3::new(x, y, z);
                    let bounds = Aabb::new(center * 2.0, center * 2.0 + Vec3::splat(0.25)).unwrap();
                    let motion = KineticBox::moving(bounds, 0.0, center * -2.0).unwrap();
                    sweep.insert(ids.insert().unwrap(), motion).unwrap();
                    count += 1;
                }
            }
        }
        let mut events = Vec::new();
        sweep.advance_to(1.0, &mut events).unwrap();
        assert_eq!(sweep.pairs().count(), count * (count - 1) / 2);
        sweep.validate();
        sweep.advance_to(3.0, &mut events).unwrap();
        assert_eq!(sweep.pairs().count(), 0);
        assert_eq!(events.len(), count * (count - 1));
        sweep.validate();
    }
}

#[test]
fn ends_of_validity_and_responses_come_in_time() {
    let (mut sweep, [a, b], pair) = two();
    let moving = KineticBox::moving(cube(0.0), 0.0, Vec3::X)
        .unwrap()
        .until(1.5)
        .unwrap();
    sweep
        .insert(a, KineticBox::still(cube(2.0)).unwrap())
        .unwrap();
    sweep.insert(b, moving).unwrap();
    let mut events = Vec::new();
    sweep.advance_to(1.25, &mut events).unwrap();
    assert!(matches!(events[..], [KineticEvent::Began { .. }]));
    sweep.schedule_response(pair, 1.75).unwrap();
    sweep.schedule_response(pair, 1.375).unwrap();
    assert_eq!(
        sweep.next_event(2.0).unwrap(),
        Some(KineticEvent::Response { time: 1.375, pair })
    );
    assert_eq!(
        sweep.next_event(2.0).unwrap(),
        Some(KineticEvent::Expired { time: 1.5, body: b })
    );
    // A change of motion makes the response void.
    sweep.schedule_response(pair, 1.75).unwrap();
    sweep
        .set_motion(b, KineticBox::still(cube(1.5)).unwrap())
        .unwrap();
    assert_eq!(sweep.next_event(2.0).unwrap(), None);
    sweep.schedule_response(pair, 2.5).unwrap();
    assert!(sweep.cancel_response(pair) && !sweep.cancel_response(pair));
    assert_eq!(sweep.next_event(3.0).unwrap(), None);
}

/// A motion that goes on as before touches the events of six ends and no others.
#[test]
fn a_smooth_change_of_motion_is_local() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut run = Run::new(QueueKind::Heap);
    for _ in 0..40 {
        run.insert(Style::Random, &mut rng, 0.0);
    }
    run.advance(0.0);
    let before = run.sweep.stats();
    let same = run.bodies[7].during(0.0).unwrap().motion();
    run.sweep.set_motion(run.present[7], same).unwrap();
    let after = run.sweep.stats();
    assert_eq!(after.swaps, before.swaps);
    assert_eq!(
        after.insertions - before.insertions,
        after.removals - before.removals
    );
    // Each end has an event with the next one: those of the six ends, and of the six before them.
    let renewed = after.insertions + after.changes - before.insertions - before.changes;
    assert!((1..=12).contains(&renewed), "{renewed}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let (mut sweep, [a, b], pair) = two();
    let still = KineticBox::still(cube(0.0)).unwrap();
    assert_eq!(
        sweep.set_motion(a, still),
        Err(Error::UnknownBody { body: a })
    );
    sweep.insert(a, still).unwrap();
    assert_eq!(sweep.insert(a, still), Err(Error::BodyInUse { body: a }));
    assert_eq!(sweep.remove(b), Err(Error::UnknownBody { body: b }));
    assert_eq!(
        sweep.schedule_response(pair, 1.0),
        Err(Error::UnknownBody { body: b })
    );
    assert_eq!(sweep.next_event(1.0).unwrap(), None);
    for time in [0.5, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            sweep.next_event(time),
            Err(Error::OutOfRange { .. })
        ));
    }
    assert!(KineticBox::moving(cube(0.0), f64::NAN, Vec3::X).is_err());
    assert!(KineticBox::moving(cube(0.0), 0.0, Vec3::X * f64::INFINITY).is_err());
    assert!(KineticBox::around_ball(Vec3::ZERO, -1.0, 0.0, Vec3::X).is_err());
    assert!(still.until(f64::NAN).is_err());
}

/// Points that move, bounded along many directions: the pairs at whole times are those of brute force, whose arithmetic is
/// exact up to the outward rounding of the bounds.
fn dops<D: Directions>(seed: u64) -> usize {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut vector = |far: i32| {
        Vec3::from(std::array::from_fn(|_| {
            f64::from(rng.random_range(-far..=far)) + 0.125
        }))
    };
    let bodies: Vec<([Vec3; 4], [Vec3; 2])> = (0..12)
        .map(|_| {
            let place = vector(6);
            let points = std::array::from_fn(|_| place + vector(2));
            (points, [vector(3), vector(1)])
        })
        .collect();
    let mut ids = BodyIds::default();
    let mut sweep = KineticSweep::<KineticDop<D>>::of_bounds(QueueKind::Heap);
    let names: Vec<BodyId> = bodies
        .iter()
        .map(|(points, [velocity, acceleration])| {
            let motion = KineticDop::thrown(*points, 0.0, *velocity, *acceleration).unwrap();
            let id = ids.insert().unwrap();
            sweep.insert(id, motion).unwrap();
            id
        })
        .collect();
    let mut events = Vec::new();
    for step in 0..24 {
        let time = f64::from(step) * 0.25;
        sweep.advance_to(time, &mut events).unwrap();
        let span = |(points, [v, a]): &([Vec3; 4], [Vec3; 2]), d: Vec3| {
            let heights = points.map(|p| d.dot(p + *v * time + *a * (0.5 * time * time)));
            let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
            (
                low,
                heights.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            )
        };
        let mut expected = Vec::new();
        for i in 0..bodies.len() {
            for j in 0..i {
                let meet = D::ALL.iter().all(|d| {
                    let (p, q) = (span(&bodies[i], *d), span(&bodies[j], *d));
                    p.0 <= q.1 && q.0 <= p.1
                });
                if meet {
                    expected.push(Pair::new(names[i], names[j]).unwrap());
                }
            }
        }
        expected.sort_unstable();
        assert_eq!(sweep.pairs().collect::<Vec<_>>(), expected, "at {time}");
    }
    sweep.validate();
    events.len()
}

#[test]
fn more_directions_than_three() {
    let mut events = 0;
    for seed in 0..3 {
        events += dops::<Dop14>(seed) + dops::<Dop18>(seed) + dops::<Dop26>(seed);
    }
    assert!(events > 30, "{events}");
}
