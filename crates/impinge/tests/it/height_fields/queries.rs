//! One field and one other shape.

use super::{Tally, check, factor_of, random_field};
use crate::cases::rng;
use crate::is_full;
use crate::meshes::closed_box;
use crate::shapes::kinds::{FAMILIES, Family, KINDS, point, poses, shape, tolerance_of};
use impinge::exact::counts;
use impinge::narrow::PairCache;
use impinge::{HeightField, Pose, Shape, Solid, TriMesh, Vec3, query};
use rand::{Rng, RngExt};

#[test]
fn every_kind_of_shape_agrees_with_the_mesh() {
    let rounds = if is_full() { 200 } else { 4 };
    let mut rng = rng(171);
    for family in FAMILIES {
        let mut tally = Tally::default();
        for kind in 0..KINDS {
            for round in 0..rounds {
                let field = Shape::from(random_field(&mut rng, family));
                let other = shape(&mut rng, kind, family);
                let [p, q] = poses(&mut rng, family);
                let what = format!("{family:?}, kind {kind}, {round}");
                let tolerance = tolerance_of(kind) * factor_of(family);
                check(field.at(p), other.at(q), tolerance, &mut tally, &what);
            }
        }
        assert!(
            tally.meeting > 0 && tally.apart > 0,
            "{family:?}: {tally:?}"
        );
    }
}

/// Triangles near the origin, as integers in the snapped family.
fn soup(rng: &mut impl Rng, count: u32, family: Family) -> TriMesh {
    let factor = factor_of(family);
    let mut corner = || {
        if matches!(family, Family::Snapped) {
            (point(rng) * 2.0).round()
        } else {
            point(rng) * factor
        }
    };
    let vertices = (0..3 * count).map(|_| corner()).collect();
    let triangles = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    TriMesh::new(vertices, triangles.collect()).unwrap()
}

#[test]
fn meshes_and_other_fields_agree_with_the_mesh() {
    let rounds = if is_full() { 2000 } else { 30 };
    let mut rng = rng(172);
    for family in FAMILIES {
        let mut tally = Tally::default();
        for round in 0..rounds {
            let field = Shape::from(random_field(&mut rng, family));
            let other = if round % 2 == 0 {
                let count = rng.random_range(1..12);
                Shape::from(soup(&mut rng, count, family))
            } else {
                Shape::from(random_field(&mut rng, family))
            };
            let [p, q] = poses(&mut rng, family);
            let what = format!("{family:?}, {round}");
            check(field.at(p), other.at(q), 0.0, &mut tally, &what);
        }
        assert!(
            tally.meeting > 0 && tally.apart > 0,
            "{family:?}: {tally:?}"
        );
    }
}

#[test]
fn solids_hold_parts_of_a_field() {
    let mut rng = rng(173);
    let rounds = if is_full() { 2000 } else { 150 };
    let (mut tally, mut inside) = (Tally::default(), 0);
    for round in 0..rounds {
        let field = random_field(&mut rng, Family::Random);
        let half = Vec3::splat(rng.random_range(0.3..6.0));
        let solid = Shape::from(Solid::new(closed_box(half)).unwrap());
        let hollow = Shape::from(closed_box(half));
        let field = Shape::from(field);
        let [p, q] = poses(&mut rng, Family::Random);
        check(
            field.at(p),
            solid.at(q),
            0.0,
            &mut tally,
            &format!("{round}"),
        );
        let is_held = query::intersects(field.at(p), solid.at(q))
            && !query::intersects(field.at(p), hollow.at(q));
        inside += usize::from(is_held);
    }
    assert!(
        tally.apart > 0 && tally.meeting > inside && inside > 0,
        "{tally:?}, {inside}"
    );
}

#[test]
fn islands_are_found_inside_a_solid_one_by_one() {
    let field = HeightField::from_fn([3, 64], [1.0, 1.0], |_, _| 0.25).unwrap();
    let islands = field.with_holes((0..2).flat_map(|row| {
        let columns = (0..63).filter(|column| column % 4 != 0);
        columns.map(move |column| [row, column])
    }));
    let islands = Shape::from(islands.unwrap());
    let solid = Shape::from(Solid::new(closed_box(Vec3::new(1.25, 3.0, 1.0))).unwrap());
    let hollow = Shape::from(closed_box(Vec3::new(1.25, 3.0, 1.0)));
    for column in 0..64 {
        let at = Pose::from_translation(Vec3::new(f64::from(column) + 0.5, 1.0, 0.0)).unwrap();
        // Islands are four apart. The box holds the one in its middle and cuts those one away.
        let beside = [column - 1, column + 1];
        let is_cut = beside.iter().any(|k| k % 4 == 0 && (0..63).contains(k));
        let is_held = column % 4 == 0 && column < 63;
        let islands = islands.at(Pose::IDENTITY);
        assert_eq!(
            query::intersects(islands, solid.at(at)),
            is_cut || is_held,
            "{column}"
        );
        assert_eq!(
            query::intersects(islands, hollow.at(at)),
            is_cut,
            "{column}"
        );
    }
}

