//! The auxiliary two-pass pairing heap (Stasko and Vitter, Pairing Heaps: Experiments and Analysis, 1987).
//!
//! A heap-ordered tree of any shape, and beside it a list of further trees. Insertion only adds a tree to the list. When the
//! first item is asked for, the trees of the list are paired up, again and again, and the last one is joined with the main
//! tree. Removing an item pairs its children from left to right, joins the pairs from right to left, and puts the result
//! into the list. Insertion takes constant time, removal logarithmic time, amortised.

use super::{Timed, is_before};
use crate::math::Interval;

const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Node {
    /// The first child.
    child: u32,
    /// The next sibling, or the next tree of the list.
    next: u32,
    /// The one whose `next` or `child` this is; none for the main tree and the first of the list.
    previous: u32,
    is_held: bool,
    time: Interval,
}

const FREE: Node = Node {
    child: NONE,
    next: NONE,
    previous: NONE,
    is_held: false,
    time: Interval::exact(0.0),
};

/// The heap.
#[derive(Debug, Clone)]
pub(in crate::kinetic) struct PairingHeap {
    nodes: Vec<Node>,
    /// The root of the main tree.
    root: u32,
    /// The first tree of the list.
    list: u32,
}

impl Default for PairingHeap {
    fn default() -> PairingHeap {
        PairingHeap {
            nodes: Vec::new(),
            root: NONE,
            list: NONE,
        }
    }
}

impl PairingHeap {
    pub(super) fn grow(&mut self, capacity: usize) {
        self.nodes.resize(capacity.max(self.nodes.len()), FREE);
    }

    pub(super) fn contains(&self, item: u32) -> bool {
        self.nodes[item as usize].is_held
    }

    pub(super) fn insert(&mut self, timed: Timed) {
        let node = &mut self.nodes[timed.item as usize];
        node.is_held = true;
        node.time = timed.time;
        self.push(timed.item);
    }

    pub(super) fn first(&mut self, tie: &mut impl FnMut(u32, u32) -> bool) -> Option<u32> {
        self.gather(tie);
        (self.root != NONE).then_some(self.root)
    }

    pub(super) fn remove(&mut self, item: u32, tie: &mut impl FnMut(u32, u32) -> bool) {
        if item == self.root {
            self.root = NONE;
        } else {
            self.cut(item);
        }
        let children = self.nodes[item as usize].child;
        self.nodes[item as usize] = FREE;
        let tree = self.join_children(children, tie);
        if tree != NONE {
            self.push(tree);
        }
    }

    fn timed(&self, item: u32) -> Timed {
        let time = self.nodes[item as usize].time;
        Timed { time, item }
    }

    /// Adds a tree to the list.
    fn push(&mut self, tree: u32) {
        let second = self.list;
        self.nodes[tree as usize].next = second;
        self.nodes[tree as usize].previous = NONE;
        if second != NONE {
            self.nodes[second as usize].previous = tree;
        }
        self.list = tree;
    }

    /// Takes a tree out of the list, or a subtree from its parent.
    fn cut(&mut self, item: u32) {
        let Node { next, previous, .. } = self.nodes[item as usize];
        if previous == NONE {
            self.list = next;
        } else if self.nodes[previous as usize].child == item {
            self.nodes[previous as usize].child = next;
        } else {
            self.nodes[previous as usize].next = next;
        }
        if next != NONE {
            self.nodes[next as usize].previous = previous;
        }
    }

    /// Joins the list and the main tree.
    fn gather(&mut self, tie: &mut impl FnMut(u32, u32) -> bool) {
        while self.list != NONE && self.nodes[self.list as usize].next != NONE {
            // One pass: the pairs become the new list.
            let mut rest = std::mem::replace(&mut self.list, NONE);
            while rest != NONE {
                let pair = self.join_two(&mut rest, tie);
                self.push(pair);
            }
        }
        let tree = std::mem::replace(&mut self.list, NONE);
        self.root = self.join(self.root, tree, tie);
    }

    /// Joins the first two of a row of trees, and moves on to the rest.
    fn join_two(&mut self, row: &mut u32, tie: &mut impl FnMut(u32, u32) -> bool) -> u32 {
        let one = *row;
        let other = self.nodes[one as usize].next;
        if other == NONE {
            *row = NONE;
            return one;
        }
        *row = self.nodes[other as usize].next;
        self.join(one, other, tie)
    }

    /// Joins a row of siblings: pairs from left to right, then all from right to left.
    fn join_children(&mut self, first: u32, tie: &mut impl FnMut(u32, u32) -> bool) -> u32 {
        let mut rest = first;
        let mut pairs = NONE;
        while rest != NONE {
            let pair = self.join_two(&mut rest, tie);
            self.nodes[pair as usize].next = pairs;
            pairs = pair;
        }
        let mut tree = NONE;
        while pairs != NONE {
            let pair = pairs;
            pairs = self.nodes[pair as usize].next;
            tree = self.join(tree, pair, tie);
        }
        tree
    }

    /// Makes one tree of two, either of which may be none. The result has no siblings.
    fn join(&mut self, a: u32, b: u32, tie: &mut impl FnMut(u32, u32) -> bool) -> u32 {
        let (parent, child) = match (a, b) {
            (NONE, tree) | (tree, NONE) => {
                if tree != NONE {
                    self.detach(tree);
                }
                return tree;
            }
            _ if is_before(&self.timed(b), &self.timed(a), tie) => (b, a),
            _ => (a, b),
        };
        let sibling = self.nodes[parent as usize].child;
        self.nodes[child as usize].next = sibling;
        self.nodes[child as usize].previous = parent;
        if sibling != NONE {
            self.nodes[sibling as usize].previous = child;
        }
        self.nodes[parent as usize].child = child;
        self.detach(parent);
        parent
    }

    fn detach(&mut self, tree: u32) {
        self.nodes[tree as usize].next = NONE;
        self.nodes[tree as usize].previous = NONE;
    }
}
