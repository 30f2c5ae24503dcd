//! How deep do two placed polytopes overlap? The default: the true minimum, certified.
//!
//! The differences `b - a` of the points of two polytopes fill a convex polytope `W`, and the two overlap when the origin
//! is inside. The shortest move that parts them is the shortest way from the origin to the boundary of `W`
//! (Cameron and Culley, Determining the minimum translational distance between two convex polyhedra, 1986).
//!
//! 1. Whether they overlap at all is decided, with proof, by `overlap` or by the search for the distance; or by step 2, for
//!    pairs that overlapped before.
//! 2. `overlay`: the faces and pairs of edges that a facet of `W` can be made of; few of them can be near.
//! 3. What is within rounding of several facets, or has too many: the expanding polytope of van den Bergen (2001) inside
//!    `W`, from four differences (`start`) by its `surface`, until its shallowest face is on the boundary of `W`
//!    (`expand`); witness points and features of that face (`answer`).
//! 4. What rounding leaves unclear even then, touching above all, goes to [`hull_penetration`], which is exact.
//!
//! **Invariant.** The true depth of the placed polytopes is inside the interval, whatever the searches did. **Cost.** Step
//! 2 answers nearly all pairs of polytopes in general position, in about the time of a distance. Nothing is allocated once
//! a thread is warm.
//!
//! [`cameron`] answers with bounds instead of the depth, for less.

mod answer;
pub mod cameron;
mod climb;
mod differences;
mod expand;
mod overlay;
mod start;
mod surface;

use super::cache::{Last, PairCache};
use super::centers::Centers;
use super::features::spanned;
use super::overlap::intersects_polytopes;
use super::pair::PolytopePair;
use crate::contact::Penetration;
use crate::exact::{HullPenetration, count_filter, hull_penetration};
use crate::lanes::in_lanes;
use crate::math::Pose;
use crate::shape::Polytope;
use differences::Differences;
use expand::{Goal, Outcome, expand};
use fearless_simd::Simd;
pub(super) use overlay::Asked;
use overlay::{BATCH, Found, Overlay};
use start::{Start, start};
use std::cell::RefCell;
use surface::Surface;

thread_local! {
    /// Room for the overlay, kept from query to query.
    static OVERLAY: RefCell<Overlay> = RefCell::default();
    /// Room for the expansion.
    static SURFACE: RefCell<Surface> = RefCell::default();
}

/// The shortest move of `b` that parts two placed polytopes, with its certified interval, witness points and features;
/// `None` when they are apart. They are apart exactly when they do not intersect, and a depth of 0 means that they touch.
/// The cache changes the time, never the answer beyond its interval.
///
/// The interval is at most 1e-12 of the size of the coordinates wide. Of several shortest moves one is given.
///
/// ```
/// # use impinge::{Feature, Polytope, Pose, Vec3, narrow::{PairCache, penetration_polytopes}};
/// let cube = Polytope::cuboid(Vec3::ONE)?;
/// let inside = Pose::from_translation(Vec3::new(0.5, 1.75, 0.25))?;
/// let mut cache = PairCache::default();
/// let deep = penetration_polytopes(&cube, &Pose::IDENTITY, &cube, &inside, &mut cache).expect("overlap");
/// assert!(deep.bounds.contains(0.25) && deep.bounds.width() < 1e-12);
/// assert!((deep.direction - Vec3::Y).length() < 1e-15);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn penetration_polytopes(
    a: &Polytope,
    pose_a: &Pose,
    b: &Polytope,
    pose_b: &Pose,
    cache: &mut PairCache,
) -> Option<Penetration> {
    let facet = cache.facet();
    let are_touching = intersects_polytopes(a, pose_a, b, pose_b, cache);
    are_touching.then(|| {
        let mut pair = PolytopePair {
            a,
            pose_a,
            b,
            pose_b,
            cache,
        };
        in_lanes!(simd => measure_alone(simd, &mut pair, facet))
    })
}

#[inline(always)]
fn measure_alone<S: Simd>(
    simd: S,
    pair: &mut PolytopePair<'_>,
    facet: Option<[[u32; 2]; 3]>,
) -> Penetration {
    let centers = pair.centers(simd);
    measure(simd, pair, centers.as_ref(), facet)
}

