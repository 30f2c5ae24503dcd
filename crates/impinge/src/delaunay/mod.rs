//! Delaunay tetrahedra of points in space.
//!
//! The tetrahedra fill the convex hull of the points, and no point is inside the sphere around a tetrahedron. The method is that of Bowyer
//! (1981) and Watson (1981): points come one by one; the tetrahedra whose spheres hold the new point make room for those
//! between their outer facets and the point. The space outside is cut into *ghosts*, one behind each facet of the hull, so
//! that a point outside is no special case.
//!
//! | file | what |
//! |---|---|
//! | `cells` | tetrahedra and ghosts with their neighbours, while points come |
//! | `insert` | one point more |
//! | `order` | the order in which points come |
//!
//! **Ties.** All signs are exact ([`exact::orientation`](crate::exact::orientation),
//! [`exact::in_sphere`](crate::exact::in_sphere)). A cell makes room when the new point is strictly inside its sphere; a ghost,
//! when the point is strictly outside its facet, or in the plane of the facet and strictly inside its circle. That is
//! consistent without any perturbation. For let the point be in the plane of a facet between two cells: spheres of both meet the
//! plane in the circle of the facet, so the point is strictly inside both or neither, and the facet is not on the border of
//! the room that is made; every new tetrahedron has a volume. In the same way a point on the line of an edge of the
//! hull is strictly between its ends for both ghosts there or for neither. So grids, points on one sphere and points in one plane
//! need no special care. Where more than four points are on an empty sphere, the order of the points decides how what they
//! span is cut.
//!
//! **Cost.** Rounds of growing size, each along a space-filling curve (Amenta, Choi and Rote 2003), and walks from the last place: about
//! `n log n` for points as they come in practice, `n^2` at worst, as that many tetrahedra there can be.
//! **What it does not do.** Constrained facets; removal of points.

mod cells;
mod insert;
mod order;

use crate::error::{Error, FlatExtent};
use crate::exact::{Sign, in_sphere, orientation};
use crate::math::{Vec3, require_finite};
use crate::shape::merge_equal;
use cells::{Cells, FACETS, NONE};

/// Tetrahedra between points such that no point is inside the sphere around any of them.
///
/// ```
/// # use impinge::{Vec3, delaunay::Delaunay};
/// let cube: Vec<Vec3> = (0..8)
///     .map(|k| Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)))
///     .collect();
/// let cells = Delaunay::new(&cube)?;
/// assert!((5..=6).contains(&cells.tetrahedra().len()));
/// assert_eq!(cells.hull().count(), 12);
/// assert!(cells.locate(Vec3::splat(0.3)).is_some());
/// assert!(cells.locate(Vec3::splat(1.5)).is_none());
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Delaunay {
    points: Vec<Vec3>,
    /// For each point the first one at the same place, which stands for it.
    firsts: Vec<u32>,
    tetrahedra: Vec<[u32; 4]>,
    /// Opposite each corner, or [`NONE`] outside the hull.
    neighbors: Vec<[u32; 4]>,
}

impl Delaunay {
    /// The tetrahedra of points that span a volume. Points may repeat; those behind the first at a place are corners of
    /// nothing.
    pub fn new(points: &[Vec3]) -> Result<Delaunay, Error> {
        for (i, p) in points.iter().enumerate() {
            require_finite(*p, || format!("point {i}"))?;
        }
        // Cells are counted in 32 bits, and there are some seven to a point where points are scattered.
        if points.len() > (u32::MAX / 32) as usize {
            return Err(Error::TooMany {
                what: "points",
                count: points.len(),
            });
        }
        let firsts = merge_equal(points);
        let distinct = (0..).zip(&firsts).filter(|(i, first)| i == *first);
        let distinct: Vec<u32> = distinct.map(|(i, _)| i).collect();
        let mut order = order::rounds(points, &distinct);
        bring_simplex_forward(points, &mut order)?;
        let mut cells = Cells::new(points, [order[0], order[1], order[2], order[3]]);
        for point in &order[4..] {
            cells.insert(points, *point);
        }
        let (tetrahedra, neighbors) = cells.finish();
        Ok(Delaunay {
            points: points.to_vec(),
            firsts,
            tetrahedra,
            neighbors,
        })
    }

    /// The points, as they were given.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// The corners of all tetrahedra, as numbers of points: the last is on the side of the first three from which they turn
    /// counterclockwise, [`orientation`] being positive.
    pub fn tetrahedra(&self) -> &[[u32; 4]] {
        &self.tetrahedra
    }

    /// The corners of one tetrahedron.
    pub fn corners(&self, tetrahedron: u32) -> [Vec3; 4] {
        self.tetrahedra[tetrahedron as usize].map(|i| self.points[i as usize])
    }

    /// The neighbours of a tetrahedron, each opposite the corner of the same place; `None` where there is the hull.
    pub fn neighbors(&self, tetrahedron: u32) -> [Option<u32>; 4] {
        self.neighbors[tetrahedron as usize].map(|other| (other != NONE).then_some(other))
    }

    /// The first point at the place of a point: the one that is a corner.
    pub fn first_at(&self, point: u32) -> u32 {
        self.firsts[point as usize]
    }

