//! Polytope pairs of a crowded cube, frame by frame: nanoseconds a candidate pair, and whether the answers are right.
//!
//! The work is the multi-body scene of I-COLLIDE (1995) as [`Crowd`] prepares it: a thousand polytopes, each moving a tenth
//! of its radius and turning ten degrees a frame; a pair is a candidate while its boxes overlap.
//!
//! | column | what |
//! |---|---|
//! | `each` | coherent, all candidates of a frame in one call: how a world asks |
//! | `single` | coherent, one call a pair |
//! | `cold` | all candidates in one call, nothing remembered |
//! | `exact` | decisions by big integers, in per cent of the candidates |
//!
//! `cargo bench --bench convex_pairs -- [REPEATS [intersects|distance|signed]...]`. Each frame is timed by itself and the
//! fastest of the repeats is counted, so that a busy machine disturbs little. Before that every `each` answer is
//! compared with the exact path: all booleans, and one distance or depth in sixteen.

use impinge::exact::{counts, hull_distance, hull_penetration, hulls_intersect};
use impinge::narrow::{
    PairCache, PolytopePair, distance_each, distance_polytopes, intersects_each,
    intersects_polytopes, signed_distance_each, signed_distance_polytopes,
};
use impinge::{Interval, SignedDistance, Vec3};
use impinge_scenes::crowd::Crowd;
use impinge_scenes::multi_body::MultiBodyOptions;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

const FRAMES: usize = 60;
/// One distance or depth of so many is compared with the exact one.
const CHECKED: usize = 16;
/// Faces of each polytope, and their volume in per cent of the cube.
const SCENES: [(usize, f64); 3] = [(36, 1.0), (36, 10.0), (500, 1.0)];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Question {
    Intersects,
    Distance,
    Signed,
}

const QUESTIONS: [(&str, Question); 3] = [
    ("intersects", Question::Intersects),
    ("distance", Question::Distance),
    ("signed", Question::Signed),
];

fn main() -> ExitCode {
    let mut repeats = 10;
    let mut asked = Vec::new();
    // Cargo adds an option of its own.
    for argument in std::env::args().skip(1).filter(|a| !a.starts_with("--")) {
        let question = QUESTIONS.iter().find(|(name, _)| *name == argument);
        match (argument.parse(), question) {
            (Ok(number), _) => repeats = number,
            (Err(_), Some(question)) => asked.push(*question),
            (Err(_), None) => {
                eprintln!("{argument}: neither a number of repeats nor a question");
                return ExitCode::from(2);
            }
        }
    }
    if asked.is_empty() {
        asked.extend(QUESTIONS);
    }
    println!("ns a candidate  candidates  overlap  question      each  single    cold   exact");
    for (faces, density_percent) in SCENES {
        let options = MultiBodyOptions {
            faces,
            density_percent,
            ..MultiBodyOptions::default()
        };
        let crowd = Crowd::simulate(&options, FRAMES).expect("the options are in range");
        let truth = Truth::of(&crowd);
        for (name, question) in &asked {
            truth.check(&crowd, *question);
            let [each, single, cold, exact] = measure(&crowd, *question, repeats);
            println!(
                "{faces:3} faces, {density_percent:2} %  {:10}   {:4.1} %  {name:10} {each:7.1} {single:7.1} {cold:7.1}  {exact:.2} %",
                crowd.candidate_count(),
                truth.overlap_percent(),
            );
        }
    }
    ExitCode::SUCCESS
}

