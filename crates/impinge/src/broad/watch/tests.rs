use super::super::Brute;
use super::motion::first_wide_box;
use super::*;
use crate::body::BodyIds;
use crate::math::{ENDS, Vec3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(super) fn random_box(rng: &mut ChaCha8Rng, side: f64) -> Aabb {
    let corner = Vec3::from_array([(); 3].map(|()| rng.random_range(0.0..side)));
    let size = Vec3::from_array([(); 3].map(|()| rng.random_range(0.2..2.0)));
    Aabb::new(corner, corner + size).unwrap()
}

#[test]
fn wide_boxes_hold_the_box_wherever_it_goes() {
    let mut boxes = Vec::new();
    for (place, min) in ENDS.into_iter().enumerate() {
        let of = |max: &f64| Aabb::new(Vec3::splat(min), Vec3::new(*max, *max, min.max(0.0)));
        boxes.extend(ENDS[place..].iter().filter_map(|max| of(max).ok()));
    }
    let boxes: Vec<Box32> = boxes.iter().map(|b| Box32::around(b).unwrap()).collect();
    for old in &boxes {
        for new in &boxes {
            for frame in 0..3 {
                let mut outlook = Outlook::default();
                let origin = Origin::new(old, outlook);
                (0..frame).for_each(|_| outlook.advance(Some((1, 0))));
                let (wide, _) = in_lanes!(simd => wide_box(simd, 3, [old, new], &origin, outlook));
                assert!(wide.contains(new), "{old:?} to {new:?}: {wide:?}");
            }
        }
    }
}

#[test]
fn first_wide_boxes_hold_the_box_wherever_it_is() {
    for (place, min) in ENDS.into_iter().enumerate() {
        for max in &ENDS[place..] {
            let Ok(bounds) = Aabb::new(Vec3::splat(min), Vec3::new(*max, *max, min.max(0.0)))
            else {
                continue;
            };
            let bounds = Box32::around(&bounds).unwrap();
            for index in [0, 1, 2, 77, 1 << 30] {
                let wide = first_wide_box(index, &bounds, Outlook::default(), 10_000);
                assert!(wide.contains(&bounds), "{bounds:?}: {wide:?}");
                let corners = [wide.min, wide.max].concat();
                assert!(corners.iter().all(|x| x.is_finite()), "{wide:?}");
            }
        }
    }
}

/// A crowd comes, of which most never move: who moves keeps the room that it got, the others do not, and pairs are as by brute force.
#[test]
fn newcomers_that_stay_give_their_room_back() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for (moving, crowd) in [
        (0.01, 3000),
        (0.5, 3000),
        (1.0, 3000),
        (0.0, 300),
        (0.1, 300),
    ] {
        let mut ids = BodyIds::default();
        let (mut watch, mut brute) = (Watch::default(), Brute::default());
        let side = (8.0 * f64::from(crowd)).cbrt();
        let mut bodies = Vec::new();
        for _ in 0..crowd {
            let body = ids.insert().unwrap();
            let bounds = Box32::around(&random_box(&mut rng, side)).unwrap();
            bodies.push((body, bounds, rng.random_bool(moving)));
            watch.insert(body, bounds).unwrap();
            brute.insert(body, bounds).unwrap();
        }
        for frame in 0..6 {
            let (mut told, mut expected) = (PairChanges::default(), PairChanges::default());
            watch.collect(&mut told);
            brute.collect(&mut expected);
            assert_eq!(told, expected, "frame {frame}, {moving} of {crowd}");
            watch.validate();
            for (body, bounds, moves) in &bodies {
                let is_wide = watch.wide[body.index() as usize] != *bounds;
                assert_eq!(is_wide, *moves || frame == 0, "frame {frame}");
            }
            for (body, bounds, _) in bodies.iter_mut().filter(|(_, _, moves)| *moves) {
                // Small enough for the least room that there is.
                let step = [(); 3].map(|()| rng.random_range(-0.001..0.001));
                for corner in [&mut bounds.min, &mut bounds.max] {
                    corner.iter_mut().zip(step).for_each(|(x, by)| *x += by);
                }
                assert!(
                    watch.update(*body, *bounds).is_ok() && brute.update(*body, *bounds).is_ok()
                );
            }
            // Somebody goes while others still have to give their room back.
            if frame < 2 {
                let (gone, _, _) = bodies.swap_remove(rng.random_range(0..bodies.len()));
                ids.remove(gone).unwrap();
                watch.remove(gone).unwrap();
                brute.remove(gone).unwrap();
            }
        }
    }
}

