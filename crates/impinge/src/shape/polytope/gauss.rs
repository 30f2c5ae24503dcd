//! The Gauss map of a polytope, rounded and laid out for fast scans.
//!
//! On the sphere of directions a face is a point, its normal. An edge is the arc between the normals of its two faces: the
//! directions along which no point is farther than those of the edge. Vertices are the regions between the arcs.
//! All is kept as `f32`, about the centre of the polytope and in the unit of [`Packed`](super::Packed).
//!
//! Two layouts, by size. Of few edges, the *faces* are kept in blocks of eight, and for each face the set of its edges as
//! bits of one word: what is known about faces becomes known about edges by a few operations on words. Of many, the
//! *arcs* are kept in blocks of eight that are near each other, and a cone around each block says quickly whether it
//! matters; cones around eight blocks each say whether these are worth a look.

use super::extremes::Extremes;
use super::{Edge, Polytope};
use crate::ahead;
use crate::math::Vec3;

/// How many faces, arcs or cones a block has.
pub(crate) const LANES: usize = 8;
/// The most edges that are bits of one word.
pub(crate) const FEW_EDGES: usize = 64;
/// The most blocks of faces of a polytope of few edges: a face has at least three edges, an edge two faces.
pub(crate) const FEW_BLOCKS: usize = (FEW_EDGES * 2 / 3).div_ceil(LANES);
/// The coordinates of eight vectors.
type Columns = [[f32; LANES]; 3];

/// How many blocks of cones are asked for ahead.
const FETCHED: usize = 12;

/// All faces and arcs of a polytope.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct GaussMap {
    /// The arc of each edge: by the number of the edge, or of many in the order of the blocks. What is near each other is side by
    /// side.
    pub(crate) arcs: Vec<EdgeArc>,
    pub(crate) layout: Layout,
    /// Where vertices are looked for, if there are neither few nor very many.
    pub(crate) extremes: Extremes,
}

/// What is scanned.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Layout {
    /// Of a polytope of few edges.
    Few(Few),
    /// Of one of many.
    Many(Many),
}

impl Default for Layout {
    fn default() -> Layout {
        Layout::Few(Few { faces: Vec::new() })
    }
}

impl GaussMap {
    /// Asks for what is looked at first.
    #[inline(always)]
    pub(crate) fn fetch(&self) {
        match &self.layout {
            Layout::Few(few) => {
                for faces in &few.faces {
                    ahead::fetch_start(&faces.normals[0]);
                    ahead::fetch_start(&faces.normals[2]);
                    ahead::fetch_start(&faces.half_cos);
                    ahead::fetch_start(&faces.edges[1]);
                }
            }
            Layout::Many(many) => {
                for cones in many.outer.iter().chain(many.cones.iter().take(FETCHED)) {
                    ahead::fetch_start(&cones.axis[0]);
                    ahead::fetch_start(&cones.axis[2]);
                    ahead::fetch_start(&cones.sin);
                    ahead::fetch_start(&cones.half_cos);
                }
            }
        }
    }
}

/// The arc of an edge, and where the edge is: one line of memory. Each vector has a fourth number, so that it can be read at
/// once.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(C, align(64))]
pub(crate) struct EdgeArc {
    /// The normals of the face on the left and of the face on the right of the edge.
    pub(crate) ends: [[f32; 4]; 2],
    /// The direction of the edge, of unit length.
    pub(crate) along: [f32; 4],
    /// The first vertex of the edge, relative to the centre; the fourth has the bits of the number of the edge, and
    /// [`NUMBERED`].
    pub(crate) start: [f32; 4],
}

/// Keeps a number of less than 30 bits from being a subnormal `f32`: who computes with all four numbers of a vector would pay
/// for that, some 150 cycles each time.
const NUMBERED: u32 = 1 << 30;

/// Faces in blocks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Few {
    pub(crate) faces: Vec<Faces>,
}

/// Eight faces. The last block is filled up with planes that are out of reach.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Faces {
    pub(crate) normals: Columns,
    /// How far the faces are from the centre.
    pub(crate) offsets: [f32; LANES],
    /// The cosine of half of the longest arc at the face, rounded down.
    pub(crate) half_cos: [f32; LANES],
    /// The edges of each face, one bit each: the first 32, and the others.
    pub(crate) edges: [[u32; LANES]; 2],
}

/// Arcs in blocks.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Many {
    /// What is known about each eight of `cones` as a whole.
    pub(crate) outer: Vec<Cones>,
    /// What is known about each block as a whole, eight blocks together.
    pub(crate) cones: Vec<Cones>,
    /// The last block is filled up by repeating the last arc.
    pub(crate) blocks: Vec<Arcs>,
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
    /// The least distance of a face at the arcs from the centre, rounded down.
    pub(crate) low: [f32; LANES],
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
        low: [0.0; LANES],
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
    /// The faces.
    pub(crate) faces: [[u32; LANES]; 2],
}

