//! The point of a simplex that is nearest to the origin.
//!
//! GJK keeps up to four points of the difference of two convex sets and asks, over and over, which part of their hull is
//! nearest to the origin. Johnson's original recursion loses its way on flat and needle-like simplices. As in the signed
//! volumes of Montanari, Petrinic and Barbieri (2017) the question is answered here from the top down by the signs of
//! volumes, then areas, then lengths: the nearest point of a tetrahedron that does not hold the origin is on a face the
//! origin is beyond, that of a triangle whose prism does not hold it on an edge it is beyond. Where a volume or an area
//! vanishes or its sign is noise, several parts qualify; all of them are tried and the nearest is taken, so that noise
//! costs time and not the answer.
//!
//! Besides the point, the *direction* from the origin to the part matters: GJK asks it for the next support points, and
//! near contact the point itself is all rounding error. For a triangle the direction is its normal, for an edge a vector
//! exactly across it, both accurate however near the origin is.

use crate::contact::Witness;
use crate::math::Vec3;

/// A point of the difference `b - a` of two sets, and where it comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corner<Id> {
    /// The point of the first set.
    pub(crate) a: Vec3,
    /// The point of the second set.
    pub(crate) b: Vec3,
    /// What the sets call these points.
    pub(crate) id: Id,
}

impl<Id> Corner<Id> {
    /// `b - a`, rounded.
    #[inline(always)]
    pub(crate) fn y(&self) -> Vec3 {
        self.b - self.a
    }
}

/// One to four corners, with weights once [`Simplex::reduce`] was called.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Simplex<Id> {
    corners: [Corner<Id>; 4],
    weights: [f64; 4],
    len: usize,
}

/// The part of a simplex that is nearest to the origin.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Nearest {
    /// A vertex, an edge or a triangle.
    Part {
        /// From the origin towards the part, across it, of no particular length. Zero when the part touches the origin
        /// as far as rounding can tell.
        direction: Vec3,
        /// The nearest point, rounded.
        point: Vec3,
    },
    /// The origin is inside the tetrahedron, as far as rounding can tell.
    Inside,
}

impl<Id: Copy> Simplex<Id> {
    pub(crate) fn new(corner: Corner<Id>) -> Simplex<Id> {
        Simplex {
            corners: [corner; 4],
            weights: [1.0, 0.0, 0.0, 0.0],
            len: 1,
        }
    }

    /// Adds a corner; there must be fewer than four.
    pub(crate) fn push(&mut self, corner: Corner<Id>) {
        self.corners[self.len] = corner;
        self.len += 1;
    }

    /// The first three corners, repeated when there are fewer.
    pub(crate) fn first_three(&self) -> [Corner<Id>; 3] {
        let last = self.len - 1;
        [0, 1, 2].map(|k| self.corners[last.min(k)])
    }

    /// The corners.
    pub(crate) fn corners(&self) -> &[Corner<Id>] {
        &self.corners[..self.len]
    }

    /// The weights that make up the nearest point, not negative and with a sum of 1 up to rounding.
    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights[..self.len]
    }

    /// The nearest point as a point of each set.
    pub(crate) fn witness(&self) -> Witness {
        let weighted = self.corners().iter().zip(self.weights());
        let (a, b) = weighted.fold((Vec3::ZERO, Vec3::ZERO), |(a, b), (corner, weight)| {
            (a + corner.a * *weight, b + corner.b * *weight)
        });
        Witness { a, b }
    }

    /// Keeps only the corners of the part that is nearest to the origin, and sets their weights.
    pub(crate) fn reduce(&mut self) -> Nearest {
        let y = self.corners.map(|corner| corner.y());
        let foot = match self.len {
            1 => Foot::vertex(&y, 0),
            2 => Foot::edge(&y, 0, 1),
            3 => Foot::triangle(&y, [0, 1, 2]),
            _ => match Foot::tetrahedron(&y) {
                Ok(foot) => foot,
                Err(weights) => {
                    self.weights = weights;
                    return Nearest::Inside;
                }
            },
        };
        // A part that is the whole has its corners in their order.
        if foot.len < self.len {
            let kept = foot.parts.map(|part| self.corners[part as usize]);
            self.corners[..3].copy_from_slice(&kept);
            self.len = foot.len;
        }
        self.weights[..3].copy_from_slice(&foot.weights);
        Nearest::Part {
            direction: foot.direction,
            point: foot.point,
        }
    }
}

