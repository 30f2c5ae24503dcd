//! All triangles that meet, and what is made of them for a response, against every pair.

use super::{factor_of, on_path, ring, scale, soup};
use crate::cases::rng;
use crate::is_full;
use crate::oracle::triangles_meet;
use crate::shapes::kinds::{FAMILIES, Family, HALF_SPACE, KINDS, poses, shape};
use impinge::exact::{SECTION_ERROR, Section, hull_distance};
use impinge::{
    Feature, Manifold, Placed, Polytope, Pose, Quat, Shape, Solid, TriMesh, Vec3, query, reference,
};
use rand::RngExt;

fn mesh_of<'a>(placed: &Placed<'a>) -> &'a TriMesh {
    match placed.shape {
        Shape::Mesh(mesh) => mesh,
        Shape::Solid(solid) => solid.mesh(),
        _ => panic!("a mesh"),
    }
}

fn placed_triangles(placed: &Placed<'_>) -> Vec<[Vec3; 3]> {
    let mesh = mesh_of(placed);
    let corners = (0..mesh.triangles().len()).map(|t| mesh.corners(t));
    corners.map(|c| c.map(|p| placed.pose.place(p))).collect()
}

/// How many pairs met in a point, a segment and a polygon.
fn check(a: Placed<'_>, b: Placed<'_>, what: &str) -> [usize; 3] {
    let (p, q) = (placed_triangles(&a), placed_triangles(&b));
    let mut expected = Vec::new();
    for (i, s) in p.iter().enumerate() {
        for (j, t) in q.iter().enumerate() {
            let [low, high] = [s, t].map(|t| t.iter().copied().reduce(Vec3::min).unwrap());
            let [top_s, top_t] = [s, t].map(|t| t.iter().copied().reduce(Vec3::max).unwrap());
            let may_meet = low.cmple(top_t).all() && high.cmple(top_s).all();
            if may_meet && triangles_meet(s, t) {
                expected.push([i as u32, j as u32]);
            }
        }
    }
    let found = query::mesh_contacts(a, b).unwrap();
    let pairs: Vec<[u32; 2]> = found.iter().map(|contact| contact.triangles).collect();
    assert_eq!(pairs, expected, "{what}");
    let swapped: Vec<[u32; 2]> = query::mesh_contacts(b, a)
        .unwrap()
        .iter()
        .map(|contact| [contact.triangles[1], contact.triangles[0]])
        .collect();
    assert!(swapped.iter().all(|pair| expected.contains(pair)), "{what}");
    assert_eq!(swapped.len(), expected.len(), "{what}");
    let mut kinds = [0; 3];
    for contact in &found {
        let [s, t] = [
            p[contact.triangles[0] as usize],
            q[contact.triangles[1] as usize],
        ];
        let size = [s, t]
            .as_flattened()
            .iter()
            .fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
        for point in contact.section.points() {
            for triangle in [s, t] {
                let off = hull_distance(&triangle, &[*point]).distance;
                assert!(
                    off <= 2.0 * SECTION_ERROR * size + 1e-307,
                    "{what}: {contact:?}, {off}"
                );
            }
        }
        kinds[contact.section.points().len().min(3) - 1] += 1;
        let is_polygon = matches!(contact.section, Section::Polygon(_));
        assert_eq!(is_polygon, contact.section.points().len() > 2, "{what}");
    }
    kinds
}

#[test]
fn all_pairs_of_soups_that_meet_are_found() {
    let rounds = if is_full() { 300 } else { 12 };
    let mut rng = rng(101);
    for family in FAMILIES {
        let mut kinds = [0; 3];
        let is_snapped = family == Family::Snapped;
        for round in 0..if is_snapped { 6 * rounds } else { rounds } {
            let counts = [(); 2].map(|()| [1, 2, 3, 5, 9, 30][rng.random_range(0..6)]);
            let [a, b] = counts.map(|count| Shape::from(soup(&mut rng, count, family)));
            let [p, q] = poses(&mut rng, family);
            let share = if is_snapped { 1.0 } else { 0.25 };
            let near = p.translation().lerp(q.translation(), share);
            let q = Pose::from_matrix(*q.matrix(), near).unwrap();
            let found = check(a.at(p), b.at(q), &format!("{family:?} {round}"));
            for k in 0..3 {
                kinds[k] += found[k];
            }
        }
        assert!(kinds[1] > 0, "{family:?}: {kinds:?}");
        assert!(!is_snapped || kinds[0] > 5, "{family:?}: {kinds:?}");
    }
}

