//! A closed surface of triangles around the origin, grown point by point.
//!
//! The surface is a list of oriented triangles without neighbours. [`Surface::grow`] takes away the triangles that a new
//! point is above and joins the point to the edges that this leaves open. Every edge is then walked as often in one
//! direction as in the other, whatever rounding did to the choice of triangles: the surface stays closed.
//!
//! **What it proves.** Let every triangle have the origin behind it, at a height of at least `r > 0`. Each triangle then
//! covers a positive part of the view from the origin; the surface being closed they cover it a whole number of times,
//! at least once, so the surface winds around the origin. It does so around the whole ball of radius `r`, which it does
//! not meet, and every point that a surface winds around is in the hull of its corners. So the hull holds the ball.

use crate::math::Vec3;
use crate::narrow::primitive::{Name, height_below};
use crate::narrow::simplex::Corner;

/// A point of the difference of two cores, by its two points.
pub(super) type Point = Corner<[Name; 2]>;

/// A closed surface of triangles.
#[derive(Debug)]
pub(super) struct Surface {
    points: Vec<Point>,
    faces: Vec<Face>,
    /// Edges that are open, while a point is added.
    open: Vec<[u32; 2]>,
}

/// A triangle, counter-clockwise seen from outside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    pub(super) corners: [u32; 3],
    /// The outward unit normal, rounded; zero for a triangle without area.
    pub(super) normal: Vec3,
    /// The height of its plane above the origin, rounded.
    pub(super) offset: f64,
    /// The height of its plane above the origin; never above the true one if that is positive.
    pub(super) height: f64,
}

