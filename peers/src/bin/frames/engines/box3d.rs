//! Box3D's C library through its raw bindings, in single precision: its dynamic tree, and GJK that remembers simplices.
//!
//! Boxes with the margin that the library itself uses lie in the tree and are replaced when a body leaves its own; every body
//! then asks the tree for those that its tight box overlaps.

use super::{Engine, Run};
use box3d_sys::{
    b3AABB, b3ComputeHullAABB, b3DistanceInput, b3DynamicTree, b3DynamicTree_Create,
    b3DynamicTree_CreateProxy, b3DynamicTree_Destroy, b3DynamicTree_EnlargeProxy,
    b3DynamicTree_Query, b3DynamicTree_Rebuild, b3Quat, b3ShapeDistance, b3SimplexCache,
    b3Transform, b3Vec3,
};
use impinge::Vec3;
use impinge_peers::hulls::{Hulls, vector};
use impinge_peers::work::Work;
use impinge_scenes::trace::Placement;
use std::collections::HashMap;
use std::ffi::c_void;
use std::hash::{BuildHasherDefault, Hasher};
use std::time::Instant;

/// The room around boxes in the tree.
const MARGIN: f32 = 0.05;

/// The engine on some work.
pub struct Box3d<'w> {
    work: &'w Work,
    hulls: Hulls,
}

fn pose(placement: &Placement) -> b3Transform {
    let turn = placement.rotation;
    b3Transform {
        p: vector(placement.translation),
        q: b3Quat {
            v: vector(Vec3::new(turn.x, turn.y, turn.z)),
            s: turn.w as f32,
        },
    }
}

