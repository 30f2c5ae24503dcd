//! Which way the faces are turned.
//!
//! Two faces that share an edge agree when they walk it in opposite directions. Along edges of exactly two faces
//! agreement spreads, so the faces fall into *patches* in which one face decides for all; edges of more faces say
//! nothing. A patch in which agreement leads to a contradiction (a Moebius strip) cannot be oriented and is left alone.
//!
//! How a patch should be turned:
//!
//! - open: as most of its faces are, or its first face when they are equal in number;
//! - closed: outward, so that its volume is positive, except that a patch may stay inward when most of its faces are
//!   and it is a cavity: inside an odd number of other closed patches. The sign of the volume and the place of a point
//!   are exact.
//!
//! Near-linear, but for cavities: each closed patch that is turned inward is compared with all closed patches whose box
//! holds it.

use super::box_tree::BoxTree;
use super::components::Parts;
use super::edges::Edges;
use super::faces::Frame;
use super::measure;
use super::surface::Surface;
use super::triangles::Triangles;
use crate::exact::{Location, Sign, locate};
use crate::math::{Aabb, Vec3};

/// Faces that decide each other's orientation.
#[derive(Debug)]
pub(super) struct Patch {
    /// Its faces, ascending.
    pub(super) faces: Vec<u32>,
    /// Those to be turned around, ascending.
    pub(super) flips: Vec<u32>,
    pub(super) is_orientable: bool,
    pub(super) is_closed: bool,
}

impl Patch {
    fn turn_around(&mut self) {
        let flips = std::mem::take(&mut self.flips);
        let others = self.faces.iter().copied();
        self.flips = others.filter(|f| flips.binary_search(f).is_err()).collect();
    }

    /// Whether its faces agree with each other, and all of them are turned the wrong way.
    pub(super) fn is_inverted(&self) -> bool {
        self.flips.len() == self.faces.len()
    }
}

/// The patches of a surface, ascending by their first face.
pub(super) fn patches(surface: &Surface, edges: &Edges, triangles: &Triangles) -> Vec<Patch> {
    let parts = Parts::joined_by(surface, edges, |edge| edges.get(edge).pair().is_some());
    let mut turns = Turns::new(surface.faces.len());
    let mut is_orientable = vec![true; parts.members.len()];
    for ([a, b], agree) in edges.iter().filter_map(|edge| edge.pair()) {
        // A face that meets itself along a bridge tells nothing.
        if a != b && !turns.relate(a, b, !agree) {
            is_orientable[parts.part_of[a as usize] as usize] = false;
        }
    }
    let is_closed = closed_parts(edges, &parts);
    let mut patches: Vec<Patch> = parts
        .members
        .into_iter()
        .zip(is_orientable)
        .zip(is_closed)
        .map(|((faces, is_orientable), is_closed)| {
            let flips = if is_orientable {
                minority(&faces, &mut turns)
            } else {
                Vec::new()
            };
            Patch {
                faces,
                flips,
                is_orientable,
                is_closed,
            }
        })
        .collect();
    turn_outward(surface, triangles, &mut patches);
    patches
}

/// Which parts use each of their edges an even number of times.
fn closed_parts(edges: &Edges, parts: &Parts) -> Vec<bool> {
    let mut is_closed = vec![true; parts.members.len()];
    let mut users: Vec<u32> = Vec::new();
    for edge in edges.iter() {
        users.clear();
        users.extend(edge.uses.iter().map(|u| parts.part_of[u.face as usize]));
        users.sort_unstable();
        for uses_of_part in users.chunk_by(|a, b| a == b) {
            if !uses_of_part.len().is_multiple_of(2) {
                is_closed[uses_of_part[0] as usize] = false;
            }
        }
    }
    is_closed
}

/// The faces that are turned against most of the others; against the first face, when both sides are equal.
fn minority(faces: &[u32], turns: &mut Turns) -> Vec<u32> {
    let first = turns.turn(faces[0]);
    let (with, against): (Vec<u32>, Vec<u32>) =
        faces.iter().partition(|f| turns.turn(**f) == first);
    if against.len() <= with.len() {
        against
    } else {
        with
    }
}

/// Makes the volume of closed patches positive, where they are not cavities.
fn turn_outward(surface: &Surface, triangles: &Triangles, patches: &mut [Patch]) {
    let signs: Vec<Sign> = patches
        .iter()
        .map(|patch| aligned_volume_sign(surface, triangles, patch))
        .collect();
    if !signs.contains(&Sign::Negative) {
        return;
    }
    let solids = Solids::new(surface, triangles, patches, &signs);
    for (i, sign) in signs.into_iter().enumerate() {
        let is_mostly_inward = 2 * patches[i].flips.len() < patches[i].faces.len();
        if sign == Sign::Negative
            && !(is_mostly_inward && solids.surround(surface, &patches[i], i as u32))
        {
            patches[i].turn_around();
        }
    }
}

