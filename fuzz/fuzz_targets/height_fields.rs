//! Height fields: the same answers as the mesh of the same triangles, whatever the other shape is.
#![no_main]

use impinge::{Shape, query};
use impinge_fuzz::{Bytes, shapes};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let Some(field) = shapes::height_field(&mut bytes) else {
        return;
    };
    let other = if bytes.byte().is_multiple_of(4) {
        shapes::height_field(&mut bytes).map(Shape::from)
    } else {
        shapes::shape(&mut bytes)
    };
    let (Some(other), Some(pose_a), Some(pose_b)) =
        (other, shapes::pose(&mut bytes), shapes::pose(&mut bytes))
    else {
        return;
    };
    let (mesh, field) = (Shape::from(field.to_mesh()), Shape::from(field));
    let (mesh, field, other) = (mesh.at(pose_a), field.at(pose_a), other.at(pose_b));

    let (near, expected) = (query::distance(field, other), query::distance(mesh, other));
    let overlap =
        near.bounds.lower <= expected.bounds.upper && expected.bounds.lower <= near.bounds.upper;
    assert!(overlap, "{near:?} {expected:?}");
    let is_touching = query::intersects(field, other);
    assert_eq!(near.distance == 0.0, is_touching);
    assert_eq!(query::intersects(other, field), is_touching);
    assert_eq!(query::intersects(mesh, other), is_touching);
});
