use super::super::Watch;
use super::vow::{Sight, foresee};
use super::*;
use crate::body::{BodyId, BodyIds};
use crate::broad::{BroadPhase, Brute, PairChanges};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A box and its step, in units of some size, as far from the origin as some multiple of it.
fn any_mover() -> impl Strategy<Value = ([f32; 3], [f32; 3], [f32; 3])> {
    let part = || prop_oneof![4 => -3.0f32..3.0, 1 => Just(0.0f32), 1 => Just(1.0f32)];
    let edge = prop_oneof![4 => 0.0f32..2.0, 1 => Just(0.0f32), 1 => Just(1.0f32)];
    let step =
        prop_oneof![4 => -0.5f32..0.5, 1 => Just(0.0f32), 1 => Just(0.25f32), 1 => Just(-0.25f32)];
    (
        prop::array::uniform3(part()),
        prop::array::uniform3(edge),
        prop::array::uniform3(step),
    )
}

/// The box of a mover after some days, as its own owner would compute it.
fn box_on(
    (corner, edges, step): ([f32; 3], [f32; 3], [f32; 3]),
    (unit, far): (f32, f32),
    day: u32,
) -> Option<Box32> {
    let at = |axis: usize| unit * (far + corner[axis] + step[axis] * day as f32);
    let min = [at(0), at(1), at(2)];
    let max = [0, 1, 2].map(|axis| at(axis) + unit * edges[axis]);
    Box32::new(min, max).ok()
}

