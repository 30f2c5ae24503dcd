//! One pair, asked in every way.

use super::ORACLE_EVERY;
use super::families::Case;
use crate::mass::claim::{Claim, size};
use crate::oracle;
use impinge::contact::SignedDistance;
use impinge::exact::{Counts, counts, hull_penetration};
use impinge::narrow::depth::cameron;
use impinge::narrow::gjk::{self, GjkCache};
use impinge::narrow::lin_canny::{self, Start};
use impinge::narrow::{
    PairCache, PolytopePair, distance_each, distance_polytopes, intersects_each,
    intersects_polytopes, penetration_polytopes, signed_distance_each,
};
use impinge::{Interval, Penetration, Separation};

/// How many pairs are asked about at once.
const BATCH: usize = 29;

/// What a family showed.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) pairs: usize,
    pub(super) wrong: usize,
    meeting: usize,
    /// Pairs that went to the oracle.
    judged: usize,
    /// The widest intervals, in parts of the size of the coordinates.
    widest_distance: f64,
    widest_depth: f64,
    /// The most steps of a query.
    gjk_steps: u32,
    lin_canny_steps: u32,
    lin_canny_fallbacks: usize,
    /// Which arithmetic decided in the default.
    counts: Counts,
}

impl Tally {
    pub(super) fn plus(&self, other: &Tally) -> Tally {
        Tally {
            pairs: self.pairs + other.pairs,
            wrong: self.wrong + other.wrong,
            meeting: self.meeting + other.meeting,
            judged: self.judged + other.judged,
            widest_distance: self.widest_distance.max(other.widest_distance),
            widest_depth: self.widest_depth.max(other.widest_depth),
            gjk_steps: self.gjk_steps.max(other.gjk_steps),
            lin_canny_steps: self.lin_canny_steps.max(other.lin_canny_steps),
            lin_canny_fallbacks: self.lin_canny_fallbacks + other.lin_canny_fallbacks,
            counts: self.counts + other.counts,
        }
    }

    pub(super) fn head(title: &str) -> String {
        format!(
            "{title:<22}{:>9}{:>9}{:>7}{:>8}{:>10}{:>10}{:>6}{:>6}{:>7}{:>11}{:>8}{:>8}",
            "pairs",
            "meeting",
            "wrong",
            "oracle",
            "distance±",
            "depth±",
            "gjk",
            "l-c",
            "l-c ex",
            "filter",
            "exact",
            "share",
        )
    }

    pub(super) fn line(&self, name: &str) -> String {
        let exact = self.counts.expansion + self.counts.big;
        format!(
            "{name:<22}{:>9}{:>9}{:>7}{:>8}{:>10.1e}{:>10.1e}{:>6}{:>6}{:>7}{:>11}{exact:>8}{:>7.3}%",
            self.pairs,
            self.meeting,
            self.wrong,
            self.judged,
            self.widest_distance,
            self.widest_depth,
            self.gjk_steps,
            self.lin_canny_steps,
            self.lin_canny_fallbacks,
            self.counts.filter,
            100.0 * exact as f64 / self.counts.total().max(1) as f64,
        )
    }

    /// What the columns mean.
    pub(super) fn summary(&self) -> Vec<String> {
        vec![
            "distance±, depth±: widest certified interval in parts of the coordinates".to_owned(),
            "gjk, l-c: most steps of a query; l-c ex: Lin-Canny walks that fell back".to_owned(),
            "filter, exact: queries of the default decided in floating point, or beyond".to_owned(),
        ]
    }
}

/// Asks about pair after pair, with caches that are kept however little they fit.
#[derive(Debug, Default)]
pub(super) struct Checker {
    tally: Tally,
    overlap: PairCache,
    distance: PairCache,
    depth: PairCache,
    gjk: GjkCache,
    lin_canny: lin_canny::FeatureCache,
    batch: Vec<(Case, PairCache, Answers)>,
}

/// What the default says of a pair.
#[derive(Clone, Debug)]
struct Answers {
    intersects: bool,
    near: Separation,
    deep: Option<Penetration>,
}

