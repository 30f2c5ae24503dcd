//! Meshes that nobody would make on purpose: errors or right answers, never a panic.

use super::Tally;
use crate::is_full;
use impinge::contact::Tolerance;
use impinge::narrow::PairCache;
use impinge::{Error, Motion, Placed, Pose, Shape, TriMesh, Vec3, query};

#[test]
fn what_is_no_mesh_is_refused() {
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    assert!(matches!(
        TriMesh::new(vec![], vec![]),
        Err(Error::Empty { .. })
    ));
    assert!(matches!(
        TriMesh::new(corners.clone(), vec![]),
        Err(Error::Empty { .. })
    ));
    assert!(TriMesh::new(vec![], vec![[0, 0, 0]]).is_err());
    assert!(matches!(
        TriMesh::new(corners.clone(), vec![[0, 1, 2], [0, 1, 3]]),
        Err(Error::IndexOutOfRange { .. })
    ));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut vertices = corners.clone();
        vertices[1].z = bad;
        let error = TriMesh::new(vertices, vec![[0, 2, 2]]).unwrap_err();
        assert!(error.to_string().contains("vertex 1"), "{error}");
    }
}

/// Every question, against the reference where there is one.
fn ask_everything(a: Placed<'_>, b: Placed<'_>, what: &str) {
    super::check(a, b, &mut Tally::default(), what);
    let contacts = query::mesh_contacts(a, b).unwrap();
    let meet = query::intersects(a, b);
    assert_eq!(!contacts.is_empty(), meet, "{what}");
    assert_eq!(query::manifold(a, b).unwrap().is_some(), meet, "{what}");
    let tolerance = Tolerance {
        absolute: 0.0,
        relative: 0.1,
    };
    let near = query::distance_to_tolerance(a, b, tolerance, &mut PairCache::default()).unwrap();
    assert_eq!(near.distance == 0.0, meet, "{what}");
    let ball = Shape::sphere(0.5).unwrap();
    let touched = query::meeting_triangles(a, ball.at(Pose::IDENTITY)).unwrap();
    assert_eq!(
        !touched.is_empty(),
        query::intersects(a, ball.at(Pose::IDENTITY)),
        "{what}"
    );
}

#[test]
fn degenerate_meshes_are_answered() {
    let line: Vec<Vec3> = (0..40).map(|i| Vec3::X * f64::from(i % 7)).collect();
    let meshes = [
        (
            "one triangle",
            vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            vec![[0, 1, 2]],
        ),
        ("a point", vec![Vec3::ONE], vec![[0, 0, 0]]),
        (
            "a segment",
            vec![Vec3::ZERO, Vec3::ONE],
            vec![[0, 1, 0], [1, 1, 0]],
        ),
        (
            "one triangle often",
            vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            vec![[0, 1, 2]; 50],
        ),
        (
            "both ways",
            vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            vec![[0, 1, 2], [2, 1, 0]],
        ),
        ("a line", line, (0..38).map(|i| [i, i + 1, i + 2]).collect()),
        (
            "unused vertices",
            vec![Vec3::splat(1e300), Vec3::ZERO, Vec3::X, Vec3::Y],
            vec![[1, 2, 3]],
        ),
    ];
    let shapes: Vec<(&str, Shape)> = meshes
        .into_iter()
        .map(|(name, vertices, triangles)| {
            let mesh = TriMesh::new(vertices, triangles).unwrap();
            query::self_intersections(&mesh);
            (name, Shape::from(mesh))
        })
        .collect();
    let poses = [Vec3::ZERO, Vec3::X * 0.5, Vec3::Z, Vec3::splat(20.0)];
    for (name, a) in &shapes {
        for (other, b) in &shapes {
            for at in poses {
                let pose = Pose::from_translation(at).unwrap();
                let what = format!("{name} and {other} at {at}");
                ask_everything(a.at(Pose::IDENTITY), b.at(pose), &what);
            }
        }
    }
}

/// What is smaller than the rounding of where it is placed has no size that boxes could be compared in.
#[test]
fn meshes_smaller_than_the_rounding_of_their_place_are_answered() {
    let point = |x: f64| Shape::from(TriMesh::new(vec![Vec3::X * x], vec![[0; 3]]).unwrap());
    let sizes = [0.0, f64::from_bits(1), 1e-300, 1e-40, 1e-18, 1e-9];
    for away in [2e-9, 1.0, 1e9] {
        let pose = Pose::from_translation(Vec3::splat(-away)).unwrap();
        for (x, y) in sizes.into_iter().flat_map(|x| sizes.map(|y| (x, y))) {
            let (a, b) = (point(x), point(y));
            let (a, b) = (a.at(pose), b.at(pose));
            let what = format!("{x:e} and {y:e}, {away:e} away");
            let meet = pose.place(Vec3::X * x) == pose.place(Vec3::X * y);
            assert_eq!(query::intersects(a, b), meet, "{what}");
            ask_everything(a, b, &what);
        }
    }
}

