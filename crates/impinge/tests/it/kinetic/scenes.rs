//! Random scenes: boxes that move, turn, come and go.

use impinge::Vec3;
use impinge::kinetic::{CornerMotion, KineticBox};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A moving box as plain numbers: by corner, position, velocity and half the acceleration.
#[derive(Clone, Debug)]
pub(crate) struct Box6 {
    pub(crate) origin: f64,
    pub(crate) corners: [[Vec3; 3]; 2],
}

impl Box6 {
    pub(crate) fn motion(&self) -> KineticBox {
        let [lower, upper] =
            self.corners
                .map(|[position, velocity, half_acceleration]| CornerMotion {
                    position,
                    velocity,
                    half_acceleration,
                });
        KineticBox::new(self.origin, lower, upper).unwrap()
    }

    /// From where this one is at a time, rounded, on with the speed of another.
    pub(crate) fn steered(&self, time: f64, like: &Box6) -> Box6 {
        let s = time - self.origin;
        let corners = [0, 1].map(|corner| {
            let [p, v, a] = self.corners[corner];
            let [_, velocity, half_acceleration] = like.corners[corner];
            [p + v * s + a * (s * s), velocity, half_acceleration]
        });
        Box6 {
            origin: time,
            corners,
        }
    }
}

/// A body: from when on it has which motion, or is not there.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) course: Vec<(f64, Option<Box6>)>,
}

impl Body {
    /// The motion from a time on.
    pub(crate) fn during(&self, time: f64) -> Option<&Box6> {
        let last = self.course.iter().rev().find(|(from, _)| *from <= time);
        last.and_then(|(_, motion)| motion.as_ref())
    }
}

/// How numbers are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Style {
    /// Any numbers.
    Random,
    /// Small integers: aligned boxes, equal speeds, simultaneous events, touches.
    Grid,
    /// Small integers without acceleration.
    Straight,
    /// Integers, all falling alike.
    Falling,
    /// Corners that move apart and together by themselves.
    Breathing,
}

impl Style {
    pub(crate) const ALL: [Style; 5] = [
        Style::Random,
        Style::Grid,
        Style::Straight,
        Style::Falling,
        Style::Breathing,
    ];

    fn number(self, rng: &mut ChaCha8Rng, reach: i32) -> f64 {
        match self {
            Style::Random => rng.random_range(-f64::from(reach)..f64::from(reach)),
            Style::Grid | Style::Straight | Style::Falling | Style::Breathing => {
                f64::from(rng.random_range(-reach..=reach))
            }
        }
    }

    fn vector(self, rng: &mut ChaCha8Rng, reach: i32) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|_| self.number(rng, reach)))
    }

    /// A motion from a time on.
    pub(crate) fn draw(self, rng: &mut ChaCha8Rng, origin: f64) -> Box6 {
        let place = self.vector(rng, 2);
        let size = self.vector(rng, 2).abs();
        let mut moves = |same: bool, first: [Vec3; 2]| {
            if same {
                first
            } else {
                let half = match self {
                    Style::Straight => Vec3::ZERO,
                    Style::Falling => Vec3::Z * -4.0,
                    Style::Random | Style::Grid | Style::Breathing => self.vector(rng, 4),
                };
                [self.vector(rng, 6), half]
            }
        };
        let lower = moves(false, [Vec3::ZERO; 2]);
        let upper = moves(self != Style::Breathing, lower);
        Box6 {
            origin,
            corners: [
                [place, lower[0], lower[1]],
                [place + size, upper[0], upper[1]],
            ],
        }
    }
}