/// The same box with each face as far off as a vow allows, or half of that, this way or that, as bits say.
fn pushed(vow: &Vow, bounds: &Box32, day: u32, slack: f32, bits: u32) -> Box32 {
    let mut share = slack;
    for _ in 0..200 {
        let by = |face: u32| match bits >> (2 * face) & 3 {
            0 => -share,
            1 => share,
            2 => share / 2.0,
            _ => 0.0,
        };
        let min = [0, 1, 2].map(|axis| bounds.min[axis as usize] + by(axis));
        let max = [0, 1, 2].map(|axis| bounds.max[axis as usize] + by(axis + 3));
        if let Ok(off) = Box32::new(min, max)
            && in_lanes!(simd => vow.is_kept(simd, &off, day))
        {
            return off;
        }
        share *= 0.97;
    }
    *bounds
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Whatever two bodies do that keep their vows, they stand as was foreseen, for as long as was foreseen.
    #[test]
    fn pairs_stand_as_foreseen_while_vows_are_kept(
        one in any_mover(),
        other in any_mover(),
        unit in prop_oneof![Just(1.0f32), Just(1e-20), Just(1e-38), Just(1e20), Just(1e37)],
        far in prop_oneof![3 => Just(0.0f32), 1 => Just(1000.0), 1 => Just(1e6)],
        slack in prop_oneof![Just(0.0f32), Just(0.01), Just(0.3)],
        first in 0..40u32,
        bits in any::<[u32; 4]>(),
    ) {
        let place = (unit, far);
        let make = |mover| {
            let (old, new) = (box_on(mover, place, 0)?, box_on(mover, place, 1)?);
            let vow = in_lanes!(simd => Vow::new(simd, [&old, &new], 1));
            Some(vow.with_slack(slack * unit))
        };
        if let (Some(a), Some(b)) = (make(one), make(other)) {
            let today = 1 + first;
            let (sight, rest) = in_lanes!(simd => foresee(simd, [&a, &b], today));
            for day in today..=today + rest.min(DAYS as u32 - 1) {
                let (Some(p), Some(q)) = (box_on(one, place, day), box_on(other, place, day)) else {
                    continue;
                };
                let is_kept = |vow: &Vow, bounds: &Box32| in_lanes!(simd => vow.is_kept(simd, bounds, day));
                for [first, second] in [[bits[0], bits[1]], [bits[2], bits[3]]] {
                    let p = pushed(&a, &p, day, a.slack(), first);
                    let q = pushed(&b, &q, day, b.slack(), second);
                    if !is_kept(&a, &p) || !is_kept(&b, &q) {
                        continue;
                    }
                    match sight {
                        Sight::Apart => prop_assert!(!p.overlaps(&q), "{a:?} {b:?} {p:?} {q:?} on {day}"),
                        Sight::Met => prop_assert!(p.overlaps(&q), "{a:?} {b:?} {p:?} {q:?} on {day}"),
                        Sight::Unclear => prop_assert_eq!(rest, 0),
                    }
                }
            }
        }
    }

    /// While a body keeps its vow it is in the wide box that was made for it, or in one that it had, until the day that was told.
    #[test]
    fn bodies_stay_in_wide_boxes_until_they_leave(
        mover in any_mover(),
        unit in prop_oneof![Just(1.0f32), Just(1e-20), Just(1e-38), Just(1e20), Just(1e37)],
        far in prop_oneof![3 => Just(0.0f32), 1 => Just(1000.0), 1 => Just(1e6)],
        slack in prop_oneof![Just(0.0f32), Just(0.01), Just(0.3)],
        days in 1..60u32,
        first in 0..40u32,
        has_one in any::<bool>(),
        bits in any::<u32>(),
    ) {
        let place = (unit, far);
        let today = 1 + first;
        let boxes = (box_on(mover, place, 0), box_on(mover, place, 1), box_on(mover, place, today));
        if let (Some(old), Some(new), Some(now)) = boxes {
            let vow = in_lanes!(simd => Vow::new(simd, [&old, &new], 1));
            let mut vow = vow.with_slack(slack * unit);
            let wide = if has_one {
                let wide = now.widened(unit * (days as f32) / 8.0);
                in_lanes!(simd => vow.stay_in(simd, &wide, today));
                wide
            } else {
                in_lanes!(simd => vow.wide_box(simd, &now, today, days))
            };
            prop_assert!(wide.contains(&now));
            prop_assert!(vow.until > today && vow.until <= today + DAYS as u32 + 1);
            for day in today + 1..vow.until {
                let Some(bounds) = box_on(mover, place, day) else {
                    continue;
                };
                let bounds = pushed(&vow, &bounds, day, vow.slack(), bits);
                if in_lanes!(simd => vow.is_kept(simd, &bounds, day)) {
                    prop_assert!(wide.contains(&bounds), "{vow:?} {wide:?} {bounds:?} on {day}");
                }
            }
        }
    }
}

/// A body of a crowd: its box, its step, and by how much it swells and shrinks.
#[derive(Debug, Clone, Copy)]
struct Mover {
    body: BodyId,
    bounds: Box32,
    step: [f32; 3],
    sway: f32,
}

/// What happens to a crowd beside moving on.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Event {
    Nothing,
    /// Nobody moves.
    Rest,
    /// Some turn round, and one is elsewhere.
    Turn,
    /// One moves by itself before all do, which ends nothing, or instead.
    Single,
    /// Some move, in a row.
    Part,
    /// All move twice.
    Twice,
    /// Some come, and all move.
    Come,
    /// Some go and others come in their places, and all move.
    Replace,
    /// One is round from now on, and all move.
    Round,
}

/// The crowd in a box of such a size, its broad phases, and what they were told.
struct Crowd {
    movers: Vec<Mover>,
    ids: BodyIds,
    watch: Watch,
    brute: Option<Brute>,
    side: f32,
    rng: ChaCha8Rng,
    frame: u32,
}

impl Crowd {
    fn new(count: usize, density: f32, is_compared: bool, seed: u64) -> Crowd {
        let mut crowd = Crowd {
            movers: Vec::new(),
            ids: BodyIds::default(),
            watch: Watch::default(),
            brute: is_compared.then(Brute::default),
            side: (count as f32 / density).cbrt(),
            rng: ChaCha8Rng::seed_from_u64(seed),
            frame: 0,
        };
        crowd.watch.diary.many = Some(64);
        for _ in 0..count {
            crowd.add(0.0);
        }
        crowd
    }

