//! Inputs on which other engines failed: overlapping polytopes from public issue trackers and test suites.
//!
//! Each case names its source. Numbers are as published; the expected depths are the exact ones of these numbers, computed at 50
//! digits from all face normals and pairs of edges. Matrices are given by rows and used as they are.

mod fcl;
mod hulls;
mod mujoco;

use super::{Body, check};
use impinge::{Mat3, Polytope, Pose, Quat, Vec3};

/// A published pair and what is right about it.
struct Case {
    a: Polytope,
    pose_a: Pose,
    b: Polytope,
    pose_b: Pose,
    depth: f64,
    /// The way the second body must move, where only one is right.
    direction: Option<[f64; 3]>,
}

impl Case {
    fn check(&self) {
        let (a, b) = (
            Body::new(&self.a, self.pose_a),
            Body::new(&self.b, self.pose_b),
        );
        let deep = check(a, b).expect("the pair overlaps or touches");
        let size = super::scale(&a.placed()).max(super::scale(&b.placed()));
        assert!(
            (deep.depth - self.depth).abs() <= 1e-12 * size,
            "{} is not {}",
            deep.depth,
            self.depth
        );
        if let Some(direction) = self.direction {
            let off = deep.direction - Vec3::from_array(direction);
            assert!(off.length() < 1e-5, "{:?}", deep.direction);
        }
    }
}

/// A box by its full edge lengths.
fn full(size: [f64; 3]) -> Polytope {
    half(size.map(|x| x / 2.0))
}

/// A box by its half edge lengths.
fn half(size: [f64; 3]) -> Polytope {
    Polytope::cuboid(Vec3::from_array(size)).unwrap()
}

fn hull(points: &[[f64; 3]]) -> Polytope {
    let points: Vec<Vec3> = points.iter().map(|p| Vec3::from_array(*p)).collect();
    Polytope::from_points(&points).unwrap()
}

/// A matrix by rows, and a translation.
fn rows(rows: [[f64; 3]; 3], translation: [f64; 3]) -> Pose {
    let matrix = Mat3::from_cols_array_2d(&rows).transpose();
    Pose::from_matrix(matrix, Vec3::from_array(translation)).unwrap()
}

fn at(translation: [f64; 3]) -> Pose {
    Pose::from_translation(Vec3::from_array(translation)).unwrap()
}

/// A quaternion w, x, y, z, and a translation.
fn turned([w, x, y, z]: [f64; 4], translation: [f64; 3]) -> Pose {
    let turn = Quat::from_xyzw(x, y, z, w).normalize();
    Pose::from_quat(turn, Vec3::from_array(translation)).unwrap()
}
