//! Points, segments and triangles of `exact` against the rational oracle for hulls, on small grids (where touching,
//! coplanar, collinear and repeated corners are common), scaled, shifted and disturbed in the last bit.

use crate::rational::{
    Point, common_unit, corners_of_intersection, hulls_intersect, in_common_unit,
};
use impinge::Vec3;
use impinge::exact::{
    SECTION_ERROR, Section, are_collinear, point_in_triangle, point_on_segment,
    segment_meets_triangle, segments_intersect, triangle_section, triangles_cross_beyond_shared,
    triangles_intersect,
};
use num_bigint::BigInt;
use proptest::prelude::*;

type Triangle = [Vec3; 3];

/// How grid coordinates become floats.
#[derive(Debug, Clone)]
struct Placement {
    scale: f64,
    shift: f64,
    /// For each coordinate in turn, the bits by which it is off.
    disturbance: Vec<i8>,
}

impl Placement {
    fn place(&self, grid: &[[i32; 3]]) -> Vec<Vec3> {
        let mut off = self.disturbance.iter().cycle();
        let coordinate = |i: i32| (f64::from(i) + self.shift) * self.scale;
        grid.iter()
            .map(|p| {
                Vec3::from_array(p.map(coordinate)).map(|x| match off.next() {
                    Some(1) => x.next_up(),
                    Some(-1) => x.next_down(),
                    _ => x,
                })
            })
            .collect()
    }
}

fn placement() -> impl Strategy<Value = Placement> {
    let scale = prop::sample::select(vec![1.0, 0.1, 1e-9, 1e150, 1e-160, 1e300]);
    let shift = prop::sample::select(vec![0.0, 0.0, 1e3]);
    let exact = Just(vec![0]);
    let disturbed = prop::collection::vec(prop::sample::select(vec![0, 0, 0, 0, 1, -1]), 18);
    let disturbance = prop_oneof![2 => exact, 1 => disturbed];
    (scale, shift, disturbance).prop_map(|(scale, shift, disturbance)| Placement {
        scale,
        shift,
        disturbance,
    })
}

/// Points on the grid -2..=2, in one plane of it, on one line of it, or picked from few.
fn grid_points(count: usize) -> impl Strategy<Value = Vec<[i32; 3]>> {
    let anywhere = || prop::collection::vec(prop::array::uniform3(-2i32..=2), count);
    let picked = (
        prop::collection::vec(prop::array::uniform3(-2i32..=2), 4),
        prop::collection::vec(0usize..4, count),
    )
        .prop_map(|(pool, picks)| picks.into_iter().map(|i| pool[i]).collect());
    let plane = anywhere().prop_map(|points: Vec<[i32; 3]>| {
        points.into_iter().map(|[x, y, _]| [x, y, x - y]).collect()
    });
    let line = anywhere().prop_map(|points: Vec<[i32; 3]>| {
        points.into_iter().map(|[x, _, _]| [x, 2 * x, -x]).collect()
    });
    prop_oneof![5 => anywhere(), 2 => picked, 2 => plane, 1 => line]
}

fn points(count: usize) -> impl Strategy<Value = Vec<Vec3>> {
    (grid_points(count), placement()).prop_map(|(grid, placement)| placement.place(&grid))
}

fn two_triangles() -> impl Strategy<Value = [Triangle; 2]> {
    points(6).prop_map(|p| [[p[0], p[1], p[2]], [p[3], p[4], p[5]]])
}

/// The six orders of the corners of a triangle.
fn orders([a, b, c]: Triangle) -> [Triangle; 6] {
    [
        [a, b, c],
        [b, c, a],
        [c, a, b],
        [a, c, b],
        [c, b, a],
        [b, a, c],
    ]
}

