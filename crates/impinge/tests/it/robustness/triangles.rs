//! Triangles against triangles and points.

use super::{apart, box_surface, overlapping, single, sphere, touching_exactly, triangle};
use impinge::{Feature, query};

/// parry#246, parry#253: EPA panicked.
#[test]
fn r085_triangle_vertex_on_a_triangle_edge() {
    let a = triangle([
        [-13.174434, 1.0, 8.736801],
        [3.5251038, 1.0, 12.1],
        [3.2048466, 1.0, 12.218325],
    ]);
    let b = triangle([
        [-1.63, 0.0, 11.19],
        [-2.349647, 0.0, 11.037681],
        [-2.349647, 1.0, 11.037681],
    ]);
    apart(&a, &b, 2.0373232802402248e-7);
}

/// The same with the inputs rounded to `f32`.
#[test]
fn r085_triangle_vertex_on_a_triangle_edge_in_f32() {
    let a = triangle([
        [-13.174434, 1.0, 8.736801],
        [3.5251038, 1.0, 12.1],
        [3.2048466, 1.0, 12.218325],
    ].map(single));
    let b = triangle([
        [-1.63, 0.0, 11.19],
        [-2.349647, 0.0, 11.037681],
        [-2.349647, 1.0, 11.037681],
    ].map(single));
    apart(&a, &b, 4.0671142743163024e-8);
}

/// parry#75: the point counted as contained.
#[test]
fn r086_point_near_a_sliver_triangle() {
    let a = triangle([
        [21.94, 3.7, 0.0],
        [22.255, 3.7, -0.315],
        [22.255, 3.5, -0.315],
    ]);
    apart(&a, &sphere(0.0).moved([22.01, 3.7, -0.291]), 0.156270598642226);
}

/// libccd#55: squared distance 0 without witness, 3.108e-16 with witness.
#[test]
fn r088_origin_17_6_nm_from_a_triangle() {
    let a = triangle([
        [0.06999979436939574, -1.70821917167e-8, 1.0278146465966471],
        [0.06999979436939574, -1.70821917167e-8, -0.8171853534033529],
        [-0.40000020563060423, -2.075754440556e-8, 1.0278146431293833],
    ]);
    apart(&a, &sphere(0.0), 1.76295830623494e-8);
}

/// pytorch3d#613: wrong distance for a small triangle.
#[test]
fn r090_point_against_a_tiny_triangle() {
    let a = triangle([
        [-0.163, -0.6029, 0.1093],
        [-0.1633, -0.6029, 0.1095],
        [-0.1641, -0.6041, 0.1075],
    ]);
    apart(&a, &sphere(0.0).moved([-1.0; 3]), 1.44292129723003);
}

/// pytorch3d#613: the triangle that did work.
#[test]
fn r091_point_against_a_tiny_triangle() {
    let a = triangle([
        [-0.1616, -0.102, -0.5773],
        [-0.1637, -0.1023, -0.5774],
        [-0.1635, -0.1008, -0.5773],
    ]);
    apart(&a, &sphere(0.0).moved([-1.0; 3]), 1.29763390060525);
}

/// jolt closest point test: kept as a regression pose by the project.
#[test]
fn r096_closest_point_nearly_colinear_triangle() {
    let a = triangle([
        [99.9999847, 0.946687222, 99.9999847],
        [-100.010002, 0.977360725, -100.010002],
        [-100.000137, 0.977310658, -100.000137],
    ].map(single));
    let answer = query::distance(a.placed(), sphere(0.0).placed());
    // The edge from the last corner to the first.
    assert_eq!(answer.features[0], Feature::Edge(2));
}

/// jolt CollideShape test: reference.
#[test]
fn r095_triangle_tip_through_a_triangle() {
    let a = triangle([
        [-1.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ]);
    let b = triangle([
        [-1.0, 1.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, -0.01, 0.0],
    ]);
    overlapping(&a, &b);
}

/// trimesh#1860: false for equal sizes, true for unequal sizes.
#[test]
fn r121_touching_boxes_as_meshes() {
    let upper = box_surface([0.0, 1.0, 0.0], [1.0, 2.0, 1.0]);
    for low in [[0.0, 0.0, 0.0], [-1.0, 0.0, 0.0]] {
        touching_exactly(&box_surface(low, [1.0; 3]), &upper);
    }
}
