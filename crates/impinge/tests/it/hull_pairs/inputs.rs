//! Pairs of point sets, most of them degenerate on purpose.

use impinge::{Mat3, Pose, Vec3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Two point sets and, where the construction says it, whether their hulls intersect.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) a: Vec<Vec3>,
    pub(super) b: Vec<Vec3>,
    pub(super) intersects: Option<bool>,
}

/// How a pair is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// 4 to 60 points in a ball each, at distances from nested to apart.
    Random,
    /// Few points on a grid of integers, then scaled and shifted: ties everywhere.
    Grid,
    /// At most five points on the grid each: small enough to try all subsets.
    Small,
    /// A hull and its reflection in one of its own extreme vertices.
    SharedVertex,
    /// An edge of each crosses the other's.
    CrossingEdges,
    /// A face of each in one plane, on opposite sides of it, anywhere in the plane.
    CoplanarFaces,
    /// As before, one step of the last place apart or into each other.
    OneStepOff,
    /// One hull inside the other, strictly or touching from inside.
    Nested,
    /// The same points twice, in another order.
    Identical,
    /// Long and thin ones, turned at random.
    Needles,
    /// Flat ones in coordinate planes and in turned planes.
    Flat,
    /// Any exponent at all.
    Wild,
}

impl Kind {
    pub(super) const ALL: [Kind; 12] = [
        Kind::Random,
        Kind::Grid,
        Kind::Small,
        Kind::SharedVertex,
        Kind::CrossingEdges,
        Kind::CoplanarFaces,
        Kind::OneStepOff,
        Kind::Nested,
        Kind::Identical,
        Kind::Needles,
        Kind::Flat,
        Kind::Wild,
    ];
}

/// The case of a kind and a number: always the same one.
pub(super) fn make(kind: Kind, seed: u64) -> Case {
    let mut rng = ChaCha8Rng::seed_from_u64(seed * 64 + kind as u64);
    let rng = &mut rng;
    let (a, b, intersects) = match kind {
        Kind::Random => random(rng),
        Kind::Grid => grid(rng, 9),
        Kind::Small => grid(rng, 5),
        Kind::SharedVertex => shared_vertex(rng),
        Kind::CrossingEdges => crossing_edges(rng),
        Kind::CoplanarFaces => coplanar_faces(rng),
        Kind::OneStepOff => one_step_off(rng),
        Kind::Nested => nested(rng),
        Kind::Identical => identical(rng),
        Kind::Needles => needles(rng),
        Kind::Flat => flat(rng),
        Kind::Wild => wild(rng),
    };
    Case { a, b, intersects }
}

type Made = (Vec<Vec3>, Vec<Vec3>, Option<bool>);
type Rng = ChaCha8Rng;

/// Two radii whose sum is at, just beside, or far from a distance.
pub(super) fn radii_near(distance: f64) -> [[f64; 2]; 6] {
    [
        [distance, 0.0],
        [distance / 2.0, distance / 2.0],
        [distance, f64::from_bits(1)],
        [distance.next_down(), distance * 1e-20],
        [distance * 0.25, distance.next_up() * 0.75],
        [0.0, distance * 2.0],
    ]
    .map(|radii| radii.map(|r| r.min(f64::MAX)))
}

fn in_cube(rng: &mut Rng) -> Vec3 {
    Vec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0)))
}

fn in_ball(rng: &mut Rng) -> Vec3 {
    loop {
        let p = in_cube(rng);
        if p.length_squared() <= 1.0 {
            return p;
        }
    }
}

fn on_grid(rng: &mut Rng) -> Vec3 {
    Vec3::from_array(std::array::from_fn(|_| rng.random_range(-2..=2_i32).into()))
}

fn many(rng: &mut Rng, most: usize, point: fn(&mut Rng) -> Vec3) -> Vec<Vec3> {
    let count = rng.random_range(1..=most);
    (0..count).map(|_| point(rng)).collect()
}

fn random(rng: &mut Rng) -> Made {
    let shift = in_ball(rng) * rng.random_range(0.0..3.0);
    let count = [rng.random_range(4..=60), rng.random_range(4..=60)];
    let a = (0..count[0]).map(|_| in_ball(rng)).collect();
    let b = (0..count[1]).map(|_| in_ball(rng) + shift).collect();
    (a, b, None)
}

fn grid(rng: &mut Rng, most: usize) -> Made {
    const SCALES: [f64; 8] = [1.0, 1.0, 0.1, 1e-9, 1e9, 1e-150, 1e150, 3e-310];
    let scale = SCALES[rng.random_range(0..SCALES.len())];
    let shift = [0.0, 0.0, 0.1, 1e3][rng.random_range(0..4)];
    let apart = on_grid(rng);
    let a = many(rng, most, on_grid);
    let b = many(rng, most, on_grid);
    let place = |p: Vec3| (p + shift) * scale;
    let b = b.into_iter().map(|p| place(p + apart)).collect();
    (a.into_iter().map(place).collect(), b, None)
}

/// A matrix of small integers that is not singular: it maps the grid to the grid without rounding.
fn integer_map(rng: &mut Rng) -> Mat3 {
    loop {
        let map = Mat3::from_cols(on_grid(rng), on_grid(rng), on_grid(rng));
        if map.determinant().abs() > 0.5 {
            return map;
        }
    }
}

