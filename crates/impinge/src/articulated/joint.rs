//! Joints: how a link may move against the link it hangs on.

use crate::error::Error;
use crate::math::{Mat3, Pose, Quat, Unmeasured, Vec3, require_finite};

/// What a joint lets a link do, and how many numbers say where it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JointKind {
    /// Nothing: no number.
    Fixed,
    /// Turning about an axis: the angle in radians. Without limits it is what others call continuous.
    Revolute {
        /// The axis, of any length but zero, in the frame of the joint.
        axis: Vec3,
    },
    /// Sliding along an axis: how far.
    Prismatic {
        /// The axis, of any length but zero, in the frame of the joint.
        axis: Vec3,
    },
    /// Sliding in a plane and turning in it: two lengths and an angle. The lengths are along what the x and y axes become
    /// when z is turned to the normal by the shortest way.
    Planar {
        /// What the plane is perpendicular to, of any length but zero, in the frame of the joint.
        normal: Vec3,
    },
    /// Everything: a translation and a unit quaternion, as x, y, z and x, y, z, w.
    Floating,
}

impl JointKind {
    /// How many numbers a position is.
    pub fn freedoms(&self) -> usize {
        match self {
            JointKind::Fixed => 0,
            JointKind::Revolute { .. } | JointKind::Prismatic { .. } => 1,
            JointKind::Planar { .. } => 3,
            JointKind::Floating => 7,
        }
    }

    fn with_unit_axis(self, name: &str) -> Result<JointKind, Error> {
        let unit = |axis: Vec3| {
            require_finite(axis, || format!("axis of joint {name}"))?;
            // Divided first, so that squares neither overflow nor vanish.
            let direction = (axis / axis.abs().max_element()).try_normalize();
            direction.ok_or_else(|| Error::OutOfRange {
                what: format!("length of the axis of joint {name}"),
                value: 0.0,
                expected: "more than 0",
            })
        };
        Ok(match self {
            JointKind::Fixed | JointKind::Floating => self,
            JointKind::Revolute { axis } => JointKind::Revolute { axis: unit(axis)? },
            JointKind::Prismatic { axis } => JointKind::Prismatic { axis: unit(axis)? },
            JointKind::Planar { normal } => JointKind::Planar {
                normal: unit(normal)?,
            },
        })
    }
}

/// A joint between a link and the link it hangs on.
///
/// ```
/// # use impinge::{Pose, Vec3, articulated::{Joint, JointKind}};
/// let origin = Pose::from_translation(Vec3::X)?;
/// let knee = Joint::new("knee", JointKind::Revolute { axis: Vec3::Y }, origin)?.with_limits([0.0, 2.5])?;
/// assert_eq!(knee.limits(), Some([0.0, 2.5]));
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    name: String,
    kind: JointKind,
    origin: Pose,
    limits: Option<[f64; 2]>,
    turning: Turning,
}

/// What turning about an axis of unit length adds to the matrix of the frame: `level * (1 - cos) + aside * sin`.
///
/// That is Rodrigues' formula, multiplied by the frame from the left once and for all.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Turning {
    level: Mat3,
    aside: Mat3,
}

impl Turning {
    fn new(frame: &Mat3, axis: Vec3) -> Turning {
        let along = Mat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
        let across = [Vec3::X, Vec3::Y, Vec3::Z].map(|unit| axis.cross(unit));
        Turning {
            level: *frame * (along - Mat3::IDENTITY),
            aside: *frame * Mat3::from_cols(across[0], across[1], across[2]),
        }
    }

    /// The frame, turned by an angle; exactly the frame for 0.
    #[inline(always)]
    fn turn(&self, frame: &Mat3, angle: f64) -> Mat3 {
        let (sin, cos) = angle.sin_cos();
        let rest = 1.0 - cos;
        let column = |frame: Vec3, level: Vec3, aside: Vec3| frame + (level * rest + aside * sin);
        let Turning { level, aside } = self;
        Mat3::from_cols(
            column(frame.x_axis, level.x_axis, aside.x_axis),
            column(frame.y_axis, level.y_axis, aside.y_axis),
            column(frame.z_axis, level.z_axis, aside.z_axis),
        )
    }
}

impl Joint {
    /// A joint whose frame has a pose in the frame of the link it hangs on. At position 0 the frame of the link is that of
    /// the joint. Fails for an axis of length zero.
    pub fn new(name: impl Into<String>, kind: JointKind, origin: Pose) -> Result<Joint, Error> {
        let name = name.into();
        let kind = kind.with_unit_axis(&name)?;
        let axis = match kind {
            JointKind::Revolute { axis } => axis,
            JointKind::Planar { normal } => normal,
            JointKind::Fixed | JointKind::Prismatic { .. } | JointKind::Floating => Vec3::Z,
        };
        Ok(Joint {
            name,
            kind,
            origin,
            limits: None,
            turning: Turning::new(origin.matrix(), axis),
        })
    }

