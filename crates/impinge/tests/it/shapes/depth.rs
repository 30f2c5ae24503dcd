//! Depths of every pair of kinds: the interval holds the truth, and the move parts the shapes.

use super::kinds::{FAMILIES, Family, HALF_SPACE, KINDS, point, poses, rounded, shape};
use super::{reach_along, scale, size};
use impinge::{Penetration, Placed, Pose, Shape, Vec3, query, reference};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Whether the way out of a pair may be far from unique, without a closed form: a shape with flat spots of its own, or
/// curved shapes in special positions.
fn may_be_wide(kinds: [usize; 2], family: Family) -> bool {
    let is_curved = |kind: usize| (4..=7).contains(&kind);
    let is_special = matches!(
        family,
        Family::Snapped | Family::Nested | Family::Degenerate
    );
    kinds.contains(&7) || kinds.into_iter().any(is_curved) && is_special
}

fn check(rng: &mut impl Rng, a: Placed<'_>, b: Placed<'_>) -> Option<Penetration> {
    let found = query::penetration(a, b).unwrap();
    assert_eq!(found.is_some(), reference::intersects(a, b), "{a:?} {b:?}");
    let deep = found?;
    assert!(deep.bounds.contains(deep.depth), "{deep:?}");
    assert!((deep.direction.length() - 1.0).abs() < 1e-15);
    let swapped = query::penetration(b, a).unwrap().unwrap();
    assert!(
        deep.bounds.lower <= swapped.bounds.upper && swapped.bounds.lower <= deep.bounds.upper,
        "{deep:?} {swapped:?} {a:?} {b:?}"
    );
    let slack = 1e-13 * scale(&a, &b);
    no_way_is_shorter(rng, a, b, &deep, slack);
    the_move_parts(a, b, &deep, slack);
    Some(deep)
}

/// Along any direction the shapes overlap by at least the lower bound.
fn no_way_is_shorter(
    rng: &mut impl Rng,
    a: Placed<'_>,
    b: Placed<'_>,
    deep: &Penetration,
    slack: f64,
) {
    let mut directions: Vec<Vec3> = (0..60).filter_map(|_| point(rng).try_normalize()).collect();
    for side in [a, b] {
        let m = side.pose.matrix();
        directions.extend([m.x_axis, m.y_axis, m.z_axis].map(Vec3::normalize));
    }
    let near = |d: Vec3, by: f64| (deep.direction + d * by).normalize();
    let around: Vec<Vec3> = directions
        .iter()
        .flat_map(|d| [near(*d, 0.1), near(*d, 1e-4)])
        .collect();
    directions.extend(around);
    directions.push(deep.direction);
    for d in directions.iter().flat_map(|d| [*d, -*d]) {
        if let (Some(far_a), Some(far_b)) = (reach_along(&a, d), reach_along(&b, -d)) {
            let overlap = far_a + far_b;
            assert!(
                overlap >= deep.bounds.lower - slack,
                "{overlap} along {d}: {deep:?} {a:?} {b:?}"
            );
        }
    }
}

fn moved<'a>(placed: Placed<'a>, by: Vec3) -> Placed<'a> {
    let to = placed.pose.translation() + by;
    placed
        .shape
        .at(Pose::from_matrix(*placed.pose.matrix(), to).unwrap())
}

/// Moved by the upper bound and a little for the rounding of the move itself, they are apart; moved by less than the lower
/// bound, not.
fn the_move_parts(a: Placed<'_>, b: Placed<'_>, deep: &Penetration, slack: f64) {
    let parted = moved(b, deep.direction * (deep.bounds.upper + slack));
    assert!(!reference::intersects(a, parted), "{deep:?} {a:?} {b:?}");
    if deep.bounds.lower > 4.0 * slack {
        let less = moved(b, deep.direction * (deep.bounds.lower - slack));
        assert!(reference::intersects(a, less), "{deep:?} {a:?} {b:?}");
    }
    // Where the depth of a curved shape is known to a width, its witness is known to the root of that.
    let (size, width) = (size_of_bounded(a, b), deep.bounds.width());
    let leaves = deep.witness.b + deep.direction * deep.depth;
    let off = leaves.distance(deep.witness.a);
    assert!(
        off <= 1e-3 * size + 4.0 * width.sqrt() * size.sqrt() + slack,
        "{off}: {deep:?} {a:?} {b:?}"
    );
}

fn size_of_bounded(a: Placed<'_>, b: Placed<'_>) -> f64 {
    size(a.shape) + size(b.shape) + a.pose.translation().distance(b.pose.translation())
}

fn run(family: Family, rounds: u32) {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (mut deep_pairs, mut wide_pairs, mut widest) = (0_u32, 0_u32, 0.0_f64);
    let mut wide_without_reason = 0_u32;
    for kind_a in 0..KINDS {
        for kind_b in 0..KINDS {
            if kind_a == HALF_SPACE && kind_b == HALF_SPACE {
                continue;
            }
            for round in 0..rounds {
                let mut side = |kind: usize, is_rounded: bool| -> Shape {
                    let plain = shape(&mut rng, kind, family);
                    if is_rounded {
                        rounded(&mut rng, plain, family)
                    } else {
                        plain
                    }
                };
                let (a, b) = (side(kind_a, round % 4 == 1), side(kind_b, round % 4 >= 2));
                let [pose_a, pose_b] = poses(&mut rng, family);
                let (a, b) = (a.at(pose_a), b.at(pose_b));
                if let Some(deep) = check(&mut rng, a, b) {
                    deep_pairs += 1;
                    let share = deep.bounds.width() / scale(&a, &b);
                    if share > 1e-12 {
                        wide_pairs += 1;
                        widest = widest.max(share);
                    }
                    // Curved shapes have nearly equal ways out now and then; all others never.
                    let is_curved = [kind_a, kind_b].iter().any(|k| (4..=7).contains(k));
                    assert!(
                        is_curved || share <= 1e-12,
                        "{share:e} {deep:?} {a:?} {b:?}"
                    );
                    if share > 1e-12 && !may_be_wide([kind_a, kind_b], family) {
                        wide_without_reason += 1;
                        assert!(share <= 1e-2, "{share:e} {deep:?} {a:?} {b:?}");
                    }
                }
            }
        }
    }
    println!(
        "{family:?}: {deep_pairs} deep pairs, {wide_pairs} wider than 1e-12 of their size, the widest {widest:e}, {wide_without_reason} without a reason"
    );
    assert!(deep_pairs > 200);
    assert!(
        wide_without_reason * 4 <= deep_pairs,
        "{wide_without_reason} of {deep_pairs}"
    );
}

#[test]
fn all_pairs_are_parted_by_no_less() {
    let rounds = if crate::is_full() { 200 } else { 8 };
    for family in FAMILIES {
        run(family, rounds);
    }
}
