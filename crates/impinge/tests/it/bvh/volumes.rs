//! Single volumes: they never say no wrongly, and never claim too much distance.

use super::Truth;
use crate::cases::rng;
use crate::is_full;
use crate::meshes::soup;
use crate::shapes::kinds::{FAMILIES, poses};
use impinge::bvh::{
    Bound, BoundingSphere, HullBound, Kdop, Lss, Obb, Pss, Relative, Rss, Shell, SweptAny,
    TreeFrame,
};
use impinge::{Aabb, Mat3, Pose, TriMesh, Vec3};
use rand::RngExt;
use std::sync::Arc;

/// Two meshes somewhere.
struct Case {
    meshes: [Arc<TriMesh>; 2],
    poses: [Pose; 2],
    truth: Truth,
    what: String,
}

impl Case {
    fn new(meshes: [Arc<TriMesh>; 2], poses: [Pose; 2], what: String) -> Case {
        let truth = Truth::new(&meshes, &poses);
        Case {
            meshes,
            poses,
            truth,
            what,
        }
    }

    /// Puts one volume around each mesh, and asks it both ways round.
    fn check<B: Bound>(&self, fit: impl Fn(&[[Vec3; 3]]) -> B) {
        let frames = [0, 1].map(|k| TreeFrame::of(&self.meshes[k]));
        let bounds = [0, 1].map(|k| {
            let mesh = &self.meshes[k];
            let corners =
                (0..mesh.triangles().len()).map(|t| mesh.corners(t).map(|v| frames[k].enter(v)));
            fit(&corners.collect::<Vec<_>>())
        });
        for [i, j] in [[0, 1], [1, 0]] {
            let relative = Relative::new(&frames[i], &self.poses[i], &frames[j], &self.poses[j]);
            let relation = B::relate(&relative);
            let (a, b) = (&bounds[i], &bounds[j]);
            let what = format!("{}: {a:?}, {b:?}", self.what);
            assert!(a.overlaps(b, &relation) || !self.truth.meet, "{what}");
            for enough in [0.0, 0.1, f64::INFINITY] {
                let below = a.distance_below(b, &relation, enough);
                let above = relative.units_above(self.truth.bounds.upper);
                let is_bound = below <= above || below.is_nan();
                assert!(is_bound, "{what}: {below}, {above}");
            }
            assert!(a.size() >= 0.0 && a.bytes() >= size_of::<B>(), "{what}");
        }
    }

    fn check_all(&self) {
        self.check(Aabb::fit);
        self.check(Obb::fit);
        self.check(Obb::of_vertices);
        self.check(Obb::of_hull);
        self.check(Kdop::<6>::fit);
        self.check(Kdop::<14>::fit);
        self.check(Kdop::<18>::fit);
        self.check(Kdop::<26>::fit);
        self.check(BoundingSphere::fit);
        self.check(HullBound::fit);
        self.check(Shell::fit);
        self.check(Pss::fit);
        self.check(Lss::fit);
        self.check(Rss::fit);
        self.check(SweptAny::fit);
    }
}

#[test]
fn no_volume_says_no_wrongly_or_claims_too_much_distance() {
    let rounds = if is_full() { 3000 } else { 40 };
    let mut rng = rng(171);
    for family in FAMILIES {
        for round in 0..rounds {
            let counts = [(); 2].map(|()| [1, 1, 2, 4, 30][rng.random_range(0..5)]);
            let meshes = counts.map(|count| Arc::new(soup(&mut rng, count, family)));
            let poses = poses(&mut rng, family);
            Case::new(meshes, poses, format!("{family:?} {round}")).check_all();
        }
    }
}

/// A mesh of one triangle.
fn triangle(corners: [Vec3; 3]) -> Arc<TriMesh> {
    Arc::new(TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap())
}

