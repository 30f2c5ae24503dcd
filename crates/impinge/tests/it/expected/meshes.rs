//! Models against models: exact touches, distances, recorded motions.

use super::{answers, data, list, number, pose, text};
use crate::oracle::soups_meet;
use impinge::{Placed, Pose, Shape, TriMesh, Vec3, query};
use serde_json::Value;
use std::collections::HashMap;

/// Touching and just missing contacts: the expected answers are exact.
#[test]
fn expected_touching_models() {
    let Some(file) = answers("expected/touching.json") else {
        return;
    };
    let queries = list(&file["queries"]);
    let mut models = Models::default();
    for (i, query) in queries.iter().enumerate() {
        let overlap = query["overlap"].as_bool().expect("a truth value");
        let b = pose(&query["Rb"], &query["tb"]);
        let names = [&query["a"], &query["b"]].map(text);
        let [mesh_a, mesh_b] = names.map(|name| models.get(name, 1.0));
        let exact = soups_meet(&placed(&mesh_a, &Pose::IDENTITY), &placed(&mesh_b, &b));
        assert_eq!(exact, overlap, "the oracle on query {i}: {names:?}");
        let (a, other) = (Shape::from(mesh_a), Shape::from(mesh_b));
        let (a, b) = (a.at(Pose::IDENTITY), other.at(b));
        assert_eq!(query::intersects(a, b), overlap, "query {i}: {names:?}");
        assert_eq!(
            query::intersects(b, a),
            overlap,
            "query {i} swapped: {names:?}"
        );
        let distance = query::distance(a, b).distance;
        assert_eq!(distance == 0.0, overlap, "query {i}: {names:?}: {distance}");
    }
    println!("touching models: {} queries", queries.len());
}

/// Overlap and distance at rigid poses, agreed on by several engines.
#[test]
fn expected_mesh_pairs() {
    let Some(file) = answers("expected/mesh-mesh.json") else {
        return;
    };
    let queries = list(&file["queries"]);
    let mut models = Models::default();
    for (i, query) in queries.iter().enumerate() {
        let [a, b] = [("a", "scale_a"), ("b", "scale_b")].map(|(file, scale)| {
            Shape::from(models.get(text(&query[file]), number(&query[scale])))
        });
        let pose_a = pose(&query["Ra"], &query["ta"]);
        let pose_b = pose(&query["Rb"], &query["tb"]);
        check(a.at(pose_a), b.at(pose_b), query, &format!("query {i}"));
    }
    println!("mesh pairs: {} queries", queries.len());
}

/// Frames of recorded motions.
#[test]
fn expected_motions() {
    let Some(file) = answers("expected/motion.json") else {
        return;
    };
    let mut frames = 0;
    for motion in list(&file["motions"]) {
        let name = text(&motion["motion"]);
        let [a, b] = ["obj1", "obj2"]
            .map(|body| Shape::from(soup(&format!("peers/fcl/motion/{name}-{body}.obj"), 1.0)));
        for frame in list(&motion["frames"]) {
            let pose_a = pose(&frame["R1"], &frame["t1"]);
            let pose_b = pose(&frame["R2"], &frame["t2"]);
            check(
                a.at(pose_a),
                b.at(pose_b),
                frame,
                &format!("{name} {}", frame["frame"]),
            );
            frames += 1;
        }
    }
    println!("recorded motions: {frames} frames");
}

/// The answer of the library against the expected one, to the 1e-9 to which the engines agreed.
fn check(a: Placed<'_>, b: Placed<'_>, expected: &Value, what: &str) {
    let overlap = expected["overlap"].as_bool().expect("a truth value");
    let distance = number(&expected["distance"]);
    assert_eq!(query::intersects(a, b), overlap, "{what}");
    let answer = query::distance(a, b);
    assert_eq!(answer.distance == 0.0, overlap, "{what}: {answer:?}");
    let close = (answer.distance - distance).abs() <= 1e-9 * distance;
    assert!(close, "{what}: {answer:?}, not {distance}");
}

/// Each file is read once.
#[derive(Default)]
pub(super) struct Models(HashMap<String, TriMesh>);

impl Models {
    pub(super) fn get(&mut self, file: &str, scale: f64) -> TriMesh {
        let key = format!("{file} {scale}");
        let mesh = self.0.entry(key).or_insert_with(|| soup(file, scale));
        mesh.clone()
    }
}

/// All polygons of a model as one soup, each cut into a fan about its first corner as in the expected answers.
pub(super) fn soup(file: &str, scale: f64) -> TriMesh {
    let path = data(file).expect("the folder is there");
    let model = impinge::io::read(&path).unwrap_or_else(|e| panic!("{e}"));
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for mesh in model.meshes() {
        let first = vertices.len() as u32;
        vertices.extend(mesh.vertices().iter().map(|v| *v * scale));
        for face in mesh.faces() {
            let fan = (1..face.len() - 1).map(|i| [face[0], face[i], face[i + 1]]);
            triangles.extend(fan.map(|t| t.map(|i| first + i)));
        }
    }
    TriMesh::new(vertices, triangles).unwrap_or_else(|e| panic!("{file}: {e}"))
}

/// The placed triangles of a soup.
fn placed(mesh: &TriMesh, pose: &Pose) -> Vec<[Vec3; 3]> {
    (0..mesh.triangles().len())
        .map(|t| mesh.corners(t).map(|v| pose.place(v)))
        .collect()
}
