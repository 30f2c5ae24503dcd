//! Where a walk begins: at random, at last time's features, or where a table says.

use super::part::Part;
use super::table::DirectionTable;
use crate::contact::Feature;
use crate::narrow::side::Side;

/// Where to begin looking for the closest features.
#[derive(Debug, Clone, Copy)]
pub enum Start<'a> {
    /// At the features of the cache. Without one that the polytope has, at the vertex that is farthest towards the centre
    /// of the other, found by climbing.
    Previous,
    /// At a vertex of each polytope that depends on the seed alone.
    Random(u64),
    /// At the vertices that the tables of `a` and `b` name for the direction from centre to centre. A table of another
    /// polytope costs time.
    Table([&'a DirectionTable; 2]),
}

/// The closest features of a pair as found last time. Empty by default; the caller keeps one for each pair.
///
/// Wrong features (of other polytopes, or of a time long ago) cost time. They never change an answer.
///
/// ```
/// # use impinge::{Feature, narrow::lin_canny::FeatureCache};
/// assert_eq!(FeatureCache::default().features(), None);
/// let cache = FeatureCache::new([Feature::Vertex(3), Feature::Face(1)]);
/// assert_eq!(cache.features(), Some([Feature::Vertex(3), Feature::Face(1)]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FeatureCache {
    features: Option<[Feature; 2]>,
}

impl FeatureCache {
    /// A cache that holds a feature of `a` and one of `b`.
    pub fn new(features: [Feature; 2]) -> FeatureCache {
        FeatureCache {
            features: Some(features),
        }
    }

    /// The features where the last walk ended: the closest ones, or, for polytopes that intersect, a vertex and the face
    /// it is behind or an edge and the face it passes through.
    pub fn features(&self) -> Option<[Feature; 2]> {
        self.features
    }
}

impl Start<'_> {
    /// The first features.
    pub(super) fn parts(self, sides: &[Side<'_>; 2], cache: &FeatureCache) -> [Part; 2] {
        [0, 1].map(|side| self.part(sides, side, cache))
    }

    fn part(self, sides: &[Side<'_>; 2], side: usize, cache: &FeatureCache) -> Part {
        let (here, other) = (&sides[side], &sides[1 - side]);
        let existing = |feature: Feature| Part::of(feature, here.polytope);
        let toward = || here.local(other.center - here.center);
        match self {
            Start::Previous => cache
                .features
                .and_then(|features| existing(features[side]))
                .unwrap_or_else(|| Part::Vertex(here.polytope.climb(toward(), 0))),
            Start::Random(seed) => {
                let count = here.polytope.vertices().len() as u64;
                Part::Vertex((mixed(seed ^ side as u64) % count) as u32)
            }
            Start::Table(tables) => {
                let vertex = tables[side].vertex(toward());
                existing(Feature::Vertex(vertex)).unwrap_or(Part::Vertex(0))
            }
        }
    }
}

/// The bits of a number well mixed (the finaliser of splitmix64; Steele, Lea and Flood 2014).
fn mixed(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
