//! What the tree is made of: nodes of eight oriented boxes, and blocks of four triangles.

/// How many boxes a node has.
pub(crate) const LANES: usize = 8;
/// How many triangles a leaf has.
pub(crate) const BLOCK: usize = 4;

/// An oriented box: all `center + x * axes[0] + y * axes[1] + z * axes[2]` with coordinates up to `half`.
///
/// The axes are orthonormal up to rounding; the third is the cross product of the first two, rounded as [`cross`] does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Obb {
    pub(crate) center: [f32; 3],
    pub(crate) axes: [[f32; 3]; 3],
    pub(crate) half: [f32; 3],
}

impl Obb {
    /// The sum of half the edges: how large it is.
    #[inline(always)]
    pub(crate) fn size(&self) -> f32 {
        self.half[0] + self.half[1] + self.half[2]
    }

    /// Whether a point is in the box, in real arithmetic or nearly so.
    #[cfg(test)]
    pub(crate) fn holds(&self, p: [f32; 3]) -> bool {
        use crate::math::{Mat3, Vec3};
        let wide = |v: [f32; 3]| Vec3::from(v.map(f64::from));
        let axes = Mat3::from_cols_array_2d(&self.axes.map(|axis| axis.map(f64::from)));
        let at = axes.inverse() * (wide(p) - wide(self.center));
        at.abs().cmple(wide(self.half)).all()
    }
}

/// The cross product, each operation rounded.
#[inline(always)]
pub(crate) fn cross(p: [f32; 3], q: [f32; 3]) -> [f32; 3] {
    [
        p[1] * q[2] - p[2] * q[1],
        p[2] * q[0] - p[0] * q[2],
        p[0] * q[1] - p[1] * q[0],
    ]
}

/// Eight boxes in columns, one a lane, and what is in them. Lanes may be empty.
#[derive(Debug, Clone)]
#[repr(C, align(32))]
pub(crate) struct Node {
    pub(crate) center: [[f32; LANES]; 3],
    /// The first two axes.
    pub(crate) axes: [[[f32; LANES]; 3]; 2],
    pub(crate) half: [[f32; LANES]; 3],
    children: [u32; LANES],
}

/// What is in a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Child {
    Node(u32),
    Block(u32),
}

/// Marks a block among the children of a node.
const IS_BLOCK: u32 = 1 << 31;
/// A lane without a box.
const EMPTY: u32 = u32::MAX;

impl Node {
    /// A node without a box.
    pub(crate) const NEW: Node = Node {
        center: [[0.0; LANES]; 3],
        axes: [[[0.0; LANES]; 3]; 2],
        half: [[0.0; LANES]; 3],
        children: [EMPTY; LANES],
    };

    pub(in crate::shape) fn set(&mut self, lane: usize, obb: &Obb, child: Child) {
        for k in 0..3 {
            self.center[k][lane] = obb.center[k];
            self.half[k][lane] = obb.half[k];
            for axis in 0..2 {
                self.axes[axis][k][lane] = obb.axes[axis][k];
            }
        }
        self.children[lane] = match child {
            Child::Node(node) => node,
            Child::Block(block) => block | IS_BLOCK,
        };
    }

    #[inline(always)]
    pub(crate) fn obb(&self, lane: usize) -> Obb {
        let get = |column: &[[f32; LANES]; 3]| [column[0][lane], column[1][lane], column[2][lane]];
        let (first, second) = (get(&self.axes[0]), get(&self.axes[1]));
        Obb {
            center: get(&self.center),
            axes: [first, second, cross(first, second)],
            half: get(&self.half),
        }
    }

    #[inline(always)]
    pub(crate) fn child(&self, lane: usize) -> Child {
        let child = self.children[lane];
        if child & IS_BLOCK == 0 {
            Child::Node(child)
        } else {
            Child::Block(child & !IS_BLOCK)
        }
    }

    /// The lanes that have a box.
    #[inline(always)]
    pub(crate) fn lanes(&self) -> impl Iterator<Item = usize> {
        (0..LANES).filter(|lane| self.children[*lane] != EMPTY)
    }

    /// The lanes that have a box, a bit each.
    #[inline(always)]
    pub(crate) fn lane_bits(&self) -> u32 {
        let mut bits = 0;
        for (lane, child) in self.children.iter().enumerate() {
            bits |= u32::from(*child != EMPTY) << lane;
        }
        bits
    }
}

/// Where a box of the tree is: in a lane of a node, or above all nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot(u32);

impl Slot {
    /// The box around everything.
    pub(crate) const ROOT: Slot = Slot(u32::MAX);

    #[inline(always)]
    pub(crate) fn new(node: u32, lane: usize) -> Slot {
        Slot(node * LANES as u32 + lane as u32)
    }

    #[inline(always)]
    pub(in crate::shape) fn place(self) -> Option<(usize, usize)> {
        let index = self.0 as usize;
        (self != Slot::ROOT).then_some((index / LANES, index % LANES))
    }
}

/// Four triangles in columns. A block that is not full repeats its last triangle.
#[derive(Debug, Clone)]
#[repr(C, align(32))]
pub(crate) struct Block {
    /// By corner, then coordinate, then lane.
    pub(crate) corners: [[[f32; BLOCK]; 3]; 3],
    /// The triangles' numbers in the mesh.
    pub(crate) triangles: [u32; BLOCK],
}

impl Block {
    /// A block without a triangle of its own.
    pub(crate) const NEW: Block = Block {
        corners: [[[0.0; BLOCK]; 3]; 3],
        triangles: [0; BLOCK],
    };

    /// The numbers of its triangles, each once.
    pub(crate) fn distinct(&self) -> &[u32] {
        let repeated = self.triangles.windows(2).position(|two| two[0] == two[1]);
        &self.triangles[..repeated.map_or(BLOCK, |place| place + 1)]
    }

    #[inline(always)]
    pub(crate) fn corner(&self, corner: usize, lane: usize) -> [f32; 3] {
        let [x, y, z] = &self.corners[corner];
        [x[lane], y[lane], z[lane]]
    }
}
