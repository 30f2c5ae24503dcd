//! Bad input: refused, with the joint or link named, and nothing changed.

use super::hinge;
use impinge::articulated::{Joint, JointKind, LinkId, Mimic};
use impinge::{Articulation, Error, LinkageBuilder, Pose, Quat, Shape, Vec3};

fn ball() -> Shape {
    Shape::sphere(0.25).unwrap()
}

/// A base, an elbow on it, a slide on that, and a floating end.
fn arm() -> LinkageBuilder {
    let mut arm = LinkageBuilder::new("base");
    let upper = arm
        .add_link("upper", LinkId::ROOT, hinge("elbow", Vec3::X, 1.0))
        .unwrap();
    let slide = JointKind::Prismatic { axis: Vec3::Z };
    let slide = Joint::new("slide", slide, Pose::IDENTITY).unwrap();
    let lower = arm.add_link("lower", upper, slide).unwrap();
    let free = Joint::new("free", JointKind::Floating, Pose::IDENTITY).unwrap();
    let end = arm.add_link("end", lower, free).unwrap();
    for link in [LinkId::ROOT, upper, lower, end] {
        arm.add_part(link, ball(), Pose::IDENTITY).unwrap();
    }
    arm
}

#[test]
fn bad_positions_name_the_joint_and_move_nothing() {
    let mut arm = Articulation::new(arm().build().unwrap()).unwrap();
    let good = [0.5, 0.25, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    arm.set_joints(&good).unwrap();
    let before = arm.part_poses().to_vec();
    let with = |place: usize, value: f64| {
        let mut bad = good;
        bad[place] = value;
        bad
    };
    for (bad, expected) in [
        (with(0, f64::NAN), "position of joint elbow is not finite"),
        (
            with(1, f64::INFINITY),
            "position of joint slide is not finite",
        ),
        (with(6, f64::NAN), "position of joint free is not finite"),
        (
            with(8, 1.5),
            "length of the quaternion in the position of joint free",
        ),
        (
            with(1, 1e308),
            "translation of part 2 on link lower is 8775825618903727",
        ),
    ] {
        let error = arm.set_joints(&bad).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
        assert_eq!(arm.part_poses(), before);
        assert_eq!(arm.joints(), good);
    }
    for count in [0, 8, 10] {
        let error = arm.set_joints(&vec![0.0; count]).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("{count} joint positions, expected 9")
        );
    }
    let error = arm.set_part_poses(&before[1..]).unwrap_err();
    assert_eq!(error.to_string(), "3 poses of parts, expected 4");
    assert_eq!(arm.part_poses(), before);
}

#[test]
fn drifting_matrices_are_refused() {
    // Each is as far from a rotation as a pose may be; thousands of them in a row are not one.
    let turn = impinge::Mat3::from_quat(Quat::IDENTITY) * (1.0 + 4e-7);
    let origin = Pose::from_matrix(turn, Vec3::ZERO).unwrap();
    let mut chain = LinkageBuilder::new("base");
    let mut end = LinkId::ROOT;
    for place in 0..10 {
        let joint = Joint::new(format!("joint {place}"), JointKind::Fixed, origin).unwrap();
        end = chain.add_link(format!("link {place}"), end, joint).unwrap();
    }
    chain.add_part(end, ball(), Pose::IDENTITY).unwrap();
    let error = Articulation::new(chain.build().unwrap()).unwrap_err();
    assert!(matches!(error, Error::NotARotation { .. }), "{error}");
}

#[test]
fn a_body_without_parts_is_refused() {
    let empty = LinkageBuilder::new("nothing").build().unwrap_err();
    assert_eq!(empty.to_string(), "empty articulated body");
}

#[test]
fn names_are_given_once() {
    let mut arm = arm();
    let error = arm.add_link("upper", LinkId::ROOT, hinge("wrist", Vec3::X, 0.0));
    assert_eq!(
        error.unwrap_err().to_string(),
        "there are two links named upper"
    );
    let error = arm.add_link("hand", LinkId::ROOT, hinge("elbow", Vec3::X, 0.0));
    assert_eq!(
        error.unwrap_err().to_string(),
        "there are two joints named elbow"
    );
    // A name that was refused is still free.
    arm.add_link("hand", LinkId::ROOT, hinge("wrist", Vec3::X, 0.0))
        .unwrap();
}

