//! Impinge beside other collision libraries: the same recorded work, the same pairs, one run.
//!
//! `impinge-peers [--rounds N] [--peer PROGRAM]... TRACE...` prints a page in Markdown: for each recording, engine and
//! question the nanoseconds a candidate pair, and how many answers were wrong. In every round each question goes to all
//! engines in turn, so that a busy machine disturbs all alike. Frames are timed one by one, and of each frame the median
//! round counts: an interruption spoils a frame, not a round. Each engine goes through all frames twice, and the second time
//! counts: in a running program, shapes and code are where the processor finds them, and here other engines came
//! before. Programs are engines that Rust cannot call, see [`engines::child`].

mod engines;
mod page;
mod truth;

use engines::child::Child;
use engines::{Engine, Memory, Method, QUESTIONS, Question};
use impinge_peers::work::Work;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use truth::{Errors, Truth};

const USAGE: &str = "usage: impinge-peers [--rounds N] [--peer PROGRAM]... TRACE...";

struct Arguments {
    rounds: usize,
    peers: Vec<PathBuf>,
    traces: Vec<PathBuf>,
}

/// How one engine did on one recording by one method.
struct Row {
    engine: String,
    method: Method,
    /// For each round the seconds of each frame.
    rounds: Vec<Vec<f64>>,
    errors: Errors,
}

/// All rows of one recording.
struct Comparison {
    workload: String,
    candidates: usize,
    overlapping: usize,
    rows: Vec<Row>,
}

fn main() -> ExitCode {
    let arguments = match parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("{problem}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let compared = arguments.traces.iter();
    let compared = compared.map(|trace| compare(trace, &arguments));
    match compared.collect::<Result<Vec<Comparison>, String>>() {
        Ok(comparisons) => {
            print!("{}", page::page(&comparisons, arguments.rounds));
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut arguments = Arguments {
        rounds: 5,
        peers: Vec::new(),
        traces: Vec::new(),
    };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--rounds" => {
                let rounds = words.next().and_then(|n| n.parse().ok());
                arguments.rounds = rounds.filter(|n| *n > 0).ok_or("--rounds needs a number")?;
            }
            "--peer" => {
                let program = words.next().ok_or("--peer needs a program")?;
                arguments.peers.push(program.into());
            }
            _ if word.starts_with('-') => return Err(format!("{word}: unknown option")),
            _ => arguments.traces.push(word.into()),
        }
    }
    match arguments.traces.is_empty() {
        true => Err("no trace was given".to_owned()),
        false => Ok(arguments),
    }
}

/// All engines on one recording.
fn compare(trace: &Path, arguments: &Arguments) -> Result<Comparison, String> {
    let work = Work::load(trace).map_err(|error| error.to_string())?;
    eprintln!("{}: finding the exact answers", work.name);
    let truth = Truth::of(&work);
    let mut engines = engines::in_process(&work);
    for program in &arguments.peers {
        engines.push(Box::new(Child::start(program, &work)?));
    }
    let mut comparison = Comparison {
        workload: work.name.clone(),
        candidates: work.crowd.candidate_count(),
        overlapping: truth.intersects.iter().filter(|yes| **yes).count(),
        rows: Vec::new(),
    };
    for round in 1..=arguments.rounds {
        eprintln!("{}: round {round} of {}", work.name, arguments.rounds);
        for question in QUESTIONS {
            comparison.ask_all(question, &mut engines, &truth)?;
        }
    }
    Ok(comparison)
}

impl Comparison {
    /// Asks all engines one question, each by all its methods, and keeps the times.
    fn ask_all(
        &mut self,
        question: Question,
        engines: &mut [Box<dyn Engine + '_>],
        truth: &Truth,
    ) -> Result<(), String> {
        for engine in engines {
            let methods = engine.methods().into_iter();
            for method in methods.filter(|method| method.question == question) {
                engine.run(method)?;
                let run = engine.run(method)?;
                match self.row_mut(engine.name(), method) {
                    Some(row) => row.rounds.push(run.seconds),
                    None => self.rows.push(Row {
                        engine: engine.name().to_owned(),
                        method,
                        rounds: vec![run.seconds],
                        errors: Errors::of(question, &run.answers, truth),
                    }),
                }
            }
        }
        Ok(())
    }

    fn row_mut(&mut self, engine: &str, method: Method) -> Option<&mut Row> {
        let mut rows = self.rows.iter_mut();
        rows.find(|row| row.engine == engine && row.method == method)
    }

    /// What a row comes to: nanoseconds a candidate pair.
    fn nanoseconds(&self, row: &Row) -> f64 {
        row.seconds() * 1e9 / self.candidates.max(1) as f64
    }

    fn row(&self, engine: &str, question: Question, memory: Memory) -> Option<&Row> {
        let method = Method { question, memory };
        let mut rows = self.rows.iter();
        rows.find(|row| row.engine == engine && row.method == method)
    }
}

impl Row {
    /// The sum of what each frame took in its median round.
    fn seconds(&self) -> f64 {
        let frames = 0..self.rounds.first().map_or(0, Vec::len);
        let median = |frame: usize| {
            let mut rounds: Vec<f64> = self.rounds.iter().map(|round| round[frame]).collect();
            rounds.sort_by(f64::total_cmp);
            rounds[rounds.len() / 2]
        };
        frames.map(median).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(engine: &str, rounds: Vec<Vec<f64>>) -> Row {
        Row {
            engine: engine.to_owned(),
            method: Method {
                question: Question::Intersects,
                memory: Memory::Coherent,
            },
            rounds,
            errors: Errors::default(),
        }
    }

    #[test]
    fn an_interruption_spoils_a_frame_and_not_a_round() {
        let rounds = vec![vec![1.0, 90.0], vec![80.0, 2.0], vec![1.5, 2.5]];
        assert!((row("impinge", rounds).seconds() - (1.5 + 2.5)).abs() < 1e-12);
    }

    #[test]
    fn the_page_names_the_best_peer() {
        let comparison = Comparison {
            workload: "crowd".to_owned(),
            candidates: 10,
            overlapping: 4,
            rows: vec![
                row("impinge", vec![vec![1e-6]]),
                row("slow", vec![vec![9e-6]]),
                row("fast", vec![vec![3e-6]]),
            ],
        };
        let page = page::page(&[comparison], 1);
        let ratio = "| crowd | intersects | 100 | fast coherent | 300 | 3.0 |";
        assert!(page.contains(ratio), "{page}");
        let line = "| slow | coherent | 900 | 0 | | | | | | |";
        assert!(page.contains(line), "{page}");
    }

    #[test]
    fn arguments_are_understood_or_refused() {
        let parse = |text: &str| parse(text.split_whitespace().map(str::to_owned));
        let arguments = parse("--rounds 3 --peer x a.ctrace b.ctrace").expect("it is right");
        assert_eq!((arguments.rounds, arguments.peers.len()), (3, 1));
        assert_eq!(arguments.traces.len(), 2);
        for wrong in ["", "--rounds 0 a", "--rounds", "--peer", "--what a"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
