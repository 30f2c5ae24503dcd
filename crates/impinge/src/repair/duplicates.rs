//! Faces that repeat another, and which of them may go.
//!
//! Two faces are the same when they visit the same vertices in the same cyclic order, or in the opposite one. The later
//! one can be dropped without changing the union of the faces. But two solids that stand wall to wall share a face in
//! both orientations, and each needs its own: dropping one would leave holes. So a duplicate goes only when no edge that
//! had an even number of faces is left with an odd one; except where all faces of the edge are the same, which is the
//! border of a sheet that is there several times. And a leaf with two sides that hangs on nothing stays, since it is
//! closed as it is. Duplicates that share edges go together or not at all, since each may fill the gap that another
//! leaves. Faces of zero area neither go here nor keep others from going.

use super::components::DisjointSets;
use super::edges::{Edge, Edges};
use super::faces::spanning_corners;
use super::surface::Surface;
use crate::math::Vec3;
use std::cmp::Ordering;
use std::collections::HashMap;

/// What each face repeats.
#[derive(Debug)]
pub(super) struct Duplicates {
    /// The first face with the same corners, which may be the face itself.
    pub(super) first: Vec<u32>,
    /// Pairs of a face and the first one like it, in the same order of corners; ascending.
    pub(super) same: Vec<[u32; 2]>,
    /// The same for the opposite order of corners.
    pub(super) opposite: Vec<[u32; 2]>,
}

/// Finds all faces that repeat an earlier one.
pub(super) fn find(surface: &Surface) -> Duplicates {
    let mut seen: HashMap<Vec<u32>, (u32, bool)> = HashMap::with_capacity(surface.faces.len());
    let mut found = Duplicates {
        first: (0..surface.faces.len() as u32).collect(),
        same: Vec::new(),
        opposite: Vec::new(),
    };
    for (face, corners) in (0..).zip(&surface.faces) {
        if corners.is_empty() {
            continue;
        }
        let (cycle, reversed) = canonical(corners);
        let (first, first_reversed) = *seen.entry(cycle).or_insert((face, reversed));
        if first != face {
            found.first[face as usize] = first;
            let list = if reversed == first_reversed {
                &mut found.same
            } else {
                &mut found.opposite
            };
            list.push([face, first]);
        }
    }
    found
}

/// The least, in lexicographic order, of all ways to write down the cycle, and whether it is against the face's
/// direction.
fn canonical(corners: &[u32]) -> (Vec<u32>, bool) {
    let reversed: Vec<u32> = corners.iter().rev().copied().collect();
    (least_rotation(corners), false).min((least_rotation(&reversed), true))
}

/// The least rotation of a cycle. Two starting places are compared at a time; when they differ after `k` corners, the
/// greater one and the `k` after it are out, so that it takes linear time.
fn least_rotation(cycle: &[u32]) -> Vec<u32> {
    let n = cycle.len();
    let (mut i, mut j, mut k) = (0, 1, 0);
    while i < n && j < n && k < n {
        match cycle[(i + k) % n].cmp(&cycle[(j + k) % n]) {
            Ordering::Equal => k += 1,
            Ordering::Greater => (i, k) = (i + k + 1, 0),
            Ordering::Less => (j, k) = (j + k + 1, 0),
        }
        if i == j {
            j += 1;
        }
    }
    let start = i.min(j);
    [&cycle[start..], &cycle[..start]].concat()
}

/// Drops the duplicates that may go; returns how many.
pub(super) fn drop_duplicates(surface: &mut Surface) -> usize {
    let duplicates = find(surface);
    let is_copy: Vec<bool> = (0..)
        .zip(&duplicates.first)
        .map(|(face, first)| face != *first && has_area(surface, face))
        .collect();
    let edges = Edges::new(surface);
    let mut groups = DisjointSets::new(surface.faces.len());
    for edge in edges.iter() {
        let mut copies = edge
            .uses
            .iter()
            .map(|u| u.face)
            .filter(|f| is_copy[*f as usize]);
        if let Some(first) = copies.next() {
            copies.for_each(|other| groups.join(first, other));
        }
    }
    let mut effects = vec![Effect::default(); surface.faces.len()];
    for edge in edges.iter() {
        if let Some(copy) = edge.uses.iter().find(|u| is_copy[u.face as usize]) {
            let effect = &mut effects[groups.find(copy.face) as usize];
            effect.add(edge, &duplicates, &is_copy);
        }
    }
    let mut dropped = 0;
    for (face, corners) in (0..).zip(&mut surface.faces) {
        let effect = effects[groups.find(face) as usize];
        if is_copy[face as usize] && effect.mends && !effect.tears {
            corners.clear();
            dropped += 1;
        }
    }
    dropped
}

