//! Bytes to shapes and poses.

use crate::Bytes;
use impinge::bound::{BoxKind, TrackedBox};
use impinge::{HeightField, Placed, Pose, Shape, TriMesh};

/// A shape of any kind; none where the bytes make no valid one.
pub fn shape(bytes: &mut Bytes<'_>) -> Option<Shape> {
    let kind = bytes.byte();
    if kind % 10 < 8 {
        return convex_of_kind(kind, bytes);
    }
    let [p, q, r, s] = bytes.points();
    let made = if kind % 10 == 8 {
        TriMesh::new(vec![p, q, r, s], vec![[0, 1, 2], [1, 2, 3]]).map(Shape::from)
    } else {
        let sides = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
        TriMesh::new(vec![p, q, r, s], sides).and_then(Shape::solid)
    };
    made.ok()
}

/// A small height field, with holes now and then; none where the bytes make no valid one.
pub fn height_field(bytes: &mut Bytes<'_>) -> Option<HeightField> {
    let [rows, columns] = [(); 2].map(|()| 2 + usize::from(bytes.byte() % 5));
    let cell = [(); 2].map(|()| bytes.number().abs());
    let field = HeightField::from_fn([rows, columns], cell, |_, _| bytes.number()).ok()?;
    let holes = bytes.byte() % 4;
    let holes = (0..holes).map(|_| [(); 2].map(|()| usize::from(bytes.byte() % 5)));
    let holes: Vec<_> = holes.collect();
    field.with_holes(holes).ok()
}

/// A convex shape, rounded now and then.
pub fn convex(bytes: &mut Bytes<'_>) -> Option<Shape> {
    let kind = bytes.byte();
    let plain = convex_of_kind(kind, bytes)?;
    if kind < 192 {
        return Some(plain);
    }
    plain.rounded(bytes.number().abs()).ok()
}

fn convex_of_kind(kind: u8, bytes: &mut Bytes<'_>) -> Option<Shape> {
    let [p, q, r, s] = bytes.points();
    let size = p.abs();
    let made = match kind % 10 % 8 {
        0 => Shape::sphere(size.x),
        1 => Shape::cuboid(size),
        2 => Shape::capsule(size.x, size.y),
        3 => Shape::cylinder(size.x, size.y),
        4 => Shape::cone(size.x, size.y),
        5 => Shape::ellipsoid(size),
        6 => Shape::half_space(p, q.x),
        _ => Shape::hull(&[p, q, r, s]),
    };
    made.ok()
}

/// The largest coordinate of a placed shape, in absolute value; of one without an end, as large as a box can have it.
pub fn magnitude(placed: Placed<'_>) -> f64 {
    let mut tracked = TrackedBox::new(placed.shape, BoxKind::Dynamic);
    tracked.at(placed.shape, &placed.pose).magnitude()
}

/// A pose, turned by up to three radians.
pub fn pose(bytes: &mut Bytes<'_>) -> Option<Pose> {
    let [translation, axis] = bytes.points();
    let turn = f64::from(bytes.byte() % 4);
    if turn == 0.0 {
        return Pose::from_translation(translation).ok();
    }
    Pose::from_axis_angle(axis, turn, translation).ok()
}
