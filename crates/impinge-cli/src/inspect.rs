//! `impinge inspect`: what is wrong with models.

use crate::report::{self, labelled};
use impinge::io::{self as files, Model};
use impinge::repair::{InspectOptions, inspect_with};
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Say what models are like and what is wrong with them
///
/// Reads OBJ, STL, PLY, OFF, GLB and glTF. For every object: whether it is closed, convex and clean, its measures, and
/// each kind of defect with its number and first places. Vertices and faces are counted from 0.
///
/// Exit code 0 when all files could be read, whatever was found in them; 1 when some could not.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The model files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    inspection: Inspection,
    /// Print one JSON object a file and line instead of sentences
    #[arg(long)]
    json: bool,
}

/// How to look.
#[derive(Debug, clap::Args)]
pub(crate) struct Inspection {
    /// How many places of each kind of defect to name
    #[arg(long, value_name = "N", default_value_t = InspectOptions::default().sites)]
    places: usize,
    /// How far off its plane a face may be, relative to its largest coordinate, to be called off by rounding only
    /// [default: 1.8e-15, the rounding of double precision; 1e-6 suits coordinates with six digits]
    #[arg(long, value_name = "X")]
    rounding: Option<f64>,
}

const EXAMPLES: &str = "\
Examples:
  impinge inspect part.stl
  impinge inspect --places 20 *.obj
  impinge inspect --json part.stl | jq '.objects[].findings'";

impl Inspection {
    pub(crate) fn options(&self) -> InspectOptions {
        let default = InspectOptions::default();
        InspectOptions {
            sites: self.places,
            rounding: self.rounding.unwrap_or(default.rounding),
            ..default
        }
    }
}

/// Reports on each file in turn.
pub(crate) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let options = arguments.inspection.options();
    let mut exit_code = ExitCode::SUCCESS;
    for path in &arguments.files {
        match files::read(path) {
            Ok(model) if arguments.json => {
                writeln!(out, "{}", to_json(path, &model, &options))?;
            }
            Ok(model) => print(&mut out, path, &model, &options)?,
            Err(error) => {
                eprintln!("{error}");
                if arguments.json {
                    let file = path.display().to_string();
                    writeln!(out, "{}", json!({"file": file, "error": error.to_string()}))?;
                }
                exit_code = ExitCode::FAILURE;
            }
        }
    }
    Ok(exit_code)
}

fn print(
    out: &mut impl Write,
    path: &Path,
    model: &Model,
    options: &InspectOptions,
) -> io::Result<()> {
    for note in model.notes() {
        writeln!(out, "{}: {note}", path.display())?;
    }
    if model.meshes().is_empty() {
        writeln!(out, "{}: no vertices", path.display())?;
    }
    for (label, mesh) in labelled(path, model.meshes()) {
        write!(out, "{label}: {}", inspect_with(mesh, options))?;
    }
    Ok(())
}

fn to_json(path: &Path, model: &Model, options: &InspectOptions) -> serde_json::Value {
    let objects = model
        .meshes()
        .iter()
        .map(|mesh| report::to_json(mesh.name(), &inspect_with(mesh, options)));
    json!({
        "file": path.display().to_string(),
        "notes": report::notes_to_json(model.notes()),
        "objects": objects.collect::<Vec<_>>(),
    })
}
