//! An engine in a process of its own: a library that only C++ can call.
//!
//! The program is started with the path of the recording and says its name in a line. For each line that it is sent it goes
//! through all frames from a fresh start and answers, for each frame, with two `f64` and two `u32`: the seconds until the
//! candidates are known, those of the whole, how many candidates there are, and how many pairs intersect; then these pairs,
//! two `u32` each. It stays idle while others are timed, and ends when its input does.

use super::{Engine, Run};
use crate::work::Work;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running program.
pub struct Program {
    name: String,
    process: Child,
    /// `None` once it was told to end.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Program {
    /// Starts a program on some work.
    pub fn start(path: &Path, work: &Work) -> Result<Program, String> {
        let fail = |error: std::io::Error| format!("{}: {error}", path.display());
        let mut process = Command::new(path)
            .arg(&work.path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(fail)?;
        let output = process.stdout.take().expect("the output is piped");
        let mut program = Program {
            name: String::new(),
            input: process.stdin.take(),
            process,
            output: BufReader::new(output),
        };
        program.output.read_line(&mut program.name).map_err(fail)?;
        program.name = program.name.trim().to_owned();
        Ok(program)
    }

    fn ask(&mut self, frames: usize) -> std::io::Result<Run> {
        let gone = || std::io::Error::other("it has ended");
        let input = self.input.as_mut().ok_or_else(gone)?;
        input.write_all(b"run\n")?;
        input.flush()?;
        let mut run = Run::default();
        for _ in 0..frames {
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

    fn number<const N: usize>(&mut self) -> std::io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.output.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

impl Engine for Program {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, work: &Work) -> Result<Run, String> {
        let run = self.ask(work.trace.frames.len());
        run.map_err(|error| format!("{}: {error}", self.name))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Without input it ends by itself; how it ends no longer matters.
        self.input = None;
        let _ = self.process.wait();
    }
}
