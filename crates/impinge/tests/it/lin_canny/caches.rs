//! Wrong caches and tables cost time only.

use super::Tally;
use crate::cases::{Case, direction, random_case, rng};
use impinge::narrow::lin_canny::{DirectionTable, FeatureCache, Start};
use impinge::{Feature, Polytope, Vec3};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

fn any_feature(rng: &mut ChaCha8Rng) -> Feature {
    let index = match rng.random_range(0..3) {
        0 => rng.random_range(0..10),
        1 => rng.random_range(0..200),
        _ => rng.random(),
    };
    match rng.random_range(0..5) {
        0 => Feature::Vertex(index),
        1 => Feature::Edge(index),
        2 => Feature::Face(index),
        3 => Feature::Surface,
        _ => Feature::Inside,
    }
}

#[test]
fn any_features_at_all() {
    let (mut rng, mut tally) = (rng(141), Tally::default());
    for round in 0..300 {
        let case = random_case(&mut rng, 2.5 * f64::from(round % 40) / 40.0);
        for _ in 0..4 {
            let mut cache = FeatureCache::new([any_feature(&mut rng), any_feature(&mut rng)]);
            case.check_start(Start::Previous, &mut cache, &mut tally);
        }
    }
    tally.print("any features");
    assert!(tally.fell_back * 200 <= tally.queries, "{tally:?}");
}

#[test]
fn caches_and_tables_of_other_polytopes() {
    let (mut rng, mut tally) = (rng(142), Tally::default());
    let cases: Vec<Case> = (0..300)
        .map(|round| random_case(&mut rng, 2.5 * f64::from(round % 40) / 40.0))
        .collect();
    let mut cache = FeatureCache::default();
    for pair in cases.windows(2) {
        let [other, case] = pair else { continue };
        case.check_start(Start::Previous, &mut cache, &mut tally);
        let tables = [&other.a, &other.b].map(|p| DirectionTable::new(p, 3).unwrap());
        let start = Start::Table([&tables[0], &tables[1]]);
        case.check_start(start, &mut FeatureCache::default(), &mut tally);
    }
    tally.print("caches and tables of others");
}

#[test]
fn tables_name_far_vertices() {
    let mut rng = rng(143);
    for _ in 0..50 {
        let case = random_case(&mut rng, 0.0);
        let table = DirectionTable::new(&case.a, 16).unwrap();
        for _ in 0..20 {
            let toward = direction(&mut rng);
            let named = toward.dot(case.a.vertices()[table.vertex(toward) as usize]);
            let far = |v: &Vec3| toward.dot(*v);
            let best = case.a.vertices().iter().map(far).fold(f64::MIN, f64::max);
            // Half the diagonal of a cell is below 2 / 16 radians, the polytope is in the unit ball.
            assert!(best - named <= 2.0 * 2.0 / 16.0, "{best} {named}");
        }
    }
    let cube = Polytope::cuboid(Vec3::ONE).unwrap();
    assert!(DirectionTable::new(&cube, 0).is_err());
    assert!(DirectionTable::new(&cube, 257).is_err());
    let table = DirectionTable::new(&cube, 1).unwrap();
    for direction in [Vec3::ZERO, Vec3::NAN, Vec3::MAX, Vec3::splat(f64::INFINITY)] {
        assert!(table.vertex(direction) < 8);
    }
}
