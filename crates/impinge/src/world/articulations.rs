//! Bodies of many parts in a world.
//!
//! Each part is a body like any other: the broad phase sees its box, its pairs remember what was found, contacts and events
//! name it. Nothing in the stages knows more than bodies. What is kept here is which bodies are parts of what, so that joints
//! can move them together, and so that pairs of parts that may always meet are left out. (A body that is one box to the broad
//! phase, with a second search among its parts behind, would need a second kind of pair, of contact and of event.)

use super::World;
use super::bodies::Bodies;
use crate::articulated::{Linkage, PartId, Placement};
use crate::body::{ArticulationId, BodyId, BodyIds, Pair};
use crate::error::Error;
use crate::math::Pose;
use std::sync::Arc;

/// All articulated bodies, by index.
#[derive(Debug, Default)]
pub(super) struct Articulations {
    ids: BodyIds,
    /// None where there is none.
    slots: Vec<Option<Inserted>>,
    /// By index of a body: what it is a part of. Bodies beyond the end are parts of nothing.
    owners: Vec<Option<Owner>>,
}

#[derive(Debug)]
struct Inserted {
    placement: Placement,
    /// The bodies of the parts, in their order.
    bodies: Vec<BodyId>,
}

#[derive(Debug, Clone, Copy)]
struct Owner {
    articulation: ArticulationId,
    part: PartId,
}

impl Articulations {
    fn get(&self, id: ArticulationId) -> Result<&Inserted, Error> {
        let known = self.ids.contains(id.0);
        let slot = self.slots.get(id.0.index() as usize).filter(|_| known);
        slot.and_then(Option::as_ref).ok_or_else(|| unknown(id))
    }

    fn get_mut(&mut self, id: ArticulationId) -> Result<&mut Inserted, Error> {
        let known = self.ids.contains(id.0);
        let slot = self.slots.get_mut(id.0.index() as usize);
        let slot = slot.filter(|_| known);
        slot.and_then(Option::as_mut).ok_or_else(|| unknown(id))
    }

    fn insert(&mut self, inserted: Inserted) -> Result<ArticulationId, Error> {
        let id = ArticulationId(self.ids.insert()?);
        for (part, body) in inserted
            .placement
            .linkage()
            .part_ids()
            .zip(&inserted.bodies)
        {
            let place = body.index() as usize;
            if place >= self.owners.len() {
                self.owners.resize(place + 1, None);
            }
            self.owners[place] = Some(Owner {
                articulation: id,
                part,
            });
        }
        let place = id.0.index() as usize;
        if place == self.slots.len() {
            self.slots.push(None);
        }
        self.slots[place] = Some(inserted);
        Ok(id)
    }

    fn remove(&mut self, id: ArticulationId) -> Result<Vec<BodyId>, Error> {
        let bodies = std::mem::take(&mut self.get_mut(id)?.bodies);
        self.ids.remove(id.0)?;
        self.slots[id.0.index() as usize] = None;
        for body in &bodies {
            self.owners[body.index() as usize] = None;
        }
        Ok(bodies)
    }

    fn owner(&self, body: BodyId) -> Option<Owner> {
        self.owners.get(body.index() as usize).copied().flatten()
    }

    /// Refuses a body that is a part.
    pub(super) fn check_single(&self, body: BodyId) -> Result<(), Error> {
        let owner = self.owner(body);
        // Of an old owner of the index, or of a new one, nothing is known here; that is found out elsewhere.
        let owner = owner.filter(|owner| {
            let bodies = self
                .get(owner.articulation)
                .map(|inserted| &inserted.bodies);
            bodies.is_ok_and(|bodies| bodies[owner.part.index()] == body)
        });
        owner.map_or(Ok(()), |owner| {
            Err(Error::PartOfArticulation {
                body,
                articulation: owner.articulation,
            })
        })
    }

    /// Whether a pair is not of two parts of one body that are not looked at.
    pub(super) fn may_meet(&self, pair: Pair) -> bool {
        let (Some(a), Some(b)) = (self.owner(pair.a()), self.owner(pair.b())) else {
            return true;
        };
        a.articulation != b.articulation
            || self.get(a.articulation).is_ok_and(|inserted| {
                let linkage = inserted.placement.linkage();
                linkage.may_meet(a.part, b.part)
            })
    }
}

impl Inserted {
    /// Moves the bodies to where the parts are; those that are there already do not count as moved.
    fn move_bodies(&self, bodies: &mut Bodies) -> Result<(), Error> {
        for (body, pose) in self.bodies.iter().zip(self.placement.part_poses()) {
            bodies.move_to(*body, pose)?;
        }
        Ok(())
    }
}

fn unknown(articulation: ArticulationId) -> Error {
    Error::UnknownArticulation { articulation }
}

