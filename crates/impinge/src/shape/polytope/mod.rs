//! Convex polytopes: vertices, edges and polygonal faces, and the neighbours of each.
//!
//! A polytope is the hull of its vertices. All of them are extreme, every edge separates two faces of different planes,
//! and every face is a convex polygon, counter-clockwise seen from outside; [`Polytope::validate`] checks this with exact
//! signs. Neighbours are slices of flat arrays of `u32`: with `E` edges, two arrays of `2 E` for the corners of faces and
//! their edges, and one of three times as many for the rings around vertices, with start indices. Hence `V - E + F = 2`, all
//! are linear in the number of vertices (fewer than `6 V` corners).
//!
//! Feature tracking wants a bounded number of neighbours (Cohen, Lin, Manocha and Ponamgi, I-COLLIDE, 1995). The mean is
//! bounded by Euler's formula: fewer than six edges at a vertex and fewer than six around a face. Merging coplanar
//! triangles keeps it low, because points inside faces and edges are gone. A single feature may still have many, like the
//! apex of a cone or the base of a prism; who must bound the edges of a face takes [`Polytope::triangles`] instead.
//!
//! Numbers such as normals and volumes are rounded. They are for measuring; signs come from [`crate::exact`].

mod blocks;
mod chart;
mod climb;
mod extremes;
mod gauss;
mod joints;
mod kit;
mod measure;
mod packed;
mod rings;
#[cfg(test)]
mod tests;
mod validate;

use super::{Cuboid, TriMesh, hull};
use crate::ahead;
use crate::error::Error;
use crate::exact;
use crate::math::Vec3;
use blocks::Blocks;
pub(crate) use chart::{Chart, Spots};
pub(crate) use climb::NearTop;
pub(crate) use extremes::{FEW as TABLED_FROM, Listed, MANY as TABLED_TO, MOST_MARGIN, cells_of};
pub(crate) use gauss::{Cones, EdgeArc, FEW_BLOCKS, Faces, Few, GaussMap, Layout, Many, Planes};
pub(crate) use joints::Joints;
pub(crate) use kit::{Kit, Probe};
pub(crate) use packed::{DOT_ERROR, Packed};
use rings::Rings;

/// A convex polytope with volume.
#[derive(Debug, Clone, PartialEq)]
pub struct Polytope {
    vertices: Vec<Vec3>,
    /// What joins vertices; empty for polytopes of many.
    joints: Joints,
    /// For each vertex the input point it was, ascending.
    sources: Vec<u32>,
    edges: Vec<Edge>,
    /// Where each face begins in `face_vertices` and `face_edges`, and the end of the last.
    face_starts: Vec<u32>,
    face_vertices: Vec<u32>,
    face_edges: Vec<u32>,
    rings: Rings,
    /// For each face the unit outward normal.
    normals: Vec<Vec3>,
    /// For each face the product of its normal with a point of it.
    offsets: Vec<f64>,
    volume: f64,
    surface_area: f64,
    centroid: Vec3,
    radius: f64,
    /// Where climbs begin; none for polytopes of few vertices.
    starts: Vec<u32>,
    /// What fast queries scan; [nothing](Packed::is_there) for polytopes of extreme size.
    packed: Packed,
    /// What most pairs of crowds are decided by; none for larger ones.
    kit: Kit,
    /// The directions of its faces and edges, for queries of depth.
    gauss: GaussMap,
}

/// An edge and what meets there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The end points. The edge runs from the first to the second.
    pub vertices: [u32; 2],
    /// The face on the left and the face on the right of the edge, seen from outside. The first face has the edge in
    /// its own direction, the second has it reversed.
    pub faces: [u32; 2],
}

impl Edge {
    /// The end point that is not `vertex`.
    pub fn other_vertex(&self, vertex: u32) -> u32 {
        self.vertices[usize::from(self.vertices[0] == vertex)]
    }

    /// The face that is not `face`.
    pub fn other_face(&self, face: u32) -> u32 {
        self.faces[usize::from(self.faces[0] == face)]
    }
}

