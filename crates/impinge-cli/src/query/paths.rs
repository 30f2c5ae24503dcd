//! `"vertex-face"` and `"edge-edge"`: features whose points move from `"start"` to `"end"`, each on a straight path.

use super::answer::{Answer, Touch};
use super::fields::{Fields, expected, in_place, list, numbers, text};
use super::line::{read_tolerance, unknown_method};
use impinge::query::{self, Method};
use impinge::{Error, Vec3};
use serde_json::Value;

type Ask = fn(&[Vec3; 4], &[Vec3; 4], f64) -> Result<Option<query::PathImpact>, Error>;

/// The test of this name, if it is one.
pub(super) fn named(query: &str) -> Option<Ask> {
    match query {
        "vertex-face" => Some(query::vertex_face_impact),
        "edge-edge" => Some(query::edge_edge_impact),
        _ => None,
    }
}

/// Answers a line whose query, and id, have been taken.
pub(super) fn answer(ask: Ask, mut fields: Fields<'_>) -> Result<(Answer, &'static str), String> {
    let name = Method::Default.name();
    if let Some(method) = fields.take("method") {
        let method = text("method", method)?;
        if method != name {
            return Err(unknown_method(method, &[name]));
        }
    }
    let start = points("start", fields.require("start")?)?;
    let end = points("end", fields.require("end")?)?;
    let tolerance = read_tolerance(&mut fields)?;
    fields.finish()?;
    let found = ask(&start, &end, tolerance).map_err(|error| error.to_string())?;
    Ok((Answer::Touch(Touch::from(found)), name))
}

fn points(place: &str, value: &Value) -> Result<[Vec3; 4], String> {
    let points = list(place, value, |place, point| {
        numbers(place, point).map(Vec3::from_array)
    })?;
    let four = <[Vec3; 4]>::try_from(points);
    four.map_err(|points| {
        let message = format!("there are {} points", points.len());
        in_place(&expected(place, "a list of 4 points"), &message)
    })
}
