//! Bodies of many parts, against plain means: points sent through joints one by one, and every pair of parts asked by itself.

mod agreement;
mod errors;
mod kinematics;
#[cfg(feature = "urdf")]
mod robots;
#[cfg(feature = "urdf")]
mod urdf;
mod worlds;

use crate::shapes::kinds::{Family, point, shape};
use impinge::articulated::{Joint, JointKind, LinkId, Linkage, Mimic, PartId, SelfCollision};
use impinge::{LinkageBuilder, Pose, Quat, Vec3};
use rand::{Rng, RngExt};

/// A random linkage, and what was said about it.
struct Sample {
    linkage: Linkage,
    choice: SelfCollision,
    allowed: Vec<[LinkId; 2]>,
}

fn pose(rng: &mut impl Rng, family: Family, reach: f64) -> Pose {
    let shift = point(rng) * reach;
    if family == Family::Snapped {
        return Pose::from_translation((shift * 2.0).round() * 0.5).unwrap();
    }
    let turn = Quat::from_vec4(point(rng).extend(rng.random_range(0.1..1.0)));
    Pose::from_quat(turn.normalize(), shift).unwrap()
}

fn any_kind(rng: &mut impl Rng) -> JointKind {
    let axis = point(rng);
    match rng.random_range(0..10) {
        0 | 1 => JointKind::Fixed,
        2..7 => JointKind::Revolute { axis },
        7 => JointKind::Prismatic { axis },
        8 => JointKind::Planar { normal: axis },
        _ => JointKind::Floating,
    }
}

/// A linkage of some links; shapes are of kinds that are decided exactly when `family` makes much touch.
fn sample(rng: &mut impl Rng, family: Family) -> Sample {
    let kinds = if family == Family::Snapped { 4 } else { 7 };
    let mut builder = LinkageBuilder::new("link 0");
    let mut links = vec![LinkId::ROOT];
    for place in 1..rng.random_range(1..14) {
        // Mostly chains, now and then a branch.
        let parent = if rng.random_bool(0.7) {
            links[place - 1]
        } else {
            links[rng.random_range(0..place)]
        };
        let joint = Joint::new(
            format!("joint {place}"),
            any_kind(rng),
            pose(rng, family, 2.0),
        );
        let link = builder.add_link(format!("link {place}"), parent, joint.unwrap());
        links.push(link.unwrap());
    }
    for link in &links {
        for _ in 0..[0, 1, 1, 1, 1, 3][rng.random_range(0..6)] {
            let kind = rng.random_range(0..kinds);
            let shape = shape(rng, kind, family);
            builder
                .add_part(*link, shape, pose(rng, family, 0.5))
                .unwrap();
        }
    }
    let root = shape(rng, 2, family);
    builder
        .add_part(LinkId::ROOT, root, Pose::IDENTITY)
        .unwrap();
    let any = |rng: &mut _| links[Rng::next_u64(rng) as usize % links.len()];
    for _ in 0..2 {
        let [link, source] = [any(rng), any(rng)];
        let mimic = Mimic {
            source,
            multiplier: -0.5,
            offset: 0.25,
        };
        // What does not turn or slide does not follow.
        if source < link {
            let _ = builder.set_mimic(link, mimic);
        }
    }
    let allowed: Vec<_> = (0..3).map(|_| [any(rng), any(rng)]).collect();
    for [a, b] in &allowed {
        builder.allow(*a, *b).unwrap();
    }
    let choices = [
        SelfCollision::Distant,
        SelfCollision::All,
        SelfCollision::Ignored,
    ];
    let choice = choices[[0, 0, 0, 1, 1, 2][rng.random_range(0..6)]];
    builder.set_self_collision(choice);
    Sample {
        linkage: builder.build().unwrap(),
        choice,
        allowed,
    }
}

/// Positions for all joints.
fn positions(rng: &mut impl Rng, linkage: &Linkage) -> Vec<f64> {
    let mut all = Vec::new();
    for joint in linkage.driven_joints() {
        match joint.kind() {
            JointKind::Floating => {
                let turn = Quat::from_vec4(point(rng).extend(0.3)).normalize();
                all.extend(point(rng).to_array());
                all.extend(turn.to_array());
            }
            kind @ (JointKind::Fixed
            | JointKind::Revolute { .. }
            | JointKind::Prismatic { .. }
            | JointKind::Planar { .. }) => {
                all.extend((0..kind.freedoms()).map(|_| rng.random_range(-3.0..3.0)));
            }
        }
    }
    all
}

impl Sample {
    /// Whether two parts are to be looked at, by walking from one link to the other.
    fn may_meet(&self, a: PartId, b: PartId) -> bool {
        let [p, q] = [a, b].map(|part| self.linkage.part(part).link());
        let [to_p, to_q] = [p, q].map(|link| self.path(link));
        let common = to_p.iter().zip(&to_q).take_while(|(x, y)| x == y).count();
        let between = to_p[common..].iter().chain(&to_q[common..]);
        let is_moving = |link: &&LinkId| {
            let joint = self.linkage.link(**link).joint().unwrap();
            *joint.kind() != JointKind::Fixed
        };
        let moving = between.filter(is_moving).count();
        let is_far = match self.choice {
            SelfCollision::Ignored => false,
            SelfCollision::Distant => moving > 1,
            SelfCollision::All => moving > 0,
        };
        is_far && !self.allowed.contains(&[p, q]) && !self.allowed.contains(&[q, p])
    }

    /// The links from the root to a link.
    fn path(&self, link: LinkId) -> Vec<LinkId> {
        let mut path = vec![link];
        while let Some(parent) = self.linkage.link(path[path.len() - 1]).parent() {
            path.push(parent);
        }
        path.reverse();
        path
    }
}

/// A hinge about an axis, some way along z.
fn hinge(name: &str, axis: Vec3, z: f64) -> Joint {
    let origin = Pose::from_translation(Vec3::Z * z).unwrap();
    Joint::new(name, JointKind::Revolute { axis }, origin).unwrap()
}
