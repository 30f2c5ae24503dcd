//! The surface of a growing polytope of differences, in floating point.
//!
//! A closed surface of triangles with links from each to its three neighbours. A face keeps a unit vector `inward` and its
//! `gap`, the *largest* `inward . w` of its three corners `w`: all points of the triangle are at least `-gap` away from
//! the origin, however inaccurate `inward` is as a normal. That is all that bounds on the depth rest on; rounding may dent
//! the surface, but not make it lie.
//!
//! # Insertion
//!
//! A new corner takes away the faces that it sees or is level with, as far as they hang together, and is joined to the
//! edge around them ([`Surface::insert`]). Faces that it is level with are taken away because the new faces beside them
//! would be slivers, see the exact twin in `exact::hulls`.
//!
//! # What stays true
//!
//! The surface is closed, as a sum of oriented triangles without boundary: the edge around the gap is checked to be one
//! cycle. So it has a winding number about the origin. While all gaps are below minus twice the error, an insertion does
//! not change it: the tetrahedra between the faces taken away and the new corner do not hold the origin, since for each of
//! them `inward` is negative on all four corners. [`Surface::winds_around_origin`] finds out once that it is not zero;
//! then every point nearer to the origin than the surface is in the hull of the corners.

use super::differences::Corner;
use crate::math::Vec3;

/// A closed surface of triangles.
#[derive(Debug, Default)]
pub(super) struct Surface {
    corners: Vec<Corner>,
    faces: Vec<Face>,
    /// For each face its depth, which is minus its gap; infinite when the face is gone, and in the lanes past the last.
    depths: Vec<[f64; LANES]>,
    /// Faces that are gone, to be used again.
    free: Vec<u32>,
    /// What is within this of a plane counts as in it.
    tolerance: f64,
    /// For the insertion: half-edges to cross, and the half-edges around the gap, on the far side.
    pending: Vec<HalfEdge>,
    rim: Vec<HalfEdge>,
}

/// A triangle of the surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    /// Of unit length, about perpendicular to the face.
    pub(super) inward: Vec3,
    /// The largest `inward . w` of the three corners.
    pub(super) gap: f64,
    /// Counter-clockwise seen from outside.
    corners: [u32; 3],
    /// Across the edge from each corner to the next: the same edge of the neighbour.
    links: [HalfEdge; 3],
}

/// An edge of a face: the one from corner `edge` to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct HalfEdge {
    face: u32,
    edge: u8,
}

impl HalfEdge {
    fn new(face: u32, edge: u8) -> HalfEdge {
        HalfEdge { face, edge }
    }

    /// The half-edge `steps` further around the face, one or two.
    fn turned(self, steps: u8) -> HalfEdge {
        const NEXT: [u8; 5] = [0, 1, 2, 0, 1];
        HalfEdge::new(self.face, NEXT[usize::from(self.edge + steps)])
    }
}

/// How many depths are compared at a time.
const LANES: usize = 4;

/// More corners than this are not worth the time in floating point.
const MAX_CORNERS: usize = 1 << 12;

impl Surface {
    /// The surface of a tetrahedron.
    pub(super) fn restart(&mut self, corners: &[Corner; 4], tolerance: f64) {
        self.corners.clear();
        self.faces.clear();
        self.depths.clear();
        self.free.clear();
        self.tolerance = tolerance;
        let [p, q, r, s] = corners.map(|c| c.point);
        self.corners.extend(corners);
        if (q - p).cross(r - p).dot(s - p) < 0.0 {
            self.corners.swap(0, 1);
        }
        let link = HalfEdge::new;
        self.add([0, 2, 1], [link(3, 0), link(2, 0), link(1, 0)]);
        self.add([0, 1, 3], [link(0, 2), link(2, 2), link(3, 1)]);
        self.add([1, 2, 3], [link(0, 1), link(3, 2), link(1, 1)]);
        self.add([2, 0, 3], [link(0, 0), link(1, 2), link(2, 1)]);
    }

    /// The face with the least depth.
    pub(super) fn shallowest(&self) -> usize {
        // Four at a time, without branches: the order of depths is as random as can be.
        let mut least = [f64::INFINITY; LANES];
        for lanes in &self.depths {
            for (least, depth) in least.iter_mut().zip(lanes) {
                *least = if *depth < *least { *depth } else { *least };
            }
        }
        let least = least.into_iter().fold(f64::INFINITY, f64::min);
        let mut depths = self.depths.as_flattened().iter();
        depths.position(|depth| *depth <= least).unwrap_or(0)
    }

    pub(super) fn face(&self, face: usize) -> &Face {
        &self.faces[face]
    }

    /// The corners of a face.
    pub(super) fn corners(&self, face: usize) -> [&Corner; 3] {
        self.faces[face].corners.map(|i| &self.corners[i as usize])
    }

    /// The vertices that the corners of a face are made of.
    pub(super) fn pairs(&self, face: usize) -> [[u32; 2]; 3] {
        self.corners(face).map(|corner| corner.pair)
    }

    /// The face across the edge from a corner, the first, second or third, to the next.
    pub(super) fn neighbour(&self, face: usize, edge: usize) -> usize {
        self.faces[face].links[edge].face as usize
    }

    /// Grows the surface by a corner that is beyond a face. False when rounding has made that impossible.
    pub(super) fn insert(&mut self, seen: usize, corner: Corner) -> bool {
        if self.corners.len() == MAX_CORNERS || self.pairs(seen).contains(&corner.pair) {
            return false;
        }
        self.open(seen as u32, corner.point);
        let apex = self.corners.len() as u32;
        self.corners.push(corner);
        self.close(apex)
    }

