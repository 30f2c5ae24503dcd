//! A recording, as all engines get it.

use impinge::Error;
use impinge_scenes::crowd::Crowd;
use impinge_scenes::trace::Trace;
use std::path::{Path, PathBuf};

/// Shapes, and where all bodies are in all frames.
pub struct Work {
    /// The name of the recording.
    pub name: String,
    /// Where it was read.
    pub path: PathBuf,
    /// The recording itself.
    pub trace: Trace,
    /// The bodies as Impinge has them, and the pairs whose boxes overlap.
    pub crowd: Crowd,
}

impl Work {
    /// Reads a recording.
    pub fn load(path: &Path) -> Result<Work, Error> {
        let trace = Trace::read(path)?;
        let name = path.file_stem().unwrap_or_default();
        Ok(Work {
            name: name.to_string_lossy().into_owned(),
            path: path.to_owned(),
            crowd: Crowd::from_trace(&trace)?,
            trace,
        })
    }
}
