//! Robots from text: what is read, and what is wrong with the rest.

use impinge::articulated::urdf::{allow_by_srdf, parse};
use impinge::articulated::{JointKind, Linkage};
use impinge::{Articulation, Error, Shape, Vec3};
use std::f64::consts::FRAC_PI_2;
use std::path::Path;

fn read(text: &str) -> Result<Linkage, Error> {
    let tetrahedron = |name: &str| match name {
        "tetrahedron.stl" => Ok(vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]),
        "flat.stl" => Ok(vec![Vec3::ZERO, Vec3::X, Vec3::Y]),
        _ => Err(format!("no file {name}")),
    };
    parse(text, Path::new("robot.urdf"), tetrahedron)?.build()
}

/// A robot of some elements around a base with a box.
fn with(elements: &str) -> String {
    format!(
        "<robot name=\"r\">\n<link name=\"base\"><collision><geometry><box size=\"2 4 6\"/></geometry></collision></link>\n\
         {elements}\n</robot>"
    )
}

fn joint(inner: &str) -> String {
    with(&format!(
        "<link name=\"end\"/>\n<joint name=\"j\" {inner}<parent link=\"base\"/><child link=\"end\"/></joint>"
    ))
}

#[test]
fn shapes_are_what_they_are() {
    let robot = read(&with(
        r#"<link name="all">
            <visual><geometry><mesh filename="passed over"/></geometry></visual>
            <collision><geometry><sphere radius="0.5"/></geometry></collision>
            <collision><geometry><cylinder radius="0.5" length="3"/></geometry></collision>
            <collision><geometry><capsule radius="0.25" length="1"/></geometry></collision>
            <collision><geometry><mesh filename="tetrahedron.stl" scale="1 -2 1e1"/></geometry></collision>
            <collision><geometry><mesh filename="tetrahedron.stl"/></geometry></collision>
            <collision><geometry><mesh filename="tetrahedron.stl"/></geometry></collision>
        </link>
        <joint name="j" type="fixed"><parent link="base"/><child link="all"/></joint>
        <gazebo/><transmission name="t"/>"#,
    ))
    .unwrap();
    let shapes: Vec<&Shape> = robot.parts().iter().map(|part| part.shape()).collect();
    assert!(matches!(shapes[0], Shape::Cuboid(c) if c.half_size() == Vec3::new(1.0, 2.0, 3.0)));
    assert!(matches!(shapes[1], Shape::Sphere(s) if s.radius() == 0.5));
    assert!(matches!(shapes[2], Shape::Cylinder(c) if (c.half_height(), c.radius()) == (1.5, 0.5)));
    assert!(matches!(shapes[3], Shape::Capsule(c) if (c.half_height(), c.radius()) == (0.5, 0.25)));
    let scaled = shapes[4].as_polytope().unwrap();
    assert!(scaled.vertices().contains(&Vec3::new(0.0, -2.0, 0.0)));
    assert!(scaled.vertices().contains(&Vec3::new(0.0, 0.0, 10.0)));
    // One hull for both.
    let [Shape::Polytope(a), Shape::Polytope(b)] = [shapes[5], shapes[6]] else {
        panic!("meshes become hulls");
    };
    assert!(std::sync::Arc::ptr_eq(a, b));
}

#[test]
fn joints_are_read_with_limits_axes_and_origins() {
    let robot = read(&with(
        r#"<link name="a"/><link name="b"/><link name="c"/><link name="d"/>
        <joint name="second" type="prismatic">
            <parent link="a"/><child link="b"/><axis xyz="0 0 2"/><limit upper="0.5"/>
            <mimic joint="third" multiplier="-2" offset="0.25"/>
        </joint>
        <joint name="first" type="revolute">
            <origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>
            <parent link="base"/><child link="a"/><limit lower="-1" upper="2" effort="5" velocity="1"/>
        </joint>
        <joint name="third" type="continuous"><parent link="b"/><child link="c"/></joint>
        <joint name="fourth" type="planar"><parent link="b"/><child link="d"/><axis xyz="0 1 0"/></joint>"#,
    ))
    .unwrap();
    let names: Vec<&str> = robot.links().iter().map(|link| link.name()).collect();
    assert_eq!(names, ["base", "a", "b", "c", "d"]);
    let driven: Vec<&str> = robot.driven_joints().map(|joint| joint.name()).collect();
    assert_eq!(driven, ["first", "third", "fourth"]);
    let limits: Vec<_> = robot.links()[1..]
        .iter()
        .map(|link| link.joint().unwrap().limits())
        .collect();
    assert_eq!(limits, [Some([-1.0, 2.0]), Some([0.0, 0.5]), None, None]);
    assert_eq!(
        robot.links()[2].joint().unwrap().kind(),
        &JointKind::Prismatic { axis: Vec3::Z }
    );

    let b = robot.link_named("b").unwrap();
    let mut robot = Articulation::new(robot).unwrap();
    // First about x by a quarter, then along z by 0.25 - 2 * 0.125; the origin turns x to y.
    robot.set_joints(&[FRAC_PI_2, 0.25, 0.0, 0.0, 0.0]).unwrap();
    let pose = robot.link_pose(b);
    assert!(pose.translation().distance(Vec3::new(1.0 - 0.25, 2.0, 3.0)) < 1e-15);
    assert!(pose.rotate(Vec3::X).distance(Vec3::Y) < 1e-15);
}