impl Polytope {
    /// The convex hull of points, exactly. Points may repeat, and may lie inside the hull, its faces or its edges.
    ///
    /// Fails when there are no points, when one is not finite, or when they all lie in one plane.
    ///
    /// ```
    /// # use impinge::{Polytope, Vec3};
    /// let mut points = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    /// points.push(Vec3::new(0.25, 0.25, 0.0));
    /// let corner = Polytope::from_points(&points)?;
    /// assert_eq!((corner.vertices().len(), corner.edges().len(), corner.face_count()), (4, 6, 4));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn from_points(points: &[Vec3]) -> Result<Polytope, Error> {
        let surface = hull::hull(points)?;
        let vertices: Vec<Vec3> = surface
            .sources
            .iter()
            .map(|i| points[*i as usize])
            .collect();
        let mut polytope = Polytope {
            rings: Rings::new(vertices.len(), &surface),
            joints: Joints::new(vertices.len(), &surface.edges),
            vertices,
            sources: surface.sources,
            edges: surface.edges,
            face_starts: surface.face_starts,
            face_vertices: surface.corners,
            face_edges: surface.corner_edges,
            normals: Vec::new(),
            offsets: Vec::new(),
            volume: 0.0,
            surface_area: 0.0,
            centroid: Vec3::ZERO,
            radius: 0.0,
            starts: Vec::new(),
            packed: Packed::none(),
            kit: Kit::NONE,
            gauss: GaussMap::default(),
        };
        polytope.measure();
        Ok(polytope)
    }

    /// A box about the origin with the given half edge lengths, as a polytope.
    pub fn cuboid(half_size: Vec3) -> Result<Polytope, Error> {
        Ok(Cuboid::new(half_size)?.polytope().clone())
    }

    /// The vertices, all of them extreme.
    #[inline]
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// For each vertex the index of the input point it was, ascending. Of equal points one is named.
    pub fn source_indices(&self) -> &[u32] {
        &self.sources
    }

    /// The edges.
    #[inline]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// How many faces there are.
    pub fn face_count(&self) -> usize {
        self.normals.len()
    }

    /// The vertices of a face, counter-clockwise seen from outside.
    #[inline]
    pub fn face(&self, face: usize) -> &[u32] {
        &self.face_vertices[range(&self.face_starts, face)]
    }

    /// The edges of a face: the edge at place `k` joins the vertices at places `k` and `k + 1` of [`Polytope::face`].
    #[inline]
    pub fn face_edges(&self, face: usize) -> &[u32] {
        &self.face_edges[range(&self.face_starts, face)]
    }

    /// The faces around a face, in the order of [`Polytope::face_edges`].
    pub fn face_neighbours(&self, face: usize) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.face_edges(face)
            .iter()
            .map(move |e| self.edges[*e as usize].other_face(face as u32))
    }

    /// The vertices that share an edge with a vertex, counter-clockwise seen from outside.
    #[inline]
    pub fn neighbours(&self, vertex: usize) -> &[u32] {
        self.rings.vertices(vertex)
    }

    /// The edges at a vertex: the edge at place `k` leads to place `k` of [`Polytope::neighbours`].
    #[inline]
    pub fn vertex_edges(&self, vertex: usize) -> &[u32] {
        self.rings.edges(vertex)
    }

    /// The faces at a vertex: the face at place `k` is between the edges at places `k` and `k + 1` of
    /// [`Polytope::vertex_edges`].
    #[inline]
    pub fn vertex_faces(&self, vertex: usize) -> &[u32] {
        self.rings.faces(vertex)
    }

    /// The outward normal of a face, of unit length, within 1e-14 of the true one.
    #[inline]
    pub fn face_normal(&self, face: usize) -> Vec3 {
        self.normals[face]
    }

    /// The plane of a face, rounded: its normal `n` and offset `d`. Points `p` of the plane have `n . p = d`, the polytope
    /// is where `n . p <= d`.
    pub fn plane(&self, face: usize) -> (Vec3, f64) {
        (self.normals[face], self.offsets[face])
    }

    /// The volume, rounded. Beyond the range of `f64` it is the largest number, or 0.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// The area of all faces, rounded. Beyond the range of `f64` it is the largest number, or 0.
    pub fn surface_area(&self) -> f64 {
        self.surface_area
    }

    /// The centre of mass, rounded.
    pub fn centroid(&self) -> Vec3 {
        self.centroid
    }

    /// A bound on the distance from [`Polytope::centroid`] to any point of the polytope: the largest distance of a
    /// vertex, rounded up.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The rounded copy that fast queries scan; `None` when coordinates are of extreme size.
    #[inline]
    pub(crate) fn packed(&self) -> Option<&Packed> {
        self.packed.is_there().then_some(&self.packed)
    }

    /// The small copy that pairs of crowds are decided by, if there is one.
    #[inline(always)]
    pub(crate) fn kit(&self) -> Option<&Kit> {
        (self.kit.radius > 0.0).then_some(&self.kit)
    }

    /// Asks for the first line of the rounded copy.
    #[inline(always)]
    pub(crate) fn fetch(&self) {
        ahead::fetch_start(&self.packed);
    }

    /// Asks for what leads to the vertices, as they are and rounded, and to what joins them.
    #[inline(always)]
    pub(crate) fn fetch_header(&self) {
        ahead::fetch_start(&self.packed.vertices);
        ahead::fetch_start(&self.vertices);
        ahead::fetch_start(&self.joints);
    }

    /// Asks for what leads to the parts of the Gauss map.
    #[inline(always)]
    pub(crate) fn fetch_gauss(&self) {
        ahead::fetch_start(&self.gauss.arcs);
        ahead::fetch_start(&self.gauss.layout);
        ahead::fetch_start(&self.gauss.extremes);
    }

    /// Asks for what leads to the vertices, to the table of extremes and to the rings.
    #[inline(always)]
    pub(crate) fn fetch_table(&self) {
        ahead::fetch_start(&self.vertices);
        ahead::fetch_start(&self.gauss.extremes);
        ahead::fetch_start(&self.rings);
    }

    /// Asks for what leads to the ring of a vertex.
    #[inline(always)]
    pub(crate) fn fetch_ring_start(&self, vertex: u32) {
        self.rings.fetch_start(vertex as usize);
    }

    /// Asks for the ring of a vertex, if there is one. Reads what leads to it.
    #[inline(always)]
    pub(crate) fn fetch_ring(&self, vertex: u32) {
        self.rings.fetch(vertex as usize);
    }

    /// Asks for some vertices.
    #[inline(always)]
    pub(crate) fn fetch_vertices<const N: usize>(&self, vertices: [u32; N]) {
        for vertex in vertices {
            ahead::fetch(&self.vertices, vertex as usize);
        }
    }

    /// Asks for the normal of a face, and for where its corners are named if all faces are triangles.
    #[inline(always)]
    pub(crate) fn fetch_face(&self, face: u32) {
        ahead::fetch(&self.normals, face as usize);
        ahead::fetch_line(&self.face_starts, face as usize);
        ahead::fetch_line(&self.face_vertices, 3 * face as usize);
    }

    /// What joins vertices, by a table; empty for polytopes of many.
    #[inline(always)]
    pub(crate) fn joints(&self) -> &Joints {
        &self.joints
    }

    /// The Gauss map, in units of the packed form; empty when there is none.
    #[inline]
    pub(crate) fn gauss(&self) -> &GaussMap {
        &self.gauss
    }

    /// The surface as triangles, each face as a fan about its first vertex, counter-clockwise seen from outside.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + Clone + '_ {
        (0..self.face_count()).flat_map(|face| fan(self.face(face)))
    }

    /// The surface as a mesh over the same vertices.
    ///
    /// ```
    /// # use impinge::{Polytope, Vec3};
    /// let mesh = Polytope::cuboid(Vec3::ONE)?.to_mesh();
    /// assert_eq!(mesh.triangles().len(), 12);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn to_mesh(&self) -> TriMesh {
        TriMesh::new(self.vertices.clone(), self.triangles().collect())
            .expect("a polytope has finite vertices, and triangles that name them")
    }
}

/// The entries of one row in arrays that `starts` cuts into rows.
fn range(starts: &[u32], row: usize) -> std::ops::Range<usize> {
    starts[row] as usize..starts[row + 1] as usize
}

/// The triangles of a convex polygon that share its first corner.
fn fan(polygon: &[u32]) -> impl Iterator<Item = [u32; 3]> + Clone + '_ {
    polygon[1..].windows(2).map(|ab| [polygon[0], ab[0], ab[1]])
}
