//! A small polytope in seven lines of memory: all that most pairs of a crowd are decided by.
//!
//! The packed form of a polytope of 20 vertices and 36 faces is fourteen lines in three places, and pairs of a dense crowd wait for
//! them. Here the same points, vertices and polar points about the centre, are whole numbers of 16 bits, side by side with what their
//! comparison needs: a third of the memory, in one place. What they are multiplied with, a direction or a position, is rounded to 16 bits,
//! too ([`Probe`]): then a product is three instructions for eight points, and exact.
//!
//! **Rounding.** A point is off by what rounding to 16 bits did to it, which is measured and kept: 3e-5 of the radius or less. To that are
//! added, for each unit of a direction or position, [`SCANNED`] and [`PROBED`] times the longest point. A direction is seen by the body through a
//! matrix rounded to `f32`, at most `4 u` of each coordinate and hence `7 u` of its length (with `u` half an EPSILON of `f32`); the offset of
//! two centres, its length and what it is stretched by are each off by a few. Then each coordinate of a probe is rounded by half of one, which is less
//! than 0.87 of its whole length together; the largest product loses up to 63 of `2^30` to the number of its point, and half of that to
//! its rounding to `f32`. A position is seen through the transposed matrix where the inverse one is meant, which is off by at most three
//! times the deviation; who looks at a kit makes sure that this is a usual one ([`Pose::ROTATION_TOLERANCE`]).

use super::{Packed, Polytope};
use crate::ahead;
use crate::math::{Pose, Vec3};
use fearless_simd::{Simd, f32x4, i16x16, i32x4, i32x8, prelude::*, u8x16};

/// Blocks of eight vertices, and of eight polar points.
const VERTEX_BLOCKS: usize = 3;
const POLAR_BLOCKS: usize = 5;

/// Two blocks share one of their third coordinates.
const VERTEX_ENDS: usize = VERTEX_BLOCKS.div_ceil(2);
const POLAR_ENDS: usize = POLAR_BLOCKS.div_ceil(2);

/// The largest coordinate.
const LARGEST: f64 = 32767.0;
/// Radii up to this, and inner radii down to its inverse, leave room for products of them in `f32`.
const WIDEST: f64 = (1u64 << 24) as f64;
/// More than what products in `f32` are off by, for each unit of both lengths.
const SCANNED: f64 = 16.0 * f32::EPSILON as f64;
/// More than what a product with a probe is off by, for each unit of both lengths.
const PROBED: f64 = 1.0 / Probe::LENGTH as f64;
/// What the transposed matrix of a usual pose is off by, where the inverse one is meant.
const TRANSPOSED: f64 = 4.0 * Pose::ROTATION_TOLERANCE;
/// For each unit of the reach of a body, more than what placing its vertices and its centre is off by, but for the part of the placed centre.
const PLACING: f64 = 128.0 * f64::EPSILON;

/// A polytope of at most 24 vertices and 40 faces about its centre.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Kit {
    /// No vertex is farther from the centre. 0 when there is no kit.
    pub(crate) radius: f32,
    /// No polar point is longer: one divided by the radius of a ball inside, about the centre.
    pub(crate) polar_radius: f32,
    /// Where vertices are placed, seen from the placed centre, is off by this, besides what the centre is off by.
    pub(crate) placing: f32,
    /// A product of vertices is off by this for each unit of the direction.
    pub(crate) vertex_blur: f32,
    /// A product of polar points is off by this for each unit of the position.
    pub(crate) polar_blur: f32,
    vertex_step: f32,
    polar_step: f32,
    face_count: u32,
    vertices: Points<VERTEX_BLOCKS, VERTEX_ENDS>,
    polars: Points<POLAR_BLOCKS, POLAR_ENDS>,
}

const _: () = assert!(size_of::<Kit>() == 7 * 64);

/// Points as multiples of a step, the last blocks filled up with copies of the last point.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
struct Points<const BLOCKS: usize, const ENDS: usize> {
    /// Of each point of a block the first two coordinates.
    xy: [[i16; 16]; BLOCKS],
    /// The third ones of two blocks: one of the first, one of the second, and so on.
    z: [[i16; 16]; ENDS],
}

/// A direction or a position of a certain length in whole numbers: what points are multiplied with.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(16))]
pub(crate) struct Probe {
    /// Two numbers in each: the first two coordinates; the third and 0; 0 and the third; the last is not used.
    words: [i32; 4],
}

