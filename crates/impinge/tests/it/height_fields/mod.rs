//! Height fields, against meshes of the same triangles that are asked of the reference.
//!
//! The oracle stores the triangles and looks at all of them; what is tested makes them from heights, by cells that a search
//! reaches. Both place vertices alike, so booleans must be equal and certified intervals must overlap.

mod queries;
mod worlds;

use crate::shapes::kinds::Family;
use impinge::{Feature, HeightField, Placed, Separation, Shape, Vec3, Witness, query, reference};
use rand::{Rng, RngExt};

/// How large things of a family are.
fn factor_of(family: Family) -> f64 {
    if let Family::Scaled(factor) = family {
        factor
    } else {
        1.0
    }
}

/// A field of random heights: of integers in the snapped family. One in three has holes.
pub(crate) fn random_field(rng: &mut impl Rng, family: Family) -> HeightField {
    let size = [(); 2].map(|()| [2, 3, 5, 9, 14][rng.random_range(0..5)]);
    let (factor, is_snapped) = (factor_of(family), matches!(family, Family::Snapped));
    let cell = if is_snapped {
        [0.5, 1.0]
    } else {
        [(); 2].map(|()| rng.random_range(0.1..0.5) * factor)
    };
    let relief = [0.0, 0.3, 1.0][rng.random_range(0..3)] * factor;
    let field = HeightField::from_fn(size, cell, |_, _| {
        if is_snapped {
            f64::from(rng.random_range(-1..=1))
        } else {
            rng.random_range(-1.0..=1.0) * relief
        }
    });
    let field = field.unwrap();
    if rng.random_range(0..3) > 0 {
        return field;
    }
    let (rows, columns) = (field.rows() - 1, field.columns() - 1);
    let holes: Vec<_> = (0..rows * columns - 1)
        .filter(|_| rng.random_range(0..2) == 0)
        .map(|cell| [cell / columns, cell % columns])
        .collect();
    field.with_holes(holes).unwrap()
}

/// What pairs came to, to see that tests are about something.
#[derive(Debug, Default)]
struct Tally {
    apart: usize,
    meeting: usize,
}

/// All questions about a field and a shape, both ways round, against the mesh and the reference.
fn check(field: Placed<'_>, other: Placed<'_>, tolerance: f64, tally: &mut Tally, what: &str) {
    let Shape::HeightField(own) = field.shape else {
        panic!("a height field comes first");
    };
    let mesh = Shape::from(own.to_mesh());
    let mesh = mesh.at(field.pose);
    let expected = reference::distance(mesh, other);
    let scale = 1.0 + expected.distance;
    for (found, who) in [
        (query::distance(field, other), "query"),
        (swapped(query::distance(other, field)), "swapped"),
        (reference::distance(field, other), "reference"),
    ] {
        assert_overlap(
            &found,
            &expected,
            tolerance * scale,
            &format!("{what}, {who}"),
        );
        check_feature(own, &field, &found, what);
    }
    if expected.distance == 0.0 {
        tally.meeting += 1;
    } else {
        tally.apart += 1;
    }
    // Curved shapes that nearly touch are decided within a tolerance only.
    if tolerance > 0.0 && expected.distance > 0.0 && expected.distance <= tolerance * scale {
        return;
    }
    let meet = reference::intersects(mesh, other);
    assert_eq!(query::intersects(field, other), meet, "{what}");
    assert_eq!(query::intersects(other, field), meet, "{what}, swapped");
    assert_eq!(
        reference::intersects(field, other),
        meet,
        "{what}, reference"
    );
    for gap in [0.5, 1.5].map(|share| share * expected.distance) {
        let within = reference::within(mesh, other, gap);
        assert_eq!(query::within(field, other, gap), within, "{what}: {gap}");
        assert_eq!(query::within(other, field, gap), within, "{what}: {gap}");
    }
}

fn swapped(near: Separation) -> Separation {
    let ([a, b], witness) = (near.features, near.witness);
    Separation {
        features: [b, a],
        witness: Witness {
            a: witness.b,
            b: witness.a,
        },
        ..near
    }
}

fn assert_overlap(found: &Separation, expected: &Separation, slack: f64, what: &str) {
    let (own, other) = (found.bounds, expected.bounds);
    assert!(own.contains(found.distance), "{what}: {found:?}");
    assert!(
        own.lower <= other.upper + slack && other.lower <= own.upper + slack,
        "{what}: {found:?}, {expected:?}"
    );
    if slack == 0.0 {
        assert_eq!(found.distance == 0.0, expected.distance == 0.0, "{what}");
    }
}

/// The witness is on the part of the field that is named.
fn check_feature(field: &HeightField, placed: &Placed<'_>, found: &Separation, what: &str) {
    let corners = |t: u32| {
        let corners = field.corners(t).expect("answers name what is there");
        corners.map(|v| placed.pose.place(v))
    };
    let part = match found.features[0] {
        Feature::Vertex(v) => {
            let (row, column) = (v as usize / field.columns(), v as usize % field.columns());
            vec![placed.pose.place(field.vertex(row, column).unwrap())]
        }
        Feature::Edge(e) => {
            let corners = corners(e / 3);
            vec![corners[e as usize % 3], corners[(e as usize + 1) % 3]]
        }
        Feature::Face(t) => corners(t).to_vec(),
        Feature::Inside => return,
        Feature::Surface => panic!("{what}: a height field has parts"),
    };
    let largest = |p: Vec3| p.abs().element_sum();
    let size = largest(field.bounds().max() - field.bounds().min());
    let scale = size + largest(placed.pose.translation());
    let off = impinge::exact::hull_distance(&part, &[found.witness.a]).distance;
    assert!(off <= 1e-12 * scale, "{what}: {found:?}, off by {off}");
}
