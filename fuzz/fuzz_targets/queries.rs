//! The questions about any two shapes: answers agree with each other and do not depend on the order.
#![no_main]

use impinge::{Pose, Shape, TriMesh, query};
use impinge_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let (Some(a), Some(b)) = (shape(&mut bytes), shape(&mut bytes)) else {
        return;
    };
    let (Some(pose_a), Some(pose_b)) = (pose(&mut bytes), pose(&mut bytes)) else {
        return;
    };
    let (a, b) = (a.at(pose_a), b.at(pose_b));

    let near = query::distance(a, b);
    let is_touching = query::intersects(a, b);
    assert_eq!(near.distance == 0.0, is_touching);
    assert_eq!(query::intersects(b, a), is_touching);
    assert!(near.bounds.contains(near.distance), "{near:?}");
    assert!(near.bounds.lower >= 0.0);
    assert_eq!(query::within(a, b, 0.0), is_touching);
    let swapped = query::distance(b, a);
    let overlap =
        near.bounds.lower <= swapped.bounds.upper && swapped.bounds.lower <= near.bounds.upper;
    assert!(overlap, "{near:?} {swapped:?}");
});

fn shape(bytes: &mut Bytes<'_>) -> Option<Shape> {
    let kind = bytes.byte();
    let [p, q, r, s] = bytes.points();
    let size = p.abs();
    let made = match kind % 10 {
        0 => Shape::sphere(size.x),
        1 => Shape::cuboid(size),
        2 => Shape::capsule(size.x, size.y),
        3 => Shape::cylinder(size.x, size.y),
        4 => Shape::cone(size.x, size.y),
        5 => Shape::ellipsoid(size),
        6 => Shape::half_space(p, q.x),
        7 => Shape::hull(&[p, q, r, s]),
        8 => TriMesh::new(vec![p, q, r, s], vec![[0, 1, 2], [1, 2, 3]]).map(Shape::from),
        _ => TriMesh::new(
            vec![p, q, r, s],
            vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
        )
        .and_then(Shape::solid),
    };
    made.ok()
}

fn pose(bytes: &mut Bytes<'_>) -> Option<Pose> {
    let [translation, axis] = bytes.points();
    let turn = f64::from(bytes.byte() % 4);
    if turn == 0.0 {
        return Pose::from_translation(translation).ok();
    }
    Pose::from_axis_angle(axis, turn, translation).ok()
}