#[test]
fn one_stale_name_among_many_changes_nothing() {
    let (mut ids, mut watch) = (BodyIds::default(), Watch::default());
    let unit = Box32::new([0.0; 3], [1.0; 3]).unwrap();
    let bodies: Vec<BodyId> = (0..160).map(|_| ids.insert().unwrap()).collect();
    for body in &bodies {
        watch.insert(*body, unit).unwrap();
    }
    let far = Box32::new([9.0; 3], [10.0; 3]).unwrap();
    let mut moved: Vec<(BodyId, Box32)> = bodies.iter().map(|body| (*body, far)).collect();
    moved[13].0 = ids.insert().unwrap();
    assert!(watch.update_many(&moved).is_err());
    let highest = |watch: &Watch| {
        let boxes = watch.boxes.iter();
        boxes.map(|(_, b)| b.max[0]).fold(0.0, f32::max).to_bits()
    };
    assert_eq!(highest(&watch), 1f32.to_bits());
    moved[13].0 = bodies[13];
    watch.update_many(&moved).unwrap();
    assert_eq!(highest(&watch), 10f32.to_bits());
    watch.validate();
}

/// Many names are looked at by several threads.
#[cfg(feature = "parallel")]
#[test]
fn one_stale_name_among_very_many_changes_nothing() {
    let (mut ids, mut watch) = (BodyIds::default(), Watch::default());
    let unit = Box32::new([0.0; 3], [1.0; 3]).unwrap();
    let far = |k: u16| Box32::new([f32::from(k) + 2.0; 3], [f32::from(k) + 2.5; 3]).unwrap();
    let mut moved = Vec::new();
    for k in 0..20_000 {
        let body = ids.insert().unwrap();
        watch.insert(body, unit).unwrap();
        moved.push((body, far(k)));
    }
    let good = std::mem::replace(&mut moved[19_990].0, ids.insert().unwrap());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
    pool.build().unwrap().install(|| {
        assert!(watch.update_many(&moved).is_err());
        assert!(watch.boxes.slice().iter().all(|bounds| *bounds == unit));
        moved[19_990].0 = good;
        watch.update_many(&moved).unwrap();
    });
    let boxes = watch.boxes.slice().iter().zip(&moved);
    assert!({ boxes }.all(|(bounds, (_, given))| bounds == given));
    assert_eq!(watch.left.len(), moved.len());
}

/// Who gives a body two boxes at once gets the last one, whichever of them is in the wide box.
#[test]
fn of_two_boxes_for_a_body_the_last_one_counts() {
    let (mut ids, mut watch, mut brute) = (BodyIds::default(), Watch::default(), Brute::default());
    let at = |x: f32| Box32::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]).unwrap();
    let bodies: Vec<BodyId> = (0..160).map(|_| ids.insert().unwrap()).collect();
    for (body, x) in bodies.iter().zip([0.0, 2.5, 5.0, 7.5].into_iter().cycle()) {
        watch.insert(*body, at(x)).unwrap();
        brute.insert(*body, at(x)).unwrap();
    }
    for frame in 0..12 {
        let x = 0.1 * frame as f32;
        let [near, far] = [at(x), at(x + 30.0)];
        let pairs = [[near, far], [far, near]].into_iter().cycle();
        let moved = bodies.iter().zip(pairs);
        let moved: Vec<(BodyId, Box32)> = moved.flat_map(|(b, two)| two.map(|x| (*b, x))).collect();
        watch.update_many(&moved).unwrap();
        brute.update_many(&moved).unwrap();
        let (mut told, mut expected) = (PairChanges::default(), PairChanges::default());
        watch.collect(&mut told);
        brute.collect(&mut expected);
        assert_eq!(told, expected, "frame {frame}");
        watch.validate();
    }
}

