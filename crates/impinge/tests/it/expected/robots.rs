//! Links of robots at given poses: which of them collide, and how close the others come. Every fifth configuration, or
//! all of them with `IMPINGE_FULL=1`.

use super::meshes::soup;
use super::{answers, list, number, numbers, pose, text};
use impinge::{Placed, Shape, query};
use serde_json::Value;

#[test]
fn expected_robot_links() {
    for robot in ["panda", "solo12", "ur5"] {
        let Some(file) = answers(&format!("expected/robot-{robot}.json")) else {
            return;
        };
        let links: Vec<Shape> = list(&file["geoms"]).iter().map(link).collect();
        let pairs: Vec<[usize; 2]> = list(&file["pairs"]).iter().map(indices).collect();
        let step = if crate::is_full() { 1 } else { 5 };
        let configs = list(&file["configs"]).iter().step_by(step);
        println!("{robot}: {} configurations", configs.len());
        for config in configs {
            check(
                config,
                &links,
                &pairs,
                &format!("{robot} {}", config["config"]),
            );
        }
    }
}

fn link(value: &Value) -> Shape {
    assert!(
        value["scale"].is_null(),
        "these models are used as they are"
    );
    soup(text(&value["file"]), 1.0).into()
}

fn indices(value: &Value) -> [usize; 2] {
    numbers::<2>(value).map(|i| i as usize)
}

fn check(config: &Value, links: &[Shape], pairs: &[[usize; 2]], what: &str) {
    let at =
        |i: usize| -> Placed<'_> { links[i].at(pose(&config["geom_R"][i], &config["geom_t"][i])) };
    let (colliding, free): (Vec<[usize; 2]>, Vec<[usize; 2]>) = pairs
        .iter()
        .partition(|[i, j]| query::intersects(at(*i), at(*j)));
    let expected: Vec<[usize; 2]> = list(&config["colliding"]).iter().map(indices).collect();
    assert_eq!(colliding, expected, "{what}");
    let closest = free
        .iter()
        .map(|[i, j]| query::distance(at(*i), at(*j)).distance)
        .fold(f64::INFINITY, f64::min);
    let distance = number(&config["min_distance_of_free_pairs"]);
    let close = (closest - distance).abs() <= 1e-9 * distance;
    assert!(close, "{what}: {closest}, not {distance}");
}
