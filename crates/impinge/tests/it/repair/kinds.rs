//! Every kind of defect in a mesh made by hand: found, with its number and its places, and nothing else found.

use super::*;
use impinge::repair::{
    Convexity, InspectOptions, RepairOptions, Search, inspect, inspect_with, repair,
};

#[test]
fn a_cube_is_clean() {
    let report = inspect(&mesh(&CUBE, &QUADS));
    assert!(report.is_clean() && report.findings.is_empty());
    let facts = &report.facts;
    assert_eq!((facts.vertices, facts.edges, facts.faces), (8, 12, 6));
    assert_eq!((facts.triangles, facts.components), (12, 1));
    assert_eq!((facts.euler_characteristic, facts.genus), (2, Some(0)));
    assert!(facts.closed && facts.balanced && facts.boundary_edges == 0);
    assert_eq!(facts.convexity, Convexity::Convex);
    assert_eq!(facts.search, Search::Complete);
    assert_eq!((facts.volume, facts.area), (Some(64.0), 96.0));
    assert_eq!(facts.edge_lengths, Some([4.0, 4.0]));
    assert_eq!(facts.bounds.unwrap().size(), Vec3::splat(4.0));
    assert_eq!(report.headline(), "closed, convex; clean");
}

#[test]
fn nothing_is_nothing() {
    let report = inspect(&PolyMesh::default());
    assert!(report.findings.is_empty() && !report.facts.closed);
    assert_eq!(report.facts.bounds, None);
    assert_eq!(report.facts.volume, None);
}

#[test]
fn duplicate_vertices() {
    // Two of the corners of the top twice; -0 is 0.
    let mut points = CUBE.map(|p| Vec3::from_array(p.map(f64::from))).to_vec();
    points.extend([Vec3::new(4.0, -0.0, 4.0), Vec3::new(-0.0, 4.0, 4.0)]);
    let mut quads = QUADS;
    quads[1] = [4, 8, 6, 9];
    let report = inspect(&float_mesh(points, &quads));
    let repeats = [(8, 5), (9, 7)].map(|(vertex, of)| Site::Repeat { vertex, of });
    assert_eq!(
        found(&report),
        [(Defect::DuplicateVertex, 2, repeats.to_vec())]
    );
    assert!(report.facts.closed);
}

#[test]
fn unused_vertices() {
    let mut points = CUBE.to_vec();
    points.extend([[9, 9, 9], [1, 2, 3]]);
    let report = inspect(&mesh(&points, &QUADS));
    assert_eq!(
        found(&report),
        [(Defect::UnusedVertex, 2, vertices([8, 9]))]
    );
    // What no face uses is not part of the shape.
    assert_eq!(report.facts.bounds.unwrap().size(), Vec3::splat(4.0));
    assert_eq!(report.facts.genus, Some(0));
}

#[test]
fn extraneous_vertices() {
    // The top is cut into four triangles around its centre, the edge of top and front has a vertex in the middle.
    let mut points = CUBE.to_vec();
    points.extend([[2, 2, 4], [2, 0, 4]]);
    let mut faces: Vec<Vec<u32>> = QUADS.map(Vec::from).to_vec();
    faces[1] = vec![4, 9, 8];
    faces[2] = vec![0, 1, 5, 9, 4];
    faces.extend([vec![9, 5, 8], vec![5, 6, 8], vec![6, 7, 8], vec![7, 4, 8]]);
    let report = inspect(&mesh(&points, &faces));
    let expected = [
        (Defect::FlatVertex, 1, vertices([8])),
        (Defect::StraightVertex, 1, vertices([9])),
    ];
    assert_eq!(found(&report), expected);
    assert!(report.is_clean());
    assert_eq!(report.facts.convexity, Convexity::Convex);
}

#[test]
fn repeated_corners() {
    let mut faces: Vec<Vec<u32>> = QUADS.map(Vec::from).to_vec();
    faces[0] = vec![0, 3, 3, 2, 1];
    faces[3] = vec![1, 2, 6, 5, 1, 2, 6, 5];
    let report = inspect(&mesh(&CUBE, &faces));
    assert_eq!(
        found(&report),
        [(Defect::RepeatedCorner, 2, super::faces([0, 3]))]
    );
    assert!(report.facts.closed);
}

#[test]
fn faces_without_area() {
    // A needle along the edge of front and right, and a face of two corners.
    let mut points = CUBE.to_vec();
    points.push([4, 0, 1]);
    let mut faces: Vec<Vec<u32>> = QUADS.map(Vec::from).to_vec();
    faces[2] = vec![0, 1, 8, 5, 4];
    faces.extend([vec![8, 1, 5], vec![3, 7, 3]]);
    let report = inspect(&mesh(&points, &faces));
    // Without the needle, the vertex would be on a straight edge, and the front would touch the right along half of it.
    let expected = [
        (Defect::StraightVertex, 1, vertices([8])),
        (Defect::RepeatedCorner, 1, super::faces([7])),
        (Defect::ZeroAreaFace, 2, super::faces([6, 7])),
        (Defect::SelfIntersection, 1, vec![Site::Faces([2, 3])]),
    ];
    assert_eq!(found(&report), expected);
    assert!(report.facts.closed);
    assert_eq!(report.facts.convexity, Convexity::Undecided);
}

