//! What an articulated body is: links, the joints between them, and the shapes on them.

use super::hierarchy::Hierarchy;
use super::joint::{Joint, JointKind, Mimic};
use super::rules::Rules;
use super::volume::Volume;
use crate::math::Pose;
use crate::shape::Shape;

/// The place of a link among those of its [`Linkage`], in the order they were added; the root is the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub(super) u32);

impl LinkId {
    /// The link that hangs on none.
    pub const ROOT: LinkId = LinkId(0);

    /// Its place.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The place of a part among those of its [`Linkage`], in the order they were added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId(pub(super) u32);

impl PartId {
    /// Its place.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A link: a frame that moves, and what it hangs on.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    pub(super) name: String,
    pub(super) hang: Option<Hang>,
}

/// How a link hangs on another one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hang {
    pub(super) parent: LinkId,
    pub(super) joint: Joint,
    pub(super) mimic: Option<Mimic>,
    /// Where the numbers of the joint come from.
    pub(super) drive: Drive,
}

/// Where the position of a joint comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Drive {
    /// As many positions as it has freedoms, from a place on.
    Own { first: usize },
    /// One position, times a number, plus a number.
    Other {
        place: usize,
        multiplier: f64,
        offset: f64,
    },
}

impl Drive {
    /// Where the position of a joint comes from that follows this one.
    pub(super) fn seen_by(self, mimic: Mimic) -> Drive {
        let (place, multiplier, offset) = match self {
            Drive::Own { first } => (first, 1.0, 0.0),
            Drive::Other {
                place,
                multiplier,
                offset,
            } => (place, multiplier, offset),
        };
        Drive::Other {
            place,
            multiplier: mimic.multiplier * multiplier,
            offset: mimic.multiplier * offset + mimic.offset,
        }
    }
}

impl Link {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The link it hangs on; `None` for the root.
    pub fn parent(&self) -> Option<LinkId> {
        self.hang.as_ref().map(|hang| hang.parent)
    }

    /// The joint it hangs by; `None` for the root.
    pub fn joint(&self) -> Option<&Joint> {
        self.hang.as_ref().map(|hang| &hang.joint)
    }

    /// What its joint follows, if it does.
    pub fn mimic(&self) -> Option<Mimic> {
        self.hang.as_ref().and_then(|hang| hang.mimic)
    }
}

/// A shape on a link.
#[derive(Debug, Clone)]
pub struct Part {
    pub(super) link: LinkId,
    pub(super) shape: Shape,
    pub(super) pose: Pose,
    /// Whether the pose is that of the link.
    pub(super) is_at_link: bool,
}

impl Part {
    /// The link it is on.
    #[inline]
    pub fn link(&self) -> LinkId {
        self.link
    }

    /// What it is.
    #[inline]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Where it is in the frame of its link.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }
}

/// Links, joints and parts: everything about an articulated body but where it is. Made by a
/// [`LinkageBuilder`](super::LinkageBuilder), never changed, and shared by all bodies of its kind.
#[derive(Debug)]
pub struct Linkage {
    pub(super) links: Vec<Link>,
    pub(super) parts: Vec<Part>,
    /// What is known of each part before its vertices are looked at.
    pub(super) volumes: Vec<Volume>,
    /// How many numbers say where all joints are.
    pub(super) freedoms: usize,
    pub(super) rules: Rules,
    pub(super) hierarchy: Hierarchy,
}

impl Linkage {
    /// The links; each comes after the one it hangs on.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The parts.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The names of all parts.
    pub fn part_ids(&self) -> impl Iterator<Item = PartId> + use<> {
        (0..self.parts.len() as u32).map(PartId)
    }

    /// A link. Panics for the name of a link of a larger linkage.
    pub fn link(&self, link: LinkId) -> &Link {
        &self.links[link.index()]
    }

    /// A part. Panics for the name of a part of a larger linkage.
    #[inline]
    pub fn part(&self, part: PartId) -> &Part {
        &self.parts[part.index()]
    }

    /// The name of the link that a part is on.
    pub fn link_name(&self, part: PartId) -> &str {
        self.link(self.part(part).link).name()
    }

    /// The link of that name.
    pub fn link_named(&self, name: &str) -> Option<LinkId> {
        let place = self.links.iter().position(|link| link.name == name);
        place.map(|place| LinkId(place as u32))
    }

    /// The joints that have a position of their own, in the order in which their positions are given, with as many numbers
    /// each as it has [`JointKind::freedoms`]. Joints that are fixed or follow another one have none.
    pub fn driven_joints(&self) -> impl Iterator<Item = &Joint> {
        let hangs = self.links.iter().filter_map(|link| link.hang.as_ref());
        let driven = hangs.filter(|hang| hang.mimic.is_none());
        let joints = driven.map(|hang| &hang.joint);
        joints.filter(|joint| joint.kind().freedoms() > 0)
    }

    /// How many numbers say where all joints are.
    pub fn freedoms(&self) -> usize {
        self.freedoms
    }

    /// All joints at position 0, floating ones without a turn.
    pub fn rest(&self) -> Vec<f64> {
        let mut rest = Vec::with_capacity(self.freedoms());
        for joint in self.driven_joints() {
            rest.resize(rest.len() + joint.kind().freedoms(), 0.0);
            if let (JointKind::Floating, Some(w)) = (joint.kind(), rest.last_mut()) {
                *w = 1.0;
            }
        }
        rest
    }

    /// Whether two of its parts are looked at for collision: on links that move against each other, not neighbours (by
    /// default), and not allowed to meet.
    #[inline]
    pub fn may_meet(&self, a: PartId, b: PartId) -> bool {
        let links = [self.part(a).link, self.part(b).link];
        self.rules.may_parts_meet([a, b], links)
    }
}
