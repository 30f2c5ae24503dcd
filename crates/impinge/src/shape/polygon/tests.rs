//! The oracle works on integer coordinates with 128-bit integers: areas, simplicity and overlaps are exact there and
//! share nothing with the signs of the library. Polygons are then lifted into space and scaled by powers of two.

use super::*;
use proptest::prelude::*;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Point = [i64; 2];

fn cross(a: Point, b: Point, c: Point) -> i128 {
    let [ux, uy] = [i128::from(b[0] - a[0]), i128::from(b[1] - a[1])];
    let [vx, vy] = [i128::from(c[0] - a[0]), i128::from(c[1] - a[1])];
    ux * vy - uy * vx
}

/// Twice the signed area.
fn area(polygon: &[Point]) -> i128 {
    (1..polygon.len() - 1)
        .map(|k| cross(polygon[0], polygon[k], polygon[k + 1]))
        .sum()
}

fn is_on(p: Point, a: Point, b: Point) -> bool {
    cross(a, b, p) == 0 && (0..2).all(|k| p[k] >= a[k].min(b[k]) && p[k] <= a[k].max(b[k]))
}

/// Whether two closed segments share a point.
fn touch(a: Point, b: Point, c: Point, d: Point) -> bool {
    let side = |p, q, r| cross(p, q, r).signum();
    (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0)
        || is_on(a, c, d)
        || is_on(b, c, d)
        || is_on(c, a, b)
        || is_on(d, a, b)
}

fn is_simple(polygon: &[Point]) -> bool {
    let n = polygon.len();
    let edge = |i: usize| (polygon[i % n], polygon[(i + 1) % n]);
    (0..n).all(|i| {
        let (a, b) = edge(i);
        let c = edge(i + 1).1;
        let folds = a == b || is_on(c, a, b) || is_on(a, b, c);
        !folds
            && (i + 2..n).filter(|j| (j + 1) % n != i).all(|j| {
                let (c, d) = edge(j);
                !touch(a, b, c, d)
            })
    })
}

/// Whether the insides of two counter-clockwise triangles share a point: they do unless an edge separates them.
fn overlap(s: [Point; 3], t: [Point; 3]) -> bool {
    let separates = |p: [Point; 3], q: [Point; 3]| {
        (0..3).any(|k| q.iter().all(|c| cross(p[k], p[(k + 1) % 3], *c) <= 0))
    };
    !separates(s, t) && !separates(t, s)
}

/// The triangles are as many as they must be, turned like the polygon, of its area, and apart.
fn assert_covers(polygon: &[Point], triangles: &[[u32; 3]]) {
    assert_eq!(triangles.len(), polygon.len() - 2);
    let sign = area(polygon).signum();
    let corners = |t: &[u32; 3]| t.map(|i| polygon[i as usize]);
    let areas: Vec<i128> = triangles.iter().map(|t| area(&corners(t)) * sign).collect();
    assert!(areas.iter().all(|a| *a >= 0), "turned over: {polygon:?}");
    assert_eq!(areas.iter().sum::<i128>(), area(polygon) * sign);
    if polygon.len() > 400 {
        return;
    }
    let upright = |t: &[u32; 3]| {
        let mut t = corners(t);
        if sign < 0 {
            t.reverse();
        }
        t
    };
    for (k, s) in triangles.iter().enumerate() {
        for t in &triangles[..k] {
            assert!(!overlap(upright(s), upright(t)), "overlap in {polygon:?}");
        }
    }
}

fn flat(polygon: &[Point]) -> Vec<Vec3> {
    polygon
        .iter()
        .map(|[x, y]| Vec3::new(*x as f64, *y as f64, 0.0))
        .collect()
}

/// The largest power of two that keeps all coordinates here finite, and the smallest subnormal: no rounding at either.
const HUGE: f64 = f64::from_bits((1023 + 985) << 52);
const TINY: f64 = f64::from_bits(1);

/// In space: on a slanted plane, with the axes permuted, shifted and scaled, all without rounding.
fn lifted(polygon: &[Point], random: &mut impl Rng) -> Vec<Vec3> {
    let [a, b, c]: [i64; 3] = std::array::from_fn(|_| random.random_range(-3..=3));
    let scales = [1.0, TINY, 2f64.powi(-300), 2f64.powi(300), HUGE];
    let scale = scales[random.random_range(0..scales.len())];
    let turn = random.random_range(0..3);
    polygon
        .iter()
        .map(|[x, y]| {
            let mut p = [*x, *y, a * x + b * y + c].map(|k| k as f64 * scale);
            p.rotate_left(turn);
            Vec3::from_array(p)
        })
        .collect()
}