#[test]
fn duplicate_faces() {
    let mut quads = QUADS.to_vec();
    quads.push([2, 6, 5, 1]);
    let report = inspect(&mesh(&CUBE, &quads));
    let crowded = edges([[1, 2], [1, 5], [2, 6], [5, 6]]);
    let expected = [
        (Defect::DuplicateFace, 1, vec![Site::Faces([3, 6])]),
        (Defect::NonManifoldEdge, 4, crowded.clone()),
    ];
    assert_eq!(found(&report), expected);
    quads[6].reverse();
    let report = inspect(&mesh(&CUBE, &quads));
    let expected = [
        (Defect::OppositeFace, 1, vec![Site::Faces([3, 6])]),
        (Defect::NonManifoldEdge, 4, crowded),
    ];
    assert_eq!(found(&report), expected);
}

#[test]
fn planarity() {
    let mut points = CUBE.map(|p| Vec3::from_array(p.map(f64::from)));
    points[6].x = 4f64.next_up();
    let report = inspect(&float_mesh(points.to_vec(), &QUADS));
    // Of its three faces the right one is bent, the others are square still.
    assert_eq!(
        report.finding(Defect::RoundedFace).unwrap().sites,
        faces([3])
    );
    assert_eq!(report.count(Defect::NonPlanarFace), 0);
    points[6].x = 4.5;
    let report = inspect(&float_mesh(points.to_vec(), &QUADS));
    let finding = report.finding(Defect::NonPlanarFace).unwrap();
    assert_eq!(finding.sites, faces([3]));
    // The four corners are an eighth above or below a plane, alternately; the face is 4 wide.
    assert!((finding.worst.unwrap() - 0.125 / 4.0).abs() < 1e-3);
    assert!(report.is_clean() || report.count(Defect::RoundedFace) == 0);
    let lenient = InspectOptions {
        rounding: 0.1,
        ..InspectOptions::default()
    };
    let report = inspect_with(&float_mesh(points.to_vec(), &QUADS), &lenient);
    assert_eq!(report.count(Defect::RoundedFace), 1);
}

/// A prism over a polygon in the plane z = 0, of height 2.
fn prism(outline: &[[i32; 2]]) -> PolyMesh {
    let n = outline.len() as u32;
    let level = |z| outline.iter().map(move |[x, y]| [*x, *y, z]);
    let points: Vec<[i32; 3]> = level(0).chain(level(2)).collect();
    let mut faces: Vec<Vec<u32>> = vec![(0..n).rev().collect(), (n..2 * n).collect()];
    faces.extend((0..n).map(|i| {
        let j = (i + 1) % n;
        vec![i, j, j + n, i + n]
    }));
    mesh(&points, &faces)
}

#[test]
fn non_convex_faces_and_shapes() {
    // An L: one reflex edge, and two faces that are not convex.
    let report = inspect(&prism(&[[0, 0], [4, 0], [4, 2], [2, 2], [2, 4], [0, 4]]));
    let expected = [
        (Defect::NonConvexFace, 2, faces([0, 1])),
        (Defect::ReflexEdge, 1, edges([[3, 9]])),
    ];
    assert_eq!(found(&report), expected);
    assert_eq!((report.facts.volume, report.facts.area), (Some(24.0), 56.0));
    // The neighbour rises by 2, half of the size.
    assert_eq!(
        report.facts.convexity,
        Convexity::NotConvex { depth: Some(0.5) }
    );
}

#[test]
fn crossing_faces() {
    let points = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [4, 4, 0]];
    let report = inspect(&mesh(&points, &[[0, 1, 2, 3]]));
    let border = Site::Loop {
        edge: [0, 1],
        length: 4,
    };
    let expected = [
        (Defect::CrossingFace, 1, faces([0])),
        (Defect::Hole, 1, vec![border]),
    ];
    assert_eq!(found(&report), expected);
}

#[test]
fn holes() {
    // Without bottom and top, a cube is a tube.
    let report = inspect(&mesh(&CUBE, &QUADS[2..]));
    let holes = [[0, 1], [4, 5]].map(|edge| Site::Loop { edge, length: 4 });
    assert_eq!(found(&report), [(Defect::Hole, 2, holes.to_vec())]);
    let facts = &report.facts;
    assert!(!facts.closed && facts.volume.is_none() && facts.genus.is_none());
    assert_eq!((facts.boundary_edges, facts.euler_characteristic), (8, 0));
    assert_eq!(report.headline(), "open; 1 kind of defect");
}

