//! The engines, behind one small interface.

#[cfg(feature = "box3d")]
mod box3d;
mod impinge;
mod parry32;
mod parry64;
mod program;
mod rapier;

use impinge_peers::work::Work;
use std::path::PathBuf;

/// What came of all frames.
#[derive(Default)]
pub struct Run {
    /// For each frame: the seconds until the candidates are known, or 0 if the engine does not tell, and of the whole.
    pub seconds: Vec<[f64; 2]>,
    /// Pairs that were tested, in all frames together.
    pub candidates: usize,
    /// For each frame the pairs that intersect, sorted, the smaller number first.
    pub hits: Vec<Vec<[u32; 2]>>,
    /// The work that was done, in words.
    pub work: String,
}

impl Run {
    /// Notes a frame.
    fn note(&mut self, seconds: [f64; 2], candidates: usize, hits: Vec<[u32; 2]>) {
        self.seconds.push(seconds);
        self.candidates += candidates;
        self.hits.push(in_order(hits));
    }
}

/// Pairs as tables have them.
fn in_order(mut pairs: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
    for pair in &mut pairs {
        pair.sort_unstable();
    }
    pairs.sort_unstable();
    pairs
}

/// Something that goes through all frames.
pub trait Engine {
    /// Its name in tables.
    fn name(&self) -> &str;
    /// All frames, from a fresh start.
    fn run(&mut self, work: &Work) -> Result<Run, String>;
}

/// Impinge, and after it all that take the shapes of this work.
pub fn all<'w>(work: &'w Work, programs: &[PathBuf]) -> Result<Vec<Box<dyn Engine + 'w>>, String> {
    let mut engines: Vec<Box<dyn Engine + 'w>> = vec![
        Box::new(impinge::Impinge),
        Box::new(parry32::Parry),
        Box::new(parry64::Parry),
        Box::new(rapier::Rapier),
    ];
    #[cfg(feature = "box3d")]
    match box3d::Box3d::new(work) {
        Some(engine) => engines.push(Box::new(engine)),
        None => eprintln!("{}: a shape is beyond the limits of Box3D", work.name),
    }
    for program in programs {
        engines.push(Box::new(program::Program::start(program, work)?));
    }
    Ok(engines)
}
