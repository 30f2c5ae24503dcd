//! Each defect that has a mend, mended; each that has none, left with a reason.

use super::*;
use impinge::repair::{Action, Change, RepairOptions, inspect, repair};
use impinge::{Error, Solid, TriMesh};

fn mend(mesh: &PolyMesh) -> (PolyMesh, Report) {
    repair(mesh, &RepairOptions::default()).unwrap()
}

/// Mends, and asserts that this was done, and that the result is clean.
fn assert_mended(mesh: &PolyMesh, changes: &[Change]) -> PolyMesh {
    let (mended, report) = mend(mesh);
    assert_eq!(report.changes, changes);
    let after = inspect(&mended);
    assert!(after.is_clean(), "{after}");
    for finding in report.findings.iter().filter(|f| !f.kind.is_note()) {
        assert_eq!(finding.action, Action::Mended, "{finding}");
    }
    assert_eq!(report.result.as_ref(), Some(&after.facts));
    mended
}

fn assert_solid(mesh: &PolyMesh) {
    let triangles = mesh.triangulate().triangles;
    Solid::new(TriMesh::new(mesh.vertices().to_vec(), triangles).unwrap()).unwrap();
}

#[test]
fn a_clean_mesh_is_left_alone() {
    let cube = mesh(&CUBE, &QUADS);
    let (mended, report) = mend(&cube);
    assert_eq!(mended, cube);
    assert!(report.changes.is_empty() && report.findings.is_empty());
}

#[test]
fn vertices_are_welded_and_dropped() {
    let mut points = CUBE.to_vec();
    points.extend([[0, 0, 0], [4, 4, 4], [3, 3, 3]]);
    let mut quads = QUADS;
    quads[0] = [8, 3, 2, 1];
    quads[3] = [1, 2, 9, 5];
    let changes = [Change::MergedVertices(2), Change::DroppedVertices(1)];
    let mended = assert_mended(&mesh(&points, &quads), &changes);
    assert_eq!(mended, mesh(&CUBE, &QUADS));
}

#[test]
fn a_tolerance_closes_cracks_and_drops_what_collapses() {
    let mut points: Vec<Vec3> = CUBE.map(|p| Vec3::from_array(p.map(f64::from))).to_vec();
    points.push(Vec3::new(4.0, 4.0, 4.0 + 1e-6));
    let mut faces: Vec<Vec<u32>> = QUADS.map(Vec::from).to_vec();
    faces[1] = vec![4, 5, 8, 7];
    faces.push(vec![8, 6, 5]);
    let cracked = float_mesh(points, &faces);
    assert!(inspect(&cracked).count(Defect::Hole) > 0);
    let options = RepairOptions {
        weld_tolerance: 1e-5,
        ..RepairOptions::default()
    };
    let (mended, report) = repair(&cracked, &options).unwrap();
    assert_eq!(mended, mesh(&CUBE, &QUADS));
    assert_eq!(report.finding(Defect::Hole).unwrap().action, Action::Mended);
    let changes = [Change::MergedVertices(1), Change::DroppedFlatFaces(1)];
    assert_eq!(report.changes, changes);
}

#[test]
fn needless_corners_go() {
    let mut faces: Vec<Vec<u32>> = QUADS.map(Vec::from).to_vec();
    faces[0] = vec![0, 3, 3, 2, 1];
    faces[3] = vec![1, 2, 6, 5, 1, 2, 6, 5];
    faces[4] = vec![2, 3, 7, 3, 7, 6];
    let mended = assert_mended(&mesh(&CUBE, &faces), &[Change::CleanedFaces(3)]);
    assert_eq!(mended.face_count(), 6);
}

#[test]
fn faces_without_area_go_and_the_surface_stays_closed() {
    // A needle along an edge, with a vertex inside that edge on one side only; all faces are triangles.
    let mut points = CORNER.to_vec();
    points.push([1, 0, 0]);
    let triangles = [
        [0, 2, 1],
        [0, 4, 3],
        [4, 1, 3],
        [1, 2, 3],
        [0, 3, 2],
        [4, 0, 1],
    ];
    let broken = mesh(&points, &triangles);
    assert_eq!(inspect(&broken).count(Defect::ZeroAreaFace), 1);
    let mended = assert_mended(&broken, &[Change::DroppedFlatFaces(1)]);
    assert_solid(&mended);
    // The neighbour was cut, so that there are only triangles again.
    assert!(mended.faces().all(|f| f.len() == 3));
    assert_eq!(mended.face_count(), 6);
}

