//! The motion of one side over t in [0, 1]: `"move"`, `"omega"` and `"pivot"`, or `"end"`.

use super::fields::{Fields, in_place, numbers};
use super::{pose, shape};
use impinge::{Motion, Pose, Vec3};
use serde_json::Value;

/// The fields of one side's motion, as they stand in the line.
#[derive(Debug)]
pub(super) struct Given<'v> {
    side: Side,
    translation: Option<&'v Value>,
    turn: Option<&'v Value>,
    pivot: Option<&'v Value>,
    end: Option<&'v Value>,
}

/// The names of the fields, which differ by side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    translation: &'static str,
    turn: &'static str,
    pivot: &'static str,
    end: &'static str,
}

pub(super) const SIDES: [Side; 2] = [
    Side {
        translation: "move_a",
        turn: "omega_a",
        pivot: "pivot_a",
        end: "end_a",
    },
    Side {
        translation: "move_b",
        turn: "omega_b",
        pivot: "pivot_b",
        end: "end_b",
    },
];

impl<'v> Given<'v> {
    /// Takes the fields of a side from a line.
    pub(super) fn take(fields: &mut Fields<'v>, side: Side) -> Given<'v> {
        Given {
            side,
            translation: fields.take(side.translation),
            turn: fields.take(side.turn),
            pivot: fields.take(side.pivot),
            end: fields.take(side.end),
        }
    }

    /// The motion of a shape that starts at a pose.
    pub(super) fn motion(&self, start: Pose, given: &shape::Given) -> Result<Motion, String> {
        let checked = |motion: Result<Motion, impinge::Error>, place: &str| {
            motion.map_err(|error| in_place(place, &error.to_string()))
        };
        let Some(end) = self.end else {
            let translation = vector(self.side.translation, self.translation)?;
            let turn = vector(self.side.turn, self.turn)?;
            let pivot = given.point(vector(self.side.pivot, self.pivot)?);
            let motion = Motion::new(start, translation, turn, pivot);
            return checked(motion, self.side.translation);
        };
        self.refuse_beside_end()?;
        let pose = pose::read(self.side.end, Some(end))?;
        let end = given.pose(pose);
        let end = end.map_err(|error| in_place(self.side.end, &error.to_string()))?;
        checked(Motion::between(start, end), self.side.end)
    }

    fn refuse_beside_end(&self) -> Result<(), String> {
        let others = [
            (self.side.translation, self.translation),
            (self.side.turn, self.turn),
            (self.side.pivot, self.pivot),
        ];
        match others.iter().find(|(_, value)| value.is_some()) {
            None => Ok(()),
            Some((name, _)) => {
                let message = format!("give {} or {name}, not both", self.side.end);
                Err(message)
            }
        }
    }
}

/// Three numbers; zero when they are absent.
fn vector(name: &str, value: Option<&Value>) -> Result<Vec3, String> {
    match value {
        Some(value) => numbers(name, value).map(Vec3::from_array),
        None => Ok(Vec3::ZERO),
    }
}
