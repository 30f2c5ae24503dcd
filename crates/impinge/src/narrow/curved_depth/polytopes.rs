//! The depth of two polytopes, boxes among them.

use crate::contact::Penetration;
use crate::narrow::cache::PairCache;
use crate::narrow::penetration_polytopes;
use crate::narrow::primitive::Core;

/// How deep two cores that are polytopes overlap; `None` when they are apart, or when one is none.
pub(super) fn polytope_depth([a, b]: [&Core<'_>; 2], cache: &mut PairCache) -> Option<Penetration> {
    let ((p, pose_p), (q, pose_q)) = (a.polytope()?, b.polytope()?);
    let found = penetration_polytopes(p, pose_p, q, pose_q, cache)?;
    let [on_a, on_b] = found.features;
    Some(Penetration {
        features: [a.name(on_a), b.name(on_b)],
        ..found
    })
}