    /// The facets of the hull; they turn counterclockwise as seen from outside.
    pub fn hull(&self) -> impl Iterator<Item = [u32; 3]> {
        let sides = self.tetrahedra.iter().zip(&self.neighbors);
        sides.flat_map(|(corners, neighbors)| {
            (0..4).filter_map(|k| {
                let [p, q, r] = FACETS[k].map(|place| corners[place]);
                (neighbors[k] == NONE).then_some([p, r, q])
            })
        })
    }

    /// A tetrahedron that holds a point, its border included; `None` outside the hull.
    pub fn locate(&self, point: Vec3) -> Option<u32> {
        self.locate_from(0, point)
    }

    /// [`Delaunay::locate`], walking there from a tetrahedron that may be near.
    pub fn locate_from(&self, near: u32, point: Vec3) -> Option<u32> {
        let at = self.walk(near, point);
        if self.holds(at, point) {
            return Some(at);
        }
        // Walks end by themselves unless ties were cut such that they may go round in circles.
        let is_outside = self.step(at, point) == Some(NONE);
        let all = || (0..self.tetrahedra.len() as u32).find(|t| self.holds(*t, point));
        if is_outside { None } else { all() }
    }

    /// A tetrahedron that holds a point, or the last one on the way out of the hull, from one that may be near.
    pub(crate) fn walk(&self, near: u32, point: Vec3) -> u32 {
        let mut at = near;
        for _ in 0..self.tetrahedra.len() {
            match self.step(at, point) {
                None | Some(NONE) => return at,
                Some(next) => at = next,
            }
        }
        at
    }

    /// The neighbour behind a facet that the point is strictly beyond.
    fn step(&self, at: u32, point: Vec3) -> Option<u32> {
        let corners = self.corners(at);
        let is_beyond = |k: &usize| {
            let [p, q, r] = FACETS[*k].map(|place| corners[place]);
            orientation(p, q, r, point) == Sign::Negative
        };
        let beyond = (0..4).find(is_beyond);
        beyond.map(|k| self.neighbors[at as usize][k])
    }

    fn holds(&self, tetrahedron: u32, point: Vec3) -> bool {
        self.step(tetrahedron, point).is_none()
    }

    /// The centre of the sphere around a tetrahedron, as well as doubles tell: a vertex of the Voronoi diagram of the points.
    /// `None` where it is beyond them.
    pub fn circumcenter(&self, tetrahedron: u32) -> Option<Vec3> {
        let [p, q, r, s] = self.corners(tetrahedron);
        let (u, v, w) = (q - p, r - p, s - p);
        let scale = u.abs().max(v.abs()).max(w.abs()).max_element();
        let (u, v, w) = (u / scale, v / scale, w / scale);
        let volume = u.cross(v).dot(w);
        let sum = v.cross(w) * u.length_squared()
            + w.cross(u) * v.length_squared()
            + u.cross(v) * w.length_squared();
        let center = p + sum / (2.0 * volume) * scale;
        center.is_finite().then_some(center)
    }

    /// Checks orientations, neighbours, that spheres are empty of the corners next to them (by Delaunay's lemma, 1934, then of all), and that
    /// every point is a corner or stands behind one.
    ///
    /// # Panics
    ///
    /// If any of that does not hold.
    pub fn validate(&self) {
        let mut is_corner = vec![false; self.points.len()];
        for (t, corners) in (0..).zip(&self.tetrahedra) {
            let [p, q, r, s] = self.corners(t);
            assert_eq!(orientation(p, q, r, s), Sign::Positive, "{t} has a volume");
            for (k, neighbor) in self.neighbors(t).into_iter().enumerate() {
                is_corner[corners[k] as usize] = true;
                let Some(neighbor) = neighbor else { continue };
                let back = &self.neighbors[neighbor as usize];
                let place = back.iter().position(|other| *other == t);
                let place = place.expect("neighbours know each other");
                let apex = self.tetrahedra[neighbor as usize][place];
                let shared = corners.iter().enumerate().filter(|(place, _)| *place != k);
                for (_, corner) in shared {
                    let others = &self.tetrahedra[neighbor as usize];
                    assert!(others.contains(corner), "neighbours share a facet");
                }
                let inside = in_sphere(p, q, r, s, self.points[apex as usize]);
                assert_ne!(inside, Sign::Positive, "the sphere around {t} is empty");
            }
        }
        for (i, first) in (0..).zip(&self.firsts) {
            assert_eq!(
                is_corner[i],
                i as u32 == *first,
                "{i} is a corner if it is first"
            );
        }
    }
}

/// Moves four points that span a volume to the front.
fn bring_simplex_forward(points: &[Vec3], order: &mut [u32]) -> Result<(), Error> {
    let count = points.len();
    let flat = |extent| Error::Flat {
        extent,
        points: count,
    };
    if order.is_empty() {
        return Err(Error::Empty { what: "point set" });
    }
    let at = |i: u32| points[i as usize];
    if order.len() < 2 {
        return Err(flat(FlatExtent::Point));
    }
    let (p, q) = (at(order[0]), at(order[1]));
    let third = (2..order.len()).find(|i| !crate::exact::are_collinear(p, q, at(order[*i])));
    order.swap(2, third.ok_or_else(|| flat(FlatExtent::Line))?);
    let r = at(order[2]);
    let fourth = (3..order.len()).find(|i| orientation(p, q, r, at(order[*i])) != Sign::Zero);
    order.swap(3, fourth.ok_or_else(|| flat(FlatExtent::Plane))?);
    Ok(())
}
