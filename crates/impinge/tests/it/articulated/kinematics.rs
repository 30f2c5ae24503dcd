//! Poses from joint positions, against points that are sent through the joints one after the other.

use super::{positions, sample};
use crate::cases::rng;
use crate::shapes::kinds::{Family, point};
use impinge::articulated::{JointKind, LinkId, Linkage, PartId};
use impinge::{Articulation, Pose, Quat, Vec3};
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

/// Turned about an axis, after Rodrigues.
fn turned(p: Vec3, axis: Vec3, angle: f64) -> Vec3 {
    let (sin, cos) = angle.sin_cos();
    p * cos + axis.cross(p) * sin + axis * axis.dot(p) * (1.0 - cos)
}

/// The numbers of the joint of a link, found by counting the joints before it.
fn numbers(linkage: &Linkage, link: LinkId, all: &[f64]) -> Vec<f64> {
    if let Some(mimic) = linkage.link(link).mimic() {
        let followed = numbers(linkage, mimic.source, all)[0];
        return vec![mimic.multiplier * followed + mimic.offset];
    }
    let before = linkage.links()[..link.index()].iter();
    let own = before.filter(|link| link.mimic().is_none());
    let counts = own.filter_map(|link| Some(link.joint()?.kind().freedoms()));
    let first = counts.sum::<usize>();
    let count = linkage.link(link).joint().unwrap().kind().freedoms();
    all[first..first + count].to_vec()
}

fn through_joint(kind: &JointKind, n: &[f64], p: Vec3) -> Vec3 {
    match kind {
        JointKind::Fixed => p,
        JointKind::Revolute { axis } => turned(p, *axis, n[0]),
        JointKind::Prismatic { axis } => p + *axis * n[0],
        JointKind::Planar { normal } => {
            let axis = Vec3::Z.cross(*normal).normalize();
            let angle = normal.z.acos();
            let [x, y] = [Vec3::X, Vec3::Y].map(|v| turned(v, axis, angle));
            turned(p, *normal, n[2]) + x * n[0] + y * n[1]
        }
        JointKind::Floating => {
            let turn = Quat::from_xyzw(n[3], n[4], n[5], n[6]);
            turn * p + Vec3::new(n[0], n[1], n[2])
        }
    }
}

fn placed(body: &Articulation, part: PartId, p: Vec3) -> Vec3 {
    let linkage = body.linkage();
    let part = linkage.part(part);
    let (mut link, mut p) = (part.link(), part.pose().place(p));
    while let Some(parent) = linkage.link(link).parent() {
        let joint = linkage.link(link).joint().unwrap();
        let moved = through_joint(joint.kind(), &numbers(linkage, link, body.joints()), p);
        p = joint.origin().place(moved);
        link = parent;
    }
    body.base().place(p)
}

#[test]
fn points_go_where_the_joints_send_them() {
    let mut rng = rng(11);
    for _ in 0..200 {
        let linkage = Arc::new(sample(&mut rng, Family::Random).linkage);
        let mut body = Articulation::new(linkage.clone()).unwrap();
        for turn in 0..3 {
            body.set_joints(&positions(&mut rng, &linkage)).unwrap();
            if turn > 0 {
                body.set_base(super::pose(&mut rng, Family::Random, 5.0))
                    .unwrap();
            }
            for part in linkage.part_ids() {
                let p = point(&mut rng);
                let expected = placed(&body, part, p);
                let pose = body.part_poses()[part.index()];
                assert!(pose.place(p).distance(expected) < 1e-12, "{linkage:?}");
                assert!(pose.deviation() < 1e-13);
            }
        }
    }
}

#[test]
fn a_chain_at_its_limits_ends_where_it_should() {
    let mut chain = impinge::LinkageBuilder::new("base");
    let ball = impinge::Shape::sphere(0.25).unwrap();
    let mut end = LinkId::ROOT;
    for place in 0..4 {
        let joint = super::hinge(&format!("hinge {place}"), Vec3::Y, 1.0);
        let joint = joint.with_limits([-FRAC_PI_2, FRAC_PI_2]).unwrap();
        end = chain.add_link(format!("link {place}"), end, joint).unwrap();
    }
    chain
        .add_part(end, ball, Pose::from_translation(Vec3::Z).unwrap())
        .unwrap();
    let mut chain = Articulation::new(chain.build().unwrap()).unwrap();
    // A quarter turn at each joint: up, across, down, back, up.
    let limits: Vec<f64> = chain
        .linkage()
        .driven_joints()
        .map(|j| j.limits().unwrap()[1])
        .collect();
    chain.set_joints(&limits).unwrap();
    assert!(chain.part_poses()[0].translation().distance(Vec3::Z) < 1e-15);
    // Beyond the limits is a position like any other.
    chain.set_joints(&[PI, 0.0, 0.0, 0.0]).unwrap();
    assert!(chain.part_poses()[0].translation().distance(Vec3::Z * -3.0) < 1e-14);
}

#[test]
fn rest_is_the_sum_of_the_origins() {
    let mut rng = rng(12);
    for _ in 0..50 {
        let linkage = sample(&mut rng, Family::Random).linkage;
        let body = Articulation::new(linkage).unwrap();
        let rest = body.linkage().rest();
        assert_eq!(body.joints(), rest);
        let mut again = body.clone();
        again.set_joints(&rest).unwrap();
        assert_eq!(again.part_poses(), body.part_poses());
    }
}
