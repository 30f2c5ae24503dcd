//! What was found, what was done about it, what was left and why.
//!
//! Everything is in plain public fields, for programs; the sentences for people are in `sentences`. Counts are always
//! complete; sites are the first few of each kind, in ascending order.

use crate::math::Aabb;

/// The outcome of [`inspect`](super::inspect()) or [`repair`](super::repair).
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// What the mesh is like, as it came.
    pub facts: Facts,
    /// What is wrong or remarkable, at most one entry a kind, in the order of [`Defect`].
    pub findings: Vec<Finding>,
    /// What was done, in the order it was done; empty after an inspection.
    pub changes: Vec<Change>,
    /// What the mended mesh is like; `None` after an inspection.
    pub result: Option<Facts>,
}

impl Report {
    /// The finding of a kind, if there is one.
    pub fn finding(&self, kind: Defect) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.kind == kind)
    }

    /// How many defects of a kind there are.
    pub fn count(&self, kind: Defect) -> usize {
        self.finding(kind).map_or(0, |finding| finding.count)
    }

    /// Whether nothing was found that is a defect. What is merely remarkable (see [`Defect::is_note`]) does not count.
    pub fn is_clean(&self) -> bool {
        self.findings.iter().all(|finding| finding.kind.is_note())
    }
}

/// What a mesh is like. Vertices of equal coordinates count as one for everything but `vertices`, and faces with fewer
/// than three distinct corners only for `faces`.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// Vertices, as given.
    pub vertices: usize,
    /// Faces, as given.
    pub faces: usize,
    /// Triangles, once polygons are cut.
    pub triangles: usize,
    /// Edges between distinct vertices.
    pub edges: usize,
    /// Edges of one face only.
    pub boundary_edges: usize,
    /// Sets of faces that hang together by edges.
    pub components: usize,
    /// Vertices in use minus edges plus faces.
    pub euler_characteristic: i64,
    /// Whether no edge has an odd number of faces, and there are faces.
    pub closed: bool,
    /// Whether every edge is walked equally often in both directions: closed, and oriented throughout.
    pub balanced: bool,
    /// Whether the mesh is the surface of a convex set.
    pub convexity: Convexity,
    /// The number of handles, over all components; for closed manifold meshes that can be oriented.
    pub genus: Option<u64>,
    /// The box around all vertices in use.
    pub bounds: Option<Aabb>,
    /// The enclosed volume, rounded; where `balanced`.
    pub volume: Option<f64>,
    /// The total area, rounded.
    pub area: f64,
    /// The shortest and the longest edge, rounded.
    pub edge_lengths: Option<[f64; 2]>,
    /// How much of the search for self-intersections was done.
    pub search: Search,
}

/// Whether a mesh is the surface of a convex set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Convexity {
    /// It is, exactly.
    Convex,
    /// It is not.
    NotConvex {
        /// How far the deepest reflex edge is from being flat, relative to the size of the mesh; `None` when the mesh
        /// is not convex for another reason: open, in several components, or wound around itself.
        depth: Option<f64>,
    },
    /// No edge is reflex, but faces of zero area hide some: dropping them would tell.
    Undecided,
}

/// How much of the search for self-intersections was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// All of it.
    Complete,
    /// It stopped when the work limit was reached: there may be more than was found.
    Stopped {
        /// How many pairs of triangles were tested until then.
        tested: u64,
    },
}

/// One kind of defect, with its sites.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// What it is.
    pub kind: Defect,
    /// How many there are.
    pub count: usize,
    /// The first of them. Ids are those of the mesh as it came.
    pub sites: Vec<Site>,
    /// How bad the worst is, where that is a matter of degree: the distance from flat, relative to the size of the mesh.
    pub worst: Option<f64>,
    /// What was done about it.
    pub action: Action,
}

