//! A glance at pairs of small polytopes of a crowd: the quick steps of [`overlap`](super::overlap) in single precision, from a few lines of memory.
//!
//! Where bodies are crowded, what a pair costs is waiting: for two poses, two headers, two lists of vertices, two of polar points. Whoever
//! keeps many bodies has their centres in `f32` at hand, with a bound for what that rounds; the rest is in the [`Kit`] of a
//! polytope. The steps are those of [`centers`](super::centers), in the same order and with the same proofs, but for larger error bounds.
//! The few pairs that they leave open are searched by [`portal`]s, from the same lines; what is left then nearly touches.
//!
//! **Rounding.** With `C` the centre in `f32` and `M` the matrix of a body, `c` the centre of its polytope: each placed vertex is within
//! [`Case::blurs`] of `C + M (v - c)`. So along a direction `n` the body reaches from `C` at most `max (M^T n) . (v - c)` and the blur, and
//! a ball of that radius about a point inside of the polytope of the `C + M (v - c)` makes it a point of the placed one. What
//! products are off by is in the blurs of kits; [`SHARE`] is more than what is rounded elsewhere, relative to what is compared. Directions
//! and positions are stretched to the length of a [`Probe`] before they are rounded, and so are both sides of a comparison.

use super::cache::{Last, PairCache};
use super::group::{GROUP, List};
use super::portal::{self, Farthest, Portal, Scale};
use super::triple::{dot, minus, negative, plus, times};
use crate::bound::Stance;
use crate::shape::{Kit, Probe};
use arrayvec::ArrayVec;
use fearless_simd::{Simd, f32x4, prelude::*};

/// A small polytope somewhere, whose pose is a usual one: off a rotation by no more than
/// [`Pose::ROTATION_TOLERANCE`](crate::Pose::ROTATION_TOLERANCE).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glimpse<'a> {
    pub(crate) kit: &'a Kit,
    /// Each coordinate of the placed centre is within `2 EPSILON` of itself and [`Kit::placing`].
    pub(crate) stance: &'a Stance,
}

/// Two of them.
pub(crate) type GlimpsePair<'a> = [Glimpse<'a>; 2];

/// At most so many pairs are looked at together.
pub(crate) const GLANCE: usize = GROUP;

/// What is remembered about pairs, by place.
pub(crate) trait Caches {
    /// About one of them.
    fn of(&mut self, place: usize) -> &mut PairCache;
}

/// What a glance decided: a bit for each place.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Glances {
    /// These share a point.
    pub(crate) meet: u64,
    /// These do not.
    pub(crate) apart: u64,
}

/// More than what is rounded between products and comparisons.
const SHARE: f32 = 32.0 * f32::EPSILON;
/// How much further to go than to the planes of two faces, so that there is room for others.
const FURTHER: f32 = 1.2;

/// A pair as the steps see it.
#[derive(Debug, Clone, Copy)]
struct Case<'a> {
    kits: [&'a Kit; 2],
    turns: [Turn<'a>; 2],
    /// From the centre of the first to that of the second.
    offset: [f32; 3],
    /// The square of its length, its length, and what it is stretched by to be a probe; see [`stretch`].
    squared: f32,
    length: f32,
    stretch: f32,
    /// It as the first one sees it, and its opposite as the second one does.
    probes: [Probe; 2],
    /// What placed vertices are off by, seen from the centres.
    blurs: [f32; 2],
}

/// The rows of a matrix, rounded, and behind each a number of no meaning here.
#[derive(Debug, Clone, Copy)]
struct Turn<'a> {
    rows: &'a [[f32; 4]; 3],
}