impl Probe {
    /// How long it is, about. Products with points, of which none is longer than 32768, are below `2^30`.
    pub(crate) const LENGTH: f32 = 32000.0;
    /// Added to a number, it leaves the nearest whole one in the lower half of the sum.
    const ROUNDS: f32 = (3 << 22) as f32;

    /// A vector of that length, and behind it anything.
    #[inline(always)]
    pub(crate) fn along<S: Simd>(simd: S, seen: f32x4<S>) -> Probe {
        Probe::packed(simd, f32x4::splat(simd, Probe::ROUNDS) + seen)
    }

    /// The opposite of one.
    #[inline(always)]
    pub(crate) fn against<S: Simd>(simd: S, seen: f32x4<S>) -> Probe {
        Probe::packed(simd, f32x4::splat(simd, Probe::ROUNDS) - seen)
    }

    #[inline(always)]
    fn packed<S: Simd>(simd: S, sums: f32x4<S>) -> Probe {
        const ZERO: u8 = 255;
        #[rustfmt::skip]
        let halves = [0, 1, 4, 5,  8, 9, ZERO, ZERO,  ZERO, ZERO, 8, 9,  ZERO, ZERO, ZERO, ZERO];
        let bytes: u8x16<S> = sums.bitcast();
        let halves = u8x16::load_array_ref(simd, &halves);
        let words: i32x4<S> = simd.swizzle_dyn_precise_u8x16(bytes, halves).bitcast();
        Probe {
            words: words.into(),
        }
    }

    /// One of the words, many times.
    #[inline(always)]
    fn word<S: Simd>(&self, simd: S, number: usize) -> i16x16<S> {
        i32x8::splat(simd, self.words[number]).bitcast()
    }
}

impl Kit {
    pub(super) const NONE: Kit = Kit {
        radius: 0.0,
        polar_radius: 0.0,
        placing: 0.0,
        vertex_blur: f32::INFINITY,
        polar_blur: f32::INFINITY,
        vertex_step: 0.0,
        polar_step: 0.0,
        face_count: 0,
        vertices: Points::ZERO,
        polars: Points::ZERO,
    };

    /// That of a polytope which is small enough, neither thin nor of extreme size.
    pub(super) fn new(polytope: &Polytope, packed: &Packed) -> Kit {
        let (vertices, faces) = (polytope.vertices.len(), polytope.face_count());
        let is_small = vertices <= 8 * VERTEX_BLOCKS && faces <= 8 * POLAR_BLOCKS;
        let is_usual = packed.reach < WIDEST && packed.inner_radius > 1.0 / WIDEST;
        if !is_small || !is_usual || packed.polars.is_empty() {
            return Kit::NONE;
        }
        let points: Vec<Vec3> = polytope
            .vertices
            .iter()
            .map(|v| *v - packed.center)
            .collect();
        let [vertex_step, polar_step] =
            [packed.radius, 1.0 / packed.inner_radius].map(|most| rounded_up(most / LARGEST));
        let (vertices, vertex_error) = Points::new(&points, vertex_step);
        let polars: Vec<Vec3> = (0..faces)
            .map(|face| {
                let corner = polytope.vertices[polytope.face(face)[0] as usize];
                let normal = polytope.normals[face];
                normal / normal.dot(corner - polytope.centroid)
            })
            .collect();
        let (polars, polar_error) = Points::new(&polars, polar_step);
        // That of the packed form is in its units.
        let polar_error = polar_error + packed.polar_error() / packed.scale;
        let polar_radius = 1.0 / packed.inner_radius;
        let moved = packed.center.abs().element_sum() * f64::from(f32::EPSILON);
        let placing = moved + f64::from(f32::MIN_POSITIVE) + PLACING * packed.reach;
        Kit {
            radius: rounded_up(packed.radius),
            polar_radius: rounded_up(polar_radius),
            placing: rounded_up(placing),
            vertex_blur: rounded_up(vertex_error + (SCANNED + PROBED) * packed.radius),
            polar_blur: rounded_up(polar_error + (SCANNED + PROBED + TRANSPOSED) * polar_radius),
            vertex_step,
            polar_step,
            face_count: faces as u32,
            vertices,
            polars,
        }
    }

    /// Asks for the vertices, and for all that comes before them.
    #[inline(always)]
    pub(crate) fn fetch_vertices(&self) {
        ahead::fetch_start(self);
        ahead::fetch_start(&self.vertices.xy[1]);
        ahead::fetch_start(&self.vertices.z[0]);
    }

