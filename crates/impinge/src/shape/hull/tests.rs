//! The surface after every single insertion.

use super::*;
use crate::exact::{Sign, orientation};

/// Points whose coordinates are small whole numbers, so that coplanar, collinear and repeated ones are common.
fn grid_points(count: usize, side: u64, seed: u64) -> Vec<Vec3> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut coordinate = || {
        // Knuth's multiplier; the high bits are random enough for a test.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) % side
    };
    (0..count)
        .map(|_| Vec3::from_array(std::array::from_fn(|_| coordinate() as f64)))
        .collect()
}

/// Triangles are not degenerate, twins agree, and no inserted point is outside.
fn validate(builder: &Builder<'_>) {
    let live = |f: &u32| !builder.facets[*f as usize].is_removed();
    let facets: Vec<u32> = (0..builder.facets.len() as u32).filter(live).collect();
    let at = |p: u32| builder.points[p as usize];
    for &f in &facets {
        let facet = &builder.facets[f as usize];
        let [a, b, c] = facet.vertices;
        for k in 0..3 {
            let twin = facet.twins[k];
            let other = &builder.facets[(twin / 3) as usize];
            let e = (twin % 3) as usize;
            assert_eq!(other.twins[e], 3 * f + k as u32, "twins of twins");
            let here = [facet.vertices[k], facet.vertices[(k + 1) % 3]];
            assert_eq!(here, [other.vertices[(e + 1) % 3], other.vertices[e]]);
        }
        let mut strictly_below = 0;
        for g in &facets {
            for v in builder.facets[*g as usize].vertices {
                let side = orientation(at(a), at(b), at(c), at(v));
                assert_ne!(side, Sign::Positive, "vertices are not outside");
                strictly_below += u32::from(side == Sign::Negative);
            }
        }
        assert!(strictly_below > 0, "facets are not degenerate");
    }
}

/// Every point outside waits at exactly one facet, which sees it.
fn validate_waiting(builder: &Builder<'_>) {
    let mut places = vec![0; builder.points.len()];
    for facet in 0..builder.facets.len() as u32 {
        let mut waiting = builder.facets[facet as usize].first;
        while waiting != NONE {
            places[waiting as usize] += 1;
            assert!(builder.height(facet, waiting).is_some());
            waiting = builder.next[waiting as usize];
        }
    }
    for (point, count) in (0..).zip(places) {
        let live = |f: &u32| !builder.facets[*f as usize].is_removed();
        let mut facets = (0..builder.facets.len() as u32).filter(live);
        let outside = facets.any(|f| builder.height(f, point).is_some());
        assert_eq!(count, usize::from(outside), "point {point}");
    }
}

#[test]
fn the_surface_holds_after_every_insertion() {
    for seed in 0..60 {
        let points = grid_points(40, 2 + seed % 5, seed);
        let Ok(corners) = simplex::find(&points) else {
            continue;
        };
        let mut builder = Builder::new(&points, corners);
        while let Some(facet) = builder.pending.pop_front() {
            validate(&builder);
            validate_waiting(&builder);
            if builder.facets[facet as usize].has_waiting() {
                builder.insert(facet);
            }
        }
        validate_waiting(&builder);
    }
}