#[test]
fn duplicates_go_unless_that_would_tear() {
    let mut quads = QUADS.to_vec();
    quads.push([2, 6, 5, 1]);
    let mended = assert_mended(&mesh(&CUBE, &quads), &[Change::DroppedDuplicates(1)]);
    assert_eq!(mended, mesh(&CUBE, &QUADS));

    // Two cubes with a common wall, each with a face of its own there.
    let mut points = CUBE.to_vec();
    points.extend(CUBE.map(|[x, y, z]| [x + 4, y, z]));
    let mut quads = QUADS.to_vec();
    quads.extend(QUADS.map(|q| q.map(|v| v + 8)));
    let (mended, report) = mend(&mesh(&points, &quads));
    assert_eq!(mended.face_count(), 12);
    assert_solid(&mended);
    let action = &report.finding(Defect::OppositeFace).unwrap().action;
    assert!(
        matches!(action, Action::Left { count: 1, sites, .. } if sites == &[Site::Faces([3, 11])])
    );
}

#[test]
fn faces_are_cut() {
    let mut points = CUBE.to_vec();
    points[6] = [5, 4, 4];
    // The right face is bent, and so are none of the others.
    let mended = assert_mended(&mesh(&points, &QUADS), &[Change::SplitFaces(1)]);
    assert_eq!(mended.face_count(), 7);
    assert_solid(&mended);

    let outline = [[0, 0], [4, 0], [4, 2], [2, 2], [2, 4], [0, 4]];
    let level = |z| outline.map(|[x, y]| [x, y, z]);
    let points = [level(0), level(2)].concat();
    let mut faces: Vec<Vec<u32>> = vec![(0..6).rev().collect(), (6..12).collect()];
    faces.extend((0..6).map(|i| vec![i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6]));
    let l_shape = mesh(&points, &faces);
    let mended = assert_mended(&l_shape, &[Change::SplitFaces(2)]);
    assert_eq!(mended.face_count(), 6 + 4 + 4);
    assert_solid(&mended);
    let keep = RepairOptions {
        split_non_convex: false,
        ..RepairOptions::default()
    };
    let (kept, report) = repair(&l_shape, &keep).unwrap();
    assert_eq!(kept, l_shape);
    let action = &report.finding(Defect::NonConvexFace).unwrap().action;
    assert!(matches!(action, Action::Left { count: 2, .. }));
}

#[test]
fn faces_are_turned() {
    let mut quads = QUADS;
    quads[3].reverse();
    let mended = assert_mended(&mesh(&CUBE, &quads), &[Change::FlippedFaces(1)]);
    assert_solid(&mended);
    for quad in &mut quads {
        quad.reverse();
    }
    quads[3].reverse();
    let mended = assert_mended(&mesh(&CUBE, &quads), &[Change::FlippedFaces(6)]);
    assert_eq!(inspect(&mended).facts.volume, Some(64.0));
}

#[test]
fn a_cavity_is_not_turned_and_an_island_in_it_is() {
    let mut points = CUBE.map(|p| p.map(|x| 5 * x)).to_vec();
    points.extend(CUBE.map(|p| p.map(|x| 3 * x + 3)));
    points.extend(CUBE.map(|p| p.map(|x| x + 8)));
    let inward = QUADS.map(|[a, b, c, d]| [d, c, b, a]);
    let mut quads = QUADS.to_vec();
    quads.extend(inward.map(|q| q.map(|v| v + 8)));
    quads.extend(inward.map(|q| q.map(|v| v + 16)));
    let mended = assert_mended(&mesh(&points, &quads), &[Change::FlippedFaces(6)]);
    let volume = inspect(&mended).facts.volume;
    assert_eq!(
        volume,
        Some(f64::from(20 * 20 * 20 - 12 * 12 * 12 + 4 * 4 * 4))
    );
}