/// The columns of the table.
fn measure(crowd: &Crowd, question: Question, repeats: usize) -> [f64; 4] {
    let before = counts().big;
    run(crowd, true, |pairs| ask_each(question, pairs));
    let exact = (counts().big - before) as f64 * 100.0 / crowd.candidate_count() as f64;
    let fastest = |is_coherent: bool, ask: &dyn Fn(&mut [PolytopePair<'_>])| {
        let mut frames = vec![f64::INFINITY; FRAMES];
        for _ in 0..repeats {
            let times = run(crowd, is_coherent, ask);
            for (fastest, time) in frames.iter_mut().zip(times) {
                *fastest = fastest.min(time);
            }
        }
        frames.iter().sum::<f64>() * 1e9 / crowd.candidate_count() as f64
    };
    [
        fastest(true, &|pairs| ask_each(question, pairs)),
        fastest(true, &|pairs| ask_single(question, pairs)),
        fastest(false, &|pairs| ask_each(question, pairs)),
        exact,
    ]
}

/// Asks about all frames in order; the seconds of each.
fn run(crowd: &Crowd, is_coherent: bool, ask: impl Fn(&mut [PolytopePair<'_>])) -> Vec<f64> {
    let mut caches = vec![PairCache::default(); crowd.pair_count()];
    let frames = crowd.frames().iter();
    let times = frames.map(|frame| {
        if !is_coherent {
            caches.fill(PairCache::default());
        }
        // The poses are fresh in a running program.
        let poses = frame.poses.clone();
        let pairs = crowd.pairs(&frame.candidates, &poses, &mut caches);
        let mut pairs: Vec<PolytopePair<'_>> = pairs.collect();
        let start = Instant::now();
        ask(&mut pairs);
        start.elapsed().as_secs_f64()
    });
    times.collect()
}

fn ask_each(question: Question, pairs: &mut [PolytopePair<'_>]) {
    match question {
        Question::Intersects => intersects_each(pairs, |_, answer| {
            black_box(answer);
        }),
        Question::Distance => distance_each(pairs, |_, answer| {
            black_box(answer);
        }),
        Question::Signed => signed_distance_each(pairs, |_, answer| {
            black_box(answer);
        }),
    }
}

fn ask_single(question: Question, pairs: &mut [PolytopePair<'_>]) {
    for p in pairs {
        match question {
            Question::Intersects => {
                black_box(intersects_polytopes(p.a, p.pose_a, p.b, p.pose_b, p.cache));
            }
            Question::Distance => {
                black_box(distance_polytopes(p.a, p.pose_a, p.b, p.pose_b, p.cache));
            }
            Question::Signed => {
                black_box(signed_distance_polytopes(
                    p.a, p.pose_a, p.b, p.pose_b, p.cache,
                ));
            }
        }
    }
}

/// What the exact path says about the candidates of all frames, in order.
struct Truth(Vec<Fact>);

struct Fact {
    intersects: bool,
    /// Minus the depth, or the distance, where it was found out.
    signed: Option<Interval>,
}

impl Truth {
    fn of(crowd: &Crowd) -> Truth {
        let frames = crowd.frames().iter();
        let candidates = frames.flat_map(|f| f.candidates.iter().map(move |c| (f, *c)));
        let facts = candidates.enumerate().map(|(k, (frame, candidate))| {
            let [a, b] = [candidate.a, candidate.b].map(|body| {
                let vertices = crowd.polytope(body).vertices().iter();
                let placed = vertices.map(|v| frame.poses[body as usize].place(*v));
                placed.collect::<Vec<Vec3>>()
            });
            Fact {
                intersects: hulls_intersect(&a, &b),
                signed: k.is_multiple_of(CHECKED).then(|| signed(&a, &b)),
            }
        });
        Truth(facts.collect())
    }

    fn overlap_percent(&self) -> f64 {
        let overlapping = self.0.iter().filter(|fact| fact.intersects).count();
        100.0 * overlapping as f64 / self.0.len() as f64
    }

    /// Compares the coherent answers.
    fn check(&self, crowd: &Crowd, question: Question) {
        let mut caches = vec![PairCache::default(); crowd.pair_count()];
        let mut facts = &self.0[..];
        for frame in crowd.frames() {
            let (now, later) = facts.split_at(frame.candidates.len());
            facts = later;
            let pairs = crowd.pairs(&frame.candidates, &frame.poses, &mut caches);
            let mut pairs: Vec<PolytopePair<'_>> = pairs.collect();
            match question {
                Question::Intersects => intersects_each(&mut pairs, |k, answer| {
                    assert_eq!(answer, now[k].intersects, "candidate {k}");
                }),
                Question::Distance => distance_each(&mut pairs, |k, answer| {
                    let is_zero = answer.bounds.upper <= 0.0;
                    assert_eq!(is_zero, now[k].intersects, "candidate {k}: {answer:?}");
                    if !is_zero {
                        now[k].check_signed(answer.bounds);
                    }
                }),
                Question::Signed => signed_distance_each(&mut pairs, |k, answer| {
                    let (intersects, bounds) = match answer {
                        SignedDistance::Apart(apart) => (false, apart.bounds),
                        SignedDistance::Overlapping(deep) => (true, negative(deep.bounds)),
                    };
                    assert_eq!(intersects, now[k].intersects, "candidate {k}: {answer:?}");
                    now[k].check_signed(bounds);
                }),
            }
        }
    }
}

impl Fact {
    fn check_signed(&self, found: Interval) {
        if let Some(exact) = self.signed {
            assert!(
                found.lower <= exact.upper && exact.lower <= found.upper,
                "{found:?} misses {exact:?}"
            );
        }
    }
}

fn signed(a: &[Vec3], b: &[Vec3]) -> Interval {
    match hull_penetration(a, b) {
        Some(deep) => negative(deep.bounds),
        None => hull_distance(a, b).bounds,
    }
}

fn negative(depth: Interval) -> Interval {
    Interval {
        lower: -depth.upper,
        upper: -depth.lower,
    }
}