/// The depth of a pair that intersects for certain; `facet` may be that of the last frame. Without centers, step 2 is left
/// out.
#[inline(always)]
pub(super) fn measure<S: Simd>(
    simd: S,
    pair: &mut PolytopePair<'_>,
    centers: Option<&Centers<'_, S>>,
    facet: Option<[[u32; 2]; 3]>,
) -> Penetration {
    let mut fast = [const { None }; BATCH];
    if let Some(centers) = centers {
        measure_by_overlay(simd, &[Asked::new(centers, facet)], 0, &mut fast);
    }
    let found = match fast[0] {
        None => measure_by_expansion(simd, pair, facet),
        found => found,
    };
    match found {
        Some((penetration, facet)) => {
            count_filter();
            pair.cache.keep_facet(facet);
            penetration
        }
        None => measure_exactly(pair).expect("the pair intersects"),
    }
}

/// The depths of pairs that overlapped when they had their facets, by number, without proof that they still do; `None` when
/// one is not certain. Then it is no use to try step 2 again. With each depth come the corners to
/// [keep](PairCache::keep_facet).
#[inline(always)]
pub(super) fn measure_again<S: Simd>(
    simd: S,
    asked: &[Asked<'_, '_, S>],
    mut answer: impl FnMut(usize, Option<(&Penetration, [[u32; 2]; 3])>),
) {
    for first in asked.iter().take(2) {
        first.fetch_soon();
    }
    for first in (0..asked.len()).step_by(BATCH) {
        let mut found = [const { None }; BATCH];
        measure_by_overlay(simd, asked, first, &mut found);
        // Only now, when the overlay is free: who is answered may ask again.
        for (number, found) in (first..asked.len()).zip(&found) {
            match found {
                Some((penetration, corners)) => {
                    count_filter();
                    answer(number, Some((penetration, *corners)));
                }
                None => answer(number, None),
            }
        }
    }
}

/// Step 2 for some pairs from the first on. Not inlined, so that it is compiled once for all that call it.
#[inline(never)]
fn measure_by_overlay<S: Simd>(
    simd: S,
    asked: &[Asked<'_, '_, S>],
    first: usize,
    found: &mut [Found; BATCH],
) {
    OVERLAY.with_borrow_mut(|overlay| {
        simd.vectorize(
            #[inline(always)]
            || {
                overlay.measure_each(
                    &asked[first..],
                    #[inline(always)]
                    |number| {
                        if let Some(later) = asked.get(first + number + 2) {
                            later.fetch_soon();
                        }
                        if let Some(next) = asked.get(first + number + 1) {
                            next.fetch();
                        }
                    },
                    found,
                );
            },
        );
    });
}

/// Step 3; `None` when it is not conclusive.
#[cold]
fn measure_by_expansion<S: Simd>(
    simd: S,
    pair: &PolytopePair<'_>,
    facet: Option<[[u32; 2]; 3]>,
) -> Option<(Penetration, [[u32; 2]; 3])> {
    let differences = &Differences::new(simd, pair)?;
    let Start::Tetrahedron(corners) = start(differences, facet) else {
        return None;
    };
    SURFACE.with_borrow_mut(|surface| {
        surface.restart(&corners, differences.tolerance());
        let Outcome::Boundary(facet) = expand(differences, surface, Goal::Boundary) else {
            return None;
        };
        let penetration = answer::answer(differences, surface, &facet)?;
        Some((penetration, surface.pairs(facet.face)))
    })
}

/// Step 4.
#[cold]
fn measure_exactly(pair: &PolytopePair<'_>) -> Option<Penetration> {
    let [placed_a, placed_b] = pair.place_all();
    let deep = hull_penetration(&placed_a, &placed_b)?;
    let HullPenetration {
        direction,
        vertices: [on_a, on_b],
        ..
    } = &deep;
    Some(Penetration {
        depth: deep.depth,
        bounds: deep.bounds,
        direction: deep.direction,
        witness: deep.witness,
        features: [
            spanned(pair.a, on_a, || pair.pose_a.unrotate(*direction)),
            spanned(pair.b, on_b, || pair.pose_b.unrotate(-*direction)),
        ],
    })
}

impl PairCache {
    /// Keeps the corners of a face on the boundary of the differences.
    pub(super) fn keep_facet(&mut self, corners: [[u32; 2]; 3]) {
        self.corners = corners;
        self.has_corners = true;
        self.last = Last::Overlapping;
    }

    /// Three corners of what was last known about an overlapping pair.
    pub(super) fn facet(&self) -> Option<[[u32; 2]; 3]> {
        (self.last == Last::Overlapping && self.has_corners).then_some(self.corners)
    }
}
