//! Where a surface meets itself.
//!
//! Neighbours always touch, at a vertex or along an edge. Two faces count when they have a point in common outside what
//! they share, decided exactly on their triangles (see `exact::triangles_cross_beyond_shared`). Faces with the same
//! corners are duplicates and not named again here; nor are the triangles of one face compared with each other.
//!
//! Candidates come from a tree of boxes. A surface of ordinary shape costs about ten tests a triangle. Triangles in one
//! heap would cost a quadratic number, so the search stops at a limit, and says so. The limit is one of work, not of time:
//! the same mesh stops at the same place everywhere.

use super::box_tree::{BoxTree, Walk};
use super::duplicates::Duplicates;
use super::report::Search;
use super::surface::Surface;
use super::triangles::Triangles;
use crate::exact::{Counts, counts, triangles_cross_beyond_shared};
use crate::math::Aabb;

/// What comparing boxes and deciding signs costs in units of one test of two triangles: rough ratios of times measured.
const BOXES_PER_TEST: u64 = 16;
const TESTS_PER_EXPANSION: u64 = 2;
const TESTS_PER_BIG_INTEGER: u64 = 8;

/// What a search found.
#[derive(Debug)]
pub(super) struct Crossings {
    /// Pairs of faces, the lesser first; ascending.
    pub(super) pairs: Vec<[u32; 2]>,
    pub(super) search: Search,
}

/// Finds pairs of faces that meet beyond what they share, until the work of `limit` tests has been done.
pub(super) fn find(
    surface: &Surface,
    triangles: &Triangles,
    duplicates: &Duplicates,
    limit: u64,
) -> Crossings {
    let corners = |t: u32| triangles.points(surface, t as usize);
    let boxes = (0..triangles.corners.len() as u32)
        .map(|t| Aabb::of_points(corners(t)).expect("a triangle has corners"));
    let tree = BoxTree::new(boxes.collect());
    let mut pairs = Vec::new();
    let mut tested = 0;
    let start = counts();
    let walk = tree.visit_pairs(limit.saturating_mul(BOXES_PER_TEST), |s, t| {
        let faces = [s, t].map(|i| triangles.face[i as usize]);
        let [first_s, first_t] = faces.map(|f| duplicates.first[f as usize]);
        if first_s == first_t {
            return Walk::Complete;
        }
        if tested + work_beyond_filters(counts() - start) >= limit {
            return Walk::Stopped;
        }
        tested += 1;
        if triangles_cross_beyond_shared(&corners(s), &corners(t)) {
            pairs.push(faces);
        }
        Walk::Complete
    });
    pairs.sort_unstable();
    pairs.dedup();
    let search = match walk {
        Walk::Complete => Search::Complete,
        Walk::Stopped => Search::Stopped { tested },
    };
    Crossings { pairs, search }
}

/// What exact decisions cost, in units of one test.
fn work_beyond_filters(made: Counts) -> u64 {
    made.expansion * TESTS_PER_EXPANSION + made.big * TESTS_PER_BIG_INTEGER
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::repair::duplicates;

    fn surface(points: &[[f64; 3]], faces: &[&[u32]]) -> Surface {
        Surface {
            points: points.iter().map(|p| Vec3::from_array(*p)).collect(),
            faces: faces.iter().map(|f| f.to_vec()).collect(),
        }
    }

    fn find_in(surface: &Surface, limit: u64) -> Crossings {
        let triangles = Triangles::new(surface);
        find(surface, &triangles, &duplicates::find(surface), limit)
    }

    #[test]
    fn crossing_faces_are_named_and_neighbours_are_not() {
        let points = [
            [0.0, 0.0, 0.0],
            [4.0, 0.0, 0.0],
            [4.0, 4.0, 0.0],
            [0.0, 4.0, 0.0],
            [1.0, 1.0, -1.0],
            [3.0, 3.0, -1.0],
            [2.0, 2.0, 1.0],
            [8.0, 0.0, 0.0],
        ];
        let faces: [&[u32]; 4] = [&[0, 1, 2, 3], &[4, 5, 6], &[2, 1, 7], &[3, 2, 1, 0]];
        let crossings = find_in(&surface(&points, &faces), u64::MAX);
        assert_eq!(crossings.pairs, [[0, 1], [1, 3]]);
        assert_eq!(crossings.search, Search::Complete);
    }

    #[test]
    fn a_heap_of_triangles_stops_at_the_limit() {
        let points: Vec<[f64; 3]> = (0..900)
            .map(f64::from)
            .map(|t| [t.sin(), (t * 1.7).sin(), (t * 2.3).cos()])
            .collect();
        let faces: Vec<[u32; 3]> = (0..300).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let faces: Vec<&[u32]> = faces.iter().map(|f| &f[..]).collect();
        let heap = surface(&points, &faces);
        let stopped = find_in(&heap, 500);
        assert_eq!(stopped.search, Search::Stopped { tested: 500 });
        let all = find_in(&heap, u64::MAX);
        assert_eq!(all.search, Search::Complete);
        assert!(all.pairs.len() > stopped.pairs.len());
        assert!(
            stopped
                .pairs
                .iter()
                .all(|p| all.pairs.binary_search(p).is_ok())
        );
    }
}
