//! POSE: `{"t": [x,y,z], "q": [x,y,z,w]}` or `{"t": [x,y,z], "r": [nine numbers, row by row]}`, each part optional.

use super::fields::{Fields, in_place, numbers};
use impinge::{Mat3, Pose, Quat, Vec3};
use serde_json::Value;

/// Reads a pose; an absent one is the identity.
pub(crate) fn read(place: &str, value: Option<&Value>) -> Result<Pose, String> {
    let Some(value) = value else {
        return Ok(Pose::IDENTITY);
    };
    let mut fields = Fields::of(place, value)?;
    let translation = match fields.take("t") {
        Some(t) => Vec3::from_array(numbers(&fields.path("t"), t)?),
        None => Vec3::ZERO,
    };
    let (quaternion, matrix) = (fields.take("q"), fields.take("r"));
    let pose = match (quaternion, matrix) {
        (None, None) => Pose::from_translation(translation),
        (Some(q), None) => {
            let q = Quat::from_array(numbers(&fields.path("q"), q)?);
            Pose::from_quat(q, translation)
        }
        (None, Some(r)) => {
            let rows: [f64; 9] = numbers(&fields.path("r"), r)?;
            Pose::from_matrix(Mat3::from_cols_array(&rows).transpose(), translation)
        }
        (Some(_), Some(_)) => {
            return Err(in_place(place, "give \"q\" or \"r\", not both"));
        }
    };
    fields.finish()?;
    pose.map_err(|error| in_place(place, &error.to_string()))
}