/// A part of a simplex and its nearest point to the origin.
#[derive(Debug, Clone, Copy)]
struct Foot {
    /// The corners of the part, the first `len` of them.
    parts: [u8; 3],
    len: usize,
    weights: [f64; 3],
    direction: Vec3,
    point: Vec3,
    /// The square of the distance.
    squared: f64,
}

impl Foot {
    fn vertex(y: &[Vec3; 4], i: u8) -> Foot {
        let point = y[i as usize];
        Foot {
            parts: [i; 3],
            len: 1,
            weights: [1.0, 0.0, 0.0],
            direction: point,
            point,
            squared: point.length_squared(),
        }
    }

    fn edge(y: &[Vec3; 4], i: u8, j: u8) -> Foot {
        let (p, q) = (y[i as usize], y[j as usize]);
        let edge = q - p;
        let (from_p, from_q) = (-p.dot(edge), q.dot(edge));
        if from_p <= 0.0 {
            return Foot::vertex(y, i);
        }
        if from_q <= 0.0 {
            return Foot::vertex(y, j);
        }
        let total = from_p + from_q;
        let (weight_p, weight_q) = (from_q / total, from_p / total);
        // The nearer end is the better base: less of it cancels.
        let point = if from_p < from_q {
            p + edge * weight_q
        } else {
            q - edge * weight_p
        };
        let base = if from_p < from_q { p } else { q };
        Foot {
            parts: [i, j, j],
            len: 2,
            weights: [weight_p, weight_q, 0.0],
            direction: edge.cross(base.cross(edge)),
            point,
            squared: point.length_squared(),
        }
    }

    fn triangle(y: &[Vec3; 4], parts: [u8; 3]) -> Foot {
        let [i, j, k] = parts;
        let [p, q, r] = parts.map(|part| y[part as usize]);
        let normal = normal(p, q, r);
        let squared_normal = normal.length_squared();
        // Twice the areas of the triangles that the foot makes with the opposite edges, times the length of the normal.
        let areas = [
            normal.dot(q.cross(r)),
            normal.dot(r.cross(p)),
            normal.dot(p.cross(q)),
        ];
        if areas.iter().all(|area| *area > 0.0) && squared_normal > 0.0 {
            let total = areas[0] + areas[1] + areas[2];
            let height = normal.dot(p);
            let point = normal * (height / squared_normal);
            return Foot {
                parts,
                len: 3,
                weights: areas.map(|area| area / total),
                direction: if height < 0.0 { -normal } else { normal },
                point,
                squared: point.length_squared(),
            };
        }
        // A flat triangle has no area on any side: all edges are tried.
        let feet = [(areas[0], j, k), (areas[1], k, i), (areas[2], i, j)]
            .into_iter()
            .filter(|(area, _, _)| *area <= 0.0 || area.is_nan())
            .map(|(_, m, n)| Foot::edge(y, m, n));
        nearest(feet).unwrap_or_else(|| Foot::vertex(y, i))
    }