    /// A body somewhere, whose numbers are multiples of a power of two, so that many touch exactly.
    fn add(&mut self, sway: f32) {
        let Crowd { rng, side, .. } = self;
        let min = [(); 3].map(|()| (rng.random_range(0.0..*side) * 16.0).round() / 16.0);
        let max = min.map(|x| x + f32::from(rng.random_range(8u8..24)) / 16.0);
        let step = [(); 3].map(|()| f32::from(rng.random_range(-4i8..=4)) / 64.0);
        let body = self.ids.insert().unwrap();
        let bounds = Box32::new(min, max).unwrap();
        self.watch.insert(body, bounds).unwrap();
        if let Some(brute) = &mut self.brute {
            brute.insert(body, bounds).unwrap();
        }
        let mover = Mover {
            body,
            bounds,
            step,
            sway,
        };
        let place = body.index() as usize;
        if place < self.movers.len() {
            self.movers[place] = mover;
        } else {
            self.movers.push(mover);
        }
    }

    fn remove(&mut self, place: usize) {
        let body = self.movers[place].body;
        self.ids.remove(body).unwrap();
        self.watch.remove(body).unwrap();
        if let Some(brute) = &mut self.brute {
            brute.remove(body).unwrap();
        }
    }

    /// Moves bodies of a range on, which turn round at the walls, and tells their boxes.
    fn advance(&mut self, range: std::ops::Range<usize>) -> Vec<(BodyId, Box32)> {
        let (side, frame) = (self.side, self.frame);
        for (place, mover) in self.movers[range.clone()].iter_mut().enumerate() {
            let size_on = |frame: u32| mover.sway * (0.3 * frame as f32 + place as f32).sin();
            let swell = size_on(frame) - size_on(frame - 1);
            for axis in 0..3 {
                let (low, step) = (mover.bounds.min[axis], &mut mover.step[axis]);
                if (low < 0.0 && *step < 0.0) || (low > side && *step > 0.0) {
                    *step = -*step;
                }
                mover.bounds.min[axis] += *step - swell;
                mover.bounds.max[axis] += *step + swell;
            }
        }
        let moved = self.movers[range].iter();
        moved.map(|mover| (mover.body, mover.bounds)).collect()
    }

    fn tell(&mut self, moved: &[(BodyId, Box32)]) {
        let is_all = moved.len() == self.movers.len();
        if is_all && self.frame.is_multiple_of(2) {
            let bounds: Vec<Box32> = moved.iter().map(|(_, bounds)| *bounds).collect();
            self.watch.update_all(&bounds).unwrap();
        } else {
            self.watch.update_many(moved).unwrap();
        }
        if let Some(brute) = &mut self.brute {
            brute.update_many(moved).unwrap();
        }
    }