fn cut_of(points: &[Vec3]) -> (Vec<[u32; 3]>, Cut) {
    let mut triangles = Vec::new();
    let cut = triangulate(points, &mut triangles);
    (triangles, cut)
}

/// Each method on its own, and the choice between them, on a polygon known to be simple.
fn assert_all_methods_cut(polygon: &[Point], random: &mut impl Rng) {
    let points = flat(polygon);
    let view = View {
        points: &points,
        axis: Axis::Z,
        reversed: area(polygon) < 0,
    };
    let of_polygon = |found: Vec<[u32; 3]>| -> Vec<[u32; 3]> {
        found.into_iter().map(|t| view.to_polygon(t)).collect()
    };
    let ears = ears::triangulate(&view, &mut Budget::for_corners(0)).expect("simple");
    assert!(
        ears.iter().all(|t| view.turn(*t) == Sign::Positive),
        "flat ear in {polygon:?}"
    );
    assert_covers(polygon, &of_polygon(ears));
    let swept = sweep::triangulate(&view, &mut Budget::for_corners(0))
        .unwrap_or_else(|| panic!("no sweep of {polygon:?}"));
    assert_covers(polygon, &of_polygon(swept));
    let (triangles, cut) = cut_of(&lifted(polygon, random));
    assert_eq!(cut, Cut::Exact, "{polygon:?}");
    assert_covers(polygon, &triangles);
}

/// Random points joined up at random, then untangled by reversing the path between crossing edges. On a small grid this
/// gives collinear corners in plenty.
fn random_simple(corners: usize, grid: i64, random: &mut impl Rng) -> Option<Vec<Point>> {
    let mut polygon: Vec<Point> = Vec::new();
    while polygon.len() < corners {
        let p = [random.random_range(0..grid), random.random_range(0..grid)];
        if !polygon.contains(&p) {
            polygon.push(p);
        }
    }
    polygon.shuffle(random);
    let n = corners;
    for _ in 0..40 * n {
        let crossing = (0..n)
            .flat_map(|i| (i + 2..n).map(move |j| (i, j)))
            .find(|(i, j)| {
                (j + 1) % n != *i
                    && touch(
                        polygon[*i],
                        polygon[i + 1],
                        polygon[*j],
                        polygon[(j + 1) % n],
                    )
            });
        match crossing {
            Some((i, j)) => polygon[i + 1..=j].reverse(),
            None => break,
        }
    }
    (area(&polygon) != 0 && is_simple(&polygon)).then_some(polygon)
}

#[test]
fn random_simple_polygons() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut tried = 0;
    for round in 0..3000 {
        let corners = random.random_range(4..=4 + round % 30);
        let grid = *[6, 10, 100].get(round % 3).unwrap();
        let Some(polygon) = random_simple(corners.min(grid as usize * 3), grid, &mut random) else {
            continue;
        };
        tried += 1;
        assert_all_methods_cut(&polygon, &mut random);
    }
    assert!(tried > 1500, "only {tried} polygons came out simple");
}

/// Teeth upwards and downwards: many regions at once.
fn comb(teeth: i64) -> Vec<Point> {
    let top = (0..=2 * teeth).map(|k| [k, if k % 2 == 0 { 1 } else { 100 + k % 7 }]);
    let bottom = (0..=2 * teeth).map(|k| [k, if k % 2 == 0 { 0 } else { -90 - k % 5 }]);
    bottom.chain(top.rev()).collect()
}

/// A corridor wound up in squares: long chains and deep nesting.
fn spiral(turns: i64) -> Vec<Point> {
    let arm = |inset: i64| {
        (0..turns).flat_map(move |k| {
            let (low, high) = (4 * k + inset, 1000 + 8 * turns - 4 * k - inset);
            [[low, low], [high, low], [high, high], [low + 4, high]]
        })
    };
    let inner: Vec<Point> = arm(2).collect();
    arm(0).chain(inner.into_iter().rev()).collect()
}

