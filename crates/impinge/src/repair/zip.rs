//! Dropping faces of zero area without tearing the surface.
//!
//! A face whose corners are all on one line covers no more than its edges, so nothing is lost without it. But its
//! neighbours hang together through it: where `b` is between `a` and `c`, the triangle `a b c` joins one face with the
//! edge `a c` to others with the edges `a b` and `b c`. So before it goes, each neighbour gets the corners of the face
//! that are inside the common edge; here the one with `a c` gets `b` in between. Then every piece of the line that the
//! face walked forward it also walked back, and without it the neighbours on the two sides meet.
//!
//! A neighbour may be of zero area, too: it gets its corners in the same way, and goes when it is its turn. Each such face
//! is handled once. The time is linear in the mesh plus the corners inserted.

use super::faces::spanning_corners;
use super::surface::{Surface, directed_edges, tidy};
use crate::math::Vec3;
use std::collections::{BTreeSet, HashMap};

/// Faces of zero area with more corners than this are left: each of their edges could get all of them.
const MOST_CORNERS: usize = 256;

/// What became of the faces of zero area.
#[derive(Debug, Default)]
pub(super) struct Zipped {
    /// How many were dropped.
    pub(super) dropped: usize,
    /// Triangles that have got more corners, ascending.
    pub(super) grown: BTreeSet<usize>,
}

/// Drops all faces of zero area.
pub(super) fn drop_zero_area(surface: &mut Surface) -> Zipped {
    let flat: Vec<usize> = (0..surface.faces.len())
        .filter(|f| has_zero_area(surface, *f))
        .collect();
    let mut zipped = Zipped::default();
    if flat.is_empty() {
        return zipped;
    }
    let mut users = Users::new(surface);
    for face in flat {
        // Neighbours whose turn came first may have left it nothing, or given it too much.
        if surface.faces[face].len() > MOST_CORNERS {
            continue;
        }
        if !surface.faces[face].is_empty() {
            zipped.grown.extend(zip(surface, &mut users, face));
        }
        zipped.dropped += 1;
    }
    zipped
}

fn has_zero_area(surface: &Surface, face: usize) -> bool {
    let corners: Vec<Vec3> = surface.faces[face]
        .iter()
        .map(|v| surface.point(*v))
        .collect();
    (3..=MOST_CORNERS).contains(&corners.len()) && spanning_corners(&corners).is_none()
}

/// Gives the corners of a face to its neighbours, and drops it; returns the triangles that grew by that.
fn zip(surface: &mut Surface, users: &mut Users, face: usize) -> BTreeSet<usize> {
    let corners = std::mem::take(&mut surface.faces[face]);
    users.remove(face, &corners);
    let line = along_line(surface, &corners);
    let place: HashMap<u32, usize> = line.iter().enumerate().map(|(i, v)| (*v, i)).collect();
    let mut grown = BTreeSet::new();
    for [from, to] in directed_edges(&corners) {
        let (i, j) = (place[&from], place[&to]);
        let inside = &line[i.min(j) + 1..i.max(j)];
        if inside.is_empty() {
            continue;
        }
        for neighbour in users.of([from, to]) {
            let old = std::mem::take(&mut surface.faces[neighbour]);
            users.remove(neighbour, &old);
            let new = tidy(insert(&old, [line[i.min(j)], line[i.max(j)]], inside));
            users.add(neighbour, &new);
            surface.faces[neighbour] = new;
            if old.len() == 3 {
                grown.insert(neighbour);
            }
        }
    }
    grown
}

/// The distinct corners of a face of zero area in the order in which they are on the line.
fn along_line(surface: &Surface, corners: &[u32]) -> Vec<u32> {
    let mut line = corners.to_vec();
    // On a line, lexicographic order of coordinates is order along the line; equal points are one vertex.
    line.sort_by(|u, v| {
        let [p, q] = [u, v].map(|w| surface.point(*w).to_array());
        p.partial_cmp(&q).expect("coordinates are finite")
    });
    line.dedup();
    line
}

/// A face with the vertices of a chain inserted wherever it walks from one `end` to the other.
fn insert(face: &[u32], ends: [u32; 2], chain: &[u32]) -> Vec<u32> {
    let [first, last] = ends;
    let mut corners = Vec::with_capacity(face.len() + chain.len());
    for [from, to] in directed_edges(face) {
        corners.push(from);
        if [from, to] == [first, last] {
            corners.extend(chain);
        } else if [from, to] == [last, first] {
            corners.extend(chain.iter().rev());
        }
    }
    corners
}

