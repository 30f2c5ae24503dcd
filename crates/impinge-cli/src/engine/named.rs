//! A named narrow phase behind a broad phase, pair by pair.
//!
//! With `lin-canny` every pair keeps its closest features for as long as its boxes overlap, and the next frame begins there:
//! the arrangement of Cohen, Lin, Manocha and Ponamgi (I-COLLIDE, 1995). The other methods remember nothing.

use super::{Choices, Engine, Frame, Question};
use impinge::body::BodyIds;
use impinge::bound::TrackedBox;
use impinge::broad::{Box32, BroadPhase, PairChanges};
use impinge::exact;
use impinge::narrow::lin_canny::{self, FeatureCache, Start};
use impinge::query::{self, Method};
use impinge::{BodyId, Error, Pair, Placed, Pose, Shape};
use std::time::Instant;

/// Boxes, a broad phase and a narrow phase.
pub(super) struct Named {
    method: Method,
    query: Question,
    bodies: Vec<BodyId>,
    shapes: Vec<Shape>,
    boxes: Vec<TrackedBox>,
    moved: Vec<(BodyId, Box32)>,
    broad: Box<dyn BroadPhase>,
    changes: PairChanges,
    /// The pairs whose boxes overlap, sorted.
    live: Vec<LivePair>,
    /// Memory for the next list.
    next: Vec<LivePair>,
}

/// A pair whose boxes overlap.
struct LivePair {
    pair: Pair,
    features: FeatureCache,
    does_intersect: bool,
}

impl LivePair {
    fn new(pair: Pair) -> LivePair {
        LivePair {
            pair,
            features: FeatureCache::default(),
            does_intersect: false,
        }
    }
}

impl Named {
    pub(super) fn new(choices: &Choices, shapes: Vec<Shape>) -> Result<Named, Error> {
        if choices.query == Question::Penetration {
            return Err(Error::UnknownName {
                what: "narrow phase for penetration",
                name: choices.narrow.to_string(),
                known: vec![Method::Default.name()],
            });
        }
        let mut ids = BodyIds::default();
        let bodies = shapes
            .iter()
            .map(|_| ids.insert())
            .collect::<Result<_, _>>()?;
        let boxes = shapes
            .iter()
            .map(|shape| TrackedBox::new(shape, choices.boxes));
        Ok(Named {
            method: choices.narrow,
            query: choices.query,
            boxes: boxes.collect(),
            bodies,
            shapes,
            moved: Vec::new(),
            broad: choices.broad.create(),
            changes: PairChanges::default(),
            live: Vec::new(),
            next: Vec::new(),
        })
    }

    fn update_boxes(&mut self, poses: &[Pose]) -> Result<(), Error> {
        self.moved.clear();
        for (k, tracked) in self.boxes.iter_mut().enumerate() {
            let bounds = tracked.at(&self.shapes[k], &poses[k]);
            self.moved.push((self.bodies[k], Box32::around(&bounds)?));
        }
        if self.broad.boxes().is_empty() {
            for (body, bounds) in &self.moved {
                self.broad.insert(*body, *bounds)?;
            }
            return Ok(());
        }
        self.broad.update_many(&self.moved)
    }

    /// Drops the pairs that ended and takes in those that began.
    fn update_pairs(&mut self) {
        self.broad.collect(&mut self.changes);
        let mut began = self.changes.began.iter().copied().peekable();
        let mut ended = self.changes.ended.iter().copied().peekable();
        for live in self.live.drain(..) {
            while let Some(pair) = began.next_if(|pair| *pair < live.pair) {
                self.next.push(LivePair::new(pair));
            }
            if ended.next_if_eq(&live.pair).is_none() {
                self.next.push(live);
            }
        }
        self.next.extend(began.map(LivePair::new));
        std::mem::swap(&mut self.live, &mut self.next);
    }

    fn ask_all(&mut self, poses: &[Pose], frame: &mut Frame) -> Result<(), Error> {
        for live in &mut self.live {
            let [a, b] = [live.pair.a(), live.pair.b()].map(|body| {
                let place = body.index() as usize;
                self.shapes[place].at(poses[place])
            });
            live.does_intersect = match self.query {
                Question::Intersects if self.method != Method::LinCanny => {
                    query::intersects_by(self.method, a, b)?
                }
                Question::Intersects => {
                    distance(self.method, [a, b], &mut live.features, frame)? == 0.0
                }
                Question::Distance | Question::Penetration => {
                    let distance = distance(self.method, [a, b], &mut live.features, frame)?;
                    frame.distance_sum += distance;
                    distance == 0.0
                }
            };
            frame.intersecting += usize::from(live.does_intersect);
        }
        Ok(())
    }
}

/// The distance of two bodies; 0 when they intersect.
fn distance(
    method: Method,
    [a, b]: [Placed<'_>; 2],
    features: &mut FeatureCache,
    frame: &mut Frame,
) -> Result<f64, Error> {
    if method == Method::LinCanny
        && let (Some(p), Some(q)) = (a.shape.as_polytope(), b.shape.as_polytope())
    {
        let found = lin_canny::closest(p, &a.pose, q, &b.pose, Start::Previous, features);
        frame.feature_steps += u64::from(found.steps);
        return Ok(found.separation.distance);
    }
    Ok(query::distance_by(method, a, b)?.distance)
}

impl Engine for Named {
    fn frame(&mut self, poses: &[Pose]) -> Result<Frame, Error> {
        let start = Instant::now();
        self.update_boxes(poses)?;
        let boxed = Instant::now();
        self.update_pairs();
        let paired = Instant::now();
        let before = exact::counts();
        let mut frame = Frame {
            candidates: self.live.len(),
            boxes: boxed - start,
            pairs: paired - boxed,
            broad: self.broad.work(),
            ..Frame::default()
        };
        self.ask_all(poses, &mut frame)?;
        frame.contacts = paired.elapsed();
        frame.decisions = exact::counts() - before;
        Ok(frame)
    }

    fn intersecting(&self, pairs: &mut Vec<Pair>) {
        pairs.clear();
        let touching = self.live.iter().filter(|live| live.does_intersect);
        pairs.extend(touching.map(|live| live.pair));
    }
}
