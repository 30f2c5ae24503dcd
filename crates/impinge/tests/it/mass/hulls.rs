//! Pairs of convex hulls of 4 to 60 points, and of fewer: every decision, and the distance of one pair in ten.

use super::claim::{Claim, size};
use super::{Random, Verdict, anywhere, nudged, on_lattice, pairs, run, scale};
use crate::oracle::{self, hulls_meet};
use impinge::Vec3;
use impinge::exact::{hull_distance, hulls_intersect};
use rand::RngExt;
use rand::seq::SliceRandom;

/// Two point sets, and whether their hulls meet when that is known by construction.
pub(super) struct Pair {
    pub(super) a: Vec<Vec3>,
    pub(super) b: Vec<Vec3>,
    pub(super) known: Option<bool>,
}

impl Pair {
    fn unknown(a: Vec<Vec3>, b: Vec<Vec3>) -> Pair {
        Pair { a, b, known: None }
    }

    /// All points moved by a function.
    fn map(mut self, mut f: impl FnMut(Vec3) -> Vec3) -> Pair {
        self.a.iter_mut().for_each(|p| *p = f(*p));
        self.b.iter_mut().for_each(|p| *p = f(*p));
        self
    }
}

#[test]
fn mass_hull_pairs() {
    run(
        "hull pairs",
        pairs(6_000, 200_000),
        &[
            ("apart to overlapping", &|r| check(r, shifted_clouds)),
            ("nested", &|r| check(r, nested_clouds)),
            ("lattice", &|r| check(r, lattice_clouds)),
            ("identical", &|r| check(r, identical_clouds)),
            ("vertex on vertex", &|r| check(r, |r| touching(r, [1, 1]))),
            ("vertex on edge", &|r| check(r, |r| touching(r, [1, 2]))),
            ("vertex on face", &|r| check(r, |r| touching(r, [1, 6]))),
            ("edge across edge", &|r| check(r, |r| touching(r, [2, 2]))),
            ("face on face", &|r| check(r, |r| touching(r, [5, 5]))),
            ("faces in one plane", &|r| check(r, sliding_faces)),
            ("one step apart", &|r| check(r, one_step_apart)),
            ("one step inside", &|r| check(r, one_step_inside)),
            ("touching, last place", &|r| check(r, nudged_contact)),
            ("boxes side by side", &|r| check(r, boxes_side_by_side)),
            ("flat, line, point", &|r| check(r, flat_sets)),
            ("far from the origin", &|r| check(r, distant_clouds)),
            ("scales 1e-9 to 1e9", &|r| check(r, |r| scaled(r, 9))),
            ("scales 1e-290 to 1e290", &|r| check(r, |r| scaled(r, 290))),
        ],
    );
}

/// Makes a pair, shuffles it, and compares the answers for both orders with the oracle.
fn check(random: &mut Random, make: impl Fn(&mut Random) -> Pair) -> Verdict {
    let Pair {
        mut a,
        mut b,
        known,
    } = make(random);
    a.shuffle(random);
    b.shuffle(random);
    let meets = hulls_meet(&a, &b);
    assert!(
        known.is_none_or(|known| known == meets),
        "a family is not what it says"
    );
    let answers = [hulls_intersect(&a, &b), hulls_intersect(&b, &a)];
    let complaint = if answers != [meets; 2] {
        Some(format!("{answers:?}"))
    } else if random.random_bool(0.1) {
        distance_complaint(&a, &b)
    } else {
        None
    };
    Verdict {
        meets,
        wrong: complaint.map(|what| format!("{what} on {a:?} {b:?}")),
    }
}

/// What is wrong with the library's distance, if anything.
fn distance_complaint(a: &[Vec3], b: &[Vec3]) -> Option<String> {
    let answer = hull_distance(a, b);
    let claim = Claim {
        distance: answer.distance,
        bounds: answer.bounds,
        witness: answer.witness,
    };
    claim.complaint(&oracle::hull_distance(a, b), size(a.iter().chain(b)))
}

/// 4 to 60 points of one of several forms, about the size of the unit ball.
pub(super) fn cloud(random: &mut Random) -> Vec<Vec3> {
    let count = random.random_range(4..=60);
    let stretch = Vec3::from_array([(); 3].map(|()| random.random_range(0.05..1.0)));
    let form = random.random_range(0..4);
    let mut points = Vec::with_capacity(count);
    while points.len() < count {
        let p = anywhere(random);
        let length = p.length();
        match form {
            0 if (0.01..1.0).contains(&length) => points.push(p / length),
            1 if (0.01..1.0).contains(&length) => points.push(p / length * stretch),
            2 => points.push(p * stretch),
            // A prism: two parallel faces.
            3 if points.len() % 2 == 0 => points.push(p.with_z(-stretch.z)),
            3 => points.push(p.with_z(stretch.z)),
            _ => {}
        }
    }
    points
}

