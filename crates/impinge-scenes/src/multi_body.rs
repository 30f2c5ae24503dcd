//! The multi-body simulation of Cohen, Lin, Manocha and Ponamgi (I-COLLIDE, 1995, section 5.3).
//!
//! Polytopes made from random points on a sphere start at random places in a cube. Each turns and moves steadily; the
//! walls throw it back; when two collide, they exchange their translational velocities. The scene only moves the bodies:
//! who collides is for the engine to say, through [`MultiBody::exchange_velocities`].

use crate::points;
use crate::polytopes::random_polytope;
use crate::trace::{Placement, TraceShape};
use impinge::{Error, Mat3, Polytope, Pose, Quat, Vec3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::f64::consts::PI;
use std::sync::Arc;

/// The parameters of the source, with its defaults.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MultiBodyOptions {
    /// How many polytopes.
    pub bodies: usize,
    /// How many faces each has: an even number of at least 4.
    pub faces: usize,
    /// How far each turns a frame, in degrees.
    pub degrees_a_frame: f64,
    /// How far each moves a frame, in per cent of its radius.
    pub percent_of_radius_a_frame: f64,
    /// The volume of the polytopes in per cent of the volume of the cube.
    pub density_percent: f64,
    /// Where the random numbers start.
    pub seed: u64,
}

impl Default for MultiBodyOptions {
    fn default() -> MultiBodyOptions {
        MultiBodyOptions {
            bodies: 1000,
            faces: 36,
            degrees_a_frame: 10.0,
            percent_of_radius_a_frame: 10.0,
            density_percent: 1.0,
            seed: 1,
        }
    }
}

/// Polytopes tumbling in a cube.
#[derive(Debug, Clone)]
pub struct MultiBody {
    bodies: Vec<Body>,
    side: f64,
    turn: f64,
}

#[derive(Debug, Clone)]
struct Body {
    polytope: Arc<Polytope>,
    rotation: Quat,
    axis: Vec3,
    /// The centroid, in the world and in the body.
    position: Vec3,
    centroid: Vec3,
    velocity: Vec3,
}

