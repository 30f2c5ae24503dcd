//! An articulated body by itself: joint positions in, the parts that touch out.

use super::encounter::{Memory, PartPair, Side};
use super::hierarchy::Fitted;
use super::linkage::{LinkId, Linkage, PartId};
use super::placement::Placement;
use crate::error::Error;
use crate::math::{Aabb, Pose};
use crate::shape::Placed;
use arrayvec::ArrayVec;
use std::sync::Arc;

/// A [`Linkage`] somewhere, at some joint positions. Many may share one linkage.
///
/// ```
/// # use impinge::{Articulation, LinkageBuilder, Pose, Shape, Vec3};
/// # use impinge::articulated::{Joint, JointKind, LinkId};
/// // Three bars, one hanging on the other.
/// let bar = Shape::capsule(0.5, 0.1)?;
/// let mut chain = LinkageBuilder::new("first");
/// chain.add_part(LinkId::ROOT, bar.clone(), Pose::from_translation(Vec3::Z * 0.5)?)?;
/// let mut end = LinkId::ROOT;
/// for (link, joint) in [("second", "shoulder"), ("third", "elbow")] {
///     let hinge = JointKind::Revolute { axis: Vec3::X };
///     end = chain.add_link(link, end, Joint::new(joint, hinge, Pose::from_translation(Vec3::Z)?)?)?;
///     chain.add_part(end, bar.clone(), Pose::from_translation(Vec3::Z * 0.5)?)?;
/// }
///
/// let mut chain = Articulation::new(chain.build()?)?;
/// assert!(chain.self_contacts().is_empty());
/// chain.set_joints(&[2.5, 2.5])?;
/// let contact = chain.self_contacts()[0];
/// assert_eq!(chain.linkage().link_name(contact.a), "first");
/// assert_eq!(chain.linkage().link_name(contact.b), "third");
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Articulation {
    placement: Placement,
    /// The boxes of the parts.
    boxes: Vec<Aabb>,
    /// The boxes of the nodes of the linkage's tree.
    nodes: Vec<Aabb>,
    memory: Memory,
    /// The poses of the parts, configuration after configuration.
    placed: Vec<Pose>,
}

impl Articulation {
    /// At the origin, with all joints at rest: at [`Linkage::rest`].
    pub fn new(linkage: impl Into<Arc<Linkage>>) -> Result<Articulation, Error> {
        let mut articulation = Articulation {
            placement: Placement::new(linkage.into())?,
            boxes: Vec::new(),
            nodes: Vec::new(),
            memory: Memory::default(),
            placed: Vec::new(),
        };
        articulation.refit();
        Ok(articulation)
    }

    /// What it is.
    pub fn linkage(&self) -> &Arc<Linkage> {
        self.placement.linkage()
    }

    /// Where its root link is.
    pub fn base(&self) -> &Pose {
        self.placement.base()
    }

    /// Where its joints are.
    pub fn joints(&self) -> &[f64] {
        self.placement.positions()
    }

    /// Moves the whole body: where its root link is from now on.
    pub fn set_base(&mut self, base: Pose) -> Result<(), Error> {
        self.placement.set_base(base)?;
        self.refit();
        Ok(())
    }

    /// Moves the joints. The positions are in the order of [`Linkage::driven_joints`], and may be beyond limits.
    ///
    /// Fails for a wrong count, and for a position that is not finite or would put a part beyond the range of `f64`; then
    /// nothing has moved.
    pub fn set_joints(&mut self, positions: &[f64]) -> Result<(), Error> {
        self.placement.set_joints(positions)?;
        self.refit();
        Ok(())
    }

    /// Puts each part where the caller says, by its own kinematics. It stays there until joints or base are set.
    pub fn set_part_poses(&mut self, poses: &[Pose]) -> Result<(), Error> {
        self.placement.set_part_poses(poses)?;
        self.refit();
        Ok(())
    }

    fn refit(&mut self) {
        let linkage = self.placement.linkage();
        box_parts(linkage, self.placement.part_poses(), &mut self.boxes);
        let tree = &self.placement.linkage().hierarchy;
        tree.refit(&self.boxes, &mut self.nodes);
    }

    /// The frame of a link, as joints and base put it.
    pub fn link_pose(&self, link: LinkId) -> &Pose {
        self.placement.link_pose(link)
    }