impl GaussMap {
    /// The map of a polytope whose normals and centre are known, in units of `scale`.
    pub(super) fn new(polytope: &Polytope, scale: f64) -> GaussMap {
        let mut edges: Vec<u32> = (0..polytope.edges.len() as u32).collect();
        let layout = if edges.len() <= FEW_EDGES {
            Layout::Few(Few::new(polytope, scale))
        } else {
            gather_neighbours(&mut edges, &middles(polytope));
            Layout::Many(Many::new(polytope, scale, &edges))
        };
        let arc = |edge: u32| EdgeArc::new(polytope, scale, edge);
        GaussMap {
            arcs: edges.into_iter().map(arc).collect(),
            layout,
            extremes: Extremes::new(polytope, scale),
        }
    }

    /// Asks for an arc, given by its place.
    #[inline(always)]
    pub(crate) fn fetch_arc(&self, place: u32) {
        ahead::fetch_line(&self.arcs, place as usize);
    }
}

impl EdgeArc {
    fn new(polytope: &Polytope, scale: f64, number: u32) -> EdgeArc {
        let edge = &polytope.edges[number as usize];
        let [start, end] = edge.vertices.map(|v| {
            let vertex = polytope.vertices[v as usize];
            (vertex - polytope.centroid) / scale
        });
        let narrow = |v: Vec3| v.as_vec3().extend(0.0).to_array();
        let numbered = start.as_vec3().extend(f32::from_bits(NUMBERED | number));
        EdgeArc {
            ends: edge.faces.map(|f| narrow(polytope.normals[f as usize])),
            along: narrow((end - start).normalize_or_zero()),
            start: numbered.to_array(),
        }
    }

    /// The number of the edge.
    #[inline(always)]
    pub(crate) fn edge(&self) -> u32 {
        self.start[3].to_bits() & !NUMBERED
    }
}

impl Few {
    fn new(polytope: &Polytope, scale: f64) -> Few {
        let faces: Vec<usize> = (0..polytope.face_count()).collect();
        let blocks = faces.chunks(LANES);
        Few {
            faces: blocks
                .map(|eight| Faces::new(polytope, scale, eight))
                .collect(),
        }
    }
}

impl Faces {
    /// Farther than anything that is held against it, with room for sums.
    const OUT_OF_REACH: f32 = 1e30;

    fn new(polytope: &Polytope, scale: f64, faces: &[usize]) -> Faces {
        let mut block = Faces {
            normals: ZERO,
            offsets: [Faces::OUT_OF_REACH; LANES],
            half_cos: [0.0; LANES],
            edges: [[0; LANES]; 2],
        };
        for (lane, face) in faces.iter().enumerate() {
            let normal = polytope.normals[*face];
            let corner = polytope.vertices[polytope.face(*face)[0] as usize];
            set(&mut block.normals, lane, normal);
            block.offsets[lane] = offset(polytope, scale, normal, corner);
            let neighbours = polytope.face_neighbours(*face);
            let arcs = neighbours.map(|other| [normal, polytope.normals[other as usize]]);
            block.half_cos[lane] = least_half_cos(arcs);
            for edge in polytope.face_edges(*face) {
                block.edges[*edge as usize / 32][lane] |= 1 << (edge % 32);
            }
        }
        block
    }
}

impl Many {
    /// Of edges in the order of the blocks.
    fn new(polytope: &Polytope, scale: f64, edges: &[u32]) -> Many {
        let mut many = Many {
            len: edges.len(),
            ..Many::default()
        };
        let mut is_owned = vec![false; polytope.face_count()];
        for (number, eight) in edges.chunks(LANES).enumerate() {
            let arcs = Arcs::new(polytope, scale, eight);
            if number % LANES == 0 {
                many.cones.push(Cones::NONE);
            }
            let cones = &mut many.cones[number / LANES];
            cones.set(number % LANES, polytope, eight);
            cones.low[number % LANES] = arcs.low();
            for (lane, edge) in eight.iter().enumerate() {
                for (side, face) in polytope.edges[*edge as usize].faces.iter().enumerate() {
                    if !std::mem::replace(&mut is_owned[*face as usize], true) {
                        cones.owned[side][number % LANES] |= 1 << lane;
                    }
                }
            }
            many.blocks.push(arcs);
        }
        many.add_outer(polytope, edges);
        many
    }

