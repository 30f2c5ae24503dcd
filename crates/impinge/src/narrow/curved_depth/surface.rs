//! A closed surface of triangles around the origin, grown point by point.
//!
//! The surface is a list of oriented triangles without neighbours. [`Surface::grow`] takes away triangles that a new
//! point is above and joins the point to the edges that this leaves open. Every edge is then walked as often in one
//! direction as in the other, whatever rounding did to the choice of triangles: the surface stays closed.
//!
//! **What it proves.** Let every triangle have the origin behind it, at a height of at least `r > 0`. Each triangle then
//! covers a positive part of the view from the origin; the surface being closed they cover it a whole number of times,
//! at least once, so the surface winds around the origin. It does so around the whole ball of radius `r`, which it does
//! not meet, and every point that a surface winds around is in the hull of its corners. So the hull holds the ball.
//!
//! The triangles at the nearest point shrink with every step, and slivers among them have no good normal in double
//! precision. Their planes are computed with twice the digits ([`sharp_plane`]).

use super::extreme::down_factor;
use crate::math::Vec3;
use crate::math::double_double::{Wide, WideVec3};
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
    /// Heights below this do not count.
    margin: f64,
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
    pub(super) fn new([p, q, r, s]: [Point; 4], margin: f64) -> Option<Surface> {
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
            margin,
        };
        for corners in [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]] {
            surface.push(corners);
        }
        Some(surface)
    }

    /// The triangle whose plane is nearest to the origin, or farthest beyond it; `None` without area.
    pub(super) fn nearest(&self) -> Option<Face> {
        let faces = self.faces.iter();
        let nearest = faces.reduce(|p, q| if q.height < p.height { q } else { p });
        nearest.filter(|face| face.normal != Vec3::ZERO).copied()
    }

    /// Adds a point, or joins one anew that is there already; `false`, and no change, when it is above no triangle.
    pub(super) fn grow(&mut self, point: Point) -> bool {
        let y = point.y();
        // A closed surface of so many corners has twice as many triangles, less four. Far more mean that rounding has folded
        // it: it would only go on folding.
        if self.faces.len() > 4 * self.points.len() || !self.open_below(y) {
            return false;
        }
        for _ in 0..MOST_SLIVERS {
            match self.beyond_sliver(y) {
                Some(neighbour) => self.take_away(neighbour),
                None => break,
            }
        }
        let near = self.margin * self.margin;
        let is_there = |other: &Point| other.y().distance_squared(y) <= near;
        let place = self.points.iter().position(is_there);
        let top = place.unwrap_or(self.points.len()) as u32;
        if place.is_none() {
            self.points.push(point);
        }
        for at in 0..self.open.len() {
            let [i, j] = self.open[at];
            // A triangle with an edge of no length would have no part in the surface.
            if i != top && j != top {
                self.push([i, j, top]);
            }
        }
        true
    }

    /// Takes away the triangles that a point is above: the one nearest to the origin, and all that hang together with it.
    /// In a convex surface these are all; where rounding has left dents, others wait for their turn.
    fn open_below(&mut self, y: Vec3) -> bool {
        self.open.clear();
        let mut below = Vec::new();
        for i in (0..self.faces.len()).rev() {
            let face = &self.faces[i];
            if face.normal.dot(y) - face.offset > self.margin {
                below.push(self.faces.swap_remove(i));
            }
        }
        let nearer = |p: &Face, q: &Face| p.height.total_cmp(&q.height);
        let nearest = (0..below.len()).min_by(|p, q| nearer(&below[*p], &below[*q]));
        let mut next = nearest;
        while let Some(face) = next {
            self.open_edges(&below.swap_remove(face));
            next = below.iter().position(|face| {
                let beyond = |[i, j]: &[u32; 2]| self.open.contains(&[*j, *i]);
                edges(face).iter().any(beyond)
            });
        }
        self.faces.append(&mut below);
        nearest.is_some()
    }

    /// The triangle beyond an open edge that a new point is nearly in line with: without it there is no sliver.
    fn beyond_sliver(&self, y: Vec3) -> Option<usize> {
        self.open.iter().find_map(|[i, j]| {
            let [p, q] = [i, j].map(|k| self.points[*k as usize].y());
            let (edge, side) = (q - p, y - p);
            let is_sliver = edge.cross(side).length() <= SLIVER * edge.length() * side.length();
            let has_edge = |face: &Face| edges(face).contains(&[*j, *i]);
            let beyond = || self.faces.iter().position(has_edge);
            if is_sliver { beyond() } else { None }
        })
    }

    fn take_away(&mut self, face: usize) {
        let face = self.faces.swap_remove(face);
        self.open_edges(&face);
    }

    fn open_edges(&mut self, face: &Face) {
        for edge in edges(face) {
            toggle(&mut self.open, edge);
        }
    }

    fn push(&mut self, corners: [u32; 3]) {
        let plane = corners.map(|i| self.points[i as usize].y());
        let (normal, height) = plane_of(plane, self.margin);
        self.faces.push(Face {
            corners,
            normal,
            offset: normal.dot(plane[0]),
            height,
        });
    }

    /// Of the triangles across a direction, as those of one flat facet are, the one that it meets.
    pub(super) fn pierced(&self, direction: Vec3) -> Option<Face> {
        let room = |face: &Face| self.weights(face).into_iter().fold(1.0, f64::min);
        let across = |face: &&Face| face.normal.dot(direction) > ACROSS;
        let by_room = |p: &&Face, q: &&Face| room(p).total_cmp(&room(q));
        self.faces.iter().filter(across).max_by(by_room).copied()
    }

    /// The corners of a triangle.
    pub(super) fn corners(&self, face: &Face) -> [Vec3; 3] {
        face.corners.map(|i| self.points[i as usize].y())
    }

    /// The weights of the foot of the origin on the plane of a triangle, negative where it is outside.
    fn weights(&self, face: &Face) -> [f64; 3] {
        let [p, q, r] = self.corners(face);
        let n = face.normal;
        let areas = [q.cross(r).dot(n), r.cross(p).dot(n), p.cross(q).dot(n)];
        let total: f64 = areas.iter().sum();
        if total > 0.0 {
            areas.map(|area| area / total)
        } else {
            [1.0 / 3.0; 3]
        }
    }

    /// The point of a triangle below which the origin is, as a mean of its corners.
    pub(super) fn mean(&self, face: &Face) -> [(Point, f64); 3] {
        let inside = self.weights(face).map(|weight| weight.max(0.0));
        let total: f64 = inside.iter().sum();
        let corner = |k: usize| self.points[face.corners[k] as usize];
        [0, 1, 2].map(|k| (corner(k), inside[k] / total))
    }

    /// The same point as a point of each core.
    pub(super) fn foot(&self, face: &Face) -> [Vec3; 2] {
        let mean = self.mean(face);
        let on = |side: fn(&Point) -> Vec3| {
            mean.iter()
                .map(|(point, weight)| side(point) * *weight)
                .sum()
        };
        [on(|corner| corner.a), on(|corner| corner.b)]
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

/// The edges of a triangle, as it walks them.
fn edges(face: &Face) -> [[u32; 2]; 3] {
    let [i, j, k] = face.corners;
    [[i, j], [j, k], [k, i]]
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

/// The unit normal of a triangle, rounded, and the height of its plane above the origin: never above the true one if that
/// is positive, and as a rule not below it by more than the margin.
fn plane_of(corners: [Vec3; 3], margin: f64) -> (Vec3, f64) {
    let (normal, height) = (unit_normal(corners), height_below(corners));
    if normal.dot(corners[0]) - height <= margin {
        return (normal, height);
    }
    sharp_plane(corners).unwrap_or((normal, height))
}

/// The same with twice the digits; `None` for a triangle without area even then.
///
/// As for [`height_below`], with `u` the rounding unit of [`Wide`]: edges are exact, their product is off by less than
/// `8 u |e| |f|`, which tilts the normal by the doubt `r` and changes the height of a corner `p` by less than `1.25 r |p|`;
/// normalising and the product with the corner add `16 u |p|`.
fn sharp_plane([p, q, r]: [Vec3; 3]) -> Option<(Vec3, f64)> {
    let (e, f) = (WideVec3::difference(q, p), WideVec3::difference(r, p));
    let unit = down_factor(e.largest().max(f.largest()));
    let (e, f) = (e.scaled(unit), f.scaled(unit));
    let normal = e.cross(f);
    let length = normal.length();
    let doubt = 8.0 * Wide::EPSILON * (e.length() * f.length()).value() / length.value();
    // Without area the doubt is infinite or not a number.
    if doubt.is_nan() || doubt > SHARP {
        return None;
    }
    let normal = normal * (Wide::ONE / length);
    let height = normal.dot(WideVec3::from(p)).below();
    let slack = (2.0 * doubt + 32.0 * Wide::EPSILON) * p.length();
    Some((normal.value(), (height - slack).next_down()))
}

/// The largest doubt about a normal of twice the digits.
const SHARP: f64 = 1e-12;

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
