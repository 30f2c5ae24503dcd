//! An engine in a process of its own: a library that only C++ can call.
//!
//! The program is started with the path of the recording and says its name in a line. For each line that it is sent it goes
//! through all frames from a fresh start and answers, for each frame, with two `f64` and two `u32`: the seconds until the
//! candidates are known, those of the whole, how many candidates there are, and how many pairs intersect; then these pairs,
//! two `u32` each.

use super::{Engine, Run};
use impinge_peers::process::Process;
use impinge_peers::work::Work;
use std::path::Path;

/// A running program.
pub struct Program {
    name: String,
    process: Process,
}

impl Program {
    /// Starts a program on some work.
    pub fn start(path: &Path, work: &Work) -> Result<Program, String> {
        let (process, name) = Process::start_named(path, &work.path)?;
        Ok(Program { name, process })
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let mut bytes = [0; N];
        self.process.bytes(&mut bytes)?;
        Ok(bytes)
    }
}

impl Engine for Program {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, work: &Work) -> Result<Run, String> {
        self.process.send(b"run\n")?;
        let mut run = Run::default();
        for _ in &work.trace.frames {
            let seconds = [self.number()?, self.number()?].map(f64::from_ne_bytes);
            let [candidates, hits] = [self.number()?, self.number()?].map(u32::from_ne_bytes);
            let mut pairs = Vec::new();
            for _ in 0..hits {
                pairs.push([self.number()?, self.number()?].map(u32::from_ne_bytes));
            }
            run.note(seconds, candidates as usize, pairs);
        }
        Ok(run)
    }
}