/// Bodies of many parts.
impl World {
    /// Adds a body of many parts, its root link at a pose, its joints at rest: one body for each part. Many may share one
    /// linkage.
    ///
    /// ```
    /// # use impinge::{LinkageBuilder, Pose, Shape, Vec3, World};
    /// # use impinge::articulated::{Joint, JointKind, LinkId};
    /// let mut crane = LinkageBuilder::new("mast");
    /// crane.add_part(LinkId::ROOT, Shape::cuboid(Vec3::new(0.5, 0.5, 3.0))?, Pose::IDENTITY)?;
    /// let slide = JointKind::Prismatic { axis: Vec3::X };
    /// let hook = crane.add_link("hook", LinkId::ROOT, Joint::new("trolley", slide, Pose::IDENTITY)?)?;
    /// crane.add_part(hook, Shape::sphere(0.5)?, Pose::from_translation(Vec3::X)?)?;
    ///
    /// let mut world = World::default();
    /// let crate_ = world.insert(Shape::cuboid(Vec3::ONE)?, Pose::from_translation(Vec3::X * 8.0)?)?;
    /// let crane = world.insert_articulated(crane.build()?, Pose::IDENTITY)?;
    /// world.update();
    /// assert!(world.contacts().is_empty());
    ///
    /// world.set_joints(crane, &[5.75])?;
    /// world.update();
    /// let pair = world.contacts()[0].pair;
    /// assert_eq!(pair.a(), crate_);
    /// let (_, part) = world.part_of(pair.b()).expect("the hook is a part");
    /// assert_eq!(world.linkage(crane)?.link_name(part), "hook");
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn insert_articulated(
        &mut self,
        linkage: impl Into<Arc<Linkage>>,
        base: Pose,
    ) -> Result<ArticulationId, Error> {
        let mut placement = Placement::new(linkage.into())?;
        placement.set_base(base)?;
        let mut bodies = Vec::with_capacity(placement.part_poses().len());
        let parts = placement.linkage().parts().iter();
        for (part, pose) in parts.zip(placement.part_poses()) {
            match self.insert(part.shape().clone(), *pose) {
                Ok(body) => bodies.push(body),
                Err(error) => {
                    self.remove_all(&bodies)?;
                    return Err(error);
                }
            }
        }
        self.articulations.insert(Inserted { placement, bodies })
    }

    /// Removes a body of many parts. Its contacts end with the next [`World::update`].
    pub fn remove_articulated(&mut self, articulation: ArticulationId) -> Result<(), Error> {
        let bodies = self.articulations.remove(articulation)?;
        self.remove_all(&bodies)
    }

    fn remove_all(&mut self, bodies: &[BodyId]) -> Result<(), Error> {
        bodies.iter().try_for_each(|body| self.remove(*body))
    }

    /// Moves the joints of a body of many parts; as [`Articulation::set_joints`](crate::Articulation::set_joints). Parts that
    /// this does not move keep their contacts without work.
    pub fn set_joints(
        &mut self,
        articulation: ArticulationId,
        positions: &[f64],
    ) -> Result<(), Error> {
        let inserted = self.articulations.get_mut(articulation)?;
        inserted.placement.set_joints(positions)?;
        inserted.move_bodies(&mut self.bodies)
    }

    /// Moves a body of many parts as a whole: where its root link is from now on.
    pub fn set_base(&mut self, articulation: ArticulationId, base: Pose) -> Result<(), Error> {
        let inserted = self.articulations.get_mut(articulation)?;
        inserted.placement.set_base(base)?;
        inserted.move_bodies(&mut self.bodies)
    }

    /// Where the joints of a body of many parts are.
    pub fn joints(&self, articulation: ArticulationId) -> Result<&[f64], Error> {
        Ok(self.articulations.get(articulation)?.placement.positions())
    }

    /// Where the root link of a body of many parts is.
    pub fn base(&self, articulation: ArticulationId) -> Result<&Pose, Error> {
        Ok(self.articulations.get(articulation)?.placement.base())
    }

    /// What a body of many parts is.
    pub fn linkage(&self, articulation: ArticulationId) -> Result<&Arc<Linkage>, Error> {
        Ok(self.articulations.get(articulation)?.placement.linkage())
    }

    /// The bodies that the parts of a body of many parts are, in their order. Each can be moved by itself with
    /// [`World::set_pose`]; joints and base put it back.
    pub fn part_bodies(&self, articulation: ArticulationId) -> Result<&[BodyId], Error> {
        Ok(&self.articulations.get(articulation)?.bodies)
    }

    /// Which part of what a body is; `None` for a body by itself, or one that is not here.
    pub fn part_of(&self, body: BodyId) -> Option<(ArticulationId, PartId)> {
        self.bodies.check(body).ok()?;
        let owner = self.articulations.owner(body)?;
        Some((owner.articulation, owner.part))
    }
}
