//! From links, joints and parts to a [`Linkage`].

use super::hierarchy::Hierarchy;
use super::joint::{Joint, Mimic};
use super::linkage::{Drive, Hang, Link, LinkId, Linkage, Part, PartId};
use super::rules::{Rules, SelfCollision};
use super::volume::Volume;
use crate::error::Error;
use crate::math::Pose;
use crate::shape::Shape;
use std::collections::{HashMap, HashSet};

/// A [`Linkage`] in the making.
///
/// ```
/// # use impinge::{Pose, Shape, Vec3, articulated::{Joint, JointKind, LinkId, LinkageBuilder}};
/// let mut pliers = LinkageBuilder::new("left");
/// let jaw = Shape::cuboid(Vec3::new(1.0, 0.1, 0.1))?;
/// pliers.add_part(LinkId::ROOT, jaw.clone(), Pose::IDENTITY)?;
/// let pin = Joint::new("pin", JointKind::Revolute { axis: Vec3::Z }, Pose::IDENTITY)?;
/// let right = pliers.add_link("right", LinkId::ROOT, pin)?;
/// pliers.add_part(right, jaw, Pose::from_translation(Vec3::Z)?)?;
/// let pliers = pliers.build()?;
/// assert_eq!((pliers.freedoms(), pliers.parts().len()), (1, 2));
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug)]
pub struct LinkageBuilder {
    links: Vec<Link>,
    parts: Vec<Part>,
    link_names: HashMap<String, LinkId>,
    joint_names: HashSet<String>,
    allowed: Vec<[LinkId; 2]>,
    self_collision: SelfCollision,
}

impl LinkageBuilder {
    /// A linkage of one link, [`LinkId::ROOT`], without parts.
    pub fn new(root: impl Into<String>) -> LinkageBuilder {
        let root = root.into();
        LinkageBuilder {
            link_names: HashMap::from([(root.clone(), LinkId::ROOT)]),
            links: vec![Link {
                name: root,
                hang: None,
            }],
            parts: Vec::new(),
            joint_names: HashSet::new(),
            allowed: Vec::new(),
            self_collision: SelfCollision::default(),
        }
    }

    /// Adds a link that hangs on another one by a joint. Fails when the name of the link or of the joint is taken.
    pub fn add_link(
        &mut self,
        name: impl Into<String>,
        parent: LinkId,
        joint: Joint,
    ) -> Result<LinkId, Error> {
        self.check(parent)?;
        let name = name.into();
        let place = self.links.len();
        if place > u32::MAX as usize {
            return Err(Error::TooMany {
                what: "links",
                count: place + 1,
            });
        }
        check_name(
            self.joint_names.contains(joint.name()),
            "joint",
            joint.name(),
        )?;
        check_name(self.link_names.contains_key(&name), "link", &name)?;
        let link = LinkId(place as u32);
        self.joint_names.insert(joint.name().to_owned());
        self.link_names.insert(name.clone(), link);
        self.links.push(Link {
            name,
            hang: Some(Hang {
                parent,
                joint,
                mimic: None,
                drive: Drive::Own { first: 0 },
            }),
        });
        Ok(link)
    }

    /// Adds a shape to a link, at a pose in its frame. Shapes are cheap to clone: many parts may share one.
    ///
    /// Parts are meant to be convex; meshes and solids are answered rightly, too, and slower.
    pub fn add_part(&mut self, link: LinkId, shape: Shape, pose: Pose) -> Result<PartId, Error> {
        self.check(link)?;
        let place = self.parts.len();
        if place > u32::MAX as usize {
            return Err(Error::TooMany {
                what: "parts",
                count: place + 1,
            });
        }
        self.parts.push(Part {
            link,
            shape,
            pose,
            is_at_link: pose == Pose::IDENTITY,
        });
        Ok(PartId(place as u32))
    }

    /// Lets the joint that a link hangs by follow another one. Fails unless each of the two is one that turns or slides, and
    /// for numbers that are not finite.
    pub fn set_mimic(&mut self, link: LinkId, mimic: Mimic) -> Result<(), Error> {
        self.check_mimic_side(link)?;
        self.check_mimic_side(mimic.source)?;
        if !(mimic.multiplier.is_finite() && mimic.offset.is_finite()) {
            return Err(Error::NonFinite {
                what: format!("multiplier or offset of the joint of {}", self.name(link)),
            });
        }
        if let Some(hang) = &mut self.links[link.index()].hang {
            hang.mimic = Some(mimic);
        }
        Ok(())
    }

