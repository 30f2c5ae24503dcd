//! The tree of a height field: the lowest and highest heights of tiles, tiles of tiles, and so on.
//!
//! A leaf is two cells side by side. A tile of the first level has two by four leaves, one of the next level four by two of
//! these, and so on in turns, so that a tile always has eight children: what the box tests of meshes take at a time. Where
//! a tile is follows from its number; all that is stored are two `f32` a tile, and nothing for leaves. Nodes and leaves
//! are made when a query opens them, in the form that those of a mesh have.
//!
//! **Frame and invariant** are those of [`MeshTree`](super::super::mesh_tree::MeshTree): the origin in the middle, a
//! power of two as the unit. A coordinate is shifted, divided and rounded by one function ([`Pyramid::local`]) that keeps order,
//! so what is between two numbers is between them afterwards; boxes hold the corners of leaves as they are given out.

use super::grid::Grid;
use crate::math::{Aabb, Vec3};
use crate::shape::mesh_tree::{Block, Child, LANES, Node, Obb, Slot, unit_of, widened};
use std::ops::Range;

/// A tree over tiles.
#[derive(Debug, Clone)]
pub(super) struct Pyramid {
    bounds: Aabb,
    /// The origin of the frame of the tree.
    center: Vec3,
    /// The unit of length of the tree: a power of two.
    unit: f64,
    /// The first are leaves; the last has one tile.
    levels: Vec<Level>,
    /// The heights that each tile lies between, all levels above the leaves one after the other, in the frame of the tree.
    /// Tiles of holes lie between infinity and its opposite.
    ranges: Vec<[f32; 2]>,
}

/// Tiles of one size.
#[derive(Debug, Clone, Copy)]
struct Level {
    /// A tile has two to the power of this cells along x and y.
    shift: [u32; 2],
    /// How many tiles there are along x and y.
    tiles: [usize; 2],
    /// The number of the first tile.
    first: usize,
}

/// A tile: its level, and its place there along x and y.
#[derive(Debug, Clone, Copy)]
struct Tile {
    level: usize,
    place: [usize; 2],
}

impl Level {
    /// The cells of a tile along an axis, of which there are so many.
    fn cells(&self, axis: usize, place: usize, count: usize) -> Range<usize> {
        let start = place << self.shift[axis];
        start..count.min(start + (1 << self.shift[axis]))
    }

    fn number(&self, [x, y]: [usize; 2]) -> usize {
        self.first + y * self.tiles[0] + x
    }
}

/// Along x and y, a tile of this level has two to the power of this children; eight in all.
fn fan(level: usize) -> [u32; 2] {
    if level % 2 == 1 { [1, 2] } else { [2, 1] }
}

fn levels(cells: [usize; 2]) -> Vec<Level> {
    let mut levels = Vec::new();
    let (mut shift, mut first) = ([1, 0], 0);
    loop {
        let tiles = [0, 1].map(|axis| cells[axis].div_ceil(1 << shift[axis]));
        levels.push(Level {
            shift,
            tiles,
            first,
        });
        if tiles == [1, 1] {
            return levels;
        }
        // Leaves have numbers of their own.
        if levels.len() > 1 {
            first += tiles[0] * tiles[1];
        }
        let [x, y] = fan(levels.len());
        shift = [shift[0] + x, shift[1] + y];
    }
}

impl Pyramid {
    /// The pyramid of a grid in the given bounds.
    pub(super) fn new(grid: &Grid, bounds: Aabb) -> Pyramid {
        let mut pyramid = Pyramid {
            bounds,
            center: bounds.center(),
            unit: unit_of(&bounds),
            levels: levels(grid.cells()),
            ranges: Vec::new(),
        };
        for level in 1..pyramid.levels.len() {
            let tiles = pyramid.levels[level].tiles;
            pyramid.ranges.reserve(tiles[0] * tiles[1]);
            for y in 0..tiles[1] {
                for x in 0..tiles[0] {
                    let place = [x, y];
                    let range = pyramid.merged(grid, Tile { level, place });
                    pyramid.ranges.push(range);
                }
            }
        }
        pyramid
    }

    /// The range of a tile from those of its children.
    fn merged(&self, grid: &Grid, tile: Tile) -> [f32; 2] {
        let mut range = NOTHING;
        if tile.level == 1 {
            let columns = self.cells(grid, tile, 0);
            if let Some(heights) = grid.range(columns, self.cells(grid, tile, 1)) {
                range = heights.map(|height| self.local(2, height));
            }
            return range;
        }
        for lane in 0..LANES {
            if let Some(child) = self.child_tile(tile, lane) {
                let [low, high] = self.range(grid, child);
                range = [range[0].min(low), range[1].max(high)];
            }
        }
        range
    }

    pub(super) fn bounds(&self) -> Aabb {
        self.bounds
    }

    pub(super) fn center(&self) -> Vec3 {
        self.center
    }

