//! The two traversals, after the pseudocode of Larsen (Collision Detection for Real-Time Simulation, 2000).
//!
//! *Overlap*: a pair of nodes whose volumes are apart is dropped; two leaves are decided triangle by triangle; of all
//! other pairs the larger node is opened. *Distance*: a pair is dropped when a lower bound of its distance is above the
//! best pair of triangles so far. Of the pairs that opening a node makes the nearest comes first. The search may begin
//! with a pair that is known to be near, like the closest pair of the last frame (Larsen, Gottschalk, Lin and Manocha,
//! Fast Proximity Queries with Swept Sphere Volumes, 1999).
//!
//! As everywhere in this crate, trees are asked first whether the triangles meet: it costs little beside a search for
//! the closest, and spares measuring triangles that cross each other, which is for exact arithmetic.
//!
//! The source recurs; here pairs wait on a stack that is kept from search to search, so that no tree is too deep.
//!
//! **Invariant.** Dropped pairs of triangles are apart, or farther apart than the upper bound of a measured pair. So
//! the distance is between the least lower and the least upper bound of measured pairs. **Cost.** Counted: see
//! [`Work`]. The worst case is all pairs of nodes.

use super::bound::Bound;
use super::frame::Relative;
use super::tree::{Content, Tree, TreeAt};
use crate::contact::{Feature, Separation};
use crate::exact::triangles_intersect;
use crate::narrow::mesh::triangles::{Near, Part, common_point, measure};
use std::borrow::Borrow;
use std::collections::HashSet;

/// What searches did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// Pairs of volumes compared.
    pub node_pairs: u64,
    /// Pairs of triangles decided or measured.
    pub triangle_pairs: u64,
}

/// A pair of nodes that waits.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    nodes: [u32; 2],
    /// Not above the distance of what is in them; 0 where only overlap is asked for.
    below: f64,
}

/// Searches through pairs of trees, in memory that is kept from one to the next.
#[derive(Debug, Clone, Default)]
pub struct TreeSearch {
    stack: Vec<Waiting>,
    /// Pairs of triangles decided, for trees in which they come up again.
    decided: HashSet<[u32; 2]>,
    /// The pairs that opening one made.
    opened: Vec<Waiting>,
    work: Work,
}

/// The closest pair of triangles so far.
struct Best {
    pair: [u32; 2],
    near: Near,
    /// The least lower bound of all pairs measured.
    lower: f64,
    /// The upper bound of this pair in units of the first tree.
    limit: f64,
}

/// Two placed trees, and what their volumes need to know.
struct Sides<'t, A: Tree, B> {
    a: TreeAt<'t, A>,
    b: TreeAt<'t, B>,
    relative: Relative,
    relation: <A::Bound as Bound>::Relation,
}

impl<'t, A: Tree, B: Tree<Bound = A::Bound>> Sides<'t, A, B> {
    fn new(a: TreeAt<'t, A>, b: TreeAt<'t, B>) -> Self {
        let relative = Relative::new(&a.tree.frame(), &a.pose, &b.tree.frame(), &b.pose);
        let relation = A::Bound::relate(&relative);
        Sides {
            a,
            b,
            relative,
            relation,
        }
    }

    fn may_meet(&self, [p, q]: [u32; 2]) -> bool {
        let (p, q) = (self.a.tree.bound(p), self.b.tree.bound(q));
        p.borrow().overlaps(q.borrow(), &self.relation)
    }

    fn below(&self, [p, q]: [u32; 2], enough: f64) -> f64 {
        let (p, q) = (self.a.tree.bound(p), self.b.tree.bound(q));
        let below = p
            .borrow()
            .distance_below(q.borrow(), &self.relation, enough);
        // Also for NaN, which numbers of extreme size may give.
        below.max(0.0)
    }

    /// The pairs that take the place of a pair when its larger node is opened; or the triangles of two leaves.
    fn open(&self, [p, q]: [u32; 2]) -> Opened<'t> {
        match (self.a.tree.content(p), self.b.tree.content(q)) {
            (Content::Triangles(p), Content::Triangles(q)) => Opened::Leaves(p, q),
            (Content::Children(children), Content::Triangles(_)) => Opened::First(children),
            (Content::Triangles(_), Content::Children(children)) => Opened::Second(children),
            (Content::Children(of_a), Content::Children(of_b)) => {
                let (a, b) = (self.a.tree.bound(p), self.b.tree.bound(q));
                if a.borrow().size() >= b.borrow().size() * self.relative.scale {
                    Opened::First(of_a)
                } else {
                    Opened::Second(of_b)
                }
            }
        }
    }

    fn measure(&self, [p, q]: [u32; 2]) -> Near {
        measure(&self.a.placed(p), &self.b.placed(q))
    }
}

