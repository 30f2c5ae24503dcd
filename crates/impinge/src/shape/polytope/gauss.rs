//! The Gauss map of a polytope, rounded and laid out for fast scans.
//!
//! On the sphere of directions a face is a point, its normal. An edge is the arc between the normals of its two faces: the
//! directions along which no point is farther than those of the edge. Vertices are the regions between the arcs.
//! Arcs are kept in blocks of eight that are near each other, as `f32`, about the centre of the polytope and in the unit
//! of [`Packed`](super::Packed); a cone around each block says quickly whether it matters.

use super::Polytope;
use crate::math::Vec3;

/// How many arcs, or cones, a block has.
pub(crate) const LANES: usize = 8;
/// The coordinates of eight vectors.
type Columns = [[f32; LANES]; 3];

/// All arcs of a polytope, in blocks.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct GaussMap {
    /// What is known about each block as a whole, eight blocks together.
    pub(crate) cones: Vec<Cones>,
    pub(crate) blocks: Vec<Arcs>,
    /// In step with `blocks`.
    pub(crate) lines: Vec<Lines>,
    /// For each arc, eight a block, the edge it stands for. The last block is filled up by repeating the last arc.
    pub(crate) edges: Vec<u32>,
    /// How many arcs there are without repetition.
    pub(crate) len: usize,
}

/// Eight cones about axes, each with the arcs of a block inside.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Cones {
    pub(crate) axis: Columns,
    /// The cosine of the angle between the axis and the rim, rounded down; [`Cones::EVERYWHERE`] for more than a right
    /// angle.
    pub(crate) cos: [f32; LANES],
    pub(crate) sin: [f32; LANES],
    /// The cosine of half of the longest arc of the block, rounded down.
    pub(crate) half_cos: [f32; LANES],
    /// One bit for each arc of the block that is the first of all to have its left, or right, face as an end.
    pub(crate) owned: [[u8; LANES]; 2],
}

impl Cones {
    const EVERYWHERE: f32 = -1e30;
    const NONE: Cones = Cones {
        axis: [[0.0; LANES]; 3],
        cos: [0.0; LANES],
        sin: [0.0; LANES],
        half_cos: [0.0; LANES],
        owned: [[0; LANES]; 2],
    };
}

/// Eight arcs.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Arcs {
    /// The normals of the face on the left and of the face on the right of the edge.
    pub(crate) ends: [Columns; 2],
    /// How far these faces are from the centre.
    pub(crate) offsets: [[f32; LANES]; 2],
}

/// The edges of eight arcs.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Lines {
    /// The direction of the edge, of unit length.
    pub(crate) along: Columns,
    /// The first vertex of the edge, relative to the centre.
    pub(crate) start: Columns,
}

impl GaussMap {
    /// The map of a polytope whose normals and centre are known, in units of `scale`.
    pub(super) fn new(polytope: &Polytope, scale: f64) -> GaussMap {
        let middles: Vec<Vec3> = polytope
            .edges
            .iter()
            .map(|edge| {
                let [left, right] = edge.faces.map(|f| polytope.normals[f as usize]);
                (left + right).normalize_or(left)
            })
            .collect();
        let mut edges: Vec<u32> = (0..polytope.edges.len() as u32).collect();
        gather_neighbours(&mut edges, &middles);
        let len = edges.len();
        let last = edges[len - 1];
        edges.resize(len.next_multiple_of(LANES), last);
        let mut map = GaussMap {
            cones: Vec::new(),
            blocks: Vec::new(),
            lines: Vec::new(),
            edges,
            len,
        };
        map.fill(polytope, scale);
        map
    }

    fn fill(&mut self, polytope: &Polytope, scale: f64) {
        let mut is_owned = vec![false; polytope.face_count()];
        for (number, eight) in self.edges.chunks_exact(LANES).enumerate() {
            self.blocks.push(Arcs::new(polytope, scale, eight));
            self.lines.push(Lines::new(polytope, scale, eight));
            if number % LANES == 0 {
                self.cones.push(Cones::NONE);
            }
            let cones = &mut self.cones[number / LANES];
            cones.set(number % LANES, polytope, eight);
            for (lane, edge) in eight.iter().enumerate() {
                for (side, face) in polytope.edges[*edge as usize].faces.iter().enumerate() {
                    if !std::mem::replace(&mut is_owned[*face as usize], true) {
                        cones.owned[side][number % LANES] |= 1 << lane;
                    }
                }
            }
        }
    }

