//! The surface of a growing polytope of differences, in integers.
//!
//! A face is a triangle with the *inward* direction `d` perpendicular to it and its gap `g = d . w`, the same for all
//! three corners `w`; all of the polytope has `d . w >= g`. Seen from a hull pair, `d` is a direction in which the second
//! hull may leave the first, and `-g / |d|` is how far it would have to go if there were no more than this polytope.
//!
//! # Insertion
//!
//! A new corner outside the polytope takes away all faces that it sees, or whose plane it lies in, and is joined to the
//! edges that remain open. Taking away the faces of its own plane as well keeps every triangle proper: were the new
//! corner on the line of an open edge, it would lie in the planes of both faces there, and neither would be left. So the
//! surface is at every time the boundary of a convex polytope, cut into triangles, and faces in one plane together are
//! the whole polygon that the polytope has there.

use super::grid::Corner;
use crate::exact::big::{self, BigVec3};
use crate::exact::signs::Sign;
use dashu_int::IBig;
use std::cmp::Ordering;

/// A triangle of the surface.
#[derive(Debug, Clone)]
pub(super) struct Face {
    pub(super) corners: [usize; 3],
    /// Perpendicular to the face, into the polytope.
    pub(super) inward: BigVec3,
    /// `inward . w` for the corners `w`.
    pub(super) gap: IBig,
    /// `inward . inward`.
    square: IBig,
}

/// The boundary of a convex polytope with a volume.
#[derive(Debug)]
pub(super) struct Surface {
    pub(super) corners: Vec<Corner>,
    pub(super) faces: Vec<Face>,
}

impl Surface {
    /// The surface of a tetrahedron with a volume.
    pub(super) fn of_tetrahedron(corners: [Corner; 4]) -> Surface {
        let [p, q, r, s] = [0, 1, 2, 3].map(|i| &corners[i].point);
        let volume = q.sub(p).cross(&r.sub(p)).dot(&s.sub(p));
        // Counter-clockwise seen from outside, whichever way round the corners came.
        let triangles = if big::sign(&volume) == Sign::Positive {
            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
        } else {
            [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]
        };
        let corners = Vec::from(corners);
        let faces = triangles.map(|t| Face::new(t, &corners));
        Surface {
            corners,
            faces: faces.into(),
        }
    }

    /// The face with the least depth `-gap / |inward|`; one of them.
    pub(super) fn shallowest(&self) -> &Face {
        let by_depth = |f: &&Face, g: &&Face| f.compare_depth(g);
        let least = self.faces.iter().min_by(by_depth);
        least.expect("a surface has at least four faces")
    }

    /// Grows the polytope by a point outside it.
    pub(super) fn insert(&mut self, corner: Corner) {
        let sees = |face: &mut Face| face.inward.dot(&corner.point) <= face.gap;
        let seen: Vec<Face> = self.faces.extract_if(.., sees).collect();
        let edges: Vec<[usize; 2]> = seen.iter().flat_map(Face::edges).collect();
        let apex = self.corners.len();
        self.corners.push(corner);
        for &[from, to] in &edges {
            if !edges.contains(&[to, from]) {
                let face = Face::new([from, to, apex], &self.corners);
                self.faces.push(face);
            }
        }
    }
}

impl Face {
    /// The triangle of three corners, counter-clockwise seen from outside.
    fn new(corners: [usize; 3], all: &[Corner]) -> Face {
        let [p, q, r] = corners.map(|i| &all[i].point);
        let inward = r.sub(p).cross(&q.sub(p));
        Face {
            corners,
            gap: inward.dot(p),
            square: inward.dot(&inward),
            inward,
        }
    }

    fn edges(&self) -> [[usize; 2]; 3] {
        let [p, q, r] = self.corners;
        [[p, q], [q, r], [r, p]]
    }

    /// Which of two faces has the smaller `-gap / |inward|`.
    fn compare_depth(&self, other: &Face) -> Ordering {
        let signed_square = |f: &Face| match big::sign(&f.gap) {
            Sign::Negative => &f.gap * &f.gap,
            Sign::Zero | Sign::Positive => -&f.gap * &f.gap,
        };
        (signed_square(self) * &other.square).cmp(&(signed_square(other) * &self.square))
    }
}
