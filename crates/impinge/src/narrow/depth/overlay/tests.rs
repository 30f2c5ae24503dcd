//! What is left of many faces, and the least of all crossings, against all of them.

use super::super::super::cache::PairCache;
use super::super::super::centers::Centers;
use super::super::super::pair::PolytopePair;
use super::cull::{Left, LeftArcs, View};
use super::face::sides;
use super::many::Reached;
use super::{Kind, Overlay};
use crate::lanes::in_lanes;
use crate::math::{Pose, Quat, Vec3};
use crate::shape::{Layout, Polytope};
use fearless_simd::Simd;
use impinge_scenes::points::on_sphere;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// More than the rounding of a product in `f32`, and less than what matters.
const ROUNDING: f64 = 1e-5;

fn unit(rng: &mut ChaCha8Rng) -> Vec3 {
    on_sphere(1, rng.random())[0].normalize()
}

/// Round and flat ones, and prisms, whose ends have many edges; all with more edges than are few.
fn many_faced(rng: &mut ChaCha8Rng) -> Polytope {
    let size = [1.0, 1e-6, 1e9][rng.random_range(0..3)];
    let stretch = [Vec3::ONE, Vec3::new(1.0, 0.9, 0.2)][rng.random_range(0..2)];
    let points: Vec<Vec3> = if rng.random_range(0..4) == 0 {
        let corners = rng.random_range(30..90);
        let at = |k: u32, z: f64| {
            let turn = f64::from(k) * std::f64::consts::TAU / f64::from(corners);
            Vec3::new(turn.cos(), turn.sin(), z)
        };
        let corner = |k: u32| [at(k, -0.5), at(k, 0.5)];
        (0..corners).flat_map(corner).collect()
    } else {
        on_sphere(rng.random_range(40..700), rng.random())
    };
    let points: Vec<Vec3> = points.iter().map(|p| *p * stretch * size).collect();
    Polytope::from_points(&points).expect("it has a volume")
}

/// What a test holds faces against: a point, and a radius.
type Held = (Vec3, f64);

/// Whether an arc is below a level by all tests for certain.
fn is_below(polytope: &Polytope, edge: usize, held: &[Held; 3], level: f64) -> bool {
    let scale = polytope.packed().expect("it is of ordinary size").scale;
    let edge = &polytope.edges()[edge];
    let start = polytope.vertices()[edge.vertices[0] as usize];
    let start = (start - polytope.centroid()) / scale;
    let ends = edge.faces.map(|face| polytope.face_normal(face as usize));
    let half_cos = 0.5 * (ends[0] + ends[1]).length();
    held.iter().all(|(point, radius)| {
        let beyond = radius - level;
        let beyond = beyond.min(beyond * half_cos);
        let mut heights = ends.iter().map(|n| n.dot(start - *point) + beyond);
        heights.any(|height| height < -ROUNDING)
    })
}

