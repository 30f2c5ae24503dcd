//! Polygons of any kind: the right number of triangles, edges that add up, and a claim that holds.
#![no_main]

use impinge::Vec3;
use impinge::exact::{Axis, Sign, normal_component};
use impinge::shape::polygon::{Cut, triangulate};
use impinge_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let is_flat = bytes.byte() % 2 == 0;
    let count = data.len() / 2;
    let points: Vec<Vec3> = (0..count)
        .map(|_| {
            let z = if is_flat { 0.0 } else { bytes.number() };
            Vec3::new(bytes.number(), bytes.number(), z)
        })
        .collect();
    let mut triangles = Vec::new();
    let cut = triangulate(&points, &mut triangles);
    assert_eq!(triangles.len(), count.saturating_sub(2));
    if count < 3 {
        return;
    }
    assert!(are_edges_those_of_polygon(count as u32, &triangles));
    if cut == Cut::Exact && count > 3 {
        assert!(
            Axis::ALL
                .iter()
                .any(|axis| none_is_turned_over(*axis, &points, &triangles))
        );
    }
});

/// Each edge of the polygon remains when opposite edges of triangles cancel, and nothing else.
fn are_edges_those_of_polygon(count: u32, triangles: &[[u32; 3]]) -> bool {
    let mut balance: BTreeMap<(u32, u32), i32> = BTreeMap::new();
    let mut add = |from: u32, to: u32, sign: i32| {
        let (key, sign) = if from < to {
            ((from, to), sign)
        } else {
            ((to, from), -sign)
        };
        *balance.entry(key).or_default() += sign;
    };
    for &[a, b, c] in triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            add(from, to, 1);
        }
    }
    for i in 0..count {
        add(i, (i + 1) % count, -1);
    }
    balance.values().all(|b| *b == 0)
}

/// Seen along an axis, all triangles turn the same way, and some have area.
fn none_is_turned_over(axis: Axis, points: &[Vec3], triangles: &[[u32; 3]]) -> bool {
    let signs = triangles.iter().map(|t| {
        let [a, b, c] = t.map(|i| points[i as usize]);
        normal_component(axis, a, b, c)
    });
    let signs: Vec<Sign> = signs.filter(|s| *s != Sign::Zero).collect();
    signs
        .first()
        .is_some_and(|first| signs.iter().all(|s| s == first))
}
