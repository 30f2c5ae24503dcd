//! Bodies bounded along more directions than three: discrete oriented polytopes.
//!
//! A k-DOP is bounded by pairs of parallel planes across `k / 2` fixed directions (Klosowski and others 1998). Along each of
//! them it is an interval, and that is all that kinetic sweep and prune asks for (Coming and Staadt 2006, 5.3): more lists to keep, and fewer
//! pairs whose boxes overlap but whose contents are far from each other.

use super::bound::KineticBound;
use super::track::Track;
use crate::error::Error;
use crate::math::{Vec3, require_finite};
use std::marker::PhantomData;

/// A set of directions.
pub trait Directions: Clone + std::fmt::Debug {
    /// The directions, at least one, of any length but zero.
    const ALL: &'static [Vec3];
}

/// The three axes and the four diagonals of a cube: k = 14.
#[derive(Debug, Clone, Copy)]
pub struct Dop14;

/// The three axes and the six diagonals of the sides of a cube: k = 18.
#[derive(Debug, Clone, Copy)]
pub struct Dop18;

/// The three axes and all diagonals: k = 26.
#[derive(Debug, Clone, Copy)]
pub struct Dop26;

const fn d(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z)
}

/// The diagonals of the sides of a cube, its axes, and its own diagonals: each set is a run of them.
const ALL: [Vec3; 13] = [
    d(1.0, 1.0, 0.0),
    d(1.0, -1.0, 0.0),
    d(1.0, 0.0, 1.0),
    d(1.0, 0.0, -1.0),
    d(0.0, 1.0, 1.0),
    d(0.0, 1.0, -1.0),
    Vec3::X,
    Vec3::Y,
    Vec3::Z,
    d(1.0, 1.0, 1.0),
    d(1.0, 1.0, -1.0),
    d(1.0, -1.0, 1.0),
    d(1.0, -1.0, -1.0),
];

impl Directions for Dop14 {
    const ALL: &'static [Vec3] = ALL.split_at(6).1;
}

impl Directions for Dop18 {
    const ALL: &'static [Vec3] = ALL.split_at(9).0;
}

impl Directions for Dop26 {
    const ALL: &'static [Vec3] = &ALL;
}

/// A polytope with fixed directions whose faces move by polynomials of time of at most second degree, until some time.
///
/// See [`KineticSweep::of_bounds`](super::KineticSweep::of_bounds) for an example.
#[derive(Debug, Clone, PartialEq)]
pub struct KineticDop<D> {
    tracks: Vec<[Track; 2]>,
    until: f64,
    directions: PhantomData<D>,
}

impl<D: Directions> KineticDop<D> {
    /// Around points that are here at time `at` and move steadily from then on.
    ///
    /// # Errors
    ///
    /// For numbers that are not finite, and for no points.
    pub fn moving(
        points: impl IntoIterator<Item = Vec3> + Clone,
        at: f64,
        velocity: Vec3,
    ) -> Result<KineticDop<D>, Error> {
        KineticDop::thrown(points, at, velocity, Vec3::ZERO)
    }

    /// Around points that are here at time `at` with this velocity, and are accelerated steadily from then on.
    ///
    /// Places and velocities along a direction are rounded outward, so that the points stay inside at all later times.
    ///
    /// # Errors
    ///
    /// For numbers that are not finite, and for no points.
    pub fn thrown(
        points: impl IntoIterator<Item = Vec3> + Clone,
        at: f64,
        velocity: Vec3,
        acceleration: Vec3,
    ) -> Result<KineticDop<D>, Error> {
        for point in points.clone() {
            require_finite(point, || "point of a moving body".to_owned())?;
        }
        require_finite(velocity, || "velocity of a moving body".to_owned())?;
        require_finite(acceleration, || "acceleration of a moving body".to_owned())?;
        require_finite(Vec3::splat(at), || "time of a moving body".to_owned())?;
        let tracks = D::ALL.iter().map(|direction| {
            let heights = points.clone().into_iter().map(|p| along(*direction, p));
            let span = heights.reduce(|[a, b], [c, d]| [a.min(c), b.max(d)])?;
            let speeds = along(*direction, velocity);
            let bends = along(*direction, acceleration * 0.5);
            let track = |end: usize| Track {
                origin: at,
                value: span[end],
                velocity: speeds[end],
                half_acceleration: bends[end],
            };
            Some([track(0), track(1)])
        });
        let tracks: Option<Vec<[Track; 2]>> = tracks.collect();
        Ok(KineticDop {
            tracks: tracks.ok_or(Error::Empty {
                what: "moving body",
            })?,
            until: f64::INFINITY,
            directions: PhantomData,
        })
    }

    /// The same motion, known to hold only until some time.
    ///
    /// # Errors
    ///
    /// For a time that is NaN.
    pub fn until(self, end: f64) -> Result<KineticDop<D>, Error> {
        if end.is_nan() {
            return Err(Error::NonFinite {
                what: "end of a motion".to_owned(),
            });
        }
        Ok(KineticDop { until: end, ..self })
    }
}

impl<D: Directions> KineticBound for KineticDop<D> {
    const AXES: usize = D::ALL.len();

    fn tracks(&self, axis: usize) -> [Track; 2] {
        self.tracks[axis]
    }

    fn valid_until(&self) -> f64 {
        self.until
    }
}

/// Bounds of a product: three products and two sums are off by at most three roundings of the sum of sizes. A product
/// with an axis is a coordinate.
fn along(direction: Vec3, v: Vec3) -> [f64; 2] {
    let product = direction.dot(v);
    let size = direction.abs().dot(v.abs());
    if size == 0.0 || [Vec3::X, Vec3::Y, Vec3::Z].contains(&direction) {
        return [product; 2];
    }
    let error = 2.0 * f64::EPSILON * size + f64::MIN_POSITIVE;
    [product - error, product + error]
}