#[test]
fn joints_are_checked() {
    for axis in [Vec3::ZERO, Vec3::new(0.0, f64::NAN, 0.0), Vec3::INFINITY] {
        let kind = JointKind::Revolute { axis };
        let error = Joint::new("knee", kind, Pose::IDENTITY)
            .unwrap_err()
            .to_string();
        assert!(error.contains("joint knee"), "{error}");
    }
    for tiny in [1e-300, 1e300] {
        let kind = JointKind::Revolute {
            axis: Vec3::splat(tiny),
        };
        let joint = Joint::new("knee", kind, Pose::IDENTITY).unwrap();
        let expected = Vec3::ONE.normalize();
        assert!(
            matches!(joint.kind(), JointKind::Revolute { axis } if axis.distance(expected) < 1e-15)
        );
    }
    for limits in [[1.0, 0.0], [f64::NAN, 1.0], [0.0, f64::INFINITY]] {
        assert!(hinge("knee", Vec3::X, 0.0).with_limits(limits).is_err());
    }
    let free = Joint::new("free", JointKind::Floating, Pose::IDENTITY).unwrap();
    assert!(free.with_limits([0.0, 1.0]).is_err());
}

#[test]
fn mimics_are_checked() {
    let names = ["upper", "lower", "end"];
    let of = |multiplier: f64, source: LinkId| Mimic {
        source,
        multiplier,
        offset: 0.0,
    };
    let mut linkage = arm();
    let [upper, lower, end] = names.map(|name| linkage.link_named(name).unwrap());
    // Floating joints do not follow and are not followed; roots have no joint.
    for (link, source) in [
        (end, upper),
        (upper, end),
        (LinkId::ROOT, upper),
        (upper, LinkId::ROOT),
    ] {
        assert!(linkage.set_mimic(link, of(1.0, source)).is_err());
    }
    assert!(linkage.set_mimic(upper, of(f64::NAN, lower)).is_err());
    linkage.set_mimic(upper, of(1.0, lower)).unwrap();
    linkage.set_mimic(lower, of(1.0, upper)).unwrap();
    let error = linkage.build().unwrap_err().to_string();
    assert_eq!(error, "the mimic of the joint of upper goes in a circle");
    // Itself.
    let mut linkage = arm();
    linkage.set_mimic(upper, of(1.0, upper)).unwrap();
    assert!(matches!(linkage.build(), Err(Error::Cycle { .. })));
}

#[test]
fn mimics_of_mimics_follow_all_the_way() {
    let mut chain = LinkageBuilder::new("base");
    let mut links = vec![LinkId::ROOT];
    for place in 1..=4 {
        let joint = hinge(&format!("joint {place}"), Vec3::X, 1.0);
        let parent = links[place - 1];
        links.push(
            chain
                .add_link(format!("link {place}"), parent, joint)
                .unwrap(),
        );
        chain
            .add_part(links[place], ball(), Pose::IDENTITY)
            .unwrap();
    }
    // The first follows the second, that the fourth, and the third the first.
    for (link, source, multiplier, offset) in
        [(1, 2, 2.0, 0.5), (2, 4, -1.0, 0.25), (3, 1, 0.5, 0.0)]
    {
        let mimic = Mimic {
            source: links[source],
            multiplier,
            offset,
        };
        chain.set_mimic(links[link], mimic).unwrap();
    }
    let mut chain = Articulation::new(chain.build().unwrap()).unwrap();
    assert_eq!(chain.linkage().freedoms(), 1);
    chain.set_joints(&[0.125]).unwrap();
    let second = -0.125 + 0.25;
    let first = 2.0 * second + 0.5;
    let angles = [first, second, 0.5 * first, 0.125];
    let mut sum = 0.0;
    for (link, angle) in links[1..].iter().zip(angles) {
        sum += angle;
        let up = chain.link_pose(*link).rotate(Vec3::Z);
        assert!(up.distance(Vec3::new(0.0, -f64::sin(sum), f64::cos(sum))) < 1e-14);
    }
}

#[test]
fn links_of_another_linkage_are_refused() {
    let arm = arm();
    let end = arm.link_named("end").unwrap();
    let mut other = LinkageBuilder::new("other");
    assert!(other.add_part(end, ball(), Pose::IDENTITY).is_err());
    assert!(
        other
            .add_link("next", end, hinge("next", Vec3::X, 0.0))
            .is_err()
    );
    assert!(other.allow(end, LinkId::ROOT).is_err());
}