/// The answer of a test on two triangles, after checking that all 72 orders give it.
fn in_all_orders(
    test: fn(&Triangle, &Triangle) -> bool,
    [a, b]: [Triangle; 2],
) -> Result<bool, TestCaseError> {
    let answer = test(&a, &b);
    for p in orders(a) {
        for q in orders(b) {
            prop_assert_eq!(test(&p, &q), answer);
            prop_assert_eq!(test(&q, &p), answer);
        }
    }
    Ok(answer)
}

/// Whether the triangles are the same or have a point in common outside the hull of their common corners.
fn cross_beyond_shared_oracle(a: &Triangle, b: &Triangle) -> bool {
    let points = in_common_unit(&[a, b].map(|t| t.as_slice()).concat());
    let (a, b) = points.split_at(3);
    let mut shared: Vec<Point> = a.iter().filter(|p| b.contains(p)).cloned().collect();
    shared.sort();
    shared.dedup();
    let is_beyond = |p: Point| corners_of_intersection(&[p], &shared).next().is_none();
    shared.len() == 3 || corners_of_intersection(a, b).any(is_beyond)
}

/// The corners of what two triangles have in common, none of them between others.
fn section_oracle(a: &Triangle, b: &Triangle) -> Vec<Vec3> {
    let both = [a, b].map(|t| t.as_slice()).concat();
    let unit = common_unit(&both);
    let points = in_common_unit(&both);
    let (a, b) = points.split_at(3);
    let mut all: Vec<Point> = corners_of_intersection(a, b).map(lowest_terms).collect();
    all.sort();
    all.dedup();
    let is_corner = |p: &&Point| {
        let others: Vec<Point> = all.iter().filter(|q| q != p).cloned().collect();
        let itself = std::slice::from_ref(*p);
        others.is_empty() || corners_of_intersection(itself, &others).next().is_none()
    };
    let corners = all.iter().filter(is_corner);
    corners.map(|p| rounded(p, unit)).collect()
}

fn lowest_terms(p: Point) -> Point {
    let divisor = p
        .iter()
        .fold(BigInt::ZERO, |d, x| gcd(d, x.magnitude().clone().into()));
    p.map(|x| x / &divisor)
}

fn gcd(mut a: BigInt, mut b: BigInt) -> BigInt {
    while b != BigInt::ZERO {
        (a, b) = (b.clone(), a % b);
    }
    a
}

