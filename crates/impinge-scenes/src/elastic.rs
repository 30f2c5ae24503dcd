//! Bodies of equal mass that bounce off each other and off the walls of a cube, in continuous time.
//!
//! The scene of Coming and Staadt (Kinetic Sweep and Prune, 2006, section 5): places, velocities, orientations and sizes are
//! random, bodies move steadily and do not turn, and two that collide exchange their velocities along the normal. The source does not
//! say what holds its bodies together; here it is six walls. Density is the volume of the balls around the bodies in that of
//! the cube.

use crate::points;
use crate::polytopes::random_polytope;
use impinge::world::continuous::{ContinuousEvent, ContinuousOptions, ContinuousWorld, PairImpact};
use impinge::{BodyId, Error, Pose, Quat, Shape, Trajectory, TriMesh, Vec3, query};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;
use std::f64::consts::{PI, TAU};

/// What bounces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    /// Balls.
    Balls,
    /// Rings of 64 triangles.
    Rings,
    /// Polytopes of so many faces.
    Polytopes(usize),
    /// Knots of about so many triangles.
    Knots(u32),
}

/// The parameters, with the source's defaults.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ElasticOptions {
    /// How many bodies.
    pub bodies: usize,
    /// What they are.
    pub kind: BodyKind,
    /// The volume of the balls around them in per cent of that of the cube.
    pub density_percent: f64,
    /// The slowest and the fastest speed, in radii of the average ball around a body, in a unit of time.
    pub speeds: [f64; 2],
    /// Where the random numbers start.
    pub seed: u64,
}

impl Default for ElasticOptions {
    fn default() -> ElasticOptions {
        ElasticOptions {
            bodies: 1000,
            kind: BodyKind::Rings,
            density_percent: 1.0,
            speeds: [0.5, 1.5],
            seed: 1,
        }
    }
}

/// Bodies that bounce, and what they have done.
#[derive(Debug)]
pub struct Elastic {
    /// The world they are in.
    pub world: ContinuousWorld,
    /// The bodies that move.
    pub bodies: Vec<BodyId>,
    /// The edge of the cube, which reaches from the origin into the positive.
    pub side: f64,
    /// The momentum that the walls have taken, with a mass of 1 for each body.
    pub of_walls: Vec3,
    /// Impacts of two bodies, and of a body and a wall.
    pub impacts: [u64; 2],
    /// By index of the body: no point of it is farther from its origin. Infinite for walls.
    reaches: Vec<f64>,
}

impl Elastic {
    /// The scene at its start.
    ///
    /// # Errors
    ///
    /// For parameters that make no sense, and when the bodies do not fit into the cube.
    pub fn new(options: &ElasticOptions, how: ContinuousOptions) -> Result<Elastic, Error> {
        require("density", options.density_percent, 0.0..=20.0)?;
        let mut random = ChaCha8Rng::seed_from_u64(options.seed);
        let radii: Vec<f64> = (0..options.bodies)
            .map(|_| random.random_range(0.5..1.5))
            .collect();
        let volume: f64 = radii.iter().map(|r| 4.0 / 3.0 * PI * r.powi(3)).sum();
        let side = (volume * 100.0 / options.density_percent).cbrt().max(4.0);
        let mut elastic = Elastic {
            world: ContinuousWorld::new(how)?,
            bodies: Vec::with_capacity(options.bodies),
            side,
            of_walls: Vec3::ZERO,
            impacts: [0; 2],
            reaches: vec![f64::INFINITY; WALLS as usize],
        };
        elastic.insert_walls()?;
        let places = places(&radii, side, &mut random)?;
        let headings = points::on_sphere(options.bodies, random.random());
        let tilts = points::on_sphere(options.bodies, random.random());
        let [slow, fast] = options.speeds;
        for (i, radius) in radii.iter().enumerate() {
            let shape = shape(options.kind, *radius, random.random())?;
            let tilt = Quat::from_axis_angle(tilts[i], random.random_range(-PI..PI));
            let pose = Pose::from_quat(tilt, places[i])?;
            let speed = if slow < fast {
                random.random_range(slow..fast)
            } else {
                slow
            };
            let flight = Trajectory::moving(0.0, pose, headings[i] * speed)?;
            elastic.bodies.push(elastic.world.insert(shape, flight)?);
            elastic.reaches.push(*radius);
        }
        Ok(elastic)
    }