impl Checker {
    /// Asks in every way.
    pub(super) fn check(&mut self, case: Case) {
        let [p, q] = case.placed();
        let scale = size(p.iter().chain(&q));
        let answers = self.ask_default(&case);
        self.tally.pairs += 1;
        self.tally.meeting += usize::from(answers.intersects);
        self.note_widths(&answers, scale);
        let complaint = disagreement(&case, &answers)
            .or_else(|| self.ask_others(&case, &answers))
            .or_else(|| width_complaint(&answers, scale))
            .or_else(|| self.ask_oracle(&p, &q, &answers, scale));
        self.report(&case, complaint);
        self.batch.push((case, self.distance, answers));
        if self.batch.len() == BATCH {
            self.ask_batch();
        }
    }

    /// The last batch, and the result.
    pub(super) fn finish(mut self) -> Tally {
        self.ask_batch();
        self.tally
    }

    fn report(&mut self, case: &Case, complaint: Option<String>) {
        if let Some(what) = complaint {
            self.tally.wrong += 1;
            println!("WRONG: {what}\n{}", recipe(case));
        }
    }

    /// The default, with kept caches.
    fn ask_default(&mut self, case: &Case) -> Answers {
        let Case {
            a,
            pose_a,
            b,
            pose_b,
        } = case;
        let before = counts();
        let answers = Answers {
            intersects: intersects_polytopes(a, pose_a, b, pose_b, &mut self.overlap),
            near: distance_polytopes(a, pose_a, b, pose_b, &mut self.distance),
            deep: penetration_polytopes(a, pose_a, b, pose_b, &mut self.depth),
        };
        self.tally.counts = self.tally.counts + (counts() - before);
        answers
    }

    fn note_widths(&mut self, answers: &Answers, scale: f64) {
        let tally = &mut self.tally;
        tally.widest_distance = tally
            .widest_distance
            .max(answers.near.bounds.width() / scale);
        if let Some(deep) = &answers.deep {
            tally.widest_depth = tally.widest_depth.max(deep.bounds.width() / scale);
        }
    }

    /// The methods that have names.
    fn ask_others(&mut self, case: &Case, answers: &Answers) -> Option<String> {
        let Case {
            a,
            pose_a,
            b,
            pose_b,
        } = case;
        let by_gjk = gjk::distance(a.as_ref(), pose_a, b.as_ref(), pose_b, &mut self.gjk);
        self.tally.gjk_steps = self.tally.gjk_steps.max(by_gjk.steps);
        if !overlap(by_gjk.bounds, answers.near.bounds) {
            return Some(format!(
                "gjk {:?}, default {:?}",
                by_gjk.bounds, answers.near
            ));
        }
        let tracked =
            lin_canny::closest(a, pose_a, b, pose_b, Start::Previous, &mut self.lin_canny);
        self.tally.lin_canny_steps = self.tally.lin_canny_steps.max(tracked.steps);
        self.tally.lin_canny_fallbacks += usize::from(tracked.fell_back);
        let says_yes = tracked.separation.distance == 0.0;
        if says_yes != answers.intersects
            || !overlap(tracked.separation.bounds, answers.near.bounds)
        {
            return Some(format!("lin-canny {tracked:?}, default {:?}", answers.near));
        }
        let estimate = cameron::estimate_depth(a, pose_a, b, pose_b, &self.depth);
        match (&estimate, &answers.deep) {
            (None, None) => None,
            (Some(estimate), Some(deep)) if overlap(estimate.bounds, deep.bounds) => None,
            _ => Some(format!("cameron {estimate:?}, default {:?}", answers.deep)),
        }
    }

    /// Exact arithmetic, for some.
    fn ask_oracle(
        &mut self,
        p: &[impinge::Vec3],
        q: &[impinge::Vec3],
        answers: &Answers,
        scale: f64,
    ) -> Option<String> {
        if !self.tally.pairs.is_multiple_of(ORACLE_EVERY) {
            return None;
        }
        self.tally.judged += 1;
        let meets = oracle::hulls_meet(p, q);
        if meets != answers.intersects {
            return Some(format!("the oracle says {meets}"));
        }
        let claim = Claim {
            distance: answers.near.distance,
            bounds: answers.near.bounds,
            witness: answers.near.witness,
        };
        let truth = oracle::hull_distance(p, q);
        claim.complaint(&truth, scale).or_else(|| {
            let exact = hull_penetration(p, q);
            match (&exact, &answers.deep) {
                (None, None) => None,
                (Some(exact), Some(deep)) if overlap(exact.bounds, deep.bounds) => None,
                _ => Some(format!("exact depth {exact:?}, default {:?}", answers.deep)),
            }
        })
    }

