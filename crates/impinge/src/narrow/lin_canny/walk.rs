//! The walk from feature pair to feature pair.
//!
//! **Termination.** Every pair of features has one computed squared distance, [`Nearest::squared`]. A step is taken only to
//! a pair whose value is strictly less, as `f64` numbers, than that of the pair before. So no pair comes twice, and there
//! are finitely many. This does not depend on how well the values are rounded: rounding can only end a walk early, and then
//! the answer is not certified. A limit on the number of steps, linear in the number of vertices, keeps the worst case away.
//!
//! **Local minima.** A vertex `q` of one body behind a face `F` of the other is the one place where a walk can stand still
//! without having the closest points. Either `q` is inside: the walk ends. Or it is outside, in front of another face that
//! the [cone](super::interior) of `q` ends in; then the way from `q` to its foot on `F` comes out of the inside at the end
//! and so crosses the surface before, hence the feature nearest to `q` is nearer than `F`. A second walk, with `q` kept,
//! finds it from the new face.

use super::interior::Cone;
use super::nearest::Nearest;
use super::part::Part;
use super::region::Region;
use crate::narrow::side::Side;

/// Two placed polytopes and the features where the walk stands.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    pub(super) sides: [Side<'a>; 2],
    pub(super) at: Nearest,
    pub(super) steps: u32,
    limit: u32,
}

/// How a walk ended.
#[derive(Debug, Clone, Copy)]
pub(super) enum End {
    /// No neighbour is nearer, or the limit is reached.
    Settled,
    /// The features cross each other, as far as rounding can tell.
    Crossing,
    /// The vertex of the other side is inside this side, as far as rounding can tell.
    Inside {
        /// 0 for `a`, 1 for `b`.
        side: usize,
        /// The cone that the vertex is in.
        cone: Cone,
    },
}

enum Step {
    Taken,
    NotTaken,
    Inside { side: usize, cone: Cone },
}

impl<'a> Walk<'a> {
    pub(super) fn new(sides: [Side<'a>; 2], parts: [Part; 2]) -> Walk<'a> {
        let [a, b] = &sides;
        let vertices = a.polytope.vertices().len() + b.polytope.vertices().len();
        Walk {
            at: Nearest::of([a, b], parts),
            sides,
            steps: 0,
            limit: STEPS + vertices as u32,
        }
    }

    /// Steps until no neighbour is nearer.
    pub(super) fn run(&mut self) -> End {
        while self.steps < self.limit {
            if self.at.squared == 0.0 {
                return End::Crossing;
            }
            let step = match self.step(0) {
                Step::NotTaken => self.step(1),
                step @ (Step::Taken | Step::Inside { .. }) => step,
            };
            match step {
                Step::Taken => {}
                Step::NotTaken => break,
                Step::Inside { side, cone } => return End::Inside { side, cone },
            }
        }
        End::Settled
    }

    /// One step on one side.
    fn step(&mut self, side: usize) -> Step {
        let next = match self.region(&self.at, side) {
            Region::Within => return Step::NotTaken,
            Region::Past(part) => self.with_part(&self.at, side, part),
            Region::Behind => {
                let cone = self.cone(side);
                if cone.is_inside() {
                    return Step::Inside { side, cone };
                }
                self.nearest_to_vertex(side, cone.face)
            }
        };
        self.steps += 1;
        if next.squared < self.at.squared {
            self.at = next;
            Step::Taken
        } else {
            Step::NotTaken
        }
    }

    /// The region of one side's part that the other side's point is in.
    fn region(&self, at: &Nearest, side: usize) -> Region {
        let toward = if side == 0 {
            at.direction
        } else {
            -at.direction
        };
        let here = &self.sides[side];
        Region::of(here.polytope, at.parts[side], here.local(toward))
    }

    fn with_part(&self, at: &Nearest, side: usize, part: Part) -> Nearest {
        let mut parts = at.parts;
        parts[side] = part;
        Nearest::of([&self.sides[0], &self.sides[1]], parts)
    }

    /// The cone of the side that the other side's point, a vertex behind a face, is in.
    fn cone(&mut self, side: usize) -> Cone {
        let start = match self.at.parts[side] {
            Part::Face(face) => face,
            Part::Vertex(_) | Part::Edge(_) => 0,
        };
        let cone = Cone::around(self.at.points[1 - side], &self.sides[side], start);
        self.steps += cone.steps;
        cone
    }

    /// The walk on one side towards the vertex of the other, from a face that the vertex is in front of.
    fn nearest_to_vertex(&mut self, side: usize, face: u32) -> Nearest {
        let mut at = self.with_part(&self.at, side, Part::Face(face));
        while self.steps < self.limit
            && let Region::Past(part) = self.region(&at, side)
        {
            let next = self.with_part(&at, side, part);
            self.steps += 1;
            if next.squared < at.squared {
                at = next;
            } else {
                break;
            }
        }
        at
    }
}

/// Steps that every walk may take, besides one for each vertex.
const STEPS: u32 = 64;
