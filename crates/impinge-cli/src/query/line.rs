//! One line: a question about two shapes.

use super::answer::Answer;
use super::fields::{Fields, expected, in_place, number, text};
use super::models::Models;
use super::{pose, shape};
use impinge::reference;
use serde_json::Value;
use std::path::Path;

/// The methods that can be named so far.
pub(super) const METHODS: [&str; 1] = ["reference"];

/// What is asked.
enum Question {
    Intersects,
    Within { gap: f64 },
    Distance,
}

/// Answers a line that is valid JSON. Relative paths in it are relative to `folder`.
pub(super) fn answer(line: &Value, folder: &Path, models: &mut Models) -> Result<Answer, String> {
    let mut fields = Fields::of("", line)?;
    // The caller echoes it.
    fields.take("id");
    let question = read_question(&mut fields)?;
    read_method(&mut fields)?;
    let [a, b] = [fields.require("a")?, fields.require("b")?];
    let [pose_a, pose_b] = [fields.take("pose_a"), fields.take("pose_b")];
    fields.finish()?;
    let a = shape::read("a", a, folder, models)?;
    let b = shape::read("b", b, folder, models)?;
    let place = |given: &shape::Given, name: &str, value| {
        let pose = pose::read(name, value)?;
        given.pose(pose).map_err(|e| in_place(name, &e.to_string()))
    };
    let placed_a = a.shape().at(place(&a, "pose_a", pose_a)?);
    let placed_b = b.shape().at(place(&b, "pose_b", pose_b)?);
    let mut answer = Answer::default();
    match question {
        Question::Intersects => answer.intersects = Some(reference::intersects(placed_a, placed_b)),
        Question::Within { gap } => {
            answer.within = Some(reference::within(placed_a, placed_b, gap))
        }
        Question::Distance => {
            answer.separation = Some(reference::distance(placed_a, placed_b).into());
        }
    }
    Ok(answer)
}

fn read_question(fields: &mut Fields<'_>) -> Result<Question, String> {
    let name = text("query", fields.require("query")?)?;
    match name {
        "intersects" => Ok(Question::Intersects),
        "distance" => Ok(Question::Distance),
        "within" => {
            let gap = number("gap", fields.require("gap")?)?;
            if gap < 0.0 {
                return Err(expected("gap", "a number that is not negative"));
            }
            Ok(Question::Within { gap })
        }
        "penetration" | "toi" => Err(format!("query \"{name}\" is not available yet")),
        _ => Err(format!(
            "unknown query \"{name}\", expected one of: intersects, within, distance"
        )),
    }
}

fn read_method(fields: &mut Fields<'_>) -> Result<(), String> {
    let Some(method) = fields.take("method") else {
        return Ok(());
    };
    let name = text("method", method)?;
    if METHODS.contains(&name) {
        return Ok(());
    }
    let known = METHODS.join(", ");
    Err(format!(
        "unknown method \"{name}\", expected one of: {known}"
    ))
}
