//! An engine in a process of its own: a library that only C++ can call.
//!
//! The program is started with the path of the recording. It reads the candidates ([`Work::candidate_bytes`]) from its input
//! and answers with one line: its name and its methods, each as `QUESTION:MEMORY`. From then on every line
//! `QUESTION MEMORY` it is sent is answered by numbers, each an `f64` of eight bytes: the seconds that each frame took, then the
//! answers. It stays idle while others are timed, and ends when its input does.

use super::{Engine, Memory, Method, QUESTIONS, Run};
use crate::work::Work;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

/// A running program.
pub struct Child {
    program: PathBuf,
    process: std::process::Child,
    /// `None` once it was told to end.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    frames: usize,
    candidates: usize,
    name: String,
    methods: Vec<Method>,
}

impl Child {
    /// Starts a program on some work.
    pub fn start(program: &Path, work: &Work) -> Result<Child, String> {
        let fail = |problem: String| format!("{} on {}: {problem}", program.display(), work.name);
        let mut process = Command::new(program)
            .arg(&work.path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| fail(error.to_string()))?;
        let output = process.stdout.take().expect("the output is piped");
        let mut child = Child {
            program: program.to_owned(),
            input: process.stdin.take(),
            process,
            output: BufReader::new(output),
            frames: work.crowd.frames().len(),
            candidates: work.crowd.candidate_count(),
            name: String::new(),
            methods: Vec::new(),
        };
        child.greet(&work.candidate_bytes()).map_err(fail)?;
        Ok(child)
    }

    /// Sends the candidates and learns what the program can do.
    fn greet(&mut self, candidates: &[u8]) -> Result<(), String> {
        self.send(candidates)?;
        let mut line = String::new();
        let read = self.output.read_line(&mut line);
        read.map_err(|error| error.to_string())?;
        let mut words = line.split_whitespace();
        self.name = words.next().ok_or("it gave no name")?.to_owned();
        self.methods = words
            .map(|word| method(word).ok_or_else(|| format!("{word} is no method")))
            .collect::<Result<_, String>>()?;
        Ok(())
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        let input = self.input.as_mut().ok_or("it has ended")?;
        let sent = input.write_all(bytes).and_then(|()| input.flush());
        sent.map_err(|error| error.to_string())
    }

    fn ask(&mut self, method: Method) -> Result<Run, String> {
        let (question, memory) = (method.question.name(), method.memory.name());
        self.send(format!("{question} {memory}\n").as_bytes())?;
        Ok(Run {
            seconds: self.numbers(self.frames)?,
            answers: self.numbers(self.candidates)?,
        })
    }

    fn numbers(&mut self, count: usize) -> Result<Vec<f64>, String> {
        let mut bytes = vec![0; count * 8];
        let read = self.output.read_exact(&mut bytes);
        read.map_err(|error| error.to_string())?;
        let (numbers, _) = bytes.as_chunks::<8>();
        Ok(numbers.iter().map(|n| f64::from_ne_bytes(*n)).collect())
    }
}

fn method(word: &str) -> Option<Method> {
    let (question, memory) = word.split_once(':')?;
    let mut memories = [Memory::Coherent, Memory::Cold].into_iter();
    Some(Method {
        question: QUESTIONS.into_iter().find(|q| q.name() == question)?,
        memory: memories.find(|m| m.name() == memory)?,
    })
}

impl Engine for Child {
    fn name(&self) -> &str {
        &self.name
    }

    fn methods(&self) -> Vec<Method> {
        self.methods.clone()
    }

    fn run(&mut self, method: Method) -> Result<Run, String> {
        let run = self.ask(method);
        run.map_err(|problem| format!("{}: {problem}", self.program.display()))
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // Without input it ends by itself; how it ends no longer matters.
        self.input = None;
        let _ = self.process.wait();
    }
}