#[test]
fn errors_name_line_and_element() {
    let fixed = |elements: &str| with(elements);
    for (text, expected) in [
        ("<robot".to_owned(), "robot.urdf:1: not well-formed XML"),
        ("<root/>".to_owned(), "robot.urdf:1: <root>: expected <robot>"),
        ("<robot name=\"r\"/>".to_owned(), "robot.urdf:1: <robot> \"r\": there are no links"),
        (fixed("<link/>"), "robot.urdf:3: <link>: the attribute name is missing"),
        (fixed("<link name=\"base\"/>"), "robot.urdf:3: <link> \"base\": there is another link"),
        (fixed("<link name=\"x\"/>"), "robot.urdf:3: <link> \"x\": it hangs on no other link"),
        (joint("type=\"ball\">"), "robot.urdf:4: <joint> \"j\": unknown type \"ball\""),
        (joint(">"), "robot.urdf:4: <joint> \"j\": the attribute type is missing"),
        (joint("type=\"revolute\">"), "robot.urdf:4: <joint> \"j\": there is no <limit>"),
        (joint("type=\"revolute\"><limit lower=\"1\"/>"), "robot.urdf:4: <limit>: lower of the limits of joint j is 1"),
        (joint("type=\"revolute\"><limit lower=\"NaN\"/>"), "robot.urdf:4: <limit>: lower=\"NaN\" is not a finite number"),
        (joint("type=\"continuous\"><axis xyz=\"0 0 0\"/>"), "robot.urdf:4: <joint> \"j\": length of the axis"),
        (joint("type=\"continuous\"><axis xyz=\"1 0\"/>"), "robot.urdf:4: <axis>: xyz=\"1 0\" is not three numbers"),
        (joint("type=\"fixed\"><origin xyz=\"0 0 x\"/>"), "robot.urdf:4: <origin>: xyz=\"x\" is not a finite number"),
        (joint("type=\"fixed\"><mimic joint=\"j\"/>"), "robot.urdf:4: <mimic>: 0 freedoms"),
        (joint("type=\"continuous\"><mimic joint=\"k\"/>"), "robot.urdf:4: <mimic>: there is no joint \"k\""),
        (joint("type=\"continuous\"><mimic joint=\"j\"/>"), "the mimic of the joint of end goes in a circle"),
        (
            fixed("<joint name=\"j\" type=\"fixed\"><parent link=\"base\"/><child link=\"y\"/></joint>"),
            "robot.urdf:3: <child>: there is no link \"y\"",
        ),
        (
            fixed("<link name=\"x\"><collision><geometry/></collision></link>\n<joint name=\"j\" type=\"fixed\"><parent link=\"base\"/><child link=\"x\"/></joint>"),
            "robot.urdf:3: <geometry>: it is empty",
        ),
        (
            "<robot name=\"r\"><link name=\"x\"><collision><geometry><mesh filename=\"flat.stl\"/></geometry></collision></link></robot>".to_owned(),
            "robot.urdf:1: <mesh>: flat.stl: all 3 points lie in one plane",
        ),
        (
            "<robot name=\"r\"><link name=\"x\"><collision><geometry><mesh filename=\"gone.stl\"/></geometry></collision></link></robot>".to_owned(),
            "robot.urdf:1: <mesh>: no file gone.stl",
        ),
        (
            "<robot name=\"r\"><link name=\"x\"><collision><geometry><box size=\"1 -1 1\"/></geometry></collision></link></robot>".to_owned(),
            "robot.urdf:1: <box>:",
        ),
        (
            "<robot name=\"r\" xmlns:xacro=\"http://ros.org/wiki/xacro\">\n<xacro:include filename=\"x\"/></robot>".to_owned(),
            "robot.urdf:2: <include>: xacro has to be expanded",
        ),
        ("<robot name=\"r\"><link name=\"x\"/></robot>".to_owned(), "empty articulated body"),
    ] {
        let error = read(&text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}\nexpected {expected}");
    }
}

