//! Closest-feature tracking against the exact path: random and coherent pairs, contacts of every kind, every start.

mod caches;
mod coherent;
mod contacts;
mod extremes;

use crate::cases::{Case, random_case, rng};
use impinge::exact::hull_distance;
use impinge::narrow::lin_canny::{DirectionTable, FeatureCache, Start, TrackedSeparation, closest};
use impinge::{Feature, Separation, Vec3};
use rand::RngExt;

/// What queries cost.
#[derive(Debug, Default)]
struct Tally {
    queries: u32,
    intersecting: u32,
    fell_back: u32,
    most_steps: u32,
}

impl Tally {
    fn add(&mut self, found: &TrackedSeparation) {
        self.queries += 1;
        self.intersecting += u32::from(found.separation.distance == 0.0);
        self.fell_back += u32::from(found.fell_back);
        self.most_steps = self.most_steps.max(found.steps);
    }

    /// Prints the tally (seen with `--nocapture`).
    fn print(&self, name: &str) {
        let share = 100.0 * f64::from(self.fell_back) / f64::from(self.queries);
        println!("lin-canny, {name}: {self:?}, {share:.2} % fell back");
    }
}

impl Case {
    fn closest(&self, start: Start<'_>, cache: &mut FeatureCache) -> TrackedSeparation {
        closest(&self.a, &self.pose_a, &self.b, &self.pose_b, start, cache)
    }

    /// Asks once and compares with the exact path; whether the polytopes intersect.
    fn check_start(&self, start: Start<'_>, cache: &mut FeatureCache, tally: &mut Tally) -> bool {
        let found = self.closest(start, cache);
        tally.add(&found);
        let [p, q] = self.placed();
        self.compare(&found, &p, &q)
    }

    fn compare(&self, found: &TrackedSeparation, p: &[Vec3], q: &[Vec3]) -> bool {
        let exact = hull_distance(p, q);
        let truth = exact.is_intersecting();
        let near = &found.separation;
        assert_eq!(near.distance == 0.0, truth, "{found:?} {exact:?}");
        assert!(
            near.bounds.lower <= exact.bounds.upper,
            "{found:?} {exact:?}"
        );
        assert!(
            exact.bounds.lower <= near.bounds.upper,
            "{found:?} {exact:?}"
        );
        assert!(near.bounds.contains(near.distance));
        let scale = (p.iter().chain(q)).fold(0.0_f64, |scale, v| scale.max(v.abs().max_element()));
        assert!(near.bounds.width() <= 1e-12 * scale, "{found:?}");
        let between = near.witness.a.distance(near.witness.b);
        assert!(
            (between - near.distance).abs() <= 1e-11 * scale,
            "{found:?}"
        );
        self.check_points(near, p, q, scale);
        // 64 and one for each vertex on the walk, one for each face in the cones.
        let vertices = (p.len() + q.len()) as u32;
        assert!(found.steps <= 64 + 3 * vertices, "{} steps", found.steps);
        truth
    }

    /// The witness points are on the features they are said to be on.
    fn check_points(&self, near: &Separation, p: &[Vec3], q: &[Vec3], scale: f64) {
        let sides = [
            (&self.a, p, near.witness.a, near.features[0]),
            (&self.b, q, near.witness.b, near.features[1]),
        ];
        for (polytope, placed, point, feature) in sides {
            let corners: Vec<u32> = match feature {
                Feature::Vertex(v) => vec![v],
                Feature::Edge(e) => polytope.edges()[e as usize].vertices.to_vec(),
                Feature::Face(f) => polytope.face(f as usize).to_vec(),
                Feature::Inside if near.distance == 0.0 => {
                    (0..polytope.vertices().len() as u32).collect()
                }
                Feature::Surface | Feature::Inside => panic!("apart, yet {feature:?}"),
            };
            let corners: Vec<Vec3> = corners.iter().map(|v| placed[*v as usize]).collect();
            let off = hull_distance(&corners, &[point]).distance;
            assert!(off <= 1e-9 * scale, "witness {off} off {feature:?}");
        }
    }

    /// All three starts, each compared with the exact path; whether the polytopes intersect.
    fn check_starts(&self, seed: u64, tally: &mut Tally) -> bool {
        let tables = [&self.a, &self.b].map(|p| DirectionTable::new(p, 4).unwrap());
        let mut cache = FeatureCache::default();
        let found = [
            self.closest(Start::Random(seed), &mut cache),
            self.closest(Start::Table([&tables[0], &tables[1]]), &mut cache),
            self.closest(Start::Previous, &mut cache),
            self.closest(Start::Previous, &mut FeatureCache::default()),
        ];
        let [p, q] = self.placed();
        let truths = found.map(|found| {
            tally.add(&found);
            self.compare(&found, &p, &q)
        });
        for pair in found.windows(2) {
            let [first, second] = [pair[0], pair[1]].map(|found| found.separation.bounds);
            assert!(first.lower <= second.upper && second.lower <= first.upper);
        }
        truths[0]
    }
}

#[test]
fn random_pairs_from_every_start() {
    let rounds = if crate::is_full() { 100_000 } else { 1000 };
    let (mut rng, mut tally) = (rng(101), Tally::default());
    for round in 0..rounds {
        let distance = 3.2 * f64::from(round % 100) / 100.0;
        random_case(&mut rng, distance).check_starts(rng.random(), &mut tally);
    }
    tally.print("random pairs");
    assert!((tally.queries / 4..3 * tally.queries / 4).contains(&tally.intersecting));
    assert!(tally.fell_back * 200 <= tally.queries, "{tally:?}");
    assert!(tally.most_steps <= 100, "{tally:?}");
}
