//! Hulls against brute force in integers, known solids, hard inputs, and other people's point clouds.

use impinge::error::FlatExtent;
use impinge::exact::{self, Sign, orientation};
use impinge::{Error, Polytope, Quat, Vec3};
use impinge_scenes::points::{in_ball, lattice, on_grid, on_sphere};
use num_bigint::BigInt;
use num_rational::Ratio;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::f64::consts::TAU;

type Integers = [BigInt; 3];

/// The points in a unit in which all coordinates are integers.
fn integers(points: &[Vec3]) -> Vec<Integers> {
    let rational = |x: f64| Ratio::from_float(x).expect("finite");
    let coordinates = points.iter().flat_map(|p| p.to_array());
    // Denominators are powers of two: the largest is a multiple of all.
    let unit = coordinates
        .map(|x| rational(x).denom().clone())
        .max()
        .unwrap();
    let scaled = |x: f64| (rational(x) * &unit).to_integer();
    points.iter().map(|p| p.to_array().map(scaled)).collect()
}

fn minus(p: &Integers, q: &Integers) -> Integers {
    std::array::from_fn(|i| &p[i] - &q[i])
}

fn cross(p: &Integers, q: &Integers) -> Integers {
    let component = |i: usize, j: usize| &p[i] * &q[j] - &p[j] * &q[i];
    [component(1, 2), component(2, 0), component(0, 1)]
}

fn dot(p: &Integers, q: &Integers) -> BigInt {
    &p[0] * &q[0] + &p[1] * &q[1] + &p[2] * &q[2]
}

/// What the hull of a few points must be: for each face the set of its extreme points.
#[derive(Debug, PartialEq)]
struct Oracle {
    faces: BTreeSet<BTreeSet<usize>>,
    extreme: BTreeSet<usize>,
}

/// Tries the plane of every three points. Equal points are named by the first of them. `None` when the points are flat.
fn brute_force(points: &[Vec3]) -> Option<Oracle> {
    let all = integers(points);
    let first = |i: usize| all.iter().position(|p| *p == all[i]).unwrap();
    let distinct: BTreeSet<usize> = (0..all.len()).map(first).collect();
    let mut planes: BTreeSet<BTreeSet<usize>> = BTreeSet::new();
    for &i in &distinct {
        for &j in distinct.range(i + 1..) {
            for &k in distinct.range(j + 1..) {
                planes.extend(supporting_plane(&all, &distinct, [i, j, k]));
            }
        }
    }
    if planes.iter().any(|plane| *plane == distinct) || planes.is_empty() {
        return None;
    }
    // A point is extreme when the faces through it share no other point.
    let is_extreme = |p: &usize| {
        let through = planes.iter().filter(|plane| plane.contains(p));
        let shared = through.fold(distinct.clone(), |shared, plane| &shared & plane);
        shared.len() == 1
    };
    let extreme: BTreeSet<usize> = distinct.iter().copied().filter(is_extreme).collect();
    let faces = planes.iter().map(|plane| plane & &extreme).collect();
    Some(Oracle { faces, extreme })
}

/// The points in the plane of three if it has none on one of its sides.
fn supporting_plane(
    all: &[Integers],
    distinct: &BTreeSet<usize>,
    [i, j, k]: [usize; 3],
) -> Option<BTreeSet<usize>> {
    let zero = BigInt::from(0);
    let normal = cross(&minus(&all[j], &all[i]), &minus(&all[k], &all[i]));
    if normal.iter().all(|x| *x == zero) {
        return None;
    }
    let (mut above, mut below, mut plane) = (false, false, BTreeSet::new());
    for &p in distinct {
        match dot(&normal, &minus(&all[p], &all[i])).cmp(&zero) {
            std::cmp::Ordering::Greater => above = true,
            std::cmp::Ordering::Less => below = true,
            std::cmp::Ordering::Equal => drop(plane.insert(p)),
        }
        if above && below {
            return None;
        }
    }
    Some(plane)
}

/// The polytope in the terms of the oracle.
fn described(points: &[Vec3], polytope: &Polytope) -> Oracle {
    let name = |v: &u32| {
        let p = polytope.vertices()[*v as usize];
        points.iter().position(|q| *q == p).unwrap()
    };
    let vertices = 0..polytope.vertices().len() as u32;
    Oracle {
        faces: (0..polytope.face_count())
            .map(|f| polytope.face(f).iter().map(name).collect())
            .collect(),
        extreme: vertices.map(|v| name(&v)).collect(),
    }
}

/// Asserts what must hold of any hull: the invariant, and that no point is outside.
fn check(points: &[Vec3], polytope: &Polytope) {
    polytope.validate();
    let of_source = polytope
        .source_indices()
        .iter()
        .map(|i| points[*i as usize]);
    assert!(of_source.eq(polytope.vertices().iter().copied()));
    for face in 0..polytope.face_count() {
        let [a, b, c] = [0, 1, 2].map(|k| polytope.vertices()[polytope.face(face)[k] as usize]);
        for p in points {
            assert_ne!(
                orientation(a, b, c, *p),
                Sign::Positive,
                "{p} outside face {face}"
            );
        }
    }
}

fn counts(polytope: &Polytope) -> [usize; 3] {
    [
        polytope.vertices().len(),
        polytope.edges().len(),
        polytope.face_count(),
    ]
}

fn hull(points: &[Vec3]) -> Polytope {
    let polytope = Polytope::from_points(points).unwrap();
    check(points, &polytope);
    polytope
}

