//! The Gauss map of a polytope, rounded and laid out for fast scans.
//!
//! On the sphere of directions a face is a point, its normal. An edge is the arc between the normals of its two faces: the
//! directions along which no point is farther than those of the edge. Vertices are the regions between the arcs.
//! All is kept as `f32`, about the centre of the polytope and in the unit of [`Packed`](super::Packed).
//!
//! Two layouts, by size. Of few edges, the *faces* are kept in blocks of eight, and for each face the set of its edges as
//! bits of one word: what is known about faces becomes known about edges by a few operations on words. Of many, the
//! faces are kept in blocks of eight that are near each other, with what is around each face beside them, and a cone around each
//! block says quickly whether it matters; cones around eight blocks each say whether these are worth a look.

use super::Polytope;
use super::extremes::Extremes;
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
    /// The arc of each edge: by the number of the edge, or of many in the order of the blocks of faces. What is near each other is
    /// side by side.
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
                    ahead::fetch_start(&cones.xy);
                    ahead::fetch_start(&cones.rim);
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
    /// The normals of the face on the left and of the face on the right of the edge; the fourth have the bits of the numbers of
    /// its vertices, and [`NUMBERED`].
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

/// Faces in blocks that are near each other, and the arcs around them. A face is known by its place.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Many {
    /// What is known about each eight of `cones` as a whole.
    pub(crate) outer: Vec<Cones>,
    /// What is known about each block as a whole, eight blocks together.
    pub(crate) cones: Vec<Cones>,
    /// The last block is filled up with planes that are out of reach.
    pub(crate) blocks: Vec<Planes>,
    /// For each place the face.
    pub(crate) names: Vec<u32>,
    /// For each block what is around its faces.
    pub(crate) around: Vec<Around>,
    /// For each place where its part of `further` begins, and the end of all; empty when all faces are triangles.
    further_starts: Vec<u32>,
    /// What is around faces beyond their first three edges.
    further: Vec<Beside>,
}

/// The place of the arc of an edge, and that of the face on the other side; if that one comes first, with the number of all places added.
pub(crate) type Beside = [u32; 2];

/// What is beside the first three edges of eight faces: three lines of memory.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Around {
    pub(crate) faces: [[Beside; 3]; LANES],
}

/// Eight cones about axes, each with the normals of a block inside, in steps of 1 / [`Cones::STEPS`]: two lines of memory.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Cones {
    /// The first two coordinates of the axis.
    pub(crate) xy: [[i16; 2]; LANES],
    /// The third one, and nothing.
    pub(crate) z: [[i16; 2]; LANES],
    /// The cosine of the angle between the axis and the rim, rounded down, and the sine, rounded up.
    pub(crate) rim: [[i16; 2]; LANES],
    /// The least distance of a face from the centre, and the cosine of half of the longest arc at a face of the block, both rounded down. With -1 and 0 a
    /// cone is everywhere: if it has more than a right angle.
    pub(crate) low: [[i16; 2]; LANES],
}

impl Cones {
    pub(crate) const STEPS: f32 = 32767.0;
    const NONE: Cones = Cones {
        xy: [[0; 2]; LANES],
        z: [[0; 2]; LANES],
        rim: [[0; 2]; LANES],
        low: [[0; 2]; LANES],
    };

    /// The cosine of half of the longest arc at a face of a block, rounded down.
    #[inline(always)]
    pub(crate) fn half_cos(&self, block: usize) -> f32 {
        f32::from(self.low[block][1]) * (1.0 / Cones::STEPS)
    }
}

/// The planes of eight faces: two lines of memory.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Planes {
    pub(crate) normals: Columns,
    /// How far the faces are from the centre.
    pub(crate) offsets: [f32; LANES],
}

