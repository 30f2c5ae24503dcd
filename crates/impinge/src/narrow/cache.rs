//! What a pair remembers from one query to the next.

use super::closest::Size;

/// Last query's knowledge about a pair. Empty by default; the caller keeps one for each pair and passes it back.
///
/// A wrong cache (of another pair, or of a time long ago) may cost time. It never changes an answer.
///
/// ```
/// # use impinge::narrow::PairCache;
/// let cache = PairCache::default();
/// assert!(std::mem::size_of_val(&cache) <= 64);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairCache {
    /// Pairs of a vertex of `a` and one of `b`: the corners of the nearest part, repeated to three. For meshes the first is
    /// the pair of triangles that met, or were closest.
    pub(super) corners: [[u32; 2]; 3],
    /// A direction from `a` towards `b`, in the world frame, that separated them; zero when none is known.
    pub(super) direction: [f32; 3],
    /// Whether `corners` mean anything.
    pub(super) has_corners: bool,
    pub(super) last: Last,
    /// How large polytopes were that were apart, where that tells the way of the next query. Known without reading the polytopes, and checked once
    /// they are read.
    pub(super) size: Size,
}

impl PairCache {
    /// What was found about hulls of some of the vertices, for the whole polytopes at the same poses. `names` has for each
    /// vertex of a hull that of the polytope, where they are not the same.
    pub(crate) fn renamed(&self, names: [Option<&[u32]>; 2]) -> PairCache {
        let rename = |side: usize, vertex: u32| match names[side] {
            Some(names) => names.get(vertex as usize).copied().unwrap_or(vertex),
            None => vertex,
        };
        PairCache {
            corners: self.corners.map(|[a, b]| [rename(0, a), rename(1, b)]),
            last: if self.has_corners {
                Last::Begun
            } else {
                self.last
            },
            ..*self
        }
    }

    /// Whether a direction is known that separated them.
    #[inline(always)]
    pub(super) fn has_direction(&self) -> bool {
        let [x, y, z] = self.direction;
        (x != 0.0) | (y != 0.0) | (z != 0.0)
    }

    /// The pair of triangles that a query about meshes ended with.
    pub(super) fn triangles(&self) -> Option<[u32; 2]> {
        self.has_corners.then_some(self.corners[0])
    }

    /// Keeps a pair of triangles.
    pub(super) fn keep_triangles(&mut self, pair: [u32; 2], last: Last) {
        self.corners = [pair; 3];
        self.has_corners = true;
        self.last = last;
    }
}

/// How the last query ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Last {
    /// There was none.
    #[default]
    Unknown,
    /// The shapes were apart.
    Apart,
    /// The shapes intersected.
    Overlapping,
    /// It was about hulls of some of the vertices, and found no common point of those: a search goes on from there.
    Begun,
}