    /// Asks for the polar points.
    #[inline(always)]
    pub(crate) fn fetch_polars(&self) {
        for k in [0, 2, 4] {
            ahead::fetch_start(&self.polars.xy[k]);
        }
        ahead::fetch_start(&self.polars.z[1]);
    }

    /// How far the vertices of two kits reach along a direction each.
    #[inline(always)]
    pub(crate) fn reaches<S: Simd>(simd: S, [a, b]: [&Kit; 2], probes: [&Probe; 2]) -> [f32; 2] {
        let steps = [a.vertex_step, b.vertex_step];
        greatest(simd, [&a.vertices, &b.vertices], probes, steps)
    }

    /// About the same, and vertices that reach so far.
    #[inline(always)]
    pub(crate) fn farthest<S: Simd>(
        simd: S,
        [a, b]: [&Kit; 2],
        probes: [&Probe; 2],
    ) -> ([f32; 2], [u32; 2]) {
        let steps = [a.vertex_step, b.vertex_step];
        greatest_numbered(simd, [&a.vertices, &b.vertices], probes, steps)
    }

    /// The largest products of polar points of two kits with a position each.
    #[inline(always)]
    pub(crate) fn steepnesses<S: Simd>(
        simd: S,
        [a, b]: [&Kit; 2],
        probes: [&Probe; 2],
    ) -> [f32; 2] {
        let steps = [a.polar_step, b.polar_step];
        greatest(simd, [&a.polars, &b.polars], probes, steps)
    }

    /// About the same, and faces whose polar points have these products.
    #[inline(always)]
    pub(crate) fn steepest<S: Simd>(
        simd: S,
        [a, b]: [&Kit; 2],
        probes: [&Probe; 2],
    ) -> ([f32; 2], [u32; 2]) {
        let steps = [a.polar_step, b.polar_step];
        let (tops, [p, q]) = greatest_numbered(simd, [&a.polars, &b.polars], probes, steps);
        // Where the last block is filled up, it is with the last face.
        (tops, [p.min(a.face_count - 1), q.min(b.face_count - 1)])
    }

    /// About the polar point of a face.
    #[inline(always)]
    pub(crate) fn polar(&self, face: u32) -> [f32; 3] {
        self.polars.at(face, self.polar_step)
    }

    /// About a vertex, seen from the centre; the last one for numbers behind it.
    #[inline(always)]
    pub(crate) fn vertex(&self, vertex: u32) -> [f32; 3] {
        self.vertices.at(vertex, self.vertex_step)
    }
}

impl<const BLOCKS: usize, const ENDS: usize> Points<BLOCKS, ENDS> {
    const ZERO: Self = Points {
        xy: [[0; 16]; BLOCKS],
        z: [[0; 16]; ENDS],
    };

    /// Points of which no coordinate is larger than the largest number of steps, and how far they are moved.
    fn new(points: &[Vec3], step: f32) -> (Self, f64) {
        let (mut packed, step) = (Self::ZERO, f64::from(step));
        let mut error = 0.0_f64;
        for place in 0..8 * BLOCKS {
            let point = points[place.min(points.len() - 1)];
            let near = (point / step).round();
            error = error.max((near * step - point).length());
            let (block, lane) = (place / 8, place % 8);
            packed.xy[block][2 * lane] = near.x as i16;
            packed.xy[block][2 * lane + 1] = near.y as i16;
            packed.z[block / 2][2 * lane + block % 2] = near.z as i16;
        }
        // The length itself is rounded; steps times whole numbers are not.
        (packed, error * (1.0 + 16.0 * f64::EPSILON))
    }

    /// A point, by its number.
    #[inline(always)]
    fn at(&self, number: u32, step: f32) -> [f32; 3] {
        let (block, lane) = (number as usize / 8 % BLOCKS, number as usize % 8);
        let [x, y] = [self.xy[block][2 * lane], self.xy[block][2 * lane + 1]];
        let z = self.z[block / 2][2 * lane + block % 2];
        [
            f32::from(x) * step,
            f32::from(y) * step,
            f32::from(z) * step,
        ]
    }

