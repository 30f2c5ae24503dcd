//! Quinlan's and Hubbard's trees: that they hold the surface, level by level, and answer as everything else does.

use crate::cases::rng;
use crate::is_full;
use crate::meshes::closed_box;
use crate::shapes::kinds::point;
use impinge::bvh::{BoundingSphere, Content, Hubbard, Quinlan, Tree, TreeSearch};
use impinge::{Pose, Shape, TriMesh, Vec3, query};
use impinge_scenes::knots::torus_knot;
use rand::{Rng, RngExt};
use std::borrow::Borrow;
use std::sync::Arc;

/// A closed box with sides of very different lengths: large triangles, and a solid.
fn slab() -> TriMesh {
    closed_box(Vec3::new(1.0, 0.7, 0.1))
}

/// Triangles of all sizes, needles and points among them.
fn soup(rng: &mut impl Rng, count: u32) -> TriMesh {
    let mut vertices = Vec::new();
    for k in 0..count {
        let (at, size) = (point(rng), 10f64.powf(rng.random_range(-2.0..0.5)));
        let [p, q, r] = [(); 3].map(|()| at + point(rng) * size);
        vertices.extend(match k % 4 {
            0 => [p, q, p.lerp(q, 0.3)],
            1 => [p, p, p],
            _ => [p, q, r],
        });
    }
    let triangles = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    TriMesh::new(vertices, triangles.collect()).unwrap()
}

fn meshes() -> Vec<Arc<TriMesh>> {
    let mut rng = rng(301);
    let flat = TriMesh::new(
        vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)],
        vec![[0, 1, 2], [1, 3, 2]],
    );
    let meshes = [
        slab(),
        torus_knot(2, 3, 600).unwrap(),
        soup(&mut rng, 40),
        flat.unwrap(),
        TriMesh::new(vec![Vec3::ONE; 3], vec![[0, 1, 2]]).unwrap(),
    ];
    meshes.map(Arc::new).to_vec()
}

/// Checks that points of triangles are in a leaf that names the triangle, and in all nodes above it.
fn check_cover<T: Tree<Bound = BoundingSphere>>(tree: &T, rng: &mut impl Rng) {
    let frame = tree.frame();
    for triangle in 0..tree.triangles() as u32 {
        for _ in 0..4 {
            let [p, q, r] = tree.corners(triangle);
            let (x, y) = (rng.random_range(0.0..1.0), rng.random_range(0.0..1.0_f64));
            let (x, y) = if x + y > 1.0 {
                (1.0 - x, 1.0 - y)
            } else {
                (x, y)
            };
            let place = frame.enter(p + (q - p) * x + (r - p) * y);
            assert!(is_covered(tree, triangle, place), "{triangle} at {place}");
        }
    }
}

fn is_covered<T: Tree<Bound = BoundingSphere>>(tree: &T, triangle: u32, place: Vec3) -> bool {
    let mut open = vec![tree.root()];
    while let Some(node) = open.pop() {
        let ball = *tree.bound(node).borrow();
        // The place itself is rounded.
        if ball.center.distance(place) > ball.radius + 1e-14 {
            continue;
        }
        match tree.content(node) {
            Content::Children(children) => open.extend(children),
            Content::Triangles(triangles) if triangles.contains(&triangle) => return true,
            Content::Triangles(_) => (),
        }
    }
    false
}

#[test]
fn tiles_cover_the_triangles() {
    let mut rng = rng(302);
    for mesh in meshes() {
        check_cover(&Quinlan::usual(Arc::clone(&mesh)), &mut rng);
        for radius in [0.05, 0.3, 1e3] {
            let tree = Quinlan::new(Arc::clone(&mesh), radius).unwrap();
            check_cover(&tree, &mut rng);
            assert!(tree.tiles() >= mesh.triangles().len());
        }
    }
    let large = Quinlan::new(meshes()[0].clone(), 0.05).unwrap();
    assert!(large.tiles() > 500, "{}", large.tiles());
    assert!(Quinlan::new(meshes()[0].clone(), 0.0).is_err());
    assert!(Quinlan::new(meshes()[0].clone(), f64::NAN).is_err());
}

#[test]
fn every_level_covers_the_surface() {
    let mut rng = rng(303);
    for mesh in meshes() {
        for samples in [4, 60, 700] {
            let tree = Hubbard::new(Arc::clone(&mesh), samples).unwrap();
            check_cover(&tree, &mut rng);
            check_levels(&tree, &mesh, &mut rng);
        }
    }
    assert!(Hubbard::new(meshes()[0].clone(), 3).is_err());
}

fn check_levels(tree: &Hubbard, mesh: &TriMesh, rng: &mut impl Rng) {
    for level in 0..tree.levels() {
        let spheres: Vec<(Vec3, f64)> = tree.spheres(level).collect();
        for _ in 0..60 {
            let [p, q, r] = mesh.corners(rng.random_range(0..mesh.triangles().len()));
            let (x, y) = (rng.random_range(0.0..0.5), rng.random_range(0.0..0.5));
            let place = p + (q - p) * x + (r - p) * y;
            let holds = |(center, radius): &(Vec3, f64)| center.distance(place) <= radius + 1e-12;
            assert!(spheres.iter().any(holds), "{place} on level {level}");
        }
    }
}