#[test]
fn all_pairs_of_surfaces_that_meet_are_found() {
    let (a, b) = (
        Shape::from(ring(40, 12, 0.3)),
        Shape::from(ring(30, 9, 0.2)),
    );
    let steps = if is_full() { 100 } else { 8 };
    let mut count = 0;
    for step in 0..steps {
        let pose = on_path(0.4 + 0.2 * f64::from(step) / f64::from(steps));
        let what = format!("step {step}");
        count += check(a.at(Pose::IDENTITY), b.at(pose), &what)[1];
    }
    assert!(count > 100, "{count}");
    // A surface on itself: every triangle meets itself in a polygon.
    let kinds = check(b.at(Pose::IDENTITY), b.at(Pose::IDENTITY), "itself");
    assert!(kinds[2] >= 540, "{kinds:?}");
}

#[test]
fn sizes_far_from_ordinary_are_no_trouble() {
    let mut rng = rng(102);
    for size in [1e-300, 1e-160, 1e-40, 1e40, 1e150, 1e300] {
        for round in 0..6 {
            let [a, b] = [(); 2].map(|()| Shape::from(soup(&mut rng, 6, Family::Scaled(size))));
            check(
                a.at(Pose::IDENTITY),
                b.at(Pose::IDENTITY),
                &format!("{size} {round}"),
            );
        }
    }
}

#[test]
fn triangles_that_meet_a_convex_shape_are_found() {
    let rounds = if is_full() { 60 } else { 3 };
    let mut rng = rng(103);
    let mut meeting = 0;
    for family in FAMILIES {
        for kind in (0..KINDS).filter(|kind| !(4..=7).contains(kind)) {
            for round in 0..rounds {
                let count = [1, 2, 3, 6, 30][rng.random_range(0..5)];
                let mesh = Shape::from(soup(&mut rng, count, family));
                let other = shape(&mut rng, kind, family);
                let rounded = (kind != HALF_SPACE && round % 2 == 1)
                    .then(|| other.clone().rounded(0.3 * factor_of(family)).unwrap());
                let other = rounded.unwrap_or(other);
                let [p, q] = poses(&mut rng, family);
                let (mesh, other) = (mesh.at(p), other.at(q));
                let alone = |t: &u32| {
                    let corners = mesh_of(&mesh).corners(*t as usize).to_vec();
                    let alone = Shape::from(TriMesh::new(corners, vec![[0, 1, 2]]).unwrap());
                    reference::intersects(alone.at(p), other)
                };
                let all = 0..mesh_of(&mesh).triangles().len() as u32;
                let expected: Vec<u32> = all.filter(alone).collect();
                meeting += expected.len();
                let found = query::meeting_triangles(mesh, other).unwrap();
                assert_eq!(found, expected, "{family:?}, kind {kind}, {round}");
                check_manifold(mesh, other, &format!("{family:?}, kind {kind}, {round}"));
            }
        }
    }
    assert!(meeting > 200, "{meeting}");
}

#[test]
fn other_shapes_are_refused() {
    let (ball, mesh) = (Shape::sphere(1.0).unwrap(), Shape::from(ring(8, 4, 0.3)));
    let (ball, mesh) = (ball.at(Pose::IDENTITY), mesh.at(Pose::IDENTITY));
    assert!(query::mesh_contacts(ball, mesh).is_err());
    assert!(query::meeting_triangles(ball, mesh).is_err());
    assert!(query::meeting_triangles(mesh, mesh).is_err());
    assert!(query::manifold(ball, ball).is_err());
}

