//! Height fields: terrain over a grid, without stored triangles.
//!
//! The vertex in row `r` and column `c` is `(c * cell[0], r * cell[1], height)`, each product rounded. A cell is the union
//! of two triangles, cut along the diagonal from its vertex `(r, c)` to `(r + 1, c + 1)`. The set is the union of the
//! triangles of all cells that are not holes: a surface, with nothing below it. So everything that is said about the
//! [`TriMesh`] of these triangles ([`HeightField::to_mesh`]) is said about the field, placed vertices included.
//!
//! | file | what |
//! |---|---|
//! | `grid` | heights and holes; vertices, cells and triangles by number |
//! | `pyramid` | lowest and highest heights of tiles: the tree that queries go through |
//!
//! **Cost.** 8 bytes a height, and less than one for the pyramid; a mesh of the same triangles takes some 150. Triangles are
//! made when a query reaches their cells, and forgotten. Building takes one pass over the heights.

mod grid;
mod parts;
mod pyramid;

use super::TriMesh;
use super::mesh_tree::{Block, Child, Node, Obb, Slot};
use crate::error::Error;
use crate::math::{Aabb, Vec3};
use grid::Grid;
use pyramid::Pyramid;
use std::sync::{Arc, OnceLock};

/// A surface over a grid: one height a vertex, two triangles a cell. Up is z.
///
/// ```
/// # use impinge::{HeightField, Pose, Shape, Vec3, query};
/// // Three rows of four heights, one unit apart in x and two in y.
/// let heights = vec![0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 2.0, 1.0];
/// let steps = Shape::from(HeightField::new([3, 4], [1.0, 2.0], heights)?);
/// let (ball, at) = (Shape::sphere(0.25)?, Pose::from_translation(Vec3::new(0.5, 1.0, 1.0))?);
/// let near = query::distance(steps.at(Pose::IDENTITY), ball.at(at));
/// assert!(near.bounds.contains(0.75));
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct HeightField {
    grid: Arc<Grid>,
    pyramid: Arc<Pyramid>,
    /// A triangle of each connected part. Only questions about solids need it.
    parts: OnceLock<Vec<u32>>,
}

impl PartialEq for HeightField {
    /// Equal heights, cells and holes.
    fn eq(&self, other: &HeightField) -> bool {
        self.grid == other.grid
    }
}

impl HeightField {
    /// A field of so many rows and columns of vertices, at least two of each, with cells of the given size along x and y;
    /// heights row by row.
    pub fn new(
        [rows, columns]: [usize; 2],
        cell: [f64; 2],
        heights: Vec<f64>,
    ) -> Result<HeightField, Error> {
        HeightField::on(Grid::new([rows, columns], cell, heights)?)
    }