    /// Six walls around the cube, as thick as it is wide.
    fn insert_walls(&mut self) -> Result<(), Error> {
        let half = 0.5 * self.side;
        for axis in 0..3 {
            for outward in [-1.0, 1.0] {
                let mut center = Vec3::splat(half);
                center[axis] += outward * (half + half);
                let mut size = Vec3::splat(3.0 * half);
                size[axis] = half;
                let wall = Trajectory::still(Pose::from_translation(center)?);
                self.world.insert(Shape::cuboid(size)?, wall)?;
            }
        }
        Ok(())
    }

    /// Goes on to a time, answering all impacts on the way.
    pub fn advance_to(&mut self, time: f64) -> Result<(), Error> {
        while let Some(event) = self.world.next_event(time)? {
            self.answer(&event)?;
        }
        Ok(())
    }

    /// Answers an event of the world.
    pub fn answer(&mut self, event: &ContinuousEvent) -> Result<(), Error> {
        match event {
            ContinuousEvent::Impact(impact) | ContinuousEvent::Rested(impact) => {
                self.bounce(impact)
            }
            ContinuousEvent::Expired { .. } => Ok(()),
        }
    }

    /// Two bodies exchange their velocities along the normal; a wall throws a body back.
    fn bounce(&mut self, impact: &PairImpact) -> Result<(), Error> {
        let (a, b) = (impact.pair.a(), impact.pair.b());
        let centers = [self.world.pose(a)?, self.world.pose(b)?].map(|p| p.translation());
        let between = (centers[1] - centers[0]).normalize_or(Vec3::X);
        let normal = impact.normal.unwrap_or(between);
        let [is_wall_a, is_wall_b] = [a, b].map(|body| body.index() < WALLS);
        let velocities = [self.world.velocity(a)?, self.world.velocity(b)?];
        let closing = normal.dot(velocities[1] - velocities[0]);
        // A body that meets a wall gets twice the change.
        let share = if is_wall_a || is_wall_b { 2.0 } else { 1.0 };
        let change = normal * (closing.min(0.0) * share);
        for (body, is_wall, velocity) in [
            (a, is_wall_a, velocities[0] + change),
            (b, is_wall_b, velocities[1] - change),
        ] {
            if is_wall {
                self.of_walls += if body == a { change } else { -change };
                continue;
            }
            let pose = self.world.pose(body)?;
            let flight = Trajectory::moving(self.world.time(), pose, velocity)?;
            self.world.set_motion(body, flight)?;
        }
        self.impacts[usize::from(is_wall_a || is_wall_b)] += 1;
        Ok(())
    }

    /// Half the sum of the squares of all velocities.
    pub fn energy(&self) -> Result<f64, Error> {
        let squares = self.bodies.iter().map(|body| self.world.velocity(*body));
        squares
            .map(|velocity| Ok(0.5 * velocity?.length_squared()))
            .sum()
    }

    /// The momentum of the bodies, and of the walls: the sum is conserved.
    pub fn momentum(&self) -> Result<Vec3, Error> {
        let mut sum = self.of_walls;
        for body in &self.bodies {
            sum += self.world.velocity(*body)?;
        }
        Ok(sum)
    }

    /// Two bodies that intersect now, if there are any: all pairs are looked at, walls included, exactly.
    pub fn overlap(&self) -> Result<Option<[BodyId; 2]>, Error> {
        let mut placed = Vec::with_capacity(self.bodies.len());
        for body in &self.bodies {
            // Widened by more than rounding, so that what is left out is truly apart.
            let reach = self.reaches[body.index() as usize] * (1.0 + 1e-9) + 1e-9;
            placed.push((*body, self.world.pose(*body)?, reach));
        }
        for (body, pose, reach) in &placed {
            let at = pose.translation();
            if at.min_element() > *reach && at.max_element() < self.side - reach {
                continue;
            }
            for wall in self.world.bodies().take(WALLS as usize) {
                if self.intersect(*body, wall)? {
                    return Ok(Some([*body, wall]));
                }
            }
        }
        // From left to right, each with those that begin before it ends.
        let left = |(_, pose, reach): &(BodyId, Pose, f64)| pose.translation().x - reach;
        placed.sort_by(|p, q| left(p).total_cmp(&left(q)));
        for (i, (one, pose, reach)) in placed.iter().enumerate() {
            let right = pose.translation().x + reach;
            let near = placed[i + 1..].iter().take_while(|p| left(p) <= right);
            for (other, other_pose, other_reach) in near {
                let between = pose.translation().distance(other_pose.translation());
                if between <= reach + other_reach && self.intersect(*one, *other)? {
                    return Ok(Some([*one, *other]));
                }
            }
        }
        Ok(None)
    }

