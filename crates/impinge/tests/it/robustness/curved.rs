//! Spheres, capsules, cylinders and ellipsoids, against each other and against boxes and triangles.

use super::{Body, ROUNDING, apart, apart_to, capsule, cylinder, ellipsoid, full, half, overlapping, single, size, sphere, touching, triangle, variants};
use impinge::{Penetration, Shape, SupportMap, Vec3, query};

/// Overlapping by this much, as far as the published digits go; the second leaves along the direction, where only one is
/// right. The move parts them, and a hundredth less does not.
fn deep(a: &Body, b: &Body, depth: f64, tolerance: f64, direction: Option<[f64; 3]>) {
    overlapping(a, b);
    for (a, b) in variants(a, b) {
        let answer = ask(&a, &b);
        assert_eq!(answer, ask(&a, &b), "a second call");
        let rounding = ROUNDING * size(&a, &b);
        assert!((answer.depth - depth).abs() <= tolerance + rounding, "{answer:?}, not {depth}");
        assert!(answer.bounds.contains(answer.depth) && answer.bounds.width() <= rounding, "{answer:?}");
        let moved = |by: f64| b.clone().moved((answer.direction * by).to_array());
        assert!(!query::intersects(a.placed(), moved(answer.bounds.upper + rounding).placed()));
        assert!(query::intersects(a.placed(), moved(0.99 * answer.bounds.lower).placed()));
    }
    if let Some(direction) = direction.map(Vec3::from) {
        assert!(ask(a, b).direction.distance(direction) < 1e-5);
        assert!(ask(b, a).direction.distance(-direction) < 1e-5);
    }
}

fn ask(a: &Body, b: &Body) -> Penetration {
    query::penetration(a.placed(), b.placed()).expect("convex shapes").expect("an overlap")
}

/// fcl#391: EPA picked an edge as nearest feature and threw.
#[test]
fn r051_sphere_grazing_a_cylinder_side() {
    let a = cylinder([0.325, 0.03]).moved([0.6, 0.0, 0.325]);
    let b = sphere(0.055).turned([
        [-0.9954758066, -0.0295866301, 0.0902914702],
        [-0.0851034786, -0.1449450565, -0.9857729599],
        [0.0422530022, -0.9889972506, 0.1417713719],
    ]).moved([0.5419794018, -0.0621175025, 0.6016236576]);
    deep(&a, &b, 1.5333941276823533e-7, 0.0, Some([-0.6825965043, -0.7307954654, 0.0]));
}

/// fcl#390 (second report): EPA threw.
#[test]
fn r053_cylinder_rim_20_nm_from_a_box_face() {
    let a = cylinder([0.03, 0.05]).turned([
        [-0.9731301075927928, -0.12202804064972551, 0.19526123781136842],
        [0.20950801135757172, -0.11745920593569326, 0.9707263919961958],
        [-0.09552060967892975, 0.9855518719154995, 0.13986894183635],
    ]).moved([0.8747278146113856, -0.403868788134716, 1.5871328698116491]);
    let b = full([0.025, 0.35, 1.845]).turned([
        [0.0, -1.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0],
    ]).moved([0.8, -0.4575, 1.0225]);
    apart_to(&a, &b, 2.04657359947902e-8, 1e-14);
}

/// fcl#408: EPA threw.
#[test]
fn r055_sphere_touching_a_box_face_from_outside() {
    let a = sphere(0.06).turned([
        [-0.9999999999999996, -4.4637642593504145e-9, 0.0],
        [4.4637642593504145e-9, -0.9999999999999996, 0.0],
        [0.0, 0.0, 1.0000000000000009],
    ]).moved([1.7855056639081962e-10, 0.039999999999999994, 0.3300000000000001]);
    let b = full([0.1, 0.1, 0.1]).moved([0.05, 0.15, 0.35]);
    touching(&a, &b);
}

/// fcl#127: nearest points wrong.
#[test]
fn r056_sphere_above_a_wide_box() {
    let a = sphere(1.0);
    let b = full([10.0, 2.0, 10.0]).moved([0.0, 5.0, 3.0]);
    apart(&a, &b, 3.0);
}

/// drake#10577: EPA reported a large bogus depth.
#[test]
fn r058_flat_disc_lying_on_a_box() {
    let a = full([0.49, 0.63, 0.015]).turned([
        [0.0, -1.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0],
    ]).moved([-0.25, 0.0, 0.0]);
    let b = cylinder([0.001, 0.08]).moved([0.0, 0.0, 0.0085]);
    touching(&a, &b);
}

/// jolt#1008: depth 0.397 reported, 80 percent of the diameter.
#[test]
fn r060_cylinder_beside_a_triangle_edge() {
    let a = cylinder(single([0.85, 0.25])).along_y().moved(single([-42.8155518, -4.32299995, 12.1734285]));
    let b = triangle([
        [-42.7954292, -0.64731878, 12.4227943],
        [-29.911129, -0.64731878, 12.4227943],
        [-42.7954292, -4.86970234, 12.4227943],
    ].map(single));
    apart(&a, &b, 0.00017638103399);
}

