//! A library that only another language can call: a program that waits for its turns.
//!
//! It is started with the path of a file and answers what it is sent. It stays idle while others are timed, and ends when its
//! input does. What is sent and answered is for each comparison to say.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running program. All problems name it.
pub struct Process {
    program: PathBuf,
    child: Child,
    /// `None` once it was told to end.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Process {
    /// Starts a program on a file.
    pub fn start(program: &Path, file: &Path) -> Result<Process, String> {
        let mut child = Command::new(program)
            .arg(file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let output = child.stdout.take().expect("the output is piped");
        Ok(Process {
            program: program.to_owned(),
            input: child.stdin.take(),
            child,
            output: BufReader::new(output),
        })
    }

    /// Starts a program that says its name in a first line, and tells the name.
    pub fn start_named(program: &Path, file: &Path) -> Result<(Process, String), String> {
        let mut process = Process::start(program, file)?;
        let name = process.line()?;
        Ok((process, name.trim().to_owned()))
    }

    /// Sends some bytes.
    pub fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        let Some(input) = &mut self.input else {
            return Err(self.problem("it has ended"));
        };
        let sent = input.write_all(bytes).and_then(|()| input.flush());
        sent.map_err(|error| self.problem(&error.to_string()))
    }

    /// Its next line.
    pub fn line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        match self.output.read_line(&mut line) {
            Ok(0) => Err(self.problem("it has ended")),
            Ok(_) => Ok(line),
            Err(error) => Err(self.problem(&error.to_string())),
        }
    }

    /// The numbers of its next line.
    pub fn line_of_numbers(&mut self) -> Result<Vec<f64>, String> {
        let line = self.line()?;
        let numbers = line.split_whitespace().map(str::parse::<f64>);
        let numbers: Result<Vec<f64>, _> = numbers.collect();
        numbers.map_err(|_| self.problem(&format!("it answers {line:?}")))
    }

    /// Its next bytes.
    pub fn bytes(&mut self, bytes: &mut [u8]) -> Result<(), String> {
        let read = self.output.read_exact(bytes);
        read.map_err(|error| self.problem(&error.to_string()))
    }

    /// A problem with this program.
    pub fn problem(&self, what: &str) -> String {
        format!("{}: {what}", self.program.display())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Without input it ends by itself; how it ends no longer matters.
        self.input = None;
        let _ = self.child.wait();
    }
}
