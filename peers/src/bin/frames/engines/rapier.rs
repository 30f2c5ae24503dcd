//! rapier3d's collision pipeline on sensors: its own broad phase and intersection tests, in single precision.

use super::{Engine, Run};
use impinge::Vec3;
use impinge_peers::work::Work;
use impinge_scenes::trace::Placement;
use rapier3d::math::{Pose, Rotation, Vector};
use rapier3d::prelude::{
    ActiveCollisionTypes, ColliderBuilder, ColliderHandle, ColliderSet, CollisionPipeline,
    DefaultBroadPhase, IslandManager, NarrowPhase, RigidBodySet, SharedShape,
};
use std::time::Instant;

/// The engine.
pub struct Rapier;

fn vector(v: Vec3) -> Vector {
    Vector::new(v.x as f32, v.y as f32, v.z as f32)
}

fn pose(placement: &Placement) -> Pose {
    let [x, y, z, w] = placement.rotation.to_array().map(|c| c as f32);
    Pose::from_parts(
        vector(placement.translation),
        Rotation::from_xyzw(x, y, z, w),
    )
}

/// All bodies as sensors, and their handles.
fn build(work: &Work) -> Result<(ColliderSet, Vec<ColliderHandle>), String> {
    let shapes = work.trace.shapes.iter().map(|shape| {
        let vertices = shape.vertices.iter().map(|v| vector(*v)).collect();
        SharedShape::convex_mesh(vertices, &shape.triangles)
    });
    let shapes: Option<Vec<SharedShape>> = shapes.collect();
    let shapes = shapes.ok_or("rapier3d refuses a shape")?;
    let mut colliders = ColliderSet::new();
    let first = work.trace.frames.first().into_iter().flatten();
    let bodies = first.zip(&work.trace.shape_of).enumerate();
    let handles = bodies.map(|(body, (placement, shape))| {
        let collider = ColliderBuilder::new(shapes[*shape as usize].clone());
        let collider = collider
            .sensor(true)
            .active_collision_types(ActiveCollisionTypes::all())
            .position(pose(placement))
            .user_data(body as u128);
        colliders.insert(collider)
    });
    let handles = handles.collect();
    Ok((colliders, handles))
}

impl Engine for Rapier {
    fn name(&self) -> &str {
        "rapier3d"
    }

    fn run(&mut self, work: &Work) -> Result<Run, String> {
        let (mut colliders, handles) = build(work)?;
        let (mut pipeline, mut islands) = (CollisionPipeline::new(), IslandManager::new());
        let (mut broad, mut narrow) = (DefaultBroadPhase::new(), NarrowPhase::new());
        let mut bodies = RigidBodySet::new();
        let mut run = Run::default();
        for placements in &work.trace.frames {
            let poses: Vec<Pose> = placements.iter().map(pose).collect();
            let start = Instant::now();
            for (handle, pose) in handles.iter().zip(&poses) {
                if let Some(collider) = colliders.get_mut(*handle) {
                    collider.set_position(*pose);
                }
            }
            pipeline.step(
                0.0,
                &mut islands,
                &mut broad,
                &mut narrow,
                &mut bodies,
                &mut colliders,
                &(),
                &(),
            );
            let body = |handle: ColliderHandle| colliders[handle].user_data as u32;
            let pairs = narrow.intersection_pairs().filter(|pair| pair.2);
            let pairs: Vec<[u32; 2]> = pairs.map(|pair| [body(pair.0), body(pair.1)]).collect();
            let seconds = [0.0, start.elapsed().as_secs_f64()];
            run.note(seconds, narrow.intersection_pairs().count(), pairs);
        }
        Ok(run)
    }
}
