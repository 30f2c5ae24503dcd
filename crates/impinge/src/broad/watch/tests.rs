use super::motion::{WideBox, are_sound, rounded};
use super::*;
use crate::body::BodyIds;
use crate::math::Vec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const NUMBERS: [f64; 16] = [
    -f64::MAX,
    -3.402_823_466_385_288_6e38,
    -16_777_217.0,
    -1.000_000_01,
    -1.0,
    -1e-40,
    -1e-46,
    -0.0,
    0.0,
    5e-324,
    1e-45,
    1.5e-38,
    0.1,
    1.0,
    1e39,
    f64::MAX,
];

fn random_box(rng: &mut ChaCha8Rng, side: f64) -> Aabb {
    let corner = Vec3::from_array([(); 3].map(|()| rng.random_range(0.0..side)));
    let size = Vec3::from_array([(); 3].map(|()| rng.random_range(0.2..2.0)));
    Aabb::new(corner, corner + size).unwrap()
}

/// Compares the rounding of many boxes at once with that of one.
fn check_rounding(body: BodyId, bounds: &Aabb) {
    let expected = Box32::around(body, bounds).unwrap();
    dispatch!(Level::new(), simd => {
        let (lanes, new) = rounded(simd, bounds);
        assert_eq!(new, expected, "{bounds:?}");
        let bits = |b: &Box32| [b.min, b.max].map(|corner| corner.map(f32::to_bits));
        assert_eq!(bits(&new), bits(&expected), "{bounds:?}");
        let lanes: [f32; 8] = lanes.into();
        let WideBox(same) = WideBox::around(&expected);
        for lane in [0, 1, 2, 5, 6, 7] {
            let exactly = same[lane]..=same[lane];
            assert!(exactly.contains(&lanes[lane]), "{bounds:?}");
        }
    });
}

#[test]
fn boxes_are_rounded_as_one_by_one() {
    let body = BodyIds::default().insert().unwrap();
    for (place, min) in NUMBERS.into_iter().enumerate() {
        for max in &NUMBERS[place..] {
            check_rounding(
                body,
                &Aabb::new(Vec3::splat(min), Vec3::splat(*max)).unwrap(),
            );
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..10_000 {
        let scale = 10f64.powi(rng.random_range(-45..38));
        let bounds = random_box(&mut rng, 4.0);
        check_rounding(
            body,
            &Aabb::new((bounds.min() - 2.0) * scale, (bounds.max() - 2.0) * scale).unwrap(),
        );
    }
}

#[test]
fn wide_boxes_hold_the_box_wherever_it_goes() {
    let body = BodyIds::default().insert().unwrap();
    let mut boxes = Vec::new();
    for (place, min) in NUMBERS.into_iter().enumerate() {
        let of = |max: &f64| Aabb::new(Vec3::splat(min), Vec3::new(*max, *max, min.max(0.0)));
        boxes.extend(NUMBERS[place..].iter().filter_map(|max| of(max).ok()));
    }
    let boxes: Vec<Box32> = boxes
        .iter()
        .map(|b| Box32::around(body, b).unwrap())
        .collect();
    for old in &boxes {
        for new in &boxes {
            let (wide, _) = WideBox::ahead(3, old, new);
            assert!(wide.contains(new), "{old:?} to {new:?}: {wide:?}");
        }
    }
}

#[test]
fn one_bad_box_among_many_changes_nothing() {
    let (mut ids, mut watch) = (BodyIds::default(), Watch::default());
    let unit = Aabb::new(Vec3::ZERO, Vec3::ONE).unwrap();
    let bodies: Vec<BodyId> = (0..20).map(|_| ids.insert().unwrap()).collect();
    for body in &bodies {
        watch.insert(*body, unit).unwrap();
    }
    let far = Aabb::new(Vec3::splat(9.0), Vec3::splat(10.0)).unwrap();
    let infinite = Aabb::new(Vec3::ZERO, Vec3::splat(f64::MAX)).unwrap();
    let infinite = infinite.grown(1.0);
    let mut moved: Vec<(BodyId, Aabb)> = bodies.iter().map(|body| (*body, far)).collect();
    moved[13].1 = infinite;
    let (_, generations) = watch.boxes.slice_mut();
    assert!(!dispatch!(Level::new(), simd => are_sound(simd, &moved, generations)));
    assert!(watch.update_many(&moved).is_err());
    let highest = |watch: &Watch| {
        let boxes = watch.boxes.iter();
        boxes.map(|(_, b)| b.max[0]).fold(0.0, f32::max).to_bits()
    };
    assert_eq!(highest(&watch), 1f32.to_bits());
    moved[13].1 = far;
    watch.update_many(&moved).unwrap();
    assert_eq!(highest(&watch), 10f32.to_bits());
    watch.validate();
}

/// What a crowd of drifting and jumping boxes changes in some frames.
fn changes_of_crowd(count: usize) -> Vec<PairChanges> {
    let (mut ids, mut watch) = (BodyIds::default(), Watch::default());
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let side = (8.0 * count as f64).cbrt();
    let mut moved = Vec::new();
    for _ in 0..count {
        let (body, bounds) = (ids.insert().unwrap(), random_box(&mut rng, side));
        watch.insert(body, bounds).unwrap();
        moved.push((body, bounds));
    }
    let mut all = Vec::new();
    for _ in 0..4 {
        let mut changes = PairChanges::default();
        watch.collect(&mut changes);
        all.push(changes);
        for (_, bounds) in &mut moved {
            let step = Vec3::from_array([(); 3].map(|()| rng.random_range(-0.1..0.1)));
            *bounds = match rng.random_range(0..50) {
                0 => random_box(&mut rng, side),
                _ => Aabb::new(bounds.min() + step, bounds.max() + step).unwrap(),
            };
        }
        watch.update_many(&moved).unwrap();
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
