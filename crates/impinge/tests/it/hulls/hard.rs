//! Hulls that are nearly flat, very large or small, or of families that make careless methods slow.

use super::hull;
use super::solids::counts;
use impinge::{Polytope, Quat, Vec3, exact};
use impinge_scenes::points::{in_ball, lattice, on_grid, on_sphere};
use std::f64::consts::TAU;

#[test]
fn the_smallest_thickness_there_is_is_enough() {
    let tiny = f64::from_bits(1);
    let mut points = lattice(3);
    points.iter_mut().for_each(|p| p.z *= tiny);
    assert_eq!(counts(&hull(&points)), [8, 12, 6]);
    // One unit in the last place of one coordinate lifts one point off a tilted plane.
    let mut points: Vec<Vec3> = lattice(3)
        .into_iter()
        .map(|p| Vec3::new(p.x, p.y, p.x + p.y))
        .collect();
    assert!(Polytope::from_points(&points).is_err());
    points[13].z = points[13].z.next_up();
    assert_eq!(counts(&hull(&points)), [5, 8, 5]);
}

#[test]
fn scale_changes_nothing_but_numbers() {
    let points = on_sphere(200, 3);
    let reference = hull(&points);
    for exponent in [-1000, -300, 300, 1000] {
        let scale = 2.0_f64.powi(exponent);
        let scaled: Vec<Vec3> = points.iter().map(|p| *p * scale).collect();
        let polytope = hull(&scaled);
        assert_eq!(polytope.edges(), reference.edges());
        let radius = polytope.radius() / scale;
        assert!((radius - reference.radius()).abs() < 1e-14);
        for face in 0..reference.face_count() {
            assert!(
                polytope
                    .face_normal(face)
                    .distance(reference.face_normal(face))
                    < 1e-14
            );
        }
    }
}

#[test]
fn normals_of_near_flat_hulls_are_outward() {
    let turn = Quat::from_xyzw(0.5, 0.1, -0.7, 0.5).normalize();
    let sheet: Vec<Vec3> = in_ball(500, 9)
        .into_iter()
        .map(|p| turn * p.with_z(p.z * 1e-17))
        .collect();
    let polytope = hull(&sheet);
    let up = turn * Vec3::Z;
    // Away from the rim the faces are parallel to the sheet, on one side or the other.
    let mut sides = [0.0, 0.0];
    for face in 0..polytope.face_count() {
        let along = polytope.face_normal(face).dot(up);
        sides[usize::from(along > 0.0)] += f64::from(u8::from(along.abs() > 0.99));
    }
    assert!(sides[0] > 3.0 && sides[1] > 3.0, "{sides:?}");
}

/// Families that make careless hulls quadratic. Work is counted, not timed: decisions per point and level.
#[test]
fn work_grows_like_n_log_n() {
    let n = 20_000;
    let turn = Quat::from_xyzw(0.5, 0.1, -0.7, 0.5).normalize();
    let fraction = |i: usize| i as f64 / n as f64;
    let circle = |i: usize, radius: f64, z: f64| {
        let (sin, cos) = (TAU * fraction(i)).sin_cos();
        Vec3::new(radius * cos, radius * sin, z)
    };
    let along = |f: &dyn Fn(usize) -> Vec3| (0..n).map(f).collect::<Vec<Vec3>>();
    let cone = [
        along(&|i| circle(i, 1.0, 0.0)),
        vec![Vec3::Z, Vec3::Z * -1e-3],
    ]
    .concat();
    let turned = |points: &[Vec3]| points.iter().map(|p| turn * *p).collect::<Vec<Vec3>>();
    let rings = along(&|i| circle(i, [1.0, 0.75, 0.2][i % 3], [0.0, 0.5, 0.9][i % 3]));
    let spire = along(&|i| circle(7 * i, 1e-3 * fraction(i), 1.0 - fraction(i)));
    let sheet = in_ball(n, 5)
        .into_iter()
        .map(|p| p * Vec3::new(1.0, 1.0, 1e-17));
    let sheet: Vec<Vec3> = sheet.collect();
    let paraboloid = lattice(27).into_iter().map(|p| {
        let (x, y) = (p.x - 13.0, 27.0 * p.z + p.y);
        Vec3::new(x, y, x * x + y * y)
    });
    let repeated: Vec<Vec3> = on_sphere(100, 4).into_iter().cycle().take(n).collect();
    let families = [
        ("ball", in_ball(n, 1)),
        ("sphere", on_sphere(n, 2)),
        ("lattice", lattice(27)),
        ("cone", cone.clone()),
        ("turned cone", turned(&cone)),
        (
            "cylinder",
            along(&|i| circle(i / 2 * 2, 1.0, (i % 2) as f64)),
        ),
        ("rings", rings.clone()),
        ("spire on a cone", [cone, spire].concat()),
        ("helix", along(&|i| circle(10 * i, 1.0, fraction(i)))),
        (
            "moment curve",
            along(&|i| Vec3::new(1.0, fraction(i), fraction(i).powi(2)) * fraction(i)),
        ),
        ("paraboloid", paraboloid.collect()),
        ("sheet", sheet.clone()),
        ("turned sheet", turned(&sheet)),
        ("turned rings", turned(&rings)),
        ("repeated", repeated),
        ("few", on_grid(n, 3, 6)),
    ];
    for (name, points) in families {
        let before = exact::counts();
        let polytope = Polytope::from_points(&points).unwrap();
        let work = (exact::counts() - before).total() as f64;
        polytope.validate();
        let bound = 8.0 * points.len() as f64 * (points.len() as f64).log2();
        assert!(
            work < bound,
            "{name}: {work} decisions, expected less than {bound}"
        );
    }
}