/// Which faces use which edge, kept up to date while faces change.
struct Users {
    faces: HashMap<[u32; 2], Vec<usize>>,
}

impl Users {
    fn new(surface: &Surface) -> Users {
        let mut users = Users {
            faces: HashMap::new(),
        };
        for (face, corners) in surface.faces.iter().enumerate() {
            users.add(face, corners);
        }
        users
    }

    fn key([a, b]: [u32; 2]) -> [u32; 2] {
        [a.min(b), a.max(b)]
    }

    /// The faces that use an edge.
    fn of(&self, edge: [u32; 2]) -> BTreeSet<usize> {
        let faces = self.faces.get(&Users::key(edge));
        faces.into_iter().flatten().copied().collect()
    }

    fn add(&mut self, face: usize, corners: &[u32]) {
        for edge in directed_edges(corners) {
            self.faces.entry(Users::key(edge)).or_default().push(face);
        }
    }

    fn remove(&mut self, face: usize, corners: &[u32]) {
        for edge in directed_edges(corners) {
            if let Some(faces) = self.faces.get_mut(&Users::key(edge)) {
                faces.retain(|f| *f != face);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::edges::Edges;

    fn surface(points: &[[f64; 3]], faces: &[&[u32]]) -> Surface {
        Surface {
            points: points.iter().map(|p| Vec3::from_array(*p)).collect(),
            faces: faces.iter().map(|f| f.to_vec()).collect(),
        }
    }

    fn is_closed(surface: &Surface) -> bool {
        Edges::new(surface).iter().all(|edge| edge.is_balanced())
    }

    #[test]
    fn a_needle_between_two_faces_closes_up() {
        // Vertices 0 to 4 on the x axis, an apex on each side.
        let points = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [1.0, -1.0, 0.0],
        ];
        let mut surface = surface(&points, &[&[0, 2, 3], &[0, 1, 2], &[1, 0, 4], &[2, 1, 4]]);
        let zipped = drop_zero_area(&mut surface);
        assert_eq!(zipped.dropped, 1);
        assert_eq!(Vec::from_iter(zipped.grown), [0]);
        assert_eq!(surface.faces[0], [0, 1, 2, 3]);
        let edges = Edges::new(&surface);
        let inner = edges.iter().filter(|e| !e.is_boundary()).count();
        assert_eq!(inner, 3);
    }

    #[test]
    fn a_bundle_of_needles_closes_up() {
        // A tetrahedron whose edge 0 1 is opened into a fan of collinear triangles and a collinear quad.
        let mut points = vec![
            [0.0, 0.0, 0.0],
            [8.0, 0.0, 0.0],
            [3.0, 4.0, 0.0],
            [3.0, 1.0, 4.0],
        ];
        points.extend([
            [2.0, 0.0, 0.0],
            [4.0, 0.0, 0.0],
            [5.0, 0.0, 0.0],
            [7.0, 0.0, 0.0],
        ]);
        let faces: [&[u32]; 7] = [
            &[1, 0, 2],
            &[0, 7, 1, 3],
            &[1, 2, 3],
            &[0, 3, 2],
            // Between 0 1 on one side and 0 7 1 on the other.
            &[0, 1, 5],
            &[0, 5, 6, 4],
            &[1, 7, 0, 4, 6, 5],
        ];
        let mut surface = surface(&points, &faces);
        assert!(is_closed(&surface));
        let zipped = drop_zero_area(&mut surface);
        assert_eq!(zipped.dropped, 3);
        assert_eq!(surface.live_faces().count(), 4);
        assert!(is_closed(&surface));
    }

    #[test]
    fn at_the_border_it_just_goes() {
        let points = [
            [0.0, 0.0, 0.0],
            [1.0, 1.0, 1.0],
            [3.0, 3.0, 3.0],
            [0.0, 5.0, 0.0],
        ];
        let mut surface = surface(&points, &[&[0, 1, 2], &[1, 0, 3]]);
        assert_eq!(drop_zero_area(&mut surface).dropped, 1);
        assert_eq!(surface.faces[1], [1, 0, 3]);
    }

    #[test]
    fn a_closed_bundle_vanishes() {
        let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
        let mut surface = surface(&points, &[&[0, 1, 2], &[2, 1, 0], &[0, 2, 1]]);
        assert_eq!(drop_zero_area(&mut surface).dropped, 3);
        assert_eq!(surface.live_faces().count(), 0);
    }
}