/// What a manifold promises.
fn check_manifold(a: Placed<'_>, b: Placed<'_>, what: &str) -> Option<Manifold> {
    let manifold = query::manifold(a, b).unwrap()?;
    assert!(
        (manifold.normal.length() - 1.0).abs() < 1e-12,
        "{what}: {manifold:?}"
    );
    assert!(
        manifold.depth >= 0.0 && manifold.depth.is_finite(),
        "{what}: {manifold:?}"
    );
    assert!(
        (1..=8).contains(&manifold.points.len()),
        "{what}: {manifold:?}"
    );
    let size = scale(&a) + scale(&b);
    for point in &manifold.points {
        let at = Pose::from_translation(point.point).unwrap();
        let dot = Shape::sphere(0.0).unwrap();
        for placed in [a, b] {
            let off = reference::distance(placed, dot.at(at)).distance;
            assert!(off <= 1e-9 * size, "{what}: {point:?} is off by {off}");
        }
    }
    let back = query::manifold(b, a).unwrap().unwrap();
    assert_eq!(back.points.len(), manifold.points.len(), "{what}");
    if a.shape.is_convex() || b.shape.is_convex() {
        assert_eq!(back.normal, -manifold.normal, "{what}");
        assert_eq!(back.depth, manifold.depth, "{what}");
    }
    Some(manifold)
}

/// After the move, the pairs that met have come apart.
fn check_way_out(a: Placed<'_>, b: Placed<'_>, manifold: &Manifold, what: &str) {
    let way = manifold.normal * (manifold.depth * (1.0 + 1e-9) + 1e-9 * scale(&a));
    for contact in query::mesh_contacts(a, b).unwrap() {
        let [p, q] = contact.triangles;
        let corners = mesh_of(&a).corners(p as usize).map(|v| a.pose.place(v));
        let moved = mesh_of(&b)
            .corners(q as usize)
            .map(|v| b.pose.place(v) + way);
        assert!(
            !triangles_meet(&corners, &moved),
            "{what}: {contact:?}, {manifold:?}"
        );
    }
}

#[test]
fn manifolds_keep_their_promises() {
    let (a, b) = (
        Shape::from(Solid::new(ring(40, 12, 0.3)).unwrap()),
        Shape::from(ring(30, 9, 0.2)),
    );
    let mut met = 0;
    for step in 0..12 {
        let pose = on_path(0.3 + 0.4 * f64::from(step) / 12.0);
        let (a, b) = (a.at(Pose::IDENTITY), b.at(pose));
        let what = format!("step {step}");
        assert_eq!(
            query::manifold(a, b).unwrap().is_some(),
            !query::mesh_contacts(a, b).unwrap().is_empty()
        );
        if let Some(manifold) = check_manifold(a, b, &what) {
            check_way_out(a, b, &manifold, &what);
            met += 1;
        }
    }
    assert!(met > 3, "{met}");
    let mut rng = rng(104);
    for family in [Family::Random, Family::Snapped, Family::Degenerate] {
        for round in 0..20 {
            let [a, b] = [(); 2].map(|()| Shape::from(soup(&mut rng, 5, family)));
            let [p, q] = poses(&mut rng, family);
            let what = format!("{family:?} {round}");
            if let Some(manifold) = check_manifold(a.at(p), b.at(q), &what) {
                check_way_out(a.at(p), b.at(q), &manifold, &what);
            }
        }
    }
}

#[test]
fn known_manifolds_are_found() {
    let cube = Polytope::cuboid(Vec3::ONE).unwrap().to_mesh();
    let solid = Shape::from(Solid::new(cube.clone()).unwrap());
    let surface = Shape::from(cube);
    let shift = |x: f64, y: f64, z: f64| Pose::from_translation(Vec3::new(x, y, z)).unwrap();
    // On top of each other, and a little inside: the corners of the square that they have in common.
    for height in [2.0, 1.875] {
        let found = query::manifold(solid.at(Pose::IDENTITY), solid.at(shift(0.5, 0.5, height)));
        let found = found.unwrap().unwrap();
        assert!((found.normal - Vec3::Z).length() < 1e-12, "{found:?}");
        assert!((found.depth - (2.0 - height)).abs() < 1e-12, "{found:?}");
        for corner in [[-0.5, -0.5], [1.0, -0.5], [1.0, 1.0], [-0.5, 1.0]] {
            let is_there = |p: &impinge::contact::ManifoldPoint| {
                (p.point.truncate() - impinge::Vec3::new(corner[0], corner[1], 0.0).truncate())
                    .length()
                    < 1e-12
            };
            assert!(found.points.iter().any(is_there), "{corner:?}: {found:?}");
        }
    }
    // A ball that dips into a face, from either side of a surface, and a floor under a cube.
    let ball = Shape::sphere(0.5).unwrap();
    let found = query::manifold(surface.at(Pose::IDENTITY), ball.at(shift(1.25, 0.1, 0.2)));
    let found = found.unwrap().unwrap();
    assert!((found.normal - Vec3::X).length() < 1e-12 && (found.depth - 0.25).abs() < 1e-12);
    assert!(matches!(found.points[0].features, [Feature::Face(_), _]));
    let found = query::manifold(surface.at(Pose::IDENTITY), ball.at(shift(0.75, 0.1, 0.2)));
    let found = found.unwrap().unwrap();
    assert!((found.normal + Vec3::X).length() < 1e-12 && (found.depth - 0.25).abs() < 1e-12);
    let found = query::manifold(solid.at(Pose::IDENTITY), ball.at(shift(0.75, 0.1, 0.2)));
    assert!((found.unwrap().unwrap().depth - 0.75).abs() < 1e-12);
    let floor = Shape::half_space(Vec3::Z * 3.0, -2.25).unwrap();
    let found = query::manifold(floor.at(Pose::IDENTITY), surface.at(Pose::IDENTITY));
    let found = found.unwrap().unwrap();
    assert!((found.normal - Vec3::Z).length() < 1e-12 && (found.depth - 0.25).abs() < 1e-12);
    assert!(
        query::manifold(solid.at(Pose::IDENTITY), ball.at(Pose::IDENTITY))
            .unwrap()
            .is_none()
    );
}

