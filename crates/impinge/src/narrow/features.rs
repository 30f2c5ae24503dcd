//! Vertices of a polytope to the feature they span.

use crate::contact::Feature;
use crate::math::Vec3;
use crate::shape::{Joints, Polytope};

/// The smallest vertex, edge or face that holds all of one to three vertices, of which some may be equal.
///
/// Near-coplanar faces can make a search end with vertices of two of them; then the face at the first vertex that looks
/// most along `outward`, a direction in the frame of the polytope, is named.
#[inline]
pub(crate) fn spanned(
    polytope: &Polytope,
    vertices: &[u32],
    outward: impl FnOnce() -> Vec3,
) -> Feature {
    let [first, second, third] = match *vertices {
        [] => return Feature::Inside,
        [first] => [first; 3],
        [first, second] => [first, second, second],
        [first, second, third, ..] => [first, second, third],
    };
    let (second, third) = if second == first {
        (third, third)
    } else {
        (second, if third == first { second } else { third })
    };
    let found = if polytope.joints().is_empty() {
        by_ring(polytope, [first, second, third])
    } else {
        by_table(polytope.joints(), [first, second, third])
    };
    match found {
        Some(feature) => feature,
        None => Feature::Face(face_with(polytope, first, [second, third], outward())),
    }
}

/// A vertex, the edge of two, or the face with three as neighbouring corners, the first between the others. Without a branch:
/// which it is, is hard to foresee.
#[inline(always)]
fn by_table(joints: &Joints, [first, second, third]: [u32; 3]) -> Option<Feature> {
    let to_second = joints.of(first, second);
    let (edge, face) = (
        to_second.edge(),
        to_second.common_face(joints.of(first, third)),
    );
    let (is_several, is_three) = (second != first, third != second);
    // In memory and not chosen by conditions, which would become branches.
    let kind = usize::from(is_several) + usize::from(is_several & is_three);
    let index = [first, edge, face][kind];
    let feature = [
        Feature::Vertex(first),
        Feature::Edge(edge),
        Feature::Face(face),
    ][kind];
    (index != Joints::NONE).then_some(feature)
}

/// The same by the ring of the first vertex.
#[inline(always)]
fn by_ring(polytope: &Polytope, [first, second, third]: [u32; 3]) -> Option<Feature> {
    if second == first {
        return Some(Feature::Vertex(first));
    }
    // Both places in one pass that does not end early: where it would is hard to foresee.
    let ring = polytope.neighbours(first as usize);
    let (mut k, mut m) = (ring.len(), ring.len());
    for (place, neighbour) in ring.iter().enumerate() {
        k = if *neighbour == second { place } else { k };
        m = if *neighbour == third { place } else { m };
    }
    if third == second {
        if k < ring.len() {
            return Some(Feature::Edge(polytope.vertex_edges(first as usize)[k]));
        }
    } else if k.max(m) < ring.len() {
        // Neighbours that follow each other in the ring share a face with its middle.
        let after = |k: usize| if k + 1 == ring.len() { 0 } else { k + 1 };
        if after(k) == m {
            return Some(Feature::Face(polytope.vertex_faces(first as usize)[k]));
        }
        if after(m) == k {
            return Some(Feature::Face(polytope.vertex_faces(first as usize)[m]));
        }
    }
    None
}

/// A face at a vertex that holds both of the others, or else the one that looks most along `outward`.
#[cold]
fn face_with(polytope: &Polytope, vertex: u32, others: [u32; 2], outward: Vec3) -> u32 {
    let holds_all = |face: u32| {
        let corners = polytope.face(face as usize);
        others.iter().all(|other| corners.contains(other))
    };
    let faces = polytope.vertex_faces(vertex as usize).iter().copied();
    let looks = |face: u32| polytope.face_normal(face as usize).dot(outward);
    faces
        .clone()
        .find(|face| holds_all(*face))
        .or_else(|| faces.max_by(|p, q| looks(*p).total_cmp(&looks(*q))))
        .expect("there are faces at every vertex")
}

#[cfg(test)]
mod tests {
    use super::{by_ring, by_table};
    use crate::math::Vec3;
    use crate::shape::Polytope;
    use impinge_scenes::points::on_sphere;

    #[test]
    fn tables_and_rings_name_the_same() {
        let pyramid = [Vec3::X, Vec3::Y, -Vec3::X, -Vec3::Y, Vec3::Z];
        let solids = [
            Polytope::cuboid(Vec3::ONE).unwrap(),
            Polytope::from_points(&pyramid).unwrap(),
            Polytope::from_points(&on_sphere(20, 5)).unwrap(),
            Polytope::from_points(&on_sphere(32, 6)).unwrap(),
        ];
        for solid in &solids {
            let count = solid.vertices().len() as u32;
            assert!(!solid.joints().is_empty());
            let mut named = 0;
            for n in 0..count.pow(3) {
                let [first, mut second, mut third] =
                    [n / count / count, n / count % count, n % count];
                // As `spanned` hands them on.
                if second == first {
                    second = third;
                } else if third == first {
                    third = second;
                }
                let corners = [first, second, third];
                let found = by_table(solid.joints(), corners);
                assert_eq!(found, by_ring(solid, corners), "{corners:?}");
                named += u32::from(found.is_some());
            }
            assert!(named > count && named < count.pow(3));
        }
        let many = Polytope::from_points(&on_sphere(33, 7)).unwrap();
        assert!(many.joints().is_empty());
    }
}
