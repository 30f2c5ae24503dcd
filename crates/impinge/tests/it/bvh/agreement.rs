//! Every volume gives the answers of brute force.

use super::Case;
use crate::cases::rng;
use crate::is_full;
use crate::meshes::soup;
use crate::shapes::kinds::{FAMILIES, poses};
use impinge::bvh::{Bound, Bvh};
use impinge::{Aabb, Pose};
use rand::RngExt;
use std::sync::Arc;

fn check<B: Bound>(case: &Case, what: &str) {
    let [a, b] = case.meshes.clone().map(Bvh::<B>::new);
    case.check([&a, &b], what);
}

#[test]
fn soups_of_all_sizes_agree_with_the_reference() {
    let rounds = if is_full() { 400 } else { 12 };
    let mut rng = rng(161);
    for family in FAMILIES {
        let (mut apart, mut meeting) = (0, 0);
        for round in 0..rounds {
            let counts = [(); 2].map(|()| [1, 3, 4, 5, 9, 40][rng.random_range(0..6)]);
            let meshes = counts.map(|count| Arc::new(soup(&mut rng, count, family)));
            let [p, q] = poses(&mut rng, family);
            for share in [0.25, 1.0, 3.0] {
                let at = p.translation().lerp(q.translation(), share);
                let q = Pose::from_matrix(*q.matrix(), at).unwrap();
                let case = Case::new(&meshes, [p, q]);
                check::<Aabb>(&case, &format!("{family:?} {round}"));
                if case.meet {
                    meeting += 1;
                } else {
                    apart += 1;
                }
            }
        }
        assert!(apart > 0 && meeting > 0, "{family:?}: {apart}, {meeting}");
    }
}