/// Corners at random distances about a centre.
fn star(corners: usize, random: &mut impl Rng) -> Vec<Point> {
    (0..corners)
        .map(|k| {
            let angle = k as f64 / corners as f64 * std::f64::consts::TAU;
            let radius = random.random_range(1e8..1e9);
            [(radius * angle.cos()) as i64, (radius * angle.sin()) as i64]
        })
        .collect()
}

#[test]
fn combs_spirals_and_stars() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for size in [1, 2, 3, 8, 40] {
        let mut polygons = vec![
            comb(size),
            spiral(size),
            star(3 + 9 * size as usize, &mut random),
        ];
        for polygon in &mut polygons {
            assert!(is_simple(polygon));
            assert_all_methods_cut(polygon, &mut random);
            polygon.reverse();
            polygon.rotate_left(3);
            assert_all_methods_cut(polygon, &mut random);
        }
    }
}

#[test]
fn collinear_corners_make_no_flat_triangles() {
    // A square with nine more corners on each side.
    let mut square = Vec::new();
    for k in 0..10 {
        square.push([k, 0]);
    }
    for k in 0..10 {
        square.push([10, k]);
    }
    for k in 0..10 {
        square.push([10 - k, 10]);
    }
    for k in 0..10 {
        square.push([0, 10 - k]);
    }
    let (triangles, cut) = cut_of(&flat(&square));
    assert_eq!(cut, Cut::Exact);
    assert!(
        triangles
            .iter()
            .all(|t| area(&t.map(|i| square[i as usize])) > 0)
    );
    assert_all_methods_cut(&square, &mut ChaCha8Rng::seed_from_u64(4));
}

/// A square with square holes in a row, each joined to the one before by a bridge that is walked both ways.
fn bridged(holes: i64) -> Vec<Point> {
    let width = 4 * holes + 4;
    let mut out = vec![[0, 0]];
    let mut back = Vec::new();
    for k in 0..holes {
        let x = 4 * k + 2;
        // Clockwise: in at the lower left corner, over the top half on the way out, along the bottom on the way back.
        out.extend([[x, 2], [x, 4], [x + 2, 4]]);
        back.extend([[x, 2], [x + 2, 2], [x + 2, 4]]);
    }
    out.extend(back.iter().rev().skip(1));
    out.extend([[0, 0], [width, 0], [width, 6], [0, 6]]);
    out
}

#[test]
fn holes_joined_by_bridges() {
    for holes in [1, 2, 5, 20, 100, 300] {
        let polygon = bridged(holes);
        assert_eq!(
            area(&polygon),
            2 * (6 * (4 * holes + 4) - 4 * holes) as i128
        );
        let (triangles, cut) = cut_of(&flat(&polygon));
        assert_eq!(cut, Cut::Exact, "{holes} holes");
        assert_covers(&polygon, &triangles);
    }
}

#[test]
fn repeated_corners_and_spikes() {
    let cases: [&[Point]; 5] = [
        &[[0, 0], [0, 0], [4, 0], [4, 4], [0, 4]],
        &[[0, 0], [4, 0], [4, 4], [4, 4], [4, 4], [0, 4], [0, 0]],
        // A spike out of the square, and one into it.
        &[[0, 0], [4, 0], [9, 0], [4, 0], [4, 4], [0, 4]],
        &[[0, 0], [4, 0], [4, 4], [2, 2], [4, 4], [0, 4]],
        // Two squares that share a corner.
        &[
            [0, 0],
            [2, 0],
            [2, 2],
            [4, 2],
            [4, 4],
            [2, 4],
            [2, 2],
            [0, 2],
        ],
    ];
    for polygon in cases {
        let (triangles, cut) = cut_of(&flat(polygon));
        assert_eq!(cut, Cut::Exact, "{polygon:?}");
        assert_covers(polygon, &triangles);
    }
}

#[test]
fn polygons_out_of_plane_keep_their_outline() {
    // An arrowhead, bent: cut right only across the notch.
    let points = [
        (0.0, 0.0, 0.1),
        (2.0, 1.0, -0.1),
        (0.0, 2.0, 0.2),
        (1.0, 1.0, 0.3),
    ]
    .map(|(x, y, z)| Vec3::new(x, y, z));
    let (triangles, cut) = cut_of(&points);
    assert_eq!(cut, Cut::Exact);
    assert!(triangles.iter().all(|t| t.contains(&1) && t.contains(&3)));
}