/// Looks at some pairs, at most [`GLANCE`].
#[inline(always)]
pub(crate) fn glance<S: Simd>(
    simd: S,
    pairs: &[GlimpsePair<'_>],
    caches: &mut impl Caches,
) -> Glances {
    let mut cases = ArrayVec::<Case<'_>, GLANCE>::new();
    let [mut fresh, mut known, mut met] = [List::EMPTY; 3];
    for (k, pair) in pairs.iter().enumerate().take(GLANCE) {
        cases.push(Case::new(simd, pair));
        let cache = caches.of(k);
        let is_open = cache.last != Last::Begun;
        let has_met = cache.last == Last::Overlapping;
        known.push_if(k, is_open & cache.has_direction());
        met.push_if(k, is_open & !cache.has_direction() & has_met);
        fresh.push_if(k, is_open & !cache.has_direction() & !has_met);
    }
    let [not_by_known, by_known] = known.split(
        #[inline(always)]
        |k| cases[k].is_parted(simd, caches.of(k).direction),
    );
    let [not_by_offset, by_offset] = fresh.with(&not_by_known).split_ahead(
        #[inline(always)]
        |_| (),
        #[inline(always)]
        |k| cases[k].is_parted_by_offset(simd),
    );
    let mut faces = [[0; 2]; GLANCE];
    let [not_on_segment, on_segment] = met.with(&not_by_offset).split_ahead(
        #[inline(always)]
        |k| cases[k].fetch_polars(),
        #[inline(always)]
        |k| {
            let (meets, passed) = cases[k].meets_on_segment(simd);
            faces[k] = passed;
            meets
        },
    );
    let mut polars = [[[0.0; 3]; 2]; GLANCE];
    let [not_beside, beside] = not_on_segment.split(
        #[inline(always)]
        |k| {
            polars[k] = cases[k].polars(faces[k]);
            cases[k].meets_beside(simd, polars[k])
        },
    );
    let [not_by_faces, by_faces] = not_beside.split(
        #[inline(always)]
        |k| {
            let direction = cases[k].parted_by_faces(simd, polars[k]);
            if let Some(direction) = direction {
                let cache = caches.of(k);
                (cache.direction, cache.last) = (direction, Last::Apart);
            }
            direction.is_some()
        },
    );
    let [by_search, in_search] = search_all(simd, &cases, not_by_faces, caches);
    for (list, last) in [
        (&by_offset, Last::Apart),
        (&on_segment, Last::Overlapping),
        (&beside, Last::Overlapping),
        (&in_search, Last::Overlapping),
    ] {
        for k in list.iter() {
            let cache = caches.of(k);
            // Most are as they were, and are not written to.
            if (cache.last != last) | cache.has_direction() | cache.has_corners {
                *cache = PairCache {
                    last,
                    ..PairCache::default()
                };
            }
        }
    }
    Glances {
        meet: on_segment.bits() | beside.bits() | in_search.bits(),
        apart: by_known.bits() | by_offset.bits() | by_faces.bits() | by_search.bits(),
    }
}

/// Searches for what parts some pairs, or proves that they meet: those that are apart, and those that are not.
#[inline(always)]
fn search_all<S: Simd>(
    simd: S,
    cases: &[Case<'_>],
    pairs: List,
    caches: &mut impl Caches,
) -> [List; 2] {
    let [mut apart, mut meeting] = [List::EMPTY; 2];
    for k in pairs.iter() {
        let case = &cases[k];
        let found = portal::search(
            case.offset,
            case.scale(),
            #[inline(always)]
            |direction| case.farthest_against(simd, direction),
        );
        if let Portal::Beyond(direction) = found {
            let cache = caches.of(k);
            let length = dot(direction, direction).sqrt();
            (cache.direction, cache.last) = (times(direction, 1.0 / length), Last::Apart);
        }
        apart.push_if(k, matches!(found, Portal::Beyond(_)));
        meeting.push_if(k, found == Portal::Inside);
    }
    [apart, meeting]
}

impl<'a> Case<'a> {
    #[inline(always)]
    fn new<S: Simd>(simd: S, [a, b]: &GlimpsePair<'a>) -> Case<'a> {
        let offset = minus(b.stance.center(), a.stance.center());
        let squared = dot(offset, offset);
        let length = squared.sqrt();
        let stretch = stretch(length);
        let turns = [a, b].map(|side| Turn {
            rows: side.stance.rows(),
        });
        Case {
            kits: [a.kit, b.kit],
            turns,
            offset,
            squared,
            length,
            stretch,
            probes: probes_along(simd, &turns, times(offset, stretch)),
            blurs: [a.blur(), b.blur()],
        }
    }

    #[inline(always)]
    fn fetch_polars(&self) {
        self.kits[0].fetch_polars();
        self.kits[1].fetch_polars();
    }

    /// Whether a direction from the first to the second proves that they are apart.
    #[inline(always)]
    fn is_parted<S: Simd>(&self, simd: S, direction: [f32; 3]) -> bool {
        let stretch = stretch(dot(direction, direction).sqrt());
        let probes = probes_along(simd, &self.turns, times(direction, stretch));
        self.is_apart(simd, &probes, stretch, dot(direction, self.offset))
    }

    /// Whether their offset does.
    #[inline(always)]
    fn is_parted_by_offset<S: Simd>(&self, simd: S) -> bool {
        self.is_apart(simd, &self.probes, self.stretch, self.squared)
    }

    /// Whether a direction does, which was stretched, and along which the centres are so far from each other.
    #[inline(always)]
    fn is_apart<S: Simd>(&self, simd: S, probes: &[Probe; 2], stretch: f32, along: f32) -> bool {
        let [reach_a, reach_b] = Kit::reaches(simd, self.kits, probes.each_ref());
        let error = self.scale().error;
        (along * stretch - (reach_a + reach_b) > Probe::LENGTH * error) & (stretch > 0.0)
    }

    /// How far a difference of two vertices, one of each, or of the centres, is where it is said to be.
    #[inline(always)]
    fn scale(&self) -> Scale {
        let [a, b] = self.kits;
        let slack = a.vertex_blur + b.vertex_blur + self.blurs[0] + self.blurs[1];
        let radius = a.radius + b.radius;
        let size = self.length + radius;
        Scale {
            error: slack + SHARE * size,
            radius,
            size,
        }
    }

    /// The difference of two vertices that is the farthest against a direction, and whether it parts them.
    #[inline(always)]
    fn farthest_against<S: Simd>(&self, simd: S, direction: [f32; 3]) -> Farthest {
        let stretch = stretch(dot(direction, direction).sqrt());
        let probes = probes_along(simd, &self.turns, times(direction, stretch));
        let (reaches, vertices) = Kit::farthest(simd, self.kits, probes.each_ref());
        let [a, b] = [
            self.turns[0].turned(self.kits[0].vertex(vertices[0])),
            self.turns[1].turned(self.kits[1].vertex(vertices[1])),
        ];
        let gap = dot(direction, self.offset) * stretch - (reaches[0] + reaches[1]);
        Farthest {
            point: plus(self.offset, minus(b, a)),
            is_apart: (gap > Probe::LENGTH * self.scale().error) & (stretch > 0.0),
        }
    }

    /// Whether the segment of centres has a point in both, and the faces through which it leaves them.
    #[inline(always)]
    fn meets_on_segment<S: Simd>(&self, simd: S) -> (bool, [u32; 2]) {
        let [a, b] = self.kits;
        let ([top_a, top_b], faces) = Kit::steepest(simd, self.kits, self.probes.each_ref());
        let [steep_a, steep_b] = [
            top_a + Probe::LENGTH * a.polar_blur,
            top_b + Probe::LENGTH * b.polar_blur,
        ];
        let [room_a, room_b] = self.rooms();
        // A share of room / steepness of the segment is inside of each: they add up to more than the whole.
        let is_enough = (room_a * steep_b + room_b * steep_a) * self.stretch
            > steep_a * steep_b * (1.0 + SHARE);
        let meets = is_enough & (room_a > 0.0) & (room_b > 0.0) & (self.stretch > 0.0);
        (meets, faces)
    }

    /// No point of a body whose polar products are at most this is off by more than its vertices are.
    #[inline(always)]
    fn rooms(&self) -> [f32; 2] {
        let of = |side: usize| 1.0 - SHARE - 1.01 * self.blurs[side] * self.kits[side].polar_radius;
        [of(0), of(1)]
    }

    /// The polar points of two faces, about, in the frame of the world.
    #[inline(always)]
    fn polars(&self, [face_a, face_b]: [u32; 2]) -> [[f32; 3]; 2] {
        [
            self.turns[0].turned(self.kits[0].polar(face_a)),
            self.turns[1].turned(self.kits[1].polar(face_b)),
        ]
    }

    /// Whether a point beside the segment is in both; see [`Centers::point_beside`](super::centers::Centers::point_beside).
    #[inline(always)]
    fn meets_beside<S: Simd>(&self, simd: S, [p, q]: [[f32; 3]; 2]) -> bool {
        let (along_p, along_q) = (dot(p, self.offset), -dot(q, self.offset));
        let (pp, pq, qq) = (dot(p, p), dot(p, q), dot(q, q));
        // Neither waits for the other.
        let (share, per_descent) = (along_q / (along_p + along_q), 1.0 / (pp * qq - pq * pq));
        let per_step = FURTHER * (1.0 - along_p * share) * per_descent;
        let way = plus(
            times(p, (qq - pq) * per_step),
            times(q, (pp - pq) * per_step),
        );
        let from_a = plus(times(self.offset, share), way);
        let from_b = minus(from_a, self.offset);
        // More than the length of either, and enough to pay for the rounding of the difference.
        let [x, y, z] = from_a.map(f32::abs);
        let stretch = stretch(x + y + z + self.length);
        let [a, b] = self.kits;
        let probes = [
            Probe::along(simd, self.turns[0].seen(simd, times(from_a, stretch))),
            Probe::along(simd, self.turns[1].seen(simd, times(from_b, stretch))),
        ];
        let [top_a, top_b] = Kit::steepnesses(simd, self.kits, probes.each_ref());
        let [room_a, room_b] = self.rooms();
        // Parallel faces lead to infinity, or not to a number.
        (top_a + Probe::LENGTH * a.polar_blur <= room_a * stretch)
            & (top_b + Probe::LENGTH * b.polar_blur <= room_b * stretch)
            & (stretch > 0.0)
    }

    /// A direction of unit length that separates them, if the normal of one of the faces with these polar points does.
    #[inline(always)]
    fn parted_by_faces<S: Simd>(&self, simd: S, [p, q]: [[f32; 3]; 2]) -> Option<[f32; 3]> {
        let lengths = [p, q].map(|polar| dot(polar, polar).sqrt());
        let stretches = lengths.map(stretch);
        // Each is seen by the other one.
        let probes = [
            Probe::against(simd, self.turns[0].seen(simd, times(q, stretches[1]))),
            Probe::against(simd, self.turns[1].seen(simd, times(p, stretches[0]))),
        ];
        let [reach_a, reach_b] = Kit::reaches(simd, self.kits, probes.each_ref());
        let [along_p, along_q] = [dot(p, self.offset), -dot(q, self.offset)];
        let by_p = self.is_beyond([0, 1], stretches[0], along_p * stretches[0] - reach_b);
        let by_q = self.is_beyond([1, 0], stretches[1], along_q * stretches[1] - reach_a);
        let (direction, length) = if by_p {
            (p, lengths[0])
        } else {
            (negative(q), lengths[1])
        };
        (by_p | by_q).then(|| times(direction, 1.0 / length))
    }

    /// Whether all of the other is beyond a face of the one, whose polar product with its own vertices is 1 at most, where that with the
    /// nearest of the other, stretched, is about `nearest`.
    #[inline(always)]
    fn is_beyond(&self, [one, other]: [usize; 2], stretch: f32, nearest: f32) -> bool {
        let (kit, own) = (self.kits[other], self.kits[one]);
        let slack = kit.vertex_blur + self.blurs[0] + self.blurs[1];
        let error = slack + SHARE * (self.length + kit.radius);
        let most = 1.0 + own.radius * own.polar_blur + SHARE;
        (nearest > most * stretch + Probe::LENGTH * error) & (stretch > 0.0)
    }
}

/// What a vector of some length is stretched by to be a probe: 0 when it is of an extreme length, or of none, and proves nothing.
#[inline(always)]
fn stretch(length: f32) -> f32 {
    const EXTREME: f32 = 1e15;
    if (length > 1.0 / EXTREME) & (length < EXTREME) {
        Probe::LENGTH / length
    } else {
        0.0
    }
}

impl Glimpse<'_> {
    /// What placed vertices are off by, seen from the centre.
    #[inline(always)]
    fn blur(&self) -> f32 {
        let [x, y, z] = self.stance.center();
        (x.abs() + y.abs() + z.abs()) * (2.0 * f32::EPSILON) + self.kit.placing
    }
}

/// A direction of the world as the first of two bodies sees it, and its opposite as the second does.
#[inline(always)]
fn probes_along<S: Simd>(simd: S, [a, b]: &[Turn<'_>; 2], direction: [f32; 3]) -> [Probe; 2] {
    [
        Probe::along(simd, a.seen(simd, direction)),
        Probe::against(simd, b.seen(simd, direction)),
    ]
}

impl Turn<'_> {
    /// A direction of the world as the body sees it, and behind it a number of no meaning.
    #[inline(always)]
    fn seen<S: Simd>(&self, simd: S, [x, y, z]: [f32; 3]) -> f32x4<S> {
        let [first, second, third] = self.rows;
        f32x4::load_array_ref(simd, first) * f32x4::splat(simd, x)
            + f32x4::load_array_ref(simd, second) * f32x4::splat(simd, y)
            + f32x4::load_array_ref(simd, third) * f32x4::splat(simd, z)
    }

    /// A direction of the body in the world.
    #[inline(always)]
    fn turned(&self, v: [f32; 3]) -> [f32; 3] {
        let along = |row: &[f32; 4]| dot([row[0], row[1], row[2]], v);
        let [first, second, third] = self.rows;
        [along(first), along(second), along(third)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::{BoxKind, TrackedBox};
    use crate::exact::hulls_intersect;
    use crate::lanes::in_lanes;
    use crate::math::{Mat3, Pose, Quat, Vec3};
    use crate::shape::{Polytope, Shape};
    use impinge_scenes::points::on_sphere;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::sync::Arc;

    /// What is remembered about one pair.
    struct One(PairCache);

    impl Caches for One {
        fn of(&mut self, _place: usize) -> &mut PairCache {
            &mut self.0
        }
    }

    fn unit(rng: &mut ChaCha8Rng) -> Vec3 {
        on_sphere(1, rng.random())[0]
    }

    /// Small, round or flat; about its origin or away from it.
    fn small(rng: &mut ChaCha8Rng, size: f64) -> Polytope {
        loop {
            let count = [4, 6, 9, 20, 22][rng.random_range(0..5)];
            let thin = [1.0, 1.0, 0.5, 0.1, 1e-3][rng.random_range(0..5)];
            let away = unit(rng) * [0.0, 0.0, 1.0, 1e3][rng.random_range(0..4)];
            let points = on_sphere(count, rng.random());
            let points: Vec<Vec3> = points
                .iter()
                .map(|p| (*p * Vec3::new(1.0, 1.0, thin) + away) * size)
                .collect();
            if let Ok(polytope) = Polytope::from_points(&points) {
                return polytope;
            }
        }
    }

    /// A rotation as exact as can be, or one that is off by almost as much as is allowed.
    fn turn(rng: &mut ChaCha8Rng) -> Mat3 {
        let turn = Quat::from_axis_angle(unit(rng), rng.random_range(0.0..6.3));
        let off = [0.0, 4e-7][rng.random_range(0..2)];
        Mat3::from_quat(turn) * (1.0 + off * rng.random_range(-1.0..1.0))
    }

    /// A polytope at a pose.
    fn stance_of(polytope: &Polytope, pose: &Pose) -> Stance {
        let shape = Shape::Polytope(Arc::new(polytope.clone()));
        let tracked = TrackedBox::new(&shape, BoxKind::Automatic);
        let own = tracked.own_ball(0.0);
        in_lanes!(simd => own.at(simd, pose))
    }

    /// Holds what is told of a pair against its placed vertices; whether it meets.
    fn check(found: &Glances, pair: [(&Polytope, &Pose); 2]) -> bool {
        let [p, q] = pair.map(|(polytope, pose)| {
            let vertices = polytope.vertices().iter();
            vertices.map(|v| pose.place(*v)).collect::<Vec<Vec3>>()
        });
        let meets = hulls_intersect(&p, &q);
        assert!(found.meet == 0 || meets, "{pair:?}");
        assert!(found.apart == 0 || !meets, "{pair:?}");
        meets
    }

    #[test]
    fn glances_are_right() {
        let mut rng = ChaCha8Rng::seed_from_u64(51);
        let [mut apart, mut meeting, mut open] = [0; 3];
        for _ in 0..6000 {
            let size = 2f64.powi([-18, 0, 0, 0, 10][rng.random_range(0..5)]);
            let ratio = [1.0, 1.0, 0.2, 30.0][rng.random_range(0..4)];
            let [a, b] = [small(&mut rng, size), small(&mut rng, size * ratio)];
            let (Some(kit_a), Some(kit_b)) = (a.kit(), b.kit()) else {
                continue;
            };
            let far = unit(&mut rng) * size * [0.0, 10.0, 1e3, 1e6][rng.random_range(0..4)];
            let pose_a = Pose::from_matrix(turn(&mut rng), far).unwrap();
            // Centres at about the distance of contact.
            let distance = (a.radius() + b.radius()) * rng.random_range(0.0..1.05);
            let place = pose_a.place(a.centroid()) + unit(&mut rng) * distance;
            let matrix = turn(&mut rng);
            let pose_b = Pose::from_matrix(matrix, place - matrix * b.centroid()).unwrap();
            let stances = [stance_of(&a, &pose_a), stance_of(&b, &pose_b)];
            let pair = [
                Glimpse {
                    kit: kit_a,
                    stance: &stances[0],
                },
                Glimpse {
                    kit: kit_b,
                    stance: &stances[1],
                },
            ];
            let mut cache = One(PairCache::default());
            if rng.random() {
                cache.0.direction = unit(&mut rng).as_vec3().to_array();
            }
            if rng.random() {
                cache.0.last = Last::Overlapping;
            }
            let found = in_lanes!(simd => glance(simd, &[pair], &mut cache));
            check(&found, [(&a, &pose_a), (&b, &pose_b)]);
            apart += found.apart;
            meeting += found.meet;
            open += u64::from(found.apart | found.meet == 0);
        }
        // A third of them is a million sizes away, or flat.
        assert!(apart > 800 && meeting > 800, "{apart} {meeting} {open}");
    }

    /// Of bodies that are neither flat nor far away nearly all are decided, and rightly.
    #[test]
    fn searches_leave_little_open() {
        let mut rng = ChaCha8Rng::seed_from_u64(52);
        let [mut near, mut open, mut meeting] = [0; 3];
        for _ in 0..3000 {
            let [a, b] = [(); 2].map(|()| {
                let count = rng.random_range(8..21);
                Polytope::from_points(&on_sphere(count, rng.random())).unwrap()
            });
            let (Some(kit_a), Some(kit_b)) = (a.kit(), b.kit()) else {
                continue;
            };
            let pose_a = Pose::from_matrix(turn(&mut rng), unit(&mut rng)).unwrap();
            let matrix = turn(&mut rng);
            let away = unit(&mut rng) * rng.random_range(1.2..1.9);
            let pose_b = Pose::from_matrix(matrix, pose_a.translation() + away).unwrap();
            let stances = [stance_of(&a, &pose_a), stance_of(&b, &pose_b)];
            let pair = [kit_a, kit_b];
            let pair = [0, 1].map(|k| Glimpse {
                kit: pair[k],
                stance: &stances[k],
            });
            let mut cache = One(PairCache::default());
            let found = in_lanes!(simd => glance(simd, &[pair], &mut cache));
            let meets = check(&found, [(&a, &pose_a), (&b, &pose_b)]);
            assert_eq!(cache.0.last == Last::Apart, found.apart == 1);
            near += 1;
            meeting += u32::from(meets);
            open += u32::from(found.apart | found.meet == 0);
        }
        assert!(near > 2500 && meeting > 800 && near - meeting > 800);
        assert!(open * 50 < near, "{open} of {near}");
    }

    /// Faces that touch, and those that nearly do: nothing that single precision cannot tell is told.
    #[test]
    fn touching_is_not_told() {
        let cube = Polytope::cuboid(Vec3::ONE).unwrap();
        for gap in [-1e-7, 0.0, 1e-7] {
            let pose = Pose::from_translation(Vec3::new(2.0 + gap, 0.3, 0.2)).unwrap();
            let kit = cube.kit().unwrap();
            let stances = [Pose::IDENTITY, pose].map(|pose| stance_of(&cube, &pose));
            let pair = [0, 1].map(|k| Glimpse {
                kit,
                stance: &stances[k],
            });
            let mut cache = One(PairCache::default());
            let found = in_lanes!(simd => glance(simd, &[pair], &mut cache));
            assert_eq!((found.meet, found.apart), (0, 0));
        }
    }
}
