//! A binary tree over boxes, for finding those that overlap.
//!
//! Built from the top by splitting at the median of the centres along the longest axis, so it is balanced whatever the
//! boxes are like: `n log n` to build. Pairs are found by walking two branches at once, in time proportional to the
//! overlaps for boxes of ordinary surfaces, and quadratic at worst; the caller says where to stop. The order in which
//! pairs come is the same on every machine, but means nothing.

use crate::math::{Aabb, Vec3};

/// Boxes in a leaf: below that, comparing all is cheaper than splitting.
const LEAF: usize = 4;

/// A tree over boxes, which are named by their place in the list it was built from.
#[derive(Debug)]
pub(super) struct BoxTree {
    /// The root first; a left child directly follows its parent.
    nodes: Vec<Node>,
    /// Names of boxes, so that each node has a range of them.
    items: Vec<u32>,
    boxes: Vec<Aabb>,
}

#[derive(Debug)]
struct Node {
    bounds: Aabb,
    start: u32,
    end: u32,
    /// The right child; 0 for a leaf.
    right: u32,
}

/// Whether a walk saw everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Walk {
    Complete,
    Stopped,
}

impl BoxTree {
    pub(super) fn new(boxes: Vec<Aabb>) -> BoxTree {
        let centers: Vec<Vec3> = boxes.iter().map(Aabb::center).collect();
        let mut tree = BoxTree {
            nodes: Vec::with_capacity(boxes.len()),
            items: (0..boxes.len() as u32).collect(),
            boxes,
        };
        if !tree.items.is_empty() {
            tree.split(0, tree.items.len(), &centers);
        }
        tree
    }

    /// Makes the node of a range of items and those below it; returns its place.
    fn split(&mut self, start: usize, end: usize, centers: &[Vec3]) -> u32 {
        let range = &mut self.items[start..end];
        let bounds = range
            .iter()
            .map(|i| self.boxes[*i as usize])
            .reduce(|a, b| a.merge(&b))
            .expect("the range is not empty");
        let place = self.nodes.len();
        self.nodes.push(Node {
            bounds,
            start: start as u32,
            end: end as u32,
            right: 0,
        });
        if range.len() > LEAF {
            let size = bounds.size();
            let axis = (0..3).fold(0, |best, i| if size[i] > size[best] { i } else { best });
            let half = range.len() / 2;
            range.select_nth_unstable_by(half, |i, j| {
                let [x, y] = [i, j].map(|k| centers[*k as usize][axis]);
                x.total_cmp(&y).then(i.cmp(j))
            });
            self.split(start, start + half, centers);
            self.nodes[place].right = self.split(start + half, end, centers);
        }
        place as u32
    }

    /// Calls `visit` with each box that `meets` holds for. It must hold for a box whenever it holds for one inside.
    pub(super) fn visit(&self, meets: impl Fn(&Aabb) -> bool, mut visit: impl FnMut(u32)) {
        let mut place = 0;
        // Nodes are in depth-first order, so what is below a node ends where its next relative begins; a stack of those.
        let mut pending = Vec::new();
        while let Some(node) = self.nodes.get(place as usize) {
            if meets(&node.bounds) {
                if node.right == 0 {
                    let items = self.items(node).iter().copied();
                    items
                        .filter(|i| meets(&self.boxes[*i as usize]))
                        .for_each(&mut visit);
                } else {
                    pending.push(node.right);
                    place += 1;
                    continue;
                }
            }
            match pending.pop() {
                Some(next) => place = next,
                None => return,
            }
        }
    }

