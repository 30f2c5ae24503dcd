//! Meshes, solids and height fields with half-spaces: the lowest vertices decide.

use super::{Tally, check, ring, soup};
use crate::cases::rng;
use crate::height_fields::random_field;
use crate::is_full;
use crate::shapes::kinds::{FAMILIES, HALF_SPACE, poses, shape};
use impinge::narrow::mesh_work;
use impinge::{Placed, Pose, Shape, Solid, TriMesh, Vec3, query, reference};
use rand::RngExt;

#[test]
fn half_spaces_agree_with_the_reference() {
    let rounds = if is_full() { 2000 } else { 40 };
    let mut rng = rng(91);
    for family in FAMILIES {
        let mut tally = Tally::default();
        for round in 0..rounds {
            let mesh = match round % 3 {
                0 => Shape::from(random_field(&mut rng, family)),
                1 => Shape::from(soup(&mut rng, 40, family)),
                _ => Shape::from(soup(&mut rng, 3, family)),
            };
            let plane = shape(&mut rng, HALF_SPACE, family);
            let [p, q] = poses(&mut rng, family);
            let what = format!("{family:?}, {round}");
            check(mesh.at(p), plane.at(q), &mut tally, &what);
            same_triangles(mesh.at(p), plane.at(q), &what);
        }
        assert!(tally.meeting + tally.touching > 0, "{family:?}: {tally:?}");
    }
}

/// The triangles that meet are those with a vertex that does, by the reference.
fn same_triangles(mesh: Placed<'_>, plane: Placed<'_>, what: &str) {
    let found = query::meeting_triangles(mesh, plane).unwrap();
    let meets = |corners: [Vec3; 3]| {
        let alone = TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
        reference::intersects(Shape::from(alone).at(mesh.pose), plane)
    };
    let expected: Vec<u32> = match mesh.shape {
        Shape::HeightField(field) => {
            let all = 0..2 * ((field.rows() - 1) * (field.columns() - 1)) as u32;
            let is_met = |t: &u32| field.corners(*t).is_some_and(meets);
            all.filter(is_met).collect()
        }
        other => {
            let mesh = other.as_mesh().unwrap();
            let all = 0..mesh.triangles().len() as u32;
            all.filter(|t| meets(mesh.corners(*t as usize))).collect()
        }
    };
    assert_eq!(found, expected, "{what}");
}

/// A floor under a ring of many triangles is answered by a few of them, near and far.
#[test]
fn few_triangles_are_looked_at() {
    let surface = ring(300, 60, 0.35);
    let count = surface.triangles().len() as u64;
    let ring = Shape::from(Solid::new(surface).unwrap());
    let floor = Shape::half_space(Vec3::Z, 0.0).unwrap();
    let floor = floor.at(Pose::IDENTITY);
    let mut rng = rng(92);
    for round in 0..60 {
        let far = [0.0, 0.2, 2.0, 1000.0][round % 4];
        let axis: [f64; 3] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
        let turned = Pose::from_axis_angle(Vec3::from(axis), 1.0, Vec3::ZERO).unwrap();
        let low = query::distance(ring.at(turned), floor_far_below().at(Pose::IDENTITY));
        let lift = FAR_BELOW - low.distance;
        let pose = Pose::from_axis_angle(Vec3::from(axis), 1.0, Vec3::Z * (lift + far)).unwrap();
        let placed = ring.at(pose);
        let before = mesh_work();
        let near = query::distance(placed, floor);
        let work = mesh_work() - before;
        assert!((near.distance - far).abs() < 1e-9, "{far}: {near:?}");
        assert!(
            work.triangle_pairs < 100 && work.nodes < count / 100,
            "{far}: {work:?} of {count}"
        );
        assert_eq!(near.distance == 0.0, reference::intersects(placed, floor));
        assert!(query::within(placed, floor, far + 1e-6));
        assert!(far == 0.0 || !query::within(placed, floor, far - 1e-6));
    }
}

const FAR_BELOW: f64 = 64.0;

fn floor_far_below() -> Shape {
    Shape::half_space(Vec3::Z, -FAR_BELOW).unwrap()
}

/// A box that rests on the floor touches it with its whole base, one that is an ulp higher does not.
#[test]
fn resting_is_touching() {
    let rows = 40_u32;
    let vertices = (0..(rows + 1) * (rows + 1)).map(|k| {
        let (x, y) = (f64::from(k % (rows + 1)), f64::from(k / (rows + 1)));
        Vec3::new(x, y, 0.0)
    });
    let cells = (0..rows * rows).map(|c| c / rows * (rows + 1) + c % rows);
    let faces = cells.flat_map(|c| [[c, c + 1, c + rows + 2], [c, c + rows + 2, c + rows + 1]]);
    let plate = Shape::from(TriMesh::new(vertices.collect(), faces.collect()).unwrap());
    let floor = Shape::half_space(Vec3::Z * 3.0, 1.5).unwrap();
    for (height, touches) in [(0.5, true), (0.5_f64.next_up(), false), (0.75, false)] {
        let pose = Pose::from_translation(Vec3::new(-7.0, 9.0, height)).unwrap();
        let near = query::distance(plate.at(pose), floor.at(Pose::IDENTITY));
        assert_eq!(near.distance == 0.0, touches, "{height}");
        assert!(near.bounds.contains(height - 0.5), "{near:?}");
        assert_eq!(
            query::intersects(floor.at(Pose::IDENTITY), plate.at(pose)),
            touches
        );
        let met = query::meeting_triangles(plate.at(pose), floor.at(Pose::IDENTITY)).unwrap();
        let all = 2 * (rows * rows) as usize;
        assert_eq!(met.len(), if touches { all } else { 0 });
    }
}
