//! Reports for programs, and the names of objects for people.

use impinge::io::Note;
use impinge::repair::{Action, Convexity, Facts, Finding, Report, Search, Site};
use impinge::shape::PolyMesh;
use serde_json::{Value, json};
use std::path::Path;

/// Objects with what to call them: the file alone when there is one object, else with its number and name.
pub(crate) fn labelled<'a>(
    path: &'a Path,
    meshes: &'a [PolyMesh],
) -> impl Iterator<Item = (String, &'a PolyMesh)> {
    meshes.iter().enumerate().map(move |(i, mesh)| {
        let file = path.display();
        let label = match (meshes.len(), mesh.name()) {
            (1, _) => format!("{file}"),
            (_, "") => format!("{file}, object {i}"),
            (_, name) => format!("{file}, object {i} \"{name}\""),
        };
        (label, mesh)
    })
}

pub(crate) fn notes_to_json(notes: &[Note]) -> Value {
    notes.iter().map(|note| json!(note.to_string())).collect()
}

/// A report; numbers out of the range of floats are null.
pub(crate) fn to_json(name: &str, report: &Report) -> Value {
    let mut object = json!({
        "name": name,
        "clean": report.is_clean(),
        "facts": facts_to_json(&report.facts),
        "findings": report.findings.iter().map(finding_to_json).collect::<Vec<_>>(),
    });
    if let Some(result) = &report.result {
        let changes = report.changes.iter();
        object["changes"] = changes
            .map(|change| json!({"kind": change.name(), "count": change.count()}))
            .collect();
        object["result"] = facts_to_json(result);
    }
    object
}

fn facts_to_json(facts: &Facts) -> Value {
    let (convex, concavity) = match facts.convexity {
        Convexity::Convex => (Some(true), None),
        Convexity::NotConvex { depth } => (Some(false), depth),
        Convexity::Undecided => (None, None),
    };
    json!({
        "vertices": facts.vertices,
        "faces": facts.faces,
        "triangles": facts.triangles,
        "edges": facts.edges,
        "boundary_edges": facts.boundary_edges,
        "components": facts.components,
        "euler_characteristic": facts.euler_characteristic,
        "closed": facts.closed,
        "balanced": facts.balanced,
        "convex": convex,
        "concavity": concavity,
        "genus": facts.genus,
        "bounds": facts.bounds.map(|b| [b.min().to_array(), b.max().to_array()]),
        "volume": facts.volume,
        "area": facts.area,
        "edge_lengths": facts.edge_lengths,
        "search_complete": facts.search == Search::Complete,
    })
}

fn finding_to_json(finding: &Finding) -> Value {
    let mut object = json!({
        "kind": finding.kind.name(),
        "note": finding.kind.is_note(),
        "count": finding.count,
        "places": sites_to_json(&finding.sites),
        "worst": finding.worst,
    });
    match &finding.action {
        Action::Found => {}
        Action::Mended => object["action"] = json!("mended"),
        Action::Left { count, sites, why } => {
            object["action"] = json!("left");
            object["left"] = json!({"count": count, "places": sites_to_json(sites), "why": why});
        }
    }
    object
}

fn sites_to_json(sites: &[Site]) -> Value {
    sites
        .iter()
        .map(|site| match *site {
            Site::Vertex(vertex) => json!({"vertex": vertex}),
            Site::Repeat { vertex, of } => json!({"vertex": vertex, "repeats": of}),
            Site::Edge(edge) => json!({"edge": edge}),
            Site::Face(face) => json!({"face": face}),
            Site::Faces(faces) => json!({"faces": faces}),
            Site::Loop { edge, length } => json!({"edge": edge, "length": length}),
            Site::Component { face, faces } => json!({"face": face, "count": faces}),
        })
        .collect()
}