    /// Where the parts are, in their order.
    pub fn part_poses(&self) -> &[Pose] {
        self.placement.part_poses()
    }

    /// A part where it is, for any [`query`](crate::query).
    pub fn placed(&self, part: PartId) -> Placed<'_> {
        let shape = self.linkage().part(part).shape();
        shape.at(self.part_poses()[part.index()])
    }

    /// A box around all parts.
    pub fn bounds(&self) -> Aabb {
        self.fitted().bounds()
    }

    /// The pairs of its own parts that touch, of those that [`Linkage::may_meet`] tells to look at; sorted.
    pub fn self_contacts(&mut self) -> &[PartPair] {
        let frame = [self.placement.part_poses()];
        let side = side_of(&self.placement, &frame);
        self.memory.start();
        self.memory.collect_within(side, 0, &self.boxes);
        self.memory.contacts([side; 2])
    }

    /// Whether [`Articulation::self_contacts`] has any, in less time.
    pub fn self_intersects(&mut self) -> bool {
        let frame = [self.placement.part_poses()];
        let side = side_of(&self.placement, &frame);
        self.memory.start();
        self.memory.collect_within(side, 0, &self.boxes);
        self.memory.is_any([side; 2])
    }

    /// [`Articulation::self_contacts`] at many joint positions, in less time than one after the other: `visit` is called for each,
    /// in their order. The body stays at the last.
    ///
    /// Fails at the first positions that [`Articulation::set_joints`] refuses; not all of those before may have been visited.
    ///
    /// ```
    /// # use impinge::{Articulation, LinkageBuilder, Pose, Shape, Vec3};
    /// # use impinge::articulated::{Joint, JointKind, LinkId, SelfCollision};
    /// # let mut gate = LinkageBuilder::new("post");
    /// # gate.add_part(LinkId::ROOT, Shape::sphere(1.0)?, Pose::IDENTITY)?;
    /// # let slide = JointKind::Prismatic { axis: Vec3::X };
    /// # let leaf = gate.add_link("leaf", LinkId::ROOT, Joint::new("slide", slide, Pose::IDENTITY)?)?;
    /// # gate.add_part(leaf, Shape::sphere(1.0)?, Pose::IDENTITY)?;
    /// # gate.set_self_collision(SelfCollision::All);
    /// # let mut gate = Articulation::new(gate.build()?)?;
    /// let path: Vec<[f64; 1]> = (0..=10).map(|step| [0.5 * f64::from(step)]).collect();
    /// let mut free = Vec::new();
    /// gate.self_contacts_each(&path, |step, contacts| {
    ///     if contacts.is_empty() {
    ///         free.push(step);
    ///     }
    /// })?;
    /// assert_eq!(free, [5, 6, 7, 8, 9, 10]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn self_contacts_each(
        &mut self,
        configurations: &[impl AsRef<[f64]>],
        mut visit: impl FnMut(usize, &[PartPair]),
    ) -> Result<(), Error> {
        let parts = self.part_poses().len();
        // Taken out for as long as its poses are looked at.
        let mut placed = std::mem::take(&mut self.placed);
        let result = chunks(configurations, |first, some| {
            placed.clear();
            for positions in some {
                self.placement.set_joints(positions.as_ref())?;
                placed.extend_from_slice(self.placement.part_poses());
            }
            let frames: ArrayVec<&[Pose], FRAMES> = placed.chunks_exact(parts).collect();
            self.visit_frames(first, &frames, &mut visit);
            Ok(())
        });
        self.placed = placed;
        self.refit();
        result
    }

    /// [`Articulation::self_contacts_each`] with the poses of all parts given, as to [`Articulation::set_part_poses`].
    pub fn self_contacts_each_placed(
        &mut self,
        configurations: &[impl AsRef<[Pose]>],
        mut visit: impl FnMut(usize, &[PartPair]),
    ) -> Result<(), Error> {
        let mut last = None;
        let result = chunks(configurations, |first, some| {
            let mut frames = ArrayVec::<&[Pose], FRAMES>::new();
            for poses in some {
                self.placement.check_part_poses(poses.as_ref())?;
                frames.push(poses.as_ref());
                last = Some(poses);
            }
            self.visit_frames(first, &frames, &mut visit);
            Ok(())
        });
        if let Some(poses) = last {
            self.set_part_poses(poses.as_ref())?;
        }
        result
    }

    /// Visits some frames, which are numbered from `first` on, with the pairs that touch.
    fn visit_frames(
        &mut self,
        first: usize,
        frames: &[&[Pose]],
        visit: &mut impl FnMut(usize, &[PartPair]),
    ) {
        self.memory.start();
        let linkage = self.placement.linkage();
        let side = Side { linkage, frames };
        if let Some(listed) = linkage.rules.listed() {
            self.memory.collect_listed(side, listed);
        } else {
            for (frame, poses) in (0..).zip(frames) {
                box_parts(linkage, poses, &mut self.boxes);
                self.memory.collect_within(side, frame, &self.boxes);
            }
        }
        self.memory
            .contacts_each(side, |frame, contacts| visit(first + frame, contacts));
    }

    fn fitted(&self) -> Fitted<'_> {
        Fitted {
            tree: &self.placement.linkage().hierarchy,
            boxes: &self.nodes,
        }
    }
}