    /// A field with the heights that a function gives for row and column.
    ///
    /// ```
    /// # use impinge::{HeightField, Vec3};
    /// let slope = HeightField::from_fn([8, 5], [1.0, 1.0], |row, _| 0.25 * row as f64)?;
    /// assert_eq!(slope.vertex(4, 2), Some(Vec3::new(2.0, 4.0, 1.0)));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn from_fn(
        [rows, columns]: [usize; 2],
        cell: [f64; 2],
        mut height: impl FnMut(usize, usize) -> f64,
    ) -> Result<HeightField, Error> {
        grid::require_size([rows, columns])?;
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let heights = places.map(|(row, column)| height(row, column)).collect();
        HeightField::new([rows, columns], cell, heights)
    }

    /// The same field with more holes: cells, given by row and column, that do not belong to it. At least one cell must be
    /// left.
    ///
    /// ```
    /// # use impinge::{HeightField, Pose, Shape, query};
    /// let floor = HeightField::from_fn([4, 4], [1.0, 1.0], |_, _| 0.0)?;
    /// let drain = Shape::from(floor.clone().with_holes([[1, 1]])?);
    /// let at = Pose::from_translation([1.5, 1.5, 0.0].into())?;
    /// let ball = Shape::sphere(0.25)?;
    /// assert!(query::intersects(Shape::from(floor).at(Pose::IDENTITY), ball.at(at)));
    /// assert!(!query::intersects(drain.at(Pose::IDENTITY), ball.at(at)));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn with_holes(
        self,
        cells: impl IntoIterator<Item = [usize; 2]>,
    ) -> Result<HeightField, Error> {
        let mut grid = Arc::unwrap_or_clone(self.grid);
        for cell in cells {
            grid.dig(cell)?;
        }
        HeightField::on(grid)
    }

    fn on(grid: Grid) -> Result<HeightField, Error> {
        let bounds = grid.bounds().ok_or(Error::Empty {
            what: "height field",
        })?;
        Ok(HeightField {
            pyramid: Arc::new(Pyramid::new(&grid, bounds)),
            grid: Arc::new(grid),
            parts: OnceLock::new(),
        })
    }

    /// How many rows of vertices there are.
    pub fn rows(&self) -> usize {
        self.grid.rows()
    }

    /// How many columns of vertices there are.
    pub fn columns(&self) -> usize {
        self.grid.columns()
    }

    /// The size of a cell along x and y.
    pub fn cell_size(&self) -> [f64; 2] {
        self.grid.cell_size()
    }

    /// The heights, row by row.
    pub fn heights(&self) -> &[f64] {
        self.grid.heights()
    }

    /// The vertex in a row and a column, if there is one.
    pub fn vertex(&self, row: usize, column: usize) -> Option<Vec3> {
        let is_there = row < self.rows() && column < self.columns();
        is_there.then(|| self.grid.vertex(row, column))
    }

    /// Whether a cell is a hole, or outside.
    pub fn is_hole(&self, row: usize, column: usize) -> bool {
        self.grid.is_hole(row, column)
    }

    /// A box around all that belongs to the field: tight in height, and as wide as the grid.
    pub fn bounds(&self) -> Aabb {
        self.pyramid.bounds()
    }

    /// The corners of a triangle; `None` in a hole, or beyond the last.
    ///
    /// Triangles `2 n` and `2 n + 1` are those of cell `n`, cells being counted row by row, holes included: first the one
    /// along the side from `(r, c)` to `(r, c + 1)`, then the other one. Both turn counterclockwise as seen from above.
    /// Vertex `(r, c)` has number `r * columns + c`.
    pub fn corners(&self, triangle: u32) -> Option<[Vec3; 3]> {
        self.has(triangle).then(|| self.grid.corners(triangle))
    }

    /// The same set as a mesh that stores its triangles.
    ///
    /// Its vertices are those of the field, in order. Its triangles are numbered alike when there are no holes; otherwise
    /// the numbers close up.
    pub fn to_mesh(&self) -> TriMesh {
        let vertices = (0..self.rows())
            .flat_map(|row| (0..self.columns()).map(move |column| self.grid.vertex(row, column)));
        let mesh = TriMesh::new(vertices.collect(), self.triangles().collect());
        mesh.expect("a valid field has finite vertices, a cell, and no more triangles than a mesh")
    }

    /// The memory that the pyramid takes, in bytes.
    pub fn tree_bytes(&self) -> usize {
        self.pyramid.bytes()
    }

    /// The vertices of all triangles, in order.
    fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        let numbers = self.triangle_numbers();
        numbers.map(|triangle| self.grid.vertices_of(triangle))
    }

    /// The numbers of all triangles, in order.
    pub(crate) fn triangle_numbers(&self) -> impl Iterator<Item = u32> {
        (0..self.grid.triangle_end()).filter(|triangle| self.has(*triangle))
    }

    /// Whether there is a triangle of that number.
    pub(crate) fn has(&self, triangle: u32) -> bool {
        self.grid.has(triangle)
    }

    /// The corners of a triangle that exists.
    #[inline]
    pub(crate) fn corners_of(&self, triangle: u32) -> [Vec3; 3] {
        self.grid.corners(triangle)
    }

    /// The numbers of the corners of a triangle.
    pub(crate) fn vertices_of(&self, triangle: u32) -> [u32; 3] {
        self.grid.vertices_of(triangle)
    }

    /// A triangle of each connected part; cells hang together by common vertices.
    pub(crate) fn parts(&self) -> &[u32] {
        self.parts
            .get_or_init(|| parts::first_triangles(&self.grid))
    }

    /// The origin of the tree's frame, in the frame of the field.
    pub(crate) fn tree_center(&self) -> Vec3 {
        self.pyramid.center()
    }

    /// The unit of length of the tree, a power of two.
    pub(crate) fn tree_unit(&self) -> f64 {
        self.pyramid.unit()
    }

    /// The box of a slot of the tree, and what is in it.
    pub(crate) fn opened(&self, slot: Slot) -> (Obb, Child) {
        self.pyramid.opened(&self.grid, slot)
    }

    /// What is in the box of a slot.
    pub(crate) fn child(&self, slot: Slot) -> Child {
        self.pyramid.child(slot)
    }

    /// Makes a node of the tree.
    pub(crate) fn node(&self, index: u32) -> Node {
        self.pyramid.node(&self.grid, index)
    }

    /// Makes a leaf of the tree.
    pub(crate) fn block(&self, index: u32) -> Block {
        self.pyramid.block(&self.grid, index)
    }
}

#[cfg(test)]
mod tests;
