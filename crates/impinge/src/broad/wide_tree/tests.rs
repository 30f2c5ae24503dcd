use super::*;
use crate::lanes::in_lanes;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Boxes by index, as many of each order of magnitude.
fn random_box(rng: &mut ChaCha8Rng) -> Box32 {
    let size = 10f32.powf(rng.random_range(-2.0..1.5));
    let min = [(); 3].map(|()| rng.random_range(0.0..30.0));
    Box32 {
        min,
        max: min.map(|x: f32| x + size),
    }
}

fn pairs_of(tree: &WideTree) -> Vec<u64> {
    let mut found = Vec::new();
    let mut batch = Batch::default();
    in_lanes!(simd => tree.search(simd, &mut batch, &mut found));
    found.sort_unstable();
    found
}

/// Every pair with a marked body, by trying all.
fn expected(boxes: &[Option<Box32>], marked: &[bool]) -> Vec<u64> {
    let mut pairs = Vec::new();
    for (a, one) in boxes.iter().enumerate() {
        for (b, other) in boxes.iter().enumerate().skip(a + 1) {
            if let (Some(one), Some(other)) = (one, other)
                && (marked[a] || marked[b])
                && one.overlaps(other)
            {
                pairs.push((a as u64) << 33 | (b as u64) << 1);
            }
        }
    }
    pairs
}

#[test]
fn searches_agree_with_trying_all_while_bodies_come_and_go() {
    for count in [1, 7, 8, 60, 500] {
        let mut rng = ChaCha8Rng::seed_from_u64(count as u64);
        let boxes = (0..count).map(|_| Some(random_box(&mut rng)));
        let mut boxes: Vec<Option<Box32>> = boxes.collect();
        let mut slots = vec![NONE; count];
        let mut tree = WideTree::default();
        let bounds_of = |index: u32| boxes[index as usize].unwrap();
        in_lanes!(simd => tree.build(simd, Fill::Roomy, 0..count as u32, bounds_of, &mut slots));
        assert!(pairs_of(&tree).is_empty());
        for _ in 0..20 {
            let mut marked = vec![false; count];
            for _ in 0..count.div_ceil(10) {
                let body = rng.random_range(0..count);
                let bounds = random_box(&mut rng);
                marked[body] = true;
                match (boxes[body], rng.random_range(0..3)) {
                    (Some(_), 0) => {
                        tree.clear(std::mem::replace(&mut slots[body], NONE));
                        boxes[body] = None;
                    }
                    (Some(_), _) => {
                        tree.set(slots[body], &bounds);
                        boxes[body] = Some(bounds);
                    }
                    (None, _) => {
                        slots[body] = tree.insert(body as u32, &bounds).expect("there is room");
                        boxes[body] = Some(bounds);
                    }
                }
            }
            in_lanes!(simd => tree.refit(simd));
            assert_eq!(pairs_of(&tree), expected(&boxes, &marked), "{count}");
            tree.unmark();
            tree.validate(&slots, |index| boxes[index as usize].unwrap());
        }
    }
}

#[test]
fn leaves_are_filled_as_asked() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let boxes: Vec<Box32> = (0..100).map(|_| random_box(&mut rng)).collect();
    let bounds_of = |index: u32| boxes[index as usize];
    for (fill, room) in [(Fill::Full, 4), (Fill::Roomy, 20)] {
        let mut slots = vec![NONE; 200];
        let mut tree = WideTree::default();
        in_lanes!(simd => tree.build(simd, fill, 0..100, bounds_of, &mut slots));
        tree.validate(&slots, bounds_of);
        let inserted = (100..200).take_while(|body| tree.insert(*body, &boxes[0]).is_some());
        assert_eq!(inserted.count(), room);
    }
}

#[test]
fn a_full_tree_has_no_room() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut tree = WideTree::default();
    assert_eq!(tree.insert(0, &random_box(&mut rng)), None);
    let mut slots = vec![NONE; 400];
    let boxes: Vec<Box32> = (0..400).map(|_| random_box(&mut rng)).collect();
    let bounds_of = |index: u32| boxes[index as usize];
    in_lanes!(simd => tree.build(simd, Fill::Roomy, 0..300, bounds_of, &mut slots));
    let mut inserted = 0;
    for body in 300..400 {
        let Some(slot) = tree.insert(body, &bounds_of(body)) else {
            break;
        };
        slots[body as usize] = slot;
        inserted += 1;
    }
    assert_eq!(inserted + 300, 300_usize.div_ceil(7) * 8);
    in_lanes!(simd => tree.refit(simd));
    tree.unmark();
    tree.validate(&slots, bounds_of);
    tree.clear(slots[7]);
    slots[7] = NONE;
    assert!(tree.insert(399, &bounds_of(399)).is_some());
}
