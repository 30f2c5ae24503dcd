//! Good meshes broken at random in known ways, and random faces over few points.
//!
//! What is mended must be the set of points that it was, and, where the good mesh is known, as good as that. Coordinates
//! are integers times small powers of two, so that all that is computed here is exact.

use super::*;
use impinge::exact::point_in_triangle;
use impinge::repair::{Action, Convexity, RepairOptions, inspect, repair};
use impinge::{Polytope, Solid, TriMesh};
use proptest::prelude::*;
use proptest::sample::Index;

/// A mesh in the breaking.
#[derive(Debug, Clone)]
struct Soup {
    points: Vec<Vec3>,
    faces: Vec<Vec<u32>>,
}

impl Soup {
    fn of_polytope(polytope: &Polytope) -> Soup {
        Soup {
            points: polytope.vertices().to_vec(),
            faces: (0..polytope.face_count())
                .map(|f| polytope.face(f).to_vec())
                .collect(),
        }
    }

    fn to_mesh(&self) -> PolyMesh {
        float_mesh(self.points.clone(), &self.faces)
    }

    fn push(&mut self, point: Vec3) -> u32 {
        self.points.push(point);
        self.points.len() as u32 - 1
    }

    /// Puts a vertex in the middle of an edge of one of its faces, and a face of zero area into the gap.
    fn add_needle(&mut self, face: usize, edge: usize) {
        let corners = &self.faces[face];
        let (i, j) = (edge, (edge + 1) % corners.len());
        let [u, w] = [corners[i], corners[j]];
        let middle = (self.points[u as usize] + self.points[w as usize]) / 2.0;
        let m = self.push(middle);
        self.faces[face].insert(i + 1, m);
        self.faces.push(vec![u, w, m]);
    }

    /// Cuts a convex face into triangles around a point inside.
    fn add_center(&mut self, face: usize) {
        let corners = self.faces[face].clone();
        let n = corners.len();
        let at = |i: usize| self.points[corners[i % n] as usize];
        // Three corners of which the middle one is not straight span a triangle inside the face.
        let bend = (0..n).find(|i| (at(i + 1) - at(*i)).cross(at(i + 2) - at(i + 1)) != Vec3::ZERO);
        let Some(i) = bend else {
            return;
        };
        let center = (at(i) + at(i + 1) * 2.0 + at(i + 2)) / 4.0;
        let c = self.push(center);
        let fan = (0..n).map(|k| vec![c, corners[k], corners[(k + 1) % n]]);
        self.faces.extend(fan);
        self.faces.swap_remove(face);
    }

    /// Gives each face vertices of its own.
    fn unweld(&mut self) {
        let corners: Vec<u32> = self.faces.concat();
        self.points = corners.iter().map(|v| self.points[*v as usize]).collect();
        let mut next = 0..;
        for v in self.faces.iter_mut().flatten() {
            *v = next.next().unwrap();
        }
    }
}

/// Hulls of points on a small grid: faces with many corners, and with coplanar neighbours once they are cut, are common.
fn polytope() -> impl Strategy<Value = Polytope> {
    let coordinate = 0i32..5;
    prop::collection::vec((coordinate.clone(), coordinate.clone(), coordinate), 5..24)
        .prop_filter_map("flat", |points| {
            let points = points
                .iter()
                .map(|(x, y, z)| Vec3::from_array([*x, *y, *z].map(f64::from)));
            Polytope::from_points(&points.collect::<Vec<Vec3>>()).ok()
        })
}

/// What is done to a mesh, in this order.
#[derive(Debug, Clone)]
struct Damage {
    centers: Vec<Index>,
    needles: Vec<(Index, Index)>,
    copies: Vec<(Index, bool)>,
    unused: usize,
    is_unwelded: bool,
    flips: Vec<Index>,
}

fn damage() -> impl Strategy<Value = Damage> {
    let some = || prop::collection::vec(any::<Index>(), 0..4);
    let needles = prop::collection::vec(any::<(Index, Index)>(), 0..4);
    let copies = prop::collection::vec(any::<(Index, bool)>(), 0..3);
    (some(), needles, copies, 0usize..3, any::<bool>(), some()).prop_map(
        |(centers, needles, copies, unused, is_unwelded, flips)| Damage {
            centers,
            needles,
            copies,
            unused,
            is_unwelded,
            flips,
        },
    )
}

