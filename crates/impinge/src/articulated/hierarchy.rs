//! The tree over the parts of a body (Cohen, Lin, Manocha and Ponamgi, I-COLLIDE, 1995, section 3.4): leaves are parts, inner
//! nodes hold their children, the root holds the whole body.
//!
//! The tree follows the joints, because what hangs together stays together: a run of links one on the other is cut in the
//! middle, again and again; where it branches, each branch is one subtree. So a hand has its fingers in nodes, and the
//! segments of a finger below. Parts of one link are cut at the middle of the longest side of their box.
//!
//! **Invariant.** Children come before their parents; the last node is the root. The box of a node holds those of its
//! children. **Cost.** Two nodes a part, but for one; a refit is one box a part and one union a node.

use super::linkage::{Link, Part, PartId};
use super::rules::Rules;
use crate::math::{Aabb, Vec3};
use std::collections::VecDeque;

/// The tree without its boxes: what all bodies of a kind share.
#[derive(Debug)]
pub(super) struct Hierarchy {
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    content: Content,
    /// The group of links that do not move against each other, if all parts below are of one.
    group: Option<u32>,
}

#[derive(Debug, Clone, Copy)]
enum Content {
    Part(PartId),
    Children([u32; 2]),
}

impl Hierarchy {
    /// The tree over some parts, at least one.
    pub(super) fn new(links: &[Link], parts: &[Part], rules: &Rules) -> Hierarchy {
        let mut tree = Hierarchy { nodes: Vec::new() };
        let mut on_link = vec![Vec::new(); links.len()];
        for (place, part) in parts.iter().enumerate() {
            on_link[part.link.index()].push(PartId(place as u32));
        }
        // For each link the runs of nodes that are to hang below it, in the order of the joints.
        let mut below: Vec<Vec<VecDeque<u32>>> = vec![Vec::new(); links.len()];
        for place in (0..links.len()).rev() {
            let group = rules.group(super::LinkId(place as u32));
            let own = tree.add_parts(&mut on_link[place], parts, group);
            let mut run = tree.join_branches(std::mem::take(&mut below[place]));
            if let Some(own) = own {
                run.push_front(own);
            }
            match links[place].parent() {
                Some(parent) if !run.is_empty() => below[parent.index()].push(run),
                Some(_) => {}
                None => {
                    tree.join(run.make_contiguous());
                }
            }
        }
        tree
    }

    /// One branch goes on as the run that it is; of several each becomes a node.
    fn join_branches(&mut self, mut branches: Vec<VecDeque<u32>>) -> VecDeque<u32> {
        if branches.len() == 1 {
            return branches.pop().unwrap_or_default();
        }
        // They were met from the last to the first.
        let in_order = branches.iter_mut().rev();
        let joined = in_order.filter_map(|run| self.join(run.make_contiguous()));
        joined.collect()
    }

    /// A node over all of a run; `None` for an empty one.
    fn join(&mut self, run: &[u32]) -> Option<u32> {
        if run.len() < 2 {
            return run.first().copied();
        }
        let (left, right) = run.split_at(run.len() / 2);
        let children = [self.join(left)?, self.join(right)?];
        let [p, q] = children.map(|child| self.nodes[child as usize].group);
        Some(self.push(Content::Children(children), p.filter(|_| p == q)))
    }

    /// A node over the parts of one link; `None` without any.
    fn add_parts(&mut self, ids: &mut [PartId], parts: &[Part], group: u32) -> Option<u32> {
        if ids.len() < 2 {
            let id = ids.first()?;
            return Some(self.push(Content::Part(*id), Some(group)));
        }
        let place = |id: &PartId| parts[id.index()].pose.translation();
        let bounds = Aabb::of_points(ids.iter().map(place))?;
        let axis = longest_axis(bounds.size());
        let middle = ids.len() / 2;
        ids.select_nth_unstable_by(middle, |p, q| {
            place(p)[axis].total_cmp(&place(q)[axis]).then(p.cmp(q))
        });
        let (left, right) = ids.split_at_mut(middle);
        let left = self.add_parts(left, parts, group)?;
        let right = self.add_parts(right, parts, group)?;
        Some(self.push(Content::Children([left, right]), Some(group)))
    }