/// What opening a pair gives.
enum Opened<'t> {
    First(std::ops::Range<u32>),
    Second(std::ops::Range<u32>),
    Leaves(&'t [u32], &'t [u32]),
}

impl TreeSearch {
    /// What was done since the search was made, or [`TreeSearch::reset_work`].
    pub fn work(&self) -> Work {
        self.work
    }

    /// Sets the counters to zero.
    pub fn reset_work(&mut self) {
        self.work = Work::default();
    }

    /// Two triangles that share a point, if there are any.
    pub fn meeting<A, B>(&mut self, a: TreeAt<'_, A>, b: TreeAt<'_, B>) -> Option<[u32; 2]>
    where
        A: Tree,
        B: Tree<Bound = A::Bound>,
    {
        let sides = Sides::new(a, b);
        self.begin();
        self.push_overlapping(&sides, [a.tree.root(), b.tree.root()]);
        while let Some(Waiting { nodes, .. }) = self.stack.pop() {
            let [p, q] = nodes;
            match sides.open(nodes) {
                Opened::First(children) => {
                    children.for_each(|child| self.push_overlapping(&sides, [child, q]));
                }
                Opened::Second(children) => {
                    children.for_each(|child| self.push_overlapping(&sides, [p, child]));
                }
                Opened::Leaves(of_a, of_b) => {
                    let met = pairs(of_a, of_b).find(|pair| self.do_meet(&sides, *pair));
                    if met.is_some() {
                        return met;
                    }
                }
            }
        }
        None
    }

    /// How far the triangles of two trees are apart. The search begins with a pair of triangles that is known to be
    /// near, if one is given; any pair is allowed, and one that does not exist is ignored.
    pub fn distance<A, B>(
        &mut self,
        a: TreeAt<'_, A>,
        b: TreeAt<'_, B>,
        first: Option<[u32; 2]>,
    ) -> Separation
    where
        A: Tree,
        B: Tree<Bound = A::Bound>,
    {
        self.closest(a, b, first).0
    }

    /// [`TreeSearch::distance`] together with the closest pair of triangles, for the next search.
    pub fn closest<A, B>(
        &mut self,
        a: TreeAt<'_, A>,
        b: TreeAt<'_, B>,
        first: Option<[u32; 2]>,
    ) -> (Separation, [u32; 2])
    where
        A: Tree,
        B: Tree<Bound = A::Bound>,
    {
        if let Some(pair) = self.meeting(a, b) {
            return (meeting_at(&a, &b, pair), pair);
        }
        let sides = Sides::new(a, b);
        let best = self.search(&sides, first);
        let features = features(&a, &b, best.pair, best.near.parts);
        let near = best.near;
        let separation = Separation::apart(best.lower, &near.bounds, near.witness, features);
        (separation, best.pair)
    }

