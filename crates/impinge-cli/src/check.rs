//! `impinge check`: do two models touch, and how far are they apart.

use crate::query::{Apart, FileKind, Models, pose};
use impinge::{Feature, Mat3, Pose, Separation, Shape, Vec3, query};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Say whether two models touch, or how far they are apart
///
/// Touching counts as intersecting, and the answer is exact: it is about the vertices as they are in the files, moved and
/// turned as given. Without --as, a closed mesh is taken with its inside, and any other as its triangles alone.
///
/// Exit code 0 when the question was answered, whatever the answer; 1 when a file could not be read or used.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The first model file
    #[arg(value_name = "A")]
    file_a: PathBuf,
    /// The second model file
    #[arg(value_name = "B")]
    file_b: PathBuf,
    /// What the files are taken as
    #[arg(long = "as", value_name = "KIND")]
    kind: Option<FileKind>,
    #[command(flatten)]
    place_a: PlaceA,
    #[command(flatten)]
    place_b: PlaceB,
    /// Print one JSON object instead of sentences
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = r#"Examples:
  impinge check peg.stl hole.stl
  impinge check a.obj b.obj --move-b 0,0,12.5
  impinge check a.obj b.obj --turn-b 0,0,1,90 --move-b 1,0,0   (turned about z, then moved)
  impinge check a.obj b.obj --pose-b '{"t": [1, 0, 0], "q": [0, 0, 0, 1]}' --json
  impinge check a.obj b.obj --as hull"#;

/// Where the first model is.
#[derive(Debug, clap::Args)]
struct PlaceA {
    /// Move the first model by this vector
    #[arg(long, value_name = "X,Y,Z", value_parser = numbers::<3>, allow_hyphen_values = true)]
    move_a: Option<Numbers<3>>,
    /// Turn the first model about an axis through its origin, by degrees; before it is moved
    #[arg(long, value_name = "X,Y,Z,DEGREES", value_parser = numbers::<4>, allow_hyphen_values = true)]
    turn_a: Option<Numbers<4>>,
    /// The pose of the first model as in the query format
    #[arg(long, value_name = "JSON", value_parser = parse_pose, conflicts_with_all = ["move_a", "turn_a"])]
    pose_a: Option<Pose>,
}

/// Where the second model is.
#[derive(Debug, clap::Args)]
struct PlaceB {
    /// Move the second model by this vector
    #[arg(long, value_name = "X,Y,Z", value_parser = numbers::<3>, allow_hyphen_values = true)]
    move_b: Option<Numbers<3>>,
    /// Turn the second model about an axis through its origin, by degrees; before it is moved
    #[arg(long, value_name = "X,Y,Z,DEGREES", value_parser = numbers::<4>, allow_hyphen_values = true)]
    turn_b: Option<Numbers<4>>,
    /// The pose of the second model as in the query format
    #[arg(long, value_name = "JSON", value_parser = parse_pose, conflicts_with_all = ["move_b", "turn_b"])]
    pose_b: Option<Pose>,
}

/// Numbers with commas between them.
#[derive(Debug, Clone, Copy)]
struct Numbers<const N: usize>([f64; N]);

fn numbers<const N: usize>(text: &str) -> Result<Numbers<N>, String> {
    let all: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let all = all.ok().and_then(|all| <[f64; N]>::try_from(all).ok());
    all.map(Numbers)
        .ok_or_else(|| format!("expected {N} numbers with commas between them"))
}

fn parse_pose(text: &str) -> Result<Pose, String> {
    let value: Value = serde_json::from_str(text).map_err(|e| format!("not valid JSON: {e}"))?;
    pose::read("", Some(&value))
}

/// Answers for the two models.
pub(crate) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    match answer(arguments) {
        Ok(text) => {
            writeln!(io::stdout().lock(), "{text}")?;
            Ok(ExitCode::SUCCESS)
        }
        Err(message) => {
            eprintln!("{message}");
            if arguments.json {
                writeln!(io::stdout().lock(), "{}", json!({"error": message}))?;
            }
            Ok(ExitCode::FAILURE)
        }
    }
}

fn answer(arguments: &Arguments) -> Result<String, String> {
    let (place_a, place_b) = (&arguments.place_a, &arguments.place_b);
    let pose_a = place(place_a.pose_a, place_a.turn_a, place_a.move_a)?;
    let pose_b = place(place_b.pose_b, place_b.turn_b, place_b.move_b)?;
    let mut models = Models::default();
    let a = Side::load(&arguments.file_a, arguments.kind, &mut models)?;
    let b = Side::load(&arguments.file_b, arguments.kind, &mut models)?;
    let separation = query::distance(a.shape.at(pose_a), b.shape.at(pose_b));
    Ok(if arguments.json {
        in_json(&a, &b, separation).to_string()
    } else {
        in_words(&a, &b, &separation)
    })
}