fn lattice_cloud(random: &mut Random, size: i32) -> Vec<Vec3> {
    let count = random.random_range(4..=60);
    (0..count).map(|_| on_lattice(random, size)).collect()
}

fn moved(points: &[Vec3], by: Vec3) -> Vec<Vec3> {
    points.iter().map(|p| *p + by).collect()
}

fn shifted_clouds(random: &mut Random) -> Pair {
    let shift = anywhere(random) * random.random_range(0.0..2.0);
    let (a, b) = (cloud(random), cloud(random));
    Pair::unknown(a, moved(&b, shift))
}

/// The second shrunk into the first, or to its border.
fn nested_clouds(random: &mut Random) -> Pair {
    let (a, b) = (cloud(random), cloud(random));
    let centre = a.iter().sum::<Vec3>() / a.len() as f64;
    let target = centre.lerp(a[0], random.random_range(0.0..1.0));
    let size = random.random_range(0.001..0.3);
    let b = b.iter().map(|p| target + *p * size).collect();
    Pair::unknown(a, b)
}

fn lattice_clouds(random: &mut Random) -> Pair {
    let size = random.random_range(1..=6);
    let shift = on_lattice(random, 2 * size);
    let (a, b) = (lattice_cloud(random, size), lattice_cloud(random, size));
    Pair::unknown(a, moved(&b, shift))
}

fn identical_clouds(random: &mut Random) -> Pair {
    let a = cloud(random);
    Pair {
        b: a.clone(),
        a,
        known: Some(true),
    }
}

/// The first hull below the plane `z = 0`, the second above; `counts` points of each in that plane, and the origin in
/// both faces. Then a lattice map of determinant 1 and a lattice shift.
pub(super) fn touching(random: &mut Random, counts: [usize; 2]) -> Pair {
    let pair = contact_at_origin(random, counts);
    let map = shear(random);
    let shift = on_lattice(random, 1000);
    pair.map(|p| map(p) + shift)
}

fn contact_at_origin(random: &mut Random, counts: [usize; 2]) -> Pair {
    let [a, b] = [(counts[0], -1.0), (counts[1], 1.0)].map(|(count, side)| {
        let mut points = face_around_origin(random, count);
        let others = random.random_range(4..=60 - points.len());
        points.extend((0..others).map(|_| beside_plane(random, side)));
        points
    });
    Pair {
        a,
        b,
        known: Some(true),
    }
}

/// Points of the lattice in the plane `z = 0` whose hull holds the origin: the origin itself, or an edge through it, or a
/// polygon about it.
fn face_around_origin(random: &mut Random, count: usize) -> Vec<Vec3> {
    if count == 1 {
        return vec![Vec3::ZERO];
    }
    let mut points: Vec<Vec3> = (0..count - 1).map(|_| in_plane(random)).collect();
    // A negative combination of the others brings the origin into the hull.
    let balance = points.iter().sum::<Vec3>();
    points.push(-balance);
    points
}

fn in_plane(random: &mut Random) -> Vec3 {
    on_lattice(random, 9) * Vec3::new(1.0, 1.0, 0.0)
}

fn beside_plane(random: &mut Random, side: f64) -> Vec3 {
    let p = on_lattice(random, 9);
    Vec3::new(p.x, p.y, side * (1.0 + p.z.abs()))
}

/// A random integer map of determinant 1: a few shears after each other.
fn shear(random: &mut Random) -> impl Fn(Vec3) -> Vec3 + use<> {
    let shears: Vec<(usize, usize, f64)> = (0..4)
        .map(|_| {
            let to = random.random_range(0..3);
            let from = (to + random.random_range(1..=2)) % 3;
            (to, from, f64::from(random.random_range(-2..=2)))
        })
        .collect();
    move |mut p| {
        for (to, from, factor) in &shears {
            p[*to] += p[*from] * factor;
        }
        p
    }
}

/// Both hulls have a face in a common plane; the faces may miss each other.
pub(super) fn sliding_faces(random: &mut Random) -> Pair {
    let slide = in_plane(random) * f64::from(random.random_range(0..=2));
    let [a, b] = [-1.0, 1.0].map(|side| {
        let count = random.random_range(1..=6);
        let mut points: Vec<Vec3> = (0..count).map(|_| in_plane(random)).collect();
        points.extend((0..random.random_range(3..=50)).map(|_| beside_plane(random, side)));
        points
    });
    let map = shear(random);
    Pair::unknown(a, moved(&b, slide)).map(map)
}