    /// The closest pair of triangles, given that none meet.
    fn search<A, B>(&mut self, sides: &Sides<'_, A, B>, first: Option<[u32; 2]>) -> Best
    where
        A: Tree,
        B: Tree<Bound = A::Bound>,
    {
        self.begin();
        let mut best = self.first_pair(sides, first);
        self.stack.push(Waiting {
            nodes: [sides.a.tree.root(), sides.b.tree.root()],
            below: 0.0,
        });
        while let Some(Waiting { nodes, below }) = self.stack.pop() {
            if below > best.limit {
                continue;
            }
            let [p, q] = nodes;
            match sides.open(nodes) {
                Opened::First(children) => {
                    let pairs = children.map(|child| [child, q]);
                    self.push_nearest_last(sides, pairs, best.limit);
                }
                Opened::Second(children) => {
                    let pairs = children.map(|child| [p, child]);
                    self.push_nearest_last(sides, pairs, best.limit);
                }
                Opened::Leaves(of_a, of_b) => {
                    pairs(of_a, of_b).for_each(|pair| self.visit(sides, pair, &mut best));
                }
            }
        }
        best
    }

    fn begin(&mut self) {
        self.stack.clear();
        self.decided.clear();
    }

    fn push_overlapping<A, B>(&mut self, sides: &Sides<'_, A, B>, nodes: [u32; 2])
    where
        A: Tree,
        B: Tree<Bound = A::Bound>,
    {
        self.work.node_pairs += 1;
        if sides.may_meet(nodes) {
            self.stack.push(Waiting { nodes, below: 0.0 });
        }
    }

    /// Pushes the pairs that are near enough, the nearest at the top.
    fn push_nearest_last<A, B>(
        &mut self,
        sides: &Sides<'_, A, B>,
        pairs: impl Iterator<Item = [u32; 2]>,
        limit: f64,
    ) where
        A: Tree,
        B: Tree<Bound = A::Bound>,
    {
        self.opened.clear();
        for nodes in pairs {
            self.work.node_pairs += 1;
            let below = sides.below(nodes, limit);
            if below <= limit {
                self.opened.push(Waiting { nodes, below });
            }
        }
        self.opened.sort_by(|p, q| q.below.total_cmp(&p.below));
        self.stack.append(&mut self.opened);
    }

    fn do_meet<A, B>(&mut self, sides: &Sides<'_, A, B>, pair: [u32; 2]) -> bool
    where
        A: Tree,
        B: Tree<Bound = A::Bound>,
    {
        if self.is_decided::<A, B>(pair) {
            return false;
        }
        self.work.triangle_pairs += 1;
        triangles_intersect(&sides.a.placed(pair[0]), &sides.b.placed(pair[1]))
    }

    /// Whether the pair came up before; from now on it did.
    fn is_decided<A: Tree, B: Tree>(&mut self, pair: [u32; 2]) -> bool {
        (A::IS_TILED || B::IS_TILED) && !self.decided.insert(pair)
    }

    /// Measures the pair to begin with: the given one, or any.
    fn first_pair<A, B>(&mut self, sides: &Sides<'_, A, B>, first: Option<[u32; 2]>) -> Best
    where
        A: Tree,
        B: Tree<Bound = A::Bound>,
    {
        let (count_a, count_b) = (sides.a.tree.triangles(), sides.b.tree.triangles());
        let is_there = |[p, q]: &[u32; 2]| (*p as usize) < count_a && (*q as usize) < count_b;
        let pair = first.filter(is_there).unwrap_or([0, 0]);
        self.decided.insert(pair);
        self.work.triangle_pairs += 1;
        let near = sides.measure(pair);
        Best {
            pair,
            near,
            lower: near.bounds.lower,
            limit: sides.relative.units_above(near.bounds.upper),
        }
    }

    fn visit<A, B>(&mut self, sides: &Sides<'_, A, B>, pair: [u32; 2], best: &mut Best)
    where
        A: Tree,
        B: Tree<Bound = A::Bound>,
    {
        if pair == best.pair || self.is_decided::<A, B>(pair) {
            return;
        }
        self.work.triangle_pairs += 1;
        let near = sides.measure(pair);
        best.lower = best.lower.min(near.bounds.lower);
        if near.bounds.upper < best.near.bounds.upper {
            (best.pair, best.near) = (pair, near);
            best.limit = sides.relative.units_above(near.bounds.upper);
        }
    }
}

fn pairs<'t>(of_a: &'t [u32], of_b: &'t [u32]) -> impl Iterator<Item = [u32; 2]> + 't {
    of_a.iter()
        .flat_map(move |p| of_b.iter().map(move |q| [*p, *q]))
}

fn features<A: Tree, B: Tree>(
    a: &TreeAt<'_, A>,
    b: &TreeAt<'_, B>,
    [p, q]: [u32; 2],
    [on_a, on_b]: [Part; 2],
) -> [Feature; 2] {
    [
        on_a.feature(p, a.tree.vertices(p)),
        on_b.feature(q, b.tree.vertices(q)),
    ]
}

/// That of two triangles that share a point.
fn meeting_at<A: Tree, B: Tree>(
    a: &TreeAt<'_, A>,
    b: &TreeAt<'_, B>,
    pair: [u32; 2],
) -> Separation {
    let (point, parts) = common_point(&a.placed(pair[0]), &b.placed(pair[1]));
    Separation::meeting_at(point, features(a, b, pair, parts))
}
