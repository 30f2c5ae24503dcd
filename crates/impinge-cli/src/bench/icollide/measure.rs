//! One point of a graph: a recorded motion through three arrangements.

use crate::engine::{self, Choices, Frame, Question};
use impinge::bound::BoxKind;
use impinge::broad::BroadPhaseKind;
use impinge::query::Method;
use impinge::{Error, Pair, Pose, Shape};
use impinge_scenes::multi_body::{MultiBody, MultiBodyOptions};

/// Frames before the clock counts.
const WARM_UP: usize = 5;

/// How boxes, pairs and answers are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrangement {
    /// The source's: fixed cubes, three sorted lists, closest features tracked.
    Fixed,
    /// The same with the tightest boxes.
    Dynamic,
    /// The world as it is by default.
    Default,
}

impl Arrangement {
    pub(super) const ALL: [Arrangement; 3] = [
        Arrangement::Fixed,
        Arrangement::Dynamic,
        Arrangement::Default,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Arrangement::Fixed => "fixed",
            Arrangement::Dynamic => "dynamic",
            Arrangement::Default => "default",
        }
    }

    /// A few words for people.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Arrangement::Fixed => "I-COLLIDE, fixed cubes",
            Arrangement::Dynamic => "I-COLLIDE, dynamic boxes",
            Arrangement::Default => "Impinge's default",
        }
    }

    fn choices(self) -> Choices {
        let source = Choices {
            query: Question::Intersects,
            boxes: BoxKind::Fixed,
            broad: BroadPhaseKind::Sweep,
            narrow: Method::LinCanny,
            threads: 1,
        };
        match self {
            Arrangement::Fixed => source,
            Arrangement::Dynamic => Choices {
                boxes: BoxKind::Dynamic,
                ..source
            },
            Arrangement::Default => Choices {
                boxes: BoxKind::default(),
                broad: BroadPhaseKind::default(),
                narrow: Method::Default,
                ..source
            },
        }
    }
}

/// What all arrangements came to at one value of the parameter.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) value: f64,
    /// Pairs that intersect, a frame: the same for all.
    pub(super) intersecting: f64,
    /// In the order of [`Arrangement::ALL`].
    pub(super) entries: Vec<Entry>,
}

impl Point {
    /// The median of some measurements of one point, stage by stage. The work is the same in all.
    pub(super) fn median(rounds: &[Point]) -> Point {
        let entry = |place: usize| {
            let stage = |of: fn(&Entry) -> f64| {
                median(rounds.iter().map(|round| of(&round.entries[place])))
            };
            Entry {
                boxes: stage(|entry| entry.boxes),
                pairs: stage(|entry| entry.pairs),
                contacts: stage(|entry| entry.contacts),
                ..rounds[0].entries[place]
            }
        };
        Point {
            entries: (0..Arrangement::ALL.len()).map(entry).collect(),
            ..rounds[0].clone()
        }
    }

    pub(super) fn entry(&self, of: Arrangement) -> &Entry {
        &self.entries[of as usize]
    }
}

/// What one arrangement came to: seconds a frame by stage, each the median of all frames, and the mean work of a frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) boxes: f64,
    pub(super) pairs: f64,
    pub(super) contacts: f64,
    /// Pairs of boxes that overlap.
    pub(super) candidates: f64,
    /// Exchanges in sorted lists.
    pub(super) swaps: f64,
    /// Features tried on the way to the closest ones.
    pub(super) feature_steps: f64,
}

impl Entry {
    fn new(frames: &[Frame]) -> Entry {
        let counted = &frames[WARM_UP..];
        let median = |stage: fn(&Frame) -> f64| median(counted.iter().map(stage));
        let mean = |sum: u64| sum as f64 / counted.len() as f64;
        let candidates = counted.iter().map(|frame| frame.candidates as u64);
        let swaps = |frame: &Frame| frame.broad.swaps;
        Entry {
            boxes: median(|frame| frame.boxes.as_secs_f64()),
            pairs: median(|frame| frame.pairs.as_secs_f64()),
            contacts: median(|frame| frame.contacts.as_secs_f64()),
            candidates: mean(candidates.sum()),
            swaps: mean(swaps(&frames[frames.len() - 1]) - swaps(&frames[WARM_UP - 1])),
            feature_steps: mean(counted.iter().map(|frame| frame.feature_steps).sum()),
        }
    }

    /// Seconds of all stages together.
    pub(super) fn total(&self) -> f64 {
        self.boxes + self.pairs + self.contacts
    }
}

