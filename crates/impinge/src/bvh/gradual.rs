//! Gradual answers through trees of spheres: Hubbard's, for which they were made, Quinlan's, or plain bounding spheres.
//!
//! [`query::Gradual`](crate::query::Gradual) asks the same through the trees that meshes have by themselves; this is the method as it was
//! published. A level of [`Hubbard`](super::Hubbard)'s tree is an approximation of the shape, so the level that an answer is from
//! says what was compared.

use super::frame::Relative;
use super::tree::{Content, Tree, TreeAt};
use super::volume::BoundingSphere;
use crate::contact::Separation;
use crate::narrow::gradual::{Closest, Frontier, Pairs, Progress};
use crate::narrow::mesh::triangles::{common_point, measure};
use std::borrow::Borrow;
use std::collections::HashSet;

/// A question about the triangles of two sphere trees, answered as far as the caller can afford, and further later.
///
/// ```
/// # use impinge::bvh::{GradualSearch, Hubbard, Tree};
/// # use impinge::{Pose, TriMesh, Vec3};
/// # use std::sync::Arc;
/// let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
/// let sides = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
/// let tree = Hubbard::new(Arc::new(TriMesh::new(corners, sides)?), 500)?;
/// let above = Pose::from_translation(Vec3::Z * 1.5)?;
/// let mut search = GradualSearch::new(tree.at(Pose::IDENTITY), tree.at(above));
/// let rough = search.spend(50);
/// assert!(rough.spent <= 50 && rough.bounds.contains(0.5));
/// assert!(search.finish().bounds.contains(0.5));
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug)]
pub struct GradualSearch<'t, A, B> {
    pairs: SpherePairs<'t, A, B>,
    frontier: Frontier<[u32; 2]>,
}

/// Two placed trees.
#[derive(Debug)]
struct SpherePairs<'t, A, B> {
    a: TreeAt<'t, A>,
    b: TreeAt<'t, B>,
    relative: Relative,
    /// Pairs of triangles that were measured, for trees in which they come up again.
    measured: HashSet<[u32; 2]>,
}

impl<'t, A, B> GradualSearch<'t, A, B>
where
    A: Tree<Bound = BoundingSphere>,
    B: Tree<Bound = BoundingSphere>,
{
    /// A question about two trees at their poses.
    pub fn new(a: TreeAt<'t, A>, b: TreeAt<'t, B>) -> GradualSearch<'t, A, B> {
        GradualSearch {
            pairs: SpherePairs {
                a,
                b,
                relative: Relative::new(&a.tree.frame(), &a.pose, &b.tree.frame(), &b.pose),
                measured: HashSet::new(),
            },
            frontier: Frontier::new([a.tree.root(), b.tree.root()]),
        }
    }

    /// Compares more pairs of spheres, no more than are allowed. A step opens a sphere, or looks into two leaves at the cost of one, and is
    /// not begun when fewer are left than it compares.
    pub fn spend(&mut self, node_pairs: u64) -> Progress {
        self.frontier.spend(&mut self.pairs, node_pairs);
        self.progress()
    }

    /// Compares more pairs of spheres while a function, asked before each step, says so.
    pub fn run_while(&mut self, go_on: impl FnMut() -> bool) -> Progress {
        self.frontier.run_while(&mut self.pairs, go_on);
        self.progress()
    }

    /// Does all that is left.
    pub fn finish(&mut self) -> Separation {
        self.frontier.spend(&mut self.pairs, u64::MAX);
        let closest = self.frontier.closest();
        let Closest { triangles, near } = closest.expect("a finished search has measured");
        let ([p, q], SpherePairs { a, b, .. }) = (triangles, &self.pairs);
        let vertices = [a.tree.vertices(p), b.tree.vertices(q)];
        if near.bounds.upper <= 0.0 {
            let (point, parts) = common_point(&a.placed(p), &b.placed(q));
            let features = [0, 1].map(|k| parts[k].feature(triangles[k], vertices[k]));
            return Separation::meeting_at(point, features);
        }
        let features = [0, 1].map(|k| near.parts[k].feature(triangles[k], vertices[k]));
        let lower = self.progress().bounds.lower;
        Separation::apart(lower, &near.bounds, near.witness, features)
    }

    /// What is known so far.
    pub fn progress(&self) -> Progress {
        self.frontier.progress()
    }
}

impl<A, B> SpherePairs<'_, A, B>
where
    A: Tree<Bound = BoundingSphere>,
    B: Tree<Bound = BoundingSphere>,
{
    /// Whether the first of two nodes is the one to open: the larger, if both can be.
    fn opens_first(&self, [p, q]: [u32; 2]) -> bool {
        let (p, q) = (self.a.tree.bound(p), self.b.tree.bound(q));
        p.borrow().radius >= q.borrow().radius * self.relative.scale
    }

    fn push(&self, [p, q]: [u32; 2], frontier: &mut Frontier<[u32; 2]>) {
        let (on_a, on_b) = (self.a.tree.bound(p), self.b.tree.bound(q));
        let (on_a, on_b) = (on_a.borrow(), on_b.borrow());
        let relative = &self.relative;
        let gap = on_a.gap(on_b, relative);
        let farthest = (relative.place(on_b.center) - on_a.center).length()
            + on_a.radius
            + on_b.radius * relative.scale
            + relative.error;
        let gap = if gap > 0.0 {
            relative.world_below(gap)
        } else {
            -relative.world_above(-gap)
        };
        frontier.push([p, q], gap, relative.world_above(farthest));
    }
}

impl<A, B> Pairs for SpherePairs<'_, A, B>
where
    A: Tree<Bound = BoundingSphere>,
    B: Tree<Bound = BoundingSphere>,
{
    type Pair = [u32; 2];

    fn cost(&self, [p, q]: [u32; 2]) -> u64 {
        match (self.a.tree.content(p), self.b.tree.content(q)) {
            (Content::Triangles(_), Content::Triangles(_)) => 1,
            (Content::Children(children), Content::Triangles(_))
            | (Content::Triangles(_), Content::Children(children)) => children.len() as u64,
            (Content::Children(of_a), Content::Children(of_b)) => {
                let children = if self.opens_first([p, q]) { of_a } else { of_b };
                children.len() as u64
            }
        }
    }

    fn open(&mut self, [p, q]: [u32; 2], frontier: &mut Frontier<[u32; 2]>) {
        match (self.a.tree.content(p), self.b.tree.content(q)) {
            (Content::Triangles(of_a), Content::Triangles(of_b)) => {
                for pair in of_a.iter().flat_map(|s| of_b.iter().map(move |t| [*s, *t])) {
                    if (A::IS_TILED || B::IS_TILED) && !self.measured.insert(pair) {
                        continue;
                    }
                    let near = measure(&self.a.placed(pair[0]), &self.b.placed(pair[1]));
                    frontier.measured(pair, near);
                }
            }
            (Content::Children(of_a), other)
                if matches!(other, Content::Triangles(_)) || self.opens_first([p, q]) =>
            {
                of_a.for_each(|child| self.push([child, q], frontier));
            }
            (_, Content::Children(of_b)) => {
                of_b.for_each(|child| self.push([p, child], frontier));
            }
            (Content::Children(_), Content::Triangles(_)) => (),
        }
    }
}
