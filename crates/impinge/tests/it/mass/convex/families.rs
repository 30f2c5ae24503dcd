//! Where the pairs of polytopes come from: families of placed polytopes, each an endless source.

use super::super::hulls::{self, Pair, cloud};
use super::super::{Random, anywhere, on_lattice, scale};
use impinge::{Mat3, Polytope, Pose, Quat, Vec3};
use rand::RngExt;
use rand::seq::IndexedRandom;
use std::f64::consts::PI;
use std::sync::Arc;

/// Two placed polytopes.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) a: Arc<Polytope>,
    pub(super) pose_a: Pose,
    pub(super) b: Arc<Polytope>,
    pub(super) pose_b: Pose,
}

impl Case {
    /// The placed vertices of both.
    pub(super) fn placed(&self) -> [Vec<Vec3>; 2] {
        [(&self.a, &self.pose_a), (&self.b, &self.pose_b)]
            .map(|(polytope, pose)| polytope.vertices().iter().map(|v| pose.place(*v)).collect())
    }
}

/// A family: makes one case after the other.
pub(super) trait Source {
    fn next(&mut self, random: &mut Random) -> Case;
}

/// Polytopes to choose from. Making them anew for each pair would take most of the time.
pub(super) struct Pool {
    /// Of 4 to 60 points, in several forms, about the size of the unit ball.
    round: Vec<Arc<Polytope>>,
    /// Of 200 to 800 vertices.
    large: Vec<Arc<Polytope>>,
    /// With small integer vertices.
    lattice: Vec<Arc<Polytope>>,
    /// A million times longer than wide, or wider than thick.
    needles: Vec<Arc<Polytope>>,
}

impl Pool {
    pub(super) fn new(random: &mut Random) -> Pool {
        Pool {
            round: made(300, || cloud(random)),
            large: made(12, || {
                let count = random.random_range(200..800);
                impinge_scenes::points::on_sphere(count, random.random())
            }),
            lattice: made(300, || {
                let size = random.random_range(1..=3);
                let count = random.random_range(4..=20);
                (0..count).map(|_| on_lattice(random, size)).collect()
            }),
            needles: made(100, || {
                let thin = if random.random_bool(0.5) {
                    Vec3::new(1.0, 1e-6, 1e-6)
                } else {
                    Vec3::new(1.0, 1.0, 1e-6)
                };
                cloud(random).into_iter().map(|p| p * thin).collect()
            }),
        }
    }
}

/// So many polytopes; point sets without volume are passed over.
fn made(count: usize, mut points: impl FnMut() -> Vec<Vec3>) -> Vec<Arc<Polytope>> {
    std::iter::repeat_with(|| Polytope::from_points(&points()))
        .filter_map(Result::ok)
        .map(Arc::new)
        .take(count)
        .collect()
}

fn pick(random: &mut Random, from: &[Arc<Polytope>]) -> Arc<Polytope> {
    Arc::clone(from.choose(random).expect("no part of the pool is empty"))
}

fn turn(random: &mut Random) -> Quat {
    let axis = anywhere(random).try_normalize().unwrap_or(Vec3::X);
    Quat::from_axis_angle(axis, random.random_range(-PI..PI))
}

fn posed(turn: Quat, translation: Vec3) -> Pose {
    Pose::from_quat(turn.normalize(), translation).expect("a rotation and a finite translation")
}

/// A source from a closure.
pub(super) struct Independent<F>(pub(super) F);

impl<F: FnMut(&mut Random) -> Case> Source for Independent<F> {
    fn next(&mut self, random: &mut Random) -> Case {
        (self.0)(random)
    }
}

/// Any two polytopes at any turn, so near that about half of them meet.
pub(super) fn anywhere_near(pool: &Pool, random: &mut Random) -> Case {
    let (a, b) = (pick(random, &pool.round), pick(random, &pool.round));
    let away = anywhere(random) * random.random_range(0.2..2.2);
    Case {
        pose_a: posed(turn(random), Vec3::ZERO),
        pose_b: posed(turn(random), away),
        a,
        b,
    }
}

