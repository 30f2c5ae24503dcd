//! Scenes of many bodies as they begin: whose boxes meet, and whose surfaces do.

use super::meshes::Models;
use super::{answers, data, list, numbers, point, text};
use impinge::{Aabb, Mat3, Pose, Shape, TriMesh, Vec3, World};
use serde_json::Value;

/// The boxes were computed from vertices that were placed in another order of operations.
const ROUNDING: f64 = 1e-12;

#[test]
fn expected_scenes() {
    let Some(file) = answers("expected/scenes.json") else {
        return;
    };
    let mut models = Models::default();
    for scene in list(&file["scenes"]) {
        let name = text(&scene["scene"]);
        let fixture = answers(&format!("scenes-rigid-ipc/fixtures/{name}")).expect("a scene");
        let bodies = list(&fixture["rigid_body_problem"]["rigid_bodies"]);
        let bodies: Vec<(TriMesh, Pose)> = bodies.iter().map(|b| body(b, &mut models)).collect();
        check_boxes(&bodies, &pairs(&scene["box_pairs_list"]), name);
        let overlapping = overlaps(bodies);
        assert_eq!(overlapping, pairs(&scene["overlapping"]), "{name}");
        println!("{name}: {} overlaps", overlapping.len());
    }
}

fn pairs(value: &Value) -> Vec<[usize; 2]> {
    let pair = |value: &Value| numbers::<2>(value).map(|i| i as usize);
    list(value).iter().map(pair).collect()
}

/// A body and where it is. It has a scale, or a size that it is brought to.
fn body(value: &Value, models: &mut Models) -> (TriMesh, Pose) {
    let file = format!("scenes-rigid-ipc/meshes/{}", text(&value["mesh"]));
    assert!(data(&file).is_some());
    let mesh = models.get(&file, 1.0);
    let scale = match (&value["scale"], &value["dimensions"]) {
        (Value::Null, Value::Null) => Vec3::ONE,
        (Value::Null, dimensions) => {
            let size = mesh.bounds().size();
            let factor = |axis: usize| match size[axis] {
                0.0 => 1.0,
                extent => point(dimensions)[axis] / extent,
            };
            Vec3::new(factor(0), factor(1), factor(2))
        }
        (scale, _) => scale.as_f64().map_or_else(|| point(scale), Vec3::splat),
    };
    let vertices = mesh.vertices().iter().map(|v| *v * scale).collect();
    let mesh = TriMesh::new(vertices, mesh.triangles().to_vec()).unwrap();
    let or_zero = |value: &Value| {
        if value.is_null() {
            Vec3::ZERO
        } else {
            point(value)
        }
    };
    let [x, y, z] = or_zero(&value["rotation"]).to_array().map(f64::to_radians);
    let turn = Mat3::from_rotation_z(z) * Mat3::from_rotation_y(y) * Mat3::from_rotation_x(x);
    let pose = Pose::from_matrix(turn, or_zero(&value["position"])).unwrap();
    (mesh, pose)
}

/// Boxes around placed vertices meet as expected, but for those that differ by rounding.
fn check_boxes(bodies: &[(TriMesh, Pose)], expected: &[[usize; 2]], name: &str) {
    let bounds: Vec<Aabb> = bodies
        .iter()
        .map(|(mesh, pose)| {
            let placed = mesh.vertices().iter().map(|v| pose.place(*v));
            Aabb::of_points(placed).unwrap()
        })
        .collect();
    for j in 0..bounds.len() {
        for i in 0..j {
            let (p, q) = (&bounds[i], &bounds[j]);
            let gap = (p.min() - q.max()).max(q.min() - p.max()).max_element();
            let near = ROUNDING * (p.max().abs().max_element() + q.max().abs().max_element());
            if expected.contains(&[i, j]) {
                assert!(gap <= near, "{name}: boxes {i} and {j} are {gap} apart");
            } else {
                assert!(gap >= -near, "{name}: boxes {i} and {j} meet by {gap}");
            }
        }
    }
}

/// The pairs that a world finds.
fn overlaps(bodies: Vec<(TriMesh, Pose)>) -> Vec<[usize; 2]> {
    let mut world = World::default();
    let ids: Vec<_> = bodies
        .into_iter()
        .map(|(mesh, pose)| world.insert(Shape::from(mesh), pose).unwrap())
        .collect();
    world.update();
    let place = |body| ids.iter().position(|id| *id == body).unwrap();
    let mut found: Vec<[usize; 2]> = world
        .contacts()
        .iter()
        .filter(|contact| contact.intersects())
        .map(|contact| [contact.pair.a(), contact.pair.b()].map(place))
        .collect();
    found.sort_unstable();
    found
}
