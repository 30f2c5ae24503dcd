//! Delaunay tetrahedra against integers of 128 bits, which hold every determinant of points with coordinates of 20 bits.

mod oracle;

use crate::cases::rng;
use crate::is_full;
use impinge::delaunay::Delaunay;
use impinge::error::FlatExtent;
use impinge::{Error, Vec3};
use oracle::{Point, check};
use rand::{Rng, RngExt};

fn to_vec(p: &Point) -> Vec3 {
    Vec3::from(p.map(|x| x as f64))
}

fn tetrahedra(points: &[Point]) -> Delaunay {
    let points: Vec<Vec3> = points.iter().map(to_vec).collect();
    let cells = Delaunay::new(&points).unwrap();
    cells.validate();
    cells
}

fn random_points(rng: &mut impl Rng, count: usize, size: i128) -> Vec<Point> {
    let size = size as i64;
    let mut coordinate = || i128::from(rng.random_range(-size..=size));
    (0..count)
        .map(|_| [coordinate(), coordinate(), coordinate()])
        .collect()
}

#[test]
fn scattered_points() {
    let mut rng = rng(201);
    let rounds = if is_full() { 300 } else { 12 };
    for round in 0..rounds {
        let count = [4, 5, 6, 9, 20, 60, 120][round % 7];
        let points = random_points(&mut rng, count, 1 << 20);
        check(&points, &tetrahedra(&points));
    }
}

#[test]
fn points_of_a_small_grid_with_many_duplicates() {
    let mut rng = rng(202);
    let rounds = if is_full() { 3000 } else { 150 };
    let mut flat = 0;
    for round in 0..rounds {
        let (count, size) = ([5, 8, 12, 30, 80][round % 5], [1, 2, 3][round % 3]);
        let points = random_points(&mut rng, count, size);
        let given: Vec<Vec3> = points.iter().map(to_vec).collect();
        match Delaunay::new(&given) {
            Ok(cells) => {
                cells.validate();
                check(&points, &cells);
            }
            Err(Error::Flat { extent, .. }) => {
                assert_eq!(extent, oracle::flatness(&points));
                flat += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(flat > 0 && flat < rounds / 2, "{flat} of {rounds}");
}

#[test]
fn whole_lattices() {
    for side in [2, 3, 5] {
        let points: Vec<Point> = (0..side)
            .flat_map(|x| (0..side).flat_map(move |y| (0..side).map(move |z| [x, y, z])))
            .collect();
        let cells = tetrahedra(&points);
        check(&points, &cells);
        let cubes = ((side - 1) * (side - 1) * (side - 1)) as usize;
        let count = cells.tetrahedra().len();
        assert!(
            (5 * cubes..=6 * cubes).contains(&count),
            "{count} in {cubes}"
        );
    }
}

#[test]
fn points_on_one_sphere() {
    // All integers with this sum of squares, in an order without order.
    let mut points: Vec<Point> = Vec::new();
    for x in -21..=21_i128 {
        for y in -21..=21_i128 {
            for z in -21..=21_i128 {
                if x * x + y * y + z * z == 441 {
                    points.push([x, y, z]);
                }
            }
        }
    }
    assert!(points.len() > 50);
    check(&points, &tetrahedra(&points));
    points.push([0, 0, 0]);
    check(&points, &tetrahedra(&points));
}

#[test]
fn points_in_one_plane_and_one_above() {
    let mut points: Vec<Point> = (0..36).map(|k| [k % 6, k / 6, k % 6 + k / 6]).collect();
    points.push([2, 3, 40]);
    let cells = tetrahedra(&points);
    check(&points, &cells);
    assert_eq!(cells.tetrahedra().len(), 50);
}

#[test]
fn points_on_two_lines() {
    let on_lines = (0..30).flat_map(|k| [[k, 0, 0], [7, 3 * k - 11, 5]]);
    let points: Vec<Point> = on_lines.collect();
    let cells = tetrahedra(&points);
    check(&points, &cells);
    assert_eq!(cells.tetrahedra().len(), 29 * 29);
}

#[test]
fn size_does_not_matter() {
    let mut rng = rng(203);
    for size in [2, 1 << 20] {
        let points = random_points(&mut rng, 40, size);
        let ordinary = tetrahedra(&points);
        for exponent in [-900, -300, 300, 900] {
            let scaled: Vec<Vec3> = points
                .iter()
                .map(|p| to_vec(p) * 2f64.powi(exponent))
                .collect();
            let cells = Delaunay::new(&scaled).unwrap();
            assert_eq!(cells.tetrahedra(), ordinary.tetrahedra(), "{exponent}");
        }
    }
}

#[test]
fn spheres_around_doubles_are_empty_in_rational_arithmetic() {
    let mut rng = rng(204);
    for round in 0..4 {
        let points: Vec<Vec3> = (0..16)
            .map(|_| {
                let p = crate::shapes::kinds::point(&mut rng);
                // A shift makes the lowest bits of all coordinates matter.
                p * 10f64.powi(round) + Vec3::splat(0.1)
            })
            .collect();
        let cells = Delaunay::new(&points).unwrap();
        cells.validate();
        oracle::assert_empty_in_rationals(&cells);
    }
}

#[test]
fn flat_and_bad_input_is_refused() {
    let extent = |points: &[Vec3]| match Delaunay::new(points) {
        Err(Error::Flat { extent, .. }) => Some(extent),
        Ok(_) | Err(_) => None,
    };
    assert_eq!(extent(&[Vec3::ONE; 7]), Some(FlatExtent::Point));
    assert_eq!(extent(&[Vec3::ONE, Vec3::X]), Some(FlatExtent::Line));
    let in_plane: Vec<Vec3> = (0..9)
        .map(|k| Vec3::new(f64::from(k % 3), f64::from(k / 3), 0.1))
        .collect();
    assert_eq!(extent(&in_plane), Some(FlatExtent::Plane));
    assert!(matches!(Delaunay::new(&[]), Err(Error::Empty { .. })));
    let bad = [Vec3::ZERO, Vec3::X, Vec3::NAN, Vec3::Z];
    let message = Delaunay::new(&bad).unwrap_err().to_string();
    assert!(message.contains("point 2"), "{message}");
}

#[test]
fn points_are_located_where_they_are() {
    let mut rng = rng(205);
    let points = random_points(&mut rng, 200, 50);
    let cells = tetrahedra(&points);
    let mut near = 0;
    for p in random_points(&mut rng, 500, 60) {
        let found = cells.locate_from(near, to_vec(&p));
        let expected = (0..cells.tetrahedra().len() as u32)
            .filter(|t| oracle::is_in(&p, &points, cells.tetrahedra()[*t as usize]));
        let expected: Vec<u32> = expected.collect();
        match found {
            Some(found) => assert!(expected.contains(&found)),
            None => assert!(expected.is_empty()),
        }
        assert_eq!(cells.locate(to_vec(&p)).is_some(), found.is_some());
        near = found.unwrap_or(near);
    }
}

#[test]
fn circumcenters_are_as_far_from_all_corners() {
    let mut rng = rng(206);
    let points = random_points(&mut rng, 50, 1000);
    let cells = tetrahedra(&points);
    let mut checked = 0;
    for t in 0..cells.tetrahedra().len() as u32 {
        let center = cells.circumcenter(t).unwrap();
        let radii = cells.corners(t).map(|corner| corner.distance(center));
        if radii[0] < 1e5 {
            assert!(radii.iter().all(|r| (r - radii[0]).abs() < 1e-6 * radii[0]));
            checked += 1;
        }
    }
    assert!(checked > 100);
}
