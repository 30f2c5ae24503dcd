//! Is a point inside a placed solid?
//!
//! The ray of [`winding_number`] runs along the x axis of the world. As a box of great length and no thickness it goes down the
//! tree; the triangles that it reaches are counted exactly on their placed vertices. Those that it does not reach add
//! nothing to the count, so that it is that of all triangles.
//!
//! A shape that does not meet the surface of a solid is inside when one point of it is; a mesh has a point for each of its
//! connected parts.
//!
//! **Cost.** The boxes along a line: for most solids in proportion to the logarithm of the number of triangles.

use super::boxes::{Probe, overlapping};
use super::frame::{Frame, Frames};
use super::overlap::lanes_of;
use super::side::{Made, Side};
use super::stack::with_stack;
use crate::exact::{Location, locate, winding_number};
use crate::lanes::in_lanes;
use crate::math::{Pose, Vec3};
use crate::shape::{Child, Obb, Slot};
use fearless_simd::Simd;

/// Half the length of the ray in units of the tree. All of the tree is within 2 of its origin on each axis, and so is the
/// start.
const HALF_RAY: f32 = 8.0;

/// Where a point of the world is.
pub(super) fn locate_point(solid: &Side<'_>, point: Vec3) -> Location {
    let quick = Pose::from_translation(point).ok().and_then(|start| {
        let ray = Frame {
            pose: &start,
            center: Vec3::ZERO,
            unit: solid.frame().unit,
        };
        let frames = Frames::new(&solid.frame(), &ray)?;
        Some(in_lanes!(simd => follow_ray(simd, solid, point, &frames)))
    });
    quick.unwrap_or_else(|| {
        // Numbers of extreme size: all triangles.
        locate(point, solid.all_placed())
    })
}

#[inline(always)]
fn follow_ray<S: Simd>(simd: S, solid: &Side<'_>, point: Vec3, frames: &Frames) -> Location {
    let start = frames.into_a.shift;
    let is_beyond = |x: f32| x.abs() > 2.0 + frames.error_a;
    if start.into_iter().any(is_beyond) {
        return Location::Outside;
    }
    let ray = frames.into_a.obb(&Obb {
        center: [HALF_RAY, 0.0, 0.0],
        axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        half: [HALF_RAY, 0.0, 0.0],
    });
    let probe = Probe::new(simd, &ray);
    // The far end of the ray is as far from its origin as no corner of a box.
    let error = 16.0 * frames.error_a;
    with_stack(
        #[inline(always)]
        |stack| {
            let (mut winding, mut made) = (0, Made::NEW);
            stack.push((Slot::ROOT, Slot::ROOT));
            while let Some((slot, _)) = stack.pop() {
                match solid.child(slot) {
                    Child::Node(node) => {
                        let opened = solid.node(node, &mut made.node);
                        let near = overlapping(simd, &probe, opened, error);
                        stack.extend(lanes_of(near).map(
                            #[inline(always)]
                            |lane| (Slot::new(node, lane), Slot::ROOT),
                        ));
                    }
                    Child::Block(block) => {
                        let block = solid.block(block, &mut made.blocks[0]);
                        let triangles = block.distinct().iter();
                        let placed = triangles.map(|triangle| solid.placed(*triangle));
                        match winding_number(point, placed) {
                            Some(turns) => winding += turns,
                            None => return Location::Boundary,
                        }
                    }
                }
            }
            if winding == 0 {
                Location::Outside
            } else {
                Location::Inside
            }
        },
    )
}

/// A triangle of the mesh that has its first corner inside the solid, given that no triangle meets the solid's surface.
pub(super) fn part_inside(mesh: &Side<'_>, solid: &Side<'_>) -> Option<u32> {
    let mut parts = mesh.parts().iter().copied();
    parts.find(|triangle| {
        let [point, ..] = mesh.placed(*triangle);
        locate_point(solid, point) != Location::Outside
    })
}