fn shared_vertex(rng: &mut Rng) -> Made {
    // Multiples of 2^-20: reflecting them is exact.
    let snap = |p: Vec3| (p * 2_f64.powi(20)).round() / 2_f64.powi(20);
    let a: Vec<Vec3> = many(rng, 40, in_ball).into_iter().map(snap).collect();
    let direction = in_ball(rng);
    let extreme = *a
        .iter()
        .max_by(|p, q| direction.dot(**p).total_cmp(&direction.dot(**q)))
        .expect("points");
    let b = a.iter().map(|p| extreme * 2.0 - *p).collect();
    (a, b, Some(true))
}

fn crossing_edges(rng: &mut Rng) -> Made {
    let map = integer_map(rng);
    let mut a = vec![-Vec3::X * rng.random_range(1..4) as f64, Vec3::X];
    let mut b = vec![-Vec3::Y, Vec3::Y * rng.random_range(1..4) as f64];
    a.extend(many(rng, 6, on_grid).into_iter().map(|p| p - Vec3::Z * 3.0));
    b.extend(many(rng, 6, on_grid).into_iter().map(|p| p + Vec3::Z * 3.0));
    let shift = on_grid(rng);
    let place = |points: Vec<Vec3>| points.into_iter().map(|p| map * p + shift).collect();
    (place(a), place(b), Some(true))
}

/// Two hulls above and below the plane z = 0 with grid points in it.
fn stacked(rng: &mut Rng) -> [Vec<Vec3>; 2] {
    let slide = on_grid(rng).with_z(0.0) * rng.random_range(0..=2) as f64;
    let mut half = |side: f64, slide: Vec3| -> Vec<Vec3> {
        let mut points: Vec<Vec3> = (0..4).map(|_| on_grid(rng).with_z(0.0) + slide).collect();
        let rest = many(rng, 5, on_grid).into_iter();
        points.extend(rest.map(|p| p.with_z(side * (p.z.abs() + 1.0)) + slide));
        points
    };
    [half(-1.0, Vec3::ZERO), half(1.0, slide)]
}

fn coplanar_faces(rng: &mut Rng) -> Made {
    let map = integer_map(rng);
    let [a, b] = stacked(rng);
    let place = |points: Vec<Vec3>| points.into_iter().map(|p| map * p).collect();
    (place(a), place(b), None)
}

fn one_step_off(rng: &mut Rng) -> Made {
    let [a, mut b] = stacked(rng);
    let level = [0.0, 1.0, 1000.0][rng.random_range(0..3)];
    let apart = rng.random_bool(0.5);
    for p in &mut b {
        p.z += level;
        p.z = if apart {
            p.z.next_up()
        } else {
            p.z.next_down()
        };
    }
    let a = a.into_iter().map(|p| p + Vec3::Z * level).collect();
    (a, b, apart.then_some(false))
}

fn nested(rng: &mut Rng) -> Made {
    let a: Vec<Vec3> = (0..rng.random_range(4..30)).map(|_| on_grid(rng)).collect();
    // Towards a vertex by halves: exact, inside, touching there from inside.
    let fixed = a[rng.random_range(0..a.len())];
    let b = a.iter().map(|p| fixed + (*p - fixed) * 0.5).collect();
    (a, b, Some(true))
}

fn identical(rng: &mut Rng) -> Made {
    let point = [in_ball, on_grid][rng.random_range(0..2)];
    let a = many(rng, 30, point);
    let b = a.iter().rev().chain(&a).copied().collect();
    (a, b, Some(true))
}

fn turn(rng: &mut Rng) -> Pose {
    let axis = in_ball(rng) + Vec3::splat(1e-3);
    Pose::from_axis_angle(axis, rng.random_range(0.0..3.0), Vec3::ZERO).expect("an axis")
}

fn needles(rng: &mut Rng) -> Made {
    let mut needle = |shift: Vec3| -> Vec<Vec3> {
        let thin = [1e-6, 1e-3, 1e-12][rng.random_range(0..3)];
        let pose = turn(rng);
        many(rng, 20, in_cube)
            .into_iter()
            .map(|p| pose.place(p * Vec3::new(1.0, thin, thin)) + shift)
            .collect()
    };
    let a = needle(Vec3::ZERO);
    (a, needle(Vec3::splat(1e-7)), None)
}

fn flat(rng: &mut Rng) -> Made {
    let poses = [Pose::IDENTITY, turn(rng)];
    let mut sheet = || -> Vec<Vec3> {
        let pose = poses[rng.random_range(0..2)];
        let axis = rng.random_range(0..3);
        let level = f64::from(rng.random_range(-1..=1_i32));
        let point = [in_cube, on_grid][rng.random_range(0..2)];
        let mut points = many(rng, 12, point);
        for p in &mut points {
            p[axis] = level;
            *p = pose.place(*p);
        }
        points
    };
    (sheet(), sheet(), None)
}

fn wild(rng: &mut Rng) -> Made {
    fn any(rng: &mut Rng) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|_| {
            loop {
                let x = f64::from_bits(rng.random());
                if x.is_finite() {
                    return x;
                }
            }
        }))
    }
    (many(rng, 6, any), many(rng, 6, any), None)
}