impl Damage {
    fn apply(&self, soup: &mut Soup) {
        for face in &self.centers {
            soup.add_center(face.index(soup.faces.len()));
        }
        for (face, edge) in &self.needles {
            let face = face.index(soup.faces.len());
            soup.add_needle(face, edge.index(soup.faces[face].len()));
        }
        for (face, is_reversed) in &self.copies {
            let mut copy = soup.faces[face.index(soup.faces.len())].clone();
            if *is_reversed {
                copy.reverse();
            }
            copy.rotate_left(1);
            soup.faces.push(copy);
        }
        if self.is_unwelded {
            soup.unweld();
        }
        for k in 0..self.unused {
            soup.push(Vec3::splat(100.0 + k as f64));
        }
        for face in &self.flips {
            let face = face.index(soup.faces.len());
            soup.faces[face].reverse();
        }
    }
}

/// Corners, middles of edges and points inside of all faces, which must be convex.
fn samples(mesh: &PolyMesh) -> Vec<Vec3> {
    let mut samples = Vec::new();
    for face in mesh.faces() {
        let corners: Vec<Vec3> = face.iter().map(|v| mesh.vertices()[*v as usize]).collect();
        let n = corners.len();
        samples.extend(&corners);
        samples.extend((0..n).map(|i| (corners[i] + corners[(i + 1) % n]) / 2.0));
        samples.extend((2..n).map(|i| (corners[0] * 2.0 + corners[i - 1] + corners[i]) / 4.0));
    }
    samples
}

/// The triangles of faces, which must be convex.
fn fans(mesh: &PolyMesh) -> Vec<[Vec3; 3]> {
    let fan = |face: &[u32]| -> Vec<[Vec3; 3]> {
        let triangles = (2..face.len()).map(|i| [face[0], face[i - 1], face[i]]);
        triangles
            .map(|t| t.map(|v| mesh.vertices()[v as usize]))
            .collect()
    };
    mesh.faces().flat_map(fan).collect()
}

fn assert_covers(cover: &PolyMesh, covered: &PolyMesh) {
    let triangles = fans(cover);
    for p in samples(covered) {
        assert!(
            triangles.iter().any(|t| point_in_triangle(p, t)),
            "{p} is lost"
        );
    }
}

/// Six times the enclosed volume: exact, as all numbers are small.
fn six_volumes(mesh: &PolyMesh) -> f64 {
    fans(mesh).iter().map(|[a, b, c]| a.cross(*b).dot(*c)).sum()
}