    pub(super) fn unit(&self) -> f64 {
        self.unit
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.levels) + size_of_val(&*self.ranges)
    }

    /// A coordinate in the frame of the tree. It keeps order.
    #[inline(always)]
    fn local(&self, axis: usize, coordinate: f64) -> f32 {
        ((coordinate - self.center[axis]) / self.unit) as f32
    }

    /// The box of a slot and what is in it.
    pub(super) fn opened(&self, grid: &Grid, slot: Slot) -> (Obb, Child) {
        let tile = self.tile(slot);
        let obb = self.obb(grid, tile);
        (
            obb.expect("slots are made of lanes with boxes"),
            self.named(tile),
        )
    }

    /// What is in the box of a slot.
    pub(super) fn child(&self, slot: Slot) -> Child {
        self.named(self.tile(slot))
    }

    /// A node, made anew. Lanes beyond the edge and lanes of holes are empty.
    pub(super) fn node(&self, grid: &Grid, index: u32) -> Node {
        let tile = self.numbered(index as usize);
        let mut node = Node::NEW;
        for lane in 0..LANES {
            if let Some(child) = self.child_tile(tile, lane)
                && let Some(obb) = self.obb(grid, child)
            {
                node.set(lane, &obb, self.named(child));
            }
        }
        node
    }

    /// A leaf, made anew.
    pub(super) fn block(&self, grid: &Grid, index: u32) -> Block {
        let level = &self.levels[0];
        let (x, y) = (
            index as usize % level.tiles[0],
            index as usize / level.tiles[0],
        );
        let [in_row, _] = grid.cells();
        let columns = level.cells(0, x, in_row);
        let triangles = columns
            .filter(|column| !grid.is_hole(y, *column))
            .map(|column| 2 * (y * in_row + column) as u32)
            .flat_map(|first| [first, first + 1]);
        let mut block = Block::NEW;
        for (filled, triangle) in triangles.enumerate() {
            // All lanes from here on, so that what is not filled repeats the last.
            block.triangles[filled..].fill(triangle);
            for (corner, p) in grid.corners(triangle).into_iter().enumerate() {
                for axis in 0..3 {
                    let local = self.local(axis, p[axis]);
                    block.corners[corner][axis][filled..].fill(local);
                }
            }
        }
        block
    }

    fn top(&self) -> Tile {
        Tile {
            level: self.levels.len() - 1,
            place: [0, 0],
        }
    }

    fn tile(&self, slot: Slot) -> Tile {
        match slot.place() {
            None => self.top(),
            Some((node, lane)) => {
                let tile = self.child_tile(self.numbered(node), lane);
                tile.expect("slots are made of lanes with boxes")
            }
        }
    }

    /// The tile of a number, above the leaves.
    fn numbered(&self, number: usize) -> Tile {
        let above = self.levels[1..].partition_point(|level| level.first <= number);
        let level = &self.levels[above];
        let at = number - level.first;
        Tile {
            level: above,
            place: [at % level.tiles[0], at / level.tiles[0]],
        }
    }

    fn named(&self, tile: Tile) -> Child {
        let number = self.levels[tile.level].number(tile.place) as u32;
        if tile.level == 0 {
            Child::Block(number)
        } else {
            Child::Node(number)
        }
    }

    /// One of the eight children; `None` beyond the edge of the grid.
    #[inline]
    fn child_tile(&self, tile: Tile, lane: usize) -> Option<Tile> {
        let [x, y] = fan(tile.level);
        let place = [
            (tile.place[0] << x) + (lane & ((1 << x) - 1)),
            (tile.place[1] << y) + (lane >> x),
        ];
        let level = tile.level - 1;
        let tiles = self.levels[level].tiles;
        (place[0] < tiles[0] && place[1] < tiles[1]).then_some(Tile { level, place })
    }

    fn cells(&self, grid: &Grid, tile: Tile, axis: usize) -> Range<usize> {
        self.levels[tile.level].cells(axis, tile.place[axis], grid.cells()[axis])
    }

    #[inline]
    fn range(&self, grid: &Grid, tile: Tile) -> [f32; 2] {
        if tile.level > 0 {
            return self.ranges[self.levels[tile.level].number(tile.place)];
        }
        let heights = grid.range(self.cells(grid, tile, 0), self.cells(grid, tile, 1));
        heights.map_or(NOTHING, |range| range.map(|height| self.local(2, height)))
    }

    /// The box of a tile; `None` if all of it is holes.
    #[inline]
    fn obb(&self, grid: &Grid, tile: Tile) -> Option<Obb> {
        let [low, high] = self.range(grid, tile);
        if low > high {
            return None;
        }
        let (mut min, mut max) = ([0.0, 0.0, low], [0.0, 0.0, high]);
        for axis in 0..2 {
            let cells = self.cells(grid, tile, axis);
            min[axis] = self.local(axis, grid.line(axis, cells.start));
            max[axis] = self.local(axis, grid.line(axis, cells.end));
        }
        let (mut center, mut reach) = ([0.0; 3], [0.0; 3]);
        for k in 0..3 {
            center[k] = (min[k] + max[k]) * 0.5;
            reach[k] = (max[k] - center[k]).max(center[k] - min[k]);
        }
        Some(Obb {
            center,
            axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            half: widened(reach),
        })
    }
}

/// The range of a tile of holes.
const NOTHING: [f32; 2] = [f32::INFINITY, f32::NEG_INFINITY];
