//! Every tree of bounding volumes, both questions, on generated and given pairs of models.
//!
//! The kinds differ in their volumes only: the binary tree, its divisions, the traversals and the triangles are the
//! same. The default of the library, which is another tree, stands beside them. Times are those of the quickest of some
//! rounds over all poses of a scene; pairs of nodes and of triangles are counted. Every answer is compared with that of
//! the default.

mod measure;
mod page;
mod scenes;

use super::Outcome;
use super::plot::{Plot, Scale};
use super::table::Table;
use clap::Args;
use impinge::bvh::TreeKind;
use measure::{Entry, Rival, measure};
use scenes::{Scene, generated, of_models};
use std::path::PathBuf;

/// Every bounding volume, overlap and distance: time, pairs of nodes and triangles visited, memory, build time
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Triangles of each generated mesh
    #[arg(long, default_value_t = 4000)]
    triangles: u32,
    /// Poses of each scene
    #[arg(long, default_value_t = 10)]
    poses: u32,
    /// Rounds over all poses, of which the quickest counts
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Files of models, separated by commas; each two that follow each other are a pair
    #[arg(long, value_delimiter = ',')]
    models: Vec<PathBuf>,
}

/// A scene and what all rivals came to.
struct Row {
    scene: Scene,
    entries: Vec<Entry>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let Arguments {
        triangles,
        poses,
        rounds,
        models,
    } = arguments;
    if *triangles == 0 || *poses == 0 || *rounds == 0 || models.len() % 2 == 1 {
        return Err("at least one triangle, pose and round, and models in pairs are needed".into());
    }
    let mut scenes = generated(*triangles, *poses).map_err(|error| error.to_string())?;
    for pair in models.chunks_exact(2) {
        let found = of_models([&pair[0], &pair[1]], *poses);
        scenes.extend(found.map_err(|error| error.to_string())?);
    }
    let mut rows = Vec::new();
    for scene in scenes {
        let entries = Rival::all().map(|rival| measure(rival, &scene, *rounds));
        let entries = entries.collect::<Result<_, _>>()?;
        eprintln!("{}: done", scene.name);
        rows.push(Row { scene, entries });
    }
    let page = page::page(&rows, arguments);
    Ok(Outcome {
        name: "trees",
        table: table(&rows),
        plots: plots(&rows)?,
        remarks: page::verdicts(&rows),
        page: Some(page),
    })
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::with_words(
        "scene: tree",
        [
            "triangles",
            "build ms",
            "bytes a triangle",
            "overlap us",
            "overlap node pairs",
            "overlap triangle pairs",
            "distance us",
            "distance node pairs",
            "distance triangle pairs",
            "distance coherent us",
        ],
    );
    for Row { scene, entries } in rows {
        let triangles: usize = scene.meshes.iter().map(|mesh| mesh.triangles().len()).sum();
        for entry in entries {
            let word = format!("{}: {}", scene.name, entry.rival.name());
            let numbers = vec![
                triangles as f64,
                entry.build,
                entry.bytes,
                entry.overlap.micros,
                entry.overlap.node_pairs,
                entry.overlap.triangle_pairs,
                entry.distance.micros,
                entry.distance.node_pairs,
                entry.distance.triangle_pairs,
                entry.coherent,
            ];
            table.push_with(&word, numbers);
        }
    }
    table
}

/// What is drawn of an entry: the ending of the file, the title, the axis, the number.
type Shown = (&'static str, &'static str, &'static str, fn(&Entry) -> f64);

const SHOWN: [Shown; 4] = [
    (
        "spheres-nodes",
        "Overlap, nested spheres: pairs of nodes",
        "pairs of nodes",
        |entry| entry.overlap.node_pairs,
    ),
    (
        "spheres-overlap",
        "Overlap, nested spheres: time",
        "us",
        |entry| entry.overlap.micros,
    ),
    (
        "sheets-overlap",
        "Overlap, parallel sheets: time",
        "us",
        |entry| entry.overlap.micros,
    ),
    (
        "sheets-distance",
        "Distance, parallel sheets: time",
        "us",
        |entry| entry.distance.micros,
    ),
];

/// Close parallel surfaces: a curve for each rival over the gap.
fn plots(rows: &[Row]) -> Result<Vec<(&'static str, String)>, String> {
    let one = |(ending, title, y, number): &Shown| {
        let curve = |rival: Rival| {
            let own = rows.iter().filter_map(|row| {
                let (_, gap) = row.scene.gap.filter(|(kind, _)| ending.starts_with(kind))?;
                let entry = row.entries.iter().find(|entry| entry.rival == rival)?;
                Some((gap, number(entry)))
            });
            (rival.name().to_owned(), own.collect::<Vec<_>>())
        };
        let drawn = Rival::all().filter(|rival| is_drawn(*rival)).map(curve);
        let plot = Plot {
            title,
            x: "gap, of a sphere of radius 1 or a sheet of width 2",
            y,
            scale: Scale::Logarithmic,
            curves: drawn
                .filter(|(_, curve)| curve.iter().all(|point| point.1 > 0.0))
                .collect(),
        };
        Ok((*ending, plot.to_svg()?))
    };
    SHOWN.iter().map(one).collect()
}

/// Kinds that differ little from one that is drawn are left out.
fn is_drawn(rival: Rival) -> bool {
    let left_out = [
        TreeKind::ObbVertices,
        TreeKind::ObbHull,
        TreeKind::Kdop6,
        TreeKind::Kdop14,
        TreeKind::Pss,
    ];
    match rival {
        Rival::Default => true,
        Rival::Tree(kind) => !left_out.contains(&kind),
    }
}
