//! A binary tree of boxes that changes as bodies come, go and move.
//!
//! **Source.** The dynamic trees of physics engines, after Presson's for Bullet (2006) and Catto's for Box2D (2019). A leaf
//! is a body with a *wide box*, a little larger than its box. While the box stays inside, the tree is not touched; when it
//! leaves, the leaf is taken out and put back. A leaf goes where the surfaces of the boxes above it grow least, found
//! by going down greedily, and on the way back up each node exchanges a child with a grandchild where that makes boxes smaller
//! (rotations, Kopta et al. 2012). Pairs are found by comparing the tree with itself.
//!
//! **Departures.** Pairs are those of the boxes, not of the wide boxes, and all of them are found anew in each frame in which
//! something moved.
//!
//! **Invariant.** The wide box of a leaf holds the box of its body; the box of any other node is the smallest around those of
//! its two children.
//!
//! **Cost.** `O(log n)` for a body that leaves its wide box, nothing for one that does not; `O(n + pairs)` for `collect` where
//! boxes overlap little.

use super::changes::key_of;
use super::pairs::PairList;
use super::{Box32, Boxes, BroadPhase, PairChanges, Work};
use crate::body::{BodyId, Pair};
use crate::error::Error;
use crate::math::Aabb;

/// How much larger a wide box is on each side, in sizes of the box.
const MARGIN: f32 = 0.1;

/// No node.
const NONE: u32 = u32::MAX;

/// The broad phase with a dynamic tree.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    boxes: Boxes,
    nodes: Vec<Node>,
    /// Nodes that are not in use.
    free: Vec<u32>,
    root: Option<u32>,
    /// By index: the leaf of the body.
    leaves: Vec<u32>,
    /// Whether anything changed since the last `collect`.
    is_changed: bool,
    pairs: PairList,
    work: Work,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    bounds: Box32,
    parent: u32,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// The index of a body.
    Leaf(u32),
    Inner([u32; 2]),
}

impl BroadPhase for Tree {
    fn insert(&mut self, body: BodyId, bounds: Box32) -> Result<(), Error> {
        self.boxes.insert(body, &bounds)?;
        self.is_changed = true;
        let place = body.index() as usize;
        if place >= self.leaves.len() {
            self.leaves.resize(place + 1, NONE);
        }
        let leaf = self.add_node(grown(&bounds), Kind::Leaf(body.index()));
        self.leaves[place] = leaf;
        self.put(leaf);
        Ok(())
    }

    fn update(&mut self, body: BodyId, bounds: Box32) -> Result<(), Error> {
        self.boxes.update(body, &bounds)?;
        self.is_changed = true;
        let leaf = self.leaves[body.index() as usize];
        if !self.node(leaf).bounds.contains(&bounds) {
            self.take_out(leaf);
            self.node_mut(leaf).bounds = grown(&bounds);
            self.put(leaf);
        }
        Ok(())
    }

    fn remove(&mut self, body: BodyId) -> Result<(), Error> {
        self.boxes.remove(body)?;
        self.is_changed = true;
        let leaf = std::mem::replace(&mut self.leaves[body.index() as usize], NONE);
        self.take_out(leaf);
        self.free.push(leaf);
        Ok(())
    }

    fn collect(&mut self, changes: &mut PairChanges) {
        if std::mem::take(&mut self.is_changed) {
            self.find_pairs();
            self.pairs.collect(&self.boxes, changes);
        } else {
            changes.clear();
        }
        self.boxes.settle();
    }

    fn pairs(&self, pairs: &mut Vec<Pair>) {
        self.pairs.pairs(&self.boxes, pairs);
    }

    fn boxes(&self) -> &Boxes {
        &self.boxes
    }

    fn in_box(&self, bounds: &Aabb, found: &mut Vec<BodyId>) -> Result<(), Error> {
        let bounds = Box32::around(bounds)?;
        found.clear();
        let mut waiting: Vec<u32> = self.root.into_iter().collect();
        while let Some(node) = waiting.pop() {
            let node = self.node(node);
            if node.bounds.overlaps(&bounds) {
                match node.kind {
                    Kind::Inner(children) => waiting.extend(children),
                    Kind::Leaf(index) if self.boxes.at(index).overlaps(&bounds) => {
                        found.extend(self.boxes.body_at(index));
                    }
                    Kind::Leaf(_) => {}
                }
            }
        }
        found.sort_unstable();
        Ok(())
    }

    fn work(&self) -> Work {
        self.work
    }

