//! Motions: one coordinate of a box, and a whole box, as functions of time.

use crate::error::Error;
use crate::exact::algebraic::Poly;
use crate::exact::big::{lowest_exponent, to_integer};
use crate::math::{Aabb, Vec3, require_finite};

/// One coordinate as a polynomial of time: `value + velocity s + half_acceleration s^2` with `s = t - origin`.
///
/// The numbers are meant as they are: all answers are about this polynomial in real arithmetic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Track {
    /// The time that the other numbers are told for.
    pub origin: f64,
    /// The coordinate at that time.
    pub value: f64,
    /// Its velocity at that time.
    pub velocity: f64,
    /// Half of its acceleration.
    pub half_acceleration: f64,
}

/// A number that is off by at most `error`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rough {
    pub(super) value: f64,
    pub(super) error: f64,
}

/// Half the distance from 1 to the next float.
const U: f64 = f64::EPSILON / 2.0;

impl Rough {
    #[inline]
    pub(super) fn minus(self, other: Rough) -> Rough {
        let value = self.value - other.value;
        Rough {
            value,
            error: 1.01 * (self.error + other.error) + f64::EPSILON * value.abs(),
        }
    }
}

impl Track {
    pub(super) fn is_finite(&self) -> bool {
        let numbers = [
            self.origin,
            self.value,
            self.velocity,
            self.half_acceleration,
        ];
        numbers.iter().all(|x| x.is_finite())
    }

    /// The coordinate at every time within `reach` of `t`.
    ///
    /// `s` is off by the reach and one rounding, and the value by that times the largest slope there, and by at most four
    /// roundings of each term; the constants leave room for second order terms, and the last term for underflow.
    #[inline]
    pub(super) fn near(&self, t: f64, reach: f64) -> Rough {
        let (v, a) = (self.velocity, self.half_acceleration);
        let s = t - self.origin;
        let off = reach * (1.0 + 4.0 * U) + 2.0 * U * s.abs();
        let slope = v.abs() + 2.0 * a.abs() * (s.abs() + off);
        let size = self.value.abs() + s.abs() * (v.abs() + s.abs() * a.abs());
        Rough {
            value: self.value + s * (v + s * a),
            error: 1.01 * off * slope + 6.0 * U * size + f64::MIN_POSITIVE,
        }
    }

    /// The velocity at every time within `reach` of `t`.
    #[inline]
    pub(super) fn speed_near(&self, t: f64, reach: f64) -> Rough {
        let (v, a) = (self.velocity, self.half_acceleration);
        let s = t - self.origin;
        let off = reach * (1.0 + 4.0 * U) + 2.0 * U * s.abs();
        let size = v.abs() + 2.0 * s.abs() * a.abs();
        Rough {
            value: v + 2.0 * s * a,
            error: 2.02 * off * a.abs() + 6.0 * U * size + f64::MIN_POSITIVE,
        }
    }

    /// `later - earlier` as a polynomial with integer coefficients: a positive multiple of the difference.
    pub(super) fn difference(later: &Track, earlier: &Track) -> Poly {
        let tracks = [later, earlier];
        let unit = tracks
            .iter()
            .flat_map(|t| [t.value, t.velocity, t.half_acceleration])
            .map(lowest_exponent)
            .min()
            .unwrap_or(0);
        // The origin in units of at most 1, so that each of its factors adds its unit once.
        let time = tracks
            .iter()
            .map(|t| lowest_exponent(t.origin))
            .fold(0, i32::min);
        later
            .in_units(unit, time)
            .minus(&earlier.in_units(unit, time))
    }

    /// The polynomial in units of `2^(unit + 2 time)`.
    fn in_units(&self, unit: i32, time: i32) -> Poly {
        let [value, velocity, half] = [self.value, self.velocity, self.half_acceleration]
            .map(|c| Poly::new(vec![to_integer(c, unit)]));
        let shift = time.unsigned_abs() as usize;
        let one = Poly::new(vec![dashu_int::IBig::ONE << shift]);
        // 2^-time (t - origin).
        let s = Poly::new(vec![
            -to_integer(self.origin, time),
            dashu_int::IBig::ONE << shift,
        ]);
        let terms = [
            value.times(&one).times(&one),
            velocity.times(&s).times(&one),
            half.times(&s).times(&s),
        ];
        terms[0].plus(&terms[1]).plus(&terms[2])
    }
}

/// A corner of a box in motion: where it is at a time, how fast it moves then, and half its acceleration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CornerMotion {
    /// Where the corner is at the reference time of the box.
    pub position: Vec3,
    /// Its velocity at that time.
    pub velocity: Vec3,
    /// Half of its acceleration: the factor of the square of time.
    pub half_acceleration: Vec3,
}