    /// Calls `visit` with each pair of overlapping boxes, the lesser name first, until it returns
    /// [`Walk::Stopped`] or `limit` pairs of boxes have been compared.
    pub(super) fn visit_pairs(&self, limit: u64, mut visit: impl FnMut(u32, u32) -> Walk) -> Walk {
        let mut compared = 0;
        let mut pending: Vec<[u32; 2]> = Vec::new();
        if !self.nodes.is_empty() {
            pending.push([0, 0]);
        }
        while let Some([a, b]) = pending.pop() {
            let [node_a, node_b] = [a, b].map(|n| &self.nodes[n as usize]);
            compared += 1;
            if compared > limit {
                return Walk::Stopped;
            }
            if a != b && !node_a.bounds.overlaps(&node_b.bounds) {
                continue;
            }
            match (node_a.right, node_b.right) {
                (0, 0) => {
                    compared += ((node_a.end - node_a.start) * (node_b.end - node_b.start)) as u64;
                    if self.visit_leaves(node_a, node_b, &mut visit) == Walk::Stopped {
                        return Walk::Stopped;
                    }
                }
                (right, _) if a == b => {
                    pending.extend([[a + 1, a + 1], [a + 1, right], [right, right]])
                }
                // Ranges shrink by half a level: the longer one belongs to the higher node.
                (right, _)
                    if node_a.end - node_a.start >= node_b.end - node_b.start && right != 0 =>
                {
                    pending.extend([[a + 1, b], [right, b]]);
                }
                (_, 0) => pending.extend([[a + 1, b], [node_a.right, b]]),
                (_, right) => pending.extend([[a, b + 1], [a, right]]),
            }
        }
        Walk::Complete
    }

    fn visit_leaves(&self, a: &Node, b: &Node, visit: &mut impl FnMut(u32, u32) -> Walk) -> Walk {
        for (k, i) in self.items(a).iter().enumerate() {
            let others = if a.start == b.start {
                &self.items(a)[k + 1..]
            } else {
                self.items(b)
            };
            for j in others {
                if self.boxes[*i as usize].overlaps(&self.boxes[*j as usize])
                    && visit(*i.min(j), *i.max(j)) == Walk::Stopped
                {
                    return Walk::Stopped;
                }
            }
        }
        Walk::Complete
    }

    fn items(&self, node: &Node) -> &[u32] {
        &self.items[node.start as usize..node.end as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn boxes() -> impl Strategy<Value = Vec<Aabb>> {
        let corner = (-9i32..9, -9i32..9, -9i32..9, 0i32..4, 0i32..4, 0i32..4);
        prop::collection::vec(corner, 0..120).prop_map(|all| {
            all.into_iter()
                .map(|(x, y, z, a, b, c)| {
                    let low = Vec3::new(x.into(), y.into(), z.into());
                    let size = Vec3::new(a.into(), b.into(), c.into());
                    Aabb::new(low, low + size).unwrap()
                })
                .collect()
        })
    }

    proptest! {
        #[test]
        fn pairs_and_hits_are_those_of_comparing_all(boxes in boxes(), x in -9i32..9, y in -9i32..9) {
            let tree = BoxTree::new(boxes.clone());
            let mut pairs = Vec::new();
            let walk = tree.visit_pairs(u64::MAX, |i, j| {
                pairs.push((i, j));
                Walk::Complete
            });
            prop_assert_eq!(walk, Walk::Complete);
            pairs.sort_unstable();
            let n = boxes.len() as u32;
            let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
            let expected: Vec<(u32, u32)> = all
                .filter(|(i, j)| boxes[*i as usize].overlaps(&boxes[*j as usize]))
                .collect();
            prop_assert_eq!(pairs, expected);

            let point = Vec3::new(x.into(), y.into(), 0.0);
            let mut hits = Vec::new();
            tree.visit(|b| b.contains(point), |i| hits.push(i));
            hits.sort_unstable();
            let expected: Vec<u32> = (0..n).filter(|i| boxes[*i as usize].contains(point)).collect();
            prop_assert_eq!(hits, expected);
        }
    }

    #[test]
    fn a_limit_stops_the_walk() {
        let same = vec![Aabb::new(Vec3::ZERO, Vec3::ONE).unwrap(); 1000];
        let mut seen = 0;
        let walk = BoxTree::new(same).visit_pairs(5000, |_, _| {
            seen += 1;
            Walk::Complete
        });
        assert_eq!(walk, Walk::Stopped);
        assert!(seen > 1000 && seen <= 5016);
    }
}
