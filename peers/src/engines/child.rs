//! An engine in a process of its own: a library that only C++ can call.
//!
//! The program is started with the path of the recording. It reads the candidates ([`Work::candidate_bytes`]) from its input
//! and answers with one line: its name and its methods, each as `QUESTION:MEMORY`. From then on every line
//! `QUESTION MEMORY` it is sent is answered by numbers, each an `f64` of eight bytes: the seconds that each frame took, then the
//! answers.

use super::{Engine, Memory, Method, QUESTIONS, Run};
use impinge_peers::process::Process;
use impinge_peers::work::Work;
use std::path::Path;

/// A running program.
pub struct Child {
    process: Process,
    frames: usize,
    candidates: usize,
    name: String,
    methods: Vec<Method>,
}

impl Child {
    /// Starts a program on some work: sends the candidates and learns what it can do.
    pub fn start(program: &Path, work: &Work) -> Result<Child, String> {
        let mut process = Process::start(program, &work.path)?;
        process.send(&work.candidate_bytes())?;
        let line = process.line()?;
        let mut words = line.split_whitespace();
        let name = words.next();
        let name = name.ok_or_else(|| process.problem("it gave no name"))?;
        let methods = words.map(|word| {
            let known = method(word);
            known.ok_or_else(|| process.problem(&format!("{word} is no method")))
        });
        Ok(Child {
            frames: work.crowd.frames().len(),
            candidates: work.crowd.candidate_count(),
            name: name.to_owned(),
            methods: methods.collect::<Result<_, String>>()?,
            process,
        })
    }

    fn numbers(&mut self, count: usize) -> Result<Vec<f64>, String> {
        let mut bytes = vec![0; count * 8];
        self.process.bytes(&mut bytes)?;
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
        let (question, memory) = (method.question.name(), method.memory.name());
        let asked = format!("{question} {memory}\n");
        self.process.send(asked.as_bytes())?;
        Ok(Run {
            seconds: self.numbers(self.frames)?,
            answers: self.numbers(self.candidates)?,
        })
    }
}