/// What a crowd of drifting and jumping boxes changes in some frames.
fn changes_of_crowd(count: usize) -> Vec<PairChanges> {
    let (mut ids, mut watch) = (BodyIds::default(), Watch::default());
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    // Bodies are seated in the order of the tree.
    watch.seating.many = 1000;
    let side = (8.0 * count as f64).cbrt();
    let mut crowd = Vec::new();
    for _ in 0..count {
        let (body, bounds) = (ids.insert().unwrap(), random_box(&mut rng, side));
        watch.insert(body, Box32::around(&bounds).unwrap()).unwrap();
        crowd.push((body, bounds));
    }
    let mut all = Vec::new();
    for _ in 0..4 {
        let mut changes = PairChanges::default();
        watch.collect(&mut changes);
        all.push(changes);
        for (_, bounds) in &mut crowd {
            let step = Vec3::from_array([(); 3].map(|()| rng.random_range(-0.1..0.1)));
            *bounds = match rng.random_range(0..50) {
                0 => random_box(&mut rng, side),
                _ => Aabb::new(bounds.min() + step, bounds.max() + step).unwrap(),
            };
        }
        let rounded = crowd
            .iter()
            .map(|(body, b)| (*body, Box32::around(b).unwrap()));
        watch.update_many(&rounded.collect::<Vec<_>>()).unwrap();
    }
    all
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        pool.install(|| changes_of_crowd(40_000))
    };
    let one = on(1);
    assert!(one.iter().all(|changes| changes.began.len() > 500));
    for threads in [2, 3] {
        assert!(one == on(threads), "{threads} threads");
    }
}

/// What a crowd that leaps in every frame changes, some of it gone by then; a few are large.
fn changes_of_leaps(count: usize, frames: usize, broad: &mut dyn BroadPhase) -> Vec<PairChanges> {
    let mut ids = BodyIds::default();
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let side = (8.0 * count as f64).cbrt();
    let mut crowd = Vec::new();
    for number in 0..count {
        let body = ids.insert().unwrap();
        let bounds = Box32::around(&random_box(&mut rng, side)).unwrap();
        broad.insert(body, bounds).unwrap();
        crowd.push((body, bounds, number % 1000 == 7));
    }
    let mut all = Vec::new();
    for frame in 0..frames {
        let mut changes = PairChanges::default();
        broad.collect(&mut changes);
        all.push(changes);
        if frame % 3 == 1 {
            let (gone, ..) = crowd.swap_remove(rng.random_range(0..crowd.len()));
            ids.remove(gone).unwrap();
            broad.remove(gone).unwrap();
        }
        for (_, bounds, is_large) in &mut crowd {
            // In some frames only two in three leap, and in some hardly anyone.
            if rng.random_bool([1.0, 1.0, 0.66, 1.0, 0.01][frame % 5]) {
                let corner = random_box(&mut rng, side);
                let size = if *is_large { 9.0 } else { 0.0 };
                let wider = Aabb::new(corner.min(), corner.max() + Vec3::splat(size));
                *bounds = Box32::around(&wider.unwrap()).unwrap();
            }
        }
        let moved = crowd.iter().map(|(body, bounds, _)| (*body, *bounds));
        broad.update_many(&moved.collect::<Vec<_>>()).unwrap();
        broad.validate();
    }
    all
}