impl GaussMap {
    /// The map of a polytope whose normals and centre are known, in units of `scale`.
    pub(super) fn new(polytope: &Polytope, scale: f64) -> GaussMap {
        let mut edges: Vec<u32> = (0..polytope.edges.len() as u32).collect();
        let layout = if edges.len() <= FEW_EDGES {
            Layout::Few(Few::new(polytope, scale))
        } else {
            let mut faces: Vec<u32> = (0..polytope.face_count() as u32).collect();
            gather_neighbours(&mut faces, &polytope.normals);
            edges = edges_in_order(polytope, &faces);
            Layout::Many(Many::new(polytope, scale, faces, &edges))
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
        let numbered = |v: Vec3, number: u32| {
            let number = f32::from_bits(NUMBERED | number);
            v.as_vec3().extend(number).to_array()
        };
        let normal = |k: usize| polytope.normals[edge.faces[k] as usize];
        EdgeArc {
            ends: [0, 1].map(|k| numbered(normal(k), edge.vertices[k])),
            along: narrow((end - start).normalize_or_zero()),
            start: numbered(start, number),
        }
    }

    /// The number of the edge.
    #[inline(always)]
    pub(crate) fn edge(&self) -> u32 {
        self.start[3].to_bits() & !NUMBERED
    }

    /// The vertices of the edge.
    #[inline(always)]
    pub(crate) fn vertices(&self) -> [u32; 2] {
        let [left, right] = &self.ends;
        [
            left[3].to_bits() & !NUMBERED,
            right[3].to_bits() & !NUMBERED,
        ]
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

/// Farther than anything that is held against it, with room for sums.
const OUT_OF_REACH: f32 = 1e30;

impl Faces {
    fn new(polytope: &Polytope, scale: f64, faces: &[usize]) -> Faces {
        let mut block = Faces {
            normals: ZERO,
            offsets: [OUT_OF_REACH; LANES],
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
    /// Of faces in the order of the blocks, and edges in the order of their arcs.
    fn new(polytope: &Polytope, scale: f64, faces: Vec<u32>, edges: &[u32]) -> Many {
        let mut many = Many::default();
        for (number, eight) in faces.chunks(LANES).enumerate() {
            let planes = Planes::new(polytope, scale, eight);
            if number % LANES == 0 {
                many.cones.push(Cones::NONE);
            }
            let cones = &mut many.cones[number / LANES];
            cones.set(number % LANES, polytope, eight, planes.low());
            many.blocks.push(planes);
        }
        many.add_outer(polytope, &faces);
        many.add_around(polytope, &faces, edges);
        many.names = faces;
        many
    }

    fn add_outer(&mut self, polytope: &Polytope, faces: &[u32]) {
        for (number, group) in faces.chunks(LANES * LANES).enumerate() {
            if number % LANES == 0 {
                self.outer.push(Cones::NONE);
            }
            let inner = self.blocks[LANES * number..].iter().take(LANES);
            let low = inner.map(Planes::low).fold(1.0, f32::min);
            self.outer[number / LANES].set(number % LANES, polytope, group, low);
        }
    }

    fn add_around(&mut self, polytope: &Polytope, faces: &[u32], edges: &[u32]) {
        let face_places = places(faces);
        let count = LANES * faces.len().div_ceil(LANES);
        let edge_places = places(edges);
        let has_further = (faces.iter()).any(|face| polytope.face_edges(*face as usize).len() > 3);
        for (place, face) in faces.iter().enumerate() {
            if place % LANES == 0 {
                self.around.push(Around {
                    faces: [[[0; 2]; 3]; LANES],
                });
            }
            if has_further {
                self.further_starts.push(self.further.len() as u32);
            }
            let around = &mut self.around[place / LANES].faces[place % LANES];
            for (k, edge) in polytope.face_edges(*face as usize).iter().enumerate() {
                let other = polytope.edges[*edge as usize].other_face(*face);
                let other = face_places[other as usize];
                let again = if (other as usize) < place { count } else { 0 };
                let beside = [edge_places[*edge as usize], other + again as u32];
                match around.get_mut(k) {
                    Some(place) => *place = beside,
                    None => self.further.push(beside),
                }
            }
        }
        if has_further {
            self.further_starts.push(self.further.len() as u32);
        }
    }

    /// Asks for a block.
    #[inline(always)]
    pub(crate) fn fetch_block(&self, block: usize) {
        if let Some(planes) = self.blocks.get(block) {
            ahead::fetch_start(&planes.normals[0]);
            ahead::fetch_start(&planes.normals[2]);
        }
    }

    /// Asks for what is around some faces of a block, given as bits, of which one is set.
    #[inline(always)]
    pub(crate) fn fetch_around(&self, block: usize, faces: u8) {
        if let Some(around) = self.around.get(block) {
            let first = faces.trailing_zeros() as usize % LANES;
            let last = faces.checked_ilog2().unwrap_or(0) as usize % LANES;
            ahead::fetch_start(&around.faces[first][0]);
            ahead::fetch_start(&around.faces[last][2]);
        }
    }

    /// Asks for the name of a face.
    #[inline(always)]
    pub(crate) fn fetch_name(&self, place: u32) {
        ahead::fetch_line(&self.names, place as usize);
    }

    /// Whether there are faces with more than three edges.
    #[inline(always)]
    pub(crate) fn has_further(&self) -> bool {
        !self.further_starts.is_empty()
    }

    /// What is around the face at a place beyond its first three edges.
    #[inline(always)]
    pub(crate) fn further(&self, place: usize) -> &[Beside] {
        match self.further_starts.get(place..place + 2) {
            Some(&[start, end]) => &self.further[start as usize..end as usize],
            _ => &[],
        }
    }
}

/// The inverse of an order.
fn places(order: &[u32]) -> Vec<u32> {
    let mut places = vec![0; order.len()];
    for (place, item) in order.iter().enumerate() {
        places[*item as usize] = place as u32;
    }
    places
}

/// All edges, those of the first face first.
fn edges_in_order(polytope: &Polytope, faces: &[u32]) -> Vec<u32> {
    let mut is_listed = vec![false; polytope.edges.len()];
    let mut edges = Vec::with_capacity(polytope.edges.len());
    for face in faces {
        for edge in polytope.face_edges(*face as usize) {
            if !std::mem::replace(&mut is_listed[*edge as usize], true) {
                edges.push(*edge);
            }
        }
    }
    edges
}

const ZERO: Columns = [[0.0; LANES]; 3];

impl Planes {
    fn new(polytope: &Polytope, scale: f64, faces: &[u32]) -> Planes {
        let mut planes = Planes {
            normals: ZERO,
            offsets: [OUT_OF_REACH; LANES],
        };
        for (lane, face) in faces.iter().enumerate() {
            let normal = polytope.normals[*face as usize];
            let corner = polytope.vertices[polytope.face(*face as usize)[0] as usize];
            set(&mut planes.normals, lane, normal);
            planes.offsets[lane] = offset(polytope, scale, normal, corner);
        }
        planes
    }

    /// The least distance of a face from the centre, rounded down.
    fn low(&self) -> f32 {
        let offsets = self.offsets.iter().copied();
        offsets.fold(1.0, f32::min).max(0.0) - ROUNDING as f32
    }
}

impl Cones {
    /// Makes one of the cones that of some faces, of which none is nearer to the centre than `low`.
    fn set(&mut self, lane: usize, polytope: &Polytope, faces: &[u32], low: f32) {
        let normals = || faces.iter().map(|face| polytope.normals[*face as usize]);
        let axis = normals().sum::<Vec3>().normalize_or_zero();
        let cos = normals().map(|n| n.dot(axis)).fold(1.0, f64::min) - ROUNDING;
        let arcs = faces.iter().flat_map(|face| {
            let normal = polytope.normals[*face as usize];
            let neighbours = polytope.face_neighbours(*face as usize);
            neighbours.map(move |other| [normal, polytope.normals[other as usize]])
        });
        let steps = |x: f64| x * f64::from(Cones::STEPS);
        let near = (axis * f64::from(Cones::STEPS)).round();
        self.xy[lane] = [near.x as i16, near.y as i16];
        self.z[lane] = [near.z as i16, 0];
        if cos > 0.0 {
            let sin = (1.0 - cos * cos).max(0.0).sqrt();
            let half_cos = f64::from(least_half_cos(arcs));
            self.rim[lane] = [steps(cos).floor() as i16, steps(sin).ceil() as i16];
            self.low[lane] = [steps(f64::from(low)).floor() as i16, steps(half_cos) as i16];
        } else {
            self.low[lane] = [i16::MIN, 0];
        }
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

/// Orders faces so that each run of eight, and each run of 64, has its normals close together: halves across the widest axis, and
/// again.
fn gather_neighbours(faces: &mut [u32], normals: &[Vec3]) {
    if faces.len() <= LANES {
        return;
    }
    let at = |face: u32| normals[face as usize];
    let (low, high) = faces
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), face| {
            (low.min(at(*face)), high.max(at(*face)))
        });
    let axis = (high - low).max_position();
    let run = if faces.len() > LANES * LANES {
        LANES * LANES
    } else {
        LANES
    };
    let half = faces.len().div_ceil(run) / 2 * run;
    faces.select_nth_unstable_by(half, |p, q| {
        at(*p)[axis].total_cmp(&at(*q)[axis]).then(p.cmp(q))
    });
    let (before, after) = faces.split_at_mut(half);
    gather_neighbours(before, normals);
    gather_neighbours(after, normals);
}
