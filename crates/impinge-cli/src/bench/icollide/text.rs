//! What stands beside the graphs: what the source saw, and why this code on a machine of today sees something else.
//!
//! The numbers on the page come from the run; the sentences here hold for any run.

use super::Parameter;
use super::measure::Arrangement;

/// A graph, and the words for it.
pub(super) struct Graph {
    pub(super) number: usize,
    pub(super) title: &'static str,
    pub(super) parameter: Parameter,
    /// The arrangements in its table.
    pub(super) shown: &'static [Arrangement],
    pub(super) source: &'static str,
    pub(super) why: &'static str,
}

/// What comes before the graphs.
pub(super) fn heading(frames: usize, rounds: usize) -> String {
    format!(
        "# The graphs of I-COLLIDE, measured anew

`impinge bench icollide --out docs/experiments` makes this page, [all its numbers](icollide.csv) and the pictures.

Cohen, Lin, Manocha and Ponamgi (I-COLLIDE, 1995, section 7) measured their system with a multi-body simulation: polytopes from
random points on a sphere tumble in a cube, those that collide exchange their velocities. Each graph changes one of its
parameters; the others are 1000 polytopes, 36 faces, a turn of 10 degrees and a way of 10 per cent of the radius a frame,
1 per cent density. The text of the source gives 100 points from 20 to 2000 polytopes for Graph 1 and 20 points for Graph 2, and
no other ranges; those of Graphs 2 to 6 are ours: 20 to 400 faces, 0.5 to 10 per cent, 2 to 40 degrees, 20 points each.

The motion of each point is recorded once. Three arrangements go through the same {frames} frames, after some to warm up,
one thread, and must find the same intersecting pairs in every frame:

| | boxes | from boxes to pairs | from pairs to answers |
|---|---|---|---|
| I-COLLIDE, fixed cubes | cubes that hold the body however it is turned | three sorted lists (`sweep`) | Lin-Canny, closest features kept from frame to frame |
| I-COLLIDE, dynamic boxes | the tightest | the same | the same |
| Impinge's default | whichever suits the body | wide boxes and a list of pairs to watch (`watch`) | separating directions and simplices, eight pairs at a time, proven |

The stages are those of the source: *update boxes* is everything from a pose to a new box in the broad phase, *sort lists* from
boxes to pairs, *collision tests* from pairs to answers. Each is the median of all frames, and of {rounds} rounds; a frame is
their sum. The default sorts no lists; its second stage is compared for what it achieves.

Two things differ everywhere. The source ran on an HP-9000/750; a frame takes some hundredth of the time now, but memory
has become faster by less than arithmetic has. And every answer here is proven: the walk over features proposes, a check in
`f64` with an error bound decides, exact arithmetic takes what is left. The source compared within a tolerance.
"
    )
}

pub(super) const GRAPHS: &[Graph] = &[
    Graph {
        number: 1,
        title: "number of polytopes",
        parameter: Parameter::Bodies,
        shown: &Arrangement::ALL,
        source: "The time grows nearly linearly, with a small term of higher order. That term is a little larger for dynamic \
boxes, which change their sizes and cause more swaps. 1000 polytopes with fixed cubes make 23 frames a second.",
        why: "The shape is the same; the term of higher order is no longer small. At constant density the number of \
endpoints that pass each other on an axis grows like the 5/3 power of the number of bodies, and with fast processors \
sorting is a larger part of the frame than it was. Collision tests grow faster than their number because 2000 polytopes do \
not fit into the cache that holds 200. Which boxes are better is close: dynamic ones cost more to update and leave fewer \
pairs, and a proven test costs more beside a swap than the tests of the source did. The default has neither term: its second \
stage looks at pairs near each other in space, not on an axis.",
    },
    Graph {
        number: 2,
        title: "complexity of polytopes",
        parameter: Parameter::Faces,
        shown: &Arrangement::ALL,
        source: "With dynamic boxes the update takes longer with more faces, because the walk to new extremes is longer; \
sorting takes less, because rounder polytopes have boxes that change less. With fixed cubes both are almost constant.",
        why: "Both observations return, with two differences. Up to some hundred vertices the extremes are found by a scan \
with SIMD instructions instead of a walk: the update with dynamic boxes rises with the number of vertices, and flattens where \
walking takes over. And sorting falls for fixed cubes, too: polytopes of few faces fill less of their cube, and at a given \
density of volume their cubes crowd more. The default picks: tight boxes for few faces, fixed cubes for round bodies with \
many, which is why it gets faster with more faces.",
    },
    Graph {
        number: 3,
        title: "density",
        parameter: Parameter::Density,
        shown: &Arrangement::ALL,
        source: "More density means more sorting and more collisions; the number of collisions is proportional to the \
density. The overall time scales well.",
        why: "The number of intersecting pairs is proportional to the density here, too, and sorting grows slowly: by \
twenty times the density the cube is smaller by a factor of 2.7 only. Tests grow with the number of pairs. Where the source \
stood with fixed cubes in front, dynamic boxes win above some per cent: each pair that they save is a proof that is not needed. \
With the default, the pairs of a crowd are tested many at a time, and the update of boxes, which does not depend on the density, \
is the larger part of the frame for long.",
    },
    Graph {
        number: 4,
        title: "rotational velocity",
        parameter: Parameter::Turn,
        shown: &Arrangement::ALL,
        source: "The line of dynamic boxes is much steeper than that of fixed cubes, for two reasons: the walk to new \
extremes is longer, and boxes that change their size faster cause more swaps.",
        why: "The second reason holds, the first does not: 20 vertices are scanned, whatever the turn. What grows for both \
kinds of boxes is the collision test. The more two bodies turn, the farther the closest features are from those of the last \
frame, as the feature steps show. Fixed cubes have more pairs, so their line is as steep as that of dynamic boxes. The default \
remembers directions instead of features, and one that separated two bodies a frame ago often still does.",
    },
    Graph {
        number: 5,
        title: "rotational velocity, dynamic boxes, by stage",
        parameter: Parameter::Turn,
        shown: &[Arrangement::Dynamic],
        source: "All three stages are drawn; updating boxes and sorting lists grow with the rotational velocity.",
        why: "Sorting grows with the swaps, by less than their number: a pass over the lists is there at any velocity. \
The update is flat for the reason given at Graph 4. The test takes the largest part and grows most; its steps are the walk of \
Lin and Canny from the old features to the new ones.",
    },
    Graph {
        number: 6,
        title: "rotational velocity, fixed cubes, by stage",
        parameter: Parameter::Turn,
        shown: &[Arrangement::Fixed],
        source: "Updating boxes and sorting lists are almost constant as the rotational velocity grows: the advantage of \
fixed cubes.",
        why: "They do not differ: update, sorting and swaps are constant to within the noise. The test grows as in Graph 5, \
with more pairs.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_six_graphs_are_described() {
        let numbers: Vec<usize> = GRAPHS.iter().map(|graph| graph.number).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
        assert!(
            GRAPHS[4].shown == [Arrangement::Dynamic] && GRAPHS[5].shown == [Arrangement::Fixed]
        );
    }
}