/// A homogeneous point in units of a power of two, to the nearest doubles or nearly so.
fn rounded([x, y, z, w]: &Point, unit: i32) -> Vec3 {
    let round = |x: &BigInt| {
        // A quotient of about a hundred bits.
        let shift = 100 + w.bits() as i32 - x.bits() as i32;
        let quotient = if shift >= 0 {
            (x << shift) / w
        } else {
            x / (w << -shift)
        };
        let digits: f64 = quotient.to_string().parse().unwrap();
        let exponent = unit - shift;
        digits * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
    };
    Vec3::new(round(x), round(y), round(z))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn points_on_lines_and_segments_are_right(p in points(3)) {
        let on = |p: Vec3, a: Vec3, b: Vec3| hulls_intersect(&[p], &[a, b]);
        // Of three points on a line one is between the others.
        let collinear = on(p[0], p[1], p[2]) || on(p[1], p[2], p[0]) || on(p[2], p[0], p[1]);
        prop_assert_eq!(are_collinear(p[0], p[1], p[2]), collinear);
        prop_assert_eq!(point_on_segment(p[0], &[p[1], p[2]]), on(p[0], p[1], p[2]));
    }

    #[test]
    fn points_on_triangles_are_right(p in points(4)) {
        let expected = hulls_intersect(&p[..1], &p[1..]);
        for triangle in orders([p[1], p[2], p[3]]) {
            prop_assert_eq!(point_in_triangle(p[0], &triangle), expected);
        }
    }

    #[test]
    fn segments_against_segments_are_right(p in points(4)) {
        let expected = hulls_intersect(&p[..2], &p[2..]);
        for (s, t) in [([0, 1], [2, 3]), ([1, 0], [2, 3]), ([2, 3], [1, 0]), ([3, 2], [1, 0])] {
            prop_assert_eq!(segments_intersect(&s.map(|i| p[i]), &t.map(|i| p[i])), expected);
        }
    }

    #[test]
    fn segments_against_triangles_are_right(p in points(5)) {
        let expected = hulls_intersect(&p[..2], &p[2..]);
        for triangle in orders([p[2], p[3], p[4]]) {
            prop_assert_eq!(segment_meets_triangle(&[p[0], p[1]], &triangle), expected);
            prop_assert_eq!(segment_meets_triangle(&[p[1], p[0]], &triangle), expected);
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn triangles_against_triangles_are_right([a, b] in two_triangles()) {
        let answer = in_all_orders(triangles_intersect, [a, b])?;
        prop_assert_eq!(answer, hulls_intersect(&a, &b));
    }

    #[test]
    fn crossings_beyond_shared_corners_are_right([a, b] in two_triangles()) {
        let answer = in_all_orders(triangles_cross_beyond_shared, [a, b])?;
        prop_assert_eq!(answer, cross_beyond_shared_oracle(&a, &b));
    }
}

/// Neighbours: one, two or three corners of the second triangle are corners of the first.
fn neighbours() -> impl Strategy<Value = [Triangle; 2]> {
    (points(6), 1usize..=3).prop_map(|(p, shared)| {
        let second: Vec<Vec3> = p[..shared].iter().chain(&p[3..]).copied().collect();
        [[p[0], p[1], p[2]], [second[0], second[1], second[2]]]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn crossings_of_neighbours_are_right([a, b] in neighbours()) {
        let answer = in_all_orders(triangles_cross_beyond_shared, [a, b])?;
        prop_assert_eq!(answer, cross_beyond_shared_oracle(&a, &b));
    }
}

/// A corner of one triangle moved to where the other's face, edge or corner is, as well as floats can, then one bit
/// up or down: the answer may change with that bit, and must change when the oracle's does.
fn nearly_touching() -> impl Strategy<Value = [Triangle; 2]> {
    let weights = prop::array::uniform3(0u8..4);
    let off = prop::array::uniform3(-1i8..=1);
    let coordinate = -1.0f64..1.0;
    let corners = prop::collection::vec(prop::array::uniform3(coordinate), 5);
    (corners, weights, off).prop_map(|(corners, weights, off)| {
        let p: Vec<Vec3> = corners.into_iter().map(Vec3::from_array).collect();
        let [u, v, w] = weights.map(f64::from);
        let sum = (u + v + w).max(1.0);
        let touch = (p[0] * u + p[1] * v + p[2] * w) / sum;
        let mut off = off.into_iter();
        let touch = touch.map(|x| match off.next() {
            Some(1) => x.next_up(),
            Some(-1) => x.next_down(),
            _ => x,
        });
        [[p[0], p[1], p[2]], [touch, p[3], p[4]]]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn the_last_bit_decides([a, b] in nearly_touching()) {
        let answer = in_all_orders(triangles_intersect, [a, b])?;
        prop_assert_eq!(answer, hulls_intersect(&a, &b));
    }

    #[test]
    fn sections_have_the_right_corners([a, b] in two_triangles()) {
        let expected = section_oracle(&a, &b);
        let size = [a, b].as_flattened().iter().fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
        for (a, b) in [(a, b), (b, a), (orders(a)[4], orders(b)[1])] {
            let found = triangle_section(&a, &b);
            let found = found.as_ref().map_or(&[][..], Section::points);
            prop_assert_eq!(found.len(), expected.len(), "{:?}, {:?}", found, &expected);
            for point in &expected {
                let is_near = |p: &Vec3| (*p - *point).abs().max_element() <= SECTION_ERROR * size;
                prop_assert!(found.iter().any(is_near), "{:?}, {:?}", found, &expected);
            }
        }
    }
}
