//! Solids whose vertices, edges and faces are known, and point sets that have no hull.

use super::hull;
use impinge::error::FlatExtent;
use impinge::{Error, Polytope, Vec3};
use impinge_scenes::points::lattice;
use std::f64::consts::TAU;

/// How many vertices, edges and faces there are.
pub(super) fn counts(polytope: &Polytope) -> [usize; 3] {
    [
        polytope.vertices().len(),
        polytope.edges().len(),
        polytope.face_count(),
    ]
}

fn signed_permutations(p: Vec3) -> Vec<Vec3> {
    let cyclic = [
        [0, 1, 2],
        [1, 2, 0],
        [2, 0, 1],
        [0, 2, 1],
        [2, 1, 0],
        [1, 0, 2],
    ];
    let signs =
        (0..8).map(|s| Vec3::from_array([0, 1, 2].map(|b| f64::from(1 - (s >> b & 1) * 2))));
    signs
        .flat_map(|sign| cyclic.map(|order| Vec3::from_array(order.map(|i| p[i])) * sign))
        .collect()
}

#[test]
fn known_solids() {
    let solid = |points: &[Vec3]| counts(&hull(points));
    assert_eq!(solid(&signed_permutations(Vec3::ONE)), [8, 12, 6]);
    assert_eq!(solid(&signed_permutations(Vec3::X)), [6, 12, 8]);
    let cuboctahedron = signed_permutations(Vec3::new(1.0, 1.0, 0.0));
    assert_eq!(solid(&cuboctahedron), [12, 24, 14]);
    let truncated_cube = signed_permutations(Vec3::new(1.0, 1.0, 0.5));
    assert_eq!(solid(&truncated_cube), [24, 36, 14]);
    let truncated_octahedron = signed_permutations(Vec3::new(0.0, 1.0, 2.0));
    assert_eq!(solid(&truncated_octahedron), [24, 36, 14]);
    let truncated_cuboctahedron = signed_permutations(Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(solid(&truncated_cuboctahedron), [48, 72, 26]);
    let mut rhombic_dodecahedron = signed_permutations(Vec3::ONE);
    rhombic_dodecahedron.extend(signed_permutations(Vec3::X * 2.0));
    assert_eq!(solid(&rhombic_dodecahedron), [14, 24, 12]);
    let golden = (1.0 + 5.0_f64.sqrt()) / 2.0;
    let rectangle = Vec3::new(0.0, 1.0, golden);
    let icosahedron: Vec<Vec3> = (0..12)
        .map(|i| {
            let side = |bit: i32| if i & bit == 0 { 1.0 } else { -1.0 };
            let p = rectangle * Vec3::new(1.0, side(1), side(2));
            [p, Vec3::new(p.z, p.x, p.y), Vec3::new(p.y, p.z, p.x)][i as usize / 4]
        })
        .collect();
    assert_eq!(solid(&icosahedron), [12, 30, 20]);
}

#[test]
fn points_in_faces_and_edges_are_no_vertices() {
    let cube = hull(&lattice(5));
    assert_eq!(counts(&cube), [8, 12, 6]);
    assert_eq!(cube.volume(), 64.0);
    assert_eq!(cube.surface_area(), 96.0);
    assert_eq!(cube.centroid(), Vec3::splat(2.0));
    assert!(cube.radius() >= 12.0_f64.sqrt() && cube.radius() < 12.0_f64.sqrt() + 1e-14);
    for face in 0..6 {
        let (normal, offset) = cube.plane(face);
        assert_eq!(normal.abs().element_sum(), 1.0);
        assert_eq!(offset, if normal.element_sum() > 0.0 { 4.0 } else { 0.0 });
        let opposite = (0..6).filter(|f| cube.face_normal(*f) == -normal).count();
        assert_eq!(opposite, 1);
        assert!(
            cube.face_neighbours(face)
                .all(|f| normal.dot(cube.face_normal(f as usize)) == 0.0)
        );
    }
}

#[test]
fn a_prism_has_two_large_faces() {
    let rim = |z: f64| {
        (0..1000).map(move |i| {
            let turn = TAU * f64::from(i) / 1000.0;
            Vec3::new(turn.cos(), turn.sin(), z)
        })
    };
    let points: Vec<Vec3> = rim(0.0).chain(rim(2.0)).collect();
    let prism = hull(&points);
    assert_eq!(counts(&prism), [2000, 3000, 1002]);
    let sizes: Vec<usize> = (0..1002).map(|f| prism.face(f).len()).collect();
    assert_eq!(sizes.iter().filter(|s| **s == 1000).count(), 2);
    assert_eq!(sizes.iter().filter(|s| **s == 4).count(), 1000);
    assert!((prism.volume() - 1000.0 * (TAU / 1000.0).sin()).abs() < 1e-12);
}

#[test]
fn all_whole_points_of_a_sphere_are_extreme() {
    let radius_squared = 1105;
    let line = || -33..=33;
    let on_it = |x: i32, y: i32, z: i32| x * x + y * y + z * z == radius_squared;
    let points: Vec<Vec3> = line()
        .flat_map(|x| line().flat_map(move |y| line().map(move |z| (x, y, z))))
        .filter(|(x, y, z)| on_it(*x, *y, *z))
        .map(|(x, y, z)| Vec3::new(x.into(), y.into(), z.into()))
        .collect();
    assert!(points.len() > 100);
    let polytope = hull(&points);
    assert_eq!(polytope.vertices(), points);
    // Whole points of a sphere share many circles.
    assert!(polytope.face_count() < 2 * points.len() - 4);
}

#[test]
fn what_has_no_hull_is_refused() {
    let flat = |points: &[Vec3], expected: FlatExtent| match Polytope::from_points(points) {
        Err(Error::Flat { extent, points: n }) => assert_eq!((extent, n), (expected, points.len())),
        other => panic!("{expected:?} expected, not {other:?}"),
    };
    assert_eq!(
        Polytope::from_points(&[]),
        Err(Error::Empty { what: "point set" })
    );
    let message = |points: &[Vec3]| Polytope::from_points(points).unwrap_err().to_string();
    assert_eq!(
        message(&[Vec3::ZERO, Vec3::X * f64::NAN]),
        "point 1 is not finite"
    );
    assert_eq!(
        message(&[Vec3::splat(f64::INFINITY)]),
        "point 0 is not finite"
    );
    for scale in [
        1.0,
        2.0_f64.powi(-700),
        2.0_f64.powi(700),
        f64::from_bits(1),
    ] {
        let line = |x: f64| Vec3::new(x, 2.0 * x, -x) * scale;
        flat(&[line(1.0)], FlatExtent::Point);
        flat(&vec![line(1.0); 100], FlatExtent::Point);
        flat(&[line(1.0), line(2.0)], FlatExtent::Line);
        flat(&[0.0, 1.0, 2.0, 4.0, 8.0].map(line), FlatExtent::Line);
        let plane: Vec<Vec3> = lattice(4)
            .into_iter()
            .map(|p| Vec3::new(p.x, p.y, p.x + p.y) * scale)
            .collect();
        flat(&plane, FlatExtent::Plane);
    }
    flat(&[Vec3::ZERO, -Vec3::ZERO], FlatExtent::Point);
}

/// Eight points that share one coordinate, from the tests of parry.
#[test]
fn eight_coplanar_points_are_refused() {
    let points = [
        [-0.52849126_f32, 0.9227245],
        [-0.52849126, -0.66274846],
        [-1.145064, -0.92699397],
        [-1.5854732, 0.9227245],
        [-2.5543733, -0.92699397],
        [-2.730537, 0.83464265],
        [-2.8186188, 0.7465608],
        [-2.8186188, -0.8389121],
    ]
    .map(|[y, z]| Vec3::new(f64::from(0.73077667_f32), y.into(), z.into()));
    let expected = Error::Flat {
        extent: FlatExtent::Plane,
        points: 8,
    };
    assert_eq!(Polytope::from_points(&points), Err(expected));
}