    fn push(&mut self, content: Content, group: Option<u32>) -> u32 {
        self.nodes.push(Node { content, group });
        (self.nodes.len() - 1) as u32
    }

    /// Brings the boxes of all nodes up to date with those of the parts.
    pub(super) fn refit(&self, of_parts: &[Aabb], boxes: &mut Vec<Aabb>) {
        boxes.clear();
        for node in &self.nodes {
            let bounds = match node.content {
                Content::Part(part) => of_parts[part.index()],
                Content::Children([p, q]) => boxes[p as usize].merge(&boxes[q as usize]),
            };
            boxes.push(bounds);
        }
    }

    fn root(&self) -> u32 {
        (self.nodes.len() - 1) as u32
    }
}

fn longest_axis(size: Vec3) -> usize {
    if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    }
}

/// A tree with its boxes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fitted<'a> {
    pub(super) tree: &'a Hierarchy,
    pub(super) boxes: &'a [Aabb],
}

impl Fitted<'_> {
    /// Visits the pairs of parts of two bodies whose boxes overlap, the first of `self`.
    pub(super) fn for_each_pair(
        &self,
        other: &Fitted<'_>,
        stack: &mut Vec<[u32; 2]>,
        mut visit: impl FnMut(PartId, PartId),
    ) {
        stack.clear();
        stack.push([self.tree.root(), other.tree.root()]);
        while let Some(pair) = stack.pop() {
            self.open(other, pair, stack, &mut visit);
        }
    }

    /// Visits the pairs of parts of one body whose boxes overlap and that can move against each other.
    pub(super) fn for_each_own_pair(
        &self,
        stack: &mut Vec<[u32; 2]>,
        mut visit: impl FnMut(PartId, PartId),
    ) {
        stack.clear();
        stack.push([self.tree.root(); 2]);
        while let Some(pair) = stack.pop() {
            let [x, y] = pair.map(|node| self.tree.nodes[node as usize]);
            if x.group.is_some() && x.group == y.group {
                continue;
            }
            match x.content {
                Content::Children([p, q]) if pair[0] == pair[1] => {
                    stack.extend([[p, p], [q, q], [p, q]]);
                }
                Content::Part(_) | Content::Children(_) => {
                    self.open(self, pair, stack, &mut visit);
                }
            }
        }
    }

    /// A pair of nodes: visited, opened, or apart.
    #[inline]
    fn open(
        &self,
        other: &Fitted<'_>,
        [x, y]: [u32; 2],
        stack: &mut Vec<[u32; 2]>,
        visit: &mut impl FnMut(PartId, PartId),
    ) {
        let [box_x, box_y] = [&self.boxes[x as usize], &other.boxes[y as usize]];
        if !box_x.overlaps(box_y) {
            return;
        }
        let content_x = self.tree.nodes[x as usize].content;
        match (content_x, other.tree.nodes[y as usize].content) {
            (Content::Part(a), Content::Part(b)) => visit(a, b),
            (Content::Children([p, q]), Content::Part(_)) => stack.extend([[p, y], [q, y]]),
            (Content::Part(_), Content::Children([p, q])) => stack.extend([[x, p], [x, q]]),
            // The larger one is opened, so that both become as small.
            (Content::Children([p, q]), Content::Children(_)) if is_larger(box_x, box_y) => {
                stack.extend([[p, y], [q, y]]);
            }
            (Content::Children(_), Content::Children([p, q])) => stack.extend([[x, p], [x, q]]),
        }
    }

    /// The box of the whole body.
    pub(super) fn bounds(&self) -> Aabb {
        self.boxes[self.tree.root() as usize]
    }
}

fn is_larger(a: &Aabb, b: &Aabb) -> bool {
    a.size().max_element() > b.size().max_element()
}