impl Surface {
    /// The surface of a tetrahedron; `None` when it is flat as far as rounding can tell.
    pub(super) fn new([p, q, r, s]: [Point; 4]) -> Option<Surface> {
        let (e, f, g) = (q.y() - p.y(), r.y() - p.y(), s.y() - p.y());
        let volume = e.cross(f).dot(g);
        let size = e.length() * f.length() * g.length();
        if volume.abs() <= FLAT * size {
            return None;
        }
        let points = if volume < 0.0 {
            vec![p, q, r, s]
        } else {
            vec![p, r, q, s]
        };
        let mut surface = Surface {
            points,
            faces: Vec::new(),
            open: Vec::new(),
        };
        for corners in [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]] {
            surface.push(corners);
        }
        Some(surface)
    }

    /// The triangle whose plane is nearest to the origin, or farthest beyond it; `None` without area.
    pub(super) fn nearest(&self) -> Option<Face> {
        let by_height = |p: &&Face, q: &&Face| p.height.total_cmp(&q.height);
        let nearest = self.faces.iter().min_by(by_height);
        nearest.filter(|face| face.normal != Vec3::ZERO).copied()
    }

    /// Adds a point; `false`, and no change, when it is above no triangle or there already.
    pub(super) fn grow(&mut self, point: Point, margin: f64) -> bool {
        let y = point.y();
        let is_there = |other: &Point| other.y().distance(y) <= margin;
        if self.points.iter().any(is_there) {
            return false;
        }
        self.open.clear();
        let open = &mut self.open;
        self.faces.retain(|face| {
            let is_kept = face.normal.dot(y) - face.offset <= margin;
            if !is_kept {
                open_edges(open, face);
            }
            is_kept
        });
        if self.open.is_empty() {
            return false;
        }
        for _ in 0..MOST_SLIVERS {
            match self.beyond_sliver(y) {
                Some(neighbour) => self.take_away(neighbour),
                None => break,
            }
        }
        let top = self.points.len() as u32;
        self.points.push(point);
        for at in 0..self.open.len() {
            let [i, j] = self.open[at];
            self.push([i, j, top]);
        }
        true
    }

    /// The triangle beyond an open edge that a new point is nearly in line with: without it there is no sliver.
    fn beyond_sliver(&self, y: Vec3) -> Option<usize> {
        self.open.iter().find_map(|[i, j]| {
            let [p, q] = [i, j].map(|k| self.points[*k as usize].y());
            let (edge, side) = (q - p, y - p);
            let is_sliver = edge.cross(side).length() <= SLIVER * edge.length() * side.length();
            let has_edge = |face: &Face| {
                let [a, b, c] = face.corners;
                [[a, b], [b, c], [c, a]].contains(&[*j, *i])
            };
            let beyond = || self.faces.iter().position(has_edge);
            if is_sliver { beyond() } else { None }
        })
    }

    fn take_away(&mut self, face: usize) {
        let face = self.faces.swap_remove(face);
        open_edges(&mut self.open, &face);
    }

    fn push(&mut self, corners: [u32; 3]) {
        let plane = corners.map(|i| self.points[i as usize].y());
        let normal = unit_normal(plane);
        self.faces.push(Face {
            corners,
            normal,
            offset: normal.dot(plane[0]),
            height: height_below(plane),
        });
    }

    /// Of the triangles across a direction, as those of one flat facet are, the one that it meets.
    pub(super) fn pierced(&self, direction: Vec3) -> Option<Face> {
        let room = |face: &Face| self.weights(face).into_iter().fold(1.0, f64::min);
        let across = |face: &&Face| face.normal.dot(direction) > ACROSS;
        let by_room = |p: &&Face, q: &&Face| room(p).total_cmp(&room(q));
        self.faces.iter().filter(across).max_by(by_room).copied()
    }

    /// The weights of the foot of the origin on the plane of a triangle, negative where it is outside.
    fn weights(&self, face: &Face) -> [f64; 3] {
        let [p, q, r] = face.corners.map(|i| self.points[i as usize].y());
        let n = face.normal;
        let areas = [q.cross(r).dot(n), r.cross(p).dot(n), p.cross(q).dot(n)];
        let total: f64 = areas.iter().sum();
        if total > 0.0 {
            areas.map(|area| area / total)
        } else {
            [1.0 / 3.0; 3]
        }
    }

    /// The point of a triangle below which the origin is, as the same mean of points of each core.
    pub(super) fn foot(&self, face: &Face) -> [Vec3; 2] {
        let corners = face.corners.map(|i| self.points[i as usize]);
        let inside = self.weights(face).map(|weight| weight.max(0.0));
        let total: f64 = inside.iter().sum();
        let mean = |side: fn(&Point) -> Vec3| {
            let weighted = corners.iter().zip(inside);
            let sum: Vec3 = weighted.map(|(corner, weight)| side(corner) * weight).sum();
            sum / total
        };
        [mean(|corner| corner.a), mean(|corner| corner.b)]
    }

    /// The names of the corners of a triangle on one side.
    pub(super) fn names(&self, face: &Face, side: usize) -> impl Iterator<Item = Name> {
        let corners = face.corners.map(|i| self.points[i as usize].id[side]);
        corners.into_iter()
    }
}

/// A tetrahedron of less volume than this, against the product of three edges, counts as flat. Only the start needs it.
const FLAT: f64 = 1e-12;

/// The least cosine of a triangle's normal with a direction that it is across.
const ACROSS: f64 = 1.0 - 1e-9;
/// A triangle of this sine at a corner of a new edge is too thin for a good normal.
const SLIVER: f64 = 1e-7;
/// How many triangles a point may take away to avoid slivers.
const MOST_SLIVERS: u32 = 8;

fn open_edges(open: &mut Vec<[u32; 2]>, face: &Face) {
    let [i, j, k] = face.corners;
    for edge in [[i, j], [j, k], [k, i]] {
        toggle(open, edge);
    }
}

/// Adds an edge, or takes it away when it is there in the other direction.
fn toggle(open: &mut Vec<[u32; 2]>, [i, j]: [u32; 2]) {
    match open.iter().position(|edge| *edge == [j, i]) {
        Some(at) => {
            open.swap_remove(at);
        }
        None => open.push([i, j]),
    }
}

/// The unit normal of a triangle, from its two shorter edges; zero without area.
pub(super) fn unit_normal([p, q, r]: [Vec3; 3]) -> Vec3 {
    let (pq, qr, rp) = (q - p, r - q, p - r);
    let [a, b, c] = [pq, qr, rp].map(Vec3::length_squared);
    let normal = if a >= b && a >= c {
        qr.cross(rp)
    } else if b >= c {
        rp.cross(pq)
    } else {
        pq.cross(qr)
    };
    normal.normalize_or_zero()
}