#[test]
fn many_that_leap_are_as_by_brute_force() {
    for count in [200, 3000] {
        let told = changes_of_leaps(count, 24, &mut Watch::default());
        let expected = changes_of_leaps(count, 24, &mut Brute::default());
        assert!(told == expected, "{count} bodies");
        // The same by seats.
        let mut seated = Watch::default();
        seated.seating.many = 0;
        assert!(
            changes_of_leaps(count, 24, &mut seated) == expected,
            "{count}"
        );
    }
}

#[cfg(feature = "parallel")]
#[test]
fn leaps_are_the_same_by_any_number_of_threads() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        pool.install(|| changes_of_leaps(12_000, 5, &mut Watch::default()))
    };
    let one = on(1);
    assert!(one.iter().all(|changes| changes.began.len() > 500));
    assert!(one == on(2), "2 threads");
}

/// Bodies leap for some frames, drift for some, and come and go: with and without a tree, all is as by brute force.
#[test]
fn leaping_and_calm_frames_take_turns() {
    compare_leaping_and_calm(usize::MAX);
}

/// The same where bodies are seated in the order of the tree.
#[test]
fn seated_bodies_are_as_by_brute_force() {
    compare_leaping_and_calm(0);
}

/// Bodies that suit no lattice, as one is far away, leap, rest, and leap again; in between some come and others go, so that there are as
/// many as before.
#[test]
fn bodies_that_leap_again_are_those_that_are_here() {
    let (mut ids, mut rng) = (BodyIds::default(), ChaCha8Rng::seed_from_u64(13));
    let (mut watch, mut brute) = (Watch::default(), Brute::default());
    let somewhere = |rng: &mut ChaCha8Rng| {
        let min = [(); 3].map(|()| rng.random_range(0.0f32..30.0));
        Box32::new(min, min.map(|x| x + 3.0)).unwrap()
    };
    let far = Box32::new([1e9; 3], [2e9; 3]).unwrap();
    let hermit = ids.insert().unwrap();
    watch.insert(hermit, far).unwrap();
    brute.insert(hermit, far).unwrap();
    let mut crowd = Vec::new();
    let mut changed = 0;
    for frame in 0..60 {
        // In the first frame that they leap in again, and in others, some come before as many go.
        let is_change = frame % 10 == 6 || frame % 7 == 3;
        while crowd.len() < if is_change { 304 } else { 300 } {
            let (body, bounds) = (ids.insert().unwrap(), somewhere(&mut rng));
            watch.insert(body, bounds).unwrap();
            brute.insert(body, bounds).unwrap();
            crowd.push(body);
        }
        while crowd.len() > 300 {
            let gone = crowd.swap_remove(rng.random_range(0..crowd.len()));
            watch.remove(gone).unwrap();
            brute.remove(gone).unwrap();
        }
        if frame % 10 < 4 || frame % 10 > 5 {
            let moved: Vec<(BodyId, Box32)> = crowd
                .iter()
                .map(|body| (*body, somewhere(&mut rng)))
                .collect();
            watch.update_many(&moved).unwrap();
            brute.update_many(&moved).unwrap();
        }
        let (mut told, mut expected) = (PairChanges::default(), PairChanges::default());
        watch.collect(&mut told);
        brute.collect(&mut expected);
        assert_eq!(told, expected, "frame {frame}");
        watch.validate();
        changed += told.began.len();
    }
    assert!(changed > 1000, "{changed}");
}

/// The boxes of all bodies by index; where there is none, one that overlaps all others.
fn by_index(watch: &Watch, moved: &[(BodyId, Box32)]) -> Vec<Box32> {
    let everywhere = Box32::new([f32::MIN; 3], [f32::MAX; 3]).unwrap();
    let mut bounds = vec![everywhere; watch.boxes.index_end()];
    for (body, new) in moved {
        bounds[body.index() as usize] = *new;
    }
    bounds
}