    fn intersect(&self, a: BodyId, b: BodyId) -> Result<bool, Error> {
        let (shape, pose) = (self.world.shape(a)?, self.world.pose(a)?);
        let other = self.world.shape(b)?.at(self.world.pose(b)?);
        Ok(query::intersects(shape.at(pose), other))
    }
}

/// The first bodies of the world are the walls.
const WALLS: u32 = 6;

fn farthest(points: &[Vec3]) -> f64 {
    points.iter().map(|p| p.length()).fold(0.0, f64::max)
}

fn shape(kind: BodyKind, radius: f64, seed: u64) -> Result<Shape, Error> {
    let scaled = |mesh: TriMesh| {
        let scale = radius / farthest(mesh.vertices());
        let vertices = mesh.vertices().iter().map(|v| *v * scale);
        TriMesh::new(vertices.collect(), mesh.triangles().to_vec())
    };
    Ok(match kind {
        BodyKind::Balls => Shape::sphere(radius)?,
        BodyKind::Rings => Shape::from(scaled(ring()?)?),
        BodyKind::Polytopes(faces) => {
            let polytope = random_polytope(faces, seed)?;
            let points: Vec<Vec3> = polytope.vertices().iter().map(|v| *v * radius).collect();
            Shape::hull(&points)?
        }
        BodyKind::Knots(triangles) => {
            Shape::from(scaled(crate::knots::torus_knot(2, 3, triangles)?)?)
        }
    })
}

/// A ring of 64 triangles: eight pieces along, four around.
///
/// ```
/// assert_eq!(impinge_scenes::elastic::ring()?.triangles().len(), 64);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn ring() -> Result<TriMesh, Error> {
    const ALONG: u32 = 8;
    const AROUND: u32 = 4;
    let point = |i: u32, j: u32| {
        let (sin, cos) = (f64::from(i) / f64::from(ALONG) * TAU).sin_cos();
        let (up, out) = (f64::from(j) / f64::from(AROUND) * TAU).sin_cos();
        let away = 0.75 + 0.25 * out;
        Vec3::new(away * cos, away * sin, 0.25 * up)
    };
    let index = |i: u32, j: u32| (i % ALONG) * AROUND + j % AROUND;
    let cells = || (0..ALONG).flat_map(|i| (0..AROUND).map(move |j| (i, j)));
    let vertices = cells().map(|(i, j)| point(i, j)).collect();
    let faces = cells().flat_map(|(i, j)| {
        let [a, b, c, d] =
            [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| index(i, j));
        [[a, b, c], [a, c, d]]
    });
    TriMesh::new(vertices, faces.collect())
}

/// Random places for balls in a cube, none of which touch each other or its walls.
fn places(radii: &[f64], side: f64, random: &mut ChaCha8Rng) -> Result<Vec<Vec3>, Error> {
    let cell = 2.0 * radii.iter().copied().fold(0.0, f64::max) + 1e-3;
    let cell_of = |p: Vec3| (p / cell).floor().as_ivec3().to_array();
    let mut cells: HashMap<[i32; 3], Vec<usize>> = HashMap::new();
    let mut places: Vec<Vec3> = Vec::with_capacity(radii.len());
    for radius in radii {
        let place = (0..TRIES).find_map(|_| {
            let room = radius + 1e-3..side - radius - 1e-3;
            let place = Vec3::from(std::array::from_fn(|_| random.random_range(room.clone())));
            let [x, y, z] = cell_of(place);
            let near = |i: i32| (i - 1)..=(i + 1);
            let is_free = near(x).all(|x| {
                near(y).all(|y| {
                    near(z).all(|z| {
                        let others = cells.get(&[x, y, z]).into_iter().flatten();
                        others.clone().all(|other| {
                            let gap = radius + radii[*other] + 1e-3;
                            places[*other].distance(place) > gap
                        })
                    })
                })
            });
            is_free.then_some(place)
        });
        let place = place.ok_or(Error::OutOfRange {
            what: "density of the bodies".to_owned(),
            value: radii.len() as f64,
            expected: "so few that they fit into the cube",
        })?;
        cells.entry(cell_of(place)).or_default().push(places.len());
        places.push(place);
    }
    Ok(places)
}

/// How many places are tried for a body.
const TRIES: u32 = 10_000;

fn require(what: &str, value: f64, range: std::ops::RangeInclusive<f64>) -> Result<(), Error> {
    if value > *range.start() && value <= *range.end() {
        return Ok(());
    }
    Err(Error::OutOfRange {
        what: what.to_owned(),
        value,
        expected: "more than 0 and at most 20",
    })
}
