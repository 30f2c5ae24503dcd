//! The convex hull of points: no point outside it, no facet missed or inside out, whatever the input.
//!
//! Quickhull (Barber, Dobkin and Huhdanpaa, The Quickhull Algorithm for Convex Hulls, 1996): start with a tetrahedron
//! ([`simplex`]); every point outside waits at one facet that sees it; take the farthest point of some facet, remove all
//! facets that see it, close the hole with a fan of triangles, and hand the points that waited at removed facets to the
//! fan ([`insert`]). In the end neighbouring coplanar triangles are merged into polygons ([`merge`]).
//! Floating point only chooses which point comes next; every decision is an exact sign.
//!
//! A facet *sees* a point that is strictly above its plane; a point in the plane is not seen. The original merges facets
//! to outlive rounding, others perturb the input to avoid ties. With exact signs and this strict rule neither is needed,
//! because the surface stays a triangulated sphere that bounds the hull `P` of the points so far:
//!
//! 1. A point `p` outside `P` is seen by a disc. Along each ray from `p` that meets `P`, the first point met is on a
//!    seen triangle (or on the closure of one, at the rim), and no other is: a point of `P` before it would be strictly
//!    above that triangle. So seeing from `p` maps the closed seen triangles one to one onto the convex shadow of `P`.
//!    Hence the seen triangles are connected through edges, and their rim, the horizon, is one simple loop.
//! 2. No triangle of the fan is degenerate. If `p` were on the line of a horizon edge, it would be in the plane of the
//!    seen triangle at that edge, and not strictly above it.
//! 3. A triangle coplanar with `p` stays. If `p` extends its face, the edges of that face towards `p` are horizon edges,
//!    because the facets beyond them do see `p`; the fan adds the missing coplanar triangles. Vertices that come to lie
//!    inside a face or an edge stay in the triangulation and leave with the merging.
//! 4. A point `q` that waited at a removed facet and is outside the new hull is seen by a triangle of the fan. The old
//!    facets that see `q` are connected and one was removed, so either all were, and what sees `q` now is new; or two of
//!    them meet at a horizon edge, one removed and one not. The normal of the fan triangle at that edge is then a sum of
//!    non-negative multiples of their normals, so it sees `q`, too.
//!
//! Cost: `n log n` wherever we looked, among it cones, cylinders and helices, where vertices have as many neighbours as
//! there are points; quadratic at worst, as for any quickhull.
//!
//! What it does not do: hulls of flat sets. They have no volume and are refused, exactly.

mod facet;
mod insert;
mod merge;
mod prepare;
mod simplex;
#[cfg(test)]
mod tests;

pub(super) use merge::Surface;
pub(super) use prepare::exact_scale;
pub(crate) use prepare::morton_order;

use crate::error::Error;
use crate::math::{Aabb, Vec3, require_finite};
use facet::{Facet, Plane};
use insert::HorizonEdge;
use std::collections::VecDeque;

/// No facet, no point: the end of a list.
const NONE: u32 = u32::MAX;

/// The hull of the points as polygons.
pub(super) fn hull(points: &[Vec3]) -> Result<Surface, Error> {
    check(points)?;
    let (points, sources) = prepare::prepare(points);
    let mut builder = Builder::new(&points, simplex::find(&points)?);
    builder.insert_all();
    Ok(merge::merge(&points, &sources, &builder.facets))
}

fn check(points: &[Vec3]) -> Result<(), Error> {
    if points.is_empty() {
        return Err(Error::Empty { what: "point set" });
    }
    // A hull of n points has fewer than 2 n triangles, and their edges are named 3 t + k.
    if points.len() > (u32::MAX / 6) as usize {
        return Err(Error::TooMany {
            what: "points",
            count: points.len(),
        });
    }
    (0..)
        .zip(points)
        .try_for_each(|(i, p): (u32, _)| require_finite(*p, || format!("point {i}")))
}

/// The surface under construction.
struct Builder<'a> {
    points: &'a [Vec3],
    /// The edge lengths of the box around all points: bounds every difference of two of them.
    extent: Vec3,
    /// The triangles; removed ones keep their place until it is taken again.
    facets: Vec<Facet>,
    /// Places of removed facets.
    free: Vec<u32>,
    /// For each point the next one that waits at the same facet.
    next: Vec<u32>,
    /// Facets at which points may wait, in the order they were made. Places taken again may be named twice.
    pending: VecDeque<u32>,
    /// Counts insertions, to tell the marks of this one from older ones.
    round: u32,
    /// Below: scratch of one insertion. The facets that see the new point.
    seen: Vec<u32>,
    /// The boundary of the seen facets, in no order.
    horizon: Vec<HorizonEdge>,
    /// The new facets, one for each horizon edge.
    fan: Vec<u32>,
    /// For each point on the horizon the new facet whose horizon edge starts there.
    facet_from: Vec<u32>,
    /// Points that wait at no facet now.
    orphans: Vec<u32>,
}

impl<'a> Builder<'a> {
    /// The tetrahedron of four points, of which the fourth is strictly below the plane of the others; all other points
    /// wait at its facets or are dropped as inside.
    fn new(points: &'a [Vec3], corners: [u32; 4]) -> Builder<'a> {
        let [a, b, c, d] = corners;
        let extent = Aabb::of_points(points.iter().copied()).map_or(Vec3::ZERO, |b| b.size());
        let mut builder = Builder {
            points,
            extent,
            facets: Vec::new(),
            free: Vec::new(),
            next: vec![NONE; points.len()],
            pending: VecDeque::new(),
            round: 0,
            seen: Vec::new(),
            horizon: Vec::new(),
            fan: vec![0, 1, 2, 3],
            facet_from: vec![NONE; points.len()],
            orphans: (0..points.len() as u32)
                .filter(|p| !corners.contains(p))
                .collect(),
        };
        // Twin of edge k of facet f: 3 * facet + edge, of the same edge run backwards.
        for (vertices, twins) in [
            ([a, b, c], [3, 6, 9]),
            ([b, a, d], [0, 11, 7]),
            ([c, b, d], [1, 5, 10]),
            ([a, c, d], [2, 8, 4]),
        ] {
            builder.add_facet(vertices, twins);
        }
        builder.house_orphans();
        builder
    }

    /// Inserts points until none is outside.
    fn insert_all(&mut self) {
        while let Some(facet) = self.pending.pop_front() {
            if self.facets[facet as usize].has_waiting() {
                self.insert(facet);
            }
        }
    }

    /// Makes a facet in a free place and returns the place.
    fn add_facet(&mut self, vertices: [u32; 3], twins: [u32; 3]) -> u32 {
        let plane = Plane::through(vertices.map(|v| self.points[v as usize]), self.extent);
        let facet = Facet::new(vertices, twins, plane);
        if let Some(place) = self.free.pop() {
            self.facets[place as usize] = facet;
            place
        } else {
            self.facets.push(facet);
            (self.facets.len() - 1) as u32
        }
    }

    /// How far the point is above the plane of the facet, in some unit; `None` when the facet does not see it.
    #[inline]
    fn height(&self, facet: u32, point: u32) -> Option<f64> {
        let facet = &self.facets[facet as usize];
        let p = self.points[point as usize];
        facet
            .plane
            .height(p, || facet.vertices.map(|v| self.points[v as usize]))
    }
}
