//! The dynamic test of binary trees of oriented boxes, for straight motions.
//!
//! Coming and Staadt (Kinetic Sweep and Prune for Multi-Body Continuous Motion, 2006, 4.4), on the trees of Gottschalk, Lin and Manocha
//! (OBBTree, 1996) and the test of Eberly (2002): along each of the fifteen axes that can separate two boxes, straight
//! motion leaves an interval of time in which they overlap; where the intervals of all axes have no common point, or not before the
//! first contact known so far, nothing in the boxes touches. Trees are searched depth first, the pair of boxes that
//! meets earlier before the other; a leaf is one triangle. Two triangles are then searched as all convex pairs are, so that the answers are
//! those of [`time_of_impact`](crate::query::time_of_impact), within the tolerance.
//!
//! Everything is in doubles, in the frame of the first tree; boxes and intervals have room for rounding. **Cost.** About 130
//! bytes a triangle; `n log n` to build. It is here to be compared with: the default opens eight boxes at a time, earliest first, and turns.

mod build;
mod window;

use super::contest::Contest;
use super::{Meeting, balls};
use crate::contact::Impact;
use crate::error::Error;
use crate::math::{Interval, Mat3, Vec3};
use crate::motion::Motion;
use crate::narrow::impact::frame::{Frame, Mover};
use crate::narrow::impact::skeleton::Skeleton;
use crate::narrow::impact::{Query, impact, require_positive};
use crate::narrow::mesh::surface::Surface;
use crate::shape::Shape;
use build::{Content, Node};
use window::{Placement, window};

/// A binary tree of oriented boxes over the triangles of a mesh or solid.
///
/// ```
/// use impinge::narrow::ObbTree;
/// use impinge::{Motion, Pose, Shape, TriMesh, Vec3};
///
/// let square = TriMesh::new(
///     vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y],
///     vec![[0, 1, 2], [0, 2, 3]],
/// )?;
/// let tree = ObbTree::new(&Shape::from(square))?;
/// let above = Pose::from_translation(Vec3::new(0.5, 0.5, 1.0))?;
/// let falling = Motion::new(above, Vec3::Z * -4.0, Vec3::ZERO, Vec3::ZERO)?;
/// let still = Motion::still(Pose::IDENTITY);
/// let impact = tree.time_of_impact(&still, &tree, &falling, 1e-9)?.expect("they meet");
/// assert!(impact.time <= 0.25 && impact.time >= 0.25 - 1e-9);
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ObbTree {
    shape: Shape,
    nodes: Vec<Node>,
}

impl ObbTree {
    /// The tree of a mesh or solid.
    ///
    /// # Errors
    ///
    /// For other shapes.
    pub fn new(shape: &Shape) -> Result<ObbTree, Error> {
        let mesh = shape.as_mesh().ok_or(Error::WrongShape {
            message: "a tree of boxes is for meshes and solids",
        })?;
        Ok(ObbTree {
            nodes: build::build(mesh),
            shape: shape.clone(),
        })
    }

    /// The first contact with another in `[0, 1]`, to within `tolerance`, as
    /// [`query::time_of_impact`](crate::query::time_of_impact) has it.
    ///
    /// # Errors
    ///
    /// For motions that turn or are bent, and for what that function refuses.
    pub fn time_of_impact(
        &self,
        motion: &Motion,
        other: &ObbTree,
        other_motion: &Motion,
        tolerance: f64,
    ) -> Result<Option<Impact>, Error> {
        require_positive(tolerance)?;
        for motion in [motion, other_motion] {
            if motion.is_turning() || motion.bend() != Vec3::ZERO {
                return Err(Error::OutOfRange {
                    what: "turn or bend of a motion".to_owned(),
                    value: motion.turn().length().max(motion.bend().length()),
                    expected: "0: the test is for straight motions",
                });
            }
        }
        let query = Query {
            shapes: [&self.shape, &other.shape],
            motions: [motion, other_motion],
            tolerance,
        };
        let movers = [self.mover(motion), other.mover(other_motion)];
        let (frame, ..) = Frame::around(&movers[0], &movers[1])?;
        if let Some(known) = query.before_moving() {
            return Ok(known);
        }
        let Some(during) = balls::meeting(&movers[0], &movers[1], &frame) else {
            return Ok(None);
        };
        let meeting = Meeting::new(self.surface(), &other.shape, movers, &frame);
        let mut contest = Contest::new(&meeting, tolerance);
        match Placement::new(&meeting) {
            Some(placement) => self.descend(other, &placement, during, &mut contest)?,
            None => contest.visit_all(during)?,
        }
        let Some(found) = contest.found else {
            return Ok(None);
        };
        let closest = meeting.closest(&found)?;
        Ok(Some(impact(found.bounds, found.kind, closest)))
    }

    /// The memory that the boxes take, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.nodes)
    }

    fn surface(&self) -> Surface<'_> {
        Surface::of(&self.shape).expect("a tree is made of a mesh or solid")
    }

    /// The hull of the mesh on its way.
    fn mover<'a>(&'a self, motion: &'a Motion) -> Mover<'a> {
        Mover {
            skeleton: Skeleton::HullOf(self.surface()),
            motion,
            extra: 0.0,
        }
    }

    /// Goes through the pairs of boxes that may touch before the first contact so far.
    fn descend(
        &self,
        other: &ObbTree,
        placement: &Placement,
        during: Interval,
        contest: &mut Contest<'_, '_>,
    ) -> Result<(), Error> {
        let mut stack = vec![(0, 0, during)];
        while let Some((p, q, during)) = stack.pop() {
            if during.lower > contest.limit() {
                continue;
            }
            let (a, b) = (&self.nodes[p as usize], &other.nodes[q as usize]);
            let is_a_larger = a.size() >= b.size() * placement.ratio;
            let children = match (a.content, b.content) {
                (Content::Triangle(p), Content::Triangle(q)) => {
                    contest.visit(during, [p, q])?;
                    continue;
                }
                (Content::Nodes([x, y]), Content::Nodes(_)) if is_a_larger => [(x, q), (y, q)],
                (Content::Nodes([x, y]), Content::Triangle(_)) => [(x, q), (y, q)],
                (_, Content::Nodes([x, y])) => [(p, x), (p, y)],
            };
            let limited = Interval {
                upper: during.upper.min(contest.limit()),
                ..during
            };
            let mut met = children.map(|(p, q)| {
                let (a, b) = (&self.nodes[p as usize], &other.nodes[q as usize]);
                window(a, b, placement, limited).map(|window| (p, q, window))
            });
            // The later one first, so that the earlier is on top.
            if let [Some(first), Some(second)] = &met
                && first.2.lower < second.2.lower
            {
                met.swap(0, 1);
            }
            stack.extend(met.into_iter().flatten());
        }
        Ok(())
    }
}

/// The columns of a matrix.
fn columns(m: &Mat3) -> [Vec3; 3] {
    [m.x_axis, m.y_axis, m.z_axis]
}