fn assert_solid(mesh: &PolyMesh) {
    let triangles = mesh.triangulate().triangles;
    Solid::new(TriMesh::new(mesh.vertices().to_vec(), triangles).unwrap()).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_broken_polytope_is_mended(polytope in polytope(), damage in damage()) {
        let good = Soup::of_polytope(&polytope);
        let mut broken = good.clone();
        damage.apply(&mut broken);
        let (good, broken) = (good.to_mesh(), broken.to_mesh());

        let (mended, report) = repair(&broken, &RepairOptions::default()).unwrap();
        let after = inspect(&mended);
        prop_assert!(after.is_clean(), "{report}\n{after}");
        for finding in report.findings.iter().filter(|f| !f.kind.is_note()) {
            prop_assert_eq!(&finding.action, &Action::Mended);
        }
        prop_assert_eq!(after.facts.convexity, Convexity::Convex);
        prop_assert_eq!(six_volumes(&mended), six_volumes(&good));
        assert_covers(&mended, &broken);
        assert_covers(&broken, &mended);
        assert_solid(&mended);

        // With everything extraneous merged, the polytope itself is left.
        let merge = RepairOptions { merge_coplanar: true, ..RepairOptions::default() };
        let (merged, _) = repair(&broken, &merge).unwrap();
        let after = inspect(&merged);
        prop_assert!(after.findings.is_empty(), "{after}");
        prop_assert_eq!(after.facts.vertices, polytope.vertices().len());
        prop_assert_eq!(after.facts.edges, polytope.edges().len());
        prop_assert_eq!(after.facts.faces, polytope.face_count());
        prop_assert_eq!(six_volumes(&merged), six_volumes(&good));
    }

    #[test]
    fn damage_is_found(polytope in polytope(), mut damage in damage()) {
        // Repeated faces, and two needles on the two sides of an edge, make edges of more than two faces.
        damage.copies.clear();
        damage.needles.truncate(1);
        let mut broken = Soup::of_polytope(&polytope);
        damage.apply(&mut broken);
        let mut turned: Vec<usize> = damage.flips.iter().map(|f| f.index(broken.faces.len())).collect();
        turned.sort_unstable();
        // Turned around twice is not turned.
        let turned: Vec<usize> = turned
            .chunk_by(|a, b| a == b)
            .filter(|same| same.len() % 2 == 1)
            .map(|same| same[0])
            .collect();
        let report = inspect(&broken.to_mesh());
        prop_assert_eq!(report.count(Defect::ZeroAreaFace), damage.needles.len());
        prop_assert_eq!(report.count(Defect::UnusedVertex), damage.unused);
        let points = &broken.points;
        let repeats = (0..points.len()).filter(|i| points[..*i].contains(&points[*i])).count();
        prop_assert_eq!(report.count(Defect::DuplicateVertex), repeats);
        prop_assert_eq!(report.count(Defect::NonManifoldEdge), 0);
        prop_assert_eq!(report.count(Defect::Hole), 0);
        if damage.needles.is_empty() {
            prop_assert_eq!(report.count(Defect::SelfIntersection), 0);
        }
        // All faces that were turned, and no other: outward is outward however many are not.
        let backfacing: Vec<Site> = turned.iter().map(|f| Site::Face(*f as u32)).collect();
        let found = report.finding(Defect::BackfacingFace).map_or(vec![], |f| f.sites.clone());
        prop_assert_eq!(found, backfacing);
    }

    #[test]
    fn a_missing_face_is_a_hole_and_nothing_else(polytope in polytope(), face: Index) {
        let mut broken = Soup::of_polytope(&polytope);
        let gone = broken.faces.swap_remove(face.index(polytope.face_count()));
        let report = inspect(&broken.to_mesh());
        let kinds: Vec<Defect> = report.findings.iter().map(|f| f.kind).collect();
        prop_assert_eq!(kinds, [Defect::Hole]);
        let is_right = |site: &Site| matches!(site, Site::Loop { edge: [a, b], length }
            if *length == gone.len() && gone.contains(a) && gone.contains(b));
        prop_assert!(report.findings[0].sites.iter().all(is_right));
        prop_assert_eq!(report.count(Defect::Hole), 1);
    }
}

/// The surface of some cubes of a 3 by 3 by 3 grid, as unit squares: not convex, with tunnels and cavities, and edges
/// and vertices that are not manifold.
fn voxels() -> impl Strategy<Value = PolyMesh> {
    prop::collection::vec(any::<bool>(), 27).prop_map(|filled| {
        let is_filled = |c: [i32; 3]| {
            c.iter().all(|x| (0..3).contains(x)) && filled[(c[0] + 3 * c[1] + 9 * c[2]) as usize]
        };
        let vertex = |c: [i32; 3]| (c[0] + 4 * c[1] + 16 * c[2]) as u32;
        let points: Vec<[i32; 3]> = (0..64).map(|i| [i % 4, i / 4 % 4, i / 16]).collect();
        let mut faces: Vec<[u32; 4]> = Vec::new();
        for cell in (0..27)
            .map(|i| [i % 3, i / 3 % 3, i / 9])
            .filter(|c| is_filled(*c))
        {
            for (axis, side) in (0..6).map(|i| (i % 3, i / 3)) {
                let mut next = cell;
                next[axis] += 2 * side as i32 - 1;
                if is_filled(next) {
                    continue;
                }
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let corner = |du: i32, dv: i32| {
                    let mut c = cell;
                    c[axis] += side as i32;
                    c[u] += du;
                    c[v] += dv;
                    vertex(c)
                };
                let mut quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                if side == 0 {
                    quad.reverse();
                }
                faces.push(quad);
            }
        }
        mesh(&points, &faces)
    })
}

/// Any faces, of fewer corners than given, over the points of a small grid.
fn garbage(corners: usize) -> impl Strategy<Value = PolyMesh> {
    let face = prop::collection::vec(0u32..27, 3..corners);
    prop::collection::vec(face, 1..14).prop_map(|faces| {
        let points: Vec<[i32; 3]> = (0..27).map(|i| [i % 3, i / 3 % 3, i / 9]).collect();
        mesh(&points, &faces)
    })
}