    /// Many pairs at once give the same answers as each by itself.
    fn ask_batch(&mut self) {
        let mut batch = std::mem::take(&mut self.batch);
        let mut said = vec![(false, None, None); batch.len()];
        let mut pairs: Vec<PolytopePair<'_>> = batch
            .iter_mut()
            .map(|(case, cache, _)| PolytopePair {
                a: &case.a,
                pose_a: &case.pose_a,
                b: &case.b,
                pose_b: &case.pose_b,
                cache,
            })
            .collect();
        intersects_each(&mut pairs, |k, answer| said[k].0 = answer);
        distance_each(&mut pairs, |k, answer| said[k].1 = Some(answer));
        signed_distance_each(&mut pairs, |k, answer| said[k].2 = Some(answer));
        for ((case, _, answers), (intersects, near, signed)) in batch.iter().zip(&said) {
            let agrees = *intersects == answers.intersects
                && near.is_some_and(|near| {
                    overlap(near.bounds, answers.near.bounds)
                        && (near.distance == 0.0) == answers.intersects
                })
                && match (signed, &answers.deep) {
                    (Some(SignedDistance::Apart(apart)), None) => {
                        overlap(apart.bounds, answers.near.bounds)
                    }
                    (Some(SignedDistance::Overlapping(deep)), Some(alone)) => {
                        overlap(deep.bounds, alone.bounds)
                    }
                    _ => false,
                };
            let complaint =
                format!("at once {intersects} {near:?} {signed:?}, by itself {answers:?}");
            self.report(case, (!agrees).then_some(complaint));
        }
    }
}

/// Whether the default contradicts itself: without a cache, or between its questions.
fn disagreement(case: &Case, answers: &Answers) -> Option<String> {
    let Case {
        a,
        pose_a,
        b,
        pose_b,
    } = case;
    let cold = || PairCache::default();
    let booleans = [
        answers.intersects,
        intersects_polytopes(a, pose_a, b, pose_b, &mut cold()),
        intersects_polytopes(b, pose_b, a, pose_a, &mut cold()),
        answers.near.distance == 0.0,
        answers.deep.is_some(),
    ];
    if booleans != [answers.intersects; 5] {
        return Some(format!("booleans {booleans:?}"));
    }
    let near = distance_polytopes(a, pose_a, b, pose_b, &mut cold());
    if !overlap(near.bounds, answers.near.bounds) {
        return Some(format!("cold {near:?}, kept {:?}", answers.near));
    }
    let deep = penetration_polytopes(b, pose_b, a, pose_a, &mut cold());
    match (&deep, &answers.deep) {
        (None, None) => None,
        (Some(deep), Some(kept)) if overlap(deep.bounds, kept.bounds) => None,
        _ => Some(format!("cold {deep:?}, kept {:?}", answers.deep)),
    }
}

fn width_complaint(answers: &Answers, scale: f64) -> Option<String> {
    let near = &answers.near;
    if near.bounds.width() > 1e-12 * scale || !near.bounds.contains(near.distance) {
        return Some(format!("bounds of the distance: {near:?}"));
    }
    let deep = answers.deep.as_ref()?;
    let is_fine = deep.bounds.width() <= 1e-12 * scale && deep.bounds.contains(deep.depth);
    (!is_fine).then(|| format!("bounds of the depth: {deep:?}"))
}

fn overlap(p: Interval, q: Interval) -> bool {
    p.lower <= q.upper && q.lower <= p.upper
}

/// A pair in a form that can be pasted into a test.
fn recipe(case: &Case) -> String {
    format!(
        "a {:?} at {:?}\nb {:?} at {:?}",
        case.a.vertices(),
        case.pose_a,
        case.b.vertices(),
        case.pose_b
    )
}
