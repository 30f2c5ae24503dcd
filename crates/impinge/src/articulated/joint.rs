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
}

impl Joint {
    /// A joint whose frame has a pose in the frame of the link it hangs on. At position 0 the frame of the link is that of
    /// the joint. Fails for an axis of length zero.
    pub fn new(name: impl Into<String>, kind: JointKind, origin: Pose) -> Result<Joint, Error> {
        let name = name.into();
        let kind = kind.with_unit_axis(&name)?;
        Ok(Joint {
            name,
            kind,
            origin,
            limits: None,
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
        let moved = match (self.kind, position) {
            (JointKind::Revolute { axis }, [angle]) => turned(axis, *angle, Vec3::ZERO),
            (JointKind::Prismatic { axis }, [length]) => {
                Pose::from_translation(axis * *length)?.unmeasured()
            }
            (JointKind::Planar { normal }, [x, y, angle]) => {
                let plane = Quat::from_rotation_arc(Vec3::Z, normal);
                let shift = plane * Vec3::new(*x, *y, 0.0);
                require_finite(shift, || "translation".to_owned())?;
                turned(normal, *angle, shift)
            }
            (JointKind::Floating, [x, y, z, qx, qy, qz, qw]) => {
                let turn = Quat::from_xyzw(*qx, *qy, *qz, *qw);
                Pose::from_quat(turn, Vec3::new(*x, *y, *z))?.unmeasured()
            }
            _ => return Ok(self.origin.unmeasured()),
        };
        Ok(self.origin.compose_unmeasured(&moved))
    }
}

/// Turned about an axis of unit length by a finite angle, which is a rotation up to rounding, then moved.
#[inline]
fn turned(axis: Vec3, angle: f64, translation: Vec3) -> Unmeasured {
    Unmeasured {
        matrix: Mat3::from_axis_angle(axis, angle),
        translation,
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