/// Any faces over points of all magnitudes.
fn wild_garbage() -> impl Strategy<Value = PolyMesh> {
    let numbers = vec![
        0.0,
        1.0,
        -0.5,
        1e-320,
        3e-160,
        1e-20,
        1e20,
        7e150,
        -1e308,
        f64::MAX,
    ];
    let number = prop::sample::select(numbers);
    let point = [number.clone(), number.clone(), number].prop_map(Vec3::from_array);
    let points = prop::collection::vec(point, 8);
    let faces = prop::collection::vec(prop::collection::vec(0u32..8, 3..6), 1..14);
    (points, faces).prop_map(|(points, faces)| float_mesh(points, &faces))
}

fn has_area(mesh: &PolyMesh, face: &[u32]) -> bool {
    let [a, b, c] = [0, 1, 2].map(|k| mesh.vertices()[face[k] as usize]);
    (b - a).cross(c - a) != Vec3::ZERO
}

/// An edge of many faces has two once some of them are merged; then these two must agree.
#[test]
fn faces_agree_after_merging() {
    let points = [
        [0.0; 3],
        [0.0; 3],
        [3e-160, 1e-320, 3e-160],
        [-0.5, 1e-320, -0.5],
        [0.0, 1.0, 0.0],
        [0.0; 3],
        [f64::MAX, 1e-320, 0.0],
        [0.0, 1e-320, 1e-20],
    ];
    let faces: [&[u32]; 6] = [
        &[3, 0, 0],
        &[6, 2, 0],
        &[6, 4, 5],
        &[2, 3, 7, 6],
        &[3, 6, 4, 2],
        &[6, 3, 0],
    ];
    let mesh = float_mesh(points.map(Vec3::from_array).to_vec(), &faces);
    let options = RepairOptions {
        merge_coplanar: true,
        ..RepairOptions::default()
    };
    let (mended, report) = repair(&mesh, &options).unwrap();
    let after = inspect(&mended);
    assert_eq!(after.count(Defect::BackfacingFace), 0, "{report}\n{after}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn merging_keeps_the_set(solid in voxels()) {
        let before = inspect(&solid);
        let merge = RepairOptions { merge_coplanar: true, ..RepairOptions::default() };
        let (merged, report) = repair(&solid, &merge).unwrap();
        let after = inspect(&merged);
        prop_assert_eq!(six_volumes(&merged), six_volumes(&solid));
        prop_assert!((after.facts.area - before.facts.area).abs() < 1e-9);
        assert_covers(&merged, &solid);
        assert_covers(&solid, &merged);
        prop_assert_eq!(after.facts.balanced, before.facts.balanced);
        for kind in Defect::ALL {
            if !kind.is_note() && kind != Defect::SelfIntersection {
                prop_assert!(after.count(kind) <= before.count(kind), "{report}\n{after}");
            }
        }
    }

    #[test]
    fn anything_can_be_mended(garbage in garbage(6)) {
        let (mended, report) = repair(&garbage, &RepairOptions::default()).unwrap();
        let after = inspect(&mended);
        for kind in [
            Defect::DuplicateVertex,
            Defect::UnusedVertex,
            Defect::ZeroAreaFace,
            Defect::NonConvexFace,
            Defect::BackfacingFace,
            Defect::InvertedComponent,
        ] {
            prop_assert_eq!(after.count(kind), 0, "{}\n{}", report, after);
        }
        let (again, second) = repair(&mended, &RepairOptions::default()).unwrap();
        prop_assert!(second.changes.is_empty(), "{second}");
        prop_assert_eq!(again, mended);
    }

    #[test]
    fn triangles_stay_the_same_set(garbage in garbage(4), merge_coplanar: bool) {
        let options = RepairOptions { merge_coplanar, ..RepairOptions::default() };
        let (mended, _) = repair(&garbage, &options).unwrap();
        assert_covers(&garbage, &mended);
        let with_area: Vec<&[u32]> = garbage.faces().filter(|f| has_area(&garbage, f)).collect();
        assert_covers(&mended, &float_mesh(garbage.vertices().to_vec(), &with_area));
    }

    #[test]
    fn any_coordinates_can_be_mended(garbage in wild_garbage(), weld in prop::sample::select(vec![0.0, 1e-300, 1.0, 1e300])) {
        let options = RepairOptions { weld_tolerance: weld, merge_coplanar: true, ..RepairOptions::default() };
        let (mended, _) = repair(&garbage, &options).unwrap();
        let after = inspect(&mended);
        for kind in [Defect::DuplicateVertex, Defect::UnusedVertex, Defect::ZeroAreaFace, Defect::BackfacingFace] {
            prop_assert_eq!(after.count(kind), 0, "{}", after);
        }
    }
}