#[test]
fn touching_is_decided_to_the_last_bit() {
    let field = HeightField::from_fn([65, 65], [0.5, 0.5], |row, column| {
        0.25 * ((row * column) % 7) as f64
    });
    let field = field.unwrap();
    let shape = Shape::from(field.clone());
    let cube = Shape::cuboid(Vec3::splat(0.125)).unwrap();
    let ball = Shape::sphere(0.125).unwrap();
    let mut touching = 0;
    for (row, column) in (1..64)
        .step_by(9)
        .flat_map(|r| (1..64).map(move |c| (r, c)))
    {
        let v = field.vertex(row, column).unwrap();
        let neighbours = [(0, 1), (1, 0), (1, 1), (0, -1), (-1, 0), (-1, -1)];
        let is_peak = neighbours.iter().all(|(dr, dc): &(isize, isize)| {
            let w = field.vertex(
                row.wrapping_add_signed(*dr),
                column.wrapping_add_signed(*dc),
            );
            w.unwrap().z <= v.z
        });
        if !is_peak {
            continue;
        }
        touching += 1;
        for other in [&cube, &ball] {
            let rests = Pose::from_translation(v + Vec3::Z * 0.125).unwrap();
            assert!(query::intersects(shape.at(Pose::IDENTITY), other.at(rests)));
            let height = (v.z + 0.125).next_up();
            let floats = Pose::from_translation(Vec3::new(v.x, v.y, height)).unwrap();
            assert!(!query::intersects(
                shape.at(Pose::IDENTITY),
                other.at(floats)
            ));
        }
    }
    assert!(touching > 20, "{touching}");
}

#[test]
fn a_cache_changes_nothing() {
    let mut rng = rng(174);
    let field = Shape::from(random_field(&mut rng, Family::Random));
    let smooth = HeightField::from_fn([40, 40], [0.1, 0.1], |row, column| {
        (row as f64 * 0.3).sin() * (column as f64 * 0.2).cos()
    });
    let smooth = Shape::from(smooth.unwrap());
    let knot = Shape::from(soup(&mut rng, 9, Family::Random));
    let ball = Shape::sphere(0.4).unwrap();
    for (field, other) in [(&field, &knot), (&smooth, &knot), (&smooth, &ball)] {
        let mut cache = PairCache::default();
        for step in 0..60 {
            let time = f64::from(step) / 10.0;
            let at = Vec3::new(0.5 * time, 2.0 * time.sin(), 1.5 * (3.0 * time).cos());
            let pose = Pose::from_axis_angle(Vec3::new(1.0, -1.0, 2.0), time, at).unwrap();
            let (a, b) = (field.at(Pose::IDENTITY), other.at(pose));
            let fresh = query::distance(a, b);
            let found = query::distance_with(a, b, &mut cache);
            super::assert_overlap(&found, &fresh, 0.0, &format!("{step}"));
            let meets = query::intersects_with(a, b, &mut cache);
            assert_eq!(meets, query::intersects(a, b), "{step}");
        }
    }
}

#[test]
fn only_cells_in_reach_are_looked_at() {
    let field = HeightField::from_fn([1000, 1000], [1.0, 1.0], |row, column| {
        (row as f64 * 0.1).sin() + (column as f64 * 0.13).cos()
    });
    let field = Shape::from(field.unwrap());
    let cube = Shape::cuboid(Vec3::splat(0.75)).unwrap();
    let before = counts();
    for step in 0..100_i32 {
        let at = Vec3::new(f64::from(step * 9) + 20.3, f64::from(step * 7) + 31.7, 3.0);
        let pose = Pose::from_axis_angle(Vec3::ONE, 0.1, at).unwrap();
        query::distance(field.at(Pose::IDENTITY), cube.at(pose));
    }
    let after = counts();
    // A million cells; some tens of triangles a question.
    let decisions = after.total() - before.total();
    assert!(decisions < 100 * 500, "{decisions}");
}