fn median(times: impl Iterator<Item = f64>) -> f64 {
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Measures one point. An error when two arrangements do not find the same pairs.
pub(super) fn measure(
    options: &MultiBodyOptions,
    value: f64,
    frames: usize,
) -> Result<Point, String> {
    let motion = Motion::record(options, WARM_UP + frames).map_err(|error| error.to_string())?;
    let intersecting: usize = motion.pairs[WARM_UP..].iter().map(Vec::len).sum();
    let entries = Arrangement::ALL.map(|arrangement| {
        let frames = motion.replay(arrangement);
        Ok(Entry::new(&frames.map_err(|problem| {
            format!("{}: {problem}", arrangement.name())
        })?))
    });
    Ok(Point {
        value,
        intersecting: intersecting as f64 / frames as f64,
        entries: entries.into_iter().collect::<Result<_, String>>()?,
    })
}

/// Where all bodies are in all frames, and which of them intersect.
struct Motion {
    shapes: Vec<Shape>,
    poses: Vec<Vec<Pose>>,
    pairs: Vec<Vec<Pair>>,
}

impl Motion {
    /// Lets the simulation run; pairs that intersect exchange their velocities.
    fn record(options: &MultiBodyOptions, frames: usize) -> Result<Motion, Error> {
        let mut scene = MultiBody::new(options)?;
        let bodies = 0..scene.len();
        let shapes = bodies.clone();
        let shapes = shapes.map(|body| Shape::Polytope(scene.polytope(body).clone()));
        let shapes: Vec<Shape> = shapes.collect();
        let mut engine = engine::engine(&Arrangement::Default.choices(), shapes.clone())?;
        let mut motion = Motion {
            shapes,
            poses: Vec::new(),
            pairs: Vec::new(),
        };
        for _ in 0..frames {
            scene.step();
            let poses: Vec<Pose> = bodies.clone().map(|body| scene.pose(body)).collect();
            let mut pairs = Vec::new();
            engine.frame(&poses)?;
            engine.intersecting(&mut pairs);
            for pair in &pairs {
                let [a, b] = [pair.a(), pair.b()].map(|body| body.index() as usize);
                scene.exchange_velocities(a, b);
            }
            motion.poses.push(poses);
            motion.pairs.push(pairs);
        }
        Ok(motion)
    }

    /// Goes through all frames in one arrangement. An error when it finds other pairs than those recorded.
    fn replay(&self, arrangement: Arrangement) -> Result<Vec<Frame>, String> {
        let engine = engine::engine(&arrangement.choices(), self.shapes.clone());
        let mut engine = engine.map_err(|error| error.to_string())?;
        let mut frames = Vec::new();
        let mut found = Vec::new();
        for (number, (poses, pairs)) in self.poses.iter().zip(&self.pairs).enumerate() {
            frames.push(engine.frame(poses).map_err(|error| error.to_string())?);
            engine.intersecting(&mut found);
            if found != *pairs {
                return Err(format!("other pairs than the default in frame {number}"));
            }
        }
        Ok(frames)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::Vec3;

    fn crowd() -> Motion {
        let options = MultiBodyOptions {
            bodies: 40,
            density_percent: 20.0,
            ..MultiBodyOptions::default()
        };
        Motion::record(&options, 8).unwrap()
    }

    #[test]
    fn arrangements_stand_where_they_are_looked_for() {
        for (place, arrangement) in Arrangement::ALL.into_iter().enumerate() {
            assert_eq!(arrangement as usize, place);
        }
    }

    #[test]
    fn each_stage_counts_by_its_median_round() {
        let round = |boxes: f64, contacts: f64| {
            let entry = Entry {
                boxes,
                pairs: 1.0,
                contacts,
                candidates: 7.0,
                swaps: 8.0,
                feature_steps: 9.0,
            };
            Point {
                value: 20.0,
                intersecting: 3.0,
                entries: vec![entry; 3],
            }
        };
        let point = Point::median(&[round(5.0, 30.0), round(90.0, 10.0), round(6.0, 20.0)]);
        let entry = point.entry(Arrangement::Dynamic);
        assert!((entry.total() - (6.0 + 1.0 + 20.0)).abs() < 1e-12);
        assert!((entry.candidates - 7.0).abs() < 1e-12);
    }

    #[test]
    fn all_arrangements_find_the_pairs_of_a_crowd() {
        let motion = crowd();
        assert!(motion.pairs.iter().map(Vec::len).sum::<usize>() > 20);
        for arrangement in Arrangement::ALL {
            let frames = motion.replay(arrangement).unwrap();
            assert_eq!(frames.len(), 8);
        }
    }

    #[test]
    fn other_pairs_are_noticed() {
        let mut motion = crowd();
        let last = motion.poses.len() - 1;
        let far = |k: usize| Pose::from_translation(Vec3::X * (10.0 * k as f64)).unwrap();
        motion.poses[last] = (0..motion.shapes.len()).map(far).collect();
        let problem = motion.replay(Arrangement::Fixed).unwrap_err();
        assert!(problem.contains("frame 7"), "{problem}");
    }
}