    /// The products of all points with a probe, in steps.
    #[inline(always)]
    fn products<S: Simd>(&self, simd: S, probe: &Probe) -> [i32x8<S>; BLOCKS] {
        let [xy, even, odd] = [
            probe.word(simd, 0),
            probe.word(simd, 1),
            probe.word(simd, 2),
        ];
        let mut products = [i32x8::splat(simd, 0); BLOCKS];
        for (k, product) in products.iter_mut().enumerate() {
            let points = i16x16::load_array_ref(simd, &self.xy[k]);
            let ends = i16x16::load_array_ref(simd, &self.z[k / 2]);
            let end = if k % 2 == 0 { even } else { odd };
            *product = simd.pairwise_dot_product_i16x16(points, xy)
                + simd.pairwise_dot_product_i16x16(ends, end);
        }
        products
    }
}

/// The largest products of two lists of points with a probe each, given their steps.
#[inline(always)]
fn greatest<const BLOCKS: usize, const ENDS: usize, S: Simd>(
    simd: S,
    [a, b]: [&Points<BLOCKS, ENDS>; 2],
    probes: [&Probe; 2],
    steps: [f32; 2],
) -> [f32; 2] {
    let [top_a, top_b] = tops(
        simd,
        [
            largest(&a.products(simd, probes[0])),
            largest(&b.products(simd, probes[1])),
        ],
    );
    [top_a as f32 * steps[0], top_b as f32 * steps[1]]
}

/// About the same, and the numbers of points that have these products.
#[inline(always)]
fn greatest_numbered<const BLOCKS: usize, const ENDS: usize, S: Simd>(
    simd: S,
    [a, b]: [&Points<BLOCKS, ENDS>; 2],
    probes: [&Probe; 2],
    steps: [f32; 2],
) -> ([f32; 2], [u32; 2]) {
    let [top_a, top_b] = tops(
        simd,
        [
            largest(&numbered(simd, a.products(simd, probes[0]))),
            largest(&numbered(simd, b.products(simd, probes[1]))),
        ],
    );
    (
        [top_a as f32 * steps[0], top_b as f32 * steps[1]],
        [(top_a & NUMBER) as u32, (top_b & NUMBER) as u32],
    )
}

/// The bits of a product that the number of its point takes.
const NUMBER: i32 = 63;
const _: () = assert!(8 * POLAR_BLOCKS <= NUMBER as usize + 1);

/// The numbers of points, by block.
const NUMBERS: [[i32; 8]; POLAR_BLOCKS] = {
    let mut numbers = [[0; 8]; POLAR_BLOCKS];
    let mut k = 0;
    while k < 8 * POLAR_BLOCKS {
        numbers[k / 8][k % 8] = k as i32;
        k += 1;
    }
    numbers
};

/// Products whose last bits are the numbers of their points.
#[inline(always)]
fn numbered<const BLOCKS: usize, S: Simd>(
    simd: S,
    mut products: [i32x8<S>; BLOCKS],
) -> [i32x8<S>; BLOCKS] {
    let others = i32x8::splat(simd, !NUMBER);
    for (product, numbers) in products.iter_mut().zip(&NUMBERS) {
        *product = (*product & others) | i32x8::load_array_ref(simd, numbers);
    }
    products
}

/// The largest products, lane by lane.
#[inline(always)]
fn largest<const BLOCKS: usize, S: Simd>(products: &[i32x8<S>; BLOCKS]) -> i32x8<S> {
    let mut most = products[0];
    for product in &products[1..] {
        most = most.max(*product);
    }
    most
}

/// The largest number of each of two lists.
#[inline(always)]
fn tops<S: Simd>(simd: S, lists: [i32x8<S>; 2]) -> [i32; 2] {
    let [(low_a, high_a), (low_b, high_b)] =
        [simd.split_i32x8(lists[0]), simd.split_i32x8(lists[1])];
    let (a, b) = (low_a.max(high_a), low_b.max(high_b));
    // Those of both in turns.
    let most = a.zip_low(b).max(a.zip_high(b));
    let [p, q, r, s]: [i32; 4] = most.into();
    [p.max(r), q.max(s)]
}

