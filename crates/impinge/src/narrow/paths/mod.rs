//! First contact of mesh features whose vertices move each on its own straight path.
//!
//! Between two states of a deforming mesh every vertex `i` is taken to be at `(1 - t) start[i] + t end[i]` for `t` in
//! `[0, 1]`. Two meshes that are apart at first touch when a vertex of one meets a face of the other, or an edge an edge
//! (Provot 1997). [`vertex_face_impact`] and [`edge_edge_impact`] decide these two *exactly*: there is an impact exactly
//! when the closed sets have a common point at some time, in real arithmetic about the given numbers. No feature needs to
//! be in general position: faces and edges without extent, features that stay in one plane, touch at the start or graze
//! each other are answered like all others.
//!
//! **Reduction.** Both are the question when a moving polygon first holds the origin. The corners of the polygon are
//! the differences of the points: for a vertex `p` and a face `abc` the triangle `a - p, b - p, c - p`, for edges `ab` and
//! `cd` the parallelogram `c - a, d - a, d - b, c - b`. With `X_i(t)` for the corners,
//!
//! - `D(t) = det(X_0, X_1, X_2)` is zero when the plane of the polygon holds the origin: a cubic;
//! - `E_i(t) = X_i x X_(i+1)` says on which side of the side `i` the origin is, seen along an axis: quadratics.
//!
//! **Method.** What floating point can prove is proven there, with derived bounds of the error (`polygon`): a direction
//! along which all corners are on one side, both at the start and at the end of an interval of time, excludes the interval;
//! so does a `D` that has no root there; at a simple root of `D` in a bracket too short to matter, the signs of `E_i`
//! decide. Intervals that are open are halved (`search`). What is open after that goes to `exact::passing`, which decides
//! with big integers and algebraic numbers, and is counted.
//!
//! **Cost.** Some hundred nanoseconds where floating point decides, tens of microseconds in big integers. Does not find contacts of whole meshes; it is the test at the leaves.

mod polygon;
mod search;

use crate::error::Error;
use crate::exact;
use crate::math::{Interval, Vec3, require_finite};
use polygon::Polygon;
use search::Found;

/// When two features whose vertices move on straight paths first touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathImpact {
    /// The time, in `[0, 1]`: the lower end of `bounds`. The features are apart at all earlier times.
    pub time: f64,
    /// The first contact is in here.
    pub bounds: Interval,
}

/// The first contact of a moving vertex with a moving triangle, to within `tolerance`, a time; `None` exactly when they
/// never touch.
///
/// The first point is the vertex, the others are the corners of the face, at the start and at the end. The time is never
/// later than the true one, and earlier by at most the tolerance, or by the distance of neighbouring floats.
///
/// ```
/// use impinge::{Vec3, query};
///
/// let face = [Vec3::ZERO, Vec3::X, Vec3::Y];
/// let from_above = [Vec3::new(0.25, 0.25, 1.0), face[0], face[1], face[2]];
/// let to_below = [Vec3::new(0.25, 0.25, -3.0), face[0], face[1], face[2]];
/// let impact = query::vertex_face_impact(&from_above, &to_below, 1e-9)?.expect("it falls through");
/// assert!(impact.bounds.contains(0.25) && impact.time > 0.25 - 1e-9);
///
/// let beside = to_below.map(|p| p + Vec3::X);
/// assert_eq!(query::vertex_face_impact(&beside, &to_below, 1e-9)?, None);
/// # Ok::<(), impinge::Error>(())
/// ```
///
/// # Errors
///
/// For a coordinate that is not finite and for a tolerance that is not positive and finite.
pub fn vertex_face_impact(
    start: &[Vec3; 4],
    end: &[Vec3; 4],
    tolerance: f64,
) -> Result<Option<PathImpact>, Error> {
    /// Each corner of the triangle, as from which point to which it leads.
    const CORNERS: [[usize; 2]; 3] = [[0, 1], [0, 2], [0, 3]];
    first_impact(CORNERS, start, end, tolerance)
}

/// The first contact of two moving edges, to within `tolerance`, a time; `None` exactly when they never touch.
///
/// The first two points are the ends of one edge, the others those of the other, at the start and at the end. The time is
/// never later than the true one, and earlier by at most the tolerance, or by the distance of neighbouring floats.
///
/// ```
/// use impinge::{Vec3, query};
///
/// let still = [Vec3::NEG_X, Vec3::X];
/// let falling = |z: f64| [still[0], still[1], Vec3::new(0.0, -1.0, z), Vec3::new(0.0, 1.0, z)];
/// let impact = query::edge_edge_impact(&falling(1.0), &falling(-1.0), 1e-9)?.expect("they cross");
/// assert!(impact.bounds.contains(0.5));
/// assert_eq!(query::edge_edge_impact(&falling(1.0), &falling(f64::MIN_POSITIVE), 1e-9)?, None);
/// # Ok::<(), impinge::Error>(())
/// ```
///
/// # Errors
///
/// For a coordinate that is not finite and for a tolerance that is not positive and finite.
pub fn edge_edge_impact(
    start: &[Vec3; 4],
    end: &[Vec3; 4],
    tolerance: f64,
) -> Result<Option<PathImpact>, Error> {
    /// Each corner of the parallelogram, as from which point to which it leads.
    const CORNERS: [[usize; 2]; 4] = [[0, 2], [0, 3], [1, 3], [1, 2]];
    first_impact(CORNERS, start, end, tolerance)
}

#[inline]
fn first_impact<const N: usize>(
    corners: [[usize; 2]; N],
    start: &[Vec3; 4],
    end: &[Vec3; 4],
    tolerance: f64,
) -> Result<Option<PathImpact>, Error> {
    require_valid(start, end, tolerance)?;
    let found = match Polygon::new(corners, start, end) {
        None => Found::Nothing,
        Some(polygon) => search::first_passage(&polygon, tolerance),
    };
    let bounds = match found {
        Found::Nothing => None,
        Found::Within(bounds) => Some(bounds),
        Found::Open => {
            let lift = |points: &[Vec3; 4]| corners.map(|[a, b]| [points[a], points[b]]);
            return Ok(decide_exactly(&lift(start), &lift(end), tolerance));
        }
    };
    exact::count_filter();
    Ok(bounds.map(PathImpact::from))
}

impl From<Interval> for PathImpact {
    fn from(bounds: Interval) -> PathImpact {
        PathImpact {
            time: bounds.lower,
            bounds,
        }
    }
}

#[cold]
fn decide_exactly(start: &[[Vec3; 2]], end: &[[Vec3; 2]], tolerance: f64) -> Option<PathImpact> {
    // Half the tolerance at most, and as many bits as a float has at least.
    let bits = (2.0 - tolerance.log2()).max(f64::from(f64::MANTISSA_DIGITS)) as usize;
    exact::first_passage(start, end, bits).map(PathImpact::from)
}

#[inline]
fn require_valid(start: &[Vec3; 4], end: &[Vec3; 4], tolerance: f64) -> Result<(), Error> {
    for (when, points) in [("start", start), ("end", end)] {
        for (i, point) in points.iter().enumerate() {
            require_finite(*point, || format!("point {i} at the {when}"))?;
        }
    }
    if tolerance > 0.0 && tolerance.is_finite() {
        return Ok(());
    }
    Err(Error::OutOfRange {
        what: "tolerance".to_owned(),
        value: tolerance,
        expected: "positive and finite",
    })
}