    fn check_mimic_side(&self, link: LinkId) -> Result<(), Error> {
        self.check(link)?;
        let joint = self.links[link.index()].joint();
        let count = joint.map_or(0, |joint| joint.kind().freedoms());
        if count == 1 {
            return Ok(());
        }
        Err(Error::WrongCount {
            what: format!("freedoms of the joint of {} in a mimic", self.name(link)),
            count,
            expected: 1,
        })
    }

    /// Lets two links meet: their parts are not looked at for collision with each other.
    pub fn allow(&mut self, a: LinkId, b: LinkId) -> Result<(), Error> {
        self.check(a)?;
        self.check(b)?;
        self.allowed.push([a, b]);
        Ok(())
    }

    /// Which parts are looked at for collision with each other, apart from what is allowed.
    pub fn set_self_collision(&mut self, choice: SelfCollision) {
        self.self_collision = choice;
    }

    /// The link of that name.
    pub fn link_named(&self, name: &str) -> Option<LinkId> {
        self.link_names.get(name).copied()
    }

    /// The linkage. Fails when there are no parts, or when joints follow each other in a circle.
    pub fn build(mut self) -> Result<Linkage, Error> {
        if self.parts.is_empty() {
            return Err(Error::Empty {
                what: "articulated body",
            });
        }
        let freedoms = self.number_positions();
        self.resolve_mimics()?;
        let rules = Rules::new(self.self_collision, &self.links, &self.allowed, &self.parts);
        let volumes = self.parts.iter().map(|part| Volume::new(part.shape()));
        let hierarchy = Hierarchy::new(&self.links, &self.parts, &rules);
        Ok(Linkage {
            volumes: volumes.collect(),
            links: self.links,
            parts: self.parts,
            freedoms,
            rules,
            hierarchy,
        })
    }

    /// Gives each joint that follows no other one its place among all positions, and returns how many there are.
    fn number_positions(&mut self) -> usize {
        let mut first = 0;
        let hangs = self.links.iter_mut().filter_map(|link| link.hang.as_mut());
        for hang in hangs.filter(|hang| hang.mimic.is_none()) {
            hang.drive = Drive::Own { first };
            first += hang.joint.kind().freedoms();
        }
        first
    }

    /// Follows each joint that follows another one to the position at the end.
    fn resolve_mimics(&mut self) -> Result<(), Error> {
        let mut path = Vec::new();
        for place in 0..self.links.len() {
            let mut at = place;
            while let Some(source) = self.unresolved_source(at) {
                if path.len() > self.links.len() {
                    let what = format!("the mimic of the joint of {}", self.links[place].name);
                    return Err(Error::Cycle { what });
                }
                path.push(at);
                at = source;
            }
            while let Some(link) = path.pop() {
                let followed = self.links[at].hang.as_ref().map(|hang| hang.drive);
                if let (Some(hang), Some(followed)) = (&mut self.links[link].hang, followed) {
                    hang.drive = hang.mimic.map_or(followed, |mimic| followed.seen_by(mimic));
                }
                at = link;
            }
        }
        Ok(())
    }

    /// The link whose joint that of a link follows, if it is not known yet where its position comes from.
    fn unresolved_source(&self, link: usize) -> Option<usize> {
        let hang = self.links[link].hang.as_ref()?;
        match hang.drive {
            Drive::Own { .. } => Some(hang.mimic?.source.index()),
            Drive::Other { .. } => None,
        }
    }

    fn name(&self, link: LinkId) -> &str {
        &self.links[link.index()].name
    }

    fn check(&self, link: LinkId) -> Result<(), Error> {
        if link.index() < self.links.len() {
            return Ok(());
        }
        Err(Error::IndexOutOfRange {
            what: "link".to_owned(),
            index: u64::from(link.0),
            count: self.links.len(),
        })
    }
}

fn check_name(is_taken: bool, what: &'static str, name: &str) -> Result<(), Error> {
    if is_taken {
        return Err(Error::NameInUse {
            what,
            name: name.to_owned(),
        });
    }
    Ok(())
}
