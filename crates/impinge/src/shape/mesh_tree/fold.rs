//! From divisions to nodes: triangles are packed into blocks, and each eight boxes next to each other in the binary tree
//! become a node.
//!
//! Which parts become nodes is chosen so that the expected work is least: the sum of the areas of the boxes of all nodes, plus
//! the same number for each, which stands for its memory (after Ylitie, Karras and Laine 2017). For each division the
//! least work is found for its leaves spread over one slot, two, and so on, from that of its parts.

use super::fit;
use super::node::{BLOCK, Block, Child, LANES, Node};
use super::split::Divisions;
use std::ops::Range;

/// The triangles, four to a block, in the order given.
pub(super) fn pack(order: &[u32], corners: &(impl Fn(u32) -> [[f32; 3]; 3] + Sync)) -> Vec<Block> {
    let block = |run: &[u32]| {
        let mut block = Block {
            corners: [[[0.0; BLOCK]; 3]; 3],
            triangles: [0; BLOCK],
        };
        for lane in 0..BLOCK {
            let triangle = run[lane.min(run.len() - 1)];
            block.triangles[lane] = triangle;
            corners_into(&mut block, lane, corners(triangle));
        }
        block
    };
    map_chunks(order, block)
}

/// Puts the corners of a triangle into a lane of a block.
pub(super) fn corners_into(block: &mut Block, lane: usize, corners: [[f32; 3]; 3]) {
    for (columns, p) in block.corners.iter_mut().zip(corners) {
        for (column, coordinate) in columns.iter_mut().zip(p) {
            column[lane] = coordinate;
        }
    }
}

#[cfg(feature = "parallel")]
fn map_chunks(order: &[u32], block: impl Fn(&[u32]) -> Block + Sync) -> Vec<Block> {
    use rayon::prelude::*;
    if crate::sharing::is_shared() && order.len() > 1 << 14 {
        let chunks = order.par_chunks(BLOCK).with_min_len(1 << 10);
        return chunks.map(&block).collect();
    }
    order.chunks(BLOCK).map(block).collect()
}

#[cfg(not(feature = "parallel"))]
fn map_chunks(order: &[u32], block: impl Fn(&[u32]) -> Block) -> Vec<Block> {
    order.chunks(BLOCK).map(block).collect()
}

/// A run of leaves: all that are in one box.
#[derive(Debug, Clone)]
struct Run {
    leaves: Range<u32>,
    /// Where it is divided; `None` for one leaf.
    division: Option<u32>,
}

impl Run {
    /// Its two parts.
    fn parts(&self, divisions: &Divisions) -> Option<[Run; 2]> {
        let number = self.division?;
        let [before, behind] = divisions.all[number as usize].parts;
        Some([
            Run {
                leaves: self.leaves.start..number + 1,
                division: before,
            },
            Run {
                leaves: number + 1..self.leaves.end,
                division: behind,
            },
        ])
    }
}

/// The memory of a node counts as much as so many nodes of the average area.
const MEMORY: f32 = 0.5;

/// The boxes of a node before they are fitted.
type Runs = arrayvec::ArrayVec<(Run, Child), LANES>;

/// The nodes, and what is in the box around everything.
pub(super) fn fold(divisions: &Divisions, blocks: &[Block]) -> (Vec<Node>, Child) {
    let everything = Run {
        leaves: 0..blocks.len() as u32,
        division: divisions.first,
    };
    if everything.division.is_none() {
        return (Vec::new(), Child::Block(0));
    }
    let choices = choose(divisions);
    let mut plans: Vec<Runs> = Vec::with_capacity(blocks.len() / 6 + 1);
    // Nodes that have a number, but no boxes yet, in the order of their numbers.
    let mut waiting = std::collections::VecDeque::from([everything]);
    while let Some(run) = waiting.pop_front() {
        let first = plans.len() + waiting.len() + 1;
        let mut runs = Runs::new();
        for part in parts_of(run, divisions, &choices) {
            let child = match part.division {
                None => Child::Block(part.leaves.start),
                Some(_) => {
                    let inner = runs.iter().filter(|(run, _)| run.division.is_some());
                    let number = first + inner.count();
                    waiting.push_back(part.clone());
                    Child::Node(number as u32)
                }
            };
            runs.push((part, child));
        }
        plans.push(runs);
    }
    (fit_all(&plans, blocks), Child::Node(0))
}

