//! Finding: everything that is wrong with a mesh, and what it is like.
//!
//! Vertices of equal coordinates are taken as one throughout, so that a file which repeats the corners of every triangle
//! (STL has no other way) is judged by its surface. That they are repeated is a finding of its own. Faces with fewer than
//! three distinct corners are named, and then left out.
//!
//! Near-linear in the size of the mesh; the search for self-intersections dominates, at about a second for a million
//! triangles of ordinary shape, and has a limit.

use super::components::{self, Parts};
use super::convexity;
use super::duplicates::{self, Duplicates};
use super::edges::{Edges, EdgesAtVertices};
use super::faces::{Frame, Planarity, is_convex, planarity, spanning_corners};
use super::flat;
use super::intersections;
use super::measure;
use super::options::InspectOptions;
use super::orient::{self, Patch};
use super::report::{Action, Convexity, Defect, Facts, Finding, Report, Search, Site};
use super::surface::Surface;
use super::triangles::Triangles;
use super::weld;
use crate::exact::Sign;
use crate::math::Vec3;
use crate::shape::PolyMesh;

/// Says what a mesh is like and what is wrong with it, and changes nothing.
///
/// ```
/// # use impinge::{Vec3, repair::{self, Defect}, shape::PolyMesh};
/// // A tetrahedron without its last face.
/// let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
/// let mut mesh = PolyMesh::new("open", corners)?;
/// for face in [[0, 2, 1], [0, 1, 3], [1, 2, 3]] {
///     mesh.push_face(&face)?;
/// }
/// let report = repair::inspect(&mesh);
/// assert!(!report.facts.closed);
/// assert_eq!(report.count(Defect::Hole), 1);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn inspect(mesh: &PolyMesh) -> Report {
    inspect_with(mesh, &InspectOptions::default())
}

/// [`inspect`] with options.
pub fn inspect_with(mesh: &PolyMesh, options: &InspectOptions) -> Report {
    let representative = weld::representatives(mesh.vertices(), 0.0);
    let surface = Surface::new(mesh, &representative);
    let anatomy = Anatomy::new(&surface);
    let mut findings = Findings::new(options.sites);
    find_in_vertices(&anatomy, &representative, &mut findings);
    find_in_corners(mesh, &representative, &mut findings);
    find_in_faces(&anatomy, options.rounding, &mut findings);
    find_in_edges(&anatomy, &mut findings);
    find_in_orientation(&anatomy, &mut findings);
    find_in_components(&anatomy, &mut findings);
    let convexity = find_reflex_edges(&anatomy, &mut findings);
    let search = find_intersections(&anatomy, options.search_limit, &mut findings);
    Report {
        facts: facts(mesh, &anatomy, convexity, search),
        findings: findings.in_order(),
        changes: Vec::new(),
        result: None,
    }
}

/// A surface with everything that more than one step looks at.
struct Anatomy<'a> {
    surface: &'a Surface,
    edges: Edges,
    at_vertices: EdgesAtVertices,
    components: Parts,
    triangles: Triangles,
    duplicates: Duplicates,
    patches: Vec<Patch>,
    /// Ascending.
    non_manifold_vertices: Vec<u32>,
    frame: Frame,
}

impl Anatomy<'_> {
    fn new(surface: &Surface) -> Anatomy<'_> {
        let edges = Edges::new(surface);
        let at_vertices = EdgesAtVertices::new(&edges, surface.points.len());
        let triangles = Triangles::new(surface);
        Anatomy {
            components: Parts::connected(surface, &edges),
            duplicates: duplicates::find(surface),
            patches: orient::patches(surface, &edges, &triangles),
            non_manifold_vertices: components::non_manifold_vertices(surface, &edges, &at_vertices),
            frame: Frame::of_box(surface.bounds()),
            surface,
            edges,
            at_vertices,
            triangles,
        }
    }

    fn is_closed(&self) -> bool {
        self.edges.len() > 0 && self.edges.iter().all(|e| e.uses.len().is_multiple_of(2))
    }

    fn is_balanced(&self) -> bool {
        self.edges.len() > 0 && self.edges.iter().all(|e| e.is_balanced())
    }

    fn all_triangles(&self) -> impl Iterator<Item = [Vec3; 3]> + Clone {
        let all = 0..self.triangles.corners.len();
        all.map(|t| self.triangles.points(self.surface, t))
    }
}

/// Findings as they are made, with no more sites than wanted.
struct Findings {
    list: Vec<Finding>,
    most_sites: usize,
}

impl Findings {
    fn new(most_sites: usize) -> Findings {
        Findings {
            list: Vec::new(),
            most_sites,
        }
    }

    /// Adds a kind of defect, if there are any.
    fn add(&mut self, kind: Defect, sites: impl IntoIterator<Item = Site>) {
        self.add_measured(kind, sites, None);
    }

