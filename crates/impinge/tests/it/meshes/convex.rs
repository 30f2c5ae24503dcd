//! Meshes and solids with convex shapes.

use super::{Tally, factor_of, ring, scale, soup};
use crate::cases::rng;
use crate::is_full;
use crate::shapes::kinds::{FAMILIES, Family, HALF_SPACE, KINDS, poses, shape, tolerance_of};
use impinge::{Placed, Pose, Shape, Solid, TriMesh, Vec3, query, reference};
use rand::RngExt;

/// The distance of a custom shape, or of a curved one, is known less well, and near zero whether they touch is not known.
fn check_loosely(a: Placed<'_>, b: Placed<'_>, tolerance: f64, tally: &mut Tally, what: &str) {
    let expected = reference::distance(a, b);
    let found = query::distance(a, b);
    let scale = scale(&a) + scale(&b) + expected.distance;
    let (own, other) = (found.bounds, expected.bounds);
    assert!(
        own.lower <= other.upper + tolerance * scale
            && other.lower <= own.upper + tolerance * scale,
        "{what}: {found:?}, {expected:?}"
    );
    let swapped = query::distance(b, a).bounds;
    assert!(
        swapped.lower <= own.upper && own.lower <= swapped.upper,
        "{what}"
    );
    let is_clear = expected.distance > tolerance * scale || expected.distance == 0.0;
    if tolerance == 0.0 || is_clear {
        let meet = reference::intersects(a, b);
        assert_eq!(
            query::intersects(a, b),
            meet,
            "{what}: {found:?}, {expected:?}"
        );
        assert_eq!(query::intersects(b, a), meet, "{what}: swapped");
        assert_eq!(found.distance == 0.0, meet, "{what}: {found:?}");
        let gap = expected.distance * 1.25;
        assert!(query::within(a, b, gap), "{what}: {gap}");
        let gap = expected.distance * 0.75;
        assert_eq!(
            query::within(a, b, gap),
            reference::within(a, b, gap),
            "{what}: {gap}"
        );
    }
    if expected.distance == 0.0 {
        tally.meeting += 1;
    } else {
        tally.apart += 1;
    }
}

#[test]
fn every_kind_of_shape_agrees_with_the_reference() {
    let rounds = if is_full() { 60 } else { 2 };
    let mut rng = rng(71);
    for family in FAMILIES {
        let mut tally = Tally::default();
        for kind in 0..KINDS {
            for round in 0..rounds {
                let count = [1, 4, 12, 30][rng.random_range(0..4)];
                let mesh = Shape::from(soup(&mut rng, count, family));
                let other = shape(&mut rng, kind, family);
                let rounded = (kind != HALF_SPACE && round % 2 == 1)
                    .then(|| other.clone().rounded(0.3 * factor_of(family)).unwrap());
                let other = rounded.unwrap_or(other);
                let [p, q] = poses(&mut rng, family);
                let what = format!("{family:?}, kind {kind}, {round}");
                check_loosely(
                    mesh.at(p),
                    other.at(q),
                    tolerance_of(kind),
                    &mut tally,
                    &what,
                );
            }
        }
        assert!(tally.meeting > 0, "{family:?}: {tally:?}");
    }
}

#[test]
fn shapes_against_a_surface_with_and_without_its_inside() {
    let mut rng = rng(72);
    let surface = ring(36, 10, 0.35);
    let solid = Shape::from(Solid::new(surface.clone()).unwrap());
    let surface = Shape::from(surface);
    let mut tally = Tally::default();
    let rounds = if is_full() { 40 } else { 4 };
    for kind in 0..KINDS {
        for round in 0..rounds {
            let other = shape(&mut rng, kind, Family::Scaled(0.15));
            let [p, q] = poses(&mut rng, Family::Random);
            let what = format!("kind {kind}, {round}");
            for mesh in [&surface, &solid] {
                check_loosely(
                    mesh.at(p),
                    other.at(q),
                    tolerance_of(kind),
                    &mut tally,
                    &what,
                );
            }
        }
    }
    assert!(tally.meeting > 5 && tally.apart > 5, "{tally:?}");
}

#[test]
fn a_box_on_a_floor_touches_it() {
    let at = |i: u32| Vec3::new(f64::from(i % 9), f64::from(i / 9), 0.0);
    let cells = (0..8).flat_map(|i| (0..8).map(move |j| 9 * i + j));
    let faces = cells.flat_map(|c| [[c, c + 1, c + 10], [c, c + 10, c + 9]]);
    let floor = Shape::from(TriMesh::new((0..81).map(at).collect(), faces.collect()).unwrap());
    let floor = floor.at(Pose::IDENTITY);
    let shapes = [
        Shape::cuboid(Vec3::splat(0.5)).unwrap(),
        Shape::sphere(0.5).unwrap(),
        Shape::capsule(0.25, 0.25).unwrap(),
    ];
    for shape in &shapes {
        for (height, touches) in [(0.5, true), (0.5_f64.next_up(), false), (0.75, false)] {
            let pose = Pose::from_translation(Vec3::new(3.25, 4.5, height)).unwrap();
            assert_eq!(
                query::intersects(floor, shape.at(pose)),
                touches,
                "{shape:?}, {height}"
            );
            let near = query::distance(floor, shape.at(pose));
            assert!(near.bounds.contains(height - 0.5), "{shape:?}, {near:?}");
            assert_eq!(near.distance == 0.0, touches);
        }
    }
}

#[test]
fn leaves_that_are_not_full_are_searched_whole() {
    let mut rng = rng(75);
    let rounds = if is_full() { 20_000 } else { 400 };
    let mut tally = Tally::default();
    for round in 0..rounds {
        let count = [2, 3, 5, 6, 7][round % 5];
        let mesh = Shape::from(soup(&mut rng, count, Family::Random));
        let other = if round % 2 == 0 {
            Shape::sphere(0.2).unwrap()
        } else {
            Shape::capsule(0.5, 0.1).unwrap()
        };
        let [p, q] = poses(&mut rng, Family::Random);
        let what = format!("{round}");
        check_loosely(mesh.at(p), other.at(q), 0.0, &mut tally, &what);
    }
    assert!(tally.apart > rounds / 4, "{tally:?}");
}
