//! From joint positions to poses: forward kinematics.
//!
//! The pose of a link is that of the link it hangs on, then the frame of the joint, then what the joint does; the pose of a
//! part is that of its link, then its own. Poses are products, rounded as [`Pose::compose`] rounds; from there on every answer
//! is exact about the vertices that these poses place.
//!
//! **Invariant.** All poses are finite, within the range that worlds accept, and rotations as far as [`Pose`] asks. Positions
//! that would break this are refused, and nothing changes.

use super::joint::Joint;
use super::linkage::{Drive, Hang, LinkId, Linkage, PartId};
use crate::error::Error;
use crate::math::{Pose, Unmeasured};
use std::sync::Arc;

/// A linkage somewhere, at some joint positions.
#[derive(Debug, Clone)]
pub(crate) struct Placement {
    linkage: Arc<Linkage>,
    base: Pose,
    positions: Vec<f64>,
    now: Poses,
    /// Memory for the next poses, until they are found sound.
    next: Poses,
}

#[derive(Debug, Clone, Default)]
struct Poses {
    links: Vec<Pose>,
    parts: Vec<Pose>,
}

impl Placement {
    /// At the origin, all joints at rest.
    pub(crate) fn new(linkage: Arc<Linkage>) -> Result<Placement, Error> {
        let mut placement = Placement {
            base: Pose::IDENTITY,
            positions: linkage.rest(),
            now: Poses::default(),
            next: Poses::default(),
            linkage,
        };
        placement.place(Pose::IDENTITY, None)?;
        Ok(placement)
    }

    pub(crate) fn linkage(&self) -> &Arc<Linkage> {
        &self.linkage
    }

    pub(crate) fn base(&self) -> &Pose {
        &self.base
    }

    pub(crate) fn positions(&self) -> &[f64] {
        &self.positions
    }

    pub(crate) fn link_pose(&self, link: LinkId) -> &Pose {
        &self.now.links[link.index()]
    }

    /// The poses of all parts.
    #[inline]
    pub(crate) fn part_poses(&self) -> &[Pose] {
        &self.now.parts
    }

    pub(crate) fn set_base(&mut self, base: Pose) -> Result<(), Error> {
        self.place(base, None)
    }

    pub(crate) fn set_joints(&mut self, positions: &[f64]) -> Result<(), Error> {
        let expected = self.linkage.freedoms();
        if positions.len() != expected {
            return Err(Error::WrongCount {
                what: "joint positions".to_owned(),
                count: positions.len(),
                expected,
            });
        }
        self.place(self.base, Some(positions))
    }

    /// Poses for the parts from elsewhere, until joints or base are set again.
    pub(crate) fn set_part_poses(&mut self, poses: &[Pose]) -> Result<(), Error> {
        self.check_part_poses(poses)?;
        self.now.parts.copy_from_slice(poses);
        Ok(())
    }

    /// Fails when [`Placement::set_part_poses`] would fail.
    pub(crate) fn check_part_poses(&self, poses: &[Pose]) -> Result<(), Error> {
        let expected = self.now.parts.len();
        if poses.len() != expected {
            return Err(Error::WrongCount {
                what: "poses of parts".to_owned(),
                count: poses.len(),
                expected,
            });
        }
        for (part, pose) in self.linkage.part_ids().zip(poses) {
            check_pose(pose).map_err(|wrong| wrong.at_part(&self.linkage, part))?;
        }
        Ok(())
    }

    /// Computes all poses for a base and for positions, those of before if there are none given.
    fn place(&mut self, base: Pose, positions: Option<&[f64]>) -> Result<(), Error> {
        let places = positions.unwrap_or(&self.positions);
        self.next.fill(&self.linkage, base, places)?;
        if let Some(positions) = positions {
            self.positions.copy_from_slice(positions);
        }
        self.base = base;
        std::mem::swap(&mut self.now, &mut self.next);
        Ok(())
    }
}

impl Poses {
    fn fill(&mut self, linkage: &Linkage, base: Pose, positions: &[f64]) -> Result<(), Error> {
        self.links.resize(linkage.links.len(), Pose::IDENTITY);
        for (place, link) in linkage.links.iter().enumerate() {
            self.links[place] = match &link.hang {
                Some(hang) => {
                    let local = hang.local_pose(positions)?;
                    let parent = &self.links[hang.parent.index()];
                    parent.compose_unmeasured(&local).measure()
                }
                None => base,
            };
        }
        self.parts.resize(linkage.parts.len(), Pose::IDENTITY);
        for ((id, part), pose) in linkage.part_ids().zip(&linkage.parts).zip(&mut self.parts) {
            let link = &self.links[part.link.index()];
            *pose = if part.is_at_link {
                *link
            } else {
                link.compose(&part.pose)
            };
            check_pose(pose).map_err(|wrong| wrong.at_part(linkage, id))?;
        }
        Ok(())
    }
}

impl Hang {
    #[inline(always)]
    fn local_pose(&self, positions: &[f64]) -> Result<Unmeasured, Error> {
        match self.drive {
            Drive::Own { first } => {
                let count = self.joint.kind().freedoms();
                placed_by(&self.joint, &positions[first..first + count])
            }
            Drive::Other {
                place,
                multiplier,
                offset,
            } => placed_by(&self.joint, &[multiplier * positions[place] + offset]),
        }
    }
}

#[inline(always)]
fn placed_by(joint: &Joint, position: &[f64]) -> Result<Unmeasured, Error> {
    if !position.iter().all(|number| number.is_finite()) {
        return Err(Error::NonFinite {
            what: position_of(joint),
        });
    }
    joint.at(position).map_err(|error| refused(joint, error))
}

#[cold]
fn position_of(joint: &Joint) -> String {
    format!("position of joint {}", joint.name())
}

/// The error for a position that a joint refuses.
#[cold]
fn refused(joint: &Joint, error: Error) -> Error {
    if let Error::NotARotation { deviation } = error {
        return Error::OutOfRange {
            what: format!("length of the quaternion in the {}", position_of(joint)),
            value: 1.0 + deviation,
            expected: "1 to within 1e-6",
        };
    }
    error
}

/// What is wrong with a pose.
enum Wrong {
    /// Too far away, or not finite.
    Place(f64),
    /// Not a rotation to within the tolerance.
    Turn(f64),
}

impl Wrong {
    #[cold]
    fn at_part(self, linkage: &Linkage, part: PartId) -> Error {
        match self {
            Wrong::Place(value) => Error::OutOfRange {
                what: format!(
                    "translation of part {} on link {}",
                    part.index(),
                    linkage.link_name(part)
                ),
                value,
                expected: "at most 2^1020",
            },
            Wrong::Turn(deviation) => Error::NotARotation { deviation },
        }
    }
}

fn check_pose(pose: &Pose) -> Result<(), Wrong> {
    let t = pose.translation().abs();
    // Written so that NaN is refused; maxima would pass over it.
    let is_near = t.x <= FARTHEST && t.y <= FARTHEST && t.z <= FARTHEST;
    if !is_near {
        return Err(Wrong::Place(t.max_element()));
    }
    if pose.deviation() > Pose::ROTATION_TOLERANCE {
        return Err(Wrong::Turn(pose.deviation()));
    }
    Ok(())
}

/// What worlds accept: sums of a few coordinates up to this are finite.
const FARTHEST: f64 = f64::from_bits((1023 + 1020) << 52);
