//! Triangles cut into pieces that small balls hold.
//!
//! A triangle whose ball is too large is cut in two through the middle of its longest edge, and so on. A needle is cut across, so
//! that the number of pieces grows with its length and not with the square of it.
//!
//! **Rounding.** A middle is rounded once, in coordinates of at most 2: the pieces cover the triangle up to one unit in the last place
//! a cut. Half the ways are cut no more than [`DEEPEST`] times, and the errors of cuts of cuts shrink by half each time, so all
//! of it is within 4 `EPSILON`, less than what [`Bound`](crate::bvh::Bound) allows for.

use crate::bvh::TreeFrame;
use crate::bvh::volume::BoundingSphere;
use crate::error::Error;
use crate::math::Vec3;
use crate::shape::TriMesh;

/// A triangle is cut in two no more often than this.
const DEEPEST: u32 = 40;
/// No more tiles are made, but for eight a triangle.
const MOST: usize = 1 << 24;
/// Balls are never smaller than their slack: tiles are not cut below this radius.
const SMALLEST: f64 = 64.0 * f64::EPSILON;

/// A piece of a triangle, in the frame of the tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tile {
    pub(super) triangle: u32,
    pub(super) corners: [Vec3; 3],
}

impl Tile {
    /// A small ball around it.
    pub(super) fn ball(&self) -> BoundingSphere {
        BoundingSphere::about(middle(&self.corners), &[self.corners])
    }
}

/// Cuts all triangles of a mesh into pieces whose balls are no larger than a radius, in units of the frame.
pub(super) fn cut(mesh: &TriMesh, frame: &TreeFrame, radius: f64) -> Result<Vec<Tile>, Error> {
    let radius = radius.max(SMALLEST);
    let most = MOST.max(8 * mesh.triangles().len());
    let mut tiles = Vec::with_capacity(mesh.triangles().len());
    let mut waiting = Vec::new();
    for triangle in 0..mesh.triangles().len() {
        let corners = mesh.corners(triangle).map(|corner| frame.enter(corner));
        let triangle = triangle as u32;
        waiting.push((Tile { triangle, corners }, 0));
        while let Some((tile, depth)) = waiting.pop() {
            if depth == DEEPEST || tile.ball().radius <= radius {
                tiles.push(tile);
                continue;
            }
            if tiles.len() + waiting.len() + 2 > most {
                return Err(Error::TooMany {
                    what: "tiles of a surface",
                    count: tiles.len(),
                });
            }
            let halves = bisect(&tile.corners);
            waiting.extend(halves.map(|corners| (Tile { triangle, corners }, depth + 1)));
        }
    }
    Ok(tiles)
}

/// The two halves on either side of the middle of the longest edge.
fn bisect(corners: &[Vec3; 3]) -> [[Vec3; 3]; 2] {
    let [p, q, r] = longest_first(corners);
    let middle = p.midpoint(q);
    [[p, middle, r], [middle, q, r]]
}

/// The corners in the same order, such that the longest edge is between the first two.
fn longest_first([p, q, r]: &[Vec3; 3]) -> [Vec3; 3] {
    let (pq, qr, rp) = (
        p.distance_squared(*q),
        q.distance_squared(*r),
        r.distance_squared(*p),
    );
    if pq >= qr && pq >= rp {
        [*p, *q, *r]
    } else if qr >= rp {
        [*q, *r, *p]
    } else {
        [*r, *p, *q]
    }
}

/// The middle of the smallest ball around a triangle, or nearly.
fn middle(corners: &[Vec3; 3]) -> Vec3 {
    let [p, q, r] = longest_first(corners);
    let (u, v) = (p - r, q - r);
    let normal = u.cross(v);
    // With an angle of ninety degrees or more the longest edge is a diameter.
    if u.dot(v) <= 0.0 || normal.length_squared() <= 0.0 {
        return p.midpoint(q);
    }
    let up = v * u.length_squared() - u * v.length_squared();
    let center = r + up.cross(normal) / (2.0 * normal.length_squared());
    if center.is_finite() {
        center
    } else {
        p.midpoint(q)
    }
}