    fn add_outer(&mut self, polytope: &Polytope, edges: &[u32]) {
        for (number, group) in edges.chunks(LANES * LANES).enumerate() {
            if number % LANES == 0 {
                self.outer.push(Cones::NONE);
            }
            let cones = &mut self.outer[number / LANES];
            cones.set(number % LANES, polytope, group);
            let inner = group.len().div_ceil(LANES);
            let low = self.cones[number].low[..inner].iter().copied();
            cones.low[number % LANES] = low.fold(1.0, f32::min);
        }
    }

    /// Asks for some blocks of a group of eight.
    #[inline(always)]
    pub(crate) fn fetch_blocks(&self, group: usize, mut blocks: u64) {
        while blocks != 0 {
            let block = LANES * group + blocks.trailing_zeros() as usize;
            blocks &= blocks - 1;
            if let Some(arcs) = self.blocks.get(block) {
                ahead::fetch_start(&arcs.ends[0][0]);
                ahead::fetch_start(&arcs.ends[0][2]);
                ahead::fetch_start(&arcs.ends[1][1]);
                ahead::fetch_start(&arcs.offsets[0]);
                ahead::fetch_start(&arcs.faces[0]);
            }
        }
    }

    /// One bit for each arc of a block that is no repetition.
    #[inline(always)]
    pub(crate) fn present(&self, block: usize) -> u64 {
        u64::MAX >> (56 + LANES.saturating_sub(self.len - LANES * block))
    }

    /// A bound from below for the cosine of half of an arc, given by its place.
    #[inline(always)]
    pub(crate) fn half_cos(&self, place: u32) -> f32 {
        let block = place as usize / LANES;
        self.cones[block / LANES].half_cos[block % LANES]
    }
}

const ZERO: Columns = [[0.0; LANES]; 3];

impl Arcs {
    fn new(polytope: &Polytope, scale: f64, edges: &[u32]) -> Arcs {
        let mut arcs = Arcs {
            ends: [ZERO; 2],
            offsets: [[0.0; LANES]; 2],
            faces: [[0; LANES]; 2],
        };
        for lane in 0..LANES {
            let edge = edges[lane.min(edges.len() - 1)];
            let edge = &polytope.edges[edge as usize];
            let start = polytope.vertices[edge.vertices[0] as usize];
            for (side, face) in edge.faces.into_iter().enumerate() {
                let normal = polytope.normals[face as usize];
                set(&mut arcs.ends[side], lane, normal);
                arcs.offsets[side][lane] = offset(polytope, scale, normal, start);
                arcs.faces[side][lane] = face;
            }
        }
        arcs
    }

    /// The least distance of a face from the centre, rounded down.
    fn low(&self) -> f32 {
        let offsets = self.offsets.as_flattened().iter().copied();
        offsets.fold(1.0, f32::min).max(0.0) - ROUNDING as f32
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
        self.half_cos[lane] = least_half_cos(arcs());
    }
}

/// More than the rounding of a cosine to `f32`.
const ROUNDING: f64 = 1e-6;

/// The least cosine of half of an arc, rounded down.
fn least_half_cos(arcs: impl Iterator<Item = [Vec3; 2]>) -> f32 {
    let half_cos = arcs.map(|[n, m]| 0.5 * (n + m).length());
    (half_cos.fold(1.0, f64::min) - ROUNDING).max(0.0) as f32
}

/// How far a plane through a point is from the centre.
fn offset(polytope: &Polytope, scale: f64, normal: Vec3, point: Vec3) -> f32 {
    normal.dot((point - polytope.centroid) / scale) as f32
}

fn set(columns: &mut Columns, lane: usize, v: Vec3) {
    for (column, x) in columns.iter_mut().zip(v.to_array()) {
        column[lane] = x as f32;
    }
}

/// For each edge the middle of its arc.
fn middles(polytope: &Polytope) -> Vec<Vec3> {
    let middle = |edge: &Edge| {
        let [left, right] = edge.faces.map(|f| polytope.normals[f as usize]);
        (left + right).normalize_or(left)
    };
    polytope.edges.iter().map(middle).collect()
}

/// Orders edges so that each run of eight, and each run of 64, has its arcs close together: halves across the widest axis, and
/// again.
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
    let run = if edges.len() > LANES * LANES {
        LANES * LANES
    } else {
        LANES
    };
    let half = edges.len().div_ceil(run) / 2 * run;
    edges.select_nth_unstable_by(half, |p, q| {
        at(*p)[axis].total_cmp(&at(*q)[axis]).then(p.cmp(q))
    });
    let (before, after) = edges.split_at_mut(half);
    gather_neighbours(before, middles);
    gather_neighbours(after, middles);
}