/// What was done about a finding.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Nothing: the mesh was only inspected.
    Found,
    /// None of the kind is left.
    Mended,
    /// Some or all are left.
    Left {
        /// How many the result has.
        count: usize,
        /// The first of them. Ids are those of the result.
        sites: Vec<Site>,
        /// Why they were not mended.
        why: &'static str,
    },
}

/// Where in a mesh something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Site {
    /// A vertex.
    Vertex(u32),
    /// A vertex, and an earlier one that it repeats.
    Repeat {
        /// The later one.
        vertex: u32,
        /// The earlier one.
        of: u32,
    },
    /// An edge, by its two vertices.
    Edge([u32; 2]),
    /// A face.
    Face(u32),
    /// Two faces.
    Faces([u32; 2]),
    /// A chain of boundary edges.
    Loop {
        /// Its first edge.
        edge: [u32; 2],
        /// How many edges it has.
        length: usize,
    },
    /// Faces that hang together.
    Component {
        /// The first of them.
        face: u32,
        /// How many there are.
        faces: usize,
    },
}

/// A kind of defect, or of remarkable thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Defect {
    /// A vertex with the coordinates of an earlier one.
    DuplicateVertex,
    /// A vertex that no face uses.
    UnusedVertex,
    /// A vertex inside a flat part of the surface: extraneous.
    FlatVertex,
    /// A vertex on a straight edge: extraneous.
    StraightVertex,
    /// A face that visits a vertex more than once.
    RepeatedCorner,
    /// A face whose corners are all on one line.
    ZeroAreaFace,
    /// A face with the same corners in the same order as an earlier one.
    DuplicateFace,
    /// A face with the same corners in the opposite order as an earlier one.
    OppositeFace,
    /// A face off its plane by no more than the rounding of its corners.
    RoundedFace,
    /// A face that is not planar.
    NonPlanarFace,
    /// A face that is not convex.
    NonConvexFace,
    /// A face whose outline crosses itself.
    CrossingFace,
    /// A chain of edges of one face only.
    Hole,
    /// An edge of more than two faces.
    NonManifoldEdge,
    /// A vertex around which faces form more than one fan.
    NonManifoldVertex,
    /// An edge that its two faces walk in the same direction.
    InconsistentEdge,
    /// A face oriented against most of its component.
    BackfacingFace,
    /// A closed component that is inside out, and not a cavity of another.
    InvertedComponent,
    /// A component that has no consistent orientation.
    NonOrientableComponent,
    /// A component, where there are several.
    SeparateComponent,
    /// A component of a single face, where there are several.
    IsolatedFace,
    /// An edge that keeps a closed mesh from being convex.
    ReflexEdge,
    /// Two faces that cross, overlap or touch beyond the vertices and edges they have in common.
    SelfIntersection,
}

impl Defect {
    /// All kinds, in the order of reports.
    pub const ALL: [Defect; 23] = [
        Defect::DuplicateVertex,
        Defect::UnusedVertex,
        Defect::FlatVertex,
        Defect::StraightVertex,
        Defect::RepeatedCorner,
        Defect::ZeroAreaFace,
        Defect::DuplicateFace,
        Defect::OppositeFace,
        Defect::RoundedFace,
        Defect::NonPlanarFace,
        Defect::NonConvexFace,
        Defect::CrossingFace,
        Defect::Hole,
        Defect::NonManifoldEdge,
        Defect::NonManifoldVertex,
        Defect::InconsistentEdge,
        Defect::BackfacingFace,
        Defect::InvertedComponent,
        Defect::NonOrientableComponent,
        Defect::SeparateComponent,
        Defect::IsolatedFace,
        Defect::ReflexEdge,
        Defect::SelfIntersection,
    ];

