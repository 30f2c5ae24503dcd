//! Box3D's C library through its raw bindings, in single precision: warm-started GJK, and SAT for the depth.

use super::{Library, Memory, Method, Question, all_methods};
use box3d_sys::{
    b3CollideHulls, b3DistanceInput, b3LocalManifold, b3LocalManifoldPoint, b3Quat, b3SATCache,
    b3ShapeDistance, b3SimplexCache, b3Transform,
};
use impinge::{Quat, Vec3};
use impinge_peers::hulls::{Hulls, vector};
use impinge_peers::work::Work;
use impinge_scenes::crowd::Candidate;

/// The engine on some work.
pub struct Box3d<'w> {
    work: &'w Work,
    hulls: Hulls,
    /// As the recording has them; relative transforms are made for each pair, as the library itself does.
    poses: Vec<(Quat, Vec3)>,
    simplices: Vec<b3SimplexCache>,
    axes: Vec<b3SATCache>,
}

impl<'w> Box3d<'w> {
    /// Builds the shapes; `None` when one is beyond the library's limits.
    pub fn new(work: &'w Work) -> Option<Box3d<'w>> {
        Some(Box3d {
            work,
            hulls: Hulls::new(&work.trace.shapes)?,
            poses: Vec::new(),
            simplices: vec![b3SimplexCache::default(); work.crowd.pair_count()],
            axes: vec![b3SATCache::default(); work.crowd.pair_count()],
        })
    }

    fn shape(&self, body: u32) -> usize {
        self.work.trace.shape_of[body as usize] as usize
    }

    fn relative(&self, a: u32, b: u32) -> b3Transform {
        let (turn_a, move_a) = self.poses[a as usize];
        let (turn_b, move_b) = self.poses[b as usize];
        let back = turn_a.conjugate();
        let turn = back * turn_b;
        b3Transform {
            p: vector(back * (move_b - move_a)),
            q: b3Quat {
                v: vector(Vec3::new(turn.x, turn.y, turn.z)),
                s: turn.w as f32,
            },
        }
    }

    fn distance(&self, a: u32, b: u32, relative: b3Transform, cache: &mut b3SimplexCache) -> f64 {
        let proxy = |body: u32| self.hulls.proxy(self.shape(body));
        let input = b3DistanceInput {
            proxyA: proxy(a),
            proxyB: proxy(b),
            transform: relative,
            useRadii: false,
        };
        // SAFETY: the input points to vectors of `self`; the simplex output is optional and left out.
        let output = unsafe { b3ShapeDistance(&input, cache, std::ptr::null_mut(), 0) };
        f64::from(output.distance)
    }

    /// The deepest point of the contact manifold, the nearest the library has to a depth.
    fn depth(&self, a: u32, b: u32, relative: b3Transform, cache: &mut b3SATCache) -> f64 {
        let mut points = [b3LocalManifoldPoint::default(); 32];
        let mut manifold = b3LocalManifold {
            points: points.as_mut_ptr(),
            ..Default::default()
        };
        let [first, second] = [a, b].map(|body| self.hulls.hull(self.shape(body)));
        // SAFETY: the manifold points to room for 32 points; the hulls live as long as `self`.
        unsafe { b3CollideHulls(&mut manifold, 32, first, second, relative, cache) };
        let found = points.iter().take(manifold.pointCount as usize);
        found.fold(f64::NAN, |least, point| {
            least.min(f64::from(point.separation))
        })
    }

    fn answer_one(&mut self, method: Method, candidate: Candidate) -> f64 {
        let Candidate { a, b, pair } = candidate;
        let pair = pair as usize;
        let relative = self.relative(a, b);
        let mut simplex = b3SimplexCache::default();
        let mut axis = b3SATCache::default();
        if method.memory == Memory::Coherent {
            (simplex, axis) = (self.simplices[pair], self.axes[pair]);
        }
        let distance = self.distance(a, b, relative, &mut simplex);
        let answer = match method.question {
            Question::Intersects => f64::from(u8::from(distance <= 0.0)),
            Question::Distance => distance,
            Question::SignedDistance if distance > 0.0 => distance,
            Question::SignedDistance => self.depth(a, b, relative, &mut axis),
        };
        if method.memory == Memory::Coherent {
            (self.simplices[pair], self.axes[pair]) = (simplex, axis);
        }
        answer
    }
}

impl Library for Box3d<'_> {
    fn name(&self) -> &'static str {
        "box3d"
    }

    fn methods(&self) -> Vec<Method> {
        all_methods()
    }

    fn forget(&mut self) {
        self.simplices.fill(b3SimplexCache::default());
        self.axes.fill(b3SATCache::default());
    }

    fn place(&mut self, frame: usize) {
        let placements = self.work.trace.frames[frame].iter();
        self.poses.clear();
        self.poses
            .extend(placements.map(|p| (p.rotation, p.translation)));
    }

    fn answer(&mut self, method: Method, pairs: &[Candidate], answers: &mut [f64]) {
        for (candidate, answer) in pairs.iter().zip(answers) {
            *answer = self.answer_one(method, *candidate);
        }
    }
}