#[test]
fn coplanar_faces_are_merged_if_wanted() {
    // A cube whose faces are all cut into triangles, with extra vertices.
    let mut points = CUBE.to_vec();
    points.extend([[2, 2, 4], [2, 0, 4]]);
    let mut faces: Vec<Vec<u32>> = Vec::new();
    for [a, b, c, d] in [QUADS[0], QUADS[3], QUADS[4], QUADS[5]] {
        faces.extend([vec![a, b, c], vec![a, c, d]]);
    }
    faces.extend([[4, 9, 8], [9, 5, 8], [5, 6, 8], [6, 7, 8], [7, 4, 8]].map(Vec::from));
    faces.extend([[0, 1, 9], [1, 5, 9], [0, 9, 4]].map(Vec::from));
    let broken = mesh(&points, &faces);
    let (_, report) = mend(&broken);
    let action = &report.finding(Defect::FlatVertex).unwrap().action;
    assert!(matches!(action, Action::Left { count: 1, .. }));
    let merge = RepairOptions {
        merge_coplanar: true,
        ..RepairOptions::default()
    };
    let (merged, report) = repair(&broken, &merge).unwrap();
    let changes = [Change::MergedFaces(10), Change::DroppedVertices(2)];
    assert_eq!(report.changes, changes);
    let after = inspect(&merged);
    assert!(after.findings.is_empty(), "{after}");
    assert_eq!((merged.vertices().len(), merged.face_count()), (8, 6));
}

#[test]
fn what_has_no_mend_is_left_with_a_reason() {
    let open = mesh(&CUBE, &QUADS[1..]);
    let bow_tie = mesh(&CUBE, &[[0, 1, 3, 2]]);
    let moebius: Vec<[u32; 3]> = (0..5).map(|i| [i, (i + 1) % 5, (i + 2) % 5]).collect();
    let moebius = mesh(
        &[[0, 0, 0], [4, 0, 1], [5, 3, 0], [1, 5, 2], [-1, 2, 5]],
        &moebius,
    );
    let crossing = mesh(
        &[
            [0, 0, 0],
            [4, 0, 0],
            [0, 4, 0],
            [1, 1, -1],
            [1, 1, 1],
            [9, 9, 1],
        ],
        &[[0, 1, 2], [3, 4, 5]],
    );
    for (mesh, kind) in [
        (open, Defect::Hole),
        (bow_tie, Defect::CrossingFace),
        (moebius, Defect::NonOrientableComponent),
        (crossing, Defect::SelfIntersection),
    ] {
        let (mended, report) = mend(&mesh);
        assert_eq!(mended.face_count(), mesh.face_count());
        let finding = report.finding(kind).unwrap();
        let Action::Left { count, sites, why } = &finding.action else {
            panic!("{finding}")
        };
        assert_eq!((*count, sites), (finding.count, &finding.sites));
        assert!(!why.is_empty());
    }
}

#[test]
fn all_can_go() {
    let (mended, report) = mend(&mesh(&CUBE, &[[0, 1, 0], [2, 2, 2]]));
    assert_eq!((mended.face_count(), mended.vertices().len()), (0, 0));
    assert_eq!(report.result.unwrap().faces, 0);
    let (mended, _) = mend(&mesh(&[[0, 0, 0], [1, 1, 1], [2, 2, 2]], &[[0, 1, 2]]));
    assert_eq!(mended.face_count(), 0);
}

#[test]
fn options_must_make_sense() {
    let cube = mesh(&CUBE, &QUADS);
    for (tolerance, is_range) in [(-1.0, true), (f64::NAN, false), (f64::INFINITY, false)] {
        let options = RepairOptions {
            weld_tolerance: tolerance,
            ..RepairOptions::default()
        };
        let error = repair(&cube, &options).unwrap_err();
        assert_eq!(matches!(error, Error::OutOfRange { .. }), is_range);
        assert!(error.to_string().contains("weld tolerance"), "{error}");
    }
}

#[test]
fn a_report_can_be_read() {
    let mut quads = QUADS.to_vec();
    quads[3].reverse();
    quads.push([2, 6, 5, 1]);
    let (_, report) = mend(&mesh(&CUBE, &quads));
    let text = report.to_string();
    for words in [
        "open; 2 kinds of defects",
        "8 vertices, 7 faces (14 triangles)",
        "1 face repeats an earlier one the other way round: faces 3 and 6; mended",
        "4 edges have more than two faces: edge 1-2, edge 1-5, edge 2-6, edge 5-6; mended",
        "dropped 1 repeated face",
        "result: closed, convex",
    ] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
}