#[test]
fn non_manifold_edges_and_vertices() {
    // Two cubes that touch along an edge: the second is the first, mirrored about it.
    let mut points = CUBE.to_vec();
    points.extend(CUBE.map(|[x, y, z]| [8 - x, 8 - y, z]));
    let both = |quads: &[[u32; 4]]| -> Vec<[u32; 4]> {
        let other = quads.iter().map(|q| q.map(|v| v + 8));
        quads.iter().copied().chain(other).collect()
    };
    let report = inspect(&mesh(&points, &both(&QUADS)));
    let repeats = [(10, 2), (14, 6)].map(|(vertex, of)| Site::Repeat { vertex, of });
    let expected = [
        (Defect::DuplicateVertex, 2, repeats.to_vec()),
        (Defect::NonManifoldEdge, 1, edges([[2, 6]])),
    ];
    assert_eq!(found(&report), expected);
    assert!(report.facts.closed && report.facts.balanced);
    assert_eq!(report.facts.volume, Some(128.0));

    // Mirrored about a corner, they touch there only.
    for (i, [x, y, z]) in CUBE.into_iter().enumerate() {
        points[8 + i] = [8 - x, 8 - y, 8 - z];
    }
    let mut quads = both(&QUADS);
    for quad in &mut quads[6..] {
        quad.reverse();
    }
    let report = inspect(&mesh(&points, &quads));
    let components = [0, 6].map(|face| Site::Component { face, faces: 6 });
    let expected = [
        (
            Defect::DuplicateVertex,
            1,
            vec![Site::Repeat { vertex: 14, of: 6 }],
        ),
        (Defect::NonManifoldVertex, 1, vertices([6])),
        (Defect::SeparateComponent, 2, components.to_vec()),
    ];
    assert_eq!(found(&report), expected);
}

#[test]
fn backfacing_faces_and_inverted_components() {
    let mut quads = QUADS;
    quads[3].reverse();
    let report = inspect(&mesh(&CUBE, &quads));
    let against = edges([[1, 2], [1, 5], [2, 6], [5, 6]]);
    let expected = [
        (Defect::InconsistentEdge, 4, against),
        (Defect::BackfacingFace, 1, faces([3])),
    ];
    assert_eq!(found(&report), expected);
    assert!(report.facts.closed && !report.facts.balanced);
    for quad in &mut quads {
        quad.reverse();
    }
    quads[3].reverse();
    let report = inspect(&mesh(&CUBE, &quads));
    let whole = Site::Component { face: 0, faces: 6 };
    assert_eq!(
        found(&report),
        [(Defect::InvertedComponent, 1, vec![whole])]
    );
    assert_eq!(report.facts.volume, Some(-64.0));
    assert_eq!(report.facts.convexity, Convexity::Convex);
}

#[test]
fn one_sided_components() {
    let points = [[0, 0, 0], [4, 0, 1], [5, 3, 0], [1, 5, 2], [-1, 2, 5]];
    let strip: Vec<[u32; 3]> = (0..5).map(|i| [i, (i + 1) % 5, (i + 2) % 5]).collect();
    let report = inspect(&mesh(&points, &strip));
    let whole = Site::Component { face: 0, faces: 5 };
    let sites = &report
        .finding(Defect::NonOrientableComponent)
        .unwrap()
        .sites;
    assert_eq!(sites, &[whole]);
    let border = Site::Loop {
        edge: [0, 2],
        length: 5,
    };
    assert_eq!(report.finding(Defect::Hole).unwrap().sites, [border]);
    assert_eq!(report.count(Defect::BackfacingFace), 0);
    assert!(report.count(Defect::InconsistentEdge) > 0);
    assert_eq!(report.facts.euler_characteristic, 0);
}

#[test]
fn separate_components_and_isolated_faces() {
    let mut points = CORNER.to_vec();
    points.extend([[9, 0, 0], [9, 1, 0], [9, 0, 1]]);
    let mut triangles = TRIANGLES.to_vec();
    triangles.push([4, 5, 6]);
    let report = inspect(&mesh(&points, &triangles));
    let components = [(0, 4), (4, 1)].map(|(face, faces)| Site::Component { face, faces });
    let border = Site::Loop {
        edge: [4, 5],
        length: 3,
    };
    let expected = [
        (Defect::Hole, 1, vec![border]),
        (Defect::SeparateComponent, 2, components.to_vec()),
        (Defect::IsolatedFace, 1, faces([4])),
    ];
    assert_eq!(found(&report), expected);
}