/// The sign of the volume of a patch once its `flips` are done; zero for one that has no volume.
fn aligned_volume_sign(surface: &Surface, triangles: &Triangles, patch: &Patch) -> Sign {
    if !(patch.is_closed && patch.is_orientable) {
        return Sign::Zero;
    }
    let points = patch.faces.iter().flat_map(|f| &surface.faces[*f as usize]);
    let frame = Frame::of_box(Aabb::of_points(points.map(|v| surface.point(*v))));
    measure::volume_sign(aligned_triangles(surface, triangles, patch), &frame)
}

/// The triangles of a patch, with its `flips` done.
fn aligned_triangles<'a>(
    surface: &'a Surface,
    triangles: &'a Triangles,
    patch: &'a Patch,
) -> impl Iterator<Item = [Vec3; 3]> + Clone + 'a {
    patch.faces.iter().flat_map(move |face| {
        let flip = patch.flips.binary_search(face).is_ok();
        triangles.of_face(*face).map(move |t| {
            let [a, b, c] = triangles.points(surface, t);
            if flip { [a, c, b] } else { [a, b, c] }
        })
    })
}

/// The closed patches that have a volume, ready to tell what they surround.
struct Solids {
    triangles: Vec<[Vec3; 3]>,
    /// The patch of each triangle.
    patch: Vec<u32>,
    tree: BoxTree,
}

impl Solids {
    fn new(surface: &Surface, triangles: &Triangles, patches: &[Patch], signs: &[Sign]) -> Solids {
        let mut all = Vec::new();
        let mut patch_of = Vec::new();
        for (i, patch) in patches.iter().enumerate() {
            if signs[i] != Sign::Zero {
                all.extend(aligned_triangles(surface, triangles, patch));
                patch_of.resize(all.len(), i as u32);
            }
        }
        let boxes = all
            .iter()
            .map(|t| Aabb::of_points(*t).expect("a triangle has corners"));
        Solids {
            tree: BoxTree::new(boxes.collect()),
            triangles: all,
            patch: patch_of,
        }
    }

    /// Whether a patch is inside an odd number of others, or cannot be told from them.
    fn surround(&self, surface: &Surface, patch: &Patch, own: u32) -> bool {
        let faces = || patch.faces.iter().map(|f| &surface.faces[*f as usize]);
        let vertices = faces().flatten().map(|v| surface.point(*v));
        // A vertex on the surface of another patch cannot tell; another vertex may. Where the two have all vertices in
        // common, the middle of a face may: it is rounded, but a patch that comes as close as that is no solid.
        let middles = faces().map(|face| {
            let weight = 1.0 / face.len() as f64;
            face.iter().map(|v| surface.point(*v) * weight).sum()
        });
        vertices
            .chain(middles)
            .find_map(|p| self.is_surrounded(p, own))
            .unwrap_or(true)
    }

    /// Whether a point is inside an odd number of patches other than `own`; `None` if it is on the surface of one.
    fn is_surrounded(&self, p: Vec3, own: u32) -> Option<bool> {
        // Only triangles that the ray in direction +x may meet count.
        let meets = |b: &Aabb| {
            let (low, high) = (b.min(), b.max());
            p.x <= high.x && (low.y..=high.y).contains(&p.y) && (low.z..=high.z).contains(&p.z)
        };
        let mut ahead = Vec::new();
        self.tree.visit(meets, |t| ahead.push(t));
        ahead.retain(|t| self.patch[*t as usize] != own);
        ahead.sort_unstable();
        let patches = ahead.chunk_by(|s, t| self.patch[*s as usize] == self.patch[*t as usize]);
        patches
            .map(|of_one| locate(p, of_one.iter().map(|t| self.triangles[*t as usize])))
            .try_fold(false, |odd, location| match location {
                Location::Inside => Some(!odd),
                Location::Outside => Some(odd),
                Location::Boundary => None,
            })
    }
}

/// For each face, whether it is turned against the others of its set, as far as they have been related.
///
/// Disjoint sets in which each face knows its turn relative to its parent.
#[derive(Debug)]
struct Turns {
    parents: Vec<u32>,
    /// Whether turned against the parent.
    against: Vec<bool>,
}

impl Turns {
    fn new(faces: usize) -> Turns {
        Turns {
            parents: (0..faces as u32).collect(),
            against: vec![false; faces],
        }
    }

    /// The root of the face's set, and whether the face is turned against it.
    fn find(&mut self, face: u32) -> (u32, bool) {
        let (mut root, mut turned) = (face, false);
        while self.parents[root as usize] != root {
            turned ^= self.against[root as usize];
            root = self.parents[root as usize];
        }
        // Every face on the way becomes a child of the root.
        let (mut at, mut left) = (face, turned);
        while at != root {
            let i = at as usize;
            at = self.parents[i];
            self.parents[i] = root;
            left ^= std::mem::replace(&mut self.against[i], left);
        }
        (root, turned)
    }