    /// The same joint with a range for its position. Fails when it is not one number that says where the joint is, or when
    /// the range is empty.
    ///
    /// The range is for those who choose positions; positions outside are not refused.
    pub fn with_limits(self, [lower, upper]: [f64; 2]) -> Result<Joint, Error> {
        let what = || format!("limits of joint {}", self.name);
        if !(lower.is_finite() && upper.is_finite()) {
            return Err(Error::NonFinite { what: what() });
        }
        if self.kind.freedoms() != 1 {
            return Err(Error::WrongCount {
                what: format!("freedoms of joint {} with limits", self.name),
                count: self.kind.freedoms(),
                expected: 1,
            });
        }
        if lower > upper {
            return Err(Error::OutOfRange {
                what: format!("lower of the {}", what()),
                value: lower,
                expected: "at most the upper one",
            });
        }
        Ok(Joint {
            limits: Some([lower, upper]),
            ..self
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it lets the link do; axes have unit length.
    pub fn kind(&self) -> &JointKind {
        &self.kind
    }

    /// Its frame in the frame of the link it hangs on.
    pub fn origin(&self) -> &Pose {
        &self.origin
    }

    /// The range for its position, if it has one.
    pub fn limits(&self) -> Option<[f64; 2]> {
        self.limits
    }

    /// The frame of the link in the frame of the link it hangs on, at a position of [`JointKind::freedoms`] finite numbers.
    #[inline(always)]
    pub(super) fn at(&self, position: &[f64]) -> Result<Unmeasured, Error> {
        let (frame, translation) = (self.origin.matrix(), self.origin.translation());
        let unturned = |translation: Vec3| Unmeasured {
            matrix: *frame,
            translation,
        };
        Ok(match (self.kind, position) {
            (JointKind::Revolute { .. }, [angle]) => Unmeasured {
                matrix: self.turning.turn(frame, *angle),
                translation,
            },
            (JointKind::Prismatic { axis }, [length]) => unturned(self.moved(axis * *length)?),
            (JointKind::Planar { normal }, [x, y, angle]) => {
                let plane = Quat::from_rotation_arc(Vec3::Z, normal);
                Unmeasured {
                    matrix: self.turning.turn(frame, *angle),
                    translation: self.moved(plane * Vec3::new(*x, *y, 0.0))?,
                }
            }
            (JointKind::Floating, [x, y, z, qx, qy, qz, qw]) => {
                let turn = Quat::from_xyzw(*qx, *qy, *qz, *qw);
                let pose = Pose::from_quat(turn, Vec3::new(*x, *y, *z))?;
                self.origin.compose_unmeasured(&pose.unmeasured())
            }
            _ => unturned(translation),
        })
    }

    /// The origin of the frame, moved in the frame.
    #[inline(always)]
    fn moved(&self, shift: Vec3) -> Result<Vec3, Error> {
        require_finite(shift, || "translation".to_owned())?;
        Ok(self.origin.place(shift))
    }
}

/// A joint that follows another one: its position is `multiplier * position + offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mimic {
    /// The link whose joint it follows.
    pub source: super::LinkId,
    /// What the other position is multiplied by.
    pub multiplier: f64,
    /// What is added.
    pub offset: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames() -> [Pose; 3] {
        let turned = |axis, angle| Pose::from_axis_angle(axis, angle, Vec3::new(0.1, -2.0, 7.0));
        [
            Pose::IDENTITY,
            turned(Vec3::X, -1.5).unwrap(),
            turned(Vec3::new(1.0, -3.0, 0.5), 2.5).unwrap(),
        ]
    }

    /// The matrix is the product of the frame and of what the joint does, and of a rotation as good as that.
    #[test]
    fn turns_are_those_of_matrices() {
        for origin in frames() {
            for axis in [Vec3::Z, -Vec3::X, Vec3::new(0.3, -0.4, 2.0)] {
                let joint = Joint::new("j", JointKind::Revolute { axis }, origin).unwrap();
                for angle in [-7.0, -0.5, 1e-9, 1.0, std::f64::consts::FRAC_PI_2, 3.0] {
                    let moved = Pose::from_axis_angle(axis, angle, Vec3::ZERO).unwrap();
                    let expected = origin.compose(&moved);
                    let found = joint.at(&[angle]).unwrap().measure();
                    let off = (*found.matrix() - *expected.matrix()).to_cols_array();
                    assert!(off.iter().all(|x| x.abs() < 1e-15), "{axis} {angle}");
                    assert_eq!(found.translation(), expected.translation());
                    assert!(found.deviation() < 2e-15, "{}", found.deviation());
                }
            }
        }
    }

    /// At position 0 the frame of the link is that of the joint, to the last bit.
    #[test]
    fn at_rest_the_frame_is_that_of_the_joint() {
        let axis = Vec3::new(0.3, -0.4, 2.0);
        for origin in frames() {
            for (kind, position) in [
                (JointKind::Revolute { axis }, vec![0.0]),
                (JointKind::Prismatic { axis }, vec![0.0]),
                (JointKind::Planar { normal: axis }, vec![0.0; 3]),
                (JointKind::Fixed, vec![]),
            ] {
                let joint = Joint::new("j", kind, origin).unwrap();
                assert_eq!(joint.at(&position).unwrap().measure(), origin, "{kind:?}");
            }
        }
    }

    #[test]
    fn slides_are_those_of_poses() {
        let axis = Vec3::new(0.6, 0.0, -0.8);
        for origin in frames() {
            let joint = Joint::new("j", JointKind::Prismatic { axis }, origin).unwrap();
            let JointKind::Prismatic { axis } = *joint.kind() else {
                panic!("it slides")
            };
            let moved = Pose::from_translation(axis * 0.7).unwrap();
            let found = joint.at(&[0.7]).unwrap().measure();
            assert_eq!(found, origin.compose(&moved));
            assert!(joint.at(&[f64::INFINITY]).is_err());
        }
    }
}