#[test]
fn nodes_have_up_to_eight_children_and_levels_get_finer() {
    let knot = Arc::new(torus_knot(2, 3, 2000).unwrap());
    let tree = Hubbard::new(Arc::clone(&knot), 2000).unwrap();
    assert!(tree.levels() >= 4, "{}", tree.levels());
    let mut open = vec![tree.root()];
    let mut inner = 0;
    while let Some(node) = open.pop() {
        if let Content::Children(children) = tree.content(node) {
            assert!((2..=8).contains(&children.len()));
            inner += 1;
            open.extend(children);
        }
    }
    assert!(inner > 50);
    let largest = |level: usize| tree.spheres(level).map(|(_, r)| r).fold(0.0, f64::max);
    for level in 1..tree.levels() {
        assert!(largest(level) <= 1.05 * largest(level - 1), "{level}");
    }
    assert!(largest(3) < 0.5 * largest(0));
    // The knot's tube is thin: its spheres are not much wider.
    let count = tree.spheres(tree.levels() - 1).count();
    assert!(count > 300, "{count}");
}

#[test]
fn spheres_of_a_ball_come_from_its_skeleton() {
    let ball = impinge::Polytope::from_points(&impinge_scenes::points::on_sphere(300, 5)).unwrap();
    let fans = (0..ball.face_count()).flat_map(|f| {
        let face = ball.face(f).to_vec();
        (1..face.len() - 1).map(move |k| [face[0], face[k], face[k + 1]])
    });
    let mesh = TriMesh::new(ball.vertices().to_vec(), fans.collect()).unwrap();
    let tree = Hubbard::new(Arc::new(mesh), 400).unwrap();
    let finest: Vec<(Vec3, f64)> = tree.spheres(tree.levels() - 1).collect();
    // The skeleton of a polytope reaches from its middle to its edges, and never out of it.
    let depths = finest.iter().map(|(center, _)| center.length());
    assert!(depths.clone().all(|depth| depth < 1.0));
    assert!(depths.fold(1.0, f64::min) < 0.5);
    assert!(finest.len() > 50, "{}", finest.len());
}

#[test]
fn answers_are_those_of_queries() {
    let mut rng = rng(304);
    let rounds = if is_full() { 300 } else { 12 };
    let meshes = meshes();
    let tiled: Vec<Quinlan> = meshes.iter().map(|m| Quinlan::usual(m.clone())).collect();
    let skeletal: Vec<Hubbard> = meshes.iter().map(|m| Hubbard::usual(m.clone())).collect();
    let mut search = TreeSearch::default();
    let mut met = 0;
    for round in 0..rounds {
        let [i, j] = [(); 2].map(|()| rng.random_range(0..meshes.len()));
        let at = if round % 3 == 0 {
            (point(&mut rng) * 4.0).round() * 0.5
        } else {
            point(&mut rng) * rng.random_range(0.5..3.0)
        };
        let angle = f64::from(round % 2) * 0.7;
        let (p, q) = (
            Pose::IDENTITY,
            Pose::from_axis_angle(Vec3::ONE, angle, at).unwrap(),
        );
        let shapes = [&meshes[i], &meshes[j]].map(|mesh| Shape::Mesh(Arc::clone(mesh)));
        let expected = query::distance(shapes[0].at(p), shapes[1].at(q));
        let (a, b) = (tiled[i].at(p), tiled[j].at(q));
        let meeting = search.meeting(a, b);
        assert_eq!(meeting.is_some(), expected.distance == 0.0, "{round}");
        met += usize::from(meeting.is_some());
        let (c, d) = (skeletal[i].at(p), skeletal[j].at(q));
        assert_eq!(search.meeting(c, d).is_some(), meeting.is_some());
        for found in [search.distance(a, b, None), search.distance(c, d, None)] {
            assert_eq!(found.distance == 0.0, expected.distance == 0.0);
            assert!(found.bounds.lower <= expected.bounds.upper);
            assert!(expected.bounds.lower <= found.bounds.upper);
        }
    }
    assert!(met > 0 && met < rounds as usize);
}

#[test]
fn no_pair_of_triangles_is_measured_twice() {
    let slab = Arc::new(slab());
    let tree = Quinlan::new(Arc::clone(&slab), 0.05).unwrap();
    let beside = Pose::from_translation(Vec3::Z * 0.3).unwrap();
    let mut search = TreeSearch::default();
    search.distance(tree.at(Pose::IDENTITY), tree.at(beside), None);
    let pairs = search.work().triangle_pairs;
    assert!(pairs <= 144, "{pairs}");
    assert!(search.work().node_pairs > 1000, "{:?}", search.work());
}