/// Few points on a small grid, scaled and shifted so that some lose their exact ties to rounding.
fn few_points() -> impl Strategy<Value = Vec<Vec3>> {
    let grid = (1i32..=4).prop_flat_map(|side| {
        let x = 0..=side;
        prop::collection::vec((x.clone(), x.clone(), x), 1..=12)
    });
    let scale = prop::sample::select(vec![1.0, 0.1, 1e-200, 1e200, 1e-310]);
    let flatten = prop::sample::select(vec![1.0, 1e-17, 1e-100]);
    let shift = prop::sample::select(vec![0.0, 0.1, 1e15]);
    (grid, scale, flatten, shift).prop_map(|(points, scale, flatten, shift)| {
        let place = |(x, y, z): (i32, i32, i32)| {
            (Vec3::new(x.into(), y.into(), f64::from(z) * flatten) + shift) * scale
        };
        points.into_iter().map(place).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn small_hulls_are_those_of_brute_force(points in few_points()) {
        match (brute_force(&points), Polytope::from_points(&points)) {
            (Some(expected), Ok(polytope)) => {
                check(&points, &polytope);
                prop_assert_eq!(described(&points, &polytope), expected);
            }
            (None, Err(Error::Flat { points: count, .. })) => prop_assert_eq!(count, points.len()),
            (expected, result) => prop_assert!(false, "{expected:?} but {result:?}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn larger_hulls_hold_their_points(seed: u64, side in 3u32..30, count in 20usize..400, turn: bool) {
        let mut points = on_grid(count, side, seed);
        if turn {
            // The turned grid is rounded: nearly coplanar, nearly collinear, and full of ties broken at random.
            let turn = Quat::from_xyzw(0.5, 0.1, -0.7, 0.5).normalize();
            points.iter_mut().for_each(|p| *p = turn * *p);
        }
        if let Ok(polytope) = Polytope::from_points(&points) {
            check(&points, &polytope);
        }
    }

    #[test]
    fn volumes_are_those_of_rational_tetrahedra(seed: u64, thickness in prop::sample::select(vec![1.0, 1e-3, 1e-17])) {
        let turn = Quat::from_xyzw(0.5, 0.1, -0.7, 0.5).normalize();
        let flatten = |p: Vec3| turn * (p * Vec3::new(1.0, 1.0, thickness)) + Vec3::splat(1e3);
        let points: Vec<Vec3> = in_ball(60, seed).into_iter().map(flatten).collect();
        let polytope = hull(&points);
        let (volume, centroid) = rational_measures(&polytope);
        prop_assert!((polytope.volume() - volume).abs() <= 1e-11 * volume);
        prop_assert!((polytope.centroid() - centroid).length() < 1e-11);
        let farthest = polytope.vertices().iter().map(|v| v.distance(polytope.centroid()));
        let farthest = farthest.fold(0.0, f64::max);
        prop_assert!(polytope.radius() >= farthest && polytope.radius() < farthest * (1.0 + 1e-14));
    }
}

/// Volume and centroid by signed tetrahedra from the origin.
fn rational_measures(polytope: &Polytope) -> (f64, Vec3) {
    type Rational = Ratio<BigInt>;
    let rational = |x: f64| Ratio::from_float(x).expect("finite");
    let zero = || rational(0.0);
    let (mut volume, mut moment) = (zero(), [zero(), zero(), zero()]);
    for triangle in polytope.triangles() {
        let [a, b, c]: [[Rational; 3]; 3] =
            triangle.map(|v| polytope.vertices()[v as usize].to_array().map(rational));
        let minor = |i: usize, j: usize| &b[i] * &c[j] - &b[j] * &c[i];
        let six = &a[0] * minor(1, 2) + &a[1] * minor(2, 0) + &a[2] * minor(0, 1);
        for i in 0..3 {
            moment[i] += &six * (&a[i] + &b[i] + &c[i]);
        }
        volume += six;
    }
    let float = |x: Rational| num_rational_to_float(&x);
    let centroid = moment.map(|m| float(m / (&volume * BigInt::from(4))));
    (float(volume / BigInt::from(6)), Vec3::from_array(centroid))
}

/// A ratio as a float: 80 bits of the quotient, then a power of two.
fn num_rational_to_float(x: &Ratio<BigInt>) -> f64 {
    let shift = 80 + x.denom().bits() as i32 - x.numer().bits() as i32;
    let scaled = if shift >= 0 {
        (x.numer() << shift) / x.denom()
    } else {
        x.numer() / (x.denom() << -shift)
    };
    let digits: i128 = scaled.to_string().parse().unwrap();
    digits as f64 * 2.0_f64.powi(-shift)
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

/// The point clouds that Jolt's tests ship, from the folder in `IMPINGE_DATA`.
#[test]
fn the_point_clouds_of_jolt() {
    let Some(folder) = std::env::var_os("IMPINGE_DATA") else {
        println!("skipped: IMPINGE_DATA names no folder");
        return;
    };
    let path = std::path::Path::new(&folder).join("peers/jolt/convex_hulls.bin");
    let Ok(bytes) = std::fs::read(&path) else {
        println!("skipped: no file {}", path.display());
        return;
    };
    let mut words = bytes.chunks_exact(4).map(|word| word.try_into().unwrap());
    let (mut solid, mut flat) = (0, 0);
    while let Some(count) = words.next().map(u32::from_le_bytes) {
        let mut float = || f64::from(f32::from_le_bytes(words.next().unwrap()));
        let points: Vec<Vec3> = (0..count)
            .map(|_| Vec3::from_array(std::array::from_fn(|_| float())))
            .collect();
        match Polytope::from_points(&points) {
            Ok(polytope) => {
                check(&points, &polytope);
                solid += 1;
            }
            Err(error) => {
                assert!(matches!(error, Error::Flat { .. }), "{error}");
                flat += 1;
            }
        }
    }
    println!("{solid} hulls checked, {flat} point clouds are flat");
    assert_eq!(solid + flat, 3378);
}