impl CornerMotion {
    fn is_finite(&self) -> bool {
        let parts = [self.position, self.velocity, self.half_acceleration];
        parts.iter().all(|part| part.is_finite())
    }
}

/// A box each of whose two corners moves on a polynomial of time of at most second degree, until some time.
///
/// The corners may move differently, so that the box grows and shrinks; two boxes overlap when no
/// lower corner is beyond the other's upper one, also where the corners of a box have passed each other.
///
/// ```
/// use impinge::{Aabb, Vec3, kinetic::KineticBox};
///
/// let cube = Aabb::new(Vec3::ZERO, Vec3::ONE)?;
/// let thrown = KineticBox::thrown(cube, 2.0, Vec3::new(1.0, 0.0, 3.0), Vec3::Z * -9.81)?;
/// let spinning = KineticBox::around_ball(Vec3::ZERO, 0.5, 2.0, Vec3::X)?.until(4.0)?;
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KineticBox {
    origin: f64,
    lower: CornerMotion,
    upper: CornerMotion,
    until: f64,
}

impl KineticBox {
    /// The box with these corners, whose motions are told for the reference time `at`.
    pub fn new(at: f64, lower: CornerMotion, upper: CornerMotion) -> Result<KineticBox, Error> {
        require_finite(Vec3::splat(at), || {
            "reference time of a moving box".to_owned()
        })?;
        for (corner, name) in [(&lower, "lower"), (&upper, "upper")] {
            if !corner.is_finite() {
                return Err(Error::NonFinite {
                    what: format!("{name} corner of a moving box"),
                });
            }
        }
        Ok(KineticBox {
            origin: at,
            lower,
            upper,
            until: f64::INFINITY,
        })
    }

    /// A box that stays.
    pub fn still(bounds: Aabb) -> Result<KineticBox, Error> {
        KineticBox::moving(bounds, 0.0, Vec3::ZERO)
    }

    /// A box that is here at time `at` and moves steadily.
    pub fn moving(bounds: Aabb, at: f64, velocity: Vec3) -> Result<KineticBox, Error> {
        KineticBox::thrown(bounds, at, velocity, Vec3::ZERO)
    }

    /// A box that is here at time `at` with this velocity, and is accelerated steadily.
    pub fn thrown(
        bounds: Aabb,
        at: f64,
        velocity: Vec3,
        acceleration: Vec3,
    ) -> Result<KineticBox, Error> {
        let corner = |position: Vec3| CornerMotion {
            position,
            velocity,
            half_acceleration: acceleration * 0.5,
        };
        KineticBox::new(at, corner(bounds.min()), corner(bounds.max()))
    }

    /// The box around a ball that moves steadily: it holds whatever turns about the centre within the radius.
    ///
    /// The corners are rounded outward.
    pub fn around_ball(
        center: Vec3,
        radius: f64,
        at: f64,
        velocity: Vec3,
    ) -> Result<KineticBox, Error> {
        if !(radius >= 0.0 && radius.is_finite()) {
            return Err(Error::OutOfRange {
                what: "radius around a turning body".to_owned(),
                value: radius,
                expected: "at least 0 and finite",
            });
        }
        let corner = |position: Vec3| CornerMotion {
            position,
            velocity,
            half_acceleration: Vec3::ZERO,
        };
        let reach = Vec3::splat(radius);
        let lower = (center - reach).map(f64::next_down);
        let upper = (center + reach).map(f64::next_up);
        KineticBox::new(at, corner(lower), corner(upper))
    }

    /// The same motion, known to hold only until some time.
    pub fn until(self, end: f64) -> Result<KineticBox, Error> {
        if end.is_nan() {
            return Err(Error::NonFinite {
                what: "end of a motion".to_owned(),
            });
        }
        Ok(KineticBox { until: end, ..self })
    }

    /// Until when the motion holds; infinite when it does for ever.
    pub fn end(&self) -> f64 {
        self.until
    }

    /// Whether it stays as it is.
    pub(crate) fn is_still(&self) -> bool {
        let is_still =
            |c: &CornerMotion| c.velocity == Vec3::ZERO && c.half_acceleration == Vec3::ZERO;
        is_still(&self.lower) && is_still(&self.upper)
    }

    /// About how long it takes the box to move by its size; infinite when it does not.
    pub(crate) fn time_to_leave(&self) -> f64 {
        let size = (self.upper.position - self.lower.position).length();
        let speed = size / self.lower.velocity.length();
        speed.min((size / self.lower.half_acceleration.length()).sqrt())
    }

    /// The two ends along an axis, the lower first.
    pub(super) fn tracks(&self, axis: usize) -> [Track; 2] {
        [&self.lower, &self.upper].map(|corner| Track {
            origin: self.origin,
            value: corner.position[axis],
            velocity: corner.velocity[axis],
            half_acceleration: corner.half_acceleration[axis],
        })
    }
}
