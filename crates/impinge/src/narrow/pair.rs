//! A pair of placed polytopes as searches see it, and its way to and from a [`PairCache`].

use super::cache::{Last, PairCache};
use super::centers::Centers;
use super::closest::Size;
use super::features::spanned;
use super::gjk::Difference;
use super::search::{Outcome, Proposal};
use super::side::{Side, narrowed};
use super::simplex::{Corner, Simplex};
use crate::ahead;
use crate::contact::Feature;
use crate::math::{Pose, Vec3};
use crate::shape::Polytope;
use fearless_simd::Simd;

/// Two placed polytopes, and what is remembered about them.
#[derive(Debug)]
pub struct PolytopePair<'a> {
    /// The first polytope.
    pub a: &'a Polytope,
    /// Where it is.
    pub pose_a: &'a Pose,
    /// The second polytope.
    pub b: &'a Polytope,
    /// Where it is.
    pub pose_b: &'a Pose,
    /// Last query's knowledge; changes the time, never the answer.
    pub cache: &'a mut PairCache,
}

impl<'a> PolytopePair<'a> {
    /// The pair as fast queries see it; `None` when it is of extreme size.
    #[inline(always)]
    pub(super) fn centers<S: Simd>(&self, simd: S) -> Option<Centers<'a, S>> {
        let a = Side::new(self.a, self.pose_a)?;
        let b = Side::new(self.b, self.pose_b)?;
        Some(Centers::new(simd, a, b))
    }

    /// Asks for all that placing it needs.
    #[inline(always)]
    pub(crate) fn fetch(&self) {
        self.a.fetch();
        self.pose_a.fetch();
        self.b.fetch();
        self.pose_b.fetch();
        ahead::fetch_start(&*self.cache);
    }

    /// Asks for what is remembered, which tells whether placing it is needed.
    #[inline(always)]
    pub(super) fn fetch_cache(&self) {
        ahead::fetch_start(&*self.cache);
    }

    /// The placed vertices of both, all in range: what the exact path works on.
    #[cold]
    pub(super) fn place_all(&self) -> [Vec<Vec3>; 2] {
        [(self.a, self.pose_a), (self.b, self.pose_b)].map(|(polytope, pose)| {
            let vertices = polytope.vertices().iter();
            vertices.map(|v| pose.place_in_range(*v)).collect()
        })
    }
}

/// Where a search begins.
#[derive(Debug, Clone, Copy)]
pub(super) enum Start {
    /// At the offset of the centres.
    Offset,
    /// At the part of a triangle, perhaps with repeated corners, that is nearest to the origin.
    Corners([[u32; 2]; 3]),
}

/// Stands for the centre where a vertex is named.
pub(super) const CENTER: u32 = u32::MAX;

impl<S: Simd> Difference for Centers<'_, S> {
    type Id = [u32; 2];

    #[inline]
    fn support(&self, direction: Vec3) -> Corner<[u32; 2]> {
        self.simd.vectorize(
            #[inline(always)]
            || {
                self.corner([
                    self.a.support(self.simd, self.a.local(direction)),
                    self.b.support(self.simd, self.b.local(-direction)),
                ])
            },
        )
    }
}

impl<S: Simd> Centers<'_, S> {
    /// A pair of vertices, or of centres, as they are placed.
    #[inline(always)]
    pub(super) fn corner(&self, [vertex_a, vertex_b]: [u32; 2]) -> Corner<[u32; 2]> {
        let place = |side: &Side<'_>, vertex: u32| {
            if vertex == CENTER {
                side.center
            } else {
                side.place(vertex)
            }
        };
        Corner {
            a: place(&self.a, vertex_a),
            b: place(&self.b, vertex_b),
            id: [vertex_a, vertex_b],
        }
    }

    /// A pair of vertices as they are placed.
    #[inline(always)]
    pub(super) fn vertices(&self, id: [u32; 2]) -> Corner<[u32; 2]> {
        Corner {
            a: self.a.place(id[0]),
            b: self.b.place(id[1]),
            id,
        }
    }

    /// Where the cache says to begin. A cache of other polytopes may name vertices that do not exist.
    #[inline(always)]
    pub(super) fn start(&self, cache: &PairCache) -> Start {
        let counts = [&self.a, &self.b].map(|side| side.polytope.vertices().len() as u32);
        let is_known = |corner: &[u32; 2]| corner[0] < counts[0] && corner[1] < counts[1];
        let corners = [cache.corners[0], cache.corners[1], cache.corners[2]];
        if cache.has_corners && corners.iter().all(is_known) {
            Start::Corners(corners)
        } else {
            Start::Offset
        }
    }

    /// The vertices that are farthest along the offset of the centres, as far as `f32` can tell.
    #[inline(always)]
    pub(super) fn extremes_along_offset(&self) -> [u32; 2] {
        let (along_a, along_b) = (
            self.a.local(self.direction()),
            self.b.local(-self.direction()),
        );
        [
            self.a
                .packed
                .vertices
                .farthest(self.simd, narrowed(along_a)),
            self.b
                .packed
                .vertices
                .farthest(self.simd, narrowed(along_b)),
        ]
    }

    /// The features that corners span.
    pub(super) fn features_of(&self, corners: [[u32; 2]; 3]) -> [Feature; 2] {
        let of = |side: usize| corners.map(|corner| corner[side]);
        [
            spanned(self.a.polytope, &of(0), || self.a.local(self.direction())),
            spanned(self.b.polytope, &of(1), || self.b.local(-self.direction())),
        ]
    }

    /// The simplex of a start: that of its different corners, or of the extremes along the offset of the centres.
    pub(super) fn simplex(&self, start: Start) -> Simplex<[u32; 2]> {
        match start {
            Start::Offset => Simplex::new(self.support(self.direction())),
            Start::Corners([first, second, third]) => {
                let mut simplex = Simplex::new(self.corner(first));
                if second != first {
                    simplex.push(self.corner(second));
                }
                if third != second && third != first {
                    simplex.push(self.corner(third));
                }
                simplex
            }
        }
    }
}

impl PairCache {
    /// Keeps the corners of a pair of some size that is apart.
    #[inline(always)]
    pub(super) fn keep_corners(&mut self, corners: [[u32; 2]; 3], size: Size) {
        self.corners = corners;
        self.has_corners = true;
        self.last = Last::Apart;
        self.size = size;
    }

    /// Keeps what a search found.
    #[inline(always)]
    pub(super) fn keep_proposal(&mut self, proposal: &Proposal) {
        let [first, second, third, _] = proposal.corners;
        self.corners = [first, second, third];
        self.has_corners = true;
        self.last = match proposal.outcome {
            Outcome::Apart => Last::Apart,
            Outcome::Overlapping => Last::Overlapping,
            Outcome::Open => Last::Unknown,
        };
    }

    /// Keeps the corners of a simplex, and how the query ended.
    pub(super) fn keep(&mut self, simplex: &Simplex<[u32; 2]>, last: Last) {
        let corners = simplex.corners();
        let at = |place: usize| corners[place.min(corners.len() - 1)].id;
        self.corners = [at(0), at(1), at(2)];
        self.has_corners = true;
        self.last = last;
    }
}
