// Included for each precision, with `parry` and `NAME` in scope.

use super::{Library, Memory, Method, Question};
use impinge_peers::work::Work;
use impinge::Vec3;
use impinge_scenes::crowd::Candidate;
use impinge_scenes::trace::Placement;
use parry::math::{Pose, Real, Rotation, Vector};
use parry::query::details::{
    contact_support_map_support_map_with_params, distance_support_map_support_map,
    intersection_test_support_map_support_map_with_params,
};
use parry::query::gjk::{GJKResult, VoronoiSimplex};
use parry::shape::ConvexPolyhedron;

/// The engine on some work.
pub struct Parry<'w> {
    work: &'w Work,
    hulls: Vec<ConvexPolyhedron>,
    poses: Vec<Pose>,
    simplex: VoronoiSimplex,
    /// For each pair the last direction.
    directions: Vec<Option<Vector>>,
}

fn vector(v: Vec3) -> Vector {
    Vector::new(v.x as Real, v.y as Real, v.z as Real)
}

fn pose(placement: &Placement) -> Pose {
    let [x, y, z, w] = placement.rotation.to_array().map(|c| c as Real);
    Pose::from_parts(
        vector(placement.translation),
        Rotation::from_xyzw(x, y, z, w),
    )
}

impl<'w> Parry<'w> {
    /// Builds the shapes; `None` when the library refuses one.
    pub fn new(work: &'w Work) -> Option<Parry<'w>> {
        let hull = |shape: &impinge_scenes::trace::TraceShape| {
            let vertices = shape.vertices.iter().map(|v| vector(*v)).collect();
            ConvexPolyhedron::from_convex_mesh(vertices, &shape.triangles)
        };
        Some(Parry {
            work,
            hulls: work.trace.shapes.iter().map(hull).collect::<Option<_>>()?,
            poses: Vec::new(),
            simplex: VoronoiSimplex::new(),
            directions: vec![None; work.crowd.pair_count()],
        })
    }
}

/// The answer, and the direction to remember.
fn answer_one(
    method: Method,
    relative: &Pose,
    [first, second]: [&ConvexPolyhedron; 2],
    simplex: &mut VoronoiSimplex,
    start: Option<Vector>,
) -> (f64, Option<Vector>) {
    match method.question {
        Question::Intersects => {
            let (hit, direction) = intersection_test_support_map_support_map_with_params(
                relative, first, second, simplex, start,
            );
            (f64::from(u8::from(hit)), Some(direction))
        }
        Question::Distance => {
            let distance = distance_support_map_support_map(relative, first, second);
            (f64::from(distance), None)
        }
        Question::SignedDistance => match contact_support_map_support_map_with_params(
            relative,
            first,
            second,
            Real::MAX,
            simplex,
            start,
        ) {
            GJKResult::ClosestPoints(p, q, normal) => {
                (f64::from((q - p).dot(normal)), Some(normal))
            }
            _ => (f64::NAN, None),
        },
    }
}

impl Library for Parry<'_> {
    fn name(&self) -> &'static str {
        NAME
    }

    /// The library keeps nothing when asked for a distance.
    fn methods(&self) -> Vec<Method> {
        [
            (Question::Intersects, Memory::Coherent),
            (Question::Intersects, Memory::Cold),
            (Question::Distance, Memory::Cold),
            (Question::SignedDistance, Memory::Coherent),
            (Question::SignedDistance, Memory::Cold),
        ]
        .map(|(question, memory)| Method { question, memory })
        .to_vec()
    }

    fn forget(&mut self) {
        self.directions.fill(None);
    }

    fn place(&mut self, frame: usize) {
        self.poses.clear();
        let placements = self.work.trace.frames[frame].iter();
        self.poses.extend(placements.map(pose));
    }

    fn answer(&mut self, method: Method, pairs: &[Candidate], answers: &mut [f64]) {
        let shape_of = &self.work.trace.shape_of;
        for (candidate, answer) in pairs.iter().zip(answers) {
            let [a, b] = [candidate.a, candidate.b].map(|body| body as usize);
            let relative = self.poses[a].inv_mul(&self.poses[b]);
            let hulls = [a, b].map(|body| &self.hulls[shape_of[body] as usize]);
            let memory = &mut self.directions[candidate.pair as usize];
            let start = match method.memory {
                Memory::Coherent => *memory,
                Memory::Cold => None,
            };
            let direction;
            (*answer, direction) = answer_one(method, &relative, hulls, &mut self.simplex, start);
            if method.memory == Memory::Coherent && direction.is_some() {
                *memory = direction;
            }
        }
    }
}