/// Not less, and not much more.
fn rounded_up(value: f64) -> f32 {
    (value as f32) * (1.0 + 2.0 * f32::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::in_lanes;
    use impinge_scenes::points::on_sphere;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Whatever is rounded to a probe, no coordinate is off by more than half of one.
    #[test]
    fn aims_are_the_nearest_whole_numbers() {
        let mut rng = ChaCha8Rng::seed_from_u64(72);
        for _ in 0..10_000 {
            let exact = [(); 3].map(|()| rng.random_range(-32001.0_f32..32001.0));
            let [x, y, z] = exact;
            let [along, against] = in_lanes!(simd => {
                let seen = f32x4::load_array_ref(simd, &[x, y, z, 1e30]);
                [Probe::along(simd, seen), Probe::against(simd, seen)]
            });
            for (probe, sign) in [(along, 1.0), (against, -1.0)] {
                let halves = probe.words.map(|word| [word as i16, (word >> 16) as i16]);
                let [[x, y], [z, none], [nothing, last], _] = halves;
                assert_eq!((none, nothing, last), (0, 0, z));
                for (found, expected) in [x, y, z].into_iter().zip(exact) {
                    assert!((f32::from(found) - sign * expected).abs() <= 0.5);
                }
            }
        }
    }

    #[test]
    fn products_are_within_their_blur() {
        let mut rng = ChaCha8Rng::seed_from_u64(71);
        for round in 0..400 {
            let (size, away) = (
                2f64.powi([-20, -3, 0, 12][round % 4]),
                [0.0, 1.0, 30.0][round % 3],
            );
            let center = on_sphere(1, rng.random())[0] * away;
            let points: Vec<Vec3> = on_sphere([4, 8, 20, 21][round % 4], rng.random())
                .iter()
                .map(|p| (*p + center) * size)
                .collect();
            let polytope = Polytope::from_points(&points).unwrap();
            // A tetrahedron may be too thin.
            let Some(kit) = polytope.kit() else {
                continue;
            };
            for direction in on_sphere(20, rng.random()) {
                let [x, y, z] = (direction.as_vec3() * Probe::LENGTH).to_array();
                // The second looks the other way, and what is behind a vector does not matter.
                let (reaches, (ends, vertices), steepnesses, (tops, faces)) = in_lanes!(simd => {
                    let seen = f32x4::load_array_ref(simd, &[x, y, z, f32::NAN]);
                    let opposite = f32x4::load_array_ref(simd, &[-x, -y, -z, f32::INFINITY]);
                    let probes = [Probe::along(simd, seen), Probe::against(simd, opposite)];
                    let (kits, probes) = ([kit; 2], probes.each_ref());
                    (
                        Kit::reaches(simd, kits, probes),
                        Kit::farthest(simd, kits, probes),
                        Kit::steepnesses(simd, kits, probes),
                        Kit::steepest(simd, kits, probes),
                    )
                });
                for found in [reaches, ends, steepnesses, tops] {
                    assert_eq!(found[0].to_bits(), found[1].to_bits());
                }
                assert_eq!((faces[0], vertices[0]), (faces[1], vertices[1]));
                let [reach, steepness, top] =
                    [reaches[0], steepnesses[0], tops[0]].map(|found| found / Probe::LENGTH);
                let face = faces[0];
                let along = polytope.vertices.iter();
                let along = along.map(|v| direction.dot(*v - polytope.centroid));
                let expected = along.fold(f64::NEG_INFINITY, f64::max);
                let off = (f64::from(reach) - expected).abs();
                assert!(off <= f64::from(kit.vertex_blur), "{off} {kit:?}");
                let end = f64::from(ends[0] / Probe::LENGTH);
                assert!((end - expected).abs() <= f64::from(kit.vertex_blur));
                // It is a vertex that is there, and the farthest of them within what rounds.
                let number = (vertices[0] as usize).min(polytope.vertices.len() - 1);
                let vertex = polytope.vertices[number] - polytope.centroid;
                let [x, y, z] = kit.vertex(vertices[0]).map(f64::from);
                let off = (Vec3::new(x, y, z) - vertex).length();
                assert!(off <= f64::from(kit.vertex_blur), "{off} {kit:?}");
                let short = expected - direction.dot(vertex);
                assert!(short <= 2.0 * f64::from(kit.vertex_blur), "{short}");
                let polar = |face: usize| {
                    let corner = polytope.vertices[polytope.face(face)[0] as usize];
                    let normal = polytope.normals[face];
                    normal / normal.dot(corner - polytope.centroid)
                };
                let faces = (0..polytope.face_count()).map(|face| direction.dot(polar(face)));
                let expected = faces.fold(f64::NEG_INFINITY, f64::max);
                let off = (f64::from(steepness) - expected).abs();
                assert!(off <= f64::from(kit.polar_blur), "{off} {kit:?}");
                assert!((top - steepness).abs() <= 1e-6 * kit.polar_radius);
                let [x, y, z] = kit.polar(face).map(f64::from);
                let off = (Vec3::new(x, y, z) - polar(face as usize)).length();
                assert!(off <= f64::from(kit.polar_blur), "{off} {kit:?}");
            }
        }
    }
}
