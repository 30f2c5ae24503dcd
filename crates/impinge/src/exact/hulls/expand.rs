//! The boundary point of `hull(b) - hull(a)` nearest to the origin, exactly: the expanding polytope in integers.
//!
//! The method of van den Bergen (Proximity queries and penetration depth computation on 3D game objects, 2001), without
//! rounding. `W` is the finite set of differences `b_j - a_i`. A polytope of some of them is kept by its
//! [`Surface`]; a step asks for the difference that lies farthest beyond the shallowest face, and grows the polytope by
//! it. Without one, the plane of the face bounds all of `W`, and the depth is known.
//!
//! # Why it is right
//!
//! Let the hulls intersect, so that the origin is in the hull of `W`, and let the search end with the face `d`, `g`.
//!
//! - No less will do. The depth `t = -g / |d|` is the smallest of all faces of the polytope, so a ball of radius `t` about
//!   the origin fits into it, hence into the hull of `W`. A move of `b` by less than `t` leaves the origin strictly
//!   inside.
//! - It is enough. All of `W` has `d . w >= g`, so after a move of `b` by `-g d / |d|^2` all differences have
//!   `d . w >= 0`: the hulls touch at most.
//!
//! If `t` is 0, the first part is void, and the hulls do not overlap, they touch.
//!
//! # Why it ends
//!
//! The new difference is beyond a face of the convex polytope, hence not one of its corners and never was one, since
//! what was a corner stays in the polytope. `W` is finite.
//!
//! # The witness
//!
//! The foot of the origin on the plane of the last face is on the ball, so in the polytope, so in the polygon that the
//! polytope has in that plane: in one of the triangles there. Its weights give a point of each hull.

use super::Pair;
use super::grid::Grid;
use super::span::{Span, span};
use super::surface::{Face, Surface};
use crate::exact::big::{self, BigVec3};
use crate::exact::signs::Sign;
use dashu_int::IBig;

/// Where the boundary of the differences is nearest to the origin.
#[derive(Debug)]
pub(super) enum Deepest {
    /// The differences lie in a plane, to which this vector is perpendicular. The hulls touch.
    Flat(BigVec3),
    /// On a facet.
    Facet(Facet),
}

/// A facet of the hull of all differences, and the foot of the origin on it.
#[derive(Debug)]
pub(super) struct Facet {
    /// Perpendicular to the facet, inward: the way the second hull must move.
    pub(super) inward: BigVec3,
    /// `inward . w` for all differences `w` of the facet: 0 or less.
    pub(super) gap: IBig,
    /// One to three pairs with positive weights: their differences have the foot as their mean.
    pub(super) weighted: Vec<(Pair, IBig)>,
}

/// The boundary point of the differences nearest to the origin. The hulls must intersect.
pub(super) fn deepest(grid: &Grid) -> Deepest {
    let mut surface = match span(grid) {
        Span::Space(corners) => Surface::of_tetrahedron(*corners),
        Span::Flat(normal) => return Deepest::Flat(normal),
    };
    loop {
        let face = surface.shallowest();
        let support = grid.support(&face.inward);
        if support.gap >= face.gap {
            return Deepest::Facet(Facet::new(&surface, face));
        }
        surface.insert(grid.corner(support.pair));
    }
}

impl Facet {
    fn new(surface: &Surface, face: &Face) -> Facet {
        let in_plane = |f: &&Face| {
            let mut points = f.corners.iter().map(|i| &surface.corners[*i].point);
            points.all(|p| face.inward.dot(p) == face.gap)
        };
        let mut triangles = surface.faces.iter().filter(in_plane);
        Facet {
            inward: face.inward.clone(),
            gap: face.gap.clone(),
            weighted: triangles
                .find_map(|f| foot_weights(surface, f))
                .expect("the nearest face of a polytope holds the foot of the origin"),
        }
    }
}

/// The pairs of a face with the weights of the foot of the origin, if that is in the closed triangle.
fn foot_weights(surface: &Surface, face: &Face) -> Option<Vec<(Pair, IBig)>> {
    let [p, q, r] = face.corners.map(|i| &surface.corners[i]);
    // As for the triangle in `foot`, where a weight of zero is refused. The order of the corners makes the normal
    // outward; its sign cancels.
    let normal = face.inward.neg();
    let weights = [[q, r], [r, p], [p, q]].map(|[u, v]| normal.dot(&u.point.cross(&v.point)));
    let inside = weights.iter().all(|w| big::sign(w) != Sign::Negative);
    inside.then(|| {
        let weighted = [p, q, r].map(|c| c.pair).into_iter().zip(weights);
        weighted.filter(|(_, w)| !w.is_zero()).collect()
    })
}
