//! Convex hulls (Lin and Canny 1992, for hierarchies of convex parts): the tightest convex volume.
//!
//! A hull is kept as corners. Up to [`CORNERS`] of them: all there are, or those farthest along as many directions all
//! around; then all others are within a *margin* of the hull of those kept, and the volume is that hull grown by the
//! margin. So a node has bounded size, and nodes of a few triangles are exact hulls.
//!
//! Two hulls are compared by GJK (Gilbert, Johnson and Keerthi 1988): every direction that it tries gives a bound from
//! below, and the search ends as soon as the bound suffices, or as soon as points were found that are close enough.
//!
//! **Error.** A bound is a difference of two products with a unit vector: less than `16 u` times the reach, and the
//! corner with the greatest product is found up to that. **Cost.** A step of a test looks at all corners of both; the
//! most expensive test of all volumes.

use super::sample::extreme_corners;
use crate::bvh::bound::{Bound, is_apart};
use crate::bvh::frame::Relative;
use crate::math::{Aabb, Vec3};
use crate::narrow::simplex::{Corner, Nearest, Simplex};

/// How many corners a hull has at most.
const CORNERS: usize = 32;
/// The most steps of a search. Small hulls take about five.
const STEPS: usize = 16;

/// A convex hull, grown by a margin.
#[derive(Debug, Clone)]
pub struct HullBound {
    corners: Box<[Vec3]>,
    margin: f64,
    size: f64,
}

/// What is asked.
#[derive(Debug, Clone, Copy)]
enum Goal {
    /// Whether the hulls are apart.
    Overlap,
    /// A bound from below of the distance; above this one it suffices.
    Distance(f64),
}

/// When a search may stop.
#[derive(Debug, Clone, Copy)]
struct Stop {
    /// Above this, a bound from below suffices.
    enough: f64,
    /// Points that are no farther apart than this end the search.
    close: f64,
}

/// Two sets of corners, of which the second is in the second frame.
struct Seen<'a> {
    a: &'a [Vec3],
    b: &'a [Vec3],
    relative: &'a Relative,
}

impl Seen<'_> {
    /// The corners whose difference has the least product with a direction.
    #[inline]
    fn support(&self, direction: Vec3) -> Corner<[u32; 2]> {
        let i = highest(self.a, direction);
        let j = highest(self.b, -(self.relative.rotation.transpose() * direction));
        Corner {
            a: self.a[i],
            b: self.relative.place(self.b[j]),
            id: [i as u32, j as u32],
        }
    }

    /// The best bound from below of the distance.
    fn search(&self, stop: Stop) -> f64 {
        let start = self.relative.place(self.b[0]) - self.a[0];
        let mut simplex = Simplex::new(self.support(start));
        let mut best = f64::NEG_INFINITY;
        for _ in 0..STEPS {
            let Nearest::Part { direction, point } = simplex.reduce() else {
                break;
            };
            let Some(unit) = direction.try_normalize() else {
                break;
            };
            let next = self.support(unit);
            best = best.max(unit.dot(next.y()));
            let is_known = simplex.corners().iter().any(|corner| corner.id == next.id);
            if best > stop.enough || point.length() <= stop.close || is_known {
                break;
            }
            // Hardly any better is possible.
            if point.length() <= best * 1.001 {
                break;
            }
            simplex.push(next);
        }
        best
    }
}

/// The corner that is farthest along a direction.
#[inline]
fn highest(corners: &[Vec3], direction: Vec3) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (k, corner) in corners.iter().enumerate() {
        let height = direction.dot(*corner);
        if height > best.1 {
            best = (k, height);
        }
    }
    best.0
}

/// How far a point is from the hull of corners, at most.
fn distance_above(point: Vec3, corners: &[Vec3]) -> f64 {
    let corner = |k: usize| Corner {
        a: point,
        b: corners[k],
        id: k,
    };
    let mut simplex = Simplex::new(corner(0));
    let mut best = (corners[0] - point).length();
    for _ in 0..STEPS {
        let Nearest::Part {
            direction,
            point: foot,
        } = simplex.reduce()
        else {
            return 0.0;
        };
        best = best.min(foot.length());
        let next = highest(corners, -direction);
        if simplex.corners().iter().any(|corner| corner.id == next) {
            break;
        }
        simplex.push(corner(next));
    }
    best
}

impl HullBound {
    /// Not above the distance of two hulls, in the first frame.
    fn gap(&self, other: &HullBound, relative: &Relative, goal: Goal) -> f64 {
        let margins = self.margin + other.margin * relative.scale;
        let reach = margins + relative.error;
        let stop = match goal {
            Goal::Overlap => Stop {
                enough: reach,
                close: margins,
            },
            Goal::Distance(enough) => Stop {
                enough: enough + reach,
                close: 0.0,
            },
        };
        let seen = Seen {
            a: &self.corners,
            b: &other.corners,
            relative,
        };
        seen.search(stop) - reach
    }
}

impl Bound for HullBound {
    type Relation = Relative;

    fn fit(triangles: &[[Vec3; 3]]) -> HullBound {
        let corners = extreme_corners(triangles, CORNERS);
        let is_whole = 3 * triangles.len() <= CORNERS;
        let margin = if is_whole {
            0.0
        } else {
            let off = triangles.iter().flatten();
            let off = off.map(|p| distance_above(*p, &corners));
            off.fold(0.0, f64::max) + 64.0 * f64::EPSILON
        };
        HullBound {
            corners: corners.into_boxed_slice(),
            margin,
            size: 0.5 * <Aabb as Bound>::fit(triangles).size().length(),
        }
    }

    fn relate(relative: &Relative) -> Relative {
        *relative
    }

    fn overlaps(&self, other: &HullBound, relative: &Relative) -> bool {
        !is_apart(self.gap(other, relative, Goal::Overlap))
    }

    fn distance_below(&self, other: &HullBound, relative: &Relative, enough: f64) -> f64 {
        self.gap(other, relative, Goal::Distance(enough))
    }

    fn size(&self) -> f64 {
        self.size
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.corners)
    }
}