    fn bytes(&self) -> usize {
        self.boxes.bytes()
            + self.nodes.capacity() * size_of::<Node>()
            + (self.free.capacity() + self.leaves.capacity()) * 4
            + self.pairs.bytes()
    }

    fn validate(&self) {
        self.boxes.validate();
        self.pairs.validate();
        let mut waiting: Vec<(u32, u32)> = self.root.map(|root| (root, NONE)).into_iter().collect();
        let mut seen = 0;
        while let Some((name, parent)) = waiting.pop() {
            seen += 1;
            let node = self.node(name);
            assert_eq!(node.parent, parent, "a child knows its parent");
            match node.kind {
                Kind::Leaf(index) => {
                    assert!(self.boxes.body_at(index).is_some(), "a leaf has a body");
                    assert_eq!(self.leaves[index as usize], name, "a body knows its leaf");
                    let bounds = self.boxes.at(index);
                    assert!(node.bounds.contains(bounds), "a leaf holds its box");
                }
                Kind::Inner(children) => {
                    let [one, other] = children.map(|child| self.node(child).bounds);
                    assert_eq!(node.bounds, around(&one, &other), "a node fits");
                    waiting.extend(children.map(|child| (child, name)));
                }
            }
        }
        let expected = (2 * self.boxes.len()).saturating_sub(1);
        assert_eq!(seen, expected, "every body has a leaf");
        let unused = self.free.len();
        assert_eq!(self.nodes.len(), seen + unused, "no node is lost");
    }
}

impl Tree {
    fn node(&self, name: u32) -> &Node {
        &self.nodes[name as usize]
    }

    fn node_mut(&mut self, name: u32) -> &mut Node {
        &mut self.nodes[name as usize]
    }

    /// A new node without a parent.
    fn add_node(&mut self, bounds: Box32, kind: Kind) -> u32 {
        let node = Node {
            bounds,
            parent: NONE,
            kind,
        };
        if let Some(name) = self.free.pop() {
            *self.node_mut(name) = node;
            return name;
        }
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// Puts a leaf beside the node where boxes grow least.
    fn put(&mut self, leaf: u32) {
        let Some(root) = self.root else {
            self.root = Some(leaf);
            self.node_mut(leaf).parent = NONE;
            return;
        };
        let sibling = self.sibling_for(root, &self.node(leaf).bounds);
        let above = self.node(sibling).parent;
        let bounds = around(&self.node(sibling).bounds, &self.node(leaf).bounds);
        let parent = self.add_node(bounds, Kind::Inner([sibling, leaf]));
        self.node_mut(parent).parent = above;
        self.node_mut(sibling).parent = parent;
        self.node_mut(leaf).parent = parent;
        self.replace_child(above, sibling, parent);
        self.mend(above);
    }

    /// Goes down from a node while it costs less to be beside a child than beside the node.
    fn sibling_for(&self, mut node: u32, bounds: &Box32) -> u32 {
        while let Kind::Inner(children) = self.node(node).kind {
            let here = surface(&around(&self.node(node).bounds, bounds));
            // What every node below inherits.
            let growth = here - surface(&self.node(node).bounds);
            let [one, other] = children.map(|child| {
                let child = self.node(child);
                let around = surface(&around(&child.bounds, bounds));
                match child.kind {
                    Kind::Leaf(_) => around + growth,
                    Kind::Inner(_) => around - surface(&child.bounds) + growth,
                }
            });
            if here < one && here < other {
                break;
            }
            node = children[usize::from(other < one)];
        }
        node
    }

    /// Takes a leaf out of the tree; its node stays, for another place or for the free list.
    fn take_out(&mut self, leaf: u32) {
        let parent = self.node(leaf).parent;
        if parent == NONE {
            self.root = None;
            return;
        }
        let Kind::Inner([one, other]) = self.node(parent).kind else {
            unreachable!("parents have children");
        };
        let sibling = if one == leaf { other } else { one };
        let above = self.node(parent).parent;
        self.node_mut(sibling).parent = above;
        self.replace_child(above, parent, sibling);
        self.free.push(parent);
        self.mend(above);
    }

    /// Replaces a child of a node, or the root.
    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = Some(new);
        } else if let Kind::Inner(children) = &mut self.node_mut(parent).kind {
            children[usize::from(children[1] == old)] = new;
        }
    }

    /// Makes boxes fit and rotates, from a node to the root.
    fn mend(&mut self, mut name: u32) {
        while name != NONE {
            self.rotate(name);
            self.fit(name);
            name = self.node(name).parent;
        }
    }

    fn fit(&mut self, name: u32) {
        if let Kind::Inner(children) = self.node(name).kind {
            let [one, other] = children.map(|child| self.node(child).bounds);
            self.node_mut(name).bounds = around(&one, &other);
        }
    }

    /// Exchanges a child of a node with a child of the other one, if that makes the box of the other one smaller.
    fn rotate(&mut self, name: u32) {
        let Kind::Inner(children) = self.node(name).kind else {
            return;
        };
        let mut best = (0.0, None);
        for (place, uncle) in children.into_iter().enumerate() {
            let other = children[1 - place];
            let Kind::Inner(nephews) = self.node(other).kind else {
                continue;
            };
            let before = surface(&self.node(other).bounds);
            for (place, nephew) in nephews.into_iter().enumerate() {
                let stays = self.node(nephews[1 - place]).bounds;
                let gain = before - surface(&around(&stays, &self.node(uncle).bounds));
                if gain > best.0 {
                    best = (gain, Some((uncle, other, nephew)));
                }
            }
        }
        if let (_, Some((uncle, other, nephew))) = best {
            self.replace_child(name, uncle, nephew);
            self.replace_child(other, nephew, uncle);
            self.node_mut(nephew).parent = name;
            self.node_mut(uncle).parent = other;
            self.fit(other);
        }
    }

    /// Compares the tree with itself.
    fn find_pairs(&mut self) {
        let mut waiting: Vec<[u32; 2]> = self.root.map(|root| [root; 2]).into_iter().collect();
        while let Some([a, b]) = waiting.pop() {
            let (one, other) = (self.nodes[a as usize], self.nodes[b as usize]);
            self.work.nodes += 1;
            if a == b {
                if let Kind::Inner([left, right]) = one.kind {
                    waiting.extend([[left; 2], [right; 2], [left, right]]);
                }
                continue;
            }
            if !one.bounds.overlaps(&other.bounds) {
                continue;
            }
            match (one.kind, other.kind) {
                (Kind::Leaf(i), Kind::Leaf(j)) => {
                    self.work.box_tests += 1;
                    if self.boxes.at(i).overlaps(self.boxes.at(j)) {
                        self.pairs.found().push(key_of(i, j));
                    }
                }
                (Kind::Inner(children), Kind::Leaf(_)) => {
                    waiting.extend(children.map(|child| [child, b]));
                }
                (Kind::Leaf(_), Kind::Inner(children)) => {
                    waiting.extend(children.map(|child| [a, child]));
                }
                (Kind::Inner(mine), Kind::Inner(theirs)) => {
                    // The larger box is divided.
                    if surface(&one.bounds) >= surface(&other.bounds) {
                        waiting.extend(mine.map(|child| [child, b]));
                    } else {
                        waiting.extend(theirs.map(|child| [a, child]));
                    }
                }
            }
        }
    }
}