fn compare_leaping_and_calm(many: usize) {
    let mut ids = BodyIds::default();
    let (mut watch, mut brute) = (Watch::default(), Brute::default());
    watch.seating.many = many;
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut crowd: Vec<(BodyId, Aabb)> = Vec::new();
    let (mut seen, mut seated) = ([0; 2], 0);
    for frame in 0..150 {
        for _ in 0..if frame == 0 {
            300
        } else {
            rng.random_range(0..2)
        } {
            let (body, bounds) = (ids.insert().unwrap(), random_box(&mut rng, 12.0));
            crowd.push((body, bounds));
            watch.insert(body, Box32::around(&bounds).unwrap()).unwrap();
            brute.insert(body, Box32::around(&bounds).unwrap()).unwrap();
        }
        if rng.random_bool(0.3) {
            let (gone, _) = crowd.swap_remove(rng.random_range(0..crowd.len()));
            ids.remove(gone).unwrap();
            watch.remove(gone).unwrap();
            brute.remove(gone).unwrap();
        }
        let (mut told, mut expected) = (PairChanges::default(), PairChanges::default());
        watch.collect(&mut told);
        brute.collect(&mut expected);
        assert_eq!(told, expected, "frame {frame}");
        watch.validate();
        seen[usize::from(watch.is_planted)] += 1;
        seated += usize::from(!watch.boxes.seats().are_plain());
        let mut found = [Vec::new(), Vec::new()];
        let asked = random_box(&mut rng, 12.0);
        watch.in_box(&asked, &mut found[0]).unwrap();
        brute.in_box(&asked, &mut found[1]).unwrap();
        assert_eq!(found[0], found[1], "frame {frame}");

        let leaps = frame / 25 % 2 == 1;
        for (_, bounds) in &mut crowd {
            let step = Vec3::from_array([(); 3].map(|()| rng.random_range(-0.05..0.05)));
            *bounds = if leaps && rng.random_bool(0.9) {
                random_box(&mut rng, 12.0)
            } else {
                Aabb::new(bounds.min() + step, bounds.max() + step).unwrap()
            };
        }
        let rounded = crowd
            .iter()
            .map(|(body, b)| (*body, Box32::around(b).unwrap()));
        let mut moved: Vec<(BodyId, Box32)> = rounded.collect();
        if rng.random_bool(0.7) {
            moved.sort_unstable_by_key(|(body, _)| *body);
        }
        if rng.random_bool(0.5) {
            moved.retain(|_| rng.random_bool(0.9));
        }
        if moved.len() == crowd.len() && rng.random_bool(0.5) {
            watch.update_all(&by_index(&watch, &moved)).unwrap();
        } else {
            watch.update_many(&moved).unwrap();
        }
        brute.update_many(&moved).unwrap();
        if rng.random_bool(0.3) {
            let (body, bounds) = crowd[rng.random_range(0..crowd.len())];
            let inner = Aabb::new(bounds.center(), bounds.max()).unwrap();
            let inner = Box32::around(&inner).unwrap();
            watch.update(body, inner).unwrap();
            brute.update(body, inner).unwrap();
        }
    }
    assert!(seen[0] > 50 && seen[1] > 50, "{seen:?}");
    assert_eq!(seated > 20, many == 0, "{seated} frames");
}

