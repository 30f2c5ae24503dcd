use super::super::super::{Box32, BroadPhase, Brute, PairChanges};
use super::super::Watch;
use super::super::tests::{random_box, validate_marks};
use crate::body::{BodyId, BodyIds};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A crowd in which few move for long times, now these and now others, so that bodies rest, wake, come and go while others rest, until all move again.
#[test]
fn bodies_that_rest_and_wake_are_as_by_brute_force() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let (mut rested, mut woken, mut together) = (0, 0, 0);
    for (count, round_each, many) in [
        (70, None, usize::MAX),
        (300, None, usize::MAX),
        (300, Some(2), usize::MAX),
        (300, None, 0),
        (1500, Some(1), usize::MAX),
    ] {
        let mut ids = BodyIds::default();
        let (mut watch, mut brute) = (Watch::default(), Brute::default());
        watch.seating.many = many;
        let side = (4.0 * f64::from(count)).cbrt();
        let mut crowd: Vec<(BodyId, Box32)> = Vec::new();
        let random = |rng: &mut ChaCha8Rng| Box32::around(&random_box(rng, side)).unwrap();
        let mut movers: Vec<usize> = Vec::new();
        for frame in 0..400 {
            let in_all = frame % 150 == 149;
            // Some at once are too many for the tree as it is, which is built anew while others rest.
            let comes = match frame {
                0 => count,
                _ if frame % 150 == 110 => count / 8,
                _ => u32::from(frame % 23 == 7),
            };
            for _ in 0..comes {
                let newcomer = (ids.insert().unwrap(), random(&mut rng));
                watch.insert(newcomer.0, newcomer.1).unwrap();
                brute.insert(newcomer.0, newcomer.1).unwrap();
                crowd.push(newcomer);
            }
            if frame % 31 == 30 {
                let (gone, _) = crowd.swap_remove(rng.random_range(0..crowd.len()));
                ids.remove(gone).unwrap();
                watch.remove(gone).unwrap();
                brute.remove(gone).unwrap();
                movers.clear();
            }
            if frame % 17 == 0 {
                let some = rng.random_range(0..3);
                movers = (0..some)
                    .map(|_| rng.random_range(0..crowd.len()))
                    .collect();
            }
            let all: Vec<usize> = (0..crowd.len()).collect();
            let mut moved = Vec::new();
            for place in if in_all { &all } else { &movers } {
                let (body, bounds) = &mut crowd[*place];
                let step = [(); 3].map(|()| rng.random_range(-0.1..0.1));
                for corner in [&mut bounds.min, &mut bounds.max] {
                    corner.iter_mut().zip(step).for_each(|(x, by)| *x += by);
                }
                if rng.random_range(0..40) == 0 {
                    *bounds = random(&mut rng);
                }
                moved.push((*body, *bounds));
            }
            if frame % 150 == 75 {
                // Most leap, one after the other, and the others rest.
                for (body, bounds) in crowd.iter_mut().skip(9) {
                    *bounds = random(&mut rng);
                    watch.update(*body, *bounds).unwrap();
                    brute.update(*body, *bounds).unwrap();
                }
            }
            let before = watch.rest.words().count();
            watch.update_many(&moved).unwrap();
            brute.update_many(&moved).unwrap();
            let (mut told, mut expected) = (PairChanges::default(), PairChanges::default());
            watch.collect(&mut told);
            brute.collect(&mut expected);
            if round_each.is_none() {
                assert_eq!(told, expected, "frame {frame} of {count}");
            }
            watch.validate();
            validate_marks(&watch);
            let mut pairs = [Vec::new(), Vec::new()];
            watch.pairs(&mut pairs[0]);
            brute.pairs(&mut pairs[1]);
            assert!(
                round_each.is_some() || pairs[0] == pairs[1],
                "frame {frame}"
            );
            let now = watch.rest.words().count();
            rested += usize::from(now > before);
            woken += usize::from(now < before && now > 0);
            together += usize::from(now == 0 && before > 0);
            if let Some(each) = round_each
                && frame == 30
            {
                for (body, bounds) in crowd.iter().step_by(each) {
                    assert_eq!(watch.set_round(*body, true), Ok(true));
                    watch.update(*body, *bounds).unwrap();
                }
            }
        }
    }
    assert!(
        rested > 10 && woken > 50 && together > 5,
        "{rested}, {woken}, {together}"
    );
}

/// Most bodies go, and others come and get room, about when it is settled who rests: all is sound before, then and after.
#[test]
fn crowds_may_change_when_it_is_settled_who_rests() {
    for frames in 6..24 {
        let mut rng = ChaCha8Rng::seed_from_u64(14);
        let (mut ids, mut watch) = (BodyIds::default(), Watch::default());
        let mut crowd = Vec::new();
        let mut come = |watch: &mut Watch, ids: &mut BodyIds, crowd: &mut Vec<(BodyId, Box32)>| {
            let bounds = Box32::around(&random_box(&mut rng, 6.0)).unwrap();
            crowd.push((ids.insert().unwrap(), bounds));
            let (body, bounds) = crowd[crowd.len() - 1];
            watch.insert(body, bounds).unwrap();
        };
        for _ in 0..300 {
            come(&mut watch, &mut ids, &mut crowd);
        }
        for frame in 0..frames + 4 {
            let (body, bounds) = &mut crowd[0];
            bounds.max[0] += 0.001;
            watch.update(*body, *bounds).unwrap();
            if frame == frames {
                for (gone, _) in crowd.drain(40..) {
                    ids.remove(gone).unwrap();
                    watch.remove(gone).unwrap();
                }
                for _ in 0..30 {
                    come(&mut watch, &mut ids, &mut crowd);
                }
            }
            watch.collect(&mut PairChanges::default());
            watch.validate();
        }
    }
}

/// Of many bodies one moves, and another one from a frame on: nothing is compared but their pairs, as soon as the others rest.
#[test]
fn pairs_of_bodies_that_rest_are_not_gone_through() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    let (mut ids, mut watch) = (BodyIds::default(), Watch::default());
    let mut crowd = Vec::new();
    for _ in 0..500 {
        let newcomer = (
            ids.insert().unwrap(),
            Box32::around(&random_box(&mut rng, 12.0)).unwrap(),
        );
        watch.insert(newcomer.0, newcomer.1).unwrap();
        crowd.push(newcomer);
    }
    for frame in 0..100 {
        let (body, bounds) = &mut crowd[usize::from(frame >= 60)];
        bounds.min[0] += 0.001;
        bounds.max[0] += 0.001;
        watch.update(*body, *bounds).unwrap();
        watch.collect(&mut PairChanges::default());
        let around = |place: usize| {
            let wide = &watch.wide[place];
            watch
                .wide
                .iter()
                .filter(|other| other.overlaps(wide))
                .count()
        };
        if frame >= 40 {
            let most = around(0) + around(1);
            let pairs = watch.list.words().count();
            assert!(pairs <= most, "{pairs} of {most}");
        }
    }
    assert!(watch.rest.words().count() > 500);
}
