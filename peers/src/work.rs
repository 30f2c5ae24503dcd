//! The work that all engines are given: a recording, and which pairs to ask about in each frame.

use impinge::Error;
use impinge_scenes::crowd::Crowd;
use impinge_scenes::trace::Trace;
use std::path::{Path, PathBuf};

/// A recording of convex bodies, prepared.
pub struct Work {
    /// The name of the recording.
    pub name: String,
    /// Where it was read.
    pub path: PathBuf,
    /// The recording itself.
    pub trace: Trace,
    /// The bodies as Impinge has them, and the candidate pairs.
    pub crowd: Crowd,
}

impl Work {
    /// Reads a recording and finds the candidates.
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

    /// The candidates for programs in other languages, all numbers `u32`: how many pairs there are; for each frame a count,
    /// and that many triples of two bodies and the number of the pair.
    pub fn candidate_bytes(&self) -> Vec<u8> {
        let mut numbers = vec![self.crowd.pair_count() as u32];
        for frame in self.crowd.frames() {
            numbers.push(frame.candidates.len() as u32);
            numbers.extend(frame.candidates.iter().flat_map(|c| [c.a, c.b, c.pair]));
        }
        numbers.into_iter().flat_map(u32::to_ne_bytes).collect()
    }
}