    /// Whether the face is turned against the root of its set.
    fn turn(&mut self, face: u32) -> bool {
        self.find(face).1
    }

    /// Says that two faces are turned against each other, or not; false when that contradicts what was said before.
    fn relate(&mut self, a: u32, b: u32, against: bool) -> bool {
        let ((root_a, turned_a), (root_b, turned_b)) = (self.find(a), self.find(b));
        if root_a == root_b {
            return (turned_a ^ turned_b) == against;
        }
        self.parents[root_b as usize] = root_a;
        self.against[root_b as usize] = turned_a ^ turned_b ^ against;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

    /// Tetrahedra of given sizes, one inside the other, with the given faces.
    fn nested(sizes: &[f64], faces: &[&[[u32; 3]; 4]]) -> Surface {
        let center = Vec3::splat(0.25);
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        Surface {
            points: sizes
                .iter()
                .flat_map(|s| corners.map(|p| (p - center) * *s))
                .collect(),
            faces: (0..)
                .zip(faces)
                .flat_map(|(i, faces)| faces.map(|f| f.map(|v| v + 4 * i).to_vec()))
                .collect(),
        }
    }

    fn inward() -> [[u32; 3]; 4] {
        TETRAHEDRON.map(|[a, b, c]| [a, c, b])
    }

    fn patches_of(surface: &Surface) -> Vec<Patch> {
        patches(surface, &Edges::new(surface), &Triangles::new(surface))
    }

    #[test]
    fn one_face_against_the_rest_is_found() {
        let mut faces = TETRAHEDRON;
        faces[2].reverse();
        let found = patches_of(&nested(&[1.0], &[&faces]));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].flips, [2]);
        assert!(found[0].is_closed && !found[0].is_inverted());
    }

    #[test]
    fn closed_patches_are_turned_outward() {
        let found = patches_of(&nested(&[1.0], &[&inward()]));
        assert!(found[0].is_inverted());
        // Most are inward, so those are the wrong ones.
        let mut faces = inward();
        faces[2].reverse();
        assert_eq!(patches_of(&nested(&[1.0], &[&faces]))[0].flips, [0, 1, 3]);
        // Half and half.
        faces[0].reverse();
        assert_eq!(patches_of(&nested(&[1.0], &[&faces]))[0].flips, [1, 3]);
    }

    #[test]
    fn cavities_stay_inward() {
        let (out, inw) = (TETRAHEDRON, inward());
        let flips = |faces: &[&[[u32; 3]; 4]]| {
            let sizes: Vec<f64> = (1..=faces.len()).rev().map(|s| s as f64).collect();
            let found = patches_of(&nested(&sizes, faces));
            found.iter().map(Patch::is_inverted).collect::<Vec<bool>>()
        };
        assert_eq!(flips(&[&out, &inw]), [false, false]);
        assert_eq!(flips(&[&out, &out]), [false, false]);
        assert_eq!(flips(&[&inw, &inw]), [true, false]);
        assert_eq!(flips(&[&out, &inw, &inw]), [false, false, true]);
        assert_eq!(flips(&[&out, &inw, &out]), [false, false, false]);
    }

    #[test]
    fn open_patches_follow_the_majority() {
        let mut surface = nested(&[1.0], &[&inward()]);
        surface.faces.truncate(3);
        surface.faces[0].reverse();
        let found = patches_of(&surface);
        assert_eq!(found[0].flips, [0]);
        assert!(!found[0].is_closed);
    }

    #[test]
    fn a_moebius_strip_cannot_be_oriented() {
        let strip = |i: u32| [i % 5, (i + 1) % 5, (i + 2) % 5].to_vec();
        let surface = Surface {
            points: [[0, 0, 0], [4, 0, 1], [5, 3, 0], [1, 5, 2], [-1, 2, 5]]
                .map(|p| Vec3::from_array(p.map(f64::from)))
                .to_vec(),
            faces: (0..5).map(strip).collect(),
        };
        let found = patches_of(&surface);
        assert_eq!(found.len(), 1);
        assert!(!found[0].is_orientable && found[0].flips.is_empty());
    }

    #[test]
    fn solids_that_share_an_edge_are_two_patches() {
        let mut surface = nested(&[1.0], &[&TETRAHEDRON]);
        surface
            .points
            .extend([Vec3::new(0.0, -1.0, 1.0), Vec3::new(0.0, -1.0, -3.0)]);
        // A second tetrahedron on the edge of vertices 0 and 1, inside out or not.
        surface
            .faces
            .extend([vec![0, 1, 4], vec![1, 0, 5], vec![0, 4, 5], vec![1, 5, 4]]);
        let found = patches_of(&surface);
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|p| p.is_closed && p.is_orientable));
        assert_eq!(found.iter().filter(|p| p.is_inverted()).count(), 1);
        for face in &mut surface.faces[4..] {
            face.reverse();
        }
        assert!(patches_of(&surface).iter().all(|p| p.flips.is_empty()));
    }
}