/// jolt#2103: depth of about 7.25 m.
#[test]
fn r061_cylinder_resting_against_a_huge_capsule() {
    let a = cylinder(single([0.3, 0.4975])).along_y().moved(single([-0.951660156, -2.09155273, -7.63574218]));
    let b = capsule(single([2.03114343, 7.19732189])).along_y();
    deep(&a, &b, 4.43e-6, 5e-9, None);
}

/// mujoco GJK test: reference.
#[test]
fn r063_ellipsoids_apart() {
    let a = ellipsoid([0.15, 0.3, 0.2]).moved([1.5, 0.0, -0.5]);
    let b = ellipsoid([0.1, 0.1, 0.15]).moved([1.5, 0.5, 0.5]);
    apart(&a, &b, 0.754266466286213);
}

/// mujoco GJK test: 30+ iterations, missed when capped at 35.
#[test]
fn r065_ellipsoids_slow_gjk_convergence() {
    let a = ellipsoid([0.05, 0.07, 0.15]).turned([
        [0.9879924519127165, -0.13055117805648397, -0.08262750674904573],
        [-0.039107988380011484, 0.30606703783583483, -0.9512063569989782],
        [0.14947066671547388, 0.9430160965001937, 0.2972863292066587],
    ]).moved([0.44826351361072503, -0.1044142331517169, 0.2121646627845365]);
    let b = ellipsoid([0.05, 0.07, 0.15]).turned([
        [0.5330165608121595, -0.5933551663348665, -0.6031774137711904],
        [-0.3946941487774638, 0.4562016753522311, -0.7975566188846108],
        [0.7484048869567944, 0.6631814819410611, 0.008969235733740963],
    ]).moved([0.396941371876243, 0.009615426467416881, 0.29832742817753183]);
    deep(&a, &b, 1.15320974575228e-8, 0.0, Some([-0.5325452, 0.457692249, 0.711978521]));
}

/// mujoco GJK test: reference.
#[test]
fn r066_capsules_apart() {
    let a = capsule([0.3, 0.15]).moved([-0.3, 0.2, -0.4]);
    let b = capsule([0.1, 0.1]).moved([0.3, 0.2, 0.4]);
    apart(&a, &b, 0.471110255092798);
}

/// jolt EPA test: EPA error up to 0.14 on 4.
#[test]
fn r068_coincident_spheres() {
    let a = sphere(2.0).moved([1.0, 2.0, 3.0]);
    let b = sphere(2.0).moved([1.0, 2.0, 3.0]);
    deep(&a, &b, 4.0, 0.0, None);
}

/// jolt CollideShape test: found in practice, kept as a regression pose.
#[test]
fn r070_capsule_and_embedded_box_150_m_long_capsule() {
    let a = capsule(single([75.0, 1.5])).along_y().turned_by([0.5, 0.5, -0.5, -0.5]).moved(single([-9.6853857, -18.0328083, 41.321228]));
    let b = half(single([1.5, 0.75, 1.25])).turned([
        [0.516170502, 0.81501025, -0.263298869],
        [-0.803887904, 0.354940295, -0.477264702],
        [-0.295520246, 0.4580127, 0.838386655],
    ].map(single)).moved(single([-10.2214508, -18.6808319, 40.7468987]));
    deep(&a, &b, 1.956257, 5e-7, Some([-0.841471, -0.540302, 0.0]));
}

/// jolt CollideShape test: caused numerical trouble upstream.
#[test]
fn r093_capsule_against_nearly_parallel_triangle_2_face_parallel_to_the_axis() {
    let a = capsule(single([0.675, 0.42])).along_y();
    let corners = [
        [-0.0904417038, -4.72410202, 0.307858467],
        [-0.0904417038, 5.27589798, 0.307857513],
        [9.9095583, 5.27589798, 0.307864189],
    ].map(single);
    overlapping(&a, &triangle(corners));
    // A mesh has no depth; a triangle as a convex set of the caller's own has one.
    let flat = Triangle(corners.map(Vec3::from));
    let b = Body::new(Shape::custom(flat).expect("a triangle"), 12.0);
    deep(&a, &b, 0.11214197430714, 0.0, Some([0.0, 0.0, 1.0]));
}

#[derive(Debug)]
struct Triangle([Vec3; 3]);

impl SupportMap for Triangle {
    fn support(&self, direction: Vec3) -> Vec3 {
        let farther = |p: &&Vec3, q: &&Vec3| direction.dot(**p).total_cmp(&direction.dot(**q));
        *self.0.iter().max_by(farther).expect("three corners")
    }
}
