//! Links and joints of a robot, from the root outward.

use super::element::Element;
use super::geometry::Geometries;
use crate::articulated::{Joint, JointKind, LinkId, LinkageBuilder, Mimic};
use crate::error::Error;
use crate::math::{Mat3, Pose, Vec3};
use crate::shape::Shape;
use std::collections::HashMap;

/// The robot that an element describes.
pub(super) fn build<L>(
    robot: &Element<'_, '_>,
    geometries: &mut Geometries<L>,
) -> Result<LinkageBuilder, Error>
where
    L: FnMut(&str, Vec3) -> Result<Shape, String>,
{
    let tree = Tree::new(robot)?;
    let mut builder = LinkageBuilder::new(tree.links[tree.root].require("name")?);
    // Links whose joints to others are to be looked at, the next one last.
    let mut open = vec![(tree.root, LinkId::ROOT)];
    let mut reached = 0;
    while let Some((place, id)) = open.pop() {
        reached += 1;
        add_parts(&mut builder, id, &tree.links[place], geometries)?;
        let first = open.len();
        for (joint, child) in &tree.below[place] {
            let name = tree.links[*child].require("name")?;
            let link = builder.add_link(name, id, read_joint(joint)?);
            open.push((*child, joint.wrap(link)?));
        }
        open[first..].reverse();
    }
    if reached < tree.links.len() {
        return Err(robot.error("some links hang on each other in a circle"));
    }
    add_mimics(&mut builder, &tree)?;
    Ok(builder)
}

/// Who hangs on whom, by place in the file.
struct Tree<'a, 't> {
    links: Vec<Element<'a, 't>>,
    /// For each link the joints to those that hang on it.
    below: Vec<Vec<(Element<'a, 't>, usize)>>,
    /// For each link the joint that it hangs by.
    above: Vec<Option<Element<'a, 't>>>,
    root: usize,
}

impl<'a, 't> Tree<'a, 't> {
    fn new(robot: &Element<'a, 't>) -> Result<Tree<'a, 't>, Error> {
        let (mut links, mut joints) = (Vec::new(), Vec::new());
        for element in robot.children() {
            match element.name() {
                _ if element.is_macro() => {
                    return Err(element.error("xacro has to be expanded before"));
                }
                "link" => links.push(element),
                "joint" => joints.push(element),
                _ => {}
            }
        }
        let mut places = HashMap::new();
        for (place, link) in links.iter().enumerate() {
            if places.insert(link.require("name")?, place).is_some() {
                return Err(link.error("there is another link of this name"));
            }
        }
        let mut below = vec![Vec::new(); links.len()];
        let mut above = vec![None; links.len()];
        for joint in joints {
            let place = |side: &str| {
                let side = joint.require_child(side)?;
                let name = side.require("link")?;
                let place = places.get(name).copied();
                place.ok_or_else(|| side.error(format!("there is no link \"{name}\"")))
            };
            let [parent, child] = [place("parent")?, place("child")?];
            if above[child].replace(joint).is_some() {
                return Err(joint.error("its child hangs by another joint already"));
            }
            below[parent].push((joint, child));
        }
        let root = find_root(robot, &links, &above)?;
        Ok(Tree {
            links,
            below,
            above,
            root,
        })
    }
}

/// The one link that hangs on none.
fn find_root(
    robot: &Element<'_, '_>,
    links: &[Element<'_, '_>],
    above: &[Option<Element<'_, '_>>],
) -> Result<usize, Error> {
    let mut roots = (0..links.len()).filter(|place| above[*place].is_none());
    let root = roots.next().ok_or_else(|| {
        robot.error(if links.is_empty() {
            "there are no links in it"
        } else {
            "all links hang on each other in a circle"
        })
    })?;
    match roots.next() {
        Some(other) => Err(links[other].error(format!(
            "it hangs on no other link, and neither does the one of line {}",
            links[root].line()
        ))),
        None => Ok(root),
    }
}

fn add_parts<L>(
    builder: &mut LinkageBuilder,
    id: LinkId,
    link: &Element<'_, '_>,
    geometries: &mut Geometries<L>,
) -> Result<(), Error>
where
    L: FnMut(&str, Vec3) -> Result<Shape, String>,
{
    for collision in link.children().filter(|child| child.name() == "collision") {
        let geometry = collision.require_child("geometry")?;
        let shape = geometries.shape(&geometry)?;
        collision.wrap(builder.add_part(id, shape, read_origin(&collision)?))?;
    }
    Ok(())
}

fn read_joint(joint: &Element<'_, '_>) -> Result<Joint, Error> {
    let axis = match joint.child("axis") {
        Some(axis) => axis.vector("xyz", Vec3::X)?,
        None => Vec3::X,
    };
    let (kind, is_limited) = match joint.require("type")? {
        "fixed" => (JointKind::Fixed, false),
        "revolute" => (JointKind::Revolute { axis }, true),
        "continuous" => (JointKind::Revolute { axis }, false),
        "prismatic" => (JointKind::Prismatic { axis }, true),
        "planar" => (JointKind::Planar { normal: axis }, false),
        "floating" => (JointKind::Floating, false),
        other => return Err(joint.error(format!("unknown type \"{other}\""))),
    };
    let made = Joint::new(joint.require("name")?, kind, read_origin(joint)?);
    let made = joint.wrap(made)?;
    if !is_limited {
        return Ok(made);
    }
    let limit = joint.require_child("limit")?;
    let limits = [limit.number("lower", 0.0)?, limit.number("upper", 0.0)?];
    limit.wrap(made.with_limits(limits))
}

/// The pose that an `origin` gives, turned by roll, pitch and yaw about fixed axes; the identity where there is none.
fn read_origin(element: &Element<'_, '_>) -> Result<Pose, Error> {
    let Some(origin) = element.child("origin") else {
        return Ok(Pose::IDENTITY);
    };
    let turns = origin.vector("rpy", Vec3::ZERO)?;
    let matrix = Mat3::from_rotation_z(turns.z)
        * Mat3::from_rotation_y(turns.y)
        * Mat3::from_rotation_x(turns.x);
    origin.wrap(Pose::from_matrix(matrix, origin.vector("xyz", Vec3::ZERO)?))
}

fn add_mimics(builder: &mut LinkageBuilder, tree: &Tree<'_, '_>) -> Result<(), Error> {
    let hung = || tree.links.iter().zip(&tree.above);
    let mut links = HashMap::new();
    for (link, joint) in hung() {
        if let Some(joint) = joint {
            links.insert(joint.require("name")?, link.require("name")?);
        }
    }
    for (link, joint) in hung() {
        let Some(mimic) = joint.and_then(|joint| joint.child("mimic")) else {
            continue;
        };
        let followed = mimic.require("joint")?;
        let source = links
            .get(followed)
            .and_then(|name| builder.link_named(name));
        let source =
            source.ok_or_else(|| mimic.error(format!("there is no joint \"{followed}\"")))?;
        let follower = builder.link_named(link.require("name")?);
        let follower = follower.ok_or_else(|| link.error("it is not in the robot"))?;
        let rule = Mimic {
            source,
            multiplier: mimic.number("multiplier", 1.0)?,
            offset: mimic.number("offset", 0.0)?,
        };
        mimic.wrap(builder.set_mimic(follower, rule))?;
    }
    Ok(())
}