#[test]
fn half_spaces_are_left_along_their_normals() {
    let mut rng = rng(105);
    let (mut met, size) = (0, Vec3::new(0.5, 0.7, 0.4));
    let cube = Polytope::cuboid(size).unwrap();
    let surface = Shape::from(cube.to_mesh());
    let solid = Shape::from(Solid::new(cube.to_mesh()).unwrap());
    let cube = Shape::from(cube);
    for round in 0..200 {
        let [pose, other] = poses(&mut rng, Family::Random);
        let normal = other.rotation() * Vec3::Z * [1.0, 1e-160, 1e160][round % 3];
        let plane = Shape::half_space(normal, 0.0).unwrap();
        let floor = plane.at(Pose::from_translation(other.translation() * 0.2).unwrap());
        let Some(deep) = query::penetration(floor, cube.at(pose)).unwrap() else {
            continue;
        };
        let rounded = plane.clone().rounded(0.25).unwrap();
        let thick = rounded.at(floor.pose);
        for mesh in [&surface, &solid] {
            // Nothing of a surface is left inside.
            let Some(found) = query::manifold(floor, mesh.at(pose)).unwrap() else {
                continue;
            };
            met += 1;
            assert!(
                (found.normal - deep.direction).length() < 1e-12,
                "{found:?} {deep:?}"
            );
            assert!(
                (found.depth - deep.depth).abs() < 1e-9,
                "{found:?} {deep:?}"
            );
            if let Some(found) = query::manifold(mesh.at(pose), thick).unwrap() {
                assert!(
                    (found.normal + deep.direction).length() < 1e-12,
                    "{found:?}"
                );
                assert!(
                    (found.depth - deep.depth - 0.25).abs() < 1e-9,
                    "{found:?} {deep:?}"
                );
            }
        }
    }
    assert!(met > 100, "{met}");
}

#[test]
fn manifolds_do_not_depend_on_the_unit() {
    let cube = |size: f64| Shape::from(Polytope::cuboid(Vec3::splat(size)).unwrap().to_mesh());
    let turn = Quat::from_scaled_axis(Vec3::new(0.3, -0.5, 0.2));
    let at = |size: f64| {
        let place = Vec3::new(1.1, 0.3, 1.4) * size;
        Pose::from_quat(turn, place).unwrap()
    };
    let expected = query::manifold(cube(1.0).at(Pose::IDENTITY), cube(1.0).at(at(1.0)));
    let expected = expected.unwrap().unwrap();
    for power in (-1000..=1000).step_by(20) {
        let unit = 2f64.powi(power);
        let shape = cube(unit);
        let found = query::manifold(shape.at(Pose::IDENTITY), shape.at(at(unit)));
        let found = found.unwrap().unwrap();
        assert!(
            (found.normal - expected.normal).length() < 1e-12,
            "2^{power}: {found:?}"
        );
        assert!(
            (found.depth / unit - expected.depth).abs() < 1e-12,
            "2^{power}: {found:?}"
        );
    }
}