/// Needles and plates, crossing or passing at any angle, often close.
pub(super) fn needles(pool: &Pool, random: &mut Random) -> Case {
    let a = pick(random, &pool.needles);
    let from = if random.random_bool(0.5) {
        &pool.needles
    } else {
        &pool.round
    };
    let away = anywhere(random) * scale(random, -7..=0);
    Case {
        pose_a: posed(turn(random), Vec3::ZERO),
        pose_b: posed(turn(random), away),
        b: pick(random, from),
        a,
    }
}

/// A quarter turn, which moves integers to integers without rounding.
fn quarter_turn(random: &mut Random) -> Mat3 {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let first = random.random_range(0..3);
    let second = (first + random.random_range(1..3)) % 3;
    let sign = |random: &mut Random| if random.random_bool(0.5) { 1.0 } else { -1.0 };
    let (x, y) = (axes[first] * sign(random), axes[second] * sign(random));
    Mat3::from_cols(x, y, x.cross(y))
}

/// Lattice polytopes at lattice places: touching in vertices, edges and faces is common and exact.
pub(super) fn on_the_lattice(pool: &Pool, random: &mut Random) -> Case {
    let (a, b) = (pick(random, &pool.lattice), pick(random, &pool.lattice));
    let mut pose = |reach: i32| {
        Pose::from_matrix(quarter_turn(random), on_lattice(random, reach)).expect("a quarter turn")
    };
    Case {
        pose_a: pose(1),
        pose_b: pose(4),
        a,
        b,
    }
}

/// The same, one of the two moved by a unit in the last place.
pub(super) fn beside_the_lattice(pool: &Pool, random: &mut Random) -> Case {
    let mut case = on_the_lattice(pool, random);
    let mut translation = case.pose_b.translation();
    let axis = random.random_range(0..3);
    translation[axis] = if random.random_bool(0.5) {
        translation[axis].next_up()
    } else {
        translation[axis].next_down()
    };
    case.pose_b = Pose::from_matrix(*case.pose_b.matrix(), translation).expect("finite");
    case
}

/// One inside the other: a copy or another polytope, smaller or of the same size, often about the same centre.
pub(super) fn nested(pool: &Pool, random: &mut Random) -> Case {
    let a = pick(random, &pool.round);
    let other = if random.random_bool(0.5) {
        Arc::clone(&a)
    } else {
        pick(random, &pool.round)
    };
    let size = if random.random_bool(0.3) {
        1.0
    } else {
        scale(random, -4..=0) * 0.9
    };
    let shrunk: Vec<Vec3> = other.vertices().iter().map(|v| *v * size).collect();
    // What rounding made flat stays as it was.
    let b = Polytope::from_points(&shrunk).map_or(other, Arc::new);
    let pose_a = posed(turn(random), anywhere(random));
    let pose_b = match random.random_range(0..3) {
        0 => pose_a,
        1 => posed(turn(random), pose_a.place(a.centroid())),
        _ => {
            let vertex = a.vertices().choose(random).expect("a vertex");
            posed(turn(random), pose_a.place(*vertex))
        }
    };
    Case {
        a,
        pose_a,
        b,
        pose_b,
    }
}

/// Sizes from 1e-9 to 1e9, alike or not, at distances of the size of either.
pub(super) fn of_all_sizes(pool: &Pool, random: &mut Random) -> Case {
    let sizes = if random.random_bool(0.5) {
        [scale(random, -9..=9); 2]
    } else {
        [scale(random, -9..=9), scale(random, -9..=9)]
    };
    let mut resized = |size: f64| {
        let polytope = pick(random, &pool.round);
        let points: Vec<Vec3> = polytope.vertices().iter().map(|v| *v * size).collect();
        Polytope::from_points(&points).map_or(polytope, Arc::new)
    };
    let (a, b) = (resized(sizes[0]), resized(sizes[1]));
    let away = anywhere(random) * random.random_range(0.5..2.0) * sizes[random.random_range(0..2)];
    Case {
        pose_a: posed(turn(random), Vec3::ZERO),
        pose_b: posed(turn(random), away),
        a,
        b,
    }
}