#[test]
fn no_arc_or_face_of_many_is_missed() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (mut answered, mut arcs_below) = (0, 0);
    let mut left = Left::default();
    for _ in 0..600 {
        let polytope = many_faced(&mut rng);
        assert!(polytope.edges().len() > 64);
        let center = unit(&mut rng) * rng.random_range(0.0..0.9);
        let radius = [0.0, 0.1, 0.45][rng.random_range(0..3)];
        let points = [0; 2].map(|_| center + unit(&mut rng) * rng.random_range(0.0..0.5));
        let level = rng.random_range(0.01..0.4);
        let lower_level = level * rng.random_range(0.5..1.0);
        let view = View::new(
            center.as_vec3a(),
            radius as f32,
            points.map(|p| p.as_vec3a()),
            1.0,
        );
        let mut arcs = LeftArcs::default();
        let is_answered = in_lanes!(simd => {
            list(simd, &polytope, &view, [level, lower_level], &mut left, &mut arcs)
        });
        if !is_answered {
            continue;
        }
        answered += 1;
        let held = [(center, radius), (points[0], 0.0), (points[1], 0.0)];
        let gauss = polytope.gauss();
        let edges = arcs.as_slice().iter();
        let mut edges: Vec<u32> = edges.map(|p| gauss.arcs[*p as usize].edge()).collect();
        edges.sort_unstable();
        assert!(edges.windows(2).all(|two| two[0] < two[1]), "listed twice");
        for edge in 0..polytope.edges().len() {
            if is_below(&polytope, edge, &held, lower_level) {
                arcs_below += 1;
                assert!(edges.binary_search(&(edge as u32)).is_ok());
            }
        }
        let scale = polytope.packed().expect("it is of ordinary size").scale;
        for face in 0..polytope.face_count() {
            let corner = polytope.vertices()[polytope.face(face)[0] as usize];
            let corner = (corner - polytope.centroid()) / scale;
            let normal = polytope.face_normal(face);
            let height = |(point, radius): &Held| normal.dot(corner - *point) + radius;
            if held.iter().all(|held| height(held) < level - ROUNDING) {
                let Layout::Many(many) = &gauss.layout else {
                    panic!("it has many faces");
                };
                let mut listed = left.faces.places();
                assert!(listed.any(|place| many.names[place as usize] == face as u32));
            }
        }
    }
    assert!(
        answered > 300 && arcs_below > 1000,
        "{answered} {arcs_below}"
    );
}

/// Lists the faces for the first level, and the arcs for the second.
#[inline(always)]
fn list<S: Simd>(
    simd: S,
    polytope: &Polytope,
    view: &View,
    levels: [f64; 2],
    left: &mut Left,
    arcs: &mut LeftArcs,
) -> bool {
    let map = polytope.gauss();
    let [level, lower_level] = levels.map(|level| level as f32);
    let mut reached = Reached::default();
    reached.collect(simd, map, view, level)
        && left.collect(simd, map, view, level, &reached)
        && left.collect_arcs(simd, map, view, lower_level, arcs)
}

#[test]
fn faces_are_as_deep_as_all_vertices_say() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut overlay = Overlay::default();
    let mut found = 0;
    for _ in 0..400 {
        // With a table of directions, and without: of fewer vertices, and of more.
        let mut shape = || {
            let count = [40, 250, 700][rng.random_range(0..3)];
            Polytope::from_points(&on_sphere(count, rng.random())).expect("round")
        };
        let (a, b) = (shape(), shape());
        let turn = Quat::from_axis_angle(unit(&mut rng), rng.random_range(0.0..6.0));
        let offset = unit(&mut rng) * rng.random_range(0.5..1.9);
        let pose_b = Pose::from_quat(turn, offset).expect("it is rigid");
        let pair = PolytopePair {
            a: &a,
            pose_a: &Pose::IDENTITY,
            b: &b,
            pose_b: &pose_b,
            cache: &mut PairCache::default(),
        };
        found += in_lanes!(simd => {
            compare_faces(&mut overlay, &pair.centers(simd).expect("it is of ordinary size"))
        });
    }
    assert!(found > 100, "{found}");
}

/// Holds the candidates among the faces of both, and what is known about all, against all vertices; how many candidates must be there.
#[inline(always)]
fn compare_faces<S: Simd>(overlay: &mut Overlay, pair: &Centers<'_, S>) -> usize {
    let is_open = overlay.queries[0].probe(pair, None).is_some()
        && overlay.list_faces(0, pair).is_some()
        && overlay.cull(0, pair).is_some();
    if !is_open {
        return 0;
    }
    let query = &overlay.queries[0];
    let tolerance = f64::from(query.frame.tolerance);
    let known = f64::from(query.known.depth);
    let entries = &query.candidates.entries[..query.candidates.len];
    let mut found = 0;
    for side in 0..2 {
        let (body, other) = sides(pair, side);
        for face in 0..body.polytope.face_count() {
            let normal = body.pose.rotate(body.polytope.face_normal(face));
            let corner = body.place(body.polytope.face(face)[0]);
            let vertices = 0..other.polytope.vertices().len() as u32;
            let depths = vertices.map(|v| normal.dot(corner - other.place(v)));
            let depth = depths.fold(f64::NEG_INFINITY, f64::max) / query.frame.unit;
            assert!(depth >= known - tolerance);
            if depth < known + 0.5 * tolerance {
                found += 1;
                let listed = entries.iter().find(|(_, kind)| match kind {
                    Kind::Face {
                        side: s, face: f, ..
                    } => (usize::from(*s), *f as usize) == (side, face),
                    Kind::Edges(_) => false,
                });
                let (lower, _) = listed.expect("it is a candidate");
                assert!((f64::from(*lower) + tolerance - depth).abs() <= tolerance);
            }
        }
    }
    found
}