    /// One frame, and what changed in it: as by brute force, if that is asked. Tells whether there was a calendar.
    fn step(&mut self, event: Event) -> (PairChanges, bool) {
        self.frame += 1;
        let count = self.movers.len();
        match event {
            Event::Turn => {
                for place in (0..count).step_by(97) {
                    self.movers[place].step = self.movers[place].step.map(|x| -x);
                }
                let place = self.rng.random_range(0..count);
                for axis in 0..3 {
                    let edge =
                        self.movers[place].bounds.max[axis] - self.movers[place].bounds.min[axis];
                    let low = self.rng.random_range(0.0..self.side);
                    self.movers[place].bounds.min[axis] = low;
                    self.movers[place].bounds.max[axis] = low + edge;
                }
            }
            Event::Single => {
                let place = self.rng.random_range(0..count);
                let moved = self.advance(place..place + 1);
                self.watch.update(moved[0].0, moved[0].1).unwrap();
                if let Some(brute) = &mut self.brute {
                    brute.update(moved[0].0, moved[0].1).unwrap();
                }
            }
            Event::Part => {
                let moved = self.advance(count / 8..count / 2);
                self.tell(&moved);
            }
            Event::Come => (0..3).for_each(|_| self.add(0.0)),
            Event::Replace => {
                for place in [1, count / 2, count - 1] {
                    self.remove(place);
                    self.add(0.0);
                }
            }
            Event::Twice => {
                let moved = self.advance(0..count);
                self.tell(&moved);
            }
            Event::Round => {
                // Always the same one: balls are compared where both bodies are round, so pairs do not change.
                let body = self.movers[2].body;
                self.watch.set_round(body, true).unwrap();
            }
            Event::Nothing | Event::Rest => {}
        }
        let rests = matches!(event, Event::Rest | Event::Part)
            || event == Event::Single && self.rng.random_bool(0.5);
        if !rests {
            let moved = self.advance(0..self.movers.len());
            self.tell(&moved);
        }
        let mut told = PairChanges::default();
        self.watch.collect(&mut told);
        if let Some(brute) = &mut self.brute {
            let mut expected = PairChanges::default();
            brute.collect(&mut expected);
            assert_eq!(told, expected, "frame {}, {event:?}", self.frame);
            self.watch.validate();
        }
        (told, self.watch.calendar.is_open())
    }
}

/// Long quiet times, in which there is a calendar, and everything else that may happen.
#[test]
fn crowds_that_go_on_as_they_do_are_as_by_brute_force() {
    let events = [
        Event::Rest,
        Event::Turn,
        Event::Come,
        Event::Replace,
        Event::Single,
        Event::Part,
        Event::Twice,
        Event::Round,
    ];
    for (number, (count, density)) in [(700, 0.05), (1500, 0.2), (500, 0.005)]
        .into_iter()
        .enumerate()
    {
        for (turn, event) in events.into_iter().enumerate() {
            let mut crowd = Crowd::new(count, density, true, (8 * number + turn) as u64);
            let (mut open, mut seen) = (0, 0);
            for frame in 0..110 {
                // Turning round, resting and coming end nothing, so there is more of them.
                let happens = if matches!(event, Event::Turn | Event::Rest | Event::Come) {
                    frame % 7 == 6
                } else {
                    frame == 40 || frame == 105
                };
                let (told, is_open) = crowd.step(if happens { event } else { Event::Nothing });
                open += u32::from(is_open);
                seen += told.began.len();
                let ends = matches!(event, Event::Part | Event::Twice | Event::Round);
                assert!(!(happens && ends && is_open), "{event:?} ends it");
            }
            assert!(
                open > 20 && seen > 20,
                "{event:?}: open in {open} frames, {seen} began"
            );
        }
    }
}