/// A dense crowd of several segments, all of which moves in the order of indices, in seats of another order: what is asked for ahead of
/// the next segment changes nothing, however many pairs there are in each.
#[test]
fn segments_that_follow_each_other_are_as_by_brute_force() {
    let mut ids = BodyIds::default();
    let (mut watch, mut brute) = (Watch::default(), Brute::default());
    watch.seating.many = 0;
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut crowd = Vec::new();
    for number in 0..3500 {
        // Half of them crowded, and half of them with hardly a neighbour.
        let side = if number % 2 == 0 { 14.0 } else { 60.0 };
        let (body, bounds) = (ids.insert().unwrap(), random_box(&mut rng, side));
        let bounds = Box32::around(&bounds).unwrap();
        let step = [(); 3].map(|()| rng.random_range(-0.05f32..0.05));
        watch.insert(body, bounds).unwrap();
        brute.insert(body, bounds).unwrap();
        crowd.push((body, bounds, step));
    }
    let mut seen = [0; 2];
    for frame in 0..25 {
        let (mut told, mut expected) = (PairChanges::default(), PairChanges::default());
        watch.collect(&mut told);
        brute.collect(&mut expected);
        assert_eq!(told, expected, "frame {frame}");
        watch.validate();
        assert!(watch.seating.is_fresh(&watch.boxes), "frame {frame}");
        let [dense, sparse] = watch.list.dense_and_sparse(&watch.boxes);
        seen = [seen[0] + dense, seen[1] + sparse];
        for (_, bounds, step) in &mut crowd {
            for corner in [&mut bounds.min, &mut bounds.max] {
                corner.iter_mut().zip(*step).for_each(|(x, by)| *x += by);
            }
        }
        let moved: Vec<(BodyId, Box32)> = crowd.iter().map(|(body, b, _)| (*body, *b)).collect();
        watch.update_many(&moved).unwrap();
        brute.update_many(&moved).unwrap();
    }
    assert!(seen[0] > 20 && seen[1] > 20, "{seen:?}");
}

/// Bodies come and go, first few and then many, and some of them move: a table of bits and what takes its place give the same
/// as brute force.
#[test]
fn few_bodies_and_more_than_few_are_as_by_brute_force() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut seen = [0; 2];
    for most in [3, 20, 64, 90, 160] {
        let mut ids = BodyIds::default();
        let (mut watch, mut brute) = (Watch::default(), Brute::default());
        let mut crowd: Vec<BodyId> = Vec::new();
        for frame in 0..120 {
            for _ in 0..rng.random_range(0..9) {
                let bounds = Box32::around(&random_box(&mut rng, 6.0)).unwrap();
                if crowd.len() < most {
                    let body = ids.insert().unwrap();
                    watch.insert(body, bounds).unwrap();
                    brute.insert(body, bounds).unwrap();
                    crowd.push(body);
                }
                if !crowd.is_empty() && rng.random_bool(0.4) {
                    let gone = crowd.swap_remove(rng.random_range(0..crowd.len()));
                    ids.remove(gone).unwrap();
                    watch.remove(gone).unwrap();
                    brute.remove(gone).unwrap();
                }
            }
            let share = [0.0, 0.1, 0.5, 1.0][frame % 4];
            let moved: Vec<(BodyId, Box32)> = crowd
                .iter()
                .filter_map(|body| {
                    let bounds = Box32::around(&random_box(&mut rng, 6.0)).unwrap();
                    rng.random_bool(share).then_some((*body, bounds))
                })
                .collect();
            watch.validate();
            watch.update_many(&moved).unwrap();
            brute.update_many(&moved).unwrap();
            let (mut told, mut expected) = (PairChanges::default(), PairChanges::default());
            watch.collect(&mut told);
            brute.collect(&mut expected);
            assert_eq!(told, expected, "frame {frame} of at most {most}");
            watch.validate();
            let mut pairs = [Vec::new(), Vec::new()];
            watch.pairs(&mut pairs[0]);
            brute.pairs(&mut pairs[1]);
            assert_eq!(pairs[0], pairs[1]);
            seen[usize::from(watch.are_many)] += 1;
        }
    }
    assert!(seen[0] > 300 && seen[1] > 50, "{seen:?}");
}

