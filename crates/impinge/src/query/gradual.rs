//! Questions that are given a budget: of pairs of volumes, or of time.

use crate::contact::Separation;
use crate::error::Error;
use crate::math::Interval;
use crate::narrow::gradual::{Frontier, Progress};
use crate::narrow::mesh::gradual::{Boxes, MeshPairs, Unfit};
use crate::reference;
use crate::shape::Placed;

/// A question about two meshes, solids or height fields that is answered as far as the caller can afford, and further later.
///
/// After every piece of work the distance is known to be in an interval that only shrinks, whether the shapes intersect may or may
/// not be known yet, and if not, how deep they may overlap is. The work is counted in pairs of volumes compared, and never
/// more than was allowed; or a function is asked before each step whether there is time.
///
/// ```
/// # use impinge::{HeightField, Pose, Shape, Vec3, query};
/// # use std::time::{Duration, Instant};
/// let hills = HeightField::from_fn([200, 200], [0.1, 0.1], |r, c| {
///     (0.1 * r as f64).sin() * (0.13 * c as f64).cos()
/// })?;
/// let hills = Shape::from(hills);
/// let above = Pose::from_axis_angle(Vec3::X, 3.0, Vec3::new(0.0, 20.0, 2.5))?;
/// let mut question = query::Gradual::new(hills.at(Pose::IDENTITY), hills.at(above))?;
///
/// // A hundred pairs of boxes, and what they tell.
/// let first = question.spend(100);
/// assert!(first.spent <= 100 && !first.is_final);
/// // Some more, for half a millisecond.
/// let start = Instant::now();
/// let second = question.run_while(|| start.elapsed() < Duration::from_micros(500));
/// assert!(second.bounds.width() <= first.bounds.width());
/// // All of it: the same as when asked at once.
/// let near = question.finish();
/// let at_once = query::distance(hills.at(Pose::IDENTITY), hills.at(above));
/// assert_eq!(near.distance > 0.0, at_once.distance > 0.0);
/// assert!(second.bounds.contains(near.distance));
/// # Ok::<(), impinge::Error>(())
/// ```
///
/// A solid is asked at the beginning whether it holds a point of each connected part of the other shape. That is not in the
/// budget; it costs a look at the boxes along a line for each part.
#[derive(Debug, Clone)]
pub struct Gradual<'a> {
    a: Placed<'a>,
    b: Placed<'a>,
    state: State,
}

#[derive(Debug, Clone)]
enum State {
    /// There is work left, or there was.
    Searching(Frontier<Boxes>),
    /// One shape is inside the other.
    Contained(Separation),
    /// Numbers of extreme size: there is one step, and the reference takes it.
    Extreme(Option<Separation>),
}

impl<'a> Gradual<'a> {
    /// A question about two shapes, each a mesh, a solid or a height field; about other shapes
    /// [`distance`](super::distance) is quick enough, and they are refused here.
    pub fn new(a: Placed<'a>, b: Placed<'a>) -> Result<Gradual<'a>, Error> {
        let state = match MeshPairs::new(&a, &b) {
            Ok(pairs) => match pairs.contained() {
                Some(near) => State::Contained(near),
                None => State::Searching(Frontier::new(MeshPairs::ROOTS)),
            },
            Err(Unfit::Sizes) => State::Extreme(None),
            Err(Unfit::Shapes) => {
                return Err(Error::WrongShape {
                    message: "gradual answers are for meshes, solids and height fields",
                });
            }
        };
        Ok(Gradual { a, b, state })
    }

    /// Compares more pairs of volumes, no more than are allowed. What is left is not kept: a step costs one pair or eight, and is not
    /// begun when fewer are left.
    pub fn spend(&mut self, node_pairs: u64) -> Progress {
        match &mut self.state {
            State::Searching(frontier) => {
                frontier.spend(&mut searched(&self.a, &self.b), node_pairs);
            }
            State::Extreme(near) if node_pairs > 0 => {
                near.get_or_insert_with(|| reference::distance(self.a, self.b));
            }
            State::Extreme(_) | State::Contained(_) => (),
        }
        self.progress()
    }

    /// Compares more pairs of volumes while a function, asked before each step, says so.
    pub fn run_while(&mut self, mut go_on: impl FnMut() -> bool) -> Progress {
        match &mut self.state {
            State::Searching(frontier) => {
                frontier.run_while(&mut searched(&self.a, &self.b), go_on);
            }
            State::Extreme(near @ None) if go_on() => {
                *near = Some(reference::distance(self.a, self.b));
            }
            State::Extreme(_) | State::Contained(_) => (),
        }
        self.progress()
    }

    /// Does all that is left.
    pub fn finish(&mut self) -> Separation {
        match &mut self.state {
            State::Searching(frontier) => {
                let mut pairs = searched(&self.a, &self.b);
                frontier.spend(&mut pairs, u64::MAX);
                pairs.separation(frontier)
            }
            State::Contained(near) => *near,
            State::Extreme(near) => {
                *near.get_or_insert_with(|| reference::distance(self.a, self.b))
            }
        }
    }

    /// What is known so far.
    pub fn progress(&self) -> Progress {
        match &self.state {
            State::Searching(frontier) => frontier.progress(),
            State::Contained(near) => known(near, 0),
            State::Extreme(Some(near)) => known(near, 1),
            State::Extreme(None) => Progress {
                bounds: Interval {
                    lower: 0.0,
                    upper: f64::INFINITY,
                },
                intersects: None,
                depth: f64::INFINITY,
                level: 0,
                spent: 0,
                is_final: false,
            },
        }
    }
}

fn searched<'p>(a: &'p Placed<'_>, b: &'p Placed<'_>) -> MeshPairs<'p> {
    let pairs = MeshPairs::new(a, b);
    pairs.expect("a search was begun with the same shapes")
}

/// What is known when everything is. How deep shapes overlap is not.
fn known(near: &Separation, spent: u64) -> Progress {
    let intersects = near.distance <= 0.0;
    Progress {
        bounds: near.bounds,
        intersects: Some(intersects),
        depth: if intersects { f64::INFINITY } else { 0.0 },
        level: 0,
        spent,
        is_final: true,
    }
}