    fn add_measured(
        &mut self,
        kind: Defect,
        sites: impl IntoIterator<Item = Site>,
        worst: Option<f64>,
    ) {
        let mut sites = sites.into_iter();
        let first: Vec<Site> = sites.by_ref().take(self.most_sites).collect();
        let count = first.len() + sites.count();
        if count > 0 {
            self.list.push(Finding {
                kind,
                count,
                sites: first,
                worst,
                action: Action::Found,
            });
        }
    }

    fn in_order(mut self) -> Vec<Finding> {
        self.list.sort_by_key(|finding| finding.kind);
        self.list
    }
}

fn find_in_vertices(anatomy: &Anatomy<'_>, representative: &[u32], findings: &mut Findings) {
    let repeats = (0..).zip(representative).filter(|(v, of)| v != *of);
    findings.add(
        Defect::DuplicateVertex,
        repeats.map(|(vertex, of)| Site::Repeat { vertex, of: *of }),
    );
    let used = anatomy.surface.used();
    // A vertex that repeats another is as used as the other.
    let unused = (0..)
        .zip(representative)
        .filter(|(_, of)| !used[**of as usize]);
    findings.add(Defect::UnusedVertex, unused.map(|(v, _)| Site::Vertex(v)));
    findings.add(
        Defect::NonManifoldVertex,
        anatomy
            .non_manifold_vertices
            .iter()
            .map(|v| Site::Vertex(*v)),
    );
    let extraneous = flat::extraneous_vertices(
        anatomy.surface,
        &anatomy.edges,
        &anatomy.at_vertices,
        &anatomy.non_manifold_vertices,
    );
    findings.add(
        Defect::FlatVertex,
        extraneous.flat.into_iter().map(Site::Vertex),
    );
    findings.add(
        Defect::StraightVertex,
        extraneous.straight.into_iter().map(Site::Vertex),
    );
}

/// What is wrong with faces before they are tidied.
fn find_in_corners(mesh: &PolyMesh, representative: &[u32], findings: &mut Findings) {
    let (mut repeated, mut flat) = (Vec::new(), Vec::new());
    let mut corners: Vec<u32> = Vec::new();
    for (face, given) in (0..).zip(mesh.faces()) {
        corners.clear();
        corners.extend(given.iter().map(|v| representative[*v as usize]));
        let points: Vec<Vec3> = corners
            .iter()
            .map(|v| mesh.vertices()[*v as usize])
            .collect();
        if spanning_corners(&points).is_none() {
            flat.push(Site::Face(face));
        }
        corners.sort_unstable();
        if corners.windows(2).any(|pair| pair[0] == pair[1]) {
            repeated.push(Site::Face(face));
        }
    }
    findings.add(Defect::RepeatedCorner, repeated);
    findings.add(Defect::ZeroAreaFace, flat);
}

fn find_in_faces(anatomy: &Anatomy<'_>, rounding: f64, findings: &mut Findings) {
    let (mut off, mut rounded, mut non_convex, mut crossing) = (vec![], vec![], vec![], vec![]);
    let mut worst: f64 = 0.0;
    for (face, corners) in (0..).zip(&anatomy.surface.faces) {
        if corners.len() < 4 {
            continue;
        }
        let points: Vec<Vec3> = corners.iter().map(|v| anatomy.surface.point(*v)).collect();
        if spanning_corners(&points).is_none() {
            continue;
        }
        match planarity(&points, rounding) {
            Planarity::Planar => {}
            Planarity::Rounded => rounded.push(Site::Face(face)),
            Planarity::Off { by } => {
                off.push(Site::Face(face));
                worst = worst.max(by);
            }
        }
        if anatomy.triangles.crossing.binary_search(&face).is_ok() {
            crossing.push(Site::Face(face));
        } else if !is_convex(&points) {
            non_convex.push(Site::Face(face));
        }
    }
    findings.add(Defect::RoundedFace, rounded);
    findings.add_measured(Defect::NonPlanarFace, off, Some(worst));
    findings.add(Defect::NonConvexFace, non_convex);
    findings.add(Defect::CrossingFace, crossing);
    let faces = |pairs: &[[u32; 2]]| -> Vec<Site> {
        pairs
            .iter()
            .map(|[later, first]| Site::Faces([*first, *later]))
            .collect()
    };
    findings.add(Defect::DuplicateFace, faces(&anatomy.duplicates.same));
    findings.add(Defect::OppositeFace, faces(&anatomy.duplicates.opposite));
}