#[test]
fn circles_of_links_are_refused() {
    let circle = r#"<link name="a"/><link name="b"/>
        <joint name="ab" type="fixed"><parent link="a"/><child link="b"/></joint>
        <joint name="ba" type="fixed"><parent link="b"/><child link="a"/></joint>"#;
    let error = read(&with(circle)).unwrap_err().to_string();
    assert!(error.contains("in a circle"), "{error}");
    let error = read(&format!("<robot name=\"r\">{circle}</robot>"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("in a circle"), "{error}");
    let twice = r#"<link name="a"/>
        <joint name="one" type="fixed"><parent link="base"/><child link="a"/></joint>
        <joint name="two" type="fixed"><parent link="base"/><child link="a"/></joint>"#;
    let error = read(&with(twice)).unwrap_err().to_string();
    assert!(
        error.contains("<joint> \"two\": its child hangs by another joint"),
        "{error}"
    );
    let itself =
        r#"<joint name="one" type="fixed"><parent link="base"/><child link="base"/></joint>"#;
    assert!(read(&with(itself)).is_err());
}

/// Links in a row, each joint following another one, or none.
fn chain(count: usize, followed: impl Fn(usize) -> Option<usize>) -> String {
    let mut elements = String::new();
    for k in 1..=count {
        let parent = if k == 1 {
            "base".to_owned()
        } else {
            format!("l{}", k - 1)
        };
        let mimic = followed(k).map_or(String::new(), |k| format!("<mimic joint=\"j{k}\"/>"));
        elements += &format!(
            "<link name=\"l{k}\"/><joint name=\"j{k}\" type=\"continuous\">\
             <parent link=\"{parent}\"/><child link=\"l{k}\"/>{mimic}</joint>\n"
        );
    }
    with(&elements)
}

#[test]
fn long_chains_of_links_and_of_mimics_are_read() {
    let count = 20_000;
    assert_eq!(read(&chain(count, |_| None)).unwrap().freedoms(), count);
    let next = |k: usize| (k < count).then_some(k + 1);
    let robot = read(&chain(count, next)).unwrap();
    assert_eq!(robot.freedoms(), 1);
    assert!(Articulation::new(robot).unwrap().set_joints(&[0.5]).is_ok());
    let error = read(&chain(count, |k| Some(k % count + 1))).unwrap_err();
    assert!(matches!(error, Error::Cycle { .. }), "{error}");
}

#[test]
fn srdf_tells_what_may_meet() {
    let text = with(
        r#"<link name="a"><collision><geometry><sphere radius="1"/></geometry></collision></link>
        <link name="b"><collision><geometry><sphere radius="1"/></geometry></collision></link>
        <joint name="one" type="continuous"><parent link="base"/><child link="a"/></joint>
        <joint name="two" type="continuous"><parent link="a"/><child link="b"/></joint>"#,
    );
    let build = |srdf: &str| {
        let none = |_: &str| Err(String::new());
        let mut builder = parse(&text, Path::new("r.urdf"), none).unwrap();
        allow_by_srdf(&mut builder, srdf, Path::new("r.srdf"))?;
        builder.build()
    };
    let contacts = |linkage: Linkage| Articulation::new(linkage).unwrap().self_contacts().len();
    assert_eq!(contacts(build("<robot/>").unwrap()), 1);
    let known = r#"<robot><disable_collisions link1="b" link2="base" reason="x"/><group name="g"/></robot>"#;
    assert_eq!(contacts(build(known).unwrap()), 0);
    let foreign = r#"<robot><disable_collisions link1="b" link2="tool"/></robot>"#;
    assert_eq!(contacts(build(foreign).unwrap()), 1);
    for bad in [
        r#"<robot><disable_collisions link1="b"/></robot>"#,
        r#"<robot><enable_collisions link1="b" link2="a"/></robot>"#,
        "<robot>",
    ] {
        let error = build(bad).unwrap_err().to_string();
        assert!(error.starts_with("r.srdf:1: "), "{error}");
    }
}