impl MultiBody {
    /// The scene at its start. Parameters must be finite and positive.
    pub fn new(options: &MultiBodyOptions) -> Result<MultiBody, Error> {
        for (what, value) in [
            ("turn a frame", options.degrees_a_frame),
            ("speed", options.percent_of_radius_a_frame),
        ] {
            require(what, value, value >= 0.0, "at least 0")?;
        }
        let density = options.density_percent;
        require("density", density, density > 0.0, "more than 0")?;

        let mut random = ChaCha8Rng::seed_from_u64(options.seed);
        let polytopes = (0..options.bodies)
            .map(|_| random_polytope(options.faces, random.random()).map(Arc::new))
            .collect::<Result<Vec<_>, Error>>()?;
        let volume: f64 = polytopes.iter().map(|p| p.volume()).sum();
        let side = (volume * 100.0 / density).cbrt();
        let mut directions = || points::on_sphere(options.bodies, random.random());
        let (headings, axes, tilts) = (directions(), directions(), directions());
        let speed = options.percent_of_radius_a_frame / 100.0;
        let bodies = polytopes
            .into_iter()
            .enumerate()
            .map(|(i, polytope)| Body {
                rotation: Quat::from_axis_angle(tilts[i], random.random_range(-PI..PI)),
                axis: axes[i],
                position: Vec3::from_array(std::array::from_fn(|_| random.random_range(0.0..side))),
                centroid: polytope.centroid(),
                velocity: headings[i] * (polytope.radius() * speed),
                polytope,
            })
            .collect();
        Ok(MultiBody {
            bodies,
            side,
            turn: options.degrees_a_frame.to_radians(),
        })
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// The edge length of the cube, which reaches from the origin into the positive.
    pub fn side(&self) -> f64 {
        self.side
    }

    /// The shape of a body.
    pub fn polytope(&self, body: usize) -> &Arc<Polytope> {
        &self.bodies[body].polytope
    }

    /// Where a body is now.
    pub fn pose(&self, body: usize) -> Pose {
        self.placement(body)
            .pose()
            .expect("the rotation is kept at unit length and the position inside the cube")
    }

    /// Where a body is now, as a recording keeps it: read again, it gives the same pose to the last bit.
    pub fn placement(&self, body: usize) -> Placement {
        let body = &self.bodies[body];
        Placement {
            rotation: body.rotation,
            translation: body.position - Mat3::from_quat(body.rotation) * body.centroid,
        }
    }

    /// The shapes as a recording keeps them, one a body.
    pub fn trace_shapes(&self) -> Vec<TraceShape> {
        let shape = |body: &Body| TraceShape {
            vertices: body.polytope.vertices().to_vec(),
            triangles: body.polytope.triangles().collect(),
        };
        self.bodies.iter().map(shape).collect()
    }

    /// Moves every body by one frame.
    pub fn step(&mut self) {
        for body in &mut self.bodies {
            let turn = Quat::from_axis_angle(body.axis, self.turn);
            body.rotation = (turn * body.rotation).normalize();
            body.position += body.velocity;
            for axis in 0..3 {
                rebound(
                    &mut body.position[axis],
                    &mut body.velocity[axis],
                    self.side,
                );
            }
        }
    }

    /// The elastic response of the source: two bodies that collided go on with each other's velocity.
    pub fn exchange_velocities(&mut self, a: usize, b: usize) {
        if a != b {
            let velocity = self.bodies[a].velocity;
            self.bodies[a].velocity = self.bodies[b].velocity;
            self.bodies[b].velocity = velocity;
        }
    }
}

/// Reflects a coordinate that left `[0, side]`, and turns its velocity inward.
fn rebound(position: &mut f64, velocity: &mut f64, side: f64) {
    if *position < 0.0 {
        (*position, *velocity) = (-*position, velocity.abs());
    } else if *position > side {
        (*position, *velocity) = (2.0 * side - *position, -velocity.abs());
    }
    // A body faster than the cube is wide would leave on the other side: it stops at the wall.
    *position = position.clamp(0.0, side);
}

fn require(what: &str, value: f64, holds: bool, expected: &'static str) -> Result<(), Error> {
    if holds && value.is_finite() {
        Ok(())
    } else {
        Err(Error::OutOfRange {
            what: what.to_owned(),
            value,
            expected,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_stay_inside_and_keep_their_speed() {
        let options = MultiBodyOptions {
            bodies: 20,
            density_percent: 10.0,
            ..MultiBodyOptions::default()
        };
        let mut scene = MultiBody::new(&options).unwrap();
        let speeds: Vec<f64> = scene.bodies.iter().map(|b| b.velocity.length()).collect();
        for _ in 0..200 {
            scene.step();
        }
        for (body, speed) in scene.bodies.iter().zip(speeds) {
            assert!((body.velocity.length() - speed).abs() < 1e-12);
            assert!(
                body.position.min_element() >= 0.0 && body.position.max_element() <= scene.side()
            );
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_bits() {
        let options = MultiBodyOptions {
            bodies: 5,
            ..MultiBodyOptions::default()
        };
        let run = || {
            let mut scene = MultiBody::new(&options).unwrap();
            scene.step();
            (0..5).map(|i| scene.pose(i)).collect::<Vec<_>>()
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn density_is_met() {
        let options = MultiBodyOptions {
            bodies: 50,
            density_percent: 5.0,
            ..MultiBodyOptions::default()
        };
        let scene = MultiBody::new(&options).unwrap();
        let volume: f64 = (0..50).map(|i| scene.polytope(i).volume()).sum();
        assert!((volume / scene.side().powi(3) - 0.05).abs() < 1e-12);
        assert!(
            MultiBody::new(&MultiBodyOptions {
                density_percent: 0.0,
                ..options
            })
            .is_err()
        );
    }
}
