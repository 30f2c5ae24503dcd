//! `impinge query`: questions in, answers out, one JSON object a line. `docs/query-format.md` describes the format.

mod answer;
mod fields;
mod line;
mod meshes;
mod models;
mod motion;
mod paths;
pub(crate) mod pose;
mod shape;

pub(crate) use answer::Apart;
pub(crate) use models::{FileKind, Models};

use answer::Answer;
use serde::Serialize;
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Answer questions about pairs of shapes: JSON Lines in, JSON Lines out
///
/// Each line asks about two shapes at two poses: whether they intersect, whether they are within a gap, how far they are
/// apart, how deep they overlap, or, of moving shapes, when they first touch. Or it asks when a vertex and a face, or two
/// edges, first touch whose points move on straight paths. Answers come in the same order, one a line. A line that cannot be answered gives an error in its place, and the
/// others are still answered. docs/query-format.md describes all shapes and fields.
///
/// Exit code 0 when all lines were answered, 1 when some could not be.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The file with the questions, or - for standard input
    ///
    /// Model files are named relative to it, or to the working directory for standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

const EXAMPLES: &str = r#"Examples:
  impinge query questions.jsonl > answers.jsonl
  generate-questions | impinge query -

Questions look like this, each on a line of its own:
  {"query": "distance", "a": {"sphere": 1}, "b": {"box": [1, 2, 3]}, "pose_b": {"t": [5, 0, 0]}}
  {"id": 7, "query": "intersects", "a": {"mesh": "part.stl"}, "b": {"cylinder": [0.5, 0.1]}}
  {"query": "within", "gap": 0.01, "a": {"solid": "a.obj", "scale": 0.001}, "b": {"hull": "b.obj"}}
  {"query": "penetration", "a": {"cone": [1, 0.5]}, "b": {"halfspace": [0, 0, 1, 0]}}
  {"query": "toi", "a": {"sphere": 1}, "b": {"box": [1, 1, 1]}, "pose_b": {"t": [5, 0, 0]}, "move_a": [9, 0, 0]}
  {"query": "vertex-face", "start": [[0, 0, 1], [-1, -1, 0], [1, -1, 0], [0, 1, 0]], "end": [[0, 0, -1], [-1, -1, 0], [1, -1, 0], [0, 1, 0]]}"#;

/// Answers all lines of the file.
pub(crate) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let path = &arguments.file;
    if path == Path::new("-") {
        let lines = io::stdin().lock();
        return answer_all(lines, Path::new("standard input"), Path::new(""));
    }
    match File::open(path) {
        Ok(file) => {
            let folder = path.parent().unwrap_or(Path::new(""));
            answer_all(BufReader::new(file), path, folder)
        }
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            Ok(ExitCode::FAILURE)
        }
    }
}

/// An answer or the reason why there is none, with the id of the line.
#[derive(Serialize)]
struct Reply {
    id: Value,
    #[serde(flatten)]
    answer: Option<Answer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
}

fn answer_all(mut lines: impl BufRead, name: &Path, folder: &Path) -> io::Result<ExitCode> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut models = Models::default();
    let mut exit_code = ExitCode::SUCCESS;
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        match lines.read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => {
                eprintln!("{}:{number}: {error}", name.display());
                exit_code = ExitCode::FAILURE;
                break;
            }
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let reply = reply_to(&line, folder, &mut models);
        if let Some(error) = &reply.error {
            eprintln!("{}:{number}: {error}", name.display());
            exit_code = ExitCode::FAILURE;
        }
        writeln!(out, "{}", serde_json::to_string(&reply)?)?;
        // Whoever asks one question at a time waits for the answer.
        out.flush()?;
    }
    Ok(exit_code)
}

fn reply_to(line: &[u8], folder: &Path, models: &mut Models) -> Reply {
    let parsed: Result<Value, _> = serde_json::from_slice(line);
    let (id, answer) = match parsed {
        Ok(line) => {
            let id = line.get("id").cloned().unwrap_or(Value::Null);
            (id, line::answer(&line, folder, models))
        }
        Err(error) => (Value::Null, Err(syntax_error(&error))),
    };
    match answer {
        Ok((answer, method)) => Reply {
            id,
            answer: Some(answer),
            error: None,
            method: Some(method),
        },
        Err(error) => Reply {
            id,
            answer: None,
            error: Some(error),
            method: None,
        },
    }
}

/// What is wrong with a line that is not JSON. Its "line 1" would be taken for the first line of the file.
fn syntax_error(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let what = message.split(" at line ").next().unwrap_or(&message);
    format!("not valid JSON: {what} at column {}", error.column())
}
