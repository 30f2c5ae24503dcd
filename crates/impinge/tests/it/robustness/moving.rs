//! Cases about moving shapes: how far apart they are before they move, or after.

use super::{Body, apart, apart_to, capsule, half, overlapping, single, sphere, triangle};
use impinge::{TriMesh, Vec3};

/// parry#317: a nonlinear cast returned nothing.
#[test]
fn r100_rotating_and_translating_boxes_before_they_move() {
    let a = half([235.0, 105.0, 110.0])
        .turned_by([-0.542044, 5.3359954e-20, 9.459897e-20, -0.84035015])
        .moved([6458.7905, -209.1331, 1014.52124]);
    let b = half([650.0, 330.0, 275.0])
        .turned_by([0.99999607, 0.002524775, -0.00026210435, -0.0012064485])
        .moved([6079.4917, -849.3108, 853.8756]);
    apart_to(&a, &b, 53.957488997, 1e-9);
}

/// parry#194: kept as a regression pose by the project.
#[test]
fn r101_fast_open_pyramids_before_they_move() {
    let vertices = [
        [0.0, 1.0, 0.0],
        [-1.0, -0.5, 0.0],
        [0.0, -0.5, -1.0],
        [1.0, -0.5, 0.0],
    ];
    let triangles = vec![[0, 1, 2], [0, 2, 3], [0, 3, 1]];
    let mesh = TriMesh::new(vertices.map(Vec3::from).to_vec(), triangles).unwrap();
    let pyramid = Body::new(mesh.into(), 2.0);
    apart(&pyramid, &pyramid.clone().moved([1000.0, 0.0, 0.0]), 998.0);
}

/// parry#35: kept as a regression pose by the project.
#[test]
fn r103_balls_head_on_before_they_move() {
    apart(&sphere(0.5), &sphere(0.5).moved([0.0, 10.0, 0.0]), 9.0);
}

/// parry's test time_of_impact3.
#[test]
fn r106_ball_towards_a_cube_corner_before_it_moves() {
    let cube = half([1.0; 3]);
    let gap = 3_f64.sqrt() - 1.0;
    apart(&sphere(1.0).moved([2.0; 3]), &cube, gap);
    overlapping(&sphere(1.0).moved([1.0; 3]), &cube);
}

/// physx#597: no hit.
#[test]
fn r110_capsule_sweep_against_a_triangle_before_it_moves() {
    let a = capsule(single([0.340350509, 0.265350759]))
        .along_y()
        .moved(single([7.74110079, 80.8543167, -27.2595482]));
    let corners = [
        [7.3329401, 79.6109009, -26.9337997],
        [7.61456013, 80.2574005, -27.3008995],
        [7.3329401, 80.2574005, -26.9337997],
    ];
    apart_to(&a, &triangle(corners.map(single)), 0.0236966829, 1e-10);
}

/// physx#610: 2.9975 instead of 3.
#[test]
fn r111_cube_dropped_on_a_cube_before_it_drops() {
    let [a, b] = [15.0, 10.0].map(|y| half([1.0; 3]).moved([0.0, y, 0.0]));
    apart(&a, &b, 3.0);
}

/// tight-inclusion#1: an impact at the start, though the distance never gets to zero.
#[test]
fn r113_vertex_face_at_both_ends_of_the_motion() {
    let vertex = sphere(0.0).moved([0.35, 0.0, 0.35]);
    let start = [
        [0.34604643638, 0.0027847887896, 0.3465812116],
        [0.35000819263, -1.5763377304e-6, 0.35001214242],
        [0.34903882032, -0.0015866575093, 0.34560164356],
    ];
    let step = [
        [1.0120300789e-7, -0.00014009994248, -8.5653091896e-5],
        [-9.2976239634e-7, 1.4361165221e-6, 5.5168830145e-7],
        [0.00011649271683, -3.6172565398e-5, -4.7128237917e-5],
    ];
    let end = std::array::from_fn(|i| std::array::from_fn(|k| start[i][k] + step[i][k]));
    apart(&vertex, &triangle(start), 5.69252035375013e-7);
    apart(&vertex, &triangle(end), 6.0777495426468e-7);
}