/// A box with a margin.
fn grown(bounds: &Box32) -> Box32 {
    let mut wide = *bounds;
    for axis in 0..3 {
        let margin = MARGIN * (bounds.max[axis] - bounds.min[axis]);
        // An overflow must not make the box smaller; infinities are wide enough.
        wide.min[axis] = (bounds.min[axis] - margin).min(bounds.min[axis]);
        wide.max[axis] = (bounds.max[axis] + margin).max(bounds.max[axis]);
    }
    wide
}

/// The smallest box around two.
fn around(one: &Box32, other: &Box32) -> Box32 {
    Box32 {
        min: std::array::from_fn(|axis| one.min[axis].min(other.min[axis])),
        max: std::array::from_fn(|axis| one.max[axis].max(other.max[axis])),
    }
}

/// Half the surface of a box.
fn surface(Box32 { min, max }: &Box32) -> f32 {
    let [x, y, z] = [0, 1, 2].map(|axis: usize| max[axis] - min[axis]);
    x * y + y * z + z * x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::BodyIds;

    #[test]
    fn a_row_that_is_inserted_in_order_is_no_list() {
        let (mut ids, mut tree) = (BodyIds::default(), Tree::default());
        for k in 0..1024 {
            let x = (2 * k) as f32;
            let bounds = Box32::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]).unwrap();
            tree.insert(ids.insert().unwrap(), bounds).unwrap();
        }
        tree.validate();
        let depth = |leaf: u32| {
            let parents = std::iter::successors(Some(leaf), |node| {
                let parent = tree.node(*node).parent;
                (parent != NONE).then_some(parent)
            });
            parents.count()
        };
        let deepest = tree.leaves.iter().map(|leaf| depth(*leaf)).max();
        assert!(deepest < Some(64), "{deepest:?}");
    }
}