/// The normal of the large triangle, multiplied with its corners, is beyond the range of `f32` in units of the tiny one.
#[test]
fn tiny_meshes_meet_large_ones_where_they_touch() {
    let corner = Vec3::splat(100.0);
    let triangle = |size: f64, along: [Vec3; 2]| {
        let vertices = vec![corner, corner + along[0] * size, corner + along[1] * size];
        Shape::from(TriMesh::new(vertices, vec![[0, 1, 2]]).unwrap())
    };
    let poses = [
        Pose::from_translation(Vec3::splat(99.800_000_000_000_03)).unwrap(),
        Pose::from_axis_angle(Vec3::new(1.0, 2.0, -0.5), 0.7, Vec3::X).unwrap(),
    ];
    let along = [-Vec3::Z, Vec3::new(1.0, 1.0, -1.0)];
    for size in [0.2, 1e3, 1e6, 1e9, 1e12] {
        let large = triangle(size, along);
        for tiny in [0.0, 1e-13, 1e-11, 1e-9, 1e-6, 1e-3] {
            let small = triangle(tiny, [Vec3::X, Vec3::Y]);
            for pose in poses {
                let what = format!("{tiny:e} and {size:e}");
                let (a, b) = (small.at(pose), large.at(pose));
                assert!(query::intersects(a, b), "{what}");
                ask_everything(a, b, &what);
                ask_everything(b, a, &what);
                // On its way through the corner, from above.
                let above = Pose::from_matrix(*pose.matrix(), pose.place(Vec3::Z * 0.05)).unwrap();
                let way = pose.rotate(Vec3::Z * -0.1);
                let down = Motion::new(above, way, Vec3::ZERO, Vec3::ZERO).unwrap();
                let rest = Motion::still(pose);
                for (one, way, other, still) in [
                    (&small, &down, &large, &rest),
                    (&large, &rest, &small, &down),
                ] {
                    let impact = query::time_of_impact(one, way, other, still, 1e-6).unwrap();
                    // Rounded, a point may pass by the corner; and beside the largest a twentieth is no more than rounding.
                    if tiny > 1e-12 && size < 1e10 {
                        let impact = impact.unwrap_or_else(|| panic!("{what} is missed"));
                        assert!((0.499..0.501).contains(&impact.time), "{what}: {impact:?}");
                    }
                }
            }
        }
    }
}

/// Squares of such a gap are zero; it is a gap nevertheless.
#[test]
fn the_smallest_gap_is_a_gap() {
    let square = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X + Vec3::Y];
    let sheet = TriMesh::new(square, vec![[0, 1, 2], [1, 3, 2]]).unwrap();
    let sheet = Shape::from(sheet);
    for gap in [f64::from_bits(1), 1e-310, 1e-200, 1e-17] {
        for direction in [Vec3::X, Vec3::Z] {
            let aside = if direction == Vec3::X {
                -Vec3::X
            } else {
                Vec3::ZERO
            };
            let lower = Pose::from_translation(aside).unwrap();
            let upper = Pose::from_translation(direction * gap).unwrap();
            let (a, b) = (sheet.at(lower), sheet.at(upper));
            assert!(!query::intersects(a, b), "{gap:e}");
            assert!(query::distance(a, b).distance > 0.0, "{gap:e}");
            ask_everything(a, b, &format!("{gap:e} apart along {direction}"));
        }
    }
}

/// A bumpy square of twice as many triangles as cells.
fn terrain(side: u32) -> TriMesh {
    let row = side + 1;
    let at = |k: u32| {
        let (x, y) = (f64::from(k % row), f64::from(k / row));
        Vec3::new(x, y, (x * 0.7).sin() * (y * 0.3).cos())
    };
    let vertices = (0..row * row).map(at).collect();
    let cells = (0..side * side).map(|c| c / side * row + c % side);
    let faces = cells.flat_map(|c| [[c, c + 1, c + row + 1], [c, c + row + 1, c + row]]);
    TriMesh::new(vertices, faces.collect()).unwrap()
}

#[test]
fn large_meshes_are_answered() {
    // Ten million triangles take half a minute and two gigabytes.
    let side = if is_full() { 2237 } else { 150 };
    let mesh = terrain(side);
    println!("{} triangles", mesh.triangles().len());
    let shape = Shape::from(mesh);
    let ball = Shape::sphere(0.25).unwrap();
    let middle = f64::from(side) * 0.5;
    let above = Pose::from_translation(Vec3::new(middle, middle, 3.0)).unwrap();
    let near = query::distance(shape.at(Pose::IDENTITY), ball.at(above));
    assert!(near.distance > 1.7 && near.distance < 3.0, "{near:?}");
    let lifted = Pose::from_translation(Vec3::Z * 2.5).unwrap();
    assert!(!query::intersects(
        shape.at(Pose::IDENTITY),
        shape.at(lifted)
    ));
    assert!(query::within(
        shape.at(Pose::IDENTITY),
        shape.at(lifted),
        2.5
    ));
    assert!(query::intersects(
        shape.at(Pose::IDENTITY),
        shape.at(Pose::IDENTITY)
    ));
    let touched = query::meeting_triangles(
        shape.at(Pose::IDENTITY),
        Shape::sphere(1.0)
            .unwrap()
            .at(Pose::from_translation(Vec3::new(middle, middle, 0.0)).unwrap()),
    );
    assert!((1..60).contains(&touched.unwrap().len()));
}