/// What is best for a division, by the number of slots that it may take, from one to all.
#[derive(Debug, Clone, Copy)]
struct Choice {
    /// The work.
    work: [f32; LANES],
    /// How many of the slots are for the part before; 0 when the division is a node of its own, in one slot. The last
    /// number is also how a node of its own is spread over its lanes.
    before: [u8; LANES],
}

/// The work for a part, given a number of slots from one on. A leaf is none.
fn work_of(part: Option<u32>, slots: usize, choices: &[Choice]) -> f32 {
    part.map_or(0.0, |number| choices[number as usize].work[slots - 1])
}

fn choose(divisions: &Divisions) -> Vec<Choice> {
    let none = Choice {
        work: [0.0; LANES],
        before: [0; LANES],
    };
    let mut choices = vec![none; divisions.all.len()];
    let order = outermost_first(divisions);
    let areas = divisions.all.iter().map(|division| division.area);
    let memory = areas.sum::<f32>() / divisions.all.len() as f32 * MEMORY;
    for number in order.into_iter().rev() {
        let division = &divisions.all[number as usize];
        let [before, behind] = division.parts;
        let split = |slots: usize| {
            let ways = (1..slots).map(|k| {
                let work = work_of(before, k, &choices) + work_of(behind, slots - k, &choices);
                (work, k as u8)
            });
            let least = ways.min_by(|p, q| p.0.total_cmp(&q.0));
            least.unwrap_or((f32::INFINITY, 0))
        };
        let (spread, lanes_before) = split(LANES);
        let own = spread + division.area + memory;
        let mut choice = none;
        choice.work[0] = own;
        for slots in 2..=LANES {
            let (work, before) = split(slots);
            let is_less = work < own;
            choice.work[slots - 1] = if is_less { work } else { own };
            choice.before[slots - 1] = if is_less { before } else { 0 };
        }
        // What all slots are spread over is asked for nodes only.
        choice.before[LANES - 1] = lanes_before;
        choices[number as usize] = choice;
    }
    choices
}

/// All divisions, each before those of its parts.
fn outermost_first(divisions: &Divisions) -> Vec<u32> {
    let mut order = Vec::with_capacity(divisions.all.len());
    order.extend(divisions.first);
    let mut next = 0;
    while next < order.len() {
        let parts = divisions.all[order[next] as usize].parts;
        order.extend(parts.into_iter().flatten());
        next += 1;
    }
    order
}

/// The parts of a run that are the boxes of its node.
fn parts_of(run: Run, divisions: &Divisions, choices: &[Choice]) -> arrayvec::ArrayVec<Run, LANES> {
    let mut parts = arrayvec::ArrayVec::new();
    let mut open = arrayvec::ArrayVec::<(Run, usize), LANES>::from_iter([(run, LANES)]);
    while let Some((run, slots)) = open.pop() {
        let before = run.division.map_or(0, |number| {
            usize::from(choices[number as usize].before[slots - 1])
        });
        match run.parts(divisions) {
            Some([first, second]) if before > 0 => {
                open.push((second, slots - before));
                open.push((first, before));
            }
            Some(_) | None => parts.push(run),
        }
    }
    parts
}

fn fit_node(plan: &Runs, blocks: &[Block]) -> Node {
    let mut node = Node::NEW;
    for (lane, (run, child)) in plan.iter().enumerate() {
        let range = run.leaves.start as usize..run.leaves.end as usize;
        node.set(lane, &fit::around(&blocks[range]), *child);
    }
    node
}

#[cfg(feature = "parallel")]
fn fit_all(plans: &[Runs], blocks: &[Block]) -> Vec<Node> {
    use rayon::prelude::*;
    if crate::sharing::is_shared() && plans.len() > 1 << 8 {
        let plans = plans.par_iter();
        return plans.map(|plan| fit_node(plan, blocks)).collect();
    }
    plans.iter().map(|plan| fit_node(plan, blocks)).collect()
}

#[cfg(not(feature = "parallel"))]
fn fit_all(plans: &[Runs], blocks: &[Block]) -> Vec<Node> {
    plans.iter().map(|plan| fit_node(plan, blocks)).collect()
}