    /// Takes away the faces that a point sees, starting with one, and lists the edges around them in cyclic order.
    fn open(&mut self, seen: u32, point: Vec3) {
        self.rim.clear();
        self.remove(seen);
        let links = self.faces[seen as usize].links;
        self.pending.extend(links.iter().rev());
        while let Some(entry) = self.pending.pop() {
            if self.is_gone(entry.face) {
                continue;
            }
            let face = &self.faces[entry.face as usize];
            if face.inward.dot(point) > face.gap + self.tolerance {
                self.rim.push(entry);
                continue;
            }
            // Entered by one edge: go on across the other two, counter-clockwise.
            let [next, last] =
                [1, 2].map(|steps| face.links[usize::from(entry.turned(steps).edge)]);
            self.remove(entry.face);
            self.pending.extend([last, next]);
        }
    }

    /// Joins a corner to the edges around the gap; false when they are not one cycle.
    fn close(&mut self, apex: u32) -> bool {
        let mut first: Option<(u32, u32)> = None;
        let mut last: Option<(u32, u32)> = None;
        for at in 0..self.rim.len() {
            let outer = self.rim[at];
            // The new face has the edge in the opposite direction.
            let neighbour = &self.faces[outer.face as usize];
            let to = neighbour.corners[usize::from(outer.edge)];
            let from = neighbour.corners[usize::from(outer.turned(1).edge)];
            let unlinked = HalfEdge::new(u32::MAX, 0);
            let face = self.add([from, to, apex], [outer, unlinked, unlinked]);
            self.faces[outer.face as usize].links[usize::from(outer.edge)] = HalfEdge::new(face, 0);
            if let Some((before, end)) = last {
                if end != from {
                    return false;
                }
                self.link_sides(before, face);
            }
            first = first.or(Some((face, from)));
            last = Some((face, to));
        }
        match (first, last) {
            (Some((first, start)), Some((last, end))) if start == end && self.rim.len() > 2 => {
                self.link_sides(last, first);
                true
            }
            _ => false,
        }
    }

    /// Links the side after the outer edge of a new face with the side before that of the next one.
    fn link_sides(&mut self, face: u32, next: u32) {
        self.faces[face as usize].links[1] = HalfEdge::new(next, 2);
        self.faces[next as usize].links[2] = HalfEdge::new(face, 1);
    }

    fn add(&mut self, corners: [u32; 3], links: [HalfEdge; 3]) -> u32 {
        let points = corners.map(|i| self.corners[i as usize].point);
        let (inward, gap) = plane(points, self.tolerance);
        let face = Face {
            inward,
            gap,
            corners,
            links,
        };
        if let Some(place) = self.free.pop() {
            self.faces[place as usize] = face;
            self.set_depth(place, -gap);
            return place;
        }
        let place = self.faces.len() as u32;
        if self.faces.len().is_multiple_of(LANES) {
            self.depths.push([f64::INFINITY; LANES]);
        }
        self.faces.push(face);
        self.set_depth(place, -gap);
        place
    }

    fn remove(&mut self, face: u32) {
        self.set_depth(face, f64::INFINITY);
        self.free.push(face);
    }

    fn set_depth(&mut self, face: u32, depth: f64) {
        self.depths[face as usize / LANES][face as usize % LANES] = depth;
    }

    fn is_gone(&self, face: u32) -> bool {
        self.depths[face as usize / LANES][face as usize % LANES] == f64::INFINITY
    }

    /// Whether the surface winds around the origin, for certain: seen from there, all faces are counter-clockwise from
    /// outside, so that their solid angles add up to a positive multiple of the full one.
    pub(super) fn winds_around_origin(&self) -> bool {
        let present = (0..self.faces.len()).filter(|f| !self.is_gone(*f as u32));
        present.into_iter().all(|face| {
            let [p, q, r] = self.corners(face).map(|corner| corner.point);
            let volume = p.dot(q.cross(r));
            // Differences are correct to one rounding, each term passes through five more: 8 roundings of each of the six
            // terms, whose absolute values add up to at most three times the product of the lengths.
            let bound = 12.0 * f64::EPSILON * (p.length() * q.length() * r.length());
            volume > bound
        })
    }
}

/// A unit vector inward across a triangle, and the largest product of a corner with it.
fn plane([p, q, r]: [Vec3; 3], tolerance: f64) -> (Vec3, f64) {
    let normal = (r - p).cross(q - p);
    let inward = normal * normal.length_recip();
    let (gap, lowest) = gaps(inward, [p, q, r]);
    if gap - lowest <= tolerance {
        (inward, gap)
    } else {
        sliver_plane([p, q, r], normal)
    }
}

/// The largest and the least product of three points with a direction.
fn gaps(direction: Vec3, points: [Vec3; 3]) -> (f64, f64) {
    let [p, q, r] = points.map(|point| direction.dot(point));
    (p.max(q).max(r), p.min(q).min(r))
}

/// The same for a triangle so thin that its rounded normal is not even perpendicular to its longest edge. Made so, it may
/// still be turned about that edge, which matters as little as the triangle is wide.
#[cold]
fn sliver_plane([p, q, r]: [Vec3; 3], normal: Vec3) -> (Vec3, f64) {
    let edges = [q - p, r - q, p - r];
    let longest = edges
        .into_iter()
        .max_by(|e, f| e.length_squared().total_cmp(&f.length_squared()))
        .map(Vec3::normalize_or_zero)
        .unwrap_or_default();
    let across = |v: Vec3| v - longest * longest.dot(v);
    // Without an area, the way from the line of the triangle to the origin is as good as any.
    let candidates = [across(normal), across(-p)];
    let inward = candidates
        .into_iter()
        .find_map(|v| across(v.normalize_or_zero()).try_normalize())
        .unwrap_or(Vec3::X);
    (inward, gaps(inward, [p, q, r]).0)
}