/// How many configurations are looked at together: enough for searches of eight pairs at a time.
const FRAMES: usize = 64;

/// Goes through configurations, some at a time, with the number of the first of them.
fn chunks<'c, C>(
    configurations: &'c [C],
    mut visit: impl FnMut(usize, &'c [C]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut numbered = (0..).step_by(FRAMES).zip(configurations.chunks(FRAMES));
    numbered.try_for_each(|(first, some)| visit(first, some))
}

/// Replaces `boxes` by those of the parts.
fn box_parts(linkage: &Linkage, poses: &[Pose], boxes: &mut Vec<Aabb>) {
    let placed = linkage.volumes.iter().zip(poses);
    boxes.clear();
    boxes.extend(placed.map(|(volume, pose)| volume.at(pose)));
}

/// A body in the frame that it is in.
fn side_of<'a>(placement: &'a Placement, frame: &'a [&'a [Pose]; 1]) -> Side<'a> {
    Side {
        linkage: placement.linkage(),
        frames: frame,
    }
}

/// Two articulated bodies that are asked about again and again: it remembers what was found of their parts, which makes the
/// next answer quicker and never changes it.
///
/// ```
/// # use impinge::{Articulation, LinkageBuilder, Pose, Shape, Vec3};
/// # use impinge::articulated::{Encounter, LinkId};
/// // A cross of two bars, twice.
/// let mut cross = LinkageBuilder::new("cross");
/// for half_size in [Vec3::new(2.0, 0.2, 0.2), Vec3::new(0.2, 2.0, 0.2)] {
///     cross.add_part(LinkId::ROOT, Shape::cuboid(half_size)?, Pose::IDENTITY)?;
/// }
/// let mut a = Articulation::new(cross.build()?)?;
/// let mut b = a.clone();
/// b.set_base(Pose::from_translation(Vec3::new(1.5, 1.5, 0.0))?)?;
/// let mut encounter = Encounter::default();
/// let contacts = encounter.contacts(&a, &b);
/// assert_eq!(contacts.len(), 2);
/// assert_eq!((contacts[0].a.index(), contacts[0].b.index()), (0, 1));
/// a.set_base(Pose::from_translation(-Vec3::X)?)?;
/// assert!(!encounter.intersects(&a, &b));
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Encounter {
    memory: Memory,
}

impl Encounter {
    /// The parts of two bodies that touch, sorted.
    pub fn contacts(&mut self, a: &Articulation, b: &Articulation) -> &[PartPair] {
        let frames = [[a.part_poses()], [b.part_poses()]];
        let sides = self.collect([a, b], &frames);
        self.memory.contacts(sides)
    }

    /// Whether two bodies touch: [`Encounter::contacts`] in less time.
    pub fn intersects(&mut self, a: &Articulation, b: &Articulation) -> bool {
        let frames = [[a.part_poses()], [b.part_poses()]];
        let sides = self.collect([a, b], &frames);
        self.memory.is_any(sides)
    }

    fn collect<'a>(
        &mut self,
        [a, b]: [&'a Articulation; 2],
        frames: &'a [[&'a [Pose]; 1]; 2],
    ) -> [Side<'a>; 2] {
        let sides = [
            side_of(&a.placement, &frames[0]),
            side_of(&b.placement, &frames[1]),
        ];
        self.memory.start();
        self.memory.collect_between(sides, [a.fitted(), b.fitted()]);
        sides
    }
}