    /// Whether a mesh may have it and still be called clean: extraneous vertices, rounding, several components, and not
    /// being convex.
    pub fn is_note(self) -> bool {
        match self {
            Defect::FlatVertex
            | Defect::StraightVertex
            | Defect::RoundedFace
            | Defect::SeparateComponent
            | Defect::ReflexEdge => true,
            Defect::DuplicateVertex
            | Defect::UnusedVertex
            | Defect::RepeatedCorner
            | Defect::ZeroAreaFace
            | Defect::DuplicateFace
            | Defect::OppositeFace
            | Defect::NonPlanarFace
            | Defect::NonConvexFace
            | Defect::CrossingFace
            | Defect::Hole
            | Defect::NonManifoldEdge
            | Defect::NonManifoldVertex
            | Defect::InconsistentEdge
            | Defect::BackfacingFace
            | Defect::InvertedComponent
            | Defect::NonOrientableComponent
            | Defect::IsolatedFace
            | Defect::SelfIntersection => false,
        }
    }

    /// A short name for programs: `duplicate_vertex`.
    pub fn name(self) -> &'static str {
        match self {
            Defect::DuplicateVertex => "duplicate_vertex",
            Defect::UnusedVertex => "unused_vertex",
            Defect::FlatVertex => "flat_vertex",
            Defect::StraightVertex => "straight_vertex",
            Defect::RepeatedCorner => "repeated_corner",
            Defect::ZeroAreaFace => "zero_area_face",
            Defect::DuplicateFace => "duplicate_face",
            Defect::OppositeFace => "opposite_face",
            Defect::RoundedFace => "rounded_face",
            Defect::NonPlanarFace => "non_planar_face",
            Defect::NonConvexFace => "non_convex_face",
            Defect::CrossingFace => "crossing_face",
            Defect::Hole => "hole",
            Defect::NonManifoldEdge => "non_manifold_edge",
            Defect::NonManifoldVertex => "non_manifold_vertex",
            Defect::InconsistentEdge => "inconsistent_edge",
            Defect::BackfacingFace => "backfacing_face",
            Defect::InvertedComponent => "inverted_component",
            Defect::NonOrientableComponent => "non_orientable_component",
            Defect::SeparateComponent => "separate_component",
            Defect::IsolatedFace => "isolated_face",
            Defect::ReflexEdge => "reflex_edge",
            Defect::SelfIntersection => "self_intersection",
        }
    }
}

/// One step of mending that changed something, in the order of the steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Vertices were merged into others.
    MergedVertices(usize),
    /// Faces were rid of corners that they visit twice in a row, or of walking around more than once.
    CleanedFaces(usize),
    /// Faces that repeat another were dropped.
    DroppedDuplicates(usize),
    /// Faces were cut into triangles.
    SplitFaces(usize),
    /// Faces without area were dropped.
    DroppedFlatFaces(usize),
    /// Faces were turned around.
    FlippedFaces(usize),
    /// Faces were merged into coplanar neighbours: there are this many fewer.
    MergedFaces(usize),
    /// Vertices that no face uses any more were dropped.
    DroppedVertices(usize),
}

impl Change {
    /// How many vertices or faces it concerned.
    pub fn count(self) -> usize {
        match self {
            Change::MergedVertices(n)
            | Change::CleanedFaces(n)
            | Change::DroppedFlatFaces(n)
            | Change::DroppedDuplicates(n)
            | Change::SplitFaces(n)
            | Change::FlippedFaces(n)
            | Change::MergedFaces(n)
            | Change::DroppedVertices(n) => n,
        }
    }

    /// A short name for programs: `merged_vertices`.
    pub fn name(self) -> &'static str {
        match self {
            Change::MergedVertices(_) => "merged_vertices",
            Change::CleanedFaces(_) => "cleaned_faces",
            Change::DroppedFlatFaces(_) => "dropped_flat_faces",
            Change::DroppedDuplicates(_) => "dropped_duplicates",
            Change::SplitFaces(_) => "split_faces",
            Change::FlippedFaces(_) => "flipped_faces",
            Change::MergedFaces(_) => "merged_faces",
            Change::DroppedVertices(_) => "dropped_vertices",
        }
    }
}