#[test]
fn polygons_far_out_of_plane_are_seen_from_elsewhere() {
    // Along z, where it looks largest, it crosses itself; along y it is a rectangle.
    let points = [
        (0.0, 0.0, 0.0),
        (3.0, 3.0, 0.0),
        (3.0, 0.0, 0.5),
        (0.0, 1.0, 0.5),
    ]
    .map(|(x, y, z)| Vec3::new(x, y, z));
    assert_eq!(views(&points).next().map(|v| v.axis), Some(Axis::Z));
    assert_eq!(cut_of(&points).1, Cut::Exact);
}

#[test]
fn what_cannot_be_cut_is_a_fan() {
    let cases: [&[Point]; 4] = [
        // A bow tie; all on a line; one point; a pentagram.
        &[[0, 0], [2, 2], [2, 0], [0, 2]],
        &[[0, 0], [3, 3], [1, 1], [2, 2], [5, 5]],
        &[[1, 1], [1, 1], [1, 1], [1, 1]],
        &[[0, 30], [18, -25], [-29, 9], [29, 9], [-18, -25]],
    ];
    for polygon in cases {
        let (triangles, cut) = cut_of(&flat(polygon));
        assert_eq!(cut, Cut::Fan, "{polygon:?}");
        let expected: Vec<[u32; 3]> = fan(polygon.len()).collect();
        assert_eq!(triangles, expected);
    }
    assert_eq!(cut_of(&[Vec3::ZERO, Vec3::X]).0.len(), 0);
    assert_eq!(cut_of(&[Vec3::ZERO; 3]).0, [[0, 1, 2]]);
}

#[test]
fn thin_polygons_are_seen_from_the_right_side() {
    // The area is far below the rounding of the coordinates' products.
    let (a, b) = (1.0 + f64::EPSILON, 1.0);
    let points = [(0.0, 0.0), (a, a), (2.0, 2.0), (b, a)].map(|(x, y)| Vec3::new(x, y, 7.0));
    let (triangles, cut) = cut_of(&points);
    assert_eq!(cut, Cut::Exact);
    for [i, j, k] in triangles {
        let turn = |p: u32, q: u32, r: u32| {
            normal_component(
                Axis::Z,
                points[p as usize],
                points[q as usize],
                points[r as usize],
            )
        };
        assert_eq!(turn(i, j, k), Sign::Positive);
    }
}

/// Nothing here may take long; the test fails by not ending.
#[test]
fn large_polygons_end() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut grid = |side: i64, n: usize| -> Vec<Point> {
        (0..n)
            .map(|_| [random.random_range(0..side), random.random_range(0..side)])
            .collect()
    };
    let tangled = [grid(1 << 30, 30_000), grid(50, 30_000)];
    let line: Vec<Point> = (0..30_000).map(|k| [k * 7919 % 30_011, 0]).collect();
    for polygon in tangled.iter().chain([&line]) {
        let (triangles, cut) = cut_of(&flat(polygon));
        assert_eq!((triangles.len(), cut), (polygon.len() - 2, Cut::Fan));
    }
    let simple = [comb(10_000), spiral(5_000), star(40_000, &mut random)];
    for polygon in &simple {
        let (triangles, cut) = cut_of(&flat(polygon));
        assert_eq!(cut, Cut::Exact);
        assert_covers(polygon, &triangles);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Whatever the polygon: the right number of triangles, edges that add up, and a claim that holds.
    #[test]
    fn any_polygon_gets_its_triangles(polygon in prop::collection::vec([0i64..6, 0i64..6], 3..90)) {
        let points = flat(&polygon);
        let (triangles, cut) = cut_of(&points);
        prop_assert_eq!(triangles.len(), polygon.len() - 2);
        let signed = |t: &[u32; 3]| area(&t.map(|i| polygon[i as usize]));
        prop_assert_eq!(triangles.iter().map(signed).sum::<i128>(), area(&polygon));
        if cut == Cut::Exact {
            let absolute: i128 = triangles.iter().map(|t| signed(t).abs()).sum();
            prop_assert_eq!(absolute, area(&polygon).abs());
        }
    }
}
