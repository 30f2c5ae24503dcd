//! Polytopes with faces of fixed directions (Klosowski, Held, Mitchell, Sowizral and Zikan, Efficient Collision
//! Detection Using Bounding Volume Hierarchies of k-DOPs, 1998).
//!
//! `K` half-spaces: along 3 axes of a cube (`K = 6`), with its 4 diagonals (14), with the 6 diagonals of its faces
//! (18), or all 13 (26). Two of them in one frame are compared interval by interval. When one is turned, its intervals
//! along the other's directions are wanted. The source computes its corners and turns them; here, after Zachmann (Rapid
//! Collision Detection by Dynamically Aligned DOP-Trees, 1998), a direction of one is written as a sum of three
//! directions of the other with factors that are not negative, `e = f1 d1 + f2 d2 + f3 d3`. For each point `p` of the
//! volume, `e . p` is at most `f1 h1 + f2 h2 + f3 h3`, with `h` the volume's heights along these directions. The sum
//! depends on the poses alone, so that a test is six products for each direction.
//!
//! **Error.** Directions have coordinates -1, 0 and 1; heights are sums of three coordinates, at most 6; factors are at
//! most 2 and off by `8 u`. A gap is a sum of eight numbers, less than `128 u` times the reach off. **Cost.** `8 K`
//! bytes a node; `K` rows of six products to compare.

use crate::bvh::bound::Bound;
use crate::bvh::frame::Relative;
use crate::math::Vec3;

/// A polytope with `K` faces of fixed directions: 6, 14, 18 or 26.
#[derive(Debug, Clone, Copy)]
pub struct Kdop<const K: usize> {
    /// For each direction, the height of the volume along it, and along its opposite.
    heights: [f64; K],
}

/// All directions; the first three are the axes, then the diagonals of the cube, then those of its faces.
const DIRECTIONS: [[i8; 3]; 13] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 1],
    [1, 1, -1],
    [1, -1, 1],
    [-1, 1, 1],
    [1, 1, 0],
    [1, -1, 0],
    [1, 0, 1],
    [1, 0, -1],
    [0, 1, 1],
    [0, 1, -1],
];

/// The directions of a kind.
fn directions(k: usize) -> &'static [[i8; 3]] {
    match k {
        6 => &DIRECTIONS[..3],
        14 => &DIRECTIONS[..7],
        18 => &AXES_AND_FACES,
        _ => &DIRECTIONS,
    }
}

const AXES_AND_FACES: [[i8; 3]; 9] = [
    DIRECTIONS[0],
    DIRECTIONS[1],
    DIRECTIONS[2],
    DIRECTIONS[7],
    DIRECTIONS[8],
    DIRECTIONS[9],
    DIRECTIONS[10],
    DIRECTIONS[11],
    DIRECTIONS[12],
];

fn vector(direction: [i8; 3]) -> Vec3 {
    Vec3::from(direction.map(f64::from))
}

/// A direction as a sum of three directions of the kind.
#[derive(Debug, Clone, Copy)]
struct Cone {
    /// Places in the list of heights, the lowest bit telling a direction from its opposite.
    heights: [u8; 3],
    factors: [f64; 3],
}

impl Cone {
    /// The three directions of a kind between which a vector is.
    fn around(k: usize, v: Vec3) -> Cone {
        let [x, y, z] = v.abs().to_array();
        // The axes, by size.
        let mut order = [0, 1, 2];
        order.sort_by(|i, j| v[*j].abs().total_cmp(&v[*i].abs()));
        let sorted = |k: usize| [x, y, z][order[k]];
        let (a, b, c) = (sorted(0), sorted(1), sorted(2));
        // As if it were a >= b >= c >= 0. Each sum is (a, b, c), and the factors are not negative.
        let (corners, factors): ([[i8; 3]; 3], [f64; 3]) = match k {
            6 => ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [a, b, c]),
            14 => (
                [[1, 0, 0], [1, 1, 1], [1, 1, -1]],
                [a - b, 0.5 * (b + c), 0.5 * (b - c)],
            ),
            18 if a >= b + c => ([[1, 0, 0], [1, 1, 0], [1, 0, 1]], [a - (b + c), b, c]),
            18 => (
                [[1, 1, 0], [1, 0, 1], [0, 1, 1]],
                [0.5 * (a + b - c), 0.5 * (a + c - b), 0.5 * (b + c - a)],
            ),
            _ => ([[1, 0, 0], [1, 1, 0], [1, 1, 1]], [a - b, b - c, c]),
        };
        let heights = corners.map(|corner| {
            let mut direction = [0; 3];
            for (place, axis) in order.into_iter().enumerate() {
                direction[axis] = if v[axis] < 0.0 {
                    -corner[place]
                } else {
                    corner[place]
                };
            }
            place_of(k, direction)
        });
        Cone { heights, factors }
    }

    /// The height along the vector, at most, and that along its opposite.
    #[inline]
    fn heights<const K: usize>(&self, of: &Kdop<K>) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for (place, factor) in self.heights.iter().zip(self.factors) {
            let place = usize::from(*place);
            sums[0] += factor * of.heights[place];
            sums[1] += factor * of.heights[place ^ 1];
        }
        sums
    }
}