fn any_event() -> impl Strategy<Value = Event> {
    prop_oneof![
        60 => Just(Event::Nothing),
        2 => Just(Event::Rest),
        2 => Just(Event::Turn),
        2 => Just(Event::Come),
        1 => Just(Event::Replace),
        1 => Just(Event::Single),
        1 => Just(Event::Part),
        1 => Just(Event::Twice),
        1 => Just(Event::Round),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Whatever happens, one after the other.
    #[test]
    fn any_crowd_is_as_by_brute_force(
        events in prop::collection::vec(any_event(), 70),
        count in 80..300usize,
        density in prop_oneof![Just(0.01f32), Just(0.1), Just(0.5)],
        sway in prop_oneof![3 => Just(0.0f32), 1 => Just(1.0 / 256.0), 1 => Just(1.0 / 32.0)],
        seed in any::<u64>(),
    ) {
        let mut crowd = Crowd::new(count, density, true, seed);
        crowd.movers.iter_mut().for_each(|mover| mover.sway = sway);
        for event in events {
            crowd.step(event);
        }
    }
}

/// Those that swell and shrink by little get more slack; those that do by much keep no vow for long.
#[test]
fn crowds_that_swell_are_as_by_brute_force() {
    for (sway, is_little) in [(1.0 / 256.0, true), (0.1, false)] {
        let mut crowd = Crowd::new(600, 0.05, true, 5);
        crowd.movers.iter_mut().for_each(|mover| mover.sway = sway);
        let open = (0..100).filter(|_| crowd.step(Event::Nothing).1).count();
        assert_eq!(open > 60, is_little, "swelling by {sway}: {open}");
    }
}

/// Those that go somewhere else in every frame keep no vow, and there is no calendar.
#[test]
fn there_is_no_calendar_where_vows_are_broken() {
    let mut crowd = Crowd::new(600, 0.05, true, 5);
    for _ in 0..60 {
        for mover in &mut crowd.movers {
            mover.step = [(); 3].map(|()| crowd.rng.random_range(-0.05..0.05));
        }
        let (_, is_open) = crowd.step(Event::Nothing);
        assert!(!is_open && !crowd.watch.calendar.has_vows());
    }
}

/// Two that come nearer by a fourth of a size a day, from two sizes away, are due once in seven days or so; two that part are never.
#[test]
fn looks_are_expected_as_often_as_pairs_are_due() {
    let unit_at = |x: f32| Box32::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]).unwrap();
    for (step, least, most) in [(-0.25, 1.0 / 9.0, 1.0 / 7.0), (0.25, 0.0, 1e-6)] {
        let mut calendar = Calendar::default();
        calendar.resize(2);
        for (vow, (x, step)) in calendar
            .vows_mut()
            .iter_mut()
            .zip([(0.0, 0.0), (3.0, step)])
        {
            let boxes = [&unit_at(x - step), &unit_at(x)];
            *vow = in_lanes!(simd => Vow::new(simd, boxes, 1));
        }
        calendar.pass_day();
        let pair = std::iter::once(super::super::segment::word_of(0, 1));
        let looks = in_lanes!(simd => calendar.expect_looks(simd, pair));
        assert!((least..=most).contains(&looks), "{step}: {looks}");
    }
}

/// Where boxes are larger than the gaps between them, and nearly all pairs are due in every frame, pairs stay in the list.
#[test]
fn there_is_no_calendar_where_it_would_not_pay() {
    let mut crowd = Crowd::new(300, 4.0, true, 6);
    let open = (0..60).filter(|_| crowd.step(Event::Nothing).1).count();
    assert_eq!(open, 0);
}

/// After one that did not last, the next one is waited for longer.
#[test]
fn a_calendar_that_lasted_is_soon_followed_by_the_next() {
    let mut crowd = Crowd::new(700, 0.05, true, 4);
    let wait = |crowd: &mut Crowd| {
        let mut frames = (0..200).map(|_| crowd.step(Event::Nothing).1);
        frames.position(|is_open| is_open).expect("it opens")
    };
    wait(&mut crowd);
    for _ in 0..150 {
        assert!(crowd.step(Event::Nothing).1);
    }
    crowd.step(Event::Twice);
    let soon = wait(&mut crowd);
    crowd.step(Event::Twice);
    let later = wait(&mut crowd);
    assert!(soon < 10 && later > 10, "{soon}, then {later}");
}

/// Pages, and what was found, are shared among threads.
#[cfg(feature = "parallel")]
#[test]
fn a_calendar_is_the_same_by_any_number_of_threads() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let mut crowd = Crowd::new(40_000, 0.05, false, 7);
            let frames = (0..30).map(|frame| {
                let event = if frame % 7 == 6 {
                    Event::Turn
                } else {
                    Event::Nothing
                };
                crowd.step(event)
            });
            let frames: Vec<(PairChanges, bool)> = frames.collect();
            crowd.watch.validate();
            frames
        })
    };
    let one = on(1);
    assert!(one.iter().filter(|(_, is_open)| *is_open).count() > 15);
    for threads in [2, 3] {
        assert!(one == on(threads), "{threads} threads");
    }
}