/// A crowd in which rows of bodies move, now all of them, now some from anywhere on; from a frame on one in so many is round, if any. What
/// changes in each frame is as by brute force, if that is asked.
fn changes_of_rows(
    count: usize,
    many: usize,
    round_each: Option<usize>,
    mut brute: Option<Brute>,
) -> Vec<PairChanges> {
    let (mut ids, mut watch) = (BodyIds::default(), Watch::default());
    watch.seating.many = many;
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    let side = (8.0 * count as f64).cbrt();
    let mut crowd = Vec::new();
    for _ in 0..count {
        let (body, bounds) = (ids.insert().unwrap(), random_box(&mut rng, side));
        let bounds = Box32::around(&bounds).unwrap();
        let step = [(); 3].map(|()| rng.random_range(-0.05f32..0.05));
        watch.insert(body, bounds).unwrap();
        if let Some(brute) = &mut brute {
            brute.insert(body, bounds).unwrap();
        }
        crowd.push((body, bounds, step));
    }
    let mut all = Vec::new();
    for frame in 0..24 {
        let mut told = PairChanges::default();
        watch.collect(&mut told);
        if frame % 8 == 5 {
            watch.validate();
        }
        if let Some(brute) = &mut brute {
            let mut expected = PairChanges::default();
            brute.collect(&mut expected);
            assert_eq!(told, expected, "frame {frame}");
        }
        all.push(told);
        if frame % 8 == 7 {
            validate_marks(&watch);
        }
        if let Some(each) = round_each
            && frame == 12
        {
            let balls = crowd.iter().step_by(each).map(|(body, ..)| *body);
            balls.for_each(|body| assert_eq!(watch.set_round(body, true), Ok(true)));
        }
        let row = match frame % 4 {
            0 | 1 => 0..count,
            2 => rng.random_range(0..count / 4)..rng.random_range(count / 2..count),
            _ => rng.random_range(0..count / 2)..rng.random_range(count / 2..5 * count / 8),
        };
        for (_, bounds, step) in &mut crowd[row.clone()] {
            if rng.random_range(0..200) == 0 {
                *bounds = Box32::around(&random_box(&mut rng, side)).unwrap();
            }
            for corner in [&mut bounds.min, &mut bounds.max] {
                corner.iter_mut().zip(*step).for_each(|(x, by)| *x += by);
            }
        }
        let moved = crowd[row].iter().map(|(body, b, _)| (*body, *b));
        let moved: Vec<(BodyId, Box32)> = moved.collect();
        if frame % 4 == 1 {
            watch.update_all(&by_index(&watch, &moved)).unwrap();
        } else {
            watch.update_many(&moved).unwrap();
        }
        if let Some(brute) = &mut brute {
            brute.update_many(&moved).unwrap();
        }
        let is_as_given =
            |(body, bounds, _): &(BodyId, Box32, _)| watch.boxes.get(*body) == Ok(*bounds);
        assert!(crowd.iter().all(is_as_given), "frame {frame}");
    }
    all
}

/// Panics unless exactly those watched pairs are marked that may meet.
pub(super) fn validate_marks(watch: &Watch) {
    for word in watch.words() {
        let pair = indices_of(key(word)).map(|seat| seat as usize);
        let may_meet = in_lanes!(simd => watch.boxes.may_meet(simd, pair));
        assert_eq!(word & 1 == 1, may_meet, "{pair:?}");
    }
}

#[test]
fn rows_of_bodies_are_as_by_brute_force() {
    for many in [0, usize::MAX] {
        changes_of_rows(700, many, None, Some(Brute::default()));
    }
}

/// Where none, a few, half of the bodies or all of them are round.
#[test]
fn pairs_of_rows_with_round_bodies_are_marked_as_they_are() {
    for round_each in [None, Some(7), Some(2), Some(1)] {
        for many in [0, usize::MAX] {
            changes_of_rows(900, many, round_each, None);
        }
    }
}

/// Rows are shared by threads, with seats and without; also where some bodies are round.
#[cfg(feature = "parallel")]
#[test]
fn rows_are_the_same_by_any_number_of_threads() {
    for (many, round_each) in [
        (0, None),
        (0, Some(7)),
        (0, Some(1)),
        (usize::MAX, None),
        (usize::MAX, Some(1)),
    ] {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().unwrap();
            pool.install(|| changes_of_rows(20_000, many, round_each, None))
        };
        let one = on(1);
        assert!(one.iter().all(|changes| !changes.began.is_empty()));
        for threads in [2, 3] {
            assert!(one == on(threads), "{threads} threads");
        }
    }
}
