//! Four differences to begin with, chosen so that the origin is among them if it can be.
//!
//! The first is extreme along the offset of the centres, each of the next ones along the direction in which the others see
//! the origin: from the first point, from the line of two, from the plane of three. This is GJK without dropping
//! points, and encloses the origin in most cases where it is inside at all. Where the origin is on the line or in the
//! plane, any perpendicular does.
//!
//! From last frame, three corners of the facet found then; the fourth is the one farthest behind them.

use super::differences::{Corner, Differences};
use crate::math::Vec3;
use fearless_simd::Simd;

/// What there is to begin with.
#[derive(Debug)]
pub(super) enum Start {
    /// Four corners, not in one plane.
    Tetrahedron([Corner; 4]),
    /// A direction proves that the polytopes are apart.
    Apart,
    /// The differences found are within rounding of a plane.
    Unclear,
}

/// Chooses the corners to begin with.
pub(super) fn start<S: Simd>(pair: &Differences<'_, S>, facet: Option<[[u32; 2]; 3]>) -> Start {
    let mut search = Search {
        pair,
        is_apart: false,
    };
    let remembered = facet.and_then(|facet| search.behind(facet));
    match remembered.or_else(|| search.around()) {
        _ if search.is_apart => Start::Apart,
        Some(corners) => Start::Tetrahedron(corners),
        None => Start::Unclear,
    }
}

struct Search<'s, 'a, S> {
    pair: &'s Differences<'a, S>,
    /// Whether a direction with a gap was met.
    is_apart: bool,
}

impl<S: Simd> Search<'_, '_, S> {
    /// The corners of a facet and the one farthest behind it. The vertices may be those of other polytopes.
    fn behind(&mut self, facet: [[u32; 2]; 3]) -> Option<[Corner; 4]> {
        let sides = [&self.pair.a, &self.pair.b].map(|side| side.polytope.vertices().len());
        let is_known = |[i, j]: &[u32; 2]| (*i as usize) < sides[0] && (*j as usize) < sides[1];
        if !facet.iter().all(is_known) {
            return None;
        }
        let [p, q, r] = facet.map(|pair| self.pair.corner(pair));
        let normal = unit(plane_normal(p.point, q.point, r.point))?;
        let outward = if normal.dot(p.point) < 0.0 {
            -normal
        } else {
            normal
        };
        let s = self.pair.support(outward, facet);
        self.is_beyond(outward, &s, p.point).then_some([p, q, r, s])
    }

    /// Four corners from nothing but the offset of the centres.
    fn around(&mut self) -> Option<[Corner; 4]> {
        let offset = unit(self.pair.offset()).unwrap_or(Vec3::X);
        let p = self.probe(offset, [0; 2])?;
        let q = self.probe(unit(p.point)?, p.pair)?;
        let edge = q.point - p.point;
        let along = unit(edge)?;
        let across = unit(p.point - along * p.point.dot(along));
        let across = across.unwrap_or_else(|| along.any_orthonormal_vector());
        let r = self.beyond(across, &p)?;
        let normal = unit(plane_normal(p.point, q.point, r.point))?;
        let towards = if normal.dot(p.point) < 0.0 {
            -normal
        } else {
            normal
        };
        let s = self.beyond(towards, &p)?;
        Some([p, q, r, s])
    }

    /// The corner with the least product with a direction, unless that shows a gap.
    fn probe(&mut self, direction: Vec3, near: [u32; 2]) -> Option<Corner> {
        let corner = self.pair.support(direction, [near; 3]);
        if direction.dot(corner.point) <= self.pair.error() {
            return Some(corner);
        }
        let (corner, overshoot) = self.pair.settle(direction, corner);
        self.is_apart = direction.dot(corner.point) > self.pair.error() + overshoot;
        (!self.is_apart).then_some(corner)
    }

    /// A corner that is not level with `from` along a direction, or against it.
    fn beyond(&mut self, direction: Vec3, from: &Corner) -> Option<Corner> {
        for direction in [direction, -direction] {
            let corner = self.probe(direction, from.pair)?;
            if self.is_beyond(direction, &corner, from.point) {
                return Some(corner);
            }
        }
        None
    }

    fn is_beyond(&self, direction: Vec3, corner: &Corner, from: Vec3) -> bool {
        direction.dot(from - corner.point) > 4.0 * self.pair.error()
    }
}

fn plane_normal(p: Vec3, q: Vec3, r: Vec3) -> Vec3 {
    (q - p).cross(r - p)
}

/// The direction of a vector that is long enough to have one.
fn unit(v: Vec3) -> Option<Vec3> {
    const SHORTEST: f64 = 1e-14;
    let length = v.length();
    (length > SHORTEST).then(|| v / length)
}