/// The pose given whole, or in parts: first turned, then moved.
fn place(
    whole: Option<Pose>,
    turn: Option<Numbers<4>>,
    offset: Option<Numbers<3>>,
) -> Result<Pose, String> {
    if let Some(pose) = whole {
        return Ok(pose);
    }
    let offset = offset.map_or(Vec3::ZERO, |Numbers(offset)| Vec3::from_array(offset));
    let pose = match turn {
        None => Pose::from_translation(offset),
        Some(Numbers([x, y, z, degrees])) => {
            let axis = Vec3::new(x, y, z);
            match quarter_turns(axis, degrees) {
                Some(matrix) => Pose::from_matrix(matrix, offset),
                None => Pose::from_axis_angle(axis, degrees.to_radians(), offset),
            }
        }
    };
    pose.map_err(|error| error.to_string())
}

/// The exact matrix of a whole number of quarter turns about a coordinate axis.
fn quarter_turns(axis: Vec3, degrees: f64) -> Option<Mat3> {
    let quarter = match axis.to_array() {
        [x, 0.0, 0.0] if x != 0.0 => Mat3::from_cols(Vec3::X, Vec3::Z, -Vec3::Y),
        [0.0, y, 0.0] if y != 0.0 => Mat3::from_cols(-Vec3::Z, Vec3::Y, Vec3::X),
        [0.0, 0.0, z] if z != 0.0 => Mat3::from_cols(Vec3::Y, -Vec3::X, Vec3::Z),
        _ => return None,
    };
    let turns = degrees / 90.0 * axis.element_sum().signum();
    let is_whole = turns.is_finite() && turns.fract() == 0.0;
    is_whole.then(|| {
        let count = turns.rem_euclid(4.0) as usize;
        (0..count).fold(Mat3::IDENTITY, |matrix, _| quarter * matrix)
    })
}

/// A model, and what it was taken as.
struct Side<'f> {
    file: &'f Path,
    kind: FileKind,
    shape: Shape,
}

impl<'f> Side<'f> {
    fn load(
        file: &'f Path,
        kind: Option<FileKind>,
        models: &mut Models,
    ) -> Result<Side<'f>, String> {
        let mut as_kind = |kind| {
            let shape = models.shape(file, kind, Vec3::ONE);
            shape.map(|shape| Side { file, kind, shape })
        };
        match kind {
            Some(kind) => as_kind(kind),
            None => as_kind(FileKind::Solid).or_else(|_| as_kind(FileKind::Mesh)),
        }
    }

    /// The file and what it was taken as.
    fn describe(&self) -> String {
        format!("{} (as a {})", self.file.display(), self.kind.name())
    }
}

fn in_json(a: &Side<'_>, b: &Side<'_>, separation: Separation) -> Value {
    let intersects = separation.distance <= 0.0;
    let side =
        |side: &Side<'_>| json!({"file": side.file.display().to_string(), "as": side.kind.name()});
    let mut answer = json!({"a": side(a), "b": side(b), "intersects": intersects});
    let measured = serde_json::to_value(Apart::from(separation)).unwrap_or_default();
    if let (Value::Object(answer), Value::Object(measured)) = (&mut answer, measured) {
        answer.extend(measured);
    }
    answer
}

fn in_words(a: &Side<'_>, b: &Side<'_>, separation: &Separation) -> String {
    let (on_a, on_b) = (separation.witness.a, separation.witness.b);
    let [part_a, part_b] = separation.features.map(name_of);
    let (a, b) = (a.describe(), b.describe());
    if separation.distance <= 0.0 {
        return format!(
            "{a} and {b} intersect\n  a common point: {}\n  it is on {part_a} of the first and {part_b} of the second",
            point(on_a)
        );
    }
    let bounds = separation.bounds;
    format!(
        "{a} and {b} are apart by {}\n  certified: between {} and {}\n  closest points: {} on {part_a} of the first, {} on {part_b} of the second",
        separation.distance,
        bounds.lower,
        bounds.upper,
        point(on_a),
        point(on_b),
    )
}

fn point(p: Vec3) -> String {
    format!("({}, {}, {})", p.x, p.y, p.z)
}

fn name_of(feature: Feature) -> String {
    match feature {
        Feature::Vertex(i) => format!("vertex {i}"),
        Feature::Edge(i) => format!("edge {i}"),
        Feature::Face(i) => format!("face {i}"),
        Feature::Surface => "the surface".to_owned(),
        Feature::Inside => "the inside".to_owned(),
    }
}
