//! Cutting faces into triangles: those that are not planar, not convex, or have become polygons on the way.
//!
//! A polygon that is not planar does not say which surface it is; cut, it does. The triangles are those of
//! `shape::polygon`, so the mesh means the same as it would in a query. A face whose outline crosses itself has no inside
//! that triangles could cover, and is left as it is.

use super::edges::Edges;
use super::faces::{Planarity, is_convex, planarity};
use super::surface::{Surface, directed_edges};
use super::triangles::cut;
use crate::math::Vec3;
use crate::shape::polygon::Cut;
use std::collections::{BTreeSet, HashSet};

/// Which faces to cut besides those that are not planar.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// How far off its plane a face may be, relative to its largest coordinate.
    pub(super) rounding: f64,
    /// Whether to cut faces that are not convex.
    pub(super) non_convex: bool,
}

/// Cuts the faces that are not planar, or not convex if wanted; returns how many.
pub(super) fn split_faces(surface: &mut Surface, wanted: Wanted) -> usize {
    let mut count = 0;
    for face in 0..surface.faces.len() {
        if is_to_be_cut(surface, face, wanted)
            && let Some(triangles) = triangles_of(surface, face)
        {
            replace(surface, face, triangles);
            count += 1;
        }
    }
    count
}

fn is_to_be_cut(surface: &Surface, face: usize, wanted: Wanted) -> bool {
    let corners = &surface.faces[face];
    if corners.len() < 4 {
        return false;
    }
    let corners: Vec<Vec3> = corners.iter().map(|v| surface.point(*v)).collect();
    match planarity(&corners, wanted.rounding) {
        Planarity::Off { .. } => true,
        Planarity::Planar | Planarity::Rounded => wanted.non_convex && !is_convex(&corners),
    }
}

/// Cuts faces that were triangles and have got more corners since, except where a cut would run along an edge that is
/// already there: more than two faces would meet then.
pub(super) fn split_back(surface: &mut Surface, faces: &BTreeSet<usize>) {
    let mut taken: HashSet<[u32; 2]> = Edges::new(surface).iter().map(|e| e.ends).collect();
    for face in faces {
        if surface.faces[*face].len() <= 3 {
            continue;
        }
        let Some(triangles) = triangles_of(surface, *face) else {
            continue;
        };
        let sides: HashSet<[u32; 2]> = directed_edges(&surface.faces[*face]).map(sorted).collect();
        let cuts: HashSet<[u32; 2]> = triangles
            .iter()
            .flat_map(|t| directed_edges(t))
            .map(sorted)
            .filter(|edge| !sides.contains(edge))
            .collect();
        if cuts.is_disjoint(&taken) {
            replace(surface, *face, triangles);
            taken.extend(cuts);
        }
    }
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// The triangles of a face; `None` when its outline crosses itself.
fn triangles_of(surface: &Surface, face: usize) -> Option<Vec<[u32; 3]>> {
    let mut triangles = Vec::new();
    match cut(surface, &surface.faces[face], &mut triangles) {
        Cut::Exact => Some(triangles),
        Cut::Fan => None,
    }
}

/// Puts triangles in the place of a face: the first takes its number, the others come last.
fn replace(surface: &mut Surface, face: usize, triangles: Vec<[u32; 3]>) {
    let mut triangles = triangles.into_iter().map(|t| t.to_vec());
    surface.faces[face] = triangles.next().unwrap_or_default();
    surface.faces.extend(triangles);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surface(points: &[[f64; 3]], faces: &[&[u32]]) -> Surface {
        Surface {
            points: points.iter().map(|p| Vec3::from_array(*p)).collect(),
            faces: faces.iter().map(|f| f.to_vec()).collect(),
        }
    }

    const POINTS: [[f64; 3]; 6] = [
        [0.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [2.0, 2.0, 0.0],
        [0.0, 2.0, 0.0],
        [0.5, 0.5, 0.0],
        [0.0, 2.0, 1.0],
    ];
    const SQUARE: &[u32] = &[0, 1, 2, 3];
    const DART: &[u32] = &[1, 3, 0, 4];
    const TWISTED: &[u32] = &[0, 1, 2, 5];
    const BOW_TIE: &[u32] = &[0, 1, 3, 2];

    #[test]
    fn what_is_wanted_is_cut() {
        let wanted = Wanted {
            rounding: 1e-15,
            non_convex: true,
        };
        let mut all = surface(&POINTS, &[SQUARE, DART, TWISTED, BOW_TIE]);
        assert_eq!(split_faces(&mut all, wanted), 2);
        let sizes: Vec<usize> = all.faces.iter().map(Vec::len).collect();
        assert_eq!(sizes, [4, 3, 3, 4, 3, 3]);
        let mut all = surface(&POINTS, &[SQUARE, DART, TWISTED]);
        let planar_only = Wanted {
            non_convex: false,
            ..wanted
        };
        assert_eq!(split_faces(&mut all, planar_only), 1);
        let tolerant = Wanted {
            rounding: 0.5,
            ..planar_only
        };
        let mut all = surface(&POINTS, &[SQUARE, DART, TWISTED]);
        assert_eq!(split_faces(&mut all, tolerant), 0);
    }

    #[test]
    fn a_cut_along_an_existing_edge_is_not_made() {
        // A triangle with a corner inserted; the only possible cut is from 4 to 2.
        let points = [
            [0.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [0.0, 2.0, 0.0],
            [0.0, 2.0, 3.0],
            [1.0, 0.0, 0.0],
        ];
        let faces = BTreeSet::from([0]);
        let mut free = surface(&points, &[&[0, 4, 1, 2]]);
        split_back(&mut free, &faces);
        assert_eq!(free.faces.len(), 2);
        let mut taken = surface(&points, &[&[0, 4, 1, 2], &[4, 2, 3]]);
        split_back(&mut taken, &faces);
        assert_eq!(taken.faces[0], [0, 4, 1, 2]);
    }
}