    /// A bound from below for the cosine of half of an arc.
    #[inline(always)]
    pub(crate) fn half_cos(&self, arc: u32) -> f32 {
        let block = arc as usize / LANES;
        self.cones[block / LANES].half_cos[block % LANES]
    }

    /// The face at the left (0) or right (1) end of an arc.
    pub(crate) fn face(&self, polytope: &Polytope, arc: u32, end: usize) -> u32 {
        polytope.edges[self.edges[arc as usize] as usize].faces[end]
    }
}

const ZERO: Columns = [[0.0; LANES]; 3];

impl Arcs {
    fn new(polytope: &Polytope, scale: f64, edges: &[u32]) -> Arcs {
        let mut arcs = Arcs {
            ends: [ZERO; 2],
            offsets: [[0.0; LANES]; 2],
        };
        for (lane, edge) in edges.iter().enumerate() {
            let edge = &polytope.edges[*edge as usize];
            let start = polytope.vertices[edge.vertices[0] as usize];
            for (side, face) in edge.faces.into_iter().enumerate() {
                let normal = polytope.normals[face as usize];
                set(&mut arcs.ends[side], lane, normal);
                let offset = normal.dot((start - polytope.centroid) / scale);
                arcs.offsets[side][lane] = offset as f32;
            }
        }
        arcs
    }
}

impl Lines {
    fn new(polytope: &Polytope, scale: f64, edges: &[u32]) -> Lines {
        let mut lines = Lines {
            along: ZERO,
            start: ZERO,
        };
        for (lane, edge) in edges.iter().enumerate() {
            let vertices = polytope.edges[*edge as usize].vertices;
            let [start, end] = vertices.map(|v| {
                let vertex = polytope.vertices[v as usize];
                (vertex - polytope.centroid) / scale
            });
            set(&mut lines.along, lane, (end - start).normalize_or_zero());
            set(&mut lines.start, lane, start);
        }
        lines
    }
}

impl Cones {
    /// Makes one of the cones that of some edges.
    fn set(&mut self, lane: usize, polytope: &Polytope, edges: &[u32]) {
        let arcs = || {
            let edges = edges.iter().map(|e| &polytope.edges[*e as usize]);
            edges.map(|edge| edge.faces.map(|f| polytope.normals[f as usize]))
        };
        let ends = || arcs().flatten();
        let axis = ends().sum::<Vec3>().normalize_or_zero();
        let cos = ends().map(|n| n.dot(axis)).fold(1.0, f64::min) - ROUNDING;
        set(&mut self.axis, lane, axis);
        // A cone of less than a right angle holds an arc when it holds the ends.
        self.cos[lane] = if cos > 0.0 {
            cos as f32
        } else {
            Cones::EVERYWHERE
        };
        self.sin[lane] = (1.0 - cos * cos).max(0.0).sqrt() as f32;
        let half_cos = arcs()
            .map(|[n, m]| 0.5 * (n + m).length())
            .fold(1.0, f64::min);
        self.half_cos[lane] = (half_cos - ROUNDING).max(0.0) as f32;
    }
}

/// More than the rounding of a cosine to `f32`.
const ROUNDING: f64 = 1e-6;

fn set(columns: &mut Columns, lane: usize, v: Vec3) {
    for (column, x) in columns.iter_mut().zip(v.to_array()) {
        column[lane] = x as f32;
    }
}

/// Orders edges so that each run of eight has its arcs close together: halves across the widest axis, and again.
fn gather_neighbours(edges: &mut [u32], middles: &[Vec3]) {
    if edges.len() <= LANES {
        return;
    }
    let at = |edge: u32| middles[edge as usize];
    let (low, high) = edges
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), edge| {
            (low.min(at(*edge)), high.max(at(*edge)))
        });
    let axis = (high - low).max_position();
    let half = edges.len().div_ceil(LANES) / 2 * LANES;
    edges.select_nth_unstable_by(half, |p, q| {
        at(*p)[axis].total_cmp(&at(*q)[axis]).then(p.cmp(q))
    });
    let (before, after) = edges.split_at_mut(half);
    gather_neighbours(before, middles);
    gather_neighbours(after, middles);
}