fn find_in_edges(anatomy: &Anatomy<'_>, findings: &mut Findings) {
    let chains = components::boundary_chains(&anatomy.edges, &anatomy.at_vertices);
    findings.add(
        Defect::Hole,
        chains.iter().map(|chain| Site::Loop {
            edge: chain.edge,
            length: chain.length,
        }),
    );
    let crowded = anatomy.edges.iter().filter(|e| e.is_non_manifold());
    findings.add(Defect::NonManifoldEdge, crowded.map(|e| Site::Edge(e.ends)));
    let against = anatomy
        .edges
        .iter()
        .filter(|e| e.pair().is_some_and(|(_, agree)| !agree));
    findings.add(
        Defect::InconsistentEdge,
        against.map(|e| Site::Edge(e.ends)),
    );
}

fn find_in_orientation(anatomy: &Anatomy<'_>, findings: &mut Findings) {
    let component = |patch: &Patch| Site::Component {
        face: patch.faces[0],
        faces: patch.faces.len(),
    };
    let (inverted, mixed): (Vec<&Patch>, Vec<&Patch>) = anatomy
        .patches
        .iter()
        .partition(|patch| patch.is_inverted());
    let mut backfacing: Vec<u32> = mixed
        .iter()
        .flat_map(|patch| &patch.flips)
        .copied()
        .collect();
    backfacing.sort_unstable();
    findings.add(
        Defect::BackfacingFace,
        backfacing.into_iter().map(Site::Face),
    );
    findings.add(
        Defect::InvertedComponent,
        inverted.into_iter().map(component),
    );
    let one_sided = anatomy.patches.iter().filter(|patch| !patch.is_orientable);
    findings.add(Defect::NonOrientableComponent, one_sided.map(component));
}

fn find_in_components(anatomy: &Anatomy<'_>, findings: &mut Findings) {
    let components = &anatomy.components.members;
    if components.len() < 2 {
        return;
    }
    findings.add(
        Defect::SeparateComponent,
        components.iter().map(|faces| Site::Component {
            face: faces[0],
            faces: faces.len(),
        }),
    );
    let isolated = components.iter().filter(|faces| faces.len() == 1);
    findings.add(
        Defect::IsolatedFace,
        isolated.map(|faces| Site::Face(faces[0])),
    );
}

fn find_reflex_edges(anatomy: &Anatomy<'_>, findings: &mut Findings) -> Convexity {
    let mut convexity = Convexity::NotConvex { depth: None };
    if anatomy.is_balanced() && anatomy.components.members.len() == 1 {
        let facing = measure::volume_sign(anatomy.all_triangles(), &anatomy.frame);
        if facing != Sign::Zero {
            let outcome =
                convexity::check(anatomy.surface, &anatomy.triangles, &anatomy.frame, facing);
            convexity = outcome.convexity;
            let worst = match convexity {
                Convexity::NotConvex { depth } => depth,
                Convexity::Convex | Convexity::Undecided => None,
            };
            let reflex = outcome.reflex.into_iter().map(Site::Edge);
            findings.add_measured(Defect::ReflexEdge, reflex, worst);
        }
    }
    convexity
}

fn find_intersections(anatomy: &Anatomy<'_>, limit: u64, findings: &mut Findings) -> Search {
    let crossings = intersections::find(
        anatomy.surface,
        &anatomy.triangles,
        &anatomy.duplicates,
        limit,
    );
    findings.add(
        Defect::SelfIntersection,
        crossings.pairs.into_iter().map(Site::Faces),
    );
    crossings.search
}

fn facts(mesh: &PolyMesh, anatomy: &Anatomy<'_>, convexity: Convexity, search: Search) -> Facts {
    let vertices = anatomy.surface.used().iter().filter(|used| **used).count();
    let faces = anatomy.surface.live_faces().count();
    let euler = vertices as i64 - anatomy.edges.len() as i64 + faces as i64;
    let components = anatomy.components.members.len();
    let is_manifold =
        anatomy.edges.iter().all(|e| e.uses.len() == 2) && anatomy.non_manifold_vertices.is_empty();
    let has_genus = is_manifold && anatomy.patches.iter().all(|patch| patch.is_orientable);
    let balanced = anatomy.is_balanced();
    Facts {
        vertices: mesh.vertices().len(),
        faces: mesh.face_count(),
        triangles: anatomy.triangles.corners.len(),
        edges: anatomy.edges.len(),
        boundary_edges: anatomy.edges.iter().filter(|e| e.is_boundary()).count(),
        components,
        euler_characteristic: euler,
        closed: anatomy.is_closed(),
        balanced,
        convexity,
        // Each component has the characteristic 2 - 2 * genus.
        genus: has_genus.then_some((2 * components as i64 - euler).unsigned_abs() / 2),
        bounds: anatomy.surface.bounds(),
        volume: balanced.then(|| measure::volume(anatomy.all_triangles(), &anatomy.frame)),
        area: measure::area(anatomy.all_triangles(), &anatomy.frame),
        edge_lengths: measure::edge_lengths(anatomy.surface, &anatomy.edges, &anatomy.frame),
        search,
    }
}
