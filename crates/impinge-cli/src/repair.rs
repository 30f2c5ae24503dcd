//! `impinge repair`: mend a model.

use crate::inspect::Inspection;
use crate::report::{self, labelled};
use impinge::Error;
use impinge::io::{self as files, Model};
use impinge::repair::{RepairOptions, Report, repair};
use impinge::shape::PolyMesh;
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Mend what can be mended safely, and say what was found, done and left
///
/// Merges equal vertices, drops faces that repeat others or have no area, cuts faces that are not planar or not convex,
/// turns faces so that they agree and closed parts face outward, and drops vertices that no face uses. The surface stays
/// the same set of points. Holes, edges of more than two faces, self-intersections and the like are named and left.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The model to mend
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Where to write it, in the format of the extension: obj, stl, ply or off
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Merge vertices within this distance, too; this moves them
    #[arg(long, value_name = "DISTANCE", default_value_t = 0.0)]
    weld: f64,
    /// Merge coplanar faces into convex polygons, and drop vertices inside flat parts and on straight edges
    #[arg(long)]
    merge_coplanar: bool,
    /// Leave planar faces whole that are not convex
    #[arg(long)]
    keep_non_convex: bool,
    #[command(flatten)]
    inspection: Inspection,
    /// Print a JSON object instead of sentences
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  impinge repair part.stl mended.obj
  impinge repair --weld 1e-5 scan.ply scan-welded.ply
  impinge repair --merge-coplanar part.stl part-polygons.off";

/// Mends all objects of the input and writes them together.
pub(crate) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let mended = files::read(&arguments.input).and_then(|model| {
        let (meshes, reports) = mend(&model, &arguments.options())?;
        Ok((model, meshes, reports))
    });
    let (model, meshes, reports) = match mended {
        Ok(mended) => mended,
        Err(error) => {
            eprintln!("{error}");
            return Ok(ExitCode::FAILURE);
        }
    };
    if arguments.json {
        writeln!(out, "{}", to_json(arguments, &model, &reports))?;
    } else {
        print(&mut out, &arguments.input, &model, &reports)?;
    }
    match write(&arguments.output, meshes) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error) => {
            eprintln!("{error}");
            Ok(ExitCode::FAILURE)
        }
    }
}

impl Arguments {
    fn options(&self) -> RepairOptions {
        RepairOptions {
            inspect: self.inspection.options(),
            weld_tolerance: self.weld,
            split_non_convex: !self.keep_non_convex,
            merge_coplanar: self.merge_coplanar,
        }
    }
}

fn mend(model: &Model, options: &RepairOptions) -> Result<(Vec<PolyMesh>, Vec<Report>), Error> {
    let mended = model.meshes().iter().map(|mesh| repair(mesh, options));
    let mended: Vec<(PolyMesh, Report)> = mended.collect::<Result<_, Error>>()?;
    Ok(mended.into_iter().unzip())
}

/// Writes the objects of which something is left.
fn write(path: &Path, mut meshes: Vec<PolyMesh>) -> Result<(), Error> {
    meshes.retain(|mesh| mesh.face_count() > 0);
    if meshes.is_empty() {
        return Err(Error::in_file(
            path,
            impinge::error::Place::Whole,
            "not written, as no face is left",
        ));
    }
    files::write(path, &Model::new(meshes))
}

fn print(out: &mut impl Write, path: &Path, model: &Model, reports: &[Report]) -> io::Result<()> {
    for note in model.notes() {
        writeln!(out, "{}: {note}", path.display())?;
    }
    for ((label, _), report) in labelled(path, model.meshes()).zip(reports) {
        write!(out, "{label}: {report}")?;
    }
    Ok(())
}

fn to_json(arguments: &Arguments, model: &Model, reports: &[Report]) -> serde_json::Value {
    let objects = model
        .meshes()
        .iter()
        .zip(reports)
        .map(|(mesh, report)| report::to_json(mesh.name(), report));
    json!({
        "file": arguments.input.display().to_string(),
        "written": arguments.output.display().to_string(),
        "notes": report::notes_to_json(model.notes()),
        "objects": objects.collect::<Vec<_>>(),
    })
}
