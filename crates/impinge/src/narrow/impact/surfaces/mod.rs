//! When do two moving shapes first touch, of which at least one is a mesh, a solid or a height field?
//!
//! Shapes that do not touch at the start touch first at their surfaces: two triangles do, or a triangle and a convex shape. The
//! trees of the meshes lead to the pairs that may be the first ones; these are then searched as all convex pairs are
//! ([`search`](mod@super::search)), so that the answer is as good as theirs: never late, never missing, and early by no more than the
//! tolerance.
//!
//! 1. Balls about the pivots hold the bodies however they turn. While they are apart, nothing happens ([`balls`]).
//! 2. Pairs of boxes wait in a queue, each for a span of time, by the time from which on they may touch ([`window`]). The first is
//!    taken; the larger of the two boxes is opened, and the other one, on its way, compared with the eight in it.
//! 3. During a span the boxes are taken to move straight. What turns make of that is added to the boxes
//!    ([`span`]). Where it is too much beside their size, the span is divided instead.
//! 4. Triangles that may touch, by the same test, are searched one by one from the time on from which they may, up to the earliest contact
//!    found so far ([`Meeting::pair`]). The search ends when the next pair comes after that.
//!
//! For straight motions this is the dynamic test of trees of oriented boxes (Eberly 2002; Coming and Staadt 2006), with the first
//! contact in place of the first branch. For turns it is a test of swept boxes whose subdivision of time belongs to the pair of boxes.
//!
//! [`ObbTree`] is the same without what was added here: a binary tree, depth first, straight motions alone, in doubles.
//!
//! **Invariant.** What is dropped does not touch before the contact that is reported. **Cost.** Grows with the pairs of boxes that come
//! within reach of each other before the first contact; tens of microseconds for meshes of some thousand triangles.
//! **What it does not do:** find its way through numbers of extreme size, for which all pairs of triangles are searched.

mod balls;
mod contest;
mod obb_tree;
mod pieces;
mod queue;
mod search;
mod span;
mod window;

use super::frame::{Frame, Mover};
use super::measure::Body;
use super::pair::ConvexPair;
use super::skeleton::Skeleton;
use super::{Closest, Query, impact};
use crate::contact::Impact;
use crate::error::Error;
use crate::narrow::mesh::surface::Surface;
use crate::shape::Shape;
use contest::Found;
pub use obb_tree::ObbTree;
use pieces::Pieces;
use search::Search;
use span::Traveller;

/// The first contact of shapes that are apart at the start, given the movers of their hulls and the frame of these.
pub(super) fn first_impact<'a>(
    query: &Query<'a>,
    [a, b]: [Mover<'a>; 2],
    frame: &Frame,
) -> Result<Option<Impact>, Error> {
    let [first, second] = query.shapes;
    let (meeting, is_swapped) = match (Surface::of(first), Surface::of(second)) {
        (Some(surface), _) => (Meeting::new(surface, second, [a, b], frame), false),
        (None, Some(surface)) => (Meeting::new(surface, first, [b, a], frame), true),
        (None, None) => return Ok(None),
    };
    let Some(during) = balls::meeting(&a, &b, frame) else {
        return Ok(None);
    };
    let mut search = Search::new(&meeting, query.tolerance);
    search.run(during)?;
    let Some(found) = search.contest.found else {
        return Ok(None);
    };
    let closest = meeting.closest(&found)?;
    let closest = if is_swapped {
        closest.swapped()
    } else {
        closest
    };
    Ok(Some(impact(found.bounds, found.kind, closest)))
}

/// A surface and another shape on their way.
#[derive(Debug)]
struct Meeting<'a> {
    pieces: [Pieces<'a>; 2],
    movers: [Mover<'a>; 2],
    travellers: [Traveller<'a>; 2],
}

impl<'a> Meeting<'a> {
    fn new(
        surface: Surface<'a>,
        other: &'a Shape,
        movers: [Mover<'a>; 2],
        frame: &Frame,
    ) -> Meeting<'a> {
        let pieces = [
            Pieces::Triangles(surface),
            Pieces::of(other, surface.unit()),
        ];
        let travel = |pieces: &Pieces<'_>, mover: &Mover<'a>| Traveller {
            motion: mover.motion,
            center: pieces.center(),
            unit: pieces.unit(),
            error: mover.error(frame.factor) / frame.factor,
        };
        Meeting {
            travellers: [
                travel(&pieces[0], &movers[0]),
                travel(&pieces[1], &movers[1]),
            ],
            pieces,
            movers,
        }
    }

    /// A triangle of the surface and one of the other, or all of it, as convex bodies on their way.
    fn pair(&self, numbers: [u32; 2]) -> Result<ConvexPair<'a>, Error> {
        let [a, b] = self.parts(numbers);
        ConvexPair::new([a.0, b.0], a.1, b.1)
    }

    fn parts(&self, numbers: [u32; 2]) -> [(Body<'a>, Mover<'a>); 2] {
        [0, 1].map(|side| {
            let mover = self.movers[side];
            match &self.pieces[side] {
                Pieces::Convex { shape, .. } => (Body::Shape(shape), mover),
                Pieces::Triangles(surface) => {
                    let corners = surface.corners(numbers[side]);
                    let skeleton = Skeleton::Triangle(corners);
                    (Body::Triangle(corners), Mover { skeleton, ..mover })
                }
            }
        })
    }

    /// Where the pieces that were found are closest at the time of contact.
    fn closest(&self, found: &Found) -> Result<Closest, Error> {
        let mut pair = self.pair(found.pieces)?;
        let closest = pair.closest_after_approach(found.bounds.lower);
        let [on_a, on_b] = closest.features;
        let features = [
            self.pieces[0].named(found.pieces[0], on_a),
            self.pieces[1].named(found.pieces[1], on_b),
        ];
        Ok(Closest {
            features,
            ..closest
        })
    }
}