impl<'w> Box3d<'w> {
    /// Builds the shapes; `None` when one is beyond the library's limits.
    pub fn new(work: &'w Work) -> Option<Box3d<'w>> {
        Some(Box3d {
            work,
            hulls: Hulls::new(&work.trace.shapes)?,
        })
    }

    fn shape(&self, body: u32) -> usize {
        self.work.trace.shape_of[body as usize] as usize
    }

    fn bounds(&self, body: u32, pose: &b3Transform) -> b3AABB {
        // SAFETY: the hull lives as long as `self`.
        unsafe { b3ComputeHullAABB(self.hulls.hull(self.shape(body)), *pose) }
    }

    fn does_intersect(
        &self,
        pair: [u32; 2],
        poses: &[b3Transform],
        cache: &mut b3SimplexCache,
    ) -> bool {
        let proxy = |body: u32| self.hulls.proxy(self.shape(body));
        let [a, b] = pair.map(|body| &poses[body as usize]);
        let input = b3DistanceInput {
            proxyA: proxy(pair[0]),
            proxyB: proxy(pair[1]),
            transform: relative(a, b),
            useRadii: false,
        };
        // SAFETY: the input points to vectors of `self`; the simplex output is optional and left out.
        let output = unsafe { b3ShapeDistance(&input, cache, std::ptr::null_mut(), 0) };
        output.distance <= 0.0
    }
}

/// A quick hash of a pair: the usual one, which resists attacks, would be a part of the time.
#[derive(Default)]
struct PairHasher(u64);

impl Hasher for PairHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(self.0 << 8 ^ u64::from(*byte));
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = (key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

/// The second pose as the first sees it; inline in the library's headers.
fn relative(a: &b3Transform, b: &b3Transform) -> b3Transform {
    let (u, v, s, t) = (&a.q.v, &b.q.v, a.q.s, b.q.s);
    let offset = [b.p.x - a.p.x, b.p.y - a.p.y, b.p.z - a.p.z];
    let back = [-u.x, -u.y, -u.z];
    let twice = cross(back, offset).map(|x| 2.0 * x);
    let more = cross(back, twice);
    b3Transform {
        p: b3Vec3 {
            x: offset[0] + s * twice[0] + more[0],
            y: offset[1] + s * twice[1] + more[1],
            z: offset[2] + s * twice[2] + more[2],
        },
        q: b3Quat {
            v: b3Vec3 {
                x: s * v.x - t * u.x - (u.y * v.z - u.z * v.y),
                y: s * v.y - t * u.y - (u.z * v.x - u.x * v.z),
                z: s * v.z - t * u.z - (u.x * v.y - u.y * v.x),
            },
            s: s * t + u.x * v.x + u.y * v.y + u.z * v.z,
        },
    }
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// A body's box with room on all sides.
fn grown(bounds: &b3AABB) -> b3AABB {
    let (low, high) = (&bounds.lowerBound, &bounds.upperBound);
    b3AABB {
        lowerBound: b3Vec3 {
            x: low.x - MARGIN,
            y: low.y - MARGIN,
            z: low.z - MARGIN,
        },
        upperBound: b3Vec3 {
            x: high.x + MARGIN,
            y: high.y + MARGIN,
            z: high.z + MARGIN,
        },
    }
}

fn contains(outer: &b3AABB, inner: &b3AABB) -> bool {
    let (low, high) = (&outer.lowerBound, &outer.upperBound);
    let (from, to) = (&inner.lowerBound, &inner.upperBound);
    (low.x <= from.x && low.y <= from.y && low.z <= from.z)
        && (high.x >= to.x && high.y >= to.y && high.z >= to.z)
}

/// Boxes in the library's tree.
struct Tree {
    tree: b3DynamicTree,
    proxies: Vec<i32>,
    grown: Vec<b3AABB>,
    tight: Vec<b3AABB>,
}

/// Who asks, and the answers.
struct Asking<'p> {
    body: u32,
    pairs: &'p mut Vec<[u32; 2]>,
}

/// Called for each body whose box the asking one overlaps.
///
/// # Safety
///
/// `asking` must point to an [`Asking`] that nobody else uses.
unsafe extern "C" fn note(_: i32, other: u64, asking: *mut c_void) -> bool {
    // SAFETY: by the contract of this function.
    let asking = unsafe { &mut *asking.cast::<Asking<'_>>() };
    if asking.body < other as u32 {
        asking.pairs.push([asking.body, other as u32]);
    }
    true
}

impl Tree {
    fn new(tight: Vec<b3AABB>) -> Tree {
        // SAFETY: a plain constructor; the tree is destroyed once, in `drop`.
        let mut tree = unsafe { b3DynamicTree_Create(tight.len() as i32) };
        let grown: Vec<b3AABB> = tight.iter().map(grown).collect();
        let proxies = (0..).zip(&grown);
        // SAFETY: the tree is alive.
        let proxies = proxies
            .map(|(k, bounds)| unsafe { b3DynamicTree_CreateProxy(&mut tree, *bounds, 1, k) });
        Tree {
            proxies: proxies.collect(),
            tree,
            grown,
            tight,
        }
    }

    fn set(&mut self, body: usize, tight: b3AABB) {
        if !contains(&self.grown[body], &tight) {
            self.grown[body] = grown(&tight);
            // SAFETY: the tree is alive and has this proxy.
            unsafe {
                b3DynamicTree_EnlargeProxy(&mut self.tree, self.proxies[body], self.grown[body]);
            }
        }
        self.tight[body] = tight;
    }

    fn find(&mut self, pairs: &mut Vec<[u32; 2]>) {
        // SAFETY: the tree is alive.
        unsafe { b3DynamicTree_Rebuild(&mut self.tree, false) };
        for (body, bounds) in (0..).zip(&self.tight) {
            let mut asking = Asking { body, pairs };
            let context = (&raw mut asking).cast::<c_void>();
            // SAFETY: `note` gets the `Asking` above, which lives through the call.
            unsafe { b3DynamicTree_Query(&self.tree, *bounds, 1, false, Some(note), context) };
        }
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // SAFETY: created in `new` and not destroyed before.
        unsafe { b3DynamicTree_Destroy(&mut self.tree) };
    }
}

impl Engine for Box3d<'_> {
    fn name(&self) -> &str {
        "box3d"
    }

    fn run(&mut self, work: &Work) -> Result<Run, String> {
        let mut run = Run::default();
        let mut caches: HashMap<u64, b3SimplexCache, BuildHasherDefault<PairHasher>> =
            HashMap::default();
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        let bodies = || 0..work.trace.shape_of.len() as u32;
        let first: Vec<b3Transform> = work.trace.frames[0].iter().map(pose).collect();
        let tight = bodies().map(|body| self.bounds(body, &first[body as usize]));
        let mut tree = Tree::new(tight.collect());
        for placements in &work.trace.frames {
            let poses: Vec<b3Transform> = placements.iter().map(pose).collect();
            pairs.clear();
            let start = Instant::now();
            for (body, pose) in (0..).zip(&poses) {
                tree.set(body as usize, self.bounds(body, pose));
            }
            tree.find(&mut pairs);
            let (broad, candidates) = (start.elapsed().as_secs_f64(), pairs.len());
            pairs.retain(|pair| {
                let key = u64::from(pair[0]) << 32 | u64::from(pair[1]);
                let cache = caches.entry(key).or_default();
                self.does_intersect(*pair, &poses, cache)
            });
            let seconds = [broad, start.elapsed().as_secs_f64()];
            run.note(seconds, candidates, pairs.clone());
        }
        Ok(run)
    }
}