/// So far from the origin that placing costs many digits.
pub(super) fn far_away(pool: &Pool, random: &mut Random) -> Case {
    let mut case = anywhere_near(pool, random);
    let offset = anywhere(random) * scale(random, 3..=12);
    let moved = |pose: &Pose| {
        Pose::from_matrix(*pose.matrix(), pose.translation() + offset).expect("finite")
    };
    case.pose_a = moved(&case.pose_a);
    case.pose_b = moved(&case.pose_b);
    case
}

/// Point sets made to touch, with their coordinates as they are.
pub(super) fn from_points(
    mut make: impl FnMut(&mut Random) -> Pair,
) -> impl FnMut(&mut Random) -> Case {
    move |random| {
        loop {
            let Pair { a, b, .. } = make(random);
            if let (Ok(a), Ok(b)) = (Polytope::from_points(&a), Polytope::from_points(&b)) {
                return Case {
                    a: Arc::new(a),
                    pose_a: Pose::IDENTITY,
                    b: Arc::new(b),
                    pose_b: Pose::IDENTITY,
                };
            }
        }
    }
}

/// Faces, edges and vertices that touch in every combination.
pub(super) fn touching(random: &mut Random) -> Pair {
    let counts = [1, 2, 5].map(|_| *[1, 2, 5].choose(random).expect("three"));
    hulls::touching(random, [counts[0], counts[1]])
}

/// Two bodies that fly past each other and tumble, frame by frame.
pub(super) struct Flight<'p> {
    pool: &'p [Arc<Polytope>],
    /// The way and the turn of a frame.
    step: f64,
    degrees: f64,
    case: Option<Case>,
    axes: [Vec3; 2],
    velocity: Vec3,
    left: usize,
}

impl<'p> Flight<'p> {
    pub(super) fn of_small(pool: &'p Pool, step: f64, degrees: f64) -> Flight<'p> {
        Flight::new(&pool.round, step, degrees)
    }

    pub(super) fn of_large(pool: &'p Pool, step: f64, degrees: f64) -> Flight<'p> {
        Flight::new(&pool.large, step, degrees)
    }

    fn new(pool: &'p [Arc<Polytope>], step: f64, degrees: f64) -> Flight<'p> {
        Flight {
            pool,
            step,
            degrees,
            case: None,
            axes: [Vec3::X; 2],
            velocity: Vec3::ZERO,
            left: 0,
        }
    }

    fn restart(&mut self, random: &mut Random) -> Case {
        let start = anywhere(random).try_normalize().unwrap_or(Vec3::Y) * 2.2;
        let target = anywhere(random) * 1.2;
        let heading = (target - start).try_normalize().unwrap_or(Vec3::X);
        self.velocity = heading * self.step;
        self.axes = [(); 2].map(|()| anywhere(random).try_normalize().unwrap_or(Vec3::Z));
        self.left = (4.4 / self.step) as usize;
        Case {
            a: pick(random, self.pool),
            pose_a: posed(turn(random), Vec3::ZERO),
            b: pick(random, self.pool),
            pose_b: posed(turn(random), start),
        }
    }
}

impl Source for Flight<'_> {
    fn next(&mut self, random: &mut Random) -> Case {
        let case = match self.case.take() {
            Some(mut case) if self.left > 0 => {
                self.left -= 1;
                let turned = |pose: &Pose, axis: Vec3| {
                    let turn = Quat::from_axis_angle(axis, self.degrees.to_radians());
                    turn * pose.rotation()
                };
                let translation = case.pose_b.translation() + self.velocity;
                case.pose_a = posed(turned(&case.pose_a, self.axes[0]), Vec3::ZERO);
                case.pose_b = posed(turned(&case.pose_b, self.axes[1]), translation);
                case
            }
            _ => self.restart(random),
        };
        self.case = Some(case.clone());
        case
    }
}
