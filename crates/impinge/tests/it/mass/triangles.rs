//! Pairs of triangles, and the segments and points that they are made of.

use super::{Random, Verdict, anywhere, nudged, on_lattice, pairs, run, scale};
use crate::oracle::triangles_meet;
use impinge::Vec3;
use impinge::exact::{point_in_triangle, segment_meets_triangle, triangles_intersect};
use rand::RngExt;
use rand::seq::SliceRandom;

type Triangle = [Vec3; 3];
type Pair = [Triangle; 2];

#[test]
fn mass_triangle_pairs() {
    run(
        "triangle pairs",
        pairs(60_000, 2_000_000),
        &[
            ("anywhere", &|r| check(r, random_pair)),
            ("small grid", &|r| check(r, |r| lattice_pair(r, 2))),
            ("wider grid", &|r| check(r, |r| lattice_pair(r, 6))),
            ("one plane", &|r| check(r, coplanar_pair)),
            ("common corners", &|r| check(r, sharing_pair)),
            ("corner near face", &|r| check(r, grazing_pair)),
            ("edge near edge", &|r| check(r, crossing_pair)),
            ("grid, last place", &|r| check(r, nudged_pair)),
            ("no area", &|r| check(r, degenerate_pair)),
            ("needles", &|r| check(r, needle_pair)),
            ("far from the origin", &|r| check(r, distant_pair)),
            ("scales 1e-9 to 1e9", &|r| check(r, |r| scaled_pair(r, 9))),
            ("scales 1e-290 to 1e290", &|r| {
                check(r, |r| scaled_pair(r, 290))
            }),
            ("mixed exponents", &|r| check(r, wild_pair)),
        ],
    );
}

/// Makes a pair, shuffles it, and compares every answer that the library gives about it.
fn check(random: &mut Random, make: impl Fn(&mut Random) -> Pair) -> Verdict {
    let [mut a, mut b] = make(random);
    a.shuffle(random);
    b.shuffle(random);
    let meets = triangles_meet(&a, &b);
    let reversed = [b[2], b[1], b[0]];
    let mut wrong = Vec::new();
    let mut expect = |what: &str, answer: bool, expected: bool| {
        if answer != expected {
            wrong.push(format!("{what} is {answer} on {a:?} {b:?}"));
        }
    };
    expect("a, b", triangles_intersect(&a, &b), meets);
    expect("b, a", triangles_intersect(&reversed, &a), meets);
    match random.random_range(0..8) {
        0 => {
            let expected = triangles_meet(&[a[0], a[1], a[1]], &b);
            expect(
                "a segment",
                segment_meets_triangle(&[a[0], a[1]], &b),
                expected,
            );
        }
        1 => {
            let expected = triangles_meet(&[a[0]; 3], &b);
            expect("a point", point_in_triangle(a[0], &b), expected);
        }
        _ => {}
    }
    Verdict {
        meets,
        wrong: (!wrong.is_empty()).then(|| wrong.join("; ")),
    }
}

fn random_pair(random: &mut Random) -> Pair {
    [(); 2].map(|()| [(); 3].map(|()| anywhere(random)))
}

fn lattice_pair(random: &mut Random, size: i32) -> Pair {
    [(); 2].map(|()| [(); 3].map(|()| on_lattice(random, size)))
}

/// Both in one plane of the lattice.
fn coplanar_pair(random: &mut Random) -> Pair {
    let [origin, u, v] = [(); 3].map(|()| on_lattice(random, 5));
    let mut steps = || f64::from(random.random_range(-4..=4));
    [(); 2].map(|()| [(); 3].map(|()| origin + u * steps() + v * steps()))
}

/// One, two or three corners of the first are corners of the second.
fn sharing_pair(random: &mut Random) -> Pair {
    let [a, mut b] = random_pair(random);
    let shared = random.random_range(1..=3);
    b[..shared].copy_from_slice(&a[..shared]);
    if shared < 3 && random.random_bool(0.3) {
        b[2] = between(random, &a);
    }
    [a, b]
}

