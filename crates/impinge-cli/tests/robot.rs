//! The program's `robot` command, run as users run it.
#![allow(missing_docs)]
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// Two bars on a post: the outer one turns through the post.
const CRANE: &str = r#"<robot name="crane">
  <link name="post"><collision><geometry><box size="0.2 0.2 4"/></geometry></collision></link>
  <link name="arm">
    <collision><origin xyz="1 0 0"/><geometry><box size="2 0.2 0.2"/></geometry></collision>
  </link>
  <link name="jib">
    <collision><origin xyz="1.5 0 0"/><geometry><mesh filename="package://crane/bar.obj"/></geometry></collision>
  </link>
  <joint name="shoulder" type="continuous">
    <parent link="post"/><child link="arm"/><axis xyz="0 0 1"/>
  </joint>
  <joint name="elbow" type="continuous">
    <origin xyz="2 0 0.5"/><parent link="arm"/><child link="jib"/><axis xyz="0 0 1"/>
  </joint>
</robot>"#;

const BAR: &str = "v -1.5 -0.1 -0.1\nv 1.5 -0.1 -0.1\nv 1.5 0.1 -0.1\nv -1.5 0.1 -0.1\n\
                   v -1.5 -0.1 0.1\nv 1.5 -0.1 0.1\nv 1.5 0.1 0.1\nv -1.5 0.1 0.1\nf 1 2 3 4\n";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_impinge"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("crane.urdf"), CRANE).unwrap();
    std::fs::create_dir(folder.path().join("meshes")).unwrap();
    std::fs::write(folder.path().join("meshes/bar.obj"), BAR).unwrap();
    folder
}

#[test]
fn collisions_are_counted() {
    let folder = folder();
    let arguments = [
        "robot",
        "crane.urdf",
        "--package",
        "crane=meshes",
        "--configurations",
        "2000",
        "--json",
    ];
    let output = run(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["pairs"], 1);
    assert_eq!(found["freedoms"], 2);
    assert_eq!(
        found["touching"][0]["links"],
        serde_json::json!(["post", "jib"])
    );
    // The jib meets the post when it points back to within about a tenth of a radian to each side.
    let colliding = found["colliding"].as_u64().unwrap();
    assert!((30..=130).contains(&colliding), "{found}");
    assert_eq!(found["touching"][0]["count"], colliding);

    let output = run(folder.path(), &arguments[..6]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("post with jib"), "{text}");
}

#[test]
fn pairs_of_an_srdf_file_are_left_out() {
    let folder = folder();
    let srdf = r#"<robot name="crane"><disable_collisions link1="jib" link2="post"/></robot>"#;
    std::fs::write(folder.path().join("crane.srdf"), srdf).unwrap();
    let package = ["--package", "crane=meshes"];
    let arguments = ["robot", "crane.urdf", "--srdf", "crane.srdf", "--json"];
    let output = run(folder.path(), &[&arguments[..], &package].concat());
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&found["pairs"], &found["colliding"]),
        (&0.into(), &0.into())
    );
}

#[test]
fn errors_name_file_line_and_element() {
    let folder = folder();
    let output = run(folder.path(), &["robot", "crane.urdf"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("crane.urdf:7: <mesh>") && text.contains("package crane"),
        "{text}"
    );
    let output = run(folder.path(), &["robot", "nothing.urdf"]);
    assert_eq!(output.status.code(), Some(1));
    let output = run(
        folder.path(),
        &["robot", "crane.urdf", "--package", "crane"],
    );
    assert_eq!(output.status.code(), Some(2));
}