#[test]
fn self_intersections() {
    // A spike through the bottom of a tetrahedron, and one that only touches it from below.
    for (tip, expected) in [(1, 3), (0, 3), (-1, 0)] {
        let mut points = CORNER.to_vec();
        points.extend([[1, 1, tip], [1, 2, -4], [2, 1, -4], [1, 1, -5]]);
        let mut triangles = TRIANGLES.to_vec();
        triangles.extend(TRIANGLES.map(|t| t.map(|v| v + 4)));
        let report = inspect(&mesh(&points, &triangles));
        assert_eq!(
            report.count(Defect::SelfIntersection),
            expected,
            "tip at {tip}"
        );
        if let Some(finding) = report.finding(Defect::SelfIntersection) {
            let pairs = [4, 5, 7].map(|spike| Site::Faces([0, spike]));
            assert_eq!(finding.sites, pairs);
        }
    }
}

#[test]
fn counts_are_complete_and_sites_are_not() {
    let few = InspectOptions {
        sites: 2,
        ..InspectOptions::default()
    };
    let mut points = CUBE.to_vec();
    points.extend([[7, 7, 7]; 1000]);
    let report = inspect_with(&mesh(&points, &QUADS), &few);
    let finding = report.finding(Defect::UnusedVertex).unwrap();
    assert_eq!((finding.count, finding.sites.len()), (1000, 2));
    assert_eq!(report.count(Defect::DuplicateVertex), 999);
}

#[test]
fn genus_counts_handles() {
    // A square frame: the L-shaped way around, closed, of genus 1.
    let square = |r: i32| [[-r, -r], [r, -r], [r, r], [-r, r]];
    let points: Vec<[i32; 3]> = [0, 1]
        .into_iter()
        .flat_map(|z| {
            [square(4), square(2)]
                .concat()
                .into_iter()
                .map(move |[x, y]| [x, y, z])
        })
        .collect();
    let mut frame: Vec<Vec<u32>> = Vec::new();
    for i in 0..4 {
        let j = (i + 1) % 4;
        let (outer, inner) = ([i, j], [i + 4, j + 4]);
        frame.push(vec![outer[1], outer[0], inner[0], inner[1]]);
        frame.push(vec![outer[0] + 8, outer[1] + 8, inner[1] + 8, inner[0] + 8]);
        frame.push(vec![outer[0], outer[1], outer[1] + 8, outer[0] + 8]);
        frame.push(vec![inner[1], inner[0], inner[0] + 8, inner[1] + 8]);
    }
    let report = inspect(&mesh(&points, &frame));
    assert!(report.is_clean());
    assert_eq!(report.facts.genus, Some(1));
    assert_eq!(report.facts.volume, Some(48.0));
}

#[test]
fn coordinates_of_any_size() {
    for scale in [1e-300, 1e-160, 1e-40, 1e40, 1e160, 1e300] {
        let points: Vec<Vec3> = CUBE
            .iter()
            .map(|p| Vec3::from_array(p.map(f64::from)) * scale)
            .collect();
        let report = inspect(&float_mesh(points.clone(), &QUADS));
        assert!(report.is_clean(), "{scale}: {report}");
        assert_eq!(report.facts.convexity, Convexity::Convex, "{scale}");
        let mut reversed = QUADS;
        reversed.iter_mut().for_each(|q| q.reverse());
        let report = inspect(&float_mesh(points, &reversed));
        assert_eq!(report.count(Defect::InvertedComponent), 1, "{scale}");
    }
}

#[test]
fn inputs_that_invite_quadratic_work() {
    let n = 20_000;
    // Collinear triangles that all overlap, each in the gap of the next.
    let line: Vec<[i32; 3]> = (0..n + 2).map(|i| [i, i, i]).collect();
    let needles: Vec<[u32; 3]> = (0..n as u32).map(|i| [0, i + 1, i + 2]).collect();
    // Triangles that share a single vertex, the last one.
    let mut star: Vec<[i32; 3]> = (0..2 * n).map(|i| [i, i % 7, i % 11]).collect();
    star.push([0, 0, n]);
    let leaves: Vec<[u32; 3]> = (0..n as u32)
        .map(|i| [2 * i, 2 * i + 1, 2 * n as u32])
        .collect();
    // One face that returns to a vertex again and again.
    let loops: Vec<u32> = (0..n as u32 / 2)
        .flat_map(|i| [2 * n as u32, 2 * i, 2 * i + 1])
        .collect();
    for (mesh, kind) in [
        (mesh(&line, &needles), Defect::ZeroAreaFace),
        (mesh(&star, &leaves), Defect::NonManifoldVertex),
        (mesh(&star, &[loops]), Defect::RepeatedCorner),
    ] {
        let (_, report) = repair(&mesh, &RepairOptions::default()).unwrap();
        assert!(report.count(kind) > 0);
    }
}