/// What dropping some copies would do.
#[derive(Debug, Clone, Copy, Default)]
struct Effect {
    /// Some edge would be open that is not.
    tears: bool,
    /// Some edge is not one of two faces that agree, as it should be.
    mends: bool,
}

impl Effect {
    /// Takes an edge of at least one copy into account.
    fn add(&mut self, edge: Edge<'_>, duplicates: &Duplicates, is_copy: &[bool]) {
        let copies = edge
            .uses
            .iter()
            .filter(|u| is_copy[u.face as usize])
            .count();
        let opens = edge.uses.len().is_multiple_of(2) && !copies.is_multiple_of(2);
        let mut firsts = edge.uses.iter().map(|u| duplicates.first[u.face as usize]);
        let first = firsts.next();
        let is_border = firsts.all(|other| Some(other) == first);
        self.tears |= opens && !is_border;
        self.mends |= edge.uses.len() != 2 || !edge.is_balanced();
    }
}

fn has_area(surface: &Surface, face: u32) -> bool {
    let corners = surface.faces[face as usize].iter();
    let points: Vec<Vec3> = corners.map(|v| surface.point(*v)).collect();
    spanning_corners(&points).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

    fn surface(faces: &[&[u32]]) -> Surface {
        Surface {
            // On a curve of which no three points are on a line.
            points: (0..9)
                .map(f64::from)
                .map(|t| Vec3::new(t, t * t, t * t * t))
                .collect(),
            faces: faces.iter().map(|f| f.to_vec()).collect(),
        }
    }

    #[test]
    fn the_least_rotation_is_least() {
        for code in 0..3u32.pow(7) {
            let cycle: Vec<u32> = (0..7).map(|i| code / 3u32.pow(i) % 3).collect();
            let rotations = (0..7).map(|i| [&cycle[i..], &cycle[..i]].concat());
            assert_eq!(Some(least_rotation(&cycle)), rotations.min());
        }
    }

    #[test]
    fn rotations_are_the_same_and_reversals_opposite() {
        let surface = surface(&[&[5, 1, 7, 2], &[7, 2, 5, 1], &[2, 7, 1, 5], &[1, 5, 7, 2]]);
        let found = find(&surface);
        assert_eq!(found.same, [[1, 0]]);
        assert_eq!(found.opposite, [[2, 0]]);
    }

    #[test]
    fn a_surface_that_is_there_twice_becomes_single() {
        let mut faces: Vec<&[u32]> = TETRAHEDRON.iter().map(|t| &t[..]).collect();
        let reversed = TETRAHEDRON.map(|[a, b, c]| [c, b, a]);
        faces.extend(reversed.iter().map(|t| &t[..]));
        let mut surface = surface(&faces);
        assert_eq!(drop_duplicates(&mut surface), 4);
        assert_eq!(surface.live_faces().count(), 4);
    }

    #[test]
    fn a_single_extra_face_goes() {
        let mut faces: Vec<&[u32]> = TETRAHEDRON.iter().map(|t| &t[..]).collect();
        faces.push(&[3, 0, 1]);
        let mut surface = surface(&faces);
        assert_eq!(drop_duplicates(&mut surface), 1);
        assert!(surface.faces[4].is_empty());
    }

    #[test]
    fn a_sheet_that_is_there_twice_becomes_single() {
        let mut sheet = surface(&[&[0, 1, 2], &[2, 1, 3], &[1, 2, 0], &[3, 2, 1]]);
        assert_eq!(drop_duplicates(&mut sheet), 2);
        let mut two_sided = surface(&[&[0, 1, 2], &[2, 1, 3], &[2, 1, 0], &[3, 1, 2]]);
        assert_eq!(drop_duplicates(&mut two_sided), 2);
        // A leaf by itself is closed, and would not be with one side.
        let mut leaf = surface(&[&[0, 1, 2], &[2, 1, 0]]);
        assert_eq!(drop_duplicates(&mut leaf), 0);
        let mut same_side = surface(&[&[0, 1, 2], &[1, 2, 0]]);
        assert_eq!(drop_duplicates(&mut same_side), 1);
    }

    #[test]
    fn the_wall_between_two_solids_stays() {
        let mut faces: Vec<&[u32]> = TETRAHEDRON.iter().map(|t| &t[..]).collect();
        let other = [[1, 3, 2], [1, 2, 4], [2, 3, 4], [3, 1, 4]];
        faces.extend(other.iter().map(|t| &t[..]));
        let mut surface = surface(&faces);
        assert_eq!(find(&surface).opposite, [[4, 2]]);
        assert_eq!(drop_duplicates(&mut surface), 0);
    }
}
