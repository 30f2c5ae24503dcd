// Included for each precision, with `parry` and `NAME` in scope.

use super::{Engine, Run};
use impinge_peers::work::Work;
use impinge::Vec3;
use impinge_scenes::trace::Placement;
use parry::math::{Pose, Real, Rotation, Vector};
use parry::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry::query::details::intersection_test_support_map_support_map_with_params;
use parry::query::gjk::VoronoiSimplex;
use parry::shape::{ConvexPolyhedron, Shape};
use std::time::Instant;

/// The tree, updated in place, improved a little, refit, and compared with itself; then GJK.
///
/// Of the library's ways to keep a tree of moving boxes this is the fastest; starting GJK at the last direction of a pair does
/// not pay here.
pub struct Parry;

fn vector(v: Vec3) -> Vector {
    Vector::new(v.x as Real, v.y as Real, v.z as Real)
}

fn pose(placement: &Placement) -> Pose {
    let [x, y, z, w] = placement.rotation.to_array().map(|c| c as Real);
    Pose::from_parts(
        vector(placement.translation),
        Rotation::from_xyzw(x, y, z, w),
    )
}

impl Engine for Parry {
    fn name(&self) -> &str {
        NAME
    }

    fn run(&mut self, work: &Work) -> Result<Run, String> {
        let hulls = work.trace.shapes.iter().map(|shape| {
            let vertices = shape.vertices.iter().map(|v| vector(*v)).collect();
            ConvexPolyhedron::from_convex_mesh(vertices, &shape.triangles)
        });
        let hulls: Option<Vec<ConvexPolyhedron>> = hulls.collect();
        let hulls = hulls.ok_or_else(|| format!("{NAME} refuses a shape"))?;
        let hull = |body: u32| &hulls[work.trace.shape_of[body as usize] as usize];

        let mut run = Run::default();
        let mut space = BvhWorkspace::default();
        let mut tree = Bvh::default();
        let mut simplex = VoronoiSimplex::new();
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        for (number, placements) in work.trace.frames.iter().enumerate() {
            let poses: Vec<Pose> = placements.iter().map(pose).collect();
            pairs.clear();
            let start = Instant::now();
            let bounds = (0..).zip(&poses);
            let bounds = bounds.map(|(body, pose)| (body, hull(body).compute_aabb(pose)));
            if number == 0 {
                let leaves: Vec<_> = bounds.map(|(_, bounds)| bounds).collect();
                tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
            } else {
                for (body, bounds) in bounds {
                    tree.insert_or_update_partially(bounds, body, 0.0);
                }
                tree.optimize_incremental(&mut space);
                tree.refit(&mut space);
            }
            tree.traverse_bvtt_single_tree::<false>(&mut space, &mut |a, b| pairs.push([a, b]));
            let (broad, candidates) = (start.elapsed().as_secs_f64(), pairs.len());
            pairs.retain(|[a, b]| {
                let relative = poses[*a as usize].inv_mul(&poses[*b as usize]);
                intersection_test_support_map_support_map_with_params(
                    &relative,
                    hull(*a),
                    hull(*b),
                    &mut simplex,
                    None,
                )
                .0
            });
            let seconds = [broad, start.elapsed().as_secs_f64()];
            run.note(seconds, candidates, pairs.clone());
        }
        Ok(run)
    }
}
