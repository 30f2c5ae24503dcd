//! Mending: what is safe to mend, in an order in which each step leaves nothing for those before it.
//!
//! 1. **Weld.** Everything else goes by which corners are the same vertex.
//! 2. **Tidy** faces: drop corners visited twice in a row, whiskers, faces that collapse. Part of taking the mesh apart.
//! 3. **Drop duplicates**, which would count as third faces of edges. Before faces are cut, since equal polygons may be
//!    cut in different ways.
//! 4. **Split** faces that are not planar or not convex: from here on a face is a set of points. Before they get more
//!    corners in step 5, which would change how they are cut.
//! 5. **Drop zero area.** The neighbours close up over the gap, and get more corners by that. What this and the cuts
//!    brought to light goes by steps 3 to 5 again; at the end, triangles that got more corners are cut into triangles.
//! 6. **Orient**, along edges of two faces, of which there are now as many as there will be.
//! 7. **Merge coplanar** faces, if wanted: which way a face is turned decides whether it continues its neighbour. Where that changed
//!    who meets along an edge, orient again.
//! 8. **Drop vertices** that no face uses.
//!
//! With a weld tolerance of 0 the union of the faces stays the same set of points, except that what had no area may go.
//! Holes, edges of many faces, self-intersections and the like have no mend that is right for every mesh: they are left,
//! and the report says where and why.

use super::duplicates;
use super::edges::Edges;
use super::inspect::inspect_with;
use super::merge;
use super::options::RepairOptions;
use super::orient;
use super::report::{Action, Change, Defect, Finding, Report};
use super::split::{self, Wanted};
use super::surface::Surface;
use super::triangles::Triangles;
use super::weld;
use super::zip;
use crate::error::Error;
use crate::shape::PolyMesh;
use std::collections::BTreeSet;

/// Mends what can be mended safely, and says what was found, done and left.
///
/// Fails when an option is not a number that makes sense.
///
/// ```
/// # use impinge::{Vec3, repair::{self, Defect, RepairOptions}, shape::PolyMesh};
/// // A tetrahedron with its last face turned the wrong way.
/// let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
/// let mut mesh = PolyMesh::new("mixed", corners)?;
/// for face in [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 2, 3]] {
///     mesh.push_face(&face)?;
/// }
/// let (mended, report) = repair::repair(&mesh, &RepairOptions::default())?;
/// assert_eq!(report.count(Defect::BackfacingFace), 1);
/// assert!(repair::inspect(&mended).is_clean());
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn repair(mesh: &PolyMesh, options: &RepairOptions) -> Result<(PolyMesh, Report), Error> {
    options.require_valid()?;
    let mut report = inspect_with(mesh, &options.inspect);
    let mended = mend(mesh, options, &mut report.changes)?;
    let after = inspect_with(&mended, &options.inspect);
    fill_in_actions(&mut report, after, options);
    Ok((mended, report))
}

fn mend(
    mesh: &PolyMesh,
    options: &RepairOptions,
    changes: &mut Vec<Change>,
) -> Result<PolyMesh, Error> {
    let mut note = |change: Change| {
        if change.count() > 0 {
            changes.push(change);
        }
    };
    let representative = weld::representatives(mesh.vertices(), options.weld_tolerance);
    let merged = (0..).zip(&representative).filter(|(v, of)| v != *of);
    let merged = merged.count();
    note(Change::MergedVertices(merged));
    let mut surface = Surface::new(mesh, &representative);
    let (cleaned, collapsed) = count_tidied(mesh, &surface);
    note(Change::CleanedFaces(cleaned));
    let settled = settle_faces(&mut surface, options);
    note(Change::DroppedDuplicates(settled.duplicates));
    note(Change::SplitFaces(settled.split));
    note(Change::DroppedFlatFaces(collapsed + settled.flat));
    let flipped = orient_faces(&mut surface);
    if options.merge_coplanar {
        let merged = merge_faces(&mut surface);
        note(Change::FlippedFaces(flipped + merged.flipped));
        note(Change::MergedFaces(merged.merged));
        note(Change::DroppedDuplicates(merged.duplicates));
    } else {
        note(Change::FlippedFaces(flipped));
    }
    let mended = surface.to_mesh(mesh.name())?;
    let dropped = mesh.vertices().len() - merged - mended.vertices().len();
    note(Change::DroppedVertices(dropped));
    Ok(mended)
}

/// How many faces lost corners when they were tidied, and how many were lost altogether.
fn count_tidied(mesh: &PolyMesh, surface: &Surface) -> (usize, usize) {
    let (mut cleaned, mut collapsed) = (0, 0);
    for (given, kept) in mesh.faces().zip(&surface.faces) {
        if kept.is_empty() {
            collapsed += 1;
        } else if kept.len() < given.len() {
            cleaned += 1;
        }
    }
    (cleaned, collapsed)
}