/// A corner of the second is a rounded point of the first.
fn grazing_pair(random: &mut Random) -> Pair {
    let [a, mut b] = random_pair(random);
    let contact = between(random, &a);
    b[0] = nudged(random, contact);
    [a, b]
}

/// An edge of each goes through a common point, up to rounding.
fn crossing_pair(random: &mut Random) -> Pair {
    let [a, mut b] = random_pair(random);
    let contact = a[0].lerp(a[1], random.random_range(0.0..1.0));
    let reach = random.random_range(0.1..2.0);
    b[1] = contact + (contact - b[0]) * reach;
    b[1] = nudged(random, b[1]);
    [a, b]
}

/// Lattice coordinates that are not exact in binary, one corner moved by units in the last place.
fn nudged_pair(random: &mut Random) -> Pair {
    let mut pair = lattice_pair(random, 3).map(|t| t.map(|p| p * 0.1));
    pair[0][0] = nudged(random, pair[0][0]);
    pair
}

/// One of them, or both, is a segment or a point.
fn degenerate_pair(random: &mut Random) -> Pair {
    let mut pair = if random.random_bool(0.5) {
        lattice_pair(random, 2)
    } else {
        sharing_pair(random)
    };
    let count = random.random_range(1..=2);
    for t in &mut pair[..count] {
        match random.random_range(0..3) {
            0 => t[2] = t[1],
            1 => *t = [t[0]; 3],
            _ => t[2] = t[0].midpoint(t[1]),
        }
    }
    pair
}

/// Long and thin, along nearly the same line.
fn needle_pair(random: &mut Random) -> Pair {
    let direction = anywhere(random) * 100.0;
    let width = scale(random, -16..=-2);
    [(); 2].map(|()| {
        [(); 3].map(|()| direction * random.random_range(-1.0..1.0) + anywhere(random) * width)
    })
}

/// A lattice moved away so far that its step is the last place of the coordinates, or close to it.
fn distant_pair(random: &mut Random) -> Pair {
    let step = 2_f64.powi(random.random_range(-40..=0));
    let offset = on_lattice(random, 1000) * 2_f64.powi(random.random_range(0..=12));
    lattice_pair(random, 3).map(|t| t.map(|p| p * step + offset))
}

/// Any of the others, multiplied by a power of ten.
fn scaled_pair(random: &mut Random, exponent: i32) -> Pair {
    let factor = scale(random, -exponent..=exponent);
    let pair = match random.random_range(0..5) {
        0 => random_pair(random),
        1 => lattice_pair(random, 3),
        2 => coplanar_pair(random),
        3 => grazing_pair(random),
        _ => crossing_pair(random),
    };
    pair.map(|t| t.map(|p| p * factor))
}

/// Coordinates of very different size side by side, zeros and subnormal numbers among them.
fn wild_pair(random: &mut Random) -> Pair {
    let exponents = [-1074, -1030, -520, -60, 0, 40, 500, 1020];
    let window = random.random_range(0..exponents.len() - 2);
    let mut coordinate = || {
        let exponent = exponents[window + random.random_range(0..3)];
        f64::from(random.random_range(-3..=3))
            * 2_f64.powi(exponent / 2)
            * 2_f64.powi(exponent - exponent / 2)
    };
    [(); 2].map(|()| [(); 3].map(|()| Vec3::new(coordinate(), coordinate(), coordinate())))
}

/// A rounded point of a triangle: inside, on an edge, or a corner.
fn between(random: &mut Random, t: &Triangle) -> Vec3 {
    let s = random.random_range(0.0..1.0);
    match random.random_range(0..3) {
        0 => t[0].lerp(t[1], s),
        1 => t[1].lerp(t[2], 0.5),
        _ => t[0].lerp(t[1].lerp(t[2], random.random_range(0.0..1.0)), s),
    }
}