/// As touching, but the second lifted by one step, which far from the origin is the last place.
pub(super) fn one_step_apart(random: &mut Random) -> Pair {
    let counts = [random.random_range(1..=6), random.random_range(1..=6)];
    let mut pair = contact_at_origin(random, counts);
    pair.b = moved(&pair.b, Vec3::Z);
    pair.known = Some(false);
    into_the_distance(random, pair)
}

/// As touching, but the second lowered by one step.
pub(super) fn one_step_inside(random: &mut Random) -> Pair {
    let counts = [random.random_range(1..=6), random.random_range(1..=6)];
    let mut pair = contact_at_origin(random, counts);
    pair.b = moved(&pair.b, -Vec3::Z);
    // The face of the second may stick out sideways below a face of the first that is a point or an edge.
    pair.known = None;
    into_the_distance(random, pair)
}

/// An exact lattice map, shift and power of two that leaves one lattice step at, or close to, the last place.
fn into_the_distance(random: &mut Random, pair: Pair) -> Pair {
    let map = shear(random);
    let offset = on_lattice(random, 100) * 2_f64.powi(random.random_range(0..=44));
    let step = 2_f64.powi(random.random_range(-60..=20));
    pair.map(|p| (map(p) + offset) * step)
}

/// Touching before rounding: turned, scaled and moved in floating point, one point moved by units in the last place.
pub(super) fn nudged_contact(random: &mut Random) -> Pair {
    let counts = [random.random_range(1..=6), random.random_range(1..=6)];
    let mut pair = contact_at_origin(random, counts);
    pair.known = None;
    let map = shear(random);
    let (factor, offset) = (random.random_range(0.1..1.0), anywhere(random) * 3.0);
    let mut pair = pair.map(|p| map(p) * factor + offset);
    let first = pair.b[0];
    pair.b[0] = nudged(random, first);
    pair
}

/// Boxes with faces in common planes, sides of any length.
fn boxes_side_by_side(random: &mut Random) -> Pair {
    let planes = Vec3::from_array([(); 3].map(|()| random.random_range(-1.0..1.0)));
    let low = planes - Vec3::from_array([(); 3].map(|()| random.random_range(0.1..1.0)));
    let high = planes + Vec3::from_array([(); 3].map(|()| random.random_range(0.1..1.0)));
    let across = random.random_range(0..3);
    let (mut a_high, mut b_low) = (high, low);
    a_high[across] = planes[across];
    b_low[across] = match random.random_range(0..3) {
        0 => planes[across].next_up(),
        1 => planes[across].next_down(),
        _ => planes[across],
    };
    Pair {
        a: corners(low, a_high),
        b: corners(b_low, high),
        known: Some(b_low[across] <= a_high[across]),
    }
}

fn corners(low: Vec3, high: Vec3) -> Vec<Vec3> {
    let pick = |i: usize, k: usize| if i >> k & 1 == 0 { low[k] } else { high[k] };
    (0..8)
        .map(|i| Vec3::new(pick(i, 0), pick(i, 1), pick(i, 2)))
        .collect()
}

/// Sets without volume, on the lattice, against each other and against sets with volume.
fn flat_sets(random: &mut Random) -> Pair {
    let a = flat_set(random);
    let b = if random.random_bool(0.5) {
        flat_set(random)
    } else {
        lattice_cloud(random, 3)
    };
    Pair::unknown(a, b)
}

fn flat_set(random: &mut Random) -> Vec<Vec3> {
    let [origin, u, v] = [(); 3].map(|()| on_lattice(random, 3));
    let dimension = random.random_range(0..=2);
    let count = random.random_range(1..=12);
    let mut steps = |used: bool| {
        if used {
            f64::from(random.random_range(-2..=2))
        } else {
            0.0
        }
    };
    (0..count)
        .map(|_| origin + u * steps(dimension > 0) + v * steps(dimension > 1))
        .collect()
}

/// Clouds that lose most of their digits to their distance from the origin.
fn distant_clouds(random: &mut Random) -> Pair {
    let offset = anywhere(random) * scale(random, 3..=14);
    shifted_clouds(random).map(|p| p + offset)
}

/// Any of the others, multiplied by a power of ten.
fn scaled(random: &mut Random, exponent: i32) -> Pair {
    let factor = scale(random, -exponent..=exponent);
    let pair = match random.random_range(0..4) {
        0 => shifted_clouds(random),
        1 => lattice_clouds(random),
        2 => nudged_contact(random),
        _ => sliding_faces(random),
    };
    pair.map(|p| p * factor)
}