/// Where the height along a direction of the kind is.
fn place_of(k: usize, direction: [i8; 3]) -> u8 {
    let opposite = direction.map(|x| -x);
    let place = directions(k)
        .iter()
        .position(|own| *own == direction || *own == opposite)
        .expect("cones are between directions of the kind");
    let is_opposite = directions(k)[place] != direction;
    (2 * place + usize::from(is_opposite)) as u8
}

/// Two frames, and each one's directions as sums of the other's.
#[derive(Debug, Clone)]
pub struct KdopRelation {
    relative: Relative,
    /// For each direction of the first frame.
    into_a: Vec<Row>,
    /// For each direction of the second.
    into_b: Vec<Row>,
}

/// A direction, seen from the other frame.
#[derive(Debug, Clone, Copy)]
struct Row {
    cone: Cone,
    /// How far the other frame's origin is along the direction.
    shift: f64,
    /// The inverse of the direction's length.
    per_length: f64,
}

impl Row {
    /// The gap along its direction between the volume to which it belongs, and another one. Both have a scale.
    #[inline]
    fn gap<const K: usize>(&self, own: [f64; 2], other: &Kdop<K>, scale: f64) -> f64 {
        let [up, down] = self.cone.heights(other);
        let above = self.shift - down * scale - own[0];
        let below = -self.shift - up * scale - own[1];
        above.max(below) * self.per_length
    }
}

impl KdopRelation {
    fn new(k: usize, relative: &Relative) -> KdopRelation {
        let rotation = relative.rotation;
        let row = |direction: Vec3, seen: Vec3, shift: f64| Row {
            cone: Cone::around(k, seen),
            shift,
            per_length: 1.0 / direction.length(),
        };
        let vectors = || directions(k).iter().map(|direction| vector(*direction));
        KdopRelation {
            relative: *relative,
            into_a: vectors()
                .map(|d| row(d, rotation.transpose() * d, d.dot(relative.shift)))
                .collect(),
            into_b: vectors()
                .map(|d| row(d, rotation * d, -(rotation * d).dot(relative.shift)))
                .collect(),
        }
    }

    /// All gaps: along the directions of the first volume, then of the second.
    #[inline]
    fn gaps<'r, const K: usize>(
        &'r self,
        a: &'r Kdop<K>,
        b: &'r Kdop<K>,
    ) -> [impl Iterator<Item = f64> + 'r; 2] {
        let scale = self.relative.scale;
        let gaps =
            move |rows: &'r [Row], own: &'r Kdop<K>, other: &'r Kdop<K>, scales: [f64; 2]| {
                let heights = own.heights.chunks_exact(2);
                rows.iter().zip(heights).map(move |(row, heights)| {
                    let own = [heights[0] * scales[0], heights[1] * scales[0]];
                    row.gap(own, other, scales[1])
                })
            };
        [
            gaps(&self.into_a, a, b, [1.0, scale]),
            gaps(&self.into_b, b, a, [scale, 1.0]),
        ]
    }
}

impl<const K: usize> Bound for Kdop<K> {
    type Relation = KdopRelation;

    fn fit(triangles: &[[Vec3; 3]]) -> Kdop<K> {
        const { assert!(matches!(K, 6 | 14 | 18 | 26), "there are 6, 14, 18 and 26") };
        let mut heights = [f64::NEG_INFINITY; K];
        for p in triangles.iter().flatten() {
            for (k, direction) in directions(K).iter().enumerate() {
                let height = vector(*direction).dot(*p);
                heights[2 * k] = heights[2 * k].max(height);
                heights[2 * k + 1] = heights[2 * k + 1].max(-height);
            }
        }
        Kdop { heights }
    }

    fn relate(relative: &Relative) -> KdopRelation {
        KdopRelation::new(K, relative)
    }

    #[inline]
    fn overlaps(&self, other: &Kdop<K>, relation: &KdopRelation) -> bool {
        let error = relation.relative.error;
        let [of_a, of_b] = relation.gaps(self, other);
        !of_a.chain(of_b).any(|gap| gap > error)
    }

    /// Gaps along the axes of a frame add up to the distance of boxes; any other gap is a bound by itself.
    #[inline]
    fn distance_below(&self, other: &Kdop<K>, relation: &KdopRelation, enough: f64) -> f64 {
        let error = relation.relative.error;
        let mut best = f64::NEG_INFINITY;
        for gaps in relation.gaps(self, other) {
            let mut square = 0.0;
            for (k, gap) in gaps.enumerate() {
                best = best.max(gap);
                if k < 3 {
                    square += gap.max(0.0) * gap.max(0.0);
                }
            }
            if square > 0.0 {
                best = best.max(square.sqrt());
            }
            if best - error > enough {
                break;
            }
        }
        best - error
    }

    fn size(&self) -> f64 {
        let edges = [0, 1, 2].map(|k| self.heights[2 * k] + self.heights[2 * k + 1]);
        0.5 * Vec3::from(edges).length()
    }
}