#[test]
fn flat_thin_and_touching_triangles_are_found() {
    let rounds = if is_full() { 20_000 } else { 300 };
    let mut rng = rng(172);
    let mut meeting = 0;
    for round in 0..rounds {
        let mut point = || {
            let mut x = || rng.random_range(-1.0..1.0_f64);
            Vec3::new(x(), x(), x())
        };
        let thin = 10_f64.powi(-round % 20);
        let size = 10_f64.powi(7 * (round % 5) - 14);
        let [p, q, r] = [point(), point(), point()];
        // A needle, and another triangle with a corner on one of its corners.
        let needle = [p, q, p.lerp(q, 0.4) + r * thin].map(|v| v * size);
        let turn = Mat3::from_quat(impinge::Quat::from_scaled_axis(point()));
        let other = [needle[2], point() * size, point() * size];
        let meshes = [triangle(needle), triangle(other)];
        for away in [0.0, thin * size, 1e-15 * size, -1e-15 * size] {
            // Both turned alike: corners that were the same stay the same where they are moved alike.
            let at = point() * size;
            let poses = [
                Pose::from_matrix(turn, at).unwrap(),
                Pose::from_matrix(turn, at + Vec3::Z * away).unwrap(),
            ];
            let case = Case::new(meshes.clone(), poses, format!("{round} {away}"));
            meeting += usize::from(case.truth.meet);
            case.check_all();
        }
    }
    assert!(meeting > rounds as usize, "{meeting}");
}

#[test]
fn volumes_are_tight_where_they_should_be() {
    // Two long thin plates across the diagonal, one above the other.
    let plate = [
        Vec3::new(-1.0, -0.9, -1.0),
        Vec3::new(1.0, 1.1, 1.0),
        Vec3::new(-1.0, -1.1, -1.0),
    ];
    let mesh = triangle(plate);
    let frame = TreeFrame::of(&mesh);
    let above = Pose::from_translation(Vec3::new(0.5, 0.0, -0.5)).unwrap();
    let relative = Relative::new(&frame, &Pose::IDENTITY, &frame, &above);
    let corners = [plate.map(|v| frame.enter(v))];
    let gap = |below: f64| below * frame.unit();
    // The plates are 1 / sqrt(2) apart.
    let obb = Obb::fit(&corners);
    assert!(gap(obb.distance_below(&obb, &relative, f64::INFINITY)) > 0.7);
    let rss = Rss::fit(&corners);
    assert!(gap(rss.distance_below(&rss, &relative, f64::INFINITY)) > 0.7);
    let hull = HullBound::fit(&corners);
    assert!(gap(hull.distance_below(&hull, &relative, f64::INFINITY)) > 0.7);
    let (upright, relation) = (Aabb::fit(&corners), Aabb::relate(&relative));
    assert!(Bound::overlaps(&upright, &upright, &relation));
}

#[test]
fn a_shell_follows_the_curvature() {
    // A cap of a sphere of radius 1, and the same a little farther out: boxes overlap, shells do not.
    let cap = |radius: f64| {
        let at = |i: u32, j: u32| {
            let (x, y) = (f64::from(i) / 8.0 - 0.5, f64::from(j) / 8.0 - 0.5);
            Vec3::new(x, y, 1.0).normalize() * radius
        };
        let cells = (0..8).flat_map(|i| (0..8).map(move |j| (i, j)));
        let mut triangles = Vec::new();
        for (i, j) in cells {
            let [p, q, r, s] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[p, q, r], [p, r, s]]);
        }
        triangles
    };
    let (inner, outer) = (cap(1.0), cap(1.05));
    let unit = Arc::new(
        TriMesh::new(
            vec![Vec3::splat(-2.0), Vec3::splat(2.0), Vec3::ZERO],
            vec![[0, 1, 2]],
        )
        .unwrap(),
    );
    let frame = TreeFrame::of(&unit);
    let relative = Relative::new(&frame, &Pose::IDENTITY, &frame, &Pose::IDENTITY);
    let [a, b] = [&inner, &outer].map(|cap| {
        let corners: Vec<_> = cap.iter().map(|t| t.map(|v| frame.enter(v))).collect();
        (Shell::fit(&corners), Obb::fit(&corners))
    });
    assert!(!a.0.overlaps(&b.0, &relative));
    assert!(a.0.distance_below(&b.0, &relative, f64::INFINITY) * frame.unit() > 0.03);
    assert!(a.1.overlaps(&b.1, &relative));
}