    /// The nearest of the faces that the origin is beyond, or the weights of the origin inside.
    fn tetrahedron(y: &[Vec3; 4]) -> Result<Foot, [f64; 4]> {
        const FACES: [[u8; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
        // Six times the volume of the origin with each face; all of one sign when the origin is inside.
        let volumes = FACES.map(|[i, j, k]| {
            let [p, q, r] = [i, j, k].map(|part| y[part as usize]);
            p.dot(q.cross(r))
        });
        let total = volumes.iter().sum::<f64>();
        let is_beyond = |volume: f64| volume * total <= 0.0 || (volume * total).is_nan();
        if !volumes.iter().any(|volume| is_beyond(*volume)) {
            return Err(volumes.map(|volume| volume / total));
        }
        let feet = FACES
            .into_iter()
            .zip(volumes)
            .filter(|(_, volume)| is_beyond(*volume))
            .map(|(face, _)| Foot::triangle(y, face));
        Ok(nearest(feet).unwrap_or_else(|| Foot::vertex(y, 3)))
    }
}

fn nearest(feet: impl Iterator<Item = Foot>) -> Option<Foot> {
    feet.reduce(|best, foot| {
        if foot.squared < best.squared {
            foot
        } else {
            best
        }
    })
}

/// The normal of a triangle, from its two shorter edges: the product of these has the smallest error.
pub(crate) fn normal(p: Vec3, q: Vec3, r: Vec3) -> Vec3 {
    let (pq, qr, rp) = (q - p, r - q, p - r);
    let (a, b, c) = (
        pq.length_squared(),
        qr.length_squared(),
        rp.length_squared(),
    );
    if a >= b && a >= c {
        qr.cross(rp)
    } else if b >= c {
        rp.cross(pq)
    } else {
        pq.cross(qr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn simplex(points: &[Vec3]) -> Simplex<usize> {
        let corner = |k: usize| Corner {
            a: Vec3::ZERO,
            b: points[k],
            id: k,
        };
        let mut simplex = Simplex::new(corner(0));
        for k in 1..points.len() {
            simplex.push(corner(k));
        }
        simplex
    }

    /// A point `v` of a convex set is nearest to the origin exactly when no point `y` of it has `v . y < v . v`.
    fn check(points: &[Vec3]) {
        let size = points.iter().fold(0.0_f64, |s, p| s.max(p.length()));
        let mut simplex = simplex(points);
        let nearest = simplex.reduce();
        let sum: f64 = simplex.weights().iter().sum();
        assert!((sum - 1.0).abs() < 1e-14 && simplex.weights().iter().all(|w| *w >= 0.0));
        let weighted = simplex.witness().b;
        match nearest {
            Nearest::Inside => assert!(weighted.length() < 1e-9 * size, "{points:?}"),
            Nearest::Part { direction, point } => {
                assert!(weighted.distance(point) < 1e-9 * size, "{points:?}");
                let length = point.length();
                if length > 1e-6 * size {
                    assert!(direction.normalize().dot(point) > 0.999_999 * length);
                    for y in points {
                        let ahead = (point.dot(*y) - length * length) / length;
                        assert!(ahead > -1e-9 * size, "{points:?}: {ahead}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_nearest_point_has_nothing_in_front_of_it() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for round in 0..40_000 {
            let count = 1 + round % 4;
            // Flat and needle-like simplices, and grids, on which much is degenerate.
            let squeeze = Vec3::new(
                1.0,
                10f64.powi(-(round % 5) * 2),
                10f64.powi(-(round % 3) * 3),
            );
            let offset = Vec3::new(
                rng.random_range(-1.0..1.0),
                0.0,
                rng.random_range(-0.5..0.5),
            );
            let points: Vec<Vec3> = (0..count)
                .map(|_| {
                    let mut coordinate = || {
                        if round % 2 == 0 {
                            rng.random_range(-1.0..1.0)
                        } else {
                            f64::from(rng.random_range(-2..=2))
                        }
                    };
                    let p = Vec3::new(coordinate(), coordinate(), coordinate());
                    if round % 2 == 0 {
                        p * squeeze + offset
                    } else {
                        p
                    }
                })
                .collect();
            check(&points);
        }
    }

    #[test]
    fn directions_stay_accurate_near_the_origin() {
        // The origin is 1e-13 from a unit triangle and 1e-12 from an edge of it.
        let height = 1e-13;
        let points = [
            Vec3::new(-0.3, -0.4, height),
            Vec3::new(0.7, -0.2, height),
            Vec3::new(0.1, 0.8, height),
        ];
        let Nearest::Part { direction, .. } = simplex(&points).reduce() else {
            panic!("a triangle has no inside");
        };
        assert!(direction.normalize().distance(Vec3::Z) < 1e-15);
        let edge = [Vec3::new(-0.5, 1e-12, 0.0), Vec3::new(0.5, 1e-12, 0.0)];
        let Nearest::Part { direction, .. } = simplex(&edge).reduce() else {
            panic!("an edge has no inside");
        };
        assert!(direction.normalize().distance(Vec3::Y) < 1e-15);
    }
}