/// How many faces steps 3 to 5 concerned.
#[derive(Default)]
struct Settled {
    flat: usize,
    duplicates: usize,
    split: usize,
}

/// Steps 3 to 5: from here on the faces are distinct, have area, and say which points they are.
fn settle_faces(surface: &mut Surface, options: &RepairOptions) -> Settled {
    let wanted = Wanted {
        rounding: options.inspect.rounding,
        non_convex: options.split_non_convex,
    };
    let mut settled = Settled::default();
    let mut grown = BTreeSet::new();
    // Ends, since every round but the last cuts a polygon or drops a face without area. The only polygons that come to
    // be, grown triangles, need no cut.
    loop {
        settled.duplicates += duplicates::drop_duplicates(surface);
        let split = split::split_faces(surface, wanted);
        let zipped = zip::drop_zero_area(surface);
        settled.split += split;
        settled.flat += zipped.dropped;
        grown.extend(zipped.grown);
        if split == 0 && zipped.dropped == 0 {
            break;
        }
    }
    split::split_back(surface, &grown);
    settled
}

/// How many faces step 7 concerned.
#[derive(Default)]
struct Merged {
    merged: usize,
    duplicates: usize,
    flipped: usize,
}

/// Step 7. Sheets that were cut in different ways may be the same once they are merged. Edges of many faces then have fewer, so
/// faces that had nothing to say to each other have to agree; and those that are turned around may continue their neighbours.
fn merge_faces(surface: &mut Surface) -> Merged {
    let mut all = Merged::default();
    // Ends, since every round but the last turns faces around, which it need not unless there are fewer than before.
    loop {
        let merged = merge::merge_coplanar(surface);
        let duplicates = duplicates::drop_duplicates(surface);
        let is_changed = merged + duplicates > 0;
        let flipped = if is_changed { orient_faces(surface) } else { 0 };
        all.merged += merged;
        all.duplicates += duplicates;
        all.flipped += flipped;
        if flipped == 0 {
            return all;
        }
    }
}

/// Turns faces around so that they agree, and closed patches outward; returns how many.
fn orient_faces(surface: &mut Surface) -> usize {
    let patches = orient::patches(surface, &Edges::new(surface), &Triangles::new(surface));
    let flips = patches.iter().flat_map(|patch| &patch.flips);
    let mut count = 0;
    for face in flips {
        surface.faces[*face as usize].reverse();
        count += 1;
    }
    count
}

/// Fills in what became of each finding, by what an inspection of the result found.
fn fill_in_actions(report: &mut Report, after: Report, options: &RepairOptions) {
    for finding in &mut report.findings {
        finding.action = Action::Mended;
    }
    for left in after.findings {
        let action = Action::Left {
            count: left.count,
            sites: left.sites,
            why: why_left(left.kind, options),
        };
        match report.findings.iter_mut().find(|f| f.kind == left.kind) {
            Some(finding) => finding.action = action,
            None => report.findings.push(Finding {
                kind: left.kind,
                count: 0,
                sites: Vec::new(),
                worst: left.worst,
                action,
            }),
        }
    }
    report.findings.sort_by_key(|finding| finding.kind);
    report.result = Some(after.facts);
}

/// Why mending may leave defects of a kind.
fn why_left(kind: Defect, options: &RepairOptions) -> &'static str {
    match kind {
        Defect::FlatVertex | Defect::StraightVertex if !options.merge_coplanar => {
            "merging coplanar faces was not asked for"
        }
        Defect::FlatVertex | Defect::StraightVertex => "the flat part is not convex",
        Defect::RepeatedCorner => "it may be a bridge from an outline to a hole in it",
        Defect::ZeroAreaFace => "it has too many corners",
        Defect::DuplicateFace | Defect::OppositeFace => "dropping one would open the surface",
        Defect::RoundedFace => "floats do not get closer",
        Defect::NonPlanarFace => "the outline crosses itself",
        Defect::NonConvexFace => "cutting faces that are not convex was not asked for",
        Defect::CrossingFace => "there is no telling which area was meant",
        Defect::Hole => "there is no telling what belongs there",
        Defect::NonManifoldEdge => "there is no telling which faces belong together",
        Defect::NonManifoldVertex => "the parts may be meant to touch",
        Defect::InconsistentEdge | Defect::NonOrientableComponent => {
            "the surface has only one side"
        }
        Defect::SeparateComponent => "several parts may be meant",
        Defect::IsolatedFace => "there is no telling what it belongs to",
        Defect::ReflexEdge => "that is the shape",
        Defect::SelfIntersection => "every mend would change the shape",
        Defect::DuplicateVertex
        | Defect::UnusedVertex
        | Defect::BackfacingFace
        | Defect::InvertedComponent => "mending failed here, which is a mistake of this program",
    }
}