#[test]
fn the_least_crossing_is_the_least_of_all() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut counts = [0; 3];
    let mut overlay = Overlay::default();
    for _ in 0..1500 {
        let count = [8, 20, 60, 250][rng.random_range(0..4)];
        let mut shape = || Polytope::from_points(&on_sphere(count, rng.random())).expect("round");
        let (a, b) = (shape(), shape());
        let turn = Quat::from_axis_angle(unit(&mut rng), rng.random_range(0.0..6.0));
        let offset = unit(&mut rng) * rng.random_range(0.5..1.9);
        let pose_b = Pose::from_quat(turn, offset).expect("it is rigid");
        let pair = PolytopePair {
            a: &a,
            pose_a: &Pose::IDENTITY,
            b: &b,
            pose_b: &pose_b,
            cache: &mut PairCache::default(),
        };
        let found = in_lanes!(simd => {
            compare(&mut overlay, &pair.centers(simd).expect("it is of ordinary size"))
        });
        counts[found] += 1;
    }
    assert!(
        counts.iter().skip(1).all(|count| *count > 200),
        "{counts:?}"
    );
}

/// Holds the least candidate against the list of all; 0 when there is none, 1 for a face and 2 for edges.
#[inline(always)]
fn compare<S: Simd>(overlay: &mut Overlay, pair: &Centers<'_, S>) -> usize {
    let is_open = overlay.queries[0].probe(pair, None).is_some()
        && overlay.list_faces(0, pair).is_some()
        && overlay.cull(0, pair).is_some();
    if !is_open {
        return 0;
    }
    overlay.cross(0, pair);
    let query = &mut overlay.queries[0];
    let best = query.best;
    let maps = [pair.a.polytope.gauss(), pair.b.polytope.gauss()];
    let level = query.known.depth + 2.0 * query.frame.tolerance;
    let arcs = [&query.arcs[0], &query.arcs[1]];
    let crossings = &mut overlay.crossings;
    if !crossings.collect(pair.simd, &query.frame, maps, arcs, level) {
        return 0;
    }
    for crossing in &crossings.found[..crossings.len] {
        let lower = crossing.lower - query.frame.tolerance;
        let kind = Kind::Edges(crossing.arcs);
        let room = query.candidates.push_if(lower, kind, true);
        room.expect("there is room");
    }
    query.candidates.put_least_last();
    let Some((kind, others)) = best else {
        assert!(query.candidates.last().is_none());
        return 0;
    };
    let (lower, _) = *query.candidates.last().expect("there is a least one");
    let entries = &query.candidates.entries[..query.candidates.len];
    let named = entries.iter().find(|(_, other)| match (kind, other) {
        (Kind::Edges(edges), Kind::Edges(theirs)) => edges == *theirs,
        (
            Kind::Face { side, face, .. },
            Kind::Face {
                side: s, face: f, ..
            },
        ) => (side, face) == (*s, *f),
        _ => false,
    });
    assert_eq!(named.map(|(lower, _)| *lower), Some(lower));
    let least = query.candidates.least_of_others();
    assert_eq!(others.to_bits(), least.to_bits());
    match kind {
        Kind::Face { .. } => 1,
        Kind::Edges(_) => 2,
    }
}
